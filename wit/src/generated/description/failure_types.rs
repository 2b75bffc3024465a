//! The nouns of `twiceshy:memory/failure-types` as data: generated from the contract.

use crate::description::*;

/// `new-failure`
pub static NEW_FAILURE: Record = Record { name: "new-failure", docs: docs!("A failed attempt to record."), fields: &[
    Field { name: "module-category", ty: Type::Text, docs: docs!("The group the module belongs to, such as `agents/e`. May be empty. At most 256 bytes.") },
    Field { name: "module-name", ty: Type::Text, docs: docs!("The module. 1 to 256 bytes.") },
    Field { name: "hypothesis", ty: Type::Text, docs: docs!("What was attempted. 1 to 2,000 characters.") },
    Field { name: "failure-type", ty: Type::Option(&Type::Text), docs: docs!("`syntax`, `type`, `import`, `test` or `unknown`. Default: found from the details.") },
    Field { name: "failure-details", ty: Type::Text, docs: docs!("The error text. Long texts are shortened in the middle.") },
] };

/// `failed-attempt`
pub static FAILED_ATTEMPT: Record = Record { name: "failed-attempt", docs: docs!("A failed attempt at a hypothesis. Immutable."), fields: &[
    Field { name: "id", ty: Type::Text, docs: docs!("Its id.") },
    Field { name: "module-category", ty: Type::Text, docs: docs!("The group the module belongs to.") },
    Field { name: "module-name", ty: Type::Text, docs: docs!("The module.") },
    Field { name: "hypothesis", ty: Type::Text, docs: docs!("What was attempted.") },
    Field { name: "failure-type", ty: Type::Text, docs: docs!("`syntax`, `type`, `import`, `test` or `unknown`.") },
    Field { name: "failure-details", ty: Type::Text, docs: docs!("The error text.") },
    Field { name: "fingerprint", ty: Type::Text, docs: docs!("The fingerprint of the details: the pattern it belongs to.") },
    Field { name: "timestamp", ty: Type::Timestamp, docs: docs!("When it was recorded.") },
] };

/// `pattern-filter`
pub static PATTERN_FILTER: Record = Record { name: "pattern-filter", docs: docs!("Which patterns to list. Members that are left out do not restrict."), fields: &[
    Field { name: "module-name", ty: Type::Option(&Type::Text), docs: docs!("Only failures of this module.") },
    Field { name: "failure-type", ty: Type::Option(&Type::Text), docs: docs!("Only failures of this type.") },
    Field { name: "min-count", ty: Type::Option(&Type::U32), docs: docs!("Only patterns that occurred at least this often. Default: 1.") },
] };

/// `failure-pattern`
pub static FAILURE_PATTERN: Record = Record { name: "failure-pattern", docs: docs!("A way in which attempts fail."), fields: &[
    Field { name: "fingerprint", ty: Type::Text, docs: docs!("The fingerprint that its failures share.") },
    Field { name: "template", ty: Type::Text, docs: docs!("The readable form of its fingerprint.") },
    Field { name: "failure-type", ty: Type::Text, docs: docs!("The type of its newest failure.") },
    Field { name: "count", ty: Type::U32, docs: docs!("How many failures.") },
    Field { name: "modules", ty: Type::List(&Type::Text), docs: docs!("The modules it occurred in, sorted.") },
    Field { name: "example-details", ty: Type::List(&Type::Text), docs: docs!("Different details, verbatim, newest first. At most 5.") },
    Field { name: "last-seen", ty: Type::Timestamp, docs: docs!("When it last occurred.") },
] };

/// `warning-query`
pub static WARNING_QUERY: Record = Record { name: "warning-query", docs: docs!("A hypothesis about to be attempted."), fields: &[
    Field { name: "module-name", ty: Type::Text, docs: docs!("The module.") },
    Field { name: "hypothesis", ty: Type::Text, docs: docs!("What is about to be attempted.") },
    Field { name: "min-count", ty: Type::Option(&Type::U32), docs: docs!("How often a pattern must have occurred to cause a warning. Default: 3.") },
    Field { name: "days", ty: Type::Option(&Type::U32), docs: docs!("Within how many days. Default: 30.") },
    Field { name: "medium-from", ty: Type::Option(&Type::U32), docs: docs!("The number of failures from which a warning has medium severity. Default: 5.") },
    Field { name: "high-from", ty: Type::Option(&Type::U32), docs: docs!("The number of failures from which it has high severity. Default: 10.") },
] };

/// `severity`
pub static SEVERITY: Enum = Enum { name: "severity", docs: docs!("How serious a warning is."), cases: &[
    Case { name: "low", payload: None, docs: docs!("It happened.") },
    Case { name: "medium", payload: None, docs: docs!("It happens regularly.") },
    Case { name: "high", payload: None, docs: docs!("It fails almost every time.") },
] };

/// `failure-warning`
pub static FAILURE_WARNING: Record = Record { name: "failure-warning", docs: docs!("A warning before an attempt."), fields: &[
    Field { name: "hypothesis", ty: Type::Text, docs: docs!("The hypothesis about to be attempted.") },
    Field { name: "failure-type", ty: Type::Text, docs: docs!("The type of failure to expect.") },
    Field { name: "similar-failures", ty: Type::List(&Type::Record(&super::failure_types::FAILURE_PATTERN)), docs: docs!("The failure patterns of earlier attempts, most frequent first.") },
    Field { name: "confidence", ty: Type::F64, docs: docs!("How certain the warning is, from 0 to 1: `similarity · n / (n + 1) · e^(−age / days)`, with the similarity of the most similar hypothesis, the number of failures, and the age of the last failure.") },
    Field { name: "severity", ty: Type::Enum(&super::failure_types::SEVERITY), docs: docs!("How serious it is, by the number of failures.") },
] };

