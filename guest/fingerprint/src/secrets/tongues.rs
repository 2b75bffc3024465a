//! What a password is called in other languages than English.
//!
//! This module owns the words and finding one before a separator. Prose in these languages is not known here, so a
//! value has to look like a password by itself: `Passwort: falsch` stays.

/// The words, in small letters, and capitalised where a language has capitals.
const WORDS: &[&str] = &[
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

/// Whether a value looks like a password to somebody who can't read the words around it.
pub(super) fn is_password(v: &[u8]) -> bool {
    let v = v
        .strip_suffix(b".")
        .or_else(|| v.strip_suffix(b","))
        .unwrap_or(v);
    let letters = v.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let digits = v.iter().filter(|b| b.is_ascii_digit()).count();
    let marks = v.iter().filter(|b| b"!@#$%^&*?+=~_".contains(b)).count();
    (4..=128).contains(&v.len())
        && v.iter().all(|b| (0x21..0x7f).contains(b))
        && (letters > 0 && digits + marks > 0 || digits >= 6 && digits == v.len())
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
    fn prose_is_no_password() {
        for text in ["falsch", "incorrect", "неверный", "错误", "required.", ""] {
            assert!(!is_password(text.as_bytes()), "{text}");
        }
        for text in ["hunter2", "p@ssword", "12345678"] {
            assert!(is_password(text.as_bytes()), "{text}");
        }
    }
}
