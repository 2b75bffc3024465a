//! Many writers at once, and writers that are killed.
//!
//! Several processes on one memory are the normal case, and a process may end at any instant. These
//! tests write from many processes, kill some in the middle, and then count: what was acknowledged is
//! there, every number was given once, and the store is sound.

use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{
    support::{Scratch, feed},
    waiting::while_it_lives,
};

/// Different failures: writers meet on the same one and pass each other on others.
const KINDS: [&str; 4] = ["gearbox", "pulley", "sprocket", "flywheel"];

/// A failed step with this error text.
fn failed_step(evidence: &str) -> Value {
    json!({
        "step": { "before": "", "action": { "command": ["turn"] }, "observation": { "exit": 1 } },
        "feedback": {
            "action-text": "turn",
            "hard-failure": { "reason": "exit 1", "evidence": evidence },
        },
    })
}

/// The request to take in a whole run of one failed step.
fn submission(id: &str, number: usize) -> String {
    let evidence = format!(
        "the {} broke after {number} turns",
        KINDS[number % KINDS.len()]
    );
    let run = json!({ "id": id, "task": "turn it", "domain": "cli" });
    let args = json!({ "run": run, "steps": [failed_step(&evidence)], "ending": {} });
    json!({ "method": "runs.submit", "args": args, "id": id }).to_string()
}

/// Feeds requests to one process and gives its answers; all must be good.
fn answers(project: &Scratch, requests: &str) -> Vec<Value> {
    let ran = feed(project.command(&["call", "--lines"]), requests.as_bytes());
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let parse = |line: &str| {
        let mut answer: Value = serde_json::from_str(line).expect("an answer is JSON");
        assert!(answer.get("error").is_none(), "{answer}");
        answer["ok"].take()
    };
    ran.stdout().lines().map(parse).collect()
}

/// Fails the test unless each fingerprint's events are numbered from 1 without a gap, and gives how many
/// events there are of all fingerprints together.
fn assert_counted_exactly(project: &Scratch) -> usize {
    written_runs(project).len()
}

/// The same, and gives the runs of the events, each of which has one.
fn written_runs(project: &Scratch) -> BTreeSet<String> {
    let status = project.status();
    let mut runs = BTreeSet::new();
    let mut events = 0;
    let mut fingerprints = BTreeSet::new();
    for kind in KINDS {
        let text = format!("the {kind} broke after 1 turns");
        let fingerprint =
            project.call("events.fingerprint-of", &json!({ "text": text }))["id"].take();
        let filter = json!({ "fingerprint": fingerprint, "limit": 1000 });
        let found = project.call("events.find", &filter);
        let found = found.as_array().expect("a list");
        for number in ["occurrence", "runs"] {
            let numbers: BTreeSet<_> = found.iter().map(|event| event[number].as_u64()).collect();
            let expected: BTreeSet<_> = (1..=found.len() as u64).map(Some).collect();
            assert_eq!(numbers, expected, "{number} of the {kind}");
        }
        events += found.len();
        let run = |event: &Value| event["run"].as_str().expect("a run").to_owned();
        runs.extend(found.iter().map(run));
        fingerprints.insert(fingerprint.to_string());
    }
    assert_eq!(
        fingerprints.len(),
        KINDS.len(),
        "the kinds are different failures"
    );
    assert_eq!(status["events"], events, "{status}");
    assert_eq!(status["episodes"], events, "{status}");
    assert_eq!(status["runs"], 0, "{status}");
    assert_eq!(runs.len(), events, "each run has one event");
    assert_eq!(project.call("upkeep.verify", &json!({})), json!([]));
    runs
}

#[test]
fn eight_processes_with_two_hundred_writes_each_lose_none() {
    let project = Scratch::new();
    thread::scope(|scope| {
        for process in 0..8 {
            let project = &project;
            scope.spawn(move || {
                let requests: String = (0..200)
                    .map(|number| submission(&format!("p{process}-{number}"), number) + "\n")
                    .collect();
                assert_eq!(answers(project, &requests).len(), 200);
            });
        }
    });
    assert_eq!(assert_counted_exactly(&project), 1_600);
    project.assert_sound();
}

#[test]
fn commands_run_side_by_side_are_each_remembered_once() {
    let project = Scratch::new();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..15 {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let kind = KINDS[number % KINDS.len()];
                    let script =
                        format!("echo 'the {kind} broke after {number} turns' >&2; exit 3");
                    let ran = project.run(&["run", "--", "sh", "-c", &script]);
                    assert_eq!(ran.code(), 3);
                    assert!(!ran.stderr().contains("not remembered"), "{}", ran.stderr());
                }
            });
        }
    });
    assert_eq!(assert_counted_exactly(&project), 120);
    project.assert_sound();
}

#[test]
fn several_processes_observing_one_run_lose_no_step() {
    let project = Scratch::new();
    let run = json!({ "id": "shared", "task": "turn it together", "domain": "cli" });
    project.call("runs.start", &run);
    let indexes: Vec<u64> = thread::scope(|scope| {
        let observe = |process: usize| {
            let request = |number: usize| {
                let text = format!(
                    "the {} broke after {number} turns",
                    KINDS[process % KINDS.len()]
                );
                let args = json!({ "run": "shared", "observed": failed_step(&text) });
                format!("runs.observe {args}\n")
            };
            let requests: String = (0..25).map(request).collect();
            answers(&project, &requests)
        };
        let all: Vec<_> = (0..6)
            .map(|process| scope.spawn(move || observe(process)))
            .collect();
        let reactions = all
            .into_iter()
            .flat_map(|one| one.join().expect("an observer"));
        reactions
            .map(|reaction| reaction["index"].as_u64().expect("an index"))
            .collect()
    });
    let places: BTreeSet<_> = indexes.iter().copied().collect();
    assert_eq!(indexes.len(), 150);
    assert_eq!(
        places,
        (0..150).collect(),
        "each place in the run is given once"
    );
    let open = project.call("runs.get", &json!({ "run": "shared" }));
    assert_eq!(
        (&open["steps"], &open["failures"]),
        (&json!(150), &json!(150))
    );
    let episode = project.call("runs.finish", &json!({ "run": "shared", "ending": {} }));
    assert_eq!(
        (&episode["steps"], &episode["failures"]),
        (&json!(150), &json!(150))
    );
    let trace = project.call(
        "episodes.trace",
        &json!({ "episode": "shared", "first": 0 }),
    );
    assert_eq!(trace.as_array().map(Vec::len), Some(150));
    assert_eq!(project.call("upkeep.verify", &json!({})), json!([]));
    project.assert_sound();
}

/// A process that is fed with requests until it dies.
struct Writer {
    child: Child,
    feeder: thread::JoinHandle<()>,
}

impl Writer {
    fn start(project: &Scratch, round: usize) -> Self {
        let mut child = project
            .command(&["call", "--lines"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        let feeder = thread::spawn(move || {
            // Ends when the process is gone and nobody reads any more.
            for number in 0.. {
                let request = submission(&format!("k{round}-{number}"), number);
                if writeln!(input, "{request}").is_err() {
                    return;
                }
            }
        });
        Self { child, feeder }
    }

    /// Kills it after so many answers and a pause, and gives the ids of all that it acknowledged.
    fn kill_after(self, answers: usize, pause: Duration) -> Vec<String> {
        self.kill_when(answers, |_| thread::sleep(pause))
    }

    /// Kills it after so many answers and what is waited for then, and gives the ids of all that it acknowledged.
    fn kill_when(mut self, answers: usize, wait: impl FnOnce(&mut Child)) -> Vec<String> {
        let mut output = BufReader::new(self.child.stdout.take().expect("a pipe"));
        let mut acknowledged = Vec::new();
        let mut take = |output: &mut BufReader<_>| {
            let mut line = String::new();
            let count = output.read_line(&mut line).expect("an answer is text");
            // What a killed process did not finish to say is no answer.
            let Some(line) = line.strip_suffix('\n') else {
                return count > 0;
            };
            let answer: Value = serde_json::from_str(line).expect("an answer is JSON");
            assert!(answer.get("ok").is_some(), "{answer}");
            acknowledged.push(answer["id"].as_str().expect("an id").to_owned());
            true
        };
        for _ in 0..answers {
            assert!(take(&mut output), "the writer ended by itself");
        }
        wait(&mut self.child);
        self.child.kill().expect("it is there to be killed");
        while take(&mut output) {}
        self.child.wait().expect("it ends");
        self.feeder.join().expect("the feeder ends");
        acknowledged
    }
}

#[test]
fn what_was_acknowledged_survives_kill_minus_nine_in_the_middle_of_writing() {
    let project = Scratch::new();
    let mut acknowledged = Vec::new();
    for round in 0..50 {
        // Different moments: right after an answer, during a write, before the first write of all.
        let pause = Duration::from_micros((round as u64 * 397) % 5_000);
        let writer = Writer::start(&project, round);
        acknowledged.extend(writer.kill_after(round % 9, pause));
        project.assert_sound();
    }
    assert!(
        acknowledged.len() >= 50,
        "the writers wrote: {}",
        acknowledged.len()
    );
    let requests: String = acknowledged
        .iter()
        .map(|id| format!("episodes.get {}\n", json!({ "episode": id })))
        .collect();
    let found = answers(&project, &requests);
    assert_eq!(found.len(), acknowledged.len());
    for (episode, id) in found.iter().zip(&acknowledged) {
        assert_eq!(
            (&episode["id"], &episode["failures"]),
            (&json!(id), &json!(1))
        );
    }
    // What was written without its answer having been heard, a group at most, follows what was acknowledged without a gap.
    let written = written_runs(&project);
    assert!(acknowledged.iter().all(|id| written.contains(id)));
    for round in 0..50 {
        let of_round = |id: &&String| id.starts_with(&format!("k{round}-"));
        let count = written.iter().filter(of_round).count();
        let expected = (0..count).map(|number| format!("k{round}-{number}"));
        assert_eq!(expected.filter(|id| !written.contains(id)).count(), 0);
    }
}

#[test]
fn a_memory_killed_while_it_is_made_can_be_used() {
    for round in 0..12 {
        let project = Scratch::new();
        let writer = Writer::start(&project, round);
        // When its directory is there, when the file is, and at each of the first writes to its log.
        let memory = project.memory();
        let (file, log) = (memory.join("memory.db"), memory.join("memory.db-wal"));
        let length = |file: &Path| fs::metadata(file).map_or(0, |about| about.len());
        let acknowledged = writer.kill_when(0, |child| {
            while_it_lives(child, "the memory is made", || match round {
                0 | 1 => memory.exists(),
                2 | 3 => file.exists(),
                4 | 5 => length(&file) > 0,
                _ => length(&log) > 4_096 * (1 << (round - 6)),
            });
        });
        let ran = project.run(&["call", "lessons.propose", r#"{"rule-text": "oil it"}"#]);
        assert_eq!(ran.code(), 0, "{}", ran.stderr());
        let episodes = project.status()["episodes"].as_u64().expect("a count");
        assert!(episodes >= acknowledged.len() as u64, "{episodes}");
        project.assert_sound();
    }
}
