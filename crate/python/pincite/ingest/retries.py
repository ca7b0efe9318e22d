"""Retries of what fails for a while: the network, an object store, a database."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 20.0


def retry(
    call: Callable[[], T],
    retries: int,
    is_transient: Callable[[Exception], bool],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> T:
    """The result of ``call``, which is called again up to ``retries`` times after errors that are transient.

    Pauses double from :data:`FIRST_PAUSE_S` and are drawn from the upper half, so that workers do not return in step.
    """
    for attempt in range(retries):
        try:
            return call()
        except Exception as error:
            if not is_transient(error):
                raise
            longest = min(FIRST_PAUSE_S * 2**attempt, LONGEST_PAUSE_S)
            pause(longest * random.uniform(0.5, 1.0))
    return call()
