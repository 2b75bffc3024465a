//! Tallies: how many tests passed, or how many items are done, as far as an output says so.
//!
//! Owns reading them by their shape: `3 passed, 1 failed`, `failures=1`, `not ok 2`, `[12/40]`, `45%`. No
//! runner is known by its name. Counts of tests may stand anywhere in the last part of an output and are added
//! up, because one command may run several suites; items are read from its last lines, where progress is shown.

/// What is read of a stream, in bytes from its end.
const READ_BYTES: usize = 64 << 10;

/// The lines at the end of a stream in which items are looked for.
const LAST_LINES: usize = 3;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// Tests that pass.
    Tests,
    /// Anything that is done one after another.
    Items,
}

/// So many of so many.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) what: What,
    pub(crate) done: u64,
    pub(crate) of: u64,
}

impl Tally {
    /// The tally in the streams of a command; none if there is none.
    pub(crate) fn of(stdout: &str, stderr: &str) -> Option<Self> {
        // Counted, not looked for: a whole text at once is faster than its bytes one by one.
        let numbers = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
        let streams = [ending(stdout), ending(stderr)].map(|text| match numbers(text) {
            0 => "",
            _ => text,
        });
        let mut tests = Tests::default();
        for line in streams.into_iter().flat_map(lines) {
            tests.read(line);
        }
        tests
            .tally()
            .or_else(|| streams.into_iter().find_map(items))
    }

    /// Nothing is left to do.
    pub(crate) fn is_complete(&self) -> bool {
        self.done >= self.of
    }

    /// The share that is done, from 0 to 1.
    pub(crate) fn share(&self) -> f64 {
        self.done as f64 / self.of as f64
    }

    /// How much more is done than before, as a share of all there is, from -1 to 1.
    pub(crate) fn since(&self, before: &Self) -> f64 {
        let more = self.done as f64 - before.done as f64;
        (more / self.of.max(before.of) as f64).clamp(-1.0, 1.0)
    }
}

fn ending(text: &str) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(READ_BYTES))..]
}

/// The lines that have a number. Progress that overwrites itself has carriage returns between its states. Numbers
/// are looked for before lines are: most lines have none.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let ends = |byte: &u8| *byte == b'\n' || *byte == b'\r';
    let mut rest = text;
    std::iter::from_fn(move || {
        let bytes = rest.as_bytes();
        let digit = bytes.iter().position(u8::is_ascii_digit)?;
        let start = bytes[..digit].iter().rposition(ends).map_or(0, |at| at + 1);
        let end = bytes[digit..].iter().position(ends);
        let end = end.map_or(bytes.len(), |at| digit + at);
        let line = &rest[start..end];
        rest = &rest[end..];
        Some(line)
    })
}

/// What an output says of tests.
#[derive(Debug, Default, PartialEq)]
struct Tests {
    /// None where nothing says how many passed.
    passed: Option<u64>,
    failed: u64,
    skipped: u64,
    /// Those that were run, however they ended.
    run: u64,
    /// Those that were reported one by one: passed and failed.
    single: [u64; 2],
}

impl Tests {
    fn read(&mut self, line: &str) {
        if let Some(passed) = single(line) {
            self.single[usize::from(!passed)] += 1;
            return;
        }
        let pieces: Vec<_> = pieces(line).collect();
        // Suites, files and snapshots are counted beside the tests that are in them.
        let labels = pieces.iter().take_while(|piece| piece.number.is_none());
        if labels.into_iter().any(|piece| is_container(piece.text)) {
            return;
        }
        let (mut all, mut told) = (None, false);
        for (at, piece) in pieces.iter().enumerate() {
            let before = |back: usize| at.checked_sub(back).map_or("", |at| pieces[at].text);
            let after = |on: usize| pieces.get(at + on).map_or("", |piece| piece.text);
            let Some(count) = piece.number else { continue };
            let noun = matches!(after(1), "test" | "tests");
            // `3 passed`, and `1 tests failed`.
            let word = match piece.spaced {
                true if noun && is_count(after(2)) => after(2),
                true => after(1),
                false => "",
            };
            // `failures=1`, `Errors: 0`, and `pass 3` alone in its line.
            let label = at.checked_sub(1).map(|at| &pieces[at]);
            let labelled = label.is_some_and(|label| label.assigned || pieces.len() == 2);
            if is_count(word) {
                told |= self.add(word, count);
            } else if before(1) == "Ran" && noun || before(2) == "Tests" && before(1) == "run" {
                self.run += count;
            } else if before(2) == "out" && before(1) == "of" || word == "total" {
                all = Some(count);
            } else if labelled && before(1) == "tests" {
                all = Some(count);
                told = true;
            } else if labelled && is_count(before(1)) {
                told |= self.add(before(1), count);
            }
        }
        // `3 out of 5` may be anything, unless the line speaks of tests.
        self.run += all.filter(|_| told).unwrap_or(0);
    }

    /// Adds what the word counts; says whether it is tests that passed or failed.
    fn add(&mut self, word: &str, count: u64) -> bool {
        let sum = match word.as_bytes()[0].to_ascii_lowercase() {
            b'p' if !word.eq_ignore_ascii_case("pending") => self.passed.get_or_insert_default(),
            b'f' | b'e' => &mut self.failed,
            _ => {
                self.skipped = self.skipped.saturating_add(count);
                return false;
            }
        };
        *sum = sum.saturating_add(count);
        true
    }

    fn tally(&self) -> Option<Tally> {
        let [ok, not_ok] = self.single;
        let (done, of) = match self.passed {
            Some(passed) => (passed, passed.saturating_add(self.failed)),
            None if self.run > 0 => {
                let of = self.run.saturating_sub(self.skipped);
                (of.saturating_sub(self.failed), of)
            }
            None => (ok, ok + not_ok),
        };
        (of > 0).then_some(Tally {
            what: What::Tests,
            done,
            of,
        })
    }
}

/// Whether a test passed that a line reports by itself.
fn single(line: &str) -> Option<bool> {
    let numbered = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    if line.strip_prefix("ok ").is_some_and(numbered) || line.starts_with("--- PASS: ") {
        return Some(true);
    }
    // A test that is known to fail, or is left out, is no failure.
    let excused = line.contains("# TODO") || line.contains("# SKIP");
    let failed = line.strip_prefix("not ok ").is_some_and(numbered);
    (failed || line.starts_with("--- FAIL: ")).then_some(excused)
}

/// The word counts tests by how they ended.
fn is_count(word: &str) -> bool {
    [
        "passed", "passing", "pass", "passes", "failed", "failing", "fail", "failures", "failure",
        "errors", "error", "skipped", "ignored", "pending", "todo",
    ]
    .iter()
    .any(|count| word.eq_ignore_ascii_case(count))
}

fn is_container(word: &str) -> bool {
    ["suites", "suite", "files", "snapshots"]
        .iter()
        .any(|container| word.eq_ignore_ascii_case(container))
}

/// A run of letters and digits.
struct Piece<'a> {
    text: &'a str,
    number: Option<u64>,
    /// Only a space is between it and the next one.
    spaced: bool,
    /// `=` or `:` follows it.
    assigned: bool,
}

fn pieces(line: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = line;
    std::iter::from_fn(move || {
        // Counts are written in ASCII; signs such as `ℹ` are letters, too, and no part of them.
        let start = rest.find(|c: char| c.is_ascii_alphanumeric())?;
        let from = &rest[start..];
        let end = from
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(from.len());
        let text = &from[..end];
        rest = &from[end..];
        let mut next = rest.chars();
        let (first, second) = (next.next(), next.next());
        Some(Piece {
            text,
            number: text.parse().ok(),
            spaced: first == Some(' ') && second.is_some_and(|c| c.is_ascii_alphanumeric()),
            assigned: matches!(first, Some('=' | ':')),
        })
    })
}

/// The items that the last lines of a stream say are done.
fn items(text: &str) -> Option<Tally> {
    let mut last = [""; LAST_LINES];
    for line in lines(text) {
        last.rotate_left(1);
        last[LAST_LINES - 1] = line.trim();
    }
    last.into_iter()
        .rev()
        .find_map(|line| fraction(line).or_else(|| percentage(line)))
}

/// `[12/40]`, `12/40 files`, `12 of 40`.
fn fraction(line: &str) -> Option<Tally> {
    let separators = line.match_indices('/').chain(line.match_indices(" of "));
    for (at, separator) in separators {
        let (before, after) = (&line[..at], &line[at + separator.len()..]);
        let done = &before[before.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
        let of =
            &after[..after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len()];
        let is_open = before[..before.len() - done.len()]
            .chars()
            .next_back()
            .is_none_or(|c| c == ' ' || c == '[' || c == '(');
        let is_closed = after[of.len()..]
            .chars()
            .next()
            .is_none_or(|c| " ]),:;".contains(c));
        let (Ok(done), Ok(of)) = (done.parse(), of.parse()) else {
            continue;
        };
        // Of one thing there is nothing to count, and more than all is something else.
        if is_open && is_closed && of > 1 && done <= of {
            return Some(Tally {
                what: What::Items,
                done,
                of,
            });
        }
    }
    None
}

/// `45%` where a line begins with it, or is about what is done.
fn percentage(line: &str) -> Option<Tally> {
    let (before, after) = line.split_once('%')?;
    let digits = &before[before.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
    let head = &before[..before.len() - digits.len()];
    let lower = line.to_ascii_lowercase();
    let about = ["done", "complete", "progress", "finished"]
        .iter()
        .any(|word| lower.contains(word));
    let bar = after.starts_with('|') || head.ends_with("] ");
    let done = digits.parse().ok().filter(|done| *done <= 100)?;
    (head.trim().is_empty() || about || bar).then_some(Tally {
        what: What::Items,
        done,
        of: 100,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(text: &str) -> Option<(What, u64, u64)> {
        Tally::of(text, "").map(|tally| (tally.what, tally.done, tally.of))
    }

    #[test]
    fn tests_are_counted_by_the_shape_of_a_summary() {
        let summaries = [
            (
                "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\ntest result: ok. 2 passed; 0 failed; 0 ignored",
                5,
                6,
            ),
            ("===== 1 failed, 3 passed, 2 skipped in 0.12s =====", 3, 4),
            ("5 passed in 0.02s", 5, 5),
            ("2 failed in 0.02s\n0 passed", 0, 2),
            (
                "Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1)",
                3,
                5,
            ),
            ("Ran 5 tests in 0.001s\n\nOK (skipped=2)", 3, 3),
            (
                "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 4 passed, 5 total\nSnapshots:   0 total\nTime:        0.5 s",
                4,
                5,
            ),
            ("Tests:       2 failed, 2 total", 0, 2),
            (
                " Test Files  1 failed (1)\n      Tests  1 failed | 4 passed (5)",
                4,
                5,
            ),
            ("  3 passing (12ms)\n  1 failing\n", 3, 4),
            (
                "# tests 3\n# suites 0\n# pass 2\n# fail 1\n# cancelled 0\n# skipped 0\n# duration_ms 61.2",
                2,
                3,
            ),
            ("ℹ tests 4\nℹ pass 4\nℹ fail 0", 4, 4),
            ("75% tests passed, 1 tests failed out of 4", 3, 4),
            (
                "--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\texample.org/m\t0.004s",
                1,
                2,
            ),
            ("1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c", 2, 3),
            ("1..2\nok 1 - a\nnot ok 2 - b # TODO later", 2, 2),
            ("Tests run: 5, Failures: 1, Errors: 1, Skipped: 0", 3, 5),
        ];
        for (text, done, of) in summaries {
            assert_eq!(tally(text), Some((What::Tests, done, of)), "{text}");
        }
    }

    #[test]
    fn items_are_counted_by_the_shape_of_the_last_lines() {
        let ends = [
            ("[12/40] Compiling a.c", 12, 40),
            ("start\n  12/40 files copied", 12, 40),
            ("epoch 3 of 10: loss 0.2", 3, 10),
            ("Downloading… (7/9)", 7, 9),
            ("10%\r45%\r", 45, 100),
            ("Progress: 45% of all", 45, 100),
            (" 60%|######    | 6", 60, 100),
        ];
        for (text, done, of) in ends {
            assert_eq!(tally(text), Some((What::Items, done, of)), "{text}");
        }
    }

    #[test]
    fn other_numbers_are_no_tally() {
        for text in [
            "",
            "total 48",
            "Total: 5 files",
            "3 errors",
            "error: 5",
            "12/05/2024 10:00",
            "a/1/2/3.txt",
            "1/1",
            "/dev/sda1  100G  45G  55G  45% /",
            "3 out of 5 stars, all 12/7",
            "make: *** [Makefile:2: all] Error 2",
            "12 packets transmitted, 12 received, 0% packet loss",
            "tests: none",
        ] {
            assert_eq!(tally(text), None, "{text}");
        }
    }

    #[test]
    fn a_tally_is_compared_with_an_earlier_one() {
        let of = |done, of| Tally {
            what: What::Tests,
            done,
            of,
        };
        assert_eq!(of(4, 5).since(&of(3, 5)), 0.2);
        assert_eq!(of(0, 5).since(&of(10, 10)), -1.0);
        assert_eq!(of(u64::MAX, u64::MAX).since(&of(0, 1)), 1.0);
        assert!(of(5, 5).is_complete() && !of(4, 5).is_complete());
    }
}
