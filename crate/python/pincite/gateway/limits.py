"""Rates: a token bucket for each subject and kind of request, in the memory of this process.

Several processes behind one proxy each grant the whole rate; a proxy that counts is the answer to that. At most `subjects`
buckets are kept, the longest unused one goes first: a bucket that was not asked for so long is full anyway.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Literal

from pincite.gateway import errors
from pincite.gateway.settings import LimitSettings, Rate

Kind = Literal["asks", "searches", "reads"]


class Buckets:
    """Token buckets of one rate, by key. O(1) a request."""

    def __init__(self, rate: Rate, keys: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._keys = keys
        self._clock = clock
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, key: Hashable) -> float:
        """Takes a token: 0, or the seconds until there is one."""
        now = self._clock()
        per_second = self._rate.per_minute / 60
        tokens, then = self._buckets.get(key, (float(self._rate.burst), now))
        tokens = min(self._rate.burst, tokens + (now - then) * per_second)
        wait = 0.0 if tokens >= 1 else (1 - tokens) / per_second
        self._buckets[key] = (tokens if wait else tokens - 1, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > self._keys:
            self._buckets.popitem(last=False)
        return wait


class Limits:
    """Rates of all kinds, and answers in progress by subject."""

    def __init__(self, settings: LimitSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._buckets: dict[Kind, Buckets] = {
            "asks": Buckets(settings.asks, settings.subjects, clock),
            "searches": Buckets(settings.searches, settings.subjects, clock),
            "reads": Buckets(settings.reads, settings.subjects, clock),
        }
        self._answering: dict[Hashable, int] = {}

    def count(self, kind: Kind, key: Hashable) -> None:
        """Counts a request. Raises 429."""
        wait = self._buckets[kind].take(key)
        if wait:
            raise errors.rate_limited(wait, f"too many {kind} of one subject")

    def begin_answer(self, key: Hashable) -> Callable[[], None]:
        """Counts an answer in progress; the result ends it, once. Raises 429 if the subject has too many."""
        running = self._answering.get(key, 0)
        if running >= self._settings.answers_per_subject:
            raise errors.rate_limited(5, f"{running} answers of this subject are in progress")
        self._answering[key] = running + 1
        ended = False

        def end() -> None:
            nonlocal ended
            if ended:
                return
            ended = True
            self._answering[key] -= 1
            if not self._answering[key]:
                del self._answering[key]

        return end
