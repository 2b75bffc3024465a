//! The contract of the memory, served by the component: each call is passed to a lent instance.

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
};

use crate::memory::Memory;

/// Passes a call to the export of the same name.
macro_rules! pass {
    ($memory:expr, $interface:ident . $function:ident ( $($argument:expr),* )) => {
        $memory.with(|instance| {
            instance.exports.$interface().$function(&mut instance.store $(, $argument)*)
        })
    };
}

impl Runs for Memory {
    fn start(&self, run: &NewRun) -> Result<Run, Error> {
        pass!(self, twiceshy_memory_runs.call_start(run))?
    }

    fn observe(&self, run: &str, observed: &Observed) -> Result<Reaction, Error> {
        pass!(self, twiceshy_memory_runs.call_observe(run, observed))?
    }

    fn brief(&self, run: &str, request: &BriefingRequest) -> Result<Briefing, Error> {
        pass!(self, twiceshy_memory_runs.call_brief(run, *request))?
    }

    fn finish(&self, run: &str, ending: &Ending) -> Result<Episode, Error> {
        pass!(self, twiceshy_memory_runs.call_finish(run, *ending))?
    }

    fn submit(
        &self,
        run: &NewRun,
        steps: &[Observed],
        ending: &Ending,
    ) -> Result<Submitted, Error> {
        pass!(self, twiceshy_memory_runs.call_submit(run, steps, *ending))?
    }

    fn get(&self, run: &str) -> Result<Run, Error> {
        pass!(self, twiceshy_memory_runs.call_get(run))?
    }

    fn open(&self, limit: u32) -> Result<Vec<Run>, Error> {
        pass!(self, twiceshy_memory_runs.call_open(limit))?
    }

    fn recent_steps(&self, domain: &str, limit: u32) -> Result<Vec<PastStep>, Error> {
        pass!(self, twiceshy_memory_runs.call_recent_steps(domain, limit))?
    }
}

impl Events for Memory {
    fn fingerprint_of(&self, text: &str) -> Fingerprint {
        // The contract has no error here: what can't be fingerprinted at all has an empty one.
        pass!(self, twiceshy_memory_events.call_fingerprint_of(text)).unwrap_or_else(|_| {
            Fingerprint {
                id: String::new(),
                template: String::new(),
                tags: Vec::new(),
            }
        })
    }

    fn find(&self, filter: &EventFilter) -> Result<Vec<Event>, Error> {
        pass!(self, twiceshy_memory_events.call_find(filter))?
    }

    fn get(&self, event: &str) -> Result<Event, Error> {
        pass!(self, twiceshy_memory_events.call_get(event))?
    }
}

impl Episodes for Memory {
    fn find(&self, filter: &EpisodeFilter) -> Result<Vec<Episode>, Error> {
        pass!(self, twiceshy_memory_episodes.call_find(filter))?
    }

    fn get(&self, episode: &str) -> Result<Episode, Error> {
        pass!(self, twiceshy_memory_episodes.call_get(episode))?
    }

    fn trace(&self, episode: &str, first: u32) -> Result<Vec<TraceStep>, Error> {
        pass!(self, twiceshy_memory_episodes.call_trace(episode, first))?
    }
}

impl Lessons for Memory {
    fn propose(&self, lesson: &LessonCandidate) -> Result<Lesson, Error> {
        pass!(self, twiceshy_memory_lessons.call_propose(lesson))?
    }

    fn distil(&self, episode: &str) -> Result<Vec<Lesson>, Error> {
        pass!(self, twiceshy_memory_lessons.call_distil(episode))?
    }

    fn find(&self, filter: &LessonFilter) -> Result<Vec<Lesson>, Error> {
        pass!(self, twiceshy_memory_lessons.call_find(filter))?
    }

    fn get(&self, lesson: &str) -> Result<Lesson, Error> {
        pass!(self, twiceshy_memory_lessons.call_get(lesson))?
    }

    fn set_status(
        &self,
        lesson: &str,
        status: LessonStatus,
        reason: &str,
    ) -> Result<Lesson, Error> {
        pass!(
            self,
            twiceshy_memory_lessons.call_set_status(lesson, status, reason)
        )?
    }

    fn hand_in(&self, episode: &str, candidates: &str) -> Result<Vec<Lesson>, Error> {
        pass!(
            self,
            twiceshy_memory_lessons.call_hand_in(episode, candidates)
        )?
    }

    fn mine(&self, episode: &str) -> Result<Vec<Lesson>, Error> {
        pass!(self, twiceshy_memory_lessons.call_mine(episode))?
    }

    fn revise(&self, lesson: &str, rule_text: &str, reason: &str) -> Result<Lesson, Error> {
        pass!(
            self,
            twiceshy_memory_lessons.call_revise(lesson, rule_text, reason)
        )?
    }

    fn relate(&self, link: &Link) -> Result<Link, Error> {
        pass!(self, twiceshy_memory_lessons.call_relate(link))?
    }

    fn unrelate(&self, link: &Link) -> Result<(), Error> {
        pass!(self, twiceshy_memory_lessons.call_unrelate(link))?
    }

    fn links(&self, lesson: &str) -> Result<Vec<Link>, Error> {
        pass!(self, twiceshy_memory_lessons.call_links(lesson))?
    }

    fn activations(&self, filter: &ActivationFilter) -> Result<Vec<Activation>, Error> {
        pass!(self, twiceshy_memory_lessons.call_activations(filter))?
    }

    fn explain(&self, lesson: &str) -> Result<Explanation, Error> {
        pass!(self, twiceshy_memory_lessons.call_explain(lesson))?
    }
}

impl Recall for Memory {
    fn on_error(&self, failure: &FailureContext) -> Result<Vec<Hint>, Error> {
        pass!(self, twiceshy_memory_recall.call_on_error(failure))?
    }

    fn for_task(&self, task: &TaskContext) -> Result<Vec<Hint>, Error> {
        pass!(self, twiceshy_memory_recall.call_for_task(task))?
    }
}

impl Decisions for Memory {
    fn record(&self, decision: &NewDecision) -> Result<Decision, Error> {
        pass!(self, twiceshy_memory_decisions.call_record(decision))?
    }

    fn was_rejected(&self, query: &DecisionQuery) -> Result<DecisionMatch, Error> {
        pass!(self, twiceshy_memory_decisions.call_was_rejected(query))?
    }

    fn was_recently_accepted(&self, query: &DecisionQuery) -> Result<DecisionMatch, Error> {
        pass!(
            self,
            twiceshy_memory_decisions.call_was_recently_accepted(query)
        )?
    }

    fn check(&self, query: &DecisionQuery) -> Result<DecisionCheck, Error> {
        pass!(self, twiceshy_memory_decisions.call_check(query))?
    }

    fn query(&self, question: &DecisionQuestion) -> Result<DecisionAnswer, Error> {
        pass!(self, twiceshy_memory_decisions.call_query(question))?
    }

    fn filter(&self, hypotheses: &HypothesisList) -> Result<FilteredHypotheses, Error> {
        pass!(self, twiceshy_memory_decisions.call_filter(hypotheses))?
    }

    fn get_records(&self, filter: &DecisionFilter) -> Result<Vec<Decision>, Error> {
        pass!(self, twiceshy_memory_decisions.call_get_records(filter))?
    }

    fn failure_patterns(&self, module: &str) -> Result<Vec<RejectionPattern>, Error> {
        pass!(
            self,
            twiceshy_memory_decisions.call_failure_patterns(module)
        )?
    }

    fn stats(&self) -> Result<DecisionStats, Error> {
        pass!(self, twiceshy_memory_decisions.call_stats())?
    }

    fn export_file(&self, request: &ExportRequest) -> Result<Exported, Error> {
        pass!(self, twiceshy_memory_decisions.call_export_file(request))?
    }

    fn import_file(&self, request: &ImportRequest) -> Result<Imported, Error> {
        pass!(self, twiceshy_memory_decisions.call_import_file(request))?
    }
}

impl Failures for Memory {
    fn record(&self, failure: &NewFailure) -> Result<FailedAttempt, Error> {
        pass!(self, twiceshy_memory_failures.call_record(failure))?
    }

    fn patterns(&self, filter: &PatternFilter) -> Result<Vec<FailurePattern>, Error> {
        pass!(self, twiceshy_memory_failures.call_patterns(filter))?
    }

    fn check_warnings(&self, query: &WarningQuery) -> Result<Vec<FailureWarning>, Error> {
        pass!(self, twiceshy_memory_failures.call_check_warnings(query))?
    }

    fn categorize(&self, details: &str) -> String {
        // The contract has no error here: what can't be categorized at all is unknown.
        pass!(self, twiceshy_memory_failures.call_categorize(details))
            .unwrap_or_else(|_| "unknown".to_owned())
    }
}

impl Upkeep for Memory {
    fn status(&self) -> Result<MemoryStatus, Error> {
        pass!(self, twiceshy_memory_upkeep.call_status())?
    }

    fn verify(&self) -> Result<Vec<Finding>, Error> {
        pass!(self, twiceshy_memory_upkeep.call_verify())?
    }

    fn report(&self) -> Result<Health, Error> {
        pass!(self, twiceshy_memory_upkeep.call_report())?
    }

    fn prune(&self, before: u64, dry_run: bool) -> Result<Pruned, Error> {
        pass!(self, twiceshy_memory_upkeep.call_prune(before, dry_run))?
    }
}
