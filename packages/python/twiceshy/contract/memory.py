"""`twiceshy:memory/types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .adapter import Feedback, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """A run to start: a task about to be worked on."""

    id: str | None = None
    """Its id: at most 64 letters, digits, dashes and underscores. Default: a new id."""

    task: str
    """The task in words. May be empty. At most 16 KiB."""

    domain: str
    """The domain of its steps, such as `cli`: at most 64 lowercase letters, digits and dashes."""

    hold_out: float | None = None
    """The hold-out: the share of runs, 0 to 0.5, from which a lesson is withheld so that its effect can be measured.
    Default: 0.1, and less the more is known about the lesson. 0 turns it off.
    """

    hints: int | None = None
    """How many hints to return after a failed step. Default: 3. Maximum: 32."""

    session: str | None = None
    """The session it belongs to. At most 128 bytes."""

    agent: str | None = None
    """Who works on it. At most 128 bytes."""

    task_type: str | None = None
    """What kind of task it is, such as `refactoring`. At most 64 bytes."""

    tags: Sequence[str] = ()
    """Tags of its episode. At most 32 of 64 bytes each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run: a task being worked on."""

    id: str
    """Its id."""

    task: str
    """The task in words."""

    domain: str
    """The domain of its steps."""

    started_at: int
    """When it started."""

    steps: int
    """How many steps it has so far."""

    failures: int
    """How many of them failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A step and the feedback on it, from an adapter or from the host's own evaluator."""

    step: Step
    """The step."""

    feedback: Feedback
    """The feedback on it. The step failed if `hard_failure` is there, if `constraint_failure` has an entry, or if
    `progress_signal` is 0 or less.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStep:
    """A step as it is stored."""

    run: str
    """The run it belongs to."""

    index: int
    """Its index in the run, from 0."""

    domain: str
    """The domain of the run."""

    at: int
    """When it was observed."""

    step: Step
    """The step. Long payloads are shortened in the middle."""

    feedback: Feedback
    """The feedback on it."""

    event_id: str | None = None
    """The id of its event, if it failed."""

    fingerprint: str | None = None
    """The fingerprint of its failure, if it failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """A fingerprint: a failure without its volatile parts, such as paths, numbers and names."""

    id: str
    """Its id: the same failure has the same id on every machine and day."""

    template: str
    """The readable form, with typed holes such as `<path>` in place of volatile parts."""

    tags: Sequence[str] = ()
    """The kinds of failure it is, in words that fit any domain, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event: a failed step."""

    id: str
    """Its id."""

    run: str
    """The run it happened in."""

    step: int
    """The index of the step in the run, from 0."""

    at: int
    """When it happened."""

    domain: str
    """The domain of the step."""

    fingerprint: str
    """The id of its fingerprint."""

    template: str
    """The readable form of its fingerprint."""

    tags: Sequence[str] = ()
    """The kinds of failure it is, sorted. `no_progress` means that the same failure happened before."""

    action_text: str
    """The action, in one line."""

    reason: str
    """Why it counts as failed: the hard failure's reason, or the conditions that do not hold."""

    evidence: str
    """The error text, shortened in the middle."""

    hard_failure: bool
    """Whether the step failed on the hard-failure channel."""

    constraint_failure: bool
    """Whether the step failed on the constraint-failure channel."""

    progress_signal: float | None = None
    """The progress signal of the step."""

    progress_delta: float | None = None
    """The difference from the previous progress signal in the run."""

    efficiency_signal: float | None = None
    """The efficiency signal of the step."""

    efficiency_delta: float | None = None
    """The difference from the previous efficiency signal in the run."""

    occurrence: int
    """How often this fingerprint was seen in this memory so far, this event included."""

    occurrence_in_run: int
    """How often it was seen in this run so far, this event included."""

    runs: int
    """In how many runs it was seen so far, this run included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilter:
    """Which events to list. Members that are left out do not restrict."""

    fingerprint: str | None = None
    """Only events with this fingerprint."""

    run: str | None = None
    """Only events of this run."""

    domain: str | None = None
    """Only events of this domain."""

    tag: str | None = None
    """Only events with this tag."""

    limit: int | None = None
    """At most this many. Default: 50. Maximum: 1,000."""


Outcome = Literal["success", "failure", "partial", "abandoned"]
"""How a run ended.

* `success`: The goal was reached.
* `failure`: The goal was not reached.
* `partial`: The goal was reached in part.
* `abandoned`: The run was given up; nobody can tell.
"""


Referee = Literal["deterministic", "model", "signals"]
"""Who scored a run, independently of who worked on it.

* `deterministic`: An evaluator that gives the same score for the same result, such as a command or expectations.
* `model`: A language model.
* `signals`: The feedback on the run's own steps.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How to end a run."""

    outcome: Outcome | None = None
    """The outcome. Default: `success` or `failure` by the last step, or `abandoned` if there are no steps."""

    score: float | None = None
    """The score of a referee, from 0 to 1. Default: the score of the model, if there is one and the run has a task;
    otherwise a score computed from the feedback on the steps.
    """

    referee: Referee | None = None
    """Who gave the score. Default: `deterministic`, if there is a score."""


Phase = Literal["active", "mature", "aged", "archived", "deleted"]
"""The phase of an episode by its age.

* `active`: Up to 30 days old. Fully searchable, preferred.
* `mature`: Up to 180 days old. Fully searchable, may be consolidated.
* `aged`: Up to 365 days old. Its steps are in cold storage; it is found only if it is highly relevant.
* `archived`: Older. Its steps and its account are in cold storage; it is found only on request.
* `deleted`: Deleted, but recoverable until `purge` removes it for good.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """An episode: a run that has ended. Immutable."""

    id: str
    """Its id, which is the id of the run."""

    task: str
    """The task in words."""

    domain: str
    """The domain of its steps."""

    started_at: int
    """When the run started."""

    ended_at: int
    """When it ended."""

    outcome: Outcome
    """How it ended."""

    score: float | None = None
    """The score from 0 to 1. Missing for a run without steps."""

    referee: Referee
    """Who gave the score."""

    steps: int
    """How many steps it took."""

    failures: int
    """How many of them failed."""

    fingerprints: Sequence[str] = ()
    """The fingerprints of its failures, each once, in the order of their first appearance. At most 256."""

    lessons: Sequence[str] = ()
    """The lessons that were shown in it, each once. At most 256."""

    session: str
    """The session it belongs to. Empty if unknown."""

    agent: str
    """Who worked on it. Empty if unknown."""

    task_type: str
    """What kind of task it is. Empty if unknown."""

    tools_used: Sequence[str] = ()
    """The tools that were used. At most 64."""

    strategies_applied: Sequence[str] = ()
    """The strategies that were applied. At most 64."""

    tags: Sequence[str] = ()
    """Its tags, sorted. At most 32."""

    summary: str
    """A summary in a few lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeFilter:
    """Which episodes to list. Members that are left out do not restrict."""

    domain: str | None = None
    """Only episodes of this domain."""

    outcome: Outcome | None = None
    """Only episodes with this outcome."""

    fingerprint: str | None = None
    """Only episodes that had this failure, by its fingerprint."""

    task_type: str | None = None
    """Only episodes with this type of task."""

    session: str | None = None
    """Only episodes of this session."""

    agent: str | None = None
    """Only episodes of this agent."""

    tag: str | None = None
    """Only episodes with this tag."""

    tool: str | None = None
    """Only episodes in which this tool was used."""

    strategy: str | None = None
    """Only episodes in which this strategy was applied."""

    since: int | None = None
    """Only episodes that ended at this time or later."""

    until: int | None = None
    """Only episodes that ended at this time or earlier."""

    phase: Phase | None = None
    """Only episodes in this phase."""

    limit: int | None = None
    """At most this many. Default: 50. Maximum: 1,000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How often something occurs."""

    name: str
    """What is counted."""

    count: int
    """How often."""
