//! The bundle: which of the fitting memories are shown, and how.
//!
//! Owns the places of a bundle, that each memory occurs once, its budget of tokens and its text: one line for each memory with
//! its id, in a marked block that says how to fetch more. What to avoid comes first and is never weighed against the rest.

use std::collections::BTreeSet;

use twiceshy_wit::memory::{ContextItem, ContextWeights, MemoryKind, TaskBundle, Work};

use super::{fit::Fitting, gather::Place};
use crate::{
    insertion::{self, Line},
    likeness::{self, Wording},
};

/// Knowledge, similar episodes and warnings of a bundle of five, as the memory hierarchy has it; in proportion for
/// larger ones.
const KNOWLEDGE: usize = 5;
const EPISODES: usize = 3;
const AVOIDED: usize = 3;

/// A memory as it is shown, in characters: what it says at length can be fetched.
const SUMMARY_CHARS: usize = 300;

/// How much there is room for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Memories beside what to avoid.
    pub(super) memories: usize,
    pub(super) tokens: u32,
}

impl Room {
    /// As many of a place as a bundle of five has, in proportion.
    fn of(self, of_five: usize) -> usize {
        of_five.max((self.memories * of_five).div_ceil(5))
    }
}

/// A memory that may be shown, with its line.
struct Ready {
    place: Place,
    item: ContextItem,
    line: Line,
    /// Memories with the same key are the same.
    same: String,
    more: &'static str,
}

/// The bundle of the memories that fit, best first.
pub(super) fn made(
    work: Work,
    weights: ContextWeights,
    fitting: Vec<Fitting>,
    room: Room,
) -> TaskBundle {
    let mut ready: Vec<_> = fitting
        .into_iter()
        .map(|fitting| Ready::new(fitting, &weights))
        .collect();
    // Stable, so that of the same score the better fit stays first.
    ready.sort_by(|left, right| right.item.score.total_cmp(&left.item.score));
    let (avoided, memories): (Vec<_>, Vec<_>) =
        ready.into_iter().partition(|one| one.place == Place::Avoid);
    let mut shown: Vec<Ready> = Vec::new();
    let mut left_out = Vec::new();
    let mut said = Said::default();
    let avoided = avoided.into_iter().filter(|one| said.is_new(one));
    let avoided: Vec<_> = avoided.take(room.of(AVOIDED)).collect();
    let memories = within(memories, room, &mut said);
    for one in avoided.into_iter().chain(memories) {
        shown.push(one);
        // The whole text is measured each time: what it costs is the sum of nothing else.
        if insertion::tokens(&text(&shown)) > room.tokens {
            left_out.extend(shown.pop().map(|one| one.item.id));
        }
    }
    let text = text(&shown);
    let mut bundle = TaskBundle {
        work,
        weights,
        applicable_patterns: Vec::new(),
        similar_episodes: Vec::new(),
        domain_knowledge: Vec::new(),
        applicable_skills: Vec::new(),
        avoid_these: Vec::new(),
        tokens: insertion::tokens(&text),
        text,
        left_out,
    };
    for one in shown {
        match one.place {
            Place::Pattern => &mut bundle.applicable_patterns,
            Place::Episode => &mut bundle.similar_episodes,
            Place::Fact => &mut bundle.domain_knowledge,
            Place::Skill => &mut bundle.applicable_skills,
            Place::Avoid => &mut bundle.avoid_these,
        }
        .push(one.item);
    }
    bundle
}

/// The best memories: of knowledge and of episodes no more than their share, and of all no more than there is
/// room for.
fn within(ready: Vec<Ready>, room: Room, said: &mut Said) -> Vec<Ready> {
    let (mut knowledge, mut episodes) = (0, 0);
    let best = ready.into_iter().filter(|one| {
        let (count, most) = match one.place {
            Place::Pattern | Place::Fact => (&mut knowledge, room.of(KNOWLEDGE)),
            Place::Episode => (&mut episodes, room.of(EPISODES)),
            Place::Skill | Place::Avoid => return said.is_new(one),
        };
        let is_shown = *count < most && said.is_new(one);
        *count += usize::from(is_shown);
        is_shown
    });
    best.take(room.memories).collect()
}

/// What a bundle says already.
#[derive(Default)]
struct Said {
    memories: BTreeSet<String>,
    /// What was said in words, for each place.
    wordings: Vec<(Place, Wording)>,
}

impl Said {
    /// Whether a memory is not, and says not, what was said already. It is said from now on. Asked only for what would be
    /// shown: comparing all that fit with each other takes longer than finding them.
    fn is_new(&mut self, one: &Ready) -> bool {
        if self.memories.contains(&one.item.id) || self.memories.contains(&one.same) {
            return false;
        }
        if one.place != Place::Episode {
            let wording = Wording::new("", &one.line.text);
            let says_the_same = |(place, known): &(Place, Wording)| {
                *place == one.place && likeness::compare(&wording, known).is_some()
            };
            if self.wordings.iter().any(says_the_same) {
                return false;
            }
            self.wordings.push((one.place, wording));
        }
        self.memories
            .extend([one.item.id.clone(), one.same.clone()]);
        true
    }
}

/// The text of some memories: a line for each, and how to fetch more.
fn text(shown: &[Ready]) -> String {
    let mut lines: Vec<_> = shown.iter().map(|one| one.line.clone()).collect();
    let functions: BTreeSet<_> = shown.iter().map(|one| one.more).collect();
    if !functions.is_empty() {
        let functions: Vec<_> = functions.into_iter().collect();
        lines.push(Line {
            id: "more".to_owned(),
            kind: "by-id".to_owned(),
            note: "to read one at length".to_owned(),
            text: functions.join(", "),
        });
    }
    insertion::block(&lines)
}

impl Ready {
    fn new(fitting: Fitting, weights: &ContextWeights) -> Self {
        let Fitting {
            candidate,
            fit,
            why,
        } = fitting;
        let (kind, weight) = match candidate.place {
            Place::Pattern => (MemoryKind::Semantic, weights.semantic),
            Place::Fact => (MemoryKind::Fact, weights.semantic),
            Place::Episode => (MemoryKind::Episodic, weights.episodic),
            Place::Skill => (MemoryKind::Skill, weights.skills),
            // By nothing but how well it fits.
            Place::Avoid => (MemoryKind::AntiPattern, 1.0),
        };
        let summary = shortened(&candidate.summary);
        let line = Line {
            id: candidate.id.clone(),
            kind: match candidate.place {
                Place::Avoid => "avoid".to_owned(),
                _ => candidate.kind.to_owned(),
            },
            note: candidate.standing,
            text: summary.clone(),
        };
        Self {
            place: candidate.place,
            item: ContextItem {
                more: format!("{} {}", candidate.more, candidate.id),
                id: candidate.id,
                kind,
                summary,
                score: weight * fit,
                fit,
                why,
            },
            line,
            same: candidate.same,
            more: candidate.more,
        }
    }
}

/// A summary on one line, as long as it is shown.
fn shortened(summary: &str) -> String {
    let words: Vec<_> = summary.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= SUMMARY_CHARS {
        return line;
    }
    line.chars().take(SUMMARY_CHARS - 1).chain(['…']).collect()
}
