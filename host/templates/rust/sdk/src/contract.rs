//! The contract in Rust: the nouns of a step, the trait of an adapter, and what a component exports.
//!
//! Made from the texts in `wit/` alone, so that a project needs nothing of twiceshy's own sources.

pub use bindings::twiceshy::adapter::types::{
    Error, Failure, Feedback, Goal, Manifest, PastStep, Step, Violation,
};

/// What an adapter does.
pub trait Assess {
    /// Says what this adapter is.
    fn describe(&self) -> Manifest;

    /// Judges one step.
    ///
    /// # Errors
    /// If the adapter refuses the step.
    fn assess(&self, goal: &Goal, recent: &[PastStep], step: &Step) -> Result<Feedback, Error>;
}

/// What wit-bindgen generates from the contract.
#[allow(missing_docs, reason = "generated")]
pub mod bindings {
    wit_bindgen::generate!({
        world: "adapter",
        path: "../wit",
        additional_derives: [PartialEq],
        pub_export_macro: true,
        export_macro_name: "export_component",
        default_bindings_module: "twiceshy_adapter::bindings",
    });
}
