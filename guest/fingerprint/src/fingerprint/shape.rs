//! The shape of one token: is it a path, a number, a hash, a time, a name, or a word of the language?
//!
//! It owns the classification of a token by its characters alone. It does not look at the neighbours of a
//! token and does not cut the text into tokens.

pub(crate) use super::names::Shape;
use super::names::name;
use super::words;

/// Classifies a token. `token` is not empty and holds neither spaces nor quotes.
pub(crate) fn of(token: &str) -> Shape {
    if let Some(hole) = literal(token) {
        return Shape::Hole(hole);
    }
    if is_path(token) {
        return Shape::Hole("<path>");
    }
    if token.contains('@') && token.len() > 2 && !token.starts_with('@') {
        return Shape::Hole(match token.split_once('@') {
            Some((_, host))
                if host.starts_with(|c: char| c.is_ascii_digit())
                    && host.split('.').count() != 4 =>
            {
                "<id>"
            }
            Some((_, host)) if host.contains('.') && host.starts_with(char::is_alphabetic) => {
                "<email>"
            }
            _ => "<addr>",
        });
    }
    name(token)
}

/// Numbers and everything that is built like one.
fn literal(token: &str) -> Option<&'static str> {
    let bytes = token.as_bytes();
    if !bytes.is_ascii() {
        return (token.chars().any(char::is_numeric) && !token.chars().any(char::is_alphabetic))
            .then_some("<num>");
    }
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = bytes.iter().filter(|b| b.is_ascii_alphabetic()).count();
    if is_uuid(bytes) {
        return Some("<uuid>");
    }
    if let Some(rest) = token
        .strip_prefix("0x")
        .or_else(|| token.strip_prefix("0X"))
    {
        return rest
            .bytes()
            .all(|b| b.is_ascii_hexdigit() || b == b'_')
            .then_some("<hex>");
    }
    if is_address(token) {
        return Some("<addr>");
    }
    if digits == 0 {
        let hex =
            letters == bytes.len() && bytes.len() >= 8 && bytes.iter().all(u8::is_ascii_hexdigit);
        return hex.then_some("<hex>");
    }
    if is_time(bytes) {
        return Some("<time>");
    }
    if letters == 0 {
        let dots = bytes.iter().filter(|b| **b == b'.').count();
        return Some(if dots >= 2 && digits + dots == bytes.len() {
            "<ver>"
        } else {
            "<num>"
        });
    }
    if letters + digits == bytes.len() {
        let hex = bytes.iter().all(u8::is_ascii_hexdigit);
        if hex && bytes.len() >= 7 {
            return Some("<hex>");
        }
        // ULIDs, keys and other random names: long, and letters and digits well mixed.
        if bytes.len() >= 16 && digits >= 4 {
            return Some("<id>");
        }
    }
    if is_quantity(token) {
        return Some("<num>");
    }
    is_version(token).then_some("<ver>")
}

fn is_uuid(bytes: &[u8]) -> bool {
    let core = bytes
        .strip_prefix(b"{")
        .and_then(|b| b.strip_suffix(b"}"))
        .unwrap_or(bytes);
    core.len() == 36
        && core.iter().enumerate().all(|(i, b)| {
            if matches!(i, 8 | 13 | 18 | 23) {
                *b == b'-'
            } else {
                b.is_ascii_hexdigit()
            }
        })
}

/// IPv4 and IPv6 addresses with or without port and mask, and `name:port`.
fn is_address(token: &str) -> bool {
    let host = token.split('/').next().unwrap_or(token);
    let (ip, port) = host.rsplit_once(':').unwrap_or((host, ""));
    let is_v4 = |s: &str| {
        s.split('.').count() == 4
            && s.split('.')
                .all(|p| p.len() <= 3 && p.parse::<u8>().is_ok())
    };
    if is_v4(host) || (is_v4(ip) && port.bytes().all(|b| b.is_ascii_digit())) {
        return true;
    }
    // `db.example.org:5432`; a name with the ending of a file is a place in that file.
    let named = ip == "localhost"
        || ip.contains('.')
            && !has_extension(ip)
            && ip
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b));
    if named
        && (2..=5).contains(&port.len())
        && port.bytes().all(|b| b.is_ascii_digit())
        && ip.bytes().any(|b| b.is_ascii_alphabetic())
    {
        return true;
    }
    let groups: Vec<&str> = host
        .trim_matches(|c| c == '[' || c == ']')
        .split(':')
        .collect();
    let hex = groups
        .iter()
        .all(|g| g.len() <= 4 && g.bytes().all(|b| b.is_ascii_hexdigit()));
    let filled = groups.iter().filter(|g| !g.is_empty()).count();
    if hex && ((groups.len() >= 3 && host.contains("::") && filled > 0) || groups.len() == 8) {
        return true;
    }
    // Bytes of a hardware address are no times: they have letters or six groups of two.
    groups.len() == 6
        && groups
            .iter()
            .all(|g| g.len() == 2 && g.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Dates, clock times and both together, in the ways that logs write them.
fn is_time(bytes: &[u8]) -> bool {
    let shape: Vec<u8> = bytes
        .iter()
        .map(|b| if b.is_ascii_digit() { b'9' } else { *b })
        .collect();
    let starts = |p: &[u8]| shape.starts_with(p);
    starts(b"9999-99-99")
        || starts(b"9999/99/99")
        || starts(b"99:99:99")
        || starts(b"99/99/9999")
        || starts(b"99.99.9999")
        || starts(b"9:99:99")
        || starts(b"99/Jan")
        || (starts(b"99/") && shape.len() > 10 && shape[3].is_ascii_alphabetic())
        || shape == b"99999999T999999Z"
}

/// `12ms`, `0m0.139s`, `5GiB`, `45%`, `1e9`, `3rd`, `10x`: a number with a unit.
fn is_quantity(token: &str) -> bool {
    let rest = token.trim_start_matches(['+', '-', '~']);
    if !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return false;
    }
    let mut letters = 0;
    for part in rest.split(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '_' | '+' | '-'))
    {
        letters += part.len();
        if !part.is_empty() && !UNITS.contains(&part.to_ascii_lowercase().as_str()) {
            return false;
        }
    }
    letters > 0
}

const UNITS: [&str; 48] = [
    "s", "m", "h", "d", "w", "y", "ms", "us", "ns", "sec", "secs", "min", "mins", "hr", "hrs", "b",
    "k", "g", "t", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib", "ki", "mi", "gi", "%", "e",
    "x", "st", "nd", "rd", "th", "px", "pt", "hz", "khz", "mhz", "ghz", "kb/s", "mb/s", "l", "u",
    "f",
];

/// `v1.2`, `1.2.3-beta`, `2.0.0rc1`.
fn is_version(token: &str) -> bool {
    let rest = token.strip_prefix(['v', 'V']).unwrap_or(token);
    let number = rest.split(['-', '+']).next().unwrap_or(rest);
    let parts: Vec<&str> = number.split('.').collect();
    let numeric = parts
        .iter()
        .filter(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()))
        .count();
    (rest.len() < token.len() && numeric == parts.len())
        || (parts.len() >= 3 && numeric >= 2 && parts[0].bytes().all(|b| b.is_ascii_digit()))
}

/// Pairs of words that a slash joins without being a path.
const NOT_PATHS: [&str; 14] = [
    "and/or",
    "i/o",
    "input/output",
    "read/write",
    "n/a",
    "tcp/ip",
    "client/server",
    "yes/no",
    "true/false",
    "on/off",
    "w/o",
    "or/and",
    "in/out",
    "try/catch",
];

/// A path by its separators, or by the ending of its name. A place in the file (`:10:5`) belongs to it.
fn is_path(token: &str) -> bool {
    let token = without_place(token);
    if let Some(rest) = token.strip_prefix(['/', '~', '.']) {
        if rest.contains(['/', '\\'])
            || token.starts_with('/')
                && rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.')
        {
            return true;
        }
        return token.starts_with('.')
            && rest.len() > 1
            && rest
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
            && rest.starts_with(|c: char| c.is_ascii_lowercase());
    }
    if token.contains(['/', '\\']) {
        let lower = token.to_ascii_lowercase();
        return !NOT_PATHS.contains(&lower.as_str()) && token.chars().any(char::is_alphanumeric);
    }
    has_extension(token)
}

/// `main.rs`, `lib.so.6`, `archive.tar.gz`.
fn has_extension(token: &str) -> bool {
    let mut parts = token.split('.');
    let stem = parts.next().unwrap_or("");
    if stem.is_empty()
        || !stem
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_-+@#$%".contains(&b) || b >= 0x80)
    {
        return false;
    }
    let ends: Vec<&str> = parts.collect();
    match ends.as_slice() {
        [] => false,
        [.., last] if words::is_extension(last) => true,
        // A shared library carries its version behind its ending.
        ends => ends
            .iter()
            .rev()
            .find(|e| !e.bytes().all(|b| b.is_ascii_digit()))
            .is_some_and(|e| *e == "so"),
    }
}

/// The token without a trailing `:10` or `:10:5`.
pub(crate) fn without_place(token: &str) -> &str {
    let mut rest = token;
    for _ in 0..2 {
        match rest.rsplit_once(':') {
            Some((head, tail))
                if !head.is_empty()
                    && !tail.is_empty()
                    && tail.bytes().all(|b| b.is_ascii_digit() || b == b'-') =>
            {
                rest = head
            }
            _ => break,
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holes(hole: &'static str, tokens: &[&str]) {
        for t in tokens {
            assert_eq!(of(t), Shape::Hole(hole), "{t}");
        }
    }

    #[test]
    fn every_volatile_shape_is_a_typed_hole() {
        holes(
            "<path>",
            &[
                "/usr/bin/ld",
                "src/main.rs:10:5",
                "~/x",
                "./a.out",
                "main.py",
                "lib.so.6",
                "a\\b",
                "foo.tar.gz",
                "../up",
                ".gitignore",
            ],
        );
        holes(
            "<num>",
            &[
                "12", "-3", "1,024", "3.14", "12ms", "0m0.139s", "45%", "1.5GiB", "٣٤",
            ],
        );
        holes("<uuid>", &["123e4567-e89b-12d3-a456-426614174000"]);
        holes(
            "<hex>",
            &[
                "0xdeadBEEF",
                "59807616e1fa2540724bfbac14d7976d7e4a3860",
                "deadbee64",
            ],
        );
        holes("<id>", &["01ARZ3NDEKTSV4RRFFQ69G5FAV", "foo@5.1.0"]);
        holes(
            "<time>",
            &["2026-03-01T10:11:12.123Z", "10:11:12", "2026/04/11"],
        );
        holes(
            "<addr>",
            &[
                "10.0.0.1",
                "127.0.0.1:8080",
                "fe80::1",
                "db.example.org:5432",
                "localhost:80",
                "10.0.0.0/8",
                "ana@10.0.0.1",
            ],
        );
        holes("<email>", &["ana@example.org"]);
        holes("<ver>", &["v1.2", "1.2.3", "1.2.3-beta"]);
        holes("<opt>", &["--force", "-lfoo"]);
    }
}
