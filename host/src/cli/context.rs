//! What every command works with: the project, its settings, and the memory.

use std::{
    env,
    io::{IsTerminal, Write},
    ops::Deref,
    path::Path,
    process::ExitCode,
};

use serde::Serialize;
use twiceshy::{
    Adapters, Cache, ChosenEmbedder, Home, Memory, MemoryComponent, PluggedModel, Project,
    ProjectMemory,
    wit::{
        self,
        host::{Level, Log},
    },
};

use super::{arguments::Common, failure::Failure};

/// The surroundings of a command: the project's memory, and how its results are shown.
pub(crate) struct Context {
    opened: ProjectMemory,
    pub(crate) json: bool,
}

impl Deref for Context {
    type Target = ProjectMemory;

    fn deref(&self) -> &ProjectMemory {
        &self.opened
    }
}

impl Context {
    pub(crate) fn new(common: &Common) -> Result<Self, Failure> {
        Ok(Self {
            opened: ProjectMemory::of(project(common)?)?,
            json: common.json,
        })
    }

    /// The same for a command that stands between two steps of an agent, who may work in another directory, if it is there.
    pub(crate) fn between_steps(
        common: &Common,
        directory: Option<&Path>,
    ) -> Result<Self, Failure> {
        let elsewhere = directory.filter(|path| path.is_absolute() && path.is_dir());
        let project = match elsewhere.filter(|_| common.memory.is_none()) {
            Some(directory) => Project::of_directory(directory, &Home::find())?,
            None => project(common)?,
        };
        Ok(Self {
            opened: ProjectMemory::between_steps(project)?,
            json: common.json,
        })
    }

    /// Whether the memory is switched off. Says so, or answers `null` where a program reads it.
    pub(crate) fn is_off(&self) -> bool {
        let off = self.settings.switched_off();
        match off {
            Some(_) if self.json => println!("null"),
            Some(off) => eprintln!("twiceshy: {off}"),
            None => {}
        }
        off.is_some()
    }

    /// The cache of compiled components, which says when it compiles one.
    pub(crate) fn cache(&self) -> Cache {
        Cache::new(self.home.cache(), |name| announce(name, true))
    }

    /// The adapters at hand.
    pub(crate) fn adapters(&self) -> Adapters {
        self.opened.adapters(self.cache())
    }

    /// Refuses a memory that came from somebody else, before anything of it is looked at.
    pub(crate) fn refuse_foreign(&self) -> Result<(), Failure> {
        self.standing()
            .check()
            .map_err(|why| wit::host::Error::Denied(why).into())
    }

    /// The project's memory, with the model and the embedder that the settings name. They are asked only by a call
    /// that needs them.
    pub(crate) fn memory(&self) -> Result<Memory, Failure> {
        self.memory_with(self.model())
    }

    /// The project's memory, with another model.
    pub(crate) fn memory_with(&self, model: Option<PluggedModel>) -> Result<Memory, Failure> {
        self.refuse_foreign()?;
        let component = MemoryComponent::bundled(&self.cache())?;
        Ok(self.over(&component, model, self.embedder()))
    }

    /// A memory of a component that is loaded already.
    pub(crate) fn over(
        &self,
        component: &MemoryComponent,
        model: Option<PluggedModel>,
        embedder: Option<ChosenEmbedder>,
    ) -> Memory {
        self.opened
            .over(component, model, embedder)
            .log(StandardError::new(self.settings.log_level))
            .build()
    }

    /// Prints a result: as JSON for a program, or as the lines that it is for a person.
    pub(crate) fn print(
        &self,
        result: &impl Serialize,
        lines: impl FnOnce() -> Vec<String>,
    ) -> Result<ExitCode, Failure> {
        let text = if self.json {
            super::show::json(result).map_err(|error| Failure::other(error.to_string()))?
        } else {
            lines().join("\n")
        };
        writeln!(std::io::stdout(), "{text}")?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The memory that the arguments name, or the one found from here.
pub(crate) fn project(common: &Common) -> Result<Project, Failure> {
    if let Some(directory) = &common.memory {
        return Ok(Project::named(directory, &Home::find())?);
    }
    let here = env::current_dir().map_err(|error| {
        Failure::other(format!(
            "the working directory: {error}; change to one that exists"
        ))
    })?;
    Ok(Project::of_directory(&here, &Home::find())?)
}

/// Says that a component is compiled. A command that must stay unseen only says so on a terminal.
pub(crate) fn announce(name: &str, always: bool) {
    if always || std::io::stderr().is_terminal() || is_talkative() {
        eprintln!("twiceshy: compiling the component `{name}` for this machine, once");
    }
}

/// The log of the memory on standard error.
pub(crate) struct StandardError(Level);

impl StandardError {
    /// Messages from the level that `TWICESHY_LOG` names, or else the settings; warnings if neither does.
    pub(crate) fn new(level: Option<Level>) -> Self {
        Self(named_level().or(level).unwrap_or(Level::Warn))
    }
}

impl Log for StandardError {
    fn write(&self, level: Level, message: &str) {
        if level >= self.0 {
            eprintln!(
                "twiceshy: {}: {}",
                level.as_str(),
                super::show::line(message)
            );
        }
    }
}

/// Whether the environment asks for more than warnings.
pub(crate) fn is_talkative() -> bool {
    Level::Info >= named_level().unwrap_or(Level::Warn)
}

/// The level that the environment names.
fn named_level() -> Option<Level> {
    match env::var("TWICESHY_LOG").as_deref() {
        Ok("debug") => Some(Level::Debug),
        Ok("info") => Some(Level::Info),
        Ok("warn") => Some(Level::Warn),
        _ => None,
    }
}
