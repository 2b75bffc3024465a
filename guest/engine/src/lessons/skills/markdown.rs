//! The Markdown of a skill: what is read from it, and how a new one is written.
//!
//! Owns the format: a title, sections, and items in them. The text itself is kept as it was written; what is read here
//! is only what it says.

use std::fmt::Write;

use twiceshy_wit::memory::{Error, ErrorFix};

use crate::{limits, payload};

/// What the first line begins with.
const TITLE: &str = "# Skill:";

/// What a skill says.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Parsed {
    pub(super) title: String,
    pub(super) prerequisites: Vec<String>,
    pub(super) steps: Vec<String>,
    pub(super) common_errors: Vec<ErrorFix>,
    pub(super) exit_criteria: Vec<String>,
}

/// A section that is read. Others are kept in the text and not looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Prerequisites,
    Steps,
    CommonErrors,
    ExitCriteria,
}

impl Section {
    fn named(heading: &str) -> Option<Self> {
        match heading.to_lowercase().as_str() {
            "prerequisites" => Some(Self::Prerequisites),
            "steps" => Some(Self::Steps),
            "common errors & fixes" | "common errors and fixes" => Some(Self::CommonErrors),
            "exit criteria" => Some(Self::ExitCriteria),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Prerequisites => "Prerequisites",
            Self::Steps => "Steps",
            Self::CommonErrors => "Common Errors & Fixes",
            Self::ExitCriteria => "Exit Criteria",
        }
    }
}

/// Reads a skill. The error names the line.
pub(super) fn parse(markdown: &str) -> Result<Parsed, Error> {
    let wrong = |line: usize, what: String| {
        Error::InvalidArgument(format!("markdown, line {line}: {what}"))
    };
    let mut lines = numbered_lines(markdown);
    let (number, first) = lines
        .find(|(_, line)| !line.trim().is_empty())
        .ok_or_else(|| wrong(1, format!("the text is empty; begin with `{TITLE} <name>`")))?;
    let title = first.trim().strip_prefix(TITLE).map(str::trim);
    let title = title.filter(|title| !title.is_empty()).ok_or_else(|| {
        let shown = payload::kept_text(first.trim(), 100);
        wrong(number, format!("`{shown}` must be `{TITLE} <name>`"))
    })?;
    if title.chars().count() > limits::TITLE_CHARS {
        let most = limits::TITLE_CHARS;
        return Err(wrong(
            number,
            format!("the name has more than {most} characters"),
        ));
    }
    let mut items: Vec<(Section, String)> = Vec::new();
    let mut seen: Vec<(Section, usize)> = Vec::new();
    let mut section = None;
    let mut fenced = false;
    for (number, line) in lines {
        let trimmed = line.trim();
        let fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        if !fenced && let Some(heading) = line.strip_prefix("## ") {
            section = Section::named(heading.trim());
            if let Some(section) = section {
                if let Some((_, before)) = seen.iter().find(|(known, _)| *known == section) {
                    let name = section.name();
                    let what = format!("`## {name}` occurs already on line {before}; join them");
                    return Err(wrong(number, what));
                }
                seen.push((section, number));
            }
            continue;
        }
        fenced ^= fence;
        let Some(section) = section else { continue };
        match item(line).filter(|_| !fenced && !fence) {
            Some((text, is_numbered)) if section != Section::Steps || is_numbered => {
                items.push((section, text.to_owned()));
            }
            // What is indented, wrapped or fenced belongs to the item above it.
            _ => {
                if let Some((last, text)) = items.last_mut()
                    && *last == section
                    && !trimmed.is_empty()
                {
                    text.push(if fenced || fence { '\n' } else { ' ' });
                    text.push_str(trimmed);
                }
            }
        }
    }
    let of = |section: Section| {
        let of_section = items.iter().filter(move |(one, _)| *one == section);
        let texts = of_section.map(|(_, text)| text.trim().to_owned());
        texts.filter(|text| !text.is_empty())
    };
    let parsed = Parsed {
        title: title.to_owned(),
        prerequisites: of(Section::Prerequisites).collect(),
        steps: of(Section::Steps).collect(),
        common_errors: of(Section::CommonErrors)
            .map(|text| error_fix(&text))
            .collect(),
        exit_criteria: of(Section::ExitCriteria).collect(),
    };
    if parsed.steps.is_empty() {
        let steps = seen.iter().find(|(section, _)| *section == Section::Steps);
        let (line, what) = match steps {
            Some((_, line)) => (*line, "has no numbered steps; write `1. …`"),
            None => (number, "is missing; list the steps as `1. …`"),
        };
        return Err(wrong(line, format!("`## Steps` {what}")));
    }
    Ok(parsed)
}

/// The lines with their numbers from 1, without what stands before the title: a byte order mark, or front matter.
fn numbered_lines(markdown: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = markdown.trim_start_matches('\u{feff}');
    let front = match text.starts_with("---\n") || text.starts_with("---\r\n") {
        true => text
            .lines()
            .skip(1)
            .position(|line| line.trim_end() == "---")
            .map_or(0, |end| end + 2),
        false => 0,
    };
    let lines = text.lines().enumerate().skip(front);
    lines.map(|(at, line)| (at + 1, line))
}

/// The text of a list item that is not indented, and whether it is numbered.
fn item(line: &str) -> Option<(&str, bool)> {
    if let Some(text) = ["- ", "* ", "+ "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
    {
        let text = text.trim_start();
        let unchecked = ["[ ] ", "[x] ", "[X] "];
        let plain = unchecked.iter().find_map(|mark| text.strip_prefix(mark));
        return Some((plain.unwrap_or(text), false));
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let text = line[digits..]
        .strip_prefix(". ")
        .or_else(|| line[digits..].strip_prefix(") "))?;
    (1..=9)
        .contains(&digits)
        .then_some((text.trim_start(), true))
}

/// An error and what helps, at the first colon that is not within code.
fn error_fix(text: &str) -> ErrorFix {
    let mut code = false;
    for (at, character) in text.char_indices() {
        code ^= character == '`';
        if character == ':' && !code && text[at + 1..].starts_with([' ', '\n']) {
            return ErrorFix {
                error: text[..at].trim().to_owned(),
                fix: text[at + 1..].trim().to_owned(),
            };
        }
    }
    ErrorFix {
        error: text.to_owned(),
        fix: String::new(),
    }
}

/// Writes a skill. What is read from the text is what was written, if each item is one line.
pub(super) fn write(parsed: &Parsed, branches: &[String]) -> String {
    let mut text = format!("{TITLE} {}\n", one_line(&parsed.title));
    let mut section = |name: &str, items: Vec<String>| {
        if !items.is_empty() {
            // Writing to a text can't fail.
            let _ = write!(text, "\n## {name}\n{}\n", items.join("\n"));
        }
    };
    let bullets = |items: &[String]| {
        items
            .iter()
            .map(|item| format!("- {}", one_line(item)))
            .collect()
    };
    section(
        Section::Prerequisites.name(),
        bullets(&parsed.prerequisites),
    );
    let steps = parsed.steps.iter().enumerate();
    let steps = steps.map(|(at, step)| format!("{}. {}", at + 1, one_line(step)));
    section(Section::Steps.name(), steps.collect());
    section("Branches", bullets(branches));
    let errors = parsed.common_errors.iter();
    let errors =
        errors.map(|known| format!("- {}: {}", one_line(&known.error), one_line(&known.fix)));
    section(Section::CommonErrors.name(), errors.collect());
    section(Section::ExitCriteria.name(), bullets(&parsed.exit_criteria));
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_skill_is_said_with_its_line() {
        for (markdown, line) in [
            ("", "line 1: the text is empty"),
            ("\n\n# How to\n", "line 3: `# How to`"),
            ("# Skill:\n", "line 1: `# Skill:` must be"),
            (
                "# Skill: x\n\n## Prerequisites\n- y\n",
                "line 1: `## Steps` is missing",
            ),
            (
                "# Skill: x\n\n## Steps\n- y\n",
                "line 3: `## Steps` has no numbered",
            ),
            (
                "# Skill: x\n## Steps\n1. y\n## Steps\n1. z\n",
                "line 4: `## Steps` occurs already on line 2",
            ),
            (
                "# Skill: x\n## Steps\n1. \n",
                "line 2: `## Steps` has no numbered",
            ),
            (
                "# Skill: x\n```\n## Steps\n1. y\n```\n",
                "line 1: `## Steps` is missing",
            ),
        ] {
            let Err(Error::InvalidArgument(message)) = parse(markdown) else {
                panic!("{markdown:?}")
            };
            assert!(message.contains(line), "{message}");
        }
    }

    #[test]
    fn wrapped_indented_and_fenced_lines_belong_to_their_item() {
        let parsed = parse(
            "---\nname: x\n---\n# Skill: x\r\n## Steps\r\n1) Run\r\n   it\n   - slowly\n2. Type\n```\n1. not a step\n```\n\
             ## Exit Criteria\n* [ ] done\n## Notes\n1. free\n",
        )
        .expect("a skill");
        assert_eq!(
            parsed.steps,
            ["Run it - slowly", "Type\n```\n1. not a step\n```"]
        );
        assert_eq!(parsed.exit_criteria, ["done"]);
    }

    #[test]
    fn an_error_and_its_fix_part_at_a_colon_that_is_not_code() {
        let known = error_fix("`a: b` fails: use `c: d`");
        assert_eq!(
            (known.error.as_str(), known.fix.as_str()),
            ("`a: b` fails", "use `c: d`")
        );
        assert_eq!(error_fix("no way out").fix, "");
    }
}
