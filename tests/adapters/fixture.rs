//! What the tests of adapters share: components that do what they are told, and a user who installs them.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use serde_json::{Value, json};
use twiceshy::wit::adapter::{Goal, Step};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use crate::support::{Ran, Scratch, compiled_into, repository};

/// An adapter to be made: what it says of itself, and what it does.
pub struct Made {
    pub name: &'static str,
    pub version: &'static str,
    pub domain: &'static str,
    /// Instructions before `describe` answers.
    pub describing: String,
    /// Instructions before `assess` answers that nothing is wrong.
    pub assessing: String,
    /// Fields of the module: imports first.
    pub imports: String,
    /// Further fields of the module.
    pub fields: String,
    /// The contract that it is built for.
    pub contract: Contract,
}

/// A world to build for.
pub enum Contract {
    /// The one in `wit/adapter`.
    Ours,
    /// That with another version.
    Version(&'static str),
    /// The world `adapter` of packages given as text, the last one first.
    Text(String),
}

/// An adapter of a name, for the domain of that name, that finds nothing wrong with any step.
pub fn made(name: &'static str) -> Made {
    Made {
        name,
        version: "0.1.0",
        domain: name,
        describing: String::new(),
        assessing: String::new(),
        imports: String::new(),
        fields: String::new(),
        contract: Contract::Ours,
    }
}

impl Made {
    /// The component.
    pub fn component(&self) -> Vec<u8> {
        let mut resolve = Resolve::default();
        let version = match &self.contract {
            Contract::Ours | Contract::Text(_) => "0.1.0",
            Contract::Version(version) => version,
        };
        let package = match &self.contract {
            Contract::Text(text) => resolve.push_str("adapter.wit", text),
            _ => {
                let mut text = String::new();
                for file in ["types.wit", "world.wit"] {
                    let path = repository().join("wit/adapter").join(file);
                    text.push_str(&fs::read_to_string(path).expect("the contract"));
                }
                let package = format!("package twiceshy:adapter@{version};");
                let text = text.replace("package twiceshy:adapter@0.1.0;", &package);
                // What is as old as its package says nothing of its age.
                let dated = |line: &&str| !line.trim().starts_with("@since");
                let text: Vec<_> = text.lines().filter(dated).collect();
                resolve.push_str("adapter.wit", &text.join("\n"))
            }
        };
        let package = package.expect("a contract");
        let world = resolve
            .select_world(&[package], Some("adapter"))
            .expect("the world");
        let mut module = wat::parse_str(self.module(version)).expect("a module");
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)
            .expect("metadata");
        let mut encoder = ComponentEncoder::default()
            .validate(true)
            .module(&module)
            .expect("a module for the world");
        encoder.encode().expect("a component")
    }

    /// The module. Its answers stand still in its memory: the manifest at 1024, and at 2048 a result of zeros, which
    /// is feedback that has nothing to say.
    fn module(&self, version: &str) -> String {
        let texts = [
            self.name,
            self.version,
            self.domain,
            "Made for a test.",
            "{}",
            "{}",
            "{}",
        ];
        let (mut data, mut manifest, mut place) = (String::new(), String::new(), 4096);
        for text in texts {
            write!(data, "(data (i32.const {place}) {text:?})").expect("a text");
            for number in [place as usize, text.len()] {
                for byte in (number as u32).to_le_bytes() {
                    write!(manifest, "\\{byte:02x}").expect("a byte");
                }
            }
            place += 256;
        }
        let Self {
            imports,
            fields,
            describing,
            assessing,
            ..
        } = self;
        format!(
            r#"(module
  {imports}
  (memory (export "memory") 2)
  (global $free (mut i32) (i32.const 65536))
  (data (i32.const 1024) "{manifest}")
  {data}
  {fields}
  (func (export "cabi_realloc") (param $old i32) (param i32 i32) (param $new i32) (result i32)
    (local $place i32)
    (local.set $place (i32.and (i32.add (global.get $free) (i32.const 7)) (i32.const -8)))
    (global.set $free (i32.add (local.get $place) (local.get $new)))
    (block $fits
      (br_if $fits (i32.le_u (global.get $free) (i32.mul (memory.size) (i32.const 65536))))
      (drop (memory.grow (i32.add (i32.const 1) (i32.div_u (local.get $new) (i32.const 65536))))))
    (local.get $place))
  (func (export "twiceshy:adapter/assess@{version}#describe") (result i32)
    {describing}
    (i32.const 1024))
  (func (export "twiceshy:adapter/assess@{version}#assess")
    (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32)
    (global.set $free (i32.const 65536))
    {assessing}
    (i32.const 2048)))"#
        )
    }

    /// An `adapter.toml` that fits it.
    pub fn declaration(&self) -> String {
        format!(
            "name = \"{}\"\nversion = \"{}\"\ndomain = \"{}\"\ncontract = \"twiceshy:adapter@0.1\"\n",
            self.name, self.version, self.domain
        )
    }

    /// Writes the component and its `adapter.toml` into a directory, and says where the component is.
    pub fn write(&self, directory: &Path) -> PathBuf {
        fs::create_dir_all(directory).expect("a directory");
        fs::write(directory.join("adapter.toml"), self.declaration()).expect("a declaration");
        let file = directory.join("adapter.wasm");
        fs::write(&file, self.component()).expect("a component");
        file
    }
}

/// A goal and a step of a domain.
pub fn step(domain: &str) -> (Goal, Step) {
    let goal = Goal {
        task: "see".into(),
        domain: domain.into(),
        expectations: String::new(),
    };
    let step = Step {
        before: String::new(),
        action: "{}".into(),
        observation: "{}".into(),
    };
    (goal, step)
}

/// A project, and a user with a directory of their own.
pub struct User {
    pub project: Scratch,
    pub home: tempfile::TempDir,
    /// Where files are that come from elsewhere.
    pub downloads: tempfile::TempDir,
}

impl User {
    /// One for whom the components of twiceshy are compiled already.
    pub fn new() -> Self {
        let user = Self {
            project: Scratch::new(),
            home: tempfile::tempdir().expect("a home"),
            downloads: tempfile::tempdir().expect("downloads"),
        };
        compiled_into(user.home.path());
        user
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = self.project.command(arguments);
        command
            .env("TWICESHY_HOME", self.home.path())
            .stdin(Stdio::null());
        Ran(command.output().expect("the program starts"))
    }

    /// Runs a command that must work, and gives its report.
    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
        ran.json()
    }

    /// Runs a command that must be refused with all of these words.
    #[track_caller]
    pub fn refused(&self, arguments: &[&str], said: &[&str]) {
        let ran = self.run(arguments);
        assert_ne!(ran.code(), 0, "{}", ran.stdout());
        for part in said {
            assert!(
                ran.stderr().contains(part),
                "{part:?} is not in {}",
                ran.stderr()
            );
        }
    }

    /// A file among the downloads.
    pub fn download(&self, name: &str, bytes: &[u8]) -> String {
        let file = self.downloads.path().join(name);
        fs::write(&file, bytes).expect("a file");
        file.display().to_string()
    }

    /// Installs an adapter from a component and its `adapter.toml`.
    #[track_caller]
    pub fn install(&self, made: &Made) -> Value {
        let directory = self.downloads.path().join(made.name);
        let file = made.write(&directory).display().to_string();
        self.json(&["adapter", "install", &file])
    }

    /// Where an adapter of the user is.
    pub fn installed(&self, name: &str) -> PathBuf {
        self.home.path().join("adapters").join(name)
    }

    /// What the list says of an adapter.
    #[track_caller]
    pub fn listed(&self, name: &str) -> Vec<Value> {
        let list = self.json(&["adapter", "list"]);
        let entries = list.as_array().expect("a list").iter();
        entries
            .filter(|entry| entry["name"] == name)
            .cloned()
            .collect()
    }

    /// Lets an adapter judge a step, and gives what the program did.
    pub fn assess(&self, adapter: &str, domain: &str) -> Ran {
        let (goal, step) = step(domain);
        let arguments = json!({ "adapter": adapter, "goal": goal, "step": step });
        self.run(&["call", "--json", "adapters.assess", &arguments.to_string()])
    }
}
