"""Questions that `run.py` hands to the program that asks a peer, and the rankings it gets back, a file of JSON lines each.

The questions are `id`, `question` and `document`, without what answers them. A line of a ranking is `id`, `seconds` and
`passages`, best first, each with `document`, `pages` from 1 in their order, and `text`. With a language model (`--llm`)
there are answers instead, with the passages that they cite. A line is written when it is known, so that a program that
was stopped goes on where it was. Standard library only: it runs in each peer's own environment.
"""

import argparse
import json
import logging
import os
import sys
import time
from pathlib import Path

# Passages that are kept of a ranking. Five are scored; long ones may hold fewer than five pages.
N_PASSAGES = 10


def arguments(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=Path, required=True, help="folder of PDFs")
    parser.add_argument("--questions", type=Path, required=True, help="JSON lines: id, question, document")
    parser.add_argument("--out", type=Path, required=True, help="folder of the rankings")
    parser.add_argument("--llm", help="base URL of an OpenAI-compatible endpoint: write answers instead of rankings")
    parser.add_argument("--embeddings", default="http://127.0.0.1:8474/v1", help="base URL of an OpenAI-compatible server")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    return args


def read_lines(path):
    """Whole JSON lines of a file; a last one that was cut is left out."""
    lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    return [json.loads(line) for line in lines[:-1]]


def rank_all(args, name, ask):
    """Asks each question of a library of all documents and of its own document alone, into NAME-all and NAME-document.

    `ask(question, document)` gives passages; `document` is None where all are searched."""
    for scope in ["all", "document"]:
        path = args.out / f"{name}-{scope}.jsonl"
        done = read_lines(path)
        known = {line["id"] for line in done}
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in done)
            for question in read_lines(args.questions):
                if question["id"] in known:
                    continue
                start = time.perf_counter()
                passages = ask(question["question"], question["document"] if scope == "document" else None)
                line = {"id": question["id"], "seconds": round(time.perf_counter() - start, 4), "passages": passages}
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
                out.flush()
        print(f"{name}-{scope}: {len(read_lines(path))} questions", file=sys.stderr, flush=True)


def answer_all(args, answer):
    """Answers each question from its own document, into `answers.jsonl`.

    `answer(question, document, base)` gives the text and the passages that it cites. The path of the base URL names the question, so
    that an endpoint can tell whose request it has."""
    path = args.out / "answers.jsonl"
    known = {line["id"] for line in read_lines(path)}
    with open(path, "a", encoding="utf-8") as out:
        for question in (question for question in read_lines(args.questions) if question["id"] not in known):
            text, cited = answer(question["question"], question["document"], f"{args.llm}/{args.out.name}-{question['id'].replace('/', '-')}/v1")
            out.write(json.dumps({"id": question["id"], "answer": text, "passages": cited}, ensure_ascii=False) + "\n")
            out.flush()


def documents(args):
    return sorted(args.documents.glob("*.pdf"))


def stay_local():
    """Nothing that a peer would report or fetch by itself leaves this machine; a key for a server that asks for none."""
    os.environ.update(OPENAI_API_KEY="none", HAYSTACK_TELEMETRY_ENABLED="False", HF_HUB_OFFLINE="1", LITELLM_LOCAL_MODEL_COST_MAP="True", LITELLM_LOG="ERROR")
    logging.getLogger("httpx").setLevel(logging.WARNING)
