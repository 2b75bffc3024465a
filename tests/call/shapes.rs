//! What `call --list` and `call --schema` say of a function, and that it is true: every function takes it.

use serde_json::{Map, Value, json};

use super::contract;
use crate::support::Scratch;

/// A value that fits a JSON Schema, with all members or with those alone that are required.
fn instance(schema: &Value, is_full: bool) -> Value {
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    if let Some(choices) = schema.get("anyOf").or_else(|| schema.get("oneOf")) {
        return instance(&choices[0], is_full);
    }
    match schema["type"].as_str() {
        Some("string") => json!("x"),
        Some("integer") => json!(1),
        Some("number") => json!(0.5),
        Some("boolean") => json!(true),
        Some("null") => Value::Null,
        Some("array") => json!([instance(&schema["items"], is_full)]),
        Some("object") => {
            let required = schema["required"].as_array().expect("what is required");
            let properties = schema["properties"].as_object().expect("properties");
            let members = properties
                .iter()
                .filter(|(name, _)| is_full || required.contains(&json!(name)))
                .map(|(name, schema)| (name.clone(), instance(schema, is_full)));
            members.collect::<Map<_, _>>().into()
        }
        _ => json!({ "any": "value" }),
    }
}

#[test]
fn every_function_takes_the_arguments_that_its_schema_describes() {
    let project = Scratch::new();
    let schemas = project.run(&["call", "--schema"]).json();
    let schemas = schemas.as_array().expect("schemas");
    assert_eq!(schemas.len(), contract().len() + 2);
    let mut requests = String::new();
    let mut asked = Vec::new();
    for schema in schemas {
        for is_full in [true, false] {
            let request = json!({
                "method": schema["name"],
                "args": instance(&schema["arguments"], is_full),
            });
            requests.push_str(&format!("{request}\n"));
            asked.push(request);
        }
    }
    let answers = project.run_with(&["call", "--lines"], requests.as_bytes());
    let answers: Vec<Value> = answers
        .stdout()
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), asked.len());
    for (request, answer) in asked.iter().zip(&answers) {
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        let is_refused = message.contains("; expected {")
            || message.contains("the arguments must be")
            || message.starts_with("arguments: ");
        assert!(!is_refused, "{request}: {message}");
    }
}

#[test]
fn an_argument_with_a_member_of_its_own_name_is_taken_both_ways() {
    let project = Scratch::new();
    for (method, members) in [
        (
            "recall.for-task",
            json!({ "task": "sort it", "domain": "cli" }),
        ),
        (
            "decisions.filter",
            json!({ "module": "m", "hypotheses": ["h"] }),
        ),
        ("patterns.find-applicable", json!({ "task": "sort it" })),
    ] {
        let schema = project.run(&["call", "--schema", method]).json();
        let full = instance(&schema[0]["arguments"], false);
        let mut given = full.as_object().expect("members").clone();
        given.extend(members.as_object().expect("members").clone());
        let direct = project.run(&["call", method, &Value::Object(given.clone()).to_string()]);
        assert_eq!(direct.code(), 0, "{method}: {}", direct.stderr());
        let listed = project.run(&["call", "--list", method, "--json"]).json();
        let name = listed[0]["parameters"][0]["name"].as_str().expect("a name");
        let wrapped = json!({ name: given });
        let wrapped = project.run(&["call", method, &wrapped.to_string()]);
        assert_eq!(wrapped.json(), direct.json(), "{method}");
    }
}

#[test]
fn one_function_or_one_interface_is_listed_by_name() {
    let project = Scratch::new();
    let one = project
        .run(&["call", "--list", "lessons.set_status"])
        .stdout();
    assert!(
        one.starts_with("lessons.set-status {\"lesson\": string, "),
        "{one}"
    );
    assert_eq!(one.lines().filter(|line| line.contains('→')).count(), 1);
    let links = project.run(&["call", "--list", "links", "--json"]).json();
    let links = links.as_array().expect("a list");
    assert!(
        links.len() > 2
            && links
                .iter()
                .all(|function| function["interface"] == "links")
    );
    let adapters = project
        .run(&["call", "--list", "adapters", "--json"])
        .json();
    let names: Vec<_> = adapters
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["name"])
        .collect();
    assert_eq!(names, ["assess", "observe"]);
    let none = project.run(&["call", "--list", "lesson.get"]);
    assert_eq!(none.code(), 2);
    assert!(none.stderr().contains("`lesson.get`"), "{}", none.stderr());
    assert!(!project.memory().exists(), "a list needs no memory");
}

#[test]
fn a_schema_says_what_the_contract_says() {
    let project = Scratch::new();
    let schema = &project.run(&["call", "--schema", "lessons.propose"]).json()[0];
    let arguments = &schema["arguments"];
    assert_eq!(schema["name"], "lessons.propose");
    assert_eq!(arguments["additionalProperties"], false);
    assert!(
        arguments["required"]
            .as_array()
            .expect("a list")
            .contains(&json!("rule-text"))
    );
    let properties = arguments["properties"].as_object().expect("members");
    for (name, property) in properties {
        let docs = property["description"].as_str().unwrap_or_default();
        assert!(!docs.is_empty(), "{name} is not described");
    }
    assert_eq!(
        schema["result"]["properties"]["rule-text"]["type"],
        "string"
    );
    let stats = &project.run(&["call", "--schema", "decisions.stats"]).json()[0];
    assert_eq!(stats["arguments"]["properties"], json!({}));
}
