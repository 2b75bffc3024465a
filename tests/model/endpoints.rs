//! An endpoint that means well: what it is asked, and what is made of its answer.

use std::{io::Write, time::Duration};

use serde_json::json;

use super::{
    AMPLE, HANG, SCHEMA, SHORT, ask, model, recurring, refused, run_with,
    server::{Server, completion, response},
};
use crate::support::Scratch;

/// A model at a server.
pub fn at(server: &Server) -> twiceshy::PluggedModel {
    model(&settings(server, ""))
}

/// A model at a server that does not get much time.
pub fn hastily_at(server: &Server) -> twiceshy::PluggedModel {
    model(&settings_with(server, SHORT, ""))
}

pub fn settings(server: &Server, more: &str) -> String {
    settings_with(server, AMPLE, more)
}

fn settings_with(server: &Server, time: Duration, more: &str) -> String {
    format!(
        "endpoint = \"{}\"\nname = \"small\"\ntimeout-ms = {}\nmost-bytes = 1000\n{more}",
        server.address(),
        time.as_millis()
    )
}

#[test]
fn an_endpoint_is_asked_with_prompt_schema_and_name() {
    let server = Server::model("[1]");
    assert_eq!(ask(&at(&server)).expect("an answer"), "[1]");
    let request = server.requests().remove(0);
    assert!(
        request
            .head
            .starts_with("POST /v1/chat/completions HTTP/1.1"),
        "{}",
        request.head
    );
    assert!(
        !request.head.to_lowercase().contains("authorization"),
        "no key is configured"
    );
    let body = request.body;
    assert_eq!(body["model"], "small");
    assert_eq!(body["messages"][1]["content"], "one number, please");
    let form = &body["response_format"];
    assert_eq!(form["type"], "json_schema");
    assert_eq!(
        form["json_schema"]["schema"],
        serde_json::from_str::<serde_json::Value>(SCHEMA).expect("JSON")
    );
}

#[test]
fn an_answer_in_chunks_parts_or_a_fence_is_taken_out_of_it() {
    let body = json!({"choices": [{"message": {"content": "[1]"}}]}).to_string();
    let (a, b) = body.split_at(7);
    let chunked = format!(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{a}\r\n{:x}\r\n{b}\r\n0\r\n\r\n",
        a.len(),
        b.len()
    );
    let parts = json!({"choices": [{"message": {"content": [{"type": "text", "text": "[1]"}]}}]});
    for answer in [
        chunked,
        response("200 OK", "", &parts.to_string()),
        completion("```json\n[1]\n```"),
        completion("<think>two?</think>[1]"),
        format!("HTTP/1.1 200 OK\r\n\r\n{body}"),
    ] {
        let server = Server::saying(answer.clone());
        assert_eq!(ask(&at(&server)).expect(&answer), "[1]", "{answer}");
    }
}

#[test]
fn an_endpoint_that_refuses_the_form_is_asked_once_without_it() {
    let server = Server::start(|request, stream| {
        let answer = if request.body.get("response_format").is_some() {
            response(
                "400 Bad Request",
                "",
                r#"{"error": {"message": "no response_format"}}"#,
            )
        } else {
            completion("[1]")
        };
        let _ = stream.write_all(answer.as_bytes());
    });
    assert_eq!(ask(&at(&server)).expect("an answer"), "[1]");
    assert_eq!(server.connections(), 2);
    // The schema is in its words then.
    let second = server.requests().remove(1).body;
    assert!(
        second["messages"][0]["content"]
            .as_str()
            .expect("words")
            .contains(SCHEMA)
    );

    let server = Server::saying(response(
        "400 Bad Request",
        "",
        r#"{"error": {"message": "too old"}}"#,
    ));
    let (kind, message) = refused(&at(&server));
    assert_eq!((kind, server.connections()), ("other", 2));
    assert!(message.contains("too old"), "{message}");
}

#[test]
fn a_key_is_taken_from_the_environment_and_sent_to_the_endpoint_alone() {
    let scratch = Scratch::new();
    let server = Server::model(r#"{"ok": true}"#);
    let settings = format!("[model]\n{}", settings(&server, "key-env = \"GADGET_KEY\""));
    let mut command = scratch.command(&["doctor", "--model"]);
    command
        .env("TWICESHY_HOME", super::home(&scratch, &settings))
        .env("GADGET_KEY", "correct-horse-battery");
    let ran = crate::support::feed(command, b"");
    assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
    assert!(!ran.stdout().contains("correct-horse"), "{}", ran.stdout());
    let head = server.requests().remove(0).head.to_lowercase();
    assert!(
        head.contains("authorization: bearer correct-horse-battery"),
        "{head}"
    );
}

#[test]
fn doctor_tells_whether_the_model_can_be_used() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["doctor"]);
    assert!(
        ran.stdout().contains("none is configured"),
        "{}",
        ran.stdout()
    );
    let server = Server::model(r#"{"ok": true}"#);
    let text = format!("[model]\n{}", settings(&server, ""));
    let ran = run_with(&scratch, &text, &["doctor"]);
    assert_eq!(ran.code(), 0, "{}", ran.stdout());
    assert!(
        server.requests()[0].head.starts_with("GET /v1/models"),
        "only looked at"
    );
    let ran = run_with(&scratch, &text, &["doctor", "--model"]);
    assert_eq!(ran.code(), 0, "{}", ran.stdout());
    assert!(ran.stdout().contains("answered in"), "{}", ran.stdout());

    let useless = Server::model("Certainly! I am fine.");
    let text = format!("[model]\n{}", settings(&useless, ""));
    let ran = run_with(&scratch, &text, &["doctor", "--model", "--json"]);
    assert_eq!(ran.code(), 1);
    let report = ran.json();
    let checks = report["checks"].as_array().expect("checks");
    let model = checks
        .iter()
        .find(|check| check["check"] == "model")
        .expect("a check");
    assert!(
        model["problems"][0]
            .as_str()
            .expect("a text")
            .contains("Certainly"),
        "{model}"
    );
}

#[test]
fn the_program_learns_from_what_a_model_says() {
    let scratch = Scratch::new();
    let (episode, fingerprint) = recurring(&scratch);
    let rule = "WRONG: gizmo → CORRECT: gizmo --new";
    let server = Server::model(
        &json!([{ "trigger_fingerprints": [fingerprint], "rule_text": rule, "scope_hint": "domain" }])
            .to_string(),
    );
    let text = format!("[model]\n{}", settings(&server, ""));
    let distil = json!({ "episode": episode }).to_string();
    let ran = run_with(&scratch, &text, &["call", "lessons.distil", &distil]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert_eq!(ran.json()[0]["rule-text"], rule);
    assert_eq!(ran.json()[0]["status"], "candidate");
}

#[test]
fn nothing_is_contacted_that_nobody_asked_for() {
    let scratch = Scratch::new();
    let server = Server::start(|_, _| std::thread::sleep(HANG));
    let text = format!("[model]\n{}", settings(&server, ""));
    let failing = [
        "run",
        "--task",
        "x",
        "--",
        "sh",
        "-c",
        "echo 'no such gadget' >&2; exit 3",
    ];
    for _ in 0..3 {
        assert_eq!(run_with(&scratch, &text, &failing).code(), 3);
    }
    for arguments in [vec!["status"], vec!["events"], vec!["call", "lessons.find"]] {
        assert_eq!(run_with(&scratch, &text, &arguments).code(), 0);
    }
    assert_eq!(server.connections(), 0);
}

/// The newest episode's score and who gave it.
fn judged(scratch: &Scratch) -> (Option<f64>, String) {
    let episode = scratch.call("episodes.find", &json!({"limit": 1}))[0].clone();
    let referee = episode["referee"].as_str().expect("a referee").to_owned();
    (episode["score"].as_f64(), referee)
}

#[test]
fn a_model_scores_a_run_if_it_is_wanted_and_nobody_else_does() {
    let scratch = Scratch::new();
    let server = Server::model(r#"{"score": 0.75}"#);
    let plain = format!("[model]\n{}", settings(&server, ""));
    let on_run = format!("[model]\n{}", settings(&server, "on-run = true"));
    let by_model = (Some(0.75), "model".to_owned());
    assert_eq!(
        run_with(
            &scratch,
            &plain,
            &["run", "--model", "--task", "x", "--", "true"]
        )
        .code(),
        0
    );
    assert_eq!(
        (judged(&scratch), server.connections()),
        (by_model.clone(), 1)
    );
    run_with(&scratch, &on_run, &["run", "--task", "x", "--", "true"]);
    assert_eq!(
        (judged(&scratch), server.connections()),
        (by_model.clone(), 2)
    );
    // Without a task there is nothing to judge, and a referee needs no help.
    run_with(&scratch, &on_run, &["run", "--", "true"]);
    assert_eq!(judged(&scratch).1, "signals");
    run_with(
        &scratch,
        &on_run,
        &["run", "--task", "x", "--referee", "false", "--", "true"],
    );
    assert_eq!(judged(&scratch), (Some(0.0), "deterministic".to_owned()));
    assert_eq!(server.connections(), 2);
    // A task that is finished by hand is judged by the model that is plugged in.
    let run = run_with(&scratch, &plain, &["task", "start", "x"]).stdout();
    let run = run.lines().next().expect("an id");
    run_with(&scratch, &plain, &["run", "--run", run, "--", "true"]);
    assert_eq!(server.connections(), 2, "a step waits for nobody");
    run_with(&scratch, &plain, &["task", "finish", run]);
    assert_eq!((judged(&scratch), server.connections()), (by_model, 3));
}

#[test]
fn a_run_ends_whatever_the_model_says() {
    let scratch = Scratch::new();
    for content in [
        "",
        "splendid",
        r#"{"score": 7}"#,
        r#"{"score": 1, "more": 2}"#,
        "[]",
    ] {
        let server = Server::model(content);
        let text = format!("[model]\n{}", settings(&server, ""));
        let ran = run_with(
            &scratch,
            &text,
            &["run", "--model", "--task", "x", "--", "sh", "-c", "exit 4"],
        );
        assert_eq!(ran.code(), 4, "{content}");
        assert!(
            ran.stderr().contains("the model"),
            "{content}: {}",
            ran.stderr()
        );
        assert_eq!(judged(&scratch).1, "signals", "{content}");
        assert_eq!(server.connections(), 1);
    }
    let text = "[model]\ncommand = ['twiceshy-no-such-program']\n";
    let ran = run_with(
        &scratch,
        text,
        &["run", "--model", "--task", "x", "--", "true"],
    );
    assert_eq!(ran.code(), 0);
    assert!(
        ran.stderr().contains("twiceshy-no-such-program"),
        "{}",
        ran.stderr()
    );
}
