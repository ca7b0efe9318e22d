"""A run: list, plan, process, sum up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from pincite.ingest.coordinator import NOT_OPTIMIZED, Coordinator, Progress
from pincite.ingest.plain import run_plain
from pincite.ingest.progress import interruptible, stopping
from pincite.ingest.settings import Settings
from pincite.ingest.sources import listed
from pincite.ingest.summary import Summary


def run(settings: Settings, shown: Callable[[Progress], None] = lambda _: None) -> Summary:
    """Ingests files. ``shown`` receives the progress from time to time. Ctrl-C and SIGTERM stop the run.

    Once all files are done with, they end the making of the stores' indexes, and the run is complete but for these.

    Raises:
        IngestError: an error of the arguments, the ledger, an output or Ray. An error that files meet later is the
            summary's ``progress.fatal``.
    """
    begun = time.perf_counter()
    files = listed(settings)
    if settings.ray:
        from pincite.ingest.distributed import run_on_ray

        stop = threading.Event()
        with stopping(stop.set):
            progress, errors = run_on_ray(settings, files, shown, stop)
    else:
        coordinator = Coordinator(settings)
        try:
            with stopping(coordinator.stop):
                run_plain(settings, coordinator, coordinator.plan(files), lambda: shown(coordinator.progress()))
            if not coordinator.is_stopping():
                try:
                    with interruptible():
                        shown(replace(coordinator.progress(), is_optimizing=True))
                        coordinator.optimize()
                except KeyboardInterrupt:
                    coordinator.warn(NOT_OPTIMIZED)
            progress, errors = coordinator.progress(), coordinator.errors()
        finally:
            coordinator.close()
    shown(progress)
    return Summary(progress, errors, time.perf_counter() - begun, str(settings.ledger_folder()))
