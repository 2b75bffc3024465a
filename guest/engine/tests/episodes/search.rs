//! The search for episodes: by words, by meaning, by outcome.

use super::*;

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
fn an_episode_is_found_by_what_its_account_says_and_one_whose_task_says_it_comes_first() {
    let world = World::new();
    add(&world, "learned", "ship the release", 1, |episode| {
        episode.account = Some(Account {
            insights: vec!["the notarisation ticket must be stapled".to_owned()],
            errors_encountered: vec![EncounteredError {
                kind: "codesign".to_owned(),
                message: "unsealed contents".to_owned(),
                resolution: "delete the quarantine attribute".to_owned(),
            }],
            primary_output: Some("a universal binary".to_owned()),
            ..Account::default()
        });
    });
    add(&world, "other", "water the plants", 1, |_| {});
    let engine = world.engine();
    for said in [
        "staple the notarisation ticket",
        "unsealed contents",
        "quarantine attribute",
        "universal binary",
    ] {
        let hits = Episodes::search(&engine, &query(said)).unwrap();
        assert_eq!(ids(&hits), ["learned"], "{said}");
        assert!(hits[0].parts.similarity > 0.5, "{said}: {hits:?}");
    }
    let elsewhere = EpisodeQuery {
        domain: Some("elsewhere".to_owned()),
        ..query("universal binary")
    };
    assert_eq!(Episodes::search(&engine, &elsewhere), Ok(Vec::new()));
    add(&world, "task", "build a universal binary", 1, |_| {});
    let hits = Episodes::search(&engine, &query("universal binary")).unwrap();
    assert_eq!(ids(&hits), ["task", "learned"]);
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
        ["words", "anagram"],
        "the same letters are the same meaning here, and the same words are more"
    );
    assert!(hits.iter().all(|hit| hit.by_meaning));
    assert!(hits[0].parts.similarity > 0.99 && hits[1].parts.similarity < hits[0].parts.similarity);
    for (facet, text) in [
        (Facet::Outcome, "failure: thing silent study"),
        (Facet::Full, "silent study thing"),
    ] {
        let asked = EpisodeQuery {
            facet: Some(facet),
            ..query(text)
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

/// An episode whose account says what was printed.
fn add_printing(world: &World, id: &str, printed: &str, change: fn(&mut NewEpisode)) {
    let account = Account {
        primary_output: Some(printed.to_owned()),
        ..Account::default()
    };
    let mut episode = NewEpisode {
        id: Some(id.to_owned()),
        account: Some(account),
        ended_at: Some(world.clock.get() - DAY),
        ..from_elsewhere(&format!("chore number {id}"))
    };
    change(&mut episode);
    world.engine().add(&episode).unwrap();
}

const PRINTED: &str = "the flux capacitor overheats";

/// What many accounts fit better than the one that is sought.
fn crowd(world: &World, change: fn(&mut NewEpisode)) {
    for number in 0..40 {
        add_printing(world, &format!("crowd-{number}"), PRINTED, change);
    }
}

#[test]
fn an_account_is_found_behind_many_that_do_not_meet_the_conditions() {
    let world = World::new();
    crowd(&world, |episode| episode.domain = "cli".to_owned());
    let sought = format!("{PRINTED} in the yard behind the house of the mayor");
    add_printing(&world, "sought", &sought, |episode| {
        episode.session = Some("s-1".to_owned());
        episode.tools_used = vec!["wrench".to_owned()];
        episode.outcome = Outcome::Partial;
    });
    let engine = world.engine();
    let plain = query(PRINTED);
    let web = Some("web".to_owned());
    let asked = [
        EpisodeQuery {
            domain: web,
            ..plain.clone()
        },
        EpisodeQuery {
            session: Some("s-1".to_owned()),
            ..plain.clone()
        },
        EpisodeQuery {
            tool: Some("wrench".to_owned()),
            ..plain.clone()
        },
        EpisodeQuery {
            outcome: Some(Outcome::Partial),
            ..plain.clone()
        },
    ];
    for asked in asked {
        let hits = Episodes::search(&engine, &asked).unwrap();
        assert_eq!(ids(&hits), ["sought"], "{asked:?}");
    }
}

#[test]
fn an_account_is_found_behind_many_of_deleted_episodes_and_so_is_a_vector() {
    for embeds in [false, true] {
        let world = World::new();
        world.embeds.set(embeds);
        crowd(&world, |episode| {
            episode.task = "chore number crowd".to_owned()
        });
        let engine = world.engine();
        for number in 0..40 {
            engine
                .soft_delete(&format!("crowd-{number}"), "done with")
                .unwrap();
        }
        let sought = format!("{PRINTED} in the yard");
        add_printing(&world, "sought", &sought, |episode| {
            episode.task = "chore number crowds".to_owned();
        });
        let asked = match embeds {
            // The letters of the tasks that are gone, and no word.
            true => query("dworc rebmun erohc"),
            false => query(PRINTED),
        };
        let hits = Episodes::search(&engine, &asked).unwrap();
        assert_eq!(ids(&hits), ["sought"], "{embeds}");
    }
}

#[test]
fn an_account_written_while_its_run_was_open_is_found_by_what_its_episode_says() {
    let world = World::new();
    crowd(&world, |_| {});
    let engine = world.engine();
    let open = engine
        .start(&NewRun {
            session: Some("s-1".to_owned()),
            ..run("a chore of another kind")
        })
        .unwrap();
    let account = Account {
        primary_output: Some(format!("{PRINTED} in the yard behind the house")),
        ..Account::default()
    };
    let said = Description {
        account: Some(account),
        ..Description::default()
    };
    engine.describe(&open.id, &said).unwrap();
    engine.finish(&open.id, &ending()).unwrap();
    let asked = EpisodeQuery {
        session: Some("s-1".to_owned()),
        ..query(PRINTED)
    };
    let hits = Episodes::search(&engine, &asked).unwrap();
    assert_eq!(ids(&hits), [open.id.as_str()]);
}
