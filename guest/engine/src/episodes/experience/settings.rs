//! The settings of experience: their defaults, their ranges and where they are kept.
//!
//! They are one document of the memory, so that every process that opens it does the same. What holds for one process
//! alone, such as what its environment says, is a second document that is in no store: a host answers it, and nothing of
//! it is ever written.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use twiceshy_wit::{
    host::Attribute,
    memory::{Error, ExperienceSettings},
};

use crate::{
    limits,
    store::{Desk, Kind, Noun, Read, Reader},
};

/// The settings as they are kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KeptSettings {
    settings: ExperienceSettings,
}

/// The id of the one document.
const ID: &str = "settings";

impl Noun for KeptSettings {
    const KIND: Kind = Kind::ExperienceSettings;

    fn id(&self) -> String {
        ID.to_owned()
    }

    fn attributes(&self) -> Vec<Attribute> {
        Vec::new()
    }
}

/// What holds while nobody says otherwise.
pub(crate) const DEFAULTS: ExperienceSettings = ExperienceSettings {
    enabled: true,
    max_size: 1_000,
    top_k: 4,
    window_size: 20,
    enable_rag: true,
    remem_enabled: false,
    max_inner_steps: 5,
    enable_smart_prune: true,
    prune_threshold: 0.95,
    relevance_decay: 0.99,
    min_relevance: 0.1,
};

/// Entries that are found at most.
pub(crate) const MOST_FOUND: u32 = 100;

/// Steps of the inner loop at most.
pub(crate) const MOST_INNER_STEPS: u32 = 20;

/// The id of what holds for the process that asks. Hosts know it.
const PROCESS: &str = "process";

/// What holds for a process, by name; the others are as the memory has them.
#[derive(Debug, Deserialize)]
struct ProcessSettings {
    settings: Map<String, Value>,
}

/// The settings that hold: those of the process over those of the memory.
pub(crate) fn experience_settings(reader: &Reader) -> Result<ExperienceSettings, Error> {
    let keys = [ID, PROCESS].map(|id| Kind::ExperienceSettings.key(id));
    let mut settings = DEFAULTS;
    for stored in reader.read(&keys)? {
        if stored.key.id == ID {
            settings = Read::<KeptSettings>::parse(&stored)?.noun.settings;
            continue;
        }
        let unfit =
            |error: serde_json::Error| Error::InvalidArgument(format!("`settings`: {error}"));
        let said: ProcessSettings = serde_json::from_str(&stored.body).map_err(unfit)?;
        let mut members = serde_json::to_value(settings).map_err(unfit)?;
        for (name, value) in said.settings {
            members[name] = value;
        }
        settings = serde_json::from_value(members).map_err(unfit)?;
        check(&settings)?;
    }
    Ok(settings)
}

/// The settings that the memory has.
fn kept_settings(reader: &Reader) -> Result<ExperienceSettings, Error> {
    let read = reader.load::<KeptSettings>(ID)?;
    Ok(read.map_or(DEFAULTS, |read| read.noun.settings))
}

pub(crate) fn set_experience(
    desk: &mut Desk,
    settings: &ExperienceSettings,
) -> Result<ExperienceSettings, Error> {
    check(settings)?;
    let kept = KeptSettings {
        settings: *settings,
    };
    desk.commit(|batch| {
        if kept_settings(batch)? == *settings {
            return Ok(());
        }
        // The last word counts, whatever was set before.
        batch.put_owned(&kept);
        Ok(())
    })?;
    Ok(*settings)
}

/// Refuses a setting that is out of its range, by its name.
fn check(settings: &ExperienceSettings) -> Result<(), Error> {
    let counts = [
        ("max-size", settings.max_size, limits::EXPERIENCES),
        ("top-k", settings.top_k, MOST_FOUND),
        ("window-size", settings.window_size, 1_000),
        (
            "max-inner-steps",
            settings.max_inner_steps,
            MOST_INNER_STEPS,
        ),
    ];
    for (name, value, most) in counts {
        if !(1..=most).contains(&value) {
            return Err(Error::InvalidArgument(format!(
                "`settings.{name}` is {value}; it must be from 1 to {most}; nothing was changed"
            )));
        }
    }
    let shares = [
        ("prune-threshold", settings.prune_threshold),
        ("relevance-decay", settings.relevance_decay),
        ("min-relevance", settings.min_relevance),
    ];
    for (name, value) in shares {
        if !(0.0..=1.0).contains(&value) {
            return Err(Error::InvalidArgument(format!(
                "`settings.{name}` is {value}; it must be from 0 to 1; nothing was changed"
            )));
        }
    }
    Ok(())
}
