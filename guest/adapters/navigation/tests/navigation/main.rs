//! The navigation adapter as a host holds it: single moves, courses of several, and what is refused.

mod courses;
mod moves;
mod support;
