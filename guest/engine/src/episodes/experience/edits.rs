//! Edits of entries by a person or a model, all or none.
//!
//! Owns what each edit means and when it does not fit. Nothing is removed: what is pruned or merged away is archived.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_wit::memory::{EditAction, EditReport, Error, MemoryEdit};

use super::{
    draft::{MOST_TAGS, SUMMARY_BYTES, check_tag},
    entry::Held,
    evolve::absorb,
};
use crate::{insertion, limits, payload::kept_text, refusal, store::Desk};

/// Edits of one call.
const MOST_EDITS: usize = 100;

/// Entries that one call changes: their documents fit into one commit.
const MOST_ENTRIES: usize = 400;

/// Makes edits. Only entries among `known` are edited, if some are given.
pub(crate) fn make_edits(
    desk: &mut Desk,
    edits: &[MemoryEdit],
    known: Option<&BTreeSet<String>>,
) -> Result<EditReport, Error> {
    let ids: BTreeSet<_> = edits.iter().flat_map(|edit| &edit.ids).collect();
    for (name, count, most) in [
        ("edits", edits.len(), MOST_EDITS),
        ("edits.ids", ids.len(), MOST_ENTRIES),
    ] {
        refusal::entries(name, count, most)?;
    }
    let fitting =
        |id: &&&String| !id.is_empty() && id.len() <= limits::ID_BYTES && !id.contains('\0');
    desk.commit(|batch| {
        let held =
            super::entry::held_by_id(batch, ids.iter().filter(fitting).map(|id| id.as_str()))?;
        let mut editing = Editing {
            held: held
                .into_iter()
                .map(|held| (held.id().to_owned(), held))
                .collect(),
            touched: BTreeSet::new(),
            report: EditReport::default(),
        };
        for (at, edit) in edits.iter().enumerate() {
            let strange = known.and_then(|known| edit.ids.iter().find(|id| !known.contains(*id)));
            let made = match strange {
                Some(id) => Err(format!(
                    "`{}` was not shown to the model",
                    kept_text(id, 100)
                )),
                None => editing.make(edit),
            };
            if let Err(reason) = made {
                let name = edit.action.as_str();
                editing
                    .report
                    .refused
                    .push(format!("edits[{at}] ({name}): {reason}"));
            }
        }
        if !editing.report.refused.is_empty() {
            let refused = editing.report.refused;
            let report = EditReport {
                refused,
                ..EditReport::default()
            };
            return Ok(report);
        }
        let touched = editing.touched.iter();
        for held in touched.filter_map(|id| editing.held.get(id)) {
            held.put(batch);
        }
        Ok(editing.report)
    })
}

/// Entries while they are edited.
struct Editing {
    held: BTreeMap<String, Held>,
    touched: BTreeSet<String>,
    report: EditReport,
}

impl Editing {
    fn make(&mut self, edit: &MemoryEdit) -> Result<(), String> {
        let mut ids = edit.ids.clone();
        let mut seen = BTreeSet::new();
        ids.retain(|id| seen.insert(id.clone()));
        if ids.is_empty() {
            return Err("names no entries".to_owned());
        }
        for id in &ids {
            match self.held.get(id) {
                None => return Err(format!("there is no entry `{}`", kept_text(id, 100))),
                Some(held) if held.kept.entry.archived => {
                    return Err(format!("the entry `{id}` is archived already"));
                }
                Some(_) => {}
            }
        }
        match edit.action {
            EditAction::Prune => {
                for id in ids {
                    self.edit(&id, |held| held.archive(None));
                    self.report.pruned.push(id);
                }
                Ok(())
            }
            EditAction::Merge => self.merge(&ids, edit.summary.as_deref()),
            EditAction::UpdateTag => {
                let tag = edit.tag.as_deref().unwrap_or_default().trim().to_owned();
                check_tag("tag", &tag).map_err(|error| error.message().to_owned())?;
                for id in ids {
                    let tags = &self.held[&id].kept.entry.tags;
                    if tags.len() >= MOST_TAGS && !tags.contains(&tag) {
                        return Err(format!("the entry `{id}` has {MOST_TAGS} tags already"));
                    }
                    self.edit(&id, |held| {
                        held.kept.is_view = false;
                        let tags = &mut held.kept.entry.tags;
                        if let Err(place) = tags.binary_search(&tag) {
                            tags.insert(place, tag.clone());
                        }
                        if let Some(own) = &mut held.kept.own
                            && !own.tags.contains(&tag)
                        {
                            own.tags.push(tag.clone());
                        }
                    });
                    self.report.tagged.push(id);
                }
                Ok(())
            }
        }
    }

    /// The first takes in the others, and stays what it is: an episode with its own task.
    fn merge(&mut self, ids: &[String], summary: Option<&str>) -> Result<(), String> {
        let [first, others @ ..] = ids else {
            return Err("names no entries".to_owned());
        };
        if others.is_empty() {
            return Err("needs at least 2 different entries".to_owned());
        }
        let Some(mut into) = self.held.remove(first) else {
            return Err(format!("there is no entry `{first}`"));
        };
        for id in others {
            self.edit(id, |other| absorb(&mut into, other));
        }
        let summary = summary.map(|text| insertion::without(text).trim().to_owned());
        if let Some(summary) = summary.filter(|summary| !summary.is_empty()) {
            into.kept.entry.summary = kept_text(&summary, SUMMARY_BYTES);
        }
        self.touched.insert(first.clone());
        self.held.insert(first.clone(), into);
        self.report.merged.push(first.clone());
        Ok(())
    }

    fn edit(&mut self, id: &str, change: impl FnOnce(&mut Held)) {
        if let Some(held) = self.held.get_mut(id) {
            change(held);
            self.touched.insert(id.to_owned());
        }
    }
}
