"""The recorded session, which every language replays: the same answers, to the last digit.

TWICESHY_SESSION names it; `cargo run -p twiceshy-agreement --example session -- FILE` records it in Rust.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import twiceshy
from twiceshy._native import NativeMemory

SESSION = os.environ.get("TWICESHY_SESSION", "")


@pytest.mark.skipif(not SESSION, reason="TWICESHY_SESSION names no recorded session")
def test_the_recorded_session_has_the_same_answers(tmp_path: Path) -> None:
    # The session was recorded without an embedder.
    (tmp_path / "home" / "config.toml").write_text("static-model = false\n")
    now = 0
    memory = NativeMemory(directory=tmp_path / ".twiceshy", clock=lambda: now)
    lines = Path(SESSION).read_text().splitlines()
    for number, line in enumerate(lines):
        request = json.loads(line)
        now = request["at"]
        try:
            answer = {"ok": json.loads(memory.call(request["method"], json.dumps(request["arguments"])))}
        except twiceshy.TwiceshyError as error:
            answer = {"error": error.kind}
        recorded = {name: request[name] for name in ("ok", "error") if name in request}
        # As text, in which 1 and 1.0 differ; the order of members says nothing.
        as_text = [json.dumps(one, sort_keys=True) for one in (answer, recorded)]
        assert as_text[0] == as_text[1], f"line {number}: {request['method']}"
    assert len(lines) >= 400
