//! What a document becomes, how ten are asked for, and where an answer has its ids: for each kind of memory that is found by
//! a text.

use std::collections::BTreeMap;

use twiceshy_engine::Engine;
use twiceshy_wit::memory::{
    ContextRequest, EpisodeQuery, Episodes, Experience, ExperienceQuery, ExperienceSettings,
    LessonCandidate, LessonKind, Lessons, NewEpisode, Outcome, Recall, Scope, TaskContext,
};

use crate::{NOW, set::Set};

const DAY: u64 = 86_400_000;

/// A rule is at most this long.
const RULE_BYTES: usize = 900;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Episodes,
    Experience,
    Lessons,
    Context,
}

impl Kind {
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "episodes" => Self::Episodes,
            "experience" => Self::Experience,
            "lessons" => Self::Lessons,
            "context" => Self::Context,
            _ => panic!("--kind is episodes, experience, lessons or context, not `{name}`"),
        }
    }

    fn is_of_facts(self) -> bool {
        matches!(self, Self::Lessons | Self::Context)
    }

    /// The documents as far as a memory of the kind takes them: everybody searches the same texts.
    pub(crate) fn cut(self, set: &Set) -> Set {
        let mut set = set.clone();
        for (_, text) in &mut set.documents {
            if self.is_of_facts() {
                let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
                *text = line[..line.floor_char_boundary(RULE_BYTES)].to_owned();
            } else {
                text.truncate(text.floor_char_boundary(16 << 10));
            }
        }
        set
    }

    /// Keeps the documents of a set. Returns the names of those that have ids of their own.
    pub(crate) fn keep(self, engine: &Engine, set: &Set, aged: bool) -> BTreeMap<String, String> {
        if self == Self::Experience {
            // All of them are searched.
            let settings = Experience::settings(engine).expect("settings");
            let all = ExperienceSettings {
                max_size: 10_000,
                ..settings
            };
            engine.configure(&all).expect("settings");
        }
        let mut named = BTreeMap::new();
        for (number, (id, text)) in set.documents.iter().enumerate() {
            if self.is_of_facts() {
                let lesson = engine.propose(&fact(text)).expect("a lesson");
                named.insert(lesson.id, id.clone());
            } else {
                let session = &set.sessions[number];
                let episode = episode(number, id, text, session, aged);
                engine.add(&episode).expect("an episode");
            }
        }
        named
    }

    /// The ids of the ten that are found for a text.
    pub(crate) fn found(self, engine: &Engine, text: &str) -> Vec<String> {
        let (text, limit) = (text.to_owned(), Some(10));
        match self {
            Self::Episodes => {
                let query = EpisodeQuery {
                    text,
                    limit,
                    ..EpisodeQuery::default()
                };
                let hits = Episodes::search(engine, &query).expect("an answer");
                hits.into_iter().map(|hit| hit.episode.id).collect()
            }
            Self::Experience => {
                let query = ExperienceQuery {
                    text,
                    memory_type: None,
                    tag: None,
                    domain: None,
                    limit,
                };
                let hits = Experience::search(engine, &query).expect("an answer");
                hits.into_iter().map(|hit| hit.entry.id).collect()
            }
            Self::Lessons => {
                let task = TaskContext {
                    task: text,
                    limit,
                    ..TaskContext::default()
                };
                let hints = engine.for_task(&task).expect("an answer");
                hints.into_iter().map(|hint| hint.lesson.id).collect()
            }
            Self::Context => {
                let request = ContextRequest {
                    task: text,
                    limit,
                    domain: "bench".to_owned(),
                    tokens: Some(100_000),
                    ..ContextRequest::default()
                };
                let bundle = engine.context(&request).expect("an answer");
                let items = bundle.domain_knowledge.into_iter();
                items.map(|item| item.id).collect()
            }
        }
    }
}

fn fact(text: &str) -> LessonCandidate {
    LessonCandidate {
        rule_text: text.to_owned(),
        trigger_fingerprints: Vec::new(),
        trigger_texts: Vec::new(),
        tags: Vec::new(),
        scope_hint: Some(Scope::Global),
        kind: Some(LessonKind::Fact),
        domain: None,
        task: None,
        run: None,
        steps: Vec::new(),
        source: None,
    }
}

fn episode(number: usize, id: &str, text: &str, session: &str, aged: bool) -> NewEpisode {
    // A sequence that repeats late and is the same everywhere.
    let chance = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let age = if aged { chance % 170 } else { 0 };
    let failed = aged && chance.is_multiple_of(3);
    NewEpisode {
        id: Some(id.to_owned()),
        task: text.to_owned(),
        domain: "bench".to_owned(),
        ended_at: Some(NOW - age * DAY),
        outcome: if failed {
            Outcome::Failure
        } else {
            Outcome::Success
        },
        session: Some(session.to_owned()).filter(|session| !session.is_empty()),
        agent: None,
        task_type: None,
        tools_used: Vec::new(),
        strategies_applied: Vec::new(),
        tags: Vec::new(),
        summary: None,
        started_at: None,
        score: None,
        trace: Vec::new(),
        account: None,
    }
}
