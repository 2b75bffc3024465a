"""How values of the contract become JSON and back.

A record is an object with the names of the contract, a variant an object with its case as the only member. What a class
needs is read from its annotations once, when it is first met.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

T = TypeVar("T")

Json = Union[str, int, float, bool, None, Mapping[str, Any], Sequence[Any]]
"""A JSON value: as the value itself, or as its text. Results have it as text; an empty text is no value."""

Decoder = Callable[[Any], Any]

_members: dict[type, tuple[tuple[str, str], ...]] = {}
_decoders: dict[Any, Decoder | None] = {}


def encode(arguments: Mapping[str, Any]) -> str:
    """The JSON of a call's arguments."""
    text = json.dumps({name: plain(value) for name, value in arguments.items()}, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        # Bytes of a file name or an output that are no text, as Python keeps them.
        text = text.encode("utf-8", "replace").decode()
    return text


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    kind = type(value)
    if kind is str or value is None or kind is int or kind is float or kind is bool:
        return value
    if is_dataclass(kind):
        names = _members.get(kind)
        if names is None:
            names = _members[kind] = tuple((field.name, field.name.replace("_", "-")) for field in fields(kind))
        members = {name: plain(one) for attribute, name in names if (one := getattr(value, attribute)) is not None}
        case = getattr(kind, "CASE", None)
        return members if case is None else {case: members}
    if isinstance(value, (bytes, bytearray, memoryview)):
        return list(bytes(value))
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(one) for one in value]
    return value


def decode(text: str, kind: type[T]) -> T:
    """What a call answered."""
    result: T = _as(kind, json.loads(text))
    return result


def decode_list(text: str, kind: type[T]) -> Sequence[T]:
    """The same of a list."""
    decoder = decoder_of(kind)
    values = json.loads(text)
    return tuple(values) if decoder is None else tuple(map(decoder, values))


def _as(kind: Any, value: Any) -> Any:
    decoder = decoder_of(kind)
    return value if decoder is None else decoder(value)


def decoder_of(kind: Any) -> Decoder | None:
    """How a value of this kind is made from JSON; nothing if it is what JSON has."""
    try:
        return _decoders[kind]
    except KeyError:
        decoder = _decoders[kind] = _make(kind)
        return decoder


def _make(kind: Any) -> Decoder | None:
    origin = get_origin(kind)
    if kind is bytes:
        return bytes
    if origin is Sequence:
        return _sequence(decoder_of(get_args(kind)[0]))
    if origin in (UnionType, Union):
        cases = [one for one in get_args(kind) if one is not type(None)]
        if len(cases) == 1:
            return _optional(decoder_of(cases[0]))
        if all(hasattr(one, "CASE") for one in cases):
            return _variant({one.CASE: one for one in cases})
        return None
    if isinstance(kind, type) and is_dataclass(kind):
        return _record(kind)
    return None


def _sequence(item: Decoder | None) -> Decoder:
    if item is None:
        return tuple
    return lambda values: tuple(map(item, values))


def _optional(some: Decoder | None) -> Decoder | None:
    if some is None:
        return None
    return lambda value: None if value is None else some(value)


def _variant(cases: dict[str, Any]) -> Decoder:
    def decode_case(value: Any) -> Any:
        if value is None:
            return None
        ((case, payload),) = value.items()
        return _as(cases[case], payload)

    return decode_case


def _record(kind: Any) -> Decoder:
    members = [(field.name.replace("_", "-"), field.name, decoder_of(field.type)) for field in fields(kind)]

    def decode_record(value: dict[str, Any]) -> Any:
        given = {}
        for name, attribute, decoder in members:
            # A member that a newer memory left out, or does not know, is as empty as the contract lets it be.
            if name in value:
                one = value[name]
                given[attribute] = one if decoder is None else decoder(one)
        return kind(**given)

    return decode_record
