#!/usr/bin/env python3
"""Retrieval quality as a table: makes figures.md, and holds the build to it.

    python3 tests/retrieval/figures.py [--check] [--only SET[/RANKER]]... [--pincite PATH] [--data FOLDER]

Runs `pincite eval retrieval` for each row of ROWS and `pincite eval run` on the rankings that it wrote (they stay in
target/bench, and so do vectors), and writes the rows into figures.md: mean over questions, with its 95 % bootstrap
interval, and what the ranking has over the row named `over`, question by question. Rows that were not run stay as
they are; rows that are not in ROWS any more go.

With --check nothing is written: the rows marked `ci` are run and must be as the table says, lexical ones to 1e-6,
those with vectors within 0.004, since vectors differ in the last digits from processor to processor. They take
minutes on two cores, most of it embedding the 2,000 passages of the slice.

The judged data is not part of the repository: where it is absent, the script says so and is done.
"""

import argparse
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("figures.md")
WORK = ROOT / "target/bench"
LEXICAL, WITH_VECTORS = 1e-6, 0.004

# --- what is measured ---------------------------------------------------------------------------------------------

# `figures`: heading in the table → name in the JSON of `eval run`. `by`: a field of the questions, and its values with
# what the table calls them, in its order: a row for each of them too.
Set = namedtuple("Set", "title corpus queries qrels figures by", defaults=[None])

AT_10 = {"R@10": "recall@10", "MAP@10": "map@10", "nDCG@10": "ndcg@10"}
ALL_OF = {"R@5-all": "recall_all@5", "R@20-all": "recall_all@20", "MRR@5": "mrr@5"}

# Of the places that a question needs (pages of a document), those on which a hit stands.
ON_PAGES = {"R@1": "recall@1", "R@5": "recall@5", "R@10": "recall@10", "MRR@10": "mrr@10"}

CLASSES = "class", {"逻辑推理型": "reasoning (204)", "概括归纳型": "summary (649)", "概念解释型": "concept (103)", "其他": "other (31)"}

OBLIQA = "obliqa/passages.jsonl.gz"
SETS = {
    "mp_val": Set("ObliQA-MP, validation: 427 questions", OBLIQA, "obliqa/mp_val.queries.jsonl", "obliqa/mp_val.qrels", AT_10),
    "obliqa_dev": Set("ObliQA, dev: 2,764 questions", OBLIQA, "obliqa/obliqa_dev.queries.jsonl", "obliqa/obliqa_dev.qrels", AT_10),
    "legaldc": Set("Legal-DC, dev: 987 questions", "legaldc/units.jsonl.gz", "legaldc/dev.queries.jsonl", "legaldc/dev.qrels", ALL_OF, CLASSES),
    "xrefrag_ukfin": Set("XRefRAG, UK: 1,179 questions; neither they nor the texts were trained on", *["xrefrag_ukfin"] * 3, AT_10),
    "pages": Set("questions of our own over 27 documents as they are laid out: 168, the page that answers", "pages", "tests/answers/questions.jsonl", None, ON_PAGES),
    "pages_within": Set("the same, each within its document", "pages", "tests/answers/questions.jsonl", None, ON_PAGES),
    "pages_named": Set("26 questions that name a provision by its number, each within its document", "pages", "tests/retrieval/named.jsonl", None, ON_PAGES),
    "slice": Set("150 questions of ObliQA-MP, validation, over 2,000 passages", *["slice"] * 3, AT_10),
}

BM25 = ["--ranker", "bm25"]
# The words of the question alone: no other words for them, no provision found by its name.
BARE = BM25 + ["--expansion-weight", "0", "--named", "false"]
ANSERINI = BARE + ["--k1", "0.9", "--b", "0.4", "--fields", "flat"]
DENSE, RRF, BLEND, DEFAULT = (["--ranker", name] for name in ("dense", "rrf", "blend", "default"))

# Without what is matched as such: provisions that the question names, and other words for its phrases.
NAMELESS = ["--named", "false", "--expansion-weight", "0"]
# What is listed: children, articles (and children of none), or both in one list, with the children of an article that
# is there folded into it. Of a corpus of passages an article is a passage, its children are its sentences.
CHILDREN, ARTICLES, BOTH = (["--units", name] for name in ["child", "article", "both"])
WITHIN, WORDS = ["--within", "document"], ["--words", "1500"]

# What `ask FILE` embeds: the best so many passages of each question by its words. Lists are as long as those of an answer.
CANDIDATES = (25, 50, 100, 200, 400)
embedded = lambda n: ["--candidates", str(n), "--depth", "200" if n <= 200 else str(n)]

# `ci`: also run by --check. `over`: the ranker of the same set that it is compared with.
Row = namedtuple("Row", "set ranker arguments over ci", defaults=[None, False])

ROWS = [
    Row("mp_val", "bm25, Lucene", ANSERINI + ["--analyzer", "lucene"], ci=True),
    Row("mp_val", "bm25, bare", BARE, over="bm25, Lucene"),
    Row("mp_val", "bm25", BM25, over="bm25, bare", ci=True),
    Row("mp_val", "dense", DENSE, over="bm25"),
    Row("mp_val", "rrf", RRF, over="bm25"),
    Row("mp_val", "blend", BLEND, over="bm25"),
    Row("mp_val", "default", DEFAULT, over="blend"),
    Row("mp_val", "default, nothing as such", DEFAULT + NAMELESS, over="default"),
    Row("obliqa_dev", "bm25, Lucene", ANSERINI + ["--analyzer", "lucene"]),
    Row("obliqa_dev", "bm25, bare", BARE, over="bm25, Lucene"),
    Row("obliqa_dev", "bm25", BM25, over="bm25, bare", ci=True),
    Row("obliqa_dev", "dense", DENSE, over="bm25"),
    Row("obliqa_dev", "rrf", RRF, over="bm25"),
    Row("obliqa_dev", "blend", BLEND, over="bm25"),
    Row("obliqa_dev", "default", DEFAULT, over="blend"),
    Row("obliqa_dev", "default, nothing as such", DEFAULT + NAMELESS, over="default"),
    Row("legaldc", "bm25, flat", ANSERINI, ci=True),
    Row("legaldc", "bm25, bare", BARE, over="bm25, flat"),
    Row("legaldc", "bm25", BM25, over="bm25, bare", ci=True),
    # The questions are Chinese, which `default` compares with no vectors: a lexical row with a second stage.
    Row("legaldc", "default", DEFAULT, over="bm25", ci=True),
    Row("legaldc", "default, nothing as such", DEFAULT + NAMELESS, over="default"),
    Row("legaldc", "default, children", DEFAULT + CHILDREN, over="default"),
    Row("legaldc", "default, children and articles", DEFAULT + BOTH, over="default"),
    Row("xrefrag_ukfin", "bm25, bare", BARE),
    Row("xrefrag_ukfin", "bm25", BM25, over="bm25, bare"),
    Row("xrefrag_ukfin", "dense", DENSE, over="bm25"),
    Row("xrefrag_ukfin", "rrf", RRF, over="bm25"),
    Row("xrefrag_ukfin", "blend", BLEND, over="bm25"),
    Row("xrefrag_ukfin", "default", DEFAULT, over="blend"),
    Row("pages", "children", DEFAULT + CHILDREN),
    Row("pages", "articles", DEFAULT + ARTICLES, over="children"),
    Row("pages", "default", DEFAULT + BOTH, over="children"),
    Row("pages", "children, of 1,500 words", DEFAULT + CHILDREN + WORDS),
    Row("pages", "articles, of 1,500 words", DEFAULT + ARTICLES + WORDS, over="children, of 1,500 words"),
    Row("pages", "default, of 1,500 words", DEFAULT + BOTH + WORDS, over="children, of 1,500 words"),
    Row("pages", "default, nothing as such", DEFAULT + BOTH + NAMELESS, over="default"),
    Row("pages_within", "children", DEFAULT + CHILDREN + WITHIN),
    Row("pages_within", "articles", DEFAULT + ARTICLES + WITHIN, over="children"),
    Row("pages_within", "default", DEFAULT + BOTH + WITHIN, over="children"),
    *(Row("pages_within", f"children, {n} embedded", DEFAULT + CHILDREN + WITHIN + embedded(n), over="children") for n in CANDIDATES),
    Row("pages_named", "default, nothing as such", DEFAULT + BOTH + NAMELESS + WITHIN),
    Row("pages_named", "default", DEFAULT + BOTH + WITHIN, over="default, nothing as such"),
    Row("slice", "bm25", BM25, ci=True),
    Row("slice", "dense", DENSE, over="bm25", ci=True),
    Row("slice", "blend", BLEND, over="bm25", ci=True),
    Row("slice", "default", DEFAULT, over="blend", ci=True),
    *(Row("slice", f"default, {n} embedded", DEFAULT + embedded(n), over="default", ci=n == 100) for n in CANDIDATES),
]

# --- sets that are made of others ---------------------------------------------------------------------------------


def lines(path):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as file:
        return [line for line in file if line.strip()]


def files_of(name, data, pincite):
    """Corpus, questions and judgments of a set."""
    about = SETS[name]
    folder = WORK / about.corpus
    if about.corpus == "pages":
        return make_pages(folder, about.queries, data, pincite)
    if about.corpus == "slice":
        make_slice(data, folder)
    elif about.corpus == "xrefrag_ukfin":
        pairs = data / "train_pairs/xrefrag_ukfin.jsonl.gz"
        subprocess.run([sys.executable, ROOT / "models/pairs.py", pairs, folder], check=True, stdout=sys.stderr)
    else:
        return [data / about.corpus, data / about.queries, data / about.qrels]
    return [folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels"]


def make_pages(folder, questions, data, pincite):
    """A library of the documents that tests/answers asks of, by this command; questions, and where the answers are."""
    of = lambda path: [json.loads(line) for line in lines(ROOT / path)]
    library = folder / sha256(pincite.read_bytes()).hexdigest()[:16]
    if not (library / "manifest.json").exists():
        names = sorted({question["document"] for question in of("tests/answers/questions.jsonl")})
        documents = [data.parent / "pdf/corpus/legal-dev" / name for name in names]
        partial = library.with_suffix(".partial")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        command = [pincite, "index", *documents, "--out", partial, "--embedder", ROOT / "models/build"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        partial.rename(library)
    stem = folder / Path(questions).stem
    with open(stem.with_suffix(".jsonl"), "w") as queries, open(stem.with_suffix(".qrels"), "w") as qrels:
        for question in of(questions):
            if question["pages"]:
                query = {"qid": question["id"], "query": question["question"], "document": question["document"]}
                print(json.dumps(query), file=queries)
            for part in question.get("parts", [question["pages"]]) if question["pages"] else []:
                print(question["id"], 0, f"{question['document']}#{','.join(map(str, part))}", 1, file=qrels)
    return [library, stem.with_suffix(".jsonl"), stem.with_suffix(".qrels")]


def make_slice(data, folder, n_questions=150, n_passages=2000):
    """The questions and the passages of the lowest hashes, and all passages that are relevant to the questions."""
    lot = lambda id_: sha256(id_.encode()).hexdigest()
    about = SETS["mp_val"]
    judged = [line.split() for line in lines(data / about.qrels)]
    questions = {json.loads(line)["qid"]: line for line in lines(data / about.queries)}
    drawn = set(sorted({qid for qid, *_ in judged}, key=lot)[:n_questions])
    relevant = {id_ for qid, _, id_, gain in judged if qid in drawn and int(gain) > 0}
    passages = {}
    for line in lines(data / about.corpus):
        passage = json.loads(line)
        if len(passage["text"]) >= 5:
            passages[passage["id"]] = line
    relevant &= passages.keys()
    others = sorted(passages.keys() - relevant, key=lot)
    kept = relevant | set(others[: n_passages - len(relevant)])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "corpus.jsonl").write_text("".join(line for id_, line in passages.items() if id_ in kept))
    (folder / "queries.jsonl").write_text("".join(line for qid, line in questions.items() if qid in drawn))
    (folder / "qrels").write_text("".join(" ".join(row) + "\n" for row in judged if row[0] in drawn and row[2] in kept))


# --- measuring ----------------------------------------------------------------------------------------------------


def file_name(row):
    return f"{row.set}-{re.sub('[^a-z0-9]+', '-', row.ranker.lower())}.trec"


def rank(row, pincite, files):
    """Ranks; the best of the ranking stay in a file."""
    corpus, queries, qrels = files
    run = WORK / "runs" / file_name(row)
    run.parent.mkdir(parents=True, exist_ok=True)
    is_library = (corpus / "manifest.json").exists()
    command = [pincite, "eval", "retrieval", "--library" if is_library else "--corpus", corpus]
    command += ["--queries", queries, "--qrels", qrels, "--run", run, "--ks", "10", "--json", *row.arguments]
    if is_library:
        command += ["--embedder", ROOT / "models/build"]
    elif row.arguments[:2] != BM25:
        vectors = WORK / f"{SETS[row.set].corpus.split('/')[0]}.vectors"
        command += ["--vectors", vectors, "--embedder", ROOT / "models/build"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    cut(run)


def cut(run, n_best=100):
    """Leaves the best of each question, and what ties with the last of them: a thousand are hundreds of megabytes."""
    short = run.with_suffix(".short")
    with open(run, encoding="utf-8") as ranking, open(short, "w", encoding="utf-8") as out:
        qid, last = None, None
        for line in ranking:
            of, _, _, rank, score, _ = line.split()
            if of != qid:
                qid, last = of, None
            if int(rank) <= n_best or score == last:
                out.write(line)
            if int(rank) == n_best:
                last = score
    short.replace(run)


def measure(row, pincite, files):
    """What `eval run` says of the row's ranking; None when the ranking that it is compared with is not there."""
    _, queries, qrels = files
    cuts = sorted({name.split("@")[1] for name in SETS[row.set].figures.values()}, key=int)
    command = [pincite, "eval", "run", "--qrels", qrels, "--ks", ",".join(cuts), "--json"]
    command += ["--run", WORK / "runs" / file_name(row)]
    if row.over:
        other = WORK / "runs" / file_name(row._replace(ranker=row.over))
        if not other.exists():
            sys.exit(f"{row.set}/{row.ranker} is compared with {row.over}, which was not run: add --only {row.set}/{row.over}")
        command += ["--compare", other]
    if SETS[row.set].by:
        command += ["--by", SETS[row.set].by[0], "--queries", queries]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


# --- the table ----------------------------------------------------------------------------------------------------

# A line of a table is found by the heading of its set, the first cell of its head, and its own first cell.
Key = namedtuple("Key", "set table name")


def cells(row, measured):
    """The lines that a row gives: key → cells."""
    figures = SETS[row.set].figures
    plain = lambda said, name: f"{said['metrics'][name]:.6f} [{said['intervals'][name][0]:.3f}, {said['intervals'][name][1]:.3f}]"
    signed = lambda said, name: f"{said['metrics'][name]:+.4f} [{said['intervals'][name][0]:+.4f}, {said['intervals'][name][1]:+.4f}]"
    out = {Key(row.set, "ranker", row.ranker): [plain(measured, name) for name in figures.values()]}
    if row.over:
        key = Key(row.set, "difference", f"{row.ranker} − {row.over}")
        out[key] = [signed(measured["difference"], name) for name in figures.values()]
    for value, said in measured.get("by", {"values": {}})["values"].items():
        field, names = SETS[row.set].by
        key = Key(row.set, field, f"{names.get(value, value)}: {row.ranker}")
        out[key] = [plain(said, name) for name in figures.values()]
    return out


def read_table():
    table, name, head = {}, None, None
    for line in TABLE.read_text().splitlines() if TABLE.exists() else []:
        if found := re.match(r"## `(\w+)`", line):
            name = found[1]
        elif line.startswith("|") and name:
            first, *rest = [cell.strip() for cell in line.strip("|").split("|")]
            if head is None:
                head = first
            elif not first.startswith("--"):
                table[Key(name, head, first)] = rest
        else:
            head = None
    return table


def write_table(table):
    out = ["# Retrieval quality", ""]
    out += ["Written by `tests/retrieval/figures.py`, which says what the rows are; not edited by hand. Means over questions with", "95 % bootstrap intervals; differences are of the same questions.", ""]
    for name, about in SETS.items():
        rows = [row for row in ROWS if row.set == name]
        wanted = [Key(name, "ranker", row.ranker) for row in rows]
        wanted += [Key(name, "difference", f"{row.ranker} − {row.over}") for row in rows if row.over]
        if about.by:
            field, names = about.by
            wanted += [Key(name, field, f"{value}: {row.ranker}") for value in names.values() for row in rows]
        wanted = [key for key in wanted if key in table]
        if not wanted:
            continue
        out += [f"## `{name}`: {about.title}", ""]
        for kind in dict.fromkeys(key.table for key in wanted):
            out += [f"| {kind} | " + " | ".join(about.figures) + " |", "|---" * (1 + len(about.figures)) + "|"]
            out += [f"| {key.name} | " + " | ".join(table[key]) + " |" for key in wanted if key.table == kind]
            out.append("")
    TABLE.write_text("\n".join(out[:-1]) + "\n")


def is_lexical(row):
    return row.arguments[:2] == BM25 or row.set == "legaldc"


def differing(row, new, old):
    """What of a row is not as the table says."""
    tolerance = LEXICAL if is_lexical(row) else WITH_VECTORS
    key = Key(row.set, "ranker", row.ranker)
    if key not in old:
        return [f"{row.set}/{row.ranker}: not in {TABLE.name}"]
    wrong = []
    for heading, found, expected in zip(SETS[row.set].figures, new[key], old[key]):
        found, expected = float(found.split()[0]), float(expected.split()[0])
        if abs(found - expected) > tolerance + 1e-9:
            wrong.append(f"{row.set}/{row.ranker}: {heading} is {found:.6f}, expected {expected:.6f} ± {tolerance}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", action="append", default=[], metavar="SET[/RANKER]")
    parser.add_argument("--pincite", type=Path, default=ROOT / "target/debug/pincite")
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    args = parser.parse_args()
    if not args.data.is_dir():
        print(f"skipped: there is no judged data in {args.data} (--data names another folder)")
        return
    chosen = lambda row: not args.only or row.set in args.only or f"{row.set}/{row.ranker}" in args.only
    rows = [row for row in ROWS if chosen(row) and (row.ci or not args.check)]
    if args.check:
        # Rows are held to the table by themselves: what they are compared with need not be run.
        rows = [row._replace(over=None) for row in rows]
    if not rows:
        sys.exit(f"no row is meant by --only {' '.join(args.only)}")
    table, wrong = read_table(), []
    files = {name: files_of(name, args.data, args.pincite) for name in dict.fromkeys(row.set for row in rows)}

    def run(row):
        rank(row, args.pincite, files[row.set])
        new = cells(row, measure(row, args.pincite, files[row.set]))
        print(f"{row.set:14} {row.ranker:14} " + "  ".join(new[Key(row.set, "ranker", row.ranker)]), flush=True)
        return new

    if args.check:
        # Lexical rows need nothing of each other; of a set's rows with vectors the first makes the vectors.
        parts = {}
        for row in rows:
            parts.setdefault((row.set, row.ranker if is_lexical(row) else None), []).append(row)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            done = pool.map(lambda part: [(row, run(row)) for row in part], parts.values())
            wrong = [line for part in done for row, new in part for line in differing(row, new, table)]
    else:
        for row in rows:
            table.update(run(row))
            write_table(table)
    if wrong:
        sys.exit("\n".join(wrong + ["when this is meant, `./build.sh bench` (or this script without --check) writes the table anew"]))


if __name__ == "__main__":
    main()
