//! For authors of adapters: a project in each language, and the guide, followed to the letter.
//!
//! Real tools build the projects: cargo, componentize-py from PyPI and componentize-qjs from npm, installed by the
//! projects' own scripts. What is compiled of a Rust project stays in the target directory, so that only the first
//! run of these tests takes long.

mod guide;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::support::{Ran, Scratch, compiled_into};

/// The files of a project, from its directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(self::files(&path)),
            false => files.push(path),
        }
    }
    files
}

/// Follows a part of the guide in a directory and a home of its own.
fn follow(part: &str) {
    let scratch = Scratch::new();
    let home = scratch.path().join("home");
    fs::create_dir(&home).unwrap();
    // Compiling the memory has been paid for.
    compiled_into(&home);
    let work = scratch.path().join("work");
    fs::create_dir(&work).unwrap();
    // An author may well begin within another project, which is none of the adapter's business.
    fs::write(scratch.path().join("Cargo.toml"), "[workspace]\n").unwrap();

    let blocks = guide::part(part);
    let mut script = "set -eu\nexec 2>&1\n".to_owned();
    for (number, block) in blocks.iter().enumerate() {
        script.push_str(&block.commands);
        script.push_str(&format!("printf '\\n{}\\n'\n", mark(number)));
    }
    let program = Path::new(env!("CARGO_BIN_EXE_twiceshy")).parent().unwrap();
    let mut path = vec![program.to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &script])
        .current_dir(&work)
        .stdin(Stdio::null())
        .env("PATH", env::join_paths(path).unwrap())
        .env("TWICESHY_HOME", &home)
        .env("CARGO_TARGET_DIR", build_directory())
        // A registry that is slow on a busy machine is asked again.
        .env("CARGO_NET_RETRY", "10")
        .env("CARGO_HTTP_TIMEOUT", "300")
        .env_remove("TWICESHY_MEMORY")
        .env_remove("TWICESHY_RUN")
        .env_remove("TWICESHY_LOG")
        .env("TWICESHY_ALONE", "1");
    // What the build of these tests was told is not for the build of a project.
    for variable in [
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_BUILD_TARGET",
        "RUSTC_WRAPPER",
    ] {
        shell.env_remove(variable);
    }
    let ran = Ran(shell.output().expect("a shell"));
    let mut left = ran.stdout();
    for (number, block) in blocks.iter().enumerate() {
        let place = format!("docs/ADAPTERS.md:{}", block.line);
        let Some((printed, rest)) = left.split_once(&format!("\n{}\n", mark(number))) else {
            panic!(
                "{place}: this fails:\n{}\n{left}{}",
                block.commands,
                ran.stderr()
            );
        };
        if let Some(shown) = &block.prints {
            assert!(
                guide::is_as_shown(shown, printed),
                "{place}: this does not print what the guide shows:\n{}\nshown:\n{shown}\nprinted:\n{printed}",
                block.commands
            );
        }
        left = rest.to_owned();
    }
}

/// What ends the output of a block.
fn mark(number: usize) -> String {
    format!("-- end of block {number} --")
}

/// Where projects in Rust are compiled, once for all runs of these tests.
fn build_directory() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("authors")
}

#[test]
fn the_guide_is_followed_to_the_letter_in_rust() {
    follow("rust");
}

#[test]
fn the_guide_is_followed_to_the_letter_in_python() {
    // Debian has what makes a virtual environment in a package of its own.
    let prepared = Command::new("sh")
        .args(["-c", "python3 -c 'import ensurepip' || (apt-get update -q && apt-get install -q -y python3-venv)"])
        .status();
    assert!(prepared.expect("a shell").success());
    follow("python");
}

#[test]
fn the_guide_is_followed_to_the_letter_in_javascript() {
    follow("js");
}

#[test]
fn a_host_with_an_evaluator_of_its_own_needs_no_adapter() {
    follow("no adapter");
}

#[test]
fn the_code_in_the_guide_is_the_code_of_the_projects() {
    let scratch = Scratch::new();
    for language in ["rust", "python", "js"] {
        let made = scratch.run(&[
            "adapter", "new", "orders", "--lang", language, "--dir", language,
        ]);
        assert_eq!(made.code(), 0, "{}", made.stderr());
        let files = files(&scratch.path().join(language));
        let texts: Vec<_> = files
            .iter()
            .map(|file| fs::read_to_string(file).unwrap())
            .collect();
        let pieces = guide::code(language);
        assert!(!pieces.is_empty(), "the guide shows no {language}");
        for piece in pieces {
            assert!(texts.iter().any(|text| text.contains(&piece)), "{piece}");
        }
    }
}

#[test]
fn a_project_bears_its_name_and_its_domain() {
    let scratch = Scratch::new();
    let arguments = [
        "adapter", "new", "red-lamp", "--lang", "js", "--domain", "light", "--json",
    ];
    let made = scratch.run(&arguments);
    assert_eq!(made.code(), 0, "{}", made.stderr());
    let report = made.json();
    assert_eq!(report["name"], "red-lamp");
    assert_eq!(report["domain"], "light");
    assert_eq!(report["directory"], "red-lamp");
    let mut told: Vec<PathBuf> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| scratch.path().join("red-lamp").join(file.as_str().unwrap()))
        .collect();
    let mut there = files(&scratch.path().join("red-lamp"));
    there.sort();
    told.sort();
    assert_eq!(told, there);
    let declared = fs::read_to_string(scratch.path().join("red-lamp/adapter.toml")).unwrap();
    assert!(declared.contains("name = \"red-lamp\"\n"), "{declared}");
    assert!(declared.contains("domain = \"light\"\n"), "{declared}");
}

#[test]
fn a_project_is_never_made_over_something() {
    let scratch = Scratch::new();
    let directory = scratch.path().join("lamp");
    fs::create_dir(&directory).unwrap();
    fs::write(directory.join("notes.txt"), "mine").unwrap();
    let refused = scratch.run(&["adapter", "new", "lamp", "--lang", "rust"]);
    assert_eq!(refused.code(), 2);
    assert!(
        refused.stderr().contains("lamp is not empty"),
        "{}",
        refused.stderr()
    );
    assert_eq!(files(&directory), [directory.join("notes.txt")]);
    // A directory that is empty is as good as none.
    fs::create_dir(scratch.path().join("empty")).unwrap();
    let made = scratch.run(&["adapter", "new", "lamp", "--lang", "rust", "--dir", "empty"]);
    assert_eq!(made.code(), 0, "{}", made.stderr());
}

#[test]
fn a_name_that_is_none_is_refused_before_anything_is_made() {
    let scratch = Scratch::new();
    for name in [
        "",
        "Lamp",
        "../lamp",
        "7lamps",
        "lamp_1",
        "l√mp",
        &"l".repeat(65),
    ] {
        let refused = scratch.run(&["adapter", "new", name, "--lang", "python"]);
        assert_eq!(refused.code(), 2, "{name}");
        assert!(
            refused.stderr().contains("a letter first"),
            "{}",
            refused.stderr()
        );
    }
    for taken in ["cli", "memory"] {
        let refused = scratch.run(&["adapter", "new", taken, "--lang", "rust"]);
        assert_eq!(refused.code(), 2, "{}", refused.stdout());
        let said = refused.stderr();
        assert!(said.contains("part of twiceshy"), "{said}");
    }
    let refused = scratch.run(&[
        "adapter", "new", "lamp", "--lang", "js", "--domain", "A b", "--json",
    ]);
    let error: Value = serde_json::from_str(&refused.stderr()).unwrap();
    assert_eq!(error["error"]["kind"], json!("invalid-argument"));
    assert!(!scratch.path().join("lamp").exists());
}
