"""Tenant A never sees tenant B: forged filters, ids, paths, headers, bodies and MCP calls, 200 tries and more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from gateway_attempts import assert_hidden, attempts
from gateway_world import Gateway, Keys, code_of, gateway

from pincite.gateway.errors import GatewayError
from pincite.gateway.rights import rights_of
from pincite.gateway.settings import ClaimSettings
from pincite.stores import Rights


@pytest.fixture(scope="module")
def served() -> Iterator[Gateway]:
    keys = Keys()
    claims = {"tenant": "tenant", "documents": "documents", "without_documents": "all"}
    with gateway(keys, auth={"claims": claims}, server={"public_url": "https://gateway.test"}) as served:
        yield served
    keys.close()


def ids(served: Gateway, tenant: str) -> dict[str, str]:
    return {each.name: each.id for each in served.store.tenants[tenant].values()}


ID = "0" * 64


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ({"tenant": "a"}, Rights("a")),
        ({"tenant": "a", "documents": [ID]}, Rights("a", frozenset([ID]))),
        ({"tenant": "a", "documents": []}, Rights("a", frozenset())),
        ({}, None),
        ({"tenant": None}, None),
        ({"tenant": ["a", "b"]}, None),
        ({"tenant": {"a": 1}}, None),
        ({"tenant": ""}, None),
        ({"tenant": "*"}, None),
        ({"tenant": "a' OR '1'='1"}, None),
        ({"tenant": "a\0"}, None),
        ({"tenant": "a\n"}, None),
        ({"tenant": "../b"}, None),
        ({"tenant": "a" * 65}, None),
        ({"tenant": "а"}, None),  # a Cyrillic letter
        ({"tenant": "a", "documents": ID}, None),
        ({"tenant": "a", "documents": {ID: True}}, None),
        ({"tenant": "a", "documents": [ID, 7]}, None),
        ({"tenant": "a", "documents": ["*"]}, None),
        ({"tenant": "a", "documents": [[ID]]}, None),
        ({"tenant": "a", "documents": True}, None),
    ],
)
def test_claims_become_rights_or_nothing(claims: dict[str, Any], expected: Rights | None) -> None:
    settings = ClaimSettings(documents=("documents",), without_documents="all")
    if expected is None:
        with pytest.raises(GatewayError) as refused:
            rights_of(claims, settings)
        assert refused.value.status_code == 403
    else:
        assert rights_of(claims, settings) == expected


def test_a_token_without_the_claim_of_documents_sees_none_unless_the_settings_say_so() -> None:
    assert rights_of({"tenant": "a"}, ClaimSettings(documents=("documents",))) == Rights("a", frozenset())


def test_claims_may_be_nested_or_have_dots() -> None:
    nested = ClaimSettings(tenant=("https://x.y/claims", "org.id"))
    assert rights_of({"https://x.y/claims": {"org.id": "a"}}, nested) == Rights("a")
    with pytest.raises(GatewayError):
        rights_of({"https://x.y/claims": "a"}, nested)


@pytest.mark.parametrize(
    ("claims", "passes"),
    [
        ({"scope": "openid pincite.read"}, True),
        ({"scp": ["pincite.read"]}, True),
        ({"scope": "pincite.read.not"}, False),
        ({"scope": ["pincite.read"]}, True),
        ({"scp": {"pincite.read": 1}}, False),
        ({}, False),
    ],
)
def test_scopes_are_whole_words(claims: dict[str, Any], passes: bool) -> None:
    settings = ClaimSettings(scopes=("pincite.read",))
    try:
        rights_of({"tenant": "a", **claims}, settings)
    except GatewayError:
        assert not passes
    else:
        assert passes


def test_a_request_narrows(served: Gateway) -> None:
    rules, contract = ids(served, "a")["rules.pdf"], ids(served, "a")["contract.pdf"]
    with served.of("a") as client:

        def found(**body: Any) -> set[str]:
            reply = client.post("/v1/search", json={"query": "client customer money notice", **body})
            return {hit["documentId"] for hit in reply.json()["hits"]}

        assert found() == {rules, contract}
        assert found(documents=[rules]) == {rules}
        assert found(documents=[rules, ids(served, "b")["opinion.pdf"]]) == {rules}
        unknown = client.post("/v1/search", json={"query": "x", "documents": [ids(served, "b")["opinion.pdf"]]})
        assert (unknown.status_code, code_of(unknown)) == (404, "document-unknown")
        never = client.post("/v1/search", json={"query": "x", "documents": ["0" * 64]})
        assert never.json()["error"]["message"] == unknown.json()["error"]["message"]


def test_a_token_of_some_documents_is_not_widened(served: Gateway) -> None:
    rules, contract = ids(served, "a")["rules.pdf"], ids(served, "a")["contract.pdf"]
    with served.of("a", documents=[rules]) as client:
        assert [each["id"] for each in client.get("/v1/library").json()["documents"]] == [rules]
        reply = client.post("/v1/search", json={"query": "customer notice money", "documents": [rules, contract]})
        assert {hit["documentId"] for hit in reply.json()["hits"]} == {rules}
        assert client.get(f"/v1/documents/{contract}").status_code == 404
        assert client.get(f"/v1/documents/{contract}/text").status_code == 404
    with served.of("a", documents=[]) as client:
        assert client.get("/v1/library").json()["documents"] == []
        assert client.post("/v1/search", json={"query": "money"}).json()["hits"] == []


def test_a_page_behind_what_is_not_seen_is_unknown(served: Gateway) -> None:
    rules, contract = ids(served, "a")["rules.pdf"], ids(served, "a")["contract.pdf"]
    replies = []
    with served.of("a", documents=[rules]) as client:
        first = client.get("/v1/library?limit=1").json()
        assert ([each["id"] for each in first["documents"]], first["nDocuments"], first["next"]) == ([rules], 1, None)
        for after in (contract, ids(served, "b")["opinion.pdf"], "0" * 64, "x", "", f"{rules}'--"):
            replies.append(client.get("/v1/library", params={"after": after}))
    assert {(reply.status_code, code_of(reply)) for reply in replies} == {(404, "document-unknown")}
    assert len({reply.json()["error"]["message"] for reply in replies}) == 1


def test_no_try_of_two_hundred_shows_another_tenant(served: Gateway) -> None:
    opinion, own = ids(served, "b")["opinion.pdf"], ids(served, "a")["rules.pdf"]
    tries = attempts(own, opinion, "b", "Halden", "The secret merger consideration")
    assert len(tries) >= 200
    served.store.asked.clear()
    with served.of("a") as client:
        for method, path, options in tries:
            reply = client.request(method, path, **options)
            assert_hidden(reply, (method, path, options), opinion, ("consideration of", "opinion.pdf"))
    assert {rights.tenant for rights in served.store.asked} == {"a"}, "the store was never asked as another tenant"


def test_a_document_of_another_tenant_and_one_that_never_was_are_told_alike(served: Gateway) -> None:
    opinion = ids(served, "b")["opinion.pdf"]
    with served.of("a") as client:
        for suffix in ("", "/text"):
            theirs = client.get(f"/v1/documents/{opinion}{suffix}")
            nobodys = client.get(f"/v1/documents/{'f' * 64}{suffix}")
            assert theirs.status_code == nobodys.status_code == 404
            ignored = ("requestId",)
            shapes = [
                {name: value for name, value in reply.json()["error"].items() if name not in ignored}
                for reply in (theirs, nobodys)
            ]
            assert shapes[0] == shapes[1]
            assert set(theirs.headers) == set(nobodys.headers)


def test_the_same_file_in_two_tenants_is_served_to_each(served: Gateway) -> None:
    contract = ids(served, "a")["contract.pdf"]
    assert contract == ids(served, "b")["contract.pdf"]
    for tenant in ("a", "b"):
        with served.of(tenant) as client:
            assert client.get(f"/v1/documents/{contract}").status_code == 200
    with served.of("c") as client:
        assert client.get(f"/v1/documents/{contract}").status_code == 404
        assert client.get("/v1/library").json()["documents"] == []


def test_texts_in_memory_are_not_reached_without_rights(served: Gateway) -> None:
    opinion = ids(served, "b")["opinion.pdf"]
    with served.of("b") as client:
        assert "Halden" in client.get(f"/v1/documents/{opinion}/text").json()["text"]
    with served.of("a") as client:
        assert client.get(f"/v1/documents/{opinion}/text").status_code == 404
    with served.of("b", documents=[]) as client:
        assert client.get(f"/v1/documents/{opinion}/text").status_code == 404
