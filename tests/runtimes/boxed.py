"""The store component and the memory in one component in Python, by wasmtime from PyPI: the recorded suite and session.

usage: python boxed.py store.wasm twiceshy-rpc.wasm session.jsonl
"""

from __future__ import annotations

import bisect
import gzip
import json
import pathlib
import sys
import time
from typing import Any

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, Variant


def record(**members: Any) -> Record:
    """A record of the contract."""
    one = Record()
    one.__dict__.update(members)
    return one


class Bytes:
    """Bytes under keys, in memory: all that the store needs."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}
        self.keys: list[str] = []

    def get(self, _: Any, keys: list[str]) -> Any:
        return [self.values.get(key) for key in keys]

    def scan(self, _: Any, first: str, end: str, limit: int) -> Any:
        at = bisect.bisect_left(self.keys, first)
        found = self.keys[at : min(at + limit, bisect.bisect_left(self.keys, end))]
        return [record(key=key, value=self.values[key]) for key in found]

    def commit(self, _: Any, batch: list[Any], durable: bool) -> Any:
        for write in batch:
            if write.value is not None:
                if write.key not in self.values:
                    bisect.insort(self.keys, write.key)
                self.values[write.key] = bytes(write.value)
            elif self.values.pop(write.key, None) is not None:
                self.keys.remove(write.key)
        return None


class Host:
    """A component over bytes, with a clock that one sets."""

    def __init__(self, engine: Engine, component: Component, package: str) -> None:
        self.store, self.package, self.now, data = Store(engine), package, 0, Bytes()
        none = lambda *_: Variant("unavailable", "there is none")
        ports = {
            "bytes": {"get": data.get, "scan": data.scan, "commit": data.commit},
            "embedder": {"identity": none, "embed": none},
            "model": {"complete": none},
            "clock": {"now": lambda _: self.now},
            "log": {"write": lambda *_: None},
        }
        linker = Linker(engine)
        with linker.root() as root:
            for port, functions in ports.items():
                with root.add_instance(f"twiceshy:host/{port}@0.1.0") as instance:
                    for name, function in functions.items():
                        instance.add_func(name, function)
        self.instance = linker.instantiate(self.store, component)

    def call(self, interface: str, name: str, *given: Any) -> Any:
        index = self.instance.get_export_index(self.store, f"twiceshy:{self.package}/{interface}@0.1.0")
        function = self.instance.get_func(self.store, self.instance.get_export_index(self.store, name, index))
        answer = function(self.store, *given)
        function.post_return(self.store)
        return answer


def number(value: Any) -> float:
    return float("nan") if value is None else float(value)


def value(given: Any) -> Any:
    """A text or a number: told apart by their types, so that neither has a tag."""
    return given["text"] if "text" in given else number(given["number"])


def tagged(given: Any, payload: Any = lambda one, tag: one) -> Variant:
    if isinstance(given, str):
        return Variant(given)
    [(tag, one)] = given.items()
    return Variant(tag, payload(one, tag))


def change(given: Any) -> Variant:
    def payload(one: Any, tag: str) -> Record:
        precondition = tagged(one["precondition"])
        if tag == "remove":
            return record(key=record(**one["key"]), precondition=precondition)
        document = one["document"]
        attributes = [record(name=each["name"], value=value(each["value"])) for each in document["attributes"]]
        vector = [number(component) for component in document["vector"]]
        members = {**document, "key": record(**document["key"]), "attributes": attributes, "vector": vector}
        return record(document=record(**members), precondition=precondition)

    return tagged(given, payload)


def conditions(given: Any) -> list[Record]:
    test = lambda one, tag: [value(each) for each in one] if tag == "any-of" else value(one)
    return [record(attribute=one["attribute"], test=tagged(one["test"], test)) for one in given]


def order(given: Any) -> Any:
    if given == "by-id":
        return None
    [(tag, one)] = given.items()
    return {"by-attribute": lambda: record(**one), "by-text": lambda: one, "by-nearest": lambda: [number(x) for x in one]}[tag]()


def asked(host: Host, call: str, given: Any) -> Any:
    """One request to the store, its answer as JSON has it."""
    if "keys" in given:
        arguments = [[record(**key) for key in given["keys"]]]
    elif "batch" in given:
        arguments = [[change(one) for one in given["batch"]]]
    elif "query" in given:
        query = given["query"]
        arguments = [record(**{**query, "conditions": conditions(query["conditions"]), "order": order(query["order"])})]
    else:
        arguments = [given["kind"], conditions(given["conditions"])] if "kind" in given else []
    answer = host.call("store", call, *arguments)
    return {"error": answer.tag} if isinstance(answer, Variant) else {"ok": plain(answer)}


def plain(one: Any) -> Any:
    if isinstance(one, Record):
        return {name: plain(member) for name, member in one.__dict__.items()}
    return [plain(item) for item in one] if isinstance(one, list) else one


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.strip("\n").split("\n")]


def expect(index: int, line: Any, answer: Any) -> None:
    expected = {"error": line["error"]} if "error" in line else {"ok": line["ok"]}
    assert answer == expected, f"line {index + 1}: {str(answer)[:2000]} is not {str(expected)[:2000]}"


def main() -> None:
    engine, suite = Engine(), pathlib.Path(__file__).parent / "store.jsonl.gz"
    component, begun, count = Component.from_file(engine, sys.argv[1]), time.process_time(), 0
    is_too_large = False
    for index, line in enumerate(lines(gzip.decompress(suite.read_bytes()).decode())):
        if "case" in line:
            # wasmtime lets no list of 8 MiB of bytes pass by way of Python: each byte is a value there.
            is_too_large = line["case"] == "a_body_has_at_most_8_mebibytes"
            host = Host(engine, component, "host")
            continue
        if is_too_large:
            continue
        expect(index, line, asked(host, line["call"], line["arguments"]))
        count += 1
    print(f"python: the store component gave {count} recorded answers in {time.process_time() - begun:.1f} s")

    component, begun = Component.from_file(engine, sys.argv[2]), time.process_time()
    memory, session = Host(engine, component, "memory"), lines(pathlib.Path(sys.argv[3]).read_text(encoding="utf-8"))
    for index, line in enumerate(session):
        memory.now = line["at"]
        answer = memory.call("rpc", "call", line["method"], json.dumps(line["arguments"]))
        expect(index, line, {"ok": json.loads(answer)} if isinstance(answer, str) else {"error": answer.tag})
    print(f"python: the session gave {len(session)} recorded answers in {time.process_time() - begun:.1f} s")


main()
