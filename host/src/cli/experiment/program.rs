//! An executor that is a program: a model or a script behind a command.
//!
//! Owns the process and the two streams of JSON lines. A program is started anew for each run, so that
//! nothing but the memory carries over. It is not trusted: what it answers is bounded in time and length, and
//! with the run it ends, together with everything it has started.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use serde::{Deserialize, Serialize};
use twiceshy_experiment::{Assignment, Executor, Hire, Move, Seen};

/// The longest answer, in bytes.
const LONGEST_ANSWER: u64 = 1 << 20;

/// A program in a run.
pub(super) struct Program<'a> {
    assignment: Assignment<'a>,
    timeout: Duration,
    process: Result<Process, String>,
    step: u32,
    last: Option<Vec<String>>,
    trouble: Option<String>,
}

/// A started program.
struct Process {
    child: Child,
    requests: Sender<String>,
    answers: Receiver<Result<String, String>>,
}

/// One line to the program.
#[derive(Serialize)]
struct Request<'a> {
    task: &'a str,
    tool: &'a str,
    docs: Option<&'a str>,
    files: BTreeMap<String, String>,
    briefing: &'a str,
    step: u32,
    last: Option<Last<'a>>,
    hint: &'a str,
    trouble: Option<&'a str>,
}

/// The last action and what came of it.
#[derive(Serialize)]
struct Last<'a> {
    action: &'a [String],
    exit: i32,
    stdout: &'a str,
    stderr: &'a str,
}

/// One line from the program.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Answer {
    Action { action: Vec<String> },
    Done { done: bool },
}

impl Program<'_> {
    /// Makes executors that run this command line in a shell.
    pub(super) fn hire(command: String, timeout: Duration) -> Box<Hire<'static>> {
        Box::new(move |assignment| {
            Box::new(Program {
                assignment,
                timeout,
                process: Process::start(&command),
                step: 0,
                last: None,
                trouble: None,
            })
        })
    }

    fn ask(&mut self, seen: Option<Seen<'_>>) -> Result<String, (String, bool)> {
        let task = self.assignment.task;
        let last = match (&self.last, seen) {
            (Some(action), Some(seen)) => Some(Last {
                action,
                exit: seen.ran.exit,
                stdout: &seen.ran.stdout,
                stderr: &seen.ran.stderr,
            }),
            _ => None,
        };
        let request = Request {
            task: task.text,
            tool: task.tool.name(),
            docs: self.assignment.docs,
            files: task.files(),
            briefing: &self.assignment.briefing.text,
            step: self.step,
            last,
            hint: seen.map_or("", |seen| seen.told.text.as_str()),
            trouble: self.trouble.as_deref(),
        };
        let line = serde_json::to_string(&request).map_err(|error| (error.to_string(), true))?;
        let process = self
            .process
            .as_ref()
            .map_err(|cause| (cause.clone(), true))?;
        process
            .ask(line, self.timeout)
            .map_err(|cause| (cause, true))
    }
}

impl Executor for Program<'_> {
    fn next(&mut self, seen: Option<Seen<'_>>) -> Move {
        let answer = self.ask(seen);
        self.step += 1;
        let (cause, is_over) = match answer {
            Ok(line) => match serde_json::from_str::<Answer>(&line) {
                Ok(Answer::Action { action }) if !action.is_empty() => {
                    self.last = Some(action.clone());
                    self.trouble = None;
                    return Move::Act(action);
                }
                Ok(Answer::Done { done: true }) => return Move::Done,
                _ => {
                    let shown: String = line.chars().take(80).collect();
                    let cause = format!(
                        "{shown:?} is no answer; give {{\"action\": [\"PROGRAM\", …]}} or {{\"done\": true}}"
                    );
                    (cause, false)
                }
            },
            Err(trouble) => trouble,
        };
        self.trouble = Some(cause.clone());
        Move::Trouble { cause, is_over }
    }
}

impl Process {
    fn start(command: &str) -> Result<Self, String> {
        let mut child = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // A group of its own, so that it can be ended with everything it has started.
            .process_group(0)
            .spawn()
            .map_err(|error| format!("it can't be started: {error}"))?;
        // Threads read and write, so that a program that does neither holds nobody up.
        let (requests, lines) = channel::<String>();
        if let Some(mut input) = child.stdin.take() {
            thread::spawn(move || {
                for line in lines {
                    if writeln!(input, "{line}").is_err() {
                        break;
                    }
                }
            });
        }
        let (sender, answers) = channel();
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || {
                let mut output = BufReader::new(output);
                loop {
                    let answer = read_answer(&mut output);
                    let is_last = answer.is_err();
                    if sender.send(answer).is_err() || is_last {
                        break;
                    }
                }
            });
        }
        Ok(Self {
            child,
            requests,
            answers,
        })
    }

    fn ask(&self, line: String, timeout: Duration) -> Result<String, String> {
        // A program that no longer listens may still have answered beforehand.
        let _ = self.requests.send(line);
        match self.answers.recv_timeout(timeout) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("no answer within {} s", timeout.as_secs()))
            }
            Err(RecvTimeoutError::Disconnected) => Err("it has ended without an answer".to_owned()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Ok(id) = i32::try_from(self.child.id()) {
            let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
        }
        let _ = self.child.wait();
    }
}

/// The next line that a program writes, of at most 1 MiB.
fn read_answer(output: &mut impl BufRead) -> Result<String, String> {
    let mut line = Vec::new();
    output
        .take(LONGEST_ANSWER + 1)
        .read_until(b'\n', &mut line)
        .map_err(|error| format!("its answer can't be read: {error}"))?;
    if line.is_empty() {
        return Err("it has ended without an answer".to_owned());
    }
    if line.len() as u64 > LONGEST_ANSWER {
        return Err("its answer is longer than 1 MiB".to_owned());
    }
    String::from_utf8(line).map_err(|_| "its answer is not UTF-8".to_owned())
}
