//! The nouns of `twiceshy:memory/remem-types` as data: generated from the contract.

use crate::description::*;

/// `remem-request`
pub static REMEM_REQUEST: Record = Record { name: "remem-request", docs: docs!("A task for ReMem, the loop in which the model may edit experience before it acts."), fields: &[
    Field { name: "task", ty: Type::Text, docs: docs!("The task.") },
    Field { name: "tools", ty: Type::List(&Type::Text), docs: docs!("The tools that the caller has, in words. Only the caller uses them.") },
    Field { name: "max-inner-steps", ty: Type::Option(&Type::U32), docs: docs!("How many steps the loop may take. Default: as in the settings.") },
] };

/// `remem-action`
pub static REMEM_ACTION: Enum = Enum { name: "remem-action", docs: docs!("What the loop does in one step."), cases: &[
    Case { name: "think", payload: None, docs: docs!("Reason and divide the task.") },
    Case { name: "refine-memory", payload: None, docs: docs!("Edit the experience.") },
    Case { name: "act", payload: None, docs: docs!("Answer.") },
] };

/// `remem-step`
pub static REMEM_STEP: Record = Record { name: "remem-step", docs: docs!("A step of the loop."), fields: &[
    Field { name: "action", ty: Type::Enum(&super::remem_types::REMEM_ACTION), docs: docs!("What it did.") },
    Field { name: "content", ty: Type::Text, docs: docs!("What the model said.") },
    Field { name: "edits", ty: Type::Option(&Type::Record(&super::experience_types::EDIT_REPORT)), docs: docs!("What its edits did, if there were any.") },
] };

/// `remem-result`
pub static REMEM_RESULT: Record = Record { name: "remem-result", docs: docs!("The result of the loop."), fields: &[
    Field { name: "output", ty: Type::Text, docs: docs!("The answer.") },
    Field { name: "trace", ty: Type::List(&Type::Record(&super::remem_types::REMEM_STEP)), docs: docs!("The steps.") },
    Field { name: "complete", ty: Type::Bool, docs: docs!("Whether the model answered before its steps were used up.") },
    Field { name: "entries", ty: Type::List(&Type::Text), docs: docs!("The entries that the model was shown last.") },
    Field { name: "stored", ty: Type::Option(&Type::Text), docs: docs!("The entry that it became, with its strategy card.") },
] };

