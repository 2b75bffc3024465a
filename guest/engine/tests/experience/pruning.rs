//! Merging, pruning, edits, and the figures that advise them.

use super::*;

#[test]
fn near_duplicates_are_merged_and_nothing_of_them_is_lost() {
    for embeds in [false, true] {
        let world = World::new();
        world.embeds.set(embeds);
        let first = NewExperience {
            tags: vec!["one".to_owned()],
            metadata: vec![Metadata {
                name: "ticket".to_owned(),
                value: "7".to_owned(),
            }],
            raw_trace: Some("tried -k1".to_owned()),
            ..new("sort the invoice table", "sort -k1", "success")
        };
        let first = world.engine().evolve(&first).expect("taken in").entry;
        let other = evolve(&world, TASKS[1], "b", "success").entry;
        search(&world, "sort the invoice table");
        world.pass(DAY);
        let second = evolve(&world, "sort the Invoice table", "sort -k2", "success");
        let merged = &second.entry;
        assert_eq!(second.merged, std::slice::from_ref(&first.id), "{embeds}");
        assert_eq!(merged.merged_from, std::slice::from_ref(&first.id));
        assert_eq!(
            merged.summary,
            "success: sort the Invoice table → sort -k2\n\nsuccess: sort the invoice table → sort -k1"
        );
        assert_eq!(
            (merged.access_count, merged.last_accessed_at),
            (1, Some(START))
        );
        assert_eq!(
            (merged.tags.as_slice(), merged.metadata.len()),
            (&["one".to_owned()][..], 1)
        );
        assert_eq!(merged.raw_trace, "tried -k1");
        assert_eq!(
            merged.strategy_card,
            "When confronted with sort the Invoice table, do sort -k2."
        );
        let absorbed = entry(&world, &first.id);
        assert!(absorbed.archived);
        assert_eq!(absorbed.merged_into.as_deref(), Some(merged.id.as_str()));
        assert_eq!(absorbed.output, "sort -k1");
        assert!(!entry(&world, &other.id).archived);
        let hits = search(&world, "sort the invoice table");
        assert_eq!(hits[0].entry.id, merged.id);
        assert!(
            (hits[0].score - 1.0).abs() < 1e-9,
            "found by the task, not by the summary"
        );
        let third = evolve(&world, "sort the invoice table", "sort -k2", "success");
        assert_eq!(third.entry.merged_from, [merged.id.clone(), first.id]);
        assert_eq!(
            third.entry.summary.matches("→ sort -k1").count(),
            1,
            "said once"
        );
        assert_eq!(logged(&world, "evolving_memory_smart_merged").len(), 2);
        assert_eq!(world.engine().verify().expect("looked at"), []);
    }
}

#[test]
fn only_same_outcomes_merge_and_a_success_is_never_displaced() {
    let world = World::new();
    let task = "sort the invoice table";
    let failed = evolve(&world, task, "sort -k1", "failure").entry;
    let success = evolve(&world, task, "sort -k2", "success");
    assert!(success.merged.is_empty());
    assert_eq!(
        success.entry.strategy_card,
        "When confronted with sort the invoice table, do sort -k2. Avoid sort -k1."
    );
    for (output, feedback) in [("sort -k3", "failure"), ("sort -k4", "")] {
        let other = evolve(&world, task, output, feedback);
        assert!(!other.merged.contains(&success.entry.id), "{feedback}");
        assert!(!entry(&world, &success.entry.id).archived, "{feedback}");
    }
    // The failures became one, and what nobody judged gives way to the next success.
    assert!(entry(&world, &failed.id).archived);
    let again = evolve(&world, task, "sort -k2", "success");
    assert_eq!(again.merged.len(), 2, "{:?}", again.merged);
    let found = search(&world, task);
    let outputs: Vec<_> = found.iter().map(|hit| hit.entry.output.as_str()).collect();
    assert_eq!(outputs, ["sort -k2", "sort -k3"]);
}

#[test]
fn tasks_are_compared_in_order() {
    for embeds in [false, true] {
        let world = World::new();
        world.embeds.set(embeds);
        let there = "copy the database from staging to production";
        let back = "copy the database from production to staging";
        let first = evolve(&world, there, "pump up", "success").entry;
        let second = evolve(&world, back, "pump down", "success");
        assert!(second.merged.is_empty(), "{embeds}");
        let hits = search(&world, there);
        assert_eq!(hits[0].entry.id, first.id);
        assert!(hits[0].score > 0.99 && hits[1].score <= 0.5, "{embeds}");
    }
}

#[test]
fn a_synthesis_says_each_thing_once() {
    let world = World::new();
    let told = evolve(&world, TASKS[0], "sort -k2 invoices.csv", "success").entry;
    let failed = evolve(&world, TASKS[1], "restart the proxy", "failure").entry;
    let engine = world.engine();
    let text = engine
        .synthesize("sort invoices", &[told.id, failed.id])
        .expect("context")
        .text;
    for once in [
        TASKS[0],
        "sort -k2 invoices.csv",
        TASKS[1],
        "restart the proxy",
    ] {
        assert_eq!(text.matches(once).count(), 1, "{once}: {text}");
    }
}

#[test]
fn without_retrieval_a_run_is_shown_the_newest_experiences() {
    let world = World::new();
    configure(&world, |settings| settings.enable_rag = false);
    evolve(&world, TASKS[1], "gate up", "success");
    let engine = world.engine();
    let open = engine.start(&run("count the sheep")).expect("a run");
    let request = BriefingRequest {
        limit: None,
        tokens: None,
    };
    let briefing = engine.brief(&open.id, &request).expect("a briefing");
    assert!(briefing.text.contains(TASKS[1]), "{}", briefing.text);
}

#[test]
fn the_threshold_says_what_a_duplicate_is_and_without_smart_pruning_there_is_none() {
    let world = World::new();
    evolve(&world, "sort the invoice table by date", "a", "success");
    // 3 of 4 words on both sides: 0.75.
    let near = "sort the invoice table by name";
    assert!(evolve(&world, near, "b", "success").merged.is_empty());
    configure(&world, |settings| settings.prune_threshold = 0.75);
    let merged = evolve(&world, near, "c", "success").merged;
    assert_eq!(merged.len(), 2);
    configure(&world, |settings| settings.enable_smart_prune = false);
    assert!(evolve(&world, near, "d", "success").merged.is_empty());
}

#[test]
fn beyond_the_size_the_least_relevant_are_archived() {
    let world = World::new();
    let ids: Vec<_> = TASKS[..3]
        .iter()
        .map(|task| {
            world.pass(DAY);
            evolve(&world, task, "a", "success").entry.id
        })
        .collect();
    world.pass(DAY);
    search(&world, TASKS[0]);
    configure(&world, |settings| settings.max_size = 3);
    let evolution = evolve(&world, TASKS[3], "a", "success");
    // The oldest was found today, so the second one is worth least: 0.99² < 0.99¹ < 1 + 0.1·ln 2.
    assert_eq!(evolution.pruned, [ids[1].clone()]);
    assert!(entry(&world, &ids[1]).archived && !entry(&world, &ids[0]).archived);
    assert_eq!(entry(&world, &ids[1]).merged_into, None);
    assert!(search(&world, TASKS[1]).is_empty());
    assert!(
        Episodes::get(&world.engine(), &ids[1]).is_ok(),
        "nothing is deleted"
    );
    let told = logged(&world, "evolving_memory_relevance_pruned");
    assert_eq!(told.len(), 1, "{told:?}");
    // Asking and pruning again changes nothing: a score is never compounded.
    let before = entry(&world, &ids[0]).relevance_score;
    assert!(world.engine().engine_prune().is_empty());
    assert_eq!(entry(&world, &ids[0]).relevance_score, before);
}

#[test]
fn of_a_pruned_entry_that_its_episode_says_all_of_nothing_is_kept_and_it_can_be_read() {
    let world = World::new();
    let engine = world.engine();
    let mut ids = Vec::new();
    for task in &TASKS[..2] {
        world.pass(DAY);
        let steps = [
            failure("grid --rows", "grid: odd option"),
            success("grid rows=5"),
        ];
        let ended = engine.submit(&run(task), &steps, &ending()).expect("a run");
        ids.push(ended.episode.id);
    }
    let before = entry(&world, &ids[0]);
    configure(&world, |settings| settings.max_size = 1);
    let count = |kind: &str| world.store.count(kind, &[]).expect("counted");
    assert_eq!((count("experience"), count("experience-use")), (1, 0));
    let after = entry(&world, &ids[0]);
    assert!(after.archived && !before.archived);
    let unchanged = ExperienceEntry {
        archived: false,
        relevance_score: before.relevance_score,
        ..after
    };
    assert_eq!(unchanged, before);
    let stats = engine.stats_of();
    assert_eq!((stats.total_entries, stats.archived_entries), (1, 1));
    assert!(search(&world, TASKS[0]).is_empty());
    assert_eq!(engine.verify().expect("looked at"), []);
}

#[test]
fn what_is_below_the_least_relevance_goes_first() {
    let world = World::new();
    let old: Vec<_> = TASKS[..2]
        .iter()
        .map(|task| evolve(&world, task, "a", "success").entry.id)
        .collect();
    world.pass(231 * DAY);
    for task in &TASKS[2..4] {
        evolve(&world, task, "a", "success");
    }
    assert!(entry(&world, &old[0]).relevance_score < 0.1);
    assert!(!entry(&world, &old[0]).archived, "not while there is room");
    configure(&world, |settings| settings.max_size = 4);
    let mut pruned = evolve(&world, TASKS[4], "a", "success").pruned;
    pruned.sort();
    let mut expected = old;
    expected.sort();
    assert_eq!(pruned, expected, "both, though one would do");
}

#[test]
fn without_smart_pruning_the_oldest_go() {
    let world = World::new();
    configure(&world, |settings| {
        settings.enable_smart_prune = false;
        settings.max_size = 2;
    });
    let mut ids = Vec::new();
    for task in &TASKS[..3] {
        world.pass(1_000);
        if ids.len() == 2 {
            search(&world, TASKS[0]);
        }
        ids.push(evolve(&world, task, "a", "success"));
    }
    assert_eq!(
        ids[2].pruned,
        [ids[0].entry.id.clone()],
        "though it was used"
    );
    assert_eq!(logged(&world, "evolving_memory_fifo_pruned").len(), 1);
}

#[test]
fn a_smaller_size_holds_at_once() {
    let world = World::new();
    for task in TASKS {
        evolve(&world, task, "a", "success");
    }
    configure(&world, |settings| settings.max_size = 2);
    let stats = world.engine().stats_of();
    assert_eq!((stats.total_entries, stats.archived_entries), (2, 4));
}

#[test]
fn edits_are_made_all_or_none() {
    let world = World::new();
    let ids: Vec<_> = TASKS[..4]
        .iter()
        .map(|task| evolve(&world, task, "a", "success").entry.id)
        .collect();
    search(&world, TASKS[1]);
    let edit = |action, ids: &[&String]| MemoryEdit {
        action,
        ids: ids.iter().map(|id| (*id).clone()).collect(),
        summary: None,
        tag: None,
    };
    let engine = world.engine();
    let tag = MemoryEdit {
        tag: Some("kept".to_owned()),
        ..edit(EditAction::UpdateTag, &[&ids[3]])
    };
    let wrong = [
        tag.clone(),
        edit(EditAction::Prune, &[&"exp_nothing".to_owned()]),
        edit(EditAction::Merge, &[&ids[0]]),
        edit(EditAction::UpdateTag, &[&ids[0]]),
        edit(EditAction::Prune, &[]),
    ];
    let report = engine.apply_edits(&wrong).expect("a report");
    assert_eq!(report.refused.len(), 4, "{report:?}");
    assert!(report.refused[0].contains("edits[1]") && report.refused[0].contains("exp_nothing"));
    assert!(report.tagged.is_empty());
    assert!(
        entry(&world, &ids[3]).tags.is_empty(),
        "nothing was changed"
    );

    let merge = MemoryEdit {
        summary: Some("both".to_owned()),
        ..edit(EditAction::Merge, &[&ids[0], &ids[1]])
    };
    let report = engine
        .apply_edits(&[tag, merge, edit(EditAction::Prune, &[&ids[2]])])
        .expect("a report");
    assert_eq!(report.tagged, [ids[3].clone()]);
    assert_eq!(report.merged, [ids[0].clone()]);
    assert_eq!(report.pruned, [ids[2].clone()]);
    let merged = entry(&world, &ids[0]);
    assert_eq!(
        (merged.summary.as_str(), merged.input.as_str()),
        ("both", TASKS[0])
    );
    assert_eq!(merged.merged_from, [ids[1].clone()]);
    assert_eq!(merged.access_count, 1, "that of the other is carried over");
    assert!(!merged.strategy_card.is_empty());
    assert_eq!(entry(&world, &ids[1]).merged_into.as_ref(), Some(&ids[0]));
    assert!(entry(&world, &ids[2]).archived);
    assert_eq!(entry(&world, &ids[3]).tags, ["kept"]);
    let again = engine.apply_edits(&[edit(EditAction::Prune, &[&ids[2]])]);
    assert!(again.expect("a report").refused[0].contains("archived already"));
}

#[test]
fn statistics_count_what_is_searched() {
    let world = World::new();
    evolve(&world, TASKS[0], "a", "success");
    evolve(&world, TASKS[1], "a", "failure");
    let facts = NewExperience {
        structured_feedback: Some(StructuredFeedback {
            kind: FeedbackType::Partial,
            correct: false,
            progress_rate: 0.5,
            steps_used: 2,
            steps_optimal: None,
            message: String::new(),
        }),
        ..new("The capital of France is Paris", "", "")
    };
    let facts = world.engine().evolve(&facts).expect("taken in").entry;
    assert_eq!(
        facts.feedback, "partial",
        "the older form follows from the newer"
    );
    search(&world, TASKS[0]);
    search(&world, TASKS[0]);
    search(&world, TASKS[1]);
    let stats = world.engine().stats_of();
    assert_eq!(
        (stats.total_entries, stats.archived_entries, stats.max_size),
        (3, 0, 1_000)
    );
    assert_eq!(
        (stats.total_accesses, stats.avg_accesses_per_entry),
        (3, 1.0)
    );
    assert_eq!(stats.entries_with_strategy_card, 1);
    assert_eq!(stats.entries_with_structured_feedback, 1);
    let types: Vec<_> = stats
        .type_distribution
        .iter()
        .map(|one| (one.name.as_str(), one.count))
        .collect();
    assert_eq!(types, [("episodic", 2), ("factual", 1), ("procedural", 0)]);
}

#[test]
fn similarity_is_measured_over_pairs_with_advice() {
    let world = World::new();
    let none = world.engine().similarity_of_tasks().expect("figures");
    assert_eq!((none.pairs, none.average_similarity), (0, 0.0));
    configure(&world, |settings| settings.enable_smart_prune = false);
    for input in ["sort the table", "sort the table", "deploy gateway"] {
        evolve(&world, input, "a", "success");
    }
    let metrics = world.engine().similarity_of_tasks().expect("figures");
    // One pair of three is the same, the others share no word.
    assert_eq!(metrics.pairs, 3);
    assert!((metrics.average_similarity - 1.0 / 3.0).abs() < 1e-9);
    assert!((metrics.cluster_ratio - 2.0 / 3.0).abs() < 1e-9);
    assert!(metrics.pruning_recommendation.contains("somewhat similar"));
    assert_eq!(metrics.domain_distribution[0].count, 3);
    assert_eq!(metrics.type_distribution[0].name, "episodic");
}

#[test]
fn what_is_pruned_by_date_goes_with_its_episode() {
    let world = World::new();
    let id = evolve(&world, TASKS[0], "a", "success").entry.id;
    world.pass(DAY);
    Upkeep::prune(&world.engine(), START + 1, false).expect("pruned");
    assert!(Experience::get(&world.engine(), &id).is_err());
    assert!(Episodes::get(&world.engine(), &id).is_err());
    assert_eq!(world.engine().verify().expect("looked at"), []);
}
