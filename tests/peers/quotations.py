#!/usr/bin/env python3
"""Checks of quotations compared: which call what is altered verified, and which lose what is true.

    python3 tests/peers/quotations.py --command target/release/pincite --library FOLDER --questions FILE --out FILE

Pincite is asked as it would be with a language model: `pincite ask --llm`, of one document at a time. The model is this
program. It draws quotations from the passages that the request holds (`alterations.py`), names the passage of each, and
the status that each gets is read from the answer. The other checks (`quotation_checks.py`) get the same quotations and
passages. A passage list is one document: where a quotation names another passage of it, they have no reason to object.
Lines of FILE have kind and verdicts, no words of a document. A run goes on where another stopped.
"""

import argparse
import json
import random
import re
import subprocess
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import alterations
import quotation_checks
from exchange import read_lines

QUESTIONS_OF_A_DOCUMENT = 8
# What is drawn first often has no figure or modal.
N_TRIES = 6
SEED = 20_261_121
PASSAGE = re.compile(r"<<<P(\d+) (\w+)>>>\n\[[^\n]*\]\n(.*?)\n<<<END P\1 \2>>>", re.DOTALL)
# The words stand there; what the file itself says of them is another matter.
STANDS = {"verified", "ocr", "differs", "tracked"}
# The one step that writes the answer.
PROFILE = 'format = 1\nname = "read"\ntitle = "Read"\n[steps.rewrite]\nby = "off"\n' + "".join(f"[steps.{step}]\non = false\n" for step in ["filter", "extract", "reflect"])


def quotations(passages, lot):
    """Two of each kind of true quotation and one of each other, of passages by number."""
    long = [number for number, text in passages.items() if len(text.split()) > 12]
    made = []
    for kind in [alterations.PRINTED, alterations.TRUE, *alterations.KINDS]:
        tries = (alterations.make(kind, [passages[number] for number in long], lot) for _ in range(N_TRIES)) if len(long) > 1 else ()
        for quote, altered, at in filter(None, tries):
            if kind not in alterations.WRONG or not alterations.stands(altered, "\n".join(passages.values())):
                made.append({"kind": kind, "quote": quote, "named": long[at]})
                break
    return made


class Model(HTTPServer):
    """A language model that quotes; `asked` is what it was given and what it quoted last."""

    asked = {}, []

    def reply(self, request):
        text = request["messages"][-1]["content"]
        passages = {int(found[1]): found[3] for found in PASSAGE.finditer(text)}
        made = quotations(passages, random.Random(f"{SEED} {text.split('Passages: ')[0]}"))
        self.asked = passages, made
        return "\n\n".join(f"It says that “{one['quote']}” [P{one['named']}]." for one in made)


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        text = self.server.reply(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        body = json.dumps({"id": "1", "object": "chat.completion", "model": "m", "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def statuses(answer, made):
    """The status of each quotation; None where the answer does not have one statement for each."""
    if len(answer["statements"]) != len(made):
        return None
    status = {citation["id"]: citation["status"] for citation in answer["citations"]}
    # A sentence without a verified quotation also has the passage that it names, as cited.
    first = lambda statement: next((status[n] for n in statement["citations"] if status[n] != "cited"), "cited")
    return [first(statement) for statement in answer["statements"]]


def ask(args, model, profile, question):
    base = f"http://127.0.0.1:{model.server_port}/v1"
    command = [args.command, "ask", args.library / question["document"], "--question", question["question"], "--llm", base, "--model", "m"]
    command += ["--profile", profile, "--thesaurus", "none", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=profile.parent, timeout=300)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def verdicts(passages, made, found):
    everything = "\n".join(passages.values())
    for one, status in zip(made, found):
        others = {name: check(one["quote"], passages[one["named"]], everything) for name, check in quotation_checks.METHODS.items()}
        yield {"kind": one["kind"], "Pincite": status in STANDS, "status": status, **others}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ["--command", "--library", "--questions", "--out"]:
        parser.add_argument(name, type=lambda path: Path(path).resolve(), required=True)
    parser.add_argument("--details", type=lambda path: Path(path).resolve(), help="also write the quotations, which are words of the documents")
    args = parser.parse_args()
    model = Model(("127.0.0.1", 0), Handler)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    by_document = {}
    for question in read_lines(args.questions):
        by_document.setdefault(question["document"], []).append(question)
    asked = [question for of in by_document.values() for question in of[:QUESTIONS_OF_A_DOCUMENT]]
    done = read_lines(args.out)
    known = {line["id"] for line in done}
    with tempfile.TemporaryDirectory() as folder, open(args.out, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(line) + "\n" for line in done)
        profile = Path(folder) / "read.toml"
        profile.write_text(PROFILE)
        for question in (question for question in asked if question["id"] not in known):
            # Where nothing is found, the model is not asked.
            model.asked = {}, []
            answer = ask(args, model, profile, question)
            passages, made = model.asked
            found = statuses(answer, made) if made else []
            line = {"id": question["id"], "quotations": None if found is None else list(verdicts(passages, made, found))}
            out.write(json.dumps(line) + "\n")
            out.flush()
            if args.details and found:
                with open(args.details, "a", encoding="utf-8") as details:
                    rows = zip(made, line["quotations"])
                    details.writelines(json.dumps({**one, **row, "passage": passages[one["named"]]}, ensure_ascii=False) + "\n" for one, row in rows)


if __name__ == "__main__":
    main()
