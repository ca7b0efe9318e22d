"""A connection of the server: uvicorn's, with times for what uvicorn waits for without end.

A connection counts against `server.connections` while it is open. One that sends no whole head of a request, and one that does not
read its reply, are ended, so that silence costs the silent their connection and nobody else's.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol


def connection_of(head_timeout: float, write_timeout: float) -> type[H11Protocol]:
    """The class of a server's connections. `head_timeout` until the head of a request is there, `write_timeout` until a client
    reads on, in seconds.
    """

    class Connection(H11Protocol):
        #: Clock of the head of a request.
        _head: asyncio.TimerHandle | None = None
        #: Clock of a client that does not read.
        _write: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._head = self._end_in(head_timeout)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is not None and not self.cycle.response_complete:
                self._stop_clock_of_head()
            elif self._head is None and not self.transport.is_closing():
                # The first bytes of another request: they ended uvicorn's clock of the pause between two.
                self._head = self._end_in(head_timeout)

        def pause_writing(self) -> None:
            super().pause_writing()
            self._write = self._end_in(write_timeout)

        def resume_writing(self) -> None:
            super().resume_writing()
            self._stop_clock_of_write()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_clock_of_head()
            self._stop_clock_of_write()
            super().connection_lost(exc)

        def _end_in(self, seconds: float) -> asyncio.TimerHandle:
            # Closing would wait for the client to read what is written.
            return self.loop.call_later(seconds, self.transport.abort)

        def _stop_clock_of_head(self) -> None:
            if self._head is not None:
                self._head.cancel()
                self._head = None

        def _stop_clock_of_write(self) -> None:
            if self._write is not None:
                self._write.cancel()
                self._write = None

    return Connection
