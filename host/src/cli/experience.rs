//! `twiceshy experience`: what its generated commands need, and the two that are more than a call.
//!
//! Owns which model experience asks, where its settings come from, and progress.

use std::{io::IsTerminal, process::ExitCode};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;
use twiceshy::{
    Memory, PluggedModel, Setting,
    wit::memory::{Experience, ExperienceSettings},
};

use super::{context::Context, failure::Failure, show};

/// What the document gives as defaults, and what a memory has until somebody says otherwise.
const DEFAULTS: ExperienceSettings = ExperienceSettings {
    enabled: true,
    max_size: 1_000,
    top_k: 4,
    window_size: 20,
    enable_rag: true,
    remem_enabled: false,
    max_inner_steps: 5,
    enable_smart_prune: true,
    prune_threshold: 0.95,
    relevance_decay: 0.99,
    min_relevance: 0.1,
};

/// Entries that get vectors between two looks at the progress.
const AT_ONCE: u32 = 64;

/// The memory with the model that the settings of experience name.
pub(crate) fn memory(context: &Context) -> Result<Memory, Failure> {
    context.memory_with(model(context))
}

/// Every setting, and where its value comes from.
pub(crate) fn settings(context: &Context) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    let listed = context
        .settings
        .experience
        .listed(Experience::settings(&memory)?, DEFAULTS);
    context.print(&listed, || {
        let line = |setting: &Setting| {
            let value = match &setting.value {
                Value::Null => "-".to_owned(),
                Value::String(text) => show::line(text),
                value => value.to_string(),
            };
            let source = show::line(&setting.source);
            format!("{:<20}{value:<10}{source}", setting.name)
        };
        listed.iter().map(line).collect()
    })
}

/// Gives vectors to all entries. What is done stays done if it is interrupted.
pub(crate) fn re_embed(context: &Context) -> Result<ExitCode, Failure> {
    let memory = memory(context)?;
    let mut done = memory.re_embed(AT_ONCE)?;
    let visible = std::io::stderr().is_terminal() && !context.json && done.left > 0;
    let bar = ProgressBar::with_draw_target(
        Some(u64::from(done.embedded + done.left)),
        if visible {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        },
    );
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} vectors {eta}") {
        bar.set_style(style);
    }
    while done.left > 0 {
        bar.set_position(u64::from(done.embedded));
        let more = memory.re_embed(AT_ONCE)?;
        done.embedded += more.embedded;
        (done.left, done.dimensions) = (more.left, more.dimensions);
        if more.embedded == 0 {
            break;
        }
    }
    bar.finish_and_clear();
    context.print(&done, || {
        vec![format!(
            "{} experiences have a new vector of {} components, {} have none",
            done.embedded, done.dimensions, done.left
        )]
    })
}

/// The configured model; under the name that the settings of experience give it, if they do.
fn model(context: &Context) -> Option<PluggedModel> {
    let mut settings = context.settings.model.clone()?;
    if let Some(name) = context.settings.experience.model()
        && settings.endpoint.is_some()
    {
        settings.name = Some(name.to_owned());
    }
    Some(PluggedModel::new(settings))
}
