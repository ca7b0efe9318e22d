"""Keys of the issuer (JWKS), from the one configured address.

A token with an unknown key id makes the keys be fetched again, since issuers rotate them, but never sooner than
`refresh_pause` after the last try: a flood of forged key ids costs one request in that time. While the issuer cannot be
reached, the keys at hand are used until they are `stale`. Fetching is done by one task at a time.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable

import httpx
import jwt

from pincite.gateway import errors
from pincite.gateway.egress import EgressRefused, ReplyTooLarge, read_limited
from pincite.gateway.settings import AuthSettings

log = logging.getLogger(__name__)

_MAX_BYTES = 256 * 1024
_MAX_KEYS = 100
#: Key type and curve that each algorithm needs; a key without `alg` may be used for these alone.
_FORMS = {
    **{f"{family}{bits}": ("RSA", None) for family in ("RS", "PS") for bits in (256, 384, 512)},
    "ES256": ("EC", "P-256"),
    "ES384": ("EC", "P-384"),
    "ES512": ("EC", "P-521"),
    "EdDSA": ("OKP", "Ed25519"),
}


class KeySet:
    """Keys by their id, fetched when needed."""

    def __init__(
        self, settings: AuthSettings, http: httpx.AsyncClient, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._http = http
        self._clock = clock
        self._lock = asyncio.Lock()
        self._raw: list[dict[str, object]] = []
        self._usable: dict[tuple[str | None, str], jwt.PyJWK] = {}
        self._fetched = -float("inf")
        self._tried = -float("inf")
        self._task: asyncio.Task[None] | None = None

    async def key(self, kid: str | None, algorithm: str) -> jwt.PyJWK | None:
        """The key of a token's header. None if the issuer has no such key. Raises 503 without any keys."""
        if self._clock() - self._fetched > self._settings.refresh:
            self._refresh_soon()
        found = self._find(kid, algorithm)
        if found is None:
            await self._refresh()
            found = self._find(kid, algorithm)
        if self._clock() - self._fetched > self._settings.stale:
            raise errors.issuer_unavailable()
        return found

    def _find(self, kid: str | None, algorithm: str) -> jwt.PyJWK | None:
        """A key by id. A token without an id gets the only key of a set of one (OpenID Connect Core, 10.1)."""
        if (kid, algorithm) in self._usable:
            return self._usable[kid, algorithm]
        if kid is None and len(self._raw) != 1:
            return None
        for raw in self._raw:
            if (kid is None or raw.get("kid") == kid) and _suits(raw, algorithm):
                try:
                    key = jwt.PyJWK(raw, algorithm)
                except jwt.PyJWTError:
                    log.warning("a key of the issuer cannot be used for %s", algorithm)
                    continue
                self._usable[kid, algorithm] = key
                return key
        return None

    def _refresh_soon(self) -> None:
        """Fetches keys that have become old while requests go on with them."""
        if self._raw and not self._lock.locked() and self._clock() - self._tried >= self._settings.refresh_pause:
            self._task = asyncio.get_running_loop().create_task(self._refresh())

    async def _refresh(self) -> None:
        before = self._fetched
        async with self._lock:
            if self._fetched != before or self._clock() - self._tried < self._settings.refresh_pause:
                return
            self._tried = self._clock()
            try:
                raw = await self._fetch()
            except (httpx.HTTPError, EgressRefused, ReplyTooLarge, ValueError, RecursionError) as error:
                log.warning("the keys of the issuer cannot be fetched: %s", type(error).__name__)
                return
            self._raw, self._usable, self._fetched = raw, {}, self._clock()

    async def _fetch(self) -> list[dict[str, object]]:
        async with self._http.stream("GET", self._settings.jwks, headers={"accept": "application/json"}) as response:
            if response.status_code != 200:
                raise ValueError(f"expected status 200, found {response.status_code}")
            reply = json.loads(await read_limited(response, _MAX_BYTES))
        keys = reply.get("keys") if isinstance(reply, dict) else None
        if not isinstance(keys, list) or len(keys) > _MAX_KEYS:
            raise ValueError("expected a list of keys")
        return [key for key in keys if isinstance(key, dict)]


def _suits(raw: dict[str, object], algorithm: str) -> bool:
    """True if a key may verify signatures of an algorithm. Symmetric keys suit none: `oct` is in no form."""
    kty, curve = _FORMS[algorithm]
    return (
        raw.get("kty") == kty
        and (curve is None or raw.get("crv") == curve)
        and raw.get("alg", algorithm) == algorithm
        and raw.get("use", "sig") == "sig"
        and "d" not in raw
    )
