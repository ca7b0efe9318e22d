"""Settings of a run: plain data that travels to every worker."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import pincite

EncoderName = Literal["auto", "native", "onnx", "none"]

MIB = 1 << 20

LOCAL = ("milvus", "parquet", "pgserver")
"""Schemes of outputs whose URL is a path, unless it has ``://``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a run.

    Only :meth:`identity` decides what is stored; a run may be resumed with other values of everything else.
    """

    inputs: tuple[str, ...]
    """Folders, files, or URIs of them (``s3://bucket/prefix``)."""
    outs: tuple[str, ...]
    """URLs of stores (:func:`pincite.stores.open_store`), and ``parquet:DIR``."""
    tenant: str = "default"
    """Tenant that the documents belong to."""
    ledger: Path | None = None
    """Folder of the ledger; ``None`` for :func:`default_ledger`."""
    suffixes: tuple[str, ...] = (".pdf", ".docx")
    """Endings of the names of files to read, lower case."""
    resume: bool = False
    """True to continue with the ledger that is there."""
    again: bool = False
    """True to try files again that were set aside."""

    models: Path | None = None
    """Directory of the model; ``None`` for ``PINCITE_MODELS``, else ``models/build``, else the wheel's."""
    encoder: EncoderName = "auto"
    """``native``: the engine's; ``onnx``: ONNX Runtime; ``auto``: that on a GPU, else native; ``none``: no vectors."""
    threads: int = 1
    """Threads of each encoder, >= 1."""
    batch_tokens: int = 16_384
    """Maximum tokens of a batch of the encoder; a longer text is a batch by itself."""
    group_tokens: int | None = None
    """Tokens of documents that are embedded together, > 0; ``None`` for one batch, on a GPU sixteen."""

    workers: int = 1
    """Workers, >= 1. Each takes one core."""
    gpus: int = 0
    """GPUs. With any, reading and embedding are separate actors, and each embedding actor takes a GPU."""
    split: bool = False
    """True to separate reading and embedding without a GPU too."""
    batch_files: int = 32
    """Maximum number of files that a worker takes at once; the documents of a Parquet part."""
    ray: bool = True
    """False for the plain loop in this process."""
    ray_address: str | None = None
    """Address of a Ray cluster; ``None`` to start Ray on this machine."""
    dashboard: bool = False
    """True to start Ray's dashboard."""

    timeout_s: float = 300.0
    """Maximum time of reading a file, in seconds."""
    memory_bytes: int = 2048 * MIB
    """Maximum memory of the process that reads files, in bytes."""
    max_bytes: int = 256 * MIB
    """Maximum size of a file, in bytes."""
    max_pages: int = 20_000
    """Maximum number of pages of a PDF."""
    password: str | None = None
    """Password of encrypted PDFs."""
    retries: int = 3
    """Further attempts after an error of the network or the store, >= 0."""
    keep_files: bool = True
    """True to store the files too, so that a gateway can serve them."""

    def identity(self) -> dict[str, str]:
        """Settings that must be equal for a run to continue another. Secrets of URLs are left out."""
        return {
            "outs": " ".join(map(redacted, self.outs)),
            "tenant": self.tenant,
            "vectors": str(self.encoder != "none"),
        }

    def ledger_folder(self) -> Path:
        """Folder of the ledger."""
        return self.ledger if self.ledger is not None else default_ledger(self.outs)

    def models_folder(self) -> Path:
        """Directory of the model."""
        return self.models if self.models is not None else self.default_models()

    @staticmethod
    def default_models() -> Path:
        """Directory of the model, by the rule of :class:`pincite.Encoder`."""
        named = os.environ.get("PINCITE_MODELS")
        folders = [Path(named)] if named else [Path("models/build"), Path(pincite.__file__).with_name("model")]
        return next((folder for folder in folders if (folder / "manifest.json").is_file()), folders[0]).absolute()


def default_ledger(outs: tuple[str, ...]) -> Path:
    """Folder of the ledger: beside the first output that is a local path, else in the working directory."""
    for out in outs:
        scheme, _, rest = out.partition(":")
        if scheme in LOCAL and rest and "://" not in rest:
            return Path(rest.removeprefix("//") + ".ingest")
    name = hashlib.sha256("\n".join(map(redacted, outs)).encode()).hexdigest()[:12]
    return Path(f"pincite-{name}.ingest")


def redacted(url: str) -> str:
    """The URL without user, password and query: what a message, a log or the ledger may hold.

    Passwords may hold what ends them elsewhere, ``/``, ``?``, ``#`` or ``@``. Where that leaves more than one reading,
    the one that shows less is taken.
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        scheme, separator, rest = url.partition(":")
        if scheme in LOCAL or "/" in scheme or not separator:
            return url.partition("?")[0]
    database = _database(url) if scheme in ("postgresql", "postgres") else None
    if database is not None:
        return f"{scheme}://{database}"
    authority = re.split("[/?#]", rest, maxsplit=1)[0]
    if ":" in authority or "@" in authority:
        userinfo, _, rest = rest.rpartition("@")
        if re.search("[?#].*=", userinfo):
            # The last @ may be in the value of an option, which may be secret.
            rest = ""
    return scheme + separator + re.split("[?#]", rest, maxsplit=1)[0]


def _database(url: str) -> str | None:
    """Hosts, ports and name of a database of PostgreSQL, as its library reads the URL; ``None`` if it cannot."""
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict
    except ImportError:
        return None
    try:
        options = {key: str(value) for key, value in conninfo_to_dict(url).items() if value is not None}
    except (ProgrammingError, ValueError):
        return None
    hosts = options.get("host", options.get("hostaddr", "")).split(",")
    ports = options.get("port", "").split(",")
    name = options.get("dbname", "")
    # A password with a sign that ends it is read as something else.
    if any("@" in text for text in (*hosts, name)) or not all(port.isdecimal() or not port for port in ports):
        return None
    hosts = [f"[{host}]" if ":" in host else quote(host, safe="") for host in hosts]
    if len(ports) == len(hosts):
        hosts = [f"{host}:{port}" if port else host for host, port in zip(hosts, ports, strict=True)]
    elif ports[0]:
        hosts[-1] += f":{ports[0]}"
    return ",".join(hosts) + (f"/{quote(name, safe='')}" if name else "")
