"""Ingest in one process: what is stored, what is set aside, and that no way to end a run loses or repeats anything."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from ingest_support import (
    MARKS,
    POISON,
    command,
    contents,
    copies,
    ended,
    eventually,
    ingest,
    kill,
    n_done,
    names,
    poisoned,
    settings,
    states,
)

from pincite import Document, pack_vectors
from pincite.ingest.blocks import documents_of, documents_table
from pincite.ingest.coordinator import Coordinator
from pincite.ingest.isolation import ReaderProcess
from pincite.ingest.ledger import MAX_RUN_DEATHS, Ledger
from pincite.ingest.parquet import ParquetTables, part_prefix
from pincite.ingest.records import IngestError, Outcome, Parsed, SourceFile
from pincite.ingest.retries import retry
from pincite.ingest.settings import default_ledger, redacted
from pincite.ingest.sources import with_ids_of_alike, without_duplicates

SAMPLES = ("contract.pdf", "rulebook.pdf", "word/rulebook.docx", "word/complaints-zh.docx")
ID = "0" * 64


def test_segments_and_vectors_have_the_bytes_of_the_command_line(
    samples: Path, pincite_command: Path, tmp_path: Path
) -> None:
    files = [samples / name for name in SAMPLES]
    library, out = tmp_path / "library", tmp_path / "out"
    subprocess.run([pincite_command, "index", *files, "--out", library], check=True, capture_output=True)
    ingest([str(file) for file in files], out, encoder="native")
    tables = contents(out)
    documents = tables["documents"].to_pylist()
    assert len(documents) == len(files)
    by_id: dict[str, list[tuple[int, list[float]]]] = {}
    for row in tables["rows"].to_pylist():
        by_id.setdefault(row["document"], []).append((row["row"], row["vector"]))
    for entry in json.loads((library / "manifest.json").read_text())["documents"]:
        segment = ParquetTables(str(out)).segment(entry["id"])
        assert segment == (library / f"{entry['segment']}.segment").read_bytes(), entry["name"]
        stored = packed(Document.from_segment(segment), by_id.get(entry["id"], []), documents[0]["fingerprint"])
        expected = (library / f"{entry['vectors']}.vectors").read_bytes() if entry["vectors"] else b""
        assert stored == expected, entry["name"]


def reached(out: Path, n: int, process: subprocess.Popen[str]) -> bool:
    """True if so many documents are stored, or the process has ended."""
    return n_done(out) >= n or process.poll() is not None


def packed(document: Document, rows: list[tuple[int, list[float]]], fingerprint: str) -> bytes:
    """Stored vectors of the rows of a table."""
    import numpy as np

    if not rows:
        return b""
    found = np.zeros((document.n_passages, len(rows[0][1])), np.float32)
    for row, vector in rows:
        found[row] = vector
    return pack_vectors(document, found, fingerprint)


def test_a_hostile_folder_is_ingested_and_what_cannot_be_read_is_set_aside_with_its_code(
    samples: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    summary = ingest(samples / "hostile", out)
    codes = {Path(path).name: code for path, state, code, _ in summary.errors if state == "set-aside"}
    assert codes == {
        "empty.pdf": "format-unknown",
        "header-only.pdf": "pdf-invalid",
        "locked-aes.pdf": "pdf-encrypted",
        "locked.pdf": "pdf-encrypted",
        "no-pages.pdf": "pdf-empty",
        "not-a-pdf.pdf": "format-unknown",
    }
    assert summary.exit_code == 1 and summary.progress.n_done == len(list((samples / "hostile").iterdir())) - len(codes)
    again = ingest(samples / "hostile", out, resume=True)
    assert again.progress.n_work == 0 and len(again.errors) == len(codes)
    again = ingest(samples / "hostile", out, resume=True, again=True, password="wrong")
    assert again.progress.n_work == again.progress.n_set_aside == len(codes)


def test_a_poisoned_file_is_set_aside_and_never_tried_again_by_itself(samples: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    copies(samples / "contract.pdf", folder, 2)
    for mark in MARKS:
        poisoned(samples / "contract.pdf", folder, mark)
    arguments = ("--no-ray", "--encoder", "none", "--input", folder, "--out", f"parquet:{out}")
    limits = ("--timeout", "8", "--memory-mib", "64")
    code, summary, messages = ended(command(*arguments, *limits, path=POISON))
    assert (code, summary["files"]["done"], summary["files"]["set_aside"]) == (1, 2, len(MARKS)), messages
    assert {name: found for name, found in states(out).items() if found[0] != "done"} == {
        "crash.pdf": ("set-aside", "crashed"),
        "hang.pdf": ("set-aside", "timeout"),
        "panic.pdf": ("set-aside", "internal"),
        "memory.pdf": ("set-aside", "memory-exceeded"),
    }
    assert "words of the document" not in json.dumps(summary) + messages
    # Nor under another name: here they would take an hour.
    for mark in MARKS:
        (folder / f"{mark.lower()}.pdf").rename(folder / f"other-{mark}.pdf")
    code, summary, _ = ended(command(*arguments, "--resume", path=POISON))
    assert (code, summary["files"]["skipped"], summary["files"]["set_aside"]) == (1, len(MARKS), 0)


def test_equal_files_are_stored_once_under_the_first_of_their_names(samples: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    content = (samples / "contract.pdf").read_bytes()
    for name in ("b.pdf", "a.pdf", "c/a.pdf"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    summary = ingest(folder, out)
    assert (summary.progress.n_done, summary.progress.n_duplicates, summary.exit_code) == (1, 2, 0)
    assert names(out) == ["a.pdf"]
    # A name once given stays, and a file that was moved is known by its content.
    (folder / "a.pdf").rename(folder / "0.pdf")
    summary = ingest(folder, out, resume=True)
    assert (summary.progress.n_done, summary.progress.n_known, summary.progress.n_skipped) == (0, 2, 1)
    assert names(out) == ["a.pdf"]
    (folder / "new.pdf").write_bytes(content + b"\n")
    assert ingest(folder, out, resume=True).progress.n_done == 1
    assert names(out) == ["a.pdf", "new.pdf"]


def test_a_run_that_is_killed_at_any_moment_is_resumed_to_the_result_of_one_that_was_not(
    samples: Path, tmp_path: Path
) -> None:
    folder, out, whole = tmp_path / "in", tmp_path / "out", tmp_path / "whole"
    files = copies(samples / "contract.pdf", folder, 8)
    (folder / "equal.pdf").write_bytes(files[3].read_bytes())
    arguments = ("--no-ray", "--encoder", "native", "--batch-files", 2, "--input", folder, "--out", f"parquet:{out}")
    # Before the first part, between two, and in the middle of one.
    for n_before, pause_s in ((0, 0.9), (2, 0.0), (4, 0.4)):
        process = command(*arguments, "--resume")
        eventually(partial(reached, out, n_before, process))
        time.sleep(pause_s)
        assert process.poll() is None, process.communicate()
        kill(process)
    part = out / "rows" / f"{part_prefix('default')}orphan.parquet"
    part.parent.mkdir(parents=True, exist_ok=True)
    part.write_bytes(b"half of a")
    code, summary, messages = ended(command(*arguments, "--resume"))
    assert code == 0, (summary, messages)
    assert 0 < summary["files"]["done"] < len(files) and n_done(out) == len(files)
    assert not part.exists()
    ingest(folder, whole, encoder="native")
    found, expected = contents(out), contents(whole)
    for table in expected:
        assert found[table].equals(expected[table]), table


def test_ctrl_c_ends_a_run_soon_and_leaves_it_resumable(samples: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    files = copies(samples / "contract.pdf", folder, 8)
    poisoned(samples / "contract.pdf", folder, "HANG").rename(folder / "copy-0005-hang.pdf")
    arguments = ("--no-ray", "--encoder", "none", "--batch-files", 2, "--input", folder, "--out", f"parquet:{out}")
    process = command(*arguments, path=POISON)
    eventually(lambda: states(out).get("copy-0005-hang.pdf", ("", ""))[0] == "begun")
    os.killpg(process.pid, signal.SIGINT)
    code, summary, messages = ended(process, timeout_s=10)
    assert code == 130 and summary["stopped"] and 0 < summary["files"]["done"] < len(files), messages
    assert states(out)["copy-0005-hang.pdf"] == ("failed", "stopped")
    code, summary, _ = ended(command(*arguments, "--resume"))
    assert code == 0 and n_done(out) == len(files) + 1


def test_a_reading_process_ends_with_its_worker(samples: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    poisoned(samples / "contract.pdf", folder, "HANG")
    process = command("--no-ray", "--encoder", "none", "--input", folder, "--out", f"parquet:{out}", path=POISON)
    eventually(lambda: states(out).get("hang.pdf", ("", ""))[0] == "begun")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) == 1
    kill(process)
    eventually(lambda: not Path(f"/proc/{children[0]}").exists(), timeout_s=5)


def test_a_ledger_says_when_it_does_not_fit(samples: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    copies(samples / "hostile/scan.pdf", folder, 2)
    ingest(folder, out)

    def refusal(**options: object) -> str:
        with pytest.raises(IngestError) as caught:
            ingest(folder, out, **options)
        return caught.value.code

    assert refusal() == "ledger-exists"
    assert refusal(resume=True, encoder="native") == "ledger-mismatch"
    assert ingest(folder, out, resume=True, tenant="another").progress.n_done == 2
    assert len(names(out)) == 4
    with pytest.raises(IngestError, match="no such file or folder"):
        ingest(tmp_path / "nowhere", tmp_path / "other")
    (tmp_path / "empty").mkdir()
    assert ingest(tmp_path / "empty", tmp_path / "other").exit_code == ingest(folder, tmp_path / "other").exit_code == 0
    held = Ledger(Path(f"{out}.ingest"), settings(folder, out).identity(), resume=True)
    with pytest.raises(IngestError, match="another ingest") as caught:
        Ledger(Path(f"{out}.ingest"), settings(folder, out).identity(), resume=True, lock_wait_s=0.2)
    assert caught.value.code == "ledger-locked"
    held.close()
    with sqlite3.connect(f"{out}.ingest/ledger-default.sqlite") as database:
        database.execute("UPDATE meta SET value = '2' WHERE key = 'schema'")
    with pytest.raises(IngestError, match="ledger schema 2, this build reads 1"):
        ingest(folder, out, resume=True)


def test_an_output_that_was_removed_is_written_again(samples: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    copies(samples / "hostile/scan.pdf", folder, 3)
    ingest(folder, out)
    before = contents(out)
    for file in out.rglob("*.json"):
        file.unlink()
    assert ingest(folder, out, resume=True).progress.n_work == 3
    assert contents(out)["segments"].equals(before["segments"])
    # And a lost ledger is made again from the output.
    for file in Path(f"{out}.ingest").iterdir():
        file.unlink()
    with pytest.raises(IngestError, match="3 documents are in the output already"):
        ingest(folder, out)
    assert ingest(folder, out, resume=True).progress.n_skipped == 3


def test_two_outputs_hold_every_document_once_whatever_one_of_them_lacks(samples: Path, tmp_path: Path) -> None:
    folder, one, two = tmp_path / "in", tmp_path / "one", tmp_path / "two"
    copies(samples / "hostile/scan.pdf", folder, 3)
    outs = (f"parquet:{one}", f"parquet:{two}")
    ingest(folder, one, outs=outs)
    everything = names(one)
    assert len(everything) == 3
    for lost in (one, two):
        shutil.rmtree(lost)
        assert ingest(folder, one, outs=outs, resume=True).progress.n_done == 3
        assert names(one) == names(two) == everything
    # A run that ended between the two commits of a part, and one that divides its files into other parts.
    (commit,) = (two / "_commits").iterdir()
    commit.unlink()
    before = (one / "documents" / f"{commit.stem}.parquet").stat().st_mtime_ns
    summary = ingest(folder, one, outs=outs, resume=True, batch_files=1)
    assert summary.progress.n_done == 3 and names(one) == names(two) == everything
    # What counts already is not written over, which a kill could leave half done.
    assert (one / "documents" / f"{commit.stem}.parquet").stat().st_mtime_ns == before
    assert ingest(folder, one, outs=outs, resume=True).progress.n_work == 0


def test_blocks_keep_what_outputs_have_already() -> None:
    file = SourceFile(0, "/in/a.pdf", 1, 1)
    parsed = [Parsed(file, ID, b"s", None, False, {"fetch": 0.0, "read": 0.0}, stored_in) for stored_in in ((), (0, 2))]
    assert documents_of(documents_table(parsed)) == parsed


def test_tenants_that_share_a_folder_leave_each_others_files_alone(samples: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    copies(samples / "hostile/scan.pdf", folder, 2)
    ingest(folder, out, tenant="first")
    # What a running ingest of the one has not committed yet, and what an ended one of the other has left.
    running = [out / table / f"{part_prefix('first')}running" for table in ("documents", "segments", "_commits")]
    left = [out / table / f"{part_prefix('second')}left" for table in ("documents", "segments", "_commits")]
    files = [Path(f"{path}{'.json.tmp' if path.parent.name == '_commits' else '.parquet'}") for path in running + left]
    for file in files:
        file.write_bytes(b"{half")
    assert ingest(folder, out, tenant="second").progress.n_done == 2
    assert [file.exists() for file in files] == [True] * 3 + [False] * 3
    assert ingest(folder, out, tenant="first", resume=True).progress.n_work == 0
    assert not any(file.exists() for file in files) and len(names(out)) == 4


def test_a_commit_that_was_not_ended_is_no_commit(samples: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    copies(samples / "hostile/scan.pdf", folder, 1)
    (out / "_commits").mkdir(parents=True)
    (out / "_commits" / f"{part_prefix('another')}0.json.tmp").write_bytes(b"{half")
    assert ingest(folder, out).progress.n_done == 1


def reader_of(script: str, folder: Path) -> ReaderProcess:
    """A reading process that runs a script, with the socket's number as its argument."""
    reader = ReaderProcess(settings(folder, folder / "out"))
    ours, theirs = socket.socketpair()
    with theirs:
        number = theirs.fileno()
        reader._process = subprocess.Popen([sys.executable, "-c", script, str(number)], pass_fds=[number])
    reader._connection = Connection(ours.detach())
    return reader


def test_a_reading_process_that_is_killed_in_the_middle_of_its_reply_costs_its_file_alone(tmp_path: Path) -> None:
    script = (
        "import os, signal, struct, sys\nfd = int(sys.argv[1])\nos.read(fd, 1 << 16)\n"
        "os.write(fd, struct.pack('!i', 100) + b'half')\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    with pytest.raises(IngestError, match="SIGKILL") as caught:
        reader_of(script, tmp_path).segment(b"content", "a.pdf", ID, lambda: False)
    assert caught.value.code == "crashed"


def test_a_reading_process_that_cannot_be_sent_to_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Connection, message: bytes) -> None:
        raise OSError(105, "No buffer space available")

    monkeypatch.setattr("pincite.ingest.isolation.END_S", 0.1)
    reader = reader_of("import time; time.sleep(60)", tmp_path)
    process = reader._process
    with monkeypatch.context() as patched, pytest.raises(IngestError) as caught:
        patched.setattr(Connection, "send_bytes", fails)
        reader.segment(b"content", "a.pdf", ID, lambda: False)
    assert caught.value.code == "crashed"
    assert process is not None and process.poll() == -signal.SIGKILL


def test_a_file_that_workers_die_with_is_embedded_alone_and_then_set_aside(samples: Path, tmp_path: Path) -> None:
    file = SourceFile(0, "/in/a.pdf", 1, 1)
    options = settings(tmp_path, tmp_path / "out", resume=True)
    coordinator = Coordinator(options)
    assert (coordinator.claim(file, ID).kind, coordinator.claim(SourceFile(0, "/in/b.pdf", 1, 1), ID).kind) == (
        "go",
        "known",
    )
    retried = coordinator.claim(file, ID)
    assert retried.kind == "go" and retried.alone
    assert coordinator.claim(file, ID).kind == "poisoned"
    assert [error[2] for error in coordinator.errors()] == ["worker-killed"]
    coordinator.close()
    # Runs that die with it are counted apart, and one that ends in order is none.
    other = "1" * 64
    for _ in range(MAX_RUN_DEATHS):
        ledger = Ledger(options.ledger_folder(), options.identity(), resume=True)
        assert ledger.claim(file, other).kind == "go"
        ledger.close()
    coordinator = Coordinator(options)
    assert coordinator.claim(file, other).kind == "poisoned"
    coordinator.close()
    for _ in range(MAX_RUN_DEATHS + 1):
        coordinator = Coordinator(options)
        assert coordinator.claim(file, "2" * 64).kind == "go"
        coordinator.close()


def test_a_part_that_comes_twice_counts_once(tmp_path: Path) -> None:
    coordinator = Coordinator(settings(tmp_path, tmp_path / "out"))
    files = [SourceFile(0, f"/in/{name}.pdf", 1, 1) for name in "ab"]
    for file, id in zip(files, "ab", strict=True):
        coordinator.claim(file, id * 64)
    coordinator.finish([Outcome("a" * 64, files[0], "done")])
    from pincite.ingest.records import Receipt

    receipt = Receipt(0, {"part": "part-x", "schema": 1, "tenant": "default", "fingerprint": None, "documents": []})
    coordinator.finish([Outcome(id * 64, file, "done") for id, file in zip("ab", files, strict=True)], [receipt])
    progress = coordinator.progress()
    assert (progress.n_done, progress.n_in_flight) == (1, 0)
    assert not (tmp_path / "out" / "_commits").exists()
    coordinator.close()


def test_what_passes_is_retried_and_what_stays_is_not() -> None:
    pauses: list[float] = []
    attempts: Iterator[Exception | str] = iter([OSError("reset"), OSError("reset"), "content"])

    def call() -> str:
        found = next(attempts)
        if isinstance(found, Exception):
            raise found
        return found

    assert retry(call, 3, lambda error: True, pause=pauses.append) == "content"
    assert len(pauses) == 2 and pauses[0] <= 0.2 and pauses[1] <= 0.4
    attempts = iter([OSError("no such file"), "content"])
    with pytest.raises(OSError, match="no such file"):
        retry(call, 3, lambda error: False, pause=pauses.append)


def test_a_file_that_cannot_be_read_now_is_tried_again_by_the_next_run(
    samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    _, second = copies(samples / "hostile/scan.pdf", folder, 2)
    from pincite.ingest.sources import LocalSource

    opened = LocalSource.open

    def fails(self: LocalSource, path: str) -> object:
        if path == str(second):
            raise OSError(5, "Input/output error")
        return opened(self, path)

    with monkeypatch.context() as patched:
        patched.setattr(LocalSource, "open", fails)
        summary = ingest(folder, out)
    assert (summary.progress.n_done, summary.progress.n_failed, summary.exit_code) == (1, 1, 1)
    assert summary.errors == [(str(second), "failed", "file-unreadable", "the file cannot be read: Input/output error")]
    assert ingest(folder, out, resume=True).progress.n_done == 1


def test_names_that_are_no_text_and_files_over_the_limit(samples: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    content = (samples / "hostile/scan.pdf").read_bytes()
    (folder / os.fsdecode(b"caf\xe9.pdf")).write_bytes(content)
    (folder / "\x1b[31mred.PDF").write_bytes(content + b"\n")
    (folder / "large.pdf").write_bytes(content + b" " * (1 << 20))
    (folder / ".hidden.pdf").write_bytes(content)
    (folder / "notes.txt").write_bytes(content)
    summary = ingest(folder, out, max_bytes=1 << 20)
    assert names(out) == ["\x1b[31mred.PDF", "caf\ufffd.pdf"]
    assert [(Path(path).name, code) for path, _, code, _ in summary.errors] == [("large.pdf", "limit-exceeded")]
    assert sorted(Path(path).name for path in contents(out)["documents"]["path"].to_pylist()) == [
        "\\x1b[31mred.PDF",
        "caf\\xe9.pdf",
    ]
    assert ingest(folder, out, resume=True, max_bytes=1 << 20).progress.n_work == 0


def test_only_files_of_equal_size_are_hashed_before_the_run() -> None:
    files = [SourceFile(0, path, size, 1) for path, size in (("a", 1), ("b", 2), ("c", 2), ("d", 3), ("e", 2))]
    hashed: list[str] = []

    def digest(file: SourceFile) -> str:
        hashed.append(file.path)
        return "x" if file.path in "be" else file.path

    firsts, others = without_duplicates(with_ids_of_alike(files, digest, 1))
    assert hashed == ["b", "c", "e"]
    assert ([file.path for file in firsts], [file.path for file in others]) == (["a", "b", "c", "d"], ["e"])


def test_secrets_of_urls_reach_no_ledger() -> None:
    url = "postgresql://user:secret@host:5432/db?sslpassword=secret"
    assert redacted(url) == "postgresql://host:5432/db"
    assert "secret" not in json.dumps(settings(Path("in"), Path("out"), outs=(url,)).identity())
    assert default_ledger((url, "parquet:/data/p")) == Path("/data/p.ingest")
    assert default_ledger((url,)) == default_ledger((url.replace("secret", "other"),))


@pytest.mark.parametrize("has_psycopg", [True, False])
@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://u:pa?ss@host/db1", "postgresql://host/db1"),
        ("postgresql://u:pa#ss@host/db2", "postgresql://host/db2"),
        ("postgresql://u:pa/ss@host:5432/db", "postgresql://host:5432/db"),
        ("postgresql://u:pa@ss@host/db", "postgresql://host/db"),
        ("postgresql://u@one:1,two:2/db", "postgresql://one:1,two:2/db"),
        ("postgresql://u:pass@[::1]:5/d%20b?sslmode=require", "postgresql://[::1]:5/d%20b"),
        ("postgresql:///db", "postgresql:///db"),
        ("postgresql:u:pass@host/db", "postgresql:host/db"),
        ("http://u:pa?ss@host:19530?blobs=/data", "http://host:19530"),
        ("http://host:19530?blobs=/data", "http://host:19530"),
        ("parquet:s3://key:pa/ss@bucket/folder?region=x", "parquet:s3://bucket/folder"),
        ("parquet:s3://bucket/a@b", "parquet:s3://bucket/a@b"),
        ("milvus:/data/me@host/x:y.db", "milvus:/data/me@host/x:y.db"),
        ("/data/a:b@c", "/data/a:b@c"),
    ],
)
def test_what_is_shown_of_a_url_names_the_database_and_no_part_of_the_password(
    url: str, shown: str, has_psycopg: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_psycopg:
        monkeypatch.setitem(sys.modules, "psycopg", None)
    assert redacted(url) == shown


@pytest.mark.parametrize("has_psycopg", [True, False])
def test_an_option_that_may_be_secret_is_not_shown(has_psycopg: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not has_psycopg:
        monkeypatch.setitem(sys.modules, "psycopg", None)
    found = redacted("postgresql://u:pass@host:5432/db?password=pa@ss")
    assert found == ("postgresql://host:5432/db" if has_psycopg else "postgresql://")
