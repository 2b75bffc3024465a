//! A memory as Python holds it: opened when it is first called, once in each process.
//!
//! Every call releases the interpreter. A process that was forked opens the memory anew: a connection to a database must
//! not be used by two processes.

use std::{
    path::PathBuf,
    process,
    sync::{Arc, Mutex, PoisonError},
};

use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::json;
use twiceshy::{
    Adapters, Cache, Home, MapStore, Memory, MemoryBuilder, MemoryComponent, Project,
    ProjectMemory, RawStep, Settings,
    wit::{
        self,
        adapter::{Goal, PastStep, Step},
        host::Level,
        memory::Error,
    },
};

use crate::border::{Failure, PythonClock, PythonLog, announce};

/// The functions that a step waits for: they ask a model or an embedder only if the settings say so.
const STEPS: [&str; 2] = ["runs.observe", "adapters.observe"];

/// A memory.
#[pyclass(frozen, module = "twiceshy._native")]
pub(crate) struct NativeMemory {
    /// Where it is and how it is set; none for one that is forgotten with the process. Its store is not opened here.
    project: Option<ProjectMemory>,
    clock: Option<Py<PyAny>>,
    state: Mutex<State>,
}

enum State {
    Unopened,
    Opened(Arc<Opened>),
    Closed,
}

struct Opened {
    process: u32,
    project: Option<ProjectMemory>,
    memory: Memory,
    step_memory: Memory,
    adapters: Adapters,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Assess {
    adapter: String,
    goal: Goal,
    #[serde(default)]
    recent: Vec<PastStep>,
    step: Step,
}

#[pymethods]
impl NativeMemory {
    /// The memory in `directory`, or the one that is found from `start` upward; without both, one that is forgotten with
    /// the process.
    #[new]
    #[pyo3(signature = (directory = None, start = None, clock = None))]
    fn new(
        py: Python<'_>,
        directory: Option<PathBuf>,
        start: Option<PathBuf>,
        clock: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let project = match (directory, start) {
            (Some(directory), _) => {
                Some(Project::named(&directory, &Home::find()).and_then(ProjectMemory::of))
            }
            (None, Some(start)) => Some(ProjectMemory::find(&start)),
            (None, None) => None,
        };
        let project = project.transpose();
        Ok(Self {
            project: project.map_err(|error| Failure::from(error).raise(py))?,
            clock,
            state: Mutex::new(State::Unopened),
        })
    }

    /// Calls `interface.function` with a JSON object of its arguments by name; gives its result as JSON.
    fn call(&self, py: Python<'_>, method: &str, arguments: &str) -> PyResult<String> {
        py.detach(|| self.answer(method, arguments))
            .map_err(|failure| failure.raise(py))
    }

    /// The directory of the memory; none if it is forgotten with the process, or kept by a service or a database.
    #[getter]
    fn directory(&self) -> Option<PathBuf> {
        let project = &self.project.as_ref()?.project;
        let is_here = project.address().is_none() && project.server().is_none();
        is_here.then(|| project.directory().to_owned())
    }

    /// Where the memory is, as one would name it; nowhere if it is forgotten with the process.
    #[getter]
    fn place(&self) -> Option<String> {
        let project = self.project.as_ref();
        project.map(|opened| opened.project.place())
    }

    /// Why nothing is remembered, if the settings or the environment say so.
    #[getter]
    fn switched_off(&self) -> Option<&'static str> {
        self.settings().and_then(Settings::switched_off)
    }

    /// How many hints a run gives after a failure, as the settings say.
    #[getter]
    fn hints(&self) -> u32 {
        match self.switched_off() {
            Some(_) => 0,
            None => self
                .settings()
                .map_or_else(|| Settings::default().hints, |one| one.hints),
        }
    }

    /// The share of runs from which a lesson is withheld, as the settings say.
    #[getter]
    fn hold_out(&self) -> f64 {
        self.settings()
            .map_or_else(|| Settings::default().hold_out, |one| one.hold_out)
    }

    /// How much of each output of a command is kept, as the settings say.
    #[getter]
    fn capture_bytes(&self) -> usize {
        let settings = self.settings();
        settings.map_or_else(|| Settings::default().capture_kib, |one| one.capture_kib) << 10
    }

    /// Lets go of the memory's files. Whatever calls it afterwards is refused.
    fn close(&self, py: Python<'_>) {
        py.detach(|| *self.lock() = State::Closed);
    }
}

impl NativeMemory {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settings(&self) -> Option<&Settings> {
        self.project.as_ref().map(|opened| &opened.settings)
    }

    fn answer(&self, method: &str, arguments: &str) -> Result<String, Failure> {
        let opened = self.opened()?;
        let memory = match STEPS.contains(&method) {
            true => &opened.step_memory,
            false => &opened.memory,
        };
        match method {
            "adapters.assess" => {
                let given: Assess = serde_json::from_str(arguments)?;
                let adapter = opened.adapters.get(&given.adapter)?;
                let feedback = adapter.assess(&given.goal, &given.recent, &given.step)?;
                Ok(json!(feedback).to_string())
            }
            "adapters.observe" => {
                let given: RawStep = serde_json::from_str(arguments)?;
                let judged = opened.adapters.observe(memory, given)?;
                let error = judged.adapter_error.map(|error| error.to_string());
                Ok(json!({
                    "feedback": judged.feedback, "reaction": judged.reaction, "adapter-error": error,
                })
                .to_string())
            }
            _ => {
                // The arguments are read here, which is quicker than inside the component.
                let answer = wit::rpc::call(memory, method, arguments)?;
                if let Some(project) = &opened.project {
                    project.store().erase_after(method)?;
                }
                Ok(answer)
            }
        }
    }

    /// The memory of this process.
    fn opened(&self) -> Result<Arc<Opened>, Failure> {
        let mut state = self.lock();
        let opened = match &*state {
            State::Closed => {
                let why = "the memory is closed; open it again".to_owned();
                return Err(Error::Conflict(why).into());
            }
            State::Opened(opened) if opened.process == process::id() => return Ok(opened.clone()),
            State::Opened(of_parent) => Arc::new(self.open_again(of_parent)?),
            State::Unopened => Arc::new(self.open()?),
        };
        if let State::Opened(of_parent) =
            std::mem::replace(&mut *state, State::Opened(opened.clone()))
        {
            // Its files are the other process's: closing them here would end its locks.
            std::mem::forget(of_parent);
        }
        Ok(opened)
    }

    fn open(&self) -> Result<Opened, Failure> {
        let cache = || Cache::new(Home::find().cache(), announce);
        let component = MemoryComponent::bundled(&cache())?;
        let project = self
            .project
            .as_ref()
            .filter(|_| self.switched_off().is_none());
        let Some(project) = project else {
            let memory = component.over(MapStore::new()).log(PythonLog(Level::Warn));
            let memory = self.with_clock(memory).build();
            let adapters = Adapters::bundled(cache());
            return Ok(Opened::new(None, memory.clone(), memory, adapters));
        };
        let project = ProjectMemory::of(project.project.clone())?;
        project.standing().check().map_err(Error::Denied)?;
        let build = |model, embedder| {
            let level = project.settings.log_level.unwrap_or(Level::Warn);
            let memory = project
                .over(&component, model, embedder)
                .log(PythonLog(level));
            self.with_clock(memory).build()
        };
        let memory = build(project.model(), project.embedder());
        let step_memory = build(project.model_of_steps(), project.embedder_of_steps());
        let adapters = project.adapters(cache());
        Ok(Opened::new(Some(project), memory, step_memory, adapters))
    }

    /// After a fork: a store in files is opened anew, one in memory is a copy of its own already.
    fn open_again(&self, of_parent: &Opened) -> Result<Opened, Failure> {
        match &of_parent.project {
            Some(_) => self.open(),
            None => Ok(Opened::new(
                None,
                of_parent.memory.clone(),
                of_parent.step_memory.clone(),
                Adapters::bundled(Cache::new(Home::find().cache(), announce)),
            )),
        }
    }

    fn with_clock(&self, memory: MemoryBuilder) -> MemoryBuilder {
        let clock = Python::attach(|py| self.clock.as_ref().map(|clock| clock.clone_ref(py)));
        match clock {
            Some(clock) => memory.clock(PythonClock(clock)),
            None => memory,
        }
    }
}

impl Opened {
    fn new(
        project: Option<ProjectMemory>,
        memory: Memory,
        step_memory: Memory,
        adapters: Adapters,
    ) -> Self {
        Self {
            process: process::id(),
            project,
            memory,
            step_memory,
            adapters,
        }
    }
}
