//! The server over HTTP: only for this machine, only with the token, only where it is asked by its name.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::{Value, json};

use crate::support::Scratch;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

struct Served {
    child: Child,
    port: u16,
}

impl Served {
    fn start(project: &Scratch) -> Self {
        let mut child = project
            .command(&["mcp", "--http", "0"])
            .env("TWICESHY_MCP_TOKEN", TOKEN)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let mut words = BufReader::new(child.stderr.take().expect("a pipe"));
        words.read_line(&mut line).expect("it says where it is");
        let port = line
            .split("127.0.0.1:")
            .nth(1)
            .and_then(|rest| rest.split('/').next());
        let port = port.and_then(|port| port.parse().ok());
        let port = port.unwrap_or_else(|| panic!("no port in {line}"));
        Self { child, port }
    }

    /// Sends a message with these headers; gives the status, the headers and the body.
    fn post(&self, headers: &[(&str, &str)], message: &Value) -> (u16, String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let body = message.to_string();
        let mut request = format!(
            "POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        let usual = [
            ("Host", format!("127.0.0.1:{}", self.port)),
            ("Authorization", format!("Bearer {TOKEN}")),
            ("Content-Type", "application/json".to_owned()),
            ("Accept", "application/json, text/event-stream".to_owned()),
        ];
        for (name, value) in &usual {
            if !headers.iter().any(|(other, _)| other == name) {
                request.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        write!(stream, "{request}\r\n{body}").expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text");
        let status = answer
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        (
            status.unwrap_or_else(|| panic!("{answer}")),
            head.to_owned(),
            body.to_owned(),
        )
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn hello() -> Value {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "test-client", "version": "1" },
        },
    })
}

/// The message in a stream of events.
fn event(body: &str) -> Value {
    let data = body
        .lines()
        .filter_map(|line| line.trim().strip_prefix("data:"));
    let messages: Vec<Value> = data
        .filter_map(|data| serde_json::from_str(data.trim()).ok())
        .collect();
    messages
        .into_iter()
        .next_back()
        .unwrap_or_else(|| panic!("no message in {body}"))
}

#[test]
fn only_who_shows_the_token_and_comes_from_here_is_served() {
    let project = Scratch::new();
    let served = Served::start(&project);
    for (header, value, status) in [
        ("Authorization", "", 401),
        (
            "Authorization",
            "Bearer wrong-wrong-wrong-wrong-wrong-wr",
            401,
        ),
        (
            "Authorization",
            "Basic 0123456789abcdef0123456789abcdef",
            401,
        ),
        ("Host", "evil.example", 403),
        ("Origin", "http://evil.example", 403),
        ("Origin", "null", 403),
    ] {
        let (given, head, _) = served.post(&[(header, value)], &hello());
        assert_eq!(given, status, "{header}: {value}: {head}");
    }
    let own = format!("http://127.0.0.1:{}", served.port);
    assert_eq!(served.post(&[("Origin", &own)], &hello()).0, 200);
}

#[test]
fn sessions_and_requests_without_one_both_work_over_http() {
    let project = Scratch::new();
    let mut served = Served::start(&project);
    let (status, head, body) = served.post(&[], &hello());
    assert_eq!(status, 200, "{head}");
    assert_eq!(event(&body)["result"]["protocolVersion"], "2025-06-18");
    let session = head
        .lines()
        .find_map(|line| {
            line.to_ascii_lowercase()
                .strip_prefix("mcp-session-id: ")
                .map(str::to_owned)
        })
        .expect("a session");
    let own: &[(&str, &str)] = &[
        ("Mcp-Session-Id", &session),
        ("MCP-Protocol-Version", "2025-06-18"),
    ];
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(served.post(own, &ready).0, 202);
    let call = |id: u64, tool: &str, arguments: Value| {
        let params = json!({ "name": tool, "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
    };
    let (_, _, body) = served.post(own, &call(2, "start_task", json!({ "task": "sort it" })));
    let run = event(&body)["result"]["structuredContent"]["run"].clone();
    let step = json!({ "command": "sort x", "exit_code": 2, "error": "sort: x: no such file" });
    let (_, _, body) = served.post(own, &call(3, "report_step", step));
    assert_eq!(
        event(&body)["result"]["structuredContent"]["failed"],
        true,
        "{body}"
    );
    let (_, _, body) = served.post(own, &call(4, "finish_task", json!({})));
    assert_eq!(
        event(&body)["result"]["structuredContent"]["episode"],
        run,
        "{body}"
    );

    let stateless: &[(&str, &str)] = &[
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "recall"),
    ];
    let mut alone = call(5, "recall", json!({ "task": "sort it" }));
    alone["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test-client", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let (status, head, body) = served.post(stateless, &alone);
    assert_eq!(status, 200, "{head} {body}");
    assert!(body.contains("structuredContent"), "{body}");

    let process = Pid::from_raw(served.child.id().cast_signed());
    kill(process, Signal::SIGTERM).expect("ours");
    assert!(served.child.wait().expect("it ends").success());
}
