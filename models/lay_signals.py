#!/usr/bin/env python3
"""Signals of sufficiency of the lay questions, to fit and recalibrate the models: three files for train_sufficiency.py --lay.

    python3 models/lay_signals.py --library LIB --pincite target/debug/pincite --out target/sufficiency

LIB is `pincite index` of the documents of tests/answers/lay_questions.jsonl, with vectors. The lay questions and our own
of the documents that are not set aside are asked of all documents, of their own document alone, of all but their own,
and of another one alone. In the last two no question has an answer. The questions of sheets.jsonl are asked of all sheets and of
their own alone (lay.s.jsonl); `--sheets` asks these alone.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests/answers"))
from scoring import questions  # noqa: E402
from sheets import sheets, write_document  # noqa: E402

# The document, in the sorted list, that stands for "another one".
OTHER = 7
# Questions that one process is asked.
AT_ONCE = 60


def library_of(home, name, whole, entries):
    """A library of some documents of another, made of the same files."""
    part = home / name
    part.mkdir(parents=True, exist_ok=True)
    manifest = json.loads((whole / "manifest.json").read_text())
    for entry in entries:
        stems = {file.split(".")[0] for file in [entry["segment"], entry.get("vectors")] if file}
        for file in whole.iterdir():
            if file.stem in stems and not (part / file.name).exists():
                os.link(file, part / file.name)
    (part / "manifest.json").write_text(json.dumps({**manifest, "documents": entries}))
    return part


def asked(args, number, library, some, with_vectors):
    """Signals by question; `number` tells the files of what is asked at once apart."""
    queries, out = args.out / f"lay.{number}.queries.jsonl", args.out / f"lay.{number}.replies.jsonl"
    queries.write_text("".join(json.dumps({"qid": q["id"], "query": q["question"]}) + "\n" for q in some), encoding="utf-8")
    model = ["--embedder", args.embedder] if with_vectors else []
    # Without a model in models/build of the folder it runs in, the command searches by words alone.
    command = [args.pincite.resolve(), "eval", "ask", "--library", library, "--queries", queries, "--out", out, *model]
    subprocess.run(command, check=True, cwd=args.out, stderr=subprocess.DEVNULL)
    signals = [json.loads(line)["signals"] for line in out.read_text(encoding="utf-8").splitlines()]
    queries.unlink()
    out.unlink()
    return signals


def of_sheets(args):
    """Rows of the questions over sheets: of the library of all sheets, and of that of each alone."""
    folder, library = args.out / "sheets", args.out / "sheets-library"
    folder.mkdir(exist_ok=True)
    every = sheets()
    files = [write_document(sheet, folder) for sheet in every]
    shutil.rmtree(library, ignore_errors=True)
    command = [args.pincite.resolve(), "index", *files, "--out", library, "--embedder", args.embedder]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    entries = json.loads((library / "manifest.json").read_text())["documents"]
    known = lambda sheet: [(True, row["query"]) for row in sheet["answered"]] + [(False, query) for query in sheet["unanswered"]]
    some = [(sheet, *question) for sheet in every for question in known(sheet)]
    parts = [(some[at : at + AT_ONCE], library, "all") for at in range(0, len(some), AT_ONCE)]
    for sheet in every:
        mine = [entry for entry in entries if entry["name"] == f"{sheet['id']}.docx"]
        alone = library_of(args.out / "libraries", f"sheet-{sheet['id']}", library, mine)
        parts.append(([question for question in some if question[0] is sheet], alone, "only"))
    query = lambda at, text: {"id": str(at), "question": text}
    ask = lambda part: asked(args, f"s{part[0]}", part[1][1], [query(at, text) for at, (_, _, text) in enumerate(part[1][0])], True)
    with ThreadPoolExecutor(args.jobs) as pool:
        answers = list(pool.map(ask, enumerate(parts)))
    return [
        {"document": sheet["id"], "where": where, "near": not is_answered, "answerable": int(is_answered), "signals": signals}
        for (questions_, _, where), of_part in zip(parts, answers)
        for (sheet, is_answered, _), signals in zip(questions_, of_part)
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--pincite", type=Path, default=Path("target/debug/pincite"))
    parser.add_argument("--embedder", type=Path, default=HERE / "build")
    parser.add_argument("--out", type=Path, default=Path("target/sufficiency"))
    parser.add_argument("--compared", action="store_true", help="with vectors alone, as train_sufficiency.py --compared needs")
    parser.add_argument("--sheets", action="store_true", help="the questions over sheets alone")
    parser.add_argument("--every", type=int, default=1, help="of other libraries than that of its document, asked one question in so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="questions asked at once")
    args = parser.parse_args()
    if not args.sheets and args.library is None:
        parser.error("expected --library, the index of the lay questions' documents, or --sheets")
    args.out, args.embedder = args.out.resolve(), args.embedder.resolve()
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "lay.s.jsonl").write_text("".join(json.dumps(row) + "\n" for row in of_sheets(args)))
    if args.sheets:
        return
    args.library = args.library.resolve()
    every = [q for q in questions("lay", "dev") + questions("own", "dev") if q.get("lang") != "zh"]
    entries = json.loads((args.library / "manifest.json").read_text())["documents"]
    names = sorted({q["document"] for q in every})
    # What is asked of which library, where it is in the table, and whether it can have an answer.
    parts = [(every, args.library, "all", True)]
    for at, name in enumerate(names):
        some = [q for q in every if q["document"] == name]
        other = names[(at + OTHER) % len(names)]
        only = lambda wanted: library_of(args.out / "libraries", f"only-{wanted}", args.library, [e for e in entries if e["name"] == wanted])
        without = library_of(args.out / "libraries", f"without-{name}", args.library, [e for e in entries if e["name"] != name])
        parts += [(some, without, "without", False), (some, only(name), "only", True), (some, only(other), "other", False)]
    # Where a question is asked of its document alone it is always asked.
    parts = [(some if where == "only" else some[:: args.every], library, where, can) for some, library, where, can in parts]
    # The first is as long as many others: it is cut, so that every process has work until the end.
    parts = [(some[at : at + AT_ONCE], *rest) for some, *rest in parts for at in range(0, len(some), AT_ONCE)]
    for letter, with_vectors in [("v", True)] if args.compared else [("v", True), ("w", False)]:
        with ThreadPoolExecutor(args.jobs) as pool:
            answers = pool.map(lambda part: asked(args, part[0], part[1][1], part[1][0], with_vectors), enumerate(parts))
        rows = [
            {"document": question["document"], "lay": "kind" in question, "where": where, "near": not question["pages"],
             "answerable": int(bool(question["pages"]) and answerable), "signals": signals}
            for (some, _, where, answerable), of_part in zip(parts, answers)
            for question, signals in zip(some, of_part)
        ]
        (args.out / f"lay.{letter}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
