//! `adapter.toml`: what an adapter's author declares beside the component.
//!
//! Owns reading it, refusing what does not fit with the file and the line, and comparing it with what the component
//! says of itself. What the adapter then gets is decided elsewhere.

use std::path::Path;

use serde::{Deserialize, Serialize};
use twiceshy_wit::adapter::Manifest;

use crate::{
    adapter::{contract, terms},
    limits::AdapterGrant,
};

/// The name of the file.
pub(crate) const FILE: &str = "adapter.toml";

/// The file in bytes at most.
pub(super) const MOST_BYTES: usize = 64 << 10;

/// What an `adapter.toml` says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Declaration {
    /// The adapter's name, as in its manifest.
    pub name: String,
    /// Its version, as in its manifest.
    pub version: String,
    /// The domain whose steps it judges, as in its manifest.
    pub domain: String,
    /// What it does, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The contract that it was built for: `twiceshy:adapter@0.1`.
    pub contract: String,
    /// The SHA-256 of `adapter.wasm` in hexadecimal digits. May be left out, and then says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// What it asks for beyond the default.
    #[serde(default)]
    pub limits: AdapterGrant,
}

impl Declaration {
    /// Reads the text of a file, which the error names.
    pub(super) fn read(file: &Path, text: &str) -> Result<Self, String> {
        let wrong = |line: usize, why: &str| format!("{}:{line}: {why}", file.display());
        let declaration: Self = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            wrong(line, &error.message().replace('\n', " "))
        })?;
        declaration
            .check()
            .map_err(|(member, why)| wrong(line_of_member(text, member), &why))
    }

    fn check(self) -> Result<Self, (&'static str, String)> {
        for (member, value) in [("name", &self.name), ("domain", &self.domain)] {
            if !terms::is_name(value) {
                return Err((
                    member,
                    format!("{member} is {value:?}, which is not {}", terms::NAME),
                ));
            }
        }
        if !terms::is_version(&self.version) {
            let why = format!(
                "version is {:?}, which is not a version such as 1.2.3",
                self.version
            );
            return Err(("version", why));
        }
        let (package, _) = self.contract.split_once('@').unwrap_or_default();
        if package != "twiceshy:adapter" {
            let why = format!(
                "contract is {:?}, which is not a version such as {:?}",
                self.contract,
                contract::offered()
            );
            return Err(("contract", why));
        }
        if let Some(sha256) = &self.sha256
            && (sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()))
        {
            return Err(("sha256", "sha256 is not 64 hexadecimal digits".to_owned()));
        }
        self.limits.check().map_err(|why| {
            let member = why.split(' ').next().unwrap_or_default();
            let member = ["memory-mib", "time-ms", "output-kib"]
                .into_iter()
                .find(|name| *name == member);
            (member.unwrap_or("limits"), why)
        })?;
        Ok(self)
    }

    /// What a component says of itself, as a declaration.
    pub(super) fn of(manifest: &Manifest) -> Self {
        Self {
            name: manifest.name.clone(),
            version: manifest.version.clone(),
            domain: manifest.domain.clone(),
            summary: Some(manifest.summary.clone()).filter(|summary| !summary.is_empty()),
            contract: contract::offered(),
            sha256: None,
            limits: AdapterGrant::default(),
        }
    }

    /// The text of a file that says this.
    pub(super) fn text(&self) -> String {
        // A string of JSON is one of TOML, once it has no control characters.
        let quoted = |text: &str| {
            let plain: String = text.chars().filter(|c| !c.is_control()).collect();
            serde_json::Value::from(plain).to_string()
        };
        let mut text = String::new();
        let members = [
            ("name", Some(&self.name)),
            ("version", Some(&self.version)),
            ("domain", Some(&self.domain)),
            ("summary", self.summary.as_ref()),
            ("contract", Some(&self.contract)),
            ("sha256", self.sha256.as_ref()),
        ];
        for (name, value) in members {
            if let Some(value) = value {
                text.push_str(&format!("{name} = {}\n", quoted(value)));
            }
        }
        let mut limits = self.limits.members().peekable();
        if limits.peek().is_some() {
            text.push_str("\n[limits]\n");
        }
        text.extend(limits.map(|(name, value)| format!("{name} = {value}\n")));
        text
    }

    /// Refuses a component that says something else of itself.
    pub(super) fn agrees(&self, manifest: &Manifest) -> Result<(), String> {
        let members = [
            ("name", &self.name, &manifest.name),
            ("version", &self.version, &manifest.version),
            ("domain", &self.domain, &manifest.domain),
        ];
        for (member, declared, said) in members {
            if declared != said {
                return Err(format!(
                    "{FILE} says {member} = {declared:?}, but the component says {said:?}; build it again, or fix {FILE}"
                ));
            }
        }
        Ok(())
    }
}

/// The line of a byte in a text, from 1.
fn line_of(text: &str, byte: usize) -> usize {
    text.as_bytes()
        .iter()
        .take(byte)
        .filter(|byte| **byte == b'\n')
        .count()
        + 1
}

/// The line that gives a member its value, from 1.
fn line_of_member(text: &str, member: &str) -> usize {
    let gives = |line: &str| {
        line.trim_start()
            .strip_prefix(member)
            .is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    text.lines().position(gives).map_or(1, |line| line + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "name = \"lamp\"\nversion = \"0.1.0\"\ndomain = \"lamp\"\ncontract = \"twiceshy:adapter@0.1\"\n";

    fn read(text: &str) -> Result<Declaration, String> {
        Declaration::read(Path::new("lamp/adapter.toml"), text)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut declaration = read(&format!("{GOOD}[limits]\nmemory-mib = 256\n")).unwrap();
        declaration.summary = Some("says \"on\" \\ off\u{7f}\n ä".to_owned());
        declaration.sha256 = Some("0".repeat(64));
        let again = read(&declaration.text()).unwrap();
        assert_eq!(again.summary.as_deref(), Some("says \"on\" \\ off ä"));
        assert_eq!(again.limits, declaration.limits);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_file_line_and_cause() {
        for (text, said) in [
            (
                format!("{GOOD}colour = 1\n"),
                "lamp/adapter.toml:5: unknown field `colour`",
            ),
            (
                GOOD.replace("0.1.0", "one"),
                "lamp/adapter.toml:2: version is \"one\"",
            ),
            (
                GOOD.replace("\"lamp\"", "\"../x\""),
                "lamp/adapter.toml:1: name is \"../x\"",
            ),
            (
                GOOD.replace("twiceshy:adapter", "other:thing"),
                "lamp/adapter.toml:4: contract",
            ),
            (
                format!("{GOOD}sha256 = \"abc\"\n"),
                "lamp/adapter.toml:5: sha256",
            ),
            (
                format!("{GOOD}\n[limits]\nmemory-mib = 99999\n"),
                "lamp/adapter.toml:7: memory-mib is 99999",
            ),
            ("name = ".to_owned(), "lamp/adapter.toml:1:"),
            (
                GOOD.replace("domain = \"lamp\"\n", ""),
                "missing field `domain`",
            ),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(said), "{said}: {error}");
        }
    }
}
