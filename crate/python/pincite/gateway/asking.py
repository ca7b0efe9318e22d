"""An answer in progress: the engine works in a thread, its events are read in the event loop.

The engine calls `progress` between its steps; where the answer was cancelled, because the connection closed, the time was up or
the gateway ends, that raises, and the engine stops there. The client is told at once, the thread is given back after the step:
milliseconds, a second with the encoder, or as long as a language model takes to reply, at most the timeout of its endpoint.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import Any

from pincite.gateway.errors import GatewayError

#: Most events that wait for a slow client; older ones are dropped, since only the latest says where the answer is.
_MAX_WAITING = 100


class Cancelled(Exception):
    """Raised in the engine's thread to end an answer."""

    code = "cancelled"
    hint = ""


class Answering:
    """One answer in progress. `progress` and `check` are for the engine's thread, the rest for the loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._events: deque[dict[str, Any]] = deque(maxlen=_MAX_WAITING)
        self._news = asyncio.Event()
        self._ended = False
        self._reason: GatewayError | None = None

    @property
    def reason(self) -> GatewayError | None:
        """Why the answer was cancelled."""
        return self._reason

    def progress(self, event: Mapping[str, Any]) -> None:
        """Takes an event of the engine. Raises `Cancelled`."""
        self.check()
        known = {name: event[name] for name in ("step", "done", "total") if event.get(name) is not None}
        self._loop.call_soon_threadsafe(self._push, {"event": "progress", **known})

    def check(self) -> None:
        """Raises `Cancelled` if the answer was cancelled."""
        if self._reason is not None:
            raise Cancelled

    def cancel(self, reason: GatewayError) -> None:
        """Ends the answer. The first reason counts."""
        if self._reason is None:
            self._reason = reason
        self._news.set()

    def end(self) -> None:
        """Says that the engine is done: `next` returns None when all events are read."""
        self._ended = True
        self._news.set()

    async def next(self, silence: float) -> dict[str, Any] | None:
        """The next event; the empty one after `silence` seconds without any; None at the end or when cancelled."""
        try:
            async with asyncio.timeout(silence):
                while not self._events:
                    if self._ended or self._reason is not None:
                        return None
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return {}
        return self._events.popleft()

    def _push(self, event: dict[str, Any]) -> None:
        self._events.append(event)
        self._news.set()
