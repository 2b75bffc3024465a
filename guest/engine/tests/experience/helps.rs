//! Experience helps on tasks of several turns, and the more, the more they resemble each other.
//!
//! A small part of the benchmark `experience`, so that a change that makes it help less fails here.

use super::trial::{Compared, compared};

fn lived(share: f64) -> Compared {
    compared(share, 100..103, 60)
}

fn gain(compared: &Compared) -> f64 {
    compared.with.success() - compared.without.success()
}

#[test]
fn like_tasks_of_several_turns_succeed_more_often_and_in_fewer_steps() {
    let like = lived(1.0);
    assert!(gain(&like) >= 0.15, "success rises by {:.2}", gain(&like));
    let saved = 1.0 - like.with.steps_a_task() / like.without.steps_a_task();
    assert!(saved >= 0.2, "steps fall by {saved:.2}");
}

#[test]
fn experience_grows_better_with_use_and_carries_over_to_tasks_that_are_new() {
    // Every task is of a family, about a thing of its own. Among the first ones, many are the first of their family.
    let young = compared(1.0, 100..112, 30);
    let grown = young.late.success() - young.early.success();
    assert!(grown >= 0.1, "success grows by {grown:.2}");
    let (early, late) = (young.early.steps_a_task(), young.late.steps_a_task());
    assert!(
        late <= 0.9 * early,
        "{early:.1} steps at first, {late:.1} at last"
    );
}

#[test]
fn experience_helps_more_where_tasks_resemble_each_other_and_harms_nowhere() {
    let [none, half, all] = [0.0, 0.5, 1.0].map(lived);
    let likeness = [&none, &half, &all].map(|one| one.likeness);
    assert!(likeness.is_sorted(), "{likeness:?}");
    assert!(
        gain(&none).abs() <= 0.08,
        "without likeness: {:.2}",
        gain(&none)
    );
    assert!(gain(&half) >= gain(&none) + 0.05, "{:.2}", gain(&half));
    assert!(gain(&all) >= gain(&half) + 0.05, "{:.2}", gain(&all));
}
