"""Blocks of Ray Data: files and documents as Arrow tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from pincite.ingest.records import Parsed, SourceFile

FILES = pa.schema(
    [
        ("source", pa.uint32()),
        ("path", pa.binary()),
        ("size", pa.uint64()),
        ("modified_ns", pa.int64()),
        ("id", pa.string()),
    ]
)
DOCUMENTS = pa.schema(
    [
        *FILES,
        ("digest", pa.string()),
        ("segment", pa.large_binary()),
        ("content", pa.large_binary()),
        ("alone", pa.bool_()),
        ("stored_in", pa.list_(pa.uint32())),
        ("fetch", pa.float64()),
        ("read", pa.float64()),
    ]
)


def files_table(files: Sequence[SourceFile]) -> pa.Table:
    """Files as a block."""
    return pa.Table.from_pylist([_file_row(file) for file in files], FILES)


def files_of(table: pa.Table) -> list[SourceFile]:
    """The files of a block."""
    return [_file(row) for row in table.to_pylist()]


def documents_table(documents: Sequence[Parsed]) -> pa.Table:
    """Documents as a block."""
    rows = [
        {
            **_file_row(parsed.file),
            "digest": parsed.id,
            "segment": parsed.segment,
            "content": parsed.content,
            "alone": parsed.alone,
            "stored_in": list(parsed.stored_in),
            **{stage: parsed.seconds[stage] for stage in ("fetch", "read")},
        }
        for parsed in documents
    ]
    return pa.Table.from_pylist(rows, DOCUMENTS)


def documents_of(table: pa.Table) -> list[Parsed]:
    """The documents of a block."""
    return [
        Parsed(
            *(_file(row), row["digest"], row["segment"], row["content"], row["alone"]),
            {stage: row[stage] for stage in ("fetch", "read")},
            tuple(row["stored_in"]),
        )
        for row in table.to_pylist()
    ]


def _file_row(file: SourceFile) -> dict[str, Any]:
    path = file.path.encode("utf-8", "surrogateescape")
    return {"source": file.source, "path": path, "size": file.size, "modified_ns": file.modified_ns, "id": file.id}


def _file(row: dict[str, Any]) -> SourceFile:
    path = row["path"].decode("utf-8", "surrogateescape")
    return SourceFile(row["source"], path, row["size"], row["modified_ns"], row["id"])
