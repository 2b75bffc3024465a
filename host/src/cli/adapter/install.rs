//! `twiceshy adapter install`: from a file to its place, with a receipt.

use std::{io::IsTerminal, path::PathBuf, process::ExitCode, time::Duration};

use clap::Args;
use indicatif::ProgressBar;
use twiceshy::{Adapters, Cache, Place, Receipt};

use super::super::{context::Context, failure::Failure, show};

#[derive(Debug, Args)]
pub(crate) struct Install {
    /// A component, or an archive that holds one: .wasm, .tar, .tar.gz, or the tar of an OCI image layout.
    file: PathBuf,
    /// Install it for this project alone, instead of for this user.
    #[arg(long)]
    project: bool,
}

pub(crate) fn install(context: &Context, install: &Install) -> Result<ExitCode, Failure> {
    let place = match install.project {
        true => Place::Project,
        false => Place::User,
    };
    let spinner = match std::io::stderr().is_terminal() {
        true => ProgressBar::new_spinner(),
        false => ProgressBar::hidden(),
    };
    let turning = spinner.clone();
    let cache = Cache::new(context.home.cache(), move |name| {
        let message = format!(
            "compiling `{}` for this machine, once; a component in Python takes up to half a minute",
            show::line(name)
        );
        if turning.is_hidden() {
            eprintln!("twiceshy: {message}");
        }
        turning.set_message(message);
        turning.enable_steady_tick(Duration::from_millis(100));
    });
    let adapters = Adapters::of(&context.home, &context.project, &context.settings, cache);
    let installed = adapters.install(&install.file, place);
    spinner.finish_and_clear();
    let receipt = installed?;
    let to_grant = adapters.inspect(&receipt.name)?.to_grant;
    context.print(&receipt, || report(&receipt, to_grant))
}

fn report(receipt: &Receipt, to_grant: Option<String>) -> Vec<String> {
    let installed = format!(
        "{} {} is installed in {}",
        receipt.name,
        receipt.version,
        show::line(&receipt.directory.display().to_string())
    );
    let hash = format!("component sha256 {}", receipt.component_sha256);
    [Some(installed), Some(hash), to_grant]
        .into_iter()
        .flatten()
        .collect()
}
