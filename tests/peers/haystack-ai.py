#!/usr/bin/env python3
"""Haystack, its starter: PyPDFToDocument, DocumentSplitter (200 words), InMemoryDocumentStore and its retrievers.

Rankings `bm25` (local as it comes), `embeddings` (by default OpenAI's; here the server of `embeddings.py`) and `hybrid`,
both joined by reciprocal rank.
"""

from exchange import N_PASSAGES, arguments, documents, rank_all, stay_local

stay_local()

from haystack.components.converters import PyPDFToDocument  # noqa: E402
from haystack.components.embedders import OpenAIDocumentEmbedder, OpenAITextEmbedder  # noqa: E402
from haystack.components.joiners import DocumentJoiner  # noqa: E402
from haystack.components.preprocessors import DocumentSplitter  # noqa: E402
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever  # noqa: E402
from haystack.document_stores.in_memory import InMemoryDocumentStore  # noqa: E402


def store_of(args):
    kept = args.out / "store.json"
    if kept.exists():
        return InMemoryDocumentStore.load_from_disk(str(kept))
    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    read = PyPDFToDocument().run(sources=documents(args))["documents"]
    chunks = DocumentSplitter().run(documents=read)["documents"]
    embedder = OpenAIDocumentEmbedder(model="all-MiniLM-L6-v2", api_base_url=args.embeddings, progress_bar=False)
    store.write_documents(embedder.run(documents=chunks)["documents"])
    store.save_to_disk(str(kept))
    return store


def passage(found):
    """A chunk; page breaks in it say on which pages it stands."""
    first = found.meta["page_number"]
    return {"document": found.meta["file_path"], "pages": list(range(first, first + found.content.count("\f") + 1)), "text": found.content}


def main():
    args = arguments(__doc__)
    store = store_of(args)
    text_embedder = OpenAITextEmbedder(model="all-MiniLM-L6-v2", api_base_url=args.embeddings)
    by_words = InMemoryBM25Retriever(store, top_k=N_PASSAGES)
    by_vectors = InMemoryEmbeddingRetriever(store, top_k=N_PASSAGES)
    join = DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=N_PASSAGES)
    of = lambda document: {"field": "meta.file_path", "operator": "==", "value": document} if document else None
    words = lambda question, document: by_words.run(query=question, filters=of(document))["documents"]
    vector = lambda question: text_embedder.run(text=question)["embedding"]
    vectors = lambda question, document: by_vectors.run(query_embedding=vector(question), filters=of(document))["documents"]
    both = lambda question, document: join.run([words(question, document), vectors(question, document)])["documents"]
    for name, found in {"bm25": words, "embeddings": vectors, "hybrid": both}.items():
        rank_all(args, name, lambda question, document, found=found: [passage(one) for one in found(question, document)])


if __name__ == "__main__":
    main()
