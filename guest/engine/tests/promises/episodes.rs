//! Episodes: the newest, the nearest, and what becomes of old and consolidated ones.

use twiceshy_engine::Engine;
use twiceshy_wit::{
    host::{Order, Query, Store},
    memory::{
        ConsolidationRequest, EpisodeFilter, EpisodeQuery, Episodes, Facet, NewEpisode, Outcome,
        TraceEntry, Upkeep,
    },
};

use crate::support::{DAY, START, World};

fn episode(id: &str, task: &str) -> NewEpisode {
    let entry = |after: u32, action: &str| TraceEntry {
        after,
        action: action.to_owned(),
        target: None,
        result: Some("done".to_owned()),
        error: None,
    };
    NewEpisode {
        id: Some(id.to_owned()),
        task: task.to_owned(),
        domain: "cli".to_owned(),
        session: None,
        agent: None,
        task_type: Some("release".to_owned()),
        tools_used: Vec::new(),
        strategies_applied: Vec::new(),
        tags: Vec::new(),
        summary: None,
        started_at: None,
        ended_at: None,
        outcome: Outcome::Success,
        score: None,
        trace: vec![
            entry(0, "git tag"),
            entry(1_000, "cargo build"),
            entry(2_000, "scp out"),
        ],
        account: None,
    }
}

fn search(engine: &Engine, text: &str) -> Vec<(String, f64)> {
    search_in(engine, text, None)
}

fn search_in(engine: &Engine, text: &str, facet: Option<Facet>) -> Vec<(String, f64)> {
    let query = EpisodeQuery {
        text: text.to_owned(),
        facet,
        limit: Some(100),
        ..EpisodeQuery::default()
    };
    let hits = Episodes::search(engine, &query).unwrap();
    let found = hits
        .into_iter()
        .map(|hit| (hit.episode.id, hit.parts.similarity));
    found.collect()
}

/// How many documents of a kind there are.
fn count(world: &World, kind: &str) -> usize {
    let query = Query {
        kind: kind.to_owned(),
        conditions: Vec::new(),
        order: Order::ById,
        offset: 0,
        limit: 10_000,
    };
    world.store.find(&query).unwrap().len()
}

fn consolidate(world: &World, similarity: f64) {
    let mut request = ConsolidationRequest {
        episode_similarity: Some(similarity),
        ..ConsolidationRequest::default()
    };
    loop {
        let piece = world.engine().consolidate(&request).unwrap();
        match piece.next {
            Some(next) => request.after = Some(next),
            None => return,
        }
    }
}

#[test]
fn the_most_recent_come_first_as_many_as_are_asked_for_within_a_filter() {
    let world = World::new();
    let engine = world.engine();
    for number in 0..30_u64 {
        // Not in the order in which they ended.
        let day = number * 7 % 30;
        let new = NewEpisode {
            ended_at: Some(START - (30 - day) * DAY),
            agent: Some(if day % 2 == 0 { "anna" } else { "ben" }.to_owned()),
            ..episode(&format!("day-{day:02}"), "any")
        };
        engine.add(&new).unwrap();
    }
    let recent = |limit: u32, agent: Option<&str>| -> Vec<String> {
        let filter = EpisodeFilter {
            agent: agent.map(str::to_owned),
            limit: Some(limit),
            ..EpisodeFilter::default()
        };
        let found = Episodes::find(&engine, &filter).unwrap();
        found.into_iter().map(|episode| episode.id).collect()
    };
    assert_eq!(recent(3, None), ["day-29", "day-28", "day-27"]);
    assert_eq!(recent(3, Some("anna")), ["day-28", "day-26", "day-24"]);
    assert_eq!(recent(100, None).len(), 30);
}

#[test]
fn the_twenty_nearest_in_meaning_are_looked_at_whatever_words_they_are_in() {
    let world = World::new();
    world.embeds.set(true);
    let engine = world.engine();
    // The same letters in other words, so that only meaning finds them; and many that are far.
    let near = "listen north";
    for number in 0..20_usize {
        let mut letters: Vec<char> = "silentthorn".chars().collect();
        letters.rotate_left(number % 11);
        letters.insert(5 + number / 11, ' ');
        let task: String = letters.into_iter().collect();
        engine
            .add(&episode(&format!("near-{number:02}"), &task))
            .unwrap();
    }
    for number in 0..60 {
        let task = format!("{} zzz", "q".repeat(number % 7 + 1));
        engine
            .add(&episode(&format!("far-{number:02}"), &task))
            .unwrap();
    }
    let found = search(&engine, near);
    let nearest = found.iter().filter(|(id, _)| id.starts_with("near-"));
    assert_eq!(nearest.count(), 20, "{found:?}");
}

#[test]
fn traces_of_old_episodes_leave_the_store_and_their_summaries_are_still_searched() {
    let world = World::new();
    let engine = world.engine();
    let new = NewEpisode {
        summary: Some("compressed the archive before copying it".to_owned()),
        ..episode("old", "release version 1")
    };
    engine.add(&new).unwrap();
    let before = engine.trace("old", 0).unwrap();
    assert_eq!(count(&world, "step"), 3);
    // It is the age that decides: nothing is due within 180 days.
    world.pass(179 * DAY);
    assert_eq!(engine.age(10, false).unwrap().traces, 0);
    world.pass(2 * DAY);
    assert_eq!(engine.age(10, true).unwrap().traces, 1, "a dry run tells");
    assert_eq!(count(&world, "step"), 3, "and moves nothing");
    assert_eq!(engine.age(10, false).unwrap().traces, 1);
    assert_eq!(count(&world, "step"), 0);
    assert!(engine.lifecycle_of("old").unwrap().cold_trace.is_some());
    let sought = "compressed the archive before copying it";
    let found = search_in(&engine, sought, Some(Facet::Outcome));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(engine.trace("old", 0).unwrap(), before, "and read through");
}

#[test]
fn consolidation_frees_the_store_of_what_the_originals_held_and_keeps_them_readable() {
    let world = World::new();
    let engine = world.engine();
    for number in 1..=3 {
        let id = format!("release-{number}");
        engine
            .add(&episode(&id, "release the next version"))
            .unwrap();
        world.pass(DAY);
    }
    let trace = engine.trace("release-2", 0).unwrap();
    assert_eq!(count(&world, "step"), 9);
    world.pass(31 * DAY);
    consolidate(&world, 0.95);
    assert_eq!(
        count(&world, "step"),
        3,
        "only those of the one that stands for them"
    );
    assert!(!world.archive.borrow().is_empty());
    for id in ["release-2", "release-3"] {
        let lifecycle = engine.lifecycle_of(id).unwrap();
        assert_eq!(lifecycle.consolidated_into.as_deref(), Some("release-1"));
        assert!(lifecycle.cold_trace.is_some());
    }
    assert_eq!(engine.trace("release-2", 0).unwrap(), trace);
    let full = engine.retrieve("release-1").unwrap();
    assert_eq!(full.consolidated.expect("a record").instances, 3);
    assert_eq!(full.lifecycle.referenced_by, ["release-2", "release-3"]);
}

#[test]
fn the_vector_of_a_consolidated_episode_lies_between_those_of_its_originals() {
    let similarity = |consolidated: bool| {
        let world = World::new();
        world.embeds.set(true);
        let engine = world.engine();
        // Both are near each other, by letters; the second has some of its own.
        engine
            .add(&episode("first", "aaaaaaaaaa bbbbbbbbbb"))
            .unwrap();
        engine
            .add(&episode("second", "aaaaaaaaaa bbbbbbbbbb cccc"))
            .unwrap();
        world.pass(31 * DAY);
        if consolidated {
            consolidate(&world, 0.7);
            let lifecycle = engine.lifecycle_of("second").unwrap();
            assert_eq!(lifecycle.consolidated_into.as_deref(), Some("first"));
        }
        let found = search(&engine, "aaaaaaaaab bbbbbbbbba ccccccc");
        let first = found.iter().find(|(id, _)| id == "first");
        first.unwrap_or_else(|| panic!("{found:?}")).1
    };
    let (alone, together) = (similarity(false), similarity(true));
    assert!(together > alone, "{alone} alone, {together} for both");
}
