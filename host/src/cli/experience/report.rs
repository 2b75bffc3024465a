//! Experience as lines for a person.

use twiceshy::{
    Setting,
    wit::memory::{
        Distribution, EditReport, Evolution, ExperienceEntry, ExperienceHit, ExperienceStats,
        RememResult, SimilarityMetrics,
    },
};

use super::super::show;

/// A text on its line, in characters.
const WIDE: usize = 100;

pub(super) fn or_none(lines: impl Iterator<Item = String>, none: &str) -> Vec<String> {
    let lines: Vec<_> = lines.collect();
    if lines.is_empty() {
        return vec![none.to_owned()];
    }
    lines
}

pub(super) fn hits(hits: &[ExperienceHit]) -> Vec<String> {
    let lines = hits.iter().flat_map(|hit| {
        let by = if hit.by_meaning { "meaning" } else { "words" };
        let mut lines = vec![format!("{:.2} by {by}  {}", hit.score, head(&hit.entry))];
        lines.extend(body(&hit.entry));
        lines
    });
    or_none(lines, "No experience.")
}

pub(super) fn list(entries: &[ExperienceEntry]) -> Vec<String> {
    let lines = entries.iter().flat_map(|entry| {
        let mut lines = vec![head(entry)];
        lines.extend(body(entry));
        lines
    });
    or_none(lines, "No experience.")
}

fn head(entry: &ExperienceEntry) -> String {
    let feedback = show::cut(&entry.feedback, 40);
    format!(
        "{}  {}, {}, {}, {}",
        show::line(&entry.id),
        entry.memory_type.as_str(),
        show::line(&entry.domain),
        if feedback.is_empty() {
            "no feedback"
        } else {
            &feedback
        },
        show::time(entry.created_at)
    )
}

fn body(entry: &ExperienceEntry) -> Vec<String> {
    let mut lines = vec![format!("    task    {}", show::cut(&entry.input, WIDE))];
    if !entry.output.is_empty() {
        lines.push(format!("    answer  {}", show::cut(&entry.output, WIDE)));
    }
    if !entry.strategy_card.is_empty() {
        lines.push(format!(
            "    card    {}",
            show::cut(&entry.strategy_card, 2 * WIDE)
        ));
    }
    lines
}

pub(super) fn whole(entry: &ExperienceEntry) -> Vec<String> {
    let mut lines = vec![head(entry)];
    let mut add = |name: &str, text: &str| {
        if !text.is_empty() {
            lines.push(format!("  {name:<10}{}", show::line(text)));
        }
    };
    add("task", &entry.input);
    add("answer", &entry.output);
    add("remember", &entry.summary);
    add("card", &entry.strategy_card);
    add("trace", &entry.raw_trace);
    add("tags", &entry.tags.join(", "));
    for one in &entry.metadata {
        add(&one.name, &one.value);
    }
    if let Some(feedback) = &entry.structured_feedback {
        let optimal = feedback
            .steps_optimal
            .map_or(String::new(), |steps| format!(" of {steps} at best"));
        let text = format!(
            "{}, progress {:.2}, {} steps{optimal}. {}",
            feedback.kind.as_str(),
            feedback.progress_rate,
            feedback.steps_used,
            feedback.message
        );
        add("feedback", &text);
    }
    let last = entry
        .last_accessed_at
        .map_or("never found".to_owned(), |at| {
            format!("found last {}", show::time(at))
        });
    add(
        "use",
        &format!(
            "found {} times, {last}, relevance {:.3}",
            entry.access_count, entry.relevance_score
        ),
    );
    add("made from", &entry.merged_from.join(", "));
    if entry.archived {
        let into = entry.merged_into.as_deref();
        add(
            "archived",
            &into.map_or("pruned".to_owned(), |into| format!("merged into {into}")),
        );
    }
    lines
}

pub(super) fn evolution(evolution: &Evolution) -> Vec<String> {
    let mut lines = vec![head(&evolution.entry)];
    lines.extend(body(&evolution.entry));
    for (name, ids) in [("merged", &evolution.merged), ("pruned", &evolution.pruned)] {
        if !ids.is_empty() {
            lines.push(format!("    {name}  {}", show::line(&ids.join(", "))));
        }
    }
    lines
}

pub(super) fn stats(stats: &ExperienceStats) -> Vec<String> {
    vec![
        format!(
            "{} of {} entries, {} archived",
            stats.total_entries, stats.max_size, stats.archived_entries
        ),
        format!("types: {}", distribution(&stats.type_distribution)),
        format!(
            "found {} times, {:.2} for each entry",
            stats.total_accesses, stats.avg_accesses_per_entry
        ),
        format!(
            "{} with a strategy card, {} with structured feedback",
            stats.entries_with_strategy_card, stats.entries_with_structured_feedback
        ),
    ]
}

pub(super) fn similarity(metrics: &SimilarityMetrics) -> Vec<String> {
    vec![
        format!(
            "average similarity {:.3} over {} pairs, {:.0} % of the tasks in clusters",
            metrics.average_similarity,
            metrics.pairs,
            100.0 * metrics.cluster_ratio
        ),
        format!("domains: {}", distribution(&metrics.domain_distribution)),
        format!("types: {}", distribution(&metrics.type_distribution)),
        show::line(&metrics.pruning_recommendation),
    ]
}

fn distribution(counts: &[Distribution]) -> String {
    let counts = counts.iter();
    let counts: Vec<_> = counts
        .map(|one| format!("{} {}", show::line(&one.name), one.count))
        .collect();
    if counts.is_empty() {
        return "none".to_owned();
    }
    counts.join(", ")
}

pub(super) fn edits(report: &EditReport) -> Vec<String> {
    let parts = [
        ("pruned", &report.pruned),
        ("merged into", &report.merged),
        ("tagged", &report.tagged),
    ];
    let lines = parts
        .into_iter()
        .filter(|(_, ids)| !ids.is_empty())
        .map(|(name, ids)| format!("{name} {}", show::line(&ids.join(", "))));
    or_none(lines, "No edits.")
}

pub(super) fn settings(settings: &[Setting]) -> Vec<String> {
    settings
        .iter()
        .map(|setting| {
            let value = match &setting.value {
                serde_json::Value::Null => "-".to_owned(),
                serde_json::Value::String(text) => show::line(text),
                value => value.to_string(),
            };
            format!(
                "{:<20}{value:<10}{}",
                setting.name,
                show::line(&setting.source)
            )
        })
        .collect()
}

pub(super) fn remem(result: &RememResult) -> Vec<String> {
    let mut lines: Vec<_> = result
        .trace
        .iter()
        .map(|step| {
            format!(
                "{:<14}{}",
                step.action.as_str(),
                show::cut(&step.content, WIDE)
            )
        })
        .collect();
    if !result.complete {
        lines.push("The steps were used up; this is the last thought:".to_owned());
    }
    lines.push(
        result
            .output
            .lines()
            .map(show::line)
            .collect::<Vec<_>>()
            .join("\n"),
    );
    lines
}
