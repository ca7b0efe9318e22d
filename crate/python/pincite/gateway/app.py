"""The application: settings, store and encoder become an ASGI app."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.routing import Route

import pincite
from pincite.gateway import egress, errors
from pincite.gateway.audit import Audit
from pincite.gateway.auth import TokenVerifier
from pincite.gateway.engine import Engine, NativeEngine
from pincite.gateway.keys import KeySet
from pincite.gateway.mcp import Mcp
from pincite.gateway.middleware import Door, Envelope
from pincite.gateway.models import endpoints_of
from pincite.gateway.routes import METADATA, open_router, router
from pincite.gateway.service import Service
from pincite.gateway.settings import Settings
from pincite.gateway.site import mount_site
from pincite.stores import Store, StoreError

if TYPE_CHECKING:
    from pincite import Encoder

#: Headers that a page may send to the gateway, and read of its replies.
_SENT = [
    "Authorization",
    "Content-Type",
    "Range",
    "If-Range",
    "If-None-Match",
    "Mcp-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
]
_READ = ["X-Request-Id", "Retry-After", "ETag", "Content-Range", "Accept-Ranges", "Content-Length", "WWW-Authenticate"]

_PUBLIC = frozenset(
    {
        "/healthz",
        "/openapi.json",
        METADATA,
        f"{METADATA}/mcp",
    }
)


def create_app(
    settings: Settings,
    store: Store,
    encoder: Encoder | None = None,
    *,
    engine: Engine | None = None,
    environment: Mapping[str, str] | None = None,
    public: Collection[str] = (),
) -> FastAPI:
    """The gateway over a store, which stays the caller's to close.

    `encoder` embeds questions; without one, words alone are searched. `engine` is by default the
    native one over the store. Keys of models come from `environment`, by default the process's. `public` are
    further paths that need no token.
    """
    variables = os.environ if environment is None else environment
    http = egress.client([egress.origin_of(settings.auth.jwks)])
    audit = Audit.of(settings.audit, variables)
    if engine is None:
        engine = NativeEngine(store, encoder, settings.cache, endpoints_of(settings, variables))
    service = Service(settings, store, engine, audit)
    tools = Mcp(service, settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            stack.push_async_callback(http.aclose)
            stack.callback(service.close)
            await stack.enter_async_context(tools.running())
            yield

    app = FastAPI(
        title="Pincite gateway",
        version=pincite.__version__,
        description="Search and cited answers over a library of legal documents, under the rights of an OpenID Connect token.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.service = service
    app.state.draining = False
    app.include_router(router)
    app.include_router(open_router)
    app.router.routes.append(Route("/mcp", endpoint=tools, include_in_schema=False))
    site = mount_site(app, settings.server.site)
    app.add_exception_handler(HTTPException, _failed)
    app.add_exception_handler(StoreError, _failed)
    app.add_exception_handler(RequestValidationError, _refused)
    without_token = _PUBLIC | frozenset(public)
    app.add_middleware(
        Door,
        verifier=TokenVerifier(settings.auth, KeySet(settings.auth, http)),
        is_public=lambda path: path in without_token or (site is not None and path.startswith(site)),
        hosts=settings.server.hosts,
        max_body=settings.limits.body,
        body_timeout=settings.limits.body_timeout,
        is_draining=lambda: bool(app.state.draining),
        metadata=f"{settings.server.public_url.rstrip('/')}{METADATA}" if settings.server.public_url else None,
    )
    app.add_middleware(Envelope, strict_transport=(settings.server.public_url or "").startswith("https:"))
    if settings.server.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.server.origins),
            allow_methods=["GET", "HEAD", "POST"],
            allow_headers=_SENT,
            expose_headers=_READ,
            allow_credentials=False,
            max_age=600,
        )
    return app


def _failed(request: Request, error: Exception) -> Response:
    """Any error in our shape; those of the framework (404, 405) with a code of their own."""
    if isinstance(error, HTTPException) and not isinstance(error, errors.GatewayError):
        known = {
            404: ("not-found", "there is nothing at this address"),
            405: ("method-not-allowed", "the address does not take this method"),
        }
        code, message = known.get(error.status_code, ("bad-argument", "the request cannot be read"))
        status = error.status_code if error.status_code in known else 422
        failure = errors.GatewayError(status, code, message, headers=dict(error.headers or {}))
    else:
        failure = errors.of(error)
        errors.log_internal(failure, error, request.state.request_id)
    return failure.response(request.state.request_id)


def _refused(request: Request, error: Exception) -> Response:
    """A body or parameter that does not fit, without its words."""
    found = error.errors() if isinstance(error, RequestValidationError) else []
    first = found[0] if found else {"loc": ("body",), "msg": "cannot be read"}
    where = ".".join(str(part) for part in first["loc"])[:100]
    message = f"{where}: {first['msg']}"[:300]
    return errors.bad_argument(message).response(request.state.request_id)
