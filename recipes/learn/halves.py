#!/usr/bin/env python3
"""Lessons that `twiceshy learn` finds in one half of recorded runs, asked for the failures of the other half, beside BM25.

    recipes/learn/halves.py RUNS.jsonl [--program target/release/twiceshy]

RUNS.jsonl has a run on each line: `task`, `steps` with `action` (a shell line), `observation` and `valid` (false: it failed), and who did it as
`agent`, or in the name `run` of the project InterCode. The runs of one half become trajectories as mini-swe-agent writes them and are learned
by the program; then the runs of the other half are replayed as a host does it, run by run and step by step through the adapter, with the task and
the agent known. Counted is what is shown at each failure after which something worked. An answer is right if it brings at least half of the
words that the next working command brings. BM25 (k1 1.2, b 0.75) remembers the same half as errors and what worked next, and answers with the
best if it has half the score that the failure would have as its own match; once by error and command, once with the words of the task, too, and
once by error and command among the runs of the task alone. Both ways round. Standard library only.
"""

import argparse
import json
import math
import os
import re
import resource
import subprocess
import tempfile
from collections import Counter
from pathlib import Path


def words(text):
    """The words of a text, without common endings."""
    found = re.findall(r"[A-Za-z]+|\d+", text)
    return [re.sub(r"(?<=\w{3})(ing|ed|es|s)$", "", word.lower()) for word in found]


def overcome(run):
    """The failures of a run after which something worked: where, where that is, and the words that it brought."""
    for place, step in enumerate(run["steps"]):
        later = next((at for at in range(place + 1, len(run["steps"])) if run["steps"][at]["valid"]), None)
        if step["valid"] or later is None:
            continue
        new = set(words(run["steps"][later]["action"])) - set(words(step["action"]))
        if new:
            yield place, later, new


def agent(run):
    """Who did a run, if somebody said."""
    return run.get("agent") or re.sub(r"^ic_bash_(multiturn_)?|(_10_turns|_fs_).*$", "", run.get("run", "")) or None


def trajectory(run):
    messages = [{"role": "system", "content": "-"}, {"role": "user", "content": f"Please solve this issue: {run['task']}\n\nGo."}]
    for step in run["steps"]:
        # As what was parsed, too: an action with a fence of its own would end the one around it.
        actions = {"actions": [{"command": step["action"]}]}
        messages.append({"role": "assistant", "content": f"THOUGHT: -\n\n```bash\n{step['action']}\n```", "extra": actions})
        code = 0 if step["valid"] else 1
        messages.append({"role": "user", "content": f"<returncode>{code}</returncode>\n<output>\n{step['observation']}\n</output>"})
    return {"info": {"config": {"model": {"model_name": agent(run)}}}, "messages": messages}


def error(run, place):
    """What a step printed, and what it was."""
    return f"{run['steps'][place]['observation']} {run['steps'][place]['action']}"


class Bm25:
    def __init__(self, texts):
        self.texts = [Counter(words(text)) for text in texts]
        self.lengths = [sum(text.values()) for text in self.texts]
        self.mean = sum(self.lengths) / max(1, len(texts))
        self.frequency = Counter(word for text in self.texts for word in text)
        self.lists = {}
        for number, text in enumerate(self.texts):
            for word in text:
                self.lists.setdefault(word, []).append(number)

    def part(self, word, count, length):
        rarity = math.log(1 + (len(self.texts) - self.frequency[word] + 0.5) / (self.frequency[word] + 0.5))
        return rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / self.mean))

    def best(self, text, among=None):
        asked = Counter(words(text))
        scores = Counter()
        for word in asked:
            for number in self.lists.get(word, []):
                scores[number] += self.part(word, self.texts[number][word], self.lengths[number])
        own = sum(self.part(word, count, sum(asked.values())) for word, count in asked.items())
        if among is not None:
            scores = Counter({number: score for number, score in scores.items() if number in among})
        if not scores:
            return None
        number, score = max(scores.items(), key=lambda one: (one[1], -one[0]))
        return number if score >= own / 2 else None


def tally(table, name, advice, new):
    if advice is None:
        table[name, "silent"] += 1
    else:
        right = 2 * len(set(words(advice)) & new) >= len(new)
        table[name, "right" if right else "wrong"] += 1


def learned(program, place, runs):
    """Lets the program learn runs. Gives the steps, and the processor time that it took."""
    directory = place / "runs"
    directory.mkdir()
    for number, run in enumerate(runs):
        (directory / f"{number}.traj.json").write_text(json.dumps(trajectory(run)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    got = subprocess.run([program, "learn", "--from", directory, "--json"], cwd=place, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert got.returncode == 0, got.stderr
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(got.stdout), spent


def hints(program, place, runs):
    """What is shown in runs of the other half, step by step. They are never ended, so that nothing is learned from them."""
    lines = []
    for number, run in enumerate(runs):
        new = {"id": f"half-{number}", "task": run["task"], "domain": "cli", "hold-out": 0, "hints": 2, "agent": agent(run)}
        lines.append("runs.start " + json.dumps({"run": new}))
        for step in run["steps"]:
            # What the adapter refuses, such as a lone comment, is a failure as it stands.
            failure = {"hard-failure": {"reason": "it failed", "evidence": step["observation"]}}
            feedback = {"action-text": step["action"][:4_000], "constraint-failure": [], **({} if step["valid"] else failure)}
            observation = {"exit": int(not step["valid"]), "stdout": step["observation"], "stderr": ""}
            raw = {"before": "", "action": json.dumps({"command": step["action"]}), "observation": json.dumps(observation)}
            lines.append("adapters.observe " + json.dumps({"run": new["id"], "step": raw, "feedback": feedback}))
    got = subprocess.run([program, "call", "--lines"], input="\n".join(lines) + "\n", cwd=place, capture_output=True, text=True)
    answers = iter(got.stdout.splitlines())
    shown = []
    for run in runs:
        started = next(answers)
        assert "ok" in json.loads(started), started
        shown.append([])
        for _ in run["steps"]:
            answer = json.loads(next(answers))
            assert "ok" in answer, answer
            shown[-1].append(answer["ok"]["reaction"]["hints"])
    return shown


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--program", default="target/release/twiceshy")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    runs = [json.loads(line) for line in arguments.runs.read_text().splitlines()]
    table, steps, spent = Counter(), 0, 0.0
    for half in (0, 1):
        known, asked = runs[half::2], runs[1 - half::2]
        past = [(run, place, later) for run in known for place, later, _ in overcome(run)]
        bm25 = Bm25([error(run, place) for run, place, _ in past])
        with_task = Bm25([f"{run['task']} {error(run, place)}" for run, place, _ in past])
        with tempfile.TemporaryDirectory() as scratch:
            place = Path(scratch)
            (place / ".git").mkdir()
            os.environ["TWICESHY_MEMORY"] = str(place / ".twiceshy")
            # Compiled before anything is measured.
            subprocess.run([program, "status"], cwd=place, capture_output=True)
            report, took = learned(program, place, known)
            print(json.dumps({name: value for name, value in report.items() if isinstance(value, int)}))
            steps += sum(len(run["steps"]) for run in known)
            spent += took
            for run, shown in zip(asked, hints(program, place, asked), strict=True):
                for at, _, new in overcome(run):
                    hint = shown[at]
                    advice = hint[0]["text"].partition("CORRECT:")[2] or hint[0]["text"] if hint else None
                    tally(table, "learn", advice, new)
                    of_task = {number for number, (other, _, _) in enumerate(past) if other["task"] == run["task"]}
                    asked_for = error(run, at)
                    for name, best in (
                        ("BM25", bm25.best(asked_for)),
                        ("BM25 with the task", with_task.best(f"{run['task']} {asked_for}")),
                        ("BM25 within the task", bm25.best(asked_for, of_task)),
                    ):
                        tally(table, name, past[best][0]["steps"][past[best][2]]["action"] if best is not None else None, new)
    for name in ("learn", "BM25", "BM25 with the task", "BM25 within the task"):
        every = sum(table[name, what] for what in ("right", "wrong", "silent"))
        print(f"{name}: {every} failures, right {table[name, 'right'] / every:.3f}, wrong {table[name, 'wrong'] / every:.3f}")
    print(f"learned {steps} steps in {spent:.1f} s of processor time: {steps / spent:,.0f} a second")


if __name__ == "__main__":
    main()
