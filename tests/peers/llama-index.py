#!/usr/bin/env python3
"""LlamaIndex, its starter: SimpleDirectoryReader, VectorStoreIndex, retriever.

Rankings `default` (chunks of 1,024 tokens, as it comes) and `chunks of 256` (what the embedding model reads at most).
Read by its PDFReader (pypdf, a document for each page). As it comes, the path of the file counts as part of a chunk and is
embedded with it: another folder of documents gives other chunks of 256. By default it embeds with OpenAI; here with the
server of `embeddings.py`.
Answers are those of its query engine as it comes: two passages, one request; it cites what it was given.
"""

from exchange import N_PASSAGES, answer_all, arguments, documents, rank_all, stay_local

stay_local()

from llama_index.core import Settings, SimpleDirectoryReader, StorageContext, VectorStoreIndex, load_index_from_storage  # noqa: E402
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters  # noqa: E402
from llama_index.embeddings.openai_like import OpenAILikeEmbedding  # noqa: E402
from llama_index.llms.openai_like import OpenAILike  # noqa: E402

# Chunk size and overlap in tokens; None is the library's own, 1,024 and 200.
RANKINGS = {"default": None, "chunks of 256": (256, 50)}


def pages(args):
    """Pages as LlamaIndex reads them, with the number of the page, which neither embedding nor prompt is shown."""
    read = SimpleDirectoryReader(input_files=[str(path) for path in documents(args)]).load_data()
    seen = {}
    for page in read:
        name = page.metadata["file_name"]
        seen[name] = seen.get(name, 0) + 1
        page.metadata["page"] = seen[name]
        page.excluded_embed_metadata_keys.append("page")
        page.excluded_llm_metadata_keys.append("page")
    return read


def index_of(args, name, sizes):
    Settings.embed_model = OpenAILikeEmbedding(model_name="all-MiniLM-L6-v2", api_base=args.embeddings, api_key="none", embed_batch_size=64)
    if sizes:
        Settings.chunk_size, Settings.chunk_overlap = sizes
    home = args.out / f"{name} index"
    if not (home / "docstore.json").exists():
        VectorStoreIndex.from_documents(pages(args)).storage_context.persist(home)
    return load_index_from_storage(StorageContext.from_defaults(persist_dir=str(home)))


def passage(node):
    return {"document": node.metadata["file_name"], "pages": [node.metadata["page"]], "text": node.text}


def only(document):
    return document and MetadataFilters(filters=[MetadataFilter(key="file_name", value=document)])


def answer(index, question, document, base):
    model = OpenAILike(model="m", api_base=base, api_key="none", is_chat_model=True, context_window=128_000, timeout=3600, max_retries=0)
    reply = index.as_query_engine(llm=model, filters=only(document)).query(question)
    return str(reply), [passage(found.node) for found in reply.source_nodes]


def main():
    args = arguments(__doc__)
    if args.llm:
        index = index_of(args, "default", None)
        return answer_all(args, lambda *asked: answer(index, *asked))
    for name, sizes in RANKINGS.items():
        index = index_of(args, name, sizes)

        def ask(question, document):
            retriever = index.as_retriever(similarity_top_k=N_PASSAGES, filters=only(document))
            return [passage(found.node) for found in retriever.retrieve(question)]

        rank_all(args, name, ask)


if __name__ == "__main__":
    main()
