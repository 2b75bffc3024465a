"""The memory component in Python, by wasmtime from PyPI: typed calls and `rpc`, over a store in memory.

usage: python memory.py memory.wasm
"""

from __future__ import annotations

import json
import sys
from typing import Any

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, Variant


def record(**members: Any) -> Record:
    """A record of the contract; `_` stands for `-`."""
    one = Record()
    for name, value in members.items():
        setattr(one, name.replace("_", "-"), value)
    return one


def plain(value: Any) -> Any:
    """A value of the contract as JSON has it."""
    if isinstance(value, Record):
        return {name: plain(member) for name, member in value.__dict__.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


class Documents:
    """Documents by kind and id: what the memory needs to remember, without search by text or vector.

    A variant or result whose cases are told apart by their types is its bare payload here, any other a `Variant`.
    """

    def __init__(self) -> None:
        self.kinds: dict[str, dict[str, tuple[Any, list[Any]]]] = {}

    def get_many(self, _: Any, keys: list[Any]) -> Any:
        found = (self.kinds.get(key.kind, {}).get(key.id) for key in keys)
        return [one[0] for one in found if one]

    def commit(self, _: Any, batch: list[Any]) -> Any:
        kinds = {kind: dict(documents) for kind, documents in self.kinds.items()}
        for change in batch:
            given = change.payload
            document = getattr(given, "document", None)
            key = document.key if document else given.key
            documents = kinds.setdefault(key.kind, {})
            version = documents[key.id][0].version if key.id in documents else 0
            condition = given.precondition
            holds = (
                condition.tag == "anything"
                or condition.tag == "absent" and version == 0
                or condition.tag == "at" and version == condition.payload
            )
            if not holds:
                return Variant("conflict", f"{key.kind}/{key.id} has version {version}")
            if document:
                stored = record(key=key, version=version + 1, body=document.body)
                documents[key.id] = (stored, document.attributes)
            else:
                documents.pop(key.id, None)
        self.kinds = kinds
        return None

    def matching(self, kind: str, conditions: list[Any]) -> list[tuple[Any, list[Any]]]:
        def passes(attributes: list[Any], condition: Any) -> bool:
            values = [one.value for one in attributes if one.name == condition.attribute]
            test, wanted = condition.test.tag, condition.test.payload
            alike = [value for value in values if type(value) is type(wanted)]
            return {
                "equals": lambda: wanted in alike,
                "any-of": lambda: any(value in wanted for value in values),
                "at-least": lambda: any(value >= wanted for value in alike),
                "at-most": lambda: any(value <= wanted for value in alike),
                "missing": lambda: not values,
            }[test]()

        documents = self.kinds.get(kind, {})
        return [one for _, one in sorted(documents.items()) if all(passes(one[1], test) for test in conditions)]

    def find(self, _: Any, query: Any) -> Any:
        found = self.matching(query.kind, query.conditions)
        order = query.order
        if isinstance(order, (str, list)):
            found = []
        elif order is not None:
            values = [(one, [a.value for a in one[1] if a.name == order.attribute]) for one in found]
            ranked = sorted((pair for pair in values if pair[1]), key=lambda pair: pair[1][0], reverse=order.descending)
            found = [one for one, _ in ranked]
        page = found[query.offset : query.offset + query.limit]
        return [record(document=stored, score=0.0) for stored, _ in page]

    def count(self, _: Any, kind: str, conditions: list[Any]) -> Any:
        return len(self.matching(kind, conditions))

    def optimize(self, _: Any) -> None:
        return None


def unavailable(*_: Any) -> Any:
    return Variant("unavailable", "not offered here")


def main() -> None:
    engine = Engine()
    component = Component.from_file(engine, sys.argv[1])
    store, linker, documents = Store(engine), Linker(engine), Documents()
    ports = {
        "store": {
            "get-many": documents.get_many,
            "commit": documents.commit,
            "commit-lightly": documents.commit,
            "find": documents.find,
            "count": documents.count,
            "optimize": documents.optimize,
        },
        "archive": {"keep": unavailable, "fetch": unavailable, "discard": unavailable},
        "embedder": {"identity": unavailable, "embed": unavailable},
        "model": {"complete": unavailable},
        "clock": {"now": lambda _: 1704110400000},
        "log": {"write": lambda *_: None},
    }
    with linker.root() as root:
        for port, functions in ports.items():
            with root.add_instance(f"twiceshy:host/{port}@0.1.0") as instance:
                for name, function in functions.items():
                    instance.add_func(name, function)
    memory = linker.instantiate(store, component)

    def export(interface: str, name: str, *arguments: Any) -> Any:
        index = memory.get_export_index(store, f"twiceshy:memory/{interface}@0.1.0")
        function = memory.get_func(store, memory.get_export_index(store, name, index))
        result = function(store, *arguments)
        function.post_return(store)
        return result

    def call(method: str, **arguments: Any) -> Any:
        answer = export("rpc", "call", method, json.dumps(arguments))
        assert isinstance(answer, str), answer
        return json.loads(answer)

    step = {
        "step": {"action": {"command": ["x"]}},
        "feedback": {"action-text": "x", "hard-failure": {"reason": "exit 1", "evidence": "error: no such gadget 42"}},
    }
    submitted = call("runs.submit", run={"task": "build", "domain": "cli"}, steps=[step], ending={})
    failure = submitted["reactions"][0]["failure"]
    event = export("events", "get", failure["id"])
    assert plain(event) == failure, (plain(event), failure)
    for outcome in ["accepted", "rejected", "rejected"]:
        call("decisions.record", module="loader", hypothesis=f"cache {outcome}", outcome=outcome, rationale="measured")
    # Lists of records of numbers cross as bytes: both ways must say the same.
    typed, flat = plain(export("decisions", "stats")), call("decisions.stats")
    assert typed == flat, (typed, flat)
    refused = export("rpc", "call", "no.such", "{}")
    assert refused.tag == "invalid-argument", refused
    print(f"wasmtime: {call('upkeep.status')['events']} event, {flat['rejected']} rejections")


main()
