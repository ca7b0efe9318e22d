"""The extension module: reading, tables, vectors, searching, asking, verifying, over the sample documents."""

import json
import pickle
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import pincite
from pincite import Document, Encoder, Library, PinciteError, Statistics

QUESTION = "How long must a firm keep records of complaints?"


@pytest.fixture(scope="module")
def rulebook(samples: Path, encoder: Encoder) -> Document:
    return pincite.read(samples / "rulebook.pdf", encoder=encoder)


@pytest.fixture(scope="module")
def library(samples: Path, encoder: Encoder) -> Library:
    library = Library()
    for name in ["rulebook.pdf", "contract.pdf"]:
        document = pincite.read(samples / name, encoder=encoder)
        library.add(document)
        vectors = encoder.embed(document.passages())
        library.add_vectors(pincite.pack_vectors(document, vectors, encoder.fingerprint))
    return library


def test_a_file_is_read_into_the_bytes_that_the_command_stores(
    samples: Path, rulebook: Document, pincite_command: Path, tmp_path: Path
) -> None:
    out = tmp_path / "library"
    subprocess.run([pincite_command, "index", samples / "rulebook.pdf", "--out", out], check=True, capture_output=True)
    (segment,) = out.glob("*.segment")
    assert rulebook.segment == segment.read_bytes()
    opened = Library.open(out)
    assert [info["id"] for info in opened.documents] == [rulebook.id]
    assert opened.documents[0]["nEmbedded"] == rulebook.n_passages
    assert Document.from_segment(rulebook.segment).text == rulebook.text


@pytest.fixture(scope="module")
def of_command(
    samples: Path, pincite_command: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., dict[str, Any]]:
    """Runner of the command over a library of the same files: its JSON."""
    out = tmp_path_factory.mktemp("command") / "library"
    files = [samples / "rulebook.pdf", samples / "contract.pdf"]
    subprocess.run([pincite_command, "index", *files, "--out", out], check=True, capture_output=True)

    def run(verb: str, *options: str) -> dict[str, Any]:
        done = subprocess.run([pincite_command, verb, out, *options, "--json"], check=True, capture_output=True)
        said: dict[str, Any] = json.loads(done.stdout)
        return said

    return run


def test_answers_are_those_of_the_command(
    library: Library, encoder: Encoder, of_command: Callable[..., dict[str, Any]]
) -> None:
    command = of_command("ask", "--question", QUESTION)
    answer = library.ask(QUESTION, encoder=encoder)
    assert [citation["quote"] for citation in answer["citations"]] == [
        citation["quote"] for citation in command["citations"]
    ]
    assert answer["citations"][0]["status"] == "verified"
    assert answer["citations"][0]["page"] == command["citations"][0]["page"]


def test_hits_and_scores_are_those_of_the_command(
    library: Library, encoder: Encoder, of_command: Callable[..., dict[str, Any]]
) -> None:
    command = of_command("search", QUESTION, "--units", "child", "--fusion", "answers")["hits"]
    hits = library.search(QUESTION, k=10, encoder=encoder)["hits"]
    # One writes the shortest decimal of a score of 32 bits, the other all its digits.
    assert [(hit["documentId"], hit["text"], np.float32(hit["score"])) for hit in hits] == [
        (hit["document_id"], hit["text"], np.float32(hit["score"])) for hit in command
    ]
    assert len(hits) == 10


def test_tables_say_what_stands_where(rulebook: Document) -> None:
    text = rulebook.text.encode()
    blocks = pa.record_batch(rulebook.blocks).to_pylist()
    assert [block["block"] for block in blocks] == list(range(len(blocks)))
    for block in blocks:
        assert text[block["start"] : block["end"]].decode() == block["text"]
        assert 1 <= block["page"] <= rulebook.n_pages
    sections = pa.record_batch(rulebook.sections).to_pylist()
    assert sections[0]["parent"] is None and all(s["parent"] < s["section"] for s in sections[1:])
    units = pa.record_batch(rulebook.units).to_pylist()
    chunks = pa.record_batch(rulebook.chunks).to_pylist()
    assert all(chunks[unit["chunk"]]["text"] == unit["text"] for unit in units)
    assert [unit["row"] for unit in units if unit["row"] is not None] == list(range(rulebook.n_passages))
    assert pa.record_batch(rulebook.pages).num_rows == rulebook.n_pages
    assert {"term", "meaning"} <= set(pa.record_batch(rulebook.terms).schema.names)


def test_the_text_columns_of_a_document_share_one_text(rulebook: Document) -> None:
    def shared(table: object) -> int:
        column = pa.record_batch(table).column("text")
        return max(column.buffers()[2:], key=lambda buffer: buffer.size).address

    assert shared(rulebook.blocks) == shared(rulebook.chunks) == shared(rulebook.units)


def test_a_table_is_handed_over_without_a_copy_and_its_numbers_are_views(rulebook: Document) -> None:
    table = rulebook.chunks
    batch = pa.record_batch(table)

    def addresses(of: pa.RecordBatch) -> list[int | None]:
        return [buffer and buffer.address for column in of.columns for buffer in column.buffers()]

    assert addresses(batch) == addresses(pa.record_batch(table))
    for name in ("chunk", "section", "page", "n_tokens"):
        view = batch.column(name).to_numpy(zero_copy_only=True)
        assert view.ctypes.data == batch.column(name).buffers()[1].address
        assert view.tolist() == batch.column(name).to_pylist()


def test_the_quads_of_a_chunk_are_those_of_its_hit_and_numpy_reads_them_without_a_copy(
    rulebook: Document, library: Library, encoder: Encoder
) -> None:
    batch = pa.record_batch(rulebook.quads)
    corners = batch.column("quad").flatten().to_numpy(zero_copy_only=True).reshape(-1, 8)
    assert len(corners) == batch.num_rows > 0 and np.isfinite(corners).all()
    of, pages = batch.column("chunk").to_numpy(), batch.column("page").to_numpy()
    units = pa.record_batch(rulebook.units).to_pylist()
    hits = [hit for hit in library.search(QUESTION, k=10, encoder=encoder)["hits"] if hit["documentId"] == rulebook.id]
    assert len(hits) > 2
    for hit in hits:
        chunk = next(unit["chunk"] for unit in units if unit["text"] == hit["text"])
        expected = [(span["page"], *quad) for span in hit["spans"] for quad in span["quads"]]
        is_of = of == chunk
        found = np.column_stack([pages[is_of], corners[is_of]])
        np.testing.assert_allclose(found, expected, atol=1e-3)


def test_postings_and_statistics_are_those_of_a_naive_count(rulebook: Document) -> None:
    postings = pa.record_batch(rulebook.postings()).to_pylist()
    counted: dict[str, int] = {}
    for posting in postings:
        counted[posting["term"]] = counted.get(posting["term"], 0) + 1
        assert 0 < posting["weight"] < 1
    statistics = rulebook.statistics
    assert statistics.doc_freq == counted
    units = pa.record_batch(rulebook.units).to_pylist()
    assert statistics.n_units == len(units)
    assert statistics.text_length == sum(unit["text_length"] for unit in units)
    assert statistics + statistics - statistics == statistics
    assert Statistics() + statistics == statistics
    with pytest.raises(PinciteError) as error:
        Statistics() - statistics
    assert error.value.code == "bad-argument"


def test_vectors_are_the_same_for_any_number_of_threads(rulebook: Document, encoder: Encoder) -> None:
    texts = rulebook.passages()
    vectors = encoder.embed(texts, threads=1)
    assert vectors.shape == (len(texts), encoder.dimensions) and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors, encoder.embed(texts, threads=3))
    assert encoder.embed([]).shape == (0, encoder.dimensions)


def test_a_search_explains_its_scores(library: Library, encoder: Encoder) -> None:
    reply = library.search(QUESTION, encoder=encoder, k=3, explain=True)
    assert [hit["rank"] for hit in reply["hits"]] == [1, 2, 3]
    assert reply["vectors"] == "all" and reply["hits"][0]["explanation"]
    assert "record of each Complaint" in reply["hits"][0]["text"]
    (contract,) = [info["id"] for info in library.documents if info["name"] == "contract.pdf"]
    within = library.search(QUESTION, documents=[contract])
    assert {hit["documentId"] for hit in within["hits"]} == {contract}


def test_a_model_is_asked_through_a_callable_and_its_quotations_are_checked(library: Library) -> None:
    steps: list[str] = []

    def model(request: dict[str, object]) -> str:
        steps.append(str(request["step"]))
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        library.ask(QUESTION, endpoint=model)
    assert steps and steps[0] == "rewrite"


def test_documents_that_come_before_a_search_take_part(samples: Path, encoder: Encoder) -> None:
    library, rulebook = Library(), pincite.read(samples / "rulebook.pdf", encoder=encoder)
    queries: list[str] = []

    def load(query: str, of: Library) -> None:
        queries.append(query)
        of.add(rulebook)

    answer = library.ask(QUESTION, encoder=encoder, before_search=load)
    assert queries[0] == QUESTION
    assert answer["citations"][0]["documentId"] == rulebook.id


def test_the_vector_of_a_query_is_that_of_its_text(encoder: Encoder) -> None:
    queries = [f"How long are records of kind {kind} kept?" for kind in range(70)]
    expected = encoder.embed(queries)
    for _ in range(2):
        assert all(
            (encoder.embed_query(query) == vector).all() for query, vector in zip(queries, expected, strict=True)
        )


def test_terms_of_a_query_say_how_often_it_has_them() -> None:
    terms = Library().query_terms("How long must records of records be kept?")
    assert (terms["record"], terms["kept"]) == (2, 1)
    assert 0 in terms.values(), "no synonym of the thesaurus"


def test_a_part_with_the_statistics_of_the_whole_ranks_as_the_whole_does(samples: Path, encoder: Encoder) -> None:
    documents = [pincite.read(path, encoder=encoder) for path in sorted(samples.glob("*.pdf"))]
    whole, part = Library(), Library()
    for document in documents:
        whole.add(document)
    query = "reconciliations of Client Money"
    expected = whole.search(query, k=pincite.DEPTH, fusion="blend")["hits"]
    found = {hit["documentId"] for hit in expected}
    assert len(found) < len(documents)
    for document in documents:
        if document.id in found:
            part.add(document)
    total = sum((document.statistics for document in documents), Statistics())
    terms = part.query_terms(query)
    doc_freq = {term: total.doc_freq.get(term, 0) for term in terms}
    part.use_collection(Statistics(total.n_units, total.text_length, total.header_length, doc_freq))
    scores = [(hit["documentId"], hit["text"], hit["score"]) for hit in expected]
    assert [
        (hit["documentId"], hit["text"], hit["score"])
        for hit in part.search(query, k=pincite.DEPTH, fusion="blend")["hits"]
    ] == scores


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda quote: quote, "verified"),
        (lambda quote: quote.replace("six years", "nine years"), "not-found"),
        (lambda quote: quote.replace("a record of each", "the record of each"), "repaired"),
        (lambda quote: "The moon is made of green cheese.", "not-found"),
    ],
)
def test_a_quotation_is_verified_word_for_word(rulebook: Document, change: Callable[[str], str], status: str) -> None:
    quote = (
        "A Firm must keep a record of each Complaint, of the steps taken to deal with it and of its outcome, "
        "for at least six years"
    )
    located = pincite.verify(change(quote), rulebook)
    assert located["status"] == status
    assert (located["location"] is None) == (status == "not-found")


def test_errors_say_what_was_found_and_what_to_do(tmp_path: Path, rulebook: Document) -> None:
    with pytest.raises(PinciteError) as error:
        pincite.read(b"hello")
    assert (error.value.code, error.value.hint) == ("format-unknown", "choose a PDF or a Word document (.docx)")
    with pytest.raises(FileNotFoundError):
        pincite.read(tmp_path / "none.pdf")
    with pytest.raises(PinciteError) as error:
        Document.from_segment(rulebook.segment[:-7])
    assert error.value.code == "index-damaged"
    with pytest.raises(PinciteError) as error:
        Library().search("x", units="pages")  # type: ignore[arg-type]
    assert error.value.code == "bad-argument"


def test_progress_is_told_and_what_it_raises_ends_the_call(samples: Path) -> None:
    told: list[tuple[str, int, int]] = []
    pincite.read(samples / "rulebook.pdf", progress=lambda *at: told.append(at))
    assert told and told[-1][1] == told[-1][2]

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pincite.read(samples / "rulebook.pdf", progress=stop)


def test_other_threads_run_while_a_file_is_read_and_embedded(samples: Path, encoder: Encoder) -> None:
    ticks, is_done = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not is_done.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        document = pincite.read(samples / "rulebook.pdf", encoder=encoder)
        encoder.embed(document.passages())
    finally:
        is_done.set()
        thread.join()
    assert ticks > 10


def test_documents_and_encoders_pickle(rulebook: Document, encoder: Encoder) -> None:
    assert pickle.loads(pickle.dumps(rulebook)).segment == rulebook.segment
    assert pickle.loads(pickle.dumps(encoder)).fingerprint == encoder.fingerprint
