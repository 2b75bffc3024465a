//! Words as a person would write them in a POSIX shell.
//!
//! Owns quoting. A word is written plainly where the shell takes it
//! as it is, in double quotes where nothing in it is special there, in single quotes else. What would
//! break the line or deceive the reader (control characters, invisible and direction-changing ones)
//! is written as an escape in dollar-single-quotes, which are POSIX since 2024.

use std::fmt::Write;

/// Words in bytes that are written. A longer line is nothing that anybody reads, or that [`parse`](crate::parse) would.
const MOST_BYTES: usize = 96 << 10;

/// Words as one line that a shell reads back as the same words.
///
/// ```
/// use twiceshy_shell::join;
/// let words = ["git", "commit", "-m", "it's done"].map(str::to_owned);
/// assert_eq!(join(&words), r#"git commit -m "it's done""#);
/// ```
pub fn join(words: &[String]) -> String {
    let mut line = String::new();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            line.push(' ');
        }
        let end = word.floor_char_boundary(MOST_BYTES);
        push_word(&mut line, &word[..end], index == 0);
        if line.len() > MOST_BYTES {
            break;
        }
    }
    line
}

/// One word as the shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let mut text = String::with_capacity(word.len() + 2);
    push_word(&mut text, word, false);
    text
}

fn push_word(line: &mut String, word: &str, is_program: bool) {
    let plain = |c: char| match c {
        // The shell would take `A=b cmd` as an assignment.
        '=' => !is_program,
        c if c.is_ascii() => c.is_ascii_alphanumeric() || "_@%+:,./-".contains(c),
        // Beyond ASCII nothing is special to a shell; blanks are quoted for the reader.
        c => !c.is_whitespace() && !deceives(c),
    };
    if !word.is_empty() && word.chars().all(plain) {
        line.push_str(word);
    } else if word.chars().any(deceives) {
        line.push_str("$'");
        for c in word.chars() {
            push_escaped(line, c);
        }
        line.push('\'');
    } else if !word.is_empty() && !word.contains(['"', '$', '`', '\\', '!']) {
        line.push('"');
        line.push_str(word);
        line.push('"');
    } else {
        line.push('\'');
        line.push_str(&word.replace('\'', r"'\''"));
        line.push('\'');
    }
}

/// Cannot be shown as it is: it would break the line, hide or change the order of what is read.
pub(crate) fn deceives(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn push_escaped(line: &mut String, c: char) {
    match c {
        '\n' => line.push_str(r"\n"),
        '\t' => line.push_str(r"\t"),
        '\r' => line.push_str(r"\r"),
        '\\' => line.push_str(r"\\"),
        '\'' => line.push_str(r"\'"),
        c if deceives(c) => {
            // Three octal digits a byte: shells differ in how many hexadecimal digits they take.
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(line, "\\{byte:03o}");
            }
        }
        c => line.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &[&str]) -> String {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        join(&words)
    }

    const WORDS: &[(&str, &str)] = &[
        ("", "''"),
        ("-l", "-l"),
        ("--out=a/b.csv", "--out=a/b.csv"),
        ("user@host:/x,y+z%", "user@host:/x,y+z%"),
        ("my file", "\"my file\""),
        ("it's", "\"it's\""),
        ("say \"hi\"", "'say \"hi\"'"),
        ("it's $5", r"'it'\''s $5'"),
        ("$HOME", "'$HOME'"),
        ("`id`", "'`id`'"),
        (r"a\b", r"'a\b'"),
        ("wow!", "'wow!'"),
        ("*.rs", "\"*.rs\""),
        ("~", "\"~\""),
        ("a;b|c&d", "\"a;b|c&d\""),
        ("#no", "\"#no\""),
        ("{a,b}", "\"{a,b}\""),
        ("two\nlines", r"$'two\nlines'"),
        ("it's\ta\\b\r", r"$'it\'s\ta\\b\r'"),
        ("\u{1b}[31m7", r"$'\033[31m7'"),
        ("\u{7f}\u{85}", r"$'\177\302\205'"),
        ("a\u{202e}b", r"$'a\342\200\256b'"),
        ("größe", "größe"),
        ("日本 語", "\"日本 語\""),
        ("🦀", "🦀"),
        ("\u{fffd}", "\u{fffd}"),
        ("a\u{a0}b", "\"a\u{a0}b\""),
    ];

    #[test]
    fn every_word_is_written_as_the_shell_takes_it() {
        for (word, written) in WORDS {
            assert_eq!(line(&["x", word]), format!("x {written}"));
        }
    }

    #[test]
    fn a_program_that_looks_like_an_assignment_is_quoted() {
        assert_eq!(line(&["A=b", "A=b"]), "\"A=b\" A=b");
    }

    #[test]
    fn a_shell_reads_back_the_words_that_were_written() {
        let words: Vec<_> = WORDS.iter().map(|(word, _)| *word).collect();
        let script = format!(
            "printf '%s\\0' {}",
            &line(&[&["x"], words.as_slice()].concat())[2..]
        );
        // A machine without this shell has the table above.
        let Ok(output) = std::process::Command::new("bash")
            .args(["-c", &script])
            .output()
        else {
            return;
        };
        let read = String::from_utf8(output.stdout).expect("UTF-8");
        let read: Vec<_> = read.split_terminator('\0').collect();
        assert_eq!(read, words);
    }
}
