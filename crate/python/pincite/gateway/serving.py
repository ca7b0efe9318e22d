"""The gateway as a process: uvicorn, and an end that lets answers finish.

SIGTERM: no new connections, `/healthz` says `draining`, requests on open connections get 503, answers in progress have
`server.grace` seconds; then each gets the event `error` with `shutting-down`. A second signal ends at once.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI

from pincite.gateway.connections import connection_of
from pincite.gateway.settings import Settings

#: Seconds after the grace in which cancelled answers say so.
_LAST_WORDS = 5


class Server(uvicorn.Server):
    """Uvicorn's server that drains. `announce` is called when it listens."""

    def __init__(self, app: FastAPI, settings: Settings, announce: Callable[[], None] = lambda: None) -> None:
        server, limits = settings.server, settings.limits
        super().__init__(
            uvicorn.Config(
                app,
                host=server.host,
                port=server.port,
                http=connection_of(limits.head_timeout, limits.write_timeout),
                ws="none",
                server_header=False,
                date_header=True,
                access_log=False,
                log_level="warning",
                proxy_headers=False,  # nothing here depends on the client's address or scheme
                limit_concurrency=server.connections,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=round(server.grace) + _LAST_WORDS,
                h11_max_incomplete_event_size=32 * 1024,
            )
        )
        self._gateway = app
        self._grace = server.grace
        self._announce = announce
        self._loop: asyncio.AbstractEventLoop | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serves until a signal, or until `should_exit` is set."""
        self._loop = asyncio.get_running_loop()
        await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Of uvicorn: begins to listen."""
        await super().startup(sockets)
        if not self.should_exit:
            self._announce()

    def drain(self) -> None:
        """Begins the end."""
        if not self._gateway.state.draining and self._loop is not None:
            self._gateway.state.draining = True
            self._loop.call_soon_threadsafe(self._loop.call_later, self._grace, self._gateway.state.service.drain)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Of uvicorn: called for SIGINT and SIGTERM. Unlike uvicorn's own, it does not raise the signal again at the end, which
        would end the process before the store is closed."""
        self.drain()
        self.force_exit = self.should_exit
        self.should_exit = True


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 for any."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio turns Nagle's algorithm off; without, each small reply takes 40 ms more.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((host, port))
    return listening
