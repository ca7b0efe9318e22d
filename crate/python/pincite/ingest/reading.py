"""Reading of files: content, claim, segment. Errors are reported here, and only documents are passed on."""

from __future__ import annotations

import hashlib
import time

from pincite.ingest.coordinator import Coordination
from pincite.ingest.isolation import ReaderProcess
from pincite.ingest.metrics import Metrics
from pincite.ingest.records import IngestError, Outcome, Parsed, SourceFile, Stopped
from pincite.ingest.settings import Settings
from pincite.ingest.sources import Reader

_TRANSIENT = ("file-unreadable",)
_OF_RUN = ("model-mismatch", "reader-unusable")


class Reading:
    """Reader of a worker, with its process."""

    def __init__(self, settings: Settings, coordinator: Coordination, metrics: Metrics) -> None:
        self._settings = settings
        self._coordinator = coordinator
        self._metrics = metrics
        self._reader = Reader(settings)
        self._process = ReaderProcess(settings)

    def parsed(self, file: SourceFile) -> Parsed | None:
        """The document of a file; ``None`` if there is none, which is reported.

        Raises:
            Stopped: the run is being stopped.
            IngestError: an error of the run.
        """
        begun = time.perf_counter()
        try:
            content = self._reader.content(file)
        except IngestError as error:
            self._finish(Outcome.of_error(None, file, error, transient=error.code in _TRANSIENT))
            return None
        id = hashlib.sha256(content).hexdigest()
        verdict = self._coordinator.claim(file, id)
        if verdict.kind == "stop":
            raise Stopped
        if verdict.kind != "go":
            return None
        fetched = time.perf_counter()
        try:
            segment = self._process.segment(content, file.name, id, self._coordinator.is_stopping)
        except Stopped:
            self._coordinator.unclaim([id])
            raise
        except IngestError as error:
            if error.code in _OF_RUN:
                self._coordinator.unclaim([id])
                raise
            self._finish(Outcome.of_error(id, file, error))
            return None
        seconds = {"fetch": fetched - begun, "read": time.perf_counter() - fetched}
        content_kept = content if self._settings.keep_files else None
        return Parsed(file, id, segment, content_kept, verdict.alone, seconds, verdict.stored_in)

    def close(self) -> None:
        """Ends the process."""
        self._process.close()

    def _finish(self, outcome: Outcome) -> None:
        self._metrics.finished(outcome)
        self._coordinator.finish([outcome])
