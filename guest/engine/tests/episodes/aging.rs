//! Episodes as they grow old: phases, cold storage, and what is set aside.

use std::cell::Cell;

use crate::support::{DAY, START, World, ending, failure, run, success};
use twiceshy_engine::{Engine, Ports};
use twiceshy_wit::{
    host,
    memory::{
        Account, ArchivalStatus, Description, Episode, EpisodeFilter, EpisodeQuery, Episodes,
        Error, Lessons, Measure, NewRun, Observed, Outcome, Phase, Runs, Upkeep,
    },
};

fn steps() -> Vec<Observed> {
    vec![
        failure(
            "load sales.csv --columns price",
            "ValueError: no column price",
        ),
        success("load sales.csv --columns amount"),
    ]
}

/// An episode with steps, a lesson and an account.
fn finished(engine: &Engine, id: &str, task: &str) -> Episode {
    let new = NewRun {
        id: Some(id.to_owned()),
        ..run(task)
    };
    engine.start(&new).unwrap();
    for step in steps() {
        engine.observe(id, &step).unwrap();
    }
    let account = Account {
        goals: vec!["a total".to_owned()],
        insights: vec!["amount is the column".to_owned()],
        resource_usage: vec![Measure {
            name: "tokens_used".to_owned(),
            value: 12.0,
        }],
        ..Account::default()
    };
    let description = Description {
        account: Some(account),
        ..Description::default()
    };
    engine.describe(id, &description).unwrap();
    engine.finish(id, &ending()).unwrap()
}

fn phase(engine: &Engine, id: &str) -> Phase {
    engine.lifecycle_of(id).unwrap().phase
}

fn found(engine: &Engine, query: &EpisodeQuery) -> Vec<String> {
    let hits = Episodes::search(engine, query).unwrap();
    hits.into_iter().map(|hit| hit.episode.id).collect()
}

fn query(text: &str) -> EpisodeQuery {
    EpisodeQuery {
        text: text.to_owned(),
        ..EpisodeQuery::default()
    }
}

#[test]
fn an_episode_goes_through_its_phases_by_age_alone() {
    let world = World::new();
    let engine = world.engine();
    let episode = finished(&engine, "one", "sum up the sales");
    for (days, expected) in [
        (30, Phase::Active),
        (31, Phase::Mature),
        (180, Phase::Mature),
        (181, Phase::Aged),
        (365, Phase::Aged),
        (366, Phase::Archived),
    ] {
        world.clock.set(START + days * DAY);
        assert_eq!(phase(&engine, "one"), expected, "after {days} days");
        let filter = |phase| EpisodeFilter {
            phase: Some(phase),
            ..EpisodeFilter::default()
        };
        for other in [Phase::Active, Phase::Mature, Phase::Aged, Phase::Archived] {
            let listed = Episodes::find(&engine, &filter(other)).unwrap();
            assert_eq!(
                !listed.is_empty(),
                other == expected,
                "{days} days, {other:?}"
            );
        }
    }
    assert_eq!(Episodes::get(&engine, "one").unwrap(), episode);
}

#[test]
fn aged_episodes_are_found_only_if_highly_relevant_and_archived_ones_only_if_asked_for() {
    let world = World::new();
    let engine = world.engine();
    finished(&engine, "one", "sum up the sales of march");
    let close = query("sum up the sales of march");
    let loose = query("sum up the rents");
    world.clock.set(START + 180 * DAY);
    assert_eq!(found(&engine, &close), ["one"]);
    assert_eq!(found(&engine, &loose), ["one"]);
    world.clock.set(START + 200 * DAY);
    assert_eq!(found(&engine, &close), ["one"]);
    assert_eq!(found(&engine, &loose), Vec::<String>::new());
    world.clock.set(START + 400 * DAY);
    assert_eq!(found(&engine, &close), Vec::<String>::new());
    let asked = EpisodeQuery {
        archived: Some(true),
        ..close
    };
    assert_eq!(found(&engine, &asked), ["one"]);
}

#[test]
fn an_aged_episode_is_fetched_back_from_cold_storage() {
    let world = World::new();
    let engine = world.engine();
    let episode = finished(&engine, "one", "sum up the sales");
    let (trace, full) = (
        engine.trace("one", 0).unwrap(),
        engine.retrieve("one").unwrap(),
    );
    let lesson = engine.lifecycle_of("one").unwrap().referenced_by.remove(0);
    let explained = engine.explain(&lesson).unwrap();
    assert!(!explained.steps.is_empty());
    world.clock.set(START + 180 * DAY);
    assert_eq!(
        engine.age(100, false).unwrap().traces,
        0,
        "mature ones stay"
    );
    world.pass(DAY);
    let would = engine.age(100, true).unwrap();
    assert_eq!((would.traces, would.accounts, would.more), (1, 0, false));
    assert!(world.archive.borrow().is_empty(), "a dry run moves nothing");
    let did = engine.age(100, false).unwrap();
    assert_eq!((did.traces, did.accounts), (1, 0));
    assert!(did.kib > 0);
    let lifecycle = engine.lifecycle_of("one").unwrap();
    assert!(lifecycle.cold_trace.is_some() && lifecycle.cold_account.is_none());
    assert_eq!(lifecycle.archival_status, ArchivalStatus::Active);
    assert_eq!(engine.age(100, false).unwrap().traces, 0, "once is enough");
    world.clock.set(START + 366 * DAY);
    assert_eq!(engine.age(100, false).unwrap().accounts, 1);
    let lifecycle = engine.lifecycle_of("one").unwrap();
    assert_eq!(lifecycle.archival_status, ArchivalStatus::Archived);
    assert_eq!(world.archive.borrow().len(), 2);
    // Everything reads through.
    assert_eq!(engine.trace("one", 0).unwrap(), trace);
    assert_eq!(engine.trace("one", 1).unwrap(), trace[1..]);
    assert_eq!(engine.explain(&lesson).unwrap().steps, explained.steps);
    assert_eq!(
        engine.mine("one").unwrap().len(),
        1,
        "lessons are found in cold steps"
    );
    assert_eq!(engine.verify().unwrap(), []);
    assert_eq!(
        Episodes::get(&engine, "one").unwrap(),
        episode,
        "the episode itself is unchanged"
    );
    let fetched = Episodes::retrieve(&engine, "one").unwrap();
    assert_eq!(fetched.account, full.account);
    assert_eq!(fetched.lifecycle.access_count, 2);
    assert!(
        fetched.episode.summary.contains("amount is the column"),
        "key learnings stay at hand"
    );
}

#[test]
fn what_is_restored_stays_for_thirty_days_and_is_the_same_again() {
    let world = World::new();
    let engine = world.engine();
    finished(&engine, "one", "sum up the sales");
    let trace = engine.trace("one", 0).unwrap();
    let account = Episodes::retrieve(&engine, "one").unwrap().account;
    world.clock.set(START + 400 * DAY);
    engine.age(100, false).unwrap();
    let lifecycle = engine.restore("one").unwrap();
    assert_eq!((lifecycle.cold_trace, lifecycle.cold_account), (None, None));
    let kept = std::mem::take(&mut *world.archive.borrow_mut());
    assert_eq!(
        engine.trace("one", 0).unwrap(),
        trace,
        "without cold storage"
    );
    assert_eq!(Episodes::retrieve(&engine, "one").unwrap().account, account);
    assert_eq!(engine.verify().unwrap(), []);
    world.pass(30 * DAY);
    assert_eq!(engine.age(100, false).unwrap().traces, 0);
    world.pass(1);
    let again = engine.age(100, false).unwrap();
    assert_eq!((again.traces, again.accounts), (1, 1));
    assert_eq!(
        *world.archive.borrow(),
        kept,
        "the same contents under the same names"
    );
    let fresh = World::new();
    finished(&fresh.engine(), "one", "sum up the sales");
    let nothing = fresh.engine().restore("one").unwrap();
    assert_eq!(
        nothing.cold_trace, None,
        "restoring what is at hand changes nothing"
    );
}

#[test]
fn a_run_of_many_steps_goes_to_cold_storage_and_back_in_parts() {
    let world = World::new();
    let engine = world.engine();
    let new = NewRun {
        id: Some("long".to_owned()),
        ..run("a long walk")
    };
    engine.start(&new).unwrap();
    for number in 0..1_050 {
        engine
            .observe("long", &success(&format!("step {number}")))
            .unwrap();
    }
    engine.finish("long", &ending()).unwrap();
    let all = |engine: &Engine| {
        let mut steps = Vec::new();
        while let some = engine.trace("long", steps.len() as u32).unwrap()
            && !some.is_empty()
        {
            steps.extend(some);
        }
        steps
    };
    let before = all(&engine);
    assert_eq!(before.len(), 1_050);
    world.clock.set(START + 200 * DAY);
    assert_eq!(engine.age(100, true).unwrap().traces, 1);
    assert_eq!(engine.age(100, false).unwrap().traces, 1);
    assert_eq!(world.archive.borrow().len(), 3, "400, 400 and 250 steps");
    assert_eq!(all(&engine), before);
    assert_eq!(engine.verify().unwrap(), []);
    engine.restore("long").unwrap();
    world.archive.borrow_mut().clear();
    assert_eq!(all(&engine), before);
}

#[test]
fn aging_that_is_interrupted_anywhere_loses_nothing_and_goes_on() {
    let world = World::new();
    for number in 0..3 {
        finished(&world.engine(), &format!("e{number}"), "sum up the sales");
        world.pass(1);
    }
    let traces: Vec<_> = (0..3)
        .map(|number| world.engine().trace(&format!("e{number}"), 0).unwrap())
        .collect();
    world.clock.set(START + 400 * DAY);
    for allowed in 0.. {
        let store = Failing {
            store: &world.store,
            left: Cell::new(allowed),
        };
        let engine = Engine::new(Ports {
            store: &store,
            archive: &world,
            embedder: &world,
            model: &world,
            clock: &world,
            log: &world,
        });
        let outcome = engine.age(100, false);
        for (number, trace) in traces.iter().enumerate() {
            assert_eq!(
                world.engine().trace(&format!("e{number}"), 0).unwrap(),
                *trace
            );
        }
        assert_eq!(world.engine().verify().unwrap(), []);
        if outcome.is_ok() {
            break;
        }
        assert!(allowed < 20, "it never ends");
    }
    assert_eq!(world.engine().age(100, true).unwrap().traces, 0);
    assert_eq!(world.archive.borrow().len(), 6);
}

/// A store whose commits fail after some.
struct Failing<'w> {
    store: &'w crate::support::TestStore,
    left: Cell<u32>,
}

impl host::Store for Failing<'_> {
    fn get_many(&self, keys: &[host::Key]) -> Result<Vec<host::Stored>, host::Error> {
        self.store.get_many(keys)
    }

    fn commit(&self, batch: &[host::Change]) -> Result<(), host::Error> {
        match self.left.get() {
            0 => Err(host::Error::Full("no room".to_owned())),
            left => {
                self.left.set(left - 1);
                self.store.commit(batch)
            }
        }
    }

    fn commit_lightly(&self, batch: &[host::Change]) -> Result<(), host::Error> {
        self.commit(batch)
    }

    fn find(&self, query: &host::Query) -> Result<Vec<host::Found>, host::Error> {
        self.store.find(query)
    }

    fn count(&self, kind: &str, conditions: &[host::Condition]) -> Result<u32, host::Error> {
        self.store.count(kind, conditions)
    }

    fn optimize(&self) -> Result<(), host::Error> {
        self.store.optimize()
    }
}

#[test]
fn aging_goes_oldest_first_as_far_as_it_is_told() {
    let world = World::new();
    for id in ["a", "b", "c"] {
        finished(&world.engine(), id, "sum up the sales");
        world.pass(DAY);
    }
    let engine = world.engine();
    world.clock.set(START + 200 * DAY);
    let some = engine.age(2, false).unwrap();
    assert_eq!((some.traces, some.more), (2, true));
    let cold = |id: &str| engine.lifecycle_of(id).unwrap().cold_trace.is_some();
    assert_eq!(["a", "b", "c"].map(cold), [true, true, false]);
    let rest = engine.age(2, false).unwrap();
    assert_eq!((rest.traces, rest.more), (1, false));
}

#[test]
fn damage_in_cold_storage_is_told_and_never_guessed_away() {
    let world = World::new();
    let engine = world.engine();
    finished(&engine, "one", "sum up the sales");
    world.clock.set(START + 400 * DAY);
    engine.age(100, false).unwrap();
    world.archive.borrow_mut().clear();
    assert!(matches!(engine.trace("one", 0), Err(Error::Storage(_))));
    assert!(matches!(
        Episodes::retrieve(&engine, "one"),
        Err(Error::Storage(_))
    ));
    assert!(matches!(engine.restore("one"), Err(Error::Storage(_))));
    let findings = engine.verify().unwrap();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].document, "episode/one");
}

#[test]
fn an_episode_that_is_set_aside_is_not_found_and_can_be_brought_back() {
    let world = World::new();
    let engine = world.engine();
    finished(&engine, "one", "sum up the sales");
    finished(&engine, "two", "sum up the sales");
    assert!(matches!(
        engine.soft_delete("one", " "),
        Err(Error::InvalidArgument(_))
    ));
    assert!(matches!(
        engine.soft_delete("none", "why"),
        Err(Error::NotFound(_))
    ));
    assert!(matches!(engine.undelete("one"), Err(Error::Conflict(_))));
    let lifecycle = engine.soft_delete("one", "a duplicate").unwrap();
    assert_eq!(lifecycle.archival_status, ArchivalStatus::Deleted);
    assert_eq!(
        (lifecycle.phase, lifecycle.deleted_at),
        (Phase::Deleted, Some(START))
    );
    world.pass(5);
    let again = engine.soft_delete("one", "another reason").unwrap();
    assert_eq!(again.delete_reason.as_deref(), Some("a duplicate"));
    let listed = |filter: &EpisodeFilter| {
        let found = Episodes::find(&engine, filter).unwrap();
        found.into_iter().map(|one| one.id).collect::<Vec<_>>()
    };
    assert_eq!(listed(&EpisodeFilter::default()), ["two"]);
    let deleted = EpisodeFilter {
        phase: Some(Phase::Deleted),
        ..EpisodeFilter::default()
    };
    assert_eq!(listed(&deleted), ["one"]);
    assert_eq!(found(&engine, &query("sum up the sales")), ["two"]);
    assert_eq!(
        Episodes::get(&engine, "one").unwrap().id,
        "one",
        "by its id it is there"
    );
    engine.undelete("one").unwrap();
    assert_eq!(listed(&EpisodeFilter::default()), ["one", "two"]);
    assert_eq!(listed(&deleted), Vec::<String>::new());
}

#[test]
fn only_what_was_set_aside_long_ago_and_nobody_refers_to_is_purged() {
    let world = World::new();
    let engine = world.engine();
    let episode = finished(&engine, "taught", "sum up the sales");
    assert_eq!(episode.outcome, Outcome::Success);
    let new = NewRun {
        id: Some("plain".to_owned()),
        ..run("look around")
    };
    let odd = failure(
        "ls /nowhere",
        "ls: cannot access: No such file or directory",
    );
    engine
        .submit(&new, &[success("ls"), odd], &ending())
        .unwrap();
    for id in ["taught", "plain"] {
        engine.soft_delete(id, "a test").unwrap();
    }
    world.pass(29 * DAY);
    assert_eq!(engine.purge(None, false).unwrap(), Vec::<String>::new());
    assert_eq!(engine.purge(Some(29), true).unwrap(), ["plain"]);
    world.pass(DAY);
    world.clock.set(START + 400 * DAY);
    engine.age(100, false).unwrap();
    assert!(!world.archive.borrow().is_empty());
    assert_eq!(engine.purge(None, true).unwrap(), ["plain"]);
    assert_eq!(
        engine.purge(None, false).unwrap(),
        ["plain"],
        "lessons refer to the other"
    );
    assert!(matches!(
        Episodes::get(&engine, "plain"),
        Err(Error::NotFound(_))
    ));
    assert!(matches!(engine.trace("plain", 0), Err(Error::NotFound(_))));
    assert_eq!(engine.trace("taught", 0).unwrap().len(), 2);
    assert_eq!(engine.verify().unwrap(), []);
    assert_eq!(
        world.archive.borrow().len(),
        2,
        "its contents are gone, the other's are there"
    );
    assert_eq!(engine.purge(None, false).unwrap(), Vec::<String>::new());
}

#[test]
fn pruning_takes_cold_contents_with_it() {
    let world = World::new();
    let engine = world.engine();
    finished(&engine, "one", "sum up the sales");
    world.clock.set(START + 400 * DAY);
    engine.age(100, false).unwrap();
    let pruned = Upkeep::prune(&engine, START + DAY, false).unwrap();
    assert_eq!((pruned.episodes, pruned.steps, pruned.events), (1, 2, 1));
    assert!(world.archive.borrow().is_empty());
    assert_eq!(engine.verify().unwrap(), []);
}

#[test]
fn without_an_archive_nothing_ages_and_nothing_breaks() {
    struct Without;
    impl host::Archive for Without {
        fn keep(&self, _: &[u8]) -> Result<String, host::Error> {
            Err(host::Error::Unavailable("no archive".to_owned()))
        }
        fn fetch(&self, _: &str) -> Result<Vec<u8>, host::Error> {
            Err(host::Error::Unavailable("no archive".to_owned()))
        }
        fn discard(&self, _: &str) -> Result<(), host::Error> {
            Err(host::Error::Unavailable("no archive".to_owned()))
        }
    }
    let world = World::new();
    let engine = Engine::new(Ports {
        store: &world.store,
        archive: &Without,
        embedder: &world,
        model: &world,
        clock: &world,
        log: &world,
    });
    finished(&engine, "one", "sum up the sales");
    let account = Account {
        primary_output: Some("x".repeat(100_000)),
        ..Account::default()
    };
    engine
        .start(&NewRun {
            id: Some("two".to_owned()),
            ..run("x")
        })
        .unwrap();
    let described = Description {
        account: Some(account),
        ..Description::default()
    };
    engine.describe("two", &described).unwrap();
    engine.finish("two", &ending()).unwrap();
    let kept = Episodes::retrieve(&engine, "two").unwrap().account;
    assert!(kept.primary_output.unwrap().len() <= 4 << 10 && kept.artifacts.is_empty());
    world.clock.set(START + 400 * DAY);
    assert!(matches!(engine.age(100, false), Err(Error::Unavailable(_))));
    assert_eq!(engine.trace("one", 0).unwrap().len(), 2);
}
