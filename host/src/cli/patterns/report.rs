//! Patterns as lines for a person.

use twiceshy::wit::memory::{
    Applicability, ApplicablePattern, Pattern, PatternContent, PatternEvidence, PatternVersion,
    Requirement, SimilarPattern, Validation, ValidationGate,
};

use crate::cli::show;

/// A pattern in two lines.
pub(crate) fn summary(pattern: &Pattern) -> Vec<String> {
    vec![
        format!(
            "{}  {}  {}  version {}  {}",
            show::line(&pattern.lesson.id),
            pattern.lesson.kind.as_str(),
            pattern.lesson.status.as_str(),
            pattern.version,
            evidence(&pattern.evidence)
        ),
        format!(
            "    {}: {}",
            show::cut(&pattern.name, 50),
            show::cut(&pattern.summary, 100)
        ),
    ]
}

fn evidence(evidence: &PatternEvidence) -> String {
    format!(
        "{} of {} applications succeeded, p {:.3}, confidence {:.3}",
        evidence.successes, evidence.applications, evidence.significance, evidence.confidence
    )
}

/// A pattern that applies, with the parts of its rank.
pub(crate) fn applicable(found: &ApplicablePattern) -> Vec<String> {
    let parts = &found.parts;
    let mut lines = summary(&found.pattern);
    lines.push(format!(
        "    rank {:.3} = 0.4 × confidence {:.2} + 0.3 × success rate {:.2} + 0.15 × usage {:.2} + 0.1 × recency {:.2} + 0.05 × match {:.2}",
        found.score, parts.confidence, parts.success_rate, parts.usage, parts.recency, parts.match_quality
    ));
    lines
}

pub(crate) fn similar(found: &SimilarPattern) -> Vec<String> {
    let mut lines = summary(&found.pattern);
    lines[0] = format!("{:.2}  {}", found.similarity, lines[0]);
    lines
}

pub(crate) fn version(version: &PatternVersion) -> Vec<String> {
    vec![
        format!(
            "version {}  until {}  {}",
            version.version,
            show::time(version.until),
            show::line(&version.reason)
        ),
        format!(
            "    {}: {}",
            show::cut(&version.pattern.name, 50),
            show::cut(&version.pattern.summary, 100)
        ),
    ]
}

pub(crate) fn validation(found: &Validation) -> String {
    let moved = match found.from_status == found.to_status {
        true => found.to_status.as_str().to_owned(),
        false => format!(
            "{} → {}",
            found.from_status.as_str(),
            found.to_status.as_str()
        ),
    };
    format!(
        "{}  {}  {moved}: {}",
        show::line(&found.pattern),
        found.answer.as_str(),
        show::line(&found.reason)
    )
}

pub(crate) fn gate(gate: &ValidationGate) -> Vec<String> {
    vec![
        format!("applications  at least {}", gate.least_applications),
        format!("success rate  at least {}", gate.least_success_rate),
        format!("significance  p below {}", gate.significance),
        format!("confidence    above {}", gate.confidence),
    ]
}

/// All that is known of a pattern.
pub(crate) fn whole(pattern: &Pattern) -> Vec<String> {
    let mut lines = vec![show::line(&pattern.name), String::new()];
    let mut add = |name: &str, text: &str| {
        if !text.is_empty() {
            lines.push(format!("{name:<15}{}", show::line(text)));
        }
    };
    let lesson = &pattern.lesson;
    add("id", &lesson.id);
    add("kind", lesson.kind.as_str());
    let status = format!("{}: {}", lesson.status.as_str(), lesson.status_reason);
    add("status", &status);
    add("version", &pattern.version.to_string());
    add("summary", &pattern.summary);
    add("explanation", &pattern.explanation);
    add("wrong", &pattern.incorrect_approach);
    add("right", &pattern.correct_approach);
    for (name, text) in applicability(&pattern.applicability) {
        add(name, &text);
    }
    for (name, text) in pattern.content.iter().flat_map(content) {
        add(name, &text);
    }
    let guidance = &pattern.guidance;
    add("when", &guidance.when_to_apply);
    add("how", &guidance.how_to_apply);
    add("benefits", &guidance.expected_benefits.join("; "));
    add("risks", &guidance.potential_risks.join("; "));
    add("alternatives", &guidance.alternative_patterns.join(" "));
    let known = &pattern.evidence;
    add("evidence", &evidence(known));
    if let Some(rate) = known.base_rate {
        let compared = format!(
            "{:.0} % succeed, {:+.0} ms and {:+.2} cost saved, p {:.3} against that",
            rate * 100.0,
            known.average_time_saving,
            known.average_cost_saving,
            known.base_significance.unwrap_or(1.0)
        );
        add("without it", &compared);
    }
    add("for it", &known.supporting_episodes.join(" "));
    add("against it", &known.counter_episodes.join(" "));
    add(
        "validated",
        &known.last_validated.map_or(String::new(), show::time),
    );
    add("used", &format!("{} times", pattern.usage_count));
    add(
        "used last",
        &pattern.last_used.map_or(String::new(), show::time),
    );
    let one = |id: &Option<String>| id.clone().unwrap_or_default();
    add("superseded by", &one(&pattern.superseded_by));
    add("specializes", &one(&pattern.specializes));
    add("generalizes", &pattern.generalizes.join(" "));
    add("contradicts", &pattern.contradicts.join(" "));
    add("complements", &pattern.complements.join(" "));
    let runs: Vec<_> = lesson.origins.iter().map(|one| one.run.as_str()).collect();
    add("from", &runs.join(" "));
    add("created", &show::time(lesson.created_at));
    add("changed", &show::time(lesson.updated_at));
    lines
}

fn applicability(applicability: &Applicability) -> Vec<(&'static str, String)> {
    let requirements = |list: &[Requirement]| {
        let told = list.iter().map(|one| {
            let told = format!("{} {} {}", one.feature, one.test.as_str(), one.value);
            told.trim_end().to_owned()
        });
        told.collect::<Vec<_>>().join("; ")
    };
    let bounds = match (
        applicability.least_complexity,
        applicability.most_complexity,
    ) {
        (None, None) => String::new(),
        (least, most) => format!("{} to {}", least.unwrap_or(0.0), most.unwrap_or(1.0)),
    };
    vec![
        ("for", applicability.problem_types.join(", ")),
        ("in", applicability.domains.join(", ")),
        ("complexity", bounds),
        (
            "capabilities",
            applicability.required_capabilities.join(", "),
        ),
        ("if", requirements(&applicability.context_conditions)),
        ("not if", requirements(&applicability.anti_conditions)),
        ("conditions", applicability.conditions.join("; ")),
    ]
}

fn content(content: &PatternContent) -> Vec<(&'static str, String)> {
    match content {
        PatternContent::Strategy(content) => vec![
            ("approach", content.approach.clone()),
            ("principles", content.key_principles.join("; ")),
            ("trade-offs", content.trade_offs.clone()),
        ],
        PatternContent::Template(content) => vec![
            ("structure", content.structure.clone()),
            ("parameters", content.parameters.join(", ")),
            ("instantiation", content.instantiation_rules.join("; ")),
        ],
        PatternContent::Heuristic(content) => vec![
            ("condition", content.condition.clone()),
            ("action", content.action.clone()),
            ("rationale", content.rationale.clone()),
        ],
        PatternContent::Procedure(content) => vec![
            ("steps", content.steps.join("; ")),
            ("branches", content.branching_logic.join("; ")),
            ("until", content.termination_conditions.join("; ")),
        ],
    }
}
