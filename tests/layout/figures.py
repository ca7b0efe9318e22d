#!/usr/bin/env python3
"""How well the layout of a page is read, kind by kind, and what each rule of layout is worth.

    python3 tests/layout/figures.py --pincite PATH --truth DIR [--check] [--shared DIR] [--rules] [--jobs N]

DIR is what `cargo run -p pincite-tests --bin layout_truth -- DIR` writes: 16 documents set in four styles, of which
kinds, levels, notes and order are known, each also as a Word file without named styles, whose headings are told by the
same rules; and the documents of tests/corpus, of which only the drawn words are known.
`--shared` names a folder with real documents and hand-checked truth of the same schema, where there is one
(`truth/dev/*.truth.json`, PDFs in `corpus/`); those figures are printed apart, real and generated documents each.

Texts are compared without white space and case, after NFKC and with one kind of quotation mark and dash. Figures:

    heading          a heading is found if one on its page has a similarity of 0.85; precision, recall, F1
    level, parent    shares of the headings found whose level is exact, whose heading above is the right one
    paragraph        F1 of paragraphs and list items, at a similarity of 0.9; parts marked as continued are joined
    table cells      F1 of the texts of cells, page by page; the truth about real documents has no tables, so that a
                     table read there counts as wrong
    note             a footnote is found if it has the marker and a similarity of 0.8; precision and recall
    note link        F1 of pairs of a footnote and the block that its mark stands in
    furniture        F1 of the words of running heads and feet, page by page
    order            share of the truth's unique word 4-grams that stand in increasing order in what was read
    characters       character error rate of the body: insertions, deletions and changes by characters of the truth

Macro figures are means over documents that have anything to find of a kind; micro figures are of all documents
together. Brackets are 95 % bootstrap intervals by document. `--rules` adds a row for each rule of layout left out
(`pincite layout --without RULE`), of the documents in which it fires, and how often it fires; it takes minutes. Replies
stay in target/layout, keyed by the bytes of the command.

The tables go to figures.md next to this file. With `--check` the tables of our own documents are computed again
and must be the committed ones to the digit. Standard library only.
"""

import argparse
import bisect
import json
import os
import random
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "target/layout"

RATIOS = ["heading", "level", "parent", "paragraph", "table cells", "note", "note link", "furniture", "order", "characters"]

# --- texts --------------------------------------------------------------------------------------------------------

SIGNS = str.maketrans({**{c: "'" for c in "‘’"}, **{c: '"' for c in "“”"}, **{c: "-" for c in "‐‑–—−"}, "\u00ad": None, "\u200b": None, "∗": "*"})
CJK = "\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"


def plain(text):
    return unicodedata.normalize("NFKC", re.sub(r"\[\^[^\]]*\]", "", text or "")).translate(SIGNS)


def key(text):
    return re.sub(r"\s+", "", plain(text)).casefold()


def words(text):
    return re.findall(rf"[{CJK}]|[^\W_{CJK}]+", plain(text).casefold())


def similarity(a, b, least):
    """Ratio of common characters of two keys; 0 where it cannot reach `least`."""
    if a == b:
        return 1.0
    if not a or not b or 2 * min(len(a), len(b)) < least * (len(a) + len(b)):
        return 0.0
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.real_quick_ratio() < least or matcher.quick_ratio() < least:
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= least else 0.0


def pairs(read, true, least, same=lambda r, t: True):
    """One-to-one pairs of indices of equal page, the most similar first. Items are dicts with `page` and `key`."""
    equal = {}
    for j, t in enumerate(true):
        equal.setdefault((t["page"], t["key"]), []).append(j)
    used_read, used_true, found, candidates = set(), set(), [], []
    for i, r in enumerate(read):
        j = next((j for j in equal.get((r["page"], r["key"]), []) if j not in used_true and same(r, true[j])), None)
        if j is not None:
            used_read.add(i)
            used_true.add(j)
            found.append((i, j))
    for i in (i for i in range(len(read)) if i not in used_read):
        for j in (j for j in range(len(true)) if j not in used_true):
            if read[i]["page"] == true[j]["page"] and same(read[i], true[j]):
                score = similarity(read[i]["key"], true[j]["key"], least)
                if score:
                    candidates.append((-score, abs(i - j), i, j))
    for _, _, i, j in sorted(candidates):
        if i not in used_read and j not in used_true:
            used_read.add(i)
            used_true.add(j)
            found.append((i, j))
    return sorted(found, key=lambda pair: pair[1])


def edits(a, b):
    """Levenshtein distance of two short texts."""
    row = list(range(len(b) + 1))
    for i, c in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, d in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (c != d))
    return row[-1]


def character_errors(read, true):
    """Insertions, deletions and changes between two lists of words, in characters; those of long gaps from above."""
    n = 0
    start = next((at for at, (a, b) in enumerate(zip(read, true)) if a != b), min(len(read), len(true)))
    read, true = read[start:], true[start:]
    end = next((at for at, (a, b) in enumerate(zip(reversed(read), reversed(true))) if a != b), min(len(read), len(true)))
    read, true = read[: len(read) - end], true[: len(true) - end]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, read, true, autojunk=False).get_opcodes():
        a, b = "".join(read[i1:i2]), "".join(true[j1:j2])
        if tag != "equal":
            n += edits(a, b) if len(a) * len(b) < 250_000 else max(len(a), len(b))
    return n


def increasing(positions):
    """Length of the longest increasing subsequence."""
    tails = []
    for position in positions:
        at = bisect.bisect_left(tails, position)
        tails[at : at + 1] = [position]
    return len(tails)


# --- what was read and what is true --------------------------------------------------------------------------------

BODY = {"title", "heading", "paragraph", "list", "table"}


def item(block, page, text):
    return {"page": page, "key": key(text), "text": text, "level": block.get("level"), "marker": str(block.get("marker") or "")}


def read_document(reply, scored):
    """Headings, paragraphs, cells, notes, links, furniture and body of what the command printed."""
    out = {name: [] for name in ["headings", "paragraphs", "cells", "notes", "links", "furniture", "body"]}
    notes, last = {}, {}
    for page in reply["pages"]:
        at = page["page"]
        if scored is not None and at not in scored:
            continue
        for block in page["blocks"]:
            kind, text = block["kind"], block["text"]
            if kind in ("header", "footer"):
                out["furniture"] += [(at, word) for word in words(text)]
                continue
            if kind == "footnote":
                if block.get("cont") and "footnote" in last:
                    last["footnote"]["key"] += key(text)
                    notes[block.get("id")] = last["footnote"]
                    continue
                note = item(block, at, text)
                marker = key(note["marker"])
                if marker and note["key"].startswith(marker):
                    note["key"] = note["key"][len(marker) :]
                out["notes"].append(note)
                notes[block.get("id")] = last["footnote"] = note
                continue
            out["body"].append(text)
            out["links"] += [(ref.get("note"), at, key(text)) for ref in block.get("refs") or []]
            if kind == "heading":
                out["headings"].append({**item(block, at, text), "title": block.get("role") == "title"})
            elif kind == "table":
                out["cells"] += [(at, key(cell)) for row in text.split("\n") for cell in row.split("\t") if key(cell)]
            elif kind in ("paragraph", "list"):
                if block.get("cont") and "paragraph" in last:
                    last["paragraph"]["key"] += key(text)
                else:
                    last["paragraph"] = item(block, at, text)
                    out["paragraphs"].append(last["paragraph"])
    out["links"] = [(notes.get(note), at, text) for note, at, text in out["links"]]
    return out


def true_document(truth):
    scored = None if truth.get("pages_scored", "all") == "all" else set(truth["pages_scored"])
    inside = lambda page: scored is None or page in scored
    out = {name: [] for name in ["headings", "paragraphs", "cells", "notes", "links", "furniture", "body"]}
    out["scored"] = scored
    for block in (block for block in truth["blocks"] if inside(block["page"])):
        kind, text, at = block["kind"], block["text"], block["page"]
        if kind == "heading":
            out["headings"].append(item(block, at, text))
        elif kind == "table":
            out["cells"] += [(at, key(cell)) for row in block.get("rows", []) for cell in row if key(cell)]
        elif kind in ("paragraph", "list"):
            out["paragraphs"].append(item(block, at, text))
        out["body"].append(text)
        out["links"] += [(ref["fn"], at, block.get("page_end", ref.get("page", at)), key(text)) for ref in block.get("refs") or []]
    for note in (note for note in truth["footnotes"] if inside(note["page"])):
        out["notes"].append({**item(note, note["page"], note["text"]), "id": note["id"]})
    for page in (page for page in truth["pages"] if inside(page["page"])):
        out["furniture"] += [(page["page"], word) for line in page["headers"] + page["footers"] for word in words(line)]
    return out


# --- counting -----------------------------------------------------------------------------------------------------


def above(levels):
    """For each heading the index of the heading above it, or None."""
    stack, parents = [], []
    for at, level in enumerate(levels):
        while stack and levels[stack[-1]] >= level:
            stack.pop()
        parents.append(stack[-1] if stack else None)
        stack.append(at)
    return parents


def score(reply, truth):
    """Counts by figure: (found, read, true). For shares `read` is 0; for `characters`, `found` are the errors."""
    true = true_document(truth)
    read = read_document(reply, true["scored"])
    counts = {}

    if truth.get("score_headings", True):
        found = pairs(read["headings"], true["headings"], 0.85)
        matched = {i for i, _ in found}
        # A title is a heading only where the truth has it as one.
        headings = [(i, h) for i, h in enumerate(read["headings"]) if i in matched or not h["title"]]
        counts["heading"] = (len(found), len(headings), len(true["headings"]))
        place = {i: n for n, (i, _) in enumerate(headings)}
        right = sum(read["headings"][i]["level"] == true["headings"][j]["level"] for i, j in found)
        counts["level"] = (right, 0, len(found))
        of_read = above([heading["level"] or 0 for _, heading in headings])
        of_true = above([heading["level"] for heading in true["headings"]])
        partner = {place[i]: j for i, j in found}
        same = lambda i, j: (None if of_read[i] is None else partner.get(of_read[i], -1)) == of_true[j]
        counts["parent"] = (sum(same(place[i], j) for i, j in found), 0, len(found))

    found = pairs(read["notes"], true["notes"], 0.8, lambda r, t: key(r["marker"]) == key(t["marker"]))
    counts["note"] = (len(found), len(read["notes"]), len(true["notes"]))
    identity = {id(read["notes"][i]): true["notes"][j]["id"] for i, j in found}
    linked = set()
    for note, at, text in read["links"]:
        for true_id, first, last, true_text in true["links"]:
            if identity.get(id(note)) == true_id and first <= at <= last and overlaps(text, true_text):
                linked.add(true_id)
    if truth.get("score_hf", True):
        common = sum((Counter(read["furniture"]) & Counter(true["furniture"])).values())
        counts["furniture"] = (common, len(read["furniture"]), len(true["furniture"]))
    if truth.get("text_blocks_complete", True):
        counts["note link"] = (len(linked), len(read["links"]), len({link[0] for link in true["links"]}))
        found = pairs(read["paragraphs"], true["paragraphs"], 0.9)
        counts["paragraph"] = (len(found), len(read["paragraphs"]), len(true["paragraphs"]))
        common = sum((Counter(read["cells"]) & Counter(true["cells"])).values())
        counts["table cells"] = (common, len(read["cells"]), len(true["cells"]))
        read_words, true_words = words(" ".join(read["body"])), words(" ".join(true["body"]))
        counts["order"] = order(read_words, true_words)
        counts["characters"] = (character_errors(read_words, true_words), 0, sum(map(len, true_words)))
    return counts


def overlaps(a, b):
    short, long = sorted([a, b], key=len)
    return short in long or (len(short) >= 40 and (short[:40] in long or short[-40:] in long)) or bool(similarity(a, b, 0.6))


def order(read, true, n=4):
    grams = lambda of: [tuple(of[at : at + n]) for at in range(len(of) - n + 1)]
    of_read, of_true = grams(read), grams(true)
    n_read, n_true = Counter(of_read), Counter(of_true)
    places = {gram: at for at, gram in enumerate(of_read) if n_read[gram] == 1}
    positions = [places[gram] for gram in of_true if n_true[gram] == 1 and gram in places]
    return (increasing(positions), 0, len(positions))


# --- figures ------------------------------------------------------------------------------------------------------


def figure(name, count):
    """Precision, recall and F1, or a share; None where there was nothing to find and nothing was found."""
    found, read, true = count
    if name in ("level", "parent", "order", "characters"):
        return (found / true,) if true else None
    if read + true == 0:
        return None
    return (found / read if read else 0.0, found / true if true else 0.0, 2 * found / (read + true))


def total(counts):
    return tuple(map(sum, zip(*counts)))


def interval(values, of, n_samples=1000):
    """A statistic of documents and its 95 % bootstrap interval; the same for the same values."""
    lot = random.Random(20)
    samples = [of(lot.choices(values, k=len(values))) for _ in range(n_samples)]
    samples = sorted(sample for sample in samples if sample is not None)
    return of(values), samples[int(0.025 * len(samples))], samples[int(0.975 * len(samples)) - 1]


def summary(name, counts):
    """Precision and recall over all documents, then the last figure (F1 or share), micro and macro, with intervals."""
    counts = [count[name] for count in counts if name in count and figure(name, count[name]) is not None]
    if not counts:
        return None
    last = lambda some: (figure(name, total(some)) or (None,))[-1]
    mean = lambda some: sum(figure(name, count)[-1] for count in some) / len(some)
    micro, macro = interval(counts, last), interval(counts, mean)
    parts = figure(name, total(counts))
    return {"documents": len(counts), "counts": total(counts), "p": parts[0] if len(parts) == 3 else None, "r": parts[1] if len(parts) == 3 else None, "micro": micro, "macro": macro}


def digits(value):
    return f"{value:.4f}"


def table(head, rows):
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *(f"| {' | '.join(row)} |" for row in rows), ""]


def figures_table(counts):
    rows = []
    for name in RATIOS:
        got = summary(name, counts)
        if got is None:
            continue
        with_interval = lambda value: "{:.4f} [{:.3f}, {:.3f}]".format(*value)
        true = got["counts"][2]
        ends = [digits(got["p"]), digits(got["r"])] if got["p"] is not None else ["", ""]
        rows.append([name, str(got["documents"]), str(true), *ends, with_interval(got["micro"]), with_interval(got["macro"])])
    return table(["figure", "documents", "things", "precision", "recall", "micro: F1 or share", "macro"], rows)


# --- reading ------------------------------------------------------------------------------------------------------


class Command:
    def __init__(self, path):
        self.path = path.resolve()
        self.digest = sha256(self.path.read_bytes()).hexdigest()[:16]

    def run(self, arguments):
        command = [self.path, "layout", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def cached(self, file, *arguments):
        name = sha256(json.dumps([str(file), *arguments]).encode() + file.read_bytes()).hexdigest()
        cached = WORK / self.digest / f"{name}.json"
        if cached.exists():
            return json.loads(cached.read_text())
        reply = self.run([file, *arguments])
        cached.parent.mkdir(parents=True, exist_ok=True)
        partial = cached.with_suffix(f".{os.getpid()}-{id(reply)}")
        partial.write_text(json.dumps(reply))
        partial.replace(cached)
        return reply


def known_documents(folder):
    truths = sorted(folder.glob("*.truth.json"))
    return [(path.name.removesuffix(".truth.json"), path.with_name(path.name.replace(".truth.json", ".pdf")), json.loads(path.read_text())) for path in truths]


def shared_documents(folder):
    out = []
    for path in sorted((folder / "truth/dev").glob("*.truth.json")):
        truth = json.loads(path.read_text())
        name = path.name.removesuffix(".truth.json")
        files = list((folder / "corpus").glob(f"*/{name}.pdf"))
        if files:
            out.append((name, files[0], truth))
    return out


def drawn_words(folder):
    """Of the corpus: each document with the words of its source, page by page."""
    out = []
    for source in sorted((ROOT / "tests/corpus").glob("*.txt")):
        pages = []
        for line in source.read_text(encoding="utf-8").splitlines():
            if line.split(" ")[0] == "page":
                pages.append([])
            elif line.startswith("| ") and pages:
                pages[-1] += words(re.sub(r"\*\*|\^\S", "", line[2:]))
        out.append((source.stem, folder / "corpus" / f"{source.stem}.pdf", pages))
    return out


def corpus_figure(command, documents):
    """Words drawn that were read on their page: F1 of each document."""
    rows = []
    for name, file, pages in documents:
        reply = command.cached(file, "--json")
        read = Counter((page["page"], word) for page in reply["pages"] for block in page["blocks"] for word in words(re.sub(r"\[\^[^\]]*\]", "", block["text"])))
        drawn = Counter((at, word) for at, page in enumerate(pages, 1) for word in page)
        rows.append((name, (sum((read & drawn).values()), sum(read.values()), sum(drawn.values()))))
    return rows


# --- the report ---------------------------------------------------------------------------------------------------


def own_section(command, args):
    known = known_documents(args.truth)
    with ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(lambda document: command.cached(document[1], "--json"), known))
    counts = [score(command.cached(file, "--json"), truth) for _, file, truth in known]
    drawn = corpus_figure(command, drawn_words(args.truth))
    out = [f"## Documents of our own: {len(known)}, set in four styles", ""]
    out += figures_table(counts)
    micro = total([count for _, count in drawn])
    low = ", ".join(f"{name} {figure('words', count)[-1]:.3f}" for name, count in drawn if figure("words", count)[-1] < 0.95)
    out += [f"Of the {len(drawn)} documents of the corpus only the words are known: F1 {figure('words', micro)[-1]:.4f} of {micro[2]} words on their page."]
    out += [f"Below 0.95: {low}." if low else "None is below 0.95.", ""]
    return out, known, counts


def on_one_page(blocks):
    return [{**block, "page": 1, "page_end": 1, "refs": [{**ref, "page": 1} for ref in block.get("refs") or []]} for block in blocks]


def word_section(command, known):
    """The same documents as Word files, which have no pages: all of one stands on page 1."""
    counts = []
    for _, file, truth in known:
        reply = command.cached(file.with_suffix(".docx"), "--json")
        one = {"blocks": on_one_page(truth["blocks"]), "footnotes": on_one_page(truth["footnotes"]), "pages": [], "score_hf": False}
        counts.append(score({"pages": [{"page": 1, "blocks": reply["blocks"]}]}, one))
    return [f"## The same documents as Word files without styles: {len(known)}", ""] + figures_table(counts)


def shared_section(command, documents):
    out = []
    for title, some in [
        ("Real documents with hand-checked truth", [d for d in documents if d[2].get("source") != "synthetic"]),
        ("Generated documents with exact truth", [d for d in documents if d[2].get("source") == "synthetic"]),
    ]:
        counts = [score(command.cached(file, "--json"), truth) for _, file, truth in some]
        out += [f"## {title}: {len(some)}", ""] + figures_table(counts)
    return out


def rules_section(command, args, documents):
    """Each rule: how often it fires, and what the figures lose without it, over all documents with truth."""
    rules = command.run(["--rules"])
    known = [(file, truth) for _, file, truth in documents]
    others = sorted((args.truth / "corpus").glob("*.pdf")) + sorted((args.shared / "corpus/legal-dev").glob("*.pdf"))
    files = list(dict.fromkeys([file for file, _ in known] + others))
    with ThreadPoolExecutor(args.jobs) as pool:
        firings = dict(zip(files, pool.map(lambda file: command.cached(file, "--firings"), files)))
    own = {file for file in files if args.truth in file.parents}
    names = ["heading", "level", "parent", "paragraph", "table cells", "note", "note link", "furniture", "order", "characters"]
    truths = dict(known)
    whole = {file: score(command.cached(file, "--json"), truth) for file, truth in known}
    last = lambda name, counts: (figure(name, total([count[name] for count in counts if name in count])) or (0.0,))[-1]
    base = {name: last(name, whole.values()) for name in names}
    rows = []
    for rule in rules:
        name = rule["name"]
        fires = {file: firings[file].get(name, 0) for file in files}
        changed = dict(whole)
        n_changed = 0
        fired = [file for file in files if fires[file] > 0]
        with ThreadPoolExecutor(args.jobs) as pool:
            replies = list(pool.map(lambda file: command.cached(file, "--json", "--without", name), fired))
        for file, reply in zip(fired, replies):
            if reply["pages"] == command.cached(file, "--json")["pages"]:
                continue
            n_changed += 1
            if file in changed:
                changed[file] = score(reply, truths[file])
        cells = []
        for figure_name in names:
            difference = last(figure_name, changed.values()) - base[figure_name]
            cells.append(f"{difference:+.4f}" if abs(difference) >= 0.00005 else "")
        print(f"{name:40} {sum(fires.values()):6} {n_changed:3}  {' '.join(cell or '·' for cell in cells)}", flush=True)
        in_own = sum(n for file, n in fires.items() if file in own)
        rows.append([f"`{name}`", rule.get("decides", ""), str(in_own), str(sum(fires.values()) - in_own), str(n_changed), *cells])
    silent = [row[0] for row in rows if row[2] == row[3] == "0"]
    idle = [row[0] for row in rows if row[4] == "0" and row[0] not in silent]
    out = ["## Each rule left out", ""]
    out += [f"{len(rules)} rules. Figures: micro, of the {len(known)} documents with truth, without the rule minus with it (a higher character"]
    out += [f"error is worse). Firings are counted in our {len(own)} own documents and in the {len(files) - len(own)} others, changes in all {len(files)} documents."]
    out += [f"Rules that fire nowhere: {', '.join(silent) or 'none'}. Rules that fire and change no document: {', '.join(idle) or 'none'}.", ""]
    return out + table(["rule left out", "decides", "fires, own", "fires, others", "documents changed", *names], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pincite", type=Path, default=ROOT / "target/debug/pincite")
    parser.add_argument("--truth", type=Path, default=ROOT / "target/layout-truth")
    parser.add_argument("--shared", type=Path, default=ROOT / "../shared/pdf")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--check", action="store_true", help="hold our own figures to the committed ones")
    parser.add_argument("--rules", action="store_true", help="measure each rule left out")
    parser.add_argument("--out", type=Path, default=HERE / "figures.md")
    args = parser.parse_args()
    args.truth, args.shared = args.truth.resolve(), args.shared.resolve()
    command = Command(args.pincite)
    out, known, _ = own_section(command, args)
    out += word_section(command, known)
    if args.check:
        committed = args.out.read_text(encoding="utf-8")
        if "\n".join(out) not in committed:
            sys.stdout.write("\n".join(out))
            raise SystemExit(f"these are not the figures of {args.out}: measure again without --check, and say what changed")
        print(f"the layout figures of our own {len(known)} documents are the committed ones")
        return
    head = ["# How well layout is read", ""]
    head += ["Written by `tests/layout/figures.py`, which says what the figures are; not edited by hand. Brackets are 95 % bootstrap"]
    head += ["intervals by document.", ""]
    documents = list(known)
    shared = shared_documents(args.shared)
    sections = head + out
    if shared:
        sections += shared_section(command, shared)
        documents += shared
    else:
        print(f"no documents with truth in {args.shared}: only our own are measured")
    if args.rules:
        sections += rules_section(command, args, documents)
    args.out.write_text("\n".join(sections).rstrip("\n") + "\n", encoding="utf-8")
    print("\n".join(sections))


if __name__ == "__main__":
    main()
