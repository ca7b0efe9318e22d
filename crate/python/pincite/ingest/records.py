"""Records that pass between coordinator and workers: plain data, cheap to pickle."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

State = Literal["done", "set-aside", "failed"]
"""``set-aside``: the file's fault, never tried again by itself. ``failed``: another fault, the next run tries again."""

STAGES = ("fetch", "read", "embed", "put")
"""Stages of a document, in the order in which they happen."""


class IngestError(Exception):
    """Error of one file or of the run: ``code`` for programs, message and hint for people. None holds document text.

    Codes are those of the engine and of the stores, and of ingest itself: ``crashed``, ``timeout``,
    ``memory-exceeded``, ``worker-killed``, ``file-unreadable``, ``output-unwritable``, ``output-damaged``,
    ``encoder-unusable``, ``reader-unusable``, ``ledger-exists``, ``ledger-mismatch``, ``ledger-locked``,
    ``schema-version``, ``ray-failed``.
    """

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.hint = hint

    def __reduce__(self) -> tuple[type[IngestError], tuple[str, str, str]]:
        return type(self), (self.code, str(self), self.hint)


def reason(error: BaseException) -> str:
    """First line of an error, at most 200 characters."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:200]


class Stopped(Exception):
    """The run is being stopped; what was begun is given up and nothing of it is stored."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """File of an input. ``path`` may hold surrogates where the file system's name is not UTF-8."""

    source: int
    """Index of the input that it was listed by."""
    path: str
    size: int
    """Size in bytes."""
    modified_ns: int
    """Time of the last change, in nanoseconds since 1970."""
    id: str | None = None
    """SHA-256 of its content in hex digits, where it is known."""

    @property
    def name(self) -> str:
        """File name as the engine sees it: what is not UTF-8 becomes U+FFFD."""
        last = self.path.rsplit("/", 1)[-1]
        return last.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

    @property
    def label(self) -> str:
        """The path as text, for ledger and messages: what is not UTF-8, or steers a terminal, is escaped."""
        text = self.path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Reply to a claim."""

    kind: Literal["go", "known", "poisoned", "stop"]
    """``go``: go on; ``known``: its content is stored, set aside or in other hands; ``poisoned``: workers died with it;
    ``stop``: the run is ending."""
    alone: bool = False
    """True if a worker died with this file, which is then embedded by itself."""
    stored_in: tuple[int, ...] = ()
    """Outputs that have its document already, by index: a run ended between two of them, or one of them was removed."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """Document that was read and has no vectors yet."""

    file: SourceFile
    id: str
    segment: bytes
    content: bytes | None
    """Bytes of the file, if they are stored too."""
    alone: bool
    seconds: dict[str, float]
    """Time of each stage so far, in seconds."""
    stored_in: tuple[int, ...] = ()
    """Outputs that have it already, by index."""

    def alone_if(self, alone: bool) -> Parsed:
        """The same document, to be embedded by itself if ``alone``."""
        return replace(self, alone=self.alone or alone)


@dataclass(frozen=True, slots=True)
class Outcome:
    """End of a file: stored, set aside or failed."""

    id: str | None
    """SHA-256 of the content; ``None`` for a file that was not read."""
    file: SourceFile
    state: State
    code: str = ""
    message: str = ""
    n_pages: int = 0
    n_passages: int = 0
    n_vectors: int = 0
    n_tokens: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of_error(cls, id: str | None, file: SourceFile, error: IngestError, *, transient: bool = False) -> Outcome:
        """The end of a file by an error."""
        return cls(id, file, "failed" if transient else "set-aside", error.code, str(error))


@dataclass(frozen=True, slots=True)
class Receipt:
    """Part that a worker has written and that counts once the coordinator commits it."""

    sink: int
    """Index of the output."""
    part: dict[str, Any]
    """Record that the output needs to commit it, as JSON."""
