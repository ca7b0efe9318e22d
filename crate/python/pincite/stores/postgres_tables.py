"""Tables of the PostgreSQL store, and opening them.

The tenant leads every key, so a query without a tenant finds no index. A document has a number that is new with each put:
rows of an older version never mix with those of a newer one.

A row of ``postings`` is the posting list of a term in the units of one kind of one document: half the bytes of a row per
posting, and a quarter of the rows. Frequencies and lengths are stored, not weights, since the mean length of the collection
changes with every document. ``terms`` and ``collections`` are sums of all documents, changed in the transaction of the put.

A unit takes 2.5 kB of postings (15,637 units of 266 documents, ``benches/parity.py --corpus obliqa --by-chapter``) to 6.5 (155,849
of 2,977, ``benches/scale.py fill``), and 1.6 of stored bytes; a vector of 384 numbers 2.8 kB with its index.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import psycopg
from psycopg import sql

from . import StoreError
from .contents import other_format

#: Version of the tables. A store of a higher one is refused.
FORMAT = 2
#: Oldest version of pgvector that serves: 16-bit vectors, and an index that goes on where a filter leaves too few.
_PGVECTOR = (0, 8)
#: Maximum dimensions of an HNSW index of 16-bit vectors.
_MAX_INDEXED = 4000
#: Bytes of the graph of an HNSW index that is being built, beside the vectors: a vector; and the most that are asked for.
_GRAPH_BYTES, _MAX_BUILD_BYTES = 800, 2 << 30
#: Keys of advisory locks: for tables, the class of those of tenants, and for :func:`optimize`.
_TABLES_LOCK = 0x70696E63
TENANT_LOCK = 0x70696E64
_OPTIMIZE_LOCK = 0x70696E65
#: Maximum bytes of a term that is stored as it is, and of the beginning that is kept of a longer one.
_MAX_TERM, _TERM_PREFIX = 1000, 960

_TABLES = """
CREATE TABLE IF NOT EXISTS pincite.settings (name text PRIMARY KEY, value text NOT NULL);
CREATE SEQUENCE IF NOT EXISTS pincite.numbers;
CREATE TABLE IF NOT EXISTS pincite.documents (
    tenant text NOT NULL,
    id text NOT NULL CHECK (id ~ '^[0-9a-f]{64}$'),
    number bigint NOT NULL UNIQUE,
    place bigint NOT NULL,
    digest text NOT NULL,
    vectors_digest text,
    name text NOT NULL,
    title text,
    date text,
    edition text,
    editions text NOT NULL,
    n_pages integer NOT NULL,
    n_passages integer NOT NULL,
    n_to_embed integer NOT NULL,
    n_embedded integer NOT NULL,
    n_bytes bigint NOT NULL,
    media_type text,
    diags jsonb NOT NULL,
    n_units bigint NOT NULL,
    text_length bigint NOT NULL,
    header_length bigint NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX IF NOT EXISTS documents_by_place ON pincite.documents (tenant, place);
-- Units of sections that are not in force, of which most documents have none.
CREATE TABLE IF NOT EXISTS pincite.withdrawn (
    tenant text NOT NULL,
    document bigint NOT NULL,
    unit integer NOT NULL,
    PRIMARY KEY (tenant, document, unit)
);
CREATE TABLE IF NOT EXISTS pincite.blobs (
    tenant text NOT NULL,
    document bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('segment', 'vectors', 'file')),
    bytes bytea NOT NULL,
    PRIMARY KEY (tenant, document, kind)
);
-- Uncompressed, so that a range of a file is read without the rest.
ALTER TABLE pincite.blobs ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE IF NOT EXISTS pincite.postings (
    tenant text NOT NULL,
    term text NOT NULL,
    document bigint NOT NULL,
    kind text NOT NULL,
    units integer[] NOT NULL,
    frequencies real[] NOT NULL,
    lengths real[] NOT NULL,
    PRIMARY KEY (tenant, term, document, kind)
);
CREATE INDEX IF NOT EXISTS postings_by_document ON pincite.postings (tenant, document);
CREATE TABLE IF NOT EXISTS pincite.terms (
    tenant text NOT NULL,
    term text NOT NULL,
    doc_freq bigint NOT NULL,
    PRIMARY KEY (tenant, term)
) WITH (fillfactor = 70);
CREATE TABLE IF NOT EXISTS pincite.collections (
    tenant text PRIMARY KEY,
    n_units bigint NOT NULL,
    text_length bigint NOT NULL,
    header_length bigint NOT NULL,
    n_vectors bigint NOT NULL
);
"""

_VECTORS = """
CREATE TABLE IF NOT EXISTS pincite.vectors (
    tenant text NOT NULL,
    document bigint NOT NULL,
    unit integer NOT NULL,
    kind text NOT NULL,
    embedding vector({n}) NOT NULL,
    PRIMARY KEY (tenant, document, unit)
)
"""


def prepare(connection: psycopg.Connection[Any]) -> None:
    """Makes the tables that are missing.

    Raises:
        StoreError: ``index-version`` for tables that a newer Pincite made; ``store-unavailable`` without pgvector, or with
            an old one.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [_TABLES_LOCK])
        if connection.execute("SELECT to_regclass('pincite.settings')").fetchone() == (None,):
            try:
                with connection.transaction():
                    connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            except psycopg.Error as error:
                raise StoreError(
                    "store-unavailable",
                    f"the database has no extension pgvector: {type(error).__name__}",
                    "install pgvector 0.8 or newer, and create the extension as an administrator",
                ) from error
            connection.execute("CREATE SCHEMA IF NOT EXISTS pincite")
            connection.execute(_TABLES)
            connection.execute(
                "INSERT INTO pincite.settings VALUES ('format', %s) ON CONFLICT DO NOTHING", [str(FORMAT)]
            )
        found = int(setting(connection, "format") or 0)
        if found != FORMAT:
            raise other_format(found, FORMAT)
        row = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    version = row[0] if row else "0.0"
    if tuple(int(part) for part in version.split(".")[:2]) < _PGVECTOR:
        raise StoreError(
            "store-unavailable",
            f"the database has pgvector {version}, expected 0.8 or newer",
            "install it, and run ALTER EXTENSION vector UPDATE as an administrator",
        )


def setting(connection: psycopg.Connection[Any], name: str) -> str | None:
    """Value of a setting."""
    row = connection.execute("SELECT value FROM pincite.settings WHERE name = %s", [name]).fetchone()
    return None if row is None else str(row[0])


def model_of(connection: psycopg.Connection[Any]) -> tuple[str, int] | None:
    """Fingerprint and dimensions of the store's model."""
    fingerprint, dimensions = setting(connection, "fingerprint"), setting(connection, "dimensions")
    return None if fingerprint is None or dimensions is None else (fingerprint, int(dimensions))


def ensure_model(connection: psycopg.Connection[Any], fingerprint: str, dimensions: int) -> tuple[str, int]:
    """Makes the table of vectors for the first model. Returns the model that the store has."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [_TABLES_LOCK])
        known = model_of(connection)
        if known is not None:
            return known
        # A type's parameter can be no parameter of the statement; this one is a number.
        connection.execute(sql.SQL(_VECTORS).format(n=sql.Literal(dimensions)))
        connection.execute(
            "INSERT INTO pincite.settings VALUES ('fingerprint', %s), ('dimensions', %s)",
            [fingerprint, str(dimensions)],
        )
    return fingerprint, dimensions


def stored_term(term: str) -> str:
    """A term as it is stored: over 1000 bytes its beginning and a hash, since a row of an index ends at 2704 bytes."""
    encoded = term.encode()
    if len(encoded) <= _MAX_TERM:
        return term
    # Together over 1000 bytes, so that no other term is stored so.
    return encoded[:_TERM_PREFIX].decode(errors="ignore") + sha256(encoded).hexdigest()


def optimize(connection: psycopg.Connection[Any], exact_vectors: int) -> None:
    """Orders the postings and makes the index of more vectors than are compared exactly, each once. Others wait their turn."""
    with _turn(connection):
        model = model_of(connection)
        row = connection.execute("SELECT sum(n_vectors)::bigint FROM pincite.collections").fetchone()
        n_vectors = 0 if row is None else row[0] or 0
        if model is not None and n_vectors > exact_vectors:
            if not _is_ordered(connection):
                _order_postings(connection)
            if model[1] <= _MAX_INDEXED and not has_index(connection):
                _make_index(connection, model[1], n_vectors)
        connection.execute("ANALYZE pincite.documents, pincite.postings, pincite.terms")
        if model is not None:
            connection.execute("ANALYZE pincite.vectors")


@contextmanager
def _turn(connection: psycopg.Connection[Any]) -> Iterator[None]:
    """Waits until no other connection optimizes. The lock is the session's: ``CLUSTER`` ends its own transaction."""
    connection.execute("SELECT pg_advisory_lock(%s)", [_OPTIMIZE_LOCK])
    try:
        yield
    finally:
        # A connection that is lost has given up its lock.
        if not connection.closed:
            connection.execute("SELECT pg_advisory_unlock(%s)", [_OPTIMIZE_LOCK])


def has_index(connection: psycopg.Connection[Any]) -> bool:
    """True if the HNSW index is there and whole."""
    row = connection.execute(
        "SELECT true FROM pg_index WHERE indexrelid = to_regclass('pincite.vectors_near') AND indisvalid"
    ).fetchone()
    return row is not None


def _is_ordered(connection: psycopg.Connection[Any]) -> bool:
    """True if the postings were once written in order."""
    row = connection.execute(
        "SELECT true FROM pg_index WHERE indexrelid = to_regclass('pincite.postings_pkey') AND indisclustered"
    ).fetchone()
    return row is not None


def _order_postings(connection: psycopg.Connection[Any]) -> None:
    """Writes the postings in the order of their terms: a query reads them in half the time. Searches and puts wait meanwhile."""
    connection.execute("CLUSTER pincite.postings USING postings_pkey")


def _make_index(connection: psycopg.Connection[Any], dimensions: int, n_vectors: int) -> None:
    """Makes the HNSW index. Puts wait meanwhile, searches do not."""
    n_bytes = min(n_vectors * (2 * dimensions + _GRAPH_BYTES), _MAX_BUILD_BYTES)
    try:
        _build_index(connection, dimensions, n_bytes)
    except psycopg.errors.DiskFull:
        # Of shared memory, which a container may have little of: several processes build in it, one does not.
        _build_index(connection, dimensions, n_bytes, in_one_process=True)


def _build_index(
    connection: psycopg.Connection[Any], dimensions: int, n_bytes: int, *, in_one_process: bool = False
) -> None:
    with connection.transaction():
        # A graph that has outgrown its memory goes on being built on disk, many times slower.
        connection.execute(
            "SELECT set_config('maintenance_work_mem', greatest(setting::bigint, %s)::text, true)"
            " FROM pg_settings WHERE name = 'maintenance_work_mem'",
            [n_bytes >> 10],
        )
        if in_one_process:
            connection.execute("SET LOCAL max_parallel_maintenance_workers = 0")
        connection.execute(
            sql.SQL("CREATE INDEX IF NOT EXISTS vectors_near ON pincite.vectors USING hnsw ({} halfvec_ip_ops)").format(
                indexed(dimensions)
            )
        )


def indexed(dimensions: int) -> sql.Composable:
    """Expression that the HNSW index holds: 16-bit vectors, half the size."""
    return sql.SQL("(embedding::halfvec({}))").format(sql.Literal(dimensions))


def nearness(dimensions: int) -> sql.Composable:
    """Order in which the HNSW index finds vectors near the parameter ``vector``."""
    return sql.SQL("{} <#> %(vector)s::halfvec").format(indexed(dimensions))
