//! Addresses with credentials in them: URLs, data source names, webhooks, bot tokens.
//!
//! This module owns the places inside an address where a password stands by position rather than by
//! name. Named query parameters are fields like any other and belong to `fields`.

use super::bytes::*;
use super::values::stands_for_nothing;
use super::{Kind, Span};

/// Addresses are short; a longer run is data.
const MAX_AUTHORITY: usize = 2048;
/// How far behind a slash the end of a password is looked for.
const MAX_PASSWORD: usize = 128;

/// The password or token before the `@` of the URL whose `://` is at `i`.
pub(super) fn userinfo(t: &[u8], i: usize) -> Option<Span> {
    let start = i + 3;
    let limit = t.len().min(start + MAX_AUTHORITY);
    let stop = |b: &u8| is(*b, SPACE | QUOTE) || matches!(b, b'<' | b'>' | b'\\' | 0);
    let ends = |b: &u8| stop(b) || matches!(b, b'/' | b'?' | b'#');
    let slash = t[start..limit]
        .iter()
        .position(ends)
        .unwrap_or(limit - start);
    // What follows the first slash matters only for a password that holds one.
    let open = t[start..start + slash].contains(&b':') && !t[start..start + slash].contains(&b'@');
    let far = limit.min(start + slash + MAX_PASSWORD);
    let all = &t[start..if open { far } else { start + slash }];
    let all = &all[..all.iter().position(stop).unwrap_or(all.len())];
    let colon = all[..slash].iter().position(|&b| b == b':');
    let at_sign = match all[..slash].iter().rposition(|&b| b == b'@') {
        Some(n) => n,
        // A slash in the password: what stands after the colon is then no port.
        None => {
            let colon = colon.filter(|_| all[0] != b'[')?;
            let port = &all[colon + 1..slash];
            let is_port = port.iter().all(|b| is(*b, DIGIT)) || stands_for_nothing(port);
            let far = all
                .iter()
                .rposition(|&b| b == b'@')
                .filter(|&n| !is_port && n > colon)?;
            // A second address in the same run is not a password.
            (position(&all[..far], b"://").is_none()).then_some(far)?
        }
    };
    match colon.filter(|&c| c < at_sign) {
        Some(c) => {
            let v = &all[c + 1..at_sign];
            // The address of an error tracker is a pair of keys.
            if c >= 32 && all[..c].iter().all(|b| is(*b, HEX)) {
                return Some(Span {
                    start,
                    end: start + at_sign,
                    kind: Kind::Token,
                });
            }
            let template = v.first() == Some(&b'{') && v.last() == Some(&b'}');
            (!stands_for_nothing(v) && !template && !v.starts_with(b"${")).then_some(Span {
                start: start + c + 1,
                end: start + at_sign,
                kind: Kind::Password,
            })
        }
        None => opaque(&all[..at_sign], 16).then_some(Span {
            start,
            end: start + at_sign,
            kind: Kind::Token,
        }),
    }
}

/// `user:password@tcp(host)` of Go's database drivers and `:pserver:user:password@host` of CVS, seen from the `@` at `i`.
pub(super) fn driver_password(t: &[u8], i: usize, floor: usize) -> Option<Span> {
    const CVS: &[u8] = b":pserver:";
    let floor = floor.max(i.saturating_sub(128));
    let cvs = || Some(floor + position(&t[floor..i], CVS)? + CVS.len());
    let is_driver = t[i + 1..].starts_with(b"tcp(") || t[i + 1..].starts_with(b"unix(");
    let floor = match is_driver {
        true => floor,
        false => cvs()?,
    };
    let mut start = i;
    while start > floor && !is(t[start - 1], SPACE | QUOTE) && t[start - 1] != b'=' {
        start -= 1;
    }
    let colon = start + t[start..i].iter().position(|&b| b == b':')?;
    let v = &t[colon + 1..i];
    (!stands_for_nothing(v)).then_some(Span {
        start: colon + 1,
        end: i,
        kind: Kind::Password,
    })
}

/// `thin:user/password@host` of Oracle's driver, seen from the colon at `i`.
pub(super) fn oracle_password(t: &[u8], i: usize) -> Option<Span> {
    let user = run(t, i + 1, URLSAFE | DOT);
    if user == i + 1 || at(t, user) != b'/' {
        return None;
    }
    let limit = t.len().min(user + 128);
    let stop = t[user..limit]
        .iter()
        .position(|b| is(*b, SPACE | QUOTE) || *b == b'@')?;
    let (start, end) = (user + 1, user + stop);
    (at(t, end) == b'@' && end > start && !stands_for_nothing(&t[start..end])).then_some(Span {
        start,
        end,
        kind: Kind::Password,
    })
}

/// Programs of Oracle that take `user/password@host`.
const ORACLE: [&[u8]; 8] = [
    b"sqlplus", b"sqlldr", b"expdp", b"impdp", b"exp", b"imp", b"sqlcl", b"rman",
];

/// `sqlplus user/password@host`, seen from its `@` at `i`.
pub(super) fn sqlplus_password(t: &[u8], i: usize, floor: usize) -> Option<Span> {
    let lowest = floor.max(i.saturating_sub(96));
    let word = lowest
        + t[lowest..i]
            .iter()
            .rposition(|b| is(*b, SPACE | QUOTE))
            .map_or(0, |n| n + 1);
    let user = run(&t[..i], word, WORD);
    if user == word || at(t, user) != b'/' || i < user + 3 {
        return None;
    }
    let known = t[lowest..word]
        .rsplit(|b| is(*b, SPACE | QUOTE))
        .any(|part| ORACLE.contains(&part.rsplit(|b| *b == b'/').next().unwrap_or(part)));
    (known && !stands_for_nothing(&t[user + 1..i])).then_some(Span {
        start: user + 1,
        end: i,
        kind: Kind::Password,
    })
}

/// A Telegram bot token, `digits:secret`, seen from its colon at `i`.
pub(super) fn telegram_token(t: &[u8], i: usize, floor: usize) -> Option<Span> {
    let mut start = run_back(t, i, floor.max(i.saturating_sub(16)), DIGIT);
    if start > floor && t[start - 1] == b'%' {
        // `%22` of an encoded URL.
        start = i.min(start + 2);
    }
    let end = run(t, i + 1, URLSAFE);
    // Exactly thirty-five bytes: a UUID has one more, a commit five more.
    let fits = (6..=12).contains(&(i - start)) && end - i - 1 == 35;
    (fits && varied(&t[i + 1..end])).then_some(Span {
        start,
        end,
        kind: Kind::Token,
    })
}

/// The password of a `.pgpass` line, `host:port:database:user:password`, seen from its first colon.
pub(super) fn pgpass(t: &[u8], i: usize, floor: usize) -> Option<Span> {
    let port_end = if at(t, i + 1) == b'*' {
        i + 2
    } else {
        run(t, i + 1, DIGIT)
    };
    if at(t, port_end) != b':' || !is_postgres_port(&t[i + 1..port_end]) {
        return None;
    }
    let lowest = floor.max(i.saturating_sub(128));
    let mut start = i;
    while start > lowest && (is(t[start - 1], URLSAFE | DOT) || matches!(t[start - 1], b'*' | b'/'))
    {
        start -= 1;
    }
    if start == i || (start > 0 && !matches!(t[start - 1], b'\n' | b'\r')) {
        return None;
    }
    let end = line_end(t, i);
    let mut field = port_end + 1;
    for _ in 0..2 {
        let len = t[field..end].iter().position(|&b| b == b':')?;
        let name = &t[field..field + len];
        if name.is_empty() || name.iter().any(|b| is(*b, SPACE)) || is(name[0], DIGIT) {
            return None;
        }
        field += len + 1;
    }
    let v = &t[field..end];
    let password = !v.iter().any(|b| is(*b, SPACE)) && !stands_for_nothing(v);
    password.then_some(Span {
        start: field,
        end,
        kind: Kind::Password,
    })
}

/// Only the ports Postgres and its poolers use: `main.c:1234:a:b:c` has the same form.
fn is_postgres_port(port: &[u8]) -> bool {
    if port == b"*" {
        return true;
    }
    let number = port.iter().fold(0u32, |n, b| {
        n.saturating_mul(10).saturating_add(u32::from(b & 15))
    });
    matches!(number, 5430..=5450 | 6432 | 6543 | 15432 | 25432 | 54320..=54329)
}

/// The secret path of a webhook whose host begins at `i`.
pub(super) fn webhook_at(t: &[u8], i: usize) -> Option<Span> {
    const HOSTS: [(&[u8], usize); 7] = [
        (b"hooks.zapier.com/hooks/catch/", 10),
        (b"hooks.slack.com/services/", 20),
        (b"hooks.slack.com/workflows/", 20),
        (b"hooks.slack.com/triggers/", 20),
        (b"discord.com/api/webhooks/", 30),
        (b"discordapp.com/api/webhooks/", 30),
        (b"webhook.office.com/webhookb2/", 30),
    ];
    let (host, min) = HOSTS.into_iter().find(|(h, _)| t[i..].starts_with(h))?;
    let start = i + host.len();
    let mut end = start;
    while end < t.len() && (is(t[end], URLSAFE | DOT) || matches!(t[end], b'/' | b'@')) {
        end += 1;
    }
    let v = &t[start..end];
    (v.len() >= min && v.contains(&b'/') && varied(v)).then_some(Span {
        start,
        end,
        kind: Kind::Webhook,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(text: &str) -> Option<&str> {
        let i = text.find("://").expect("a URL");
        userinfo(text.as_bytes(), i).map(|s| &text[s.start..s.end])
    }

    #[test]
    fn a_password_in_a_url_is_found() {
        assert_eq!(hidden("postgres://bob:hunter2@db:5432/x"), Some("hunter2"));
        assert_eq!(hidden("redis://:p4@ss@cache:6379"), Some("p4@ss"));
        assert_eq!(hidden("postgres://bob:a/b#c@db/x"), Some("a/b#c"));
        assert_eq!(
            hidden("https://0a1b2c3d4e5f6a7b8c9d@git.example/x"),
            Some("0a1b2c3d4e5f6a7b8c9d")
        );
    }

    #[test]
    fn plain_urls_and_user_names_stay() {
        for url in [
            "https://example.com:8080/a@b",
            "ssh://git@github.com/x",
            "http://user:$PASS@host",
            "http://user:<secret:password>@host",
            "http://user:***@host",
            "https://x/y:z@1.2",
            "http://[::1]:80/@x",
        ] {
            assert_eq!(hidden(url), None, "{url}");
        }
    }

    #[test]
    fn a_pgpass_line_is_told_from_a_compiler_message() {
        let line = b"db.example:5432:prod:app:hunter2\n";
        let span = pgpass(line, 10, 0).expect("a password");
        assert_eq!(&line[span.start..span.end], b"hunter2");
        assert!(pgpass(b"main.c:1234:a:b:c", 6, 0).is_none());
        assert!(pgpass(b"x db:5432:a:b:c", 4, 0).is_none());
    }

    #[test]
    fn driver_names_carry_passwords() {
        let text = b"dsn root:hunter2@tcp(127.0.0.1:3306)/db";
        let span = driver_password(text, 16, 0).expect("a password");
        assert_eq!(&text[span.start..span.end], b"hunter2");
        let text = b"jdbc:oracle:thin:scott/tiger@host:1521";
        let span = oracle_password(text, 16).expect("a password");
        assert_eq!(&text[span.start..span.end], b"tiger");
    }
}
