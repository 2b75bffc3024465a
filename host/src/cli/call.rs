//! `twiceshy call`: any function of the memory component, and of its adapters, with JSON.

mod list;
mod steps;

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    process::ExitCode,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use twiceshy::{
    Adapters, Group, Memory, ProjectStore, limits,
    wit::{host::Store, memory::Error},
};

use self::list::Form;
use super::{arguments, context::Context, failure::Failure, import::ended};

/// A request in its JSON form, its id aside.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    method: String,
    #[serde(default, alias = "arguments")]
    args: Option<Value>,
}

/// The functions of the host itself, beside those of the contract.
pub(crate) use self::steps::FUNCTIONS as HOST_FUNCTIONS;

/// Whom requests are for.
pub(crate) struct Callee {
    memory: Memory,
    adapters: Adapters,
    store: ProjectStore,
}

impl Callee {
    pub(crate) fn of(context: &Context) -> Result<Self, Failure> {
        Ok(Self {
            memory: context.memory()?,
            adapters: context.adapters(),
            store: context.store(),
        })
    }

    /// Reads the least there is to read.
    ///
    /// # Errors
    /// If the memory can't be used.
    pub(crate) fn look(&self) -> Result<(), Failure> {
        self.store.count("run", &[])?;
        Ok(())
    }

    pub(crate) fn call(&self, method: &str, arguments: &str) -> Result<String, Failure> {
        match steps::call(&self.memory, &self.adapters, method, arguments) {
            Some(answer) => answer,
            None => {
                let answer = self.memory.call(method, arguments)?;
                self.store.erase_after(method)?;
                Ok(answer)
            }
        }
    }
}

pub(crate) fn call(context: &Context, arguments: &arguments::Call) -> Result<ExitCode, Failure> {
    if arguments.list || arguments.schema {
        let form = match (arguments.schema, context.json) {
            (true, _) => Form::Schema,
            (false, true) => Form::Json,
            (false, false) => Form::Text,
        };
        list::list(arguments.function.as_deref(), form)?;
        return Ok(ExitCode::SUCCESS);
    }
    let callee = Callee::of(context)?;
    if arguments.lines {
        return lines(&callee, io::stdin());
    }
    let function = arguments.function.as_deref().unwrap_or_default();
    let given = match arguments.arguments.as_str() {
        "-" => read_arguments()?,
        given => given.to_owned(),
    };
    println!("{}", callee.call(function, &given)?);
    Ok(ExitCode::SUCCESS)
}

fn read_arguments() -> Result<String, Failure> {
    let mut given = Vec::new();
    io::stdin()
        .lock()
        .take(limits::REQUEST_BYTES as u64 + 1)
        .read_to_end(&mut given)?;
    if given.len() > limits::REQUEST_BYTES {
        return Err(too_long());
    }
    String::from_utf8(given).map_err(|_| Failure::input("standard input is not valid UTF-8"))
}

/// Answers every request in its order. Requests that are there already are answered as a group: their effects become
/// durable together, then the answers go out, so that whoever gets an answer knows that its effect is durable. As long as
/// more come, the group goes on. Whoever waits for each answer before the next request gets it at once.
fn lines(callee: &Callee, input: impl Read + Send + 'static) -> Result<ExitCode, Failure> {
    let (sender, requests) = mpsc::sync_channel(READ_AHEAD);
    // A thread reads, so that this one knows whether a whole request is there.
    thread::spawn(move || {
        let lines = Lines::new(BufReader::new(input));
        lines.map(|line| sender.send(line)).all(|sent| sent.is_ok())
    });
    let mut output = io::stdout().lock();
    let mut group: Option<Group> = None;
    let mut ahead = None;
    loop {
        let first = match (ahead.take(), &group) {
            (Some(line), _) => Some(line),
            (None, None) => requests.recv().ok(),
            (None, Some(_)) => match requests.recv_timeout(PAUSE) {
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    ended(group.take())?;
                    continue;
                }
                line => line.ok(),
            },
        };
        let Some(first) = first else {
            return ended(group).map(|()| ExitCode::SUCCESS);
        };
        if group.is_none() {
            ahead = requests.try_recv().ok();
            if ahead.is_some() {
                group = callee.store.group()?;
            }
        }
        let begun = Instant::now();
        let mut answers = Vec::new();
        let mut next = Some(first);
        while let Some(line) = next {
            answers.extend(answered(callee, line?));
            let goes_on =
                group.is_some() && begun.elapsed() < GROUP && answers.len() < MOST_GROUPED;
            next = if goes_on {
                ahead.take().or_else(|| requests.try_recv().ok())
            } else {
                None
            };
        }
        if let Some(Err(error)) = group.as_ref().map(Group::flush) {
            // The next one begins anew.
            group = None;
            // Who is told of an effect can rely on it; what did not reach the disk is told as an error.
            let failure = Failure::from(Error::Storage(error.message().to_owned())).json();
            for (answer, _) in &mut answers {
                *answer = json!({ "error": failure }).to_string();
            }
        }
        for (mut answer, id) in answers {
            if let Some(id) = id {
                answer.truncate(answer.len() - 1);
                answer.push_str(&format!(",\"id\":{id}}}"));
            }
            writeln!(output, "{answer}")?;
        }
        output.flush()?;
    }
}

/// Requests that are read before those in front of them are answered.
const READ_AHEAD: usize = 64;

/// If no request has come for so long, a group ends.
const PAUSE: Duration = Duration::from_millis(20);

/// So long requests are collected to become durable together, and so many at most.
const GROUP: Duration = Duration::from_millis(200);
const MOST_GROUPED: usize = 2_000;

/// The answer to a request, and the id to give back with it; none for an empty line.
fn answered(callee: &Callee, line: Result<Vec<u8>, Failure>) -> Option<(String, Option<Value>)> {
    if matches!(&line, Ok(line) if line.trim_ascii().is_empty()) {
        return None;
    }
    let (answer, id) = answer(callee, line);
    let answer = match answer {
        Ok(result) => format!("{{\"ok\":{result}}}"),
        Err(failure) => json!({ "error": failure.json() }).to_string(),
    };
    Some((answer, id))
}

fn answer(
    callee: &Callee,
    line: Result<Vec<u8>, Failure>,
) -> (Result<String, Failure>, Option<Value>) {
    let line = match line.and_then(|line| {
        String::from_utf8(line).map_err(|_| Failure::input("the request is not valid UTF-8"))
    }) {
        Ok(line) => line,
        Err(failure) => return (Err(failure), None),
    };
    let line = line.trim();
    if !line.starts_with('{') {
        let (method, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, "{}"));
        return (callee.call(method, arguments), None);
    }
    let wrong = |error: serde_json::Error| {
        let text = format!("the request is not {{\"method\": …, \"args\": …}}: {error}");
        Err(Failure::input(text))
    };
    let mut request: Map<String, Value> = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => return (wrong(error), None),
    };
    // The id is taken first, so that a request that does not fit gets it back, too.
    let id = request.remove("id");
    match Request::deserialize(Value::Object(request)) {
        Ok(Request { method, args }) => {
            let arguments = args.unwrap_or_else(|| json!({})).to_string();
            (callee.call(&method, &arguments), id)
        }
        Err(error) => (wrong(error), id),
    }
}

/// The lines of an input. One that is longer than a request may be is passed over, not kept.
pub(crate) struct Lines<R> {
    input: R,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input }
    }

    fn next_line(&mut self) -> io::Result<Option<Result<Vec<u8>, Failure>>> {
        let mut line = Vec::new();
        let most = limits::REQUEST_BYTES as u64 + 1;
        if self
            .input
            .by_ref()
            .take(most)
            .read_until(b'\n', &mut line)?
            == 0
        {
            return Ok(None);
        }
        if line.last() == Some(&b'\n') {
            line.pop();
            return Ok(Some(Ok(line)));
        }
        if line.len() as u64 == most {
            self.input.skip_until(b'\n')?;
            return Ok(Some(Err(too_long())));
        }
        Ok(Some(Ok(line)))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Result<Vec<u8>, Failure>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_line().transpose()
    }
}

fn too_long() -> Failure {
    Failure::input(format!(
        "the request has more than {} MiB; send less at once",
        limits::REQUEST_BYTES >> 20
    ))
}
