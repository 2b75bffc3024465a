//! Every dependency has a licence that `deny.toml` allows, so that the whole can be given away.

use std::{fs, process::Command};

use serde_json::Value;

use crate::support::repository;

#[test]
fn every_dependency_has_an_allowed_licence() {
    let policy = fs::read_to_string(repository().join("deny.toml")).expect("the policy");
    let list = policy
        .split("allow = [")
        .nth(1)
        .and_then(|rest| rest.split(']').next())
        .expect("a list");
    let allowed: Vec<_> = list.split('"').skip(1).step_by(2).collect();
    let output = Command::new(env!("CARGO"))
        .current_dir(repository())
        .args(["metadata", "--format-version", "1", "--locked"])
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 50, "the dependencies are listed");
    for package in packages {
        let expression = package["license"]
            .as_str()
            .unwrap_or("none")
            .replace('/', " OR ");
        // One of the choices is enough; of what is joined by AND, every part counts.
        let fits = expression.split(" OR ").any(|choice| {
            choice
                .split(" AND ")
                .all(|part| allowed.contains(&part.trim_matches(['(', ')', ' '])))
        });
        assert!(
            fits,
            "{} is under `{expression}`, which deny.toml does not allow",
            package["name"]
        );
    }
}
