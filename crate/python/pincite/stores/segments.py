"""Blobs in a folder: segments, vectors and files of documents, for stores whose database holds none.

A blob is written under a temporary name, flushed to disk, and renamed: it is there whole or not at all. Its path is made of
digests and numbers only, so no name of a tenant or document reaches the file system::

    FOLDER/blobs/<SHA-256 of the tenant>/<first two digits of the id>/<id>/<version>.<kind>
    FOLDER/pending/<version>.json      a put that has begun and is not cleaned up

Blobs of an object store (S3) need the same five operations: :class:`Blobs`.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from . import StoreError, check_document_id, check_tenant

_KINDS = ("segment", "vectors", "file")


@dataclass(frozen=True, slots=True)
class BlobKey:
    """Name of a blob. ``version`` is the number of the put that wrote it, 0 ≤ version < 2⁶³."""

    tenant: str
    document: str
    version: int
    kind: str

    def __post_init__(self) -> None:
        check_tenant(self.tenant)
        check_document_id(self.document)
        if self.kind not in _KINDS or not 0 <= self.version < 1 << 63:
            raise StoreError("bad-argument", "no blob has this kind or version")


@dataclass(frozen=True, slots=True)
class Pending:
    """A put that has begun: its number, and the document."""

    tenant: str
    document: str
    version: int


class Blobs(Protocol):
    """Where the blobs of a store are kept. May be called from several threads and processes."""

    def write(self, key: BlobKey, data: bytes) -> None:
        """Writes a blob; it is on disk when this returns."""

    def read(self, key: BlobKey, start: int = 0, end: int | None = None) -> tuple[bytes, int] | None:
        """Bytes ``start`` to ``end`` of a blob and its size; ``None`` where there is none."""

    def of_document(self, tenant: str, document: str) -> list[BlobKey]:
        """The blobs of a document, of all versions."""

    def remove(self, key: BlobKey) -> None:
        """Removes a blob, and what an interrupted write of it left."""

    def begin(self, put: Pending) -> None:
        """Notes that a put begins, before it writes anything."""

    def end(self, put: Pending) -> None:
        """Forgets a put that is done and cleaned up."""

    def pending(self) -> list[Pending]:
        """The puts that began and did not end: they run, or were interrupted."""


class FolderBlobs:
    """Blobs in a folder of a file system on which renaming is atomic."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in ("blobs", "pending"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def write(self, key: BlobKey, data: bytes) -> None:
        """See :meth:`Blobs.write`."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, data)

    def read(self, key: BlobKey, start: int = 0, end: int | None = None) -> tuple[bytes, int] | None:
        """See :meth:`Blobs.read`."""
        try:
            with self._path(key).open("rb") as file:
                total = os.fstat(file.fileno()).st_size
                start = min(start, total)
                stop = total if end is None else min(max(end, start), total)
                file.seek(start)
                return file.read(stop - start), total
        except FileNotFoundError:
            return None

    def of_document(self, tenant: str, document: str) -> list[BlobKey]:
        """See :meth:`Blobs.of_document`. Interrupted writes are listed too, so that they are removed."""
        names = set()
        with suppress(FileNotFoundError):
            for path in self._path(BlobKey(tenant, document, 0, "segment")).parent.iterdir():
                version, kind = path.name.lstrip(".").split(".")[:2]
                names.add((int(version, 16), kind))
        return [BlobKey(tenant, document, version, kind) for version, kind in sorted(names)]

    def remove(self, key: BlobKey) -> None:
        """See :meth:`Blobs.remove`."""
        path = self._path(key)
        for name in [path, *path.parent.glob(f".{path.name}.*")]:
            name.unlink(missing_ok=True)
        # The folder goes with its last blob.
        with suppress(OSError):
            path.parent.rmdir()

    def begin(self, put: Pending) -> None:
        """See :meth:`Blobs.begin`."""
        note = {"tenant": put.tenant, "document": put.document}
        _write(self._note(put.version), json.dumps(note).encode())

    def end(self, put: Pending) -> None:
        """See :meth:`Blobs.end`."""
        self._note(put.version).unlink(missing_ok=True)

    def pending(self) -> list[Pending]:
        """See :meth:`Blobs.pending`."""
        puts = []
        for path in sorted((self._folder / "pending").glob("*.json")):
            with suppress(FileNotFoundError, ValueError, KeyError):
                note = json.loads(path.read_bytes())
                puts.append(Pending(note["tenant"], note["document"], int(path.stem, 16)))
        return puts

    def _path(self, key: BlobKey) -> Path:
        tenant = hashlib.sha256(key.tenant.encode()).hexdigest()
        name = f"{key.version:016x}.{key.kind}"
        return self._folder / "blobs" / tenant / key.document[:2] / key.document / name

    def _note(self, version: int) -> Path:
        return self._folder / "pending" / f"{version:016x}.json"


def _write(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    while True:
        try:
            with temporary.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
            break
        except FileNotFoundError:
            # Another thread has just removed the folder with its last blob.
            path.parent.mkdir(parents=True, exist_ok=True)
        finally:
            temporary.unlink(missing_ok=True)
    # The name is on disk when its folder is.
    with suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
