//! `twiceshy share`: promoted lessons as files that a team reviews and git merges, and lessons that held in several projects
//! as proposals for the user's own memory.
//!
//! What comes from a file or from another project is claimed until it has helped here, and never changes what the memory
//! has measured itself.

mod file;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use serde_json::{Value, json};
use twiceshy::{
    Memory, MemoryComponent, Project, ProjectStore, projects,
    wit::memory::{
        Error, Events, Exchange, ExportRequest, ImportRequest, Lesson, LessonCandidate, Lessons,
        LineKind, Trust,
    },
};

use super::{context::Context, failure::Failure, show, skills};
use file::{Case, Shared};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy share                     # writes twiceshy-lessons/les_….md, one file for each promoted lesson
  twiceshy share --read              # takes in those that came with a clone or a merge
  twiceshy share --to-user           # proposes what held in several projects for your own memory

Commit the directory twiceshy-lessons/ like any other: each lesson is a file of its own, so that git merges them. Nothing in
it is believed by itself: --read makes candidates of them, marked as claimed, which are measured like any other lesson
and never change one that is there.

Your own memory is in the user's directory. Where the project has nothing to say, `twiceshy run`, hooks and the server show what it knows, and mark it.";

/// Where the files are, at the root of the project.
const DIRECTORY: &str = "twiceshy-lessons";

/// In how many projects a lesson must have held to be proposed for the user's memory.
const PROJECTS: usize = 2;

/// How the task of a lesson begins that came from a file, before the place that it came from.
pub(crate) const SHARED: &str = "shared in ";
pub(crate) const IMPORTED: &str = "imported from ";

/// Whether a lesson came from elsewhere and has not helped here yet.
pub(crate) fn is_unproven(lesson: &Lesson) -> bool {
    let is_foreign = [SHARED, IMPORTED]
        .iter()
        .any(|start| lesson.task.starts_with(start));
    is_foreign && lesson.trust == Trust::Claimed && lesson.usefulness.helped == 0
}

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Take in the lessons of the files, instead of writing them.
    #[arg(long, conflicts_with = "to_user")]
    read: bool,
    /// Propose lessons that held in several projects for the user's own memory.
    #[arg(long)]
    to_user: bool,
    /// The directory of the files. Default: twiceshy-lessons at the root of the project.
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
}

pub(crate) fn share(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.to_user {
        return to_user(context);
    }
    let root = context
        .project
        .directory()
        .parent()
        .unwrap_or(Path::new(""));
    let directory = arguments
        .directory
        .clone()
        .unwrap_or_else(|| root.join(DIRECTORY));
    match arguments.read {
        true => read(context, &directory),
        false => write(context, &directory),
    }
}

/// A promoted lesson with the cases that it was learned from: what is shared without them would be said where it does not fit.
struct Promoted {
    lesson: Lesson,
    cases: Vec<Case>,
}

/// All promoted lessons, however many there are.
fn promoted(memory: &Memory) -> Result<Vec<Promoted>, Error> {
    let mut cases = Vec::new();
    each_line(memory, |_, line| {
        if let (Some(id), Some("promoted")) = (line["id"].as_str(), line["status"].as_str()) {
            let own = line["twiceshy"]["documents"]["lesson"][0]["cases"].clone();
            let own: Vec<Case> = serde_json::from_value(own).unwrap_or_default();
            cases.push((id.to_owned(), own));
        }
    })?;
    let lesson = |(id, cases): (String, _)| {
        let lesson = Lessons::get(memory, &id)?;
        Ok(Promoted { lesson, cases })
    };
    cases.into_iter().map(lesson).collect()
}

/// Writes promoted lessons. Files of others stay as they are.
fn write(context: &Context, directory: &Path) -> Result<ExitCode, Failure> {
    let failed = |error: io::Error| Failure::other(format!("{}: {error}", directory.display()));
    let memory = context.memory()?;
    let promoted = promoted(&memory)?;
    if !promoted.is_empty() {
        fs::create_dir_all(directory).map_err(failed)?;
    }
    let mut written = 0;
    for Promoted { lesson, cases } in &promoted {
        let place = directory.join(format!("{}.md", lesson.id));
        // What a reviewer made of it counts more.
        if !place.exists() {
            let text = file::text(lesson, cases, |fingerprint| template(&memory, fingerprint));
            skills::replace(&place, text.as_bytes()).map_err(failed)?;
            written += 1;
        }
    }
    let kept = promoted.len() - written;
    let report = json!({ "directory": directory, "written": written, "kept": kept });
    context.print(&report, || {
        let name = show::line(&directory.display().to_string());
        let mut lines = vec![format!("{name}: {written} lessons written, {kept} were there already.")];
        if promoted.is_empty() {
            lines.push("No lesson is promoted yet: that takes three runs in which it was shown and helped.".to_owned());
        }
        lines
    })
}

/// Goes through the lessons of a memory as they are exported: each as it is written, and as it is read.
fn each_line(memory: &Memory, mut visit: impl FnMut(&str, &mut Value)) -> Result<(), Error> {
    let mut after = None;
    loop {
        let piece = memory.export_lines(LineKind::Lessons, &ExportRequest { after })?;
        for line in piece.text.lines() {
            visit(line, &mut serde_json::from_str(line).unwrap_or_default());
        }
        after = piece.next;
        if after.is_none() {
            return Ok(());
        }
    }
}

/// What a fingerprint stands for, for a reader.
fn template(memory: &Memory, fingerprint: &str) -> Option<String> {
    let filter = twiceshy::wit::memory::EventFilter {
        fingerprint: Some(fingerprint.to_owned()),
        limit: Some(1),
        ..Default::default()
    };
    let events = Events::find(memory, &filter).ok()?;
    events.into_iter().next().map(|event| event.template)
}

/// Takes in the lessons of files as candidates.
fn read(context: &Context, directory: &Path) -> Result<ExitCode, Failure> {
    let entries = fs::read_dir(directory).map_err(|error| {
        Failure::input(format!(
            "{}: {error}; `twiceshy share` writes one, or name it with --directory",
            directory.display()
        ))
    })?;
    let memory = context.memory()?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    let mut there = Known::of(&memory)?;
    let (mut added, mut known, mut refused) = (0, 0, Vec::new());
    for path in &files {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match file::read(path).and_then(|shared| take(&memory, &mut there, &shared)) {
            Ok(true) => added += 1,
            Ok(false) => known += 1,
            Err(why) => refused.push(format!("{name}: {why}")),
        }
    }
    let report =
        json!({ "files": files.len(), "added": added, "known": known, "refused": refused });
    context.print(&report, || {
        let mut lines = vec![format!(
            "{} files: {added} lessons added as claimed candidates, {known} known before.",
            files.len()
        )];
        lines.extend(
            refused
                .iter()
                .map(|why| format!("left out: {}", show::line(why))),
        );
        lines
    })?;
    Ok(if refused.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Takes in a lesson unless the memory has the same; whether it is new.
fn take(memory: &Memory, known: &mut Known, shared: &Shared) -> Result<bool, String> {
    if known.has(&shared.candidate) {
        return Ok(false);
    }
    let request = ImportRequest {
        text: shared.line(),
        check_only: None,
    };
    let done = memory.import_lines(LineKind::Lessons, &request);
    let done = done.map_err(|error| error.message().to_owned())?;
    known.add(&shared.candidate);
    Ok(done.added > 0)
}

/// What the memory has, by the words of its lessons: the domain of each and the failures that it is for.
#[derive(Default)]
struct Known(BTreeMap<String, Vec<(String, Vec<String>)>>);

impl Known {
    /// All lessons of a memory.
    fn of(memory: &Memory) -> Result<Self, Error> {
        let mut known = Self::default();
        each_line(memory, |_, line| {
            let member = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
            let triggers = serde_json::from_value(line["trigger_fingerprints"].clone());
            let own = known.0.entry(member("rule_text")).or_default();
            own.push((member("domain"), triggers.unwrap_or_default()));
        })?;
        Ok(known)
    }

    /// Whether there is a lesson with these words for one of these failures.
    fn has(&self, candidate: &LessonCandidate) -> bool {
        let first = candidate.trigger_fingerprints.first();
        let same = |(domain, triggers): &(String, Vec<String>)| {
            candidate.domain.as_ref().is_none_or(|own| own == domain)
                && first.is_none_or(|own| triggers.contains(own))
        };
        let of_words = self.0.get(&candidate.rule_text);
        of_words.is_some_and(|known| known.iter().any(same))
    }

    fn add(&mut self, candidate: &LessonCandidate) {
        let own = self.0.entry(candidate.rule_text.clone()).or_default();
        let domain = candidate.domain.clone().unwrap_or_default();
        own.push((domain, candidate.trigger_fingerprints.clone()));
    }
}

/// Takes what held in several projects into the user's memory, with the cases that it was learned from: by them it is
/// known to which commands it applies.
fn to_user(context: &Context) -> Result<ExitCode, Failure> {
    let component = MemoryComponent::bundled(&context.cache())?;
    let over = |project: &Project| {
        let store = ProjectStore::new(project.clone(), &context.settings);
        component.over(store).build()
    };
    let projects = projects::known(&context.home);
    // By the lesson's id: the same rule for the same failure is the same lesson in every project.
    let mut held: BTreeMap<String, Held> = BTreeMap::new();
    let mut troubles = Vec::new();
    for project in &projects {
        if let Err(error) = gather(&over(project), &mut held) {
            let place = project.directory().display();
            troubles.push(format!("{place}: {}", error.message()));
        }
    }
    held.retain(|_, held| held.projects >= PROJECTS && !held.is_refuted);
    let users = over(&context.home.memory());
    let mut added = Vec::new();
    for held in held.values() {
        let request = ImportRequest {
            text: held.line.clone(),
            check_only: None,
        };
        match users.import_lines(LineKind::Lessons, &request) {
            Ok(done) if done.added > 0 => added.push(held.rule.clone()),
            Ok(_) => {}
            Err(error) => troubles.push(error.message().to_owned()),
        }
    }
    let report = json!({ "projects": projects.len(), "held": held.len(), "added": added, "troubles": troubles });
    context.print(&report, || {
        let mut lines = vec![format!(
            "{} projects: {} lessons held in several, {} of them new to your own memory.",
            projects.len(),
            held.len(),
            added.len()
        )];
        lines.extend(
            added
                .iter()
                .map(|rule| format!("  {}", show::cut(rule, 150))),
        );
        lines.extend(
            troubles
                .iter()
                .map(|why| format!("left out: {}", show::line(why))),
        );
        lines
    })
}

/// A lesson that was seen in projects.
#[derive(Default)]
struct Held {
    /// In how many it holds.
    projects: usize,
    /// Whether it was measured not to help in one of them.
    is_refuted: bool,
    rule: String,
    /// The lesson as it is exported.
    line: String,
}

/// Adds the lessons of a project's memory. What is only claimed there holds nowhere yet.
fn gather(memory: &Memory, held: &mut BTreeMap<String, Held>) -> Result<(), Error> {
    each_line(memory, |line, lesson| {
        let member = |name: &str| lesson[name].as_str().unwrap_or_default().to_owned();
        let known = held.entry(member("id")).or_default();
        match (member("status").as_str(), member("trust").as_str()) {
            ("suppressed" | "deprecated", _) => known.is_refuted = true,
            ("promoted" | "candidate", "observed" | "vouched") => {
                known.projects += 1;
                known.rule = member("rule_text");
                line.clone_into(&mut known.line);
            }
            _ => {}
        }
    })
}
