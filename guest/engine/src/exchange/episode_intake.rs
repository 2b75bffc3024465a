//! The intake of episodes: as they were, from elsewhere, or changed by hand.
//!
//! Owns what becomes of the file or the line of an episode. Its members are the business of the episode file.

use std::collections::BTreeSet;

use twiceshy_wit::{
    host::Precondition,
    memory::{Episode, Episodes, Error, Imported},
};

use super::{
    carried::{Extension, of_run},
    episode_file::{self, EpisodeFile},
    intake::Fate,
    lines::numbered,
    members::refused,
};
use crate::{
    documents::{Kind, Read, put},
    episodes::{KeptAccount, shelved},
    ports::Engine,
};

impl Engine<'_> {
    /// Takes in the file of an episode. `dry` only says what would become of it.
    pub(super) fn take_episode(
        &self,
        place: &str,
        file: &EpisodeFile,
        dry: bool,
        failures: &mut BTreeSet<String>,
    ) -> Result<Fate, Error> {
        let held = self.holds(Kind::Episode, &file.id)?;
        let mut plain = file.clone();
        plain.twiceshy = None;
        match &file.twiceshy {
            Some(extension) => self.take_carried(place, &plain, extension, held, dry, failures),
            None if held => {
                let before = self.carried_of_run(&file.id)?;
                let before = episode_file::written(&before).map_err(Error::Storage)?;
                self.edit(place, &plain, &before, dry)
            }
            None => {
                let new = plain.as_new().map_err(|reason| refused(place, reason))?;
                let at = |error: Error| match error {
                    Error::InvalidArgument(reason) => refused(place, reason),
                    error => error,
                };
                match dry {
                    true => self.check_episode(&new).map_err(at)?,
                    false => {
                        Episodes::add(self, &new).map_err(at)?;
                    }
                }
                Ok(Fate::Added)
            }
        }
    }

    /// An episode with all its documents.
    fn take_carried(
        &self,
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
                "the id was changed by hand; leave `twiceshy` out to take it in as another episode"
                    .to_owned(),
            ));
        }
        if file.has_other_steps(&before) {
            return Err(at(
                "action_log was changed by hand, but steps are evidence and not rewritten; \
                 leave `twiceshy` and the id out to take it in as another episode"
                    .to_owned(),
            ));
        }
        if !dry {
            self.add_documents(&documents, failures)?;
            if !held {
                self.embed_again(&file.id)?;
            }
        }
        if *file == before || (dry && !held) {
            return Ok(if held { Fate::Known } else { Fate::Added });
        }
        let fate = self.edit(place, file, &before, dry)?;
        Ok(if held { fate } else { Fate::Added })
    }

    /// Writes what was changed by hand into an episode that is there.
    fn edit(
        &self,
        place: &str,
        file: &EpisodeFile,
        before: &EpisodeFile,
        dry: bool,
    ) -> Result<Fate, Error> {
        let id = &file.id;
        self.change(|_| {
            let Some(Read {
                noun: known,
                version,
            }) = self.load::<Episode>(id)?
            else {
                return Err(Error::NotFound(format!("there is no episode `{id}`")));
            };
            let account = self.load::<KeptAccount>(id)?;
            let (mut episode, mut told) = (
                known.clone(),
                account
                    .as_ref()
                    .map(|read| read.noun.account.clone())
                    .unwrap_or_default(),
            );
            let about_account = file.apply(before, &mut episode, &mut told);
            let told = self
                .checked_account(&told)
                .map_err(|error| refused(place, error.message()))?;
            let same_account = match &account {
                Some(read) => read.noun.account == told,
                None => !about_account,
            };
            if episode == known && same_account {
                return Ok((Vec::new(), Fate::Known));
            }
            let lifecycle = self.lifecycle(id)?;
            let mut batch = Vec::new();
            if episode != known {
                let episode = Read {
                    noun: episode,
                    version,
                };
                let mut changes = shelved(&episode, &lifecycle);
                // Nothing happened to one without a lifecycle: it does not begin one now.
                changes.truncate(if lifecycle.version == 0 { 1 } else { 2 });
                batch.extend(changes);
            }
            if !same_account {
                let precondition = match &account {
                    Some(read) => Precondition::At(read.version),
                    None => Precondition::Absent,
                };
                let kept = KeptAccount {
                    episode: id.clone(),
                    account: told,
                };
                batch.push(put(&kept, precondition));
            }
            Ok((if dry { Vec::new() } else { batch }, Fate::Changed))
        })
    }

    /// Makes the vectors of an episode anew, if the host has an embedder.
    fn embed_again(&self, id: &str) -> Result<(), Error> {
        self.with_embeddings(|embeddings| {
            self.change(|_| {
                let Some(Read { noun, .. }) = self.load::<Episode>(id)? else {
                    return Ok((Vec::new(), ()));
                };
                let account = self.load::<KeptAccount>(id)?;
                let account = account.as_ref().map(|read| &read.noun.account);
                Ok((embeddings.changes(self, &noun, account), ()))
            })
        })
    }

    /// An episode as a line: the members of its file.
    pub(super) fn episode_line(&self, id: &str) -> Result<String, Error> {
        let file = self.episode_file(id)?;
        Ok(serde_json::to_string(&file).expect("a file is plain data"))
    }

    /// Takes in episodes as lines: all of them are read and checked before any is kept.
    pub(super) fn take_episode_lines(
        &self,
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
                    format!("the id `{}` is there twice", file.id),
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
            match self.take_episode(place, file, true, &mut failures)? {
                Fate::Added => imported.added += 1,
                Fate::Changed | Fate::Known => imported.known += 1,
            }
        }
        if !check_only {
            for (place, file) in &files {
                self.take_episode(place, file, false, &mut failures)?;
            }
            failures.iter().try_for_each(|id| self.recount(id))?;
        }
        Ok(imported)
    }
}
