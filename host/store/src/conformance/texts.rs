//! Owns the rules about full-text search.

use super::*;

rules![
    by_text_finds_documents_with_at_least_one_term,
    by_text_matches_whole_terms_as_they_are,
    by_text_ignores_the_case_of_ascii_letters_only,
    by_text_takes_every_term_as_nothing_but_a_term,
    by_text_without_terms_finds_nothing,
    by_text_scores_are_bm25,
    by_text_counts_a_term_twice_that_is_asked_twice,
    by_text_weighs_by_the_texts_of_the_kind,
    scores_that_are_equal_come_newest_first,
    by_text_follows_changes,
    by_text_counts_every_term_however_common,
    by_text_counts_the_rarest_terms_while_the_budget_lasts,
    by_text_takes_long_questions,
    white_space_of_any_sort_separates_terms,
    a_text_of_white_space_is_not_searched,
];

fn by_text(store: &dyn Store, text: &str) -> String {
    ids(store, vec![], Order::ByText(text.into()))
}

fn by_text_finds_documents_with_at_least_one_term(store: &dyn Store) {
    fill(
        store,
        [
            note("a").text("red green"),
            note("b").text("green blue"),
            note("c").text("black"),
            note("d"),
        ],
    );
    assert_eq!(by_text(store, "red"), "a");
    assert_eq!(by_text(store, "red black nothing"), "c a");
    assert_eq!(by_text(store, "nothing"), "");
}

fn by_text_counts_every_term_however_common(store: &dyn Store) {
    // `cargo` and `option` are in 300 texts each, both in 40; one has a rare term, too.
    for batch in 0..6 {
        let notes: Vec<_> = (0..100)
            .map(|number| {
                let number = batch * 100 + number;
                let words = match number {
                    0..260 => "cargo here",
                    260..300 => "cargo option",
                    300..560 => "option there",
                    560 => "cargo rare",
                    _ => "quiet",
                };
                note(&format!("{number:03}")).text(words)
            })
            .collect();
        fill(store, notes);
    }
    let found = |text: &str| -> Vec<String> {
        let found = by_text(store, text);
        found.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(found("cargo").len(), 301);
    let both = found("cargo option");
    assert_eq!(both.len(), 561);
    let best: Vec<String> = (260..300).rev().map(|number| number.to_string()).collect();
    assert_eq!(both[..40], best, "who has both is before who has one");
    assert_eq!(found("cargo rare")[0], "560");
    assert_eq!(found("cargo rare").len(), 301);
    assert_eq!(found("cargo unheard-of").len(), 301);
}

fn by_text_counts_the_rarest_terms_while_the_budget_lasts(store: &dyn Store) {
    // Two hundred and one terms in a thousand documents each are one more than the budget has room for.
    let terms = |range: std::ops::Range<u32>| -> String {
        range.map(|number| format!("t{number:03} ")).collect()
    };
    let text = terms(0..201);
    let notes = (0..1_000).map(|number| note(&format!("{number:04}")).text(&text));
    fill(store, notes);
    fill(
        store,
        [
            note("early").text("t000"),
            note("late").text("t200"),
            note("rare").text("needle"),
        ],
    );
    let ask = |question: &str, id: &str| {
        let question = query(vec![], Order::ByText(question.into()));
        let found = store.find(&question).expect("a question is answered");
        found.iter().any(|found| found.document.key.id == id)
    };
    assert!(ask(&terms(0..199), "early"), "all are within the budget");
    assert!(ask("t000 t200", "early") && ask("t000 t200", "late"));
    // `t000` and `t200` are the least rare of all, and of the two `t200` is the later by its bytes.
    assert!(!ask(&text, "early") && !ask(&text, "late"));
    assert!(ask(&text, "0000"));
    assert!(ask(&format!("{text} needle"), "rare"));
}

fn by_text_matches_whole_terms_as_they_are(store: &dyn Store) {
    let terms = [
        "foo-bar",
        "a.b",
        "\"x\"",
        "<path>",
        "日本",
        "ё",
        "c++",
        "--flag",
        "it's",
        "a_b",
        "x:y",
        "(z)",
        "\\n",
        "100%",
        "\u{1}",
        "\u{7f}",
        "\u{1f}mid\u{1c}",
        "🦀",
        "e\u{308}",
        "ﬁ",
        "[k]",
        "{j}",
        "#1",
        "@me",
        "a|b",
        "~/x",
        "`q`",
        "$v",
        "^up",
        "a*b",
        "=",
        "?",
        ";",
        ",",
        "!",
        "&",
    ];
    fill(
        store,
        terms
            .iter()
            .enumerate()
            .map(|(index, term)| note(&format!("{index:02}")).text(term)),
    );
    for (index, term) in terms.iter().enumerate() {
        assert_eq!(by_text(store, term), format!("{index:02}"), "{term:?}");
    }
    for part in [
        "foo", "bar", "a", "b", "x", "path", "日", "c", "flag", "-flag", "foo-", "c+", "fo", "e",
        "mid", "1",
    ] {
        assert_eq!(by_text(store, part), "", "{part:?} is only part of a term");
    }
}

fn by_text_ignores_the_case_of_ascii_letters_only(store: &dyn Store) {
    fill(
        store,
        [
            note("a").text("Hello"),
            note("b").text("ЁЖ"),
            note("c").text("ÄB"),
        ],
    );
    assert_eq!(by_text(store, "hELLO"), "a");
    assert_eq!(by_text(store, "ёж"), "");
    assert_eq!(by_text(store, "ЁЖ"), "b");
    assert_eq!(by_text(store, "Äb"), "c");
    assert_eq!(by_text(store, "äb"), "");
}

fn by_text_takes_every_term_as_nothing_but_a_term(store: &dyn Store) {
    let words = [
        "or", "and", "not", "near", "\"", "*", "text", "near(a", "^", "-a", "\"\"", "text:a", "+",
        "null", "'",
    ];
    fill(
        store,
        words
            .iter()
            .enumerate()
            .map(|(index, word)| note(&format!("{index:02}")).text(word)),
    );
    fill(store, [note("other").text("something else")]);
    for (index, word) in words.iter().enumerate() {
        assert_eq!(
            by_text(store, &word.to_uppercase()),
            format!("{index:02}"),
            "{word:?}"
        );
    }
    assert_eq!(by_text(store, "somethin*"), "");
    assert_eq!(by_text(store, "NOT something"), "02 other");
}

fn by_text_without_terms_finds_nothing(store: &dyn Store) {
    fill(store, [note("a").text("hello"), note("b")]);
    assert_eq!(by_text(store, ""), "");
    assert_eq!(by_text(store, " \n\t "), "");
}

/// BM25 by the contract, for one short text: (frequency, length) and (texts, hits, average length). Lengths below 24
/// differ by a tenth of what they differ by.
fn bm25(frequency: f64, length: f64, texts: f64, hits: f64, average: f64) -> f64 {
    let weight = ((texts - hits + 0.5) / (hits + 0.5)).ln_1p();
    let telling = |length: f64| 24.0 - 0.1 * (24.0 - length);
    let share = telling(length) / telling(average);
    weight * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * share))
}

fn scored(store: &dyn Store, text: &str) -> (String, Vec<f64>) {
    ask(store, &query(vec![], Order::ByText(text.into())))
}

fn five_texts(store: &dyn Store) {
    fill(
        store,
        [
            note("a").text("red red green"),
            note("b").text("red blue"),
            note("c").text("blue blue blue black"),
            note("d").text("white"),
            note("e").text("grey grey"),
            note("f"),
        ],
    );
}

fn by_text_scores_are_bm25(store: &dyn Store) {
    five_texts(store);
    let (texts, average) = (5.0, 12.0 / 5.0);
    assert_scores(
        scored(store, "red"),
        &[
            ("a", bm25(2.0, 3.0, texts, 2.0, average)),
            ("b", bm25(1.0, 2.0, texts, 2.0, average)),
        ],
    );
    assert_scores(
        scored(store, "red blue"),
        &[
            ("b", bm25(1.0, 2.0, texts, 2.0, average) * 2.0),
            ("c", bm25(3.0, 4.0, texts, 2.0, average)),
            ("a", bm25(2.0, 3.0, texts, 2.0, average)),
        ],
    );
}

fn by_text_counts_a_term_twice_that_is_asked_twice(store: &dyn Store) {
    five_texts(store);
    let once = scored(store, "red").1;
    let twice = scored(store, "red RED").1;
    assert_eq!(
        once.iter().map(|score| score * 2.0).collect::<Vec<_>>(),
        twice
    );
}

fn by_text_weighs_by_the_texts_of_the_kind(store: &dyn Store) {
    five_texts(store);
    let before = scored(store, "red");
    let mut other = note("x").text("red red red red red");
    other.key.kind = "other".into();
    fill(store, [other, note("g"), note("h")]);
    assert_eq!(
        scored(store, "red"),
        before,
        "neither other kinds nor documents without text count"
    );
    let narrowed = ask(
        store,
        &query(
            vec![condition("x", Test::Missing)],
            Order::ByText("red".into()),
        ),
    );
    assert_eq!(narrowed, before, "conditions do not change scores");
}

fn scores_that_are_equal_come_newest_first(store: &dyn Store) {
    let same = |id: &str| note(id).text("same words").vector(&[1.0, 2.0]);
    fill(store, ["c", "a", "d", "b"].map(same));
    assert_eq!(by_text(store, "same"), "b d a c");
    assert_eq!(
        ids(store, vec![], Order::ByNearest(vec![2.0, 1.0])),
        "b d a c"
    );
    fill(store, [same("a")]);
    assert_eq!(
        by_text(store, "same"),
        "b d a c",
        "new is what was not there"
    );
    assert_eq!(store.commit(&[remove(key("note", "a"))]), Ok(()));
    fill(store, [same("a")]);
    assert_eq!(by_text(store, "same"), "a b d c");
    let page = Query {
        offset: 1,
        limit: 2,
        ..query(vec![], Order::ByText("words".into()))
    };
    assert_eq!(ask(store, &page).0, "b d");
}

fn by_text_follows_changes(store: &dyn Store) {
    five_texts(store);
    let before = scored(store, "red blue");
    fill(
        store,
        [
            note("b").text("other"),
            note("z").text("red blue red"),
            note("d").text(""),
        ],
    );
    assert_ne!(scored(store, "red blue"), before);
    fill(store, [note("b").text("red blue"), note("d").text("white")]);
    assert_eq!(store.commit(&[remove(key("note", "z"))]), Ok(()));
    assert_eq!(
        scored(store, "red blue"),
        before,
        "the texts are the same, so are the scores"
    );
}

fn by_text_takes_long_questions(store: &dyn Store) {
    fill(store, [note("a").text("needle"), note("b").text("hay")]);
    let mut question: String = (0..2_000).map(|number| format!("word{number} ")).collect();
    question.push_str("needle");
    assert_eq!(by_text(store, &question), "a");
}

fn white_space_of_any_sort_separates_terms(store: &dyn Store) {
    fill(
        store,
        [note("a").text("one\ttwo\nthree\r\nfour\u{a0}five\u{3000}six\u{2028}seven")],
    );
    for term in ["one", "two", "three", "four", "five", "six", "seven"] {
        assert_eq!(by_text(store, term), "a", "{term}");
    }
    assert_eq!(by_text(store, "nothing\u{3000}six"), "a");
}

fn a_text_of_white_space_is_not_searched(store: &dyn Store) {
    five_texts(store);
    let before = scored(store, "red");
    fill(store, [note("g").text(" \n\t ")]);
    assert_eq!(scored(store, "red"), before);
}
