//! The tokens of a service: who may come in, what for, and until when.
//!
//! **Only digests are kept**, in a file that its user alone can read: a token is shown once, when it is made. The file is
//! read again when it changes, so that a token that was removed is refused by a service that goes on.

use std::{
    fs,
    io::{ErrorKind, Read, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::Mutex,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use twiceshy::Home;

use super::scope::Scope;
use crate::cli::failure::Failure;

/// The file, in the user's directory.
const FILE: &str = "serve-tokens.json";

/// What every token begins with, so that it is recognised where it does not belong.
const MARK: &str = "twiceshy_";

/// The longest name.
const NAME_CHARS: usize = 64;

/// A token without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Token {
    pub(crate) name: String,
    pub(crate) scope: Scope,
    /// The digest of its secret.
    sha256: String,
    /// In milliseconds since the Unix epoch.
    pub(crate) created: u64,
    /// From when on it is refused; none if never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expires: Option<u64>,
}

/// The file of tokens.
#[derive(Debug)]
pub(crate) struct Tokens {
    file: PathBuf,
    read: Mutex<Option<(Version, Vec<Token>)>>,
}

/// By what a changed file is known.
type Version = (u64, i64, i64, u64);

impl Tokens {
    pub(crate) fn of(home: &Home) -> Self {
        Self {
            file: home.directory().join(FILE),
            read: Mutex::default(),
        }
    }

    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// All tokens.
    pub(crate) fn all(&self) -> Result<Vec<Token>, Failure> {
        let wrong = |why: String| Failure::other(format!("{}: {why}", self.file.display()));
        let mut file = match fs::File::open(&self.file) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(wrong(error.to_string())),
        };
        let about = file.metadata()?;
        if about.permissions().mode() & 0o077 != 0 {
            return Err(wrong(
                "others can read it; `chmod 600` it, and make new tokens if they may have".into(),
            ));
        }
        let version = (about.ino(), about.mtime(), about.mtime_nsec(), about.len());
        let mut read = self
            .read
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        if let Some((known, tokens)) = &*read
            && *known == version
        {
            return Ok(tokens.clone());
        }
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let tokens: Vec<Token> = serde_json::from_str(&text)
            .map_err(|error| wrong(format!("{error}; fix or remove the file")))?;
        *read = Some((version, tokens.clone()));
        Ok(tokens)
    }

    /// Makes a token and gives its secret, which nobody can be told again.
    pub(crate) fn add(
        &self,
        name: &str,
        scope: Scope,
        lasts_ms: Option<u64>,
    ) -> Result<(Token, String), Failure> {
        let is_name = |name: &str| {
            let plain = |char: char| char.is_alphanumeric() || "-_.@".contains(char);
            !name.is_empty() && name.chars().count() <= NAME_CHARS && name.chars().all(plain)
        };
        if !is_name(name) {
            return Err(Failure::input(format!(
                "`{name}` is no name for a token; use at most {NAME_CHARS} letters, digits and - _ . @"
            )));
        }
        let _one_at_a_time = self.lock()?;
        let mut tokens = self.all()?;
        if tokens.iter().any(|token| token.name == name) {
            return Err(Failure::input(format!(
                "There is a token `{name}`. Remove it with `twiceshy serve tokens --remove {name}`, or choose another name."
            )));
        }
        let mut bytes = [0; 32];
        fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        let secret = format!("{MARK}{}", hex(&bytes));
        let created = now();
        let token = Token {
            name: name.to_owned(),
            scope,
            sha256: digest(&secret),
            created,
            expires: lasts_ms.map(|lasts| created.saturating_add(lasts)),
        };
        tokens.push(token.clone());
        self.write(&tokens)?;
        Ok((token, secret))
    }

    /// Removes a token; says whether there was one.
    pub(crate) fn remove(&self, name: &str) -> Result<bool, Failure> {
        let _one_at_a_time = self.lock()?;
        let mut tokens = self.all()?;
        let before = tokens.len();
        tokens.retain(|token| token.name != name);
        let is_removed = tokens.len() < before;
        if is_removed {
            self.write(&tokens)?;
        }
        Ok(is_removed)
    }

    /// The token that the value of a header shows, if it is known and has not expired.
    pub(crate) fn shown(&self, header: &[u8]) -> Result<Option<Token>, Failure> {
        let Some((scheme, secret)) = header.split_at_checked(7) else {
            return Ok(None);
        };
        if !scheme.eq_ignore_ascii_case(b"bearer ") {
            return Ok(None);
        }
        // Digests are compared: how long that takes says nothing about a secret.
        let (shown, now) = (hex(&Sha256::digest(secret)), now());
        let mut tokens = self.all()?.into_iter();
        Ok(tokens.find(|token| token.sha256 == shown && token.expires.is_none_or(|end| now < end)))
    }

    /// Held while the file changes, so that of two changes at once none is lost.
    fn lock(&self) -> Result<fs::File, Failure> {
        let directory = self.file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(directory)?;
        let file = fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(self.file.with_extension("lock"))?;
        file.lock()?;
        Ok(file)
    }

    fn write(&self, tokens: &[Token]) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(tokens)
            .map_err(|error| Failure::other(error.to_string()))?;
        let new = self.file.with_extension("new");
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&new)?;
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, &self.file)?;
        Ok(())
    }
}

fn digest(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Milliseconds since the Unix epoch.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(directory: &tempfile::TempDir) -> Tokens {
        Tokens {
            file: directory.path().join(FILE),
            read: Mutex::default(),
        }
    }

    fn header(secret: &str) -> Vec<u8> {
        format!("Bearer {secret}").into_bytes()
    }

    #[test]
    fn a_token_is_known_until_it_is_removed_or_expires() {
        let directory = tempfile::tempdir().expect("a directory");
        let tokens = tokens(&directory);
        let (made, secret) = tokens.add("worker-1", Scope::Write, None).expect("made");
        assert_eq!(tokens.shown(&header(&secret)).expect("read"), Some(made));
        assert_eq!(tokens.shown(&header(&secret[1..])).expect("read"), None);
        assert_eq!(tokens.shown(b"Basic ").expect("read"), None);
        assert_eq!(tokens.shown(b"").expect("read"), None);
        let (_, old) = tokens.add("old", Scope::Read, Some(0)).expect("made");
        assert_eq!(tokens.shown(&header(&old)).expect("read"), None);
        assert!(tokens.add("old", Scope::Read, None).is_err());
        assert!(tokens.remove("worker-1").expect("written"));
        assert!(!tokens.remove("worker-1").expect("written"));
        assert_eq!(tokens.shown(&header(&secret)).expect("read"), None);
    }

    #[test]
    fn the_file_holds_no_secret_and_nobody_else_may_read_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let tokens = tokens(&directory);
        let (_, secret) = tokens.add("one", Scope::Read, None).expect("made");
        let text = fs::read_to_string(tokens.file()).expect("there");
        assert!(!text.contains(&secret[MARK.len()..]), "{text}");
        let about = fs::metadata(tokens.file()).expect("there");
        assert_eq!(about.permissions().mode() & 0o777, 0o600);
        fs::set_permissions(tokens.file(), fs::Permissions::from_mode(0o644)).expect("ours");
        assert!(tokens.shown(&header(&secret)).is_err());
    }
}
