//! What crosses the border besides texts: exceptions, the log and the clock.

use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};
use twiceshy::{
    JudgingError, PluginError, ProjectError,
    wit::{
        host::{Clock, Error as StoreError, Level, Log},
        memory::Error,
    },
};

/// Why a call failed, before it is an exception.
pub(crate) enum Failure {
    Memory(Error),
    Adapter(PluginError),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Memory(error)
    }
}

impl From<PluginError> for Failure {
    fn from(error: PluginError) -> Self {
        Self::Adapter(error)
    }
}

impl From<ProjectError> for Failure {
    fn from(error: ProjectError) -> Self {
        Self::Memory(match error {
            ProjectError::Unusable(..) => Error::Storage(error.to_string()),
            _ => Error::InvalidArgument(error.to_string()),
        })
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Memory(Error::Storage(error.message().to_owned()))
    }
}

impl From<JudgingError> for Failure {
    fn from(error: JudgingError) -> Self {
        match error {
            JudgingError::Memory(error) => error.into(),
            JudgingError::Adapter(error) => error.into(),
            other => Self::Memory(Error::Other(other.to_string())),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Memory(Error::InvalidArgument(format!("arguments: {error}")))
    }
}

impl Failure {
    /// The exception of the package that it is.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        self.exception(py).unwrap_or_else(|error| error)
    }

    fn exception(&self, py: Python<'_>) -> PyResult<PyErr> {
        let errors = py.import("twiceshy.errors")?;
        let exception = match self {
            Self::Memory(error) => {
                let class = errors.getattr("BY_KIND")?.get_item(error.kind())?;
                class.call1((error.message(),))?
            }
            Self::Adapter(error) => {
                let class = errors.getattr("AdapterError")?;
                class.call1((error.to_string(), &error.plugin, error.kind.as_str()))?
            }
        };
        Ok(PyErr::from_value(exception))
    }
}

/// The log of the memory as the logger `twiceshy` of Python.
pub(crate) struct PythonLog(pub(crate) Level);

impl Log for PythonLog {
    fn write(&self, level: Level, message: &str) {
        if level >= self.0 {
            log(level, message);
        }
    }
}

/// Says that a component is compiled, which takes seconds, once on a machine.
pub(crate) fn announce(component: &str) {
    let message = format!("compiling the component `{component}` for this machine, once");
    log(Level::Info, &message);
}

fn log(level: Level, message: &str) {
    let written = Python::attach(|py| -> PyResult<()> {
        let logger = py
            .import("logging")?
            .call_method1("getLogger", ("twiceshy",))?;
        let name = match level {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warning",
        };
        // As an argument, so that a percent sign in it is one.
        logger.call_method(
            name,
            PyTuple::new(py, ["%s", message])?,
            None::<&Bound<'_, PyDict>>,
        )?;
        Ok(())
    });
    // A memory works without a log.
    let _ = written;
}

/// A clock that is a function of Python.
pub(crate) struct PythonClock(pub(crate) Py<PyAny>);

impl Clock for PythonClock {
    fn now(&self) -> u64 {
        let now = Python::attach(|py| self.0.bind(py).call0()?.extract::<u64>());
        // A clock that fails stands still, and says so.
        now.unwrap_or_else(|error| {
            log(Level::Warn, &format!("the clock failed: {error}"));
            0
        })
    }
}
