"""The loop on Ray: Ray Data hands out files to actors that load the encoder once.

::

    files ──► Worker × N ──► nothing                       on processors: a worker reads, embeds and writes
    files ──► Reader × N ──► Embedder × GPUs ──► nothing    with GPUs: documents pass through the object store

Ray Data distributes, balances and restarts; what must hold without it, holds without it: which file is read, and what
is stored, are decided by the coordinator, an actor on this machine, since the ledger is here. An actor that dies is
replaced and its batch given out again; files of that batch that are finished are skipped then.

Ray Data runs small tasks of its own, which wait for ever if the actors take every processor: a local Ray has one more
than there are workers, and a cluster needs one to spare.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import pyarrow as pa
import ray
import ray.data
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

import pincite
from pincite.ingest.blocks import documents_of, documents_table, files_of, files_table
from pincite.ingest.coordinator import NOT_OPTIMIZED, Coordinator, Progress
from pincite.ingest.metrics import RayMetrics
from pincite.ingest.parquet import EmbeddedDocument
from pincite.ingest.plain import chunks
from pincite.ingest.records import IngestError, Outcome, Parsed, Receipt, SourceFile, Verdict, reason
from pincite.ingest.settings import MIB, Settings
from pincite.ingest.sinks import Sink, StoreSink, has_one_writer, open_sink, optimize_all, parquet_folder
from pincite.ingest.worker import EmbeddingWorker, ReadingWorker, Worker

POLL_S = 0.5
"""Time between two looks at the progress, in seconds."""
STOP_CHECK_S = 1.0
"""Time for which a worker believes that the run goes on, in seconds."""
GRACE_S = 20.0
"""Maximum wait for workers when the run is being stopped, in seconds."""
CANCEL_S = 5.0
"""Maximum wait for a store to leave the making of indexes, in seconds."""
BLOCK_BYTES = 32 * MIB
"""Bytes of documents from which a reader hands a block on."""


def run_on_ray(
    settings: Settings, files: Sequence[SourceFile], shown: Callable[[Progress], None], stop: threading.Event
) -> tuple[Progress, list[tuple[str, str, str, str]]]:
    """Processes the files on Ray, and returns the state at the end and the errors.

    ``shown`` receives the progress twice a second. ``stop`` ends the run: workers give up what they have begun. After
    the last file it ends the making of indexes alone.

    Raises:
        IngestError: those of the coordinator; ``ray-failed``.
    """
    with _ray(settings):
        coordinator = RemoteCoordinator(settings)
        try:
            work: list[SourceFile] = coordinator.call("plan", list(files))
            if work:
                _process(settings, coordinator, work, shown, stop)
            progress: Progress = coordinator.call("progress")
            if not progress.is_stopping:
                shown(replace(progress, is_optimizing=True))
                _optimize(settings, coordinator, stop)
            return coordinator.call("progress"), coordinator.call("errors")
        finally:
            with suppress(IngestError):
                coordinator.call("close")


def _process(
    settings: Settings,
    coordinator: RemoteCoordinator,
    work: Sequence[SourceFile],
    shown: Callable[[Progress], None],
    stop: threading.Event,
) -> None:
    failures: list[Exception] = []
    writers = _writers(settings)

    def consume() -> None:
        try:
            for _ in _dataset(settings, coordinator, writers, work).iter_batches(batch_size=None, prefetch_batches=0):
                pass
        except Exception as error:  # noqa: BLE001 (Ray raises what an actor raised; it is reported below)
            failures.append(error)

    consumer = threading.Thread(target=consume, name="ray-data", daemon=True)
    consumer.start()
    try:
        _wait(consumer, coordinator, shown, stop)
    finally:
        for writer in writers.values():
            with suppress(RayError):
                ray.get(writer.close.remote(), timeout=GRACE_S)
            ray.kill(writer)
    if failures and not coordinator.call("progress").is_stopping:
        error = _root(failures[0])
        raise IngestError("ray-failed", f"Ray ended the run: {type(error).__name__}: {reason(error)}")


def _wait(
    consumer: threading.Thread, coordinator: RemoteCoordinator, shown: Callable[[Progress], None], stop: threading.Event
) -> None:
    """Waits for the end of the work, or until nothing is in a worker's hands after a stop."""
    stop_at: float | None = None
    while consumer.is_alive():
        consumer.join(POLL_S)
        progress: Progress = coordinator.call("progress")
        shown(progress)
        if stop.is_set() and stop_at is None:
            coordinator.call("stop")
            stop_at = time.monotonic() + GRACE_S
        # Blocks that no worker has begun are not waited for.
        if stop_at is not None and (progress.n_in_flight == 0 or time.monotonic() > stop_at):
            return


def _optimize(settings: Settings, coordinator: RemoteCoordinator, stop: threading.Event) -> None:
    """Has the stores make their indexes until ``stop``, in a process of its own: the coordinator takes calls meanwhile."""
    outs = [url for url in settings.outs if parquet_folder(url) is None]
    if not outs:
        return
    task = ray.remote(_warnings).options(num_cpus=0, max_retries=0, scheduling_strategy=_here()).remote(outs)
    while not ray.wait([task], timeout=POLL_S)[0]:
        if stop.is_set():
            # As Ctrl-C, so that a server hears of it; a library may not look at that for long.
            ray.cancel(task)
            if not ray.wait([task], timeout=CANCEL_S)[0]:
                ray.cancel(task, force=True)
            coordinator.call("warn", NOT_OPTIMIZED)
            return
    try:
        warnings: list[str] = ray.get(task)
    except RayError as error:
        warnings = [f"stores are not optimized, searches of many documents are slow: {type(_root(error)).__name__}"]
    for warning in warnings:
        coordinator.call("warn", warning)


def _warnings(outs: Sequence[str]) -> list[str]:
    return list(optimize_all(outs))


def _root(error: BaseException) -> BaseException:
    """The error at the root of others that Ray wraps around it."""
    while (cause := getattr(error, "cause", None) or error.__cause__) is not None:
        error = cause
    return error


def _dataset(
    settings: Settings, coordinator: RemoteCoordinator, writers: dict[str, Any], work: Sequence[SourceFile]
) -> ray.data.Dataset:
    """The files with the steps that they pass."""
    n_files = max(1, min(settings.batch_files, -(-len(work) // (4 * settings.workers))))
    # One block a batch: each is one table, so nothing has to be divided.
    files = ray.data.from_arrow([files_table(part) for part in chunks(work, n_files)])
    arguments = (settings, coordinator.actor, writers)
    pool: dict[str, Any] = {"batch_size": None, "batch_format": "pyarrow"}
    readers = ray.data.ActorPoolStrategy(size=settings.workers)
    if not (settings.gpus or settings.split):
        return files.map_batches(_Worker, fn_constructor_args=arguments, compute=readers, num_cpus=1, **pool)
    embedders = ray.data.ActorPoolStrategy(size=max(1, settings.gpus))
    device: dict[str, Any] = {"num_gpus": 1, "num_cpus": 0} if settings.gpus else {"num_cpus": 1}
    documents = files.map_batches(_Reader, fn_constructor_args=arguments[:2], compute=readers, num_cpus=1, **pool)
    return documents.map_batches(_Embedder, fn_constructor_args=arguments, compute=embedders, **device, **pool)


class _Worker:
    """Actor of all steps."""

    def __init__(self, settings: Settings, coordinator: Any, writers: dict[str, Any]) -> None:
        coordination = RemoteCoordination(coordinator)
        self._worker = Worker(settings, coordination, RayMetrics(), _sinks(settings, writers))

    def __call__(self, batch: pa.Table) -> pa.Table:
        self._worker.process(files_of(batch))
        return pa.table({"n_files": [batch.num_rows]})

    def __del__(self) -> None:
        with suppress(AttributeError):
            self._worker.close()


class _Reader:
    """Actor of the first half."""

    def __init__(self, settings: Settings, coordinator: Any) -> None:
        self._worker = ReadingWorker(settings, RemoteCoordination(coordinator), RayMetrics())

    def __call__(self, batch: pa.Table) -> Iterator[pa.Table]:
        held: list[Parsed] = []
        for parsed in self._worker.process(files_of(batch)):
            held.append(parsed)
            if sum(len(other.segment) + len(other.content or b"") for other in held) >= BLOCK_BYTES:
                yield documents_table(held)
                held = []
        yield documents_table(held)

    def __del__(self) -> None:
        with suppress(AttributeError):
            self._worker.close()


class _Embedder:
    """Actor of the second half."""

    def __init__(self, settings: Settings, coordinator: Any, writers: dict[str, Any]) -> None:
        coordination = RemoteCoordination(coordinator)
        self._worker = EmbeddingWorker(settings, coordination, RayMetrics(), _sinks(settings, writers))

    def __call__(self, batch: pa.Table) -> pa.Table:
        self._worker.process_again(documents_of(batch))
        return pa.table({"n_files": [batch.num_rows]})

    def __del__(self) -> None:
        with suppress(AttributeError):
            self._worker.close()


class _CoordinatorActor:
    """The coordinator as an actor. It opens the ledger in a call of its own, whose error arrives whole."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._coordinator: Coordinator | None = None

    def call(self, method: str, *arguments: Any) -> Any:
        """Calls a method of the coordinator. There is nothing to close of one that could not be made."""
        if self._coordinator is None:
            if method == "close":
                return None
            self._coordinator = Coordinator(self._settings)
        return getattr(self._coordinator, method)(*arguments)


class RemoteCoordinator:
    """The driver's handle of the coordinator."""

    def __init__(self, settings: Settings) -> None:
        actor = ray.remote(_CoordinatorActor).options(num_cpus=0, scheduling_strategy=_here())
        self.actor = actor.remote(settings)

    def call(self, method: str, *arguments: Any) -> Any:
        """Calls a method. Raises its IngestError, or ``ray-failed``."""
        return _called(self.actor, method, *arguments)


def _here() -> NodeAffinitySchedulingStrategy:
    """The driver's machine, which has the ledger and the paths of outputs."""
    return NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)


class RemoteCoordination:
    """A worker's handle of the coordinator: :class:`pincite.ingest.coordinator.Coordination`."""

    def __init__(self, actor: Any) -> None:
        self._actor = actor
        self._is_stopping = False
        self._asked_at = 0.0

    def claim(self, file: SourceFile, id: str) -> Verdict:
        verdict: Verdict = _called(self._actor, "claim", file, id)
        return verdict

    def embedding(self, ids: Sequence[str]) -> list[Verdict]:
        verdicts: list[Verdict] = _called(self._actor, "embedding", list(ids))
        return verdicts

    def unclaim(self, ids: Sequence[str]) -> None:
        _called(self._actor, "unclaim", list(ids))

    def finish(self, outcomes: Sequence[Outcome], receipts: Sequence[Receipt] = ()) -> None:
        _called(self._actor, "finish", list(outcomes), list(receipts))

    def fail(self, error: IngestError) -> None:
        _called(self._actor, "fail", error)

    def warn(self, message: str) -> None:
        _called(self._actor, "warn", message)

    def is_stopping(self) -> bool:
        now = time.monotonic()
        if not self._is_stopping and now - self._asked_at > STOP_CHECK_S:
            self._is_stopping = bool(_called(self._actor, "is_stopping"))
            self._asked_at = now
        return self._is_stopping


def _called(actor: Any, method: str, *arguments: Any) -> Any:
    try:
        return ray.get(actor.call.remote(method, *arguments))
    except RayTaskError as error:
        if isinstance(error.cause, IngestError):
            raise error.cause from None
        raise
    except RayError as error:
        raise IngestError("ray-failed", f"the coordinator is gone: {type(error).__name__}") from error


class _WriterActor:
    """The one writer of a store that has one."""

    def __init__(self, url: str, settings: Settings) -> None:
        self._sink = StoreSink(url, settings)

    def put(
        self, segment: bytes, described: dict[str, Any], fingerprint: str | None, content: bytes | None
    ) -> IngestError | None:
        """Stores a document; returns its error."""
        document = pincite.Document.from_segment(segment)
        try:
            self._sink.put(EmbeddedDocument(document=document, **described), fingerprint, content)
        except IngestError as error:
            return error
        return None

    def close(self) -> None:
        """Closes the store."""
        self._sink.close()


class _WriterSink:
    """A worker's handle of a writer."""

    commits_at_once = True

    def __init__(self, actor: Any) -> None:
        self._actor = actor

    def put(self, document: EmbeddedDocument, fingerprint: str | None, content: bytes | None) -> None:
        described = {
            "path": document.path,
            "file_bytes": document.file_bytes,
            "rows": list(document.rows),
            "vectors": document.vectors,
        }
        error = ray.get(self._actor.put.remote(document.document.segment, described, fingerprint, content))
        if error is not None:
            raise error

    def flush(self) -> dict[str, Any] | None:
        return None

    def close(self) -> None:
        pass


def _writers(settings: Settings) -> dict[str, Any]:
    """Writers of the stores that have one, by URL."""
    writer = ray.remote(_WriterActor).options(num_cpus=0)
    return {url: writer.remote(url, settings) for url in settings.outs if has_one_writer(url)}


def _sinks(settings: Settings, writers: dict[str, Any]) -> Callable[[str], Sink]:
    return lambda url: _WriterSink(writers[url]) if url in writers else open_sink(url, settings)


@contextmanager
def _ray(settings: Settings) -> Iterator[None]:
    """Ray, started on this machine if there is no address, and ended again."""
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    if ray.is_initialized():
        yield
        return
    # What its processes say goes to its log folder. Actors of Ray Data make Ray print an error at every start.
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if settings.ray_address is not None:
        ray.init(address=settings.ray_address, **quiet)
    else:
        is_split = settings.gpus > 0 or settings.split
        ray.init(
            num_cpus=settings.workers + 1 + is_split,
            num_gpus=settings.gpus,
            include_dashboard=settings.dashboard,
            object_store_memory=(2048 if is_split else 256) * MIB,
            **quiet,
        )
    try:
        yield
    finally:
        ray.shutdown()
