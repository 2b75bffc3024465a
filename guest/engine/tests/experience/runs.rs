//! Runs that become experience, and are told of it.

use super::*;

#[test]
fn a_run_becomes_an_experience_in_the_same_commit() {
    let world = World::new();
    let steps = [
        failure("sort --by -n report", "sort: bad key -n"),
        success("sort --by +n report"),
    ];
    let engine = world.engine();
    let submitted = engine
        .submit(&run("sort the report"), &steps, &ending())
        .expect("remembered");
    let kept = entry(&world, &submitted.episode.id);
    assert_eq!(kept.input, "sort the report");
    assert_eq!(kept.output, "sort --by +n report");
    assert_eq!(
        (kept.feedback.as_str(), kept.domain.as_str()),
        ("success", "cli")
    );
    let feedback = kept.structured_feedback.as_ref().expect("numbers");
    assert_eq!(
        (feedback.kind, feedback.correct),
        (FeedbackType::Success, true)
    );
    assert_eq!((feedback.steps_used, feedback.steps_optimal), (2, Some(2)));
    assert_eq!(feedback.message, "1 of 2 steps failed");
    assert!(feedback.progress_rate > 0.8, "{feedback:?}");
    assert!(
        kept.strategy_card
            .starts_with("When confronted with sort the report, do ")
            && kept.strategy_card.contains("+n")
            && kept.strategy_card.contains(" Avoid "),
        "{}",
        kept.strategy_card
    );
    assert!(kept.summary.contains("WRONG"), "{}", kept.summary);
    assert_eq!(
        kept.raw_trace,
        "failed: sort --by -n report\nworked: sort --by +n report"
    );

    // The same task again, in one step: the fewest steps are known, and the former is merged.
    world.pass(1_000);
    let open = engine.start(&run("sort the report")).expect("a run");
    engine
        .observe(&open.id, &success("sort --by +n report"))
        .expect("observed");
    engine.finish(&open.id, &ending()).expect("an episode");
    let again = entry(&world, &open.id);
    assert_eq!(again.merged_from, std::slice::from_ref(&kept.id));
    let feedback = again.structured_feedback.expect("numbers");
    assert_eq!((feedback.steps_used, feedback.steps_optimal), (1, Some(1)));
    assert_eq!(engine.verify().expect("looked at"), []);
    let added = logged(&world, "evolving_memory_entry_added");
    assert!(
        added[0].contains("memory_type=episodic has_strategy_card=true"),
        "{added:?}"
    );
}

#[test]
fn a_card_tells_the_whole_trace_in_one_line() {
    let world = World::new();
    let steps = [
        success("grid open sales.csv"),
        failure("grid count --rows 5", "grid: unknown option --rows"),
        success("grid count rows=5"),
        success("grid save"),
    ];
    let engine = world.engine();
    let submitted = engine
        .submit(&run("count the sales"), &steps, &ending())
        .expect("remembered");
    let card = entry(&world, &submitted.episode.id).strategy_card;
    assert_eq!(
        card,
        "When confronted with count the sales, do grid open sales.csv → grid count rows=5 → grid save. \
         Avoid grid count --rows <num> (use grid count rows=<num>)."
    );
}

#[test]
fn what_came_out_of_a_run_is_its_answer() {
    let world = World::new();
    let engine = world.engine();
    let open = engine.start(&run("count the rows")).expect("a run");
    engine
        .observe(&open.id, &success("wc -l rows.csv"))
        .expect("observed");
    let account = Account {
        primary_output: Some("42 rows".to_owned()),
        ..Account::default()
    };
    let description = Description {
        account: Some(account),
        ..Description::default()
    };
    engine.describe(&open.id, &description).expect("described");
    engine.finish(&open.id, &ending()).expect("an episode");
    let kept = entry(&world, &open.id);
    assert_eq!(kept.output, "42 rows");
    assert_eq!(
        kept.strategy_card, "When confronted with count the rows, do wc -l rows.csv.",
        "what to do is what was done"
    );
}

#[test]
fn a_card_tells_what_resolved_the_errors_that_a_run_reports() {
    let world = World::new();
    let engine = world.engine();
    let open = engine.start(&run("add the route")).expect("a run");
    engine
        .observe(&open.id, &success("edit routes.ts"))
        .expect("observed");
    let error = |message: &str, resolution: &str| EncounteredError {
        kind: "compilation".to_owned(),
        message: message.to_owned(),
        resolution: resolution.to_owned(),
    };
    let account = Account {
        errors_encountered: vec![
            error("missing return type", "add `: void`"),
            error("out of memory", ""),
        ],
        ..Account::default()
    };
    let description = Description {
        account: Some(account),
        ..Description::default()
    };
    engine.describe(&open.id, &description).expect("described");
    engine.finish(&open.id, &ending()).expect("an episode");
    assert_eq!(
        entry(&world, &open.id).strategy_card,
        "When confronted with add the route, do edit routes.ts. Avoid missing return type (use add `: void`)."
    );
}

#[test]
fn a_run_without_a_task_and_one_while_it_is_switched_off_become_none() {
    let world = World::new();
    let engine = world.engine();
    let steps = [success("ls")];
    let taskless = engine
        .submit(&run(""), &steps, &ending())
        .expect("remembered");
    assert!(Experience::get(&engine, &taskless.episode.id).is_err());
    configure(&world, |settings| settings.enabled = false);
    let off = engine
        .submit(&run("list files"), &steps, &ending())
        .expect("remembered");
    assert!(Experience::get(&engine, &off.episode.id).is_err());
}

#[test]
fn a_run_that_begins_is_told_what_like_tasks_brought_where_no_lesson_speaks() {
    let world = World::new();
    let engine = world.engine();
    let steps = [success("wc -l rows.csv")];
    engine
        .submit(&run("count the rows of the table"), &steps, &ending())
        .expect("remembered");
    let open = engine
        .start(&run("count the rows of a table"))
        .expect("a run");
    let briefing = engine
        .brief(&open.id, &BriefingRequest::default())
        .expect("a briefing");
    assert!(briefing.hints.is_empty());
    assert!(
        briefing.text.contains("wc -l rows.csv"),
        "{}",
        briefing.text
    );
    assert!(briefing.tokens > 0);
    let other = engine.start(&run("deploy the gateway")).expect("a run");
    let briefing = engine
        .brief(&other.id, &BriefingRequest::default())
        .expect("a briefing");
    assert_eq!(briefing.text, "", "what is not alike is not told");
}
