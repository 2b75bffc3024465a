//! The prompts: two tasks that a person can give to an agent, with what it needs to know.

use rmcp::{
    ErrorData,
    model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role},
};
use twiceshy::wit::memory::{EpisodeFilter, Episodes, Error, Lessons};

use super::{answer::marked, connection::Connection, tools::look};
use crate::cli::{failure::Failure, show, why};

const REFLECT: &str = "reflect_on_run";
const REVIEW: &str = "review_lesson";

pub(super) fn list() -> Vec<Prompt> {
    let argument = |name: &str, about: &str, required| {
        PromptArgument::new(name)
            .with_description(about)
            .with_required(required)
    };
    vec![
        Prompt::new(
            REFLECT,
            Some("Look back at a task: what failed, what fixed it, and what is worth remembering"),
            Some(vec![argument(
                "run",
                "The id of the task, run_…. Default: the one that ended last.",
                false,
            )]),
        )
        .with_title("Reflect on a run"),
        Prompt::new(
            REVIEW,
            Some("Check one lesson against its evidence, and correct or forget it if it does not hold"),
            Some(vec![argument("lesson", "The id of the lesson, les_….", true)]),
        )
        .with_title("Review a lesson"),
    ]
}

/// A prompt with what it is about.
pub(super) fn get(
    connection: &Connection,
    name: &str,
    arguments: &JsonObject,
) -> Result<GetPromptResult, ErrorData> {
    let given = |name: &str| {
        let value = arguments.get(name).and_then(|value| value.as_str());
        value.map(str::trim).filter(|value| !value.is_empty())
    };
    let text = match name {
        REFLECT => reflection(connection, given("run")),
        REVIEW => match given("lesson") {
            Some(lesson) => review(connection, lesson),
            None => Err(Failure::input(
                "`lesson` is missing; give the id of a lesson, les_….",
            )),
        },
        _ => Err(Failure::input(format!(
            "There is no prompt `{}`; there are {REFLECT} and {REVIEW}.",
            show::line(name)
        ))),
    };
    let text =
        text.map_err(|failure| ErrorData::invalid_params(failure.message().to_owned(), None))?;
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]))
}

fn reflection(connection: &Connection, run: Option<&str>) -> Result<String, Failure> {
    let memory = connection.workspace.memory()?;
    let run = match run {
        Some(run) => run.to_owned(),
        None => {
            let newest = EpisodeFilter {
                limit: Some(1),
                ..EpisodeFilter::default()
            };
            let newest = Episodes::find(memory, &newest)?.into_iter().next();
            let none = || Failure::input("No task has ended yet; there is nothing to reflect on.");
            newest.ok_or_else(none)?.id
        }
    };
    let (kind, detail) = match look::whole(memory, &run) {
        Err(Error::NotFound(_)) => Err(Failure::input(format!(
            "There is no task `{}`.",
            show::line(&run)
        )))?,
        found => found?,
    };
    let steps = detail["trace"].as_array().into_iter().flatten();
    let mut lines = vec![format!(
        "{kind} {run}: {}",
        detail["task"].as_str().unwrap_or_default()
    )];
    lines.extend(steps.map(|step| {
        let how = match step["failed"].as_bool() {
            Some(true) => format!("failed: {}", step["evidence"].as_str().unwrap_or_default()),
            _ => "worked".to_owned(),
        };
        format!(
            "{}. {} ({how})",
            step["index"],
            step["action"].as_str().unwrap_or_default()
        )
    }));
    let learned: Vec<_> = Lessons::find(
        memory,
        &twiceshy::wit::memory::LessonFilter {
            status: None,
            fingerprint: None,
            domain: None,
            limit: Some(200),
        },
    )?
    .into_iter()
    .filter(|lesson| lesson.origins.iter().any(|origin| origin.run == run))
    .collect();
    lines.extend(learned.iter().map(look::shown));
    Ok(format!(
        "Reflect on this run. What failed, and what fixed it? Which of it will come up again, here or in other tasks?\n\
         Lessons with \"les_\" were already learned from it. Call `remember` for each thing that is worth knowing and is \
         not among them, as `WRONG: … → CORRECT: …` with the error text in `errors`; call `feedback` for a lesson \
         that is wrong. Remember nothing that is obvious or holds only for these file names.\n\n{}",
        marked(&lines)
    ))
}

fn review(connection: &Connection, lesson: &str) -> Result<String, Failure> {
    let explanation = connection.workspace.memory()?.explain(lesson)?;
    Ok(format!(
        "Review this lesson. Do the steps that it was learned from support it? Would it mislead in another project, with \
         other names or versions? Did it help where it was shown?\nIf it is wrong or outdated, call `feedback` with the \
         reason. If it is right but badly said, call `feedback` with the verdict `better` and better words. If it is \
         of no use, call `forget`. If it holds, leave it alone and say so.\n\n{}",
        marked(&why::lines(&explanation))
    ))
}
