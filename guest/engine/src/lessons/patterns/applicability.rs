//! Applicability: when a pattern applies to a task.
//!
//! Owns the tests on a task's features, and how the applicability of one pattern compares with another's. Which patterns
//! are tested, and in what order, is the business of the rank.

use std::collections::BTreeSet;

use twiceshy_wit::memory::{Applicability, FeatureTest, Requirement, TaskFeatures};

use super::document::Head;

/// Whether a pattern applies, asked in the order of the document: kind of task, required features, context conditions,
/// anti-conditions.
pub(super) fn applies(applicability: &Applicability, task: &TaskFeatures) -> bool {
    let named = |list: &[String], name: &str| list.is_empty() || contains(list, name);
    named(&applicability.problem_types, &task.task_type)
        && named(&applicability.domains, &task.domain)
        && task.complexity.is_none_or(|complexity| {
            applicability
                .least_complexity
                .is_none_or(|least| complexity >= least)
                && applicability
                    .most_complexity
                    .is_none_or(|most| complexity <= most)
        })
        && (task.capabilities.is_empty()
            || applicability
                .required_capabilities
                .iter()
                .all(|required| contains(&task.capabilities, required)))
        && applicability
            .context_conditions
            .iter()
            .all(|condition| holds(condition, task))
        && !applicability
            .anti_conditions
            .iter()
            .any(|condition| holds(condition, task))
}

/// Whether a pattern may be shown where little is known of a task: nothing that is known speaks against it. A kind of
/// task that nobody named may be any, and a feature that nobody gave may have any value.
pub(super) fn may_apply(applicability: &Applicability, task: &TaskFeatures) -> bool {
    let mut known = applicability.clone();
    if task.task_type.is_empty() {
        known.problem_types.clear();
    }
    let is_known = |requirement: &Requirement| !values(task, &requirement.feature).is_empty();
    known.context_conditions.retain(is_known);
    known.anti_conditions.retain(is_known);
    applies(&known, task)
}

/// Whether a requirement holds for a task. Of several values of a feature, such as its tools, one that meets it is enough; it
/// differs from a value if none of them is the same.
fn holds(requirement: &Requirement, task: &TaskFeatures) -> bool {
    let found = values(task, &requirement.feature);
    let wanted = &requirement.value;
    let any = |test: &dyn Fn(&str) -> bool| found.iter().any(|found| test(found));
    match requirement.test {
        FeatureTest::Absent => found.is_empty(),
        FeatureTest::Present => !found.is_empty(),
        FeatureTest::Equals => any(&|found| same(found, wanted)),
        FeatureTest::Differs => !found.is_empty() && !any(&|found| same(found, wanted)),
        FeatureTest::Contains => {
            let wanted = wanted.to_lowercase();
            any(&|found| found.to_lowercase().contains(&wanted))
        }
        FeatureTest::AtLeast => {
            any(&|found| compared(found, wanted, |found, least| found >= least))
        }
        FeatureTest::AtMost => any(&|found| compared(found, wanted, |found, most| found <= most)),
    }
}

fn compared(found: &str, wanted: &str, test: impl Fn(f64, f64) -> bool) -> bool {
    match (found.trim().parse(), wanted.trim().parse()) {
        (Ok(found), Ok(wanted)) => test(found, wanted),
        _ => false,
    }
}

/// The values of a feature of a task: those that are given, or one that every task has.
fn values(task: &TaskFeatures, name: &str) -> Vec<String> {
    let given = task.features.iter().filter(|one| same(&one.name, name));
    let given: Vec<_> = given.map(|one| one.value.clone()).collect();
    if !given.is_empty() {
        return given;
    }
    let own = match name {
        "task" => task.task.clone(),
        "task-type" => task.task_type.clone(),
        "domain" => task.domain.clone(),
        "complexity" => (task.complexity.map(|one| one.to_string())).unwrap_or_default(),
        _ => String::new(),
    };
    Some(own)
        .filter(|own| !own.is_empty())
        .into_iter()
        .collect()
}

/// How well a pattern that applies fits: the mean of what it names and the task has, and of the likeness in words.
pub(super) fn quality(head: &Head, task: &TaskFeatures, words: &BTreeSet<String>) -> f64 {
    let applicability = &head.applicability;
    let bounded =
        applicability.least_complexity.is_some() || applicability.most_complexity.is_some();
    let named = [
        !applicability.problem_types.is_empty(),
        !applicability.domains.is_empty(),
        bounded && task.complexity.is_some(),
        !applicability.context_conditions.is_empty(),
    ];
    let met = named.into_iter().filter(|named| *named).count() as f64;
    if words.is_empty() {
        return met / named.len() as f64;
    }
    let shared = head
        .words
        .iter()
        .filter(|word| words.contains(*word))
        .count();
    let likeness = 2.0 * shared as f64 / (head.words.len() + words.len()) as f64;
    (met + likeness) / (named.len() + 1) as f64
}

/// What holds wherever one of two applies.
pub(super) fn widened(left: &Applicability, right: &Applicability) -> Applicability {
    let joined = |left: &[String], right: &[String]| {
        if left.is_empty() || right.is_empty() {
            return Vec::new();
        }
        let mut joined = left.to_vec();
        joined.extend(right.iter().filter(|name| !contains(left, name)).cloned());
        // More than so many are any.
        if joined.len() > super::LISTED {
            Vec::new()
        } else {
            joined
        }
    };
    let shared = |left: &[Requirement], right: &[Requirement]| {
        let mut shared = left.to_vec();
        shared.retain(|one| right.contains(one));
        shared
    };
    let shared_words = |left: &[String], right: &[String]| {
        let mut shared = left.to_vec();
        shared.retain(|one| contains(right, one));
        shared
    };
    let outer = |left: Option<f64>, right: Option<f64>, pick: fn(f64, f64) -> f64| {
        left.zip(right).map(|(left, right)| pick(left, right))
    };
    Applicability {
        problem_types: joined(&left.problem_types, &right.problem_types),
        domains: joined(&left.domains, &right.domains),
        least_complexity: outer(left.least_complexity, right.least_complexity, f64::min),
        most_complexity: outer(left.most_complexity, right.most_complexity, f64::max),
        required_capabilities: shared_words(
            &left.required_capabilities,
            &right.required_capabilities,
        ),
        context_conditions: shared(&left.context_conditions, &right.context_conditions),
        anti_conditions: shared(&left.anti_conditions, &right.anti_conditions),
        conditions: shared_words(&left.conditions, &right.conditions),
    }
}

/// Why a new applicability does not hold for less than the old one; none if it does.
pub(super) fn not_narrower(old: &Applicability, new: &Applicability) -> Option<&'static str> {
    let within = |old: &[String], new: &[String]| {
        old.is_empty() || (!new.is_empty() && new.iter().all(|name| contains(old, name)))
    };
    let keeps = |old: &[Requirement], new: &[Requirement]| old.iter().all(|one| new.contains(one));
    let keeps_words = |old: &[String], new: &[String]| old.iter().all(|one| contains(new, one));
    if !within(&old.problem_types, &new.problem_types) {
        Some("`problem-types` has more entries than before")
    } else if !within(&old.domains, &new.domains) {
        Some("`domains` has more entries than before")
    } else if new.least_complexity.unwrap_or(0.0) < old.least_complexity.unwrap_or(0.0) {
        Some("`least-complexity` is lower than before")
    } else if new.most_complexity.unwrap_or(1.0) > old.most_complexity.unwrap_or(1.0) {
        Some("`most-complexity` is higher than before")
    } else if !keeps_words(&old.required_capabilities, &new.required_capabilities) {
        Some("`required-capabilities` lacks entries that it had")
    } else if !keeps(&old.context_conditions, &new.context_conditions) {
        Some("`context-conditions` lacks entries that it had")
    } else if !keeps(&old.anti_conditions, &new.anti_conditions) {
        Some("`anti-conditions` lacks entries that it had")
    } else if old == new {
        Some("it is the same as before")
    } else {
        None
    }
}

/// How similar two are, from 0 to 1: the mean share of what they have in common, member by member.
pub(super) fn likeness(left: &Applicability, right: &Applicability) -> f64 {
    let words = |list: &[String]| -> BTreeSet<String> {
        list.iter().map(|name| name.to_lowercase()).collect()
    };
    let requirements = |list: &[Requirement]| -> BTreeSet<String> {
        let told =
            |one: &Requirement| format!("{}\0{}\0{}", one.feature, one.test.as_str(), one.value);
        list.iter().map(told).collect()
    };
    let range = |one: &Applicability| {
        BTreeSet::from([format!(
            "{:?} {:?}",
            one.least_complexity, one.most_complexity
        )])
    };
    let members = [
        (words(&left.problem_types), words(&right.problem_types)),
        (words(&left.domains), words(&right.domains)),
        (
            words(&left.required_capabilities),
            words(&right.required_capabilities),
        ),
        (
            requirements(&left.context_conditions),
            requirements(&right.context_conditions),
        ),
        (
            requirements(&left.anti_conditions),
            requirements(&right.anti_conditions),
        ),
        (words(&left.conditions), words(&right.conditions)),
        (range(left), range(right)),
    ];
    let shares = members
        .iter()
        .map(|(left, right)| match left.union(right).count() {
            0 => 1.0,
            all => left.intersection(right).count() as f64 / all as f64,
        });
    shares.sum::<f64>() / members.len() as f64
}

fn contains(list: &[String], name: &str) -> bool {
    list.iter().any(|one| same(one, name))
}

fn same(left: &str, right: &str) -> bool {
    left.to_lowercase() == right.to_lowercase()
}
