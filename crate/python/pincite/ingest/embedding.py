"""Embedding of documents, and their way into the outputs.

Documents are gathered into groups, so that small ones fill the batches of a GPU together; a group is embedded, written
and reported. A group never divides a document: what is stored is whole.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import pincite
from pincite.ingest.coordinator import Coordination
from pincite.ingest.encoders import Embedder, open_encoder
from pincite.ingest.metrics import Metrics
from pincite.ingest.parquet import EmbeddedDocument
from pincite.ingest.records import IngestError, Outcome, Parsed, Receipt
from pincite.ingest.settings import MIB, Settings
from pincite.ingest.sinks import Sink, is_of_run

GROUP_BYTES = 64 * MIB
"""Bytes of files and segments that are held, from which a group is embedded whatever its tokens."""
PART_S = 60.0
"""Time after which written documents are reported at once, in seconds: what a kill may cost."""


@dataclass(slots=True)
class _Pending:
    """Document of the group."""

    parsed: Parsed
    document: pincite.Document
    rows: list[int]
    texts: list[str]
    lengths: NDArray[np.uint32]


class Embedding:
    """Embedder of a worker with its outputs.

    Raises:
        IngestError: the model's error.
    """

    def __init__(
        self, settings: Settings, coordinator: Coordination, metrics: Metrics, open_sink: Callable[[str], Sink]
    ) -> None:
        self._settings = settings
        self._coordinator = coordinator
        self._metrics = metrics
        encoder = open_encoder(settings, coordinator.warn)
        self._embedder = None if encoder is None else Embedder(encoder, coordinator.warn)
        sinks = [(index, open_sink(url)) for index, url in enumerate(settings.outs)]
        # Stores first: a document that one of them refuses is in no part then.
        self._sinks = sorted(sinks, key=lambda sink: not sink[1].commits_at_once)
        self._group: list[_Pending] = []
        self._written: list[Outcome] = []
        self._written_at = 0.0

    def add(self, parsed: Parsed) -> None:
        """Takes a document. Its group is embedded when it is full.

        Raises:
            Stopped: the run is being stopped.
            IngestError: an error of the run.
        """
        self._group.append(self._pending(parsed))
        n_tokens = sum(int(pending.lengths.sum()) for pending in self._group)
        n_bytes = sum(len(pending.parsed.segment) + len(pending.parsed.content or b"") for pending in self._group)
        if parsed.alone or n_tokens >= self._group_tokens() or n_bytes >= GROUP_BYTES:
            self._embed_group()
        if self._written and time.monotonic() - self._written_at > PART_S:
            self._report()

    def end(self) -> None:
        """Embeds and reports what was taken. Raises as :meth:`add`."""
        self._embed_group()
        self._report()

    def give_up(self) -> None:
        """Reports what is written, and gives back what is not."""
        self._report()
        group, self._group = self._group, []
        self._coordinator.unclaim([pending.parsed.id for pending in group])

    def close(self) -> None:
        """Closes the outputs."""
        for _, sink in self._sinks:
            sink.close()

    def _group_tokens(self) -> int:
        if self._settings.group_tokens is not None:
            return self._settings.group_tokens
        is_native = self._embedder is None or self._embedder.encoder.backend == "native"
        # The engine gains nothing from large groups; a GPU needs many texts of one length.
        return self._settings.batch_tokens if is_native else 16 * self._settings.batch_tokens

    def _pending(self, parsed: Parsed) -> _Pending:
        document = pincite.Document.from_segment(parsed.segment)
        rows = [] if self._embedder is None else list(document.embeddable)
        texts = document.passages(rows) if rows else []
        lengths = self._embedder.encoder.lengths(texts) if self._embedder is not None else np.empty(0, np.uint32)
        return _Pending(parsed, document, rows, texts, lengths)

    def _embed_group(self) -> None:
        group = self._group
        if not group:
            return
        vectors, seconds = self._vectors(group)
        self._group = []
        start = 0
        for pending in group:
            end = start + len(pending.texts)
            n_tokens = int(pending.lengths.sum())
            share = seconds * n_tokens / max(1, sum(int(other.lengths.sum()) for other in group))
            self._put(pending, None if vectors is None else vectors[start:end], share)
            start = end

    def _vectors(self, group: Sequence[_Pending]) -> tuple[NDArray[np.float32] | None, float]:
        """Vectors of all texts of the group, and the time that they took in seconds."""
        if self._embedder is None:
            return None, 0.0
        begun = time.perf_counter()
        texts = [text for pending in group for text in pending.texts]
        lengths = np.concatenate([pending.lengths for pending in group])
        vectors = self._embedder.embed(texts, lengths, self._coordinator.is_stopping)
        return vectors, time.perf_counter() - begun

    def _put(self, pending: _Pending, vectors: NDArray[np.float32] | None, seconds: float) -> None:
        parsed, document = pending.parsed, pending.document
        embedded = EmbeddedDocument(document, parsed.file.label, parsed.file.size, pending.rows, vectors)
        fingerprint = None if self._embedder is None else self._embedder.encoder.fingerprint
        begun = time.perf_counter()
        try:
            for index, sink in self._sinks:
                if index not in parsed.stored_in:
                    sink.put(embedded, fingerprint, parsed.content)
        except IngestError as error:
            if is_of_run(error):
                self._coordinator.unclaim([parsed.id])
                raise
            transient = error.code == "store-unavailable"
            self._add_written(Outcome.of_error(parsed.id, parsed.file, error, transient=transient))
            return
        spent = {**parsed.seconds, "embed": seconds, "put": time.perf_counter() - begun}
        n_vectors = 0 if vectors is None else len(vectors)
        self._add_written(
            Outcome(
                *(parsed.id, parsed.file, "done", "", "", document.n_pages, document.n_passages),
                *(n_vectors, int(pending.lengths.sum()), spent),
            )
        )

    def _add_written(self, outcome: Outcome) -> None:
        if not self._written:
            self._written_at = time.monotonic()
        self._written.append(outcome)
        if all(sink.commits_at_once for _, sink in self._sinks):
            self._report()

    def _report(self) -> None:
        written, self._written = self._written, []
        if not written:
            return
        begun = time.perf_counter()
        parts = [(index, sink.flush()) for index, sink in self._sinks]
        share = (time.perf_counter() - begun) / len(written)
        for outcome in written:
            outcome.seconds["put"] = outcome.seconds.get("put", 0.0) + share
        self._coordinator.finish(written, [Receipt(index, part) for index, part in parts if part is not None])
        for outcome in written:
            self._metrics.finished(outcome)
