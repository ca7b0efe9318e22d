"""Threads for the engine and the store, whose calls block.

A pool has a fixed number of threads and of calls that may wait; one more is refused with 503 rather than queued for ever.
A call that outlives its time limit goes on in its thread, since a thread cannot be stopped, and keeps its place until it ends:
so the bound holds whatever clients do.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from pincite.gateway import errors

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """A bounded pool of threads."""

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"pincite-{name}")
        self._places = threads + waiting
        self._taken = 0

    @property
    def taken(self) -> int:
        """Calls that run or wait."""
        return self._taken

    def submit(
        self, ended: Callable[[], None] | None, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> asyncio.Future[T]:
        """Starts a call in the context of the caller. Raises 503 if there is no place.

        `ended` is called in the loop when the thread is free again, which may be after the result is not waited for.
        """
        if self._taken >= self._places:
            raise errors.overloaded()
        loop = asyncio.get_running_loop()
        context = contextvars.copy_context()
        try:
            future = self._pool.submit(lambda: context.run(call, *args, **kwargs))
        except RuntimeError:
            raise errors.shutting_down() from None
        self._taken += 1

        def leave(_: Future[T]) -> None:
            try:
                loop.call_soon_threadsafe(self._leave, ended)
            except RuntimeError:  # the loop has ended
                pass

        future.add_done_callback(leave)
        return asyncio.wrap_future(future)

    async def run(self, seconds: float, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Result of a call. Raises 504 after `seconds`, 503 if there is no place."""
        try:
            async with asyncio.timeout(seconds):
                return await self.submit(None, call, *args, **kwargs)
        except TimeoutError:
            raise errors.timeout(seconds) from None

    def close(self) -> None:
        """Ends the pool: calls that wait are dropped, those that run end by themselves."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _leave(self, ended: Callable[[], None] | None) -> None:
        self._taken -= 1
        if ended is not None:
            ended()
