//! Targets and guards: what must be so in the end, and what must never become so.
//!
//! Owns when a condition on an element holds, how it is told, and the progress that follows from it.

use twiceshy_adapter::{Seen, Violation};

use crate::{
    ComputerUse,
    payload::{ActionKind, Condition, Element, Observation, Property, one_line},
};

/// Whether a condition holds on a screen; none where it shows no elements.
fn holds(condition: &Condition, screen: &Observation) -> Option<bool> {
    let elements = screen.elements.as_ref()?;
    let mut about = elements
        .iter()
        .filter(|element| condition.is_about(element));
    if condition.property == Property::Present {
        return Some(about.next().is_some() == wants(condition));
    }
    Some(about.any(|element| fits(condition, element)))
}

fn fits(condition: &Condition, element: &Element) -> bool {
    let flag = |flag: Option<bool>| flag.unwrap_or(false) == wants(condition);
    let text = |text: &Option<String>| {
        let (found, wanted) = (text.as_deref().unwrap_or_default(), condition.is.as_deref());
        wanted.is_some_and(|wanted| found.trim() == wanted.trim())
    };
    match condition.property {
        Property::Value => text(&element.value),
        Property::Text => text(&element.text),
        Property::Checked => flag(element.checked),
        Property::Enabled => element.enabled.unwrap_or(true) == wants(condition),
        Property::Expanded => flag(element.expanded),
        Property::Present => wants(condition),
    }
}

fn wants(condition: &Condition) -> bool {
    condition.is.as_deref() != Some("false")
}

/// The condition as a person would say it: `BPM is 128`, `pattern is on`.
fn told(condition: &Condition) -> String {
    let element = condition.name.as_deref().or(condition.id.as_deref());
    let element = one_line(element.or(condition.role.as_deref()).unwrap_or_default());
    let not = if wants(condition) { "" } else { "not " };
    match condition.property {
        Property::Value | Property::Text => {
            format!(
                "{element} is {}",
                one_line(condition.is.as_deref().unwrap_or_default())
            )
        }
        Property::Checked => format!("{element} is {not}on"),
        Property::Enabled => format!("{element} is {not}enabled"),
        Property::Expanded => format!("{element} is {not}open"),
        Property::Present => format!("{element} is {not}there"),
    }
}

/// What the screen shows of a condition's element instead.
fn found(condition: &Condition, screen: &Observation) -> String {
    let elements = screen.elements.iter().flatten();
    let mut about = elements.filter(|element| condition.is_about(element));
    let Some(element) = about.next() else {
        return "there is no such element".to_owned();
    };
    match condition.property {
        Property::Value => format!(
            "it is {}",
            one_line(element.value.as_deref().unwrap_or("empty"))
        ),
        Property::Text => format!(
            "it is {}",
            one_line(element.text.as_deref().unwrap_or("empty"))
        ),
        _ => "it is not so".to_owned(),
    }
}

fn met(seen: &Seen<ComputerUse>, screen: &Observation) -> Option<usize> {
    let targets = &seen.expectations.targets;
    let mut met = 0;
    for target in targets {
        met += usize::from(holds(target, screen)?);
    }
    Some(met)
}

/// Whether there are targets, and all of them are met.
pub(crate) fn all_met(seen: &Seen<ComputerUse>) -> bool {
    let all = seen.expectations.targets.len();
    all > 0 && met(seen, &seen.observation) == Some(all)
}

/// The guard that this action hit: it holds now and did not before.
pub(crate) fn guard_hit(seen: &Seen<ComputerUse>) -> Option<String> {
    let hit = seen.expectations.guards.iter().find(|guard| {
        let before = seen.before.as_ref();
        holds(guard, &seen.observation) == Some(true)
            && before.is_none_or(|before| holds(guard, before) != Some(true))
    })?;
    Some(told(hit))
}

/// The targets that are not met although the agent says that it is done.
pub(crate) fn unmet_at_the_end(seen: &Seen<ComputerUse>) -> Vec<Violation> {
    if seen.action.kind != ActionKind::Done {
        return Vec::new();
    }
    let targets = seen.expectations.targets.iter();
    let unmet = targets.filter(|target| holds(target, &seen.observation) == Some(false));
    unmet
        .map(|target| Violation {
            condition: told(target),
            evidence: format!("{}: {}", told(target), found(target, &seen.observation)),
        })
        .collect()
}

/// The share of targets that the action met, or undid. A step that changes none of them says nothing, so that the way to
/// a target is no failure; one that failed came no closer.
pub(crate) fn progress(seen: &Seen<ComputerUse>, failed: bool) -> Option<f64> {
    if failed {
        return Some(0.0);
    }
    let all = seen.expectations.targets.len();
    if all == 0 {
        return None;
    }
    let after = met(seen, &seen.observation)?;
    if after == all {
        return Some(1.0);
    }
    let before = met(seen, seen.before.as_ref()?)?;
    match after as f64 - before as f64 {
        0.0 => None,
        gained => Some(gained / all as f64),
    }
}
