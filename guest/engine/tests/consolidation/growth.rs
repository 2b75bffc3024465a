//! What does not grow without end: activations are summed up, journals go when their time is over.

use super::*;
use crate::support::proposal;

const RULE: &str = "WRONG: gridtool count --rows 5 → CORRECT: gridtool count rows=5";
const WRONG: &str = "gridtool count --rows 5";
const RIGHT: &str = "gridtool count rows=5";
const REFUSED: &str = "gridtool: unknown option --rows";

/// A run that meets the failure, is told or not, and then does one of several things.
fn run_of(world: &World, id: &str, conduct: u8) {
    let engine = world.engine();
    let run = NewRun {
        id: Some(id.to_owned()),
        task: "count the rows of the sales sheet".to_owned(),
        domain: "cli".to_owned(),
        hold_out: Some(0.2),
        ..NewRun::default()
    };
    engine.start(&run).expect("a run");
    let steps = match conduct % 4 {
        0 => vec![failure(WRONG, REFUSED), success(RIGHT)],
        1 => vec![failure(WRONG, REFUSED), failure(WRONG, REFUSED)],
        2 => vec![
            failure(WRONG, REFUSED),
            failure(RIGHT, "gridtool: the sheet is locked"),
        ],
        _ => vec![failure(WRONG, REFUSED), success("gridtool info")],
    };
    for step in &steps {
        engine.observe(id, step).expect("a step");
    }
    engine.finish(id, &ending()).expect("an end");
}

/// A memory with a lesson that was shown some times.
fn taught() -> (World, String) {
    let world = World::new();
    let lesson = world.engine().propose(&proposal(RULE, REFUSED));
    for number in 0..6 {
        run_of(&world, &format!("real{number}"), 0);
    }
    (world, lesson.expect("a lesson").id)
}

/// Activations as an earlier version left them: one a minute, each of a run of its own.
fn left_behind(world: &World, lesson: &str, count: u32) {
    let at = world.clock.get();
    let changes: Vec<_> = (0..count)
        .map(|number| {
            let activation = Activation {
                id: format!("gone{number}.{lesson}"),
                lesson: lesson.to_owned(),
                run: format!("gone{number}"),
                step: 1,
                moment: Moment::OnError,
                fingerprint: None,
                withheld: number % 10 == 9,
                showings: 2,
                at: at + u64::from(number) * 60_000,
                score: 0.5,
                outcome: Some(ActivationOutcome {
                    verdict: match number % 2 {
                        0 => Verdict::Helped,
                        _ => Verdict::Neutral,
                    },
                    utility: Some(0.5),
                    error_reduction: 0.5,
                    step_efficiency_gain: 0.5,
                    referee_score_gain: None,
                    errors: 0,
                    baseline_errors: 1.0,
                    baseline_runs: 3,
                }),
            };
            let text = |value: &str| host::Value::Text(value.to_owned());
            let attribute = |name: &str, value| host::Attribute {
                name: name.to_owned(),
                value,
            };
            Change::Put(host::Put {
                document: host::Document {
                    key: Key {
                        kind: "activation".to_owned(),
                        id: activation.id.clone(),
                    },
                    body: serde_json::to_string(&activation).expect("JSON"),
                    attributes: vec![
                        attribute("lesson", text(lesson)),
                        attribute("run", text(&activation.run)),
                        attribute("at", host::Value::Number(activation.at as f64)),
                    ],
                    text: String::new(),
                    vector: Vec::new(),
                },
                precondition: host::Precondition::Absent,
            })
        })
        .collect();
    for some in changes.chunks(500) {
        world.store.commit(some).expect("documents");
    }
}

fn kept(world: &World, kind: &str) -> u32 {
    world.store.count(kind, &[]).expect("a count")
}

/// How many activations of a lesson are kept one by one.
fn shown(world: &World, lesson: &str) -> u32 {
    let of_it = Condition {
        attribute: "lesson".to_owned(),
        test: host::Test::Equals(host::Value::Text(lesson.to_owned())),
    };
    world.store.count("activation", &[of_it]).expect("a count")
}

fn earlier(world: &World, lesson: &str) -> Option<EarlierActivations> {
    world.engine().explain(lesson).expect("a lesson").earlier
}

fn only(stage: Stage) -> ConsolidationRequest {
    ConsolidationRequest {
        stages: vec![stage],
        ..request()
    }
}

/// A store before the world's own, in which something else may happen before a commit.
struct Between<'w> {
    world: &'w World,
    /// How many changes the largest commit had.
    largest: Cell<usize>,
    /// After so many commits the process dies.
    left: Cell<u32>,
    /// The run that ends when activations are about to be removed.
    ends: std::cell::RefCell<Option<String>>,
}

impl<'w> Between<'w> {
    fn new(world: &'w World) -> Self {
        Self {
            world,
            largest: Cell::new(0),
            left: Cell::new(u32::MAX),
            ends: std::cell::RefCell::default(),
        }
    }

    fn engine(&self) -> Engine<'_> {
        Engine::new(Ports {
            store: self,
            archive: self.world,
            embedder: self.world,
            model: self.world,
            clock: self.world,
            log: self.world,
        })
    }
}

impl Store for Between<'_> {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, host::Error> {
        self.world.store.get_many(keys)
    }

    fn commit(&self, changes: &[Change]) -> Result<(), host::Error> {
        let left = self.left.get().checked_sub(1);
        self.left
            .set(left.ok_or_else(|| host::Error::Full("it was killed".to_owned()))?);
        self.largest.set(self.largest.get().max(changes.len()));
        let removes = |change: &Change| matches!(change, Change::Remove(removal) if removal.key.kind == "activation");
        if changes.iter().any(removes)
            && let Some(run) = self.ends.borrow_mut().take()
        {
            self.world.engine().finish(&run, &ending()).expect("an end");
        }
        self.world.store.commit(changes)
    }

    fn commit_lightly(&self, changes: &[Change]) -> Result<(), host::Error> {
        self.commit(changes)
    }

    fn find(&self, query: &Query) -> Result<Vec<Found>, host::Error> {
        self.world.store.find(query)
    }

    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, host::Error> {
        self.world.store.count(kind, conditions)
    }

    fn optimize(&self) -> Result<(), host::Error> {
        self.world.store.optimize()
    }
}

#[test]
fn old_activations_of_an_earlier_version_become_a_sum_in_small_commits_wherever_it_is_interrupted()
{
    let (world, lesson) = taught();
    world.pass(DAY);
    left_behind(&world, &lesson, 1_500);
    let first = shown(&world, &lesson) - 1_500;
    world.pass(40 * DAY);
    let store = Between::new(&world);
    let mut times = 0;
    loop {
        store.left.set(3);
        world.pass(DAY / 24);
        match go_on(&store.engine(), only(Stage::Episodes)) {
            Ok(_) => break,
            Err(_) => times += 1,
        }
        assert!(times < 100, "it does not get on");
    }
    assert!(times > 0, "it was never interrupted");
    assert!(store.largest.get() <= 500, "{}", store.largest.get());
    assert_eq!(shown(&world, &lesson), 50, "the newest are kept");
    let sum = earlier(&world, &lesson).expect("a sum");
    assert_eq!(sum.shown_runs + sum.withheld_runs + 50, 1_500 + first);
    assert_eq!(sum.since, START);
    assert_eq!(sum.until, START + DAY + 1_449 * 60_000);
    let told = world
        .engine()
        .explain(&lesson)
        .expect("a lesson")
        .activations;
    assert_eq!(told.len(), 50, "an explanation shows as many as before");
    assert!(told.iter().all(|one| one.at > sum.until));
}

#[test]
fn what_is_young_or_rarely_shown_is_kept_one_by_one() {
    let (world, lesson) = taught();
    left_behind(&world, &lesson, 90);
    let before = documents(&world);
    world.pass(40 * DAY);
    go_on(&world.engine(), only(Stage::Episodes)).expect("a consolidation");
    let after = documents(&world);
    let of_activations = |all: &BTreeMap<(String, String), String>| {
        let activations = all.iter().filter(|((kind, _), _)| kind == "activation");
        activations
            .map(|(key, body)| (key.clone(), body.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(of_activations(&before), of_activations(&after));
    world.pass(DAY);
    left_behind(&world, "les_young", 300);
    go_on(&world.engine(), only(Stage::Episodes)).expect("a consolidation");
    let filter = ActivationFilter {
        lesson: Some("les_young".to_owned()),
        run: None,
        limit: Some(1_000),
    };
    let young = world.engine().activations(&filter).expect("activations");
    assert_eq!(young.len(), 300);
}

#[test]
fn undoing_brings_back_what_was_summed_up() {
    let (world, lesson) = taught();
    left_behind(&world, &lesson, 150);
    // Runs that are gone take nothing back along, so each of these gets one.
    let engine = world.engine();
    for number in 0..150 {
        let run = NewRun {
            id: Some(format!("gone{number}")),
            ..crate::support::run("")
        };
        engine.start(&run).expect("a run");
        engine
            .finish(&format!("gone{number}"), &ending())
            .expect("an end");
    }
    world.pass(40 * DAY);
    let before = documents(&world);
    let (_, last) = go_on(&engine, only(Stage::Episodes)).expect("a consolidation");
    assert!(earlier(&world, &lesson).is_some());
    undo(&world, &last.id);
    assert_eq!(earlier(&world, &lesson), None);
    assert_eq!(documents(&world), before);
}

#[test]
fn a_run_that_ends_while_activations_are_summed_up_loses_nothing() {
    let (world, lesson) = taught();
    left_behind(&world, &lesson, 300);
    world.pass(40 * DAY);
    let engine = world.engine();
    let run = NewRun {
        id: Some("late".to_owned()),
        ..crate::support::run("count the rows of the sales sheet")
    };
    engine.start(&run).expect("a run");
    let told = engine
        .observe("late", &failure(WRONG, REFUSED))
        .expect("a step");
    assert_eq!(told.hints[0].lesson.id, lesson);
    engine.observe("late", &success(RIGHT)).expect("a step");
    let shown = || {
        Lessons::get(&engine, &lesson)
            .expect("it")
            .usefulness
            .shown_runs
    };
    let before = (shown(), kept(&world, "activation"));
    let store = Between::new(&world);
    store.ends.replace(Some("late".to_owned()));
    go_on(&store.engine(), only(Stage::Episodes)).expect("a consolidation");
    assert_eq!(store.ends.take(), None, "it ended in between");
    assert_eq!(shown(), before.0 + 1);
    let sum = earlier(&world, &lesson).expect("a sum");
    let summed_up = sum.shown_runs + sum.withheld_runs;
    assert_eq!(summed_up + kept(&world, "activation"), before.1);
    assert_eq!(
        engine.explain(&lesson).expect("it").activations[0].run,
        "late"
    );
}

/// Two memories with the same runs: one sums up its activations and the other does not. Gives how many were summed up.
fn with_and_without(conducts: &[u8]) -> u32 {
    let (summing, other) = (World::new(), World::new());
    for world in [&summing, &other] {
        let lesson = world.engine().propose(&proposal(RULE, REFUSED));
        lesson.expect("a lesson");
    }
    for (number, conduct) in conducts.iter().enumerate() {
        for (world, stage) in [(&summing, Stage::Episodes), (&other, Stage::Validation)] {
            run_of(world, &format!("run{number}"), *conduct);
            world.pass(DAY);
            if number % 20 == 19 {
                go_on(&world.engine(), only(stage)).expect("a consolidation");
            }
        }
    }
    let judged = |world: &World| {
        let all = documents(world).into_iter();
        let of_lessons = all.filter(|((kind, _), _)| kind == "lesson" || kind == "evidence");
        let without = |body: String| {
            let mut body: serde_json::Value = serde_json::from_str(&body).expect("JSON");
            body.as_object_mut().expect("an object").remove("earlier");
            body
        };
        let bodies = of_lessons.map(|(key, body)| (key, without(body)));
        bodies.collect::<BTreeMap<_, _>>()
    };
    assert_eq!(judged(&summing), judged(&other));
    let every = LessonFilter {
        limit: Some(1_000),
        ..LessonFilter::default()
    };
    let lessons = Lessons::find(&summing.engine(), &every).expect("lessons");
    let sums = lessons
        .iter()
        .filter_map(|lesson| earlier(&summing, &lesson.id));
    let summed_up = sums.map(|sum| sum.shown_runs + sum.withheld_runs).sum();
    assert_eq!(
        summed_up + kept(&summing, "activation"),
        kept(&other, "activation")
    );
    assert_eq!(summing.engine().verify().expect("a check"), []);
    summed_up
}

#[test]
fn summing_up_changes_no_verdict_on_a_lesson_that_is_followed() {
    assert!(with_and_without(&[0; 140]) > 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn summing_up_changes_no_verdict(conducts in proptest::collection::vec(0..4u8, 130..160)) {
        with_and_without(&conducts);
    }
}

/// A consolidation that has something to do and what its journal needs.
fn consolidated(world: &World) -> String {
    let wide = ConsolidationRequest {
        hours: Some(24 * 365),
        ..request()
    };
    go_on(&world.engine(), wide).expect("a consolidation").1.id
}

#[test]
fn a_consolidation_can_be_undone_for_thirty_days_and_says_so_afterwards() {
    let world = full_world(0);
    let before = documents(&world);
    let first = consolidated(&world);
    let entries = kept(&world, "consolidation-change");
    assert!(entries > 0);
    world.pass(30 * DAY - 1);
    go_on(&world.engine(), only(Stage::Indices)).expect("a consolidation");
    assert_eq!(kept(&world, "consolidation-change"), entries);
    let in_time = consolidated(&world);
    undo(&world, &in_time);
    undo(&world, &first);
    assert_eq!(
        documents(&world),
        before,
        "on the last day it can be undone"
    );

    let second = consolidated(&world);
    world.pass(30 * DAY + 1);
    go_on(&world.engine(), only(Stage::Indices)).expect("a consolidation");
    assert_eq!(kept(&world, "consolidation-change"), 0);
    let refused = world
        .engine()
        .undo_consolidation(&second, "")
        .expect_err("too late");
    assert!(
        matches!(&refused, Error::Conflict(text) if text.contains("kept for 30 days")),
        "{refused:?}"
    );
}

#[test]
fn how_long_a_consolidation_can_be_undone_is_up_to_the_caller() {
    let world = full_world(0);
    let first = consolidated(&world);
    world.pass(3 * DAY + 1);
    let soon = |days| ConsolidationRequest {
        undo_days: Some(days),
        ..only(Stage::Indices)
    };
    go_on(&world.engine(), soon(4)).expect("a consolidation");
    assert!(kept(&world, "consolidation-change") > 0);
    go_on(&world.engine(), soon(3)).expect("a consolidation");
    assert_eq!(kept(&world, "consolidation-change"), 0);
    let refused = world
        .engine()
        .undo_consolidation(&first, "")
        .expect_err("too late");
    assert!(refused.message().contains("3 days"), "{refused:?}");
    for days in [0, 3_651] {
        assert!(go_on(&world.engine(), soon(days)).is_err(), "{days}");
    }
}

#[test]
fn what_was_pruned_can_not_be_undone_and_says_so() {
    let world = full_world(0);
    let first = consolidated(&world);
    world.pass(DAY);
    Upkeep::prune(&world.engine(), world.clock.get(), false).expect("pruned");
    assert_eq!(kept(&world, "consolidation-change"), 0);
    let refused = world
        .engine()
        .undo_consolidation(&first, "")
        .expect_err("too late");
    assert!(
        matches!(&refused, Error::Conflict(text) if text.contains("pruned")),
        "{refused:?}"
    );
}

#[test]
fn of_consolidations_those_are_kept_that_a_list_shows_and_that_say_how_far_a_stage_is() {
    let world = full_world(0);
    let first = consolidated(&world);
    for _ in 0..150 {
        world.pass(DAY);
        go_on(&world.engine(), only(Stage::Indices)).expect("a consolidation");
    }
    assert_eq!(kept(&world, "consolidation"), 101);
    let refused = world
        .engine()
        .undo_consolidation(&first, "")
        .expect_err("too late");
    assert!(
        matches!(refused, Error::Conflict(_)),
        "the one that went through all stages is known"
    );
    assert_eq!(
        world.engine().consolidations(1_000).expect("a list").len(),
        100
    );
}
