//! Fingerprints: every text has one, and a text in other colours has the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use twiceshy_fingerprint::{fingerprint, tags};

fuzz_target!(|text: &str| {
    let found = fingerprint::of_text(text);
    assert_eq!(found, fingerprint::of_text(text));
    let _ = tags::of_text(text);
    let (before, after) = text.split_at(text.floor_char_boundary(text.len() / 2));
    let _ = fingerprint::of_transition(before, text, after, "failed");
});
