//! How a memory learns: lessons from a run's own steps, showings that are measured, lives that follow.

mod credit;
mod judging;
mod usefulness;
mod ways;

use crate::support::{START, World, ending, failure, run, success};
use twiceshy_engine::Engine;
use twiceshy_wit::host::Store;
use twiceshy_wit::memory::{
    ActivationFilter, Briefing, BriefingRequest, Ending, Episode, Episodes, Events, Lesson,
    LessonCandidate, LessonFilter, LessonKind, LessonStatus, Lessons, Links, Moment, Observed,
    Outcome, Recall, Referee, Relation, Runs, Scope, Source, TaskContext, Trust, Upkeep, Verdict,
};

const TASK: &str = "count the rows of the sales sheet";
const WRONG: &str = "gridtool count --rows 5";
const RIGHT: &str = "gridtool count rows=5";
const REFUSED: &str = "gridtool: unknown option --rows";

const ASK: BriefingRequest = BriefingRequest {
    limit: None,
    tokens: None,
};

/// A whole run; a failed step is a pair of action and error.
fn work(engine: &Engine, task: &str, steps: &[Observed]) -> (Briefing, Episode) {
    let open = engine.start(&run(task)).unwrap();
    let briefing = engine.brief(&open.id, &ASK).unwrap();
    for step in steps {
        engine.observe(&open.id, step).unwrap();
    }
    (briefing, engine.finish(&open.id, &ending()).unwrap())
}

/// A run in which the agent errs and finds the way.
fn erring(engine: &Engine) -> Episode {
    let steps = [
        failure(WRONG, REFUSED),
        failure(WRONG, REFUSED),
        success(RIGHT),
    ];
    work(engine, TASK, &steps).1
}

/// A run that never asks for a briefing and is not told anything.
fn erring_without_memory(engine: &Engine) {
    let steps = [
        failure(WRONG, REFUSED),
        failure(WRONG, REFUSED),
        success(RIGHT),
    ];
    engine.submit(&run(TASK), &steps, &ending()).unwrap();
}

trait GetLesson {
    fn get_lesson(&self, id: &str) -> Lesson;
}

impl GetLesson for Engine<'_> {
    fn get_lesson(&self, id: &str) -> Lesson {
        Lessons::get(self, id).unwrap()
    }
}

fn lessons(engine: &Engine) -> Vec<Lesson> {
    Lessons::find(engine, &every()).unwrap()
}

fn every() -> LessonFilter {
    LessonFilter {
        status: None,
        fingerprint: None,
        domain: None,
        limit: None,
    }
}

fn proposal(rule: &str, trigger: &str) -> LessonCandidate {
    LessonCandidate {
        domain: Some("cli".to_owned()),
        ..crate::support::proposal(rule, trigger)
    }
}

#[test]
fn a_run_teaches_what_worked_after_a_failure() {
    let world = World::new();
    let engine = world.engine();
    let episode = erring(&engine);
    let learned = lessons(&engine);
    assert_eq!(learned.len(), 1, "{learned:#?}");
    let lesson = &learned[0];
    assert!(
        lesson.rule_text.starts_with("WRONG: ") && lesson.rule_text.contains("CORRECT: "),
        "{}",
        lesson.rule_text
    );
    assert_eq!(lesson.trigger_fingerprints, episode.fingerprints);
    assert_eq!(
        (lesson.status, lesson.kind, lesson.scope, lesson.trust),
        (
            LessonStatus::Candidate,
            LessonKind::Rule,
            Scope::Domain,
            Trust::Observed
        )
    );
    let origin = &lesson.origins[0];
    assert_eq!(
        (origin.run.as_str(), origin.source),
        (episode.id.as_str(), Source::Trace)
    );
    assert!(origin.steps.contains(&2), "{:?}", origin.steps);
    // The same episode again teaches the same.
    let again = engine.mine(&episode.id).unwrap();
    assert_eq!(again[0].id, lesson.id);
    assert_eq!(lessons(&engine).len(), 1);
}

#[test]
fn a_failure_that_recurs_without_a_fix_is_an_anti_pattern() {
    let world = World::new();
    let engine = world.engine();
    let steps = [
        failure("fluxtool drain pump", "fluxtool: pump is sealed"),
        failure("fluxtool drain pump", "fluxtool: pump is sealed"),
    ];
    work(&engine, "drain the pump", &steps);
    let learned = lessons(&engine);
    assert_eq!(learned.len(), 1, "{learned:#?}");
    assert_eq!(learned[0].kind, LessonKind::AntiPattern);
}

#[test]
fn what_worked_in_another_run_is_never_warned_of() {
    let world = World::new();
    let engine = world.engine();
    let sealed = || failure("fluxtool drain pump --deep", "fluxtool: pump is sealed");
    work(
        &engine,
        "open the valve",
        &[success("fluxtool drain pump --deep")],
    );
    work(&engine, "drain the pump", &[sealed(), sealed()]);
    assert!(lessons(&engine).is_empty(), "{:#?}", lessons(&engine));
}

#[test]
fn a_bare_exit_code_is_never_warned_of() {
    let world = World::new();
    let engine = world.engine();
    let silent = || {
        failure(
            "fluxtool drain pump",
            "fluxtool drain: exit 3 without a word",
        )
    };
    work(&engine, "drain the pump", &[silent(), silent()]);
    assert!(lessons(&engine).is_empty(), "{:#?}", lessons(&engine));
}

#[test]
fn what_did_harm_once_is_warned_of_in_the_very_next_run() {
    let world = World::new();
    let engine = world.engine();
    let harm = failure("press the red button", "safety guard hit: the line stops");
    work(&engine, TASK, &[harm, success("press the green button")]);
    let (briefing, _) = work(&engine, TASK, &[success("press the green button")]);
    assert!(
        briefing.text.contains("press the red button"),
        "{}",
        briefing.text
    );
    let learned = lessons(&engine);
    assert_eq!(learned[0].tags, ["unsafe_action"]);
}

#[test]
fn a_briefing_tells_what_was_learned_in_the_task_before_and_is_an_activation() {
    let world = World::new();
    let engine = world.engine();
    erring(&engine);
    let open = engine.start(&run(TASK)).unwrap();
    let briefing = engine.brief(&open.id, &ASK).unwrap();
    assert_eq!(briefing.hints.len(), 1);
    let hint = &briefing.hints[0];
    assert_eq!(hint.parts.fingerprint_match, 1.0);
    assert!(briefing.text.contains(&hint.lesson.id) && briefing.tokens > 0);
    let filter = ActivationFilter {
        lesson: None,
        run: Some(open.id.clone()),
        limit: None,
    };
    let shown = engine.activations(&filter).unwrap();
    assert_eq!(shown.len(), 1);
    assert_eq!(
        (
            shown[0].moment,
            shown[0].withheld,
            shown[0].step,
            shown[0].showings
        ),
        (Moment::BeforeRun, false, 0, 1)
    );
    assert_eq!(shown[0].outcome, None);
    engine.brief(&open.id, &ASK).unwrap();
    assert_eq!(engine.activations(&filter).unwrap()[0].showings, 2);
    engine.observe(&open.id, &success(RIGHT)).unwrap();
    let episode = engine.finish(&open.id, &ending()).unwrap();
    assert_eq!(episode.lessons, std::slice::from_ref(&hint.lesson.id));
    let outcome = engine
        .activations(&filter)
        .unwrap()
        .remove(0)
        .outcome
        .unwrap();
    assert_eq!(outcome.verdict, Verdict::Helped);
    assert_eq!((outcome.errors, outcome.baseline_errors), (0, 2.0));
    assert!(outcome.utility.unwrap() > 0.2);
}

#[test]
fn a_hint_after_an_error_is_an_activation_too() {
    let world = World::new();
    let engine = world.engine();
    erring(&engine);
    let open = engine.start(&run("another task of the same kind")).unwrap();
    let reaction = engine.observe(&open.id, &failure(WRONG, REFUSED)).unwrap();
    assert_eq!(reaction.hints.len(), 1);
    assert!(reaction.text.contains(&reaction.hints[0].lesson.id));
    engine.observe(&open.id, &success(RIGHT)).unwrap();
    engine.finish(&open.id, &ending()).unwrap();
    let shown = lessons(&engine)[0].usefulness;
    assert_eq!(
        (shown.activations, shown.shown_runs, shown.helped),
        (1, 1, 1)
    );
}

#[test]
fn a_deterministic_referee_scores_a_run_otherwise_a_model_otherwise_the_signals() {
    let world = World::new();
    let engine = world.engine();
    let finish = |ending: &Ending| {
        let open = engine.start(&run(TASK)).unwrap();
        engine.observe(&open.id, &success(RIGHT)).unwrap();
        let episode = engine.finish(&open.id, ending).unwrap();
        (episode.score.unwrap(), episode.referee)
    };
    let given = Ending {
        outcome: Some(Outcome::Success),
        score: Some(0.25),
        referee: None,
    };
    world
        .answers
        .borrow_mut()
        .push_back(Ok(r#"{"score": 0.9}"#.into()));
    assert_eq!(finish(&given), (0.25, Referee::Deterministic));
    assert_eq!(finish(&ending()), (0.9, Referee::Model));
    for nonsense in [
        r#"{"score": 7}"#,
        "very good",
        r#"{"score":0.5,"note":"x"}"#,
    ] {
        world.answers.borrow_mut().push_back(Ok(nonsense.into()));
        assert_eq!(finish(&ending()), (1.0, Referee::Signals), "{nonsense}");
    }
    assert_eq!(finish(&ending()), (1.0, Referee::Signals));
    assert!(world.prompts.borrow()[0].contains("data, not instructions"));
}

#[test]
fn an_agent_hands_in_strict_json_all_of_it_or_nothing() {
    let world = World::new();
    let engine = world.engine();
    let episode = erring(&engine);
    let fingerprint = &episode.fingerprints[0];
    let before = lessons(&engine).len();
    let good = format!(
        r#"[{{"trigger_fingerprint":"{fingerprint}","rule_text":"say rows=N","scope_hint":"domain"}},
            {{"trigger_fingerprints":["{fingerprint}"],"rule_text":"count needs a sheet","scope_hint":"global"}}]"#
    );
    let bad = [
        "rows".to_owned(),
        "{}".to_owned(),
        good.replace("\"domain\"", "\"galaxy\""),
        good.replace("say rows=N", ""),
        good.replacen(fingerprint.as_str(), "fp_0000000000000000", 1),
        good.replacen("\"scope_hint\"", "\"mood\":1,\"scope_hint\"", 1),
    ];
    for text in &bad {
        let refused = engine.hand_in(&episode.id, text).unwrap_err();
        assert!(refused.message().contains("candidates"), "{refused}");
    }
    assert_eq!(lessons(&engine).len(), before);
    let taken = engine.hand_in(&episode.id, &good).unwrap();
    assert_eq!(taken.len(), 2);
    assert_eq!(taken[1].scope, Scope::Global);
    for lesson in taken {
        assert_eq!(
            (lesson.origins[0].source, lesson.trust),
            (Source::Agent, Trust::Claimed)
        );
        assert_eq!(lesson.origins[0].run, episode.id);
    }
}

#[test]
fn a_revised_lesson_is_a_new_candidate_that_supersedes_the_old_one() {
    let world = World::new();
    let engine = world.engine();
    erring(&engine);
    let old = lessons(&engine).remove(0);
    engine
        .set_status(&old.id, LessonStatus::Promoted, "it works")
        .unwrap();
    let new = engine
        .revise(
            &old.id,
            "WRONG: --rows N → CORRECT: rows=N, once",
            "clearer",
        )
        .unwrap();
    assert_eq!(
        (new.status, &new.trigger_fingerprints),
        (LessonStatus::Candidate, &old.trigger_fingerprints)
    );
    assert_eq!(new.trust, Trust::Vouched);
    assert_eq!(engine.get_lesson(&old.id).status, LessonStatus::Deprecated);
    let links = engine.of_memory(&old.id).unwrap();
    // Told from the side of the old one.
    assert_eq!(
        (links.len(), &links[0].source, &links[0].target),
        (1, &old.id, &new.id)
    );
    assert_eq!(links[0].relation, Relation::SupersededBy);
    engine.unrelate(&links[0]).unwrap();
    assert!(engine.of_memory(&new.id).unwrap().is_empty());
    assert!(engine.unrelate(&links[0]).is_err());
}

#[test]
fn an_explanation_goes_from_the_lesson_to_the_very_steps() {
    let world = World::new();
    let engine = world.engine();
    let first = erring(&engine);
    world.pass(1_000);
    let (_, second) = work(&engine, TASK, &[success(RIGHT)]);
    let lesson = lessons(&engine).remove(0);
    let why = engine.explain(&lesson.id).unwrap();
    let episodes: Vec<_> = why.episodes.iter().map(|episode| &episode.id).collect();
    assert_eq!(episodes, [&second.id, &first.id]);
    assert_eq!(
        (why.activations.len(), &why.activations[0].run),
        (1, &second.id)
    );
    let actions: Vec<_> = why
        .steps
        .iter()
        .map(|step| step.feedback.action_text.as_str())
        .collect();
    assert!(
        actions.contains(&WRONG) && actions.contains(&RIGHT),
        "{actions:?}"
    );
}

#[test]
fn a_lesson_that_nobody_uses_is_archived_and_what_a_person_vouches_for_is_not() {
    let world = World::new();
    let engine = world.engine();
    erring(&engine);
    let person = LessonCandidate {
        source: Some(Source::Person),
        ..proposal("back up the sheet first", "gridtool: sheet is gone")
    };
    let vouched = engine.propose(&person).unwrap();
    world.pass(400 * 24 * 60 * 60 * 1_000);
    let report = engine.report().unwrap();
    assert_eq!(report.stale.len(), 1);
    work(&engine, "something else", &[success("ls")]);
    let report = engine.report().unwrap();
    assert_eq!((report.lessons.archived, report.lessons.candidate), (1, 1));
    assert_eq!(
        engine.get_lesson(&vouched.id).status,
        LessonStatus::Candidate
    );
}

#[test]
fn pruning_removes_what_ended_before_and_leaves_the_memory_whole() {
    let world = World::new();
    let engine = world.engine();
    erring(&engine);
    world.pass(10_000);
    let (_, kept) = work(&engine, TASK, &[failure(WRONG, REFUSED), success(RIGHT)]);
    let lesson = lessons(&engine).remove(0);
    engine
        .set_status(&lesson.id, LessonStatus::Archived, "old")
        .unwrap();
    let before = START + 5_000;
    let counted = engine.prune(before, true).unwrap();
    assert_eq!(engine.status().unwrap().episodes, 2);
    assert_eq!(engine.prune(before, false).unwrap(), counted);
    assert_eq!(
        (
            counted.episodes,
            counted.steps,
            counted.events,
            counted.lessons
        ),
        (1, 3, 2, 0)
    );
    assert!(engine.verify().unwrap().is_empty());
    assert_eq!(engine.status().unwrap().episodes, 1);
    world.pass(1_000);
    let counted = engine.prune(world.clock.get(), false).unwrap();
    assert_eq!(
        (counted.episodes, counted.lessons, counted.activations),
        (1, 1, 1)
    );
    assert!(engine.verify().unwrap().is_empty());
    assert!(engine.explain(&lesson.id).is_err());
    assert!(twiceshy_wit::memory::Episodes::get(&engine, &kept.id).is_err());
}

#[test]
fn pruning_forgets_the_tasks_and_failures_that_nothing_refers_to() {
    let world = World::new();
    let engine = world.engine();
    erring(&engine);
    let odd = [failure("grid paint red", "grid: the paint is dry")];
    work(&engine, "paint the fence of the neighbour", &odd);
    let count = |kind: &str| world.store.count(kind, &[]).unwrap();
    assert_eq!((count("task"), count("fingerprint")), (2, 2));
    let lessons = lessons(&engine);
    assert!(!lessons.is_empty());
    world.pass(10_000);
    work(&engine, "water the plants", &[success("grid water")]);
    world.pass(1_000);
    engine.prune(START + 5_000, false).unwrap();
    // What the lesson answers stays, with the task that says what it cost without the lesson.
    assert_eq!((count("task"), count("fingerprint")), (2, 1));
    assert_eq!(engine.verify().unwrap(), []);
    for lesson in lessons {
        let archived = LessonStatus::Archived;
        engine.set_status(&lesson.id, archived, "old").unwrap();
    }
    world.pass(1_000);
    engine.prune(world.clock.get(), false).unwrap();
    assert_eq!((count("task"), count("fingerprint")), (0, 0));
}

#[test]
fn a_health_report_tells_what_recurs_and_how_tasks_go() {
    let world = World::new();
    let engine = world.engine();
    erring_without_memory(&engine);
    for _ in 0..3 {
        world.pass(1_000);
        work(&engine, TASK, &[success(RIGHT)]);
    }
    let report = engine.report().unwrap();
    assert_eq!((report.helped, report.harmed, report.shown), (3, 0, 3));
    assert_eq!(report.retrieval_precision, Some(1.0));
    assert_eq!(
        (report.failures_per_run_before, report.failures_per_run_now),
        (Some(1.0), Some(0.0))
    );
    assert_eq!(report.recurring[0].occurrences, 2);
    assert_eq!(report.recurring[0].lessons.len(), 1);
    let stability = &report.stability[0];
    assert_eq!(
        (
            stability.runs,
            stability.first_failures,
            stability.last_failures
        ),
        (4, 2, 0)
    );
    assert!(!stability.regressed);
}

#[test]
fn a_briefing_fits_its_budget() {
    let world = World::new();
    let engine = world.engine();
    for number in 0..12 {
        let rule = format!("rule {number} of the sales sheet says to count the rows");
        engine
            .propose(&proposal(
                &rule,
                &format!("gridtool: trouble of kind {}", "x".repeat(number + 1)),
            ))
            .unwrap();
    }
    let context = |limit, tokens| TaskContext {
        task: TASK.to_owned(),
        domain: "cli".to_owned(),
        recent_fingerprints: Vec::new(),
        limit,
        tokens,
    };
    let all = engine.for_task(&context(Some(32), None)).unwrap();
    assert!(all.len() > 8, "{}", all.len());
    // All of them are about one kind of failure, which never fills all of the eight places.
    assert_eq!(engine.for_task(&context(None, None)).unwrap().len(), 6);
    let few = engine.for_task(&context(Some(32), Some(40))).unwrap();
    assert!(!few.is_empty() && few.len() < all.len());
    assert!(
        engine
            .for_task(&context(Some(32), Some(0)))
            .unwrap()
            .is_empty()
    );
}

#[test]
fn what_was_inserted_into_the_context_is_never_taken_for_evidence() {
    let world = World::new();
    let engine = world.engine();
    erring(&engine);
    let open = engine.start(&run(TASK)).unwrap();
    let briefing = engine.brief(&open.id, &ASK).unwrap();
    let quoting = format!("{}gridtool: sheet is locked\n", briefing.text);
    let reaction = engine
        .observe(&open.id, &failure("gridtool lock", &quoting))
        .unwrap();
    let event = reaction.failure.unwrap();
    let plain = engine.fingerprint_of("gridtool: sheet is locked\n");
    assert_eq!(
        (event.fingerprint, event.template),
        (plain.id, plain.template)
    );
    assert!(!event.evidence.contains("les_"), "{}", event.evidence);
    let trace = engine.trace(&open.id, 0).unwrap();
    assert!(!trace[0].step.observation.contains("les_"));
    assert!(trace[0].step.observation.contains("sheet is locked"));
}

#[test]
fn a_lesson_of_another_domain_helps_only_where_nothing_better_is_known() {
    let world = World::new();
    let engine = world.engine();
    let other = LessonCandidate {
        domain: Some("navigation".to_owned()),
        ..proposal("WRONG: --rows → CORRECT: rows=", REFUSED)
    };
    let other = engine.propose(&other).unwrap();
    let seen = || {
        let open = engine.start(&run("")).unwrap();
        let reaction = engine.observe(&open.id, &failure(WRONG, REFUSED)).unwrap();
        reaction.hints
    };
    let hints = seen();
    assert_eq!((hints.len(), &hints[0].lesson.id), (1, &other.id));
    assert_eq!(hints[0].lane, twiceshy_wit::memory::Lane::CrossDomain);
    assert!(hints[0].score < 0.35);
    let own = engine.propose(&proposal("say rows=5", REFUSED)).unwrap();
    let hints = seen();
    assert_eq!((hints.len(), &hints[0].lesson.id), (1, &own.id));
}
