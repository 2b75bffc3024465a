"""A memory behind `twiceshy serve`, used as any memory is."""

from __future__ import annotations

import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

import twiceshy
from twiceshy.contract import LessonCandidate

PROGRAM = Path(sysconfig.get_path("scripts")) / "twiceshy"


@pytest.fixture
def address(project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A service over the memory of a project, and a token that may write in the environment."""
    tokens = [PROGRAM, "serve", "tokens", "--add", "test", "--scope", "write"]
    token = subprocess.run(tokens, check=True, capture_output=True, text=True).stdout.strip()
    service = subprocess.Popen([PROGRAM, "serve", "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    try:
        assert service.stderr
        said = next(line for line in service.stderr if "serving" in line)
        monkeypatch.setenv("TWICESHY_TOKEN", token)
        yield "http://127.0.0.1:" + said.split("127.0.0.1:")[1].split(";")[0]
    finally:
        service.terminate()
        service.wait()


def test_what_is_learned_through_the_service_is_in_its_memory(address: str, project: Path) -> None:
    with twiceshy.open(address) as memory:
        assert memory.directory is None
        assert address in repr(memory)
        with memory.run("sort numbers") as run:
            run.failed("sort --numbers a", "sort: unrecognized option '--numbers'")
            run.worked("sort --numeric-sort a")
        proposed = memory.lessons.propose(LessonCandidate(rule_text="WRONG: a → CORRECT: b"))
    beside = twiceshy.open(project / ".twiceshy")
    assert beside.episodes.get(run.id).task == "sort numbers"
    assert proposed.id in [lesson.id for lesson in beside.lessons.find()]


def test_who_has_no_token_is_refused_and_told_so(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWICESHY_TOKEN", "twiceshy_" + "0" * 43)
    with pytest.raises(twiceshy.DeniedError):
        twiceshy.open(address).lessons.find()
