"""Language models of the settings, as the engine takes them: by the names that profiles give their steps.

The client is that of the command line (`crate/native/src/endpoint.rs`): it asks the configured address alone, follows no
redirect, sends a key to its own endpoint only, over https or to this machine, and takes secrets out of what servers say. Keys come
from the environment, go into a header, and are in no reply, log or trace. A step whose endpoint the settings do not have
degrades with `bad-config`; no name is ever taken for an address.
"""

from __future__ import annotations

from collections.abc import Mapping

from pincite import Endpoint
from pincite.gateway.settings import Settings

#: Key under which the engine looks for the endpoint of steps that name none.
_DEFAULT = ""


def endpoints_of(settings: Settings, environment: Mapping[str, str]) -> dict[str, Endpoint]:
    """Endpoints by name; empty where `answers.endpoint` is not set, so that no model is asked. Raises `PinciteError`."""
    default = settings.answers.endpoint
    if default is None:
        return {}
    endpoints = {
        name: Endpoint(
            each.url,
            each.model,
            protocol=each.protocol,
            # An empty key, since without one the client would take that of PINCITE_API_KEY.
            key=environment.get(each.key_env, "") if each.key_env else "",
            timeout=each.timeout,
        )
        for name, each in settings.endpoints.items()
    }
    return {**endpoints, _DEFAULT: endpoints[default]}
