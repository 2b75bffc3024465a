//! The hosts: a row for each, with how its events are read and how it is answered.
//!
//! A host is known by the argument of its hook, as `setup` registers it, else by the [marks] of its events; never by its environment:
//! several set each other's variables.

mod claude;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod kimi;
mod marks;
mod opencode;
mod openhands;
mod qwen;
mod vibe;
mod vscode;

use serde_json::{Value, json};

use super::payload::Payload;

/// An agent host.
pub(crate) struct Host {
    /// The word by which its hook names it.
    pub(crate) name: &'static str,
    /// What people call it.
    pub(crate) title: &'static str,
    /// The events at which what we say reaches the model.
    pub(crate) speaks_at: &'static [&'static str],
    /// Whether what we say after a failure reaches the model before its next step.
    pub(crate) answers_failures: bool,
    /// The longest text that reaches the model as it is, in characters.
    pub(crate) most_chars: usize,
    /// What an event means.
    pub(crate) read: fn(event: &str, payload: &Value) -> Payload,
    /// What says a text to the model, in the members that this host takes.
    pub(crate) answer: fn(event: &str, payload: &Value, text: &str) -> String,
}

/// All hosts.
pub(crate) static HOSTS: [Host; 12] = [
    claude::HOST,
    codex::HOST,
    gemini::HOST,
    qwen::HOST,
    opencode::HOST,
    copilot::HOST,
    cursor::HOST,
    cline::HOST,
    vscode::HOST,
    kimi::HOST,
    vibe::HOST,
    openhands::HOST,
];

/// The host of this name, or of what people call it: `claude` or `claude-code`.
pub(crate) fn host(name: &str) -> Option<&'static Host> {
    let called = |host: &&Host| host.title.to_lowercase().replace(' ', "-") == name;
    let named = HOSTS.iter().find(|host| host.name == name);
    named.or_else(|| HOSTS.iter().find(called))
}

/// The host and the event that the words behind `twiceshy hook` name; what they leave out, the event says itself.
pub(crate) fn named<'w>(words: &[&'w str], payload: &'w Value) -> Option<(&'static Host, &'w str)> {
    let own = marks::event(payload);
    let (by_name, event) = match *words {
        [name, ref rest @ ..] if host(name).is_some() => (host(name), rest.first().copied()),
        // Whoever names a host that is not known does not mean an event.
        [name, _] if own != Some(name) => return None,
        ref words => (None, words.first().copied()),
    };
    let event = event.or(own).unwrap_or_default();
    let host = by_name.or_else(|| host(marks::writer(event, payload)?))?;
    Some((host, event))
}

impl Host {
    /// Whether what is said at this event reaches the model.
    pub(crate) fn speaks(&self, event: &str) -> bool {
        self.speaks_at.contains(&event)
    }
}

/// The answer that Claude Code and those that follow it take.
fn hook_specific(event: &str, _: &Value, text: &str) -> String {
    let inner = json!({ "hookEventName": event, "additionalContext": text });
    json!({ "hookSpecificOutput": inner }).to_string()
}
