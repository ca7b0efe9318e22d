#!/usr/bin/env python3
"""Train the ranker for Chinese that ships: a weighted sum of features.

    python3 -m venv target/ranker-venv && target/ranker-venv/bin/pip install -r models/requirements-ranker.txt
    cargo build --release -p pincite-cli
    target/ranker-venv/bin/python models/train_linear.py --data ../shared/data

writes models/ranker_zh.txt from two sets: models/questions_zh.jsonl, questions of our own on articles drawn at random
from statutes that no question of the judged set cites, and stard_zh (MIT), questions of laymen. The corpus of stard_zh
is only the articles that answer, without the laws they stand in: what the surroundings of an article say is
masked there. The model is a listwise softmax (ListNet, Cao et al., 2007) over the candidates of a question with a
penalty on large weights, and each weight has the sign that its meaning demands: more of the question's words, a
form that is asked for, a place near the beginning never count against an article. The features are those of
`pincite eval retrieval --features`; the weights are found by L-BFGS from zero and kept to three digits, so the same
features give the same file.
"""

import argparse
import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy
import scipy
from scipy.optimize import minimize

from pairs import lines
from train_ranker import Set, sizes

HERE = Path(__file__).resolve().parent
PENALTY = 2.5
# Questions of stard_zh are five times as many, and less like what is asked of whole laws.
STARD_WEIGHT = 0.5
# By feature, the sign of its weight.
FEATURES = {
    "words.max": 1,
    "words.before": 1,
    "words.near": 1,
    "words.document": 1,
    "words.beyond": 1,
    "phrase.near": 1,
    "form.agree": 1,
    "form.other": -1,
    "defines.asked": 1,
    "document.named": 1,
    "document.early": 1,
}
SURROUNDINGS = "words.before words.near words.document defines.asked document.named document.early".split()


class Part:
    """What is learned from the candidates of one set."""

    def __init__(self, rows, weight, masked=()):
        columns = [rows.names.index(name) for name in FEATURES]
        values = numpy.nan_to_num(rows.values[:, columns].astype(float))
        values[:, [name in masked for name in FEATURES]] = 0
        self.spread = values.std(axis=0)
        groups = sizes(rows.questions)
        # A question whose article no leg lists teaches nothing.
        found = numpy.add.reduceat(rows.gains, numpy.cumsum(groups) - groups) > 0
        keep = numpy.repeat(found, groups)
        self.values, self.weight, self.groups = values[keep], weight, groups[found]
        self.starts = numpy.cumsum(self.groups) - self.groups
        gains = rows.gains[keep].astype(float)
        self.wanted = gains / self.by_row(numpy.add.reduceat(gains, self.starts))

    def by_row(self, by_question):
        return numpy.repeat(by_question, self.groups)

    def loss(self, weights):
        """Cross entropy and its slope."""
        scores = self.values @ weights
        scores -= self.by_row(numpy.maximum.reduceat(scores, self.starts))
        odds = numpy.exp(scores)
        sums = self.by_row(numpy.add.reduceat(odds, self.starts))
        value = -(self.wanted * (scores - numpy.log(sums))).sum()
        return self.weight * value, self.weight * (self.values.T @ (odds / sums - self.wanted))


def fit(parts):
    """The weights, in the order of FEATURES."""
    # One scale for the penalty, that of the first set, where nothing is masked.
    spread = parts[0].spread + 1e-9
    for part in parts:
        part.values = part.values / spread

    def loss(weights):
        terms = [part.loss(weights) for part in parts]
        value = sum(value for value, _ in terms) + PENALTY * weights @ weights
        return value, sum(slope for _, slope in terms) + 2 * PENALTY * weights

    bounds = [(0, None) if sign > 0 else (None, 0) for sign in FEATURES.values()]
    start = numpy.zeros(len(FEATURES))
    # To the end, so that the digits that are kept do not depend on where it stopped.
    options = {"maxiter": 5000, "maxfun": 100_000, "ftol": 1e-15, "gtol": 1e-8}
    return minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x / spread


def own_questions(corpus, work):
    """Questions and judgments: an article is named by its statute and its label."""
    ids = {}
    for unit in lines(corpus):
        ids.setdefault((unit["title"], unit["label"]), []).append(unit["id"])
    rows = [json.loads(line) for line in (HERE / "questions_zh.jsonl").read_text(encoding="utf-8").splitlines()]
    queries, qrels = work / "own_zh.queries.jsonl", work / "own_zh.qrels"
    questions = [{"qid": f"own-{at:04}", "query": row["q"]} for at, row in enumerate(rows)]
    queries.write_text("".join(json.dumps(question, ensure_ascii=False) + "\n" for question in questions), encoding="utf-8")
    judged = [(question["qid"], id_) for question, row in zip(questions, rows) for id_ in ids[row["title"], row["label"]]]
    qrels.write_text("".join(f"{qid} 0 {id_} 1\n" for qid, id_ in judged), encoding="utf-8")
    return queries, qrels


def features(args, name, corpus, queries, qrels):
    """Lets the command line write the features of a set."""
    out = args.work / name
    subprocess.run(
        [args.pincite, "eval", "retrieval", "--ranker", "bm25", "--corpus", corpus, "--queries", queries, "--qrels", qrels,
         "--features", out],
        check=True,
    )
    return Set(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pincite", default="target/release/pincite")
    parser.add_argument("--work", type=Path, default=Path("target/ranker"))
    parser.add_argument("--out", type=Path, default=HERE / "ranker_zh.txt")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    corpus = args.data / "legaldc/units.jsonl.gz"
    source = args.data / "train_pairs/stard_zh.jsonl.gz"
    stard = args.work / "stard_zh"
    subprocess.run([sys.executable, HERE / "pairs.py", source, stard], check=True)
    own = features(args, "features-own_zh", corpus, *own_questions(corpus, args.work))
    lay = features(args, "features-stard_zh", stard / "corpus.jsonl", stard / "queries.jsonl", stard / "qrels")
    weights = fit([Part(own, 1.0), Part(lay, STARD_WEIGHT, SURROUNDINGS)])
    inputs = [HERE / "questions_zh.jsonl", source, corpus]
    head = [
        "# Linear ranker for Chinese; made by models/train_linear.py.",
        *[f"# {path.name} sha256={sha256(path.read_bytes()).hexdigest()}" for path in inputs],
        f"# scipy={scipy.__version__} penalty={PENALTY} stard={STARD_WEIGHT}",
        "idf=ln(1+(N-n+0.5)/(n+0.5))",
    ]
    body = [f"{name} {weight:.3g}" for name, weight in zip(FEATURES, weights) if f"{weight:.3g}" not in ("0", "-0")]
    args.out.write_text("\n".join([*head, *body, ""]))
    print(args.out.read_text())


if __name__ == "__main__":
    main()
