"""Writes of the PostgreSQL store: putting a document, completing it, deleting it.

Each function runs in the caller's transaction. Rows are written under a number that no document has yet; only then the
tenant is locked, the document takes its place, and the sums change. So puts of one tenant write side by side and wait for
each other only at their end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from .contents import Contents, check_not_newer
from .postgres_tables import TENANT_LOCK, stored_term

#: Columns of ``documents`` that make a :class:`~pincite.stores.StoredDocument`.
DESCRIPTION = (
    *("id", "name", "title", "date", "edition", "n_pages", "n_passages", "n_to_embed", "n_embedded", "digest"),
    *("vectors_digest", "n_bytes", "media_type", "diags"),
)

_DOCUMENT = ("tenant", "number", "place", "editions", "n_units", "text_length", "header_length", *DESCRIPTION)
_ADD_DOCUMENT = (
    f"INSERT INTO pincite.documents ({', '.join(_DOCUMENT)}) VALUES ({', '.join(f'%({name})s' for name in _DOCUMENT)})"
)
_ADD_TERMS = """
INSERT INTO pincite.terms AS known SELECT %(tenant)s, term, sum(cardinality(units)) FROM pincite.postings
WHERE tenant = %(tenant)s AND document = %(number)s GROUP BY term
ON CONFLICT (tenant, term) DO UPDATE SET doc_freq = known.doc_freq + excluded.doc_freq
"""
_SUBTRACT_TERMS = """
UPDATE pincite.terms AS known SET doc_freq = known.doc_freq - gone.n FROM (
    SELECT term, sum(cardinality(units)) AS n FROM pincite.postings
    WHERE tenant = %(tenant)s AND document = %(number)s GROUP BY term
) AS gone WHERE known.tenant = %(tenant)s AND known.term = gone.term
"""
_DROP_TERMS = """
DELETE FROM pincite.terms WHERE tenant = %(tenant)s AND doc_freq <= 0 AND term IN (
    SELECT term FROM pincite.postings WHERE tenant = %(tenant)s AND document = %(number)s)
"""
_ADD_SUMS = """
INSERT INTO pincite.collections AS known
SELECT tenant, n_units, text_length, header_length, n_embedded FROM pincite.documents
WHERE tenant = %(tenant)s AND number = %(number)s
ON CONFLICT (tenant) DO UPDATE SET n_units = known.n_units + excluded.n_units,
text_length = known.text_length + excluded.text_length, header_length = known.header_length + excluded.header_length,
n_vectors = known.n_vectors + excluded.n_vectors
"""
_SUBTRACT_SUMS = """
UPDATE pincite.collections AS known SET n_units = known.n_units - gone.n_units,
text_length = known.text_length - gone.text_length, header_length = known.header_length - gone.header_length,
n_vectors = known.n_vectors - gone.n_embedded
FROM pincite.documents AS gone
WHERE gone.tenant = %(tenant)s AND gone.number = %(number)s AND known.tenant = gone.tenant
"""


class AlreadyStored(Exception):
    """Another put of the same segment came first. The transaction must be rolled back."""


@dataclass(frozen=True, slots=True)
class Known:
    """The version of a document that is stored."""

    number: int
    place: int
    digest: str
    vectors_digest: str | None
    n_embedded: int
    media_type: str | None
    #: First 20 bytes of the segment.
    head: bytes


def known(connection: psycopg.Connection[Any], contents: Contents) -> Known | None:
    """The stored version of a put's document."""
    row = connection.execute(
        "SELECT number, place, digest, vectors_digest, n_embedded, media_type, substring(bytes FOR 20)"
        " FROM pincite.documents JOIN pincite.blobs"
        " ON blobs.tenant = documents.tenant AND blobs.document = number AND kind = 'segment'"
        " WHERE documents.tenant = %s AND id = %s",
        [contents.tenant, contents.id],
    ).fetchone()
    return None if row is None else Known(*row)


def adds_to(contents: Contents, stored: Known) -> bool:
    """True if a put of the stored segment brings vectors or a file that are not stored."""
    brings_vectors = contents.vectors is not None and contents.vectors_digest != stored.vectors_digest
    return brings_vectors or (contents.file is not None and stored.media_type is None)


def replace(connection: psycopg.Connection[Any], contents: Contents) -> None:
    """Stores a document in the place of the one of its id.

    Raises:
        AlreadyStored: if the same segment is stored by now.
        StoreError: ``index-version`` if the stored segment has a newer format.
    """
    tenant = contents.tenant
    row = connection.execute("SELECT nextval('pincite.numbers')").fetchone()
    number: int = row[0] if row else 0
    _write_postings(connection, contents, number)
    _write_withdrawn(connection, contents, number)
    _write_blob(connection, tenant, number, "segment", contents.segment)
    if contents.file is not None:
        _write_blob(connection, tenant, number, "file", contents.file)
    if contents.vectors is not None:
        _write_vectors(connection, contents, number)
    lock(connection, tenant)
    stored = known(connection, contents)
    if stored is not None and stored.digest == contents.digest:
        raise AlreadyStored
    description = contents.description()
    media_type = description.media_type
    if stored is not None:
        check_not_newer(stored.head, contents.segment)
        if media_type is None and stored.media_type is not None:
            # The id is the file's hash: another reading of the document has the same file.
            media_type = stored.media_type
            connection.execute(
                "UPDATE pincite.blobs SET document = %s WHERE tenant = %s AND document = %s AND kind = 'file'",
                [number, tenant, stored.number],
            )
        delete(connection, tenant, stored.number)
    sums = contents.document.statistics
    values: dict[str, Any] = {name: _storable(getattr(description, name)) for name in DESCRIPTION}
    diags = _storable([dict(diag) for diag in description.diags])
    values |= {"media_type": media_type, "diags": Jsonb(diags), "tenant": tenant, "number": number}
    values["editions"] = contents.editions
    values |= {name: getattr(sums, name) for name in ("n_units", "text_length", "header_length")}
    values["place"] = number if stored is None else stored.place
    connection.execute(_ADD_DOCUMENT, values)
    connection.execute(_ADD_TERMS, values)
    connection.execute(_ADD_SUMS, values)


def complete(connection: psycopg.Connection[Any], contents: Contents) -> None:
    """Adds the vectors and the file of a put to the same segment that is stored."""
    tenant = contents.tenant
    lock(connection, tenant)
    stored = known(connection, contents)
    if stored is None or stored.digest != contents.digest:
        return
    if contents.file is not None and stored.media_type is None:
        _write_blob(connection, tenant, stored.number, "file", contents.file)
        connection.execute(
            "UPDATE pincite.documents SET media_type = %s WHERE tenant = %s AND number = %s",
            [contents.media_type, tenant, stored.number],
        )
    if contents.vectors is None or contents.vectors_digest == stored.vectors_digest:
        return
    for statement in (
        "DELETE FROM pincite.vectors WHERE tenant = %s AND document = %s",
        "DELETE FROM pincite.blobs WHERE tenant = %s AND document = %s AND kind = 'vectors'",
    ):
        connection.execute(statement, [tenant, stored.number])
    _write_vectors(connection, contents, stored.number)
    description = contents.description()
    connection.execute(
        "UPDATE pincite.documents SET n_embedded = %s, vectors_digest = %s, n_bytes = %s"
        " WHERE tenant = %s AND number = %s",
        [description.n_embedded, description.vectors_digest, description.n_bytes, tenant, stored.number],
    )
    connection.execute(
        "UPDATE pincite.collections SET n_vectors = n_vectors + %s WHERE tenant = %s",
        [description.n_embedded - stored.n_embedded, tenant],
    )


def remove(connection: psycopg.Connection[Any], tenant: str, id: str) -> bool:
    """Removes a document; False if the tenant has none of this id."""
    lock(connection, tenant)
    row = connection.execute(
        "SELECT number FROM pincite.documents WHERE tenant = %s AND id = %s", [tenant, id]
    ).fetchone()
    if row is not None:
        delete(connection, tenant, row[0])
    return row is not None


def lock(connection: psycopg.Connection[Any], tenant: str) -> None:
    """Waits for the other transactions that change the tenant's sums. Tenants of one hash wait for each other."""
    connection.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [TENANT_LOCK, tenant])


def delete(connection: psycopg.Connection[Any], tenant: str, number: int) -> None:
    """Deletes all rows of a number, and what they add to the sums. The tenant is locked."""
    values = {"tenant": tenant, "number": number}
    connection.execute(_SUBTRACT_TERMS, values)
    connection.execute(_DROP_TERMS, values)
    connection.execute(_SUBTRACT_SUMS, values)
    tables = [
        ("documents", "number"),
        *((table, "document") for table in ("withdrawn", "blobs", "postings", "vectors")),
    ]
    has_vectors = connection.execute("SELECT to_regclass('pincite.vectors')").fetchone() != (None,)
    for table, column in tables if has_vectors else tables[:-1]:
        connection.execute(f"DELETE FROM pincite.{table} WHERE tenant = %(tenant)s AND {column} = %(number)s", values)


def _write_postings(connection: psycopg.Connection[Any], contents: Contents, number: int) -> None:
    statement = "COPY pincite.postings (tenant, term, document, kind, units, frequencies, lengths) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for postings in contents.posting_lists():
            lists = (postings.units, postings.frequencies, postings.lengths)
            copy.write_row((contents.tenant, stored_term(postings.term), number, postings.kind, *map(_array, lists)))


def _write_withdrawn(connection: psycopg.Connection[Any], contents: Contents, number: int) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO pincite.withdrawn VALUES (%s, %s, %s)",
            [
                (contents.tenant, number, unit)
                for unit, status in enumerate(contents.units["legal_status"].to_pylist())
                if status is not None
            ],
        )


def _write_vectors(connection: psycopg.Connection[Any], contents: Contents, number: int) -> None:
    if contents.vectors is None or contents.packed_vectors is None:
        return
    _write_blob(connection, contents.tenant, number, "vectors", contents.packed_vectors)
    statement = "COPY pincite.vectors (tenant, document, unit, kind, embedding) FROM STDIN WITH (FORMAT BINARY)"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(["text", "int8", "int4", "text", "vector"])
        kinds = contents.units["kind"].to_pylist()
        for unit, vector in zip(contents.vector_units.tolist(), contents.vectors, strict=True):
            copy.write_row((contents.tenant, number, unit, kinds[unit], vector))


def _write_blob(connection: psycopg.Connection[Any], tenant: str, number: int, kind: str, data: bytes) -> None:
    connection.execute(
        "INSERT INTO pincite.blobs VALUES (%s, %s, %s, %b)",
        [tenant, number, kind, data],
    )


def _storable(value: Any) -> Any:
    """A value without the character that PostgreSQL's text has not, which titles of PDFs may hold."""
    match value:
        case str():
            return value.replace("\0", "")
        case list():
            return [_storable(item) for item in value]
        case dict():
            return {name: _storable(item) for name, item in value.items()}
    return value


def _array(values: Iterable[Any]) -> str:
    """A list of numbers as PostgreSQL writes it."""
    return "{" + ",".join(f"{value:g}" if value % 1 else str(int(value)) for value in values) + "}"
