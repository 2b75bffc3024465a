//! Episodes as lines for a person.

use twiceshy::wit::memory::{Account, Episode, EpisodeHit, FullEpisode, Lifecycle, TraceStep};

use crate::cli::show;

/// Characters of a task or an action in one line.
const CUT: usize = 100;

/// The head of an episode in two lines.
pub(super) fn head(episode: &Episode) -> Vec<String> {
    let score = episode
        .score
        .map_or(String::new(), |score| format!(" {score:.2}"));
    let mut about = vec![episode.domain.as_str()];
    let more = [&episode.task_type, &episode.agent, &episode.session];
    about.extend(
        more.into_iter()
            .map(String::as_str)
            .filter(|text| !text.is_empty()),
    );
    let about = about.join(", ");
    vec![
        format!(
            "{}  {}  {}{score}  {} steps, {} failed  ({})",
            show::line(&episode.id),
            show::time(episode.ended_at),
            episode.outcome.as_str(),
            episode.steps,
            episode.failures,
            show::line(&about)
        ),
        format!("    {}", show::cut(&episode.task, CUT)),
    ]
}

/// An episode that was found, with what its relevance is made of.
pub(super) fn hit(hit: &EpisodeHit) -> Vec<String> {
    let mut lines = head(&hit.episode);
    let parts = &hit.parts;
    lines.push(format!(
        "    relevance {:.3} = 0.5·{:.2} similar + 0.2·{:.2} recent + 0.15·{:.0} success + 0.1·{:.2} accessed + \
         0.05·{:.0} domain  ({}{})",
        hit.score,
        parts.similarity,
        parts.recency,
        parts.success,
        parts.access,
        parts.same_domain,
        hit.phase.as_str(),
        if hit.by_meaning { ", by meaning" } else { "" }
    ));
    lines
}

/// A step in one line.
pub(super) fn step(step: &TraceStep) -> String {
    let failed = match &step.feedback.hard_failure {
        Some(failure) => format!("  failed: {}", show::cut(&failure.evidence, CUT)),
        None if step.event_id.is_some() => "  failed".to_owned(),
        None => String::new(),
    };
    format!(
        "{:>4}  {}  {}{failed}",
        step.index,
        show::time(step.at),
        show::cut(&step.feedback.action_text, CUT)
    )
}

/// What happened to an episode.
fn lifecycle(lifecycle: &Lifecycle) -> Vec<String> {
    let mut line = format!(
        "{}, {} accesses",
        lifecycle.phase.as_str(),
        lifecycle.access_count
    );
    if let Some(at) = lifecycle.last_accessed {
        line.push_str(&format!(", the last {}", show::time(at)));
    }
    let mut lines = vec![line];
    let cold = [
        ("steps", lifecycle.cold_trace.is_some()),
        ("account", lifecycle.cold_account.is_some()),
    ];
    let cold: Vec<_> = cold
        .into_iter()
        .filter(|(_, is)| *is)
        .map(|(what, _)| what)
        .collect();
    if !cold.is_empty() {
        lines.push(format!("in cold storage: {}", cold.join(" and ")));
    }
    if let Some(into) = &lifecycle.consolidated_into {
        lines.push(format!("consolidated into {}", show::line(into)));
    }
    if let (Some(at), Some(reason)) = (lifecycle.deleted_at, &lifecycle.delete_reason) {
        lines.push(format!(
            "set aside {}: {}",
            show::time(at),
            show::line(reason)
        ));
    }
    if !lifecycle.referenced_by.is_empty() {
        lines.push(format!(
            "referred to by {}",
            show::line(&lifecycle.referenced_by.join(", "))
        ));
    }
    lines
}

/// All that is known of an episode.
pub(super) fn whole(full: &FullEpisode) -> Vec<String> {
    let episode = &full.episode;
    let mut lines = head(episode);
    lines.extend(
        episode
            .summary
            .lines()
            .map(|line| format!("    {}", show::line(line))),
    );
    let lists = [
        ("tags", &episode.tags),
        ("tools", &episode.tools_used),
        ("strategies", &episode.strategies_applied),
        ("fingerprints", &episode.fingerprints),
        ("lessons shown", &episode.lessons),
    ];
    for (name, list) in lists {
        if !list.is_empty() {
            lines.push(format!("  {name}: {}", show::line(&list.join(", "))));
        }
    }
    lines.extend(account(&full.account));
    if let Some(consolidated) = &full.consolidated {
        lines.push(format!("  stands for {} episodes", consolidated.instances));
    }
    let happened = lifecycle(&full.lifecycle);
    lines.extend(happened.into_iter().map(|line| format!("  {line}")));
    lines
}

fn account(account: &Account) -> Vec<String> {
    let mut lines = Vec::new();
    let lists = [
        ("goals", &account.goals),
        ("constraints", &account.constraints),
        ("success criteria", &account.success_criteria),
        ("files", &account.files_involved),
        ("plan", &account.plan),
        ("side effects", &account.side_effects),
        ("insights", &account.insights),
        ("patterns discovered", &account.patterns_discovered),
    ];
    for (name, list) in lists {
        if !list.is_empty() {
            lines.push(format!("  {name}:"));
            lines.extend(list.iter().map(|text| format!("    {}", show::line(text))));
        }
    }
    for adaptation in &account.adaptations {
        let what = format!(
            "  changed: {} because {}",
            adaptation.change, adaptation.reason
        );
        lines.push(show::line(&what));
    }
    for error in &account.errors_encountered {
        let what = format!("  {}: {} → {}", error.kind, error.message, error.resolution);
        lines.push(show::line(&what));
    }
    let measures = [
        ("used", &account.resource_usage),
        ("quality", &account.quality_metrics),
    ];
    for (name, measures) in measures {
        let all = measures
            .iter()
            .map(|measure| format!("{} {}", measure.name, measure.value));
        let all: Vec<_> = all.collect();
        if !all.is_empty() {
            lines.push(format!("  {name}: {}", show::line(&all.join(", "))));
        }
    }
    let texts = [
        ("phase", &account.phase),
        ("output", &account.primary_output),
        ("performance", &account.performance_analysis),
        ("commit", &account.git_commit),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            lines.push(format!("  {name}: {}", show::cut(text, 4 * CUT)));
        }
    }
    for artifact in &account.artifacts {
        let hash = artifact.hash.as_deref().unwrap_or("named only");
        lines.push(show::line(&format!(
            "  artifact {} ({hash})",
            artifact.name
        )));
    }
    lines
}
