//! Working memory: the context of one run, within a budget of tokens.
//!
//! Owns its operations and what each takes in. It is a head and one document for each content (`head`), changed as a
//! `draft` that is committed whole; what goes when a section is full is the business of `room`. It lives as long as
//! its run is open, whatever processes come and go, and its commits are light: they survive the process, not a power
//! cut, because nobody learns from a working memory that its run did not outlive.

mod checks;
mod continuity;
mod draft;
mod ending;
mod head;
mod retrieval;
mod room;
mod short;
mod snapshots;
mod state;
mod task;
mod view;

use twiceshy_wit::{host::Precondition, memory::*};

use crate::{
    documents::{Read, equals, newest, put, query},
    instant, payload,
    ports::Engine,
    secrets,
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

impl Working for Engine<'_> {
    fn init(&self, run: &str, context: &SystemContext) -> Result<WorkingSize, Error> {
        let budgets = context.budgets.unwrap_or(BUDGETS);
        check_budgets(&budgets)?;
        let body = system_body(context)?;
        let now = self.now();
        self.change(|_| {
            let open = self.open_run(run)?;
            let (next, mut batch, version) = self.working_begun_anew(run)?;
            let mut draft = Draft::new(self, Head::new(run, budgets, next, now), version, now);
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
            let (changes, size) = draft.done();
            batch.extend(changes);
            // Nobody ends the run in the meantime.
            batch.push(put(&open.noun, Precondition::At(open.version)));
            Ok((batch, size))
        })
    }

    fn load_task(&self, run: &str, task: &ParsedTask) -> Result<WorkingSize, Error> {
        let loaded = task::Loaded::new(task)?;
        let variables = task
            .variables
            .iter()
            .map(checked_variable)
            .collect::<Result<Vec<_>, _>>()?;
        self.change_working(run, |draft| {
            let mut loaded = loaded.clone();
            if loaded.description.is_empty() {
                loaded.description = self.open_run(run)?.noun.run.task;
            }
            for (id, body) in loaded.parts() {
                draft.put(New::of(id, Sort::Task, Section::TaskContext), body);
            }
            for (key, value) in loaded.variables() {
                draft.put(new_variable(VariableScope::TaskScope, key, None), value);
            }
            for (variable, value) in task.variables.iter().zip(&variables) {
                set(draft, variable, value)?;
            }
            draft.fit()
        })
    }

    fn set(&self, run: &str, variable: &Variable) -> Result<WorkingSize, Error> {
        let value = checked_variable(variable)?;
        self.change_working(run, |draft| {
            set(draft, variable, &value)?;
            draft.fit()
        })
    }

    fn get(&self, run: &str, key: &str, scope: VariableScope) -> Result<FoundVariable, Error> {
        let id = variable_id(scope, key);
        let mut found = None;
        let answer = self.access_working(run, &id, |entry| found = entry.kind);
        match answer {
            Ok(value) if value != "null" => Ok(FoundVariable {
                found: true,
                value,
                kind: found.or(Some(kind_of(scope))),
            }),
            Err(Error::NotFound(_)) | Ok(_) => {
                // No variable is an answer; no working memory is none.
                self.working_head(run)?;
                Ok(FoundVariable {
                    found: false,
                    value: "null".to_owned(),
                    kind: None,
                })
            }
            Err(error) => Err(error),
        }
    }

    fn push_state(&self, run: &str, state: &ExecutionState) -> Result<WorkingSize, Error> {
        let state = checked_state(state)?;
        let body = serde_json::to_string(&state).expect("a state is plain data");
        self.change_working(run, |draft| {
            if draft.head.subtask != state.current_subtask {
                while let Some(place) = draft.head.entries.iter().position(|entry| entry.bound) {
                    draft.take_out(place);
                }
            }
            // They say where the work stands, and do not go with it.
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

    fn add_intermediate(
        &self,
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
        self.change_working(run, |draft| {
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

    fn retrieve(&self, run: &str, query: &EpisodeQuery) -> Result<Vec<WorkingItem>, Error> {
        self.retrieve_to_working(run, query)
    }

    fn fetch(&self, run: &str, item: &str) -> Result<String, Error> {
        let answer = self.access_working(run, item, |_| {});
        if let Err(Error::Conflict(_)) = &answer
            && let Some(body) = self.moved_out_of_working(run, item)?
        {
            // The run has ended: what was moved out belongs to its episode.
            return Ok(body);
        }
        answer.map(|body| self.retrieved_in_full(item).unwrap_or(body))
    }

    fn prune(&self, run: &str) -> Result<WorkingSize, Error> {
        self.change_working(run, |draft| {
            draft.prune_all()?;
            draft.fit()
        })
    }

    fn take_snapshot(&self, run: &str, label: &str) -> Result<Snapshot, Error> {
        self.snapshot_working(run, label)
    }

    fn rollback(&self, run: &str, snapshot: &str) -> Result<WorkingSize, Error> {
        self.roll_working_back(run, snapshot)
    }

    fn snapshots(&self, run: &str) -> Result<Vec<Snapshot>, Error> {
        Ok(self.working_head(run)?.noun.snapshots)
    }

    fn view(&self, run: &str) -> Result<WorkingMemory, Error> {
        self.view_working(run)
    }

    fn render(&self, run: &str, rendering: &Rendering) -> Result<Rendered, Error> {
        self.render_working(run, rendering)
    }

    fn continuity(&self, run: &str) -> Result<String, Error> {
        self.continuity_page(run)
    }

    fn clear(&self, run: &str) -> Result<WorkingMetadata, Error> {
        self.clear_working(run)
    }

    fn metadata(&self, run: &str) -> Result<WorkingMetadata, Error> {
        self.working_metadata(run)
    }
}

impl Engine<'_> {
    /// The head of a run's working memory.
    fn working_head(&self, run: &str) -> Result<Read<Head>, Error> {
        if let Some(head) = self.load::<Head>(run)? {
            return Ok(head);
        }
        self.open_run(run)?;
        Err(Error::NotFound(format!(
            "the run `{run}` has no working memory; begin one with working.init"
        )))
    }

    /// Changes a working memory.
    fn change_working(
        &self,
        run: &str,
        change: impl Fn(&mut Draft) -> Result<(), Error>,
    ) -> Result<WorkingSize, Error> {
        let now = self.now();
        self.change_lightly(|_| {
            let Read { noun, version } = self.working_head(run)?;
            let mut draft = Draft::new(self, noun, Some(version), now);
            change(&mut draft)?;
            Ok(draft.done())
        })
    }

    /// Reads a content in full and counts the access.
    fn access_working(
        &self,
        run: &str,
        id: &str,
        mut with: impl FnMut(&head::Entry),
    ) -> Result<String, Error> {
        let now = self.now();
        let mut body = None;
        self.change_lightly(|_| {
            let Read { noun, version } = self.working_head(run)?;
            let mut draft = Draft::new(self, noun, Some(version), now);
            let Some(place) = draft.head.find(id) else {
                // What was moved out of sight is fetched by its id alone.
                return match self.moved_out_of_working(run, id)? {
                    Some(found) => {
                        body = Some(found);
                        Ok((draft.done().0, ()))
                    }
                    None => Err(Error::NotFound(format!(
                        "the working memory of `{run}` has no `{id}`; working.view lists what there is"
                    ))),
                };
            };
            let entry = &mut draft.head.entries[place];
            entry.accesses = entry.accesses.saturating_add(1);
            with(entry);
            let number = entry.whole.unwrap_or(entry.number);
            body = Some(draft.body(number)?);
            Ok((draft.done().0, ()))
        })?;
        Ok(body.unwrap_or_default())
    }

    /// An episode or a pattern whose summary was looked up, whole as it is known now.
    fn retrieved_in_full(&self, item: &str) -> Option<String> {
        if let Some(episode) = item.strip_prefix("episode-") {
            let full = Episodes::retrieve(self, episode).ok()?;
            return serde_json::to_string(&full).ok();
        }
        let pattern = item.strip_prefix("pattern-")?;
        let full = Patterns::get(self, pattern).ok()?;
        serde_json::to_string(&full).ok()
    }

    /// The newest content of that id that was moved out of a run's working memory, also after the run has ended.
    fn moved_out_of_working(&self, run: &str, item: &str) -> Result<Option<String>, Error> {
        if !goes_out_of_sight(item) {
            return Ok(None);
        }
        let conditions = vec![equals("run", run), equals("item", item)];
        let found =
            self.search::<ColdContent>(&query::<ColdContent>(conditions, newest("number"), 1))?;
        Ok(found.into_iter().next().map(|(read, _)| read.noun.body))
    }
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
fn set(draft: &mut Draft, variable: &Variable, value: &str) -> Result<(), Error> {
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
            "variable.value has {tokens} tokens, the section {} takes at most {budget}; keep it elsewhere and set a \
             reference to it",
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
