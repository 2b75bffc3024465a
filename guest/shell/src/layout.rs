//! A script of several lines written as one line that does the same.
//!
//! Line ends become semicolons, comments go, words of several lines are quoted anew, and a here-document becomes a
//! here-string. So that a lesson, which is one line, can be pasted.

use std::{borrow::Cow, cmp::Reverse, ops::Range};

use crate::{
    quote,
    syntax::{self, Break},
    words,
};

/// The script as one line without control characters.
///
/// ```
/// use twiceshy_shell::one_line;
/// assert_eq!(one_line("set -e\nmake \\\n  all # now\n"), "set -e; make all");
/// assert_eq!(one_line("cat > a <<'EOF'\nx\ny\nEOF\nls"), "cat > a <<< $'x\\ny'; ls");
/// ```
pub fn one_line(script: &str) -> Cow<'_, str> {
    let script = script.trim();
    if !script.contains(quote::deceives) {
        return Cow::Borrowed(script);
    }
    let mut line = match syntax::read(script) {
        Ok(read) => joined(script, read),
        Err(_) => script.to_owned(),
    };
    if line.contains(quote::deceives) {
        line = line.replace(quote::deceives, " ");
    }
    line.truncate(line.trim_end().len());
    Cow::Owned(line)
}

fn joined(script: &str, read: syntax::Script) -> String {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut breaks = read.breaks;
    for document in &read.documents {
        let body = &document.body;
        let text = &script[body.text.clone()];
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = match document.strips_tabs {
            true => text
                .split('\n')
                .map(|line| line.trim_start_matches('\t'))
                .collect::<Vec<_>>()
                .join("\n"),
            false => text.to_owned(),
        };
        edits.push((
            document.redirect.clone(),
            format!("<<< {}", quote::quoted(&text)),
        ));
        breaks.push((body.text.start..body.end, Break::Blank));
    }
    for word in read.words {
        if words::is_fixed(&script[word.clone()]) {
            let text = words::unquote(&script[word.clone()]);
            edits.push((word, quote::quoted(&text)));
        }
    }
    breaks.sort_by_key(|(span, _)| span.start);
    let mut merged: Vec<(Range<usize>, Break)> = Vec::new();
    for (span, meaning) in breaks {
        let span = widened(script, span);
        match merged.last_mut() {
            Some((last, known)) if span.start <= last.end => {
                last.end = last.end.max(span.end);
                if meaning == Break::Separator {
                    *known = meaning;
                }
            }
            _ => merged.push((span, meaning)),
        }
    }
    edits.extend(merged.into_iter().map(|(span, meaning)| {
        let after = &script[span.end..];
        let text = match meaning {
            _ if after.is_empty() || after.starts_with(')') || span.start == 0 => "",
            Break::Separator if !after.starts_with(";;") && !after.starts_with(";&") => "; ",
            _ => " ",
        };
        (span, text.to_owned())
    }));
    edits.sort_by_key(|(span, _)| (span.start, Reverse(span.end)));
    let mut line = String::with_capacity(script.len());
    let mut at = 0;
    for (span, text) in edits {
        if span.start >= at {
            line.push_str(&script[at..span.start]);
            line.push_str(&text);
            at = span.end;
        }
    }
    line.push_str(&script[at..]);
    line
}

/// A span with the blanks around it.
fn widened(script: &str, span: Range<usize>) -> Range<usize> {
    let blank = |c: char| c == ' ' || c == '\t';
    let before = script[..span.start].trim_end_matches(blank).len();
    let after = script[span.end..].trim_start_matches(blank);
    before..script.len() - after.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_of_several_lines_become_one_line_that_does_the_same() {
        for (script, line) in [
            ("ls", "ls"),
            ("a\nb\n\n# c\nd", "a; b; d"),
            ("a &&\n  b |\n  c", "a && b | c"),
            ("a # why\nb", "a; b"),
            ("a & # why\nb", "a & b"),
            ("a;\nb", "a; b"),
            (
                "for x in 1 2\ndo\n  echo $x\n  ls\ndone\necho ok",
                "for x in 1 2; do echo $x; ls; done; echo ok",
            ),
            ("if a\nthen\n  b\nelse\n  c\nfi", "if a; then b; else c; fi"),
            (
                "case $x in\n  a)\n    b\n    ;;\n  *) c;;\nesac",
                "case $x in a) b ;; *) c;; esac",
            ),
            ("{\n  a\n  b\n}", "{ a; b; }"),
            ("(\n a\n)", "( a)"),
            (
                "python3 -c 'import x\nprint(1)'",
                r"python3 -c $'import x\nprint(1)'",
            ),
            (
                "git commit -m \"$(cat <<'EOF'\nOne line\n\nand more\nEOF\n)\"",
                r#"git commit -m "$(cat <<< $'One line\n\nand more')""#,
            ),
            (
                "cat <<-END | sort\n\tb\n\ta\n\tEND\nls",
                r"cat <<< $'b\na' | sort; ls",
            ),
            ("a\r\nb\r\n", "a; b"),
            ("a\tb", "a b"),
            ("echo 'open\nend", "echo 'open end"),
        ] {
            assert_eq!(one_line(script), line, "{script}");
        }
    }

    #[test]
    fn a_shell_does_the_same_with_both() {
        let scripts = [
            "echo a\necho b # c\nfor x in 1 2\ndo\n  echo $x\ndone",
            "cat <<EOF\none\n  two\nEOF\necho 'x\ny'",
            "case b in\n  a) echo 1 ;;\n  b)\n    echo 2\n    ;;\nesac",
            "if false\nthen echo 1\nelif true\nthen\n  echo 2\nfi",
            "f() {\n  echo \"$1\"\n}\nf 3 |\n  cat",
        ];
        for script in scripts {
            let run = |script: &str| {
                let output = std::process::Command::new("bash")
                    .args(["-c", script])
                    .output();
                // A machine without this shell has the table above.
                output
                    .ok()
                    .map(|output| (output.status.code(), output.stdout))
            };
            let line = one_line(script);
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(run(script), run(&line), "{line}");
        }
    }
}
