"""Layers that every request passes before a route: request id, span, headers, host, size of the body, token.

Plain ASGI, since a wrapper that buffers would hide a closed connection from `/v1/ask`. A path is public only if it is listed:
a route that somebody adds later needs a token. The order, outermost first: CORS (Starlette's), `Envelope`, `Door`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.gateway import errors, telemetry
from pincite.gateway.auth import Principal, TokenVerifier
from pincite.gateway.telemetry import SpanKind, tracer

log = logging.getLogger(__name__)

#: Headers of every reply that does not set its own.
_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class Envelope:
    """Request id, span, security headers; an exception becomes an error in our shape."""

    def __init__(self, app: ASGIApp, strict_transport: bool) -> None:
        self._app = app
        self._headers = dict(_HEADERS)
        if strict_transport:
            self._headers["strict-transport-security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        status = 0
        started = time.perf_counter()

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["x-request-id"] = request_id
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        method = scope["method"]
        with tracer.start_as_current_span(
            method, telemetry.incoming(Headers(scope=scope)), kind=SpanKind.SERVER, record_exception=False
        ) as span:
            try:
                await self._app(scope, receive, send_with_headers)
            except Exception as error:  # noqa: BLE001 - the last place where a failure becomes a reply
                failure = errors.of(error)
                if failure.status_code in (401, 403, 421):
                    log.info("request %s refused: %s, %s", request_id, failure.code, failure.message)
                errors.log_internal(failure, error, request_id)
                telemetry.fail(span, failure.code)
                if not status:
                    await failure.response(request_id)(scope, receive, send_with_headers)
            finally:
                route = getattr(scope.get("route"), "path", "unmatched")
                span.update_name(f"{method} {route}")
                about = {
                    "http.request.method": method,
                    "http.route": route,
                    "http.response.status_code": status,
                }
                span.set_attributes({**about, "pincite.request_id": request_id})
                telemetry.durations.record(time.perf_counter() - started, about)


class Door:
    """Host, token and body: who may come in, and with how much. Sets `state.principal`."""

    def __init__(
        self,
        app: ASGIApp,
        verifier: TokenVerifier,
        is_public: Callable[[str], bool],
        hosts: Collection[str],
        max_body: int,
        body_timeout: float,
        is_draining: Callable[[], bool],
        metadata: str | None = None,
    ) -> None:
        self._app = app
        self._verifier = verifier
        self._is_public = is_public
        self._hosts = frozenset(host.lower() for host in hosts)
        self._max_body = max_body
        self._body_timeout = body_timeout
        self._is_draining = is_draining
        self._metadata = metadata

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            raise RuntimeError(f"expected http, found {scope['type']}")
        headers = Headers(scope=scope)
        if self._hosts and headers.get("host", "").lower() not in self._hosts:
            raise errors.GatewayError(421, "wrong-host", "the gateway is not reached under this name")
        if not self._is_public(scope["path"]):
            if self._is_draining():
                raise errors.shutting_down()
            scope["state"]["principal"] = await self._principal(headers)
        await self._app(scope, await self._with_body(scope["method"], headers, receive), send)

    async def _principal(self, headers: Headers) -> Principal:
        """The principal of the token. A refusal says where the issuer is described (RFC 9728)."""
        try:
            if len(headers.getlist("authorization")) > 1:
                raise errors.unauthorized("expected one header Authorization")
            return await self._verifier.principal(headers.get("authorization"))
        except errors.GatewayError as error:
            if error.status_code == 401 and self._metadata is not None and error.headers is not None:
                said = error.headers["WWW-Authenticate"]
                comma = "," if " " in said else ""
                error.headers = {"WWW-Authenticate": f'{said}{comma} resource_metadata="{self._metadata}"'}
            raise

    async def _with_body(self, method: str, headers: Headers, receive: Receive) -> Receive:
        """Reads the body, up to the limit, before anything looks at it. Raises 413, and 408 for one that does not come."""
        if method not in ("POST", "PUT", "PATCH", "DELETE"):
            return receive
        declared = headers.get("content-length", "0")
        if declared.isdecimal() and int(declared) > self._max_body:
            raise errors.too_large(self._max_body)
        try:
            async with asyncio.timeout(self._body_timeout):
                messages = [await self._read(receive)]
        except TimeoutError:
            raise errors.GatewayError(408, "timeout", "the body of the request did not come in time") from None

        async def replay() -> Message:
            return messages.pop() if messages else await receive()

        return replay

    async def _read(self, receive: Receive) -> Message:
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return message
            body = message.get("body", b"")
            size += len(body)
            if size > self._max_body:
                raise errors.too_large(self._max_body)
            parts.append(body)
            if not message.get("more_body", False):
                return {"type": "http.request", "body": b"".join(parts), "more_body": False}
