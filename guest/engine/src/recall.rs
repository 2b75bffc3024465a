//! Recall: which lessons may help now, and why.
//!
//! Owns which lessons are considered, their order, and the guards on how many are returned. It changes
//! nothing: what is really shown in a run is recorded by `runs` and `activations`.

pub(crate) mod context;
pub(crate) mod explain;

mod fit;
pub(crate) mod neighbours;
pub(crate) mod pool;
mod score;
mod way;

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use twiceshy_wit::{
    host::{Order, Query},
    memory::{
        Error, FailureContext, Fingerprint, Hint, Lane, Lesson, LessonKind, Scope, ScoreParts,
        TaskContext, TaskFeatures, Trust,
    },
};

use crate::{
    advice,
    episodes::Head,
    events::{Known, identify},
    insertion,
    lessons::{KeptLesson, Proposal, is_claim, is_way, links, patterns, reaching, recalled},
    limits,
    refusal::{self, Unit},
    secrets,
    similarity::{
        CROSS_DOMAIN_ANCHOR, CROSS_DOMAIN_SCORE, FITTING, LEAST_LIKENESS, LEAST_OWN,
        LESSONS_FIT_AS_WELL, Ordered, Scale, WEAK, best_fitting_first,
    },
    store::{Desk, Noun as _, Read, Reader, any_of, newest, query},
    text,
};
use fit::{Fit, Incident};
use score::{Fitted, Sought, TEXT};

/// Lessons after a failure if the caller does not say.
const HINTS: u32 = 3;

/// Lessons before a task if the caller does not say.
const BRIEFED: u32 = 8;

/// Lessons at most.
const MOST_HINTS: u32 = 32;

/// How many lessons each way of looking may bring into the ranking.
const POOL: u32 = 32;

/// The same for each lesson that is asked for: who asks for few does not wait for many.
const POOL_FOR_EACH: u32 = 4;

/// The same where conditions of patterns keep all of those back.
const WIDE_POOL: u32 = 128;

pub(crate) fn for_task(desk: &Desk, task: &TaskContext) -> Result<Vec<Hint>, Error> {
    refusal::at_most(
        "recent-fingerprints",
        task.recent_fingerprints.len(),
        Unit::Entries,
        limits::TRIGGERS,
        "give the newest",
    )?;
    hints_before(desk, task, &Head::default())
}

/// Lessons for a failure: those that answer its very fingerprint; only if none of them fits, those for similar
/// ones. `head` is what is said of the run that failed.
pub(crate) fn hints(
    desk: &Desk,
    context: &FailureContext,
    head: &Head,
) -> Result<Vec<Hint>, Error> {
    let (mut hints, new) = hints_in_run(desk, context, None, head)?;
    if let Some(new) = new {
        hints.retain(|hint| hint.lesson.id != new.id());
    }
    Ok(hints)
}

/// The same in a run, which may be shown what worked in other runs of its task; with the lesson that this is, if nobody
/// knows it yet.
pub(crate) fn hints_in_run(
    desk: &Desk,
    context: &FailureContext,
    run: Option<&str>,
    head: &Head,
) -> Result<(Vec<Hint>, Option<Proposal>), Error> {
    let sought = sought_for(desk, context)?;
    let features = patterns::features_in(&sought.task, &sought.domain, head);
    let limit = context.limit.unwrap_or(HINTS).min(MOST_HINTS) as usize;
    let mut hints = best_showable(desk, ranked(&sought, exact(desk, &sought)?), &features)?;
    if hints.is_empty() {
        hints = beside_similar(desk, &sought, &[], limit, &features)?;
    }
    let mut hints = guarded(desk, &sought, hints, limit, context.tokens)?;
    let new = match way::out(desk, &sought, run, &head.agent, &mut hints)? {
        Some(way) => way.join(&mut hints, limit, context.tokens),
        None => None,
    };
    Ok((hints, new))
}

/// What a lesson says of a failure that it answers, with its names; none if it can't be said so.
pub(crate) fn rule_at_hand(kept: &KeptLesson, action: &str, evidence: &str) -> Option<String> {
    let incident = Incident {
        action: action.to_owned(),
        evidence: evidence.to_owned(),
    };
    match incident.at_hand().fit(kept, true) {
        Fit::Applies { command, .. } => incident.rule(&command),
        _ => None,
    }
}

/// What is sought after a failure.
fn sought_for(reader: &Reader, context: &FailureContext) -> Result<Sought, Error> {
    let fingerprint = match &context.fingerprint {
        None => identify(&context.evidence),
        Some(id) => match reader.load::<Known>(id)? {
            Some(known) => known.noun.fingerprint,
            None => Fingerprint {
                id: id.clone(),
                ..identify(&context.evidence)
            },
        },
    };
    Ok(Sought {
        words: text::telling(&fingerprint.template),
        incident: Some(Incident {
            action: secrets::mask(context.action_text.as_deref().unwrap_or_default()).to_string(),
            evidence: secrets::mask(&context.evidence).to_string(),
        }),
        before: false,
        ordered: None,
        task: context.task.clone(),
        domain: context.domain.clone(),
        now: reader.now(),
        failures: vec![fingerprint],
    })
}

/// Lessons for a task, of which `head` is what is said of its run, and for the failures that it may bring.
pub(crate) fn hints_before(
    desk: &Desk,
    context: &TaskContext,
    head: &Head,
) -> Result<Vec<Hint>, Error> {
    let ids = context.recent_fingerprints.iter();
    let ids = ids.filter(|id| !id.is_empty() && id.len() <= limits::ID_BYTES && !id.contains('\0'));
    let known = desk.load_all::<Known>(ids)?.into_iter();
    let sought = Sought {
        failures: known.map(|read| read.noun.fingerprint).collect(),
        words: text::telling(&context.task),
        incident: None,
        before: true,
        ordered: Some(Ordered::new(&context.task)),
        task: context.task.clone(),
        domain: context.domain.clone(),
        now: desk.now(),
    };
    let limit = context.limit.unwrap_or(BRIEFED).min(MOST_HINTS) as usize;
    let features = patterns::features_in(&sought.task, &sought.domain, head);
    let exact = exact(desk, &sought)?;
    let hints = beside_similar(desk, &sought, &exact, limit, &features)?;
    guarded(desk, &sought, hints, limit, context.tokens)
}

/// Lessons that answer the very failures.
fn exact(reader: &Reader, sought: &Sought) -> Result<Vec<Found>, Error> {
    if sought.failures.is_empty() {
        return Ok(Vec::new());
    }
    let ids = sought.failures.iter().map(|failure| failure.id.as_str());
    let conditions = vec![any_of("fingerprint", ids), recalled()];
    let pool = POOL.max(2 * sought.failures.len() as u32);
    let look = |order: Order, known: &[Found]| -> Result<Vec<Found>, Error> {
        let page = query::<KeptLesson>(conditions.clone(), order, pool);
        let found = first_reaching(reader, sought, &page, known)?.into_iter();
        Ok(found.map(|(read, _)| Found::new(read.noun)).collect())
    };
    let mut all = look(newest("updated-at"), &[])?;
    if let Some(incident) = sought
        .incident
        .as_ref()
        .filter(|_| all.len() >= pool as usize)
    {
        // One error text may have any number of lessons: those about this action are found by its words, and those about
        // what the error blames by that alone.
        for words in [incident.words(), incident.blamed()] {
            if !words.is_empty() {
                let more = look(Order::ByText(words), &all)?;
                all.extend(more);
            }
        }
    }
    Ok(all)
}

/// The first lessons of a page; where some of them are not meant for what is sought, also the first that are. So lessons for
/// other domains and tasks may be seen, and take no place of those for this one. Those that are known are left out.
fn first_reaching(
    reader: &Reader,
    sought: &Sought,
    page: &Query,
    known: &[Found],
) -> Result<Vec<(Read<KeptLesson>, f64)>, Error> {
    let mut met: BTreeMap<String, bool> = BTreeMap::new();
    for found in known {
        let lesson = &found.kept.lesson;
        met.insert(lesson.id.clone(), sought.is_reached_by(lesson));
    }
    let (mut count, mut all_reach) = (0, true);
    let mut found = reader.search_where::<KeptLesson>(page, |id| {
        let reaches = met.get(id);
        count += 1;
        all_reach &= reaches.is_none_or(|reaches| *reaches);
        reaches.is_none()
    })?;
    let mut reaches = found.iter().map(|(read, _)| &read.noun.lesson);
    all_reach &= reaches.all(|lesson| sought.is_reached_by(lesson));
    if count < page.limit || all_reach {
        return Ok(found);
    }
    let mut page = page.clone();
    page.conditions.push(reaching(&sought.task, &sought.domain));
    met.extend(found.iter().map(|(read, _)| (read.noun.id(), true)));
    let more = reader.search_where::<KeptLesson>(&page, |id| !met.contains_key(id))?;
    found.extend(more);
    Ok(found)
}

/// Lessons that were looked at and similar ones, as they may be shown. Where conditions of patterns keep all back that fit,
/// more are looked at.
fn beside_similar(
    desk: &Desk,
    sought: &Sought,
    looked_at: &[Found],
    limit: usize,
    features: &TaskFeatures,
) -> Result<Vec<Hint>, Error> {
    let few = POOL.min(POOL_FOR_EACH * limit as u32);
    let mut hints = Vec::new();
    for pool in [few, WIDE_POOL] {
        let similar = similar(desk, sought, pool)?;
        let is_all = similar.len() < pool as usize;
        let fitting = ranked(sought, merged(looked_at.to_vec(), similar));
        // What does not fit well among the nearest is no reason to look for what is still less near.
        let none_fits = fitting.is_empty();
        hints = showable(desk, fitting, features)?;
        if is_all || none_fits || !hints.is_empty() {
            break;
        }
    }
    Ok(hints)
}

/// Lessons that are like what is sought in words or in meaning: so many by each.
fn similar(desk: &Desk, sought: &Sought, pool_size: u32) -> Result<Vec<Found>, Error> {
    let mut pool: BTreeMap<String, Found> = BTreeMap::new();
    let mut add = |found: Found| add(&mut pool, found);
    let meant = match sought.failures.first() {
        Some(failure) if !sought.before => &failure.template,
        _ => &sought.task,
    };
    let mut words = text::asked(meant);
    words.extend(sought.incident.as_ref().map(Incident::words));
    if !words.is_empty() {
        let order = Order::ByText(words.join(" "));
        let page = query::<KeptLesson>(vec![recalled()], order, pool_size);
        for (read, score) in first_reaching(desk, sought, &page, &[])? {
            add(Found {
                words: Some(score),
                ..Found::new(read.noun)
            });
        }
    }
    let meaning = desk.meaning_of(meant);
    if !meaning.is_empty() {
        let conditions = vec![recalled(), meaning.is_comparable()];
        let order = Order::ByNearest(meaning.vector.clone());
        let page = query::<KeptLesson>(conditions, order, pool_size);
        match first_reaching(desk, sought, &page, &[]) {
            Ok(found) => found.into_iter().for_each(|(read, cosine)| {
                add(Found {
                    near: Some((cosine, meaning.scale)),
                    ..Found::new(read.noun)
                });
            }),
            Err(error) => desk.warn(&format!("searched by words only: {}", error.message())),
        }
    }
    Ok(pool.into_values().collect())
}

/// The best of some hints: none beside one that contradicts it and is more reliable, not too many from one
/// run or about one kind of failure, and no more than fit.
fn guarded(
    reader: &Reader,
    sought: &Sought,
    hints: Vec<Hint>,
    limit: usize,
    tokens: Option<u32>,
) -> Result<Vec<Hint>, Error> {
    let looked: BTreeSet<_> = hints.iter().map(|hint| hint.lesson.id.clone()).collect();
    let links = links::guiding_links(reader, looked.iter().map(String::as_str))?;
    let hints = each_way_first(neighbours::unopposed(hints, &links));
    // One bad run, or one kind of failure, never fills the whole answer.
    let most_alike = (limit * 3).div_ceil(4).max(2);
    let mut room = tokens.unwrap_or(u32::MAX);
    let (mut runs, mut tags) = (BTreeMap::new(), BTreeMap::new());
    let mut given = Vec::new();
    for hint in hints {
        if given.len() >= limit {
            break;
        }
        let run = hint.lesson.origins.first().map(|origin| &origin.run);
        let run = run.filter(|run| !run.is_empty()).cloned();
        let tag = hint.lesson.tags.first().cloned();
        let full = |counts: &BTreeMap<String, usize>, name: &Option<String>| {
            let count = name.as_ref().and_then(|name| counts.get(name));
            count.is_some_and(|count| *count >= most_alike)
        };
        // What the same task taught is what it needs, however much of it came from one run.
        let crowded =
            !sought.is_same_task(&hint.lesson) && (full(&runs, &run) || full(&tags, &tag));
        let size = insertion::tokens(&hint.text);
        if crowded || size > room {
            continue;
        }
        room -= size;
        run.into_iter()
            .for_each(|run| *runs.entry(run).or_default() += 1);
        tag.into_iter()
            .for_each(|tag| *tags.entry(tag).or_default() += 1);
        given.push(hint);
    }
    if given.len() < limit {
        let room = neighbours::Room {
            places: limit - given.len(),
            tokens: room,
        };
        neighbours::add_neighbours(reader, sought, &mut given, &looked, &links, room)?;
    }
    Ok(given)
}

/// The best of some lessons that may be shown: as many as each way of looking brings. What is shown is chosen among these, and
/// one error text may have any number of lessons that fit.
fn best_showable(
    reader: &Reader,
    hints: Vec<Hint>,
    features: &TaskFeatures,
) -> Result<Vec<Hint>, Error> {
    let mut rest = hints.into_iter().peekable();
    while rest.peek().is_some() {
        let best = rest.by_ref().take(POOL as usize).collect();
        let hints = showable(reader, best, features)?;
        if !hints.is_empty() {
            return Ok(hints);
        }
    }
    Ok(Vec::new())
}

/// Lessons without patterns whose conditions do not hold.
fn showable(
    reader: &Reader,
    mut hints: Vec<Hint>,
    features: &TaskFeatures,
) -> Result<Vec<Hint>, Error> {
    let ids = hints.iter().map(|hint| &hint.lesson.id);
    let hidden = patterns::hidden(reader, ids, features)?;
    hints.retain(|hint| !hidden.contains(&hint.lesson.id));
    Ok(hints)
}

/// Lessons none of which contradicts or supersedes another.
fn without_contradictions(reader: &Reader, hints: Vec<Hint>) -> Result<Vec<Hint>, Error> {
    let ids = hints.iter().map(|hint| hint.lesson.id.as_str());
    let links = links::guiding_links(reader, ids)?;
    Ok(neighbours::unopposed(hints, &links))
}

/// A lesson that was looked at.
#[derive(Clone)]
struct Found {
    kept: KeptLesson,
    /// The store's score for its words; none if it came another way.
    words: Option<f64>,
    /// Its cosine, and what that says; none if it came another way.
    near: Option<(f64, Scale)>,
}

impl Found {
    fn new(kept: KeptLesson) -> Self {
        Self {
            kept,
            words: None,
            near: None,
        }
    }

    /// Takes over what is known of the same lesson from another way.
    fn join(&mut self, other: &Self) {
        self.words = self.words.or(other.words);
        self.near = self.near.or(other.near);
    }

    /// How near it is in meaning, from 0 to 1; 0 if that says nothing.
    fn nearness(&self) -> f64 {
        let near = self
            .near
            .map(|(cosine, scale)| scale.telling_nearness(cosine));
        near.unwrap_or(0.0)
    }
}

/// Takes a lesson in, once.
fn add(pool: &mut BTreeMap<String, Found>, found: Found) {
    match pool.entry(found.kept.lesson.id.clone()) {
        Entry::Vacant(place) => drop(place.insert(found)),
        Entry::Occupied(mut place) => place.get_mut().join(&found),
    }
}

/// Brings forward the best hint for each right way; others that lead the same way follow after all.
fn each_way_first(hints: Vec<Hint>) -> Vec<Hint> {
    let mut ways = BTreeSet::new();
    let (mut first, again): (Vec<_>, Vec<_>) = hints.into_iter().partition(|hint| {
        let way = advice::parse(&hint.text).correct;
        way.is_none_or(|way| ways.insert(way))
    });
    first.extend(again);
    first
}

/// Two lots of lessons as one, each lesson once.
fn merged(mut pool: Vec<Found>, more: Vec<Found>) -> Vec<Found> {
    for found in more {
        let known = |one: &&mut Found| one.kept.lesson.id == found.kept.lesson.id;
        match pool.iter_mut().find(known) {
            Some(one) => one.join(&found),
            None => pool.push(found),
        }
    }
    pool
}

/// Scores lessons and orders them, best first. A lesson for another domain is the last way out: one at most,
/// and only if nothing that is meant for this domain fits well.
fn ranked(sought: &Sought, pool: Vec<Found>) -> Vec<Hint> {
    let at_hand = sought.at_hand();
    let all = pool
        .into_iter()
        .filter_map(|found| sought.fitted(found, at_hand.as_ref()));
    let (mut strict, mut others): (Vec<_>, Vec<_>) =
        all.partition(|fitted| fitted.hint.lane == Lane::Strict);
    // What worked elsewhere in a task is chosen by its own rules, and is of use only when something failed.
    strict.retain(|fitted| !is_way(&fitted.hint.lesson));
    if !sought.before {
        strict.retain(|fitted| !is_no_news(&fitted.hint.lesson));
    }
    strict.retain(|fitted| may_help(sought, fitted));
    if sought.before {
        sought.measure(&mut strict);
    }
    best_first(&mut strict);
    // What is only claimed, as what came with a clone or an import, never comes before what helped here.
    let helped = |fitted: &Fitted| fitted.hint.lesson.usefulness.helped > 0;
    if strict.iter().any(helped) {
        strict.sort_by_key(|fitted| is_claim(&fitted.hint.lesson));
    }
    let best = strict.first().and_then(Fitted::degree);
    if let Some(best) = best {
        strict.retain(|fitted| {
            fitted
                .degree()
                .is_none_or(|degree| degree >= best * FITTING)
        });
    }
    let weak = strict.first().is_none_or(|best| best.hint.score < WEAK);
    if weak {
        others.retain(|fitted| transfers(&fitted.hint));
        best_first(&mut others);
        strict.extend(others.into_iter().next());
    }
    strict.into_iter().map(|fitted| fitted.hint).collect()
}

/// Whether a lesson has enough in common with what is sought to be shown at all.
fn may_help(sought: &Sought, fitted: &Fitted) -> bool {
    let parts = &fitted.hint.parts;
    let named = parts.fingerprint_match >= 1.0 || sought.is_about_its_program(&fitted.hint.lesson);
    match fitted.fit {
        Fit::Applies { same_error, .. } => named || same_error,
        Fit::InForm(_) => named,
        Fit::InWords(_) | Fit::Unknown => {
            let is_similar = parts.text_similarity >= LEAST_LIKENESS && own(parts) >= LEAST_OWN;
            named || is_similar && !is_beside_the_point(sought, fitted)
        }
        Fit::Misses => false,
    }
}

/// Whether a note that somebody wrote down, for no failure, has no word of the action that failed: what it shares with the error are
/// words that errors have.
fn is_beside_the_point(sought: &Sought, fitted: &Fitted) -> bool {
    let lesson = &fitted.hint.lesson;
    let is_note = fitted.fit == Fit::Unknown && lesson.trigger_fingerprints.is_empty();
    let incident = sought.incident.as_ref();
    is_note && is_claim(lesson) && incident.is_some_and(|one| !one.has_word_in(&lesson.rule_text))
}

/// Whether a lesson is a warning that was found in earlier runs: after the failure it says what has just been
/// seen. It is of use before.
fn is_no_news(lesson: &Lesson) -> bool {
    lesson.kind == LessonKind::AntiPattern && lesson.trust == Trust::Observed
}

/// Whether a lesson for another domain has enough in common with what is sought.
fn transfers(hint: &Hint) -> bool {
    let parts = &hint.parts;
    let anchor = parts
        .fingerprint_match
        .max(parts.tag_overlap)
        .max(parts.text_similarity);
    hint.lesson.scope == Scope::Domain
        && anchor >= CROSS_DOMAIN_ANCHOR
        && own(parts) >= CROSS_DOMAIN_SCORE
}

/// What a lesson has in common with what is sought, apart from what it is worth by itself.
fn own(parts: &ScoreParts) -> f64 {
    0.40 * parts.fingerprint_match + 0.25 * parts.tag_overlap + TEXT * parts.text_similarity
}

/// Orders lessons: those that say what to do here first, by how well they apply; then those for the very failure; then by
/// score, among those that have about as much in common with what is sought.
fn best_first(lessons: &mut [Fitted]) {
    let rank = |fitted: &Fitted| {
        let applies = match fitted.fit {
            // Less than a twentieth is no difference.
            Fit::Applies { degree, .. } => 1 + (degree * 20.0).round() as i64,
            _ => 0,
        };
        (applies, fitted.hint.parts.fingerprint_match >= 1.0)
    };
    lessons.sort_by_key(|fitted| std::cmp::Reverse(rank(fitted)));
    for equals in lessons.chunk_by_mut(|left, right| rank(left) == rank(right)) {
        let fit = |fitted: &Fitted| own(&fitted.hint.parts) + fitted.gain();
        best_fitting_first(equals, LESSONS_FIT_AS_WELL, fit, better);
    }
}

/// The order of lessons that fit about as well: by score, then the newer one.
fn better(left: &Fitted, right: &Fitted) -> std::cmp::Ordering {
    let (hint, other) = (&left.hint, &right.hint);
    (other.score + right.gain())
        .total_cmp(&(hint.score + left.gain()))
        .then(other.lesson.updated_at.cmp(&hint.lesson.updated_at))
        .then(hint.lesson.id.cmp(&other.lesson.id))
}
