//! Which adapter is meant by a name or a domain.
//!
//! Owns where adapters are looked for, what a list says of each, and which one comes first. The project comes before the
//! user, if its adapter was installed on this machine: cloning a project must not hide an adapter of the user by
//! it. And nothing takes the name of what is part of this crate, so that nobody gets another `cli` with a project.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use twiceshy_guests::Guest;

use super::{
    AdapterEntry, AdapterState, Adapters, Place, Places, Receipt, StrikeRecord,
    installed::Installed,
};
use crate::{Adapter, PluginError, PluginErrorKind, adapter::terms, cache};

impl Adapters {
    /// Whether a name belongs to what is part of this crate: no other adapter can have it. The memory is no adapter, but
    /// what is compiled of it has a name among theirs.
    pub fn is_taken(name: &str) -> bool {
        cache::is_ours(name)
    }

    /// The adapter for a domain. A bundled one stays what it is: another one for its domain is asked for by name.
    ///
    /// # Errors
    /// If there is none, if several judge that domain, or if the one that does can't be used.
    pub fn for_domain(&self, domain: &str) -> Result<Arc<Adapter>, PluginError> {
        if guest(domain).is_some() {
            return self.get(domain);
        }
        let judges = |entry: &AdapterEntry| {
            entry.domain.as_deref() == Some(domain) && self.meant(&entry.name) == Some(entry.place)
        };
        let entries: Vec<_> = self.list().into_iter().filter(judges).collect();
        // One that nobody installed here is not called: it is reported only if there is no other.
        let rank = |entry: &AdapterEntry| (entry.state == AdapterState::NotInstalled, entry.place);
        let nearest = entries.iter().map(rank).min();
        let names: Vec<_> = entries
            .iter()
            .filter(|entry| Some(rank(entry)) == nearest)
            .map(|entry| entry.name.as_str())
            .collect();
        match names[..] {
            [name] => self.get(name),
            [] => Err(PluginError::new(
                domain,
                PluginErrorKind::Incompatible,
                "no adapter judges steps of that domain; `twiceshy adapter list` shows all adapters",
            )),
            _ => Err(PluginError::new(
                domain,
                PluginErrorKind::Refused,
                format!(
                    "{} judge steps of that domain; name one of them",
                    names.join(", ")
                ),
            )),
        }
    }

    /// Every adapter, in the order of its names, also those that can't be used. None is loaded for it.
    pub fn list(&self) -> Vec<AdapterEntry> {
        let mut entries: Vec<_> = twiceshy_guests::ADAPTERS
            .iter()
            .map(|guest| self.bundled_entry(guest))
            .collect();
        if let Some(places) = &self.places {
            for place in [Place::Project, Place::User] {
                for name in names(self.directory(places, place)) {
                    let hidden = self.hidden(&name, place);
                    let installed = self.placed(places, place, &name);
                    entries.push(self.entry(&installed, places, hidden));
                }
            }
        }
        entries.sort_by(|one, other| (&one.name, one.place).cmp(&(&other.name, other.place)));
        entries
    }

    /// The entry of the adapter that is meant by a name.
    pub(super) fn inspectable(&self, name: &str) -> Result<AdapterEntry, PluginError> {
        let meant = self.meant(name);
        self.list()
            .into_iter()
            .find(|entry| entry.name == name && Some(entry.place) == meant)
            .ok_or_else(|| self.none_of(name))
    }

    /// Where the adapter is that is meant by a name.
    fn meant(&self, name: &str) -> Option<Place> {
        match guest(name) {
            Some(_) => Some(Place::Bundled),
            None => self.find(name).map(|(installed, _)| installed.place),
        }
    }

    /// Why an adapter is not the one that is meant by its name. One that nobody installed here has a state that says so.
    fn hidden(&self, name: &str, place: Place) -> Option<&'static str> {
        if Self::is_taken(name) {
            return Some("its name is reserved for a part of twiceshy; give it another name");
        }
        (place == Place::User && self.meant(name) != Some(place))
            .then_some("the project has an adapter with the same name")
    }

    /// The adapter in a directory that is meant by a name: the project's before the user's, unless only the latter was
    /// installed on this machine.
    pub(super) fn find(&self, name: &str) -> Option<(Installed, &Places)> {
        if Self::is_taken(name) {
            return None;
        }
        let first = self.find_in(name, None);
        let (installed, places) = first.as_ref()?;
        let is_installed =
            |installed: &Installed| Receipt::find(&places.receipts, &installed.directory).is_some();
        if installed.place == Place::Project
            && let Some((users, places)) = self.find_in(name, Some(Place::User))
            && is_installed(&users)
            && !is_installed(installed)
        {
            return Some((users, places));
        }
        first
    }

    /// The adapter of a name in a directory, the project's before the user's.
    pub(super) fn find_in(&self, name: &str, place: Option<Place>) -> Option<(Installed, &Places)> {
        let places = self.places.as_ref()?;
        if !terms::is_name(name) {
            return None;
        }
        [Place::Project, Place::User]
            .into_iter()
            .filter(|there| place.is_none_or(|place| place == *there))
            .map(|place| self.placed(places, place, name))
            .find(Installed::is_there)
            .map(|installed| (installed, places))
    }

    /// An adapter of a name in its place, whether it is there or not.
    pub(super) fn placed(&self, places: &Places, place: Place, name: &str) -> Installed {
        Installed {
            name: name.to_owned(),
            place,
            directory: self.directory(places, place).join(name),
        }
    }

    pub(super) fn directory<'p>(&self, places: &'p Places, place: Place) -> &'p Path {
        match place {
            Place::Project => &places.project,
            _ => &places.user,
        }
    }

    fn bundled_entry(&self, guest: &Guest) -> AdapterEntry {
        let quarantine = self
            .strikes(guest.name, guest.sha256)
            .and_then(|strikes| strikes.quarantine());
        AdapterEntry {
            name: guest.name.to_owned(),
            // They are part of this crate and have its version; each is named after its domain.
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            domain: Some(guest.name.to_owned()),
            place: Place::Bundled,
            directory: None,
            state: match quarantine {
                Some(_) => AdapterState::Quarantined,
                None => AdapterState::Ready,
            },
            note: quarantine.map(|record| release(guest.name, &record)),
        }
    }

    fn entry(&self, installed: &Installed, places: &Places, hidden: Option<&str>) -> AdapterEntry {
        let declared = installed
            .declaration()
            .ok()
            .map(|(declaration, _)| declaration);
        let (state, note) = match (hidden, installed.verify(&places.receipts)) {
            (Some(why), _) => (AdapterState::Hidden, Some(why.to_owned())),
            (None, Err(problem)) => (problem.state, Some(problem.message)),
            (None, Ok(verified)) => {
                let strikes = self.strikes(&installed.name, &verified.receipt.component_sha256);
                match strikes.and_then(|strikes| strikes.quarantine()) {
                    Some(record) => (
                        AdapterState::Quarantined,
                        Some(release(&installed.name, &record)),
                    ),
                    None => (AdapterState::Ready, None),
                }
            }
        };
        AdapterEntry {
            name: installed.name.clone(),
            version: declared.as_ref().map(|declared| declared.version.clone()),
            domain: declared.map(|declared| declared.domain),
            place: installed.place,
            directory: Some(installed.directory.clone()),
            state,
            note,
        }
    }

    pub(super) fn none_of(&self, name: &str) -> PluginError {
        let there: BTreeSet<_> = self.list().into_iter().map(|entry| entry.name).collect();
        let there: Vec<_> = there.into_iter().collect();
        let message = format!(
            "there is no adapter with that name; there are {}",
            there.join(", ")
        );
        PluginError::new(name, PluginErrorKind::Refused, message)
    }
}

/// The bundled adapter of a name.
pub(super) fn guest(name: &str) -> Option<&'static Guest> {
    twiceshy_guests::ADAPTERS
        .into_iter()
        .find(|guest| guest.name == name)
}

/// The names of the adapters in a directory. A link is one of them: it is reported, and not followed.
fn names(directory: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .filter(|entry| {
            let kind = entry.file_type();
            kind.is_ok_and(|kind| kind.is_dir() || kind.is_symlink())
        })
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| terms::is_name(name))
        .collect()
}

fn release(name: &str, record: &StrikeRecord) -> String {
    format!(
        "it failed {} times in a row (last failure: {}); fix it, then run `twiceshy adapter release {name}`",
        record.count, record.last
    )
}
