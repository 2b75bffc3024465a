//! OpenCode.
//!
//! It has no hooks but plugins in its own process: `plugin.js`, which `setup` puts there, passes on what they are called with as
//! `{directory, input, output}`. A tool that throws is told only by an event, `message.part.updated`.

use serde_json::{Value, json};

use super::{
    super::payload::{Call, End, Happening, Outcome, Payload, member, plain, text, typed},
    Host,
};

pub(super) const HOST: Host = Host {
    name: "opencode",
    title: "OpenCode",
    speaks_at: &["chat.message", "tool.execute.after", "message.part.updated"],
    answers_failures: true,
    most_chars: 8_000,
    read,
    answer: |_, _, said| json!({ "text": said }).to_string(),
};

fn read(event: &str, payload: &Value) -> Payload {
    let (input, output) = (&payload["input"], &payload["output"]);
    // What an event brings is within it.
    let inner = member(input, &["properties"]);
    let inner = match inner.is_null() {
        true => member(payload, &["properties"]),
        false => inner,
    };
    let happening = match event {
        "chat.message" => prompt(output),
        "tool.execute.before" => Happening::Before(call(input, &output["args"])),
        "tool.execute.after" => Happening::After(vec![outcome(input, output)]),
        "message.part.updated" => part(&inner["part"]),
        "session.created" => Happening::Start,
        "session.compacted" => Happening::Compacted,
        "session.idle" | "session.error" => Happening::Pause,
        "session.deleted" => Happening::End,
        _ => Happening::Nothing("not listened to"),
    };
    let session = text(input, &["sessionID"]).or_else(|| text(inner, &["sessionID"]));
    let directory = text(payload, &["directory"])
        .or_else(|| text(&inner["info"], &["directory"]))
        .or_else(|| text(input, &["directory"]));
    Payload {
        session: session.unwrap_or_default(),
        agent: None,
        directory: directory.map(Into::into),
        happening,
    }
}

fn prompt(output: &Value) -> Happening {
    let parts = output["parts"].as_array().into_iter().flatten();
    let texts = parts.filter(|part| part["type"] == "text" && part["synthetic"] != true);
    let texts: Vec<_> = texts.map(plain).collect();
    match typed(&texts.join("\n")) {
        Some(prompt) => Happening::Prompt(prompt),
        None => Happening::Nothing("no person typed this prompt"),
    }
}

fn call(input: &Value, arguments: &Value) -> Call {
    Call {
        id: text(input, &["callID"]),
        tool: text(input, &["tool"]).unwrap_or_default(),
        input: arguments.clone(),
    }
}

fn outcome(input: &Value, output: &Value) -> Outcome {
    let call = call(input, &input["args"]);
    if call.tool == "invalid" {
        // A call that could not be made, by the name of the tool that was meant.
        let meant = Call {
            tool: text(&call.input, &["tool"]).unwrap_or_default(),
            input: Value::Null,
            ..call
        };
        let error = text(&input["args"], &["error"]).unwrap_or_default();
        return Outcome::new(meant, End::Failed).with_output(error);
    }
    let metadata = &output["metadata"];
    let told = text(metadata, &["output"]).or_else(|| text(output, &["output"]));
    let told = told.unwrap_or_else(|| plain(output));
    let told = match told.as_str() {
        "(no output)" => String::new(),
        _ => told,
    };
    let end = match output["isError"] == true {
        true => End::Failed,
        false if call.command().is_some() => End::Unknown,
        false => End::Worked,
    };
    Outcome::new(call, end)
        .with_exit(metadata["exit"].as_i64())
        .with_output(told)
        .unless(false)
}

/// A part of a message: counts if it is a tool that failed.
fn part(part: &Value) -> Happening {
    let state = &part["state"];
    if part["type"] != "tool" || state["status"] != "error" {
        return Happening::Nothing("no tool that failed");
    }
    let error = text(state, &["error"]).unwrap_or_default();
    let stopped = error.contains("aborted") || error.contains("rejected permission");
    let outcome = Outcome::new(call(part, &state["input"]), End::Failed);
    Happening::After(vec![outcome.with_output(error).unless(stopped)])
}
