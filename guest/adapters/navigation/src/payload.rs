//! The three payloads of a move: what was done, what was seen of the world, what was wanted.
//!
//! Owns their members, their JSON Schemas, and what can't be. What the members mean is said where they are judged.

use serde::Deserialize;
use twiceshy_adapter::{Error, Seen, refused};

use crate::Navigation;

/// JSON Schema of [`Action`].
pub const ACTION_SCHEMA: &str = include_str!("schema/action.json");

/// JSON Schema of [`Observation`].
pub const OBSERVATION_SCHEMA: &str = include_str!("schema/observation.json");

/// JSON Schema of [`Expectations`].
pub const EXPECTATIONS_SCHEMA: &str = include_str!("schema/expectations.json");

/// A move.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Action {
    /// What was done, such as `forward`, `turn left`, `drive`.
    pub name: String,
    /// Where to, or how fast in which direction.
    pub vector: Option<Vec<f64>>,
    /// By how much to turn, in degrees: an action with a turn and no vector does nothing else.
    pub turn: Option<f64>,
    /// Whether it is meant to change position or heading. Default: true.
    pub moves: Option<bool>,
}

/// What was seen of the world.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Observation {
    /// Where the agent is: one to three numbers.
    pub position: Vec<f64>,
    /// Where it looks, in degrees.
    pub heading: Option<f64>,
    /// The way that is left to the goal, where the world knows it: round obstacles, not through them.
    pub distance: Option<f64>,
    /// What it hit with this move, such as `wall`; empty if nobody knows what.
    pub collision: Option<String>,
    /// The distance to the nearest obstacle.
    pub clearance: Option<f64>,
    /// What is right before it, such as `wall` or `door`.
    pub ahead: Option<String>,
    /// The zones it is in, by name, where the world reports them.
    #[serde(default)]
    pub zones: Vec<String>,
    /// What it has with it.
    #[serde(default)]
    pub carrying: Vec<String>,
    /// Anything else of the world that the move may have changed, such as `door open`.
    #[serde(default)]
    pub state: Vec<String>,
    /// The goal is reached.
    #[serde(default)]
    pub reached: bool,
    /// The world has ended: nothing more can be done.
    #[serde(default)]
    pub ended: bool,
    /// What the world says, such as an error.
    pub message: Option<String>,
    /// The way that was gone since the start.
    pub travelled: Option<f64>,
}

/// What is wanted.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Expectations {
    /// Where the goal is.
    pub goal: Option<Vec<f64>>,
    /// How near is near enough. Default: 0.5.
    pub tolerance: Option<f64>,
    /// How far apart two positions must be to be two: what is less is noise. Default: a millionth.
    pub resolution: Option<f64>,
    /// The same for headings, in degrees. Default: a thousandth.
    pub turn_resolution: Option<f64>,
    /// Whether the world is a grid without diagonals.
    #[serde(default)]
    pub grid: bool,
    /// Zones that must not be entered: by name, and where they are if the world does not report them.
    #[serde(default)]
    pub forbidden: Vec<Zone>,
    /// The least clearance that is safe.
    pub clearance: Option<f64>,
    /// The corner of the world with the smallest coordinates.
    pub least: Option<Vec<f64>>,
    /// The corner of the world with the largest coordinates.
    pub most: Option<Vec<f64>>,
    /// The length of the best known way from the start to the goal.
    pub best_way: Option<f64>,
}

/// A part of the world.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Zone {
    /// Its name, such as `lava`.
    pub name: String,
    /// Its centre, if it is round.
    pub centre: Option<Vec<f64>>,
    /// Its radius, if it is round.
    pub radius: Option<f64>,
    /// The corner with the smallest coordinates, if it is a box.
    pub least: Option<Vec<f64>>,
    /// The corner with the largest coordinates, if it is a box.
    pub most: Option<Vec<f64>>,
}

impl Action {
    /// The action in one line, after the situation that it was done in: `[locked door, carrying key] toggle`. What to do
    /// depends on what stands right before the agent and what it has with it, and not on where it is. A turn is done to
    /// neither, so that turning away never looks like the right thing to do with what stands there.
    pub(crate) fn text(&self, before: Option<&Observation>) -> String {
        let before = before.filter(|_| !self.is_turn());
        let ahead = before.and_then(Observation::ahead);
        let carried = before.and_then(Observation::carried);
        let situation: Vec<_> = ahead.into_iter().chain(carried).collect();
        let mut text = match situation.is_empty() {
            true => String::new(),
            false => format!("[{}] ", situation.join(", ")),
        };
        text.push_str(&one_line(&self.name));
        if let Some(vector) = &self.vector {
            let numbers: Vec<_> = vector.iter().map(f64::to_string).collect();
            text.push_str(&format!(" ({})", numbers.join(", ")));
        }
        if let Some(turn) = self.turn {
            text.push_str(&format!(" {turn}°"));
        }
        text
    }

    /// The action in a sentence: `toggle before locked door carrying key`. A failure is known again by these words, so
    /// they have no numbers, and no brackets, in which a single word counts as somebody's name.
    pub(crate) fn told(&self, before: Option<&Observation>) -> String {
        let ahead = before.and_then(Observation::ahead);
        let ahead = ahead.map(|ahead| format!("before {ahead}"));
        let carried = before.and_then(Observation::carried);
        let words = [Some(one_line(&self.name)), ahead, carried];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// Whether it only turns the agent.
    fn is_turn(&self) -> bool {
        self.turn.is_some() && self.vector.is_none()
    }

    /// Whether it is meant to change position or heading.
    pub(crate) fn is_move(&self) -> bool {
        self.moves.unwrap_or(true)
    }
}

impl Expectations {
    /// Positions that are no further apart are the same: rounding of a simulation, not a move.
    pub(crate) fn resolution(&self) -> f64 {
        self.resolution.unwrap_or(1e-6)
    }

    /// Headings that are no further apart are the same, in degrees.
    pub(crate) fn turn_resolution(&self) -> f64 {
        self.turn_resolution.unwrap_or(1e-3)
    }
}

impl Observation {
    /// What stands right before the agent.
    pub(crate) fn ahead(&self) -> Option<String> {
        let ahead = self.ahead.as_deref().map(one_line);
        ahead.filter(|ahead| !ahead.is_empty())
    }

    /// What the agent has with it, such as `carrying key`.
    fn carried(&self) -> Option<String> {
        let mut things: Vec<_> = self.carrying.iter().map(|thing| one_line(thing)).collect();
        things.sort();
        (!things.is_empty()).then(|| format!("carrying {}", things.join(" and ")))
    }
}

/// A name of the world as one short line, without control characters.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<_> = text
        .split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ").chars().take(200).collect()
}

/// Refuses what a schema can't say: numbers that are none, points without or with too many dimensions.
pub(crate) fn check(seen: &Seen<Navigation>) -> Result<(), Error> {
    if one_line(&seen.action.name).is_empty() {
        return Err(refused("action.name", "it must not be empty"));
    }
    let expected = &seen.expectations;
    let positions = [
        (
            "before.position",
            seen.before.as_ref().map(|before| &before.position),
        ),
        ("observation.position", Some(&seen.observation.position)),
        ("action.vector", seen.action.vector.as_ref()),
        ("expectations.goal", expected.goal.as_ref()),
        ("expectations.least", expected.least.as_ref()),
        ("expectations.most", expected.most.as_ref()),
    ];
    for (member, point) in positions {
        if let Some(point) = point
            && !(1..=3).contains(&point.len())
        {
            let cause = format!("it has {} numbers, and a point has 1 to 3", point.len());
            return Err(refused(member, &cause));
        }
    }
    let lengths = [
        ("observation.distance", seen.observation.distance),
        ("observation.clearance", seen.observation.clearance),
        ("observation.travelled", seen.observation.travelled),
        ("expectations.tolerance", expected.tolerance),
        ("expectations.resolution", expected.resolution),
        ("expectations.turn-resolution", expected.turn_resolution),
        ("expectations.clearance", expected.clearance),
        ("expectations.best-way", expected.best_way),
    ];
    for (member, length) in lengths {
        if length.is_some_and(|length| length < 0.0) {
            return Err(refused(member, "it must not be negative"));
        }
    }
    for (place, zone) in expected.forbidden.iter().enumerate() {
        let round = zone.centre.is_some() && zone.radius.is_some();
        let boxed = zone.least.is_some() && zone.most.is_some();
        let half = zone.centre.is_some() != zone.radius.is_some()
            || zone.least.is_some() != zone.most.is_some();
        if half || (round && boxed) {
            return Err(refused(
                &format!("expectations.forbidden[{place}]"),
                "a zone must have a centre and a radius, or two corners, or only a name",
            ));
        }
    }
    Ok(())
}
