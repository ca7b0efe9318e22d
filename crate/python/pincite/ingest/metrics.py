"""Counters of a worker, for Ray's dashboard and its Prometheus endpoint; nothing without Ray.

====================================  =========  ==================================================
``pincite_ingest_files``              counter    files by ``state``: done, set-aside, failed
``pincite_ingest_pages``              counter    pages of stored documents
``pincite_ingest_vectors``            counter    vectors of stored documents
``pincite_ingest_tokens``             counter    tokens embedded
``pincite_ingest_bytes``              counter    bytes of files of stored documents
``pincite_ingest_seconds``            histogram  time by ``stage``: fetch, read, embed, put
====================================  =========  ==================================================

Prometheus has them under ``ray_``, counters with ``_total`` behind, a series for each worker. They need ``ray[default]``, as the
dashboard does: ``--dashboard`` starts both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pincite.ingest.records import Outcome

if TYPE_CHECKING:
    from ray.util.metrics import Counter

BOUNDARIES_S = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0]


class Metrics(Protocol):
    """Receives the end of each file."""

    def finished(self, outcome: Outcome) -> None:
        """Counts a file."""


class NoMetrics:
    """Counts nothing."""

    def finished(self, outcome: Outcome) -> None:
        pass


class RayMetrics:
    """Ray's counters."""

    def __init__(self) -> None:
        from ray.util.metrics import Counter, Histogram

        def counter(name: str, what: str, tags: tuple[str, ...] = ()) -> Counter:
            return Counter(f"pincite_ingest_{name}", what, tag_keys=tags)

        self._files = counter("files", "Files by state.", ("state",))
        self._pages = counter("pages", "Pages of stored documents.")
        self._vectors = counter("vectors", "Vectors of stored documents.")
        self._tokens = counter("tokens", "Tokens embedded.")
        self._bytes = counter("bytes", "Bytes of files of stored documents.")
        self._seconds = Histogram(
            "pincite_ingest_seconds",
            "Time of a stage of a file, in seconds.",
            boundaries=BOUNDARIES_S,
            tag_keys=("stage",),
        )

    def finished(self, outcome: Outcome) -> None:
        self._files.inc(1, {"state": outcome.state})
        for stage, seconds in outcome.seconds.items():
            self._seconds.observe(seconds, {"stage": stage})
        if outcome.state == "done":
            for counter, amount in (
                (self._pages, outcome.n_pages),
                (self._vectors, outcome.n_vectors),
                (self._tokens, outcome.n_tokens),
                (self._bytes, outcome.file.size),
            ):
                if amount > 0:
                    counter.inc(amount)
