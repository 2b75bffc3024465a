//! Successes that have nothing to do with the failure before them, and become lessons.

use super::{Inquiry, MEMORY, Measure};
use crate::{
    advice::Advice,
    data::Story,
    report::{Answer, Row},
};

/// How many successes follow each failure, in runs of their own.
const PAIRS: usize = 2;

/// Each story's mistake is followed by the right commands of two stories of other rules, in memories of their own.
pub fn successes(inquiry: &Inquiry) -> Vec<Row> {
    let stories = &inquiry.data.stories;
    let mut row = inquiry.row(Measure::Unrelated, MEMORY);
    for (place, story) in stories.iter().enumerate() {
        for pair in 0..PAIRS {
            // Two places far apart in the list, which is sorted by rule.
            let start = place + (pair + 1) * stories.len() / (PAIRS + 1);
            let after = (0..stories.len()).map(|step| &stories[(start + step) % stories.len()]);
            let mut unrelated = after.filter(|other| is_unrelated(story, other));
            let other = unrelated.next().expect("an unrelated story");
            let mut mind = inquiry.mind();
            let steps = [
                inquiry.way.failure(&story.wrong, &story.output),
                inquiry.way.success(&other.fix, ""),
            ];
            mind.run("", &steps, true);
            let lessons = mind.lessons();
            let fix = lessons.iter().find(|lesson| {
                let rule = &lesson.rule_text;
                Advice::read(rule).correct.is_some()
            });
            row.add(match fix {
                Some(_) => Answer::Wrong,
                None => Answer::Silent,
            });
            if let Some(lesson) = fix
                && row.wrong <= inquiry.show_wrong
            {
                println!(
                    "unrelated [{} / {}]\n  failed    {}\n  worked    {}\n  lesson    {}",
                    story.rule, other.rule, story.wrong, other.fix, lesson.rule_text
                );
            }
        }
    }
    vec![row]
}

fn is_unrelated(story: &Story, other: &Story) -> bool {
    story.rule != other.rule
}
