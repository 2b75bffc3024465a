//! The functions of the memory by their names: generated from the contract.

use crate::{
    memory::{
        Coordination, Decisions, Episodes, Error, Events, Exchange, Experience, Failures, Lessons,
        Links, MemoryEdit, Observed, Patterns, Recall, Runs, Skills, TreeFile, Upkeep, Working,
    },
    rpc::{Arguments, reply, unknown},
};

/// A memory with all its interfaces.
pub trait Memory:
    Runs
    + Events
    + Episodes
    + Lessons
    + Recall
    + Upkeep
    + Decisions
    + Failures
    + Patterns
    + Skills
    + Links
    + Working
    + Coordination
    + Experience
    + Exchange
{
}

impl<M> Memory for M where
    M: Runs
        + Events
        + Episodes
        + Lessons
        + Recall
        + Upkeep
        + Decisions
        + Failures
        + Patterns
        + Skills
        + Links
        + Working
        + Coordination
        + Experience
        + Exchange
{
}

pub(crate) fn dispatch(
    memory: &impl Memory,
    method: &str,
    mut arguments: Arguments,
) -> Result<String, Error> {
    match method {
        "runs.start" => reply(Runs::start(memory, &arguments.take("run")?)?),
        "runs.brief" => reply(Runs::brief(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take("request")?,
        )?),
        "runs.observe" => reply(Runs::observe(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take("observed")?,
        )?),
        "runs.finish" => reply(Runs::finish(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take("ending")?,
        )?),
        "runs.submit" => reply(Runs::submit(
            memory,
            &arguments.take("run")?,
            &arguments.take::<Vec<Observed>>("steps")?,
            &arguments.take("ending")?,
        )?),
        "runs.describe" => reply(Runs::describe(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take("description")?,
        )?),
        "runs.get" => reply(Runs::get(memory, &arguments.take::<String>("run")?)?),
        "runs.open" => reply(Runs::open(memory, arguments.take("limit")?)?),
        "runs.recent-steps" => reply(Runs::recent_steps(
            memory,
            &arguments.take::<String>("domain")?,
            arguments.take("limit")?,
        )?),
        "runs.latest-steps" => reply(Runs::latest_steps(
            memory,
            &arguments.take::<String>("run")?,
            arguments.take("limit")?,
        )?),
        "events.fingerprint-of" => reply(Events::fingerprint_of(
            memory,
            &arguments.take::<String>("text")?,
        )),
        "events.find" => reply(Events::find(memory, &arguments.take("filter")?)?),
        "events.get" => reply(Events::get(memory, &arguments.take::<String>("event-id")?)?),
        "episodes.add" => reply(Episodes::add(memory, &arguments.take("episode")?)?),
        "episodes.find" => reply(Episodes::find(memory, &arguments.take("filter")?)?),
        "episodes.get" => reply(Episodes::get(
            memory,
            &arguments.take::<String>("episode")?,
        )?),
        "episodes.retrieve" => reply(Episodes::retrieve(
            memory,
            &arguments.take::<String>("episode")?,
        )?),
        "episodes.trace" => reply(Episodes::trace(
            memory,
            &arguments.take::<String>("episode")?,
            arguments.take("first")?,
        )?),
        "episodes.search" => reply(Episodes::search(memory, &arguments.take("query")?)?),
        "episodes.similar-failures" => reply(Episodes::similar_failures(
            memory,
            &arguments.take("failure")?,
        )?),
        "episodes.lifecycle-of" => reply(Episodes::lifecycle_of(
            memory,
            &arguments.take::<String>("episode")?,
        )?),
        "episodes.age" => reply(Episodes::age(
            memory,
            arguments.take("limit")?,
            arguments.take("dry-run")?,
        )?),
        "episodes.restore" => reply(Episodes::restore(
            memory,
            &arguments.take::<String>("episode")?,
        )?),
        "episodes.soft-delete" => reply(Episodes::soft_delete(
            memory,
            &arguments.take::<String>("episode")?,
            &arguments.take::<String>("reason")?,
        )?),
        "episodes.undelete" => reply(Episodes::undelete(
            memory,
            &arguments.take::<String>("episode")?,
        )?),
        "episodes.purge" => reply(Episodes::purge(
            memory,
            arguments.take("retention-days")?,
            arguments.take("dry-run")?,
        )?),
        "episodes.purge-one" => reply(Episodes::purge_one(
            memory,
            &arguments.take::<String>("episode")?,
            arguments.take("with-lessons")?,
        )?),
        "episodes.keep-artifact" => reply(Episodes::keep_artifact(
            memory,
            &arguments.take::<String>("name")?,
            &arguments.take::<String>("media-type")?,
            &arguments.take::<Vec<u8>>("content")?,
        )?),
        "episodes.artifact-content" => reply(Episodes::artifact_content(
            memory,
            &arguments.take::<String>("hash")?,
        )?),
        "episodes.learn" => reply(Episodes::learn(
            memory,
            &arguments.take("episode")?,
            &arguments.take::<Vec<String>>("insights")?,
        )?),
        "lessons.propose" => reply(Lessons::propose(memory, &arguments.take("lesson")?)?),
        "lessons.distil" => reply(Lessons::distil(
            memory,
            &arguments.take::<String>("episode")?,
        )?),
        "lessons.hand-in" => reply(Lessons::hand_in(
            memory,
            &arguments.take::<String>("episode")?,
            &arguments.take::<String>("candidates")?,
        )?),
        "lessons.mine" => reply(Lessons::mine(
            memory,
            &arguments.take::<String>("episode")?,
        )?),
        "lessons.revise" => reply(Lessons::revise(
            memory,
            &arguments.take::<String>("lesson")?,
            &arguments.take::<String>("rule-text")?,
            &arguments.take::<String>("reason")?,
        )?),
        "lessons.activations" => reply(Lessons::activations(memory, &arguments.take("filter")?)?),
        "lessons.explain" => reply(Lessons::explain(
            memory,
            &arguments.take::<String>("lesson")?,
        )?),
        "lessons.find" => reply(Lessons::find(memory, &arguments.take("filter")?)?),
        "lessons.get" => reply(Lessons::get(memory, &arguments.take::<String>("lesson")?)?),
        "lessons.set-status" => reply(Lessons::set_status(
            memory,
            &arguments.take::<String>("lesson")?,
            arguments.take("status")?,
            &arguments.take::<String>("reason")?,
        )?),
        "recall.on-error" => reply(Recall::on_error(memory, &arguments.take("failure")?)?),
        "recall.for-task" => reply(Recall::for_task(memory, &arguments.take("task")?)?),
        "recall.context" => reply(Recall::context(memory, &arguments.take("request")?)?),
        "upkeep.status" => reply(Upkeep::status(memory)?),
        "upkeep.verify" => reply(Upkeep::verify(memory)?),
        "upkeep.report" => reply(Upkeep::report(memory)?),
        "upkeep.prune" => reply(Upkeep::prune(
            memory,
            arguments.take("before")?,
            arguments.take("dry-run")?,
        )?),
        "upkeep.consolidate" => reply(Upkeep::consolidate(memory, &arguments.take("request")?)?),
        "upkeep.consolidations" => reply(Upkeep::consolidations(memory, arguments.take("limit")?)?),
        "upkeep.undo-consolidation" => reply(Upkeep::undo_consolidation(
            memory,
            &arguments.take::<String>("consolidation")?,
            &arguments.take::<String>("after")?,
        )?),
        "upkeep.reindex" => reply(Upkeep::reindex(
            memory,
            &arguments.take::<String>("after")?,
        )?),
        "upkeep.take-inventory" => reply(Upkeep::take_inventory(memory)?),
        "upkeep.metrics-of-days" => {
            reply(Upkeep::metrics_of_days(memory, arguments.take("days")?)?)
        }
        "decisions.record" => reply(Decisions::record(memory, &arguments.take("decision")?)?),
        "decisions.was-rejected" => {
            reply(Decisions::was_rejected(memory, &arguments.take("query")?)?)
        }
        "decisions.was-recently-accepted" => reply(Decisions::was_recently_accepted(
            memory,
            &arguments.take("query")?,
        )?),
        "decisions.check" => reply(Decisions::check(memory, &arguments.take("query")?)?),
        "decisions.query" => reply(Decisions::query(memory, &arguments.take("question")?)?),
        "decisions.filter" => reply(Decisions::filter(memory, &arguments.take("hypotheses")?)?),
        "decisions.get-records" => {
            reply(Decisions::get_records(memory, &arguments.take("filter")?)?)
        }
        "decisions.failure-patterns" => reply(Decisions::failure_patterns(
            memory,
            &arguments.take::<String>("module")?,
        )?),
        "decisions.stats" => reply(Decisions::stats(memory)?),
        "decisions.export-file" => {
            reply(Decisions::export_file(memory, &arguments.take("request")?)?)
        }
        "decisions.import-file" => {
            reply(Decisions::import_file(memory, &arguments.take("request")?)?)
        }
        "failures.record" => reply(Failures::record(memory, &arguments.take("failure")?)?),
        "failures.categorize" => reply(Failures::categorize(
            memory,
            &arguments.take::<String>("details")?,
        )),
        "failures.patterns" => reply(Failures::patterns(memory, &arguments.take("filter")?)?),
        "failures.check-warnings" => {
            reply(Failures::check_warnings(memory, &arguments.take("query")?)?)
        }
        "patterns.add" => reply(Patterns::add(memory, &arguments.take("pattern")?)?),
        "patterns.get" => reply(Patterns::get(
            memory,
            &arguments.take::<String>("pattern")?,
        )?),
        "patterns.find" => reply(Patterns::find(
            memory,
            arguments.take("kind")?,
            arguments.take("status")?,
            arguments.take("limit")?,
        )?),
        "patterns.find-applicable" => {
            reply(Patterns::find_applicable(memory, &arguments.take("task")?)?)
        }
        "patterns.update" => reply(Patterns::update(
            memory,
            &arguments.take::<String>("pattern")?,
            &arguments.take("update")?,
        )?),
        "patterns.history" => reply(Patterns::history(
            memory,
            &arguments.take::<String>("pattern")?,
        )?),
        "patterns.record-application" => reply(Patterns::record_application(
            memory,
            &arguments.take::<String>("pattern")?,
            &arguments.take::<String>("episode")?,
            arguments.take("outcome")?,
        )?),
        "patterns.gate" => reply(Patterns::gate(memory)?),
        "patterns.set-gate" => reply(Patterns::set_gate(memory, &arguments.take("gate")?)?),
        "patterns.validate" => reply(Patterns::validate(
            memory,
            &arguments.take::<String>("pattern")?,
        )?),
        "patterns.validate-all" => reply(Patterns::validate_all(
            memory,
            &arguments.take::<String>("after")?,
            arguments.take("limit")?,
            arguments.take("dry-run")?,
        )?),
        "patterns.refine" => reply(Patterns::refine(
            memory,
            &arguments.take::<String>("pattern")?,
            &arguments.take("update")?,
        )?),
        "patterns.deprecate" => reply(Patterns::deprecate(
            memory,
            &arguments.take::<String>("pattern")?,
            &arguments.take::<String>("reason")?,
            &arguments.take::<String>("superseded-by")?,
        )?),
        "patterns.similar" => reply(Patterns::similar(
            memory,
            &arguments.take::<String>("pattern")?,
            arguments.take("least")?,
        )?),
        "patterns.merge" => reply(Patterns::merge(
            memory,
            &arguments.take::<Vec<String>>("patterns")?,
            &arguments.take::<String>("reason")?,
        )?),
        "patterns.prune" => reply(Patterns::prune(memory, arguments.take("dry-run")?)?),
        "skills.put" => reply(Skills::put(
            memory,
            &arguments.take::<String>("slug")?,
            &arguments.take::<String>("markdown")?,
        )?),
        "skills.get" => reply(Skills::get(memory, &arguments.take::<String>("slug")?)?),
        "skills.history" => reply(Skills::history(memory, &arguments.take::<String>("slug")?)?),
        "skills.all" => reply(Skills::all(memory)?),
        "skills.find" => reply(Skills::find(
            memory,
            &arguments.take::<String>("task")?,
            arguments.take("limit")?,
        )?),
        "skills.retire" => reply(Skills::retire(
            memory,
            &arguments.take::<String>("slug")?,
            &arguments.take::<String>("reason")?,
        )?),
        "skills.make-of-pattern" => reply(Skills::make_of_pattern(
            memory,
            &arguments.take::<String>("pattern")?,
            &arguments.take::<String>("slug")?,
        )?),
        "links.relate" => reply(Links::relate(memory, &arguments.take("link")?)?),
        "links.unrelate" => reply(Links::unrelate(memory, &arguments.take("link")?)?),
        "links.of-memory" => reply(Links::of_memory(memory, &arguments.take::<String>("id")?)?),
        "links.around" => reply(Links::around(memory, &arguments.take("walk")?)?),
        "links.contradictions" => reply(Links::contradictions(memory, arguments.take("limit")?)?),
        "working.init" => reply(Working::init(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take("context")?,
        )?),
        "working.load-task" => reply(Working::load_task(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take("task")?,
        )?),
        "working.set" => reply(Working::set(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take("variable")?,
        )?),
        "working.get" => reply(Working::get(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take::<String>("key")?,
            arguments.take("scope")?,
        )?),
        "working.push-state" => reply(Working::push_state(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take("state")?,
        )?),
        "working.add-intermediate" => reply(Working::add_intermediate(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take("intermediate")?,
        )?),
        "working.retrieve" => reply(Working::retrieve(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take("query")?,
        )?),
        "working.fetch" => reply(Working::fetch(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take::<String>("item")?,
        )?),
        "working.prune" => reply(Working::prune(memory, &arguments.take::<String>("run")?)?),
        "working.take-snapshot" => reply(Working::take_snapshot(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take::<String>("label")?,
        )?),
        "working.rollback" => reply(Working::rollback(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take::<String>("snapshot")?,
        )?),
        "working.snapshots" => reply(Working::snapshots(
            memory,
            &arguments.take::<String>("run")?,
        )?),
        "working.view" => reply(Working::view(memory, &arguments.take::<String>("run")?)?),
        "working.render" => reply(Working::render(
            memory,
            &arguments.take::<String>("run")?,
            &arguments.take("rendering")?,
        )?),
        "working.continuity" => reply(Working::continuity(
            memory,
            &arguments.take::<String>("run")?,
        )?),
        "working.clear" => reply(Working::clear(memory, &arguments.take::<String>("run")?)?),
        "working.metadata" => reply(Working::metadata(
            memory,
            &arguments.take::<String>("run")?,
        )?),
        "coordination.check-in" => reply(Coordination::check_in(
            memory,
            &arguments.take("checkpoint")?,
        )?),
        "coordination.ledger-of" => reply(Coordination::ledger_of(
            memory,
            &arguments.take::<String>("agent-id")?,
        )?),
        "coordination.ledgers" => reply(Coordination::ledgers(memory, arguments.take("limit")?)?),
        "coordination.hand-over" => reply(Coordination::hand_over(
            memory,
            &arguments.take("handoff")?,
        )?),
        "coordination.handoff-of" => reply(Coordination::handoff_of(
            memory,
            &arguments.take::<String>("handoff")?,
        )?),
        "coordination.handoffs" => {
            reply(Coordination::handoffs(memory, &arguments.take("filter")?)?)
        }
        "coordination.take-up" => reply(Coordination::take_up(
            memory,
            &arguments.take::<String>("handoff")?,
            &arguments.take::<String>("agent-id")?,
        )?),
        "experience.search" => reply(Experience::search(memory, &arguments.take("query")?)?),
        "experience.synthesize" => reply(Experience::synthesize(
            memory,
            &arguments.take::<String>("task")?,
            &arguments.take::<Vec<String>>("entries")?,
        )?),
        "experience.evolve" => reply(Experience::evolve(memory, &arguments.take("experience")?)?),
        "experience.recent-window" => reply(Experience::recent_window(memory)?),
        "experience.entries" => reply(Experience::entries(
            memory,
            arguments.take("memory-type")?,
            arguments.take("limit")?,
        )?),
        "experience.get" => reply(Experience::get(
            memory,
            &arguments.take::<String>("entry")?,
        )?),
        "experience.archived" => reply(Experience::archived(memory, arguments.take("limit")?)?),
        "experience.restore" => reply(Experience::restore(
            memory,
            &arguments.take::<String>("entry")?,
        )?),
        "experience.similarity-of-tasks" => reply(Experience::similarity_of_tasks(memory)?),
        "experience.stats" => reply(Experience::stats(memory)?),
        "experience.apply-edits" => reply(Experience::apply_edits(
            memory,
            &arguments.take::<Vec<MemoryEdit>>("edits")?,
        )?),
        "experience.prune" => reply(Experience::prune(memory)?),
        "experience.settings" => reply(Experience::settings(memory)?),
        "experience.configure" => {
            reply(Experience::configure(memory, &arguments.take("settings")?)?)
        }
        "experience.re-embed" => reply(Experience::re_embed(memory, arguments.take("limit")?)?),
        "experience.remem" => reply(Experience::remem(memory, &arguments.take("request")?)?),
        "exchange.export-tree" => {
            reply(Exchange::export_tree(memory, &arguments.take("request")?)?)
        }
        "exchange.import-tree" => reply(Exchange::import_tree(
            memory,
            &arguments.take::<Vec<TreeFile>>("files")?,
            arguments.take("check-only")?,
        )?),
        "exchange.export-lines" => reply(Exchange::export_lines(
            memory,
            arguments.take("kind")?,
            &arguments.take("request")?,
        )?),
        "exchange.import-lines" => reply(Exchange::import_lines(
            memory,
            arguments.take("kind")?,
            &arguments.take("request")?,
        )?),
        _ => Err(unknown(method)),
    }
}
