//! How twiceshy is set: from the user's and the project's configuration file, and from the environment.
//!
//! **A project's file chooses nothing that runs here, and nobody who gets the user's words:** a project comes from anywhere.

use std::{
    collections::BTreeMap,
    env, fs, io,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use twiceshy_wit::host::Level;

use crate::{
    EmbeddingSettings, EvolvingMemory, ExperienceOptions, Home, ModelSettings, Project,
    ProjectError,
    limits::{self, AdapterGrant},
};

/// The configuration within the directory of a memory, and within the user's directory.
pub(crate) const CONFIGURATION: &str = "config.toml";

/// The same in another form, beside it: what it says counts less.
const YAML: &str = "config.yaml";

/// How long a file of settings may be, in bytes.
const LONGEST: u64 = 1 << 20;

/// The variable that switches the memory off.
const OFF: &str = "TWICESHY_OFF";

/// How twiceshy behaves, from the user's and the project's configuration file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// Whether anything is remembered and shown. If false, commands only run.
    pub enabled: bool,
    /// How many hints are shown after a failure, at most 3; 0 for none.
    pub hints: u32,
    /// How much of each output stream of a command is kept for assessment, in KiB.
    pub capture_kib: usize,
    /// How long a writer waits for another one, in milliseconds.
    pub busy_timeout_ms: u64,
    /// The share of opportunities in which a lesson is withheld, so that its effect is measured; 0 to 0.5.
    pub hold_out: f64,
    /// After how many hours a memory is consolidated again by itself, when an agent with hooks pauses; 0 for never.
    pub consolidate_hours: u32,
    /// For how many days a consolidation can be undone; 1 to 3650.
    pub undo_days: u32,
    /// The memory to use everywhere: a directory, or the address of a service or a database. Only the user's own file may name one.
    pub memory: Option<String>,
    /// A language model, if one is plugged in. Only the user's own file may name one.
    pub model: Option<ModelSettings>,
    /// Whether texts are compared by the static model that ships with the program, if no embedder is plugged in.
    pub static_model: bool,
    /// An embedder, if one is plugged in. Only the user's own file, or the environment, may name one.
    pub embedding: Option<EmbeddingSettings>,
    /// How experience is kept and used, as the last file says.
    pub evolving_memory: Option<EvolvingMemory>,
    /// What adapters may have beyond the default, by their names. Only the user's own file may grant anything.
    pub adapters: BTreeMap<String, AdapterGrant>,
    /// From which level on messages are shown.
    #[serde(deserialize_with = "level")]
    pub log_level: Option<Level>,
    /// How experience is kept and used, as all files and the environment say.
    #[serde(skip)]
    pub experience: ExperienceOptions,
}

/// What may stand in a YAML file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Yaml {
    evolving_memory: Option<EvolvingMemory>,
    embedding: Option<EmbeddingSettings>,
    #[serde(deserialize_with = "level")]
    log_level: Option<Level>,
}

/// A level in either case.
fn level<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Level>, D::Error> {
    let text = String::deserialize(deserializer)?;
    match text.to_ascii_lowercase().as_str() {
        "debug" => Ok(Some(Level::Debug)),
        "info" => Ok(Some(Level::Info)),
        "warn" | "warning" => Ok(Some(Level::Warn)),
        _ => Err(serde::de::Error::custom(
            "the log level must be debug, info or warn",
        )),
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enabled: true,
            hints: 2,
            capture_kib: limits::CAPTURE_BYTES >> 10,
            busy_timeout_ms: u64::try_from(limits::BUSY_TIMEOUT.as_millis()).unwrap_or(u64::MAX),
            hold_out: limits::HOLD_OUT,
            consolidate_hours: limits::CONSOLIDATE_HOURS,
            undo_days: limits::UNDO_DAYS,
            memory: None,
            model: None,
            static_model: true,
            embedding: None,
            evolving_memory: None,
            adapters: BTreeMap::new(),
            log_level: None,
            experience: ExperienceOptions::default(),
        }
    }
}

impl Settings {
    /// The user's settings with the project's over them, and the environment's over both.
    ///
    /// # Errors
    /// If a file can't be read, or if it or a variable has a member that does not exist or does not fit.
    pub fn read(home: &Home, project: &Project) -> Result<Self, ProjectError> {
        let mut table = toml::Table::new();
        let mut options = ExperienceOptions::default();
        let (mut embedding, mut log_level) = (None, None);
        for directory in [home.directory(), project.directory()] {
            let is_users = directory == home.directory();
            let file = directory.join(YAML);
            if let Some(yaml) = read_yaml(&file, home, is_users)? {
                if let Some(said) = yaml.evolving_memory {
                    options.add(file, said);
                }
                embedding = yaml.embedding.or(embedding);
                log_level = yaml.log_level.or(log_level);
            }
            let file = directory.join(CONFIGURATION);
            let Some(text) = text_of(&file, is_users)? else {
                continue;
            };
            // Each file is checked by itself, so that the error names the right one. The line of an error may hold a
            // password, and behind a link it is one of a file that has nothing to do with this.
            let is_shown = !text.contains("://") && !directory.is_symlink();
            let check = |error: toml::de::Error| {
                let told = match is_shown {
                    true => error.to_string(),
                    false => error.message().to_owned(),
                };
                ProjectError::Configuration(file.clone(), told.trim().replace('\n', " "))
            };
            let settings = toml::from_str::<Self>(&text).map_err(check)?;
            settings.check(&file)?;
            let contacts = [
                ("memory", settings.memory.is_some()),
                ("[model]", settings.model.is_some()),
                ("[embedding]", settings.embedding.is_some()),
                ("[adapters]", !settings.adapters.is_empty()),
            ];
            for (name, is_there) in contacts {
                if is_there && !is_users {
                    return Err(only_the_users(file, name, home));
                }
            }
            table.extend(toml::from_str::<toml::Table>(&text).map_err(check)?);
            if let Some(said) = settings.evolving_memory {
                options.add(file, said);
            }
            embedding = settings.embedding.or(embedding);
            log_level = settings.log_level.or(log_level);
        }
        let mut settings: Self = table.try_into().map_err(|error: toml::de::Error| {
            ProjectError::Configuration(project.directory().join(CONFIGURATION), error.to_string())
        })?;
        let wrong = |(name, why)| ProjectError::Environment(name, why);
        let variables = env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        options.add_environment(variables).map_err(wrong)?;
        let variable = |name: &str| env::var(name).ok();
        settings.embedding =
            EmbeddingSettings::with_environment(embedding, variable).map_err(wrong)?;
        settings.experience = options;
        settings.log_level = log_level;
        settings.enabled &= !is_off(env::var(OFF).ok().as_deref());
        Ok(settings)
    }

    /// What switched the memory off, in words; none if it is on.
    pub fn switched_off(&self) -> Option<&'static str> {
        match is_off(env::var(OFF).ok().as_deref()) {
            true => Some("switched off by the variable TWICESHY_OFF"),
            false if self.enabled => None,
            false => Some("switched off by `enabled = false` in config.toml"),
        }
    }

    fn check(&self, file: &Path) -> Result<(), ProjectError> {
        let refuse = |text: &str| {
            Err(ProjectError::Configuration(
                file.to_owned(),
                text.to_owned(),
            ))
        };
        if self.hints > limits::MOST_HINTS {
            return refuse("hints must be from 0 to 3");
        }
        if !(1..=16 << 10).contains(&self.capture_kib) {
            return refuse("capture-kib must be from 1 to 16384");
        }
        if self.busy_timeout_ms > 600_000 {
            return refuse("busy-timeout-ms must be at most 600000");
        }
        if !(0.0..=0.5).contains(&self.hold_out) {
            return refuse("hold-out must be from 0 to 0.5");
        }
        if !(1..=limits::MOST_UNDO_DAYS).contains(&self.undo_days) {
            return refuse("undo-days must be from 1 to 3650");
        }
        if let Some(Err(why)) = self.model.as_ref().map(ModelSettings::check) {
            return refuse(&why);
        }
        if let Some(Err(why)) = self.embedding.as_ref().map(EmbeddingSettings::check) {
            return refuse(&why);
        }
        if let Some(Err(why)) = self.evolving_memory.as_ref().map(EvolvingMemory::check) {
            return refuse(&format!("[evolving-memory] {why}"));
        }
        for (name, grant) in &self.adapters {
            if let Err(why) = grant.check() {
                return refuse(&format!("[adapters.{name}] {why}"));
            }
        }
        Ok(())
    }
}

/// Whether the value of the variable switches the memory off: anything but nothing and `0` does.
fn is_off(value: Option<&str>) -> bool {
    value.is_some_and(|value| !matches!(value.trim(), "" | "0"))
}

/// The text of a file, if it is there. A project's is no link: it would show what is elsewhere. Neither is a pipe or a device, which
/// has no end.
fn text_of(file: &Path, is_users: bool) -> Result<Option<String>, ProjectError> {
    let refuse = |why: &str| ProjectError::Configuration(file.to_owned(), why.to_owned());
    let found = match is_users {
        true => fs::metadata(file),
        false => fs::symlink_metadata(file),
    };
    match found {
        Ok(found) if found.is_symlink() => {
            return Err(refuse(
                "it is a link, and a project's settings lead nowhere",
            ));
        }
        Ok(found) if !found.is_file() => return Err(refuse("it is no plain file")),
        Ok(found) if found.len() > LONGEST => {
            return Err(refuse(&format!("it has more than {} KiB", LONGEST >> 10)));
        }
        _ => {}
    }
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(
            ProjectError::Configuration(file.to_owned(), error.to_string()),
        ),
        Err(error) => Err(ProjectError::Unusable(file.to_owned(), error)),
    }
}

/// What a YAML file says, checked, if it is there.
fn read_yaml(file: &Path, home: &Home, is_users: bool) -> Result<Option<Yaml>, ProjectError> {
    let Some(text) = text_of(file, is_users)? else {
        return Ok(None);
    };
    let wrong = |why: String| ProjectError::Configuration(file.to_owned(), why.replace('\n', " "));
    let yaml: Option<Yaml> =
        serde_yaml_ng::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let yaml = yaml.unwrap_or_default();
    if let Some(Err(why)) = yaml.evolving_memory.as_ref().map(EvolvingMemory::check) {
        return Err(wrong(format!("evolvingMemory: {why}")));
    }
    if let Some(Err(why)) = yaml.embedding.as_ref().map(EmbeddingSettings::check) {
        return Err(wrong(why));
    }
    if yaml.embedding.is_some() && !is_users {
        return Err(only_the_users(file.to_owned(), "embedding", home));
    }
    Ok(Some(yaml))
}

/// A project comes from anywhere: it must not choose what runs here, or who gets the user's words and key.
fn only_the_users(file: PathBuf, name: &str, home: &Home) -> ProjectError {
    ProjectError::Configuration(
        file,
        format!(
            "{name} is only allowed in the user's own {}",
            home.directory().join(CONFIGURATION).display()
        ),
    )
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

#[cfg(test)]
mod tests {
    use twiceshy_wit::memory::ExperienceSettings;

    use super::*;

    fn scratch() -> tempfile::TempDir {
        tempfile::tempdir().expect("a directory for the test")
    }

    #[test]
    fn the_projects_settings_win_over_the_users() {
        let root = scratch();
        let home = Home::at(root.path().join("home"));
        let project = Project::at(root.path().join("project"));
        fs::create_dir(home.directory()).unwrap();
        fs::create_dir(project.directory()).unwrap();
        fs::write(
            home.directory().join(CONFIGURATION),
            "hints = 3\ncapture-kib = 8\n",
        )
        .unwrap();
        fs::write(project.directory().join(CONFIGURATION), "hints = 1\n").unwrap();
        let settings = Settings::read(&home, &project).unwrap();
        assert_eq!((settings.hints, settings.capture_kib), (1, 8));
    }

    #[test]
    fn a_yaml_file_is_taken_beside_the_other_and_counts_less() {
        let root = scratch();
        let home = Home::at(root.path().join("home"));
        let project = Project::at(root.path().join("project"));
        for directory in [home.directory(), project.directory()] {
            fs::create_dir(directory).unwrap();
        }
        fs::write(
            home.directory().join(YAML),
            "logLevel: \"debug\"\nevolvingMemory:\n  topK: 7\n  maxSize: 70\n\
             embedding:\n  baseURL: \"http://localhost:11434\"\n  model: \"nomic-embed-text\"\n",
        )
        .unwrap();
        fs::write(
            project.directory().join(YAML),
            "evolvingMemory:\n  maxSize: 80\n  windowSize: 8\n",
        )
        .unwrap();
        fs::write(
            project.directory().join(CONFIGURATION),
            "[evolving-memory]\nwindow-size = 9\n",
        )
        .unwrap();
        let settings = Settings::read(&home, &project).unwrap();
        assert_eq!(settings.log_level, Some(Level::Debug));
        assert_eq!(
            settings.embedding.map(|embedding| embedding.model),
            Some("nomic-embed-text".to_owned())
        );
        let kept = ExperienceSettings {
            enabled: true,
            max_size: 1,
            top_k: 1,
            window_size: 1,
            enable_rag: true,
            remem_enabled: false,
            max_inner_steps: 1,
            enable_smart_prune: true,
            prune_threshold: 1.0,
            relevance_decay: 1.0,
            min_relevance: 0.0,
        };
        let holds = settings.experience.over(kept);
        assert_eq!((holds.top_k, holds.max_size, holds.window_size), (7, 80, 9));
        for (text, named) in [
            ("evolvingMemory:\n  topK: 0", "top-k"),
            ("evolvingMemory:\n  topk: 1", "topk"),
            ("other: 1", "other"),
            (
                "embedding:\n  baseURL: 'http://localhost:1'\n  model: m",
                "embedding",
            ),
            ("a: [", "config.yaml"),
        ] {
            fs::write(project.directory().join(YAML), text).unwrap();
            let error = Settings::read(&home, &project).unwrap_err().to_string();
            assert!(error.contains(named) && error.contains(YAML), "{error}");
        }
    }

    #[test]
    fn a_wrong_setting_is_refused_with_its_file_and_name() {
        let root = scratch();
        let home = Home::at(root.path().join("none"));
        let project = Project::at(root.path());
        for (text, named) in [
            ("hint = 1", "hint"),
            ("hints = 99", "hints"),
            ("hold-out = 0.6", "hold-out"),
            ("hold-out = nan", "hold-out"),
            ("[model]\ncommand = []", "command"),
            ("[model]\ncommand = ['true']", "[model]"),
            (
                "[embedding]\nbase-url = 'http://localhost:1'\nmodel = 'm'",
                "[embedding]",
            ),
            ("[adapters.x]\nmemory-mib = 256", "[adapters]"),
            ("[adapters.x]\nmemory-mib = 9999", "memory-mib"),
            ("[adapters.x]\nfiles = true", "files"),
            ("[evolving-memory]\ntop-k = 0", "top-k"),
            ("[evolving-memory]\ntopp = 1", "topp"),
            ("log-level = 'loud'", "log level"),
            ("x", "config.toml"),
        ] {
            fs::write(root.path().join(CONFIGURATION), text).unwrap();
            let error = Settings::read(&home, &project).unwrap_err().to_string();
            assert!(
                error.contains(named) && error.contains(CONFIGURATION),
                "{error}"
            );
        }
    }

    #[test]
    fn the_page_of_configuration_shows_settings_that_are_accepted_with_their_defaults() {
        let page = include_str!("../../docs/CONFIGURATION.md");
        let blocks = page.split("```toml\n").skip(1);
        let text: String = blocks
            .filter_map(|block| block.split("```").next())
            .collect();
        let shown: Settings = toml::from_str(&text).unwrap();
        shown.check(Path::new("config.toml")).unwrap();
        let defaults = Settings::default();
        assert_eq!(
            (shown.enabled, shown.hints, shown.capture_kib),
            (defaults.enabled, defaults.hints, defaults.capture_kib)
        );
        assert_eq!(
            (shown.busy_timeout_ms, shown.hold_out, shown.undo_days),
            (
                defaults.busy_timeout_ms,
                defaults.hold_out,
                defaults.undo_days
            )
        );
    }
}
