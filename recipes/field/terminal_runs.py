#!/usr/bin/env python3
"""Makes runs at a shell, as `recipes/learn/halves.py` takes them, from what an agent printed at a public benchmark of tasks at a terminal.

    recipes/field/terminal_runs.py REPOSITORY --half tune > runs.jsonl
    recipes/learn/halves.py runs.jsonl

REPOSITORY is a git repository of results as the benchmark publishes them (laude-institute/terminal-bench-leaderboard), with a
`sessions/agent.log` for each run; those of mini-swe-agent show each command and its exit code. A log is what a terminal was
sent, so that a line of more than 160 characters may be broken. The tasks are drawn into two halves, so that one can be looked at and
the other be asked only once. Nothing of them is in this repository. Standard library only.
"""

import argparse
import json
import re
import subprocess
import zlib

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[()][A-Z0-9]|\r")
STEP = re.compile(r"^mini-swe-agent \(step \d+, \$[\d.]+\):$", re.MULTILINE)
COMMAND = re.compile(r"```bash\n(.*?)\n```", re.DOTALL)
RESULT = re.compile(r"^User:\n<returncode>(-?\d+)</returncode>\n<output>\n?(.*?)</output>", re.DOTALL | re.MULTILINE)
TASK = re.compile(r"Please solve this issue: (.*?)\n\nYou can execute bash commands", re.DOTALL)


def logs(repository):
    """The names and texts of the logs."""
    git = ["git", "-C", repository]
    tree = subprocess.run([*git, "ls-tree", "-r", "-z", "--name-only", "HEAD"], capture_output=True, check=True).stdout.decode()
    for name in sorted(tree.split("\0")):
        if "swe-agent-mini" in name and name.endswith("sessions/agent.log"):
            text = subprocess.run([*git, "show", f"HEAD:{name}"], capture_output=True, check=True).stdout
            yield name.split("/")[-3], ESCAPE.sub("", text.decode(errors="replace"))


def steps(text):
    """The commands of a log that were run, with what came of them."""
    for part in STEP.split(text)[1:]:
        result = RESULT.search(part)
        said = part[: result.start()] if result else ""
        command = COMMAND.search(said)
        if command:
            code, output = result.groups()
            yield {"action": command.group(1).strip(), "observation": output.strip()[:4000], "valid": code == "0"}


def main():
    """Prints one half."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository")
    parser.add_argument("--half", choices=["tune", "report"], required=True)
    arguments = parser.parse_args()
    for name, text in logs(arguments.repository):
        half = ["tune", "report"][zlib.crc32(name.split(".")[0].encode()) % 2]
        task = TASK.search(text)
        done = list(steps(text))
        if task and half == arguments.half and any(not step["valid"] for step in done):
            print(json.dumps({"run": name, "agent": "mini-swe-agent", "task": " ".join(task.group(1).split()), "steps": done}))


if __name__ == "__main__":
    main()
