//! The contracts as data: generated from the `.wit` files.

mod functions;
/// The nouns of `twiceshy:memory/activation-types`.
pub mod activation_types;
/// The nouns of `twiceshy:adapter/types`.
pub mod adapter;
/// The nouns of `twiceshy:memory/consolidation-types`.
pub mod consolidation_types;
/// The nouns of `twiceshy:memory/content-types`.
pub mod content_types;
/// The nouns of `twiceshy:memory/context-types`.
pub mod context_types;
/// The nouns of `twiceshy:memory/coordination-types`.
pub mod coordination_types;
/// The nouns of `twiceshy:memory/decision-types`.
pub mod decision_types;
/// The nouns of `twiceshy:memory/episode-search-types`.
pub mod episode_search_types;
/// The nouns of `twiceshy:memory/episode-types`.
pub mod episode_types;
/// The nouns of `twiceshy:memory/exchange-types`.
pub mod exchange_types;
/// The nouns of `twiceshy:memory/experience-types`.
pub mod experience_types;
/// The nouns of `twiceshy:memory/failure-types`.
pub mod failure_types;
/// The nouns of `twiceshy:memory/health-types`.
pub mod health_types;
/// The nouns of `twiceshy:memory/hint-types`.
pub mod hint_types;
/// The nouns of `twiceshy:memory/lesson-types`.
pub mod lesson_types;
/// The nouns of `twiceshy:memory/link-types`.
pub mod link_types;
/// The nouns of `twiceshy:memory/types`.
pub mod memory;
/// The nouns of `twiceshy:memory/pattern-types`.
pub mod pattern_types;
/// The nouns of `twiceshy:memory/remem-types`.
pub mod remem_types;
/// The nouns of `twiceshy:memory/skill-types`.
pub mod skill_types;
/// The nouns of `twiceshy:memory/validation-types`.
pub mod validation_types;
/// The nouns of `twiceshy:memory/working-input-types`.
pub mod working_input_types;
/// The nouns of `twiceshy:memory/working-types`.
pub mod working_types;

pub use functions::{FUNCTIONS, INTERFACES};
