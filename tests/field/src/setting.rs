//! What is measured: the engine and the adapter, natively or as components, over a store that can be copied.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use twiceshy_adapter::Assess;
use twiceshy_adapter_cli::{Cli, DOMAIN};
use twiceshy_engine::{Engine, Ports};
use twiceshy_store::MapStore;
use twiceshy_wit::{
    adapter::{Feedback, Goal, PastStep, Step},
    host::{self, Change, Condition, Error, Found, Key, Level, Query, Stored},
    memory::{Ending, Hint, Lesson, LessonFilter, Lessons, NewRun, Observed, Runs},
};

/// The time at the beginning, in milliseconds: 2024-01-01.
const START: u64 = 1_704_067_200_000;

/// The time that passes with each step, and between two runs, in milliseconds.
const STEP: u64 = 5_000;
const PAUSE: u64 = 60 * 60 * 1_000;

/// How many earlier steps an adapter sees, as in the program.
const RECENT: usize = 16;

/// The calls of a memory that are used here.
pub trait Memory: Runs + Lessons {}

impl<T: Runs + Lessons> Memory for T {}

/// The engine and the adapter, in one of the forms in which they can be had.
pub trait Setting {
    /// Its name in the figures.
    fn name(&self) -> &'static str;

    /// A memory over this world.
    fn memory<'w>(&self, world: &'w World) -> Box<dyn Memory + 'w>;

    /// What the adapter for commands says of a step.
    fn assess(&self, goal: &Goal, recent: &[PastStep], step: &Step) -> Feedback;
}

/// The engine and the adapter as Rust.
#[derive(Debug, Clone, Copy)]
pub struct Native;

impl Setting for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn memory<'w>(&self, world: &'w World) -> Box<dyn Memory + 'w> {
        Box::new(Engine::new(Ports {
            store: world,
            archive: world,
            embedder: world,
            model: world,
            clock: world,
            log: world,
        }))
    }

    fn assess(&self, goal: &Goal, recent: &[PastStep], step: &Step) -> Feedback {
        Cli.assess(goal, recent, step).expect("feedback")
    }
}

/// A store in memory and a clock. A clone is the same world.
#[derive(Debug, Clone)]
pub struct World {
    store: Arc<MapStore>,
    now: Arc<AtomicU64>,
}

impl World {
    fn new() -> Self {
        Self {
            store: Arc::default(),
            now: Arc::new(AtomicU64::new(START)),
        }
    }

    /// A world that goes its own way from here.
    fn copy(&self) -> Self {
        Self {
            store: Arc::new(MapStore::clone(&self.store)),
            now: Arc::new(AtomicU64::new(self.now.load(Ordering::Relaxed))),
        }
    }

    fn pass(&self, milliseconds: u64) {
        self.now.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

impl host::Store for World {
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Stored>, Error> {
        self.store.get_many(keys)
    }

    fn commit(&self, batch: &[Change]) -> Result<(), Error> {
        self.store.commit(batch)
    }

    fn commit_lightly(&self, batch: &[Change]) -> Result<(), Error> {
        self.store.commit_lightly(batch)
    }

    fn find(&self, query: &Query) -> Result<Vec<Found>, Error> {
        self.store.find(query)
    }

    fn count(&self, kind: &str, conditions: &[Condition]) -> Result<u32, Error> {
        self.store.count(kind, conditions)
    }

    fn optimize(&self) -> Result<(), Error> {
        self.store.optimize()
    }
}

impl host::Clock for World {
    fn now(&self) -> u64 {
        self.now.load(Ordering::Relaxed)
    }
}

impl host::Log for World {
    fn write(&self, _: Level, _: &str) {}
}

impl host::Archive for World {
    fn keep(&self, _: &[u8]) -> Result<String, Error> {
        Err(Error::Unavailable("no archive".into()))
    }

    fn fetch(&self, _: &str) -> Result<Vec<u8>, Error> {
        Err(Error::Unavailable("no archive".into()))
    }

    fn discard(&self, _: &str) -> Result<(), Error> {
        Err(Error::Unavailable("no archive".into()))
    }
}

impl host::Embedder for World {
    fn identity(&self) -> Result<String, Error> {
        Err(Error::Unavailable("no embedder".into()))
    }

    fn embed(&self, _: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        Err(Error::Unavailable("no embedder".into()))
    }
}

impl host::Model for World {
    fn complete(&self, _: &str, _: &str) -> Result<String, Error> {
        Err(Error::Unavailable("no model".into()))
    }
}

/// A memory that learns from runs and is asked about failures.
pub struct Mind<'s> {
    setting: &'s dyn Setting,
    world: World,
    recent: VecDeque<PastStep>,
    agent: Option<String>,
}

impl<'s> Mind<'s> {
    /// A memory with nothing in it.
    pub fn new(setting: &'s dyn Setting) -> Self {
        Self {
            setting,
            world: World::new(),
            recent: VecDeque::new(),
            agent: None,
        }
    }

    /// Says who works from here on.
    pub fn works(&mut self, agent: &str) {
        self.agent = Some(agent.to_owned());
    }

    /// A memory that knows the same and goes its own way from here.
    pub fn copy(&self) -> Self {
        Self {
            setting: self.setting,
            world: self.world.copy(),
            recent: self.recent.clone(),
            agent: self.agent.clone(),
        }
    }

    /// Goes through a run, which ends if `is_finished`, and returns the hints after each step.
    pub fn run(&mut self, task: &str, steps: &[Step], is_finished: bool) -> Vec<Vec<Hint>> {
        let goal = Goal {
            task: task.to_owned(),
            domain: DOMAIN.to_owned(),
            expectations: String::new(),
        };
        let mut observed = Vec::new();
        for step in steps {
            let recent = self.recent.make_contiguous();
            let feedback = self.setting.assess(&goal, recent, step);
            let step = step.clone();
            if self.recent.len() == RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(PastStep {
                step: step.clone(),
                feedback: feedback.clone(),
            });
            observed.push(Observed { step, feedback });
        }
        self.observe(DOMAIN, task, observed, is_finished)
    }

    /// The same with steps that were judged by somebody else.
    pub fn observe(
        &mut self,
        domain: &str,
        task: &str,
        steps: Vec<Observed>,
        is_finished: bool,
    ) -> Vec<Vec<Hint>> {
        self.world.pass(PAUSE);
        let world = self.world.clone();
        let memory = self.setting.memory(&world);
        let run = memory
            .start(&NewRun {
                task: task.to_owned(),
                domain: domain.to_owned(),
                hold_out: Some(0.0),
                hints: Some(3),
                agent: self.agent.clone(),
                ..NewRun::default()
            })
            .expect("a run");
        let mut hints = Vec::new();
        for step in &steps {
            world.pass(STEP);
            let reaction = memory.observe(&run.id, step).expect("observed");
            hints.push(reaction.hints);
        }
        if is_finished {
            let ending = Ending {
                outcome: None,
                score: None,
                referee: None,
            };
            memory.finish(&run.id, &ending).expect("an episode");
        }
        hints
    }

    /// The hints after a single failure, in a memory that forgets that it was asked.
    pub fn hints(&self, failure: &Step) -> Vec<Hint> {
        let mut asked = self.copy();
        let mut hints = asked.run("", std::slice::from_ref(failure), false);
        hints.pop().expect("one step")
    }

    /// What it has learned, newest first.
    pub fn lessons(&self) -> Vec<Lesson> {
        let memory = self.setting.memory(&self.world);
        let filter = LessonFilter {
            limit: Some(1_000),
            ..LessonFilter::default()
        };
        memory.find(&filter).expect("lessons")
    }
}
