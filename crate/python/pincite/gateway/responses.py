"""Replies that stream: events of an answer, and bytes of a file. Both stop when the connection closes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any

import anyio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pincite.gateway.service import Event


class EventStream(Response):
    """Events as newline-delimited JSON.

    The status waits for the first event: an answer that fails before there is anything to say has the status of its error.
    The connection is watched from the start, whatever the server's version of ASGI does.
    """

    media_type = "application/x-ndjson"

    def __init__(self, events: AsyncGenerator[Event, None], request_id: str) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._events = events
        self._request_id = request_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await _streamed(receive, lambda: self._send(scope, receive, send), self._events)

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False
        async for event in self._events:
            if not started and event.error is not None:
                await event.error.response(self._request_id)(scope, receive, send)
                return
            if not started:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                started = True
            await send({"type": "http.response.body", "body": event.line, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class Chunks(Response):
    """A body of known length, in chunks. `head`: without the body."""

    def __init__(
        self,
        chunks: AsyncGenerator[bytes, None],
        status: int,
        length: int,
        headers: Mapping[str, str],
        head: bool = False,
    ) -> None:
        super().__init__(status_code=status, headers={**headers, "content-length": str(length)})
        self._chunks = chunks
        self._head = head

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await _streamed(receive, lambda: self._send(send), self._chunks)

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        if not self._head:
            async for chunk in self._chunks:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _streamed(receive: Receive, send: Callable[[], Awaitable[None]], source: AsyncGenerator[Any, None]) -> None:
    """Sends while the client is connected, then ends what the reply is made of."""
    try:
        await while_connected(receive, send)
    finally:
        with anyio.CancelScope(shield=True):
            await source.aclose()


async def while_connected(receive: Receive, work: Callable[[], Awaitable[None]]) -> None:
    """Works to the end, or until the client has gone: the server's own sending does not say that nobody is there any more."""
    async with anyio.create_task_group() as group:

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()

        group.start_soon(watch)
        await work()
        group.cancel_scope.cancel()
