//! Pruning: removes what is older than a date.
//!
//! Owns what is removed together. It works in small commits, each of which leaves the memory
//! whole, so that it can be interrupted and done again.

use std::collections::BTreeMap;

use twiceshy_wit::{
    host::Condition,
    memory::{
        Activation, Episode, Error, Event, LessonStatus, Link, PatternVersion, Pruned, TraceStep,
    },
};

use crate::{
    decisions::{
        KeptDecision,
        failures::KeptFailure,
        records::{self, AT, Record},
    },
    episodes::{
        self, cold,
        lifecycle::{self, DELETED_AT, KeptLifecycle},
        tasks::Task,
    },
    events::{self, Known},
    lessons::{KeptLesson, patterns::Application, withdrawal},
    limits::DAY_MS,
    store::{Batch, Desk, Kind, Noun, any_of, ascending, at_most, equals, newest, query},
    upkeep::{
        consolidation::{Forgotten, JournalEntry, remove_journals},
        deletion,
        forgetting::Traces,
    },
    working::ColdContent,
};

/// How long an episode that is set aside is kept, in days.
const RETENTION_DAYS: u32 = 30;

/// Documents of one kind that are read in one go.
const PAGE: u32 = 1_000;

/// Documents that are removed in one commit, with room for the counters that change with them.
const AT_ONCE: usize = 400;

pub(crate) fn remove_before(desk: &mut Desk, before: u64, dry_run: bool) -> Result<Pruned, Error> {
    let mut pruned = Pruned::default();
    let Some(last) = before.checked_sub(1) else {
        return Ok(pruned);
    };
    let conditions = vec![at_most("ended-at", last as f64)];
    let mut episodes = query::<Episode>(conditions, ascending("ended-at"), PAGE);
    loop {
        let page = desk.search::<Episode>(&episodes)?;
        let found = page.len() as u32;
        for (read, _) in page {
            remove_episode(desk, &read.noun.id, &mut pruned, dry_run)?;
        }
        if found < PAGE {
            break;
        }
        if dry_run {
            episodes.offset += PAGE;
        }
    }
    pruned.lessons = remove_lessons(desk, last, dry_run)?;
    if !dry_run {
        remove_tasks(desk, last)?;
        remove_fingerprints(desk, last)?;
    }
    // What consolidation keeps to be undone holds what is to go.
    if !dry_run {
        while remove_journals(desk, last, &Forgotten::Pruned)? {}
        remove_where::<JournalEntry>(desk, &at_most(AT, last as f64), false)?;
    }
    pruned.decisions = remove_records::<KeptDecision>(desk, before, dry_run)?;
    pruned.failures = remove_records::<KeptFailure>(desk, before, dry_run)?;
    Ok(pruned)
}

/// Removes an episode with everything that belongs to it, in cold storage, too.
pub(crate) fn remove_episode(
    desk: &mut Desk,
    id: &str,
    pruned: &mut Pruned,
    dry_run: bool,
) -> Result<(), Error> {
    remove_parts(desk, id, pruned, dry_run)?;
    match dry_run {
        true => Ok(()),
        false => remove_head(desk, id),
    }
}

/// Removes the events, steps and activations of an episode.
fn remove_parts(
    desk: &mut Desk,
    id: &str,
    pruned: &mut Pruned,
    dry_run: bool,
) -> Result<(), Error> {
    let lifecycle = lifecycle::lifecycle(desk, id)?.noun;
    pruned.episodes += 1;
    pruned.events += remove_events(desk, id, dry_run)?;
    pruned.steps += remove_all::<TraceStep>(desk, id, dry_run)? + lifecycle.cold_steps;
    pruned.activations += remove_all::<Activation>(desk, id, dry_run)?;
    Ok(())
}

/// Removes an episode itself, and what it has in cold storage.
fn remove_head(desk: &mut Desk, id: &str) -> Result<(), Error> {
    let lifecycle = lifecycle::lifecycle(desk, id)?.noun;
    let cold = cold::cold_names(desk, &lifecycle);
    remove_in_order::<ColdContent>(desk, &equals("run", id), "number")?;
    remove_in_order::<Link>(desk, &equals("lesson", id), AT)?;
    // The episode goes last: while it is there, what is left of it is found again.
    desk.commit(|batch| {
        episodes::remove(batch, id);
        Ok(())
    })?;
    for name in cold {
        // What is left behind is an orphan that nobody names.
        if let Err(error) = desk.archive.discard(&name) {
            desk.warn(&format!(
                "{name} stays in cold storage: {}",
                error.message()
            ));
        }
    }
    Ok(())
}

/// Removes the events of a run; their fingerprints note that they are gone.
fn remove_events(desk: &mut Desk, run: &str, dry_run: bool) -> Result<u32, Error> {
    if dry_run {
        return desk.count(Kind::Event, &[equals("run", run)]);
    }
    let mut removed = 0;
    loop {
        let some = desk.commit(|batch| {
            let page = query::<Event>(vec![equals("run", run)], newest("at"), AT_ONCE as u32);
            let events = batch.search::<Event>(&page)?;
            let ids = events
                .iter()
                .map(|(read, _)| read.noun.fingerprint.as_str());
            let mut known = events::load_known(batch, ids)?;
            let mut gone: BTreeMap<&str, u32> = BTreeMap::new();
            for (read, _) in &events {
                *gone.entry(&read.noun.fingerprint).or_default() += 1;
                batch.remove(Kind::Event, &read.noun.id);
            }
            for (fingerprint, count) in gone {
                if let Some(known) = known.get_mut(fingerprint) {
                    known.noun.pruned += count;
                    batch.put(&known.noun);
                }
            }
            Ok(events.len() as u32)
        })?;
        removed += some;
        if (some as usize) < AT_ONCE {
            return Ok(removed);
        }
    }
}

/// Removes all documents of a kind that belong to a run.
fn remove_all<N: Noun>(desk: &mut Desk, run: &str, dry_run: bool) -> Result<u32, Error> {
    remove_where::<N>(desk, &equals("run", run), dry_run)
}

/// Removes records that were made before a time. Their wordings stay: they are an index, and others may have
/// the same.
fn remove_records<R: Record>(desk: &mut Desk, before: u64, dry_run: bool) -> Result<u32, Error> {
    remove_where::<R>(desk, &records::until(before), dry_run)
}

/// Removes all documents of a kind that meet a condition, the oldest first.
fn remove_where<N: Noun>(
    desk: &mut Desk,
    condition: &Condition,
    dry_run: bool,
) -> Result<u32, Error> {
    let conditions = vec![condition.clone()];
    if dry_run {
        return desk.count(N::KIND, &conditions);
    }
    remove_in_order::<N>(desk, condition, AT)
}

/// Removes all documents of a kind that meet a condition, in the order of an attribute.
fn remove_in_order<N: Noun>(
    desk: &mut Desk,
    condition: &Condition,
    order: &str,
) -> Result<u32, Error> {
    let page = query::<N>(vec![condition.clone()], ascending(order), AT_ONCE as u32);
    let mut removed = 0;
    loop {
        let found = desk.search::<N>(&page)?;
        let some = found.len();
        desk.commit(|batch| {
            for (read, _) in &found {
                batch.remove_owned(N::KIND, &read.noun.id());
            }
            Ok(())
        })?;
        removed += some as u32;
        if some < AT_ONCE {
            return Ok(removed);
        }
    }
}

/// Removes what is known of tasks that had no run since a time. What they cost without help is needed as long as a lesson
/// answers their failures.
fn remove_tasks(desk: &mut Desk, last: u64) -> Result<(), Error> {
    remove_unneeded::<Task>(desk, last, |batch, task| {
        let met = task.failures.iter();
        let met = met.map(|failure| failure.fingerprint.as_str());
        Ok(!task.failures.is_empty()
            && batch.count(Kind::Lesson, &[any_of("fingerprint", met)])? > 0)
    })
}

/// Removes what is known of failures that were not met since a time, and that nothing refers to.
fn remove_fingerprints(desk: &mut Desk, last: u64) -> Result<(), Error> {
    remove_unneeded::<Known>(desk, last, |batch, known| {
        let of_it = [equals("fingerprint", &known.fingerprint.id)];
        Ok(batch.count(Kind::Lesson, &of_it)? > 0
            || batch.count(Kind::Event, &of_it)? > 0
            || batch.count(Kind::Episode, &of_it)? > 0)
    })
}

/// Removes the documents of a kind that were last met up to a time, unless they are needed.
fn remove_unneeded<N: Noun>(
    desk: &mut Desk,
    last: u64,
    is_needed: impl Fn(&Batch, &N) -> Result<bool, Error>,
) -> Result<(), Error> {
    let old = vec![at_most("last-at", last as f64)];
    let mut page = query::<N>(old, ascending("last-at"), AT_ONCE as u32);
    loop {
        let (found, stay) = desk.commit(|batch| {
            let found = batch.search::<N>(&page)?;
            let mut stay = 0;
            for (read, _) in &found {
                match is_needed(batch, &read.noun)? {
                    true => stay += 1,
                    false => batch.remove(N::KIND, &read.noun.id()),
                }
            }
            Ok((found.len() as u32, stay))
        })?;
        if found < page.limit {
            return Ok(());
        }
        page.offset += stay;
    }
}

/// Removes what a lesson has as a pattern.
fn remove_pattern(desk: &mut Desk, id: &str) -> Result<(), Error> {
    let own = equals("pattern", id);
    remove_in_order::<Application>(desk, &own, "at")?;
    remove_in_order::<PatternVersion>(desk, &own, "version")?;
    desk.commit(|batch| {
        batch.remove_owned(Kind::PatternBody, id);
        batch.remove_owned(Kind::Pattern, id);
        Ok(())
    })
}

/// Removes archived lessons that were changed last up to a time, with their evidence and their links.
fn remove_lessons(desk: &mut Desk, last: u64, dry_run: bool) -> Result<u32, Error> {
    let conditions = vec![
        equals("status", LessonStatus::Archived.as_str()),
        at_most("updated-at", last as f64),
    ];
    if dry_run {
        return desk.count(Kind::Lesson, &conditions);
    }
    let mut removed = 0;
    let archived = query::<KeptLesson>(conditions, ascending("updated-at"), PAGE);
    loop {
        let page = desk.search::<KeptLesson>(&archived)?;
        let found = page.len() as u32;
        for (read, _) in page {
            let id = &read.noun.lesson.id;
            // The lesson goes last: while it is there, what is left of it is found again.
            remove_in_order::<Link>(desk, &equals("lesson", id), AT)?;
            remove_pattern(desk, id)?;
            desk.commit(|batch| {
                batch.remove_owned(Kind::Lesson, id);
                batch.remove_owned(Kind::Evidence, id);
                Ok(())
            })?;
            removed += 1;
        }
        if found < PAGE {
            return Ok(removed);
        }
    }
}

pub(crate) fn purge_episodes(
    desk: &mut Desk,
    retention_days: Option<u32>,
    dry_run: bool,
) -> Result<Vec<String>, Error> {
    let retention = u64::from(retention_days.unwrap_or(RETENTION_DAYS)) * DAY_MS;
    let Some(last) = desk.now().checked_sub(retention) else {
        return Ok(Vec::new());
    };
    let conditions = vec![at_most(DELETED_AT, last as f64)];
    let mut page = query::<KeptLifecycle>(conditions, ascending(DELETED_AT), PAGE);
    let mut gone = Vec::new();
    loop {
        let found = desk.search::<KeptLifecycle>(&page)?;
        let all = found.len() as u32;
        for (read, _) in found {
            let id = read.noun.episode;
            // What somebody refers to stays, and so does its place in the order.
            let stays = !episodes::references_to(desk, &id)?.is_empty();
            if stays || dry_run {
                page.offset += 1;
            }
            if stays {
                continue;
            }
            if !dry_run {
                purge_deleted(desk, &id)?;
            }
            gone.push(id);
        }
        if all < PAGE {
            return Ok(gone);
        }
    }
}

/// Removes one episode for good, deleted before or not. What only it taught goes with it, if that is allowed; gives these lessons.
pub(crate) fn purge_episode(
    desk: &mut Desk,
    id: &str,
    with_lessons: bool,
) -> Result<Vec<String>, Error> {
    episodes::get(desk, id)?;
    let lessons = withdrawal::learned_in_alone(desk, id)?;
    if !lessons.is_empty() && !with_lessons {
        return Err(Error::Conflict(format!(
            "Episode `{id}` can't be purged: {} learned in it alone ({}). Pass `with-lessons` to remove what it taught, too.",
            match lessons.len() {
                1 => "a lesson was".to_owned(),
                many => format!("{many} lessons were"),
            },
            lessons.join(", ")
        )));
    }
    if lifecycle::lifecycle(desk, id)?.noun.deleted_at.is_none() {
        deletion::delete(desk, id, "to be purged")?;
    }
    purge_deleted(desk, id)?;
    Ok(lessons)
}

/// Removes a deleted episode for good. Whatever interrupts it, what is left of it says what is left to be forgotten.
fn purge_deleted(desk: &mut Desk, id: &str) -> Result<(), Error> {
    lifecycle::change_lifecycle(desk, id, |lifecycle| {
        lifecycle.purged = true;
        Ok(())
    })?;
    // An earlier version deleted it without that.
    deletion::part(desk, id)?;
    let traces = Traces::of(desk, id)?;
    traces.forget_causes(desk)?;
    remove_parts(desk, id, &mut Pruned::default(), false)?;
    traces.forget(desk)?;
    withdrawal::forget(desk, id)?;
    remove_head(desk, id)
}
