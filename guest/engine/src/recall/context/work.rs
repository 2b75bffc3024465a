//! Kinds of work: what kind a task is, by its words, and how memories are weighed for it.
//!
//! Owns the words that tell kinds of work apart, and the weights. What is weighed is the business of the bundle.

use std::{collections::BTreeSet, sync::LazyLock};

use twiceshy_wit::memory::{ContextWeights, Feature, Work};

use crate::text;

/// What a word of the task counts for its kind of work.
const WORD: u32 = 2;

/// What a word of the action that is about to be taken counts.
const ACTION: u32 = 3;

/// What the phase of the work counts, if a feature of that name says it.
const PHASE: u32 = 4;

/// What tells a kind of work.
struct Signs {
    work: Work,
    /// Words of a task.
    words: &'static str,
    /// Words of an action.
    actions: &'static str,
    /// Names of phases.
    phases: &'static str,
}

/// The kinds of work, the more telling first: a task that says both *fix* and *add* is about a fault.
const SIGNS: [Signs; 5] = [
    Signs {
        work: Work::Debugging,
        words: "debug fix bug error crash failing fails failed broken failure exception traceback stacktrace wrong \
            hang hangs leak regression flaky investigate diagnose troubleshoot why cannot doesnt incorrect panic \
            segfault deadlock timeout",
        actions: "debug trace bisect reproduce diagnose inspect breakpoint rerun",
        phases: "debugging debug incident",
    },
    Signs {
        work: Work::Review,
        words: "review audit check verify assess evaluate critique approve inspect compliance lint pr feedback",
        actions: "review comment approve lint diff audit",
        phases: "review qa audit verification",
    },
    Signs {
        work: Work::Refactoring,
        words: "refactor restructure clean cleanup simplify extract rename reorganise reorganize deduplicate split \
            inline modernise modernize decouple untangle tidy consolidate rewrite",
        actions: "refactor rename move extract inline",
        phases: "refactoring refactor cleanup",
    },
    Signs {
        work: Work::Exploration,
        words: "explore understand research find learn discover analyse analyze compare explain survey document \
            what how where which list overview look map read prototype spike",
        actions: "read search list grep open browse fetch view explore",
        phases: "exploration research discovery planning",
    },
    Signs {
        work: Work::Implementation,
        words: "implement add create build write make develop introduce support integrate set configure generate \
            deploy install migrate enable extend",
        actions: "write create edit add build install deploy generate insert",
        phases: "implementation development build",
    },
];

/// The kind of work that a task is: by its words, by the action that is about to be taken, and by the feature
/// `phase`. Implementation, if nothing tells.
pub(super) fn found(task: &str, action: &str, features: &[Feature]) -> Work {
    let (task, action) = (text::term_set(task), text::term_set(action));
    let phase = features
        .iter()
        .find(|feature| feature.name.eq_ignore_ascii_case("phase"))
        .map(|feature| text::term_set(&feature.value))
        .unwrap_or_default();
    let mut best = (0, Work::Implementation);
    for (signs, [words, actions, phases]) in SIGNS.iter().zip(TERMS.iter()) {
        let hits = |known: &BTreeSet<String>, terms| known.intersection(terms).count() as u32;
        let points = WORD * hits(words, &task)
            + ACTION * hits(actions, &action)
            + PHASE * hits(phases, &phase).min(1);
        if points > best.0 {
            best = (points, signs.work);
        }
    }
    best.1
}

/// The terms of the words, actions and phases of each kind of work.
static TERMS: LazyLock<Vec<[BTreeSet<String>; 3]>> = LazyLock::new(|| {
    let terms = |signs: &Signs| [signs.words, signs.actions, signs.phases].map(text::term_set);
    SIGNS.iter().map(terms).collect()
});

/// How memories are weighed for a kind of work. Building is weighed as the memory hierarchy has it; what was
/// done in a like case counts more where somebody looks around or seeks a fault, procedures more where something is
/// rebuilt, knowledge more where something is judged. What to avoid is not weighed against the rest: it always comes.
pub(super) fn weights(work: Work) -> ContextWeights {
    let (semantic, episodic, skills) = match work {
        Work::Implementation => (0.5, 0.3, 0.2),
        Work::Exploration => (0.45, 0.4, 0.15),
        Work::Debugging => (0.45, 0.4, 0.15),
        Work::Review => (0.55, 0.3, 0.15),
        Work::Refactoring => (0.5, 0.25, 0.25),
    };
    ContextWeights {
        semantic,
        episodic,
        skills,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(task: &str) -> Work {
        found(task, "", &[])
    }

    #[test]
    fn the_kind_of_work_is_found_from_words() {
        for (task, expected) in [
            (
                "Add pagination to the orders endpoint",
                Work::Implementation,
            ),
            (
                "The nightly import crashes with a broken pipe, fix it",
                Work::Debugging,
            ),
            ("Why does the login test hang on CI?", Work::Debugging),
            ("Review the pull request about rate limits", Work::Review),
            (
                "Extract the mailer into a module and rename its methods",
                Work::Refactoring,
            ),
            ("Find out how sessions are stored", Work::Exploration),
            ("the quarterly numbers", Work::Implementation),
        ] {
            assert_eq!(work(task), expected, "{task}");
        }
    }

    #[test]
    fn an_action_tells_more_than_a_word_and_a_phase_more_than_both() {
        assert_eq!(found("add a header", "grep", &[]), Work::Exploration);
        let phase = Feature {
            name: "phase".to_owned(),
            value: "review".to_owned(),
        };
        assert_eq!(found("add a header", "grep", &[phase]), Work::Review);
    }

    #[test]
    fn weights_add_up_to_one_and_building_is_weighed_as_the_document_has_it() {
        for signs in &SIGNS {
            let weights = weights(signs.work);
            let sum = weights.semantic + weights.episodic + weights.skills;
            assert!((sum - 1.0).abs() < 1e-9, "{:?}", signs.work);
            assert!(weights.semantic >= weights.episodic && weights.episodic >= weights.skills);
        }
        let ours = weights(Work::Implementation);
        assert_eq!((ours.semantic, ours.episodic, ours.skills), (0.5, 0.3, 0.2));
    }
}
