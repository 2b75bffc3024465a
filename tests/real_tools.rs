//! The CLI adapter on real tools: a labelled set of invocations, each really run through `twiceshy run`, and what
//! the memory made of it.
//!
//! Measured are: whether a failure is seen as one, whether one cause has one fingerprint in all its variants and
//! another cause another one, and whether progress is read where the output tells of it. The set has a part for
//! tuning and a part that was held out; `cargo test -p twiceshy --test end_to_end real_tools -- --nocapture` prints
//! what it measures.
#![cfg(unix)]

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::Command,
    sync::{
        Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    skipped::skipped,
    support::{Scratch, repository},
};

/// One reason to fail, or to work, and how it is brought about.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Cause {
    name: String,
    /// Programs without which it is skipped.
    #[serde(default)]
    needs: Vec<String>,
    truth: Truth,
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// A shell script that is run first.
    before: Option<String>,
    command: Vec<String>,
    #[serde(default)]
    expect: Vec<String>,
    /// The command is run a second time, after this script.
    again: Option<String>,
    /// What is read after each run; not a number for none.
    progress: Option<Vec<f64>>,
    /// Another cause that is the same failure.
    like: Option<String>,
    #[serde(default = "all_variants")]
    variants: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Truth {
    Fails,
    Tells,
    Works,
    Warns,
}

impl Truth {
    fn is_failure(self) -> bool {
        matches!(self, Self::Fails | Self::Tells)
    }
}

/// The words and numbers of each variant.
const VARIANTS: [[(&str, &str); 7]; 3] = [
    [
        ("@name@", "alpha"),
        ("@Name@", "Alpha"),
        ("@other@", "beta"),
        ("@Other@", "Beta"),
        ("@n@", "3"),
        ("@m@", "17"),
        ("@small@", "2"),
    ],
    [
        ("@name@", "report"),
        ("@Name@", "Report"),
        ("@other@", "monthly"),
        ("@Other@", "Monthly"),
        ("@n@", "42"),
        ("@m@", "4096"),
        ("@small@", "3"),
    ],
    [
        ("@name@", "user_service"),
        ("@Name@", "UserService"),
        ("@other@", "inventory"),
        ("@Other@", "Inventory"),
        ("@n@", "128"),
        ("@m@", "99"),
        ("@small@", "7"),
    ],
];

/// Where each variant is run, from the project's root.
const PLACES: [&str; 3] = ["here", "some/deeper/place", "with blank"];

fn all_variants() -> usize {
    VARIANTS.len()
}

/// What was made of one invocation.
struct Seen {
    cause: Cause,
    variant: usize,
    /// The fingerprint of the first run, if it counts as failed.
    failed: Option<String>,
    template: String,
    progress: Vec<Option<f64>>,
}

fn fill(text: &str, variant: usize) -> String {
    VARIANTS[variant]
        .iter()
        .fold(text.to_owned(), |text, (hole, word)| {
            text.replace(hole, word)
        })
}

fn is_installed(program: &str) -> bool {
    Command::new("sh")
        .args(["-c", "command -v \"$0\" > /dev/null", program])
        .status()
        .is_ok_and(|status| status.success())
}

/// Installs what is small and missing, once.
fn install() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let script = repository().join("tests/real_tools/install.sh");
        let output = Command::new("sh").arg(script).output().expect("a shell");
        print!("{}", String::from_utf8_lossy(&output.stdout));
    });
}

fn script(script: &str, place: &Path) {
    let output = Command::new("sh")
        .args(["-ec", script])
        .current_dir(place)
        .env("LC_ALL", "C")
        .output()
        .expect("a shell");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script}: {told}");
}

/// Runs a cause in one variant, in a project of its own.
fn run(cause: &Cause, variant: usize) -> Seen {
    let scratch = Scratch::new();
    let place = scratch.path().join(PLACES[variant]);
    fs::create_dir_all(&place).expect("a place");
    for (path, content) in &cause.files {
        let path = place.join(fill(path, variant));
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, fill(content, variant)).expect("a file");
    }
    if let Some(before) = &cause.before {
        script(&fill(before, variant), &place);
    }
    let mut arguments = vec!["run".to_owned()];
    for expected in &cause.expect {
        arguments.extend(["--expect".to_owned(), fill(expected, variant)]);
    }
    arguments.push("--".to_owned());
    arguments.extend(cause.command.iter().map(|word| fill(word, variant)));
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();

    let memory = scratch.memory();
    let step = || {
        let mut command = scratch.command(&arguments);
        command
            .current_dir(&place)
            .env("LC_ALL", "C")
            // Colours and advice of the machine that the test runs on are none of the tools' doing.
            .env("NO_COLOR", "1")
            .env("TWICESHY_MEMORY", &memory);
        let output = command.output().expect("the program starts");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!told.contains("not remembered"), "{}: {told}", cause.name);
        last(&scratch)
    };
    let (failed, template, first) = step();
    let mut progress = vec![first];
    if let Some(again) = &cause.again {
        script(again, &place);
        progress.push(step().2);
    }
    Seen {
        cause: cause.clone(),
        variant,
        failed,
        template,
        progress,
    }
}

/// The fingerprint and template of the newest step, if it failed, and its progress.
fn last(scratch: &Scratch) -> (Option<String>, String, Option<f64>) {
    let requests = [
        json!({"method": "runs.recent-steps", "args": {"domain": "cli", "limit": 1}}),
        json!({"method": "events.find", "args": {"filter": {"limit": 1}}}),
    ];
    let requests = requests.map(|request| format!("{request}\n")).concat();
    let ran = scratch.run_with(&["call", "--lines"], requests.as_bytes());
    let answers: Vec<Value> = ran
        .stdout()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["ok"].clone())
        .collect();
    let feedback = &answers[0][0]["feedback"];
    let progress = feedback["progress-signal"].as_f64();
    let failed = !feedback["hard-failure"].is_null()
        || feedback["constraint-failure"]
            .as_array()
            .is_some_and(|unmet| !unmet.is_empty())
        || progress.is_some_and(|progress| progress <= 0.0);
    let event = &answers[1][0];
    let text = |name: &str| event[name].as_str().expect("an event").to_owned();
    match failed {
        true => (Some(text("fingerprint")), text("template"), progress),
        false => (None, String::new(), progress),
    }
}

/// Runs all of a part that can be run here.
fn run_all(part: &str) -> Vec<Seen> {
    #[derive(Deserialize)]
    struct Set {
        cause: Vec<Cause>,
    }
    install();
    let path = repository().join("tests/real_tools").join(part);
    let text = fs::read_to_string(&path).expect("the set");
    let set: Set = toml::from_str(&text).expect("causes");
    let mut work = Vec::new();
    for cause in set.cause {
        match cause.needs.iter().find(|program| !is_installed(program)) {
            Some(missing) => skipped(&format!("no {missing} here: {}", cause.name)),
            None => work.extend((0..cause.variants).map(|variant| (cause.clone(), variant))),
        }
    }
    let (next, seen) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((cause, variant)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let made = run(cause, *variant);
                    seen.lock().expect("no panic").push(made);
                }
            });
        }
    });
    let mut seen = seen.into_inner().expect("no panic");
    seen.sort_by(|one, other| {
        (&one.cause.name, one.variant).cmp(&(&other.cause.name, other.variant))
    });
    seen
}

/// What a part comes to.
struct Figures {
    invocations: usize,
    causes: usize,
    detection: Counts,
    /// Of those that exit 0 and failed, how many were seen; of those that only speak of errors, how many were not.
    told: (usize, usize),
    quiet: (usize, usize),
    fingerprints: Counts,
    progress: (usize, usize),
}

#[derive(Default)]
struct Counts {
    right: usize,
    /// Said and not so.
    wrong: usize,
    /// So and not said.
    missed: usize,
}

impl Counts {
    fn add(&mut self, truth: bool, said: bool) {
        match (truth, said) {
            (true, true) => self.right += 1,
            (false, true) => self.wrong += 1,
            (true, false) => self.missed += 1,
            (false, false) => {}
        }
    }

    fn precision(&self) -> f64 {
        self.right as f64 / (self.right + self.wrong).max(1) as f64
    }

    fn recall(&self) -> f64 {
        self.right as f64 / (self.right + self.missed).max(1) as f64
    }
}

fn measure(part: &str) -> Figures {
    let seen = run_all(part);
    let mut figures = Figures {
        invocations: seen.len(),
        causes: seen.iter().filter(|seen| seen.variant == 0).count(),
        detection: Counts::default(),
        told: (0, 0),
        quiet: (0, 0),
        fingerprints: Counts::default(),
        progress: (0, 0),
    };
    for seen in &seen {
        let (truth, said) = (seen.cause.truth, seen.failed.is_some());
        figures.detection.add(truth.is_failure(), said);
        let right = truth.is_failure() == said;
        let kind = match truth {
            Truth::Tells => Some(&mut figures.told),
            Truth::Works | Truth::Warns => Some(&mut figures.quiet),
            Truth::Fails => None,
        };
        if let Some(kind) = kind {
            kind.0 += usize::from(right);
            kind.1 += 1;
        }
        if !right {
            println!(
                "{} [{}]: {truth:?}, and it is said: {said}: {}",
                seen.cause.name, seen.variant, seen.template
            );
        }
        let is_near = |expected: f64, read: Option<f64>| match read {
            None => expected.is_nan(),
            Some(read) => (read - expected).abs() < 0.001,
        };
        for (expected, read) in seen.cause.progress.iter().flatten().zip(&seen.progress) {
            let near = is_near(*expected, *read);
            figures.progress.0 += usize::from(near);
            figures.progress.1 += 1;
            if !near {
                println!(
                    "{} [{}]: progress {expected}, read {read:?}",
                    seen.cause.name, seen.variant
                );
            }
        }
    }
    compare(&seen, &mut figures.fingerprints);
    figures.print(part);
    figures
}

/// Compares every failure that was seen with every other one.
fn compare(seen: &[Seen], counts: &mut Counts) {
    let failures: Vec<_> = seen
        .iter()
        .filter(|seen| seen.cause.truth.is_failure() && seen.failed.is_some())
        .collect();
    // A cause that is like another is that one.
    let root = |cause: &Cause| {
        let mut name = cause.name.clone();
        let like = |name: &str| {
            let of = failures.iter().find(|seen| seen.cause.name == name);
            of.and_then(|seen| seen.cause.like.clone())
        };
        while let Some(like) = like(&name) {
            name = like;
        }
        name
    };
    let mut told = Vec::new();
    for (at, one) in failures.iter().enumerate() {
        for other in &failures[at + 1..] {
            let (truth, said) = (
                root(&one.cause) == root(&other.cause),
                one.failed == other.failed,
            );
            counts.add(truth, said);
            if truth != said {
                told.push(format!(
                    "{} / {}: {}\n    {}\n    {}",
                    one.cause.name,
                    other.cause.name,
                    if said {
                        "one fingerprint for two causes"
                    } else {
                        "two fingerprints for one cause"
                    },
                    one.template,
                    other.template,
                ));
            }
        }
    }
    told.dedup();
    told.iter().for_each(|line| println!("{line}"));
}

impl Figures {
    fn print(&self, part: &str) {
        println!(
            "\n{part}: {} invocations of {} causes",
            self.invocations, self.causes
        );
        println!(
            "  failures seen: precision {:.3}, recall {:.3}",
            self.detection.precision(),
            self.detection.recall()
        );
        println!(
            "  exit 0 and failed, seen: {} of {}",
            self.told.0, self.told.1
        );
        println!(
            "  worked, and no alarm: {} of {}",
            self.quiet.0, self.quiet.1
        );
        println!(
            "  fingerprints, by pairs: precision {:.3}, recall {:.3}",
            self.fingerprints.precision(),
            self.fingerprints.recall()
        );
        println!(
            "  progress read: {} of {}\n",
            self.progress.0, self.progress.1
        );
    }
}

#[test]
fn failures_of_real_tools_are_seen_and_told_apart() {
    let figures = measure("tune.toml");
    assert!(figures.invocations >= 120 && figures.causes >= 40);
    assert!(figures.detection.precision() >= 0.95);
    assert!(figures.detection.recall() >= 0.95);
    assert!(figures.fingerprints.precision() >= 0.95);
    assert!(figures.fingerprints.recall() >= 0.9);
    assert_eq!(figures.progress.0, figures.progress.1);
}

#[test]
fn failures_that_nobody_tuned_for_are_seen_and_told_apart() {
    let figures = measure("held_out.toml");
    assert!(figures.invocations >= 90 && figures.causes >= 30);
    assert!(figures.detection.precision() >= 0.95);
    assert!(figures.detection.recall() >= 0.95);
    assert!(figures.fingerprints.precision() >= 0.95);
    // Names that stand in a message without quotes are words to a fingerprint.
    assert!(figures.fingerprints.recall() >= 0.85);
    assert_eq!(figures.progress.0, figures.progress.1);
}
