//! The JSON Schema of a function: what it takes and what it gives, with the contract's documentation.

use serde_json::{Map, Value, json};

use crate::description::{Case, Function, Record, Type};

impl Function {
    /// Its name and documentation, the schema of its arguments, and that of its result.
    pub fn schema(&self) -> Value {
        let result = match &self.result {
            Some(ty) => ty.schema(),
            None => json!({ "type": "null" }),
        };
        json!({
            "name": self.method(),
            "description": self.docs,
            "arguments": self.arguments_schema(),
            "result": result,
        })
    }

    fn arguments_schema(&self) -> Value {
        if let Some(record) = self.only_record() {
            return record.schema();
        }
        let members = self
            .parameters
            .iter()
            .map(|one| (one.name, one.docs(), one.may_be_left_out(), &one.ty));
        object("", members)
    }
}

impl Record {
    /// Its schema.
    pub fn schema(&self) -> Value {
        let members = self.fields.iter().map(|field| {
            (
                field.name,
                field.docs,
                field.ty.may_be_left_out(),
                &field.ty,
            )
        });
        object(self.docs, members)
    }
}

impl Type {
    /// Its schema.
    pub fn schema(&self) -> Value {
        match self {
            Type::Bool => json!({ "type": "boolean" }),
            Type::U8 => json!({ "type": "integer", "minimum": 0, "maximum": u8::MAX }),
            Type::U32 => json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
            Type::U64 => json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX }),
            Type::Timestamp => json!({
                "type": "integer",
                "minimum": 0,
                "description": "Milliseconds since the Unix epoch.",
            }),
            Type::F32 | Type::F64 => json!({ "type": "number" }),
            Type::Text => json!({ "type": "string" }),
            // Any value, or a text that holds one.
            Type::Json => json!({ "description": "Any JSON value, or its text." }),
            Type::List(item) => json!({ "type": "array", "items": item.schema() }),
            Type::Option(item) => json!({ "anyOf": [item.schema(), { "type": "null" }] }),
            Type::Record(record) => record.schema(),
            Type::Enum(one) => choice(one.docs, one.cases),
            Type::Variant(variant) => choice(variant.docs, variant.cases),
        }
    }
}

fn object<'a>(
    docs: &str,
    members: impl Iterator<Item = (&'a str, &'a str, bool, &'a Type)>,
) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, docs, may_be_left_out, ty) in members {
        properties.insert(name.to_owned(), described(ty.schema(), docs));
        if !may_be_left_out {
            required.push(name);
        }
    }
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    described(schema, docs)
}

fn choice(docs: &str, cases: &[Case]) -> Value {
    let cases: Vec<_> = cases
        .iter()
        .map(|case| match &case.payload {
            None => described(json!({ "const": case.name }), case.docs),
            Some(payload) => object(case.docs, [(case.name, "", false, payload)].into_iter()),
        })
        .collect();
    described(json!({ "oneOf": cases }), docs)
}

/// A schema with a description, which takes the place of the type's own: it says what the value is for here.
fn described(mut schema: Value, docs: &str) -> Value {
    if let (Value::Object(members), false) = (&mut schema, docs.is_empty()) {
        members.insert("description".to_owned(), docs.into());
    }
    schema
}
