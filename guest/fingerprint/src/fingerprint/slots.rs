//! The slots of a message: places in which a name stands, known by the words around them.
//!
//! It owns masking plain words that are names only by their place: the subject of `tool: NAME: not found`, what
//! follows `module`, what a lookup did not find. It does not look at the form of a word.

use super::lex::{Kind, Token};
use super::names::names_error;
use super::words::{self, Class};

/// Nouns behind which a name stands.
fn introduces(token: &Token) -> bool {
    matches!(
        token.text.as_str(),
        "module"
            | "package"
            | "function"
            | "method"
            | "variable"
            | "column"
            | "table"
            | "relation"
            | "symbol"
            | "option"
            | "argument"
            | "command"
            | "field"
            | "property"
            | "attribute"
            | "class"
            | "user"
            | "host"
            | "hostname"
            | "database"
            | "branch"
            | "crate"
            | "target"
            | "task"
            | "service"
            | "container"
            | "image"
            | "script"
            | "identifier"
            | "macro"
            | "label"
            | "parameter"
            | "schema"
            | "role"
            | "pod"
            | "namespace"
            | "named"
            | "called"
            | "subroutine"
            | "member"
            | "predicate"
            | "library"
            | "distribution"
            | "remote"
            | "repository"
            | "project"
            | "subcommand"
            | "procedure"
            | "fixture"
            | "feature"
            | "trait"
            | "interface"
            | "resource"
            | "dependency"
            | "artifact"
            | "bucket"
            | "topic"
            | "queue"
            | "reference"
            | "upstream"
            | "refspec"
            | "constant"
            | "constructor"
            | "value"
            | "find"
    ) && token.kind == Kind::Word
}

/// A word that no vocabulary knows and that may therefore be somebody's name for something.
pub(super) fn may_be_name(token: &Token) -> bool {
    token.kind == Kind::Word
        && token.text.is_ascii()
        && class_of(token).is_none()
        && !names_error(&token.text)
        && token.text.bytes().any(|b| b.is_ascii_alphabetic())
}

fn make_hole(token: &mut Token, hole: &str) {
    token.kind = Kind::Hole;
    token.text = hole.to_string();
}

/// Masks the value in `key=value`, unless the key says that the value is the message or a code.
pub(super) fn mask_values(tokens: &mut [Token]) {
    for i in 2..tokens.len() {
        let (key, sign, value) = (&tokens[i - 2], &tokens[i - 1], &tokens[i]);
        let tight = sign.text == "=" && !sign.spaced && !value.spaced;
        let named = matches!(key.kind, Kind::Word | Kind::Fixed) || key.text == "<id>";
        let meant = words::is_message_key(&key.text) || words::is_code_word(&key.text);
        let simple = value.kind == Kind::Hole || may_be_name(value);
        if tight && named && !meant && simple {
            make_hole(&mut tokens[i], "<str>");
        }
    }
}

/// `in call to NAME`, `reference to NAME`.
fn name_of_callee(tokens: &[Token], i: usize) -> bool {
    i > 1
        && tokens[i - 1].text == "to"
        && matches!(
            tokens[i - 2].text.as_str(),
            "call" | "reference" | "access" | "connection" | "connect"
        )
}

/// Masks names by the word before and the words behind them.
pub(super) fn mask_slots(tokens: &mut [Token]) {
    let failing = |t: Option<&Token>| {
        t.is_some_and(|t| t.kind == Kind::Word && words::is_failure(t.text.as_bytes()))
    };
    let mut cue_before = false;
    for i in 0..tokens.len() {
        let name = may_be_name(&tokens[i]);
        let next = tokens.get(i + 1);
        let closed = next.is_none_or(|t| t.kind == Kind::Punct);
        let goes_on = next.is_some_and(|t| {
            class_of(t) == Some(Class::Stop)
                || matches!(
                    t.text.as_str(),
                    "not" | "already" | "doesn't" | "isn't" | "cannot"
                )
                || may_be_name(t) && t.text.ends_with("ed")
        });
        let slot = i > 0 && tokens[i].spaced && introduces(&tokens[i - 1]) && (closed || goes_on);
        let object = i > 0
            && tokens[i].spaced
            && cue_before
            && matches!(tokens[i - 1].text.as_str(), "for" | "package" | "locate")
            && closed
            || name_of_callee(tokens, i) && closed;
        let opens = i == 0 || is(i.checked_sub(1).map(|n| &tokens[n]), ":");
        let subject = opens
            && match next.map(|t| t.text.as_str()) {
                Some("is" | "was" | "are" | "has" | "does" | "did") => failing(tokens.get(i + 2)),
                Some(
                    "not" | "doesn't" | "isn't" | "cannot" | "undefined" | "undeclared" | "unknown"
                    | "declared" | "redeclared" | "redefined",
                ) => true,
                _ => false,
            };
        // A name in brackets behind something volatile says more about that: `process <num> (name)`.
        let aside = i > 1
            && is(next, ")")
            && tokens[i - 1].text == "("
            && (tokens[i - 2].kind == Kind::Hole || tokens[i - 2].text == ":");
        // A lone name in square brackets is quoted by them.
        let boxed = i > 0 && is(next, "]") && tokens[i - 1].text == "[";
        // Behind such a noun any volatile form is a name.
        if i > 0
            && introduces(&tokens[i - 1])
            && matches!(
                tokens[i].text.as_str(),
                "<num>" | "<path>" | "<hex>" | "<ver>"
            )
            && tokens[i].kind == Kind::Hole
        {
            make_hole(&mut tokens[i], "<id>");
        }
        if subject && (name || matches!(tokens[i].text.as_str(), "<path>" | "<str>"))
            || name && (slot || object || aside || boxed)
        {
            make_hole(&mut tokens[i], "<id>");
        }
        cue_before |= failing(tokens.get(i));
    }
}

/// Masks the subject in `tool: SUBJECT: what is wrong` and the object in `what is wrong: OBJECT`.
pub(super) fn mask_segments(tokens: &mut [Token]) {
    let mut starts = vec![0];
    starts.extend((1..tokens.len()).filter(|&i| tokens[i - 1].text == ":" && tokens[i].spaced));
    let ends: Vec<usize> = starts
        .iter()
        .skip(1)
        .map(|s| s - 1)
        .chain([tokens.len()])
        .collect();
    let has_cue = |tokens: &[Token]| {
        tokens.iter().any(|t| {
            t.kind == Kind::Word && (class_of(t) == Some(Class::Cue) || !t.text.is_ascii())
        })
    };
    for n in 1..starts.len() {
        let (from, to) = (starts[n], ends[n]);
        if from >= to {
            continue;
        }
        let volatile = may_be_name(&tokens[from])
            || matches!(
                tokens[from].text.as_str(),
                "<id>" | "<path>" | "<str>" | "<hex>" | "<opt>"
            );
        let alone = to - from == 1 || tokens[from + 1].kind == Kind::Punct;
        let before = &tokens[starts[n - 1]..ends[n - 1]];
        let behind = starts
            .get(n + 1)
            .map_or(&[] as &[Token], |s| &tokens[*s..ends[n + 1]]);
        let wrong = has_cue(before) || has_cue(behind) || before.last().is_some_and(names_lookup);
        let errno_next = behind
            .iter()
            .any(|t| class_of(t).is_some() || !t.text.is_ascii());
        if volatile && alone && (wrong || errno_next) {
            make_hole(&mut tokens[from], "<str>");
        }
    }
}

/// Errors of looking something up: what was looked up is behind the colon.
fn names_lookup(token: &Token) -> bool {
    let parts = [
        "notfound",
        "nosuch",
        "keyerror",
        "unknown",
        "missing",
        "undefined",
        "unresolved",
        "lookup",
        "nameerror",
    ];
    token.kind == Kind::Fixed && parts.iter().any(|p| token.text.contains(p))
}

pub(super) fn is(token: Option<&Token>, text: &str) -> bool {
    token.is_some_and(|t| t.text == text)
}

fn class_of(token: &Token) -> Option<Class> {
    if token.kind == Kind::Word {
        words::class(token.text.as_bytes())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::fingerprint::mask::Message;

    fn template(line: &str) -> String {
        Message::read(line).template()
    }

    #[test]
    fn a_name_behind_a_noun_is_masked_and_a_word_of_the_language_is_not() {
        assert_eq!(
            template("unknown function frobnicate in query"),
            "unknown function <id> in query"
        );
        assert_eq!(template("function call failed"), "function call failed");
        assert_eq!(
            template("host key verification failed"),
            "host key verification failed"
        );
    }

    #[test]
    fn a_subject_between_colons_is_masked_and_the_tool_is_not() {
        assert_eq!(template("tar: foo: Cannot open"), "tar: <str>: cannot open");
        assert_eq!(
            template("tool: timeout: not reached"),
            "tool: timeout: not reached"
        );
    }

    #[test]
    fn a_value_is_masked_and_a_code_is_not() {
        assert_eq!(
            template("login denied user=ana code=7"),
            "login denied user=<str> code=7"
        );
    }

    #[test]
    fn what_a_lookup_did_not_find_is_masked_and_what_somebody_says_is_not() {
        assert_eq!(
            template("ClassNotFoundException: Pivot"),
            "classnotfoundexception: <str>"
        );
        assert_eq!(template("RuntimeError: boom"), "runtimeerror: boom");
    }
}
