//! Lines that a client of `twiceshy mcp` sends: each request gets one answer, and what is no message gets one, too.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use twiceshy_fuzz::host;

/// How many answers a line gets at least and at most.
fn due(line: &[u8]) -> (usize, usize) {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.iter().all(u8::is_ascii_whitespace) {
        return (0, 0);
    }
    let Ok(Value::Object(message)) = serde_json::from_slice(line) else {
        return (1, 1);
    };
    let has = |name: &str| message.contains_key(name);
    let outcomes = usize::from(has("result")) + usize::from(has("error"));
    match (message.get("jsonrpc").and_then(Value::as_str), message.get("method")) {
        (Some("2.0"), Some(Value::String(_))) if outcomes == 0 => match has("id") {
            true => (1, 1),
            false => (0, 0),
        },
        (Some("2.0"), None) if outcomes == 1 => (0, 0),
        // It is neither, and may be taken for one of the two.
        (Some("2.0"), Some(Value::String(_)) | None) => (0, 1),
        _ => (1, 1),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let dues: Vec<_> = bytes.split(|byte| *byte == b'\n').map(due).collect();
    let least = dues.iter().map(|(least, _)| least).sum::<usize>();
    let most = dues.iter().map(|(_, most)| most).sum();
    let answers = host::answers(bytes);
    let mut given = 0;
    for line in answers.lines() {
        let answer: Value = serde_json::from_str(line).expect("an answer is JSON");
        assert_eq!(answer["jsonrpc"], "2.0", "{line}");
        assert!(answer["error"]["code"].is_i64(), "{line}");
        given += 1;
    }
    assert!((least..=most).contains(&given), "{given} answers of {least} to {most}: {answers}");
});
