"""Stores as outputs of ingest: what a store's error does to a document and to the run."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any, Self

import pytest
from ingest_support import copies, ingest, names, states

from pincite import Document
from pincite.ingest import sinks
from pincite.stores import Rights, StoredDocument, StoreError, open_store


class Store:
    """A store in memory that fails as it is told."""

    def __init__(self) -> None:
        self.errors: list[StoreError] = []
        self.kept: dict[str, tuple[Any, str | None, bytes | None]] = {}
        self.n_puts = 0
        self.n_optimized = 0
        self.signal: signal.Signals | None = None

    def put(
        self, document: Document, vectors: Any, fingerprint: str | None, *, tenant: str, file: bytes | None = None
    ) -> None:
        self.n_puts += 1
        if self.errors:
            raise self.errors.pop(0)
        self.kept[document.id] = (vectors, fingerprint, file)

    def documents(self, rights: Rights) -> list[StoredDocument]:
        return [
            StoredDocument(id, "", None, None, None, 0, 0, 0, 0, "", None, 0) for id in self.kept if rights.allows(id)
        ]

    def optimize(self) -> None:
        self.n_optimized += 1
        if self.errors:
            raise self.errors.pop(0)
        if self.signal is not None:
            os.kill(os.getpid(), self.signal)
            time.sleep(30)

    def close(self) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    """The store of every URL."""
    made = Store()
    monkeypatch.setattr(sinks, "open_store", lambda url: made)
    return made


@pytest.fixture
def folder(samples: Path, tmp_path: Path) -> Path:
    """Three files."""
    copies(samples / "contract.pdf", tmp_path / "in", 3)
    return tmp_path / "in"


def test_documents_reach_all_outputs_with_vectors_and_file(store: Store, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    outs = (f"parquet:{out}", "http://host:19530")
    summary = ingest(folder, out, outs=outs, encoder="native")
    assert summary.progress.n_done == len(store.kept) == len(names(out)) == 3
    for vectors, fingerprint, file in store.kept.values():
        assert vectors.shape == (31, 384) and fingerprint and file in {path.read_bytes() for path in folder.iterdir()}
    assert ingest(folder, out, outs=outs, encoder="native", resume=True).progress.n_work == 0
    lean = ingest(folder, tmp_path / "lean", outs=("http://host:19530",), ledger=tmp_path / "lean", keep_files=False)
    assert lean.progress.n_done == 3 and all(kept == (None, None, None) for kept in store.kept.values())


def test_a_store_that_is_away_is_asked_again_and_then_its_documents_wait_for_the_next_run(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    outs = (f"parquet:{out}", "http://host:19530")
    away = StoreError("store-unavailable", "no answer")
    store.errors = [away]
    assert ingest(folder, out, outs=outs, retries=1).progress.n_done == 3
    assert store.n_puts == 4
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes() + b"\n")
    store.errors = [away, away]
    summary = ingest(folder, out, outs=outs, retries=1, resume=True)
    assert (summary.progress.n_done, summary.progress.n_failed, summary.exit_code) == (2, 1, 1)
    # What one output lacks, no output counts.
    assert len(names(out)) == 5
    assert ingest(folder, out, outs=outs, resume=True).progress.n_done == 1
    assert len(names(out)) == len(store.kept) == 6


def test_a_document_that_a_store_refuses_is_set_aside_and_what_it_says_of_itself_ends_the_run(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    outs = (f"parquet:{out}", "http://host:19530")
    store.errors = [StoreError("limit-exceeded", "a unit is too long")]
    summary = ingest(folder, out, outs=outs)
    assert (
        states(out)["copy-0000.pdf"] == ("set-aside", "limit-exceeded")
        and summary.progress.n_done == len(names(out)) == 2
    )
    copies(folder / "copy-0000.pdf", folder, 2, name="more")
    store.errors = [StoreError("model-mismatch", "vectors of another model")]
    summary = ingest(folder, out, outs=outs, resume=True)
    assert summary.progress.fatal == ("model-mismatch", "vectors of another model", "") and summary.exit_code == 2
    assert ingest(folder, out, outs=outs, resume=True).progress.n_done == 2


def test_a_store_is_optimized_when_its_documents_are_there_and_they_count_where_it_fails(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    summary = ingest(folder, tmp_path, outs=(f"milvus:{tmp_path}/one.db",))
    assert (store.n_puts, store.n_optimized, summary.progress.warnings) == (3, 1, [])
    store.errors = [StoreError("store-unavailable", "it is away")]
    summary = ingest(folder, tmp_path, outs=(f"milvus:{tmp_path}/one.db",), resume=True)
    (warning,) = summary.progress.warnings
    assert "one.db" in warning
    assert "it is away" in warning
    assert summary.progress.fatal is None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_while_a_store_is_optimized_ends_that_alone(
    store: Store, folder: Path, tmp_path: Path, number: signal.Signals
) -> None:
    options: dict[str, Any] = {"outs": ("milvus:one.db", "milvus:two.db"), "ledger": tmp_path / "ledger"}
    handlers = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    store.signal = number
    summary = ingest(folder, tmp_path, **options)
    assert (summary.progress.n_done, store.n_optimized, summary.exit_code) == (3, 1, 0)
    assert not summary.progress.is_stopping and "until the next run" in "".join(summary.progress.warnings)
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == handlers
    store.signal = None
    assert ingest(folder, tmp_path, **options, resume=True).progress.warnings == []
    assert store.n_optimized == 3


def test_a_store_that_was_emptied_is_noticed(store: Store, folder: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"outs": ("http://host:19530",), "ledger": tmp_path / "ledger"}
    ingest(folder, tmp_path, **options)
    store.kept.clear()
    with pytest.raises(Exception, match="the store lacks documents"):
        ingest(folder, tmp_path, **options, resume=True)


def test_a_wrong_url_leaves_nothing_behind(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="no store has a URL of the scheme"):
        ingest(folder, tmp_path, outs=("mongodb://user:secret@host",), ledger=tmp_path / "ledger")
    assert not (tmp_path / "ledger").exists()


def test_a_real_store_holds_what_was_ingested(folder: Path, tmp_path: Path) -> None:
    url = f"milvus:{tmp_path}/library.db"
    assert ingest(folder, tmp_path, outs=(url,), ledger=tmp_path / "ledger").progress.n_done == 3
    with open_store(url) as found:
        stored = found.documents(Rights("default"))
        assert sorted(document.name for document in stored) == [f"copy-000{number}.pdf" for number in range(3)]
        content = (folder / stored[0].name).read_bytes()
        assert found.file(stored[0].id, Rights("default"), 0, None).data == content
