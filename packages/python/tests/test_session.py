"""The recorded session, which every language replays: the same bytes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import twiceshy
from twiceshy._native import NativeMemory

SESSION = Path(__file__).parents[3] / "tests" / "fixtures" / "session"


@pytest.mark.parametrize("kept", ["in memory", "on disk"])
def test_the_recorded_session_gives_the_same_bytes(kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / "config.toml").write_text("static-model = false\n")
    now = 0
    place = tmp_path / ".twiceshy" if kept == "on disk" else None
    memory = NativeMemory(directory=place, clock=lambda: now)
    answers = []
    for line in (SESSION / "requests.jsonl").read_text().splitlines():
        request = json.loads(line)
        now = request["at"]
        try:
            answers.append(memory.call(request["method"], json.dumps(request["arguments"])))
        except twiceshy.TwiceshyError as error:
            answers.append(f"{error.kind}: {error}")
    assert answers == (SESSION / "answers.txt").read_text().splitlines()
