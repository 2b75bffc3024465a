//! The interface `runs` of the contract.

use twiceshy_wit::memory::{
    Briefing, BriefingRequest, Description, Ending, Episode, Error, NewRun, Observed, PastStep,
    Reaction, Run, Runs, Submitted,
};

use super::Engine;
use crate::{endings, runs, steps};

impl Runs for Engine<'_> {
    fn start(&self, run: &NewRun) -> Result<Run, Error> {
        runs::start(&mut self.desk(), run)
    }

    fn observe(&self, run: &str, observed: &Observed) -> Result<Reaction, Error> {
        steps::observe(&mut self.desk(), run, observed)
    }

    fn brief(&self, run: &str, request: &BriefingRequest) -> Result<Briefing, Error> {
        runs::brief(&mut self.desk(), run, request)
    }

    fn finish(&self, run: &str, ending: &Ending) -> Result<Episode, Error> {
        endings::finish(&mut self.desk(), run, ending)
    }

    fn submit(
        &self,
        run: &NewRun,
        steps: &[Observed],
        ending: &Ending,
    ) -> Result<Submitted, Error> {
        endings::submit(&mut self.desk(), run, steps, ending)
    }

    fn describe(&self, run: &str, description: &Description) -> Result<Run, Error> {
        runs::describe(&mut self.desk(), run, description)
    }

    fn get(&self, run: &str) -> Result<Run, Error> {
        runs::get(&self.desk(), run)
    }

    fn open(&self, limit: u32) -> Result<Vec<Run>, Error> {
        runs::open(&self.desk(), limit)
    }

    fn recent_steps(&self, domain: &str, limit: u32) -> Result<Vec<PastStep>, Error> {
        runs::recent_steps(&self.desk(), domain, limit)
    }

    fn latest_steps(&self, run: &str, limit: u32) -> Result<Vec<PastStep>, Error> {
        runs::latest_steps(&self.desk(), run, limit)
    }
}
