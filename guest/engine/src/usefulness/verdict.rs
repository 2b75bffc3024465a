//! Verdict: where a lesson goes from here.
//!
//! Owns the gates between the states of a lesson's life. A lesson that is shown is judged by its runs; one
//! that was set aside by the runs without it. Every verdict has its reason in words, with the numbers.

use twiceshy_wit::memory::LessonStatus;

use super::{
    Effect, Evidence, Thresholds,
    evidence::{latest, sums},
};

/// Days after which a lesson under review is deprecated if the failure it answers was not seen again.
const REVIEW_DAYS: u64 = 90;

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

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

/// Whether the first of two lessons that contradict each other is clearly the better one.
pub fn outdoes(first: &Evidence, second: &Evidence) -> bool {
    let (first, second) = (first.effect(), second.effect());
    let difference = first.mean - second.mean;
    let deviation =
        (first.deviation * first.deviation + second.deviation * second.deviation).sqrt();
    first.runs > 0 && second.runs > 0 && difference > deviation
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
        let Evidence { wins, losses, .. } = *evidence;
        if losses >= self.losses && losses > wins {
            return Some(format!(
                "lost {losses} of {} contests with a lesson that contradicts it",
                wins + losses
            ));
        }
        if evidence.with.opportunities == 0 && evidence.with.runs >= self.irrelevant_runs {
            return Some(format!(
                "shown in {} runs, and in none was there anything it could help with",
                evidence.with.runs
            ));
        }
        let effect = self.effect_of(evidence);
        let needless = evidence.retrievals >= self.suppression_retrievals
            && effect.runs >= 2
            && effect.utility <= 0.0
            && effect.upper(self.suppression_z) <= self.useless;
        if needless {
            return Some(self.told(evidence, &effect));
        }
        let recent = Thresholds {
            judged_runs: self.turned_runs,
            ..*self
        };
        let effect = recent.effect_of(evidence);
        let turned = evidence.shown.len() > self.turned_runs
            && effect.utility <= 0.0
            && effect.upper(self.turned_z) <= 0.0;
        turned.then(|| format!("it has turned: {}", recent.told(evidence, &effect)))
    }

    /// Why a candidate should be promoted.
    fn merit(&self, evidence: &Evidence, deterministic: bool) -> Option<String> {
        let effect = self.effect_of(evidence);
        let proven = effect.runs >= self.promotion_runs
            && effect.utility >= self.promotion_utility
            && effect.lower(self.promotion_z) > 0.0
            && !evidence.shown.iter().any(|run| run.major_regression);
        if !proven {
            return None;
        }
        let told = self.told(evidence, &effect);
        if !deterministic {
            return Some(told);
        }
        let drop = evidence.recurrence_drop()?;
        let better = is_better(evidence)?;
        (drop >= self.recurrence_drop).then(|| {
            format!(
                "{told}; its errors recur {:.0} % less and {better}",
                drop * 100.0
            )
        })
    }

    /// Why a promoted lesson is in doubt although its utility is not bad.
    fn doubt(&self, evidence: &Evidence) -> Option<String> {
        let recent = latest(&evidence.shown, self.judged_runs);
        let regressions = recent.iter().filter(|run| run.major_regression).count();
        (regressions >= REGRESSIONS_FOR_REVIEW).then(|| {
            format!(
                "{regressions} of its last {} runs were far worse than usual, with its advice to blame",
                recent.len()
            )
        })
    }

    /// A lesson under review is not shown, so the runs without it speak: if they are worse than those with
    /// it were, it comes back.
    fn review(&self, evidence: &Evidence, now: u64) -> Verdict {
        let Some(aside) = &evidence.aside else {
            return Verdict::Stay;
        };
        let days = now.saturating_sub(aside.since) / DAY_MS;
        if aside.runs < self.aside_runs {
            return if days >= REVIEW_DAYS {
                Verdict::Deprecate(format!(
                    "under review for {days} days, and the failure it answers came up in {} runs",
                    aside.runs
                ))
            } else {
                Verdict::Stay
            };
        }
        let effect = self.effect_of(evidence);
        let told = format!(
            "{} runs without it since it is under review; {}",
            aside.runs,
            self.told(evidence, &effect)
        );
        let lost = evidence.losses >= self.losses && evidence.losses > evidence.wins;
        if aside.errors == 0 {
            Verdict::Deprecate(told)
        } else if effect.mean <= 0.0 || lost {
            Verdict::Suppress(told)
        } else if effect.utility >= self.promotion_utility && effect.lower(self.promotion_z) > 0.0 {
            Verdict::Promote(told)
        } else if aside.runs >= 2 * self.aside_runs {
            Verdict::Retry(told)
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
        if aside.runs < self.aside_runs << evidence.retries.min(16) {
            return Verdict::Stay;
        }
        let effect = self.effect_of(evidence);
        if effect.utility > 0.0 && effect.lower(self.retry_z) > 0.0 {
            return Verdict::Retry(format!(
                "{} runs without it show that it was judged too hard; {}",
                aside.runs,
                self.told(evidence, &effect)
            ));
        }
        let recurs = f64::from(aside.errors) >= aside.expected;
        let in_doubt = effect.upper(self.doubt_z) > 0.0;
        if recurs && in_doubt && aside.proposals > evidence.retries {
            let runs = f64::from(aside.runs);
            return Verdict::Retry(format!(
                "proposed again, and in {} runs without it its errors went on: {:.1} a run, {:.1} were to be expected",
                aside.runs,
                f64::from(aside.errors) / runs,
                aside.expected / runs
            ));
        }
        Verdict::Stay
    }

    fn told(&self, evidence: &Evidence, effect: &Effect) -> String {
        let recent = latest(&evidence.shown, self.judged_runs);
        let (errors, expected) = sums(recent);
        let runs = recent.len().max(1) as f64;
        let (before, after) = (expected / runs, errors / runs);
        let change = if after < before {
            format!("errors fell from {before:.1} to {after:.1} a run")
        } else if after > before {
            format!("errors rose from {before:.1} to {after:.1} a run")
        } else {
            format!("errors stayed at {after:.1} a run")
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
    (passes >= 0.0 && passed_always(evidence)).then(|| "all of the runs pass, as before".to_owned())
}

fn passed_always(evidence: &Evidence) -> bool {
    let rates = evidence.shown.iter().filter_map(|run| run.expected_pass);
    rates.fold(1.0, f64::min) >= AT_ITS_BEST
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usefulness::Measured;
    use LessonStatus::{Candidate, Promoted, Suppressed, UnderReview};

    fn measured(utility: f64) -> Measured {
        Measured {
            at: 0,
            utility,
            opportunity: 1.0,
            errors: if utility > 0.0 { 0 } else { 2 },
            expected: 1.0,
            baseline_runs: 4,
            passed: utility > 0.0,
            expected_pass: Some(0.5),
            score_gain: None,
            major_regression: false,
        }
    }

    /// The evidence of a lesson with these utilities, shown and withheld.
    fn evidence(shown: &[f64], withheld: &[f64]) -> Evidence {
        let mut evidence = Evidence {
            shown: shown.iter().copied().map(measured).collect(),
            withheld: withheld.iter().copied().map(measured).collect(),
            retrievals: shown.len() as u32,
            ..Evidence::default()
        };
        evidence.with.runs = shown.len() as u32;
        evidence.with.opportunities = evidence.with.runs;
        evidence
    }

    fn aside(evidence: &mut Evidence, runs: u32, errors: u32, proposals: u32) {
        evidence.aside = Some(crate::usefulness::Aside {
            since: 0,
            runs,
            errors,
            expected: f64::from(runs),
            proposals,
        });
    }

    fn of(evidence: &Evidence, status: LessonStatus) -> &'static str {
        match judge(evidence, status, false, 0) {
            Verdict::Stay => "stay",
            Verdict::Promote(_) => "promote",
            Verdict::Review(_) => "review",
            Verdict::Suppress(_) => "suppress",
            Verdict::Deprecate(_) => "deprecate",
            Verdict::Retry(_) => "retry",
        }
    }

    #[test]
    fn what_helps_is_promoted_at_the_third_run_and_not_before() {
        assert_eq!(of(&evidence(&[0.8; 2], &[]), Candidate), "stay");
        assert_eq!(of(&evidence(&[0.8; 3], &[]), Candidate), "promote");
        assert_eq!(of(&evidence(&[0.19; 30], &[]), Candidate), "stay");
    }

    #[test]
    fn what_clearly_harms_is_suppressed_at_the_third_retrieval_and_not_before() {
        assert_eq!(of(&evidence(&[-0.7; 2], &[]), Candidate), "stay");
        assert_eq!(of(&evidence(&[-0.7; 3], &[]), Candidate), "suppress");
    }

    #[test]
    fn three_unlucky_runs_do_not_end_a_lesson() {
        assert_eq!(of(&evidence(&[-0.9, 0.9, -0.3], &[]), Candidate), "stay");
        assert_eq!(of(&evidence(&[-0.9, 0.9, 0.3], &[]), Candidate), "stay");
    }

    #[test]
    fn a_lesson_that_does_nothing_is_let_go_in_the_end() {
        let runs: Vec<f64> = (0..30)
            .map(|n| if n % 2 == 0 { -0.2 } else { 0.2 })
            .collect();
        assert_eq!(of(&evidence(&runs[..2], &[]), Candidate), "stay");
        assert_eq!(of(&evidence(&runs, &[0.0; 5]), Candidate), "suppress");
    }

    #[test]
    fn what_improves_without_the_lesson_too_is_not_its_merit() {
        let alone = evidence(&[0.3, 0.4, 0.5, 0.4], &[]);
        assert_eq!(of(&alone, Candidate), "promote");
        let same = evidence(&[0.3, 0.4, 0.5, 0.4], &[0.4; 4]);
        assert_eq!(of(&same, Candidate), "stay");
    }

    #[test]
    fn a_major_regression_forbids_promotion() {
        let mut evidence = evidence(&[0.8; 5], &[]);
        evidence.shown[1].major_regression = true;
        assert_eq!(of(&evidence, Candidate), "stay");
    }

    #[test]
    fn a_promoted_lesson_that_turns_is_reviewed_first() {
        assert_eq!(of(&evidence(&[-0.7; 3], &[]), Promoted), "review");
        let mut regressing = evidence(&[0.8; 5], &[]);
        regressing.shown[0].major_regression = true;
        assert_eq!(of(&regressing, Promoted), "stay");
        regressing.shown[4].major_regression = true;
        assert_eq!(of(&regressing, Promoted), "review");
    }

    #[test]
    fn a_lesson_that_loses_its_contests_goes() {
        let mut evidence = evidence(&[0.3; 3], &[]);
        evidence.losses = 1;
        assert_ne!(of(&evidence, Candidate), "suppress");
        evidence.losses = 2;
        assert_eq!(of(&evidence, Candidate), "suppress");
        evidence.wins = 2;
        assert_ne!(of(&evidence, Candidate), "suppress");
    }

    #[test]
    fn a_lesson_that_never_had_an_opportunity_is_irrelevant_after_five_runs() {
        let mut evidence = Evidence::default();
        evidence.with.runs = 4;
        assert_eq!(of(&evidence, Candidate), "stay");
        evidence.with.runs = 5;
        assert_eq!(of(&evidence, Candidate), "suppress");
    }

    #[test]
    fn with_a_deterministic_evaluator_recurrence_must_halve_and_results_be_better() {
        let promoted = |evidence: &Evidence| {
            matches!(judge(evidence, Candidate, true, 0), Verdict::Promote(_))
        };
        let good = evidence(&[0.8; 3], &[]);
        assert!(promoted(&good));
        let mut recurring = good.clone();
        recurring
            .shown
            .iter_mut()
            .for_each(|run| run.expected = 1.9);
        recurring.shown.iter_mut().for_each(|run| run.errors = 1);
        assert!(!promoted(&recurring));
        let mut no_better = good.clone();
        no_better
            .shown
            .iter_mut()
            .for_each(|run| run.passed = false);
        assert!(!promoted(&no_better));
        let mut at_its_best = good;
        at_its_best
            .shown
            .iter_mut()
            .for_each(|run| run.expected_pass = Some(1.0));
        assert!(promoted(&at_its_best));
    }

    #[test]
    fn a_lesson_under_review_comes_back_if_runs_without_it_are_worse() {
        let mut missed = evidence(&[0.1, -0.2, 0.1, -0.1, 0.0], &[-0.8; 5]);
        aside(&mut missed, 2, 4, 0);
        assert_eq!(of(&missed, UnderReview), "stay");
        aside(&mut missed, 3, 6, 0);
        missed.shown.iter_mut().for_each(|run| run.utility += 0.3);
        assert_eq!(of(&missed, UnderReview), "promote");
        let mut better_off = evidence(&[-0.5; 5], &[0.0; 5]);
        aside(&mut better_off, 3, 3, 0);
        assert_eq!(of(&better_off, UnderReview), "suppress");
    }

    #[test]
    fn a_lesson_under_review_whose_error_is_gone_is_deprecated() {
        let mut outlived = evidence(&[0.1; 5], &[0.6; 5]);
        aside(&mut outlived, 3, 0, 0);
        assert_eq!(of(&outlived, UnderReview), "deprecate");
    }

    #[test]
    fn a_good_past_does_not_save_a_lesson_that_has_turned() {
        let mut runs = vec![0.7; 16];
        runs.extend([-0.8; 4]);
        let turned = evidence(&runs, &[]);
        assert!(turned.effect().mean > 0.2);
        assert_eq!(of(&turned, Promoted), "review");
    }

    #[test]
    fn a_suppressed_lesson_that_was_judged_by_a_wrong_baseline_is_tried_again() {
        let mut wronged = evidence(&[-0.1; 4], &[-0.7; 6]);
        aside(&mut wronged, 2, 4, 0);
        assert_eq!(of(&wronged, Suppressed), "stay");
        aside(&mut wronged, 3, 6, 0);
        assert_eq!(of(&wronged, Suppressed), "retry");
    }

    #[test]
    fn a_review_that_nothing_comes_of_ends_in_deprecation() {
        let mut evidence = evidence(&[-0.5; 5], &[]);
        aside(&mut evidence, 0, 0, 0);
        let after = |days| judge(&evidence, UnderReview, false, days * DAY_MS);
        assert_eq!(after(89), Verdict::Stay);
        assert!(matches!(after(90), Verdict::Deprecate(_)));
    }

    #[test]
    fn a_suppressed_lesson_is_tried_again_only_on_new_evidence() {
        let mut harmful = evidence(&[-0.7; 5], &[]);
        aside(&mut harmful, 9, 20, 5);
        assert_eq!(of(&harmful, Suppressed), "stay");
        let mut evidence = evidence(&[0.0; 3], &[]);
        for (runs, errors, proposals, expected) in [
            (3, 3, 0, "stay"),
            (2, 3, 1, "stay"),
            (3, 2, 1, "stay"),
            (3, 3, 1, "retry"),
        ] {
            aside(&mut evidence, runs, errors, proposals);
            assert_eq!(
                of(&evidence, Suppressed),
                expected,
                "{runs} {errors} {proposals}"
            );
        }
        evidence.retries = 1;
        assert_eq!(of(&evidence, Suppressed), "stay");
        aside(&mut evidence, 6, 6, 2);
        assert_eq!(of(&evidence, Suppressed), "retry");
    }

    #[test]
    fn a_verdict_has_its_reason_with_the_numbers() {
        let Verdict::Promote(reason) = judge(&evidence(&[0.8; 4], &[]), Candidate, false, 0) else {
            panic!("not promoted")
        };
        assert!(
            reason.starts_with("shown in 4 runs, errors fell from 1.0 to 0.0 a run; utility 0.75"),
            "{reason}"
        );
    }

    #[test]
    fn of_two_lessons_the_clearly_better_one_outdoes_the_other() {
        let (good, bad) = (evidence(&[0.7; 4], &[]), evidence(&[-0.3; 4], &[]));
        assert!(outdoes(&good, &bad) && !outdoes(&bad, &good));
        assert!(!outdoes(&good, &good));
        assert!(!outdoes(&good, &Evidence::default()));
    }
}
