"""A put that is killed: run by the tests of the stores, in a process of its own.

Counts the writes of the store's own modules, statements or rows or files, and kills the process before the one asked for.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from store_documents import FINGERPRINT, sample

from pincite.stores import open_store


def counted(owner: Any, name: str, count: Callable[[], None]) -> None:
    original = getattr(owner, name)

    def wrapped(*arguments: Any, **options: Any) -> Any:
        count()
        return original(*arguments, **options)

    setattr(owner, name, wrapped)


def main(url: str, seed: int, at: int, name: str | None) -> None:
    one = sample(seed, name=name)
    store = open_store(url)
    left = [at]

    def count() -> None:
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1

    if url.startswith("postgresql"):
        import psycopg

        from pincite.stores import postgres_writes

        for function in ("_write_postings", "_write_blob", "_write_vectors", "lock", "delete"):
            counted(postgres_writes, function, count)
        counted(psycopg.Transaction, "__exit__", count)
    else:
        from pincite.stores.milvus_rows import Rows
        from pincite.stores.segments import FolderBlobs

        for function in ("insert", "upsert", "delete"):
            counted(Rows, function, count)
        for function in ("begin", "write", "remove", "end"):
            counted(FolderBlobs, function, count)
    store.put(one.document, one.vectors, FINGERPRINT, tenant="tenant-a", file=one.file)
    sys.exit(f"the put was done before its write number {at}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] or None)
