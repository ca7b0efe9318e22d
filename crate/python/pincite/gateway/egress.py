"""Requests to other machines: only to origins that the settings name.

Every request of the gateway goes through a client made here. Its transport compares the origin of each request with the
allow list before a connection is opened, so a redirect, a forged URL in a reply or a bug elsewhere reaches nothing.
Redirects are not followed, proxies and credentials of the environment are not read (SSL_CERT_FILE is, for an authority of
one's own), and replies are read up to a limit.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

import httpx

Address = tuple[str, str, int]

_PORTS = {"http": 80, "https": 443}


class EgressRefused(Exception):
    """A request to an origin that the settings do not name."""


class ReplyTooLarge(Exception):
    """A reply over the size limit."""


def origin_of(url: str) -> Address:
    """Scheme, host in lower case and port of an http or https URL without credentials."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError(f"expected an http or https URL, found {url!r}")
    if parts.username is not None or parts.password is not None:
        raise ValueError("expected a URL without credentials: name an environment variable instead")
    return parts.scheme, parts.hostname.lower(), parts.port or _PORTS[parts.scheme]


class AllowedTransport(httpx.AsyncBaseTransport):
    """Transport that refuses every origin which is not allowed."""

    def __init__(self, allowed: Collection[Address], inner: httpx.AsyncBaseTransport | None = None) -> None:
        self._allowed = frozenset(allowed)
        self._inner = inner or httpx.AsyncHTTPTransport(retries=0)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        address = (url.scheme, url.host.lower(), url.port or _PORTS.get(url.scheme, 0))
        if address not in self._allowed:
            raise EgressRefused(f"the settings name no origin {url.scheme}://{url.host}")
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


def client(allowed: Collection[Address], timeout: float = 10) -> httpx.AsyncClient:
    """A client that reaches the allowed origins only. `timeout` in seconds, for each phase of a request."""
    return httpx.AsyncClient(
        transport=AllowedTransport(allowed),
        follow_redirects=False,
        trust_env=False,
        timeout=timeout,
        headers={"user-agent": "pincite-gateway"},
    )


async def read_limited(response: httpx.Response, limit: int) -> bytes:
    """Body of a streamed reply, at most `limit` bytes after decompression."""
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > limit:
            raise ReplyTooLarge(f"the reply has more than {limit} bytes")
        parts.append(part)
    return b"".join(parts)
