"""Parquet beside a store: documents, units, vectors and segments as tables (:mod:`.schema`).

Workers write the files of a part; the coordinator commits it by one small JSON file, which appears whole on a disk
(rename) and in a bucket (put). Files without a commit are what an interrupted run leaves: readers do not see them, and
the next run removes them. Dataset readers that know nothing of commits skip ``_commits`` by its underscore, but see
such files until then.

A part's name is made of the SHA-256 of its tenant, by which an ingest knows its own files beside those of another
tenant's, and the SHA-256 of its documents' ids, so writing the same part again replaces it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.dataset
import pyarrow.fs
import pyarrow.parquet
from numpy.typing import NDArray

from pincite.ingest.records import IngestError
from pincite.ingest.schema import TABLES, VERSION, check_version, schema_of, version_in
from pincite.ingest.settings import redacted

if TYPE_CHECKING:
    import pincite

COMMITS = "_commits"
COMPRESSION = "zstd"


@dataclass(frozen=True, slots=True)
class EmbeddedDocument:
    """Document as outputs receive it."""

    document: pincite.Document
    path: str
    """The file that was read."""
    file_bytes: int
    """Size of that file."""
    rows: Sequence[int]
    """Rows that have a vector, ascending."""
    vectors: NDArray[np.float32] | None
    """float32 ``[len(rows), dimensions]``; ``None`` without an encoder."""


class Folder:
    """Folder of Parquet files, on a disk or in a bucket."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.is_local = "://" not in url
        self.file_system: pyarrow.fs.FileSystem
        self.file_system, self.root = pyarrow.fs.FileSystem.from_uri(
            str(Path(url).absolute()) if self.is_local else url
        )

    def path(self, *parts: str) -> str:
        """Path of a file in the folder."""
        return "/".join([self.root, *parts])

    def make(self, folder: str) -> None:
        """Makes a folder of the folder. A bucket has none."""
        if self.is_local:
            self.file_system.create_dir(self.path(folder), recursive=True)

    def names(self, folder: str) -> list[str]:
        """Names of the files in a folder of the folder, sorted; none if it is not there."""
        selector = pyarrow.fs.FileSelector(self.path(folder), allow_not_found=True)
        return sorted(info.base_name for info in self.file_system.get_file_info(selector) if info.is_file)

    def commits(self) -> Iterator[dict[str, Any]]:
        """The commits, by part name.

        Raises:
            IngestError: ``schema-version`` for a commit of a newer version.
        """
        for name in self.names(COMMITS):
            if name.endswith(".json"):
                with self.file_system.open_input_stream(self.path(COMMITS, name)) as stream:
                    content = stream.read()
                try:
                    commit = json.loads(content)
                except ValueError:
                    raise IngestError("output-damaged", f"{redacted(self.url)}: {name} is no commit") from None
                check_version(commit.get("schema"), redacted(self.url))
                yield commit


class ParquetWriter:
    """Writes parts. They do not count before :meth:`ParquetCommits.commit`."""

    def __init__(self, url: str, tenant: str, fingerprint: str | None, dimensions: int | None) -> None:
        self._folder = Folder(url)
        self._tenant = tenant
        self._fingerprint = fingerprint
        self._dimensions = dimensions

    def write(self, documents: Sequence[EmbeddedDocument]) -> dict[str, Any]:
        """Writes a part of at least one document, and returns what commits it."""
        documents = sorted(documents, key=lambda embedded: embedded.document.id)
        ids = [embedded.document.id for embedded in documents]
        part = part_prefix(self._tenant) + hashlib.sha256("\n".join(ids).encode()).hexdigest()[:32]
        tables = [table for table in TABLES if table != "rows" or self._dimensions is not None]
        for table in tables:
            schema = schema_of(table, self._dimensions or 0)
            pieces = [self._table(table, embedded, schema) for embedded in documents]
            self._write(table, part, pa.concat_tables(pieces))
        return {
            "schema": VERSION,
            "part": part,
            "tenant": self._tenant,
            "fingerprint": self._fingerprint,
            "tables": tables,
            "documents": ids,
        }

    def _table(self, table: str, embedded: EmbeddedDocument, schema: pa.Schema) -> pa.Table:
        """The rows of a document in a table."""
        document = embedded.document
        match table:
            case "documents":
                columns = self._description(embedded)
            case "units":
                units = pa.table(document.units)
                columns = {name: units[name] for name in schema.names if name in units.column_names}
            case "rows":
                columns = vectors_table(embedded, schema)
            case _:
                columns = {"segment": [document.segment]}
        n_rows = len(next(iter(columns.values())))
        key = {"tenant": [self._tenant] * n_rows, "document": [document.id] * n_rows}
        return pa.table(
            {name: as_type({**key, **columns}[name], schema.field(name).type) for name in schema.names}, schema
        )

    def _description(self, embedded: EmbeddedDocument) -> dict[str, Any]:
        document = embedded.document
        segment = document.segment
        values = {
            "name": document.name,
            "title": document.title,
            "date": document.date,
            "edition": document.edition,
            "path": embedded.path,
            "file_bytes": embedded.file_bytes,
            "n_pages": document.n_pages,
            "n_units": pa.table(document.units).num_rows,
            "n_rows": document.n_passages,
            "n_vectors": 0 if embedded.vectors is None else len(embedded.rows),
            "segment_sha256": hashlib.sha256(segment).hexdigest(),
            "fingerprint": self._fingerprint,
            "diags": json.dumps(document.diags, ensure_ascii=False, sort_keys=True),
        }
        return {name: [value] for name, value in values.items()}

    def _write(self, table: str, part: str, content: pa.Table) -> None:
        folder = self._folder
        folder.make(table)
        path = folder.path(table, f"{part}.parquet")
        pyarrow.parquet.write_table(
            content, path, filesystem=folder.file_system, compression=COMPRESSION, **encoding(table)
        )
        if folder.is_local:
            flush(path)


class ParquetCommits:
    """Commits parts. One process does, the coordinator."""

    def __init__(self, url: str, tenant: str) -> None:
        self._folder = Folder(url)
        self._tenant = tenant

    def recover(self) -> list[str]:
        """Removes files of the tenant that no commit names, and returns the ids of its documents.

        Another tenant may be ingested at the same time: its files are not touched.
        """
        folder, parts, ids = self._folder, set(), []
        prefix = part_prefix(self._tenant)
        for commit in folder.commits():
            parts.add(commit["part"])
            if commit["tenant"] == self._tenant:
                ids.extend(commit["documents"])
        for table in TABLES:
            for name in folder.names(table):
                if name.startswith(prefix) and name.removesuffix(".parquet") not in parts:
                    folder.file_system.delete_file(folder.path(table, name))
        for name in folder.names(COMMITS):
            if name.startswith(prefix) and name.endswith(".tmp"):
                folder.file_system.delete_file(folder.path(COMMITS, name))
        return ids

    def commit(self, part: dict[str, Any]) -> None:
        """Makes a part count.

        Raises:
            IngestError: ``model-mismatch`` if the part's vectors are of another model than those that are there.
        """
        self._check_model(part)
        folder = self._folder
        folder.make(COMMITS)
        path, content = folder.path(COMMITS, f"{part['part']}.json"), json.dumps(part).encode()
        if not folder.is_local:
            with folder.file_system.open_output_stream(path) as stream:
                stream.write(content)
            return
        temporary = Path(f"{path}.tmp")
        temporary.write_bytes(content)
        flush(str(temporary))
        temporary.replace(path)
        flush(folder.path(COMMITS))

    def _check_model(self, part: dict[str, Any]) -> None:
        for name in [name for name in self._folder.names(COMMITS) if name.endswith(".json")][:1]:
            with self._folder.file_system.open_input_stream(self._folder.path(COMMITS, name)) as stream:
                theirs, ours = json.loads(stream.read())["fingerprint"], part["fingerprint"]
            if theirs != ours:
                found, expected = (str(fingerprint)[:12] for fingerprint in (ours, theirs))
                raise IngestError(
                    "model-mismatch",
                    f"{redacted(self._folder.url)}: vectors of model {expected}, the one given is {found}",
                    "give the model that it was made with, or another folder",
                )


class ParquetTables:
    """The committed tables of a folder, as pyarrow datasets.

    Raises:
        IngestError: ``schema-version`` if a newer version wrote any part of it.
    """

    def __init__(self, url: str) -> None:
        self._folder = Folder(url)
        self._commits = list(self._folder.commits())

    def dataset(self, table: str) -> pyarrow.dataset.Dataset:
        """A table: ``documents``, ``units``, ``rows`` or ``segments``."""
        folder = self._folder
        files = [
            folder.path(table, f"{commit['part']}.parquet") for commit in self._commits if table in commit["tables"]
        ]
        if files:
            check_version(
                version_in(pyarrow.parquet.read_schema(files[0], filesystem=folder.file_system)), redacted(folder.url)
            )
            return pyarrow.dataset.dataset(files, filesystem=folder.file_system, format="parquet")
        return pyarrow.dataset.dataset(schema_of(table, 1).empty_table())

    def documents(self) -> list[str]:
        """Ids of the documents of all tenants, sorted."""
        return sorted(id for commit in self._commits for id in commit["documents"])

    def segment(self, id: str, tenant: str = "default") -> bytes:
        """Stored bytes of a document. Raises KeyError for one that is not there."""
        wanted = (pyarrow.compute.field("tenant") == tenant) & (pyarrow.compute.field("document") == id)
        found = self.dataset("segments").to_table(filter=wanted, columns=["segment"])["segment"].to_pylist()
        if not found:
            raise KeyError(id)
        return bytes(found[0])


def part_prefix(tenant: str) -> str:
    """Beginning of the names of a tenant's parts."""
    return f"part-{hashlib.sha256(tenant.encode()).hexdigest()[:12]}-"


def vectors_table(embedded: EmbeddedDocument, schema: pa.Schema) -> dict[str, Any]:
    """Rows and vectors of a document. The vectors are not copied."""
    dimensions = schema.field("vector").type.list_size
    vectors = embedded.vectors if embedded.vectors is not None else np.empty((0, dimensions), np.float32)
    values = pa.array(np.ascontiguousarray(vectors, np.float32).reshape(-1))
    return {"row": embedded.rows, "vector": pa.FixedSizeListArray.from_arrays(values, type=schema.field("vector").type)}


def encoding(table: str) -> dict[str, Any]:
    """Encoding of a table's columns. The bytes of vectors are grouped by place, which compresses the exponents."""
    if table != "rows":
        return {}
    return {"use_dictionary": ["tenant", "document"], "column_encoding": {"vector.list.element": "BYTE_STREAM_SPLIT"}}


def as_type(column: Any, type: pa.DataType) -> Any:
    """A column of a type: the engine's texts are views, the tables' are strings."""
    return column.cast(type) if isinstance(column, (pa.Array, pa.ChunkedArray)) else pa.array(column, type)


def flush(path: str) -> None:
    """Has the system write a file, or the entries of a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
