//! Last words: what a component says before it dies.
//!
//! Owns the panic hook. A component that panics only traps; without its message nobody would know why.

use std::{panic, sync::Once};

use crate::bindings::twiceshy::adapter::diagnostics;

/// From now on, the message of a panic goes to the host.
pub fn report_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| panic::set_hook(Box::new(|panic| diagnostics::report(&panic.to_string()))));
}
