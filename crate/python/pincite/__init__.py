"""Reads legal documents, searches them, and answers questions with citations that are pinned to the words on the page.

    import pincite

    encoder = pincite.Encoder()
    document = pincite.read("contract.pdf", encoder=encoder)
    library = pincite.Library()
    library.add(document)
    vectors = encoder.embed(document.passages(document.embeddable))
    library.add_vectors(pincite.pack_vectors(document, vectors, encoder.fingerprint))
    answer = library.ask("Who pays if the goods are broken on the way?", encoder=encoder)
    for citation in answer["citations"]:
        print(citation["document"], citation["page"], citation["quote"], citation["status"])

The engine is the one of the command line and of the page, compiled: the same file gives the same bytes, the same question
the same answer. Dictionaries have the keys of the page's API (``documentId``, ``sectionPath``). Nothing goes over the network
but requests to an endpoint that is given.

Beyond one process: ``pincite.stores`` (PostgreSQL, Milvus), ``pincite.remote``, ``pincite.ingest``, ``pincite.gateway``.
"""

from pincite._native import (
    DEPTH,
    FORMAT_VERSION,
    LEGAL_THESAURUS,
    Document,
    Encoder,
    Endpoint,
    Library,
    PinciteError,
    Statistics,
    __version__,
    pack_vectors,
    profiles,
    read,
    verify,
)
from pincite.progress import BarProgress

__all__ = [
    "DEPTH",
    "FORMAT_VERSION",
    "LEGAL_THESAURUS",
    "BarProgress",
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
