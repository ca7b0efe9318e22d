#!/usr/bin/env python3
"""Pincite itself, without a language model: what `tests/answers/ablation.py` asks of it, as rankings of the common form.

Rankings `passages` (what its search found, compared with the question token by token), `passages, not compared` (the
search alone), and `quotations`, the citations of its answer, whose texts are the words it quotes. With `--llm`, answers
by a language model, with the profile that `--profile` names.

    python3 tests/peers/pincite.py --command target/release/pincite --embedder models/build ... (as of the other peers)
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "answers"))
import ablation  # noqa: E402
from exchange import answer_all, read_lines  # noqa: E402


def passage(place, text):
    pages = sorted({place["page"], *(span["page"] for span in place["spans"])})
    return {"document": place["document"], "pages": pages, "text": place[text]}


def answer(args, command, library, question, base):
    asked = ["ask", library, "--question", question, "--llm", base, "--model", "m", "--timeout", "3600", "--profile", args.profile, "--json"]
    reply = json.loads(command.run(asked, vectors=True))
    return reply["answer"], [passage(citation, "quote") for citation in reply["citations"] if citation["page"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ["--documents", "--questions", "--out", "--command", "--embedder"]:
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--llm", help="base URL of an OpenAI-compatible endpoint: write answers instead of rankings")
    parser.add_argument("--profile", default="general")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    ablation.NOWHERE.mkdir(parents=True, exist_ok=True)
    command = ablation.Command(args.command, args.embedder)
    documents = [path.resolve() for path in sorted(args.documents.glob("*.pdf"))]
    home = ablation.library(command, "layout", documents, vectors=True)
    if args.llm:
        return answer_all(args, lambda question, document, base: answer(args, command, home / document, question, base))
    found = lambda reply: [passage(hit, "text") for hit in reply["trace"]["retrieved"]]
    quoted = lambda reply: [passage(citation, "quote") for citation in reply["citations"]]
    compared, alone = ablation.VARIANTS["layout, thesaurus"], ablation.VARIANTS["layout, thesaurus, not compared"]
    shown = read_lines(args.questions)
    for scope in ["document", "all"]:
        for variant, rankings in [(compared, {"passages": found, "quotations": quoted}), (alone, {"passages, not compared": found})]:
            replies = {}
            for name in dict.fromkeys(question["id"].split("/")[0] for question in shown):
                # All questions of a set, as ablation.py asks them, so that what it asked is not asked again.
                of = ablation.replies_of(command, home, variant, scope, ablation.questions(name, "dev"), jobs=1)
                replies |= {f"{name}/{identifier}": reply for identifier, reply in of.items()}
            for name, ranking in rankings.items():
                lines = [{"id": question["id"], "seconds": None, "passages": ranking(replies[question["id"]])} for question in shown]
                text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
                (args.out / f"{name}-{scope}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
