"""Tokens: a bearer token of the configured issuer becomes a `Principal`, or the request ends with 401 or 403.

The token's header is data of the client and decides nothing but which of the issuer's keys is tried: its algorithm must be
in the allow list and suit that key, its key id must be in the issuer's JWKS, and addresses or keys that it carries itself
(`jku`, `x5u`, `jwk`) are not read. `none` and symmetric algorithms are not in the allow list and cannot be put there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import jwt

from pincite.gateway import errors
from pincite.gateway.keys import KeySet
from pincite.gateway.rights import rights_of
from pincite.gateway.settings import AuthSettings
from pincite.stores import Rights

#: Longest token, in characters.
MAX_TOKEN = 16 * 1024
_BEARER = re.compile(r"[Bb]earer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)")
_KID = re.compile(r"[\x21-\x7e]{1,256}")


@dataclass(frozen=True)
class Principal:
    """Who asks, and what they may see."""

    #: Claim `sub`.
    subject: str
    rights: Rights
    #: Time at which the token expires, in seconds since 1970.
    expires: float

    @property
    def key(self) -> tuple[str, str]:
        """Whose requests are counted together."""
        return self.rights.tenant, self.subject


class TokenVerifier:
    """Verifies tokens of one issuer."""

    def __init__(self, settings: AuthSettings, keys: KeySet) -> None:
        self._settings = settings
        self._keys = keys

    async def principal(self, authorization: str | None) -> Principal:
        """The principal of a header `Authorization`. Raises 401, 403 or 503."""
        claims = await self._claims(_token(authorization))
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= 255 or not subject.isprintable():
            raise errors.unauthorized("the token's subject cannot be used")
        return Principal(subject, rights_of(claims, self._settings.claims), float(claims["exp"]))  # type: ignore[arg-type]

    async def _claims(self, token: str) -> Mapping[str, object]:
        settings = self._settings
        kid, algorithm = _header(token)
        if algorithm not in settings.algorithms:
            raise errors.unauthorized("the token's algorithm is not accepted")
        key = await self._keys.key(kid, algorithm)
        if key is None:
            raise errors.unauthorized("the token is signed with a key that the issuer does not have")
        try:
            claims: dict[str, object] = jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                issuer=settings.issuer,
                audience=settings.audience,
                leeway=settings.leeway,
                options={"require": ["exp", "iss", "aud", "sub"], "enforce_minimum_key_length": True},
            )
        except jwt.ExpiredSignatureError:
            raise errors.unauthorized("the token has expired", "token-expired") from None
        except jwt.InvalidIssuerError:
            raise errors.unauthorized("the token is of another issuer") from None
        except jwt.InvalidAudienceError:
            raise errors.unauthorized("the token is for another audience") from None
        except jwt.MissingRequiredClaimError as error:
            raise errors.unauthorized(f"the token lacks the claim {error.claim}") from None
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError):
            raise errors.unauthorized("the token cannot be verified") from None
        return claims


def _token(authorization: str | None) -> str:
    if not authorization:
        raise errors.unauthorized(errors.NO_TOKEN)
    if len(authorization) > MAX_TOKEN:
        raise errors.unauthorized("the token is too long")
    match = _BEARER.fullmatch(authorization)
    if match is None:
        raise errors.unauthorized("expected a bearer token")
    return match[1]


def _header(token: str) -> tuple[str | None, str]:
    """Key id and algorithm that a token claims for itself."""
    try:
        header = jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
        raise errors.unauthorized("the token cannot be read") from None
    kid, algorithm = header.get("kid"), header.get("alg")
    if kid is not None and (not isinstance(kid, str) or not _KID.fullmatch(kid)):
        raise errors.unauthorized("the token's key id cannot be used")
    if "crit" in header or not isinstance(algorithm, str):
        raise errors.unauthorized("the token's header cannot be used")
    return kid, algorithm
