//! Says that a test was left out where somebody reads it. What a test that passes prints is kept back, so that a line is added to
//! the file that `TWICESHY_SKIPS` names; CI puts that into its record. Every crate with tests that may be left out includes this
//! file.

use std::{collections::BTreeSet, env, fs::OpenOptions, io::Write, sync::Mutex, thread};

/// Says that the test that is running, or a part of it, is left out, and why.
pub fn skipped(why: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let test = thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("SKIPPED {test}: {why}\n");
    if !SAID.lock().expect("no panic").insert(line.clone()) {
        return;
    }
    eprint!("{line}");
    let Some(place) = env::var_os("TWICESHY_SKIPS") else {
        return;
    };
    // In one piece: other processes add to it, too.
    let file = OpenOptions::new().create(true).append(true).open(place);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.expect("the file of TWICESHY_SKIPS");
}
