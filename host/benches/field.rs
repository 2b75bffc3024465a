//! Replays recorded failures through the components, beside three baselines; see `tests/field` for the measures.
//!
//! ```sh
//! cargo bench -p twiceshy --bench field -- --way all
//! ```

use std::process::ExitCode;

use twiceshy::{
    Adapter, Cache, MemoryComponent,
    wit::adapter::{Feedback, Goal, PastStep, Step},
};
use twiceshy_field::setting::{Memory, Setting, World};

/// The memory and the adapter as components, as the program runs them.
struct Components {
    memory: MemoryComponent,
    adapter: Adapter,
}

impl Setting for Components {
    fn name(&self) -> &'static str {
        "components"
    }

    fn memory<'w>(&self, world: &'w World) -> Box<dyn Memory + 'w> {
        let memory = self.memory.over(world.clone());
        Box::new(memory.clock(world.clone()).build())
    }

    fn assess(&self, goal: &Goal, recent: &[PastStep], step: &Step) -> Feedback {
        self.adapter.assess(goal, recent, step).expect("feedback")
    }
}

fn main() -> ExitCode {
    let directory = std::env::temp_dir().join("twiceshy-field");
    let cache = || Cache::new(directory.clone(), |_| {});
    twiceshy_field::main(&Components {
        memory: MemoryComponent::bundled(&cache()).expect("the memory"),
        adapter: Adapter::cli(&cache()).expect("the adapter"),
    })
}
