"""Parity of a library over a store with a local library that holds everything.

    python benches/parity.py --pdfs ../../target/samples
    python benches/parity.py --pdfs /work/shared/pdf/corpus/legal-dev --corpus obliqa --corpus legaldc --by-chapter

Fills each store with a collection, asks every question of both libraries, and reports by store and depth: the share of
questions whose first ten hits are equal, in order and as a set; nDCG@10 and recall@10 where questions are judged, with the
difference; what was loaded and how long a search takes with all documents in the cache. Every question that differs is
explained: by the document of a true hit that was not loaded, or else by what the loaded documents do not say. ``--out`` has
one line for each. Takes a minute for the samples; embedding a corpus takes ten, once (``--vectors``).
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection as Collection_
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from collections_of import ROOT, Collection, Question, of_corpus, of_pdfs

import pincite
from pincite.remote import DocumentCache, RemoteLibrary
from pincite.stores import Rights, Store, open_store
from pincite.stores.postgres import PostgresStore

RIGHTS = Rights("parity")
N_HITS = 10
Reply = dict[str, Any]


@dataclass
class Outcome:
    """A question asked of both libraries."""

    question: Question
    is_equal: bool
    is_equal_set: bool
    missing: list[str]
    n_loaded: int
    seconds: float
    ndcg: tuple[float, float]
    recall: tuple[float, float]
    first_difference: int | None = None
    left_out: list[str] = field(default_factory=list)
    #: Documents of the local library's candidates that were not loaded, with their best ranks.
    candidates_missing: dict[str, str] = field(default_factory=dict)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pdfs", type=Path, action="append", default=[], help="folder of PDFs")
    parser.add_argument("--corpus", action="append", default=[], choices=["obliqa", "legaldc"])
    parser.add_argument("--data", type=Path, default=Path("/work/shared/data"), help="folder of the corpora")
    parser.add_argument("--by-chapter", action="store_true", help="a document for each chapter of a corpus")
    parser.add_argument("--store", action="append", choices=["postgres", "milvus"], help="both unless given")
    parser.add_argument("--depth", type=int, action="append", help=f"candidates by each retriever: {pincite.DEPTH}")
    parser.add_argument("--fusion", default="answers", choices=["answers", "ltr", "blend", "rrf"])
    parser.add_argument("--every", type=int, default=1, help="ask every n-th question")
    parser.add_argument("--models", type=Path, default=ROOT / "models/build")
    parser.add_argument("--vectors", type=Path, default=Path(tempfile.gettempdir()) / "pincite-parity")
    parser.add_argument("--approximate", action="store_true", help="PostgreSQL alone, by its index of vectors")
    parser.add_argument("--words-only", action="store_true", help="no vectors")
    parser.add_argument("--out", type=Path, help="file of the questions that differ, a line of JSON each")
    args = parser.parse_args()
    encoder = pincite.Encoder(args.models)
    for collection in _collections(args, encoder):
        if not args.words_only:
            collection.embed(encoder, args.vectors)
        _compare(collection, None if args.words_only else encoder, args)


def _collections(args: argparse.Namespace, encoder: pincite.Encoder) -> Iterator[Collection]:
    for folder in args.pdfs:
        yield of_pdfs(folder, encoder)
    for name in args.corpus:
        yield of_corpus(name, args.data, encoder, by_chapter=args.by_chapter)


class Candidates:
    """Candidates of the local library: the documents of the best units by words and by vector, each with its best rank."""

    def __init__(self, local: pincite.Library, collection: Collection, encoder: pincite.Encoder | None) -> None:
        self._local = local
        self._encoder = encoder
        self._names = {document.id: document.name for document in collection.documents}
        own = [(document.id, vectors) for document, vectors in _contents(collection) if vectors is not None]
        self._documents = [id for id, vectors in own for _ in range(len(vectors))]
        self._vectors = np.concatenate([vectors for _, vectors in own]) if own else None

    def missing(self, query: str, loaded: Collection_[str]) -> dict[str, str]:
        """Names of the documents that were not loaded, with the retriever and the rank of their best candidate."""
        hits = self._local.search(query, k=pincite.DEPTH, fusion="blend")["hits"]
        lists = {"words": [hit["documentId"] for hit in hits]}
        if self._encoder is not None and self._vectors is not None:
            nearest = np.argsort(-(self._vectors @ self._encoder.embed([query])[0]), kind="stable")
            lists["vector"] = [self._documents[at] for at in nearest[: pincite.DEPTH]]
        ranks: dict[str, str] = {}
        for retriever, documents in lists.items():
            for rank, id in enumerate(documents, 1):
                if id not in loaded:
                    ranks.setdefault(self._names[id], f"{retriever} {rank}")
        return ranks


def _compare(collection: Collection, encoder: pincite.Encoder | None, args: argparse.Namespace) -> None:
    local = pincite.Library()
    for document, vectors in _contents(collection):
        local.add(document)
        if encoder is not None and vectors is not None:
            local.add_vectors(_packed(document, vectors, encoder.fingerprint))
    questions = collection.questions[:: args.every]
    expected = [local.search(one.text, k=N_HITS, encoder=encoder, fusion=args.fusion) for one in questions]
    candidates = Candidates(local, collection, encoder)
    n_units = sum(document.statistics.n_units for document in collection.documents)
    print(f"\n{collection.name}: {len(collection.documents)} documents, {n_units} units, {len(questions)} questions")
    for name in ["postgres"] if args.approximate else args.store or ["postgres", "milvus"]:
        with _filled(name, collection, encoder, is_approximate=args.approximate) as store:
            for depth in args.depth or [pincite.DEPTH]:
                cache = DocumentCache(8 << 30)
                outcomes = [
                    _ask(store, depth, cache, collection, question, reply, encoder, args.fusion, candidates)
                    for question, reply in zip(questions, expected, strict=True)
                ]
                _report(f"{name}, depth {depth}", outcomes, len(collection.documents))
                if args.out is not None:
                    _write(args.out, collection.name, name, depth, outcomes)


def _ask(
    store: Store,
    depth: int,
    cache: DocumentCache,
    collection: Collection,
    question: Question,
    expected: Reply,
    encoder: pincite.Encoder | None,
    fusion: Any,
    candidates: Candidates,
) -> Outcome:
    remote = RemoteLibrary(store, RIGHTS, encoder, cache, depth=depth)
    # The first search fills the cache.
    remote.search(question.text, k=N_HITS, fusion=fusion)
    started = time.perf_counter()
    reply = remote.search(question.text, k=N_HITS, fusion=fusion)
    seconds = time.perf_counter() - started
    loaded = remote.loaded(question.text)
    ours, theirs = _places(reply), _places(expected)
    first = next((rank for rank, pair in enumerate(zip(ours, theirs, strict=False), 1) if pair[0] != pair[1]), None)
    if first is None and len(ours) != len(theirs):
        first = min(len(ours), len(theirs)) + 1
    names = {hit["documentId"]: hit["document"] for hit in expected["hits"]}
    return Outcome(
        question,
        is_equal=ours == theirs,
        is_equal_set=set(ours) == set(theirs),
        missing=sorted({names[id] for id, _, _ in theirs if id not in loaded}),
        n_loaded=len(loaded),
        seconds=seconds,
        ndcg=(_ndcg(collection, question, expected), _ndcg(collection, question, reply)),
        recall=(_recall(collection, question, expected), _recall(collection, question, reply)),
        first_difference=first,
        left_out=[f"{names.get(id, id[:8])}: {text[:60]}" for id, _, text in set(theirs) - set(ours)],
        candidates_missing={} if ours == theirs else candidates.missing(question.text, loaded),
    )


def _report(name: str, outcomes: list[Outcome], n_documents: int) -> None:
    n = len(outcomes)
    judged = [one for one in outcomes if one.question.relevant]
    print(f"  {name}")
    print(f"    first {N_HITS} equal         {sum(one.is_equal for one in outcomes) / n:.4f} of {n} questions")
    print(f"    equal as a set        {sum(one.is_equal_set for one in outcomes) / n:.4f}")
    for measure in ("ndcg", "recall"):
        if judged:
            local, remote = (statistics.fmean(getattr(one, measure)[at] for one in judged) for at in (0, 1))
            print(f"    {measure:6}@{N_HITS}             {local:.4f} local, {remote:.4f} remote, {remote - local:+.4f}")
    loaded = sorted(one.n_loaded for one in outcomes)
    times = sorted(one.seconds for one in outcomes)
    print(f"    documents loaded      {loaded[n // 2]} of {n_documents} (median), {loaded[-1]} at most")
    print(f"    seconds, all cached   {times[n // 2]:.3f} (median), {times[int(0.95 * n)]:.3f} (95 %)")
    reasons = Counter(_reason(one) for one in outcomes if not one.is_equal)
    for reason, count in reasons.most_common():
        print(f"    differ: {count:4} {reason}")


def _reason(outcome: Outcome) -> str:
    if outcome.missing:
        return "a document of a true hit was not loaded"
    if outcome.candidates_missing:
        return "a document of a candidate was not loaded: scores are standardised over other candidates"
    return "all candidates' documents were loaded: what other documents say was missing, or equal scores"


def _write(out: Path, collection: str, store: str, depth: int, outcomes: list[Outcome]) -> None:
    with out.open("a", encoding="utf-8") as file:
        for one in outcomes:
            if one.is_equal:
                continue
            line = {"collection": collection, "store": store, "depth": depth, "question": one.question.id}
            line |= {"text": one.question.text, "first_difference": one.first_difference, "not_loaded": one.missing}
            line |= {
                "candidates_not_loaded": one.candidates_missing,
                "left_out": one.left_out,
                "ndcg": one.ndcg,
                "n_loaded": one.n_loaded,
                "reason": _reason(one),
            }
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _places(reply: Reply) -> list[tuple[str, str, str]]:
    return [(hit["documentId"], json.dumps(hit["sectionPath"]), hit["text"]) for hit in reply["hits"]]


def _gains(collection: Collection, question: Question, reply: Reply) -> list[int]:
    """1 for each hit that is the first to touch something that answers the question."""
    seen: set[str] = set()
    gains = []
    for hit in reply["hits"]:
        new = question.relevant.intersection(collection.reached(hit)) - seen
        seen |= new
        gains.append(int(bool(new)))
    return gains


def _ndcg(collection: Collection, question: Question, reply: Reply) -> float:
    gains = _gains(collection, question, reply)
    best = sum(1 / math.log2(rank + 2) for rank in range(min(len(question.relevant), N_HITS)))
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains)) / best if best else 0.0


def _recall(collection: Collection, question: Question, reply: Reply) -> float:
    reached = {id for hit in reply["hits"] for id in collection.reached(hit)}
    return len(question.relevant & reached) / len(question.relevant) if question.relevant else 0.0


@contextmanager
def _filled(
    name: str, collection: Collection, encoder: pincite.Encoder | None, *, is_approximate: bool
) -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as folder:
        url = {"postgres": f"pgserver:{folder}/postgres", "milvus": f"milvus:{folder}/store.db"}[name]
        with open_store(url) as store:
            started = time.perf_counter()
            for document, vectors in _contents(collection):
                fingerprint = None if encoder is None else encoder.fingerprint
                store.put(document, None if encoder is None else vectors, fingerprint, tenant=RIGHTS.tenant)
            print(f"  {name}: {time.perf_counter() - started:.1f} s to fill", file=sys.stderr)
            if is_approximate and isinstance(store, PostgresStore):
                # As a collection of any size beyond the one that is compared exactly.
                store._exact_vectors = 0
                store.optimize()
            yield store


def _contents(collection: Collection) -> Iterator[tuple[pincite.Document, Any]]:
    vectors = collection.vectors or [None] * len(collection.documents)
    yield from zip(collection.documents, vectors, strict=True)


def _packed(document: pincite.Document, vectors: Any, fingerprint: str) -> bytes:
    from pincite.stores.contents import Contents

    packed = Contents.of(document, vectors, fingerprint, tenant=RIGHTS.tenant, file=None).packed_vectors
    return packed or b""


if __name__ == "__main__":
    main()
