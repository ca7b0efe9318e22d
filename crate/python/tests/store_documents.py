"""Documents of the stores' tests: small Word files made here, how they are put, and their naive scores."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from xml.sax.saxutils import escape

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

import pincite
from pincite.stores import Found, Rights, Store, StoreError

#: Model of the vectors made here.
FINGERPRINT = hashlib.sha256(b"a model of the tests").hexdigest()
DIMENSIONS = 16
A, B = Rights("tenant-a"), Rights("tenant-b")
#: Words of the documents, with weights as of a query.
WEIGHTS = {"record": 1.7, "regul": 0.9, "regulator": 0.9, "auditor": 2.1, "breach": 1.2, "year": 0.4, "records": 1.7}

_SUBJECTS = ("records", "clients", "auditors", "the Regulator", "fund managers", "custodians", "directors", "issuers")
_VERBS = ("keep", "disclose", "review", "notify", "retain", "approve", "report", "inspect")
_OBJECTS = ("accounts", "transactions", "breaches", "prospectuses", "complaints", "policies", "assets", "transfers")
_PERIODS = ("for six years", "within ten days", "each quarter", "before the annual meeting", "without delay")


@dataclass(frozen=True)
class Sample:
    """A document with its file and its vectors."""

    document: pincite.Document
    vectors: NDArray[np.float32]
    file: bytes


def put(store: Store, one: Sample, tenant: str = "tenant-a") -> None:
    store.put(one.document, one.vectors, FINGERPRINT, tenant=tenant, file=one.file)


def code_of(error: pytest.ExceptionInfo[StoreError]) -> str:
    return error.value.code


@cache
def sample(seed: int, *, n_rules: int = 12, name: str | None = None) -> Sample:
    """The document of a seed: rules of a sentence or two under numbered headings. The name changes its segment, not its id."""
    random = np.random.default_rng(seed)
    paragraphs = [("Title", f"Conduct Rules, Volume {seed}")]
    for number in range(1, n_rules + 1):
        subject, verb, thing = (words[random.integers(len(words))] for words in (_SUBJECTS, _VERBS, _OBJECTS))
        paragraphs.append(("Heading1", f"{number} Duties of {subject}"))
        for _ in range(random.integers(1, 3)):
            sentences = []
            for _ in range(random.integers(3, 9)):
                words = (_SUBJECTS, _VERBS, _OBJECTS, _PERIODS)
                own = [choices[random.integers(len(choices))] for choices in words]
                sentences.append(f"{own[0].capitalize()} must {own[1]} {own[2]} {own[3]}, item v{seed}.")
            paragraphs.append(("Normal", " ".join(sentences)))
        paragraphs.append(("Normal", f"Where {subject} {verb} {thing}, rule {number} applies to volume v{seed}."))
    file = word_file(paragraphs)
    document = pincite.read(file, name=name or f"rules-{seed}.docx")
    return Sample(document, vectors_of(document), file)


@cache
def harbour(name: str, edition: str, fee: int, *, repealed: bool = False) -> Sample:
    """A document of an edition: its section 2 is repealed, or in force."""
    paragraphs = [("Title", f"Harbour Rules of {name}"), ("Normal", edition)]
    for heading, rule in (
        ("1 Fees", f"A master must pay a fee of {fee} pounds for berth {{n}} within ten days."),
        (
            "2 Records [Repealed]" if repealed else "2 Records",
            f"A master must keep records of berth {{n}} for {fee} years.",
        ),
        ("3 Notices", f"The harbour of {name} must notify a master of each fee for berth {{n}}."),
    ):
        paragraphs += [("Heading1", heading), ("Normal", " ".join(rule.format(n=n) for n in range(1, 15)))]
    file = word_file(paragraphs, styles=["Heading1"])
    document = pincite.read(file, name=f"{name}.docx")
    return Sample(document, vectors_of(document), file)


def harbours() -> list[Sample]:
    """Documents of editions and dates: 2021-07-01, 2023-03-15, 2022, and none."""
    return [
        harbour("easton", "Consolidated up to: 1 July 2021", 3),
        harbour("weston", "Consolidated up to: 15 March 2023", 5, repealed=True),
        harbour("norton", "2022 Edition", 7),
        harbour("sutton", "Version 3.2", 9, repealed=True),
    ]


def vectors_of(document: pincite.Document, *, seed: int = 0) -> NDArray[np.float32]:
    """Unit vectors of a document's rows; equal texts have equal ones."""
    rows = []
    for text in document.passages(document.embeddable):
        digest = hashlib.sha256(f"{seed} {text}".encode()).digest()
        rows.append(np.random.default_rng(list(digest)).normal(size=DIMENSIONS))
    vectors = np.array(rows).reshape(len(rows), DIMENSIONS)
    unit: NDArray[np.float32] = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


def word_file(paragraphs: Sequence[tuple[str, str]], *, styles: Sequence[str] = (), notes: Sequence[str] = ()) -> bytes:
    """A Word file of paragraphs, each a style and a text. Headings are sections if their styles are defined, `Heading1`.

    ``notes`` are footnotes of the last paragraphs, one each.
    """
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
    content = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    references = [""] * (len(paragraphs) - len(notes))
    references += [f'<w:r><w:footnoteReference w:id="{id}"/></w:r>' for id in range(1, len(notes) + 1)]
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>'
        f'<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r>{reference}</w:p>'
        for (style, text), reference in zip(paragraphs, references, strict=True)
    )
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{content}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{relations}">'
        f'<Relationship Id="r1" Type="{office}officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{main}"><w:body>{body}</w:body></w:document>',
    }
    related = []
    if styles:
        defined = "".join(
            f'<w:style w:type="paragraph" w:styleId="{style}"><w:name w:val="heading {style[-1]}"/></w:style>'
            for style in styles
        )
        parts["word/styles.xml"] = f'<w:styles xmlns:w="{main}">{defined}</w:styles>'
        related.append("styles")
    if notes:
        defined = "".join(
            f'<w:footnote w:id="{id}"><w:p><w:r><w:t>{escape(text)}</w:t></w:r></w:p></w:footnote>'
            for id, text in enumerate(notes, 1)
        )
        parts["word/footnotes.xml"] = f'<w:footnotes xmlns:w="{main}">{defined}</w:footnotes>'
        related.append("footnotes")
    if related:
        targets = "".join(f'<Relationship Id="{name}" Type="{office}{name}" Target="{name}.xml"/>' for name in related)
        parts["word/_rels/document.xml.rels"] = f'<Relationships xmlns="{relations}">{targets}</Relationships>'
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            # A fixed time: the same text is the same file.
            archive.writestr(zipfile.ZipInfo(name), f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return packed.getvalue()


def naive_statistics(samples: Sequence[Sample]) -> pincite.Statistics:
    """Statistics of a collection, counted from its documents."""
    total = pincite.Statistics()
    for one in samples:
        total += one.document.statistics
    return total


def naive_by_words(
    weights: Mapping[str, float], samples: Sequence[Sample], *, kinds: Sequence[str] = ("child", "article", "note")
) -> list[Found]:
    """All units with a score, best first, from the engine's own weights of postings."""
    mean = naive_statistics(samples).mean_length()
    scores: dict[tuple[str, int], float] = {}
    for one in samples:
        of_unit = pa.table(one.document.units)["kind"].to_pylist()
        for posting in pa.table(one.document.postings(mean)).to_pylist():
            if posting["term"] in weights and of_unit[posting["unit"]] in kinds:
                key = (one.document.id, posting["unit"])
                scores[key] = scores.get(key, 0.0) + weights[posting["term"]] * posting["weight"]
    found = [Found(document, unit, score) for (document, unit), score in scores.items()]
    return sorted(found, key=lambda one: -one.score)


def naive_by_vector(vector: NDArray[np.float32], samples: Sequence[Sample]) -> list[Found]:
    """All units with a vector, nearest first."""
    found = []
    for one in samples:
        rows = pa.table(one.document.units)["row"].to_pylist()
        unit_of = {row: unit for unit, row in enumerate(rows) if row is not None}
        for row, score in zip(one.document.embeddable, one.vectors @ vector, strict=True):
            found.append(Found(one.document.id, unit_of[row], float(score)))
    return sorted(found, key=lambda one: -one.score)
