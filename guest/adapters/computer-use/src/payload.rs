//! The three payloads of an action on a screen: what was done, what the screen showed, what was wanted.
//!
//! Owns their members, their JSON Schemas, and what can't be. How an action is worded is the business of `wording`.

use serde::Deserialize;
use twiceshy_adapter::{Error, Seen, refused};

use crate::ComputerUse;

/// JSON Schema of [`Action`].
pub const ACTION_SCHEMA: &str = include_str!("schema/action.json");

/// JSON Schema of [`Observation`].
pub const OBSERVATION_SCHEMA: &str = include_str!("schema/observation.json");

/// JSON Schema of [`Expectations`].
pub const EXPECTATIONS_SCHEMA: &str = include_str!("schema/expectations.json");

/// Actions in front of another in one step, at most.
const MOST_AFTER: usize = 8;

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
    /// What was typed, the address that was gone to, or the value that something was dragged to. A line break or a tab
    /// at the end of what is typed is the key.
    pub text: Option<String>,
    /// The key or chord, such as `Control+S`.
    pub key: Option<String>,
    /// How far the wheel was turned or something was dragged: right and down.
    pub by: Option<[f64; 2]>,
    /// What was done before it in the same step, in its order: at most 8 actions, none of which has an `after`.
    #[serde(default)]
    pub after: Vec<Action>,
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
    /// Whether it is in sight; false where one has to scroll to it.
    pub visible: Option<bool>,
    /// What it belongs to of all that opens and closes: a dialog, a menu, a tab's panel.
    pub within: Option<Place>,
}

/// What a screen showed.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Observation {
    /// The elements of its accessibility tree; none where it is not known.
    pub elements: Option<Vec<Element>>,
    /// A digest of its document, such as a hash.
    pub digest: Option<String>,
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
    /// Whether it keeps everything else from being used; true by default.
    #[serde(default = "yes")]
    pub modal: bool,
}

fn yes() -> bool {
    true
}

/// What is wanted.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Expectations {
    /// What must be so in the end, such as `BPM is 128`.
    #[serde(default)]
    pub targets: Vec<Condition>,
    /// What this very action is there for: what must be so right after it, unless a dialog asks first.
    #[serde(default)]
    pub now: Vec<Condition>,
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
    /// What it must be; needed for `value` and `text`, `true` by default for the others.
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

impl Place {
    /// Whether it names no element.
    pub(crate) fn is_point(&self) -> bool {
        self.id.is_none() && self.role.is_none() && self.name.is_none()
    }

    /// Whether this place is that element, as far as it says.
    pub(crate) fn is(&self, element: &Element) -> bool {
        is_element(&self.id, &self.role, &self.name, element) && !self.is_point()
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

/// Refuses what a schema can't say.
pub(crate) fn check(seen: &Seen<ComputerUse>) -> Result<(), Error> {
    check_action("action", &seen.action)?;
    let after = &seen.action.after;
    if after.len() > MOST_AFTER {
        let cause = format!(
            "it has {} actions, and at most {MOST_AFTER} are allowed",
            after.len()
        );
        return Err(refused("action.after", &cause));
    }
    for (place, action) in after.iter().enumerate() {
        let member = format!("action.after[{place}]");
        if !action.after.is_empty() {
            let cause = "the action before it must be in the same list";
            return Err(refused(&format!("{member}.after"), cause));
        }
        check_action(&member, action)?;
    }
    let expected = &seen.expectations;
    let lists = [
        ("targets", &expected.targets),
        ("now", &expected.now),
        ("guards", &expected.guards),
    ];
    for (list, conditions) in lists {
        for (place, condition) in conditions.iter().enumerate() {
            check_condition(&format!("expectations.{list}[{place}]"), condition)?;
        }
    }
    Ok(())
}

fn check_action(member: &str, action: &Action) -> Result<(), Error> {
    let missing = match action.kind {
        ActionKind::Type | ActionKind::Open if action.text.is_none() => "text",
        ActionKind::Key if action.key.is_none() => "key",
        ActionKind::Click | ActionKind::DoubleClick if action.target.is_none() => "target",
        ActionKind::Drag if action.target.is_none() => "target",
        _ => return Ok(()),
    };
    let member = format!("{member}.{missing}");
    Err(refused(&member, "this kind of action requires it"))
}

fn check_condition(member: &str, condition: &Condition) -> Result<(), Error> {
    let needs_value = matches!(condition.property, Property::Value | Property::Text);
    if needs_value && condition.is.is_none() {
        return Err(refused(
            &format!("{member}.is"),
            "this property requires it",
        ));
    }
    let truth = condition.is.as_deref();
    if !needs_value && !matches!(truth, None | Some("true" | "false")) {
        let cause = "it must be `true` or `false`";
        return Err(refused(&format!("{member}.is"), cause));
    }
    if condition.id.is_none() && condition.role.is_none() && condition.name.is_none() {
        return Err(refused(
            member,
            "it must name an element by id, role or name",
        ));
    }
    Ok(())
}
