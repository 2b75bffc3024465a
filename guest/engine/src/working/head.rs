//! The head of a working memory: one small document that says what is in it.
//!
//! Owns the index of contents, their sections and how close they are to the work. The contents themselves are
//! documents of their own, so that an operation reads and writes the head and what it is about, however much
//! there is besides. A content is never rewritten: what changes gets a new number, so that a snapshot is a copy of
//! the head.

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::Attribute,
    memory::{Budgets, Section, Snapshot, Temperature, VariableScope, VariableType},
};

use super::state;
use crate::{
    insertion::{self, Line},
    store::{Kind, Noun, number, text},
};

/// The sections in their order.
pub(super) const SECTIONS: [Section; 5] = [
    Section::SystemContext,
    Section::TaskContext,
    Section::ExecutionState,
    Section::IntermediateResults,
    Section::RetrievedContext,
];

/// The scopes in their order.
pub(super) const SCOPES: [VariableScope; 5] = [
    VariableScope::Global,
    VariableScope::TaskScope,
    VariableScope::ExecutionScope,
    VariableScope::IntermediateValues,
    VariableScope::Metadata,
];

const TYPES: [VariableType; 5] = [
    VariableType::Task,
    VariableType::Intermediate,
    VariableType::Accumulator,
    VariableType::ControlFlow,
    VariableType::Metadata,
];

/// What a content is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    System,
    Task,
    State,
    Variable,
    Result,
    Trace,
    Episode,
    Pattern,
    Recovery,
}

const SORTS: [(Sort, &str); 9] = [
    (Sort::System, "system"),
    (Sort::Task, "task"),
    (Sort::State, "state"),
    (Sort::Variable, "variable"),
    (Sort::Result, "result"),
    (Sort::Trace, "trace"),
    (Sort::Episode, "episode"),
    (Sort::Pattern, "pattern"),
    (Sort::Recovery, "recovery"),
];

/// One content, as the index knows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "Packed", from = "Packed")]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) sort: Sort,
    pub(super) section: Section,
    /// The document that is shown.
    pub(super) number: u32,
    /// The document that holds the whole, if what is shown is short for it.
    pub(super) whole: Option<u32>,
    pub(super) tokens: u32,
    pub(super) accesses: u32,
    pub(super) at: u64,
    /// How many subtasks had brought a result by then, this one included.
    pub(super) age: u32,
    pub(super) scope: Option<VariableScope>,
    pub(super) kind: Option<VariableType>,
    /// Whether it goes with the subtask in which it was set.
    pub(super) bound: bool,
    /// The subtasks to come that need it.
    pub(super) needed_by: Vec<String>,
}

/// An entry without the names of its members: the head is read and written by every operation.
type Packed = (
    String,
    usize,
    usize,
    u32,
    Option<u32>,
    u32,
    u32,
    u64,
    u32,
    Option<usize>,
    Option<usize>,
    bool,
    Vec<String>,
);

impl From<Entry> for Packed {
    fn from(entry: Entry) -> Self {
        (
            entry.id,
            SORTS
                .iter()
                .position(|(sort, _)| *sort == entry.sort)
                .unwrap_or(0),
            place(&SECTIONS, entry.section),
            entry.number,
            entry.whole,
            entry.tokens,
            entry.accesses,
            entry.at,
            entry.age,
            entry.scope.map(|scope| place(&SCOPES, scope)),
            entry.kind.map(|kind| place(&TYPES, kind)),
            entry.bound,
            entry.needed_by,
        )
    }
}

impl From<Packed> for Entry {
    fn from(packed: Packed) -> Self {
        let (id, sort, section, number, whole, tokens, accesses, at, age, scope, kind, bound, by) =
            packed;
        Self {
            id,
            sort: SORTS.get(sort).map_or(Sort::System, |(sort, _)| *sort),
            section: *SECTIONS.get(section).unwrap_or(&Section::SystemContext),
            number,
            whole,
            tokens,
            accesses,
            at,
            age,
            scope: scope.and_then(|scope| SCOPES.get(scope).copied()),
            kind: kind.and_then(|kind| TYPES.get(kind).copied()),
            bound,
            needed_by: by,
        }
    }
}

/// Where a value stands in a list that has every value.
fn place<T: PartialEq>(all: &[T], one: T) -> usize {
    all.iter().position(|other| *other == one).unwrap_or(0)
}

impl Entry {
    /// The name of a variable, or of the subtask that a result is of.
    pub(super) fn key(&self) -> &str {
        match self.scope {
            Some(scope) => self
                .id
                .strip_prefix(scope.as_str())
                .and_then(|rest| rest.strip_prefix('-'))
                .unwrap_or(&self.id),
            None => &self.id,
        }
    }

    /// Whether what is shown is short for a whole that is kept elsewhere.
    pub(super) fn is_reference(&self) -> bool {
        self.whole.is_some()
    }

    pub(super) fn is_retrieved(&self) -> bool {
        matches!(self.sort, Sort::Episode | Sort::Pattern | Sort::Recovery)
    }

    /// It as a line for a prompt.
    pub(super) fn line(&self, text: &str) -> Line {
        let sort = SORTS.iter().find(|(sort, _)| *sort == self.sort);
        let section = self.section.as_str();
        Line {
            id: self.id.clone(),
            kind: sort.map_or("", |(_, name)| name).to_owned(),
            note: match self.is_reference() {
                true => format!("{section}, in short"),
                false => section.to_owned(),
            },
            text: text.to_owned(),
        }
    }

    /// What it costs in a prompt, with its line around it.
    pub(super) fn cost(&self, text: &str) -> u32 {
        let line = self.line(text);
        // The five marks of a line and its end.
        let around = [&line.id, &line.kind, &line.note].map(|part| insertion::tokens(part));
        insertion::tokens(text) + around.iter().sum::<u32>() + 3
    }
}

/// The id of a variable among all contents.
pub(super) fn variable_id(scope: VariableScope, key: &str) -> String {
    format!("{}-{key}", scope.as_str())
}

/// Where the variables of a scope belong.
pub(super) fn section_of(scope: VariableScope) -> Section {
    match scope {
        VariableScope::Global => Section::SystemContext,
        VariableScope::TaskScope => Section::TaskContext,
        VariableScope::ExecutionScope | VariableScope::Metadata => Section::ExecutionState,
        VariableScope::IntermediateValues => Section::IntermediateResults,
    }
}

/// The index of a working memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) run: String,
    pub(super) started_at: u64,
    pub(super) budgets: Budgets,
    /// The number of the next content. Never goes back.
    pub(super) next: u32,
    /// Contents with a lower number may be in a snapshot.
    pub(super) guard: u32,
    /// How many results of subtasks were taken in.
    pub(super) results: u32,
    pub(super) operations: u32,
    pub(super) peak: u32,
    /// The subtask being worked on.
    pub(super) subtask: Option<String>,
    pub(super) entries: Vec<Entry>,
    pub(super) warnings: Vec<String>,
    pub(super) snapshots: Vec<Snapshot>,
    /// How many snapshots were taken.
    pub(super) taken: u32,
    /// Whether it was ever gone back: then a content may be in a snapshot again.
    pub(super) went_back: bool,
}

impl Noun for Head {
    const KIND: Kind = Kind::Working;

    fn id(&self) -> String {
        self.run.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        Vec::new()
    }
}

impl Head {
    pub(super) fn new(run: &str, budgets: Budgets, next: u32, now: u64) -> Self {
        Self {
            run: run.to_owned(),
            started_at: now,
            budgets,
            next,
            guard: next,
            results: 0,
            operations: 0,
            peak: 0,
            subtask: None,
            entries: Vec::new(),
            warnings: Vec::new(),
            snapshots: Vec::new(),
            taken: 0,
            went_back: false,
        }
    }

    pub(super) fn budget(&self, section: Section) -> u32 {
        match section {
            Section::SystemContext => self.budgets.system_context,
            Section::TaskContext => self.budgets.task_context,
            Section::ExecutionState => self.budgets.execution_state,
            Section::IntermediateResults => self.budgets.intermediate_results,
            Section::RetrievedContext => self.budgets.retrieved_context,
        }
    }

    pub(super) fn whole_budget(&self) -> u32 {
        let all = SECTIONS.iter().map(|section| self.budget(*section));
        all.fold(0, u32::saturating_add)
    }

    pub(super) fn of(&self, section: Section) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(move |entry| entry.section == section)
    }

    pub(super) fn size(&self, section: Section) -> u32 {
        self.of(section).map(|entry| entry.tokens).sum()
    }

    pub(super) fn tokens(&self) -> u32 {
        self.entries.iter().map(|entry| entry.tokens).sum()
    }

    pub(super) fn fits(&self, section: Section) -> bool {
        self.size(section) <= self.budget(section)
    }

    pub(super) fn find(&self, id: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.id == id)
    }

    /// How many subtasks ago something was put there: 1 for the newest result.
    pub(super) fn back(&self, entry: &Entry) -> u32 {
        self.results.saturating_sub(entry.age) + 1
    }

    /// What a content says in a prompt.
    pub(super) fn shown(&self, entry: &Entry, body: &str) -> String {
        match entry.sort {
            Sort::State => state::words(body, self.budget(entry.section)),
            _ => body.to_owned(),
        }
    }

    /// How near a content is to the work.
    pub(super) fn temperature(&self, entry: &Entry) -> Temperature {
        match entry.sort {
            Sort::System | Sort::State => Temperature::Hot,
            Sort::Task if entry.id == PLAN => Temperature::Warm,
            Sort::Task => Temperature::Hot,
            Sort::Trace => Temperature::Cold,
            Sort::Result | Sort::Variable if entry.section == Section::IntermediateResults => {
                match self.back(entry) {
                    _ if entry.is_reference() => Temperature::Cold,
                    1 if entry.sort == Sort::Result => Temperature::Hot,
                    back if back > RECENT && entry.kind != Some(VariableType::Accumulator) => {
                        Temperature::Cold
                    }
                    _ => Temperature::Warm,
                }
            }
            Sort::Variable => match entry.scope {
                Some(VariableScope::TaskScope | VariableScope::ExecutionScope) => Temperature::Hot,
                _ => Temperature::Warm,
            },
            _ if entry.is_reference() => Temperature::Cold,
            _ => Temperature::Warm,
        }
    }
}

/// The plan among the contents.
pub(super) const PLAN: &str = "task-plan";

/// Outputs of so many subtasks are recent.
pub(super) const RECENT: u32 = 5;

/// One content.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Content {
    pub(super) run: String,
    pub(super) number: u32,
    pub(super) body: String,
}

impl Noun for Content {
    const KIND: Kind = Kind::WorkingItem;

    fn id(&self) -> String {
        content_id(&self.run, self.number)
    }

    fn attributes(&self) -> Vec<Attribute> {
        // Found by its number alone: every attribute would cost an operation time.
        Vec::new()
    }
}

/// A content that was moved out. It belongs to the run, and to the episode that the run becomes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ColdContent {
    pub(super) run: String,
    pub(super) item: String,
    pub(super) number: u32,
    pub(super) body: String,
}

impl Noun for ColdContent {
    const KIND: Kind = Kind::WorkingCold;

    fn id(&self) -> String {
        content_id(&self.run, self.number)
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![
            text("run", &self.run),
            text("item", &self.item),
            number("number", f64::from(self.number)),
        ]
    }
}

pub(super) fn content_id(run: &str, number: u32) -> String {
    format!("{run}.{number}")
}
