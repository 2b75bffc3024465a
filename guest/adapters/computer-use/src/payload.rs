//! The three payloads of an action on a screen: what was done, what the screen showed, what was wanted.
//!
//! Owns their members, their JSON Schemas, how an action is told in one line, and what can't be.

use serde::Deserialize;
use twiceshy_adapter::{Error, Seen, refused};

use crate::ComputerUse;

/// JSON Schema of [`Action`].
pub const ACTION_SCHEMA: &str = include_str!("schema/action.json");

/// JSON Schema of [`Observation`].
pub const OBSERVATION_SCHEMA: &str = include_str!("schema/observation.json");

/// JSON Schema of [`Expectations`].
pub const EXPECTATIONS_SCHEMA: &str = include_str!("schema/expectations.json");

/// What kind of action it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActionKind {
    /// A click.
    Click,
    /// Two clicks.
    DoubleClick,
    /// Text that was typed.
    Type,
    /// A key or a chord.
    Key,
    /// The wheel was turned.
    Scroll,
    /// Something was dragged somewhere.
    Drag,
    /// An address was gone to.
    Open,
    /// Nothing but time.
    Wait,
    /// The agent says that it is done: every target must be met.
    Done,
}

/// An action.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Action {
    /// What kind of action it is.
    pub kind: ActionKind,
    /// What it was done to.
    pub target: Option<Place>,
    /// Where it was dragged.
    pub to: Option<Place>,
    /// What was typed, or the address that was gone to.
    pub text: Option<String>,
    /// The key or chord, such as `Control+S`.
    pub key: Option<String>,
    /// How far the wheel was turned or something was dragged: right and down.
    pub by: Option<[f64; 2]>,
}

/// A place on a screen: an element, or a point.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Place {
    /// The element's id in its tree.
    pub id: Option<String>,
    /// Its role, such as `button`.
    pub role: Option<String>,
    /// Its name, as it is read out.
    pub name: Option<String>,
    /// The point, in pixels from the left and the top.
    pub at: Option<[f64; 2]>,
}

/// An element of the screen.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Element {
    /// Its id in its tree.
    pub id: Option<String>,
    /// Its role, such as `button`.
    pub role: String,
    /// Its name, as it is read out.
    #[serde(default)]
    pub name: String,
    /// Its value.
    pub value: Option<String>,
    /// Its text.
    pub text: Option<String>,
    /// Whether it is checked or pressed.
    pub checked: Option<bool>,
    /// Whether it can be used.
    pub enabled: Option<bool>,
    /// Whether it is open.
    pub expanded: Option<bool>,
    /// Whether it has the focus.
    pub focused: Option<bool>,
}

/// What a screen showed.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Observation {
    /// The elements of its accessibility tree, or a digest of its page; none where only a picture is known.
    pub elements: Option<Vec<Element>>,
    /// A hash of its picture.
    pub screen: Option<String>,
    /// The address of its page.
    pub address: Option<String>,
    /// The dialogs that are open, by what they say.
    #[serde(default)]
    pub dialogs: Vec<Dialog>,
    /// The element that the action really met, where it is known.
    pub met: Option<Place>,
    /// Why the action could not be done at all, as the driver says.
    pub error: Option<String>,
}

/// A dialog that is open.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Dialog {
    /// What it says.
    pub name: String,
    /// The names of the elements in it.
    #[serde(default)]
    pub elements: Vec<String>,
}

/// What is wanted.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Expectations {
    /// What must be so in the end, such as `BPM is 128`.
    #[serde(default)]
    pub targets: Vec<Condition>,
    /// What must never become so.
    #[serde(default)]
    pub guards: Vec<Condition>,
}

/// A condition on one element of the screen.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Condition {
    /// The element's id.
    pub id: Option<String>,
    /// Its role.
    pub role: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// What is looked at.
    pub property: Property,
    /// What it must be; needed for `value` and `text`, `true` unless told for the others.
    pub is: Option<String>,
}

/// What is looked at of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// Its value.
    Value,
    /// Its text.
    Text,
    /// Whether it is checked or pressed.
    Checked,
    /// Whether it can be used.
    Enabled,
    /// Whether it is open.
    Expanded,
    /// Whether it is there at all.
    Present,
}

impl Action {
    /// The action in one line, as a person would say it.
    pub(crate) fn text(&self) -> String {
        let target = self.target.as_ref().map(Place::text).unwrap_or_default();
        let on = |verb: &str| match target.as_str() {
            "" => verb.to_owned(),
            target => format!("{verb} {target}"),
        };
        let said = quoted(self.text.as_deref().unwrap_or_default());
        match self.kind {
            ActionKind::Click => on("click"),
            ActionKind::DoubleClick => on("double-click"),
            ActionKind::Type if target.is_empty() => format!("type {said}"),
            ActionKind::Type => format!("type {said} into {target}"),
            ActionKind::Key => {
                let key = one_line(self.key.as_deref().unwrap_or_default());
                match target.as_str() {
                    "" => format!("press {key}"),
                    target => format!("press {key} in {target}"),
                }
            }
            ActionKind::Scroll => format!("{}{}", on("scroll"), self.way()),
            ActionKind::Drag => {
                let to = self.to.as_ref().map(Place::text);
                let to = to.map_or_else(String::new, |to| format!(" to {to}"));
                format!("{}{to}{}", on("drag"), self.way())
            }
            ActionKind::Open => format!("open {said}"),
            ActionKind::Wait => "wait".to_owned(),
            ActionKind::Done => "done".to_owned(),
        }
    }

    fn way(&self) -> String {
        self.by.map_or_else(String::new, |[right, down]| {
            format!(" by ({right}, {down})")
        })
    }
}

impl Place {
    /// The place as a person would say it.
    pub(crate) fn text(&self) -> String {
        let named = match (&self.role, &self.name, &self.id) {
            (Some(role), Some(name), _) => format!("{} {}", one_line(role), quoted(name)),
            (None, Some(name), _) => quoted(name),
            (Some(role), None, Some(id)) => format!("{} #{}", one_line(role), one_line(id)),
            (None, None, Some(id)) => format!("#{}", one_line(id)),
            (Some(role), None, None) => one_line(role),
            (None, None, None) => String::new(),
        };
        match (named.as_str(), self.at) {
            ("", Some([x, y])) => format!("({x}, {y})"),
            _ => named,
        }
    }

    /// Whether this place is that element, as far as it says.
    pub(crate) fn is(&self, element: &Element) -> bool {
        is_element(&self.id, &self.role, &self.name, element)
            && (self.id.is_some() || self.role.is_some() || self.name.is_some())
    }
}

impl Condition {
    /// Whether this condition is about that element.
    pub(crate) fn is_about(&self, element: &Element) -> bool {
        is_element(&self.id, &self.role, &self.name, element)
    }
}

fn is_element(
    id: &Option<String>,
    role: &Option<String>,
    name: &Option<String>,
    element: &Element,
) -> bool {
    id.as_ref().is_none_or(|id| element.id.as_ref() == Some(id))
        && role.as_ref().is_none_or(|role| *role == element.role)
        && name.as_ref().is_none_or(|name| *name == element.name)
}

/// A text of the screen as one short line.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").chars().take(200).collect()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", one_line(text).replace('"', "'"))
}

/// Refuses what a schema can't say.
pub(crate) fn check(seen: &Seen<ComputerUse>) -> Result<(), Error> {
    let action = &seen.action;
    let missing = match action.kind {
        ActionKind::Type | ActionKind::Open if action.text.is_none() => Some("text"),
        ActionKind::Key if action.key.is_none() => Some("key"),
        ActionKind::Click | ActionKind::DoubleClick if action.target.is_none() => Some("target"),
        ActionKind::Drag if action.target.is_none() => Some("target"),
        _ => None,
    };
    if let Some(member) = missing {
        return Err(refused(
            &format!("action.{member}"),
            "this kind of action needs it",
        ));
    }
    let expected = &seen.expectations;
    let lists = [("targets", &expected.targets), ("guards", &expected.guards)];
    for (list, conditions) in lists {
        for (place, condition) in conditions.iter().enumerate() {
            let member = format!("expectations.{list}[{place}]");
            let needs_value = matches!(condition.property, Property::Value | Property::Text);
            if needs_value && condition.is.is_none() {
                return Err(refused(&format!("{member}.is"), "this property needs it"));
            }
            let truth = condition.is.as_deref();
            if !needs_value && !matches!(truth, None | Some("true" | "false")) {
                return Err(refused(
                    &format!("{member}.is"),
                    "it is neither `true` nor `false`",
                ));
            }
            if condition.id.is_none() && condition.role.is_none() && condition.name.is_none() {
                return Err(refused(&member, "it names no element: id, role or name"));
            }
        }
    }
    Ok(())
}
