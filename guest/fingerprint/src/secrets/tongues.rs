//! What a password is called in other languages than English.
//!
//! This module owns the words and finding one before a separator. Prose in these languages is not known here, so a
//! value has to look like a password by itself: `Passwort: falsch` stays.

use super::bytes::*;
use super::values::{extent, is_password};
use super::{Kind, Span};

/// How far before the verb a word for a password may begin.
const MAX_SENTENCE: usize = 48;

/// A word for a password and whose it is have no more words.
const MOST_WORDS: usize = 6;

/// The ending of a word in bytes: `şifresi`.
const LONGEST_ENDING: usize = 2;

const SHORTEST: usize = 6;

/// The words, in small letters, and capitalised where a language has capitals.
const WORDS: &[&str] = &[
    "clave",
    "Clave",
    "contraseña",
    "Contraseña",
    "contrasenya",
    "mot de passe",
    "Mot de passe",
    "mdp",
    "Passwort",
    "passwort",
    "Kennwort",
    "kennwort",
    "Kennwort lautet",
    "Passwort lautet",
    "parola d'ordine",
    "Parola d'ordine",
    "parola",
    "Parola",
    "senha",
    "Senha",
    "palavra-passe",
    "wachtwoord",
    "Wachtwoord",
    "hasło",
    "Hasło",
    "haslo",
    "heslo",
    "Heslo",
    "lösenord",
    "Lösenord",
    "adgangskode",
    "Adgangskode",
    "passord",
    "Passord",
    "salasana",
    "Salasana",
    "jelszó",
    "Jelszó",
    "şifre",
    "Şifre",
    "parolă",
    "lozinka",
    "zaporka",
    "mật khẩu",
    "Mật khẩu",
    "kata sandi",
    "Kata sandi",
    "пароль",
    "Пароль",
    "парола",
    "Парола",
    "лозинка",
    "κωδικός",
    "κωδικός πρόσβασης",
    "κωδικος προσβασης",
    "Κωδικός",
    "συνθηματικό",
    "密码",
    "密碼",
    "口令",
    "密钥",
    "パスワード",
    "暗証番号",
    "비밀번호",
    "암호",
    "كلمة المرور",
    "كلمة السر",
    "رمز عبور",
    "סיסמה",
    "סיסמא",
    "पासवर्ड",
    "รหัสผ่าน",
];

/// Whether the text before a separator ends with a word for a password, and where that word begins.
pub(super) fn word_before(before: &[u8]) -> Option<usize> {
    let end = before
        .iter()
        .rposition(|b| !matches!(b, b' ' | b'\t' | b'"' | b'\'' | b'*'))?
        + 1;
    // The no-break space before a French colon.
    let end = before[..end]
        .strip_suffix("\u{a0}".as_bytes())
        .map_or(end, <[u8]>::len);
    let end = before[..end]
        .strip_suffix("\u{202f}".as_bytes())
        .map_or(end, <[u8]>::len);
    let before = &before[..end];
    WORDS.iter().find_map(|word| {
        let start = before.strip_suffix(word.as_bytes())?.len();
        // A word of letters must not be the end of a longer one; a script without blanks has no such ends.
        let apart = start == 0
            || !before[start - 1].is_ascii_alphanumeric()
            || !word.is_ascii() && before[start - 1] >= 0x80;
        apart.then_some(start)
    })
}

/// Where a word for a password begins among the last words of a text, behind which only whose it is may stand:
/// `hasło do serwera`, `le mdp de la base`, `das Kennwort für die Datenbank`. The word may have an ending.
pub(super) fn word_near(before: &[u8]) -> Option<usize> {
    let mut end = before.trim_ascii_end().len();
    for _ in 0..MOST_WORDS {
        let start = before[..end]
            .iter()
            .rposition(|b| *b == b' ')
            .map_or(0, |blank| blank + 1);
        let word = &before[start..end];
        let is_plain = |b: &u8| b.is_ascii_alphabetic() || *b >= 0x80 || *b == b'\'';
        if word.is_empty() || !word.iter().all(is_plain) {
            return None;
        }
        let rest = &before[start..];
        let is_begun = |name: &&&str| {
            let ending = rest.strip_prefix(name.as_bytes()).map(|rest| {
                let ending = rest.iter().position(|b| *b == b' ');
                ending.unwrap_or(rest.len())
            });
            ending.is_some_and(|ending| ending <= LONGEST_ENDING)
        };
        if WORDS.iter().any(|name| is_begun(&name)) {
            return Some(start);
        }
        end = start.checked_sub(1)?;
    }
    None
}

/// Whether what begins at `i` looks like a password to somebody who only sees it: letters and digits, to a blank.
pub(super) fn is_said(t: &[u8], i: usize) -> bool {
    let Some(value) = extent(t, i, i) else {
        return false;
    };
    let v = &t[value.start..value.end];
    let m = mix(v);
    let is_word = |b: &u8| is(*b, WORD | DASH) || b"!@#$%^&*?+~".contains(b);
    v.len() >= SHORTEST && m.digit > 0 && m.lower + m.upper >= 3 && v.iter().all(is_word)
}

/// Whether a name that stands behind `before` may be the end of such a word: most names of a log end here.
pub(super) fn may_end(before: &[u8], name: &[u8]) -> bool {
    before.last().is_some_and(|b| *b >= 0x80)
        || matches!(
            name,
            b"passe"
                | b"sandi"
                | b"ordine"
                | b"lautet"
                | b"mdp"
                | b"salasana"
                | b"Salasana"
                | b"lozinka"
                | b"zaporka"
        )
}

/// What a sentence says a password is, behind its verb between `i` and `after`: `la contraseña es X`, `密码是X`.
pub(super) fn value_after(t: &[u8], i: usize, after: usize) -> Option<Span> {
    let lowest = i.saturating_sub(MAX_SENTENCE);
    let before = &t[lowest..i];
    let english = before.trim_ascii_end().ends_with(b"password");
    let start = skip_blanks(t, after);
    let is_told = english
        || word_before(before).is_some()
        || is_said(t, start) && word_near(&before[char_start(before)..]).is_some();
    if !is_told {
        return None;
    }
    let value = extent(t, start, i)?;
    let v = &t[value.start..value.end];
    let v = match v {
        [rest @ .., b'.' | b',' | b'!'] => rest,
        v => v,
    };
    (v.len() >= SHORTEST && is_password(v)).then_some(Span {
        start: value.start,
        end: value.start + v.len(),
        kind: Kind::Password,
    })
}

/// Where the first whole character of a piece of text begins.
fn char_start(piece: &[u8]) -> usize {
    let inside = piece.iter().take_while(|b| **b & 0xc0 == 0x80);
    inside.count()
}

/// The same behind a verb or a sign that no ASCII letter begins.
pub(super) fn value_after_sign(t: &[u8], i: usize) -> Option<Span> {
    let sign = [
        "è ", "é ", "är ", "— ", "– ", "是", "为", "為", "は", "는", "은",
    ]
    .into_iter()
    .find(|sign| t[i..].starts_with(sign.as_bytes()))?;
    value_after(t, i, i + sign.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_whole() {
        assert_eq!(word_before("la contraseña".as_bytes()), Some(3));
        assert_eq!(word_before("你的密码".as_bytes()), Some(6));
        assert_eq!(word_before("mot de passe ".as_bytes()), Some(0));
        assert_eq!(word_before(b"compasswort"), None);
        assert_eq!(word_before(b""), None);
    }

    #[test]
    fn whose_password_it_is_may_stand_between() {
        for text in [
            "hasło do serwera",
            "das Kennwort für die Datenbank",
            "le mdp de la base ",
            "veritabanı şifresi",
        ] {
            assert!(word_near(text.as_bytes()).is_some(), "{text}");
        }
        for text in [
            "hasło. Na serwerze",
            "parola: x, den Server",
            "clavecin du roi Henri",
            "",
        ] {
            assert_eq!(word_near(text.as_bytes()), None, "{text}");
        }
    }
}
