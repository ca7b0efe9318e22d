"""Store in Milvus: Milvus Lite in a file, Standalone or Distributed by URL, with the same code.

Segments, vectors and files are blobs beside it (:mod:`.segments`); the collections are in :mod:`.milvus_tables`, what a put
does in :mod:`.milvus_writes`. Milvus has no transactions, so a put writes everything under a version of its own and then one
row, the document's, that names the version. Whoever reads takes only what that row names: an interrupted put is never seen,
and is swept when the store is opened. Two processes must not put or remove the same document at the same time; within a
process they take turns.

Filter expressions are built from tenants, ids, kinds and dates, which have alphabets without quotes (:mod:`pincite.stores`), from
editions as plain text (:func:`.contents.plain`), and from numbers. Statistics are kept for some seconds, and dropped at a put or a removal by this process.

Weights hold the mean length of the collection at their put. Those that differ from today's by more than a twentieth are
written anew: in a file of Lite when the number of documents reaches a power of two, so that all writes together are at most
doubled; on a server, where other processes may have the same documents in hand, by :meth:`MilvusStore.optimize` alone. The
engine ranks by frequencies and today's mean in any case.

Milvus Lite is a server of this process on a port of 127.0.0.1 without a password: other users of the machine can read it.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import unquote, urlsplit, urlunsplit

import numpy as np
from numpy.typing import NDArray
from pymilvus import MilvusClient

from . import (
    NO_CONDITIONS,
    Conditions,
    FileRange,
    Found,
    Rights,
    StoredDocument,
    StoreError,
    check_document_id,
    check_page,
    check_range,
    check_tenant,
)
from .contents import (
    Contents,
    check_query_vector,
    check_weights,
    model_mismatch,
    statistics_of,
    unknown,
)
from .milvus_rows import Row, Rows, of_conditions, of_documents, unavailable
from .milvus_tables import MAX_ROWS, N_SHARDS, Tables, sparse
from .milvus_writes import Writer
from .segments import BlobKey, Blobs

if TYPE_CHECKING:
    from pincite import Document, Statistics

#: Age of statistics up to which they are used again, in seconds.
STATISTICS_AGE = 5.0
#: Maximum terms, and rows that may be found, of a request for document frequencies: a row takes some 200 bytes.
_MAX_TERMS, _MAX_FOUND = 64, 250_000
_SUMS = ("n_units", "text_length", "header_length")
#: Fields by which documents are in order.
_ORDER = ("id", "place")


@dataclass(slots=True)
class _KnownStatistics:
    """Statistics of a tenant as they were at a time."""

    at: float
    n_documents: int
    sums: tuple[int, int, int]
    doc_freq: dict[str, int] = field(default_factory=dict)


class _LiteFiles:
    """Files of Milvus Lite that this process has open: its server ends with the last store of a file."""

    def __init__(self) -> None:
        self._n_stores: Counter[Path] = Counter()
        self._lock = threading.Lock()

    def open(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        with self._lock:
            self._n_stores[file] += 1

    def close(self, file: Path) -> None:
        from milvus_lite import server_manager_instance

        with self._lock:
            self._n_stores[file] -= 1
            if self._n_stores[file] == 0:
                server_manager_instance.release_server(str(file))


_LITE = _LiteFiles()


class MilvusStore:
    """A store in Milvus at a URL, or in a file of Milvus Lite, with its blobs.

    ``name`` begins the names of its collections. ``consistency`` is Milvus' level of reads: ``Strong`` sees every put that
    has returned, ``Bounded`` those of some seconds ago, a few milliseconds sooner.
    """

    def __init__(
        self,
        uri: str,
        blobs: Blobs,
        *,
        name: str = "pincite",
        consistency: str = "Strong",
        statistics_age: float = STATISTICS_AGE,
    ) -> None:
        is_lite = "://" not in uri
        #: File of Milvus Lite.
        self._file: Path | None = None
        try:
            with unavailable():
                self._client = self._connect(uri)
                self._tables = Tables(self._client, name, is_lite=is_lite, consistency=consistency)
        except BaseException:
            self._release()
            raise
        self._blobs = blobs
        self._rows = Rows(self._client, self._tables, is_lite=is_lite)
        # The file of Lite belongs to one process, so no other put can be under way.
        self._writer = Writer(self._rows, blobs, is_exclusive=is_lite)
        self._model: tuple[str, int] | None = None
        self._age = statistics_age
        self._statistics: dict[str, _KnownStatistics] = {}
        self._lock = threading.Lock()
        self._writer.sweep()

    def put(
        self,
        document: Document,
        vectors: NDArray[np.float32] | None,
        fingerprint: str | None,
        *,
        tenant: str,
        file: bytes | None = None,
    ) -> None:
        """See :meth:`pincite.stores.Store.put`."""
        contents = Contents.of(document, vectors, fingerprint, tenant=tenant, file=file)
        if contents.vectors is not None and contents.fingerprint is not None:
            model = contents.fingerprint, contents.vectors.shape[1]
            if self._model is None:
                with unavailable(), self._lock:
                    self._model = self._tables.ensure_model(*model)
            if self._model != model:
                raise model_mismatch(contents.fingerprint, self._model[0])
        if self._writer.put(contents):
            self._forget(tenant)

    def remove(self, id: str, *, tenant: str) -> bool:
        """See :meth:`pincite.stores.Store.remove`."""
        is_gone = self._writer.remove(check_tenant(tenant), check_document_id(id))
        self._forget(tenant)
        return is_gone

    def optimize(self) -> None:
        """See :meth:`pincite.stores.Store.optimize`. Milvus makes its indexes by itself.

        Removes what interrupted puts left, and writes weights anew that have another mean length than today's. To be called
        with no other writer: a document that another process puts or removes meanwhile may be lost, or come back.
        """
        self._writer.sweep()
        self._writer.reweigh()

    def sweep(self) -> int:
        """Removes what interrupted puts left, of other processes those older than an hour. Returns their number."""
        return self._writer.sweep()

    def documents(self, rights: Rights, *, after: str | None = None, limit: int | None = None) -> list[StoredDocument]:
        """See :meth:`pincite.stores.Store.documents`.

        Milvus sorts nothing, so every page reads id and place of all documents that the rights allow, and descriptions of
        its own alone.
        """
        check_page(after, limit)
        if after is None and limit is None:
            rows = self._rows.documents(rights, ["info", *_ORDER])
            return [_description(row) for row in sorted(rows, key=_in_order)]
        rows = sorted(self._rows.documents(rights, _ORDER), key=_in_order)
        ids = [row["id"] for row in rows]
        if after is not None:
            if after not in ids:
                raise unknown()
            ids = ids[ids.index(after) + 1 :]
        n = len(ids) if limit is None else limit
        found: list[StoredDocument] = []
        # Others take the places of those that were removed between the two reads.
        while ids and len(found) < n:
            part, ids = ids[: n - len(found)], ids[n - len(found) :]
            rows = self._rows.documents(rights.within(part), ["info", *_ORDER])
            found += [_description(row) for row in sorted(rows, key=_in_order)]
        return found

    def count(self, rights: Rights, conditions: Conditions = NO_CONDITIONS) -> int:
        """See :meth:`pincite.stores.Store.count`."""
        return self._rows.n_documents(rights, conditions)

    def statistics(self, terms: Sequence[str], rights: Rights) -> Statistics:
        """See :meth:`pincite.stores.Store.statistics`. Linear in the documents that have a term."""
        known = self._known_statistics(rights)
        missing = [term for term in check_weights(dict.fromkeys(terms, 1.0)) if term not in known.doc_freq]
        known.doc_freq.update(self._doc_freq(missing, rights, known.n_documents))
        return statistics_of(*known.sums, {term: known.doc_freq.get(term, 0) for term in terms})

    def by_words(
        self, weights: Mapping[str, float], k: int, rights: Rights, conditions: Conditions = NO_CONDITIONS
    ) -> list[Found]:
        """See :meth:`pincite.stores.Store.by_words`."""
        asked = check_weights(weights)
        if not asked:
            return []
        return self._nearest(self._tables.units, "weights", sparse(asked), k, rights, conditions)

    def by_vector(
        self, vector: NDArray[np.float32], k: int, rights: Rights, conditions: Conditions = NO_CONDITIONS
    ) -> list[Found]:
        """See :meth:`pincite.stores.Store.by_vector`."""
        model = self._known_model()
        if model is None:
            return []
        values = check_query_vector(vector, model[1]).tolist()
        return self._nearest(self._tables.vectors, "vector", values, k, rights, conditions)

    def model(self) -> str | None:
        """See :meth:`pincite.stores.Store.model`."""
        model = self._known_model()
        return None if model is None else model[0]

    def segment(self, id: str, rights: Rights) -> bytes:
        """See :meth:`pincite.stores.Store.segment`."""
        data = self._blob(id, rights, "segment")
        if data is None:
            raise unknown()
        return data[0]

    def vectors(self, id: str, rights: Rights) -> bytes | None:
        """See :meth:`pincite.stores.Store.vectors`."""
        data = self._blob(id, rights, "vectors")
        return None if data is None else data[0]

    def file(self, id: str, rights: Rights, start: int = 0, end: int | None = None) -> FileRange:
        """See :meth:`pincite.stores.Store.file`. Reads the bytes of the range alone."""
        check_range(start, end)
        row = self._row(id, rights, ["info"])
        data = self._blob(id, rights, "file", start, end)
        if data is None:
            raise StoreError("file-missing", "the document was stored without its file", "put it again with its file")
        media_type = json.loads(row["info"])["media_type"] or "application/octet-stream"
        return FileRange(data[0], start, data[1], media_type)

    def close(self) -> None:
        """See :meth:`pincite.stores.Store.close`. The last store of a file gives it up to other processes."""
        self._client.close()
        self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _connect(self, uri: str) -> MilvusClient:
        if "://" not in uri:
            self._file = Path(uri).absolute()
            _LITE.open(self._file)
        return MilvusClient(**_address(uri))

    def _release(self) -> None:
        if self._file is not None:
            _LITE.close(self._file)
            self._file = None

    def _row(self, id: str, rights: Rights, fields: Sequence[str]) -> Row:
        row = self._rows.document(rights, id, fields)
        if row is None:
            raise unknown()
        return row

    def _blob(
        self, id: str, rights: Rights, kind: str, start: int = 0, end: int | None = None
    ) -> tuple[bytes, int] | None:
        """A blob of the version that the document's row names; ``None`` if it names none."""
        # Replaced between the two reads, the old version is gone and the row names the new one.
        for _ in range(3):
            version = self._row(id, rights, [f"{kind}_version"])[f"{kind}_version"]
            if version == 0:
                return None
            data = self._blobs.read(BlobKey(rights.tenant, id, version, kind), start, end)
            if data is not None:
                return data
        raise StoreError("store-unavailable", f"the {kind} of a document is missing", "put the document again")

    def _nearest(
        self, collection: str, field: str, vector: object, k: int, rights: Rights, conditions: Conditions
    ) -> list[Found]:
        """The ``k`` best rows whose version is the one that their document's row names."""
        # Milvus takes neither an empty list of kinds nor a search for nothing.
        if k <= 0 or conditions.kinds == frozenset():
            return []
        held = of_conditions(conditions)
        found: list[Found] = []
        version_of = "units_version" if field == "weights" else "vectors_version"
        for allowed in of_documents(rights, "document"):
            limit = min(k, MAX_ROWS)
            while True:
                (hits,) = self._rows.search(
                    collection, field, [vector], limit, allowed + held, ["document", "version", "unit"]
                )
                current = self._versions({hit["document"] for hit in hits}, rights, version_of)
                kept = [hit for hit in hits if current.get(hit["document"]) == hit["version"]]
                if len(kept) >= k or len(hits) < limit or limit == MAX_ROWS:
                    break
                # Rows that nobody may see took places.
                limit = min(4 * limit, MAX_ROWS)
            found += [Found(hit["document"], hit["unit"], float(hit["distance"])) for hit in kept]
        return sorted(found, key=lambda one: (-one.score, one.document, one.unit))[:k]

    def _versions(self, documents: set[str], rights: Rights, field: str) -> dict[str, int]:
        """Version of the rows that count, by document."""
        rows = self._rows.documents(rights.within(documents), ["id", field])
        return {row["id"]: row[field] for row in rows}

    def _known_model(self) -> tuple[str, int] | None:
        if self._model is None:
            with unavailable():
                self._model = self._tables.model()
        return self._model

    def _known_statistics(self, rights: Rights) -> _KnownStatistics:
        """Statistics that are young enough. Those of some documents are counted each time."""
        now = time.monotonic()
        if rights.documents is None:
            with self._lock:
                known = self._statistics.get(rights.tenant)
            if known is not None and now - known.at <= self._age:
                return known
        rows = self._rows.documents(rights, ["id", *_SUMS])
        n_units, text_length, header_length = (sum(row[name] for row in rows) for name in _SUMS)
        known = _KnownStatistics(now, len(rows), (n_units, text_length, header_length))
        if rights.documents is None:
            with self._lock:
                self._statistics[rights.tenant] = known
        return known

    def _doc_freq(self, terms: Sequence[str], rights: Rights, n_documents: int) -> dict[str, int]:
        """Document frequencies: the sum of what each document's row counts."""
        if not terms:
            return {}
        totals = dict.fromkeys(terms, 0.0)
        parts = _shards(n_documents) if rights.documents is None else [""]
        size = _n_terms(n_documents // len(parts))
        for start in range(0, len(terms), size):
            batch = terms[start : start + size]
            vectors = [sparse({term: 1.0}) for term in batch]
            for allowed in of_documents(rights):
                for part in parts:
                    found = self._rows.search(
                        self._tables.documents, "counts", vectors, MAX_ROWS, allowed + part, ["id"]
                    )
                    for term, hits in zip(batch, found, strict=True):
                        totals[term] += sum(hit["distance"] for hit in hits)
        return {term: round(total) for term, total in totals.items()}

    def _forget(self, tenant: str) -> None:
        with self._lock:
            self._statistics.pop(tenant, None)


def _in_order(row: Row) -> tuple[int, str]:
    """Key by which documents are sorted. Two processes may have put two at the same place."""
    return row["place"], row["id"]


def _description(row: Row) -> StoredDocument:
    return StoredDocument(**json.loads(row["info"]))


def _shards(n_documents: int) -> list[str]:
    """Filters that divide the documents of a tenant into parts of fewer than :data:`MAX_ROWS`."""
    n_parts = 1
    # Ids are hashes, so parts are of nearly equal size; half is room for chance.
    while n_documents / n_parts > MAX_ROWS / 2 and n_parts < N_SHARDS:
        n_parts *= 2
    step = N_SHARDS // n_parts
    return [""] if n_parts == 1 else [f" and shard >= {at} and shard < {at + step}" for at in range(0, N_SHARDS, step)]


def _n_terms(n_documents: int) -> int:
    """Number of terms of a request, of which each may find that many documents."""
    return max(1, min(_MAX_TERMS, _MAX_FOUND // max(1, n_documents)))


def _address(uri: str) -> dict[str, Any]:
    """Arguments of the client: address, user and database of a URL, or a file."""
    if "://" not in uri:
        return {"uri": uri}
    parts = urlsplit(uri)
    host = parts.hostname or ""
    address = {"uri": urlunsplit(parts._replace(netloc=f"{host}:{parts.port or 19530}", path=""))}
    if parts.username is not None:
        address |= {"user": unquote(parts.username), "password": unquote(parts.password or "")}
    if database := parts.path.strip("/"):
        address["db_name"] = database
    return address
