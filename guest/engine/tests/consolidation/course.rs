//! The report, the settings, one at a time, and processes that die in the middle.

use super::*;

#[test]
fn the_report_is_kept_and_says_what_was_done_and_what_there_is() {
    let world = full_world(0);
    let (changes, last) = go_on(&world.engine(), request()).expect("a consolidation");
    let listed = world.engine().consolidations(10).expect("a list");
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].id, last.id);
    assert_eq!(listed[0].changes, changes);
    let report = listed[0].report.clone().expect("a report");
    let of = |tallies: &[Tally], name: &str| {
        let tally = tallies.iter().find(|tally| tally.name == name);
        tally.map_or(0, |tally| tally.count)
    };
    let in_episodes = changes
        .iter()
        .filter(|change| change.stage == Stage::Episodes);
    assert_eq!(of(&report.stages, "episodes") as usize, in_episodes.count());
    assert_eq!(of(&report.storage, "episode"), 13);
    assert!(of(&report.patterns, "candidate") + of(&report.patterns, "promoted") > 0);
}

#[test]
fn one_at_a_time_and_who_was_interrupted_is_gone_on_with() {
    let world = full_world(0);
    let engine = world.engine();
    let first = engine.consolidate(&request()).expect("a piece");
    let Err(Error::Busy(message)) = engine.consolidate(&request()) else {
        panic!("a second one begins");
    };
    assert!(message.contains(&first.id), "{message}");
    world.pass(61_000);
    let second = engine.consolidate(&request()).expect("a piece");
    assert_eq!(second.id, first.id, "nobody went on with it for a minute");
    let open = engine.consolidations(1).expect("a list");
    assert_eq!(open[0].next, Some(first.id.clone()));
    let after = ConsolidationRequest {
        after: Some(first.id),
        ..request()
    };
    go_on(&engine, after).expect("whoever holds it goes on at once");
    let unknown = ConsolidationRequest {
        after: Some("con_0".to_owned()),
        ..request()
    };
    assert!(matches!(
        engine.consolidate(&unknown),
        Err(Error::NotFound(_))
    ));
}

#[test]
fn only_the_stages_that_are_asked_for_are_done() {
    let world = full_world(0);
    let request = ConsolidationRequest {
        stages: vec![Stage::Report, Stage::Episodes],
        ..request()
    };
    let (changes, last) = go_on(&world.engine(), request).expect("a consolidation");
    assert!(changes.iter().all(|change| change.stage == Stage::Episodes));
    assert!(last.report.is_some());
}

#[test]
fn a_setting_that_makes_no_sense_is_refused_by_name() {
    let world = World::new();
    let refused = |request: ConsolidationRequest, member: &str| {
        let Err(Error::InvalidArgument(message)) = world.engine().consolidate(&request) else {
            panic!("{member} is taken");
        };
        assert!(message.contains(member), "{message}");
    };
    let odd = |request: ConsolidationRequest| request;
    refused(
        odd(ConsolidationRequest {
            confidence: Some(1.5),
            ..request()
        }),
        "confidence",
    );
    refused(
        odd(ConsolidationRequest {
            window_days: Some(0),
            ..request()
        }),
        "window-days",
    );
    refused(
        odd(ConsolidationRequest {
            episode_similarity: Some(f64::NAN),
            ..request()
        }),
        "episode-similarity",
    );
    assert!(documents(&world).is_empty());
}

/// A store whose process dies: after some commits, nothing goes through any more.
struct Dying<'w> {
    store: &'w dyn Store,
    commits_left: Cell<u32>,
    optimized: Cell<u32>,
}

impl<'w> Dying<'w> {
    fn after(commits: u32, world: &'w World) -> Self {
        Self {
            store: &world.store,
            commits_left: Cell::new(commits),
            optimized: Cell::new(0),
        }
    }
}

impl Store for Dying<'_> {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, host::Error> {
        self.store.get_many(keys)
    }
    fn commit(&self, batch: &[Change]) -> Result<(), host::Error> {
        if self.commits_left.get() == 0 {
            return Err(host::Error::Other("the process is gone".to_owned()));
        }
        self.commits_left.set(self.commits_left.get() - 1);
        self.store.commit(batch)
    }
    fn commit_lightly(&self, batch: &[Change]) -> Result<(), host::Error> {
        self.commit(batch)
    }
    fn find(&self, query: &Query) -> Result<Vec<Found>, host::Error> {
        self.store.find(query)
    }
    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, host::Error> {
        self.store.count(kind, conditions)
    }
    fn optimize(&self) -> Result<(), host::Error> {
        self.optimized.set(self.optimized.get() + 1);
        self.store.optimize()
    }
}

/// An engine whose process dies after so many commits.
fn dying<'w>(world: &'w World, store: &'w Dying<'w>) -> Engine<'w> {
    Engine::new(Ports {
        store,
        archive: world,
        embedder: world,
        model: world,
        clock: world,
        log: world,
    })
}

#[test]
fn a_process_that_dies_anywhere_is_gone_on_with_and_nothing_is_lost() {
    let whole = full_world(0);
    let (changes, _) = go_on(&whole.engine(), request()).expect("a consolidation");
    let expected = documents(&whole);
    let mut died = 0;
    for commits in 0.. {
        let world = full_world(0);
        let store = Dying::after(commits, &world);
        if go_on(&dying(&world, &store), request()).is_ok() {
            break;
        }
        died += 1;
        // Whoever holds the memory alone goes on at once.
        let open = world.engine().consolidations(1).expect("a list");
        let after = open.first().and_then(|open| open.next.clone());
        let again = ConsolidationRequest { after, ..request() };
        let (_, last) = go_on(&world.engine(), again).expect("it goes on");
        assert_eq!(documents(&world), expected, "after {commits} commits");
        let told = world.engine().consolidations(1).expect("a list");
        assert_eq!(
            words(&told[0].changes),
            words(&changes),
            "after {commits} commits"
        );
        let before = documents(&full_world(0));
        undo(&world, &last.id);
        assert_eq!(documents(&world), before, "undone after {commits} commits");
    }
    assert!(died > 5, "{died}");
}

#[test]
fn the_indices_are_brought_up_to_date_but_not_by_a_dry_run() {
    let world = full_world(0);
    let store = Dying::after(u32::MAX, &world);
    let dry_run = ConsolidationRequest {
        dry_run: Some(true),
        ..request()
    };
    go_on(&dying(&world, &store), dry_run).expect("a dry run");
    assert_eq!(store.optimized.get(), 0);
    go_on(&dying(&world, &store), request()).expect("a consolidation");
    assert_eq!(store.optimized.get(), 1);
}

#[test]
fn undoing_that_is_interrupted_goes_on() {
    let before = documents(&full_world(0));
    for commits in 0..40 {
        let world = full_world(0);
        let (_, last) = go_on(&world.engine(), request()).expect("a consolidation");
        let store = Dying::after(commits, &world);
        let _ = dying(&world, &store).undo_consolidation(&last.id, "");
        undo(&world, &last.id);
        assert_eq!(documents(&world), before, "after {commits} commits");
    }
}

/// The clock of these tests begins here.
#[test]
fn nothing_to_do_is_no_trouble() {
    let world = World::new();
    assert_eq!(world.clock.get(), START);
    assert_eq!(consolidate(&world), []);
    assert_eq!(world.engine().consolidations(5).expect("a list").len(), 1);
}
