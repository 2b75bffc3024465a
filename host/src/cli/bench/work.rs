//! Episodes to measure with: made up, no two the same, of words as unevenly spread as those of a language.
//!
//! The same number gives the same bytes. Numbers far apart share words, not sentences.

use serde_json::{Value, json};

/// Milliseconds between the ends of two episodes: a million of them is 7 months, within which episodes are found.
pub(super) const APART_MS: u64 = 20_000;

const VERBS: [&str; 12] = [
    "fix",
    "add",
    "migrate",
    "refactor",
    "deploy",
    "test",
    "rename",
    "remove",
    "upgrade",
    "profile",
    "revert",
    "configure",
];
const TOOLS: [&str; 10] = [
    "cargo",
    "git",
    "npm",
    "pytest",
    "docker",
    "kubectl",
    "psql",
    "terraform",
    "rsync",
    "make",
];
const TROUBLES: [&str; 8] = [
    "connection refused",
    "permission denied",
    "no such file or directory",
    "type mismatch",
    "deadlock detected",
    "out of memory",
    "operation timed out",
    "duplicate key value",
];
const DOMAINS: [&str; 6] = ["cli", "web", "data", "infra", "mobile", "docs"];

/// Words that are made up: 40,000 of them.
const WORDS: u64 = 40_000;

/// Numbers that look random and are always the same.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        dice.roll(2);
        dice
    }

    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.roll(from.len() as u64) as usize]
    }

    /// A word; small numbers are frequent, as in language.
    fn word(&mut self) -> String {
        let (a, b) = (self.roll(WORDS), self.roll(WORDS));
        let mut number = a * b / WORDS + 40;
        let mut word = String::new();
        while number > 0 {
            word.push(char::from(b"bdfgklmnprstvz"[(number % 14) as usize]));
            word.push(char::from(b"aeiou"[(number / 14 % 5) as usize]));
            number /= 70;
        }
        word
    }

    fn output(&mut self, bytes: usize) -> String {
        let mut output = String::new();
        while output.len() < bytes {
            let (tool, milliseconds) = (self.pick(&TOOLS), self.roll(4_000));
            let [first, second, third] = [(); 3].map(|()| self.word());
            output.push_str(&format!(
                "{tool}: {first} {second} {third} ({milliseconds} ms)\n"
            ));
        }
        output
    }
}

/// The task of an episode.
pub(super) fn task(number: u64) -> String {
    let mut dice = Dice::new(number);
    let [first, second, third] = [(); 3].map(|()| dice.word());
    format!(
        "{} the {first} {second} of service {third}",
        dice.pick(&VERBS)
    )
}

/// What an episode failed with.
pub(super) fn error(number: u64) -> String {
    let mut dice = Dice::new(number ^ 0xe440);
    format!(
        "error: {}: {} at line {}",
        dice.pick(&TROUBLES),
        dice.word(),
        dice.roll(900)
    )
}

/// The arguments of `episodes.add` for an episode of about so many bytes that ended at a time.
pub(super) fn episode(number: u64, bytes: usize, ended_at: u64) -> Value {
    let mut dice = Dice::new(number ^ 0xabcd);
    let (tool, failed) = (dice.pick(&TOOLS), dice.roll(4) == 0);
    let steps = (bytes / 1_000).clamp(2, 10) as u64;
    // What an episode has beside its outputs, and by how much an output is too long on average.
    let outputs = bytes.saturating_sub(307 + 94 * steps as usize);
    let output = (outputs / (steps as usize - 1)).saturating_sub(25);
    let trace: Vec<Value> = (0..steps)
        .map(|step| {
            let fails = step + 1 == steps && failed;
            json!({
                "after": step * 7,
                "action": format!("{tool} {} --{}", dice.pick(&VERBS), dice.word()),
                "result": match (fails, step + 1 == steps) {
                    (true, _) => Value::Null,
                    (false, true) => json!("ok"),
                    (false, false) => json!(dice.output(output)),
                },
                "error": if fails { json!(error(number)) } else { Value::Null },
            })
        })
        .collect();
    json!({"episode": {
        "task": task(number),
        "domain": dice.pick(&DOMAINS),
        "session": format!("session-{}", number / 8),
        "agent": format!("agent-{}", number % 5),
        "task-type": dice.pick(&["bugfix", "feature", "research"]),
        "tools-used": [tool],
        "summary": format!("{}; found {} {}", task(number), dice.word(), dice.pick(&TROUBLES)),
        "started-at": ended_at - 1_000,
        "ended-at": ended_at,
        "outcome": if failed { "failure" } else { "success" },
        "score": if failed { 0.2 } else { 0.9 },
        "trace": trace,
    }})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_episode_has_about_as_many_bytes_as_it_is_asked_for() {
        for bytes in [1_000, 10_000] {
            let all: usize = (0..200)
                .map(|number| episode(number, bytes, 1_704_067_200_000).to_string().len())
                .sum();
            let mean = all / 200;
            assert!(
                mean.abs_diff(bytes) * 20 < bytes,
                "{mean} instead of {bytes}"
            );
        }
    }
}
