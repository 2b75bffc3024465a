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
    by_text_breaks_ties_by_id,
    by_text_follows_changes,
    by_text_takes_common_terms_together,
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

fn by_text_takes_common_terms_together(store: &dyn Store) {
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
    let count = |text: &str| by_text(store, text).split_whitespace().count();
    assert_eq!(count("cargo"), 301);
    assert_eq!(count("cargo option"), 40);
    assert_eq!(by_text(store, "cargo rare"), "560");
    assert_eq!(count("cargo option rare"), 41);
    assert_eq!(count("cargo unheard-of"), 0);
    assert_eq!(count("cargo option unheard-of"), 40);
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

/// BM25 by the book, for one text: (frequency, length) and (texts, hits, average length).
fn bm25(frequency: f64, length: f64, texts: f64, hits: f64, average: f64) -> f64 {
    let weight = ((texts - hits + 0.5) / (hits + 0.5)).ln().max(1e-6);
    weight * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / average))
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

fn by_text_breaks_ties_by_id(store: &dyn Store) {
    fill(
        store,
        ["c", "a", "d", "b"].map(|id| note(id).text("same words")),
    );
    assert_eq!(by_text(store, "same"), "a b c d");
    let page = Query {
        offset: 1,
        limit: 2,
        ..query(vec![], Order::ByText("words".into()))
    };
    assert_eq!(ask(store, &page).0, "b c");
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
