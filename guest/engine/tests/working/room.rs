//! What is hot, warm and cold, and how room is made.

use super::*;

#[test]
fn the_newest_output_is_hot_those_before_it_warm_and_older_ones_cold() {
    let world = World::new();
    let engine = begun(&world);
    for number in 1..=7 {
        engine
            .add_intermediate(RUN, &output(&format!("subtask_{number:03}"), "PyJWT"))
            .expect("added");
    }
    let memory = engine.view(RUN).expect("a view");
    let temperatures: Vec<_> = memory
        .items
        .iter()
        .filter(|item| item.section == Section::IntermediateResults)
        .map(|item| item.temperature.as_str())
        .collect();
    assert_eq!(
        temperatures,
        ["cold", "cold", "warm", "warm", "warm", "warm", "hot"]
    );
    // Keyed by subtask, each with output and type.
    assert_eq!(
        value(&engine, VariableScope::IntermediateValues, "subtask_001").as_deref(),
        Some(r#"{"output":"PyJWT","type":"generated_code"}"#)
    );
}

#[test]
fn room_is_made_in_the_order_of_the_seed() {
    let world = World::new();
    let engine = begun(&world);
    for number in 0..7 {
        let mut result = output(&format!("s{number}"), &words(700));
        if number == 6 {
            result.trace = Some(words(900));
        }
        let size = engine.add_intermediate(RUN, &result).expect("added");
        assert_eq!(size.pruned, [""; 0], "{number}");
    }
    // 7 · 700 + 900 are in. The next ones need room: first the results older than five subtasks, the oldest first.
    let mut pruned = Vec::new();
    for number in 7..11 {
        let size = engine
            .add_intermediate(RUN, &output(&format!("s{number}"), &words(1_300)))
            .expect("added");
        assert_eq!(size.warning, None);
        pruned.extend(size.pruned);
    }
    let result = |number: u32| format!("intermediate-values-s{number}");
    assert_eq!(pruned, [0, 1, 2, 3, 4].map(result));
    // Then the trace, once what is old is out; then the limit is said.
    let size = engine
        .add_intermediate(RUN, &output("s11", &words(2_200)))
        .expect("added");
    assert_eq!(size.pruned, [result(5), result(6), "trace-s6".to_owned()]);
    let all = Working::prune(&engine, RUN).expect("pruned");
    assert_eq!(all.pruned, [""; 0]);
    let memory = engine.view(RUN).expect("a view");
    assert!(memory.tokens <= memory.budget);
}

#[test]
fn a_trace_that_is_pruned_leaves_its_summary() {
    let world = World::new();
    let engine = begun(&world);
    let mut result = output("parse", "done");
    result.trace = Some(format!("opened the file {} closed it", words(900)));
    engine.add_intermediate(RUN, &result).expect("added");
    let whole = engine.fetch(RUN, "trace-parse").expect("the trace");
    let before = item(&engine.view(RUN).expect("a view"), "trace-parse").tokens;
    assert!(before > 900);
    for number in 0..5 {
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), &words(1_500)))
            .expect("added");
    }
    let memory = engine.view(RUN).expect("a view");
    let summary = item(&memory, "trace-parse");
    assert!(
        summary.is_reference && summary.tokens < before / 4,
        "{summary:?}"
    );
    assert!(summary.text.contains("opened the file"), "{}", summary.text);
    assert_eq!(engine.fetch(RUN, "trace-parse").expect("whole"), whole);
}

#[test]
fn a_pruned_result_leaves_a_reference_and_is_fetched_back() {
    let world = World::new();
    let engine = begun(&world);
    let text = words(300);
    let mut first = output("first", &text);
    first.trace = Some(format!("step one\n{text}\nlast step"));
    engine.add_intermediate(RUN, &first).expect("added");
    for number in 0..5 {
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), "x"))
            .expect("added");
    }
    let before = engine.view(RUN).expect("a view");
    let size = Working::prune(&engine, RUN).expect("pruned");
    assert_eq!(size.pruned, ["intermediate-values-first", "trace-first"]);
    let memory = engine.view(RUN).expect("a view");
    let reference = item(&memory, "intermediate-values-first");
    assert!(
        reference.is_reference && reference.tokens < 60,
        "{reference:?}"
    );
    assert_eq!(reference.temperature, Temperature::Cold);
    assert!(reference.text.contains("[…]"));
    assert!(memory.tokens + 400 < before.tokens);
    let whole = value(&engine, VariableScope::IntermediateValues, "first").expect("fetched back");
    assert!(whole.contains(&text));
    assert_eq!(
        engine
            .fetch(RUN, "intermediate-values-first")
            .expect("whole"),
        whole
    );
    let trace = engine.fetch(RUN, "trace-first").expect("whole");
    assert!(trace.starts_with("step one\n") && trace.ends_with("last step"));
    // What was moved out belongs to the episode.
    engine.finish(RUN, &ending()).expect("ended");
    assert_eq!(
        engine
            .fetch(RUN, "intermediate-values-first")
            .expect("whole"),
        whole
    );
    let missing = engine.fetch(RUN, "intermediate-values-nothing");
    assert!(matches!(missing, Err(Error::Conflict(_))), "{missing:?}");
}

#[test]
fn what_was_moved_out_goes_with_its_episode() {
    let world = World::new();
    let engine = begun(&world);
    for number in 0..7 {
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), &words(100)))
            .expect("added");
    }
    Working::prune(&engine, RUN).expect("pruned");
    engine.finish(RUN, &ending()).expect("ended");
    let count = |kind: &str| world.store.count(kind, &[]).expect("counted");
    assert_eq!((count("working-cold"), count("working-metadata")), (2, 1));
    world.pass(1);
    Upkeep::prune(&engine, world.clock.get(), false).expect("pruned");
    assert_eq!((count("working-cold"), count("working-metadata")), (0, 0));
}

#[test]
fn references_that_no_longer_fit_are_still_fetched_by_their_ids() {
    let world = World::new();
    let engine = begun(&world);
    for number in 0..400 {
        let size = engine
            .add_intermediate(
                RUN,
                &output(&format!("s{number}"), &format!("{number} {}", words(60))),
            )
            .expect("added");
        assert!(size.tokens <= size.budget);
    }
    let memory = engine.view(RUN).expect("a view");
    assert!(memory.items.len() <= 256, "{}", memory.items.len());
    assert!(!ids(&memory).contains(&"intermediate-values-s0"));
    let whole = value(&engine, VariableScope::IntermediateValues, "s0").expect("fetched back");
    assert!(whole.starts_with(r#"{"output":"0 w00000"#), "{whole}");
    // A result that is taken out does not come back from where it was moved to.
    engine
        .set(
            RUN,
            &variable(VariableScope::IntermediateValues, "s0", "null"),
        )
        .expect("taken out");
    assert_eq!(
        value(&engine, VariableScope::IntermediateValues, "s0"),
        None
    );
}

#[test]
fn a_result_that_a_later_subtask_needs_is_not_pruned() {
    let world = World::new();
    let engine = begun(&world);
    let mut needed = output("schema", &words(100));
    needed.needed_by = vec!["report".to_owned(), "tests".to_owned()];
    engine.add_intermediate(RUN, &needed).expect("added");
    for number in 0..6 {
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), "x"))
            .expect("added");
    }
    assert_eq!(
        Working::prune(&engine, RUN).expect("pruned").pruned,
        [""; 0]
    );
    // One of the two brings its own result, the other is said to be done.
    engine
        .add_intermediate(RUN, &output("report", "x"))
        .expect("added");
    assert_eq!(
        Working::prune(&engine, RUN).expect("pruned").pruned,
        [""; 0]
    );
    let state = ExecutionState {
        completed: vec!["tests".to_owned()],
        ..at("execution", None)
    };
    engine.push_state(RUN, &state).expect("pushed");
    let size = Working::prune(&engine, RUN).expect("pruned");
    assert_eq!(size.pruned, ["intermediate-values-schema"]);
}

#[test]
fn the_limit_is_said_and_texts_are_cut_when_pruning_is_not_enough() {
    let world = World::new();
    let engine = begun(&world);
    // Four recent results that nothing may prune.
    for number in 0..3 {
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), &words(2_500)))
            .expect("added");
    }
    let text = format!("начало {} конец", words(2_500));
    let size = engine
        .add_intermediate(RUN, &output("s3", &text))
        .expect("added");
    assert_eq!(
        size.warning.as_deref(),
        Some("Context limit reached despite pruning")
    );
    assert!(size.tokens <= size.budget);
    let memory = engine.view(RUN).expect("a view");
    assert_eq!(
        memory.warnings,
        ["Context limit reached despite pruning: intermediate-results"]
    );
    let section = &memory.sections[3];
    assert!(section.tokens <= section.budget, "{section:?}");
    // The warm ones are cut before the hot one, and the whole of each is still there.
    assert!(!item(&memory, "intermediate-values-s3").is_reference);
    assert!(item(&memory, "intermediate-values-s0").is_reference);
    let whole = value(&engine, VariableScope::IntermediateValues, "s0").expect("whole");
    assert!(whole.contains(&words(2_500)));
    // An output that is larger than everything is cold from the beginning.
    let size = engine
        .add_intermediate(RUN, &output("huge", &words(50_000)))
        .expect("added");
    assert!(
        size.tokens <= size.budget && size.pruned.contains(&"intermediate-values-huge".to_owned())
    );
    let whole = value(&engine, VariableScope::IntermediateValues, "huge").expect("whole");
    assert!(whole.len() > 200_000);
}
