"""The loop without Ray: one worker in this process. What Ray's overhead is measured against."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from pincite.ingest.coordinator import Coordinator
from pincite.ingest.metrics import NoMetrics
from pincite.ingest.records import SourceFile
from pincite.ingest.settings import Settings
from pincite.ingest.sinks import open_sink
from pincite.ingest.worker import Worker

T = TypeVar("T")


def run_plain(
    settings: Settings, coordinator: Coordinator, work: Sequence[SourceFile], shown: Callable[[], None]
) -> None:
    """Processes the files. ``shown`` is called after each of them, and where the loop could be stopped."""
    worker = Worker(settings, coordinator, NoMetrics(), lambda url: open_sink(url, settings))
    try:
        for files in chunks(work, settings.batch_files):
            if coordinator.is_stopping():
                break
            worker.process(_shown(files, shown))
            shown()
    finally:
        worker.close()


def _shown(files: Sequence[SourceFile], shown: Callable[[], None]) -> Iterator[SourceFile]:
    for file in files:
        shown()
        yield file


def chunks(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Consecutive parts of ``size`` items; the last may be shorter."""
    return (items[start : start + size] for start in range(0, len(items), size))
