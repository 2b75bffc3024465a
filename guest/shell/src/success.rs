//! What an exit code of 0 shows: which commands of a line have worked.
//!
//! Owns the rules of connectors. `make || true` exits 0 whatever `make` does, as does `make; echo done` and, without
//! `pipefail`, `make | tail`: such a success is bought, and shows nothing.

use crate::{Command, Connector, Line, facts};

/// The line's exit code of 0 shows that this command has worked. Commands are counted from 0.
///
/// ```
/// use twiceshy_shell::{is_proven, parse};
/// let line = parse("make; ./install && ls | head");
/// assert_eq!([0, 1, 2, 3].map(|command| is_proven(&line, command)), [false, true, false, true]);
/// ```
pub fn is_proven(line: &Line, command: usize) -> bool {
    let commands = &line.commands;
    let Some(this) = commands.get(command) else {
        return false;
    };
    if this.is_negated || is_hidden_in_pipe(line, command) {
        return false;
    }
    // To the end of the chain of `&&` and `||`: nothing after it may have bought the success.
    let mut at = command;
    let connector = |at: usize| commands.get(at).and_then(|one: &Command| one.connector);
    loop {
        match connector(at) {
            Some(Connector::And | Connector::Pipe) => at += 1,
            // `a || exit 1` goes on only if `a` has worked.
            Some(Connector::Or) => match commands.get(at + 1) {
                Some(next) if facts::is_bad_exit(next) => at += 1,
                _ => return false,
            },
            Some(Connector::Background) => return false,
            Some(Connector::Then | Connector::Line) => {
                let guarded = facts::is_bad_exit(&commands[at]) && at > command;
                if !line.stops_at_failure && !guarded {
                    return false;
                }
                break;
            }
            None => break,
        }
    }
    // What comes after `||` runs only if something else did not work.
    let mut at = command;
    while at > 0 && connector(at - 1) == Some(Connector::Pipe) {
        at -= 1;
    }
    at == 0 || connector(at - 1) != Some(Connector::Or)
}

/// The pipeline's exit code is that of another command.
fn is_hidden_in_pipe(line: &Line, command: usize) -> bool {
    line.commands[command].connector == Some(Connector::Pipe) && !line.has_pipefail
}

/// An exit code of 0 does not show that what the line is for has worked.
///
/// ```
/// use twiceshy_shell::{is_success_bought, parse};
/// for line in ["make || true", "make; echo done", "make 2>&1 | tail -5", "make &"] {
///     assert!(is_success_bought(&parse(line)), "{line}");
/// }
/// for line in ["make", "cd a && make", "set -o pipefail; make | tail", "cd a || exit 1; make", "cat a | sort"] {
///     assert!(!is_success_bought(&parse(line)), "{line}");
/// }
/// ```
pub fn is_success_bought(line: &Line) -> bool {
    let last = line.commands.len().saturating_sub(1);
    !is_proven(line, subject(line).unwrap_or(last))
}

/// The command that a line is for: the last one that can fail and does more than to pass on what it reads. None if
/// there is no such command.
pub(crate) fn subject(line: &Line) -> Option<usize> {
    let commands = &line.commands;
    let counts = |at: &usize| {
        let command = &commands[*at];
        let reads = *at > 0 && commands[*at - 1].connector == Some(Connector::Pipe);
        let passes_on = reads && facts::is_pager(command);
        !passes_on && !facts::never_fails(command) && !facts::is_exit(command)
    };
    (0..commands.len()).rev().find(counts)
}
