//! Notes of people and agents: Markdown or plain text, each item or paragraph a fact or a rule.

use twiceshy::wit::memory::LessonKind;

/// Something that was written down, with the line on which it begins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Note {
    pub(crate) line: usize,
    pub(crate) kind: LessonKind,
    pub(crate) text: String,
}

/// Words by which a note tells what to do.
const RULING: [&str; 19] = [
    "always",
    "avoid",
    "do not",
    "don't",
    "ensure",
    "keep",
    "make sure",
    "must",
    "never",
    "only",
    "please",
    "prefer",
    "run",
    "should",
    "shouldn't",
    "stop",
    "use",
    "mustn't",
    "wrong:",
];

/// The notes of a text. Headings say what they are about; code, tables, comments and front matter are left out.
pub(crate) fn notes(text: &str) -> Vec<Note> {
    let mut reader = Reader::default();
    let mut lines = text.lines().enumerate().peekable();
    if lines.peek().is_some_and(|(_, line)| line.trim() == "---") {
        lines.next();
        while lines.next().is_some_and(|(_, line)| line.trim() != "---") {}
    }
    for (number, line) in lines {
        reader.take(number + 1, line);
    }
    reader.finish();
    reader.notes
}

#[derive(Default)]
struct Reader {
    heading: String,
    /// What a fence or a comment ends with, while one is open.
    until: Option<&'static str>,
    /// The item or paragraph that is being read.
    open: Option<(usize, String)>,
    notes: Vec<Note>,
}

impl Reader {
    fn take(&mut self, number: usize, line: &str) {
        let trimmed = line.trim();
        if let Some(end) = self.until {
            if trimmed.contains(end) {
                self.until = None;
            }
            return;
        }
        let fences = [("```", "```"), ("~~~", "~~~"), ("<!--", "-->")];
        if let Some((begin, end)) = fences.iter().find(|(begin, _)| trimmed.starts_with(begin)) {
            self.finish();
            if !trimmed[begin.len()..].contains(end) {
                self.until = Some(end);
            }
            return;
        }
        let is_rule = trimmed.len() >= 3 && trimmed.chars().all(|c| "-*_= ".contains(c));
        if trimmed.is_empty() || is_rule || trimmed.starts_with('|') {
            self.finish();
        } else if trimmed.starts_with('#') {
            self.finish();
            let heading = trimmed.trim_start_matches('#');
            // The title of the page says nothing about its items.
            self.heading = match trimmed.len() - heading.len() {
                1 => String::new(),
                _ => heading.trim().trim_end_matches('#').trim().to_owned(),
            };
        } else if let Some(item) = item(trimmed) {
            self.finish();
            self.open = Some((number, item.to_owned()));
        } else if let Some((_, text)) = &mut self.open {
            text.push(' ');
            text.push_str(trimmed);
        } else {
            self.open = Some((number, trimmed.to_owned()));
        }
    }

    fn finish(&mut self) {
        let Some((line, text)) = self.open.take() else {
            return;
        };
        // A line that only introduces a list is no note, nor is a single word.
        if text.ends_with(':') || !text.contains(char::is_whitespace) || text.starts_with('@') {
            return;
        }
        let kind = match is_ruling(&text) {
            true => LessonKind::Rule,
            false => LessonKind::Fact,
        };
        let text = match self.heading.as_str() {
            "" => text,
            heading => format!("{heading}: {text}"),
        };
        self.notes.push(Note { line, kind, text });
    }
}

/// The text of a list's item.
fn item(line: &str) -> Option<&str> {
    let bullet = ["- ", "* ", "+ ", "• "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark));
    let numbered = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_number = rest.len() < line.len();
        let rest = rest
            .strip_prefix(". ")
            .or_else(|| rest.strip_prefix(") "))?;
        is_number.then_some(rest)
    };
    let item = bullet.or_else(numbered)?;
    // A box to tick.
    let boxes = ["[ ] ", "[x] ", "[X] "];
    Some(
        boxes
            .iter()
            .find_map(|mark| item.strip_prefix(mark))
            .unwrap_or(item)
            .trim(),
    )
}

fn is_ruling(text: &str) -> bool {
    let lower = format!(
        " {} ",
        text.to_lowercase().replace(['*', '_', '`', ',', '.'], " ")
    );
    RULING
        .iter()
        .any(|word| lower.contains(&format!(" {word} ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_paragraphs_are_notes_with_their_lines_and_headings() {
        let text = "---\nname: x\n---\n# Site\n\nThe site is built with Hugo\nand lives in `web`.\n\n## Testing\nHow we test:\n- Run `make check`\n  before you push\n- [ ] Never skip a test\n\n```sh\nrm -rf /\n```\n<!-- hidden\nstill hidden -->\n| a | b |\n1. Tests are in tests/\n";
        let found = notes(text);
        let found: Vec<_> = found
            .iter()
            .map(|note| (note.line, note.kind, note.text.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                (
                    6,
                    LessonKind::Fact,
                    "The site is built with Hugo and lives in `web`."
                ),
                (
                    11,
                    LessonKind::Rule,
                    "Testing: Run `make check` before you push"
                ),
                (13, LessonKind::Rule, "Testing: Never skip a test"),
                (21, LessonKind::Fact, "Testing: Tests are in tests/"),
            ]
        );
    }
}
