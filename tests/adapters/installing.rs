//! Installing: whole or not at all, with a receipt that is checked whenever the adapter is loaded.

use std::{
    fs,
    process::{Command, Stdio},
    time::{Duration, SystemTime},
};

use serde_json::json;

use super::fixture::{User, made};

#[test]
fn an_installed_adapter_works_and_everything_about_it_can_be_seen() {
    let user = User::new();
    let receipt = user.install(&made("lamp"));
    assert_eq!(
        (&receipt["name"], &receipt["source"]),
        (&json!("lamp"), &json!("adapter.wasm"))
    );
    assert_eq!(user.assess("lamp", "lamp").code(), 0);
    let inspected = user.json(&["adapter", "inspect", "lamp"]);
    assert_eq!(inspected["manifest"]["summary"], "Made for a test.");
    assert_eq!(
        inspected["receipt"]["component-sha256"],
        receipt["component-sha256"]
    );
    assert_eq!(inspected["limits"]["time-ms"], 1000);
    assert_eq!(inspected["strikes"], json!(null));
    assert_eq!(inspected["imports"], json!([]));
    assert_eq!(inspected["memory-kib"], 128);
    let text = user.run(&["adapter", "inspect", "lamp"]).stdout();
    for part in [
        "Made for a test.",
        "imports       ",
        "receipt",
        "action:",
        "strikes       none",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let doctor = user.run(&["doctor"]).stdout();
    assert!(doctor.contains("lamp 0.1.0"), "{doctor}");
}

#[test]
fn a_component_without_a_declaration_is_installed_by_what_it_says_of_itself() {
    let user = User::new();
    let file = user.download("anything.wasm", &made("lamp").component());
    user.json(&["adapter", "install", &file]);
    let text = fs::read_to_string(user.installed("lamp").join("adapter.toml")).expect("made");
    for line in [
        "name = \"lamp\"",
        "contract = \"twiceshy:adapter@0.1\"",
        "sha256 = ",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert_eq!(user.assess("lamp", "lamp").code(), 0);
}

#[test]
fn compiling_is_done_when_it_is_installed_and_not_at_the_first_step() {
    let user = User::new();
    let file = made("lamp").write(&user.downloads.path().join("lamp"));
    let ran = user.run(&["adapter", "install", &file.display().to_string()]);
    assert!(
        ran.stderr().contains("compiling `lamp`"),
        "{}",
        ran.stderr()
    );
    let ran = user.assess("lamp", "lamp");
    assert_eq!((ran.code(), ran.stderr().as_str()), (0, ""));
}

#[test]
fn a_changed_byte_is_refused_in_words() {
    let user = User::new();
    user.install(&made("lamp"));
    let directory = user.installed("lamp");
    for file in ["adapter.wasm", "adapter.toml"] {
        let path = directory.join(file);
        let good = fs::read(&path).expect("installed");
        let mut bad = good.clone();
        let last = bad.len() - 1;
        bad[last] ^= 1;
        fs::write(&path, &bad).expect("changed");
        let ran = user.assess("lamp", "lamp");
        assert_eq!(ran.code(), 1);
        let said = ran.stderr();
        assert!(
            said.contains("refused") || said.contains("incompatible"),
            "{said}"
        );
        assert!(said.contains(file), "{said}");
        assert_ne!(user.listed("lamp")[0]["state"], "ready");
        fs::write(&path, &good).expect("mended");
        assert_eq!(
            user.assess("lamp", "lamp").code(),
            0,
            "the same bytes are good again"
        );
    }
}

#[test]
fn a_component_that_was_changed_unseen_is_not_what_runs() {
    let user = User::new();
    user.install(&made("lamp"));
    let file = user.installed("lamp").join("adapter.wasm");
    let before = fs::metadata(&file)
        .expect("installed")
        .modified()
        .expect("a time");
    let mut bytes = fs::read(&file).expect("installed");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&file, &bytes).expect("changed");
    let forged = fs::File::options().write(true).open(&file).expect("a file");
    forged.set_modified(before).expect("a forged time");
    // What runs is what was compiled from the bytes that were installed.
    assert_eq!(user.assess("lamp", "lamp").code(), 0);
    // And without it, nothing is compiled that does not have the hash of the receipt.
    fs::remove_dir_all(user.home.path().join("cache")).expect("no cache");
    let ran = user.assess("lamp", "lamp");
    assert!(
        ran.stderr().contains("changed since it was installed"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn what_the_declaration_and_the_component_say_must_agree() {
    let user = User::new();
    let directory = user.downloads.path().join("lamp");
    let file = made("lamp").write(&directory).display().to_string();
    let good = made("lamp").declaration();
    let install = ["adapter", "install", &file];
    for (declaration, said) in [
        (
            good.replace("0.1.0", "0.2.0"),
            "adapter.toml says version = \"0.2.0\", but the component says \"0.1.0\"",
        ),
        (
            good.replace("domain = \"lamp\"", "domain = \"dark\""),
            "says domain = \"dark\"",
        ),
        (
            good.replace("name = \"lamp\"", "name = \"light\""),
            "says name = \"light\"",
        ),
        (
            format!("{good}sha256 = \"{}\"\n", "0".repeat(64)),
            "one of them was changed",
        ),
        (
            good.replace("adapter@0.1", "adapter@0.2"),
            "needs twiceshy:adapter@0.2, this host offers 0.1",
        ),
        (
            format!("{good}files = true\n"),
            "adapter.toml:5: unknown field `files`",
        ),
    ] {
        fs::write(directory.join("adapter.toml"), declaration).expect("a declaration");
        user.refused(&install, &["incompatible", said]);
    }
    assert!(user.listed("lamp").is_empty(), "nothing of it was left");
    assert!(!user.installed("lamp").exists());
    assert!(!user.installed("light").exists());
}

#[test]
fn another_version_takes_the_place_of_the_one_before() {
    let user = User::new();
    let mut lamp = made("lamp");
    user.install(&lamp);
    lamp.version = "0.2.0";
    user.install(&lamp);
    let listed = user.listed("lamp");
    assert_eq!((listed.len(), &listed[0]["version"]), (1, &json!("0.2.0")));
    let compiled = fs::read_dir(user.home.path().join("cache")).expect("a cache");
    let of_lamp = compiled.filter(|file| {
        let name = file.as_ref().expect("a file").file_name();
        name.to_string_lossy().starts_with("lamp-")
    });
    assert_eq!(of_lamp.count(), 1, "the old one's code is gone");
    user.json(&["adapter", "remove", "lamp"]);
    assert!(user.listed("lamp").is_empty());
    let receipts = fs::read_dir(user.home.path().join("receipts")).expect("receipts");
    assert_eq!(receipts.count(), 0);
}

#[test]
fn eight_processes_that_install_at_once_leave_a_whole_adapter() {
    let user = User::new();
    let files: Vec<_> = ["0.1.0", "0.2.0"]
        .map(|version| {
            let mut lamp = made("lamp");
            lamp.version = version;
            lamp.write(&user.downloads.path().join(version))
        })
        .to_vec();
    let start = |file: &std::path::Path| {
        let mut command: Command =
            user.project
                .command(&["adapter", "install", &file.display().to_string()]);
        command
            .env("TWICESHY_HOME", user.home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    };
    let children: Vec<_> = (0..8).map(|number| start(&files[number % 2])).collect();
    for child in children {
        let output = child.wait_with_output().expect("the program ends");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    assert_eq!(user.listed("lamp")[0]["state"], "ready");
    assert_eq!(user.assess("lamp", "lamp").code(), 0);
    let names: Vec<_> = fs::read_dir(user.home.path().join("adapters"))
        .expect("adapters")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert!(
        names.iter().all(|name| name == "lamp" || name == ".lock"),
        "{names:?}"
    );
}

#[test]
fn what_a_killed_installation_left_is_swept_and_never_used() {
    let user = User::new();
    let half = user.home.path().join("adapters/.4711-0.tmp");
    fs::create_dir_all(&half).expect("a half");
    fs::write(half.join("adapter.toml"), "name = ").expect("a half");
    // Half a directory of that name, as an unlucky copy leaves it.
    fs::create_dir_all(user.installed("lamp")).expect("a half");
    assert_eq!(user.listed("lamp")[0]["state"], "broken");
    user.install(&made("lamp"));
    assert_eq!(user.listed("lamp")[0]["state"], "ready");
    assert!(!half.exists());
}

#[test]
fn a_copy_that_only_looks_newer_is_hashed_and_taken() {
    let user = User::new();
    user.install(&made("lamp"));
    let file = user.installed("lamp").join("adapter.wasm");
    let touched = fs::File::options().write(true).open(&file).expect("a file");
    let later = SystemTime::now() + Duration::from_secs(60);
    touched.set_modified(later).expect("a time");
    assert_eq!(user.assess("lamp", "lamp").code(), 0);
}

#[test]
fn what_else_is_in_the_place_of_an_adapter_is_kept() {
    let user = User::new();
    user.install(&made("lamp"));
    let notes = user.installed("lamp").join("notes.txt");
    fs::write(&notes, "dear").expect("notes");
    let around = user.home.path().join("adapters");
    let strangers = [around.join("draft.tmp"), around.join(".1-2.tmp")];
    for stranger in &strangers {
        fs::create_dir(stranger).expect("a directory");
        fs::write(stranger.join("letter"), "dear").expect("a letter");
    }
    let file = user.downloads.path().join("lamp/adapter.wasm");
    let install = ["adapter", "install", &file.display().to_string()];
    for command in [&install[..], &["adapter", "remove", "lamp"]] {
        user.refused(command, &["also holds notes.txt", "move it away"]);
    }
    assert_eq!(fs::read_to_string(&notes).expect("kept"), "dear");
    assert_eq!(user.assess("lamp", "lamp").code(), 0);
    fs::remove_file(&notes).expect("notes");
    user.json(&install);
    user.json(&["adapter", "remove", "lamp"]);
    for stranger in strangers {
        assert!(stranger.join("letter").exists(), "{}", stranger.display());
    }
}

#[test]
fn an_adapter_and_its_receipt_are_written_both_or_neither() {
    let user = User::new();
    let mut lamp = made("lamp");
    user.install(&lamp);
    lamp.version = "0.2.0";
    let file = lamp.write(&user.downloads.path().join("newer"));
    let file = file.display().to_string();
    let [install, install_here] = [
        &["adapter", "install", &file][..],
        &["adapter", "install", "--project", &file],
    ];
    let receipts = user.home.path().join("receipts");
    let away = user.home.path().join("away");
    let in_project = user.project.memory().join("adapters/lamp");
    let assert_as_before = || {
        let listed = user.listed("lamp");
        assert_eq!(
            (listed.len(), &listed[0]["state"], &listed[0]["version"]),
            (1, &json!("ready"), &json!("0.1.0"))
        );
        assert!(!in_project.exists());
        assert_eq!(user.assess("lamp", "lamp").code(), 0);
        for (directory, count) in [(&receipts, 1), (&user.home.path().join("adapters"), 2)] {
            assert_eq!(fs::read_dir(directory).expect("there").count(), count);
        }
    };

    // Nothing can be written where receipts are.
    fs::rename(&receipts, &away).expect("moved");
    fs::write(&receipts, "").expect("a file");
    for command in [install, install_here] {
        user.refused(command, &["its receipt can't be written in", "receipts"]);
    }
    let remove = ["adapter", "remove", "lamp"];
    user.refused(&remove, &["receipt", "can't be removed"]);
    fs::remove_file(&receipts).expect("a file");
    fs::rename(&away, &receipts).expect("moved");
    assert_as_before();

    // Or only the one receipt can't take its place.
    let only = || {
        let mut files = fs::read_dir(&receipts).expect("receipts");
        files.next().expect("a receipt").expect("a receipt").path()
    };
    let receipt = only();
    fs::rename(&receipt, &away).expect("moved");
    fs::create_dir(&receipt).expect("a directory");
    user.refused(install, &["its receipt can't be written in"]);
    user.refused(&remove, &["receipt", "can't be removed"]);
    fs::remove_dir(&receipt).expect("a directory");
    fs::rename(&away, &receipt).expect("moved");
    assert_as_before();

    // The same where no adapter was before.
    user.json(&remove);
    user.json(install_here);
    let receipt = only();
    user.json(&remove);
    fs::create_dir(&receipt).expect("a directory");
    user.refused(install_here, &["its receipt can't be written in"]);
    assert!(!in_project.exists());
}

#[test]
fn a_damaged_receipt_counts_as_none() {
    let user = User::new();
    let receipt = user.install(&made("lamp"));
    let sha256 = receipt["component-sha256"].as_str().expect("a hash");
    let mut receipts = fs::read_dir(user.home.path().join("receipts")).expect("receipts");
    let file = receipts.next().expect("one").expect("one").path();
    let good = fs::read_to_string(&file).expect("a receipt");
    let long = format!("x{}", "ä".repeat(40));
    for hash in ["", "../../../x", &long, &sha256.to_uppercase()] {
        fs::write(&file, good.replace(sha256, hash)).expect("damaged");
        assert_eq!(user.listed("lamp")[0]["state"], "not-installed", "{hash}");
        let ran = user.assess("lamp", "lamp");
        assert!(ran.stderr().contains("not installed"), "{}", ran.stderr());
        assert_eq!(user.run(&["doctor"]).code(), 1);
    }
    user.install(&made("lamp"));
    assert_eq!(user.assess("lamp", "lamp").code(), 0);
}

#[test]
fn a_pipe_is_refused_and_nobody_waits_for_it() {
    let user = User::new();
    let pipe = |path: &std::path::Path| {
        nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    };
    let directory = user.project.memory().join("adapters/lamp");
    fs::create_dir_all(&directory).expect("a directory");
    pipe(&directory.join("adapter.toml"));
    pipe(&directory.with_file_name(".lock"));
    let listed = user.listed("lamp");
    assert_eq!(listed[0]["state"], "broken");
    let note = listed[0]["note"].as_str().expect("a note");
    assert!(note.contains("not a regular file"), "{note}");
    assert_eq!(user.run(&["doctor"]).code(), 1);
    let file = user.downloads.path().join("pipe.wasm");
    pipe(&file);
    let file = file.display().to_string();
    user.refused(&["adapter", "install", &file], &["not a regular file"]);
}

#[test]
fn compiling_is_announced_only_where_something_is_compiled() {
    let user = User::new();
    let directory = user.downloads.path().join("lamp");
    let file = made("lamp").write(&directory);
    let module = wat::parse_str("(module)").expect("a module");
    let large = || {
        let file = fs::File::options().write(true).open(&file).expect("a file");
        let most = twiceshy::limits::COMPONENT_BYTES as u64;
        file.set_len(most + 1).expect("a large file");
    };
    let refused = |said: &str| {
        for command in ["install", "check"] {
            let ran = user.run(&["adapter", command, &file.display().to_string()]);
            let told = ran.stdout() + &ran.stderr();
            assert!(ran.code() == 1 && told.contains(said), "{told}");
            assert!(!told.contains("compiling"), "{told}");
        }
    };
    large();
    refused("at most 64 MiB are allowed");
    fs::write(&file, &module).expect("a module");
    refused("it is a core module");
    fs::remove_file(directory.join("adapter.toml")).expect("a declaration");
    refused("it is a core module");
}
