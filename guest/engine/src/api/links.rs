//! The interface `links` of the contract.

use twiceshy_wit::memory::{Error, Link, Links, Neighbourhood, Walk};

use super::Engine;
use crate::lessons::links;
use crate::lessons::links::walk;

impl Links for Engine<'_> {
    fn relate(&self, link: &Link) -> Result<Link, Error> {
        links::put_link(&mut self.desk(), link)
    }

    fn unrelate(&self, link: &Link) -> Result<(), Error> {
        links::remove_link(&mut self.desk(), link)
    }

    fn of_memory(&self, id: &str) -> Result<Vec<Link>, Error> {
        links::of_memory(&self.desk(), id)
    }

    fn around(&self, walk: &Walk) -> Result<Neighbourhood, Error> {
        walk::walked(&self.desk(), walk)
    }

    fn contradictions(&self, limit: u32) -> Result<Vec<Link>, Error> {
        links::contradictions(&self.desk(), limit)
    }
}
