//! `twiceshy config`: reads and changes settings in the configuration files. Comments stay.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use serde_json::json;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};
use twiceshy::{Home, Project, Settings};

use super::{context::Context, failure::Failure, show, skills};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy config list
  twiceshy config get hints
  twiceshy config set hints 3
  twiceshy config set --project hold-out 0
  twiceshy config unset --project hold-out

Settings are in config.toml of the user's directory and of the project's memory; the project's count more. docs/CONFIGURATION.md
explains each of them. A member of a table is named with a dot, such as model.name. A value that does not fit is refused and
changes nothing.";

/// The settings that are there without any file.
fn defaults() -> Vec<(&'static str, Value)> {
    let settings = Settings::default();
    vec![
        ("enabled", settings.enabled.into()),
        ("hints", i64::from(settings.hints).into()),
        ("capture-kib", (settings.capture_kib as i64).into()),
        (
            "busy-timeout-ms",
            settings.busy_timeout_ms.cast_signed().into(),
        ),
        ("hold-out", settings.hold_out.into()),
        (
            "consolidate-hours",
            i64::from(settings.consolidate_hours).into(),
        ),
        ("undo-days", i64::from(settings.undo_days).into()),
        ("log-level", "warn".into()),
    ]
}

/// Which file is meant.
#[derive(Debug, Args)]
struct Which {
    /// The file of this project's memory, instead of the user's.
    #[arg(long)]
    project: bool,
}

impl Which {
    fn file(&self, context: &Context) -> PathBuf {
        match self.project {
            true => context.project.directory().join("config.toml"),
            false => context.home.configuration(),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct One {
    /// The setting, such as hints or model.name.
    name: String,
}

#[derive(Debug, Args)]
pub(crate) struct Set {
    /// The setting, such as hints or model.name.
    name: String,
    /// Its value: a number, true, false, a list such as [\"a\", \"b\"], or a text.
    value: String,
    #[command(flatten)]
    which: Which,
}

#[derive(Debug, Args)]
pub(crate) struct Unset {
    /// The setting, such as hints or model.name.
    name: String,
    #[command(flatten)]
    which: Which,
}

/// A setting with its value and the file that says so; no file for a default.
struct Known {
    name: String,
    value: Value,
    file: Option<PathBuf>,
}

/// All settings that anybody made, and the defaults, by their names.
fn known(context: &Context) -> Result<Vec<Known>, Failure> {
    let default = |(name, value): (&str, Value)| Known {
        name: name.to_owned(),
        value,
        file: None,
    };
    let mut known: Vec<_> = defaults().into_iter().map(default).collect();
    for project in [false, true] {
        let file = Which { project }.file(context);
        let document = document(&file)?;
        let mut found = Vec::new();
        flatten("", document.as_table(), &mut found);
        for (name, value) in found {
            known.retain(|one| one.name != name);
            known.push(Known {
                name,
                value,
                file: Some(file.clone()),
            });
        }
    }
    known.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(known)
}

fn flatten(prefix: &str, table: &dyn TableLike, found: &mut Vec<(String, Value)>) {
    for (name, item) in table.iter() {
        let name = match prefix {
            "" => name.to_owned(),
            prefix => format!("{prefix}.{name}"),
        };
        match item {
            Item::Value(Value::InlineTable(table)) => flatten(&name, table, found),
            Item::Value(value) => found.push((name, value.clone())),
            Item::Table(table) => flatten(&name, table, found),
            Item::None | Item::ArrayOfTables(_) => {}
        }
    }
}

fn document(file: &Path) -> Result<DocumentMut, Failure> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read.map_err(|error| Failure::other(format!("{}: {error}", file.display())))?,
    };
    text.parse().map_err(|error: toml_edit::TomlError| {
        Failure::input(format!(
            "{}: {}",
            file.display(),
            error.to_string().replace('\n', " ")
        ))
    })
}

/// A value on one line, as a file has it. What may be a secret is not shown.
fn shown(name: &str, value: &Value) -> String {
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_secret = ["key", "token", "secret", "password"].contains(&last);
    match value {
        Value::String(_) if is_secret => "\"…\"".to_owned(),
        value => show::line(&without_password(value.to_string().trim())),
    }
}

/// An address without the name and the password in it.
fn without_password(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.to_owned();
    };
    let end = rest.find(['/', '?', '#', '"']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://…{}", &rest[at..]),
        None => text.to_owned(),
    }
}

/// A value for a program.
fn plain(value: &Value) -> serde_json::Value {
    match value {
        Value::String(text) => text.value().as_str().into(),
        Value::Integer(number) => (*number.value()).into(),
        Value::Float(number) => (*number.value()).into(),
        Value::Boolean(truth) => (*truth.value()).into(),
        Value::Array(list) => list.iter().map(plain).collect(),
        other => other.to_string().trim().into(),
    }
}

pub(crate) fn list(context: &Context) -> Result<ExitCode, Failure> {
    let known = known(context)?;
    let rows: Vec<_> = known
        .iter()
        .map(|one| json!({ "name": one.name, "value": shown(&one.name, &one.value), "file": one.file }))
        .collect();
    context.print(&rows, || {
        let line = |one: &Known| {
            let setting = format!(
                "{} = {}",
                show::line(&one.name),
                shown(&one.name, &one.value)
            );
            let place = match &one.file {
                Some(file) => show::line(&file.display().to_string()),
                None => "default".to_owned(),
            };
            format!("{setting:<40} # {place}")
        };
        known.iter().map(line).collect()
    })
}

pub(crate) fn get(context: &Context, arguments: &One) -> Result<ExitCode, Failure> {
    let known = known(context)?;
    let Some(one) = known.iter().find(|one| one.name == arguments.name) else {
        return Err(Failure::other(format!(
            "`{}` is not set; `twiceshy config list` shows what is",
            arguments.name
        )));
    };
    let value = plain(&one.value);
    context.print(&value, || match &value {
        serde_json::Value::String(text) => vec![show::line(text)],
        value => vec![value.to_string()],
    })
}

pub(crate) fn set(context: &Context, arguments: &Set) -> Result<ExitCode, Failure> {
    // What is no TOML value is a text.
    let value = arguments.value.trim().parse::<Value>();
    let value = value.unwrap_or_else(|_| arguments.value.as_str().into());
    change(context, &arguments.name, &arguments.which, |table, name| {
        // Comments before and behind the old value stay where they are.
        let mut value = value.clone();
        match table.get_mut(name) {
            Some(old) => {
                if let Some(old) = old.as_value() {
                    *value.decor_mut() = old.decor().clone();
                }
                *old = Item::Value(value);
            }
            None => drop(table.insert(name, Item::Value(value))),
        }
    })
}

pub(crate) fn unset(context: &Context, arguments: &Unset) -> Result<ExitCode, Failure> {
    change(context, &arguments.name, &arguments.which, |table, name| {
        table.remove(name);
    })
}

/// Changes one setting in a file. The file is replaced only by one that can be read.
fn change(
    context: &Context,
    name: &str,
    which: &Which,
    change: impl Fn(&mut dyn TableLike, &str),
) -> Result<ExitCode, Failure> {
    let file = which.file(context);
    let mut document = document(&file)?;
    let mut parts: Vec<_> = name.split('.').collect();
    let last = parts.pop().filter(|last| !last.is_empty());
    let last = last.ok_or_else(|| Failure::input("the name of the setting is empty"))?;
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for part in parts {
        let inner = table
            .entry(part)
            .or_insert_with(|| Item::Table(Table::new()));
        table = inner.as_table_like_mut().ok_or_else(|| {
            Failure::input(format!(
                "`{part}` is no table, so that `{name}` can't be in it"
            ))
        })?;
    }
    change(table, last);
    let text = document.to_string();
    check(context, which.project, &text)?;
    let unusable = |error: io::Error| {
        Failure::other(format!(
            "{}: {error}; nothing was changed; fix its permissions, or name another directory with TWICESHY_HOME",
            file.display()
        ))
    };
    if which.project {
        context.project.create()?;
    } else {
        fs::create_dir_all(context.home.directory()).map_err(unusable)?;
    }
    skills::replace(&file, text.as_bytes()).map_err(unusable)?;
    let report = json!({ "file": file, "name": name });
    context.print(&report, || {
        vec![format!(
            "Changed {}",
            show::line(&file.display().to_string())
        )]
    })
}

/// Refuses a file that could not be used, before it takes the place of one that can.
fn check(context: &Context, is_project: bool, text: &str) -> Result<(), Failure> {
    let directory = std::env::temp_dir().join(format!("twiceshy-config-{}", std::process::id()));
    // Settings may hold a key, and anybody may write there: what is there already is not used.
    let mut maker = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut maker, 0o700);
    let tried = maker
        .create(&directory)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", directory.display())));
    let is_made = tried.is_ok();
    let tried = tried
        .and_then(|()| fs::write(directory.join("config.toml"), text))
        .map_err(Failure::from)
        .and_then(|()| {
            let settings = match is_project {
                true => Settings::read(&context.home, &Project::at(&directory)),
                false => {
                    Settings::read(&Home::at(&directory), &Project::at(directory.join("none")))
                }
            };
            settings.map(drop).map_err(Failure::from)
        });
    if is_made {
        let _ = fs::remove_dir_all(&directory);
    }
    tried.map_err(|failure| {
        let file = format!("{}: ", directory.join("config.toml").display());
        let message = failure.message().replace(&file, "");
        let message = message.replace("; fix or remove the file", "; nothing was changed");
        Failure::input(without_excerpt(&message))
    })
}

/// A message of the reader of TOML without the lines that it shows: nobody typed those.
fn without_excerpt(message: &str) -> String {
    let message = match message.split_once("^ ") {
        Some((_, said)) if message.starts_with("TOML parse error") => said.trim_start(),
        _ => message,
    };
    message
        .replacen("unknown field", "there is no setting", 1)
        .replacen(", expected one of ", "; there are ", 1)
}
