"""Retrievers of LangChain and LlamaIndex: the hits of the library, with what lights a citation."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pincite import Encoder, Library, pack_vectors, read

QUERY = "Who bears the loss if goods are damaged on the way?"


@pytest.fixture(scope="module")
def library(samples: Path, encoder: Encoder) -> Library:
    """Two PDFs and a Word file, with vectors."""
    library = Library()
    for name in ("contract.pdf", "rulebook.pdf", "word/opinion.docx"):
        document = read(samples / name, encoder=encoder)
        library.add(document)
        vectors = encoder.embed(document.passages())
        library.add_vectors(pack_vectors(document, vectors, encoder.fingerprint))
    return library


class Remote:
    """A library that has its own encoder, as a remote one does, and says what it was asked."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.asked: list[dict[str, Any]] = []

    def search(self, query: str, *, k: int = 10, encoder: Any = "its own", **options: Any) -> dict[str, Any]:
        self.asked.append({"k": k, "encoder": encoder, **options})
        return self.library.search(query, k=k, **options)


def test_langchain_gives_the_hits_of_the_library(library: Library, encoder: Encoder) -> None:
    from pincite.adapters.langchain import PinciteRetriever

    hits = library.search(QUERY, k=5, encoder=encoder)["hits"]
    retriever = PinciteRetriever(library=library, encoder=encoder, k=5)
    found = retriever.invoke(QUERY)
    assert [document.page_content for document in found] == [hit["text"] for hit in hits]
    assert len({document.id for document in found}) == 5
    for document, hit in zip(found, hits, strict=True):
        assert document.metadata["source"] == hit["document"]
        assert {key: document.metadata[key] for key in hit if key != "text"} == {
            key: hit[key] for key in hit if key != "text"
        }
    assert retriever.invoke(QUERY) == found == asyncio.run(retriever.ainvoke(QUERY)) == retriever.batch([QUERY])[0]
    assert retriever.invoke(QUERY, k=2) == found[:2]
    only = PinciteRetriever(library=library, documents=["opinion.docx"]).invoke(QUERY)
    assert only and {document.metadata["source"] for document in only} == {"opinion.docx"}


def test_llamaindex_gives_the_hits_of_the_library(library: Library, encoder: Encoder) -> None:
    from llama_index.core.schema import MetadataMode

    from pincite.adapters.llamaindex import PinciteRetriever

    hits = library.search(QUERY, k=5, encoder=encoder)["hits"]
    retriever = PinciteRetriever(library, encoder=encoder, k=5)
    found = retriever.retrieve(QUERY)
    assert [(node.score, node.node.get_content()) for node in found] == [(hit["score"], hit["text"]) for hit in hits]
    assert asyncio.run(retriever.aretrieve(QUERY)) == found
    for node, hit in zip(found, hits, strict=True):
        assert node.node.source_node is not None and node.node.source_node.node_id == hit["documentId"]
        shown = node.node.get_content(MetadataMode.LLM)
        assert hit["document"] in shown and hit["documentId"] not in shown and "quads" not in shown
        assert json.loads(node.node.to_json())["metadata"]["quads"] == hit["quads"]
    only = PinciteRetriever(library, documents=["opinion.docx"], k=3).retrieve(QUERY)
    assert {node.node.metadata["source"] for node in only} == {"opinion.docx"}
    assert all("page: " not in node.node.get_content(MetadataMode.LLM) for node in only)


def test_a_remote_library_keeps_its_own_encoder(library: Library) -> None:
    from pincite.adapters import langchain, llamaindex

    remote = Remote(library)
    one = langchain.PinciteRetriever(library=remote, k=3, filter={"kinds": ["child"]}).invoke(QUERY)
    other = llamaindex.PinciteRetriever(remote, k=3, filter={"kinds": ["child"]}).retrieve(QUERY)
    assert [document.page_content for document in one] == [node.node.get_content() for node in other]
    assert remote.asked == [{"k": 3, "encoder": "its own", "filter": {"kinds": ["child"]}}] * 2


def test_both_name_a_passage_alike(library: Library) -> None:
    from pincite.adapters import langchain, llamaindex

    one = langchain.PinciteRetriever(library=library).invoke(QUERY)
    other = llamaindex.PinciteRetriever(library).retrieve(QUERY)
    assert [document.id for document in one] == [node.node.node_id for node in other]
