"""Stores: collections of documents that are larger than one process holds.

A store keeps, per tenant, what a search needs to find candidates (BM25 frequencies of units, vectors of rows), the statistics
of the collection, and each document's stored segment, vectors and file. **The store finds candidates; the engine ranks**
(:mod:`pincite.remote`): so every store gives the same hits, and a store may approximate.

Rights are part of every call. A tenant and the documents of a :class:`Rights` come from a verified token, never from a
request; a request can only narrow them (:meth:`Rights.within`). A document of another tenant is reported exactly as a
document that does not exist.

Of a filter a store knows what :class:`Conditions` says, so that the lists of a narrow search are as deep as those of a wide one.
The engine filters again: a store may take the condition on editions for fulfilled where it is not.

A put is seen whole or not at all, and is idempotent by tenant, id and segment digest. Two stores implement the protocol:
:mod:`.postgres` (PostgreSQL with pgvector) and :mod:`.milvus` (Milvus, embedded or as a server). Each is imported when it is
opened, so that neither client library is needed for the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self
from urllib.parse import parse_qs, urlsplit, urlunsplit

from pincite import PinciteError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pincite import Document, Statistics

__all__ = [
    "Conditions",
    "FileRange",
    "Found",
    "Rights",
    "Store",
    "StoreError",
    "StoredDocument",
    "check_document_id",
    "is_document_id",
    "open_store",
]

# Ids and tenants reach filter expressions and paths, so both have an alphabet without quotes, wildcards and separators.
_DOCUMENT_ID = re.compile(r"[0-9a-f]{64}")
_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
#: Kinds of unit, in the order of their codes.
KINDS = ("child", "article", "note")


class StoreError(PinciteError):
    """Error of a store: ``code`` for programs, the message and ``hint`` for people. Neither holds document text.

    Codes: ``bad-argument``, ``document-unknown`` (also for a document that the rights exclude), ``file-missing`` (a document
    that was stored without its file), ``index-version``, ``model-mismatch``, ``limit-exceeded``, ``store-unavailable``.
    """

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.hint = hint

    def __reduce__(self) -> tuple[type[StoreError], tuple[str, str, str]]:
        return type(self), (self.code, str(self), self.hint)


def is_document_id(id: object) -> bool:
    """True for 64 lower-case hexadecimal digits."""
    return isinstance(id, str) and _DOCUMENT_ID.fullmatch(id) is not None


def check_document_id(id: str) -> str:
    """The id, if it is one: 64 lower-case hexadecimal digits.

    Raises:
        StoreError: ``document-unknown``. No document has another id.
    """
    if not is_document_id(id):
        raise StoreError("document-unknown", "the library has no document of this id")
    return id


def check_range(start: int, end: int | None) -> None:
    """Raises ``bad-argument`` unless ``start`` to ``end`` are a range of bytes."""
    if start < 0 or (end is not None and end < start):
        raise StoreError("bad-argument", f"bytes {start} to {end} are no range of a file")


def check_page(after: str | None, limit: int | None) -> None:
    """Raises ``document-unknown`` for an ``after`` that is no id, and ``bad-argument`` for a ``limit`` that is not 1 to 2⁶³ − 1."""
    if after is not None:
        check_document_id(after)
    if limit is not None and not 1 <= limit < 1 << 63:
        expected = "at least 1" if limit < 1 else "less than 2⁶³"
        raise StoreError("bad-argument", f"a page of {limit} documents was asked for, expected {expected}")


def check_tenant(tenant: str) -> str:
    """The tenant, if its name is valid: 1 to 64 ASCII letters, digits, ``.``, ``_`` and ``-``, the first no sign.

    Raises:
        StoreError: ``bad-argument``.
    """
    if not isinstance(tenant, str) or _TENANT.fullmatch(tenant) is None:
        raise StoreError(
            "bad-argument",
            "the tenant has characters that are not allowed, or is not 1 to 64 long",
            "name tenants with ASCII letters, digits, '.', '_' and '-'",
        )
    return tenant


@dataclass(frozen=True, slots=True)
class Rights:
    """Documents that a caller may read: a tenant, and of it the given documents; ``None`` for all of the tenant's.

    An empty set allows nothing. Raises :class:`StoreError` (``bad-argument``) for a malformed tenant or id.
    """

    tenant: str
    documents: frozenset[str] | None = None

    def __post_init__(self) -> None:
        check_tenant(self.tenant)
        if self.documents is None:
            return
        if isinstance(self.documents, str):
            raise StoreError("bad-argument", "the documents of rights are a string, expected a set of ids")
        object.__setattr__(self, "documents", frozenset(self.documents))
        if not all(map(is_document_id, self.documents)):
            raise StoreError("bad-argument", "the documents of rights hold what is no document id")

    def allows(self, id: str) -> bool:
        """True if the document is among those allowed. Whether the tenant has it is for the store to say."""
        return self.documents is None or id in self.documents

    def within(self, documents: Iterable[str]) -> Rights:
        """The rights to those of the given documents that these rights allow. What is no document id is left out."""
        asked = set(filter(is_document_id, documents))
        return Rights(self.tenant, frozenset(asked if self.documents is None else asked & self.documents))


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions on candidates, within rights. One that is not given excludes nothing.

    ``kinds`` are those of units: ``child``, ``article``, ``note``. ``edition`` is part of the document's name, title or what it
    says of its edition, compared without case. ``first`` and ``last`` are ISO 8601 dates to the year, month or day, compared
    with the document's to the precision of both: 2023 may be July 2023. ``in_force`` leaves out units of sections that are
    repealed, superseded or reserved. Raises :class:`StoreError` (``bad-argument``) for an unknown kind or a malformed date.
    """

    kinds: frozenset[str] | None = None
    edition: str | None = None
    first: str | None = None
    last: str | None = None
    in_force: bool = False

    def __post_init__(self) -> None:
        if self.kinds is not None:
            kinds = frozenset(self.kinds)
            if unknown := kinds - set(KINDS):
                raise StoreError("bad-argument", f"unknown kind {min(unknown)[:20]!r}, expected {', '.join(KINDS)}")
            object.__setattr__(self, "kinds", None if kinds == set(KINDS) else kinds)
        for date in (self.first, self.last):
            if date is not None and _DATE.fullmatch(date) is None:
                raise StoreError("bad-argument", "not a date, expected a form like 2023-07-31, 2023-07 or 2023")

    @property
    def is_of_documents(self) -> bool:
        """True if whole documents are excluded."""
        return self.edition is not None or self.first is not None or self.last is not None


#: Conditions that hold of everything.
NO_CONDITIONS = Conditions()


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate: a unit of a document. ``score`` is comparable within one list only."""

    document: str
    unit: int
    score: float


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """Description of a stored document.

    ``digest`` is the SHA-256 of its segment and ``vectors_digest`` that of its stored vectors: together they name the
    version that a cache may keep. ``n_bytes`` is the size of both.
    """

    id: str
    name: str
    title: str | None
    date: str | None
    edition: str | None
    n_pages: int
    n_passages: int
    n_to_embed: int
    n_embedded: int
    digest: str
    vectors_digest: str | None
    n_bytes: int
    media_type: str | None = None
    diags: Sequence[Mapping[str, Any]] = field(default=(), hash=False)


@dataclass(frozen=True, slots=True)
class FileRange:
    """Bytes ``start`` to ``start + len(data)`` of a file of ``total`` bytes. ``data`` is empty if ``start`` lies behind it."""

    data: bytes
    start: int
    total: int
    media_type: str


class Store(Protocol):
    """A store of documents. All methods may be called from several threads, and raise :class:`StoreError`."""

    def put(
        self,
        document: Document,
        vectors: NDArray[np.float32] | None,
        fingerprint: str | None,
        *,
        tenant: str,
        file: bytes | None = None,
    ) -> None:
        """Stores a document, or replaces the one of its id.

        ``vectors`` are float32 ``[len(document.embeddable), dimensions]`` of unit length, in the order of
        ``document.embeddable``. Without vectors or file, those that are stored for the same segment stay. Nothing of an
        interrupted put is ever seen, and the same put again changes nothing.

        Raises:
            StoreError: ``model-mismatch`` for vectors of another model than the store's; ``index-version`` if the stored
                segment has a newer format than this one; ``bad-argument`` for vectors or a file that do not fit.
        """

    def remove(self, id: str, *, tenant: str) -> bool:
        """Removes a document; False if the tenant has none of this id."""

    def documents(self, rights: Rights, *, after: str | None = None, limit: int | None = None) -> list[StoredDocument]:
        """The documents in the order in which they were first stored: those behind ``after``, at most ``limit``.

        Fewer than ``limit`` are the last. A document that is put or removed between two pages moves no other.

        Raises:
            StoreError: ``document-unknown`` for an ``after`` that the rights exclude or the tenant does not have;
                ``bad-argument`` for a ``limit`` that is not 1 to 2⁶³ − 1.
        """

    def count(self, rights: Rights, conditions: Conditions = NO_CONDITIONS) -> int:
        """Number of documents that the rights allow and that hold the conditions on documents: edition and dates."""

    def statistics(self, terms: Sequence[str], rights: Rights) -> Statistics:
        """Statistics of the documents that the rights allow. ``doc_freq`` holds the given terms only."""

    def by_words(
        self, weights: Mapping[str, float], k: int, rights: Rights, conditions: Conditions = NO_CONDITIONS
    ) -> list[Found]:
        """The ``k`` best units by Σ saturation(unit, term) · ``weights[term]``, best first.

        The weight of a term is its idf times its frequency in the query.
        """

    def by_vector(
        self, vector: NDArray[np.float32], k: int, rights: Rights, conditions: Conditions = NO_CONDITIONS
    ) -> list[Found]:
        """The ``k`` units of nearest vectors, best first; the score is the cosine. Empty for a store without vectors."""

    def model(self) -> str | None:
        """Fingerprint of the model of the stored vectors; ``None`` while there are none."""

    def segment(self, id: str, rights: Rights) -> bytes:
        """Stored segment of a document. Raises ``document-unknown``."""

    def vectors(self, id: str, rights: Rights) -> bytes | None:
        """Stored vectors of a document, ``None`` where it has none. Raises ``document-unknown``."""

    def file(self, id: str, rights: Rights, start: int = 0, end: int | None = None) -> FileRange:
        """Bytes ``start`` to ``end`` of a document's file. Raises ``document-unknown`` and ``file-missing``."""

    def optimize(self) -> None:
        """Makes what searches of many documents need; to be called after many puts, with no other writer.

        Searches find the same without it, slower. Takes minutes for 10⁶ passages, and may have puts wait.
        """

    def close(self) -> None:
        """Closes connections. The store must not be used afterwards."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...


def open_store(url: str) -> Store:
    """Opens a store, and makes it if it is not there.

    ======================================  =====================================================================
    ``postgresql://user@host/database``     PostgreSQL with pgvector
    ``pgserver:DIRECTORY``                  the same, run by this process from a wheel: tests and trials
    ``milvus:FILE.db``                      Milvus Lite; segments and files in the folder ``FILE.blobs`` beside it
    ``http(s)://user:password@host:19530``  Milvus; ``?blobs=DIRECTORY`` names the folder of segments and files
    ======================================  =====================================================================

    Raises:
        StoreError: ``bad-argument`` for another URL; ``store-unavailable``; ``index-version`` for a store that a newer
            Pincite made.
    """
    scheme, separator, rest = url.partition(":")
    match scheme:
        case "postgresql" | "postgres" if separator:
            from .postgres import PostgresStore

            return PostgresStore(url)
        case "pgserver" if rest:
            from .postgres import embedded

            return embedded(Path(rest))
        case "milvus" if rest.endswith(".db"):
            from .milvus import MilvusStore
            from .segments import FolderBlobs

            file = Path(rest.removeprefix("//"))
            return MilvusStore(str(file), FolderBlobs(file.with_suffix(".blobs")))
        case "http" | "https" if separator:
            from .milvus import MilvusStore
            from .segments import FolderBlobs

            parts = urlsplit(url)
            folder = parse_qs(parts.query).get("blobs", [""])[-1]
            if not folder:
                raise StoreError(
                    "bad-argument",
                    "the URL of Milvus names no folder of segments",
                    "add ?blobs=DIRECTORY, a folder that all processes of the store share",
                )
            return MilvusStore(urlunsplit(parts._replace(query="", fragment="")), FolderBlobs(Path(folder)))
    raise StoreError(
        "bad-argument",
        f"no store has a URL of the scheme {scheme[:20]!r}" if separator else "the URL of the store has no scheme",
        "expected postgresql:, pgserver:, milvus:, http: or https:",
    )
