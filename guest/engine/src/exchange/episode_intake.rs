//! The intake of episodes: as they were, from elsewhere, or changed by hand.
//!
//! Owns what becomes of the file or the line of an episode. Its members are the business of the episode file.

use std::collections::BTreeSet;

use twiceshy_wit::memory::{Episode, Error, Imported};

use super::{
    carried::{Extension, of_run},
    episode_file::{self, EpisodeFile},
    members::{numbered, refused},
};
use crate::{
    endings::intake,
    episodes::{self, Embeddings, KeptAccount, account, embeddings, lifecycle},
    store::{Desk, Kind, Read, Reader},
};

/// What becomes of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Added,
    Changed,
    Known,
}

/// Takes in the file of an episode. `dry` only says what would become of it.
pub(super) fn take_episode(
    desk: &mut Desk,
    place: &str,
    file: &EpisodeFile,
    dry: bool,
    failures: &mut BTreeSet<String>,
) -> Result<Fate, Error> {
    let held = desk.has(&[Kind::Episode], &file.id)?;
    let mut plain = file.clone();
    plain.twiceshy = None;
    match &file.twiceshy {
        Some(extension) => take_carried(desk, place, &plain, extension, held, dry, failures),
        None if held => {
            let before = super::carried::carried_of_run(desk, &file.id)?;
            let before = episode_file::written(&before).map_err(Error::Storage)?;
            edit(desk, place, &plain, &before, dry)
        }
        None => {
            let new = plain.as_new().map_err(|reason| refused(place, reason))?;
            let at = |error: Error| match error {
                Error::InvalidArgument(reason) => refused(place, reason),
                error => error,
            };
            match dry {
                true => intake::check_episode(desk, &new).map_err(at)?,
                false => {
                    intake::add(desk, &new).map_err(at)?;
                }
            }
            Ok(Fate::Added)
        }
    }
}

/// An episode with all its documents.
fn take_carried(
    desk: &mut Desk,
    place: &str,
    file: &EpisodeFile,
    extension: &Extension,
    held: bool,
    dry: bool,
    failures: &mut BTreeSet<String>,
) -> Result<Fate, Error> {
    let at = |reason: String| refused(place, reason);
    let documents = extension.rebuilt(&of_run()).map_err(at)?;
    let before = episode_file::written(extension).map_err(at)?;
    if before.id != file.id {
        return Err(at(
            "the id was changed by hand; remove `twiceshy` to import it as another episode"
                .to_owned(),
        ));
    }
    if file.has_other_steps(&before) {
        return Err(at(
            "action_log was changed by hand, but the steps of an episode never change; remove `twiceshy` and the \
                 id to import it as another episode"
                .to_owned(),
        ));
    }
    if !dry {
        super::carried::add_documents(desk, &documents, failures)?;
        if !held {
            embed_again(desk, &file.id)?;
        }
    }
    if *file == before || (dry && !held) {
        return Ok(if held { Fate::Known } else { Fate::Added });
    }
    let fate = edit(desk, place, file, &before, dry)?;
    Ok(if held { fate } else { Fate::Added })
}

/// Writes what was changed by hand into an episode that is there.
fn edit(
    desk: &mut Desk,
    place: &str,
    file: &EpisodeFile,
    before: &EpisodeFile,
    dry: bool,
) -> Result<Fate, Error> {
    let id = &file.id;
    desk.commit(|batch| {
        let Some(Read { noun: known, .. }) = batch.load::<Episode>(id)? else {
            return Err(Error::NotFound(format!("there is no episode `{id}`")));
        };
        let account = batch.load::<KeptAccount>(id)?;
        let (mut episode, mut told) = (
            known.clone(),
            account
                .as_ref()
                .map(|read| read.noun.account.clone())
                .unwrap_or_default(),
        );
        let about_account = file.apply(before, &mut episode, &mut told);
        let told = account::checked_account(batch, &told)
            .map_err(|error| refused(place, error.message()))?;
        let same_account = match &account {
            Some(read) => read.noun.account == told,
            None => !about_account,
        };
        if episode == known && same_account {
            return Ok(Fate::Known);
        }
        if dry {
            return Ok(Fate::Changed);
        }
        let lifecycle = lifecycle::lifecycle(batch, id)?;
        if episode != known {
            batch.put_found_by(&episode, episodes::attributes(&episode, &lifecycle.noun));
            // Nothing happened to one without a lifecycle: it does not begin one now.
            if lifecycle.version != 0 {
                batch.put(&lifecycle.noun);
            }
        }
        // An account is found by what its episode says.
        if !same_account || account.is_some() {
            KeptAccount {
                episode: id.clone(),
                account: told,
            }
            .put(batch, &episode);
        }
        Ok(Fate::Changed)
    })
}

/// Computes the vectors of an episode again, if the host has an embedder.
fn embed_again(desk: &mut Desk, id: &str) -> Result<(), Error> {
    let Some(Read { noun: episode, .. }) = desk.load::<Episode>(id)? else {
        return Ok(());
    };
    let account = desk.load::<KeptAccount>(id)?.map(|read| read.noun.account);
    let embeddings = Embeddings::ask(desk, &episode, account.as_ref());
    embeddings::with_embeddings(desk, &embeddings, |desk, embeddings| {
        desk.commit(|batch| {
            let Some(Read { noun, .. }) = batch.load::<Episode>(id)? else {
                return Ok(());
            };
            let account = batch.load::<KeptAccount>(id)?.map(|read| read.noun.account);
            embeddings.put(batch, &noun, account.as_ref());
            Ok(())
        })
    })
}

/// An episode as a line: the members of its file.
pub(super) fn episode_line(reader: &Reader, id: &str) -> Result<String, Error> {
    let file = super::episode_file::episode_file(reader, id)?;
    Ok(serde_json::to_string(&file).expect("a file is plain data"))
}

/// Takes in episodes as lines: all of them are read and checked before any is kept.
pub(super) fn take_episode_lines(
    desk: &mut Desk,
    text: &str,
    check_only: bool,
) -> Result<Imported, Error> {
    let mut files = Vec::new();
    let mut ids = BTreeSet::new();
    for (number, line) in numbered(text) {
        let place = format!("line {number}");
        let file: EpisodeFile =
            serde_json::from_str(line).map_err(|error| refused(&place, error))?;
        if !ids.insert(file.id.clone()) {
            return Err(refused(
                &place,
                format!("the id `{}` occurs twice", file.id),
            ));
        }
        files.push((place, file));
    }
    let mut imported = Imported {
        records: files.len() as u32,
        added: 0,
        known: 0,
    };
    let mut failures = BTreeSet::new();
    for (place, file) in &files {
        match take_episode(desk, place, file, true, &mut failures)? {
            Fate::Added => imported.added += 1,
            Fate::Changed | Fate::Known => imported.known += 1,
        }
    }
    if !check_only {
        for (place, file) in &files {
            take_episode(desk, place, file, false, &mut failures)?;
        }
        failures
            .iter()
            .try_for_each(|id| super::recount::recount(desk, id))?;
    }
    Ok(imported)
}
