//! Hashes of passwords: what `/etc/shadow`, `.htpasswd`, a table of users or a dump of a directory holds.
//!
//! This module owns the forms that say themselves what they are. A digest without a salt looks the same as that of a
//! file and stays.

use super::bytes::*;
use super::lexicon::listed;
use super::{Kind, Span};

/// Names between the first two dollar signs.
const SCHEMES: &str = "1 2 2a 2b 2x 2y 5 6 7 8 9 y gy P H krb5asrep krb5tgs krb5pa apr1 sha1 md5 argon2i argon2d argon2id scrypt bcrypt-sha256 \
    pbkdf2 pbkdf2-sha1 pbkdf2-sha256 pbkdf2-sha512";

/// Names before the first dollar sign.
const PREFIXES: &str = "pbkdf2_sha256 pbkdf2_sha1 pbkdf2 argon2 scrypt bcrypt bcrypt_sha256 SCRAM-SHA-256 \
    SCRAM-SHA-1 PBKDF2WithHmacSHA256";

/// The shortest body: eight bytes of salt and a digest of twenty-two.
const SHORTEST: usize = 30;

/// The hash with a dollar sign at `i`: the first one of `$6$salt$digest`, or the one after `pbkdf2_sha256`.
pub(super) fn hash_at(t: &[u8], i: usize, floor: usize) -> Option<Span> {
    let name_end = run(&t[..t.len().min(i + 24)], i + 1, URLSAFE);
    let before = run_back(t, i, floor.max(i.saturating_sub(24)), URLSAFE);
    let start = if before < i && listed(PREFIXES, &t[before..i]) {
        before
    } else if at(t, name_end) == b'$' && listed(SCHEMES, &t[i + 1..name_end]) {
        i
    } else {
        return None;
    };
    // What was asked of a Kerberos server names whom it was asked for.
    let ticket = t[i..].starts_with(b"$krb5");
    let part = |b: u8| {
        is(b, URLSAFE | DOT | BASE64 | COLON)
            || matches!(b, b'$' | b',')
            || ticket && matches!(b, b'@' | b'*')
    };
    let mut end = i;
    while end < t.len() && part(t[end]) {
        end += 1;
    }
    // The fields of a line of `/etc/shadow` follow after a colon, and only SCRAM and tickets have one inside.
    if !ticket && !t[start..].starts_with(b"SCRAM") {
        end = t[i..end]
            .iter()
            .position(|b| *b == b':')
            .map_or(end, |n| i + n);
    }
    let body = &t[i..end];
    let digest = body.rsplit(|b| *b == b'$').next().unwrap_or(b"");
    let fits = body.len() >= SHORTEST && digest.len() >= 20 && varied(digest);
    fits.then_some(Span {
        start,
        end,
        kind: Kind::Password,
    })
}

/// The hash that MySQL keeps, `*` and forty digits, at `i`.
pub(super) fn mysql_at(t: &[u8], i: usize) -> Option<Span> {
    let end = run(t, i + 1, HEX);
    let fits = end - i == 41
        && !is_at(t, end, WORD)
        && !t[i + 1..end].iter().any(u8::is_ascii_lowercase)
        && varied_digits(&t[i + 1..end]);
    fits.then_some(Span {
        start: i,
        end,
        kind: Kind::Password,
    })
}

fn varied_digits(v: &[u8]) -> bool {
    v.iter().any(u8::is_ascii_digit) && v.iter().any(u8::is_ascii_uppercase)
}

/// The two digests of a line that was dumped from Windows, `name:500:digest:digest:::`, seen from its first colon.
pub(super) fn windows_at(t: &[u8], i: usize) -> Option<Span> {
    let id = run(t, i + 1, DIGIT);
    if id == i + 1 || id - i > 8 || at(t, id) != b':' {
        return None;
    }
    let (first, second) = (run(t, id + 1, HEX), id + 34);
    let end = run(t, second, HEX);
    let fits = first == id + 33
        && at(t, first) == b':'
        && end == second + 32
        && t[end..].starts_with(b":::");
    fits.then_some(Span {
        start: id + 1,
        end,
        kind: Kind::Password,
    })
}

#[cfg(test)]
mod tests {
    use super::super::mask;

    #[test]
    fn a_hash_of_a_password_goes_and_the_line_around_it_stays() {
        let digest = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zR0";
        for (text, want) in [
            (
                format!("bob:$6$s4lts4lt${digest}:19000:0:::"),
                "bob:<secret:password>:19000:0:::",
            ),
            (
                format!("x pbkdf2_sha256$600$s4lt${digest}= y"),
                "x <secret:password> y",
            ),
            (
                format!("$krb5asrep$23$bob@x.org:{digest}${digest}"),
                "<secret:password>",
            ),
            (
                format!("{{'h': '$2y$10${digest}'}}"),
                "{'h': '<secret:password>'}",
            ),
        ] {
            assert_eq!(mask(&text), want);
        }
    }

    #[test]
    fn dollars_of_a_script_stay() {
        for text in [
            "echo $1$2$3",
            "s/a$/b$/",
            "$6.50 of $25",
            "printf '%s' \"$1$LONG_NAME_OF_A_VARIABLE_OF_MINE$2\"",
        ] {
            assert_eq!(mask(text), text);
        }
    }
}
