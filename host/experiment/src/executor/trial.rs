//! An executor by trial and error.
//!
//! It knows what it wants and other tools' ways to say it. It writes a command by habit, reads in the error
//! only which of its own words was refused, and tries the next spelling it can think of. What the memory
//! shows comes before its own ideas, because it is shown; what the memory calls wrong comes last. A shown
//! spelling that is refused is dropped like any other. It does not know what a tool really wants, which
//! lessons are good, or that there is an experiment.

use std::collections::BTreeMap;

use super::{Assignment, Executor, Following, Move, Seen};
use crate::{
    chance::Chance,
    habits::{self, Choice},
    reading::{self, Rule},
    tasks::{AS_IT_IS, Intent},
};

/// How often documentation wins over habit before anything went wrong.
const HEEDS_DOCS_AT_ONCE: f64 = 0.15;

/// How often the right place in the documentation is found after a refusal.
const FINDS_IN_DOCS: f64 = 0.8;

/// The executor in a run.
pub(crate) struct Trial<'a> {
    assignment: Assignment<'a>,
    chance: Chance,
    /// Which intent is being worked on.
    at: usize,
    /// The rules that were shown, in the order in which they are heeded.
    rules: Vec<Rule>,
    minds: BTreeMap<&'static str, Mind>,
    following: Following,
}

/// What is in the executor's mind about one choice.
struct Mind {
    /// Its own ideas, the strongest habit first.
    ideas: Vec<usize>,
    /// What documentation shows, once it has been looked up.
    looked_up: Vec<usize>,
    /// Refused in this run.
    refused: Vec<usize>,
    /// Accepted in this run.
    accepted: Option<usize>,
    /// The spelling in use.
    current: usize,
    /// The spelling in use, if a rule showed it.
    followed: Option<usize>,
}

impl<'a> Trial<'a> {
    /// An executor for one run. The same chance makes the same habits.
    pub(crate) fn new(assignment: Assignment<'a>, chance: Chance) -> Self {
        let mut executor = Self {
            assignment,
            chance,
            at: 0,
            rules: Vec::new(),
            minds: BTreeMap::new(),
            following: Following::default(),
        };
        executor.hear(&assignment.briefing.hints);
        executor
    }

    /// Newer hints come first: they answer what has just happened.
    fn hear(&mut self, hints: &[twiceshy_wit::memory::Hint]) {
        let rules = hints
            .iter()
            .filter_map(|hint| Rule::read(&hint.lesson.rule_text));
        let mut heard: Vec<Rule> = rules.collect();
        self.rules.retain(|rule| !heard.contains(rule));
        heard.append(&mut self.rules);
        self.rules = heard;
    }

    fn intent(&self) -> Option<Intent> {
        self.assignment.task.intents.get(self.at).copied()
    }

    /// The command for an intent, as it would be written now.
    fn command(&mut self, intent: Intent) -> Vec<String> {
        let mut command = vec![self.assignment.task.tool.name().to_owned()];
        for (name, value) in intent {
            command.extend(self.spelled(name, value));
        }
        command
    }

    /// The arguments for one part of a command.
    fn spelled(&mut self, name: &'static str, value: &str) -> Vec<String> {
        if name == AS_IT_IS {
            return vec![value.to_owned()];
        }
        let Some(choice) = habits::choice(name) else {
            return Vec::new();
        };
        let (spelling, is_shown) = self.choose(choice);
        if let Some(mind) = self.minds.get_mut(name) {
            if is_shown && mind.followed != Some(spelling) {
                self.following.followed += 1;
            }
            mind.followed = is_shown.then_some(spelling);
            mind.current = spelling;
        }
        arguments(choice, spelling, value)
    }

    /// The spelling to try next, and whether a rule showed it.
    fn choose(&mut self, choice: &'static Choice) -> (usize, bool) {
        let (docs, chance) = (self.assignment.docs, self.chance.of(choice.name));
        let said: Vec<_> = self.rules.iter().map(|rule| rule.says(choice)).collect();
        let mind = self
            .minds
            .entry(choice.name)
            .or_insert_with(|| Mind::new(choice, docs, chance));
        if let Some(accepted) = mind.accepted {
            return (accepted, false);
        }
        if mind.refused.len() == choice.spellings.len() {
            // Everything was refused at least once, so some refusal was misread: from the beginning.
            mind.refused.clear();
        }
        let is_open = |spelling: &&usize| !mind.refused.contains(spelling);
        if let Some(shown) = said.iter().flat_map(|(right, _)| right).find(is_open) {
            return (*shown, true);
        }
        let is_wrong = |spelling: &usize| said.iter().any(|(_, wrong)| wrong.contains(spelling));
        let ideas = || mind.looked_up.iter().chain(&mind.ideas).filter(is_open);
        let chosen = ideas()
            .find(|spelling| !is_wrong(spelling))
            .or(ideas().next());
        (chosen.copied().unwrap_or(0), false)
    }

    /// The command worked: its spellings are right.
    fn accept(&mut self, intent: Intent) {
        for (name, _) in intent {
            if let Some(mind) = self.minds.get_mut(name) {
                if mind.accepted.is_none() {
                    mind.accepted = Some(mind.current);
                }
                if mind.followed.take().is_some() {
                    self.following.worked += 1;
                }
            }
        }
    }

    /// The command was refused: the choice whose word the error names is to blame; if it names none, one of
    /// those that are still open.
    fn refuse(&mut self, intent: Intent, error: &str) {
        let named = quoted(error);
        let mut blamed = None;
        for (name, value) in intent {
            let Some(choice) = habits::choice(name) else {
                continue;
            };
            let Some(mind) = self.minds.get(name) else {
                continue;
            };
            let written = arguments(choice, mind.current, value);
            let is_named = named
                .iter()
                .any(|word| written.contains(word) || written.join(" ") == *word);
            if is_named && mind.accepted.is_none() {
                blamed = Some(choice);
                break;
            }
        }
        let blamed = blamed.or_else(|| {
            let open: Vec<_> = intent
                .iter()
                .filter_map(|(name, _)| habits::choice(name))
                .filter(|choice| {
                    self.minds
                        .get(choice.name)
                        .is_some_and(|mind| mind.accepted.is_none())
                })
                .collect();
            (!open.is_empty()).then(|| open[self.chance.of(error).place(open.len())])
        });
        let Some(choice) = blamed else { return };
        let (docs, chance) = (self.assignment.docs, self.chance.of(choice.name));
        if let Some(mind) = self.minds.get_mut(choice.name) {
            mind.refused.push(mind.current);
            if mind.followed.take().is_some() {
                self.following.failed += 1;
            }
            if let Some(docs) = docs
                && mind.looked_up.is_empty()
                && chance.of("finds").share() < FINDS_IN_DOCS
            {
                mind.looked_up = reading::in_docs(docs, choice);
            }
        }
    }
}

impl Executor for Trial<'_> {
    fn next(&mut self, seen: Option<Seen<'_>>) -> Move {
        if let (Some(seen), Some(intent)) = (seen, self.intent()) {
            if seen.ran.exit == 0 {
                self.accept(intent);
                self.at += 1;
            } else {
                self.refuse(intent, &seen.ran.stderr);
            }
            self.hear(&seen.told.hints);
        }
        match self.intent() {
            Some(intent) => Move::Act(self.command(intent)),
            None => Move::Done,
        }
    }

    fn following(&self) -> Following {
        self.following
    }
}

impl Mind {
    fn new(choice: &Choice, docs: Option<&str>, chance: Chance) -> Self {
        // A weighted shuffle: the stronger a habit, the earlier it comes, as a rule.
        let mut keyed: Vec<(f64, usize)> = choice
            .spellings
            .iter()
            .enumerate()
            .map(|(index, (spelling, strength))| {
                let draw = chance.of(spelling).share().max(f64::MIN_POSITIVE);
                (-draw.ln() / strength, index)
            })
            .collect();
        keyed.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let at_once = chance.of("heeds").share() < HEEDS_DOCS_AT_ONCE;
        Self {
            ideas: keyed.into_iter().map(|(_, index)| index).collect(),
            looked_up: docs
                .filter(|_| at_once)
                .map(|docs| reading::in_docs(docs, choice))
                .unwrap_or_default(),
            refused: Vec::new(),
            accepted: None,
            current: 0,
            followed: None,
        }
    }
}

/// The arguments that a spelling makes of a value.
fn arguments(choice: &Choice, spelling: usize, value: &str) -> Vec<String> {
    let spelling = choice.spellings[spelling].0;
    let parts = spelling.split(' ').filter(|part| !part.is_empty());
    parts.map(|part| part.replace("{}", value)).collect()
}

/// What an error text has in single quotes: the words that it speaks of.
fn quoted(error: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = error;
    while let Some((_, after)) = rest.split_once('\'') {
        // A quoted word may have quotes of its own: it ends where a blank or a sign follows.
        let end = after
            .char_indices()
            .find(|(at, c)| {
                *c == '\''
                    && !after[at + 1..].starts_with(|c: char| c.is_alphanumeric() || c == '\'')
            })
            .map(|(at, _)| at);
        let Some(end) = end else { break };
        found.push(after[..end].to_owned());
        rest = &after[end + 1..];
    }
    found
}

#[cfg(test)]
mod tests;
