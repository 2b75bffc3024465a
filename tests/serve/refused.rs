//! Requests that `twiceshy serve` does not do as asked: malformed, endless, too large, from nobody it knows.

use std::{
    io::{Read, Write},
    time::Duration,
};

use serde_json::json;

use super::{Served, answer};

#[test]
fn what_is_wrong_with_a_request_is_said_and_changes_nothing() {
    let (served, [_, write, _]) = Served::start(&["--origin", "https://page.example"]);
    let status_of = |method: &str, path: &str, body: &[u8]| {
        let (status, head, body) = served.ask(method, path, &write, body);
        assert!(
            head.contains("access-control-allow-origin: https://page.example"),
            "{head}"
        );
        assert!(
            status >= 400 && body.contains("\"message\""),
            "{status} {body}"
        );
        status
    };
    let start = "/v1/call/runs.start";
    for body in [
        "",
        "{",
        "[]",
        "{\"task\": 1}",
        "{\"tusk\": \"x\"}",
        "null",
        "\u{0}",
    ] {
        assert_eq!(status_of("POST", start, body.as_bytes()), 400, "{body}");
    }
    assert_eq!(status_of("POST", start, b"{\"task\": \"\xff\"}"), 400);
    assert_eq!(status_of("GET", start, b""), 405);
    assert_eq!(status_of("DELETE", start, b""), 405);
    assert_eq!(status_of("POST", "/v1/call/runs.stop", b"{}"), 404);
    assert_eq!(status_of("POST", "/v1/call/../../etc/passwd", b"{}"), 404);
    assert_eq!(status_of("GET", "/", b""), 404);
    assert_eq!(
        status_of("POST", "/v1/call/lessons.get", b"{\"lesson\": \"les_0\"}"),
        404
    );
    let too_large = vec![b' '; (32 << 20) + 1];
    assert_eq!(status_of("POST", start, &too_large), 413);
    for garbage in [
        "GET\r\n\r\n",
        "\u{1}\u{2}\r\n\r\n",
        "POST / HTTP/9.9\r\n\r\n",
    ] {
        let mut stream = served.connection();
        stream.write_all(garbage.as_bytes()).expect("it listens");
        assert_eq!(answer(stream).0, 400, "{garbage:?}");
    }
    assert_eq!(
        served.call("upkeep.status", &write, &json!({})).1["runs"],
        0
    );
}

#[test]
fn a_client_that_sends_nothing_keeps_nobody_waiting_and_is_let_go() {
    let (served, [read, ..]) = Served::start(&[]);
    let mut slow: Vec<_> = (0..50).map(|_| served.connection()).collect();
    for stream in &mut slow {
        stream
            .write_all(b"POST /v1/call/upkeep.status HTTP/1.1\r\nHo")
            .expect("it listens");
    }
    assert_eq!(served.call("upkeep.status", &read, &json!({})).0, 200);
    for stream in slow {
        // Whether it says so or not: the connection ends, and nothing was done.
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("a time");
        assert_ne!(answer(stream).0, 200);
    }
}

#[test]
fn a_client_that_never_ends_its_request_is_told_so_and_nothing_is_done() {
    let (served, [read, write, _]) = Served::start(&[]);
    let head = format!(
        "POST /v1/call/runs.start HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {write}\r\n"
    );
    // One stops in the middle of a known length, one in the middle of a chunk.
    let slow = [
        format!("{head}Content-Length: 100\r\n\r\n{{\"task\": "),
        format!("{head}Transfer-Encoding: chunked\r\n\r\n64\r\n{{\"task\": "),
    ]
    .map(|request| {
        let mut stream = served.connection();
        stream.write_all(request.as_bytes()).expect("it listens");
        stream
    });
    assert_eq!(served.call("upkeep.status", &read, &json!({})).0, 200);
    for stream in slow {
        stream
            .set_read_timeout(Some(Duration::from_secs(120)))
            .expect("a time");
        let (status, _, body) = answer(stream);
        assert_eq!(status, 408, "{body}");
        assert!(body.contains("took too long"), "{body}");
    }
    assert_eq!(served.call("upkeep.status", &read, &json!({})).1["runs"], 0);
}

#[test]
fn who_is_not_known_learns_nothing_and_sends_nothing_large() {
    let (served, [read, ..]) = Served::start(&[]);
    let ask = |head: &str, body: &[u8]| {
        let mut stream = served.connection();
        let _ = stream.write_all(head.as_bytes());
        // Who is refused before the end of a long body may be cut off.
        let _ = stream.write_all(body);
        answer(stream)
    };
    let mut said = Vec::new();
    for path in [
        "/v1/call/upkeep.status",
        "/v1/call/nothing.like-this",
        "/metrics",
        "/mcp",
    ] {
        let method = if path == "/metrics" { "GET" } else { "POST" };
        for credentials in [
            String::new(),
            "Authorization: Bearer \r\n".into(),
            "Authorization: Bearer twiceshy_0000000000000000\r\n".into(),
            format!("Authorization: Basic {read}\r\n"),
            format!("Authorization: Bearer {read}x\r\n"),
        ] {
            let head = format!(
                "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n{credentials}Content-Length: 2\r\n\r\n",
                served.port
            );
            let (status, _, body) = ask(&head, b"{}");
            assert_eq!(status, 401, "{path} {credentials} {body}");
            said.push(body);
        }
    }
    said.dedup();
    assert_eq!(said.len(), 1, "every refusal has the same words: {said:?}");
    // A body is not read before it is known whose it is.
    let head = "POST /v1/call/upkeep.status HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000000000\r\n\r\n";
    assert_eq!(ask(head, &[b' '; 1000]).0, 401);
}

#[test]
fn what_is_too_large_is_refused_however_it_is_sent() {
    let (served, [_, write, _]) = Served::start(&[]);
    let head = format!(
        "POST /v1/call/runs.start HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer {write}\r\n"
    );
    // In chunks, so that nobody says beforehand how large it is.
    let mut stream = served.connection();
    let begin = format!("{head}Transfer-Encoding: chunked\r\n\r\n");
    stream.write_all(begin.as_bytes()).expect("it listens");
    let chunk = [b"100000\r\n".as_slice(), &vec![b' '; 1 << 20], b"\r\n"].concat();
    for _ in 0..33 {
        if stream.write_all(&chunk).is_err() {
            break;
        }
    }
    assert_eq!(answer(stream).0, 413);
    // Headers without end.
    let mut stream = served.connection();
    let many = format!("{head}X-Long: {}\r\n\r\n", "x".repeat(1 << 20));
    let _ = stream.write_all(many.as_bytes());
    assert_eq!(answer(stream).0, 431);
    assert_eq!(
        served.call("upkeep.status", &write, &json!({})).1["runs"],
        0
    );
}

#[test]
fn large_requests_wait_for_each_other_and_small_ones_for_none_of_them() {
    let (served, [read, ..]) = Served::start(&[]);
    let length = 1 << 20;
    let head = format!(
        "POST /v1/call/upkeep.status HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer {read}\r\n\
         Content-Length: {length}\r\n\r\n"
    );
    let begun = || {
        let mut stream = served.connection();
        stream.write_all(head.as_bytes()).expect("it listens");
        stream
    };
    // As many as are read at once, of which nothing more comes.
    let stalled: Vec<_> = (0..16).map(|_| begun()).collect();
    assert_eq!(served.call("upkeep.status", &read, &json!({})).0, 200);
    let mut large = begun();
    let mut rest = large.try_clone().expect("a connection");
    let sent = std::thread::spawn(move || {
        let body = format!("{{}}{}", " ".repeat(length - 2));
        rest.write_all(body.as_bytes())
    });
    large
        .set_read_timeout(Some(Duration::from_millis(500)))
        .expect("a time");
    assert!(
        large.read(&mut [0]).is_err(),
        "it was answered before its turn"
    );
    drop(stalled);
    large
        .set_read_timeout(Some(Duration::from_secs(60)))
        .expect("a time");
    assert_eq!(answer(large).0, 200);
    sent.join().expect("a thread").expect("it was read");
}
