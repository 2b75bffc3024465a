//! Many decisions: by many processes at once, and among many others.

use super::*;
use crate::waiting::killed_amid_writes;

fn recorder(project: &Scratch, number: usize) -> Command {
    let hypothesis = format!("Try idea {number}");
    project.command(&[
        "decisions",
        "record",
        "--module",
        "data_processor",
        "--hypothesis",
        &hypothesis,
        "--outcome",
        "held",
        "--rationale",
        "r",
    ])
}

#[test]
fn eight_processes_that_record_at_once_lose_nothing() {
    let project = Scratch::new();
    thread::scope(|scope| {
        for process in 0..8 {
            let project = &project;
            scope.spawn(move || {
                for number in 0..5 {
                    // Half of them record the very same.
                    let number = if number % 2 == 0 {
                        1_000
                    } else {
                        process * 10 + number
                    };
                    let output = recorder(project, number)
                        .stdin(Stdio::null())
                        .output()
                        .expect("started");
                    assert!(
                        output.status.success(),
                        "{}",
                        String::from_utf8_lossy(&output.stderr)
                    );
                }
            });
        }
    });
    assert_eq!(
        project.run(&["decisions", "stats", "--json"]).json()["held"],
        40
    );
    project.assert_sound();
}

#[test]
fn a_recorder_that_is_killed_leaves_whole_decisions_or_none() {
    let project = Scratch::new();
    recorded(
        &project,
        &[
            "--hypothesis",
            "First",
            "--outcome",
            "held",
            "--rationale",
            "r",
        ],
    );
    // Before it writes, at its first write, and at the second one, if there is one.
    for number in 0..12 {
        killed_amid_writes(
            &mut recorder(&project, number),
            &project.memory(),
            number % 3,
        );
    }
    let listed = project.run(&["decisions", "get-records", "--json"]).json();
    let count = listed.as_array().map_or(0, Vec::len);
    assert!(count > 1, "one at least had written: {listed}");
    assert_eq!(
        project.run(&["decisions", "stats", "--json"]).json()["held"],
        count
    );
    for decision in listed.as_array().expect("a list") {
        let found = project.call(
            "decisions.get-records",
            &json!({ "module": decision["module"], "limit": 1000 }),
        );
        assert!(found.as_array().expect("a list").contains(decision));
    }
    project.assert_sound();
}

#[test]
fn among_many_decisions_in_a_file_no_match_is_missed_through_the_component() {
    const PARTS: [&[&str]; 4] = [
        &["Cache", "Remove", "Validate", "Stream", "Batch"],
        &["slow", "nested", "global", "remote"],
        &[
            "connection",
            "transaction",
            "iterator",
            "serializer",
            "deserializer",
        ],
        &["pipeline", "gateway", "warehouse", "time out"],
    ];
    let text = |number: usize| {
        let pick = |part: usize, over: usize| PARTS[part][number / over % PARTS[part].len()];
        let (verb, kind, thing, place) = (pick(0, 1), pick(1, 5), pick(2, 20), pick(3, 100));
        format!(
            "{verb} the {kind} {thing} of stage {} in the {place}",
            number / 400
        )
    };
    let module = "data_processor";
    let known: Vec<_> = (0..3_000).map(text).collect();
    let records: Vec<_> = known
        .iter()
        .map(|text| {
            json!({ "module": module, "hypothesis": text, "description": "", "outcome": "rejected",
                    "rationale": "r", "rejection_reason": null, "timestamp": "2026-01-01T00:00:00Z" })
        })
        .collect();
    let directory = tempfile::tempdir().expect("a directory");
    let store = SqliteStore::open(&directory.path().join("memory.db"), Options::default())
        .expect("a store");
    let cache = compiled();
    let component = MemoryComponent::bundled(&cache).expect("the component");
    let memory = component.over(store).build();
    let request = ImportRequest {
        text: json!({ "version": "1.0.0", "records": records }).to_string(),
        check_only: None,
    };
    assert_eq!(memory.import_file(&request).expect("imported").added, 3_000);
    let wordings: Vec<_> = known
        .iter()
        .map(|text| Wording::new(module, text))
        .collect();
    let mut found = 0;
    for number in (0..6_000).step_by(37) {
        let text = text(number);
        for asked in [
            text.clone(),
            text.replace("the ", "").replace(' ', "_"),
            text.replacen("tion", "tin", 1),
            format!("{text} now"),
            text.replace("time out", "timeout"),
            text.replacen("the ", "not the ", 1),
        ] {
            let sought = Wording::new(module, &asked);
            let expected = wordings
                .iter()
                .any(|known| compare(&sought, known).is_some());
            let query = DecisionQuery {
                module: module.to_owned(),
                hypothesis: asked.clone(),
                description: None,
                days: None,
            };
            let answer = memory.was_rejected(&query).expect("an answer");
            assert!(answer.found || !expected, "{asked}");
            // What says the same in other words is found as well.
            assert!(
                expected
                    || !answer.found
                    || known
                        .iter()
                        .any(|known| similarity(module, &asked, known).is_some()),
                "{asked}"
            );
            found += usize::from(expected);
        }
    }
    assert!(found > 300, "{found} matches say little");
}
