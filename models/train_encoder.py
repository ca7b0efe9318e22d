#!/usr/bin/env python3
"""Trains the encoder on questions in lay words, for search and for late interaction. What it makes does not ship yet:
README.md, "Encoders that were tried".

    python3 models/export.py                                              # leaves the weights in models/.venv
    python3 -m venv target/encoder-venv
    target/encoder-venv/bin/pip install --no-deps -r models/requirements-encoder.txt
    target/encoder-venv/bin/python models/train_encoder.py --data ../shared/data --out target/encoder/adapter.safetensors
    python3 models/export.py --adapter target/encoder/adapter.safetensors --out target/encoder/model
    pincite eval retrieval --embedder target/encoder/model --vectors target/encoder/obliqa.vectors --ranker blend …

What: a low-rank difference (LoRA, Hu et al. 2021, arXiv 2106.09685) of every matrix of the six layers, for both uses of
the encoder at once. A question is told from others by InfoNCE (van den Oord et al. 2018, arXiv 1807.03748), its passage
against those of the batch and two each that look like answers: once by the means of their tokens, which search compares,
and once by the most similar token for each of the question's (MaxSim, Khattab and Zaharia 2020, arXiv 2004.12832), by
which passages are compared with the question. The same the other way round tells for a passage its question from those
of the batch, and from one beside it that the passage does not answer. A last term tells the sentence that answers from
the others of its passage. Passages that look like answers are those that the untrained encoder ranks third to fortieth.

Questions: questions_lay.jsonl, over passages of ObliQA and xrefrag_ukfin (in --data) and of passages_lay.jsonl; and those
of the ranker, xrefrag_adgm and questions_en.jsonl, in the documents' own words, so that these are not unlearned.

Cost: about 20 minutes on two cores. The seed is fixed; figures differ in the third digit between machines.
"""

import argparse
import gzip
import json
import re
import struct
from collections import namedtuple
from hashlib import sha256
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy
import optax
from tokenizers import BertWordPieceTokenizer

from export import EPSILON, HEAD, HEADS, LAYERS, MATRICES, read_safetensors, source_dir

HERE = Path(__file__).resolve().parent
SEED = 7
RANK = 16
EPOCHS = 1
LEARNING_RATE = 2e-4
TEMPERATURE = 0.05
# Questions of a batch, and for each the passages that look like answers.
BATCH, ALIKE = 32, 2
# Ranks, by the untrained encoder, of passages that look like answers. The first two often are answers.
FIRST_ALIKE, LAST_ALIKE = 2, 40
# Weights: of the means beside MaxSim, of passages told their questions, of the unanswered question among those, of sentences.
MEAN_WEIGHT, BACK_WEIGHT, NEAR_WEIGHT, SENTENCE_WEIGHT = 0.5, 0.5, 0.5, 0.5
# Texts are cut for training: few are longer, and those begin with what they are about.
QUESTION_TOKENS, PASSAGE_TOKENS = 48, 176
# Lengths are rounded up, so that few shapes are compiled.
STEP = 32
# Sentences of a passage; the tokens of later ones count as of the last.
SENTENCES = 16
SENTENCE_END = re.compile(r"[.;:!?]\s+|\n+")


# A question: its text, the positions of the passages that answer it, where the answer stands in the first of them (first
# character and last + 1, both 0 where that is not known), and a question beside it that the passage does not answer.
Question = namedtuple("Question", "text gold says near", defaults=[(0, 0), ""])


def json_lines(path):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as file:
        return [json.loads(line) for line in file if line.strip()]


def training_questions(data):
    """Passages, and questions, each with the passages that answer it."""
    at, passages = {}, []

    def add(set_, id_, text):
        at[set_, id_] = len(passages)
        passages.append(text)

    for row in json_lines(data / "obliqa/passages.jsonl.gz"):
        if len(row["text"]) >= 40:
            add("obliqa", row["id"], row["text"])
    for row in json_lines(data / "train_pairs/xrefrag_ukfin.jsonl.gz"):
        id_ = sha256(row["p"].encode()).hexdigest()[:16]
        if ("xrefrag_ukfin", id_) not in at:
            add("xrefrag_ukfin", id_, row["p"])
    for row in json_lines(HERE / "passages_lay.jsonl"):
        add(row["set"], row["id"], row["text"])
    questions = []
    for row in json_lines(HERE / "questions_lay.jsonl"):
        gold = [at[row["set"], id_] for id_ in row["gold"]]
        questions.append(Question(row["query"], gold, row["says"], row.get("near", "")))
    gold = {}
    for row in json_lines(data / "train_pairs/xrefrag_adgm.jsonl.gz"):
        gold.setdefault(row["q"], []).append(row["pid"])
    for row in json_lines(HERE / "questions_en.jsonl"):
        gold.setdefault(row["query"], []).extend(row["gold"])
    for query, ids in gold.items():
        known = sorted({at["obliqa", id_] for id_ in ids if ("obliqa", id_) in at})
        if known:
            questions.append(Question(query, known))
    return passages, questions


# --- the encoder ------------------------------------------------------------------------------------------------


def layer_norm(x, gain, bias):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + EPSILON) * gain + bias


def layer(tensors, n, x, mask, difference):
    """One layer of BERT over [texts, tokens, 384]; `difference`: matrix → (down, up) of its low-rank difference."""
    prefix = f"encoder.layer.{n}."

    def dense(name, x):
        down, up = difference[name]
        y = x @ tensors[f"{prefix}{name}.weight"].T + tensors[f"{prefix}{name}.bias"]
        return y + (x @ down.T) @ up.T

    def norm(name, x):
        return layer_norm(x, tensors[f"{prefix}{name}.LayerNorm.weight"], tensors[f"{prefix}{name}.LayerNorm.bias"])

    def heads(part):
        return dense(f"attention.self.{part}", x).reshape(*x.shape[:2], HEADS, HEAD).swapaxes(1, 2)

    shut = jnp.where(mask[:, None, None, :], 0.0, -1e9)
    shares = jax.nn.softmax(heads("query") @ heads("key").swapaxes(2, 3) * HEAD**-0.5 + shut, -1)
    mixed = (shares @ heads("value")).swapaxes(1, 2).reshape(x.shape)
    x = norm("attention.output", x + dense("attention.output.dense", mixed))
    inner = jax.nn.gelu(dense("intermediate.dense", x), approximate=False)
    return norm("output", x + dense("output.dense", inner))


def encoded(tensors, differences, ids, mask):
    """Vectors of tokens, [texts, tokens, 384]."""
    types = tensors["embeddings.token_type_embeddings.weight"][0]
    x = tensors["embeddings.word_embeddings.weight"][ids]
    x = x + tensors["embeddings.position_embeddings.weight"][: ids.shape[1]] + types
    x = layer_norm(x, tensors["embeddings.LayerNorm.weight"], tensors["embeddings.LayerNorm.bias"])
    for n, difference in enumerate(differences):
        x = layer(tensors, n, x, mask, difference)
    return x


def unit(x):
    return x / jnp.maximum(jnp.linalg.norm(x, axis=-1, keepdims=True), 1e-9)


def mean_vectors(x, mask):
    return unit((x * mask[:, :, None]).sum(1))


def without_marks(mask):
    """Without the first and the last token of each text, [CLS] and [SEP]."""
    return (mask & jnp.roll(mask, -1, axis=1).at[:, -1].set(False)).at[:, 0].set(False)


# --- texts ------------------------------------------------------------------------------------------------------


def padded(rows, fill=0):
    width = -(-max(map(len, rows)) // STEP) * STEP
    out = numpy.full((len(rows), width), fill, numpy.int32)
    for n, row in enumerate(rows):
        out[n, : len(row)] = row
    return out


def cut(encoding, n_tokens):
    """The first tokens, the last of them [SEP]."""
    ids = encoding.ids
    return ids if len(ids) <= n_tokens else ids[: n_tokens - 1] + ids[-1:]


def question_ids(encodings):
    """Ids of questions, 0 where there is none; of one width, so that the shapes compiled are those of passages."""
    out = numpy.zeros((len(encodings), QUESTION_TOKENS), numpy.int32)
    for n, encoding in enumerate(encodings):
        row = cut(encoding, QUESTION_TOKENS) if encoding else []
        out[n, : len(row)] = row
    return out


def sentences(text, says, encoding, n_tokens):
    """For each token the number of its sentence, -1 for marks; and the sentences that hold the answer."""
    ends = [end.end() for end in SENTENCE_END.finditer(text)] + [len(text)]
    numbers, answering, n = [], set(), 0
    for start, end in encoding.offsets[:n_tokens]:
        if start == end:
            numbers.append(-1)
            continue
        while start >= ends[n]:
            n += 1
        numbers.append(min(n, SENTENCES - 1))
        if start < says[1] and end > says[0]:
            answering.add(numbers[-1])
    return numbers, [number in answering for number in range(SENTENCES)]


def alike(tensors, differences, questions, passages, gold, texts):
    """For each question the positions of passages that look like answers and are not."""

    def means(encodings, n_tokens):
        run = jax.jit(lambda ids, mask: mean_vectors(encoded(tensors, differences, ids, mask), mask))
        ids = [cut(encoding, n_tokens) for encoding in encodings]
        order = sorted(range(len(ids)), key=lambda n: len(ids[n]))
        # Whole batches only, so that few shapes are compiled: the last is filled with the last text.
        order += order[-1:] * (-len(order) % 64)
        out = numpy.zeros((len(ids), tensors["embeddings.LayerNorm.bias"].shape[0]), numpy.float32)
        for start in range(0, len(order), 64):
            rows = padded([ids[n] for n in order[start : start + 64]])
            out[order[start : start + 64]] = run(rows, rows > 0)
        return out

    similar = means(questions, QUESTION_TOKENS) @ means(passages, PASSAGE_TOKENS).T
    lists = []
    for row, answers in zip(similar, gold):
        ranked = numpy.argsort(-row, kind="stable")[: LAST_ALIKE + 10]
        other = [n for n in ranked if all(texts[n] not in texts[a] and texts[a] not in texts[n] for a in answers)]
        lists.append(other[FIRST_ALIKE:LAST_ALIKE])
    return lists


# --- training ---------------------------------------------------------------------------------------------------


def beginning(tensors):
    """Differences that are nothing yet: `down` drawn at random, `up` zero."""
    random = numpy.random.RandomState(SEED)
    differences = []
    for n in range(LAYERS):
        difference = {}
        for name in MATRICES:
            n_out, n_in = tensors[f"encoder.layer.{n}.{name}.weight"].shape
            down = random.standard_normal((RANK, n_in)) * n_in**-0.5
            difference[name] = (jnp.asarray(down, jnp.float32), jnp.zeros((n_out, RANK)))
        differences.append(difference)
    return differences


def max_sims(asked, asked_mask, read, read_mask):
    """MaxSim of each question with each passage, [questions, passages], -1 to 1."""
    words = without_marks(asked_mask)
    similar = jnp.einsum("aqd,bpd->abqp", unit(asked), unit(read))
    best = jnp.where(without_marks(read_mask)[None, :, None, :], similar, -1.0).max(-1)
    return (best * words[:, None, :]).sum(-1) / jnp.maximum(words.sum(1), 1)[:, None]


def told(scores, shut):
    """InfoNCE: mean over rows of the cross-entropy of the diagonal."""
    own = jnp.arange(len(scores))
    return -jax.nn.log_softmax(jnp.where(shut, -1e9, scores / TEMPERATURE), 1)[own, own].mean()


def sentence_loss(asked, asked_mask, read, numbers, answering):
    """Cross-entropy of the sentences that answer among those of their passage, by MaxSim."""
    words = without_marks(asked_mask)
    similar = jnp.einsum("aqd,apd->aqp", unit(asked), unit(read))
    in_sentence = numbers[:, None, :] == jnp.arange(SENTENCES)[None, :, None]
    best = jnp.where(in_sentence[:, :, None, :], similar[:, None], -1.0).max(-1)
    scores = (best * words[:, None, :]).sum(-1) / words.sum(1)[:, None] / TEMPERATURE
    scores = jnp.where(in_sentence.any(-1), scores, -1e9)
    right = jax.nn.logsumexp(jnp.where(answering, scores, -1e9), 1) - jax.nn.logsumexp(scores, 1)
    return -jnp.where(answering.any(1), right, 0.0).mean()


def loss(differences, tensors, asked, near, read, shut, numbers, answering):
    """`asked`, `near`, `read`: ids of questions, of the questions beside them (0 where there is none), and of passages,
    the first of which answer the questions in order.

    `shut` [questions, passages]: passages that answer a question too; `numbers` [questions, tokens] and `answering`
    [questions, sentences]: of the passage that answers.
    """
    n = len(asked)
    asked_mask, near_mask, read_mask = asked > 0, near > 0, read > 0
    both = encoded(tensors, differences, jnp.concatenate([asked, near]), jnp.concatenate([asked_mask, near_mask]))
    x, beside, y = both[:n], both[n:], encoded(tensors, differences, read, read_mask)
    max_sim = max_sims(x, asked_mask, y, read_mask)
    mean = mean_vectors(x, asked_mask) @ mean_vectors(y, read_mask).T
    own = jnp.arange(n)
    # Answered by the passage against not answered: the difference, through a logistic.
    excess = max_sims(beside, near_mask, y[:n], read_mask[:n])[own, own] - max_sim[own, own]
    has_near = near_mask.any(1)
    unanswered = jnp.where(has_near, jax.nn.softplus(excess / TEMPERATURE), 0.0).sum() / jnp.maximum(has_near.sum(), 1)
    back = told(max_sim[:, :n].T, shut[:, :n].T) + MEAN_WEIGHT * told(mean[:, :n].T, shut[:, :n].T)
    sentence = sentence_loss(x, asked_mask, y[:n], numbers, answering)
    forth = told(max_sim, shut) + MEAN_WEIGHT * told(mean, shut)
    return forth + BACK_WEIGHT * (back + NEAR_WEIGHT * unanswered) + SENTENCE_WEIGHT * sentence


def train(tensors, tokenizer, passages, asking, n_epochs):
    differences = beginning(tensors)
    questions = tokenizer.encode_batch([question.text for question in asking])
    nears = [tokenizer.encode(question.near) if question.near else None for question in asking]
    encodings = tokenizer.encode_batch(passages)
    gold = [question.gold for question in asking]
    others = alike(tensors, differences, questions, encodings, gold, passages)
    n_steps = n_epochs * (len(asking) // BATCH)
    rate = optax.join_schedules(
        [optax.linear_schedule(0, LEARNING_RATE, n_steps // 10), optax.linear_schedule(LEARNING_RATE, 0, n_steps - n_steps // 10)],
        [n_steps // 10],
    )
    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(rate, weight_decay=0.01))
    state = optimiser.init(differences)

    @jax.jit
    def step(differences, state, tensors, *batch):
        value, gradient = jax.value_and_grad(loss)(differences, tensors, *batch)
        update, state = optimiser.update(gradient, state, differences)
        return optax.apply_updates(differences, update), state, value

    random = numpy.random.RandomState(SEED)
    for epoch in range(n_epochs):
        order, values = random.permutation(len(asking)), []
        for start in range(0, len(order) - BATCH + 1, BATCH):
            batch = order[start : start + BATCH]
            read = [random.choice(gold[n]) if asking[n].says == (0, 0) else gold[n][0] for n in batch]
            answers = list(read)
            for n in batch:
                read += list(random.choice(others[n], ALIKE, replace=False))
            shut = numpy.array([[m != n and passage in gold[q] for m, passage in enumerate(read)] for n, q in enumerate(batch)])
            ids = padded([cut(encodings[n], PASSAGE_TOKENS) for n in read])
            numbers = numpy.full((BATCH, ids.shape[1]), -1, numpy.int32)
            answering = numpy.zeros((BATCH, SENTENCES), bool)
            for n, (q, answer) in enumerate(zip(batch, answers)):
                row, answering[n] = sentences(passages[answer], asking[q].says, encodings[answer], PASSAGE_TOKENS)
                numbers[n, : len(row)] = row
            asked, beside = question_ids([questions[n] for n in batch]), question_ids([nears[n] for n in batch])
            differences, state, value = step(differences, state, tensors, asked, beside, ids, shut, numbers, answering)
            values.append(float(value))
            print(f"epoch {epoch + 1}: {start + BATCH} of {len(order)} questions, loss {numpy.mean(values[-10:]):.3f}", flush=True)
    return differences


def codes(rows):
    """Rows as int8 and a scale for each."""
    scale = numpy.maximum(numpy.abs(rows).max(1), 1e-30) / 127
    return numpy.rint(rows / scale[:, None]).astype(numpy.int8), scale


def write_adapter(path, differences, share):
    """The factors as int8: for each rank one scale, that of its row of A times that of its column of B."""
    tensors = {}
    for n, difference in enumerate(differences):
        for name, (down, up) in difference.items():
            (a, a_scale), (b, b_scale) = codes(numpy.asarray(down)), codes(numpy.asarray(up).T)
            key = f"encoder.layer.{n}.{name}"
            tensors[f"{key}.lora_A.codes"], tensors[f"{key}.lora_B.codes"] = a, numpy.ascontiguousarray(b.T)
            tensors[f"{key}.lora.scale"] = (share * a_scale * b_scale).astype("<f4")
    header, data = {}, b""
    for name, array in sorted(tensors.items(), key=lambda entry: (entry[1].dtype != numpy.float32, entry[0])):
        dtype = "F32" if array.dtype == numpy.float32 else "I8"
        header[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds obliqa/ and train_pairs/")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--out", type=Path, required=True, help="the adapter, for export.py --adapter")
    parser.add_argument("--share", type=float, default=1.0, help="how much of the difference is written, 0 to 1")
    args = parser.parse_args()
    weights = read_safetensors(source_dir() / "model.safetensors")
    tensors = {name: jnp.asarray(array) for name, array in weights.items()}
    tokenizer = BertWordPieceTokenizer(str(source_dir() / "vocab.txt"), lowercase=True)
    passages, questions = training_questions(args.data)
    print(f"{len(questions)} questions, {len(passages)} passages", flush=True)
    differences = train(tensors, tokenizer, passages, questions, args.epochs)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    write_adapter(args.out, differences, args.share)
    print(f"{args.out}: {args.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
