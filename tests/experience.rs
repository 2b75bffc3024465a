//! Experience at the command line: the whole round, its settings from files and the environment, several processes at
//! once, and ReMem with a model.
#![cfg(unix)]

use std::{
    fs,
    io::Write,
    process::Stdio,
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};

use crate::{
    model::{
        home,
        server::{Server, completion},
    },
    support::{Ran, Scratch, feed},
};

fn add(scratch: &Scratch, task: &str, more: &[&str]) -> Value {
    let arguments = [&["experience", "evolve", task, "--json"], more].concat();
    let ran = scratch.run(&arguments);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    ran.json()
}

fn ask(scratch: &Scratch, arguments: &[&str]) -> Value {
    let ran = scratch.run(&[&["experience"], arguments, &["--json"]].concat());
    assert_eq!(ran.code(), 0, "{arguments:?}: {}", ran.stderr());
    ran.json()
}

fn with(scratch: &Scratch, variables: &[(&str, &str)], arguments: &[&str]) -> Ran {
    let mut command = scratch.command(arguments);
    command.envs(variables.iter().copied());
    feed(command, b"")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn experience_goes_the_whole_round_at_the_command_line() {
    let scratch = Scratch::new();
    let first = add(
        &scratch,
        "sort the invoices",
        &[
            "--output",
            "sort -k2",
            "--kind",
            "success",
            "--correct",
            "--progress-rate",
            "1",
            "--steps-used",
            "3",
            "--steps-optimal",
            "2",
            "--tag",
            "table",
            "--domain",
            "cli",
            "--metadata",
            "ticket=7",
        ],
    );
    let id = text(&first["entry"]["id"]);
    let fact = add(&scratch, "The capital of France is Paris", &[]);
    let fact = text(&fact["entry"]["id"]);
    let hits = ask(
        &scratch,
        &[
            "search",
            "sort invoices",
            "--memory-type",
            "episodic",
            "--tag",
            "table",
            "--domain",
            "cli",
        ],
    );
    assert_eq!(
        (hits.as_array().map(Vec::len), &hits[0]["entry"]["id"]),
        (Some(1), &json!(id))
    );
    assert_eq!(
        hits[0]["by-meaning"], false,
        "without an embedder, and it says so"
    );
    let shown = ask(&scratch, &["get", id]);
    assert_eq!(shown["access-count"], 1);
    assert_eq!(shown["structured-feedback"]["steps-optimal"], 2);
    assert_eq!(
        shown["metadata"],
        json!([{ "name": "ticket", "value": "7" }])
    );
    let facts = ask(&scratch, &["entries", "--memory-type", "factual"]);
    assert_eq!(facts[0]["id"], fact);
    let recent = ask(&scratch, &["recent-window"]);
    assert_eq!(recent.as_array().map(Vec::len), Some(2));
    let synthesize = ["synthesize", "sort the invoices", "--entry", id];
    let context = ask(&scratch, &synthesize);
    // What the card says is said once, by the summary.
    assert_eq!(text(&context["text"]).matches("sort -k2").count(), 1);
    assert_eq!(ask(&scratch, &["stats"])["total-entries"], 2);
    assert_eq!(ask(&scratch, &["similarity-of-tasks"])["pairs"], 1);
    let edit = json!([{ "action": "update-tag", "ids": [fact], "tag": "geo" }]).to_string();
    assert_eq!(
        ask(&scratch, &["apply-edits", "--edits", &edit])["tagged"],
        json!([fact])
    );
    let wrong =
        json!([{ "action": "prune", "ids": [fact] }, { "action": "prune", "ids": ["exp_none"] }])
            .to_string();
    let ran = scratch.run(&["experience", "apply-edits", "--edits", &wrong]);
    assert_eq!(ran.code(), 1, "{}", ran.stdout());
    assert!(
        ran.stdout().contains("exp_none") && ran.stdout().contains("refused"),
        "{}",
        ran.stdout()
    );
    assert_eq!(ask(&scratch, &["get", fact])["archived"], false);
    assert_eq!(ask(&scratch, &["prune"]), json!([]));
    for arguments in [
        &["search", "sort"][..],
        &["entries"],
        &["recent-window"],
        &["get", id],
        &["stats"],
        &["similarity-of-tasks"],
        &["settings"],
        &synthesize,
        &["prune"],
    ] {
        let ran = scratch.run(&[&["experience"], arguments].concat());
        assert_eq!(
            (ran.code(), ran.stdout().is_empty()),
            (0, false),
            "{arguments:?}"
        );
    }
    let ran = feed(
        scratch.command(&["experience", "evolve", "--from", "-", "--json"]),
        json!({ "input": "piped", "output": "", "feedback": "" })
            .to_string()
            .as_bytes(),
    );
    assert_eq!(ran.json()["entry"]["input"], "piped", "{}", ran.stderr());
    assert_eq!(scratch.run(&["experience", "get", "exp_none"]).code(), 1);
    scratch.assert_sound();
}

#[test]
fn entries_of_one_memory_are_not_seen_in_another() {
    let scratch = Scratch::new();
    for user in ["ana", "bo"] {
        let task = format!("sort the invoices of {user}");
        let ran = scratch.run(&["experience", "evolve", &task, "--memory", user]);
        assert_eq!(ran.code(), 0, "{}", ran.stderr());
    }
    for user in ["ana", "bo"] {
        let found = scratch.run(&[
            "experience",
            "search",
            "sort the invoices",
            "--memory",
            user,
            "--json",
        ]);
        let found = found.json();
        assert_eq!(found.as_array().map(Vec::len), Some(1));
        assert!(text(&found[0]["entry"]["input"]).ends_with(user));
    }
}

#[test]
fn looking_at_experience_leaves_no_trace() {
    let scratch = Scratch::new();
    let ran = with(
        &scratch,
        &[("EVOLVING_MEMORY_TOP_K", "7")],
        &["experience", "search", "x"],
    );
    assert_eq!(
        (ran.code(), ran.stdout().trim()),
        (0, "Nothing was found."),
        "{}",
        ran.stderr()
    );
    assert!(!scratch.memory().exists());
}

#[test]
fn a_run_with_a_task_becomes_experience_and_one_that_is_switched_off_does_not() {
    let scratch = Scratch::new();
    let off = [("EVOLVING_MEMORY_ENABLED", "false")];
    with(
        &scratch,
        &off,
        &["run", "--task", "print nothing", "--", "true"],
    );
    assert_eq!(ask(&scratch, &["entries"]), json!([]));
    // What the environment says holds for its process alone.
    assert_eq!(
        ask(&scratch, &["settings"])[0],
        json!({ "name": "enabled", "value": true, "source": "default" })
    );
    scratch.run(&["run", "--task", "print nothing", "--", "true"]);
    let listed = ask(&scratch, &["entries"]);
    assert_eq!(
        (&listed[0]["input"], &listed[0]["feedback"]),
        (&json!("print nothing"), &json!("success"))
    );
    assert_eq!(listed[0]["domain"], "cli");
}

#[test]
fn settings_come_from_both_files_and_the_environment_and_say_so() {
    let scratch = Scratch::new();
    add(&scratch, "one", &[]);
    fs::write(
        scratch.memory().join("config.yaml"),
        "# Evolving memory configuration\nevolvingMemory:\n  enabled: true\n  maxSize: 500\n  topK: 5\n  enableRAG: true\n\
         \x20 model: \"gpt-4o-mini\"\n",
    )
    .expect("a file");
    fs::write(
        scratch.memory().join("config.toml"),
        "[evolving-memory]\ntop-k = 6\nwindow-size = 9\n",
    )
    .expect("a file");
    let variables = [
        ("EVOLVING_MEMORY_WINDOW_SIZE", "11"),
        ("EVOLVING_MEMORY_PRUNE_THRESHOLD", "0.9"),
    ];
    let ran = with(&scratch, &variables, &["experience", "settings", "--json"]);
    let listed = ran.json();
    let of = |name: &str| {
        let mut all = listed.as_array().expect("a list").iter();
        let one = all.find(|one| one["name"] == name).expect(name);
        (one["value"].clone(), text(&one["source"]).to_owned())
    };
    assert_eq!(of("max-size").0, 500);
    assert!(of("max-size").1.ends_with("config.yaml"));
    assert_eq!(of("top-k").0, 6);
    assert!(of("top-k").1.ends_with("config.toml"));
    assert_eq!(
        of("window-size"),
        (json!(11), "EVOLVING_MEMORY_WINDOW_SIZE".to_owned())
    );
    assert_eq!(
        of("prune-threshold"),
        (json!(0.9), "EVOLVING_MEMORY_PRUNE_THRESHOLD".to_owned())
    );
    assert_eq!(of("min-relevance"), (json!(0.1), "default".to_owned()));
    assert_eq!(of("model").0, "gpt-4o-mini");
    assert_eq!(listed.as_array().map(Vec::len), Some(12));
    // What files say holds for every process, and what the environment says for its own.
    let holds = scratch.call("experience.settings", &json!({}));
    assert_eq!(
        (&holds["max-size"], &holds["top-k"]),
        (&json!(500), &json!(6))
    );
    assert_eq!(holds["prune-threshold"], 0.95);
}

#[test]
fn what_the_environment_says_holds_for_its_process_and_is_never_written() {
    let scratch = Scratch::new();
    let small = [("EVOLVING_MEMORY_MAX_SIZE", "1")];
    for task in ["sort the invoices", "paint the fence", "water the plants"] {
        add(&scratch, task, &[]);
    }
    let before = scratch.call("experience.settings", &json!({}));
    for arguments in [
        &["experience", "search", "paint"][..],
        &["experience", "entries"],
        &["experience", "stats"],
        &["status"],
        &["recall", "paint the fence"],
        &["export", "-"],
    ] {
        with(&scratch, &small, arguments);
    }
    let stats = with(&scratch, &small, &["experience", "stats", "--json"]).json();
    assert_eq!(
        (&stats["max-size"], &stats["total-entries"]),
        (&json!(1), &json!(3))
    );
    assert_eq!(scratch.call("experience.settings", &json!({})), before);
    // Who adds with a smaller size means it; what had to go can be brought back.
    let ran = with(
        &scratch,
        &small,
        &["experience", "evolve", "wash the car", "--json"],
    );
    assert_eq!(
        ran.json()["pruned"].as_array().map(Vec::len),
        Some(3),
        "{}",
        ran.stderr()
    );
    assert_eq!(scratch.call("experience.settings", &json!({})), before);
    let archived = ask(&scratch, &["archived"]);
    assert_eq!(archived.as_array().map(Vec::len), Some(3));
    for entry in archived.as_array().expect("a list") {
        let id = text(&entry["id"]);
        assert_eq!(ask(&scratch, &["restore", id])["entry"]["archived"], false);
    }
    assert_eq!(ask(&scratch, &["archived"]), json!([]));
    assert_eq!(ask(&scratch, &["stats"])["total-entries"], 4);
    let hits = ask(&scratch, &["search", "paint the fence"]);
    assert_eq!(hits[0]["entry"]["input"], "paint the fence");
    let ran = scratch.run(&["experience", "restore", "exp_none"]);
    assert_ne!(ran.code(), 0);
    assert!(
        ran.stderr().contains("experience archived"),
        "{}",
        ran.stderr()
    );
    scratch.assert_sound();
}

#[test]
fn a_wrong_setting_is_refused_by_variable_or_key_and_file_and_changes_nothing() {
    let scratch = Scratch::new();
    add(&scratch, "one", &[]);
    let before = scratch.call("experience.settings", &json!({}));
    for (name, value) in [
        ("EVOLVING_MEMORY_MAX_SIZE", "0"),
        ("EVOLVING_MEMORY_RELEVANCE_DECAY", "1.01"),
        ("EVOLVING_MEMORY_SIZE", "10"),
        ("EMBED_TIMEOUT", "soon"),
    ] {
        let mut command = scratch.command(&["experience", "search", "x"]);
        command.env(name, value);
        if name.starts_with("EMBED") {
            command
                .env("EMBED_BASE_URL", "http://localhost:1")
                .env("EMBED_MODEL", "m");
        }
        let ran = feed(command, b"");
        assert_ne!(ran.code(), 0, "{name}");
        assert!(ran.stderr().contains(name), "{}", ran.stderr());
    }
    for (file, text, named) in [
        ("config.yaml", "evolvingMemory:\n  maxSize: 0\n", "max-size"),
        ("config.yaml", "evolvingMemory:\n  maxsize: 1\n", "maxsize"),
        (
            "config.toml",
            "[evolving-memory]\nmin-relevance = 2.0\n",
            "min-relevance",
        ),
    ] {
        let path = scratch.memory().join(file);
        fs::write(&path, text).expect("a file");
        let ran = scratch.run(&["experience", "search", "x"]);
        assert_ne!(ran.code(), 0, "{text}");
        assert!(
            ran.stderr().contains(named) && ran.stderr().contains(file),
            "{}",
            ran.stderr()
        );
        fs::remove_file(&path).expect("removed");
    }
    assert_eq!(scratch.call("experience.settings", &json!({})), before);
    // A command runs whatever is wrong with its memory.
    let ran = with(
        &scratch,
        &[("EVOLVING_MEMORY_MAX_SIZE", "0")],
        &["run", "--", "echo", "hello"],
    );
    assert_eq!((ran.code(), ran.stdout().trim()), (0, "hello"));
    assert!(
        ran.stderr().contains("EVOLVING_MEMORY_MAX_SIZE"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn the_log_level_shows_the_messages_of_this_memory() {
    let scratch = Scratch::new();
    add(&scratch, "sort the invoices", &[]);
    assert!(
        !scratch
            .run(&["experience", "search", "sort"])
            .stderr()
            .contains("evolving_memory")
    );
    fs::write(
        scratch.memory().join("config.yaml"),
        "logLevel: \"debug\"\n",
    )
    .expect("a file");
    let ran = scratch.run(&["experience", "search", "sort"]);
    assert!(
        ran.stderr().contains("evolving_memory_search candidates=1"),
        "{}",
        ran.stderr()
    );
    fs::remove_file(scratch.memory().join("config.yaml")).expect("removed");
    let ran = with(
        &scratch,
        &[("TWICESHY_LOG", "debug")],
        &["experience", "evolve", "other"],
    );
    assert!(
        ran.stderr().contains("evolving_memory_entry_added")
            && ran.stderr().contains("memory_type=episodic"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn processes_that_add_and_search_at_once_lose_nothing() {
    let scratch = Scratch::new();
    let tasks = [
        "sort invoices",
        "deploy gateway",
        "parse yaml",
        "paint kitchen",
    ];
    add(&scratch, "find memory leak", &[]);
    let mut children = Vec::new();
    for task in tasks {
        for arguments in [
            ["experience", "evolve", task],
            ["experience", "search", "find memory leak"],
        ] {
            let mut command = scratch.command(&arguments);
            command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::inherit());
            children.push(command.spawn().expect("the program starts"));
        }
    }
    for mut child in children {
        assert!(child.wait().expect("the program ends").success());
    }
    let stats = ask(&scratch, &["stats"]);
    assert_eq!(
        (&stats["total-entries"], &stats["total-accesses"]),
        (&json!(5), &json!(4))
    );
    scratch.assert_sound();
}

#[test]
fn remem_thinks_refines_and_answers_with_the_named_model() {
    let scratch = Scratch::new();
    let id = add(
        &scratch,
        "plan the migration of the table",
        &["--summary", "wrong"],
    );
    let id = text(&id["entry"]["id"]).to_owned();
    let answers = [
        json!({ "action": "THINK", "content": "first the schema" }),
        json!({ "action": "REFINE_MEMORY", "content": "wrong", "memory_edits": [{ "op": "PRUNE", "ids": [id] }] }),
        json!({ "action": "ACT", "content": "schema, data, switch" }),
        json!({ "card": "When confronted with a migration, do the schema first. Avoid downtime." }),
    ];
    let asked = AtomicUsize::new(0);
    let server = Server::start(move |_, stream| {
        let at = asked.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
        let _ = stream.write_all(completion(&answers[at].to_string()).as_bytes());
    });
    let config = format!(
        "[model]\nendpoint = \"{}\"\nname = \"small\"\n",
        server.address()
    );
    let run = |variables: &[(&str, &str)]| {
        let mut command = scratch.command(&[
            "experience",
            "remem",
            "plan the migration",
            "--tool",
            "psql: runs SQL",
            "--json",
        ]);
        command
            .env("TWICESHY_HOME", home(&scratch, &config))
            .envs(variables.iter().copied());
        feed(command, b"")
    };
    let ran = run(&[]);
    assert_eq!(ran.code(), 1);
    assert!(ran.stderr().contains("remem-enabled"), "{}", ran.stderr());
    assert_eq!(server.connections(), 0, "switched off");
    let ran = run(&[
        ("EVOLVING_MEMORY_REMEM_ENABLED", "true"),
        ("EVOLVING_MEMORY_MODEL", "large"),
    ]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let result = ran.json();
    assert_eq!(
        (&result["output"], &result["complete"]),
        (&json!("schema, data, switch"), &json!(true))
    );
    assert_eq!(result["trace"].as_array().map(Vec::len), Some(3));
    assert_eq!(server.connections(), 4, "three steps, and one for the card");
    assert_eq!(server.requests()[0].body["model"], "large");
    assert_eq!(ask(&scratch, &["get", &id])["archived"], true);
    let kept = ask(&scratch, &["get", text(&result["stored"])]);
    assert!(text(&kept["strategy-card"]).starts_with("When confronted with a migration"));
    // Without a model there is nobody to think.
    let on = [("EVOLVING_MEMORY_REMEM_ENABLED", "true")];
    let ran = with(&scratch, &on, &["experience", "remem", "plan"]);
    assert_eq!(ran.code(), 1);
    assert!(ran.stderr().contains("model"), "{}", ran.stderr());
}
