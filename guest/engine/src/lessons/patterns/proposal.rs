//! Proposed patterns: the checks on them, and their lesson.
//!
//! Owns the checks on texts and lists, their masking, and the rule text by which recall shows a pattern. Writing it is
//! the business of the lesson's entry.

use serde_json::Value;
use twiceshy_wit::memory::{
    Applicability, Episode, Error, FeatureTest, Guidance, HeuristicContent, LessonCandidate,
    NewPattern, Origin, PatternContent, ProcedureContent, Requirement, Scope, Source,
    StrategyContent, TemplateContent,
};

use super::{
    LISTED,
    document::{Body, Head, shortened},
};
use crate::{
    lessons::{Proposal, proposal},
    limits, payload, refusal,
    secrets::{self, is_secret},
    store::Desk,
    text,
};

/// A name in characters.
const NAME_CHARS: usize = 200;

/// A summary in characters: one or two sentences.
const SUMMARY_CHARS: usize = 1_000;

/// An explanation, and a structure, in bytes.
const LONG_BYTES: usize = 16 << 10;

/// Any other text in bytes.
const TEXT_BYTES: usize = 4 << 10;

/// Steps and rules of a content.
const CONTENT_ITEMS: usize = 128;

/// Each approach within a rule text, in characters: both of them fit.
const APPROACH_CHARS: usize = 480;

/// The id that a pattern would have, if it can be taken in. Changes nothing.
pub(crate) fn pattern_id(desk: &Desk, new: &NewPattern) -> Result<String, Error> {
    Ok(pattern_proposal(desk, new)?.id().to_owned())
}

/// A checked, masked pattern as the lesson that it is.
pub(super) fn pattern_proposal(desk: &Desk, new: &NewPattern) -> Result<Proposal, Error> {
    if let Some(id) = &new.id {
        check_id("id", id)?;
    }
    refusal::entries(
        "source-episodes",
        new.source_episodes.len(),
        limits::ORIGINS_PER_LESSON,
    )?;
    for episode in &new.source_episodes {
        check_id("source-episodes", episode)?;
    }
    if new.scope == Some(Scope::Task) {
        return Err(invalid(
            "`scope` is `task`; a pattern must have `domain` or `global`",
        ));
    }
    let claimed_confidence = new.confidence.unwrap_or(0.0);
    check_share("confidence", claimed_confidence)?;
    let words = Words {
        name: name(&new.name)?,
        summary: summary(&new.summary)?,
        explanation: text("explanation", new.explanation.as_deref(), LONG_BYTES)?,
        correct: text(
            "correct-approach",
            new.correct_approach.as_deref(),
            TEXT_BYTES,
        )?,
        incorrect: text(
            "incorrect-approach",
            new.incorrect_approach.as_deref(),
            TEXT_BYTES,
        )?,
    };
    let applicability = checked(new.applicability.clone().unwrap_or_default())?;
    let content = new.content.as_ref().map(kept_content).transpose()?;
    let guidance = kept_guidance(&new.guidance.clone().unwrap_or_default())?;
    let source = new.source.unwrap_or(Source::Agent);
    let mut proposal = proposal::proposal(
        desk,
        &LessonCandidate {
            rule_text: rule_text(&words.summary, &words.correct, &words.incorrect),
            trigger_fingerprints: new.trigger_fingerprints.clone(),
            trigger_texts: Vec::new(),
            tags: new.tags.clone(),
            scope_hint: Some(new.scope.unwrap_or(Scope::Global)),
            kind: Some(new.kind),
            domain: new.domain.clone().filter(|domain| !domain.is_empty()),
            task: task_of(desk, new.source_episodes.first())?,
            run: new.source_episodes.first().cloned(),
            steps: Vec::new(),
            source: Some(source),
        },
    )?;
    let lesson = &mut proposal.kept.lesson;
    lesson.id = new.id.clone().unwrap_or_else(|| lesson.id.clone());
    for episode in new.source_episodes.iter().skip(1) {
        if !lesson.origins.iter().any(|known| known.run == *episode) {
            let at = lesson.origins[0].at;
            lesson.origins.push(Origin {
                run: episode.clone(),
                steps: Vec::new(),
                source,
                at,
            });
        }
    }
    let conditions = applicability.conditions.iter().cloned();
    proposal.kept.statements = std::iter::once(words.summary.clone())
        .chain(conditions)
        .collect();
    let lesson = &proposal.kept.lesson;
    let mut head = Head::of(lesson);
    head.name = words.name;
    head.name_words(&words.summary);
    head.applicability = applicability;
    head.confidence = claimed_confidence;
    let body = Body {
        id: lesson.id.clone(),
        summary: words.summary,
        explanation: words.explanation,
        correct_approach: words.correct,
        incorrect_approach: words.incorrect,
        content,
        guidance,
        evidence: super::document::none(claimed_confidence),
        claimed_confidence,
    };
    proposal.pattern = Some((head, body));
    Ok(proposal)
}

/// The task of the episode that a pattern was found in first, if it is known: similar tasks need it, too.
fn task_of(desk: &Desk, episode: Option<&String>) -> Result<Option<String>, Error> {
    let Some(id) = episode else {
        return Ok(None);
    };
    let known = desk.load::<Episode>(id)?.map(|read| read.noun.task);
    Ok(known.filter(|task| !task.trim().is_empty()))
}

struct Words {
    name: String,
    summary: String,
    explanation: String,
    correct: String,
    incorrect: String,
}

/// The rule by which recall shows a pattern.
pub(super) fn rule_text(summary: &str, correct: &str, incorrect: &str) -> String {
    let correct = shortened(correct, APPROACH_CHARS);
    let incorrect = shortened(incorrect, APPROACH_CHARS);
    let rule = match (correct.as_str(), incorrect.as_str()) {
        ("", "") => shortened(summary, SUMMARY_CHARS),
        (correct, "") => format!(
            "{} → CORRECT: {correct}",
            shortened(summary, APPROACH_CHARS)
        ),
        ("", incorrect) if same_words(incorrect, summary) => format!("AVOID: {incorrect}"),
        ("", incorrect) => format!("AVOID: {incorrect}: {}", shortened(summary, APPROACH_CHARS)),
        (correct, incorrect) => format!("WRONG: {incorrect} → CORRECT: {correct}"),
    };
    shortened(&rule, limits::RULE_CHARS)
}

fn same_words(left: &str, right: &str) -> bool {
    text::terms(left) == text::terms(right)
}

/// A name, checked and masked.
pub(super) fn name(name: &str) -> Result<String, Error> {
    named("name", name, NAME_CHARS)
}

/// A summary, checked and masked.
pub(super) fn summary(summary: &str) -> Result<String, Error> {
    named("summary", summary, SUMMARY_CHARS)
}

fn named(member: &str, text: &str, most: usize) -> Result<String, Error> {
    let count = text.trim().chars().count();
    if count == 0 || count > most {
        return Err(invalid(&format!(
            "`{member}` has {count} characters; it must have 1 to {most}"
        )));
    }
    Ok(shortened(&secrets::mask(text.trim()), most))
}

/// An explanation, checked and masked.
pub(super) fn explanation(text: &str) -> Result<String, Error> {
    self::text("explanation", Some(text), LONG_BYTES)
}

/// An approach, checked and masked.
pub(super) fn approach(member: &str, text: &str) -> Result<String, Error> {
    self::text(member, Some(text), TEXT_BYTES)
}

fn text(member: &str, text: Option<&str>, most: usize) -> Result<String, Error> {
    let text = text.unwrap_or_default().trim();
    refusal::bytes(member, text.len(), most)?;
    Ok(payload::kept_text(text, most))
}

fn texts(member: &str, list: &[String], most: usize) -> Result<Vec<String>, Error> {
    refusal::entries(member, list.len(), most)?;
    list.iter()
        .map(|one| text(member, Some(one), TEXT_BYTES))
        .collect()
}

/// Applicability, checked and masked.
pub(super) fn checked(applicability: Applicability) -> Result<Applicability, Error> {
    let in_applicability = |member: &str| format!("applicability.{member}");
    let names = |member: &str, list: &[String]| {
        let member = in_applicability(member);
        let mut names = texts(&member, list, LISTED)?;
        if names.iter().any(|name| name.is_empty() || name.len() > 128) {
            return Err(invalid(&format!(
                "`{member}`: each entry must have 1 to 128 bytes"
            )));
        }
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(name.to_lowercase()));
        Ok(names)
    };
    for (member, bound) in [
        ("least-complexity", applicability.least_complexity),
        ("most-complexity", applicability.most_complexity),
    ] {
        check_share(&in_applicability(member), bound.unwrap_or(0.0))?;
    }
    if let (Some(least), Some(most)) = (
        applicability.least_complexity,
        applicability.most_complexity,
    ) && least > most
    {
        return Err(invalid(&format!(
            "`applicability.least-complexity` is {least} and `most-complexity` {most}; the least must not be more than the most"
        )));
    }
    Ok(Applicability {
        problem_types: names("problem-types", &applicability.problem_types)?,
        domains: names("domains", &applicability.domains)?,
        required_capabilities: names(
            "required-capabilities",
            &applicability.required_capabilities,
        )?,
        context_conditions: requirements("context-conditions", &applicability.context_conditions)?,
        anti_conditions: requirements("anti-conditions", &applicability.anti_conditions)?,
        conditions: texts(
            &in_applicability("conditions"),
            &applicability.conditions,
            LISTED,
        )?,
        ..applicability
    })
}

fn requirements(member: &str, list: &[Requirement]) -> Result<Vec<Requirement>, Error> {
    let member = format!("applicability.{member}");
    refusal::entries(&member, list.len(), LISTED)?;
    let mut kept: Vec<Requirement> = Vec::with_capacity(list.len());
    for one in list {
        let feature = text(&member, Some(&one.feature), 128)?;
        if feature.is_empty() {
            return Err(invalid(&format!(
                "`{member}`: the feature is empty; name one"
            )));
        }
        let value = text(&member, Some(&one.value), 1 << 10)?;
        let needs_none = matches!(one.test, FeatureTest::Present | FeatureTest::Absent);
        let needs_number = matches!(one.test, FeatureTest::AtLeast | FeatureTest::AtMost);
        if needs_none != value.is_empty() {
            return Err(invalid(&format!(
                "`{member}`: the test {} of `{feature}` {}",
                one.test.as_str(),
                if needs_none {
                    "takes no value; leave it empty"
                } else {
                    "needs a value"
                }
            )));
        }
        if needs_number && !value.parse::<f64>().is_ok_and(f64::is_finite) {
            return Err(invalid(&format!(
                "`{member}`: the test {} of `{feature}` needs a number, not `{value}`",
                one.test.as_str()
            )));
        }
        let requirement = Requirement {
            feature,
            test: one.test,
            value,
        };
        if !kept.contains(&requirement) {
            kept.push(requirement);
        }
    }
    Ok(kept)
}

/// A content, checked and masked.
pub(super) fn kept_content(content: &PatternContent) -> Result<PatternContent, Error> {
    let one =
        |member: &str, value: &str| text(&format!("content.{member}"), Some(value), LONG_BYTES);
    let many =
        |member: &str, list: &[String]| texts(&format!("content.{member}"), list, CONTENT_ITEMS);
    Ok(match content {
        PatternContent::Strategy(content) => PatternContent::Strategy(StrategyContent {
            approach: one("approach", &content.approach)?,
            key_principles: many("key-principles", &content.key_principles)?,
            trade_offs: one("trade-offs", &content.trade_offs)?,
        }),
        PatternContent::Template(content) => PatternContent::Template(TemplateContent {
            structure: structure(&content.structure)?,
            parameters: many("parameters", &content.parameters)?,
            instantiation_rules: many("instantiation-rules", &content.instantiation_rules)?,
        }),
        PatternContent::Heuristic(content) => PatternContent::Heuristic(HeuristicContent {
            condition: one("condition", &content.condition)?,
            action: one("action", &content.action)?,
            rationale: one("rationale", &content.rationale)?,
        }),
        PatternContent::Procedure(content) => PatternContent::Procedure(ProcedureContent {
            steps: many("steps", &content.steps)?,
            branching_logic: many("branching-logic", &content.branching_logic)?,
            termination_conditions: many(
                "termination-conditions",
                &content.termination_conditions,
            )?,
        }),
    })
}

fn structure(json: &str) -> Result<String, Error> {
    refusal::bytes("content.structure", json.len(), LONG_BYTES)?;
    if let Err(error) = serde_json::from_str::<Value>(json) {
        return Err(invalid(&format!(
            "`content.structure` is not JSON: {error}"
        )));
    }
    Ok(secrets::mask_json(json).into_owned())
}

/// Guidance, checked and masked.
pub(super) fn kept_guidance(guidance: &Guidance) -> Result<Guidance, Error> {
    let one =
        |member: &str, value: &str| text(&format!("guidance.{member}"), Some(value), TEXT_BYTES);
    let many = |member: &str, list: &[String]| texts(&format!("guidance.{member}"), list, LISTED);
    for id in &guidance.alternative_patterns {
        check_id("guidance.alternative-patterns", id)?;
    }
    Ok(Guidance {
        when_to_apply: one("when-to-apply", &guidance.when_to_apply)?,
        how_to_apply: one("how-to-apply", &guidance.how_to_apply)?,
        expected_benefits: many("expected-benefits", &guidance.expected_benefits)?,
        potential_risks: many("potential-risks", &guidance.potential_risks)?,
        alternative_patterns: many("alternative-patterns", &guidance.alternative_patterns)?,
    })
}

/// Refuses an id outside of the contract.
pub(super) fn check_id(member: &str, id: &str) -> Result<(), Error> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if id.is_empty() || id.len() > limits::RUN_ID_BYTES || !id.chars().all(allowed) || is_secret(id)
    {
        return Err(invalid(&format!(
            "`{member}` is `{}`; it must be 1 to {} letters, digits, dashes or underscores",
            payload::kept_text(id, 100),
            limits::RUN_ID_BYTES
        )));
    }
    Ok(())
}

/// Refuses what is no share.
pub(super) fn check_share(member: &str, share: f64) -> Result<(), Error> {
    if (0.0..=1.0).contains(&share) {
        return Ok(());
    }
    Err(invalid(&format!(
        "`{member}` is {share}; it must be from 0 to 1"
    )))
}

pub(super) fn invalid(text: &str) -> Error {
    Error::InvalidArgument(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_says_what_is_wrong_and_what_is_right() {
        for (summary, correct, incorrect, rule) in [
            ("Sort by name", "", "", "Sort by name"),
            (
                "Sort",
                "sort +n",
                "sort -n",
                "WRONG: sort -n → CORRECT: sort +n",
            ),
            (
                "fails on 2.0",
                "",
                "sort -n",
                "AVOID: sort -n: fails on 2.0",
            ),
            ("sort -n", "", "sort -n", "AVOID: sort -n"),
            (
                "For numbers",
                "sort\n +n",
                "",
                "For numbers → CORRECT: sort +n",
            ),
        ] {
            assert_eq!(rule_text(summary, correct, incorrect), rule);
        }
        let long = "ж".repeat(4_000);
        let rule = rule_text(&long, &long, &long);
        assert!(rule.chars().count() <= limits::RULE_CHARS && rule.contains("CORRECT"));
    }
}
