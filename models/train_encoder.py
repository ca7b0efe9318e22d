"""Trains what is added to all-MiniLM-L6-v2 where a question and a passage are read together: `lay.adapter`.

The engine adds it when it loads the encoder (crate/encoder/src/adapter.rs); vectors for search are made without it.

    python3 models/export.py                                     # makes models/build, the encoder as the engine has it
    python3 -m venv target/encoder-venv
    target/encoder-venv/bin/pip install -r models/requirements-encoder.txt
    target/encoder-venv/bin/python models/teacher.py target/encoder/teacher.safetensors
    target/encoder-venv/bin/python models/train_encoder.py --data ../shared/data --begin models/lay.adapter \
        --teacher target/encoder/teacher.safetensors --out target/encoder/lay.adapter
    cp target/encoder/lay.adapter models && python3 models/export.py --pin                                # ships it

What: a low-rank difference (LoRA, Hu et al. 2021, arXiv 2106.09685) of every matrix of the six layers. The encoder reads
`[CLS] question [SEP] passage [SEP]` as one text, so the vectors of each know the other's words. The score of the passage
is MaxSim (ColBERT, Khattab and Zaharia 2020, arXiv 2004.12832): the mean, over the question's tokens, of the greatest
cosine with a token of the passage; the score of a sentence is the same over its tokens.

Loss: the answer is told from eleven negatives of its question by cross-entropy (LCE: Gao, Dai and Callan 2021, Rethink
Training of BERT Rerankers, arXiv 2101.08751), answers from all others by binary cross-entropy, and the answering sentences
from the others of their passage. A document is silent if its best passage does not answer: so the best of the passages of
each question without an answer is told from each answer of a step.

Teacher: a larger encoder (teacher.py) learns the same first, of seven negatives; then seven tenths of what is wanted of the
small one are the teacher's distributions over passages and sentences and its probabilities (Hinton, Vinyals and Dean 2015,
arXiv 1503.02531), the rest what the writers of the questions say. So a negative that answers after all is no error.

Questions: comparison_examples.py.

Rank: 64 in training, cut to 16 when it is written. Of 1,076 questions of documents that were left out of training the right
passage comes first for .885 with rank 64 and .877 with 16.

Cost: it needs a GPU (`--device`): ten minutes on an H200, of which the teacher takes three and a half and its scores one
and a half; on a CPU it takes days. `--limit 30 --steps 1 --teacher-steps 1` tries the script on a CPU in minutes.

Bytes: a new run gives figures in the neighbourhood of the shipped file's, not its bytes. The shipped file's run began
from its predecessor (the models/lay.adapter before it in git). It had seven minutes: its schedules went by time and came to 677
steps of the teacher, whose weights had been stored in some five bits each, and 1,394 of the encoder, with ten passages for each
question in place of twelve of sixteen, and a head that was left out (README.md). Here they go by steps. It left out the questions
that `--aside` does. The seed is fixed; GPUs still differ in the last bits.
"""

import argparse
import json
import random
import struct
from collections import namedtuple
from pathlib import Path

import numpy
import onnx
import torch
import torch.nn.functional as F
from comparison_examples import (
    CANDIDATES,
    CLS,
    NO_PART,
    SEP,
    SENTENCES,
    UNLIKE,
    Texts,
    is_set_aside,
    limited,
    passage_tokens,
    training_examples,
    training_passages,
    training_questions,
    unanswered_questions,
    unlike_examples,
)
from export import BUILD, EPSILON, HEAD, HEADS, HIDDEN, LAYERS, MATRICES, read_safetensors
from onnx import numpy_helper
from teacher import Teacher
from tokenizers import BertWordPieceTokenizer

SEED = 7
# Rank in training, and in the file; length in which a new row of A begins (its column of B begins as 0).
RANK, WRITTEN_RANK, NEW_ROW_LENGTH = 64, 16, 0.3
# Learning rates of the difference, of the teacher, and of the scale and bias of logits.
LEARNING_RATE, TEACHER_LEARNING_RATE, LOGIT_LEARNING_RATE = 5e-4, 3e-5, 1e-3
# Steps of the encoder and of the teacher, and the share of them in which rates rise.
STEPS, TEACHER_STEPS, WARM_UP = 1782, 894, 0.1
# AdamW's averages and decay; greatest length of the gradient.
BETAS, WEIGHT_DECAY, GRADIENT_LENGTH = (0.9, 0.98), 0.01, 1.0
# Questions of a step, passages of a question for the encoder and for the teacher, and parts of a step, by length, whose
# texts are encoded at once.
BATCH, PASSAGES, TEACHER_PASSAGES, BUCKETS = 32, 12, 8, 6
# Questions without an answer in a step, passages of each, and the least of these questions whose passages were all read.
UNLIKE_BATCH, UNLIKE_PASSAGES, MIN_READ = 32, 3, 10
# Logit of a cosine of 1 before it is learned; a MaxSim with no token, below every cosine; and a logit of nothing.
SCALE, ABSENT, NO_LOGIT = 20.0, -2.0, -1e4
# Weights beside the cross-entropy of passages: of the best passages of questions without an answer told from answers, of
# answers told from all others, of sentences.
SILENT_WEIGHT, BINARY_WEIGHT, SENTENCE_WEIGHT = 0.5, 0.3, 0.5
# Probability by the teacher from which a passage that may answer counts as an answer.
MAY_ANSWER = 0.5
# Share of what the teacher says in a loss; the rest is what the questions' writers say.
TEACHER_SHARE = 0.7
# Share of the passages that are read with their name before them.
NAMED = 0.75
# Questions whose passages are encoded at once where nothing is learned, and passages embedded at once.
SCORED_AT_ONCE, EMBEDDED_AT_ONCE = 64, 256


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


@torch.no_grad()
def mean_vectors(encoder, rows):
    """Unit vectors of lists of token ids by the plain model, as search compares them."""
    order = sorted(range(len(rows)), key=lambda n: len(rows[n]))
    vectors = torch.zeros(len(rows), HIDDEN, device=encoder.device)
    for start in range(0, len(rows), EMBEDDED_AT_ONCE):
        some = order[start : start + EMBEDDED_AT_ONCE]
        ids = torch.nn.utils.rnn.pad_sequence(
            [torch.tensor([CLS, *rows[n], SEP]) for n in some], batch_first=True
        ).to(encoder.device)
        vectors[some] = F.normalize((encoder.states(encoder.plain, ids) * (ids > 0)[..., None]).sum(1), dim=-1)
    return vectors


# --- the loss ---------------------------------------------------------------------------------------------------


# Logits of a step: of the answered questions' passages, [questions, passages], and of those without an answer, [questions,
# UNLIKE_PASSAGES], those of passages that there are not low; of the answers' sentences, [questions, SENTENCES]; and which
# sentences and which passages there are.
Logits = namedtuple("Logits", "told unlike sentences is_sentence is_unlike")
# A step's draw: rows of answered questions, places among their candidates, rows of questions without an answer, places.
Draw = namedtuple("Draw", "chosen places unlike unlike_places")


def max_sims(model, weights, texts, asked, passages, is_named):
    """MaxSim of each question with the sentences of its passage and, last, with all of it, [texts, SENTENCES + 1]."""
    lengths = texts.lengths(asked, passages, is_named)
    order = numpy.argsort(lengths, kind="stable")
    means = []
    for some in numpy.array_split(order, BUCKETS):
        # A GPU's matrix products are faster where lengths are multiples of 8.
        width = -(-lengths[some[-1]] // 8) * 8
        ids, parts, n_question = texts.read(asked[some], passages[some], is_named[some], width)
        n_most = texts.host_asked[asked[some]].max()
        vectors = F.normalize(model.states(weights, ids), dim=-1).bfloat16()
        similar = torch.bmm(vectors[:, 1 : 1 + n_most], vectors.mT).float()
        best = torch.full((len(some), n_most, NO_PART + 1), ABSENT, device=model.device)
        best = best.scatter_reduce(2, parts[:, None].expand_as(similar), similar, "amax")
        best = torch.cat([best[..., :SENTENCES], best[..., :NO_PART].amax(-1, keepdim=True)], -1)
        is_question = torch.arange(n_most, device=model.device) < n_question
        means.append((best * is_question[..., None]).sum(1) / n_question)
    return torch.cat(means)[torch.from_numpy(numpy.argsort(order)).to(model.device)]


def step_logits(model, weights, texts, examples, unlike, draw, lot):
    """Logits of a draw."""
    passages = numpy.take_along_axis(examples.candidates[draw.chosen], draw.places, 1)
    others = numpy.take_along_axis(unlike.candidates[draw.unlike], draw.unlike_places, 1)
    is_unlike = others >= 0
    asked = numpy.repeat(texts.n_answered + draw.unlike, others.shape[1])[is_unlike.ravel()]
    asked = numpy.concatenate([numpy.repeat(draw.chosen, passages.shape[1]), asked])
    of_asked = numpy.concatenate([passages.ravel(), others[is_unlike]])
    sims = max_sims(model, weights, texts, asked, of_asked, lot.random(len(asked)) < NAMED)
    n_told, n_passages = passages.size, passages.shape[1]
    is_unlike = torch.from_numpy(is_unlike).to(model.device)
    none = torch.full(others.shape, NO_LOGIT, device=model.device)
    logits = SCALE * model.scale.exp() * sims
    told, sentences = logits[:n_told, SENTENCES].view(passages.shape), logits[:n_told:n_passages, :SENTENCES]
    is_sentence = sims[:n_told:n_passages, :SENTENCES] > (ABSENT - 1) / 2
    others = none.masked_scatter(is_unlike, logits[n_told:, SENTENCES])
    return Logits(told, others, sentences, is_sentence, is_unlike)


def divergence(logits, wanted):
    """Cross-entropy of what is wanted, a distribution of each row."""
    return -(wanted * logits.log_softmax(-1)).sum(-1)


def mean_of(values, is_there):
    return values.masked_fill(~is_there, 0).sum() / is_there.sum().clamp(min=1)


def loss(model, weights, texts, examples, unlike, draw, lot, teacher=None):
    """Loss of a step: by what the writers of the questions say and, where there is a teacher, by what it says."""
    found = step_logits(model, weights, texts, examples, unlike, draw, lot)
    on_device = lambda array: torch.from_numpy(array).to(model.device)
    answers = on_device(examples.answers[draw.chosen]) & found.is_sentence
    sentences = found.sentences.masked_fill(~found.is_sentence, NO_LOGIT)
    is_told = answers.any(1) & (found.is_sentence & ~answers).any(1)
    is_certain = on_device(draw.unlike_places < unlike.n_certain[draw.unlike][:, None]) & found.is_unlike
    wanted = torch.zeros_like(found.told)
    wanted[:, 0] = 1
    right, wrong, is_known, is_silent = wanted, torch.zeros_like(found.unlike), is_certain, is_certain
    sentence = divergence(sentences, answers / answers.sum(1, keepdim=True).clamp(min=1))
    if teacher:
        share = 1 - TEACHER_SHARE
        taught = teacher.at(draw, model.device)
        p_told, p_unlike = ((logits + teacher.bias).sigmoid() for logits in (taught.told, taught.unlike))
        right = share * wanted + TEACHER_SHARE * p_told
        wanted = share * wanted + TEACHER_SHARE * taught.told.softmax(1)
        # Of passages that may answer the teacher alone says if they do.
        wrong, is_known = torch.where(is_certain, TEACHER_SHARE * p_unlike, p_unlike), found.is_unlike
        is_silent = is_certain | (found.is_unlike & (p_unlike < MAY_ANSWER))
        by_teacher = taught.sentences.masked_fill(~found.is_sentence, NO_LOGIT).softmax(1)
        sentence = share * sentence + TEACHER_SHARE * divergence(sentences, by_teacher)
    binary = F.binary_cross_entropy_with_logits(found.told + model.bias, right, reduction="none")
    binary = binary[:, 0].mean() + binary[:, 1:].mean()
    unlike_binary = F.binary_cross_entropy_with_logits(found.unlike + model.bias, wrong, reduction="none")
    binary = binary + mean_of(unlike_binary, is_known)
    best = found.unlike.masked_fill(~is_silent, NO_LOGIT).amax(1)
    silent = F.softplus(best[:, None] - found.told[None, :, 0]).mean()
    total = divergence(found.told, wanted).mean() + SENTENCE_WEIGHT * mean_of(sentence, is_told)
    return total + BINARY_WEIGHT * binary + SILENT_WEIGHT * silent


# --- training ---------------------------------------------------------------------------------------------------


class Scores:
    """What a model says of some examples and of all questions without an answer: logits of all candidates, and its bias."""

    @torch.no_grad()
    def __init__(self, model, texts, examples, unlike, some, some_unlike):
        n, n_unlike = len(examples.candidates), len(unlike.candidates)
        self.told = numpy.zeros((n, CANDIDATES), numpy.float32)
        self.unlike = numpy.full((n_unlike, UNLIKE + 1), NO_LOGIT, numpy.float32)
        self.sentences = numpy.zeros((n, SENTENCES), numpy.float32)
        self.bias = model.bias.item()
        weights, lot = model.sums(), numpy.random.default_rng(SEED)
        none = numpy.zeros(0, int)
        every = lambda rows, width: numpy.tile(numpy.arange(width), (len(rows), 1))
        for start in range(0, len(some), SCORED_AT_ONCE):
            chosen = some[start : start + SCORED_AT_ONCE]
            draw = Draw(chosen, every(chosen, CANDIDATES), none, every(none, UNLIKE + 1))
            found = step_logits(model, weights, texts, examples, unlike, draw, lot)
            self.told[chosen], self.sentences[chosen] = found.told.cpu(), found.sentences.cpu()
        for start in range(0, len(some_unlike), SCORED_AT_ONCE):
            chosen = some_unlike[start : start + SCORED_AT_ONCE]
            draw = Draw(none, every(none, CANDIDATES), chosen, every(chosen, UNLIKE + 1))
            found = step_logits(model, weights, texts, examples, unlike, draw, lot)
            self.unlike[chosen] = found.unlike.cpu()

    def at(self, draw, device):
        """Logits of a draw, on the device; of sentences all."""
        take = lambda array, rows, places: torch.from_numpy(numpy.take_along_axis(array[rows], places, 1)).to(device)
        told, unlike = take(self.told, draw.chosen, draw.places), take(self.unlike, draw.unlike, draw.unlike_places)
        return Logits(told, unlike, torch.from_numpy(self.sentences[draw.chosen]).to(device), None, None)


def auroc(present, absent):
    return (present[:, None] > absent[None]).mean()


def figures(model, texts, examples, unlike, some, some_unlike):
    """Of some examples: shares whose answer is first and whose sentence is; and AUROC of answers against the nearest passage that
    certainly does not answer, and of the best of all candidates against that of all."""
    scores = Scores(model, texts, examples, unlike, some, some_unlike)
    known = some[examples.answers[some].any(1)]
    sentence = examples.answers[known, scores.sentences[known].argmax(1)].mean()
    told, others = scores.told[some], scores.unlike[some_unlike]
    first, best = (told.argmax(1) == 0).mean(), auroc(told.max(1), others.max(1))
    n = f"of {len(some)} and {len(some_unlike)} questions"
    return f"first {first:.3f}, sentence {sentence:.3f}, AUROC {auroc(told[:, 0], others[:, 0]):.3f}, of the best {best:.3f}, {n}"


class Lot:
    """Draws of steps, from some examples and some questions without an answer: as many of these stand beside the examples as
    there are, the others are of those whose passages were all read."""

    def __init__(self, unlike, some, some_unlike, n_passages, teacher=None):
        self.numbers = numpy.random.default_rng(SEED)
        self.unlike, self.some, self.n_passages, self.teacher = unlike, some, n_passages, teacher
        self.read = some_unlike[unlike.beside[some_unlike] < 0]
        self.beside = numpy.full(some.max() + 1, -1)
        beside = some_unlike[unlike.beside[some_unlike] >= 0]
        self.beside[unlike.beside[beside]] = beside
        self.left, self.left_read = numpy.array([], int), numpy.array([], int)

    def draw(self):
        if len(self.left) < BATCH:
            self.left = numpy.concatenate([self.left, self.numbers.permutation(self.some)])
        chosen, self.left = self.left[:BATCH], self.left[BATCH:]
        others = self.numbers.permuted(numpy.tile(numpy.arange(1, CANDIDATES), (len(chosen), 1)), axis=1)
        places = numpy.concatenate([numpy.zeros((len(chosen), 1), int), others[:, : self.n_passages - 1]], 1)
        unlike = self.beside[chosen]
        unlike = unlike[unlike >= 0][: UNLIKE_BATCH - MIN_READ]
        n_read = min(UNLIKE_BATCH - len(unlike), len(self.read))
        if len(self.left_read) < n_read:
            self.left_read = numpy.concatenate([self.left_read, self.numbers.permutation(self.read)])
        unlike, self.left_read = numpy.concatenate([unlike, self.left_read[:n_read]]), self.left_read[n_read:]
        return Draw(chosen, places, unlike, self.unlike_places(unlike))

    def unlike_places(self, rows):
        """The nearest passage and others: with a teacher, that of its highest score and one by chance, else by chance of those
        that certainly do not answer."""
        value = self.numbers.random((len(rows), UNLIKE + 1))
        value[:, 0] = 3
        is_there = self.unlike.candidates[rows] >= 0
        if self.teacher:
            best = numpy.where(is_there, self.teacher.unlike[rows], NO_LOGIT)
            best[:, 0] = NO_LOGIT
            value[numpy.arange(len(rows)), best.argmax(1)] += 1
        else:
            is_there &= numpy.arange(UNLIKE + 1) < self.unlike.n_certain[rows][:, None]
        order = numpy.argsort(-numpy.where(is_there, value, -1), 1, kind="stable")[:, :UNLIKE_PASSAGES]
        return numpy.where(numpy.take_along_axis(is_there, order, 1), order, UNLIKE)


def train(model, parameters, rate, texts, examples, unlike, lot, n_steps, teacher=None):
    groups = [{"params": parameters, "lr": rate}, {"params": [model.scale, model.bias], "lr": LOGIT_LEARNING_RATE}]
    optimiser = torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY, betas=BETAS)
    share = lambda step: min((step + 1) / (n_steps * WARM_UP + 1), 1.0) * (1 - step / n_steps)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, share)
    values = []
    for step in range(1, n_steps + 1):
        value = loss(model, model.sums(), texts, examples, unlike, lot.draw(), lot.numbers, teacher)
        optimiser.zero_grad()
        value.backward()
        torch.nn.utils.clip_grad_norm_([*parameters, model.scale, model.bias], GRADIENT_LENGTH)
        optimiser.step()
        schedule.step()
        values.append(value.detach())
        if step % 50 == 0 or step == n_steps:
            print(f"step {step} of {n_steps}, loss {torch.stack(values[-50:]).mean():.3f}", flush=True)


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
    parser.add_argument("--teacher", type=Path, help="model.safetensors of all-mpnet-base-v2, whose scores are learned from")
    parser.add_argument("--teacher-steps", type=int, default=TEACHER_STEPS, help=f"{TEACHER_STEPS} by default")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"of {BATCH} questions each, {STEPS} by default")
    parser.add_argument("--aside", action="store_true", help="learn nothing of a fortieth of the documents, and measure there")
    parser.add_argument("--limit", type=int, help="questions to train on, with few passages, to try the script")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="as torch names it")
    args = parser.parse_args()
    lot = random.Random(SEED)
    torch.set_float32_matmul_precision("high")
    at, passages = training_passages(args.data)
    questions, unanswered = training_questions(args.data, at), unanswered_questions(at)
    if args.limit:
        passages, questions, unanswered = limited(passages, questions, unanswered, args.limit, lot)
    print(f"{len(questions)} questions, {len(unanswered)} without an answer, {len(passages)} passages", flush=True)
    tokenizer = BertWordPieceTokenizer(str(BUILD / "vocab.txt"), lowercase=True)
    tokens = [passage_tokens(tokenizer, passage) for passage in passages]
    begin = read_adapter(args.begin) if args.begin else {}
    encoder = Encoder(stored_weights(BUILD / "model.onnx"), begin, args.device)
    vectors = lambda rows: mean_vectors(encoder, rows)
    of_passages = vectors([numpy.concatenate([text.name, text.words]) for text in tokens])
    examples = training_examples(tokenizer, vectors, of_passages, passages, tokens, questions, lot)
    unlike = unlike_examples(tokenizer, vectors, of_passages, passages, tokens, questions, unanswered, examples)
    print("negatives found", flush=True)
    texts = Texts(examples, unlike, tokens, args.device)
    is_aside = lambda rows: numpy.array([args.aside and is_set_aside(passages[row[0]]) for row in rows])
    parts = [is_aside(examples.candidates), is_aside(unlike.candidates)]
    some, aside = ([numpy.flatnonzero(part == value) for part in parts] for value in (False, True))
    scores = None
    if args.teacher:
        teacher = Teacher(args.teacher, args.device)
        weights = list(teacher.learned.values())
        draws = Lot(unlike, *some, TEACHER_PASSAGES)
        train(teacher, weights, TEACHER_LEARNING_RATE, texts, examples, unlike, draws, args.teacher_steps)
        scores = Scores(teacher, texts, examples, unlike, *some)
        if args.aside:
            print("teacher:", figures(teacher, texts, examples, unlike, *aside), flush=True)
        del teacher, weights
    difference = [*encoder.down.values(), *encoder.up.values()]
    train(encoder, difference, LEARNING_RATE, texts, examples, unlike, Lot(unlike, *some, PASSAGES, scores), args.steps, scores)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    write_adapter(args.out, encoder)
    if args.aside:
        print(f"rank {RANK}:", figures(encoder, texts, examples, unlike, *aside))
        written = Encoder(stored_weights(BUILD / "model.onnx"), read_adapter(args.out), args.device)
        print(f"rank {WRITTEN_RANK}:", figures(written, texts, examples, unlike, *aside))
    print(f"{args.out}: {args.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
