//! Patterns: each category by what it is for, and how an episode updates them.

use twiceshy_engine::Engine;
use twiceshy_wit::memory::{
    Applicability, Episodes, FailureContext, Feature, FeatureTest, HeuristicContent, LessonKind,
    LessonStatus, Lessons, NewEpisode, NewPattern, Outcome, Pattern, PatternContent, Patterns,
    ProcedureContent, Recall, Requirement, StrategyContent, TaskFeatures, TemplateContent,
    TraceEntry,
};

use crate::support::{World, pattern};

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// A pattern that is used in planning.
fn add(engine: &Engine, new: &NewPattern) -> Pattern {
    let added = Patterns::add(engine, new).unwrap();
    let id = added.lesson.id;
    engine
        .set_status(&id, LessonStatus::Promoted, "proven elsewhere")
        .unwrap();
    Patterns::get(engine, &id).unwrap()
}

fn of_type(name: &str) -> Applicability {
    Applicability {
        problem_types: texts(&[name]),
        ..Applicability::default()
    }
}

fn asked(task_type: &str, domain: &str, features: &[(&str, &str)]) -> TaskFeatures {
    let feature = |(name, value): &(&str, &str)| Feature {
        name: (*name).to_owned(),
        value: (*value).to_owned(),
    };
    TaskFeatures {
        task_type: task_type.to_owned(),
        domain: domain.to_owned(),
        features: features.iter().map(feature).collect(),
        ..TaskFeatures::default()
    }
}

/// The pattern comes for a task that it is for, whole, and not for another.
fn applies(new: &NewPattern, fits: &TaskFeatures, other: &TaskFeatures) {
    let world = World::new();
    let engine = world.engine();
    let added = add(&engine, new);
    for category in [None, Some(new.kind)] {
        let of = |task: &TaskFeatures| TaskFeatures {
            category,
            ..task.clone()
        };
        let found = engine.find_applicable(&of(fits)).unwrap();
        assert_eq!(found.len(), 1, "{:?} {category:?}", new.kind);
        assert_eq!(found[0].pattern, added);
        assert_eq!(found[0].pattern.content, new.content);
        let none = engine.find_applicable(&of(other)).unwrap();
        assert!(none.is_empty(), "{:?} {category:?}", new.kind);
    }
}

#[test]
fn a_strategy_is_found_by_the_class_of_the_problem() {
    let new = NewPattern {
        applicability: Some(of_type("refactoring")),
        content: Some(PatternContent::Strategy(StrategyContent {
            approach: "HTN planning".to_owned(),
            key_principles: texts(&["small steps"]),
            trade_offs: "slower".to_owned(),
        })),
        ..pattern(LessonKind::Strategy, "HTN planning is best for refactoring")
    };
    applies(
        &new,
        &asked("refactoring", "", &[]),
        &asked("debugging", "", &[]),
    );
}

#[test]
fn a_decomposition_is_found_by_the_type_of_task_with_its_template_of_subtasks() {
    let new = NewPattern {
        applicability: Some(of_type("api-feature")),
        content: Some(PatternContent::Template(TemplateContent {
            structure: r#"{"subtasks":["design","implement","test"]}"#.to_owned(),
            parameters: texts(&["resource"]),
            instantiation_rules: texts(&["one for each resource"]),
        })),
        ..pattern(
            LessonKind::Decomposition,
            "An API feature is designed, implemented, tested",
        )
    };
    applies(
        &new,
        &asked("api-feature", "", &[]),
        &asked("migration", "", &[]),
    );
}

#[test]
fn a_sequence_is_found_by_the_type_of_subtask_with_its_next_steps_in_order() {
    let new = NewPattern {
        applicability: Some(of_type("install")),
        content: Some(PatternContent::Procedure(ProcedureContent {
            steps: texts(&["install", "import", "verify", "test"]),
            branching_logic: texts(&["import needs install"]),
            termination_conditions: texts(&["tests pass"]),
        })),
        ..pattern(LessonKind::Sequence, "Install, import, verify, test")
    };
    applies(&new, &asked("install", "", &[]), &asked("deploy", "", &[]));
}

#[test]
fn tools_are_chosen_by_the_features_of_the_task() {
    let new = NewPattern {
        applicability: Some(Applicability {
            context_conditions: vec![Requirement {
                feature: "language".to_owned(),
                test: FeatureTest::Equals,
                value: "python".to_owned(),
            }],
            ..of_type("refactoring")
        }),
        content: Some(PatternContent::Heuristic(HeuristicContent {
            condition: "Python is refactored".to_owned(),
            action: "use ast and black together".to_owned(),
            rationale: "one reads, one writes".to_owned(),
        })),
        ..pattern(
            LessonKind::ToolSelection,
            "Refactor Python with ast and black",
        )
    };
    let python = asked("refactoring", "", &[("language", "python")]);
    let rust = asked("refactoring", "", &[("language", "rust")]);
    applies(&new, &python, &rust);
}

#[test]
fn an_optimization_is_found_by_the_structure_of_the_work() {
    let new = NewPattern {
        applicability: Some(Applicability {
            context_conditions: vec![Requirement {
                feature: "independent_tasks".to_owned(),
                test: FeatureTest::AtLeast,
                value: "2".to_owned(),
            }],
            ..Applicability::default()
        }),
        ..pattern(
            LessonKind::Optimization,
            "Run independent tasks in parallel",
        )
    };
    let many = asked("", "", &[("independent_tasks", "4")]);
    let one = asked("", "", &[("independent_tasks", "1")]);
    applies(&new, &many, &one);
}

#[test]
fn a_practice_of_a_domain_is_found_by_domain_and_goal() {
    let new = NewPattern {
        applicability: Some(Applicability {
            domains: texts(&["fastapi"]),
            ..of_type("cross-cutting")
        }),
        ..pattern(LessonKind::Domain, "Middleware for what cuts across")
    };
    let fits = asked("cross-cutting", "fastapi", &[]);
    applies(&new, &fits, &asked("cross-cutting", "django", &[]));
    applies(&new, &fits, &asked("routing", "fastapi", &[]));
}

/// A pattern that answers a failure comes when that failure is met, and not at another.
fn answers(kind: LessonKind, summary: &str, signal: &str) {
    let world = World::new();
    let engine = world.engine();
    let id = twiceshy_wit::memory::Events::fingerprint_of(&engine, signal).id;
    let added = add(
        &engine,
        &NewPattern {
            trigger_fingerprints: vec![id],
            domain: Some("cli".to_owned()),
            ..pattern(kind, summary)
        },
    );
    let told = |evidence: &str| {
        let failure = FailureContext {
            evidence: evidence.to_owned(),
            fingerprint: None,
            action_text: None,
            domain: "cli".to_owned(),
            task: String::new(),
            limit: None,
            tokens: None,
        };
        let hints = engine.on_error(&failure).unwrap();
        let ids: Vec<_> = hints.into_iter().map(|hint| hint.lesson.id).collect();
        ids
    };
    assert_eq!(told(signal), [added.lesson.id]);
    assert_eq!(told("segmentation fault"), [""; 0]);
}

#[test]
fn a_failure_pattern_is_the_diagnosis_at_its_signal() {
    answers(
        LessonKind::Failure,
        "The install fails where pip is too old",
        "pip: could not build wheels for cryptography",
    );
}

#[test]
fn a_recovery_pattern_is_the_way_out_at_its_failure() {
    answers(
        LessonKind::Recovery,
        "Try again with backoff",
        "requests.exceptions.Timeout: read timed out",
    );
}

#[test]
fn learning_from_an_episode_counts_the_patterns_that_were_applied_in_it() {
    let world = World::new();
    let engine = world.engine();
    let known = add(
        &engine,
        &pattern(LessonKind::Strategy, "write the tests first"),
    );
    let episode = |id: &str, outcome| NewEpisode {
        id: Some(id.to_owned()),
        task: "write a parser".to_owned(),
        domain: "cli".to_owned(),
        session: None,
        agent: None,
        task_type: None,
        tools_used: Vec::new(),
        strategies_applied: vec![known.lesson.id.clone()],
        tags: Vec::new(),
        summary: None,
        started_at: None,
        ended_at: None,
        outcome,
        score: None,
        trace: vec![TraceEntry {
            after: 0,
            action: "cargo test".to_owned(),
            target: None,
            result: Some("fail".to_owned()),
            error: Some("error: unexpected token in the grammar".to_owned()),
        }],
        account: None,
    };
    let learned = engine
        .learn(
            &episode("ep-1", Outcome::Success),
            &texts(&["WRONG: cargo test → CORRECT: cargo test --lib"]),
        )
        .unwrap();
    assert_eq!(
        learned.applied_patterns,
        std::slice::from_ref(&known.lesson.id)
    );
    assert!(!learned.new_lessons.is_empty(), "an insight that is a rule");
    engine
        .learn(&episode("ep-2", Outcome::Failure), &[])
        .unwrap();
    let updated = Patterns::get(&engine, &known.lesson.id).unwrap();
    assert_eq!(
        (updated.evidence.applications, updated.evidence.successes),
        (2, 1)
    );
    assert_eq!(updated.evidence.supporting_episodes, ["ep-1"]);
    assert_eq!(updated.evidence.counter_episodes, ["ep-2"]);
    assert_eq!(updated.usage_count, known.usage_count + 2);
    assert_eq!(
        Episodes::get(&engine, "ep-1").unwrap().task,
        "write a parser"
    );
}
