"""Rows of the Milvus store: filters built from checked values, queries of any size, and puts that others see at once.

Milvus returns at most 16,384 rows a query. A query of more documents is asked by groups of ids, which are divided until each
fits: 256 at most, so for some four million documents of a tenant. More are refused, none is left out.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pymilvus import MilvusClient, MilvusException

from . import Conditions, Rights, StoreError, check_document_id, check_tenant
from .contents import plain
from .milvus_tables import ANY_EDITION, MAX_EDITIONS, MAX_ROWS, N_SHARDS, Tables

Row = dict[str, Any]

#: Maximum rows of an insertion, and ids of a filter.
_BATCH, _MAX_IDS = 500, 500


class Rows:
    """Reads and writes rows. Methods raise :class:`StoreError` (``store-unavailable``, ``limit-exceeded``)."""

    def __init__(self, client: MilvusClient, tables: Tables, *, is_lite: bool) -> None:
        self.client = client
        self.tables = tables
        self._is_lite = is_lite
        self._written: set[str] = set()
        self._lock = threading.Lock()

    def insert(self, collection: str, rows: Iterable[Row]) -> None:
        """Inserts rows in batches."""
        with unavailable():
            batch: list[Row] = []
            for row in rows:
                batch.append(row)
                if len(batch) == _BATCH:
                    self._insert(collection, batch)
                    batch = []
            if batch:
                self._insert(collection, batch)

    def upsert(self, collection: str, row: Row) -> None:
        """Writes a row, in the place of the one of its key."""
        with unavailable(), self._lock:
            self.client.upsert(collection, [row])
            self._written.add(collection)

    def delete(self, collection: str, expression: str) -> None:
        """Deletes the rows of a filter."""
        with unavailable(), self._lock:
            self.client.delete(collection, filter=expression)
            self._written.add(collection)

    def query(self, collection: str, expression: str, fields: Sequence[str]) -> list[Row]:
        """At most :data:`MAX_ROWS` rows of a filter."""
        with unavailable():
            rows = self.client.query(collection, filter=expression, output_fields=list(fields), limit=MAX_ROWS)
        return [dict(row) for row in rows]

    def search(
        self, collection: str, field: str, vectors: list[Any], limit: int, expression: str, fields: Sequence[str]
    ) -> list[list[Row]]:
        """The rows of a filter nearest to each vector, best first; ``distance`` is the inner product."""
        with unavailable():
            self._settle(collection)
            found = self.client.search(
                collection,
                data=vectors,
                anns_field=field,
                filter=expression,
                limit=limit,
                output_fields=list(fields),
                # Of HNSW; other indexes know no such parameter and leave it aside.
                search_params={"metric_type": "IP", "params": {"ef": max(2 * limit, 64)} if field == "vector" else {}},
            )
        return [[{"distance": hit["distance"], **hit["entity"]} for hit in hits] for hits in found]

    def documents(self, rights: Rights, fields: Sequence[str]) -> list[Row]:
        """Rows of the documents that the rights allow. ``limit-exceeded`` for more than Milvus returns."""
        found: list[Row] = []
        for expression in of_documents(rights):
            found += self._group(expression, fields, 0, N_SHARDS)
        return found

    def tenants(self) -> list[str]:
        """All tenants. At most a query for each, and one more."""
        found: set[str] = set()
        while True:
            others = f'tenant != "" and tenant not in {_strings(sorted(found))}' if found else 'tenant != ""'
            rows = self.query(self.tables.documents, others, ["tenant"])
            if not rows:
                return sorted(found)
            found |= {row["tenant"] for row in rows}

    def n_documents(self, rights: Rights, conditions: Conditions) -> int:
        """Number of the documents that the rights allow, and of which the conditions hold."""
        held, asked = of_conditions(conditions, of_documents_alone=True), ["count(*)"]
        with unavailable():
            return sum(
                self.client.query(self.tables.documents, filter=allowed + held, output_fields=asked)[0]["count(*)"]
                for allowed in of_documents(rights)
            )

    def document(self, rights: Rights, id: str, fields: Sequence[str]) -> Row | None:
        """Row of a document; ``None`` if the tenant has none, or the rights exclude it."""
        check_document_id(id)
        rows = (
            self.query(self.tables.documents, f'key == "{key(rights.tenant, id)}"', fields) if rights.allows(id) else []
        )
        return rows[0] if rows else None

    def _group(self, expression: str, fields: Sequence[str], first: int, n: int) -> list[Row]:
        """Rows of the documents of ``n`` shards, by smaller groups if they are more than a query returns."""
        group = "" if n == N_SHARDS else f" and shard >= {first} and shard < {first + n}"
        rows = self.query(self.tables.documents, expression + group, fields)
        if len(rows) < MAX_ROWS:
            return rows
        if n == 1:
            raise StoreError(
                "limit-exceeded",
                f"the tenant has more documents than Milvus returns, some {N_SHARDS * MAX_ROWS // 10**6} million",
                "divide the documents among several tenants",
            )
        part = n // 4
        return [row for start in range(first, first + n, part) for row in self._group(expression, fields, start, part)]

    def _insert(self, collection: str, batch: list[Row]) -> None:
        # Lite takes one writer at a time.
        with self._lock:
            self.client.insert(collection, batch)
            self._written.add(collection)

    def _settle(self, collection: str) -> None:
        """Lite compares rows that are not flushed one by one in Python: a hundred times slower than an index."""
        if not self._is_lite or collection not in self._written:
            return
        with self._lock:
            if collection in self._written:
                self.client.flush(collection)
                self._written.discard(collection)


def key(tenant: str, *parts: str | int) -> str:
    """Primary key of a row."""
    return "/".join([check_tenant(tenant), *map(str, parts)])


def of_tenant(tenant: str) -> str:
    """Filter of a tenant."""
    return f'tenant == "{check_tenant(tenant)}"'


def of_documents(rights: Rights, field: str = "id") -> Iterator[str]:
    """Filters that together allow what the rights allow: one, or one for each few hundred documents."""
    if rights.documents is None:
        yield of_tenant(rights.tenant)
        return
    ids = sorted(map(check_document_id, rights.documents))
    for start in range(0, len(ids), _MAX_IDS):
        yield f"{of_tenant(rights.tenant)} and {field} in {_strings(ids[start : start + _MAX_IDS])}"


def of_conditions(conditions: Conditions, *, of_documents_alone: bool = False) -> str:
    """Filter of conditions; empty for none. Kinds and dates are checked, editions made plain."""
    parts = []
    if conditions.edition is not None:
        wanted = plain(conditions.edition)[:MAX_EDITIONS]
        parts.append(f'(editions like "%{wanted}%" or editions == "{ANY_EDITION}")')
    if conditions.first is not None:
        # A date of less precision is its whole year or month.
        wider = [conditions.first[:end] for end in (4, 7) if end <= len(conditions.first)]
        parts.append(f'(date >= "{conditions.first}" or date in {_strings(wider)})')
    if conditions.last is not None:
        parts.append(f'date != "" and date <= "{conditions.last}~"')
    if conditions.kinds is not None and not of_documents_alone:
        parts.append(f"kind in {_strings(sorted(conditions.kinds))}")
    if conditions.in_force and not of_documents_alone:
        parts.append('legal_status == ""')
    return "".join(f" and {part}" for part in parts)


def _strings(values: Sequence[str]) -> str:
    """A list of strings without quotes and backslashes."""
    return "[" + ", ".join(f'"{value}"' for value in values) + "]"


@contextmanager
def unavailable() -> Iterator[None]:
    """Turns errors of Milvus into ``store-unavailable``. Their texts may hold filters, so they are left out."""
    try:
        yield
    except MilvusException as error:
        raise StoreError(
            "store-unavailable", f"Milvus refused or cannot be reached: error {error.code}", "try again later"
        ) from error
