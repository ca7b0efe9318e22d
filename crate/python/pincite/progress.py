"""Progress of long calls on a bar: tqdm's, or another with its methods. tqdm itself is not imported.

    from tqdm import tqdm

    with tqdm(unit="passage") as bar:
        vectors = encoder.embed(texts, progress=pincite.BarProgress(bar))

The bar is its owner's: the owner says what it looks like, and closes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, overload

__all__ = ["Bar", "BarProgress"]


class Bar(Protocol):
    """A bar, as far as it is used here; every kind of tqdm's is one."""

    def set_description(self, desc: str, refresh: bool, /) -> object:
        """Sets the text before the bar. It is drawn at once where ``refresh`` is true."""

    def reset(self, total: int, /) -> object:
        """Begins again at 0 of ``total``."""

    def update(self, n: int, /) -> object:
        """Moves on by ``n``."""


class BarProgress:
    """Callback for ``progress`` of :func:`pincite.read`, :meth:`pincite.Encoder.embed` and ``ask`` of a library.

    Reading and embedding fill the bar once for each stage, with its name and its total. An answer has no total: the bar counts
    its steps, searches and requests to a model, as they begin, with the name of the latest.
    """

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._stage = ""
        self._done = 0
        self._total = 0

    @overload
    def __call__(self, stage: str, done: int, total: int, /) -> None: ...
    @overload
    def __call__(self, event: Mapping[str, Any], /) -> None: ...
    def __call__(self, at: str | Mapping[str, Any], done: int = 0, total: int = 0, /) -> None:
        """Shows where the call is."""
        if isinstance(at, str):
            self._show(at, done, total)
        # What failed is told after the step that began.
        elif "failed" not in at:
            self._bar.set_description(at["step"], True)
            self._bar.update(1)

    def _show(self, stage: str, done: int, total: int) -> None:
        # The same stage once more is another call.
        if (stage, total) != (self._stage, self._total) or done < self._done:
            self._bar.set_description(stage, False)
            self._bar.reset(total)
            self._stage, self._done, self._total = stage, 0, total
        self._bar.update(done - self._done)
        self._done = done
