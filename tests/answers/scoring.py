"""Questions of documents, what counts as found, and how shares are written: for every answerer alike.

`ablation.py` scores Pincite's variants with it, `tests/peers` other programs. A question (`questions.jsonl`,
`lay_questions.jsonl`) names pages of a document, from 1, and mostly a pattern that a quotation which answers it holds.
Standard library only.

    python3 tests/answers/scoring.py own|lay dev|aside|all [--qrels]

prints the questions of a split that their documents answer, as `pincite eval` reads them, or their judgments.
"""

import argparse
import json
import random
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Chosen by the SHA-256 of the file's name.
ASIDE = {
    "ca3_nda_clerk_letter.pdf",
    "eu_bruton_statement.pdf",
    "prospectus_alger.pdf",
    "scotus_slip_2013.pdf",
    "southernstar_affiliate.pdf",
    "two_col_apache_licence.pdf",
    "usc_title1.pdf",
}


def questions(name, split):
    """Questions of a set, `own` or `lay`, over the documents for development, those set aside, or all."""
    file = {"own": "questions.jsonl", "lay": "lay_questions.jsonl"}[name]
    text = (HERE / file).read_text(encoding="utf-8")
    asked = [json.loads(line) for line in text.splitlines() if line.strip()]
    if split == "all":
        return asked
    return [question for question in asked if (question["document"] in ASIDE) == (split == "aside")]


def holds(pattern, quotes):
    """1 if one of the texts has what the pattern asks for, white space collapsed."""
    flat = [re.sub(r"\s+", " ", quote) for quote in quotes]
    return int(any(re.search(pattern, quote, re.IGNORECASE) for quote in flat))


RANKED = ["first", "five", "five pages", "quoted"]
# A passage that touches more pages points at none.
MAX_PAGES = 5


def judge_ranking(question, passages):
    """Figures of a ranking, 0 or 1 each. A passage is `document`, `pages` in their order, and `text`. One of more than
    five pages counts as a passage and for nothing else.

    first       the first passage touches a page that holds the answer
    five        one of the first five passages does
    five pages  such a page is among the first five pages that one meets reading down the passages: long passages,
                which touch several, use them up
    quoted      one of the first five passages holds what the answer turns on (`says`); None for questions without
    """
    document, gold, five = question["document"], set(question["pages"]), passages[:5]
    points = [passage["document"] == document and len(passage["pages"]) <= MAX_PAGES for passage in five]
    touches = [point and bool(set(passage["pages"]) & gold) for point, passage in zip(points, five)]
    met = list(dict.fromkeys((passage["document"], page) for passage in passages for page in passage["pages"]))[:5]
    texts = [passage["text"] for point, passage in zip(points, five) if point]
    return {
        "first": int(touches[:1] == [True]),
        "five": int(any(touches)),
        "five pages": int(any((document, page) in met for page in gold)),
        "quoted": holds(question["says"], texts) if "says" in question else None,
    }


def interval(values, n_samples=2000):
    """Mean and its 95 % bootstrap interval; the same for the same values."""
    lot = random.Random(20)
    n = len(values)
    means = sorted(sum(lot.choices(values, k=n)) / n for _ in range(n_samples))
    return sum(values) / n, means[int(0.025 * n_samples)], means[int(0.975 * n_samples) - 1]


def share(values):
    return "{:.3f} [{:.2f}, {:.2f}]".format(*interval(values)) if values else ""


def difference(values):
    return "{:+.3f} [{:+.2f}, {:+.2f}]".format(*interval(values)) if values else ""


def table(head, rows):
    """Lines of a Markdown table, an empty one behind."""
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *(f"| {' | '.join(row)} |" for row in rows), ""]


def judgments(question):
    """Judged ids of a question: the pages that answer it, by the part of which one is needed."""
    return [f"{question['document']}#{','.join(map(str, part))}" for part in question.get("parts") or [question["pages"]]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", choices=["own", "lay"])
    parser.add_argument("split", choices=["dev", "aside", "all"])
    parser.add_argument("--qrels", action="store_true", help="judgments instead of questions")
    args = parser.parse_args()
    for question in questions(args.set, args.split):
        if not question.get("pages"):
            continue
        if args.qrels:
            print(*(f"{question['id']} 0 {judged} 1" for judged in judgments(question)), sep="\n")
        else:
            kept = {name: question[name] for name in ("document", "pages", "parts") if question.get(name)}
            line = {"qid": question["id"], "query": question["question"], **kept}
            print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main()
