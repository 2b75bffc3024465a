//! What recall shows, and what it holds back.

use crate::support::{World, ending, failure, run, success};
use twiceshy_wit::memory::{
    Applicability, BriefingRequest, ContextRequest, Events, Exchange, FailureContext, FeatureTest,
    Hint, ImportRequest, Lesson, LessonCandidate, LessonFilter, LessonKind, LessonStatus, Lessons,
    LineKind, Links, NewPattern, Patterns, Recall, Relation, Requirement, Runs, Scope, Source,
    TaskContext,
};

const REFUSED: &str = "gridtool: unknown option --rows";

fn proposal(rule: &str, trigger: &str, origin: &str) -> LessonCandidate {
    LessonCandidate {
        domain: Some("cli".to_owned()),
        run: Some(origin.to_owned()),
        ..crate::support::proposal(rule, trigger)
    }
}

fn hints(world: &World, action: Option<&str>) -> Vec<Hint> {
    let failure = FailureContext {
        evidence: REFUSED.to_owned(),
        fingerprint: None,
        action_text: action.map(str::to_owned),
        domain: "cli".to_owned(),
        task: String::new(),
        limit: None,
        tokens: None,
    };
    world.engine().on_error(&failure).unwrap()
}

fn shown(world: &World, action: Option<&str>) -> Vec<Lesson> {
    let hints = hints(world, action).into_iter();
    hints.map(|hint| hint.lesson).collect()
}

#[test]
fn a_hint_has_the_names_at_hand_but_no_secret_of_the_action() {
    let world = World::new();
    let rule = "WRONG: gridtool count <path> --rows → CORRECT: gridtool count <path> all";
    let engine = world.engine();
    engine.propose(&proposal(rule, REFUSED, "a")).unwrap();
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let action = format!("gridtool count sales.csv --rows --token {secret}");
    let told = hints(&world, Some(&action));
    assert_eq!(told.len(), 1);
    let text = &told[0].text;
    assert!(
        text.contains("CORRECT: gridtool count sales.csv all"),
        "{text}"
    );
    assert!(!text.contains(secret), "{text}");
}

#[test]
fn lessons_that_contradict_each_other_are_linked_and_only_the_better_one_is_shown() {
    let world = World::new();
    let engine = world.engine();
    let form =
        |way: &str| format!("WRONG: gridtool count --rows 5 → CORRECT: gridtool count {way}");
    let older = engine
        .propose(&proposal(&form("rows=5"), REFUSED, "a"))
        .unwrap();
    world.pass(1_000);
    let newer = engine
        .propose(&proposal(&form("five-rows"), REFUSED, "b"))
        .unwrap();
    let links = engine.of_memory(&older.id).unwrap();
    assert_eq!((links.len(), links[0].relation), (1, Relation::Contradicts));
    assert_eq!(engine.report_contradictions(), 1);
    // Both are as reliable: the newer one is shown.
    assert_eq!(shown(&world, None), std::slice::from_ref(&newer));
    // It is followed and fails, so the other one is the more reliable.
    let open = engine.start(&run("count")).unwrap();
    engine
        .observe(&open.id, &failure("gridtool count --rows 5", REFUSED))
        .unwrap();
    engine
        .observe(&open.id, &failure("gridtool count five-rows", REFUSED))
        .unwrap();
    engine.observe(&open.id, &success("ls")).unwrap();
    engine.finish(&open.id, &ending()).unwrap();
    let now: Vec<_> = shown(&world, None)
        .into_iter()
        .map(|lesson| lesson.id)
        .collect();
    assert!(
        now.contains(&older.id) && !now.contains(&newer.id),
        "{now:?}"
    );
}

trait Contradictions {
    fn report_contradictions(&self) -> usize;
}

impl<M: twiceshy_wit::memory::Upkeep> Contradictions for M {
    fn report_contradictions(&self) -> usize {
        self.report().unwrap().contradictions.len()
    }
}

#[test]
fn two_lessons_that_agree_are_no_contradiction() {
    let world = World::new();
    let engine = world.engine();
    let one = engine
        .propose(&proposal("do not use --rows with count", REFUSED, "a"))
        .unwrap();
    engine
        .propose(&proposal("never use --rows when you count", REFUSED, "b"))
        .unwrap();
    assert!(engine.of_memory(&one.id).unwrap().is_empty());
}

#[test]
fn no_prior_run_fills_the_whole_answer() {
    let world = World::new();
    let engine = world.engine();
    for number in 0..10 {
        let rule = format!(
            "count the rows of the sheet, part {}",
            "x".repeat(number + 1)
        );
        let trigger = format!("gridtool: {} is odd", "y".repeat(number + 1));
        engine
            .propose(&proposal(&rule, &trigger, "the-same-run"))
            .unwrap();
    }
    let task = TaskContext {
        task: "count the rows of the sheet".to_owned(),
        domain: "cli".to_owned(),
        recent_fingerprints: Vec::new(),
        limit: Some(4),
        tokens: None,
    };
    assert_eq!(engine.for_task(&task).unwrap().len(), 3);
    let other = proposal(
        "count the rows of the sheet twice",
        "gridtool: permission denied",
        "another-run",
    );
    engine.propose(&other).unwrap();
    assert_eq!(engine.for_task(&task).unwrap().len(), 4);
}

#[test]
fn of_lessons_for_the_same_failure_the_one_for_such_an_action_is_shown() {
    let world = World::new();
    let engine = world.engine();
    let sort = "WRONG: gridtool sort <path> --rows <num> → CORRECT: gridtool ORDER <path> <num>";
    let group =
        "WRONG: fluxtool drain the pump of region totals → CORRECT: fluxtool EMPTY region pump";
    let sort = engine.propose(&proposal(sort, REFUSED, "a")).unwrap();
    engine.propose(&proposal(group, REFUSED, "b")).unwrap();
    assert_eq!(shown(&world, None).len(), 2);
    let told = shown(&world, Some("gridtool sort sales.csv --rows 7"));
    assert_eq!(told, [sort]);
}

/// The part of a lesson's score that is the likeness of texts, for an error that it does not answer by fingerprint.
fn text_similarity(world: &World, evidence: &str) -> Option<f64> {
    let failure = FailureContext {
        evidence: evidence.to_owned(),
        fingerprint: None,
        action_text: None,
        domain: "cli".to_owned(),
        task: String::new(),
        limit: None,
        tokens: None,
    };
    let hint = world
        .engine()
        .on_error(&failure)
        .unwrap()
        .into_iter()
        .next()?;
    assert_eq!(hint.parts.fingerprint_match, 0.0);
    let rest =
        0.25 * hint.parts.tag_overlap + 0.10 * hint.parts.reliability + 0.05 * hint.parts.recency;
    let share = hint.score - rest;
    assert!((share - 0.20 * hint.parts.text_similarity).abs() < 1e-12);
    Some(hint.parts.text_similarity)
}

#[test]
fn texts_are_compared_by_well_cut_words_or_by_meaning_where_that_is_nearer() {
    let world = World::new();
    let known = "the import job cannot parse the invoices table";
    let lesson = proposal("convert the table first", known, "a");
    world.engine().propose(&lesson).unwrap();
    // Compound words are split, endings and order do not count, and what is missing does.
    let same = text_similarity(&world, "import-job: invoice tables cannot parse");
    assert_eq!(same, Some(1.0));
    let part = text_similarity(&world, "import job cannot parse the calendar").unwrap();
    assert!((0.3..0.9).contains(&part), "{part}");
    assert_eq!(
        text_similarity(&world, "segmentation fault, core dumped"),
        None
    );
    // An embedder may bring texts nearer to each other, and never further apart.
    world.embeds.set(true);
    let other = proposal("dirty room", known, "b");
    let other = world.engine().propose(&other).unwrap();
    let meant = text_similarity(&world, "dormitory").unwrap();
    assert!(meant > 0.99, "{meant} for {}", other.id);
    world.embeds.set(false);
    assert_eq!(text_similarity(&world, "dormitory"), None);
}

#[test]
fn what_is_suppressed_under_review_deprecated_or_archived_is_never_shown() {
    let world = World::new();
    let engine = world.engine();
    let lesson = engine
        .propose(&proposal("say rows=5", REFUSED, "a"))
        .unwrap();
    assert_eq!(shown(&world, None).len(), 1);
    let moves = [
        LessonStatus::UnderReview,
        LessonStatus::Suppressed,
        LessonStatus::UnderReview,
        LessonStatus::Deprecated,
        LessonStatus::Archived,
    ];
    for status in moves {
        engine.set_status(&lesson.id, status, "a test").unwrap();
        assert!(shown(&world, None).is_empty(), "{}", status.as_str());
    }
}

#[test]
fn what_is_claimed_says_so_and_never_overrides_what_was_seen_here() {
    let world = World::new();
    let engine = world.engine();
    let line =
        |way: &str| format!("WRONG: gridtool count --rows 5 → CORRECT: gridtool count {way}");
    let seen = LessonCandidate {
        source: Some(Source::Trace),
        ..proposal(&line("rows=5"), REFUSED, "a")
    };
    let seen = engine.propose(&seen).unwrap();
    world.pass(1_000);
    // Newer, as reliable as every lesson at its beginning, and against what was seen.
    let claim = serde_json::json!({
        "rule_text": line("five-rows"), "domain": "cli", "scope": "domain", "task": "shared in les_1.md",
        "trigger_fingerprints": seen.trigger_fingerprints,
        "cases": [{ "wrong": "gridtool count --rows 5", "evidence": REFUSED, "correct": "gridtool count five-rows" }],
    });
    let request = ImportRequest {
        text: claim.to_string(),
        check_only: None,
    };
    let done = engine.import_lines(LineKind::Lessons, &request).unwrap();
    assert_eq!(done.added, 1);
    let action = Some("gridtool count --rows 5");
    assert_eq!(shown(&world, action), std::slice::from_ref(&seen));
    // By itself it is shown, and said to be a claim.
    engine
        .set_status(&seen.id, LessonStatus::Suppressed, "a test")
        .unwrap();
    let open = engine.start(&run("count")).unwrap();
    let failed = failure("gridtool count --rows 5", REFUSED);
    let reaction = engine.observe(&open.id, &failed).unwrap();
    assert!(
        reaction.text.contains("claimed and not proven here")
            && reaction.text.contains("five-rows"),
        "{}",
        reaction.text
    );
    // It has a case, so that it is silent about another action.
    assert_eq!(shown(&world, Some("sheets list --all")), []);
}

#[test]
fn a_note_from_elsewhere_is_said_of_a_failure_only_if_it_has_a_word_of_what_failed() {
    let world = World::new();
    let note = |rule: &str| {
        serde_json::json!({ "rule_text": rule, "domain": "cli", "scope": "global", "kind": "rule" })
            .to_string()
    };
    let notes = [
        note("Unknown options of rows: ask the team"),
        note("gridtool takes rows=5 as its option"),
    ];
    let request = ImportRequest {
        text: notes.join("\n"),
        check_only: None,
    };
    let done = world.engine().import_lines(LineKind::Lessons, &request);
    assert_eq!(done.unwrap().added, 2);
    let rules = |action: Option<&str>| -> Vec<_> {
        let shown = shown(&world, action).into_iter();
        shown.map(|lesson| lesson.rule_text).collect()
    };
    assert_eq!(rules(None).len(), 2, "nobody knows what failed");
    let named = rules(Some("gridtool count --lines"));
    assert_eq!(named, ["gridtool takes rows=5 as its option"]);
    assert_eq!(rules(Some("sheets count a")), [""; 0]);
}

#[test]
fn a_lesson_fits_where_the_same_word_is_blamed_and_is_silent_where_another_is() {
    let world = World::new();
    let engine = world.engine();
    let unknown = |verb: &str| format!("gridtool: unknown verb '{verb}'");
    let open = engine.start(&run("keep some rows")).unwrap();
    let steps = [
        failure(
            "gridtool where a.csv size -gt 5 -o b.csv",
            &unknown("where"),
        ),
        success("gridtool KEEP :a.csv @size is-above 5 INTO :b.csv"),
    ];
    for step in &steps {
        engine.observe(&open.id, step).unwrap();
    }
    engine.finish(&open.id, &ending()).unwrap();
    let ask = |action: &str, evidence: &str| {
        let context = FailureContext {
            evidence: evidence.to_owned(),
            action_text: Some(action.to_owned()),
            domain: "cli".to_owned(),
            ..FailureContext::default()
        };
        engine.on_error(&context).unwrap()
    };
    let blamed = ask(
        "gridtool where c.csv region = west INTO d.csv",
        &unknown("where"),
    );
    assert_eq!(blamed.len(), 1, "{blamed:#?}");
    let other = ask(
        "gridtool lookup c.csv region = west INTO d.csv",
        &unknown("lookup"),
    );
    assert!(other.is_empty(), "{other:#?}");
}

#[test]
fn a_task_that_names_a_program_is_told_what_is_proven_of_it_and_nothing_else() {
    let world = World::new();
    let engine = world.engine();
    let session = |task: &str| {
        let open = engine.start(&run(task)).unwrap();
        let steps = [
            failure("gridtool count --rows 5", "gridtool: unknown option --rows"),
            success("gridtool count rows=5"),
        ];
        for step in &steps {
            engine.observe(&open.id, step).unwrap();
        }
        engine.finish(&open.id, &ending()).unwrap();
    };
    let told = |task: &str| {
        let context = TaskContext {
            task: task.to_owned(),
            domain: "cli".to_owned(),
            ..TaskContext::default()
        };
        engine.for_task(&context).unwrap().len()
    };
    let other = "With gridtool: join the western shops with their managers by name and list them";
    session("count the sheet");
    assert_eq!(told(other), 0, "it is not proven yet");
    for number in 0..6 {
        world.pass(1_000);
        session(&format!("sheet {number}"));
    }
    assert_eq!(told(other), 1);
    assert_eq!(told(&other.replace("gridtool", "fluxtool")), 0);
}

const STUCK: &str = "gateway: the relay is stuck";
const RELEASE: &str = "release the gateway relay";

/// Lessons that fit better than the one that is sought by their words, and are not meant for it.
fn crowd(world: &World, scope: Scope, trigger: fn(u32) -> String) {
    let engine = world.engine();
    for number in 0..100 {
        let lesson = LessonCandidate {
            scope_hint: Some(scope),
            kind: Some(LessonKind::Rule),
            domain: Some(if scope == Scope::Task { "cli" } else { "web" }.to_owned()),
            task: Some(format!("chore {number}")),
            trigger_texts: vec![trigger(number)],
            ..proposal(&format!("{RELEASE} w{number}"), "", "crowd")
        };
        engine.propose(&lesson).unwrap();
        world.pass(1_000);
    }
}

/// The lesson that is sought, in words that fit less.
fn sought_lesson(trigger: &str) -> LessonCandidate {
    LessonCandidate {
        scope_hint: Some(Scope::Domain),
        kind: Some(LessonKind::Rule),
        ..proposal(
            "release the relay of a gateway by hand, holding both levers",
            trigger,
            "own",
        )
    }
}

/// The ways of asking for two lessons that do not show a lesson.
fn silent_ways(world: &World, lesson: &str) -> Vec<&'static str> {
    let engine = world.engine();
    let failure = FailureContext {
        evidence: STUCK.to_owned(),
        fingerprint: None,
        action_text: None,
        domain: "cli".to_owned(),
        task: String::new(),
        limit: Some(2),
        tokens: None,
    };
    let task = TaskContext {
        task: RELEASE.to_owned(),
        domain: "cli".to_owned(),
        limit: Some(2),
        ..TaskContext::default()
    };
    let request = ContextRequest {
        task: RELEASE.to_owned(),
        domain: "cli".to_owned(),
        limit: Some(2),
        ..ContextRequest::default()
    };
    let open = engine.start(&run(RELEASE)).unwrap();
    let brief = BriefingRequest {
        limit: Some(2),
        tokens: None,
    };
    let ids = |hints: Vec<Hint>| -> Vec<String> {
        hints.into_iter().map(|hint| hint.lesson.id).collect()
    };
    let bundle = engine.context(&request).unwrap();
    let items = bundle
        .applicable_patterns
        .iter()
        .chain(&bundle.domain_knowledge);
    let ways = [
        ("on-error", ids(engine.on_error(&failure).unwrap())),
        ("for-task", ids(engine.for_task(&task).unwrap())),
        ("context", items.map(|item| item.id.clone()).collect()),
        ("brief", ids(engine.brief(&open.id, &brief).unwrap().hints)),
    ];
    engine.finish(&open.id, &ending()).unwrap();
    let silent = ways
        .into_iter()
        .filter(|(_, ids)| ids.iter().all(|id| id != lesson));
    silent.map(|(way, _)| way).collect()
}

#[test]
fn a_lesson_is_shown_behind_a_hundred_that_are_meant_for_another_domain_or_task() {
    for scope in [Scope::Domain, Scope::Task] {
        let world = World::new();
        let other = "gateway: the relay was stuck again";
        let sought = world.engine().propose(&sought_lesson(other)).unwrap();
        crowd(&world, scope, |number| {
            format!("gateway: relay stuck w{number}")
        });
        let none: [&str; 0] = [];
        assert_eq!(silent_ways(&world, &sought.id), none, "{scope:?}");
    }
}

#[test]
fn a_lesson_for_the_very_failure_is_shown_behind_a_hundred_of_another_domain() {
    let world = World::new();
    let sought = world.engine().propose(&sought_lesson(STUCK)).unwrap();
    crowd(&world, Scope::Domain, |_| STUCK.to_owned());
    let none: [&str; 0] = [];
    assert_eq!(silent_ways(&world, &sought.id), none);
}

/// Tells the lesson for a failure that has a hundred of them, of which all but the oldest are about something else.
fn told_of_a_hundred(
    sought: [&str; 3],
    others: fn(u32) -> [String; 3],
    failed: [&str; 2],
) -> String {
    let world = World::new();
    let engine = world.engine();
    let learn = |number: u32, [wrong, error, correct]: [&str; 3]| {
        let open = engine.start(&run(&format!("chore {number}"))).unwrap();
        engine.observe(&open.id, &failure(wrong, error)).unwrap();
        engine.observe(&open.id, &success(correct)).unwrap();
        engine.finish(&open.id, &ending()).unwrap();
        world.pass(1_000);
    };
    learn(0, sought);
    for number in 1..100 {
        let [wrong, error, correct] = others(number);
        learn(number, [&wrong, &error, &correct]);
    }
    let ids = [sought[1], failed[1]].map(|error| engine.fingerprint_of(error).id);
    assert_eq!(ids[0], ids[1], "one fingerprint");
    let known = Lessons::find(
        &engine,
        &LessonFilter {
            fingerprint: Some(ids[0].clone()),
            limit: Some(1_000),
            ..LessonFilter::default()
        },
    );
    assert!(known.unwrap().len() >= 100, "a lesson each");
    let context = FailureContext {
        evidence: failed[1].to_owned(),
        fingerprint: None,
        action_text: Some(failed[0].to_owned()),
        domain: "cli".to_owned(),
        task: String::new(),
        limit: None,
        tokens: None,
    };
    let hints = engine.on_error(&context).unwrap();
    hints
        .first()
        .map(|hint| hint.text.clone())
        .unwrap_or_default()
}

#[test]
fn of_a_hundred_lessons_for_a_failure_the_oldest_is_shown_if_it_is_about_the_action() {
    let told = told_of_a_hundred(
        [
            "gridtool sum --rows 5",
            "gridtool: the option '--rows' is not known",
            "gridtool sum --lines 5",
        ],
        |number| {
            [
                format!("gridtool sum --w{number} 5"),
                format!("gridtool: the option '--w{number}' is not known"),
                format!("gridtool sum --v{number} 5"),
            ]
        },
        [
            "gridtool sum --rows 7",
            "gridtool: the option '--rows' is not known",
        ],
    );
    assert!(told.contains("CORRECT: gridtool sum --lines 7"), "{told}");
}

#[test]
fn of_a_hundred_lessons_for_a_failure_the_oldest_is_shown_if_it_is_about_what_the_error_names() {
    let told = told_of_a_hundred(
        [
            "build demo.c",
            "undefined reference to 'sine'",
            "build demo.c -lm",
        ],
        |number| {
            [
                "build demo.c".to_owned(),
                format!("undefined reference to 'w{number}'"),
                format!("build demo.c -lv{number}"),
            ]
        },
        ["build other.c", "undefined reference to 'sine'"],
    );
    assert!(told.contains("CORRECT: build other.c -lm"), "{told}");
}

#[test]
fn a_lesson_is_shown_behind_many_whose_conditions_do_not_hold() {
    let world = World::new();
    let engine = world.engine();
    for number in 0..40 {
        let condition = Requirement {
            feature: "domain".to_owned(),
            test: FeatureTest::Equals,
            value: "web".to_owned(),
        };
        let pattern = NewPattern {
            applicability: Some(Applicability {
                context_conditions: vec![condition],
                ..Applicability::default()
            }),
            ..crate::support::pattern(LessonKind::Rule, &format!("{RELEASE} w{number}"))
        };
        engine.add(&pattern).unwrap();
    }
    let sought = engine.propose(&sought_lesson("gateway: the relay was stuck again"));
    let none: [&str; 0] = [];
    assert_eq!(silent_ways(&world, &sought.unwrap().id), none);
}
