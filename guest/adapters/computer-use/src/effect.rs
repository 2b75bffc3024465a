//! The effect: whether an action did what actions are there for.
//!
//! Owns what is told of an action without effect, of one that met another element, and of a dialog in the way.

use twiceshy_adapter::{Seen, Violation};

use crate::{
    ComputerUse,
    payload::{Action, ActionKind, Element, Observation, Place, one_line},
    screen, target,
};

/// The conditions on an action that do not hold.
pub(crate) fn violations(seen: &Seen<ComputerUse>) -> Vec<Violation> {
    let violation = |condition: &str, evidence: String| Violation {
        condition: condition.to_owned(),
        evidence,
    };
    let mut violations = Vec::new();
    let text = seen.action.text();
    if let Some(met) = wrong_element(seen) {
        violations.push(violation(
            "the element that is meant is met",
            format!("wrong element: {text} met {met}"),
        ));
    }
    if let Some(dialog) = dialog_in_the_way(seen) {
        violations.push(violation(
            "nothing is in the way",
            format!("a dialog is in the way: {dialog}"),
        ));
    }
    if violations.is_empty()
        && is_without_effect(&seen.action, seen.before.as_ref(), &seen.observation)
    {
        let again = repeats(seen);
        let evidence = match again {
            0 => format!("no effect: {text} changed nothing"),
            // Without the number: the same trouble is the same, however long it lasts.
            _ => format!("no effect again: {text} changed nothing, as before"),
        };
        violations.push(violation("the action has an effect", evidence));
    }
    violations
}

/// The share of the recent actions, this one included, that had an effect.
pub(crate) fn efficiency(seen: &Seen<ComputerUse>) -> Option<f64> {
    let mut effects: Vec<bool> = seen
        .past()
        .filter(|past| is_meant_to_change(past.action.kind) && past.before.is_some())
        .map(|past| !is_without_effect(&past.action, past.before.as_ref(), &past.observation))
        .collect();
    if is_meant_to_change(seen.action.kind) && seen.before.is_some() {
        effects.push(!is_without_effect(
            &seen.action,
            seen.before.as_ref(),
            &seen.observation,
        ));
    }
    let all = effects.len();
    (all > 0).then(|| effects.into_iter().filter(|effect| *effect).count() as f64 / all as f64)
}

fn is_meant_to_change(kind: ActionKind) -> bool {
    !matches!(
        kind,
        ActionKind::Wait | ActionKind::Done | ActionKind::Scroll
    )
}

/// Whether an action that is there to change something changed nothing. A click into a field that only gets the focus
/// by it has an effect.
fn is_without_effect(action: &Action, before: Option<&Observation>, after: &Observation) -> bool {
    let Some(before) = before else { return false };
    is_meant_to_change(action.kind)
        && screen::is_same(before, after) == Some(true)
        && !gained_focus(action, before, after)
}

fn gained_focus(action: &Action, before: &Observation, after: &Observation) -> bool {
    let focused = |screen: &Observation, place: &Place| {
        let elements = screen.elements.iter().flatten();
        let mut meant = elements.filter(|element| place.is(element));
        meant.any(|element: &Element| element.focused == Some(true))
    };
    let Some(place) = &action.target else {
        return false;
    };
    matches!(action.kind, ActionKind::Click | ActionKind::DoubleClick)
        && focused(after, place)
        && !focused(before, place)
}

/// How often the same action had no effect just before, without anything else between.
fn repeats(seen: &Seen<ComputerUse>) -> usize {
    let before = seen.past().rev();
    before
        .take_while(|past| {
            past.action == seen.action
                && is_without_effect(&past.action, past.before.as_ref(), &past.observation)
        })
        .count()
}

/// What was met instead of what was meant.
fn wrong_element(seen: &Seen<ComputerUse>) -> Option<String> {
    let (meant, met) = (seen.action.target.as_ref()?, seen.observation.met.as_ref()?);
    let differs = |meant: &Option<String>, met: &Option<String>| matches!((meant, met), (Some(meant), Some(met)) if meant != met);
    let other = differs(&meant.id, &met.id)
        || differs(&meant.role, &met.role)
        || differs(&meant.name, &met.name);
    other.then(|| met.text())
}

/// A dialog that stands open while the action was meant for something outside of it.
fn dialog_in_the_way(seen: &Seen<ComputerUse>) -> Option<String> {
    if target::all_met(seen) || !is_meant_to_change(seen.action.kind) {
        return None;
    }
    let stood = &seen.before.as_ref()?.dialogs;
    let name = seen.action.target.as_ref()?.name.as_deref()?;
    let dialog = seen.observation.dialogs.iter().find(|dialog| {
        stood.contains(dialog) && !dialog.elements.iter().any(|element| element == name)
    })?;
    Some(one_line(&dialog.name))
}
