//! Whether a JSON value is a JSON Schema.
//!
//! Owns the form of the keywords and that they do not contradict each other, each fault named by its place. The check of
//! adapters and the expectations of commands share it. Whether a value fits a schema is not asked here. The `jsonschema`
//! crate is not used: it brings references over the network, formats and two engines for regular expressions, and a
//! component has to stay small.

use std::fmt;

use serde_json::{Map, Value};

const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Keywords with one schema, with a list of schemas, and with schemas by name.
const ONE: [&str; 10] = [
    "additionalProperties",
    "contains",
    "else",
    "if",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "items",
];
const SEVERAL: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED: [&str; 5] = [
    "$defs",
    "definitions",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// Keywords with a number, with a count, and with a text.
const NUMBERS: [&str; 5] = [
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maximum",
    "minimum",
    "multipleOf",
];
const COUNTS: [&str; 8] = [
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
];
const TEXTS: [&str; 7] = [
    "$anchor",
    "$comment",
    "$id",
    "$schema",
    "description",
    "pattern",
    "title",
];

/// What is wrong with a schema, and where in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The keywords and names that lead there.
    pub place: Vec<String>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Fault {
    /// With its place as a JSON pointer.
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "#")?;
        self.place
            .iter()
            .try_for_each(|part| write!(out, "/{part}"))?;
        write!(out, ": {}", self.what)
    }
}

/// What keeps a value from being a JSON Schema; nothing if it is one.
pub fn faults(schema: &Value) -> Vec<Fault> {
    let mut looked = Look {
        root: schema,
        place: Vec::new(),
        faults: Vec::new(),
    };
    looked.schema(schema);
    looked.faults
}

/// What keeps a text from being the JSON Schema of a payload, which is an object; nothing if it is one.
pub fn faults_of_text(text: &str) -> Vec<String> {
    match serde_json::from_str(text) {
        Err(error) => vec![format!("it is not JSON: {error}")],
        Ok(schema @ Value::Object(_)) => faults(&schema).iter().map(Fault::to_string).collect(),
        Ok(_) => vec!["it must be a JSON object".to_owned()],
    }
}

/// A schema that another one refers to by `#/…`.
pub fn referred<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    root.pointer(reference.strip_prefix('#')?)
}

struct Look<'s> {
    root: &'s Value,
    place: Vec<String>,
    faults: Vec<Fault>,
}

impl Look<'_> {
    fn fault(&mut self, what: impl Into<String>) {
        self.faults.push(Fault {
            place: self.place.clone(),
            what: what.into(),
        });
    }

    fn within(&mut self, part: &str, look: impl FnOnce(&mut Self)) {
        self.place.push(part.to_owned());
        look(self);
        self.place.pop();
    }

    fn schema(&mut self, schema: &Value) {
        match schema {
            Value::Object(schema) => self.object(schema),
            Value::Bool(_) => {}
            _ => self.fault("a schema must be an object, true or false"),
        }
    }

    fn object(&mut self, schema: &Map<String, Value>) {
        for (keyword, value) in schema {
            self.within(keyword, |look| look.keyword(keyword, value));
        }
        self.contradictions(schema);
    }

    fn keyword(&mut self, keyword: &str, value: &Value) {
        match keyword {
            "type" => self.types(value),
            "enum" if value.as_array().is_none_or(Vec::is_empty) => {
                self.fault("it must be a list of values");
            }
            "required" if !texts(value) => self.fault("it must be a list of names"),
            "$ref" => self.reference(value),
            // Older drafts have a list of schemas here.
            "items" if value.is_array() => self.several(value),
            keyword if ONE.contains(&keyword) => self.schema(value),
            keyword if SEVERAL.contains(&keyword) => self.several(value),
            keyword if NAMED.contains(&keyword) => match value {
                Value::Object(named) => {
                    for (name, schema) in named {
                        self.within(name, |look| look.schema(schema));
                    }
                }
                _ => self.fault("it must be an object"),
            },
            keyword if NUMBERS.contains(&keyword) && !value.is_number() => {
                self.fault("it must be a number");
            }
            keyword if COUNTS.contains(&keyword) && !value.is_u64() => {
                self.fault("it must be a whole number from 0");
            }
            keyword if TEXTS.contains(&keyword) && !value.is_string() => {
                self.fault("it must be a string");
            }
            _ => {}
        }
    }

    fn types(&mut self, value: &Value) {
        let names = match value {
            Value::Array(names) if !names.is_empty() => names.as_slice(),
            other => std::slice::from_ref(other),
        };
        for name in names {
            if !name.as_str().is_some_and(|name| TYPES.contains(&name)) {
                let types = TYPES.join(", ");
                self.fault(format!(
                    "{name} is not a type of JSON Schema: it has {types}"
                ));
            }
        }
    }

    fn several(&mut self, value: &Value) {
        match value {
            Value::Array(schemas) if !schemas.is_empty() => {
                for (index, schema) in schemas.iter().enumerate() {
                    self.within(&index.to_string(), |look| look.schema(schema));
                }
            }
            _ => self.fault("it must be a list of schemas"),
        }
    }

    fn reference(&mut self, value: &Value) {
        match value.as_str() {
            None => self.fault("it must be a string"),
            Some(reference) if referred(self.root, reference).is_some() => {}
            Some(reference) => {
                let what = format!("there is no {reference} in this schema; write it into $defs");
                self.fault(what);
            }
        }
    }

    fn contradictions(&mut self, schema: &Map<String, Value>) {
        for (least, most) in [
            ("minimum", "maximum"),
            ("minItems", "maxItems"),
            ("minLength", "maxLength"),
            ("minProperties", "maxProperties"),
        ] {
            let number = |keyword| schema.get(keyword).and_then(Value::as_f64);
            if let (Some(low), Some(high)) = (number(least), number(most))
                && low > high
            {
                self.fault(format!("{least} is more than {most}"));
            }
        }
        // Composed schemas may name the property elsewhere.
        let closed = schema.get("additionalProperties") == Some(&Value::Bool(false))
            && !schema.contains_key("patternProperties");
        let Some(required) = schema.get("required").and_then(Value::as_array) else {
            return;
        };
        for name in required.iter().filter_map(Value::as_str) {
            let known = schema
                .get("properties")
                .is_some_and(|properties| properties.get(name).is_some());
            if closed && !known {
                let what = format!(
                    "`{name}` is required and not among the properties, of which there may be no others"
                );
                self.fault(what);
            }
        }
    }
}

fn texts(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|names| names.iter().all(Value::is_string))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_has_no_faults() {
        for schema in [
            "{}",
            r##"{"type": ["object", "null"], "properties": {"a": {"$ref": "#/$defs/a"}, "b": true}, "required": ["a"],
                "$defs": {"a": {"enum": [1]}}, "additionalProperties": false}"##,
            r#"{"anyOf": [{"type": "string", "minLength": 1}, false], "x-own": 7}"#,
        ] {
            assert_eq!(faults_of_text(schema), [""; 0], "{schema}");
        }
    }

    #[test]
    fn a_fault_is_named_by_its_place() {
        for (schema, fault) in [
            ("", "not JSON"),
            ("[]", "must be a JSON object"),
            (r#"{"type": "text"}"#, "#/type: \"text\" is not a type"),
            (r#"{"type": []}"#, "#/type: [] is not a type"),
            (
                r#"{"properties": {"a": {"minLength": -1}}}"#,
                "#/properties/a/minLength: ",
            ),
            (r#"{"items": {"anyOf": []}}"#, "#/items/anyOf: "),
            (r#"{"required": "a"}"#, "#/required: "),
            (r#"{"enum": []}"#, "#/enum: "),
            (
                r##"{"$ref": "#/$defs/gone"}"##,
                "#/$ref: there is no #/$defs/gone",
            ),
            (
                r#"{"minimum": 2, "maximum": 1}"#,
                "minimum is more than maximum",
            ),
            (
                r#"{"required": ["a"], "additionalProperties": false}"#,
                "`a` is required",
            ),
        ] {
            let faults = faults_of_text(schema);
            assert!(
                faults.len() == 1 && faults[0].contains(fault),
                "{schema}: {faults:?}"
            );
        }
    }
}
