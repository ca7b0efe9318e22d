"""Requests by which one tenant tries to see another's document: filters, ids, paths, headers, bodies, MCP."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from typing import Any

import httpx

Attempt = tuple[str, str, dict[str, Any]]
SEED = 20_261_125


def attempts(own: str, theirs: str, tenant: str, secret: str, quote: str) -> list[Attempt]:
    """Requests of one tenant that try to see a document of another.

    `own` and `theirs` are ids, `tenant` the other tenant's name, `secret` a word and `quote` a passage of its document.
    """
    asked = [secret, f"documents of {tenant} {quote}"]
    words = [
        *asked,
        quote,
        f"{secret} secret",
        f"{secret}' OR 1=1 --",
        f"tenant:{tenant} {secret}",
        f"{theirs} {secret}",
    ]
    tries: list[Attempt] = []
    fields: list[dict[str, Any]] = [
        {},
        {"documents": [theirs]},
        {"documents": [own, theirs]},
        {"documents": [theirs.upper()]},
        {"documents": [f"{theirs}' OR tenant='{tenant}"]},
        {"documents": ["*"]},
        {"documents": []},
        {"documents": None},
        {"documents": {"in": [theirs]}},
        {"documents": [{"id": theirs}]},
        {"documents": theirs},
        {"tenant": tenant},
        {"rights": {"tenant": tenant, "documents": None}},
        {"filter": {"tenant": tenant}},
        {"filter": {"documents": [theirs]}},
        {"filter": {"sections": [secret, theirs], "edition": tenant}},
        {"Documents": [theirs]},
        {"__proto__": {"tenant": tenant}},
    ]
    for word, extra in itertools.product(words, fields):
        tries.append(("POST", "/v1/search", {"json": {"query": word, "k": 100, **extra}}))
    for word, extra in itertools.product(asked, fields):
        tries.append(("POST", "/v1/ask", {"json": {"question": word, **extra}}))
    for headers in (
        {"x-tenant": tenant},
        {"tenant": tenant},
        {"x-forwarded-user": "reader-other"},
        {"cookie": f"tenant={tenant}"},
    ):
        tries.append(("POST", "/v1/search", {"json": {"query": secret}, "headers": headers}))
        tries.append(("GET", "/v1/library", {"headers": headers}))
        tries.append(("GET", f"/v1/documents/{theirs}", {"headers": headers}))
    for path in (
        f"/v1/documents/{theirs}",
        f"/v1/documents/{theirs}/text",
        f"/v1/documents/{theirs}?tenant={tenant}",
        f"/v1/documents/{theirs}/text?tenant={tenant}&start=0&end=10",
        f"/v1/documents/{theirs}%00",
        f"/v1/documents/{own}/../{theirs}",
        f"/v1/documents/{own}%2f..%2f{theirs}",
        f"/v1/tenants/{tenant}/documents/{theirs}",
        f"/v1/library?tenant={tenant}",
        "/v1/library?documents=" + theirs,
        f"/v1/library?after={theirs}",
        f"/v1/library?after={own}&after={theirs}&limit=1",
        f"/v1/library?after={theirs}%27%20OR%20tenant=%27{tenant}",
        f"/site/../v1/documents/{theirs}",
        f"/v1//documents/{theirs}",
        f"/V1/documents/{theirs}",
    ):
        for method in ("GET", "HEAD"):
            tries.append((method, path, {}))
        tries.append(("GET", path, {"headers": {"range": "bytes=0-99"}}))
        tries.append(("GET", path, {"headers": {"if-none-match": f'"{theirs}"'}}))
    tools: list[tuple[str, dict[str, Any]]] = [
        ("pincite_search", {"query": secret}),
        ("pincite_search", {"query": secret, "documents": [theirs]}),
        ("pincite_search", {"query": secret, "tenant": tenant}),
        ("pincite_search", {"query": secret, "filter": {"documents": [theirs]}}),
        ("pincite_ask", {"question": secret}),
        ("pincite_ask", {"question": secret, "rights": {"tenant": tenant}}),
        ("pincite_open_citation", {"documentId": theirs, "quote": quote}),
        ("pincite_open_citation", {"documentId": theirs, "quote": "x", "tenant": tenant}),
        ("pincite_open_citation", {"documentId": f"{own}/../{theirs}", "quote": "x"}),
    ]
    for name, arguments in tools:
        for meta in ({}, {"_meta": {"tenant": tenant}}):
            call = {"name": name, "arguments": arguments, **meta}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
            headers = {"accept": "application/json, text/event-stream", "mcp-session-id": tenant}
            tries.append(("POST", "/mcp", {"json": body, "headers": headers}))
    random.Random(SEED).shuffle(tries)
    return tries


def assert_hidden(reply: httpx.Response, attempt: Attempt, theirs: str, words: Sequence[str]) -> None:
    """Checks that a reply shows nothing of the other tenant's document: neither `words` nor, but as an echo, its id."""
    _, path, options = attempt
    text = reply.text
    for word in words:
        assert word not in text, attempt
    if theirs in text:
        assert theirs in json.dumps(options.get("json", "")) + path and "error" in text, attempt
    if path.startswith(f"/v1/documents/{theirs}"):
        assert reply.status_code in (404, 405), attempt
    assert reply.status_code not in (206, 304) and reply.status_code < 500, attempt
