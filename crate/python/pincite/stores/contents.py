"""Contents of a put: what every store keeps of a document, checked and laid out once.

Posting lists are grouped by term and kind of unit: a query of children never reads the postings of articles, which repeat
the text of their children. Cost: linear in the postings, a few milliseconds for a hundred pages.
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from . import KINDS, StoredDocument, StoreError, bm25, check_document_id, check_tenant

if TYPE_CHECKING:
    from pincite import Document, Statistics

#: Maximum size of a stored segment, of vectors and of a file, in bytes: PostgreSQL's limit of a value is 1 GB.
MAX_BLOB = 1_000_000_000
#: Characters that stand for another in an expression of a store, or are none of a text.
_OTHER = re.compile(r"[^\w .,:;()/]|_")
#: Maximum distance of a vector's length from 1.
_UNIT_TOLERANCE = 1e-3
_MEDIA_TYPES = (
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
)


@dataclass(frozen=True, slots=True)
class PostingList:
    """Units of one kind in which a term occurs, ascending, with its weighted frequency in each and their lengths."""

    term: str
    kind: str
    units: NDArray[np.int64]
    frequencies: NDArray[np.float64]
    lengths: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Postings:
    """Postings of a document in columns, by unit: ``terms[codes[i]]`` occurs in ``units[i]``, of length ``lengths[i]``."""

    terms: list[str]
    codes: NDArray[np.int64]
    units: NDArray[np.int64]
    frequencies: NDArray[np.float64]
    lengths: NDArray[np.float64]


@dataclass(frozen=True)
class Contents:
    """A document with its vectors and file, as they were given to a put."""

    document: Document
    tenant: str
    #: Vectors ``[n, dimensions]``, and the rows and units that they belong to.
    vectors: NDArray[np.float32] | None
    rows: NDArray[np.int64]
    fingerprint: str | None
    file: bytes | None

    @classmethod
    def of(
        cls,
        document: Document,
        vectors: NDArray[np.float32] | None,
        fingerprint: str | None,
        *,
        tenant: str,
        file: bytes | None,
    ) -> Contents:
        """The contents of a put. Raises ``bad-argument`` where they do not fit together."""
        check_tenant(tenant)
        check_document_id(document.id)
        rows = np.asarray(document.embeddable, dtype=np.int64)
        if vectors is not None and len(rows) == 0:
            vectors = None
        if vectors is not None:
            if not fingerprint:
                raise StoreError("bad-argument", "vectors without the fingerprint of their model")
            vectors = _checked(vectors, len(rows))
        if file is not None and hashlib.sha256(file).hexdigest() != document.id:
            raise StoreError("bad-argument", "the file is not the one that the document was read from")
        made = cls(document, tenant, vectors, rows, fingerprint if vectors is not None else None, file)
        for what, size in (("segment", len(made.segment)), ("file", len(file or b""))):
            if size > MAX_BLOB:
                raise StoreError("limit-exceeded", f"the {what} has {size} bytes, the limit is {MAX_BLOB}")
        return made

    @property
    def id(self) -> str:
        return self.document.id

    @cached_property
    def segment(self) -> bytes:
        return bytes(self.document.segment)

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.segment).hexdigest()

    @cached_property
    def packed_vectors(self) -> bytes | None:
        """Stored vectors: one batch for each run of consecutive rows."""
        from pincite import pack_vectors

        if self.vectors is None or self.fingerprint is None:
            return None
        ends = np.flatnonzero(np.diff(self.rows) != 1) + 1
        runs = zip([0, *ends.tolist()], [*ends.tolist(), len(self.rows)], strict=True)
        return b"".join(
            pack_vectors(self.document, self.vectors[start:end], self.fingerprint, int(self.rows[start]))
            for start, end in runs
        )

    @cached_property
    def vectors_digest(self) -> str | None:
        packed = self.packed_vectors
        return None if packed is None else hashlib.sha256(packed).hexdigest()

    @cached_property
    def media_type(self) -> str | None:
        if self.file is None:
            return None
        return next((name for magic, name in _MEDIA_TYPES if self.file.startswith(magic)), "application/octet-stream")

    @cached_property
    def units(self) -> pa.Table:
        """Units in order: row ``i`` is unit ``i``."""
        return pa.table(self.document.units)

    @cached_property
    def editions(self) -> str:
        """Name, title and all that the document says of its edition, as plain text: what a condition on it is looked for in."""
        document = self.document
        return plain("\n".join([document.name, document.title or "", *document.editions]))

    @cached_property
    def vector_units(self) -> NDArray[np.int64]:
        """Unit of each vector."""
        unit_of = {row: unit for unit, row in enumerate(self.units["row"].to_pylist()) if row is not None}
        return np.array([unit_of[row] for row in self.rows.tolist()], dtype=np.int64)

    @cached_property
    def postings(self) -> Postings:
        """All postings, by unit."""
        # The weights are not read; without a mean length, a document without words has none.
        table = pa.table(self.document.postings(1.0))
        coded = pc.dictionary_encode(table["term"].combine_chunks())
        units = table["unit"].to_numpy().astype(np.int64)
        order = np.argsort(units, kind="stable")
        units = units[order]
        return Postings(
            terms=coded.dictionary.to_pylist(),
            codes=coded.indices.to_numpy()[order],
            units=units,
            frequencies=_weighted(table["text_freq"], table["header_freq"])[order],
            lengths=_weighted(self.units["text_length"], self.units["header_length"])[units],
        )

    def posting_lists(self) -> Iterator[PostingList]:
        """All posting lists, by term and kind."""
        postings, kinds = self.postings, self._kinds()
        # Stable: the units of a list stay in order.
        order = np.lexsort((kinds[postings.units], postings.codes))
        codes, units = postings.codes[order], postings.units[order]
        frequencies, lengths = postings.frequencies[order], postings.lengths[order]
        for start, end in runs(codes * len(KINDS) + kinds[units]):
            yield PostingList(
                postings.terms[codes[start]],
                KINDS[kinds[units[start]]],
                units[start:end],
                frequencies[start:end],
                lengths[start:end],
            )

    def _kinds(self) -> NDArray[np.int64]:
        """Code of each unit's kind."""
        return np.array([KINDS.index(kind) for kind in self.units["kind"].to_pylist()], dtype=np.int64)

    def description(self) -> StoredDocument:
        """Description of the document, with the vectors and the file of this put."""
        document = self.document
        return StoredDocument(
            id=document.id,
            name=document.name,
            title=document.title,
            date=document.date,
            edition=document.edition,
            n_pages=document.n_pages,
            n_passages=document.n_passages,
            n_to_embed=len(self.rows),
            n_embedded=0 if self.vectors is None else len(self.vectors),
            digest=self.digest,
            vectors_digest=self.vectors_digest,
            n_bytes=len(self.segment) + len(self.packed_vectors or b""),
            media_type=self.media_type,
            diags=document.diags,
        )


def runs(values: NDArray[Any]) -> Iterator[tuple[int, int]]:
    """Start and end of each run of equal values."""
    if len(values):
        starts = np.flatnonzero(np.r_[True, np.diff(values) != 0]).tolist()
        yield from zip(starts, [*starts[1:], len(values)], strict=True)


def segment_version(head: bytes) -> int:
    """Format version of a stored segment, from its first 20 bytes (``crate/index/src/codec/container.rs``)."""
    if len(head) < 20 or not head.startswith(b"pincite\0segment\0"):
        return 0
    return int(struct.unpack_from("<I", head, 16)[0])


def check_not_newer(stored_head: bytes, segment: bytes) -> None:
    """Raises ``index-version`` if the stored segment has a newer format than the one that would replace it."""
    found, expected = segment_version(stored_head[:20]), segment_version(segment[:20])
    if found > expected:
        raise StoreError(
            "index-version",
            f"the stored document has format {found}, this build writes format {expected}",
            "put the document with the newer build, or remove it first",
        )


def plain(text: str) -> str:
    """The text in lower case, with letters, figures and a few signs as they are and ``-`` for each other character.

    Character by character, so that a part of a text stays a part of it; without quotes, backslashes and wildcards.
    """
    return _OTHER.sub("-", text.strip().lower())


def check_query_vector(vector: NDArray[np.float32], dimensions: int) -> NDArray[np.float32]:
    """The vector of a query, float32 ``[dimensions]``. Raises ``model-mismatch`` or ``bad-argument``."""
    values = np.ascontiguousarray(vector, dtype=np.float32).reshape(-1)
    if len(values) != dimensions:
        raise StoreError(
            "model-mismatch",
            f"the vector of the question has {len(values)} values, those of the store have {dimensions}",
            "embed the question with the model that the documents were embedded with",
        )
    if not np.isfinite(values).all() or not values.any():
        raise StoreError("bad-argument", "the vector of the question has no direction")
    return values


def check_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """Weights of terms, those above 0. PostgreSQL's text holds no NUL, and no term has one."""
    return {term: float(weight) for term, weight in weights.items() if weight > 0.0 and "\0" not in term}


def statistics_of(n_units: int, text_length: int, header_length: int, doc_freq: Mapping[str, int]) -> Statistics:
    """Statistics of a collection, out of what a store counts. Terms of no unit are left out."""
    from pincite import Statistics

    return Statistics(n_units, text_length, header_length, {term: int(n) for term, n in doc_freq.items() if n > 0})


def other_format(found: int, expected: int) -> StoreError:
    """Error for a store whose tables have another format."""
    return StoreError(
        "index-version",
        f"the store has format {found}, this build reads format {expected}",
        "use the newer build" if found > expected else "fill a new store with python -m pincite.ingest",
    )


def unknown() -> StoreError:
    """Error for a document that the tenant has not, or that the rights exclude: both read the same."""
    return StoreError("document-unknown", "the library has no document of this id")


def model_mismatch(found: str, expected: str) -> StoreError:
    """Error for vectors of another model than the store's."""
    return StoreError(
        "model-mismatch",
        f"vectors were made by model {found[:12]}, the store's by model {expected[:12]}",
        "embed with the model of the store, or make another store",
    )


def _checked(vectors: NDArray[np.float32], n_rows: int) -> NDArray[np.float32]:
    values = np.ascontiguousarray(vectors, dtype=np.float32)
    if values.ndim != 2 or values.shape[0] != n_rows or values.shape[1] == 0:
        raise StoreError("bad-argument", f"vectors of the shape {list(values.shape)}, expected [{n_rows}, dimensions]")
    lengths = np.linalg.norm(values.astype(np.float64), axis=1)
    if not np.all(np.abs(lengths - 1.0) <= _UNIT_TOLERANCE):
        raise StoreError("bad-argument", "vectors are not of unit length")
    return values


def _weighted(text: Any, header: Any) -> NDArray[np.float64]:
    """Sums over text and header, the header with its weight."""
    counts: NDArray[np.float64] = text.to_numpy() + bm25.HEADER_WEIGHT * header.to_numpy()
    return counts
