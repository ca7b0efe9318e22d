"""Ledger of an ingest: which contents are stored, set aside or failed, and which files they came from.

A SQLite database in a folder beside the output, for three reasons: a commit survives ``kill -9``, 10^6 documents need
no memory, and anybody can read it (``sqlite3 ledger-default.sqlite 'select path, code from documents where state <>
"done"'``). One process writes it, the coordinator, under a lock of the operating system that ends with the process.

A document is first put and then entered here. After a loss of power the last entries may be missing; those documents
are put again, which changes nothing. Cost: 0.2 ms a document, 400 bytes on disk (``synchronous = NORMAL`` in WAL
mode).
"""

from __future__ import annotations

import fcntl
import json
import sqlite3
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO

from pincite.ingest.records import IngestError, Outcome, SourceFile, Verdict

SCHEMA = 1

MAX_WORKER_DEATHS = 2
"""Deaths of workers in one run, with a file in their hands, after which the file is set aside."""
MAX_RUN_DEATHS = 5
"""Runs that ended with a file in their hands after which the file is set aside."""

LOCK_WAIT_S = 30.0
"""Maximum wait for the coordinator of a run that was killed a moment ago, in seconds."""

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    id TEXT PRIMARY KEY,            -- SHA-256 of the content
    state TEXT NOT NULL,            -- begun, done, set-aside, failed
    path TEXT NOT NULL,             -- the file that was read
    code TEXT NOT NULL DEFAULT '',  -- of the error
    message TEXT NOT NULL DEFAULT '',
    n_bytes INTEGER NOT NULL DEFAULT 0,
    n_pages INTEGER NOT NULL DEFAULT 0,
    n_passages INTEGER NOT NULL DEFAULT 0,
    n_vectors INTEGER NOT NULL DEFAULT 0,
    n_tokens INTEGER NOT NULL DEFAULT 0,
    seconds TEXT NOT NULL DEFAULT '{}',  -- by stage, JSON
    run INTEGER NOT NULL,           -- the run that began it last
    worker_deaths INTEGER NOT NULL DEFAULT 0,
    run_deaths INTEGER NOT NULL DEFAULT 0,
    time TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) WITHOUT ROWID;
CREATE TABLE files (
    path TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    modified_ns INTEGER NOT NULL,
    id TEXT,                        -- NULL for a file that was not read
    code TEXT NOT NULL DEFAULT '',  -- of the error of such a file
    message TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE INDEX files_by_id ON files (id);
"""


class Ledger:
    """Ledger of one output and tenant.

    Raises:
        IngestError: ``ledger-exists`` without ``resume``; ``ledger-mismatch`` for another output; ``ledger-locked``;
            ``schema-version`` for a ledger of a newer version.
    """

    def __init__(
        self,
        folder: Path,
        identity: Mapping[str, str],
        *,
        resume: bool,
        again: bool = False,
        lock_wait_s: float = LOCK_WAIT_S,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        tenant = identity["tenant"]
        self._lock = _locked(folder / f"lock-{tenant}", lock_wait_s)
        self.is_new = False
        """True if nothing is entered yet."""
        self.path = folder / f"ledger-{tenant}.sqlite"
        self._database = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        try:
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._open(identity, resume)
        except BaseException:
            self.close()
            raise
        self.run = int(self._meta("run") or 0) + 1
        self._set_meta("run", str(self.run))
        if again:
            self._database.execute(
                "UPDATE documents SET state = 'failed', worker_deaths = 0, run_deaths = 0 WHERE state = 'set-aside'"
            )
            self._database.execute("DELETE FROM files WHERE id IS NULL")

    def state_of(self, file: SourceFile) -> tuple[str | None, str | None]:
        """Id and state of a file that has not changed since it was entered; ``(None, None)`` for another.

        The state is that of its document, ``set-aside`` for a file that was refused unread, ``begun`` for one of a run
        that died.
        """
        row = self._database.execute(
            "SELECT files.id, documents.state FROM files LEFT JOIN documents USING (id)"
            " WHERE files.path = ? AND size = ? AND modified_ns = ?",
            (file.label, file.size, file.modified_ns),
        ).fetchone()
        if row is None:
            return None, None
        return row[0], "set-aside" if row[0] is None else row[1]

    def claim(self, file: SourceFile, id: str) -> Verdict:
        """Decides whether a worker reads this content. It is entered as begun if so.

        A content that too many workers or runs have ended with is ``poisoned``: the caller enters its end.
        """
        self._enter_file(file, id)
        row = self._database.execute(
            "SELECT state, path, run, worker_deaths, run_deaths FROM documents WHERE id = ?", (id,)
        ).fetchone()
        if row is None:
            self._database.execute(
                "INSERT INTO documents (id, state, path, n_bytes, run) VALUES (?, 'begun', ?, ?, ?)",
                (id, file.label, file.size, self.run),
            )
            return Verdict("go")
        state, path, run, worker_deaths, run_deaths = row
        if state in ("done", "set-aside"):
            return Verdict("known")
        if state == "begun" and run == self.run and path != file.label:
            # Another worker has it, under another name.
            return Verdict("known")
        if state == "begun":
            worker_deaths += run == self.run
            run_deaths += run != self.run
            if worker_deaths >= MAX_WORKER_DEATHS or run_deaths >= MAX_RUN_DEATHS:
                return Verdict("poisoned")
        self._database.execute(
            "UPDATE documents SET state = 'begun', path = ?, run = ?, worker_deaths = ?, run_deaths = ?,"
            " code = '', message = '' WHERE id = ?",
            (file.label, self.run, worker_deaths, run_deaths, id),
        )
        return Verdict("go", alone=worker_deaths > 0)

    def unclaim(self, id: str) -> None:
        """Gives a claim back of a content that was not finished because the run is being stopped."""
        self._database.execute(
            "UPDATE documents SET state = 'failed', code = 'stopped', message = 'the run was stopped'"
            " WHERE id = ? AND state = 'begun'",
            (id,),
        )

    def finish(self, outcome: Outcome) -> bool:
        """Enters the end of a file; False if its content was stored already."""
        file, id = outcome.file, outcome.id
        if id is None:
            self._enter_file(file, None, outcome.code, outcome.message)
            return True
        stored = self._database.execute(
            "INSERT INTO documents (id, state, path, code, message, n_bytes, n_pages, n_passages, n_vectors, n_tokens,"
            " seconds, run) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET state = excluded.state, code = excluded.code, message = excluded.message,"
            " n_bytes = excluded.n_bytes, n_pages = excluded.n_pages, n_passages = excluded.n_passages,"
            " n_vectors = excluded.n_vectors, n_tokens = excluded.n_tokens, seconds = excluded.seconds,"
            " time = CURRENT_TIMESTAMP WHERE documents.state <> 'done'",
            (
                id,
                outcome.state,
                file.label,
                outcome.code,
                outcome.message,
                file.size,
                outcome.n_pages,
                outcome.n_passages,
                outcome.n_vectors,
                outcome.n_tokens,
                json.dumps(outcome.seconds),
                self.run,
            ),
        )
        return stored.rowcount == 1

    def is_done(self, id: str) -> bool:
        """True if the content is stored."""
        row = self._database.execute("SELECT 1 FROM documents WHERE id = ? AND state = 'done'", (id,)).fetchone()
        return row is not None

    def enter_duplicates(self, files: Iterable[SourceFile]) -> None:
        """Enters files whose content another file of this run has."""
        with self._database:
            self._database.execute("BEGIN")
            for file in files:
                self._enter_file(file, file.id)

    def enter_done(self, ids: Iterable[str]) -> int:
        """Enters contents that an output already has, and returns how many were not known here."""
        with self._database:
            self._database.execute("BEGIN")
            return sum(
                self._database.execute(
                    "INSERT INTO documents (id, state, path, run) VALUES (?, 'done', '', ?)"
                    " ON CONFLICT (id) DO UPDATE SET state = 'done', code = '', message = ''"
                    " WHERE documents.state <> 'done'",
                    (id, self.run),
                ).rowcount
                for id in ids
            )

    def reopen_all_but(self, ids: Iterable[str]) -> None:
        """Has contents read again that are entered as stored and that an output does not have."""
        there = set(ids)
        done = self._database.execute("SELECT id FROM documents WHERE state = 'done'").fetchall()
        with self._database:
            self._database.execute("BEGIN")
            for (id,) in done:
                if id not in there:
                    self._database.execute("UPDATE documents SET state = 'failed', code = 'lost' WHERE id = ?", (id,))

    def some_done(self, n: int) -> list[str]:
        """Ids of up to ``n`` contents that are stored."""
        rows = self._database.execute("SELECT id FROM documents WHERE state = 'done' ORDER BY id LIMIT ?", (n,))
        return [id for (id,) in rows]

    def errors(self) -> list[tuple[str, str, str, str]]:
        """Path, state, code and message of all contents and files that are not stored, by path."""
        return self._database.execute(
            "SELECT path, state, code, message FROM documents WHERE state IN ('set-aside', 'failed')"
            " UNION ALL SELECT path, 'set-aside', code, message FROM files WHERE id IS NULL ORDER BY 1"
        ).fetchall()

    def close(self) -> None:
        """Closes the database and releases the lock."""
        self._database.close()
        self._lock.close()

    def _enter_file(self, file: SourceFile, id: str | None, code: str = "", message: str = "") -> None:
        self._database.execute(
            "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET size = excluded.size,"
            " modified_ns = excluded.modified_ns, id = excluded.id, code = excluded.code, message = excluded.message",
            (file.label, file.size, file.modified_ns, id, code, message),
        )

    def _open(self, identity: Mapping[str, str], resume: bool) -> None:
        self.is_new = self._database.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone() is None
        if self.is_new:
            self._database.executescript(f"BEGIN; {TABLES} INSERT INTO meta VALUES ('schema', '{SCHEMA}'); COMMIT;")
            self._set_meta("identity", json.dumps(dict(identity)))
            return
        schema = self._meta("schema")
        if schema != str(SCHEMA):
            raise IngestError("schema-version", f"{self.path}: ledger schema {schema}, this build reads {SCHEMA}")
        if self._database.execute("SELECT 1 FROM documents LIMIT 1").fetchone() is None:
            # A run that failed before its first file.
            self.is_new = True
            self._set_meta("identity", json.dumps(dict(identity)))
            return
        if not resume:
            raise IngestError(
                "ledger-exists",
                f"{self.path}: an ingest into this output was begun before",
                "give --resume to continue it, or another --out",
            )
        theirs = json.loads(self._meta("identity") or "{}")
        differing = sorted(key for key in {*theirs, *identity} if theirs.get(key) != identity.get(key))
        if differing:
            raise IngestError(
                "ledger-mismatch",
                f"{self.path}: begun with other {', '.join(differing)}",
                "give the arguments of that run, or another --ledger",
            )

    def _meta(self, key: str) -> str | None:
        row = self._database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def _set_meta(self, key: str, value: str) -> None:
        self._database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def _locked(path: Path, wait_s: float) -> IO[bytes]:
    """The lock file, locked. The system releases it when the process ends."""
    file = open(path, "wb")  # noqa: SIM115 (held as long as the lock)
    end = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except OSError:
            if time.monotonic() >= end:
                file.close()
                raise IngestError(
                    "ledger-locked", f"{path.parent}: another ingest into this output is running", "wait for its end"
                ) from None
            time.sleep(0.1)
