//! Verdict: where a lesson goes from here.
//!
//! Owns the gates between the states of a lesson's life. A lesson that is shown is judged by its runs; one
//! that was set aside by the runs without it. Every verdict has its reason in words, with the numbers.

use twiceshy_text::instant::DAY_MS;
use twiceshy_wit::memory::LessonStatus;

use super::{
    Effect, Evidence, Thresholds,
    evidence::{latest, sums},
};

/// Days after which a lesson under review is deprecated if the failure it answers was not seen again.
const REVIEW_DAYS: u64 = 90;

/// A pass rate or score from here on leaves nothing to improve.
const AT_ITS_BEST: f64 = 0.99;

/// Major regressions in the judged runs that put a promoted lesson under review: one may be chance.
const REGRESSIONS_FOR_REVIEW: usize = 2;

/// Where a lesson goes, and why.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Nowhere.
    Stay,
    /// It becomes promoted.
    Promote(String),
    /// It is in doubt, and not shown for now.
    Review(String),
    /// It does not help, or harms.
    Suppress(String),
    /// It was right once.
    Deprecate(String),
    /// It was suppressed and gets another trial: it becomes a candidate again.
    Retry(String),
}

/// Where a lesson goes from here. `deterministic` says that a deterministic evaluator scores its runs.
pub fn judge(evidence: &Evidence, status: LessonStatus, deterministic: bool, now: u64) -> Verdict {
    Thresholds::CHOSEN.judge(evidence, status, deterministic, now)
}

impl Thresholds {
    /// Where a lesson goes from here by these thresholds.
    pub fn judge(
        &self,
        evidence: &Evidence,
        status: LessonStatus,
        deterministic: bool,
        now: u64,
    ) -> Verdict {
        match status {
            LessonStatus::Candidate => match self.fault(evidence) {
                Some(fault) => Verdict::Suppress(fault),
                None => match self.merit(evidence, deterministic) {
                    Some(merit) => Verdict::Promote(merit),
                    None => Verdict::Stay,
                },
            },
            LessonStatus::Promoted => match self.fault(evidence).or_else(|| self.doubt(evidence)) {
                Some(fault) => Verdict::Review(fault),
                None => Verdict::Stay,
            },
            LessonStatus::UnderReview => self.review(evidence, now),
            LessonStatus::Suppressed => self.second_chance(evidence),
            LessonStatus::Deprecated | LessonStatus::Archived => Verdict::Stay,
        }
    }

    /// Why a lesson that is shown should not be.
    fn fault(&self, evidence: &Evidence) -> Option<String> {
        if self.has_lost(evidence) {
            return Some(format!(
                "lost {} of {} contests with lessons that did better",
                evidence.losses,
                evidence.wins + evidence.losses
            ));
        }
        if evidence.is_refuted() && evidence.retrievals >= self.suppression_retrievals {
            return Some(format!(
                "shown {} times; its advice was followed in {} runs and never worked",
                evidence.retrievals, evidence.refuted
            ));
        }
        if evidence.is_confirmed() {
            return None;
        }
        let shown = evidence.relevant_runs();
        if evidence.with.opportunities == 0 && shown >= self.irrelevant_runs {
            return Some(format!(
                "shown in {shown} runs that did what it is about, and it could help in none"
            ));
        }
        let effect = self.effect_of(evidence);
        let patience = match evidence.harmed {
            0 => self.irrelevant_runs,
            _ => self.suppression_retrievals,
        };
        if evidence.helped == 0 && shown >= patience && effect.utility <= 0.0 {
            return Some(format!(
                "shown in {shown} runs, harmed in {} of them and helped in none",
                evidence.harmed
            ));
        }
        let needless = evidence.retrievals >= self.suppression_retrievals
            && effect.runs >= 2
            && effect.utility <= 0.0
            && effect.upper(self.suppression_z) <= self.useless;
        needless.then(|| self.figures(evidence, &effect))
    }

    /// Why a candidate should be promoted.
    fn merit(&self, evidence: &Evidence, deterministic: bool) -> Option<String> {
        let effect = self.effect_of(evidence);
        let proven = effect.runs >= self.promotion_runs
            && effect.utility >= self.promotion_utility
            && effect.lower(self.promotion_z) > 0.0
            && evidence.has_fewer_errors(self.promotion_z)
            && !evidence.shown.iter().any(|run| run.major_regression)
            && self.doubt(evidence).is_none();
        if !proven {
            return None;
        }
        let figures = self.figures(evidence, &effect);
        if !deterministic {
            return Some(figures);
        }
        let drop = evidence.recurrence_drop()?;
        let better = is_better(evidence)?;
        (drop >= self.recurrence_drop).then(|| {
            format!(
                "{figures}; its errors recur {:.0} % less and {better}",
                drop * 100.0
            )
        })
    }

    /// Why a promoted lesson is in doubt although its utility over all judged runs is not bad: it did great
    /// damage, its advice does not work any more, or its very last runs are bad enough by themselves.
    fn doubt(&self, evidence: &Evidence) -> Option<String> {
        let judged = latest(&evidence.shown, self.judged_runs);
        let regressions = judged.iter().filter(|run| run.major_regression).count();
        if regressions >= REGRESSIONS_FOR_REVIEW {
            return Some(format!(
                "{regressions} of its last {} runs were far worse than usual because of its advice",
                judged.len()
            ));
        }
        if evidence.refuted_in_a_row >= self.refuted_runs {
            return Some(format!(
                "its advice failed in the last {} runs that followed it",
                evidence.refuted_in_a_row
            ));
        }
        let recent = Thresholds {
            judged_runs: self.turned_runs,
            ..*self
        };
        let effect = recent.effect_of(evidence);
        let turned = effect.utility <= 0.0 && effect.upper(self.turned_z) <= 0.0;
        turned.then(|| format!("it has turned: {}", recent.figures(evidence, &effect)))
    }

    fn has_lost(&self, evidence: &Evidence) -> bool {
        evidence.losses >= self.losses && evidence.losses > evidence.wins
    }

    /// A lesson under review is not shown, so the runs without it speak: if they are worse than those with
    /// it were, it comes back, as promoted if nothing is held against it any more, else to prove itself again.
    fn review(&self, evidence: &Evidence, now: u64) -> Verdict {
        let Some(aside) = &evidence.aside else {
            return Verdict::Stay;
        };
        let days = now.saturating_sub(aside.since) / DAY_MS;
        if aside.runs < self.aside_runs {
            return if days >= REVIEW_DAYS {
                Verdict::Deprecate(format!(
                    "under review for {days} days, and its failure came up in {} runs",
                    aside.runs
                ))
            } else {
                Verdict::Stay
            };
        }
        let effect = self.effect_of(evidence);
        let figures = format!(
            "{} runs without it while under review; {}",
            aside.runs,
            self.figures(evidence, &effect)
        );
        if aside.errors == 0 {
            Verdict::Deprecate(figures)
        } else if effect.mean <= 0.0 || self.has_lost(evidence) {
            Verdict::Suppress(figures)
        } else if effect.utility >= self.promotion_utility
            && effect.lower(self.promotion_z) > 0.0
            && self.doubt(evidence).is_none()
        {
            Verdict::Promote(figures)
        } else if aside.runs >= 2 * self.aside_runs {
            Verdict::Retry(figures)
        } else {
            Verdict::Stay
        }
    }

    /// A suppressed lesson is tried again only on new evidence: the runs without it show that the baseline it
    /// was judged by was wrong; or the errors it answers go on, and somebody came to the same rule from
    /// another run. Each trial makes the next one dearer.
    fn second_chance(&self, evidence: &Evidence) -> Verdict {
        let Some(aside) = &evidence.aside else {
            return Verdict::Stay;
        };
        // What lost to a better lesson is not missed, whatever it does by itself.
        if aside.runs < self.aside_runs << evidence.retries.min(16) || self.has_lost(evidence) {
            return Verdict::Stay;
        }
        let effect = self.effect_of(evidence);
        // A run or two with it say nothing against the runs without it.
        let known = effect.runs >= self.promotion_runs;
        if known && effect.utility > 0.0 && effect.lower(self.retry_z) > 0.0 {
            return Verdict::Retry(format!(
                "{} runs without it show that it was judged too harshly; {}",
                aside.runs,
                self.figures(evidence, &effect)
            ));
        }
        let recurs = f64::from(aside.errors) >= aside.expected;
        let in_doubt = effect.upper(self.doubt_z) > 0.0;
        if recurs && in_doubt && aside.proposals > evidence.retries {
            let runs = f64::from(aside.runs);
            return Verdict::Retry(format!(
                "proposed again, and in {} runs without it its errors went on: {:.1} per run, {:.1} were expected",
                aside.runs,
                f64::from(aside.errors) / runs,
                aside.expected / runs
            ));
        }
        Verdict::Stay
    }

    fn figures(&self, evidence: &Evidence, effect: &Effect) -> String {
        let recent = latest(&evidence.shown, self.judged_runs);
        let (errors, expected) = sums(recent);
        let runs = recent.len().max(1) as f64;
        let (before, after) = (expected / runs, errors / runs);
        let change = if after < before {
            format!("errors fell from {before:.1} to {after:.1} per run")
        } else if after > before {
            format!("errors rose from {before:.1} to {after:.1} per run")
        } else {
            format!("errors stayed at {after:.1} per run")
        };
        let placebo = if effect.withheld_runs > 0 {
            let withheld = latest(&evidence.withheld, self.judged_runs);
            let (errors, _) = sums(withheld);
            format!(
                ", {:.1} in {} runs without it",
                errors / withheld.len().max(1) as f64,
                withheld.len()
            )
        } else {
            String::new()
        };
        format!(
            "shown in {} runs, {change}{placebo}; utility {:.2}, effect {:.2} ± {:.2}",
            recent.len(),
            effect.utility,
            effect.mean,
            effect.deviation
        )
    }
}

/// In which way runs with the lesson went better by a deterministic evaluator: by pass rate or by score.
/// Where all runs passed without it already, nothing is left to be better at, and not falling is enough.
fn is_better(evidence: &Evidence) -> Option<String> {
    let passes = evidence.pass_gain()?;
    if passes > 0.0 {
        return Some(format!("{:.0} % more of the runs pass", passes * 100.0));
    }
    if let Some(score) = evidence.score_gain() {
        return (score > 0.0 || (score >= 0.0 && passes >= 0.0 && passed_always(evidence)))
            .then(|| format!("the score rose by {score:.2}"));
    }
    (passes >= 0.0 && passed_always(evidence)).then(|| "all runs pass, as before".to_owned())
}

fn passed_always(evidence: &Evidence) -> bool {
    let rates = evidence.shown.iter().filter_map(|run| run.expected_pass);
    rates.fold(1.0, f64::min) >= AT_ITS_BEST
}
