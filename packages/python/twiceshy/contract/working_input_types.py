"""`twiceshy:memory/working-input-types`: generated from the contract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .._codec import Json


VariableScope = Literal["global", "task-scope", "execution-scope", "intermediate-values", "metadata"]
"""The scope of a variable.

* `global`: Throughout the run.
* `task-scope`: From the analysis of the goal, throughout the run.
* `execution-scope`: During the subtask in which it was set.
* `intermediate-values`: Until no later subtask needs it.
* `metadata`: Statistics of the run. Kept when working memory is cleared.
"""


VariableType = Literal["task", "intermediate", "accumulator", "control-flow", "metadata"]
"""What a variable is for.

* `task`: From the analysis of the goal.
* `intermediate`: The result of a subtask.
* `accumulator`: Collected over several subtasks.
* `control-flow`: Counters of loops and retries.
* `metadata`: Statistics.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A named value."""

    key: str
    """Its name. 1 to 128 bytes."""

    value: Json = ""
    """Its value."""

    scope: VariableScope
    """Its scope."""

    kind: VariableType | None = None
    """What it is for. Default: by its scope."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """The budgets of the sections, in tokens."""

    system_context: int
    """Tokens for the system context."""

    task_context: int
    """Tokens for the task context."""

    execution_state: int
    """Tokens for the execution state."""

    intermediate_results: int
    """Tokens for the intermediate results."""

    retrieved_context: int
    """Tokens for the retrieved context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemContext:
    """What an agent is and may do."""

    capabilities: Sequence[str] = ()
    """What it can do."""

    tools: Sequence[str] = ()
    """The tools it has."""

    configuration: Json = ""
    """Its configuration."""

    safety_bounds: Sequence[str] = ()
    """What it must not do."""

    budgets: Budgets | None = None
    """The budgets. Default: 2,000, 5,000, 3,000, 8,000 and 2,000 tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedTask:
    """A task as the agent understands it."""

    description: str | None = None
    """The task in words. Default: the task of the run."""

    goals: Sequence[str] = ()
    """Its goals. Empty: found in the text."""

    constraints: Sequence[str] = ()
    """Its constraints."""

    success_criteria: Sequence[str] = ()
    """The criteria of success."""

    plan: Sequence[str] = ()
    """The plan."""

    variables: Sequence[Variable] = ()
    """Task variables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedSubtask:
    """A subtask that failed."""

    subtask: str
    """The subtask."""

    error: str
    """Its error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionState:
    """The state of the work."""

    phase: str
    """The phase, such as `analysis`, `planning` or `execution`."""

    current_subtask: str | None = None
    """The current subtask, if any."""

    progress: float | None = None
    """The progress from 0 to 1, if known."""

    completed: Sequence[str] = ()
    """Subtasks that are done."""

    in_progress: Sequence[str] = ()
    """Subtasks that have begun."""

    failed: Sequence[FailedSubtask] = ()
    """Subtasks that failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intermediate:
    """The output of a subtask."""

    subtask: str
    """The subtask. 1 to 128 bytes."""

    output: Json = ""
    """Its output."""

    kind: str
    """What kind of output it is, such as `library_choice`."""

    needed_by: Sequence[str] = ()
    """Later subtasks that need it. Until they are done it is not pruned."""

    trace: str | None = None
    """A detailed trace of how it was made, which is summarised when space is needed."""
