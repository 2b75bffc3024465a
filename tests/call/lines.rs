//! `call --lines`: requests and answers, one line each.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::support::Scratch;

/// A process that is talked with, one line at a time.
struct Conversation {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Conversation {
    fn with(project: &Scratch) -> Self {
        let mut child = project
            .command(&["call", "--lines"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, answers) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                // Nobody listens when a test has failed.
                let _ = sender.send(line.expect("text"));
            }
        });
        Self {
            child,
            input,
            answers,
        }
    }

    fn say(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).expect("the program listens");
    }

    /// The next answer. The time only keeps a program that does not answer from holding the tests.
    fn hear(&self) -> Value {
        let line = self
            .answers
            .recv_timeout(Duration::from_secs(120))
            .expect("an answer");
        serde_json::from_str(&line).expect("an answer is JSON")
    }

    fn end(mut self) {
        drop(self.input);
        assert!(self.child.wait().expect("it ends").success());
    }
}

/// The answers to some lines.
fn answers(project: &Scratch, input: &[u8]) -> Vec<Value> {
    let ran = project.run_with(&["call", "--lines"], input);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let parse = |line: &str| serde_json::from_str(line).expect("an answer is JSON");
    ran.stdout().lines().map(parse).collect()
}

#[test]
fn requests_are_answered_in_their_order_with_their_ids() {
    let project = Scratch::new();
    let ids = [
        json!(0),
        json!(-7),
        json!("a \"b\" ä\n"),
        json!(null),
        json!([1, {"x": 2}]),
        json!(1.5),
    ];
    let mut input = String::new();
    for (number, id) in ids.iter().enumerate() {
        let args =
            json!({ "rule-text": format!("rule {}", ["a", "b", "c", "d", "e", "f"][number]) });
        let name = if number % 2 == 0 { "args" } else { "arguments" };
        input += &(json!({ "method": "lessons.propose", name: args, "id": id }).to_string() + "\n");
    }
    let heard = answers(&project, input.as_bytes());
    assert_eq!(heard.len(), ids.len());
    for ((answer, id), name) in heard.iter().zip(&ids).zip(["a", "b", "c", "d", "e", "f"]) {
        assert_eq!(answer.get("id"), Some(id));
        assert_eq!(answer["ok"]["rule-text"], format!("rule {name}"));
    }
    assert_eq!(project.status()["lessons"], 6);
}

#[test]
fn a_bad_line_is_answered_and_the_rest_goes_on() {
    let project = Scratch::new();
    let bad: [&[u8]; 14] = [
        b"nonsense",
        b"no.such {}",
        b"lessons.find {\"limit\"",
        b"lessons.find []",
        b"{\"method\": 1, \"id\": 41}",
        b"{\"id\": 42}",
        b"{\"method\": \"no.such\", \"id\": 43}",
        b"{\"method\": \"lessons.find\", \"args\": \"{}\", \"id\": 44}",
        b"{\"method\": \"lessons.find\", \"more\": 1, \"id\": 45}",
        b"{\"method\": \"lessons.find\"",
        b"\"lessons.find\"",
        b"[1]",
        b"\xff\xfe",
        b"lessons.find \x00",
    ];
    let mut input = Vec::new();
    for line in bad {
        input.extend_from_slice(line);
        input.extend_from_slice(b"\nupkeep.status\n");
    }
    input.extend(
        "lessons.find "
            .bytes()
            .chain([b'['; 100_000])
            .chain(*b"\nupkeep.status\n"),
    );
    let heard = answers(&project, &input);
    assert_eq!(heard.len(), 2 * (bad.len() + 1));
    for (number, pair) in heard.chunks(2).enumerate() {
        let error = &pair[0]["error"];
        assert_eq!(
            error["kind"], "invalid-argument",
            "line {number}: {}",
            pair[0]
        );
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|message| message.len() > 10)
        );
        assert_eq!(pair[1]["ok"]["events"], 0, "line {number}");
    }
    let ids: Vec<_> = heard.iter().filter_map(|answer| answer.get("id")).collect();
    assert_eq!(
        ids,
        [41, 42, 43, 44, 45],
        "a request that can be read gets its id back"
    );
}

#[test]
fn lines_may_be_blank_end_in_carriage_returns_and_lack_the_last_end() {
    let project = Scratch::new();
    let input = b"\n\r\n  \t \nupkeep.status\r\n  upkeep.status  {}  \nlessons.find\t{\"limit\": 1}\r\n\n{\"method\":\"upkeep.status\",\"id\":1}\r\nupkeep.status";
    let heard = answers(&project, input);
    assert_eq!(heard.len(), 5, "{heard:?}");
    assert!(
        heard.iter().all(|answer| answer.get("ok").is_some()),
        "{heard:?}"
    );
    assert_eq!(heard[2]["ok"], json!([]));
    assert_eq!(heard[3]["id"], 1);
    assert!(answers(&project, b"").is_empty());
}

#[test]
fn an_answer_is_there_before_the_next_request_is_sent_and_its_effect_is_durable() {
    let project = Scratch::new();
    let mut conversation = Conversation::with(&project);
    for number in 1..=3 {
        let rule = json!({ "rule-text": format!("rule {}", "x".repeat(number)) });
        conversation.say(format!("lessons.propose {rule}\n").as_bytes());
        assert!(conversation.hear().get("ok").is_some());
        assert_eq!(
            project.status()["lessons"],
            number,
            "another process sees it"
        );
    }
    conversation.end();
}

#[test]
fn a_line_of_a_hundred_megabytes_is_refused_in_bounded_memory_and_the_next_is_answered() {
    let project = Scratch::new();
    let mut conversation = Conversation::with(&project);
    conversation.say(b"{\"method\": \"lessons.find\", \"args\": {\"domain\": \"");
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        conversation.say(&chunk);
    }
    conversation.say(b"\"}}\nupkeep.status\n");
    let refused = conversation.hear();
    assert_eq!(refused["error"]["kind"], "invalid-argument");
    let message = refused["error"]["message"].as_str().expect("a message");
    assert!(message.contains("more than 32 MiB"), "{message}");
    assert_eq!(conversation.hear()["ok"]["events"], 0);
    let status = format!("/proc/{}/status", conversation.child.id());
    let status = fs::read_to_string(status).expect("it is there");
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("a peak");
    let kilobytes: u64 = peak
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .expect("a number");
    assert!(
        kilobytes < 100_000,
        "{kilobytes} kB: the line was not kept whole"
    );
    conversation.end();
}

#[test]
fn the_longest_request_is_answered() {
    let project = Scratch::new();
    let request = |padding: usize| format!("upkeep.status {{{}}}\n", " ".repeat(padding));
    let frame = request(0).len() - 1;
    let fits = request((32 << 20) - frame);
    let heard = answers(
        &project,
        (fits + &request((32 << 20) + 1 - frame) + "upkeep.status").as_bytes(),
    );
    assert_eq!(heard.len(), 3);
    assert!(heard[0].get("ok").is_some() && heard[2].get("ok").is_some());
    assert!(
        heard[1]["error"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("32 MiB"))
    );
}
