//! Decisions: hypotheses that were accepted, rejected or held, and why.
//!
//! Owns recording them and finding what was decided about a hypothesis before. When two texts are the same
//! hypothesis is the business of [`likeness`](crate::likeness); counts are made in `report`, and `file` reads and
//! writes `.evolve_memory.json`.

pub(crate) mod failures;
pub(crate) mod records;
pub(crate) mod wordings;

pub(crate) mod file;
pub(crate) mod report;

pub(crate) use records::latest;

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::Attribute,
    memory::{
        Decision, DecisionAnswer, DecisionCheck, DecisionFilter, DecisionMatch, DecisionQuery,
        DecisionQuestion, DecisionStats, DroppedHypothesis, Error, ExportRequest, Exported,
        FilteredHypotheses, HypothesisList, ImportRequest, Imported, NewDecision, RejectionPattern,
    },
};

use crate::{
    decisions::{
        records::{AT, Record, since},
        wordings::KeptWording,
    },
    likeness::{Wording, are_rivals},
    limits, payload,
    refusal::{self, Unit},
    store::{self, Batch, Desk, Kind, Noun, Reader, digest, equals, newest, text},
};

/// For how many days an acceptance is recent.
const RECENT_DAYS: u32 = 7;

/// A description alone makes two hypotheses the same only if it says something: from so many words on.
const TELLING_WORDS: usize = 4;

/// Of the records that share a description, so many of the newest are compared by their hypotheses.
const COMPARED: u32 = 256;

/// The attributes by which a decision is found by its two texts.
const HYPOTHESIS: &str = "hypothesis-key";
const DESCRIPTION: &str = "description-key";

/// The outcomes that there are.
const OUTCOMES: [&str; 3] = ["accepted", "rejected", "held"];

/// A decision as it is kept: with the time as a file had it, if it came from one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KeptDecision {
    pub(crate) decision: Decision,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    written: Option<String>,
}

impl KeptDecision {
    /// The wordings by which it is found: of the hypothesis, and of the description if there is one.
    fn wordings(&self) -> (KeptWording, Option<KeptWording>) {
        let Decision {
            module,
            hypothesis,
            description,
            outcome,
            ..
        } = &self.decision;
        let wording = |text| KeptWording::new(&scope(module, outcome), module, text);
        let told = !description.trim().is_empty();
        (wording(hypothesis), told.then(|| wording(description)))
    }

    /// Gives it the id of the how-manieth decision of this very content.
    fn number(&mut self, copy: u32) {
        let decision = &self.decision;
        let some = |text: &Option<String>| {
            text.as_ref()
                .map_or("-".to_owned(), |text| format!("+{text}"))
        };
        let parts = [
            decision.timestamp.to_string(),
            decision.module.clone(),
            decision.hypothesis.clone(),
            decision.description.clone(),
            decision.outcome.clone(),
            some(&decision.rationale),
            some(&decision.rejection_reason),
            copy.to_string(),
        ];
        self.decision.id = format!("dec_{}", digest(&parts.each_ref().map(String::as_str)));
    }
}

/// Wordings are kept apart by what they are asked by.
fn scope<'a>(module: &'a str, outcome: &'a str) -> [&'a str; 3] {
    ["decision", module, outcome]
}

impl Noun for KeptDecision {
    const KIND: Kind = Kind::Decision;

    fn id(&self) -> String {
        self.decision.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let decision = &self.decision;
        let (hypothesis, description) = self.wordings();
        let mut attributes = vec![
            text("module", &decision.module),
            text("outcome", &decision.outcome),
            self.place_attribute(),
            self.wording_attribute(HYPOTHESIS, &hypothesis),
        ];
        attributes.extend(description.map(|wording| self.wording_attribute(DESCRIPTION, &wording)));
        attributes
    }
}

impl Record for KeptDecision {
    fn at(&self) -> u64 {
        self.decision.timestamp
    }
}

pub(crate) fn record(desk: &mut Desk, new: &NewDecision) -> Result<Decision, Error> {
    record_decision(desk, new).map_err(coded)
}

pub(crate) fn was_rejected(reader: &Reader, query: &DecisionQuery) -> Result<DecisionMatch, Error> {
    decided(reader, query, "rejected", 0).map_err(coded)
}

pub(crate) fn was_recently_accepted(
    reader: &Reader,
    query: &DecisionQuery,
) -> Result<DecisionMatch, Error> {
    let since = records::days_ago(reader, query.days.unwrap_or(RECENT_DAYS));
    decided(reader, query, "accepted", since).map_err(coded)
}

pub(crate) fn check(reader: &Reader, query: &DecisionQuery) -> Result<DecisionCheck, Error> {
    let rejected = was_rejected(reader, query)?;
    let accepted = was_recently_accepted(reader, query)?;
    let telling = if rejected.found { &rejected } else { &accepted };
    Ok(DecisionCheck {
        rejected: rejected.found,
        accepted_recently: accepted.found,
        similarity: telling.similarity,
        record: telling.record.clone(),
        should_skip: rejected.found || accepted.found,
    })
}

pub(crate) fn query(reader: &Reader, question: &DecisionQuestion) -> Result<DecisionAnswer, Error> {
    let query = DecisionQuery {
        module: question.module.clone(),
        hypothesis: question.hypothesis.clone().unwrap_or_default(),
        description: question.description.clone(),
        days: question.days,
    };
    let (matched, patterns) = match question.query_type.replace('_', "-").as_str() {
        "was-rejected" => (was_rejected(reader, &query)?, Vec::new()),
        "was-accepted" => (was_recently_accepted(reader, &query)?, Vec::new()),
        "get-patterns" => (nothing(), failure_patterns(reader, &question.module)?),
        other => {
            return Err(Error::InvalidArgument(format!(
                "`query-type` is {other:?}; it must be \"was-rejected\", \"was-accepted\" or \"get-patterns\""
            )));
        }
    };
    Ok(DecisionAnswer {
        found: matched.found || !patterns.is_empty(),
        record: matched.record,
        similarity: matched.similarity,
        patterns,
    })
}

pub(crate) fn filter(reader: &Reader, list: &HypothesisList) -> Result<FilteredHypotheses, Error> {
    refusal::at_most(
        "hypotheses",
        list.hypotheses.len(),
        Unit::Entries,
        limits::FILTERED,
        "filter them in parts",
    )?;
    let mut filtered = FilteredHypotheses {
        kept: Vec::new(),
        dropped: Vec::new(),
    };
    for hypothesis in &list.hypotheses {
        let query = DecisionQuery {
            module: list.module.clone(),
            hypothesis: hypothesis.clone(),
            description: None,
            days: list.days,
        };
        let mut matched = nothing();
        if !list.keep_rejected.unwrap_or(false) {
            matched = was_rejected(reader, &query)?;
        }
        if !matched.found {
            matched = was_recently_accepted(reader, &query)?;
        }
        match matched.record {
            None => filtered.kept.push(hypothesis.clone()),
            Some(record) => filtered.dropped.push(DroppedHypothesis {
                hypothesis: hypothesis.clone(),
                reason: reason(&record),
                similarity: matched.similarity,
                record,
            }),
        }
    }
    Ok(filtered)
}

pub(crate) fn get_records(
    reader: &Reader,
    filter: &DecisionFilter,
) -> Result<Vec<Decision>, Error> {
    if let Some(outcome) = &filter.outcome {
        check_outcome(outcome)?;
    }
    let module = filter.module.as_deref().map(kept_module);
    let mut conditions: Vec<_> = [
        ("module", module.as_deref()),
        ("outcome", filter.outcome.as_deref()),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some(equals(name, value?)))
    .collect();
    conditions.extend(filter.since.map(since));
    let query = store::query::<KeptDecision>(conditions, newest(AT), limits::listed(filter.limit));
    let found = reader.search::<KeptDecision>(&query).map_err(coded)?;
    Ok(found
        .into_iter()
        .map(|(read, _)| read.noun.decision)
        .collect())
}

pub(crate) fn failure_patterns(
    reader: &Reader,
    module: &str,
) -> Result<Vec<RejectionPattern>, Error> {
    report::rejection_patterns(reader, module).map_err(coded)
}

pub(crate) fn stats(reader: &Reader) -> Result<DecisionStats, Error> {
    report::decision_stats(reader).map_err(coded)
}

pub(crate) fn export_file(reader: &Reader, request: &ExportRequest) -> Result<Exported, Error> {
    file::export_decisions(reader, request.after.as_deref()).map_err(coded)
}

pub(crate) fn import_file(desk: &mut Desk, request: &ImportRequest) -> Result<Imported, Error> {
    file::import_decisions(desk, &request.text, request.check_only.unwrap_or(false)).map_err(coded)
}

fn record_decision(desk: &mut Desk, new: &NewDecision) -> Result<Decision, Error> {
    let told = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
    if !told(&new.rationale) {
        check_outcome(&new.outcome)?;
        return Err(Error::InvalidArgument(format!(
            "`rationale` is missing; say why the hypothesis was {}, so that the decision can be understood later",
            new.outcome
        )));
    }
    if new.outcome != "rejected" && told(&new.rejection_reason) {
        check_outcome(&new.outcome)?;
        return Err(Error::InvalidArgument(format!(
            "`rejection-reason` is only for the outcome \"rejected\", not for {:?}; put it into `rationale`",
            new.outcome
        )));
    }
    let mut kept = kept(new, desk.now(), None)?;
    kept.decision.rejection_reason = kept
        .decision
        .rejection_reason
        .filter(|_| told(&new.rejection_reason));
    desk.commit(|batch| {
        wordings::put_new(batch, &wordings_of(&[&kept]))?;
        // The same content at the same moment is another decision all the same.
        for copy in 0.. {
            kept.number(copy);
            if batch
                .read(&[Kind::Decision.key(&kept.decision.id)])?
                .is_empty()
            {
                break;
            }
        }
        batch.add(&kept);
        Ok(kept.decision.clone())
    })
}

/// Puts some numbered decisions of which none is there yet.
fn put_new(batch: &mut Batch, decisions: &[&KeptDecision]) -> Result<(), Error> {
    wordings::put_new(batch, &wordings_of(decisions))?;
    for decision in decisions {
        batch.add(*decision);
    }
    Ok(())
}

/// The decision with an outcome that is most like a hypothesis, made at a time or later.
fn decided(
    reader: &Reader,
    query: &DecisionQuery,
    outcome: &str,
    since: u64,
) -> Result<DecisionMatch, Error> {
    check_texts(
        "module",
        &query.module,
        &query.hypothesis,
        query.description.as_deref().unwrap_or_default(),
    )?;
    let module = kept_module(&query.module);
    let wording = |text: &str| Wording::new(&module, &kept_statement(text));
    let hypothesis = wording(&query.hypothesis);
    let sought =
        |text: &str| KeptWording::sought(&scope(&module, outcome), &module, &kept_statement(text));
    let mut best = wordings::same_hypotheses(reader, &sought(&query.hypothesis), |id, _| {
        let by_hypothesis = records::newest_with::<KeptDecision>(reader, HYPOTHESIS, id, since, 1)?;
        let by_description =
            records::newest_with::<KeptDecision>(reader, DESCRIPTION, id, since, 1)?;
        Ok(by_hypothesis
            .into_iter()
            .chain(by_description)
            .max_by_key(Record::at))
    })?;
    let description = query.description.as_deref().unwrap_or_default();
    if !description.trim().is_empty() && best.as_ref().is_none_or(|(_, alike)| *alike < 1.0) {
        let described = wording(description);
        let tells = described.words().len() >= TELLING_WORDS;
        let other = wordings::same_hypotheses(reader, &sought(description), |id, _| {
            let by_hypothesis =
                records::newest_with::<KeptDecision>(reader, HYPOTHESIS, id, since, 1)?;
            if !by_hypothesis.is_empty() || !tells {
                return Ok(by_hypothesis.into_iter().next());
            }
            let by_description =
                records::newest_with::<KeptDecision>(reader, DESCRIPTION, id, since, COMPARED)?;
            Ok(by_description.into_iter().find(|kept| {
                !are_rivals(
                    &hypothesis,
                    &Wording::new(&module, &kept.decision.hypothesis),
                )
            }))
        })?;
        let is_better = |(kept, alike): &(KeptDecision, f64)| {
            best.as_ref()
                .is_none_or(|(known, similarity)| (*alike, kept.at()) > (*similarity, known.at()))
        };
        if let Some(other) = other.filter(is_better) {
            best = Some(other);
        }
    }
    Ok(match best {
        None => nothing(),
        Some((kept, similarity)) => DecisionMatch {
            found: true,
            record: Some(kept.decision),
            similarity,
        },
    })
}

fn wordings_of(decisions: &[&KeptDecision]) -> Vec<KeptWording> {
    decisions
        .iter()
        .flat_map(|kept| {
            let (hypothesis, description) = kept.wordings();
            [Some(hypothesis), description]
        })
        .flatten()
        .collect()
}

/// A checked, masked decision, not yet numbered.
fn kept(new: &NewDecision, at: u64, written: Option<String>) -> Result<KeptDecision, Error> {
    let description = new.description.as_deref().unwrap_or_default();
    check_texts("module", &new.module, &new.hypothesis, description)?;
    check_outcome(&new.outcome)?;
    let words = |text: &Option<String>| {
        text.as_ref()
            .map(|text| payload::kept_text(text, limits::KEPT_PAYLOAD_BYTES))
    };
    Ok(KeptDecision {
        decision: Decision {
            id: String::new(),
            module: kept_module(&new.module),
            hypothesis: kept_statement(&new.hypothesis),
            description: kept_statement(description),
            outcome: new.outcome.clone(),
            rationale: words(&new.rationale),
            rejection_reason: words(&new.rejection_reason),
            timestamp: at,
        },
        written,
    })
}

/// A module's name as it is kept and asked for.
pub(crate) fn kept_module(module: &str) -> String {
    payload::kept_text(module.trim(), limits::MODULE_BYTES)
}

/// A statement as it is kept and compared.
pub(crate) fn kept_statement(text: &str) -> String {
    payload::kept_text(text, limits::DESCRIPTION_CHARS * 4)
}

/// Refuses texts that are empty or too long. `member` is the name of the module in the arguments.
pub(crate) fn check_texts(
    member: &str,
    module: &str,
    hypothesis: &str,
    description: &str,
) -> Result<(), Error> {
    refusal::not_empty(member, module, "name what the hypothesis is about")?;
    if module.len() > limits::MODULE_BYTES || module.chars().any(char::is_control) {
        return Err(Error::InvalidArgument(format!(
            "`{member}` has {} bytes or a control character; at most {} bytes in one line are allowed",
            module.len(),
            limits::MODULE_BYTES
        )));
    }
    refusal::not_empty("hypothesis", hypothesis, "say what to change")?;
    for (name, text, most) in [
        ("hypothesis", hypothesis, limits::HYPOTHESIS_CHARS),
        ("description", description, limits::DESCRIPTION_CHARS),
    ] {
        let characters = text.trim().chars().count();
        refusal::at_most(name, characters, Unit::Characters, most, "shorten it")?;
    }
    Ok(())
}

fn check_outcome(outcome: &str) -> Result<(), Error> {
    if OUTCOMES.contains(&outcome) {
        return Ok(());
    }
    Err(Error::InvalidArgument(format!(
        "INVALID_OUTCOME: outcome must be \"accepted\", \"rejected\", or \"held\", not {outcome:?}"
    )))
}

/// Why a decision speaks against trying its hypothesis again.
fn reason(decision: &Decision) -> String {
    let why = decision
        .rejection_reason
        .as_ref()
        .or(decision.rationale.as_ref());
    match why {
        Some(why) => format!("{} before: {why}", decision.outcome),
        None => format!("{} before", decision.outcome),
    }
}

fn nothing() -> DecisionMatch {
    DecisionMatch {
        found: false,
        record: None,
        similarity: 0.0,
    }
}

/// An error of the store under the name that the contract gives it.
pub(crate) fn coded(error: Error) -> Error {
    match error {
        Error::Storage(text) => Error::Storage(format!("STORAGE_ERROR: {text}")),
        Error::Busy(text) => Error::Busy(format!("STORAGE_ERROR: {text}")),
        other => other,
    }
}
