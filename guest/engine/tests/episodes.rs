//! Episodes: what is known of them, how they come in, and how they are found again.

mod aging;
mod failures;
mod search;

use crate::support::{DAY, START, World, ending, failure, run, success};
use twiceshy_wit::memory::{
    Account, Adaptation, Artifact, Description, EncounteredError, EpisodeFilter, EpisodeHit,
    EpisodeQuery, Episodes, Error, EventFilter, Events, Facet, FailureSignature, LessonFilter,
    Lessons, Measure, NewEpisode, NewRun, Observed, Outcome, Phase, Runs, TraceEntry, Upkeep,
};

fn entry(after: u32, action: &str, target: &str, error: &str) -> TraceEntry {
    let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    TraceEntry {
        after,
        action: action.to_owned(),
        target: given(target),
        result: Some(if error.is_empty() { "pass" } else { "fail" }.to_owned()),
        error: given(error),
    }
}

fn from_elsewhere(task: &str) -> NewEpisode {
    NewEpisode {
        id: None,
        task: task.to_owned(),
        domain: "web".to_owned(),
        session: None,
        agent: None,
        task_type: None,
        tools_used: vec![],
        strategies_applied: vec![],
        tags: vec![],
        summary: None,
        started_at: None,
        ended_at: None,
        outcome: Outcome::Success,
        score: None,
        trace: vec![],
        account: None,
    }
}

/// The example episode of the memory hierarchy, with everything that the knowledge memory names beside.
fn example() -> NewEpisode {
    NewEpisode {
        id: Some("ep-2026-01-06-001".to_owned()),
        session: Some("session-7".to_owned()),
        agent: Some("eng-001-backend-api".to_owned()),
        task_type: Some("implementation".to_owned()),
        tools_used: vec!["editor".to_owned(), "npm".to_owned()],
        strategies_applied: vec!["tests first".to_owned()],
        tags: vec!["rest".to_owned(), "express".to_owned(), "rest".to_owned()],
        started_at: Some(START - 600_000),
        ended_at: Some(START - 300_000),
        outcome: Outcome::Partial,
        score: Some(0.75),
        trace: vec![
            entry(0, "read_file", "openapi.yaml", ""),
            entry(5_000, "write_file", "src/routes/todos.ts", ""),
            entry(
                120_000,
                "run_test",
                "todos.test.ts --fast",
                "TypeError: res.status is not a function",
            ),
            entry(200_000, "run_test", "todos.test.ts --slow", ""),
        ],
        account: Some(Account {
            goals: vec!["Implement POST /api/todos endpoint".to_owned()],
            constraints: vec!["No third-party deps".to_owned()],
            success_criteria: vec!["tests pass".to_owned()],
            context: r#"{"branch":"main"}"#.to_owned(),
            phase: Some("development".to_owned()),
            files_involved: vec!["src/routes/todos.ts".to_owned()],
            complexity: Some(0.4),
            plan: vec!["read the contract".to_owned(), "write the route".to_owned()],
            adaptations: vec![Adaptation {
                step: Some(2),
                change: "return void".to_owned(),
                reason: "the handler must".to_owned(),
            }],
            resource_usage: vec![Measure {
                name: "tokens_used".to_owned(),
                value: 8_500.0,
            }],
            primary_output: Some("a route".to_owned()),
            side_effects: vec!["todos.db grew".to_owned()],
            quality_metrics: vec![Measure {
                name: "coverage".to_owned(),
                value: 0.9,
            }],
            insights: vec!["Express handlers return void".to_owned()],
            patterns_discovered: vec!["les_0123456789abcdef".to_owned()],
            errors_encountered: vec![EncounteredError {
                kind: "TypeScript compilation".to_owned(),
                message: "Missing return type".to_owned(),
                resolution: "Added explicit :void".to_owned(),
            }],
            performance_analysis: Some("two detours".to_owned()),
            artifacts: vec![Artifact {
                name: "src/routes/todos.ts".to_owned(),
                media_type: "text/typescript".to_owned(),
                hash: None,
                bytes: 1_024,
            }],
            git_commit: Some("abc123".to_owned()),
        }),
        ..from_elsewhere("Implement the POST /api/todos endpoint")
    }
}

fn message(error: Error) -> String {
    error.message().to_owned()
}

#[test]
fn an_episode_from_elsewhere_is_kept_with_everything_that_is_known_of_it() {
    let world = World::new();
    let engine = world.engine();
    let added = engine.add(&example()).unwrap();
    assert_eq!(added.id, "ep-2026-01-06-001");
    assert_eq!(
        (added.started_at, added.ended_at),
        (START - 600_000, START - 300_000)
    );
    assert_eq!((added.outcome, added.score), (Outcome::Partial, Some(0.75)));
    assert_eq!(
        (added.session.as_str(), added.agent.as_str()),
        ("session-7", "eng-001-backend-api")
    );
    assert_eq!(added.task_type, "implementation");
    assert_eq!(added.tags, ["express", "rest"]);
    assert_eq!(added.tools_used, ["editor", "npm"]);
    assert_eq!(added.strategies_applied, ["tests first"]);
    assert_eq!((added.steps, added.failures), (4, 1));
    assert_eq!(Episodes::get(&engine, &added.id).unwrap(), added);
    let full = engine.retrieve(&added.id).unwrap();
    assert_eq!(full.episode, added);
    assert_eq!(full.account, example().account.unwrap());
    assert_eq!(full.consolidated, None);
    let steps = engine.trace(&added.id, 0).unwrap();
    let times: Vec<_> = steps
        .iter()
        .map(|step| step.at - added.started_at)
        .collect();
    assert_eq!(times, [0, 5_000, 120_000, 200_000]);
    assert_eq!(
        steps[2].feedback.action_text,
        "run_test todos.test.ts --fast"
    );
    assert!(steps[2].fingerprint.is_some() && steps[3].fingerprint.is_none());
    let events = Events::find(
        &engine,
        &EventFilter {
            run: Some(added.id.clone()),
            ..EventFilter::default()
        },
    )
    .unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].at, START - 480_000);
    let lessons = Lessons::find(&engine, &LessonFilter::default()).unwrap();
    assert_eq!(
        lessons.len(),
        1,
        "what failed and worked later teaches: {lessons:?}"
    );
    assert_eq!(engine.verify().unwrap(), []);
}

#[test]
fn an_episode_that_is_not_as_it_should_be_is_refused_by_member_and_changes_nothing() {
    let world = World::new();
    let engine = world.engine();
    let wrong = |change: fn(&mut NewEpisode)| {
        let mut episode = example();
        change(&mut episode);
        message(engine.add(&episode).unwrap_err())
    };
    type Case = (&'static str, fn(&mut NewEpisode));
    let cases: [Case; 12] = [
        ("episode.id", |episode| episode.id = Some("a b".to_owned())),
        ("episode.task", |episode| episode.task = " ".to_owned()),
        ("episode.domain", |episode| {
            episode.domain = "Web!".to_owned()
        }),
        ("episode.score", |episode| episode.score = Some(1.5)),
        ("episode.ended-at", |episode| {
            episode.ended_at = Some(START + 1)
        }),
        ("episode.ended-at", |episode| {
            episode.ended_at = Some(START - 500_000)
        }),
        ("episode.trace[2].after", |episode| episode.trace.swap(1, 2)),
        ("episode.tags[0]", |episode| {
            episode.tags = vec!["x".repeat(65)]
        }),
        ("episode.session", |episode| {
            episode.session = Some("a\nb".to_owned())
        }),
        ("account.complexity", |episode| {
            episode.account.as_mut().unwrap().complexity = Some(f64::NAN);
        }),
        ("account.context", |episode| {
            episode.account.as_mut().unwrap().context = "[1]".to_owned();
        }),
        ("account.goals", |episode| {
            episode.account.as_mut().unwrap().goals = vec!["goal".to_owned(); 65];
        }),
    ];
    for (member, change) in cases {
        let said = wrong(change);
        assert!(said.contains(member), "{member}: {said}");
    }
    let trace = vec![entry(0, "a", "", ""); 201];
    let many = NewEpisode { trace, ..example() };
    assert!(message(engine.add(&many).unwrap_err()).contains("episode.trace` has 201"));
    assert_eq!(engine.status().unwrap().episodes, 0);
    engine.add(&example()).unwrap();
    assert!(matches!(engine.add(&example()), Err(Error::Conflict(_))));
}

#[test]
fn what_is_said_of_an_open_run_becomes_part_of_its_episode() {
    let world = World::new();
    let engine = world.engine();
    let begun = NewRun {
        session: Some("s1".to_owned()),
        agent: Some("coder".to_owned()),
        task_type: Some("bugfix".to_owned()),
        tags: vec!["b".to_owned(), "a".to_owned()],
        ..run("make the build pass")
    };
    let id = engine.start(&begun).unwrap().id;
    engine.observe(&id, &success("cargo build")).unwrap();
    let description = Description {
        task_type: None,
        tools_used: vec!["cargo".to_owned()],
        strategies_applied: vec!["bisect".to_owned()],
        tags: vec![],
        summary: None,
        account: Some(Account {
            goals: vec!["a green build".to_owned()],
            plan: vec!["look".to_owned()],
            ..Account::default()
        }),
    };
    engine.describe(&id, &description).unwrap();
    let again = Description {
        summary: Some("the build is green again".to_owned()),
        account: Some(Account {
            plan: vec!["look".to_owned(), "mend".to_owned()],
            complexity: Some(0.2),
            ..Account::default()
        }),
        tools_used: vec![],
        strategies_applied: vec![],
        ..description
    };
    engine.describe(&id, &again).unwrap();
    let episode = engine.finish(&id, &ending()).unwrap();
    assert_eq!(
        (episode.session.as_str(), episode.agent.as_str()),
        ("s1", "coder")
    );
    assert_eq!(episode.task_type, "bugfix");
    assert_eq!(episode.tags, ["a", "b"]);
    assert_eq!(episode.tools_used, ["cargo"]);
    assert_eq!(episode.strategies_applied, ["bisect"]);
    assert_eq!(episode.summary, "the build is green again");
    let account = engine.retrieve(&id).unwrap().account;
    assert_eq!(
        account.goals,
        ["a green build"],
        "what is not said again stays"
    );
    assert_eq!(
        account.plan,
        ["look", "mend"],
        "what is said again replaces"
    );
    assert_eq!(account.complexity, Some(0.2));
    let late = engine.describe(&id, &again);
    assert!(matches!(late, Err(Error::Conflict(_))), "{late:?}");
}

#[test]
fn a_summary_tells_the_task_what_failed_what_worked_and_what_was_learned() {
    let world = World::new();
    let engine = world.engine();
    let learned = engine.add(&example()).unwrap();
    assert_eq!(
        learned.summary,
        "Implement the POST /api/todos endpoint: partial, 4 steps, 1 failed\n\
         Failed: run_test todos.test.ts --fast (typeerror: <id> is not a function); worked: run_test \
         todos.test.ts --slow\n\
         Learned: Express handlers return void"
    );
}

#[test]
fn an_account_has_no_secrets_and_nothing_that_the_memory_itself_said() {
    let world = World::new();
    let engine = world.engine();
    let token = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";
    let mut episode = example();
    let account = episode.account.as_mut().unwrap();
    account.primary_output = Some(format!("token {token}"));
    account.context = format!(r#"{{"token": "{token}"}}"#);
    account.insights = vec![format!("use {token}")];
    episode.summary = Some(format!("with {token}"));
    episode.tags = vec![token.to_owned()];
    let full = engine.retrieve(&engine.add(&episode).unwrap().id).unwrap();
    assert!(!format!("{full:?}").contains("ghp_0123456789"), "{full:?}");
}

#[test]
fn a_long_output_is_shortened_and_kept_whole_beside_the_store() {
    let world = World::new();
    let engine = world.engine();
    let output = format!(
        "begin {} token=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB end",
        "ж".repeat(50_000)
    );
    let mut episode = example();
    episode.account.as_mut().unwrap().primary_output = Some(output.clone());
    let id = engine.add(&episode).unwrap().id;
    let account = engine.retrieve(&id).unwrap().account;
    let short = account.primary_output.unwrap();
    assert!(
        short.len() <= 4 << 10 && short.contains("[…]"),
        "{}",
        short.len()
    );
    let artifact = account
        .artifacts
        .iter()
        .find(|one| one.name == "primary-output")
        .unwrap();
    let whole = engine
        .artifact_content(artifact.hash.as_ref().unwrap())
        .unwrap();
    let whole = String::from_utf8(whole).unwrap();
    assert!(whole.starts_with("begin ж") && whole.ends_with("end") && whole.len() > 100_000);
    assert!(
        !whole.contains("ghp_0123456789"),
        "secrets are masked in artifacts, too"
    );
}

#[test]
fn an_artifact_is_kept_by_its_hash_and_text_is_masked_before() {
    let world = World::new();
    let engine = world.engine();
    let binary = [0u8, 159, 146, 150];
    let kept = engine
        .keep_artifact("image.bin", "application/octet-stream", &binary)
        .unwrap();
    assert_eq!(kept.bytes, 4);
    let hash = kept.hash.unwrap();
    assert_eq!(engine.artifact_content(&hash).unwrap(), binary);
    let text = br#"{"password": "hunter2hunter2", "n": 1}"#;
    let kept = engine
        .keep_artifact("a.json", "application/json", text)
        .unwrap();
    let content = engine.artifact_content(&kept.hash.unwrap()).unwrap();
    let content = String::from_utf8(content).unwrap();
    assert!(
        !content.contains("hunter2") && content.contains("\"n\""),
        "{content}"
    );
    // A log with a stray byte is a text.
    let log = b"caf\xe9 opened\nexport DB_PASSWORD=hunter2hunter2\n\x00done\n";
    let kept = engine.keep_artifact("app.log", "text/plain", log).unwrap();
    let content = engine.artifact_content(&kept.hash.unwrap()).unwrap();
    assert!(content.starts_with(b"caf\xe9 opened\n") && content.ends_with(b"\n\x00done\n"));
    assert!(!content.windows(7).any(|bytes| bytes == b"hunter2"));
    assert!(matches!(
        engine.keep_artifact(" ", "", b""),
        Err(Error::InvalidArgument(_))
    ));
    assert!(matches!(
        engine.artifact_content("../x"),
        Err(Error::InvalidArgument(_))
    ));
}

#[test]
fn episodes_are_found_by_every_attribute() {
    let world = World::new();
    let engine = world.engine();
    let other = NewEpisode {
        ended_at: Some(START - 10 * DAY),
        ..from_elsewhere("something else")
    };
    engine.add(&other).unwrap();
    let episode = engine.add(&example()).unwrap();
    let some = |text: &str| Some(text.to_owned());
    let none = EpisodeFilter::default;
    let filters = [
        EpisodeFilter {
            task_type: some("implementation"),
            ..none()
        },
        EpisodeFilter {
            outcome: Some(Outcome::Partial),
            ..none()
        },
        EpisodeFilter {
            session: some("session-7"),
            ..none()
        },
        EpisodeFilter {
            agent: some("eng-001-backend-api"),
            ..none()
        },
        EpisodeFilter {
            tag: some("rest"),
            ..none()
        },
        EpisodeFilter {
            tool: some("npm"),
            ..none()
        },
        EpisodeFilter {
            strategy: some("tests first"),
            ..none()
        },
        EpisodeFilter {
            fingerprint: Some(episode.fingerprints[0].clone()),
            ..none()
        },
        EpisodeFilter {
            since: Some(START - DAY),
            domain: some("web"),
            ..none()
        },
    ];
    for filter in filters {
        let found = Episodes::find(&engine, &filter).unwrap();
        assert_eq!(found, std::slice::from_ref(&episode), "{filter:?}");
    }
    let all = Episodes::find(
        &engine,
        &EpisodeFilter {
            domain: some("web"),
            ..none()
        },
    )
    .unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!(all[0], episode, "newest first");
    let old = EpisodeFilter {
        until: Some(START - DAY),
        ..none()
    };
    assert_eq!(Episodes::find(&engine, &old).unwrap().len(), 1);
    let turned = EpisodeFilter {
        since: Some(2),
        until: Some(1),
        ..none()
    };
    assert!(matches!(
        Episodes::find(&engine, &turned),
        Err(Error::InvalidArgument(_))
    ));
}

#[test]
fn learning_from_an_episode_stores_it_and_tells_what_is_new_and_what_is_confirmed() {
    let world = World::new();
    let engine = world.engine();
    let insights = [
        "WRONG: run_test todos.test.ts --fast → CORRECT: run_test todos.test.ts --slow".to_owned(),
        "tests need a slow mode".to_owned(),
    ];
    let learned = engine.learn(&example(), &insights).unwrap();
    assert!(!learned.new_lessons.is_empty(), "{learned:?}");
    assert_eq!(learned.reinforced_lessons, Vec::<String>::new());
    assert_eq!(
        learned.applied_patterns,
        Vec::<String>::new(),
        "`tests first` is no pattern"
    );
    assert!(learned.text.contains("new lesson"), "{}", learned.text);
    let account = engine.retrieve(&learned.episode.id).unwrap().account;
    assert_eq!(
        account.insights[1..],
        insights,
        "insights are part of the account"
    );
    let proposed: Vec<_> = learned
        .new_lessons
        .iter()
        .map(|id| Lessons::get(&engine, id).unwrap())
        .collect();
    assert!(
        proposed
            .iter()
            .all(|lesson| lesson.trigger_fingerprints == learned.episode.fingerprints)
    );
    let again = NewEpisode {
        id: Some("again".to_owned()),
        ..example()
    };
    let again = engine.learn(&again, &insights).unwrap();
    assert_eq!(again.reinforced_lessons, learned.new_lessons);
    assert_eq!(again.new_lessons, Vec::<String>::new());
    let referenced = engine
        .lifecycle_of(&learned.episode.id)
        .unwrap()
        .referenced_by;
    assert_eq!(
        referenced, learned.new_lessons,
        "lessons refer to the episodes they were learned in"
    );
}
