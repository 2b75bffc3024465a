//! Episodes: runs that have ended, and their steps.
//!
//! Owns reading them. They are written once, by the end of a run, and never changed.

use twiceshy_wit::{host::Attribute, memory::*};

use crate::{
    documents::{Kind, Noun, ascending, equals, newest, number, query, text},
    limits,
    ports::Engine,
    runs::OpenRun,
};

/// Steps of one answer, as the contract has it.
const TRACED: u32 = 200;

impl Noun for Episode {
    const KIND: Kind = Kind::Episode;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let mut attributes = vec![
            text("domain", &self.domain),
            text("outcome", self.outcome.as_str()),
            number("ended-at", self.ended_at as f64),
        ];
        attributes.extend(self.fingerprints.iter().map(|id| text("fingerprint", id)));
        attributes
    }

    fn terms(&self) -> String {
        crate::text::terms(&self.task).join(" ")
    }
}

impl Episodes for Engine<'_> {
    fn find(&self, filter: &EpisodeFilter) -> Result<Vec<Episode>, Error> {
        let restrictions = [
            ("domain", filter.domain.as_deref()),
            ("outcome", filter.outcome.map(|outcome| outcome.as_str())),
            ("fingerprint", filter.fingerprint.as_deref()),
        ];
        let conditions = restrictions
            .into_iter()
            .filter_map(|(name, value)| Some(equals(name, value?)))
            .collect();
        let query = query::<Episode>(conditions, newest("ended-at"), limits::listed(filter.limit));
        Ok(self
            .search::<Episode>(&query)?
            .into_iter()
            .map(|(read, _)| read.noun)
            .collect())
    }

    fn add(&self, _episode: &NewEpisode) -> Result<Episode, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn retrieve(&self, _episode: &str) -> Result<FullEpisode, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn search(&self, _query: &EpisodeQuery) -> Result<Vec<EpisodeHit>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn similar_failures(&self, _failure: &FailureSignature) -> Result<Vec<SimilarFailure>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn lifecycle_of(&self, _episode: &str) -> Result<Lifecycle, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn age(&self, _limit: u32, _dry_run: bool) -> Result<Aging, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn restore(&self, _episode: &str) -> Result<Lifecycle, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn delete(&self, _episode: &str, _reason: &str) -> Result<Lifecycle, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn undelete(&self, _episode: &str) -> Result<Lifecycle, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn purge(&self, _retention_days: Option<u32>, _dry_run: bool) -> Result<Vec<String>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn keep_artifact(
        &self,
        _name: &str,
        _media_type: &str,
        _content: &[u8],
    ) -> Result<Artifact, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn artifact_content(&self, _hash: &str) -> Result<Vec<u8>, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }

    fn learn(&self, _episode: &NewEpisode, _insights: &[String]) -> Result<LearningSummary, Error> {
        Err(Error::Unavailable("not built yet".to_owned()))
    }
    fn get(&self, episode: &str) -> Result<Episode, Error> {
        match self.load::<Episode>(episode)? {
            Some(read) => Ok(read.noun),
            None => Err(Error::NotFound(format!(
                "there is no episode `{episode}`; episodes.find lists them"
            ))),
        }
    }

    fn trace(&self, episode: &str, first: u32) -> Result<Vec<TraceStep>, Error> {
        if self.load::<Episode>(episode)?.is_none() && self.load::<OpenRun>(episode)?.is_none() {
            return Err(Error::NotFound(format!(
                "there is no episode or open run `{episode}`; episodes.find lists episodes"
            )));
        }
        let mut query =
            query::<TraceStep>(vec![equals("run", episode)], ascending("index"), TRACED);
        query.offset = first;
        Ok(self
            .search::<TraceStep>(&query)?
            .into_iter()
            .map(|(read, _)| read.noun)
            .collect())
    }
}
