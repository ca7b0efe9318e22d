"""Supervision of the process that reads files (:mod:`.reader`): time, memory, death, restart.

A crash cannot be caught in the process that it happens in, and a thread that hangs cannot be ended. So each worker has
one such process, which reads one file at a time: whatever ends it is that file's doing, and the file is set aside.

Cost: the file and its segment are copied through a socket, about 1 ms for a file of 1 MiB; a restart takes 0.3 s.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any

import pincite
from pincite.ingest.records import IngestError, Stopped
from pincite.ingest.settings import Settings

CHECK_S = 0.05
"""Time between two looks at memory and clock, in seconds."""
START_S = 120.0
"""Maximum time of a start, in seconds."""
END_S = 5.0
"""Maximum wait for the end of a process whose connection has ended, in seconds."""
BASE_BYTES = 1 << 29
"""Memory that the process needs without a file, in bytes: added to the limit, and beyond it the process is replaced."""


class ReaderProcess:
    """The process that reads files. It is started when it is first needed, and again after it has died."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        # Not arguments of the process, which everybody on the machine can read.
        self._options = {
            "password": settings.password,
            "max_bytes": settings.max_bytes,
            "max_pages": settings.max_pages,
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._stderr: IO[bytes] | None = None
        self._last_words = ""

    def segment(self, content: bytes, name: str, id: str, stopped: Callable[[], bool]) -> bytes:
        """Segment of a file whose SHA-256 is ``id``.

        Raises:
            IngestError: the engine's error; ``crashed``, ``timeout`` or ``memory-exceeded``; ``model-mismatch`` and
                ``reader-unusable``, which are the run's and not the file's.
            Stopped: the run is being stopped; the process is ended.
        """
        connection = self._started()
        header, segment = self._exchange(connection, name, content, stopped)
        if header["code"]:
            raise IngestError(header["code"], header["message"], header["hint"])
        if header["id"] != id:
            raise IngestError("internal", "the engine read another content than was sent")
        if self._memory() > BASE_BYTES:
            # What an allocator keeps of one file is not to be blamed on the next.
            self.close()
        return segment

    def close(self) -> None:
        """Ends the process."""
        process, connection, stderr = self._process, self._connection, self._stderr
        self._process = self._connection = self._stderr = None
        if connection is not None:
            connection.close()
        if process is not None:
            process.kill()
            process.wait()
        if stderr is not None:
            stderr.close()

    def _started(self) -> Connection:
        if self._connection is not None:
            return self._connection
        ours, theirs = socket.socketpair()
        package = str(Path(pincite.__file__).parents[1])
        path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
        memory_bytes = self._settings.memory_bytes + BASE_BYTES
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        with theirs:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "pincite.ingest.reader", str(theirs.fileno()), str(os.getpid())),
                    str(memory_bytes),
                ],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
                env={**os.environ, **self._environment(), "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
            )
        self._connection = Connection(ours.detach())
        try:
            self._send(json.dumps(self._options).encode())
            self._reply(self._connection, START_S, lambda: False)
        except IngestError as error:
            # No file was there yet, so its messages are the program's.
            lines = self._last_words.splitlines()[-1:]
            raise IngestError("reader-unusable", f"the reading process did not start: {error}", *lines) from None
        return self._connection

    def _environment(self) -> dict[str, str]:
        """Where the engine finds the model's tokenizer, which counts tokens. Weights are not loaded there."""
        return {"PINCITE_MODELS": str(self._settings.models_folder())}

    def _exchange(
        self, connection: Connection, name: str, content: bytes, stopped: Callable[[], bool]
    ) -> tuple[dict[str, Any], bytes]:
        self._send(json.dumps({"name": name}).encode(), content)
        return self._reply(connection, self._settings.timeout_s, stopped)

    def _send(self, *messages: bytes) -> None:
        assert self._connection is not None
        try:
            for message in messages:
                self._connection.send_bytes(message)
        except OSError:
            raise self._death() from None

    def _reply(
        self, connection: Connection, timeout_s: float, stopped: Callable[[], bool]
    ) -> tuple[dict[str, Any], bytes]:
        end = time.monotonic() + timeout_s
        try:
            while not connection.poll(CHECK_S):
                if time.monotonic() > end:
                    self.close()
                    raise IngestError(
                        "timeout", f"the file was not read in {timeout_s:g} s", "raise --timeout to wait longer"
                    )
                if self._memory() > self._settings.memory_bytes + BASE_BYTES:
                    self.close()
                    raise self._memory_error()
                if stopped():
                    self.close()
                    raise Stopped
            return json.loads(connection.recv_bytes()), connection.recv_bytes()
        except (EOFError, OSError):
            # OSError without a class of its own, where the process ends in the middle of a message.
            raise self._death() from None

    def _death(self) -> IngestError:
        """Why the process has died."""
        status = 0
        if self._process is not None:
            try:
                status = self._process.wait(END_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                status = self._process.wait()
        said = self._last_words = self._said()
        self.close()
        if "memory allocation of" in said or "MemoryError" in said:
            return self._memory_error()
        reason = f"status {status}"
        if status < 0:
            reason = signal.Signals(-status).name
        return IngestError("crashed", f"the reading process ended by {reason}")

    def _memory_error(self) -> IngestError:
        return IngestError(
            "memory-exceeded",
            f"the file needs more than {self._settings.memory_bytes >> 20} MiB of memory",
            "raise --memory-mib to read it",
        )

    def _said(self) -> str:
        """End of the process's messages. They may hold words of a document, so no file's error passes them on."""
        if self._stderr is None:
            return ""
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - 4096))
        return self._stderr.read().decode("utf-8", "replace")

    def _memory(self) -> int:
        """Memory that the process holds, in bytes; 0 where the system does not say."""
        if self._process is None:
            return 0
        try:
            with open(f"/proc/{self._process.pid}/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            return 0
