//! The effect: whether an action did what actions are there for.
//!
//! Owns what is reported about a dialog in the way, of an action that met another element or one that can't be used, of one
//! without effect, and of one that did not bring about what it was there for. Only the first that holds is reported: it
//! is the cause of the others. Names are quoted, so that the same trouble with another element is the same.

use twiceshy_adapter::{Seen, Violation};

use crate::{
    ComputerUse,
    payload::{Action, ActionKind, Element, Observation, Place},
    screen::{self, Finding},
    target,
    wording::{self, one_line},
};

/// The conditions on an action that do not hold.
pub(crate) fn violations(seen: &Seen<ComputerUse>) -> Vec<Violation> {
    if target::all_now(seen) {
        return Vec::new();
    }
    let first = dialog_in_the_way(seen)
        .or_else(|| wrong_element(seen))
        .or_else(|| unusable(seen))
        .or_else(|| no_effect(seen));
    match first {
        Some(violation) => vec![violation],
        None => target::unmet_now(seen),
    }
}

fn violation(condition: &str, evidence: String) -> Violation {
    Violation {
        condition: condition.to_owned(),
        evidence,
    }
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

/// An action that changed nothing; worded differently when it is repeated.
fn no_effect(seen: &Seen<ComputerUse>) -> Option<Violation> {
    if !was_without_effect(seen) {
        return None;
    }
    let text = wording::of(&seen.action, seen.before.as_ref());
    let evidence = match repeats(seen) {
        0 => format!("no effect: {text} changed nothing"),
        // Without the number: the same trouble is the same, however long it lasts.
        _ => format!("no effect again: {text} changed nothing, as before"),
    };
    Some(violation("the action has an effect", evidence))
}

fn was_without_effect(seen: &Seen<ComputerUse>) -> bool {
    is_without_effect(&seen.action, seen.before.as_ref(), &seen.observation)
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

/// An element that was met instead of what was meant.
fn wrong_element(seen: &Seen<ComputerUse>) -> Option<Violation> {
    let (meant, met) = (seen.action.target.as_ref()?, seen.observation.met.as_ref()?);
    if !is_other(meant, met) {
        return None;
    }
    let text = wording::of(&seen.action, seen.before.as_ref());
    Some(violation(
        "the element that is meant is met",
        format!("wrong element: {text} met {}", wording::place(met)),
    ))
}

fn is_other(meant: &Place, met: &Place) -> bool {
    let differs = |meant: &Option<String>, met: &Option<String>| matches!((meant, met), (Some(meant), Some(met)) if meant != met);
    differs(&meant.id, &met.id)
        || differs(&meant.role, &met.role)
        || differs(&meant.name, &met.name)
}

/// A dialog that kept the action from what it was meant for: it stood and still stands over it, and nothing came of
/// the action. Its name is not quoted: what helps against one dialog need not help against another.
fn dialog_in_the_way(seen: &Seen<ComputerUse>) -> Option<Violation> {
    if target::all_met(seen) || !is_meant_to_change(seen.action.kind) {
        return None;
    }
    let place = seen.action.target.as_ref()?;
    let dialog = screen::dialog_over(seen.before.as_ref()?, Some(place))?;
    let stands = seen.observation.dialogs.contains(dialog);
    let met = seen.observation.met.as_ref();
    let missed = met.is_some_and(|met| is_other(place, met));
    (stands && (missed || was_without_effect(seen))).then(|| {
        violation(
            "nothing is in the way",
            format!("a dialog is in the way: {}", one_line(&dialog.name)),
        )
    })
}

/// An element that can't be used as it is, and was not made usable by the step either. What a step changed elsewhere
/// is no use of a disabled element, if that was to bring something about.
fn unusable(seen: &Seen<ComputerUse>) -> Option<Violation> {
    if !is_meant_to_change(seen.action.kind) {
        return None;
    }
    let place = seen.action.target.as_ref()?;
    let idle = was_without_effect(seen);
    let in_vain = idle || !seen.expectations.now.is_empty();
    let (condition, how) = match screen::find(seen.before.as_ref()?, place)? {
        Finding::Missing if idle => ("what is acted on is there", "missing"),
        Finding::Element(element)
            if in_vain && is_disabled(element) && still_disabled(seen, place) =>
        {
            ("what is acted on can be used", "disabled")
        }
        Finding::Element(element) if idle && element.visible == Some(false) => {
            ("what is acted on is in sight", "off-screen")
        }
        _ => return None,
    };
    Some(violation(
        condition,
        format!("{} is {how}", wording::place(place)),
    ))
}

fn is_disabled(element: &Element) -> bool {
    element.enabled == Some(false)
}

fn still_disabled(seen: &Seen<ComputerUse>, place: &Place) -> bool {
    matches!(screen::find(&seen.observation, place), Some(Finding::Element(element)) if is_disabled(element))
}
