//! A question to the person at the terminal, before something is done that can't be undone.

use std::io::{self, BufRead, IsTerminal, Write};

/// Asks a person; none if there is nobody to ask.
pub(crate) fn confirmed(question: &str) -> io::Result<Option<bool>> {
    if !io::stdin().is_terminal() {
        return Ok(None);
    }
    eprint!("{question} [y/N] ");
    io::stderr().flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    let answer = answer.trim().to_lowercase();
    Ok(Some(matches!(answer.as_str(), "y" | "yes")))
}
