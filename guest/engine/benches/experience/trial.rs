//! The agent, with and without experience, and how it did.
//!
//! The agent tries one way after another in each turn, in the order of its habit; what worked in like tasks comes first, if
//! it is told. It knows nothing but the task's words and the text that the memory gives for them. Without experience it is the
//! same agent with the same habits, which is told nothing.

use twiceshy_engine::Engine;
use twiceshy_wit::memory::{
    Experience, ExperienceQuery, FeedbackType, NewExperience, StructuredFeedback,
};

use crate::support::World;

use super::{
    chance::Chance,
    household::{self, TURNS, Task, WAYS},
};

/// Steps that a task may take.
const PATIENCE: u32 = 14;

/// How an agent did over some tasks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Figures {
    tasks: u32,
    solved: u32,
    steps: u32,
}

impl Figures {
    pub fn add(&mut self, other: &Self) {
        self.tasks += other.tasks;
        self.solved += other.solved;
        self.steps += other.steps;
    }

    /// The share of tasks that were solved.
    pub fn success(&self) -> f64 {
        f64::from(self.solved) / f64::from(self.tasks)
    }

    /// Steps a task, those that were given up included.
    pub fn steps_a_task(&self) -> f64 {
        f64::from(self.steps) / f64::from(self.tasks)
    }
}

/// The same tasks with and without experience.
pub struct Compared {
    pub without: Figures,
    pub with: Figures,
    /// With experience, in the first and in the last third of the tasks.
    pub early: Figures,
    pub late: Figures,
    /// How alike the tasks are, as the memory itself measures it: the mean over all pairs.
    pub likeness: f64,
}

/// Lives through households in which this share of tasks is of a family.
pub fn compared(share: f64, seeds: std::ops::Range<u64>, count: u64) -> Compared {
    let mut sums = Compared {
        without: Figures::default(),
        with: Figures::default(),
        early: Figures::default(),
        late: Figures::default(),
        likeness: 0.0,
    };
    let households = (seeds.end - seeds.start) as f64;
    for seed in seeds {
        let chance = Chance { seed };
        let world = World::new();
        let engine = world.engine();
        for (number, task) in household::tasks(chance, share, count).iter().enumerate() {
            world.pass(60_000);
            let habit = |turn: usize, way: usize| {
                chance.bits(8, (number * TURNS + turn) as u64, way as u64)
            };
            sums.without.add(&attempt(task, "", habit).0);
            let (figures, actions) = attempt(task, &told(&engine, task), habit);
            remember(&engine, task, &figures, &actions);
            sums.with.add(&figures);
            match 3 * number as u64 / count {
                0 => sums.early.add(&figures),
                1 => {}
                _ => sums.late.add(&figures),
            }
        }
        let metrics = engine.similarity_of_tasks().expect("figures");
        sums.likeness += metrics.average_similarity / households;
    }
    sums
}

/// What the memory tells of like tasks: search, then synthesis.
fn told(engine: &Engine, task: &Task) -> String {
    let query = ExperienceQuery {
        text: task.words.clone(),
        memory_type: None,
        tag: None,
        domain: None,
        limit: None,
    };
    let hits = Experience::search(engine, &query).expect("a search");
    let ids: Vec<_> = hits.into_iter().map(|hit| hit.entry.id).collect();
    engine.synthesize(&task.words, &ids).expect("a text").text
}

/// Works on a task. Gives how it went, and what worked.
fn attempt(task: &Task, told: &str, habit: impl Fn(usize, usize) -> u64) -> (Figures, Vec<String>) {
    let mut steps = 0;
    let mut worked = Vec::new();
    for (turn, right) in task.solution.into_iter().enumerate() {
        let mut ways: Vec<_> = (0..WAYS).collect();
        ways.sort_by_key(|way| {
            let place = told.find(&household::action(turn, *way));
            (place.unwrap_or(usize::MAX), habit(turn, *way))
        });
        for way in ways {
            if steps == PATIENCE {
                break;
            }
            steps += 1;
            if way == right {
                worked.push(household::action(turn, way));
                break;
            }
        }
    }
    let figures = Figures {
        tasks: 1,
        solved: u32::from(worked.len() == TURNS),
        steps,
    };
    (figures, worked)
}

/// Takes in what came of it: evolve.
fn remember(engine: &Engine, task: &Task, figures: &Figures, worked: &[String]) {
    let correct = figures.solved == 1;
    let kind = match correct {
        true => FeedbackType::Success,
        false => FeedbackType::Failure,
    };
    let experience = NewExperience {
        input: task.words.clone(),
        output: worked.join(", "),
        feedback: kind.as_str().to_owned(),
        structured_feedback: Some(StructuredFeedback {
            kind,
            correct,
            progress_rate: worked.len() as f64 / TURNS as f64,
            steps_used: figures.steps,
            steps_optimal: Some(TURNS as u32),
            message: String::new(),
        }),
        ..NewExperience::default()
    };
    engine.evolve(&experience).expect("taken in");
}
