//! Activations: lessons that were shown in a run, or withheld from it for comparison.
//!
//! Owns which of the lessons that fit are really shown, and the record of it. Which lessons fit is the
//! business of recall; the effect is judged when the run ends.

use std::collections::BTreeMap;

use twiceshy_wit::{
    host::Attribute,
    memory::{Activation, ActivationFilter, EarlierActivations, Error, Hint, Moment, Verdict},
};

use crate::{
    insertion::{self, Shown},
    lessons::{KeptEvidence, is_claim, is_way},
    limits,
    store::{Kind, Noun, Reader, equals, newest, number, query, text},
    usefulness::{self, Evidence},
};

/// The share of runs from which a lesson is withheld if the caller does not say.
pub(crate) const HOLD_OUT: f64 = 0.1;

/// Kinds of failure that do harm: a lesson that guards against one is never withheld.
const HARM: [&str; 1] = ["unsafe_action"];

/// Whether a failure with these tags does harm.
pub(crate) fn does_harm(tags: &[String]) -> bool {
    tags.iter().any(|tag| HARM.contains(&tag.as_str()))
}

/// Runs in which a claim was shown and nothing was attempted that it speaks of, after which it is no longer said before a run.
const IDLE_RUNS: u32 = 5;

/// Whether a lesson is somebody's word that was told again and again before runs that had nothing to do with it. It makes
/// room for others; when its failure comes up, it is still shown.
pub(crate) fn is_idle_claim(hint: &Hint, evidence: &BTreeMap<String, Evidence>) -> bool {
    let evidence = evidence.get(&hint.lesson.id);
    let is_idle = |evidence: &Evidence| {
        evidence.ignored == 0 && evidence.relevant_runs() == 0 && evidence.beside >= IDLE_RUNS
    };
    is_claim(&hint.lesson) && evidence.is_some_and(is_idle)
}

impl Noun for Activation {
    const KIND: Kind = Kind::Activation;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        vec![
            text("lesson", &self.lesson),
            text("run", &self.run),
            number("at", self.at as f64),
        ]
    }
}

/// Adds an activation to those that were summed up. What the lesson is judged by was taken from it when its run ended.
pub(crate) fn sum_up(earlier: &mut Option<EarlierActivations>, activation: &Activation) {
    let sum = earlier.get_or_insert_with(|| EarlierActivations {
        since: activation.at,
        ..EarlierActivations::default()
    });
    sum.since = sum.since.min(activation.at);
    sum.until = sum.until.max(activation.at);
    if activation.withheld {
        sum.withheld_runs += 1;
        return;
    }
    sum.shown_runs += 1;
    sum.showings = sum.showings.saturating_add(activation.showings);
    match activation.outcome.as_ref().map(|outcome| outcome.verdict) {
        Some(Verdict::Helped) => sum.helped += 1,
        Some(Verdict::Harmed) => sum.harmed += 1,
        Some(Verdict::Neutral) => sum.neutral += 1,
        Some(Verdict::NoOpportunity) | None => {}
    }
}

/// A moment in a run at which lessons are shown.
pub(crate) struct Showing<'s> {
    pub(crate) run: &'s str,
    pub(crate) step: u32,
    pub(crate) moment: Moment,
    pub(crate) fingerprint: Option<&'s str>,
    pub(crate) hold_out: f64,
    pub(crate) evidence: &'s BTreeMap<String, Evidence>,
    pub(crate) now: u64,
}

impl Showing<'_> {
    /// Takes out the lessons that are withheld from this run, enters all of them into the run's activations,
    /// and says which activations changed.
    pub(crate) fn record(
        &self,
        hints: &mut Vec<Hint>,
        activations: &mut Vec<Activation>,
    ) -> Vec<Activation> {
        let mut changed = Vec::with_capacity(hints.len());
        hints.retain(|hint| {
            let id = &hint.lesson.id;
            let activation = match activations.iter().position(|one| one.lesson == *id) {
                Some(place) => {
                    let activation = &mut activations[place];
                    activation.showings = activation.showings.saturating_add(1);
                    activation.clone()
                }
                // Beyond, a run is beyond measure, too: nothing is shown that could not be judged.
                None if activations.len() >= limits::LESSONS_PER_RUN => return false,
                None => {
                    activations.push(self.first(hint));
                    self.first(hint)
                }
            };
            let withheld = activation.withheld;
            changed.push(activation);
            !withheld
        });
        changed
    }

    fn first(&self, hint: &Hint) -> Activation {
        let lesson = &hint.lesson;
        let guards = does_harm(&lesson.tags);
        let unknown = Evidence::default();
        let evidence = self.evidence.get(&lesson.id).unwrap_or(&unknown);
        let share = usefulness::hold_out_share(evidence, self.hold_out, guards);
        Activation {
            id: format!("{}.{}", self.run, lesson.id),
            lesson: lesson.id.clone(),
            run: self.run.to_owned(),
            step: self.step,
            moment: self.moment,
            fingerprint: self.fingerprint.map(str::to_owned),
            withheld: usefulness::is_withheld(&lesson.id, self.run, share),
            showings: 1,
            at: self.now,
            score: hint.score,
            outcome: None,
        }
    }
}

/// The hints as marked text for an agent's context.
pub(crate) fn rendered(hints: &[Hint]) -> String {
    let shown: Vec<_> = hints
        .iter()
        .map(|hint| Shown {
            id: hint.lesson.id.clone(),
            rule_text: hint.text.clone(),
            kind: hint.lesson.kind,
            reliability: hint.lesson.reliability,
            status: hint.lesson.status,
            fit: match &hint.lesson {
                lesson if is_way(lesson) => "worked in another run of this task",
                lesson => match (hint.parts.fingerprint_match >= 1.0, is_claim(lesson)) {
                    (true, true) => "exactly this failure, claimed and not proven here",
                    (true, false) => "exactly this failure",
                    (false, true) => "claimed and not proven here",
                    (false, false) => "",
                },
            },
        })
        .collect();
    insertion::render(&shown)
}

/// The evidence about lessons that are about to be shown.
pub(crate) fn evidence_of(
    reader: &Reader,
    hints: &[Hint],
) -> Result<BTreeMap<String, Evidence>, Error> {
    let ids = hints.iter().map(|hint| &hint.lesson.id);
    let read = reader.load_by_id::<KeptEvidence>(ids)?.into_iter();
    Ok(read.map(|(id, read)| (id, read.noun.evidence)).collect())
}

pub(crate) fn find_activations(
    reader: &Reader,
    filter: &ActivationFilter,
) -> Result<Vec<Activation>, Error> {
    let restrictions = [("lesson", &filter.lesson), ("run", &filter.run)];
    let conditions = restrictions
        .into_iter()
        .filter_map(|(name, value)| Some(equals(name, value.as_deref()?)))
        .collect();
    let query = query::<Activation>(conditions, newest("at"), limits::listed(filter.limit));
    let found = reader.search::<Activation>(&query)?;
    Ok(found.into_iter().map(|(read, _)| read.noun).collect())
}
