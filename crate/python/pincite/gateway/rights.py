"""Rights of a token: claims become `Rights`, and a request can only narrow them (`Rights.within`).

There is no function that adds to rights. A tenant comes from the verified token alone: neither body, path, query nor
header of a request has a place for one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.gateway import errors
from pincite.gateway.settings import ClaimSettings
from pincite.stores import Rights, StoreError


def rights_of(claims: Mapping[str, object], settings: ClaimSettings) -> Rights:
    """Rights that verified claims give. Claims of another form than expected give none: 403."""
    _require_scopes(claims, settings.scopes)
    tenant = _at(claims, settings.tenant)
    if not isinstance(tenant, str):
        raise _no_tenant(settings)
    try:
        everything = Rights(tenant)
    except StoreError:
        raise _no_tenant(settings) from None
    if settings.documents is None:
        return everything
    listed = _at(claims, settings.documents)
    if listed is None:
        return everything if settings.without_documents == "all" else everything.within(())
    name = ".".join(settings.documents)
    if isinstance(listed, list) and all(isinstance(each, str) for each in listed):
        try:
            return Rights(tenant, frozenset(listed))
        except StoreError:
            pass
    raise errors.forbidden("the token's documents cannot be read", f"expected ids of documents in the claim {name}")


def _no_tenant(settings: ClaimSettings) -> errors.GatewayError:
    return errors.forbidden("the token names no tenant", f"expected a name in the claim {'.'.join(settings.tenant)}")


def _at(claims: Mapping[str, object], path: Sequence[str]) -> object:
    value: object = claims
    for name in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def _require_scopes(claims: Mapping[str, object], scopes: Sequence[str]) -> None:
    if not scopes:
        return
    granted: set[str] = set()
    for name in ("scope", "scp"):
        value = claims.get(name)
        if isinstance(value, str):
            granted.update(value.split())
        elif isinstance(value, list):
            granted.update(each for each in value if isinstance(each, str))
    missing = [scope for scope in scopes if scope not in granted]
    if missing:
        raise errors.forbidden("the token lacks a scope", f"expected {' '.join(missing)}")
