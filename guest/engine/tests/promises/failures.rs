//! Patterns of failures over modules and kinds.

use twiceshy_wit::memory::{FailurePattern, Failures, NewFailure, PatternFilter};

use crate::support::World;

fn record(world: &World, module: &str, details: &str) {
    world.pass(1_000);
    let failure = NewFailure {
        module_category: "agents/e".to_owned(),
        module_name: module.to_owned(),
        hypothesis: "Add async context manager for file operations".to_owned(),
        failure_type: None,
        failure_details: details.to_owned(),
    };
    Failures::record(&world.engine(), &failure).unwrap();
}

fn patterns(world: &World, module: Option<&str>) -> Vec<FailurePattern> {
    let filter = PatternFilter {
        module_name: module.map(str::to_owned),
        failure_type: None,
        min_count: None,
    };
    Failures::patterns(&world.engine(), &filter).unwrap()
}

#[test]
fn a_pattern_names_every_module_in_which_it_occurred_whichever_is_asked_for() {
    let world = World::new();
    for (module, line) in [("evolution", 45), ("experiment", 120), ("judge", 7)] {
        record(
            &world,
            module,
            &format!("SyntaxError: invalid syntax at line {line}"),
        );
    }
    record(&world, "judge", "TypeError: unsupported operand");
    let everywhere = ["evolution", "experiment", "judge"];
    assert_eq!(patterns(&world, None)[0].modules, everywhere);
    let asked = patterns(&world, Some("evolution"));
    assert_eq!(asked.len(), 1, "only what the module ran into");
    assert_eq!(asked[0].modules, everywhere);
    assert_eq!(asked[0].count, 1, "counted in the module alone");
    assert_eq!(patterns(&world, Some("another")), []);
}

#[test]
fn lines_files_and_names_of_an_error_do_not_split_its_pattern_and_another_message_is_another() {
    let world = World::new();
    for details in [
        "SyntaxError: invalid syntax at line 45: async with open(...)",
        "SyntaxError: invalid syntax at line 120: async with open(...)",
        "SyntaxError: unexpected indent at line 120",
    ] {
        record(&world, "evolution", details);
    }
    let found: Vec<_> = patterns(&world, None)
        .into_iter()
        .map(|pattern| (pattern.failure_type, pattern.count))
        .collect();
    assert_eq!(
        found,
        [("syntax".to_owned(), 2), ("syntax".to_owned(), 1)],
        "one type, two messages"
    );
}
