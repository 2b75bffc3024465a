//! Lessons and recall: what is put in comes back when it can help, and only then.

use crate::support::{World, ending, failure, proposal, run};
use twiceshy_wit::memory::{
    Error, FailureContext, Lesson, LessonCandidate, LessonFilter, LessonStatus, Lessons, Recall,
    Runs, Scope, Source,
};

const MISSING: &str = "cat: notes.txt: No such file or directory";

fn context(evidence: &str) -> FailureContext {
    FailureContext {
        evidence: evidence.to_owned(),
        fingerprint: None,
        action_text: None,
        domain: "cli".to_owned(),
        task: String::new(),
        limit: None,
        tokens: None,
    }
}

fn recalled(world: &World, evidence: &str) -> Vec<String> {
    let hints = world.engine().on_error(&context(evidence)).unwrap();
    hints
        .into_iter()
        .map(|hint| hint.lesson.rule_text)
        .collect()
}

#[test]
fn a_lesson_for_a_fingerprint_comes_back_at_the_next_failure() {
    let world = World::new();
    let engine = world.engine();
    let lesson = engine
        .propose(&proposal("Look with ls first.", MISSING))
        .unwrap();
    assert_eq!(
        (lesson.status, lesson.origins[0].source),
        (LessonStatus::Candidate, Source::Agent)
    );
    let step = [failure(
        "cat other.md",
        "cat: other.md: No such file or directory",
    )];
    let reaction = engine
        .submit(&run(""), &step, &ending())
        .unwrap()
        .reactions
        .remove(0);
    assert_eq!(reaction.hints.len(), 1);
    let hint = &reaction.hints[0];
    assert_eq!(hint.lesson.id, lesson.id);
    assert_eq!(hint.parts.fingerprint_match, 1.0);
}

#[test]
fn the_score_is_the_sum_of_its_weighted_parts() {
    let world = World::new();
    let engine = world.engine();
    engine
        .propose(&proposal("Look with ls first.", MISSING))
        .unwrap();
    world.pass(90 * 24 * 60 * 60 * 1_000);
    let hint = engine.on_error(&context(MISSING)).unwrap().remove(0);
    let parts = hint.parts;
    let sum = 0.40 * parts.fingerprint_match
        + 0.25 * parts.tag_overlap
        + 0.20 * parts.text_similarity
        + 0.10 * parts.reliability
        + 0.05 * parts.recency;
    assert!((hint.score - sum).abs() < 1e-12);
    assert!(
        (parts.recency - (-1.0_f64).exp()).abs() < 1e-9,
        "90 days make 1/e: {}",
        parts.recency
    );
    assert_eq!(
        (parts.tag_overlap, parts.text_similarity, parts.reliability),
        (1.0, 1.0, 0.5)
    );
}

#[test]
fn the_very_fingerprint_comes_before_any_likeness() {
    let world = World::new();
    let engine = world.engine();
    let exact = "error: unknown column";
    engine
        .propose(&proposal(
            "the likely one: unknown table in schema",
            "error: unknown table in schema",
        ))
        .unwrap();
    engine.propose(&proposal("the exact one", exact)).unwrap();
    assert_eq!(recalled(&world, exact)[0], "the exact one");
}

#[test]
fn an_unrelated_lesson_is_not_shown() {
    let world = World::new();
    world
        .engine()
        .propose(&proposal("Look with ls first.", MISSING))
        .unwrap();
    assert_eq!(
        recalled(&world, "Segmentation fault (core dumped)"),
        Vec::<String>::new()
    );
    assert_eq!(
        recalled(&world, "fatal: bad revision 'x'"),
        Vec::<String>::new()
    );
}

#[test]
fn a_failure_in_other_words_finds_its_lesson_by_likeness() {
    let world = World::new();
    let lesson = proposal(
        "Create the table first.",
        "Error: in prepare, no such table: users",
    );
    world.engine().propose(&lesson).unwrap();
    assert_eq!(
        recalled(&world, "sqlite error: no such table users in prepare"),
        ["Create the table first."]
    );
}

#[test]
fn an_embedder_finds_what_shares_no_word_and_is_not_needed() {
    let world = World::new();
    world.embeds.set(true);
    let mut lesson = proposal("dormitory", "");
    lesson.trigger_texts.clear();
    world.engine().propose(&lesson).unwrap();
    assert_eq!(recalled(&world, "dirty room"), ["dormitory"]);
    world.embeds.set(false);
    assert_eq!(recalled(&world, "dirty room"), Vec::<String>::new());
}

#[test]
fn another_embedder_than_before_does_not_stop_learning() {
    let world = World::new();
    world.embeds.set(true);
    world
        .engine()
        .propose(&proposal("the first", MISSING))
        .unwrap();
    world.dimensions.set(7);
    world
        .engine()
        .propose(&proposal("the second", MISSING))
        .unwrap();
    assert_eq!(recalled(&world, MISSING).len(), 2);
    assert!(
        world
            .log
            .borrow()
            .iter()
            .any(|line| line.contains("without vectors"))
    );
}

#[test]
fn only_candidates_and_promoted_lessons_are_shown() {
    use LessonStatus::{Archived, Deprecated, Promoted, Suppressed, UnderReview};
    for (path, shown) in [
        (vec![], true),
        (vec![Promoted], true),
        (vec![UnderReview], false),
        (vec![Suppressed], false),
        (vec![Deprecated], false),
        (vec![Archived], false),
        (vec![Suppressed, Promoted], true),
    ] {
        let world = World::new();
        let engine = world.engine();
        let lesson = engine.propose(&proposal("Look first.", MISSING)).unwrap();
        for status in &path {
            engine
                .set_status(&lesson.id, *status, "for the test")
                .unwrap();
        }
        assert_eq!(!recalled(&world, MISSING).is_empty(), shown, "{path:?}");
    }
}

#[test]
fn a_lessons_life_has_no_way_back_from_the_archive_and_none_to_candidate() {
    let world = World::new();
    let engine = world.engine();
    let lesson = engine.propose(&proposal("Look first.", MISSING)).unwrap();
    let change = |status| engine.set_status(&lesson.id, status, "test");
    assert_eq!(
        change(LessonStatus::Promoted).unwrap().status_reason,
        "test"
    );
    assert!(matches!(
        change(LessonStatus::Candidate),
        Err(Error::Conflict(_))
    ));
    change(LessonStatus::Archived).unwrap();
    assert!(matches!(
        change(LessonStatus::Promoted),
        Err(Error::Conflict(_))
    ));
    assert!(matches!(
        engine.set_status(&lesson.id, LessonStatus::Promoted, " "),
        Err(Error::InvalidArgument(_))
    ));
    assert!(matches!(
        engine.set_status("les_x", LessonStatus::Promoted, "x"),
        Err(Error::NotFound(_))
    ));
}

#[test]
fn the_same_lesson_is_kept_once_and_its_status_stays() {
    let world = World::new();
    let engine = world.engine();
    let first = engine
        .propose(&proposal("Look with `ls` first!", MISSING))
        .unwrap();
    engine
        .set_status(&first.id, LessonStatus::Suppressed, "harmful")
        .unwrap();
    world.pass(5);
    let mut again = proposal("look with ls first", MISSING);
    again.run = Some("run_2".to_owned());
    let second = engine.propose(&again).unwrap();
    assert_eq!(
        (&second.id, second.status),
        (&first.id, LessonStatus::Suppressed)
    );
    assert_eq!(
        (second.created_at + 5, second.origins[1].run.as_str()),
        (second.updated_at, "run_2")
    );
    let every = LessonFilter {
        status: None,
        fingerprint: None,
        domain: None,
        limit: None,
    };
    assert_eq!(Lessons::find(&engine, &every).unwrap().len(), 1);
}

#[test]
fn a_lesson_reaches_as_far_as_its_scope() {
    let world = World::new();
    let engine = world.engine();
    for (rule, scope, domain, task) in [
        ("everywhere", Scope::Global, None, None),
        ("here", Scope::Domain, Some("cli"), None),
        ("elsewhere", Scope::Domain, Some("robots"), None),
        ("this task", Scope::Task, Some("cli"), Some("deploy")),
    ] {
        let lesson = LessonCandidate {
            scope_hint: Some(scope),
            domain: domain.map(str::to_owned),
            task: task.map(str::to_owned),
            ..proposal(rule, MISSING)
        };
        engine.propose(&lesson).unwrap();
    }
    let mut found = recalled(&world, MISSING);
    found.sort();
    assert_eq!(found, ["everywhere", "here"]);
    let deploying = FailureContext {
        task: "deploy".to_owned(),
        limit: Some(10),
        ..context(MISSING)
    };
    let rules: Vec<_> = engine
        .on_error(&deploying)
        .unwrap()
        .into_iter()
        .map(|hint| hint.lesson.rule_text)
        .collect();
    assert!(rules.contains(&"this task".to_owned()), "{rules:?}");
}

#[test]
fn a_malformed_proposal_is_refused_by_name() {
    let world = World::new();
    let engine = world.engine();
    let with = |change: fn(&mut LessonCandidate)| {
        let mut proposal = proposal("x", MISSING);
        change(&mut proposal);
        engine.propose(&proposal).unwrap_err()
    };
    for (refusal, named) in [
        (
            with(|lesson| lesson.rule_text = " ".to_owned()),
            "rule-text",
        ),
        (with(|lesson| lesson.rule_text = "x".repeat(1_001)), "1001"),
        (
            with(|lesson| lesson.trigger_fingerprints = vec!["boom".to_owned()]),
            "boom",
        ),
        (
            with(|lesson| lesson.tags = vec!["Not a tag".to_owned()]),
            "tags",
        ),
        (
            with(|lesson| lesson.trigger_texts = vec![String::new(); 33]),
            "trigger-texts",
        ),
        (with(|lesson| lesson.scope_hint = Some(Scope::Task)), "task"),
        (
            with(|lesson| lesson.scope_hint = Some(Scope::Domain)),
            "domain",
        ),
        (
            with(|lesson| lesson.domain = Some("Ä".to_owned())),
            "domain",
        ),
    ] {
        let Error::InvalidArgument(message) = &refusal else {
            panic!("{refusal:?}")
        };
        assert!(message.contains(named), "{message}");
    }
}

#[test]
fn a_secret_in_a_lesson_is_masked() {
    let world = World::new();
    let secret = format!("{}{}", "gh", "p_0123456789abcdefghijABCDEFGHIJ012345");
    let lesson = world
        .engine()
        .propose(&proposal(&format!("export TOKEN={secret}"), MISSING))
        .unwrap();
    assert!(!lesson.rule_text.contains(&secret), "{}", lesson.rule_text);
}

/// An episode in which one failure came twice, and its fingerprint.
fn episode_with_a_recurring_failure(world: &World) -> (String, String) {
    let steps = [
        failure("sort -q", "sort: bad key"),
        failure("sort -q", "sort: bad key"),
    ];
    let submitted = world
        .engine()
        .submit(&run("sort it"), &steps, &ending())
        .unwrap();
    let fingerprint = submitted.episode.fingerprints[0].clone();
    (submitted.episode.id, fingerprint)
}

fn distilled(world: &World, episode: &str, answer: &str) -> Result<Vec<Lesson>, Error> {
    world.answers.borrow_mut().push_back(Ok(answer.to_owned()));
    world.engine().distil(episode)
}

#[test]
fn a_model_may_propose_lessons_for_failures_that_happened() {
    let world = World::new();
    let (episode, fingerprint) = episode_with_a_recurring_failure(&world);
    let answer = format!(
        r#"[{{"trigger_fingerprints":["{fingerprint}","fp_0000000000000000"],"rule_text":"WRONG: -q → CORRECT: -k","scope_hint":"domain"}},
            {{"trigger_fingerprints":["fp_0000000000000000"],"rule_text":"made up","scope_hint":"global"}}]"#
    );
    let lessons = distilled(&world, &episode, &answer).unwrap();
    assert_eq!(
        lessons.len(),
        1,
        "the one about a failure that did not happen is dropped"
    );
    assert_eq!(lessons[0].trigger_fingerprints, [fingerprint]);
    assert_eq!(
        (lessons[0].origins[0].source, lessons[0].status),
        (Source::Model, LessonStatus::Candidate)
    );
    assert!(world.prompts.borrow()[0].contains("sort: bad key"));
}

#[test]
fn nothing_a_model_says_is_trusted() {
    let world = World::new();
    let (episode, fingerprint) = episode_with_a_recurring_failure(&world);
    let too_long = format!(
        r#"[{{"trigger_fingerprints":["{fingerprint}"],"rule_text":"{}","scope_hint":"domain"}}]"#,
        "x".repeat(2_000)
    );
    assert_eq!(distilled(&world, &episode, &too_long).unwrap(), []);
    for garbage in [
        "",
        "sure, here you are: []",
        r#"{"rule_text": 1}"#,
        r#"[{"rule_text":"x","extra":1}]"#,
    ] {
        assert!(
            matches!(distilled(&world, &episode, garbage), Err(Error::Other(_))),
            "{garbage}"
        );
    }
    assert!(
        matches!(world.engine().distil(&episode), Err(Error::Unavailable(_))),
        "no model"
    );
    assert!(matches!(
        world.engine().distil("nobody"),
        Err(Error::NotFound(_))
    ));
}

#[test]
fn an_episode_without_recurring_failures_asks_no_model() {
    let world = World::new();
    let submitted = world
        .engine()
        .submit(&run(""), &[failure("x", "error: once")], &ending())
        .unwrap();
    assert_eq!(world.engine().distil(&submitted.episode.id).unwrap(), []);
    assert!(world.prompts.borrow().is_empty());
}
