//! What the five documents promise and no other test shows by itself, a file for each noun.

mod consolidation;
mod context;
mod decisions;
mod distilling;
mod episodes;
mod events;
mod experience;
mod failures;
mod lessons;
mod patterns;
mod retrieval;
mod working;
