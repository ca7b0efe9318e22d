#!/usr/bin/env python3
"""Answers by one language model compared: which questions are asked, and what is counted of the answers.

    python3 tests/peers/answers.py sample     writes target/peers/answer-questions.jsonl, the same each time
    python3 tests/peers/answers.py score      writes answers.jsonl next to this file, with the verdicts that it has

Between the two each peer answers them with the same endpoint, by its script with `--llm`; README.md has the commands. Each
question is of another document, and is asked of that document alone. `right` and `refused` are verdicts by hand, made with
the answer that the question has in tests/answers; a new line has none, which is null. The rest is that of rankings, of what an answer cites. No words of a document are in answers.jsonl.
"""

import argparse
import json
import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "answers"))
from exchange import read_lines  # noqa: E402
from scoring import judge_ranking, questions  # noqa: E402

WORK = HERE.parents[1] / "target/peers"
FILE = HERE / "answers.jsonl"
N_QUESTIONS = 20
PEERS = ["pincite", "llama-index", "paper-qa"]


def by_id():
    return {f"lay/{question['id']}": question for question in questions("lay", "dev") if question["pages"] and question["lang"] == "en"}


def sample():
    drawn = [{"id": name, "question": question["question"], "document": question["document"]} for name, question in by_id().items()]
    random.Random(20).shuffle(drawn)
    first = {}
    for question in drawn:
        first.setdefault(question["document"], question)
    return list(first.values())[:N_QUESTIONS]


def score():
    verdicts = {(line["peer"], line["id"]): line for line in read_lines(FILE)}
    asked = by_id()
    for peer in PEERS:
        for line in read_lines(WORK / peer / "answers.jsonl"):
            known = verdicts.get((peer, line["id"]), {})
            figures = judge_ranking(asked[line["id"]], line["passages"])
            verdict = {"right": known.get("right"), "refused": known.get("refused")}
            cited = {name: figures[name] for name in ["first", "five", "quoted"]}
            cited["characters"] = sum(len(passage["text"]) for passage in line["passages"])
            yield {"peer": peer, "id": line["id"], **verdict, **cited}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["sample", "score"])
    out, lines = (WORK / "answer-questions.jsonl", sample) if parser.parse_args().verb == "sample" else (FILE, score)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in list(lines()))
    out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
