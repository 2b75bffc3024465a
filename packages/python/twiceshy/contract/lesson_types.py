"""`twiceshy:memory/lesson-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .activation_types import Activation, EarlierActivations
from .link_types import Link
from .memory import Episode, TraceStep


LessonKind = Literal[
    "rule",
    "anti-pattern",
    "fact",
    "strategy",
    "decomposition",
    "sequence",
    "tool-selection",
    "failure",
    "recovery",
    "optimization",
    "domain",
    "skill",
]
"""What kind of knowledge a lesson is.

* `rule`: Do this instead of that.
* `anti-pattern`: Something that does not work, with no known fix.
* `fact`: A fact.
* `strategy`: A way to go about a kind of task.
* `decomposition`: How to divide a task into parts.
* `sequence`: An order of actions.
* `tool-selection`: Which tool to use.
* `failure`: How something fails.
* `recovery`: How to recover from a failure.
* `optimization`: How to do something better.
* `domain`: Knowledge about a domain.
* `skill`: A procedure in steps.
"""


Scope = Literal["task", "domain", "global"]
"""The tasks that a lesson is for.

* `task`: The task it was learned in.
* `domain`: All tasks of its domain.
* `global`: All domains.
"""


LessonStatus = Literal["candidate", "promoted", "under-review", "suppressed", "deprecated", "archived"]
"""The status of a lesson in its lifecycle.

* `candidate`: Proposed, not yet proven. Shown.
* `promoted`: Proven to help. Shown.
* `under-review`: In doubt. Not shown.
* `suppressed`: Found not to help, or to harm. Not shown.
* `deprecated`: No longer right. Not shown.
* `archived`: Kept for audit only. Not shown.
"""


Source = Literal["person", "agent", "model", "trace"]
"""Who proposed a lesson.

* `person`: A person.
* `agent`: The agent that did the task.
* `model`: A language model.
* `trace`: Nobody: it was mined from the steps of a run.
"""


Trust = Literal["claimed", "observed", "vouched"]
"""How far the sources of a lesson are trusted before its effect is measured.

* `claimed`: An agent or a model claims it.
* `observed`: It was seen in the steps of a run.
* `vouched`: A person vouches for it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a lesson comes from."""

    run: str
    """The run it was learned in. Empty if there is none."""

    steps: Sequence[int] = ()
    """The steps of that run that show it, ascending. At most 16."""

    source: Source
    """Who proposed it."""

    at: int
    """When it was proposed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonCandidate:
    """A lesson to propose. Only `rule_text` is required."""

    rule_text: str
    """The rule: what to do, if possible as `WRONG: … → CORRECT: …`. 1 to 1,000 characters."""

    trigger_fingerprints: Sequence[str] = ()
    """The fingerprints that trigger it. At most 32."""

    trigger_texts: Sequence[str] = ()
    """Error texts that trigger it: their fingerprints are added to the triggers. At most 32."""

    tags: Sequence[str] = ()
    """The kinds of failure it is for. Those of known triggers are added. At most 32."""

    scope_hint: Scope | None = None
    """The tasks it is for. Default: `domain`, or `global` if there is no domain."""

    kind: LessonKind | None = None
    """What kind of knowledge it is. Default: `rule`."""

    domain: str | None = None
    """The domain it was learned in."""

    task: str | None = None
    """The task it was learned in. Required for the scope `task`."""

    run: str | None = None
    """The run it was learned in."""

    steps: Sequence[int] = ()
    """The steps of that run that show it. At most 16."""

    source: Source | None = None
    """Who proposes it. Default: `agent`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usefulness:
    """The evidence on a lesson: what showing it did, compared with runs without it."""

    activations: int
    """How often it was shown."""

    shown_runs: int
    """In how many runs it was shown."""

    withheld_runs: int
    """From how many runs it was withheld for comparison."""

    helped: int
    """Runs in which it helped."""

    harmed: int
    """Runs in which it harmed."""

    judged: int
    """Runs in which it was shown and was relevant."""

    utility: float | None = None
    """The mean utility of the runs in which it was shown, from -1 to 1."""

    withheld_utility: float | None = None
    """The same for the runs from which it was withheld."""

    recurrence_drop: float | None = None
    """The share by which its failures became fewer, compared with runs without it."""

    regressions: int
    """Runs that went badly wrong while it was shown."""

    losses: int
    """How often a contradicting lesson did better."""

    last_shown_at: int | None = None
    """When it was last shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson: a unit of knowledge."""

    id: str
    """Its id. The same rule with the same triggers and scope is the same lesson."""

    rule_text: str
    """The rule: what to do."""

    kind: LessonKind
    """What kind of knowledge it is."""

    scope: Scope
    """The tasks it is for."""

    domain: str
    """The domain it was learned in. Empty if there is none."""

    task: str
    """The task it was learned in. Empty if there is none."""

    trigger_fingerprints: Sequence[str] = ()
    """The fingerprints that trigger it, sorted."""

    tags: Sequence[str] = ()
    """The kinds of failure it is for, sorted."""

    status: LessonStatus
    """Its status."""

    status_reason: str
    """Why it has this status."""

    reliability: float
    """How reliable it is, from 0 to 1. Begins at 0.5."""

    origins: Sequence[Origin] = ()
    """Its origins, oldest first. At most 64."""

    trust: Trust
    """How far its sources are trusted."""

    usefulness: Usefulness
    """Its evidence: what showing it did."""

    created_at: int
    """When it was first proposed."""

    updated_at: int
    """When it was last changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Everything that a lesson is based on."""

    lesson: Lesson
    """The lesson."""

    links: Sequence[Link] = ()
    """Its links to other lessons, in both directions."""

    activations: Sequence[Activation] = ()
    """Its newest activations. At most 50."""

    earlier: EarlierActivations | None = None
    """What its older activations add up to, if any were summed up."""

    episodes: Sequence[Episode] = ()
    """The episodes it was learned in or shown in, newest first. At most 50."""

    steps: Sequence[TraceStep] = ()
    """The steps it was learned from. At most 50."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonFilter:
    """Which lessons to list. Members that are left out do not restrict."""

    status: LessonStatus | None = None
    """Only lessons with this status."""

    fingerprint: str | None = None
    """Only lessons that this fingerprint triggers."""

    domain: str | None = None
    """Only lessons of this domain."""

    limit: int | None = None
    """At most this many. Default: 50. Maximum: 1,000."""
