//! `twiceshy working continuity`: working memory as a page, in a file that is written whole or not at all.

mod page;

use std::{path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::json;
use twiceshy::wit::memory::Working;

use super::{context::Context, failure::Failure, generated, show};

#[derive(Debug, Args)]
pub(crate) struct Continuity {
    /// The task; the one that is open, if not given.
    #[arg(long, value_name = "ID", env = "TWICESHY_RUN")]
    run: Option<String>,
    /// The file to write, instead of printing it. Written whole or not at all.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn continuity(context: &Context, arguments: &Continuity) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let run = match &arguments.run {
        Some(run) => run.clone(),
        None => generated::open_task(context, &memory)?,
    };
    let text = memory.continuity(&run)?;
    match &arguments.output {
        None => context.print(&text, || text.lines().map(show::line).collect()),
        Some(file) => {
            page::write(file, &text)?;
            let name = file.display().to_string();
            context.print(&json!({ "file": name }), || {
                vec![format!("Wrote {}.", show::line(&name))]
            })
        }
    }
}
