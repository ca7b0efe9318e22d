#!/usr/bin/env python3
"""Questions that ask two things, of which the document answers both, one or neither.

    python3 tests/answers/two_questions.py [--pincite PATH] [--documents FOLDER] [--embedder DIR]

Two lay questions over one document (lay_questions.jsonl, documents for development) are put as one, joined by "and" or one after
the other, and asked of a library of their document, with the thesaurus. Counted are the replies that refuse, those that doubt,
and those that name a question as one that the documents do not answer, where the document does not ("left open, rightly") and
where it does ("left open, wrongly"). The questions are short ones that ask one thing; which are joined is drawn with a fixed seed.
Prints a table in Markdown. Standard library only.
"""

import argparse
import os
import random
from pathlib import Path

from ablation import NOWHERE, ROOT, VARIANTS, Command, library, replies_of
from scoring import questions

SEED = 11
# Pairs of a kind over one document.
N_PAIRS = 3
# Words of a question that is joined to another.
N_WORDS = range(4, 23)
# How it begins: what does not is no question when it stands behind "and".
BEGINNINGS = set("who what when where how which why can does do is are must may".split())
# Share of the pairs that "and" joins.
WITH_AND = 0.6
KINDS = {"both": "both are answered", "one": "one is", "neither": "neither is"}


def asks_one_thing(question):
    text = question["question"]
    is_one = " and " not in text and "?" not in text[:-1]
    return is_one and len(text.split()) in N_WORDS and text.split()[0].lower() in BEGINNINGS


def pairs():
    """Questions of two: as ablation.py asks them, with their kind, and each of the two with whether the document answers it."""
    lot = random.Random(SEED)
    by_document = {}
    for question in questions("lay", "dev"):
        if question.get("lang") != "zh" and asks_one_thing(question):
            answered, silent = by_document.setdefault(question["document"], ([], []))
            (answered if question["pages"] else silent).append(question["question"])
    for document, (answered, silent) in sorted(by_document.items()):
        lot.shuffle(answered)
        lot.shuffle(silent)
        some = [("one", (answered[at], silent[at])) for at in range(min(N_PAIRS, len(answered), len(silent)))]
        some += [("both", tuple(answered[at : at + 2])) for at in range(N_PAIRS, min(3 * N_PAIRS, len(answered) - 1), 2)]
        some += [("neither", tuple(silent[at : at + 2])) for at in range(0, min(2 * N_PAIRS, len(silent) - 1), 2)]
        for at, (kind, pair) in enumerate(some):
            first, second = pair if at % 2 else reversed(pair)
            joined = f"{first.removesuffix('?')} and {second[0].lower()}{second[1:]}"
            text = joined if lot.random() < WITH_AND else f"{first} {second}"
            yield {
                "id": f"{document}-{at}",
                "document": document,
                "question": text,
                "kind": kind,
                "parts": [(part, part in answered) for part in (first, second)],
            }


def named(message, part):
    """True if a message quotes the question, whose first letter and mark may differ."""
    return part[1:].rstrip("?").lower() in message.lower()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pincite", type=Path, default=ROOT / "target/debug/pincite")
    parser.add_argument("--documents", type=Path, default=ROOT / "../shared/pdf/corpus/legal-dev")
    parser.add_argument("--embedder", type=Path, default=ROOT / "models/build")
    args = parser.parse_args()
    NOWHERE.mkdir(parents=True, exist_ok=True)
    names = sorted({question["document"] for question in questions("lay", "all")})
    command, asked = Command(args.pincite, args.embedder), list(pairs())
    variant = VARIANTS["layout, thesaurus"]
    home = library(command, variant.chunker, [(args.documents / name).resolve() for name in names], vectors=True)
    replies = replies_of(command, home, variant, "document", asked, os.cpu_count() or 1)
    print("| the document answers | questions | refused | doubted | left open, rightly | left open, wrongly |\n|---|---|---|---|---|---|")
    for kind, name in KINDS.items():
        some = [(question["parts"], replies[question["id"]]) for question in asked if question["kind"] == kind]
        left_open = [
            [is_answered for part, is_answered in parts if named(reply["message"], part)] if reply["answerability"] != "silent" else []
            for parts, reply in some
        ]
        counts = [
            sum(reply["answerability"] == "silent" for _, reply in some),
            sum(reply["answerability"] == "may-answer" for _, reply in some),
            sum(False in open_ for open_ in left_open),
            sum(True in open_ for open_ in left_open),
        ]
        print(f"| {name} | {len(some)} | " + " | ".join(f"{count / len(some):.2f}" for count in counts) + " |")


if __name__ == "__main__":
    main()
