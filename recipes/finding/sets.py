#!/usr/bin/env python3
"""Makes the sets on which finding is measured, from public sources. Needs nothing but Python and rustc.

    python3 recipes/finding/sets.py --into target/finding locomo PATH/locomo10.json
    python3 recipes/finding/sets.py --into target/finding diagnostics
    python3 recipes/finding/sets.py --into target/finding code
    python3 recipes/finding/sets.py --into target/finding cranfield DIRECTORY
    python3 recipes/finding/sets.py --into target/finding paraphrases
    python3 recipes/finding/sets.py --into target/held-out cisi DIRECTORY
    python3 recipes/finding/sets.py --into target/held-out cosqa DIRECTORY
    apt-get download manpages manpages-dev && for package in manpages*.deb; do dpkg-deb -x $package manuals; done
    python3 recipes/finding/sets.py --into target/held-out manuals manuals/usr/share/man

Each set is one file of JSON lines: `{"document": ID, "text": …}` for what is kept, with the `session` of a turn, then
`{"query": ID, "text": …, "relevant": {ID: GRADE}}` for what is sought. The same sources give the same bytes.
"""

import argparse
import ast
import concurrent.futures
import gzip
import json
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile


def locomo(arguments):
    """Turns of long conversations; questions whose evidence names turns. https://github.com/snap-research/locomo"""
    documents, queries = [], []
    for sample in json.loads(pathlib.Path(arguments.source).read_text()):
        conversation, turns = sample["conversation"], {}
        for name in sorted(key for key in conversation if re.fullmatch(r"session_\d+", key)):
            for turn in conversation[name]:
                text = f"{turn['speaker']}: {turn['text']}"
                if caption := turn.get("blip_caption"):
                    text += f" [{caption}]"
                turns[turn["dia_id"]] = text
        documents += [(f"{sample['sample_id']} {turn}", text, f"{sample['sample_id']} {turn.split(':')[0]}") for turn, text in turns.items()]
        for number, question in enumerate(sample["qa"]):
            # Adversarial questions have no answer in the conversation.
            if question.get("category") == 5:
                continue
            named = " ".join(question.get("evidence", []))
            evidence = [turn for turn in re.findall(r"D\d+:\d+", named) if turn in turns]
            if evidence:
                relevant = {f"{sample['sample_id']} {turn}": 1 for turn in evidence}
                queries.append((f"{sample['sample_id']} {number}", question["question"], relevant))
    return documents, queries


def diagnostics(arguments):
    """What rustc says of the examples in its own explanations; each explanation without the code it answers by."""
    documents, examples = [], []
    for number in range(1, 1000):
        code = f"E{number:04}"
        run = subprocess.run(["rustc", "--explain", code], capture_output=True, text=True)
        if run.returncode or not run.stdout.strip():
            continue
        documents.append((code, re.sub(r"\bE\d{4}\b", "", run.stdout)))
        fences = re.findall(r"```([^\n]*)\n(.*?)```", run.stdout, re.S)
        examples += [(code, at, body) for at, (_, body) in enumerate(fences)]

    def message(example):
        code, at, body = example
        with tempfile.TemporaryDirectory() as place:
            source = pathlib.Path(place, "example.rs")
            text = re.sub(r"^# ", "", body, flags=re.M)
            source.write_text(text if "fn main" in text else text + "\nfn main() {}\n")
            run = subprocess.run(
                ["rustc", "--edition", "2021", "--error-format", "json", "--emit", "metadata", "--out-dir", place, source],
                capture_output=True, text=True)
        for line in run.stderr.splitlines():
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if (said.get("code") or {}).get("code") == code and said["level"] == "error":
                labels = [span["label"] for span in said["spans"] if span.get("label")]
                notes = [child["message"] for child in said["children"][:2]]
                return f"{code} {at}", "\n".join([said["message"], *labels, *notes]), {code: 1}
        return None

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        queries = [query for query in pool.map(message, examples) if query]
    return documents, queries


def code(arguments):
    """Functions of Python's standard library without their docstrings; the first sentence of each docstring."""
    documents, queries = [], []
    library = pathlib.Path(arguments.source or sysconfig.get_paths()["stdlib"])
    for file in sorted(library.rglob("*.py")):
        place = file.relative_to(library)
        if {"test", "tests", "idlelib", "lib2to3", "site-packages", "turtledemo"} & set(place.parts):
            continue
        source = file.read_text(errors="replace")
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError):
            continue
        lines = source.splitlines()
        for node in ast.walk(tree):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            said = ast.get_docstring(node)
            if not said or len(node.body) < 3:
                continue
            first = re.split(r"(?<=[.!?])\s|\n\n", said.strip())[0]
            first = " ".join(first.split())
            string = node.body[0]
            body = lines[node.lineno - 1:string.lineno - 1] + lines[string.end_lineno:node.end_lineno]
            if len(first.split()) < 4 or len(body) > 80:
                continue
            name = f"{place}:{node.lineno}"
            documents.append((name, "\n".join(body)))
            queries.append((name, first, {name: 1}))
    # One question may not have two answers.
    asked = {}
    for _, text, _ in queries:
        asked[text] = asked.get(text, 0) + 1
    return documents, [query for query in queries if asked[query[1]] == 1][::4]


def records(file):
    """The records of a collection in SMART's form: each its number and its fields."""
    for record in re.split(r"^\.I ", file.read_text(errors="replace"), flags=re.M)[1:]:
        fields = re.split(r"^\.([TABNWXK])[ \t]*\n", record, flags=re.M)
        yield fields[0].strip(), dict(zip(fields[1::2], fields[2::2]))


def cranfield(arguments):
    """Abstracts on aerodynamics with graded judgements: `cran.all.1400`, `cran.qry` and `cranqrel` in a directory."""
    place = pathlib.Path(arguments.source)
    documents = [(number, fields.get("W", "")) for number, fields in records(place / "cran.all.1400")]
    relevant = {}
    for line in place.joinpath("cranqrel").read_text().splitlines():
        query, document, grade = (int(part) for part in line.split()[:3])
        # 1 is a complete answer and 4 of minimum interest; 5, and -1 in some copies, is no answer.
        if grade in (1, 2, 3, 4):
            relevant.setdefault(query, {})[str(document)] = 1
    queries = []
    for number, (name, fields) in enumerate(records(place / "cran.qry"), 1):
        if number in relevant:
            queries.append((name, fields["W"].strip(), relevant[number]))
    return documents, queries


def cisi(arguments):
    """Abstracts on libraries and information with judgements: `CISI.ALL`, `CISI.QRY` and `CISI.REL` in a directory."""
    place = pathlib.Path(arguments.source)
    documents = [(number, f"{fields.get('T', '').strip()}\n{fields.get('W', '')}") for number, fields in records(place / "CISI.ALL")]
    relevant = {}
    for line in place.joinpath("CISI.REL").read_text().splitlines():
        query, document = line.split()[:2]
        relevant.setdefault(query, {})[document] = 1
    queries = [(number, fields["W"].strip(), relevant[number]) for number, fields in records(place / "CISI.QRY") if number in relevant]
    return documents, queries


def cosqa(arguments):
    """Python functions and what people typed into a search engine (CoSQA): `code_idx_map.txt` and
    `cosqa-retrieval-test-500.json` of https://github.com/Jun-jie-Huang/CoCLR in a directory."""
    place = pathlib.Path(arguments.source)
    codes = json.loads(place.joinpath("code_idx_map.txt").read_text())
    documents = [(str(number), code) for code, number in codes.items()]
    asked = json.loads(place.joinpath("cosqa-retrieval-test-500.json").read_text())
    return documents, [(one["idx"], one["doc"], {str(one["retrieval_idx"]): 1}) for one in asked]


def manuals(arguments):
    """Pages of the Linux manual without their first section, as they are written; what that says each of them is for."""
    documents, queries, asked = [], [], {}
    pages = pathlib.Path(arguments.source).glob("man[1-8]/*.gz")
    # Another name of a page is a link to it.
    for file in sorted(page for page in pages if not page.is_symlink()):
        lines = gzip.open(file, "rt", errors="replace").read().splitlines()
        text = "\n".join(line for line in lines if not line.startswith((".\\\"", "'\\\"")))
        head, _, rest = text.partition("\n.SH NAME\n")
        said, _, page = rest.partition("\n.SH")
        said = re.split(r"\s\\?-\s", said, maxsplit=1)
        # A page that only names another has no sections.
        if len(said) < 2 or not page:
            continue
        words = re.sub(r"\\f.|\\", "", " ".join(said[1].split()))
        page = re.sub(r"\\f.|\\[&%/,|^ ]", "", re.sub(r"^\.[A-Z]{1,2}\b ?", "", page, flags=re.M)).replace("\\-", "-")
        documents.append((file.name, page))
        asked[words] = asked.get(words, 0) + 1
        queries.append((file.name, words, {file.name: 1}))
    return documents, [query for query in queries if asked[query[1]] == 1 and len(query[1].split()) > 2][::2]


PARAPHRASES = [
    ("the automobile engine will not start in winter", "car motor fails to fire up when it is cold"),
    ("increase the salary of our employees", "raise staff wages"),
    ("delete obsolete rows from the table", "remove outdated records in the database"),
    ("the web page renders slowly", "site loads with a long delay"),
    ("shrink pictures before uploading them", "reduce image size prior to sending"),
    ("the program crashes immediately after launch", "application dies right on startup"),
    ("book a flight to Paris", "reserve an airplane ticket for the French capital"),
    ("a cure for headache", "medicine against pain in the skull"),
    ("user forgot the password", "customer can not remember login credentials"),
    ("the disk is full", "no storage space left on the drive"),
    ("translate the manual into German", "render the handbook in another language"),
    ("schedule a meeting with the lawyer", "arrange an appointment with our attorney"),
    ("the child is afraid of dogs", "kid scared by puppies"),
    ("repair the leaking tap in the kitchen", "fix a dripping faucet"),
    ("buy groceries for dinner", "purchase food for the evening meal"),
    ("the network connection drops frequently", "internet link keeps getting lost"),
    ("encrypt confidential documents", "protect secret files with a cipher"),
    ("compilation stops because a header is missing", "build breaks, include not found"),
    ("sort the list of names alphabetically", "order people from A to Z"),
    ("teach beginners how to swim", "coach novices in the pool"),
]

DISTRACTORS = [
    (
        "paint measure photograph rent sell clean move borrow insure decorate carry wrap".split(),
        "fence,piano,lamp,bicycle,tent,carpet,violin,sofa,wardrobe,mirror".split(","),
    ),
    (
        "upgrade restart monitor document benchmark configure migrate test review deploy".split(),
        "scheduler,message queue,payment service,parser,load balancer,cache,search engine,mobile client,report generator,"
        "license server,compiler plugin".split(","),
    ),
]


def paraphrases(arguments):
    """Twenty tasks that are asked for without a word that they have, among 230 others. Written before anything was tuned."""
    common = set("the a an of in for to is not with by from it our on into how when will can no another".split())
    documents, queries = [], []
    for number, (said, asked) in enumerate(PARAPHRASES):
        shared = set(re.findall(r"[a-z]+", said.lower())) & set(re.findall(r"[a-z]+", asked.lower())) - common
        assert not shared, shared
        documents.append((f"said {number}", said))
        queries.append((f"asked {number}", asked, {f"said {number}": 1}))
    for verbs, objects in DISTRACTORS:
        documents += [(f"{verb} {thing}", f"{verb} the {thing}") for verb in verbs for thing in objects]
    return documents, queries


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", default="target/finding", type=pathlib.Path)
    makers = {maker.__name__: maker for maker in (locomo, diagnostics, code, cranfield, cisi, cosqa, manuals, paraphrases)}
    parser.add_argument("set", choices=makers)
    parser.add_argument("source", nargs="?", help="where the source is")
    arguments = parser.parse_args()
    documents, queries = makers[arguments.set](arguments)
    arguments.into.mkdir(parents=True, exist_ok=True)
    with arguments.into.joinpath(f"{arguments.set}.jsonl").open("w") as file:
        for name, text, *session in documents:
            file.write(json.dumps({"document": name, "text": text} | ({"session": session[0]} if session else {})) + "\n")
        for name, text, relevant in queries:
            file.write(json.dumps({"query": name, "text": text, "relevant": relevant}) + "\n")
    print(f"{arguments.set}: {len(documents)} documents, {len(queries)} queries", file=sys.stderr)


if __name__ == "__main__":
    main()
