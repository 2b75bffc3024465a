//! The screen: what is found on it, and what of it matters when two of them are compared.

use crate::payload::{Dialog, Element, Observation, Place};

/// What a screen says of a place.
pub(crate) enum Finding<'s> {
    /// The element that is there.
    Element(&'s Element),
    /// There is no such element.
    Missing,
}

/// What a screen says of a place; none where it shows no elements, or the place is a mere point.
pub(crate) fn find<'s>(screen: &'s Observation, place: &Place) -> Option<Finding<'s>> {
    let elements = screen.elements.as_ref()?;
    if place.is_point() {
        return None;
    }
    let element = elements.iter().find(|element| place.is(element));
    Some(element.map_or(Finding::Missing, Finding::Element))
}

/// The modal dialog that stands between the agent and a place; without a place, the one that gets what is typed.
pub(crate) fn dialog_over<'s>(
    screen: &'s Observation,
    place: Option<&Place>,
) -> Option<&'s Dialog> {
    let mut modal = screen.dialogs.iter().filter(|dialog| dialog.modal);
    let Some(place) = place else {
        return modal.next();
    };
    // Of a place without a name nobody knows what it lies in.
    place.name.as_ref()?;
    modal.find(|dialog| !is_in(screen, place, dialog))
}

/// The dialog that a place lies in.
pub(crate) fn dialog_around<'s>(screen: &'s Observation, place: &Place) -> Option<&'s Dialog> {
    let mut dialogs = screen.dialogs.iter();
    dialogs.find(|dialog| is_in(screen, place, dialog))
}

fn is_in(screen: &Observation, place: &Place, dialog: &Dialog) -> bool {
    let within = match find(screen, place) {
        Some(Finding::Element(element)) => element.within.as_ref(),
        _ => None,
    };
    match within {
        Some(within) => within.name.as_ref() == Some(&dialog.name),
        None => {
            let name = place.name.as_ref();
            name.is_some_and(|name| dialog.elements.contains(name))
        }
    }
}

/// Whether two screens show the same, as far as it is known: by their elements, else by their document, else by their
/// picture.
pub(crate) fn is_same(before: &Observation, after: &Observation) -> Option<bool> {
    let elements = match (&before.elements, &after.elements) {
        (Some(before), Some(after)) => Some(is_same_tree(before, after)),
        _ => None,
    };
    let told_by = |before: &Option<String>, after: &Option<String>| match (before, after) {
        (Some(before), Some(after)) => Some(before == after),
        _ => None,
    };
    let rest = before.address == after.address && before.dialogs == after.dialogs;
    // A picture also changes by a blinking cursor, a document by its bookkeeping: where elements are known, they decide.
    let same = elements
        .or_else(|| told_by(&before.digest, &after.digest))
        .or_else(|| told_by(&before.screen, &after.screen))?;
    Some(same && rest)
}

/// Whether two trees are the same. Where the focus is does not count: a click always moves it.
fn is_same_tree(before: &[Element], after: &[Element]) -> bool {
    let without_focus = |element: &Element| Element {
        focused: None,
        ..element.clone()
    };
    before.len() == after.len()
        && before
            .iter()
            .zip(after)
            .all(|(before, after)| without_focus(before) == without_focus(after))
}
