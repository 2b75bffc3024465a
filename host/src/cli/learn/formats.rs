//! The table of formats: each host, where it keeps its sessions, how a file of it is recognised, and who reads it.
//!
//! A new format is a row here and a file beside this one.

use std::{
    env,
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::{
    asciinema, claude, codex, copilot, gemini, mini_swe_agent, opencode, qwen, records,
    session::Session, swe_agent,
};

/// What a file yields.
#[derive(Debug, Default)]
pub(crate) struct Yield {
    pub(crate) sessions: Vec<Session>,
    /// Records that could not be read.
    pub(crate) damaged: u32,
}

/// A form in which sessions are kept.
pub(crate) struct Format {
    /// Its name in arguments.
    pub(crate) name: &'static str,
    /// Whose sessions it has.
    pub(crate) host: &'static str,
    /// Where the host keeps them.
    places: &'static [Place],
    recognition: Recognition,
    pub(crate) read: fn(&Path) -> io::Result<Yield>,
}

/// How a file of the format is told from others.
enum Recognition {
    /// By one of its first lines.
    Line(fn(&Value) -> bool),
    /// By the whole of it.
    Whole(fn(&Value) -> bool),
    /// By the tables of a database.
    Database(fn(&Path) -> bool),
}

/// A directory or a file in which a host keeps sessions: below what a variable names, or else below the home directory.
struct Place {
    variable: &'static str,
    below_variable: &'static str,
    below_home: &'static str,
}

const fn place(
    variable: &'static str,
    below_variable: &'static str,
    below_home: &'static str,
) -> Place {
    Place {
        variable,
        below_variable,
        below_home,
    }
}

/// Every format.
pub(crate) static FORMATS: &[Format] = &[
    Format {
        name: "claude",
        host: "Claude Code",
        places: &[place("CLAUDE_CONFIG_DIR", "projects", ".claude/projects")],
        recognition: Recognition::Line(claude::recognizes),
        read: claude::read,
    },
    Format {
        name: "codex",
        host: "Codex",
        places: &[
            place("CODEX_HOME", "sessions", ".codex/sessions"),
            place(
                "CODEX_HOME",
                "archived_sessions",
                ".codex/archived_sessions",
            ),
        ],
        recognition: Recognition::Line(codex::recognizes),
        read: codex::read,
    },
    Format {
        name: "gemini",
        host: "Gemini CLI",
        places: &[place("GEMINI_CLI_HOME", ".gemini/tmp", ".gemini/tmp")],
        recognition: Recognition::Line(gemini::recognizes),
        read: gemini::read,
    },
    Format {
        name: "gemini",
        host: "Gemini CLI",
        places: &[],
        recognition: Recognition::Whole(gemini::recognizes),
        read: gemini::read,
    },
    Format {
        name: "qwen",
        host: "Qwen Code",
        places: &[place("QWEN_HOME", "projects", ".qwen/projects")],
        recognition: Recognition::Line(qwen::recognizes),
        read: qwen::read,
    },
    Format {
        name: "opencode",
        host: "OpenCode",
        places: &[place(
            "XDG_DATA_HOME",
            "opencode/opencode.db",
            ".local/share/opencode/opencode.db",
        )],
        recognition: Recognition::Database(opencode::recognizes_database),
        read: opencode::read_database,
    },
    Format {
        name: "opencode",
        host: "OpenCode",
        places: &[place(
            "XDG_DATA_HOME",
            "opencode/storage/session",
            ".local/share/opencode/storage/session",
        )],
        recognition: Recognition::Whole(opencode::recognizes_head),
        read: opencode::read_directory,
    },
    Format {
        name: "copilot",
        host: "Copilot CLI",
        places: &[
            place("COPILOT_HOME", "session-state", ".copilot/session-state"),
            place(
                "COPILOT_HOME",
                "history-session-state",
                ".copilot/history-session-state",
            ),
        ],
        recognition: Recognition::Line(copilot::recognizes),
        read: copilot::read,
    },
    Format {
        name: "mini-swe-agent",
        host: "mini-swe-agent",
        places: &[place(
            "MSWEA_GLOBAL_CONFIG_DIR",
            "",
            ".config/mini-swe-agent",
        )],
        recognition: Recognition::Whole(mini_swe_agent::recognizes),
        read: mini_swe_agent::read,
    },
    Format {
        name: "swe-agent",
        host: "SWE-agent",
        places: &[],
        recognition: Recognition::Whole(swe_agent::recognizes),
        read: swe_agent::read,
    },
    Format {
        name: "asciinema",
        host: "asciinema",
        places: &[],
        recognition: Recognition::Line(asciinema::recognizes),
        read: asciinema::read,
    },
];

/// What a SQLite database begins with.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// Lines that are looked at to recognise a file, and how long each may be: a first line may hold a whole prompt.
const LINES: usize = 50;
const LINE_BYTES: u64 = 4 << 20;

impl Format {
    /// The format of a file; none if it is none that is known.
    pub(crate) fn of(path: &Path) -> io::Result<Option<&'static Self>> {
        let mut reader = BufReader::new(File::open(path)?);
        if reader.fill_buf()?.starts_with(DATABASE) {
            let is_of = |format: &&Self| matches!(format.recognition, Recognition::Database(recognizes) if recognizes(path));
            return Ok(FORMATS.iter().find(is_of));
        }
        let mut line = Vec::new();
        for _ in 0..LINES {
            line.clear();
            if reader
                .by_ref()
                .take(LINE_BYTES)
                .read_until(b'\n', &mut line)?
                == 0
            {
                break;
            }
            let Ok(record) = serde_json::from_slice::<Value>(&line) else {
                continue;
            };
            let is_of = |format: &&Self| matches!(format.recognition, Recognition::Line(recognizes) if recognizes(&record));
            if let Some(format) = FORMATS.iter().find(is_of) {
                return Ok(Some(format));
            }
        }
        let Ok(file) = records::whole(path) else {
            return Ok(None);
        };
        let is_of = |format: &&Self| matches!(format.recognition, Recognition::Whole(recognizes) if recognizes(&file));
        Ok(FORMATS.iter().find(is_of))
    }

    /// Where the host of a format keeps its sessions on this machine, as far as it is there.
    pub(crate) fn places(&self) -> Vec<PathBuf> {
        let set = |name: &str| {
            env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let found = self
            .places
            .iter()
            .filter_map(|place| match set(place.variable) {
                Some(directory) => Some(directory.join(place.below_variable)),
                None => Some(set("HOME")?.join(place.below_home)),
            });
        found.filter(|path| path.exists()).collect()
    }
}

/// The name of a file without what follows the last dot.
pub(crate) fn stem(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The name of a session whose file does not name it: of the file, and of how it begins, since many have the same name
/// and one may still grow.
pub(crate) fn named_by_beginning(path: &Path, beginning: &[Value]) -> String {
    let texts: Vec<_> = beginning.iter().map(Value::to_string).collect();
    let texts: Vec<_> = texts.iter().map(String::as_str).collect();
    let name: String = stem(path).chars().take(64).collect();
    format!("{name}-{}", twiceshy_text::digest(&texts))
}
