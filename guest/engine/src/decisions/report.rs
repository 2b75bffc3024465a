//! What decisions say together: why hypotheses are rejected, how modules fare, whether it converges.
//!
//! Owns the categories of reasons and the counts.

use std::collections::BTreeMap;

use twiceshy_wit::memory::{
    Decision, DecisionPeriod, DecisionStats, Error, ModuleDecisions, RejectionPattern, Tally,
};

use super::{KeptDecision, kept_module, latest};
use crate::{
    decisions::failures::category,
    store::{Reader, equals},
    text::term_set,
};

/// Stretches of time over which the acceptance is shown.
const PERIODS: u64 = 10;

/// Modules that are named as the hardest, and how many decisions it takes to say so.
const HARDEST: (usize, u32) = (10, 3);

/// The words of a verdict on principles.
const PRINCIPLES: [&str; 6] = [
    "principle",
    "violat",
    "violate",
    "violation",
    "judge",
    "codejudge",
];

/// The name of the reason for which a decision was rejected.
fn reason_of(decision: &Decision) -> &'static str {
    let texts = [&decision.rejection_reason, &decision.rationale];
    let texts: Vec<_> = texts.into_iter().flatten().collect();
    let is_principle = |text: &&String| {
        let terms = term_set(text);
        PRINCIPLES.iter().any(|word| terms.contains(*word))
    };
    if texts.iter().any(is_principle) {
        return "Principle violation";
    }
    for text in texts {
        match category(text) {
            "test" => return "Test failure",
            "type" => return "Type error",
            "syntax" => return "Syntax error",
            "import" => return "Import error",
            _ => {}
        }
    }
    "Other"
}

pub(super) fn rejection_patterns(
    reader: &Reader,
    module: &str,
) -> Result<Vec<RejectionPattern>, Error> {
    let module = kept_module(module);
    let mut conditions = vec![equals("outcome", "rejected")];
    if !module.is_empty() {
        conditions.push(equals("module", &module));
    }
    let mut patterns: BTreeMap<&str, RejectionPattern> = BTreeMap::new();
    super::records::each_record(reader, &conditions, |kept: KeptDecision| {
        let decision = kept.decision;
        let name = reason_of(&decision);
        let pattern = patterns.entry(name).or_insert_with(|| RejectionPattern {
            pattern: name.to_owned(),
            count: 0,
            examples: Vec::new(),
        });
        pattern.count += 1;
        let example = decision.rejection_reason.or(decision.rationale);
        latest(&mut pattern.examples, example.unwrap_or_default());
    })?;
    let mut patterns: Vec<_> = patterns.into_values().collect();
    patterns.sort_by(|left, right| (right.count, &left.pattern).cmp(&(left.count, &right.pattern)));
    Ok(patterns)
}

pub(super) fn decision_stats(reader: &Reader) -> Result<DecisionStats, Error> {
    let mut counts = Counts::default();
    super::records::each_record(reader, &[], |kept: KeptDecision| {
        counts.take(&kept.decision)
    })?;
    Ok(counts.stats())
}

#[derive(Default)]
struct Counts {
    modules: BTreeMap<String, [u32; 3]>,
    reasons: BTreeMap<&'static str, u32>,
    /// When something was accepted or rejected, in the order of time.
    verdicts: Vec<(u64, bool)>,
    last: Option<u64>,
}

impl Counts {
    fn take(&mut self, decision: &Decision) {
        let counts = self.modules.entry(decision.module.clone()).or_default();
        match decision.outcome.as_str() {
            "accepted" => {
                counts[0] += 1;
                self.verdicts.push((decision.timestamp, true));
            }
            "rejected" => {
                counts[1] += 1;
                self.verdicts.push((decision.timestamp, false));
                *self.reasons.entry(reason_of(decision)).or_default() += 1;
            }
            _ => counts[2] += 1,
        }
        self.last = self.last.max(Some(decision.timestamp));
    }

    fn stats(self) -> DecisionStats {
        let total = |at: usize| self.modules.values().map(|counts| counts[at]).sum::<u32>();
        let modules: Vec<_> = self
            .modules
            .iter()
            .map(|(module, [accepted, rejected, held])| ModuleDecisions {
                module: module.clone(),
                accepted: *accepted,
                rejected: *rejected,
                held: *held,
                reject_rate: share(*rejected, accepted + rejected),
            })
            .collect();
        let mut hardest: Vec<_> = modules
            .iter()
            .filter(|module| module.accepted + module.rejected >= HARDEST.1 && module.rejected > 0)
            .cloned()
            .collect();
        hardest.sort_by(|left, right| {
            right
                .reject_rate
                .total_cmp(&left.reject_rate)
                .then(right.rejected.cmp(&left.rejected))
        });
        hardest.truncate(HARDEST.0);
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by(|left, right| (right.1, left.0).cmp(&(left.1, right.0)));
        DecisionStats {
            total_records: total(0) + total(1) + total(2),
            accepted: total(0),
            rejected: total(1),
            held: total(2),
            rejection_reasons: reasons
                .into_iter()
                .map(|(name, count)| Tally {
                    name: (*name).to_owned(),
                    count: *count,
                })
                .collect(),
            modules,
            hardest_modules: hardest,
            acceptance: periods(&self.verdicts),
            last_updated: self.last,
        }
    }
}

fn share(part: u32, whole: u32) -> f64 {
    f64::from(part) / f64::from(whole.max(1))
}

/// Verdicts in the order of time, in stretches of equal length.
fn periods(verdicts: &[(u64, bool)]) -> Vec<DecisionPeriod> {
    let (Some(first), Some(last)) = (verdicts.first(), verdicts.last()) else {
        return Vec::new();
    };
    let length = (last.0 - first.0) / PERIODS + 1;
    let mut periods: BTreeMap<u64, (u32, u32)> = BTreeMap::new();
    for (at, accepted) in verdicts {
        let counts = periods.entry((at - first.0) / length).or_default();
        *(if *accepted {
            &mut counts.0
        } else {
            &mut counts.1
        }) += 1;
    }
    periods
        .into_iter()
        .map(|(number, (accepted, rejected))| DecisionPeriod {
            start: first.0 + number * length,
            accepted,
            rejected,
            acceptance_rate: share(accepted, accepted + rejected),
        })
        .collect()
}
