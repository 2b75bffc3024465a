"""Steps of agents that others built: what their tools did, told to the memory. Trouble of the memory is logged, and never
reaches the agent."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from .contract.adapter import Failure, Feedback, Step
from .contract.memory import Ending, Observed, Outcome
from .errors import TwiceshyError
from .memory import Memory
from .run import describe

logger = logging.getLogger("twiceshy")


class ToolSteps:
    """The runs of an agent and the calls of its tools, by their ids."""

    def __init__(self, memory: Memory, domain: str) -> None:
        self._memory = memory
        self._domain = domain

    def start(self, task: str, agent: str | None = None) -> str | None:
        """Starts a run; gives its id."""
        try:
            return self._memory.run(task, self._domain, agent=agent).id
        except TwiceshyError as trouble:
            logger.warning("not remembered: %s", trouble)
            return None

    def note(self, run: str | None, tool: str, arguments: Any, error: BaseException | str | None = None) -> str:
        """Observes a call of a tool; gives what the agent should read, which is empty if nothing is known."""
        if run is None:
            return ""
        action = call_text(tool, arguments)
        text = "" if error is None else error if isinstance(error, str) else describe(error)
        reason = "error" if isinstance(error, str) else type(error).__name__
        failure = None if error is None else Failure(reason=reason, evidence=text)
        observed = Observed(
            step=Step(action={"tool": tool, "arguments": arguments}, observation={"error": text} if text else ""),
            feedback=Feedback(action_text=action, hard_failure=failure),
        )
        try:
            return self._memory.runs.observe(run, observed).text
        except TwiceshyError as trouble:
            logger.warning("not remembered: %s", trouble)
            return ""

    def finish(self, run: str | None, outcome: Outcome | None = None) -> None:
        """Ends a run: by its last step, unless the outcome is known."""
        if run is None:
            return
        try:
            self._memory.runs.finish(run, Ending(outcome=outcome))
        except TwiceshyError as trouble:
            logger.warning("not remembered: %s", trouble)


def call_text(tool: str, arguments: Any) -> str:
    """A call of a tool in one line, as Python writes it."""
    if isinstance(arguments, Mapping):
        parts = [f"{name}={json.dumps(value, ensure_ascii=False, default=str)}" for name, value in arguments.items()]
    else:
        parts = [str(arguments)]
    return f"{tool}({', '.join(parts)})"[:4000]
