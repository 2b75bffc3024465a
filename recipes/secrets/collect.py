#!/usr/bin/env python3
"""Makes a labelled set of secrets from the tests of projects that look for them, for `examples/masking.rs` of twiceshy-fingerprint.

    recipes/secrets/collect.py --trufflehog DIRECTORY --rules DIRECTORY [--rules DIRECTORY] > secrets.jsonl
    cargo run -p twiceshy-fingerprint --example masking -- secrets.jsonl

DIRECTORY is a clone of trufflehog (the inputs of `pkg/detectors/*/*_test.go` and what must be found in them), or of a project
with rules in YAML that have `examples` (noseyparker, kingfisher), where the groups of a rule's own pattern say which part of an
example is the secret; its `negative_examples` are harmless. Each line has `source`, `kind`, `text` and `hidden`, the secrets in the text; it is
empty for a harmless text. Needs PyYAML and `regex` from PyPI. What others wrote stays with them: the set is not part of this tree.
"""

import argparse
import json
import re
import sys
from pathlib import Path

import regex
import yaml

# Groups of a pattern that name an account, a host or a place, and no secret.
NO_SECRET = re.compile(r"user|login|id$|identifier|host|domain|url|region|account|bucket|name|email|org", re.I)
# What rules find along with a secret: an address, a name, a word, a whole connection string. A rule that finds a whole address
# with a secret in it is left out, because what is around the secret may stay.
NONE = re.compile(r"[a-z]+:|[\w.+-]+@[\w-]+\.[\w.-]+$|[a-z][a-z0-9]*(-[a-z0-9]+)*$(?<!\w{20})|[A-Za-z]+$(?<!\w{20})|Endpoint=")


def say(source: str, kind: str, text: str, hidden: list[str]) -> None:
    print(json.dumps({"source": source, "kind": kind, "text": text, "hidden": hidden}, ensure_ascii=False))


def go_string(text: str) -> str | None:
    """What a literal of Go stands for."""
    if text.startswith("`"):
        return text[1:-1]
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None


LITERAL = r'(?:`[^`]*`|"(?:[^"\\\n]|\\.)*")'


def trufflehog(directory: Path) -> None:
    """Tests that have the input and what is wanted as literals. What is wanted is one secret, or one joined from several parts of
    the input; parts that are in the input as they are count."""
    case = re.compile(r"input:\s*(" + LITERAL + r"),\s*want:\s*(nil|\[\]string\{([^}]*)\})")
    for path in sorted(directory.glob("pkg/detectors/**/*_test.go")):
        kind = path.parent.relative_to(directory / "pkg/detectors").as_posix()
        for match in case.finditer(path.read_text()):
            text = go_string(match[1])
            wanted = [go_string(one) for one in re.findall(LITERAL, match[3] or "")]
            hidden = [one for one in wanted if one and text and one in text and not NONE.match(one)]
            if text and hidden:
                say("trufflehog", kind, "\n".join(line.strip("\t") for line in text.strip().splitlines()), hidden)


def rules(directory: Path) -> None:
    source = directory.resolve().name
    for path in sorted(directory.rglob("*.yml")):
        try:
            found = yaml.safe_load(path.read_text())
        except (yaml.YAMLError, UnicodeDecodeError):
            continue
        for rule in found.get("rules", []) if isinstance(found, dict) else []:
            kind = rule.get("id", "?")
            categories = rule.get("categories", [])
            if categories and "secret" not in categories:
                continue
            try:
                pattern = regex.compile(rule["pattern"])
            except (regex.error, KeyError):
                continue
            for example in rule.get("examples") or []:
                match = pattern.search(example)
                if match is None:
                    continue
                names = {index: name for name, index in pattern.groupindex.items()}
                groups = range(1, pattern.groups + 1) if pattern.groups else [0]
                found_in = {one: match[one].strip(" \t\n=:\"'-") for one in groups if match[one]}
                hidden = [
                    text
                    for one, text in found_in.items()
                    if len(text) >= 8 and not NO_SECRET.search(names.get(one, "")) and not NONE.match(text)
                ]
                if hidden:
                    say(source, kind, example, sorted(set(hidden)))
            for text in rule.get("negative_examples") or []:
                say(source, kind, text, [])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--trufflehog", type=Path, action="append", default=[], help="a clone of trufflehog")
    arguments.add_argument("--rules", type=Path, action="append", default=[], help="a clone of a project with rules in YAML")
    given = arguments.parse_args()
    if not given.trufflehog and not given.rules:
        sys.exit("collect: name a clone with --trufflehog or --rules")
    for directory in given.trufflehog:
        trufflehog(directory)
    for directory in given.rules:
        rules(directory)


main()
