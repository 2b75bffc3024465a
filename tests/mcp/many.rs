//! Several servers on one memory, some of which are killed: nothing that was acknowledged is lost.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::json;

use super::Client;
use crate::{run::until, support::Scratch};

/// How many servers work at once.
const SERVERS: usize = 8;

/// So many are killed, however long that takes, and for as many seconds as `TWICESHY_MANY_SECONDS` says.
const KILLS: usize = 10;

/// So many writes are acknowledged between two kills.
const BETWEEN: usize = 5;

#[test]
fn of_eight_servers_some_are_killed_and_nothing_acknowledged_is_lost() {
    let given = std::env::var("TWICESHY_MANY_SECONDS").ok();
    let seconds = given.map_or(0, |given| given.parse().expect("a number"));
    let project = Scratch::new();
    let (over, count) = (AtomicBool::new(false), AtomicUsize::new(0));
    let running: [AtomicU32; SERVERS] = std::array::from_fn(|_| AtomicU32::new(0));
    let (acknowledged, kills) = thread::scope(|scope| {
        let (project, over, count) = (&project, &over, &count);
        let workers: Vec<_> = running
            .iter()
            .enumerate()
            .map(|(number, process)| {
                scope.spawn(move || work(project, number, process, count, over))
            })
            .collect();
        let kills = kill_some(&running, count, Duration::from_secs(seconds), over);
        let acknowledged = workers
            .into_iter()
            .map(|worker| worker.join().expect("it worked"));
        (acknowledged.flatten().collect::<BTreeSet<_>>(), kills)
    });
    assert!(kills >= KILLS, "{kills} were killed");
    // Failures that are the same have one id.
    let (said, found) = (count.into_inner(), acknowledged.len());
    assert!(
        said >= KILLS * BETWEEN && found > SERVERS,
        "{said} were acknowledged, with {found} ids"
    );
    let mut client = Client::connected(&project);
    for ids in acknowledged.iter().collect::<Vec<_>>().chunks(50) {
        let (_, got) = client.call("get", json!({ "ids": ids, "max_tokens": 1_000_000 }));
        assert_eq!(got["missing"], json!([]), "acknowledged and lost");
        assert_eq!(got["memories"].as_array().map(Vec::len), Some(ids.len()));
    }
    assert_eq!(client.end().1, Some(0));
    project.assert_sound();
    println!(
        "{} acknowledged, {kills} killed, none lost",
        acknowledged.len()
    );
}

/// Writes as fast as a server answers, and takes a new server when it is gone. Gives the ids that were acknowledged.
fn work(
    project: &Scratch,
    number: usize,
    process: &AtomicU32,
    count: &AtomicUsize,
    over: &AtomicBool,
) -> Vec<String> {
    let mut acknowledged = Vec::new();
    let mut written = 0;
    while !over.load(Ordering::Relaxed) {
        let mut client = Client::start(project);
        let hello = json!({
            "jsonrpc": "2.0", "id": "hello", "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": { "name": "test-client", "version": "1" },
            },
        });
        if !client.try_say(&hello.to_string()) || client.try_read().is_none() {
            continue;
        }
        // It may be killed from its first answer on.
        process.store(client.id(), Ordering::Relaxed);
        while !over.load(Ordering::Relaxed) {
            written += 1;
            let arguments = match written % 2 {
                0 => {
                    json!({ "text": format!("fact {written} of server {number}"), "kind": "fact" })
                }
                _ => json!({
                    "command": "turn the wheel", "exit_code": 1,
                    "error": format!("the wheel of server {number} broke after {written} turns"),
                }),
            };
            let tool = if written % 2 == 0 {
                "remember"
            } else {
                "report_step"
            };
            let call = json!({
                "jsonrpc": "2.0", "id": written, "method": "tools/call",
                "params": { "name": tool, "arguments": arguments },
            });
            if !client.try_say(&call.to_string()) {
                break;
            }
            let Some(answer) = client.try_read() else {
                break;
            };
            let result = &answer["result"];
            let data = &result["structuredContent"];
            // Under load a writer may be told to try again, which acknowledges nothing.
            let id = data["lesson"].as_str().or(data["failure"].as_str());
            let id = id.filter(|_| result["isError"] != true);
            count.fetch_add(usize::from(id.is_some()), Ordering::Relaxed);
            acknowledged.extend(id.map(str::to_owned));
        }
        process.store(0, Ordering::Relaxed);
    }
    acknowledged
}

/// Ends the work when it is dropped, also by a panic: nobody waits for workers that go on for ever.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Kills one server after the other, each after some writes were acknowledged.
fn kill_some(
    running: &[AtomicU32],
    count: &AtomicUsize,
    time: Duration,
    over: &AtomicBool,
) -> usize {
    let _end = End(over);
    let begun = Instant::now();
    let mut kills = 0;
    while kills < KILLS || begun.elapsed() < time {
        let before = count.load(Ordering::Relaxed);
        until("writes are acknowledged", || {
            count.load(Ordering::Relaxed) >= before + BETWEEN
        });
        until("a server answers", || {
            let process = running[kills % running.len()].swap(0, Ordering::Relaxed);
            let process = Pid::from_raw(process.cast_signed());
            process.as_raw() != 0 && kill(process, Signal::SIGKILL).is_ok()
        });
        kills += 1;
    }
    kills
}
