"""Parts that the adapters share: a library that can be searched, and a hit's identity and metadata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

TECHNICAL = ("documentId", "rank", "score", "kind", "quads", "spans", "places")
"""Metadata that lights a citation in a viewer, and tells a language model nothing."""


class Searchable(Protocol):
    """A library: :class:`pincite.Library` or :class:`pincite.remote.RemoteLibrary`."""

    def search(
        self,
        query: str,
        *,
        k: int = ...,
        encoder: Any = ...,
        documents: Sequence[str] | None = ...,
        filter: Mapping[str, Any] | None = ...,
    ) -> dict[str, Any]:
        """The best passages for a query."""


def search(library: Searchable, query: str, k: int, encoder: Any, **scope: Any) -> list[dict[str, Any]]:
    """Hits of a query, best first. Without an encoder the search is by words, or with the remote library's own."""
    more = {name: value for name, value in {"encoder": encoder, **scope}.items() if value is not None}
    hits: list[dict[str, Any]] = library.search(query, k=k, **more)["hits"]
    return hits


def passage_id(hit: Mapping[str, Any]) -> str:
    """Identity of a passage, the same in every search: its document and its range of the document's text, in bytes."""
    ranges = [span["range"] for span in hit["spans"]]
    where = f"{min(start for start, _ in ranges)}-{max(end for _, end in ranges)}" if ranges else f"rank-{hit['rank']}"
    return f"{hit['documentId']}:{where}"


def metadata(hit: Mapping[str, Any]) -> dict[str, Any]:
    """A hit without its text, keys as in the page's API. ``source`` is the file name, where frameworks look for one."""
    return {
        "source": hit["document"],
        **{key: value for key, value in hit.items() if key not in ("text", "explanation")},
    }
