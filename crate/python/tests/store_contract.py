"""Contract of every store: a class of tests that the tests of each store inherit.

A test gets an empty ``store``. Rights, atomicity and statistics are tested against what the documents themselves say.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from store_conditions import ConditionsContract
from store_documents import (
    FINGERPRINT,
    WEIGHTS,
    A,
    B,
    Sample,
    code_of,
    naive_by_vector,
    naive_by_words,
    naive_statistics,
    put,
    sample,
    vectors_of,
    word_file,
)

import pincite
from pincite.stores import Found, Rights, Store, StoreError

FORGED_TENANTS = (
    "",
    "a" * 65,
    'a"b',
    "a'b",
    "a%",
    "*",
    "a b",
    "tenant-a/../tenant-b",
    "ténant",
    "a\nb",
    "a\0b",
    "-a",
    "a\\",
)


def forged_ids(known: list[str]) -> Iterator[str]:
    """Two hundred ids that are none of a tenant's: random, near a known one, and made to break a filter."""
    random = np.random.default_rng(7)
    breaking = ["", "%", "*", "_" * 64, "%" * 64, known[0].upper(), known[0] + " ", known[0][:-1], "../" + known[0]]
    breaking += [
        f'{known[0]}" or "1" == "1',
        f"{known[0]}' OR '1'='1",
        '" or tenant != "',
        "'; DROP TABLE documents; --",
    ]
    breaking += ["é" * 64, "\u0661" * 64, known[0][:-1] + "\u0661", known[0] + "\0", '"] or id in ["' + known[0]]
    yield from breaking
    for _ in range(100):
        yield random.bytes(32).hex()
    for at in range(200 - 100 - len(breaking)):
        digits = list(known[at % len(known)])
        digits[at % 64] = "0" if digits[at % 64] != "0" else "1"
        yield "".join(digits)


class StoreContract(ConditionsContract):
    """Tests of a store. A subclass has the fixture ``store``."""

    #: Relative error of scores by words, and least share of the true candidates.
    tolerance = 1e-6
    recall = 1.0

    def test_odd_names_are_kept(self, store: Store) -> None:
        names = ["a'b\"c\\d.docx", "%_*{}.docx", "\u0661\u6cd5\U0001f4dc\u202e.docx", "nul\0byte.docx", "n" * 5000]
        for seed, name in enumerate(names, 1):
            put(store, sample(seed, name=name))
        # PostgreSQL's text has no NUL, and a row of Milvus is short.
        for stored, name in zip(store.documents(A), names, strict=True):
            assert stored.name.replace("\0", "")[:1000] == name.replace("\0", "")[:1000]

    def test_a_document_without_words_is_stored(self, store: Store) -> None:
        for text in ("", "..."):
            document = pincite.read(word_file([("Normal", text)]), name="empty.docx")
            assert document.statistics.doc_freq == {}
            store.put(document, vectors_of(document), FINGERPRINT, tenant="tenant-a")
            assert store.segment(document.id, A) == document.segment
        put(store, sample(1))
        assert len(store.documents(A)) == 3
        assert len(store.by_words(WEIGHTS, 10_000, A)) == len(naive_by_words(WEIGHTS, [sample(1)]))

    def test_a_word_of_any_length_is_stored_and_found(self, store: Store) -> None:
        """Words that no index could hold, of which two begin alike."""
        random = np.random.default_rng(5)
        words = ["".join(chr(97 + letter) for letter in random.integers(0, 26, n)) for n in (900, 1100, 3000, 3000)]
        words[3] = words[2][:2000] + words[3][2000:]
        samples = []
        for at, word in enumerate(words):
            file = word_file([("Normal", f"The record of volume {at} names {word} once.")])
            document = pincite.read(file, name=f"long-{at}.docx")
            samples.append(Sample(document, vectors_of(document), file))
            put(store, samples[at])
        total = naive_statistics(samples)
        terms = sorted(total.doc_freq)
        assert {len(word) for word in words} <= {len(term) for term in terms}
        assert store.statistics(terms, A) == total
        some = A.within([samples[2].document.id, samples[3].document.id])
        assert store.statistics(terms, some) == naive_statistics(samples[2:])
        for one in samples:
            weights = {"record": 1.0} | {term: 5.0 for term in one.document.statistics.doc_freq if len(term) > 500}
            assert len(weights) == 2
            self.check_words(store.by_words(weights, 4, A), naive_by_words(weights, samples), 4)
            assert store.by_words(weights, 1, A)[0].document == one.document.id
        assert store.remove(samples[2].document.id, tenant="tenant-a")
        assert store.statistics(terms, A) == naive_statistics([samples[0], samples[1], samples[3]])

    def test_a_document_is_found_and_read_as_it_was_put(self, store: Store) -> None:
        one = sample(1)
        put(store, one)
        (stored,) = store.documents(A)
        document = one.document
        assert (stored.id, stored.name, stored.title) == (document.id, "rules-1.docx", document.title)
        assert (stored.n_passages, stored.n_to_embed) == (document.n_passages, len(document.embeddable))
        assert (stored.n_embedded, stored.n_pages) == (len(one.vectors), document.n_pages)
        assert store.segment(document.id, A) == document.segment
        assert stored.digest == hashlib.sha256(document.segment).hexdigest()
        vectors = store.vectors(document.id, A)
        assert vectors is not None
        assert stored.vectors_digest == hashlib.sha256(vectors).hexdigest()
        assert store.model() == FINGERPRINT

    def test_an_empty_store_has_nothing(self, store: Store) -> None:
        assert store.documents(A) == []
        assert store.model() is None
        assert store.by_words(WEIGHTS, 5, A) == []
        assert store.by_vector(np.ones(3, dtype=np.float32), 5, A) == []
        assert store.statistics(["record"], A).n_units == 0
        assert not store.remove("0" * 64, tenant="tenant-a")

    def test_files_are_read_by_ranges(self, store: Store) -> None:
        one = sample(1)
        put(store, one)
        file, id = one.file, one.document.id
        for start, end in [(0, None), (0, 4), (10, 20), (len(file) - 3, None), (len(file) - 3, len(file) + 9), (5, 5)]:
            read = store.file(id, A, start, end)
            assert (read.data, read.start, read.total) == (file[start:end], start, len(file))
        assert read.media_type.endswith("wordprocessingml.document")
        for start in (len(file), len(file) + 1, 1 << 40):
            assert store.file(id, A, start).data == b""
        for start, end in [(-1, None), (5, 4)]:
            with pytest.raises(StoreError) as error:
                store.file(id, A, start, end)
            assert code_of(error) == "bad-argument"

    def test_statistics_equal_a_recount(self, store: Store) -> None:
        samples = [sample(seed) for seed in range(1, 6)]
        for one in samples:
            put(store, one)
        put(store, sample(9), "tenant-b")
        total = naive_statistics(samples)
        terms = sorted(total.doc_freq)
        assert store.statistics(terms, A) == total
        assert store.statistics([*terms[:3], "unheard-of", "'; --"], A).doc_freq == {
            term: total.doc_freq[term] for term in terms[:3]
        }
        some = samples[1:3]
        rights = A.within([one.document.id for one in some])
        assert store.statistics(terms, rights) == naive_statistics(some)
        assert store.statistics(terms, A.within([])).n_units == 0
        assert store.remove(samples[0].document.id, tenant="tenant-a")
        assert store.statistics(terms, A) == naive_statistics(samples[1:])
        for one in samples[1:]:
            assert store.remove(one.document.id, tenant="tenant-a")
        assert store.statistics(terms, A) == naive_statistics([])

    def test_units_are_found_by_words_as_the_engine_scores_them(self, store: Store) -> None:
        samples = [sample(seed) for seed in range(1, 9)]
        for one in samples:
            put(store, one)
        self.check_words(store.by_words(WEIGHTS, 20, A), naive_by_words(WEIGHTS, samples), 20)
        some = samples[2:5]
        rights = A.within([one.document.id for one in some])
        found = store.by_words(WEIGHTS, 20, rights)
        assert {one.document for one in found} <= {one.document.id for one in some}
        assert store.by_words({}, 20, A) == store.by_words({"record": 0.0}, 20, A) == []
        assert store.by_words(WEIGHTS, 0, A) == []
        assert store.by_words({"unheard-of": 1.0, "a'b": 2.0, 'a"b\\': 1.0, "%": 1.0, "a\0b": 1.0}, 5, A) == []
        assert len(store.by_words(WEIGHTS, 10_000, A)) == len(naive_by_words(WEIGHTS, samples))

    def test_units_are_found_by_vector(self, store: Store) -> None:
        samples = [sample(seed) for seed in range(1, 6)]
        for one in samples:
            put(store, one)
        query = samples[3].vectors[2]
        found, expected = store.by_vector(query, 15, A), naive_by_vector(query, samples)
        assert [one.score for one in found] == pytest.approx([one.score for one in expected[:15]], abs=1e-5)
        assert found[0].document == samples[3].document.id
        assert found[0].score == pytest.approx(1.0, abs=1e-5)
        rights = A.within([samples[0].document.id])
        assert [one.score for one in store.by_vector(query, 5, rights)] == pytest.approx(
            [one.score for one in naive_by_vector(query, samples[:1])[:5]], abs=1e-5
        )
        for vector, code in [(np.ones(3), "model-mismatch"), (np.zeros(len(query)), "bad-argument")]:
            with pytest.raises(StoreError) as error:
                store.by_vector(vector.astype(np.float32), 5, A)
            assert code_of(error) == code

    def test_the_same_put_again_changes_nothing(self, store: Store) -> None:
        samples = [sample(1), sample(2)]
        for one in [*samples, samples[0], samples[0]]:
            put(store, one)
        # Without vectors and file, those that are stored stay.
        store.put(samples[0].document, None, None, tenant="tenant-a")
        assert [one.name for one in store.documents(A)] == ["rules-1.docx", "rules-2.docx"]
        assert store.documents(A)[0].n_embedded == len(samples[0].vectors)
        assert store.file(samples[0].document.id, A).data == samples[0].file
        terms = sorted(naive_statistics(samples).doc_freq)
        assert store.statistics(terms, A) == naive_statistics(samples)
        assert len(store.by_vector(samples[0].vectors[0], 10_000, A)) == sum(len(one.vectors) for one in samples)

    def test_vectors_and_file_may_follow(self, store: Store) -> None:
        one = sample(1)
        id = one.document.id
        store.put(one.document, None, None, tenant="tenant-a")
        assert store.vectors(id, A) is None
        assert (store.documents(A)[0].n_embedded, store.documents(A)[0].media_type) == (0, None)
        with pytest.raises(StoreError) as error:
            store.file(id, A)
        assert code_of(error) == "file-missing"
        put(store, one)
        assert store.file(id, A, 0, 2).data == b"PK"
        assert (store.documents(A)[0].n_embedded, len(store.by_vector(one.vectors[0], 3, A))) == (len(one.vectors), 3)
        other = vectors_of(one.document, seed=5)
        store.put(one.document, other, FINGERPRINT, tenant="tenant-a")
        assert store.by_vector(other[1], 1, A)[0].score == pytest.approx(1.0, abs=1e-5)
        assert len(store.by_vector(other[1], 10_000, A)) == len(other)

    def test_a_document_read_anew_takes_the_place_of_the_old(self, store: Store) -> None:
        first, second, renamed = sample(1), sample(2), sample(1, name="renamed.docx")
        for one in (first, second):
            put(store, one)
        assert renamed.document.id == first.document.id
        assert renamed.document.segment != first.document.segment
        store.put(renamed.document, None, None, tenant="tenant-a")
        assert [one.name for one in store.documents(A)] == ["renamed.docx", "rules-2.docx"]
        assert store.segment(first.document.id, A) == renamed.document.segment
        # Its vectors were those of other rows; its file is the same.
        assert store.vectors(first.document.id, A) is None
        assert store.file(first.document.id, A).data == first.file
        terms = sorted(naive_statistics([renamed, second]).doc_freq)
        assert store.statistics(terms, A) == naive_statistics([renamed, second])
        found = store.by_words(WEIGHTS, 10_000, A)
        assert len(found) == len(set(found)) == len(naive_by_words(WEIGHTS, [renamed, second]))

    def test_a_document_is_removed_and_put_again(self, store: Store) -> None:
        samples = [sample(seed) for seed in range(1, 4)]
        for one in samples:
            put(store, one)
        id = samples[1].document.id
        for _ in range(2):
            assert store.remove(id, tenant="tenant-a")
            assert not store.remove(id, tenant="tenant-a")
            assert id not in {one.id for one in store.documents(A)}
            assert id not in {one.document for one in store.by_words(WEIGHTS, 10_000, A)}
            assert id not in {one.document for one in store.by_vector(samples[1].vectors[0], 10_000, A)}
            for read in (store.segment, store.vectors, store.file):
                with pytest.raises(StoreError) as error:
                    read(id, A)
                assert code_of(error) == "document-unknown"
            put(store, samples[1])
            assert [one.name for one in store.documents(A)] == ["rules-1.docx", "rules-3.docx", "rules-2.docx"]
            assert store.segment(id, A) == samples[1].document.segment
        terms = sorted(naive_statistics(samples).doc_freq)
        assert store.statistics(terms, A) == naive_statistics(samples)

    def test_documents_come_in_pages(self, store: Store) -> None:
        samples = [sample(seed) for seed in range(1, 6)]
        for one in samples:
            put(store, one)
        put(store, sample(9), "tenant-b")
        everything = store.documents(A)
        ids = [one.id for one in everything]
        assert ids == [one.document.id for one in samples]
        assert (store.count(A), store.count(B), store.count(Rights("tenant-c"))) == (5, 1, 0)
        for limit in (1, 2, 3, 5, 9):
            pages, after = [], None
            while page := store.documents(A, after=after, limit=limit):
                assert len(page) <= limit
                pages += page
                after = page[-1].id
            assert pages == everything
        assert store.documents(A, after=ids[1]) == everything[2:]
        assert store.documents(A, after=ids[-1], limit=2) == []
        assert store.documents(A, limit=(1 << 63) - 1) == everything
        some = A.within([ids[4], ids[2], ids[0], sample(9).document.id])
        assert (store.count(some), store.count(A.within([]))) == (3, 0)
        assert store.documents(some, after=ids[0], limit=1) == [everything[2]]
        assert store.documents(A.within([]), limit=3) == []
        # A replaced document keeps its place, one that is put again takes the last.
        store.put(sample(2, name="renamed.docx").document, None, None, tenant="tenant-a")
        store.remove(ids[2], tenant="tenant-a")
        put(store, samples[2])
        assert [one.name for one in store.documents(A, after=ids[0], limit=1)] == ["renamed.docx"]
        assert [one.id for one in store.documents(A, after=ids[3])] == [ids[4], ids[2]]
        assert store.count(A) == 5

    def test_a_page_behind_what_the_rights_exclude_is_unknown(self, store: Store) -> None:
        own, other, foreign, gone = (sample(seed) for seed in range(1, 5))
        for one in (own, other, gone):
            put(store, one)
        put(store, foreign, "tenant-b")
        store.remove(gone.document.id, tenant="tenant-a")
        told = set()
        for after in (foreign.document.id, gone.document.id, "0" * 64, *forged_ids([own.document.id])):
            for rights in (A, A.within([own.document.id])):
                with pytest.raises(StoreError) as error:
                    store.documents(rights, after=after, limit=3)
                told.add((code_of(error), str(error.value), error.value.hint))
        with pytest.raises(StoreError) as error:
            store.documents(A.within([own.document.id]), after=other.document.id)
        assert told == {("document-unknown", str(error.value), error.value.hint)}
        for limit in (0, -1, 1 << 63, 10**30):
            with pytest.raises(StoreError) as error:
                store.documents(A, limit=limit)
            assert code_of(error) == "bad-argument"

    def test_a_tenant_never_sees_another(self, store: Store) -> None:
        of_a, of_b, both = [sample(1), sample(2)], [sample(3), sample(4)], sample(5)
        for tenant, samples in (("tenant-a", [*of_a, both]), ("tenant-b", [*of_b, both])):
            for one in samples:
                put(store, one, tenant)
        ids_of_b = [one.document.id for one in of_b]
        allowed = {one.document.id for one in [*of_a, both]}
        assert {one.id for one in store.documents(A)} == allowed
        assert {one.document for one in store.by_words(WEIGHTS, 10_000, A)} == allowed
        assert {one.document for one in store.by_vector(of_b[0].vectors[0], 10_000, A)} == allowed
        asked_for = A.within(ids_of_b)
        assert store.documents(asked_for) == []
        assert (store.count(A), store.count(asked_for)) == (3, 0)
        assert store.by_words(WEIGHTS, 10_000, asked_for) == []
        assert store.by_vector(of_b[0].vectors[0], 10_000, asked_for) == []
        assert store.statistics(["record", "v3"], asked_for).n_units == 0
        assert store.statistics(["v3", "v4"], A).doc_freq == {}
        for id in ids_of_b:
            for read in (store.segment, store.vectors, store.file):
                with pytest.raises(StoreError) as error:
                    read(id, A)
                assert code_of(error) == "document-unknown"
            assert not store.remove(id, tenant="tenant-a")
        # What both have is removed from one.
        assert store.remove(both.document.id, tenant="tenant-a")
        assert store.file(both.document.id, B).data == both.file
        assert len(store.documents(B)) == 3

    def test_forged_ids_find_nothing(self, store: Store) -> None:
        put(store, sample(1))
        put(store, sample(2), "tenant-b")
        forged = list(forged_ids([sample(1).document.id, sample(2).document.id]))
        assert len(forged) == 200
        for id in forged:
            rights = A.within([id])
            assert rights.documents in (frozenset(), frozenset([id]))
            for read in (store.segment, store.vectors, store.file):
                with pytest.raises(StoreError) as error:
                    read(id, A)
                assert code_of(error) == "document-unknown"
        everything = A.within(forged)
        assert store.documents(everything) == []
        assert store.by_words(WEIGHTS, 100, everything) == []
        assert store.by_vector(sample(1).vectors[0], 100, everything) == []
        for id in forged[:30]:
            try:
                assert not store.remove(id, tenant="tenant-a")
            except StoreError as error:
                assert error.code == "document-unknown"
        assert len(store.documents(A)) == len(store.documents(B)) == 1

    def test_rights_narrow_and_never_widen(self, store: Store) -> None:
        samples = [sample(seed) for seed in range(1, 4)]
        for one in samples:
            put(store, one)
        first, second, third = (one.document.id for one in samples)
        rights = Rights("tenant-a", frozenset([first, second]))
        assert rights.within([second, third]).documents == frozenset([second])
        assert rights.within([third]).documents == frozenset()
        assert {one.id for one in store.documents(rights)} == {first, second}
        assert {one.document for one in store.by_words(WEIGHTS, 10_000, rights)} == {first, second}
        assert {one.document for one in store.by_vector(samples[2].vectors[0], 10_000, rights)} == {first, second}
        for read in (store.segment, store.vectors, store.file):
            assert read(first, rights)
            with pytest.raises(StoreError) as error:
                read(third, rights)
            assert code_of(error) == "document-unknown"
        nothing = Rights("tenant-a", frozenset())
        assert store.documents(nothing) == []
        assert store.by_words(WEIGHTS, 9, nothing) == []
        assert store.by_vector(samples[0].vectors[0], 9, nothing) == []

    def test_malformed_tenants_and_rights_are_refused(self, store: Store) -> None:
        for tenant in FORGED_TENANTS:
            with pytest.raises(StoreError) as error:
                Rights(tenant)
            assert code_of(error) == "bad-argument"
            for change in (
                lambda tenant=tenant: put(store, sample(1), tenant),
                lambda tenant=tenant: store.remove(sample(1).document.id, tenant=tenant),
            ):
                with pytest.raises(StoreError) as error:
                    change()
                assert code_of(error) == "bad-argument"
        for documents in (frozenset(["x"]), frozenset(['" or "']), "a" * 64):
            with pytest.raises(StoreError):
                Rights("tenant-a", documents)  # type: ignore[arg-type]

    def test_what_does_not_fit_is_refused_and_leaves_nothing(self, store: Store) -> None:
        one, other = sample(1), sample(2)
        cases: list[tuple[str, Any, Any, Any]] = [
            ("bad-argument", one.vectors[:-1], FINGERPRINT, one.file),
            ("bad-argument", one.vectors * 2, FINGERPRINT, one.file),
            ("bad-argument", one.vectors * np.nan, FINGERPRINT, one.file),
            ("bad-argument", one.vectors, None, one.file),
            ("bad-argument", one.vectors, FINGERPRINT, other.file),
        ]
        for code, vectors, fingerprint, file in cases:
            with pytest.raises(StoreError) as error:
                store.put(one.document, vectors, fingerprint, tenant="tenant-a", file=file)
            assert code_of(error) == code
        assert store.documents(A) == []
        put(store, one)
        wider = np.zeros((len(other.vectors), 20), dtype=np.float32)
        wider[:, 0] = 1.0
        for others, fingerprint in [(other.vectors, "0" * 64), (wider, FINGERPRINT)]:
            with pytest.raises(StoreError) as error:
                store.put(other.document, others, fingerprint, tenant="tenant-a")
            assert code_of(error) == "model-mismatch"
        assert len(store.documents(A)) == 1

    def test_a_newer_format_is_not_overwritten(self, store: Store) -> None:
        one = sample(1)
        newer: Any = _OfFormat(one.document, 99)
        store.put(newer, None, None, tenant="tenant-a")
        with pytest.raises(StoreError) as error:
            put(store, one)
        assert code_of(error) == "index-version"
        assert store.segment(one.document.id, A) == newer.segment
        # The other way round a newer build may replace it.
        store.remove(one.document.id, tenant="tenant-a")
        put(store, one)
        store.put(newer, None, None, tenant="tenant-a")
        assert store.segment(one.document.id, A) == newer.segment

    def test_puts_and_reads_may_run_side_by_side(self, store: Store) -> None:
        samples = [sample(seed) for seed in range(1, 9)]
        stop = threading.Event()
        known = {one.document.id: one.document.segment for one in samples}

        def read() -> int:
            n_reads = 0
            while not stop.is_set():
                for stored in store.documents(A):
                    assert store.segment(stored.id, A) == known[stored.id]
                store.by_words(WEIGHTS, 10, A)
                store.by_vector(samples[0].vectors[0], 10, A)
                n_reads += 1
            return n_reads

        with ThreadPoolExecutor(8) as pool:
            reading = [pool.submit(read) for _ in range(2)]
            # Each document twice at the same time.
            writing = [pool.submit(put, store, one) for one in samples for _ in range(2)]
            try:
                for done in writing:
                    done.result(timeout=40)
            finally:
                stop.set()
            assert all(done.result(timeout=40) for done in reading)
        assert {one.id for one in store.documents(A)} == set(known)
        terms = sorted(naive_statistics(samples).doc_freq)
        assert store.statistics(terms, A) == naive_statistics(samples)
        assert len(store.by_words(WEIGHTS, 10_000, A)) == len(naive_by_words(WEIGHTS, samples))

    def test_a_reader_sees_one_version_whole(self, store: Store) -> None:
        versions = [sample(1), sample(1, name="renamed.docx")]
        id = versions[0].document.id
        digests = {hashlib.sha256(one.document.segment).hexdigest(): one for one in versions}
        n_units = len(naive_by_words(WEIGHTS, versions[:1]))
        put(store, versions[0])
        stop = threading.Event()

        def replace() -> None:
            for at in range(1, 9):
                put(store, versions[at % 2])
            stop.set()

        with ThreadPoolExecutor(1) as pool:
            replacing = pool.submit(replace)
            while not stop.is_set() and not replacing.done():
                (stored,) = store.documents(A)
                assert stored.digest in digests
                assert hashlib.sha256(store.segment(id, A)).hexdigest() in digests
                found = store.by_words(WEIGHTS, 10_000, A)
                # Milvus reads rows and versions one after the other: it may find none of the two, and never both.
                assert (
                    len({(one.document, one.unit) for one in found}) == len(found) in self.seen_while_replaced(n_units)
                )
            replacing.result(timeout=40)

    def seen_while_replaced(self, n_units: int) -> set[int]:
        """Numbers of units that a reader may find while a document is replaced."""
        return {n_units}

    def check_words(self, found: list[Found], expected: list[Found], k: int) -> None:
        """The found candidates are the best ones, up to the store's tolerance."""
        scores = {(one.document, one.unit): one.score for one in expected}
        assert len(found) == k
        for one in found:
            assert one.score == pytest.approx(scores[one.document, one.unit], rel=self.tolerance)
        assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
        last = expected[k - 1].score * (1 - self.tolerance)
        share = sum(scores[one.document, one.unit] >= last for one in found) / k
        assert share >= self.recall


class _OfFormat:
    """A document whose segment says that it has another format."""

    def __init__(self, document: Any, version: int) -> None:
        self._document = document
        segment = document.segment
        self.segment = segment[:16] + version.to_bytes(4, "little") + segment[20:]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._document, name)


def killed_put(url: str, seed: int, at: int, *, name: str | None = None) -> None:
    """Puts the document of a seed in another process, which kills itself before its write number ``at``."""
    tests = Path(__file__).parent
    arguments = [sys.executable, str(tests / "killed_put.py"), url, str(seed), str(at), name or ""]
    paths = os.pathsep.join([str(tests.parent), str(tests), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        arguments, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()[-2000:]
