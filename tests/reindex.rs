//! `twiceshy reindex`: after the embedder changed, everything gets its vectors, whatever unrelated texts score with it.
#![cfg(unix)]

use std::{
    io::Write,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::{Value, json};

use crate::{
    model::server::{Server, response},
    support::{Ran, Scratch, feed},
    waiting::while_it_lives,
};

/// Vectors that count letters, raised so that texts without a common letter have this cosine, with some components more.
/// It answers when it may.
fn letters(unrelated: f64, more: usize, wait: impl Fn() + Send + Sync + 'static) -> Server {
    Server::start(move |request, stream| {
        wait();
        let texts = request.body["input"].as_array().cloned();
        let vector = |text: &Value| {
            let text = text.as_str().unwrap_or_default().to_lowercase();
            let counts = ('a'..='z').map(|letter| text.matches(letter).count() as f64);
            let counts: Vec<_> = counts.collect();
            let length = counts.iter().map(|count| count * count).sum::<f64>().sqrt();
            let share = (1.0 - unrelated).sqrt() / length.max(1.0);
            let mut vector: Vec<_> = counts.iter().map(|count| count * share).collect();
            vector.push(unrelated.sqrt());
            vector.resize(vector.len() + more, 0.0);
            json!({ "embedding": vector })
        };
        let data: Vec<_> = texts.unwrap_or_default().iter().map(vector).collect();
        let body = json!({ "data": data }).to_string();
        let _ = stream.write_all(response("200 OK", "", &body).as_bytes());
    })
}

fn without_waiting(unrelated: f64, more: usize) -> Server {
    letters(unrelated, more, || {})
}

/// The program with an embedder of a name.
fn command(scratch: &Scratch, server: &Server, model: &str, arguments: &[&str]) -> Command {
    let mut command = scratch.command(arguments);
    command
        .env("EMBED_BASE_URL", server.address().trim_end_matches("/v1"))
        .env("EMBED_MODEL", model)
        .env("EMBED_TIMEOUT", "30");
    command
}

fn with(scratch: &Scratch, server: &Server, model: &str, arguments: &[&str]) -> Ran {
    let ran = feed(command(scratch, server, model, arguments), b"");
    assert_eq!(ran.code(), 0, "{arguments:?}: {}", ran.stderr());
    ran
}

/// Adds an episode.
fn episode(id: &str, task: &str) -> String {
    let episode = json!({
        "id": id, "task": task, "domain": "cli", "outcome": "success", "tools-used": [],
        "strategies-applied": [], "tags": [], "trace": []
    });
    json!({ "episode": episode }).to_string()
}

/// What is found by meaning of `dormitory`, whose letters are those of `dirty room`: episodes, lessons, experience.
fn found(scratch: &Scratch, server: &Server, model: &str) -> [Vec<String>; 3] {
    let call = |function: &str, arguments: &Value| {
        let arguments = arguments.to_string();
        with(scratch, server, model, &["call", function, &arguments]).json()
    };
    let ids = |hits: &Value, path: &[&str]| -> Vec<String> {
        let at = |hit: &Value| {
            path.iter()
                .fold(hit.clone(), |value, name| value[*name].clone())
        };
        let hits = hits.as_array().expect("hits").iter();
        let by_meaning = hits.filter(|hit| hit["by-meaning"] != json!(false));
        by_meaning
            .map(|hit| at(hit).as_str().expect("a text").to_owned())
            .take(1)
            .collect()
    };
    let episodes = call(
        "episodes.search",
        &json!({ "query": { "text": "dormitory" } }),
    );
    let task = json!({ "task": "dormitory", "domain": "cli", "recent-fingerprints": [] });
    let lessons = call("recall.for-task", &json!({ "task": task }));
    let experience = call(
        "experience.search",
        &json!({ "query": { "text": "dormitory" } }),
    );
    [
        ids(&episodes, &["episode", "id"]),
        ids(&lessons, &["lesson", "rule-text"]),
        ids(&experience, &["entry", "input"]),
    ]
}

const ALL: [&str; 3] = ["room", "dirty room", "dirty room"];

/// A memory that no service has embedded: the static model knows only its episodes.
fn memory() -> Scratch {
    let scratch = Scratch::new();
    let added = [
        ("room", "dirty room"),
        ("quiz", "quiz a wizard"),
        ("gum", "chew gum"),
    ];
    for (id, task) in added {
        let ran = scratch.run(&["call", "episodes.add", &episode(id, task)]);
        assert_eq!(ran.code(), 0, "{}", ran.stderr());
    }
    for task in ["dirty room", "quiz a wizard"] {
        let ran = scratch.run(&["experience", "evolve", task, "--output", "x"]);
        assert_eq!(ran.code(), 0, "{}", ran.stderr());
        let ran = scratch.run(&["lessons", "add", "--rule", task, "--scope", "global"]);
        assert_eq!(ran.code(), 0, "{}", ran.stderr());
    }
    scratch
}

fn embedded(scratch: &Scratch, server: &Server, model: &str) -> Vec<(String, u64)> {
    let done = with(scratch, server, model, &["reindex", "--json"]).json();
    assert_eq!(done["over"], true, "{done}");
    let memories = done["memories"].as_array().expect("memories").iter();
    memories
        .map(|one| {
            let name = one["memories"].as_str().expect("a name").to_owned();
            (name, one["embedded"].as_u64().expect("a number"))
        })
        .collect()
}

#[test]
fn a_late_embedder_finds_everything_after_a_reindex_whatever_its_cosines_are() {
    for unrelated in [0.0, 0.3, 0.75] {
        let scratch = memory();
        let server = without_waiting(unrelated, 0);
        assert_eq!(
            found(&scratch, &server, "first"),
            [vec![], vec![], vec![]] as [Vec<String>; 3]
        );
        let first = embedded(&scratch, &server, "first");
        assert!(
            first.iter().all(|(_, count)| *count > 0) && first.len() == 3,
            "{first:?}"
        );
        assert_eq!(
            found(&scratch, &server, "first"),
            ALL.map(|one| vec![one.to_owned()]),
            "{unrelated}"
        );
        let again = embedded(&scratch, &server, "first");
        assert!(again.iter().all(|(_, count)| *count == 0), "{again:?}");
        scratch.assert_sound();
    }
}

#[test]
fn vectors_of_two_embedders_are_never_compared_and_a_reindex_replaces_them() {
    // The second has the same length, the third another one.
    let scratch = memory();
    let server = without_waiting(0.3, 0);
    embedded(&scratch, &server, "first");
    let other = without_waiting(0.0, 0);
    assert_eq!(
        found(&scratch, &other, "second"),
        [vec![], vec![], vec![]] as [Vec<String>; 3]
    );
    // What comes now is found by the new embedder, beside what the old one has made.
    with(
        &scratch,
        &other,
        "second",
        &["call", "episodes.add", &episode("new", "tidy romor, i")],
    );
    assert_eq!(found(&scratch, &other, "second")[0], ["new"]);
    assert_eq!(
        found(&scratch, &server, "first")[0],
        ["room"],
        "in its own space"
    );
    embedded(&scratch, &other, "second");
    assert_eq!(
        found(&scratch, &other, "second")[1..],
        ALL.map(|one| vec![one.to_owned()])[1..]
    );
    let longer = without_waiting(0.75, 5);
    embedded(&scratch, &longer, "third");
    assert_eq!(
        found(&scratch, &longer, "third")[1..],
        ALL.map(|one| vec![one.to_owned()])[1..]
    );
    // Words find everything at any time.
    let query = json!({ "query": { "text": "quiz a wizard" } }).to_string();
    let hits = with(
        &scratch,
        &server,
        "first",
        &["call", "episodes.search", &query],
    )
    .json();
    // The experience of the same task is an episode, too.
    assert_eq!(hits[0]["episode"]["task"], "quiz a wizard");
    scratch.assert_sound();
}

#[test]
fn an_interrupted_reindex_says_so_and_goes_on_with_the_next_call() {
    let scratch = memory();
    let asked_to_end = Arc::new(AtomicBool::new(false));
    let may_answer = asked_to_end.clone();
    let slow = letters(0.3, 0, move || {
        while !may_answer.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(5));
        }
    });
    let mut command = command(&scratch, &slow, "first", &["reindex", "--json"]);
    let mut child = command
        .env("EMBED_TIMEOUT", "600")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a child");
    while_it_lives(&mut child, "it asks", || slow.connections() > 0);
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a pid"));
    kill(pid, Signal::SIGINT).expect("a signal");
    asked_to_end.store(true, Ordering::SeqCst);
    let output = child.wait_with_output().expect("an end");
    assert_eq!(
        output.status.code(),
        Some(130),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let done: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(done["over"], false, "{done}");
    scratch.assert_sound();
    let server = without_waiting(0.3, 0);
    embedded(&scratch, &server, "first");
    assert_eq!(
        found(&scratch, &server, "first"),
        ALL.map(|one| vec![one.to_owned()])
    );
}

#[test]
fn consolidation_embeds_what_the_embedder_has_not_seen() {
    let scratch = memory();
    let server = without_waiting(0.3, 0);
    with(
        &scratch,
        &server,
        "first",
        &["consolidate", "--stage", "indices", "--json"],
    );
    assert_eq!(
        found(&scratch, &server, "first"),
        ALL.map(|one| vec![one.to_owned()])
    );
}

#[test]
fn without_an_embedder_a_reindex_says_what_to_do() {
    let scratch = memory();
    let mut command = scratch.command(&["reindex"]);
    command.env(
        "TWICESHY_HOME",
        crate::model::home(&scratch, "static-model = false\n"),
    );
    let ran = feed(command, b"");
    assert_ne!(ran.code(), 0);
    assert!(ran.stderr().contains("[embedding]"), "{}", ran.stderr());
    // The static model embeds episodes alone.
    let done = scratch.run(&["reindex", "--json"]).json();
    assert_eq!(done["memories"].as_array().map(Vec::len), Some(1), "{done}");
}
