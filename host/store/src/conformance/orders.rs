//! Owns the rules about the order of answers, and about pages.

use super::*;

rules![
    by_id_orders_by_bytes,
    an_answer_carries_the_document_and_no_score,
    by_attribute_orders_numbers_before_texts,
    by_attribute_leaves_out_documents_without_it,
    by_attribute_breaks_ties_by_id_in_both_directions,
    a_document_with_several_values_counts_by_its_first,
    pages_follow_each_other_without_gap_or_repetition,
    a_page_beyond_the_end_is_empty,
    a_limit_of_zero_finds_nothing,
    by_nearest_orders_by_cosine,
    by_nearest_leaves_out_documents_without_vector,
    a_vector_of_zeros_is_near_to_nothing,
];

fn by_id_orders_by_bytes(store: &dyn Store) {
    fill(store, ["b", "a", "B", "a1", "a-", "ä", "10", "9"].map(note));
    assert_eq!(ids(store, vec![], Order::ById), "10 9 B a a- a1 b ä");
}

fn an_answer_carries_the_document_and_no_score(store: &dyn Store) {
    fill(store, [note("a").with("x", 1.0)]);
    fill(store, [note("a").with("x", 1.0)]);
    for order in [Order::ById, by_attribute("x", true)] {
        let found = store
            .find(&query(vec![], order))
            .expect("a question is answered");
        assert_eq!(found.len(), 1);
        let expected = Stored {
            key: key("note", "a"),
            version: 2,
            body: "[a]".into(),
        };
        assert_eq!((&found[0].document, found[0].score), (&expected, 0.0));
    }
}

fn by_attribute_orders_numbers_before_texts(store: &dyn Store) {
    fill(
        store,
        [
            note("a").with("x", "10"),
            note("b").with("x", 9.0),
            note("c").with("x", -1.5),
            note("d").with("x", ""),
            note("e").with("x", 10.0),
            note("f").with("x", "9"),
            note("g").with("x", "é"),
            note("h").with("x", "z"),
        ],
    );
    assert_eq!(
        ids(store, vec![], by_attribute("x", false)),
        "c b e d a f h g"
    );
    assert_eq!(
        ids(store, vec![], by_attribute("x", true)),
        "g h f a d e b c"
    );
}

fn by_attribute_leaves_out_documents_without_it(store: &dyn Store) {
    fill(
        store,
        [
            note("a"),
            note("b").with("x", 1.0),
            note("c").with("y", 1.0),
        ],
    );
    assert_eq!(ids(store, vec![], by_attribute("x", false)), "b");
    let missing = vec![condition("x", Test::Missing)];
    assert_eq!(ids(store, missing, by_attribute("x", false)), "");
    let few = vec![condition("y", Test::Equals(1.0.value()))];
    assert_eq!(ids(store, few, by_attribute("x", false)), "");
}

fn by_attribute_breaks_ties_by_id_in_both_directions(store: &dyn Store) {
    fill(store, ["c", "a", "b"].map(|id| note(id).with("x", 1.0)));
    fill(store, ["f", "d", "e"].map(|id| note(id).with("x", 2.0)));
    assert_eq!(ids(store, vec![], by_attribute("x", false)), "a b c d e f");
    assert_eq!(ids(store, vec![], by_attribute("x", true)), "d e f a b c");
}

fn a_document_with_several_values_counts_by_its_first(store: &dyn Store) {
    fill(
        store,
        [
            note("a").with("x", 1.0).with("x", 9.0),
            note("b").with("x", 2.0),
            note("c").with("x", 8.0).with("x", "t"),
            note("d").with("x", 9.0).with("x", 3.0).with("only", "d"),
        ],
    );
    assert_eq!(ids(store, vec![], by_attribute("x", false)), "a b d c");
    assert_eq!(ids(store, vec![], by_attribute("x", true)), "c a d b");
    let least = || vec![condition("x", Test::AtLeast(3.0.value()))];
    assert_eq!(ids(store, least(), by_attribute("x", false)), "a d c");
    assert_eq!(ids(store, least(), by_attribute("x", true)), "c a d");
    let page = Query {
        offset: 1,
        limit: 2,
        ..query(vec![], by_attribute("x", true))
    };
    assert_eq!(ask(store, &page).0, "a d");
}

fn pages_follow_each_other_without_gap_or_repetition(store: &dyn Store) {
    let vector = |number: u8| [1.0, f32::from(number % 4)];
    fill(
        store,
        (0..23u8).map(|number| {
            note(&format!("{number:02}"))
                .with("x", f64::from(number % 3))
                .with("x", f64::from(number % 5))
                .text(if number % 2 == 0 {
                    "even number"
                } else {
                    "number"
                })
                .vector(&vector(number))
        }),
    );
    let orders = [
        Order::ById,
        by_attribute("x", false),
        by_attribute("x", true),
        Order::ByText("even number".into()),
        Order::ByNearest(vec![0.5, 1.0]),
    ];
    for order in orders {
        let whole = ids(store, vec![], order.clone());
        let pages = (0..6).map(|page| {
            ask(
                store,
                &Query {
                    offset: page * 4,
                    limit: 4,
                    ..query(vec![], order.clone())
                },
            )
            .0
        });
        assert_eq!(pages.collect::<Vec<_>>().join(" "), whole, "{order:?}");
    }
}

fn a_page_beyond_the_end_is_empty(store: &dyn Store) {
    fill(
        store,
        [note("a").with("x", 1.0).text("hello").vector(&[1.0])],
    );
    for order in [
        Order::ById,
        by_attribute("x", true),
        Order::ByText("hello".into()),
        Order::ByNearest(vec![1.0]),
    ] {
        for offset in [1, u32::MAX] {
            assert_eq!(
                ask(
                    store,
                    &Query {
                        offset,
                        ..query(vec![], order.clone())
                    }
                )
                .0,
                ""
            );
        }
    }
}

fn a_limit_of_zero_finds_nothing(store: &dyn Store) {
    fill(
        store,
        [note("a").with("x", 1.0).text("hello").vector(&[1.0])],
    );
    for order in [
        Order::ById,
        by_attribute("x", true),
        Order::ByText("hello".into()),
        Order::ByNearest(vec![1.0]),
    ] {
        assert_eq!(
            ask(
                store,
                &Query {
                    limit: 0,
                    ..query(vec![], order)
                }
            )
            .0,
            ""
        );
    }
}

fn by_nearest_orders_by_cosine(store: &dyn Store) {
    fill(
        store,
        [
            note("a").vector(&[1.0, 0.0]),
            note("b").vector(&[10.0, 10.0]),
            note("c").vector(&[-1.0, 0.0]),
            note("d").vector(&[0.0, 5.0]),
        ],
    );
    let found = ask(store, &query(vec![], Order::ByNearest(vec![2.0, 0.0])));
    assert_scores(
        found,
        &[("a", 1.0), ("b", 0.5f64.sqrt()), ("d", 0.0), ("c", -1.0)],
    );
}

fn by_nearest_leaves_out_documents_without_vector(store: &dyn Store) {
    fill(store, [note("a"), note("b").vector(&[-1.0])]);
    assert_eq!(ids(store, vec![], Order::ByNearest(vec![1.0])), "b");
}

fn a_vector_of_zeros_is_near_to_nothing(store: &dyn Store) {
    fill(
        store,
        [note("a").vector(&[0.0, 0.0]), note("b").vector(&[1.0, 0.0])],
    );
    assert_scores(
        ask(store, &query(vec![], Order::ByNearest(vec![1.0, 0.0]))),
        &[("b", 1.0), ("a", 0.0)],
    );
    assert_scores(
        ask(store, &query(vec![], Order::ByNearest(vec![0.0, 0.0]))),
        &[("b", 0.0), ("a", 0.0)],
    );
}
