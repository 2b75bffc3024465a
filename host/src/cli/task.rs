//! `twiceshy task`: one task over several commands.
//!
//! Owns a run's beginning and end on the command line. Its steps come by `twiceshy run`, which adds a command to
//! the run that `--run` or `TWICESHY_RUN` names.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use twiceshy::{
    Memory,
    wit::memory::{
        ActivationFilter, Briefing, BriefingRequest, ContextRequest, Ending, Episode, Error,
        Feature, Lesson, LessonFilter, Lessons, NewRun, Outcome, Recall, Run, Runs, TaskBundle,
    },
};

use super::{
    belonging, context::Context, failure::Failure, recall::bundle, referee, show, words::word,
};

pub(crate) const EXAMPLES: &str = "\
Examples:
  export TWICESHY_RUN=$(twiceshy task start 'convert the report' | head -n 1)
  twiceshy run -- convert report.md report.pdf
  twiceshy run -- pandoc report.md -o report.pdf
  twiceshy task finish --referee 'test -s report.pdf'
  twiceshy task list";

pub(crate) const START_EXAMPLES: &str = "\
Examples:
  twiceshy task start 'convert the report'
  twiceshy task start 'find the kitchen' --domain navigation --json";

pub(crate) const FINISH_EXAMPLES: &str = "\
Examples:
  twiceshy task finish
  twiceshy task finish run_0123456789abcdef --outcome partial --score 0.5
  twiceshy task finish --referee 'make test'";

/// Activations of one answer, as the contract has it.
const MOST_ACTIVATIONS: u32 = 1_000;

/// Lessons of one answer, as the contract has it. The end of a run changes fewer, and those are the newest.
const MOST_LESSONS: u32 = 1_000;

#[derive(Debug, Args)]
pub(crate) struct Start {
    /// The task in words.
    task: String,
    /// The domain of its steps.
    #[arg(long, default_value = "cli")]
    domain: String,
    /// The id to give it, instead of one that the memory makes.
    #[arg(long)]
    id: Option<String>,
    /// How many lessons at most.
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// How many tokens at most (estimated).
    #[arg(long, value_name = "N")]
    tokens: Option<u32>,
    #[command(flatten)]
    belonging: belonging::Arguments,
}

#[derive(Debug, Args)]
pub(crate) struct Finish {
    /// The task's id.
    #[arg(env = "TWICESHY_RUN")]
    id: String,
    /// How it ended: success, failure, partial or abandoned. Without it, by the referee or the last step.
    #[arg(long, value_parser = word::<Outcome>)]
    outcome: Option<Outcome>,
    /// A score from 0 to 1, from an evaluator of your own.
    #[arg(long, value_name = "N", conflicts_with = "referee")]
    score: Option<f64>,
    #[command(flatten)]
    referee: referee::Arguments,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// How many at most.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
}

pub(crate) fn start(context: &Context, arguments: &Start) -> Result<ExitCode, Failure> {
    if context.is_off() {
        return Ok(ExitCode::SUCCESS);
    }
    let memory = context.memory()?;
    let new = arguments.belonging.of(NewRun {
        id: arguments.id.clone(),
        task: arguments.task.clone(),
        domain: arguments.domain.clone(),
        hold_out: Some(context.settings.hold_out),
        hints: Some(context.settings.hints),
        ..NewRun::default()
    });
    let run = memory.start(&new)?;
    let request = BriefingRequest {
        limit: arguments.limit,
        tokens: arguments.tokens,
    };
    // The task is open by now, and whoever opened it must know its id.
    let briefing = memory.brief(&run.id, &request).unwrap_or_else(|error| {
        eprintln!("twiceshy: no briefing: {}", show::line(error.message()));
        Briefing {
            hints: Vec::new(),
            text: String::new(),
            tokens: 0,
        }
    });
    let known = ContextRequest {
        task: arguments.task.clone(),
        domain: arguments.domain.clone(),
        features: features(&new),
        task_type: new.task_type,
        limit: arguments.limit,
        tokens: arguments.tokens,
        ..ContextRequest::default()
    };
    let bundle = bundle(context, &memory, &run, &known).unwrap_or_else(|failure| {
        eprintln!("twiceshy: no bundle: {}", show::line(failure.message()));
        None
    });
    let answer = json!({ "run": run, "briefing": briefing, "bundle": bundle });
    context.print(&answer, || {
        let mut lines = vec![run.id.clone()];
        if !briefing.text.is_empty() {
            lines.push(String::new());
            lines.extend(briefing.text.lines().map(show::line));
        }
        let groups = bundle
            .iter()
            .flat_map(|bundle| bundle::groups(bundle, &briefing));
        lines.extend(groups);
        lines
    })
}

/// What is said of a run as features of its task, besides its type.
pub(crate) fn features(run: &NewRun) -> Vec<Feature> {
    let agent = run.agent.iter().map(|agent| ("agent", agent));
    let tags = run.tags.iter().map(|tag| ("tag", tag));
    agent
        .chain(tags)
        .map(|(name, value)| Feature {
            name: name.to_owned(),
            value: value.clone(),
        })
        .collect()
}

/// What else is known that may help: patterns, what to avoid, skills, facts and similar episodes. None while nothing is. What is
/// withheld from this run to be measured is left out.
fn bundle(
    context: &Context,
    memory: &Memory,
    run: &Run,
    request: &ContextRequest,
) -> Result<Option<TaskBundle>, Failure> {
    super::skills::follow(context, memory);
    let mut bundle = memory.context(request)?;
    let activations = memory.activations(&ActivationFilter {
        run: Some(run.id.clone()),
        limit: Some(MOST_ACTIVATIONS),
        ..ActivationFilter::default()
    })?;
    let withheld: Vec<_> = activations.iter().filter(|one| one.withheld).collect();
    let is_empty = bundle::leave_out(&mut bundle, |id| {
        withheld.iter().any(|one| one.lesson == id)
    });
    Ok((!is_empty).then_some(bundle))
}

pub(crate) fn finish(context: &Context, arguments: &Finish) -> Result<ExitCode, Failure> {
    if context.is_off() {
        return Ok(ExitCode::SUCCESS);
    }
    let memory = context.memory()?;
    // A referee is not asked about a task that can't be finished.
    Runs::get(&memory, &arguments.id)?;
    let judged = arguments.referee.ending().unwrap_or_else(|failure| {
        eprintln!("twiceshy: {}", show::line(failure.message()));
        None
    });
    let mut ending = judged.unwrap_or(Ending {
        outcome: None,
        score: arguments.score,
        referee: None,
    });
    ending.outcome = arguments.outcome.or(ending.outcome);
    let episode = memory.finish(&arguments.id, &ending)?;
    let learned = learned(&memory, &episode)?;
    context.print(&json!({ "episode": episode, "lessons": learned }), || {
        let score = episode
            .score
            .map(|score| format!(", score {score:.2} by {}", episode.referee.as_str()))
            .unwrap_or_default();
        let mut lines = vec![format!(
            "{}  {} after {} steps, {} of them failed{score}",
            episode.id,
            episode.outcome.as_str(),
            episode.steps,
            episode.failures
        )];
        lines.extend(learned.iter().map(|lesson| {
            format!(
                "learned  {}  {}",
                lesson.id,
                show::cut(&lesson.rule_text, 110)
            )
        }));
        lines
    })
}

/// The lessons that were learned in an episode.
pub(crate) fn learned(memory: &Memory, episode: &Episode) -> Result<Vec<Lesson>, Error> {
    let filter = LessonFilter {
        status: None,
        fingerprint: None,
        domain: Some(episode.domain.clone()),
        limit: Some(MOST_LESSONS),
    };
    let mut lessons = Lessons::find(memory, &filter)?;
    lessons.retain(|lesson| lesson.origins.iter().any(|origin| origin.run == episode.id));
    Ok(lessons)
}

pub(crate) fn list(context: &Context, arguments: &List) -> Result<ExitCode, Failure> {
    if context.is_off() {
        return Ok(ExitCode::SUCCESS);
    }
    let runs = context.memory()?.open(arguments.limit)?;
    context.print(&runs, || {
        if runs.is_empty() {
            return vec!["No open tasks.".to_owned()];
        }
        runs.iter().map(line).collect()
    })
}

fn line(run: &Run) -> String {
    format!(
        "{}  {}  {}  {} steps, {} failed  {}",
        show::time(run.started_at),
        run.id,
        run.domain,
        run.steps,
        run.failures,
        show::cut(&run.task, 60)
    )
}
