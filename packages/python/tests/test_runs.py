"""Runs: commands, functions and feedback of one's own, and what is learned from them."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

import twiceshy
from twiceshy.contract import Feedback, Goal, Step, Violation


def fix(memory: twiceshy.Memory, file: Path) -> str:
    """One agent's attempt: a command that fails, and one that works. Gives what it was told after the first."""
    with memory.run("count the rows", hold_out=0.0) as run:
        told = run.command(["wc", "--rows", str(file)]).reaction.text
        assert run.command(["wc", "-l", str(file)]).exit == 0
    return told


def test_what_failed_once_is_known_the_next_time(memory: twiceshy.Memory, tmp_path: Path) -> None:
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("1\n")
    second.write_text("2\n")
    assert fix(memory, first) == ""
    told = fix(memory, second)
    assert "WRONG: wc --rows" in told and "CORRECT: wc -l" in told and "b.csv" in told


def test_whatever_becomes_of_a_command_is_a_result(memory: twiceshy.Memory) -> None:
    with memory.run("try things") as run:
        assert run.command("echo out; echo err >&2; exit 3").exit == 3
        missing = run.command(["no-such-program-anywhere"])
        assert missing.exit == 127 and missing.reaction.failure is not None
        slow = run.command(["sleep", "60"], timeout=0.1)
        assert slow.exit == 124 and slow.reaction.failure is not None
        killed = run.command([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"])
        assert killed.exit == -9 and killed.reaction.failure is not None
        assert run.command(["cat"], stdin="given").stdout == "given"
        assert run.command([sys.executable, "-c", "print('x' * 10_000_000)"]).reaction.failure is None


def test_a_run_ends_with_its_block(memory: twiceshy.Memory) -> None:
    with memory.run("goes well") as run:
        run.worked("something")
    assert run.episode is not None and run.episode.outcome == "success"
    with pytest.raises(ValueError), memory.run("goes wrong") as run:
        raise ValueError("no")
    assert run.episode is not None and run.episode.outcome == "failure"
    with pytest.raises(KeyboardInterrupt), memory.run("is interrupted") as run:
        raise KeyboardInterrupt
    assert run.episode is not None and run.episode.outcome == "abandoned"
    with memory.run("is scored") as run:
        episode = run.finish("partial", 0.4, "deterministic")
    assert (episode.outcome, episode.score) == ("partial", 0.4)


def test_steps_are_judged_by_the_adapter_or_by_the_callers_feedback(memory: twiceshy.Memory) -> None:
    with memory.run("look", agent="me", tags=["t"]) as run:
        seen = {"exit": 1, "stdout": "", "stderr": "cat: x: No such file or directory", "duration-ms": 1}
        assert run.observe({"command": ["cat", "x"]}, seen).failure is not None
        assert run.observe("{}", feedback=Feedback(action_text="own")).failure is None
        violated = Feedback(action_text="own", constraint_failure=[Violation(condition="x exists", evidence="gone")])
        event = run.observe("{}", feedback=violated).failure
        assert event is not None and event.constraint_failure
    with pytest.raises(twiceshy.AdapterError) as caught, memory.run("look", domain="nowhere") as run:
        run.observe({"x": 1})
    assert caught.value.kind
    goal = Goal(task="", domain="cli", expectations={"exit": [0]})
    seen = {"exit": 0, "stdout": "", "stderr": "", "duration-ms": 1}
    feedback = memory.adapters.assess("cli", goal, Step(action={"command": ["ls"]}, observation=seen))
    assert feedback.hard_failure is None and feedback.action_text == "ls"


def test_an_exception_is_a_failed_step_with_what_is_known_as_its_note(memory: twiceshy.Memory) -> None:
    @memory.watch
    def load(name: str, *, mode: str = "strict") -> str:
        """Loads something."""
        if mode == "strict":
            raise LookupError(f"no table called {name!r} in strict mode")
        return name

    def agent(name: str) -> list[str]:
        with memory.run("load a table", "python", hold_out=0.0) as run:
            with pytest.raises(LookupError) as caught:
                load(name)
            assert load(name, mode="lax") == name
        assert run.episode is not None and (run.episode.steps, run.episode.failures) == (2, 1)
        return getattr(caught.value, "__notes__", [])

    assert load.__doc__ == "Loads something."
    assert agent("users") == []
    (note,) = agent("orders")
    assert "CORRECT" in note and "mode='lax'" in note


def test_a_call_without_a_run_is_a_run_of_its_own(memory: twiceshy.Memory) -> None:
    @memory.watch(name="fetch", domain="web")
    async def fetch(url: str) -> str:
        raise ConnectionError(url)

    with pytest.raises(ConnectionError):
        asyncio.run(fetch("http://localhost:1"))
    (episode,) = memory.episodes.find()
    assert (episode.task, episode.domain, episode.outcome) == ("fetch", "web", "failure")


def test_trouble_of_the_memory_never_reaches_a_watched_function(memory: twiceshy.Memory) -> None:
    @memory.watch
    def double(number: int) -> int:
        return 2 * number

    memory.close()
    assert double(4) == 8
