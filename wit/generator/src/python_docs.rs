//! The documentation of the contract as Python has it: in docstrings, with names as they are spelled there.

use std::collections::BTreeSet;

use wit_parser::{Docs, Resolve, TypeDefKind};

use crate::{python::WIDTH, snake};

/// The names with hyphens that Python spells with underscores: functions, parameters and members, unless a case has the
/// same name, which stays as it is.
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    pub(crate) fn of(resolve: &Resolve) -> Self {
        let (mut spelled, mut cases) = (BTreeSet::new(), BTreeSet::new());
        for (_, interface) in resolve.interfaces.iter() {
            for function in interface.functions.values() {
                spelled.insert(function.name.clone());
                spelled.extend(function.params.iter().map(|one| one.name.clone()));
            }
        }
        for (_, definition) in resolve.types.iter() {
            match &definition.kind {
                TypeDefKind::Record(record) => {
                    spelled.extend(record.fields.iter().map(|field| field.name.clone()))
                }
                TypeDefKind::Enum(one) => {
                    cases.extend(one.cases.iter().map(|case| case.name.clone()))
                }
                TypeDefKind::Variant(one) => {
                    cases.extend(one.cases.iter().map(|case| case.name.clone()))
                }
                _ => {}
            }
        }
        Self(spelled.difference(&cases).cloned().collect())
    }

    /// A docstring with its indent, ended by a line end.
    pub(crate) fn docstring(&self, docs: &Docs, indent: &str) -> String {
        self.quoted(docs.contents.as_deref().unwrap_or_default(), indent)
    }

    /// The same of a text, whose empty lines and lists stay.
    pub(crate) fn quoted(&self, text: &str, indent: &str) -> String {
        let room = WIDTH - indent.len();
        let mut lines: Vec<String> = Vec::new();
        for paragraph in text.trim().split('\n').map(str::trim) {
            let begins = paragraph.is_empty() || paragraph.starts_with("* ");
            match lines.last_mut() {
                Some(last) if !begins && !last.is_empty() => {
                    last.push(' ');
                    last.push_str(&self.spelled(paragraph));
                }
                _ => lines.push(self.spelled(paragraph)),
            }
        }
        // The quotes take part in the first and in the last line.
        let wrapped: Vec<_> = lines.iter().flat_map(|line| wrap(line, room - 6)).collect();
        let body = wrapped
            .join(&format!("\n{indent}"))
            .replace(&format!("\n{indent}\n"), "\n\n");
        match wrapped.len() {
            0 | 1 => format!("{indent}\"\"\"{body}\"\"\"\n"),
            _ => format!("{indent}\"\"\"{body}\n{indent}\"\"\"\n"),
        }
    }

    /// A text with names in backquotes as Python spells them.
    fn spelled(&self, text: &str) -> String {
        let parts = text.split('`').enumerate();
        let parts = parts.map(|(index, part)| match index % 2 {
            1 => {
                let words = part.split('.').map(|word| match self.0.contains(word) {
                    true => snake(word),
                    false => word.to_owned(),
                });
                words.collect::<Vec<_>>().join(".")
            }
            _ => part.to_owned(),
        });
        parts.collect::<Vec<_>>().join("`").replace('\\', "\\\\")
    }
}

fn wrap(text: &str, room: usize) -> Vec<String> {
    let hang = if text.starts_with("* ") { "  " } else { "" };
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines
            .last_mut()
            .filter(|line| line.chars().count() + word.chars().count() < room || line.is_empty());
        match last {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(format!("{hang}{word}")),
        }
    }
    lines
}
