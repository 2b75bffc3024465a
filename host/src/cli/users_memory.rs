//! The user's own memory: it speaks where the project's has nothing to say.

use twiceshy::{
    Memory, MemoryComponent, ProjectStore,
    wit::memory::{FailureContext, Hint, Observed, Recall},
};

use super::context::Context;

/// The domain of commands.
const DOMAIN: &str = "cli";

/// What is said of a hint that the project's memory did not give.
pub(crate) const MARK: &str = "from your other projects, not proven here";

/// What the user's memory knows of a failure of which the project's knows nothing; nothing if there is none, or if it can't
/// be asked.
pub(crate) fn hints(
    context: &Context,
    component: &MemoryComponent,
    projects: &Memory,
    observed: &Observed,
) -> Vec<Hint> {
    let users = context.home.memory();
    let Some(failure) = &observed.feedback.hard_failure else {
        return Vec::new();
    };
    if !users.exists() || users == context.project {
        return Vec::new();
    }
    let failure = FailureContext {
        evidence: failure.evidence.clone(),
        fingerprint: None,
        action_text: Some(observed.feedback.action_text.clone()),
        domain: DOMAIN.to_owned(),
        task: String::new(),
        limit: Some(1),
        tokens: None,
    };
    // What the project's memory withholds to measure it must not come from elsewhere.
    if projects
        .on_error(&failure)
        .is_ok_and(|known| !known.is_empty())
    {
        return Vec::new();
    }
    let memory = component
        .over(ProjectStore::new(users, &context.settings))
        .build();
    // It is an extra: the command and the project's memory do not wait for its troubles.
    memory.on_error(&failure).unwrap_or_default()
}
