#!/usr/bin/env python3
"""What finds the page: questions of our own over real legal documents, answered without a model.

    python3 tests/answers/ablation.py [--questions own|lay] [--split dev|aside|all] [--scope document|all]...
                                      [--only VARIANT]... [--pincite PATH]
                                      [--documents FOLDER] [--embedder DIR] [--jobs N] [--fresh] [--failures FILE]

questions.jsonl says for each question which pages of which document hold the answer, and where: in the body, in a
footnote, in a table, or across sections (a rule here, its exception or definition there; `parts` are then groups of
pages, each of which is needed). Questions without pages have no answer in their document. `glossary` names the terms
of art in the question that the document does not use; glossary.json says them in other words.

Each question is asked of a library that holds its document alone (--scope document) and of one that holds all of them
(--scope all), by `pincite ask --json`, in the variants of VARIANTS: cut along the layout or into windows of a fixed
size, with the glossary or the legal thesaurus or without, with vectors or by words alone, the best passages compared with
the question token by token or not. "spelled out" is no feature of the command but what
the glossary could give: the question asked anew with the first of the other words in each term's place. Counted are
the answerable questions of which

    first     the first citation stands on a page that holds the answer
    cited     any citation does
    complete  the citations touch every part that is needed
    quoted    a citation of the document holds what the answer turns on, a number or a few words (`says`, a pattern;
              questions without one are left out of this figure)
    said      any citation stands on such a page, and the answer does not say that the documents do not say
    found     any of the retrieved passages touches such a page: what no reader of them can exceed
    refused   the answer says that the documents do not say
    doubted   the answer says that the nearest passages may answer

and of the questions without an answer, those that were refused or doubted. Shares come with 95 % bootstrap intervals, differences
between variants too, of the same questions. Libraries and replies stay in target/answers, replies keyed by the bytes of
the command and of what is asked, vectors by the segments and the model, so that a second run makes only what is new.

lay_questions.jsonl (`--questions lay`) asks in the words of someone who does not know those of the document: one writer
read the documents and described situations without the words of the passages that answer, another, who saw neither
documents nor answers, put the questions. 86 of those without an answer were written by someone who had read the
document, each beside a passage that comes near it. They are tabulated by kind of question. ASIDE lists the documents, a quarter
of them, whose lay questions are never looked at while anything is tuned: `--split dev` leaves them out, `--split aside`
asks them alone.

The tables go to figures.md next to this file, those of the lay questions to lay_figures.md. The documents are not part of the repository: where they are absent, the
script says so and is done.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

from scoring import ASIDE, difference, holds, questions, share, table

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "target/answers"
THESAURUS = ROOT / "models/thesaurus/legal.txt"
# Where no model is found: the command then searches by words alone.
NOWHERE = WORK / "nowhere"

# --- what is measured ---------------------------------------------------------------------------------------------

Variant = namedtuple("Variant", "chunker glossary vectors compared", defaults=[True])

VARIANTS = {
    "layout": Variant("layout", None, True),
    "layout, glossary": Variant("layout", "given", True),
    "layout, spelled out": Variant("layout", "spelled out", True),
    "layout, thesaurus": Variant("layout", "thesaurus", True),
    "layout, thesaurus, not compared": Variant("layout", "thesaurus", True, False),
    "layout, words": Variant("layout", None, False),
    "layout, words, thesaurus": Variant("layout", "thesaurus", False),
    "layout, words, glossary": Variant("layout", "given", False),
    "layout, words, spelled out": Variant("layout", "spelled out", False),
    "window": Variant("window", None, True),
    "window, glossary": Variant("window", "given", True),
    "window, words": Variant("window", None, False),
    "window, words, glossary": Variant("window", "given", False),
}

# Which variants are compared, question by question, and over which questions.
DIFFERENCES = [
    ("layout", "window", "all"),
    ("layout, words", "window, words", "all"),
    ("layout, glossary", "layout", "glossary"),
    ("layout, spelled out", "layout", "glossary"),
    ("layout, words, glossary", "layout, words", "glossary"),
    ("layout, words, spelled out", "layout, words", "glossary"),
    ("layout", "layout, words", "all"),
    ("layout, thesaurus", "layout", "all"),
    ("layout, thesaurus", "layout, thesaurus, not compared", "all"),
    ("layout, words, thesaurus", "layout, words", "all"),
]

FIGURES = ["first", "cited", "complete", "quoted", "said", "found", "refused", "doubted"]
PLACES = {"body": "body", "footnote": "footnote", "across": "across sections", "table": "table"}
KINDS = ["fact", "definition", "obligation", "procedure", "list", "heading", "which", "table", "footnote", "across"]
SCOPES = {"document": "a library of the one document", "all": "a library of all documents"}


# --- asking -------------------------------------------------------------------------------------------------------


class Command:
    """The command, the bytes that it is made of, and where its model is."""

    def __init__(self, path, embedder):
        self.path, self.embedder = path.resolve(), embedder.resolve()
        self.digest = sha256(self.path.read_bytes()).hexdigest()[:16]

    def run(self, arguments, vectors):
        environment = {name: value for name, value in os.environ.items() if name != "PINCITE_MODELS"}
        model = ["--embedder", self.embedder] if vectors else []
        command = [self.path, *arguments, *model]
        done = subprocess.run(command, cwd=NOWHERE, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
        return done.stdout

    def has(self, verb, switch):
        return switch in self.run([verb, "--help"], vectors=False)


def library(command, chunker, documents, vectors):
    """The library of all documents, and one for each of them made of the same files.

    Each build reads and cuts the documents anew. The vectors are those of the segments and the model, so they are made
    again only where a segment or the model differs."""
    chosen = ["--chunker", chunker] if chunker != "layout" else []
    words = WORK / "libraries" / f"{chunker}-{command.digest}-words"
    if not (words / "done").exists():
        shutil.rmtree(words, ignore_errors=True)
        command.run(["index", *documents, "--out", words / "all", *chosen], vectors=False)
        apart(words)
    if not vectors:
        return words
    key = sha256((command.embedder / "manifest.json").read_bytes())
    for segment in sorted((words / "all").glob("*.segment")):
        key.update(segment.read_bytes())
    home = WORK / "libraries" / f"{chunker}-{key.hexdigest()[:16]}"
    if not (home / "done").exists():
        shutil.rmtree(home, ignore_errors=True)
        command.run(["index", *documents, "--out", home / "all", *chosen], vectors=True)
        apart(home)
    return home


def apart(home):
    """Libraries of the single documents of `home/all`."""
    manifest = json.loads((home / "all/manifest.json").read_text())
    for entry in manifest["documents"]:
        alone = home / entry["name"]
        alone.mkdir()
        for file in filter(None, [entry["segment"], entry.get("vectors")]):
            found = next(path for path in (home / "all").iterdir() if path.stem == file.split(".")[0])
            os.link(found, alone / found.name)
        (alone / "manifest.json").write_text(json.dumps({**manifest, "documents": [entry]}))
    (home / "done").touch()


def text_of(question, variant):
    """The question as it is asked in a variant."""
    text = question["question"]
    if variant.glossary == "spelled out":
        glossary = json.loads((HERE / "glossary.json").read_text(encoding="utf-8"))
        for term in question.get("glossary", []):
            text = re.sub(re.escape(term), glossary[term][0], text, flags=re.IGNORECASE)
    return text


def ask(command, where, variant, asked):
    """Replies as JSON by id, of the questions asked of one library by one process; out of the cache where they are."""
    switches = {
        "given": ["--glossary", HERE / "glossary.json", "--thesaurus", "none"],
        "thesaurus": ["--thesaurus", THESAURUS],
    }.get(variant.glossary, ["--thesaurus", "none"])
    switches = switches if variant.compared else [*switches, "--no-comparison"]
    lines = [json.dumps({"qid": q["id"], "query": text_of(q, variant)}, ensure_ascii=False) for q in asked]
    used = [Path(switch).read_text(encoding="utf-8") for switch in switches if str(switch) != "none" and Path(switch).is_file()]
    key = sha256(json.dumps([str(where), lines, variant.vectors, list(map(str, switches)), used]).encode()).hexdigest()
    cached = WORK / "replies" / command.digest / f"{key}.jsonl"
    if not cached.exists():
        cached.parent.mkdir(parents=True, exist_ok=True)
        queries, partial = cached.with_suffix(".queries"), cached.with_suffix(".partial")
        queries.write_text("\n".join(lines) + "\n", encoding="utf-8")
        command.run(["eval", "ask", "--library", where, "--queries", queries, "--out", partial, *switches], variant.vectors)
        partial.replace(cached)
    replies = (json.loads(line) for line in cached.read_text(encoding="utf-8").splitlines())
    return {reply["id"]: reply for reply in replies}


def replies_of(command, home, variant, scope, asked, jobs):
    """Replies by id: of one library, or of that of each question's document."""
    if scope == "all":
        return ask(command, home / "all", variant, asked)
    parts = {}
    for question in asked:
        parts.setdefault(question["document"], []).append(question)
    with ThreadPoolExecutor(jobs) as pool:
        done = pool.map(lambda part: ask(command, home / part[0], variant, part[1]), parts.items())
        return {id_: reply for replies in done for id_, reply in replies.items()}


# --- the words of questions ---------------------------------------------------------------------------------------

# Words that carry no content, and no less in one document than in another.
STOP = set(
    "a about all am an and any are as at be been being but by can could did do does each else ever for from get gets got had has"
    " have how i if in into is it its just let like may me might must my no not of on one or our out own shall should so some such"
    " than that the their them then there these they this to too under up us use was we were what when where which who whom whose"
    " why will with would yet you your".split()
)


def stems(text):
    """Content words by their first five letters: "paying" and "payment" are two, "payments" and "payment" one."""
    return {word[:5] for word in re.findall(r"[^\W\d_]{2,}", text.lower()) if word not in STOP}


def page_texts(command, documents):
    """Document → page → text, as the command reads it."""
    texts = {}
    for path in documents:
        read = json.loads(command.run(["layout", path, "--json"], vectors=False))
        texts[path.name] = {page["page"]: " ".join(block["text"] for block in page["blocks"]) for page in read["pages"]}
    return texts


def shared(question, texts):
    """Share of the question's content words on the pages that answer it; None where that cannot be said."""
    asked = stems(question["question"])
    on_pages = set().union(*(stems(texts[question["document"]].get(page, "")) for page in question["pages"]))
    return len(asked & on_pages) / len(asked) if asked and on_pages and question["lang"] == "en" else None


# --- judging ------------------------------------------------------------------------------------------------------


def pages(place, document):
    """The pages of the document on which a citation or a passage stands."""
    if place["document"] != document:
        return set()
    return {span["page"] for span in place["spans"]} | {place["page"]}


def judge(question, reply):
    """What of the figures holds for a reply: 0 or 1 each."""
    document, gold = question["document"], set(question["pages"])
    cited = [pages(citation, document) for citation in reply["citations"]]
    # A passage may run over many pages; what is cited of it is the measure, this is only the bound.
    found = [pages(hit, document) for hit in reply["trace"]["retrieved"]]
    all_cited = set().union(*cited)
    quotes = [citation["quote"] for citation in reply["citations"] if citation["document"] == document]
    refused = not reply["sufficient"]
    any_cited = bool(all_cited & gold)
    return {
        "first": int(bool(cited and cited[0] & gold)),
        "cited": int(any_cited),
        "complete": int(all(all_cited & set(part) for part in question.get("parts", [question["pages"]]))),
        "quoted": holds(question["says"], quotes) if "says" in question else None,
        "said": int(any_cited and not refused),
        "found": int(bool(set().union(*found) & gold)),
        "refused": int(refused),
        "doubted": int(reply.get("answerability") == "may-answer"),
    }


# --- the tables ---------------------------------------------------------------------------------------------------


def groups(asked):
    """The questions by kind, or by place where they have no kind: (name, test of a question)."""
    if "kind" in asked[0]:
        return [(kind, lambda question, kind=kind: question["kind"] == kind) for kind in KINDS]
    return [(name, lambda question, place=place: question["where"] == place) for place, name in PLACES.items()]


def report(asked, judged, scopes, variants, texts):
    """The tables; `judged` is (scope, variant) → id of a question → figures."""
    answerable = [question for question in asked if question["pages"]]
    of = lambda scope, variant, some, figure: [judged[scope, variant][q["id"]][figure] for q in some if figure != "quoted" or "says" in q]
    out = ["# Answers without a model, and what they owe to what", ""]
    out += ["Written by `tests/answers/ablation.py`, which says what the figures are; not edited by hand. Shares of questions with"]
    out += ["95 % bootstrap intervals; differences are of the same questions. Questions do not name their document: in a library of"]
    out += ["all documents some could be asked of several, so its figures are a lower bound.", ""]
    counts = ", ".join(f"{sum(map(is_of, answerable))} {name}" for name, is_of in groups(asked))
    out += [f"{len(asked)} questions over {len({q['document'] for q in asked})} documents: {len(answerable)} with an answer ({counts}) and"]
    out += [f"{len(asked) - len(answerable)} without; {sum('says' in q for q in answerable)} say what the quotation must hold, {sum('glossary' in q for q in answerable)} use a term of art that the document does not.", ""]
    words = [value for value in (shared(question, texts) for question in answerable) if value is not None]
    out += [f"Of a question's content words {sum(words) / len(words):.2f} stand on the pages that answer it (English, by the first five letters)."]
    out += [f"Set aside, and in no figure that anything was tuned on: {sum(q['document'] in ASIDE for q in asked)} of the questions, over {len({q['document'] for q in asked} & ASIDE)} documents.", ""]
    for scope in scopes:
        out += [f"## `{scope}`: {SCOPES[scope]}", ""]
        rows = []
        for variant in variants:
            unanswerable = [question for question in asked if not question["pages"]]
            cells = [share(of(scope, variant, answerable, figure)) for figure in FIGURES]
            rows.append([variant, *cells, *(share(of(scope, variant, unanswerable, figure)) for figure in ["refused", "doubted"])])
        out += table(["variant", *FIGURES, "refused, no answer there", "doubted, no answer there"], rows)
        rows = []
        for here, there, which in DIFFERENCES:
            if here in variants and there in variants:
                some = [q for q in answerable if which == "all" or "glossary" in q]
                pairs = [list(zip(of(scope, here, some, figure), of(scope, there, some, figure))) for figure in FIGURES]
                name = f"{here} − {there}" + (f", {len(some)} questions with a term of art" if which != "all" else "")
                rows.append([name, *(difference([a - b for a, b in pair]) for pair in pairs)])
        out += table(["difference", *FIGURES], rows) if rows else []
        rows = []
        for name, is_of in groups(asked):
            some = list(filter(is_of, answerable))
            rows += [[f"{name} ({len(some)}): {variant}", *(share(of(scope, variant, some, figure)) for figure in FIGURES)] for variant in variants]
        out += table(["of the kind" if "kind" in asked[0] else "where the answer stands", *FIGURES], rows)
    return "\n".join(out[:-1]) + "\n"


def failures(asked, replies, judged):
    """What was cited instead, for whoever looks for the reason; it holds text of the documents and is not committed."""
    out = []
    for (scope, variant), of in replies.items():
        for question in asked:
            reply, figures = of[question["id"]], judged[scope, variant][question["id"]]
            fails = [figure for figure in ["first", "cited", "complete", "quoted", "said"] if figures[figure] == 0]
            if fails if question["pages"] else not figures["refused"]:
                cited = [(c["document"], c["page"], c["quote"][:160]) for c in reply["citations"]]
                hits = [(h["document"], h["page"]) for h in reply["trace"]["retrieved"]]
                out.append({"scope": scope, "variant": variant, "fails": fails, **question, **{f: figures[f] for f in FIGURES}, "cited": cited, "retrieved": hits})
                out[-1]["any"] = figures["cited"]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", choices=["own", "lay"], default="own")
    parser.add_argument("--split", choices=["dev", "aside", "all"], default="all")
    parser.add_argument("--scope", action="append", choices=list(SCOPES))
    parser.add_argument("--only", action="append", choices=list(VARIANTS), metavar="VARIANT")
    parser.add_argument("--pincite", type=Path, default=ROOT / "target/debug/pincite")
    parser.add_argument("--documents", type=Path, default=ROOT / "../shared/pdf/corpus/legal-dev")
    parser.add_argument("--embedder", type=Path, default=ROOT / "models/build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--fresh", action="store_true", help="forget what was asked before")
    parser.add_argument("--failures", type=Path, metavar="FILE", help="write what was cited instead, as JSON lines")
    parser.add_argument("--out", type=Path, help="default: figures.md or lay_figures.md next to this file")
    args = parser.parse_args()
    if not args.documents.is_dir():
        print(f"skipped: there are no documents in {args.documents} (--documents names another folder)")
        return
    if args.fresh:
        shutil.rmtree(WORK, ignore_errors=True)
    NOWHERE.mkdir(parents=True, exist_ok=True)
    command, asked = Command(args.pincite, args.embedder), questions(args.questions, args.split)
    scopes, variants = args.scope or list(SCOPES), args.only or list(VARIANTS)
    for switch, verb, needs in [("--chunker", "index", lambda v: v.chunker != "layout"), ("--glossary", "ask", lambda v: v.glossary == "given"), ("--thesaurus", "ask", lambda v: v.glossary == "thesaurus")]:
        left_out = [name for name in variants if needs(VARIANTS[name])]
        if left_out and not command.has(verb, switch):
            variants = [name for name in variants if name not in left_out]
            print(f"left out, since `{verb}` has no {switch}: {'; '.join(left_out)}", file=sys.stderr)
    # The library holds the documents of all questions, whichever are asked.
    names = sorted({question["document"] for question in questions(args.questions, "all")})
    documents = [(args.documents / name).resolve() for name in names]
    replies, judged = {}, {}
    # Vectors take minutes: they are made only where some variant reads them.
    vectors = any(VARIANTS[name].vectors for name in variants)
    for name in variants:
        home = library(command, VARIANTS[name].chunker, documents, vectors)
        for scope in scopes:
            replies[scope, name] = replies_of(command, home, VARIANTS[name], scope, asked, args.jobs)
            judged[scope, name] = {question["id"]: judge(question, replies[scope, name][question["id"]]) for question in asked}
            values = {f: [judged[scope, name][q["id"]][f] for q in asked if q["pages"]] for f in FIGURES}
            values = {f: [value for value in of if value is not None] for f, of in values.items()}
            print(f"{scope:9} {name:26} " + "  ".join(f"{f} {sum(of) / len(of):.3f}" for f, of in values.items()), flush=True)
    out = args.out or HERE / {"own": "figures.md", "lay": "lay_figures.md"}[args.questions]
    out.write_text(report(asked, judged, scopes, variants, page_texts(command, documents)), encoding="utf-8")
    if args.failures:
        rows = failures(asked, replies, judged)
        args.failures.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
