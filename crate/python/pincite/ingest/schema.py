"""Schema of the Parquet tables, version :data:`VERSION`. :data:`COLUMNS` documents it, and stands in every file too.

A folder of four tables, one file each for every part, and a commit for every part that counts::

    documents/part-….parquet   one row a document
    units/part-….parquet       one row a passage that is found by words: child, article or note
    rows/part-….parquet        one row a passage that has a vector; missing in a collection without vectors
    segments/part-….parquet    one row a document: the stored bytes, which the engine reads back
    _commits/part-….json       written last: names the part and its documents

``(tenant, document)`` joins all tables, ``(tenant, document, row)`` units and rows. Within a part, documents are
ordered by id and the rest by number. Every file's metadata has ``pincite.schema`` (this version), ``pincite.table``
and ``pincite.version`` (of the package that wrote it). A new column that may be missing does not change the version;
everything else does, and a reader refuses a newer version by its number.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from pincite.ingest.records import IngestError

VERSION = 1

_KEY = (
    ("tenant", pa.string(), True, "tenant that the document belongs to"),
    ("document", pa.string(), True, "id of the document: SHA-256 of its file, 64 hex digits"),
)

COLUMNS: dict[str, tuple[tuple[str, Any, bool, str], ...]] = {
    "documents": (
        *_KEY,
        ("name", pa.string(), True, "file name"),
        ("title", pa.string(), False, "title, if the document has one"),
        ("date", pa.string(), False, "date that the document gives itself, ISO 8601 to the precision printed"),
        ("edition", pa.string(), False, "edition that the document gives itself, as printed"),
        ("path", pa.string(), True, "path or URI that the file was read from; what is not text is escaped"),
        ("file_bytes", pa.uint64(), True, "size of the file in bytes"),
        ("n_pages", pa.uint32(), True, "number of pages; 0 for a Word file"),
        ("n_units", pa.uint32(), True, "number of its units"),
        ("n_rows", pa.uint32(), True, "number of passages that have a vector, or would if the model could read them"),
        ("n_vectors", pa.uint32(), True, "number of its vectors"),
        ("segment_sha256", pa.string(), True, "SHA-256 of the stored bytes, 64 hex digits"),
        ("fingerprint", pa.string(), False, "model of the vectors: those of equal fingerprint are comparable"),
        ("diags", pa.string(), True, "diagnostics of reading the file, a JSON array"),
    ),
    "units": (
        *_KEY,
        ("unit", pa.uint32(), True, "number of the unit in the document, from 0"),
        ("chunk", pa.uint32(), True, "number of the chunk that it is"),
        ("kind", pa.string(), True, "child, article or note"),
        ("section", pa.uint32(), True, "number of the section that it stands in"),
        ("path", pa.string(), True, "headings above it, outermost first"),
        ("page", pa.uint32(), False, "page on which it begins, from 1; null in a document without pages"),
        ("text", pa.string(), True, "text"),
        ("row", pa.uint32(), False, "row of its vector; null where it gets none"),
    ),
    "rows": (
        *_KEY,
        ("row", pa.uint32(), True, "number of the row in the document, from 0"),
        ("vector", "vector", True, "vector of unit length"),
    ),
    "segments": (
        *_KEY,
        ("segment", pa.large_binary(), True, "stored bytes: Document.from_segment reads them"),
    ),
}
"""Columns of each table: name, type, whether there is always a value, meaning."""

TABLES = tuple(COLUMNS)


def schema_of(table: str, dimensions: int) -> pa.Schema:
    """Schema of a table. ``dimensions`` is that of the vectors."""
    import pincite

    vector = pa.list_(pa.field("element", pa.float32(), nullable=False), dimensions)
    fields = [
        pa.field(name, vector if type == "vector" else type, nullable=not always, metadata={"description": meaning})
        for name, type, always, meaning in COLUMNS[table]
    ]
    metadata = {"pincite.schema": str(VERSION), "pincite.table": table, "pincite.version": pincite.__version__}
    return pa.schema(fields, metadata=metadata)


def check_version(found: object, what: str) -> None:
    """Refuses a version that this build does not read.

    Raises:
        IngestError: ``schema-version``, with both numbers.
    """
    try:
        version = int(str(found))
    except ValueError:
        raise IngestError("schema-version", f"{what}: no Parquet of Pincite, it has no schema version") from None
    if version > VERSION:
        raise IngestError(
            "schema-version", f"{what}: schema {version}, this build reads up to {VERSION}", "update pincite to read it"
        )


def version_in(schema: pa.Schema) -> str:
    """Version in the metadata of a file; empty without one."""
    found: bytes = (schema.metadata or {}).get(b"pincite.schema", b"")
    return found.decode("utf-8", "replace")
