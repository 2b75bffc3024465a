"""`twiceshy:adapter/types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass

from .._codec import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What the agent is working towards. The same for all steps of one run."""

    task: str
    """The task in words, as the agent was given it. May be empty."""

    domain: str
    """The domain the step belongs to, such as `cli`. Equal to `manifest.domain`."""

    expectations: Json = ""
    """What must hold after the step, as `manifest.expectations_schema` describes. Empty: nothing in particular."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One action of an agent, with what was observed before and after it."""

    before: Json = ""
    """The state before the action, as `manifest.observation_schema` describes. Empty if unknown."""

    action: Json = ""
    """The action, as `manifest.action_schema` describes."""

    observation: Json = ""
    """What was observed after the action, as `manifest.observation_schema` describes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a step failed."""

    reason: str
    """The kind of failure in a few words, such as `exit 2` or `collision`. At most 1 KiB."""

    evidence: str
    """The error text, verbatim: the fingerprint is computed from it. May be empty. At most 1 MiB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """A required condition that does not hold after the step."""

    condition: str
    """The condition in words, such as `artifact report.csv exists`. At most 4 KiB."""

    evidence: str
    """What was found instead. May be empty. At most 16 KiB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What an adapter says about one step: four channels, and the action as readable text."""

    action_text: str
    """The action in one line, as a person would write it: `ls -l "my file"`. At most 4 KiB."""

    hard_failure: Failure | None = None
    """The step failed: exception, non-zero exit, API error, safety violation."""

    constraint_failure: Sequence[Violation] = ()
    """Required conditions that do not hold: wrong output shape, missing artifact, broken invariant. At most 64."""

    progress_signal: float | None = None
    """How much closer the step came to the goal, from -1 (away from it) to 1 (reached). Never NaN."""

    efficiency_signal: float | None = None
    """How well steps, time and cost were spent, from 0 (wasted) to 1 (best known). Never NaN."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastStep:
    """An earlier step and the feedback on it."""

    step: Step
    """The step as it was assessed. Long observations may be shortened."""

    feedback: Feedback
    """The feedback on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """How an adapter describes itself."""

    name: str
    """The adapter's name: lowercase letters, digits and dashes, a letter first, at most 64."""

    version: str
    """The adapter's own version, as in semantic versioning. At most 64 bytes."""

    domain: str
    """The one domain whose steps it assesses. The same rules as for `name`."""

    summary: str
    """What it does, in one sentence. At most 1 KiB."""

    action_schema: Json = ""
    """JSON Schema of `step.action`. At most 256 KiB."""

    observation_schema: Json = ""
    """JSON Schema of `step.before` and `step.observation`. At most 256 KiB."""

    expectations_schema: Json = ""
    """JSON Schema of `goal.expectations`. At most 256 KiB."""
