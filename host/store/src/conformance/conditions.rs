//! Owns the rules about conditions and counting.

use super::*;

rules![
    equals_compares_type_and_value,
    numbers_that_are_close_are_not_equal,
    both_zeros_are_equal,
    texts_are_compared_by_bytes_and_in_full,
    any_of_passes_with_one_of_the_values,
    any_of_takes_many_values,
    no_values_let_nothing_pass,
    at_least_and_at_most_include_their_value,
    ranges_stay_within_one_type,
    missing_passes_without_any_attribute_of_that_name,
    a_repeated_attribute_passes_if_one_of_its_values_does,
    an_attribute_given_twice_with_one_value_is_one,
    all_conditions_must_hold,
    a_hundred_conditions_are_answered,
    conditions_see_only_their_own_kind,
    conditions_narrow_every_order,
    count_agrees_with_find,
    few_among_many_are_found,
];

fn passing(store: &dyn Store, attribute: &str, test: Test) -> String {
    let conditions = vec![condition(attribute, test)];
    let found = ids(store, conditions.clone(), Order::ById);
    let count = found.split_whitespace().count() as u32;
    assert_eq!(
        store.count("note", &conditions),
        Ok(count),
        "count agrees with find"
    );
    found
}

fn equals_compares_type_and_value(store: &dyn Store) {
    fill(
        store,
        [
            note("a").with("x", 1.0),
            note("b").with("x", "1"),
            note("c").with("x", "1.0"),
            note("d"),
        ],
    );
    assert_eq!(passing(store, "x", Test::Equals(1.0.value())), "a");
    assert_eq!(passing(store, "x", Test::Equals("1".value())), "b");
    assert_eq!(passing(store, "x", Test::Equals("".value())), "");
    assert_eq!(passing(store, "y", Test::Equals("1".value())), "");
}

fn numbers_that_are_close_are_not_equal(store: &dyn Store) {
    let large = 9_007_199_254_740_992.0;
    fill(
        store,
        [
            note("a").with("x", large),
            note("b").with("x", large + 2.0),
            note("c").with("x", 0.1 + 0.2),
        ],
    );
    assert_eq!(passing(store, "x", Test::Equals(large.value())), "a");
    assert_eq!(passing(store, "x", Test::Equals(0.3.value())), "");
    assert_eq!(passing(store, "x", Test::Equals((0.1 + 0.2).value())), "c");
}

fn both_zeros_are_equal(store: &dyn Store) {
    fill(store, [note("a").with("x", 0.0), note("b").with("x", -0.0)]);
    for zero in [0.0, -0.0] {
        assert_eq!(passing(store, "x", Test::Equals(zero.value())), "a b");
        assert_eq!(passing(store, "x", Test::AnyOf(vec![zero.value()])), "a b");
        assert_eq!(passing(store, "x", Test::AtLeast(zero.value())), "a b");
        assert_eq!(passing(store, "x", Test::AtMost(zero.value())), "a b");
    }
    assert_eq!(ids(store, vec![], by_attribute("x", true)), "a b");
}

fn texts_are_compared_by_bytes_and_in_full(store: &dyn Store) {
    let long = "x".repeat(1024);
    fill(
        store,
        [
            note("a").with("x", "Word"),
            note("b").with("x", "word"),
            note("c").with("x", "word "),
            note("d").with("x", long.as_str()),
            note("e").with("x", &long[1..]),
        ],
    );
    assert_eq!(passing(store, "x", Test::Equals("word".value())), "b");
    assert_eq!(
        passing(store, "x", Test::Equals(long.as_str().value())),
        "d"
    );
    assert_eq!(passing(store, "x", Test::AtMost("word".value())), "a b");
}

fn any_of_passes_with_one_of_the_values(store: &dyn Store) {
    fill(
        store,
        [
            note("a").with("x", 1.0),
            note("b").with("x", "1"),
            note("c").with("x", 3.0),
            note("d"),
        ],
    );
    assert_eq!(
        passing(
            store,
            "x",
            Test::AnyOf(vec![1.0.value(), 3.0.value(), 3.0.value()])
        ),
        "a c"
    );
    assert_eq!(
        passing(store, "x", Test::AnyOf(vec!["1".value(), 3.0.value()])),
        "b c"
    );
}

fn any_of_takes_many_values(store: &dyn Store) {
    fill(
        store,
        (0..10).map(|number| note(&number.to_string()).with("x", f64::from(number))),
    );
    let many = (5..40_000)
        .map(|number| f64::from(number).value())
        .collect();
    assert_eq!(passing(store, "x", Test::AnyOf(many)), "5 6 7 8 9");
}

fn no_values_let_nothing_pass(store: &dyn Store) {
    fill(store, [note("a").with("x", 1.0), note("b")]);
    assert_eq!(passing(store, "x", Test::AnyOf(vec![])), "");
}

fn at_least_and_at_most_include_their_value(store: &dyn Store) {
    fill(
        store,
        [
            note("a").with("x", 1.0),
            note("b").with("x", 2.0),
            note("c").with("x", 3.0),
        ],
    );
    assert_eq!(passing(store, "x", Test::AtLeast(2.0.value())), "b c");
    assert_eq!(passing(store, "x", Test::AtMost(2.0.value())), "a b");
    assert_eq!(passing(store, "x", Test::AtLeast(2.5.value())), "c");
}

fn ranges_stay_within_one_type(store: &dyn Store) {
    fill(
        store,
        [
            note("a").with("x", 5.0),
            note("b").with("x", ""),
            note("c").with("x", "m"),
            note("d").with("x", -5.0),
        ],
    );
    assert_eq!(passing(store, "x", Test::AtLeast(0.0.value())), "a");
    assert_eq!(passing(store, "x", Test::AtMost(9.0.value())), "a d");
    assert_eq!(passing(store, "x", Test::AtLeast("".value())), "b c");
    assert_eq!(passing(store, "x", Test::AtMost("z".value())), "b c");
    assert_eq!(passing(store, "x", Test::AtMost("".value())), "b");
}

fn missing_passes_without_any_attribute_of_that_name(store: &dyn Store) {
    fill(
        store,
        [note("a").with("x", ""), note("b").with("y", 1.0), note("c")],
    );
    assert_eq!(passing(store, "x", Test::Missing), "b c");
    assert_eq!(passing(store, "z", Test::Missing), "a b c");
}

fn a_repeated_attribute_passes_if_one_of_its_values_does(store: &dyn Store) {
    fill(
        store,
        [
            note("a").with("x", 1.0).with("x", 9.0).with("x", "t"),
            note("b").with("x", 5.0),
        ],
    );
    assert_eq!(passing(store, "x", Test::Equals(9.0.value())), "a");
    assert_eq!(passing(store, "x", Test::Equals("t".value())), "a");
    assert_eq!(passing(store, "x", Test::AtLeast(1.0.value())), "a b");
    let outside = vec![
        condition("x", Test::AtLeast(8.0.value())),
        condition("x", Test::AtMost(2.0.value())),
    ];
    assert_eq!(
        ids(store, outside, Order::ById),
        "a",
        "each condition may pass by another value"
    );
    let within = || {
        vec![
            condition("x", Test::AtLeast(4.0.value())),
            condition("x", Test::AtMost(6.0.value())),
        ]
    };
    assert_eq!(ids(store, within(), by_attribute("x", false)), "a b");
    assert_eq!(ids(store, within(), by_attribute("x", true)), "a b");
}

fn an_attribute_given_twice_with_one_value_is_one(store: &dyn Store) {
    fill(
        store,
        [
            note("a").with("x", 1.0).with("x", 1.0),
            note("b").with("x", 0.0).with("x", -0.0),
        ],
    );
    assert_eq!(passing(store, "x", Test::AtLeast(0.0.value())), "a b");
    assert_eq!(ids(store, vec![], by_attribute("x", false)), "b a");
}

fn all_conditions_must_hold(store: &dyn Store) {
    fill(
        store,
        [
            note("a").with("x", 1.0).with("y", "p"),
            note("b").with("x", 1.0).with("y", "q"),
            note("c").with("x", 2.0).with("y", "p").with("z", 1.0),
        ],
    );
    let conditions = vec![
        condition("x", Test::AtMost(2.0.value())),
        condition("y", Test::Equals("p".value())),
    ];
    assert_eq!(ids(store, conditions.clone(), Order::ById), "a c");
    let conditions = [conditions, vec![condition("z", Test::Missing)]].concat();
    assert_eq!(ids(store, conditions.clone(), Order::ById), "a");
    assert_eq!(store.count("note", &conditions), Ok(1));
}

fn a_hundred_conditions_are_answered(store: &dyn Store) {
    fill(
        store,
        [
            note("a").with("x", 5.0),
            note("b").with("x", 5.0).with("y", 1.0),
        ],
    );
    let mut conditions: Vec<Condition> = (0..99)
        .map(|number| condition("x", Test::AtLeast((f64::from(number) / 99.0).value())))
        .collect();
    conditions.push(condition("y", Test::Missing));
    for order in [Order::ById, by_attribute("x", true)] {
        assert_eq!(ids(store, conditions.clone(), order), "a");
    }
    assert_eq!(store.count("note", &conditions), Ok(1));
}

fn conditions_see_only_their_own_kind(store: &dyn Store) {
    let mut other = note("b").with("x", 1.0).text("hello").vector(&[1.0, 2.0]);
    other.key.kind = "other".into();
    fill(
        store,
        [note("a").with("x", 1.0).text("hello").vector(&[1.0]), other],
    );
    assert_eq!(passing(store, "x", Test::Equals(1.0.value())), "a");
    assert_eq!(
        store.count("other", &[condition("x", Test::Equals(1.0.value()))]),
        Ok(1)
    );
    assert_eq!(ids(store, vec![], by_attribute("x", true)), "a");
    assert_eq!(ids(store, vec![], Order::ByText("hello".into())), "a");
    assert_eq!(ids(store, vec![], Order::ByNearest(vec![1.0])), "a");
}

fn conditions_narrow_every_order(store: &dyn Store) {
    fill(
        store,
        ["a", "b", "c", "d"]
            .into_iter()
            .enumerate()
            .map(|(index, id)| {
                note(id)
                    .with("n", index as f64)
                    .with("half", if index % 2 == 0 { "even" } else { "odd" })
                    .text("hello")
                    .vector(&[1.0, index as f32])
            }),
    );
    let odd = || {
        vec![
            condition("half", Test::Equals("odd".value())),
            condition("n", Test::AtLeast(0.0.value())),
        ]
    };
    assert_eq!(ids(store, odd(), Order::ById), "b d");
    assert_eq!(ids(store, odd(), by_attribute("n", true)), "d b");
    assert_eq!(ids(store, odd(), Order::ByText("hello".into())), "d b");
    assert_eq!(ids(store, odd(), Order::ByNearest(vec![0.0, 1.0])), "d b");
}

fn count_agrees_with_find(store: &dyn Store) {
    fill(
        store,
        (0..50).map(|number| note(&number.to_string()).with("x", f64::from(number % 7))),
    );
    assert_eq!(store.count("note", &[]), Ok(50));
    for number in 0..8 {
        passing(store, "x", Test::Equals(f64::from(number).value()));
        passing(store, "x", Test::AtLeast(f64::from(number).value()));
    }
}

/// More documents than a store is likely to sort, so that it has to choose its way.
fn few_among_many_are_found(store: &dyn Store) {
    for chunk in 0..6 {
        fill(
            store,
            (0..1_000).map(|number| {
                let number = chunk * 1_000 + number;
                note(&format!("{number:05}"))
                    .with("n", f64::from(number))
                    .with("rare", if number % 1_500 == 0 { "yes" } else { "no" })
            }),
        );
    }
    let rare = |value: &str| vec![condition("rare", Test::Equals(value.value()))];
    assert_eq!(
        ids(store, rare("yes"), by_attribute("n", true)),
        "04500 03000 01500 00000"
    );
    assert_eq!(
        ids(store, rare("yes"), Order::ById),
        "00000 01500 03000 04500"
    );
    let page = |order| {
        ask(
            store,
            &Query {
                offset: 4497,
                limit: 2,
                ..query(rare("no"), order)
            },
        )
        .0
    };
    assert_eq!(page(Order::ById), "04501 04502");
    assert_eq!(page(by_attribute("n", false)), "04501 04502");
    assert_eq!(page(by_attribute("n", true)), "01499 01498");
    let most = vec![
        condition("n", Test::AtMost(5_000.0.value())),
        condition("n", Test::AtLeast(10.0.value())),
    ];
    let page = Query {
        limit: 2,
        ..query(most, by_attribute("n", true))
    };
    assert_eq!(ask(store, &page).0, "05000 04999");
    assert_eq!(store.count("note", &rare("no")), Ok(5_996));
}
