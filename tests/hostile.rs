//! Hostile guests: components that loop, grow, lie, crash, reach out or are none at all. Every one is contained, the
//! error names it and says what happened, and the host goes on.

mod guests;
pub mod handmade;
mod module;
mod mutants;

use std::{
    fmt::Write,
    fs,
    path::Path,
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use twiceshy::{
    Adapter, PluginError, PluginErrorKind,
    wit::adapter::{Goal, Step},
};

use crate::support::{Scratch, compiled, repository};
use guests::Guest;

/// What became of a guest.
struct Row<'g> {
    guest: &'g Guest,
    error: PluginError,
    took: Duration,
}

#[test]
fn every_hostile_guest_is_contained_and_the_host_goes_on() {
    let good = Adapter::cli(&compiled()).expect("the adapter for commands");
    let guests = guests::hostile();
    let rows = ordeal(&guests, &good);
    println!("{}", table(&rows));
    let wrong: Vec<_> = rows.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_page_of_the_sandbox_names_every_hostile_guest_and_how_it_ends() {
    let page = fs::read_to_string(repository().join("docs/SANDBOX.md")).expect("the page");
    let rows = page.split_once("## Hostile guests").expect("a table").1;
    let told: Vec<_> = rows
        .lines()
        .filter(|row| row.starts_with("| `"))
        .map(|row| {
            let cell = |at: usize| row.split('|').nth(at).unwrap_or_default();
            let bare = |cell: &str| cell.trim().trim_matches('`').to_owned();
            (bare(cell(1)), bare(cell(3)))
        })
        .collect();
    let thrown: Vec<_> = guests::hostile()
        .into_iter()
        .map(|guest| (guest.name, guest.kind.to_owned()))
        .collect();
    assert_eq!(told, thrown);
}

/// Runs every guest, on as many threads as there are processors; after each of them a good adapter must work.
fn ordeal<'g>(guests: &'g [Guest], good: &Adapter) -> Vec<Row<'g>> {
    let next = Mutex::new(guests.iter().enumerate());
    let rows = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some((index, guest)) = { next.lock().expect("a guest").next() } {
                    let row = contained(guest);
                    assert!(works(good), "after {}", guest.name);
                    rows.lock().expect("the rows").push((index, row));
                }
            });
        }
    });
    let mut rows = rows.into_inner().expect("the rows");
    rows.sort_by_key(|(index, _)| *index);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Loads a guest and lets it judge a step, if it comes to that. What fails once is made anew and fails the same way.
/// The time is that of one failure, without compiling.
fn contained(guest: &Guest) -> Row<'_> {
    let row = |error, started: Instant| Row {
        guest,
        error,
        took: started.elapsed(),
    };
    let started = Instant::now();
    let loaded = unless_starved(|| Adapter::from_bytes(&guest.name, &guest.bytes));
    let adapter = match loaded {
        Err(error) => return row(error, started),
        Ok(adapter) => adapter,
    };
    let (goal, step) = step();
    let assessed = || unless_starved(|| adapter.assess(&goal, &[], &step));
    let started = Instant::now();
    match assessed() {
        Ok(feedback) => panic!("{} was not stopped: {feedback:?}", guest.name),
        Err(error) => {
            let row = row(error, started);
            let again = assessed().expect_err("the same again");
            assert_eq!(again.kind, row.error.kind, "{again}");
            row
        }
    }
}

/// Does something, and once more if the machine had no time for the guest: that says nothing about it.
fn unless_starved<T>(what: impl Fn() -> Result<T, PluginError>) -> Result<T, PluginError> {
    loop {
        match what() {
            Err(error) if error.message.starts_with("the machine is too busy") => {}
            done => return done,
        }
    }
}

fn wrong(Row { guest, error, .. }: &Row) -> Option<String> {
    let Guest {
        name, kind, says, ..
    } = guest;
    let told = error.to_string();
    let right = told.starts_with(&format!("adapter `{name}`: {kind}: "))
        && told.contains(says)
        && error.message.len() < 5_000
        && !error.message.contains(char::is_control);
    (!right).then(|| format!("{name}: expected {kind} with `{says}`: {told}"))
}

fn table(rows: &[Row]) -> String {
    let mut table = String::new();
    for Row { guest, error, took } in rows {
        let (name, kind, took) = (&guest.name, error.kind.as_str(), took.as_millis());
        let message: String = error.message.chars().take(120).collect();
        writeln!(table, "{name:<34} {kind:<12} {took:>5} ms  {message}").expect("a text");
    }
    table
}

fn step() -> (Goal, Step) {
    let goal = Goal {
        task: "anything".into(),
        domain: "cli".into(),
        expectations: String::new(),
    };
    let step = Step {
        before: String::new(),
        action: r#"{"command": ["true"]}"#.into(),
        observation: r#"{"exit": 0, "stdout": "", "stderr": "", "duration-ms": 1}"#.into(),
    };
    (goal, step)
}

fn works(adapter: &Adapter) -> bool {
    let (goal, step) = step();
    unless_starved(|| adapter.assess(&goal, &[], &step)).is_ok()
}

#[test]
fn a_hand_made_adapter_that_means_well_works() {
    let adapter = Adapter::from_bytes("good", &handmade::other("good")).unwrap();
    assert_eq!(
        adapter.manifest().summary,
        "Finds nothing wrong with any step."
    );
    let (goal, step) = step();
    for _ in 0..100 {
        let feedback = adapter.assess(&goal, &[], &step).unwrap();
        assert_eq!(feedback.action_text, "do it");
        assert_eq!(feedback.progress_signal, Some(0.5));
    }
}

#[test]
fn a_guest_that_crashes_now_and_then_is_made_anew_each_time() {
    let adapter = Adapter::from_bytes("fickle", &handmade::other("fickle")).unwrap();
    let (goal, step) = step();
    for round in 0..10 {
        for call in 0..2 {
            let answer = adapter.assess(&goal, &[], &step);
            assert!(answer.is_ok(), "round {round}, call {call}: {answer:?}");
        }
        let error = adapter.assess(&goal, &[], &step).unwrap_err();
        assert_eq!(error.kind, PluginErrorKind::Trap, "{error}");
    }
}

#[test]
fn a_guest_that_looks_around_sees_nothing_and_always_the_same() {
    let bytes = guests::in_rust("looks-around");
    let (goal, step) = step();
    let seen = || {
        let adapter = Adapter::from_bytes("looks-around", &bytes).unwrap();
        adapter.assess(&goal, &[], &step).unwrap().action_text
    };
    let first = seen();
    assert!(first.starts_with("[] [] ["), "{first}");
    assert_eq!(first, seen());
}

#[test]
fn a_guest_that_writes_a_file_leaves_none() {
    let place = Path::new("/tmp/twiceshy-was-here");
    assert!(!place.exists(), "left by somebody else");
    let adapter = Adapter::from_bytes("writes-a-file", &guests::in_rust("writes-a-file")).unwrap();
    assert!(!works(&adapter));
    assert!(!place.exists());
}

#[test]
fn what_a_guest_says_does_not_steer_the_terminal() {
    let scratch = Scratch::new();
    let file = scratch.path().join("escaping.wasm");
    fs::write(&file, handmade::other("escaping")).unwrap();
    let ran = scratch.run_with(
        &["adapter", "run", "./escaping.wasm", "--steps", "-"],
        br#"{"step": {"action": {}, "observation": {}}}"#,
    );
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let shown = ran.stdout();
    assert!(shown.contains("[31mred[0m  and more"), "{shown}");
    assert!(
        !shown.replace('\n', "").contains(char::is_control),
        "{shown:?}"
    );
}
