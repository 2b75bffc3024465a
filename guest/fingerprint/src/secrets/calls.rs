//! Arguments of calls: `setPassword("X")`, `define('DB_PASSWORD', 'X')`, `auth=("bob", "X")`.
//!
//! This module owns a secret that stands between parentheses as a literal. What a variable holds is not known, and a call
//! that only asks for something, such as `getPassword("alias")`, has nothing to hide.

use super::bytes::*;
use super::lexicon::listed;
use super::names::{Level, classify};
use super::values::{Style, extent, is_secret, stands_for_nothing};
use super::{Kind, Span};

/// First words of functions that ask for a secret or speak about one.
pub(super) const ASKING: &str = "get find load read fetch has is lookup check verify validate hash compare reset forgot test \
    require required need show label input prompt confirm encode contains expect resolve remove delete clear describe it";

/// Words of functions that take a name and a value.
const SETTING: &str = "set put define add header headers env setenv putenv setdefault property setproperty append \
    setheader addheader config option setitem insert environ withheader requestheader setrequestheader";

/// Words of functions that take a user and a password.
const PAIRS: &str = "auth basicauth basic_auth httpbasicauth httpdigestauth login credentials credential \
    networkcredential usernamepasswordcredentials usernamepasswordauthenticationtoken withcredentials setcredentials \
    passwordauthentication plainauth basic";

/// Words of functions that take an address, a user and a password.
const TRIPLES: &str = "pdo mysqli mysqli_connect mysql_connect getconnection";

/// The first word of a name: `get` of `getPassword` and `get_password`.
pub(super) fn first_word(name: &[u8]) -> &[u8] {
    let end = (1..name.len())
        .find(|&i| !is(name[i], ALNUM) || (is(name[i], UPPER) && is(name[i - 1], LOWER)))
        .unwrap_or(name.len());
    &name[..end]
}

/// The literal that begins at `i`, behind blanks: its text, and where it ends with its quote.
fn literal(t: &[u8], i: usize) -> Option<(usize, usize, usize)> {
    let i = run(t, i, SPACE);
    if !is_at(t, i, QUOTE) && at(t, i) != b'\\' {
        return None;
    }
    let value = extent(t, i, i)?;
    if !value.quoted || value.end - value.start > 512 {
        return None;
    }
    let mut after = value.end;
    while at(t, after) == b'\\' {
        after += 1;
    }
    is_at(t, after, QUOTE).then_some((value.start, value.end, after + 1))
}

/// The secret among the arguments of the call whose parenthesis is at `i`.
pub(super) fn argument_at(t: &[u8], i: usize, floor: usize) -> Option<Span> {
    if !is_at(t, i + 1, QUOTE | SPACE) && at(t, i + 1) != b'\\' {
        return behind_expression(t, i, floor);
    }
    let mut name_end = i;
    // `auth=(…)` and `auth: (…)` of a pair.
    while name_end > floor && matches!(t[name_end - 1], b'=' | b' ' | b':') && i - name_end < 4 {
        name_end -= 1;
    }
    let start = run_back(t, name_end, floor.max(name_end.saturating_sub(64)), WORD);
    let name = &t[start..name_end];
    if name.is_empty() {
        return None;
    }
    let is_call = name_end == i;
    let (first, first_end, after) = literal(t, i + 1)?;
    let v = &t[first..first_end];
    if is_call && at(t, run(t, after, SPACE)) == b')' {
        let said = classify(name)?;
        let sets = matches!(first_word(name), b"set" | b"with" | b"Set" | b"With");
        let telling = said.kind == Kind::Password && said.level == Level::Sure || sets;
        let fits =
            telling && !listed(ASKING, first_word(name)) && is_secret(v, true, Style::Tight, said);
        return fits.then_some(Span {
            start: first,
            end: first_end,
            kind: said.kind,
        });
    }
    let comma = run(t, after, SPACE);
    if at(t, comma) != b',' {
        return None;
    }
    let (second, second_end, end) = literal(t, comma + 1)?;
    let value = &t[second..second_end];
    if listed(PAIRS, name) && at(t, run(t, end, SPACE)) == b')' {
        return (!stands_for_nothing(value)).then_some(Span {
            start: second,
            end: second_end,
            kind: Kind::Password,
        });
    }
    let triple = listed(TRIPLES, name) || (name == b"connect" && v.starts_with(b"dbi:"));
    if triple && at(t, run(t, end, SPACE)) == b',' {
        let (start, end, _) = literal(t, run(t, end, SPACE) + 1)?;
        return (!stands_for_nothing(&t[start..end])).then_some(Span {
            start,
            end,
            kind: Kind::Password,
        });
    }
    let sets = listed(SETTING, name) || listed(SETTING, first_word(name));
    let said = classify(v).filter(|_| is_call && sets)?;
    // A header keeps its scheme: that is for whoever reads headers.
    if matches!(said.level, Level::Authorization | Level::Cookie) {
        return None;
    }
    is_secret(value, true, Style::Tight, said).then_some(Span {
        start: second,
        end: second_end,
        kind: said.kind,
    })
}

/// The password of a call that takes an address, a user and a password, where the address is no literal:
/// `getConnection(url, "bob", "X")`.
fn behind_expression(t: &[u8], i: usize, floor: usize) -> Option<Span> {
    let ends = i > floor && matches!(t[i - 1] | 0x20, b'o' | b'i' | b't' | b'n');
    if !ends || !is_at(t, i + 1, WORD) {
        return None;
    }
    let start = run_back(t, i, floor.max(i.saturating_sub(64)), WORD);
    if !listed(TRIPLES, &t[start..i]) {
        return None;
    }
    let comma = run(t, i + 1, WORD | DOT);
    if at(t, comma) != b',' {
        return None;
    }
    let (_, _, after) = literal(t, comma + 1)?;
    let comma = run(t, after, SPACE);
    if at(t, comma) != b',' {
        return None;
    }
    let (start, end, _) = literal(t, comma + 1)?;
    (!stands_for_nothing(&t[start..end])).then_some(Span {
        start,
        end,
        kind: Kind::Password,
    })
}

#[cfg(test)]
mod tests {
    use super::super::mask;

    #[test]
    fn a_literal_in_the_place_of_a_secret_is_hidden() {
        for text in [
            "ds.setPassword(\"§\");",
            "define('DB_PASSWORD', '§');",
            "os.environ.setdefault(\"DB_PASSWORD\", \"§\")",
            "get(url, auth=('bob', '§'))",
            "new NetworkCredential(\"bob\", \"§\")",
            "PASSWORD('§')",
            "DriverManager.getConnection(url, \"bob\", \"§\")",
        ] {
            let text = text.replace('§', "hunter2");
            let masked = mask(&text);
            assert_eq!(masked, text.replace("hunter2", "<secret:password>"));
        }
    }

    #[test]
    fn a_key_of_drawn_letters_and_marks_is_hidden_and_a_pattern_is_not() {
        let key = "V|x]9d&Lq2;Zr4?mT8kPw>n0Bh}c6Yu";
        let text = format!("define('LOGGED_IN_KEY', '{key}');");
        let masked = mask(&text).into_owned();
        assert_eq!(masked, text.replace(key, "<secret:api-key>"));
        let pattern = "define('LOGGED_IN_KEY', '^[A-Z]{2}(foo|bar)<x1>:[0-9]+;Q2$');";
        assert_eq!(mask(pattern), pattern);
    }

    #[test]
    fn what_asks_for_a_secret_stays() {
        for text in [
            "getPassword(\"db.alias\")",
            "raise ValueError(\"password is empty\")",
            "select(\"password\", \"email\")",
            "login(user, password)",
            "user.set_password(password)",
            "keyring.get_password(\"svc\", \"bob2\")",
        ] {
            assert_eq!(mask(text), text);
        }
    }
}
