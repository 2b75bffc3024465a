//! `twiceshy adapter inspect`: everything about one adapter.

use std::process::ExitCode;

use twiceshy::{AdapterGrant, Inspection, Receipt};

use super::{
    super::{context::Context, failure::Failure, show},
    Named, list,
};

pub(crate) fn inspect(context: &Context, named: &Named) -> Result<ExitCode, Failure> {
    let inspection = context.adapters().inspect(&named.name)?;
    context.print(&inspection, || report(&inspection))
}

fn report(inspection: &Inspection) -> Vec<String> {
    let entry = &inspection.entry;
    let mut lines = list::lines(entry);
    let mut say = |name: &str, text: &str| lines.push(format!("{name:<13} {}", show::line(text)));
    if let Some(manifest) = &inspection.manifest {
        say("summary", &manifest.summary);
    }
    if let Some(directory) = &entry.directory {
        say("directory", &directory.display().to_string());
    }
    let imports = match (&inspection.manifest, &inspection.imports[..]) {
        (None, _) => "unknown: it can't be loaded".to_owned(),
        (_, []) => "nothing".to_owned(),
        (_, imports) => imports.join(", "),
    };
    say("imports", &imports);
    let limits = inspection.limits;
    say(
        "limits",
        &format!(
            "memory-mib {}, time-ms {}, output-kib {}",
            limits.memory_mib, limits.time_ms, limits.output_kib
        ),
    );
    if let Some(kib) = inspection.memory_kib {
        say("memory", &format!("{kib} KiB before its first step"));
    }
    say("asked", &grant(inspection.asked));
    say("granted", &grant(inspection.granted));
    if let Some(advice) = &inspection.to_grant {
        say("", advice);
    }
    match &inspection.receipt {
        Some(receipt) => say("receipt", &told(receipt)),
        None if entry.directory.is_some() => say("receipt", "none: it was not installed here"),
        None => {}
    }
    match &inspection.strikes {
        Some(strikes) => say(
            "strikes",
            &format!("{} in a row, the last: {}", strikes.count, strikes.last),
        ),
        None => say("strikes", "none"),
    }
    if let Some(manifest) = &inspection.manifest {
        let schemas = [
            ("action", &manifest.action_schema),
            ("observation", &manifest.observation_schema),
            ("expectations", &manifest.expectations_schema),
        ];
        for (name, schema) in schemas {
            lines.push(format!("\n{name}:"));
            lines.extend(
                schema
                    .trim()
                    .lines()
                    .map(|line| format!("  {}", show::line(line))),
            );
        }
    }
    lines
}

fn grant(grant: AdapterGrant) -> String {
    let members: Vec<_> = grant
        .members()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    match members.is_empty() {
        true => "the default".to_owned(),
        false => members.join(", "),
    }
}

fn told(receipt: &Receipt) -> String {
    format!(
        "installed {} from {}, component sha256 {}, adapter.toml sha256 {}",
        show::time(receipt.installed_at),
        receipt.source,
        receipt.component_sha256,
        receipt.declaration_sha256
    )
}
