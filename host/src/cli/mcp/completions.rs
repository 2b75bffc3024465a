//! Completions: ids of lessons and tasks that begin as somebody has begun to type.

use rmcp::{
    ErrorData,
    model::{CompleteRequestParams, CompleteResult, CompletionInfo},
};
use twiceshy::wit::memory::{EpisodeFilter, Episodes, Error, LessonFilter, Lessons, Runs};

use super::connection::Connection;

/// Ids that are looked through.
const LOOKED_AT: u32 = 1_000;

pub(super) fn complete(
    connection: &Connection,
    request: &CompleteRequestParams,
) -> Result<CompleteResult, ErrorData> {
    let wrong = |words: String| ErrorData::internal_error(words, None);
    let ids = ids(connection, &request.argument.name).map_err(wrong)?;
    let begun = request.argument.value.as_str();
    let fitting: Vec<_> = ids.into_iter().filter(|id| id.starts_with(begun)).collect();
    let total = u32::try_from(fitting.len()).unwrap_or(u32::MAX);
    let shown: Vec<_> = fitting
        .into_iter()
        .take(CompletionInfo::MAX_VALUES)
        .collect();
    let more = total as usize > shown.len();
    let info = CompletionInfo::with_pagination(shown, Some(total), more).map_err(wrong)?;
    Ok(CompleteResult::new(info))
}

fn ids(connection: &Connection, argument: &str) -> Result<Vec<String>, String> {
    let memory = connection
        .workspace
        .memory()
        .map_err(|failure| failure.message().to_owned())?;
    let words = |error: Error| error.message().to_owned();
    match argument {
        "lesson" => {
            let filter = LessonFilter {
                status: None,
                fingerprint: None,
                domain: None,
                limit: Some(LOOKED_AT),
            };
            let lessons = Lessons::find(memory, &filter).map_err(words)?;
            Ok(lessons.into_iter().map(|lesson| lesson.id).collect())
        }
        "run" | "episode" => {
            let open = memory.open(LOOKED_AT).map_err(words)?;
            let filter = EpisodeFilter {
                limit: Some(LOOKED_AT),
                ..EpisodeFilter::default()
            };
            let ended = Episodes::find(memory, &filter).map_err(words)?;
            let ended = ended.into_iter().map(|episode| episode.id);
            Ok(open.into_iter().map(|run| run.id).chain(ended).collect())
        }
        _ => Ok(Vec::new()),
    }
}
