//! What the end-to-end tests share: a scratch project and the program run in it.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::OnceLock,
};

use nix::sys::signal::{SigHandler, Signal, signal};
use serde_json::Value;
use twiceshy::Cache;

/// Builds components for a target, in the profile and the directory of those that are embedded, but not optimised across
/// crates: what they do is the same, and it takes half the time. Gives the directory.
pub fn build_guests(target: &str, what: &[&str]) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("a target")
        .join("guest");
    let built = Command::new(env!("CARGO"))
        .current_dir(repository())
        .args(["build", "--locked", "--profile", "guest"])
        .args(["--target", target])
        .args(what)
        .arg("--target-dir")
        .arg(&directory)
        .env("CARGO_PROFILE_GUEST_LTO", "off")
        .output()
        .expect("cargo runs");
    assert!(
        built.status.success(),
        "rustup target add {target}: {}",
        String::from_utf8_lossy(&built.stderr)
    );
    directory
}

/// A project of its own in a temporary directory, with a memory that nobody else has.
pub struct Scratch {
    directory: tempfile::TempDir,
}

impl Scratch {
    pub fn new() -> Self {
        warm_up();
        let directory = tempfile::tempdir().expect("a directory for the test");
        // A root of its own: no memory further up is found.
        fs::create_dir(directory.path().join(".git")).expect("a root");
        Self { directory }
    }

    /// One that has learned something, with a skill and cold contents.
    pub fn lived() -> Self {
        let scratch = Self::new();
        let done = |ran: Ran| assert_eq!(ran.code(), 0, "{}", ran.stderr());
        done(scratch.run(&["lessons", "propose", "WRONG: a → CORRECT: b"]));
        let skill = "# Skill: Debugging\n\n## Steps\n1. Reproduce it\n";
        done(scratch.run_with(&["skills", "put", "debugging", "-"], skill.as_bytes()));
        fs::write(scratch.path().join("report.md"), "a long report").expect("writable");
        done(scratch.run(&["episodes", "keep", "report.md"]));
        scratch
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The directory of the memory.
    pub fn memory(&self) -> PathBuf {
        self.path().join(".twiceshy")
    }

    /// The program with these arguments, in the project's directory.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_twiceshy"));
        command
            .args(arguments)
            .current_dir(self.path())
            .env("TWICESHY_HOME", shared_home())
            .env_remove("TWICESHY_MEMORY")
            .env_remove("TWICESHY_RUN")
            .env_remove("TWICESHY_OFF")
            .env_remove("TWICESHY_LOG")
            .env_remove("TWICESHY_SESSION")
            .env_remove("TWICESHY_AGENT")
            .env_remove("CLAUDE_CODE_SESSION_ID")
            .env_remove("GEMINI_SESSION_ID")
            // Tests prepare memories in every way; what is not one's own is tried where a test says so.
            .env("TWICESHY_TRUST", "1")
            // One process runs all tests, and is no agent: what belongs together is tried where a test says so.
            .env("TWICESHY_ALONE", "1");
        command
    }

    /// Runs the program to its end, with nothing on standard input.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        let output = self.command(arguments).stdin(Stdio::null()).output();
        Ran(output.expect("the program starts"))
    }

    /// Runs the program to its end with this standard input.
    pub fn run_with(&self, arguments: &[&str], input: &[u8]) -> Ran {
        feed(self.command(arguments), input)
    }

    /// Calls a function of the memory and gives its result.
    pub fn call(&self, function: &str, arguments: &Value) -> Value {
        let ran = self.run(&["call", function, &arguments.to_string()]);
        assert_eq!(ran.code(), 0, "{function}: {}", ran.stderr());
        ran.json()
    }

    /// The events of the memory, newest first.
    pub fn events(&self) -> Vec<Value> {
        match self.run(&["events", "--json", "--limit", "1000"]).json() {
            Value::Array(events) => events,
            other => panic!("not a list: {other}"),
        }
    }

    /// The report of `status --json`.
    pub fn status(&self) -> Value {
        self.run(&["status", "--json"]).json()
    }

    /// Fails the test unless `doctor` finds everything sound.
    pub fn assert_sound(&self) {
        let ran = self.run(&["doctor"]);
        assert_eq!(ran.code(), 0, "doctor: {}{}", ran.stdout(), ran.stderr());
    }
}

/// Runs a command to its end with this standard input.
pub fn feed(mut command: Command, input: &[u8]) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The program may end before it has read everything.
        let _ = pipe.write_all(&input);
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the input is written");
    Ran(output)
}

/// Compiles the components before any test looks at what the program says.
fn warm_up() {
    static WARM: OnceLock<()> = OnceLock::new();
    WARM.get_or_init(|| {
        // What is ignored where the tests were started, as under nohup, would be ignored by every command.
        for ignored in [
            Signal::SIGHUP,
            Signal::SIGINT,
            Signal::SIGQUIT,
            Signal::SIGTERM,
            Signal::SIGALRM,
        ] {
            // SAFETY: no handler is installed, only the default restored.
            unsafe { signal(ignored, SigHandler::SigDfl) }.expect("a signal");
        }
        fs::create_dir_all(shared_home()).expect("a home");
        patient(&shared_home());
        twiceshy::MemoryComponent::bundled(&compiled()).expect("the memory component");
        twiceshy::Adapter::cli(&compiled()).expect("the adapter");
    });
}

/// Lets writers in a home wait for each other for two minutes: of eight that hold the turn for a quarter of a second each, the
/// last one may wait longer than a user would on a machine that does other work, too.
fn patient(home: &Path) {
    // Whole at any time: other processes of these tests read it.
    let mut file = tempfile::NamedTempFile::new_in(home).expect("a file");
    file.write_all(b"busy-timeout-ms = 120000\n")
        .expect("written");
    file.persist(home.join("config.toml")).expect("settings");
}

/// One directory of compiled components for all tests: compiling takes longer than most of them.
pub fn shared_home() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("home")
}

/// The components that were compiled for all tests, for those that load them in this process.
pub fn compiled() -> Cache {
    Cache::new(shared_home().join("cache"), |_| {})
}

/// Gives a home of its own the compiled components of twiceshy, and the patience of the shared one. Nothing else is taken from
/// there: other tests write there at the same time.
pub fn compiled_into(home: &Path) {
    warm_up();
    let cache = home.join("cache");
    fs::create_dir_all(&cache).expect("a cache");
    patient(home);
    for file in fs::read_dir(shared_home().join("cache")).expect("compiled components") {
        let file = file.expect("a file");
        let name = file.file_name().to_string_lossy().into_owned();
        if ["memory-", "cli-"]
            .iter()
            .any(|bundled| name.starts_with(bundled))
        {
            fs::copy(file.path(), cache.join(name)).expect("a copy");
        }
    }
}

/// The repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the repository")
        .to_path_buf()
}

/// What a program did.
pub struct Ran(pub Output);

impl Ran {
    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    /// The exit code; -1 if a signal ended it.
    pub fn code(&self) -> i32 {
        self.0.status.code().unwrap_or(-1)
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.0.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.stdout(), self.stderr()))
    }
}

/// An example of the crate. Cargo builds them all with the tests, as long as it is not told which test to build.
pub fn example(name: &str) -> PathBuf {
    let this = std::env::current_exe().expect("this test");
    let deps = this.parent().expect("a directory");
    let built = deps.with_file_name("examples").join(name);
    assert!(
        built.is_file(),
        "{} is not there; build it with `cargo build --workspace --examples`",
        built.display()
    );
    built
}
