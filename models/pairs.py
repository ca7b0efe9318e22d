#!/usr/bin/env python3
"""Question → passage pairs to what `pincite eval retrieval` reads: corpus, queries, qrels.

    python3 models/pairs.py PAIRS.jsonl[.gz] OUT [--corpus PASSAGES.jsonl[.gz]]

writes OUT/corpus.jsonl (the distinct passages of the pairs), OUT/queries.jsonl and OUT/qrels. With --corpus the
pairs are judged on that corpus by their `pid`, pairs whose passage is not there are left out, and no corpus is
written. A passage that begins with the name of a Chinese statute and the number of an article becomes title, label
and text, ordered by statute and article, so that a passage has neighbours as in the statute itself.

The order is that of first occurrence (of statutes: by name and number), so the same input gives the same bytes.
"""

import argparse
import gzip
import json
import re
from hashlib import sha256
from pathlib import Path

ARTICLE = re.compile(r"^(?P<title>[^\s，。；：]{2,60}?)(?P<label>第[〇零一二三四五六七八九十百千]+条(?:之[一二三四五六七八九十]+)?)\s*")
DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0}


def lines(path):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def number(label):
    """第二百一十三条之一 → (213, 1)."""
    main, _, after = label[1:].partition("条")
    return of_numeral(main), of_numeral(after[1:]) if after else 0


def of_numeral(word):
    total, digit = 0, 0
    for c in word:
        if c in DIGITS:
            digit = DIGITS[c]
        else:
            total += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[c]
            digit = 0
    return total + digit


def passage(row):
    """The id and the fields of a pair's passage."""
    text = row["p"].strip()
    id_ = row.get("pid") or sha256(text.encode()).hexdigest()[:16]
    found = ARTICLE.match(text) if row.get("lang") == "zh" else None
    if not found:
        return {"id": id_, "text": text}
    title, label = found["title"], found["label"]
    return {"id": id_, "doc": title, "title": title, "label": label, "text": label + "　" + text[found.end():]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--corpus", type=Path)
    args = parser.parse_args()
    known = {row["id"] for row in lines(args.corpus)} if args.corpus else None
    passages, questions, judged = {}, {}, []
    for row in lines(args.pairs):
        found = passage(row)
        if known is not None and found["id"] not in known:
            continue
        passages.setdefault(found["id"], found)
        qid = row.get("qid") or sha256(row["q"].encode()).hexdigest()[:16]
        questions.setdefault(qid, row["q"])
        judged.append((qid, found["id"]))
    args.out.mkdir(parents=True, exist_ok=True)
    if known is None:
        order = sorted(passages.values(), key=lambda p: (p.get("doc", ""), number(p["label"]) if "label" in p else (0, 0)))
        write(args.out / "corpus.jsonl", (json.dumps(p, ensure_ascii=False) for p in order))
    write(args.out / "queries.jsonl", (json.dumps({"qid": q, "query": t}, ensure_ascii=False) for q, t in questions.items()))
    write(args.out / "qrels", (f"{qid} 0 {id_} 1" for qid, id_ in dict.fromkeys(judged)))
    print(f"{args.out}: {len(passages)} passages, {len(questions)} questions, {len(set(judged))} judgments")


def write(path, rows):
    path.write_text("".join(row + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
