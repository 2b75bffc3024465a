//! The nouns of `twiceshy:memory/skill-types` as data: generated from the contract.

use crate::description::*;

/// `error-fix`
pub static ERROR_FIX: Record = Record { name: "error-fix", docs: docs!("A common error and its fix."), fields: &[
    Field { name: "error", ty: Type::Text, docs: docs!("The error.") },
    Field { name: "fix", ty: Type::Text, docs: docs!("The fix.") },
] };

/// `skill`
pub static SKILL: Record = Record { name: "skill", docs: docs!("A skill: a procedure in steps, as Markdown that a person can edit. It is a lesson of the kind `skill`."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id as a lesson.") },
    Field { name: "slug", ty: Type::Text, docs: docs!("Its name, also as a file name, such as `api-implementation`.") },
    Field { name: "title", ty: Type::Text, docs: docs!("Its title.") },
    Field { name: "prerequisites", ty: Type::List(&Type::Text), docs: docs!("What is needed before.") },
    Field { name: "steps", ty: Type::List(&Type::Text), docs: docs!("The steps.") },
    Field { name: "common-errors", ty: Type::List(&Type::Record(&super::skill_types::ERROR_FIX)), docs: docs!("Common errors and their fixes.") },
    Field { name: "exit-criteria", ty: Type::List(&Type::Text), docs: docs!("When it is done.") },
    Field { name: "markdown", ty: Type::Text, docs: docs!("The text as it was written.") },
    Field { name: "version", ty: Type::U32, docs: docs!("The version: 1 at first, one more after each change.") },
    Field { name: "status", ty: Type::Enum(&super::lesson_types::LESSON_STATUS), docs: docs!("Its status.") },
    Field { name: "updated-at", ty: Type::Timestamp, docs: docs!("When it was last changed.") },
] };

/// `skill-hit`
pub static SKILL_HIT: Record = Record { name: "skill-hit", docs: docs!("A skill that was found."), fields: &[
    Field { name: "skill", ty: Type::Record(&super::skill_types::SKILL), docs: docs!("The skill.") },
    Field { name: "score", ty: Type::F64, docs: docs!("How well it fits, from 0 to 1.") },
    Field { name: "keywords", ty: Type::List(&Type::Text), docs: docs!("The keywords by which it was found.") },
] };

