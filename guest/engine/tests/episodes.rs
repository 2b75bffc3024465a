//! Episodes: what is known of them, how they come in, and how they are found again.

mod support;

use support::{DAY, START, World, ending, failure, run, success};
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
    assert!(message(engine.add(&many).unwrap_err()).contains("episode.trace has 201"));
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

fn query(text: &str) -> EpisodeQuery {
    EpisodeQuery {
        text: text.to_owned(),
        ..EpisodeQuery::default()
    }
}

/// The ids of an answer.
fn ids(hits: &[EpisodeHit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.episode.id.as_str()).collect()
}

fn add(world: &World, id: &str, task: &str, days_ago: u64, change: fn(&mut NewEpisode)) {
    let mut episode = NewEpisode {
        id: Some(id.to_owned()),
        ended_at: Some(world.clock.get() - days_ago * DAY),
        ..from_elsewhere(task)
    };
    change(&mut episode);
    world.engine().add(&episode).unwrap();
}

#[test]
fn relevance_is_the_formula_of_the_document_with_its_parts() {
    let world = World::new();
    add(&world, "one", "parse the csv file quickly", 15, |_| {});
    let engine = world.engine();
    for _ in 0..20 {
        engine.retrieve("one").unwrap();
    }
    let asked = EpisodeQuery {
        preferred_domain: Some("web".to_owned()),
        ..query("parse the csv file slowly")
    };
    let hits = Episodes::search(&engine, &asked).unwrap();
    let EpisodeHit {
        score,
        parts,
        phase,
        by_meaning,
        ..
    } = &hits[0];
    assert_eq!((*phase, *by_meaning), (Phase::Active, false));
    // parse, csv, file of four words each: 2·3/8.
    assert!((parts.similarity - 0.75).abs() < 1e-12, "{parts:?}");
    assert!((parts.recency - (-0.5f64).exp()).abs() < 1e-12);
    assert_eq!((parts.success, parts.same_domain), (1.0, 1.0));
    assert!((parts.access - 21f64.ln() / 10.0).abs() < 1e-12);
    // 0.5·0.75 + 0.2·0.606531 + 0.15 + 0.1·0.304452 + 0.05
    assert!((score - 0.726_751_2).abs() < 1e-6, "{score}");
}

#[test]
fn an_access_counts_only_when_an_episode_is_retrieved() {
    let world = World::new();
    add(&world, "one", "parse the csv file", 1, |_| {});
    let engine = world.engine();
    Episodes::search(&engine, &query("parse csv")).unwrap();
    Episodes::get(&engine, "one").unwrap();
    assert_eq!(engine.lifecycle_of("one").unwrap().access_count, 0);
    assert_eq!(engine.lifecycle_of("one").unwrap().last_accessed, None);
    let before = Episodes::get(&engine, "one").unwrap();
    world.pass(5);
    engine.retrieve("one").unwrap();
    let lifecycle = engine.retrieve("one").unwrap().lifecycle;
    assert_eq!(
        (lifecycle.access_count, lifecycle.last_accessed),
        (2, Some(START + 5))
    );
    assert_eq!(
        Episodes::get(&engine, "one").unwrap(),
        before,
        "the episode itself does not change"
    );
}

#[test]
fn filters_and_words_are_joined_and_the_best_come_first() {
    let world = World::new();
    add(&world, "failed", "deploy the web shop", 1, |episode| {
        episode.outcome = Outcome::Failure
    });
    add(&world, "worked", "deploy the web shop", 2, |_| {});
    add(&world, "elsewhere", "deploy the web shop", 1, |episode| {
        episode.domain = "cli".to_owned()
    });
    add(&world, "old", "deploy the web shop", 50, |_| {});
    add(&world, "other", "write a poem", 1, |_| {});
    let engine = world.engine();
    let search = |query: EpisodeQuery| {
        let hits = Episodes::search(&engine, &query).unwrap();
        ids(&hits).join(" ")
    };
    assert_eq!(
        search(query("deploy a shop")),
        "elsewhere worked failed old"
    );
    let web = EpisodeQuery {
        domain: Some("web".to_owned()),
        ..query("deploy a shop")
    };
    assert_eq!(search(web.clone()), "worked failed old");
    assert_eq!(
        search(EpisodeQuery {
            only_successful: Some(true),
            ..web.clone()
        }),
        "worked old"
    );
    assert_eq!(
        search(EpisodeQuery {
            prefer_recent: Some(true),
            ..web.clone()
        }),
        "worked failed"
    );
    let days = EpisodeQuery {
        prefer_recent: Some(true),
        recent_days: Some(60),
        ..web.clone()
    };
    assert_eq!(search(days), "worked failed old");
    assert_eq!(
        search(EpisodeQuery {
            limit: Some(1),
            ..web.clone()
        }),
        "worked"
    );
    let since = EpisodeQuery {
        since: Some(START - 3 * DAY),
        ..EpisodeQuery::default()
    };
    assert_eq!(
        search(since),
        "elsewhere failed other worked",
        "by time alone, newest first"
    );
    let both = EpisodeQuery {
        only_successful: Some(true),
        outcome: Some(Outcome::Failure),
        ..web
    };
    assert!(matches!(
        Episodes::search(&engine, &both),
        Err(Error::InvalidArgument(_))
    ));
}

#[test]
fn an_episode_is_found_by_its_task_by_its_outcome_or_by_all_of_it() {
    let world = World::new();
    world.embeds.set(true);
    // Near in meaning is here what has the same letters: one by its task, the other by what came out of it.
    add(&world, "asked", "zzz qqq zzz qqq", 1, |episode| {
        episode.account = Some(Account {
            primary_output: Some("aaa bbb".to_owned()),
            ..Account::default()
        });
    });
    add(&world, "made", "aaa bbb", 1, |episode| {
        episode.account = Some(Account {
            primary_output: Some("zzz qqq ".repeat(40)),
            ..Account::default()
        });
    });
    let engine = world.engine();
    let nearest = |facet| {
        let asked = EpisodeQuery {
            facet: Some(facet),
            ..query("qzqzqzqz")
        };
        let mut hits = Episodes::search(&engine, &asked).unwrap();
        hits.sort_by(|left, right| right.parts.similarity.total_cmp(&left.parts.similarity));
        assert!(hits[0].by_meaning, "{facet:?}");
        (hits[0].episode.id.clone(), hits[0].parts.similarity)
    };
    let (by_task, task) = nearest(Facet::Task);
    let (by_outcome, outcome) = nearest(Facet::Outcome);
    let (_, full) = nearest(Facet::Full);
    assert_eq!((by_task.as_str(), by_outcome.as_str()), ("asked", "made"));
    // All of it is neither the task alone nor the outcome alone.
    assert!(
        task > 0.99 && full != task && full != outcome,
        "{task} {outcome} {full}"
    );
}

#[test]
fn of_many_episodes_of_one_task_the_newest_and_a_success_are_found() {
    let world = World::new();
    for number in 0..150u64 {
        let id = format!("run-{number:03}");
        add(
            &world,
            &id,
            "sync the mirrors",
            29 - number / 6,
            |episode| {
                episode.outcome = Outcome::Failure;
            },
        );
    }
    add(&world, "a-success", "sync the mirrors", 20, |_| {});
    add(
        &world,
        "another-task",
        "sync the mirrors at night",
        10,
        |_| {},
    );
    let hits = Episodes::search(&world.engine(), &query("sync the mirrors")).unwrap();
    let ids = ids(&hits);
    assert_eq!(ids.len(), 5);
    assert!(ids.contains(&"a-success"), "{ids:?}");
    assert!(
        hits.iter()
            .any(|hit| hit.episode.ended_at == START - 5 * DAY),
        "{ids:?}"
    );
}

#[test]
fn meaning_finds_what_words_do_not_and_never_makes_it_worse() {
    let world = World::new();
    world.embeds.set(true);
    add(&world, "anagram", "night listen dusty", 1, |_| {});
    add(&world, "words", "thing silent study", 1, |episode| {
        episode.outcome = Outcome::Failure
    });
    let engine = world.engine();
    let hits = Episodes::search(&engine, &query("silent study thing")).unwrap();
    assert_eq!(
        ids(&hits),
        ["anagram", "words"],
        "the same letters are the same meaning here"
    );
    assert!(
        hits.iter()
            .all(|hit| hit.by_meaning && hit.parts.similarity > 0.99)
    );
    for facet in [Facet::Outcome, Facet::Full] {
        let asked = EpisodeQuery {
            facet: Some(facet),
            ..query("silent study thing")
        };
        let hits = Episodes::search(&engine, &asked).unwrap();
        assert!(hits.iter().any(|hit| hit.by_meaning), "{facet:?}");
    }
    // An embedder whose vectors have another length: words alone count, and episodes go on being kept.
    world.dimensions.set(7);
    add(&world, "later", "silent study thing", 1, |_| {});
    let hits = Episodes::search(&engine, &query("silent study thing")).unwrap();
    assert_eq!(ids(&hits), ["later", "words"]);
    assert!(hits.iter().all(|hit| !hit.by_meaning));
    world.embeds.set(false);
    let hits = Episodes::search(&engine, &query("silent study thing")).unwrap();
    assert_eq!(ids(&hits), ["later", "words"]);
}

#[test]
fn the_same_failure_comes_first_then_like_ones_each_with_what_worked() {
    let world = World::new();
    let engine = world.engine();
    let finished = |id: &str, steps: &[Observed]| {
        let new = NewRun {
            id: Some(id.to_owned()),
            ..run("load the data")
        };
        engine.submit(&new, steps, &ending()).unwrap();
        world.pass(1_000);
    };
    let missing = "ValueError: the column price is missing in sales.csv";
    finished(
        "solved",
        &[
            failure("load sales.csv --columns price", missing),
            success("ls"),
            success("load sales.csv --columns amount"),
        ],
    );
    finished(
        "unsolved",
        &[failure("load other.csv --columns price", missing)],
    );
    finished(
        "alike",
        &[
            failure(
                "load x.csv",
                "KeyError: the column price is missing in the header of x.csv",
            ),
            success("load x.csv"),
        ],
    );
    finished(
        "unlike",
        &[failure("curl x", "curl: (6) could not resolve host: x")],
    );
    let signature = FailureSignature {
        evidence: missing.to_owned(),
        fingerprint: None,
        domain: None,
        limit: None,
    };
    let found = engine.similar_failures(&signature).unwrap();
    let shown: Vec<_> = found
        .iter()
        .map(|failure| (failure.episode.id.as_str(), failure.resolution.as_str()))
        .collect();
    assert_eq!(
        shown,
        [
            ("unsolved", ""),
            ("solved", "load sales.csv --columns amount"),
            ("alike", "load x.csv"),
        ]
    );
    assert_eq!((found[0].similarity, found[1].similarity), (1.0, 1.0));
    assert!(
        (0.35..1.0).contains(&found[2].similarity),
        "{}",
        found[2].similarity
    );
    assert_eq!(
        (found[1].step, found[1].action_text.as_str()),
        (0, "load sales.csv --columns price")
    );
    let by_id = FailureSignature {
        evidence: String::new(),
        fingerprint: Some(found[0].fingerprint.clone()),
        limit: Some(2),
        ..signature.clone()
    };
    assert_eq!(engine.similar_failures(&by_id).unwrap().len(), 2);
    let elsewhere = FailureSignature {
        domain: Some("web".to_owned()),
        ..signature.clone()
    };
    assert_eq!(engine.similar_failures(&elsewhere).unwrap(), []);
    let empty = FailureSignature {
        evidence: " ".to_owned(),
        ..signature
    };
    assert!(matches!(
        engine.similar_failures(&empty),
        Err(Error::InvalidArgument(_))
    ));
}

#[test]
fn what_the_account_says_of_an_error_is_its_resolution() {
    let world = World::new();
    let engine = world.engine();
    let error = "error TS7010: handler lacks a return type";
    let mut episode = from_elsewhere("type the handlers");
    episode.trace = vec![entry(0, "tsc", "", error)];
    episode.account = Some(Account {
        errors_encountered: vec![EncounteredError {
            kind: "TypeScript compilation".to_owned(),
            message: error.to_owned(),
            resolution: "Added explicit :void".to_owned(),
        }],
        ..Account::default()
    });
    engine.add(&episode).unwrap();
    let signature = FailureSignature {
        evidence: error.to_owned(),
        fingerprint: None,
        domain: None,
        limit: None,
    };
    assert_eq!(
        engine.similar_failures(&signature).unwrap()[0].resolution,
        "Added explicit :void"
    );
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
