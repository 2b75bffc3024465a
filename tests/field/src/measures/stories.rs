//! Mistakes that come again: known ones, of a kind that was never learned, and of a known kind with another fix.

use std::collections::BTreeMap;

use super::{Failure, Inquiry, MEMORY, Measure, leave_one_out};
use crate::{
    advice::Advice,
    baseline::{Baseline, Past},
    command::{self, Way},
    data::{Correction, Story, renamed},
    report::Row,
    setting::Mind,
};

/// A run in which a mistake was made and corrected.
fn learn(mind: &mut Mind, way: Way, story: &Story) {
    let steps = [
        way.failure(&story.wrong, &story.output),
        way.success(&story.fix, ""),
    ];
    mind.run("", &steps, true);
}

fn past(story: &Story) -> Past {
    Past {
        error: story.output.clone(),
        command: story.wrong.clone(),
        next: story.fix.clone(),
    }
}

/// The figures of the memory and of the baselines, in one measure.
struct Panel<'a> {
    inquiry: &'a Inquiry<'a>,
    memory: Row,
    baselines: Vec<(Baseline, Row)>,
}

impl<'a> Panel<'a> {
    fn new(inquiry: &'a Inquiry<'a>, measure: Measure) -> Self {
        let row = |baseline: Baseline| (baseline, inquiry.row(measure, baseline.name()));
        Self {
            inquiry,
            memory: inquiry.row(measure, MEMORY),
            baselines: Baseline::ALL.into_iter().map(row).collect(),
        }
    }

    /// Asks a memory, and the baselines, which know these stories, about failures.
    fn ask<'s>(
        &mut self,
        mind: &Mind,
        known: impl Iterator<Item = &'s Story> + Clone,
        failures: &[Failure],
    ) {
        for failure in failures {
            let step = self.inquiry.way.failure(failure.command, failure.output);
            let hints = mind.hints(&step);
            let answer = failure.answer(hints.first().map(Advice::of).as_ref());
            self.inquiry
                .count(&mut self.memory, answer, failure, hints.first());
        }
        for (baseline, row) in &mut self.baselines {
            let index = baseline.index(known.clone().map(past).collect());
            for failure in failures {
                let best = index.best(failure.output, failure.command);
                row.add(failure.answer(best.map(Past::advice).as_ref()));
            }
        }
    }

    fn rows(self) -> Vec<Row> {
        let baselines = self.baselines.into_iter().map(|(_, row)| row);
        std::iter::once(self.memory).chain(baselines).collect()
    }
}

/// Every story is learned, then each mistake is made elsewhere.
///
/// Some mistakes are the same and have several right ways, each in a story of its own: any of these is right.
pub fn known(inquiry: &Inquiry) -> Vec<Row> {
    let stories = &inquiry.data.stories;
    let mut mind = inquiry.mind();
    stories
        .iter()
        .for_each(|story| learn(&mut mind, inquiry.way, story));
    let mut panel = Panel::new(inquiry, Measure::Stories);
    let asked: Vec<_> = stories
        .iter()
        .map(|story| Elsewhere::new(story, stories))
        .collect();
    let failures: Vec<_> = asked.iter().map(Elsewhere::failure).collect();
    panel.ask(&mind, stories.iter(), &failures);
    panel.rows()
}

/// The mistake of a story, made elsewhere.
struct Elsewhere<'a> {
    story: &'a Story,
    output: String,
    names: Vec<(String, String)>,
    expected: Vec<String>,
}

impl<'a> Elsewhere<'a> {
    fn new(story: &'a Story, stories: &[Story]) -> Self {
        let names = story.names();
        let is_same = |other: &&Story| other.wrong == story.wrong && other.output == story.output;
        let others = stories.iter().filter(is_same);
        let mut expected: Vec<_> = others.map(|other| renamed(&other.fix, &names)).collect();
        expected.push(story.fix2.clone());
        expected.sort();
        expected.dedup();
        Self {
            story,
            output: story.output2(),
            names,
            expected,
        }
    }

    fn failure(&self) -> Failure<'_> {
        Failure {
            kind: &self.story.rule,
            command: &self.story.wrong2,
            output: &self.output,
            names: &self.names,
            expected: &self.expected,
        }
    }
}

/// For each rule, all stories of other rules are learned, then its mistakes are made.
pub fn never_learned(inquiry: &Inquiry) -> Vec<Row> {
    let mut rules: BTreeMap<&str, Vec<&Story>> = BTreeMap::new();
    for story in &inquiry.data.stories {
        rules.entry(&story.rule).or_default().push(story);
    }
    let rules: Vec<_> = rules.into_values().collect();
    let mut panel = Panel::new(inquiry, Measure::Never);
    leave_one_out(
        inquiry.mind(),
        0..rules.len(),
        &mut |mind, rule| {
            let stories = rules[rule].iter();
            stories.for_each(|story| learn(mind, inquiry.way, story));
        },
        &mut |mind, rule| {
            let others = rules.iter().enumerate().filter(|(other, _)| *other != rule);
            let others = others.flat_map(|(_, stories)| stories).copied();
            let outputs: Vec<_> = rules[rule].iter().map(|story| story.output2()).collect();
            let failures = rules[rule].iter().zip(&outputs);
            let failures: Vec<_> = failures
                .map(|(story, output)| Failure {
                    kind: &story.rule,
                    command: &story.wrong2,
                    output,
                    names: &[],
                    expected: &[],
                })
                .collect();
            panel.ask(mind, others, &failures);
        },
    );
    panel.rows()
}

/// For each correction, all stories are learned but those that lead to its fix, then its mistake is made. Asked are those of
/// whose rule a story is left.
pub fn another_fix(inquiry: &Inquiry) -> Vec<Row> {
    let groups = groups(&inquiry.data.stories);
    let mut panel = Panel::new(inquiry, Measure::Another);
    // The corrections by the one group that leads to them; those that none leads to are asked about after all groups.
    let mut corrections = vec![Vec::new(); groups.len() + 1];
    for correction in &inquiry.data.corrections {
        let of_rule = |at: &usize| groups[*at][0].rule == correction.rule;
        let leads = |at: &usize| {
            let to = |story: &&Story| {
                let advice = past(story).advice();
                advice.leads_to(&correction.wrong, &[], &correction.fixes)
            };
            groups[*at].iter().any(to)
        };
        let of_rule = (0..groups.len()).filter(of_rule);
        let (leading, others): (Vec<_>, Vec<_>) = of_rule.partition(leads);
        match leading.as_slice() {
            [] if !others.is_empty() => corrections[groups.len()].push(correction),
            [leading] if !others.is_empty() => corrections[*leading].push(correction),
            _ => {}
        }
    }
    let learn_group = |mind: &mut Mind, group: usize| {
        // The last item stands for no group: who leaves it out has learned everything.
        let stories = groups.get(group).into_iter().flatten();
        stories.for_each(|story| learn(mind, inquiry.way, story));
    };
    let (asked, unasked): (Vec<_>, Vec<_>) =
        (0..=groups.len()).partition(|group| !corrections[*group].is_empty());
    let mut mind = inquiry.mind();
    unasked
        .into_iter()
        .for_each(|group| learn_group(&mut mind, group));
    leave_one_out(
        mind,
        0..asked.len(),
        &mut |mind, item| learn_group(mind, asked[item]),
        &mut |mind, item| {
            let group = asked[item];
            let others = groups
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != group);
            let others = others.flat_map(|(_, stories)| stories).copied();
            let corrections = corrections[group].iter();
            let failures: Vec<_> = corrections.map(|correction| failure(correction)).collect();
            panel.ask(mind, others, &failures);
        },
    );
    panel.rows()
}

fn failure(correction: &Correction) -> Failure<'_> {
    Failure {
        kind: &correction.rule,
        command: &correction.wrong,
        output: &correction.output,
        names: &[],
        expected: &correction.fixes,
    }
}

/// Stories of one rule that lead to each other's fixes.
fn groups(stories: &[Story]) -> Vec<Vec<&Story>> {
    let leads = |from: &Story, to: &Story| {
        let fix = std::slice::from_ref(&to.fix);
        command::normal(&from.fix) == command::normal(&to.fix)
            || past(from).advice().leads_to(&to.wrong, &[], fix)
    };
    let mut groups: Vec<Vec<&Story>> = Vec::new();
    for story in stories {
        let fits = |group: &&mut Vec<&Story>| {
            group[0].rule == story.rule
                && group
                    .iter()
                    .any(|other| leads(other, story) || leads(story, other))
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(story),
            None => groups.push(vec![story]),
        }
    }
    groups
}
