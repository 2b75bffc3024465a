//! The screen: what of it matters when two of them are compared.

use crate::payload::{Element, Observation};

/// Whether two screens show the same, as far as it is known: by their elements, else by their picture.
pub(crate) fn is_same(before: &Observation, after: &Observation) -> Option<bool> {
    let elements = match (&before.elements, &after.elements) {
        (Some(before), Some(after)) => Some(is_same_tree(before, after)),
        _ => None,
    };
    let picture = match (&before.screen, &after.screen) {
        (Some(before), Some(after)) => Some(before == after),
        _ => None,
    };
    let rest = before.address == after.address && before.dialogs == after.dialogs;
    // A picture also changes by a blinking cursor: where elements are known, they decide.
    let same = elements.or(picture)?;
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
