//! `twiceshy hook`: what an agent host calls at the events of its sessions.
//!
//! It reads one event from standard input, remembers what happened, and answers in the members that the host takes, or not at all.
//! It never stands in the way: it ends with 0 whatever happens, says nothing when it has nothing that fits, and what it did is
//! in a log.

pub(crate) mod attendance;
mod evidence;
pub(crate) mod hosts;
pub(crate) mod log;
pub(crate) mod payload;
mod unfixed;

use std::{
    io::{self, IsTerminal, Read, Write},
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
    time::Instant,
};

use clap::Args;
use serde_json::{Value, json};
use twiceshy::Home;

use super::{arguments::Common, care, context::Context, failure::Failure, show};
use attendance::Attendance;
use hosts::Host;
use log::{Entry, Log};
use payload::{Happening, Payload};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy setup                                      # lets the hosts on this machine call it
  twiceshy hook codex PostToolUse < event.json        # what a host does
  twiceshy hook PostToolUse --explain < event.json    # which host wrote it is found; what is understood is shown
  twiceshy watch                                      # shows what hooks do, live

It ends with 0 whatever happens, so that it can't stand in a host's way; `twiceshy watch` shows what went wrong.";

/// The longest event that is read.
const MOST_BYTES: u64 = 16 << 20;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The host: claude, codex, gemini, qwen, opencode, copilot, cursor, cline, vscode, kimi, vibe or openhands.
    ///
    /// If it is left out, what the event has in it says which host wrote it.
    host: Option<String>,
    /// The event, in the host's own words. Default: what the event itself says it is.
    event: Option<String>,
    /// Marks the entries that `twiceshy setup` made.
    #[arg(long, hide = true)]
    by_setup: bool,
    /// Answer with what is understood and what would be answered, as JSON. What happened is remembered all the same.
    #[arg(long)]
    explain: bool,
    // A later version of a host may add arguments of its own.
    #[arg(hide = true, trailing_var_arg = true)]
    rest: Vec<String>,
}

/// Attends to an event. Never fails.
pub(crate) fn hook(arguments: &Arguments, common: &Common) -> Result<ExitCode, Failure> {
    // Nobody reads the words of a panic here; that there was one is in the log.
    panic::set_hook(Box::new(|_| {}));
    let attended = panic::catch_unwind(AssertUnwindSafe(|| attend(arguments, common)));
    if let Ok(Some(answer)) = attended {
        let mut output = io::stdout().lock();
        // A host that does not read its answer does without it.
        let _ = output
            .write_all(answer.as_bytes())
            .and_then(|()| output.flush());
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the event, attends to it, and enters it into the log. Gives the answer.
fn attend(arguments: &Arguments, common: &Common) -> Option<String> {
    let started = Instant::now();
    let log = Log::of(&Home::find());
    let words = [&arguments.host, &arguments.event].map(|word| word.as_deref().unwrap_or("?"));
    let mut entry = Entry::new(words[0], words[1]);
    let answer = panic::catch_unwind(AssertUnwindSafe(|| {
        understood(arguments, common, &mut entry)
    }));
    let answer = match answer {
        Ok(Ok(answer)) => answer,
        Ok(Err(failure)) => {
            entry.trouble = Some(failure.message().to_owned());
            None
        }
        Err(_) => {
            entry.trouble = Some("it panicked, which is a defect of twiceshy".to_owned());
            None
        }
    };
    entry.ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    log.write(&entry);
    answer
}

fn understood(
    arguments: &Arguments,
    common: &Common,
    entry: &mut Entry,
) -> Result<Option<String>, Failure> {
    if io::stdin().is_terminal() {
        eprintln!(
            "twiceshy: a host calls this, with an event on standard input; `twiceshy setup` connects the hosts on this machine"
        );
        return Ok(None);
    }
    let value = event()?;
    let words = [&arguments.host, &arguments.event];
    let words: Vec<_> = words.into_iter().flatten().map(String::as_str).collect();
    let (host, event) = hosts::named(&words, &value).ok_or_else(|| unknown(&words))?;
    entry.name(host.name, event);
    let payload = (host.read)(event, &value);
    let said = attended(host, event, common, &payload, entry);
    let said = said.map(|said| {
        said.map(|said| within(&said, host))
            .filter(|said| !said.is_empty())
    });
    let answer = said.map(|said| said.map(|said| (host.answer)(event, &value, &said)));
    if arguments.explain {
        let explained = json!({
            "understood": payload,
            "answer": answer.as_ref().ok(),
            "trouble": answer.as_ref().err().map(Failure::message),
        });
        return Ok(Some(format!("{explained}\n")));
    }
    answer
}

/// Remembers what happened. Gives what is to be said to the agent.
fn attended(
    host: &'static Host,
    event: &str,
    common: &Common,
    payload: &Payload,
    entry: &mut Entry,
) -> Result<Option<String>, Failure> {
    let context = Context::between_steps(common, payload.directory.as_deref())?;
    entry.describe(payload, &context);
    if context.settings.switched_off().is_some() {
        entry.note = Some("switched off".to_owned());
        return Ok(None);
    }
    if let Happening::Nothing(why) = &payload.happening {
        entry.note = Some((*why).to_owned());
        return Ok(None);
    }
    let (project, hours) = (context.project.clone(), context.settings.consolidate_hours);
    let is_pause = matches!(payload.happening, Happening::Pause | Happening::End);
    // A memory of somebody else is not cared for.
    let is_cared_for = is_pause && context.refuse_foreign().is_ok();
    let said = Attendance::new(host, event, context, payload, entry).attend();
    if is_cared_for {
        care::begin_if_due(&project, hours);
    }
    said
}

/// Told on standard error, too: whoever registers the hook by hand may look there.
fn unknown(words: &[&str]) -> Failure {
    let names: Vec<_> = hosts::HOSTS.iter().map(|host| host.name).collect();
    let failure = Failure::input(format!(
        "`twiceshy hook {}` does not say of which host the event is, nor does the event; call `twiceshy hook HOST EVENT`, HOST is one of {}",
        show::cut(&words.join(" "), 80),
        names.join(", ")
    ));
    eprintln!("twiceshy: {}", failure.message());
    failure
}

/// The event on standard input.
fn event() -> Result<Value, Failure> {
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Failure::input(format!(
            "the event has more than {} MiB",
            MOST_BYTES >> 20
        )));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    // Text that a command printed may be in any encoding.
    let text = String::from_utf8_lossy(bytes);
    serde_json::from_str(&text)
        .map_err(|error| Failure::input(format!("the event is no JSON: {error}")))
}

/// A text that the host passes on as it is: without the last lines of its block if it is too long.
fn within(text: &str, host: &Host) -> String {
    let mut lines: Vec<_> = text.lines().collect();
    let length = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| line.chars().count() + 1)
            .sum::<usize>()
    };
    while length(&lines) > host.most_chars {
        match lines.iter().rposition(|line| line.starts_with("- ")) {
            Some(last) => drop(lines.remove(last)),
            // Nothing is left that could be said.
            None => return String::new(),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_within_the_limit_of_its_host() {
        let host = hosts::host("claude").expect("a host");
        let block = |hints: usize| {
            let lines =
                (0..hints).map(|at| format!("- les_{at} (rule, new): {}\n", "x".repeat(500)));
            format!(
                "<twiceshy-memory>\nnote\n{}</twiceshy-memory>",
                lines.collect::<String>()
            )
        };
        assert_eq!(within(&block(3), host), block(3));
        let cut = within(&block(40), host);
        assert!(cut.chars().count() <= host.most_chars);
        assert!(cut.ends_with("</twiceshy-memory>") && cut.contains("les_18 "));
        assert!(!cut.contains("les_19 "));
    }
}
