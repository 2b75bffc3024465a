//! The token that a client over HTTP must show: made once, kept where only its user can read it.

use std::{
    env, fs,
    fs::OpenOptions,
    io::{ErrorKind, Read, Write},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use nix::fcntl::OFlag;
use twiceshy::Home;

use crate::cli::failure::Failure;

/// Names another token than the one that is kept.
const VARIABLE: &str = "TWICESHY_MCP_TOKEN";

/// The file, in the user's directory.
const FILE: &str = "mcp-token";

/// The shortest token that is taken.
const LEAST_BYTES: usize = 16;

/// What a client must show.
pub(super) struct Token {
    secret: String,
    /// Where it is kept; nothing if the environment names it.
    pub(super) file: Option<PathBuf>,
}

impl Token {
    /// The token of the environment, or the one that is kept, which is made if there is none.
    pub(super) fn of(home: &Home) -> Result<Self, Failure> {
        if let Ok(secret) = env::var(VARIABLE)
            && !secret.is_empty()
        {
            return Self::checked(secret, None, VARIABLE);
        }
        let file = home.directory().join(FILE);
        let wrong = |error: std::io::Error| Failure::other(format!("{}: {error}", file.display()));
        fs::create_dir_all(home.directory()).map_err(wrong)?;
        let secret = match made(&file) {
            Ok(secret) => secret,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => kept(&file)
                .map_err(|words| Failure::other(format!("{}: {words}", file.display())))?,
            Err(error) => return Err(wrong(error)),
        };
        let name = file.display().to_string();
        Self::checked(secret, Some(file), &name)
    }

    fn checked(secret: String, file: Option<PathBuf>, name: &str) -> Result<Self, Failure> {
        if secret.len() < LEAST_BYTES || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Failure::input(format!(
                "{name}: a token has at least {LEAST_BYTES} letters, digits or signs and no blanks; remove it, and a \
                 new one is made"
            )));
        }
        Ok(Self { secret, file })
    }

    /// Whether this is the value of a header that shows it. Takes as long for any value of one length.
    pub(super) fn is_shown(&self, header: &[u8]) -> bool {
        let Some((scheme, shown)) = header.split_at_checked(7) else {
            return false;
        };
        let secret = self.secret.as_bytes();
        let differs = shown
            .iter()
            .zip(secret)
            .fold(0, |sum, (one, other)| sum | (one ^ other));
        scheme.eq_ignore_ascii_case(b"bearer ") && shown.len() == secret.len() && differs == 0
    }
}

/// A new token in a new file.
fn made(file: &Path) -> std::io::Result<String> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let mut file = options.open(file)?;
    let mut bytes = [0; 32];
    fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    let secret: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    file.write_all(secret.as_bytes())?;
    file.sync_all()?;
    Ok(secret)
}

/// The token in a file that nobody else could have read.
fn kept(file: &Path) -> Result<String, String> {
    let open = OpenOptions::new()
        .read(true)
        .custom_flags(OFlag::O_NOFOLLOW.bits())
        .open(file);
    let mut open = open.map_err(|error| error.to_string())?;
    let about = open.metadata().map_err(|error| error.to_string())?;
    if about.permissions().mode() & 0o077 != 0 {
        return Err("others can read the token; remove the file, and a new one is made".to_owned());
    }
    let mut secret = String::new();
    let mut start = Read::by_ref(&mut open).take(4 << 10);
    start
        .read_to_string(&mut secret)
        .map_err(|error| error.to_string())?;
    Ok(secret.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_refused_if_others_can_read_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("token");
        let secret = made(&file).expect("a token");
        assert_eq!(secret.len(), 64);
        assert!(made(&file).is_err());
        assert_eq!(kept(&file), Ok(secret));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("ours");
        assert!(kept(&file).is_err());
    }

    #[test]
    fn only_the_token_itself_is_taken() {
        let token = Token::checked("0123456789abcdef".to_owned(), None, "x").expect("long enough");
        assert!(token.is_shown(b"Bearer 0123456789abcdef"));
        assert!(token.is_shown(b"bearer 0123456789abcdef"));
        for header in [
            "Bearer 0123456789abcdeg",
            "Bearer 0123456789abcde",
            "Bearer 0123456789abcdef0",
            "Basic  0123456789abcdef",
            "Bearer ",
            "",
        ] {
            assert!(!token.is_shown(header.as_bytes()), "{header}");
        }
        assert!(Token::checked("short".to_owned(), None, "x").is_err());
    }
}
