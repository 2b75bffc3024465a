//! JSON Schemas of tools, from the types that are read and written, in the plain form that every host understands.
//!
//! Some hosts hand a schema to a model's interface that knows no `$ref`, no list of types and no formats of numbers, so
//! that none of these is left.

use rmcp::{
    model::JsonObject,
    schemars::{JsonSchema, Schema, generate::SchemaSettings},
};
use serde_json::{Value, json};

/// The schema of a type.
pub(crate) fn of<T: JsonSchema>() -> JsonObject {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    simplify(&mut schema);
    let mut schema = match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    schema.remove("description");
    schema
}

/// One word of these.
pub(crate) fn one_of(words: &[&str]) -> Schema {
    Schema::try_from(json!({ "type": "string", "enum": words })).unwrap_or_default()
}

fn simplify(schema: &mut Value) {
    match schema {
        Value::Array(parts) => parts.iter_mut().for_each(simplify),
        Value::Object(members) => {
            // A member may be called `title`; the name of a type is a text.
            members.retain(|name, value| {
                !(matches!(name.as_str(), "title" | "format") && value.is_string()
                    || name == "default" && value.is_null())
            });
            if let Some(Value::Array(types)) = members.get("type") {
                let kept = types.iter().find(|name| *name != "null").cloned();
                members.insert("type".to_owned(), kept.unwrap_or_default());
            }
            if let Some(Value::Array(words)) = members.get_mut("enum") {
                words.retain(|word| !word.is_null());
            }
            if let Some(Value::Array(kinds)) = members.get("anyOf") {
                let null = json!({ "type": "null" });
                let kinds: Vec<_> = kinds
                    .iter()
                    .filter(|kind| **kind != null)
                    .cloned()
                    .collect();
                if let [Value::Object(only)] = kinds.as_slice() {
                    members.remove("anyOf");
                    for (name, value) in only {
                        members.entry(name.clone()).or_insert_with(|| value.clone());
                    }
                }
            }
            members.values_mut().for_each(simplify);
        }
        _ => {}
    }
}
