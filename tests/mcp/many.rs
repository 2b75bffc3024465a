//! Several servers on one memory, some of which are killed: nothing that was acknowledged is lost.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::json;

use super::Client;
use crate::support::Scratch;

/// How many servers work at once.
const SERVERS: usize = 8;

/// How long they work, in seconds, unless `TWICESHY_MANY_SECONDS` says otherwise; a tenth of that lies between two kills.
const SECONDS: u64 = 5;

#[test]
fn of_eight_servers_some_are_killed_and_nothing_acknowledged_is_lost() {
    let given = std::env::var("TWICESHY_MANY_SECONDS").ok();
    let seconds = given.map_or(SECONDS, |given| given.parse().expect("a number"));
    let project = Scratch::new();
    let over = AtomicBool::new(false);
    let running: [AtomicU32; SERVERS] = std::array::from_fn(|_| AtomicU32::new(0));
    let (acknowledged, kills) = thread::scope(|scope| {
        let (project, over) = (&project, &over);
        let workers: Vec<_> = running
            .iter()
            .enumerate()
            .map(|(number, process)| scope.spawn(move || work(project, number, process, over)))
            .collect();
        let kills = kill_some(&running, Duration::from_secs(seconds));
        over.store(true, Ordering::Relaxed);
        let acknowledged = workers
            .into_iter()
            .map(|worker| worker.join().expect("it worked"));
        (acknowledged.flatten().collect::<BTreeSet<_>>(), kills)
    });
    assert!(kills >= 5, "{kills} were killed");
    assert!(
        acknowledged.len() > SERVERS,
        "{} were acknowledged",
        acknowledged.len()
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
fn work(project: &Scratch, number: usize, process: &AtomicU32, over: &AtomicBool) -> Vec<String> {
    let mut acknowledged = Vec::new();
    let mut written = 0;
    while !over.load(Ordering::Relaxed) {
        let mut client = Client::start(project);
        process.store(client.id(), Ordering::Relaxed);
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
            acknowledged.extend(id.filter(|_| result["isError"] != true).map(str::to_owned));
        }
    }
    acknowledged
}

/// Kills one server after the other.
fn kill_some(running: &[AtomicU32], time: Duration) -> usize {
    let end = Instant::now() + time;
    let mut kills = 0;
    while Instant::now() < end {
        thread::sleep(time / 10);
        let process = running[kills % running.len()].swap(0, Ordering::Relaxed);
        if process != 0 && kill(Pid::from_raw(process.cast_signed()), Signal::SIGKILL).is_ok() {
            kills += 1;
        }
    }
    kills
}
