//! The native module of the Python package: a memory, called with JSON.
//!
//! Owns what crosses the border: texts, exceptions, the clock and the log. The names, the types and the shapes that Python
//! sees are the package's own, made from the contract.

mod border;
mod memory;

use pyo3::prelude::*;

/// The native module of the package `twiceshy`.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use crate::memory::NativeMemory;
}
