//! `twiceshy run`: a command that is remembered.
//!
//! The command comes first: it starts before the memory does, behaves as if twiceshy were not there,
//! and its end is ours. The memory is loaded while the command runs; should it fail, one line says why.

use std::{io::IsTerminal, process::ExitCode, thread};

use serde_json::json;
use twiceshy::{
    Adapter, Memory, MemoryComponent, Settings, limits,
    wit::{
        adapter::{Goal, Step},
        memory::{Ending, NewRun, Observed, Reaction, Runs},
    },
};

use super::{
    arguments::{self, Common},
    child::{self, Ended},
    context::{Context, StandardError, cache},
    expect::Expectations,
    failure::Failure,
    show,
};

/// The domain of commands.
const DOMAIN: &str = "cli";

/// Everything but the store, which is opened after the command has ended: a command must not see it come
/// into being.
struct Loaded {
    context: Context,
    component: MemoryComponent,
    adapter: Adapter,
}

pub(crate) fn run(arguments: &arguments::Run, common: &Common) -> ExitCode {
    let expectations = match Expectations::parse(&arguments.expect) {
        Ok(expectations) => expectations,
        Err(failure) => return failure.report(common.json),
    };
    let context = Context::new(common);
    let settings = context
        .as_ref()
        .map_or_else(|_| Settings::default(), |found| found.settings.clone());
    let loading = thread::spawn(move || load(context?));
    let ended = child::run(&arguments.command, settings.capture_kib << 10);
    let code = exit_code(&ended);
    if let Some(error) = &ended.start_error {
        let name = arguments
            .command
            .first()
            .map(|name| name.to_string_lossy())
            .unwrap_or_default();
        eprintln!("twiceshy: {}: {error}", show::line(&name));
    }
    let loaded = loading
        .join()
        .unwrap_or_else(|_| Err(Failure::other("loading the memory panicked")));
    let remembered = loaded.and_then(|loaded| remember(&loaded, arguments, &expectations, ended));
    match remembered {
        Ok(reaction) if !arguments.quiet => hint(&reaction, common.json),
        Ok(_) => {}
        Err(failure) => {
            eprintln!(
                "twiceshy: not remembered: {}",
                show::line(failure.message())
            );
        }
    }
    code
}

fn load(context: Context) -> Result<Loaded, Failure> {
    let cache = cache(&context.home, false);
    // The two components are loaded at once; compiling them takes a moment the first time.
    let (component, adapter) = thread::scope(|scope| {
        let component = scope.spawn(|| MemoryComponent::bundled(&cache));
        let adapter = Adapter::cli(&cache);
        (component.join(), adapter)
    });
    let component =
        component.map_err(|_| Failure::other("loading the memory component panicked"))??;
    Ok(Loaded {
        context,
        component,
        adapter: adapter?,
    })
}

/// Assesses what happened and hands it to the memory.
fn remember(
    loaded: &Loaded,
    arguments: &arguments::Run,
    expectations: &Expectations,
    ended: Ended,
) -> Result<Reaction, Failure> {
    let Loaded {
        context,
        component,
        adapter,
    } = loaded;
    let memory: Memory = component
        .over(context.store())
        .log(StandardError::from_environment())
        .build();
    let goal = Goal {
        task: arguments.task.clone(),
        domain: DOMAIN.to_owned(),
        expectations: expectations.payload(),
    };
    let step = step(arguments, expectations, ended);
    let recent = memory.recent_steps(DOMAIN, limits::RECENT_STEPS)?;
    let feedback = adapter.assess(&goal, &recent, &step)?;
    let run = NewRun {
        id: None,
        task: goal.task,
        domain: goal.domain,
    };
    let ending = Ending {
        outcome: None,
        score: None,
    };
    let mut submitted = memory.submit(&run, &[Observed { step, feedback }], &ending)?;
    let mut reaction = submitted.reactions.remove(0);
    reaction.hints.truncate(context.settings.hints as usize);
    Ok(reaction)
}

fn step(arguments: &arguments::Run, expectations: &Expectations, ended: Ended) -> Step {
    let command: Vec<_> = arguments
        .command
        .iter()
        .map(|part| part.to_string_lossy())
        .collect();
    let directory = std::env::current_dir().map(|here| here.display().to_string());
    let shortened = ended.stdout.shortened() || ended.stderr.shortened();
    let observation = json!({
        "exit": ended.exit,
        "signal": ended.signal,
        "start-error": ended.start_error.map(|error| error.to_string()),
        "stdout": ended.stdout.text(),
        "stderr": ended.stderr.text(),
        "shortened": shortened,
        "duration-ms": u64::try_from(ended.duration.as_millis()).unwrap_or(u64::MAX),
        "artifacts": expectations.artifacts(),
    });
    let mut action = json!({ "command": command });
    if let Ok(directory) = directory {
        action["directory"] = directory.into();
    }
    Step {
        before: String::new(),
        action: action.to_string(),
        observation: observation.to_string(),
    }
}

/// Tells what is known, if anything is.
fn hint(reaction: &Reaction, json: bool) {
    if reaction.hints.is_empty() {
        return;
    }
    if json {
        eprintln!("{}", json!({ "hints": reaction.hints }));
        return;
    }
    let (bold, plain) = if std::io::stderr().is_terminal() {
        ("\x1b[1m", "\x1b[0m")
    } else {
        ("", "")
    };
    for hint in &reaction.hints {
        eprintln!(
            "{bold}twiceshy:{plain} {} [{}]",
            show::line(&hint.lesson.rule_text),
            hint.lesson.id
        );
    }
}

fn exit_code(ended: &Ended) -> ExitCode {
    let code = match (ended.exit, ended.signal, &ended.start_error) {
        (Some(exit), _, _) => exit,
        (None, Some(signal), _) => 128 + signal,
        (None, None, Some(error)) if error.kind() == std::io::ErrorKind::NotFound => 127,
        _ => 126,
    };
    ExitCode::from(u8::try_from(code & 0xff).unwrap_or(u8::MAX))
}
