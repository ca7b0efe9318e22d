"""Tools of the tests of ingest: folders of files, runs in this and in other processes, and what came of them."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from pincite.ingest import Settings, Summary, run
from pincite.ingest.parquet import ParquetTables

PACKAGE = Path(__file__).resolve().parents[1]
POISON = Path(__file__).resolve().parent / "poison"
MARKS = ("CRASH", "HANG", "PANIC", "MEMORY")


def copies(source: Path, folder: Path, n: int, *, name: str = "copy") -> list[Path]:
    """Files of different content and equal size that say what ``source`` says."""
    folder.mkdir(parents=True, exist_ok=True)
    content = source.read_bytes()
    paths = [folder / f"{name}-{number:04}{source.suffix}" for number in range(n)]
    for number, path in enumerate(paths):
        path.write_bytes(content + f"\n% {name} {number:04}\n".encode())
    return paths


def poisoned(source: Path, folder: Path, mark: str) -> Path:
    """A file that ends or hangs a process with :mod:`poison` on its path."""
    path = folder / f"{mark.lower()}.pdf"
    path.write_bytes(source.read_bytes() + f"\n%POISON-{mark}\n".encode())
    return path


def settings(inputs: Path | Sequence[str], out: Path, **options: Any) -> Settings:
    """Settings of a small run: Parquet, no Ray, no vectors."""
    inputs = (str(inputs),) if isinstance(inputs, Path) else tuple(inputs)
    defaults = {"outs": (f"parquet:{out}",), "ray": False, "encoder": "none", "retries": 0}
    return Settings(inputs=inputs, **{**defaults, **options})


def ingest(inputs: Path | Sequence[str], out: Path, **options: Any) -> Summary:
    """Runs an ingest in this process."""
    return run(settings(inputs, out, **options))


def command(*arguments: object, path: Path | None = None) -> subprocess.Popen[str]:
    """The command in a process of its own, and of a process group of its own."""
    folders = [str(folder) for folder in (path, PACKAGE) if folder is not None]
    return subprocess.Popen(
        [sys.executable, "-m", "pincite.ingest", "--json", "--quiet", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def ended(process: subprocess.Popen[str], timeout_s: float = 60) -> tuple[int, dict[str, Any], str]:
    """Exit code, summary and messages of a command."""
    out, err = process.communicate(timeout=timeout_s)
    return process.returncode, json.loads(out) if out.strip() else {}, err


def eventually(holds: Callable[[], bool], timeout_s: float = 30) -> None:
    """Waits until something holds."""
    end = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < end, "it has not come to pass"
        time.sleep(0.02)


def kill(process: subprocess.Popen[str]) -> None:
    """``kill -9`` of a process, but not of its children."""
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def states(out: Path, tenant: str = "default") -> dict[str, tuple[str, str]]:
    """State and code of each document that the ledger names, by file name."""
    path = Path(f"{out}.ingest") / f"ledger-{tenant}.sqlite"
    if not path.exists():
        return {}
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        try:
            rows = database.execute("SELECT path, state, code FROM documents").fetchall()
        except sqlite3.OperationalError:
            return {}
    return {Path(path).name: (state, code) for path, state, code in rows}


def n_done(out: Path) -> int:
    """Number of documents that are stored."""
    return sum(state == "done" for state, _ in states(out).values())


def contents(out: Path) -> dict[str, pa.Table]:
    """All tables of a Parquet folder, in an order of their own."""
    tables = ParquetTables(str(out))
    keys = {"documents": [], "units": ["unit"], "rows": ["row"], "segments": []}
    return {
        table: tables.dataset(table).to_table().sort_by([(key, "ascending") for key in ["tenant", "document", *more]])
        for table, more in keys.items()
    }


def names(out: Path) -> list[str]:
    """Names of the documents of a Parquet folder, sorted."""
    return sorted(contents(out)["documents"]["name"].to_pylist())
