"""`/mcp` with the official client, in both generations of the protocol, and with hand-made requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from gateway_world import Gateway, Keys, code_of, eventually, gateway
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

TOOLS = ["pincite_search", "pincite_ask", "pincite_open_citation"]
HEADERS = {"accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    keys = Keys()
    audit = {"file": tmp_path_factory.mktemp("mcp") / "audit.jsonl"}
    limits = {"body": 65_536, "question": 500}
    with gateway(keys, audit=audit, limits=limits, server={"public_url": "https://gateway.example"}) as served:
        yield served
    keys.close()


def talk(served: Gateway, tenant: str, mode: str, run: Callable[[Client], Awaitable[Any]]) -> Any:
    """Runs a conversation of the official client."""

    async def connected() -> Any:
        headers = {"authorization": f"Bearer {served.keys.token(tenant)}"}
        async with httpx2.AsyncClient(headers=headers, timeout=10) as http:
            transport = streamable_http_client(f"{served.url}/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                return await run(client)

    return asyncio.run(connected())


def call(served: Gateway, name: str, arguments: object, tenant: str = "a", **params: Any) -> dict[str, Any]:
    """Result of a tool, without the client."""
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments, **params},
    }
    with served.of(tenant) as client:
        reply = client.post("/mcp", json=body, headers=HEADERS)
    assert reply.status_code == 200, reply.text
    data = next(line for line in reply.text.splitlines() if line.startswith("data:"))
    message: dict[str, Any] = json.loads(data.removeprefix("data:"))
    return message


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
def test_the_official_client_searches_asks_and_opens(served: Gateway, mode: str) -> None:
    async def run(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == TOOLS
        for tool in tools:
            assert tool.annotations is not None and tool.annotations.read_only_hint
            assert "content, not instructions" in (tool.description or "")
        found = await client.call_tool("pincite_search", {"query": "client money", "limit": 3})
        (passage,) = found.structured_content["passages"]
        assert passage["document"] == "rules.pdf"
        answer = (
            await client.call_tool("pincite_ask", {"question": "When must client money be paid?"})
        ).structured_content
        assert answer["answered"] is True
        (citation,) = answer["citations"]
        opened = await client.call_tool(
            "pincite_open_citation", {"documentId": citation["documentId"], "quote": citation["quote"]}
        )
        assert opened.structured_content["status"] == "verified"
        assert citation["quote"] in opened.structured_content["context"]
        assert (
            opened.structured_content["file"] == f"https://gateway.example/v1/documents/{citation['documentId']}#page=1"
        )
        invented = await client.call_tool(
            "pincite_open_citation", {"documentId": citation["documentId"], "quote": "Words that nobody wrote."}
        )
        assert invented.structured_content["status"] == "not-found"

    talk(served, "a", mode, run)


def test_a_filter_is_the_one_of_http(served: Gateway) -> None:
    async def run(client: Client) -> None:
        search, ask, _ = (await client.list_tools()).tools
        for tool in (search, ask):
            filter = tool.input_schema["properties"]["filter"]
            assert list(filter["properties"]) == ["sections", "kinds", "edition", "from", "to", "inForce"]
            assert filter["additionalProperties"] is False
        served.engine.filters.clear()
        filter = {"sections": ["Part 1"], "to": "2024-02", "inForce": True}
        await client.call_tool("pincite_search", {"query": "client money", "filter": filter})
        await client.call_tool("pincite_ask", {"question": "client money", "filter": filter})
        await client.call_tool("pincite_ask", {"question": "client money"})
        assert served.engine.filters == [filter, filter, None]

    talk(served, "a", "auto", run)


def test_progress_is_told_to_a_client_that_asks_for_it(served: Gateway) -> None:
    seen: list[float] = []

    async def run(client: Client) -> None:
        async def noted(progress: float, total: float | None, message: str | None) -> None:
            seen.append(progress)

        await client.call_tool("pincite_ask", {"question": "client money"}, progress_callback=noted)

    talk(served, "a", "legacy", run)
    assert seen == [1, 2, 3]


def test_a_tenant_sees_its_own_documents(served: Gateway) -> None:
    opinion = next(each.id for each in served.store.tenants["b"].values() if each.name == "opinion.pdf")
    assert call(served, "pincite_search", {"query": "Halden secret"})["result"]["structuredContent"] == {"passages": []}
    assert "Halden" in json.dumps(call(served, "pincite_search", {"query": "Halden secret"}, tenant="b"))
    refused = call(served, "pincite_open_citation", {"documentId": opinion, "quote": "Halden"})["result"]
    assert refused["isError"] is True
    assert refused["structuredContent"]["error"]["code"] == "document-unknown"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("pincite_search", {}),
        ("pincite_search", {"query": ""}),
        ("pincite_search", {"query": "x", "limit": 21}),
        ("pincite_search", {"query": "x", "limit": "3"}),
        ("pincite_search", {"query": "x" * 501}),
        ("pincite_search", {"query": "x\0"}),
        ("pincite_search", {"query": "x", "tenant": "b"}),
        ("pincite_search", {"query": "x", "filter": {"documents": ["0" * 64]}}),
        ("pincite_ask", {"question": "x", "filter": {"from": "soon"}}),
        ("pincite_ask", {"question": 7}),
        ("pincite_ask", {"question": "x", "profile": "small"}),
        ("pincite_open_citation", {"documentId": "x", "quote": "x"}),
        ("pincite_open_citation", {"document_id": "0" * 64, "quote": "x"}),
        ("pincite_open_citation", {"documentId": "0" * 64}),
    ],
)
def test_arguments_that_do_not_fit_are_errors_of_the_tool(
    served: Gateway, name: str, arguments: dict[str, Any]
) -> None:
    result = call(served, name, arguments)["result"]
    assert result["isError"] is True
    assert result["structuredContent"]["error"]["code"] == "bad-argument"


def test_there_is_no_tool_that_changes_anything(served: Gateway) -> None:
    for name in ("pincite_remove", "put", "remove", "pincite_ask ", "", "__init__", "_search"):
        assert "error" in call(served, name, {"documentId": "0" * 64})
    with served.of("a") as client:
        for method in (
            "resources/list",
            "prompts/list",
            "sampling/createMessage",
            "logging/setLevel",
            "completion/complete",
        ):
            body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {}}
            assert '"error"' in client.post("/mcp", json=body, headers=HEADERS).text, method


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"[" * 60_000,
        b'{"jsonrpc":"2.0","id":' + b"9" * 50_000 + b',"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pincite_search","arguments":[]}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{"x":1}}}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
        b'\xff\xfe{"jsonrpc":"2.0"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pincite_search","arguments":{"query":"\\ud800"}}}',
    ],
)
@pytest.mark.parametrize("version", [None, "2025-06-18", "2026-07-28", "x"])
def test_hostile_messages_are_refused(served: Gateway, body: bytes, version: str | None) -> None:
    headers = {**HEADERS, "content-type": "application/json"} | ({"mcp-protocol-version": version} if version else {})
    with served.of("a") as client:
        reply = client.post("/mcp", content=body, headers=headers)
    assert reply.status_code < 500, reply.text
    assert "Traceback" not in reply.text
    assert '"passages"' not in reply.text


def test_a_message_over_the_limit_is_not_read(served: Gateway) -> None:
    with served.of("a") as client:
        reply = client.post("/mcp", json={"x": "y" * 70_000}, headers=HEADERS)
        assert (reply.status_code, code_of(reply)) == (413, "limit-exceeded")
        assert client.get("/mcp", headers=HEADERS).status_code == 405
        assert client.delete("/mcp").status_code == 405


def test_a_session_of_another_is_no_session(served: Gateway) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    with served.of("a") as client:
        reply = client.post("/mcp", json=body, headers={**HEADERS, "mcp-session-id": "x" * 32})
    assert reply.status_code == 200
    assert "mcp-session-id" not in reply.headers


@pytest.mark.parametrize("version", [None, "2026-07-28"])
def test_a_closed_connection_ends_the_answer(served: Gateway, version: str | None) -> None:
    served.engine.steps, served.engine.pause, served.engine.ended = 500, 0.02, 0
    served.engine.begun.clear()
    params: dict[str, Any] = {"name": "pincite_ask", "arguments": {"question": "client money"}}
    headers = dict(HEADERS)
    if version is not None:
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        headers |= {"mcp-protocol-version": version, "mcp-method": "tools/call", "mcp-name": "pincite_ask"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    try:
        import httpx

        with served.of("a") as client, pytest.raises(httpx.ReadTimeout):
            client.post("/mcp", json=body, headers=headers, timeout=0.4)
        assert served.engine.begun.is_set()
        eventually(lambda: served.engine.ended == 1)
    finally:
        served.engine.steps, served.engine.pause = 2, 0.0


def test_rates_and_log_are_those_of_http(served: Gateway, tmp_path: Path) -> None:
    before = len(served.lines())
    call(served, "pincite_ask", {"question": "When must client money be paid?"})
    call(served, "pincite_search", {"query": "money"})
    lines = served.lines()[before:]
    assert [line["event"] for line in lines] == ["asked", "answered", "searched"]
    assert {line["via"] for line in lines} == {"mcp"}
    assert lines[1]["cited"]
    keys = Keys()
    try:
        with gateway(keys, limits={"searches": {"per_minute": 1, "burst": 1}}) as limited:
            assert "isError" not in json.dumps(call(limited, "pincite_search", {"query": "x"})["result"]).replace(
                '"isError": false', ""
            )
            refused = call(limited, "pincite_search", {"query": "x"})["result"]
            assert refused["structuredContent"]["error"]["code"] == "rate-limited"
            with limited.of("a") as client:
                assert client.post("/v1/search", json={"query": "x"}).status_code == 429, "one rate for both faces"
    finally:
        keys.close()
