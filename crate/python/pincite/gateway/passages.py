"""Texts of documents: the passages that an answer cites, and ranges that a page asks for to verify a quotation.

A range is one of bytes of the document's canonical text in UTF-8, as in citations. Texts are decoded from stored segments
and the last ones are kept; whether the caller may see a document is asked of the store each time, before the cache.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

from pincite.gateway import errors
from pincite.gateway.engine import Engine
from pincite.stores import Rights, Store, StoredDocument

_KEPT = 32
#: Bytes between two cited ranges below which they are one passage.
_NEAR = 200
#: Bytes before and after a quotation that are its context.
_AROUND = 600


class Texts:
    """Canonical texts by document. All methods block, and may be called from several threads."""

    def __init__(self, store: Store, engine: Engine, kept: int = _KEPT) -> None:
        self._store = store
        self._engine = engine
        self._kept = kept
        self._texts: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, id: str, rights: Rights) -> tuple[StoredDocument, bytes]:
        """A document and its text. Raises 404 for one that the rights do not let see."""
        found = self._store.documents(rights.within([id]))
        if not found:
            raise errors.document_unknown()
        stored = found[0]
        key = (stored.id, stored.digest)
        with self._lock:
            text = self._texts.get(key)
            if text is not None:
                self._texts.move_to_end(key)
                return stored, text
        text = self._engine.text(id, rights).encode()
        with self._lock:
            self._texts[key] = text
            if len(self._texts) > self._kept:
                self._texts.popitem(last=False)
        return stored, text

    def part(self, id: str, rights: Rights, start: int, end: int | None, limit: int) -> str:
        """Text of a range. Raises 404, 413 for one longer than `limit` bytes, 422 for one that cuts a character."""
        _, text = self.of(id, rights)
        end = len(text) if end is None else end
        if not 0 <= start <= end <= len(text):
            raise errors.bad_argument(f"the range is {start} to {end}, expected one within 0 to {len(text)}")
        if end - start > limit:
            raise errors.too_large(limit, "the text")
        try:
            return text[start:end].decode()
        except UnicodeDecodeError:
            raise errors.bad_argument("the range begins or ends within a character") from None

    def verified(self, id: str, rights: Rights, quotation: str) -> dict[str, Any]:
        """A quotation compared with a document, and the text around the place where it was found."""
        stored, text = self.of(id, rights)
        found = self._engine.verify(quotation, id, rights)
        location = found.get("location")
        context = ""
        if location:
            start, end = _range(location)
            context = text[max(0, start - _AROUND) : end + _AROUND].decode("utf-8", "ignore")
        return {"document": stored.name, **found, "context": context}

    def cited(self, answer: Mapping[str, Any], rights: Rights) -> dict[str, dict[str, Any]]:
        """Passages of an answer's citations by document, each with its range, in the order of the text."""
        ranges: dict[str, list[tuple[int, int]]] = {}
        for citation in answer["citations"]:
            ranges.setdefault(citation["documentId"], []).append(_around(citation, answer["trace"]["selected"]))
        texts: dict[str, dict[str, Any]] = {}
        for id, wanted in ranges.items():
            stored, text = self.of(id, rights)
            passages = []
            for start, end in _joined(wanted, len(text)):
                passages.append({"range": [start, end], "text": text[start:end].decode("utf-8", "replace")})
            texts[id] = {"digest": stored.digest, "passages": passages}
        return texts


def _around(citation: Mapping[str, Any], selected: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """Range of the passage that the answer was written from and that holds the citation, else of the citation alone."""
    start, end = _range(citation)
    for passage in selected:
        if passage["documentId"] == citation["documentId"]:
            from_, to = _range(passage)
            if from_ <= start and end <= to:
                return from_, to
    return start, end


def _range(location: Mapping[str, Any]) -> tuple[int, int]:
    ranges = [span["range"] for span in location["spans"]]
    if not ranges:
        return 0, 0
    return min(start for start, _ in ranges), max(end for _, end in ranges)


def _joined(ranges: Iterable[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """Ranges within the text, sorted, those that touch or nearly touch joined."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted((max(0, start), min(end, length)) for start, end in ranges):
        if start >= end:
            continue
        if joined and start <= joined[-1][1] + _NEAR:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined
