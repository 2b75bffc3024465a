//! Every limit of the engine, with its reason.

pub(crate) use twiceshy_learning::mining::{RULE_CHARS, TRIGGERS};
pub(crate) use twiceshy_text::instant::DAY_MS;

/// A document's id in bytes, as the store's contract has it.
pub(crate) const ID_BYTES: usize = 256;

/// An id that a caller chooses, in bytes: leaves room for what is derived from it.
pub(crate) const RUN_ID_BYTES: usize = 64;

/// A task in bytes: a long prompt fits, a whole document does not.
pub(crate) const TASK_BYTES: usize = 16 << 10;

/// A payload that a caller hands in, in bytes, as the adapter's contract has it.
pub(crate) const PAYLOAD_BYTES: usize = 4 << 20;

/// A payload as it is kept, in bytes: head and tail of an output say what went wrong.
pub(crate) const KEPT_PAYLOAD_BYTES: usize = 16 << 10;

/// One text within a kept payload, in bytes.
pub(crate) const KEPT_TEXT_BYTES: usize = 4 << 10;

/// An action in one line as it is kept, in bytes.
pub(crate) const ACTION_BYTES: usize = 1 << 10;

/// Steps of a run that is handed in at once: their documents fit into one commit.
pub(crate) const SUBMITTED_STEPS: usize = 200;

/// Fingerprints that a run remembers by number: beyond, a run is beyond help.
pub(crate) const FINGERPRINTS_PER_RUN: usize = 256;

/// Conditions of one step that do not hold, as the adapter's contract has it.
pub(crate) const VIOLATIONS: usize = 64;

/// Origins that a lesson names: the first ones and the newest say enough.
pub(crate) const ORIGINS_PER_LESSON: usize = 64;

/// Lessons that are shown in one run: what is written when it ends fits into one commit.
pub(crate) const LESSONS_PER_RUN: usize = 64;

/// Steps of a run in which lessons are sought: the newest ones, where the task was solved.
pub(crate) const MINED_STEPS: u32 = 400;

/// Steps that an origin names.
pub(crate) const STEPS_PER_ORIGIN: usize = 16;

/// The same failure within this time is the same trouble, not a new one: one day.
pub(crate) const SAME_TROUBLE_MS: u64 = 24 * 60 * 60 * 1_000;

/// A module's name in bytes: a path fits.
pub(crate) const MODULE_BYTES: usize = 256;

/// A hypothesis in characters: a statement, not a document.
pub(crate) const HYPOTHESIS_CHARS: usize = 2_000;

/// The description of an improvement in characters.
pub(crate) const DESCRIPTION_CHARS: usize = 4_000;

/// Hypotheses that are filtered in one call.
pub(crate) const FILTERED: usize = 1_000;

/// A file that is taken in at once, in bytes: fits into a request and into the component's memory.
pub(crate) const FILE_BYTES: usize = 24 << 20;

/// A skill's Markdown in bytes: a page that is read, not a book.
pub(crate) const SKILL_BYTES: usize = 64 << 10;

/// A skill's name in bytes: that of a file.
pub(crate) const SLUG_BYTES: usize = 64;

/// A skill's title in characters.
pub(crate) const TITLE_CHARS: usize = 200;

/// Experiences that are searched at most: all of them are looked through in one go.
pub(crate) const EXPERIENCES: u32 = 10_000;

/// Items in a list if the caller does not say.
const LISTED: u32 = 50;

/// Items in a list at most.
const MOST_LISTED: u32 = 1_000;

/// How many items to list.
pub(crate) fn listed(limit: Option<u32>) -> u32 {
    limit.unwrap_or(LISTED).min(MOST_LISTED)
}
