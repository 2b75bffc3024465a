"""Judges requests to a JSON API, one at a time: what was asked, what came back, and how far the agent is."""

import json
from itertools import islice
from typing import Optional

import schemas
from twiceshy_adapter import Seen, feedback
from wit_world.imports.types import Failure, Feedback, Violation


class Api:
    name = "{{name}}"
    version = "0.1.0"
    domain = "{{domain}}"
    summary = "Judges requests to a JSON API by their answers, and by what they brought."
    action = schemas.ACTION
    observation = schemas.OBSERVATION
    expectations = schemas.EXPECTATIONS

    def assess(self, seen: Seen) -> Feedback:
        failure = hard_failure(seen.observation)
        # What a failed request did not bring is said by the failure.
        if failure:
            return feedback(text(seen.action), hard_failure=failure)
        return feedback(
            text(seen.action),
            constraint_failure=constraint_failure(seen),
            progress_signal=progress_signal(seen),
            efficiency_signal=efficiency_signal(seen),
        )


def hard_failure(observation: dict) -> Optional[Failure]:
    """What failed outright: no answer, or a status that says so. The API's own words are the evidence."""
    status = observation.get("status")
    if status is None:
        return Failure("no answer", observation.get("error", ""))
    if status < 400:
        return None
    words = observation.get("body", "")
    if isinstance(words, dict):
        words = words.get("error") or words.get("message") or words
    return Failure(f"status {status}", words if isinstance(words, str) else json.dumps(words, ensure_ascii=False, separators=(",", ":")))


def constraint_failure(seen: Seen) -> list[Violation]:
    """What must hold and does not: the members of the answer, and that nothing is fetched twice."""
    body = seen.observation.get("body")
    members = body.keys() if isinstance(body, dict) else ()
    missing = (member for member in seen.expectations.get("members", []) if member not in members)
    violations = [
        Violation(f"the answer has the member {member}", f"it has {', '.join(members) or 'none'}")
        # Feedback has room for no more, and there may be very many.
        for member in islice(missing, 64)
    ]
    answered = [text(past.action) for past in seen.past if not past.feedback.hard_failure]
    if seen.action["method"] == "GET" and text(seen.action) in answered:
        violations.append(Violation("nothing is fetched twice", f"{text(seen.action)} was answered before"))
    return violations


def progress_signal(seen: Seen) -> Optional[float]:
    """The share of the wanted items that this request brought."""
    wanted, held = seen.expectations.get("items"), seen.observation.get("items")
    if seen.action["method"] != "GET" or wanted is None or held is None:
        return None
    brought = held - (seen.before or {}).get("items", 0)
    return max(-1.0, min(1.0, brought / wanted))


def efficiency_signal(seen: Seen) -> Optional[float]:
    """How the items so far compare with what the requests so far should have brought."""
    wanted, budget = seen.expectations.get("items"), seen.expectations.get("requests")
    sent = seen.observation.get("requests")
    if not wanted or not budget or not sent:
        return None
    due = wanted * sent / budget
    return min(1.0, seen.observation.get("items", 0) / due)


def text(action: dict) -> str:
    """The request in one line."""
    return " ".join(f"{action['method']} {action['path']}".split())[:500]
