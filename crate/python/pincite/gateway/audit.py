"""Audit log: who asked what, and what was cited. JSON lines, appended.

A question has two lines with one request id: `asked` before anything is done, `answered` before the answer leaves. So what a
client got is in the log, and so is a question during which the process was killed. A search, a file, a text and a list have
one line. A line is one `write` to a file opened for appending, so lines of several processes do not mix; it is ASCII, so no
question can forge a line or a terminal's escape. The host rotates the file: when its name leads to another file, that is
opened. Neither passages, answers nor tokens are logged. `within` and `filter`, where a question was looked into, are logged as
they were sent, also where questions are hashed.

Cost: a `stat` and a `write` each line, 20 µs; with `sync` what the disk takes.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from pincite.gateway import errors
from pincite.gateway.auth import Principal
from pincite.gateway.settings import AuditSettings

#: Version of the format of a line.
FORMAT = 1


class Sink(Protocol):
    """Where lines go."""

    def write(self, line: bytes) -> None: ...
    def close(self) -> None: ...


class AppendedFile:
    """A file that is appended to, and opened again after a rotation. Mode 0600."""

    def __init__(self, path: str | os.PathLike[str], sync: bool = False) -> None:
        self._path = os.fspath(path)
        self._sync = sync
        self._lock = threading.Lock()
        self._fd = self._open()

    def write(self, line: bytes) -> None:
        with self._lock:
            if self._rotated():
                # Opened first: a number that is closed may be another file's by the next line.
                opened = self._open()
                os.close(self._fd)
                self._fd = opened
            written = os.write(self._fd, line)
            if written != len(line):  # a full disk: the rest would start the next line
                os.write(self._fd, b"\n")
                raise OSError(f"{written} of {len(line)} bytes were written")
            if self._sync:
                os.fsync(self._fd)

    def close(self) -> None:
        with self._lock:
            os.close(self._fd)

    def _open(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def _rotated(self) -> bool:
        try:
            named, held = os.stat(self._path), os.fstat(self._fd)
        except FileNotFoundError:
            return True
        return (named.st_ino, named.st_dev) != (held.st_ino, held.st_dev)


class Audit:
    """Writes the lines."""

    def __init__(self, settings: AuditSettings, sink: Sink | None, hash_key: bytes | None = None) -> None:
        self._settings = settings
        self._sink = sink
        self._hash_key = hash_key

    @staticmethod
    def of(settings: AuditSettings, environment: Mapping[str, str] | None = None) -> Audit:
        """The log of the settings. Raises `OSError` if its file cannot be opened."""
        variables = os.environ if environment is None else environment
        key = variables[settings.hash_key_env].encode() if settings.hash_key_env else None
        sink = AppendedFile(settings.file, settings.sync) if settings.file else None
        return Audit(settings, sink, key)

    def line(
        self, event: str, principal: Principal, request_id: str, via: str, required: bool = True, **fields: Any
    ) -> None:
        """Writes a line. Raises 503 if it cannot be written, and both `required` and the settings require it.

        `fields` with the value None are left out; `question` is hashed where the settings say so.
        """
        if self._sink is None:
            return
        question = fields.pop("question", None)
        entry: dict[str, Any] = {
            "format": FORMAT,
            "time": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "event": event,
            "requestId": request_id,
            "via": via,
            "tenant": principal.rights.tenant,
            "subject": principal.subject,
        }
        if question is not None:
            entry.update(self._question(question))
        entry.update({name: value for name, value in fields.items() if value is not None})
        try:
            self._sink.write(json.dumps(entry, separators=(",", ":")).encode("ascii") + b"\n")
        except OSError:
            if required and self._settings.required:
                raise errors.audit_unavailable() from None

    def close(self) -> None:
        """Closes the file."""
        if self._sink is not None:
            self._sink.close()

    def _question(self, question: str) -> dict[str, str]:
        if self._settings.questions:
            return {"question": question}
        text = question.encode()
        if self._hash_key is None:
            return {"questionSha256": hashlib.sha256(text).hexdigest()}
        return {"questionHmac": hmac.new(self._hash_key, text, hashlib.sha256).hexdigest()}


def cited(citations: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Citations as the log has them: where, and with which status; no words of the document."""
    return [
        {
            "documentId": each.get("documentId"),
            "page": each.get("page"),
            "ranges": [span.get("range") for span in each.get("spans", ())],
            "status": each.get("status"),
        }
        for each in citations
    ]
