//! Masking: it ends, what is masked once stays, and JSON stays JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use twiceshy_fingerprint::secrets::{mask, mask_json};

fuzz_target!(|text: &str| {
    let once = mask(text);
    assert_eq!(mask(&once), once);
    let is_json = serde_json::from_str::<serde_json::Value>(text).is_ok();
    let masked = mask_json(text);
    if is_json {
        serde_json::from_str::<serde_json::Value>(&masked).expect("it was JSON before");
    }
});
