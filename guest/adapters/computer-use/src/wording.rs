//! The wording of an action: one line, as a person would say it.
//!
//! Owns the line by which actions are compared and lessons are worded. It says how the place was found before the step:
//! `click disabled button "Undo"`, `click menuitem "Save" in menu "File"`, `click behind dialog "Welcome"`; so that
//! what is learned from it names the situation, and not only the element. Names are quoted: they are the data of the day.

use crate::{
    payload::{Action, ActionKind, Element, Observation, Place},
    screen::{self, Finding},
};

/// A line in bytes at most, as the contract has it.
const LINE_BYTES: usize = 4 << 10;

/// The action in one line, on the screen that it met.
pub(crate) fn of(action: &Action, before: Option<&Observation>) -> String {
    let mut line = act(action, before);
    let mut joint = " after ";
    for earlier in &action.after {
        line.push_str(joint);
        // Only what stands first met the screen as it was: how the others found their places is not known.
        line.push_str(&act(earlier, None));
        joint = ", ";
    }
    if line.len() > LINE_BYTES {
        line.truncate(line.floor_char_boundary(LINE_BYTES - '…'.len_utf8()));
        line.push('…');
    }
    line
}

fn act(action: &Action, before: Option<&Observation>) -> String {
    let target = action.target.as_ref();
    let dialog = before.and_then(|screen| screen::dialog_over(screen, target));
    let dialog = dialog.map(|dialog| format!("dialog {}", quoted(&dialog.name)));
    let place = match (dialog, target) {
        // To type somewhere or to drag something begins with a click; what was to follow does not come about.
        (Some(dialog), Some(_)) => return format!("click behind {dialog}"),
        (Some(dialog), None) if action.kind == ActionKind::Key => dialog,
        (_, Some(target)) => found(target, before),
        (_, None) => String::new(),
    };
    let joined = |verb: &str, joint: &str| match place.as_str() {
        "" => verb.to_owned(),
        place => format!("{verb}{joint}{place}"),
    };
    let text = action.text.as_deref().unwrap_or_default();
    match action.kind {
        ActionKind::Click => joined("click", " "),
        ActionKind::DoubleClick => joined("double-click", " "),
        ActionKind::Type => {
            let typed = joined(&format!("type {}", quoted(text)), " into ");
            format!("{typed}{}", last_key(text))
        }
        ActionKind::Key => {
            let key = one_line(action.key.as_deref().unwrap_or_default());
            joined(&format!("press {key}"), " in ")
        }
        ActionKind::Scroll => format!("{}{}", joined("scroll", " "), way(action)),
        ActionKind::Drag => {
            let to = action.to.as_ref().map(|to| found(to, before));
            let to = to.or_else(|| action.text.as_deref().map(quoted));
            let to = to.map_or_else(String::new, |to| format!(" to {to}"));
            format!("{}{to}{}", joined("drag", " "), way(action))
        }
        ActionKind::Open => format!("open {}", quoted(text)),
        ActionKind::Wait => "wait".to_owned(),
        ActionKind::Done => "done".to_owned(),
    }
}

/// The key that ends what is typed.
fn last_key(text: &str) -> &'static str {
    match text.chars().next_back() {
        Some('\n') => " and press Enter",
        Some('\t') => " and press Tab",
        _ => "",
    }
}

fn way(action: &Action) -> String {
    action.by.map_or_else(String::new, |[right, down]| {
        format!(" by ({right}, {down})")
    })
}

/// A place with how it was found.
fn found(place: &Place, before: Option<&Observation>) -> String {
    let told = self::place(place);
    match before.and_then(|screen| screen::find(screen, place)) {
        None => told,
        Some(Finding::Missing) => format!("missing {told}"),
        Some(Finding::Element(element)) => {
            let state = match (element.enabled, element.visible) {
                (Some(false), _) => "disabled ",
                (_, Some(false)) => "off-screen ",
                _ => "",
            };
            format!("{state}{told}{}", layer(element, place, before))
        }
    }
}

/// What an element lies in of all that opens and closes.
fn layer(element: &Element, place: &Place, before: Option<&Observation>) -> String {
    let within = element.within.as_ref().map(self::place);
    let dialog = || {
        let dialog = screen::dialog_around(before?, place)?;
        Some(format!("dialog {}", quoted(&dialog.name)))
    };
    match within.or_else(dialog) {
        Some(within) if !within.is_empty() => format!(" in {within}"),
        _ => String::new(),
    }
}

/// A place as a person would say it.
pub(crate) fn place(place: &Place) -> String {
    let named = match (&place.role, &place.name, &place.id) {
        (Some(role), Some(name), _) => format!("{} {}", one_line(role), quoted(name)),
        (None, Some(name), _) => quoted(name),
        (Some(role), None, Some(id)) => format!("{} #{}", one_line(role), one_line(id)),
        (None, None, Some(id)) => format!("#{}", one_line(id)),
        (Some(role), None, None) => one_line(role),
        (None, None, None) => String::new(),
    };
    match (named.as_str(), place.at) {
        ("", Some([x, y])) => format!("({x}, {y})"),
        _ => named,
    }
}

/// A text of the screen as one short line, without control characters.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<_> = text
        .split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ").chars().take(200).collect()
}

/// A text of the screen as data: in quotation marks, none of its own.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", one_line(text).replace('"', "'"))
}
