//! Advice: what a rule text says, and which actions follow it.

use twiceshy_learning::advice::*;

use proptest::prelude::*;

fn parsed(rule: &str) -> (Option<String>, Option<String>) {
    let advice = parse(rule);
    (advice.wrong, advice.correct)
}

#[test]
fn every_way_to_write_wrong_and_correct_is_read() {
    let both = (Some("a b".to_owned()), Some("c d".to_owned()));
    for rule in [
        "WRONG: a b → CORRECT: c d",
        "wrong: a b -> correct: c d",
        "Wrong : a b => Correct : c d",
        "WRONG: a b\nCORRECT: c d",
        "WRONG: `a b` → CORRECT: `c d`",
        "CORRECT: c d; WRONG: a b",
        "WRONG: a b --> CORRECT: c d",
    ] {
        assert_eq!(parsed(rule), both, "{rule}");
    }
}

#[test]
fn a_warning_has_no_correct_and_free_text_has_neither() {
    for (rule, wrong) in [
        ("AVOID: tool frob", Some("tool frob")),
        ("Do not use tabs", Some("tabs")),
        ("Don’t use tabs", Some("tabs")),
        ("Never force-push", Some("force-push")),
        ("Look with ls first.", None),
        ("It is incorrect: look again", None),
    ] {
        assert_eq!(parsed(rule), (wrong.map(str::to_owned), None), "{rule}");
    }
}

#[test]
fn an_action_follows_the_form_that_is_advised() {
    for (rule, action, expected) in [
        (
            "WRONG: sort <name> desc → CORRECT: sort <name> down",
            "sort price down",
            true,
        ),
        (
            "WRONG: sort <name> desc → CORRECT: sort <name> down",
            "sort price desc",
            false,
        ),
        (
            "WRONG: sort <name> desc → CORRECT: sort <name> down",
            "ls",
            false,
        ),
        (
            "WRONG: git push → CORRECT: git push --force",
            "git push --force",
            true,
        ),
        (
            "WRONG: git push → CORRECT: git push --force",
            "git push",
            false,
        ),
        (
            "WRONG: git push → CORRECT: git push --force",
            "git push && git push --force",
            false,
        ),
        (
            "WRONG: cargo test --all → CORRECT: cargo test",
            "cargo test --all",
            false,
        ),
        (
            "WRONG: cargo test --all → CORRECT: cargo test",
            "cargo test",
            true,
        ),
        (
            "WRONG: LOAD <str> → CORRECT: LOAD \"<str>\"",
            "LOAD \"my file\"",
            true,
        ),
        (
            "WRONG: LOAD <str> → CORRECT: LOAD \"<str>\"",
            "LOAD my file",
            false,
        ),
        (
            "WRONG: load <path> → CORRECT: LOAD <path>",
            "load a.csv",
            false,
        ),
        (
            "WRONG: grid TALLY :a.csv PER @x sum @y → CORRECT: grid TALLY :a.csv PER @x total @y",
            "grid TALLY :b.csv PER @town total @age",
            true,
        ),
        (
            "WRONG: grid TALLY :a.csv PER @x sum @y → CORRECT: grid TALLY :a.csv PER @x total @y",
            "grid TALLY :b.csv PER @town sum @age",
            false,
        ),
        (
            "WRONG: bare paths → CORRECT: Use `--path` before the file",
            "x --path a.csv",
            true,
        ),
        (
            "WRONG: bare paths → CORRECT: Use `--path` before the file",
            "x a.csv",
            false,
        ),
        (
            "WRONG: use desc → CORRECT: use the word down",
            "sort price down",
            true,
        ),
        ("Use `--rows` to count.", "tool --rows 5", true),
        ("Use `--rows` to count.", "tool 5", false),
        ("AVOID: tool frob <num>: unknown verb", "tool frob 5", false),
        ("AVOID: tool frob <num>: unknown verb", "tool load 5", true),
        (
            "AVOID: tool --fast …: no such option",
            "tool --fast x",
            false,
        ),
        ("AVOID: tool frob <num>: unknown verb", "ls", false),
        ("Look at the manual.", "man tool", false),
    ] {
        assert_eq!(follows(rule, action), expected, "{rule} / {action}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_advice_panic(left in ".{0,80}", right in ".{0,80}", mark in prop::sample::select(vec![
        "WRONG: ", "CORRECT: ", " → CORRECT: ", "AVOID: ", "don’t ", "", "<num>", "`", " instead of "])) {
        let rule = format!("{mark}{left}{mark}{right}");
        follows(&rule, &left);
        conflict(&rule, &right);
        let once = normalised(&rule);
        prop_assert_eq!(normalised(&rule), once);
    }

    #[test]
    fn an_action_of_the_wrong_form_never_follows(action in "[a-z0-9 =<>\"-]{1,30}", correct in "[a-z0-9 =\"-]{1,30}") {
        prop_assume!(!action.trim().is_empty() && !action.contains('`'));
        let rule = format!("WRONG: {action} → CORRECT: {correct}");
        if let Some(wrong) = parse(&rule).wrong && wrong == action.trim() {
            prop_assert!(!follows(&rule, &action));
        }
    }
}
