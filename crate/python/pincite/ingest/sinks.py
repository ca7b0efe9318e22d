"""Outputs of a run: stores and Parquet folders.

Each has two halves. The worker's half takes documents; the coordinator's half, which there is one of, makes a part
count where the output needs that, and knows what the output holds already.

A store that lives in this process or in a file (Milvus Lite, pgserver) takes one writer: see :func:`has_one_writer`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from pincite.ingest.parquet import EmbeddedDocument, ParquetCommits, ParquetWriter
from pincite.ingest.records import IngestError, reason
from pincite.ingest.retries import retry
from pincite.ingest.settings import Settings, redacted
from pincite.stores import Rights, Store, StoreError, open_store

# Errors of a store that say what a document is. All others are the store's, and would come with every document.
_OF_DOCUMENT = ("bad-argument", "limit-exceeded", "index-version")
_TRANSIENT = ("store-unavailable",)


class Sink(Protocol):
    """Worker's half of an output."""

    commits_at_once: bool
    """True if a document counts when :meth:`put` returns."""

    def put(self, document: EmbeddedDocument, fingerprint: str | None, content: bytes | None) -> None:
        """Takes a document, idempotently.

        Raises:
            IngestError: the document's fault, or after all retries ``store-unavailable``.
        """

    def flush(self) -> dict[str, Any] | None:
        """Writes what was taken. Returns what the coordinator commits, ``None`` if everything counts already.

        Raises:
            IngestError: ``output-unwritable`` after all retries.
        """

    def close(self) -> None:
        """Releases what is held."""


class StoreSink:
    """A store."""

    commits_at_once = True

    def __init__(self, url: str, settings: Settings) -> None:
        self._settings = settings
        self._url = url
        self._store: Store | None = None

    def put(self, document: EmbeddedDocument, fingerprint: str | None, content: bytes | None) -> None:
        def attempt() -> None:
            if self._store is None:
                self._store = open_store(self._url)
            vectors = document.vectors
            self._store.put(
                document.document,
                vectors,
                fingerprint if vectors is not None else None,
                tenant=self._settings.tenant,
                file=content,
            )

        try:
            retry(
                attempt,
                self._settings.retries,
                lambda error: isinstance(error, StoreError) and error.code in _TRANSIENT,
            )
        except StoreError as error:
            raise IngestError(error.code, str(error), error.hint) from error

    def flush(self) -> dict[str, Any] | None:
        return None

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None


class ParquetSink:
    """A Parquet folder. Documents count when the coordinator commits their part."""

    commits_at_once = False

    def __init__(self, url: str, settings: Settings) -> None:
        self._url = url
        self._tenant = settings.tenant
        self._retries = settings.retries
        self._writer: ParquetWriter | None = None
        self._documents: list[EmbeddedDocument] = []
        self._fingerprint: str | None = None

    def put(self, document: EmbeddedDocument, fingerprint: str | None, content: bytes | None) -> None:
        if self._writer is None:
            dimensions = None if document.vectors is None else int(np.shape(document.vectors)[1])
            self._writer = ParquetWriter(self._url, self._tenant, fingerprint, dimensions)
        self._documents.append(document)

    def flush(self) -> dict[str, Any] | None:
        if self._writer is None or not self._documents:
            return None
        writer, documents, self._documents = self._writer, self._documents, []
        try:
            return retry(lambda: writer.write(documents), self._retries, lambda error: isinstance(error, OSError))
        except OSError as error:
            raise IngestError("output-unwritable", f"Parquet cannot be written: {reason(error)}") from error

    def close(self) -> None:
        self._documents = []


class Committer(Protocol):
    """Coordinator's half of an output that commits."""

    def recover(self) -> Sequence[str]:
        """Removes what an interrupted run left, and returns the ids of the documents that count."""

    def commit(self, part: dict[str, Any]) -> None:
        """Makes a part count."""


def open_sink(url: str, settings: Settings) -> Sink:
    """Worker's half of an output."""
    parquet = parquet_folder(url)
    return StoreSink(url, settings) if parquet is None else ParquetSink(parquet, settings)


def open_committer(url: str, settings: Settings) -> Committer | None:
    """Coordinator's half of an output; ``None`` for a store, which commits by itself."""
    parquet = parquet_folder(url)
    return None if parquet is None else ParquetCommits(parquet, settings.tenant)


def check_outs(settings: Settings) -> None:
    """Opens each store once, so that a wrong URL ends the run before it begins.

    Raises:
        IngestError: the store's error, without the secrets of its URL.
    """
    for url in settings.outs:
        if parquet_folder(url) is not None:
            continue
        try:
            open_store(url).close()
        except StoreError as error:
            raise IngestError(error.code, f"{redacted(url)}: {error}", error.hint) from error


def stored_ids(url: str, tenant: str, ids: Sequence[str]) -> set[str]:
    """Those of the given documents that a store has."""
    with open_store(url) as store:
        return {document.id for document in store.documents(Rights(tenant, frozenset(ids)))}


def optimize_all(outs: Sequence[str]) -> Iterator[str]:
    """Has each store make what searches of many documents need, and gives a warning for one that fails.

    A Parquet folder needs nothing.
    """
    for url in outs:
        if parquet_folder(url) is not None:
            continue
        try:
            with open_store(url) as store:
                store.optimize()
        except StoreError as error:
            yield f"{redacted(url)} is not optimized, searches of many documents are slow: {error}"


def parquet_folder(url: str) -> str | None:
    """The folder of ``parquet:DIR`` and ``parquet:s3://…``; ``None`` for a store."""
    scheme, _, rest = url.partition(":")
    return rest if scheme == "parquet" and rest else None


def has_one_writer(url: str) -> bool:
    """True for stores that one process at a time may have open."""
    return url.partition(":")[0] in ("milvus", "pgserver")


def is_of_run(error: IngestError) -> bool:
    """True for errors that every other document would meet too."""
    return error.code not in (*_OF_DOCUMENT, *_TRANSIENT)
