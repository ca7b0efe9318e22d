#!/usr/bin/env python3
"""Fit what tells whether passages answer a question: makes crate/answer/src/sufficiency/coefficients.rs.

    target/ranker-venv/bin/python models/train_sufficiency.py --data ../shared/data --pincite target/release/pincite
    target/ranker-venv/bin/python models/train_sufficiency.py --compared

The signals are those of `pincite eval sufficiency --signals`: each question with its passages in the library, and
without them. English: xrefrag_adgm (Apache-2.0) and models/questions_en.jsonl (ours) over the ADGM passages; what judges
by words alone has the same without their cosines. Chinese: stard_zh (MIT) over its own passages and models/questions_zh.jsonl (ours) over
the Chinese statutes. Sets weigh alike, however many questions they have.

Those questions share most of their words with the passages that answer them; people's do not. So the English models are
recalibrated on questions in lay words, the files of lay_signals.py (--lay FOLDER): scale and shift of the whole, and
where there are vectors a weight for the nearest passage's cosine. Their documents are none of those set aside.

Where passages were compared with the question token by token, a model of its own is fitted on those lay questions and on those of
sheets.jsonl, which are over other kinds of documents, by the signals of COMPARED. `--compared` makes that one alone and leaves the
others as they are. It is measured by folds of documents: sufficiency.md.

Logistic regression with an L2 penalty; a signal that gets a sign against its sense (see SENSE) is left out, since it
would only say something about these questions. Nothing is drawn by chance: the same signals give the same file.
"""

import argparse
import gzip
import json
import re
import subprocess
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "crate/answer/src/sufficiency/coefficients.rs"
FIGURES = HERE / "sufficiency.md"
SUFFICIENCY = HERE.parent / "crate/answer/src/sufficiency.rs"
PENALTY = 10.0
# How many questions about something else altogether the models know beside the others.
STRANGE = 0.15
# What more of a signal must not say; the others may have either sign.
SENSE = {
    name: 1
    for name in """covered flat sentence near together constraints stands.together stands.rows stands.saturated
    stands.focus cosine stands.cosine similar.tokens similar.opening similar.stands similar.lacking""".split()
} | {"elsewhere": -1}
COSINES = {"cosine", "stands.cosine", "cosine.best"}
# The signal of libraries of fewer passages than are compared.
SMALL = "similar.lacking"
SIMILAR = {"similar.tokens", "similar.opening", "similar.stands", SMALL}
# The signals of the model of compared passages. With all of them near misses within one document are told with an AUROC of .86
# instead of .89, by folds of documents. `sentence` is for questions in the documents' words: of ours .14 are refused instead of .16.
COMPARED = SIMILAR | {"cosine.best", "constraints", "sentence"}
# The signal that recalibration adds.
NEAREST = "cosine.best"
# Weights of the parts of the lay questions: with an answer, near misses, documents that do not hold the answer.
PARTS = {("all", False): 300, ("only", False): 200, ("all", True): 200, ("only", True): 130, ("without", None): 100, ("other", None): 70}
# Weights of each question over sheets: asked of all of them, and of its own alone, where few passages are.
SHEET_WEIGHTS = {"all": 1.0, "only": 0.3}
# Greatest weight of one lay question: where few of a part were asked, the part weighs less.
MAX_WEIGHT = 1.5
# Folds of documents by which the model of compared passages is measured.
N_FOLDS = 5


def lines(path):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as file:
        yield from (json.loads(line) for line in file if line.strip())


def logistic(design, wanted, weights):
    """Newton's method with an L2 penalty; the first column is the intercept and is not penalised."""
    penalty = numpy.diag([0.0] + [PENALTY] * (design.shape[1] - 1))
    solution = numpy.zeros(design.shape[1])
    for _ in range(50):
        guess = 1 / (1 + numpy.exp(-design @ solution))
        curvature = (design * (weights * guess * (1 - guess))[:, None]).T @ design + penalty
        solution += numpy.linalg.solve(curvature, design.T @ (weights * (wanted - guess)) - penalty @ solution)
    return solution


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
    """Intercept and weights by signal, of sets that weigh alike."""
    names = sets[0].names
    values = numpy.vstack([part.values for part in sets])
    wanted = numpy.concatenate([part.answerable for part in sets]).astype(float)
    weights = numpy.concatenate([numpy.full(len(part.answerable), 1000 / len(part.answerable)) for part in sets])
    # Questions about something else altogether: no passage has a word of them.
    values = numpy.vstack([values, numpy.zeros(len(names))])
    wanted, weights = numpy.r_[wanted, 0.0], numpy.r_[weights, STRANGE * weights.sum()]
    return fitted(names, values, wanted, weights, unwanted)


def fitted(names, values, wanted, weights, unwanted=()):
    """Intercept and weights by signal; the signals are standardised under the penalty."""
    mean = numpy.average(values, axis=0, weights=weights)
    spread = numpy.sqrt(numpy.average((values - mean) ** 2, axis=0, weights=weights))
    columns = [at for at, name in enumerate(names) if name not in unwanted and spread[at] > 0]
    while True:
        design = numpy.c_[numpy.ones(len(wanted)), (values[:, columns] - mean[columns]) / spread[columns]]
        solution = logistic(design, wanted, weights)
        wrong = [(abs(weight), at) for weight, at in zip(solution[1:], columns) if SENSE.get(names[at], 0) * weight < 0]
        if not wrong:
            break
        columns.remove(max(wrong)[1])
    result = numpy.zeros(len(names))
    result[columns] = solution[1:] / spread[columns]
    return solution[0] - (result * mean).sum(), result, names


class Questions:
    """The questions of rows of lay_signals.py, with the weight of each."""

    def __init__(self, rows, weights):
        self.rows, self.weights = rows, numpy.array(weights)
        self.values = numpy.array([row["signals"] for row in self.rows])
        self.wanted = numpy.array([float(row["answerable"]) for row in self.rows])
        self.part = numpy.array([
            "answerable" if row["answerable"] else "near" if row["where"] in ("all", "only") else row["where"]
            for row in self.rows
        ])
        self.where = numpy.array([row["where"] for row in self.rows])
        self.source = numpy.array([{True: "lay", False: "ours", None: "sheets"}[row.get("lay")] for row in self.rows])
        documents = sorted({row["document"] for row in self.rows})
        self.fold = numpy.array([documents.index(row["document"]) % N_FOLDS for row in self.rows])


def lay_questions(rows):
    """Lay questions and our own, over the documents of tests/answers."""
    part = lambda row: (row["where"], row["near"] if row["where"] in ("all", "only") else None)
    sizes = {one: sum(part(row) == one for row in rows) for one in PARTS}
    return Questions(rows, [min(PARTS[part(row)] / sizes[part(row)], MAX_WEIGHT) for row in rows])


def recalibrated(model, path):
    """The model, scaled and shifted to the lay questions of a file; with a weight of NEAREST if it reads cosines."""
    intercept, weights, names = model
    lay = lay_questions(list(lines(path)))
    rows, values, of_row, wanted = lay.rows, lay.values, lay.weights, lay.wanted
    by_model = intercept + values @ weights
    with_vectors = weights[names.index("cosine")] != 0
    design = numpy.c_[by_model, values[:, names.index(NEAREST)]] if with_vectors else by_model[:, None]
    mean = numpy.average(design, axis=0, weights=of_row)
    spread = numpy.sqrt(numpy.average((design - mean) ** 2, axis=0, weights=of_row))
    design = numpy.c_[numpy.ones(len(rows)), (design - mean) / spread]
    solution = logistic(design, wanted, of_row)
    factors = solution[1:] / spread
    result = factors[0] * weights
    if with_vectors:
        result[names.index(NEAREST)] += factors[1]
    return solution[0] - (factors * mean).sum() + factors[0] * intercept, result, names


def compared_questions(folder, names):
    """The questions of lay_signals.py's files in a folder whose passages were compared, lay ones and those over sheets."""
    # Another model judges what was not compared.
    known = lambda name: [row for row in lines(folder / name) if row["signals"][names.index("similar.tokens")]]
    lay, sheets = lay_questions(known("lay.v.jsonl")), known("lay.s.jsonl")
    return Questions(lay.rows + sheets, [*lay.weights, *(SHEET_WEIGHTS[row["where"]] for row in sheets)])


def compared(asked, names, some, signals=COMPARED):
    """The model of compared passages, fitted on some of the questions by some of the signals."""
    return fitted(names, asked.values[some], asked.wanted[some], asked.weights[some], set(names) - signals)


def by_folds(asked, names, some, signals=COMPARED):
    """The probability of each question by the model that is fitted on some of those of the other folds."""
    probability = numpy.zeros(len(asked.rows))
    for fold in range(N_FOLDS):
        unseen = asked.fold == fold
        intercept, weights, _ = compared(asked, names, some & ~unseen, signals)
        probability[unseen] = 1 / (1 + numpy.exp(-(intercept + asked.values[unseen] @ weights)))
    return probability


def auroc(present, absent):
    """Probability that an answerable question has the higher value; ties count half."""
    return float((present[:, None] > absent[None]).mean() + 0.5 * (present[:, None] == absent[None]).mean())


def report(asked, names):
    """AUROC, refusals and reliability, of questions whose documents the model has not seen: sufficiency.md."""
    silent, answers = (
        float(re.search(rf"const BY_COMPARISON: Bounds = .*?{name}: ([0-9.]+)", SUFFICIENCY.read_text())[1])
        for name in ("silent", "answers")
    )
    where, source, of_all = asked.where, asked.source, numpy.full(len(asked.rows), True)
    probability = by_folds(asked, names, of_all)
    table = lambda head, rows: [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *(f"| {' | '.join(row)} |" for row in rows), ""]
    out = ["# Sufficiency, where passages are compared with the question", ""]
    out += ["Written by `models/train_sufficiency.py --compared`; not edited by hand. Each question is judged by the model fitted"]
    out += [f"on the documents of the other {N_FOLDS - 1} of {N_FOLDS} folds; none of those set aside is among them. English lay questions,"]
    out += ["ours, and those over the sheets of `sheets.jsonl` (other kinds of documents; a sheet has nine passages at most); a question is"]
    out += [f"refused below {silent} and answered from {answers}, and between them the nearest passages may answer.", ""]
    sources = [("near misses, their document alone", "lay", "only", "near"), ("near misses, all documents", "lay", "all", "near"),
               ("another document alone", "lay", "other", "other"), ("all documents but theirs", "lay", "without", "without"),
               ("near misses over sheets, their sheet alone", "sheets", "only", "near"), ("near misses over sheets, all sheets", "sheets", "all", "near")]
    rows = []
    for name, of, at, part in sources:
        present_at = "only" if at in ("only", "other") else "all"
        present = probability[(asked.part == "answerable") & (source == of) & (where == present_at)]
        absent = probability[(asked.part == part) & (source == of) & (where == at)]
        bound = numpy.quantile(present, 0.1)
        shares = [(absent < bound).mean(), (absent < silent).mean(), (absent < answers).mean() - (absent < silent).mean()]
        rows.append([name, str(len(absent)), f"{auroc(present, absent):.3f}", *(f"{share:.2f}" for share in shares)])
    out += table(["no answer", "questions", "AUROC", "refused, if .90 of the answerable are not", "refused", "doubted"], rows)
    rows = []
    for name, of, at in [("lay, their document alone", "lay", "only"), ("lay, all documents", "lay", "all"),
                         ("ours, their document alone", "ours", "only"), ("ours, all documents", "ours", "all"),
                         ("over sheets, their sheet alone", "sheets", "only"), ("over sheets, all sheets", "sheets", "all")]:
        some = probability[(asked.part == "answerable") & (source == of) & (where == at)]
        rows.append([name, str(len(some)), f"{(some < silent).mean():.2f}", f"{(some < answers).mean() - (some < silent).mean():.2f}"])
    out += table(["an answer", "questions", "refused", "doubted"], rows)
    rows = []
    for low in range(10):
        inside = (probability * 10).astype(int).clip(0, 9) == low
        if inside.any():
            mean = [numpy.average(values[inside], weights=asked.weights[inside]) for values in (probability, asked.wanted)]
            rows.append([f"0.{low}", str(inside.sum()), *(f"{value:.2f}" for value in mean)])
    out += ["Reliability, weighted as in training: half of all questions have an answer.", ""]
    out += table(["probability from", "questions", "mean probability", "answerable"], rows)
    out += ["Near misses and questions with an answer by models fitted on fewer questions or signals, by the same folds.", ""]
    rows = []
    for name, some, signals in [("lay and own questions, without `similar.lacking`", source != "sheets", COMPARED - {SMALL}),
                                ("those over sheets too", of_all, COMPARED - {SMALL}), ("and with it, as it ships", of_all, COMPARED)]:
        probability = by_folds(asked, names, some, signals)
        row = [name]
        for of, at in [("sheets", "all"), ("sheets", "only"), ("lay", "only")]:
            present, absent = (probability[(asked.part == part) & (source == of) & (where == at)] for part in ("answerable", "near"))
            row.append(f"{auroc(present, absent):.3f} / {(absent < silent).mean():.2f} / {(present < silent).mean():.3f}")
        rows.append(row)
    out += table(["AUROC / refused, no answer there / refused, an answer there", "all sheets", "their sheet alone", "lay, their document alone"], rows)
    FIGURES.write_text("\n".join(out).rstrip() + "\n", encoding="utf-8")
    print(FIGURES)


def made():
    """The models of coefficients.rs by name: intercept, weights and names of the signals."""
    text = OUT.read_text(encoding="utf-8")
    models = {}
    for name, intercept, body in re.findall(r"pub const (\w+): Model = Model \{\s+intercept: (\S+),\s+weights: \[\n(.*?)\n    \],", text, re.S):
        rows = re.findall(r"(\S+), // (\S+)", body)
        models[name] = float(intercept), numpy.array([float(weight) for weight, _ in rows]), [signal for _, signal in rows]
    return models


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
        rows = "".join(f"        {weight:.4f}, // {signal}\n".replace("-0.0000", "0.0000") for weight, signal in zip(weights, names))
        parts.append(
            f"\n/// {what}\n#[rustfmt::skip]\npub const {name}: Model = Model {{\n"
            f"    intercept: {intercept:.4f},\n    weights: [\n{rows}    ],\n}};\n"
        )
    OUT.write_text("".join(parts).replace(".0000,", ".0,"), encoding="utf-8")
    print(OUT)


# The models with their comments, in order of the file.
WHAT = {
    "WORDS_AND_VECTORS": "For questions in scripts with spaces, where all passages have vectors.",
    "COMPARED": "The same where passages were compared with the question.",
    "WORDS": "The same without vectors.",
    "CHINESE": "For questions in Chinese, whose vectors no model here makes.",
}


def fitted_without_comparison(args):
    """The models of questions whose passages were not compared, by name."""
    passages, units = args.data / "obliqa/passages.jsonl.gz", args.data / "legaldc/units.jsonl.gz"
    cited, own = pairs(args, "xrefrag_adgm", "--corpus", passages), own_english(args)
    english = [Set(args, "own", passages, *own, True), Set(args, "xref", passages, *cited, True)]
    chinese = [
        Set(args, "stard", args.work / "stard_zh/corpus.jsonl", *pairs(args, "stard_zh"), False),
        Set(args, "own-zh", units, *own_chinese(args, units), False),
    ]
    return {
        "WORDS_AND_VECTORS": recalibrated(fit(english, {NEAREST} | SIMILAR), args.lay / "lay.v.jsonl"),
        "WORDS": recalibrated(fit(english, COSINES | SIMILAR), args.lay / "lay.w.jsonl"),
        "CHINESE": fit(chinese, COSINES | SIMILAR),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--compared", action="store_true", help="make the model of compared passages alone")
    parser.add_argument("--pincite", default="target/release/pincite")
    parser.add_argument("--lay", type=Path, default=Path("target/sufficiency"), help="folder of lay_signals.py's files")
    parser.add_argument("--work", type=Path, default=Path("target/sufficiency"))
    args = parser.parse_args()
    if not args.compared and args.data is None:
        parser.error("expected --data, the folder of the data sets, or --compared")
    args.work.mkdir(parents=True, exist_ok=True)
    models = made() if args.compared else fitted_without_comparison(args)
    names = models["WORDS"][2]
    asked = compared_questions(args.lay, names)
    models["COMPARED"] = compared(asked, names, numpy.full(len(asked.rows), True))
    write([(name, what, models[name]) for name, what in WHAT.items()])
    report(asked, names)


if __name__ == "__main__":
    main()
