//! ReMem: the loop of thinking, refining and answering, with a model that says what it is told.

use crate::support::*;
use serde_json::json;
use twiceshy_wit::{host, memory::*};

const CARD: &str = "When confronted with a table, do sort it by key. Avoid the first column.";

fn world() -> World {
    let world = World::new();
    let settings = ExperienceSettings {
        remem_enabled: true,
        ..Experience::settings(&world.engine()).expect("settings")
    };
    world.engine().configure(&settings).expect("switched on");
    world
}

fn says(world: &World, answers: &[serde_json::Value]) {
    let answers = answers.iter().map(|answer| Ok(answer.to_string()));
    world.answers.borrow_mut().extend(answers);
}

fn request(steps: Option<u32>) -> RememRequest {
    RememRequest {
        task: "sort the invoice table".to_owned(),
        tools: vec!["shell: runs a command".to_owned()],
        max_inner_steps: steps,
    }
}

fn remem(world: &World, steps: Option<u32>) -> RememResult {
    world.engine().remem(&request(steps)).expect("a result")
}

fn evolve(world: &World, input: &str, output: &str) -> String {
    let experience = NewExperience {
        input: input.to_owned(),
        output: output.to_owned(),
        feedback: "success".to_owned(),
        summary: Some(format!("as {output}")),
        ..NewExperience::default()
    };
    let evolution = world.engine().evolve(&experience).expect("taken in");
    evolution.entry.id
}

fn actions(result: &RememResult) -> Vec<&'static str> {
    result
        .trace
        .iter()
        .map(|step| step.action.as_str())
        .collect()
}

fn logged(world: &World, line: &str) -> bool {
    world.log.borrow().iter().any(|told| told.starts_with(line))
}

#[test]
fn the_model_thinks_and_answers_and_the_result_is_kept_with_a_strategy_card() {
    let world = world();
    says(
        &world,
        &[
            json!({ "action": "THINK", "content": "The key is the second column." }),
            json!({ "action": "ACT", "content": "sort -k2" }),
            json!({ "card": CARD }),
        ],
    );
    let result = remem(&world, None);
    assert_eq!(
        (result.output.as_str(), result.complete),
        ("sort -k2", true)
    );
    assert_eq!(actions(&result), ["think", "act"]);
    let prompts = world.prompts.borrow();
    assert_eq!(prompts.len(), 3, "two for the loop, one more for the card");
    assert!(
        prompts[0].contains("sort the invoice table")
            && prompts[0].contains("shell: runs a command")
    );
    assert!(prompts[1].contains("The key is the second column."));
    let kept = Experience::get(&world.engine(), result.stored.as_deref().expect("kept"))
        .expect("an entry");
    assert_eq!(
        (kept.strategy_card.as_str(), kept.output.as_str()),
        (CARD, "sort -k2")
    );
    assert!(
        kept.raw_trace
            .contains("think: The key is the second column."),
        "{}",
        kept.raw_trace
    );
    let feedback = kept.structured_feedback.expect("numbers");
    assert_eq!(
        (feedback.kind, feedback.steps_used),
        (FeedbackType::InProgress, 2)
    );
    for line in [
        "remem_action action=THINK",
        "remem_think The key",
        "remem_action action=ACT",
    ] {
        assert!(logged(&world, line), "{line}");
    }
}

#[test]
fn the_verdict_that_comes_later_keeps_the_card() {
    let world = world();
    says(
        &world,
        &[
            json!({ "action": "ACT", "content": "sort -k2" }),
            json!({ "card": CARD }),
        ],
    );
    let stored = remem(&world, None).stored.expect("kept");
    let verdict = NewExperience {
        input: request(None).task,
        output: "sort -k2".to_owned(),
        feedback: "success".to_owned(),
        strategy_card: Some(CARD.to_owned()),
        structured_feedback: Some(StructuredFeedback {
            kind: FeedbackType::Success,
            correct: true,
            progress_rate: 1.0,
            steps_used: 3,
            steps_optimal: Some(3),
            message: "Task completed efficiently".to_owned(),
        }),
        raw_trace: Some("act: sort -k2".to_owned()),
        ..NewExperience::default()
    };
    let evolution = world.engine().evolve(&verdict).expect("taken in");
    assert_eq!(evolution.merged, [stored]);
    assert_eq!(evolution.entry.strategy_card, CARD);
}

#[test]
fn the_memory_is_refined_and_searched_again() {
    let world = world();
    let good = evolve(&world, "sort the invoice table by key", "good");
    let bad = evolve(&world, "sort the invoice list", "bad");
    world.prompts.borrow_mut().clear();
    says(
        &world,
        &[
            json!({ "action": "REFINE_MEMORY", "content": "one is wrong", "memory_edits": [
                { "op": "PRUNE", "ids": [bad] },
                { "op": "UPDATE_TAG", "ids": [good], "tag": "sorting" } ] }),
            json!({ "action": "ACT", "content": "done" }),
            json!({ "card": CARD }),
        ],
    );
    let result = remem(&world, None);
    let report = result.trace[0].edits.as_ref().expect("a report");
    assert_eq!(
        (report.pruned.as_slice(), report.tagged.as_slice()),
        (&[bad.clone()][..], &[good.clone()][..])
    );
    assert_eq!(
        result.entries,
        std::slice::from_ref(&good),
        "searched again"
    );
    let prompts = world.prompts.borrow();
    assert!(prompts[0].contains(&bad) && prompts[0].contains("as good"));
    assert!(!prompts[1].contains(&bad) && prompts[1].contains(&good));
    let pruned = Experience::get(&world.engine(), &bad).expect("kept on record");
    assert!(pruned.archived);
    assert!(logged(
        &world,
        "remem_refine pruned=1 merged=0 tagged=1 refused=0"
    ));
}

#[test]
fn a_merge_by_the_model_carries_everything_over() {
    let world = world();
    let one = evolve(&world, "sort the invoice table by key", "one");
    let two = evolve(&world, "sort the invoice list", "two");
    says(
        &world,
        &[
            json!({ "action": "REFINE_MEMORY", "content": "the same", "memory_edits": [
                { "op": "MERGE", "ids": [one, two], "summary": "sort by key, lists too" } ] }),
            json!({ "action": "ACT", "content": "done" }),
        ],
    );
    remem(&world, None);
    let merged = Experience::get(&world.engine(), &one).expect("an entry");
    assert_eq!(merged.summary, "sort by key, lists too");
    assert!(
        merged.strategy_card.contains("one") && merged.access_count >= 2,
        "{merged:?}"
    );
}

#[test]
fn what_the_model_was_not_shown_it_can_not_edit() {
    let world = world();
    evolve(&world, "sort the invoice table by key", "good");
    let hidden = evolve(&world, "paint a wall", "hidden");
    says(
        &world,
        &[
            json!({ "action": "REFINE_MEMORY", "content": "", "memory_edits": [{ "op": "PRUNE", "ids": [hidden] }] }),
            json!({ "action": "ACT", "content": "done" }),
        ],
    );
    let result = remem(&world, None);
    let report = result.trace[0].edits.as_ref().expect("a report");
    assert!(report.refused[0].contains("was not shown"), "{report:?}");
    let hidden = Experience::get(&world.engine(), &hidden).expect("an entry");
    assert!(!hidden.archived);
    assert!(
        world.prompts.borrow()[1].contains("was not shown"),
        "the model is told"
    );
}

#[test]
fn words_without_the_form_are_the_answer() {
    for words in [
        "Just sort it.",
        r#"{"action": "DANCE", "content": "x"}"#,
        "[1]",
    ] {
        let world = world();
        world.answers.borrow_mut().push_back(Ok(words.to_owned()));
        let result = remem(&world, None);
        assert_eq!((result.output.as_str(), result.complete), (words, true));
        assert_eq!(actions(&result), ["act"]);
    }
}

#[test]
fn a_loop_that_does_not_answer_ends_with_its_last_thought() {
    let world = world();
    let thoughts: Vec<_> = (1..=9)
        .map(|number| json!({ "action": "THINK", "content": format!("thought {number}") }))
        .collect();
    says(&world, &thoughts);
    let result = remem(&world, None);
    assert_eq!(
        (result.output.as_str(), result.complete),
        ("thought 5", false)
    );
    assert_eq!(result.trace.len(), 5, "the steps of the settings");
    assert_eq!(
        world.prompts.borrow().len(),
        5,
        "no card of what is not complete"
    );
    let result = remem(&world, Some(2));
    assert_eq!(
        (result.output.as_str(), result.trace.len()),
        ("thought 7", 2)
    );
    let error = world
        .engine()
        .remem(&request(Some(21)))
        .expect_err("too many");
    assert!(error.message().contains("max-inner-steps"), "{error}");
}

#[test]
fn a_card_that_is_none_is_not_kept() {
    for card in [
        json!({ "card": "Do well." }),
        json!("When confronted with x, do y."),
    ] {
        let world = world();
        says(
            &world,
            &[json!({ "action": "ACT", "content": "done" }), card],
        );
        let stored = remem(&world, None).stored.expect("kept");
        let kept = Experience::get(&world.engine(), &stored).expect("an entry");
        assert_eq!(kept.strategy_card, "");
    }
}

#[test]
fn without_a_model_or_switched_off_it_is_unavailable() {
    let world = world();
    let error = world.engine().remem(&request(None)).expect_err("no model");
    assert!(matches!(error, Error::Unavailable(_)), "{error}");
    assert_eq!(
        Experience::stats(&world.engine())
            .expect("figures")
            .total_entries,
        0
    );
    let world = World::new();
    says(&world, &[json!({ "action": "ACT", "content": "done" })]);
    let error = world
        .engine()
        .remem(&request(None))
        .expect_err("switched off");
    assert!(error.message().contains("remem-enabled"), "{error}");
    assert!(world.prompts.borrow().is_empty());
}

#[test]
fn a_model_that_fails_later_ends_the_loop_with_what_there_is() {
    let world = world();
    says(&world, &[json!({ "action": "THINK", "content": "half" })]);
    world
        .answers
        .borrow_mut()
        .push_back(Err(host::Error::Busy("later".to_owned())));
    let result = remem(&world, None);
    assert_eq!((result.output.as_str(), result.complete), ("half", false));
}
