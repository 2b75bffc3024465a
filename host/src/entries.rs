//! The contract of the memory, served by the component, each call by a lent instance,
//! or by a service.
//!
//! Generated from the contract, one file an interface.

mod coordination;
mod decisions;
mod episodes;
mod events;
mod exchange;
mod experience;
mod failures;
mod lessons;
mod links;
mod patterns;
mod recall;
mod runs;
mod skills;
mod upkeep;
mod working;
