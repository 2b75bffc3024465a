//! `twiceshy events`: failed steps, newest first.

use std::process::ExitCode;

use twiceshy::wit::memory::{EventFilter, Events};

use super::{arguments, context::Context, failure::Failure, show};

pub(crate) fn events(
    context: &Context,
    arguments: &arguments::Events,
) -> Result<ExitCode, Failure> {
    let filter = EventFilter {
        fingerprint: arguments.fingerprint.clone(),
        run: arguments.run.clone(),
        domain: arguments.domain.clone(),
        tag: arguments.tag.clone(),
        limit: Some(arguments.limit),
    };
    let events = Events::find(&context.memory()?, &filter)?;
    if context.json {
        let report = show::json(&events).map_err(|error| Failure::other(error.to_string()))?;
        println!("{report}");
        return Ok(ExitCode::SUCCESS);
    }
    if events.is_empty() {
        println!("No events.");
    }
    for event in events {
        let times = match event.occurrence {
            1 => "first time".to_owned(),
            times => format!("{times}× in {} runs", event.runs),
        };
        println!(
            "{}  {}  {times}  [{}]",
            show::time(event.at),
            event.fingerprint,
            event.tags.join(" ")
        );
        println!("    {}", show::cut(&event.action_text, 110));
        println!(
            "    {}: {}",
            show::cut(&event.reason, 30),
            show::cut(&event.template, 110)
        );
    }
    Ok(ExitCode::SUCCESS)
}
