//! Descriptions of what a consolidation does to a document.
//!
//! Owns how a change is described to a reader: from the body before and after, whatever made it. Documents that
//! only count or index say nothing.

use serde_json::Value;
use twiceshy_wit::{
    host::Key,
    memory::{ConsolidationChange, Stage},
};

use crate::{payload, store::Kind};

/// A rule or name in words of a change, in bytes.
const SAID_BYTES: usize = 200;

/// A change in words, if it says something to a reader.
pub(super) fn of(
    stage: Stage,
    key: &Key,
    before: Option<&str>,
    after: Option<&str>,
    reason: &str,
) -> Option<ConsolidationChange> {
    let parse = |body: Option<&str>| {
        body.and_then(|body| serde_json::from_str::<Value>(body).ok())
            .unwrap_or(Value::Null)
    };
    let (old, new) = (parse(before), parse(after));
    let (memory, change, own_reason) = match key.kind.as_str() {
        kind if kind == Kind::Lesson.as_str() => lesson(key, &old, &new)?,
        _ => description(key, &old, &new)?,
    };
    let reason = match own_reason {
        own if own.is_empty() => reason.to_owned(),
        own => own,
    };
    Some(ConsolidationChange {
        stage,
        memory,
        change,
        reason,
    })
}

fn lesson(key: &Key, old: &Value, new: &Value) -> Option<(String, String, String)> {
    let (old, new) = (&old["lesson"], &new["lesson"]);
    let status = |lesson: &Value| lesson["status"].as_str().unwrap_or_default().to_owned();
    let origins = |lesson: &Value| lesson["origins"].as_array().map_or(0, Vec::len);
    let id = key.id.clone();
    if old.is_null() {
        let rule = said(&new["rule-text"]);
        let kind = new["kind"].as_str().unwrap_or("lesson").replace('-', " ");
        return Some((id, format!("new {kind}: {rule}"), String::new()));
    }
    if status(old) != status(new) {
        let change = format!("{} → {}", status(old), status(new));
        return Some((id, change, said(&new["status-reason"])));
    }
    let more = origins(new).saturating_sub(origins(old));
    (more > 0).then(|| (id, format!("{more} more source episodes"), String::new()))
}

/// What documents beside lessons say.
fn description(key: &Key, old: &Value, new: &Value) -> Option<(String, String, String)> {
    let id = key.id.clone();
    let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let appeared = |name: &str| old[name].is_null() && !new[name].is_null();
    match key.kind.as_str() {
        "consolidated" => {
            let instances = &new["instances"];
            let change = format!("stands for {instances} episodes");
            Some((id, change, String::new()))
        }
        "lifecycle" if appeared("consolidated-into") => {
            let into = text(new, "consolidated-into");
            Some((id, format!("consolidated into {into}"), String::new()))
        }
        "lifecycle" if appeared("cold-trace") || appeared("cold-account") => {
            let what = match appeared("cold-account") {
                true => "moved its account to cold storage",
                false => "moved its steps to cold storage",
            };
            Some((id, what.to_owned(), String::new()))
        }
        "pattern" => {
            let version = |value: &Value| value["version"].as_u64();
            let (was, is) = (version(old)?, version(new)?);
            let change = format!("version {was} → {is}");
            (was != is).then(|| (id, change, String::new()))
        }
        "link" if old.is_null() => {
            let change = format!("{} {}", text(new, "relation"), text(new, "target"));
            Some((text(new, "source"), change, said(&new["reason"])))
        }
        "skill" => {
            let change = match old.is_null() {
                true => "new skill".to_owned(),
                false => "changed skill".to_owned(),
            };
            Some((id, change, String::new()))
        }
        _ => None,
    }
}

fn said(value: &Value) -> String {
    payload::kept_text(value.as_str().unwrap_or_default(), SAID_BYTES)
}
