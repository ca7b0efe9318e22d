"""Makes the engine fail as hostile files might, in every process that has this folder on its path.

A file with one of the marks ends or hangs the process that reads it; a document whose name begins with ``killer`` ends
the process that embeds it.
"""

import os
import signal
import time
from typing import Any

import pincite

_read, _Document = pincite.read, pincite.Document


class Panic(BaseException):
    """A panic of the engine, as Python sees it."""


def read(source: bytes, **options: Any) -> pincite.Document:
    if b"%POISON-CRASH" in source:
        os.kill(os.getpid(), signal.SIGSEGV)
    if b"%POISON-HANG" in source:
        time.sleep(3600)
    if b"%POISON-PANIC" in source:
        raise Panic("words of the document")
    if b"%POISON-MEMORY" in source:
        held = []
        while True:
            held.append(bytearray(b"x" * (16 << 20)))
    return _read(source, **options)


class Document:
    @staticmethod
    def from_segment(segment: bytes) -> pincite.Document:
        document = _Document.from_segment(segment)
        if document.name.startswith("killer"):
            os.kill(os.getpid(), signal.SIGKILL)
        return document


pincite.read = read  # type: ignore[assignment]
pincite.Document = Document  # type: ignore[assignment,misc]
