//! Damaged trees: each is refused with its file and line, and nothing is changed.

use super::{
    foreign::{foreign, later},
    *,
};

#[test]
fn damage_is_refused_with_its_file_and_line_and_nothing_is_changed() {
    let episode = "episodic/2026-01-06/task-001.json";
    let notes = "semantic/patterns.json";
    for (path, from, to, part) in [
        (
            episode,
            "\"git_commit\": \"abc123\"\n}",
            "",
            "EOF while parsing",
        ),
        (
            episode,
            "\"duration_seconds\": 342",
            "\"duration_seconds\": null",
            "line 5",
        ),
        (
            episode,
            "\"duration_seconds\": 342",
            "\"duration_seconds\": \"342\"",
            "line 5",
        ),
        (
            episode,
            "\"duration_seconds\": 342",
            "\"duration_seconds\": -342",
            "-342 must not be negative at line 5",
        ),
        (
            episode,
            "2026-01-06T10:30:00Z",
            "yesterday",
            "must be a time such as",
        ),
        (
            episode,
            "\"outcome\": \"success\"",
            "\"outcome\": \"great\"",
            "great",
        ),
        (episode, "ep-2026-01-06-001", "../ep", "episode.id"),
        (episode, "\"t\": 5", "\"t\": -5", "line 15"),
        (
            notes,
            "\"confidence\": 0.95",
            "\"confidence\": 95",
            "95 must be from 0 to 1 at line 12",
        ),
        (
            notes,
            "\"usage_count\": 8",
            "\"usage_count\": -8",
            "line 14",
        ),
        (notes, "related_to", "is_fond_of", "is_fond_of"),
        (
            "skills/api-implementation.md",
            "## Steps",
            "## Stairs",
            "line 1",
        ),
        (
            "ledgers/eng-001.json",
            "\"tasks_completed\": 12",
            "\"tasks_completed\": \"12\"",
            "line 4",
        ),
        (
            "ledgers/eng-001.json",
            "\"agent_id\": \"eng-001-backend\"",
            "\"agent_id\": \"../x\"",
            "agent_id",
        ),
        (
            "handoffs/handoff-001.json",
            "\"id\": \"handoff-001\"",
            "\"id\": \"h\"",
            "handoff-001",
        ),
        (
            "semantic/anti-patterns.json",
            "\"what_fails\"",
            "\"what\"",
            "what_fails",
        ),
    ] {
        let world = later();
        let mut tree = foreign();
        let text = tree.get_mut(path).expect("a file");
        assert!(text.contains(from), "{from}");
        *text = text.replacen(from, to, 1);
        match import(&world, &tree) {
            Err(Error::InvalidArgument(message)) => {
                assert!(
                    message.starts_with(path) && message.contains(part),
                    "{part}: {message}"
                );
                assert!(message.contains("nothing was imported"), "{message}");
            }
            other => panic!("{path} {to}: {other:?}"),
        }
        assert_eq!(documents(&world), BTreeMap::new(), "{path} {to}");
    }
}

#[test]
fn damage_to_what_travels_along_is_refused() {
    let tree = export(&lived());
    let episode = "episodic/2024-01-01/task-001.json";
    for (path, from, to, part) in [
        (
            episode,
            "\"failures\": 1",
            "\"failures\": -1",
            "twiceshy.documents.episode[0]",
        ),
        (
            episode,
            "\"action\": \"cat a.txt\"",
            "\"action\": \"rm a.txt\"",
            "action_log was changed by hand",
        ),
        (
            episode,
            "\"documents\": {",
            "\"documents\": {\"decision\": [{}],",
            "does not belong here",
        ),
        (
            "twiceshy/fingerprint.json",
            "\"occurrences\": ",
            "\"occurrences\": \"x",
            "twiceshy/fingerprint.json",
        ),
        (
            "semantic/patterns.json",
            "\"rule-text\":",
            "\"rule\":",
            "semantic/patterns.json",
        ),
    ] {
        let world = World::new();
        world.clock.set(crate::support::START * 2);
        let mut tree = tree.clone();
        let text = tree.get_mut(path).unwrap_or_else(|| panic!("{path}"));
        assert!(text.contains(from), "{from} in {text}");
        *text = text.replacen(from, to, 1);
        match import(&world, &tree) {
            Err(Error::InvalidArgument(message)) => assert!(message.contains(part), "{message}"),
            other => panic!("{to}: {other:?}"),
        }
        assert_eq!(documents(&world), BTreeMap::new(), "{to}");
    }
    for path in ["/etc/passwd", "a/../../x", "skills\\x.md"] {
        let world = World::new();
        let tree = Tree::from([(path.to_owned(), "x".to_owned())]);
        assert!(
            matches!(import(&world, &tree), Err(Error::InvalidArgument(_))),
            "{path}"
        );
    }
}
