//! Making a skill from a pattern that has steps.
//!
//! Owns which parts of a pattern become which sections.

use serde_json::Value;
use twiceshy_wit::memory::{
    Error, ErrorFix, FeatureTest, Link, Pattern, PatternContent, Relation, Requirement, Skill,
    Source,
};

use super::markdown::{self, Parsed};
use crate::{lessons::patterns, store::Desk};

pub(crate) fn skill_from_pattern(
    desk: &mut Desk,
    pattern: &str,
    slug: &str,
) -> Result<Skill, Error> {
    let pattern = patterns::get(desk, pattern)?;
    let id = pattern.lesson.id.clone();
    let (parsed, branches) = procedure(&pattern).ok_or_else(|| {
            Error::Conflict(format!(
                "Pattern `{id}` has no steps: its content is neither a procedure nor a template with parts. Write \
                 the skill with `skills.put`."
            ))
        })?;
    let text = markdown::write(&parsed, &branches);
    super::put_skill(desk, slug, &text, Source::Trace, |batch, skill, now| {
        let link = Link {
            source: skill.to_owned(),
            relation: Relation::DerivedFrom,
            target: id.clone(),
            reason: "made from this pattern".to_owned(),
            at: now,
        };
        batch.put_owned(&link);
    })
}

/// What a pattern says as a procedure, and where it branches; none if it has no steps.
fn procedure(pattern: &Pattern) -> Option<(Parsed, Vec<String>)> {
    let (steps, branches, exit_criteria) = match pattern.content.as_ref()? {
        PatternContent::Procedure(procedure) => (
            procedure.steps.clone(),
            procedure.branching_logic.clone(),
            procedure.termination_conditions.clone(),
        ),
        PatternContent::Template(template) => {
            let structure = serde_json::from_str(&template.structure).ok()?;
            (
                parts(&structure),
                template.instantiation_rules.clone(),
                Vec::new(),
            )
        }
        PatternContent::Strategy(_) | PatternContent::Heuristic(_) => return None,
    };
    let steps: Vec<_> = steps
        .into_iter()
        .filter(|step| !step.trim().is_empty())
        .collect();
    if steps.is_empty() {
        return None;
    }
    let applicability = &pattern.applicability;
    let mut prerequisites = applicability.conditions.clone();
    prerequisites.extend(applicability.context_conditions.iter().map(condition));
    prerequisites.extend(applicability.required_capabilities.iter().cloned());
    let wrong = pattern.incorrect_approach.trim();
    let known = ErrorFix {
        error: wrong.to_owned(),
        fix: pattern.correct_approach.trim().to_owned(),
    };
    let parsed = Parsed {
        title: pattern.name.clone(),
        prerequisites,
        steps,
        common_errors: Vec::from_iter((!wrong.is_empty()).then_some(known)),
        exit_criteria,
    };
    Some((parsed, branches))
}

/// The parts of a decomposition: the texts of a list, or of the first list that an object has.
fn parts(structure: &Value) -> Vec<String> {
    let list = match structure {
        Value::Array(list) => list,
        Value::Object(members) => match members.values().find_map(Value::as_array) {
            Some(list) => list,
            None => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let text = |part: &Value| match part {
        Value::String(text) => Some(text.clone()),
        Value::Object(members) => {
            let named = ["step", "task", "subtask", "name", "title", "description"];
            let found = named.iter().find_map(|name| members.get(*name)?.as_str());
            found.map(str::to_owned)
        }
        _ => None,
    };
    list.iter().filter_map(text).collect()
}

fn condition(requirement: &Requirement) -> String {
    let Requirement {
        feature,
        test,
        value,
    } = requirement;
    match test {
        FeatureTest::Equals => format!("{feature} is {value}"),
        FeatureTest::Differs => format!("{feature} is not {value}"),
        FeatureTest::Contains => format!("{feature} contains {value}"),
        FeatureTest::AtLeast => format!("{feature} is at least {value}"),
        FeatureTest::AtMost => format!("{feature} is at most {value}"),
        FeatureTest::Present => format!("{feature} is there"),
        FeatureTest::Absent => format!("{feature} is not there"),
    }
}
