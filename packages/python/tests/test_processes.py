"""Many processes on one memory, the program among them: nothing is lost.

TWICESHY_WRITES says how many writes each process makes; the bar is 1,000.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import twiceshy

PROCESSES = 8
WRITES = int(os.environ.get("TWICESHY_WRITES", "40"))

WORK = """
import sys, twiceshy
name, writes = sys.argv[1], int(sys.argv[2])
memory = twiceshy.open()
with memory.run(name) as run:
    for number in range(writes):
        if number % 10 == 0:
            run.failed(f"try {name} {number}", f"error: no such gadget {number}")
        else:
            run.worked(f"do {name} {number}")
"""


def program() -> str | None:
    beside = Path(sysconfig.get_path("scripts")) / "twiceshy"
    return str(beside) if beside.exists() else shutil.which("twiceshy")


def test_eight_processes_and_the_program_lose_nothing(project: Path) -> None:
    beside = program()
    if beside is None:
        pytest.skip("the program is not installed")
    twiceshy.open().runs.start(twiceshy.contract.NewRun(id="kept-open", task="", domain="cli"))
    # Where many write at once, one waits for its turn longer than a person would.
    (project / ".twiceshy" / "config.toml").write_text("busy-timeout-ms = 600000\n")
    words = [[sys.executable, "-c", WORK, f"agent-{number}", str(WRITES)] for number in range(PROCESSES)]
    agents = [subprocess.Popen(command) for command in words]
    by_program = 0
    while any(agent.poll() is None for agent in agents):
        subprocess.run([beside, "run", "--", "true"], check=True, cwd=project)
        by_program += 1
    assert [agent.returncode for agent in agents] == [0] * PROCESSES
    memory = twiceshy.open()
    episodes = memory.episodes.find(twiceshy.contract.EpisodeFilter(limit=1000))
    by_agents = {one.task: one.steps for one in episodes if one.task.startswith("agent-")}
    assert by_agents == {f"agent-{number}": WRITES for number in range(PROCESSES)}
    status = json.loads(
        subprocess.run([beside, "status", "--json"], check=True, capture_output=True, cwd=project).stdout
    )
    assert status["events"] == PROCESSES * len(range(0, WRITES, 10)) == memory.upkeep.status().events
    assert by_program > 0 and memory.upkeep.verify() == ()
