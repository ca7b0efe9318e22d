"""Contract of every store on conditions: candidates are those of a naive filter over the same documents."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from store_documents import (
    WEIGHTS,
    A,
    code_of,
    harbours,
    naive_by_vector,
    naive_by_words,
    put,
    sample,
)

from pincite.stores import KINDS, Conditions, Found, Store, StoreError


class ConditionsContract:
    """Tests of conditions on candidates. A subclass has the fixture ``store``."""

    def test_kinds_of_unit_restrict_candidates(self, store: Store) -> None:
        samples = [sample(seed) for seed in range(1, 5)]
        for one in samples:
            put(store, one)
        query = samples[0].vectors[0]
        for kinds in ({"child"}, {"article", "note"}):
            conditions = Conditions(kinds=frozenset(kinds))
            expected = naive_by_words(WEIGHTS, samples, kinds=sorted(kinds))
            found = store.by_words(WEIGHTS, 10_000, A, conditions)
            assert {(one.document, one.unit) for one in found} == {(one.document, one.unit) for one in expected}
            # Vectors are those of children here.
            n_near = len(store.by_vector(query, 10_000, A, conditions))
            assert n_near == (sum(len(one.vectors) for one in samples) if "child" in kinds else 0)
        none = Conditions(kinds=frozenset())
        assert store.by_words(WEIGHTS, 10, A, none) == store.by_vector(query, 10, A, none) == []

    @pytest.mark.parametrize(
        ("conditions", "names"),
        [
            ({}, "easton weston norton sutton"),
            ({"first": "2022"}, "weston norton"),
            ({"first": "2022-05"}, "weston norton"),
            ({"first": "2023-03-16"}, ""),
            ({"last": "2022-05"}, "easton norton"),
            ({"last": "2023"}, "easton weston norton"),
            ({"first": "2021-07-02", "last": "2023-03-14"}, "norton"),
            ({"edition": "Version 3"}, "sutton"),
            ({"edition": " WEST"}, "weston"),
            ({"edition": "ton.docx"}, "easton weston norton sutton"),
            ({"edition": "15 march", "first": "2023"}, "weston"),
            ({"edition": '%" or tenant != "'}, ""),
            ({"in_force": True}, "easton weston norton sutton"),
            ({"in_force": True, "last": "2023-03", "kinds": frozenset({"child"})}, "easton weston norton"),
        ],
    )
    def test_conditions_restrict_candidates(self, store: Store, conditions: dict[str, Any], names: str) -> None:
        samples = harbours()
        for one in samples:
            put(store, one)
        held = Conditions(**conditions)
        of = {one.document.id: one for one in samples if one.document.name.removesuffix(".docx") in names.split()}
        status = {id: pa.table(one.document.units)["legal_status"].to_pylist() for id, one in of.items()}
        weights = {"record": 1.0, "berth": 0.5, "master": 0.3}
        query = samples[1].vectors[1]

        def allowed(candidates: list[Found]) -> set[tuple[str, int]]:
            return {
                (one.document, one.unit)
                for one in candidates
                if one.document in of and not (held.in_force and status[one.document][one.unit])
            }

        expected = allowed(naive_by_words(weights, samples, kinds=sorted(held.kinds or KINDS)))
        found = {(one.document, one.unit) for one in store.by_words(weights, 10_000, A, held)}
        assert found == expected
        near = {(one.document, one.unit) for one in store.by_vector(query, 10_000, A, held)}
        assert near == allowed(naive_by_vector(query, samples))
        rights = A.within([samples[1].document.id, samples[3].document.id])
        assert {one.document for one in store.by_words(weights, 10_000, rights, held)} == of.keys() & rights.documents
        assert store.count(rights, held) == len(of.keys() & rights.documents)
        for best in (store.by_words(weights, 2, A, held), store.by_vector(query, 2, A, held)):
            assert len(best) == min(2, len(expected))
            assert {one.document for one in best} <= of.keys()

    @pytest.mark.parametrize(
        "malformed",
        [
            {"kinds": frozenset({'child"] or kind in ["article'})},
            {"first": "2023-1"},
            {"last": "soon"},
            {"first": '2023" or date != "'},
            {"last": "2023\n"},
        ],
    )
    def test_malformed_conditions_are_refused(self, malformed: dict[str, Any]) -> None:
        with pytest.raises(StoreError) as error:
            Conditions(**malformed)
        assert code_of(error) == "bad-argument"

    def test_long_editions_hide_no_document(self, store: Store) -> None:
        """Milvus keeps two kilobytes of what a condition on editions reads; the engine, which filters again, knows the rest."""
        one = sample(1, name="n" * 2500 + " edition of May.docx")
        put(store, one)
        assert store.by_words(WEIGHTS, 5, A, Conditions(edition="edition of May"))
