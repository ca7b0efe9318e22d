"""Questions with a passage that answers and passages that do not, as train_encoder.py reads them together.

Questions: lay/, over passages of ObliQA and xrefrag_ukfin (in the folder of data) and of lay/ itself; and those of the
ranker, xrefrag_adgm and questions_en.jsonl, in the documents' own words, so that these are not unlearned.

Negatives are passages that stand beside the answer, are near it by the plain model's vectors, or share words with the
question. Passages that may answer too are left out.

Questions without an answer: those beside the questions, of which one passage is known not to answer, with what a search of
its document finds for them, which may; and those of lay/unanswered-*.jsonl, whose writers read all passages named.
"""

import re
from collections import namedtuple
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path

import numpy
import torch
from pairs import lines

HERE = Path(__file__).resolve().parent
# Tokens without special ones: of a question, of a passage's name, of its text; and of all with special ones.
QUESTION_TOKENS, NAME_TOKENS, PASSAGE_TOKENS, TEXT_TOKENS = 46, 40, 200, 256
# Ids of the special tokens; that of [PAD] is 0.
CLS, SEP = 101, 102
# Characters of a name.
NAME_LEN = 80
# Sentences of a passage; the tokens of later ones count as of the last. Other tokens are of its name, or of no part.
SENTENCES, NAME_PART, NO_PART = 31, 31, 32
SENTENCE_END = re.compile(r"[.;:!?]\s+|\n+")
# Passages of a question that are compared: its answer and negatives.
CANDIDATES = 16
# One document in so many is set aside; rulebooks never are.
ASIDE_ONE_IN = 40
# Distance of passages of a rulebook that stand beside each other.
BESIDE = 3
# Sets of which each document is searched by itself: another's passage may answer a question as well.
CONTRACTS = {"cuad", "maud", "contractnli", "privacy_qa", "site_policy", "handbook_18f", "tat_qa"}
# Shares of negatives: nearest in the answer's scope, best by words, nearest elsewhere, any; and most passages of each.
POOL_SHARES, N_WITHIN, N_BY_WORDS, N_ELSEWHERE = (0.45, 0.35, 0.15, 0.05), 40, 40, 20
# Passages of a question without an answer.
UNLIKE = 8
# BM25: its parameters, the passages among which those of the pool are, and words that it leaves out.
K1, B, N_BM25 = 0.9, 0.4, 120
FUNCTION_WORDS = (
    "the of and to in a for is on that by this with or as be are from at an it its not any such which if have has may "
    "shall will who what when where how can do does i my we our you your they their he she must"
)
# Where the probes of a text begin, as shares of its length, and their characters. Found again, one shows an overlap.
PROBES, PROBE_LEN = (0.05, 0.4, 0.75), 50
# Passages beside those of the questions where `--limit` is given.
LIMITED_OTHERS = 200

# A passage: its set, the document it is from ("" for rulebooks), its name, its text, positions of the passages beside it.
Passage = namedtuple("Passage", "set source name text beside")
# A question: its text, positions of the passages that answer it, where in the first of them the answer stands (first
# character and last + 1, both 0 where that is not known), and a question beside it that the passage does not answer.
Question = namedtuple("Question", "text gold says near", defaults=[(0, 0), ""])
# A question without an answer: its text, and positions of passages that certainly do not answer it, the nearest first.
Unanswered = namedtuple("Unanswered", "text passages")
# Token ids of a passage's name and text; of each token of the text, the sentence's number and the place in characters.
Tokens = namedtuple("Tokens", "name words sentences offsets")
# Questions and passages to train on, a row for each question: positions of its answer and then of its negatives; which
# sentences of the answer answer; token ids of the question.
Examples = namedtuple("Examples", "candidates answers asked")
# Questions without an answer, a row for each: positions of passages, [UNLIKE + 1], of which the first `n_certain` certainly do
# not answer, -1 for none and in the last place; token ids of the question; the row of `Examples` that it stands beside, -1 for none.
Unlike = namedtuple("Unlike", "candidates n_certain asked beside")


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


def unanswered_questions(at):
    questions = []
    for path in sorted(HERE.glob("lay/unanswered-*.jsonl")):
        for row in lines(path):
            passages = [at[row["set"], id_] for id_ in row["none"]]
            for near, query in row["queries"]:
                questions.append(Unanswered(query, [passages[near], *passages[:near], *passages[near + 1 :]]))
    return questions


def is_set_aside(passage):
    digest = sha256((passage.set + passage.source).encode()).hexdigest()
    return passage.source != "" and int(digest, 16) % ASIDE_ONE_IN == 0


def limited(passages, questions, unanswered, n_questions, lot):
    """Some of the questions, the passages that answer them, those beside these, and a few others."""
    questions = lot.sample(questions, min(n_questions, len(questions)))
    unanswered = lot.sample(unanswered, min(n_questions, len(unanswered)))
    gold = {n for question in questions for n in question.gold} | {n for question in unanswered for n in question.passages}
    kept = gold | {m for n in gold for m in passages[n].beside} | set(lot.sample(range(len(passages)), LIMITED_OTHERS))
    at = {n: place for place, n in enumerate(sorted(kept))}
    passages = [passages[n]._replace(beside=[at[m] for m in passages[n].beside if m in at]) for n in at]
    questions = [question._replace(gold=[at[n] for n in question.gold]) for question in questions]
    return passages, questions, [q._replace(passages=[at[n] for n in q.passages]) for q in unanswered]


def token_ids(tokenizer, text, n_tokens):
    return numpy.array(tokenizer.encode(text, add_special_tokens=False).ids[:n_tokens], numpy.int64)


def passage_tokens(tokenizer, passage):
    name = token_ids(tokenizer, f"{passage.name[:NAME_LEN]} › ", NAME_TOKENS if passage.name else 0)
    encoding = tokenizer.encode(passage.text, add_special_tokens=False)
    offsets = numpy.array(encoding.offsets[:PASSAGE_TOKENS])
    ends = [end.end() for end in SENTENCE_END.finditer(passage.text)]
    sentences = numpy.searchsorted(ends, offsets[:, 0], side="right").clip(max=SENTENCES - 1)
    return Tokens(name, numpy.array(encoding.ids[:PASSAGE_TOKENS]), sentences, offsets)


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


def highest(scores, is_wanted, n_most):
    top = scores.masked_fill(~is_wanted, -torch.inf).topk(min(n_most, len(scores)))
    return top.indices[top.values > -torch.inf].tolist()


def negatives(pools, passages, question, beside, lot):
    """Passages that do not answer, `CANDIDATES` less the answer: one that stands beside it first, where there is one."""
    chosen = [lot.choice(beside)] if beside else []
    any_ = range(len(passages))
    while len(chosen) < CANDIDATES - 1:
        (pool,) = lot.choices([*pools, any_], POOL_SHARES)
        n = lot.choice(pool or any_)
        if not may_answer(passages, question, n):
            chosen.append(n)
    return chosen


def training_examples(tokenizer, vectors, of_passages, passages, tokens, questions, lot):
    """Examples; `vectors` makes unit vectors of lists of token ids, as search compares them, `of_passages` are the passages'."""
    asked = [token_ids(tokenizer, question.text, QUESTION_TOKENS) for question in questions]
    all_scores = bm25_scores(tokens, asked, function_words(tokenizer))
    of_questions = vectors(asked)
    numbers = {}
    scopes = torch.tensor([numbers.setdefault(scope(p), len(numbers)) for p in passages], device=of_passages.device)
    is_contract = torch.tensor([passage.set in CONTRACTS for passage in passages], device=of_passages.device)
    candidates = numpy.zeros((len(questions), CANDIDATES), numpy.int64)
    answers = numpy.zeros((len(questions), SENTENCES), bool)
    for n, (question, scores) in enumerate(zip(questions, all_scores, strict=True)):
        start, end = tokens[question.gold[0]].offsets.T
        says = tokens[question.gold[0]].sentences[(start < question.says[1]) & (end > question.says[0])]
        answers[n, says] = True
        answer = question.gold[0] if len(says) else lot.choice(question.gold)
        cosines = of_passages @ of_questions[n]
        is_within = scopes == scopes[answer]
        is_elsewhere = ~is_within & ~(is_contract & is_contract[answer])
        pools = [passages[answer].beside, highest(scores, scores > 0, N_BM25)]
        pools += [highest(cosines, is_within, N_WITHIN), highest(cosines, is_elsewhere, N_ELSEWHERE)]
        pools = [[m for m in pool if not may_answer(passages, question, m)] for pool in pools]
        beside, by_words, within, elsewhere = pools
        pools = (within, by_words[:N_BY_WORDS], elsewhere)
        candidates[n] = [answer, *negatives(pools, passages, question, beside, lot)]
    return Examples(candidates, answers, asked)


def function_words(tokenizer):
    return set(token_ids(tokenizer, FUNCTION_WORDS, None).tolist())


def unlike_examples(tokenizer, vectors, of_passages, passages, tokens, questions, unanswered, examples):
    """Questions without an answer; vectors as of `training_examples`, whose rows are of `questions`."""
    near = [(n, token_ids(tokenizer, question.near, QUESTION_TOKENS)) for n, question in enumerate(questions)]
    # A question without a token, such as a lone sign, is like nothing.
    near = [(n, ids) for n, ids in near if len(ids)]
    beside, asked = [n for n, _ in near], [ids for _, ids in near]
    of_questions = vectors(asked)
    documents = {}
    for n, passage in enumerate(passages):
        documents.setdefault((passage.set, passage.source), []).append(n)
    rows = []
    for n, vector, scores in zip(beside, of_questions, bm25_scores(tokens, asked, function_words(tokenizer)), strict=True):
        answer = examples.candidates[n, 0]
        is_within = torch.zeros(len(passages), dtype=torch.bool)
        is_within[documents[passages[answer].set, passages[answer].source]] = True
        nearest = highest((of_passages @ vector).cpu(), is_within, UNLIKE)
        by_words = highest(scores, is_within & (scores > 0), UNLIKE)
        found = [answer]
        for m in [m for pair in zip_longest(nearest, by_words) for m in pair] + passages[answer].beside:
            if m is not None and m not in found and not is_overlap(passages[answer], passages[m]):
                found.append(m)
        rows.append(found)
    certain = [1] * len(rows) + [min(len(question.passages), UNLIKE) for question in unanswered]
    asked += [token_ids(tokenizer, question.text, QUESTION_TOKENS) for question in unanswered]
    rows += [question.passages for question in unanswered]
    candidates = numpy.array([(row[:UNLIKE] + [-1] * (UNLIKE + 1))[: UNLIKE + 1] for row in rows])
    return Unlike(candidates, numpy.array(certain), asked, numpy.array(beside + [-1] * len(unanswered)))


# --- a question and a passage as one text -----------------------------------------------------------------------


def padded(rows, width, device):
    """Rows with zeros behind them, and their lengths."""
    array = numpy.zeros((len(rows), width), numpy.int32)
    for n, row in enumerate(rows):
        array[n, : len(row)] = row
    lengths = numpy.array([len(row) for row in rows])
    return torch.from_numpy(array).to(device), torch.from_numpy(lengths).to(device), lengths


class Texts:
    """`[CLS] question [SEP] name passage [SEP]`, made on the device from the tokens of questions and passages.

    Questions are those of the examples and then those without an answer, from row `n_answered`.
    """

    def __init__(self, examples, unlike, tokens, device):
        self.device = device
        self.n_answered = len(examples.asked)
        self.asked, self.n_asked, self.host_asked = padded([*examples.asked, *unlike.asked], QUESTION_TOKENS, device)
        self.names, self.n_name, self.host_name = padded([text.name for text in tokens], NAME_TOKENS, device)
        self.words, self.n_words, self.host_words = padded([text.words for text in tokens], PASSAGE_TOKENS, device)
        self.sentences, _, _ = padded([text.sentences for text in tokens], PASSAGE_TOKENS, device)

    def lengths(self, asked, passages, is_named):
        """Tokens of texts, at most `TEXT_TOKENS`; of rows of questions and passages and of whether a name is read."""
        length = 3 + self.host_asked[asked] + is_named * self.host_name[passages] + self.host_words[passages]
        return numpy.minimum(length, TEXT_TOKENS)

    def read(self, asked, passages, is_named, width):
        """Ids of tokens and the part of each, [texts, width], and how many tokens each question has, [texts, 1]."""
        asked, passages, is_named = (torch.from_numpy(array).to(self.device) for array in (asked, passages, is_named))
        n_question = self.n_asked[asked][:, None]
        n_name = self.n_name[passages][:, None] * is_named[:, None]
        n_rest = (n_name + self.n_words[passages][:, None]).minimum(TEXT_TOKENS - 3 - n_question)
        place = torch.arange(width, device=self.device)[None].expand(len(asked), -1)
        behind = place - n_question - 2
        of = lambda table, rows, at: table[rows].gather(1, at.clamp(0, table.shape[1] - 1)).long()
        is_words = (behind >= n_name) & (behind < n_rest)
        ids = torch.where(place == 0, CLS, 0)
        ids = torch.where((place > 0) & (place <= n_question), of(self.asked, asked, place - 1), ids)
        ids = torch.where((behind >= 0) & (behind < n_name.minimum(n_rest)), of(self.names, passages, behind), ids)
        ids = torch.where(is_words, of(self.words, passages, behind - n_name), ids)
        ids = torch.where((behind == -1) | (behind == n_rest), SEP, ids)
        parts = torch.where((behind >= 0) & (behind < n_name.minimum(n_rest)), NAME_PART, NO_PART)
        return ids, torch.where(is_words, of(self.sentences, passages, behind - n_name), parts), n_question
