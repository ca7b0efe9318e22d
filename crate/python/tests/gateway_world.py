"""World of the gateway's tests: an issuer with its keys, a store and an engine in memory, a real server on loopback.

The store keeps to the rights it is given and notes each of them, so a test sees what the gateway asked it for. The engine finds
documents whose text has a word of the question, cites their first words, and can be told to be slow or to fail.
"""

from __future__ import annotations

import hashlib
import http.server
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from fastapi import FastAPI

from pincite.gateway import Settings, create_app
from pincite.gateway.serving import Server, bound
from pincite.stores import FileRange, Rights, StoredDocument, StoreError, check_document_id

#: Made once, since a key takes 50 ms.
_RSA = rsa.generate_private_key(65537, 2048)
ISSUER = "https://issuer.test/realm"
AUDIENCE = "pincite"


class Keys:
    """Signing keys by id, and the server of their JWKS, which counts its requests."""

    def __init__(self) -> None:
        self.private: dict[str, Any] = {"rsa-1": _RSA}
        self.extra: list[dict[str, Any]] = []
        self.requests = 0
        self.status = 200
        keys = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                keys.requests += 1
                body = json.dumps(keys.jwks()).encode()
                self.send_response(keys.status)
                if 300 <= keys.status < 400:
                    self.send_header("location", f"http://127.0.0.1:{keys.port}/other")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def jwks(self) -> dict[str, Any]:
        keys = []
        for kid, key in self.private.items():
            algorithm = (
                jwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else jwt.algorithms.ECAlgorithm
            )
            keys.append({**algorithm.to_jwk(key.public_key(), as_dict=True), "kid": kid, "use": "sig"})
        return {"keys": keys + self.extra}

    def add_ec(self, kid: str) -> None:
        self.private[kid] = ec.generate_private_key(ec.SECP256R1())

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def token(
        self, tenant: str | None = "a", *, kid: str | None = "rsa-1", algorithm: str = "RS256", **claims: Any
    ) -> str:
        """A token that is good unless `claims` say otherwise; a claim of None is left out."""
        now = int(time.time())
        all_claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": f"reader-{tenant}",
            "iat": now,
            "exp": now + 300,
            "tenant": tenant,
            **claims,
        }
        present = {name: value for name, value in all_claims.items() if value is not None}
        key = self.private[kid or "rsa-1"]
        return jwt.encode(present, key, algorithm=algorithm, headers={"kid": kid} if kid else {})


@dataclass
class Stored:
    """A document of the store."""

    name: str
    file: bytes
    text: str
    id: str = ""

    def __post_init__(self) -> None:
        self.id = hashlib.sha256(self.file).hexdigest()


@dataclass
class MemoryStore:
    """A store in memory. `asked` has the rights of every call."""

    tenants: dict[str, dict[str, Stored]] = field(default_factory=dict)
    asked: list[Rights] = field(default_factory=list)
    down: bool = False

    def add(self, tenant: str, name: str, text: str, file: bytes | None = None) -> Stored:
        stored = Stored(name, file if file is not None else f"{name}\n{text}".encode(), text)
        self.tenants.setdefault(tenant, {})[stored.id] = stored
        return stored

    def _visible(self, rights: Rights) -> dict[str, Stored]:
        self.asked.append(rights)
        if self.down:
            raise StoreError("store-unavailable", "connection to postgresql://pincite:hunter2@db refused")
        return {id: each for id, each in self.tenants.get(rights.tenant, {}).items() if rights.allows(id)}

    def _one(self, id: str, rights: Rights) -> Stored:
        check_document_id(id)
        found = self._visible(rights).get(id)
        if found is None:
            raise StoreError("document-unknown", "the library has no document of this id")
        return found

    def documents(self, rights: Rights, *, after: str | None = None, limit: int | None = None) -> list[StoredDocument]:
        visible = list(self._visible(rights).values())
        if after is not None:
            visible = visible[visible.index(self._one(after, rights)) + 1 :]
        return [
            StoredDocument(
                id=each.id,
                name=each.name,
                title=None,
                date=None,
                edition=None,
                n_pages=1,
                n_passages=1,
                n_to_embed=1,
                n_embedded=0,
                digest=hashlib.sha256(each.text.encode()).hexdigest(),
                vectors_digest=None,
                n_bytes=len(each.text),
            )
            for each in visible[:limit]
        ]

    def count(self, rights: Rights) -> int:
        return len(self._visible(rights))

    def model(self) -> str | None:
        return None

    def file(self, id: str, rights: Rights, start: int = 0, end: int | None = None) -> FileRange:
        file = self._one(id, rights).file
        return FileRange(file[start:end], start, len(file), "application/pdf")

    def close(self) -> None:
        pass


def location(stored: Stored, start: int, end: int) -> dict[str, Any]:
    """A `Location` of types.d.ts."""
    return {
        "document": stored.name,
        "documentId": stored.id,
        "page": 1,
        "pageLabel": None,
        "sectionPath": ["Part 1"],
        "legalStatus": None,
        "quads": [],
        "spans": [{"page": 1, "range": [start, end], "quads": []}],
        "places": [],
        "caveats": [],
    }


@dataclass
class MemoryEngine:
    """An engine over the store. `steps` and `pause` (seconds) make it slow; `fault` makes it fail."""

    store: MemoryStore
    steps: int = 2
    pause: float = 0.0
    fault: Exception | None = None
    #: Answers that run now, and answers that were ended by `progress`.
    running: int = 0
    ended: int = 0
    #: Filters of the searches and questions.
    filters: list[Mapping[str, Any] | None] = field(default_factory=list)
    #: Set when an answer begins.
    begun: threading.Event = field(default_factory=threading.Event)

    @property
    def has_model(self) -> bool:
        return False

    def documents(self, rights: Rights, *, after: str | None, limit: int) -> list[dict[str, Any]]:
        return [
            {"id": each.id, "name": each.name, "nPages": each.n_pages, "nPassages": each.n_passages}
            for each in self.store.documents(rights, after=after, limit=limit)
        ]

    def _hits(self, rights: Rights, query: str, documents: Sequence[str] | None) -> list[Stored]:
        if self.fault is not None:
            raise self.fault
        rights = rights if documents is None else rights.within(documents)
        words = [word for word in query.lower().split() if len(word) > 3]
        visible = self.store._visible(rights).values()
        return [each for each in visible if any(word in each.text.lower() for word in words)]

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
        self.filters.append(filter)
        time.sleep(self.pause)
        hits = [
            {
                **location(each, 0, len(each.text.encode())),
                "kind": "child",
                "text": each.text,
                "score": 1.0,
                "rank": rank,
            }
            for rank, each in enumerate(self._hits(rights, query, documents)[:k], 1)
        ]
        return {"hits": hits, "nothing": None if hits else "no-match", "vectors": "none", "times": {}}

    def ask(
        self,
        rights: Rights,
        question: str,
        *,
        profile: str,
        history: Sequence[Mapping[str, str]],
        documents: Sequence[str] | None,
        filter: Mapping[str, Any] | None,
        progress: Callable[[Mapping[str, Any]], None],
    ) -> dict[str, Any]:
        self.filters.append(filter)
        self.running += 1
        self.begun.set()
        try:
            for step in range(self.steps):
                progress({"step": "search", "done": step, "total": self.steps})
                time.sleep(self.pause)
            found = self._hits(rights, question, documents)
            progress({"step": "write"})
        except Exception:
            self.ended += 1
            raise
        finally:
            self.running -= 1
        citations = []
        for number, each in enumerate(found, 1):
            end = min(20, len(each.text.encode()))
            quote = each.text.encode()[:end].decode()
            citations.append({**location(each, 0, end), "id": number, "quote": quote, "status": "verified"})
        return {
            "answer": " ".join(each["quote"] for each in citations),
            "sufficient": bool(found),
            "by": "extraction",
            "citations": citations,
            "message": "" if found else "The documents do not say.",
            "profile": profile,
            "turns": len(history),
            "trace": {"selected": [location(each, 0, len(each.text.encode())) for each in found]},
        }

    def text(self, id: str, rights: Rights) -> str:
        return self.store._one(id, rights).text

    def verify(self, quotation: str, id: str, rights: Rights) -> dict[str, Any]:
        stored = self.store._one(id, rights)
        at = stored.text.find(quotation)
        if at < 0:
            return {"status": "not-found", "quote": quotation, "location": None}
        start = len(stored.text[:at].encode())
        found = location(stored, start, start + len(quotation.encode()))
        return {"status": "verified", "quote": quotation, "location": found}


def settings(keys: Keys, **sections: Mapping[str, Any]) -> Settings:
    """Settings of a test; sections as in the file."""
    auth = {
        "issuer": ISSUER,
        "audience": AUDIENCE,
        "jwks": f"http://127.0.0.1:{keys.port}/jwks",
        "algorithms": ["RS256", "ES256"],
        "leeway": 0,
        "refresh_pause": 0.05,
        **sections.get("auth", {}),
    }
    generous = {"per_minute": 100_000, "burst": 100_000}
    limits = {"asks": generous, "searches": generous, "reads": generous, **sections.get("limits", {})}
    rest = {name: value for name, value in sections.items() if name not in ("auth", "limits")}
    return Settings.model_validate({"auth": auth, "limits": limits, **rest})


@dataclass
class Gateway:
    """A gateway that runs."""

    url: str
    app: FastAPI
    keys: Keys
    store: MemoryStore
    engine: MemoryEngine
    server: Server
    audit: Path | None = None

    def client(self, token: str | None = None, **options: Any) -> httpx.Client:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=self.url, headers=headers, timeout=10, verify=False, trust_env=False, **options)

    def of(self, tenant: str, **claims: Any) -> httpx.Client:
        """A client with a good token."""
        return self.client(self.keys.token(tenant, **claims))

    def lines(self) -> list[dict[str, Any]]:
        """Lines of the audit log."""
        assert self.audit is not None
        return [json.loads(line) for line in self.audit.read_text().splitlines()]


def library_of_two_tenants() -> MemoryStore:
    """`a` has two documents, `b` two, one of them the same file."""
    store = MemoryStore()
    store.add("a", "rules.pdf", "Client money must be paid into a client account by the next business day.")
    store.add("b", "opinion.pdf", "The secret merger consideration of Halden is confidential to tenant B.")
    for tenant in ("a", "b"):
        store.add(tenant, "contract.pdf", "The Customer may terminate on ninety days of notice.")
    return store


@contextmanager
def running(app: FastAPI, of: Settings) -> Iterator[tuple[str, Server]]:
    """Runs an app in a thread."""
    listening = bound("127.0.0.1", 0)
    port = listening.getsockname()[1]
    server = Server(app, of.model_copy(update={"server": of.server.model_copy(update={"port": port})}))

    def run() -> None:
        import asyncio

        asyncio.run(server.serve([listening]))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        eventually(lambda: server.started)
        yield f"http://127.0.0.1:{port}", server
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()
        assert not thread.is_alive()


@contextmanager
def gateway(
    keys: Keys,
    store: MemoryStore | None = None,
    environment: Mapping[str, str] | None = None,
    **sections: Mapping[str, Any],
) -> Iterator[Gateway]:
    """A gateway with an own store and engine, on a free port."""
    of = settings(keys, **sections)
    store = store or library_of_two_tenants()
    engine = MemoryEngine(store)
    app = create_app(of, store, engine=engine, environment=environment or {})  # type: ignore[arg-type]
    with running(app, of) as (url, server):
        yield Gateway(url, app, keys, store, engine, server, of.audit.file)


def main() -> None:
    """Serves in a process of its own, so that it can be killed: PORT, port of the keys, audit log, pause of a step."""
    import asyncio

    port, keys_port, audit, pause = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), float(sys.argv[4])
    keys = SimpleNamespace(port=keys_port)
    of = settings(keys, audit={"file": audit}, server={"port": port, "grace": 1})  # type: ignore[arg-type]
    store = library_of_two_tenants()
    app = create_app(of, store, engine=MemoryEngine(store, pause=pause), environment={})  # type: ignore[arg-type]
    with bound("127.0.0.1", port) as listening:
        asyncio.run(Server(app, of).serve([listening]))


def eventually(holds: Callable[[], object], seconds: float = 5) -> None:
    """Waits until something holds."""
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            raise AssertionError("it did not come to hold")
        time.sleep(0.005)


def code_of(response: httpx.Response) -> str:
    """Code of an error, whose shape is checked."""
    error = response.json()["error"]
    assert set(error) == {"code", "message", "hint", "requestId"}
    assert error["requestId"] == response.headers["x-request-id"]
    code: str = error["code"]
    return code


def answer_of(lines: Iterator[str]) -> dict[str, Any]:
    """The last event of a stream of events."""
    *_, last = (json.loads(line) for line in lines)
    event: dict[str, Any] = last
    return event


if __name__ == "__main__":
    main()
