//! The flags of a generated command: from the types of its function, and back to the JSON that the function takes.
//!
//! A record is taken apart: each of its members is a flag, and so are the members of records within it. What a function
//! needs may also be given without its flag, in order. What is left out is empty: the memory says if it can't be.

use std::path::Path;

use clap::{
    Arg, ArgAction, ArgMatches, Command,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser},
    parser::ValueSource,
};
use serde_json::{Map, Value, json};

use twiceshy::wit::Case;

use super::schema::{Member, Type};
use crate::cli::{date, failure::Failure, input};

/// The flag of a whole JSON argument.
const FROM: &str = "from";

/// The values that are given without their flags.
const VALUES: &str = "values";

/// Names of flags that every command has.
const TAKEN: [&str; 5] = [FROM, "help", "json", "memory", "version"];

/// How many a list has if nobody says.
const LIMIT: u32 = 50;

/// One flag.
#[derive(Debug)]
pub(super) struct Flag {
    /// Its name: that of the member, or with those of the records around it if another one is called the same.
    pub(super) name: String,
    /// Where its value belongs.
    path: Vec<&'static str>,
    docs: &'static str,
    ty: Type,
    /// The function needs it: it may be given without its flag.
    needed: bool,
    /// It is a parameter by itself, not a member of a record.
    bare: bool,
}

/// The flags of a function that takes these parameters.
pub(super) fn of(parameters: &[Member]) -> Vec<Flag> {
    let mut flags = Vec::new();
    for parameter in parameters {
        // A record beside other parameters can be given whole, too.
        if matches!(parameter.ty, Type::Record(_)) && parameters.len() > 1 {
            flags.push(Flag {
                name: parameter.name.to_owned(),
                path: vec![parameter.name],
                docs: "All of it as JSON, or a file with it; other flags change it.",
                ty: parameter.ty.clone(),
                needed: false,
                bare: false,
            });
        }
        take_apart(parameter, &[], true, true, &mut flags);
    }
    let names: Vec<_> = flags.iter().map(|flag| flag.name.clone()).collect();
    for flag in &mut flags {
        if TAKEN.contains(&flag.name.as_str()) {
            flag.name = flag.path.join(".");
        } else if names.iter().filter(|name| **name == flag.name).count() > 1 {
            let from = usize::from(parameters.len() == 1 && flag.path.len() > 1);
            flag.name = flag.path[from..].join(".");
        }
    }
    flags
}

fn take_apart(
    member: &Member,
    above: &[&'static str],
    needed: bool,
    bare: bool,
    flags: &mut Vec<Flag>,
) {
    let mut path = above.to_vec();
    path.push(member.name);
    let needed = needed && !member.optional;
    if let Type::Record(members) = &member.ty {
        for member in members {
            take_apart(member, &path, needed, false, flags);
        }
        return;
    }
    flags.push(Flag {
        name: member.name.to_owned(),
        docs: member.docs,
        ty: member.ty.clone(),
        needed,
        bare,
        path,
    });
}

impl Flag {
    /// Whether it may be given without its name, in order.
    pub(super) fn is_in_order(&self) -> bool {
        let fits = matches!(
            self.ty,
            Type::Text | Type::Choice(_) | Type::Json | Type::Number | Type::Integer
        );
        fits && self.needed && self.path.len() <= 2 && !self.has_default()
    }

    /// Whether somebody else knows its value: the task that is open, or how many a list has.
    fn has_default(&self) -> bool {
        self.bare && (self.is_run() || matches!(self.ty, Type::Integer))
    }

    fn is_run(&self) -> bool {
        self.bare && self.name == "run" && matches!(self.ty, Type::Text)
    }

    /// Whether a command without it is refused before the memory is asked. A text of a record may be empty.
    pub(super) fn is_asked_for(&self) -> bool {
        self.needed
            && !self.has_default()
            && match self.ty {
                Type::Choice(_) | Type::Number | Type::Integer | Type::Bytes => true,
                Type::Text | Type::Time => self.bare,
                _ => false,
            }
    }

    /// What stands for it where it is given without its name.
    fn label(&self) -> String {
        self.path.last().unwrap_or(&"").to_uppercase()
    }

    /// A value that might be given.
    fn sample(&self) -> String {
        let text = match self.name.as_str() {
            "lesson" | "pattern" | "id" | "source" | "target" => "les_0123456789abcdef",
            "episode" | "run" => "run_0123456789abcdef",
            "entry" => "exp_0123456789abcdef",
            "domain" => "cli",
            "slug" => "release",
            "agent-id" | "from-agent" | "to-agent" => "agent-1",
            "outcome" | "feedback" => "accepted",
            _ => "",
        };
        match &self.ty {
            Type::Choice(cases) => cases.first().map_or("", |case| case.name).to_owned(),
            Type::Integer | Type::Number => "1".to_owned(),
            Type::Time => "2026-01-31".to_owned(),
            Type::Bytes => "report.md".to_owned(),
            _ if text.is_empty() => format!("'{}'", self.name.replace('-', " ")),
            _ => text.to_owned(),
        }
    }

    /// What stands for its value.
    pub(super) fn value_name(&self) -> String {
        match &self.ty {
            Type::Integer | Type::Number => "N".to_owned(),
            Type::Time => "DATE".to_owned(),
            Type::Bytes => "FILE".to_owned(),
            Type::Text | Type::Choice(_) => match self.is_in_order() {
                true => self.label(),
                false => "TEXT".to_owned(),
            },
            Type::List(item) if matches!(**item, Type::Text | Type::Choice(_)) => "TEXT".to_owned(),
            Type::List(item) if pair(item).is_some() => {
                let (first, second) = pair(item).unwrap_or_default();
                format!("{}={}", first.to_uppercase(), second.to_uppercase())
            }
            _ => "JSON".to_owned(),
        }
    }

    fn arg(&self) -> Arg {
        let item = match &self.ty {
            Type::List(item) => item,
            ty => ty,
        };
        let arg = Arg::new(self.name.clone())
            .long(self.name.clone())
            .help(self.help())
            .value_name(self.value_name())
            .value_parser(parser(item))
            .allow_hyphen_values(matches!(item, Type::Text | Type::Json))
            .allow_negative_numbers(true);
        match self.ty {
            Type::List(_) => arg.action(ArgAction::Append),
            Type::Bool => arg
                .value_name("BOOL")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("true"),
            _ if self.is_run() => arg.env("TWICESHY_RUN"),
            _ => arg,
        }
    }

    fn help(&self) -> String {
        let docs = self.docs.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut help = docs.trim_end_matches('.').to_owned();
        let more = match &self.ty {
            _ if self.is_run() => "the task that is open, if not given",
            Type::Integer if self.bare && self.name == "limit" => "50 if not given",
            Type::Integer if self.has_default() => "0 if not given",
            Type::List(_) => "may be repeated",
            _ => "",
        };
        if !more.is_empty() {
            help.push_str(if help.is_empty() { "" } else { "; " });
            help.push_str(more);
        }
        let mut characters = help.chars();
        characters.next().map_or(help.clone(), |first| {
            first.to_uppercase().chain(characters).collect()
        })
    }
}

/// The names of the two members of a record that is written as `NAME=VALUE`.
fn pair(ty: &Type) -> Option<(&'static str, &'static str)> {
    let plain = |member: &Member| {
        !member.optional && matches!(member.ty, Type::Text | Type::Number | Type::Integer)
    };
    match ty {
        Type::Record(members) if members.len() == 2 && members.iter().all(plain) => {
            Some((members[0].name, members[1].name))
        }
        _ => None,
    }
}

/// The name of one of many: `tag` of `tags`, `entry` of `entries`.
fn singular(many: &str) -> Option<String> {
    match many.strip_suffix("ies") {
        Some(stem) => Some(format!("{stem}y")),
        None => many.strip_suffix('s').map(str::to_owned),
    }
}

/// Adds the flags to a command.
pub(super) fn add(mut command: Command, flags: &[Flag]) -> Command {
    for flag in flags {
        let mut arg = flag.arg();
        // A list is also given by the name of one: `--tag` for `--tags`.
        if let (Type::List(_), Some(one)) = (&flag.ty, singular(&flag.name))
            && flags.iter().all(|other| other.name != one)
        {
            arg = arg.alias(one);
        }
        command = command.arg(arg);
    }
    if flags.iter().any(Flag::is_in_order) {
        command = command.arg(
            Arg::new(VALUES)
                .action(ArgAction::Append)
                .num_args(0..)
                .hide(true),
        );
    }
    if flags.is_empty() {
        return command;
    }
    command.arg(Arg::new(FROM).long(FROM).value_name("FILE").help(
        "All arguments as one JSON object in a file, `-` for standard input; other flags change it",
    ))
}

/// How the command is written.
pub(super) fn usage(path: &str, flags: &[Flag]) -> String {
    let mut usage = path.to_owned();
    for flag in flags.iter().filter(|flag| flag.is_in_order()) {
        let name = flag.label();
        match flag.is_asked_for() {
            true => usage.push_str(&format!(" {name}")),
            false => usage.push_str(&format!(" [{name}]")),
        }
    }
    for flag in flags {
        if flag.is_asked_for() && !flag.is_in_order() {
            usage.push_str(&format!(" --{} {}", flag.name, flag.value_name()));
        }
    }
    if !flags.is_empty() {
        usage.push_str(" [OPTIONS]");
    }
    usage
}

/// A call of the command with what it needs.
pub(super) fn example(path: &str, flags: &[Flag]) -> String {
    let mut example = format!("twiceshy {path}");
    for flag in flags {
        if flag.is_in_order() && (flag.is_asked_for() || flag.path.len() == 2) {
            example.push_str(&format!(" {}", flag.sample()));
        } else if flag.is_asked_for() {
            example.push_str(&format!(" --{} {}", flag.name, flag.sample()));
        }
    }
    example
}

fn parser(ty: &Type) -> ValueParser {
    match ty {
        Type::Choice(cases) => {
            let values = cases.iter().map(|case| {
                let value = PossibleValue::new(case.name).help(case.docs.trim_end_matches('.'));
                value.alias(case.name.replace('-', "_"))
            });
            let values: Vec<_> = values.collect();
            ValueParser::new(
                PossibleValuesParser::new(values).map(|case| Value::from(case.replace('_', "-"))),
            )
        }
        ty => {
            let ty = ty.clone();
            ValueParser::new(move |text: &str| value(&ty, text))
        }
    }
}

fn names(cases: &[Case]) -> String {
    let names: Vec<_> = cases.iter().map(|case| case.name).collect();
    names.join(", ")
}

/// A value as it is typed.
fn value(ty: &Type, text: &str) -> Result<Value, String> {
    match ty {
        Type::Bool => match text {
            "true" | "yes" => Ok(true.into()),
            "false" | "no" => Ok(false.into()),
            _ => Err("neither true nor false".to_owned()),
        },
        Type::Integer => match text.parse::<u64>() {
            Ok(number) => Ok(number.into()),
            Err(_) => Err("not a whole number from 0 on".to_owned()),
        },
        Type::Number => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number.into()),
            _ => Err("not a number".to_owned()),
        },
        Type::Time => match text.parse::<u64>() {
            Ok(milliseconds) if milliseconds > 9_999 => Ok(milliseconds.into()),
            _ => date::parse(text).map(Value::from),
        },
        Type::Choice(cases) => {
            let text = text.replace('_', "-");
            match cases.iter().find(|case| case.name == text) {
                Some(case) => Ok(case.name.into()),
                None => Err(format!("not one of {}", names(cases))),
            }
        }
        // Standard input and files are read when the whole line is known to be right.
        _ => Ok(text.into()),
    }
}

/// Reads what is written elsewhere: standard input for `-`, the file of a content, JSON and files of JSON.
fn read(flag: &Flag, ty: &Type, given: Value) -> Result<Value, Failure> {
    let Value::String(text) = &given else {
        return Ok(given);
    };
    let stdin = text == "-";
    let text = text.clone();
    match ty {
        Type::Text if stdin => Ok(input::lossy(Path::new("-"))?.into()),
        Type::Json if stdin => Ok(input::read(Path::new("-"))?.into()),
        Type::Bytes => Ok(input::bytes(Path::new(&text))?.into()),
        Type::Record(members) if !stdin && pair(ty).is_some() && !text.starts_with(['{', '[']) => {
            let Some((first, second)) = text.split_once('=') else {
                let form = flag.value_name();
                return Err(Failure::usage(format!(
                    "--{}: `{text}` is not {form}",
                    flag.name
                )));
            };
            let wrong = |why: String| Failure::usage(format!("--{}: `{text}`: {why}", flag.name));
            let mut record = Map::new();
            for (member, text) in members.iter().zip([first, second]) {
                record.insert(
                    member.name.to_owned(),
                    value(&member.ty, text.trim()).map_err(wrong)?,
                );
            }
            Ok(record.into())
        }
        Type::Record(_) | Type::Variant | Type::List(_) => {
            let json = match text.starts_with(['{', '[', '"']) {
                true => text,
                false => input::read(Path::new(&text))?,
            };
            serde_json::from_str(&json)
                .map_err(|error| Failure::usage(format!("--{}: not JSON: {error}", flag.name)))
        }
        _ => Ok(given),
    }
}

/// What was typed, as the arguments of the function. `open_task` knows the task that is meant if nobody says.
pub(super) fn arguments(
    flags: &[Flag],
    parameters: &[Member],
    matches: &ArgMatches,
    open_task: impl Fn() -> Result<String, Failure>,
) -> Result<Value, Failure> {
    if flags.is_empty() {
        return Ok(json!({}));
    }
    let from = file(matches);
    let mut all = match from {
        Some(file) => whole(Path::new(file), parameters)?,
        None => json!({}),
    };
    let mut in_order = match matches.try_get_many::<String>(VALUES) {
        Ok(Some(values)) => values.cloned().collect::<Vec<_>>().into_iter(),
        _ => Vec::new().into_iter(),
    };
    for flag in flags {
        // A task from the environment is no reason to overrule one that a file names.
        let typed = matches.value_source(&flag.name) == Some(ValueSource::CommandLine);
        let given = matches.try_get_many::<Value>(&flag.name).ok().flatten();
        let mut given: Vec<Value> = match given {
            Some(values) if typed || from.is_none() => values.cloned().collect(),
            _ => Vec::new(),
        };
        given.retain(|value| typed || value.as_str().is_none_or(|text| !text.trim().is_empty()));
        if given.is_empty()
            && flag.is_in_order()
            && from.is_none()
            && let Some(text) = in_order.next()
        {
            let wrong = |why| Failure::usage(format!("{}: `{text}` is {why}", flag.label()));
            given.push(value(&flag.ty, &text).map_err(wrong)?);
        }
        let value = match &flag.ty {
            _ if given.is_empty() => None,
            Type::List(item) => {
                let mut list = Vec::new();
                for value in given {
                    // Each line of standard input is one text.
                    if matches!(**item, Type::Text) && value == "-" {
                        let text = input::lossy(Path::new("-"))?;
                        let lines = text.lines().filter(|line| !line.trim().is_empty());
                        list.extend(lines.map(Value::from));
                        continue;
                    }
                    match read(flag, item, value)? {
                        Value::Array(many) => list.extend(many),
                        one => list.push(one),
                    }
                }
                Some(list.into())
            }
            ty => given.pop().map(|value| read(flag, ty, value)).transpose()?,
        };
        let value = match value {
            None if from.is_some() => None,
            None if flag.is_run() => Some(open_task()?.into()),
            None if flag.has_default() && flag.name == "limit" => Some(LIMIT.into()),
            None if flag.has_default() => Some(0.into()),
            value => value,
        };
        if let Some(value) = value {
            put(&mut all, &flag.path, value);
        }
    }
    if let Some(more) = in_order.next() {
        return Err(Failure::usage(format!("`{more}` is one value too many")));
    }
    if from.is_none() {
        let mut missing = Vec::new();
        for parameter in parameters {
            fill(&mut all, parameter, true, &mut missing);
        }
        if !missing.is_empty() {
            let (missing, are) = (
                missing.join(" and "),
                if missing.len() > 1 { "are" } else { "is" },
            );
            return Err(Failure::usage(format!("{missing} {are} missing")));
        }
    }
    Ok(all)
}

/// The file of all arguments, if one was given.
pub(super) fn file(matches: &ArgMatches) -> Option<&String> {
    matches.try_get_one(FROM).ok().flatten()
}

/// All arguments from a file. A function of one argument takes the argument's own members, too.
fn whole(file: &Path, parameters: &[Member]) -> Result<Value, Failure> {
    let wrong = |why: String| Failure::usage(format!("{}: {why}", file.display()));
    let all: Value = serde_json::from_str(&input::read(file)?)
        .map_err(|error| wrong(format!("not JSON: {error}")))?;
    match (all, parameters) {
        (Value::Object(members), [only]) if !members.contains_key(only.name) => {
            Ok(json!({ only.name: members }))
        }
        (all @ Value::Object(_), _) => Ok(all),
        (all @ Value::Array(_), [only]) => Ok(json!({ only.name: all })),
        _ => Err(wrong(
            "not a JSON object with the arguments by name".to_owned(),
        )),
    }
}

/// Whether reading what was typed reads files or standard input.
#[cfg(test)]
pub(super) fn reads_files(flags: &[Flag], matches: &ArgMatches) -> bool {
    let given = |flag: &Flag| matches.value_source(&flag.name) == Some(ValueSource::CommandLine);
    let in_files = |flag: &Flag| matches!(flag.ty, Type::Bytes | Type::Record(_));
    let stdin = matches.try_get_many::<String>(VALUES).ok().flatten();
    file(matches).is_some()
        || stdin.is_some_and(|mut values| values.any(|value| value == "-"))
        || flags.iter().any(|flag| given(flag) && in_files(flag))
}

fn put(all: &mut Value, path: &[&str], value: Value) {
    let (last, above) = match path.split_last() {
        Some(split) => split,
        None => return,
    };
    let mut place = all;
    for name in above {
        if !place[name].is_object() {
            place[name] = json!({});
        }
        place = &mut place[name];
    }
    place[last] = value;
}

/// Puts what is empty where nothing was given and the contract needs something, and notes the flags that are missing.
fn fill(record: &mut Value, member: &Member, bare: bool, missing: &mut Vec<String>) {
    let name = member.name;
    let given = record.get(name).is_some();
    match &member.ty {
        Type::Record(members) if given || !member.optional => {
            if !given {
                record[name] = json!({});
            }
            let inner = &mut record[name];
            if inner.is_object() {
                members
                    .iter()
                    .for_each(|member| fill(inner, member, false, missing));
            }
        }
        _ if given || member.optional => {}
        Type::Bool => record[name] = false.into(),
        Type::Text if !bare => record[name] = "".into(),
        Type::Time if !bare => record[name] = 0.into(),
        Type::Json => {}
        Type::Choice(cases) => missing.push(format!("--{name} ({})", names(cases))),
        _ => missing.push(format!("--{name}")),
    }
}
