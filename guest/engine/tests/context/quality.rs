//! How well a bundle fits its task, measured on the corpus beside plain search by words.

use super::*;

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
    let mut overall = [Quality::default(); 3];
    for part in ["tune", "held"] {
        let mut measured = [Quality::default(); 3];
        for labelled in tasks.iter().filter(|labelled| labelled.part == part) {
            let bundle = world.engine().context(&request(labelled.task)).unwrap();
            let given: Vec<_> = items(&bundle)
                .iter()
                .take(5)
                .map(|item| names[&item.id])
                .collect();
            let five = by_words(&memories, labelled.task);
            let as_many = &five[..given.len().min(five.len())];
            for (place, answer) in [&given[..], &five[..], as_many].into_iter().enumerate() {
                measured[place].add(answer, &labelled.helps);
                overall[place].add(answer, &labelled.helps);
            }
        }
        told(part, measured);
        let [ours, five, as_many] = measured;
        assert!(ours.precision() > 1.5 * five.precision(), "{part}");
        assert!(ours.f1() > 1.3 * five.f1(), "{part}");
        assert!(ours.precision() > as_many.precision(), "{part}");
        assert!(ours.recall() > as_many.recall(), "{part}");
    }
    told("all", overall);
    let [ours, five, _] = overall;
    assert!(ours.recall() >= five.recall());
}

fn told(part: &str, measured: [Quality; 3]) {
    let names = ["bundle", "five by words", "as many by words"];
    for (name, quality) in names.into_iter().zip(measured) {
        println!(
            "{part}, {name}: precision {:.3} recall {:.3} F1 {:.3}",
            quality.precision(),
            quality.recall(),
            quality.f1()
        );
    }
}

#[test]
fn vectors_of_an_embedder_that_knows_nothing_do_not_drown_what_words_find() {
    let (_, tasks) = corpus();
    let [words, letters] = [false, true].map(|embeds| {
        let world = World::new();
        world.embeds.set(embeds);
        let names = filled(&world);
        let mut quality = Quality::default();
        for labelled in &tasks {
            let bundle = world.engine().context(&request(labelled.task)).unwrap();
            let given: Vec<_> = items(&bundle)
                .iter()
                .take(5)
                .map(|item| names[&item.id])
                .collect();
            quality.add(&given, &labelled.helps);
        }
        quality
    });
    println!(
        "by letters: {:.3} {:.3}",
        letters.precision(),
        letters.recall()
    );
    assert!(letters.recall() > 0.9 * words.recall());
    assert!(letters.precision() > 0.7 * words.precision());
}
