//! The stores and the archive, a module for each question. One binary, because each one is compiled and linked by itself.

mod archive;
mod beside;
mod bulk;
mod conformance;
mod files;
mod forgetting;
mod groups;
mod knowledge;
mod migration;
mod pending;
mod postgres;
mod processes;
mod room;
#[path = "../../../tests/skipped.rs"]
mod skipped;
mod suite;
mod together;
