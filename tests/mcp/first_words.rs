//! What five hosts really say first, recorded from the shipped programs: each is understood and answered.

use serde_json::Value;

use super::Client;
use crate::support::Scratch;

/// The hosts, what they said, and the version that each of them settles for.
const HOSTS: [(&str, &str, &str); 5] = [
    (
        "claude",
        include_str!("first-words/claude.jsonl"),
        "2025-11-25",
    ),
    (
        "codex",
        include_str!("first-words/codex.jsonl"),
        "2025-06-18",
    ),
    (
        "copilot",
        include_str!("first-words/copilot.jsonl"),
        "2025-11-25",
    ),
    (
        "gemini",
        include_str!("first-words/gemini.jsonl"),
        "2025-06-18",
    ),
    (
        "opencode",
        include_str!("first-words/opencode.jsonl"),
        "2025-11-25",
    ),
];

#[test]
fn the_first_words_of_every_recorded_host_are_answered() {
    for (host, words, version) in HOSTS {
        let project = Scratch::new();
        let mut client = Client::start(&project);
        let mut cancelled = Vec::new();
        let mut asked = Vec::new();
        for line in words.lines() {
            let message: Value = serde_json::from_str(line).expect("recorded JSON");
            if message["method"] == "notifications/cancelled" {
                cancelled.push(message["params"]["requestId"].clone());
            }
            if message.get("id").is_some() {
                asked.push(message.clone());
            }
            assert!(client.try_say(line), "{host}");
        }
        let (answers, code) = client.end();
        assert_eq!(code, Some(0), "{host}");
        for question in asked {
            let of_it: Vec<_> = answers
                .iter()
                .filter(|one| one["id"] == question["id"])
                .collect();
            if cancelled.contains(&question["id"]) {
                assert!(of_it.len() <= 1, "{host}: {of_it:?}");
                continue;
            }
            assert_eq!(of_it.len(), 1, "{host}: {question}");
            let result = &of_it[0]["result"];
            assert!(result.is_object(), "{host}: {question}: {}", of_it[0]);
            check(
                host,
                question["method"].as_str().expect("a method"),
                result,
                version,
            );
        }
    }
}

fn check(host: &str, method: &str, result: &Value, version: &str) {
    let length = |name: &str| result[name].as_array().map(Vec::len);
    match method {
        "server/discover" => {
            let versions = result["supportedVersions"].as_array().expect("versions");
            assert!(
                versions.contains(&"2026-07-28".into()),
                "{host}: {versions:?}"
            );
        }
        "initialize" => {
            assert_eq!(result["protocolVersion"], version, "{host}");
            assert_eq!(result["serverInfo"]["name"], "twiceshy", "{host}");
            let lines = result["instructions"]
                .as_str()
                .expect("instructions")
                .lines();
            assert_eq!(
                lines.count(),
                6,
                "{host}: one line of what it is, five of when to call what"
            );
        }
        "tools/list" => assert_eq!(length("tools"), Some(10), "{host}"),
        "prompts/list" => assert_eq!(length("prompts"), Some(2), "{host}"),
        "resources/list" => assert_eq!(length("resources"), Some(4), "{host}"),
        "tools/call" => {
            assert_ne!(result["isError"], true, "{host}: {result}");
            assert!(
                result["structuredContent"]["memories"].is_array(),
                "{host}: {result}"
            );
            assert!(
                result.get("resultType").is_none(),
                "{host}: unknown to its version"
            );
        }
        other => panic!("{host} says {other}"),
    }
}

#[test]
fn a_server_works_in_an_environment_that_is_nearly_empty() {
    let project = Scratch::new();
    let (_, words, _) = HOSTS[1];
    let home = crate::support::shared_home();
    let mut command = project.command(&["mcp"]);
    command
        .env_clear()
        .env("HOME", project.path())
        .env("PATH", "/usr/bin:/bin")
        .env("LC_CTYPE", "C.UTF-8")
        .env("TWICESHY_HOME", home);
    let ran = crate::support::feed(command, words.as_bytes());
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert_eq!(ran.stdout().lines().count(), 2, "{}", ran.stdout());
}

#[test]
fn every_version_is_echoed_and_an_unknown_one_is_answered_with_one_we_know() {
    let project = Scratch::new();
    for (asked, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        // This one has no such handshake.
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("nonsense", "2025-11-25"),
    ] {
        let mut client = Client::start(&project);
        let about = serde_json::json!({
            "protocolVersion": asked,
            "capabilities": {},
            "clientInfo": { "name": "test-client", "version": "1" },
        });
        assert_eq!(
            client.request("initialize", about)["protocolVersion"],
            answered,
            "{asked}"
        );
        assert_eq!(client.end().1, Some(0));
    }
}

#[test]
fn a_client_of_the_stateless_version_needs_no_handshake() {
    let project = Scratch::new();
    let mut client = Client::start(&project);
    let meta = serde_json::json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test-client", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let tools = client.request("tools/list", serde_json::json!({ "_meta": meta }));
    assert_eq!(tools["tools"].as_array().map(Vec::len), Some(10));
    assert_eq!(tools["resultType"], "complete");
    assert_eq!(tools["cacheScope"], "private");
    let call = serde_json::json!({ "name": "recall", "arguments": { "task": "x" }, "_meta": meta });
    assert_eq!(client.request("tools/call", call)["resultType"], "complete");
    let without = client.ask("tools/list", serde_json::json!({}));
    assert_eq!(without["error"]["code"], -32602, "{without}");
    assert_eq!(client.end().1, Some(0));
}

#[test]
fn the_tools_are_what_models_were_told() {
    let project = Scratch::new();
    let mut client = Client::connected(&project);
    let tools = client.request("tools/list", serde_json::json!({}));
    insta::assert_snapshot!("tools", format!("{tools:#}"));
    let templates = client.request("resources/templates/list", serde_json::json!({}));
    let prompts = client.request("prompts/list", serde_json::json!({}));
    let resources = client.request("resources/list", serde_json::json!({}));
    insta::assert_snapshot!(
        "pages",
        format!("{resources:#}\n{templates:#}\n{prompts:#}")
    );
}
