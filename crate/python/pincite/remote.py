"""A library over a store: searches and answers of documents that are larger than a process holds.

The store finds candidates, by words and by vector; this loads their documents and runs the same search as
:class:`pincite.Library` over them, with the statistics of the whole collection. The engine scores the loaded documents whole,
so its hits are those of a library that holds everything, as far as the documents of the true candidates are loaded. What a
document says beyond its passages counts while it is loaded: the short forms that it defines, its citations of others.

A store may change while a question is answered. What was decided, and is tested:

- A candidate whose document was removed before it is loaded is left out; the rest is searched.
- A document that was put again in between is searched as it is now. Once loaded it stays as it is until the answer is done.
- Statistics are those of the moment of each query. One put or removal moves an idf by less than the order of most hits shows.
- A document of a newer format ends the search with ``index-version``. Leaving it out would say that it holds no answer.

Of a filter the store knows all but sections (:class:`~pincite.stores.Conditions`): candidates are looked for where it holds.
Which sections a name means is for the engine to say: then four times as many candidates are looked for, and their documents are
searched under the filter. So nothing outside a filter is found; of a large collection, documents of a rare section may be missed.

Cost of a search: three queries of the store, then what is not in the cache is read and decoded at some 850 MB/s.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from pincite import DEPTH, Document, Library, Statistics
from pincite.stores import KINDS, Conditions, Found, Rights, Store, StoredDocument, StoreError, is_document_id

if TYPE_CHECKING:
    from pincite import Encoder, Endpoint

#: Bytes of loaded documents that a cache keeps, unless it is told otherwise.
CACHE_BYTES = 1 << 30
#: Bytes in memory for a stored byte of a document with its vectors (``crate/index/src/lib.rs``).
_EXPANSION = 2.2
#: Times that a document is read which changes while it is read.
_ATTEMPTS = 3
#: Weight of a synonym's term among candidates, against a word of the query. The engine divides the sum of a synonym's terms
#: by the root of their number.
_SYNONYM = 0.7
#: Depth of the candidates under a filter by sections, against that without.
_FILTERED = 4


@dataclass(frozen=True, slots=True)
class Loaded:
    """A document in memory, with its stored vectors."""

    document: Document
    vectors: bytes | None
    n_bytes: int


class DocumentCache:
    """Documents in memory, the least recently used dropped first. Requests of all tenants share one.

    A key names tenant, document and version, so a cache never gives a document to a tenant that did not load it. A document
    that several requests want at once is loaded by one of them.
    """

    def __init__(self, max_bytes: int = CACHE_BYTES) -> None:
        self.max_bytes = max_bytes
        self.n_bytes = 0
        self.n_hits = 0
        self.n_misses = 0
        self._loaded: OrderedDict[tuple[str, ...], Loaded] = OrderedDict()
        self._loading: dict[tuple[str, ...], threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: tuple[str, ...], load: Callable[[], Loaded | None]) -> Loaded | None:
        """The document of a key, loaded if it is not here. ``None`` is not kept."""
        known = self._find(key)
        if known is not None:
            return known
        with self._lock:
            loading = self._loading.setdefault(key, threading.Lock())
        try:
            with loading:
                known = self._find(key)
                if known is None:
                    known = load()
                    self._keep(key, known)
        finally:
            with self._lock:
                self._loading.pop(key, None)
        return known

    def _find(self, key: tuple[str, ...]) -> Loaded | None:
        with self._lock:
            known = self._loaded.get(key)
            if known is not None:
                self._loaded.move_to_end(key)
                self.n_hits += 1
            return known

    def _keep(self, key: tuple[str, ...], loaded: Loaded | None) -> None:
        with self._lock:
            self.n_misses += 1
            # A document larger than the cache is used and not kept.
            if loaded is None or loaded.n_bytes > self.max_bytes:
                return
            # Whoever came after it was dropped may have loaded it once more.
            known = self._loaded.pop(key, None)
            self.n_bytes += loaded.n_bytes - (0 if known is None else known.n_bytes)
            self._loaded[key] = loaded
            while self.n_bytes > self.max_bytes:
                _, dropped = self._loaded.popitem(last=False)
                self.n_bytes -= dropped.n_bytes


@dataclass(slots=True)
class _Request:
    """Documents and statistics that a search or an answer has loaded so far."""

    library: Library
    #: Rights to the documents that are searched, within those of the caller.
    searched: Rights
    encoder: Encoder | None
    #: Number of candidates by words, and by vector.
    depth: int
    reach: int
    conditions: Conditions
    loaded: set[str] = field(default_factory=set)
    doc_freq: dict[str, int] = field(default_factory=dict)
    queries: set[str] = field(default_factory=set)


class RemoteLibrary:
    """The documents of a store that some rights allow, with the methods of :class:`pincite.Library`.

    Light: make one for each request, with the rights of its caller and a cache that all share. ``depth`` is the number of
    candidates by words and by vector; the engine's own depth gives its own hits.
    """

    def __init__(
        self,
        store: Store,
        rights: Rights,
        encoder: Encoder | None = None,
        cache: DocumentCache | None = None,
        *,
        depth: int = DEPTH,
    ) -> None:
        self._store = store
        self._rights = rights
        self._encoder = encoder
        self._cache = DocumentCache() if cache is None else cache
        self._depth = depth

    @property
    def documents(self) -> list[dict[str, Any]]:
        """Descriptions of the documents, in the order in which they were first stored: ``DocumentInfo`` of ``types.d.ts``."""
        return self.page()

    def page(self, *, after: str | None = None, limit: int | None = None) -> list[dict[str, Any]]:
        """Descriptions of at most ``limit`` documents behind the document ``after``. See :meth:`pincite.stores.Store.documents`."""
        return [_info(document) for document in self._store.documents(self._rights, after=after, limit=limit)]

    def document(self, id: str) -> Document:
        """A document. Raises :class:`StoreError`, ``document-unknown``."""
        loaded = self._load_one(self._described(id))
        if loaded is None:
            raise StoreError("document-unknown", "the library has no document of this id")
        return loaded.document

    def loaded(self, query: str) -> frozenset[str]:
        """Documents that a search for a query loads: to explain where its hits are not those of a local library."""
        request = self._request(None, None, None, units="child", k=1)
        self._load(query, request)
        return frozenset(request.loaded)

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        encoder: Encoder | None = None,
        units: Literal["child", "article", "both"] = "child",
        ann: Literal["exact", "hnsw", "auto"] = "auto",
        fusion: Literal["answers", "blend", "rrf", "ltr"] = "answers",
        documents: Sequence[str] | None = None,
        filter: Mapping[str, Any] | None = None,
        explain: bool = False,
    ) -> dict[str, Any]:
        """The best passages for a query, as :meth:`pincite.Library.search` gives them.

        ``documents`` are ids, names or titles; those that the rights exclude are unknown. ``filter`` has the keys of ``Filter``
        of ``types.d.ts``.
        """
        request = self._request(encoder, documents, filter, units=units, k=k)
        self._load(query, request)
        reply: dict[str, Any] = request.library.search(
            query,
            k=k,
            encoder=request.encoder,
            units=units,
            ann=ann,
            fusion=fusion,
            filter=_without_documents(filter),
            explain=explain,
        )
        if reply["nothing"] == "no-documents":
            reply["nothing"] = self._nothing(query, request)
        return reply

    def ask(
        self,
        question: str,
        *,
        encoder: Encoder | None = None,
        endpoint: Endpoint | Callable[[dict[str, Any]], str] | Mapping[str, Any] | None = None,
        profile: str = "general",
        history: Sequence[Mapping[str, str]] | None = None,
        documents: Sequence[str] | None = None,
        filter: Mapping[str, Any] | None = None,
        glossary: Mapping[str, Sequence[str]] | None = None,
        progress: Callable[[dict[str, Any]], None] | None = None,
        before_search: Callable[[str, Library], None] | None = None,
    ) -> dict[str, Any]:
        """A cited answer, as :meth:`pincite.Library.ask` gives it. Each of its searches loads what its query needs."""
        request = self._request(encoder, documents, filter, units="child", k=1)

        def load(query: str, library: Library) -> None:
            self._load(query, request)
            if before_search is not None:
                before_search(query, library)

        # The question is analysed before the first search: with the definitions of the documents that it is about.
        self._load(question, request)
        answer: dict[str, Any] = request.library.ask(
            question,
            encoder=request.encoder,
            endpoint=endpoint,
            profile=profile,
            history=history,
            filter=_without_documents(filter),
            glossary=glossary,
            progress=progress,
            before_search=load,
        )
        return answer

    def _request(
        self,
        encoder: Encoder | None,
        documents: Sequence[str] | None,
        filter: Mapping[str, Any] | None,
        *,
        units: str,
        k: int,
    ) -> _Request:
        encoder = encoder or self._encoder
        model = self._store.model()
        if encoder is not None and model is not None and encoder.fingerprint != model:
            raise StoreError(
                "model-mismatch",
                f"the documents were embedded by model {model[:12]}, the one given is {encoder.fingerprint[:12]}",
                "give the model that the documents were embedded with",
            )
        if documents is not None and not documents:
            raise StoreError("bad-argument", "no document to search", "leave `documents` out to search all")
        filter = filter or {}
        named = [*(documents or []), *(filter.get("documents") or [])]
        searched = self._rights.within(self._ids(named)) if named else self._rights
        kinds = _kinds(units, filter.get("kinds"))
        depth = max(self._depth, k) * (_FILTERED if filter.get("sections") else 1)
        # Several of the nearest children may belong to one article: the engine too looks twice as deep for articles.
        reach = depth * (2 if "article" in kinds else 1)
        conditions = Conditions(
            kinds=kinds,
            edition=_given(filter.get("edition")),
            first=_given(filter.get("from")),
            last=_given(filter.get("to")),
            in_force=bool(filter.get("inForce")),
        )
        return _Request(Library(), searched, encoder if model is not None else None, depth, reach, conditions)

    def _ids(self, named: Sequence[str]) -> set[str]:
        """Documents of these ids, names, names without extension, or titles; case and outer spaces ignored."""
        wanted = {name.strip().lower() for name in named}
        if all(map(is_document_id, wanted)):
            return wanted
        return {
            document.id
            for document in self._store.documents(self._rights)
            if wanted.intersection(
                name.strip().lower()
                for name in (document.id, document.name, document.name.rpartition(".")[0], document.title or "")
                if name
            )
        }

    def _load(self, query: str, request: _Request) -> None:
        """Adds the documents of a query's candidates to the request's library, with the statistics that it reads."""
        if query in request.queries:
            return
        request.queries.add(query)
        terms = request.library.query_terms(query)
        statistics = self._store.statistics(sorted(terms), self._rights)
        request.doc_freq |= statistics.doc_freq
        found = self._candidates(query, terms, statistics, request)
        wanted = {candidate.document for candidate in found} - request.loaded
        described = self._store.documents(request.searched.within(wanted)) if wanted else []
        for document in described:
            loaded = self._load_one(document)
            if loaded is not None:
                request.library.add(loaded.document)
                if loaded.vectors is not None:
                    request.library.add_vectors(loaded.vectors)
                request.loaded.add(document.id)
        # The long forms of acronyms, which the documents define.
        defined = request.library.query_terms(query).keys() - terms.keys()
        if defined:
            request.doc_freq |= self._store.statistics(sorted(defined), self._rights).doc_freq
        request.library.use_collection(
            Statistics(statistics.n_units, statistics.text_length, statistics.header_length, request.doc_freq)
        )

    def _candidates(
        self, query: str, terms: Mapping[str, int], statistics: Statistics, request: _Request
    ) -> list[Found]:
        """Candidates by the query's own words, by those with their synonyms, and by vector."""
        weights = {term: statistics.idf(term) for term in terms if term in statistics.doc_freq}
        own_weights = {term: terms[term] * weight for term, weight in weights.items() if terms[term]}
        # The engine lets a synonym count as far as it exceeds the words of the query, so a list of each finds them all.
        lists = [own_weights]
        if len(own_weights) < len(weights):
            lists.append({term: weight * (terms[term] or _SYNONYM) for term, weight in weights.items()})
        found = []
        for asked in lists:
            found += self._store.by_words(asked, request.depth, request.searched, request.conditions)
        if request.encoder is not None and query.strip():
            vector = request.encoder.embed_query(query)
            # A vector is that of a child or a note; it ranks the child's article too.
            embedded = replace(request.conditions, kinds=_embedded(request.conditions.kinds))
            found += self._store.by_vector(vector, request.reach, request.searched, embedded)
        return found

    def _described(self, id: str) -> StoredDocument | None:
        return next(iter(self._store.documents(self._rights.within([id]))), None)

    def _load_one(self, described: StoredDocument | None) -> Loaded | None:
        """A document as it is described, or as it is now if it changed since; ``None`` if it is gone."""
        for _ in range(_ATTEMPTS):
            if described is None:
                return None
            key = (self._rights.tenant, described.id, described.digest, described.vectors_digest or "")
            loaded = self._cache.get(key, partial(self._read, described))
            if loaded is not None:
                return loaded
            described = self._described(described.id)
        return None

    def _read(self, described: StoredDocument) -> Loaded | None:
        """A document from the store; ``None`` if what is stored is no longer what was described."""
        try:
            segment = self._store.segment(described.id, self._rights)
            vectors = None
            if described.vectors_digest is not None:
                vectors = self._store.vectors(described.id, self._rights)
        except StoreError as error:
            if error.code == "document-unknown":
                return None
            raise
        if _digest(segment) != described.digest or _digest(vectors) != described.vectors_digest:
            return None
        n_bytes = int(_EXPANSION * (len(segment) + len(vectors or b"")))
        return Loaded(Document.from_segment(segment), vectors, n_bytes)

    def _nothing(self, query: str, request: _Request) -> str:
        """Why nothing was found, where no document was loaded."""
        if not any(character.isalnum() for character in query):
            return "no-query"
        if self._store.count(request.searched, request.conditions):
            return "nothing-in-scope" if request.conditions.kinds == frozenset() else "no-match"
        return "nothing-in-scope" if self._store.count(self._rights) else "no-documents"


def _kinds(units: str, asked: Sequence[str] | None) -> frozenset[str]:
    """Kinds of unit that a search lists."""
    kinds = frozenset(("child", "note") if units == "child" else KINDS)
    return kinds.intersection(asked) if asked else kinds


def _embedded(kinds: frozenset[str] | None) -> frozenset[str] | None:
    """Kinds of the units whose vectors find units of the given kinds."""
    if kinds is None or "article" not in kinds:
        return kinds
    return (kinds - {"article"}) | {"child"}


def _given(text: str | None) -> str | None:
    """A condition of a filter; ``None`` for a blank one."""
    return (text or "").strip() or None


def _without_documents(filter: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A filter without its documents: the library holds no other."""
    return None if filter is None else {name: value for name, value in filter.items() if name != "documents"}


def _digest(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()


def _info(document: StoredDocument) -> dict[str, Any]:
    return {
        "id": document.id,
        "name": document.name,
        "title": document.title,
        "date": document.date,
        "edition": document.edition,
        "nPages": document.n_pages,
        "nPassages": document.n_passages,
        "nToEmbed": document.n_to_embed,
        "nEmbedded": document.n_embedded,
        "diags": list(document.diags),
    }
