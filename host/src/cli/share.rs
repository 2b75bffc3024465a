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
        Error, Events, Exchange, ExportRequest, ImportRequest, Lesson, LessonCandidate,
        LessonFilter, LessonStatus, Lessons, LineKind, Trust,
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

/// Lessons of one memory that are looked at.
const MOST_LESSONS: u32 = 1_000;

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

fn lessons(memory: &Memory, status: LessonStatus) -> Result<Vec<Lesson>, Error> {
    let filter = LessonFilter {
        status: Some(status),
        limit: Some(MOST_LESSONS),
        ..LessonFilter::default()
    };
    Lessons::find(memory, &filter)
}

/// Writes promoted lessons. Files of others stay as they are.
fn write(context: &Context, directory: &Path) -> Result<ExitCode, Failure> {
    let failed = |error: io::Error| Failure::other(format!("{}: {error}", directory.display()));
    let memory = context.memory()?;
    let promoted = lessons(&memory, LessonStatus::Promoted)?;
    if !promoted.is_empty() {
        fs::create_dir_all(directory).map_err(failed)?;
    }
    let mut cases = cases(&memory)?;
    let mut written = 0;
    for lesson in &promoted {
        let place = directory.join(format!("{}.md", lesson.id));
        let cases = cases.remove(&lesson.id).unwrap_or_default();
        let text = file::text(lesson, &cases, |fingerprint| template(&memory, fingerprint));
        // What a reviewer made of it counts more.
        if !place.exists() {
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

/// The cases of all lessons, by the lesson's id: what is shared without them would be said where it does not fit.
fn cases(memory: &Memory) -> Result<BTreeMap<String, Vec<Case>>, Error> {
    let mut cases = BTreeMap::new();
    each_line(memory, |_, lesson| {
        let own = lesson["twiceshy"]["documents"]["lesson"][0]["cases"].take();
        if let (Some(id), Ok(own)) = (lesson["id"].as_str(), serde_json::from_value(own)) {
            cases.insert(id.to_owned(), own);
        }
    })?;
    Ok(cases)
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
    let (mut added, mut known, mut refused) = (0, 0, Vec::new());
    for path in &files {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match file::read(path).and_then(|shared| take(&memory, &shared)) {
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
fn take(memory: &Memory, shared: &Shared) -> Result<bool, String> {
    let taken = || match known(memory, &shared.candidate)? {
        true => Ok(false),
        false => {
            let request = ImportRequest {
                text: shared.line(),
                check_only: None,
            };
            let done = memory.import_lines(LineKind::Lessons, &request)?;
            Ok::<_, Error>(done.added > 0)
        }
    };
    taken().map_err(|error| error.message().to_owned())
}

/// Whether the memory has a lesson with these words for one of these failures.
fn known(memory: &Memory, candidate: &LessonCandidate) -> Result<bool, Error> {
    let filter = |fingerprint: Option<&String>| LessonFilter {
        fingerprint: fingerprint.cloned(),
        domain: candidate.domain.clone(),
        limit: Some(MOST_LESSONS),
        ..LessonFilter::default()
    };
    let found = Lessons::find(memory, &filter(candidate.trigger_fingerprints.first()))?;
    Ok(found
        .iter()
        .any(|lesson| lesson.rule_text == candidate.rule_text))
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
