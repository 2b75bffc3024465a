#!/usr/bin/env python3
"""Measures what the program finds on the sets of sets.py, beside a BM25 in the same run: by `episodes.search`, or what `--kind` says.

    cargo build --release
    python3 recipes/finding/bench.py target/release/twiceshy target/finding/*.jsonl
    python3 recipes/finding/bench.py target/release/twiceshy --neural MODEL --record docs/figures/finding.json target/finding/*.jsonl

Each set becomes a memory of its own in a temporary directory: each document an episode, an experience or a fact, each query a
search for ten. Facts are short: BM25 searches the same beginnings. All calls go through one `twiceshy call --lines`. Three ways are measured: `words` with the static model switched off,
`static` as the program comes, and with --neural `neural`, the sentence transformer in a directory, or `service`, the same
vectors from a service of minilm.py, which takes minutes instead of an hour. Beside them are BM25, by whichever of two settings
finds more on the set, and with --neural `fused`: BM25 and the same transformer, whose vectors minilm.py makes, added up after each was brought
to a mean of 0 and a deviation of 1 over all documents. `--ways` leaves some out; `--vectors DIR` keeps those of minilm.py.
"""

import argparse
import collections
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile


def read(path):
    documents, sessions, queries = {}, {}, []
    for line in path.read_text().splitlines():
        record = json.loads(line)
        if "document" in record:
            if record["text"].strip():
                documents[own_id(record["document"])] = record["text"]
                sessions[own_id(record["document"])] = record.get("session")
        else:
            queries.append((record["text"], {own_id(one): grade for one, grade in record["relevant"].items()}))
    return documents, sessions, queries


def own_id(name):
    return re.sub(r"[^A-Za-z0-9-]", "_", name)[-64:]


def words(text):
    """Words in lower case, identifiers split, without common endings."""
    def root(word):
        for ending in ("ing", "ed", "es", "s"):
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                word = word[:-len(ending)]
                break
        return word[:-1] if word.endswith("e") and len(word) > 3 else word
    return [root(word) for word in re.findall(r"[^\W_]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower())]


# Words that any sentence or question has.
COMMON = set("""a an and are as at be but by for from had has have he her hers him his how i if in into is it its me my no nor not of on
    or our she so such than that the their them then there these they this those to was we were what when where which who
    whom why will with would you your did do does s t""".split())
COMMON = {word for one in COMMON for word in words(one)}


class Bm25:
    """BM25 without common words. With b 0.75 it is stronger on long texts, with 0.4 on short ones."""

    def __init__(self, documents, b):
        self.b = b
        self.ids, self.lengths, self.postings = list(documents), [], collections.defaultdict(list)
        for number, text in enumerate(documents.values()):
            counts = collections.Counter(words(text))
            self.lengths.append(sum(counts.values()))
            for word, count in counts.items():
                self.postings[word].append((number, count))
        self.average = sum(self.lengths) / len(self.lengths)

    def scores(self, text):
        scores = collections.defaultdict(float)
        for word in sorted(set(words(text)) - COMMON or set(words(text))):
            hits = self.postings.get(word, [])
            weight = math.log(1 + (len(self.ids) - len(hits) + 0.5) / (len(hits) + 0.5))
            for number, count in hits:
                length = 1 - self.b + self.b * self.lengths[number] / self.average
                scores[number] += weight * count * 2.2 / (count + 1.2 * length)
        return scores

    def found(self, text):
        scores = self.scores(text)
        best = sorted(scores, key=lambda number: (-scores[number], -number))[:10]
        return [self.ids[number] for number in best]


def fused(model, vectors, documents, queries, bm25):
    """What BM25 and a sentence transformer find together, each in standard deviations over all documents."""
    import numpy
    import minilm
    kept, asked = (minilm.vectors(model, texts, vectors) for texts in (list(documents.values()), [text for text, _ in queries]))
    for (text, _), vector in zip(queries, asked):
        words, meaning = numpy.zeros(len(documents)), kept @ vector
        for number, score in bm25.scores(text).items():
            words[number] = score
        both = sum(0.5 * (scores - scores.mean()) / (scores.std() or 1) for scores in (words, meaning))
        yield [bm25.ids[number] for number in numpy.argsort(-both, kind="stable")[:10]]


def calls(program, directory, home, requests):
    """The answers of one process to some requests."""
    environment = os.environ | {"TWICESHY_HOME": str(home)}
    lines = "".join(json.dumps({"method": method, "args": args}) + "\n" for method, args in requests)
    run = subprocess.run([program, "call", "--lines"], input=lines, cwd=directory, env=environment,
                         capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(requests):
        raise SystemExit(run.stderr or "too few answers")
    return answers


def episode(name, text, session):
    return "episodes.add", {"episode": {
        "id": name, "task": text.encode()[:16_000].decode(errors="ignore"), "domain": "bench", "outcome": "success",
        "session": session, "tools-used": [], "strategies-applied": [], "tags": [], "trace": []}}


def rule(text):
    return " ".join(text.split())[:900]


def fact(name, text, _session):
    return "lessons.propose", {"lesson": {
        "rule-text": text, "trigger-fingerprints": [], "trigger-texts": [], "tags": [name], "scope-hint": "global",
        "kind": "fact", "steps": []}}


# What a document becomes, how ten are asked for, and where an answer has its id: for each kind of memory that is found by a text.
KINDS = {
    "episodes": (episode, lambda text: ("episodes.search", {"query": {"text": text, "limit": 10}}),
                 lambda answer: [hit["episode"]["id"] for hit in answer]),
    "experience": (episode, lambda text: ("experience.search", {"query": {"text": text, "limit": 10}}),
                   lambda answer: [hit["entry"]["id"] for hit in answer]),
    "lessons": (fact, lambda text: ("recall.for-task", {"task": {
        "task": text, "domain": "", "recent-fingerprints": [], "limit": 10}}), lambda answer: [hint["lesson"]["id"] for hint in answer]),
    "context": (fact, lambda text: ("recall.context", {"request": {"task": text, "domain": "bench", "tokens": 100_000, "features": [], "limit": 10}}),
                lambda answer: [item["id"] for item in answer["domain-knowledge"]]),
}


def searched(program, documents, sessions, queries, config, kind):
    kept, asked, ids = KINDS[kind]
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        home, project = place / "home", place / "project"
        home.mkdir(), project.joinpath(".git").mkdir(parents=True)
        home.joinpath("config.toml").write_text(config)
        add = [kept(name, text, sessions[name]) for name, text in documents.items()]
        if kind == "experience":
            # All of them are searched.
            settings = calls(program, project, home, [("experience.settings", {})])[0]["ok"]
            add.insert(0, ("experience.configure", {"settings": settings | {"max-size": 10_000}}))
        answers = calls(program, project, home, add)
        for answer in answers:
            if "error" in answer:
                raise SystemExit(answer)
        # Facts have ids of their own.
        named = {answer["ok"]["id"]: name for answer, name in zip(answers, documents)} if kept is fact else {}
        for answer in calls(program, project, home, [asked(text) for text, _ in queries]):
            yield [named.get(one, one) for one in ids(answer["ok"])]


def quality(found, queries):
    gain = recall = first = 0.0
    for hits, (_, relevant) in zip(found, queries):
        ideal = sorted(relevant.values(), reverse=True)[:10]
        best = sum(grade / math.log2(place + 2) for place, grade in enumerate(ideal))
        gain += sum(relevant.get(hit, 0) / math.log2(place + 2) for place, hit in enumerate(hits[:10])) / best
        recall += sum(hit in relevant for hit in hits[:10]) / len(relevant)
        first += any(hit in relevant for hit in hits[:5])
    return gain / len(queries), recall / len(queries), first / len(queries)


def table(rows, ways):
    """nDCG@10 / recall@10 of each way on each set, the mean nDCG over the sets, and of paraphrases the first five, for a document."""
    cells = {(row["set"], row["way"]): row for row in rows}
    sets = [one for one in dict.fromkeys(row["set"] for row in rows) if one != "paraphrases"]
    lines = [["", *sets, "mean nDCG", "paraphrases"], ["---"] * (len(sets) + 3)]
    for way in ways:
        own = [cells[one, way] for one in sets]
        mean = sum(row["ndcg-10"] for row in own) / max(len(own), 1)
        told = cells.get(("paraphrases", way))
        first = f"{round(told['first-5'] * told['queries'])} of {told['queries']}" if told else ""
        lines.append([way, *(f"{row['ndcg-10']:.3f} / {row['recall-10']:.3f}" for row in own), f"{mean:.3f}", first])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def service(model, vectors, documents, queries):
    """The settings for the vectors of minilm.py behind a service."""
    import minilm
    known = {}
    # The program embeds the first 8 KiB of a text.
    for texts in (list(documents.values()), [text for text, _ in queries]):
        cut = [text.encode()[:8192].decode(errors="ignore") for text in texts]
        known.update(zip(cut, minilm.vectors(model, texts, vectors)))
    return f"[embedding]\nbase-url = \"{minilm.service(model, known)}\"\nmodel = \"minilm\"\npath = \"/v1/embeddings\"\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("sets", type=pathlib.Path, nargs="+")
    parser.add_argument("--neural", type=lambda path: pathlib.Path(path).resolve(), metavar="DIR", help="a sentence transformer")
    parser.add_argument("--vectors", type=pathlib.Path, metavar="DIR", help="where the vectors of minilm.py are kept")
    parser.add_argument("--ways", default="bm25,words,static,service,fused", help="what is measured")
    parser.add_argument("--kind", choices=KINDS, default="episodes", help="what the documents become")
    parser.add_argument("--record", type=pathlib.Path, metavar="FILE", help="write the figures as JSON, too")
    arguments = parser.parse_args()
    chosen = [way for way in arguments.ways.split(",") if arguments.neural or way not in ("neural", "service", "fused")]
    configs = {"words": "static-model = false\n", "static": "", "neural": f"[embedding]\ndirectory = {json.dumps(str(arguments.neural))}\n"}
    rows = []
    print(f"{'set':12} {'documents':>9} {'queries':>7} {'way':>8} {'nDCG@10':>8} {'R@10':>6} {'first 5':>8}")
    for path in arguments.sets:
        documents, sessions, queries = read(path)
        if KINDS[arguments.kind][0] is fact:
            documents = {name: rule(text) for name, text in documents.items()}
        # The baseline is the stronger of two on each set, by hindsight that the program does not have.
        both = [Bm25(documents, b) for b in (0.75, 0.4)]
        bm25 = max(both, key=lambda one: quality([one.found(text) for text, _ in queries], queries)[0])
        for way in chosen:
            if way == "bm25":
                found = [bm25.found(text) for text, _ in queries]
            elif way == "fused":
                found = fused(arguments.neural, arguments.vectors, documents, queries, bm25)
            else:
                config = configs[way] if way in configs else service(arguments.neural, arguments.vectors, documents, queries)
                found = searched(arguments.program, documents, sessions, queries, config, arguments.kind)
            gain, recall, first = quality(found, queries)
            rows.append({"set": path.stem, "documents": len(documents), "queries": len(queries), "way": way,
                         "ndcg-10": round(gain, 4), "recall-10": round(recall, 4), "first-5": round(first, 4)})
            print(f"{path.stem:12} {len(documents):9} {len(queries):7} {way:>8} {gain:8.3f} {recall:6.3f} {first:8.3f}", flush=True)
    print("\n" + table(rows, chosen))
    if arguments.record:
        arguments.record.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
