//! Sessions of OpenCode: a SQLite database, or the directory of JSON files that came before it.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use super::{
    formats::{self, Yield},
    records,
    session::{Calls, End, Place, Session},
};

/// The tool that runs a command.
const SHELL: &str = "bash";

/// Whether a database has the sessions of OpenCode.
pub(crate) fn recognizes_database(path: &Path) -> bool {
    open(path).is_ok_and(|database| {
        database
            .prepare("SELECT p.data, p.message_id, m.data, s.directory FROM part p, message m, session s LIMIT 0")
            .is_ok()
    })
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

/// Reads a database.
pub(crate) fn read_database(path: &Path) -> io::Result<Yield> {
    let failed = |error: rusqlite::Error| io::Error::other(error.to_string());
    let database = open(path).map_err(failed)?;
    let mut tracks: BTreeMap<String, (Session, Calls)> = BTreeMap::new();
    let mut damaged = 0;
    let mut statement = database
        .prepare(
            "SELECT s.id, s.directory, m.data, p.data, p.id FROM part p \
             JOIN message m ON m.id = p.message_id JOIN session s ON s.id = m.session_id ORDER BY p.id",
        )
        .map_err(failed)?;
    let mut rows = statement.query([]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        let text = |column: usize| {
            row.get::<_, Option<String>>(column)
                .map(Option::unwrap_or_default)
        };
        let id = text(0).map_err(failed)?;
        let directory = text(1).map_err(failed)?;
        let values = [text(2), text(3)].map(|text| {
            text.ok()
                .and_then(|text| serde_json::from_str::<Value>(&text).ok())
        });
        let [Some(message), Some(part)] = &values else {
            damaged += 1;
            continue;
        };
        let key = text(4).map_err(failed)?;
        let (session, calls) = tracks.entry(id.clone()).or_default();
        session.id = id;
        session.place = Place::Directory(directory.into());
        take(message["role"] == "user", part, &key, calls);
    }
    Ok(Yield {
        sessions: finished(tracks),
        damaged,
    })
}

/// Whether a file is the head of a session in a directory of JSON files.
pub(crate) fn recognizes_head(record: &Value) -> bool {
    record["projectID"].is_string()
        && record["id"]
            .as_str()
            .is_some_and(|id| id.starts_with("ses_"))
}

/// Reads a session by its head: `session/PROJECT/ID.json`, with its messages in `message/ID` and their parts in
/// `part/MESSAGE`.
pub(crate) fn read_directory(path: &Path) -> io::Result<Yield> {
    let head = records::whole(path)?;
    let id = head["id"].as_str().unwrap_or_default().to_owned();
    let storage = path.ancestors().nth(3).unwrap_or(path);
    let mut calls = Calls::default();
    let mut damaged = 0;
    for message in files(&storage.join("message").join(&id)) {
        let parts = files(&storage.join("part").join(formats::stem(&message)));
        let Ok(message) = records::whole(&message) else {
            damaged += 1;
            continue;
        };
        for file in parts {
            match records::whole(&file) {
                Ok(part) => take(
                    message["role"] == "user",
                    &part,
                    &formats::stem(&file),
                    &mut calls,
                ),
                Err(_) => damaged += 1,
            }
        }
    }
    let place = head["directory"].as_str();
    Ok(Yield {
        sessions: vec![Session {
            id,
            agent: None,
            place: place.map_or(Place::Unknown, |place| Place::Directory(place.into())),
            steps: calls.into_steps(),
        }],
        damaged,
    })
}

/// The files of a directory by their names, which are in the order of their making.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

fn finished(tracks: BTreeMap<String, (Session, Calls)>) -> Vec<Session> {
    let finish = |(session, calls): (Session, Calls)| Session {
        steps: calls.into_steps(),
        ..session
    };
    tracks.into_values().map(finish).collect()
}

fn take(is_user: bool, part: &Value, key: &str, calls: &mut Calls) {
    match part["type"].as_str() {
        Some("text") if is_user && part["synthetic"] != true => {
            calls.ask(part["text"].as_str().unwrap_or_default());
        }
        Some("tool") if part["tool"] == SHELL => {
            let state = &part["state"];
            let [begun, ended] = ["start", "end"].map(|name| records::time(&state["time"][name]));
            let input = &state["input"];
            let line = input["command"].as_str().unwrap_or_default();
            calls.begin(key, line, input["workdir"].as_str(), begun);
            if state["status"] != "completed" {
                return;
            }
            let data = &state["metadata"];
            let output = data["output"].as_str().or(state["output"].as_str());
            let end = data["exit"].as_i64().map_or(End::Unknown, End::Exit);
            calls.end(key, ended, output.unwrap_or_default(), end);
        }
        _ => {}
    }
}
