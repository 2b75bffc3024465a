"""A memory behind a service: `twiceshy serve` has it, and Python uses it as any other."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_processes import program

import twiceshy
from twiceshy.contract import LessonCandidate


class Service:
    """A service over a memory of its own."""

    def __init__(self, program: str, project: Path) -> None:
        self.program, self.project = program, project
        self.process = subprocess.Popen(
            [program, "--memory", str(project / ".twiceshy"), "serve", "--listen", "127.0.0.1:0"],
            stderr=subprocess.PIPE, text=True, cwd=project,
        )
        assert self.process.stderr is not None
        for line in self.process.stderr:
            found = re.search(r"serving.*127\.0\.0\.1:(\d+)", line)
            if found:
                self.address = f"http://127.0.0.1:{found[1]}"
                return
        raise AssertionError("the service ended before it served")

    def token(self, scope: str) -> str:
        words = [self.program, "--memory", str(self.project / ".twiceshy"), "serve", "tokens", "--add", scope, "--scope", scope]
        return subprocess.run(words, check=True, capture_output=True, text=True, cwd=self.project).stdout.strip()


@pytest.fixture
def service(project: Path) -> Iterator[Service]:
    beside = program()
    if beside is None:
        pytest.skip("the program is not installed")
    service = Service(beside, project)
    yield service
    service.process.terminate()
    service.process.wait()


def test_a_memory_behind_a_service_is_used_as_any_other(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWICESHY_TOKEN", service.token("write"))
    with twiceshy.open(service.address) as memory:
        with memory.run("sort the numbers", hold_out=0.0) as run:
            run.failed("sort +n numbers.txt", "sort: invalid option +n")
            run.worked("sort -n numbers.txt")
        assert memory.episodes.get(run.id).task == "sort the numbers"
        lesson = memory.lessons.propose(LessonCandidate(rule_text="WRONG: \"a\" 🦀 → CORRECT: b"))
        assert "🦀" in memory.lessons.get(lesson.id).rule_text
        with pytest.raises(twiceshy.NotFoundError):
            memory.lessons.get("les_nothing")
    # The same by the environment, and what was written is where the service has it.
    monkeypatch.setenv("TWICESHY_MEMORY", service.address)
    with twiceshy.open() as again:
        assert again.upkeep.status().episodes == 1
    with twiceshy.open(service.project / ".twiceshy") as direct:
        assert direct.upkeep.status().episodes == 1


def test_who_may_not_is_refused(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWICESHY_TOKEN", service.token("read"))
    memory = twiceshy.open(service.address)
    assert memory.upkeep.status().episodes == 0
    with pytest.raises(twiceshy.DeniedError):
        memory.lessons.propose(LessonCandidate(rule_text="WRONG: a → CORRECT: b"))
    monkeypatch.setenv("TWICESHY_TOKEN", "twiceshy_unknown")
    with pytest.raises(twiceshy.DeniedError, match="does not know this token"):
        twiceshy.open(service.address).upkeep.status()
    monkeypatch.delenv("TWICESHY_TOKEN")
    with pytest.raises(twiceshy.DeniedError, match="TWICESHY_TOKEN"):
        twiceshy.open(service.address).upkeep.status()
    monkeypatch.setenv("TWICESHY_TOKEN", "twiceshy_unknown")
    with pytest.raises(twiceshy.DeniedError, match="unencrypted"):
        twiceshy.open("http://memory.example").upkeep.status()


def test_a_service_that_is_gone_is_busy_and_says_that_a_write_may_have_happened(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_TOKEN", service.token("write"))
    memory = twiceshy.open(service.address)
    assert memory.upkeep.status().episodes == 0
    service.process.kill()
    service.process.wait()
    with pytest.raises(twiceshy.BusyError, match="may have happened"):
        memory.lessons.propose(LessonCandidate(rule_text="WRONG: a → CORRECT: b"))
