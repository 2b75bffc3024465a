//! The contract in Rust: the nouns of a step, the trait of an adapter, and what a component exports.
//!
//! Owns where they come from. Here they are the workspace's own types; in the copy that `twiceshy adapter new` puts
//! into a project, this one file is another, which makes them from the contract's text alone.

pub use twiceshy_wit::adapter::{
    Assess, Error, Failure, Feedback, Goal, Manifest, PastStep, Step, Violation,
};

/// What wit-bindgen generates from the contract. Natively there is nothing to export, and a linker would refuse
/// the names.
#[cfg(target_family = "wasm")]
#[allow(missing_docs)]
pub mod bindings {
    wit_bindgen::generate!({
        world: "adapter",
        path: "../../wit/adapter",
        with: { "twiceshy:adapter/types@0.1.0": twiceshy_wit::adapter },
        pub_export_macro: true,
        export_macro_name: "export_component",
        default_bindings_module: "twiceshy_adapter::bindings",
    });
}
