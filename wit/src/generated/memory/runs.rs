//! `twiceshy:memory/runs`: generated from the contract.

use super::{
    Briefing, BriefingRequest, Description, Ending, Episode, Error, NewRun, Observed, PastStep,
    Reaction, Run, Submitted,
};

/// Runs: tasks being worked on. Call `start`, then `observe` after each step, then `finish`; or `submit` for a whole
/// run at once. Several processes may observe steps of one run.
pub trait Runs {
    /// Starts a run. `conflict` if its id is taken.
    fn start(&self, run: &NewRun) -> Result<Run, Error>;

    /// Returns the lessons to know before the run, or between its steps, by task, domain and recent failures. Each of
    /// them is an activation: it is recorded as shown in this run.
    fn brief(&self, run: &str, request: &BriefingRequest) -> Result<Briefing, Error>;

    /// Observes one step. A failed step becomes an event, and what is known about the failure comes back as hints.
    /// Each hint is an activation: it is recorded as shown in this run.
    fn observe(&self, run: &str, observed: &Observed) -> Result<Reaction, Error>;

    /// Ends a run. It becomes an episode and takes no more steps. Lessons are mined from its steps, and the lessons
    /// that were shown or withheld are judged by how it went: they may be promoted or suppressed.
    fn finish(&self, run: &str, ending: &Ending) -> Result<Episode, Error>;

    /// Starts a run, observes its steps and ends it, all in one commit. At most 200 steps. The hints in the reactions
    /// come too late to help, so they are not activations.
    fn submit(&self, run: &NewRun, steps: &[Observed], ending: &Ending)
    -> Result<Submitted, Error>;

    /// Adds to an open run what is known besides its steps. It replaces what was given before; members that are left
    /// out or empty stay.
    fn describe(&self, run: &str, description: &Description) -> Result<Run, Error>;

    /// Returns an open run by its id.
    fn get(&self, run: &str) -> Result<Run, Error>;

    /// Lists open runs, most recently started first. At most 1,000.
    fn open(&self, limit: u32) -> Result<Vec<Run>, Error>;

    /// Returns the newest steps of a domain, oldest first: what an adapter gets as `recent`. At most 16, of the 16 runs that
    /// were started last and are open, and of the 16 episodes that ended last.
    fn recent_steps(&self, domain: &str, limit: u32) -> Result<Vec<PastStep>, Error>;

    /// Returns the last steps of one run, oldest first: what an adapter gets as `recent` in domains where each step
    /// continues the one before. At most 16.
    fn latest_steps(&self, run: &str, limit: u32) -> Result<Vec<PastStep>, Error>;
}
