//! `twiceshy adapter new`: a project for an adapter, in Rust, Python or JavaScript.
//!
//! Owns which files a project has and how they are written. They are part of the program, as is the contract, so that
//! an author needs nothing of twiceshy but the program; what they say is in `host/templates`.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, ValueEnum};
use serde_json::json;
use twiceshy::{Adapter, Adapters};

use super::super::{context::Context, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy adapter new orders --lang rust
  twiceshy adapter new orders --lang python --domain shop
  twiceshy adapter new orders --lang js --dir ~/adapters/orders

The project judges requests to a JSON API, the same in every language: an example to be changed. Its README says how
it is built, checked and installed.";

#[derive(Debug, Args)]
pub(crate) struct New {
    /// The adapter's name: lowercase letters, digits and dashes.
    name: String,
    /// The language to write it in.
    #[arg(long)]
    lang: Language,
    /// The domain whose steps it judges, if it is not called like the adapter.
    #[arg(long)]
    domain: Option<String>,
    /// Where to make the project, instead of a directory with the adapter's name here.
    #[arg(long)]
    dir: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    Rust,
    Python,
    /// JavaScript.
    Js,
}

/// A file of a project: its path, and its text before it is filled in.
type File = (&'static str, &'static str);

macro_rules! template {
    ($path:literal) => {
        include_str!(concat!("../../../templates/", $path))
    };
}

macro_rules! sdk {
    ($path:literal) => {
        include_str!(concat!("../../../../guest/adapter-sdk/src/", $path))
    };
}

/// What every project has.
const SHARED: [File; 5] = [
    ("README.md", template!("shared/README.md")),
    ("adapter.toml", template!("shared/adapter.toml")),
    (
        "golden/fetching.jsonl",
        template!("shared/golden/fetching.jsonl"),
    ),
    (
        "wit/types.wit",
        include_str!("../../../../wit/adapter/types.wit"),
    ),
    (
        "wit/world.wit",
        include_str!("../../../../wit/adapter/world.wit"),
    ),
];

/// The SDK comes along: it is this workspace's own, but for the file that says where the contract comes from.
const RUST: [File; 16] = [
    (".gitignore", template!("rust/gitignore")),
    ("Cargo.toml", template!("rust/Cargo.toml")),
    ("build.sh", template!("rust/build.sh")),
    ("src/lib.rs", template!("rust/src/lib.rs")),
    ("src/payload.rs", template!("rust/src/payload.rs")),
    (
        "src/schema/action.json",
        template!("rust/src/schema/action.json"),
    ),
    (
        "src/schema/observation.json",
        template!("rust/src/schema/observation.json"),
    ),
    (
        "src/schema/expectations.json",
        template!("rust/src/schema/expectations.json"),
    ),
    ("tests/requests.rs", template!("rust/tests/requests.rs")),
    ("sdk/Cargo.toml", template!("rust/sdk/Cargo.toml")),
    ("sdk/src/adapter.rs", sdk!("adapter.rs")),
    ("sdk/src/bounds.rs", sdk!("bounds.rs")),
    ("sdk/src/contract.rs", template!("rust/sdk/src/contract.rs")),
    ("sdk/src/last_words.rs", sdk!("last_words.rs")),
    ("sdk/src/lib.rs", sdk!("lib.rs")),
    ("sdk/src/payload.rs", sdk!("payload.rs")),
];

const PYTHON: [File; 8] = [
    (".gitignore", template!("python/gitignore")),
    ("build.sh", template!("python/build.sh")),
    ("requirements.txt", template!("python/requirements.txt")),
    ("src/api.py", template!("python/src/api.py")),
    ("src/component.py", template!("python/src/component.py")),
    ("src/schemas.py", template!("python/src/schemas.py")),
    (
        "src/twiceshy_adapter.py",
        template!("python/src/twiceshy_adapter.py"),
    ),
    ("tests/test_api.py", template!("python/tests/test_api.py")),
];

const JS: [File; 8] = [
    (".gitignore", template!("js/gitignore")),
    ("build.sh", template!("js/build.sh")),
    ("package.json", template!("js/package.json")),
    ("src/api.js", template!("js/src/api.js")),
    ("src/component.js", template!("js/src/component.js")),
    ("src/schemas.js", template!("js/src/schemas.js")),
    (
        "src/twiceshy-adapter.js",
        template!("js/src/twiceshy-adapter.js"),
    ),
    ("tests/api.test.js", template!("js/tests/api.test.js")),
];

impl Language {
    fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Python => "python",
            Self::Js => "js",
        }
    }

    fn files(self) -> &'static [File] {
        match self {
            Self::Rust => &RUST,
            Self::Python => &PYTHON,
            Self::Js => &JS,
        }
    }

    /// What a machine must have to build it.
    fn needs(self) -> &'static str {
        match self {
            Self::Rust => "It needs Rust by rustup, and `rustup target add wasm32-wasip2`.",
            Self::Python => {
                "It needs Python 3.11 or later; componentize-py is installed into `.venv`."
            }
            Self::Js => {
                "It needs Node.js 20 or later; componentize-qjs is installed into `node_modules`."
            }
        }
    }

    /// The rows of the README that say what is where.
    fn rows(self) -> &'static str {
        match self {
            Self::Rust => {
                "\
| `src/lib.rs` | the adapter: what it makes of a step |
| `src/payload.rs`, `src/schema/` | what an action, an observation and an expectation are |
| `tests/` | its tests, natively |
| `sdk/` | the crate `twiceshy-adapter`: the trait, reading payloads, the component |"
            }
            Self::Python => {
                "\
| `src/api.py` | the adapter: what it makes of a step |
| `src/schemas.py` | what an action, an observation and an expectation are |
| `src/component.py` | makes it a component |
| `src/twiceshy_adapter.py` | reads payloads by their schemas |
| `tests/` | its tests, without WebAssembly |"
            }
            Self::Js => {
                "\
| `src/api.js` | the adapter: what it makes of a step |
| `src/schemas.js` | what an action, an observation and an expectation are |
| `src/component.js` | makes it a component |
| `src/twiceshy-adapter.js` | reads payloads by their schemas |
| `tests/` | its tests, without WebAssembly |"
            }
        }
    }
}

pub(crate) fn new(context: &Context, new: &New) -> Result<ExitCode, Failure> {
    let name = &new.name;
    let domain = new.domain.as_ref().unwrap_or(name);
    for (what, text) in [("name", name), ("domain", domain)] {
        Adapter::check_name(text)
            .map_err(|cause| Failure::input(format!("the {what} {text:?} {cause}")))?;
    }
    if Adapters::is_taken(name) {
        return Err(Failure::input(format!(
            "the name {name:?} belongs to a component that is part of twiceshy; give yours another one"
        )));
    }
    let directory = match &new.dir {
        Some(directory) => directory.clone(),
        None => PathBuf::from(name),
    };
    let files = project(new.lang, name, domain);
    make(&directory, &files)?;
    let shown = show::line(&directory.display().to_string());
    let report = json!({
        "name": name,
        "domain": domain,
        "lang": new.lang.name(),
        "directory": directory,
        "files": files.iter().map(|(path, _)| path).collect::<Vec<_>>(),
    });
    context.print(&report, || {
        vec![
            format!("Made {shown}, an adapter in {}.", title(new.lang)),
            new.lang.needs().to_owned(),
            "Build it, check it, and install it:".to_owned(),
            format!("  cd {shown}"),
            "  ./build.sh".to_owned(),
            "  twiceshy adapter check adapter.wasm --golden golden".to_owned(),
            "  twiceshy adapter install adapter.wasm".to_owned(),
        ]
    })
}

fn title(language: Language) -> &'static str {
    match language {
        Language::Rust => "Rust",
        Language::Python => "Python",
        Language::Js => "JavaScript",
    }
}

/// The files of a project, filled in.
fn project(language: Language, name: &str, domain: &str) -> Vec<(&'static str, String)> {
    let values = [
        ("{{needs}}", language.needs()),
        ("{{files}}", language.rows()),
        ("{{name}}", name),
        ("{{domain}}", domain),
        ("{{version}}", env!("CARGO_PKG_VERSION")),
    ];
    let fill = |text: &str| {
        values.iter().fold(text.to_owned(), |text, (hole, value)| {
            text.replace(hole, value)
        })
    };
    let files = SHARED.iter().chain(language.files());
    let mut files: Vec<_> = files.map(|(path, text)| (*path, fill(text))).collect();
    files.sort();
    files
}

/// Writes a project into a directory that is not there, or empty.
fn make(directory: &Path, files: &[(&str, String)]) -> Result<(), Failure> {
    let shown = directory.display();
    let failed = |error: io::Error| Failure::other(format!("{shown}: {error}"));
    let is_empty = match fs::read_dir(directory) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(failed(error)),
    };
    if !is_empty {
        return Err(Failure::input(format!(
            "{shown} is not empty; name another directory with --dir"
        )));
    }
    for (path, text) in files {
        let path = directory.join(path);
        if let Some(around) = path.parent() {
            fs::create_dir_all(around).map_err(failed)?;
        }
        let mode = if path.ends_with("build.sh") {
            0o755
        } else {
            0o644
        };
        fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(mode)
            .open(&path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn repository() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    fn names(directory: &str) -> BTreeSet<String> {
        let entries = fs::read_dir(repository().join(directory)).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn nothing_is_left_to_be_filled_in() {
        for language in Language::value_variants() {
            for (path, text) in project(*language, "lamp", "light") {
                // The sources of the SDK have braces of their own.
                let holes = text.match_indices("{{").filter(|(at, _)| {
                    text[at + 2..].starts_with(|next: char| next.is_ascii_lowercase())
                });
                assert_eq!(holes.count(), 0, "{path}");
            }
        }
    }

    #[test]
    fn the_whole_contract_and_the_whole_sdk_come_along() {
        let files = project(Language::Rust, "lamp", "lamp");
        let under = |directory: &str| -> BTreeSet<String> {
            let within =
                |(path, _): &(&str, String)| path.strip_prefix(directory).map(str::to_owned);
            files.iter().filter_map(within).collect()
        };
        assert_eq!(under("wit/"), names("wit/adapter"));
        assert_eq!(under("sdk/src/"), names("guest/adapter-sdk/src"));
    }

    #[test]
    fn the_sdk_is_built_with_the_same_generator_here_and_there() {
        let version = |text: &str| {
            let line = text.lines().find(|line| line.starts_with("wit-bindgen"));
            line.unwrap().to_owned()
        };
        let here = fs::read_to_string(repository().join("Cargo.toml")).unwrap();
        assert_eq!(version(&here), version(template!("rust/sdk/Cargo.toml")));
    }
}
