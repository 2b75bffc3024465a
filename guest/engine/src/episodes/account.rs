//! The account of an episode: what is known about it besides its head.
//!
//! Owns its form, the checks on it, and how later values replace earlier ones. It is a document of its
//! own, so that searches do not read it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use twiceshy_wit::{
    host::Attribute,
    memory::{Account, Adaptation, Artifact, EncounteredError, Episode, Error, Measure},
};

use super::head::{replace_list, too_many};
use crate::{
    insertion, limits, payload, refusal,
    store::{Batch, Kind, Noun, Reader, beginning},
    text,
};

/// Goals, insights and the like of one account.
const LISTED: usize = 64;

/// Files, artifacts and steps of a plan.
const MANY: usize = 256;

/// A measure's name, or a name of an artifact or a commit, in bytes.
const NAME_BYTES: usize = 64;

/// The name of the artifact in which a long output is kept whole.
pub(super) const PRIMARY_OUTPUT: &str = "primary-output";

/// An account as it is kept. It is found by its words and, once its run has ended, by what its episode says.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptAccount {
    pub(crate) episode: String,
    pub(crate) account: Account,
}

impl Noun for KeptAccount {
    const KIND: Kind = Kind::Account;

    fn id(&self) -> String {
        self.episode.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        Vec::new()
    }

    fn terms(&self) -> String {
        text::indexed(&self.said()).join(" ")
    }
}

impl KeptAccount {
    /// Puts it as that of an episode, by whose attributes it is found. The account of an open run has none.
    pub(crate) fn put(&self, batch: &mut Batch, episode: &Episode) {
        batch.put_found_by(self, super::restrictions(episode));
    }

    /// What it says of the episode in words: what was to be reached and how, what came out, what went wrong, and what was
    /// learned.
    pub(super) fn said(&self) -> String {
        let account = &self.account;
        let lists = [
            &account.goals,
            &account.constraints,
            &account.success_criteria,
            &account.plan,
            &account.insights,
        ];
        let lists = lists.into_iter().flatten().map(String::as_str);
        let errors = account.errors_encountered.iter();
        let errors = errors.flat_map(|error| [error.message.as_str(), &error.resolution]);
        let output = account.primary_output.as_deref();
        let all: Vec<_> = lists.chain(errors).chain(output).collect();
        beginning(&all.join("\n")).to_owned()
    }
}

/// An account that was checked and masked. A long output is kept whole outside of the store, if the host has an
/// archive.
pub(crate) fn checked_account(reader: &Reader, account: &Account) -> Result<Account, Error> {
    check(account)?;
    let mut kept = kept(account);
    let Some(output) = &account.primary_output else {
        return Ok(kept);
    };
    let output = insertion::without(output);
    if output.len() > limits::KEPT_TEXT_BYTES {
        match super::artifacts::kept_artifact(
            reader,
            PRIMARY_OUTPUT,
            "text/plain",
            output.as_bytes(),
        ) {
            Ok(artifact) => kept.artifacts.push(artifact),
            Err(Error::Unavailable(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(kept)
}

/// Takes in what is said later: what is none or empty stays as it was.
pub(crate) fn describe(account: &mut Account, said: Account) {
    let Account {
        goals,
        constraints,
        success_criteria,
        context,
        phase,
        files_involved,
        complexity,
        plan,
        adaptations,
        resource_usage,
        primary_output,
        side_effects,
        quality_metrics,
        insights,
        patterns_discovered,
        errors_encountered,
        performance_analysis,
        artifacts,
        git_commit,
    } = said;
    replace_list(&mut account.goals, goals);
    replace_list(&mut account.constraints, constraints);
    replace_list(&mut account.success_criteria, success_criteria);
    replace_list(&mut account.files_involved, files_involved);
    replace_list(&mut account.plan, plan);
    replace_list(&mut account.adaptations, adaptations);
    replace_list(&mut account.resource_usage, resource_usage);
    replace_list(&mut account.side_effects, side_effects);
    replace_list(&mut account.quality_metrics, quality_metrics);
    replace_list(&mut account.insights, insights);
    replace_list(&mut account.patterns_discovered, patterns_discovered);
    replace_list(&mut account.errors_encountered, errors_encountered);
    if !context.is_empty() {
        account.context = context;
    }
    // The whole of an output goes with the output, not with the other artifacts.
    let is_output = |artifact: &Artifact| artifact.name == PRIMARY_OUTPUT;
    let (output, others): (Vec<_>, Vec<_>) = artifacts.into_iter().partition(is_output);
    if !others.is_empty() {
        account.artifacts.retain(is_output);
        account.artifacts.extend(others);
    }
    if primary_output.is_some() {
        account.artifacts.retain(|artifact| !is_output(artifact));
        account.artifacts.extend(output);
    }
    account.phase = phase.or(account.phase.take());
    account.complexity = complexity.or(account.complexity);
    account.primary_output = primary_output.or(account.primary_output.take());
    account.performance_analysis = performance_analysis.or(account.performance_analysis.take());
    account.git_commit = git_commit.or(account.git_commit.take());
}

/// A text without what the memory itself said and without secrets.
fn line(text: &str) -> String {
    payload::kept_text(insertion::without(text).trim(), limits::KEPT_TEXT_BYTES)
}

fn lines(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| line(text)).collect()
}

fn measures(measures: &[Measure]) -> Vec<Measure> {
    let measure = |measure: &Measure| Measure {
        name: line(&measure.name),
        value: measure.value,
    };
    measures.iter().map(measure).collect()
}

/// An account as it is kept.
fn kept(account: &Account) -> Account {
    let optional =
        |text: &Option<String>| text.as_deref().map(line).filter(|text| !text.is_empty());
    Account {
        goals: lines(&account.goals),
        constraints: lines(&account.constraints),
        success_criteria: lines(&account.success_criteria),
        context: match account.context.trim() {
            "" => String::new(),
            context => payload::kept_payload(context),
        },
        phase: optional(&account.phase),
        files_involved: lines(&account.files_involved),
        complexity: account.complexity,
        plan: lines(&account.plan),
        adaptations: account
            .adaptations
            .iter()
            .map(|adaptation| Adaptation {
                step: adaptation.step,
                change: line(&adaptation.change),
                reason: line(&adaptation.reason),
            })
            .collect(),
        resource_usage: measures(&account.resource_usage),
        primary_output: optional(&account.primary_output),
        side_effects: lines(&account.side_effects),
        quality_metrics: measures(&account.quality_metrics),
        insights: lines(&account.insights),
        patterns_discovered: lines(&account.patterns_discovered),
        errors_encountered: account
            .errors_encountered
            .iter()
            .map(|error| EncounteredError {
                kind: line(&error.kind),
                message: line(&error.message),
                resolution: line(&error.resolution),
            })
            .collect(),
        performance_analysis: optional(&account.performance_analysis),
        artifacts: account
            .artifacts
            .iter()
            .map(|artifact| Artifact {
                name: line(&artifact.name),
                media_type: line(&artifact.media_type),
                ..artifact.clone()
            })
            .collect(),
        git_commit: optional(&account.git_commit),
    }
}

/// Refuses an account outside of the contract, naming the member.
fn check(account: &Account) -> Result<(), Error> {
    let invalid = |text: String| Err(Error::InvalidArgument(text));
    let lists = [
        ("goals", account.goals.len(), LISTED),
        ("constraints", account.constraints.len(), LISTED),
        ("success-criteria", account.success_criteria.len(), LISTED),
        ("files-involved", account.files_involved.len(), MANY),
        ("plan", account.plan.len(), MANY),
        ("adaptations", account.adaptations.len(), LISTED),
        ("resource-usage", account.resource_usage.len(), LISTED),
        ("side-effects", account.side_effects.len(), LISTED),
        ("quality-metrics", account.quality_metrics.len(), LISTED),
        ("insights", account.insights.len(), LISTED),
        (
            "patterns-discovered",
            account.patterns_discovered.len(),
            LISTED,
        ),
        (
            "errors-encountered",
            account.errors_encountered.len(),
            LISTED,
        ),
        ("artifacts", account.artifacts.len(), MANY),
    ];
    for (member, there_are, most) in lists {
        too_many(&format!("account.{member}"), there_are, most)?;
    }
    if let Some(output) = &account.primary_output
        && output.len() > limits::PAYLOAD_BYTES
    {
        return invalid(format!(
            "`account.primary-output` has {} bytes, and at most {} are allowed; keep it with `episodes.keep-artifact`",
            output.len(),
            limits::PAYLOAD_BYTES
        ));
    }
    let context = account.context.trim();
    refusal::bytes("account.context", context.len(), limits::PAYLOAD_BYTES)?;
    if !context.is_empty() && !matches!(serde_json::from_str(context), Ok(Value::Object(_))) {
        return invalid(
            "`account.context` must be a JSON object such as {\"branch\": \"main\"}".to_owned(),
        );
    }
    if let Some(complexity) = account.complexity {
        refusal::within("account.complexity", complexity, 0.0..=1.0)?;
    }
    let measures = [
        ("resource-usage", &account.resource_usage),
        ("quality-metrics", &account.quality_metrics),
    ];
    for (member, measures) in measures {
        for (at, measure) in measures.iter().enumerate() {
            if measure.name.trim().is_empty() || measure.name.len() > NAME_BYTES {
                return invalid(format!(
                    "`account.{member}[{at}].name` must have 1 to {NAME_BYTES} bytes"
                ));
            }
            if !measure.value.is_finite() {
                return invalid(format!(
                    "`account.{member}[{at}].value` must be a finite number"
                ));
            }
        }
    }
    for (at, artifact) in account.artifacts.iter().enumerate() {
        if let Some(hash) = &artifact.hash {
            super::artifacts::check_hash(&format!("account.artifacts[{at}].hash"), hash)?;
        }
    }
    Ok(())
}
