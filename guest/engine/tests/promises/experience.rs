//! Experience: its settings in force, its ids, its cards, what survives a merge, and the whole round of a task.

use twiceshy_wit::memory::{
    Ending, Exchange, Experience, ExperienceEntry, ExperienceQuery, ExperienceSettings,
    ExportRequest, FeedbackType, ImportRequest, LineKind, MemoryType, NewExperience, Outcome, Runs,
    StructuredFeedback,
};

use crate::support::{DAY, World, run, success};

fn new(input: &str, output: &str) -> NewExperience {
    NewExperience {
        input: input.to_owned(),
        output: output.to_owned(),
        feedback: "success".to_owned(),
        ..NewExperience::default()
    }
}

fn evolve(world: &World, new: &NewExperience) -> ExperienceEntry {
    world.pass(1_000);
    world.engine().evolve(new).unwrap().entry
}

fn configure(world: &World, change: impl FnOnce(&mut ExperienceSettings)) {
    let mut settings = Experience::settings(&world.engine()).unwrap();
    change(&mut settings);
    world.engine().configure(&settings).unwrap();
}

fn query(text: &str) -> ExperienceQuery {
    ExperienceQuery {
        text: text.to_owned(),
        memory_type: None,
        tag: None,
        domain: None,
        limit: None,
    }
}

/// Tasks that have little in common.
fn task(number: usize) -> String {
    let word = |at: usize| char::from(b'a' + (number / 26_usize.pow(at as u32) % 26) as u8);
    let word: String = (0..2).flat_map(|at| [word(at); 5]).collect();
    format!("{word} {number}")
}

#[test]
fn the_window_has_twenty_of_the_newest_unless_its_size_is_set() {
    let world = World::new();
    configure(&world, |settings| settings.enable_smart_prune = false);
    for number in 0..25 {
        evolve(&world, &new(&task(number), "done"));
    }
    let window = || -> Vec<String> {
        let window = world.engine().recent_window().unwrap();
        window.into_iter().map(|entry| entry.input).collect()
    };
    let newest = |count: usize| -> Vec<String> { (25 - count..25).rev().map(task).collect() };
    assert_eq!(window(), newest(20));
    configure(&world, |settings| settings.window_size = 3);
    assert_eq!(window(), newest(3));
}

#[test]
fn the_summaries_of_the_window_are_context_in_full() {
    let world = World::new();
    configure(&world, |settings| {
        settings.enable_rag = false;
        settings.window_size = 3;
    });
    for number in 0..5 {
        evolve(&world, &new(&task(number), &format!("answer {number}")));
    }
    let window = world.engine().recent_window().unwrap();
    let ids: Vec<_> = window.iter().map(|entry| entry.id.clone()).collect();
    let context = world.engine().synthesize("whatever comes", &ids).unwrap();
    assert_eq!(context.entries, ids);
    for entry in &window {
        assert!(context.text.contains(&entry.summary), "{}", context.text);
    }
    assert!(!context.text.contains("answer 1"), "{}", context.text);
}

#[test]
fn relevance_falls_by_the_decay_of_each_day_and_a_decay_out_of_range_is_refused() {
    let world = World::new();
    let id = evolve(&world, &new("sort the invoices", "sort -k2")).id;
    let relevance = || {
        Experience::get(&world.engine(), &id)
            .unwrap()
            .relevance_score
    };
    assert!((relevance() - 1.0).abs() < 1e-9);
    world.pass(DAY);
    assert!((relevance() - 0.99).abs() < 1e-9, "{}", relevance());
    world.pass(9 * DAY);
    assert!((relevance() - 0.99_f64.powi(10)).abs() < 1e-9);
    configure(&world, |settings| settings.relevance_decay = 0.5);
    assert!((relevance() - 0.5_f64.powi(10)).abs() < 1e-9);
    for decay in [0.0, 1.0] {
        configure(&world, |settings| settings.relevance_decay = decay);
    }
    for decay in [-0.01, 1.01, f64::INFINITY] {
        let settings = ExperienceSettings {
            relevance_decay: decay,
            ..Experience::settings(&world.engine()).unwrap()
        };
        assert!(world.engine().configure(&settings).is_err(), "{decay}");
    }
}

#[test]
fn every_experience_has_an_id_of_its_own() {
    let world = World::new();
    configure(&world, |settings| settings.enable_smart_prune = false);
    let engine = world.engine();
    // The same words at the same moment.
    let ids: std::collections::BTreeSet<_> = (0..5)
        .map(|_| {
            engine
                .evolve(&new("sort the invoices", "sort -k2"))
                .unwrap()
        })
        .map(|evolution| evolution.entry.id)
        .collect();
    assert_eq!(ids.len(), 5);
    for id in &ids {
        assert_eq!(&Experience::get(&engine, id).unwrap().id, id);
    }
}

#[test]
fn a_card_is_made_of_a_success_and_of_nothing_else() {
    let card = |outcome: Outcome| {
        let world = World::new();
        let ending = Ending {
            outcome: Some(outcome),
            score: None,
            referee: None,
        };
        let steps = [success("sort -k2 invoices.csv")];
        let submitted = world
            .engine()
            .submit(&run("sort the invoices"), &steps, &ending)
            .unwrap();
        let entry = Experience::get(&world.engine(), &submitted.episode.id).unwrap();
        entry.strategy_card
    };
    assert_eq!(
        card(Outcome::Success),
        "When confronted with sort the invoices, do sort -k2 invoices.csv."
    );
    for outcome in [Outcome::Failure, Outcome::Partial, Outcome::Abandoned] {
        assert_eq!(card(outcome), "", "{outcome:?}");
    }
}

#[test]
fn what_no_longer_fits_into_a_merged_summary_stays_with_the_entry_that_was_merged() {
    let world = World::new();
    let long = |letter: &str| NewExperience {
        summary: Some(letter.repeat(3_000)),
        ..new("sort the invoice table", "sort -k1")
    };
    let first = evolve(&world, &long("a"));
    let merged = evolve(&world, &long("b"));
    assert_eq!(merged.merged_from, std::slice::from_ref(&first.id));
    assert!(!merged.summary.contains('a'), "4 KiB are kept of a summary");
    let absorbed = Experience::get(&world.engine(), &first.id).unwrap();
    assert!(absorbed.archived);
    assert_eq!(absorbed.summary, "a".repeat(3_000));
}

#[test]
fn entries_of_another_memory_are_taken_in_with_what_they_say() {
    let world = World::new();
    let line = serde_json::json!({
        "id": "mem-7", "input": "solve a quadratic equation", "output": "x = 2", "feedback": "success",
        "summary": "use the formula", "raw_trace": "tried factoring first", "created_at": "2024-01-01T00:00:00Z",
        "structured_feedback": {"kind": "success", "correct": true, "progress_rate": 1.0, "steps_used": 3, "steps_optimal": 2, "message": "fine"},
        "memory_type": "procedural", "strategy_card": "When confronted with a quadratic equation, do apply the formula.",
        "metadata": {"domain": "maths", "tries": 2}, "tags": ["equation"], "access_count": 9, "embedding": [0.1, 0.2],
    });
    let request = ImportRequest {
        text: format!("{line}\n"),
        check_only: None,
    };
    let taken = world
        .engine()
        .import_lines(LineKind::Experience, &request)
        .unwrap();
    assert_eq!((taken.records, taken.added), (1, 1));
    let entry = world.engine().entries(None, 10).unwrap().remove(0);
    assert_eq!(
        (
            entry.input.as_str(),
            entry.output.as_str(),
            entry.feedback.as_str()
        ),
        ("solve a quadratic equation", "x = 2", "success")
    );
    assert_eq!(entry.summary, "use the formula");
    assert_eq!(entry.raw_trace, "tried factoring first");
    assert_eq!(entry.memory_type, MemoryType::Procedural);
    assert_eq!(entry.strategy_card, line["strategy_card"]);
    assert_eq!(entry.tags, ["equation"]);
    let numbers = entry.structured_feedback.expect("numbers");
    assert_eq!((numbers.steps_used, numbers.steps_optimal), (3, Some(2)));
    let metadata: Vec<_> = entry
        .metadata
        .iter()
        .map(|one| (one.name.as_str(), one.value.as_str()))
        .collect();
    assert_eq!(metadata, [("domain", "maths"), ("tries", "2")]);
    // It is a new entry of this memory: ids, counts and vectors of another one mean nothing here.
    assert_ne!(entry.id, "mem-7");
    assert_eq!((entry.access_count, entry.has_embedding), (0, false));
    // What is given out afterwards comes back whole.
    let all = ExportRequest { after: None };
    let out = world
        .engine()
        .export_lines(LineKind::Experience, &all)
        .unwrap();
    let other = World::new();
    let request = ImportRequest {
        text: out.text.clone(),
        check_only: None,
    };
    other
        .engine()
        .import_lines(LineKind::Experience, &request)
        .unwrap();
    let again = other
        .engine()
        .export_lines(LineKind::Experience, &all)
        .unwrap();
    assert_eq!(again.text, out.text);
}

#[test]
fn a_task_goes_round_by_search_count_type_context_answer_and_merge() {
    let world = World::new();
    let engine = world.engine();
    configure(&world, |settings| settings.max_size = 6);
    for number in 0..5 {
        evolve(&world, &new(&task(number), "done"));
    }
    let card = "When confronted with an invoice table, do sort -k2.";
    let known = evolve(
        &world,
        &NewExperience {
            strategy_card: Some(card.to_owned()),
            ..new("sort the invoice table", "sort -k2")
        },
    );
    // Search: four at most, the most alike first; then the accesses are counted.
    let hits = Experience::search(&engine, &query("sort an invoice table")).unwrap();
    assert!(hits.len() <= 4);
    assert_eq!(hits[0].entry.id, known.id);
    let counted = Experience::get(&engine, &known.id).unwrap().access_count;
    assert_eq!(counted, known.access_count + 1);
    // Context with the card.
    let ids: Vec<_> = hits.iter().map(|hit| hit.entry.id.clone()).collect();
    let context = engine.synthesize("sort an invoice table", &ids).unwrap();
    assert!(context.text.contains(card), "{}", context.text);
    // The answer becomes an experience with summary, card, feedback and type; the one before is merged into it.
    world.pass(1_000);
    let answer = NewExperience {
        structured_feedback: Some(StructuredFeedback {
            kind: FeedbackType::Success,
            correct: true,
            progress_rate: 1.0,
            steps_used: 1,
            steps_optimal: None,
            message: String::new(),
        }),
        ..new("sort the invoice table", "sort -k2 | uniq")
    };
    let evolution = engine.evolve(&answer).unwrap();
    let entry = &evolution.entry;
    assert_eq!(evolution.merged, [known.id]);
    assert!(!entry.summary.is_empty() && !entry.strategy_card.is_empty());
    assert_eq!(entry.structured_feedback, answer.structured_feedback);
    assert_eq!(entry.memory_type, MemoryType::Episodic);
    assert_eq!(evolution.pruned, [""; 0], "six fit");
    // One more than fits: the least relevant goes, never the one that was found.
    let evolution = engine.evolve(&new(&task(9), "done")).unwrap();
    assert_eq!(evolution.pruned.len(), 1);
    assert!(!evolution.pruned.contains(&entry.id));
}
