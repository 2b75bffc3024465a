//! Documents: how the nouns of the memory are kept in the host's store.
//!
//! Owns the kinds of documents and how one is written, read and asked for. Every noun says by itself
//! which attributes and terms it is found by, beside its own rules.

use serde::{Serialize, de::DeserializeOwned};
use twiceshy_wit::{
    host::{
        Attribute, AttributeOrder, Condition, Document, Key, Order, Query, Stored, Test, Value,
    },
    memory::Error,
};

pub(crate) use twiceshy_text::digest;

/// A kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Run,
    Step,
    Event,
    Fingerprint,
    Recoveries,
    Episode,
    Account,
    Lifecycle,
    Consolidated,
    Embedding,
    Experience,
    ExperienceSettings,
    ExperienceUse,
    Lesson,
    Evidence,
    Activation,
    Application,
    Gate,
    Consolidation,
    ConsolidationChange,
    Link,
    Pattern,
    PatternBody,
    PatternVersion,
    Reward,
    Task,
    Decision,
    Failure,
    Wording,
    Working,
    WorkingItem,
    WorkingCold,
    WorkingSnapshot,
    WorkingMetadata,
    Ledger,
    Handoff,
    Skill,
    SkillVersion,
    Withdrawn,
}

impl Kind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Step => "step",
            Self::Event => "event",
            Self::Fingerprint => "fingerprint",
            Self::Recoveries => "recoveries",
            Self::Episode => "episode",
            Self::Account => "account",
            Self::Lifecycle => "lifecycle",
            Self::Consolidated => "consolidated",
            Self::Embedding => "embedding",
            Self::Experience => "experience",
            Self::ExperienceSettings => "experience-settings",
            Self::ExperienceUse => "experience-use",
            Self::Lesson => "lesson",
            Self::Evidence => "evidence",
            Self::Activation => "activation",
            Self::Application => "application",
            Self::Gate => "gate",
            Self::Consolidation => "consolidation",
            Self::ConsolidationChange => "consolidation-change",
            Self::Link => "link",
            Self::Pattern => "pattern",
            Self::PatternBody => "pattern-body",
            Self::PatternVersion => "pattern-version",
            Self::Reward => "reward",
            Self::Task => "task",
            Self::Decision => "decision",
            Self::Failure => "failure",
            Self::Wording => "wording",
            Self::Working => "working",
            Self::WorkingItem => "working-item",
            Self::WorkingCold => "working-cold",
            Self::WorkingSnapshot => "working-snapshot",
            Self::WorkingMetadata => "working-metadata",
            Self::Ledger => "ledger",
            Self::Handoff => "handoff",
            Self::Skill => "skill",
            Self::SkillVersion => "skill-version",
            Self::Withdrawn => "withdrawn",
        }
    }

    pub(crate) fn key(self, id: &str) -> Key {
        Key {
            kind: self.as_str().to_owned(),
            id: id.to_owned(),
        }
    }
}

/// Something that is kept as one document.
pub(crate) trait Noun: Serialize + DeserializeOwned {
    /// Its kind.
    const KIND: Kind;

    /// Its id within the kind.
    fn id(&self) -> String;

    /// By what it is found.
    fn attributes(&self) -> Vec<Attribute>;

    /// Its terms for full-text search, if it is searched.
    fn terms(&self) -> String {
        String::new()
    }

    /// Its vector, if it has one.
    fn vector(&self) -> Vec<f32> {
        Vec::new()
    }
}

/// A noun as it was read, with the version to be changed.
#[derive(Debug, Clone)]
pub(crate) struct Read<N> {
    pub(crate) noun: N,
    pub(crate) version: u32,
}

impl<N: Noun> Read<N> {
    pub(crate) fn parse(stored: &Stored) -> Result<Self, Error> {
        let noun = serde_json::from_str(&stored.body).map_err(|error| {
            Error::Storage(format!(
                "The document {}/{} can't be read ({error}). Another version wrote it, or it is damaged; `twiceshy doctor` says more.",
                stored.key.kind, stored.key.id
            ))
        })?;
        Ok(Self {
            noun,
            version: stored.version,
        })
    }
}

/// A noun as a document.
pub(crate) fn written<N: Noun>(noun: &N) -> Document {
    Document {
        key: N::KIND.key(&noun.id()),
        body: serde_json::to_string(noun).expect("a noun is plain data"),
        attributes: noun.attributes(),
        text: noun.terms(),
        vector: noun.vector(),
    }
}

/// A noun from the body of its document.
pub(crate) fn from_body<N: Noun>(body: &str) -> Result<N, Error> {
    serde_json::from_str(body).map_err(|error| {
        Error::Storage(format!(
            "A document of kind `{}` can't be restored ({error}). Another version wrote it.",
            N::KIND.as_str()
        ))
    })
}

/// A document that is written back as it was, with what it is found by taken from its body.
pub(crate) fn rebuilt<N: Noun>(body: &str) -> Result<Document, Error> {
    let noun: N = from_body(body)?;
    Ok(Document {
        body: body.to_owned(),
        ..written(&noun)
    })
}

/// An attribute with a text. Longer texts than a store takes are cut, on writing as on asking.
pub(crate) fn text(name: &str, value: &str) -> Attribute {
    Attribute {
        name: name.to_owned(),
        value: text_value(value),
    }
}

/// An attribute with a number.
pub(crate) fn number(name: &str, value: f64) -> Attribute {
    Attribute {
        name: name.to_owned(),
        value: Value::Number(value),
    }
}

/// A condition that an attribute equals a text.
pub(crate) fn equals(name: &str, value: &str) -> Condition {
    Condition {
        attribute: name.to_owned(),
        test: Test::Equals(text_value(value)),
    }
}

/// A condition that an attribute equals one of some texts.
pub(crate) fn any_of<'v>(name: &str, values: impl IntoIterator<Item = &'v str>) -> Condition {
    let values = values.into_iter().map(text_value).collect();
    Condition {
        attribute: name.to_owned(),
        test: Test::AnyOf(values),
    }
}

/// A condition that an attribute is a number from another on.
pub(crate) fn at_least(name: &str, value: f64) -> Condition {
    Condition {
        attribute: name.to_owned(),
        test: Test::AtLeast(Value::Number(value)),
    }
}

/// A condition that an attribute is a number up to another.
pub(crate) fn at_most(name: &str, value: f64) -> Condition {
    Condition {
        attribute: name.to_owned(),
        test: Test::AtMost(Value::Number(value)),
    }
}

/// Conditions that an attribute begins with a text, up to `last` behind it, in the order of bytes.
pub(crate) fn begins_with(name: &str, prefix: &str, last: &str) -> Vec<Condition> {
    let bound = |test: fn(Value) -> Test, value: &str| Condition {
        attribute: name.to_owned(),
        test: test(text_value(value)),
    };
    vec![
        bound(Test::AtLeast, prefix),
        bound(Test::AtMost, &format!("{prefix}{last}{}", char::MAX)),
    ]
}

/// A condition that an attribute is a text or one before it, in the order of bytes.
pub(crate) fn up_to(name: &str, value: &str) -> Condition {
    Condition {
        attribute: name.to_owned(),
        test: Test::AtMost(text_value(value)),
    }
}

/// A condition that an attribute is a text or one behind it, in the order of bytes.
pub(crate) fn from_on(name: &str, value: &str) -> Condition {
    Condition {
        attribute: name.to_owned(),
        test: Test::AtLeast(text_value(value)),
    }
}

fn text_value(value: &str) -> Value {
    Value::Text(value[..value.floor_char_boundary(1 << 10)].to_owned())
}

/// A question for nouns of a kind.
pub(crate) fn query<N: Noun>(conditions: Vec<Condition>, order: Order, limit: u32) -> Query {
    Query {
        kind: N::KIND.as_str().to_owned(),
        conditions,
        order,
        offset: 0,
        limit,
    }
}

/// Largest first by an attribute.
pub(crate) fn newest(attribute: &str) -> Order {
    Order::ByAttribute(AttributeOrder {
        attribute: attribute.to_owned(),
        descending: true,
    })
}

/// Smallest first by an attribute.
pub(crate) fn ascending(attribute: &str) -> Order {
    Order::ByAttribute(AttributeOrder {
        attribute: attribute.to_owned(),
        descending: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_attribute_is_cut_at_a_character() {
        let Value::Text(cut) = text_value(&"ж".repeat(1_000)) else {
            panic!("not a text")
        };
        assert_eq!(cut.len(), 1 << 10);
    }
}
