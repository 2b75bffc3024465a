//! Stems: words without their endings, so that *caching*, *cached* and *cache* are one word.
//!
//! Light rules for English, Cyrillic, Korean and Arabic; words of other scripts stay as they are. A stem need not be a
//! word, it only has to be the same for the forms of one. `rust-stemmers` is not used: the terms and
//! wordings that stores keep were made by these rules, and by others they would no longer be found.

/// A word without its common English ending: enough for *files* to meet *file* in an index, and no more.
pub(crate) fn light(word: &str) -> &str {
    if !word.is_ascii() || word.len() < 4 {
        return word;
    }
    ["ing", "ed"]
        .into_iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|root| root.len() >= 4))
        .unwrap_or_else(|| singular(word))
}

/// A word of English without the ending of a plural or of a third person.
fn singular(word: &str) -> &str {
    if let Some(root) = word.strip_suffix("es")
        && root.len() >= 3
        && root.ends_with(['s', 'x', 'z', 'h'])
    {
        return root;
    }
    word.strip_suffix('s')
        .filter(|root| root.len() >= 3 && !root.ends_with(['s', 'u', 'i']))
        .unwrap_or(word)
}

/// The stem of a folded word, by which two texts are compared.
pub(crate) fn stem(word: &str) -> String {
    if word.is_ascii() {
        return english(word);
    }
    let mut characters = word.chars();
    match characters.next() {
        Some('\u{0400}'..='\u{04ff}') => cyrillic(word),
        Some('\u{ac00}'..='\u{d7a3}') => korean(word),
        Some('\u{0600}'..='\u{06ff}') => arabic(word),
        _ => word.to_owned(),
    }
}

fn english(word: &str) -> String {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let mut root = british(word);
    root = match root.strip_suffix("ies").filter(|rest| rest.len() >= 2) {
        Some(rest) => format!("{rest}y"),
        None => singular(&root).to_owned(),
    };
    for (ending, instead) in [
        ("ization", "iz"),
        ("ction", "ct"),
        ("ation", "at"),
        ("ingly", ""),
        ("edly", ""),
        ("ing", ""),
        ("ied", "y"),
        ("ed", ""),
    ] {
        if let Some(rest) = without(&root, ending)
            && rest.len() + instead.len() >= 3
            && rest.bytes().any(is_vowel)
        {
            root = format!("{rest}{instead}");
            break;
        }
    }
    finished(root)
}

/// A word without an ending. Most words have none of the endings that they are tried for, which their last letter tells.
fn without<'w>(word: &'w str, ending: &str) -> Option<&'w str> {
    match word.as_bytes().last() == ending.as_bytes().last() {
        true => word.strip_suffix(ending),
        false => None,
    }
}

/// British spelling as American.
fn british(word: &str) -> String {
    for (british, american) in [
        ("isation", "ization"),
        ("isations", "izations"),
        ("alise", "alize"),
        ("alised", "alized"),
        ("alising", "alizing"),
        ("imise", "imize"),
        ("imised", "imized"),
        ("imising", "imizing"),
        ("orise", "orize"),
        ("orised", "orized"),
        ("orising", "orizing"),
        ("nise", "nize"),
        ("nised", "nized"),
        ("nising", "nizing"),
        ("moise", "moize"),
        ("trise", "trize"),
        ("lyse", "lyze"),
        ("colour", "color"),
        ("behaviour", "behavior"),
    ] {
        if let Some(rest) = without(word, british)
            && (rest.len() >= 3 || british.len() > 5)
        {
            return format!("{rest}{american}");
        }
    }
    word.to_owned()
}

/// Without a final e and a doubled consonant, and with i for y: *caching* and *cache*, *splitting* and *split*.
fn finished(mut root: String) -> String {
    if root.len() > 3 && root.ends_with('e') {
        root.pop();
    }
    let bytes = root.as_bytes();
    if let [.., before, last] = bytes
        && before == last
        && bytes.len() > 3
        && !is_vowel(*last)
    {
        root.pop();
    }
    if root.len() > 3 && root.ends_with('y') {
        root.pop();
        root.push('i');
    }
    root
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

fn cyrillic(word: &str) -> String {
    const ENDINGS: [&str; 38] = [
        "иями", "ами", "ями", "иях", "ией", "ого", "его", "ому", "ему", "ыми", "ими", "ать", "ять",
        "ить", "еть", "ах", "ях", "ов", "ев", "ом", "ем", "ам", "ям", "ои", "еи", "ыи", "ии", "ую",
        "юю", "ая", "яя", "ое", "ее", "ые", "ие", "ию", "ия", "ть",
    ];
    for ending in ENDINGS {
        if let Some(rest) = word.strip_suffix(ending).filter(|rest| is_long(rest)) {
            return rest.to_owned();
        }
    }
    match word.strip_suffix(['а', 'е', 'и', 'о', 'у', 'ы', 'ю', 'я', 'ь']) {
        Some(rest) if is_long(rest) => rest.to_owned(),
        _ => word.to_owned(),
    }
}

fn is_long(rest: &str) -> bool {
    rest.chars().count() >= 4
}

fn korean(word: &str) -> String {
    for particle in [
        "으로", "에서", "에게", "을", "를", "이", "가", "은", "는", "에", "의", "로", "와", "과",
    ] {
        if let Some(rest) = word.strip_suffix(particle)
            && rest.chars().count() >= 2
        {
            return rest.to_owned();
        }
    }
    word.to_owned()
}

fn arabic(word: &str) -> String {
    match word.strip_prefix("ال") {
        Some(rest) if rest.chars().count() >= 3 => rest.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_a_word_have_one_stem() {
        for forms in [
            &["cache", "caches", "cached", "caching"][..],
            &["split", "splits", "splitting"],
            &["add", "adds", "added", "adding"],
            &["query", "queries", "queried", "querying"],
            &["validate", "validates", "validation", "validating"],
            &["normalize", "normalise", "normalization", "normalised"],
            &["extract", "extraction", "extracted"],
            &["class", "classes"],
            &["box", "boxes"],
            &["функцию", "функции", "функция"],
            &["парсер", "парсера", "парсером"],
            &["검사", "검사를"],
        ] {
            let stems: Vec<_> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{stems:?}");
        }
    }

    #[test]
    fn different_words_keep_different_stems() {
        for (left, right) in [
            ("process", "processor"),
            ("parse", "parser"),
            ("status", "state"),
            ("this", "the"),
            ("string", "strong"),
            ("using", "user"),
        ] {
            assert_ne!(stem(left), stem(right));
        }
    }
}
