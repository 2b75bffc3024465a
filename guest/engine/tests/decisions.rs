//! Decisions: what was accepted, rejected or held comes back when the same hypothesis is put forward again, in
//! whatever words, and nothing else does.

mod files;
mod reports;

use crate::support::{DAY, START, World};
use serde_json::json;
use twiceshy_engine::{Engine, Ports, likeness::similarity};
use twiceshy_wit::{
    FUNCTIONS,
    host::{self, Change, Condition, Found, Key, Query, Stored},
    memory::{
        Decision, DecisionFilter, DecisionQuery, DecisionQuestion, Decisions, Error, ExportRequest,
        HypothesisList, ImportRequest, NewDecision,
    },
};

const MODULE: &str = "data_processor";

fn decision(hypothesis: &str, outcome: &str) -> NewDecision {
    NewDecision {
        module: MODULE.to_owned(),
        hypothesis: hypothesis.to_owned(),
        description: None,
        outcome: outcome.to_owned(),
        rationale: Some("because".to_owned()),
        rejection_reason: None,
    }
}

fn rejection(hypothesis: &str, reason: &str) -> NewDecision {
    NewDecision {
        rejection_reason: Some(reason.to_owned()),
        ..decision(hypothesis, "rejected")
    }
}

fn sought(hypothesis: &str) -> DecisionQuery {
    DecisionQuery {
        module: MODULE.to_owned(),
        hypothesis: hypothesis.to_owned(),
        description: None,
        days: None,
    }
}

fn every() -> DecisionFilter {
    DecisionFilter {
        module: None,
        outcome: None,
        since: None,
        limit: None,
    }
}

fn export(engine: &Engine) -> String {
    let mut file = String::new();
    let mut after = None;
    loop {
        let piece = engine.export_file(&ExportRequest { after }).unwrap();
        file.push_str(&piece.text);
        after = piece.next;
        if after.is_none() {
            return file;
        }
    }
}

fn import(engine: &Engine, text: &str) -> Result<(u32, u32), Error> {
    let request = ImportRequest {
        text: text.to_owned(),
        check_only: None,
    };
    engine
        .import_file(&request)
        .map(|done| (done.added, done.known))
}

#[test]
fn a_rejected_hypothesis_is_found_again_in_other_words() {
    let world = World::new();
    let engine = world.engine();
    let known = Decisions::record(
        &engine,
        &rejection(
            "Refactor process method (complexity 11) into smaller functions",
            "mypy error: Cannot assign lambda to Callable[[dict], dict]",
        ),
    )
    .unwrap();
    world.pass(400 * DAY);
    for words in [
        "Refactor process method into smaller functions",
        "refactor the process_method into smaller functions",
        "Into smaller functions: refactor `process` method",
        "Refactor DataProcessor.process into smaller functions",
    ] {
        let matched = engine.was_rejected(&sought(words)).unwrap();
        assert!(matched.found && matched.similarity >= 0.8, "{words}");
        assert_eq!(matched.record.as_ref(), Some(&known), "{words}");
    }
    let same = engine
        .was_rejected(&sought(
            "Refactor process method (complexity 11) into smaller functions",
        ))
        .unwrap();
    assert_eq!(same.similarity, 1.0);
    for words in [
        "Refactor process method into larger functions",
        "Refactor",
        "Refactor save method into smaller functions",
    ] {
        let matched = engine.was_rejected(&sought(words)).unwrap();
        assert_eq!(
            (matched.found, matched.similarity, matched.record),
            (false, 0.0, None),
            "{words}"
        );
    }
}

#[test]
fn the_pairs_of_the_document_match() {
    let like = |left, right| similarity(MODULE, left, right).expect("a match");
    assert!(like("Refactor process method", "Refactor DataProcessor.process") >= 0.8);
    assert!(
        like(
            "Refactor process method into smaller functions",
            "Refactor process method (complexity 11) into smaller functions"
        ) >= 0.8
    );
}

#[test]
fn a_shared_prefix_alone_is_no_match() {
    let long = "Refactor the process method of the data processor into smaller functions and";
    assert_eq!(
        similarity(
            MODULE,
            &format!("{long} validators"),
            &format!("{long} serializers")
        ),
        None
    );
}

#[test]
fn the_description_is_compared_as_well_as_the_hypothesis() {
    let world = World::new();
    let engine = world.engine();
    let new = NewDecision {
        description: Some("Convert records to pure functions without side effects".to_owned()),
        ..rejection("Replace class with functional pipeline", "mypy error")
    };
    Decisions::record(&engine, &new).unwrap();
    let found = |hypothesis: &str, description: Option<&str>| {
        let query = DecisionQuery {
            description: description.map(str::to_owned),
            ..sought(hypothesis)
        };
        engine.was_rejected(&query).unwrap().found
    };
    assert!(found(
        "Convert the records to pure functions, without side effects",
        None
    ));
    assert!(found(
        "Make everything nicer",
        Some("convert records into pure functions without side effects")
    ));
    assert!(found(
        "Make everything nicer",
        Some("replace the class with a functional pipeline")
    ));
    assert!(!found(
        "Make everything nicer",
        Some("something else altogether, and at some length")
    ));
    // What is said about the same thing and is not the same is not excused by a common description.
    let rival = "Replace class with asynchronous pipeline";
    assert!(!found(
        rival,
        Some("Convert records to pure functions without side effects")
    ));
}

#[test]
fn an_acceptance_is_recent_for_seven_days_or_as_long_as_the_caller_says() {
    let world = World::new();
    let engine = world.engine();
    Decisions::record(
        &engine,
        &decision("Add type annotations to all methods", "accepted"),
    )
    .unwrap();
    let accepted = |days: Option<u32>| {
        let query = DecisionQuery {
            days,
            ..sought("Add type annotations to all the methods")
        };
        engine.was_recently_accepted(&query).unwrap().found
    };
    world.pass(7 * DAY);
    assert!(accepted(None) && !accepted(Some(6)));
    world.pass(1);
    assert!(!accepted(None) && accepted(Some(8)));
    assert!(
        !engine
            .was_rejected(&sought("Add type annotations to all methods"))
            .unwrap()
            .found
    );
}

#[test]
fn a_check_answers_both_and_held_tensions_speak_against_nothing() {
    let world = World::new();
    let engine = world.engine();
    let hypothesis = "Switch from inheritance to composition";
    Decisions::record(&engine, &decision(hypothesis, "held")).unwrap();
    let check = engine.check(&sought(hypothesis)).unwrap();
    assert_eq!((check.should_skip, check.record), (false, None));
    Decisions::record(&engine, &decision(hypothesis, "accepted")).unwrap();
    let check = engine.check(&sought(hypothesis)).unwrap();
    assert!(check.accepted_recently && !check.rejected && check.should_skip);
    Decisions::record(&engine, &rejection(hypothesis, "Test failure")).unwrap();
    let check = engine.check(&sought(hypothesis)).unwrap();
    assert!(check.rejected && check.accepted_recently);
    assert_eq!(check.record.unwrap().outcome, "rejected");
    let opposite = engine
        .check(&sought("Switch from composition to inheritance"))
        .unwrap();
    assert!(!opposite.should_skip);
    let held = engine
        .get_records(&DecisionFilter {
            outcome: Some("held".to_owned()),
            ..every()
        })
        .unwrap();
    assert_eq!(held.len(), 1);
}

#[test]
fn the_best_and_then_the_newest_record_is_given() {
    let world = World::new();
    let engine = world.engine();
    for (hypothesis, reason) in [
        (
            "Extract the retry policy of slow uploads into its own helper",
            "oldest",
        ),
        (
            "Extract the retry policy of uploads into its own helper",
            "exact, old",
        ),
        (
            "extract retry-policy of uploads into own helper",
            "exact, new",
        ),
        (
            "Extract the retry policy of big uploads into its own helper",
            "newest",
        ),
    ] {
        world.pass(1_000);
        Decisions::record(&engine, &rejection(hypothesis, reason)).unwrap();
    }
    let best = engine
        .was_rejected(&sought(
            "Extract the retry policy of uploads into its own helper",
        ))
        .unwrap();
    assert_eq!(
        best.record.unwrap().rejection_reason.as_deref(),
        Some("exact, new")
    );
    assert_eq!(best.similarity, 1.0);
}

#[test]
fn an_outcome_that_is_none_and_a_missing_rationale_are_refused_and_change_nothing() {
    let world = World::new();
    let engine = world.engine();
    let Err(Error::InvalidArgument(message)) =
        Decisions::record(&engine, &decision("Cache it", "cached"))
    else {
        panic!("taken")
    };
    assert_eq!(
        message,
        "INVALID_OUTCOME: outcome must be \"accepted\", \"rejected\", or \"held\", not \"cached\""
    );
    for rationale in [None, Some("  ".to_owned())] {
        let new = NewDecision {
            rationale,
            ..decision("Cache it", "accepted")
        };
        let Err(Error::InvalidArgument(message)) = Decisions::record(&engine, &new) else {
            panic!("taken")
        };
        assert!(message.contains("rationale"), "{message}");
    }
    let misplaced = NewDecision {
        outcome: "accepted".to_owned(),
        ..rejection("Cache it", "no")
    };
    let long = decision(&"x".repeat(2_001), "accepted");
    let nameless = NewDecision {
        module: " ".to_owned(),
        ..decision("Cache it", "accepted")
    };
    for new in [misplaced, long, nameless, decision(" \n", "accepted")] {
        assert!(matches!(
            Decisions::record(&engine, &new),
            Err(Error::InvalidArgument(_))
        ));
    }
    let outcome = Some("cached".to_owned());
    let filter = DecisionFilter { outcome, ..every() };
    let Err(error) = engine.get_records(&filter) else {
        panic!("taken")
    };
    assert!(error.message().starts_with("INVALID_OUTCOME"));
    assert_eq!(engine.get_records(&every()).unwrap(), []);
}

#[test]
fn the_same_decision_recorded_twice_is_two_records() {
    let world = World::new();
    let engine = world.engine();
    let ids: Vec<_> = (0..3)
        .map(|_| {
            Decisions::record(&engine, &decision("Cache it", "held"))
                .unwrap()
                .id
        })
        .collect();
    assert_ne!(ids[0], ids[1]);
    assert_eq!(engine.get_records(&every()).unwrap().len(), 3);
    assert_eq!(engine.stats().unwrap().total_records, 3);
}

#[test]
fn a_record_has_no_place_for_code() {
    let world = World::new();
    let engine = world.engine();
    let kept = Decisions::record(&engine, &rejection("Split the loader", "tests")).unwrap();
    let members = |value: serde_json::Value| {
        let members = value.as_object().expect("an object").keys().cloned();
        members.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        members(serde_json::to_value(&kept).unwrap()),
        "description hypothesis id module outcome rationale rejection-reason timestamp"
    );
    let file: serde_json::Value = serde_json::from_str(&export(&engine)).unwrap();
    assert_eq!(
        members(file["records"][0].clone()),
        "description hypothesis module outcome rationale rejection_reason timestamp"
    );
}

#[test]
fn the_threshold_is_no_parameter_of_any_question() {
    let of_decisions = FUNCTIONS
        .iter()
        .filter(|function| function.interface == "decisions");
    let mut asked = 0;
    for function in of_decisions {
        for parameter in function.parameters {
            asked += 1;
            let told = format!("{} {}", parameter.name, parameter.ty.shape());
            assert!(
                !told.contains("threshold") && !told.contains("similarity"),
                "{}: {told}",
                function.name
            );
        }
    }
    assert!(asked > 5, "{asked} parameters");
}

#[test]
fn secrets_are_masked_and_long_reasons_shortened() {
    let world = World::new();
    let engine = world.engine();
    let token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let new = NewDecision {
        hypothesis: format!("Send {token} with every request"),
        rationale: Some(format!("leaks {token} {}", "x".repeat(100_000))),
        ..rejection("", "no")
    };
    let kept = Decisions::record(&engine, &new).unwrap();
    let all = serde_json::to_string(&kept).unwrap();
    assert!(!all.contains(token) && all.len() < 20_000, "{}", all.len());
    assert!(engine.was_rejected(&sought(&new.hypothesis)).unwrap().found);
}

#[test]
fn records_are_listed_newest_first_by_module_outcome_and_time() {
    let world = World::new();
    let engine = world.engine();
    for number in 0..5 {
        world.pass(1_000);
        let new = NewDecision {
            module: ["one", "two"][number % 2].to_owned(),
            ..decision(&format!("Step {number}"), ["accepted", "held"][number % 2])
        };
        Decisions::record(&engine, &new).unwrap();
    }
    let listed = |filter: DecisionFilter| -> Vec<String> {
        let records = engine.get_records(&filter).unwrap();
        records
            .into_iter()
            .map(|record| record.hypothesis)
            .collect()
    };
    let module = Some("one".to_owned());
    assert_eq!(
        listed(DecisionFilter { module, ..every() }),
        ["Step 4", "Step 2", "Step 0"]
    );
    let outcome = Some("held".to_owned());
    assert_eq!(
        listed(DecisionFilter { outcome, ..every() }),
        ["Step 3", "Step 1"]
    );
    let since = Some(START + 4_000);
    assert_eq!(
        listed(DecisionFilter { since, ..every() }),
        ["Step 4", "Step 3"]
    );
    let limit = Some(1);
    assert_eq!(listed(DecisionFilter { limit, ..every() }), ["Step 4"]);
}

const FILE: &str = r#"{
  "version": "1.0.0",
  "records": [
    {
      "module": "evolution",
      "hypothesis": "Refactor EvolutionPipeline into smaller agents",
      "description": "Split into ASTAnalyzer, HypothesisEngine, etc.",
      "outcome": "accepted",
      "rationale": "Improved composability and testability",
      "rejection_reason": null,
      "timestamp": "2024-01-15T10:30:00Z"
    },
    {
      "module": "evolution",
      "hypothesis": "Add caching layer for AST analysis",
      "description": "Cache AST results in-memory dict",
      "outcome": "accepted",
      "rationale": null,
      "rejection_reason": null,
      "timestamp": "2024-01-15T12:00:00.123456+01:00"
    },
    {
      "module": "experiment",
      "hypothesis": "Use global state for experiment tracking",
      "description": "Module-level experiment registry",
      "outcome": "rejected",
      "rationale": "Violates composability (global state)",
      "rejection_reason": "CodeJudge verdict: REJECT - Global state prevents parallel execution",
      "timestamp": "2024-01-15T11:30:00Z"
    }
  ]
}
"#;

/// A store that is not there.
struct Broken;

impl host::Store for Broken {
    fn commit_lightly(&self, batch: &[host::Change]) -> Result<(), host::Error> {
        self.commit(batch)
    }

    fn optimize(&self) -> Result<(), host::Error> {
        Ok(())
    }

    fn get_many(&self, _: &[Key]) -> Result<Vec<Stored>, host::Error> {
        Err(host::Error::ReadOnly("the disk is read-only".into()))
    }
    fn commit(&self, _: &[Change]) -> Result<(), host::Error> {
        Err(host::Error::Full("the disk is full".into()))
    }
    fn find(&self, _: &Query) -> Result<Vec<Found>, host::Error> {
        Err(host::Error::Corrupt("the file is damaged".into()))
    }
    fn count(&self, _: &str, _: &[Condition]) -> Result<u32, host::Error> {
        Err(host::Error::Busy("somebody else writes".into()))
    }
}

#[test]
fn an_error_of_the_store_is_named_storage_error() {
    let world = World::new();
    let engine = Engine::new(Ports {
        store: &Broken,
        archive: &world,
        embedder: &world,
        model: &world,
        clock: &world,
        log: &world,
    });
    let errors = [
        Decisions::record(&engine, &decision("Cache it", "held")).map(drop),
        engine.was_rejected(&sought("Cache it")).map(drop),
        engine.check(&sought("Cache it")).map(drop),
        engine.get_records(&every()).map(drop),
        engine.stats().map(drop),
        engine.failure_patterns("").map(drop),
        engine.export_file(&ExportRequest { after: None }).map(drop),
        import(&engine, FILE).map(drop),
    ];
    for error in errors {
        let Err(Error::Storage(message)) = error else {
            panic!("{error:?}")
        };
        assert!(message.starts_with("STORAGE_ERROR: "), "{message}");
    }
}

#[test]
fn the_same_input_gives_the_same_record_in_every_process() {
    let make = || -> Vec<Decision> {
        let world = World::new();
        let engine = world.engine();
        ["Cache it", "Drop it"]
            .iter()
            .map(|text| Decisions::record(&engine, &decision(text, "held")).unwrap())
            .collect()
    };
    assert_eq!(make(), make());
    assert_eq!(make()[0].id, "dec_4615ae744706f4f5");
}

#[test]
fn a_decision_is_found_in_the_other_ways_in_which_it_is_written() {
    let world = World::new();
    let engine = world.engine();
    for (kept, asked) in [
        (
            "Batch inserts in a single transaction",
            "Batch the inserts into one transaction",
        ),
        ("Rotate the log files every day", "Rotate log files daily"),
        ("Rebuild the index weekly", "Rebuild the index every week"),
    ] {
        engine.record(&rejection(kept, "slow")).expect("recorded");
        let found = engine.was_rejected(&sought(asked)).expect("looked up");
        let record = found.record.expect(asked);
        assert_eq!(record.hypothesis, kept);
    }
    for other in [
        "Batch inserts in two transactions",
        "Rotate log files weekly",
    ] {
        let found = engine.was_rejected(&sought(other)).expect("looked up");
        assert!(!found.found, "{other}");
    }
}
