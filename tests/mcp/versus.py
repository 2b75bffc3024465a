#!/usr/bin/env python3
"""`twiceshy mcp` beside the official memory server (@modelcontextprotocol/server-memory), in one run: the same experiences are
written one by one over standard streams, each waited for, then the same questions are asked. Standard library only.

The official server writes its whole file anew for each experience. All but the last are put into that file at once, so that
this does not take an hour; the last are written by the server, as all are by ours.

Usage: tests/mcp/versus.py [--count 10000] [--questions 300] [--program target/release/twiceshy]
       [--server target/mcp-clients/node_modules/@modelcontextprotocol/server-memory/dist/index.js] [--node NODE]
"""

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import tempfile
import time

TOOLS = ["cargo", "npm", "git", "docker", "kubectl", "pytest", "make", "terraform", "psql", "ffmpeg", "rsync", "helm"]
VERBS = ["build", "push", "deploy", "apply", "test", "sync", "migrate", "publish", "verify", "export", "lint", "pack"]
THINGS = ["lock file", "branch", "image", "namespace", "fixture", "target", "state file", "schema", "codec", "chart"]
FAULTS = ["is missing", "is held by another process", "has the wrong version", "was refused", "does not exist", "is full"]
FIXES = ["delete it and run again", "pull first", "log in first", "name it in full", "wait for the other one", "free some room"]

# Writes that are compared: with the whole memory behind them.
LAST = 500


def experience(number: int, chance: random.Random) -> dict:
    tool, verb, thing = chance.choice(TOOLS), chance.choice(VERBS), chance.choice(THINGS)
    name = f"{chance.choice(VERBS)}{chance.choice(TOOLS)}{number}"
    error = f"{tool}: {thing} {name} {chance.choice(FAULTS)}"
    return {"task": f"{verb} the {thing} of {name} with {tool}", "error": error, "fix": chance.choice(FIXES), "name": name}


class Server:
    """A server that is spoken to line by line."""

    def __init__(self, command: list, environment: dict, directory: str):
        self.child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, **environment}, cwd=directory,
        )
        self.next = 0
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "versus", "version": "1"}}
        self.ask("initialize", hello)
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def say(self, message: dict) -> None:
        self.child.stdin.write(json.dumps(message).encode() + b"\n")
        self.child.stdin.flush()

    def ask(self, method: str, params: dict) -> dict:
        self.next += 1
        self.say({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params})
        while True:
            answer = json.loads(self.child.stdout.readline())
            if answer.get("id") == self.next:
                assert "error" not in answer and not answer["result"].get("isError"), answer
                return answer["result"]

    def call(self, tool: str, arguments: dict) -> tuple:
        begun = time.perf_counter()
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return 1_000 * (time.perf_counter() - begun), result

    def kill(self) -> None:
        os.kill(self.child.pid, signal.SIGKILL)
        self.child.wait()


class Official:
    name = "server-memory"

    def __init__(self, arguments, scratch: str, known: list):
        file = os.path.join(scratch, "memory.jsonl")
        if known:
            with open(file, "w", encoding="utf-8") as lines:
                lines.write("\n".join(json.dumps({"type": "entity", **self.entity(one)}) for one in known))
        self.server = Server([arguments.node, arguments.server], {"MEMORY_FILE_PATH": file}, scratch)

    @staticmethod
    def entity(one: dict) -> dict:
        return {"name": one["name"], "entityType": "experience", "observations": [one["task"], one["error"], one["fix"]]}

    def write(self, one: dict) -> float:
        return self.server.call("create_entities", {"entities": [self.entity(one)]})[0]

    def search(self, one: dict) -> tuple:
        spent, result = self.server.call("search_nodes", {"query": one["name"]})
        return spent, one["name"] in json.dumps(result)


class Ours:
    name = "twiceshy mcp"

    def __init__(self, arguments, scratch: str, _: list):
        memory = os.path.join(scratch, ".twiceshy")
        self.server = Server([arguments.program, "mcp"], {"TWICESHY_MEMORY": memory}, scratch)

    def write(self, one: dict) -> float:
        told = {"text": f"WRONG: {one['task']}: {one['error']} → CORRECT: {one['fix']}", "errors": [one["error"]], "domain": "cli"}
        return self.server.call("remember", told)[0]

    def search(self, one: dict) -> tuple:
        spent, result = self.server.call("recall", {"task": one["task"], "limit": 5})
        return spent, one["name"] in json.dumps(result)

    def on_error(self, one: dict) -> float:
        return self.server.call("recall", {"error": one["error"]})[0]


def quantile(times: list, share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def main() -> None:
    place = "target/mcp-clients/node_modules"
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--program", default="target/release/twiceshy")
    parser.add_argument("--server", default=f"{place}/@modelcontextprotocol/server-memory/dist/index.js")
    parser.add_argument("--node", default=f"{place}/node/bin/node")
    arguments = parser.parse_args()
    for name in ["program", "server", "node"]:
        setattr(arguments, name, os.path.abspath(getattr(arguments, name)))
    chance = random.Random(14)
    experiences = [experience(number, chance) for number in range(arguments.count)]
    asked = chance.sample(experiences, min(arguments.questions, arguments.count))
    figures = {}
    for kind in [Ours, Official]:
        with tempfile.TemporaryDirectory() as scratch:
            known = experiences[:-LAST] if kind is Official else []
            tried = kind(arguments, scratch, known)
            writes = [tried.write(one) for one in experiences[len(known):]]
            answers = [tried.search(one) for one in asked]
            searches = [spent for spent, _ in answers]
            found = sum(found for _, found in answers)
            # Acknowledged is stored: the last one is there after the server was killed.
            tried.server.kill()
            survived = kind(arguments, scratch, []).search(experiences[-1])[1]
            if kind is Ours:
                known_errors = Ours(arguments, scratch, [])
                by_error = [known_errors.on_error(one) for one in asked]
                known_errors.server.kill()
                print(f"{kind.name}: recall for an error p50 {statistics.median(by_error):.2f} ms")
            last = writes[-LAST:]
            figures[kind.name] = (statistics.median(last), statistics.median(searches))
            print(
                f"{kind.name}: write p50 {statistics.median(writes):.2f} ms, p99 {quantile(writes, 0.99):.2f} ms; "
                f"of the last {len(last)} p50 {statistics.median(last):.2f} ms; "
                f"search p50 {statistics.median(searches):.2f} ms, p99 {quantile(searches, 0.99):.2f} ms; "
                f"found {found} of {len(asked)}; last write survives kill -9: {survived}",
                flush=True,
            )
    ours, official = figures[Ours.name], figures[Official.name]
    print(f"with {arguments.count} in memory, write {official[0] / ours[0]:.1f} times, search {official[1] / ours[1]:.1f} times as fast")


if __name__ == "__main__":
    main()
