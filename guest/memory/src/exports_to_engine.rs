//! The component's exports, served by the engine.

use twiceshy_wit::{
    adapter::PastStep,
    memory::{
        Activation, ActivationFilter, Briefing, BriefingRequest, Decision, DecisionAnswer,
        DecisionCheck, DecisionFilter, DecisionMatch, DecisionQuery, DecisionQuestion,
        DecisionStats, Decisions, Ending, Episode, EpisodeFilter, Episodes, Error, Event,
        EventFilter, Events, Explanation, ExportRequest, Exported, FailedAttempt, FailureContext,
        FailurePattern, FailureWarning, Failures, FilteredHypotheses, Finding, Fingerprint, Health,
        Hint, HypothesisList, ImportRequest, Imported, Lesson, LessonCandidate, LessonFilter,
        LessonStatus, Lessons, Link, MemoryStatus, NewDecision, NewFailure, NewRun, Observed,
        PatternFilter, Pruned, Reaction, Recall, RejectionPattern, Run, Runs, Submitted,
        TaskContext, TraceStep, Upkeep, WarningQuery,
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

    fn brief(run: String, request: BriefingRequest) -> Result<Briefing, Error> {
        engine().brief(&run, &request)
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

    fn open(limit: u32) -> Result<Vec<Run>, Error> {
        engine().open(limit)
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

    fn hand_in(episode: String, candidates: String) -> Result<Vec<Lesson>, Error> {
        engine().hand_in(&episode, &candidates)
    }

    fn mine(episode: String) -> Result<Vec<Lesson>, Error> {
        engine().mine(&episode)
    }

    fn revise(lesson: String, rule_text: String, reason: String) -> Result<Lesson, Error> {
        engine().revise(&lesson, &rule_text, &reason)
    }

    fn relate(link: Link) -> Result<Link, Error> {
        engine().relate(&link)
    }

    fn unrelate(link: Link) -> Result<(), Error> {
        engine().unrelate(&link)
    }

    fn links(lesson: String) -> Result<Vec<Link>, Error> {
        engine().links(&lesson)
    }

    fn activations(filter: ActivationFilter) -> Result<Vec<Activation>, Error> {
        engine().activations(&filter)
    }

    fn explain(lesson: String) -> Result<Explanation, Error> {
        engine().explain(&lesson)
    }
}

impl exports::recall::Guest for Component {
    fn on_error(failure: FailureContext) -> Result<Vec<Hint>, Error> {
        engine().on_error(&failure)
    }

    fn for_task(task: TaskContext) -> Result<Vec<Hint>, Error> {
        engine().for_task(&task)
    }
}

impl exports::decisions::Guest for Component {
    fn record(decision: NewDecision) -> Result<Decision, Error> {
        Decisions::record(&engine(), &decision)
    }

    fn was_rejected(query: DecisionQuery) -> Result<DecisionMatch, Error> {
        Decisions::was_rejected(&engine(), &query)
    }

    fn was_recently_accepted(query: DecisionQuery) -> Result<DecisionMatch, Error> {
        Decisions::was_recently_accepted(&engine(), &query)
    }

    fn check(query: DecisionQuery) -> Result<DecisionCheck, Error> {
        Decisions::check(&engine(), &query)
    }

    fn query(question: DecisionQuestion) -> Result<DecisionAnswer, Error> {
        Decisions::query(&engine(), &question)
    }

    fn filter(hypotheses: HypothesisList) -> Result<FilteredHypotheses, Error> {
        Decisions::filter(&engine(), &hypotheses)
    }

    fn get_records(filter: DecisionFilter) -> Result<Vec<Decision>, Error> {
        Decisions::get_records(&engine(), &filter)
    }

    fn failure_patterns(module: String) -> Result<Vec<RejectionPattern>, Error> {
        Decisions::failure_patterns(&engine(), &module)
    }

    fn stats() -> Result<DecisionStats, Error> {
        Decisions::stats(&engine())
    }

    fn export_file(request: ExportRequest) -> Result<Exported, Error> {
        Decisions::export_file(&engine(), &request)
    }

    fn import_file(request: ImportRequest) -> Result<Imported, Error> {
        Decisions::import_file(&engine(), &request)
    }
}

impl exports::failures::Guest for Component {
    fn record(failure: NewFailure) -> Result<FailedAttempt, Error> {
        Failures::record(&engine(), &failure)
    }

    fn patterns(filter: PatternFilter) -> Result<Vec<FailurePattern>, Error> {
        Failures::patterns(&engine(), &filter)
    }

    fn check_warnings(query: WarningQuery) -> Result<Vec<FailureWarning>, Error> {
        Failures::check_warnings(&engine(), &query)
    }

    fn categorize(details: String) -> String {
        engine().categorize(&details)
    }
}

impl exports::upkeep::Guest for Component {
    fn status() -> Result<MemoryStatus, Error> {
        engine().status()
    }

    fn verify() -> Result<Vec<Finding>, Error> {
        engine().verify()
    }

    fn report() -> Result<Health, Error> {
        engine().report()
    }

    fn prune(before: u64, dry_run: bool) -> Result<Pruned, Error> {
        engine().prune(before, dry_run)
    }
}

impl exports::rpc::Guest for Component {
    fn call(method: String, arguments: String) -> Result<String, Error> {
        rpc::call(&engine(), &method, &arguments)
    }
}
