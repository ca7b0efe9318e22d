"""Trains what is added to all-MiniLM-L6-v2 where a question and a passage are read together: `lay.adapter`.

The engine adds it when it loads the encoder (crate/encoder/src/adapter.rs); vectors for search are made without it.

    python3 models/export.py                                     # makes models/build, the encoder as the engine has it
    python3 -m venv target/encoder-venv
    target/encoder-venv/bin/pip install -r models/requirements-encoder.txt
    target/encoder-venv/bin/python models/train_encoder.py --data ../shared/data --out target/encoder/lay.adapter
    cp target/encoder/lay.adapter models && python3 models/export.py --pin                                # ships it

What: a low-rank difference (LoRA, Hu et al. 2021, arXiv 2106.09685) of every matrix of the six layers. The encoder reads
`[CLS] question [SEP] passage [SEP]` as one text, so the vectors of each know the other's words. The score of the passage
is MaxSim (ColBERT, Khattab and Zaharia 2020, arXiv 2004.12832): the mean, over the question's tokens, of the greatest
cosine with a token of the passage; the score of a sentence is the same over its tokens.

Loss: the answer is told from eleven negatives of its question by cross-entropy (LCE: Gao, Dai and Callan 2021, Rethink
Training of BERT Rerankers, arXiv 2101.08751), the answered question from the unanswered one beside it on the same
passage, answers from all others by binary cross-entropy, and the answering sentences from the others of their passage.
Negatives are passages that stand beside the answer, are near it by the plain model's vectors, or share words with the
question. Passages that may answer too are left out.

Questions: lay/, over passages of ObliQA and xrefrag_ukfin (in --data) and of lay/ itself; and those of the ranker,
xrefrag_adgm and questions_en.jsonl, in the documents' own words, so that these are not unlearned.

Rank: 64 in training, cut to 16 when it is written. Of the lay questions of `tests/answers` (dev) the right passage came
first for .497 and among the first five for .702 with rank 64, .494 and .708 with rank 16.

Cost: it needs a GPU (`--device`): about five minutes on an H200, four of them for the steps; on a CPU it takes days.
`--limit 4 --steps 2` tries the script on a CPU in half a minute.

Bytes: a new run gives figures in the neighbourhood of the shipped file's, not its bytes. The shipped file's run began
from its predecessor (the models/lay.adapter before it in git: rank 16, question and passage encoded apart, 7,611 of these
questions), as `--begin` does. Its schedule went by time and came to 1,923 steps, of which 358 warmed up; here it goes by
steps. Without `--begin` the difference begins from zero. which was not measured. The seed is fixed; GPUs still differ in
the last bits.
"""

import argparse
import json
import random
import re
import struct
from collections import namedtuple
from hashlib import sha256
from pathlib import Path

import numpy
import onnx
import torch
import torch.nn.functional as F
from export import BUILD, EPSILON, HEAD, HEADS, HIDDEN, LAYERS, MATRICES, read_safetensors
from onnx import numpy_helper
from pairs import lines
from tokenizers import BertWordPieceTokenizer

HERE = Path(__file__).resolve().parent
SEED = 7
# Rank in training, and in the file; length in which a new row of A begins (its column of B begins as 0).
RANK, WRITTEN_RANK, NEW_ROW_LENGTH = 64, 16, 0.3
# Learning rates of the difference, and of the scale and bias of logits; steps, and the share of them in which rates rise.
LEARNING_RATE, LOGIT_LEARNING_RATE, STEPS, WARM_UP = 5e-4, 1e-3, 1923, 0.19
# AdamW's averages and decay; greatest length of the gradient.
BETAS, WEIGHT_DECAY, GRADIENT_LENGTH = (0.9, 0.98), 0.01, 1.0
# Questions of a step, negatives of a question, and parts of a step, by length, whose texts are encoded at once.
BATCH, NEGATIVES, BUCKETS = 32, 11, 6
# Logit of a cosine of 1 before it is learned, and a MaxSim with no token, below every cosine.
SCALE, ABSENT = 20.0, -2.0
# Weights beside the cross-entropy of passages: of unanswered questions, of answers told from all others, of sentences.
NEAR_WEIGHT, BINARY_WEIGHT, SENTENCE_WEIGHT = 0.5, 0.3, 0.5
# Tokens without special ones: of a question, of a passage's name, of its text; and of all with special ones.
QUESTION_TOKENS, NAME_TOKENS, PASSAGE_TOKENS, TEXT_TOKENS = 46, 40, 200, 256
# Ids of the special tokens; that of [PAD] is 0.
CLS, SEP = [101], [102]
# Share of the passages that are read with their name before them, and characters of a name.
NAMED, NAME_LEN = 0.75, 80
# Sentences of a passage; the tokens of later ones count as of the last. Other tokens are of its name, or of no part.
SENTENCES, NAME_PART, NO_PART = 31, 31, 32
SENTENCE_END = re.compile(r"[.;:!?]\s+|\n+")
# Distance of passages of a rulebook that stand beside each other.
BESIDE = 3
# Sets of which each document is searched by itself: another's passage may answer a question as well.
CONTRACTS = {"cuad", "maud", "contractnli", "privacy_qa", "site_policy", "handbook_18f"}
# Shares of negatives: nearest in the answer's scope, best by words, nearest elsewhere, any; and most passages of each.
POOL_SHARES, N_WITHIN, N_BY_WORDS, N_ELSEWHERE = (0.45, 0.35, 0.15, 0.05), 40, 40, 20
# BM25: its parameters, the passages among which those of the pool are, and words that it leaves out.
K1, B, N_BM25 = 0.9, 0.4, 120
FUNCTION_WORDS = (
    "the of and to in a for is on that by this with or as be are from at an it its not any such which if have has may "
    "shall will who what when where how can do does i my we our you your they their he she must"
)
# Where the probes of a text begin, as shares of its length, and their characters. Found again, one shows an overlap.
PROBES, PROBE_LEN = (0.05, 0.4, 0.75), 50
# Passages beside those of the questions where `--limit` is given, and passages embedded at once.
LIMITED_OTHERS, EMBEDDED_AT_ONCE = 200, 256

# A passage: its set, the document it is from ("" for rulebooks), its name, its text, positions of the passages beside it.
Passage = namedtuple("Passage", "set source name text beside")
# A question: its text, positions of the passages that answer it, where in the first of them the answer stands (first
# character and last + 1, both 0 where that is not known), and a question beside it that the passage does not answer.
Question = namedtuple("Question", "text gold says near", defaults=[(0, 0), ""])
# Token ids of a passage's name and text; of each token of the text, the sentence's number and the place in characters.
Tokens = namedtuple("Tokens", "name words sentences offsets")
# A question for training: token ids of its text and of the one beside it, which sentences answer, pools of negatives.
Example = namedtuple("Example", "question asked near answers beside pools")
# A question and a passage read together: token ids, the part that each token belongs to, tokens of the question.
Text = namedtuple("Text", "ids parts n_question")


# --- questions, passages, tokens --------------------------------------------------------------------------------


def training_passages(data):
    """Passages, and their positions by set and id."""
    at, passages = {}, []

    def add(set_, id_, text, name="", source=""):
        at[set_, id_] = len(passages)
        passages.append(Passage(set_, source, name, text, []))

    books = {}
    for row in lines(data / "obliqa/passages.jsonl.gz"):
        if len(row["text"]) >= 40:
            add("obliqa", row["id"], row["text"], " › ".join(filter(None, [row.get("title"), row.get("chapter")])))
            books.setdefault(row.get("doc"), []).append(at["obliqa", row["id"]])
    for book in books.values():
        for place, n in enumerate(book):
            passages[n].beside.extend(book[max(place - BESIDE, 0) : place] + book[place + 1 : place + 1 + BESIDE])
    for row in lines(data / "train_pairs/xrefrag_ukfin.jsonl.gz"):
        id_ = sha256(row["p"].encode()).hexdigest()[:16]
        if ("xrefrag_ukfin", id_) not in at:
            add("xrefrag_ukfin", id_, row["p"])
    rows = [row for path in sorted(HERE.glob("lay/passages-*.jsonl.gz")) for row in lines(path)]
    for row in rows:
        name = row.get("name") or re.sub(r"\.(txt|md)$", "", row["source"]).replace("_", " ")
        add(row["set"], row["id"], row["text"], name, row["source"])
    for row in rows:
        passages[at[row["set"], row["id"]]].beside.extend(at[row["set"], id_] for id_ in row.get("beside", []))
    return at, passages


def training_questions(data, at):
    questions = []
    for path in sorted(HERE.glob("lay/questions-*.jsonl")):
        for row in lines(path):
            gold = [at[row["set"], id_] for id_ in row["gold"]]
            questions.append(Question(row["query"], gold, tuple(row["says"]), row.get("near", "")))
    gold = {}
    for row in lines(data / "train_pairs/xrefrag_adgm.jsonl.gz"):
        gold.setdefault(row["q"], []).append(row["pid"])
    for row in lines(HERE / "questions_en.jsonl"):
        gold.setdefault(row["query"], []).extend(row["gold"])
    for query, ids in gold.items():
        known = sorted({at["obliqa", id_] for id_ in ids if ("obliqa", id_) in at})
        if known:
            questions.append(Question(query, known))
    return questions


def limited(passages, questions, n_questions, lot):
    """Some of the questions, the passages that answer them, those beside these, and a few others."""
    questions = lot.sample(questions, min(n_questions, len(questions)))
    gold = {n for question in questions for n in question.gold}
    kept = gold | {m for n in gold for m in passages[n].beside} | set(lot.sample(range(len(passages)), LIMITED_OTHERS))
    at = {n: place for place, n in enumerate(sorted(kept))}
    passages = [passages[n]._replace(beside=[at[m] for m in passages[n].beside if m in at]) for n in at]
    return passages, [question._replace(gold=[at[n] for n in question.gold]) for question in questions]


def token_ids(tokenizer, text, n_tokens):
    return numpy.array(tokenizer.encode(text, add_special_tokens=False).ids[:n_tokens], numpy.int64)


def passage_tokens(tokenizer, passage):
    name = token_ids(tokenizer, f"{passage.name[:NAME_LEN]} › ", NAME_TOKENS if passage.name else 0)
    encoding = tokenizer.encode(passage.text, add_special_tokens=False)
    offsets = numpy.array(encoding.offsets[:PASSAGE_TOKENS])
    ends = [end.end() for end in SENTENCE_END.finditer(passage.text)]
    sentences = numpy.searchsorted(ends, offsets[:, 0], side="right").clip(max=SENTENCES - 1)
    return Tokens(name, numpy.array(encoding.ids[:PASSAGE_TOKENS]), sentences, offsets)


def read_together(question, ids, parts):
    n_tokens = TEXT_TOKENS - 3 - len(question)
    before = [NO_PART] * (len(question) + 2)
    ids = numpy.concatenate([CLS, question, SEP, ids[:n_tokens], SEP])
    return Text(ids, numpy.concatenate([before, parts[:n_tokens], [NO_PART]]), len(question))


def padded(rows, fill, device):
    """Rows in one length, a multiple of 8: a GPU's matrix products are faster then."""
    array = numpy.full((len(rows), -(-max(map(len, rows)) // 8) * 8), fill)
    for n, row in enumerate(rows):
        array[n, : len(row)] = row
    return torch.from_numpy(array).to(device)


# --- the encoder ------------------------------------------------------------------------------------------------

# Matrices by their names in models/build/model.onnx, with those in an adapter.
NAMES = {
    f"layer{layer}.{name}": f"encoder.layer.{layer}.{source}"
    for layer in range(LAYERS)
    for name, source in zip(("query", "key", "value", "attended", "inner", "outer"), MATRICES, strict=True)
}


def stored_weights(path):
    """Weights of the encoder, codes expanded; those of queries are divided by √32, as softmax needs them."""
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(path).graph.initializer}
    weights = {n: array for n, array in stored.items() if array.dtype == numpy.float32 and not n.endswith(".scale")}
    for name in [n.removesuffix(".codes") for n in stored if n.endswith(".codes")]:
        expanded = stored[f"{name}.codes"].astype(numpy.float32) * stored[f"{name}.scale"]
        weights[name] = expanded.reshape(-1, expanded.shape[-1])
    # The last norm bears the name of the model's output.
    for part in ("gain", "bias"):
        weights[f"layer{LAYERS - 1}.outer.norm.{part}"] = weights.pop(f"last_hidden_state.{part}")
    return {name: torch.tensor(array) for name, array in weights.items()}


class Encoder:
    """MiniLM in bfloat16, which learns nothing, with a difference of each matrix, in f32, which does.

    A logit is a MaxSim times `SCALE · exp(scale)`; `bias` is added where answers are told from all others.
    """

    def __init__(self, weights, begin, device):
        torch.manual_seed(SEED)
        self.device = device
        self.plain = {name: tensor.to(device).bfloat16() for name, tensor in weights.items()}
        self.down, self.up = {}, {}
        for name in NAMES:
            n_in, n_out = weights[f"{name}.weight"].shape
            down, up = begin.get(name, (torch.zeros(0, n_in), torch.zeros(n_out, 0)))
            new = torch.randn(RANK - len(down), n_in) * n_in**-0.5 * NEW_ROW_LENGTH
            self.down[name] = torch.nn.Parameter(torch.cat([down, new]).to(device))
            self.up[name] = torch.nn.Parameter(torch.cat([up, torch.zeros(n_out, len(new))], 1).to(device))
        self.scale, self.bias = (torch.nn.Parameter(torch.zeros(1, device=device)) for _ in range(2))

    def sums(self):
        """Weights with the difference of each matrix added."""
        sums = dict(self.plain)
        for name, down in self.down.items():
            share = HEAD**-0.5 if name.endswith("query") else 1.0
            sums[f"{name}.weight"] = sums[f"{name}.weight"] + (share * (self.up[name] @ down).T).bfloat16()
        return sums

    def states(self, weights, ids):
        """Vectors of tokens, [texts, tokens, 384]; a text's ids end with zeros."""
        norm = lambda name, x: F.layer_norm(x, (HIDDEN,), weights[f"{name}.gain"], weights[f"{name}.bias"], EPSILON)
        dense = lambda name, x: F.linear(x, weights[f"{name}.weight"].T, weights[f"{name}.bias"])
        heads = lambda name, x: dense(name, x).view(*ids.shape, HEADS, HEAD).transpose(1, 2)
        mask = (ids > 0)[:, None, None]
        x = norm("embedded.norm", weights["words"][ids] + weights["positions.table"][: ids.shape[1]])
        for layer in range(LAYERS):
            part = f"layer{layer}."
            query, key, value = (heads(part + which, x) for which in ("query", "key", "value"))
            mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, scale=1.0).transpose(1, 2)
            x = norm(f"{part}attended.norm", x + dense(f"{part}attended", mixed.reshape(x.shape)))
            x = norm(f"{part}outer.norm", x + dense(f"{part}outer", F.gelu(dense(f"{part}inner", x))))
        return x.float()


# --- negatives --------------------------------------------------------------------------------------------------


def scope(passage):
    """Passages among which an answer is searched: those of a contract or policy, else those of the set."""
    return passage.set, passage.source if passage.set in CONTRACTS else ""


def is_overlap(passage, other):
    """True if about a third of one text stands in the other."""
    if (passage.set, passage.source) != (other.set, other.source):
        return passage.text == other.text

    def is_in(text, whole):
        starts = [int(len(text) * share) for share in PROBES]
        return any(text[start : start + PROBE_LEN] in whole for start in starts if start + PROBE_LEN <= len(text))

    return is_in(passage.text, other.text) or is_in(other.text, passage.text)


def may_answer(passages, question, n):
    """True if a passage is no negative: it answers, overlaps the answer, or is of another contract than the answer."""
    answer, other = passages[question.gold[0]], passages[n]
    is_other_contract = {answer.set, other.set} <= CONTRACTS and scope(answer) != scope(other)
    return n in question.gold or is_other_contract or is_overlap(answer, other)


def bm25_scores(tokens, asked, function_words):
    """Scores of all passages for each question, over word pieces."""
    texts = [numpy.concatenate([passage.name, passage.words]) for passage in tokens]
    lengths = numpy.array([len(text) for text in texts])
    # Postings: how often a term occurs in a passage, ordered by term.
    pairs = numpy.concatenate(texts) * len(texts) + numpy.repeat(numpy.arange(len(texts)), lengths)
    pairs, counts = numpy.unique(pairs, return_counts=True)
    terms, at = numpy.divmod(pairs, len(texts))
    weights = counts * (K1 + 1) / (counts + K1 * (1 - B + B * lengths[at] / lengths.mean()))
    for ids in asked:
        scores = numpy.zeros(len(texts))
        for term in sorted(set(ids.tolist()) - function_words):
            start, end = numpy.searchsorted(terms, [term, term + 1])
            idf = numpy.log(1 + (len(texts) - (end - start) + 0.5) / (end - start + 0.5))
            scores[at[start:end]] += idf * weights[start:end]
        yield torch.from_numpy(scores)


@torch.no_grad()
def mean_vectors(encoder, rows):
    """Unit vectors of texts by the plain model, as search compares them."""
    order = sorted(range(len(rows)), key=lambda n: len(rows[n]))
    vectors = torch.zeros(len(rows), HIDDEN, device=encoder.device)
    for start in range(0, len(rows), EMBEDDED_AT_ONCE):
        some = order[start : start + EMBEDDED_AT_ONCE]
        ids = padded([numpy.concatenate([CLS, rows[n], SEP]) for n in some], 0, encoder.device)
        vectors[some] = F.normalize((encoder.states(encoder.plain, ids) * (ids > 0)[..., None]).sum(1), dim=-1)
    return vectors


def highest(scores, is_wanted, n_most):
    top = scores.masked_fill(~is_wanted, -torch.inf).topk(min(n_most, len(scores)))
    return top.indices[top.values > -torch.inf].tolist()


def training_examples(tokenizer, encoder, passages, tokens, questions):
    asked = [token_ids(tokenizer, question.text, QUESTION_TOKENS) for question in questions]
    all_scores = bm25_scores(tokens, asked, set(token_ids(tokenizer, FUNCTION_WORDS, None).tolist()))
    of_passages = mean_vectors(encoder, [numpy.concatenate([text.name, text.words]) for text in tokens])
    of_questions = mean_vectors(encoder, asked)
    numbers = {}
    scopes = torch.tensor([numbers.setdefault(scope(p), len(numbers)) for p in passages], device=encoder.device)
    is_contract = torch.tensor([passage.set in CONTRACTS for passage in passages], device=encoder.device)
    for n, (question, scores) in enumerate(zip(questions, all_scores, strict=True)):
        answer = question.gold[0]
        cosines = of_passages @ of_questions[n]
        is_within = scopes == scopes[answer]
        is_elsewhere = ~is_within & ~(is_contract & is_contract[answer])
        pools = [passages[answer].beside, highest(scores, scores > 0, N_BM25)]
        pools += [highest(cosines, is_within, N_WITHIN), highest(cosines, is_elsewhere, N_ELSEWHERE)]
        pools = [[m for m in pool if not may_answer(passages, question, m)] for pool in pools]
        beside, by_words, within, elsewhere = pools
        near = token_ids(tokenizer, question.near, QUESTION_TOKENS)
        start, end = tokens[answer].offsets.T
        says = tokens[answer].sentences[(start < question.says[1]) & (end > question.says[0])]
        answers = numpy.isin(numpy.arange(SENTENCES), says)
        yield Example(question, asked[n], near, answers, beside, (within, by_words[:N_BY_WORDS], elsewhere))


def negatives(example, passages, lot):
    chosen = [lot.choice(example.beside)] if example.beside else []
    any_ = range(len(passages))
    while len(chosen) < NEGATIVES:
        (pool,) = lot.choices([*example.pools, any_], POOL_SHARES)
        n = lot.choice(pool or any_)
        if not may_answer(passages, example.question, n):
            chosen.append(n)
    return chosen


# --- the loss ---------------------------------------------------------------------------------------------------


def max_sims(encoder, weights, texts):
    """MaxSim of each question with the sentences of its passage and, last, with all of it, [texts, SENTENCES + 1]."""
    order = sorted(range(len(texts)), key=lambda n: len(texts[n].ids))
    means = []
    for some in numpy.array_split(order, BUCKETS):
        bucket = [texts[n] for n in some]
        ids = padded([text.ids for text in bucket], 0, encoder.device)
        parts = padded([text.parts for text in bucket], NO_PART, encoder.device)
        lengths = torch.tensor([text.n_question for text in bucket], device=encoder.device)[:, None]
        n_most = max(text.n_question for text in bucket)
        vectors = F.normalize(encoder.states(weights, ids), dim=-1).bfloat16()
        similar = torch.bmm(vectors[:, 1 : 1 + n_most], vectors.mT).float()
        best = torch.full((len(bucket), n_most, NO_PART + 1), ABSENT, device=encoder.device)
        best = best.scatter_reduce(2, parts[:, None].expand_as(similar), similar, "amax")
        best = torch.cat([best[..., :SENTENCES], best[..., :NO_PART].amax(-1, keepdim=True)], -1)
        is_question = torch.arange(n_most, device=encoder.device) < lengths
        means.append((best * is_question[..., None]).sum(1) / lengths)
    return torch.cat(means)[torch.from_numpy(numpy.argsort(order)).to(encoder.device)]


def sentence_loss(sims, scale, answers):
    """Cross-entropy of the sentences that answer among those of their passage; 0 where none is known."""
    is_there = sims > (ABSENT - 1) / 2
    is_answer = answers & is_there
    logits = (scale * sims).masked_fill(~is_there, -1e4)
    is_told = is_answer.any(1) & (is_there & ~is_answer).any(1)
    right = logits.masked_fill(~is_answer, -1e4).logsumexp(1) - logits.logsumexp(1)
    return -right.masked_fill(~is_told, 0).sum() / is_told.sum().clamp(min=1)


def loss(encoder, texts, answers, near_of):
    """Loss of a step.

    `texts` are an answer and its negatives for each question, then for each of the questions `near_of` the unanswered one
    with its answer; `answers` tells which sentences of an answer answer, [questions, SENTENCES].
    """
    n_told = len(answers) * (1 + NEGATIVES)
    sims = max_sims(encoder, encoder.sums(), texts)
    scale = SCALE * encoder.scale.exp()
    logits = scale * sims[:, SENTENCES]
    told, near = logits[:n_told].view(-1, 1 + NEGATIVES), logits[n_told:]
    n_near = max(len(near), 1)
    passage = -told.log_softmax(1)[:, 0].mean()
    unanswered = F.softplus(near - told[near_of, 0]).sum() / n_near
    binary = F.softplus(-told[:, 0] - encoder.bias).mean() + F.softplus(told[:, 1:] + encoder.bias).mean()
    binary = binary + F.softplus(near + encoder.bias).sum() / n_near
    sentence = sentence_loss(sims[: n_told : 1 + NEGATIVES, :SENTENCES], scale, answers)
    return passage + NEAR_WEIGHT * unanswered + BINARY_WEIGHT * binary + SENTENCE_WEIGHT * sentence


# --- training ---------------------------------------------------------------------------------------------------


def texts_of(batch, passages, tokens, lot):
    """Texts of a step, and the questions whose unanswered question is among them, as `loss` takes them."""
    texts, near, near_of = [], [], []
    for n, example in enumerate(batch):
        gold = example.question.gold
        answer = gold[0] if example.answers.any() else lot.choice(gold)
        for m in [answer, *negatives(example, passages, lot)]:
            name = tokens[m].name if lot.random() < NAMED else tokens[m].name[:0]
            ids = numpy.concatenate([name, tokens[m].words])
            parts = numpy.concatenate([numpy.full(len(name), NAME_PART), tokens[m].sentences])
            texts.append(read_together(example.asked, ids, parts))
            if m == answer and len(example.near):
                near.append(read_together(example.near, ids, parts))
                near_of.append(n)
    return texts + near, near_of


def train(encoder, passages, tokens, examples, n_steps, lot):
    matrices, logits = [*encoder.down.values(), *encoder.up.values()], [encoder.scale, encoder.bias]
    groups = [{"params": matrices, "lr": LEARNING_RATE}, {"params": logits, "lr": LOGIT_LEARNING_RATE}]
    optimiser = torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY, betas=BETAS)
    share = lambda step: min((step + 1) / (n_steps * WARM_UP + 1), 1.0) * (1 - step / n_steps)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, share)
    order, values, n_questions = [], [], min(BATCH, len(examples))
    for step in range(1, n_steps + 1):
        if len(order) < n_questions:
            order += lot.sample(examples, len(examples))
        batch, order = order[:n_questions], order[n_questions:]
        texts, near_of = texts_of(batch, passages, tokens, lot)
        answers = torch.from_numpy(numpy.stack([example.answers for example in batch])).to(encoder.device)
        value = loss(encoder, texts, answers, near_of)
        optimiser.zero_grad()
        value.backward()
        torch.nn.utils.clip_grad_norm_(matrices + logits, GRADIENT_LENGTH)
        optimiser.step()
        schedule.step()
        values.append(value.detach())
        if step % 20 == 0 or step == n_steps:
            print(f"step {step} of {n_steps}, loss {torch.stack(values[-20:]).mean():.3f}", flush=True)


# --- the adapter ------------------------------------------------------------------------------------------------


def read_adapter(path):
    """Factors of each matrix, A and B; of a rank, the row of one and the column of the other have equal length."""
    tensors = {name: torch.tensor(array, dtype=torch.float32) for name, array in read_safetensors(path).items()}
    factors = {}
    for name, source in NAMES.items():
        down = tensors[f"{source}.lora_A.codes"]
        up = tensors[f"{source}.lora_B.codes"] * tensors[f"{source}.lora.scale"]
        balance = (up.norm(dim=0) / down.norm(dim=1).clamp(min=1e-9)).sqrt()
        factors[name] = down * balance[:, None], up / balance.clamp(min=1e-9)
    return factors


def cut(down, up, rank):
    """Factors of the product's nearest matrix of a rank, by its singular values."""
    up_basis, up_rest = torch.linalg.qr(up)
    down_basis, down_rest = torch.linalg.qr(down.T)
    left, values, right = torch.linalg.svd(up_rest @ down_rest.T)
    roots = values[:rank].sqrt()
    return (roots[:, None] * right[:rank]) @ down_basis.T, up_basis @ (left[:, :rank] * roots)


def codes(rows):
    """Rows as int8 and a scale for each."""
    scale = numpy.maximum(numpy.abs(rows).max(1), 1e-30) / 127
    return numpy.rint(rows / scale[:, None]).astype(numpy.int8), scale


def write_adapter(path, encoder):
    """The factors as int8: for each rank one scale, that of its row of A times that of its column of B."""
    tensors = {}
    for name, source in NAMES.items():
        down, up = cut(encoder.down[name].detach().cpu(), encoder.up[name].detach().cpu(), WRITTEN_RANK)
        (a, a_scale), (b, b_scale) = codes(down.numpy()), codes(up.numpy().T)
        tensors[f"{source}.lora_A.codes"], tensors[f"{source}.lora_B.codes"] = a, numpy.ascontiguousarray(b.T)
        tensors[f"{source}.lora.scale"] = (a_scale * b_scale).astype("<f4")
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
    parser.add_argument("--out", type=Path, required=True, help="the adapter, for models/lay.adapter")
    parser.add_argument("--begin", type=Path, help="an adapter to begin from, in place of zero")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"of {BATCH} questions each, {STEPS} by default")
    parser.add_argument("--limit", type=int, help="questions to train on, with few passages, to try the script")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="as torch names it")
    args = parser.parse_args()
    lot = random.Random(SEED)
    torch.set_float32_matmul_precision("high")
    at, passages = training_passages(args.data)
    questions = training_questions(args.data, at)
    if args.limit:
        passages, questions = limited(passages, questions, args.limit, lot)
    print(f"{len(questions)} questions, {len(passages)} passages", flush=True)
    tokenizer = BertWordPieceTokenizer(str(BUILD / "vocab.txt"), lowercase=True)
    tokens = [passage_tokens(tokenizer, passage) for passage in passages]
    begin = read_adapter(args.begin) if args.begin else {}
    encoder = Encoder(stored_weights(BUILD / "model.onnx"), begin, args.device)
    examples = list(training_examples(tokenizer, encoder, passages, tokens, questions))
    print("negatives found", flush=True)
    train(encoder, passages, tokens, examples, args.steps, lot)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    write_adapter(args.out, encoder)
    print(f"{args.out}: {args.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
