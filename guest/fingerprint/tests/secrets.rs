//! Secrets: what is masked, what is kept, and what holds for any text.

mod kept;
mod masked;
mod measured;
mod properties;
