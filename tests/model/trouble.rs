//! An endpoint that answers late, with garbage, with too much, or not at all.

use std::{
    io::Write,
    net::{TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use super::{
    HANG, SHORT, ask,
    endpoints::{at, hastily_at, settings},
    model, recurring, refused, run_with,
    server::{Server, completion, response},
};
use crate::support::{Scratch, feed};

fn trickle(stream: &mut TcpStream, bytes: &[u8]) {
    for byte in bytes {
        if stream.write_all(&[*byte]).is_err() {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_answer_that_is_late_or_trickles_is_not_waited_for() {
    let silent = Server::start(|_, _| thread::sleep(HANG));
    let slow_head = Server::start(|_, stream| trickle(stream, completion("[1]").as_bytes()));
    let slow_body = Server::start(|_, stream| {
        let answer = completion(&format!("[{}1]", " ".repeat(500)));
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let _ = write!(stream, "{head}\r\n\r\n");
        trickle(stream, body.as_bytes());
    });
    for server in [silent, slow_head, slow_body] {
        let started = Instant::now();
        let (kind, message) = refused(&hastily_at(&server));
        assert!(started.elapsed() >= SHORT, "{message}");
        assert_eq!(kind, "busy", "{message}");
        assert!(message.contains("timeout-ms"), "{message}");
    }
}

#[test]
fn the_second_question_has_only_the_time_that_is_left() {
    let server = Server::start(|_, stream| {
        thread::sleep(SHORT * 2 / 3);
        let _ = stream.write_all(response("400 Bad Request", "", "{}").as_bytes());
    });
    assert_eq!(refused(&hastily_at(&server)).0, "busy");
}

#[test]
fn more_than_an_answer_may_have_is_not_read() {
    let endless = |head: &'static str, piece: &'static [u8]| {
        Server::start(move |_, stream| {
            let _ = stream.write_all(head.as_bytes());
            while stream.write_all(piece).is_ok() {}
        })
    };
    let until_close = endless("HTTP/1.1 200 OK\r\n\r\n", &[b' '; 4096]);
    let by_length = endless(
        "HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n",
        &[b'['; 4096],
    );
    let chunked = endless(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
        b"10\r\n0123456789abcdef\r\n",
    );
    let just_too_long = Server::model(&"1".repeat(1_001));
    for server in [until_close, by_length, chunked, just_too_long] {
        let (kind, message) = refused(&at(&server));
        assert_eq!(kind, "other", "{message}");
        assert!(message.contains("most-bytes"), "{message}");
    }
    let endless_head = endless("HTTP/1.1 200 OK\r\nx: ", &[b'x'; 4096]);
    assert!(ask(&at(&endless_head)).is_err());
}

#[test]
fn an_answer_cut_off_in_the_middle_is_no_answer() {
    let whole = completion("[1]");
    let cut = whole[..whole.len() - 9].to_owned();
    let chunk = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{\"choices\"";
    for answer in [
        cut,
        chunk.to_owned(),
        "HTTP/1.1 200".to_owned(),
        String::new(),
    ] {
        let (kind, message) = refused(&at(&Server::saying(answer.clone())));
        assert_eq!(kind, "other", "{answer}: {message}");
    }
}

#[test]
fn garbage_is_named_as_such_and_quoted_in_one_short_line() {
    let long = "<html>\n\x1b[31m".repeat(1_000);
    for body in [
        long.as_str(),
        "\u{0}\u{1}",
        "{\"choices\"",
        "{}",
        "[]",
        "null",
        r#"{"choices": []}"#,
        r#"{"choices": [{"message": {"content": 7}}]}"#,
        r#"{"choices": [{"message": {"content": ""}}]}"#,
        r#"{"choices": [{"message": {"content": null, "refusal": "no"}}]}"#,
        r#"{"choices": [{"finish_reason": "length", "message": {"content": "[1"}}]}"#,
    ] {
        let (kind, message) = refused(&at(&Server::saying(response("200 OK", "", body))));
        assert_eq!(kind, "other", "{body}: {message}");
        assert!(message.chars().count() < 600, "{}", message.len());
        assert!(!message.contains(char::is_control), "{message:?}");
    }
    let (kind, message) = refused(&at(&Server::saying("SSH-2.0-OpenSSH_9.2\r\n")));
    assert_eq!(kind, "other", "{message}");
}

#[test]
fn wrong_json_teaches_nothing() {
    let scratch = Scratch::new();
    let (episode, _) = recurring(&scratch);
    let distil = json!({ "episode": episode }).to_string();
    let before = scratch.call("lessons.find", &json!({}));
    for content in ["[1]", "{}", "not JSON", r#"[{"rule_text": "x"}]"#] {
        let server = Server::model(content);
        let text = format!("[model]\n{}", settings(&server, ""));
        let ran = run_with(&scratch, &text, &["call", "lessons.distil", &distil]);
        assert_eq!(ran.code(), 1, "{content}: {}", ran.stdout());
        assert_eq!(server.connections(), 1);
    }
    assert_eq!(scratch.call("lessons.find", &json!({})), before);
}

#[test]
fn every_refusal_says_what_to_do() {
    for (status, kind, hint) in [
        ("401 Unauthorized", "denied", "key-env"),
        ("403 Forbidden", "denied", "key-env"),
        ("404 Not Found", "other", "name"),
        ("408 Request Timeout", "busy", "later"),
        ("418 I'm a teapot", "other", "endpoint"),
        ("429 Too Many Requests", "busy", "later"),
        ("500 Internal Server Error", "other", "log"),
        ("502 Bad Gateway", "other", "log"),
        ("503 Service Unavailable", "busy", "later"),
    ] {
        let body = r#"{"error": {"message": "as it is"}}"#;
        let server = Server::saying(response(status, "", body));
        let (case, message) = refused(&at(&server));
        assert_eq!(case, kind, "{status}: {message}");
        assert!(
            message.contains(hint) && message.contains(&status[..3]),
            "{message}"
        );
        assert_eq!(message.contains("as it is"), kind != "denied", "{message}");
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let other = Server::model("[1]");
    for status in [
        "301 Moved Permanently",
        "302 Found",
        "307 Temporary Redirect",
        "308 Permanent Redirect",
    ] {
        let place = format!("location: {}/chat/completions\r\n", other.address());
        let server = Server::saying(response(status, &place, ""));
        let (kind, message) = refused(&at(&server));
        assert_eq!(kind, "other", "{message}");
        assert!(message.contains(&other.address()), "{message}");
    }
    assert_eq!(other.connections(), 0);
}

#[test]
fn an_address_where_nobody_is_can_not_be_reached() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    for address in [
        format!("http://127.0.0.1:{port}/v1"),
        "http://no-such-host.invalid/v1".to_owned(),
    ] {
        let model = model(&format!(
            "endpoint = \"{address}\"\nname = \"m\"\ntimeout-ms = 3000"
        ));
        let error = ask(&model).expect_err("nobody");
        assert_eq!(error.kind(), "other", "{error}");
        assert!(error.message().contains(&address), "{error}");
    }
}

#[test]
fn without_its_key_the_endpoint_is_not_contacted() {
    let server = Server::model("[1]");
    let model = model(&settings(
        &server,
        "key-env = \"TWICESHY_TEST_NO_SUCH_KEY\"",
    ));
    let (kind, message) = refused(&model);
    assert_eq!(kind, "denied");
    assert!(message.contains("TWICESHY_TEST_NO_SUCH_KEY"), "{message}");
    assert_eq!(server.connections(), 0);
}

#[test]
fn the_key_is_in_no_message_whatever_the_server_quotes() {
    const KEY: &str = "correct-horse-battery-staple";
    let scratch = Scratch::new();
    for (status, headers) in [
        ("200 OK", ""),
        ("400 Bad Request", ""),
        ("401 Unauthorized", ""),
        ("429 Too Many Requests", ""),
        ("500 Internal Server Error", ""),
        (
            "302 Found",
            "location: http://evil.example/?k=correct-horse-battery-staple\r\n",
        ),
    ] {
        let echo = format!("you sent Bearer {KEY}, {}", KEY.repeat(3));
        let server = Server::saying(response(status, headers, &echo));
        let text = format!("[model]\n{}", settings(&server, "key-env = \"GADGET_KEY\""));
        let mut command = scratch.command(&["doctor", "--model"]);
        command
            .env("TWICESHY_HOME", super::home(&scratch, &text))
            .env("TWICESHY_LOG", "debug")
            .env("GADGET_KEY", KEY);
        let ran = feed(command, b"");
        assert_eq!(ran.code(), 1, "{status}");
        let said = ran.stdout() + &ran.stderr();
        assert!(!said.contains("correct-horse"), "{status}: {said}");
        assert!(server.connections() >= 1, "{status}");
    }
}

#[test]
fn a_project_can_not_choose_what_is_run_or_who_gets_the_key() {
    let scratch = Scratch::new();
    scratch.call("upkeep.status", &json!({}));
    std::fs::create_dir_all(scratch.memory()).expect("a directory");
    let mark = scratch.path().join("mark");
    let settings = format!("[model]\ncommand = [\"touch\", {mark:?}]\n");
    std::fs::write(scratch.memory().join("config.toml"), settings).expect("settings");
    let ran = scratch.run(&["doctor", "--model"]);
    assert_eq!(ran.code(), 1);
    assert!(
        ran.stdout().contains("[model]") && ran.stdout().contains("config.toml"),
        "{}",
        ran.stdout()
    );
    assert!(!mark.exists());
}
