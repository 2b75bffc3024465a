//! `twiceshy migrate`: moves the memory to another place, while others use it.
//!
//! Owns which two places are meant, and what is shown. How documents get from one to the other is `migration` in the store.

use std::{fs, path::PathBuf, process::ExitCode};

use clap::Args;
use serde_json::json;
use twiceshy::{
    DirectoryArchive, PostgresArchive, Project, ProjectMemory,
    migration::{self, Contents, Moved, Progress, Side, Stage, Whole},
    wit::host::Error,
};

use super::{context::Context, export::progress, failure::Failure, show};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy migrate --to 'postgres://anna:PASSWORD@db.example/team?memory=shop'
  twiceshy --memory 'postgres://anna:PASSWORD@db.example/team?memory=shop' migrate --to ~/shop/.twiceshy
  twiceshy migrate --to /mnt/large/.twiceshy --json

Copies every document with its version, cold storage and the files of skills into an empty memory: a directory or a
database. Agents may go on working meanwhile. What they write is copied in further rounds; the last round lets them wait
for a moment, and at its end the count and the SHA-256 of every collection are the same on both sides, or the command
fails. If it is interrupted, run it again: it goes on where it was.

The memory at the old place stays as it was. What is written there later stays there, so point agents to the new place
with TWICESHY_MEMORY or `twiceshy config set memory`. A memory behind a service is moved where the service runs.";

/// Procedures as files, beside a memory in a directory.
const SKILLS: &str = "skills";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Where to: the directory of a memory, or postgres://USER:PASSWORD@HOST/DATABASE?memory=NAME.
    #[arg(long, value_name = "PLACE")]
    to: PathBuf,
}

/// One end of a move: a store, its archive, and where they are.
struct End {
    store: std::sync::Arc<dyn Whole>,
    archive: Box<dyn Contents>,
    place: String,
}

impl End {
    fn side(&self) -> Side<'_> {
        Side {
            store: &*self.store,
            archive: &*self.archive,
            place: &self.place,
        }
    }

    /// The memory of a project; none if nothing was written yet and nothing is to be made.
    fn of(opened: &ProjectMemory, is_target: bool) -> Result<Option<Self>, Failure> {
        let project = &opened.project;
        let store = opened.store();
        if let Some(served) = store.served()? {
            return Ok(Some(Self {
                store: served.clone(),
                archive: Box::new(PostgresArchive::new(served.clone())),
                place: project.place(),
            }));
        }
        let file = match is_target {
            true => Some(store.made()?.clone()),
            false => store.existing()?.cloned(),
        };
        Ok(file.map(|file| Self {
            store: file,
            archive: Box::new(DirectoryArchive::new(project.archive_directory())),
            place: absolute(project),
        }))
    }
}

/// The directory of a project, the same however it was named.
fn absolute(project: &Project) -> String {
    let directory = project.directory();
    let found = fs::canonicalize(directory).or_else(|_| std::path::absolute(directory));
    found.map_or_else(|_| project.place(), |path| path.display().to_string())
}

pub(crate) fn migrate(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    context.refuse_foreign()?;
    let target = Project::named(&arguments.to, &context.home)?;
    if let Some(address) = context.project.address().or(target.address()) {
        return Err(Failure::input(format!(
            "{} is a service; run `twiceshy migrate` where its memory is",
            show::line(address)
        )));
    }
    if target.server().is_none() && target.is_shared() {
        let directory = target.directory();
        return Err(Failure::input(format!(
            "--to: {} holds other files; name a directory for the memory alone, such as {}",
            directory.display(),
            directory.join(".twiceshy").display()
        )));
    }
    let target = ProjectMemory::of(target).map_err(of_target)?;
    let Some(from) = End::of(context, false)? else {
        return Err(Failure::other(format!(
            "{} holds no memory yet; there is nothing to move",
            show::line(&context.project.place())
        )));
    };
    let is_same = match (context.project.server(), target.project.server()) {
        (None, None) => absolute(&context.project) == absolute(&target.project),
        (from, to) => from.map(ToString::to_string) == to.map(ToString::to_string),
    };
    if is_same {
        return Err(Failure::input(
            "--to names the memory itself; name another place",
        ));
    }
    target.standing().check().map_err(Error::Denied)?;
    let to = End::of(&target, true)
        .map_err(of_target)?
        .ok_or_else(|| Failure::other("the target could not be made".to_owned()))?;
    let mut bars = Bars::default();
    let moved = migration::migrate(from.side(), to.side(), &mut |progress| bars.show(progress));
    bars.end();
    let moved = moved.map_err(|error| match error {
        Error::InvalidArgument(why) => Failure::input(format!("--to: {why}")),
        error => error.into(),
    })?;
    let skills = copy_skills(&context.project, &target.project)?;
    report(context, &from.place, &to.place, &moved, skills)
}

/// A failure of the target, which is named by another flag than the memory.
fn of_target(failure: impl Into<Failure>) -> Failure {
    failure.into().with_flag("--memory DIR", "--to PLACE")
}

/// One bar for each stage.
#[derive(Default)]
struct Bars(Option<(Stage, indicatif::ProgressBar)>);

impl Bars {
    fn show(&mut self, now: Progress) {
        let words = match now.stage {
            Stage::Documents => "copying and checking documents",
            Stage::Archive => "copying and checking cold storage",
            Stage::Last => "catching up, writers wait",
        };
        if self.0.as_ref().is_none_or(|(stage, _)| *stage != now.stage) {
            self.end();
            self.0 = Some((now.stage, progress(words, now.total.max(1))));
        }
        if let Some((_, bar)) = &self.0 {
            bar.set_length(now.total.max(1));
            bar.set_position(now.done);
        }
    }

    fn end(&mut self) {
        if let Some((_, bar)) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}

/// Copies the files of skills that the other directory does not have. The documents of skills are in the store anyway.
fn copy_skills(from: &Project, to: &Project) -> Result<u64, Failure> {
    let target = to.directory().join(SKILLS);
    let Ok(entries) = fs::read_dir(from.directory().join(SKILLS)) else {
        return Ok(0);
    };
    let mut copied = 0;
    for entry in entries.flatten() {
        let (file, place) = (entry.path(), target.join(entry.file_name()));
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || place.symlink_metadata().is_ok() {
            continue;
        }
        let written = fs::create_dir_all(&target)
            .and_then(|()| fs::read(&file))
            .and_then(|bytes| super::skills::replace(&place, &bytes));
        written.map_err(|error| Failure::other(format!("{}: {error}", place.display())))?;
        copied += 1;
    }
    Ok(copied)
}

fn report(
    context: &Context,
    from: &str,
    to: &str,
    moved: &Moved,
    skills: u64,
) -> Result<ExitCode, Failure> {
    let collection = |one: &migration::Collection| json!({ "name": one.name, "count": one.count, "sha256": one.sha256 });
    let documents: u64 = moved.collections.iter().map(|one| one.count).sum();
    let result = json!({
        "from": from,
        "to": to,
        "documents": documents,
        "collections": moved.collections.iter().map(collection).collect::<Vec<_>>(),
        "archive": collection(&moved.archive),
        "skill-files": skills,
        "resumed": moved.resumed,
        "rounds": moved.rounds,
        "changed-meanwhile": moved.changed_meanwhile,
    });
    context.print(&result, || {
        let width = moved.collections.iter().map(|one| one.name.len());
        let width = width.max().unwrap_or_default().max("archive".len());
        let mut lines = vec![format!(
            "{} {} to {}: {documents} documents, {} contents of cold storage.",
            if moved.resumed { "Finished moving" } else { "Moved" },
            show::line(from),
            show::line(to),
            moved.archive.count,
        )];
        for one in moved.collections.iter().chain([&moved.archive]) {
            lines.push(format!(
                "  {:width$}  {:>9}  sha256 {}…",
                show::line(&one.name),
                one.count,
                &one.sha256[..16]
            ));
        }
        lines.push(
            "Counts and checksums of both sides agree. What is written at the old place from now on stays there.".into(),
        );
        lines
    })
}
