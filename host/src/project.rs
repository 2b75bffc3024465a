//! Where a memory lives, and how it is set.
//!
//! Owns finding the memory of a project, the user's own directory, and the configuration files. What is
//! in the memory is others' business.

use std::{
    collections::BTreeMap,
    env, fmt, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use twiceshy_store::PostgresAddress;
use twiceshy_wit::host::Level;

use crate::{
    EmbeddingSettings, EvolvingMemory, ExperienceOptions, Home, ModelSettings,
    limits::{self, AdapterGrant},
    projects, worktree,
};

/// The directory of a project's memory, at the project's root.
const DIRECTORY: &str = ".twiceshy";

/// The store within it.
const STORE: &str = "memory.db";

/// Large and cold contents within it.
const ARCHIVE: &str = "archive";

/// What this machine keeps of memories elsewhere, within the user's directory.
const ELSEWHERE: &str = "elsewhere";

/// The configuration within it, and within the user's directory.
pub(crate) const CONFIGURATION: &str = "config.toml";

/// The variable that switches the memory off.
const OFF: &str = "TWICESHY_OFF";

/// The same in another form, beside it: what it says counts less.
const YAML: &str = "config.yaml";

/// The memory of a project: a directory, whether it exists yet or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    directory: PathBuf,
    /// The service that the memory is behind, if it is not in the directory.
    address: Option<String>,
    /// The database that holds the memory, if it is not in the directory.
    server: Option<PostgresAddress>,
}

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

/// Why a project's memory can't be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProjectError {
    /// A directory or file can't be read or made.
    Unusable(PathBuf, io::Error),
    /// A configuration file is not what it should be.
    Configuration(PathBuf, String),
    /// An environment variable is not what it should be.
    Environment(String, String),
    /// A memory elsewhere can't be asked.
    Elsewhere(String),
}

impl fmt::Display for ProjectError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unusable(path, error) => write!(
                formatter,
                "{}: {error}; choose another place with --memory DIR, or fix the permissions",
                path.display()
            ),
            Self::Configuration(path, error) => {
                write!(
                    formatter,
                    "{}: {error}; fix or remove the file",
                    path.display()
                )
            }
            Self::Elsewhere(why) => formatter.write_str(why),
            Self::Environment(name, error) => {
                write!(formatter, "the variable {name}: {error}; fix or unset it")
            }
        }
    }
}

impl std::error::Error for ProjectError {}

impl Project {
    /// The memory in this directory.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            address: None,
            server: None,
        }
    }

    /// The memory of this name: a directory, or the address of a memory elsewhere: of a service such as
    /// `https://memory.example`, or of a database such as `postgres://anna@db.example/team`. What this machine alone keeps
    /// of the latter, such as which runs are open here, is in the user's directory.
    ///
    /// # Errors
    /// If it is no address of a database although it begins as one.
    pub fn named(name: &Path, home: &Home) -> Result<Self, ProjectError> {
        let Some(address) = name.to_str().filter(|name| name.contains("://")) else {
            return Ok(Self::at(name));
        };
        let server = match PostgresAddress::is_meant(address) {
            true => Some(PostgresAddress::parse(address).map_err(ProjectError::Elsewhere)?),
            false => None,
        };
        // The place of a database is shown without its password, and stays when the password changes.
        let shown = server.as_ref().map(ToString::to_string);
        let address = shown.as_deref().unwrap_or(address);
        let digest = Sha256::digest(address.trim_end_matches('/').as_bytes());
        let short: String = digest[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Ok(Self {
            directory: home.directory().join(ELSEWHERE).join(short),
            address: server.is_none().then(|| address.to_owned()),
            server,
        })
    }

    /// The memory to use in a directory: the one that the user's settings name for everything, or the one found upward.
    ///
    /// # Errors
    /// If the user's settings can't be read.
    pub fn of_directory(from: &Path, home: &Home) -> Result<Self, ProjectError> {
        let settings = Settings::read(home, &Self::at(home.directory()))?;
        match &settings.memory {
            Some(name) => Self::named(Path::new(name), home),
            None => Ok(Self::find(from)),
        }
    }

    /// The database that holds the memory, if it is in one.
    pub fn server(&self) -> Option<&PostgresAddress> {
        self.server.as_ref()
    }

    /// The service that the memory is behind, if it is behind one.
    pub fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// The memory found upward from a directory. If there is none, where the first write makes it: at the
    /// root of the version-controlled tree, of the main one if it has several, or right there.
    pub fn find(from: &Path) -> Self {
        let found = from
            .ancestors()
            .map(|directory| directory.join(DIRECTORY))
            .find(|path| path.is_dir());
        Self::at(found.unwrap_or_else(|| worktree::home_of_memory(from).join(DIRECTORY)))
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Where the memory is, for a person.
    pub fn place(&self) -> String {
        match (&self.address, &self.server) {
            (Some(address), _) => address.clone(),
            (None, Some(server)) => server.to_string(),
            (None, None) => self.directory.display().to_string(),
        }
    }

    /// The store's file.
    pub fn store_file(&self) -> PathBuf {
        self.directory.join(STORE)
    }

    /// The directory of large and cold contents.
    pub fn archive_directory(&self) -> PathBuf {
        self.directory.join(ARCHIVE)
    }

    /// Whether anything was written yet; a memory elsewhere is taken to be there.
    pub fn exists(&self) -> bool {
        self.address.is_some() || self.server.is_some() || self.store_file().exists()
    }

    /// Makes the directory, ignored by git through a file of its own.
    ///
    /// # Errors
    /// If it can't be made.
    pub fn create(&self) -> Result<(), ProjectError> {
        let unusable = |error| ProjectError::Unusable(self.directory.clone(), error);
        fs::create_dir_all(&self.directory).map_err(unusable)?;
        let ignore = self.directory.join(".gitignore");
        // Whatever has that name stays, also a link to where there is nothing: it is not written through.
        match fs::File::create_new(&ignore) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(unusable(error)),
            Ok(mut file) => {
                projects::note(&self.directory);
                file.write_all(b"*\n").map_err(unusable)
            }
        }
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
            let Some(text) = text_of(&file)? else {
                continue;
            };
            // Each file is checked by itself, so that the error names the right one. The line of an error may hold a
            // password.
            let check = |error: toml::de::Error| {
                let told = match text.contains("://") {
                    true => error.message().to_owned(),
                    false => error.to_string(),
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
            ProjectError::Configuration(project.directory.join(CONFIGURATION), error.to_string())
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

/// The text of a file, if it is there.
fn text_of(file: &Path) -> Result<Option<String>, ProjectError> {
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
    let Some(text) = text_of(file)? else {
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
    fn the_memory_is_found_upward() {
        let root = scratch();
        let deep = root.path().join("a/b");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir(root.path().join(DIRECTORY)).unwrap();
        assert_eq!(
            Project::find(&deep).directory(),
            root.path().join(DIRECTORY)
        );
    }

    #[test]
    fn without_one_it_is_made_at_the_root_of_the_version_controlled_tree() {
        let root = scratch();
        let deep = root.path().join("a/b");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir(root.path().join("a/.git")).unwrap();
        let project = Project::find(&deep);
        assert_eq!(project.directory(), root.path().join("a").join(DIRECTORY));
        project.create().unwrap();
        assert_eq!(
            fs::read_to_string(project.directory().join(".gitignore")).unwrap(),
            "*\n"
        );
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
            (shown.busy_timeout_ms, shown.hold_out),
            (defaults.busy_timeout_ms, defaults.hold_out)
        );
    }
}
