//! The layout of an exported tree: which path is what.
//!
//! Owns the names of directories and files, both ways. What is in them is the business of the files' own modules.

use twiceshy_wit::memory::LessonKind;

/// What a file of a tree is, by its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// `episodic/<date>/task-NNN.json`.
    Episode,
    /// `episodic/index.json`.
    Index,
    /// `semantic/patterns.json` and those that follow it, `semantic/facts.json`.
    Notes(LessonKind),
    /// `semantic/anti-patterns.json`.
    AntiPatterns,
    /// `semantic/links.json`.
    Links,
    /// `skills/<name>.md`.
    Skill(String),
    /// `ledgers/<agent>.json`.
    Ledger,
    /// `handoffs/handoff-NNN.json`.
    Handoff,
    /// `learnings/<date>.json`.
    Learnings,
    /// `metrics/…`: made from the rest.
    Metrics,
    /// `twiceshy/…`: documents that have no other place.
    Rest,
}

/// What a file is; none if it is not part of the layout.
pub(super) fn place(path: &str) -> Option<Place> {
    let parts: Vec<_> = path.split('/').collect();
    let json = |name: &str| name.ends_with(".json") && name.len() > ".json".len();
    Some(match parts.as_slice() {
        ["episodic", "index.json"] => Place::Index,
        ["episodic", _, name] if json(name) => Place::Episode,
        ["semantic", name] if is_part(name, "anti-patterns") => Place::AntiPatterns,
        ["semantic", name] if is_part(name, "patterns") => Place::Notes(LessonKind::Rule),
        ["semantic", name] if is_part(name, "facts") => Place::Notes(LessonKind::Fact),
        ["semantic", name] if is_part(name, "links") => Place::Links,
        ["skills", name] => Place::Skill(name.strip_suffix(".md")?.to_owned()),
        ["ledgers", name] if json(name) => Place::Ledger,
        ["handoffs", name] if json(name) => Place::Handoff,
        ["learnings", name] if json(name) => Place::Learnings,
        ["metrics", ..] => Place::Metrics,
        ["twiceshy", name] if json(name) => Place::Rest,
        _ => return None,
    })
}

/// Whether a file is one of those that a long list is cut into: `links.json`, `links-002.json` and so on.
fn is_part(file: &str, name: &str) -> bool {
    let rest = file
        .strip_prefix(name)
        .and_then(|rest| rest.strip_suffix(".json"));
    match rest {
        Some("") => true,
        Some(rest) => {
            let digits = rest.strip_prefix('-').unwrap_or_default();
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        }
        None => false,
    }
}

/// The name of a file that a long list is cut into, by its number from 1.
pub(super) fn part(directory: &str, name: &str, number: u32) -> String {
    match number {
        1 => format!("{directory}/{name}.json"),
        number => format!("{directory}/{name}-{number:03}.json"),
    }
}

/// Whether a path stays within the tree: relative, without `..`, with `/` alone.
pub(super) fn is_within(path: &str) -> bool {
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    path.len() <= 1_024
        && path.split('/').all(plain)
        && !path.contains(|c: char| c == '\\' || c == ':' || c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_what_a_file_is() {
        for (path, expected) in [
            ("episodic/2026-01-06/task-001.json", Some(Place::Episode)),
            ("episodic/index.json", Some(Place::Index)),
            (
                "semantic/patterns.json",
                Some(Place::Notes(LessonKind::Rule)),
            ),
            (
                "semantic/patterns-002.json",
                Some(Place::Notes(LessonKind::Rule)),
            ),
            ("semantic/anti-patterns.json", Some(Place::AntiPatterns)),
            ("semantic/patterns-old.json", None),
            (
                "skills/debugging.md",
                Some(Place::Skill("debugging".to_owned())),
            ),
            ("skills/debugging.txt", None),
            ("ledgers/eng-001.json", Some(Place::Ledger)),
            ("metrics/dashboard.json", Some(Place::Metrics)),
            ("README.md", None),
        ] {
            assert_eq!(place(path), expected, "{path}");
        }
    }

    #[test]
    fn a_path_never_leaves_the_tree() {
        for path in [
            "/etc/passwd",
            "a/../b",
            "..",
            "",
            "a//b",
            "./a",
            "a\\b",
            "C:/a",
            "a\nb",
        ] {
            assert!(!is_within(path), "{path:?}");
        }
        assert!(is_within("episodic/2026-01-06/task-001.json"));
    }
}
