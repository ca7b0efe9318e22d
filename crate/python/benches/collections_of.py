"""Collections of the benches: documents with their vectors, and questions with what answers them.

PDFs are judged by page, passages of the corpora beside the repository by passage. A corpus becomes Word files, one for each
of its documents or chapters, with a paragraph for each passage: the engine cuts them into its own passages, and a hit counts
for every paragraph that it touches. So figures of a corpus are not those of ``pincite eval``, which ranks passages as they
are; what is compared here is two ways to search the same documents. Vectors are kept in a file by the digest of their text.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import pincite

ROOT = Path(__file__).resolve().parents[3]
Hit = dict[str, Any]
#: Texts that are embedded between two writes of the file of vectors.
_BATCH = 1000


@dataclass(frozen=True)
class Question:
    """A question, with the ids of what answers it: empty for one that is not judged."""

    id: str
    text: str
    relevant: frozenset[str] = frozenset()


@dataclass
class Collection:
    """Documents in the order in which they are stored, and questions. ``reached`` are the ids that a hit touches."""

    name: str
    documents: list[pincite.Document]
    questions: list[Question]
    reached: Callable[[Hit], list[str]]
    vectors: list[NDArray[np.float32] | None] = field(default_factory=list)

    def embed(self, encoder: pincite.Encoder, kept: Path) -> None:
        """Embeds the documents; vectors are kept in a folder by the digest of their text."""
        kept.mkdir(parents=True, exist_ok=True)
        file = kept / f"{encoder.fingerprint[:16]}.npz"
        known: dict[bytes, NDArray[np.float32]] = {}
        if file.exists():
            with np.load(file) as stored:
                known = dict(zip(map(bytes, stored["digests"]), stored["vectors"], strict=True))
        texts = [document.passages(document.embeddable) for document in self.documents]
        missing = [text for text in dict.fromkeys(text for own in texts for text in own) if _digest(text) not in known]
        for start in range(0, len(missing), _BATCH):
            print(f"{self.name}: {len(missing) - start} passages to embed", file=sys.stderr)
            batch = missing[start : start + _BATCH]
            known.update(zip(map(_digest, batch), encoder.embed(batch), strict=True))
            digests = np.array([list(digest) for digest in known], dtype=np.uint8)
            np.savez(file, digests=digests, vectors=np.stack(list(known.values())))
        for own in texts:
            self.vectors.append(np.stack([known[_digest(text)] for text in own]) if own else None)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def of_pdfs(folder: Path, encoder: pincite.Encoder) -> Collection:
    """PDFs of a folder, with the questions in lay words about them (``tests/answers/scoring.py``) or those of the samples."""
    files = sorted(folder.glob("*.pdf"))
    documents = [pincite.read(file, encoder=encoder) for file in files]
    names = {file.name for file in files}
    questions = [
        Question(f"{one['file']}-{at}", text)
        for one in (json.loads((folder / "samples.json").read_text()) if (folder / "samples.json").exists() else [])
        for at, text in enumerate(one["questions"])
    ]
    command = [sys.executable, str(ROOT / "tests/answers/scoring.py"), "lay", "dev"]
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        one = json.loads(line)
        if one["document"] in names:
            pages = frozenset(f"{one['document']} {page}" for page in one["pages"])
            questions.append(Question(one["qid"], one["query"], pages))
    return Collection(folder.name, documents, questions, _pages)


def of_corpus(name: str, data: Path, encoder: pincite.Encoder | None, *, by_chapter: bool) -> Collection:
    """``obliqa`` or ``legaldc`` of a data folder."""
    file, queries = {
        "obliqa": ("passages.jsonl.gz", "obliqa_dev"),
        "legaldc": ("units.jsonl.gz", "dev"),
    }[name]
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with gzip.open(data / name / file, "rt", encoding="utf-8") as lines:
        for passage in map(json.loads, lines):
            if len(passage["text"]) >= 5:
                groups[_group(passage, by_chapter)].append(passage)
    documents, places = [], {}
    for group, passages in groups.items():
        packed = word_file(_paragraphs(passages))
        document = pincite.read(packed, name=f"{group}.docx", encoder=encoder)
        documents.append(document)
        places[document.id] = _passages_of_blocks(document, passages)
    relevant: dict[str, set[str]] = defaultdict(set)
    for line in (data / name / f"{queries}.qrels").read_text().splitlines():
        question, _, passage, judgment = line.split()
        if int(judgment) > 0:
            relevant[question].add(passage)
    asked = map(json.loads, (data / name / f"{queries}.queries.jsonl").read_text(encoding="utf-8").splitlines())
    questions = [Question(one["qid"], one["query"], frozenset(relevant[one["qid"]])) for one in asked]

    def reached(hit: Hit) -> list[str]:
        blocks = places[hit["documentId"]]
        return [blocks[place["block"]] for place in hit["places"] if place["block"] in blocks]

    return Collection(f"{name}{' by chapter' if by_chapter else ''}", documents, questions, reached)


def _pages(hit: Hit) -> list[str]:
    return [f"{hit['document']} {span['page']}" for span in hit["spans"]]


def _group(passage: dict[str, Any], by_chapter: bool) -> str:
    document = str(passage["doc"])
    chapter = re.match(r"[A-Za-z]*\d+(?=\.)", passage.get("pid", "")) if by_chapter else None
    return f"{document}-{chapter.group()}" if chapter else document


def _paragraphs(passages: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    title = passages[0].get("title")
    if title:
        yield "Title", title
    chapter = ""
    for passage in passages:
        if passage.get("chapter") and passage["chapter"] != chapter:
            chapter = passage["chapter"]
            yield "Heading1", chapter
        text = " ".join(passage["text"].split())
        label = passage.get("pid", "")
        is_heading = label.count(".") <= 1 and len(text) < 80 and not text.endswith((".", ";", ":"))
        yield "Heading2" if label and is_heading else "Normal", f"{label} {text}".strip()


def _passages_of_blocks(document: pincite.Document, passages: list[dict[str, Any]]) -> dict[int, str]:
    """Passage of each block of a document that is made of them: both are in the same order."""
    plain = [re.sub(r"\W", "", " ".join(passage["text"].split())) for passage in passages]
    found: dict[int, str] = {}
    at = 0
    for block, text in enumerate(pa.table(document.blocks)["text"].cast(pa.string()).to_pylist()):
        own = re.sub(r"\W", "", text)
        for ahead in range(at, min(at + 20, len(plain))):
            if own and (plain[ahead].endswith(own) or own.endswith(plain[ahead])):
                found[block] = passages[ahead]["id"]
                at = ahead + 1
                break
    if len(found) < 0.9 * len(passages):
        print(f"{document.name}: {len(found)} of {len(passages)} passages have a place", file=sys.stderr)
    return found


def word_file(paragraphs: Iterable[tuple[str, str]]) -> bytes:
    """A Word file of paragraphs, each a style and a text."""
    package = "http://schemas.openxmlformats.org/package/2006"
    main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    content = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>'
        f'<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'
        for style, text in paragraphs
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{content}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{main}"><w:body>{body}</w:body></w:document>',
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name), f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return packed.getvalue()
