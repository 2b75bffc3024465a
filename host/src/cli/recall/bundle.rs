//! A bundle for a person: grouped, each memory with its id, its score and why it is there.

use twiceshy::wit::memory::{ContextItem, TaskBundle};

use crate::cli::show;

pub(super) fn lines(bundle: &TaskBundle) -> Vec<String> {
    let groups = [
        ("what to avoid", &bundle.avoid_these),
        ("patterns and lessons", &bundle.applicable_patterns),
        ("facts", &bundle.domain_knowledge),
        ("similar episodes", &bundle.similar_episodes),
        ("skills", &bundle.applicable_skills),
    ];
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
