"""Writes of the Milvus store: puts, removals, and what they leave behind.

The order of a put: a note that it begins, blobs and rows under its version, the document's row, then the older versions go,
then the note. Killed before the document's row, nothing of it is seen; killed behind it, older rows are seen by nobody. In
both cases the note stays, and :meth:`Writer.sweep` finishes the work. Versions grow with time, so a sweep touches nothing
that began after it.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from . import Rights, StoredDocument, bm25
from .contents import Contents, check_not_newer, runs, statistics_of
from .milvus_rows import Row, Rows, key, of_tenant
from .milvus_tables import ALWAYS, ANY_EDITION, MAX_EDITIONS, N_SHARDS, dimension, sparse
from .segments import BlobKey, Blobs, Pending

if TYPE_CHECKING:
    from pincite import Statistics

#: Age from which a put of another process counts as interrupted, in seconds.
_INTERRUPTED_AFTER = 3600.0
#: Drift of the mean length from which the weights of a document are written anew.
_DRIFT = 0.05
#: Age of the number of documents up to which a put uses it, in seconds.
_TOTALS_AGE = 60.0
#: Versions that a document's row names: of its segment, units, vectors and file; 0 for none.
VERSIONS = ("segment_version", "units_version", "vectors_version", "file_version")
_SUMS = ("n_units", "text_length", "header_length")
#: Fields of a document's row, without the sparse vector.
FIELDS = ("id", "digest", "info", "place", "mean_length", *VERSIONS, *_SUMS)
#: Maximum bytes of diagnostics in a row, which holds 64 kB, and characters of a name.
_MAX_DIAGS, _MAX_NAME = 30_000, 1_000


@dataclass(slots=True)
class _Totals:
    """Documents of a tenant, as they were counted at a time and as this process has changed them since."""

    at: float
    n_documents: int
    #: Without terms.
    sums: Statistics


class Writer:
    """Writes documents. Puts and removals of one process take turns."""

    def __init__(self, rows: Rows, blobs: Blobs, *, is_exclusive: bool) -> None:
        self._rows = rows
        self._tables = rows.tables
        self._blobs = blobs
        self._is_exclusive = is_exclusive
        self._totals: dict[str, _Totals] = {}
        self._lock = threading.RLock()

    def put(self, contents: Contents) -> bool:
        """Stores a document; False if nothing changed."""
        tenant, id = contents.tenant, contents.id
        with self._lock:
            old = self._rows.document(Rights(tenant), id, FIELDS)
            same = old is not None and old["digest"] == contents.digest
            described = StoredDocument(**json.loads(old["info"])) if old else None
            if old is not None and not same:
                stored = self._blobs.read(BlobKey(tenant, id, old["segment_version"], "segment"), 0, 20)
                check_not_newer(stored[0] if stored else b"", contents.segment)
            brings_vectors = contents.vectors is not None and (
                not same or described is None or described.vectors_digest != contents.vectors_digest
            )
            brings_file = contents.file is not None and (old is None or old["file_version"] == 0)
            if same and not brings_vectors and not brings_file:
                return False
            put = Pending(tenant, id, _CLOCK.next())
            self._blobs.begin(put)
            row: Row = dict(old or {"place": put.version})
            row |= self._written(contents, put.version, same, brings_vectors, brings_file, described)
            totals = self._totals_of(tenant)
            if not same:
                totals.sums += _bare(contents.document.statistics)
                if old is not None:
                    totals.sums -= _sums([old])
                row |= self._weighed(contents, put.version, _mean(totals.sums))
            self._rows.upsert(self._tables.documents, row | _counts(contents))
            if old is not None:
                self._clean_up(put)
                return True
            self._blobs.end(put)
            totals.n_documents += 1
            # Another process of a server may have documents in hand that would be written here.
            if self._is_exclusive and totals.n_documents & (totals.n_documents - 1) == 0:
                self._reweigh(tenant)
        return True

    def remove(self, tenant: str, id: str) -> bool:
        """Removes a document; False if the tenant has none of this id."""
        with self._lock:
            if self._rows.document(Rights(tenant), id, ["id"]) is None:
                return False
            removal = Pending(tenant, id, _CLOCK.next())
            self._blobs.begin(removal)
            self._rows.delete(self._tables.documents, f'key == "{key(tenant, id)}"')
            self._totals.pop(tenant, None)
            self._clean_up(removal)
        return True

    def sweep(self) -> int:
        """Removes what interrupted puts and removals left. Returns their number."""
        with self._lock:
            last = _CLOCK.next() if self._is_exclusive else _version_at(time.time() - _INTERRUPTED_AFTER)
            interrupted = [put for put in self._blobs.pending() if put.version <= last]
            for put in interrupted:
                self._clean_up(put)
        return len(interrupted)

    def reweigh(self) -> None:
        """Writes weights anew that have another mean length than today's. No other process may write meanwhile."""
        for tenant in self._rows.tenants():
            with self._lock:
                self._reweigh(tenant)

    def _totals_of(self, tenant: str) -> _Totals:
        """Documents of a tenant. Other processes may have put some for a minute: the mean length hardly moves."""
        known = self._totals.get(tenant)
        if known is None or time.monotonic() - known.at > _TOTALS_AGE:
            rows = self._rows.documents(Rights(tenant), _SUMS)
            known = self._totals[tenant] = _Totals(time.monotonic(), len(rows), _sums(rows))
        return known

    def _written(
        self,
        contents: Contents,
        version: int,
        same: bool,
        brings_vectors: bool,
        brings_file: bool,
        old: StoredDocument | None,
    ) -> Row:
        """Writes blobs and vectors of a version. Returns the fields of the document's row that change."""
        tenant, id = contents.tenant, contents.id
        row: Row = _keys(contents) | {"digest": contents.digest}
        description = contents.description()
        if same and old is not None and not brings_vectors:
            kept = {name: getattr(old, name) for name in ("n_embedded", "vectors_digest", "n_bytes")}
            description = replace(description, **kept)
        if old is not None and not brings_file:
            # The id is the file's hash: another reading of the document has the same file.
            description = replace(description, media_type=old.media_type)
        row["info"] = _info(description)
        if not same:
            self._blobs.write(BlobKey(tenant, id, version, "segment"), contents.segment)
            row |= {"segment_version": version, "vectors_version": 0}
            row |= {name: getattr(contents.document.statistics, name) for name in _SUMS}
        if old is None:
            row["file_version"] = 0
        if brings_file and contents.file is not None:
            self._blobs.write(BlobKey(tenant, id, version, "file"), contents.file)
            row["file_version"] = version
        if brings_vectors and contents.packed_vectors is not None:
            self._blobs.write(BlobKey(tenant, id, version, "vectors"), contents.packed_vectors)
            self._rows.insert(self._tables.vectors, _vectors(contents, version))
            row["vectors_version"] = version
        return row

    def _weighed(self, contents: Contents, version: int, mean: float) -> Row:
        """Writes the units of a version. Returns the fields of the document's row that change."""
        self._rows.insert(self._tables.units, _units(contents, version, mean))
        return {"units_version": version, "mean_length": mean}

    def _reweigh(self, tenant: str) -> None:
        """Writes the units anew of the documents whose weights have another mean length than today's."""
        from pincite import Document

        weighed_with = self._rows.documents(Rights(tenant), ("id", "mean_length", *_SUMS))
        mean = _mean(_sums(weighed_with))
        for id in [row["id"] for row in weighed_with if abs(row["mean_length"] / mean - 1.0) > _DRIFT]:
            row = self._rows.document(Rights(tenant), id, FIELDS)
            stored = row and self._blobs.read(BlobKey(tenant, id, row["segment_version"], "segment"))
            if row and stored:
                contents = Contents.of(Document.from_segment(stored[0]), None, None, tenant=tenant, file=None)
                put = Pending(tenant, id, _CLOCK.next())
                self._blobs.begin(put)
                weighed = _keys(contents) | self._weighed(contents, put.version, mean)
                self._rows.upsert(self._tables.documents, row | weighed | _counts(contents))
                self._clean_up(put)

    def _clean_up(self, put: Pending) -> None:
        """Removes the versions up to that of a put that the document's row does not name, and forgets the put."""
        row = self._rows.document(Rights(put.tenant), put.document, VERSIONS) or dict.fromkeys(VERSIONS, 0)
        old = f'{of_tenant(put.tenant)} and document == "{put.document}" and version <= {put.version} and version != '
        self._rows.delete(self._tables.units, f"{old}{row['units_version']}")
        if self._tables.model() is not None:
            self._rows.delete(self._tables.vectors, f"{old}{row['vectors_version']}")
        for blob in self._blobs.of_document(put.tenant, put.document):
            if blob.version <= put.version and blob.version != row[f"{blob.kind}_version"]:
                self._blobs.remove(blob)
        self._blobs.end(put)


def _keys(contents: Contents) -> Row:
    """Fields of a document's row that are those of the put document, whatever else it brings."""
    tenant, id = contents.tenant, contents.id
    own = {"key": key(tenant, id), "tenant": tenant, "id": id, "shard": int(id[:2], 16) % N_SHARDS}
    return own | _filtered(contents)


def _filtered(contents: Contents) -> Row:
    """Fields of a document that filters read, for the rows of its units and vectors."""
    editions = contents.editions
    fits = len(editions.encode()) <= MAX_EDITIONS
    # A date that was printed is no longer than a day in ISO 8601.
    return {"date": contents.document.date or "", "editions": editions if fits else ANY_EDITION}


def _mean(sums: Statistics) -> float:
    """Mean length of the units of a collection, > 0: that of documents without words is 0."""
    return max(sums.mean_length(), 1e-9)


def _bare(statistics: Statistics) -> Statistics:
    return statistics_of(statistics.n_units, statistics.text_length, statistics.header_length, {})


def _sums(rows: Iterable[Row]) -> Statistics:
    """Sums of the statistics of documents, without terms."""
    counted = [[row[name] for name in _SUMS] for row in rows]
    n_units, text_length, header_length = map(sum, zip(*counted, strict=True)) if counted else (0, 0, 0)
    return statistics_of(n_units, text_length, header_length, {})


def _units(contents: Contents, version: int, mean: float) -> Iterator[Row]:
    postings = contents.postings
    dimensions = np.array([dimension(term) for term in postings.terms], dtype=np.int64)[postings.codes]
    weights = bm25.saturation(postings.frequencies, postings.lengths, mean)
    columns = contents.units.select(["kind", "legal_status", "section", "page"]).to_pylist()
    filtered = _filtered(contents)
    # A unit without a term has no row: it is found by nobody, and Milvus takes no empty vector.
    for start, end in runs(postings.units):
        number = int(postings.units[start])
        unit = columns[number]
        yield {
            "key": key(contents.tenant, contents.id, f"{version:x}", number),
            "tenant": contents.tenant,
            "document": contents.id,
            "version": version,
            "unit": number,
            "kind": unit["kind"],
            "legal_status": unit["legal_status"] or "",
            **filtered,
            "section": unit["section"] or 0,
            "page": unit["page"] or 0,
            "weights": dict(zip(dimensions[start:end].tolist(), weights[start:end].tolist(), strict=True)),
        }


def _vectors(contents: Contents, version: int) -> Iterator[Row]:
    assert contents.vectors is not None
    columns = contents.units.select(["kind", "legal_status"]).to_pylist()
    filtered = _filtered(contents)
    for unit, vector in zip(contents.vector_units.tolist(), contents.vectors, strict=True):
        yield {
            "key": key(contents.tenant, contents.id, f"{version:x}", unit),
            "tenant": contents.tenant,
            "document": contents.id,
            "version": version,
            "unit": unit,
            "kind": columns[unit]["kind"],
            "legal_status": columns[unit]["legal_status"] or "",
            **filtered,
            "vector": vector,
        }


def _counts(contents: Contents) -> Row:
    counts = sparse({term: float(n) for term, n in contents.document.statistics.doc_freq.items()})
    return {"counts": counts | {ALWAYS: 1.0}}


def _info(description: StoredDocument) -> str:
    """The description as JSON, within the size of a row."""
    kept, size = [], 0
    for diag in description.diags:
        size += len(json.dumps(diag).encode())
        if size > _MAX_DIAGS:
            break
        kept.append(diag)
    names = {name: getattr(description, name) for name in ("name", "title", "edition")}
    names = {name: text and text[:_MAX_NAME] for name, text in names.items()}
    return json.dumps(asdict(replace(description, diags=kept, **names)), ensure_ascii=False)


class _Clock:
    """Numbers of puts: milliseconds and 20 random bits, so that no two processes have the same; in one process they grow."""

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def next(self) -> int:
        """A number that no other put has."""
        with self._lock:
            self._last = max(self._last + 1, _version_at(time.time()) | secrets.randbits(20))
            return self._last


def _version_at(seconds: float) -> int:
    return int(seconds * 1000) << 20


_CLOCK = _Clock()
