//! Shapes: what a JSON value must look like, by the common part of JSON Schema.
//!
//! Owns which keywords are read, and the words for what does not fit; the form of a schema is checked before, as the
//! check of adapters does. A keyword that is not read is refused, never passed over: a condition that nobody checks
//! would always hold. What only describes is no condition.

use serde_json::{Map, Value};
use twiceshy_adapter::{Error, refused};
use twiceshy_text::schema::faults;

use crate::pattern::{Found, Pattern};

/// How deep a shape may be nested.
const DEPTH: usize = 32;

/// Keywords that describe and ask for nothing.
const DESCRIBING: [&str; 11] = [
    "$schema",
    "$id",
    "$comment",
    "title",
    "description",
    "default",
    "examples",
    "format",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// What a value must look like.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    /// Nothing fits.
    never: bool,
    types: Vec<String>,
    values: Option<Vec<Value>>,
    properties: Vec<(String, Shape)>,
    required: Vec<String>,
    further: Option<Box<Shape>>,
    items: Option<Box<Shape>>,
    /// How many items, how many characters, and which numbers.
    items_count: Bounds,
    length: Bounds,
    number: Bounds,
    /// The bounds of the number are themselves too small or too large.
    exclusive: [bool; 2],
    pattern: Option<Pattern>,
    all: Vec<Shape>,
    any: Vec<Shape>,
    one: Vec<Shape>,
    not: Option<Box<Shape>>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Bounds {
    least: Option<f64>,
    most: Option<f64>,
}

impl Shape {
    /// Reads the JSON Schema that stands at `member`.
    pub(crate) fn read(member: &str, schema: &Value) -> Result<Self, Error> {
        if let Some(fault) = faults(schema).first() {
            let place = fault.place.iter().map(|part| format!(".{part}"));
            return Err(refused(
                &(member.to_owned() + &place.collect::<String>()),
                &fault.what,
            ));
        }
        Self::read_at(member, schema, 0)
    }

    fn read_at(member: &str, schema: &Value, depth: usize) -> Result<Self, Error> {
        let members = match schema {
            Value::Object(members) if depth < DEPTH => members,
            Value::Object(_) => return Err(refused(member, "it is nested too deeply")),
            Value::Bool(any) => {
                return Ok(Self {
                    never: !any,
                    ..Self::default()
                });
            }
            _ => return Err(refused(member, "a schema must be an object, true or false")),
        };
        let mut shape = Self::default();
        for (keyword, value) in members {
            let place = format!("{member}.{keyword}");
            let inner = |value: &Value| Self::read_at(&place, value, depth + 1);
            match keyword.as_str() {
                "type" => shape.types = texts(value),
                "enum" => shape.values = value.as_array().cloned(),
                "const" => shape.values = Some(vec![value.clone()]),
                "properties" => {
                    for (name, value) in value.as_object().into_iter().flatten() {
                        let inner = Self::read_at(&format!("{place}.{name}"), value, depth + 1)?;
                        shape.properties.push((name.clone(), inner));
                    }
                }
                "required" => shape.required = texts(value),
                "additionalProperties" => shape.further = Some(Box::new(inner(value)?)),
                "items" => shape.items = Some(Box::new(inner(value)?)),
                "minItems" => shape.items_count.least = value.as_f64(),
                "maxItems" => shape.items_count.most = value.as_f64(),
                "minLength" => shape.length.least = value.as_f64(),
                "maxLength" => shape.length.most = value.as_f64(),
                "minimum" => shape.number.least = value.as_f64(),
                "maximum" => shape.number.most = value.as_f64(),
                "exclusiveMinimum" => {
                    shape.number.least = value.as_f64();
                    shape.exclusive[0] = true;
                }
                "exclusiveMaximum" => {
                    shape.number.most = value.as_f64();
                    shape.exclusive[1] = true;
                }
                "pattern" => {
                    let source = value.as_str().unwrap_or_default();
                    shape.pattern = Some(Pattern::read(&place, source)?);
                }
                "allOf" | "anyOf" | "oneOf" => {
                    let shapes = value.as_array().into_iter().flatten().map(inner);
                    let shapes = shapes.collect::<Result<_, _>>()?;
                    match keyword.as_str() {
                        "allOf" => shape.all = shapes,
                        "anyOf" => shape.any = shapes,
                        _ => shape.one = shapes,
                    }
                }
                "not" => shape.not = Some(Box::new(inner(value)?)),
                describing if DESCRIBING.contains(&describing) => {}
                _ => {
                    return Err(refused(
                        &place,
                        "this keyword of JSON Schema is not supported",
                    ));
                }
            }
        }
        Ok(shape)
    }

    /// How many patterns there are in it.
    pub(crate) fn patterns(&self) -> usize {
        let inner = self.properties.iter().map(|(_, shape)| shape);
        let boxed = [&self.further, &self.items, &self.not];
        let lists = [&self.all, &self.any, &self.one];
        usize::from(self.pattern.is_some())
            + inner
                .chain(boxed.into_iter().flatten().map(|shape| &**shape))
                .chain(lists.into_iter().flatten())
                .map(Self::patterns)
                .sum::<usize>()
    }

    /// The first thing that does not fit, with its place; none if the value fits. Each pattern looks at `window`
    /// bytes at most.
    pub(crate) fn misfit(&self, value: &Value, window: usize) -> Option<String> {
        let mut search = Search { window, left: WORK };
        match self.fit(value, "$", &mut search) {
            Fit::No(why) => Some(why),
            Fit::Yes | Fit::Open => None,
        }
    }

    fn fit(&self, value: &Value, place: &str, search: &mut Search) -> Fit {
        let no = |wanted: String| Fit::No(format!("{place} {wanted}"));
        let Some(left) = search.left.checked_sub(1) else {
            return Fit::Open;
        };
        search.left = left;
        if self.never {
            return no("should not be there".into());
        }
        if !self.types.is_empty() && !self.types.iter().any(|name| is_of(name, value)) {
            let wanted = self.types.join(" or ");
            return no(format!("should be {wanted}, not {}", kind(value)));
        }
        if let Some(values) = &self.values
            && !values.contains(value)
        {
            return no("has the wrong value".into());
        }
        let own = match value {
            Value::Object(members) => self.fit_object(members, place, search),
            Value::Array(items) => {
                let count = items.len() as f64;
                match self.items_count.misfit(count, [false; 2]) {
                    Some(wanted) => no(format!("should have {wanted} items, not {count}")),
                    None => {
                        match &self.items {
                            Some(shape) => first(items.iter().enumerate().map(|(at, item)| {
                                shape.fit(item, &format!("{place}[{at}]"), search)
                            })),
                            None => Fit::Yes,
                        }
                    }
                }
            }
            Value::String(text) => {
                let length = text.chars().count() as f64;
                match self.length.misfit(length, [false; 2]) {
                    Some(wanted) => no(format!("should have {wanted} characters, not {length}")),
                    None => match &self.pattern {
                        None => Fit::Yes,
                        Some(pattern) => search.look(pattern, text, place),
                    },
                }
            }
            Value::Number(given) => {
                let given = given.as_f64().unwrap_or(0.0);
                match self.number.misfit(given, self.exclusive) {
                    Some(wanted) => no(format!("should be {wanted}, not {given}")),
                    None => Fit::Yes,
                }
            }
            Value::Null | Value::Bool(_) => Fit::Yes,
        };
        if !matches!(own, Fit::Yes) {
            return own;
        }
        self.fit_combined(value, place, search)
    }

    fn fit_object(&self, members: &Map<String, Value>, place: &str, search: &mut Search) -> Fit {
        if let Some(missing) = self
            .required
            .iter()
            .find(|name| !members.contains_key(*name))
        {
            return Fit::No(format!("{place} lacks {missing:?}"));
        }
        first(members.iter().map(|(name, value)| {
            let known = self.properties.iter().find(|(known, _)| known == name);
            let shape = match (known, &self.further) {
                (Some((_, shape)), _) => shape,
                (None, Some(further)) => further,
                (None, None) => return Fit::Yes,
            };
            shape.fit(value, &format!("{place}.{name}"), search)
        }))
    }

    fn fit_combined(&self, value: &Value, place: &str, search: &mut Search) -> Fit {
        let all = first(self.all.iter().map(|shape| shape.fit(value, place, search)));
        if !matches!(all, Fit::Yes) {
            return all;
        }
        for (shapes, only) in [(&self.any, false), (&self.one, true)] {
            let (mut fitting, mut open) = (0, false);
            for shape in shapes {
                match shape.fit(value, place, search) {
                    Fit::Yes => fitting += 1,
                    Fit::Open => open = true,
                    Fit::No(_) => {}
                }
            }
            match (shapes.is_empty(), open, fitting) {
                (true, ..) | (_, false, 1) => {}
                (_, true, _) => return Fit::Open,
                (_, _, 0) => {
                    return Fit::No(format!("{place} matches none of the allowed schemas"));
                }
                (..) if only => {
                    return Fit::No(format!(
                        "{place} matches more than one of the allowed schemas"
                    ));
                }
                (..) => {}
            }
        }
        match self
            .not
            .as_ref()
            .map(|shape| shape.fit(value, place, search))
        {
            Some(Fit::Yes) => Fit::No(format!("{place} matches a schema that it must not match")),
            Some(Fit::Open) => Fit::Open,
            Some(Fit::No(_)) | None => Fit::Yes,
        }
    }
}

/// Comparisons of a value with a shape, at most: alternatives inside alternatives multiply.
const WORK: usize = 500_000;

/// Whether a value fits; it is open where looking further would take too long.
enum Fit {
    Yes,
    No(String),
    Open,
}

/// How much may still be looked at.
struct Search {
    window: usize,
    left: usize,
}

impl Search {
    fn look(&mut self, pattern: &Pattern, text: &str, place: &str) -> Fit {
        // A pattern costs as much as some comparisons on each of its bytes.
        let Some(left) = self.left.checked_sub(text.len().min(self.window)) else {
            return Fit::Open;
        };
        self.left = left;
        match pattern.find(text, self.window) {
            Found::In(_) => Fit::Yes,
            Found::Nowhere => Fit::No(format!("{place} should match {}", pattern.source())),
            Found::Unknown => Fit::Open,
        }
    }
}

/// The first that does not fit; open if one is open.
fn first(fits: impl Iterator<Item = Fit>) -> Fit {
    let mut open = false;
    for fit in fits {
        match fit {
            Fit::No(why) => return Fit::No(why),
            Fit::Open => open = true,
            Fit::Yes => {}
        }
    }
    if open { Fit::Open } else { Fit::Yes }
}

impl Bounds {
    fn misfit(&self, given: f64, exclusive: [bool; 2]) -> Option<String> {
        let least = self
            .least
            .filter(|least| given < *least || (exclusive[0] && given == *least));
        let most = self
            .most
            .filter(|most| given > *most || (exclusive[1] && given == *most));
        match (least, most) {
            (Some(least), _) if exclusive[0] => Some(format!("more than {least}")),
            (Some(least), _) => Some(format!("at least {least}")),
            (_, Some(most)) if exclusive[1] => Some(format!("less than {most}")),
            (_, Some(most)) => Some(format!("at most {most}")),
            (None, None) => None,
        }
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        name => name == kind(value),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// One text or a list of texts.
fn texts(value: &Value) -> Vec<String> {
    let texts = value
        .as_array()
        .map_or(std::slice::from_ref(value), Vec::as_slice);
    texts
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests;
