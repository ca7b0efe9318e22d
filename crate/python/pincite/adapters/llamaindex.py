"""LlamaIndex: a library as a retriever.

    from pincite.adapters.llamaindex import PinciteRetriever

    retriever = PinciteRetriever(library, encoder=encoder, k=8)
    for found in retriever.retrieve("Who pays if the goods are broken on the way?"):
        print(found.score, found.node.metadata["source"], found.node.get_content())

The ranking is the one of :meth:`pincite.Library.search`. A node's source is its document; its metadata holds page,
section path, quads and caveats, of which a language model is shown what a reader needs. Scores are comparable within
one query only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.callbacks import CallbackManager
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode

from pincite.adapters.passages import TECHNICAL, Searchable, metadata, passage_id, search

__all__ = ["PinciteRetriever"]


class PinciteRetriever(BaseRetriever):
    """Retriever over a :class:`pincite.Library` or a :class:`pincite.remote.RemoteLibrary`."""

    def __init__(
        self,
        library: Searchable,
        *,
        encoder: Any = None,
        k: int = 10,
        documents: Sequence[str] | None = None,
        filter: Mapping[str, Any] | None = None,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        """``k`` is the maximum number of passages, 1 to 1,000.

        ``documents`` are ids, names or titles to search, ``None`` for all; ``filter`` is that of the page's API.
        """
        super().__init__(callback_manager=callback_manager)
        self._library = library
        self._encoder = encoder
        self._k = k
        self._scope = {"documents": documents, "filter": filter}

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = search(self._library, query_bundle.query_str, self._k, self._encoder, **self._scope)
        return [NodeWithScore(node=_node(hit), score=hit["score"]) for hit in hits]


def _node(hit: Mapping[str, Any]) -> TextNode:
    found = metadata(hit)
    # Keys without a value would be lines without one in a prompt.
    empty = [key for key, value in found.items() if value in (None, [], "")]
    hidden = [*TECHNICAL, *empty, "document"]
    return TextNode(
        id_=passage_id(hit),
        text=hit["text"],
        metadata=found,
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=hidden,
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=hit["documentId"])},
    )
