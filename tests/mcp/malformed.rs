//! Malformed messages, as many as there may be: none ends the server, and each gets its answer.

use std::{
    io::{BufRead, BufReader, Write},
    process::Stdio,
    thread,
};

use serde_json::{Value, json};

use crate::support::Scratch;

/// How many are sent, unless `TWICESHY_MALFORMED` says otherwise. 100,000 are on record in docs/BENCHMARKS.md.
const COUNT: u64 = 3_000;

/// Messages that are right.
fn right(number: u64) -> Value {
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let (method, params) = match number % 9 {
        0 => ("tools/list", json!({})),
        1 => (
            "tools/call",
            call("recall", json!({ "task": "sort a table" })),
        ),
        2 => (
            "tools/call",
            call("report_step", json!({ "command": "make", "exit_code": 0 })),
        ),
        3 => ("resources/read", json!({ "uri": "twiceshy://lessons" })),
        4 => (
            "prompts/get",
            json!({ "name": "reflect_on_run", "arguments": { "run": "run_1" } }),
        ),
        5 => ("ping", json!({})),
        6 => (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "x" }, "argument": { "name": "run", "value": "" } }),
        ),
        7 => ("resources/templates/list", json!({})),
        _ => (
            "initialize",
            json!({ "protocolVersion": "2025-06-18", "capabilities": {} }),
        ),
    };
    json!({ "jsonrpc": "2.0", "id": number + 1_000, "method": method, "params": params })
}

/// Anything that JSON can say.
fn anything(random: &mut fastrand::Rng) -> Value {
    match random.u8(..10) {
        0 => Value::Null,
        1 => json!(random.bool()),
        2 => json!(random.i64(..)),
        3 => json!(random.f64() * 1e300),
        4 => json!(""),
        5 => json!("\u{0}\u{202e}\u{1f600}"),
        6 => json!([]),
        7 => json!({}),
        8 => json!({ "a": [1, { "b": null }] }),
        _ => json!("x".repeat(random.usize(..3_000))),
    }
}

/// Spoils some member of a value.
fn spoil(value: &mut Value, random: &mut fastrand::Rng) {
    match value {
        Value::Object(members) if !members.is_empty() && random.u8(..4) > 0 => {
            let at = random.usize(..members.len());
            let name = members.keys().nth(at).cloned().unwrap_or_default();
            match random.u8(..3) {
                0 => {
                    members.remove(&name);
                }
                1 => {
                    members.insert(name, anything(random));
                }
                _ => spoil(&mut members[&name], random),
            }
        }
        other => *other = anything(random),
    }
}

/// One line that is probably no good.
fn malformed(number: u64, random: &mut fastrand::Rng) -> Vec<u8> {
    let mut message = right(number);
    match random.u8(..6) {
        0 => {
            let length = random.usize(1..200);
            (0..length).map(|_| random.u8(..)).collect()
        }
        1 => {
            let text = message.to_string();
            text.as_bytes()[..random.usize(1..text.len())].to_vec()
        }
        2 => {
            let mut bytes = message.to_string().into_bytes();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(..bytes.len());
                bytes[at] = random.u8(..);
            }
            bytes
        }
        3 => "[{\"a\":".repeat(random.usize(1..2_000)).into_bytes(),
        _ => {
            for _ in 0..random.usize(1..4) {
                spoil(&mut message, random);
            }
            message.to_string().into_bytes()
        }
    }
}

/// Whether a line is to be answered: everything but notifications and responses.
fn wants_an_answer(line: &[u8]) -> bool {
    let Ok(message) = serde_json::from_slice::<Value>(line) else {
        return true;
    };
    let says_method = message["method"].is_string();
    let is_of_ours = message["jsonrpc"] == "2.0" && message.is_object();
    let has = |name: &str| message.get(name).is_some();
    let is_notification = says_method && !has("id") && !has("result") && !has("error");
    let is_response = !has("method") && (has("result") != has("error"));
    !(is_of_ours && (is_notification || is_response))
}

#[test]
fn malformed_messages_do_not_end_it_and_each_gets_an_answer() {
    let given = std::env::var("TWICESHY_MALFORMED").ok();
    let count = given.map_or(COUNT, |given| given.parse().expect("a number"));
    let project = Scratch::new();
    let mut server = project
        .command(&["mcp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server starts");
    let mut input = server.stdin.take().expect("a pipe");
    let output = BufReader::new(server.stdout.take().expect("a pipe"));
    let writer = thread::spawn(move || {
        let mut random = fastrand::Rng::with_seed(14);
        let mut expected = 0_u64;
        let hello = json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": { "name": "test-client", "version": "1" },
            },
        });
        writeln!(input, "{hello}").expect("it listens");
        for number in 0..count {
            let mut line = malformed(number, &mut random);
            line.retain(|byte| !matches!(byte, b'\n' | b'\r'));
            if line.iter().all(u8::is_ascii_whitespace) {
                line = b"{".to_vec();
            }
            expected += u64::from(wants_an_answer(&line));
            line.push(b'\n');
            input.write_all(&line).expect("it still listens");
        }
        let last = json!({ "jsonrpc": "2.0", "id": "last", "method": "tools/list" });
        writeln!(input, "{last}").expect("it still listens");
        expected
    });
    let mut answers = 0_u64;
    let mut is_alive = false;
    for line in output.lines() {
        let answer: Value = serde_json::from_str(&line.expect("text")).expect("JSON");
        assert!(
            answer.get("result").is_some() != answer.get("error").is_some(),
            "{answer}"
        );
        match &answer["id"] {
            Value::Number(id) if id.as_u64() == Some(0) => {}
            Value::String(id) if id == "last" => {
                is_alive = answer["result"]["tools"].is_array();
            }
            _ => answers += 1,
        }
    }
    let expected = writer.join().expect("all was written");
    assert!(is_alive, "the last question was answered");
    assert_eq!(answers, expected);
    assert!(server.wait().expect("it ends").success());
    println!("{count} messages, {answers} answers");
}
