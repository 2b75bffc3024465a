//! Complaints: lines by which a failure is known if nobody tells the exit code.
//!
//! Owns their shapes. They are looser than those of a [diagnostic](crate::diagnostic), because without an exit code the
//! text is all there is: a program that speaks under its own name, a usage that nobody asked for, a proposal of what was
//! meant, and sentences that say that something is not there or not possible.

use twiceshy_shell::{Command, Line};

/// A line of the output complains about the command line that was run.
pub(crate) fn is_complaint(line: &Line, told: &str) -> bool {
    let told = told.trim();
    if told.is_empty() || is_progress(told) {
        return false;
    }
    speaks_as_program(line, told) || proposes(told) || says_no(told) || is_unasked_usage(line, told)
}

/// The program speaks under its own name, which it does only to complain: `sed: -e expression #1, char 9: …`.
pub(crate) fn speaks_as_program(line: &Line, told: &str) -> bool {
    let Some((name, said)) = told.split_once(':') else {
        return false;
    };
    let said = said.trim_start();
    // `/usr/bin/python3: No module named x`, `git merge` as `merge: …`.
    let name = name.rsplit('/').next().unwrap_or(name);
    let is_own = |one: &Command| one.program() == name || one.verb() == Some(name);
    !said.is_empty() && !is_chat(said) && line.commands.iter().any(is_own)
}

/// What a program says under its name though all is well: `make: Nothing to be done for 'all'.`
fn is_chat(said: &str) -> bool {
    const CHAT: [&str; 24] = [
        "nothing to",
        "entering ",
        "leaving ",
        "removing leading ",
        "warning",
        "note",
        "info",
        "debug",
        "using ",
        "processing ",
        "reading ",
        "writing ",
        "wrote ",
        "key ",
        "signature ",
        "good ",
        "total ",
        "version ",
        "created ",
        "removed ",
        "renamed ",
        "copied ",
        "installed ",
        "selecting ",
    ];
    let lower = said.to_ascii_lowercase();
    CHAT.iter().any(|chat| lower.starts_with(chat))
        || lower.contains("up to date")
        || lower.contains("ignor")
        || lower.ends_with("binary file matches")
        // A version, a number, a measure.
        || lower.starts_with(|c: char| c.is_ascii_digit())
        || matches!(lower.as_str(), "ok" | "done" | "yes" | "success")
}

/// A step of something that goes on: `checking for x... not found`.
fn is_progress(told: &str) -> bool {
    let lower = told.to_ascii_lowercase();
    lower.starts_with("checking ")
        || lower.starts_with("-- ")
        || ["retry", "fall back", "falling back", "skipp", "continuing"]
            .iter()
            .any(|word| lower.contains(word))
}

/// Says what may have been meant, or where to read how it is done.
fn proposes(told: &str) -> bool {
    let lower = told.to_ascii_lowercase();
    let meant = lower.contains("did you mean")
        || lower.contains("did you forget")
        || lower.starts_with("perhaps you meant")
        || lower.starts_with("maybe you meant")
        || lower.starts_with("the most similar ");
    let manual = lower.starts_with("try '") || lower.starts_with("try `");
    meant || manual && lower.contains("help")
}

/// A usage, which nobody prints who did what was wanted.
pub(crate) fn is_unasked_usage(line: &Line, told: &str) -> bool {
    let head = told.get(..6).unwrap_or_default();
    head.eq_ignore_ascii_case("usage:") && !asks_for_help(line)
}

fn asks_for_help(line: &Line) -> bool {
    let asks = |word: &String| {
        let word = word.trim_start_matches('-');
        matches!(word, "h" | "help" | "usage" | "?" | "man")
    };
    line.commands.iter().any(|one| one.words.iter().any(asks))
}

/// A sentence that says that something is not there, not known or not possible.
fn says_no(told: &str) -> bool {
    const BEGINNINGS: [&str; 25] = [
        "cannot ",
        "can't ",
        "could not ",
        "couldn't ",
        "unable to ",
        "failed to ",
        "unknown ",
        "unrecognized ",
        "unrecognised ",
        "unsupported ",
        "invalid ",
        "illegal ",
        "ambiguous ",
        "no such ",
        "no manual entry ",
        "no module ",
        "nothing to commit",
        "there is no ",
        "you cannot ",
        "you can't ",
        "you must ",
        "you're not ",
        "you are not ",
        "permission denied",
        "access denied",
    ];
    let lower = told
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .to_ascii_lowercase();
    let begins = |beginning: &&str| lower.starts_with(beginning);
    BEGINNINGS.iter().any(begins) || is_rejected(told) || names_missing(told, &lower)
}

/// ` ! [rejected]        main -> main (fetch first)`.
fn is_rejected(told: &str) -> bool {
    told.starts_with("! [") && told.contains("rejected]")
}

/// A thing with its name, and that it is not: `'x' is not a git command`, `Task "x" not found.`
fn names_missing(told: &str, lower: &str) -> bool {
    let is_quoted = told.contains(['\'', '"', '`', '‘', '’', '“']);
    let end = lower.trim_end_matches(|c: char| !c.is_alphanumeric());
    let ends = [
        "not found",
        "does not exist",
        "doesn't exist",
        "not defined",
        "is missing",
    ];
    let not_a = lower.contains(" is not a ") || lower.contains(" is not an ");
    let is_missing = not_a
        || ends.iter().any(|ending| end.ends_with(ending))
        || lower.contains(" is not in ")
        || lower.contains(" not recognized");
    is_quoted && is_missing
        || not_a && end.ends_with(" command")
        || lower.contains(" does not exist or ")
        || lower.starts_with("the file ") && end.ends_with("does not exist")
        || lower.contains(" not found with ")
        || lower.contains("failed: connection refused")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complains(line: &str, told: &str) -> bool {
        is_complaint(&twiceshy_shell::parse(line), told)
    }

    #[test]
    fn a_complaint_is_known_by_its_form() {
        for (line, told) in [
            (
                "sed -e s/a/b x",
                "sed: -e expression #1, char 5: unterminated `s' command",
            ),
            (
                "git brnch",
                "git: 'brnch' is not a git command. See 'git --help'.",
            ),
            ("git merge x", "merge: x - not something we can merge"),
            ("python3 -m x", "/usr/bin/python3: No module named x"),
            ("sudo ln a b", "ln: a: hard link not allowed for directory"),
            ("tool frob", "Usage: tool <command>"),
            ("cargo buid", "\tDid you mean `build`?"),
            ("cut a.c", "Try 'cut --help' for more information."),
            (
                "openssl nope",
                "Invalid command 'nope'; type \"help\" for a list.",
            ),
            ("systemctl x start", "Unknown operation 'x'."),
            (
                "git push",
                " ! [rejected]        main -> main (fetch first)",
            ),
            (
                "gulp srve",
                "[00:41:11] Task 'srve' is not in your gulpfile",
            ),
            (
                "grunt x",
                "Warning: Task \"x\" not found. Use --force to continue. Did you mean y?",
            ),
            ("man x", "No manual entry for x"),
            ("git commit -m x", "nothing to commit, working tree clean"),
        ] {
            assert!(complains(line, told), "{told}");
        }
    }

    #[test]
    fn what_is_merely_said_is_no_complaint() {
        for (line, told) in [
            ("make", "make: Nothing to be done for 'all'."),
            ("make", "make: 'all' is up to date."),
            ("make", "make: Entering directory '/x'"),
            (
                "tar czf a.tgz /etc",
                "tar: Removing leading `/' from member names",
            ),
            ("tool --help", "usage: tool [options]"),
            ("./configure", "checking for foo... not found"),
            (
                "npm install",
                "added 3 packages, and audited 4 packages in 1s",
            ),
            ("git status", "On branch main"),
            ("file a.c", "a.c: C source, ASCII text"),
            ("du -sh .", "4.0K\t."),
            (
                "gcc --version",
                "This is free software; see the source for copying conditions.",
            ),
            (
                "cmake .",
                "-- Could NOT find Doxygen (missing: DOXYGEN_EXECUTABLE)",
            ),
            ("git log", "Fix a test that is not in the list"),
            ("stat a", "  File: a"),
        ] {
            assert!(!complains(line, told), "{told}");
        }
    }
}
