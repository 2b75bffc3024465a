"""An open run: a task being worked on, step by step."""

from __future__ import annotations

import shlex
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass
from os import PathLike, fspath
from types import TracebackType
from typing import TYPE_CHECKING

from ._codec import Json
from .contract.adapter import Failure, Feedback, Step
from .contract.hint_types import Briefing, BriefingRequest, Reaction
from .contract.memory import Ending, Episode, NewRun, Observed, Outcome, Referee

if TYPE_CHECKING:
    from .memory import Memory

current: ContextVar[Run | None] = ContextVar("twiceshy.run", default=None)
"""The run that is being worked on here, if there is one: what `with memory.run(…)` began."""

NOT_FOUND, TIMED_OUT = 127, 124
"""What a shell says of a command that is not there, and `timeout` of one that took too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResult:
    """What came of a command, and what the memory makes of it."""

    exit: int
    """Its exit code; negative if a signal ended it, 127 if it could not be started, 124 if it took too long."""

    stdout: str
    """What it wrote."""

    stderr: str
    """What it complained of."""

    reaction: Reaction
    """How the memory reacts. Its `text` is for the agent."""


class Run:
    """An open run. In a `with` statement it ends with the block: by its last step, or as a failure if an exception
    leaves the block, or as abandoned if somebody interrupts it.
    """

    def __init__(self, memory: Memory, run: NewRun) -> None:
        self._memory = memory
        self._new = run
        self._token: Token[Run | None] | None = None
        started = memory.runs.start(run)
        self.id = started.id
        """Its id."""
        self.task = started.task
        """The task in words."""
        self.domain = started.domain
        """The domain of its steps."""
        self.episode: Episode | None = None
        """The episode that it became, once it has ended."""

    def brief(self, limit: int | None = None, tokens: int | None = None) -> Briefing:
        """The lessons to know before the run, or between its steps. Its `text` is for the agent."""
        return self._memory.runs.brief(self.id, BriefingRequest(limit=limit, tokens=tokens))

    def observe(
        self,
        action: Json,
        observation: Json = "",
        *,
        before: Json = "",
        expectations: Json = "",
        adapter: str | None = None,
        feedback: Feedback | None = None,
    ) -> Reaction:
        """Observes one step, judged by the adapter of the run's domain, or by the given `feedback`. With both an
        `adapter` and `feedback`, the feedback is taken only if the adapter fails.
        """
        step = Step(action=action, observation=observation, before=before)
        if feedback is not None and adapter is None:
            return self._memory.runs.observe(self.id, Observed(step=step, feedback=feedback))
        judged = self._memory.adapters.observe(self.id, step, expectations, adapter, feedback)
        return judged.reaction

    def worked(self, action: str, result: Json = "") -> Reaction:
        """Observes a step that worked: what was done, in one line, and what came of it."""
        return self.observe({"text": action}, _wrapped(result), feedback=Feedback(action_text=action))

    def failed(self, action: str, error: BaseException | str, reason: str = "") -> Reaction:
        """Observes a step that failed: what was done, in one line, and the error. What is known about the failure
        comes back as hints.
        """
        text = error if isinstance(error, str) else describe(error)
        if not reason:
            reason = "error" if isinstance(error, str) else type(error).__name__
        feedback = Feedback(action_text=action, hard_failure=Failure(reason=reason, evidence=text))
        return self.observe({"text": action}, {"error": text}, feedback=feedback)

    def command(
        self,
        command: str | Sequence[str | PathLike[str]],
        *,
        cwd: str | PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        stdin: str | None = None,
        timeout: float | None = None,
        expectations: Json = "",
    ) -> CommandResult:
        """Runs a command and observes it: words, or a line for the shell. Whatever becomes of it is a result, never an
        exception. The run must be of the domain `cli`.
        """
        words = command if isinstance(command, str) else [fspath(word) for word in command]
        line = words if isinstance(words, str) else shlex.join(words)
        began = time.monotonic()
        seen: dict[str, Json] = {}
        try:
            done = subprocess.run(
                words,
                shell=isinstance(words, str),
                cwd=cwd,
                env=env,
                input=None if stdin is None else stdin.encode(),
                stdin=subprocess.DEVNULL if stdin is None else None,
                capture_output=True,
                timeout=timeout,
            )
            exit_code, stdout, stderr = done.returncode, _text(done.stdout), _text(done.stderr)
        except OSError as error:
            exit_code, stdout, stderr = NOT_FOUND, "", f"{line}: {error.strerror or error}"
            seen["start-error"] = error.strerror or str(error)
        except subprocess.TimeoutExpired as error:
            stdout, stderr = _text(error.stdout), _text(error.stderr)
            exit_code, stderr = TIMED_OUT, f"{stderr}\ntimed out after {timeout} s".lstrip()
        if exit_code < 0:
            seen["signal"] = -exit_code
        elif "start-error" not in seen:
            seen["exit"] = exit_code
        room = self._memory.capture_bytes
        seen |= {"stdout": _cut(stdout, room), "stderr": _cut(stderr, room)}
        seen["duration-ms"] = int((time.monotonic() - began) * 1000)
        failure = Failure(reason=f"exit {exit_code}", evidence=_cut(stderr or stdout, room)) if exit_code else None
        # Should the adapter fail, the exit code is judged alone.
        judged = self._memory.adapters.observe(
            self.id,
            Step(action={"command": words}, observation=seen),
            expectations,
            feedback=Feedback(action_text=line[:1000], hard_failure=failure),
        )
        return CommandResult(exit=exit_code, stdout=stdout, stderr=stderr, reaction=judged.reaction)

    def finish(
        self, outcome: Outcome | None = None, score: float | None = None, referee: Referee | None = None
    ) -> Episode:
        """Ends the run, which takes no more steps. Without an `outcome`, its last step says how it went. Gives the
        episode again if the run has ended.
        """
        if self.episode is None:
            ending = Ending(outcome=outcome, score=score, referee=referee)
            self.episode = self._memory.runs.finish(self.id, ending)
        return self.episode

    def __enter__(self) -> Run:
        self._token = current.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            current.reset(self._token)
        self.finish(ending_of(error))


def ending_of(error: BaseException | None) -> Outcome | None:
    """How a run ends that an exception leaves."""
    if error is None:
        return None
    return "failure" if isinstance(error, Exception) else "abandoned"


def describe(error: BaseException) -> str:
    """An exception as it ends a traceback: `ValueError: what is wrong`."""
    text = str(error)
    name = type(error).__name__
    return f"{name}: {text}" if text else name


def _wrapped(result: Json) -> Json:
    # A text would be taken for JSON.
    return {"result": result} if isinstance(result, str) and result else result


def _text(output: bytes | None) -> str:
    return (output or b"").decode("utf-8", "replace")


def _cut(text: str, room: int) -> str:
    """A text without its middle, if it is long."""
    if len(text) <= room:
        return text
    half = room // 2
    return f"{text[:half]}\n[…]\n{text[-half:]}"
