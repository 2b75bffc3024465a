//! The nouns of `twiceshy:memory/link-types` as data: generated from the contract.

use crate::description::*;

/// `relation`
pub static RELATION: Enum = Enum { name: "relation", docs: docs!("A relation from one memory to another."), cases: &[
    Case { name: "derived-from", payload: None, docs: docs!("It was made from the other.") },
    Case { name: "related-to", payload: None, docs: docs!("They are about the same thing.") },
    Case { name: "contradicts", payload: None, docs: docs!("They can't both be right. Holds in both directions.") },
    Case { name: "elaborates", payload: None, docs: docs!("It says more about the other.") },
    Case { name: "example-of", payload: None, docs: docs!("It is a case of the other.") },
    Case { name: "supersedes", payload: None, docs: docs!("It takes the other's place.") },
    Case { name: "superseded-by", payload: None, docs: docs!("The other takes its place.") },
    Case { name: "specializes", payload: None, docs: docs!("It is a special case of the other.") },
    Case { name: "generalizes", payload: None, docs: docs!("It is a more general form of the other.") },
    Case { name: "complements", payload: None, docs: docs!("They help each other.") },
] };

/// `link`
pub static LINK: Record = Record { name: "link", docs: docs!("A relation between two memories: lessons, skills or episodes."), fields: &[
    Field { name: "source", ty: Type::Text, docs: docs!("The memory from which the relation is stated.") },
    Field { name: "relation", ty: Type::Enum(&super::link_types::RELATION), docs: docs!("The relation.") },
    Field { name: "target", ty: Type::Text, docs: docs!("The other memory.") },
    Field { name: "reason", ty: Type::Text, docs: docs!("The reason, in words.") },
    Field { name: "at", ty: Type::Timestamp, docs: docs!("When the link was made.") },
] };

/// `linked-memory`
pub static LINKED_MEMORY: Record = Record { name: "linked-memory", docs: docs!("A memory that was reached through links."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id: a lesson, an episode or a skill.") },
    Field { name: "kind", ty: Type::Text, docs: docs!("`lesson`, `episode` or `skill`.") },
    Field { name: "summary", ty: Type::Text, docs: docs!("A summary in one line.") },
    Field { name: "distance", ty: Type::U32, docs: docs!("How many links away it is.") },
] };

/// `neighbourhood`
pub static NEIGHBOURHOOD: Record = Record { name: "neighbourhood", docs: docs!("The memories that can be reached from one."), fields: &[
    Field { name: "memories", ty: Type::List(&Type::Record(&super::link_types::LINKED_MEMORY)), docs: docs!("The memories, nearest first. The first one is the start.") },
    Field { name: "links", ty: Type::List(&Type::Record(&super::link_types::LINK)), docs: docs!("The links between them.") },
    Field { name: "more", ty: Type::Bool, docs: docs!("Whether the limit left out some memories.") },
] };

/// `walk`
pub static WALK: Record = Record { name: "walk", docs: docs!("Where to start, and how far to go."), fields: &[
    Field { name: "memory", ty: Type::Text, docs: docs!("The memory to start from.") },
    Field { name: "depth", ty: Type::Option(&Type::U32), docs: docs!("How many links to follow. Default: 2. Maximum: 8.") },
    Field { name: "relations", ty: Type::List(&Type::Enum(&super::link_types::RELATION)), docs: docs!("Only follow these relations. Empty: all.") },
    Field { name: "limit", ty: Type::Option(&Type::U32), docs: docs!("At most this many memories. Default: 50. Maximum: 1,000.") },
] };

