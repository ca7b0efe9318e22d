"""Ingest: files into a store, on one process or on a Ray cluster.

    python -m pincite.ingest --input DIR --out milvus:library.db --out parquet:library

Each step is one file, and both ways to run share all of them::

    sources.py      files of a folder or bucket; the same content under several names is found before anything is read
    coordinator.py  says for each file whether it is to be read; the only writer of the ledger (ledger.py)
    reading.py      file -> segment, in a process of its own (isolation.py, reader.py) that a hostile file may kill
    embedding.py    segments -> vectors, batches by tokens (encoders.py)
    sinks.py        documents -> stores and Parquet (parquet.py, schema.py)
    worker.py       the steps in a row
    plain.py        the loop around a worker here; distributed.py  around workers on Ray (blocks.py, metrics.py)
    driver.py       a whole run: bar and signals (progress.py), result (summary.py)

Guarantees:

- **Exactly once.** A document is the SHA-256 of its file. Puts are idempotent, and a Parquet part counts when it is
  committed.
- **Resumable.** A run that ends in any way, ``kill -9`` included, is continued by ``--resume``. Only files that were
  being read are read again, and the result is that of a run that was not interrupted.
- **A poisoned file stops nothing.** A file that crashes or hangs its reader, or takes too much memory, is set aside
  with the reason. No later run tries it by itself.
- **The same bytes as** ``pincite index``: segments always, vectors when the native encoder makes them.

Deliberately absent: OCR, formats other than PDF and Word, removal of documents whose file is gone.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.ingest.driver import run
    from pincite.ingest.settings import Settings
    from pincite.ingest.summary import Summary

__all__ = ["Settings", "Summary", "run"]

_HOMES = {"Settings": "settings", "Summary": "summary", "run": "driver"}


def __getattr__(name: str) -> Any:
    # The reading process is a module of this package, and starts without Arrow and stores.
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
