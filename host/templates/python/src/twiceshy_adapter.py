"""What an adapter is built with: payloads that are read by their schemas, and the class that a component exports.

A copy of this file belongs to every adapter in Python; there is nothing to install for it.
"""

import json
import re
import traceback
from dataclasses import dataclass
from typing import Any, Callable, NoReturn, Optional, Protocol

from componentize_py_types import Err
from wit_world import exports
from wit_world.imports.types import (
    Error_InvalidInput,
    Error_Unsupported,
    Feedback,
    Goal,
    Manifest,
    PastStep,
    Step,
)

# A payload has at most this many characters. The contract allows 4 MiB, but an interpreter in a sandbox needs more than
# its second for that.
PAYLOAD_LENGTH = 1 << 18

# A payload is nested at most this deep: a parser that runs out of stack ends the component.
DEPTH = 128

# What matters for how deep a JSON text is nested: brackets that are not in a string. One that never ends goes to the end.
STRUCTURE = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)

# What ends a line or can't be seen.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")

TYPES = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "number": (int, float),
    "object": dict,
    "string": str,
}


@dataclass
class Past:
    """An earlier step, as it was read, and the feedback that was given on it."""

    before: Optional[dict]
    action: dict
    observation: dict
    feedback: Feedback


@dataclass
class Seen:
    """A step as it was seen: what must hold after it, what was seen before it, what was done, what was seen then."""

    task: str
    expectations: dict
    before: Optional[dict]
    action: dict
    observation: dict
    past: list[Past]


class Adapter(Protocol):
    """What the author of an adapter writes."""

    name: str
    version: str
    domain: str
    summary: str
    action: dict
    observation: dict
    expectations: dict

    def assess(self, seen: Seen) -> Feedback:
        """Judges one step: a pure function of what was seen."""
        ...


def component(adapter: Adapter, report: Callable[[str], None] = print) -> type[exports.Assess]:
    """The class `Assess` that the component of an adapter exports. The last words of a mistake are reported."""

    def read(step: Step) -> tuple[Optional[dict], dict, dict]:
        return (
            payload("before", adapter.observation, step.before) if step.before.strip() else None,
            payload("action", adapter.action, step.action),
            payload("observation", adapter.observation, step.observation),
        )

    def past(recent: list[PastStep]) -> list[Past]:
        """An earlier step may have been shortened or masked since: one that can't be read is passed over."""
        readable = []
        for earlier in recent:
            try:
                readable.append(Past(*read(earlier.step), earlier.feedback))
            except Err:
                pass
        return readable

    class Assess(exports.Assess):
        def describe(self) -> Manifest:
            return Manifest(
                name=adapter.name,
                version=adapter.version,
                domain=adapter.domain,
                summary=adapter.summary,
                action_schema=json.dumps(adapter.action),
                observation_schema=json.dumps(adapter.observation),
                expectations_schema=json.dumps(adapter.expectations),
            )

        def assess(self, goal: Goal, recent: list[PastStep], step: Step) -> Feedback:
            if goal.domain != adapter.domain:
                unsupported(f"this adapter judges steps of the domain {adapter.domain}, not of {goal.domain!r}")
            expected = goal.expectations.strip()
            try:
                expectations = payload("expectations", adapter.expectations, expected) if expected else {}
                return bounded(adapter.assess(Seen(goal.task, expectations, *read(step), past(recent))))
            except Err:
                raise
            except BaseException as mistake:
                report(last_words(mistake))
                raise

    return Assess


def last_words(mistake: BaseException) -> str:
    """What went wrong and where. The lines of the source can't be shown: there are no files."""
    places = [f"{frame.f_code.co_filename}:{line}" for frame, line in traceback.walk_tb(mistake.__traceback__)]
    return f"{type(mistake).__name__}: {mistake} at {', '.join(places[-4:])}"


def feedback(action_text: str, **channels: Any) -> Feedback:
    """Feedback with what is left unsaid: nothing failed, and no signal is given."""
    unsaid = {"hard_failure": None, "constraint_failure": [], "progress_signal": None, "efficiency_signal": None}
    return Feedback(action_text, **(unsaid | channels))


def bounded(feedback: Feedback) -> Feedback:
    """Feedback with its texts as the contract allows: so many bytes of UTF-8, and an action in one line."""
    feedback.action_text = cut(CONTROL.sub(" ", feedback.action_text), 4 << 10)
    if failure := feedback.hard_failure:
        failure.reason, failure.evidence = cut(failure.reason, 1 << 10), cut(failure.evidence, 1 << 20)
    feedback.constraint_failure = feedback.constraint_failure[:64]
    for violation in feedback.constraint_failure:
        violation.condition, violation.evidence = cut(violation.condition, 4 << 10), cut(violation.evidence, 16 << 10)
    return feedback


def cut(text: str, most: int) -> str:
    """A text of at most so many bytes of UTF-8, without half characters."""
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


def refuse(member: str, cause: str) -> NoReturn:
    """A payload is not what its schema says."""
    raise Err(Error_InvalidInput(cut(f"{member}: {cause}", 4 << 10)))


def unsupported(cause: str) -> NoReturn:
    """The step is well-formed but not of a kind that this adapter can judge."""
    raise Err(Error_Unsupported(cut(cause, 4 << 10)))


def payload(name: str, schema: dict, text: str) -> dict:
    """Reads a payload by its name, such as `observation`."""
    if len(text) > PAYLOAD_LENGTH:
        refuse(name, f"it is longer than {PAYLOAD_LENGTH} characters")
    if is_deep(text):
        refuse(name, f"it is nested deeper than {DEPTH} levels")
    try:
        value = json.loads(text, parse_constant=lambda constant: refuse(name, f"{constant} is not JSON"))
    except ValueError as error:
        refuse(name, f"it is not JSON: {error}")
    check(name, schema, value)
    return value


def check(path: str, schema: dict, value: Any) -> None:
    """Refuses a value that does not fit its schema. Knows the keywords that the schemas of an adapter need."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_of(kind, value) for kind in kinds):
        refuse(path, f"it is not of the type {' or '.join(kinds)}")
    if "enum" in schema and value not in schema["enum"]:
        refuse(path, f"it is none of {', '.join(map(str, schema['enum']))}")
    if is_of("number", value) and "minimum" in schema and value < schema["minimum"]:
        refuse(path, f"it is less than {schema['minimum']}")
    if is_of("number", value) and "maximum" in schema and value > schema["maximum"]:
        refuse(path, f"it is more than {schema['maximum']}")
    if isinstance(value, list) and "items" in schema:
        for place, item in enumerate(value):
            check(f"{path}[{place}]", schema["items"], item)
    if isinstance(value, dict):
        for member in schema.get("required", []):
            if member not in value:
                refuse(path, f"the member {member} is missing")
        properties = schema.get("properties", {})
        for member, content in value.items():
            if member in properties:
                check(f"{path}.{member}", properties[member], content)
            elif schema.get("additionalProperties") is False:
                refuse(path, f"there is no member {member}")


def is_of(kind: str, value: Any) -> bool:
    """To Python, True is an integer; to a schema, it is not."""
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def is_deep(text: str) -> bool:
    level = 0
    for part in STRUCTURE.finditer(text):
        level += {"{": 1, "[": 1, "}": -1, "]": -1}.get(part[0], 0)
        if level > DEPTH:
            return True
    return False
