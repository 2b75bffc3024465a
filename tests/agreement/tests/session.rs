//! The session that other runtimes replay has the same answers over every store.

#[path = "../examples/session/recording.rs"]
mod recording;

use recording::{answer, recorded};
use serde_json::Value;
use twiceshy_documents::{ByteMap, ByteStore};
use twiceshy_store::{MapStore, Options, SqliteStore};
use twiceshy_wit::host::{Archive, Store};

#[test]
fn the_recorded_session_has_the_same_answers_over_every_store() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite =
        SqliteStore::open(&directory.path().join("memory.db"), Options::default()).unwrap();
    let map = MapStore::new();
    let archives = [(); 2].map(|()| ByteStore::new(ByteMap::new()));
    let memories: [(&dyn Store, &dyn Archive); 2] = [(&sqlite, &archives[0]), (&map, &archives[1])];
    let mut refusals = 0;
    let lines = recorded();
    for (number, line) in lines.lines().enumerate() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let (at, method) = (
            line["at"].as_u64().unwrap(),
            line["method"].as_str().unwrap(),
        );
        refusals += usize::from(line.get("error").is_some());
        for (store, archive) in memories {
            let answer = answer(store, archive, at, method, &line["arguments"]);
            assert!(
                answer.get("ok") == line.get("ok") && answer.get("error") == line.get("error"),
                "line {number}, {method}: {answer} is not {line}"
            );
        }
    }
    let count = lines.lines().count();
    assert!(
        count >= 400 && refusals * 2 < count,
        "{refusals} of {count} calls were refused"
    );
}
