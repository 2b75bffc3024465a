//! Trajectories of mini-swe-agent: the messages of one run in a JSON file, with or without the tools of the model's
//! interface.

use std::{io, path::Path};

use serde_json::Value;

use super::{
    formats::{self, Yield},
    records,
    session::{Calls, End, Session},
};

/// Whether a file is such a trajectory.
pub(crate) fn recognizes(file: &Value) -> bool {
    let is_named = file["trajectory_format"]
        .as_str()
        .is_some_and(|format| format.starts_with("mini-swe-agent"));
    let has_results = |message: &Value| {
        message["extra"]["returncode"].is_number()
            || records::text(&message["content"]).starts_with("<returncode>")
    };
    is_named || messages(file).iter().any(has_results)
}

fn messages(file: &Value) -> &[Value] {
    let list = match file {
        Value::Array(list) => Some(list),
        file => file["messages"].as_array(),
    };
    list.map(Vec::as_slice).unwrap_or_default()
}

/// Reads a trajectory.
pub(crate) fn read(path: &Path) -> io::Result<Yield> {
    let file = records::whole(path)?;
    let messages = messages(&file);
    let mut calls = Calls::default();
    let id = formats::named_by_beginning(path, &messages[..messages.len().min(4)]);
    let directory = file["info"]["config"]["environment"]["cwd"].as_str();
    // Actions of the last answer that have no result yet, oldest first.
    let mut waiting: Vec<String> = Vec::new();
    let mut has_task = false;
    for (place, message) in messages.iter().enumerate() {
        let at = records::time(&message["extra"]["timestamp"]);
        let key = |number: usize| format!("{id}#{place}.{number}");
        match message["role"].as_str() {
            Some("assistant") => {
                waiting.clear();
                for (number, (name, line)) in actions(message).into_iter().enumerate() {
                    let key = match name {
                        // The name that the result goes by is unique only within the run.
                        Some(name) => format!("{id}#{name}"),
                        None => key(number),
                    };
                    calls.begin(&key, &line, directory, at);
                    waiting.push(key);
                }
            }
            Some("user" | "tool") => {
                if let Some((output, end)) = result(message) {
                    let named = message["tool_call_id"]
                        .as_str()
                        .map(|name| format!("{id}#{name}"));
                    let oldest = (!waiting.is_empty()).then(|| waiting.remove(0));
                    if let Some(key) = named.or(oldest) {
                        calls.end(&key, at, &output, end);
                    }
                } else if !has_task && message["role"] == "user" {
                    has_task = true;
                    calls.ask(task(&records::text(&message["content"])));
                }
            }
            _ => {}
        }
    }
    let session = Session {
        id,
        steps: calls.into_steps(),
        ..Session::default()
    };
    Ok(Yield {
        sessions: vec![session],
        damaged: 0,
    })
}

/// The task without the instructions around it.
fn task(text: &str) -> &str {
    let inside = text
        .split_once("<pr_description>")
        .and_then(|(_, rest)| rest.split_once("</pr_description>"));
    match inside {
        Some((task, _)) => task
            .trim_start()
            .trim_start_matches("Consider the following PR description:")
            .trim(),
        // The default template. Without the words around it, the task is the one that a person would give again.
        None => {
            let text = text.trim_start_matches("Please solve this issue:");
            let end = text.find("\n\nYou can execute bash commands");
            let end = end.or_else(|| text.find("\n\n"));
            text[..end.unwrap_or(text.len())].trim()
        }
    }
}

/// The commands of an answer, with the names that their results go by.
fn actions(message: &Value) -> Vec<(Option<&str>, String)> {
    if let Some(actions) = message["extra"]["actions"].as_array() {
        let action = |action: &'_ Value| action["command"].as_str().map(str::to_owned);
        return actions
            .iter()
            .filter_map(|found| Some((found["tool_call_id"].as_str(), action(found)?)))
            .collect();
    }
    let content = records::text(&message["content"]);
    fenced(&content)
        .map(|line| (None, line.to_owned()))
        .into_iter()
        .collect()
}

/// The one block of code that an answer has, if it is for a shell.
fn fenced(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("```")?;
    let (language, rest) = rest.split_once('\n')?;
    // The end stands at the beginning of a line: what a command quotes is not the end of it.
    let end = rest.find("\n```").or_else(|| rest.find("```"))?;
    let block = &rest[..end];
    let is_shell = language.trim().is_empty() || language.contains("sh");
    is_shell.then_some(block.trim())
}

/// What a command came to.
fn result(message: &Value) -> Option<(String, End)> {
    let extra = &message["extra"];
    let text = records::text(&message["content"]);
    let exit = extra["returncode"].as_i64().or_else(|| {
        let (_, rest) = text.split_once("<returncode>")?;
        records::leading_number(rest)
    })?;
    let output = match extra["raw_output"].as_str() {
        Some(output) => output.to_owned(),
        None => {
            let inside = |tag: &str| {
                let (_, rest) = text.split_once(&format!("<{tag}>"))?;
                Some(
                    rest.split_once(&format!("</{tag}>"))
                        .map_or(rest, |(inside, _)| inside)
                        .trim_matches('\n'),
                )
            };
            let parts = ["output", "output_head", "output_tail"]
                .into_iter()
                .filter_map(inside);
            parts.collect::<Vec<_>>().join("\n")
        }
    };
    let exception = extra["exception_info"].as_str().unwrap_or_default();
    let end = match exit < 0 {
        true if exception.contains("timed out") || exception.contains("Timeout") => End::TimedOut,
        // It could not be run; what it printed is all there is.
        true => End::Unknown,
        false => End::Exit(exit),
    };
    Some((output, end))
}

#[cfg(test)]
mod tests {
    use super::{fenced, task};

    #[test]
    fn a_command_that_quotes_a_fence_is_read_to_its_end() {
        let answer = "THOUGHT: -\n\n```bash\ngrep '```' README.md\nls\n```\nDone.";
        assert_eq!(fenced(answer), Some("grep '```' README.md\nls"));
        assert_eq!(fenced("```sh\nls```"), Some("ls"));
        assert_eq!(fenced("```python\nprint()\n```"), None);
    }

    #[test]
    fn the_task_is_what_was_asked_without_the_words_of_a_template() {
        for (text, asked) in [
            (
                "Please solve this issue: build it\n\nall of it\n\nYou can execute bash commands and edit files.",
                "build it\n\nall of it",
            ),
            ("Please solve this issue: build it\n\nGo.", "build it"),
            ("build it", "build it"),
            (
                "<pr_description>\nConsider the following PR description:\nbuild it\n</pr_description>\n\nGo.",
                "build it",
            ),
        ] {
            assert_eq!(task(text), asked);
        }
    }
}
