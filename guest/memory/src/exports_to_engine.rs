//! The component's exports, served by the engine: generated from the contract.

use twiceshy_wit::memory::*;

use crate::{Component, exports::twiceshy::memory as exports, ports_from_imports::engine};

impl exports::rpc::Guest for Component {
    fn call(method: String, args: String) -> Result<String, Error> {
        twiceshy_wit::rpc::call(&engine(), &method, &args)
    }
}

impl exports::runs::Guest for Component {
    fn start(run: NewRun) -> Result<Run, Error> {
        Runs::start(&engine(), &run)
    }
    fn brief(run: String, request: BriefingRequest) -> Result<Briefing, Error> {
        Runs::brief(&engine(), &run, &request)
    }
    fn observe(run: String, observed: Observed) -> Result<Reaction, Error> {
        Runs::observe(&engine(), &run, &observed)
    }
    fn finish(run: String, ending: Ending) -> Result<Episode, Error> {
        Runs::finish(&engine(), &run, &ending)
    }
    fn submit(run: NewRun, steps: Vec<Observed>, ending: Ending) -> Result<Submitted, Error> {
        Runs::submit(&engine(), &run, &steps, &ending)
    }
    fn describe(run: String, description: Description) -> Result<Run, Error> {
        Runs::describe(&engine(), &run, &description)
    }
    fn get(run: String) -> Result<Run, Error> {
        Runs::get(&engine(), &run)
    }
    fn open(limit: u32) -> Result<Vec<Run>, Error> {
        Runs::open(&engine(), limit)
    }
    fn recent_steps(domain: String, limit: u32) -> Result<Vec<PastStep>, Error> {
        Runs::recent_steps(&engine(), &domain, limit)
    }
    fn latest_steps(run: String, limit: u32) -> Result<Vec<PastStep>, Error> {
        Runs::latest_steps(&engine(), &run, limit)
    }
}

impl exports::events::Guest for Component {
    fn fingerprint_of(text: String) -> Fingerprint {
        Events::fingerprint_of(&engine(), &text)
    }
    fn find(filter: EventFilter) -> Result<Vec<Event>, Error> {
        Events::find(&engine(), &filter)
    }
    fn get(event_id: String) -> Result<Event, Error> {
        Events::get(&engine(), &event_id)
    }
}

impl exports::episodes::Guest for Component {
    fn add(episode: NewEpisode) -> Result<Episode, Error> {
        Episodes::add(&engine(), &episode)
    }
    fn find(filter: EpisodeFilter) -> Result<Vec<Episode>, Error> {
        Episodes::find(&engine(), &filter)
    }
    fn get(episode: String) -> Result<Episode, Error> {
        Episodes::get(&engine(), &episode)
    }
    fn retrieve(episode: String) -> Result<FullEpisode, Error> {
        Episodes::retrieve(&engine(), &episode)
    }
    fn trace(episode: String, first: u32) -> Result<Vec<TraceStep>, Error> {
        Episodes::trace(&engine(), &episode, first)
    }
    fn search(query: EpisodeQuery) -> Result<Vec<EpisodeHit>, Error> {
        Episodes::search(&engine(), &query)
    }
    fn similar_failures(failure: FailureSignature) -> Result<Vec<SimilarFailure>, Error> {
        Episodes::similar_failures(&engine(), &failure)
    }
    fn lifecycle_of(episode: String) -> Result<Lifecycle, Error> {
        Episodes::lifecycle_of(&engine(), &episode)
    }
    fn age(limit: u32, dry_run: bool) -> Result<Aging, Error> {
        Episodes::age(&engine(), limit, dry_run)
    }
    fn restore(episode: String) -> Result<Lifecycle, Error> {
        Episodes::restore(&engine(), &episode)
    }
    fn soft_delete(episode: String, reason: String) -> Result<Lifecycle, Error> {
        Episodes::soft_delete(&engine(), &episode, &reason)
    }
    fn undelete(episode: String) -> Result<Lifecycle, Error> {
        Episodes::undelete(&engine(), &episode)
    }
    fn purge(retention_days: Option<u32>, dry_run: bool) -> Result<Vec<String>, Error> {
        Episodes::purge(&engine(), retention_days, dry_run)
    }
    fn purge_one(episode: String, with_lessons: bool) -> Result<Vec<String>, Error> {
        Episodes::purge_one(&engine(), &episode, with_lessons)
    }
    fn keep_artifact(
        name: String,
        media_type: String,
        content: Vec<u8>,
    ) -> Result<Artifact, Error> {
        Episodes::keep_artifact(&engine(), &name, &media_type, &content)
    }
    fn artifact_content(hash: String) -> Result<Vec<u8>, Error> {
        Episodes::artifact_content(&engine(), &hash)
    }
    fn learn(episode: NewEpisode, insights: Vec<String>) -> Result<LearningSummary, Error> {
        Episodes::learn(&engine(), &episode, &insights)
    }
}

impl exports::lessons::Guest for Component {
    fn propose(lesson: LessonCandidate) -> Result<Lesson, Error> {
        Lessons::propose(&engine(), &lesson)
    }
    fn distil(episode: String) -> Result<Vec<Lesson>, Error> {
        Lessons::distil(&engine(), &episode)
    }
    fn hand_in(episode: String, candidates: String) -> Result<Vec<Lesson>, Error> {
        Lessons::hand_in(&engine(), &episode, &candidates)
    }
    fn mine(episode: String) -> Result<Vec<Lesson>, Error> {
        Lessons::mine(&engine(), &episode)
    }
    fn revise(lesson: String, rule_text: String, reason: String) -> Result<Lesson, Error> {
        Lessons::revise(&engine(), &lesson, &rule_text, &reason)
    }
    fn activations(filter: ActivationFilter) -> Result<Vec<Activation>, Error> {
        Lessons::activations(&engine(), &filter)
    }
    fn explain(lesson: String) -> Result<Explanation, Error> {
        Lessons::explain(&engine(), &lesson)
    }
    fn find(filter: LessonFilter) -> Result<Vec<Lesson>, Error> {
        Lessons::find(&engine(), &filter)
    }
    fn get(lesson: String) -> Result<Lesson, Error> {
        Lessons::get(&engine(), &lesson)
    }
    fn set_status(lesson: String, status: LessonStatus, reason: String) -> Result<Lesson, Error> {
        Lessons::set_status(&engine(), &lesson, status, &reason)
    }
}

impl exports::recall::Guest for Component {
    fn on_error(failure: FailureContext) -> Result<Vec<Hint>, Error> {
        Recall::on_error(&engine(), &failure)
    }
    fn for_task(task: TaskContext) -> Result<Vec<Hint>, Error> {
        Recall::for_task(&engine(), &task)
    }
    fn context(request: ContextRequest) -> Result<TaskBundle, Error> {
        Recall::context(&engine(), &request)
    }
}

impl exports::upkeep::Guest for Component {
    fn status() -> Result<MemoryStatus, Error> {
        Upkeep::status(&engine())
    }
    fn verify() -> Result<Vec<Finding>, Error> {
        Upkeep::verify(&engine())
    }
    fn report() -> Result<Health, Error> {
        Upkeep::report(&engine())
    }
    fn prune(before: Timestamp, dry_run: bool) -> Result<Pruned, Error> {
        Upkeep::prune(&engine(), before, dry_run)
    }
    fn consolidate(request: ConsolidationRequest) -> Result<Consolidation, Error> {
        Upkeep::consolidate(&engine(), &request)
    }
    fn consolidations(limit: u32) -> Result<Vec<Consolidation>, Error> {
        Upkeep::consolidations(&engine(), limit)
    }
    fn undo_consolidation(consolidation: String, after: String) -> Result<Consolidation, Error> {
        Upkeep::undo_consolidation(&engine(), &consolidation, &after)
    }
    fn reindex(after: String) -> Result<Reindexing, Error> {
        Upkeep::reindex(&engine(), &after)
    }
    fn take_inventory() -> Result<Inventory, Error> {
        Upkeep::take_inventory(&engine())
    }
    fn metrics_of_days(days: Option<u32>) -> Result<Metrics, Error> {
        Upkeep::metrics_of_days(&engine(), days)
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
    fn categorize(details: String) -> String {
        Failures::categorize(&engine(), &details)
    }
    fn patterns(filter: PatternFilter) -> Result<Vec<FailurePattern>, Error> {
        Failures::patterns(&engine(), &filter)
    }
    fn check_warnings(query: WarningQuery) -> Result<Vec<FailureWarning>, Error> {
        Failures::check_warnings(&engine(), &query)
    }
}

impl exports::patterns::Guest for Component {
    fn add(pattern: NewPattern) -> Result<Pattern, Error> {
        Patterns::add(&engine(), &pattern)
    }
    fn get(pattern: String) -> Result<Pattern, Error> {
        Patterns::get(&engine(), &pattern)
    }
    fn find(
        kind: Option<LessonKind>,
        status: Option<LessonStatus>,
        limit: u32,
    ) -> Result<Vec<Pattern>, Error> {
        Patterns::find(&engine(), kind, status, limit)
    }
    fn find_applicable(task: TaskFeatures) -> Result<Vec<ApplicablePattern>, Error> {
        Patterns::find_applicable(&engine(), &task)
    }
    fn update(pattern: String, update: PatternUpdate) -> Result<Pattern, Error> {
        Patterns::update(&engine(), &pattern, &update)
    }
    fn history(pattern: String) -> Result<Vec<PatternVersion>, Error> {
        Patterns::history(&engine(), &pattern)
    }
    fn record_application(
        pattern: String,
        episode: String,
        outcome: Outcome,
    ) -> Result<Pattern, Error> {
        Patterns::record_application(&engine(), &pattern, &episode, outcome)
    }
    fn gate() -> Result<ValidationGate, Error> {
        Patterns::gate(&engine())
    }
    fn set_gate(gate: ValidationGate) -> Result<ValidationGate, Error> {
        Patterns::set_gate(&engine(), &gate)
    }
    fn validate(pattern: String) -> Result<Validation, Error> {
        Patterns::validate(&engine(), &pattern)
    }
    fn validate_all(after: String, limit: u32, dry_run: bool) -> Result<Vec<Validation>, Error> {
        Patterns::validate_all(&engine(), &after, limit, dry_run)
    }
    fn refine(pattern: String, update: PatternUpdate) -> Result<Pattern, Error> {
        Patterns::refine(&engine(), &pattern, &update)
    }
    fn deprecate(pattern: String, reason: String, superseded_by: String) -> Result<Pattern, Error> {
        Patterns::deprecate(&engine(), &pattern, &reason, &superseded_by)
    }
    fn similar(pattern: String, least: f64) -> Result<Vec<SimilarPattern>, Error> {
        Patterns::similar(&engine(), &pattern, least)
    }
    fn merge(patterns: Vec<String>, reason: String) -> Result<Pattern, Error> {
        Patterns::merge(&engine(), &patterns, &reason)
    }
    fn prune(dry_run: bool) -> Result<Vec<Validation>, Error> {
        Patterns::prune(&engine(), dry_run)
    }
}

impl exports::skills::Guest for Component {
    fn put(slug: String, markdown: String) -> Result<Skill, Error> {
        Skills::put(&engine(), &slug, &markdown)
    }
    fn get(slug: String) -> Result<Skill, Error> {
        Skills::get(&engine(), &slug)
    }
    fn history(slug: String) -> Result<Vec<Skill>, Error> {
        Skills::history(&engine(), &slug)
    }
    fn all() -> Result<Vec<Skill>, Error> {
        Skills::all(&engine())
    }
    fn find(task: String, limit: u32) -> Result<Vec<SkillHit>, Error> {
        Skills::find(&engine(), &task, limit)
    }
    fn retire(slug: String, reason: String) -> Result<Skill, Error> {
        Skills::retire(&engine(), &slug, &reason)
    }
    fn make_of_pattern(pattern: String, slug: String) -> Result<Skill, Error> {
        Skills::make_of_pattern(&engine(), &pattern, &slug)
    }
}

impl exports::links::Guest for Component {
    fn relate(link: Link) -> Result<Link, Error> {
        Links::relate(&engine(), &link)
    }
    fn unrelate(link: Link) -> Result<(), Error> {
        Links::unrelate(&engine(), &link)
    }
    fn of_memory(id: String) -> Result<Vec<Link>, Error> {
        Links::of_memory(&engine(), &id)
    }
    fn around(walk: Walk) -> Result<Neighbourhood, Error> {
        Links::around(&engine(), &walk)
    }
    fn contradictions(limit: u32) -> Result<Vec<Link>, Error> {
        Links::contradictions(&engine(), limit)
    }
}

impl exports::working::Guest for Component {
    fn init(run: String, context: SystemContext) -> Result<WorkingSize, Error> {
        Working::init(&engine(), &run, &context)
    }
    fn load_task(run: String, task: ParsedTask) -> Result<WorkingSize, Error> {
        Working::load_task(&engine(), &run, &task)
    }
    fn set(run: String, variable: Variable) -> Result<WorkingSize, Error> {
        Working::set(&engine(), &run, &variable)
    }
    fn get(run: String, key: String, scope: VariableScope) -> Result<FoundVariable, Error> {
        Working::get(&engine(), &run, &key, scope)
    }
    fn push_state(run: String, state: ExecutionState) -> Result<WorkingSize, Error> {
        Working::push_state(&engine(), &run, &state)
    }
    fn add_intermediate(run: String, intermediate: Intermediate) -> Result<WorkingSize, Error> {
        Working::add_intermediate(&engine(), &run, &intermediate)
    }
    fn retrieve(run: String, query: EpisodeQuery) -> Result<Vec<WorkingItem>, Error> {
        Working::retrieve(&engine(), &run, &query)
    }
    fn fetch(run: String, item: String) -> Result<String, Error> {
        Working::fetch(&engine(), &run, &item)
    }
    fn prune(run: String) -> Result<WorkingSize, Error> {
        Working::prune(&engine(), &run)
    }
    fn take_snapshot(run: String, label: String) -> Result<Snapshot, Error> {
        Working::take_snapshot(&engine(), &run, &label)
    }
    fn rollback(run: String, snapshot: String) -> Result<WorkingSize, Error> {
        Working::rollback(&engine(), &run, &snapshot)
    }
    fn snapshots(run: String) -> Result<Vec<Snapshot>, Error> {
        Working::snapshots(&engine(), &run)
    }
    fn view(run: String) -> Result<WorkingMemory, Error> {
        Working::view(&engine(), &run)
    }
    fn render(run: String, rendering: Rendering) -> Result<Rendered, Error> {
        Working::render(&engine(), &run, &rendering)
    }
    fn continuity(run: String) -> Result<String, Error> {
        Working::continuity(&engine(), &run)
    }
    fn clear(run: String) -> Result<WorkingMetadata, Error> {
        Working::clear(&engine(), &run)
    }
    fn metadata(run: String) -> Result<WorkingMetadata, Error> {
        Working::metadata(&engine(), &run)
    }
}

impl exports::coordination::Guest for Component {
    fn check_in(checkpoint: Checkpoint) -> Result<Ledger, Error> {
        Coordination::check_in(&engine(), &checkpoint)
    }
    fn ledger_of(agent_id: String) -> Result<Ledger, Error> {
        Coordination::ledger_of(&engine(), &agent_id)
    }
    fn ledgers(limit: u32) -> Result<Vec<Ledger>, Error> {
        Coordination::ledgers(&engine(), limit)
    }
    fn hand_over(handoff: NewHandoff) -> Result<Handoff, Error> {
        Coordination::hand_over(&engine(), &handoff)
    }
    fn handoff_of(handoff: String) -> Result<Handoff, Error> {
        Coordination::handoff_of(&engine(), &handoff)
    }
    fn handoffs(filter: HandoffFilter) -> Result<Vec<Handoff>, Error> {
        Coordination::handoffs(&engine(), &filter)
    }
    fn take_up(handoff: String, agent_id: String) -> Result<Handoff, Error> {
        Coordination::take_up(&engine(), &handoff, &agent_id)
    }
}

impl exports::experience::Guest for Component {
    fn search(query: ExperienceQuery) -> Result<Vec<ExperienceHit>, Error> {
        Experience::search(&engine(), &query)
    }
    fn synthesize(task: String, entries: Vec<String>) -> Result<Synthesis, Error> {
        Experience::synthesize(&engine(), &task, &entries)
    }
    fn evolve(experience: NewExperience) -> Result<Evolution, Error> {
        Experience::evolve(&engine(), &experience)
    }
    fn recent_window() -> Result<Vec<ExperienceEntry>, Error> {
        Experience::recent_window(&engine())
    }
    fn entries(memory_type: Option<MemoryType>, limit: u32) -> Result<Vec<ExperienceEntry>, Error> {
        Experience::entries(&engine(), memory_type, limit)
    }
    fn get(entry: String) -> Result<ExperienceEntry, Error> {
        Experience::get(&engine(), &entry)
    }
    fn archived(limit: u32) -> Result<Vec<ExperienceEntry>, Error> {
        Experience::archived(&engine(), limit)
    }
    fn restore(entry: String) -> Result<Evolution, Error> {
        Experience::restore(&engine(), &entry)
    }
    fn similarity_of_tasks() -> Result<SimilarityMetrics, Error> {
        Experience::similarity_of_tasks(&engine())
    }
    fn stats() -> Result<ExperienceStats, Error> {
        Experience::stats(&engine())
    }
    fn apply_edits(edits: Vec<MemoryEdit>) -> Result<EditReport, Error> {
        Experience::apply_edits(&engine(), &edits)
    }
    fn prune() -> Result<Vec<String>, Error> {
        Experience::prune(&engine())
    }
    fn settings() -> Result<ExperienceSettings, Error> {
        Experience::settings(&engine())
    }
    fn configure(settings: ExperienceSettings) -> Result<ExperienceSettings, Error> {
        Experience::configure(&engine(), &settings)
    }
    fn re_embed(limit: u32) -> Result<ReEmbedding, Error> {
        Experience::re_embed(&engine(), limit)
    }
    fn remem(request: RememRequest) -> Result<RememResult, Error> {
        Experience::remem(&engine(), &request)
    }
}

impl exports::exchange::Guest for Component {
    fn export_tree(request: ExportRequest) -> Result<TreePiece, Error> {
        Exchange::export_tree(&engine(), &request)
    }
    fn import_tree(files: Vec<TreeFile>, check_only: bool) -> Result<TreeImport, Error> {
        Exchange::import_tree(&engine(), &files, check_only)
    }
    fn export_lines(kind: LineKind, request: ExportRequest) -> Result<Exported, Error> {
        Exchange::export_lines(&engine(), kind, &request)
    }
    fn import_lines(kind: LineKind, request: ImportRequest) -> Result<Imported, Error> {
        Exchange::import_lines(&engine(), kind, &request)
    }
}
