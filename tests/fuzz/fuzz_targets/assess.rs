//! The adapter for commands: any three texts get feedback or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use twiceshy_adapter::Assess;
use twiceshy_adapter_cli::{Cli, DOMAIN};
use twiceshy_wit::adapter::{Goal, Step};

fuzz_target!(|text: &str| {
    let mut parts = text.splitn(3, '\0').map(str::to_owned);
    let mut part = || parts.next().unwrap_or_default();
    let step = Step {
        action: part(),
        observation: part(),
        ..Step::default()
    };
    let goal = Goal {
        domain: DOMAIN.to_owned(),
        expectations: part(),
        ..Goal::default()
    };
    let _ = Cli.assess(&goal, &[], &step);
});
