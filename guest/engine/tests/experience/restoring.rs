//! What was archived, and the way back.

use super::*;

fn restore(world: &World, id: &str) -> Evolution {
    Experience::restore(&world.engine(), id).expect("restored")
}

fn archived(world: &World) -> Vec<String> {
    let entries = world.engine().archived(100).expect("listed");
    assert!(entries.iter().all(|entry| entry.archived));
    entries.into_iter().map(|entry| entry.id).collect()
}

fn is_found(world: &World, task: &str, id: &str) -> bool {
    search(world, task).iter().any(|hit| hit.entry.id == id)
}

#[test]
fn a_pruned_entry_is_found_again_after_it_is_restored() {
    for embeds in [false, true] {
        let world = World::new();
        world.embeds.set(embeds);
        let ids: Vec<_> = TASKS[..3]
            .iter()
            .map(|task| {
                world.pass(DAY);
                evolve(&world, task, "a", "success").entry.id
            })
            .collect();
        assert_eq!(archived(&world), [""; 0]);
        configure(&world, |settings| settings.max_size = 1);
        assert_eq!(archived(&world), [ids[1].clone(), ids[0].clone()]);
        let evolution = restore(&world, &ids[0]);
        assert!(!evolution.entry.archived);
        assert_eq!(evolution.entry.has_embedding, embeds);
        assert_eq!(evolution.pruned, [ids[2].clone()], "room is made for it");
        assert_eq!(archived(&world), [ids[2].clone(), ids[1].clone()]);
        assert!(is_found(&world, TASKS[0], &ids[0]));
        let stats = world.engine().stats_of();
        assert_eq!((stats.total_entries, stats.archived_entries), (1, 2));
        assert_eq!(world.engine().verify().expect("looked at"), []);
    }
}

#[test]
fn the_entry_of_a_run_is_made_again_as_it_was() {
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
    assert_eq!(archived(&world), [ids[0].clone()]);
    let restored = restore(&world, &ids[0]).entry;
    assert_eq!((restored.access_count, restored.archived), (1, false));
    let as_before = ExperienceEntry {
        access_count: before.access_count,
        last_accessed_at: before.last_accessed_at,
        relevance_score: before.relevance_score,
        ..restored
    };
    assert_eq!(as_before, before);
    assert!(is_found(&world, TASKS[0], &ids[0]));
    assert_eq!(archived(&world), [ids[1].clone()]);
}

#[test]
fn a_merged_entry_leaves_those_that_took_it_in() {
    let world = World::new();
    let task = "sort the invoice table";
    let ids: Vec<_> = ["sort -k1", "sort -k2", "sort -k3"]
        .iter()
        .map(|answer| {
            world.pass(1_000);
            evolve(&world, task, answer, "success").entry.id
        })
        .collect();
    assert_eq!(archived(&world), [ids[1].clone(), ids[0].clone()]);
    let restored = restore(&world, &ids[0]).entry;
    assert_eq!(
        (restored.merged_into, restored.output.as_str()),
        (None, "sort -k1")
    );
    assert_eq!(entry(&world, &ids[2]).merged_from, [ids[1].clone()]);
    assert_eq!(entry(&world, &ids[1]).merged_from, [""; 0]);
    assert_eq!(entry(&world, &ids[1]).merged_into, Some(ids[2].clone()));
    assert!(is_found(&world, task, &ids[0]) && is_found(&world, task, &ids[2]));
    assert_eq!(world.engine().verify().expect("looked at"), []);
}

#[test]
fn what_was_restored_is_not_the_next_to_be_pruned() {
    for smart in [true, false] {
        let world = World::new();
        let old = evolve(&world, TASKS[0], "a", "success").entry.id;
        for task in &TASKS[1..3] {
            world.pass(100 * DAY);
            evolve(&world, task, "a", "success");
        }
        configure(&world, |settings| {
            settings.enable_smart_prune = smart;
            settings.max_size = 2;
        });
        assert_eq!(archived(&world), std::slice::from_ref(&old));
        world.pass(DAY);
        assert!(!restore(&world, &old).pruned.contains(&old));
        world.pass(DAY);
        let next = evolve(&world, TASKS[3], "a", "success");
        assert!(
            !next.pruned.is_empty() && !next.pruned.contains(&old),
            "{smart}"
        );
    }
}

#[test]
fn restoring_what_is_searched_changes_nothing_and_what_is_not_there_is_refused() {
    let world = World::new();
    let id = evolve(&world, TASKS[0], "a", "success").entry.id;
    let before = entry(&world, &id);
    assert_eq!(restore(&world, &id).entry, before);
    assert_eq!(entry(&world, &id), before);
    for unknown in ["exp_none", "", "a\0b"] {
        let error = Experience::restore(&world.engine(), unknown).expect_err("refused");
        assert!(matches!(error, Error::NotFound(_)), "{error:?}");
    }
    let engine = world.engine();
    engine.soft_delete(&id, "wrong").expect("deleted");
    assert_eq!(archived(&world), [""; 0], "deleted ones are not listed");
    let error = Experience::restore(&engine, &id).expect_err("refused");
    assert!(error.message().contains("episodes.undelete"), "{error:?}");
    engine.undelete(&id).expect("brought back");
    assert_eq!(restore(&world, &id).entry.id, id);
}
