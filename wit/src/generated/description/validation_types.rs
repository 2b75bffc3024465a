//! The nouns of `twiceshy:memory/validation-types` as data: generated from the contract.

use crate::description::*;

/// `validation-answer`
pub static VALIDATION_ANSWER: Enum = Enum { name: "validation-answer", docs: docs!("The result of a validation."), cases: &[
    Case { name: "validated", payload: None, docs: docs!("The evidence is sufficient and significant, and the confidence high.") },
    Case { name: "candidate", payload: None, docs: docs!("Not yet certain.") },
    Case { name: "needs-review", payload: None, docs: docs!("It was validated before, and no longer is.") },
    Case { name: "insufficient-evidence", payload: None, docs: docs!("Fewer applications in the last 90 days than required.") },
] };

/// `validation-gate`
pub static VALIDATION_GATE: Record = Record { name: "validation-gate", docs: docs!("The conditions for validating a pattern. One for the whole memory."), fields: &[
    Field { name: "least-applications", ty: Type::U32, docs: docs!("The least number of applications: 1 to 1,000. Initially 5.") },
    Field { name: "least-success-rate", ty: Type::F64, docs: docs!("The least success rate. Initially 0.5.") },
    Field { name: "significance", ty: Type::F64, docs: docs!("The p-value must be below this. Initially 0.05.") },
    Field { name: "confidence", ty: Type::F64, docs: docs!("The confidence must be above this. Initially 0.7.") },
] };

/// `validation`
pub static VALIDATION: Record = Record { name: "validation", docs: docs!("A validation of a pattern."), fields: &[
    Field { name: "pattern", ty: Type::Text, docs: docs!("The pattern.") },
    Field { name: "answer", ty: Type::Enum(&super::validation_types::VALIDATION_ANSWER), docs: docs!("The result.") },
    Field { name: "from-status", ty: Type::Enum(&super::lesson_types::LESSON_STATUS), docs: docs!("Its status before.") },
    Field { name: "to-status", ty: Type::Enum(&super::lesson_types::LESSON_STATUS), docs: docs!("Its status now.") },
    Field { name: "evidence", ty: Type::Record(&super::pattern_types::PATTERN_EVIDENCE), docs: docs!("The evidence for it.") },
    Field { name: "reason", ty: Type::Text, docs: docs!("The reason, in words.") },
] };

