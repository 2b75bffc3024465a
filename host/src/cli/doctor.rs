//! `twiceshy doctor`: whether everything is as it should be, and how to mend what is not.

use std::{fs, path::Path, process::ExitCode};

use serde_json::json;
use twiceshy::{
    Adapter, AdapterEntry, AdapterState, Entry, MemoryComponent, PluggedModel, PostgresArchive,
    wit::{
        host::{Embedder, Model},
        memory::{Error, Finding, Upkeep},
    },
};

use super::{
    arguments::{self, Common},
    context::Context,
    failure::Failure,
    hook::log::Log,
    setup::{self, check::Standing},
    show,
    stats::{bytes_below, size},
};

/// What one check found.
struct Check {
    name: &'static str,
    /// What is wrong and how to fix it; nothing if all is well.
    problems: Vec<String>,
    /// What was looked at.
    note: String,
}

pub(crate) fn doctor(arguments: &arguments::Doctor, common: &Common) -> Result<ExitCode, Failure> {
    let checks = match Context::new(common) {
        Ok(context) => all(&context, arguments.model),
        Err(failure) => vec![Check {
            name: "settings",
            problems: vec![failure.message().to_owned()],
            note: String::new(),
        }],
    };
    let sound = checks.iter().all(|check| check.problems.is_empty());
    if common.json {
        let checks: Vec<_> = checks
            .iter()
            .map(|check| {
                json!({ "check": check.name, "ok": check.problems.is_empty(),
                        "note": check.note, "problems": check.problems })
            })
            .collect();
        println!("{}", json!({ "ok": sound, "checks": checks }));
    } else {
        for check in &checks {
            let verdict = if check.problems.is_empty() {
                "ok"
            } else {
                "PROBLEM"
            };
            println!(
                "{:<12} {verdict:<8} {}",
                check.name,
                show::line(&check.note)
            );
            for problem in &check.problems {
                println!("{:<12} {:<8} {}", "", "", show::line(problem));
            }
        }
    }
    Ok(if sound {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn all(context: &Context, ask: bool) -> Vec<Check> {
    let cache = cache(context);
    // Loaded once: without a cache it is compiled.
    let component = MemoryComponent::bundled(&context.cache());
    vec![
        settings(context),
        permissions(context),
        cache,
        components(context, &component),
        adapters(context),
        store(context),
        memory(context, &component),
        model(context, ask),
        embedder(context),
        hosts(context),
        space(context),
    ]
}

fn settings(context: &Context) -> Check {
    let settings = &context.settings;
    let mut note = format!(
        "hints {}, capture-kib {}, busy-timeout-ms {}, hold-out {}",
        settings.hints, settings.capture_kib, settings.busy_timeout_ms, settings.hold_out
    );
    if let Some(off) = settings.switched_off() {
        note = format!("{off}; {note}");
    }
    Check {
        name: "settings",
        problems: Vec::new(),
        note,
    }
}

/// Whether the memory can be written, and by whom.
fn permissions(context: &Context) -> Check {
    let directory = context.project.directory();
    let mut problems = Vec::new();
    let note = if directory.is_dir() {
        problems.extend(unwritable(directory));
        directory.display().to_string()
    } else {
        problems.extend(existing(directory).and_then(unwritable));
        format!("{} is made by the first write", directory.display())
    };
    Check {
        name: "permissions",
        problems,
        note,
    }
}

/// What there is of a path already: where the rest of it would be made. It need not be a directory, and then
/// nothing can be made there.
fn existing(path: &Path) -> Option<&Path> {
    path.ancestors()
        .find(|ancestor| ancestor.symlink_metadata().is_ok())
}

/// What keeps a directory from being written, found by trying.
fn unwritable(directory: &Path) -> Option<String> {
    let probe = directory.join(format!(".twiceshy-doctor-{}", std::process::id()));
    // A file with something in it: an empty one finds room on a full disk, too.
    let written = fs::write(&probe, [0; 4096]);
    let removed = fs::remove_file(&probe);
    match written.and(removed) {
        Ok(()) => None,
        Err(error) => Some(format!(
            "{} can't be written ({error}): fix its permissions, free some space, or choose another memory with --memory DIR",
            directory.display()
        )),
    }
}

fn cache(context: &Context) -> Check {
    let mut problems = Vec::new();
    let mut notes = vec![context.home.cache().display().to_string()];
    for (name, entry) in context.cache().inspect() {
        match entry {
            Entry::Sound => notes.push(format!("{name} compiled")),
            Entry::Missing => notes.push(format!("{name} not compiled yet")),
            Entry::Damaged(why) => problems.push(format!(
                "{why}: the next start compiles `{name}` anew; if this comes back, remove {}",
                context.home.cache().display()
            )),
        }
    }
    let place = context.home.cache();
    problems.extend(existing(&place).and_then(unwritable).map(|problem| {
        format!(
            "{problem}; until then every start compiles, which takes a second; or set TWICESHY_HOME"
        )
    }));
    Check {
        name: "cache",
        problems,
        note: notes.join(", "),
    }
}

fn components(context: &Context, memory: &Result<MemoryComponent, Error>) -> Check {
    let cache = context.cache();
    let mut problems = Vec::new();
    let mut note = format!("twiceshy {}", env!("CARGO_PKG_VERSION"));
    if let Err(error) = memory {
        problems.push(format!("memory: {error}"));
    }
    match Adapter::cli(&cache) {
        Ok(adapter) => {
            let manifest = adapter.manifest();
            note.push_str(&format!(", adapter {} {}", manifest.name, manifest.version));
        }
        Err(error) => problems.push(error.to_string()),
    }
    Check {
        name: "components",
        problems,
        note,
    }
}

/// Whether every adapter can be used.
fn adapters(context: &Context) -> Check {
    let entries = context.adapters().list();
    let (ready, others): (Vec<_>, Vec<_>) = entries
        .into_iter()
        .partition(|entry| entry.state == AdapterState::Ready);
    let told =
        |entry: AdapterEntry| format!("{} {}", entry.name, entry.version.unwrap_or_default());
    let trouble = |entry: AdapterEntry| {
        let place = entry
            .directory
            .map(|place| format!(" in {}", place.display()));
        format!(
            "{}{}: {}",
            entry.name,
            place.unwrap_or_default(),
            entry.note.unwrap_or_default()
        )
    };
    Check {
        name: "adapters",
        problems: others.into_iter().map(trouble).collect(),
        note: ready.into_iter().map(told).collect::<Vec<_>>().join(", "),
    }
}

/// Whether the store's own file is sound.
fn store(context: &Context) -> Check {
    let store = context.store();
    if context.project.server().is_some() {
        return served(context);
    }
    let (note, problems) = match store.file() {
        Ok(None) if context.project.address().is_some() => {
            (format!("at {}", context.project.place()), Vec::new())
        }
        Ok(None) => ("nothing was written yet".to_owned(), Vec::new()),
        Err(error) => (String::new(), vec![error.to_string()]),
        Ok(Some(store)) => match store.integrity() {
            Ok(damage) => {
                let mend = |damage: String| {
                    format!(
                        "{damage}: set {} aside and restore a backup; without one, `sqlite3 FILE .recover` saves what can be saved",
                        store.path().display()
                    )
                };
                (
                    store.path().display().to_string(),
                    damage.into_iter().map(mend).collect(),
                )
            }
            Err(error) => (String::new(), vec![error.to_string()]),
        },
    };
    Check {
        name: "store",
        problems,
        note,
    }
}

/// Whether the database answers, its tables agree with each other, and the object store beside it answers, too.
fn served(context: &Context) -> Check {
    let looked = match context.store().served() {
        Ok(Some(store)) => store.integrity().and_then(|mut problems| {
            let mut about = store.about()?;
            match PostgresArchive::new(store.clone()).look_at_objects() {
                Ok(Some(place)) => about += &format!(", contents in {place}"),
                Ok(None) => {}
                Err(error) => problems.push(error.to_string()),
            }
            Ok((about, problems))
        }),
        Ok(None) => Ok((String::new(), Vec::new())),
        Err(error) => Err(error),
    };
    let (note, problems) = match looked {
        Ok((about, problems)) => (format!("{}: {about}", context.project.place()), problems),
        Err(error) => (context.project.place(), vec![error.to_string()]),
    };
    Check {
        name: "store",
        problems,
        note,
    }
}

/// Whether the memory contradicts itself.
fn memory(context: &Context, component: &Result<MemoryComponent, Error>) -> Check {
    let verified = component
        .as_ref()
        .map_err(Error::clone)
        .and_then(|component| {
            let memory = context.over(component, None, None);
            Ok((memory.verify()?, memory.status()?))
        });
    let (problems, note) = match verified {
        Ok((findings, status)) => {
            let tell = |Finding { document, problem }| format!("{document}: {problem}");
            let note = format!(
                "{} events, {} episodes, {} lessons",
                status.events, status.episodes, status.lessons
            );
            (findings.into_iter().map(tell).collect(), note)
        }
        Err(error) => (vec![error.to_string()], String::new()),
    };
    Check {
        name: "memory",
        problems,
        note,
    }
}

/// Whether the agent hosts on this machine call the hook.
fn hosts(context: &Context) -> Check {
    let standings = match setup::Machine::here(true) {
        Ok(machine) => setup::check::standings(&context.home, &machine),
        Err(_) => Vec::new(),
    };
    let told = |one: &Standing| format!("{}: {}", one.title, one.told);
    let (bad, well): (Vec<_>, Vec<_>) = standings.iter().partition(|one| one.state.is_problem());
    let note = match standings.is_empty() {
        true => "no agent host was found".to_owned(),
        false => well.into_iter().map(told).collect::<Vec<_>>().join("; "),
    };
    Check {
        name: "hosts",
        problems: bad.into_iter().map(told).collect(),
        note,
    }
}

/// What everything takes on disk. Nothing here is a problem: whoever runs out of room is to see where it went.
fn space(context: &Context) -> Check {
    let (memory, home) = (context.project.directory(), context.home.directory());
    let store = context.store();
    let store = store.existing().ok().flatten();
    let store = store.and_then(|store| store.size_bytes().ok());
    let parts = [
        ("store", store.unwrap_or_default()),
        ("archive", bytes_below(&memory.join("archive"))),
        ("sessions", bytes_below(&memory.join("sessions"))),
        (
            "your own memory",
            bytes_below(context.home.memory().directory()),
        ),
        ("compiled components", bytes_below(&context.home.cache())),
        (
            "log of hooks",
            bytes_below(Log::of(&context.home).directory()),
        ),
        (
            "settings of hosts before setup",
            bytes_below(&home.join("setup")),
        ),
    ];
    let told = parts.map(|(name, bytes)| format!("{name} {}", size(bytes)));
    Check {
        name: "space",
        problems: Vec::new(),
        note: told.join(", "),
    }
}

/// Whether the model can be asked. Really asking may cost something, so it is done only on demand.
fn model(context: &Context, ask: bool) -> Check {
    let (note, problems) = match context.model() {
        None => (
            "none is configured, and none is needed".to_owned(),
            Vec::new(),
        ),
        Some(model) => {
            let asked = if ask {
                answers(&model)
            } else {
                reached(&model)
            };
            match asked {
                Ok(how) => (format!("{}: {how}", model.name()), Vec::new()),
                Err(problem) => (model.name(), vec![problem]),
            }
        }
    };
    Check {
        name: "model",
        problems,
        note,
    }
}

/// Which embedder is used, and whether it answers.
fn embedder(context: &Context) -> Check {
    let (note, problems) = match context.embedder() {
        None => (
            "none; texts are compared by their words".to_owned(),
            Vec::new(),
        ),
        Some(embedder) => {
            let started = std::time::Instant::now();
            match embedder.embed(&["Does it answer?".to_owned()]) {
                Ok(vectors) => {
                    let components = vectors.first().map_or(0, Vec::len);
                    let time = started.elapsed().as_millis();
                    let note = format!(
                        "{}: answered in {time} ms with {components} components",
                        embedder.name()
                    );
                    (note, Vec::new())
                }
                Err(error) => (embedder.name(), vec![error.message().to_owned()]),
            }
        }
    };
    Check {
        name: "embedder",
        problems,
        note,
    }
}

fn reached(model: &PluggedModel) -> Result<String, String> {
    let reached = model
        .reachable()
        .map_err(|error| error.message().to_owned());
    reached.map(|()| "can be reached; --model asks it".to_owned())
}

fn answers(model: &PluggedModel) -> Result<String, String> {
    let schema = r#"{"type":"object","required":["ok"],"properties":{"ok":{"type":"boolean"}}}"#;
    let started = std::time::Instant::now();
    let answer = model
        .complete("Answer with the JSON object {\"ok\": true}.", schema)
        .map_err(|error| error.message().to_owned())?;
    let valid = serde_json::from_str::<serde_json::Value>(&answer)
        .is_ok_and(|answer| answer["ok"].is_boolean());
    if valid {
        return Ok(format!("answered in {} ms", started.elapsed().as_millis()));
    }
    Err(format!(
        "asked for {{\"ok\": true}}, it answered: {}; a model that can't answer in JSON is of no use here",
        show::cut(&answer, 200)
    ))
}
