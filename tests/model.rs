//! A model behind the port: whatever it does, the answer is bounded, the trouble is named, the key stays
//! secret, and nothing is contacted that nobody asked for.
#![cfg(unix)]

use std::{fs, path::PathBuf, time::Duration};

use serde_json::{Value, json};
use twiceshy::{
    ModelSettings, PluggedModel,
    wit::host::{Error, Model},
};

use crate::support::{Ran, Scratch, shared_home};

mod commands;
mod endpoints;
pub mod server;
mod trouble;

/// The time that a model has that is expected to answer: no machine is so busy.
const AMPLE: Duration = Duration::from_secs(60);

/// The time that a model has that never answers.
const SHORT: Duration = Duration::from_millis(600);

/// Whatever takes longer than this hangs.
const HANG: Duration = Duration::from_secs(180);

const SCHEMA: &str = r#"{"type":"array","items":{"type":"integer"}}"#;

/// A model by the text of its settings.
fn model(settings: &str) -> PluggedModel {
    let settings: ModelSettings = toml::from_str(settings).expect("settings");
    PluggedModel::new(settings)
}

fn command(program: &[&str], time: Duration) -> PluggedModel {
    model(&format!(
        "command = {program:?}\ntimeout-ms = {}\nmost-bytes = 1000",
        time.as_millis()
    ))
}

/// A script as a model.
fn script(text: &str) -> PluggedModel {
    command(&["sh", "-c", text], AMPLE)
}

fn ask(model: &PluggedModel) -> Result<String, Error> {
    model.complete("one number, please", SCHEMA)
}

/// The case and the message of an error.
fn refused(model: &PluggedModel) -> (&'static str, String) {
    let error = ask(model).expect_err("no answer");
    (error.kind(), error.message().to_owned())
}

/// A user's directory with settings, and the compiled components of all tests.
pub fn home(scratch: &Scratch, settings: &str) -> PathBuf {
    let home = scratch.path().join("home");
    fs::create_dir_all(&home).expect("a directory");
    let cache = home.join("cache");
    if !cache.exists() {
        std::os::unix::fs::symlink(shared_home().join("cache"), cache).expect("a link");
    }
    fs::write(home.join("config.toml"), settings).expect("settings");
    home
}

/// Runs the program with these settings of its user.
fn run_with(scratch: &Scratch, settings: &str, arguments: &[&str]) -> Ran {
    let mut command = scratch.command(arguments);
    command.env("TWICESHY_HOME", home(scratch, settings));
    command.stdin(std::process::Stdio::null());
    Ran(command.output().expect("the program starts"))
}

/// An episode in which one failure came twice, and that failure's fingerprint.
fn recurring(scratch: &Scratch) -> (String, String) {
    let step = json!({
        "step": { "before": "", "action": {"command": ["gizmo"]}, "observation": {} },
        "feedback": { "action-text": "gizmo", "constraint-failure": [],
            "hard-failure": { "reason": "exit 1", "evidence": "gizmo: no such gadget" } },
    });
    let submitted = scratch.call(
        "runs.submit",
        &json!({ "run": {"task": "find the gadget", "domain": "cli"},
                 "steps": [step, step], "ending": {} }),
    );
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    (
        text(&submitted["episode"]["id"]),
        text(&submitted["episode"]["fingerprints"][0]),
    )
}
