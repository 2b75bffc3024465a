//! The adapters that this host has, by name and by domain.
//!
//! Owns what is reported about them, and keeps loaded ones warm. There are three places: the project's
//! `.twiceshy/adapters/NAME/`, the user's `adapters/NAME/`, and those that are part of this crate. Which one is meant is
//! in [`finding`]. How an adapter is called and bounded is [`Adapter`]'s business.

mod declaration;
mod files;
mod finding;
mod install;
mod installed;
mod package;
mod receipt;
mod strikes;
mod trial;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use serde::Serialize;
use twiceshy_guests::Guest;
use twiceshy_wit::adapter::Manifest;

use crate::{
    Adapter, Cache, Home, PluginError, PluginErrorKind, Project, Settings,
    adapter::{contract, incompatible},
    engines,
    limits::{AdapterGrant, AdapterLimits},
};

pub use declaration::Declaration;
use finding::guest;
use installed::{Installed, Problem, Verified};
pub use receipt::Receipt;
pub use strikes::StrikeRecord;
pub(crate) use strikes::Strikes;

/// The directory of adapters, in a project's memory and in the user's directory.
const DIRECTORY: &str = "adapters";

/// The adapters that are at hand.
#[derive(Debug)]
pub struct Adapters {
    cache: Cache,
    places: Option<Places>,
    counted: bool,
    loaded: Mutex<BTreeMap<String, Arc<Adapter>>>,
}

/// Where things about adapters are, and what the user grants.
#[derive(Debug)]
struct Places {
    owner: Project,
    project: PathBuf,
    user: PathBuf,
    receipts: PathBuf,
    strikes: PathBuf,
    configuration: PathBuf,
    grants: BTreeMap<String, AdapterGrant>,
}

/// Where an adapter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// The directory of the project.
    Project,
    /// The directory of the user.
    User,
    /// This crate.
    Bundled,
}

/// Whether an adapter can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AdapterState {
    /// It can.
    Ready,
    /// It is there, but nobody installed it on this machine.
    NotInstalled,
    /// It is not what was installed.
    Changed,
    /// It failed too often in a row.
    Quarantined,
    /// Something is wrong with its files, or it needs another host.
    Broken,
    /// Another one has its name and comes first.
    Hidden,
}

/// One adapter of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct AdapterEntry {
    /// Its name.
    pub name: String,
    /// Its version, if that can be read.
    pub version: Option<String>,
    /// The domain whose steps it judges, if that can be read.
    pub domain: Option<String>,
    /// Where it comes from.
    pub place: Place,
    /// Where it is; nowhere if it is part of this crate.
    pub directory: Option<PathBuf>,
    /// Whether it can be used.
    pub state: AdapterState,
    /// What is wrong with it, and what to do.
    pub note: Option<String>,
}

/// Everything that is known of one adapter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Inspection {
    /// As in a list.
    #[serde(flatten)]
    pub entry: AdapterEntry,
    /// What the component says of itself, if it can be loaded.
    pub manifest: Option<Manifest>,
    /// The interfaces with something to call that the component imports, if it can be loaded.
    pub imports: Vec<String>,
    /// What it holds in memory before its first step, in KiB, if it can be loaded.
    pub memory_kib: Option<usize>,
    /// What it asks for.
    pub asked: AdapterGrant,
    /// What the user grants.
    pub granted: AdapterGrant,
    /// What holds.
    pub limits: AdapterLimits,
    /// What the user would have to write, and where, for the adapter to get what it asks for.
    pub to_grant: Option<String>,
    /// What was installed.
    pub receipt: Option<Receipt>,
    /// Failures in a row, if there are any.
    pub strikes: Option<StrikeRecord>,
}

impl Adapters {
    /// The adapters that are part of this crate, compiled into a cache. Nothing is counted against them.
    pub fn bundled(cache: Cache) -> Self {
        Self {
            cache,
            places: None,
            counted: false,
            loaded: Mutex::default(),
        }
    }

    /// All adapters that are at hand in a project: its own, the user's, and those that are part of this crate.
    pub fn of(home: &Home, project: &Project, settings: &Settings, cache: Cache) -> Self {
        let places = Places {
            owner: project.clone(),
            project: project.directory().join(DIRECTORY),
            user: home.directory().join(DIRECTORY),
            receipts: home.directory().join("receipts"),
            strikes: home.directory().join("strikes"),
            configuration: home.configuration(),
            grants: settings.adapters.clone(),
        };
        Self {
            cache,
            places: Some(places),
            counted: true,
            loaded: Mutex::default(),
        }
    }

    /// The same, and no failure is counted: for trials that make an adapter fail on purpose.
    #[must_use]
    pub fn uncounted(self) -> Self {
        Self {
            counted: false,
            ..self
        }
    }

    /// The adapter of a name.
    ///
    /// # Errors
    /// If there is none of that name, or it can't be used: the error says why, and what to do.
    pub fn get(&self, name: &str) -> Result<Arc<Adapter>, PluginError> {
        // Whoever waits here waits for a compilation that would otherwise be done twice.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(adapter) = loaded.get(name) {
            return Ok(adapter.clone());
        }
        // Nothing on the disk is looked at for a bundled adapter.
        let adapter = match (guest(name), self.find(name)) {
            (Some(guest), _) => self.load_guest(guest)?,
            (None, Some((installed, places))) => self.load_installed(&installed, places)?,
            (None, None) => return Err(self.none_of(name)),
        };
        let adapter = Arc::new(adapter);
        loaded.insert(name.to_owned(), adapter.clone());
        Ok(adapter)
    }

    /// Everything about the adapter of a name. Loads it, if it can be loaded.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn inspect(&self, name: &str) -> Result<Inspection, PluginError> {
        let entry = self.inspectable(name)?;
        let mut asked = AdapterGrant::default();
        let mut receipt = None;
        if let Some((installed, places)) = self.find(name) {
            receipt = Receipt::find(&places.receipts, &installed.directory);
            if let Ok((declaration, _)) = installed.declaration() {
                asked = declaration.limits;
            }
        }
        let granted = self.granted(name);
        let limits = AdapterLimits::between(asked, granted);
        let strikes = self
            .content(&entry)
            .and_then(|sha256| self.strikes(name, &sha256));
        let mut inspection = Inspection {
            strikes: strikes.and_then(|strikes| strikes.record()),
            entry,
            manifest: None,
            imports: Vec::new(),
            memory_kib: None,
            asked,
            granted,
            limits,
            to_grant: self
                .places
                .as_ref()
                .and_then(|places| missing_grant(name, asked, limits, &places.configuration)),
            receipt,
        };
        match self.get(name) {
            Ok(adapter) => {
                inspection.manifest = Some(adapter.manifest().clone());
                inspection.imports = adapter.imports().to_vec();
                inspection.memory_kib = Some(adapter.memory_bytes() >> 10);
            }
            Err(error) if inspection.entry.note.is_none() => {
                inspection.entry.state = AdapterState::Broken;
                inspection.entry.note = Some(error.to_string());
            }
            Err(_) => {}
        }
        Ok(inspection)
    }

    /// Calls an adapter again that has failed too often. Gives what was counted against it, if anything was.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn release(&self, name: &str) -> Result<Option<StrikeRecord>, PluginError> {
        let entry = self.inspectable(name)?;
        let strikes = self
            .content(&entry)
            .and_then(|sha256| self.strikes(name, &sha256));
        let record = strikes.as_ref().and_then(Strikes::record);
        if let Some(strikes) = strikes {
            strikes.forget();
        }
        Ok(record)
    }

    /// The hash of an adapter's component, as far as it is known.
    fn content(&self, entry: &AdapterEntry) -> Option<String> {
        let Some(directory) = &entry.directory else {
            return guest(&entry.name).map(|guest| guest.sha256.to_owned());
        };
        let receipt = Receipt::find(&self.places.as_ref()?.receipts, directory)?;
        Some(receipt.component_sha256)
    }

    fn load_guest(&self, guest: &Guest) -> Result<Adapter, PluginError> {
        let limits = AdapterLimits::between(AdapterGrant::default(), self.granted(guest.name));
        let strikes = self.strikes(guest.name, guest.sha256);
        Adapter::guest(&self.cache, guest, limits, strikes)
    }

    fn load_installed(
        &self,
        installed: &Installed,
        places: &Places,
    ) -> Result<Adapter, PluginError> {
        let name = &installed.name;
        let problem = |problem: Problem| problem.error(name);
        let Verified {
            declaration,
            receipt,
        } = installed.verify(&places.receipts).map_err(problem)?;
        let limits = AdapterLimits::between(declaration.limits, self.granted(name));
        let sha256 = &receipt.component_sha256;
        let engine = engines::adapters();
        let component = self.cache.load(engine, name, sha256, || {
            // What is compiled is what was hashed.
            let bytes = installed.component().map_err(problem)?;
            if receipt::sha256(&bytes) != *sha256 {
                return Err(PluginError::new(
                    name,
                    PluginErrorKind::Refused,
                    "its component was changed since it was installed; install it again",
                ));
            }
            contract::compile(engine, &bytes).map_err(|message| incompatible(name, message))
        })?;
        let adapter = Adapter::load(name, &component, limits, self.strikes(name, sha256))?;
        declaration
            .agrees(adapter.manifest())
            .map_err(|message| incompatible(name, message))?;
        Ok(adapter)
    }

    fn forget_loaded(&self, name: &str) {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.remove(name);
    }

    fn granted(&self, name: &str) -> AdapterGrant {
        let places = self.places.as_ref();
        places
            .and_then(|places| places.grants.get(name).copied())
            .unwrap_or_default()
    }

    fn strikes(&self, name: &str, sha256: &str) -> Option<Strikes> {
        let places = self.places.as_ref().filter(|_| self.counted)?;
        Some(Strikes::of(&places.strikes, name, sha256))
    }
}

/// What the user would have to write for an adapter to get what it asks for.
fn missing_grant(
    name: &str,
    asked: AdapterGrant,
    limits: AdapterLimits,
    configuration: &Path,
) -> Option<String> {
    let holds = AdapterGrant::from(limits);
    let missing: Vec<_> = asked
        .members()
        .filter(|member| !holds.members().any(|held| held == *member))
        .map(|(member, value)| format!("{member} = {value}"))
        .collect();
    // In one line, as all advice is, and yet TOML.
    (!missing.is_empty()).then(|| {
        format!(
            "it asks for more than it is granted; to grant it, put at the top of {}: adapters.{name} = {{ {} }}",
            configuration.display(),
            missing.join(", ")
        )
    })
}
