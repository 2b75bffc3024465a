//! Every number of the verdicts, with its reason.
//!
//! Some are the plan's and are not for choosing. The others were chosen with
//! `cargo bench -p twiceshy-learning --bench lifecycle -- --tune`, on worlds that the report does not use: for
//! the least regret, and where regret hardly changes, for what is said at each of them.

/// The numbers that verdicts depend on. [`Thresholds::CHOSEN`] is what the memory uses; the simulator tries
/// others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// Runs with an opportunity that promotion needs. The plan's 3.
    pub promotion_runs: usize,
    /// Utility that promotion needs. The plan's 0.20.
    pub promotion_utility: f64,
    /// Drop of recurrence that promotion needs with a deterministic evaluator. The plan's 50 %.
    pub recurrence_drop: f64,
    /// Retrievals that suppression needs. The plan's 3.
    pub suppression_retrievals: u32,
    /// Lost contests that suppression needs, and more lost than won: the plan's "consistently".
    pub losses: u32,
    /// Runs without a single opportunity after which a lesson is irrelevant.
    pub irrelevant_runs: u32,
    /// Withheld runs from which on they are compared with: one alone is mostly noise.
    pub withheld_runs: usize,
    /// The latest runs that a verdict looks at. Fewer than 12 lose helpful lessons to bad luck; beyond 20
    /// nothing is gained, and what has turned is noticed later.
    pub judged_runs: usize,
    /// The very last runs, which by themselves can put a promoted lesson under review. Anything from 3 to 8
    /// does; fewer are sooner.
    pub turned_runs: usize,
    /// Standard deviations that the effect in them must lie below 0. At 0.5 helpful lessons are lost; without
    /// this rule advice that turned bad stays longer.
    pub turned_z: f64,
    /// What the effect of an unknown lesson is taken to be. Trusting unknown lessons (0.1) costs more in harm
    /// than it saves.
    pub prior_effect: f64,
    /// By how much that grows for a lesson whose advice always worked where it was followed, and falls for one whose
    /// advice never did. At 0.2 more helpful lessons are lost to bad luck; beyond 0.6 little is gained.
    pub record_effect: f64,
    /// For how many times that it worked one time counts that it only failed.
    pub refutation_weight: f64,
    /// The runs in a row that followed a promoted lesson and only failed which put it under review. Two lose helpful
    /// lessons; with four, advice that turned bad stays longer.
    pub refuted_runs: u32,
    /// How far the effects of lessons lie apart. Less would hold back promotion.
    pub prior_spread: f64,
    /// How far the utility of one run lies from the lesson's effect, before it was measured.
    pub prior_noise: f64,
    /// How many runs that noise counts for against the measured noise.
    pub prior_noise_runs: f64,
    /// How far a baseline of many runs is off, before placebo runs have shown it. At 0.3 hardly anything could
    /// be promoted.
    pub prior_bias: f64,
    /// By how much a baseline of one run is too high: it is the run that the lesson was learned in, and there
    /// its error did happen. Without it harm costs a sixth more and a neutral lesson is promoted more often.
    pub origin_bias: f64,
    /// Standard deviations that the effect must lie above 0 for promotion. Candidates are shown too, so
    /// regret hardly depends on it: at 1 four of five promoted lessons help and most that help are promoted;
    /// at 2 nine of ten, and most that help are not.
    pub promotion_z: f64,
    /// Standard deviations that the effect must lie below `useless` for suppression. Above 0.5 harm grows
    /// fast; below, only more helpful lessons are lost.
    pub suppression_z: f64,
    /// Standard deviations that the effect of a suppressed lesson must lie above 0 for another trial, once
    /// runs without it have shown the baseline to be wrong.
    pub retry_z: f64,
    /// Standard deviations within which the effect of a suppressed lesson must reach 0 for another trial on
    /// somebody's word: what clearly harms is not tried again.
    pub doubt_z: f64,
    /// An effect that is not worth the tokens of a hint.
    pub useless: f64,
    /// Runs without it after which a suppressed lesson is judged again. Two would be a little better
    /// in the simulator, and too few to speak of evidence.
    pub aside_runs: u32,
}

impl Thresholds {
    /// What the memory uses.
    pub const CHOSEN: Self = Self {
        promotion_runs: 3,
        promotion_utility: 0.20,
        recurrence_drop: 0.5,
        suppression_retrievals: 3,
        losses: 2,
        irrelevant_runs: 5,
        withheld_runs: 2,
        judged_runs: 20,
        turned_runs: 4,
        turned_z: 1.5,
        prior_effect: 0.0,
        record_effect: 0.6,
        refutation_weight: 2.0,
        refuted_runs: 3,
        prior_spread: 0.5,
        prior_noise: 0.4,
        prior_noise_runs: 3.0,
        prior_bias: 0.1,
        origin_bias: 0.2,
        promotion_z: 1.0,
        suppression_z: 0.5,
        retry_z: 0.0,
        doubt_z: 0.5,
        useless: 0.1,
        aside_runs: 3,
    };
}
