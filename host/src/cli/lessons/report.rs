//! Lessons as lines for a person.

use twiceshy::wit::memory::{Lesson, Link, Usefulness};

use crate::cli::show;

/// A lesson in two lines.
pub(crate) fn summary(lesson: &Lesson) -> Vec<String> {
    vec![
        format!(
            "{}  {}  reliability {:.2}  {}",
            show::line(&lesson.id),
            lesson.status.as_str(),
            lesson.reliability,
            usefulness(&lesson.usefulness)
        ),
        format!("    {}", show::cut(&lesson.rule_text, 150)),
    ]
}

/// What its showings did, in a few words.
pub(crate) fn usefulness(usefulness: &Usefulness) -> String {
    if usefulness.shown_runs == 0 && usefulness.withheld_runs == 0 {
        return "not shown yet".to_owned();
    }
    let mut words = format!(
        "shown in {} runs, helped {}, harmed {}",
        usefulness.shown_runs, usefulness.helped, usefulness.harmed
    );
    if usefulness.withheld_runs > 0 {
        words.push_str(&format!(", withheld from {}", usefulness.withheld_runs));
    }
    if let Some(utility) = usefulness.utility {
        words.push_str(&format!(", utility {utility:+.2}"));
    }
    words
}

/// All that is known of a lesson.
pub(crate) fn whole(lesson: &Lesson) -> Vec<String> {
    let use_ = &lesson.usefulness;
    let number =
        |number: Option<f64>| number.map_or("—".to_owned(), |number| format!("{number:+.2}"));
    let or_none = |text: &str| {
        if text.is_empty() {
            "—".to_owned()
        } else {
            show::line(text)
        }
    };
    let mut lines = vec![
        show::line(&lesson.rule_text),
        String::new(),
        format!("id           {}", show::line(&lesson.id)),
        format!(
            "status       {}: {}",
            lesson.status.as_str(),
            or_none(&lesson.status_reason)
        ),
        format!("kind         {}", lesson.kind.as_str()),
        format!("scope        {}", lesson.scope.as_str()),
        format!("domain       {}", or_none(&lesson.domain)),
        format!("task         {}", or_none(&lesson.task)),
        format!(
            "answers      {}",
            or_none(&lesson.trigger_fingerprints.join(" "))
        ),
        format!("tags         {}", or_none(&lesson.tags.join(" "))),
        format!("trust        {}", lesson.trust.as_str()),
        format!("reliability  {:.2}", lesson.reliability),
        format!("usefulness   {}", usefulness(use_)),
        format!(
            "measured     utility {} (withheld {}), recurrence drop {}, regressions {}, losses {}",
            number(use_.utility),
            number(use_.withheld_utility),
            number(use_.recurrence_drop),
            use_.regressions,
            use_.losses
        ),
        format!(
            "shown last   {}",
            use_.last_shown_at.map_or("—".to_owned(), show::time)
        ),
        format!("created      {}", show::time(lesson.created_at)),
        format!("changed      {}", show::time(lesson.updated_at)),
    ];
    for origin in &lesson.origins {
        lines.push(format!("origin       {}", self::origin(origin)));
    }
    lines
}

/// Where a lesson comes from, in one line.
pub(crate) fn origin(origin: &twiceshy::wit::memory::Origin) -> String {
    let steps: Vec<_> = origin.steps.iter().map(u32::to_string).collect();
    let mut line = format!("{}  by {}", show::time(origin.at), origin.source.as_str());
    if !origin.run.is_empty() {
        line.push_str(&format!(" in {}", show::line(&origin.run)));
    }
    if !steps.is_empty() {
        line.push_str(&format!(", steps {}", steps.join(" ")));
    }
    line
}

/// A relation as it is seen from one of its lessons.
pub(crate) fn link(link: &Link, from: &str) -> String {
    let reason = match show::line(&link.reason) {
        reason if reason.is_empty() => String::new(),
        reason => format!("  ({reason})"),
    };
    let (source, target) = (show::line(&link.source), show::line(&link.target));
    if link.source == from {
        format!("{} {target}{reason}", link.relation.as_str())
    } else {
        format!("{source} {} it{reason}", link.relation.as_str())
    }
}
