"""A gateway to try out: samples in an embedded store, an issuer of its own, a page with the widget. Loopback only.

The issuer gives a token of either tenant to whoever asks, so it listens on 127.0.0.1, serves that name alone (a page of another
name that resolves here is refused) and lets no other origin read its replies. Its key lives as long as the process.
`tenant-a` has the rulebook and the contract, `tenant-b` the opinion and the contract.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from fastapi import APIRouter, Query
from starlette.responses import JSONResponse, Response

import pincite
from pincite.gateway import errors
from pincite.gateway.settings import (
    AnswerSettings,
    AuditSettings,
    AuthSettings,
    ClaimSettings,
    EndpointSettings,
    ServerSettings,
    Settings,
)
from pincite.gateway.site import POLICY
from pincite.stores import Rights, Store

log = logging.getLogger(__name__)

#: Samples of each tenant.
TENANTS: Mapping[str, tuple[str, ...]] = {
    "tenant-a": ("rulebook.pdf", "contract.pdf"),
    "tenant-b": ("opinion.pdf", "contract.pdf"),
}
_AUDIENCE = "pincite-demo"
_FILES = {"page.js": "text/javascript", "page.css": "text/css"}
#: Paths of the demo that need no token.
PUBLIC = frozenset({"/", "/demo/keys", "/demo/token", "/demo/tenants", *(f"/demo/{name}" for name in _FILES)})


class Issuer:
    """An OpenID Connect issuer with one key."""

    def __init__(self, base: str) -> None:
        self.issuer = f"{base}/demo"
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._kid = uuid4().hex

    def keys(self) -> dict[str, Any]:
        """JWKS."""
        public = jwt.algorithms.ECAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return {"keys": [{**public, "kid": self._kid, "alg": "ES256", "use": "sig"}]}

    def token(
        self, tenant: str, seconds: float = 600, documents: list[str] | None = None, subject: str = "reader"
    ) -> str:
        """A token of a tenant that expires after `seconds`; with the claim `documents`, if given."""
        now = time.time()
        claims: dict[str, Any] = {
            "iss": self.issuer,
            "aud": _AUDIENCE,
            "sub": f"{subject}-of-{tenant}",
            "iat": int(now),
            "exp": now + seconds,
            "tenant": tenant,
        }
        if documents is not None:
            claims["documents"] = documents
        return jwt.encode(claims, self._key, algorithm="ES256", headers={"kid": self._kid})


def settings_of(
    port: int,
    site: Path | None,
    audit: Path | None = None,
    endpoint: EndpointSettings | None = None,
    origins: tuple[str, ...] = (),
) -> Settings:
    """Settings of a demo that listens on a port; pages of `origins` may ask it too."""
    base = f"http://127.0.0.1:{port}"
    return Settings(
        auth=AuthSettings(
            issuer=f"{base}/demo",
            audience=_AUDIENCE,
            jwks=f"{base}/demo/keys",
            algorithms=("ES256",),
            leeway=0,
            claims=ClaimSettings(tenant=("tenant",), documents=("documents",), without_documents="all"),
        ),
        server=ServerSettings(
            host="127.0.0.1",
            port=port,
            public_url=base,
            hosts=(f"127.0.0.1:{port}", f"localhost:{port}"),
            origins=origins,
            grace=1,
            site=site,
        ),
        answers=AnswerSettings(endpoint="demo" if endpoint else None),
        endpoints={"demo": endpoint} if endpoint else {},
        audit=AuditSettings(file=audit),
    )


def ingest(store: Store, samples: Path, encoder: pincite.Encoder | None) -> int:
    """Stores the samples of both tenants, those that are not there yet; the number of documents that were stored."""
    n_stored = 0
    for tenant, names in TENANTS.items():
        there = {stored.id for stored in store.documents(Rights(tenant))}
        for name in names:
            file = (samples / name).read_bytes()
            if hashlib.sha256(file).hexdigest() in there:
                continue
            document = pincite.read(file, name=name, encoder=encoder)
            vectors, fingerprint = None, None
            if encoder is not None:
                vectors, fingerprint = encoder.embed(document.passages(document.embeddable)), encoder.fingerprint
            store.put(document, vectors, fingerprint, tenant=tenant, file=file)
            log.info("stored %s for %s", name, tenant)
            n_stored += 1
    return n_stored


def router_of(issuer: Issuer) -> APIRouter:
    """Routes of issuer and page."""
    router = APIRouter(include_in_schema=False)

    @router.get("/demo/keys")
    async def keys() -> Response:
        return JSONResponse(issuer.keys())

    @router.get("/demo/tenants")
    async def tenants() -> Response:
        return JSONResponse(list(TENANTS))

    @router.get("/demo/token")
    async def token(
        tenant: str,
        seconds: Annotated[float, Query(gt=0, le=3600)] = 600,
        documents: Annotated[list[str] | None, Query()] = None,
        subject: Annotated[str, Query(pattern=r"^[a-z0-9-]{1,40}$")] = "reader",
    ) -> Response:
        if tenant not in TENANTS:
            raise errors.bad_argument(f"expected a tenant among {', '.join(TENANTS)}")
        return JSONResponse({"token": issuer.token(tenant, seconds, documents, subject), "expiresIn": seconds})

    @router.get("/")
    async def index() -> Response:
        return _page_file("index.html", "text/html")

    @router.get("/demo/{name}")
    async def file(name: str) -> Response:
        if name not in _FILES:
            raise errors.GatewayError(404, "not-found", "there is nothing at this address")
        return _page_file(name, _FILES[name])

    return router


def _page_file(name: str, media_type: str) -> Response:
    text = resources.files("pincite.gateway").joinpath("demo_page", name).read_bytes()
    headers = {"content-security-policy": POLICY, "cache-control": "no-cache"}
    return Response(text, media_type=media_type, headers=headers)
