//! Key names: whether a name says that its value is a secret, and how surely.
//!
//! This module owns the reading of names such as `DB_PASSWORD`, `clientSecret`, `x-api-key` or
//! `Secret Access Key`: it splits them into words and judges the words. It never sees a value.
//! Names are matched by whole words, so `tokenizer` and `author` mean nothing here.

use super::Kind;
use super::bytes::{ALNUM, DIGIT, LOWER, UPPER, is, position};
use super::lexicon::{ABOUT, KEYS_LIKELY, KEYS_PLAIN, KEYS_SURE, LEXICAL, PASS_OWNERS, listed};

/// How surely a name announces a secret, hence how much its value has to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// Any value that is not plainly something else.
    Sure,
    /// Only a value that reads as machine-made: `token` also means a parser's token.
    Likely,
    /// As `Likely`, and only in an assignment: `pass: 12` counts passed tests.
    Assigned,
    /// As `Likely`, and only in a query string: `sig=11` is a signal.
    Query,
    /// Only a value that looks like a password by itself: prose in that language is not known.
    Foreign,
    /// Only a long value that reads as machine-made.
    Long,
    /// Only a long value that nothing but a machine makes: of keys there are many kinds, and few are secret.
    Made,
    /// A one-time code: six to eight digits.
    Code,
    /// An `Authorization` header's value.
    Authorization,
    /// A `Cookie` header's value.
    Cookie,
}

/// What a name says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sensitive {
    pub(super) kind: Kind,
    pub(super) level: Level,
    /// The name is one plain word, as a word of prose would be.
    pub(super) bare: bool,
}

/// Names longer than this are read from their end: the telling words stand last.
const MAX_NAME: usize = 96;
const MAX_WORDS: usize = 16;

fn ends_with_any(word: &[u8], ends: &[&str]) -> bool {
    ends.iter().any(|e| word.ends_with(e.as_bytes()))
}

/// Splits a name into lower-case words at separators, digits and camelCase humps.
fn split<'b>(name: &[u8], buffer: &'b mut [u8; MAX_NAME]) -> ([&'b [u8]; MAX_WORDS], usize) {
    let name = &name[name.len().saturating_sub(MAX_NAME)..];
    let mut ends = [(0usize, 0usize); MAX_WORDS];
    let (mut count, mut start) = (0, None);
    for (i, &b) in name.iter().enumerate() {
        buffer[i] = b.to_ascii_lowercase();
        let letter = is(b, ALNUM) && !is(b, DIGIT);
        let hump = letter
            && start.is_some()
            && is(b, UPPER)
            && (is(name[i - 1], LOWER) || name.get(i + 1).is_some_and(|n| is(*n, LOWER)));
        if let Some(s) = start
            && (!letter || hump)
        {
            push(&mut ends, &mut count, (s, i));
            start = None;
        }
        if letter && start.is_none() {
            start = Some(i);
        }
    }
    if let Some(s) = start {
        push(&mut ends, &mut count, (s, name.len()));
    }
    let buffer: &'b [u8; MAX_NAME] = buffer;
    let mut words: [&[u8]; MAX_WORDS] = [b""; MAX_WORDS];
    for (word, &(s, e)) in words.iter_mut().zip(&ends[..count]) {
        *word = &buffer[s..e];
    }
    (words, count)
}

/// Keeps the last words when there are too many.
fn push(ends: &mut [(usize, usize); MAX_WORDS], count: &mut usize, word: (usize, usize)) {
    if *count == MAX_WORDS {
        ends.copy_within(1.., 0);
        *count -= 1;
    }
    ends[*count] = word;
    *count += 1;
}

/// What `name` says about its value; `None` for a name that says nothing.
pub(super) fn classify(name: &[u8]) -> Option<Sensitive> {
    if !may_be_sensitive(name) {
        return None;
    }
    let mut buffer = [0; MAX_NAME];
    let (words, count) = split(name, &mut buffer);
    let words = &words[..count];
    let last = *words.last()?;
    // Bundler's credentials for a server: `BUNDLE_GEMS__EXAMPLE__COM`.
    if name.starts_with(b"BUNDLE_") && position(name, b"__").is_some() {
        return Some(Sensitive {
            kind: Kind::Secret,
            level: Level::Likely,
            bare: false,
        });
    }
    // The shell's `PWD` is a directory far more often than a password; as a path it stays.
    if name == b"PWD" {
        return Some(Sensitive {
            kind: Kind::Secret,
            level: Level::Sure,
            bare: true,
        });
    }
    let found = |kind, level| {
        Some(Sensitive {
            kind,
            level,
            // The word before `key` in a sentence is no owner.
            bare: words.len() == 1 || (level == Level::Made && name.contains(&b' ')),
        })
    };
    for (i, &word) in words.iter().enumerate() {
        let before = if i > 0 { words[i - 1] } else { b"" };
        let is_last = i + 1 == words.len();
        let judged = judge(word, before, is_last, words.len() == 1);
        if let Some((kind, level)) = judged {
            let public = words.iter().any(|w| matches!(*w, b"public" | b"pub"));
            let about = public || (listed(ABOUT, last) && name != b"secret_id");
            return if about { None } else { found(kind, level) };
        }
    }
    None
}

fn judge(word: &[u8], before: &[u8], is_last: bool, alone: bool) -> Option<(Kind, Level)> {
    use Level::*;
    let by_company = |sure: bool| if sure { Sure } else { Likely };
    Some(match word {
        b"password" | b"passwords" | b"passwd" | b"passphrase" | b"passcode" | b"pwd"
        | b"mnemonic" => (Kind::Password, Sure),
        b"kennwort" | b"passwort" | b"senha" | b"contrasena" | b"wachtwoord" | b"parola"
        | b"haslo" | b"heslo" | b"adgangskode" | b"passord" | b"sifre" | b"motdepasse" => {
            (Kind::Password, Foreign)
        }
        b"psk" if is_last => (Kind::Password, Sure),
        b"session" if is_last && !before.is_empty() => (Kind::Cookie, Long),
        b"sessionid" => (Kind::Cookie, Long),
        b"pw" if is_last => (Kind::Password, Sure),
        b"pass" if alone => (Kind::Password, Assigned),
        b"pass" if is_last && listed(PASS_OWNERS, before) => (Kind::Password, Sure),
        b"phrase" if matches!(before, b"seed" | b"recovery" | b"pass") => (Kind::Password, Sure),
        b"secret" => (Kind::Secret, by_company(!alone)),
        b"secrets" | b"credential" | b"credentials" | b"creds" => (Kind::Secret, Likely),
        b"token" if listed(LEXICAL, before) => return None,
        b"token" => (Kind::Token, by_company(!alone)),
        b"tokens" if matches!(before, b"api" | b"auth" | b"access" | b"refresh" | b"bot") => {
            (Kind::Token, Likely)
        }
        b"key" | b"keys" if listed(KEYS_SURE, before) => (Kind::ApiKey, Sure),
        b"key" | b"keys" if listed(KEYS_LIKELY, before) => (Kind::ApiKey, Likely),
        b"key" | b"keys" if is_last && !listed(KEYS_PLAIN, before) => (Kind::ApiKey, Made),
        b"pat" if is_last => (Kind::Token, Made),
        b"authorization" if is_last => (Kind::Token, Authorization),
        b"auth" if is_last => (Kind::Token, Likely),
        b"cookie" | b"cookies" if is_last => (Kind::Cookie, Cookie),
        b"bearer" if alone => (Kind::Bearer, Likely),
        b"phpsessid" | b"jsessionid" => (Kind::Cookie, Likely),
        b"sid" if before == b"connect" => (Kind::Cookie, Likely),
        b"sig" | b"signature" if is_last => (Kind::Token, Query),
        b"otp" | b"totp" if is_last => (Kind::Password, Code),
        b"string" if before == b"connection" => (Kind::Secret, Sure),
        b"connstr" | b"connectionstring" => (Kind::Secret, Sure),
        b"mac" if before == b"private" => (Kind::PrivateKey, Likely),
        _ if ends_with_any(
            word,
            &["password", "passwd", "passphrase", "userpass", "dbpass"],
        ) =>
        {
            (Kind::Password, Sure)
        }
        _ if ends_with_any(
            word,
            &[
                "storepass",
                "keypass",
                "sshpass",
                "rootpw",
                "dbpw",
                "bindpw",
            ],
        ) =>
        {
            (Kind::Password, Sure)
        }
        // `ACRPWD`; the shell's own is the directory it was in before.
        _ if is_last && word.ends_with(b"pwd") && word != b"oldpwd" => (Kind::Password, Sure),
        _ if word.ends_with(b"secret") => (Kind::Secret, Sure),
        _ if ends_with_any(
            word,
            &["apikey", "apikeys", "secretkey", "accesskey", "privatekey"],
        ) =>
        {
            (Kind::ApiKey, Sure)
        }
        _ if ends_with_any(
            word,
            &[
                "authkey",
                "licensekey",
                "licencekey",
                "masterkey",
                "accountkey",
            ],
        ) =>
        {
            (Kind::ApiKey, Sure)
        }
        _ if ends_with_any(
            word,
            &[
                "authtoken",
                "accesstoken",
                "apitoken",
                "refreshtoken",
                "bottoken",
            ],
        ) =>
        {
            (Kind::Token, Sure)
        }
        _ if is_last && is_glued_key(word) => (Kind::ApiKey, Made),
        _ => return None,
    })
}

/// Whether a word is a key and its owner in one, as `storagekey` is.
fn is_glued_key(word: &[u8]) -> bool {
    let owner = word.strip_suffix(b"key").unwrap_or(b"");
    !owner.is_empty() && !listed(KEYS_PLAIN, owner)
}

/// A cheap look for the letters every sensitive name holds; most names of a log end here.
fn may_be_sensitive(name: &[u8]) -> bool {
    name.len() >= 2
        && (name.starts_with(b"BUNDLE_")
            || name.windows(2).any(|w| {
                matches!(
                    [w[0] | 0x20, w[1] | 0x20],
                    // pa(ss) pw se(cret) to(ken) ke(y) au(th) co(okie, nnection) cr(edential) …
                    [b'p', b'a' | b'w' | b'h' | b's']
                    | [b's', b'e' | b'i']
                    | [b't', b'o' | b'p']
                    | [b'k', b'e']
                    | [b'a', b'u']
                    | [b'c', b'o' | b'r']
                    | [b'o', b't']
                    | [b'm', b'n']
                    | [b'n', b't']
                    | [b'm', b'a']
                    | [b'b', b'e']
                    // …and those of other languages: (wach)tw(oord) (ha)sl(o) (adgangs)ko(de)
                    | [b's', b'l']
                    | [b't', b'w']
                    | [b'k', b'o']
                )
            }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(name: &str) -> Option<Level> {
        classify(name.as_bytes()).map(|s| s.level)
    }

    #[test]
    fn names_of_secrets_are_sure() {
        for name in [
            "password",
            "DB_PASSWORD",
            "dbPassword",
            "PGPASSWORD",
            "client_secret",
            "clientSecret",
            "X-Api-Key",
            "APIKey",
            "api.key",
            "AWS_SECRET_ACCESS_KEY",
            "Secret Access Key",
            "auth_token",
            "GITHUB_TOKEN",
            "private_key",
            "SMTP_PASS",
            "connection_string",
            "ConnectionString",
            "pw",
            "encryptionKey",
            "licence_key",
            "webhook-secret",
            "userpassword",
            "AccountKey",
            "password2",
            "ACRPWD",
        ] {
            assert_eq!(level(name), Some(Level::Sure), "{name}");
        }
    }

    #[test]
    fn ordinary_names_say_nothing() {
        for name in [
            "max_tokens",
            "tokenizer",
            "author",
            "keyboard",
            "primary_key",
            "cache_key",
            "cacheKey",
            "OLDPWD",
            "public_key",
            "token_type",
            "password_file",
            "secretName",
            "passed",
            "eos_token",
            "next_page_token",
            "tokens",
            "access_key_id",
            "secretary",
            "compass",
            "bypass",
            "private_key_id",
            "password_reset",
            "",
        ] {
            assert_eq!(level(name), None, "{name}");
        }
    }

    #[test]
    fn ambiguous_names_ask_for_more() {
        assert_eq!(level("token"), Some(Level::Likely));
        assert_eq!(level("secret"), Some(Level::Likely));
        assert_eq!(level("app_key"), Some(Level::Likely));
        assert_eq!(level("pass"), Some(Level::Assigned));
        assert_eq!(level("sig"), Some(Level::Query));
        assert_eq!(level("key"), Some(Level::Made));
        assert_eq!(level("weatherstack_key"), Some(Level::Made));
        assert_eq!(level("bitfinexKey"), Some(Level::Made));
        assert_eq!(level("storagekey"), Some(Level::Made));
    }

    #[test]
    fn a_name_of_any_length_is_read() {
        let long = format!("{}_PASSWORD", "A_".repeat(500));
        assert_eq!(level(&long), Some(Level::Sure));
        assert_eq!(level(&"é".repeat(200)), None);
    }
}
