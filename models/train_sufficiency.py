#!/usr/bin/env python3
"""Fit what tells whether passages answer a question: makes crate/answer/src/sufficiency/coefficients.rs.

    target/ranker-venv/bin/python models/train_sufficiency.py --data ../shared/data --pincite target/release/pincite

The signals are those of `pincite eval sufficiency --signals`: each question with its passages in the library, and
without them. English: xrefrag_adgm (Apache-2.0) and models/questions_en.jsonl (ours) over the ADGM passages; what judges
by words alone has the same without their cosines. Chinese: stard_zh (MIT) over its own passages and models/questions_zh.jsonl (ours) over
the Chinese statutes. Sets weigh alike, however many questions they have.

Those questions share most of their words with the passages that answer them; people's do not. So the English models are
recalibrated on questions in lay words, the files of lay_signals.py (--lay FOLDER): scale and shift of the whole, and
where there are vectors a weight for the nearest passage's cosine. Their documents are none of those set aside.

Logistic regression with an L2 penalty; a signal that gets a sign against its sense (see SENSE) is left out, since it
would only say something about these questions. Nothing is drawn by chance: the same signals give the same file.
"""

import argparse
import gzip
import json
import subprocess
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "crate/answer/src/sufficiency/coefficients.rs"
PENALTY = 10.0
# How many questions about something else altogether the models know beside the others.
STRANGE = 0.15
# What more of a signal must not say; the others may have either sign.
SENSE = {
    name: 1
    for name in """covered flat sentence near together constraints stands.together stands.rows stands.saturated
    stands.focus cosine stands.cosine""".split()
} | {"elsewhere": -1}
COSINES = {"cosine", "stands.cosine", "cosine.best"}
# The signal that recalibration adds.
NEAREST = "cosine.best"
# Weights of the parts of the lay questions: with an answer, near misses, documents that do not hold the answer.
PARTS = {("all", False): 300, ("only", False): 200, ("all", True): 200, ("only", True): 130, ("without", None): 100, ("other", None): 70}


def lines(path):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as file:
        yield from (json.loads(line) for line in file if line.strip())


class Set:
    """The signals of a set, which `pincite` writes unless they are there."""

    def __init__(self, args, name, corpus, queries, qrels, with_vectors):
        out = args.work / f"{name}.{'v' if with_vectors else 'l'}.tsv"
        if not out.exists():
            how = ["--vectors", args.work / "obliqa.vectors"] if with_vectors else ["--lexical"]
            subprocess.run(
                [args.pincite, "eval", "sufficiency", "--corpus", corpus, "--queries", queries, "--qrels", qrels,
                 "--signals", out, "--json", *how],
                check=True, stdout=subprocess.DEVNULL,
            )
        head, *rows = [line.split("\t") for line in out.read_text(encoding="utf-8").splitlines()]
        self.names = head[3:]
        self.answerable = numpy.array([int(row[2]) for row in rows])
        self.values = numpy.array([[float(value) for value in row[3:]] for row in rows])


def fit(sets, unwanted):
    """Intercept and weights by signal; Newton's method, with the signals standardised under the penalty."""
    names = sets[0].names
    values = numpy.vstack([part.values for part in sets])
    wanted = numpy.concatenate([part.answerable for part in sets]).astype(float)
    weights = numpy.concatenate([numpy.full(len(part.answerable), 1000 / len(part.answerable)) for part in sets])
    # Questions about something else altogether: no passage has a word of them.
    values = numpy.vstack([values, numpy.zeros(len(names))])
    wanted, weights = numpy.r_[wanted, 0.0], numpy.r_[weights, STRANGE * weights.sum()]
    mean = numpy.average(values, axis=0, weights=weights)
    spread = numpy.sqrt(numpy.average((values - mean) ** 2, axis=0, weights=weights))
    columns = [at for at, name in enumerate(names) if name not in unwanted and spread[at] > 0]
    while True:
        design = numpy.c_[numpy.ones(len(wanted)), (values[:, columns] - mean[columns]) / spread[columns]]
        penalty = numpy.diag([0.0] + [PENALTY] * len(columns))
        solution = numpy.zeros(design.shape[1])
        for _ in range(50):
            guess = 1 / (1 + numpy.exp(-design @ solution))
            gradient = design.T @ (weights * (wanted - guess)) - penalty @ solution
            curvature = (design * (weights * guess * (1 - guess))[:, None]).T @ design + penalty
            solution += numpy.linalg.solve(curvature, gradient)
        wrong = [(abs(weight), at) for weight, at in zip(solution[1:], columns) if SENSE.get(names[at], 0) * weight < 0]
        if not wrong:
            break
        columns.remove(max(wrong)[1])
    result = numpy.zeros(len(names))
    result[columns] = solution[1:] / spread[columns]
    return solution[0] - (result * mean).sum(), result, names


def recalibrated(model, path):
    """The model, scaled and shifted to the lay questions of a file; with a weight of NEAREST if it reads cosines."""
    intercept, weights, names = model
    rows = list(lines(path))
    part = lambda row: (row["where"], row["near"] if row["where"] in ("all", "only") else None)
    sizes = {one: sum(part(row) == one for row in rows) for one in PARTS}
    values = numpy.array([row["signals"] for row in rows])
    by_model = intercept + values @ weights
    with_vectors = weights[names.index("cosine")] != 0
    design = numpy.c_[by_model, values[:, names.index(NEAREST)]] if with_vectors else by_model[:, None]
    of_row = numpy.array([PARTS[part(row)] / sizes[part(row)] for row in rows])
    wanted = numpy.array([float(row["answerable"]) for row in rows])
    mean = numpy.average(design, axis=0, weights=of_row)
    spread = numpy.sqrt(numpy.average((design - mean) ** 2, axis=0, weights=of_row))
    design = numpy.c_[numpy.ones(len(rows)), (design - mean) / spread]
    penalty = numpy.diag([0.0] + [PENALTY] * (design.shape[1] - 1))
    solution = numpy.zeros(design.shape[1])
    for _ in range(50):
        guess = 1 / (1 + numpy.exp(-design @ solution))
        curvature = (design * (of_row * guess * (1 - guess))[:, None]).T @ design + penalty
        solution += numpy.linalg.solve(curvature, design.T @ (of_row * (wanted - guess)) - penalty @ solution)
    factors = solution[1:] / spread
    result = factors[0] * weights
    if with_vectors:
        result[names.index(NEAREST)] += factors[1]
    return solution[0] - (factors * mean).sum() + factors[0] * intercept, result, names


def own_english(args):
    queries, qrels = args.work / "own.queries.jsonl", args.work / "own.qrels"
    rows = list(lines(HERE / "questions_en.jsonl"))
    queries.write_text("".join(json.dumps({"qid": row["qid"], "query": row["query"]}) + "\n" for row in rows))
    qrels.write_text("".join(f"{row['qid']} 0 {id_} 1\n" for row in rows for id_ in row["gold"]))
    return queries, qrels


def own_chinese(args, units):
    """Our questions name statute and article; the corpus knows them by id."""
    bare = lambda title: title.replace("中华人民共和国", "")
    ids = {(bare(unit["title"]), unit["label"]): unit["id"] for unit in lines(units)}
    rows = [(row["q"], ids.get((bare(row["title"]), row["label"]))) for row in lines(HERE / "questions_zh.jsonl")]
    queries, qrels = args.work / "own-zh.queries.jsonl", args.work / "own-zh.qrels"
    known = [(f"own-zh-{at}", question, id_) for at, (question, id_) in enumerate(rows) if id_]
    queries.write_text("".join(json.dumps({"qid": qid, "query": question}) + "\n" for qid, question, _ in known))
    qrels.write_text("".join(f"{qid} 0 {id_} 1\n" for qid, _, id_ in known))
    return queries, qrels


def pairs(args, name, *corpus):
    out = args.work / name
    source = args.data / f"train_pairs/{name}.jsonl.gz"
    subprocess.run(["python3", HERE / "pairs.py", source, out, *corpus], check=True, stdout=subprocess.DEVNULL)
    return out / "queries.jsonl", out / "qrels"


def write(models):
    head = """//! Weights of [`super::signals::SIGNALS`]. Made by `models/train_sufficiency.py`; not edited by hand.

use super::signals::SIGNALS;

/// A logistic model over the signals.
pub struct Model {
    /// Its value where all signals are zero.
    pub intercept: f64,
    /// By signal.
    pub weights: [f64; SIGNALS.len()],
}
"""
    parts = [head]
    for name, what, (intercept, weights, names) in models:
        rows = "".join(f"        {weight:.4}, // {signal}\n".replace("-0.0000", "0.0000") for weight, signal in zip(weights, names))
        parts.append(
            f"\n/// {what}\n#[rustfmt::skip]\npub const {name}: Model = Model {{\n"
            f"    intercept: {intercept:.4},\n    weights: [\n{rows}    ],\n}};\n"
        )
    OUT.write_text("".join(parts).replace(".0000,", ".0,"), encoding="utf-8")
    print(OUT)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pincite", default="target/release/pincite")
    parser.add_argument("--lay", type=Path, default=Path("target/sufficiency"), help="folder of lay_signals.py's files")
    parser.add_argument("--work", type=Path, default=Path("target/sufficiency"))
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    passages, units = args.data / "obliqa/passages.jsonl.gz", args.data / "legaldc/units.jsonl.gz"
    cited, own = pairs(args, "xrefrag_adgm", "--corpus", passages), own_english(args)
    english = [Set(args, "own", passages, *own, True), Set(args, "xref", passages, *cited, True)]
    chinese = [
        Set(args, "stard", args.work / "stard_zh/corpus.jsonl", *pairs(args, "stard_zh"), False),
        Set(args, "own-zh", units, *own_chinese(args, units), False),
    ]
    write([
        ("WORDS_AND_VECTORS", "For questions in scripts with spaces, where all passages have vectors.",
         recalibrated(fit(english, {NEAREST}), args.lay / "lay.v.jsonl")),
        ("WORDS", "The same without vectors.", recalibrated(fit(english, COSINES), args.lay / "lay.w.jsonl")),
        ("CHINESE", "For questions in Chinese, whose vectors no model here makes.", fit(chinese, COSINES)),
    ])


if __name__ == "__main__":
    main()
