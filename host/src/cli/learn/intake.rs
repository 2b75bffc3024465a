//! The intake of sessions: each becomes runs of the memory, judged by the adapter for commands.
//!
//! A run is named by its first step, so that a session that is read again, has grown, or was copied into another file by its
//! host adds only what is new. Each run is one commit, and what is committed is on the disk within a quarter of a second: whoever
//! interrupts the work loses nothing, and after a power failure the same command learns what is missing.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::json;
use twiceshy::{
    Adapter, Memory, PluginError, PluginErrorKind, limits,
    wit::{
        adapter::{Goal, PastStep, Step},
        host::Clock,
        memory::{
            Ending, Episode, EpisodeFilter, Episodes, Error, NewRun, Observed, Runs, Submitted,
        },
    },
};
use twiceshy_text::{digest, instant::DAY_MS};

use super::session::{self, End, Session};
use crate::cli::capture::Capture;

/// The domain of commands.
const DOMAIN: &str = "cli";

/// Steps of one run, as the memory takes them at once.
const MOST_STEPS: usize = 200;

/// What is older than this many days is dated as so old: a lesson that nobody ever used is archived after 90 days, and what
/// was learned just now had no chance to be used.
const OLDEST_DAYS: u64 = 60;

/// The names of sessions and agents in bytes, as the memory takes them.
const NAME_BYTES: usize = 128;

/// The clock of the memory while it learns: the time at which things happened.
#[derive(Clone, Default)]
pub(crate) struct Past(Arc<AtomicU64>);

impl Past {
    /// Goes to the time of something that happened, seen from now.
    fn go_to(&self, at: u64, now: u64) {
        let at = at.clamp(now.saturating_sub(OLDEST_DAYS * DAY_MS), now);
        self.0.store(at, Ordering::Relaxed);
    }
}

impl Clock for Past {
    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A run that is ready to be submitted.
pub(crate) struct Piece {
    run: NewRun,
    steps: Vec<Observed>,
    at: u64,
    /// Steps that the adapter could not judge.
    pub(crate) unjudged: u32,
}

/// What the memory knows of a session.
pub(crate) enum Known {
    /// How many steps each run of it has, by the run's name.
    Runs(BTreeMap<String, u32>),
    /// It was observed while it happened.
    Live,
}

/// The runs of a session that the memory has.
pub(crate) fn known(memory: &Memory, format: &str, session: &Session) -> Result<Known, Error> {
    let filter = EpisodeFilter {
        session: Some(within(&session.id)),
        limit: Some(1_000),
        ..EpisodeFilter::default()
    };
    let episodes = Episodes::find(memory, &filter)?;
    let prefix = format!("{format}-");
    let is_ours = |episode: &Episode| episode.id.starts_with(&prefix);
    match episodes.iter().all(is_ours) {
        false => Ok(Known::Live),
        true => Ok(Known::Runs(
            episodes
                .into_iter()
                .map(|episode| (episode.id, episode.steps))
                .collect(),
        )),
    }
}

fn within(name: &str) -> String {
    name[..name.floor_char_boundary(NAME_BYTES)].to_owned()
}

/// The name of a run by its first step. Some models number their calls anew in each session, so the name of the call alone
/// does not tell.
fn run_name(format: &str, first: &session::Step) -> String {
    let digest = digest(&[&first.key, &first.line, &first.output]);
    format!("{format}-{digest}")
}

/// Cuts the steps of a session that are new into runs: at what was asked for, if that is possible.
pub(crate) fn pieces<'s>(
    format: &str,
    session: &'s Session,
    known: &BTreeMap<String, u32>,
) -> Vec<&'s [session::Step]> {
    let mut rest = session.steps.as_slice();
    while let Some(steps) = rest
        .first()
        .and_then(|first| known.get(&run_name(format, first)))
    {
        rest = &rest[(*steps).max(1).min(rest.len() as u32) as usize..];
    }
    let mut pieces = Vec::new();
    while rest.len() > MOST_STEPS {
        let is_begun = |place: &usize| rest[*place].task != rest[*place - 1].task;
        let at = (MOST_STEPS / 2..=MOST_STEPS).rev().find(is_begun);
        let (piece, others) = rest.split_at(at.unwrap_or(MOST_STEPS));
        pieces.push(piece);
        rest = others;
    }
    if !rest.is_empty() {
        pieces.push(rest);
    }
    pieces
}

/// Lets the adapter judge the steps of a run.
pub(crate) fn judged(
    adapter: &Adapter,
    format: &str,
    session: &Session,
    steps: &[session::Step],
    capture_bytes: usize,
) -> Result<Piece, PluginError> {
    let task = steps
        .first()
        .map(|step| step.task.to_string())
        .unwrap_or_default();
    let goal = Goal {
        task: task.clone(),
        domain: DOMAIN.to_owned(),
        expectations: String::new(),
    };
    let mut recent: VecDeque<PastStep> = VecDeque::new();
    let (mut observed, mut unjudged) = (Vec::with_capacity(steps.len()), 0);
    for step in steps {
        let step = payload(step, capture_bytes);
        let feedback = match adapter.assess(&goal, recent.make_contiguous(), &step) {
            Ok(feedback) => feedback,
            // A line that is no command, such as a lone comment.
            Err(error) if error.kind == PluginErrorKind::Refused => {
                unjudged += 1;
                continue;
            }
            Err(error) => return Err(error),
        };
        if recent.len() == limits::RECENT_STEPS as usize {
            recent.pop_front();
        }
        recent.push_back(PastStep {
            step: step.clone(),
            feedback: feedback.clone(),
        });
        observed.push(Observed { step, feedback });
    }
    let run = NewRun {
        id: steps.first().map(|first| run_name(format, first)),
        task,
        domain: DOMAIN.to_owned(),
        hold_out: Some(0.0),
        hints: Some(1),
        session: Some(within(&session.id)).filter(|name| !name.is_empty()),
        agent: session.agent.as_deref().map(within),
        task_type: None,
        tags: vec!["learned".to_owned(), format.to_owned()],
    };
    Ok(Piece {
        run,
        steps: observed,
        at: steps.last().map_or(0, |last| last.at),
        unjudged,
    })
}

/// A step as the adapter takes it. Hosts write both streams as one.
fn payload(step: &session::Step, capture_bytes: usize) -> Step {
    let mut capture = Capture::new(capture_bytes);
    capture.push(step.output.as_bytes());
    let shortened = capture.shortened();
    let output = capture.text();
    let (exit, timed_out) = match step.end {
        End::Exit(exit) => (Some(exit), false),
        End::TimedOut => (None, true),
        End::Unknown => (None, false),
    };
    let mut action = json!({ "command": step.line });
    if let Some(directory) = &step.directory {
        action["directory"] = directory.as_str().into();
    }
    Step {
        before: String::new(),
        action: action.to_string(),
        observation: json!({
            "exit": exit,
            "timed-out": timed_out,
            "stdout": output,
            "stderr": "",
            "shortened": shortened,
            "duration-ms": step.duration_ms,
        })
        .to_string(),
    }
}

impl Piece {
    /// Submits the run at the time at which it happened; none if it is empty or the memory has it already.
    pub(crate) fn submit(
        &self,
        memory: &Memory,
        past: &Past,
        written_at: u64,
        now: u64,
    ) -> Result<Option<Submitted>, Error> {
        if self.steps.is_empty() {
            return Ok(None);
        }
        past.go_to(if self.at == 0 { written_at } else { self.at }, now);
        let ending = Ending {
            outcome: None,
            score: None,
            referee: None,
        };
        match memory.submit(&self.run, &self.steps, &ending) {
            Ok(submitted) => Ok(Some(submitted)),
            // The host copied the session into another file, and that one was read first.
            Err(Error::Conflict(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(tasks: &[(&str, usize)]) -> Session {
        let mut steps = Vec::new();
        for (task, count) in tasks {
            for _ in 0..*count {
                steps.push(session::Step {
                    key: format!("key {}", steps.len()),
                    task: (*task).into(),
                    at: 1,
                    duration_ms: 0,
                    line: "make".into(),
                    directory: None,
                    output: String::new(),
                    end: End::Exit(0),
                });
            }
        }
        Session {
            id: "one".into(),
            steps,
            ..Session::default()
        }
    }

    #[test]
    fn a_long_session_is_cut_at_what_was_asked_for() {
        let lengths = |tasks: &[(&str, usize)]| {
            let session = session(tasks);
            let pieces = pieces("claude", &session, &BTreeMap::new());
            pieces.iter().map(|piece| piece.len()).collect::<Vec<_>>()
        };
        assert_eq!(lengths(&[("a", 150), ("b", 100)]), [150, 100]);
        assert_eq!(lengths(&[("a", 450)]), [200, 200, 50]);
        assert_eq!(lengths(&[("a", 20), ("b", 30)]), [50]);
        assert!(lengths(&[]).is_empty());
    }

    #[test]
    fn a_session_that_has_grown_yields_only_what_is_new() {
        let session = session(&[("a", 150), ("b", 100)]);
        let first = run_name("claude", &session.steps[0]);
        let known = BTreeMap::from([(first.clone(), 120)]);
        let pieces_now = pieces("claude", &session, &known);
        assert_eq!(pieces_now.len(), 1);
        assert_eq!(pieces_now[0][0].key, "key 120");
        let known = BTreeMap::from([(first, 120), (run_name("claude", &session.steps[120]), 130)]);
        assert!(pieces("claude", &session, &known).is_empty());
    }
}
