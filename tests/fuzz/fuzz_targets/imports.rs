//! Lines of an export that somebody changed: they are taken in as a whole or refused, and the memory is sound; what was taken in is
//! exported and taken in elsewhere.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use twiceshy_fuzz::World;

fuzz_target!(|text: &str| {
    for kind in ["events", "lessons", "episodes", "experience"] {
        let world = World::default();
        let request = json!({ "kind": kind, "request": { "text": text } }).to_string();
        let empty = json!({ "kind": kind, "request": {} }).to_string();
        let before = world.call("exchange.export-lines", &empty).expect("an export");
        if world.call("exchange.import-lines", &request).is_err() {
            let after = world.call("exchange.export-lines", &empty).expect("an export");
            assert_eq!(before, after, "what is refused changes nothing");
            continue;
        }
        world.check();
        let exported = world.call("exchange.export-lines", &empty).expect("an export");
        let exported: Value = serde_json::from_str(&exported).expect("JSON");
        let again = json!({ "kind": kind, "request": { "text": exported["text"] } }).to_string();
        let other = World::default();
        other.call("exchange.import-lines", &again).expect("its own export");
    }
});
