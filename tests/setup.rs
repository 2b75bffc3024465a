//! `twiceshy setup`: the settings of agent hosts, changed and left as they were.

use std::{collections::BTreeMap, fs, path::Path, thread};

use serde_json::Value;

use crate::support::{Ran, Scratch};

const HOSTS: [&str; 12] = [
    "claude",
    "codex",
    "gemini",
    "qwen",
    "opencode",
    "copilot",
    "cursor",
    "cline",
    "vscode",
    "kimi",
    "vibe",
    "openhands",
];

/// Settings as people have them: with comments, with hooks of others, with layouts of their own.
const FOREIGN: [(&str, &str); 13] = [
    (
        ".claude/settings.json",
        "{\n\t\"hooks\": {\"PostToolUse\": [{\"matcher\": \"Edit\", \"hooks\": [{\"type\": \"command\", \"command\": \"fmt\"}]}]},\n\t\"model\": \"x\"\n}",
    ),
    (
        ".claude.json",
        "{\"projects\":{},\"mcpServers\":{\"other\":{\"command\":\"y\"}}}",
    ),
    (
        ".codex/hooks.json",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"bell\"}]}]}}\n",
    ),
    (
        ".codex/config.toml",
        "# mine\nmodel = \"x\" # keep\n\n[mcp_servers.other]\ncommand = \"y\"\n",
    ),
    (
        ".gemini/settings.json",
        "// mine\n{\n  \"theme\": \"dark\", // keep\n  \"hooks\": {\n    \"AfterTool\": [],\n  },\n}\n",
    ),
    (".qwen/settings.json", "{}"),
    (
        ".config/opencode/opencode.jsonc",
        "{\r\n  // mine\r\n  \"mcp\": {}\r\n}\r\n",
    ),
    (
        ".copilot/settings.json",
        "{\n    \"hooks\": {\"postToolUse\": [{\"type\": \"command\", \"bash\": \"theirs\"}]}\n}\n",
    ),
    (".cursor/hooks.json", "{\"version\": 1, \"hooks\": {}}\n"),
    (
        ".cline/data/settings/cline_mcp_settings.json",
        "{\"mcpServers\": {}}",
    ),
    (
        ".kimi-code/config.toml",
        "default_model = \"x\"\n\n[[hooks]]\nevent = \"Stop\"\ncommand = \"bell\"\n",
    ),
    (".vibe/hooks.toml", ""),
    (".openhands/hooks.json", "{\n}\n"),
];

/// A user with a home of their own.
struct User(Scratch);

impl User {
    fn new() -> Self {
        let user = Self(Scratch::new());
        fs::create_dir(user.home()).expect("a home");
        user
    }

    fn with_settings() -> Self {
        let user = Self::new();
        for (name, text) in FOREIGN {
            let path = user.home().join(name);
            fs::create_dir_all(path.parent().expect("a directory")).expect("made");
            fs::write(path, text).expect("written");
        }
        user
    }

    fn home(&self) -> std::path::PathBuf {
        self.0.path().join("home")
    }

    fn setup(&self, arguments: &[&str]) -> Ran {
        let mut command = self.0.command(&["setup"]);
        command.args(arguments).env("HOME", self.home());
        for name in [
            "CODEX_HOME",
            "CLAUDE_CONFIG_DIR",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
        ] {
            command.env_remove(name);
        }
        // Where nothing is found, and with the compiled components of all tests.
        command
            .env("PATH", "/nowhere")
            .env("TWICESHY_HOME", self.0.path().join("user"));
        let cache = self.0.path().join("user/cache");
        if !cache.exists() {
            fs::create_dir_all(self.0.path().join("user")).expect("made");
            let _ = std::os::unix::fs::symlink(crate::support::shared_home().join("cache"), cache);
        }
        Ran(command.output().expect("it runs"))
    }

    /// Every file in the home, with its bytes.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        fn add(root: &Path, at: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
            for entry in fs::read_dir(at).expect("readable") {
                let path = entry.expect("an entry").path();
                let name = path
                    .strip_prefix(root)
                    .expect("within")
                    .display()
                    .to_string();
                match path.is_dir() {
                    true => {
                        files.insert(format!("{name}/"), Vec::new());
                        add(root, &path, files);
                    }
                    false => drop(files.insert(name, fs::read(&path).expect("readable"))),
                }
            }
        }
        let mut files = BTreeMap::new();
        add(&self.home(), &self.home(), &mut files);
        files
    }
}

#[test]
fn each_host_is_connected_beside_what_others_put_there_and_undo_leaves_every_byte() {
    let user = User::with_settings();
    let before = user.files();
    for host in HOSTS {
        let ran = user.setup(&["--host", host, "--yes"]);
        assert_eq!(ran.code(), 0, "{host}: {}{}", ran.stdout(), ran.stderr());
        let again = user.setup(&["--host", host, "--yes", "--json"]).json();
        assert_eq!(
            again["hosts"][0]["changes"],
            Value::Array(Vec::new()),
            "{host}"
        );
        let standing = user.setup(&["--check", "--host", host, "--json"]).json();
        let expected = if host == "codex" {
            "not-trusted"
        } else {
            "never-called"
        };
        assert_eq!(standing["hosts"][0]["state"], expected, "{host}");
    }
    let connected = user.files();
    let text: String = connected
        .values()
        .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    for kept in [
        "\"fmt\"",
        "\"bell\"",
        "# keep",
        "// keep",
        "\"theirs\"",
        "[mcp_servers.other]",
    ] {
        assert!(text.contains(kept), "{kept}");
    }
    for host in HOSTS {
        assert!(
            text.contains(&format!(" hook {host} ")) || host == "opencode",
            "{host}"
        );
    }
    assert!(!text.contains("trusted_hash"), "trust is the user's");
    let ran = user.setup(&["--undo", "--yes"]);
    assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
    let after = user.files();
    for (name, bytes) in &before {
        assert_eq!(
            after.get(name).map(|bytes| String::from_utf8_lossy(bytes)),
            Some(String::from_utf8_lossy(bytes)),
            "{name}"
        );
    }
    assert_eq!(
        after.keys().collect::<Vec<_>>(),
        before.keys().collect::<Vec<_>>()
    );
}

#[test]
fn undo_keeps_what_somebody_changed_since() {
    let user = User::with_settings();
    user.setup(&[
        "--host", "claude", "--host", "codex", "--host", "kimi", "--yes",
    ]);
    let path = user.home().join(".claude/settings.json");
    let changed = fs::read_to_string(&path)
        .expect("readable")
        .replace("\"model\": \"x\"", "\"model\": \"new\"");
    fs::write(&path, changed).expect("written");
    let config = user.home().join(".kimi-code/config.toml");
    let changed = fs::read_to_string(&config)
        .expect("readable")
        .replace("default_model = \"x\"", "default_model = \"new\"");
    fs::write(&config, changed).expect("written");
    assert_eq!(user.setup(&["--undo", "--yes"]).code(), 0);
    let text = fs::read_to_string(&path).expect("readable");
    assert!(
        text.contains("\"model\": \"new\"")
            && text.contains("\"fmt\"")
            && !text.contains("--by-setup"),
        "{text}"
    );
    let text = fs::read_to_string(&config).expect("readable");
    assert_eq!(
        text,
        "default_model = \"new\"\n\n[[hooks]]\nevent = \"Stop\"\ncommand = \"bell\"\n"
    );
}

#[test]
fn eight_setups_at_once_are_as_good_as_one() {
    let user = User::with_settings();
    let before = user.files();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let ran = user.setup(&["--yes"]);
                assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
            });
        }
    });
    let files = user.files();
    let mut told = 0;
    for (name, bytes) in files
        .iter()
        .filter(|(name, _)| name.ends_with("hooks.json") || name.ends_with("settings.json"))
    {
        let text = String::from_utf8_lossy(bytes);
        for event in [
            "PostToolUse --by-setup",
            "postToolUse --by-setup",
            "AfterTool --by-setup",
        ] {
            let count = text.matches(event).count();
            assert!(count <= 1, "{name}: {text}");
            told += count;
        }
    }
    assert!(told > 1, "several hosts are told of: {told}");
    assert_eq!(user.setup(&["--undo", "--yes"]).code(), 0);
    assert_eq!(user.files(), before);
}

#[test]
fn nothing_is_changed_without_a_yes() {
    let user = User::with_settings();
    let before = user.files();
    assert_eq!(user.setup(&[]).code(), 2, "nobody is there to be asked");
    let ran = user.setup(&["--dry-run"]);
    assert_eq!(ran.code(), 0);
    assert!(
        ran.stdout().contains("+")
            && ran
                .stdout()
                .contains("hook claude PostToolUseFailure --by-setup"),
        "{}",
        ran.stdout()
    );
    assert_eq!(user.files(), before);
    assert_eq!(user.setup(&["--host", "nobody"]).code(), 2);
}

#[test]
fn a_file_that_can_not_be_read_is_told_and_left_alone() {
    let user = User::new();
    let path = user.home().join(".codex/hooks.json");
    fs::create_dir_all(path.parent().expect("a directory")).expect("made");
    fs::write(&path, "{ broken").expect("written");
    let ran = user.setup(&["--host", "codex", "--yes"]);
    assert_eq!(ran.code(), 1);
    assert!(ran.stdout().contains("valid JSON"), "{}", ran.stdout());
    assert!(!ran.stdout().contains("already"), "{}", ran.stdout());
    assert_eq!(fs::read_to_string(&path).expect("readable"), "{ broken");
}

#[test]
fn a_pipe_and_a_link_that_leads_nowhere_are_told_and_left_alone() {
    let user = User::new();
    let path = user.home().join(".codex/hooks.json");
    fs::create_dir_all(path.parent().expect("a directory")).expect("made");
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let connect = ["--host", "codex", "--yes"];
    for arguments in [&connect[..], &["--check"], &["--undo", "--yes"]] {
        user.setup(arguments);
    }
    assert!(
        user.setup(&connect)
            .stdout()
            .contains("no file of settings")
    );
    fs::remove_file(&path).expect("removed");
    std::os::unix::fs::symlink("nowhere.json", &path).expect("a link");
    let ran = user.setup(&connect);
    assert_eq!(ran.code(), 1);
    assert!(ran.stdout().contains("leads nowhere"), "{}", ran.stdout());
    assert!(path.is_symlink());
}
