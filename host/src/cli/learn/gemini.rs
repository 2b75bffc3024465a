//! Chats of Gemini CLI: a whole JSON file for each session, or JSON Lines in which a later record replaces an earlier one.

use std::{io, path::Path};

use serde_json::Value;

use super::{
    formats::{self, Yield},
    records,
    session::{Calls, End, Place, Session},
};

/// The tool that runs a command.
const SHELL: &str = "run_shell_command";

/// The file that says where a project's chats were held, two levels above them.
const ROOT_FILE: &str = ".project_root";

/// Whether a record is of a chat.
pub(crate) fn recognizes(record: &Value) -> bool {
    record["sessionId"].is_string() && record["projectHash"].is_string()
}

/// Reads a chat.
pub(crate) fn read(path: &Path) -> io::Result<Yield> {
    let (mut head, mut messages) = (Value::Null, Vec::new());
    let mut damaged = 0;
    if path
        .extension()
        .is_some_and(|extension| extension == "json")
    {
        head = records::whole(path)?;
        if let Some(Value::Array(found)) = head.get_mut("messages").map(Value::take) {
            messages = found;
        }
    } else {
        damaged = records::lines(path, |record| {
            if let Some(id) = record["$rewindTo"].as_str() {
                let place = messages.iter().position(|known: &Value| known["id"] == id);
                messages.truncate(place.unwrap_or(messages.len()));
            } else if record["projectHash"].is_string() {
                head = record;
            } else if let Some(id) = record["id"].as_str() {
                match messages.iter_mut().find(|known| known["id"] == id) {
                    Some(known) => *known = record,
                    None => messages.push(record),
                }
            }
        })?;
    }
    let mut calls = Calls::default();
    for message in &messages {
        match message["type"].as_str() {
            Some("user") => calls.ask(&records::text(&message["content"])),
            Some("gemini") => take_calls(message, &mut calls),
            _ => {}
        }
    }
    let session = Session {
        id: head["sessionId"]
            .as_str()
            .map_or_else(|| formats::stem(path), str::to_owned),
        agent: None,
        place: place(path, &head),
        steps: calls.into_steps(),
    };
    Ok(Yield {
        sessions: vec![session],
        damaged,
    })
}

/// Where a chat was held.
fn place(path: &Path, head: &Value) -> Place {
    let file = path
        .ancestors()
        .nth(2)
        .map(|project| project.join(ROOT_FILE));
    let root = file.and_then(|file| std::fs::read_to_string(file).ok());
    match (root, head["projectHash"].as_str()) {
        (Some(root), _) => Place::Directory(root.trim().into()),
        (None, Some(hash)) => Place::Hash(hash.to_owned()),
        (None, None) => Place::Unknown,
    }
}

fn take_calls(message: &Value, calls: &mut Calls) {
    for call in message["toolCalls"].as_array().into_iter().flatten() {
        if call["name"] != SHELL {
            continue;
        }
        let [key, line, directory] = [
            &call["id"],
            &call["args"]["command"],
            &call["args"]["dir_path"],
        ]
        .map(|value| value.as_str().unwrap_or_default());
        let at = match records::time(&call["timestamp"]) {
            0 => records::time(&message["timestamp"]),
            at => at,
        };
        calls.begin(
            key,
            line,
            Some(directory).filter(|text| !text.is_empty()),
            at,
        );
        let response = response(&call["result"]);
        if let Some((output, end)) = outcome(&response, call["status"] == "success") {
            calls.end(key, at, &output, end);
        }
    }
}

/// The text of a tool's answer, in the form of the model's interface.
pub(crate) fn response(result: &Value) -> String {
    let parts = match result {
        Value::Array(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let texts = parts
        .iter()
        .map(|part| match &part["functionResponse"]["response"] {
            Value::Null => records::text(part),
            answer => {
                let known = ["output", "error", "content"].map(|name| records::text(&answer[name]));
                known
                    .into_iter()
                    .find(|text| !text.is_empty())
                    .unwrap_or_default()
            }
        });
    texts.collect::<Vec<_>>().join("\n")
}

/// The output of a command and how it ended, from the labelled text that the tool gives to the model; none if it
/// was not run.
pub(crate) fn outcome(text: &str, is_success: bool) -> Option<(String, End)> {
    let text = text.trim();
    let text = text
        .strip_prefix("<untrusted_context>")
        .and_then(|inside| inside.strip_suffix("</untrusted_context>"))
        .unwrap_or(text);
    let lower = text.to_lowercase();
    let is_cancelled = [
        "cancelled",
        "canceled",
        "declined",
        "denied",
        "moved to background",
    ]
    .iter()
    .any(|word| lower.lines().next().unwrap_or_default().contains(word));
    if is_cancelled {
        return None;
    }
    // Labels begin lines; what stands between `Output:` and the next label is the command's own.
    let start = text
        .find("Output: ")
        .filter(|at| *at == 0 || text[..*at].ends_with('\n'));
    let Some(start) = start else {
        let end = if is_success {
            End::Exit(0)
        } else {
            End::Unknown
        };
        return Some((text.to_owned(), end));
    };
    let rest = &text[start + "Output: ".len()..];
    let labels = [
        "\nError: ",
        "\nExit Code: ",
        "\nSignal: ",
        "\nBackground PIDs: ",
        "\nProcess Group PGID: ",
    ];
    let ends = labels.iter().filter_map(|label| rest.rfind(label));
    let output = &rest[..ends.min().unwrap_or(rest.len())];
    let exit = label(rest, "\nExit Code: ").and_then(records::leading_number);
    let error = label(rest, "\nError: ").filter(|error| *error != "(none)");
    let output = match (output, error) {
        ("(empty)", error) => error.unwrap_or_default().to_owned(),
        (output, Some(error)) => format!("{output}\n{error}"),
        (output, None) => output.to_owned(),
    };
    // Later versions tell only of codes that are not 0.
    let end = match exit {
        Some(exit) => End::Exit(exit),
        None if is_success => End::Exit(0),
        None => End::Unknown,
    };
    Some((output, end))
}

/// The line behind a label.
fn label<'t>(text: &'t str, label: &str) -> Option<&'t str> {
    let at = text.rfind(label)? + label.len();
    text[at..].lines().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_and_the_exit_code_are_found_in_what_the_model_saw() {
        let old = "Command: cat a\nDirectory: (root)\nOutput: (empty)\nError: cat: a: No such file\nExit Code: 1\nSignal: (none)";
        let new = "<untrusted_context>\nOutput: cat: a: No such file\nExit Code: 1\nProcess Group PGID: 7\n</untrusted_context>";
        for text in [old, new] {
            assert_eq!(
                outcome(text, true),
                Some(("cat: a: No such file".to_owned(), End::Exit(1))),
                "{text}"
            );
        }
        assert_eq!(
            outcome("Output: fine\nError: (none)\nExit Code: 0", true),
            Some(("fine".to_owned(), End::Exit(0)))
        );
        assert_eq!(
            outcome("Output: a\nb\nProcess Group PGID: 7", true),
            Some(("a\nb".to_owned(), End::Exit(0)))
        );
        assert_eq!(outcome("[Operation Cancelled] Reason: User", false), None);
    }
}
