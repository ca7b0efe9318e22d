"""Types of the extension module; what each thing does is said in its docstring."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Final, Literal, Self, final

import numpy as np
import numpy.typing as npt

from pincite.typing import AskProgress, JsonObject, Model, Progress, Table

__all__ = [
    "DEPTH",
    "FORMAT_VERSION",
    "LEGAL_THESAURUS",
    "Document",
    "Encoder",
    "Endpoint",
    "Library",
    "PinciteError",
    "Statistics",
    "__version__",
    "pack_vectors",
    "profiles",
    "read",
    "verify",
]

__version__: Final[str]
FORMAT_VERSION: Final[int]
"""Version of the stored bytes that this build reads and writes."""
DEPTH: Final[int]
"""Number of candidates that search by words and search by vectors each list."""
LEGAL_THESAURUS: Final[str]
"""The thesaurus that ships: a group of words for one concept a line, with ``|`` between them."""

class PinciteError(Exception):
    """Error of the engine."""

    code: str
    """For a program: ``pdf-encrypted``, ``model-mismatch``, ``index-version``, …"""
    hint: str
    """Advice for a person; may be empty."""

@final
class Document:
    """A document that was read: its text, its layout, its passages. Pickles."""

    @staticmethod
    def from_segment(segment: bytes) -> Document:
        """A document from the bytes that a library stores. Raises ``index-version`` and ``index-damaged``."""
    @property
    def id(self) -> str:
        """SHA-256 of the file, 64 hex digits."""
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str | None: ...
    @property
    def date(self) -> str | None:
        """Date that the document gives itself: ``2023-07-01``, ``2023-07`` or ``2023``."""
    @property
    def edition(self) -> str | None: ...
    @property
    def editions(self) -> list[str]:
        """All that the document says of its edition, as printed: versions, dates of issue, amendment and effect."""
    @property
    def n_pages(self) -> int:
        """0 for a document without pages."""
    @property
    def n_passages(self) -> int:
        """Number of rows: passages that get a vector, or would if the model could read them."""
    @property
    def text(self) -> str: ...
    @property
    def diags(self) -> list[JsonObject]: ...
    @property
    def info(self) -> JsonObject: ...
    @property
    def segment(self) -> bytes:
        """Stored bytes: the same as those of the command line and of the page."""
    @property
    def embeddable(self) -> list[int]:
        """Rows whose passages the embedding model can read."""
    def passages(self, rows: Sequence[int] | None = None) -> list[str]:
        """Texts to embed: of all rows, or of those given."""
    @property
    def statistics(self) -> Statistics: ...
    @property
    def pages(self) -> Table:
        """page, label, width and height in points."""
    @property
    def blocks(self) -> Table:
        """block, kind, role, page, start and end in bytes of the text's UTF-8, text, size in points, bold, italic."""
    @property
    def sections(self) -> Table:
        """section, parent, level, label, title, page, start, end, is_article."""
    @property
    def references(self) -> Table:
        """start, end, page, text, instrument, path, target (a section)."""
    @property
    def notes(self) -> Table:
        """note, marker, page, text, marks (bytes of the text after which a mark stands)."""
    @property
    def terms(self) -> Table:
        """term, kind, page, start, end, meaning."""
    @property
    def chunks(self) -> Table:
        """chunk, kind, section, path, page, text, n_tokens, parents, article, notes."""
    @property
    def quads(self) -> Table:
        """chunk, page, quad: x and y of the four corners of each line of a chunk, in PDF user space."""
    @property
    def units(self) -> Table:
        """unit, chunk, kind, section, path, page, text, legal_status (``repealed``, ``superseded``, ``reserved``; ``None``
        in force), row of its vector, text_length and header_length in terms.
        """
    def postings(self, mean_length: float | None = None) -> Table:
        """unit, term, weight (BM25's saturated frequency, 0 to 1, without idf), text_freq, header_freq.

        ``mean_length`` is that of the collection (``Statistics.mean_length``), by default the document's own.
        """
    def __reduce__(self) -> tuple[Callable[[bytes], Document], tuple[bytes]]: ...

@final
class Statistics:
    """Statistics of a collection for BM25; those of documents add up."""

    def __new__(
        cls,
        n_units: int = 0,
        text_length: int = 0,
        header_length: int = 0,
        doc_freq: Mapping[str, int] = ...,
    ) -> Self: ...
    @property
    def n_units(self) -> int: ...
    @property
    def text_length(self) -> int:
        """Number of terms in the texts of all units."""
    @property
    def header_length(self) -> int:
        """Number of terms in their headers."""
    @property
    def doc_freq(self) -> dict[str, int]:
        """Number of units with a term."""
    def mean_length(self, header_weight: float | None = None) -> float:
        """Mean length of a unit in terms, as BM25 takes it; 1 without units."""
    def idf(self, term: str) -> float: ...
    def __add__(self, other: Statistics, /) -> Statistics: ...
    def __radd__(self, other: Statistics, /) -> Statistics: ...
    def __sub__(self, other: Statistics, /) -> Statistics: ...
    def __rsub__(self, other: Statistics, /) -> Statistics: ...

@final
class Encoder:
    """An embedding model. May be used by several threads. Pickles as its directory."""

    def __new__(cls, directory: str | PathLike[str] | None = None) -> Self:
        """The model in a directory; by default that of ``PINCITE_MODELS``, else ``models/build``, else the one in the wheel."""
    @property
    def fingerprint(self) -> str:
        """Only vectors of equal fingerprint are comparable."""
    @property
    def dimensions(self) -> int: ...
    def embed(
        self, texts: Sequence[str], *, threads: int = 0, progress: Progress | None = None
    ) -> npt.NDArray[np.float32]:
        """One unit vector a text, of shape [texts, dimensions]; ``threads`` is 0 for one a core."""
    def embed_query(self, query: str) -> npt.NDArray[np.float32]:
        """The vector of a query, that of ``embed``, of shape [dimensions]. Those of the latest queries are kept."""
    def tokens(self, texts: Sequence[str]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Ids of the tokens of all texts, one after the other, truncated as for ``embed``, and the number of each text's."""
    def __reduce__(self) -> tuple[type[Encoder], tuple[str]]: ...

@final
class Endpoint:
    """A language model over HTTP. Its key goes to this endpoint only, over https or to this machine."""

    def __new__(
        cls,
        base_url: str,
        model: str,
        *,
        protocol: Literal["openai", "anthropic"] = "openai",
        key: str | None = None,
        timeout: float = 120.0,
    ) -> Self:
        """``timeout`` of a reply in seconds; without ``key``, that of ``PINCITE_API_KEY``."""

@final
class Library:
    """Documents that are searched and asked together, in memory. May be used by several threads."""

    def __new__(cls) -> Self: ...
    @staticmethod
    def open(directory: str | PathLike[str]) -> Library:
        """The library that ``pincite index`` made."""
    def add(self, document: Document, *, name: str | None = None) -> JsonObject: ...
    def add_vectors(self, stored: bytes) -> None: ...
    def remove(self, id: str) -> bool: ...
    @property
    def documents(self) -> list[JsonObject]: ...
    def use_collection(self, statistics: Statistics | None) -> None:
        """Searches then score as if the library held all of a collection, of which it holds the documents that matter."""
    def query_terms(self, query: str) -> dict[str, int]:
        """Terms whose document frequencies a search for the query may read, and how often the query has each.

        0 for a term of another name of what the query says.
        """
    def use_thesaurus(self, groups: str | None) -> None: ...
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
    ) -> JsonObject:
        """``SearchReply``: the best passages, by words alone without an encoder; ``explain`` adds every score's terms."""
    def ask(
        self,
        question: str,
        *,
        encoder: Encoder | None = None,
        endpoint: Model | Mapping[str, Model] | None = None,
        profile: str = "general",
        history: Sequence[Mapping[str, str]] | None = None,
        documents: Sequence[str] | None = None,
        filter: Mapping[str, Any] | None = None,
        glossary: Mapping[str, Sequence[str]] | None = None,
        progress: AskProgress | None = None,
        before_search: Callable[[str, Library], object] | None = None,
    ) -> JsonObject:
        """``Answer``: cited, from the documents' own words, or by a language model where an endpoint is given."""

def read(
    source: str | PathLike[str] | bytes,
    *,
    name: str | None = None,
    password: str | None = None,
    encoder: Encoder | None = None,
    max_bytes: int | None = None,
    max_pages: int | None = None,
    progress: Progress | None = None,
) -> Document:
    """Reads a PDF or a Word file. ``encoder`` counts tokens, and nothing is embedded."""

def pack_vectors(document: Document, vectors: npt.NDArray[np.float32], fingerprint: str, start: int = 0) -> bytes:
    """Stored vectors of the rows from ``start`` on. A row that the model cannot read is left out."""

def verify(quotation: str, document: Document) -> JsonObject:
    """Looks up a quotation: ``status`` as that of a citation, ``quote`` as the document has it, ``location`` or None."""

def profiles() -> list[JsonObject]:
    """Descriptions of the profiles that ship."""
