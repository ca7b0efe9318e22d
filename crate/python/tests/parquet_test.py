"""Parquet: a schema that stays, parts that count whole or not at all."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from pincite import Document, Encoder, __version__, read
from pincite.ingest.parquet import EmbeddedDocument, ParquetCommits, ParquetTables, ParquetWriter
from pincite.ingest.records import IngestError
from pincite.ingest.schema import TABLES, VERSION, check_version, schema_of

# A change of this table is a new version, or a new column that may be missing.
SCHEMA = """
documents: tenant string!, document string!, name string!, title string, date string, edition string, path string!,
    file_bytes uint64!, n_pages uint32!, n_units uint32!, n_rows uint32!, n_vectors uint32!, segment_sha256 string!,
    fingerprint string, diags string!
units: tenant string!, document string!, unit uint32!, chunk uint32!, kind string!, section uint32!, path string!, page
uint32,
    text string!, row uint32
rows: tenant string!, document string!, row uint32!, vector fixed_size_list<element: float not null>[384]!
segments: tenant string!, document string!, segment large_binary!
"""

VECTORS = np.eye(2, 384, dtype=np.float32)


@pytest.fixture(scope="module")
def documents(samples: Path, encoder: Encoder) -> list[Document]:
    """A PDF, a Word file, and one of which the model reads nothing."""
    names = ("contract.pdf", "word/rulebook.docx", "word/complaints-zh.docx")
    return [read(samples / name, encoder=encoder) for name in names]


def embedded(document: Document, encoder: Encoder) -> EmbeddedDocument:
    """A document with its vectors."""
    rows = document.embeddable
    vectors = encoder.embed(document.passages(rows)) if rows else np.empty((0, encoder.dimensions), np.float32)
    return EmbeddedDocument(document, f"/in/{document.name}", 1000, rows, vectors)


def written(
    folder: Path, documents: list[EmbeddedDocument], *, fingerprint: str | None = "f", tenant: str = "t"
) -> dict[str, object]:
    """A part that is written and not committed."""
    dimensions = None if fingerprint is None else 384
    return ParquetWriter(str(folder), tenant, fingerprint, dimensions).write(documents)


def test_the_schema_is_the_documented_one_and_its_version_is_in_every_file(
    documents: list[Document], encoder: Encoder, tmp_path: Path
) -> None:
    written(tmp_path, [embedded(document, encoder) for document in documents])
    described = ""
    for table in TABLES:
        (file,) = (tmp_path / table).iterdir()
        schema = pyarrow.parquet.read_schema(file)
        columns = [f"{field.name} {field.type}{'' if field.nullable else '!'}" for field in schema]
        described += f"{table}: {', '.join(columns)} "
        metadata = {key: value for key, value in schema.metadata.items() if key.startswith(b"pincite.")}
        assert metadata == {
            b"pincite.schema": str(VERSION).encode(),
            b"pincite.table": table.encode(),
            b"pincite.version": __version__.encode(),
        }
        assert schema.equals(schema_of(table, 384))
    assert described.split() == SCHEMA.split()


def test_what_is_read_is_what_was_written(documents: list[Document], encoder: Encoder, tmp_path: Path) -> None:
    all_embedded = {document.id: embedded(document, encoder) for document in documents}
    commits = ParquetCommits(str(tmp_path), "t")
    commits.commit(written(tmp_path, list(all_embedded.values()), fingerprint=encoder.fingerprint))
    tables = ParquetTables(str(tmp_path))
    assert tables.documents() == sorted(all_embedded)
    found = {table: tables.dataset(table).to_table() for table in TABLES}
    for row in found["documents"].to_pylist():
        one = all_embedded[row["document"]]
        segment = one.document.segment
        assert tables.segment(row["document"], "t") == segment
        assert row["segment_sha256"] == hashlib.sha256(segment).hexdigest()
        assert (row["n_pages"], row["n_rows"], row["n_vectors"]) == (
            one.document.n_pages,
            one.document.n_passages,
            len(one.rows),
        )
        assert json.loads(row["diags"]) == one.document.diags
        mine = pa.compute.field("document") == row["document"]
        vectors = found["rows"].filter(mine)
        assert vectors["row"].to_pylist() == list(one.rows)
        values = np.array(vectors["vector"].to_pylist(), np.float32).reshape(-1, 384)
        assert one.vectors is not None and values.tobytes() == one.vectors.tobytes()
        units = found["units"].filter(mine).drop_columns(["tenant", "document"])
        assert units.to_pylist() == pa.table(one.document.units).select(units.column_names).to_pylist()
        assert len(units) == row["n_units"]
        # Every vector is that of a unit.
        assert set(one.rows) <= set(units["row"].to_pylist())
    with pytest.raises(KeyError):
        tables.segment(documents[0].id, "another tenant")


def test_a_collection_without_vectors_has_no_rows(documents: list[Document], tmp_path: Path) -> None:
    part = written(tmp_path, [EmbeddedDocument(documents[0], "/in/a", 1, [], None)], fingerprint=None)
    ParquetCommits(str(tmp_path), "t").commit(part)
    tables = ParquetTables(str(tmp_path))
    assert tables.dataset("rows").to_table().num_rows == 0
    assert tables.dataset("documents").to_table()["fingerprint"].to_pylist() == [None]


def test_a_part_counts_when_it_is_committed_and_what_is_left_is_removed(
    documents: list[Document], encoder: Encoder, tmp_path: Path
) -> None:
    first, second = (embedded(document, encoder) for document in documents[:2])
    commits = ParquetCommits(str(tmp_path), "t")
    assert commits.recover() == []
    part = written(tmp_path, [first])
    assert ParquetTables(str(tmp_path)).documents() == []
    commits.commit(part)
    commits.commit(part)
    assert written(tmp_path, [first]) == part
    written(tmp_path, [second])
    written(tmp_path, [first], tenant="u")
    (tmp_path / "_commits" / "part-half.json.tmp").write_text('{"schema"')
    assert [len(list((tmp_path / table).iterdir())) for table in TABLES] == [3] * 4
    assert commits.recover() == [first.document.id]
    # What another tenant has written may be of an ingest that is running.
    assert [len(list((tmp_path / table).iterdir())) for table in TABLES] == [2] * 4
    assert ParquetTables(str(tmp_path)).documents() == [first.document.id]


def test_vectors_of_two_models_are_not_mixed(documents: list[Document], encoder: Encoder, tmp_path: Path) -> None:
    first, second = (embedded(document, encoder) for document in documents[:2])
    commits = ParquetCommits(str(tmp_path), "t")
    commits.commit(written(tmp_path, [first], fingerprint="a" * 64))
    with pytest.raises(IngestError, match="vectors of model aaaaaaaaaaaa, the one given is bbbbbbbbbbbb") as caught:
        commits.commit(written(tmp_path, [second], fingerprint="b" * 64))
    assert caught.value.code == "model-mismatch"


def test_a_newer_version_is_refused_by_its_number(documents: list[Document], encoder: Encoder, tmp_path: Path) -> None:
    part = written(tmp_path, [embedded(documents[0], encoder)])
    commits = ParquetCommits(str(tmp_path), "t")
    commits.commit({**part, "schema": VERSION + 1})
    for refused in (lambda: ParquetTables(str(tmp_path)), commits.recover):
        with pytest.raises(IngestError, match=f"schema {VERSION + 1}, this build reads up to {VERSION}") as caught:
            refused()
        assert caught.value.code == "schema-version"
    # A file says so itself too, to whoever finds it alone.
    commits.commit(part)
    (file,) = (tmp_path / "units").iterdir()
    table = pyarrow.parquet.read_table(file)
    newer = {**table.schema.metadata, b"pincite.schema": b"7"}
    pyarrow.parquet.write_table(table.replace_schema_metadata(newer), file)
    with pytest.raises(IngestError, match="schema 7, this build reads up to 1"):
        ParquetTables(str(tmp_path)).dataset("units")
    for found in ("", "one", None):
        with pytest.raises(IngestError, match="no schema version"):
            check_version(found, "file")
    check_version("0", "file")
