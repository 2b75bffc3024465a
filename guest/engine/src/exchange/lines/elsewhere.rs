//! Lines of other systems: lessons and experience under their usual names.
//!
//! Owns which of their members are taken, and as what.

use serde_json::{Map, Value};
use twiceshy_wit::memory::{LessonCandidate, LessonKind, NewExperience, Scope, Source};

use super::{inward, read};
use crate::{analogy::Case, limits, mining, payload};

/// A lesson of another system: its rule under any of the usual names. Fingerprints and tags of other kinds than ours
/// say nothing here.
pub(super) fn candidate(value: &Map<String, Value>) -> Result<LessonCandidate, String> {
    let text = |names: &[&str]| {
        let found = names.iter().find_map(|name| value.get(*name)?.as_str());
        found.map(str::to_owned)
    };
    let list = |name: &str| match value.get(name) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| item.as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| format!("{name} must be a list of strings")),
        Some(_) => Err(format!("{name} must be a list of strings")),
    };
    let rule_text = text(&["rule_text", "lesson", "rule", "text"])
        .ok_or("rule_text is missing or not a string; say what to do")?;
    let mut trigger_fingerprints = list("trigger_fingerprints")?;
    trigger_fingerprints.retain(|id| is_fingerprint(id));
    let is_word = |word: &String| {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        (1..=64).contains(&word.len()) && word.bytes().all(allowed)
    };
    let mut tags = list("tags")?;
    tags.retain(is_word);
    tags.truncate(limits::TRIGGERS);
    trigger_fingerprints.truncate(limits::TRIGGERS);
    let domain = text(&["domain"]).filter(|domain| payload::check_domain("domain", domain).is_ok());
    let scope = text(&["scope_hint", "scope"]);
    let scope_hint = match scope.as_deref() {
        Some("global") => Some(Scope::Global),
        Some("domain") if domain.is_some() => Some(Scope::Domain),
        Some("task") if text(&["task"]).is_some() => Some(Scope::Task),
        _ => None,
    };
    let kind = text(&["kind"]).and_then(|kind| {
        let mut kinds = LessonKind::ALL.into_iter();
        kinds.find(|known| known.as_str() == kind)
    });
    Ok(LessonCandidate {
        rule_text,
        trigger_fingerprints,
        trigger_texts: Vec::new(),
        tags,
        scope_hint,
        kind,
        domain,
        task: text(&["task"]),
        run: None,
        steps: Vec::new(),
        source: Some(Source::Agent),
    })
}

/// The cases that a lesson of elsewhere was learned from, by which it is known to which actions it applies: without secrets,
/// and no more than a lesson keeps.
pub(super) fn cases(value: &Map<String, Value>) -> Result<Vec<Case>, String> {
    let cases: Vec<Case> = match value.get("cases") {
        None | Some(Value::Null) => Vec::new(),
        Some(cases) => read(cases.clone()).map_err(|error| format!("cases: {error}"))?,
    };
    let kept = |text: &str| payload::kept_text(text, limits::KEPT_TEXT_BYTES);
    let case = |case: &Case| {
        Case::new(
            &kept(&case.wrong),
            &kept(&case.evidence),
            &kept(&case.correct),
        )
    };
    Ok(cases.iter().take(mining::CASES).map(case).collect())
}

/// An experience of another system: those of its members that a new one has.
pub(super) fn experience(value: Map<String, Value>) -> Result<NewExperience, String> {
    let Value::Object(mut members) = inward(Value::Object(value))? else {
        unreachable!("an object stays one");
    };
    // Others write it as an object.
    if let Some(Value::Object(metadata)) = members.get("metadata") {
        let pairs = metadata.iter().map(|(name, value)| {
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            serde_json::json!({ "name": name, "value": value })
        });
        let pairs = pairs.collect();
        members.insert("metadata".to_owned(), Value::Array(pairs));
    }
    let names = [
        "input",
        "output",
        "feedback",
        "structured-feedback",
        "strategy-card",
        "summary",
        "raw-trace",
        "domain",
        "tags",
        "metadata",
        "memory-type",
    ];
    members.retain(|name, value| names.contains(&name.as_str()) && !value.is_null());
    for name in ["input", "output", "feedback"] {
        members
            .entry(name)
            .or_insert_with(|| Value::String(String::new()));
    }
    let new: NewExperience = read(Value::Object(members))?;
    match new.input.trim() {
        "" => Err("input is missing or empty; an experience needs a task".to_owned()),
        _ => Ok(new),
    }
}

/// Whether an id is a fingerprint of ours.
pub(super) fn is_fingerprint(id: &str) -> bool {
    let digits = id.strip_prefix("fp_").unwrap_or_default();
    digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}
