//! Owns the rules of the store contract as cases that any store can be held against.
//!
//! A case is a rule: its name says it, its body fails if a store breaks it. Each begins with an empty
//! store. What only one kind of store can promise, such as to survive its process, is not here.
//!
//! ```
//! use twiceshy_store::{MapStore, conformance::conformance};
//! conformance(&mut || Box::new(MapStore::new()));
//! ```

mod changes;
mod conditions;
mod limits;
mod orders;
mod texts;

use twiceshy_wit::host::{
    Attribute, AttributeOrder, Change, Condition, Document, Error, Key, Order, Precondition, Put,
    Query, Removal, Store, Stored, Test, Value,
};

/// A rule of the contract.
pub struct Case {
    /// What is required.
    pub name: &'static str,
    /// Panics if an empty store does not do it.
    pub check: fn(&dyn Store),
}

/// Lists functions as cases under their own names.
macro_rules! rules {
    ($($name:ident),* $(,)?) => {
        pub(super) const CASES: &[super::Case] =
            &[$(super::Case { name: stringify!($name), check: $name }),*];
    };
}
use rules;

/// Every rule.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    [
        changes::CASES,
        conditions::CASES,
        orders::CASES,
        texts::CASES,
        limits::CASES,
    ]
    .into_iter()
    .flatten()
}

/// Holds the stores that `make` returns, each empty, against every rule; panics at the first that is broken.
pub fn conformance(make: &mut dyn FnMut() -> Box<dyn Store>) {
    for case in cases() {
        let _named = Named(case.name);
        (case.check)(&*make());
    }
}

/// Tells which case was under way when a panic comes through.
struct Named(&'static str);

impl Drop for Named {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the store breaks the rule {}", self.0);
        }
    }
}

fn key(kind: &str, id: &str) -> Key {
    Key {
        kind: kind.into(),
        id: id.into(),
    }
}

/// A document of kind `note` whose body is its id in brackets.
fn note(id: &str) -> Document {
    Document {
        key: key("note", id),
        body: format!("[{id}]"),
        attributes: Vec::new(),
        text: String::new(),
        vector: Vec::new(),
    }
}

/// A value from a literal.
trait IntoValue {
    fn value(self) -> Value;
}

impl IntoValue for &str {
    fn value(self) -> Value {
        Value::Text(self.into())
    }
}

impl IntoValue for f64 {
    fn value(self) -> Value {
        Value::Number(self)
    }
}

/// Documents in the making.
trait Build {
    fn body(self, body: &str) -> Self;
    fn with(self, name: &str, value: impl IntoValue) -> Self;
    fn text(self, text: &str) -> Self;
    fn vector(self, vector: &[f32]) -> Self;
}

impl Build for Document {
    fn body(mut self, body: &str) -> Self {
        self.body = body.into();
        self
    }
    fn with(mut self, name: &str, value: impl IntoValue) -> Self {
        self.attributes.push(Attribute {
            name: name.into(),
            value: value.value(),
        });
        self
    }
    fn text(mut self, text: &str) -> Self {
        self.text = text.into();
        self
    }
    fn vector(mut self, vector: &[f32]) -> Self {
        self.vector = vector.to_vec();
        self
    }
}

fn put(document: Document) -> Change {
    put_if(document, Precondition::Anything)
}

fn put_if(document: Document, precondition: Precondition) -> Change {
    Change::Put(Put {
        document,
        precondition,
    })
}

fn remove(key: Key) -> Change {
    remove_if(key, Precondition::Anything)
}

fn remove_if(key: Key, precondition: Precondition) -> Change {
    Change::Remove(Removal { key, precondition })
}

/// Writes documents, each whatever is there.
fn fill(store: &dyn Store, documents: impl IntoIterator<Item = Document>) {
    let batch: Vec<Change> = documents.into_iter().map(put).collect();
    assert_eq!(store.commit(&batch), Ok(()));
}

fn get(store: &dyn Store, kind: &str, id: &str) -> Option<Stored> {
    let mut found = store.get_many(&[key(kind, id)]).expect("a read succeeds");
    assert!(found.len() <= 1);
    found.pop()
}

fn condition(attribute: &str, test: Test) -> Condition {
    Condition {
        attribute: attribute.into(),
        test,
    }
}

fn by_attribute(attribute: &str, descending: bool) -> Order {
    Order::ByAttribute(AttributeOrder {
        attribute: attribute.into(),
        descending,
    })
}

fn query(conditions: Vec<Condition>, order: Order) -> Query {
    Query {
        kind: "note".into(),
        conditions,
        order,
        offset: 0,
        limit: 10_000,
    }
}

/// The ids of an answer about notes, separated by spaces, and its scores.
fn ask(store: &dyn Store, query: &Query) -> (String, Vec<f64>) {
    let found = store.find(query).expect("a question is answered");
    let ids: Vec<&str> = found
        .iter()
        .map(|found| found.document.key.id.as_str())
        .collect();
    (
        ids.join(" "),
        found.iter().map(|found| found.score).collect(),
    )
}

fn ids(store: &dyn Store, conditions: Vec<Condition>, order: Order) -> String {
    ask(store, &query(conditions, order)).0
}

#[track_caller]
fn assert_conflict(result: Result<(), Error>) {
    assert!(
        matches!(result, Err(Error::Conflict(_))),
        "not a conflict: {result:?}"
    );
}

#[track_caller]
fn assert_invalid<T: std::fmt::Debug>(result: Result<T, Error>, member: &str) {
    match result {
        Err(Error::InvalidArgument(message)) if message.contains(member) => {}
        other => panic!("not refused as an invalid argument that names {member}: {other:?}"),
    }
}

/// Asserts the ids of an answer and, up to rounding, their scores.
#[track_caller]
fn assert_scores(found: (String, Vec<f64>), expected: &[(&str, f64)]) {
    let ids: Vec<&str> = expected.iter().map(|(id, _)| *id).collect();
    assert_eq!(found.0, ids.join(" "));
    for (score, (id, expected)) in found.1.iter().zip(expected) {
        assert!(
            (score - expected).abs() < 1e-12,
            "{id}: {score} is not {expected}"
        );
    }
}
