//! Standard output and standard error, as commands write to them.
//!
//! The macros of the standard library panic when a stream can't be written, as on a full disk. Those of the command line,
//! which have the same names, end a report that nobody can read with a message, and drop a message that nobody can.

use std::{
    fmt::Arguments,
    io::{self, Write},
    process,
};

/// Writes to standard output. A command whose report can't be written has failed.
pub(crate) fn out(text: Arguments, end: &str) {
    let mut stdout = io::stdout();
    let written = write!(stdout, "{text}{end}").and_then(|()| stdout.flush());
    if let Err(error) = written {
        told(
            format_args!("twiceshy: standard output: {error}; not all was shown"),
            "\n",
        );
        process::exit(1);
    }
}

/// Writes to standard error, as far as that can be written.
pub(crate) fn told(text: Arguments, end: &str) {
    let _ = write!(io::stderr(), "{text}{end}");
}
