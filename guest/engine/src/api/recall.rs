//! The interface `recall` of the contract.

use twiceshy_wit::memory::{
    ContextRequest, Error, FailureContext, Hint, Recall, TaskBundle, TaskContext,
};

use super::Engine;
use crate::{
    episodes::Head,
    recall::{self, context},
};

impl Recall for Engine<'_> {
    fn on_error(&self, failure: &FailureContext) -> Result<Vec<Hint>, Error> {
        recall::hints(&self.desk(), failure, &Head::default())
    }

    fn context(&self, request: &ContextRequest) -> Result<TaskBundle, Error> {
        context::context_for(&self.desk(), request)
    }

    fn for_task(&self, task: &TaskContext) -> Result<Vec<Hint>, Error> {
        recall::for_task(&self.desk(), task)
    }
}
