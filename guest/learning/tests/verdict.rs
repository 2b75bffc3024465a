//! The gates of the verdict, one by one.

use twiceshy_learning::usefulness::{Aside, Evidence, Measured, Verdict, judge};
use twiceshy_text::instant::DAY_MS;
use twiceshy_wit::memory::LessonStatus;

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
    evidence.aside = Some(Aside {
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
fn confirmations_without_harm_never_lead_to_suppression() {
    let mut confirmed = evidence(&[0.0; 30], &[0.0; 5]);
    confirmed.neutral = 30;
    assert_eq!(of(&confirmed, Candidate), "suppress");
    confirmed.confirmed = 1;
    assert_eq!(of(&confirmed, Candidate), "stay");
    let mut never_needed = Evidence::default();
    never_needed.with.runs = 50;
    never_needed.confirmed = 50;
    assert_eq!(of(&never_needed, Candidate), "stay");
    // With harm it is weighed as any other.
    confirmed.harmed = 1;
    assert_eq!(of(&confirmed, Candidate), "suppress");
}

#[test]
fn runs_that_did_nothing_it_speaks_of_do_not_make_a_lesson_irrelevant() {
    let mut evidence = Evidence::default();
    evidence.with.runs = 100;
    evidence.beside = 96;
    assert_eq!(of(&evidence, Candidate), "stay");
    evidence.beside = 95;
    assert_eq!(of(&evidence, Candidate), "suppress");
}

#[test]
fn with_a_deterministic_evaluator_recurrence_must_halve_and_results_be_better() {
    let promoted =
        |evidence: &Evidence| matches!(judge(evidence, Candidate, true, 0), Verdict::Promote(_));
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
fn a_lesson_that_did_great_damage_comes_back_from_review_only_to_prove_itself_again() {
    let mut missed = evidence(&[0.6; 8], &[-0.5; 6]);
    missed.shown[2].major_regression = true;
    missed.shown[5].major_regression = true;
    aside(&mut missed, 3, 6, 0);
    assert_eq!(of(&missed, UnderReview), "stay");
    aside(&mut missed, 6, 12, 0);
    assert_eq!(of(&missed, UnderReview), "retry");
    assert_eq!(of(&missed, Candidate), "stay");
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
    wronged.losses = 2;
    assert_eq!(of(&wronged, Suppressed), "stay");
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
        reason.starts_with("shown in 4 runs, errors fell from 1.0 to 0.0 per run; utility 0.80"),
        "{reason}"
    );
}
