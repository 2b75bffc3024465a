//! Two-sided grants: an adapter asks, the user grants, and more than the default needs both.

use std::fs;

use serde_json::json;

use super::fixture::{Made, User, made};

/// An adapter that asks for memory, and takes it when it judges.
fn greedy(mib: u32) -> Made {
    let mut greedy = made("greedy");
    // As an allocator does: without the memory there is no way on.
    greedy.assessing = format!(
        "(if (i32.lt_s (memory.grow (i32.const {})) (i32.const 0)) (then unreachable))",
        mib * 16
    );
    greedy
}

fn install_asking(user: &User, made: &Made, limits: &str) {
    let directory = user.downloads.path().join(made.name);
    let file = made.write(&directory);
    let text = format!("{}\n[limits]\n{limits}\n", made.declaration());
    fs::write(directory.join("adapter.toml"), text).expect("a declaration");
    user.json(&["adapter", "install", &file.display().to_string()]);
}

#[test]
fn what_is_asked_for_and_not_granted_is_told_with_the_line_to_write() {
    let user = User::new();
    install_asking(&user, &greedy(200), "memory-mib = 256");
    let inspected = user.json(&["adapter", "inspect", "greedy"]);
    assert_eq!(inspected["asked"], json!({ "memory-mib": 256 }));
    assert_eq!(inspected["granted"], json!({}));
    assert_eq!(inspected["limits"]["memory-mib"], 128);
    let advice = user.run(&["adapter", "inspect", "greedy"]).stdout();
    assert!(
        advice.contains("adapters.greedy = { memory-mib = 256 }"),
        "{advice}"
    );
    assert!(advice.contains("config.toml"), "{advice}");
    let ran = user.assess("greedy", "greedy");
    assert!(ran.stderr().contains("memory"), "{}", ran.stderr());
    assert!(
        ran.stderr().contains("more than 128 MiB"),
        "{}",
        ran.stderr()
    );

    let grant = "[adapters.greedy]\nmemory-mib = 256\n";
    fs::write(user.home.path().join("config.toml"), grant).expect("a grant");
    assert_eq!(user.assess("greedy", "greedy").code(), 0);
    let inspected = user.json(&["adapter", "inspect", "greedy"]);
    assert_eq!(inspected["limits"]["memory-mib"], 256);
    assert_eq!(inspected["to-grant"], json!(null));
}

#[test]
fn a_grant_that_nobody_asked_for_gives_nothing() {
    let user = User::new();
    fs::write(
        user.home.path().join("config.toml"),
        "[adapters.greedy]\nmemory-mib = 256\n",
    )
    .expect("a grant");
    user.install(&greedy(200));
    assert_eq!(
        user.json(&["adapter", "inspect", "greedy"])["limits"]["memory-mib"],
        128
    );
}

#[test]
fn a_project_grants_nothing() {
    let user = User::new();
    fs::create_dir_all(user.project.memory()).expect("a memory");
    let file = user.project.memory().join("config.toml");
    fs::write(file, "[adapters.greedy]\nmemory-mib = 256\n").expect("a grant");
    user.refused(
        &["adapter", "list"],
        &["[adapters] is only allowed in the user's own"],
    );
}

#[test]
fn a_user_may_give_less_than_the_default() {
    let user = User::new();
    user.install(&greedy(32));
    assert_eq!(user.assess("greedy", "greedy").code(), 0);
    fs::write(
        user.home.path().join("config.toml"),
        "[adapters.greedy]\nmemory-mib = 16\n",
    )
    .expect("a bound");
    let ran = user.assess("greedy", "greedy");
    assert!(
        ran.stderr().contains("more than 16 MiB"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn an_adapter_that_needs_its_grant_to_start_says_so_when_it_is_installed() {
    let user = User::new();
    let mut greedy = greedy(1);
    greedy.describing =
        "(if (i32.lt_s (memory.grow (i32.const 3200)) (i32.const 0)) (then unreachable))".into();
    let directory = user.downloads.path().join("greedy");
    let file = greedy.write(&directory).display().to_string();
    let text = format!("{}[limits]\nmemory-mib = 256\n", greedy.declaration());
    fs::write(directory.join("adapter.toml"), text).expect("a declaration");
    user.refused(
        &["adapter", "install", &file],
        &["memory", "adapters.greedy = { memory-mib = 256 }"],
    );
    fs::write(
        user.home.path().join("config.toml"),
        "[adapters.greedy]\nmemory-mib = 256\n",
    )
    .expect("a grant");
    user.json(&["adapter", "install", &file]);
    assert_eq!(user.assess("greedy", "greedy").code(), 0);
}

#[test]
fn the_advice_can_be_copied_as_it_is() {
    let user = User::new();
    install_asking(&user, &greedy(1), "memory-mib = 512\ntime-ms = 3000");
    let inspected = user.json(&["adapter", "inspect", "greedy"]);
    let advice = inspected["to-grant"].as_str().expect("advice");
    let (_, line) = advice.split_once("config.toml: ").expect("a line");
    // At the top of a file with whatever else is granted.
    let file = format!("{line}\n\n[adapters.other]\nmemory-mib = 64\n");
    fs::write(user.home.path().join("config.toml"), file).expect("a grant");
    let inspected = user.json(&["adapter", "inspect", "greedy"]);
    assert_eq!(inspected["to-grant"], json!(null));
    assert_eq!(
        (
            &inspected["limits"]["memory-mib"],
            &inspected["limits"]["time-ms"]
        ),
        (&json!(512), &json!(3000))
    );
}
