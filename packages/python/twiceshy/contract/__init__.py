"""The contract of the memory in Python: its nouns and its interfaces. Generated from the contract."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .activation_types import (
        Activation as Activation,
        ActivationFilter as ActivationFilter,
        ActivationOutcome as ActivationOutcome,
        EarlierActivations as EarlierActivations,
        Moment as Moment,
        Verdict as Verdict,
    )
    from .adapter import (
        Failure as Failure,
        Feedback as Feedback,
        Goal as Goal,
        Manifest as Manifest,
        PastStep as PastStep,
        Step as Step,
        Violation as Violation,
    )
    from .consolidation_types import (
        Consolidation as Consolidation,
        ConsolidationChange as ConsolidationChange,
        ConsolidationReport as ConsolidationReport,
        ConsolidationRequest as ConsolidationRequest,
        DayMetrics as DayMetrics,
        Inventory as Inventory,
        Metrics as Metrics,
        Stage as Stage,
    )
    from .content_types import (
        Guidance as Guidance,
        HeuristicContent as HeuristicContent,
        PatternContent as PatternContent,
        ProcedureContent as ProcedureContent,
        StrategyContent as StrategyContent,
        TemplateContent as TemplateContent,
    )
    from .context_types import (
        ContextItem as ContextItem,
        ContextRequest as ContextRequest,
        ContextWeights as ContextWeights,
        MemoryKind as MemoryKind,
        TaskBundle as TaskBundle,
        Work as Work,
    )
    from .coordination import (
        AsyncCoordination as AsyncCoordination,
        Coordination as Coordination,
    )
    from .coordination_types import (
        AgentContext as AgentContext,
        AgentState as AgentState,
        Checkpoint as Checkpoint,
        Handoff as Handoff,
        HandoffContext as HandoffContext,
        HandoffFilter as HandoffFilter,
        Ledger as Ledger,
        NewHandoff as NewHandoff,
    )
    from .decision_types import (
        Decision as Decision,
        DecisionAnswer as DecisionAnswer,
        DecisionCheck as DecisionCheck,
        DecisionFilter as DecisionFilter,
        DecisionMatch as DecisionMatch,
        DecisionPeriod as DecisionPeriod,
        DecisionQuery as DecisionQuery,
        DecisionQuestion as DecisionQuestion,
        DecisionStats as DecisionStats,
        DroppedHypothesis as DroppedHypothesis,
        FilteredHypotheses as FilteredHypotheses,
        HypothesisList as HypothesisList,
        ModuleDecisions as ModuleDecisions,
        NewDecision as NewDecision,
        RejectionPattern as RejectionPattern,
    )
    from .decisions import (
        AsyncDecisions as AsyncDecisions,
        Decisions as Decisions,
    )
    from .episode_search_types import (
        EpisodeHit as EpisodeHit,
        EpisodeQuery as EpisodeQuery,
        FailureSignature as FailureSignature,
        RelevanceParts as RelevanceParts,
        SimilarFailure as SimilarFailure,
    )
    from .episode_types import (
        Account as Account,
        Adaptation as Adaptation,
        Aging as Aging,
        ArchivalStatus as ArchivalStatus,
        Artifact as Artifact,
        Consolidated as Consolidated,
        Description as Description,
        EncounteredError as EncounteredError,
        Facet as Facet,
        FullEpisode as FullEpisode,
        LearningSummary as LearningSummary,
        Lifecycle as Lifecycle,
        Measure as Measure,
        NewEpisode as NewEpisode,
        TraceEntry as TraceEntry,
        Variation as Variation,
    )
    from .episodes import (
        AsyncEpisodes as AsyncEpisodes,
        Episodes as Episodes,
    )
    from .events import (
        AsyncEvents as AsyncEvents,
        Events as Events,
    )
    from .exchange import (
        AsyncExchange as AsyncExchange,
        Exchange as Exchange,
    )
    from .exchange_types import (
        ExportRequest as ExportRequest,
        Exported as Exported,
        ImportRequest as ImportRequest,
        Imported as Imported,
        LineKind as LineKind,
        TreeFile as TreeFile,
        TreeImport as TreeImport,
        TreePiece as TreePiece,
    )
    from .experience import (
        AsyncExperience as AsyncExperience,
        Experience as Experience,
    )
    from .experience_types import (
        Distribution as Distribution,
        EditAction as EditAction,
        EditReport as EditReport,
        Evolution as Evolution,
        ExperienceEntry as ExperienceEntry,
        ExperienceHit as ExperienceHit,
        ExperienceQuery as ExperienceQuery,
        ExperienceSettings as ExperienceSettings,
        ExperienceStats as ExperienceStats,
        FeedbackType as FeedbackType,
        MemoryEdit as MemoryEdit,
        MemoryType as MemoryType,
        Metadata as Metadata,
        NewExperience as NewExperience,
        ReEmbedding as ReEmbedding,
        SimilarityMetrics as SimilarityMetrics,
        StructuredFeedback as StructuredFeedback,
        Synthesis as Synthesis,
    )
    from .failure_types import (
        FailedAttempt as FailedAttempt,
        FailurePattern as FailurePattern,
        FailureWarning as FailureWarning,
        NewFailure as NewFailure,
        PatternFilter as PatternFilter,
        Severity as Severity,
        WarningQuery as WarningQuery,
    )
    from .failures import (
        AsyncFailures as AsyncFailures,
        Failures as Failures,
    )
    from .health_types import (
        Finding as Finding,
        Health as Health,
        LessonsByStatus as LessonsByStatus,
        MemoryStatus as MemoryStatus,
        Pruned as Pruned,
        RecurringFailure as RecurringFailure,
        Reindexing as Reindexing,
        TaskStability as TaskStability,
    )
    from .hint_types import (
        Briefing as Briefing,
        BriefingRequest as BriefingRequest,
        FailureContext as FailureContext,
        Hint as Hint,
        Lane as Lane,
        Reaction as Reaction,
        ScoreParts as ScoreParts,
        Submitted as Submitted,
        TaskContext as TaskContext,
    )
    from .lesson_types import (
        Explanation as Explanation,
        Lesson as Lesson,
        LessonCandidate as LessonCandidate,
        LessonFilter as LessonFilter,
        LessonKind as LessonKind,
        LessonStatus as LessonStatus,
        Origin as Origin,
        Scope as Scope,
        Source as Source,
        Trust as Trust,
        Usefulness as Usefulness,
    )
    from .lessons import (
        AsyncLessons as AsyncLessons,
        Lessons as Lessons,
    )
    from .link_types import (
        Link as Link,
        LinkedMemory as LinkedMemory,
        Neighbourhood as Neighbourhood,
        Relation as Relation,
        Walk as Walk,
    )
    from .links import (
        AsyncLinks as AsyncLinks,
        Links as Links,
    )
    from .memory import (
        Ending as Ending,
        Episode as Episode,
        EpisodeFilter as EpisodeFilter,
        Event as Event,
        EventFilter as EventFilter,
        Fingerprint as Fingerprint,
        NewRun as NewRun,
        Observed as Observed,
        Outcome as Outcome,
        Phase as Phase,
        Referee as Referee,
        Run as Run,
        Tally as Tally,
        TraceStep as TraceStep,
    )
    from .pattern_types import (
        Applicability as Applicability,
        ApplicablePattern as ApplicablePattern,
        Feature as Feature,
        FeatureTest as FeatureTest,
        NewPattern as NewPattern,
        Pattern as Pattern,
        PatternEvidence as PatternEvidence,
        PatternUpdate as PatternUpdate,
        PatternVersion as PatternVersion,
        RankParts as RankParts,
        Requirement as Requirement,
        SimilarPattern as SimilarPattern,
        TaskFeatures as TaskFeatures,
    )
    from .patterns import (
        AsyncPatterns as AsyncPatterns,
        Patterns as Patterns,
    )
    from .recall import (
        AsyncRecall as AsyncRecall,
        Recall as Recall,
    )
    from .remem_types import (
        RememAction as RememAction,
        RememRequest as RememRequest,
        RememResult as RememResult,
        RememStep as RememStep,
    )
    from .runs import (
        AsyncRuns as AsyncRuns,
        Runs as Runs,
    )
    from .skill_types import (
        ErrorFix as ErrorFix,
        Skill as Skill,
        SkillHit as SkillHit,
    )
    from .skills import (
        AsyncSkills as AsyncSkills,
        Skills as Skills,
    )
    from .upkeep import (
        AsyncUpkeep as AsyncUpkeep,
        Upkeep as Upkeep,
    )
    from .validation_types import (
        Validation as Validation,
        ValidationAnswer as ValidationAnswer,
        ValidationGate as ValidationGate,
    )
    from .working import (
        AsyncWorking as AsyncWorking,
        Working as Working,
    )
    from .working_input_types import (
        Budgets as Budgets,
        ExecutionState as ExecutionState,
        FailedSubtask as FailedSubtask,
        Intermediate as Intermediate,
        ParsedTask as ParsedTask,
        SystemContext as SystemContext,
        Variable as Variable,
        VariableScope as VariableScope,
        VariableType as VariableType,
    )
    from .working_types import (
        FoundVariable as FoundVariable,
        Rendered as Rendered,
        Rendering as Rendering,
        Section as Section,
        SectionSize as SectionSize,
        Snapshot as Snapshot,
        Temperature as Temperature,
        WorkingItem as WorkingItem,
        WorkingMemory as WorkingMemory,
        WorkingMetadata as WorkingMetadata,
        WorkingSize as WorkingSize,
    )

_MODULES = {
    "activation_types": "Activation ActivationFilter ActivationOutcome EarlierActivations Moment Verdict",
    "adapter": "Failure Feedback Goal Manifest PastStep Step Violation",
    "consolidation_types": "Consolidation ConsolidationChange ConsolidationReport ConsolidationRequest DayMetrics Inventory Metrics Stage",
    "content_types": "Guidance HeuristicContent PatternContent ProcedureContent StrategyContent TemplateContent",
    "context_types": "ContextItem ContextRequest ContextWeights MemoryKind TaskBundle Work",
    "coordination": "AsyncCoordination Coordination",
    "coordination_types": "AgentContext AgentState Checkpoint Handoff HandoffContext HandoffFilter Ledger NewHandoff",
    "decision_types": "Decision DecisionAnswer DecisionCheck DecisionFilter DecisionMatch DecisionPeriod DecisionQuery DecisionQuestion DecisionStats DroppedHypothesis FilteredHypotheses HypothesisList ModuleDecisions NewDecision RejectionPattern",
    "decisions": "AsyncDecisions Decisions",
    "episode_search_types": "EpisodeHit EpisodeQuery FailureSignature RelevanceParts SimilarFailure",
    "episode_types": "Account Adaptation Aging ArchivalStatus Artifact Consolidated Description EncounteredError Facet FullEpisode LearningSummary Lifecycle Measure NewEpisode TraceEntry Variation",
    "episodes": "AsyncEpisodes Episodes",
    "events": "AsyncEvents Events",
    "exchange": "AsyncExchange Exchange",
    "exchange_types": "ExportRequest Exported ImportRequest Imported LineKind TreeFile TreeImport TreePiece",
    "experience": "AsyncExperience Experience",
    "experience_types": "Distribution EditAction EditReport Evolution ExperienceEntry ExperienceHit ExperienceQuery ExperienceSettings ExperienceStats FeedbackType MemoryEdit MemoryType Metadata NewExperience ReEmbedding SimilarityMetrics StructuredFeedback Synthesis",
    "failure_types": "FailedAttempt FailurePattern FailureWarning NewFailure PatternFilter Severity WarningQuery",
    "failures": "AsyncFailures Failures",
    "health_types": "Finding Health LessonsByStatus MemoryStatus Pruned RecurringFailure Reindexing TaskStability",
    "hint_types": "Briefing BriefingRequest FailureContext Hint Lane Reaction ScoreParts Submitted TaskContext",
    "lesson_types": "Explanation Lesson LessonCandidate LessonFilter LessonKind LessonStatus Origin Scope Source Trust Usefulness",
    "lessons": "AsyncLessons Lessons",
    "link_types": "Link LinkedMemory Neighbourhood Relation Walk",
    "links": "AsyncLinks Links",
    "memory": "Ending Episode EpisodeFilter Event EventFilter Fingerprint NewRun Observed Outcome Phase Referee Run Tally TraceStep",
    "pattern_types": "Applicability ApplicablePattern Feature FeatureTest NewPattern Pattern PatternEvidence PatternUpdate PatternVersion RankParts Requirement SimilarPattern TaskFeatures",
    "patterns": "AsyncPatterns Patterns",
    "recall": "AsyncRecall Recall",
    "remem_types": "RememAction RememRequest RememResult RememStep",
    "runs": "AsyncRuns Runs",
    "skill_types": "ErrorFix Skill SkillHit",
    "skills": "AsyncSkills Skills",
    "upkeep": "AsyncUpkeep Upkeep",
    "validation_types": "Validation ValidationAnswer ValidationGate",
    "working": "AsyncWorking Working",
    "working_input_types": "Budgets ExecutionState FailedSubtask Intermediate ParsedTask SystemContext Variable VariableScope VariableType",
    "working_types": "FoundVariable Rendered Rendering Section SectionSize Snapshot Temperature WorkingItem WorkingMemory WorkingMetadata WorkingSize",
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = sorted(_PLACES)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
