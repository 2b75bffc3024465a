//! `twiceshy run`: a command that is remembered.
//!
//! The command comes first: it starts before the memory does, behaves as if twiceshy were not there,
//! and its end is ours. The memory is loaded while the command runs; should it fail, one line says why.

use std::{
    io::{IsTerminal, Write},
    process::ExitCode,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::SystemTime,
};

use serde_json::json;
use twiceshy::{
    Adapter, Memory, PluginErrorKind, Settings,
    wit::{
        adapter::{Goal, Step},
        memory::{Ending, Error, Hint, NewRun, Observed, Reaction, Runs},
    },
};

use super::{
    arguments::{self, Common},
    child::{self, Ended},
    context::{self, Context},
    expect::Expectations,
    failure::Failure,
    judge::{self, DOMAIN, Loaded},
    line_of_work::Act,
    referee,
    session_run::{self, SessionRun, has_failed},
    share, show, users_memory,
};

/// The end of a run that nobody scored.
pub(crate) const UNSCORED: Ending = Ending {
    outcome: None,
    score: None,
    referee: None,
};

/// What became of a command in the memory.
struct Remembered {
    reaction: Reaction,
    /// What the user's own memory knows, if the project's has nothing to say.
    borrowed: Vec<Hint>,
    /// What the person should know about it.
    note: Option<String>,
}

/// The memory on its way: it is loaded while the command runs.
enum Loading {
    Running(thread::JoinHandle<Result<Loaded, Failure>>),
    Done(Box<Result<Loaded, Failure>>),
}

pub(crate) fn run(arguments: &arguments::Run, common: &Common) -> ExitCode {
    let expectations = match Expectations::parse(&arguments.expect) {
        Ok(expectations) => expectations,
        Err(failure) => return failure.report(common.json),
    };
    let context = Context::between_steps(common, None);
    if let Err(failure) = refuse(arguments, &context) {
        return failure.report(common.json);
    }
    let settings = context
        .as_ref()
        .map_or_else(|_| Settings::default(), |found| found.settings.clone());
    if settings.switched_off().is_some() {
        let ended = child::run(
            &arguments.command,
            settings.capture_kib << 10,
            arguments.timeout,
            false,
        );
        tell_trouble(arguments, &ended);
        return exit_code(&ended);
    }
    let announcements = Announcements::default();
    let loading = Loading::start(context, &announcements);
    let loading = if expectations.payload().is_empty() {
        loading
    } else {
        announcements.release();
        // The one who will judge says whether it can, before the command runs.
        let loaded = loading.finish();
        if let Ok(Loaded {
            adapter: Ok(adapter),
            ..
        }) = &loaded
            && let Err(failure) = check(adapter, &expectations)
        {
            return failure.report(common.json);
        }
        Loading::Done(Box::new(loaded))
    };
    let ended = child::run(
        &arguments.command,
        settings.capture_kib << 10,
        arguments.timeout,
        expectations.are_of_streams(),
    );
    let code = exit_code(&ended);
    let mut mid_line = tell_trouble(arguments, &ended);
    if !loading.is_done() || context::is_talkative() {
        if mid_line && announcements.are_due() {
            tell("");
            mid_line = false;
        }
        announcements.release();
    }
    if arguments.referee.given() {
        // Whoever interrupts us now does not mean the command, which has ended.
        child::keep_signals();
    }
    // The referee sees the result, and nobody waits for the memory meanwhile.
    let verdict = arguments.referee.ending().unwrap_or_else(|failure| {
        tell(&format!("twiceshy: {}", show::line(failure.message())));
        None
    });
    let remembered = loading
        .finish()
        .and_then(|loaded| remember(&loaded, arguments, &expectations, ended, verdict));
    let lines = match remembered {
        Ok(Remembered {
            reaction,
            borrowed,
            note,
        }) => {
            let mut hints = match arguments.quiet {
                true => Vec::new(),
                false => hints(&reaction.hints, "", common.json),
            };
            hints.extend(self::hints(&borrowed, users_memory::MARK, common.json));
            note.into_iter().chain(hints).collect()
        }
        Err(failure) => vec![format!(
            "twiceshy: not remembered: {}",
            show::line(failure.message())
        )],
    };
    if mid_line && !lines.is_empty() {
        tell("");
    }
    lines.iter().for_each(|line| tell(line));
    code
}

/// Says what ended the command, kept it from running, or its output from being written; and whether the output still ends
/// amid a line.
fn tell_trouble(arguments: &arguments::Run, ended: &Ended) -> bool {
    let mut mid_line = ended.ends_mid_line;
    if let Some(time) = arguments.timeout.filter(|_| ended.timed_out) {
        let line_end = if mid_line { "\n" } else { "" };
        tell(&format!(
            "{line_end}twiceshy: ended after {} s, by --timeout",
            time.as_secs_f64()
        ));
        mid_line = false;
    }
    if let Some(error) = &ended.start_error {
        let name = arguments
            .command
            .first()
            .map(|name| name.to_string_lossy())
            .unwrap_or_default();
        tell(&format!("twiceshy: {}: {error}", show::line(&name)));
    }
    if let Some(error) = &ended.write_error {
        tell(&format!("twiceshy: writing the command's output: {error}"));
    }
    mid_line
}

/// That a component is compiled, held back while the command has the terminal: only who waits for it has to know.
#[derive(Clone, Default)]
struct Announcements(Arc<Mutex<Held>>);

#[derive(Default)]
struct Held {
    names: Vec<String>,
    released: bool,
}

impl Announcements {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, name: &str) {
        let mut held = self.held();
        match held.released {
            true => context::announce(name, false),
            false => held.names.push(name.to_owned()),
        }
    }

    fn are_due(&self) -> bool {
        !self.held().names.is_empty()
    }

    fn release(&self) {
        let mut held = self.held();
        held.released = true;
        held.names
            .drain(..)
            .for_each(|name| context::announce(&name, false));
    }
}

impl Loading {
    fn start(context: Result<Context, Failure>, announcements: &Announcements) -> Self {
        let announcements = announcements.clone();
        Self::Running(thread::spawn(move || {
            judge::load(context?, move |name| announcements.say(name))
        }))
    }

    /// Whether nobody has to wait for it.
    fn is_done(&self) -> bool {
        match self {
            Self::Running(thread) => thread.is_finished(),
            Self::Done(_) => true,
        }
    }

    fn finish(self) -> Result<Loaded, Failure> {
        match self {
            Self::Running(thread) => thread
                .join()
                .unwrap_or_else(|_| Err(Failure::other("loading the memory panicked"))),
            Self::Done(loaded) => *loaded,
        }
    }
}

/// Refuses expectations that the adapter refuses. Any other trouble of the adapter can wait.
fn check(adapter: &Adapter, expectations: &Expectations) -> Result<(), Failure> {
    let goal = Goal {
        task: String::new(),
        domain: DOMAIN.to_owned(),
        expectations: expectations.payload(),
    };
    let nothing = Step {
        before: String::new(),
        action: json!({ "command": ["true"] }).to_string(),
        observation: json!({ "exit": 0, "stdout": "", "stderr": "", "duration-ms": 0 }).to_string(),
    };
    if adapter.quarantine().is_some() {
        return Ok(());
    }
    match adapter.assess(&goal, &[], &nothing) {
        Err(error) if error.kind == PluginErrorKind::Refused => {
            Err(Failure::input(format!("--expect: {error}")))
        }
        _ => Ok(()),
    }
}

/// Refuses what can't be done, before the command runs.
fn refuse(arguments: &arguments::Run, context: &Result<Context, Failure>) -> Result<(), Failure> {
    if arguments.referee.given() && open_task(arguments).is_some() {
        return Err(Failure::input(
            "--referee scores a whole run, and this command is a step of one; give it to twiceshy task finish",
        ));
    }
    if arguments.model && matches!(context, Ok(context) if context.model().is_none()) {
        return Err(Failure::input(
            "--model: none is configured; see `[model]` in docs/CONFIGURATION.md",
        ));
    }
    Ok(())
}

/// The task that the command is a step of.
fn open_task(arguments: &arguments::Run) -> Option<&str> {
    arguments.run.as_deref().filter(|run| !run.is_empty())
}

/// Assesses what happened and hands it to the memory.
fn remember(
    loaded: &Loaded,
    arguments: &arguments::Run,
    expectations: &Expectations,
    ended: Ended,
    verdict: Option<Ending>,
) -> Result<Remembered, Failure> {
    let Loaded {
        context, component, ..
    } = loaded;
    context.refuse_foreign()?;
    // A command does not wait for a model unless somebody wants that.
    let model = context.model().filter(|_| {
        arguments.model
            || context
                .settings
                .model
                .as_ref()
                .is_some_and(|model| model.on_run)
    });
    let embedding = context.settings.embedding.as_ref();
    let embedder = context
        .embedder()
        .filter(|_| embedding.is_none_or(|embedding| embedding.on_run));
    let memory = context.over(component, model, embedder);
    session_run::end_idle(&context.project, &memory)?;
    let goal = Goal {
        task: arguments.task.clone(),
        domain: DOMAIN.to_owned(),
        expectations: expectations.payload(),
    };
    // A shell says so of what it was to run.
    let is_missing = ended.start_error.is_some() || ended.exit == Some(127);
    let started = SystemTime::now()
        .checked_sub(ended.duration)
        .unwrap_or(SystemTime::UNIX_EPOCH);
    let step = step(arguments, expectations, ended);
    let (feedback, trouble) = loaded.feedback(&memory, &goal, &step)?;
    let observed = Observed { step, feedback };
    let failed = has_failed(&observed).then(|| observed.clone());
    let run = arguments.belonging.of(NewRun {
        id: None,
        task: goal.task,
        domain: goal.domain,
        hold_out: Some(context.settings.hold_out),
        hints: Some(context.settings.hints),
        ..NewRun::default()
    });
    let judged = verdict.is_some();
    let ending = verdict.unwrap_or_else(|| match trouble {
        None => by_expectations(expectations, &observed),
        // Nobody looked whether they hold.
        Some(_) => UNSCORED,
    });
    let shown = !arguments.quiet && context.settings.hints > 0;
    let mut reaction = None;
    if let Some(task) = open_task(arguments) {
        reaction = observe(&memory, task, &observed)?;
    } else if shown
        && !judged
        && let Some(session) = arguments.belonging.session()
        && let Some(session) = SessionRun::of(&context.project, &session, has_failed(&observed))
    {
        let act = Act::of(&observed, has_failed(&observed), is_missing);
        reaction = session.take_in(&memory, &run, &observed, &act, started, &ending)?;
    }
    let reaction = match reaction {
        Some(reaction) => reaction,
        None => memory
            .submit(&run, &[observed], &ending)?
            .reactions
            .remove(0),
    };
    let note = trouble.map(|error| {
        format!(
            "twiceshy: judged by its exit alone: {}",
            show::line(&error.to_string())
        )
    });
    let is_silent = shown && reaction.hints.is_empty();
    let borrowed = failed
        .filter(|_| is_silent)
        .map(|observed| users_memory::hints(context, component, &memory, &observed));
    Ok(Remembered {
        reaction,
        borrowed: borrowed.unwrap_or_default(),
        note,
    })
}

/// Takes the command into an open task. One that is not open any more is told, and the command is not lost.
fn observe(memory: &Memory, task: &str, observed: &Observed) -> Result<Option<Reaction>, Error> {
    match memory.observe(task, observed) {
        Ok(reaction) => Ok(Some(reaction)),
        Err(error @ (Error::NotFound(_) | Error::Conflict(_))) => {
            let failure = Failure::from(error).in_commands();
            tell(&format!(
                "twiceshy: remembered as a run of its own: {}",
                show::line(failure.message())
            ));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The end of a run of one command: expectations are a referee, too.
fn by_expectations(expectations: &Expectations, observed: &Observed) -> Ending {
    if expectations.payload().is_empty() {
        return UNSCORED;
    }
    let passed = !has_failed(observed);
    referee::scored(passed, f64::from(u8::from(passed)))
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
        "timed-out": ended.timed_out,
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

/// What is known, a line each, if anything is. A mark says that it is not this project's own.
fn hints(hints: &[Hint], mark: &str, json: bool) -> Vec<String> {
    if json && !hints.is_empty() {
        let mut memory = json!({ "hints": hints });
        if !mark.is_empty() {
            memory["from"] = mark.into();
        }
        return vec![json!({ "twiceshy-memory": memory }).to_string()];
    }
    let (bold, plain) = if std::io::stderr().is_terminal() {
        ("\x1b[1m", "\x1b[0m")
    } else {
        ("", "")
    };
    let line = |hint: &Hint| {
        let rule = show::line(&hint.text);
        let doubt = match mark {
            "" if share::is_unproven(&hint.lesson) => {
                format!(" ({}, not proven here)", show::line(&hint.lesson.task))
            }
            "" => String::new(),
            mark => format!(" ({mark})"),
        };
        format!("{bold}twiceshy:{plain} {rule}{doubt} [{}]", hint.lesson.id)
    };
    hints.iter().map(line).collect()
}

/// Writes a line to standard error. Nobody may be there to read it, which is not the command's failure.
fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn exit_code(ended: &Ended) -> ExitCode {
    let code = match (ended.exit, ended.signal, &ended.start_error) {
        // As `timeout` does, whatever the command made of it.
        _ if ended.timed_out => 124,
        // Without us, the command would have noticed that itself.
        (Some(0), _, _) if ended.write_error.is_some() => 1,
        (Some(exit), _, _) => exit,
        (None, Some(signal), _) => 128 + signal,
        (None, None, Some(error)) if error.kind() == std::io::ErrorKind::NotFound => 127,
        _ => 126,
    };
    ExitCode::from(u8::try_from(code & 0xff).unwrap_or(u8::MAX))
}
