//! The reward of a run: what its efficiency signals and its judged lessons come to.
//!
//! It is written with the episode, so that a day is read from one small document a run, wherever its steps are.

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::Attribute,
    memory::{Activation, Episode, Verdict},
};

use crate::store::{Kind, Noun, number};

/// What the signals and the judged lessons of a run come to.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Reward {
    pub(crate) run: String,
    pub(crate) ended_at: u64,
    /// The efficiency signals of its steps, added up.
    pub(crate) efficiency: f64,
    /// How many there are.
    pub(crate) signals: u32,
    pub(crate) helped: u32,
    pub(crate) harmed: u32,
    /// Lessons that were shown and had something to do.
    pub(crate) judged: u32,
}

impl Noun for Reward {
    const KIND: Kind = Kind::Reward;

    fn id(&self) -> String {
        self.run.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![number("ended-at", self.ended_at as f64)]
    }
}

impl Reward {
    /// The reward of a run that ends; none if there is nothing to say.
    pub(crate) fn of(
        efficiency: (f64, u32),
        episode: &Episode,
        judged: &[Activation],
    ) -> Option<Self> {
        let verdicts = judged.iter().filter(|activation| !activation.withheld);
        let verdicts: Vec<_> = verdicts
            .filter_map(|activation| Some(activation.outcome.as_ref()?.verdict))
            .filter(|verdict| *verdict != Verdict::NoOpportunity)
            .collect();
        let count = |sought: Verdict| verdicts.iter().filter(|one| **one == sought).count() as u32;
        let (efficiency, signals) = efficiency;
        let reward = Self {
            run: episode.id.clone(),
            ended_at: episode.ended_at,
            efficiency,
            signals,
            helped: count(Verdict::Helped),
            harmed: count(Verdict::Harmed),
            judged: verdicts.len() as u32,
        };
        (reward.signals > 0 || reward.judged > 0).then_some(reward)
    }
}
