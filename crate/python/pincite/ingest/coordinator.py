"""Coordinator of a run: decides which file is read, commits parts, keeps the ledger. There is one in a run.

On Ray it is an actor on the driver's machine (:mod:`.distributed`). A worker asks it once before a file is read and
once after its documents are written, about 1 ms each, so a coordinator carries some hundred workers of a few files a
second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from pincite.ingest.ledger import MAX_WORKER_DEATHS, Ledger
from pincite.ingest.records import STAGES, IngestError, Outcome, Receipt, SourceFile, Verdict
from pincite.ingest.settings import Settings, redacted
from pincite.ingest.sinks import check_outs, open_committer, optimize_all, parquet_folder, stored_ids
from pincite.ingest.sources import Reader, with_ids_of_alike, without_duplicates

NOT_OPTIMIZED = "the making of indexes was interrupted: searches of many documents stay slow until the next run"
"""Warning of a run that was interrupted after its last file."""
N_PROBES = 20
"""Number of documents of the ledger that are looked up in a store before a run is continued."""


@dataclass(slots=True)
class Progress:
    """State of a run. Counts are of this run, but for ``n_listed`` and ``n_known``."""

    n_listed: int = 0
    """Files listed."""
    n_known: int = 0
    """Files that an earlier run stored or set aside."""
    n_duplicates: int = 0
    """Files whose content another listed file has."""
    n_work: int = 0
    """Files to read."""
    n_done: int = 0
    n_set_aside: int = 0
    n_failed: int = 0
    n_skipped: int = 0
    """Files to read that turned out to be stored under another name."""
    n_in_flight: int = 0
    n_pages: int = 0
    n_passages: int = 0
    n_vectors: int = 0
    n_tokens: int = 0
    n_bytes: int = 0
    """Bytes of the files of stored documents."""
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))
    """Work of all workers by stage, in seconds."""
    warnings: list[str] = field(default_factory=list)
    fatal: tuple[str, str, str] | None = None
    """Code, message and hint of the error that ends the run."""
    is_stopping: bool = False
    is_optimizing: bool = False
    """True while stores make their indexes, after the last file."""

    @property
    def n_finished(self) -> int:
        """Files of ``n_work`` that are done with, whatever came of them."""
        return self.n_done + self.n_set_aside + self.n_failed + self.n_skipped


def worker_killed() -> IngestError:
    """The error of a file that workers or runs have ended with, again and again."""
    return IngestError("worker-killed", "several workers ended while they had this file")


class Coordination(Protocol):
    """The coordinator as workers see it."""

    def claim(self, file: SourceFile, id: str) -> Verdict:
        """Asks for a content, by its SHA-256."""

    def embedding(self, ids: Sequence[str]) -> list[Verdict]:
        """Says that documents are about to be embedded by an actor that did not claim them."""

    def unclaim(self, ids: Sequence[str]) -> None:
        """Gives claims back when the run is being stopped."""

    def finish(self, outcomes: Sequence[Outcome], receipts: Sequence[Receipt] = ()) -> None:
        """Says what came of files. Parts count from here on."""

    def fail(self, error: IngestError) -> None:
        """Ends the run by an error that every file would meet."""

    def warn(self, message: str) -> None:
        """Adds a warning to the summary, once."""

    def is_stopping(self) -> bool:
        """True if nothing more is to be begun."""


class Coordinator:
    """Coordinator of a run.

    Raises:
        IngestError: those of :class:`Ledger`; ``ledger-mismatch`` if an output lacks what the ledger says it has.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        # Not in the driver: Ray starts its processes by forks, which client libraries with threads do not survive.
        check_outs(settings)
        self._ledger = Ledger(
            settings.ledger_folder(), settings.identity(), resume=settings.resume, again=settings.again
        )
        self._committers = [open_committer(url, settings) for url in settings.outs]
        self._progress = Progress()
        self._in_flight: set[str] = set()
        self._embeddings: dict[str, int] = {}
        self._partly: dict[int, set[str]] = {}
        """Documents that an output has and another one lacks, by index of the output."""
        self._unread: list[tuple[str, str, str, str]] = []
        try:
            self._reconcile()
        except BaseException:
            self.close()
            raise

    def plan(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """The files to read, in their order: without those that are stored, set aside, or equal to an earlier one."""
        progress, work = self._progress, []
        progress.n_listed = len(files)
        for file in files:
            id, state = self._ledger.state_of(file)
            if state in ("done", "set-aside"):
                progress.n_known += 1
            else:
                work.append(replace(file, id=id))
        work, duplicates = without_duplicates(with_ids_of_alike(work, Reader(self._settings).digest))
        self._ledger.enter_duplicates(duplicates)
        progress.n_duplicates, progress.n_work = len(duplicates), len(work)
        return work

    def claim(self, file: SourceFile, id: str) -> Verdict:
        if self._progress.is_stopping:
            return Verdict("stop")
        verdict = self._ledger.claim(file, id)
        match verdict.kind:
            case "go":
                self._in_flight.add(id)
                return replace(verdict, stored_in=tuple(index for index, ids in self._partly.items() if id in ids))
            case "poisoned":
                self._finish(Outcome.of_error(id, file, worker_killed()))
            case _:
                self._progress.n_skipped += 1
        return verdict

    def embedding(self, ids: Sequence[str]) -> list[Verdict]:
        return [self._embedding(id) for id in ids]

    def _embedding(self, id: str) -> Verdict:
        if self._progress.is_stopping:
            return Verdict("stop")
        if id not in self._in_flight:
            return Verdict("known")
        n_times = self._embeddings[id] = self._embeddings.get(id, 0) + 1
        return Verdict("go", alone=n_times > 1) if n_times <= MAX_WORKER_DEATHS else Verdict("poisoned")

    def unclaim(self, ids: Sequence[str]) -> None:
        for id in ids:
            self._ledger.unclaim(id)
            self._in_flight.discard(id)

    def finish(self, outcomes: Sequence[Outcome], receipts: Sequence[Receipt] = ()) -> None:
        if receipts and any(outcome.id is not None and self._ledger.is_done(outcome.id) for outcome in outcomes):
            # Another worker has had some of the files too, since this one was taken for dead. The part would hold
            # documents a second time: it never counts, and the next run reads what only it has.
            self.unclaim([outcome.id for outcome in outcomes if outcome.id is not None])
            self._progress.n_failed += len(outcomes)
            return
        for receipt in receipts:
            committer = self._committers[receipt.sink]
            assert committer is not None
            committer.commit(receipt.part)
        for outcome in outcomes:
            self._finish(outcome)

    def _finish(self, outcome: Outcome) -> None:
        progress = self._progress
        if outcome.id is not None:
            self._in_flight.discard(outcome.id)
        elif outcome.state == "failed":
            # Not entered: the next run tries again.
            self._unread.append((outcome.file.label, outcome.state, outcome.code, outcome.message))
        if (outcome.id is not None or outcome.state != "failed") and not self._ledger.finish(outcome):
            return
        match outcome.state:
            case "done":
                progress.n_done += 1
                progress.n_pages += outcome.n_pages
                progress.n_passages += outcome.n_passages
                progress.n_vectors += outcome.n_vectors
                progress.n_tokens += outcome.n_tokens
                progress.n_bytes += outcome.file.size
            case "set-aside":
                progress.n_set_aside += 1
            case "failed":
                progress.n_failed += 1
        for stage, seconds in outcome.seconds.items():
            progress.seconds[stage] += seconds

    def fail(self, error: IngestError) -> None:
        if self._progress.fatal is None:
            self._progress.fatal = (error.code, str(error), error.hint)
        self.stop()

    def warn(self, message: str) -> None:
        if message not in self._progress.warnings:
            self._progress.warnings.append(message)

    def stop(self) -> None:
        """Has workers begin nothing more."""
        self._progress.is_stopping = True

    def is_stopping(self) -> bool:
        return self._progress.is_stopping

    def optimize(self) -> None:
        """Has the stores make what searches of many documents need. Their documents count whatever becomes of it."""
        for warning in optimize_all(self._settings.outs):
            self.warn(warning)

    def progress(self) -> Progress:
        """The state of the run."""
        self._progress.n_in_flight = len(self._in_flight)
        return self._progress

    def errors(self) -> list[tuple[str, str, str, str]]:
        """Path, state, code and message of all files of this and earlier runs that are not stored, by path."""
        return sorted([*self._ledger.errors(), *self._unread])

    def close(self) -> None:
        """Gives all claims back and releases the ledger."""
        self.unclaim(list(self._in_flight))
        self._ledger.close()

    def _reconcile(self) -> None:
        """Brings ledger and outputs together after a run that ended between the two, or a folder that was removed."""
        held: dict[int, set[str]] = {}
        for index, (url, committer) in enumerate(zip(self._settings.outs, self._committers, strict=True)):
            if committer is None:
                continue
            ids = held[index] = set(committer.recover())
            if self._ledger.is_new and ids and len(self._settings.outs) > 1:
                raise IngestError(
                    "ledger-mismatch",
                    f"{redacted(url)}: holds {len(ids)} documents that the ledger does not know",
                    "give the --ledger of the run that made it, or another folder",
                )
        n_known = 0
        if held:
            # A document is done where no output lacks it; those that have it are passed over when it is read again.
            everywhere = set.intersection(*held.values())
            n_known = self._ledger.enter_done(everywhere)
            self._ledger.reopen_all_but(everywhere)
            self._partly = {index: ids - everywhere for index, ids in held.items()}
        if n_known and not self._settings.resume:
            raise IngestError(
                "ledger-exists",
                f"{n_known} documents are in the output already",
                "give --resume to continue, or another --out",
            )
        probes = self._ledger.some_done(N_PROBES)
        for url in self._settings.outs:
            if probes and parquet_folder(url) is None and not stored_ids(url, self._settings.tenant, probes):
                raise IngestError(
                    "ledger-mismatch",
                    "the store lacks documents that the ledger says it has",
                    f"remove {self._ledger.path.parent} to ingest them again, or give the store of that run",
                )
