//! Owns the rules about what is refused as malformed.

use super::*;

rules![
    names_are_lowercase_letters_digits_and_dashes,
    an_id_has_at_most_256_bytes,
    a_text_value_has_at_most_a_kibibyte,
    a_body_has_at_most_8_mebibytes,
    at_most_a_thousand_keys_are_read,
    at_most_a_thousand_changes_are_made,
    at_most_ten_thousand_documents_are_asked_for,
    numbers_and_vectors_are_finite,
    nul_is_refused_everywhere,
    vectors_of_one_kind_have_one_length,
    all_vectors_of_a_kind_can_be_replaced_together,
    a_question_has_a_vector_of_the_length_of_its_kind,
];

fn names_are_lowercase_letters_digits_and_dashes(store: &dyn Store) {
    let longest = "n".repeat(32);
    for good in ["a", "a-b", "0", longest.as_str()] {
        let mut document = note("a").with(good, 1.0).text("hello");
        document.key.kind = good.into();
        fill(store, [document]);
        assert_eq!(
            store.count(good, &[condition(good, Test::Equals(1.0.value()))]),
            Ok(1)
        );
        let question = Query {
            kind: good.into(),
            ..query(vec![], Order::ByText("hello".into()))
        };
        assert_eq!(
            store.find(&question).map(|found| found.len()),
            Ok(1),
            "{good}"
        );
    }
    let too_long = "n".repeat(33);
    for bad in ["", "A", "a_b", "a b", "é", "a\"b", too_long.as_str()] {
        let mut document = note("a");
        document.key.kind = bad.into();
        assert_invalid(store.commit(&[put(document)]), "kind");
        assert_invalid(store.commit(&[remove(key(bad, "a"))]), "kind");
        assert_invalid(store.get_many(&[key(bad, "a")]), "kind");
        assert_invalid(store.count(bad, &[]), "kind");
        assert_invalid(
            store.find(&Query {
                kind: bad.into(),
                ..query(vec![], Order::ById)
            }),
            "kind",
        );
        assert_invalid(
            store.commit(&[put(note("a").with(bad, 1.0))]),
            "attributes[0].name",
        );
        assert_invalid(
            store.count("note", &[condition(bad, Test::Missing)]),
            "conditions[0].attribute",
        );
        assert_invalid(
            store.find(&query(vec![], by_attribute(bad, true))),
            "order.attribute",
        );
    }
}

fn an_id_has_at_most_256_bytes(store: &dyn Store) {
    fill(store, [note(&"i".repeat(256))]);
    assert_invalid(store.commit(&[put(note(&"i".repeat(257)))]), "key.id");
    assert_invalid(store.commit(&[put(note(&"é".repeat(129)))]), "key.id");
    assert_invalid(
        store.get_many(&[key("note", &"i".repeat(257))]),
        "keys[0].id",
    );
    assert_invalid(
        store.commit(&[remove(key("note", &"i".repeat(257)))]),
        "batch[0].key.id",
    );
}

fn a_text_value_has_at_most_a_kibibyte(store: &dyn Store) {
    let (longest, too_long) = ("v".repeat(1024), "v".repeat(1025));
    fill(store, [note("a").with("x", longest.as_str())]);
    assert_invalid(
        store.commit(&[put(note("a").with("x", too_long.as_str()))]),
        "attributes[0].value",
    );
    assert_invalid(
        store.count(
            "note",
            &[condition("x", Test::Equals(too_long.as_str().value()))],
        ),
        "conditions[0]",
    );
}

fn a_body_has_at_most_8_mebibytes(store: &dyn Store) {
    let largest = "b".repeat(8 * 1024 * 1024);
    fill(store, [note("a").body(&largest)]);
    assert_eq!(
        get(store, "note", "a").map(|read| read.body.len()),
        Some(largest.len())
    );
    assert_invalid(
        store.commit(&[put(note("a").body(&format!("{largest}b")))]),
        "body",
    );
}

fn at_most_a_thousand_keys_are_read(store: &dyn Store) {
    assert_eq!(store.get_many(&vec![key("note", "a"); 1_000]), Ok(vec![]));
    assert_invalid(store.get_many(&vec![key("note", "a"); 1_001]), "keys");
}

fn at_most_a_thousand_changes_are_made(store: &dyn Store) {
    assert_invalid(store.commit(&vec![put(note("a")); 1_001]), "batch");
    assert_eq!(store.count("note", &[]), Ok(0));
}

fn at_most_ten_thousand_documents_are_asked_for(store: &dyn Store) {
    assert_eq!(
        store.find(&Query {
            limit: 10_000,
            ..query(vec![], Order::ById)
        }),
        Ok(vec![])
    );
    assert_invalid(
        store.find(&Query {
            limit: 10_001,
            ..query(vec![], Order::ById)
        }),
        "limit",
    );
}

fn numbers_and_vectors_are_finite(store: &dyn Store) {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_invalid(
            store.commit(&[put(note("a").with("x", bad))]),
            "attributes[0].value",
        );
        for test in [Test::Equals, Test::AtLeast, Test::AtMost] {
            assert_invalid(
                store.count("note", &[condition("x", test(bad.value()))]),
                "conditions[0]",
            );
        }
        assert_invalid(
            store.count("note", &[condition("x", Test::AnyOf(vec![bad.value()]))]),
            "conditions[0]",
        );
        assert_invalid(
            store.commit(&[put(note("a").vector(&[1.0, bad as f32]))]),
            "vector",
        );
        assert_invalid(
            store.find(&query(vec![], Order::ByNearest(vec![bad as f32]))),
            "by-nearest",
        );
    }
    assert_invalid(
        store.find(&query(vec![], Order::ByNearest(vec![]))),
        "by-nearest",
    );
    fill(
        store,
        [note("a")
            .with("x", f64::MAX)
            .with("x", f64::MIN)
            .with("x", f64::MIN_POSITIVE)],
    );
    assert_eq!(
        store.count("note", &[condition("x", Test::Equals(f64::MIN.value()))]),
        Ok(1)
    );
}

fn nul_is_refused_everywhere(store: &dyn Store) {
    assert_invalid(store.commit(&[put(note("a\0b"))]), "key.id");
    assert_invalid(store.commit(&[put(note("a").body("a\0b"))]), "body");
    assert_invalid(store.commit(&[put(note("a").text("a\0b"))]), "text");
    assert_invalid(
        store.commit(&[put(note("a").with("x", "a\0b"))]),
        "attributes[0].value",
    );
    assert_invalid(store.get_many(&[key("note", "\0")]), "keys[0].id");
    assert_invalid(
        store.count("note", &[condition("x", Test::Equals("\0".value()))]),
        "conditions[0]",
    );
    assert_invalid(
        store.find(&query(vec![], Order::ByText("\0".into()))),
        "by-text",
    );
}

fn vectors_of_one_kind_have_one_length(store: &dyn Store) {
    assert_invalid(
        store.commit(&[
            put(note("a").vector(&[1.0])),
            put(note("b").vector(&[1.0, 2.0])),
        ]),
        "vector",
    );
    assert_eq!(store.count("note", &[]), Ok(0));
    fill(store, [note("a").vector(&[1.0, 2.0]), note("b")]);
    assert_invalid(store.commit(&[put(note("b").vector(&[1.0]))]), "vector");
    assert_eq!(get(store, "note", "b").map(|read| read.version), Some(1));
    let mut other = note("a").vector(&[1.0]);
    other.key.kind = "other".into();
    fill(store, [other]);
}

fn all_vectors_of_a_kind_can_be_replaced_together(store: &dyn Store) {
    fill(store, [note("a").vector(&[1.0]), note("b").vector(&[1.0])]);
    assert_invalid(
        store.commit(&[put(note("a").vector(&[1.0, 2.0]))]),
        "vector",
    );
    fill(
        store,
        [note("a").vector(&[1.0, 2.0]), note("b").vector(&[2.0, 1.0])],
    );
    assert_eq!(ids(store, vec![], Order::ByNearest(vec![0.0, 1.0])), "a b");
    let batch = [
        remove(key("note", "a")),
        put(note("b")),
        put(note("c").vector(&[1.0, 2.0, 3.0])),
    ];
    assert_eq!(store.commit(&batch), Ok(()));
    assert_eq!(
        ids(store, vec![], Order::ByNearest(vec![0.0, 1.0, 0.0])),
        "c"
    );
}

fn a_question_has_a_vector_of_the_length_of_its_kind(store: &dyn Store) {
    assert_eq!(
        ids(store, vec![], Order::ByNearest(vec![1.0])),
        "",
        "without vectors every length will do"
    );
    fill(store, [note("a").vector(&[1.0, 2.0])]);
    for limit in [0, 10] {
        assert_invalid(
            store.find(&Query {
                limit,
                ..query(vec![], Order::ByNearest(vec![1.0]))
            }),
            "by-nearest",
        );
    }
}
