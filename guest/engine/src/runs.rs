//! Runs: tasks being worked on, step by step, until they end as episodes.
//!
//! Owns how runs are started, observed and read. What a step does to one is the business of the [open run](OpenRun),
//! what is known about a failure of recall, and what is learned at the end of the endings.

mod open_run;
mod recent;

use std::collections::BTreeSet;

use twiceshy_wit::{
    adapter::PastStep,
    memory::{
        Briefing, BriefingRequest, Description, Episode, Error, Event, NewRun, Run, TaskContext,
        TraceStep,
    },
};

use crate::{
    episodes::{
        self, Head, KeptAccount, account, cold,
        experience::{self},
        tasks::{Task, task_id},
    },
    insertion,
    lessons::activations,
    limits, payload, recall, refusal,
    secrets::is_secret,
    store::{Desk, Kind, Read, Reader, at_least, digest, equals, newest, query},
};
pub(crate) use open_run::{CheckedStep, OpenRun};
pub(crate) use recent::{recent_steps, worked_lately};

/// How many recent events of the domain are considered.
const RECENT_EVENTS: u32 = 16;

/// Steps that an adapter is shown at most.
const MOST_PAST_STEPS: u32 = 16;

/// How long an event counts as recent: 7 days.
const LATELY_MS: u64 = 7 * 24 * 60 * 60 * 1_000;

/// The size of a briefing in tokens if the caller does not say.
const BRIEFED_TOKENS: u32 = 1_000;

pub(crate) fn start(desk: &mut Desk, run: &NewRun) -> Result<Run, Error> {
    check_new("run", run)?;
    let head = Head::of_run(run)?;
    let now = desk.now();
    desk.commit(|batch| {
        let id = free_id(batch, run, now, batch.attempt())?;
        let open = OpenRun::new(id, run, head.clone(), now);
        batch.add(&open);
        Ok(open.run)
    })
}

pub(crate) fn brief(
    desk: &mut Desk,
    run: &str,
    request: &BriefingRequest,
) -> Result<Briefing, Error> {
    let now = desk.now();
    let open = open_run(desk, run)?.noun;
    let context = context_of(desk, &open, request)?;
    let fitting = recall::hints_before(desk, &context, &open.head)?;
    let (mut briefing, unaided) = desk.commit(|batch| {
        let mut open = open_run(batch, run)?.noun;
        let mut hints = fitting.clone();
        let evidence = activations::evidence_of(batch, &hints)?;
        hints.retain(|hint| !activations::is_idle_claim(hint, &evidence));
        if open.show(batch, &mut hints, &evidence, None, now) {
            batch.put(&open);
        }
        let text = activations::rendered(&hints);
        let briefing = Briefing {
            tokens: insertion::tokens(&text),
            text,
            hints,
        };
        let unaided = open.activations.is_empty().then_some(open.run.task);
        Ok((briefing, unaided))
    })?;
    // Where a lesson speaks, or is withheld, nothing else does: it would be measured with it.
    if let Some(task) = unaided {
        let tokens = request.tokens.unwrap_or(BRIEFED_TOKENS);
        briefing.text = experience::experience_briefing(desk, &task, tokens)?;
        briefing.tokens = insertion::tokens(&briefing.text);
        if !briefing.text.is_empty() {
            note_experience(desk, run)?;
        }
    }
    Ok(briefing)
}

pub(crate) fn describe(
    desk: &mut Desk,
    run: &str,
    description: &Description,
) -> Result<Run, Error> {
    let said = match &description.account {
        Some(account) => Some(account::checked_account(desk, account)?),
        None => None,
    };
    desk.commit(|batch| {
        let mut noun = open_run(batch, run)?.noun;
        noun.head.describe(description)?;
        batch.put(&noun);
        if let Some(said) = &said {
            let read = batch.load::<KeptAccount>(run)?;
            let mut account = read.map(|read| read.noun.account).unwrap_or_default();
            episodes::describe(&mut account, said.clone());
            let episode = run.to_owned();
            batch.put(&KeptAccount { episode, account });
        }
        Ok(noun.run)
    })
}

pub(crate) fn get(reader: &Reader, run: &str) -> Result<Run, Error> {
    Ok(open_run(reader, run)?.noun.run)
}

pub(crate) fn open(reader: &Reader, limit: u32) -> Result<Vec<Run>, Error> {
    let order = newest("started-at");
    let open = reader.search::<OpenRun>(&query::<OpenRun>(
        Vec::new(),
        order,
        limits::listed(Some(limit)),
    ))?;
    Ok(open.into_iter().map(|(read, _)| read.noun.run).collect())
}

pub(crate) fn latest_steps(reader: &Reader, run: &str, limit: u32) -> Result<Vec<PastStep>, Error> {
    let steps = cold::last_steps(reader, run, limit.min(MOST_PAST_STEPS))?;
    Ok(steps.into_iter().map(past).collect())
}

/// A step as an adapter is shown it.
fn past(step: TraceStep) -> PastStep {
    PastStep {
        step: step.step,
        feedback: step.feedback,
    }
}

pub(crate) fn open_run(reader: &Reader, id: &str) -> Result<Read<OpenRun>, Error> {
    if let Some(open) = reader.load::<OpenRun>(id)? {
        return Ok(open);
    }
    Err(match reader.load::<Episode>(id)? {
        Some(_) => Error::Conflict(format!(
            "Run `{id}` has ended. Start another one with `runs.start`."
        )),
        None => Error::NotFound(format!(
            "There is no run `{id}`. Start one with `runs.start`."
        )),
    })
}

/// Digits of a run's id beside its time: two of one moment are told apart.
const ID_DIGITS: usize = 8;

/// An id that no run or episode has: the caller's own, or one made from what the run is.
pub(crate) fn free_id(
    reader: &Reader,
    run: &NewRun,
    now: u64,
    attempt: u32,
) -> Result<String, Error> {
    if let Some(id) = &run.id {
        if reader.has(&[Kind::Run, Kind::Episode], id)? {
            return Err(Error::Conflict(format!(
                "The id `{id}` belongs to another run. Choose another id, or leave it out."
            )));
        }
        return Ok(id.clone());
    }
    for number in attempt.. {
        let parts = [
            run.task.as_str(),
            &run.domain,
            &now.to_string(),
            &number.to_string(),
        ];
        // By its time first, so that what is written of one run lies beside what is written of the run before.
        let id = format!("run_{now:011x}{}", &digest(&parts)[..ID_DIGITS]);
        if !reader.has(&[Kind::Run, Kind::Episode], &id)? {
            return Ok(id);
        }
    }
    Err(Error::Busy(
        "No id is free for this run. Try again.".to_owned(),
    ))
}

/// Notes that a run was shown experience: it says nothing about how its task goes without help.
fn note_experience(desk: &mut Desk, run: &str) -> Result<(), Error> {
    desk.commit_lightly(|batch| {
        let mut noun = open_run(batch, run)?.noun;
        if noun.told_experience {
            return Ok(());
        }
        noun.told_experience = true;
        batch.put(&noun);
        Ok(())
    })
}

/// What a run is about: its task, and the failures that it and its kind brought before.
fn context_of(
    reader: &Reader,
    open: &OpenRun,
    request: &BriefingRequest,
) -> Result<TaskContext, Error> {
    let run = &open.run;
    let mut failures: Vec<String> = open.fingerprints().map(str::to_owned).collect();
    if let Some(id) = task_id(&run.domain, &run.task)
        && let Some(task) = reader.load::<Task>(&id)?
    {
        failures.extend(task.noun.latest_failures());
    }
    if run.task.trim().is_empty() {
        // Nothing says what the run is about, except what went wrong around it recently.
        let lately = reader.now().saturating_sub(LATELY_MS);
        let conditions = vec![equals("domain", &run.domain), at_least("at", lately as f64)];
        let recent = query::<Event>(conditions, newest("at"), RECENT_EVENTS);
        for (read, _) in reader.search::<Event>(&recent)? {
            failures.push(read.noun.fingerprint);
        }
    }
    let mut seen = BTreeSet::new();
    failures.retain(|id| seen.insert(id.clone()));
    failures.truncate(limits::TRIGGERS);
    Ok(TaskContext {
        task: run.task.clone(),
        domain: run.domain.clone(),
        recent_fingerprints: failures,
        limit: request.limit,
        tokens: Some(request.tokens.unwrap_or(BRIEFED_TOKENS)),
    })
}

/// Refuses a run that is not valid. `noun` is what the caller calls it: a run, or an episode.
pub(crate) fn check_new(noun: &str, run: &NewRun) -> Result<(), Error> {
    if let Some(id) = &run.id {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if id.is_empty()
            || id.len() > limits::RUN_ID_BYTES
            || !id.chars().all(allowed)
            || is_secret(id)
        {
            return Err(Error::InvalidArgument(format!(
                "`{noun}.id` is `{}`; it must be 1 to {} letters, digits, dashes or underscores, or left out",
                payload::kept_text(id, 100),
                limits::RUN_ID_BYTES
            )));
        }
    }
    refusal::bytes(&format!("{noun}.task"), run.task.len(), limits::TASK_BYTES)?;
    if let Some(share) = run.hold_out {
        refusal::within("run.hold-out", share, 0.0..=0.5)?;
    }
    payload::check_domain(&format!("{noun}.domain"), &run.domain)
}
