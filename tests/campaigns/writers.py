"""Every command that writes, for a campaign that kills it: how it is called, when it has acknowledged, and what is there then."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

SESSION = Path(__file__).resolve().parent.parent / "fixtures/learn/claude.jsonl"
HELLO = ('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
         '"clientInfo":{"name":"x","version":"1"}}}\n')
# What is so old that `prune` removes it, as the campaign calls it.
LONG_AGO, BEFORE = 1_300_000_000_000, "2016-01-01"


def word(number):
    """A word that nothing else has in it, and that is neither a number nor a secret."""
    syllables = ""
    for _ in range(4):
        syllables += "bdfgklmnprstvw"[number % 14] + "aeiou"[number // 14 % 5]
        number //= 70
    return f"z{syllables}z"


@dataclass
class Writer:
    """One call. What it acknowledged is marked in an export; without a mark, that it ended well is all that it says."""

    name: str
    arguments: list[str]
    mark: str | None = None
    data: bytes | None = None
    acknowledged: Callable = lambda code, out, err: code == 0
    # Looks, after it was killed or ended, for what must hold then.
    after: Callable = lambda: None


class Writers:
    """Makes the calls. `run` is how the campaign runs a command to its end, which is not killed."""

    def __init__(self, campaign):
        self.campaign = campaign
        self.root = campaign.root
        self.kinds = [name.removeprefix("by_") for name in dir(self) if name.startswith("by_")]

    def writer(self, dice, number):
        name = dice.choice(self.kinds)
        return getattr(self, f"by_{name}")(word(number), number)

    def done(self, arguments, data=None, **options):
        """Something that has to be there before: it must work."""
        code, out, err = self.campaign.run(arguments, data, **options)
        if code != 0:
            self.campaign.problem(f"{arguments[:3]} ended with {code}: {err[-300:].decode(errors='replace')}")
        return out

    def file(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def episode(self, mark, at=None):
        episode = {"id": f"ep-{mark}", "task": f"turn {mark}", "domain": "cli", "outcome": "success", "tools-used": [],
                   "strategies-applied": [], "tags": [], "trace": [{"after": 0, "action": f"turn {mark}", "result": "pass"}]}
        if at is not None:
            episode |= {"started-at": at, "ended-at": at + 1_000}
        return ["call", "episodes.add", json.dumps({"episode": episode})]

    # What is done between two steps of an agent.

    def by_run(self, mark, number):
        said = lambda code, out, err: code == 1 and b"not remembered" not in err
        return Writer("run", ["run", "--", "sh", "-c", f"echo gizmo: {mark} is stuck >&2; exit 1"], mark, acknowledged=said)

    def by_hook(self, mark, number):
        # A few steps in each session.
        event = {"session_id": f"session-{number // 9}", "cwd": str(self.campaign.project), "tool_name": "Bash",
                 "tool_input": {"command": f"./gizmo {mark}"}, "error": f"Exit code 1\ngizmo: {mark} is stuck"}
        return Writer("hook", ["hook", "claude", "PostToolUseFailure"], mark, json.dumps(event).encode())

    def by_mcp(self, mark, number):
        call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                "params": {"name": "remember", "arguments": {"text": f"the gizmo is called {mark}", "kind": "fact"}}}

        def said(code, out, err):
            # What a killed server did not finish to say is no answer.
            whole = [json.loads(line) for line in out.split(b"\n")[:-1]]
            return any(one.get("id") == 2 and not one.get("result", {"isError": True})["isError"] for one in whole)

        return Writer("mcp", ["mcp"], mark, (HELLO + json.dumps(call) + "\n").encode(), said)

    def by_task_start(self, mark, number):
        return Writer("task start", ["task", "start", f"turn {mark}", "--id", f"task-{mark}"], mark)

    def by_task_finish(self, mark, number):
        self.done(["task", "start", f"turn {mark}", "--id", f"task-{mark}"])

        def after():
            # Finished, or open and to be finished.
            code, _, _ = self.campaign.run(["call", "episodes.get", json.dumps({"episode": f"task-{mark}"})])
            if code != 0:
                self.done(["task", "finish", f"task-{mark}", "--outcome", "success"])

        return Writer("task finish", ["task", "finish", f"task-{mark}", "--outcome", "success"], f"task-{mark}", after=after)

    # What is taught and recorded.

    def by_submit(self, mark, number):
        step = {"step": {"before": "", "action": {"command": ["gizmo"]}, "observation": {}},
                "feedback": {"action-text": "gizmo", "constraint-failure": [],
                             "hard-failure": {"reason": "exit 1", "evidence": f"gizmo: {mark} is stuck"}}}
        run = {"run": {"id": f"run-{mark}", "task": f"turn {mark}", "domain": "cli"}, "steps": [step], "ending": {}}
        return Writer("submit", ["call", "runs.submit", json.dumps(run)], f"run-{mark}")

    def by_lesson(self, mark, number):
        return Writer("lesson", ["lessons", "add", "--rule", f"WRONG: gizmo {mark} → CORRECT: gadget {mark}"], mark)

    def by_decision(self, mark, number):
        decision = {"module": "m", "hypothesis": f"turn {mark}", "outcome": "rejected", "rationale": "r", "rejection-reason": "x"}
        return Writer("decision", ["call", "decisions.record", json.dumps({"decision": decision})], mark)

    def by_skill(self, mark, number):
        text = f"# Skill: {mark}\n\n## Steps\n1. Turn the {mark}\n"
        return Writer("skill", ["skills", "put", f"skill-{mark}", "-"], mark, text.encode())

    def by_keep(self, mark, number):
        return Writer("keep", ["episodes", "keep", self.file(f"kept/{mark}", f"a report of {mark}\n" * 200)])

    # What comes from elsewhere, and goes there.

    def by_import(self, mark, number):
        lines = "".join(json.dumps({"rule_text": f"Oil the {mark} of gizmo {one}"}) + "\n" for one in range(20))
        return Writer("import", ["import", self.file("lessons.jsonl", lines), "--kind", "lessons"], mark)

    def by_learn(self, mark, number):
        text = SESSION.read_text().replace("build.py", f"{mark}.py").replace("0c1d2e3f", f"{number:08x}")
        return Writer("learn", ["learn", "--from", self.file("session.jsonl", text)], mark)

    def by_share(self, mark, number):
        rule = f"WRONG: gizmo {mark} → CORRECT: gadget {mark}"
        lesson = json.loads(self.done(["lessons", "add", "--rule", rule, "--json"]))["id"]
        self.done(["lessons", "set-status", lesson, "promoted", "it holds"])
        place = self.campaign.project / "twiceshy-lessons"

        def after():
            for file in place.glob("*") if place.exists() else ():
                # A file is there whole, or not at all; what is hidden is not read by anybody.
                if not file.name.startswith(".") and "- scope:" not in file.read_text():
                    self.campaign.problem(f"half a shared lesson: {file.name}: {file.read_text()!r}")

        def said(code, out, err):
            there = (place / f"{lesson}.md").exists()
            if code == 0 and not there:
                self.campaign.problem(f"share did not write {lesson}: {out[-200:]!r}")
            return code == 0

        return Writer("share", ["share"], mark, acknowledged=said, after=after)

    def by_share_read(self, mark, number):
        text = f"WRONG: gizmo {mark} → CORRECT: gadget {mark}\n\n- kind: rule\n- scope: global\n"
        place = Path(self.file(f"shared-{number}/les_{number:016x}.md", text)).parent
        return Writer("share --read", ["share", "--read", "--directory", str(place)], mark)

    def by_export(self, mark, number):
        return Writer("export", ["export", "--force", str(self.root / f"out-{number % 7}")])

    def by_restore(self, mark, number):
        backup, place = self.root / "backup.tar.gz", self.root / "restored/.twiceshy"
        status = lambda: json.loads(self.done(["status", "--json", "--memory", str(place)]))["lessons"]
        if not backup.exists():
            place.parent.mkdir()
            self.done(["backup", str(backup)])
            self.done(["restore", str(backup), "--memory", str(place), "--yes"])
            self.kept = status()

        def after():
            # The one from before or the new one; both have the same in them.
            if status() != self.kept:
                self.campaign.problem(f"a restore left {status()} lessons of {self.kept}: {sorted(place.parent.iterdir())}")
            self.campaign.sound("a restore", "--memory", str(place))
            for aside in place.parent.iterdir():
                if aside != place:
                    self.campaign.remove(aside)

        return Writer("restore", ["restore", str(backup), "--memory", str(place), "--yes"], after=after)

    # What keeps a memory in order.

    def by_consolidate(self, mark, number):
        return Writer("consolidate", ["consolidate"])

    def by_age(self, mark, number):
        return Writer("age", ["episodes", "age"])

    def by_skills_sync(self, mark, number):
        return Writer("skills sync", ["skills", "sync"])

    def by_prune(self, mark, number):
        self.done(self.episode(mark, LONG_AGO))
        return Writer("prune", ["prune", "--before", BEFORE, "--yes"], after=self.gone(mark, ["prune", "--before", BEFORE, "--yes"]))

    def by_purge(self, mark, number):
        self.done(self.episode(mark))
        self.done(["episodes", "soft-delete", f"ep-{mark}", "not any more"])
        purge = ["episodes", "purge", "--retention-days", "0", "--yes"]
        return Writer("episodes purge", purge, after=self.gone(mark, purge))

    def gone(self, mark, again):
        """Whoever was killed while removing something is called again: then it is gone."""

        def after():
            self.done(again)
            code, out, _ = self.campaign.run(["call", "episodes.get", json.dumps({"episode": f"ep-{mark}"})])
            if code == 0:
                self.campaign.problem(f"{again[:2]} left ep-{mark}: {out[-200:]!r}")

        return after

    def by_reindex(self, mark, number):
        # Added by somebody without the static model, so that there is something to embed.
        home = self.root / "home-without-model"
        if not home.exists():
            home.mkdir()
            (home / "config.toml").write_text("static-model = false\n")
            (home / "cache").symlink_to(self.campaign.home / "cache")
        self.done(self.episode(mark), env=self.campaign.environment(TWICESHY_HOME=str(home), TWICESHY_TRUST="1"))
        return Writer("reindex", ["reindex"], f"ep-{mark}")
