#!/usr/bin/env python3
"""Campaigns against a memory: too long for CI, run nightly or by hand, each bounded by an argument.

    tests/campaigns/campaign.py PROGRAM kill    --rounds 10000    kill -9 at random moments over every writing command
    tests/campaigns/campaign.py PROGRAM mixed   --seconds 3600    8 processes that read and write one memory
    tests/campaigns/campaign.py PROGRAM lines   --count 1000000   malformed requests to `call --lines`
    tests/campaigns/campaign.py PROGRAM mcp     --count 1000000   malformed messages to `mcp`
    tests/campaigns/campaign.py PROGRAM fuzz    --count 10000     mutated exports, settings, archives and texts
    tests/campaigns/campaign.py PROGRAM trouble                   full disk, read-only, clocks, low limits, damage
    tests/campaigns/campaign.py PROGRAM all     --seconds 60      a little of each

Every campaign ends with figures as one line of JSON and exits with 0 only if nothing was lost, nothing panicked, every
request had an answer and `doctor` found the memory sound. The same --seed repeats the same choices.
"""

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from writers import Writers

PANIC = (b"panicked at", b"RUST_BACKTRACE", b"stack overflow", b"internal error: entered unreachable")


def strictly(text):
    """The JSON in bytes, as serde_json reads it: no infinite number, no half of a pair of surrogates, 127 levels at most.
    ValueError if it is none."""
    def number(digits):
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            raise ValueError("out of range")
        return value

    def no_constant(name):
        raise ValueError(name)

    value = json.loads(text.decode(), parse_float=number, parse_int=number, parse_constant=no_constant)
    level, depth = [value], 0
    while level:
        within = []
        for one in level:
            if isinstance(one, dict):
                within += [*one.keys(), *one.values()]
            elif isinstance(one, list):
                within += one
            elif isinstance(one, str):
                one.encode()
        depth += any(isinstance(one, (dict, list)) for one in level)
        level = within
    if depth > 127:
        raise ValueError("too deep")
    return value


def wants_an_answer(line):
    """Whether a message is to be answered: everything but notifications and responses, as in tests/mcp/malformed.rs."""
    try:
        message = strictly(line)
    except (ValueError, RecursionError):
        return True
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return True
    is_notification = isinstance(message.get("method"), str) and not message.keys() & {"id", "result", "error"}
    is_response = "method" not in message and ("result" in message) != ("error" in message)
    return not (is_notification or is_response)


class Campaign:
    def __init__(self, program, seed):
        self.program = str(Path(program).resolve())
        self.dice = random.Random(seed)
        self.root = Path(tempfile.mkdtemp(prefix="twiceshy-campaign-"))
        self.project = self.root / "project"
        self.project.mkdir()
        (self.project / ".git").mkdir()
        self.home = self.root / "home"
        self.home.mkdir()
        self.problems = []
        self.figures = {}
        # Compiled once, so that no campaign measures the compiler.
        self.run(["init"])
        self.run(["run", "--", "true"])

    def environment(self, **more):
        keep = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        return keep | {"TWICESHY_HOME": str(self.home), "HOME": str(self.root), "TWICESHY_ALONE": "1"} | more

    def start(self, arguments, **options):
        options.setdefault("cwd", self.project)
        options.setdefault("env", self.environment())
        options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen(
            [self.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
        )

    def run(self, arguments, data=None, **options):
        if data is not None:
            options["stdin"] = subprocess.PIPE
        process = self.start(arguments, **options)
        out, err = process.communicate(data, timeout=600)
        self.look(arguments, err)
        if process.returncode is not None and process.returncode < 0 and "preexec_fn" not in options:
            self.problem(f"{arguments[:2]} ended by signal {-process.returncode}")
        return process.returncode, out, err

    def look(self, arguments, err):
        if any(word in err for word in PANIC):
            self.problem(f"{arguments[:3]} panicked: {err[-400:].decode(errors='replace')}")

    def problem(self, text):
        self.problems.append(text)
        print(f"PROBLEM: {text}", file=sys.stderr)

    def sound(self, when, *more):
        code, out, err = self.run(["doctor", "--json", *more])
        if code != 0:
            self.problem(f"doctor after {when}: {out.decode(errors='replace')[-600:]} {err.decode(errors='replace')[-300:]}")

    def count(self, name, by=1):
        self.figures[name] = self.figures.get(name, 0) + by

    def events(self):
        code, out, _ = self.run(["status", "--json"])
        return json.loads(out)["events"] if code == 0 else -1

    def remove(self, path):
        shutil.rmtree(path, ignore_errors=True)

    def kill(self, rounds, seconds):
        """What any writing command acknowledged survives; everything else may be lost, but nothing is half there."""
        writers, acknowledged, ends = Writers(self), {}, time.monotonic() + seconds
        # How long each takes, so that it is killed at any moment of its work, and at times not at all.
        typical, kinds = {}, {}
        for number in range(rounds):
            if time.monotonic() > ends:
                break
            writer = writers.writer(self.dice, number)
            options = {"stdin": subprocess.PIPE} if writer.data is not None else {}
            usual = typical.setdefault(writer.name, 0.3)
            begun = time.monotonic()
            process = self.start(writer.arguments, **options)
            try:
                out, err = process.communicate(writer.data, timeout=self.dice.random() ** 1.5 * usual * 1.6)
                typical[writer.name] = 0.8 * usual + 0.2 * (time.monotonic() - begun)
                end = "completed"
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                out, err = process.communicate()
                typical[writer.name] = min(usual * 1.05, 5)
                end = "killed"
            self.look(writer.arguments, err)
            is_said = writer.acknowledged(process.returncode, out, err)
            if end == "completed" and not is_said:
                self.problem(f"{writer.arguments[:3]} ended with {process.returncode}: {err[-300:]!r}")
            if is_said and writer.mark:
                acknowledged[writer.mark] = writer.name
            writer.after()
            self.count(end)
            self.count("rounds")
            kinds.setdefault(writer.name, {"killed": 0, "completed": 0})[end] += 1
            if number % 500 == 499:
                self.sound(f"{number + 1} rounds")
        self.sound("the kills")
        everything = writers.done(["export", "-", "--format", "jsonl"]).decode(errors="replace")
        lost = [f"{name}: {mark}" for mark, name in acknowledged.items() if mark not in everything]
        self.figures |= {"acknowledged": len(acknowledged), "lost": len(lost), "commands": kinds}
        if lost:
            self.problem(f"{len(lost)} acknowledged writes are lost: {', '.join(lost[:20])}")

    def mixed(self, seconds):
        """Eight processes at once: what each was told is written is there at the end."""
        ends = time.monotonic() + seconds
        told, lock = [], threading.Lock()

        def work(worker):
            dice = random.Random(worker)
            number = 0
            while time.monotonic() < ends:
                number += 1
                id = f"mixed-{worker}-{number}"
                kind = dice.randrange(4)
                if kind < 2:
                    body = {"run": {"id": id, "task": "mixed", "domain": "cli"}, "steps": [], "ending": {}}
                    code, _, err = self.run(["call", "runs.submit", json.dumps(body)])
                    with lock:
                        self.count("writes")
                        if code == 0:
                            told.append(id)
                        elif code != 3:
                            self.problem(f"submit: {code} {err[-200:]}")
                        else:
                            self.count("busy")
                elif kind == 2:
                    self.run(["run", "--", "sh", "-c", f"echo 'gizmo {number}' >&2; exit 1"])
                    self.count("runs")
                else:
                    code, out, err = self.run(["recall", "gizmo"])
                    self.count("reads")
                    if code != 0:
                        self.problem(f"recall: {code} {err[-200:]}")

        threads = [threading.Thread(target=work, args=(worker,)) for worker in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        requests = "".join(f"episodes.get {json.dumps({'episode': id})}\n" for id in told)
        _, out, _ = self.run(["call", "--lines"], requests.encode())
        answers = out.decode(errors="replace").splitlines()
        lost = sum(id not in answer for id, answer in zip(told, answers)) + abs(len(told) - len(answers))
        self.figures |= {"acknowledged": len(told), "lost": lost}
        if lost:
            self.problem(f"{lost} of {len(told)} acknowledged writes are lost")
        self.sound("mixed processes")

    # Malformed requests.

    SEEDS = [
        'runs.start {"id": "a", "task": "t", "domain": "cli"}',
        'runs.observe {"run": "a", "observed": {"step": {"before": "", "action": {}, "observation": {}}, "feedback": {"action-text": "x"}}}',
        'lessons.propose {"rule-text": "WRONG: a → CORRECT: b", "trigger-texts": ["x"]}',
        'lessons.find {"limit": 3}',
        'events.fingerprint-of {"text": "error: /a/b.c:12: cannot open \\u0000"}',
        'recall.for-task {"task": "x", "domain": "cli"}',
        '{"method": "episodes.find", "args": {"limit": 1}, "id": 7}',
        'adapters.assess {"adapter": "cli", "goal": {"task": "", "domain": "cli", "expectations": ""}, "step": {"before": "", "action": "{}", "observation": "{}"}}',
    ]
    PIECES = [b"{", b"}", b"[", b"]", b'"', b"\\", b"\\ud800", b"1e999", b"-0", b"null", b"\xff", b"\xc3", b"\x00", b" ",
              b"\t", b"\r", b"true", b"9" * 40, b"a" * 3000, b"[" * 300, "é".encode(), b"id", b"method", b"args", b"."]

    def mutant(self, seeds):
        text = bytearray(self.dice.choice(seeds).encode() if isinstance(seeds[0], str) else self.dice.choice(seeds))
        for _ in range(self.dice.randrange(1, 6)):
            at = self.dice.randrange(len(text) + 1)
            what = self.dice.randrange(5)
            if what == 0 and text:
                del text[at : at + self.dice.randrange(1, 12)]
            elif what == 1:
                text[at:at] = self.dice.choice(self.PIECES)
            elif what == 2 and at < len(text):
                text[at] = self.dice.randrange(256)
            elif what == 3:
                text[at:at] = text[max(0, at - 20) : at]
            else:
                del text[at:]
        return bytes(text)

    def lines(self, count, seconds, arguments=("call", "--lines"), seeds=None):
        """Every line has one answer, whatever it holds, and the process lives."""
        ends, batch = time.monotonic() + seconds, 2000
        done = 0
        while done < count and time.monotonic() < ends:
            size = min(batch, count - done)
            requests = [self.mutant(seeds or self.SEEDS).replace(b"\n", b" ").replace(b"\r", b" ") for _ in range(size)]
            requests = [request if request.strip() else b"x" for request in requests]
            code, out, err = self.run(list(arguments), b"\n".join(requests) + b"\n")
            answers = out.count(b"\n")
            self.count("lines", size)
            self.count("answers", answers)
            if answers != size:
                self.problem(f"{size} lines, {answers} answers: {err[-300:]!r}")
            if code not in (0, 1):
                self.problem(f"{arguments} ended with {code}: {err[-300:]!r}")
            for answer in out.splitlines():
                try:
                    json.loads(answer)
                except ValueError:
                    self.problem(f"no JSON: {answer[:200]!r}")
                    break
            done += size
        self.sound("malformed lines")

    MCP = [
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
        '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
        '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"recall","arguments":{"task":"x"}}}',
        '{"jsonrpc":"2.0","id":4,"method":"ping"}',
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        '{"jsonrpc":"2.0","id":"a","method":"resources/read","params":{"uri":"twiceshy://lessons"}}',
    ]

    def mcp(self, count, seconds):
        """A server that is sent nonsense answers each message that wants an answer, and does not panic."""
        code, _, err = self.run(["mcp", "--help"])
        if code != 0:
            self.problem(f"there is no command mcp: {err[-200:]!r}")
            return
        ends, done = time.monotonic() + seconds, 0
        ping = b'{"jsonrpc":"2.0","id":"the-last-one","method":"ping"}'
        while done < count and time.monotonic() < ends:
            size = min(2000, count - done)
            messages = [self.mutant(self.MCP).replace(b"\n", b" ").replace(b"\r", b" ") for _ in range(size)]
            messages = [message if message.strip() else b"{" for message in messages]
            messages = [self.MCP[0].encode(), *messages, ping]
            expected = sum(wants_an_answer(message) for message in messages)
            code, out, err = self.run(["mcp"], b"\n".join(messages) + b"\n")
            answers = 0
            for answer in out.splitlines():
                try:
                    said = json.loads(answer)
                    answers += ("result" in said) != ("error" in said)
                except (ValueError, TypeError):
                    self.problem(f"no answer: {answer[:200]!r}")
                    break
            self.count("messages", len(messages))
            self.count("wanted an answer", expected)
            self.count("answers", answers)
            if answers != expected:
                self.problem(f"{expected} messages wanted an answer, {answers} got one: {err[-300:]!r}")
            if code != 0 or b"the-last-one" not in out:
                self.problem(f"mcp does not answer any more: {code} {err[-300:]!r}")
            done += size
        self.sound("malformed messages")

    def fuzz(self, count, seconds):
        """Mutated inputs are taken or refused; nothing panics, and the memory stays sound."""
        ends = time.monotonic() + seconds
        for number in range(3):
            self.run(["run", "--", "sh", "-c", f"echo 'gizmo {number}' >&2; exit 1"])
        self.run(["lessons", "add", "--rule", "WRONG: a → CORRECT: b"])
        tree, lines = self.root / "tree", self.root / "all.jsonl"
        self.run(["export", str(tree)])
        _, exported, _ = self.run(["export", "--kind", "lessons", "-"])
        files = [path for path in tree.rglob("*") if path.is_file()]
        settings = [b"hints = 1\n[evolving-memory]\ntop-k = 3\n", b"evolvingMemory:\n  topK: 3\nlogLevel: warn\n"]
        texts = [b"error: cannot open /a/b:12", b"Traceback (most recent call last):\n  File \"x\", line 1\nKeyError: 'a'", b"\x1b[31merror\x1b[0m"]
        for _ in range(count):
            if time.monotonic() > ends:
                break
            kind = self.dice.randrange(5)
            if kind == 0 and exported:
                lines.write_bytes(self.mutant([exported]))
                self.refused(["import", str(lines)])
            elif kind == 1 and files:
                copy = self.root / "copy"
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(tree, copy)
                victim = copy / self.dice.choice(files).relative_to(tree)
                victim.write_bytes(self.mutant([victim.read_bytes() or b"x"]))
                self.refused(["import", str(copy)])
            elif kind == 2:
                which = self.dice.randrange(2)
                file = self.project / ".twiceshy" / ("config.toml", "config.yaml")[which]
                file.write_bytes(self.mutant([settings[which]]))
                self.refused(["status"])
                code, out, _ = self.run(["run", "--", "echo", "unharmed"])
                if code != 0 or out != b"unharmed\n":
                    self.problem(f"a command did not run under {file.read_bytes()!r}")
                file.unlink()
            elif kind == 3:
                archive = self.root / "a.tar.gz"
                archive.write_bytes(self.mutant([b"\x1f\x8b\x08\x00" + bytes(60), b"\x00asm\x0d\x00\x01\x00" + bytes(40)]))
                self.refused(["adapter", "install", str(archive)])
            else:
                self.refused(["fingerprint"], self.mutant(texts))
            self.count("inputs")
        self.sound("fuzzing")

    def refused(self, arguments, data=None):
        code, _, err = self.run(arguments, data)
        self.count("refused" if code else "taken")
        if code not in (0, 1, 2, 3):
            self.problem(f"{arguments[:2]} ended with {code}: {err[-300:]!r}")

    def trouble(self):
        """Disks, clocks and limits that are against us: told, survived, and nothing acknowledged is lost."""
        for number in range(3):
            self.run(["run", "--", "sh", "-c", f"echo 'gizmo {number}' >&2; exit 1"])
        fails = ["run", "--", "sh", "-c", "echo 'gizmo' >&2; exit 3"]
        memory = self.project / ".twiceshy"

        def limited(what, most):
            return lambda: resource.setrlimit(what, (most, most))

        for name, limit in {
            "file size of 16 KiB": limited(resource.RLIMIT_FSIZE, 16 << 10),
            "file size of 0": limited(resource.RLIMIT_FSIZE, 0),
            "12 open files": limited(resource.RLIMIT_NOFILE, 12),
            "6 open files": limited(resource.RLIMIT_NOFILE, 6),
            "600 MiB of addresses": limited(resource.RLIMIT_AS, 600 << 20),
            "a second of work": limited(resource.RLIMIT_CPU, 1),
        }.items():
            for arguments in (fails, ["status"], ["recall", "gizmo"], ["lessons", "add", "--rule", "WRONG: a → CORRECT: b"]):
                code, _, err = self.run(arguments, preexec_fn=limit)
                self.count("under limits")
                # With too little of everything, the command itself may not start.
                if arguments is fails and code not in (3, 126, 127, -9, -24, -25, -6):
                    self.problem(f"{name}: the command ended with {code}: {err[-200:]!r}")
            self.sound(name)

        full = self.root / "full"
        full.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(full)], stderr=subprocess.DEVNULL).returncode == 0:
            try:
                (full / ".git").mkdir()
                acknowledged = 0
                for number in range(2_000):
                    # Nothing that could be compressed.
                    task = self.dice.randbytes(3_000).hex(" ", 4)
                    body = {"run": {"id": f"full-{number}", "task": task, "domain": "cli"}, "steps": [], "ending": {}}
                    code, _, err = self.run(["call", "runs.submit", json.dumps(body)], cwd=full)
                    if code:
                        self.figures["full disk says"] = err.decode(errors="replace").strip()[:160]
                        break
                    acknowledged += 1
                if "full disk says" not in self.figures:
                    self.problem("the disk did not get full")
                code, out, _ = self.run(["status", "--json"], cwd=full)
                kept = json.loads(out)["episodes"] if code == 0 else -1
                self.figures |= {"acknowledged before full": acknowledged, "kept": kept}
                if kept < acknowledged:
                    self.problem(f"a full disk lost {acknowledged - kept} of {acknowledged}")
                code, _, err = self.run(fails, cwd=full)
                if code != 3:
                    self.problem(f"a command on a full disk ended with {code}: {err[-200:]!r}")
            finally:
                subprocess.run(["umount", str(full)])
        else:
            self.figures["full disk"] = "no right to mount; not tried"

        self.read_only(fails)
        self.clocks(fails)

        whole = (memory / "memory.db").read_bytes()
        for number in range(60):
            bytes_ = bytearray(whole)
            for _ in range(self.dice.randrange(1, 40)):
                bytes_[self.dice.randrange(len(bytes_))] = self.dice.randrange(256)
            if self.dice.random() < 0.2:
                del bytes_[self.dice.randrange(len(bytes_)) :]
            for name in ("memory.db-wal", "memory.db-shm"):
                (memory / name).unlink(missing_ok=True)
            (memory / "memory.db").write_bytes(bytes_)
            for arguments in (fails, ["doctor"], ["recall", "gizmo"]):
                code, _, err = self.run(arguments)
                self.count("on damage")
                if arguments is fails and code != 3:
                    self.problem(f"a command beside a damaged memory ended with {code}: {err[-200:]!r}")
        for name in ("memory.db-wal", "memory.db-shm"):
            (memory / name).unlink(missing_ok=True)
        (memory / "memory.db").write_bytes(whole)
        self.sound("damage that was taken back")


    def read_only(self, fails):
        """A memory that nobody may write to: the command runs, what is known can be read, and nothing is acknowledged."""
        memory = self.project / ".twiceshy"
        before = json.loads(self.run(["status", "--json"])[1])
        mounts = [["mount", "--bind", str(memory), str(memory)], ["mount", "-o", "remount,ro,bind", str(memory)]]
        is_root = os.geteuid() == 0
        if is_root and any(subprocess.run(mount, stderr=subprocess.DEVNULL).returncode for mount in mounts):
            self.figures["read-only"] = "no right to mount; not tried"
            return
        if not is_root:
            (memory / "memory.db").chmod(0o444)
            memory.chmod(0o555)
        try:
            for arguments, wanted in (
                (fails, (3,)),
                (["run", "--", "true"], (0,)),
                (["status"], (0,)),
                (["recall", "gizmo"], (0,)),
                (["lessons", "add", "--rule", "WRONG: a → CORRECT: b"], (1, 2, 3)),
                (["call", "runs.submit", '{"run": {"task": "x", "domain": "cli"}, "steps": [], "ending": {}}'], (1, 2, 3)),
                (["hook", "claude", "PostToolUseFailure"], (0,)),
            ):
                event = b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "gizmo"}, "error": "Exit code 1\\ngizmo"}'
                code, _, err = self.run(arguments, event if arguments[0] == "hook" else None)
                self.count("read-only")
                if code not in wanted:
                    self.problem(f"{arguments[:2]} beside a read-only memory ended with {code}: {err[-200:]!r}")
        finally:
            if is_root:
                subprocess.run(["umount", str(memory)])
            else:
                memory.chmod(0o755)
                (memory / "memory.db").chmod(0o644)
        after = json.loads(self.run(["status", "--json"])[1])
        if [before["events"], before["lessons"]] != [after["events"], after["lessons"]]:
            self.problem(f"a read-only memory changed: {before} {after}")
        self.sound("a read-only memory")

    def clocks(self, fails):
        """Clocks that jump back and forth between commands of one session, and within a server."""
        library = self.root / "clock.so"
        source = self.root / "clock.c"
        source.write_text(CLOCK)
        build = ["cc", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"]
        if not shutil.which("cc") or subprocess.run(build, capture_output=True).returncode:
            self.figures["clock"] = "there is no C compiler; not tried"
            return
        year = 365 * 86_400
        for offset in (0, -3 * year, 40 * year, -56 * year, 0, 75 * year, -60, 3_600, -3_600, 200 * year, 0):
            environment = self.environment(LD_PRELOAD=str(library), CLOCK_OFFSET=str(offset), TWICESHY_SESSION="clocks")
            for arguments in (fails, ["run", "--", "true"], ["recall", "gizmo"], ["lessons", "list"], ["health"], ["consolidate"]):
                code, _, err = self.run(arguments, env=environment)
                self.count("clocks")
                if arguments is fails and code != 3:
                    self.problem(f"with the clock at {offset} s: {arguments[:2]} ended with {code}: {err[-200:]!r}")
                if arguments is not fails and code not in (0, 1):
                    self.problem(f"with the clock at {offset} s: {arguments[:2]} ended with {code}: {err[-200:]!r}")
        self.sound("jumps of the clock")


# A clock that is off by CLOCK_OFFSET seconds, for whoever loads it.
CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
static long off(void) { const char *text = getenv("CLOCK_OFFSET"); return text ? atol(text) : 0; }
int clock_gettime(clockid_t clock, struct timespec *time) {
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (clock == CLOCK_REALTIME) time->tv_sec += off();
    return result;
}
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    int (*real)(struct timeval *, void *) = dlsym(RTLD_NEXT, "gettimeofday");
    int result = real(time, zone);
    time->tv_sec += off();
    return result;
}
time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("campaign", choices=["kill", "mixed", "lines", "mcp", "fuzz", "trouble", "all"])
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=3_600)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    each = {
        "kill": lambda c: c.kill(arguments.rounds, arguments.seconds),
        "mixed": lambda c: c.mixed(arguments.seconds),
        "lines": lambda c: c.lines(arguments.count, arguments.seconds),
        "mcp": lambda c: c.mcp(arguments.count, arguments.seconds),
        "fuzz": lambda c: c.fuzz(arguments.count, arguments.seconds),
        "trouble": lambda c: c.trouble(),
    }
    wanted = list(each) if arguments.campaign == "all" else [arguments.campaign]
    failed = False
    for name in wanted:
        campaign = Campaign(arguments.program, arguments.seed)
        begun = time.monotonic()
        try:
            each[name](campaign)
        finally:
            shutil.rmtree(campaign.root, ignore_errors=True)
        failed |= bool(campaign.problems)
        report = {"campaign": name, "seconds": round(time.monotonic() - begun), "problems": len(campaign.problems)}
        print(json.dumps(report | campaign.figures), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
