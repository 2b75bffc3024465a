"""The memory: twiceshy as a process that answers line by line.

Owns how a run and its steps are handed to `twiceshy call --lines`, and what comes back. `Remembering` keeps what it is
told; `Forgetting` has every step judged by the same adapter and keeps nothing: an agent without a memory.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

Json = dict[str, Any]

ADAPTER = "navigation"

# What the adapter is told of any MiniGrid: no diagonals.
EXPECTATIONS = json.dumps({"grid": True})

# Earlier steps that an adapter is given.
RECENT = 16


@dataclass(frozen=True)
class Answer:
    """What is made of a step: whether it failed, and the rules that may help."""

    failed: bool
    rules: list[str] = field(default_factory=list)


class Memory(Protocol):
    """Where an agent's steps go, and what it knows before and during a run."""

    def start(self, task: str) -> list[str]:
        """Begins a run; the rules to know before it."""

    def observe(self, step: Json) -> Answer:
        """Takes in a step."""

    def finish(self, reached: bool) -> None:
        """Ends the run."""


class Program:
    """A `twiceshy call --lines` process."""

    def __init__(self, executable: str, memory: Path) -> None:
        command = [executable, "--memory", str(memory), "call", "--lines"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def call(self, method: str, **arguments: object) -> Any:
        """Calls a function of the memory or of its adapters."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps({"method": method, "args": arguments}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{method}: the program has ended with {self._process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["ok"]

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


class Remembering:
    """The memory as it is meant to be used.

    Its runs are numbered after a name: which lessons are withheld from a run depends on its id, and the same
    experiment has the same figures.
    """

    def __init__(self, program: Program, name: str) -> None:
        self._program = program
        self._name = name
        self._number = 0
        self._run = ""

    def start(self, task: str) -> list[str]:
        self._number += 1
        run = {"id": f"{self._name}-{self._number}", "task": task, "domain": ADAPTER, "hints": 8, "tags": []}
        self._run = self._program.call("runs.start", run=run)["id"]
        request = {"limit": 32, "tokens": 2000}
        return _rules(self._program.call("runs.brief", run=self._run, request=request))

    def observe(self, step: Json) -> Answer:
        told = self._program.call(
            "adapters.observe", adapter=ADAPTER, run=self._run, expectations=EXPECTATIONS, step=_written(step)
        )
        return Answer(_has_failed(told["feedback"]), _rules(told["reaction"]))

    def finish(self, reached: bool) -> None:
        ending = {"outcome": "success" if reached else "failure", "score": float(reached)}
        self._program.call("runs.finish", run=self._run, ending=ending)


class Forgetting:
    """A memory that is always empty."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._task = ""
        self._recent: list[Json] = []

    def start(self, task: str) -> list[str]:
        self._task, self._recent = task, []
        return []

    def observe(self, step: Json) -> Answer:
        goal = {"task": self._task, "domain": ADAPTER, "expectations": EXPECTATIONS}
        written = _written(step)
        feedback = self._program.call(
            "adapters.assess", adapter=ADAPTER, goal=goal, recent=self._recent[-RECENT:], step=written
        )
        self._recent.append({"step": written, "feedback": feedback})
        return Answer(_has_failed(feedback))

    def finish(self, reached: bool) -> None:
        pass


def _written(step: Json) -> Json:
    """A step as the contract has it: every payload is JSON text."""
    return {name: json.dumps(payload) for name, payload in step.items()}


def _rules(told: Json) -> list[str]:
    return [hint["lesson"]["rule-text"] for hint in told["hints"]]


def _has_failed(feedback: Json) -> bool:
    """Whether any channel says that the step failed."""
    progress = feedback["progress-signal"]
    return (
        feedback["hard-failure"] is not None
        or len(feedback["constraint-failure"]) > 0
        or (progress is not None and progress <= 0)
    )
