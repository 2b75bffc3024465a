//! `twiceshy links`: relations between lessons, skills and episodes.
//!
//! Owns the arguments and how relations are shown. What they mean is the memory's business.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use twiceshy::wit::memory::{Link, Links as _, Relation, Walk};

use super::{
    context::Context,
    failure::Failure,
    lessons::{link_line, or_none},
    show,
    words::word,
};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy links of les_0123456789abcdef
  twiceshy links walk les_0123456789abcdef --depth 3 --relation superseded-by
  twiceshy links add les_0123456789abcdef elaborates les_fedcba9876543210 --reason 'says how'
  twiceshy links contradictions

Relations:
  derived-from, related-to, contradicts, elaborates, example-of, supersedes, superseded-by, specializes,
  generalizes, complements";

#[derive(Debug, Subcommand)]
pub(crate) enum Links {
    /// List the relations of a memory, told from its side.
    Of(One),
    /// Show what can be reached from a memory, nearest first.
    Walk(WalkArguments),
    /// List contradictions both sides of which are still shown.
    Contradictions(Listed),
    /// Relate two memories.
    Add(Relate),
    /// Take a relation back.
    Remove(Relate),
}

#[derive(Debug, Args)]
pub(crate) struct One {
    /// The id of a lesson, a skill or an episode.
    id: String,
}

#[derive(Debug, Args)]
pub(crate) struct WalkArguments {
    /// The id of a lesson, a skill or an episode.
    id: String,
    /// How many relations away at most, up to 8.
    #[arg(long, value_name = "N", default_value_t = 2)]
    depth: u32,
    /// Only along this relation. May be repeated.
    #[arg(long, value_parser = word::<Relation>)]
    relation: Vec<Relation>,
    /// At most so many memories.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Listed {
    /// At most so many.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Relate {
    /// The memory that it is about.
    id: String,
    /// How it relates.
    #[arg(value_parser = word::<Relation>)]
    relation: Relation,
    /// The other memory.
    other: String,
    /// Why.
    #[arg(long, default_value = "", hide_default_value = true)]
    reason: String,
}

impl Relate {
    fn link(&self) -> Link {
        Link {
            source: self.id.clone(),
            relation: self.relation,
            target: self.other.clone(),
            reason: self.reason.clone(),
            at: 0,
        }
    }
}

pub(crate) fn links(context: &Context, command: &Links) -> Result<ExitCode, Failure> {
    let memory = context.memory()?;
    match command {
        Links::Of(one) => {
            let links = memory.of_memory(&one.id)?;
            context.print(&links, || {
                let lines = links.iter().map(|link| link_line(link, &one.id));
                or_none(lines, "No relations.")
            })
        }
        Links::Walk(walk) => {
            let found = memory.around(&Walk {
                memory: walk.id.clone(),
                depth: Some(walk.depth),
                relations: walk.relation.clone(),
                limit: Some(walk.limit),
            })?;
            context.print(&found, || {
                let mut lines: Vec<_> = found
                    .memories
                    .iter()
                    .map(|one| {
                        format!(
                            "{:indent$}{}  {}  {}",
                            "",
                            show::line(&one.id),
                            show::line(&one.kind),
                            show::cut(&one.summary, 100),
                            indent = 2 * one.distance as usize
                        )
                    })
                    .collect();
                lines.push(String::new());
                lines.extend(found.links.iter().map(told));
                if found.more {
                    lines.push("There is more; see --limit.".to_owned());
                }
                lines
            })
        }
        Links::Contradictions(listed) => {
            let links = memory.contradictions(listed.limit)?;
            context.print(&links, || {
                or_none(links.iter().map(told), "No contradictions.")
            })
        }
        Links::Add(relate) => {
            let link = memory.relate(&relate.link())?;
            context.print(&link, || vec![told(&link)])
        }
        Links::Remove(relate) => {
            memory.unrelate(&relate.link())?;
            context.print(&(), || vec![format!("no longer: {}", told(&relate.link()))])
        }
    }
}

/// A relation in one line.
fn told(link: &Link) -> String {
    format!(
        "{} {}",
        show::line(&link.source),
        link_line(link, &link.source)
    )
}
