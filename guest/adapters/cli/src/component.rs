//! The component: the adapter behind its contract. Owns the connection and nothing else.
#![allow(missing_docs)]

use twiceshy_wit::adapter::{Assess, Error, Feedback, Goal, Manifest, PastStep, Step};

wit_bindgen::generate!({
    world: "adapter",
    path: "../../../wit/adapter",
    with: { "twiceshy:adapter/types@0.1.0": twiceshy_wit::adapter },
});

struct Component;

impl exports::twiceshy::adapter::assess::Guest for Component {
    fn describe() -> Manifest {
        crate::Cli.describe()
    }

    fn assess(goal: Goal, recent: Vec<PastStep>, step: Step) -> Result<Feedback, Error> {
        crate::Cli.assess(&goal, &recent, &step)
    }
}

export!(Component);
