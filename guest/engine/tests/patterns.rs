//! Patterns: lessons with a category, applicability, content and statistics. What is made and asked again and again is here.

mod applications;
mod finding;
mod life;
mod record;
mod showing;
mod validation;

use crate::support::{DAY, START, World, pattern as new, run};
use proptest::prelude::*;
use serde_json::json;
use twiceshy_engine::Engine;
use twiceshy_wit::memory::{
    Account, ActivationFilter, Applicability, ApplicablePattern, Description, Ending, Error,
    Feature, FeatureTest, Guidance, HeuristicContent, LessonKind, LessonStatus, Lessons, Link,
    Links, Measure, NewPattern, Outcome, PatternContent, PatternUpdate, Patterns, ProcedureContent,
    Recall, Relation, Requirement, Runs, Scope, Source, StrategyContent, TaskContext, TaskFeatures,
    TemplateContent, Trust, Upkeep, ValidationAnswer, ValidationGate,
};

fn applying(types: &[&str], domains: &[&str]) -> Applicability {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Applicability {
        problem_types: list(types),
        domains: list(domains),
        ..Applicability::default()
    }
}

fn requirement(feature: &str, test: FeatureTest, value: &str) -> Requirement {
    Requirement {
        feature: feature.to_owned(),
        test,
        value: value.to_owned(),
    }
}

fn task(task_type: &str, domain: &str) -> TaskFeatures {
    TaskFeatures {
        task_type: task_type.to_owned(),
        domain: domain.to_owned(),
        ..TaskFeatures::default()
    }
}

fn update(reason: &str) -> PatternUpdate {
    PatternUpdate {
        reason: reason.to_owned(),
        ..PatternUpdate::default()
    }
}

/// An episode that took so long.
fn episode(world: &World, task_type: &str, outcome: Outcome, milliseconds: u64) -> String {
    let engine = world.engine();
    let mut new = run("sort the table");
    new.task_type = Some(task_type.to_owned()).filter(|name| !name.is_empty());
    let started = engine.start(&new).unwrap();
    world.pass(milliseconds);
    let ending = Ending {
        outcome: Some(outcome),
        score: None,
        referee: None,
    };
    engine.finish(&started.id, &ending).unwrap();
    started.id
}

/// Applies a pattern in new episodes, so many of which succeed.
fn apply(world: &World, pattern: &str, successes: u32, failures: u32) {
    for at in 0..successes + failures {
        let outcome = if at < successes {
            Outcome::Success
        } else {
            Outcome::Failure
        };
        let id = episode(world, "", outcome, 1_000);
        world
            .engine()
            .record_application(pattern, &id, outcome)
            .unwrap();
    }
}

fn promote(engine: &Engine, pattern: &str) {
    engine
        .set_status(pattern, LessonStatus::Promoted, "for the test")
        .unwrap();
}

fn ids(found: &[ApplicablePattern]) -> Vec<&str> {
    found
        .iter()
        .map(|one| one.pattern.lesson.id.as_str())
        .collect()
}

fn message<T: std::fmt::Debug>(answer: Result<T, Error>) -> String {
    answer.expect_err("it is refused").message().to_owned()
}
