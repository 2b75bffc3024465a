"""Vectors of a sentence transformer in a directory, made by numpy alone: what the program's own are measured against.

    pip install numpy safetensors tokenizers

Written apart from the program's forward pass, so that a mistake in one is seen in the other. Texts of one length in
tokens go through the model together, without padding.
"""

import hashlib
import http.server
import json
import pathlib
import sys
import threading

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "meaning"))
from distil import hidden  # noqa: E402

# Texts that go through the model at once.
AT_ONCE = 32


def vectors(directory, texts, kept=None):
    """One vector of length one for each text; `kept` is a directory in which they stay from run to run."""
    name = hashlib.sha256("\0".join([str(directory), *texts]).encode()).hexdigest()[:16]
    file = kept / f"{name}.npy" if kept else None
    if file and file.exists():
        return np.load(file)
    model = pathlib.Path(directory)
    weights = {name: value.astype(np.float32) for name, value in load_file(model / "model.safetensors").items() if value.ndim}
    cutter = Tokenizer.from_file(str(model / "tokenizer.json"))
    cutter.no_padding()
    cutter.enable_truncation(json.loads(model.joinpath("sentence_bert_config.json").read_text())["max_seq_length"])
    lengths = {}
    for number, one in enumerate(cutter.encode_batch(texts)):
        lengths.setdefault(len(one.ids), []).append((number, one.ids))
    found = np.zeros((len(texts), weights["embeddings.word_embeddings.weight"].shape[1]), np.float32)
    for alike in lengths.values():
        for start in range(0, len(alike), AT_ONCE):
            some = alike[start:start + AT_ONCE]
            means = hidden(weights, np.array([ids for _, ids in some])).mean(1)
            found[[number for number, _ in some]] = means / np.linalg.norm(means, axis=1, keepdims=True)
    if file:
        kept.mkdir(parents=True, exist_ok=True)
        np.save(file, found)
    return found


def service(directory, known):
    """The address of a service on this machine that speaks OpenAI's form: it knows the vectors of some texts, and makes those
    of other sentences. A text of several lines that it does not know is a facet of an episode that searches for tasks
    do not look at, and gets a vector that says nothing."""
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            new = [text for text in texts if text not in known and "\n" not in text]
            if new:
                known.update(zip(new, vectors(directory, new)))
            nothing = [1.0] + [0.0] * (len(next(iter(known.values()))) - 1)
            data = [{"index": at, "embedding": known[text].tolist() if text in known else nothing} for at, text in enumerate(texts)]
            body = json.dumps({"data": data}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
