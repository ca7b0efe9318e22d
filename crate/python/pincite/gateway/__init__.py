"""HTTP gateway: the engine over a store, for pages and agents that hold an OpenID Connect token.

A request passes these steps, a file each::

    middleware.py   request id, headers, host, size        errors.py    every error in one shape
    auth.py keys.py token -> Principal, over egress.py     rights.py    claims -> Rights; a request only narrows them
    limits.py       rates of a subject                     workers.py   threads for the engine, bounded
    service.py      the use cases: library, search, ask, file, text, verify
    engine.py       what they need of the engine           models.py    language models, with their keys
    asking.py       an answer in progress                  passages.py  texts that an answer cites
    audit.py        who asked what and what was cited      telemetry.py spans and measures

`routes.py` (HTTP) and `mcp.py` (Model Context Protocol) are two faces of `service.py`; neither knows the store. `serving.py` runs
the whole as a process, `demo.py` on samples.

Deliberately absent: writing (ingest is another program), sessions, cookies, users and passwords, TLS (the proxy's in front),
rates shared between processes, and requests to addresses that are not in the settings.
"""

from pincite.gateway.app import create_app
from pincite.gateway.settings import Settings, load

__all__ = ["Settings", "create_app", "load"]
