//! `CONTINUITY.md`: a working memory as a page that a person or the next process can read.
//!
//! Owns the page: the state of the work, and references to what is known, never copies of it. Everything that is not a
//! heading comes from outside: it is one line of plain text each, in which nothing is Markdown. The page is marked, so
//! that the memory does not learn from it when it is printed.

use std::fmt::Write;

use twiceshy_wit::memory::{
    EpisodeQuery, Error, Hint, LessonKind, Outcome, Run, TaskContext, WorkingMemory,
};

use super::short::short;
use crate::{
    advice,
    episodes::search,
    insertion,
    lessons::skills,
    recall, runs,
    store::{Desk, Reader},
};

/// Lessons, episodes and skills that are named.
const LESSONS: u32 = 5;
const EPISODES: u32 = 3;
const SKILLS: u32 = 3;

/// A line in tokens.
const LINE_TOKENS: u32 = 40;

/// Entries of a list that are named; the newest.
const NAMED: usize = 20;

pub(crate) fn continuity_page(desk: &Desk, run: &str) -> Result<String, Error> {
    let memory = super::view::view_working(desk, run)?;
    let open = runs::open_run(desk, run)?.noun;
    let run = &open.run;
    let hints = or_nothing(
        desk,
        recall::hints_before(
            desk,
            &TaskContext {
                task: run.task.clone(),
                domain: run.domain.clone(),
                recent_fingerprints: open.fingerprints().map(str::to_owned).take(32).collect(),
                limit: Some(LESSONS),
                tokens: None,
            },
            &open.head,
        ),
    );
    let mut page = standing(run, &memory);
    page.push_str("\n## Relevant Memories (Auto-Retrieved)\n");
    let mut known = 0;
    for hint in hints.iter().filter(|hint| !is_mistake(hint)) {
        reference(&mut page, &hint.lesson.id, &hint.lesson.rule_text);
        known += 1;
    }
    let alike = EpisodeQuery {
        text: run.task.clone(),
        preferred_domain: Some(run.domain.clone()),
        limit: Some(EPISODES),
        ..EpisodeQuery::default()
    };
    for hit in or_nothing(desk, search::search_episodes(desk, &alike)) {
        let episode = &hit.episode;
        let how = match episode.outcome {
            Outcome::Success => "succeeded",
            Outcome::Failure => "failed",
            Outcome::Partial => "succeeded in part",
            Outcome::Abandoned => "was given up",
        };
        reference(&mut page, &episode.id, &format!("{} {how}", episode.task));
        known += 1;
    }
    for hit in or_nothing(desk, skills::find(desk, &run.task, SKILLS)) {
        let id = format!("skill: {}", hit.skill.slug);
        reference(&mut page, &id, &hit.skill.title);
        known += 1;
    }
    if known == 0 {
        page.push_str("- None yet.\n");
    }
    page.push_str("\n## Mistakes to Avoid (From Learnings)\n");
    let mut mistakes = 0;
    for hint in &hints {
        let lesson = &hint.lesson;
        let advice = advice::parse(&lesson.rule_text);
        let text = match (is_mistake(hint), advice.wrong) {
            (true, _) => lesson.rule_text.clone(),
            (false, Some(wrong)) => format!("Not: {wrong}"),
            (false, None) => continue,
        };
        reference(&mut page, &lesson.id, &text);
        mistakes += 1;
    }
    if mistakes == 0 {
        page.push_str("- None known.\n");
    }
    Ok(insertion::marked(&page))
}

/// What another part says; nothing if it can't say anything now.
fn or_nothing<T>(reader: &Reader, answer: Result<Vec<T>, Error>) -> Vec<T> {
    answer.unwrap_or_else(|error| {
        if !matches!(error, Error::Unavailable(_)) {
            reader.warn(&format!("left out of CONTINUITY.md: {}", error.message()));
        }
        Vec::new()
    })
}

/// Whether a lesson is nothing but a mistake.
fn is_mistake(hint: &Hint) -> bool {
    matches!(
        hint.lesson.kind,
        LessonKind::AntiPattern | LessonKind::Failure
    )
}

/// Where the work stands.
fn standing(run: &Run, memory: &WorkingMemory) -> String {
    let mut page = String::from("# Continuity\n\n## Where the Work Stands\n");
    // Writing to a string can't fail.
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(page, "- {name}: {}", plain(text));
    };
    line("Run", &run.id);
    line("Task", &run.task);
    line("Steps", &format!("{}, {} failed", run.steps, run.failures));
    for (name, id) in [
        ("Goals", "task-goals"),
        ("Constraints", "task-constraints"),
        ("Success criteria", "task-criteria"),
        ("Plan", "task-plan"),
    ] {
        if let Some(item) = memory.items.iter().find(|item| item.id == id) {
            let list: Vec<String> =
                serde_json::from_str(&item.text).unwrap_or_else(|_| vec![item.text.clone()]);
            list.iter().take(NAMED).for_each(|one| line(name, one));
        }
    }
    if let Some(state) = &memory.state {
        line("Phase", &state.phase);
        if let Some(subtask) = &state.current_subtask {
            line("Current subtask", subtask);
        }
        if let Some(progress) = state.progress {
            line("Progress", &format!("{:.0} %", progress * 100.0));
        }
        let newest =
            |list: &[String]| -> Vec<String> { list[list.len().saturating_sub(NAMED)..].to_vec() };
        for (name, list) in [
            ("Completed", newest(&state.completed)),
            ("In progress", newest(&state.in_progress)),
        ] {
            list.iter().for_each(|one| line(name, one));
        }
        let failed = &state.failed;
        for failed in &failed[failed.len().saturating_sub(NAMED)..] {
            line("Failed", &format!("{} ({})", failed.subtask, failed.error));
        }
    }
    line(
        "Working memory",
        &format!("{} of {} tokens", memory.tokens, memory.budget),
    );
    page
}

/// A line that refers to a memory.
fn reference(page: &mut String, id: &str, text: &str) {
    let id: String = id
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || "_-.: ".contains(*c))
        .collect();
    let _ = writeln!(page, "- [{id}] {}", plain(text));
}

/// A text from outside on one line, short, in which nothing is Markdown or HTML.
fn plain(text: &str) -> String {
    let line = insertion::harmless(&short(text, LINE_TOKENS));
    let mut plain = String::with_capacity(line.len());
    for character in line.trim().chars() {
        if "\\`*_[]<>#|!&~".contains(character) {
            plain.push('\\');
        }
        plain.push(character);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markdown() {
        assert_eq!(
            plain("a\n# b <img src=x> [c](d) `e`\u{202e}"),
            "a \\# b \\<img src=x\\> \\[c\\](d) \\`e\\`"
        );
        let mut page = String::new();
        reference(&mut page, "skill: api](x)", "say");
        assert_eq!(page, "- [skill: apix] say\n");
    }
}
