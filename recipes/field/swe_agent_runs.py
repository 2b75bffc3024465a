#!/usr/bin/env python3
"""Makes runs at a shell, as `recipes/learn/halves.py` takes them, from trajectories of SWE-agent.

    recipes/field/swe_agent_runs.py REPOSITORY --half tune > runs.jsonl
    recipes/learn/halves.py runs.jsonl

REPOSITORY is a git repository with `*.traj` files of SWE-agent (multi-swe-bench/experiments: five models at the same 91 issues). They have
no exit codes, so that the output decides: the tools of the agent say in their first line that they refuse, and of all
others an error in its usual form is a failure. The issues are drawn into two halves, so that one can be looked at and the other
be asked only once. Nothing of them is in this repository. Standard library only.
"""

import argparse
import json
import re
import subprocess
import zlib

TOOLS = {"open", "goto", "scroll_up", "scroll_down", "create", "edit", "search_dir", "search_file", "find_file"}
REFUSED = re.compile(r"^(Usage:|Error:|Warning:|File .* not found|Directory .* not found|No matches found|No file open|More than|Your proposed edit|line |Line )", re.I)
FAILED = re.compile(
    r"^(/bin/)?(ba)?sh: |^[\w./-]+: (.*: )?(No such file|cannot |invalid |missing |unrecognized |command not found|Permission denied)"
    r"|^Traceback \(most recent call last\)|^\[ERROR\]|^FAILURE: |BUILD FAIL|^fatal: |^error: |: error: |^Usage: |^EXECUTION TIMED OUT|^Error: ",
    re.MULTILINE,
)


def runs(repository):
    """The name of the issue, the model and the trajectory of each run."""
    git = ["git", "-C", repository]
    tree = subprocess.run([*git, "ls-tree", "-r", "-z", "--name-only", "HEAD"], capture_output=True, check=True).stdout.decode()
    for name in sorted(name for name in tree.split("\0") if name.endswith(".traj")):
        text = subprocess.run([*git, "show", f"HEAD:{name}"], capture_output=True, check=True).stdout
        yield name.split("/")[-1].removesuffix(".traj"), name.split("/")[-3], json.loads(text)


def task(trajectory):
    """The issue, as the agent was told it."""
    for message in trajectory["history"]:
        inside = re.search(r"ISSUE:\s*(.*?)\s*INSTRUCTIONS:", str(message["content"]), re.DOTALL)
        if message["role"] == "user" and not message.get("is_demo") and inside:
            return " ".join(inside.group(1).split())[:2000]
    return None


def has_failed(action, output):
    """Whether a command failed, by what it printed."""
    tool = action.split(maxsplit=1)[0]
    return bool(REFUSED.search(output.strip()) if tool in TOOLS else FAILED.search(output))


def commands(trajectory):
    """What was run, without prose in place of a command. Who is stuck repeats himself, which is one failure and not ten."""
    last = None
    for step in trajectory["trajectory"]:
        action, output = step["action"].strip(), step["observation"] or ""
        done = {"action": action, "observation": output[:4000], "valid": bool(action) and not has_failed(action, output)}
        if action and not action.startswith("DISCUSSION") and done != last:
            yield done
        last = done


def main():
    """Prints one half."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository")
    parser.add_argument("--half", choices=["tune", "report"], required=True)
    arguments = parser.parse_args()
    found = []
    for issue, model, trajectory in runs(arguments.repository):
        half = ["tune", "report"][zlib.crc32(issue.encode()) % 2]
        asked = task(trajectory)
        if half != arguments.half or not asked:
            continue
        steps = list(commands(trajectory))
        if any(not step["valid"] for step in steps):
            found.append((zlib.crc32(f"{model} {issue}".encode()), {"run": f"{issue}.{model}", "agent": model, "task": asked, "steps": steps}))
    # In no order of models, which would tell the halves that are made of every second line apart.
    for _, run in sorted(found, key=lambda one: one[0]):
        print(json.dumps(run))


if __name__ == "__main__":
    main()
