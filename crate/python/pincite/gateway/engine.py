"""The engine as the gateway needs it: one seam, so that tests run the gateway over an engine of their own.

`NativeEngine` is `pincite.remote.RemoteLibrary` over the store, with one cache of documents for all requests. `RemoteLibrary` asks
the store under the caller's rights before it looks into the cache, so what is cached is never reached without them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from pincite.remote import DocumentCache, RemoteLibrary
from pincite.stores import Rights, Store

if TYPE_CHECKING:
    from pincite import Encoder, Endpoint

Progress = Callable[[Mapping[str, Any]], None]


class Engine(Protocol):
    """The engine. All methods block, and may be called from several threads. Shapes as in `crate/wasm/src/types.d.ts`."""

    @property
    def has_model(self) -> bool:
        """True if a language model writes the answers."""

    def documents(self, rights: Rights, *, after: str | None, limit: int) -> list[dict[str, Any]]:
        """`DocumentInfo`s of at most `limit` documents that the rights let see, those behind the document `after`."""

    def search(
        self,
        rights: Rights,
        query: str,
        *,
        k: int,
        documents: Sequence[str] | None,
        filter: Mapping[str, Any] | None,
        explain: bool,
    ) -> dict[str, Any]:
        """A `SearchReply`. `documents` are ids, not empty; `filter` is a `Filter` without documents."""

    def ask(
        self,
        rights: Rights,
        question: str,
        *,
        profile: str,
        history: Sequence[Mapping[str, str]],
        documents: Sequence[str] | None,
        filter: Mapping[str, Any] | None,
        progress: Progress,
    ) -> dict[str, Any]:
        """An `Answer`. Ends with the exception that `progress` raises."""

    def text(self, id: str, rights: Rights) -> str:
        """Canonical text of a document."""

    def verify(self, quotation: str, id: str, rights: Rights) -> dict[str, Any]:
        """`{status, quote, location}` of a quotation in a document."""


class NativeEngine:
    """The engine of the native module over a store; `cache` in bytes."""

    def __init__(
        self, store: Store, encoder: Encoder | None, cache: int, endpoints: Mapping[str, Endpoint] | None = None
    ) -> None:
        self._store = store
        self._encoder = encoder
        self._cache = DocumentCache(cache)
        self._endpoints = dict(endpoints or {})

    @property
    def has_model(self) -> bool:
        return bool(self._endpoints)

    def documents(self, rights: Rights, *, after: str | None, limit: int) -> list[dict[str, Any]]:
        return self._library(rights).page(after=after, limit=limit)

    def search(
        self,
        rights: Rights,
        query: str,
        *,
        k: int,
        documents: Sequence[str] | None,
        filter: Mapping[str, Any] | None,
        explain: bool,
    ) -> dict[str, Any]:
        return self._library(rights).search(query, k=k, documents=documents, filter=filter, explain=explain)

    def ask(
        self,
        rights: Rights,
        question: str,
        *,
        profile: str,
        history: Sequence[Mapping[str, str]],
        documents: Sequence[str] | None,
        filter: Mapping[str, Any] | None,
        progress: Progress,
    ) -> dict[str, Any]:
        return self._library(rights).ask(
            question,
            endpoint=self._endpoints or None,
            profile=profile,
            history=history,
            documents=documents,
            filter=filter,
            progress=progress,
        )

    def text(self, id: str, rights: Rights) -> str:
        return self._library(rights).document(id).text

    def verify(self, quotation: str, id: str, rights: Rights) -> dict[str, Any]:
        from pincite import verify

        return verify(quotation, self._library(rights).document(id))

    def _library(self, rights: Rights) -> RemoteLibrary:
        return RemoteLibrary(self._store, rights, self._encoder, self._cache)
