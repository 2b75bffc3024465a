//! The description of the service in OpenAPI 3.1, made from the contract.

use std::sync::OnceLock;

use hyper::body::Bytes;
use serde_json::{Map, Value, json};
use twiceshy::wit::{FUNCTIONS, Function};

use super::{CALLS, scope::Scope};
use crate::cli::call::HOST_FUNCTIONS;

/// Every function that can be called: those of the contract, and those of the host.
pub(super) fn functions() -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter().chain(HOST_FUNCTIONS)
}

/// The whole description as text. It is made once: whoever asks for it shows no token, and making it takes a while.
pub(super) fn text() -> Bytes {
    static TEXT: OnceLock<Bytes> = OnceLock::new();
    TEXT.get_or_init(|| description().to_string().into())
        .clone()
}

fn description() -> Value {
    let mut paths = Map::new();
    for function in functions() {
        paths.insert(
            format!("{CALLS}{}", function.method()),
            json!({ "post": operation(function) }),
        );
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "twiceshy",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "A learning memory for agents. Each function of its contract is a path.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "schemas": { "Error": {
                "type": "object",
                "required": ["error"],
                "properties": { "error": {
                    "type": "object",
                    "required": ["kind", "message"],
                    "properties": {
                        "kind": { "type": "string" },
                        "message": { "type": "string" },
                    },
                } },
            } },
        },
    })
}

fn operation(function: &Function) -> Value {
    let schema = function.schema();
    let method = function.method();
    let summary = function
        .docs
        .split_inclusive(". ")
        .next()
        .unwrap_or_default();
    json!({
        "operationId": method,
        "tags": [function.interface],
        "summary": summary.trim(),
        "description": format!("{}\n\nNeeds a token of scope `{}`.", function.docs, Scope::needed(&method)),
        "requestBody": {
            "required": true,
            "content": { "application/json": { "schema": schema["arguments"] } },
        },
        "responses": {
            "200": {
                "description": "What the function gives.",
                "content": { "application/json": { "schema": schema["result"] } },
            },
            "default": {
                "description": "Why it was refused or failed.",
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } },
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_a_path_of_its_own() {
        let description = description();
        let paths = description["paths"].as_object().expect("an object");
        assert_eq!(paths.len(), functions().count());
        let observe = &paths["/v1/call/runs.observe"]["post"];
        assert_eq!(observe["operationId"], "runs.observe");
        assert!(
            observe["requestBody"]["content"]["application/json"]["schema"]["properties"]["run"]
                .is_object()
        );
    }
}
