"""LangChain: a library as a retriever.

    from pincite.adapters.langchain import PinciteRetriever

    retriever = PinciteRetriever(library=library, encoder=encoder, k=8)
    for document in retriever.invoke("Who pays if the goods are broken on the way?"):
        print(document.metadata["source"], document.metadata["page"], document.page_content)

The ranking is the one of :meth:`pincite.Library.search`; the metadata holds page, section path, quads and caveats, so
a citation can be shown where it stands. Quotations in what a model writes are not checked here: give them to
:func:`pincite.verify`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from pincite.adapters.passages import metadata, passage_id, search

__all__ = ["PinciteRetriever"]


class PinciteRetriever(BaseRetriever):
    """Retriever over a :class:`pincite.Library` or a :class:`pincite.remote.RemoteLibrary`."""

    library: Any
    """The library. Rights are a remote library's; nothing here widens them."""
    encoder: Any = None
    """:class:`pincite.Encoder`; without one the search is by words alone, or with a remote library's own."""
    k: int = 10
    """Maximum number of passages, 1 to 1,000. ``invoke(query, k=…)`` takes another for one query."""
    documents: Sequence[str] | None = None
    """Ids, names or titles of the documents to search; ``None`` for all."""
    filter: Mapping[str, Any] | None = None
    """Passages to search: ``Filter`` of the page's API."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        hits = search(self.library, query, k or self.k, self.encoder, documents=self.documents, filter=self.filter)
        return [Document(id=passage_id(hit), page_content=hit["text"], metadata=metadata(hit)) for hit in hits]
