//! Checks on what is put into a working memory.
//!
//! Owns the bounds of names, values and lists, and their masking. An input outside of them is refused whole.

use std::ops::RangeInclusive;

use twiceshy_wit::memory::{Budgets, Error, ExecutionState, SystemContext, Variable};

use crate::{limits, payload, refusal, secrets};

/// What a section's budget may be: a few lines at least, and no more than the largest windows.
pub(super) const BUDGET_RANGE: RangeInclusive<u32> = 100..=1_000_000;

/// A name in bytes.
pub(super) const NAME_BYTES: usize = 128;

/// A value or an output in bytes: larger things are artifacts.
pub(super) const VALUE_BYTES: usize = 1 << 20;

/// An execution state in bytes.
pub(super) const STATE_BYTES: usize = 64 << 10;

/// Entries of a list.
pub(super) const LISTED: usize = 64;

pub(super) fn checked_variable(variable: &Variable) -> Result<String, Error> {
    check_name("variable.key", &variable.key)?;
    checked_json("variable.value", &variable.key, &variable.value)
}

/// A value as JSON, without secrets: its own, and those that its name says. A text that is no JSON is taken as a
/// JSON string.
pub(super) fn checked_json(member: &str, name: &str, text: &str) -> Result<String, Error> {
    if text.len() > VALUE_BYTES {
        return Err(too_long(member, text.len(), VALUE_BYTES));
    }
    let text = text.trim();
    if text.is_empty() {
        return Ok("null".to_owned());
    }
    let json = match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Ok(_) => text.to_owned(),
        Err(_) => json_string(text),
    };
    let before = format!("{{{}:", json_string(name));
    let masked = secrets::mask_json(&format!("{before}{json}}}")).into_owned();
    let value = masked
        .strip_prefix(&before)
        .and_then(|rest| rest.strip_suffix('}'));
    Ok(match value {
        Some(value) => value.to_owned(),
        None => secrets::mask_json(&json).into_owned(),
    })
}

pub(super) fn checked_state(state: &ExecutionState) -> Result<ExecutionState, Error> {
    if let Some(progress) = state.progress {
        refusal::within("state.progress", progress, 0.0..=1.0)?;
    }
    refusal::not_empty(
        "state.phase",
        &state.phase,
        "name the phase, such as `execution`",
    )?;
    if let Some(subtask) = &state.current_subtask {
        check_name("state.current-subtask", subtask)?;
    }
    let json = serde_json::to_string(state).expect("a state is plain data");
    if json.len() > STATE_BYTES {
        return Err(too_long("state", json.len(), STATE_BYTES));
    }
    serde_json::from_str(&secrets::mask_json(&json))
        .map_err(|error| Error::InvalidArgument(format!("`state`: {error}; change it")))
}

pub(super) fn system_body(context: &SystemContext) -> Result<String, Error> {
    let lists = [
        ("context.capabilities", &context.capabilities),
        ("context.tools", &context.tools),
        ("context.safety-bounds", &context.safety_bounds),
    ];
    for (member, list) in lists {
        check_count(member, list.len(), LISTED)?;
    }
    let configuration = checked_json(
        "context.configuration",
        "configuration",
        &context.configuration,
    )?;
    let list = |list: &[String]| kept_list(list);
    Ok(format!(
        r#"{{"capabilities":{},"tools":{},"configuration":{configuration},"safety-bounds":{}}}"#,
        list(&context.capabilities),
        list(&context.tools),
        list(&context.safety_bounds),
    ))
}

pub(super) fn check_budgets(budgets: &Budgets) -> Result<(), Error> {
    let all = [
        ("system-context", budgets.system_context),
        ("task-context", budgets.task_context),
        ("execution-state", budgets.execution_state),
        ("intermediate-results", budgets.intermediate_results),
        ("retrieved-context", budgets.retrieved_context),
    ];
    for (name, budget) in all {
        if !BUDGET_RANGE.contains(&budget) {
            return Err(Error::InvalidArgument(format!(
                "`context.budgets.{name}` is {budget}; it must be from {} to {} tokens",
                BUDGET_RANGE.start(),
                BUDGET_RANGE.end()
            )));
        }
    }
    Ok(())
}

/// Refuses what is no name: it is shown, and documents are found by it.
pub(super) fn check_name(member: &str, name: &str) -> Result<(), Error> {
    let shown = !name.trim().is_empty() && !name.chars().any(char::is_control);
    if name.len() > NAME_BYTES || !shown || secrets::is_secret(name) {
        return Err(Error::InvalidArgument(format!(
            "`{member}` is `{}`; it must be 1 to {NAME_BYTES} bytes in one line",
            payload::kept_text(name, 100)
        )));
    }
    Ok(())
}

pub(super) fn check_count(member: &str, count: usize, most: usize) -> Result<(), Error> {
    refusal::entries(member, count, most)?;
    Ok(())
}

pub(super) fn too_long(member: &str, bytes: usize, most: usize) -> Error {
    Error::InvalidArgument(format!(
        "`{member}` has {bytes} bytes, and at most {most} are allowed; keep it elsewhere, and give a reference to it"
    ))
}

/// A list of texts as JSON, without secrets.
pub(super) fn kept_list(list: &[String]) -> String {
    let kept: Vec<_> = list
        .iter()
        .map(|text| payload::kept_text(text, limits::ACTION_BYTES))
        .collect();
    serde_json::to_string(&kept).expect("texts are plain data")
}

pub(super) fn json_string(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}
