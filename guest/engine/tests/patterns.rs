//! Patterns: lessons with a category, applicability, content and statistics.

mod support;

use proptest::prelude::*;
use serde_json::json;
use support::{START, World, run};
use twiceshy_engine::Engine;
use twiceshy_wit::memory::{
    Account, ActivationFilter, Applicability, ApplicablePattern, Description, Ending, Error,
    Feature, FeatureTest, Guidance, HeuristicContent, LessonKind, LessonStatus, Lessons, Link,
    Links, Measure, NewPattern, Outcome, PatternContent, PatternUpdate, Patterns, ProcedureContent,
    Recall, Relation, Requirement, Runs, Scope, Source, StrategyContent, TaskContext, TaskFeatures,
    TemplateContent, Trust, Upkeep, ValidationAnswer, ValidationGate,
};

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

fn new(kind: LessonKind, summary: &str) -> NewPattern {
    NewPattern {
        id: None,
        name: format!("about {summary}"),
        kind,
        summary: summary.to_owned(),
        explanation: None,
        correct_approach: None,
        incorrect_approach: None,
        applicability: None,
        content: None,
        guidance: None,
        scope: None,
        domain: None,
        tags: Vec::new(),
        trigger_fingerprints: Vec::new(),
        source_episodes: Vec::new(),
        confidence: None,
        source: None,
    }
}

fn applying(types: &[&str], domains: &[&str]) -> Applicability {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Applicability {
        problem_types: list(types),
        domains: list(domains),
        ..Applicability::default()
    }
}

fn requirement(feature: &str, test: FeatureTest, value: &str) -> Requirement {
    Requirement {
        feature: feature.to_owned(),
        test,
        value: value.to_owned(),
    }
}

fn task(task_type: &str, domain: &str) -> TaskFeatures {
    TaskFeatures {
        task_type: task_type.to_owned(),
        domain: domain.to_owned(),
        ..TaskFeatures::default()
    }
}

fn update(reason: &str) -> PatternUpdate {
    PatternUpdate {
        reason: reason.to_owned(),
        ..PatternUpdate::default()
    }
}

/// An episode that took so long.
fn episode(world: &World, task_type: &str, outcome: Outcome, milliseconds: u64) -> String {
    let engine = world.engine();
    let mut new = run("sort the table");
    new.task_type = Some(task_type.to_owned()).filter(|name| !name.is_empty());
    let started = engine.start(&new).unwrap();
    world.pass(milliseconds);
    let ending = Ending {
        outcome: Some(outcome),
        score: None,
        referee: None,
    };
    engine.finish(&started.id, &ending).unwrap();
    started.id
}

/// Applies a pattern in new episodes, so many of which succeed.
fn apply(world: &World, pattern: &str, successes: u32, failures: u32) {
    for at in 0..successes + failures {
        let outcome = if at < successes {
            Outcome::Success
        } else {
            Outcome::Failure
        };
        let id = episode(world, "", outcome, 1_000);
        world
            .engine()
            .record_application(pattern, &id, outcome)
            .unwrap();
    }
}

fn promote(engine: &Engine, pattern: &str) {
    engine
        .set_status(pattern, LessonStatus::Promoted, "for the test")
        .unwrap();
}

fn ids(found: &[ApplicablePattern]) -> Vec<&str> {
    found
        .iter()
        .map(|one| one.pattern.lesson.id.as_str())
        .collect()
}

fn message<T: std::fmt::Debug>(answer: Result<T, Error>) -> String {
    answer.expect_err("it is refused").message().to_owned()
}

#[test]
fn a_pattern_is_a_lesson_and_keeps_every_field() {
    let world = World::new();
    let engine = world.engine();
    let given = NewPattern {
        id: Some("sem-001".to_owned()),
        name: "Cut by file".to_owned(),
        kind: LessonKind::Decomposition,
        summary: "Cut a refactoring into one subtask for each file.".to_owned(),
        explanation: Some("Files are what tests and reviews go by.".to_owned()),
        correct_approach: Some("one subtask a file".to_owned()),
        incorrect_approach: Some("one subtask for all".to_owned()),
        applicability: Some(Applicability {
            problem_types: vec!["refactoring".to_owned()],
            domains: vec!["python".to_owned()],
            least_complexity: Some(0.2),
            most_complexity: Some(0.9),
            required_capabilities: vec!["edit_files".to_owned()],
            context_conditions: vec![requirement("files", FeatureTest::AtLeast, "2")],
            anti_conditions: vec![requirement("generated", FeatureTest::Present, "")],
            conditions: vec!["several files change".to_owned()],
        }),
        content: Some(PatternContent::Template(TemplateContent {
            structure: json!({"subtasks": ["edit {file}", "test {file}"]}).to_string(),
            parameters: vec!["file".to_owned()],
            instantiation_rules: vec!["one for each file".to_owned()],
        })),
        guidance: Some(Guidance {
            when_to_apply: "before planning".to_owned(),
            how_to_apply: "list the files".to_owned(),
            expected_benefits: vec!["smaller reviews".to_owned()],
            potential_risks: vec!["too many subtasks".to_owned()],
            alternative_patterns: vec!["sem-002".to_owned()],
        }),
        scope: Some(Scope::Global),
        domain: Some("python".to_owned()),
        tags: vec!["no_progress".to_owned()],
        trigger_fingerprints: Vec::new(),
        source_episodes: vec!["ep-1".to_owned(), "ep-2".to_owned()],
        confidence: Some(0.8),
        source: Some(Source::Person),
    };
    let pattern = engine.add(&given).unwrap();
    assert_eq!(pattern.lesson.id, "sem-001");
    assert_eq!(pattern.lesson.kind, LessonKind::Decomposition);
    assert_eq!(pattern.lesson.status, LessonStatus::Candidate);
    assert_eq!(pattern.lesson.trust, Trust::Vouched);
    assert_eq!(pattern.lesson.domain, "python");
    assert_eq!(
        (pattern.lesson.created_at, pattern.lesson.updated_at),
        (START, START)
    );
    assert_eq!(
        pattern.lesson.rule_text,
        "WRONG: one subtask for all → CORRECT: one subtask a file"
    );
    let runs: Vec<_> = pattern
        .lesson
        .origins
        .iter()
        .map(|one| one.run.as_str())
        .collect();
    assert_eq!(runs, ["ep-1", "ep-2"]);
    assert_eq!((pattern.name.as_str(), pattern.version), ("Cut by file", 1));
    assert_eq!(Some(&pattern.explanation), given.explanation.as_ref());
    assert_eq!(
        Some(&pattern.correct_approach),
        given.correct_approach.as_ref()
    );
    assert_eq!(
        Some(&pattern.incorrect_approach),
        given.incorrect_approach.as_ref()
    );
    assert_eq!(Some(&pattern.applicability), given.applicability.as_ref());
    assert_eq!(pattern.content, given.content);
    assert_eq!(Some(&pattern.guidance), given.guidance.as_ref());
    assert_eq!(pattern.evidence.confidence, 0.8);
    assert_eq!((pattern.evidence.applications, pattern.usage_count), (0, 0));
    assert_eq!(
        (&pattern.superseded_by, &pattern.deprecation_reason),
        (&None, &None)
    );
    assert_eq!(Patterns::get(&engine, "sem-001").unwrap(), pattern);
    // The lesson is the same thing, so recall shows it.
    let lesson = Lessons::get(&engine, "sem-001").unwrap();
    assert_eq!(lesson, pattern.lesson);
    let briefing = engine
        .for_task(&TaskContext {
            task: "one subtask for all or one subtask a file".to_owned(),
            domain: "python".to_owned(),
            ..TaskContext::default()
        })
        .unwrap();
    assert_eq!(briefing[0].lesson.id, "sem-001");
}

#[test]
fn each_form_of_content_is_kept() {
    let world = World::new();
    let engine = world.engine();
    let text = |text: &str| text.to_owned();
    let contents = [
        PatternContent::Strategy(StrategyContent {
            approach: text("measure first"),
            key_principles: vec![text("one change at a time")],
            trade_offs: text("slower at first"),
        }),
        PatternContent::Heuristic(HeuristicContent {
            condition: text("the test is flaky"),
            action: text("run it ten times"),
            rationale: text("once says nothing"),
        }),
        PatternContent::Procedure(ProcedureContent {
            steps: vec![text("stop"), text("copy"), text("start")],
            branching_logic: vec![text("if it does not stop, kill it")],
            termination_conditions: vec![text("it answers")],
        }),
    ];
    for (at, content) in contents.into_iter().enumerate() {
        let mut given = new(LessonKind::Strategy, &format!("way number {at}"));
        given.content = Some(content);
        let pattern = engine.add(&given).unwrap();
        assert_eq!(pattern.content, given.content);
        let json = serde_json::to_value(&pattern).unwrap();
        let name = ["strategy", "heuristic", "procedure"][at];
        assert!(json["content"][name].is_object(), "{json}");
    }
}

#[test]
fn the_same_content_again_is_the_same_pattern_with_more_episodes() {
    let world = World::new();
    let engine = world.engine();
    let mut given = new(LessonKind::Strategy, "measure before you change");
    given.source_episodes = vec!["ep-1".to_owned()];
    let first = engine.add(&given).unwrap();
    given.source_episodes = vec!["ep-2".to_owned(), "ep-1".to_owned()];
    let again = engine.add(&given).unwrap();
    assert_eq!(first.lesson.id, again.lesson.id);
    let runs: Vec<_> = again
        .lesson
        .origins
        .iter()
        .map(|one| one.run.as_str())
        .collect();
    assert_eq!(runs, ["ep-1", "ep-2"]);
    assert_eq!(Patterns::find(&engine, None, None, 10).unwrap().len(), 1);
    // A chosen id that says something else is somebody else's.
    given.id = Some(first.lesson.id.clone());
    engine.add(&given).unwrap();
    given.id = None;
    given.kind = LessonKind::Recovery;
    let told = message(engine.add(&given));
    assert!(told.contains("which is a strategy"), "{told}");
    given.id = Some(first.lesson.id.clone());
    given.kind = LessonKind::Strategy;
    given.summary = "change before you measure".to_owned();
    let refused = engine.add(&given);
    assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
}

#[test]
fn every_lesson_is_a_pattern_and_becomes_one_when_it_is_applied() {
    let world = World::new();
    let engine = world.engine();
    let lesson = engine
        .propose(&support::proposal(
            "WRONG: sort -n → CORRECT: sort +n",
            "sort: bad key -n",
        ))
        .unwrap();
    let pattern = Patterns::get(&engine, &lesson.id).unwrap();
    assert_eq!(pattern.correct_approach, "sort +n");
    assert_eq!(pattern.incorrect_approach, "sort -n");
    assert_eq!(
        (pattern.summary.as_str(), pattern.version),
        (lesson.rule_text.as_str(), 1)
    );
    assert!(engine.validate_all("", 10, true).unwrap().is_empty());
    apply(&world, &lesson.id, 1, 0);
    assert_eq!(engine.validate_all("", 10, true).unwrap().len(), 1);
    assert!(message(Patterns::get(&engine, "les_nobody")).contains("les_nobody"));
}

#[test]
fn patterns_are_listed_by_kind_and_status() {
    let world = World::new();
    let engine = world.engine();
    let strategy = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap();
    let fact = engine
        .add(&new(LessonKind::Fact, "the port is 8080"))
        .unwrap();
    promote(&engine, &fact.lesson.id);
    let found = |kind, status| -> Vec<String> {
        let found = Patterns::find(&engine, kind, status, 10).unwrap();
        found.into_iter().map(|one| one.lesson.id).collect()
    };
    assert_eq!(
        found(Some(LessonKind::Strategy), None),
        [strategy.lesson.id.as_str()]
    );
    assert_eq!(
        found(None, Some(LessonStatus::Promoted)),
        [fact.lesson.id.as_str()]
    );
    assert!(found(Some(LessonKind::Recovery), None).is_empty());
}

#[test]
fn what_is_wrong_with_a_pattern_is_named_and_nothing_is_stored() {
    let world = World::new();
    let engine = world.engine();
    let base = new(LessonKind::Strategy, "measure first");
    let applicability = |applicability| NewPattern {
        applicability: Some(applicability),
        ..base.clone()
    };
    let cases = [
        (
            NewPattern {
                name: String::new(),
                ..base.clone()
            },
            "name",
        ),
        (
            NewPattern {
                name: "x".repeat(201),
                ..base.clone()
            },
            "201",
        ),
        (
            NewPattern {
                summary: " ".to_owned(),
                ..base.clone()
            },
            "summary",
        ),
        (
            NewPattern {
                explanation: Some("x".repeat(16_385)),
                ..base.clone()
            },
            "explanation",
        ),
        (
            NewPattern {
                id: Some("a b".to_owned()),
                ..base.clone()
            },
            "id: `a b`",
        ),
        (
            NewPattern {
                scope: Some(Scope::Task),
                ..base.clone()
            },
            "scope",
        ),
        (
            NewPattern {
                confidence: Some(1.5),
                ..base.clone()
            },
            "confidence",
        ),
        (
            NewPattern {
                source_episodes: vec!["e".to_owned(); 65],
                ..base.clone()
            },
            "source-episodes has 65",
        ),
        (
            applicability(applying(&["x"; 33], &[])),
            "problem-types has 33",
        ),
        (
            applicability(Applicability {
                least_complexity: Some(0.9),
                most_complexity: Some(0.1),
                ..Applicability::default()
            }),
            "nothing is in between",
        ),
        (
            applicability(Applicability {
                least_complexity: Some(f64::NAN),
                ..Applicability::default()
            }),
            "least-complexity",
        ),
        (
            applicability(Applicability {
                context_conditions: vec![requirement("n", FeatureTest::AtLeast, "two")],
                ..Applicability::default()
            }),
            "needs a number",
        ),
        (
            applicability(Applicability {
                anti_conditions: vec![requirement("n", FeatureTest::Present, "two")],
                ..Applicability::default()
            }),
            "takes no value",
        ),
        (
            applicability(Applicability {
                anti_conditions: vec![requirement("", FeatureTest::Present, "")],
                ..Applicability::default()
            }),
            "feature is empty",
        ),
        (
            NewPattern {
                content: Some(PatternContent::Template(TemplateContent {
                    structure: "{".to_owned(),
                    parameters: vec![],
                    instantiation_rules: vec![],
                })),
                ..base.clone()
            },
            "content.structure is not JSON",
        ),
    ];
    for (given, named) in cases {
        let told = message(engine.add(&given));
        assert!(told.contains(named), "{named} is not in: {told}");
    }
    assert_eq!(Upkeep::status(&engine).unwrap().lessons, 0);
}

#[test]
fn secrets_in_a_pattern_are_masked() {
    let world = World::new();
    let engine = world.engine();
    let secret = "AKIAIOSFODNN7EXAMPLE";
    let mut given = new(LessonKind::Strategy, &format!("use the key {secret}"));
    given.explanation = Some(format!("aws_access_key_id={secret}"));
    given.content = Some(PatternContent::Template(TemplateContent {
        structure: json!({"key": secret}).to_string(),
        parameters: vec![secret.to_owned()],
        instantiation_rules: vec![],
    }));
    let pattern = engine.add(&given).unwrap();
    engine
        .update(
            &pattern.lesson.id,
            &PatternUpdate {
                correct_approach: Some(format!("export KEY={secret}")),
                ..update(&format!("the key is {secret}"))
            },
        )
        .unwrap();
    for stored in [
        serde_json::to_string(&Patterns::get(&engine, &pattern.lesson.id).unwrap()).unwrap(),
        serde_json::to_string(&engine.history(&pattern.lesson.id).unwrap()).unwrap(),
    ] {
        assert!(!stored.contains(secret), "{stored}");
    }
}

#[test]
fn a_candidate_is_not_used_in_planning_and_a_promoted_one_is() {
    let world = World::new();
    let engine = world.engine();
    let pattern = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap();
    let id = pattern.lesson.id.as_str();
    assert!(engine.find_applicable(&task("", "cli")).unwrap().is_empty());
    promote(&engine, id);
    assert_eq!(
        ids(&engine.find_applicable(&task("", "cli")).unwrap()),
        [id]
    );
    // Whatever moves the lesson moves the pattern.
    for status in [LessonStatus::UnderReview, LessonStatus::Suppressed] {
        engine.set_status(id, status, "doubt").unwrap();
        let mut asked = task("", "cli");
        assert!(engine.find_applicable(&asked).unwrap().is_empty());
        asked.category = Some(LessonKind::Strategy);
        assert!(engine.find_applicable(&asked).unwrap().is_empty());
    }
}

#[test]
fn a_category_brings_its_candidates_too_and_nothing_else() {
    let world = World::new();
    let engine = world.engine();
    let kinds = [
        LessonKind::Strategy,
        LessonKind::Decomposition,
        LessonKind::Sequence,
        LessonKind::ToolSelection,
        LessonKind::Failure,
        LessonKind::Recovery,
        LessonKind::Optimization,
        LessonKind::Domain,
    ];
    for kind in kinds {
        engine
            .add(&new(kind, &format!("what {} says", kind.as_str())))
            .unwrap();
    }
    for kind in kinds {
        let asked = TaskFeatures {
            category: Some(kind),
            ..task("any", "cli")
        };
        let found = engine.find_applicable(&asked).unwrap();
        assert_eq!(found.len(), 1, "{kind:?}");
        assert_eq!(found[0].pattern.lesson.kind, kind);
    }
}

#[test]
fn patterns_are_filtered_by_kind_of_task_features_conditions_and_anti_conditions() {
    let world = World::new();
    let engine = world.engine();
    let add = |summary: &str, applicability: Applicability| {
        let mut given = new(LessonKind::Strategy, summary);
        given.applicability = Some(applicability);
        let id = engine.add(&given).unwrap().lesson.id;
        promote(&engine, &id);
        id
    };
    let anywhere = add("anywhere", Applicability::default());
    let typed = add(
        "for refactoring",
        applying(&["Refactoring", "cleanup"], &[]),
    );
    let placed = add("in python", applying(&[], &["python"]));
    let both = add(
        "refactoring in python",
        applying(&["refactoring"], &["python", "rust"]),
    );
    let hard = add(
        "only for hard ones",
        Applicability {
            least_complexity: Some(0.5),
            ..Applicability::default()
        },
    );
    let able = add(
        "needs a browser",
        Applicability {
            required_capabilities: vec!["browser".to_owned()],
            ..Applicability::default()
        },
    );
    let tested = add(
        "only with tests",
        Applicability {
            context_conditions: vec![
                requirement("tests", FeatureTest::AtLeast, "3"),
                requirement("framework", FeatureTest::Equals, "PyTest"),
            ],
            ..Applicability::default()
        },
    );
    let open = add(
        "not in production",
        Applicability {
            anti_conditions: vec![requirement("stage", FeatureTest::Contains, "prod")],
            ..Applicability::default()
        },
    );
    let found = |asked: &TaskFeatures| -> Vec<String> {
        let asked = TaskFeatures {
            limit: Some(100),
            ..asked.clone()
        };
        let found = engine.find_applicable(&asked).unwrap();
        let mut ids: Vec<_> = found.into_iter().map(|one| one.pattern.lesson.id).collect();
        ids.sort();
        ids
    };
    let sorted = |ids: &[&String]| -> Vec<String> {
        let mut ids: Vec<_> = ids.iter().map(|id| (*id).clone()).collect();
        ids.sort();
        ids
    };
    // What is not known of the task: its kind and its domain must be named, complexity and capabilities need not.
    assert_eq!(
        found(&task("", "")),
        sorted(&[&anywhere, &hard, &able, &open])
    );
    assert_eq!(
        found(&task("refactoring", "")),
        sorted(&[&anywhere, &hard, &able, &open, &typed])
    );
    assert_eq!(
        found(&task("REFACTORING", "rust")),
        sorted(&[&anywhere, &hard, &able, &open, &typed, &both])
    );
    assert_eq!(
        found(&task("debugging", "python")),
        sorted(&[&anywhere, &hard, &able, &open, &placed])
    );
    let mut asked = task("", "");
    asked.complexity = Some(0.4);
    asked.capabilities = vec!["shell".to_owned()];
    assert_eq!(found(&asked), sorted(&[&anywhere, &open]));
    asked.complexity = Some(0.5);
    asked.capabilities.push("Browser".to_owned());
    assert_eq!(found(&asked), sorted(&[&anywhere, &open, &hard, &able]));
    let feature = |name: &str, value: &str| Feature {
        name: name.to_owned(),
        value: value.to_owned(),
    };
    asked.features = vec![
        feature("tests", "12"),
        feature("framework", "pytest"),
        feature("stage", "Production"),
    ];
    assert_eq!(found(&asked), sorted(&[&anywhere, &hard, &able, &tested]));
    asked.features = vec![feature("tests", "2"), feature("framework", "pytest")];
    assert_eq!(found(&asked), sorted(&[&anywhere, &hard, &able, &open]));
    asked.features = vec![feature("x", "y"); 65];
    assert!(message(engine.find_applicable(&asked)).contains("features has 65"));
}

#[test]
fn patterns_are_ranked_by_the_formula_and_five_are_given() {
    let world = World::new();
    let engine = world.engine();
    for at in 0..40 {
        let mut given = new(LessonKind::Strategy, &format!("way {at}"));
        given.confidence = Some(f64::from(at) / 40.0);
        let id = engine.add(&given).unwrap().lesson.id;
        promote(&engine, &id);
    }
    let mut given = new(LessonKind::Strategy, "sort the table by size");
    given.applicability = Some(applying(&["sorting"], &["cli"]));
    let proven = engine.add(&given).unwrap().lesson.id;
    apply(&world, &proven, 8, 1);
    engine.validate(&proven).unwrap();
    world.pass(45 * DAY_MS);
    let mut asked = task("sorting", "cli");
    asked.task = "sort the table by size".to_owned();
    let found = engine.find_applicable(&asked).unwrap();
    assert_eq!(found.len(), 5);
    let best = &found[0];
    assert_eq!(best.pattern.lesson.id, proven);
    let parts = &best.parts;
    let p = 10.0 / 512.0;
    let success = 8.0 / 9.0;
    let confidence = 0.5 * success + 0.3 * (1.0 - (-9.0_f64 / 20.0).exp()) + 0.2 * (1.0 - p);
    assert!((parts.confidence - confidence).abs() < 1e-12);
    assert!((parts.success_rate - success).abs() < 1e-12);
    assert!((parts.usage - 10.0_f64.ln() / 10.0).abs() < 1e-12);
    assert!((parts.recency - (-0.5_f64).exp()).abs() < 1e-6);
    // It names the kind and the domain, no complexity and no conditions; its words are `about sort table size`.
    let words = 2.0 * 3.0 / (4.0 + 3.0);
    assert!(
        (parts.match_quality - (2.0 + words) / 5.0).abs() < 1e-12,
        "{parts:?}"
    );
    let score = 0.4 * parts.confidence
        + 0.3 * parts.success_rate
        + 0.15 * parts.usage
        + 0.1 * parts.recency
        + 0.05 * parts.match_quality;
    assert!((best.score - score).abs() < 1e-12);
    // The others by what they claim, the surest first, although forty are there.
    let claimed: Vec<_> = found[1..]
        .iter()
        .map(|one| one.pattern.evidence.confidence)
        .collect();
    assert_eq!(
        claimed,
        [39.0 / 40.0, 38.0 / 40.0, 37.0 / 40.0, 36.0 / 40.0]
    );
}

#[test]
fn an_update_makes_a_new_version_and_keeps_the_old_one() {
    let world = World::new();
    let engine = world.engine();
    let first = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap();
    let id = first.lesson.id.as_str();
    world.pass(1_000);
    let changed = engine
        .update(
            id,
            &PatternUpdate {
                name: Some("Measure".to_owned()),
                summary: Some("measure twice".to_owned()),
                applicability: Some(applying(&["tuning"], &[])),
                ..update("once was too little")
            },
        )
        .unwrap();
    assert_eq!(
        (changed.version, changed.summary.as_str()),
        (2, "measure twice")
    );
    assert_eq!(
        (changed.lesson.rule_text.as_str(), changed.lesson.updated_at),
        ("measure twice", START + 1_000)
    );
    assert_eq!(
        (changed.lesson.created_at, changed.lesson.status),
        (START, LessonStatus::Candidate)
    );
    assert_eq!(Patterns::get(&engine, id).unwrap(), changed);
    let third = engine
        .update(
            id,
            &PatternUpdate {
                explanation: Some("because".to_owned()),
                ..update("more words")
            },
        )
        .unwrap();
    assert_eq!(
        (third.version, third.summary.as_str()),
        (3, "measure twice")
    );
    let history = engine.history(id).unwrap();
    let told: Vec<_> = history
        .iter()
        .map(|one| (one.version, one.reason.as_str(), one.until))
        .collect();
    assert_eq!(
        told,
        [
            (1, "once was too little", START + 1_000),
            (2, "more words", START + 1_000)
        ]
    );
    assert_eq!(history[0].pattern, first);
    assert_eq!(history[1].pattern, changed);
    // It is found by what it is now.
    promote(&engine, id);
    assert!(engine.find_applicable(&task("", "")).unwrap().is_empty());
    assert_eq!(
        ids(&engine.find_applicable(&task("tuning", "")).unwrap()),
        [id]
    );
    assert!(message(engine.update(id, &update("for nothing"))).contains("changes nothing"));
    assert!(
        message(engine.update(
            id,
            &PatternUpdate {
                name: Some("x".to_owned()),
                ..update(" ")
            }
        ))
        .contains("reason")
    );
    assert!(engine.history("les_nobody").is_err());
    assert_eq!(engine.history(id).unwrap().len(), 2);
}

#[test]
fn an_application_counts_once_for_each_episode_and_is_a_use_of_the_lesson() {
    let world = World::new();
    let engine = world.engine();
    let id = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap()
        .lesson
        .id;
    let one = episode(&world, "", Outcome::Success, 10);
    let two = episode(&world, "", Outcome::Failure, 10);
    for _ in 0..3 {
        engine
            .record_application(&id, &one, Outcome::Success)
            .unwrap();
    }
    let pattern = engine
        .record_application(&id, &two, Outcome::Failure)
        .unwrap();
    let evidence = &pattern.evidence;
    assert_eq!(
        (
            evidence.applications,
            evidence.successes,
            evidence.success_rate
        ),
        (2, 1, 0.5)
    );
    assert_eq!(evidence.supporting_episodes, [one.as_str()]);
    assert_eq!(evidence.counter_episodes, [two.as_str()]);
    assert_eq!(
        (pattern.usage_count, pattern.last_used),
        (2, Some(START + 20))
    );
    assert_eq!(pattern.lesson.usefulness.activations, 2);
    let activations = engine
        .activations(&ActivationFilter {
            lesson: Some(id.clone()),
            ..ActivationFilter::default()
        })
        .unwrap();
    assert_eq!(activations.len(), 2);
    // Somebody thinks better of an outcome: the episode still counts once.
    let pattern = engine
        .record_application(&id, &two, Outcome::Success)
        .unwrap();
    assert_eq!(
        (
            pattern.evidence.applications,
            pattern.evidence.successes,
            pattern.usage_count
        ),
        (2, 2, 2)
    );
    assert!(
        message(engine.record_application(&id, "run_nobody", Outcome::Success))
            .contains("run_nobody")
    );
    assert!(
        engine
            .record_application("les_nobody", &one, Outcome::Success)
            .is_err()
    );
    assert!(engine.verify().unwrap().is_empty());
}

#[test]
fn a_validation_has_the_worked_figures_of_the_document() {
    for (successes, failures, answer, status, p, confidence) in [
        (
            5,
            0,
            ValidationAnswer::Validated,
            LessonStatus::Promoted,
            0.03125,
            0.760,
        ),
        (
            7,
            1,
            ValidationAnswer::Validated,
            LessonStatus::Promoted,
            0.0352,
            0.729,
        ),
        (
            6,
            1,
            ValidationAnswer::Candidate,
            LessonStatus::Candidate,
            0.0625,
            0.705,
        ),
        (
            4,
            0,
            ValidationAnswer::InsufficientEvidence,
            LessonStatus::Candidate,
            0.0625,
            0.742,
        ),
    ] {
        let world = World::new();
        let engine = world.engine();
        let id = engine
            .add(&new(LessonKind::Strategy, "measure first"))
            .unwrap()
            .lesson
            .id;
        apply(&world, &id, successes, failures);
        let dry = engine.validate_all("", 10, true).unwrap();
        assert_eq!(
            Patterns::get(&engine, &id).unwrap().lesson.status,
            LessonStatus::Candidate
        );
        let found = engine.validate(&id).unwrap();
        assert_eq!(dry, std::slice::from_ref(&found));
        assert_eq!(
            (found.answer, found.to_status),
            (answer, status),
            "{}",
            found.reason
        );
        assert!((found.evidence.significance - p).abs() < 5e-5);
        assert!(
            (found.evidence.confidence - confidence).abs() < 5e-4,
            "{}",
            found.evidence.confidence
        );
        let pattern = Patterns::get(&engine, &id).unwrap();
        assert_eq!(pattern.lesson.status, status);
        let validated = (successes + failures >= 5).then(|| world.clock.get());
        assert_eq!(pattern.evidence.last_validated, validated);
        assert_eq!(pattern.evidence, found.evidence);
    }
}

#[test]
fn only_applications_of_the_last_90_days_count() {
    let world = World::new();
    let engine = world.engine();
    let id = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap()
        .lesson
        .id;
    apply(&world, &id, 5, 0);
    world.pass(90 * DAY_MS - 1_000);
    assert_eq!(
        engine.validate(&id).unwrap().answer,
        ValidationAnswer::InsufficientEvidence
    );
    apply(&world, &id, 4, 0);
    let found = engine.validate(&id).unwrap();
    assert_eq!(
        (found.evidence.applications, found.answer),
        (4, ValidationAnswer::InsufficientEvidence)
    );
    apply(&world, &id, 1, 0);
    assert_eq!(
        engine.validate(&id).unwrap().answer,
        ValidationAnswer::Validated
    );
}

#[test]
fn a_validated_pattern_that_no_longer_holds_goes_under_review_and_is_not_used() {
    let world = World::new();
    let engine = world.engine();
    let id = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap()
        .lesson
        .id;
    apply(&world, &id, 5, 0);
    engine.validate(&id).unwrap();
    assert_eq!(
        ids(&engine.find_applicable(&task("", "")).unwrap()),
        [id.as_str()]
    );
    apply(&world, &id, 0, 2);
    let found = engine.validate(&id).unwrap();
    assert_eq!(
        (found.answer, found.from_status, found.to_status),
        (
            ValidationAnswer::NeedsReview,
            LessonStatus::Promoted,
            LessonStatus::UnderReview
        )
    );
    assert!(found.reason.contains("p 0.2266"), "{}", found.reason);
    assert!(engine.find_applicable(&task("", "")).unwrap().is_empty());
    // It is tested again from there, and comes back by itself if it holds after all.
    assert_eq!(
        engine.validate(&id).unwrap().answer,
        ValidationAnswer::NeedsReview
    );
    apply(&world, &id, 6, 0);
    let found = engine.validate(&id).unwrap();
    assert_eq!(
        (found.answer, found.to_status),
        (ValidationAnswer::Validated, LessonStatus::Promoted)
    );
}

#[test]
fn what_is_suppressed_or_archived_is_not_touched_by_a_validation() {
    let world = World::new();
    let engine = world.engine();
    for status in [
        LessonStatus::Suppressed,
        LessonStatus::Archived,
        LessonStatus::Deprecated,
    ] {
        let id = engine
            .add(&new(LessonKind::Strategy, status.as_str()))
            .unwrap()
            .lesson
            .id;
        apply(&world, &id, 5, 0);
        engine.set_status(&id, status, "a person says so").unwrap();
        let before = Patterns::get(&engine, &id).unwrap();
        let found = engine.validate(&id).unwrap();
        assert_eq!((found.from_status, found.to_status), (status, status));
        assert_eq!(Patterns::get(&engine, &id).unwrap(), before);
    }
    assert!(engine.validate_all("", 10, false).unwrap().is_empty());
}

#[test]
fn a_pattern_is_compared_with_episodes_of_its_kind_without_it() {
    let world = World::new();
    let engine = world.engine();
    let id = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap()
        .lesson
        .id;
    // Without it: 3 of 12 sorting tasks succeed, in 3 seconds. Others do not matter.
    for at in 0..12 {
        let outcome = if at % 4 == 0 {
            Outcome::Success
        } else {
            Outcome::Failure
        };
        episode(&world, "sorting", outcome, 3_000);
        episode(&world, "loading", Outcome::Success, 50_000);
    }
    for at in 0..8 {
        let outcome = if at == 0 {
            Outcome::Failure
        } else {
            Outcome::Success
        };
        let applied = episode(&world, "sorting", outcome, 1_000);
        engine.record_application(&id, &applied, outcome).unwrap();
    }
    let found = engine.validate(&id).unwrap();
    let evidence = found.evidence;
    assert_eq!(evidence.base_rate, Some(0.25));
    assert_eq!(evidence.success_rate_improvement, 7.0 / 8.0 - 0.25);
    assert_eq!(evidence.average_time_saving, 2_000.0);
    // 8·0.25^7·0.75 + 0.25^8
    let p = 25.0 / 65_536.0;
    assert!((evidence.base_significance.unwrap() - p).abs() < 1e-12);
    assert_eq!(found.answer, ValidationAnswer::Validated);
}

#[test]
fn a_pattern_that_is_worse_than_its_kind_without_it_is_not_promoted() {
    let world = World::new();
    let engine = world.engine();
    let id = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap()
        .lesson
        .id;
    for _ in 0..100 {
        episode(&world, "", Outcome::Success, 10);
    }
    // 14 of 18 is significantly above chance, and significantly below what happens anyway.
    apply(&world, &id, 14, 4);
    let found = engine.validate(&id).unwrap();
    assert!(found.evidence.significance < 0.05 && found.evidence.confidence > 0.7);
    assert_eq!(found.evidence.base_rate, Some(1.0));
    assert_eq!(
        (found.answer, found.to_status),
        (ValidationAnswer::Candidate, LessonStatus::Candidate)
    );
    assert!(
        found.reason.contains("100 % without it"),
        "{}",
        found.reason
    );
}

#[test]
fn the_gate_is_a_setting_of_the_memory() {
    let world = World::new();
    let engine = world.engine();
    let gate = engine.gate().unwrap();
    assert_eq!(
        (
            gate.least_applications,
            gate.least_success_rate,
            gate.significance,
            gate.confidence
        ),
        (5, 0.5, 0.05, 0.7)
    );
    let id = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap()
        .lesson
        .id;
    apply(&world, &id, 7, 1);
    engine
        .set_gate(&ValidationGate {
            least_success_rate: 0.9,
            ..gate
        })
        .unwrap();
    let found = engine.validate(&id).unwrap();
    assert_eq!(found.answer, ValidationAnswer::Candidate);
    assert!(
        found.reason.contains("0.88 is below 0.90"),
        "{}",
        found.reason
    );
    engine
        .set_gate(&ValidationGate {
            least_success_rate: 0.8,
            ..gate
        })
        .unwrap();
    assert_eq!(
        engine.validate(&id).unwrap().answer,
        ValidationAnswer::Validated
    );
    for wrong in [
        ValidationGate {
            least_applications: 0,
            ..gate
        },
        ValidationGate {
            confidence: 1.1,
            ..gate
        },
        ValidationGate {
            significance: f64::NAN,
            ..gate
        },
    ] {
        assert!(engine.set_gate(&wrong).is_err());
    }
}

#[test]
fn all_patterns_are_validated_in_the_order_of_their_ids() {
    let world = World::new();
    let engine = world.engine();
    for at in 0..5 {
        let mut given = new(LessonKind::Strategy, &format!("way {at}"));
        given.id = Some(format!("way-{at}"));
        engine.add(&given).unwrap();
    }
    apply(&world, "way-3", 5, 0);
    let mut seen = Vec::new();
    let mut after = String::new();
    loop {
        let some = engine.validate_all(&after, 2, false).unwrap();
        let Some(last) = some.last() else { break };
        after.clone_from(&last.pattern);
        seen.extend(some);
    }
    let told: Vec<_> = seen.iter().map(|one| one.pattern.as_str()).collect();
    assert_eq!(told, ["way-0", "way-1", "way-2", "way-3", "way-4"]);
    assert_eq!(seen[3].to_status, LessonStatus::Promoted);
    assert_eq!(seen[0].answer, ValidationAnswer::InsufficientEvidence);
}

#[test]
fn a_refined_pattern_is_narrower_and_begins_anew() {
    let world = World::new();
    let engine = world.engine();
    let mut given = new(LessonKind::Strategy, "measure first");
    given.applicability = Some(applying(&["tuning", "sorting"], &[]));
    let id = engine.add(&given).unwrap().lesson.id;
    apply(&world, &id, 3, 4);
    let narrowed = |applicability| PatternUpdate {
        applicability: Some(applicability),
        ..update("fails when sorting")
    };
    let narrower = narrowed(applying(&["tuning"], &[]));
    assert!(message(engine.refine(&id, &narrower)).contains("only one under review"));
    promote(&engine, &id);
    assert_eq!(
        engine.validate(&id).unwrap().to_status,
        LessonStatus::UnderReview
    );
    for (wrong, named) in [
        (update("why"), "applicability is missing"),
        (
            narrowed(applying(&["tuning", "loading"], &[])),
            "problem-types has more",
        ),
        (narrowed(applying(&[], &["cli"])), "problem-types has more"),
        (
            narrowed(applying(&["tuning", "sorting"], &[])),
            "the same as before",
        ),
    ] {
        let told = message(engine.refine(&id, &wrong));
        assert!(told.contains(named), "{told}");
    }
    world.pass(1_000);
    let refined = engine.refine(&id, &narrower).unwrap();
    assert_eq!(
        (refined.lesson.status, refined.version),
        (LessonStatus::Promoted, 2)
    );
    assert_eq!(refined.applicability.problem_types, ["tuning"]);
    assert_eq!(
        (refined.evidence.applications, refined.evidence.confidence),
        (0, 0.0)
    );
    assert_eq!(refined.evidence.last_validated, Some(world.clock.get()));
    assert_eq!(refined.usage_count, 7);
    assert_eq!(
        engine.history(&id).unwrap()[0]
            .pattern
            .evidence
            .applications,
        7
    );
    // What was before counts no longer.
    apply(&world, &id, 4, 0);
    assert_eq!(
        engine.validate(&id).unwrap().answer,
        ValidationAnswer::InsufficientEvidence
    );
    apply(&world, &id, 1, 0);
    assert_eq!(engine.validate(&id).unwrap().evidence.applications, 5);
}

#[test]
fn a_deprecated_pattern_names_its_successor_and_stays_on_record() {
    let world = World::new();
    let engine = world.engine();
    let old = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap()
        .lesson
        .id;
    let successor = engine
        .add(&new(LessonKind::Strategy, "profile first"))
        .unwrap()
        .lesson
        .id;
    promote(&engine, &old);
    assert!(message(engine.deprecate(&old, "old", &old)).contains("itself"));
    assert!(engine.deprecate(&old, "old", "les_nobody").is_err());
    assert!(message(engine.deprecate(&old, "", &successor)).contains("reason"));
    let gone = engine
        .deprecate(&old, "profiles say more", &successor)
        .unwrap();
    assert_eq!(gone.lesson.status, LessonStatus::Deprecated);
    assert_eq!(gone.superseded_by.as_deref(), Some(successor.as_str()));
    assert_eq!(
        gone.deprecation_reason.as_deref(),
        Some("profiles say more")
    );
    assert_eq!(Patterns::get(&engine, &old).unwrap(), gone);
    assert!(engine.find_applicable(&task("", "")).unwrap().is_empty());
    assert!(message(engine.deprecate(&old, "again", "")).contains("can't become deprecated"));
    assert!(message(engine.deprecate(&successor, "back", &old)).contains("deprecated itself"));
}

#[test]
fn similar_patterns_are_found_by_words_structure_and_applicability() {
    let world = World::new();
    let engine = world.engine();
    let add = |kind, summary: &str, applicability| {
        let mut given = new(kind, summary);
        given.name = "sorting".to_owned();
        given.applicability = Some(applicability);
        engine.add(&given).unwrap().lesson.id
    };
    let here = applying(&["sorting"], &["cli"]);
    let own = add(
        LessonKind::Strategy,
        "sort large tables by an index",
        here.clone(),
    );
    let twin = add(
        LessonKind::Strategy,
        "by index: sort large tables",
        here.clone(),
    );
    let other_kind = add(
        LessonKind::Recovery,
        "sort tables by index where large",
        here,
    );
    let elsewhere = add(
        LessonKind::Strategy,
        "sort large table by indexes",
        applying(&["loading"], &["web"]),
    );
    let unlike = add(
        LessonKind::Strategy,
        "restart the server at night",
        applying(&[], &[]),
    );
    let found = engine.similar(&own, 0.5).unwrap();
    let told: Vec<_> = found
        .iter()
        .map(|one| {
            (
                one.pattern.lesson.id.as_str(),
                (one.similarity * 1000.0).round(),
            )
        })
        .collect();
    assert_eq!(told[0], (twin.as_str(), 1000.0));
    assert_eq!(told[1], (elsewhere.as_str(), 943.0), "{told:?}");
    assert!(told.iter().any(|one| one.0 == other_kind && one.1 < 1000.0));
    assert!(!told.iter().any(|one| one.0 == unlike));
    assert_eq!(engine.similar(&own, 0.99).unwrap().len(), 1);
    assert!(engine.similar(&own, 1.5).is_err());
}

#[test]
fn merged_patterns_are_one_with_all_their_evidence() {
    let world = World::new();
    let engine = world.engine();
    let add = |summary: &str, types: &[&str], least: Option<f64>, source: &str| {
        let mut given = new(LessonKind::Strategy, summary);
        given.applicability = Some(Applicability {
            least_complexity: least,
            context_conditions: vec![
                requirement("tests", FeatureTest::Present, ""),
                requirement(summary, FeatureTest::Present, ""),
            ],
            ..applying(types, &["cli"])
        });
        given.source_episodes = vec![source.to_owned()];
        engine.add(&given).unwrap().lesson.id
    };
    let weak = add("sort tables", &["sorting"], Some(0.3), "ep-1");
    let sure = add("sort tables by index", &["ordering"], Some(0.1), "ep-2");
    apply(&world, &weak, 1, 1);
    apply(&world, &sure, 3, 0);
    let shared = episode(&world, "", Outcome::Success, 10);
    for id in [&weak, &sure] {
        engine
            .record_application(id, &shared, Outcome::Success)
            .unwrap();
    }
    let merged = engine
        .merge(&[weak.clone(), sure.clone()], "the same")
        .unwrap();
    assert_eq!((&merged.lesson.id, merged.version), (&sure, 2));
    assert_eq!(merged.applicability.problem_types, ["ordering", "sorting"]);
    assert_eq!(merged.applicability.domains, ["cli"]);
    assert_eq!(merged.applicability.least_complexity, Some(0.1));
    assert_eq!(
        merged.applicability.context_conditions,
        [requirement("tests", FeatureTest::Present, "")]
    );
    // 3 of its own, 2 of the other's, and the one that both were applied in.
    assert_eq!(
        (merged.evidence.applications, merged.evidence.successes),
        (6, 5)
    );
    assert_eq!(merged.usage_count, 4 + 3);
    let runs: Vec<_> = merged
        .lesson
        .origins
        .iter()
        .map(|one| one.run.as_str())
        .collect();
    assert_eq!(runs, ["ep-2", "ep-1"]);
    let gone = Patterns::get(&engine, &weak).unwrap();
    assert_eq!(gone.lesson.status, LessonStatus::Deprecated);
    assert_eq!(gone.superseded_by.as_deref(), Some(sure.as_str()));
    assert_eq!(engine.validate(&sure).unwrap().evidence.applications, 6);
    assert_eq!(engine.history(&sure).unwrap().len(), 1);
    assert!(message(engine.merge(&[weak.clone(), sure.clone()], "again")).contains("deprecated"));
    assert!(message(engine.merge(std::slice::from_ref(&sure), "one")).contains("give 2 to 32"));
    assert!(engine.verify().unwrap().is_empty());
}

#[test]
fn patterns_of_little_value_are_put_under_review_or_archived_and_none_is_deleted() {
    let world = World::new();
    let engine = world.engine();
    let add = |summary: &str, source| {
        let mut given = new(LessonKind::Strategy, summary);
        given.id = Some(summary.to_owned());
        given.source = source;
        engine.add(&given).unwrap();
    };
    for id in [
        "contradicted",
        "fine",
        "hardly-used",
        "never-used",
        "unsure",
    ] {
        add(id, None);
    }
    add("vouched", Some(Source::Person));
    apply(&world, "hardly-used", 2, 0);
    apply(&world, "contradicted", 0, 5);
    apply(&world, "unsure", 3, 5);
    apply(&world, "fine", 5, 0);
    let moved = |dry: bool| -> Vec<(String, LessonStatus)> {
        let moved = Patterns::prune(&engine, dry).unwrap();
        moved
            .into_iter()
            .map(|one| (one.pattern, one.to_status))
            .collect()
    };
    let expect = |moved: Vec<(String, LessonStatus)>, expected: &[(&str, LessonStatus)]| {
        let moved: Vec<_> = moved
            .iter()
            .map(|(id, status)| (id.as_str(), *status))
            .collect();
        assert_eq!(moved, expected);
    };
    let doubtful = [
        ("contradicted", LessonStatus::UnderReview),
        ("unsure", LessonStatus::UnderReview),
    ];
    expect(moved(true), &doubtful);
    expect(moved(true), &doubtful);
    expect(moved(false), &doubtful);
    expect(moved(false), &[]);
    world.pass(179 * DAY_MS);
    expect(moved(false), &[]);
    world.pass(DAY_MS);
    expect(
        moved(false),
        &[
            ("hardly-used", LessonStatus::UnderReview),
            ("never-used", LessonStatus::Archived),
        ],
    );
    assert_eq!(Patterns::find(&engine, None, None, 100).unwrap().len(), 6);
    assert_eq!(
        Patterns::get(&engine, "vouched").unwrap().lesson.status,
        LessonStatus::Candidate
    );
}

#[test]
fn semantic_notes_anti_patterns_and_facts_are_patterns_of_their_kinds() {
    let world = World::new();
    let engine = world.engine();
    let mut note = new(LessonKind::Rule, "Use uv instead of pip in this workspace");
    note.id = Some("sem-001".to_owned());
    note.applicability = Some(Applicability {
        conditions: vec!["python projects".to_owned()],
        ..Applicability::default()
    });
    note.correct_approach = Some("uv add NAME".to_owned());
    note.incorrect_approach = Some("pip install NAME".to_owned());
    note.confidence = Some(0.9);
    note.source_episodes = vec!["ep-1".to_owned()];
    let note = engine.add(&note).unwrap();
    assert_eq!(
        note.lesson.rule_text,
        "WRONG: pip install NAME → CORRECT: uv add NAME"
    );
    assert_eq!(
        (
            note.evidence.confidence,
            note.applicability.conditions.len()
        ),
        (0.9, 1)
    );
    let mut anti = new(LessonKind::AntiPattern, "ImportError after an upgrade");
    anti.incorrect_approach = Some("upgrade without the lock file".to_owned());
    anti.explanation = Some("the resolver takes what is newest".to_owned());
    anti.correct_approach = Some("upgrade with the lock file".to_owned());
    anti.source_episodes = vec!["ep-2".to_owned()];
    let anti = engine.add(&anti).unwrap();
    assert_eq!(anti.incorrect_approach, "upgrade without the lock file");
    assert_eq!(anti.explanation, "the resolver takes what is newest");
    assert_eq!(anti.correct_approach, "upgrade with the lock file");
    assert_eq!(anti.lesson.origins[0].run, "ep-2");
    let fact = engine
        .add(&new(LessonKind::Fact, "The registry mirrors once a day"))
        .unwrap();
    assert_eq!(fact.lesson.rule_text, "The registry mirrors once a day");
    let facts = Patterns::find(&engine, Some(LessonKind::Fact), None, 10).unwrap();
    assert_eq!(facts, [fact]);
}

#[test]
fn what_is_pruned_from_the_archive_takes_its_pattern_with_it() {
    let world = World::new();
    let engine = world.engine();
    let id = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap()
        .lesson
        .id;
    apply(&world, &id, 2, 0);
    engine
        .update(
            &id,
            &PatternUpdate {
                name: Some("M".to_owned()),
                ..update("short")
            },
        )
        .unwrap();
    engine
        .set_status(&id, LessonStatus::Archived, "done")
        .unwrap();
    world.pass(DAY_MS);
    Upkeep::prune(&engine, world.clock.get(), false).unwrap();
    assert!(Patterns::get(&engine, &id).is_err());
    let again = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap();
    assert_eq!(
        (
            again.lesson.id.as_str(),
            again.evidence.applications,
            again.version
        ),
        (id.as_str(), 0, 1)
    );
    assert!(engine.history(&id).unwrap().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn applications_in_any_order_and_number_give_the_same_evidence(
        recorded in prop::collection::vec((0_usize..6, any::<bool>()), 1..24),
    ) {
        let evidence = |recorded: &[(usize, bool)]| {
            let world = World::new();
            let engine = world.engine();
            let id = engine.add(&new(LessonKind::Strategy, "measure first")).unwrap().lesson.id;
            let episodes: Vec<_> = (0..6).map(|_| episode(&world, "", Outcome::Success, 10)).collect();
            for (at, success) in recorded {
                let outcome = if *success { Outcome::Success } else { Outcome::Failure };
                engine.record_application(&id, &episodes[*at], outcome).unwrap();
            }
            Patterns::get(&engine, &id).unwrap().evidence
        };
        // The last word on each episode is what counts.
        let mut last = std::collections::BTreeMap::new();
        for (at, success) in &recorded {
            last.insert(*at, *success);
        }
        let last: Vec<_> = last.into_iter().collect();
        let (told, once) = (evidence(&recorded), evidence(&last));
        prop_assert_eq!(told.applications, last.len() as u32);
        prop_assert_eq!((told.applications, told.successes), (once.applications, once.successes));
        prop_assert_eq!((told.confidence, told.significance), (once.confidence, once.significance));
        prop_assert_eq!(told.supporting_episodes.len(), once.supporting_episodes.len());
    }
}

#[test]
fn the_relations_of_a_pattern_are_its_links() {
    let world = World::new();
    let engine = world.engine();
    let add = |summary: &str| {
        let given = new(LessonKind::Strategy, summary);
        engine.add(&given).unwrap().lesson.id
    };
    let (own, wider) = (add("sort tables"), add("order anything"));
    let (narrower, rival, friend) = (
        add("sort small tables"),
        add("hash it"),
        add("keep a backup"),
    );
    for (source, relation, target) in [
        (&own, Relation::Specializes, &wider),
        (&narrower, Relation::Specializes, &own),
        (&rival, Relation::Contradicts, &own),
        (&own, Relation::Complements, &friend),
    ] {
        let link = Link {
            source: source.clone(),
            relation,
            target: target.clone(),
            reason: String::new(),
            at: 0,
        };
        engine.relate(&link).unwrap();
    }
    let pattern = Patterns::get(&engine, &own).unwrap();
    assert_eq!(pattern.specializes, Some(wider.clone()));
    assert_eq!(pattern.generalizes, [narrower]);
    assert_eq!(pattern.contradicts, [rival]);
    assert_eq!(pattern.complements, [friend]);
    let wider = Patterns::get(&engine, &wider).unwrap();
    assert_eq!(wider.generalizes, [own]);
}

#[test]
fn what_an_application_saves_in_cost_is_measured() {
    let world = World::new();
    let engine = world.engine();
    let id = engine
        .add(&new(LessonKind::Strategy, "measure first"))
        .unwrap()
        .lesson
        .id;
    let priced = |cost: f64| {
        let started = engine.start(&run("sort the table")).unwrap();
        let account = Account {
            resource_usage: vec![Measure {
                name: "cost".to_owned(),
                value: cost,
            }],
            ..Account::default()
        };
        let described = Description {
            account: Some(account),
            ..Description::default()
        };
        engine.describe(&started.id, &described).unwrap();
        let ending = Ending {
            outcome: Some(Outcome::Success),
            score: None,
            referee: None,
        };
        engine.finish(&started.id, &ending).unwrap();
        started.id
    };
    for cost in [3.0, 5.0, 4.0, 4.0, 4.0] {
        priced(cost);
    }
    for cost in [1.0, 2.0] {
        let applied = priced(cost);
        engine
            .record_application(&id, &applied, Outcome::Success)
            .unwrap();
    }
    let evidence = engine.validate(&id).unwrap().evidence;
    assert_eq!(evidence.average_cost_saving, 4.0 - 1.5);
}
