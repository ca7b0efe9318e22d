#!/usr/bin/env python3
"""Train the ranker that ships, or measure one by five folds.

    python3 -m venv target/ranker-venv && target/ranker-venv/bin/pip install -r models/requirements-ranker.txt
    cargo build --release -p pincite-cli
    target/ranker-venv/bin/python models/train_ranker.py train --data ../shared/data
    target/ranker-venv/bin/python models/train_ranker.py folds --data ../shared/data --set mp_val

`train` writes models/ranker.txt and the examples that our evaluator is tested with: LambdaMART by LightGBM over the features of `pincite eval retrieval --features`, from
two sets of questions on the ADGM rulebooks: xrefrag_adgm (Apache-2.0) and models/questions_en.jsonl (ours). The
questions of xrefrag_adgm were made from pairs of passages that cite each other; what the surroundings of a passage
say is masked for them, or the ranker would learn that a passage is right because it is cited. Every question is
seen a second time without vectors, so that the ranker knows what to do before a document is embedded. Signs are fixed where they must be: more words of the question never count against a passage.

`folds` trains on four fifths of the questions of a set and ranks the last, five times; it writes a TREC run for
`pincite eval run`. Nothing of it ships.

Seeds are fixed and threads are two: the same features give the same file.
"""

import argparse
import json
import subprocess
from hashlib import sha256
from pathlib import Path

import lightgbm
import numpy

HERE = Path(__file__).resolve().parent
SEED = 7
# The score is the forest's plus so much of the standardised blend, which it is trained to correct.
PRIOR = 0.5
# Questions of our own are many, short of judgments, and say things in other words on purpose.
OWN_WEIGHT = 0.2
UNEMBEDDED_WEIGHT = 0.2
PARAMETERS = {
    "objective": "lambdarank",
    "learning_rate": 0.05,
    "num_leaves": 7,
    "min_data_in_leaf": 100,
    "max_bin": 63,
    "feature_fraction": 0.6,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "lambdarank_truncation_level": 30,
    "seed": SEED,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 2,
    "verbose": -1,
}
N_TREES = 100
N_EXAMPLES = 60
EXAMPLES = HERE.parent / "crate/retrieval/tests/ranker-examples.tsv"
FOLD_PARAMETERS = {"num_leaves": 15, "min_data_in_leaf": 50}
# Candidates of a question that are trained on: the best by the blend. What is relevant below is left out too: alone
# among its like it would teach that a low rank is a good sign. The sets that ship have nearly all of it there.
N_TRAINED = 30
N_FOLDS_TRAINED = 400
SURROUNDINGS = {"graph", "semantic", "document"}
# `keyword` says the same as the others do for questions that ask for no form, as none of these does.
NEVER = {"keyword"}
RISING = """
    lexical.z lexical.max dense.cos dense.z dense.gap blend.z blend.minmax blend.gap rrf cover.terms cover.idf cover.rare
    cover.capped text.score phrase.coverage phrase.capped phrase.bigrams phrase.near phrase.longest phrase.weight
    phrase.dense feedback.words feedback.vector local.score
""".split()
FALLING = "lexical.rank dense.rank rank.min rank.max blend.rank cover.missing".split()


class Set:
    """Candidates of the questions of a set: features, questions, passages, relevance."""

    def __init__(self, folder):
        columns = json.loads((folder / "features.json").read_text())
        self.names = [column["name"] for column in columns]
        self.groups = [column["group"] for column in columns]
        self.values = numpy.fromfile(folder / "values.f32", "<f4").reshape(-1, len(columns))
        rows = [line.split("\t") for line in (folder / "rows.tsv").read_text().splitlines()]
        self.questions = numpy.array([row[0] for row in rows])
        self.passages = numpy.array([row[1] for row in rows])
        self.gains = numpy.array([int(row[2]) for row in rows])

    def columns(self, unwanted):
        return [at for at, group in enumerate(self.groups) if group not in unwanted]

    def near_the_top(self, n):
        rank = self.values[:, self.names.index("blend.rank")]
        return rank <= numpy.log2(n)

    def masked(self, groups=(), dense=False):
        values = self.values.copy()
        for at, (name, group) in enumerate(zip(self.names, self.groups)):
            if group in groups or dense and (group == "semantic" or name in DENSE):
                values[:, at] = numpy.nan
        if dense:
            # Without vectors both blends are the lexical standing.
            at = self.names.index
            values[:, at("blend.z")] = values[:, at("lexical.z")]
            values[:, at("blend.minmax")] = values[:, at("lexical.max")]
            values[:, at("rank.min")] = values[:, at("rank.max")] = values[:, at("lexical.rank")]
        return values


DENSE = """
    dense.cos dense.z dense.gap dense.rank dense.rrf rank.diff rank.absdiff feedback.vector feedback.vector.best
    blend.gap blend.rank rrf
""".split()


def sizes(questions):
    """How many rows each question has, in order."""
    starts = numpy.flatnonzero(numpy.r_[True, questions[1:] != questions[:-1]])
    return numpy.diff(numpy.r_[starts, len(questions)])


def signs(names):
    return [1 if name in RISING else -1 if name in FALLING else 0 for name in names]


def fit(values, gains, groups, weights, names, **parameters):
    data = lightgbm.Dataset(values, gains, group=groups, weight=weights, feature_name=[name for name in names])
    wanted = {**PARAMETERS, "monotone_constraints": signs(names), **parameters}
    return lightgbm.train(wanted, data, N_TREES)


def features(args, name, queries, qrels):
    """Lets the command line write the features of a set; gives their folder."""
    out = args.work / name
    corpus = args.data / "obliqa/passages.jsonl.gz"
    subprocess.run(
        [args.pincite, "eval", "retrieval", "--ranker", "ltr", "--corpus", corpus, "--queries", queries, "--qrels", qrels,
         "--vectors", args.work / "obliqa.vectors", "--features", out],
        check=True,
    )
    return Set(out)


def own_questions(args):
    rows = [json.loads(line) for line in (HERE / "questions_en.jsonl").read_text().splitlines()]
    queries, qrels = args.work / "own.queries.jsonl", args.work / "own.qrels"
    queries.write_text("".join(json.dumps({"qid": row["qid"], "query": row["query"]}) + "\n" for row in rows))
    qrels.write_text("".join(f"{row['qid']} 0 {id_} 1\n" for row in rows for id_ in row["gold"]))
    return queries, qrels


def train(args):
    pairs = args.work / "xrefrag_adgm"
    source = args.data / "train_pairs/xrefrag_adgm.jsonl.gz"
    corpus = args.data / "obliqa/passages.jsonl.gz"
    subprocess.run(["python3", HERE / "pairs.py", source, pairs, "--corpus", corpus], check=True)
    cited = features(args, "features-xrefrag", pairs / "queries.jsonl", pairs / "qrels")
    own = features(args, "features-own", *own_questions(args))
    columns = cited.columns(NEVER)
    names = [cited.names[at] for at in columns]
    parts = [
        (cited, cited.masked(SURROUNDINGS), 1.0),
        (own, own.values, OWN_WEIGHT),
        (cited, cited.masked(SURROUNDINGS, dense=True), UNEMBEDDED_WEIGHT),
        (own, own.masked(dense=True), OWN_WEIGHT * UNEMBEDDED_WEIGHT),
    ]
    kept = [(part, values, weight, part.near_the_top(N_TRAINED)) for part, values, weight in parts]
    forest = fit(
        numpy.vstack([values[keep][:, columns] for _, values, _, keep in kept]),
        numpy.concatenate([part.gains[keep] for part, _, _, keep in kept]),
        numpy.concatenate([sizes(part.questions[keep]) for part, _, _, keep in kept]),
        numpy.concatenate([numpy.full(keep.sum(), weight) for _, _, weight, keep in kept]),
        names,
    )
    text = forest.model_to_string()
    # What a prediction does not need stays out: importances, parameters, statistics of inner nodes.
    trees = text[text.index("Tree=0"):text.index("end of trees")]
    unwanted = ("split_gain=", "internal_", "leaf_weight=", "leaf_count=", "shrinkage=")
    lines = [line for line in trees.splitlines() if line and not line.startswith(unwanted)]
    inputs = [source, HERE / "questions_en.jsonl", corpus]
    head = [
        "# LambdaMART by LightGBM; made by models/train_ranker.py.",
        *[f"# {path.name} sha256={sha256(path.read_bytes()).hexdigest()}" for path in inputs],
        f"# lightgbm={lightgbm.__version__} seed={SEED}",
        "idf=ln(1+(N-n+0.5)/(n+0.5))",
        f"prior=blend.z {PRIOR}",
        "feature_names=" + " ".join(names),
    ]
    args.out.write_text("\n".join([*head, *lines, "end of trees", ""]))
    examples(forest, own, columns)
    print(f"{args.out}: {N_TREES} trees, {args.out.stat().st_size} bytes")
    gains = sorted(zip(forest.feature_importance("gain"), names), reverse=True)
    print("\n".join(f"{gain:10.0f} {name}" for gain, name in gains[:20]))


def examples(forest, own, columns):
    """Rows with what LightGBM says of them, for the test of our evaluator: score, then features."""
    rows = own.values[:: len(own.values) // N_EXAMPLES][:N_EXAMPLES, columns].astype(float)
    scores = forest.predict(rows, raw_score=True)
    lines = ["\t".join(repr(float(value)) for value in [score, *row]) for score, row in zip(scores, rows)]
    EXAMPLES.write_text("\n".join([*lines, ""]))


def folds(args):
    queries, qrels = args.data / f"obliqa/{args.set}.queries.jsonl", args.data / f"obliqa/{args.set}.qrels"
    part = features(args, f"features-{args.set}", queries, qrels)
    columns = part.columns({"keyword", *args.without})
    names = [part.names[at] for at in columns]
    questions = list(dict.fromkeys(part.questions))
    order = numpy.random.RandomState(SEED).permutation(len(questions))
    fold_of = {questions[at]: n % 5 for n, at in enumerate(order)}
    fold = numpy.array([fold_of[question] for question in part.questions])
    scores = numpy.zeros(len(fold))
    for n in range(5):
        keep = (fold != n) & part.near_the_top(N_FOLDS_TRAINED)
        forest = fit(part.values[keep][:, columns], part.gains[keep], sizes(part.questions[keep]), None, names, **FOLD_PARAMETERS)
        scores[fold == n] = forest.predict(part.values[fold == n][:, columns])
    out = args.run or args.work / f"{args.set}.folds.trec"
    with open(out, "w", encoding="utf-8") as file:
        for question, passage, score in zip(part.questions, part.passages, scores):
            file.write(f"{question} Q0 {passage} 0 {score} folds\n")
    print(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["train", "folds"])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pincite", default="target/release/pincite")
    parser.add_argument("--work", type=Path, default=Path("target/ranker"))
    parser.add_argument("--out", type=Path, default=HERE / "ranker.txt")
    parser.add_argument("--set", default="mp_val")
    parser.add_argument("--without", nargs="*", default=[], help="groups of features to leave out")
    parser.add_argument("--run", type=Path)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    {"train": train, "folds": folds}[args.command](args)


if __name__ == "__main__":
    main()
