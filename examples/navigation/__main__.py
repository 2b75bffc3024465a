"""An agent learns its way through MiniGrid: with twiceshy, and without.

    examples/navigation/install target/minigrid
    target/minigrid/bin/python examples/navigation --twiceshy target/debug/twiceshy --json report.json --svg report.svg

`docs/EXPERIMENT.md` says what is done and what is measured.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import report
from experiment import ENVIRONMENTS, Plan, records
from figures import figures


def main() -> None:
    """Does the experiment and tells what came of it."""
    parser = argparse.ArgumentParser(
        prog="navigation", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--twiceshy", default="twiceshy", help="the program")
    parser.add_argument("--seeds", type=int, default=Plan.seeds, help="memories for each environment and arm")
    parser.add_argument(
        "--learning", type=int, default=Plan.learning, help="runs of learning on each memory, at least 3"
    )
    parser.add_argument(
        "--held-out", type=int, default=Plan.held_out, help="runs after them, in layouts never seen before"
    )
    parser.add_argument("--only", action="append", help="only environments with this in their name; may be repeated")
    parser.add_argument("--json", type=Path, help="where to write all runs and figures")
    parser.add_argument("--svg", type=Path, help="where to draw the errors of each run")
    given = parser.parse_args()
    chosen = tuple(one for one in ENVIRONMENTS if not given.only or any(word in one.name for word in given.only))
    plan = Plan(chosen, given.seeds, given.learning, given.held_out)
    done = []
    for record in records(plan, given.twiceshy):
        done.append(record)
        if sys.stderr.isatty():
            now = f"{record.environment}, seed {record.seed}, {record.arm} memory, run {record.number}"
            print(f"\r{now:78}\r", end="", file=sys.stderr)
    found = figures(done)
    print(report.table(found))
    if given.json:
        given.json.write_text(report.as_json(plan, done, found))
    if given.svg:
        given.svg.write_text(report.drawing(found, plan.learning))


main()
