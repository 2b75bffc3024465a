//! Views of a working memory: all of it, or as text for a prompt.
//!
//! Owns the order of contents and how much of them a prompt gets. Changes nothing.

use twiceshy_wit::memory::{
    Error, Rendered, Rendering, Section, SectionSize, Temperature, Variable, WorkingItem,
    WorkingMemory,
};

use super::{
    head::{Entry, Head, SECTIONS, Sort},
    short::short,
};
use crate::{
    insertion::{self, Line},
    store::Reader,
};

/// A prompt in tokens at least: its marks and a line.
const LEAST_TOKENS: u32 = 64;

/// A cold content in a prompt, in tokens.
const REFERENCE_TOKENS: u32 = 24;

/// A hot content that does not fit is cut, if so many tokens are left for it.
const LEAST_HOT_TOKENS: u32 = 8;

pub(crate) fn view_working(reader: &Reader, run: &str) -> Result<WorkingMemory, Error> {
    let head = super::working_head(reader, run)?.noun;
    let entries = in_order(&head);
    let mut numbers: Vec<_> = entries.iter().map(|entry| entry.number).collect();
    numbers.extend(
        entries
            .iter()
            .filter(|entry| entry.scope.is_some())
            .filter_map(|entry| entry.whole),
    );
    let contents = super::draft::working_contents(reader, run, &numbers)?;
    let body = |number: u32| contents.get(&number).cloned().unwrap_or_default();
    let items = entries.iter().map(|entry| WorkingItem {
        id: entry.id.clone(),
        section: entry.section,
        temperature: head.temperature(entry),
        tokens: entry.tokens,
        text: head.shown(entry, &body(entry.number)),
        is_reference: entry.is_reference() || entry.is_retrieved(),
        accesses: entry.accesses,
        at: entry.at,
    });
    let variables = entries.iter().filter_map(|entry| {
        Some(Variable {
            key: entry.key().to_owned(),
            value: body(entry.whole.unwrap_or(entry.number)),
            scope: entry.scope?,
            kind: entry.kind,
        })
    });
    let state = entries.iter().find(|entry| entry.sort == Sort::State);
    Ok(WorkingMemory {
        run: head.run.clone(),
        started_at: head.started_at,
        tokens: head.tokens(),
        budget: head.whole_budget(),
        sections: SECTIONS.map(|section| size(&head, section)).to_vec(),
        items: items.collect(),
        variables: variables.collect(),
        state: state.and_then(|entry| serde_json::from_str(&body(entry.number)).ok()),
        warnings: head.warnings.clone(),
    })
}

pub(crate) fn render_working(
    reader: &Reader,
    run: &str,
    rendering: &Rendering,
) -> Result<Rendered, Error> {
    if let Some(tokens) = rendering.tokens
        && tokens < LEAST_TOKENS
    {
        return Err(Error::InvalidArgument(format!(
            "`rendering.tokens` is {tokens}; it must be at least {LEAST_TOKENS}"
        )));
    }
    let head = super::working_head(reader, run)?.noun;
    let entries = in_order(&head);
    let numbers: Vec<_> = entries.iter().map(|entry| entry.number).collect();
    let contents = super::draft::working_contents(reader, run, &numbers)?;
    let mut left = rendering.tokens.unwrap_or(head.whole_budget()) - marks();
    let mut lines = Vec::with_capacity(entries.len());
    let mut left_out = Vec::new();
    for wanted in [Temperature::Hot, Temperature::Warm, Temperature::Cold] {
        let some = entries
            .iter()
            .filter(|entry| head.temperature(entry) == wanted);
        for entry in some {
            let body = contents.get(&entry.number).map_or("", String::as_str);
            let mut text = head.shown(entry, body);
            if wanted == Temperature::Cold {
                text = short(&text, REFERENCE_TOKENS);
            }
            let around = entry.cost("");
            if around + insertion::tokens(&text) > left {
                left_out.push(entry.id.clone());
                // What is hot is there in any case, if only its head and tail.
                if wanted != Temperature::Hot || left < around + LEAST_HOT_TOKENS {
                    continue;
                }
                text = short(&text, left - around);
            }
            left = left.saturating_sub(around + insertion::tokens(&text));
            lines.push(entry.line(&text));
        }
    }
    let text = insertion::block(&lines);
    Ok(Rendered {
        tokens: insertion::tokens(&text),
        text,
        left_out,
    })
}

/// What the marks around a prompt cost, with a line to spare.
fn marks() -> u32 {
    let nothing = Line {
        id: "nothing".to_owned(),
        kind: "nothing".to_owned(),
        note: String::new(),
        text: String::new(),
    };
    insertion::tokens(&insertion::block(&[nothing]))
}

/// The contents in the order of the sections.
fn in_order(head: &Head) -> Vec<&Entry> {
    SECTIONS
        .iter()
        .flat_map(|section| head.of(*section))
        .collect()
}

fn size(head: &Head, section: Section) -> SectionSize {
    SectionSize {
        section,
        tokens: head.size(section),
        budget: head.budget(section),
        items: u32::try_from(head.of(section).count()).unwrap_or(u32::MAX),
    }
}
