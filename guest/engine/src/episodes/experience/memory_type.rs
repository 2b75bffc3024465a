//! The type of an experience: fact, procedure or episode, by its words.
//!
//! Owns the cues and how they are weighed. A single common word never makes a type: *process* and *method* stand in
//! any text. What gives no clear sign is an episode, because that is what every experience is.

use twiceshy_wit::memory::MemoryType;

/// What a type needs to be taken: one strong cue, or two weak ones.
const ENOUGH: u32 = 2;

/// Words that speak of a way to do something.
const WAYS: [&str; 14] = [
    "strategy",
    "procedure",
    "workflow",
    "method",
    "process",
    "approach",
    "technique",
    "algorithm",
    "formula",
    "steps",
    "guideline",
    "recipe",
    "avoid",
    "prefer",
];

/// Words that tell somebody to do something.
const ORDERS: [&str; 24] = [
    "use", "apply", "try", "run", "check", "avoid", "do", "call", "write", "set", "add", "make",
    "start", "begin", "verify", "read", "split", "solve", "take", "look", "prefer", "remember",
    "ensure", "keep",
];

/// Words that open a condition under which something is to be done.
const CONDITIONS: [&str; 6] = ["when", "if", "whenever", "before", "after", "to"];

/// Who acts in a story.
const ACTORS: [&str; 10] = [
    "i",
    "we",
    "he",
    "she",
    "they",
    "user",
    "agent",
    "assistant",
    "customer",
    "model",
];

/// Past forms that do not end in *ed*.
const PASTS: [&str; 20] = [
    "was", "were", "did", "had", "ran", "wrote", "made", "found", "got", "took", "saw", "went",
    "said", "told", "gave", "read", "sent", "built", "broke", "chose",
];

/// Words by which something is said to be something.
const COPULAS: [&str; 8] = [
    "is", "are", "equals", "means", "has", "contains", "consists", "denotes",
];

/// Words that ask for a fact.
const QUESTIONS: [&str; 6] = ["what", "who", "where", "which", "whose", "when"];

/// The type of an experience, by its parts.
pub(crate) fn memory_type(parts: &[&str]) -> MemoryType {
    let (mut procedure, mut story, mut fact) = (0, 0, 0);
    for part in parts {
        procedure += numbered(part);
        for sentence in part.split(['.', '!', '?', ';', '\n']) {
            let words = words(sentence);
            story += past_actions(&words);
            match ordered(&words) {
                0 => fact += stated(&words),
                cue => procedure += cue,
            }
        }
    }
    if story >= ENOUGH && story >= procedure {
        MemoryType::Episodic
    } else if procedure >= ENOUGH {
        MemoryType::Procedural
    } else if fact >= ENOUGH && story == 0 {
        MemoryType::Factual
    } else {
        MemoryType::Episodic
    }
}

fn words(sentence: &str) -> Vec<String> {
    let words = sentence.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == ','));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn bare(word: &str) -> &str {
    word.trim_end_matches(',')
}

fn among(list: &[&str], word: &str) -> bool {
    list.contains(&bare(word))
}

/// Two or more numbered lines are steps.
fn numbered(text: &str) -> u32 {
    let is_numbered = |line: &&str| {
        let rest = line
            .trim_start()
            .trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < line.trim_start().len() && rest.starts_with(['.', ')'])
    };
    if text.lines().filter(is_numbered).count() >= 2 {
        ENOUGH
    } else {
        0
    }
}

/// How much a sentence tells what to do.
fn ordered(words: &[String]) -> u32 {
    let Some(first) = words.first() else {
        return 0;
    };
    let text = words.join(" ");
    let how_to =
        text.starts_with("how to ") || text.contains(" how to ") || text.contains("step by step");
    let rule = among(&["always", "never"], first);
    // A condition, a comma, and then an order: when …, use ….
    let comma = words.iter().position(|word| word.ends_with(','));
    let condition = among(&CONDITIONS, first)
        && comma.is_some_and(|at| {
            words[at + 1..]
                .iter()
                .take(4)
                .any(|word| among(&ORDERS, word))
        });
    let sequence =
        among(&["first", "firstly"], first) && words.iter().any(|word| bare(word) == "then");
    if how_to || rule || condition || sequence {
        return ENOUGH;
    }
    u32::from(words.iter().any(|word| among(&WAYS, word)))
}

/// How much a sentence tells what somebody did.
fn past_actions(words: &[String]) -> u32 {
    let is_past = |word: &String| {
        let word = bare(word);
        PASTS.contains(&word) || word.len() > 3 && word.ends_with("ed")
    };
    let acts = words
        .windows(2)
        .any(|pair| among(&ACTORS, &pair[0]) && is_past(&pair[1]));
    if acts { ENOUGH } else { 0 }
}

/// How much a sentence says what something is.
fn stated(words: &[String]) -> u32 {
    let Some(first) = words.first() else {
        return 0;
    };
    let copula = words.iter().position(|word| among(&COPULAS, word));
    let asks = among(&QUESTIONS, first) && copula == Some(1);
    // Something short is something: neither a story nor an order.
    let states = copula.is_some_and(|at| (1..=8).contains(&at) && at + 1 < words.len())
        && !among(&ACTORS, first)
        && !among(&ORDERS, first)
        && words.len() <= 30;
    if asks || states { ENOUGH } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_document_fall_into_their_types() {
        for (text, expected) in [
            ("The capital of France is Paris", MemoryType::Factual),
            (
                "When solving quadratic equations, use the quadratic formula",
                MemoryType::Procedural,
            ),
            (
                "User asked about weather, I used the API tool",
                MemoryType::Episodic,
            ),
        ] {
            assert_eq!(memory_type(&[text]), expected, "{text}");
            assert_eq!(memory_type(&[text, ""]), expected, "{text}");
        }
        assert_eq!(
            memory_type(&["What is the capital of France?", "Paris"]),
            MemoryType::Factual
        );
    }

    #[test]
    fn a_single_common_word_does_not_make_a_procedure() {
        for text in [
            "process the report",
            "find the method that fails",
            "avoid the outage",
            "count the steps in trace.json",
            "sort the table by name",
        ] {
            assert_eq!(memory_type(&[text]), MemoryType::Episodic, "{text}");
        }
    }

    #[test]
    fn procedures_are_known_in_their_usual_forms() {
        for text in [
            "How to rotate the keys of the gateway",
            "Always quote the path before you pass it on",
            "First stop the service, then copy the file",
            "If the build fails, run the formatter",
            "1. stop the service\n2. copy the file\n3. start it again",
            "The approach is a divide and conquer algorithm. Its steps are below. The technique is old.",
        ] {
            assert_eq!(memory_type(&[text]), MemoryType::Procedural, "{text}");
        }
        assert_eq!(
            memory_type(&["The customer called. I checked the order and we sent it again"]),
            MemoryType::Episodic
        );
    }
}
