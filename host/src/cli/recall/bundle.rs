//! A bundle for a person: grouped, each memory with its id, its score and why it is there.

use twiceshy::wit::memory::{Briefing, ContextItem, TaskBundle};

use crate::cli::show;

/// The groups of a bundle, with their titles.
fn grouped(bundle: &TaskBundle) -> [(&'static str, &Vec<ContextItem>); 5] {
    [
        ("what to avoid", &bundle.avoid_these),
        ("patterns and lessons", &bundle.applicable_patterns),
        ("facts", &bundle.domain_knowledge),
        ("similar episodes", &bundle.similar_episodes),
        ("skills", &bundle.applicable_skills),
    ]
}

/// Takes some memories out of a bundle by their ids, and with them the text that has them; says whether nothing is left.
pub(in crate::cli) fn leave_out(bundle: &mut TaskBundle, is_out: impl Fn(&str) -> bool) -> bool {
    let mut is_cut = false;
    for items in [
        &mut bundle.avoid_these,
        &mut bundle.applicable_patterns,
        &mut bundle.domain_knowledge,
        &mut bundle.similar_episodes,
        &mut bundle.applicable_skills,
    ] {
        let before = items.len();
        items.retain(|item| !is_out(&item.id));
        is_cut |= items.len() < before;
    }
    if is_cut {
        bundle.text.clear();
        bundle.tokens = 0;
    }
    grouped(bundle).iter().all(|(_, items)| items.is_empty())
}

/// What a bundle has besides a briefing, group by group.
pub(in crate::cli) fn groups(bundle: &TaskBundle, briefing: &Briefing) -> Vec<String> {
    let is_told = |item: &&ContextItem| briefing.hints.iter().any(|hint| hint.lesson.id == item.id);
    let mut lines = Vec::new();
    for (title, items) in grouped(bundle) {
        let mut new = items.iter().filter(|item| !is_told(item)).peekable();
        if new.peek().is_some() {
            lines.push(String::new());
            lines.push(title.to_owned());
            lines.extend(new.flat_map(item));
        }
    }
    lines
}

pub(super) fn lines(bundle: &TaskBundle) -> Vec<String> {
    let groups = grouped(bundle);
    let weights = &bundle.weights;
    let mut lines = vec![format!(
        "{}: knowledge {:.2}, episodes {:.2}, skills {:.2}; {} tokens",
        bundle.work.as_str(),
        weights.semantic,
        weights.episodic,
        weights.skills,
        bundle.tokens
    )];
    for (title, items) in groups {
        if !items.is_empty() {
            lines.push(String::new());
            lines.push(title.to_owned());
            lines.extend(items.iter().flat_map(item));
        }
    }
    if lines.len() == 1 {
        lines = vec!["Nothing is known.".to_owned()];
    }
    if !bundle.left_out.is_empty() {
        let left_out: Vec<_> = bundle.left_out.iter().map(|id| show::line(id)).collect();
        lines.push(String::new());
        lines.push(format!(
            "left out for want of tokens: {}",
            left_out.join(" ")
        ));
    }
    lines
}

fn item(item: &ContextItem) -> [String; 2] {
    [
        format!("  {:.2}  {}", item.score, show::cut(&item.summary, 150)),
        format!(
            "        {}  fit {:.2}: {}",
            show::line(&item.id),
            item.fit,
            show::line(&item.why)
        ),
    ]
}
