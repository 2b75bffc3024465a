//! Targets and guards: what must be so in the end or right after an action, and what must never become so.
//!
//! Owns when a condition on an element holds, how it is worded, and the progress that follows from it. Names and what was
//! found are quoted, so that the same shortcoming of another element is the same failure.

use twiceshy_adapter::{Seen, Violation};

use crate::{
    ComputerUse,
    payload::{ActionKind, Condition, Element, Observation, Property},
    wording::{one_line, quoted},
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

/// The condition as a person would say it: `"BPM" is 128`, `"pattern" is on`.
fn wording(condition: &Condition) -> String {
    let element = condition.name.as_deref().or(condition.id.as_deref());
    let element = quoted(element.or(condition.role.as_deref()).unwrap_or_default());
    format!("{element} is {}", state(condition, wants(condition)))
}

/// What the screen shows of a condition's element instead.
fn found(condition: &Condition, screen: &Observation) -> String {
    let elements = screen.elements.iter().flatten();
    let mut about = elements.filter(|element| condition.is_about(element));
    let Some(element) = about.next() else {
        return "there is no such element".to_owned();
    };
    let content = match condition.property {
        Property::Value => element.value.as_deref(),
        Property::Text => element.text.as_deref(),
        _ => return format!("it is {}", state(condition, !wants(condition))),
    };
    format!("it is {}", value(content.unwrap_or("empty")))
}

/// What a condition speaks of, where it is so and where it is not.
fn state(condition: &Condition, so: bool) -> String {
    let (yes, no) = match condition.property {
        Property::Value => return value(condition.is.as_deref().unwrap_or_default()),
        // What is to be read there in the end is the aim itself: to miss another one is another failure.
        Property::Text => return one_line(condition.is.as_deref().unwrap_or_default()),
        Property::Checked => ("on", "off"),
        Property::Enabled => ("enabled", "disabled"),
        Property::Expanded => ("open", "closed"),
        Property::Present => ("there", "not there"),
    };
    if so { yes } else { no }.to_owned()
}

/// A number as it is, any other text as data.
fn value(text: &str) -> String {
    match text.trim().parse::<f64>() {
        Ok(_) => one_line(text),
        Err(_) => quoted(text),
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
    // Without the quotation marks: which guard it was is not the data of the day.
    Some(wording(hit).replace('"', ""))
}

/// Whether something must be so right after the action, and all of it is.
pub(crate) fn all_now(seen: &Seen<ComputerUse>) -> bool {
    let now = &seen.expectations.now;
    let so = |condition| holds(condition, &seen.observation) == Some(true);
    !now.is_empty() && now.iter().all(so)
}

/// What the action was there for and did not bring about. Where a dialog came up by it, the question is still open.
pub(crate) fn unmet_now(seen: &Seen<ComputerUse>) -> Vec<Violation> {
    let stood = seen.before.as_ref().map(|before| &before.dialogs);
    let asked = |dialog| stood.is_none_or(|stood| !stood.contains(dialog));
    if seen.observation.dialogs.iter().any(asked) {
        return Vec::new();
    }
    unmet(&seen.expectations.now, &seen.observation)
}

/// The targets that are not met although the agent says that it is done.
pub(crate) fn unmet_at_the_end(seen: &Seen<ComputerUse>) -> Vec<Violation> {
    if seen.action.kind != ActionKind::Done {
        return Vec::new();
    }
    unmet(&seen.expectations.targets, &seen.observation)
}

fn unmet(conditions: &[Condition], screen: &Observation) -> Vec<Violation> {
    let unmet = conditions.iter();
    let unmet = unmet.filter(|condition| holds(condition, screen) == Some(false));
    unmet
        .map(|condition| Violation {
            condition: wording(condition),
            evidence: found(condition, screen),
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
