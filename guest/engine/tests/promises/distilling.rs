//! What a model is asked about at the end of a run, and what is kept of its answer.

use twiceshy_wit::memory::{Episode, Lessons, Runs, Scope};

use crate::support::{World, ending, failure, run};

const KEY: &str = "sort: bad key";
const SPACE: &str = "cp: no space left on device";

/// A run that fails in these ways.
fn episode(world: &World, evidence: &[&str]) -> Episode {
    world.pass(1_000);
    let steps: Vec<_> = evidence.iter().map(|text| failure("do it", text)).collect();
    let submitted = world.engine().submit(&run("the report"), &steps, &ending());
    submitted.unwrap().episode
}

fn distil(world: &World, episode: &Episode, answer: &str) -> Vec<twiceshy_wit::memory::Lesson> {
    // A model may have been asked for a score when the run ended.
    world.prompts.borrow_mut().clear();
    world.answers.borrow_mut().push_back(Ok(answer.to_owned()));
    world.engine().distil(&episode.id).unwrap()
}

#[test]
fn a_model_is_asked_about_what_recurred_in_the_run_and_about_nothing_else() {
    let world = World::new();
    let once = episode(&world, &[SPACE]);
    assert_eq!(distil(&world, &once, "[]"), []);
    assert!(world.prompts.borrow().is_empty(), "nothing recurred");

    let world = World::new();
    let twice = episode(&world, &[KEY, SPACE, KEY]);
    distil(&world, &twice, "[]");
    let prompt = world.prompts.borrow_mut().remove(0);
    assert!(
        prompt.contains(KEY) && !prompt.contains("no space left"),
        "{prompt}"
    );
}

#[test]
fn a_model_is_asked_about_what_recurred_across_runs() {
    let world = World::new();
    episode(&world, &[KEY]);
    let again = episode(&world, &[KEY, SPACE]);
    distil(&world, &again, "[]");
    let prompt = world.prompts.borrow_mut().remove(0);
    assert!(
        prompt.contains(KEY) && !prompt.contains("no space left"),
        "{prompt}"
    );
}

#[test]
fn the_scope_that_a_candidate_hints_at_is_kept_with_the_lesson() {
    let world = World::new();
    let episode = episode(&world, &[KEY, KEY]);
    let trigger = &episode.fingerprints[0];
    let candidate = |rule: &str, scope: &str| {
        format!(
            r#"{{"trigger_fingerprints": ["{trigger}"], "rule_text": "{rule}", "scope_hint": "{scope}"}}"#
        )
    };
    let answer = [
        candidate("name the column of the report", "task"),
        candidate("count columns from one", "domain"),
        candidate("read the manual first", "global"),
    ];
    let lessons = distil(&world, &episode, &format!("[{}]", answer.join(",")));
    let scopes: Vec<_> = lessons
        .iter()
        .map(|lesson| Lessons::get(&world.engine(), &lesson.id).unwrap().scope)
        .collect();
    assert_eq!(scopes, [Scope::Task, Scope::Domain, Scope::Global]);
}
