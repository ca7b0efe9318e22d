"""The tables of README.md from what the peers gave: rankings, checked quotations, layouts, answers. Nothing here runs a peer."""

import json
import re
import statistics
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "answers"))
sys.path.insert(0, str(HERE.parent / "layout"))
import alterations  # noqa: E402
import figures  # noqa: E402
from exchange import read_lines  # noqa: E402
from scoring import RANKED, difference, judge_ranking, share, table  # noqa: E402

# Folder of the rankings, name of the peer, and its rankings, each with how it is set.
RANKINGS = [
    ("pincite", "Pincite", ["passages", "passages, not compared", "quotations"]),
    ("llama-index", "LlamaIndex", ["default", "chunks of 256"]),
    ("paper-qa", "PaperQA2", ["default", "chunks of 1,000", "sparse"]),
    ("haystack-ai", "Haystack", ["bm25", "embeddings", "hybrid"]),
    ("orama", "Orama", ["full text", "vectors", "hybrid"]),
]
OURS = ("Pincite", "passages")
NAMES = {home: peer for home, peer, _ in RANKINGS}
SETS = {"lay": "Questions in lay words", "own": "Questions in an expert's words"}
SCOPES = {"all": "all 27 documents searched", "document": "the one document searched"}
LAYOUT = ["heading", "level", "parent", "paragraph", "table cells", "note", "note link", "furniture", "order", "characters"]
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"


def rows_of_rankings(asked, folder, scope):
    """(peer, ranking, figures by question, characters of five passages), of the rankings that are whole."""
    for home, peer, names in RANKINGS:
        for name in names:
            found = {line["id"]: line["passages"] for line in read_lines(folder / home / f"{name}-{scope}.jsonl")}
            if all(question["id"] in found for question in asked):
                judged = [judge_ranking(question, found[question["id"]]) for question in asked]
                sizes = [sum(len(passage["text"]) for passage in found[question["id"]][:5]) for question in asked]
                yield peer, name, judged, int(statistics.median(sizes))


def ranking_tables(asked, folder):
    """A table for each set of questions and scope, and the difference of each row to what Pincite's search shows."""
    out = []
    for short, title in SETS.items():
        some = [question for question in asked if question["id"].startswith(f"{short}/")]
        for scope, searched in SCOPES.items() if some else ():
            rows, ours = [], None
            for peer, name, judged, size in rows_of_rankings(some, folder, scope):
                ours = judged if (peer, name) == OURS else ours
                values = {figure: [one[figure] for one in judged if one[figure] is not None] for figure in RANKED}
                away = difference([a["five"] - b["five"] for a, b in zip(ours, judged)]) if ours and ours is not judged else ""
                rows.append([peer, name, *(share(values[figure]) for figure in RANKED), f"{size:,}", away])
            if rows:
                out += [f"### {title}, {searched}: {len(some)}", ""]
                out += table(["", "ranking", *RANKED, "characters", "Pincite's passages − these, `five`"], rows)
    return out


def quotation_table(lines):
    """Share verified, by kind and check."""
    checked = [quotation for line in lines for quotation in line["quotations"] or []]
    if not checked:
        return []
    methods = [name for name in checked[0] if name not in ("kind", "status")]
    kinds = Counter(quotation["kind"] for quotation in checked)
    of = lambda method, some: [int(quotation[method]) for quotation in checked if quotation["kind"] in some]
    count = lambda method, some: f"{sum(of(method, some))} of {len(of(method, some))}"
    true = [alterations.PRINTED, alterations.TRUE]
    rows = [[f"**true**, {kind}", *(count(method, [kind]) for method in methods)] for kind in true]
    rows += [["**false**, all of the following", *(count(method, alterations.WRONG) for method in methods)]]
    rows += [[kind, *(count(method, [kind]) for method in methods)] for kind in alterations.WRONG if kinds[kind]]
    rows += [[f"*{kind}*", *(count(method, [kind]) for method in methods)] for kind in [alterations.OMITTED, alterations.MISATTRIBUTED]]
    return [f"### Called verified, of {len(checked):,} quotations", "", *table(["quotations", *methods], rows)]


def layout_tables(documents, readers):
    """F1 or share of each figure, by reader; `readers` is name → function of a document's name and file."""
    out = []
    groups = {"real, hand-checked": lambda truth: truth.get("source") != "synthetic", "generated": lambda truth: truth.get("source") == "synthetic"}
    for title, belongs in groups.items():
        some = [document for document in documents if belongs(document[2])]
        counts = {reader: [figures.score(read(name, file), truth) for name, file, truth in some] for reader, read in readers.items()}
        rows = []
        for figure in LAYOUT:
            summaries = {reader: figures.summary(figure, of) for reader, of in counts.items()}
            if any(summaries.values()):
                rows.append([figure, *("" if one is None else f"{one['micro'][0]:.3f}" for one in summaries.values())])
        if some:
            out += [f"### Layout of {len(some)} documents, {title}", "", *table(["F1 or share", *readers], rows)]
    return out


def answer_table(lines):
    """Answers by a language model, judged by hand: right, and what they cite."""
    if not lines:
        return []
    rows = []
    for peer in dict.fromkeys(line["peer"] for line in lines):
        some = [line for line in lines if line["peer"] == peer]
        count = lambda figure: f"{sum(line[figure] for line in some)} of {len(some)}"
        sizes = [line["characters"] for line in some if line["characters"]]
        rows.append([NAMES[peer], *map(count, ["right", "refused", "first", "five", "quoted"]), f"{int(statistics.median(sizes)):,}"])
    head = ["", "answer right", "refused", "first cited page right", "a cited page right", "quoted", "characters cited"]
    return [f"### Answers by one model to {len({line['id'] for line in lines})} questions", "", *table(head, rows)]


def versions():
    """A line with the version of each peer, from the locks."""
    found = {}
    for lock in sorted(HERE.glob("requirements-*.txt")):
        name = lock.stem.removeprefix("requirements-")
        found |= dict(re.findall(rf"^({re.escape(name)}(?:-core)?|onnxruntime|rapidfuzz|pypdf)==(\S+)", lock.read_text(), re.MULTILINE))
    packages = json.loads((HERE / "package.json").read_text())["devDependencies"]
    return f"Versions: {', '.join(f'{name} {version}' for name, version in {**found, **packages}.items())}."


def write(text_of_tables, path):
    """Puts the tables between the two marks of a file."""
    text = path.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    path.write_text(f"{head}{BEGIN}\n\n{text_of_tables}\n{END}{rest.split(END)[1]}", encoding="utf-8")
