//! What a host's settings are to hold: a row for each host, with its files and our pieces in them.
//!
//! Owns the places and the forms, as the hosts have them. How a piece gets into a file is the business of `json` and `toml`.

use std::{
    env,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

/// By which our entries are known again: an argument of the hook, because some hosts refuse members that they do not know.
pub(super) const MARK: &str = "--by-setup";

/// The name of our server in every host.
const SERVER: &str = "twiceshy";

/// Seconds after which a host gives up on a hook. It takes a hundredth of that.
const PATIENCE: u64 = 10;

/// A file of a host, as it is to be.
pub(super) struct Wanted {
    pub(super) path: PathBuf,
    pub(super) content: Content,
}

/// What is ours in a file.
pub(super) enum Content {
    Json(Vec<Piece>),
    Toml(Vec<Piece>),
    /// The whole file.
    Own {
        text: String,
        is_program: bool,
    },
}

/// A piece of ours in a settings file.
pub(super) enum Piece {
    /// An element of the list at these members.
    Element(Vec<&'static str>, Value),
    /// A member at these members, the last of which is ours.
    Member(Vec<&'static str>, Value),
    /// What the file needs to be valid; it stays if somebody else put it there.
    Base(&'static str, Value),
}

/// A host on a machine.
pub(super) struct Row {
    pub(super) host: &'static str,
    /// Directories of which one is there if the host is.
    homes: fn(&Machine) -> Vec<PathBuf>,
    /// The program that it is started with.
    program: &'static str,
    files: fn(&Machine) -> Vec<Wanted>,
    /// What the user has to do besides.
    pub(super) advice: &'static str,
}

/// Where hosts keep their settings on this machine, and what they shall call.
pub(crate) struct Machine {
    pub(super) home: PathBuf,
    pub(super) program: PathBuf,
    /// Whether the server is registered, too.
    pub(super) with_server: bool,
}

pub(super) static ROWS: [Row; 12] = [
    Row {
        host: "claude",
        homes: |machine| vec![machine.claude()],
        program: "claude",
        files: claude,
        advice: "New sessions of Claude Code use it; `/hooks` in a session shows it.",
    },
    Row {
        host: "codex",
        homes: |machine| vec![machine.codex()],
        program: "codex",
        files: codex,
        advice: "Codex runs no hook that you have not reviewed: start `codex`, type `/hooks`, and trust the entries of twiceshy.",
    },
    Row {
        host: "gemini",
        homes: |machine| vec![machine.home.join(".gemini")],
        program: "gemini",
        files: gemini,
        advice: "New sessions of Gemini CLI use it.",
    },
    Row {
        host: "qwen",
        homes: |machine| vec![machine.home.join(".qwen")],
        program: "qwen",
        files: qwen,
        advice: "New sessions of Qwen Code use it.",
    },
    Row {
        host: "opencode",
        homes: |machine| vec![machine.config().join("opencode")],
        program: "opencode",
        files: opencode,
        advice: "New sessions of OpenCode load the plugin.",
    },
    Row {
        host: "copilot",
        homes: |machine| {
            vec![
                machine.home.join(".copilot/settings.json"),
                machine.home.join(".copilot/config.json"),
            ]
        },
        program: "copilot",
        files: copilot,
        advice: "New sessions of Copilot CLI use it.",
    },
    Row {
        host: "cursor",
        homes: |machine| vec![machine.home.join(".cursor")],
        program: "cursor",
        files: cursor,
        advice: "Restart Cursor; its settings list hooks under Hooks.",
    },
    Row {
        host: "cline",
        homes: |machine| vec![machine.home.join(".cline")],
        program: "cline",
        files: cline,
        advice: "New tasks of Cline use it; in VS Code, hooks must be enabled in its settings.",
    },
    Row {
        host: "vscode",
        homes: |machine| vec![machine.vscode()],
        program: "code",
        files: vscode,
        advice: "Reload the window; hooks of agents are a preview that an organisation may have disabled.",
    },
    Row {
        host: "kimi",
        homes: |machine| vec![machine.home.join(".kimi-code")],
        program: "kimi",
        files: kimi,
        advice: "Kimi Code passes on what hooks say at a prompt only: failures are learned from, and not answered.",
    },
    Row {
        host: "vibe",
        homes: |machine| vec![machine.home.join(".vibe")],
        program: "vibe",
        files: vibe,
        advice: "New sessions of Mistral Vibe use it.",
    },
    Row {
        host: "openhands",
        homes: |machine| vec![machine.home.join(".openhands")],
        program: "openhands",
        files: openhands,
        advice: "OpenHands passes on what hooks say at a prompt only: failures are learned from, and not answered.",
    },
];

/// The row of a host.
pub(super) fn row(host: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.host == host)
}

impl Row {
    /// Whether the host is on this machine: its settings are there, or its program is.
    pub(super) fn is_here(&self, machine: &Machine) -> bool {
        let is_there = |path: &PathBuf| path.exists();
        let paths = env::var_os("PATH").unwrap_or_default();
        (self.homes)(machine).iter().any(is_there)
            || env::split_paths(&paths).any(|directory| directory.join(self.program).is_file())
    }

    pub(super) fn files(&self, machine: &Machine) -> Vec<Wanted> {
        (self.files)(machine)
    }
}

impl Machine {
    /// The directory that a variable names, or one in the user's home.
    fn named(&self, variable: &str, otherwise: &str) -> PathBuf {
        let named = env::var_os(variable).filter(|value| !value.is_empty());
        named.map_or_else(|| self.home.join(otherwise), PathBuf::from)
    }

    fn claude(&self) -> PathBuf {
        self.named("CLAUDE_CONFIG_DIR", ".claude")
    }

    pub(super) fn codex(&self) -> PathBuf {
        self.named("CODEX_HOME", ".codex")
    }

    fn config(&self) -> PathBuf {
        self.named("XDG_CONFIG_HOME", ".config")
    }

    fn vscode(&self) -> PathBuf {
        match cfg!(target_os = "macos") {
            true => self.home.join("Library/Application Support/Code/User"),
            false => self.config().join("Code/User"),
        }
    }

    /// The program, as a shell reads it.
    fn quoted(&self) -> String {
        twiceshy_shell::join(&[self.program()])
    }

    fn program(&self) -> String {
        self.program.display().to_string()
    }

    /// The line that calls the hook.
    fn line(&self, host: &str, event: &str) -> String {
        format!("{} hook {host} {event} {MARK}", self.quoted())
    }

    /// Our server, in the members that most hosts take.
    fn server(&self) -> Value {
        json!({ "command": self.program(), "args": ["mcp"] })
    }

    /// A file with our server in it, if it is wanted.
    fn server_file(&self, path: PathBuf, members: &'static str, server: Value) -> Option<Wanted> {
        let pieces = vec![Piece::Member(vec![members, SERVER], server)];
        self.with_server.then_some(Wanted {
            path,
            content: Content::Json(pieces),
        })
    }

    /// Hooks in Claude Code's form: a list of groups for each event.
    fn groups(
        &self,
        host: &'static str,
        events: &[&'static str],
        group: impl Fn(&str, Value) -> Value,
        patience: u64,
    ) -> Vec<Piece> {
        let piece = |event: &&'static str| {
            let hook = json!({ "type": "command", "command": self.line(host, event), "timeout": patience });
            Piece::Element(vec!["hooks", event], group(event, hook))
        };
        events.iter().map(piece).collect()
    }
}

/// A group of one hook.
fn alone(_: &str, hook: Value) -> Value {
    json!({ "hooks": [hook] })
}

/// The same; before a call, only commands are looked at.
fn before_commands(event: &str, hook: Value) -> Value {
    match event {
        "PreToolUse" => json!({ "matcher": "Bash", "hooks": [hook] }),
        _ => alone(event, hook),
    }
}

fn json_file(path: impl AsRef<Path>, pieces: Vec<Piece>) -> Wanted {
    Wanted {
        path: path.as_ref().to_owned(),
        content: Content::Json(pieces),
    }
}

fn claude(machine: &Machine) -> Vec<Wanted> {
    let events = [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "SubagentStop",
        "Stop",
        "SessionEnd",
    ];
    let pieces = machine.groups("claude", &events, before_commands, PATIENCE);
    let server = json!({ "type": "stdio", "command": machine.program(), "args": ["mcp"] });
    let servers = match env::var_os("CLAUDE_CONFIG_DIR") {
        Some(_) => machine.claude().join(".claude.json"),
        None => machine.home.join(".claude.json"),
    };
    let mut files = vec![json_file(machine.claude().join("settings.json"), pieces)];
    files.extend(machine.server_file(servers, "mcpServers", server));
    files
}

fn codex(machine: &Machine) -> Vec<Wanted> {
    let events = [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "SubagentStop",
        "Stop",
    ];
    let mut pieces = machine.groups("codex", &events, before_commands, PATIENCE);
    // It gives the end of a session three seconds at most.
    pieces.extend(machine.groups("codex", &["SessionEnd"], alone, 3));
    let mut files = vec![json_file(machine.codex().join("hooks.json"), pieces)];
    let server = Piece::Member(vec!["mcp_servers", SERVER], machine.server());
    files.extend(machine.with_server.then(|| Wanted {
        path: machine.codex().join("config.toml"),
        content: Content::Toml(vec![server]),
    }));
    files
}

/// Hooks and server in one `settings.json`.
fn settings(
    machine: &Machine,
    host: &'static str,
    directory: &str,
    events: &[&'static str],
    patience: u64,
) -> Vec<Wanted> {
    let mut pieces = machine.groups(host, events, alone, patience);
    if machine.with_server {
        pieces.push(Piece::Member(vec!["mcpServers", SERVER], machine.server()));
    }
    vec![json_file(
        machine.home.join(directory).join("settings.json"),
        pieces,
    )]
}

fn gemini(machine: &Machine) -> Vec<Wanted> {
    let events = [
        "SessionStart",
        "BeforeAgent",
        "AfterTool",
        "AfterAgent",
        "SessionEnd",
    ];
    // In milliseconds here.
    settings(machine, "gemini", ".gemini", &events, PATIENCE * 1_000)
}

fn qwen(machine: &Machine) -> Vec<Wanted> {
    let events = [
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "PostToolUseFailure",
        "SubagentStop",
        "Stop",
        "SessionEnd",
    ];
    settings(machine, "qwen", ".qwen", &events, PATIENCE)
}

fn opencode(machine: &Machine) -> Vec<Wanted> {
    let home = machine.config().join("opencode");
    // In a string of JavaScript.
    let program = json!(machine.program()).to_string();
    let text = include_str!("opencode.js").replace("\"@PROGRAM@\"", &program);
    let own = Wanted {
        path: home.join("plugin/twiceshy.js"),
        content: Content::Own {
            text,
            is_program: false,
        },
    };
    let with_comments = home.join("opencode.jsonc");
    let path = match with_comments.exists() {
        true => with_comments,
        false => home.join("opencode.json"),
    };
    let server = json!({ "type": "local", "command": [machine.program(), "mcp"], "enabled": true });
    let mut files = vec![own];
    files.extend(machine.server_file(path, "mcp", server));
    files
}

fn copilot(machine: &Machine) -> Vec<Wanted> {
    let events = [
        "sessionStart",
        "userPromptSubmitted",
        "preToolUse",
        "postToolUse",
        "postToolUseFailure",
        "agentStop",
        "sessionEnd",
    ];
    let piece = |event: &&'static str| {
        let line = machine.line("copilot", event);
        let hook = json!({ "type": "command", "bash": line, "timeoutSec": PATIENCE });
        Piece::Element(vec!["hooks", event], hook)
    };
    let home = machine.home.join(".copilot");
    let server = json!({
        "type": "local", "command": machine.program(), "args": ["mcp"], "tools": ["*"]
    });
    let pieces = events.iter().map(piece).collect();
    let mut files = vec![json_file(home.join("settings.json"), pieces)];
    files.extend(machine.server_file(home.join("mcp-config.json"), "mcpServers", server));
    files
}

fn cursor(machine: &Machine) -> Vec<Wanted> {
    let events = [
        "sessionStart",
        "beforeSubmitPrompt",
        "postToolUse",
        "postToolUseFailure",
        "stop",
        "sessionEnd",
    ];
    let piece = |event: &&'static str| {
        let hook = json!({ "command": machine.line("cursor", event), "timeout": PATIENCE });
        Piece::Element(vec!["hooks", event], hook)
    };
    let mut pieces = vec![Piece::Base("version", json!(1))];
    pieces.extend(events.iter().map(piece));
    let home = machine.home.join(".cursor");
    let mut files = vec![json_file(home.join("hooks.json"), pieces)];
    files.extend(machine.server_file(home.join("mcp.json"), "mcpServers", machine.server()));
    files
}

fn cline(machine: &Machine) -> Vec<Wanted> {
    let home = machine.home.join(".cline");
    let events = [
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "TaskComplete",
        "TaskCancel",
    ];
    let file = |event: &&str| {
        let line = machine.line("cline", event);
        Wanted {
            path: home.join("hooks").join(event),
            content: Content::Own {
                text: format!(
                    "#!/bin/sh\n# Made by `twiceshy setup`, which also removes it.\nexec {line}\n"
                ),
                is_program: true,
            },
        }
    };
    let mut files: Vec<_> = events.iter().map(file).collect();
    let transport = json!({ "type": "stdio", "command": machine.program(), "args": ["mcp"] });
    let server = json!({ "transport": transport });
    let path = home.join("data/settings/cline_mcp_settings.json");
    files.extend(machine.server_file(path, "mcpServers", server));
    files
}

fn vscode(machine: &Machine) -> Vec<Wanted> {
    let events = [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "Stop",
    ];
    let piece = |event: &&'static str| {
        let line = machine.line("vscode", event);
        let hook = json!({ "type": "command", "command": line, "timeout": PATIENCE });
        Piece::Element(vec!["hooks", event], hook)
    };
    let path = machine.home.join(".copilot/hooks/twiceshy-vscode.json");
    let mut files = vec![json_file(path, events.iter().map(piece).collect())];
    let server = json!({ "type": "stdio", "command": machine.program(), "args": ["mcp"] });
    files.extend(machine.server_file(machine.vscode().join("mcp.json"), "servers", server));
    files
}

fn kimi(machine: &Machine) -> Vec<Wanted> {
    let events = [
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "PostToolUseFailure",
        "Stop",
        "StopFailure",
    ];
    let piece = |event: &&'static str| {
        let line = machine.line("kimi", event);
        Piece::Element(
            vec!["hooks"],
            json!({ "event": event, "command": line, "timeout": PATIENCE }),
        )
    };
    let home = machine.home.join(".kimi-code");
    let mut files = vec![Wanted {
        path: home.join("config.toml"),
        content: Content::Toml(events.iter().map(piece).collect()),
    }];
    files.extend(machine.server_file(home.join("mcp.json"), "mcpServers", machine.server()));
    files
}

fn vibe(machine: &Machine) -> Vec<Wanted> {
    let events = ["post_tool", "post_agent"];
    let piece = |event: &&'static str| {
        let line = machine.line("vibe", event);
        let hook = json!({ "name": format!("twiceshy-{event}"), "type": event, "command": line });
        Piece::Element(vec!["hooks"], hook)
    };
    vec![Wanted {
        path: machine.home.join(".vibe/hooks.toml"),
        content: Content::Toml(events.iter().map(piece).collect()),
    }]
}

fn openhands(machine: &Machine) -> Vec<Wanted> {
    let events = [
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "Stop",
        "SessionEnd",
    ];
    // Its file is the object of events itself.
    let piece = |event: &&'static str| {
        let line = machine.line("openhands", event);
        let hook = json!({ "type": "command", "command": line, "timeout": PATIENCE });
        Piece::Element(vec![event], alone(event, hook))
    };
    let home = machine.home.join(".openhands");
    let mut files = vec![json_file(
        home.join("hooks.json"),
        events.iter().map(piece).collect(),
    )];
    files.extend(machine.server_file(home.join("mcp.json"), "mcpServers", machine.server()));
    files
}
