//! The end of a run: what is learned from it.
//!
//! Owns the order of work: the run is scored, lessons are found in its steps, those that were shown or
//! withheld are judged, and all of it is written at once with the episode. The score is the business of
//! the [referee]; what a run says about each lesson, of the [judgement]; what follows from that for the
//! lesson, of [`usefulness`](crate::usefulness).

mod course;
pub(crate) mod experience;
pub(crate) mod intake;
mod judgement;
pub(crate) mod referee;
pub(crate) mod submission;

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::memory::{
    Account, Ending, Episode, Error, Lesson, LessonCandidate, LessonKind, LessonStatus, NewRun,
    Observed, Reaction, Referee, Scope, Source, Submitted, Trust, Verdict as Worth,
};

use crate::{
    advice,
    endings::{experience::Prospect, submission::Submission},
    episodes::{
        self, Embeddings, Head, KeptAccount,
        attempts::attempts_of,
        embeddings,
        reward::Reward,
        tasks::{EndedRun, Task, task_id},
    },
    events::{self, Known, recoveries::Recoveries},
    lessons::{
        Entry, KeptLesson, Proposal, REFUTED,
        activations::{self, does_harm},
        distil, entry, links, proposal,
    },
    limits,
    mining::{self, Attempt, Mined},
    refusal::{self, Unit},
    runs::{CheckedStep, OpenRun, check_new, open_run, worked_lately},
    steps,
    store::{Batch, Desk, Kind, Read, Reader, any_of, ascending, at_most, equals, newest, query},
    usefulness::{self, Verdict},
    ways::ways_of,
    working::ending as working_ending,
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

pub(crate) fn finish(desk: &mut Desk, run: &str, ending: &Ending) -> Result<Episode, Error> {
    check_ending(ending)?;
    let now = desk.now();
    // What is asked of an embedder or a model is asked here, once, before the commit is prepared.
    let open = open_run(desk, run)?.noun;
    let mut attempts = attempts_of(desk, run)?;
    let known = events::load_known(desk, open.fingerprints())?;
    let mut mined = mined(desk, &open, &mut attempts, &known);
    proposal::give_vectors(desk, &mut mined);
    let scored = referee::scored(desk, &open, ending, &attempts);
    let prospect = experience::prospect(desk, &open.run.task)?;
    let account = desk.load::<KeptAccount>(run)?.map(|read| read.noun.account);
    let expected = ended(&open, &scored, &attempts, account.as_ref(), now);
    let embeddings = Embeddings::ask(desk, &expected, account.as_ref());
    let episode = entry::with_vectors(desk, &mut mined, |desk, mined| {
        embeddings::with_embeddings(desk, &embeddings, |desk, embeddings| {
            desk.commit(|batch| {
                let open = open_run(batch, run)?.noun;
                let mut known = events::load_known(batch, open.fingerprints())?;
                let account = batch.load::<KeptAccount>(run)?;
                let closing = Closing {
                    open: &open,
                    scored: &scored,
                    attempts: &attempts,
                    mined,
                    account: account.as_ref().map(|read| &read.noun.account),
                    embeddings,
                    prospect: prospect.as_ref(),
                    ended_at: now,
                    now,
                };
                let episode = close(batch, &closing, &mut known)?;
                if let Some(account) = account {
                    account.noun.put(batch, &episode);
                }
                batch.remove(Kind::Run, run);
                events::count(batch, &known);
                working_ending::end_working(batch, run, now)?;
                Ok(episode)
            })
        })
    })?;
    working_ending::sweep_working(desk, run);
    Ok(episode)
}

/// The episode that a run becomes.
pub(crate) fn ended(
    open: &OpenRun,
    scored: &Scored,
    attempts: &[Attempt],
    account: Option<&Account>,
    ended_at: u64,
) -> Episode {
    let mut episode = open.episode(scored, ended_at);
    if episode.summary.is_empty() {
        episode.summary = episodes::summary(&episode, attempts, account);
    }
    episode
}

pub(crate) fn submit(
    desk: &mut Desk,
    run: &NewRun,
    steps: &[Observed],
    ending: &Ending,
) -> Result<Submitted, Error> {
    check_new("run", run)?;
    check_ending(ending)?;
    refusal::at_most(
        "steps",
        steps.len(),
        Unit::Entries,
        limits::SUBMITTED_STEPS,
        "use `runs.start`, `runs.observe` and `runs.finish`",
    )?;
    let now = desk.now();
    let steps = steps
        .iter()
        .map(|observed| Ok((now, CheckedStep::new(observed)?)))
        .collect::<Result<Vec<_>, Error>>()?;
    let submission = Submission {
        run,
        head: Head::of_run(run)?,
        account: None,
        steps: &steps,
        ending,
        insights: &[],
        started_at: now,
        ended_at: now,
    };
    let (episode, events) = submission::commit(desk, &submission)?;
    let open = OpenRun::new(episode.id.clone(), run, submission.head, now);
    let mut reactions = Vec::with_capacity(events.len());
    for ((index, event), (_, taken)) in events.into_iter().zip(&steps) {
        let hints = match &event {
            Some(_) => steps::hints_after(desk, &open, taken),
            None => Vec::new(),
        };
        reactions.push(Reaction {
            index,
            failure: event,
            text: activations::rendered(&hints),
            hints,
        });
    }
    Ok(Submitted { episode, reactions })
}

/// Says of failed attempts what is known of their failures: how often they recur, and whether they do harm.
pub(crate) fn recognize(attempts: &mut [Attempt], known: &BTreeMap<String, Read<Known>>) {
    for attempt in attempts {
        if let Some((id, template)) = &mut attempt.failure
            && let Some(known) = known.get(id)
        {
            template.clone_from(&known.noun.fingerprint.template);
            attempt.known_runs = known.noun.runs;
            attempt.harmful = does_harm(&known.noun.fingerprint.tags);
        }
    }
}

/// Lessons that are found in the steps of a run. What is known of their failures says how often they recur.
pub(crate) fn mined(
    reader: &Reader,
    open: &OpenRun,
    attempts: &mut [Attempt],
    known: &BTreeMap<String, Read<Known>>,
) -> Vec<Proposal> {
    recognize(attempts, known);
    let run = &open.run;
    let mut proposals = Vec::new();
    let mut lessons = mining::mine(attempts);
    if lessons.iter().any(is_warning) {
        leave_out_what_worked(reader, open, &mut lessons);
    }
    for mined in lessons {
        let cases = mined.cases;
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
        match proposal::without_vector(reader, &candidate) {
            Ok(mut proposal) => {
                proposal.kept.cases = cases;
                proposals.push(proposal);
            }
            Err(error) => reader.warn(&format!("a lesson was dropped: {}", error.message())),
        }
    }
    proposals
}

fn is_warning(mined: &Mined) -> bool {
    mined.kind == LessonKind::AntiPattern
}

/// Takes out warnings of what worked in another run, of the same task or lately: it is not wrong in itself.
fn leave_out_what_worked(reader: &Reader, open: &OpenRun, lessons: &mut Vec<Mined>) {
    let worked = || -> Result<BTreeSet<String>, Error> {
        let mut worked = worked_lately(reader, &open.run.domain)?;
        if let Some(id) = task_id(&open.run.domain, &open.run.task)
            && let Some(task) = reader.load::<Task>(&id)?
        {
            worked.extend(task.noun.ways.into_iter().map(|way| way.action));
        }
        Ok(worked)
    };
    match worked() {
        Ok(worked) => lessons.retain(|mined| {
            let is_done =
                |action: &String| advice::is_warned_of(&mined.rule_text, action) == Some(true);
            !is_warning(mined) || !worked.iter().any(is_done)
        }),
        Err(error) => {
            reader.warn(&format!("no warning was learned: {}", error.message()));
            lessons.retain(|mined| !is_warning(mined));
        }
    }
}

/// Puts everything that is written when a run ends, and gives the episode it becomes. Counts in `known` what failures
/// cost without help; the caller puts that.
pub(crate) fn close(
    batch: &mut Batch,
    closing: &Closing,
    known: &mut BTreeMap<String, Read<Known>>,
) -> Result<Episode, Error> {
    let (open, now) = (closing.open, closing.now);
    let (attempts, account) = (closing.attempts, closing.account);
    let episode = ended(open, closing.scored, attempts, account, closing.ended_at);
    let mut task = match task_id(&episode.domain, &episode.task) {
        Some(id) => match batch.load::<Task>(&id)? {
            Some(read) => Some(read.noun),
            None => Some(Task::new(id, &episode)),
        },
        None => None,
    };
    let mut touched = touched(batch, open)?;
    let judged = judged(closing, &episode, task.as_ref(), known, &mut touched);
    batch.add(&episode);
    closing.embeddings.put(batch, &episode, account);
    for activation in &judged.activations {
        // The run, which is checked, owns its activations.
        batch.put_owned(activation);
    }
    if let Some(reward) = Reward::of(open.efficiency, &episode, &judged.activations) {
        batch.put_owned(&reward);
    }
    let ways = ways_of(&episode.id, attempts);
    if let Some(task) = &mut task {
        let scored = closing.scored;
        let by_referee = scored.referee != Referee::Signals;
        let ended = EndedRun {
            episode: &episode,
            told_experience: open.told_experience,
            passed: scored.passed(),
            score: scored.score.filter(|_| by_referee),
        };
        let fingerprints = judged.treated_fingerprints();
        let is_treated = |id: &str, action: &str| judged.is_treated(id, action);
        task.take(&ended, &judged.costs, &fingerprints, &is_treated);
        task.take_ways(&ways);
        batch.put(task);
    }
    let of_task = task.as_ref().map_or("", |task| task.id.as_str());
    Recoveries::take(batch, &episode, of_task, attempts)?;
    experience::put_experience(batch, closing, &episode, task.as_ref())?;
    judged.count_costs(known, now);
    contest(batch, &judged, &mut touched)?;
    displace(batch, &judged, task.as_ref(), &mut touched)?;
    age(batch, &mut touched, now)?;
    for entry in &mut touched {
        move_on(entry, closing.scored.referee == Referee::Deterministic, now);
    }
    entry::enter(batch, closing.mined, &mut touched, now)?;
    for entry in &mut touched {
        entry.put(batch);
    }
    Ok(episode)
}

/// The lessons that this run says something about: those that were shown or withheld, and those that are
/// set aside while the failures that they answer came up.
fn touched(reader: &Reader, open: &OpenRun) -> Result<Vec<Entry>, Error> {
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
        for (read, _) in reader.search::<KeptLesson>(&watched)? {
            if !ids.contains(&read.noun.lesson.id) {
                ids.push(read.noun.lesson.id);
            }
        }
    }
    entry::entries(reader, &ids)
}

/// Lets lessons that contradict each other compete: the one that was shown wins where it helped, and loses
/// where it harmed.
fn contest(reader: &Reader, judged: &Judged, touched: &mut Vec<Entry>) -> Result<(), Error> {
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
    for link in links::contradictions_of(reader, spoken.keys().copied())? {
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
            touched.extend(entry::entries(reader, &[rival.to_owned()])?);
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
    reader: &Reader,
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
    for (read, _) in reader.search::<KeptLesson>(&refuted)? {
        let id = read.noun.lesson.id;
        if !touched.iter().any(|entry| entry.kept.lesson.id == id) {
            for mut entry in entry::entries(reader, &[id])? {
                entry.evidence.contested(false);
                touched.push(entry);
            }
        }
    }
    Ok(())
}

/// Archives some of the lessons that nobody used for long.
fn age(reader: &Reader, touched: &mut Vec<Entry>, now: u64) -> Result<(), Error> {
    let old: Vec<_> = aged(reader, now, AGED)?
        .into_iter()
        .filter(|id| !touched.iter().any(|entry| entry.kept.lesson.id == *id))
        .collect();
    for mut entry in entry::entries(reader, &old)? {
        if let Some(reason) = too_old(&entry, now) {
            entry.become_status(LessonStatus::Archived, &reason, now);
            touched.push(entry);
        }
    }
    Ok(())
}

/// Lessons that may be too old, the oldest first.
pub(crate) fn aged(reader: &Reader, now: u64, limit: u32) -> Result<Vec<String>, Error> {
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
    let found = reader.search::<KeptLesson>(&query)?;
    Ok(found
        .into_iter()
        .map(|(read, _)| read.noun.lesson.id)
        .collect())
}

/// Finds lessons in the steps of an episode and keeps them.
pub(crate) fn mine_episode(desk: &mut Desk, episode: &str) -> Result<Vec<Lesson>, Error> {
    let ended = distil::ended(desk, episode)?;
    let mut attempts = attempts_of(desk, episode)?;
    let known = events::load_known(desk, ended.fingerprints.iter().map(String::as_str))?;
    entry::keep(
        desk,
        mined(desk, &OpenRun::of(&ended), &mut attempts, &known),
    )
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

/// As many steps as an origin names.
fn beginning(mut steps: Vec<u32>) -> Vec<u32> {
    steps.truncate(limits::STEPS_PER_ORIGIN);
    steps
}
