#!/usr/bin/env python3
"""Answers by one language model compared: which questions are asked, and what is counted of the answers.

    python3 tests/peers/answers.py sample     writes target/peers/answer-questions.jsonl, the same each time
    python3 tests/peers/answers.py score      writes answers.jsonl next to this file, with the verdicts that it has

Between the two each peer answers them with the same endpoint, by its script with `--llm`; README.md has the commands. A first
question of every document, then a second, until there are enough; each is asked of its document alone. `right` and `refused`
are verdicts by hand, made with the answer that the question has in tests/answers; a new line has none, which is null. The rest
is that of rankings, of what an answer cites. No words of a document are in answers.jsonl. A line stays as it is where
target/peers has no answer to its question.
"""

import argparse
import json
import random
import sys
from itertools import zip_longest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "answers"))
from exchange import read_lines  # noqa: E402
from scoring import judge_ranking, questions  # noqa: E402

WORK = HERE.parents[1] / "target/peers"
FILE = HERE / "answers.jsonl"
N_QUESTIONS = 30
PEERS = ["pincite", "llama-index", "paper-qa"]


def by_id():
    return {f"lay/{question['id']}": question for question in questions("lay", "dev") if question["pages"] and question["lang"] == "en"}


def sample():
    drawn = [{"id": name, "question": question["question"], "document": question["document"]} for name, question in by_id().items()]
    random.Random(20).shuffle(drawn)
    return round_the_documents(drawn)[:N_QUESTIONS]


def round_the_documents(drawn):
    """The questions with a first one of every document before any second one."""
    by_document = {}
    for question in drawn:
        by_document.setdefault(question["document"], []).append(question)
    return [question for a_round in zip_longest(*by_document.values()) for question in a_round if question]


def score():
    asked, kept = by_id(), read_lines(FILE)
    for peer in PEERS:
        known = {line["id"]: line for line in kept if line["peer"] == peer}
        answered = {line["id"]: line["passages"] for line in read_lines(WORK / peer / "answers.jsonl")}
        for name in {**known, **answered}:
            yield scored(peer, asked[name], name, answered[name], known.get(name, {})) if name in answered else known[name]


def scored(peer, question, name, passages, known):
    """A line of answers.jsonl: the verdicts of the line that is known, figures of the passages."""
    figures = judge_ranking(question, passages)
    verdict = {"right": known.get("right"), "refused": known.get("refused")}
    cited = {figure: figures[figure] for figure in ["first", "five", "quoted"]}
    cited["characters"] = sum(len(passage["text"]) for passage in passages)
    return {"peer": peer, "id": name, **verdict, **cited}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["sample", "score"])
    out, lines = (WORK / "answer-questions.jsonl", sample) if parser.parse_args().verb == "sample" else (FILE, score)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in list(lines()))
    out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
