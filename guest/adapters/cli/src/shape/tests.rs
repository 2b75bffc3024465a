//! What fits a shape and what does not, case by case.

use serde_json::json;

use super::*;

fn misfit(schema: &Value, value: &Value) -> Option<String> {
    Shape::read("s", schema)
        .expect("a schema")
        .misfit(value, 1 << 10)
}

#[test]
fn what_does_not_fit_is_told_with_its_place() {
    let schema = json!({
        "type": "object",
        "required": ["rows"],
        "additionalProperties": false,
        "properties": {
            "note": {"type": ["string", "null"], "maxLength": 3},
            "rows": {"type": "array", "minItems": 1, "maxItems": 2, "items": {
                "type": "object",
                "required": ["id"],
                "properties": {
                    "id": {"type": "integer", "minimum": 1, "exclusiveMaximum": 9},
                    "name": {"pattern": "^[a-z]+$"},
                    "kind": {"enum": ["a", "b"]}
                }
            }}
        }
    });
    let cases = [
        (
            json!({"rows": [{"id": 1, "name": "ab", "kind": "a"}], "note": null}),
            None,
        ),
        (json!({"rows": [{"id": 2.0}]}), None),
        (json!([]), Some("$ should be object, not array")),
        (json!({}), Some("$ lacks \"rows\"")),
        (
            json!({"rows": []}),
            Some("$.rows should have at least 1 items, not 0"),
        ),
        (
            json!({"rows": [{"id": 1}], "x": 1}),
            Some("$.x should not be there"),
        ),
        (
            json!({"rows": [{"id": 1}, {}]}),
            Some("$.rows[1] lacks \"id\""),
        ),
        (
            json!({"rows": [{"id": 1.5}]}),
            Some("$.rows[0].id should be integer, not number"),
        ),
        (
            json!({"rows": [{"id": 0}]}),
            Some("$.rows[0].id should be at least 1, not 0"),
        ),
        (
            json!({"rows": [{"id": 9}]}),
            Some("$.rows[0].id should be less than 9, not 9"),
        ),
        (
            json!({"rows": [{"id": 1, "name": "A"}]}),
            Some("$.rows[0].name should match ^[a-z]+$"),
        ),
        (
            json!({"rows": [{"id": 1, "kind": "c"}]}),
            Some("$.rows[0].kind has the wrong value"),
        ),
        (
            json!({"rows": [{"id": 1}], "note": "long"}),
            Some("$.note should have at most 3 characters, not 4"),
        ),
    ];
    for (value, expected) in cases {
        assert_eq!(misfit(&schema, &value).as_deref(), expected, "{value}");
    }
}

#[test]
fn alternatives_are_tried() {
    let number = json!({"type": "number"});
    let small = json!({"maximum": 5});
    for (schema, value, fits) in [
        (json!({"anyOf": [number, small]}), json!(3), true),
        (json!({"oneOf": [number, small]}), json!(3), false),
        (json!({"oneOf": [number, small]}), json!(7), true),
        (json!({"allOf": [number, small]}), json!(7), false),
        (
            json!({"anyOf": [{"type": "null"}, {"const": 1}]}),
            json!(2),
            false,
        ),
        (json!({"not": number}), json!(3), false),
        (json!({"not": number}), json!("x"), true),
        (json!(true), json!(1), true),
        (json!(false), json!(1), false),
    ] {
        assert_eq!(misfit(&schema, &value).is_none(), fits, "{schema} {value}");
    }
}

#[test]
fn what_is_not_read_is_refused_by_its_place() {
    let mut deep = json!({});
    for _ in 0..40 {
        deep = json!({"items": deep});
    }
    for (schema, place) in [
        (
            json!({"properties": {"a": {"$ref": "#/b"}}}),
            "s.properties.a.$ref: ",
        ),
        (
            json!({"type": "text"}),
            "s.type: \"text\" is not a type of JSON Schema",
        ),
        (json!({"items": [1]}), "s.items.0: a schema must be"),
        (json!({"items": [{}]}), "s.items: a schema must be"),
        (json!({"minItems": 2, "maxItems": 1}), "s: minItems is more"),
        (json!({"pattern": "("}), "s.pattern: the pattern"),
        (json!({"required": "a"}), "s.required: it must be a list"),
        (deep, "s.items"),
    ] {
        let Err(Error::InvalidInput(told)) = Shape::read("s", &schema) else {
            panic!("{schema}");
        };
        assert!(told.starts_with(place), "{told}");
    }
}

#[test]
fn a_hostile_shape_ends_and_is_open() {
    let schema = json!({"items": {"anyOf": vec![json!({"pattern": "(a?){20}b"}); 40]}});
    let shape = Shape::read("s", &schema).expect("a schema");
    assert_eq!(shape.patterns(), 40);
    assert_eq!(
        shape.misfit(&json!(["a", "a"]), 100).as_deref(),
        Some("$[0] matches none of the allowed schemas")
    );
    let long = json!([vec!["x"; 10], vec!["a".repeat(500); 4_000]]);
    let schema = json!({"items": {"items": {"pattern": "(a?){20}|b"}}});
    assert_eq!(misfit(&schema, &long), None);
}
