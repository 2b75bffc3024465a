//! An embedder behind the port: every form of answer, every kind of trouble, the key in one header, and nothing
//! contacted that nobody asked for.
#![cfg(unix)]

use std::{
    io::Write,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use twiceshy::{
    EmbeddingSettings, PluggedEmbedder,
    wit::host::{Embedder, Error},
};

use crate::{
    model::{
        home,
        server::{Server, response},
    },
    support::{Ran, Scratch, feed},
};

/// Whatever takes longer than this hangs.
const HANG: Duration = Duration::from_secs(180);

/// The address of a server without the path that models have.
fn address(server: &Server) -> String {
    server.address().trim_end_matches("/v1").to_owned()
}

fn settings(server: &Server) -> EmbeddingSettings {
    EmbeddingSettings {
        base_url: address(server),
        model: "nomic-embed-text".to_owned(),
        timeout_seconds: 60,
        ..EmbeddingSettings::default()
    }
}

fn embed(settings: EmbeddingSettings, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
    let texts: Vec<_> = texts.iter().map(|text| (*text).to_owned()).collect();
    PluggedEmbedder::new(settings).embed(&texts)
}

/// Settings for a server that never answers.
fn hasty(server: &Server) -> EmbeddingSettings {
    EmbeddingSettings {
        timeout_seconds: 1,
        ..settings(server)
    }
}

fn ok(body: &Value) -> String {
    response(
        "200 OK",
        "content-type: application/json\r\n",
        &body.to_string(),
    )
}

/// Vectors that count the letters `a` to `d` of each text, in OpenAI's form.
fn letters() -> Server {
    Server::start(|request, stream| {
        let texts = request.body["input"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let data: Vec<_> = texts
            .iter()
            .map(|text| {
                let text = text.as_str().unwrap_or_default();
                let counts = ['a', 'b', 'c', 'd'].map(|letter| text.matches(letter).count());
                json!({ "embedding": counts })
            })
            .collect();
        let _ = stream.write_all(ok(&json!({ "data": data })).as_bytes());
    })
}

#[test]
fn both_forms_are_spoken() {
    let server = letters();
    let vectors = embed(settings(&server), &["aab", "cd"]).expect("vectors");
    assert_eq!(
        vectors,
        [vec![2.0, 1.0, 0.0, 0.0], vec![0.0, 0.0, 1.0, 1.0]]
    );
    let request = server.requests().remove(0);
    assert!(
        request.head.starts_with("POST /v1/embeddings HTTP/1.1"),
        "{}",
        request.head
    );
    assert_eq!(
        request.body,
        json!({ "model": "nomic-embed-text", "input": ["aab", "cd"] })
    );

    let ollama = Server::saying(ok(&json!({ "embedding": [0.5, -1] })));
    let one_at_a_time = EmbeddingSettings {
        path: "/api/embeddings".to_owned(),
        ..settings(&ollama)
    };
    let vectors = embed(one_at_a_time, &["x", "y"]).expect("vectors");
    assert_eq!(vectors, [vec![0.5, -1.0], vec![0.5, -1.0]]);
    let requests = ollama.requests();
    assert_eq!(
        requests[1].body,
        json!({ "model": "nomic-embed-text", "prompt": "y" })
    );

    let newer = Server::saying(ok(&json!({ "embeddings": [[1], [2]] })));
    let all_at_once = EmbeddingSettings {
        path: "/api/embed".to_owned(),
        ..settings(&newer)
    };
    assert_eq!(
        embed(all_at_once, &["x", "y"]).expect("vectors"),
        [vec![1.0], vec![2.0]]
    );
}

#[test]
fn any_dimension_is_taken() {
    for length in [1, 384, 768, 1_024, 1_536, 4_096] {
        let server = Server::saying(ok(
            &json!({ "data": [{ "embedding": vec![0.25; length] }] }),
        ));
        let vectors = embed(settings(&server), &["x"]).expect("a vector");
        assert_eq!(vectors[0].len(), length);
    }
}

#[test]
fn a_late_answer_is_not_waited_for() {
    let silent = Server::start(|_, _| thread::sleep(HANG));
    let trickling = Server::start(|_, stream| {
        for byte in ok(&json!({ "embedding": vec![0.5; 400] })).bytes() {
            if stream.write_all(&[byte]).is_err() {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    });
    for server in [silent, trickling] {
        let error = embed(hasty(&server), &["x"]).expect_err("too late");
        assert_eq!(error.kind(), "busy", "{error}");
        assert!(error.message().contains("timeout-seconds"), "{error}");
    }
}

#[test]
fn many_texts_one_at_a_time_have_one_time_together() {
    let slow = Server::start(|_, stream| {
        thread::sleep(Duration::from_millis(400));
        let _ = stream.write_all(ok(&json!({ "embedding": [1] })).as_bytes());
    });
    let settings = EmbeddingSettings {
        path: "/api/embeddings".to_owned(),
        ..hasty(&slow)
    };
    assert_eq!(
        embed(settings, &["x"; 64]).expect_err("too late").kind(),
        "busy"
    );
    assert!(slow.connections() < 5);
}

#[test]
fn garbage_is_named_and_vectors_that_can_not_be_compared_are_refused() {
    for body in [
        "",
        "<html>",
        "{}",
        "[]",
        r#"{"data": []}"#,
        r#"{"data": [{"embedding": [1]}, {"embedding": [1]}, {"embedding": [1]}]}"#,
        r#"{"data": [{"embedding": [1]}, {"embedding": [1, 2]}]}"#,
        r#"{"data": [{"embedding": [NaN]}, {"embedding": [1]}]}"#,
        r#"{"data": [{"embedding": [null]}, {"embedding": [1]}]}"#,
        r#"{"data": [{"embedding": [1e39]}, {"embedding": [1]}]}"#,
        r#"{"data": [{"embedding": [1e999]}, {"embedding": [1]}]}"#,
        r#"{"data": [{"embedding": []}, {"embedding": []}]}"#,
        r#"{"embeddings": ["x", "y"]}"#,
    ] {
        let server = Server::saying(response("200 OK", "", body));
        let error = embed(settings(&server), &["x", "y"]).expect_err(body);
        assert_eq!(error.kind(), "other", "{body}: {error}");
        assert!(error.message().contains("[embedding]"), "{body}: {error}");
        assert!(error.message().chars().count() < 600, "{error}");
    }
}

#[test]
fn an_endless_answer_is_not_read_to_its_end() {
    let endless = Server::start(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n{\"embedding\": [");
        while stream.write_all(&[b'1'; 65_536]).is_ok() {}
    });
    let error = embed(settings(&endless), &["x"]).expect_err("too much");
    assert!(
        error.message().contains("more than 1048576 bytes"),
        "{error}"
    );
}

#[test]
fn the_key_is_in_one_header_and_in_no_message() {
    let echoing = Server::start(|request, stream| {
        let key = request.head.to_lowercase().matches("correct-horse").count();
        let said = format!("{} {key}", request.head);
        let body = json!({ "error": { "message": said } }).to_string();
        let _ = stream.write_all(response("500 Oops", "", &body).as_bytes());
    });
    for (header, expected) in [
        (
            "Authorization",
            "authorization: bearer correct-horse-battery",
        ),
        ("x-api-key", "x-api-key: correct-horse-battery"),
    ] {
        let settings = EmbeddingSettings {
            api_key: Some("correct-horse-battery".to_owned()),
            api_header: header.to_owned(),
            headers: [("x-trace-id".to_owned(), "abc123".to_owned())].into(),
            ..settings(&echoing)
        };
        let error = embed(settings, &["x"]).expect_err("a failure");
        assert!(!error.message().contains("correct-horse"), "{error}");
        let head = echoing
            .requests()
            .pop()
            .expect("a request")
            .head
            .to_lowercase();
        assert!(head.contains(expected), "{head}");
        assert!(head.contains("x-trace-id: abc123"), "{head}");
        assert_eq!(head.matches("correct-horse").count(), 1, "{head}");
    }
    for status in ["401 Unauthorized", "403 Forbidden"] {
        let server = Server::saying(response(status, "", "your key is k-123"));
        let error = embed(settings(&server), &["x"]).expect_err("refused");
        assert_eq!(error.kind(), "denied");
        assert!(error.message().contains("EMBED_API_KEY") && !error.message().contains("k-123"));
    }
    let missing = EmbeddingSettings {
        api_key: Some("${TWICESHY_TEST_NO_SUCH_KEY}".to_owned()),
        ..settings(&echoing)
    };
    let before = echoing.connections();
    let error = embed(missing, &["x"]).expect_err("no key");
    assert!(
        error.message().contains("TWICESHY_TEST_NO_SUCH_KEY"),
        "{error}"
    );
    assert_eq!(echoing.connections(), before, "not contacted");
}

#[test]
fn an_embedder_that_redirects_is_not_followed() {
    let other = letters();
    let place = format!("location: {}/v1/embeddings\r\n", address(&other));
    let server = Server::saying(response("307 Temporary Redirect", &place, ""));
    let error = embed(settings(&server), &["x"]).expect_err("not followed");
    assert!(error.message().contains("not followed"), "{error}");
    assert_eq!(other.connections(), 0);
}

/// The program with an embedder from the environment.
fn with(scratch: &Scratch, server: &Server, arguments: &[&str]) -> Ran {
    let mut command = scratch.command(arguments);
    command
        .env("EMBED_BASE_URL", address(server))
        .env("EMBED_MODEL", "letters")
        .env("EMBED_TIMEOUT", "5");
    feed(command, b"")
}

#[test]
fn the_program_compares_meaning_with_one_embedder_for_everything() {
    let scratch = Scratch::new();
    let server = letters();
    for task in ["aaab", "cccd"] {
        let ran = with(
            &scratch,
            &server,
            &["experience", "evolve", task, "--output", task],
        );
        assert_eq!(ran.code(), 0, "{}", ran.stderr());
    }
    let found = with(
        &scratch,
        &server,
        &["experience", "search", "baaa", "--json"],
    )
    .json();
    assert_eq!(found[0]["entry"]["input"], "aaab");
    assert_eq!(
        (&found[0]["by-meaning"], &found[0]["score"]),
        (&json!(true), &json!(1.0))
    );
    let before = server.connections();
    // The same service serves lessons.
    let ran = with(
        &scratch,
        &server,
        &["lessons", "add", "--rule", "WRONG: a → CORRECT: b"],
    );
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert!(server.connections() > before);
    // What is kept is not embedded again, and what needs no vector asks for none.
    let before = server.connections();
    for arguments in [
        &["experience", "entries"][..],
        &["experience", "stats"],
        &["status"],
    ] {
        assert_eq!(with(&scratch, &server, arguments).code(), 0);
    }
    assert_eq!(server.connections(), before);
    // How similar kept vectors are can be said only beside sentences that have nothing to do with each other: one request.
    let measured = with(
        &scratch,
        &server,
        &["experience", "similarity-of-tasks", "--json"],
    );
    assert_eq!(measured.code(), 0, "{}", measured.stderr());
    assert_eq!(server.connections(), before + 1);
}

/// Vectors that count letters, raised so that texts without a common letter have this cosine.
fn raised(unrelated: f64) -> Server {
    Server::start(move |request, stream| {
        let texts = request.body["input"].as_array().cloned();
        let data: Vec<_> = texts
            .unwrap_or_default()
            .iter()
            .map(|text| {
                let text = text.as_str().unwrap_or_default().to_lowercase();
                let mut counts: Vec<_> = ('a'..='z')
                    .map(|letter| text.matches(letter).count() as f64)
                    .collect();
                let length = counts.iter().map(|count| count * count).sum::<f64>().sqrt();
                let share = (1.0 - unrelated).sqrt() / length.max(1.0);
                counts.iter_mut().for_each(|count| *count *= share);
                counts.push(unrelated.sqrt());
                json!({ "embedding": counts })
            })
            .collect();
        let _ = stream.write_all(ok(&json!({ "data": data })).as_bytes());
    })
}

#[test]
fn embedders_that_call_unrelated_texts_similar_give_the_same_briefing() {
    let briefings = [0.0, 0.3, 0.75].map(|unrelated| {
        let scratch = Scratch::new();
        let server = raised(unrelated);
        // The first has the letters of the task in other words.
        for rule in [
            "dirty room",
            "quiz a wizard",
            "keep a key",
            "chew gum",
            "bake cabbage, beef",
        ] {
            let arguments = ["lessons", "add", "--rule", rule, "--scope", "global"];
            let ran = with(&scratch, &server, &arguments);
            assert_eq!(ran.code(), 0, "{}", ran.stderr());
        }
        let task = r#"{"task": {"task": "dormitory", "domain": "cli", "recent-fingerprints": []}}"#;
        let hints = with(&scratch, &server, &["call", "recall.for-task", task]).json();
        let rules = hints.as_array().expect("hints").iter();
        let rules = rules.map(|hint| hint["lesson"]["rule-text"].clone());
        rules.collect::<Vec<_>>()
    });
    assert_eq!(
        briefings,
        [
            vec![json!("dirty room")],
            vec![json!("dirty room")],
            vec![json!("dirty room")]
        ]
    );
}

#[test]
fn what_is_said_in_other_words_is_found_without_any_service() {
    let scratch = Scratch::new();
    let tasks = [
        ("car", "fix a car motor that fails"),
        ("crash", "application crashes on startup"),
        ("rows", "remove old rows in the database"),
        ("site", "make the website faster"),
        ("image", "resize an image prior to upload"),
        ("wages", "increase staff wages"),
    ];
    for (id, task) in tasks {
        let episode = json!({ "episode": {
            "id": id, "task": task, "domain": "cli", "outcome": "success", "tools-used": [],
            "strategies-applied": [], "tags": [], "trace": []
        } });
        let ran = scratch.run(&["call", "episodes.add", &episode.to_string()]);
        assert_eq!(ran.code(), 0, "{}", ran.stderr());
    }
    let search = |text: &str| {
        let query = json!({ "query": { "text": text } }).to_string();
        scratch.run(&["call", "episodes.search", &query]).json()
    };
    for (id, text) in [
        ("car", "repair the broken automobile engine"),
        ("site", "speed up slow page rendering"),
        ("wages", "raise the salary of employees"),
    ] {
        let hits = search(text);
        assert_eq!(hits[0]["episode"]["id"], id, "{text}: {hits}");
        assert_eq!(hits[0]["by-meaning"], true);
    }
    let mut command = scratch.command(&[
        "call",
        "episodes.search",
        r#"{"query": {"text": "raise the salary"}}"#,
    ]);
    command.env("TWICESHY_HOME", home(&scratch, "static-model = false\n"));
    assert_eq!(feed(command, b"").json(), json!([]));
}

#[test]
fn a_command_does_not_wait_for_an_embedder_unless_somebody_wants_that() {
    let scratch = Scratch::new();
    let server = letters();
    let ran = with(&scratch, &server, &["run", "--task", "abc", "--", "true"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert_eq!(server.connections(), 0);
    let text = format!(
        "[embedding]\nbase-url = \"{}\"\nmodel = \"m\"\non-run = true\n",
        address(&server)
    );
    let mut command = scratch.command(&["run", "--task", "abd", "--", "true"]);
    command.env("TWICESHY_HOME", home(&scratch, &text));
    assert_eq!(feed(command, b"").code(), 0);
    assert!(server.connections() > 0);
    let listed = scratch.run(&["experience", "entries", "--json"]).json();
    assert_eq!(listed[0]["has-embedding"], true, "{listed}");
}

#[test]
fn another_length_of_vectors_is_told_and_mended_by_re_embed() {
    let scratch = Scratch::new();
    let length = AtomicUsize::new(3);
    let length = std::sync::Arc::new(length);
    let shared = std::sync::Arc::clone(&length);
    let server = Server::start(move |request, stream| {
        let texts = request.body["input"].as_array().map_or(0, Vec::len);
        let vector = vec![1.0; shared.load(Ordering::SeqCst)];
        let data: Vec<_> = (0..texts).map(|_| json!({ "embedding": vector })).collect();
        let _ = stream.write_all(ok(&json!({ "data": data })).as_bytes());
    });
    for task in ["sort the table", "sort the list"] {
        let mut command = scratch.command(&["experience", "evolve", task]);
        command
            .env("EMBED_BASE_URL", address(&server))
            .env("EMBED_MODEL", "m")
            .env("EVOLVING_MEMORY_ENABLE_SMART_PRUNE", "false");
        assert_eq!(feed(command, b"").code(), 0);
    }
    length.store(5, Ordering::SeqCst);
    let ran = with(
        &scratch,
        &server,
        &["experience", "search", "sort the table", "--json"],
    );
    assert!(ran.stderr().contains("re-embed"), "{}", ran.stderr());
    assert_eq!(ran.json()[0]["by-meaning"], false);
    let ran = with(&scratch, &server, &["experience", "re-embed", "--json"]);
    assert_eq!(
        ran.json(),
        json!({ "embedded": 2, "left": 0, "dimensions": 5 })
    );
    let ran = with(
        &scratch,
        &server,
        &["experience", "search", "sort the table", "--json"],
    );
    assert_eq!(ran.json()[0]["by-meaning"], true, "{}", ran.stderr());
}

#[test]
fn an_embedder_that_fails_takes_nothing_with_it() {
    let scratch = Scratch::new();
    let server = Server::saying(response("500 Oops", "", ""));
    let ran = with(
        &scratch,
        &server,
        &["experience", "evolve", "sort the table", "--json"],
    );
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert_eq!(ran.json()["entry"]["has-embedding"], false);
    assert!(ran.stderr().contains("500"), "{}", ran.stderr());
    let ran = with(
        &scratch,
        &server,
        &["experience", "search", "sort the table", "--json"],
    );
    assert_eq!(ran.json()[0]["by-meaning"], false);
}

#[test]
fn a_projects_file_can_not_name_an_embedder() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.memory()).expect("a directory");
    let server = letters();
    for (file, text) in [
        (
            "config.toml",
            format!(
                "[embedding]\nbase-url = '{}'\nmodel = 'm'\n",
                address(&server)
            ),
        ),
        (
            "config.yaml",
            format!(
                "embedding:\n  baseURL: '{}'\n  model: m\n",
                address(&server)
            ),
        ),
    ] {
        let path = scratch.memory().join(file);
        std::fs::write(&path, text).expect("a file");
        let ran = scratch.run(&["experience", "search", "x"]);
        assert_ne!(ran.code(), 0);
        assert!(
            ran.stderr().contains(file) && ran.stderr().contains("embedding"),
            "{}",
            ran.stderr()
        );
        std::fs::remove_file(&path).expect("removed");
    }
    assert_eq!(server.connections(), 0);
}
