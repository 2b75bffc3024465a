//! Values that fit a JSON Schema, made from it.
//!
//! Owns the making: what the keywords allow, with a preference for edges, the same every time for the same seed. A
//! `pattern` is not read: where there is one, examples are taken if the schema has any. Steps are put together from
//! such values in `steps`.

use fastrand::Rng;
use serde_json::{Map, Number, Value, json};
use twiceshy_text::schema::referred;
/// How deep a value may be nested: what refers to itself has to end somewhere.
const DEEPEST: usize = 8;

/// Texts as they come, and as nobody expects them.
const TEXTS: [&str; 14] = [
    "",
    "a",
    "report.csv",
    "one two three",
    "error: no such thing",
    "line one\nline two\n",
    "tab\tand\r\nmore",
    "naïve café ☕ 日本語 🦀",
    "\u{1b}[31mred\u{1b}[0m\u{7}",
    "\u{202e}turned round\u{2066}",
    "\0",
    "\"quoted\" 'twice' \\ and $(more)",
    "-0.5",
    "null",
];

/// Makes values of one schema.
pub(super) struct Values<'s> {
    schema: &'s Value,
    chance: Rng,
}

impl<'s> Values<'s> {
    pub(super) fn new(schema: &'s Value, seed: u64) -> Self {
        Self {
            schema,
            chance: Rng::with_seed(seed),
        }
    }

    /// The next value.
    pub(super) fn value(&mut self) -> Value {
        self.of(self.schema, 0)
    }

    fn of(&mut self, schema: &Value, depth: usize) -> Value {
        let Value::Object(schema) = schema else {
            return self.anything();
        };
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(values) = list(schema, "enum") {
            return self.one(values);
        }
        if let Some(examples) = list(schema, "examples")
            && (schema.contains_key("pattern") || self.chance.u8(..4) == 0)
        {
            return self.one(examples);
        }
        if let Some(schemas) = list(schema, "anyOf").or_else(|| list(schema, "oneOf")) {
            let one = self.chance.usize(..schemas.len());
            return self.both(schema, &schemas[one], &["anyOf", "oneOf"], depth);
        }
        if let Some(schemas) = list(schema, "allOf") {
            let all = schemas.iter().fold(json!({}), |all, one| merged(&all, one));
            return self.both(schema, &all, &["allOf"], depth);
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let Some(referred) = referred(self.schema, reference) else {
                return self.anything();
            };
            if depth >= DEEPEST {
                return Value::Null;
            }
            return self.both(schema, referred, &["$ref"], depth + 1);
        }
        match self.kind(schema) {
            "object" => self.object(schema, depth),
            "array" => self.array(schema, depth),
            "string" => self.text(schema),
            "integer" => self.integer(schema),
            "number" => self.number(schema),
            "boolean" => Value::Bool(self.chance.bool()),
            _ => Value::Null,
        }
    }

    /// A value of a schema and of another one that it names by these keywords.
    fn both(
        &mut self,
        schema: &Map<String, Value>,
        other: &Value,
        keywords: &[&str],
        depth: usize,
    ) -> Value {
        let mut rest = schema.clone();
        for keyword in keywords {
            rest.remove(*keyword);
        }
        self.of(&merged(&Value::Object(rest), other), depth)
    }

    /// One of the types that a schema allows; without any, the one that its keywords are about.
    fn kind<'k>(&mut self, schema: &'k Map<String, Value>) -> &'k str {
        match schema.get("type") {
            Some(Value::String(name)) => name,
            Some(Value::Array(names)) if !names.is_empty() => names
                [self.chance.usize(..names.len())]
            .as_str()
            .unwrap_or("null"),
            _ if schema.contains_key("items") => "array",
            _ if schema.contains_key("pattern") || schema.contains_key("maxLength") => "string",
            _ if schema.contains_key("minimum") || schema.contains_key("maximum") => "number",
            _ => "object",
        }
    }

    fn object(&mut self, schema: &Map<String, Value>, depth: usize) -> Value {
        let required = list(schema, "required").unwrap_or_default();
        let mut object = Map::new();
        for (name, property) in schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let needed = required.iter().any(|required| required == name);
            if needed || (depth < DEEPEST && self.chance.bool()) {
                object.insert(name.clone(), self.of(property, depth + 1));
            }
        }
        for name in required.iter().filter_map(Value::as_str) {
            if !object.contains_key(name) {
                let value = self.anything();
                object.insert(name.to_owned(), value);
            }
        }
        Value::Object(object)
    }

    fn array(&mut self, schema: &Map<String, Value>, depth: usize) -> Value {
        let first = list(schema, "prefixItems").unwrap_or_default();
        let least = count(schema, "minItems").unwrap_or(0).max(first.len());
        let most = count(schema, "maxItems").unwrap_or(least + 4).max(least);
        let length = match self.chance.u8(..4) {
            _ if depth >= DEEPEST => least,
            0 => least,
            1 => most.min(least + 64),
            _ => self.chance.usize(least..=most.min(least + 4)),
        };
        let any = Value::Bool(true);
        let rest = schema.get("items").unwrap_or(&any);
        (0..length)
            .map(|index| self.of(first.get(index).unwrap_or(rest), depth + 1))
            .collect()
    }

    fn text(&mut self, schema: &Map<String, Value>) -> Value {
        let least = count(schema, "minLength").unwrap_or(0);
        let most = count(schema, "maxLength").unwrap_or(usize::MAX);
        let chosen = match schema.get("format").and_then(Value::as_str) {
            Some("date-time") => "2026-11-16T10:02:11Z",
            Some("date") => "2026-11-16",
            Some("uri") => "https://example.org/a?b=c#d",
            Some("email") => "someone@example.org",
            Some("uuid") => "0b8a2c6e-6a5e-4c1f-9d25-7f3b1d0c9a11",
            _ => TEXTS[self.chance.usize(..TEXTS.len())],
        };
        let mut text: String = chosen.chars().take(most).collect();
        while text.chars().count() < least {
            text.push('x');
        }
        Value::String(text)
    }

    fn integer(&mut self, schema: &Map<String, Value>) -> Value {
        let whole = |keyword| schema.get(keyword).and_then(Value::as_i64);
        let low =
            whole("minimum").or(whole("exclusiveMinimum").map(|least| least.saturating_add(1)));
        let high =
            whole("maximum").or(whole("exclusiveMaximum").map(|most| most.saturating_sub(1)));
        let step = whole("multipleOf").filter(|step| *step > 0).unwrap_or(1);
        let (low, high) = (low.unwrap_or(i64::MIN), high.unwrap_or(i64::MAX));
        let near = 0_i64.clamp(low, high.max(low));
        let number = match self.chance.u8(..8) {
            // The largest whole number that a schema may allow is beyond what is signed.
            0 if high == i64::MAX => match schema.get("maximum").and_then(Value::as_u64) {
                Some(most) => return json!(most / step.unsigned_abs() * step.unsigned_abs()),
                None => high,
            },
            0 => high,
            1 => low,
            2 => near,
            _ => self
                .chance
                .i64(near..=near.saturating_add(200).clamp(near, high.max(near))),
        };
        json!((number / step * step).clamp(low, high.max(low)))
    }

    fn number(&mut self, schema: &Map<String, Value>) -> Value {
        let real = |keyword| schema.get(keyword).and_then(Value::as_f64);
        let low = real("minimum")
            .or(real("exclusiveMinimum"))
            .unwrap_or(f64::MIN);
        let high = real("maximum")
            .or(real("exclusiveMaximum"))
            .unwrap_or(f64::MAX)
            .max(low);
        let edges = [0.0, -0.0, 1.0, -1.0, 0.1, 1e-300, 1e300, low, high];
        let number = match self.chance.usize(..edges.len() * 2) {
            edge if edge < edges.len() => edges[edge],
            _ => (self.chance.f64() - 0.25) * 100.0,
        };
        Number::from_f64(number.clamp(low, high)).map_or(Value::Null, Value::Number)
    }

    fn anything(&mut self) -> Value {
        match self.chance.u8(..6) {
            0 => Value::Null,
            1 => json!(self.chance.bool()),
            2 => json!(self.chance.i32(..)),
            3 => json!({"a": [1, "b"]}),
            _ => self.text(&Map::new()),
        }
    }

    fn one(&mut self, values: &[Value]) -> Value {
        values[self.chance.usize(..values.len())].clone()
    }
}

/// The keywords of two schemas together. Properties and what is required add up; else the second one counts.
fn merged(one: &Value, other: &Value) -> Value {
    let (Value::Object(one), Value::Object(other)) = (one, other) else {
        return if other.is_object() {
            other.clone()
        } else {
            one.clone()
        };
    };
    let mut both = one.clone();
    for (keyword, value) in other {
        let value = match (keyword.as_str(), both.get(keyword), value) {
            ("properties" | "$defs", Some(Value::Object(had)), Value::Object(more)) => {
                had.clone().into_iter().chain(more.clone()).collect()
            }
            ("required", Some(Value::Array(had)), Value::Array(more)) => {
                had.iter().chain(more).cloned().collect()
            }
            _ => value.clone(),
        };
        both.insert(keyword.clone(), value);
    }
    Value::Object(both)
}

fn list<'s>(schema: &'s Map<String, Value>, keyword: &str) -> Option<&'s [Value]> {
    let list = schema.get(keyword)?.as_array()?;
    (!list.is_empty()).then_some(list)
}

fn count(schema: &Map<String, Value>, keyword: &str) -> Option<usize> {
    schema.get(keyword)?.as_u64()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fit_their_schema() {
        let schema = json!({
            "type": "object", "required": ["n", "one"], "additionalProperties": false,
            "properties": {
                "n": {"type": "integer", "minimum": 3, "maximum": 9, "multipleOf": 3},
                "share": {"type": "number", "minimum": 0, "maximum": 1},
                "list": {"type": "array", "items": {"type": "string", "maxLength": 3}, "minItems": 1, "maxItems": 2},
                "one": {"anyOf": [{"const": 7}, {"$ref": "#/$defs/word"}]},
            },
            "$defs": {"word": {"enum": ["a", "b"]}},
        });
        let mut values = Values::new(&schema, 1);
        for _ in 0..1_000 {
            let value = values.value();
            assert!([3, 6, 9].contains(&value["n"].as_i64().unwrap()), "{value}");
            assert!(
                [json!(7), json!("a"), json!("b")].contains(&value["one"]),
                "{value}"
            );
            if let Some(share) = value["share"].as_f64() {
                assert!((0.0..=1.0).contains(&share), "{value}");
            }
            if let Some(list) = value["list"].as_array() {
                assert!((1..=2).contains(&list.len()), "{value}");
                assert!(
                    list.iter()
                        .all(|text| text.as_str().unwrap().chars().count() <= 3)
                );
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_values() {
        let schema = json!({"type": "array", "items": {"type": ["number", "string", "null"]}});
        let some = |seed| {
            let mut values = Values::new(&schema, seed);
            (0..50).map(|_| values.value()).collect::<Vec<_>>()
        };
        assert_eq!(some(1), some(1));
        assert_ne!(some(1), some(2));
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = json!({"$defs": {"tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"},
            "right": {"$ref": "#/$defs/tree"}}, "required": ["left"]}}, "$ref": "#/$defs/tree"});
        let mut values = Values::new(&schema, 1);
        for _ in 0..100 {
            values.value();
        }
    }

    #[test]
    fn any_schema_gives_some_value() {
        for schema in [
            json!(true),
            json!({}),
            json!({"type": []}),
            json!({"type": 7}),
            json!({"enum": []}),
            json!({"minimum": 5, "maximum": 1, "type": "integer"}),
            json!({"minimum": 5, "maximum": 1}),
            json!({"type": "integer", "minimum": i64::MAX}),
            json!({"type": "integer", "maximum": u64::MAX}),
            json!({"$ref": "elsewhere"}),
            json!({"$ref": "#"}),
            json!({"anyOf": [true, false]}),
            json!({"type": "integer", "multipleOf": 0}),
            json!({"allOf": [{"$ref": "#"}]}),
        ] {
            let mut values = Values::new(&schema, 3);
            for _ in 0..100 {
                values.value();
            }
        }
    }
}
