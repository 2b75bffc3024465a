//! Export and import as JSON Lines: nothing is lost, nothing is taken in twice, and what is damaged is refused.

use crate::support::{World, ending, failure, proposal, run, success};
use proptest::prelude::*;
use twiceshy_wit::{
    host::{Order, Query, Store},
    memory::*,
};

/// All lines of a kind.
fn lines(world: &World, kind: LineKind) -> String {
    let engine = world.engine();
    let (mut text, mut after) = (String::new(), None);
    loop {
        let piece = engine
            .export_lines(kind, &ExportRequest { after })
            .expect("a piece");
        text.push_str(&piece.text);
        after = piece.next;
        if after.is_none() {
            return text;
        }
    }
}

fn import(world: &World, kind: LineKind, text: &str) -> Result<Imported, Error> {
    let request = ImportRequest {
        text: text.to_owned(),
        check_only: None,
    };
    world.engine().import_lines(kind, &request)
}

/// All documents of some kinds.
fn documents(world: &World, kinds: &[&str]) -> Vec<(String, String)> {
    let mut documents = Vec::new();
    for kind in kinds {
        let query = Query {
            kind: (*kind).to_owned(),
            conditions: Vec::new(),
            order: Order::ById,
            offset: 0,
            limit: 10_000,
        };
        let found = world.store.find(&query).expect("documents");
        let one = |found: twiceshy_wit::host::Found| {
            let document = found.document;
            (format!("{kind}/{}", document.key.id), document.body)
        };
        documents.extend(found.into_iter().map(one));
    }
    documents
}

/// A memory with runs, failures, lessons and links.
fn lived() -> World {
    let world = World::new();
    let engine = world.engine();
    for (number, file) in ["a.txt", "b.txt", "c.txt"].into_iter().enumerate() {
        let started = engine.start(&run("read a file")).expect("a run");
        let steps = [
            failure(
                &format!("cat {file}"),
                &format!("cat: {file}: No such file or directory"),
            ),
            success(&format!("ls && cat ./{file}")),
        ];
        for step in &steps {
            world.pass(1_000 + number as u64);
            engine.observe(&started.id, step).expect("a step");
        }
        engine.finish(&started.id, &ending()).expect("an episode");
        world.pass(60_000);
    }
    let one = engine
        .propose(&proposal("WRONG: x → CORRECT: y", "x: no such verb"))
        .expect("a lesson");
    let two = engine
        .propose(&proposal("WRONG: x → CORRECT: z", "x: no such noun"))
        .expect("a lesson");
    let link = Link {
        source: one.id,
        relation: Relation::Elaborates,
        target: two.id,
        reason: "says more".to_owned(),
        at: 0,
    };
    engine.relate(&link).expect("a link");
    world
}

#[test]
fn events_go_out_one_a_line_and_come_back_as_they_were() {
    let old = lived();
    let text = lines(&old, LineKind::Events);
    assert_eq!(text.lines().count(), 3);
    let first: serde_json::Value =
        serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["action_text"], "cat a.txt");
    assert_eq!(first["at"], "2024-01-01T00:00:01Z");
    assert_eq!(
        first["tags"],
        serde_json::json!(["not_found", "path_quote"])
    );
    for member in [
        "fingerprint",
        "tags",
        "progress_delta",
        "efficiency_delta",
        "hard_failure",
        "constraint_failure",
    ] {
        assert!(first.get(member).is_some(), "{member}");
    }
    let new = World::new();
    let imported = import(&new, LineKind::Events, &text).expect("taken in");
    assert_eq!(
        (imported.records, imported.added, imported.known),
        (3, 3, 0)
    );
    assert_eq!(lines(&new, LineKind::Events), text);
    assert_eq!(documents(&new, &["event"]), documents(&old, &["event"]));
    assert_eq!(
        new.engine().verify(),
        Ok(Vec::new()),
        "failures are counted"
    );
    let again = import(&new, LineKind::Events, &text).expect("taken in");
    assert_eq!((again.added, again.known), (0, 3));
    assert_eq!(new.engine().status().expect("status").events, 3);
}

#[test]
fn lessons_go_out_with_evidence_and_links_and_come_back_as_they_were() {
    let old = lived();
    let text = lines(&old, LineKind::Lessons);
    let new = World::new();
    new.pass(1_000_000);
    let imported = import(&new, LineKind::Lessons, &text).expect("taken in");
    assert_eq!(imported.added as usize, text.lines().count());
    let kinds = ["lesson", "evidence", "link"];
    assert_eq!(documents(&new, &kinds), documents(&old, &kinds));
    assert_eq!(lines(&new, LineKind::Lessons), text);
    let again = import(&new, LineKind::Lessons, &text).expect("taken in");
    assert_eq!((again.added, again.known), (0, imported.added));
    assert_eq!(documents(&new, &kinds), documents(&old, &kinds));
}

#[test]
fn lessons_of_other_systems_come_as_candidates_and_not_twice() {
    let world = World::new();
    let text = "\u{feff}{\"lesson\": \"WRONG: a → CORRECT: b\", \"status\": \"promoted\", \"eval_score\": 0.9}\n\n\
        {\"rule_text\": \"Use tabs\", \"trigger_fingerprints\": [\"ef_0123\"], \"tags\": [\"syntax_structure\", \"No Tag\"],\
        \"domain\": \"cli\", \"scope_hint\": \"domain\"}\n{\"rule_text\": \"Use tabs\", \"domain\": \"cli\", \"scope_hint\": \"domain\"}\n";
    let imported = import(&world, LineKind::Lessons, text).expect("taken in");
    assert_eq!(
        (imported.records, imported.added, imported.known),
        (3, 2, 1)
    );
    let found = Lessons::find(&world.engine(), &LessonFilter::default()).expect("lessons");
    assert_eq!(found.len(), 2);
    assert!(
        found
            .iter()
            .all(|lesson| lesson.status == LessonStatus::Candidate)
    );
    let before = documents(&world, &["lesson", "evidence"]);
    world.pass(5_000);
    let again = import(&world, LineKind::Lessons, text).expect("taken in");
    assert_eq!((again.added, again.known), (0, 3));
    assert_eq!(documents(&world, &["lesson", "evidence"]), before);
}

#[test]
fn a_damaged_line_is_refused_with_its_number_and_nothing_is_changed() {
    let old = lived();
    let events = lines(&old, LineKind::Events);
    let lessons = lines(&old, LineKind::Lessons);
    let second = |text: &str, damage: &dyn Fn(&str) -> String| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines[1] = damage(&lines[1]);
        lines.join("\n")
    };
    let cut = |line: &str| line[..line.len() / 2].to_owned();
    let replaced = |from: &'static str, to: &'static str| {
        move |line: &str| {
            assert!(line.contains(from), "{from} in {line}");
            line.replace(from, to)
        }
    };
    for (kind, text, part) in [
        (LineKind::Events, second(&events, &cut), "not JSON"),
        (
            LineKind::Events,
            second(&events, &|_| "[]".to_owned()),
            "must be a JSON object",
        ),
        (
            LineKind::Events,
            second(&events, &replaced("\"step\":0", "\"step\":null")),
            "null",
        ),
        (
            LineKind::Events,
            second(&events, &replaced("\"step\":0", "\"step\":\"5\"")),
            "invalid type",
        ),
        (
            LineKind::Events,
            second(&events, &replaced("\"step\":0", "\"step\":-1")),
            "-1",
        ),
        (
            LineKind::Events,
            second(&events, &replaced("2024-01-01T", "soon")),
            "must be a time",
        ),
        (
            LineKind::Events,
            second(&events, &replaced("\"fp_", "\"ef_")),
            "ef_",
        ),
        (
            LineKind::Lessons,
            second(
                &lessons,
                &replaced("\"reliability\":", "\"reliability\":\"high\",\"x\":"),
            ),
            "line 2",
        ),
        (
            LineKind::Lessons,
            second(&lessons, &|_| "{\"rule_text\": 5}".to_owned()),
            "rule_text",
        ),
        (
            LineKind::Lessons,
            second(&lessons, &|_| "{\"rule_text\": \"\"}".to_owned()),
            "`rule-text` is empty",
        ),
    ] {
        let new = World::new();
        match import(&new, kind, &text) {
            Err(Error::InvalidArgument(message)) => {
                assert!(
                    message.starts_with("line 2: ") && message.contains(part),
                    "{message}"
                );
                assert!(message.contains("nothing was imported"), "{message}");
            }
            other => panic!("{part}: {other:?}"),
        }
        let status = new.engine().status().expect("status");
        assert_eq!((status.events, status.lessons), (0, 0));
    }
}

#[test]
fn a_check_changes_nothing() {
    let old = lived();
    let new = World::new();
    let request = ImportRequest {
        text: lines(&old, LineKind::Lessons),
        check_only: Some(true),
    };
    let checked = new
        .engine()
        .import_lines(LineKind::Lessons, &request)
        .expect("checked");
    assert!(checked.added > 0);
    assert_eq!(new.engine().status().expect("status").lessons, 0);
}

#[test]
fn a_secret_in_a_line_is_masked_before_it_is_kept() {
    let old = lived();
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let text = lines(&old, LineKind::Events).replace("cat a.txt", &format!("cat {token}"));
    let new = World::new();
    import(&new, LineKind::Events, &text).expect("taken in");
    let kept = documents(&new, &["event", "step", "fingerprint"]);
    assert!(!format!("{kept:?}").contains(&token));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_content_goes_out_and_comes_back_as_it_was(
        texts in proptest::collection::vec(("\\PC{1,60}", "[\\x00-\\x7fжé文\u{202e}]{0,80}"), 1..5),
        signals in proptest::collection::vec((-1.0..=1.0_f64, 0.0..=1.0_f64), 5),
    ) {
        let old = World::new();
        let engine = old.engine();
        for ((action, evidence), (progress, efficiency)) in texts.iter().zip(&signals) {
            let mut step = failure(action, evidence);
            step.feedback.progress_signal = Some(*progress);
            step.feedback.efficiency_signal = Some(*efficiency);
            let steps = [step, success(&format!("{action} again"))];
            old.pass(977);
            engine.submit(&run(action), &steps, &ending()).expect("an episode");
            let mut candidate = proposal(&format!("WRONG: {action} → CORRECT: x {action}"), evidence);
            candidate.tags = vec!["no_progress".to_owned()];
            engine.propose(&candidate).expect("a lesson");
        }
        let new = World::new();
        for kind in [LineKind::Lessons, LineKind::Events] {
            let text = lines(&old, kind);
            import(&new, kind, &text).expect("taken in");
            prop_assert_eq!(lines(&new, kind), text);
        }
        let kinds = ["event", "step", "lesson", "evidence", "link"];
        prop_assert_eq!(documents(&new, &["event", "lesson", "evidence", "link"]).len(),
            documents(&old, &["event", "lesson", "evidence", "link"]).len());
        let kept = documents(&new, &kinds);
        let all = documents(&old, &kinds);
        prop_assert!(kept.iter().all(|document| all.contains(document)));
    }
}
