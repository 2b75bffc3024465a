//! The component's exports, served by the engine.

use twiceshy_wit::{
    adapter::PastStep,
    memory::{
        Ending, Episode, EpisodeFilter, Episodes, Error, Event, EventFilter, Events,
        FailureContext, Finding, Fingerprint, Hint, Lesson, LessonCandidate, LessonFilter,
        LessonStatus, Lessons, MemoryStatus, NewRun, Observed, Reaction, Recall, Run, Runs,
        Submitted, TraceStep, Upkeep,
    },
    rpc,
};

use crate::{Component, exports::twiceshy::memory as exports, ports_from_imports::engine};

impl exports::runs::Guest for Component {
    fn start(run: NewRun) -> Result<Run, Error> {
        engine().start(&run)
    }

    fn observe(run: String, observed: Observed) -> Result<Reaction, Error> {
        engine().observe(&run, &observed)
    }

    fn finish(run: String, ending: Ending) -> Result<Episode, Error> {
        engine().finish(&run, &ending)
    }

    fn submit(run: NewRun, steps: Vec<Observed>, ending: Ending) -> Result<Submitted, Error> {
        engine().submit(&run, &steps, &ending)
    }

    fn get(run: String) -> Result<Run, Error> {
        Runs::get(&engine(), &run)
    }

    fn recent_steps(domain: String, limit: u32) -> Result<Vec<PastStep>, Error> {
        engine().recent_steps(&domain, limit)
    }
}

impl exports::events::Guest for Component {
    fn fingerprint_of(text: String) -> Fingerprint {
        engine().fingerprint_of(&text)
    }

    fn find(filter: EventFilter) -> Result<Vec<Event>, Error> {
        Events::find(&engine(), &filter)
    }

    fn get(event: String) -> Result<Event, Error> {
        Events::get(&engine(), &event)
    }
}

impl exports::episodes::Guest for Component {
    fn find(filter: EpisodeFilter) -> Result<Vec<Episode>, Error> {
        Episodes::find(&engine(), &filter)
    }

    fn get(episode: String) -> Result<Episode, Error> {
        Episodes::get(&engine(), &episode)
    }

    fn trace(episode: String, first: u32) -> Result<Vec<TraceStep>, Error> {
        engine().trace(&episode, first)
    }
}

impl exports::lessons::Guest for Component {
    fn propose(lesson: LessonCandidate) -> Result<Lesson, Error> {
        engine().propose(&lesson)
    }

    fn distil(episode: String) -> Result<Vec<Lesson>, Error> {
        engine().distil(&episode)
    }

    fn find(filter: LessonFilter) -> Result<Vec<Lesson>, Error> {
        Lessons::find(&engine(), &filter)
    }

    fn get(lesson: String) -> Result<Lesson, Error> {
        Lessons::get(&engine(), &lesson)
    }

    fn set_status(lesson: String, status: LessonStatus, reason: String) -> Result<Lesson, Error> {
        engine().set_status(&lesson, status, &reason)
    }
}

impl exports::recall::Guest for Component {
    fn on_error(failure: FailureContext) -> Result<Vec<Hint>, Error> {
        engine().on_error(&failure)
    }
}

impl exports::upkeep::Guest for Component {
    fn status() -> Result<MemoryStatus, Error> {
        engine().status()
    }

    fn verify() -> Result<Vec<Finding>, Error> {
        engine().verify()
    }
}

impl exports::rpc::Guest for Component {
    fn call(method: String, arguments: String) -> Result<String, Error> {
        rpc::call(&engine(), &method, &arguments)
    }
}
