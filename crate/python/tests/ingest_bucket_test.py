"""Ingest from a bucket, and Parquet in one."""

from __future__ import annotations

from pathlib import Path

from ingest_bucket import bucket
from ingest_support import ingest, names

from pincite.ingest.parquet import ParquetTables, part_prefix
from pincite.ingest.sources import open_source


def test_files_of_a_bucket_are_ingested_and_a_failing_one_is_tried_again(samples: Path, tmp_path: Path) -> None:
    content = (samples / "contract.pdf").read_bytes()
    objects = {
        "acts/2024/a b.pdf": content,
        "acts/equal.pdf": content,
        "acts/word.docx": (samples / "word/contract.docx").read_bytes(),
        "acts/.hidden/c.pdf": content + b"\n",
        "acts/notes.txt": b"",
        "other/d.pdf": content + b"\n\n",
    }
    out = tmp_path / "out"
    with bucket(objects, {"acts/word.docx": 1}) as query:
        uri = f"s3://key:secret@archive/acts?{query}"
        summary = ingest([uri], out, retries=2)
        assert summary.exit_code == 0 and summary.progress.n_duplicates == 1, summary.text()
        assert names(out) == ["a b.pdf", "word.docx"]
        assert [file.path for file in open_source(0, uri).files((".docx",))] == ["s3://archive/acts/word.docx"]
        assert ingest([uri], out, resume=True).progress.n_known == 3
    assert "secret" not in summary.text() + str(summary.json())
    assert not any(b"secret" in file.read_bytes() for file in Path(f"{out}.ingest").iterdir())


def test_parquet_in_a_bucket(samples: Path, tmp_path: Path) -> None:
    objects: dict[str, bytes] = {}
    with bucket(objects) as query:
        url = f"s3://key:secret@archive/library?{query}"
        options = {"outs": (f"parquet:{url}",), "ledger": tmp_path / "ledger"}
        summary = ingest(samples / "word", tmp_path, **options)
        assert summary.progress.n_done == 4, summary.text()
        assert len([key for key in objects if key.startswith("library/_commits/")]) == 1
        assert sorted(ParquetTables(url).dataset("documents").to_table()["name"].to_pylist()) == [
            "complaints-zh.docx",
            "contract.docx",
            "opinion.docx",
            "rulebook.docx",
        ]
        orphan = f"library/rows/{part_prefix('default')}orphan.parquet"
        objects[orphan] = b"half"
        assert ingest(samples / "word", tmp_path, **options, resume=True).progress.n_work == 0
        assert orphan not in objects
