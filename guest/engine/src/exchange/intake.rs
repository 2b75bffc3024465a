//! The intake of a tree: all files are read and checked, then kept in an order in which each finds what it refers to.
//!
//! Owns that order, what becomes of each record, and the counts. What a file says is the business of its own module.

pub(crate) mod reading;

use std::collections::BTreeSet;

use twiceshy_wit::memory::{
    Error, Handoff, Ledger, LessonKind, PatternUpdate, TreeFile, TreeImport,
};

use super::{
    agent_files::{HandoffFile, LedgerFile},
    carried::Extension,
    episode_intake::Fate,
    members::refused,
};
use crate::{
    lessons::{
        patterns::{self, proposal, revision},
        skills::{self, KeptSkill},
    },
    store::{Desk, Kind, Noun, Read, written},
};
use reading::{Knowledge, Tree, show};

pub(crate) fn take_tree(
    desk: &mut Desk,
    files: &[TreeFile],
    check_only: bool,
) -> Result<TreeImport, Error> {
    let tree = reading::tree(desk, files)?;
    let ids = tree.ids();
    let mut import = TreeImport {
        added: 0,
        changed: 0,
        known: 0,
        ignored: tree.ignored.clone(),
    };
    // First without writing: what would be refused is refused before anything is changed.
    go_through(desk, &tree, &ids, true, &mut import)?;
    if check_only {
        return Ok(import);
    }
    let mut written = import.clone();
    go_through(desk, &tree, &ids, false, &mut written)?;
    Ok(import)
}

/// Goes through all records in an order in which each finds what it refers to.
fn go_through(
    desk: &mut Desk,
    tree: &Tree,
    ids: &BTreeSet<String>,
    dry: bool,
    import: &mut TreeImport,
) -> Result<(), Error> {
    let mut failures = BTreeSet::new();
    let mut count = |fate: Fate| match fate {
        Fate::Added => import.added += 1,
        Fate::Changed => import.changed += 1,
        Fate::Known => import.known += 1,
    };
    for document in &tree.rest {
        let memories = [Kind::Decision.as_str(), Kind::Failure.as_str()];
        if memories.contains(&document.key.kind.as_str()) {
            let held = !desk.read(std::slice::from_ref(&document.key))?.is_empty();
            count(if held { Fate::Known } else { Fate::Added });
        }
    }
    if !dry {
        super::carried::add_documents(desk, &tree.rest, &mut failures)?;
    }
    let mut seen = BTreeSet::new();
    for (path, file) in &tree.episodes {
        if !seen.insert(&file.id) {
            return Err(refused(path, format!("the id `{}` occurs twice", file.id)));
        }
        count(super::episode_intake::take_episode(
            desk,
            path,
            file,
            dry,
            &mut failures,
        )?);
    }
    for knowledge in &tree.knowledge {
        count(take_knowledge(desk, knowledge, dry)?);
    }
    for (path, learning) in &tree.learnings {
        let new = learning.as_new();
        let source = new.source_episodes.first();
        let derived = match source {
            Some(id) => ids.contains(id) || super::lines::is_memory(desk, id)?,
            None => false,
        };
        if !derived {
            let knowledge = Knowledge {
                place: path.clone(),
                kind: LessonKind::AntiPattern,
                said: learning.said(),
                new,
                usage: (0, None),
                carried: None,
            };
            count(take_knowledge(desk, &knowledge, dry)?);
        }
    }
    for (path, slug, text) in &tree.skills {
        count(take_skill(desk, path, slug, text, dry)?);
    }
    let mut links = BTreeSet::new();
    for (path, link) in &tree.links {
        if !links.insert(link.id()) {
            continue;
        }
        let ends = [&link.source, &link.target];
        let mut missing = None;
        for end in ends {
            if !ids.contains(end) && !super::lines::is_memory(desk, end)? {
                missing = Some(end);
            }
        }
        if let Some(missing) = missing {
            import.ignored.push(format!(
                "{path}: the link {} {} {}: there is no memory `{}`",
                show(&link.source),
                link.relation.as_str(),
                show(&link.target),
                show(missing),
            ));
            continue;
        }
        let held = desk.has(&[Kind::Link], &link.id())?;
        match held {
            true => import.known += 1,
            false => import.added += 1,
        }
        if !dry && !held {
            super::carried::add_documents(desk, &[written(link)], &mut failures)?;
        }
    }
    let mut count = |fate: Fate| match fate {
        Fate::Added => import.added += 1,
        Fate::Changed => import.changed += 1,
        Fate::Known => import.known += 1,
    };
    for (path, file) in &tree.ledgers {
        count(take_ledger(desk, path, file, dry)?);
    }
    for (path, file) in &tree.handoffs {
        count(take_handoff(desk, path, file, dry)?);
    }
    failures
        .iter()
        .try_for_each(|id| super::recount::recount(desk, id))
}

fn take_knowledge(desk: &mut Desk, one: &Knowledge, dry: bool) -> Result<Fate, Error> {
    let at = |error: Error| match error {
        Error::InvalidArgument(reason) => refused(&one.place, reason),
        error => error,
    };
    let (id, edited) = match &one.carried {
        Some(carried) => (carried.id.clone(), carried.edited),
        None => (proposal::pattern_id(desk, &one.new).map_err(at)?, true),
    };
    let held = desk.has(&[Kind::Lesson], &id)?;
    if !dry && let Some(carried) = &one.carried {
        super::carried::add_documents(desk, &carried.documents, &mut BTreeSet::new())?;
    }
    if !held && one.carried.is_none() {
        if !dry {
            let added = patterns::add(desk, &one.new).map_err(at)?;
            used_elsewhere(desk, &added.lesson.id, one.usage)?;
        }
        return Ok(Fate::Added);
    }
    if !edited || (!held && dry) {
        return Ok(if held { Fate::Known } else { Fate::Added });
    }
    let pattern = patterns::get(desk, &id)?;
    let update = one.said.update(&pattern, one.kind_of(&pattern.lesson.kind));
    let changes = says_something(&update);
    if changes && !dry {
        revision::updated(desk, &id, &update).map_err(at)?;
    }
    Ok(match (held, changes) {
        (false, _) => Fate::Added,
        (true, true) => Fate::Changed,
        (true, false) => Fate::Known,
    })
}

/// Notes how often a pattern was used elsewhere.
fn used_elsewhere(
    desk: &mut Desk,
    id: &str,
    (times, last): (u32, Option<u64>),
) -> Result<(), Error> {
    if times == 0 {
        return Ok(());
    }
    desk.commit(|batch| {
        let mut entry = patterns::pattern_entry(batch, id)?;
        entry.pattern().0.was_used(times, last);
        entry.put(batch);
        Ok(())
    })
}

fn take_skill(
    desk: &mut Desk,
    path: &str,
    slug: &str,
    text: &str,
    dry: bool,
) -> Result<Fate, Error> {
    let known = desk.load::<KeptSkill>(slug)?;
    let same = match &known {
        Some(known) => known.noun.markdown == skills::checked(slug, text)?,
        None => false,
    };
    if same {
        return Ok(Fate::Known);
    }
    if !dry {
        let kept = skills::put(desk, slug, text);
        kept.map_err(|error| refused(path, error.message()))?;
    }
    Ok(match known {
        Some(_) => Fate::Changed,
        None => Fate::Added,
    })
}

fn take_ledger(desk: &mut Desk, path: &str, file: &LedgerFile, dry: bool) -> Result<Fate, Error> {
    check_agent(path, "agent_id", &file.agent_id)?;
    let carried = carried::<Ledger>(path, file.twiceshy.as_ref(), Kind::Ledger)?;
    let mut plain = file.clone();
    plain.twiceshy = None;
    let edited = carried
        .as_ref()
        .is_none_or(|ledger| LedgerFile::of(ledger) != plain);
    let checkpoints = carried.map_or(1, |ledger| ledger.checkpoints);
    take_document(
        desk,
        dry,
        edited,
        &file.agent_id,
        |known: Option<&Ledger>| {
            let known = known.map(|ledger| ledger.checkpoints);
            plain.ledger(known.unwrap_or(checkpoints))
        },
    )
}

fn take_handoff(desk: &mut Desk, path: &str, file: &HandoffFile, dry: bool) -> Result<Fate, Error> {
    let digits = file.id.strip_prefix("handoff-").unwrap_or_default();
    if digits.is_empty() || digits.len() > 9 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let id = show(&file.id);
        return Err(refused(
            path,
            format!("id is `{id}`; it must be an id such as handoff-001"),
        ));
    }
    let carried = carried::<Handoff>(path, file.twiceshy.as_ref(), Kind::Handoff)?;
    let mut plain = file.clone();
    plain.twiceshy = None;
    let edited = carried
        .as_ref()
        .is_none_or(|handoff| HandoffFile::of(handoff) != plain);
    let taken_up_at = carried.and_then(|handoff| handoff.taken_up_at);
    take_document(desk, dry, edited, &file.id, |known: Option<&Handoff>| {
        plain.handoff(known.map_or(taken_up_at, |known| known.taken_up_at))
    })
}

/// Keeps a noun that is one document: if it is not there, or if it was changed by hand.
fn take_document<N: Noun + PartialEq>(
    desk: &mut Desk,
    dry: bool,
    edited: bool,
    id: &str,
    told: impl Fn(Option<&N>) -> N,
) -> Result<Fate, Error> {
    desk.commit(|batch| {
        let known = batch.load::<N>(id)?;
        if known.is_some() && !edited {
            return Ok(Fate::Known);
        }
        let noun = masked(&told(known.as_ref().map(|known| &known.noun)))?;
        let fate = match known {
            Some(Read { noun: known, .. }) if known == noun => return Ok(Fate::Known),
            Some(_) => Fate::Changed,
            None => Fate::Added,
        };
        if !dry {
            batch.put(&noun);
        }
        Ok(fate)
    })
}

impl Knowledge {
    /// How what is said is read: an anti-pattern has other members than a note.
    fn kind_of(&self, stored: &LessonKind) -> LessonKind {
        match self.kind {
            LessonKind::AntiPattern => LessonKind::AntiPattern,
            _ if *stored == LessonKind::AntiPattern => LessonKind::Rule,
            _ => *stored,
        }
    }
}

/// The noun that came along with a record, if it did.
fn carried<N: Noun>(
    path: &str,
    extension: Option<&Extension>,
    kind: Kind,
) -> Result<Option<N>, Error> {
    let Some(extension) = extension else {
        return Ok(None);
    };
    let checked = extension.rebuilt(&[kind]);
    checked.map_err(|error| refused(path, error))?;
    extension.noun().map_err(|error| refused(path, error))
}

/// A noun whose texts hold no secrets.
fn masked<N: Noun>(noun: &N) -> Result<N, Error> {
    let mut extension = Extension::default();
    extension.set(noun);
    let masked = extension.noun().map_err(Error::Other)?;
    masked.ok_or_else(|| Error::Other("a noun was lost".to_owned()))
}

fn says_something(update: &PatternUpdate) -> bool {
    update.summary.is_some()
        || update.explanation.is_some()
        || update.correct_approach.is_some()
        || update.incorrect_approach.is_some()
        || update.applicability.is_some()
}

fn check_agent(path: &str, member: &str, agent: &str) -> Result<(), Error> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    match (1..=64).contains(&agent.len()) && agent.bytes().all(allowed) {
        true => Ok(()),
        false => Err(refused(
            path,
            format!(
                "{member} is `{}`; it must be 1 to 64 letters, digits, dashes, dots or underscores",
                show(agent)
            ),
        )),
    }
}
