//! The resources: pages of the memory that a client can read and attach.

use rmcp::{
    ErrorData,
    model::{Resource, ResourceContents, ResourceTemplate},
};
use serde_json::{Value, json};
use twiceshy::{
    Memory,
    wit::memory::{
        EpisodeFilter, Episodes, Error, LessonFilter, Lessons, Run, Runs, Upkeep, Working,
    },
};

use super::{answer::marked, connection::Connection, tools::look};
use crate::cli::{failure::Failure, show};

const JSON: &str = "application/json";
const TEXT: &str = "text/markdown";

/// Entries of a list.
const LISTED: u32 = 100;

/// How all addresses begin.
const SCHEME: &str = "twiceshy://";

pub(super) fn list() -> Vec<Resource> {
    let resource = |path: &str, title: &str, about: &str, kind: &str| {
        Resource::new(format!("{SCHEME}{path}"), path)
            .with_title(title)
            .with_description(about)
            .with_mime_type(kind)
    };
    vec![
        resource(
            "continuity",
            "Where the work stands",
            "The state of the open task of this session, or of the task begun last, with references to what is known.",
            TEXT,
        ),
        resource(
            "lessons",
            "Lessons",
            "The lessons that were learned, most recently changed first, with status and evidence.",
            TEXT,
        ),
        resource(
            "episodes",
            "Episodes",
            "The tasks that have ended, newest first: how each went, and its id.",
            TEXT,
        ),
        resource(
            "status",
            "Status",
            "How much the memory holds, as JSON.",
            JSON,
        ),
    ]
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |path: &str, name: &str, title: &str, about: &str, kind: &str| {
        ResourceTemplate::new(format!("{SCHEME}{path}"), name)
            .with_title(title)
            .with_description(about)
            .with_mime_type(kind)
    };
    vec![
        template(
            "continuity/{run}",
            "continuity-of-task",
            "Where a task stands",
            "The state of one open task, by its id.",
            TEXT,
        ),
        template(
            "lessons/{lesson}",
            "lesson",
            "A lesson",
            "All that is known of one lesson, as JSON.",
            JSON,
        ),
        template(
            "episodes/{episode}",
            "episode",
            "An episode",
            "One ended task with its steps, as JSON.",
            JSON,
        ),
    ]
}

/// The content of an address.
pub(super) fn read(connection: &Connection, uri: &str) -> Result<ResourceContents, ErrorData> {
    let absent = || {
        ErrorData::resource_not_found(
            format!(
                "There is no resource `{}`; resources/list and resources/templates/list name them.",
                show::line(uri)
            ),
            Some(json!({ "uri": uri })),
        )
    };
    let path = uri.strip_prefix(SCHEME).ok_or_else(absent)?;
    let found = content(connection, path)
        .map_err(|failure| ErrorData::internal_error(failure.message().to_owned(), None))?;
    let (kind, text) = found.ok_or_else(absent)?;
    Ok(ResourceContents::text(text, uri).with_mime_type(kind))
}

/// A page and its kind; nothing if there is no such page.
fn content(connection: &Connection, path: &str) -> Result<Option<(&'static str, String)>, Failure> {
    let memory = connection.workspace.memory()?;
    let found = match path.split_once('/') {
        None => match path {
            "continuity" => Ok(Some((TEXT, standing(connection, memory)?))),
            "lessons" => Ok(Some((TEXT, lessons(memory)?))),
            "episodes" => Ok(Some((TEXT, episodes(memory)?))),
            "status" => Ok(Some((JSON, shown(&json!(memory.status()?))))),
            _ => Ok(None),
        },
        Some(("continuity", run)) => page(memory, run).map(|page| Some((TEXT, page))),
        Some(("lessons", id)) if id.starts_with("les_") => whole(memory, id),
        Some(("episodes", id)) => whole(memory, id),
        _ => Ok(None),
    };
    match found {
        Err(Error::NotFound(_) | Error::InvalidArgument(_)) => Ok(None),
        found => Ok(found?),
    }
}

fn whole(memory: &Memory, id: &str) -> Result<Option<(&'static str, String)>, Error> {
    let (_, detail) = look::whole(memory, id)?;
    Ok(Some((JSON, shown(&detail))))
}

fn shown(value: &Value) -> String {
    format!("{value:#}")
}

/// Where the work of the session stands.
fn standing(connection: &Connection, memory: &Memory) -> Result<String, Failure> {
    let own = connection.open_run(None, None).ok();
    let run = match own {
        Some(run) => Some(run),
        None => memory.open(1)?.into_iter().next().map(|run| run.id),
    };
    match run {
        Some(run) => Ok(page(memory, &run)?),
        None => Ok("No task is open.\n".to_owned()),
    }
}

/// The page of a task: what its working memory says, or else what its steps say.
fn page(memory: &Memory, run: &str) -> Result<String, Error> {
    match memory.continuity(run) {
        Err(Error::NotFound(_)) => {}
        page => return page,
    }
    let Run {
        id,
        task,
        steps,
        failures,
        started_at,
        ..
    } = Runs::get(memory, run)?;
    let mut lines = vec![
        format!("Task {id}: {task}"),
        format!(
            "Begun {}, {steps} steps, {failures} of them failed.",
            show::time(started_at)
        ),
    ];
    for past in memory.latest_steps(run, 16)? {
        let feedback = past.feedback;
        let how = match feedback.hard_failure {
            Some(failure) => format!("failed, {}", show::cut(&failure.evidence, 200)),
            None => "worked".to_owned(),
        };
        lines.push(format!("- {} ({how})", feedback.action_text));
    }
    Ok(marked(&lines))
}

fn lessons(memory: &Memory) -> Result<String, Error> {
    let found = Lessons::find(
        memory,
        &LessonFilter {
            status: None,
            fingerprint: None,
            domain: None,
            limit: Some(LISTED),
        },
    )?;
    let lines: Vec<_> = found.iter().map(look::shown).collect();
    Ok(match lines.is_empty() {
        true => "Nothing was learned yet.\n".to_owned(),
        false => marked(&lines),
    })
}

fn episodes(memory: &Memory) -> Result<String, Error> {
    let filter = EpisodeFilter {
        limit: Some(LISTED),
        ..EpisodeFilter::default()
    };
    let found = Episodes::find(memory, &filter)?;
    let lines = found.iter().map(|episode| {
        let task = match episode.task.trim() {
            "" => episode.summary.as_str(),
            task => task,
        };
        format!(
            "- {} ({}, {}, {} steps, {} failed): {}",
            episode.id,
            show::time(episode.ended_at),
            episode.outcome.as_str(),
            episode.steps,
            episode.failures,
            show::cut(task, 200)
        )
    });
    let lines: Vec<_> = lines.collect();
    Ok(match lines.is_empty() {
        true => "No task has ended yet.\n".to_owned(),
        false => marked(&lines),
    })
}
