//! Commits: what is asked is asked once, and what others wrote meanwhile is not lost.

use std::cell::Cell;

use crate::support::{World, ending, failure, run, success};
use twiceshy_engine::{Engine, Ports};
use twiceshy_wit::{
    host::{self, Change, Condition, Found, Key, Order, Query, Store, Stored},
    memory::{Lessons, Runs},
};

/// A store before the world's own that refuses commits, as if somebody else had been quicker each time.
struct Contested<'w> {
    world: &'w World,
    refusals: Cell<u32>,
    asked: Cell<u32>,
}

impl<'w> Contested<'w> {
    fn new(world: &'w World, refusals: u32) -> Self {
        Self {
            world,
            refusals: Cell::new(refusals),
            asked: Cell::new(0),
        }
    }

    fn engine(&self) -> Engine<'_> {
        Engine::new(Ports {
            store: self,
            archive: self.world,
            embedder: self,
            model: self.world,
            clock: self.world,
            log: self.world,
        })
    }
}

impl Store for Contested<'_> {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, host::Error> {
        self.world.store.get_many(keys)
    }

    fn commit(&self, changes: &[Change]) -> Result<(), host::Error> {
        match self.refusals.get() {
            0 => self.world.store.commit(changes),
            left => {
                self.refusals.set(left - 1);
                Err(host::Error::Conflict(
                    "somebody else was quicker".to_owned(),
                ))
            }
        }
    }

    fn commit_lightly(&self, changes: &[Change]) -> Result<(), host::Error> {
        self.world.store.commit_lightly(changes)
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

impl host::Embedder for Contested<'_> {
    fn identity(&self) -> Result<String, host::Error> {
        Ok("letters".to_owned())
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, host::Error> {
        self.asked.set(self.asked.get() + 1);
        self.world.embed(texts)
    }
}

/// The vector a lesson is found by: the nearest lesson to its own rule has the cosine 1.
fn has_vector(world: &World, rule: &str) -> bool {
    let vector = host::Embedder::embed(world, &[rule.to_owned()])
        .unwrap()
        .remove(0);
    let query = Query {
        kind: "lesson".to_owned(),
        conditions: Vec::new(),
        order: Order::ByNearest(vector),
        offset: 0,
        limit: 1,
    };
    let found = world.store.find(&query).unwrap();
    found.first().is_some_and(|found| found.score > 0.999)
}

#[test]
fn a_submitted_run_asks_model_and_embedder_once_however_often_its_commit_is_refused() {
    let asked = |refusals| {
        let world = World::new();
        world.embeds.set(true);
        let contested = Contested::new(&world, refusals);
        let steps = [failure("cat a", "cat: a: No such file"), success("cat b")];
        let mut open = ending();
        open.score = None;
        contested
            .engine()
            .submit(&run("print the notes"), &steps, &open)
            .unwrap();
        assert_eq!(contested.refusals.get(), 0, "every refusal was met");
        (contested.asked.get(), world.prompts.borrow().len())
    };
    let (texts, prompts) = asked(0);
    assert!(texts > 0 && prompts == 1, "{texts} {prompts}");
    assert_eq!(asked(5), (texts, prompts));
}

#[test]
fn a_run_that_ends_asks_model_and_embedder_once_however_often_its_commit_is_refused() {
    let asked = |refusals| {
        let world = World::new();
        world.embeds.set(true);
        let contested = Contested::new(&world, 0);
        let engine = contested.engine();
        let run = engine.start(&run("print the notes")).unwrap().id;
        engine
            .observe(&run, &failure("cat a", "cat: a: No such file"))
            .unwrap();
        engine.observe(&run, &success("cat b")).unwrap();
        contested.refusals.set(refusals);
        contested.asked.set(0);
        let mut open = ending();
        open.score = None;
        engine.finish(&run, &open).unwrap();
        assert_eq!(contested.refusals.get(), 0, "every refusal was met");
        (contested.asked.get(), world.prompts.borrow().len())
    };
    let (texts, prompts) = asked(0);
    assert!(texts > 0 && prompts == 1, "{texts} {prompts}");
    assert_eq!(asked(5), (texts, prompts));
}

#[test]
fn a_known_lesson_that_is_learned_again_without_an_embedder_keeps_its_vector() {
    let world = World::new();
    let engine = world.engine();
    let learn = || {
        let run = engine.start(&run("sort the report")).unwrap().id;
        let wrong = "sort --key=2 report.txt";
        let refused = failure(wrong, "sort: unrecognized option '--key=2'");
        engine.observe(&run, &refused).unwrap();
        engine
            .observe(&run, &success("sort --field=2 report.txt"))
            .unwrap();
        engine.finish(&run, &ending()).unwrap();
        engine.find(&Default::default()).unwrap()
    };
    world.embeds.set(true);
    let learned = learn();
    assert_eq!(learned.len(), 1, "{learned:?}");
    let rule = &learned[0].rule_text;
    assert!(has_vector(&world, rule));
    world.embeds.set(false);
    let again = learn();
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].origins.len(), 2, "it was learned again");
    world.embeds.set(true);
    assert!(has_vector(&world, rule), "the vector is gone");
}
