//! `twiceshy status`: how much the memory holds.

use std::process::ExitCode;

use twiceshy::wit::memory::Upkeep;

use super::{context::Context, failure::Failure, show};

pub(crate) fn status(context: &Context) -> Result<ExitCode, Failure> {
    let exists = context.project.exists();
    if let Err(why) = context.standing().check() {
        let directory = context.project.place();
        match context.json {
            true => println!(
                "{}",
                serde_json::json!({ "memory": directory, "exists": exists, "foreign": why })
            ),
            false => println!("foreign       {}", show::line(&why)),
        }
        return Ok(ExitCode::SUCCESS);
    }
    let status = context.memory()?.status()?;
    let store = context.store();
    let bytes = match (store.served()?, store.file()?) {
        (Some(store), _) => store.size_bytes()?,
        (None, Some(store)) => store.size_bytes()?,
        (None, None) => 0,
    };
    let directory = context.project.place();
    if context.json {
        let mut report =
            serde_json::to_value(status).map_err(|error| Failure::other(error.to_string()))?;
        report["memory"] = directory.clone().into();
        report["exists"] = exists.into();
        report["bytes"] = bytes.into();
        report["enabled"] = context.settings.enabled.into();
        println!("{report}");
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(off) = context.settings.switched_off() {
        println!("{off}: nothing is remembered or shown");
    }
    let directory = show::line(&directory);
    if !exists {
        println!("No memory yet: the first `twiceshy run` makes {directory}");
        return Ok(ExitCode::SUCCESS);
    }
    match context.project.address() {
        Some(address) => println!("memory        {address}"),
        None => println!(
            "memory        {directory} ({} KiB)",
            bytes.div_ceil(1 << 10)
        ),
    }
    println!("events        {:>8}  failed steps", status.events);
    println!(
        "fingerprints  {:>8}  different failures",
        status.fingerprints
    );
    println!("episodes      {:>8}  runs that have ended", status.episodes);
    println!("runs          {:>8}  runs that are open", status.runs);
    println!("lessons       {:>8}", status.lessons);
    println!(
        "activations   {:>8}  lessons shown in runs, or withheld",
        status.activations
    );
    println!(
        "decisions     {:>8}  accepted, rejected or held",
        status.decisions
    );
    println!(
        "failures      {:>8}  failed attempts on record",
        status.failures
    );
    Ok(ExitCode::SUCCESS)
}
