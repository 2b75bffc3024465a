//! `twiceshy init`: makes a memory where the first write would make it.

use std::process::ExitCode;

use super::{context::Context, failure::Failure};

pub(crate) fn init(context: &Context) -> Result<ExitCode, Failure> {
    let existed = context.project.exists();
    context.store().made()?;
    let directory = context.project.directory().display();
    if context.json {
        println!(
            "{}",
            serde_json::json!({ "memory": directory.to_string(), "made": !existed })
        );
    } else if existed {
        println!("The memory {directory} is there already.");
    } else {
        println!("Made the memory {directory}\nTry: twiceshy run -- ls /nowhere");
    }
    Ok(ExitCode::SUCCESS)
}
