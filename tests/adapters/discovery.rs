//! Which adapter is meant by a name or a domain, and where it is found.

use std::{fs, os::unix::fs::symlink, path::Path};

use serde_json::json;
use twiceshy::Adapters;

use super::fixture::{User, made};
use crate::support::compiled;

#[test]
fn the_bundled_adapters_are_listed_as_they_say_they_are() {
    let adapters = Adapters::bundled(compiled());
    let entries = adapters.list();
    assert_eq!(entries.len(), 3);
    for entry in entries {
        let adapter = adapters.get(&entry.name).expect("a bundled adapter");
        let manifest = adapter.manifest();
        assert_eq!(entry.name, manifest.name);
        assert_eq!(entry.version.as_ref(), Some(&manifest.version));
        assert_eq!(entry.domain.as_ref(), Some(&manifest.domain));
        let found = adapters
            .for_domain(&manifest.domain)
            .expect("by its domain");
        assert_eq!(found.name(), entry.name);
    }
}

#[test]
fn the_projects_adapter_comes_before_the_users() {
    let user = User::new();
    let mut lamp = made("lamp");
    user.install(&lamp);
    lamp.version = "0.2.0";
    let file = lamp.write(&user.downloads.path().join("newer"));
    user.json(&[
        "adapter",
        "install",
        "--project",
        &file.display().to_string(),
    ]);
    let inspected = user.json(&["adapter", "inspect", "lamp"]);
    assert_eq!(
        (&inspected["version"], &inspected["place"]),
        (&json!("0.2.0"), &json!("project"))
    );
    let listed = user.listed("lamp");
    assert_eq!(listed[0]["state"], "ready");
    assert_eq!(
        (&listed[1]["place"], &listed[1]["state"]),
        (&json!("user"), &json!("hidden"))
    );
    user.json(&["adapter", "remove", "lamp"]);
    assert_eq!(
        user.json(&["adapter", "inspect", "lamp"])["version"],
        "0.1.0"
    );
}

#[test]
fn nothing_takes_the_name_of_a_bundled_adapter() {
    let user = User::new();
    let false_cli = made("cli");
    let file = false_cli.write(&user.downloads.path().join("cli"));
    let file = file.display().to_string();
    for place in [&["--project"][..], &[]] {
        let arguments = [&["adapter", "install"], place, &[file.as_str()]].concat();
        user.refused(
            &arguments,
            &["`cli`", "refused", "part of twiceshy", "another name"],
        );
    }
    // A cloned project may hold one all the same: it is told, and not used.
    false_cli.write(&user.project.memory().join("adapters/cli"));
    let listed = user.listed("cli");
    assert_eq!(
        (&listed[0]["place"], &listed[0]["state"]),
        (&json!("project"), &json!("hidden"))
    );
    assert_eq!(
        (&listed[1]["place"], &listed[1]["state"]),
        (&json!("bundled"), &json!("ready"))
    );
    let ran = user.run(&["run", "--", "sh", "-c", "echo broken >&2; exit 3"]);
    assert_eq!((ran.code(), ran.stderr().as_str()), (3, "broken\n"));
    let ran = user.run(&["doctor"]);
    assert!(
        ran.stdout().contains("part of twiceshy"),
        "{}",
        ran.stdout()
    );
}

#[test]
fn an_adapter_of_a_cloned_project_is_not_used_before_somebody_installs_it_here() {
    let user = User::new();
    let directory = user.project.memory().join("adapters/lamp");
    let file = made("lamp").write(&directory);
    // A receipt that came with the project is worth nothing.
    fs::write(directory.join("receipt.json"), "{}").expect("a receipt");
    assert_eq!(user.listed("lamp")[0]["state"], "not-installed");
    let ran = user.assess("lamp", "lamp");
    assert_eq!(ran.code(), 1);
    for part in [
        "came with the project",
        "sandbox",
        "twiceshy adapter install --project",
        &format!("twiceshy adapter check {}", file.display()),
    ] {
        assert!(ran.stderr().contains(part), "{}", ran.stderr());
    }
    let file = file.display().to_string();
    let install = ["adapter", "install", "--project", &file];
    // What else is there is not ours to replace.
    user.refused(&install, &["also holds receipt.json", "move it away"]);
    fs::remove_file(directory.join("receipt.json")).expect("a receipt");
    user.json(&install);
    assert_eq!(user.listed("lamp")[0]["state"], "ready");
    assert_eq!(user.assess("lamp", "lamp").code(), 0);
}

#[test]
fn a_step_finds_its_adapter_by_the_domain_of_its_run() {
    let user = User::new();
    let mut lamp = made("lamp");
    lamp.domain = "light";
    user.install(&lamp);
    let call = |function: &str, arguments: &serde_json::Value| {
        user.run(&["call", "--json", function, &arguments.to_string()])
    };
    let run = call(
        "runs.start",
        &json!({ "run": { "task": "on", "domain": "light" } }),
    )
    .json();
    let step = json!({ "action": "{}", "observation": "{}" });
    let observed = call(
        "adapters.observe",
        &json!({ "run": run["id"], "step": step }),
    );
    assert_eq!(observed.code(), 0, "{}", observed.stderr());
    let dark = call(
        "runs.start",
        &json!({ "run": { "task": "on", "domain": "dark" } }),
    )
    .json();
    let none = call(
        "adapters.observe",
        &json!({ "run": dark["id"], "step": step }),
    );
    assert!(
        none.stderr().contains("no adapter judges"),
        "{}",
        none.stderr()
    );

    let mut other = made("other-lamp");
    other.domain = "light";
    user.install(&other);
    let which = call(
        "adapters.observe",
        &json!({ "run": run["id"], "step": step }),
    );
    assert!(
        which.stderr().contains("lamp, other-lamp judge"),
        "{}",
        which.stderr()
    );
}

#[test]
fn a_name_leads_nowhere_else() {
    let user = User::new();
    made("lamp").write(&user.project.memory().join("lamp"));
    for name in ["../lamp", "/etc", ".", "", "Lamp", "nothing"] {
        user.refused(
            &["adapter", "inspect", name],
            &["refused", "there is no adapter with that name", "cli"],
        );
        user.refused(
            &["adapter", "release", name],
            &["refused", "there is no adapter with that name"],
        );
        user.refused(
            &["adapter", "remove", name],
            &["there is no adapter with that name"],
        );
    }
    user.refused(&["adapter", "remove", "cli"], &["part of twiceshy"]);
}

#[test]
fn an_adapter_that_only_came_with_a_project_takes_no_place_of_the_users() {
    let user = User::new();
    let mut lamp = made("lamp");
    lamp.domain = "light";
    user.install(&lamp);
    let in_project = user.project.memory().join("adapters");
    lamp.version = "0.2.0";
    lamp.write(&in_project.join("lamp"));
    let mut other = made("another-lamp");
    other.domain = "light";
    other.write(&in_project.join("another-lamp"));
    let listed = user.listed("lamp");
    let states: Vec<_> = listed
        .iter()
        .map(|entry| (&entry["place"], &entry["state"]))
        .collect();
    assert_eq!(
        states,
        [
            (&json!("project"), &json!("not-installed")),
            (&json!("user"), &json!("ready"))
        ]
    );
    let inspected = user.json(&["adapter", "inspect", "lamp"]);
    assert_eq!(
        (&inspected["version"], &inspected["place"]),
        (&json!("0.1.0"), &json!("user"))
    );
    assert_eq!(user.assess("lamp", "light").code(), 0);
    let call = |function: &str, arguments: &serde_json::Value| {
        user.run(&["call", "--json", function, &arguments.to_string()])
    };
    let run = json!({ "run": { "task": "on", "domain": "light" } });
    let run = call("runs.start", &run).json();
    let step = json!({ "action": "{}", "observation": "{}" });
    let step = json!({ "run": run["id"], "step": step });
    let observed = call("adapters.observe", &step);
    assert_eq!(observed.code(), 0, "{}", observed.stderr());
}

/// A directory of the user's with things that nobody else may touch.
fn precious(user: &User) -> std::path::PathBuf {
    let directory = user.downloads.path().join("precious");
    fs::create_dir_all(directory.join("lamp")).expect("a directory");
    fs::create_dir_all(directory.join("draft.tmp")).expect("a directory");
    for file in ["lamp/letter", "draft.tmp/letter", "letter.tmp"] {
        fs::write(directory.join(file), "dear").expect("a letter");
    }
    directory
}

#[track_caller]
fn assert_untouched(directory: &Path) {
    for file in ["lamp/letter", "draft.tmp/letter", "letter.tmp"] {
        let letter = fs::read_to_string(directory.join(file));
        assert_eq!(letter.expect("a letter"), "dear", "{file}");
    }
    assert_eq!(fs::read_dir(directory).expect("a directory").count(), 3);
}

#[test]
fn a_project_leads_to_no_directory_of_the_users() {
    let user = User::new();
    let precious = precious(&user);
    let file = made("lamp").write(&user.downloads.path().join("lamp"));
    let file = file.display().to_string();
    let install = ["adapter", "install", "--project", &file];
    let refused = |link: &Path| {
        let link = format!("rm {}", link.display());
        user.refused(&install, &["refused", "symbolic link", &link]);
        user.refused(&["adapter", "remove", "lamp"], &["symbolic link", &link]);
        assert_eq!(user.listed("lamp")[0]["state"], "broken");
        assert_untouched(&precious);
    };
    let adapters = user.project.memory().join("adapters");
    fs::create_dir_all(user.project.memory()).expect("a memory");
    symlink(&precious, &adapters).expect("a link");
    refused(&adapters);
    fs::remove_file(&adapters).expect("a link");
    fs::create_dir(&adapters).expect("a directory");
    symlink(precious.join("lamp"), adapters.join("lamp")).expect("a link");
    refused(&adapters.join("lamp"));
    fs::remove_file(adapters.join("lamp")).expect("a link");
    // The lock is taken before anything else is done.
    let lock = adapters.join(".lock");
    symlink(precious.join("lock"), &lock).expect("a link");
    user.refused(&install, &["symbolic link", &lock.display().to_string()]);
    assert_untouched(&precious);
    fs::remove_file(&lock).expect("a link");
    user.json(&install);
    assert_eq!(user.assess("lamp", "lamp").code(), 0);
}

#[test]
fn a_projects_link_to_an_adapter_of_the_users_takes_nothing_from_them() {
    let user = User::new();
    user.install(&made("lamp"));
    let adapters = user.project.memory().join("adapters");
    fs::create_dir_all(&adapters).expect("a directory");
    symlink(user.installed("lamp"), adapters.join("lamp")).expect("a link");
    for place in [&[][..], &["--project"]] {
        let remove = [&["adapter", "remove", "lamp"], place].concat();
        user.refused(&remove, &["symbolic link"]);
    }
    let listed = user.listed("lamp");
    assert_eq!(
        (&listed[0]["state"], &listed[1]["state"]),
        (&json!("broken"), &json!("ready"))
    );
    assert_eq!(user.assess("lamp", "lamp").code(), 0);
}

#[test]
fn a_link_in_the_memory_is_not_written_through() {
    let user = User::new();
    let elsewhere = user.downloads.path().join("elsewhere");
    fs::create_dir_all(user.project.memory()).expect("a memory");
    symlink(&elsewhere, user.project.memory().join(".gitignore")).expect("a link");
    assert_eq!(user.run(&["run", "--", "true"]).code(), 0);
    assert!(user.project.memory().join("memory.db").exists());
    assert!(!elsewhere.exists());
}
