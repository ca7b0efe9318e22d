"""Rates, sizes, shapes of errors, headers, CORS, health and description."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest
from gateway_world import Gateway, Keys, MemoryStore, code_of, gateway

from pincite.gateway.errors import GatewayError
from pincite.gateway.limits import Buckets, Limits
from pincite.gateway.settings import LimitSettings, Rate
from pincite.stores import StoreError

PORTAL = "https://portal.example"
#: Texts that are no dates.
DATES = [
    "",
    "23",
    "2023-7",
    "2023-13",
    "2023-00",
    "2023-07-32",
    "2023-07-00",
    "2023-07-01-02",
    " 2023",
    "2023\n",
    "soon",
]
DATES += ["\u0662\u0660\u0662\u0663", "2023-07-01T00:00", "2023-07-01Z", "' OR 1=1"]


@pytest.fixture(scope="module")
def keys() -> Iterator[Keys]:
    keys = Keys()
    yield keys
    keys.close()


@pytest.fixture(scope="module")
def served(keys: Keys) -> Iterator[Gateway]:
    server = {"origins": [PORTAL], "public_url": "https://gateway.example"}
    limits = {"body": 4096, "question": 100, "history": 2, "documents": 3, "hits": 20, "body_timeout": 0.5}
    with gateway(keys, server=server, limits=limits) as served:
        yield served


def test_buckets_fill_again_and_are_bounded() -> None:
    now = [0.0]
    buckets = Buckets(Rate(per_minute=60, burst=2), keys=3, clock=lambda: now[0])
    assert [buckets.take("x") for _ in range(3)] == [0, 0, 1]
    now[0] = 0.5
    assert buckets.take("x") == 0.5
    now[0] = 1.0
    assert buckets.take("x") == 0
    now[0] = 100
    assert [buckets.take("x") for _ in range(3)] == [0, 0, 1], "never more than the burst"
    for key in range(10):
        buckets.take(key)
    assert len(buckets._buckets) == 3


def test_answers_of_one_subject_are_bounded_and_end_once() -> None:
    limits = Limits(LimitSettings(answers_per_subject=2))
    ends = [limits.begin_answer("x"), limits.begin_answer("x")]
    with pytest.raises(GatewayError):
        limits.begin_answer("x")
    limits.begin_answer("y")
    ends[0]()
    ends[0]()
    limits.begin_answer("x")
    with pytest.raises(GatewayError):
        limits.begin_answer("x")


def test_a_subject_over_its_rate_waits_and_others_do_not(keys: Keys) -> None:
    limits = {"searches": {"per_minute": 30, "burst": 3}, "asks": {"per_minute": 60, "burst": 1}}
    with gateway(keys, limits=limits) as served:
        with served.of("a") as client, served.of("b") as other:
            search = {"query": "money"}
            assert [client.post("/v1/search", json=search).status_code for _ in range(4)] == [200, 200, 200, 429]
            refused = client.post("/v1/search", json=search)
            assert code_of(refused) == "rate-limited"
            assert 1 <= int(refused.headers["retry-after"]) <= 2
            assert other.post("/v1/search", json=search).status_code == 200
            assert client.get("/v1/library").status_code == 200, "each kind has its own rate"
            assert client.post("/v1/ask", json={"question": "money"}).status_code == 200
            assert client.post("/v1/ask", json={"question": "money"}).status_code == 429
        with served.of("a", sub="somebody-else") as client:
            assert client.post("/v1/search", json=search).status_code == 200


def test_wrong_requests_count_too(keys: Keys) -> None:
    with gateway(keys, limits={"asks": {"per_minute": 1, "burst": 2}}) as served, served.of("a") as client:
        body = {"question": "x", "profile": "unknown"}
        assert [client.post("/v1/ask", json=body).status_code for _ in range(3)] == [422, 422, 429]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/search", {}),
        ("/v1/search", {"query": ""}),
        ("/v1/search", {"query": "  \n"}),
        ("/v1/search", {"query": 7}),
        ("/v1/search", {"query": None}),
        ("/v1/search", {"query": ["x"]}),
        ("/v1/search", {"query": "x" * 101}),
        ("/v1/search", {"query": "x", "k": 0}),
        ("/v1/search", {"query": "x", "k": 21}),
        ("/v1/search", {"query": "x", "k": "3"}),
        ("/v1/search", {"query": "x", "k": 1.5}),
        ("/v1/search", {"query": "x", "k": True}),
        ("/v1/search", {"query": "x", "explain": "yes"}),
        ("/v1/search", {"query": "x", "documents": ["0" * 64] * 4}),
        ("/v1/search", {"query": "x", "documents": []}),
        ("/v1/search", {"query": "x", "units": "child"}),
        ("/v1/search", {"query": "x", "filter": "Part 3"}),
        ("/v1/search", {"query": "x", "filter": []}),
        ("/v1/search", {"query": "x", "filter": {"documents": ["0" * 64]}}),
        ("/v1/search", {"query": "x", "filter": {"tenant": "b"}}),
        ("/v1/search", {"query": "x", "filter": {"in_force": True}}),
        ("/v1/search", {"query": "x", "filter": {"from_": "2023"}}),
        ("/v1/search", {"query": "x", "filter": {"inForce": "yes"}}),
        ("/v1/search", {"query": "x", "filter": {"inForce": 1}}),
        ("/v1/search", {"query": "x", "filter": {"kinds": ["parent"]}}),
        ("/v1/search", {"query": "x", "filter": {"kinds": "child"}}),
        ("/v1/search", {"query": "x", "filter": {"kinds": ["child"] * 4}}),
        ("/v1/search", {"query": "x", "filter": {"sections": "Part 3"}}),
        ("/v1/search", {"query": "x", "filter": {"sections": [3]}}),
        ("/v1/search", {"query": "x", "filter": {"sections": ["x"] * 101}}),
        ("/v1/search", {"query": "x", "filter": {"sections": ["x" * 201]}}),
        ("/v1/search", {"query": "x", "filter": {"sections": ["x\0"]}}),
        ("/v1/search", {"query": "x", "filter": {"edition": "x" * 201}}),
        ("/v1/search", {"query": "x", "filter": {"edition": 2021}}),
        ("/v1/search", {"query": "x", "filter": {"from": 2023}}),
        *(
            (path, {name: "x", "filter": {bound: date}})
            for path, name in (("/v1/search", "query"), ("/v1/ask", "question"))
            for bound in ("from", "to")
            for date in DATES
        ),
        ("/v1/search", [{"query": "x"}]),
        ("/v1/search", "x"),
        ("/v1/ask", {"question": "x", "history": [{"question": "q", "answer": "a"}] * 3}),
        ("/v1/ask", {"question": "x", "history": [{"question": "q"}]}),
        ("/v1/ask", {"question": "x", "history": [{"question": "q", "answer": "a", "role": "system"}]}),
        ("/v1/ask", {"question": "x", "profile": "unknown"}),
        ("/v1/ask", {"question": "x", "profile": 'format = 1\n[endpoints]\nanswer = "http://evil"'}),
        ("/v1/ask", {"question": "x", "endpoint": "http://evil"}),
        ("/v1/ask", {"question": "x", "model": "m"}),
    ],
)
def test_bodies_that_do_not_fit_are_refused(served: Gateway, path: str, body: object) -> None:
    with served.of("a") as client:
        reply = client.post(path, json=body)
    assert (reply.status_code, code_of(reply)) == (422, "bad-argument")
    assert "evil" not in reply.text


def test_a_filter_reaches_the_engine_as_it_takes_it(served: Gateway) -> None:
    filters = [
        {"sections": ["Part 3", "第二章"], "kinds": ["child", "note"], "edition": "2021 Edition"},
        {"from": "2023-07-01", "to": "2024", "inForce": True},
        {"from": "2023-07", "to": None},
        {"sections": ["x" * 200]},
        {},
        None,
    ]
    served.engine.filters.clear()
    with served.of("a") as client:
        for filter in filters:
            assert client.post("/v1/search", json={"query": "money", "filter": filter}).status_code == 200
            assert client.post("/v1/ask", json={"question": "money", "filter": filter}).status_code == 200
    expected = [*filters[:2], {"from": "2023-07"}, filters[3], None, None]
    assert served.engine.filters == [filter for filter in expected for _ in range(2)]


def test_a_body_over_the_limit_is_not_read(served: Gateway) -> None:
    with served.of("a") as client:
        declared = client.post("/v1/search", json={"query": "x" * 5000})
        assert (declared.status_code, code_of(declared)) == (413, "limit-exceeded")

        def endless() -> Iterator[bytes]:
            for _ in range(100):
                yield b'{"query": "' + b"x" * 1000

        chunked = client.post("/v1/search", content=endless(), headers={"content-type": "application/json"})
        assert (chunked.status_code, code_of(chunked)) == (413, "limit-exceeded")


def test_a_body_that_does_not_come_is_not_waited_for(served: Gateway) -> None:
    host, port = served.url.removeprefix("http://").split(":")
    head = f"POST /v1/search HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {served.keys.token('a')}\r\ncontent-length: 10\r\n\r\n"
    started = time.monotonic()
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(head.encode() + b"{")
        assert b"408" in connection.recv(1000).split(b"\r\n")[0]
    assert time.monotonic() - started < 2


def test_addresses_and_methods_that_are_none(served: Gateway) -> None:
    with served.of("a") as client:
        assert code_of(client.get("/v1/nothing")) == "not-found"
        assert code_of(client.get("/v1/search")) == "method-not-allowed"
        assert code_of(client.post("/v1/library")) == "method-not-allowed"
        assert code_of(client.delete("/v1/documents/" + "0" * 64)) == "method-not-allowed"
        assert code_of(client.request("TRACE", "/v1/library")) == "method-not-allowed"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_only_json_is_a_body(served: Gateway, kind: str) -> None:
    with served.of("a") as client:
        reply = client.post("/v1/search", content=b'{"query": "x"}', headers={"content-type": kind})
    assert (reply.status_code, code_of(reply)) == (422, "bad-argument")


def test_every_reply_has_the_headers(served: Gateway) -> None:
    with served.of("a") as client, served.client() as stranger:
        replies = [
            client.get("/v1/library"),
            client.get("/v1/nothing"),
            client.post("/v1/search", json={}),
            stranger.get("/v1/library"),
            stranger.get("/healthz"),
            stranger.get("/openapi.json"),
            client.post("/v1/search", json={"query": "x" * 5000}),
        ]
    for reply in replies:
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert reply.headers["strict-transport-security"].startswith("max-age=")
        assert len(reply.headers["x-request-id"]) == 32
        assert "server" not in reply.headers
    assert len({reply.headers["x-request-id"] for reply in replies}) == len(replies)


def test_pages_of_the_portal_may_read_and_others_not(served: Gateway) -> None:
    def preflight(origin: str, header: str = "authorization,content-type,range") -> dict[str, str]:
        with served.client() as client:
            reply = client.options(
                "/v1/ask",
                headers={
                    "origin": origin,
                    "access-control-request-method": "POST",
                    "access-control-request-headers": header,
                },
            )
        return dict(reply.headers)

    allowed = preflight(PORTAL)
    assert allowed["access-control-allow-origin"] == PORTAL
    assert "access-control-allow-credentials" not in allowed
    for origin in ("https://evil.example", "null", PORTAL + ".evil.example", "http://portal.example", PORTAL + ":444"):
        assert "access-control-allow-origin" not in preflight(origin), origin
    with served.client() as client:
        refused = client.get("/v1/library", headers={"origin": PORTAL})
        assert refused.status_code == 401
        assert refused.headers["access-control-allow-origin"] == PORTAL, "errors can be read too"
        exposed = refused.headers["access-control-expose-headers"].lower()
        assert all(name in exposed for name in ("x-request-id", "etag", "content-range", "retry-after"))
        assert (
            "access-control-allow-origin"
            not in client.get("/healthz", headers={"origin": "https://evil.example"}).headers
        )


def test_another_host_is_refused(keys: Keys) -> None:
    with gateway(keys, server={"hosts": ["gateway.example"]}) as served, served.of("a") as client:
        rebound = client.get("/v1/library", headers={"host": "evil.example"})
        assert (rebound.status_code, code_of(rebound)) == (421, "wrong-host")
        assert client.get("/healthz", headers={"host": "gateway.example.evil"}).status_code == 421
        assert client.get("/v1/library", headers={"host": "Gateway.example"}).status_code == 200


def test_faults_of_the_store_tell_nothing_of_it(keys: Keys) -> None:
    with gateway(keys) as served, served.of("a") as client:
        served.store.down = True
        for reply in (
            client.get("/v1/library"),
            client.post("/v1/search", json={"query": "money"}),
            client.get("/v1/documents/" + "0" * 64),
            client.get("/v1/documents/" + "0" * 64 + "/text"),
        ):
            assert (reply.status_code, code_of(reply)) == (503, "store-unavailable")
            assert reply.headers["retry-after"] == "5"
            assert "hunter2" not in reply.text


def test_faults_of_the_program_tell_nothing(keys: Keys) -> None:
    with gateway(keys) as served, served.of("a") as client:
        for fault in (RuntimeError("secret"), MemoryError("secret"), StoreError("odd", "secret"), KeyError("secret")):
            served.engine.fault = fault
            reply = client.post("/v1/search", json={"query": "money"})
            assert (reply.status_code, code_of(reply)) == (500, "internal")
            assert "secret" not in reply.text and "Traceback" not in reply.text


def test_errors_of_the_engine_keep_their_codes(keys: Keys) -> None:
    with gateway(keys) as served, served.of("a") as client:
        for code, status in (
            ("bad-argument", 422),
            ("limit-exceeded", 413),
            ("model-mismatch", 500),
            ("index-damaged", 500),
        ):
            served.engine.fault = StoreError(code, "found x, expected y", "do z")
            reply = client.post("/v1/search", json={"query": "money"})
            assert (reply.status_code, code_of(reply)) == (status, code)


def test_the_description_has_every_route_and_its_errors(served: Gateway) -> None:
    with served.client() as client:
        described = client.get("/openapi.json").json()
        assert client.get("/docs").status_code == 401, "no page that loads scripts from elsewhere"
    assert set(described["paths"]) == {
        "/v1/library",
        "/v1/search",
        "/v1/ask",
        "/v1/documents/{id}",
        "/v1/documents/{id}/text",
        "/healthz",
        "/.well-known/oauth-protected-resource",
    }
    for path, operations in described["paths"].items():
        for operation in operations.values():
            if path.startswith("/v1"):
                assert {"401", "403", "429", "503", "504"} <= set(operation["responses"]), path
                assert operation["security"] == [{"HTTPBearer": []}]
    schemas = described["components"]["schemas"]
    for body in ("SearchBody", "AskBody"):
        assert "Filter" in str(schemas[body]["properties"]["filter"])
    assert set(schemas["Filter"]["properties"]) == {"sections", "kinds", "edition", "from", "to", "inForce"}
    library = described["paths"]["/v1/library"]["get"]
    assert {each["name"] for each in library["parameters"]} == {"limit", "after"}
    assert {"404", "422"} <= set(library["responses"])
    properties = library["responses"]["200"]["content"]["application/json"]["schema"]["properties"]
    assert {"documents", "nDocuments", "next"} <= set(properties)
    assert "application/x-ndjson" in described["paths"]["/v1/ask"]["post"]["responses"]["200"]["content"]


def test_clients_find_the_issuer(served: Gateway) -> None:
    with served.client() as client:
        told = client.get("/.well-known/oauth-protected-resource/mcp").json()
        refused = client.post("/mcp")
    assert told["authorization_servers"] == ["https://issuer.test/realm"]
    assert told["resource"] == "https://gateway.example/mcp"
    assert "resource_metadata=" in refused.headers["www-authenticate"]


def test_health_needs_no_token_and_tells_little(served: Gateway) -> None:
    with served.client() as client:
        assert set(client.get("/healthz").json()) == {"status", "version"}
        assert client.get("/v1/library").status_code == 401


def test_a_library_has_the_fields_of_the_contract(served: Gateway) -> None:
    with served.of("a") as client:
        library = client.get("/v1/library").json()
    assert set(library) == {"documents", "nDocuments", "next", "model", "version", "profiles", "hasModel"}
    assert (library["nDocuments"], library["next"]) == (2, None)
    assert library["model"] is None and library["hasModel"] is False
    assert {"name": "general", "title": "General legal"} in library["profiles"]


def test_a_library_is_listed_by_pages(keys: Keys) -> None:
    store = MemoryStore()
    names = [f"{at}.pdf" for at in range(1, 1_006)]
    for name in names:
        store.add("a", name, name)
    with gateway(keys, store) as served, served.of("a") as client:
        for query in ("", "limit=1000", "limit=7", "limit=335", "limit=201"):
            listed, next_id, n_pages = [], None, 0
            while n_pages == 0 or next_id is not None:
                page = client.get(f"/v1/library?{query}" + (f"&after={next_id}" if next_id else "")).json()
                assert page["nDocuments"] == 1_005
                listed += [each["name"] for each in page["documents"]]
                next_id, n_pages = page["next"], n_pages + 1
            assert listed == names
            limit = int(query.removeprefix("limit=") or 1_000)
            assert n_pages == -(-1_005 // limit)
        for query in ("limit=0", "limit=1001", "limit=-1", "limit=x", "limit=1.5", "limit="):
            refused = client.get(f"/v1/library?{query}")
            assert (refused.status_code, code_of(refused)) == (422, "bad-argument")
        # What is removed while it is listed.
        store.count = lambda rights: 0  # type: ignore[method-assign]
        assert client.get("/v1/library?limit=2").json()["nDocuments"] == 3


def test_an_empty_library_is_no_error(keys: Keys) -> None:
    with gateway(keys, MemoryStore()) as served, served.of("nobody") as client:
        library = client.get("/v1/library").json()
        assert (library["documents"], library["nDocuments"], library["next"]) == ([], 0, None)
        assert client.post("/v1/search", json={"query": "money"}).json()["hits"] == []
