#!/usr/bin/env python3
"""Trains what is added to all-MiniLM-L6-v2 where a question is compared with passages token by token: `lay.adapter`.

The engine adds it when it loads the encoder (crate/encoder/src/adapter.rs); vectors for search are made without it.

    python3 models/export.py                                              # leaves the weights in models/.venv
    python3 -m venv target/encoder-venv
    target/encoder-venv/bin/pip install -r models/requirements-encoder.txt
    target/encoder-venv/bin/python models/train_encoder.py --data ../shared/data --out target/encoder/lay.adapter
    python3 models/export.py --adapter target/encoder/lay.adapter --out target/encoder/model
    pincite eval retrieval --embedder target/encoder/model --vectors target/encoder/obliqa.vectors --ranker blend …

What: a low-rank difference (LoRA, Hu et al. 2021, arXiv 2106.09685) of every matrix of the six layers, for both uses of
the encoder at once. A question is told from others by InfoNCE (van den Oord et al. 2018, arXiv 1807.03748), its passage
against those of the batch and against one for each that stands beside it in its document: once by the means of their
tokens, which search compares, and once by the most similar token for each of the question's (MaxSim, Khattab and Zaharia
2020, arXiv 2004.12832), by which passages are compared with the question. The same the other way round tells for a passage
its question from those of the batch, and from one beside it that the passage does not answer. A last term tells the
sentence that answers from the others of its passage.

Questions: lay/, over passages of ObliQA and xrefrag_ukfin (in --data) and of lay/ itself; and those of the ranker,
xrefrag_adgm and questions_en.jsonl, in the documents' own words, so that these are not unlearned.

Cost: half an hour on two cores whose products of bfloat16 are fast (AVX-512 BF16), longer elsewhere. The seed is
fixed; figures differ in the third digit between machines.
"""

import argparse
import gzip
import json
import random
import re
import struct
from collections import namedtuple
from hashlib import sha256
from pathlib import Path

import numpy
import torch
import torch.nn.functional as F
from tokenizers import BertWordPieceTokenizer

from export import EPSILON, HEAD, HEADS, HIDDEN, LAYERS, MATRICES, read_safetensors, source_dir

HERE = Path(__file__).resolve().parent
SEED = 7
RANK = 16
LEARNING_RATE = 2e-4
# Share of the steps in which the learning rate rises; then it falls to 0.
WARM_UP = 0.08
TEMPERATURE = 0.05
# Questions of a batch; each brings its passage and one beside that.
BATCH = 32
# Weights: of the means beside MaxSim, of passages told their questions, of the unanswered question among those, of sentences.
MEAN_WEIGHT, BACK_WEIGHT, NEAR_WEIGHT, SENTENCE_WEIGHT = 0.5, 0.5, 0.5, 0.5
# Texts are cut for training: few are longer, and those begin with what they are about.
QUESTION_TOKENS, PASSAGE_TOKENS = 48, 176
# Distance of passages of a rulebook that stand beside each other.
BESIDE = 3
# Share of the passages that are read with the name of their document before them, as search and comparison read them.
NAMED, NAME_LEN = 0.5, 80
# Sentences of a passage; the tokens of later ones count as of the last.
SENTENCES = 20
SENTENCE_END = re.compile(r"[.;:!?]\s+|\n+")

# A passage: its text, a name of its document, and the positions of the passages beside it.
Passage = namedtuple("Passage", "text name beside")
# A question: its text, the positions of the passages that answer it, where the answer stands in the first of them (first
# character and last + 1, both 0 where that is not known), and a question beside it that the passage does not answer.
Question = namedtuple("Question", "text gold says near", defaults=[(0, 0), ""])
# A passage as it is read: ids of its tokens, the number of each token's sentence (-1 for marks), and if the sentence answers.
Read = namedtuple("Read", "ids sentences answers")


# --- questions and passages -------------------------------------------------------------------------------------


def json_lines(path):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as file:
        return [json.loads(line) for line in file if line.strip()]


def training_passages(data):
    """Passages, and their positions by set and id."""
    at, passages = {}, []

    def add(set_, id_, text, name=""):
        at[set_, id_] = len(passages)
        passages.append(Passage(text, name, []))

    books = {}
    for row in json_lines(data / "obliqa/passages.jsonl.gz"):
        if len(row["text"]) >= 40:
            add("obliqa", row["id"], row["text"], " › ".join(filter(None, [row.get("title"), row.get("chapter")])))
            books.setdefault(row.get("doc"), []).append(at["obliqa", row["id"]])
    for book in books.values():
        for place, n in enumerate(book):
            near = book[max(place - BESIDE, 0) : place] + book[place + 1 : place + 1 + BESIDE]
            passages[n].beside.extend(near)
    for row in json_lines(data / "train_pairs/xrefrag_ukfin.jsonl.gz"):
        id_ = sha256(row["p"].encode()).hexdigest()[:16]
        if ("xrefrag_ukfin", id_) not in at:
            add("xrefrag_ukfin", id_, row["p"])
    rows = [row for path in sorted(HERE.glob("lay/passages-*.jsonl.gz")) for row in json_lines(path)]
    for row in rows:
        add(row["set"], row["id"], row["text"], re.sub(r"\.(txt|md)$", "", row["source"]).replace("_", " "))
    for row in rows:
        passages[at[row["set"], row["id"]]].beside.extend(at[row["set"], id_] for id_ in row.get("beside", []))
    return at, passages


def training_questions(data, at):
    questions = []
    for path in sorted(HERE.glob("lay/questions-*.jsonl")):
        for row in json_lines(path):
            gold = [at[row["set"], id_] for id_ in row["gold"]]
            questions.append(Question(row["query"], gold, tuple(row["says"]), row.get("near", "")))
    gold = {}
    for row in json_lines(data / "train_pairs/xrefrag_adgm.jsonl.gz"):
        gold.setdefault(row["q"], []).append(row["pid"])
    for row in json_lines(HERE / "questions_en.jsonl"):
        gold.setdefault(row["query"], []).extend(row["gold"])
    for query, ids in gold.items():
        known = sorted({at["obliqa", id_] for id_ in ids if ("obliqa", id_) in at})
        if known:
            questions.append(Question(query, known))
    return questions


# --- the encoder ------------------------------------------------------------------------------------------------


class Encoder:
    """MiniLM in bfloat16, which learns nothing, with a difference of each matrix, in f32, which does."""

    def __init__(self, tensors):
        self.tensors = {name: torch.tensor(array).bfloat16() for name, array in tensors.items()}
        self.down, self.up = {}, {}
        for layer in range(LAYERS):
            for matrix in MATRICES:
                name = f"encoder.layer.{layer}.{matrix}"
                n_out, n_in = tensors[f"{name}.weight"].shape
                self.down[name] = torch.nn.Parameter(torch.randn(RANK, n_in) * n_in**-0.5)
                self.up[name] = torch.nn.Parameter(torch.zeros(n_out, RANK))

    def parameters(self):
        return [*self.down.values(), *self.up.values()]

    def norm(self, name, x):
        return F.layer_norm(x, (HIDDEN,), self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"], EPSILON)

    def dense(self, name, x):
        y = F.linear(x, self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"])
        return y + F.linear(F.linear(x, self.down[name].bfloat16()), self.up[name].bfloat16())

    def states(self, ids, mask):
        """Vectors of tokens, [texts, tokens, 384]."""
        embeddings = [self.tensors[f"embeddings.{part}_embeddings.weight"] for part in ("word", "position", "token_type")]
        x = embeddings[0][ids] + embeddings[1][: ids.shape[1]] + embeddings[2][0]
        x = self.norm("embeddings.LayerNorm", x)
        shut = torch.zeros(len(ids), 1, 1, ids.shape[1], dtype=x.dtype).masked_fill(~mask[:, None, None], -1e4)
        for n in range(LAYERS):
            part = f"encoder.layer.{n}."
            heads = [
                self.dense(f"{part}attention.self.{which}", x).view(*ids.shape, HEADS, HEAD).transpose(1, 2)
                for which in ("query", "key", "value")
            ]
            mixed = F.scaled_dot_product_attention(*heads, attn_mask=shut).transpose(1, 2).reshape(x.shape)
            x = self.norm(f"{part}attention.output.LayerNorm", x + self.dense(f"{part}attention.output.dense", mixed))
            inner = F.gelu(self.dense(f"{part}intermediate.dense", x))
            x = self.norm(f"{part}output.LayerNorm", x + self.dense(f"{part}output.dense", inner))
        return x.float()


def unit(x):
    return F.normalize(x, dim=-1)


def mean_vectors(x, mask):
    return unit((x * mask[..., None]).sum(1))


def without_marks(mask):
    """Without the first and the last token of each text, [CLS] and [SEP]."""
    words = mask.clone()
    words[:, 0] = False
    words[torch.arange(len(mask)), mask.sum(1) - 1] = False
    return words


# --- the texts of a batch ---------------------------------------------------------------------------------------


def padded(rows):
    ids = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
    for n, row in enumerate(rows):
        ids[n, : len(row)] = torch.tensor(row)
    return ids, ids > 0


def cut(ids, n_tokens):
    """The first tokens, the last of them [SEP]."""
    return ids if len(ids) <= n_tokens else ids[: n_tokens - 1] + ids[-1:]


def read(tokenizer, passage, says, is_named):
    """A passage with the numbers of its sentences; `says` is where in its text the answer stands."""
    name = f"{passage.name[:NAME_LEN]} " if passage.name and is_named else ""
    encoding = tokenizer.encode(name + passage.text)
    ends = [len(name)] if name else []
    ends += [len(name) + end.end() for end in SENTENCE_END.finditer(passage.text)] + [len(name + passage.text)]
    numbers, answers, n = [], set(), 0
    for start, end in encoding.offsets[:PASSAGE_TOKENS]:
        if start == end:
            numbers.append(-1)
            continue
        while start >= ends[n]:
            n += 1
        numbers.append(min(n, SENTENCES - 1))
        if start < says[1] + len(name) and end > says[0] + len(name) and says[1] > 0:
            answers.add(numbers[-1])
    return Read(cut(encoding.ids, PASSAGE_TOKENS), numbers, answers)


# --- the loss ---------------------------------------------------------------------------------------------------


def max_sims(x, x_mask, y, y_mask):
    """MaxSim of each question with each passage, [questions, passages], -1 to 1."""
    words = without_marks(x_mask)
    similar = torch.einsum("aqd,bpd->abqp", unit(x).bfloat16(), unit(y).bfloat16()).float()
    best = similar.masked_fill(~without_marks(y_mask)[None, :, None], -1.0).amax(-1)
    return (best * words[:, None]).sum(-1) / words.sum(1).clamp(min=1)[:, None]


def pair_sims(x, x_mask, y, y_mask):
    """MaxSim of each question with the passage of its own place, [questions]."""
    words = without_marks(x_mask)
    similar = torch.einsum("aqd,apd->aqp", unit(x), unit(y))
    best = similar.masked_fill(~without_marks(y_mask)[:, None], -1.0).amax(-1)
    return (best * words).sum(1) / words.sum(1).clamp(min=1)


def told(scores, shut):
    """InfoNCE: mean over rows of the cross-entropy of the diagonal."""
    return F.cross_entropy((scores / TEMPERATURE).masked_fill(shut, -1e9), torch.arange(len(scores)))


def sentence_loss(x, x_mask, y, texts):
    """Cross-entropy of the sentences that answer among those of their passage, by MaxSim; 0 where none is known."""
    numbers = torch.full(y.shape[:2], -1)
    answering = torch.zeros(len(texts), SENTENCES, dtype=torch.bool)
    for n, text in enumerate(texts):
        numbers[n, : len(text.sentences)] = torch.tensor(text.sentences)
        answering[n, list(text.answers)] = True
    words = without_marks(x_mask)
    similar = torch.einsum("aqd,apd->aqp", unit(x), unit(y))
    within = [numbers == number for number in range(int(numbers.max()) + 1)]
    best = [similar.masked_fill(~tokens[:, None], -1.0).amax(-1) for tokens in within]
    scores = torch.stack([(each * words).sum(1) / words.sum(1) / TEMPERATURE for each in best], 1)
    there = torch.stack([tokens.any(1) for tokens in within], 1)
    answering = answering[:, : len(within)] & there
    scores = scores.masked_fill(~there, -1e9)
    right = scores.masked_fill(~answering, -1e9).logsumexp(1) - scores.logsumexp(1)
    is_told = answering.any(1) & (there.sum(1) > 1)
    return -right[is_told].mean() if is_told.any() else torch.zeros(())


def loss(encoder, asked, near, near_of, texts, shut):
    """`asked`, `near`: ids of questions, and of those beside the questions `near_of`; `texts`: passages, the first of which
    answer the questions in order; `shut` [questions, passages]: passages that answer a question too."""
    n = len(asked)
    (ids, x_mask), (read_ids, y_mask) = padded(asked), padded([text.ids for text in texts])
    x, y = encoder.states(ids, x_mask), encoder.states(read_ids, y_mask)
    max_sim = max_sims(x, x_mask, y, y_mask)
    mean = mean_vectors(x, x_mask) @ mean_vectors(y, y_mask).T
    forth = told(max_sim, shut) + MEAN_WEIGHT * told(mean, shut)
    back = told(max_sim[:, :n].T, shut[:, :n].T) + MEAN_WEIGHT * told(mean[:, :n].T, shut[:, :n].T)
    unanswered = torch.zeros(())
    if near:
        beside_ids, beside_mask = padded(near)
        beside = encoder.states(beside_ids, beside_mask)
        # Answered by the passage against not answered: the difference, through a logistic.
        excess = pair_sims(beside, beside_mask, y[near_of], y_mask[near_of]) - max_sim[near_of, near_of]
        unanswered = F.softplus(excess / TEMPERATURE).mean()
    sentence = sentence_loss(x, x_mask, y[:n], texts[:n])
    return forth + BACK_WEIGHT * (back + NEAR_WEIGHT * unanswered) + SENTENCE_WEIGHT * sentence


# --- training ---------------------------------------------------------------------------------------------------


def train(encoder, tokenizer, passages, questions):
    lot = random.Random(SEED)
    order = list(range(len(questions)))
    lot.shuffle(order)
    n_steps = len(order) // BATCH
    parameters = encoder.parameters()
    optimiser = torch.optim.AdamW(parameters, lr=LEARNING_RATE, weight_decay=0.01)
    values = []
    for step in range(n_steps):
        rate = LEARNING_RATE * min((step + 1) / (n_steps * WARM_UP), 1.0) * (1 - step / n_steps)
        for group in optimiser.param_groups:
            group["lr"] = rate
        batch = [questions[n] for n in order[step * BATCH : (step + 1) * BATCH]]
        gold = [lot.choice(question.gold) if question.says == (0, 0) else question.gold[0] for question in batch]
        beside = [lot.choice(passages[n].beside) for n in gold if passages[n].beside]
        says = [question.says for question in batch] + [(0, 0)] * len(beside)
        is_named = lambda: lot.random() < NAMED
        texts = [read(tokenizer, passages[n], where, is_named()) for n, where in zip(gold + beside, says)]
        same = lambda m, n: passages[m].text == passages[n].text
        shut = [
            [at != n and (m in question.gold or same(m, gold[n])) for at, m in enumerate(gold + beside)]
            for n, question in enumerate(batch)
        ]
        asked = [cut(tokenizer.encode(question.text).ids, QUESTION_TOKENS) for question in batch]
        near_of = [n for n, question in enumerate(batch) if question.near]
        near = [cut(tokenizer.encode(batch[n].near).ids, QUESTION_TOKENS) for n in near_of]
        value = loss(encoder, asked, near, near_of, texts, torch.tensor(shut))
        optimiser.zero_grad()
        value.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        values.append(value.item())
        if (step + 1) % 10 == 0:
            print(f"{(step + 1) * BATCH} of {len(order)} questions, loss {numpy.mean(values[-20:]):.3f}", flush=True)


def codes(rows):
    """Rows as int8 and a scale for each."""
    scale = numpy.maximum(numpy.abs(rows).max(1), 1e-30) / 127
    return numpy.rint(rows / scale[:, None]).astype(numpy.int8), scale


def write_adapter(path, encoder, share):
    """The factors as int8: for each rank one scale, that of its row of A times that of its column of B."""
    tensors = {}
    for name, down in encoder.down.items():
        (a, a_scale), (b, b_scale) = codes(down.detach().numpy()), codes(encoder.up[name].detach().numpy().T)
        tensors[f"{name}.lora_A.codes"], tensors[f"{name}.lora_B.codes"] = a, numpy.ascontiguousarray(b.T)
        tensors[f"{name}.lora.scale"] = (share * a_scale * b_scale).astype("<f4")
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
    parser.add_argument("--out", type=Path, required=True, help="the adapter, for export.py")
    parser.add_argument("--share", type=float, default=1.0, help="how much of the difference is written, 0 to 1")
    args = parser.parse_args()
    torch.manual_seed(SEED)
    tokenizer = BertWordPieceTokenizer(str(source_dir() / "vocab.txt"), lowercase=True)
    at, passages = training_passages(args.data)
    questions = training_questions(args.data, at)
    print(f"{len(questions)} questions, {len(passages)} passages", flush=True)
    encoder = Encoder(read_safetensors(source_dir() / "model.safetensors"))
    train(encoder, tokenizer, passages, questions)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    write_adapter(args.out, encoder, args.share)
    print(f"{args.out}: {args.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
