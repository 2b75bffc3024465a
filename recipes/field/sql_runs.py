#!/usr/bin/env python3
"""Makes sets of SQL failures for the benchmark `field` from recorded runs of language models at a database.

    recipes/field/sql_runs.py RESULTS TASKS --half tune > sql.jsonl
    cargo run -p twiceshy-field -- --only sql --only sql-never --sql sql.jsonl

RESULTS is the directory of recorded runs, as the project InterCode publishes them (`data/results/sql`), TASKS the file that says
which database each task is about (`data/sql/spider/ic_spider_dev.json`). Nothing of them is in this repository.

A failure is a query that was refused; right is the next query of that run that worked. The databases are drawn into two
halves, so that one can be looked at and the other be asked only once. Of each half, three databases are never learned
(`never`: any hint is wrong); of the others the tasks with even numbers are learned, and those with odd numbers are asked
about. What was done there may be another mistake, so that silence is often the best answer.
"""

import argparse
import glob
import json
import os
import random
import re

REFUSED = "Error executing query"
SELECT = re.compile(r"\s*select", re.IGNORECASE)


def failures(results, tasks):
    """Each query that was refused and the next one that worked, with the database and the number of the task."""
    with open(tasks, encoding="utf-8") as file:
        database = {task["query"]: task["db"] for task in json.load(file)}
    for name in sorted(glob.glob(os.path.join(results, "*", "*.json"))):
        base = os.path.basename(name)
        # People, single turns and runs with the schema in the prompt are another matter.
        if any(word in base for word in ("human", "1_turns", "handicap")):
            continue
        model = re.search(r"multiturn_(.+?)_10_turns", base)
        with open(name, encoding="utf-8") as file:
            runs = json.load(file)
        for run in runs.values() if isinstance(runs, dict) else runs:
            turns = run.get("turn_history")
            if not turns or run["query"] not in database:
                continue
            said = [answer if isinstance(answer, str) else json.dumps(answer) for answer in turns["observations"]]
            steps = list(zip(turns["actions"], said))
            for at, (query, answer) in enumerate(steps):
                if not answer.startswith(REFUSED) or not SELECT.match(query):
                    continue
                later = (one for one, told in steps[at + 1 :] if not told.startswith(REFUSED) and SELECT.match(one))
                right = next(later, None)
                if right:
                    yield {
                        "database": database[run["query"]],
                        "task": run["task_id"],
                        "mistake": model.group(1) if model else base[7:-5],
                        "wrong": query,
                        "error": answer[:2000],
                        "right": right,
                    }


def main():
    """Prints one half."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results")
    parser.add_argument("tasks")
    parser.add_argument("--half", choices=["tune", "report"], required=True)
    parser.add_argument("--count", type=int, default=240, help="of each part at most")
    arguments = parser.parse_args()
    found = list(failures(arguments.results, arguments.tasks))
    databases = sorted({one["database"] for one in found})
    random.seed(7)
    random.shuffle(databases)
    middle = len(databases) // 2
    half = databases[:middle] if arguments.half == "tune" else databases[middle:]
    never = set(half[:3])
    found = [one for one in found if one["database"] in half]
    random.Random(1).shuffle(found)
    parts, seen = {"learn": [], "ask": [], "never": []}, set()
    for one in found:
        if (one["wrong"], one["error"]) in seen:
            continue
        seen.add((one["wrong"], one["error"]))
        task = one.pop("task")
        part = "never" if one["database"] in never else "ask" if task % 2 else "learn"
        if len(parts[part]) < arguments.count:
            parts[part].append({"part": part, **one})
    for part in parts.values():
        for one in part:
            print(json.dumps(one))


if __name__ == "__main__":
    main()
