"""The process that reads hostile files: ``python -m pincite.ingest.reader FD PARENT MEMORY``.

It receives its settings, then a file at a time, whose segment it returns, over a socket that it inherits. Nothing but
the engine runs here, and nothing of the run is known here, so a file that crashes this process costs its own result
alone.

Memory: the engine with the model's tokenizer (no weights), and the largest file. Start: 0.2 s.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import signal
import sys
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import pincite

PARENT_CHECK_S = 1.0


def main() -> None:
    """Serves files until the parent closes the connection or is gone."""
    fd, parent, memory_bytes = (int(argument) for argument in sys.argv[1:4])
    limit(memory_bytes)
    threading.Thread(target=end_with, args=(parent,), daemon=True).start()
    serve(Connection(fd))


def limit(memory_bytes: int) -> None:
    """Bounds this process. Allocations over the limit fail; the system's killer takes this process before its parent.

    Ctrl-C is for the parent alone to handle, which a terminal sends to both.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    faulthandler.disable()


def end_with(parent: int) -> None:
    """Ends this process when its parent is gone, also in the middle of a file."""
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_S)
    os._exit(0)


def serve(connection: Connection) -> None:
    """Replies to each file: a JSON header, then the segment or nothing."""
    settings = json.loads(connection.recv_bytes())
    send(connection, {"code": ""}, b"")
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            header, content = json.loads(connection.recv_bytes()), connection.recv_bytes()
            send(connection, *read(header, content, settings))
            del content


def read(header: dict[str, Any], content: bytes, settings: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """The segment of a file, or the engine's error."""
    try:
        document = pincite.read(
            content,
            name=header["name"],
            password=settings["password"],
            max_bytes=settings["max_bytes"],
            max_pages=settings["max_pages"],
        )
    except pincite.PinciteError as error:
        return {"code": error.code, "message": str(error), "hint": error.hint}, b""
    except MemoryError:
        return {"code": "memory-exceeded", "message": "no memory was left while the file was read", "hint": ""}, b""
    except BaseException as error:  # noqa: BLE001 (a panic is no Exception)
        # Its message may hold words of the document, its type does not.
        return {"code": "internal", "message": f"the reader failed: {type(error).__name__}", "hint": ""}, b""
    return {"code": "", "id": document.id}, document.segment


def send(connection: Connection, header: dict[str, Any], payload: bytes) -> None:
    """Sends a header and its payload."""
    connection.send_bytes(json.dumps(header).encode())
    connection.send_bytes(payload)


if __name__ == "__main__":
    main()
