//! How twiceshy learns, a module for each noun. One binary, because each one is compiled and linked by itself.

mod advice;
mod analogy;
mod contradictions;
mod insertion;
mod lifecycle;
mod mining;
mod verdict;
