//! What is asked of an adapter.
//!
//! Owns the checks and what they say when one fails. Each tries the adapter through its sandbox, as a host does.

use std::{collections::BTreeSet, time::Duration};

use twiceshy_text::schema;
use twiceshy_wit::adapter::{Goal, PastStep, Step};

use super::{
    Check,
    golden::lines,
    steps::{Steps, Trial},
    trace::Answer,
};
use crate::{Adapter, PluginError, PluginErrorKind, limits, stopwatch::Stopwatch};

/// Runs of eight ordinary steps each.
const RUNS: usize = 50;

/// Ordinary steps that are also judged by an instance of their own: making one may take long.
const FRESH: usize = 40;

/// How often a large step that is refused is tried with half the size.
const HALVED: u32 = 6;

/// Calls of one check that take too long, after which it is given up.
const TIMEOUTS: usize = 3;

/// Problems of one check that are reported in full.
const TOLD: usize = 5;

/// What an adapter has no use for: it judges what it is shown, and the same way every time.
const FORBIDDEN: [(&str, &str); 6] = [
    ("wasi:filesystem/", "files"),
    ("wasi:sockets/", "a network"),
    ("wasi:http/", "a network"),
    ("wasi:clocks/", "a clock"),
    ("wasi:random/random", "chance"),
    ("wasi:random/insecure@", "chance"),
];

/// A step as it was judged.
struct Judged {
    trial: Trial,
    recent: Vec<PastStep>,
    answer: Answer,
}

pub(super) fn all(adapter: &Adapter) -> Vec<Check> {
    let mut steps = Steps::new(adapter.manifest());
    let (channels, judged) = channels(adapter, &steps);
    if let Some(sound) = judged.iter().find(|judged| judged.answer.is_ok()) {
        steps.spoil(&sound.trial.step);
    }
    vec![
        imports(adapter),
        manifest(adapter),
        describe(adapter),
        channels,
        deterministic(adapter, &judged),
        large(adapter, &steps),
        hostile(adapter, &steps),
    ]
}

/// No powers are asked for that an adapter never has.
fn imports(adapter: &Adapter) -> Check {
    let mut check = Check::new("imports");
    let imports = adapter.imports();
    for import in imports {
        let wanted = FORBIDDEN
            .iter()
            .find(|(prefix, _)| import.starts_with(prefix));
        if let Some((_, what)) = wanted {
            check.fail(format!(
                "it imports {import}, and an adapter has no {}: leave out what uses it, or build with stubs for WASI",
                what.trim_start_matches("a ")
            ));
        }
    }
    let wasi = imports
        .iter()
        .filter(|import| import.starts_with("wasi:"))
        .count();
    check.note = match wasi {
        0 => "nothing from WASI".to_owned(),
        wasi => format!("{wasi} interfaces of WASI, of which only the error output does anything"),
    };
    check
}

/// What it says of itself is what the contract asks for.
fn manifest(adapter: &Adapter) -> Check {
    let mut check = Check::new("manifest");
    let manifest = adapter.manifest();
    check.note = format!(
        "{} {}, domain {}",
        manifest.name, manifest.version, manifest.domain
    );
    // Name, version and domain were looked at when it was loaded.
    if manifest.summary.trim().is_empty() || manifest.summary.trim().contains('\n') {
        check.fail("summary: say in one sentence what it does".to_owned());
    }
    for (member, text) in [
        ("action-schema", &manifest.action_schema),
        ("observation-schema", &manifest.observation_schema),
        ("expectations-schema", &manifest.expectations_schema),
    ] {
        for fault in schema::faults_of_text(text) {
            check.fail(format!("{member} is not a JSON Schema: {fault}"));
        }
    }
    check
}

/// It says the same of itself every time.
fn describe(adapter: &Adapter) -> Check {
    let mut check = Check::new("describe");
    for fresh in [false, false, true, true] {
        if fresh {
            adapter.cool();
        }
        match adapter.ask() {
            Err(error) => check.fail(problem_text(&error)),
            Ok(manifest) if manifest != *adapter.manifest() => check.fail(
                "it gives another manifest when it is asked again: give the same one always"
                    .to_owned(),
            ),
            Ok(_) => {}
        }
    }
    check.problems.dedup();
    check.note = "asked five times".to_owned();
    check
}

/// Ordinary steps get feedback that the contract allows.
fn channels(adapter: &Adapter, steps: &Steps) -> (Check, Vec<Judged>) {
    let mut check = Check::new("channels");
    let mut judged = Vec::new();
    let mut problems = Problems::default();
    let mut refused = None;
    let mut asked = 0;
    for run in steps.runs(RUNS) {
        let mut recent = Vec::new();
        for trial in run {
            if problems.is_patience_at_an_end() {
                break;
            }
            asked += 1;
            let answer = match adapter.answer(&trial.goal, &recent, &trial.step) {
                Ok(answer) => answer,
                Err(error) => {
                    problems.failed(&trial, "", &error);
                    continue;
                }
            };
            let seen = recent.clone();
            match &answer {
                Err(error) => refused = Some(error.clone()),
                Ok(feedback) => {
                    if let Some(problem) = unfit(&feedback.action_text) {
                        problems.add(&trial, problem.to_owned());
                    }
                    recent.push(PastStep {
                        step: trial.step.clone(),
                        feedback: feedback.clone(),
                    });
                    if recent.len() > limits::MOST_RECENT_STEPS {
                        recent.remove(0);
                    }
                }
            }
            judged.push(Judged {
                trial,
                recent: seen,
                answer,
            });
        }
    }
    let accepted = judged.iter().filter(|judged| judged.answer.is_ok()).count();
    check.note = format!(
        "{asked} steps made from its schemas: {accepted} judged, {} refused",
        judged.len() - accepted
    );
    if let (0, Some(refused)) = (accepted, refused) {
        check.fail(format!(
            "it refuses every step that its own schemas allow, the last one as {refused:?}: make the schemas say what it takes"
        ));
    }
    problems.tell(&mut check);
    (check, judged)
}

/// What is wrong with the readable name of an action.
fn unfit(action_text: &str) -> Option<&'static str> {
    if action_text.trim().is_empty() {
        return Some("action-text is empty: name the action as a person would write it");
    }
    action_text.contains(char::is_control).then_some(
        "action-text has control characters: it is one line of text, so escape or leave them out",
    )
}

/// The same arguments get the same answer: again, in another order, after other steps, on a new instance.
fn deterministic(adapter: &Adapter, judged: &[Judged]) -> Check {
    let mut check = Check::new("deterministic");
    let mut problems = Problems::default();
    let mut compared = 0;
    let mut compare = |judged: &Judged, when: &str| {
        let Judged {
            trial,
            recent,
            answer,
        } = judged;
        if problems.is_patience_at_an_end() {
            return;
        }
        compared += 1;
        match adapter.answer(&trial.goal, recent, &trial.step) {
            Err(error) => problems.failed(trial, &format!("{when}: "), &error),
            Ok(again) if again != *answer => {
                let mut difference = format!(
                    "{when}, the same step gets another answer: keep nothing between calls, and sort what comes out of \
                     a hash map; - first, + then"
                );
                for line in lines(answer, &again) {
                    difference.push_str(&format!("\n    {line}"));
                }
                problems.add(trial, difference);
            }
            Ok(_) => {}
        }
    };
    for one in judged {
        compare(one, "asked again");
    }
    for one in judged.iter().rev() {
        compare(one, "asked in another order");
    }
    for one in judged.iter().filter(|one| one.recent.len() > 1) {
        // What this says does not matter, but it must leave nothing behind.
        let reversed: Vec<_> = one.recent.iter().rev().cloned().collect();
        let _ = adapter.answer(&one.trial.goal, &reversed, &one.trial.step);
        compare(one, "asked after the same step with its past reversed");
    }
    let every = judged.len().div_ceil(FRESH).max(1);
    for one in judged.iter().step_by(every) {
        adapter.cool();
        compare(one, "asked of a new instance");
    }
    if let Some(one) = judged.first() {
        for _ in 0..100 {
            compare(one, "asked a hundred times");
        }
    }
    check.note = format!("{compared} answers compared");
    if judged.is_empty() {
        check.fail("there is nothing to compare: no step was answered".to_owned());
    }
    problems.tell(&mut check);
    check
}

/// The largest steps that the contract allows, and the largest that it does not refuse, take neither too long nor too
/// much memory.
fn large(adapter: &Adapter, steps: &Steps) -> Check {
    let mut check = Check::new("large steps");
    let mut problems = Problems::default();
    let mut longest = Duration::ZERO;
    let mut smallest = limits::PAYLOAD_BYTES;
    let (mut asked, mut refused) = (0, BTreeSet::new());
    let many = recent(steps);
    for halved in 0..HALVED {
        let size = limits::PAYLOAD_BYTES >> halved;
        for trial in steps.large(size) {
            let again = halved == 0 || refused.remove(&trial.what);
            if !again || problems.is_patience_at_an_end() {
                continue;
            }
            asked += 1;
            smallest = size;
            let watch = Stopwatch::start();
            let answer = adapter.answer(&trial.goal, &many, &trial.step);
            longest = longest.max(watch.worked());
            match answer {
                Err(error) => problems.failed(&trial, "", &error),
                Ok(Err(_)) => drop(refused.insert(trial.what)),
                Ok(Ok(_)) => {}
            }
        }
    }
    let sizes = match smallest {
        limits::PAYLOAD_BYTES => String::new(),
        smallest => format!(", and smaller ones down to {} KiB", smallest >> 10),
    };
    check.note = format!(
        "{asked} steps of {} MiB{sizes}, at most {} ms each",
        limits::PAYLOAD_BYTES >> 20,
        longest.as_millis()
    );
    problems.tell(&mut check);
    check
}

/// As many earlier steps as the contract allows.
fn recent(steps: &Steps) -> Vec<PastStep> {
    let runs = steps.runs(limits::MOST_RECENT_STEPS);
    let firsts = runs.into_iter().filter_map(|run| run.into_iter().next());
    firsts
        .map(|trial| PastStep {
            step: trial.step,
            feedback: twiceshy_wit::adapter::Feedback {
                action_text: "anything".to_owned(),
                ..Default::default()
            },
        })
        .collect()
}

/// Whatever it is handed, it answers or refuses.
fn hostile(adapter: &Adapter, steps: &Steps) -> Check {
    let mut check = Check::new("hostile steps");
    let mut problems = Problems::default();
    let trials = steps.hostile();
    let mut refused = 0;
    let mut asked = 0;
    for trial in &trials {
        if problems.is_patience_at_an_end() {
            break;
        }
        asked += 1;
        match adapter.answer(&trial.goal, &[], &trial.step) {
            Ok(answer) => refused += usize::from(answer.is_err()),
            Err(error) => problems.failed(trial, "", &error),
        }
    }
    check.note = format!("{asked} steps, of which {refused} were refused");
    problems.tell(&mut check);
    check
}

fn problem_text(error: &PluginError) -> String {
    format!("{}: {}", error.kind.as_str(), error.message)
}

/// Problems with single steps. Many steps may have the same one, which is reported once.
#[derive(Default)]
struct Problems {
    told: Vec<(String, String, usize)>,
    timeouts: usize,
}

impl Problems {
    /// The adapter failed instead of answering.
    fn failed(&mut self, trial: &Trial, when: &str, error: &PluginError) {
        self.timeouts += usize::from(error.kind == PluginErrorKind::Timeout);
        self.add(trial, format!("{when}{}", problem_text(error)));
    }

    /// Each call that never ends takes all of its time, and there are hundreds of them.
    fn is_patience_at_an_end(&self) -> bool {
        self.timeouts >= TIMEOUTS
    }

    fn add(&mut self, trial: &Trial, problem: String) {
        let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        let known = self
            .told
            .iter_mut()
            .find(|(_, told, _)| first(told) == first(&problem));
        match known {
            Some((_, _, times)) => *times += 1,
            None => self.told.push((shown(trial), problem, 1)),
        }
    }

    fn tell(self, check: &mut Check) {
        if self.is_patience_at_an_end() {
            check.note.push_str(&format!(
                ", and no more after {TIMEOUTS} that took too long"
            ));
        }
        let more = self.told.len().saturating_sub(TOLD);
        for (trial, problem, times) in self.told.into_iter().take(TOLD) {
            let others = match times {
                1 => String::new(),
                times => format!("\n    and {} more steps like it", times - 1),
            };
            check.fail(format!("{problem}\n    {trial}{others}"));
        }
        if more > 0 {
            check.fail(format!("and {more} more kinds of problems"));
        }
    }
}

/// A step, short enough to be read.
fn shown(trial: &Trial) -> String {
    let Goal { expectations, .. } = &trial.goal;
    let Step {
        before,
        action,
        observation,
    } = &trial.step;
    let members = [
        ("expectations", expectations),
        ("before", before),
        ("action", action),
        ("observation", observation),
    ];
    let members: Vec<_> = members
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| {
            let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
            let mut short: String = text.chars().take(120).map(plain).collect();
            if short.len() < text.len() {
                short.push_str(&format!("… ({} bytes)", text.len()));
            }
            format!("{name} {short}")
        })
        .collect();
    format!("{}: {}", trial.what, members.join(", "))
}
