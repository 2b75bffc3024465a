"""How long `runs.observe` takes from Python in a memory that knows something, and how long a process takes to its first answer.

    python packages/python/tests/measure.py [STEPS]

The wheel must be a release build. As `tests/runtimes/measure.mjs`: 50 runs that failed and recovered, then steps that fail, half of
them in a way that is known. Beside the clock stands the processor's time, which a busy machine does not change.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import twiceshy
from twiceshy.contract.adapter import Failure, Feedback

NOUNS = ["orders", "invoices", "branches", "buckets", "volumes", "tickets", "pages", "tables", "queues", "images"]
FAULTS = [
    ("--page-size", "--limit", "TypeError: list_{} got an unexpected keyword argument page-size"),
    ("--recursive", "-r", "error: unrecognized flag --recursive while reading {}"),
    ("--out", "--output", "{}: ambiguous option --out (could be --output, --outline)"),
    ("--format yml", "--format yaml", "ValueError: no serializer yml is registered for {}"),
    ("--force", "--yes", "fatal: refusing to replace {}; confirmation is required"),
]
LOAD = "import time; begun = time.perf_counter(); import twiceshy; memory = twiceshy.{}; memory.upkeep.status(); print(time.perf_counter() - begun, time.process_time())"


def failed(action: str, error: str) -> Feedback:
    return Feedback(action_text=action, hard_failure=Failure(reason="failed", evidence=error))


def figure(what: str, value: float) -> None:
    """Leaves a figure for `tests/runtimes/bars`, in the file that FIGURES names."""
    if name := os.environ.get("FIGURES"):
        with open(name, "a") as file:
            file.write(json.dumps({"what": f"python {what}", "value": value}) + "\n")


def measure(memory: twiceshy.Memory, steps: int, where: str) -> str:
    for noun in NOUNS:
        for wrong, right, error in FAULTS:
            with memory.run(f"work on the {noun}", "bench", hold_out=0) as run:
                action = f"{noun} get {wrong} all"
                run.observe(action, feedback=failed(action, error.format(noun)))
                action = f"{noun} get {right} all"
                run.observe(action, feedback=Feedback(action_text=action, progress_signal=1.0))
            run.finish("success")
    run = memory.run("work on everything", "bench", hold_out=0)
    times, hints, begun = [], 0, time.process_time()
    for step in range(steps):
        noun = NOUNS[step % len(NOUNS)]
        wrong, _, error = FAULTS[(step >> 1) % len(FAULTS)]
        failure = error.format(noun) if step % 2 else f"{noun} {step}: the lease of the {noun} expired after {step} s"
        action = f"{noun} get {wrong} all"
        at = time.perf_counter()
        reaction = run.observe(action, feedback=failed(action, failure))
        times.append(time.perf_counter() - at)
        hints += len(reaction.hints)
    worked = (time.process_time() - begun) / steps
    times.sort()
    figure(f"observe {where}", statistics.median(times) * 1e3)
    return (
        f"observe p50 {statistics.median(times) * 1e3:.2f} ms, p90 {times[len(times) * 9 // 10] * 1e3:.2f} ms,"
        f" at best {times[0] * 1e3:.2f} ms, {worked * 1e3:.2f} ms of processor, {hints} hints"
    )


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    with twiceshy.in_memory() as memory:
        print(f"in memory: {measure(memory, steps, 'in memory')}")
    with tempfile.TemporaryDirectory() as directory:
        with twiceshy.open(f"{directory}/memory") as memory:
            print(f"in a SQLite file: {measure(memory, steps, 'in a file')}")
        for what in ["in_memory()", f"open('{directory}/memory')"]:
            told = [
                subprocess.run([sys.executable, "-c", LOAD.format(what)], capture_output=True, text=True, check=True).stdout.split()
                for _ in range(11)
            ]
            where = "in memory" if what.startswith("in_memory") else "in a file"
            loads, worked = ([float(one[at]) * 1e3 for one in told] for at in (0, 1))
            figure(f"load {where}", statistics.median(loads))
            print(
                f"load in a new process to a first answer, {what.split('(')[0]}: {statistics.median(loads):.0f} ms,"
                f" at best {min(loads):.0f} ms, {min(worked):.0f} ms of processor with the interpreter's start"
            )


main()
