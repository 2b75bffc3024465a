//! A client of the protocol for tests: it says exactly what it is told to, and reads what comes.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Lines, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use serde_json::{Value, json};

use crate::support::Scratch;

/// A server and the two ends of its pipes.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    next: u64,
    /// Answers that came while another one was waited for.
    early: BTreeMap<String, Value>,
}

impl Client {
    /// Starts a server that nobody has said anything to.
    pub fn start(project: &Scratch) -> Self {
        Self::start_with(project, &[])
    }

    pub fn start_with(project: &Scratch, arguments: &[&str]) -> Self {
        let mut command = project.command(&[&["mcp"], arguments].concat());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        Self {
            child,
            input,
            output,
            next: 0,
            early: BTreeMap::new(),
        }
    }

    /// Starts a server and shakes hands.
    pub fn connected(project: &Scratch) -> Self {
        let mut client = Self::start(project);
        let about = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "test-client", "version": "1" },
        });
        let answer = client.request("initialize", about);
        assert_eq!(answer["protocolVersion"], "2025-11-25");
        client.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    /// Says something, and waits for nothing. False if nobody is there.
    pub fn try_say(&mut self, line: &str) -> bool {
        let input = self.input.as_mut().expect("open");
        writeln!(input, "{line}")
            .and_then(|()| input.flush())
            .is_ok()
    }

    pub fn say(&mut self, message: &Value) {
        assert!(self.try_say(&message.to_string()), "the server listens");
    }

    /// The next line that the server says; nothing at its end.
    pub fn try_read(&mut self) -> Option<Value> {
        let line = self.output.next()?.ok()?;
        Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
    }

    /// The answer to the request of an id.
    pub fn answer(&mut self, id: &Value) -> Value {
        if let Some(answer) = self.early.remove(&id.to_string()) {
            return answer;
        }
        loop {
            let answer = self.try_read().expect("the server answers");
            if answer["id"] == *id {
                return answer;
            }
            self.early.insert(answer["id"].to_string(), answer);
        }
    }

    /// Asks for something and gives the whole answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = json!(self.next);
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.answer(&id)
    }

    /// Asks for something that is there.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.ask(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    /// Calls a tool and gives its whole result.
    pub fn result(&mut self, tool: &str, arguments: Value) -> Value {
        self.request(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// Calls a tool that does its work, and gives its text and its data.
    pub fn call(&mut self, tool: &str, arguments: Value) -> (String, Value) {
        let mut result = self.result(tool, arguments);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        (text(&result), result["structuredContent"].take())
    }

    /// Ends the input, reads the rest and gives the exit code.
    pub fn end(mut self) -> (Vec<Value>, Option<i32>) {
        drop(self.input.take());
        let mut rest = Vec::new();
        while let Some(message) = self.try_read() {
            rest.push(message);
        }
        let status = self.child.wait().expect("the server ends");
        (rest, status.code())
    }

    /// Kills the server as the system would.
    pub fn kill(mut self) {
        self.child.kill().expect("ours");
        self.child.wait().expect("it ends");
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Ended already, unless a test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text of a result.
pub fn text(result: &Value) -> String {
    let parts = result["content"].as_array().expect("content");
    let parts = parts
        .iter()
        .map(|part| part["text"].as_str().expect("text"));
    parts.collect::<Vec<_>>().join("\n")
}
