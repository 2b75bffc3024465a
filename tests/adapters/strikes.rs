//! Strikes and quarantine: an adapter that keeps failing is not called any more, and the run goes on without it.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::Stdio,
};

use serde_json::{Value, json};

use super::fixture::{Made, User, made};

/// An adapter that crashes at every step.
fn broken() -> Made {
    let mut lamp = made("lamp");
    lamp.assessing = "unreachable".into();
    lamp
}

#[test]
fn three_failures_in_a_row_are_a_quarantine_until_it_is_released() {
    let user = User::new();
    user.install(&broken());
    for count in 1..=3 {
        let ran = user.assess("lamp", "lamp");
        assert!(ran.stderr().contains("it crashed"), "{}", ran.stderr());
        let inspected = user.json(&["adapter", "inspect", "lamp"]);
        assert_eq!(inspected["strikes"]["count"], count);
    }
    let ran = user.assess("lamp", "lamp");
    for part in [
        "refused",
        "failed 3 times in a row",
        "it crashed",
        "twiceshy adapter release lamp",
    ] {
        assert!(ran.stderr().contains(part), "{}", ran.stderr());
    }
    assert_eq!(user.listed("lamp")[0]["state"], "quarantined");
    let doctor = user.run(&["doctor"]);
    assert_eq!(doctor.code(), 1);
    assert!(
        doctor.stdout().contains("twiceshy adapter release lamp"),
        "{}",
        doctor.stdout()
    );

    let released = user.json(&["adapter", "release", "lamp"]);
    assert_eq!(released["strikes"]["count"], 3);
    assert_eq!(user.listed("lamp")[0]["state"], "ready");
    assert!(
        user.assess("lamp", "lamp").stderr().contains("it crashed"),
        "it is called again"
    );
    let text = user.run(&["adapter", "release", "cli"]).stdout();
    assert!(text.contains("was not held back"), "{text}");
}

#[test]
fn a_success_ends_the_row_and_a_refused_step_is_no_failure() {
    let user = User::new();
    let mut lamp = made("lamp");
    // It crashes for a domain of eight letters; the length of the domain is its fourth argument.
    lamp.assessing = "(if (i32.eq (local.get 3) (i32.const 8)) (then unreachable))".into();
    user.install(&lamp);
    for _ in 0..2 {
        assert_eq!(user.assess("lamp", "darkness").code(), 1);
    }
    assert_eq!(user.assess("lamp", "lamp").code(), 0);
    assert_eq!(
        user.json(&["adapter", "inspect", "lamp"])["strikes"],
        Value::Null
    );
    for _ in 0..2 {
        assert_eq!(user.assess("lamp", "darkness").code(), 1);
    }
    assert_eq!(user.listed("lamp")[0]["state"], "ready");
    // The bundled adapter refuses what it can't read, as often as it is asked.
    for _ in 0..4 {
        let ran = user.assess("cli", "cli");
        assert!(ran.stderr().contains("refused"), "{}", ran.stderr());
        assert!(!ran.stderr().contains("in a row"), "{}", ran.stderr());
    }
}

#[test]
fn a_new_version_starts_clean() {
    let user = User::new();
    user.install(&broken());
    for _ in 0..3 {
        user.assess("lamp", "lamp");
    }
    assert_eq!(user.listed("lamp")[0]["state"], "quarantined");
    let mut mended = made("lamp");
    mended.version = "0.1.1";
    user.install(&mended);
    assert_eq!(user.listed("lamp")[0]["state"], "ready");
    assert_eq!(user.assess("lamp", "lamp").code(), 0);
}

#[test]
fn a_process_that_lives_long_counts_and_is_released_like_any_other() {
    let user = User::new();
    user.install(&broken());
    let request = |adapter: &str| {
        let (goal, step) = super::fixture::step(adapter);
        json!({ "method": "adapters.assess", "args": { "adapter": adapter, "goal": goal, "step": step } })
    };
    let lines: String = (0..5).map(|_| format!("{}\n", request("lamp"))).collect();
    let mut command = user.project.command(&["call", "--lines"]);
    command.env("TWICESHY_HOME", user.home.path());
    let ran = crate::support::feed(command, lines.as_bytes());
    let kinds: Vec<_> = ran
        .stdout()
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).expect("an answer")["error"]["kind"].clone()
        })
        .collect();
    assert_eq!(kinds, ["trap", "trap", "trap", "refused", "refused"]);
}

#[test]
fn a_run_goes_on_without_an_adapter_that_fails() {
    let user = User::new();
    user.install(&broken());
    let call = |function: &str, arguments: &Value| {
        user.run(&["call", "--json", function, &arguments.to_string()])
    };
    let run = call(
        "runs.start",
        &json!({ "run": { "task": "on", "domain": "lamp" } }),
    )
    .json();
    let step = json!({ "action": "{}", "observation": "{}" });
    let mut request = json!({ "run": run["id"], "adapter": "lamp", "step": step });
    let alone = call("adapters.observe", &request);
    assert_eq!(alone.code(), 1);
    assert!(
        alone.stderr().contains("adapter `lamp`: trap"),
        "{}",
        alone.stderr()
    );
    // Whoever can judge a little says so, for the case.
    request["feedback"] = json!({ "action-text": "switch on", "hard-failure": { "reason": "dark", "evidence": "no light" } });
    let observed = call("adapters.observe", &request);
    assert_eq!(observed.code(), 0, "{}", observed.stderr());
    let observed = observed.json();
    assert_eq!(observed["adapter-error"]["kind"], "trap");
    assert_eq!(observed["feedback"]["action-text"], "switch on");
    assert!(
        observed["reaction"]["failure"].is_object(),
        "it is remembered"
    );
}

#[test]
fn a_command_is_remembered_by_its_exit_when_the_adapter_is_in_quarantine() {
    let user = User::new();
    let sha256 = twiceshy_guests::CLI.sha256;
    let strikes = user.home.path().join("strikes");
    fs::create_dir(&strikes).expect("a directory");
    let record = json!({ "count": 3, "last": "trap: it crashed", "at": 0 });
    fs::write(
        strikes.join(format!("cli-{}.json", &sha256[..32])),
        record.to_string(),
    )
    .expect("a record");
    let ran = user.run(&[
        "run",
        "--",
        "sh",
        "-c",
        "echo 'sh: no such lamp' >&2; exit 4",
    ]);
    assert_eq!(ran.code(), 4);
    let said = ran.stderr();
    assert_eq!(said.lines().count(), 2, "{said}");
    for part in [
        "sh: no such lamp\n",
        "judged by its exit alone",
        "twiceshy adapter release cli",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let events = user.json(&["events"]);
    assert_eq!(events[0]["reason"], "exit 4", "{events}");
    let expecting = user.run(&["run", "--expect", "exit=4", "--", "sh", "-c", "exit 4"]);
    assert_eq!(
        expecting.code(),
        4,
        "the command runs whatever is wrong with its judge"
    );
    user.json(&["adapter", "release", "cli"]);
    let ran = user.run(&["run", "--", "true"]);
    assert_eq!((ran.code(), ran.stderr().as_str()), (0, ""));
}

#[test]
fn a_success_in_one_process_ends_the_row_that_others_have_counted() {
    let user = User::new();
    let mut lamp = made("lamp");
    lamp.assessing = "(if (i32.eq (local.get 3) (i32.const 8)) (then unreachable))".into();
    user.install(&lamp);
    let mut command = user.project.command(&["call", "--lines"]);
    let mut living = command
        .env("TWICESHY_HOME", user.home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut requests = living.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(living.stdout.take().expect("a pipe"));
    let mut succeed = || {
        let (goal, step) = super::fixture::step("lamp");
        let arguments = json!({ "adapter": "lamp", "goal": goal, "step": step });
        writeln!(
            requests,
            "{}",
            json!({ "method": "adapters.assess", "args": arguments })
        )
        .expect("a request");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("an answer");
        assert!(!answer.contains("\"error\""), "{answer}");
    };
    succeed();
    for _ in 0..2 {
        assert_eq!(user.assess("lamp", "darkness").code(), 1);
    }
    succeed();
    assert_eq!(
        user.json(&["adapter", "inspect", "lamp"])["strikes"],
        Value::Null
    );
    assert_eq!(user.assess("lamp", "darkness").code(), 1);
    assert_eq!(user.listed("lamp")[0]["state"], "ready");
    drop(requests);
    assert!(living.wait().expect("the program ends").success());
}

#[test]
fn whoever_installs_an_adapter_again_releases_it() {
    let user = User::new();
    user.install(&broken());
    for _ in 0..3 {
        user.assess("lamp", "lamp");
    }
    assert_eq!(user.listed("lamp")[0]["state"], "quarantined");
    user.install(&broken());
    let inspected = user.json(&["adapter", "inspect", "lamp"]);
    assert_eq!(
        (&inspected["state"], &inspected["strikes"]),
        (&json!("ready"), &Value::Null)
    );
    assert!(user.assess("lamp", "lamp").stderr().contains("it crashed"));
}
