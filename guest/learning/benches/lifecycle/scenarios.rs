//! The kinds of worlds: one set to choose thresholds on, another to report on.
//!
//! The sets differ in every rate, strength, mix and seed, so that what was chosen on the first has to hold on
//! the second.

use super::world::Scenario;

const STEADY: Scenario = Scenario {
    name: "steady",
    helpful: 4,
    harmful: 2,
    rate: (0.5, 3.0),
    help: (0.3, 0.95),
    harm: (0.5, 2.0),
    other: 1.5,
    unrest: 0.3,
    drift: 1.0,
    wrong_baseline: 1.0,
    baseline_runs: 4,
    bundle: 4,
    turn: None,
    deterministic: false,
    after_failure: false,
    heed: 1.0,
    misfit: 0.0,
};

/// To choose thresholds on.
pub const TUNING: [Scenario; 13] = [
    STEADY,
    Scenario {
        name: "refereed",
        deterministic: true,
        ..STEADY
    },
    Scenario {
        name: "noisy",
        unrest: 0.8,
        other: 4.0,
        ..STEADY
    },
    Scenario {
        name: "rare errors",
        rate: (0.15, 0.6),
        harm: (0.3, 1.0),
        ..STEADY
    },
    Scenario {
        name: "mostly harmful",
        helpful: 2,
        harmful: 5,
        ..STEADY
    },
    Scenario {
        name: "growing harder",
        drift: 1.8,
        ..STEADY
    },
    Scenario {
        name: "growing easier",
        drift: 0.6,
        ..STEADY
    },
    Scenario {
        name: "wrong baselines",
        wrong_baseline: 2.0,
        baseline_runs: 2,
        ..STEADY
    },
    Scenario {
        name: "advice turns bad",
        turn: Some(30),
        ..STEADY
    },
    Scenario {
        name: "one failure a cause",
        after_failure: true,
        ..STEADY
    },
    Scenario {
        name: "ignored advice",
        heed: 0.4,
        ..STEADY
    },
    Scenario {
        name: "wrong showings",
        misfit: 0.4,
        ..STEADY
    },
    Scenario {
        name: "nearly all help",
        helpful: 7,
        harmful: 1,
        ..STEADY
    },
];

const OTHER: Scenario = Scenario {
    name: "mixed",
    helpful: 3,
    harmful: 3,
    rate: (0.4, 2.6),
    help: (0.25, 0.85),
    harm: (0.3, 1.8),
    other: 1.0,
    unrest: 0.5,
    drift: 1.0,
    wrong_baseline: 1.3,
    baseline_runs: 3,
    bundle: 4,
    turn: None,
    deterministic: false,
    after_failure: false,
    heed: 1.0,
    misfit: 0.0,
};

/// To report on.
pub const HELD_OUT: [Scenario; 14] = [
    OTHER,
    Scenario {
        name: "refereed",
        deterministic: true,
        ..OTHER
    },
    Scenario {
        name: "shown alone",
        bundle: 1,
        ..OTHER
    },
    Scenario {
        name: "mostly helpful, noisy",
        helpful: 6,
        harmful: 1,
        unrest: 0.7,
        other: 3.0,
        ..OTHER
    },
    Scenario {
        name: "mostly harmful",
        helpful: 1,
        harmful: 6,
        ..OTHER
    },
    Scenario {
        name: "rare errors",
        rate: (0.1, 0.4),
        harm: (0.2, 0.9),
        ..OTHER
    },
    Scenario {
        name: "getting easier",
        drift: 0.7,
        ..OTHER
    },
    Scenario {
        name: "wrong baselines",
        wrong_baseline: 1.8,
        baseline_runs: 2,
        ..OTHER
    },
    Scenario {
        name: "advice turns bad",
        turn: Some(35),
        ..OTHER
    },
    Scenario {
        name: "one failure a cause",
        after_failure: true,
        ..OTHER
    },
    Scenario {
        name: "ignored advice",
        heed: 0.3,
        ..OTHER
    },
    Scenario {
        name: "wrong showings",
        misfit: 0.5,
        ..OTHER
    },
    Scenario {
        name: "one failure, ignored, wrong",
        after_failure: true,
        heed: 0.5,
        misfit: 0.3,
        ..OTHER
    },
    Scenario {
        name: "nearly all help",
        helpful: 7,
        harmful: 1,
        ..OTHER
    },
];
