"""The store in Milvus, against a real Milvus Lite in a file, and its folder of blobs."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from store_contract import StoreContract, killed_put
from store_documents import WEIGHTS, A, B, naive_by_words, naive_statistics, put, sample

from pincite.stores import Rights, Store, StoreError, milvus, milvus_rows, open_store
from pincite.stores.milvus import MilvusStore, _address, _n_terms, _shards
from pincite.stores.milvus_tables import ALWAYS, MAX_ROWS, N_SHARDS, dimension, sparse
from pincite.stores.segments import BlobKey, FolderBlobs, Pending


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusStore]:
    """A store for the tests of this module: Lite takes a second to start."""
    with open_store(f"milvus:{tmp_path_factory.mktemp('milvus') / 'store.db'}") as store:
        assert isinstance(store, MilvusStore)
        yield store


@pytest.fixture
def store(opened: MilvusStore) -> Iterator[Store]:
    """The same with collections of its own."""
    client, blobs = opened._client, opened._blobs
    for name in client.list_collections():
        client.drop_collection(name)
    yield _Emptied(client, blobs)


class _Emptied(MilvusStore):
    """A store over a client that is open."""

    def __init__(self, client: Any, blobs: Any) -> None:
        self._shared = client
        super().__init__("unused.db", blobs)

    def _connect(self, _: str) -> Any:
        return self._shared


class TestMilvus(StoreContract):
    """The contract. Weights hold the mean length of their put, within a twentieth of today's."""

    tolerance = 0.05
    recall = 0.9

    def seen_while_replaced(self, n_units: int) -> set[int]:
        return {0, n_units}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a server that speaks Milvus' protocol: that of Milvus Lite, over the network."""
    folder = tmp_path_factory.mktemp("milvus-server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [Path(sys.executable).with_name("milvus-lite"), "server", "--data-dir", folder / "data"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([*command, "--host", "127.0.0.1", "--port", str(port)], stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}?blobs={folder / 'blobs'}"
    try:
        for attempt in range(1, 61):
            try:
                open_store(url).close()
                break
            except StoreError:
                if attempt == 60 or process.poll() is not None:
                    raise
                time.sleep(0.5)
        yield url
    finally:
        process.terminate()
        process.wait()


class TestMilvusServer(StoreContract):
    """The contract of a store that is asked by address: partitions by tenant, a graph of vectors, several writers."""

    tolerance = 0.05
    recall = 0.9

    def seen_while_replaced(self, n_units: int) -> set[int]:
        return {0, n_units}

    @pytest.fixture
    def store(self, server: str) -> Iterator[Store]:
        with open_store(server) as store:
            assert isinstance(store, MilvusStore)
            for name in store._client.list_collections():
                store._client.drop_collection(name)
        with open_store(server) as store:
            yield store


@pytest.mark.parametrize("at", [1, 4, 6, 7])
def test_a_killed_put_leaves_nothing(tmp_path: Path, at: int) -> None:
    """Killed before its writes: 0 to 6 come before the document's row is there, the last behind it."""
    url = f"milvus:{tmp_path / 'store.db'}"
    killed_put(url, 1, at)
    with open_store(url) as store:
        is_committed = at > 6
        assert [one.name for one in store.documents(A)] == (["rules-1.docx"] if is_committed else [])
        assert bool(store.by_words(WEIGHTS, 10_000, A)) == is_committed
        assert bool(store.by_vector(sample(1).vectors[0], 10_000, A)) == is_committed
        assert len(list((tmp_path / "store.blobs").rglob("*.*"))) == (3 if is_committed else 0)
        put(store, sample(1))
        terms = sorted(sample(1).document.statistics.doc_freq)
        assert store.statistics(terms, A) == sample(1).document.statistics
        assert store.file(sample(1).document.id, A).data == sample(1).file


@pytest.mark.parametrize(
    ("at", "name"), [(3, "rules-1.docx"), (5, "rules-1.docx"), (6, "renamed.docx"), (8, "renamed.docx")]
)
def test_a_killed_replacement_leaves_one_of_both(tmp_path: Path, at: int, name: str) -> None:
    """Killed before the document's row, the old document stays; behind it the new one is there, and the old is swept."""
    url = f"milvus:{tmp_path / 'store.db'}"
    with open_store(url) as store:
        put(store, sample(1))
    killed_put(url, 1, at, name="renamed.docx")
    expected = sample(1, name=name)
    with open_store(url) as store:
        assert [one.name for one in store.documents(A)] == [name]
        assert store.segment(expected.document.id, A) == expected.document.segment
        assert len(store.by_vector(expected.vectors[0], 10_000, A)) == len(expected.vectors)
        assert len(store.by_words(WEIGHTS, 10_000, A)) == len(naive_by_words(WEIGHTS, [expected]))
        assert store.file(expected.document.id, A).data == expected.file
        assert len(list((tmp_path / "store.blobs").rglob("*.*"))) == 3
        assert isinstance(store, MilvusStore)
        assert len(store._rows.query("pincite_vectors", 'tenant == "tenant-a"', ["unit"])) == len(expected.vectors)


def test_a_file_is_given_up_with_its_last_store(tmp_path: Path) -> None:
    url = f"milvus:{tmp_path / 'store.db'}"
    first, second = open_store(url), open_store(url)
    put(first, sample(1))
    first.close()
    assert len(second.documents(A)) == 1
    second.close()
    killed_put(url, 2, 0)


def test_a_file_of_another_process_is_unavailable(tmp_path: Path) -> None:
    with (tmp_path / "other.db").open("wb") as file:
        file.write(b"no folder of Milvus Lite")
    with pytest.raises(StoreError) as error:
        open_store(f"milvus:{tmp_path / 'other.db'}")
    assert error.value.code == "store-unavailable"


def test_rows_that_nobody_may_see_take_no_places(store: MilvusStore) -> None:
    for seed in (1, 2):
        put(store, sample(seed))
    expected = store.by_words(WEIGHTS, 5, A), store.by_vector(sample(2).vectors[0], 5, A)
    # What a put that is under way, or was interrupted, has written: better rows than any.
    for seed in (1, 2):
        document = sample(seed).document
        row = {"tenant": "tenant-a", "document": document.id, "version": 1, "kind": "child"}
        row |= {"legal_status": "", "date": "", "editions": ""}
        rows = [row | {"key": f"lost/{seed}/{n}", "unit": n} for n in range(300)]
        weights, vector = sparse(dict.fromkeys(WEIGHTS, 1.0)), sample(2).vectors[0]
        store._rows.insert("pincite_units", [one | {"section": 0, "page": 0, "weights": weights} for one in rows])
        store._rows.insert("pincite_vectors", [one | {"vector": vector} for one in rows])
    assert (store.by_words(WEIGHTS, 5, A), store.by_vector(sample(2).vectors[0], 5, A)) == expected


def test_an_interrupted_put_is_swept_with_its_blobs(store: MilvusStore) -> None:
    put(store, sample(1))
    id = sample(1).document.id
    blobs = store._blobs
    blobs.begin(Pending("tenant-a", id, 5))
    blobs.write(BlobKey("tenant-a", id, 5, "segment"), b"half a put")
    assert (store.sweep(), store.sweep()) == (1, 0)
    assert blobs.pending() == []
    assert 5 not in {key.version for key in blobs.of_document("tenant-a", id)}
    assert store.segment(id, A) == sample(1).document.segment


def test_weights_follow_the_mean_length(store: MilvusStore) -> None:
    # The first document alone has long units, the others short ones.
    long = sample(1, n_rules=3)
    for one in [long, *(sample(seed) for seed in range(2, 9))]:
        put(store, one)
    samples = [long, *(sample(seed) for seed in range(2, 9))]
    mean = naive_statistics(samples).mean_length()
    rows = store._rows.documents(A, ["mean_length"])
    assert all(abs(row["mean_length"] / mean - 1) <= 0.05 for row in rows)


def test_a_put_among_several_writers_writes_no_other_document(store: MilvusStore) -> None:
    """Of a server, as the writers of several processes have it: weights are written anew when all are done."""
    store._writer._is_exclusive = False
    samples = [sample(1, n_rules=3), *(sample(seed) for seed in range(2, 9))]
    versions: dict[str, int] = {}
    for one in samples:
        put(store, one)
        rows = {row["id"]: row["units_version"] for row in store._rows.documents(A, ["id", "units_version"])}
        assert {id: rows[id] for id in versions} == versions
        versions = rows
    put(store, samples[0], "tenant-b")
    before = store.documents(A), store.by_words(WEIGHTS, 10_000, B), store.by_vector(samples[1].vectors[0], 9, A)
    store.optimize()
    mean = naive_statistics(samples).mean_length()
    rows = store._rows.documents(A, ["id", "mean_length", "units_version"])
    assert all(abs(row["mean_length"] / mean - 1) <= 0.05 for row in rows)
    assert {row["id"]: row["units_version"] for row in rows} != versions
    after = store.documents(A), store.by_words(WEIGHTS, 10_000, B), store.by_vector(samples[1].vectors[0], 9, A)
    assert after == before
    assert len(store.by_words(WEIGHTS, 10_000, A)) == len(naive_by_words(WEIGHTS, samples))
    assert store._blobs.pending() == []


def test_all_tenants_are_listed(store: MilvusStore, monkeypatch: pytest.MonkeyPatch) -> None:
    assert store._rows.tenants() == []
    for seed, tenant in enumerate(("b", "a", "b", "c"), 1):
        put(store, sample(seed), tenant)
    assert store._rows.tenants() == ["a", "b", "c"]
    monkeypatch.setattr(milvus_rows, "MAX_ROWS", 1)
    assert store._rows.tenants() == ["a", "b", "c"]


def test_documents_are_read_by_groups_and_none_is_left_out(store: MilvusStore, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = [sample(seed) for seed in range(1, 9)]
    for one in samples:
        put(store, one)
    everything = store.documents(A)
    shards = [row["shard"] for row in store._rows.documents(A, ["shard"])]
    most = max(map(shards.count, shards))
    assert most < 4
    monkeypatch.setattr(milvus_rows, "MAX_ROWS", most + 1)
    assert store.documents(A) == everything
    assert len(everything) == 8
    monkeypatch.setattr(milvus_rows, "MAX_ROWS", most)
    with pytest.raises(StoreError) as error:
        store.documents(A)
    assert error.value.code == "limit-exceeded"


def test_terms_are_counted_in_batches(store: MilvusStore, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = [sample(seed) for seed in range(1, 5)]
    for one in samples:
        put(store, one)
    total = naive_statistics(samples)
    terms = sorted(total.doc_freq)
    sizes: list[int] = []
    search = store._rows.search

    def counted(collection: str, field: str, vectors: list[Any], *rest: Any) -> Any:
        sizes.append(len(vectors))
        return search(collection, field, vectors, *rest)

    monkeypatch.setattr(store._rows, "search", counted)
    monkeypatch.setattr(milvus, "_MAX_TERMS", 9)
    for rights in (A, Rights("tenant-a", frozenset(one.document.id for one in samples))):
        sizes.clear()
        assert store.statistics(terms, rights) == total
        assert max(sizes) <= 9 < len(terms) == sum(sizes)
    monkeypatch.undo()
    # Terms times documents are bounded.
    assert (_n_terms(0), _n_terms(1000), _n_terms(10**9)) == (64, 64, 1)
    assert _n_terms(8_000) * 8_000 <= 250_000


def test_a_tenant_of_many_documents_is_counted_in_parts() -> None:
    assert _shards(100) == [""]
    parts = _shards(100_000)
    assert 100_000 / len(parts) < MAX_ROWS / 2
    assert (len(_shards(10**9)), parts[0]) == (N_SHARDS, " and shard >= 0 and shard < 16")


def test_terms_have_dimensions_of_their_own() -> None:
    terms = [f"term{n}" for n in range(2000)]
    assert len({dimension(term) for term in terms}) == len(terms)
    assert all(0 <= dimension(term) < ALWAYS for term in terms)
    assert sparse({"a": 1.0, "b": 2.0}) == {dimension("a"): 1.0, dimension("b"): 2.0}


def test_addresses_are_read_from_urls() -> None:
    assert _address("store.db") == {"uri": "store.db"}
    assert _address("https://me:p%40ss@milvus.example:443/laws") == {
        "uri": "https://milvus.example:443",
        "user": "me",
        "password": "p@ss",
        "db_name": "laws",
    }
    assert _address("http://localhost") == {"uri": "http://localhost:19530"}


@pytest.mark.parametrize(
    "url", ["", "store.db", "mysql://x", "http://localhost:19530", "milvus:", "milvus:store", "file:///etc/passwd"]
)
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(StoreError) as error:
        open_store(url)
    assert error.value.code == "bad-argument"


def test_the_compose_file_pins_its_versions_and_opens_one_door() -> None:
    compose = yaml.safe_load((Path(__file__).parents[1] / "compose.yaml").read_text())
    services = compose["services"]
    assert set(services) == {"etcd", "minio", "milvus"}
    for service in services.values():
        version = service["image"].rpartition(":")[2]
        assert any(digit.isdigit() for digit in version)
        assert service["healthcheck"]["test"][0] == "CMD"
        assert {volume.partition(":")[0] for volume in service["volumes"]} <= set(compose["volumes"])
    assert [service["ports"] for service in services.values() if "ports" in service] == [["127.0.0.1:19530:19530"]]
    assert set(services["milvus"]["depends_on"]) == {"etcd", "minio"}
    environment = services["milvus"]["environment"]
    assert environment["COMMON_SECURITY_AUTHORIZATIONENABLED"] == "true"
    # Passwords come from whoever starts it, who is asked for them.
    secrets = [environment[name] for name in environment if "PASSWORD" in name or "SECRET" in name]
    assert secrets
    assert all(secret.startswith("${") and ":?" in secret for secret in secrets)


def test_blobs_are_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blobs = FolderBlobs(tmp_path)
    key = BlobKey("tenant-a", "a" * 64, 7, "segment")
    assert blobs.read(key) is None
    blobs.write(key, b"0123456789")
    assert blobs.read(key) == (b"0123456789", 10)
    assert blobs.read(key, 3, 5) == (b"34", 10)
    assert blobs.read(key, 8, 99) == (b"89", 10)
    assert blobs.read(key, 99) == (b"", 10)

    def no_space(*_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", no_space)
        with pytest.raises(OSError, match="no space"):
            blobs.write(key, b"other")
    assert blobs.read(key) == (b"0123456789", 10)
    assert blobs.of_document("tenant-a", "a" * 64) == [key]
    blobs.remove(key)
    assert blobs.of_document("tenant-a", "a" * 64) == []
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    ("tenant", "document", "version", "kind"),
    [
        ("../b", "a" * 64, 1, "file"),
        ("a", "../" + "a" * 61, 1, "file"),
        ("a", "a" * 64, -1, "file"),
        ("a", "a" * 64, 1, "x"),
    ],
)
def test_no_path_is_made_of_what_is_not_checked(tenant: str, document: str, version: int, kind: str) -> None:
    with pytest.raises(StoreError):
        BlobKey(tenant, document, version, kind)
