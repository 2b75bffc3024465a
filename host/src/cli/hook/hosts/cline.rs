//! Cline.
//!
//! Its hooks are executable files, one for each event. One call of `run_commands` runs several commands, each with a result of its own;
//! `postToolUse.success` is true whatever they did. The first events of a task take no context, so it waits for a call.

use serde_json::{Value, json};

use super::{
    super::payload::{Call, End, Happening, Outcome, Payload, plain, text, typed},
    Host,
};

pub(super) const HOST: Host = Host {
    name: "cline",
    title: "Cline",
    speaks_at: &["PreToolUse", "PostToolUse"],
    answers_failures: true,
    most_chars: 50_000,
    read,
    answer: |_, _, said| json!({ "context": said }).to_string(),
};

fn read(event: &str, payload: &Value) -> Payload {
    let happening = match event {
        "TaskStart" | "TaskResume" => Happening::Start,
        "UserPromptSubmit" => match typed(&plain(&payload["userPromptSubmit"]["prompt"])) {
            Some(prompt) => Happening::Prompt(prompt),
            None => Happening::Nothing("no person typed this prompt"),
        },
        "PreToolUse" => Happening::Before(before(payload)),
        "PostToolUse" => Happening::After(outcomes(&payload["tool_result"])),
        "TaskComplete" | "TaskError" => Happening::Pause,
        "TaskCancel" | "SessionShutdown" => Happening::End,
        _ => Happening::Nothing("not listened to"),
    };
    let parent = payload["parent_agent_id"].as_str();
    let root = payload["workspaceRoots"][0].as_str().map(str::to_owned);
    Payload {
        session: text(&payload["sessionContext"], &["rootSessionId"])
            .or_else(|| text(payload, &["taskId"]))
            .unwrap_or_default(),
        agent: parent.and_then(|_| text(payload, &["agent_id"])),
        directory: text(&payload["workspaceInfo"], &["rootPath"])
            .or(root)
            .map(Into::into),
        happening,
    }
}

fn call(told: &Value, at: Option<usize>, input: Value) -> Call {
    let id = text(told, &["id"]);
    Call {
        id: id.map(|id| at.map_or(id.clone(), |at| format!("{id}.{at}"))),
        tool: text(told, &["name"]).unwrap_or_default(),
        input,
    }
}

fn before(payload: &Value) -> Call {
    let told = &payload["tool_call"];
    match commands(&told["input"]) {
        Some(commands) => call(told, Some(0), json!({ "command": commands.first() })),
        None => call(told, None, told["input"].clone()),
    }
}

/// The command lines of a call that runs several.
fn commands(input: &Value) -> Option<Vec<&str>> {
    let commands = input["commands"].as_array()?;
    Some(commands.iter().filter_map(Value::as_str).collect())
}

fn outcomes(told: &Value) -> Vec<Outcome> {
    let (input, output) = (&told["input"], &told["output"]);
    let results: Vec<&Value> = match output {
        Value::Array(results) => results.iter().collect(),
        one => vec![one],
    };
    if let Some(commands) = commands(input) {
        let each = commands.iter().zip(results).enumerate();
        return each
            .map(|(at, (command, result))| {
                let call = call(told, Some(at), json!({ "command": command }));
                ran(call, result)
            })
            .collect();
    }
    let failed = |result: &&Value| result["success"] == false || result["isError"] == true;
    let call = call(told, None, input.clone());
    let outcome = match results.into_iter().find(failed) {
        Some(result) => {
            let error = text(result, &["error"]).unwrap_or_else(|| plain(result));
            Outcome::new(call, End::Failed).with_output(error)
        }
        None => Outcome::new(call, End::Worked),
    };
    vec![outcome.unless(false)]
}

/// A command, by its exit code in front of the result: `[Command exited with code 1]`.
fn ran(call: Call, result: &Value) -> Outcome {
    let told = text(result, &["result"]).unwrap_or_default();
    let error = text(result, &["error"]).unwrap_or_default();
    let exit = match result["success"] == true {
        true => Some(0),
        false => error
            .rsplit("code ")
            .next()
            .and_then(|code| code.trim().parse().ok()),
    };
    let head = "[Command exited with code ";
    let output = match told
        .strip_prefix(head)
        .and_then(|rest| rest.split_once("]\n"))
    {
        Some((_, rest)) => rest.trim_start().trim_start_matches("[stderr]\n"),
        None => &told,
    };
    let output = match output.is_empty() {
        true if exit.is_none() => error.as_str(),
        _ => output,
    };
    Outcome::new(call, End::Failed)
        .with_exit(exit)
        .with_output(output)
        .unless(false)
}
