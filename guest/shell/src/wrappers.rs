//! Wrappers: programs that run another one and add nothing to what it does.
//!
//! Owns which there are, how their options are read, and which of them stay in the text. A wrapper with an option that is
//! not known here is taken for an ordinary program: better a word too many than a wrong command.

use std::ops::Range;

use crate::{base_name, syntax, words};

/// A program that runs what its arguments name.
struct Wrapper {
    name: &'static str,
    /// Options of one letter, without and with a value.
    letters: (&'static str, &'static str),
    /// Long options, without and with a value.
    long: (&'static [&'static str], &'static [&'static str]),
    /// It takes one operand, such as a time, before the command.
    has_operand: bool,
    /// It takes assignments before the command.
    has_assignments: bool,
    /// Whether it stays in the text of the command.
    stays: Stays,
}

#[derive(PartialEq)]
enum Stays {
    Never,
    /// If it has options, which change what the command sees.
    WithOptions,
    Always,
}

const PLAIN: Wrapper = Wrapper {
    name: "",
    letters: ("", ""),
    long: (&[], &[]),
    has_operand: false,
    has_assignments: false,
    stays: Stays::Never,
};

const WRAPPERS: [Wrapper; 14] = [
    Wrapper {
        name: "env",
        letters: ("i0v", "uC"),
        long: (
            &["ignore-environment", "null", "debug"],
            &["unset", "chdir"],
        ),
        has_assignments: true,
        stays: Stays::WithOptions,
        ..PLAIN
    },
    // Who has the rights may be what makes it work.
    Wrapper {
        name: "sudo",
        letters: ("EnSHkbAiKPBs", "ugpCrtThUDR"),
        long: (
            &[
                "preserve-env",
                "non-interactive",
                "stdin",
                "set-home",
                "login",
                "background",
                "askpass",
            ],
            &["user", "group", "prompt", "chdir", "host", "preserve-env"],
        ),
        has_assignments: true,
        stays: Stays::Always,
        ..PLAIN
    },
    Wrapper {
        name: "doas",
        letters: ("ns", "uC"),
        stays: Stays::Always,
        ..PLAIN
    },
    Wrapper {
        name: "timeout",
        letters: ("fpv", "ks"),
        long: (
            &["foreground", "preserve-status", "verbose"],
            &["kill-after", "signal"],
        ),
        has_operand: true,
        ..PLAIN
    },
    Wrapper {
        name: "gtimeout",
        letters: ("fpv", "ks"),
        has_operand: true,
        ..PLAIN
    },
    Wrapper {
        name: "time",
        letters: ("apqv", "fo"),
        long: (
            &["portability", "verbose", "append", "quiet"],
            &["format", "output"],
        ),
        ..PLAIN
    },
    Wrapper {
        name: "nice",
        letters: ("", "n"),
        long: (&[], &["adjustment"]),
        ..PLAIN
    },
    Wrapper {
        name: "ionice",
        letters: ("t", "cn"),
        long: (&["ignore"], &["class", "classdata"]),
        ..PLAIN
    },
    Wrapper {
        name: "nohup",
        ..PLAIN
    },
    Wrapper {
        name: "setsid",
        letters: ("cfw", ""),
        long: (&["ctty", "fork", "wait"], &[]),
        ..PLAIN
    },
    Wrapper {
        name: "stdbuf",
        letters: ("", "ioe"),
        long: (&[], &["input", "output", "error"]),
        ..PLAIN
    },
    Wrapper {
        name: "command",
        letters: ("p", ""),
        ..PLAIN
    },
    Wrapper {
        name: "builtin",
        ..PLAIN
    },
    Wrapper {
        name: "exec",
        letters: ("cl", "a"),
        ..PLAIN
    },
];

/// The shells whose `-c` is read.
const SHELLS: [&str; 8] = ["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "busybox"];

/// A word of a command: where it stands and what it is without quotes.
pub(crate) struct Word {
    pub(crate) span: Range<usize>,
    pub(crate) text: String,
}

/// What is within the wrappers of a command.
#[derive(Default)]
pub(crate) struct Peeled {
    /// The names of the wrappers, the outermost first.
    pub(crate) names: Vec<String>,
    /// The first word of the command itself, by its number.
    pub(crate) first: usize,
    /// The words that leave the text, by their numbers.
    pub(crate) removed: Vec<Range<usize>>,
    /// The words that are assignments, by their numbers.
    pub(crate) assignments: Vec<usize>,
    /// The command is a shell that runs this script.
    pub(crate) script: Option<Shell>,
}

/// A shell that runs a script.
pub(crate) struct Shell {
    pub(crate) script: String,
    pub(crate) stops_at_failure: bool,
    pub(crate) has_pipefail: bool,
}

/// Takes the wrappers off.
pub(crate) fn peel(words: &[Word]) -> Peeled {
    let mut peeled = Peeled::default();
    while let Some(word) = words.get(peeled.first) {
        let name = base_name(&word.text);
        let start = peeled.first;
        if SHELLS.contains(&name) {
            let start = start + usize::from(name == "busybox");
            if let Some(shell) = shell(&words[start..]) {
                peeled.names.push(name.to_owned());
                peeled.script = Some(shell);
            }
            return peeled;
        }
        if name == "twiceshy" {
            let own = words[start..].iter().position(|word| word.text == "--");
            let runs = words.get(start + 1).is_some_and(|word| word.text == "run");
            let inner = |own: &usize| words.get(start + own + 1);
            let names = |own: &usize| inner(own).is_some_and(|word| !is_reserved(&word.text));
            let Some(own) = own.filter(|own| runs && names(own)) else {
                return peeled;
            };
            peeled.names.push(name.to_owned());
            peeled.first = start + own + 1;
            peeled.removed.push(start..peeled.first);
            continue;
        }
        let Some(wrapper) = WRAPPERS.iter().find(|wrapper| wrapper.name == name) else {
            return peeled;
        };
        let Some(mut at) = options(wrapper, words, start + 1) else {
            return peeled;
        };
        let has_options = at > start + 1;
        if wrapper.has_operand {
            let is_time = words.get(at).is_some_and(|word| {
                word.text
                    .starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '$')
            });
            if !is_time {
                return peeled;
            }
            at += 1;
        }
        let assigned = at;
        while wrapper.has_assignments
            && words
                .get(at)
                .is_some_and(|word| syntax::name_end(&word.text).is_some())
        {
            at += 1;
        }
        // Without a command it does something of its own: `env` lists, `exec > log` leads streams. What would mean
        // something else by itself is none.
        if words.get(at).is_none_or(|word| is_reserved(&word.text)) {
            return peeled;
        }
        peeled.assignments.extend(assigned..at);
        let stays = match wrapper.stays {
            Stays::Never => false,
            // What another user runs needs it: `sudo env "PATH=$PATH" npm`.
            Stays::WithOptions => has_options || peeled.names.iter().any(|name| name == "sudo"),
            Stays::Always => true,
        };
        if !stays {
            peeled.removed.push(start..assigned);
        }
        peeled.names.push(name.to_owned());
        peeled.first = at;
    }
    peeled
}

/// At the beginning of a command it would be part of the grammar, or an assignment.
fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "!" | "{"
            | "}"
            | "[["
            | "if"
            | "then"
            | "else"
            | "elif"
            | "fi"
            | "do"
            | "done"
            | "case"
            | "esac"
            | "while"
            | "until"
            | "for"
            | "select"
            | "function"
    ) || word.starts_with('#')
        || syntax::name_end(word).is_some()
}

/// The number of the first word after the options; none if one is not known.
fn options(wrapper: &Wrapper, words: &[Word], mut at: usize) -> Option<usize> {
    while let Some(word) = words.get(at) {
        let Some(option) = word.text.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            break;
        };
        at += 1;
        if option == "-" {
            break;
        }
        if let Some(long) = option.strip_prefix('-') {
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (long, None),
            };
            match value {
                None if wrapper.long.0.contains(&name) => {}
                None if wrapper.long.1.contains(&name) => at += 1,
                Some(_) if wrapper.long.1.contains(&name) => {}
                _ => return None,
            }
            continue;
        }
        // `nice -10`
        if wrapper.name == "nice" && option.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let mut letters = option.chars();
        while let Some(letter) = letters.next() {
            if wrapper.letters.1.contains(letter) {
                at += usize::from(letters.as_str().is_empty());
                break;
            }
            if !wrapper.letters.0.contains(letter) {
                return None;
            }
        }
    }
    Some(at)
}

/// The script that a shell is given in its arguments.
fn shell(words: &[Word]) -> Option<Shell> {
    let mut shell = Shell {
        script: String::new(),
        stops_at_failure: false,
        has_pipefail: false,
    };
    let mut runs = false;
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let Some(option) = word
            .text
            .strip_prefix(['-', '+'])
            .filter(|rest| !rest.is_empty())
        else {
            break;
        };
        at += 1;
        if let Some(long) = option.strip_prefix('-') {
            match long {
                "" => break,
                "login" | "noprofile" | "norc" | "posix" | "verbose" => {}
                "rcfile" | "init-file" => at += 1,
                _ => return None,
            }
            continue;
        }
        if !option.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
        runs |= option.contains('c');
        shell.stops_at_failure |= option.contains('e') && word.text.starts_with('-');
        if option.contains(['o', 'O']) {
            let value = words.get(at)?;
            shell.has_pipefail |= value.text == "pipefail";
            shell.stops_at_failure |= value.text == "errexit";
            at += 1;
        }
    }
    let script = words.get(at).filter(|_| runs)?;
    // With arguments of its own the script is more than its text.
    let has_parameters = || {
        let bytes = script.text.as_bytes();
        bytes.windows(2).any(|pair| {
            pair[0] == b'$' && (pair[1].is_ascii_digit() || matches!(pair[1], b'@' | b'*' | b'#'))
        }) || script.text.contains("${")
    };
    if at + 1 < words.len() && has_parameters() {
        return None;
    }
    shell.script = script.text.clone();
    Some(shell)
}

/// The words of a command, without quotes.
pub(crate) fn words_of(source: &str, spans: &[Range<usize>]) -> Vec<Word> {
    spans
        .iter()
        .map(|span| Word {
            span: span.clone(),
            text: words::unquote(&source[span.clone()]),
        })
        .collect()
}
