//! What is kept of a pattern, how it is listed, and what is refused.

use super::*;

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
    assert!(told.contains("is a strategy"), "{told}");
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
        .propose(&crate::support::proposal(
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
            "`id` is `a b`",
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
            "source-episodes` has 65",
        ),
        (
            applicability(applying(&["x"; 33], &[])),
            "problem-types` has 33",
        ),
        (
            applicability(Applicability {
                least_complexity: Some(0.9),
                most_complexity: Some(0.1),
                ..Applicability::default()
            }),
            "the least must not be more",
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
            "`content.structure` is not JSON",
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
