//! Two programs at one memory in a database: each works its commits out from what it saw last, and the other may have changed it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use twiceshy_store::{MapStore, PostgresOptions, PostgresStore};
use twiceshy_wit::host::{
    Attribute, AttributeOrder, Change, Condition, Document, Error, Key, Order, Precondition, Put,
    Query, Removal, Store, Test, Value,
};

use crate::postgres::{new_memory, server};

fn key(id: &str) -> Key {
    Key {
        kind: "note".into(),
        id: id.into(),
    }
}

/// A document that says one word in its text, its attribute and its vector.
fn said(id: &str, word: &str, precondition: Precondition) -> Change {
    let document = Document {
        key: key(id),
        body: word.into(),
        attributes: vec![Attribute {
            name: "said".into(),
            value: Value::Text(word.into()),
        }],
        text: word.into(),
        vector: vec![word.len() as f32, 1.0],
    };
    Change::Put(Put {
        document,
        precondition,
    })
}

fn removed(id: &str) -> Change {
    Change::Remove(Removal {
        key: key(id),
        precondition: Precondition::Anything,
    })
}

/// How many documents are found by a word: by the attribute, and in the text.
fn found_by(store: &PostgresStore, word: &str) -> (u32, usize) {
    let condition = Condition {
        attribute: "said".into(),
        test: Test::Equals(Value::Text(word.into())),
    };
    let query = Query {
        kind: "note".into(),
        conditions: vec![],
        order: Order::ByText(word.into()),
        offset: 0,
        limit: 10,
    };
    let count = store.count("note", &[condition]).unwrap();
    (count, store.find(&query).unwrap().len())
}

fn version(store: &PostgresStore, id: &str) -> Option<u32> {
    let stored = store.get_many(&[key(id)]).unwrap();
    stored.first().map(|one| one.version)
}

fn two_stores() -> Option<[PostgresStore; 2]> {
    let memory = new_memory(&server()?);
    let options = || PostgresOptions {
        patience: Duration::from_secs(20),
    };
    Some([(), ()].map(|()| PostgresStore::open(&memory, options()).unwrap()))
}

#[test]
fn what_another_wrote_since_it_was_seen_is_replaced_as_a_whole() {
    let Some([ours, other]) = two_stores() else {
        return;
    };
    let anyhow = Precondition::Anything;
    assert_eq!(ours.commit(&[said("a", "apple", anyhow.clone())]), Ok(()));
    // The other never saw it.
    assert_eq!(other.commit(&[said("a", "banana", anyhow.clone())]), Ok(()));
    assert_eq!(ours.commit(&[said("a", "cherry", anyhow)]), Ok(()));
    assert_eq!(version(&other, "a"), Some(3));
    for word in ["apple", "banana"] {
        assert_eq!(found_by(&ours, word), (0, 0), "{word}");
    }
    assert_eq!(found_by(&ours, "cherry"), (1, 1));
    assert_eq!(ours.integrity(), Ok(vec![]));
    ours.optimize().unwrap();
    assert_eq!(found_by(&other, "banana"), (0, 0));
    assert_eq!(found_by(&other, "cherry"), (1, 1));
}

#[test]
fn a_conflict_says_what_the_server_has_and_not_what_was_seen() {
    let Some([ours, other]) = two_stores() else {
        return;
    };
    let commit = |store: &PostgresStore, change| store.commit(&[change]);
    assert_eq!(
        commit(&ours, said("a", "one", Precondition::Absent)),
        Ok(())
    );
    assert_eq!(version(&other, "a"), Some(1));
    assert_eq!(
        commit(&other, said("a", "two", Precondition::At(1))),
        Ok(())
    );
    let refused = commit(&ours, said("a", "three", Precondition::At(1)));
    assert!(
        matches!(&refused, Err(Error::Conflict(told)) if told.contains("version 1, but has 2")),
        "{refused:?}"
    );
    // What was seen last is version 1; what is there is what is asked for.
    assert_eq!(
        commit(&ours, said("a", "three", Precondition::At(2))),
        Ok(())
    );
    assert_eq!(commit(&other, removed("a")), Ok(()));
    let refused = commit(&ours, said("a", "four", Precondition::At(3)));
    assert!(
        matches!(&refused, Err(Error::Conflict(told)) if told.contains("does not exist")),
        "{refused:?}"
    );
    assert_eq!(
        commit(&ours, said("a", "four", Precondition::Absent)),
        Ok(())
    );
    assert_eq!(version(&other, "a"), Some(1));
    assert_eq!(
        (found_by(&ours, "three"), found_by(&ours, "four")),
        ((0, 0), (1, 1))
    );
    assert_eq!(ours.integrity(), Ok(vec![]));
}

#[test]
fn a_batch_of_which_a_part_was_seen_wrong_is_made_as_a_whole_or_not_at_all() {
    let Some([ours, other]) = two_stores() else {
        return;
    };
    let all = ["a", "b", "c"].map(|id| said(id, "first", Precondition::Absent));
    assert_eq!(ours.commit(&all), Ok(()));
    assert_eq!(version(&other, "b"), Some(1));
    assert_eq!(
        other.commit(&[said("b", "second", Precondition::At(1))]),
        Ok(())
    );
    let batch = |at: Precondition| {
        ["a", "b", "c"]
            .map(|id| said(id, "third", at.clone()))
            .to_vec()
    };
    let mut third = batch(Precondition::At(1));
    assert!(matches!(ours.commit(&third), Err(Error::Conflict(_))));
    assert_eq!(found_by(&other, "third"), (0, 0));
    third[1] = said("b", "third", Precondition::At(2));
    third.push(removed("c"));
    assert_eq!(ours.commit(&third), Ok(()));
    assert_eq!(found_by(&other, "third"), (2, 2));
    assert_eq!(
        ["a", "b", "c"].map(|id| version(&other, id)),
        [Some(2), Some(3), None]
    );
    assert_eq!(ours.integrity(), Ok(vec![]));
}

#[test]
fn many_threads_of_two_programs_count_on_one_document_and_lose_nothing() {
    let Some(stores) = two_stores() else { return };
    let count = |store: &PostgresStore| loop {
        let stored = store.get_many(&[key("counter")]).unwrap();
        let at = stored.first().map(|one| (one.version, one.body.clone()));
        let (precondition, counted) = match &at {
            Some((version, body)) => (Precondition::At(*version), body.parse().unwrap_or(0) + 1),
            None => (Precondition::Absent, 1),
        };
        match store.commit(&[said("counter", &counted.to_string(), precondition)]) {
            Ok(()) => return,
            Err(Error::Conflict(_)) => {}
            Err(error) => panic!("{error:?}"),
        }
    };
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let store = &stores[thread % 2];
            scope.spawn(move || (0..15).for_each(|_| count(store)));
        }
    });
    let stored = stores[0].get_many(&[key("counter")]).unwrap();
    assert_eq!((stored[0].body.as_str(), stored[0].version), ("90", 90));
    assert_eq!(found_by(&stores[1], "90"), (1, 1));
    assert_eq!(stores[0].integrity(), Ok(vec![]));
}

/// Numbers that look like chance, and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % end
    }

    fn word(&mut self) -> String {
        ["one", "two", "three", "four", "five"][self.below(5) as usize].into()
    }

    fn words(&mut self, most: u64) -> Vec<String> {
        (0..self.below(most + 1)).map(|_| self.word()).collect()
    }

    /// A change of one of some documents: with or without each of what they are found by.
    fn change(&mut self) -> Change {
        let id = format!("n{}", self.below(40));
        if self.below(4) == 0 {
            return removed(&id);
        }
        let attribute = |name: &str, value| Attribute {
            name: name.into(),
            value,
        };
        let mut said = self.words(2);
        said.sort();
        said.dedup();
        let mut attributes: Vec<Attribute> = said
            .into_iter()
            .map(|word| attribute("said", Value::Text(word)))
            .collect();
        if self.below(3) > 0 {
            attributes.push(attribute("at", Value::Number(self.below(9) as f64)));
        }
        let vector = match self.below(2) {
            0 => vec![],
            _ => vec![self.below(9) as f32 - 4.0, 1.0 + self.below(5) as f32],
        };
        Change::Put(Put {
            document: Document {
                key: key(&id),
                body: self.word(),
                attributes,
                text: self.words(4).join(" "),
                vector,
            },
            precondition: Precondition::Anything,
        })
    }
}

/// Answers to questions of every kind.
fn answers(store: &dyn Store) -> Vec<String> {
    let by = |attribute: &str, descending| {
        Order::ByAttribute(AttributeOrder {
            attribute: attribute.into(),
            descending,
        })
    };
    let said = |word: &str| Condition {
        attribute: "said".into(),
        test: Test::Equals(Value::Text(word.into())),
    };
    let late = Condition {
        attribute: "at".into(),
        test: Test::AtLeast(Value::Number(4.0)),
    };
    let orders = [
        by("at", false),
        by("at", true),
        by("said", true),
        Order::ById,
        Order::ByText("one two five".into()),
        Order::ByNearest(vec![1.0, 2.0]),
    ];
    let conditions = [
        vec![],
        vec![said("two")],
        vec![late.clone()],
        vec![said("one"), late],
    ];
    let mut answers = Vec::new();
    for conditions in conditions {
        answers.push(format!("{:?}", store.count("note", &conditions)));
        for order in &orders {
            for limit in [3, 100] {
                let query = Query {
                    kind: "note".into(),
                    conditions: conditions.clone(),
                    order: order.clone(),
                    offset: 0,
                    limit,
                };
                answers.push(format!("{query:?}: {:?}", store.find(&query)));
            }
        }
    }
    answers
}

/// Says that it is over, also if an assertion failed.
struct Over<'o>(&'o AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn what_is_fresh_is_found_as_what_was_entered_while_somebody_enters_it() {
    let Some([ours, other]) = two_stores() else {
        return;
    };
    let map = MapStore::default();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                other.optimize().unwrap();
                std::thread::sleep(Duration::from_millis(40));
            }
        });
        let _over = Over(&is_over);
        let mut dice = Dice(7);
        for round in 0..80 {
            let size = if round % 25 == 24 {
                20
            } else {
                1 + dice.below(3)
            };
            let batch: Vec<Change> = (0..size).map(|_| dice.change()).collect();
            assert_eq!(ours.commit(&batch), map.commit(&batch));
            let (ours, map) = (answers(&ours), answers(&map));
            for (ours, map) in ours.into_iter().zip(map) {
                assert_eq!(ours, map, "in round {round}");
            }
        }
    });
    assert_eq!(ours.integrity(), Ok(vec![]));
    ours.optimize().unwrap();
    assert_eq!(
        (answers(&ours), ours.integrity()),
        (answers(&map), Ok(vec![]))
    );
}
