"""Files of the inputs: folders, single files, buckets.

Buckets are read by ``pyarrow.fs``. Local folders are read by the standard library, since pyarrow ends a listing at the
first name that is not UTF-8, and one such name must not keep a folder out.

**Names of equal content.** A segment holds its file's name, so which of two equal files is read must not depend on
which worker is faster. Equal files have equal sizes: files that share their size with another are hashed before the
run, and the first path in order is the one that is read. Cost: one more read of those files, at the speed of the disk
(1 GB/s and more).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol, TypeVar, cast

from pincite.ingest.records import IngestError, SourceFile
from pincite.ingest.retries import retry
from pincite.ingest.settings import Settings, redacted

if TYPE_CHECKING:
    import pyarrow.fs

T = TypeVar("T")

HASHING_THREADS = 8
BLOCK = 1 << 20


class Source(Protocol):
    """One input."""

    def files(self, suffixes: tuple[str, ...]) -> Iterator[SourceFile]:
        """Files whose names end in one of ``suffixes``, in any order. Hidden files and folders are left out."""

    def open(self, path: str) -> BinaryIO:
        """Opens a file for reading. Raises OSError."""


class LocalSource:
    """Folder or file of this machine. Symbolic links to files are followed, those to folders are not."""

    def __init__(self, index: int, root: Path) -> None:
        self.index = index
        self.root = root

    def files(self, suffixes: tuple[str, ...]) -> Iterator[SourceFile]:
        if self.root.is_file():
            yield self._file(str(self.root.absolute()))
            return
        if not self.root.is_dir():
            raise IngestError("bad-argument", f"{self.root}: no such file or folder")
        for folder, folders, names in os.walk(self.root.absolute(), onerror=_raise):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                path = os.path.join(folder, name)
                if is_wanted(name, suffixes) and os.path.isfile(path):
                    yield self._file(path)

    def open(self, path: str) -> BinaryIO:
        return open(path, "rb")

    def _file(self, path: str) -> SourceFile:
        status = os.stat(path)
        return SourceFile(self.index, path, status.st_size, status.st_mtime_ns)


class ArrowSource:
    """Folder or file of another file system, by its URI: ``s3://``, ``gs://``, ``hdfs://``."""

    def __init__(self, index: int, uri: str) -> None:
        import pyarrow.fs

        self.index = index
        self.uri = uri
        self.file_system: pyarrow.fs.FileSystem
        self.file_system, self.root = pyarrow.fs.FileSystem.from_uri(uri)

    def files(self, suffixes: tuple[str, ...]) -> Iterator[SourceFile]:
        import pyarrow.fs

        scheme = self.uri.partition("://")[0]
        root = self.file_system.get_file_info(self.root)
        if root.type == pyarrow.fs.FileType.NotFound:
            raise IngestError("bad-argument", f"{redacted(self.uri)}: no such file or folder")
        found = [root]
        if root.type == pyarrow.fs.FileType.Directory:
            found = self.file_system.get_file_info(pyarrow.fs.FileSelector(self.root, recursive=True))
        for info in found:
            parts = info.path[len(self.root) :].split("/") if info is not root else [info.base_name]
            hidden = any(part.startswith(".") for part in parts[:-1])
            if info.type == pyarrow.fs.FileType.File and not hidden and is_wanted(parts[-1], suffixes):
                yield SourceFile(self.index, f"{scheme}://{info.path}", info.size, info.mtime_ns or 0)

    def open(self, path: str) -> BinaryIO:
        return cast(BinaryIO, self.file_system.open_input_stream(path.partition("://")[2]))


def open_source(index: int, uri: str) -> Source:
    """The input of a path or URI.

    Raises:
        IngestError: ``bad-argument`` for a URI of an unknown scheme.
    """
    if "://" not in uri:
        return LocalSource(index, Path(uri))
    if uri.startswith("file://"):
        return LocalSource(index, Path(uri.removeprefix("file://")))
    try:
        return ArrowSource(index, uri)
    except (ValueError, OSError) as error:
        # The library's message repeats the URI with its keys.
        raise IngestError("bad-argument", f"{redacted(uri)}: no file system of this URI") from error


def is_wanted(name: str, suffixes: tuple[str, ...]) -> bool:
    """True for a name that is not hidden and has one of the endings."""
    return not name.startswith(".") and name.lower().endswith(suffixes)


def listed(settings: Settings) -> list[SourceFile]:
    """Files of all inputs, each path once, ordered by path."""
    files: dict[str, SourceFile] = {}
    for index, uri in enumerate(settings.inputs):
        for file in open_source(index, uri).files(settings.suffixes):
            files.setdefault(file.path, file)
    return [files[path] for path in sorted(files)]


class Reader:
    """Contents of files, with retries. Inputs are opened when they are first needed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._sources: dict[int, Source] = {}

    def content(self, file: SourceFile) -> bytes:
        """Content of a file.

        Raises:
            IngestError: ``file-unreadable`` after all retries; ``limit-exceeded`` for a file over the limit, which is
                not read.
        """
        return self._read(file, lambda stream: stream.read())

    def digest(self, file: SourceFile) -> str:
        """SHA-256 of a file in hex digits, in constant memory. Raises as :meth:`content`."""

        def hashed(stream: BinaryIO) -> str:
            state = hashlib.sha256()
            while block := stream.read(BLOCK):
                state.update(block)
            return state.hexdigest()

        return self._read(file, hashed)

    def _read(self, file: SourceFile, take: Callable[[BinaryIO], T]) -> T:
        if file.size > self._settings.max_bytes:
            found, limit = file.size >> 20, self._settings.max_bytes >> 20
            raise IngestError(
                "limit-exceeded", f"{found} MiB is over the limit of {limit} MiB", "raise --max-mib to read it"
            )
        source = self._sources.get(file.source)
        if source is None:
            source = self._sources[file.source] = open_source(file.source, self._settings.inputs[file.source])

        def attempt() -> T:
            with source.open(file.path) as stream:
                return take(stream)

        try:
            return retry(attempt, self._settings.retries, is_transient)
        except OSError as error:
            raise IngestError("file-unreadable", f"the file cannot be read: {_reason(error)}") from error


def with_ids_of_alike(
    files: Sequence[SourceFile], digest: Callable[[SourceFile], str], n_threads: int = HASHING_THREADS
) -> list[SourceFile]:
    """The files in their order; those without id that share their size with another one are hashed.

    A file that cannot be read stays without id: its worker reports it.
    """
    n_of_size: dict[int, int] = {}
    for file in files:
        n_of_size[file.size] = n_of_size.get(file.size, 0) + 1

    def hashed(file: SourceFile) -> SourceFile:
        if file.id is not None or n_of_size[file.size] == 1:
            return file
        try:
            return replace(file, id=digest(file))
        except IngestError:
            return file

    with ThreadPoolExecutor(n_threads, thread_name_prefix="hashing") as threads:
        return list(threads.map(hashed, files))


def without_duplicates(files: Iterable[SourceFile]) -> tuple[list[SourceFile], list[SourceFile]]:
    """The first file of each content, and the others of known content."""
    firsts: list[SourceFile] = []
    others: list[SourceFile] = []
    seen: set[str] = set()
    for file in files:
        if file.id is not None and file.id in seen:
            others.append(file)
            continue
        if file.id is not None:
            seen.add(file.id)
        firsts.append(file)
    return firsts, others


def is_transient(error: Exception) -> bool:
    """True for errors of reading that may pass: all of the operating system's but those that say what the file is."""
    lasting = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError)
    return isinstance(error, OSError) and not isinstance(error, lasting)


def _reason(error: OSError) -> str:
    """Reason of a failure, without the path or URI that the message repeats."""
    return error.strerror or type(error).__name__


def _raise(error: OSError) -> None:
    raise IngestError("file-unreadable", f"a folder cannot be listed: {_reason(error)}") from error
