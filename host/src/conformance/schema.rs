//! Whether a text is a JSON Schema.
//!
//! Owns the form of the keywords and that they do not contradict each other, each fault named by its place as a
//! JSON pointer. Whether a value fits a schema is not asked here; values that do are made in `values`.

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

/// What keeps a text from being a JSON Schema; nothing if it is one.
pub(super) fn faults(text: &str) -> Vec<String> {
    match serde_json::from_str(text) {
        Err(error) => vec![format!("it is not JSON: {error}")],
        Ok(Value::Object(schema)) => {
            let mut looked = Look {
                root: &schema,
                faults: Vec::new(),
            };
            looked.object(&schema, "#");
            looked.faults
        }
        Ok(_) => vec!["it is not a JSON object".to_owned()],
    }
}

/// A schema that another one refers to by `#/…`.
pub(super) fn referred<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    root.pointer(reference.strip_prefix('#')?)
}

struct Look<'s> {
    root: &'s Map<String, Value>,
    faults: Vec<String>,
}

impl Look<'_> {
    fn fault(&mut self, place: &str, what: &str) {
        self.faults.push(format!("{place}: {what}"));
    }

    fn schema(&mut self, schema: &Value, place: &str) {
        match schema {
            Value::Object(schema) => self.object(schema, place),
            Value::Bool(_) => {}
            _ => self.fault(place, "it is neither an object nor true or false"),
        }
    }

    fn object(&mut self, schema: &Map<String, Value>, place: &str) {
        for (keyword, value) in schema {
            let place = format!("{place}/{keyword}");
            match keyword.as_str() {
                "type" => self.types(value, &place),
                "enum" if value.as_array().is_none_or(Vec::is_empty) => {
                    self.fault(&place, "it is not a list of values");
                }
                "required" if !texts(value) => self.fault(&place, "it is not a list of names"),
                "$ref" => self.reference(value, &place),
                // Older drafts have a list of schemas here.
                "items" if value.is_array() => self.several(value, &place),
                keyword if ONE.contains(&keyword) => self.schema(value, &place),
                keyword if SEVERAL.contains(&keyword) => self.several(value, &place),
                keyword if NAMED.contains(&keyword) => match value {
                    Value::Object(named) => {
                        for (name, schema) in named {
                            self.schema(schema, &format!("{place}/{name}"));
                        }
                    }
                    _ => self.fault(&place, "it is not an object"),
                },
                keyword if NUMBERS.contains(&keyword) && !value.is_number() => {
                    self.fault(&place, "it is not a number");
                }
                keyword if COUNTS.contains(&keyword) && !value.is_u64() => {
                    self.fault(&place, "it is not a whole number from 0");
                }
                keyword if TEXTS.contains(&keyword) && !value.is_string() => {
                    self.fault(&place, "it is not a text");
                }
                _ => {}
            }
        }
        self.contradictions(schema, place);
    }

    fn types(&mut self, value: &Value, place: &str) {
        let names = match value {
            Value::Array(names) if !names.is_empty() => names.as_slice(),
            other => std::slice::from_ref(other),
        };
        for name in names {
            if !name.as_str().is_some_and(|name| TYPES.contains(&name)) {
                self.fault(place, &format!("{name} is none of {}", TYPES.join(", ")));
            }
        }
    }

    fn several(&mut self, value: &Value, place: &str) {
        match value {
            Value::Array(schemas) if !schemas.is_empty() => {
                for (index, schema) in schemas.iter().enumerate() {
                    self.schema(schema, &format!("{place}/{index}"));
                }
            }
            _ => self.fault(place, "it is not a list of schemas"),
        }
    }

    fn reference(&mut self, value: &Value, place: &str) {
        let root = Value::Object(self.root.clone());
        match value.as_str() {
            None => self.fault(place, "it is not a text"),
            Some(reference) if referred(&root, reference).is_some() => {}
            Some(reference) => {
                let what = format!("there is no {reference} in this schema; write it into $defs");
                self.fault(place, &what);
            }
        }
    }

    fn contradictions(&mut self, schema: &Map<String, Value>, place: &str) {
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
                self.fault(place, &format!("{least} is more than {most}"));
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
                self.fault(place, &what);
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
            assert_eq!(faults(schema), [""; 0], "{schema}");
        }
    }

    #[test]
    fn a_fault_is_named_by_its_place() {
        for (schema, fault) in [
            ("", "not JSON"),
            ("[]", "not a JSON object"),
            (r#"{"type": "text"}"#, "#/type: \"text\" is none of"),
            (r#"{"type": []}"#, "#/type: [] is none of"),
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
            let faults = faults(schema);
            assert!(
                faults.len() == 1 && faults[0].contains(fault),
                "{schema}: {faults:?}"
            );
        }
    }
}
