//! Files that are made from the rest of a tree: what was learned from errors, and what days cost and how they went.
//!
//! Owns their members. They are written and not read back, but for learnings of other systems.

use serde_json::{Value, json};
use twiceshy_wit::memory::{Episode, Error, TreeFile};

use super::{
    super::{
        carried::Extension,
        episode_file,
        members::{Amount, outward},
    },
    Cursor, PIECE, file, value,
};
use crate::{
    episodes::{KeptAccount, cold},
    exchange::carried,
    instant,
    store::{Kind, Reader, ascending, equals},
    upkeep::metrics,
};

/// Days of metrics.
const DAYS: u32 = 400;

/// Days of the dashboard.
const DASHBOARD_DAYS: u32 = 7;

/// What was learned from the errors of a day: the file of the next day that has any.
pub(super) fn learning_files(
    reader: &Reader,
    cursor: &mut Cursor,
    files: &mut Vec<TreeFile>,
) -> Result<bool, Error> {
    let mut learnings = Vec::new();
    let mut day = String::new();
    'day: loop {
        let heads = super::heads(reader, cursor.done, PIECE)?;
        for head in &heads {
            let ended = instant::day(head.ended_at);
            if !day.is_empty() && ended != day {
                break 'day;
            }
            day = ended;
            learnings.extend(learnings_of(reader, head)?);
            cursor.done += 1;
        }
        if heads.len() < PIECE as usize {
            break;
        }
    }
    if day.is_empty() {
        return Ok(true);
    }
    if !learnings.is_empty() {
        let text = json!({ "date": day, "learnings": learnings });
        files.push(file(format!("learnings/{day}.json"), &text));
    }
    Ok(false)
}

fn learnings_of(reader: &Reader, head: &Episode) -> Result<Vec<Value>, Error> {
    let mut extension = Extension::default();
    extension.set(head);
    extension.set(&KeptAccount {
        episode: head.id.clone(),
        account: cold::account_of(reader, &head.id)?,
    });
    for event in carried::bodies(
        reader,
        Kind::Event,
        vec![equals("run", &head.id)],
        ascending("at"),
    )? {
        extension.push(Kind::Event, event);
    }
    let errors = episode_file::written(&extension).map_err(Error::Storage)?;
    let errors = errors.errors_encountered.into_iter();
    let learning = |error: episode_file::Trouble| {
        json!({
            "what_fails": error.kind,
            "why": error.message,
            "prevention": error.resolution,
            "source": head.id,
        })
    };
    Ok(errors.map(learning).collect())
}

/// What days cost and how they went, and the last 7 in one.
pub(super) fn metric_files(reader: &Reader, files: &mut Vec<TreeFile>) -> Result<bool, Error> {
    let metrics = match metrics::metrics(reader, Some(DAYS)) {
        Ok(metrics) => metrics,
        Err(Error::Unavailable(_)) => return Ok(true),
        Err(error) => return Err(error),
    };
    for day in metrics.days.iter().filter(|day| day.episodes > 0) {
        let cost = json!({
            "date": day.day,
            "tasks": day.episodes,
            "time_seconds": Amount(day.duration_seconds.max(0.0)),
            "agents": day.agents,
            "retries": day.retries,
            "steps": day.steps,
            "failures": day.failures,
        });
        files.push(file(format!("metrics/efficiency/{}.json", day.day), &cost));
        let rewards = json!({
            "date": day.day,
            "outcome": { "tasks": day.episodes, "successes": day.successes, "score": day.score },
            "efficiency": day.efficiency,
            "preference": day.preference,
        });
        files.push(file(format!("metrics/rewards/{}.json", day.day), &rewards));
    }
    let week = metrics::metrics(reader, Some(DASHBOARD_DAYS))?;
    let week = outward(value(&week));
    files.push(file("metrics/dashboard.json".to_owned(), &week));
    Ok(true)
}
