//! The fingerprint of a failure: what it is, without what is volatile in it.
//!
//! It owns the way from evidence to a readable template and a short stable id. It chooses the line that says
//! what went wrong, masks what differs between two occurrences of one error, and hashes what is left. It does
//! not tag failures, does not mask secrets and keeps nothing between two calls: the same evidence has the same
//! fingerprint on every machine.

mod codes;
mod headline;
mod hearing;
mod lex;
mod lines;
mod mask;
mod names;
mod quotes;
mod shape;
mod slots;
mod words;

use sha2::{Digest, Sha256};

pub use words::is_extension as is_file_ending;

/// What a failure is, without what is volatile in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    /// `fp_` and the first sixteen hexadecimal digits of the SHA-256 of the template.
    pub id: String,
    /// The message in lowercase, with typed holes where it is volatile.
    pub template: String,
}

impl Fingerprint {
    fn of_template(template: String) -> Self {
        let digest = Sha256::digest(template.as_bytes());
        let mut id = String::with_capacity(19);
        id.push_str("fp_");
        for byte in &digest[..8] {
            for half in [byte >> 4, byte & 15] {
                id.push(char::from_digit(u32::from(half), 16).unwrap_or('0'));
            }
        }
        Self { id, template }
    }
}

/// The fingerprint of error text of any size, in one pass and without a copy of it.
///
/// The text may have many lines, escape codes and any script. An output is known by the line that says what
/// went wrong, so frames, excerpts, progress and summaries around it change nothing.
///
/// ```
/// use twiceshy_fingerprint::fingerprint::of_text;
/// let here = of_text("cat: /home/ana/a.txt: No such file or directory");
/// let there = of_text("cat: notes/2026/b.txt: No such file or directory\n");
/// assert_eq!(here, there);
/// assert_eq!(here.template, "cat: <str>: no such file or directory");
/// ```
pub fn of_text(text: &str) -> Fingerprint {
    let Some(found) = headline::choose(text) else {
        return Fingerprint::of_template("<empty>".into());
    };
    let line = lines::clean(found.line);
    let body = lines::undecorated(&line).1;
    // A test report sets what was raised off with a letter; the rest is what a traceback says.
    let body = if headline::is_test_report(body) {
        body[1..].trim_ascii_start()
    } else {
        body
    };
    let mut message = mask::Message::read(body);
    if message.is_bare()
        && let Some(next) = found.next
    {
        let next = lines::clean(next);
        message.append(lines::undecorated(&next).1);
    }
    if let Some(cause) = found.cause {
        let cause = lines::clean(cause);
        message.append(&format!("caused by: {}", lines::undecorated(&cause).1));
    }
    let template = message.template();
    // A headline of nothing but punctuation is still not the same as no text at all.
    Fingerprint::of_template(if template.is_empty() {
        "<more>".into()
    } else {
        template
    })
}

/// The lines of `text` in which words may speak of the failure: the headline, and every line that is neither
/// progress nor advice nor code. Tags are read from them.
pub(crate) fn telling_lines(text: &str) -> Vec<std::borrow::Cow<'_, str>> {
    let chosen = headline::choose(text).map(|h| h.line);
    let tells = |line: &&str| Some(*line) == chosen || !headline::is_noise(line);
    lines::visible(text)
        .filter(tells)
        .map(lines::clean)
        .collect()
}

/// The line that says what went wrong, as it stands in the text.
pub(crate) fn headline_of(text: &str) -> Option<&str> {
    headline::choose(text).map(|h| h.line)
}

/// The fingerprint of a failed transition, for failures that say nothing: what was tried, why it counts as
/// failed, and the shape of the state before and after it.
///
/// Keys and short words of a payload are its meaning; numbers, ids and long values are not.
///
/// ```
/// use twiceshy_fingerprint::fingerprint::of_transition;
/// let a = of_transition(r#"{"room": 3}"#, "move_to(room_9)", r#"{"room": 3}"#, "no_progress after 12 steps");
/// let b = of_transition(r#"{"room": 5}"#, "move_to(room_2)", r#"{"room": 5}"#, "no_progress after 40 steps");
/// assert_eq!(a.id, b.id);
/// ```
pub fn of_transition(before: &str, action: &str, after: &str, reason: &str) -> Fingerprint {
    let part = |text: &str, longest: usize| {
        // A state may be large; its beginning bounds both the work and the template.
        let head = &text[..text.floor_char_boundary(text.len().min(8 * longest))];
        let template = mask::payload(&lines::clean(head).replace('\n', " "), longest);
        if template.is_empty() {
            "-".to_string()
        } else {
            template
        }
    };
    Fingerprint::of_template(format!(
        "{} | action: {} | before: {} | after: {}",
        part(reason, 120),
        part(action, 100),
        part(before, 70),
        part(after, 70)
    ))
}

#[cfg(test)]
mod transition_tests {
    use super::of_transition;

    #[test]
    fn a_transition_is_known_by_its_words_and_not_by_its_numbers() {
        let print = |room: u32, verb: &str, reason: &str| {
            of_transition(
                &format!("{{\"room\": {room}, \"mode\": \"drive\"}}"),
                &format!("{verb}(room_{room})"),
                &format!("{{\"room\": {room}}}"),
                reason,
            )
        };
        assert_eq!(
            print(3, "move_to", "no_progress after 12 steps"),
            print(99, "move_to", "no_progress after 7 steps")
        );
        assert_ne!(
            print(3, "move_to", "no_progress").id,
            print(3, "look_at", "no_progress").id
        );
        assert_ne!(
            print(3, "move_to", "no_progress").id,
            print(3, "move_to", "constraint_failed").id
        );
        assert_ne!(
            print(3, "move_to", "no_progress").id,
            print(3, "move_to", "stuck").id
        );
        assert!(
            print(3, "move_to", "constraint_failed: stuck")
                .template
                .starts_with("constraint_failed: stuck | action: move_to")
        );
    }

    #[test]
    fn keys_and_short_words_of_a_payload_matter_and_long_values_do_not() {
        let print = |before: &str| of_transition(before, "press", "", "no_progress").id;
        assert_ne!(print(r#"{"mode":"edit"}"#), print(r#"{"mode":"play"}"#));
        assert_ne!(print(r#"{"mode":"edit"}"#), print(r#"{"view":"edit"}"#));
        assert_eq!(
            print(r#"{"title":"a long title of a song"}"#),
            print(r#"{"title":"another long title of it"}"#)
        );
        assert_eq!(
            print(r#"{"bpm":120,"id":"a81bc81b-dead-4e5d-abff-90865d1e13b1"}"#),
            print(r#"{"bpm":90.5,"id":"b81bc81b-dead-4e5d-abff-90865d1e13b1"}"#)
        );
    }

    #[test]
    fn a_transition_of_any_size_has_a_bounded_template() {
        let state = "{\"key\": \"value\"}, ".repeat(100_000);
        let print = of_transition(&state, &state, &state, &state);
        assert!(
            print.template.chars().count() <= 400,
            "{}",
            print.template.len()
        );
        assert_eq!(
            of_transition("", "", "", "").template,
            "- | action: - | before: - | after: -"
        );
    }
}
