//! Judging a command: what is loaded for it, and the feedback on one step.
//!
//! Shared by `twiceshy run`, which ran the command itself, and by `twiceshy hook`, which is told of it.

use std::{sync::Arc, thread};

use serde_json::Value;
use twiceshy::{
    Adapter, Adapters, Cache, Memory, MemoryComponent, PluginError, limits,
    wit::{
        adapter::{Failure as Failed, Feedback, Goal, Step},
        memory::{Error, Runs},
    },
};

use super::{context::Context, failure::Failure, show};

/// The domain of commands.
pub(crate) const DOMAIN: &str = "cli";

/// Everything but the store, which is opened when there is something to remember.
pub(crate) struct Loaded {
    pub(crate) context: Context,
    pub(crate) component: MemoryComponent,
    /// Who judges, or why nobody does.
    pub(crate) adapter: Result<Arc<Adapter>, PluginError>,
}

/// Loads the memory component and the adapter at once; compiling them takes a moment the first time, and is announced.
pub(crate) fn load(
    context: Context,
    announce: impl Fn(&str) + Clone + Send + Sync + 'static,
) -> Result<Loaded, Failure> {
    let cache = || Cache::new(context.home.cache(), announce.clone());
    let component_cache = cache();
    let adapters = Adapters::of(&context.home, &context.project, &context.settings, cache());
    // The larger one on this thread: the allocator makes the room of another thread larger by a page at a time.
    let (component, adapter) = thread::scope(|scope| {
        let adapter = scope.spawn(|| adapters.get(DOMAIN));
        let component = MemoryComponent::bundled(&component_cache);
        (component, adapter.join())
    });
    let adapter = adapter.map_err(|_| Failure::other("loading the adapter panicked"))?;
    let component = component?;
    Ok(Loaded {
        context,
        component,
        adapter,
    })
}

impl Loaded {
    /// The feedback on a command, and the trouble of the adapter if only the exit code was looked at.
    pub(crate) fn feedback(
        &self,
        memory: &Memory,
        goal: &Goal,
        step: &Step,
    ) -> Result<(Feedback, Option<PluginError>), Error> {
        let recent = memory.recent_steps(DOMAIN, limits::RECENT_STEPS)?;
        let judged = match &self.adapter {
            Ok(adapter) => adapter.assess(goal, &recent, step),
            Err(error) => Err(error.clone()),
        };
        // The run goes on without an adapter that fails, and says so.
        Ok(match judged {
            Ok(feedback) => (feedback, None),
            Err(error) => (by_exit_alone(step), Some(error)),
        })
    }
}

/// What can be said of a command without an adapter.
pub(crate) fn by_exit_alone(step: &Step) -> Feedback {
    let read = |payload: &str| serde_json::from_str::<Value>(payload).unwrap_or_default();
    let (action, seen) = (read(&step.action), read(&step.observation));
    let reason = if let Some(error) = seen["start-error"].as_str() {
        Some(format!("could not start: {error}"))
    } else if let Some(signal) = seen["signal"].as_i64() {
        Some(format!("signal {signal}"))
    } else {
        let exit = seen["exit"].as_i64().filter(|exit| *exit != 0);
        exit.map(|exit| format!("exit {exit}"))
    };
    let output = ["stderr", "stdout"].map(|stream| seen[stream].as_str().unwrap_or_default());
    let evidence = output.into_iter().find(|text| !text.trim().is_empty());
    let line = match &action["command"] {
        Value::String(line) => line.clone(),
        words => {
            let words = words.as_array().into_iter().flatten();
            let words: Vec<_> = words.filter_map(Value::as_str).map(str::to_owned).collect();
            twiceshy_shell::join(&words)
        }
    };
    let line = twiceshy_shell::parse(&line);
    Feedback {
        action_text: show::cut(&twiceshy_shell::one_line(&line.text), 1_000),
        hard_failure: reason.map(|reason| Failed {
            reason,
            evidence: evidence.unwrap_or_default().to_owned(),
        }),
        ..Feedback::default()
    }
}
