//! The end of a run: what is learned from it.
//!
//! Owns the order of things: the run is scored, lessons are found in its steps, those that were shown or
//! withheld are judged, and all of it is written at once with the episode. The score is the business of
//! the [referee]; what a run says about each lesson, of the [judgement]; what follows from that for the
//! lesson, of [`usefulness`](crate::usefulness).

mod judgement;
mod referee;

use std::collections::BTreeMap;

use twiceshy_wit::{
    host::{Change, Precondition},
    memory::{
        Account, Episode, Error, Lesson, LessonCandidate, LessonStatus, Referee, Scope, Source,
        TraceStep, Trust, Verdict as Worth,
    },
};

use crate::{
    activations::does_harm,
    documents::{Read, any_of, ascending, at_most, equals, newest, put, query},
    episodes::{self, Embeddings},
    events::Known,
    experience::Prospect,
    lessons::{Entry, KeptLesson, Proposal, REFUTED},
    limits, links,
    metrics::Reward,
    mining::{self, Attempt},
    ports::Engine,
    runs::OpenRun,
    tasks::{Task, task_id},
    usefulness::{self, Verdict},
};
use judgement::{Judged, judged};
pub(crate) use referee::{Scored, check_ending};

/// Lessons that are set aside, and watched from there in one run.
const WATCHED: u32 = 32;

/// Lessons that are looked at for age in one run.
const AGED: u32 = 8;

/// The shortest time after which any lesson is too old: 90 days.
const YOUNG_MS: u64 = 90 * 24 * 60 * 60 * 1_000;

/// A run about to end.
pub(crate) struct Closing<'c> {
    pub(crate) open: &'c OpenRun,
    pub(crate) scored: &'c Scored,
    /// Its steps, as lessons are found in them.
    pub(crate) attempts: &'c [Attempt],
    /// The lessons that were found in them.
    pub(crate) mined: &'c [Proposal],
    /// What is known of it beside its steps.
    pub(crate) account: Option<&'c Account>,
    /// Its vectors.
    pub(crate) embeddings: &'c Embeddings,
    /// When it ended.
    pub(crate) ended_at: u64,
    /// What it needs to become an experience; none if it does not.
    pub(crate) prospect: Option<&'c Prospect>,
    pub(crate) now: u64,
}

impl Engine<'_> {
    /// The steps of a run as lessons are found in them: the newest, if there are very many.
    pub(crate) fn attempts_of(&self, run: &str) -> Result<Vec<Attempt>, Error> {
        let steps = self.last_steps(run, limits::MINED_STEPS)?;
        Ok(steps.iter().map(attempt).collect())
    }

    /// Lessons that are found in the steps of a run. What is known of their failures says how often they recur.
    pub(crate) fn mined(
        &self,
        open: &OpenRun,
        attempts: &mut [Attempt],
        known: &BTreeMap<String, Read<Known>>,
    ) -> Vec<Proposal> {
        for attempt in attempts.iter_mut() {
            if let Some((id, template)) = &mut attempt.failure
                && let Some(known) = known.get(id)
            {
                template.clone_from(&known.noun.fingerprint.template);
                attempt.known_runs = known.noun.runs;
                attempt.harmful = does_harm(&known.noun.fingerprint.tags);
            }
        }
        let run = &open.run;
        let mut proposals = Vec::new();
        for mined in mining::mine(attempts) {
            let candidate = LessonCandidate {
                rule_text: mined.rule_text,
                trigger_fingerprints: mined.triggers,
                trigger_texts: Vec::new(),
                tags: Vec::new(),
                scope_hint: Some(Scope::Domain),
                kind: Some(mined.kind),
                domain: Some(run.domain.clone()),
                task: Some(run.task.clone()).filter(|task| !task.trim().is_empty()),
                run: Some(run.id.clone()),
                steps: beginning(mined.steps),
                source: Some(Source::Trace),
            };
            match self.proposal(&candidate) {
                Ok(proposal) => proposals.push(proposal),
                Err(error) => self.warn(&format!("a lesson was dropped: {}", error.message())),
            }
        }
        proposals
    }

    /// Everything that is written when a run ends, and the episode it becomes. Counts in `known` what failures
    /// cost without help; the caller writes that.
    pub(crate) fn closed(
        &self,
        closing: &Closing,
        known: &mut BTreeMap<String, Read<Known>>,
    ) -> Result<(Vec<Change>, Episode), Error> {
        let (open, now) = (closing.open, closing.now);
        let mut episode = open.episode(closing.scored, closing.ended_at);
        if episode.summary.is_empty() {
            episode.summary = episodes::summary(&episode, closing.attempts, closing.account);
        }
        let task = task_id(&episode.domain, &episode.task);
        let read = match &task {
            Some(id) => self.load::<Task>(id)?,
            None => None,
        };
        let version = read.as_ref().map(|read| read.version);
        let mut task = match (read, task) {
            (Some(read), _) => Some(read.noun),
            (None, id) => id.map(|id| Task::new(id, &episode)),
        };
        let mut touched = self.touched(open)?;
        let judged = judged(closing, &episode, task.as_ref(), known, &mut touched);
        let mut batch = vec![put(&episode, Precondition::Absent)];
        batch.extend(closing.embeddings.changes(self, &episode, closing.account));
        batch.extend(judged.activations.iter().map(|activation| {
            // The run, which is checked, owns its activations.
            put(activation, Precondition::Anything)
        }));
        let reward = Reward::of(open, &episode, &judged.activations);
        batch.extend(reward.map(|reward| put(&reward, Precondition::Anything)));
        if let Some(task) = &mut task {
            task.take(&episode, closing, &judged.costs, &judged.treated);
            batch.push(put(task, precondition(version)));
        }
        batch.extend(self.experienced(closing, &episode, task.as_ref())?);
        for (fingerprint, cost) in &judged.costs {
            if let Some(known) = known.get_mut(fingerprint)
                && !judged.treated.contains(fingerprint)
            {
                known.noun.untreated_runs += 1;
                known.noun.untreated_cost += f64::from(*cost);
            }
        }
        self.contest(&judged, &mut touched)?;
        self.displace(&judged, task.as_ref(), &mut touched)?;
        self.age(&mut touched, now)?;
        for entry in &mut touched {
            move_on(entry, closing.scored.referee == Referee::Deterministic, now);
        }
        batch.extend(self.entered(closing.mined, &mut touched, now)?.0);
        for entry in &mut touched {
            batch.extend(entry.changes());
        }
        Ok((batch, episode))
    }

    /// The lessons that this run says something about: those that were shown or withheld, and those that are
    /// set aside while the failures that they answer came up.
    fn touched(&self, open: &OpenRun) -> Result<Vec<Entry>, Error> {
        let mut ids: Vec<_> = open
            .activations
            .iter()
            .map(|one| one.lesson.clone())
            .collect();
        if !open.seen.is_empty() {
            let fingerprints = open
                .seen
                .iter()
                .map(|(fingerprint, _)| fingerprint.as_str());
            let aside = [LessonStatus::UnderReview, LessonStatus::Suppressed];
            let conditions = vec![
                any_of("fingerprint", fingerprints),
                any_of("status", aside.iter().map(|status| status.as_str())),
            ];
            let watched = query::<KeptLesson>(conditions, newest("updated-at"), WATCHED);
            for (read, _) in self.search::<KeptLesson>(&watched)? {
                if !ids.contains(&read.noun.lesson.id) {
                    ids.push(read.noun.lesson.id);
                }
            }
        }
        self.entries(&ids)
    }

    /// Lets lessons that contradict each other compete: the one that was shown wins where it helped, and loses
    /// where it harmed.
    fn contest(&self, judged: &Judged, touched: &mut Vec<Entry>) -> Result<(), Error> {
        let spoken: BTreeMap<_, _> = judged
            .activations
            .iter()
            .filter(|activation| !activation.withheld)
            .filter_map(|activation| match activation.outcome.as_ref()?.verdict {
                Worth::Helped => Some((activation.lesson.as_str(), true)),
                Worth::Harmed => Some((activation.lesson.as_str(), false)),
                Worth::Neutral | Worth::NoOpportunity => None,
            })
            .collect();
        for link in self.contradictions_of(spoken.keys().copied())? {
            let sides = [&link.source, &link.target].map(|id| spoken.get(id.as_str()));
            let (shown, won) = match sides {
                [Some(won), None] => (&link.source, *won),
                [None, Some(won)] => (&link.target, *won),
                // Where both helped, or both harmed, neither is the better one.
                [Some(first), Some(second)] if first != second => (&link.source, *first),
                _ => continue,
            };
            let rival = links::other(&link, shown);
            if !touched.iter().any(|entry| entry.kept.lesson.id == rival) {
                touched.extend(self.entries(&[rival.to_owned()])?);
            }
            for entry in touched.iter_mut() {
                let id = &entry.kept.lesson.id;
                if *id == *shown {
                    entry.evidence.contested(won);
                } else if id == rival && entry.is_recalled() {
                    entry.evidence.contested(!won);
                }
            }
        }
        Ok(())
    }

    /// Counts a loss for lessons whose advice never worked, where a run of a task that brings the failures they
    /// answer was helped by others: they are not shown beside the better ones, so no run of their own would end
    /// them.
    fn displace(
        &self,
        judged: &Judged,
        task: Option<&Task>,
        touched: &mut Vec<Entry>,
    ) -> Result<(), Error> {
        let helped = judged.activations.iter().any(|activation| {
            let outcome = activation.outcome.as_ref();
            !activation.withheld && outcome.is_some_and(|outcome| outcome.verdict == Worth::Helped)
        });
        let brings = task.map(Task::latest_failures).unwrap_or_default();
        if !helped || brings.is_empty() {
            return Ok(());
        }
        let conditions = vec![
            equals("advice", REFUTED),
            equals("status", LessonStatus::Candidate.as_str()),
            any_of("fingerprint", brings.iter().map(String::as_str)),
        ];
        let refuted = query::<KeptLesson>(conditions, newest("updated-at"), WATCHED);
        for (read, _) in self.search::<KeptLesson>(&refuted)? {
            let id = read.noun.lesson.id;
            if !touched.iter().any(|entry| entry.kept.lesson.id == id) {
                for mut entry in self.entries(&[id])? {
                    entry.evidence.contested(false);
                    touched.push(entry);
                }
            }
        }
        Ok(())
    }

    /// Archives some of the lessons that nobody used for long.
    fn age(&self, touched: &mut Vec<Entry>, now: u64) -> Result<(), Error> {
        let old: Vec<_> = self
            .aged(now, AGED)?
            .into_iter()
            .filter(|id| !touched.iter().any(|entry| entry.kept.lesson.id == *id))
            .collect();
        for mut entry in self.entries(&old)? {
            if let Some(reason) = too_old(&entry, now) {
                entry.become_status(LessonStatus::Archived, &reason, now);
                touched.push(entry);
            }
        }
        Ok(())
    }

    /// Lessons that may be too old, the oldest first.
    pub(crate) fn aged(&self, now: u64, limit: u32) -> Result<Vec<String>, Error> {
        let Some(before) = now.checked_sub(YOUNG_MS) else {
            return Ok(Vec::new());
        };
        let living = [
            LessonStatus::Candidate,
            LessonStatus::Promoted,
            LessonStatus::UnderReview,
            LessonStatus::Suppressed,
            LessonStatus::Deprecated,
        ];
        let conditions = vec![
            any_of("status", living.iter().map(|status| status.as_str())),
            at_most("updated-at", before as f64),
        ];
        let query = query::<KeptLesson>(conditions, ascending("updated-at"), limit);
        let found = self.search::<KeptLesson>(&query)?;
        Ok(found
            .into_iter()
            .map(|(read, _)| read.noun.lesson.id)
            .collect())
    }

    /// Finds lessons in the steps of an episode and keeps them.
    pub(crate) fn mine_episode(&self, episode: &str) -> Result<Vec<Lesson>, Error> {
        let ended = self.ended(episode)?;
        let mut attempts = self.attempts_of(episode)?;
        let known = self.known(ended.fingerprints.iter().map(String::as_str))?;
        self.keep(self.mined(&OpenRun::of(&ended), &mut attempts, &known))
    }
}

/// Why a lesson is too old to be kept among the living. What a person vouches for does not age.
pub(crate) fn too_old(entry: &Entry, now: u64) -> Option<String> {
    let lesson = &entry.kept.lesson;
    if lesson.trust == Trust::Vouched {
        return None;
    }
    usefulness::stale(&entry.evidence, lesson.status, lesson.updated_at, now)
}

/// Moves a lesson to where its evidence puts it.
fn move_on(entry: &mut Entry, deterministic: bool, now: u64) {
    let lesson = &entry.kept.lesson;
    // A person may know of opportunities that no run of this memory had yet.
    if lesson.trust == Trust::Vouched && entry.evidence.with.opportunities == 0 {
        return;
    }
    let verdict = usefulness::judge(&entry.evidence, lesson.status, deterministic, now);
    let (status, reason) = match verdict {
        Verdict::Stay => return,
        Verdict::Promote(reason) => (LessonStatus::Promoted, reason),
        Verdict::Review(reason) => (LessonStatus::UnderReview, reason),
        Verdict::Suppress(reason) => (LessonStatus::Suppressed, reason),
        Verdict::Deprecate(reason) => (LessonStatus::Deprecated, reason),
        Verdict::Retry(reason) => (LessonStatus::Candidate, reason),
    };
    entry.become_status(status, &reason, now);
}

/// A step as lessons are found in it.
pub(crate) fn attempt(step: &TraceStep) -> Attempt {
    Attempt {
        index: step.index,
        action: step.feedback.action_text.clone(),
        failure: step
            .fingerprint
            .clone()
            .map(|fingerprint| (fingerprint, String::new())),
        known_runs: 0,
        harmful: false,
    }
}

fn precondition(version: Option<u32>) -> Precondition {
    match version {
        None => Precondition::Absent,
        Some(version) => Precondition::At(version),
    }
}

/// As many steps as an origin names.
fn beginning(mut steps: Vec<u32>) -> Vec<u32> {
    steps.truncate(limits::STEPS_PER_ORIGIN);
    steps
}
