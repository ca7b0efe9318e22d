"""Bar and signals of a run in a terminal."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tqdm import tqdm

from pincite.ingest.coordinator import Progress


class Bar:
    """Bar of the files that are done with, on stderr. Without a terminal it shows nothing."""

    def __init__(self, *, is_hidden: bool = False) -> None:
        self._bar: Any = None
        self._is_hidden = is_hidden

    def show(self, progress: Progress) -> None:
        """Shows the progress."""
        if self._bar is None:
            if not progress.n_work:
                return
            disable = True if self._is_hidden else None
            self._bar = tqdm(
                total=progress.n_work, unit="file", disable=disable, file=sys.stderr, dynamic_ncols=True, smoothing=0.05
            )
        if progress.is_optimizing:
            self._bar.set_description("making indexes", refresh=False)
        self._bar.update(progress.n_finished - self._bar.n)
        self._bar.set_postfix(
            {"pages": progress.n_pages, "vectors": progress.n_vectors, "set aside": progress.n_set_aside},
            refresh=progress.is_optimizing,
        )

    def close(self) -> None:
        """Leaves the bar as it is."""
        if self._bar is not None:
            self._bar.close()


@contextmanager
def stopping(stop: Callable[[], None]) -> Iterator[None]:
    """Calls ``stop`` at the first Ctrl-C or SIGTERM. The second one ends the run at once; it can be resumed too."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    n_signals = 0

    def handle(_number: int, _frame: FrameType | None) -> None:
        nonlocal n_signals
        n_signals += 1
        if n_signals > 1:
            raise KeyboardInterrupt
        print("\nstopping; once more to stop at once", file=sys.stderr)
        stop()

    with _handling(handle):
        yield


@contextmanager
def interruptible() -> Iterator[None]:
    """Raises KeyboardInterrupt at Ctrl-C and SIGTERM."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with _handling(signal.default_int_handler):
        yield


@contextmanager
def _handling(handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    """Has a handler called for Ctrl-C and SIGTERM."""
    before = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
