"""The built page (`dist/site`) under `/site/`, as `HOSTING.txt` in it says: types, policy, caching."""

from __future__ import annotations

import mimetypes
import re
from pathlib import Path

from fastapi import FastAPI
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

PATH = "/site/"
#: Addresses whose content never changes, as `isImmutable` of `www/hosting.mjs`.
_IMMUTABLE = re.compile(r"/(chunks/[^/?]+-[0-9A-Z]{8}\.js|viewer/\d[\d.]*/.+)$")
_BUILD = re.compile(rb"v=[0-9a-f]{16}")
_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
#: The page states its policy itself; as a header it holds for its workers too, and connects to its own host alone.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; "
    "img-src 'self' blob: data:; font-src blob: data:; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types pincite"
)


class Site(StaticFiles):
    """Files of the page, with its headers."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["content-security-policy"] = POLICY
        immutable = _BUILD.fullmatch(scope["query_string"]) or _IMMUTABLE.search("/" + path)
        response.headers["cache-control"] = "max-age=31536000, immutable" if immutable else "no-cache"
        return response


def mount_site(app: FastAPI, folder: Path | None) -> str | None:
    """Mounts the page and tells the prefix of its paths; None without a folder."""
    if folder is None:
        return None
    for ending, kind in _TYPES.items():
        mimetypes.add_type(kind, ending)
    app.mount(PATH.rstrip("/"), Site(directory=folder, html=True, follow_symlink=False))
    return PATH
