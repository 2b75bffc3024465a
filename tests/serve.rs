//! `twiceshy serve`: who is let in, what is answered, and a memory behind a service as if it were here.

mod refused;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
    thread,
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use twiceshy::{
    Memory, RemoteMemory,
    wit::memory::{Error, LessonCandidate, Lessons, NewRun, Runs, Upkeep},
};

use crate::{
    run::until,
    support::{Ran, Scratch, compiled_into},
};

/// A service over a memory of its own, for a user of its own.
struct Served {
    project: Scratch,
    home: TempDir,
    child: Child,
    port: u16,
}

impl Served {
    /// Starts it with a token of each scope: `read`, `write`, `admin`.
    fn start(flags: &[&str]) -> (Self, [String; 3]) {
        let home = TempDir::new().expect("a directory");
        compiled_into(home.path());
        Self::start_at(home, flags)
    }

    /// The same for a user with components and settings.
    fn start_at(home: TempDir, flags: &[&str]) -> (Self, [String; 3]) {
        let project = Scratch::new();
        let tokens = ["read", "write", "admin"].map(|scope| {
            let made = command(
                &project,
                &home,
                &["serve", "tokens", "--add", scope, "--scope", scope],
            );
            made.stdout().trim().to_owned()
        });
        let arguments = [&["serve", "--listen", "127.0.0.1:0"], flags].concat();
        let mut child = project
            .command(&arguments)
            .env("TWICESHY_HOME", home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the service starts");
        let mut words = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        while !line.contains("serving") {
            line.clear();
            assert_ne!(words.read_line(&mut line).expect("text"), 0, "it ended");
        }
        let port = line
            .split("127.0.0.1:")
            .nth(1)
            .and_then(|rest| rest.split(';').next());
        let port = port.and_then(|port| port.parse().ok());
        // What it says from now on is read, so that it never waits for a reader.
        thread::spawn(move || std::io::copy(&mut words, &mut std::io::sink()));
        let served = Self {
            port: port.unwrap_or_else(|| panic!("no port in {line}")),
            project,
            home,
            child,
        };
        (served, tokens)
    }

    fn connection(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).expect("it listens")
    }

    /// Sends a request and gives the status, the head and the body of the answer.
    fn ask(&self, method: &str, path: &str, token: &str, body: &[u8]) -> (u16, String, String) {
        let mut stream = self.connection();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {token}\r\n\
             Origin: https://page.example\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("it listens");
        // Who is refused before the end of a long body may be cut off.
        let _ = stream.write_all(body);
        answer(stream)
    }

    fn call(&self, function: &str, token: &str, arguments: &Value) -> (u16, Value) {
        let path = format!("/v1/call/{function}");
        let (status, _, body) = self.ask("POST", &path, token, arguments.to_string().as_bytes());
        let body = serde_json::from_str(&body).unwrap_or_else(|_| panic!("{status} {body}"));
        (status, body)
    }

    /// The memory as a library has it.
    fn memory(&self, token: &str) -> Memory {
        let address = format!("http://127.0.0.1:{}", self.port);
        RemoteMemory::with_token(&address, token)
            .expect("an address of this machine")
            .into()
    }

    fn stop(&mut self) -> i32 {
        let id = Pid::from_raw(self.child.id().try_into().expect("a process id"));
        let _ = kill(id, Signal::SIGTERM);
        self.child.wait().expect("it ends").code().unwrap_or(-1)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(project: &Scratch, home: &TempDir, arguments: &[&str]) -> Ran {
    let mut command = project.command(arguments);
    command.env("TWICESHY_HOME", home.path());
    Ran(command.output().expect("it runs"))
}

fn answer(mut stream: TcpStream) -> (u16, String, String) {
    let mut bytes = Vec::new();
    // The end of a connection that is cut off is an error; what came before it counts.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).expect("text");
    let status = text
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    (status.unwrap_or(0), head.to_lowercase(), body.to_owned())
}

fn lesson() -> Value {
    json!({ "rule-text": "WRONG: sort by -n → CORRECT: sort by +n", "trigger-texts": ["sort: bad key -n"] })
}

#[test]
fn each_token_may_do_what_its_scope_says() {
    let (served, [read, write, admin]) = Served::start(&[]);
    let prune = json!({ "before": 1, "dry-run": true });
    let start = json!({ "task": "sort the report", "domain": "cli" });
    let (_, run) = served.call("runs.start", &write, &start);
    let run = run["id"].clone();
    let described = json!({ "run": run, "description": { "summary": "changed" } });
    let retrieved = json!({ "run": run, "query": { "text": "sort" } });
    served.call(
        "working.init",
        &write,
        &json!({ "run": run, "context": {} }),
    );
    for (function, arguments, allowed) in [
        ("upkeep.status", json!({}), 0),
        ("lessons.propose", lesson(), 1),
        ("runs.describe", described, 1),
        ("working.retrieve", retrieved, 1),
        ("upkeep.prune", prune, 2),
    ] {
        for (rank, token) in [&read, &write, &admin].into_iter().enumerate() {
            let (status, body) = served.call(function, token, &arguments);
            let expected = if rank >= allowed { 200 } else { 403 };
            assert_eq!(status, expected, "{function} with rank {rank}: {body}");
        }
        for token in ["", "twiceshy_0000", &read[..read.len() - 1]] {
            let (status, body) = served.call(function, token, &arguments);
            assert_eq!((status, &body["error"]["kind"]), (401, &json!("denied")));
        }
    }
    let (status, _, _) = served.ask("POST", "/mcp", &read, b"{}");
    assert_eq!(status, 403);
}

#[test]
fn a_token_that_is_removed_is_refused_by_a_service_that_runs() {
    let (served, [read, ..]) = Served::start(&[]);
    assert_eq!(served.call("upkeep.status", &read, &json!({})).0, 200);
    let removed = command(
        &served.project,
        &served.home,
        &["serve", "tokens", "--remove", "read"],
    );
    assert_eq!(removed.code(), 0, "{}", removed.stderr());
    assert_eq!(served.call("upkeep.status", &read, &json!({})).0, 401);
    let listed = command(
        &served.project,
        &served.home,
        &["serve", "tokens", "--json"],
    )
    .json();
    let names: Vec<_> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["name"])
        .collect();
    assert_eq!(names, ["write", "admin"]);
}

#[test]
fn a_token_that_asks_too_often_is_told_when_to_come_again() {
    let (served, [read, write, _]) = Served::start(&["--rate", "1"]);
    // At once: however slow the machine is, they are not a second apart.
    let asked: Vec<_> = (0..10)
        .map(|_| {
            let mut stream = served.connection();
            write!(
                stream,
                "POST /v1/call/upkeep.status HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {read}\r\n\
                 Connection: close\r\nContent-Length: 2\r\n\r\n{{}}",
                served.port
            )
            .expect("it listens");
            stream
        })
        .collect();
    let mut refused = asked
        .into_iter()
        .map(answer)
        .filter(|(status, ..)| *status == 429);
    let (_, head, body) = refused.next().expect("two a second at most");
    assert!(head.contains("retry-after: 1"), "{head}");
    assert!(body.contains("try again"), "{body}");
    assert_eq!(served.call("upkeep.status", &write, &json!({})).0, 200);
}

#[test]
fn health_description_and_counts_are_there_for_those_who_watch() {
    let (served, [read, ..]) = Served::start(&[]);
    // On a busy machine the memory may take longer to show itself than somebody who watches waits.
    let mut health = String::new();
    until("it is well", || {
        let (status, _, body) = served.ask("GET", "/health", "", b"");
        health = body;
        assert!([200, 503].contains(&status), "{status} {health}");
        status == 200
    });
    assert!(health.contains("\"ok\""), "{health}");
    let (status, _, description) = served.ask("GET", "/openapi.json", "", b"");
    let description: Value = serde_json::from_str(&description).expect("JSON");
    assert_eq!((status, &description["openapi"]), (200, &json!("3.1.0")));
    assert_eq!(served.ask("GET", "/metrics", "", b"").0, 401);
    served.call("upkeep.status", &read, &json!({}));
    let (_, _, metrics) = served.ask("GET", "/metrics", &read, b"");
    let counted = "twiceshy_requests_total{route=\"upkeep.status\",status=\"200\"} 1";
    assert!(metrics.contains(counted), "{metrics}");
}

#[test]
fn it_answers_what_was_begun_and_ends_in_order() {
    let (mut served, [_, write, _]) = Served::start(&[]);
    let mut stream = served.connection();
    let body = lesson().to_string();
    let (first, rest) = body.split_at(10);
    write!(
        stream,
        "POST /v1/call/lessons.propose HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {write}\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
    .expect("it listens");
    // It is at work on the request once it asks for the body.
    let mut told = [0; 25];
    stream.read_exact(&mut told).expect("it answers");
    assert_eq!(&told, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(first.as_bytes()).expect("it listens");
    let id = Pid::from_raw(served.child.id().try_into().expect("a process id"));
    kill(id, Signal::SIGTERM).expect("it runs");
    stream.write_all(rest.as_bytes()).expect("it still listens");
    assert_eq!(answer(stream).0, 200);
    assert_eq!(served.stop(), 0);
    assert_eq!(served.project.status()["lessons"], 1);
}

#[test]
fn while_its_database_is_away_it_says_so_soon_and_answers_what_was_begun_before_it_ends() {
    // Nobody listens there.
    let memory = ["--memory", "postgres://anna:s3cret@127.0.0.1:9/team"];
    let home = TempDir::new().expect("a directory");
    compiled_into(home.path());
    // What was begun is answered within the time that the service gives it to end.
    let settings = home.path().join("config.toml");
    std::fs::write(settings, "busy-timeout-ms = 1000\n").expect("settings");
    let (mut served, [read, ..]) = Served::start_at(home, &memory);
    let mut stream = served.connection();
    write!(
        stream,
        "POST /v1/call/upkeep.status HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {read}\r\nContent-Length: 2\r\n\r\n{{}}"
    )
    .expect("it listens");
    let (status, _, health) = served.ask("GET", "/health", "", b"");
    assert_eq!(
        (status, health.contains("unusable")),
        (503, true),
        "{health}"
    );
    assert_eq!(served.ask("GET", "/openapi.json", "", b"").0, 200);
    let id = Pid::from_raw(served.child.id().try_into().expect("a process id"));
    kill(id, Signal::SIGTERM).expect("it runs");
    let (status, _, told) = answer(stream);
    assert_eq!(status, 503, "{told}");
    assert!(
        told.contains("can't be reached") && !told.contains("s3cret"),
        "{told}"
    );
    assert_eq!(served.stop(), 0);
}

#[test]
fn without_a_token_or_with_plain_text_for_other_machines_it_does_not_start() {
    let (project, home) = (Scratch::new(), TempDir::new().expect("a directory"));
    let none = command(&project, &home, &["serve"]);
    assert_eq!(none.code(), 2);
    assert!(
        none.stderr().contains("serve tokens --add"),
        "{}",
        none.stderr()
    );
    command(&project, &home, &["serve", "tokens", "--add", "one"]);
    let plain = command(&project, &home, &["serve", "--listen", "0.0.0.0:0"]);
    assert_eq!(plain.code(), 2);
    assert!(
        plain.stderr().contains("--certificate"),
        "{}",
        plain.stderr()
    );
}

#[test]
fn a_memory_behind_a_service_is_used_as_any_memory() {
    let (served, [read, write, _]) = Served::start(&[]);
    let memory = served.memory(&write);
    let learned = memory
        .propose(&LessonCandidate {
            rule_text: "WRONG: sort by -n → CORRECT: sort by +n".into(),
            trigger_texts: vec!["sort: bad key -n".into()],
            ..LessonCandidate::default()
        })
        .expect("it may write");
    let here = served
        .project
        .call("lessons.get", &json!({ "lesson": learned.id }));
    assert_eq!(here, serde_json::to_value(&learned).expect("JSON"));
    let status = memory.call("upkeep.status", "").expect("it answers");
    assert!(status.contains("\"lessons\":1"), "{status}");

    let missing = Lessons::get(&memory, "les_0").expect_err("there is none");
    assert!(matches!(missing, Error::NotFound(_)), "{missing:?}");
    let denied = served
        .memory(&read)
        .start(&NewRun::default())
        .expect_err("it may read");
    assert!(matches!(denied, Error::Denied(_)), "{denied:?}");
    let stranger = served
        .memory("twiceshy_0")
        .status()
        .expect_err("nobody knows it");
    assert!(
        stranger.message().contains("TWICESHY_TOKEN"),
        "{stranger:?}"
    );
    let gone = RemoteMemory::with_token("http://127.0.0.1:1", &write).map(Memory::from);
    let gone = gone
        .expect("an address")
        .status()
        .expect_err("nobody listens");
    assert!(matches!(gone, Error::Busy(_)), "{gone:?}");
}

#[test]
fn the_program_on_another_machine_learns_and_recalls_through_a_service() {
    let (served, [_, write, _]) = Served::start(&[]);
    let address = format!("http://127.0.0.1:{}", served.port);
    // Another machine: another user's directory, another working directory, nothing but the address and the token.
    let (elsewhere, home) = (Scratch::new(), TempDir::new().expect("a directory"));
    compiled_into(home.path());
    let run = |arguments: &[&str]| {
        let mut command = elsewhere.command(arguments);
        command
            .env("TWICESHY_HOME", home.path())
            .env("TWICESHY_MEMORY", &address)
            .env("TWICESHY_TOKEN", &write);
        Ran(command.output().expect("it runs"))
    };
    let task = run(&["task", "start", "read the report"]);
    let id = task.stdout().lines().next().unwrap_or_default().to_owned();
    assert!(id.starts_with("run_"), "{}{}", task.stdout(), task.stderr());
    let failed = run(&["run", "--run", &id, "--", "cat", "reprot.txt"]);
    assert_eq!(failed.code(), 1);
    std::fs::write(elsewhere.path().join("report.txt"), "42\n").expect("a file");
    assert_eq!(
        run(&["run", "--run", &id, "--", "cat", "report.txt"]).stdout(),
        "42\n"
    );
    let finished = run(&["task", "finish", &id]);
    assert_eq!(finished.code(), 0, "{}", finished.stderr());
    // It is in the memory of the service, and nothing is in a memory here.
    assert_eq!(served.project.status()["episodes"], 1);
    assert!(!elsewhere.memory().exists());
    assert_eq!(run(&["status", "--json"]).json()["episodes"], 1);
    for arguments in [&["backup", "memory.tar"][..], &["doctor"]] {
        let told = run(arguments);
        assert!(!told.stderr().contains("panicked"), "{}", told.stderr());
    }
    let refused = run(&["backup", "memory.tar"]);
    assert_ne!(refused.code(), 0);
    assert!(refused.stderr().contains(&address), "{}", refused.stderr());

    let mut stranger = elsewhere.command(&["status"]);
    stranger
        .env("TWICESHY_HOME", home.path())
        .env("TWICESHY_MEMORY", &address)
        .env_remove("TWICESHY_TOKEN");
    let told = Ran(stranger.output().expect("it runs"));
    assert_ne!(told.code(), 0);
    assert!(
        told.stderr().contains("TWICESHY_TOKEN"),
        "{}",
        told.stderr()
    );
}

#[test]
fn a_service_that_never_answers_keeps_no_step_waiting() {
    let (scratch, home) = (Scratch::new(), TempDir::new().expect("a directory"));
    compiled_into(home.path());
    std::fs::write(home.path().join("config.toml"), "busy-timeout-ms = 300\n").expect("a file");
    // Clients are let in by the system, and nobody ever reads what they say.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", silent.local_addr().expect("an address"));
    let ask = |arguments: &[&str], input: &[u8]| {
        let mut command = scratch.command(arguments);
        command
            .env("TWICESHY_HOME", home.path())
            .env("TWICESHY_MEMORY", &address)
            .env("TWICESHY_TOKEN", "0123456789abcdef");
        crate::support::feed(command, input)
    };
    let ran = ask(&["run", "--", "false"], b"");
    assert_eq!(ran.code(), 1);
    let words = "did not answer within 300 ms";
    assert!(ran.stderr().contains(words), "{}", ran.stderr());
    let event = json!({
        "session_id": "s", "cwd": scratch.path(), "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
        "tool_input": { "command": "make x" }, "error": "Exit code 2\nmake: *** No rule to make target 'x'.  Stop.",
    });
    let arguments = ["hook", "claude", "PostToolUseFailure", "--explain"];
    let ran = ask(&arguments, event.to_string().as_bytes());
    assert!(ran.stdout().contains(words), "{}", ran.stdout());
}

#[test]
fn a_service_that_sends_one_elsewhere_is_not_followed_and_nobody_else_gets_the_token() {
    let (scratch, home) = (Scratch::new(), TempDir::new().expect("a directory"));
    compiled_into(home.path());
    let listen = || {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        (listener, address)
    };
    let ((service, address), (elsewhere, other)) = (listen(), listen());
    let token = "0123456789abcdef";
    for status in ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"] {
        let head = format!(
            "HTTP/1.1 {status}\r\nLocation: http://{other}/v1/call/upkeep.status\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        let listener = service.try_clone().expect("a listener");
        let answering = thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut asked = [0; 4096];
            let count = stream.read(&mut asked).expect("a request");
            stream.write_all(head.as_bytes()).expect("it waits");
            String::from_utf8_lossy(&asked[..count]).into_owned()
        });
        let mut command = scratch.command(&["status"]);
        command
            .env("TWICESHY_HOME", home.path())
            .env("TWICESHY_MEMORY", format!("http://{address}"))
            .env("TWICESHY_TOKEN", token);
        let ran = Ran(command.output().expect("it runs"));
        assert!(answering.join().expect("a thread").contains(token));
        assert_ne!(ran.code(), 0);
        let said = ran.stderr();
        assert!(
            said.contains("check the address") && !said.contains(token),
            "{said}"
        );
    }
    elsewhere.set_nonblocking(true).expect("a listener");
    assert!(elsewhere.accept().is_err(), "somebody was asked elsewhere");
}

#[test]
fn the_users_settings_name_a_service_for_everything_and_a_projects_may_not() {
    let (served, [_, write, _]) = Served::start(&[]);
    let (elsewhere, home) = (Scratch::new(), TempDir::new().expect("a directory"));
    compiled_into(home.path());
    let line = format!("memory = \"http://127.0.0.1:{}\"\n", served.port);
    std::fs::write(home.path().join("config.toml"), &line).expect("a file");
    std::fs::write(home.path().join("token"), &write).expect("a file");
    let status = |home: &TempDir| {
        let mut command = elsewhere.command(&["status", "--json"]);
        command
            .env("TWICESHY_HOME", home.path())
            .env_remove("TWICESHY_MEMORY");
        Ran(command.output().expect("it runs"))
    };
    served.project.call("lessons.propose", &lesson());
    assert_eq!(status(&home).json()["lessons"], 1);
    let other = TempDir::new().expect("a directory");
    std::fs::create_dir_all(elsewhere.memory()).expect("a directory");
    std::fs::write(elsewhere.memory().join("config.toml"), &line).expect("a file");
    let refused = status(&other);
    assert_eq!(refused.code(), 2);
    assert!(
        refused.stderr().contains("only allowed in the user's own"),
        "{}",
        refused.stderr()
    );
}

#[test]
fn over_tls_only_a_client_that_knows_the_authority_shows_its_token() {
    let files = TempDir::new().expect("a directory");
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a key");
    let file = |name: &str, text: String| {
        let path = files.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("text").to_owned()
    };
    let certificate = file("certificate.pem", made.cert.pem());
    let key = file("key.pem", made.signing_key.serialize_pem());
    let (served, [read, ..]) = Served::start(&["--certificate", &certificate, "--key", &key]);
    let status = |authority: Option<&str>| {
        let mut command = served.project.command(&["status", "--json"]);
        command
            .env(
                "TWICESHY_MEMORY",
                format!("https://localhost:{}", served.port),
            )
            .env("TWICESHY_TOKEN", &read)
            .env_remove("SSL_CERT_FILE");
        command.envs(authority.map(|file| ("SSL_CERT_FILE", file)));
        Ran(command.output().expect("it runs"))
    };
    let known = status(Some(&certificate));
    assert_eq!(known.code(), 0, "{}", known.stderr());
    assert_eq!(known.json()["lessons"], 0);
    let unknown = status(None);
    assert_ne!(unknown.code(), 0);
    assert!(!unknown.stderr().contains(&read), "{}", unknown.stderr());
    // Who does not encrypt gets no answer.
    let mut stream = served.connection();
    stream
        .write_all(b"GET /health HTTP/1.1\r\n\r\n")
        .expect("it listens");
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    assert!(!bytes.starts_with(b"HTTP"), "{bytes:?}");
    let swapped = command(
        &served.project,
        &served.home,
        &["serve", "--certificate", &key, "--key", &certificate],
    );
    assert_eq!(swapped.code(), 2, "{}", swapped.stderr());
}
