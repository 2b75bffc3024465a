//! Fingerprints, tags and secrets, a module for each noun. One binary, because each one is compiled and linked by itself.

mod fingerprints;
mod messages;
mod secrets;
mod tags;
