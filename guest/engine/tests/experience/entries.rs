//! What is kept of an experience, what is refused, and the settings.

use super::*;

#[test]
fn an_experience_is_kept_with_all_that_is_known_of_it_and_is_an_episode_too() {
    let world = World::new();
    world.embeds.set(true);
    let given = NewExperience {
        structured_feedback: Some(StructuredFeedback {
            kind: FeedbackType::Success,
            correct: true,
            progress_rate: 1.0,
            steps_used: 3,
            steps_optimal: Some(3),
            message: "Task completed efficiently".to_owned(),
        }),
        strategy_card: Some(
            "When confronted with invoices, do sort them. Avoid pasting.".to_owned(),
        ),
        summary: Some("Sorting is by the second column".to_owned()),
        raw_trace: Some("looked, then sorted".to_owned()),
        domain: Some("cli".to_owned()),
        tags: vec!["table".to_owned(), "invoice".to_owned(), "table".to_owned()],
        metadata: vec![Metadata {
            name: "source".to_owned(),
            value: "ticket 12".to_owned(),
        }],
        ..new("sort the invoices", "sort -k2 invoices.csv", "success")
    };
    let evolution = world.engine().evolve(&given).expect("taken in");
    let kept = entry(&world, &evolution.entry.id);
    assert_eq!(kept, evolution.entry);
    assert_eq!(kept.input, "sort the invoices");
    assert_eq!(kept.output, "sort -k2 invoices.csv");
    assert_eq!(kept.feedback, "success");
    assert_eq!(kept.summary, "Sorting is by the second column");
    assert_eq!(kept.raw_trace, "looked, then sorted");
    assert_eq!(kept.tags, ["invoice", "table"]);
    assert_eq!((kept.domain.as_str(), kept.created_at), ("cli", START));
    assert_eq!(kept.metadata, given.metadata);
    assert_eq!(kept.structured_feedback, given.structured_feedback);
    assert_eq!(Some(&kept.strategy_card), given.strategy_card.as_ref());
    assert_eq!((kept.access_count, kept.last_accessed_at), (0, None));
    assert_eq!((kept.relevance_score, kept.has_embedding), (1.0, true));
    let episode = Episodes::get(&world.engine(), &kept.id).expect("an episode");
    assert_eq!(episode.task, kept.input);
    assert_eq!((episode.outcome, episode.steps), (Outcome::Success, 0));
    assert_eq!(world.engine().verify().expect("looked at"), []);
}

#[test]
fn the_basic_form_needs_task_answer_and_feedback_only() {
    let world = World::new();
    let kept = evolve(&world, TASKS[0], "sort -k2", "success").entry;
    assert_eq!(kept.summary, "success: sort the invoice table → sort -k2");
    assert_eq!(
        kept.strategy_card,
        "When confronted with sort the invoice table, do sort -k2."
    );
    assert_eq!(
        (kept.structured_feedback, kept.domain),
        (None, "general".to_owned())
    );
    let failed = evolve(&world, TASKS[1], "helm install", "failed: no route").entry;
    assert_eq!(failed.strategy_card, "", "only of successes");
    let episode = Episodes::get(&world.engine(), &failed.id).expect("an episode");
    assert_eq!(episode.outcome, Outcome::Failure);
}

#[test]
fn a_model_writes_the_summary_if_there_is_one_and_nothing_depends_on_it() {
    let world = World::new();
    let answers = [
        Ok(r#"{"summary": "Sort by the second column."}"#.to_owned()),
        Ok("no JSON".to_owned()),
        Err(host::Error::Busy("later".to_owned())),
    ];
    world.answers.borrow_mut().extend(answers);
    let said = evolve(&world, TASKS[0], "sort -k2", "success")
        .entry
        .summary;
    assert_eq!(said, "Sort by the second column.");
    for task in [TASKS[1], TASKS[2]] {
        let made = evolve(&world, task, "done so", "success").entry.summary;
        assert_eq!(made, format!("success: {task} → done so"));
    }
    assert_eq!(world.prompts.borrow().len(), 3);
}

#[test]
fn the_type_is_found_from_words_unless_it_is_told() {
    let world = World::new();
    for (input, kind) in [
        ("The capital of France is Paris", MemoryType::Factual),
        (
            "When solving quadratic equations, use the quadratic formula",
            MemoryType::Procedural,
        ),
        (
            "User asked about weather, I used the API tool",
            MemoryType::Episodic,
        ),
        ("process the nightly report", MemoryType::Episodic),
    ] {
        assert_eq!(
            evolve(&world, input, "", "").entry.memory_type,
            kind,
            "{input}"
        );
    }
    let told = NewExperience {
        memory_type: Some(MemoryType::Procedural),
        ..new(TASKS[0], "", "")
    };
    let told = world.engine().evolve(&told).expect("taken in");
    assert_eq!(told.entry.memory_type, MemoryType::Procedural);
}

#[test]
fn settings_have_the_defaults_of_the_document_and_are_refused_out_of_range() {
    let world = World::new();
    let engine = world.engine();
    let settings = Experience::settings(&engine).expect("settings");
    let expected = ExperienceSettings {
        enabled: true,
        max_size: 1_000,
        top_k: 4,
        window_size: 20,
        enable_rag: true,
        remem_enabled: false,
        max_inner_steps: 5,
        enable_smart_prune: true,
        prune_threshold: 0.95,
        relevance_decay: 0.99,
        min_relevance: 0.1,
    };
    assert_eq!(settings, expected);
    let wrong: [(&str, ExperienceSettings); 6] = [
        (
            "max-size",
            ExperienceSettings {
                max_size: 0,
                ..expected
            },
        ),
        (
            "top-k",
            ExperienceSettings {
                top_k: 101,
                ..expected
            },
        ),
        (
            "window-size",
            ExperienceSettings {
                window_size: 0,
                ..expected
            },
        ),
        (
            "max-inner-steps",
            ExperienceSettings {
                max_inner_steps: 21,
                ..expected
            },
        ),
        (
            "prune-threshold",
            ExperienceSettings {
                prune_threshold: 1.1,
                ..expected
            },
        ),
        (
            "relevance-decay",
            ExperienceSettings {
                relevance_decay: f64::NAN,
                ..expected
            },
        ),
    ];
    for (name, settings) in wrong {
        let error = engine.configure(&settings).expect_err(name);
        assert!(matches!(error, Error::InvalidArgument(_)));
        assert!(error.message().contains(name), "{error}");
    }
    assert_eq!(Experience::settings(&engine).expect("settings"), expected);
}

#[test]
fn what_holds_for_a_process_is_over_what_the_memory_has_and_is_not_kept() {
    let world = World::new();
    configure(&world, |settings| settings.top_k = 9);
    let says = |body: &str| {
        let document = host::Document {
            key: host::Key {
                kind: "experience-settings".to_owned(),
                id: "process".to_owned(),
            },
            body: body.to_owned(),
            ..host::Document::default()
        };
        let precondition = host::Precondition::Anything;
        let put = host::Change::Put(host::Put {
            document,
            precondition,
        });
        world.store.commit(&[put]).expect("said");
    };
    // A host answers this document; here the store stands for it.
    says(r#"{"settings":{"max-size":7}}"#);
    let holds = Experience::settings(&world.engine()).expect("settings");
    assert_eq!((holds.top_k, holds.max_size), (9, 7));
    says(r#"{"settings":{"max-size":0}}"#);
    let refused = Experience::settings(&world.engine()).expect_err("refused");
    assert!(refused.message().contains("max-size"), "{refused:?}");
    says(r#"{"settings":{}}"#);
    let holds = Experience::settings(&world.engine()).expect("settings");
    assert_eq!((holds.top_k, holds.max_size), (9, 1_000));
}

#[test]
fn bad_input_is_refused_by_name_and_changes_nothing() {
    let world = World::new();
    let engine = world.engine();
    let good = new("sort", "a", "success");
    let wrong = [
        (
            "input",
            NewExperience {
                input: " ".to_owned(),
                ..good.clone()
            },
        ),
        (
            "input",
            NewExperience {
                input: "x".repeat(20_000),
                ..good.clone()
            },
        ),
        (
            "domain",
            NewExperience {
                domain: Some("Not So".to_owned()),
                ..good.clone()
            },
        ),
        (
            "tags",
            NewExperience {
                tags: vec!["t".to_owned(); 33],
                ..good.clone()
            },
        ),
        (
            "tags",
            NewExperience {
                tags: vec![String::new()],
                ..good.clone()
            },
        ),
        (
            "output",
            NewExperience {
                output: "x".repeat((1 << 20) + 1),
                ..good.clone()
            },
        ),
        (
            "progress-rate",
            NewExperience {
                structured_feedback: Some(StructuredFeedback {
                    kind: FeedbackType::Success,
                    correct: true,
                    progress_rate: 1.5,
                    steps_used: 0,
                    steps_optimal: None,
                    message: String::new(),
                }),
                ..good
            },
        ),
    ];
    for (name, experience) in wrong {
        let error = engine.evolve(&experience).expect_err(name);
        assert!(matches!(error, Error::InvalidArgument(_)), "{error}");
        assert!(error.message().contains(name), "{error}");
    }
    assert_eq!(world.engine().stats_of().total_entries, 0);
    let episodes = world.engine().find_all_episodes();
    assert_eq!(episodes, 0);
}

#[test]
fn secrets_and_the_memorys_own_words_are_not_kept() {
    let world = World::new();
    let shown = {
        let id = evolve(&world, TASKS[2], "kubectl", "success").entry.id;
        world.engine().synthesize("x", &[id]).expect("context").text
    };
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let experience = NewExperience {
        raw_trace: Some(format!("export TOKEN={secret}")),
        ..new(
            &format!("sort {shown} the invoice table"),
            &format!("curl -H 'Authorization: Bearer {secret}'"),
            "success",
        )
    };
    let kept = world.engine().evolve(&experience).expect("taken in").entry;
    let json = serde_json::to_string(&kept).expect("JSON");
    assert!(!json.contains(secret), "{json}");
    assert!(
        !json.contains("twiceshy-memory") && !json.contains("kubectl"),
        "{json}"
    );
}
