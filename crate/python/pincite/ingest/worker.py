"""Worker: the steps of a file in a row, and the two halves of them for machines with a GPU."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pincite.ingest.coordinator import Coordination, worker_killed
from pincite.ingest.embedding import Embedding
from pincite.ingest.metrics import Metrics
from pincite.ingest.reading import Reading
from pincite.ingest.records import IngestError, Outcome, Parsed, SourceFile, Stopped
from pincite.ingest.settings import Settings
from pincite.ingest.sinks import Sink


class ReadingWorker:
    """First half: files to documents."""

    def __init__(self, settings: Settings, coordinator: Coordination, metrics: Metrics) -> None:
        self._coordinator = coordinator
        self._reading = Reading(settings, coordinator, metrics)

    def process(self, files: Iterable[SourceFile]) -> Iterator[Parsed]:
        """The documents of files. Ends early when the run is being stopped."""
        if self._coordinator.is_stopping():
            return
        try:
            for file in files:
                parsed = self._reading.parsed(file)
                if parsed is not None:
                    yield parsed
        except Stopped:
            return
        except IngestError as error:
            self._coordinator.fail(error)
        except Exception as error:  # noqa: BLE001 (reported as the end of the run)
            self._coordinator.fail(_unexpected(error))

    def close(self) -> None:
        """Ends the reading process."""
        self._reading.close()


class EmbeddingWorker:
    """Second half: documents to outputs."""

    def __init__(
        self,
        settings: Settings,
        coordinator: Coordination,
        metrics: Metrics,
        open_sink: Callable[[str], Sink],
    ) -> None:
        self._coordinator = coordinator
        self._embedding: Embedding | None = None
        try:
            self._embedding = Embedding(settings, coordinator, metrics, open_sink)
        except IngestError as error:
            coordinator.fail(error)

    def process(self, documents: Iterable[Parsed]) -> None:
        """Embeds and writes documents. When this returns, what became of each is reported."""
        embedding = self._embedding
        if embedding is None:
            return
        try:
            for parsed in documents:
                embedding.add(parsed)
            embedding.end()
        except Stopped:
            embedding.give_up()
        except IngestError as error:
            self._coordinator.fail(error)
        except Exception as error:  # noqa: BLE001 (reported as the end of the run)
            self._coordinator.fail(_unexpected(error))

    def process_again(self, documents: list[Parsed]) -> None:
        """As :meth:`process`, for documents that an actor before this one may have died with."""
        verdicts = self._coordinator.embedding([parsed.id for parsed in documents])
        taken: list[Parsed] = []
        for parsed, verdict in zip(documents, verdicts, strict=True):
            if verdict.kind == "go":
                taken.append(parsed.alone_if(verdict.alone))
            elif verdict.kind == "poisoned":
                self._coordinator.finish([Outcome.of_error(parsed.id, parsed.file, worker_killed())])
            elif verdict.kind == "stop":
                self._coordinator.unclaim([parsed.id])
        self.process(taken)

    def close(self) -> None:
        """Closes the outputs."""
        if self._embedding is not None:
            self._embedding.close()


class Worker:
    """All steps."""

    def __init__(
        self,
        settings: Settings,
        coordinator: Coordination,
        metrics: Metrics,
        open_sink: Callable[[str], Sink],
    ) -> None:
        self._embedding = EmbeddingWorker(settings, coordinator, metrics, open_sink)
        self._reading = ReadingWorker(settings, coordinator, metrics)

    def process(self, files: Iterable[SourceFile]) -> None:
        """Takes files from their source to the outputs. When this returns, what became of each is reported."""
        self._embedding.process(self._reading.process(files))

    def close(self) -> None:
        """Ends the reading process and closes the outputs."""
        self._reading.close()
        self._embedding.close()


def _unexpected(error: Exception) -> IngestError:
    """An error of the program. Its message may hold anything, its type and place do not."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return IngestError("internal", f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}")
