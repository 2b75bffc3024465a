//! Context for a task: what comes, what stays away, and how well it fits.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use support::{World, ending, failure, run, success};
use twiceshy_engine::{Engine, text};
use twiceshy_wit::memory::*;

const CORPUS: &str = include_str!("corpus/context.txt");

/// A memory of the corpus.
struct Known {
    kind: &'static str,
    name: &'static str,
    text: &'static str,
}

/// A task of the corpus and what helps with it.
struct Labelled {
    part: &'static str,
    task: &'static str,
    helps: BTreeSet<&'static str>,
}

fn corpus() -> (Vec<Known>, Vec<Labelled>) {
    let (mut memories, mut tasks) = (Vec::new(), Vec::new());
    for line in CORPUS.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<_> = line.splitn(3, '|').map(str::trim).collect();
        match parts[0] {
            part @ ("tune" | "held") => tasks.push(Labelled {
                part,
                task: parts[1],
                helps: parts[2].split_whitespace().collect(),
            }),
            kind => memories.push(Known {
                kind,
                name: parts[1],
                text: parts[2],
            }),
        }
    }
    (memories, tasks)
}

fn request(task: &str) -> ContextRequest {
    ContextRequest {
        task: task.to_owned(),
        domain: "cli".to_owned(),
        task_type: None,
        work: None,
        action: None,
        features: Vec::new(),
        limit: None,
        tokens: None,
    }
}

fn rule(rule: &str, kind: LessonKind) -> LessonCandidate {
    LessonCandidate {
        rule_text: rule.to_owned(),
        trigger_texts: Vec::new(),
        kind: Some(kind),
        ..support::proposal("", "")
    }
}

/// Work that is remembered as an episode of this name.
fn episode(engine: &Engine, name: &str, task: &str, outcome: Outcome) {
    let new = NewRun {
        id: Some(name.to_owned()),
        ..run(task)
    };
    let open = engine.start(&new).unwrap();
    engine.observe(&open.id, &success("work")).unwrap();
    let ending = Ending {
        outcome: Some(outcome),
        ..ending()
    };
    engine.finish(&open.id, &ending).unwrap();
}

fn skill(engine: &Engine, slug: &str, title: &str) -> Result<(), Error> {
    let markdown = format!(
        "# Skill: {title}\n\n## Prerequisites\n- none\n\n## Steps\n1. Begin with the smallest part\n2. Check it\n\n\
         ## Common Errors & Fixes\n- none: nothing\n\n## Exit Criteria\n- done\n"
    );
    engine.put(slug, &markdown).map(|_| ())
}

/// A memory that holds the corpus, and the names by id.
fn filled(world: &World) -> BTreeMap<String, &'static str> {
    let engine = world.engine();
    let mut names = BTreeMap::new();
    for memory in corpus().0 {
        let kind = match memory.kind {
            "episode+" | "episode-" => {
                let outcome = match memory.kind {
                    "episode+" => Outcome::Success,
                    _ => Outcome::Failure,
                };
                episode(&engine, memory.name, memory.text, outcome);
                names.insert(memory.name.to_owned(), memory.name);
                continue;
            }
            "skill" => {
                skill(&engine, memory.name, memory.text).unwrap();
                names.insert(memory.name.to_owned(), memory.name);
                continue;
            }
            "avoid" => LessonKind::AntiPattern,
            "fact" => LessonKind::Fact,
            _ => LessonKind::Rule,
        };
        let lesson = engine.propose(&rule(memory.text, kind)).unwrap();
        names.insert(lesson.id, memory.name);
    }
    names
}

/// All memories of a bundle, what to avoid among them, best fit first.
fn items(bundle: &TaskBundle) -> Vec<&ContextItem> {
    let mut items: Vec<_> = [
        &bundle.applicable_patterns,
        &bundle.similar_episodes,
        &bundle.domain_knowledge,
        &bundle.applicable_skills,
        &bundle.avoid_these,
    ]
    .into_iter()
    .flatten()
    .collect();
    items.sort_by(|left, right| right.fit.total_cmp(&left.fit));
    items
}

/// The five memories that are best by words alone: BM25 over all of them.
fn by_words(memories: &[Known], task: &str) -> Vec<&'static str> {
    let documents: Vec<_> = memories
        .iter()
        .map(|memory| match memory.kind {
            "skill" => text::terms(&format!("{} {}", memory.name, memory.text)),
            _ => text::terms(memory.text),
        })
        .collect();
    let mean = documents.iter().map(Vec::len).sum::<usize>() as f64 / documents.len() as f64;
    let number = documents.len() as f64;
    let mut scored: Vec<_> = memories
        .iter()
        .zip(&documents)
        .map(|(memory, document)| {
            let score: f64 = text::telling(task)
                .iter()
                .map(|term| {
                    let often = document.iter().filter(|one| *one == term).count() as f64;
                    let holding = documents.iter().filter(|one| one.contains(term)).count() as f64;
                    let rarity = (1.0 + (number - holding + 0.5) / (holding + 0.5)).ln();
                    let length = 1.2 * (0.25 + 0.75 * document.len() as f64 / mean);
                    rarity * often * 2.2 / (often + length)
                })
                .sum();
            (score, memory.name)
        })
        .filter(|(score, _)| *score > 0.0)
        .collect();
    scored.sort_by(|left, right| right.0.total_cmp(&left.0));
    scored.into_iter().take(5).map(|(_, name)| name).collect()
}

/// Precision and recall over some answers: right ones of those given, and of those that there are.
#[derive(Default, Clone, Copy)]
struct Quality {
    given: usize,
    right: usize,
    there: usize,
}

impl Quality {
    fn add(&mut self, given: &[&str], helps: &BTreeSet<&str>) {
        self.given += given.len();
        self.right += given.iter().filter(|name| helps.contains(*name)).count();
        self.there += helps.len();
    }

    fn precision(self) -> f64 {
        self.right as f64 / self.given.max(1) as f64
    }

    fn recall(self) -> f64 {
        self.right as f64 / self.there.max(1) as f64
    }

    fn f1(self) -> f64 {
        let (precision, recall) = (self.precision(), self.recall());
        2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE)
    }
}

#[test]
fn the_bundle_is_better_than_the_best_five_by_words() {
    let world = World::new();
    let names = filled(&world);
    let (memories, tasks) = corpus();
    assert!(tasks.len() >= 60, "{}", tasks.len());
    for part in ["tune", "held"] {
        let (mut ours, mut plain) = (Quality::default(), Quality::default());
        for labelled in tasks.iter().filter(|labelled| labelled.part == part) {
            let bundle = world.engine().context(&request(labelled.task)).unwrap();
            let given: Vec<_> = items(&bundle)
                .iter()
                .take(5)
                .map(|item| names[&item.id])
                .collect();
            let five = by_words(&memories, labelled.task);
            ours.add(&given, &labelled.helps);
            plain.add(&five, &labelled.helps);
            if std::env::var_os("SHOW").is_some() {
                println!("{}", labelled.task);
                for item in items(&bundle) {
                    let name = names[&item.id];
                    let mark = if labelled.helps.contains(name) {
                        '+'
                    } else {
                        '-'
                    };
                    println!("   {mark} {:.2} {name}: {}", item.fit, item.why);
                }
                let missing: Vec<_> = labelled
                    .helps
                    .iter()
                    .filter(|name| !given.contains(*name))
                    .collect();
                println!("   missing {missing:?}; by words {five:?}");
            }
        }
        for (name, quality) in [("bundle", ours), ("by words", plain)] {
            println!(
                "{part} {name}: precision {:.3} recall {:.3} F1 {:.3}",
                quality.precision(),
                quality.recall(),
                quality.f1()
            );
        }
        assert!(ours.precision() > plain.precision() + 0.2, "{part}");
        assert!(ours.recall() >= plain.recall(), "{part}");
    }
}
