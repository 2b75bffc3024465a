//! Owns the rules about reading by name and about batches of changes.

use super::*;

rules![
    an_empty_store_has_nothing,
    what_is_written_is_read_as_it_was_written,
    reads_come_in_the_order_of_the_keys_without_those_that_are_not_there,
    a_key_that_is_asked_twice_is_answered_twice,
    one_id_in_two_kinds_is_two_documents,
    versions_count_writes_from_one,
    a_document_that_was_removed_begins_again_at_one,
    a_write_replaces_the_document_whole,
    absent_holds_only_if_there_is_no_such_document,
    at_holds_only_for_that_version,
    preconditions_of_removals_hold_as_well,
    removing_what_is_not_there_changes_nothing,
    an_empty_batch_is_no_change,
    a_version_conflict_changes_nothing,
    a_malformed_change_changes_nothing,
    changes_to_one_key_are_made_in_their_order,
    a_later_precondition_sees_the_earlier_changes_of_its_batch,
    a_removed_document_is_found_by_nothing,
    a_batch_of_a_thousand_changes_is_made,
    ids_and_bodies_of_any_characters_are_kept,
    a_light_commit_is_a_commit,
    to_optimize_changes_no_answer,
];

fn an_empty_store_has_nothing(store: &dyn Store) {
    assert_eq!(get(store, "note", "a"), None);
    assert_eq!(store.get_many(&[]), Ok(vec![]));
    assert_eq!(store.count("note", &[]), Ok(0));
    for order in [
        Order::ById,
        by_attribute("x", true),
        Order::ByText("x".into()),
        Order::ByNearest(vec![1.0]),
    ] {
        assert_eq!(store.find(&query(vec![], order)), Ok(vec![]));
    }
}

fn what_is_written_is_read_as_it_was_written(store: &dyn Store) {
    fill(
        store,
        [
            note("a").body("a body\n\twith \"quotes\" and ü and 日本"),
            note("empty").body(""),
        ],
    );
    let read = get(store, "note", "a");
    let body = "a body\n\twith \"quotes\" and ü and 日本".into();
    assert_eq!(
        read,
        Some(Stored {
            key: key("note", "a"),
            version: 1,
            body
        })
    );
    assert_eq!(
        get(store, "note", "empty").map(|read| read.body),
        Some(String::new())
    );
}

fn reads_come_in_the_order_of_the_keys_without_those_that_are_not_there(store: &dyn Store) {
    fill(store, ["a", "b", "c"].map(note));
    let keys = ["c", "nothing", "a", "b"].map(|id| key("note", id));
    let read = store.get_many(&keys).expect("a read succeeds");
    let bodies: Vec<&str> = read.iter().map(|read| read.body.as_str()).collect();
    assert_eq!(bodies, ["[c]", "[a]", "[b]"]);
}

fn a_key_that_is_asked_twice_is_answered_twice(store: &dyn Store) {
    fill(store, [note("a")]);
    assert_eq!(
        store
            .get_many(&[key("note", "a"), key("note", "a")])
            .map(|read| read.len()),
        Ok(2)
    );
}

fn one_id_in_two_kinds_is_two_documents(store: &dyn Store) {
    let mut other = note("a").body("other");
    other.key.kind = "other".into();
    fill(store, [note("a"), other]);
    assert_eq!(
        get(store, "note", "a").map(|read| read.body),
        Some("[a]".into())
    );
    assert_eq!(
        get(store, "other", "a").map(|read| read.body),
        Some("other".into())
    );
    assert_eq!(store.count("note", &[]), Ok(1));
    assert_eq!(ids(store, vec![], Order::ById), "a");
}

fn versions_count_writes_from_one(store: &dyn Store) {
    for version in 1..=3 {
        fill(store, [note("a")]);
        assert_eq!(
            get(store, "note", "a").map(|read| read.version),
            Some(version)
        );
    }
}

fn a_document_that_was_removed_begins_again_at_one(store: &dyn Store) {
    fill(store, [note("a")]);
    fill(store, [note("a")]);
    assert_eq!(store.commit(&[remove(key("note", "a"))]), Ok(()));
    fill(store, [note("a")]);
    assert_eq!(get(store, "note", "a").map(|read| read.version), Some(1));
}

fn a_write_replaces_the_document_whole(store: &dyn Store) {
    fill(
        store,
        [note("a")
            .with("color", "red")
            .with("size", 1.0)
            .text("hello world")
            .vector(&[1.0, 0.0])],
    );
    fill(
        store,
        [note("a").body("new").with("size", 2.0).text("world")],
    );
    assert_eq!(
        get(store, "note", "a").map(|read| read.body),
        Some("new".into())
    );
    assert_eq!(
        store.count("note", &[condition("color", Test::Missing)]),
        Ok(1)
    );
    assert_eq!(
        store.count("note", &[condition("size", Test::Equals(1.0.value()))]),
        Ok(0)
    );
    assert_eq!(
        store.count("note", &[condition("size", Test::Equals(2.0.value()))]),
        Ok(1)
    );
    assert_eq!(ids(store, vec![], Order::ByText("hello".into())), "");
    assert_eq!(ids(store, vec![], Order::ByText("world".into())), "a");
    assert_eq!(ids(store, vec![], Order::ByNearest(vec![1.0, 0.0])), "");
}

fn absent_holds_only_if_there_is_no_such_document(store: &dyn Store) {
    assert_eq!(
        store.commit(&[put_if(note("a"), Precondition::Absent)]),
        Ok(())
    );
    assert_conflict(store.commit(&[put_if(note("a"), Precondition::Absent)]));
    assert_eq!(get(store, "note", "a").map(|read| read.version), Some(1));
}

fn at_holds_only_for_that_version(store: &dyn Store) {
    assert_conflict(store.commit(&[put_if(note("a"), Precondition::At(1))]));
    assert_conflict(store.commit(&[put_if(note("a"), Precondition::At(0))]));
    fill(store, [note("a")]);
    assert_conflict(store.commit(&[put_if(note("a"), Precondition::At(0))]));
    assert_conflict(store.commit(&[put_if(note("a"), Precondition::At(2))]));
    assert_eq!(
        store.commit(&[put_if(note("a"), Precondition::At(1))]),
        Ok(())
    );
    assert_eq!(get(store, "note", "a").map(|read| read.version), Some(2));
}

fn preconditions_of_removals_hold_as_well(store: &dyn Store) {
    let a = || key("note", "a");
    assert_eq!(
        store.commit(&[remove_if(a(), Precondition::Absent)]),
        Ok(())
    );
    assert_conflict(store.commit(&[remove_if(a(), Precondition::At(1))]));
    fill(store, [note("a")]);
    assert_conflict(store.commit(&[remove_if(a(), Precondition::Absent)]));
    assert_conflict(store.commit(&[remove_if(a(), Precondition::At(2))]));
    assert_eq!(store.count("note", &[]), Ok(1));
    assert_eq!(store.commit(&[remove_if(a(), Precondition::At(1))]), Ok(()));
    assert_eq!(store.count("note", &[]), Ok(0));
}

fn removing_what_is_not_there_changes_nothing(store: &dyn Store) {
    fill(store, [note("a")]);
    assert_eq!(
        store.commit(&[remove(key("note", "b")), remove(key("other", "a"))]),
        Ok(())
    );
    assert_eq!(get(store, "note", "a").map(|read| read.version), Some(1));
}

fn an_empty_batch_is_no_change(store: &dyn Store) {
    assert_eq!(store.commit(&[]), Ok(()));
}

fn a_version_conflict_changes_nothing(store: &dyn Store) {
    fill(
        store,
        [
            note("a").with("x", 1.0).text("old").vector(&[1.0]),
            note("gone"),
        ],
    );
    assert_conflict(
        store.commit(&[
            put(note("a")
                .body("changed")
                .with("x", 2.0)
                .text("new")
                .vector(&[2.0])),
            put(note("b").text("new")),
            remove(key("note", "gone")),
            put_if(note("a"), Precondition::At(7)),
        ]),
    );
    assert_eq!(
        get(store, "note", "a"),
        Some(Stored {
            key: key("note", "a"),
            version: 1,
            body: "[a]".into()
        })
    );
    assert_eq!(ids(store, vec![], Order::ById), "a gone");
    assert_eq!(
        ids(
            store,
            vec![condition("x", Test::Equals(1.0.value()))],
            Order::ById
        ),
        "a"
    );
    assert_eq!(ids(store, vec![], Order::ByText("new".into())), "");
    assert_eq!(ids(store, vec![], Order::ByText("old".into())), "a");
    assert_eq!(ids(store, vec![], Order::ByNearest(vec![1.0])), "a");
}

fn a_malformed_change_changes_nothing(store: &dyn Store) {
    assert_invalid(
        store.commit(&[put(note("a")), put(note("b").with("x", f64::NAN))]),
        "batch[1]",
    );
    assert_eq!(store.count("note", &[]), Ok(0));
}

fn changes_to_one_key_are_made_in_their_order(store: &dyn Store) {
    let batch = [
        put(note("a").body("first").text("first")),
        remove(key("note", "a")),
        put(note("a").body("second").text("second")),
        put(note("a").body("third").text("third")),
        put(note("b")),
        remove(key("note", "b")),
    ];
    assert_eq!(store.commit(&batch), Ok(()));
    assert_eq!(
        get(store, "note", "a"),
        Some(Stored {
            key: key("note", "a"),
            version: 2,
            body: "third".into()
        })
    );
    assert_eq!(ids(store, vec![], Order::ByText("first second".into())), "");
    assert_eq!(ids(store, vec![], Order::ById), "a");
}

fn a_later_precondition_sees_the_earlier_changes_of_its_batch(store: &dyn Store) {
    let batch = [
        put_if(note("a"), Precondition::Absent),
        put_if(note("a"), Precondition::At(1)),
        remove_if(key("note", "a"), Precondition::At(2)),
        put_if(note("a"), Precondition::Absent),
    ];
    assert_eq!(store.commit(&batch), Ok(()));
    assert_eq!(get(store, "note", "a").map(|read| read.version), Some(1));
}

fn a_removed_document_is_found_by_nothing(store: &dyn Store) {
    fill(
        store,
        [note("a").with("x", 1.0).text("hello").vector(&[1.0])],
    );
    assert_eq!(store.commit(&[remove(key("note", "a"))]), Ok(()));
    assert_eq!(
        store.count("note", &[condition("x", Test::Equals(1.0.value()))]),
        Ok(0)
    );
    for order in [
        Order::ById,
        by_attribute("x", false),
        Order::ByText("hello".into()),
        Order::ByNearest(vec![1.0]),
    ] {
        assert_eq!(ids(store, vec![], order), "");
    }
}

fn a_batch_of_a_thousand_changes_is_made(store: &dyn Store) {
    fill(
        store,
        (0..1_000).map(|number| note(&format!("{number:04}"))),
    );
    assert_eq!(store.count("note", &[]), Ok(1_000));
    let keys: Vec<Key> = (0..1_000)
        .rev()
        .map(|number| key("note", &format!("{number:04}")))
        .collect();
    let read = store.get_many(&keys).expect("a thousand keys are read");
    assert_eq!(
        read.iter().map(|read| &read.key).collect::<Vec<_>>(),
        keys.iter().collect::<Vec<_>>()
    );
}

fn ids_and_bodies_of_any_characters_are_kept(store: &dyn Store) {
    let strange = [
        "", " ", "'; --", "a/b:c", "\u{1}", "ё", "e\u{308}", "A", "a", "%", "_", "\\", "🦀",
    ];
    fill(store, strange.map(|id| note(id).body(id)));
    for id in strange {
        assert_eq!(
            get(store, "note", id).map(|read| read.body),
            Some(id.into()),
            "{id:?}"
        );
    }
    assert_eq!(store.count("note", &[]), Ok(strange.len() as u32));
}

fn a_light_commit_is_a_commit(store: &dyn Store) {
    let a = || note("a").with("x", 1.0).text("red").vector(&[1.0]);
    assert_eq!(store.commit_lightly(&[]), Ok(()));
    assert_eq!(
        store.commit_lightly(&[put_if(a(), Precondition::Absent), put(note("b"))]),
        Ok(())
    );
    assert_conflict(store.commit_lightly(&[put(note("c")), put_if(a(), Precondition::At(2))]));
    assert_invalid(
        store.commit_lightly(&[put(note("c").with("x", f64::NAN))]),
        "batch[0]",
    );
    fill(store, [a()]);
    assert_eq!(
        store.commit_lightly(&[
            put_if(a().body("third"), Precondition::At(2)),
            remove(key("note", "b"))
        ]),
        Ok(())
    );
    let read = get(store, "note", "a").expect("it is there");
    assert_eq!((read.version, read.body.as_str()), (3, "third"));
    assert_eq!(ids(store, vec![], Order::ByText("red".into())), "a");
    assert_eq!(store.count("note", &[]), Ok(1));
}

fn to_optimize_changes_no_answer(store: &dyn Store) {
    assert_eq!(store.optimize(), Ok(()));
    let colors = ["red", "green", "blue", "black"];
    let notes = (0..100usize).map(|number| {
        let text: Vec<_> = (0..3)
            .map(|term| colors[(number >> (2 * term)) % 4])
            .collect();
        note(&format!("{number:02}"))
            .with("x", number as f64)
            .text(&text.join(" "))
            .vector(&[1.0, number as f32])
    });
    fill(store, notes);
    let answers = || {
        [
            Order::ById,
            by_attribute("x", true),
            Order::ByText("red blue nothing".into()),
            Order::ByNearest(vec![1.0, 50.0]),
        ]
        .map(|order| {
            let conditions = vec![condition("x", Test::AtLeast(10.0.value()))];
            store.find(&query(conditions, order)).expect("answered")
        })
    };
    let before = answers();
    for _ in 0..2 {
        assert_eq!(store.optimize(), Ok(()));
        assert_eq!(answers(), before);
    }
    fill(store, [note("new").with("x", 20.0).text("red")]);
    assert!(ids(store, vec![], Order::ByText("red".into())).contains("new"));
}
