//! Any answer of the memory as lines for a person: members in line, lists of records as tables, times as dates.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use twiceshy::wit::FUNCTIONS;

use super::show;

/// JSON whose members keep their order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Answer>),
    Record(Vec<(String, Answer)>),
}

/// The width of a table. A wider one is shown record by record.
const WIDTH: usize = 120;

/// Characters of a text in a table.
const CELL: usize = 60;

impl Answer {
    /// A member of a record.
    pub(crate) fn member(&self, name: &str) -> Option<&Self> {
        let mut members = members_of(self)?.iter();
        members
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
    }

    /// Whether it says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Text(text) => text.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Record(members) => members.iter().all(|(_, value)| value.is_empty()),
            _ => false,
        }
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Answer;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<Answer, E> {
        Ok(Answer::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Answer, E> {
        Ok(Answer::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Answer, E> {
        Ok(Answer::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Answer, E> {
        Ok(Answer::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Answer, E> {
        Ok(Number::from_f64(value).map_or(Answer::Null, Answer::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Answer, E> {
        Ok(Answer::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut input: A) -> Result<Answer, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = input.next_element()? {
            items.push(item);
        }
        Ok(Answer::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut input: A) -> Result<Answer, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = input.next_entry()? {
            members.push(member);
        }
        Ok(Answer::Record(members))
    }
}

/// An answer as lines.
pub(crate) fn lines(answer: &Answer) -> Vec<String> {
    match answer {
        Answer::Null => vec!["Done.".to_owned()],
        Answer::List(items) if items.is_empty() => vec!["Nothing was found.".to_owned()],
        Answer::List(items) => list(items),
        Answer::Record(members) => record(members),
        Answer::Text(text) => text.lines().map(show::line).collect(),
        one => vec![scalar("", one)],
    }
}

fn is_scalar(value: &Answer) -> bool {
    !matches!(value, Answer::List(_) | Answer::Record(_))
}

/// A value in a few words.
fn scalar(name: &str, value: &Answer) -> String {
    match value {
        Answer::Null => String::new(),
        Answer::Bool(true) => "yes".to_owned(),
        Answer::Bool(false) => "no".to_owned(),
        Answer::Text(text) if name == "more" => show::line(&as_command(text)),
        Answer::Text(text) => show::line(text),
        Answer::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(at), _) if is_time(name, at) => show::time(at),
            (Some(whole), _) => whole.to_string(),
            (None, Some(fraction)) => {
                let text = format!("{fraction:.3}");
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
            _ => number.to_string(),
        },
        Answer::List(_) | Answer::Record(_) => String::new(),
    }
}

/// A function of the contract with its argument, by which more is read, as the command that they are.
fn as_command(text: &str) -> String {
    let known = FUNCTIONS.iter().find_map(|function| {
        let rest = text.strip_prefix(function.interface)?.strip_prefix('.')?;
        let argument = rest.strip_prefix(function.name)?.strip_prefix(' ')?;
        let (interface, name) = (function.interface, function.name);
        Some(format!("twiceshy {interface} {name} {argument}"))
    });
    known.unwrap_or_else(|| text.to_owned())
}

/// Whether a number is a moment in this or the next centuries.
fn is_time(name: &str, number: u64) -> bool {
    (100_000_000_000..10_000_000_000_000).contains(&number) && !name.contains("bytes")
}

fn list(items: &[Answer]) -> Vec<String> {
    if items.iter().all(is_scalar) {
        return items.iter().map(|item| scalar("", item)).collect();
    }
    let records: Vec<_> = items.iter().filter_map(members_of).collect();
    if records.len() == items.len()
        && let Some(table) = table(&records)
    {
        return table;
    }
    let mut lines = Vec::new();
    for item in items {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(self::lines(item));
    }
    lines
}

fn members_of(answer: &Answer) -> Option<&[(String, Answer)]> {
    match answer {
        Answer::Record(members) => Some(members),
        _ => None,
    }
}

/// Records under the names of their members, unless they do not fit.
fn table<'a>(records: &[&'a [(String, Answer)]]) -> Option<Vec<String>> {
    let mut columns: Vec<(&str, Vec<String>)> = Vec::new();
    for (at, (name, _)) in records.first()?.iter().enumerate() {
        // Records of one type have the same members.
        let value = |record: &&'a [(String, Answer)]| record.get(at).map(|(_, value)| value);
        let values: Vec<_> = records.iter().map(value).collect::<Option<_>>()?;
        if values.iter().all(|value| value.is_empty()) {
            continue;
        }
        let cell = |value: &&Answer| match value {
            Answer::List(items) if items.iter().all(is_scalar) => Some(
                items
                    .iter()
                    .map(|item| scalar(name, item))
                    .collect::<Vec<_>>()
                    .join(" "),
            ),
            value if is_scalar(value) || value.is_empty() => Some(scalar(name, value)),
            _ => None,
        };
        let cells: Option<Vec<_>> = values.iter().map(cell).collect();
        columns.push((name, cells?));
    }
    let length = |text: &str| text.chars().count();
    if columns
        .iter()
        .any(|(_, cells)| cells.iter().any(|cell| length(cell) > CELL))
    {
        return None;
    }
    let width = |(name, cells): &(&str, Vec<String>)| {
        cells
            .iter()
            .map(|cell| length(cell))
            .max()
            .unwrap_or(0)
            .max(length(name))
    };
    let widths: Vec<_> = columns.iter().map(width).collect();
    if widths.iter().sum::<usize>() + 2 * widths.len() > WIDTH {
        return None;
    }
    let row = |cells: Vec<&str>| {
        let padded = cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = vec![row(columns.iter().map(|(name, _)| *name).collect())];
    for at in 0..records.len() {
        lines.push(row(columns
            .iter()
            .map(|(_, cells)| cells[at].as_str())
            .collect()));
    }
    Some(lines)
}

/// The members that say something, their values in line; what has lines of its own stands below its name.
fn record(members: &[(String, Answer)]) -> Vec<String> {
    let said = || members.iter().filter(|(_, value)| !value.is_empty());
    let width = said()
        .filter(|(_, value)| !below(value))
        .map(|(name, _)| name.chars().count());
    let width = width.max().unwrap_or(0);
    let mut lines = Vec::new();
    for (name, value) in said() {
        if below(value) {
            lines.push(format!("{name}:"));
            lines.extend(self::lines(value).iter().map(|line| format!("  {line}")));
            continue;
        }
        let text = match value {
            Answer::List(items) => {
                let items = items.iter().map(|item| scalar(name, item));
                items.collect::<Vec<_>>().join(", ")
            }
            value => scalar(name, value),
        };
        lines.push(format!("{name:<width$}  {text}"));
    }
    if lines.is_empty() {
        lines.push("Nothing was found.".to_owned());
    }
    lines
}

/// Whether a value has lines of its own.
fn below(value: &Answer) -> bool {
    match value {
        Answer::Record(_) => true,
        Answer::List(items) => {
            let long =
                |item: &Answer| matches!(item, Answer::Text(text) if text.chars().count() > 30);
            items.iter().any(|item| !is_scalar(item) || long(item))
        }
        Answer::Text(text) => text.trim_end().contains('\n'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// As the memory says it: with the members in the order of the text.
    fn shown(json: &str) -> Vec<String> {
        lines(&serde_json::from_str(json).expect("JSON"))
    }

    #[test]
    fn a_record_is_its_members_in_line_and_what_is_empty_is_left_out() {
        let answer = r#"{"id": "run_1", "started-at": 1794787200000, "score": 0.25, "tags": ["a", "b"],
            "agent": "", "state": {"open": true}, "steps": []}"#;
        let expected = "id          run_1\n\
                     started-at  2026-11-16 00:00:00\n\
                     score       0.25\n\
                     tags        a, b\n\
                     state:\n  open  yes";
        assert_eq!(shown(answer).join("\n"), expected);
    }

    #[test]
    fn how_to_read_more_is_said_as_a_command() {
        assert_eq!(
            shown(r#"{"id": "ep-1", "more": "episodes.retrieve ep-1"}"#),
            ["id    ep-1", "more  twiceshy episodes retrieve ep-1"]
        );
        assert_eq!(
            shown(r#"{"more": "no.function x"}"#),
            ["more  no.function x"]
        );
    }

    #[test]
    fn a_list_of_records_is_a_table_as_long_as_it_fits() {
        let rows = r#"[{"name": "a", "count": 12}, {"name": "longer", "count": 3}]"#;
        assert_eq!(shown(rows), ["name    count", "a       12", "longer  3"]);
        let wide = json!([{ "text": "x".repeat(200), "count": 1 }, { "text": "y", "count": 2 }]);
        assert_eq!(
            shown(&wide.to_string()).len(),
            5,
            "one record below the other"
        );
    }

    #[test]
    fn nothing_is_said_in_words_and_nothing_steers_the_terminal() {
        assert_eq!(shown("[]"), ["Nothing was found."]);
        assert_eq!(shown("null"), ["Done."]);
        assert_eq!(shown(r#"{"text": "a\u001b[31mb"}"#), ["text  a[31mb"]);
    }
}
