"""Vectors of a sentence transformer in a directory, made by numpy alone: what the program's own are measured against.

    pip install numpy safetensors tokenizers

Written apart from the program's forward pass, so that a mistake in one is seen in the other. Texts of one length in
tokens go through the model together, without padding.
"""

import hashlib
import json
import pathlib
import sys

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
