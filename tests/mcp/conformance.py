"""Reads the results of the official conformance suite, check by check, and fails if one failed that concerns this server.

Much of the suite tries tools, prompts and resources that only its own example server has, or parts of the protocol that this
server does not offer. Its baseline of expected failures names whole scenarios, which would hide everything else in them.

Usage: python3 conformance.py RESULTS
"""

import collections
import glob
import json
import os
import sys

# What a check says that needs something only the suite's own example server has.
FIXTURES = ["Not testable", "There is no tool", "There is no prompt", "There is no resource", "not found. Available tools"]

# Scenarios about what is not offered, and why.
NOT_OFFERED = {
    "logging-set-level": "logs go to standard error; the protocol has deprecated them",
    "tools-call-with-logging": "as above",
    "resources-subscribe": "nobody is told of changes",
    "resources-unsubscribe": "as above",
    "tools-call-sampling": "no tool asks the client's model",
    "tools-call-elicitation": "no tool asks the person",
    "elicitation-": "as above",
    "input-required-result-": "as above",
    "tasks-": "no tool takes long",
}

# What must have passed, so that a suite that tries nothing is no success.
LEAST_PASSED = 120


def main(results: str) -> int:
    counts = collections.Counter()
    failed = []
    for file in sorted(glob.glob(os.path.join(results, "*", "checks.json"))):
        # server-NAME-TIME
        scenario = os.path.basename(os.path.dirname(file)).removeprefix("server-").rsplit("-", 6)[0]
        with open(file, encoding="utf-8") as checks:
            for check in json.load(checks):
                words = check.get("errorMessage", "")
                if check["status"] != "FAILURE":
                    counts[check["status"].lower()] += 1
                elif any(scenario.startswith(name) for name in NOT_OFFERED):
                    counts["not offered"] += 1
                elif any(fixture in words for fixture in FIXTURES):
                    counts["of another server"] += 1
                else:
                    failed.append(f"{scenario}: {check['id']}: {words}")
    print("conformance:", ", ".join(f"{count} {name}" for name, count in sorted(counts.items())), f"{len(failed)} failed")
    print("\n".join(failed), end="\n" if failed else "")
    if counts["success"] < LEAST_PASSED:
        print(f"only {counts['success']} checks passed; at least {LEAST_PASSED} should")
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
