//! Working memory: the context of one run, within a budget of tokens.
//!
//! Owns its operations and what each accepts. It is a head and one document for each content (`head`), changed as a
//! `draft` that is committed whole; what goes when a section is full is the business of `room`. It lives as long as
//! its run is open, whatever processes come and go, and its commits are light: they survive the process, not a power
//! cut, because nobody learns from a working memory that its run did not outlive.

mod checks;
pub(crate) mod continuity;
pub(crate) mod draft;
pub(crate) mod ending;
mod head;
pub(crate) mod retrieval;
mod room;
mod short;
pub(crate) mod snapshots;
mod state;
mod task;
pub(crate) mod view;

use twiceshy_wit::memory::*;

use crate::{
    episodes, instant,
    lessons::patterns,
    payload, runs, secrets,
    store::{Desk, Read, Reader, equals, newest, query},
};
use checks::{
    NAME_BYTES, VALUE_BYTES, check_budgets, check_count, check_name, checked_json, checked_state,
    checked_variable, json_string, system_body, too_long,
};
use draft::{Draft, New};
pub(crate) use ending::KeptMetadata;
pub(crate) use head::ColdContent;
use head::{Head, Sort, section_of, variable_id};

/// The budgets of the seed, 20,000 tokens in all.
const BUDGETS: Budgets = Budgets {
    system_context: 2_000,
    task_context: 5_000,
    execution_state: 3_000,
    intermediate_results: 8_000,
    retrieved_context: 2_000,
};

/// Later subtasks that a result may be needed by.
const NEEDED_BY: usize = 16;

pub(crate) fn init(
    desk: &mut Desk,
    run: &str,
    context: &SystemContext,
) -> Result<WorkingSize, Error> {
    let budgets = context.budgets.unwrap_or(BUDGETS);
    check_budgets(&budgets)?;
    let body = system_body(context)?;
    let now = desk.now();
    desk.commit(|batch| {
        let open = runs::open_run(batch, run)?;
        let next = ending::begin_working_anew(batch, run)?;
        let mut draft = Draft::new(batch, Head::new(run, budgets, next, now), now);
        draft.put(
            New::of("system", Sort::System, Section::SystemContext),
            body.clone(),
        );
        let known = [
            (VariableScope::Global, "task_id", run.to_owned()),
            (VariableScope::Metadata, "start_time", instant::written(now)),
        ];
        for (scope, key, value) in known {
            draft.put(new_variable(scope, key, None), json_string(&value));
        }
        draft.fit()?;
        // Nobody ends the run in the meantime.
        batch.put(&open.noun);
        Ok(draft.done(batch))
    })
}

pub(crate) fn load_task(
    desk: &mut Desk,
    run: &str,
    task: &ParsedTask,
) -> Result<WorkingSize, Error> {
    let loaded = task::Loaded::new(task)?;
    let variables = task
        .variables
        .iter()
        .map(checked_variable)
        .collect::<Result<Vec<_>, _>>()?;
    change_working(desk, run, |draft| {
        let mut loaded = loaded.clone();
        if loaded.description.is_empty() {
            loaded.description = runs::open_run(draft.reader(), run)?.noun.run.task;
        }
        for (id, body) in loaded.parts() {
            draft.put(New::of(id, Sort::Task, Section::TaskContext), body);
        }
        for (key, value) in loaded.variables() {
            draft.put(new_variable(VariableScope::TaskScope, key, None), value);
        }
        for (variable, value) in task.variables.iter().zip(&variables) {
            enter_variable(draft, variable, value)?;
        }
        draft.fit()
    })
}

pub(crate) fn set(desk: &mut Desk, run: &str, variable: &Variable) -> Result<WorkingSize, Error> {
    let value = checked_variable(variable)?;
    change_working(desk, run, |draft| {
        enter_variable(draft, variable, &value)?;
        draft.fit()
    })
}

pub(crate) fn get(
    desk: &mut Desk,
    run: &str,
    key: &str,
    scope: VariableScope,
) -> Result<FoundVariable, Error> {
    let id = variable_id(scope, key);
    let mut found = None;
    let answer = access_working(desk, run, &id, |entry| found = entry.kind);
    match answer {
        Ok(value) if value != "null" => Ok(FoundVariable {
            found: true,
            value,
            kind: found.or(Some(kind_of(scope))),
        }),
        Err(Error::NotFound(_)) | Ok(_) => {
            // No variable is an answer; no working memory is none.
            working_head(desk, run)?;
            Ok(FoundVariable {
                found: false,
                value: "null".to_owned(),
                kind: None,
            })
        }
        Err(error) => Err(error),
    }
}

pub(crate) fn push_state(
    desk: &mut Desk,
    run: &str,
    state: &ExecutionState,
) -> Result<WorkingSize, Error> {
    let state = checked_state(state)?;
    let body = serde_json::to_string(&state).expect("a state is plain data");
    change_working(desk, run, |draft| {
        if draft.head.subtask != state.current_subtask {
            while let Some(place) = draft.head.entries.iter().position(|entry| entry.bound) {
                draft.take_out(place);
            }
        }
        // They say where the batch stands, and do not go with it.
        draft.head.subtask = None;
        for (key, value) in [
            ("current_phase", Some(&state.phase)),
            ("current_subtask", state.current_subtask.as_ref()),
        ] {
            let new = new_variable(VariableScope::ExecutionScope, key, None);
            match (value, draft.head.find(&new.id)) {
                (Some(value), _) => draft.put(new, json_string(value)),
                (None, Some(place)) => {
                    draft.take_out(place);
                }
                (None, None) => {}
            }
        }
        draft.head.subtask.clone_from(&state.current_subtask);
        for done in &state.completed {
            no_longer_needed(&mut draft.head, done);
        }
        draft.put(
            New::of("state", Sort::State, Section::ExecutionState),
            body.clone(),
        );
        draft.fit()
    })
}

pub(crate) fn add_intermediate(
    desk: &mut Desk,
    run: &str,
    intermediate: &Intermediate,
) -> Result<WorkingSize, Error> {
    let subtask = &intermediate.subtask;
    check_name("intermediate.subtask", subtask)?;
    check_count(
        "intermediate.needed-by",
        intermediate.needed_by.len(),
        NEEDED_BY,
    )?;
    for name in &intermediate.needed_by {
        check_name("intermediate.needed-by", name)?;
    }
    let output = checked_json("intermediate.output", subtask, &intermediate.output)?;
    let kind = payload::kept_text(&intermediate.kind, NAME_BYTES);
    let body = format!(r#"{{"output":{output},"type":{}}}"#, json_string(&kind));
    let trace = match &intermediate.trace {
        Some(trace) if trace.len() > VALUE_BYTES => {
            return Err(too_long("intermediate.trace", trace.len(), VALUE_BYTES));
        }
        Some(trace) => Some(secrets::mask(trace).into_owned()),
        None => None,
    };
    change_working(desk, run, |draft| {
        no_longer_needed(&mut draft.head, subtask);
        draft.head.results += 1;
        let mut new = new_variable(
            VariableScope::IntermediateValues,
            subtask,
            Some(VariableType::Intermediate),
        );
        new.sort = Sort::Result;
        new.needed_by.clone_from(&intermediate.needed_by);
        let id = new.id.clone();
        // A large output is cold from the beginning: it would take the room of all others.
        let half = draft.head.budget(Section::IntermediateResults) / 2;
        draft.put(new, body.clone());
        draft.bound(&id, half)?;
        if let Some(trace) = &trace {
            let id = format!("trace-{subtask}");
            let new = New::of(&id, Sort::Trace, Section::IntermediateResults);
            draft.put(new, trace.clone());
            draft.bound(&id, half / 2)?;
        }
        draft.fit()
    })
}

pub(crate) fn fetch(desk: &mut Desk, run: &str, item: &str) -> Result<String, Error> {
    let answer = access_working(desk, run, item, |_| {});
    if let Err(Error::Conflict(_)) = &answer
        && let Some(body) = moved_out_of_working(desk, run, item)?
    {
        // The run has ended: what was moved out belongs to its episode.
        return Ok(body);
    }
    answer.map(|body| retrieved_in_full(desk, item).unwrap_or(body))
}

pub(crate) fn prune(desk: &mut Desk, run: &str) -> Result<WorkingSize, Error> {
    change_working(desk, run, |draft| {
        draft.prune_all()?;
        draft.fit()
    })
}

pub(crate) fn snapshots(reader: &Reader, run: &str) -> Result<Vec<Snapshot>, Error> {
    Ok(working_head(reader, run)?.noun.snapshots)
}

/// The head of a run's working memory.
fn working_head(reader: &Reader, run: &str) -> Result<Read<Head>, Error> {
    if let Some(head) = reader.load::<Head>(run)? {
        return Ok(head);
    }
    runs::open_run(reader, run)?;
    Err(Error::NotFound(format!(
        "Run `{run}` has no working memory. Create one with `working.init`."
    )))
}

/// Changes a working memory.
fn change_working(
    desk: &mut Desk,
    run: &str,
    change: impl Fn(&mut Draft) -> Result<(), Error>,
) -> Result<WorkingSize, Error> {
    let now = desk.now();
    desk.commit_lightly(|batch| {
        let noun = working_head(batch, run)?.noun;
        let mut draft = Draft::new(batch, noun, now);
        change(&mut draft)?;
        Ok(draft.done(batch))
    })
}

/// Reads a content in full and counts the access.
fn access_working(
    desk: &mut Desk,
    run: &str,
    id: &str,
    mut with: impl FnMut(&head::Entry),
) -> Result<String, Error> {
    let now = desk.now();
    let mut body = None;
    desk.commit_lightly(|batch| {
        let noun = working_head(batch, run)?.noun;
        let mut draft = Draft::new(batch, noun, now);
        let Some(place) = draft.head.find(id) else {
            // What was moved out of sight is fetched by its id alone.
            return match moved_out_of_working(batch, run, id)? {
                Some(found) => {
                    body = Some(found);
                    draft.done(batch);
        Ok(())
                }
                None => Err(Error::NotFound(format!(
                    "The working memory of run `{run}` has no item `{id}`. `working.view` lists all items."
                ))),
            };
        };
        let entry = &mut draft.head.entries[place];
        entry.accesses = entry.accesses.saturating_add(1);
        with(entry);
        let number = entry.whole.unwrap_or(entry.number);
        body = Some(draft.body(number)?);
        draft.done(batch);
        Ok(())
    })?;
    Ok(body.unwrap_or_default())
}

/// An episode or a pattern whose summary was looked up, whole as it is known now.
fn retrieved_in_full(desk: &mut Desk, item: &str) -> Option<String> {
    if let Some(episode) = item.strip_prefix("episode-") {
        let full = episodes::retrieve(desk, episode).ok()?;
        return serde_json::to_string(&full).ok();
    }
    let pattern = item.strip_prefix("pattern-")?;
    let full = patterns::get(desk, pattern).ok()?;
    serde_json::to_string(&full).ok()
}

/// The newest content of that id that was moved out of a run's working memory, also after the run has ended.
fn moved_out_of_working(reader: &Reader, run: &str, item: &str) -> Result<Option<String>, Error> {
    if !goes_out_of_sight(item) {
        return Ok(None);
    }
    let conditions = vec![equals("run", run), equals("item", item)];
    let found =
        reader.search::<ColdContent>(&query::<ColdContent>(conditions, newest("number"), 1))?;
    Ok(found.into_iter().next().map(|(read, _)| read.noun.body))
}

/// Whether a content of that id may leave the index: results, traces and what was looked up.
fn goes_out_of_sight(id: &str) -> bool {
    let begins = [
        VariableScope::IntermediateValues.as_str(),
        "trace",
        "episode",
        "pattern",
        "recovery",
    ];
    begins.iter().any(|begin| {
        id.strip_prefix(begin)
            .is_some_and(|rest| rest.starts_with('-'))
    })
}

/// Sets a variable, or takes it out if its value is null.
fn enter_variable(draft: &mut Draft, variable: &Variable, value: &str) -> Result<(), Error> {
    let new = new_variable(variable.scope, &variable.key, variable.kind);
    // A result that was moved out would come back if nothing stood in its place.
    if value == "null" && variable.scope != VariableScope::IntermediateValues {
        if let Some(place) = draft.head.find(&new.id) {
            draft.take_out(place);
        }
        return Ok(());
    }
    let (id, section) = (new.id.clone(), new.section);
    draft.put(new, value.to_owned());
    let place = draft.head.find(&id).expect("it was put there");
    let (tokens, budget) = (draft.head.entries[place].tokens, draft.head.budget(section));
    if tokens > budget {
        return Err(Error::Conflict(format!(
            "The value has {tokens} tokens, but section {} holds at most {budget}. Keep it elsewhere, and set a \
             reference to it.",
            section.as_str()
        )));
    }
    Ok(())
}

/// A subtask that is done needs nothing any more.
fn no_longer_needed(head: &mut Head, subtask: &str) {
    for entry in &mut head.entries {
        entry.needed_by.retain(|by| by != subtask);
    }
}

fn new_variable(scope: VariableScope, key: &str, kind: Option<VariableType>) -> New {
    let mut new = New::of(&variable_id(scope, key), Sort::Variable, section_of(scope));
    new.scope = Some(scope);
    new.kind = Some(kind.unwrap_or(kind_of(scope)));
    new
}

/// What the variables of a scope are for, if nobody says.
fn kind_of(scope: VariableScope) -> VariableType {
    match scope {
        VariableScope::Global | VariableScope::TaskScope => VariableType::Task,
        VariableScope::ExecutionScope => VariableType::ControlFlow,
        VariableScope::IntermediateValues => VariableType::Intermediate,
        VariableScope::Metadata => VariableType::Metadata,
    }
}
