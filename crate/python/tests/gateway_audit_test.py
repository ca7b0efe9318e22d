"""The audit log: who asked what, what was cited; rotation, hashes, failures."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gateway_world import Gateway, Keys, answer_of, code_of, eventually, gateway

from pincite.gateway.audit import AppendedFile

QUESTION = "When must client money be paid?"


@pytest.fixture(scope="module")
def keys() -> Iterator[Keys]:
    keys = Keys()
    yield keys
    keys.close()


@pytest.fixture
def served(keys: Keys, tmp_path: Path) -> Iterator[Gateway]:
    with gateway(keys, audit={"file": tmp_path / "audit.jsonl"}) as served:
        yield served


def ask(served: Gateway, question: str = QUESTION) -> tuple[str, dict[str, Any]]:
    with served.of("a") as client, client.stream("POST", "/v1/ask", json={"question": question}) as reply:
        return reply.headers["x-request-id"], answer_of(reply.iter_lines())


def test_a_question_has_a_line_before_and_one_after(served: Gateway) -> None:
    request, event = ask(served)
    asked, answered = served.lines()
    common = {"format": 1, "requestId": request, "via": "http", "tenant": "a", "subject": "reader-a"}
    assert {name: asked[name] for name in common} == common == {name: answered[name] for name in common}
    assert (asked["event"], asked["question"]) == ("asked", QUESTION)
    (citation,) = event["answer"]["citations"]
    assert answered["event"] == "answered" and answered["outcome"] == "ok"
    assert answered["cited"] == [
        {
            "documentId": citation["documentId"],
            "page": 1,
            "ranges": [citation["spans"][0]["range"]],
            "status": "verified",
        }
    ]
    assert answered["ms"] >= 0
    assert citation["quote"] not in served.audit.read_text()  # type: ignore[union-attr]


def test_every_use_has_a_line(served: Gateway) -> None:
    contract = next(iter(served.store.tenants["a"]))
    with served.of("a") as client:
        client.get("/v1/library")
        within = {"documents": [contract], "filter": {"sections": ["Part 1"], "from": "2023", "kinds": []}}
        client.post("/v1/search", json={"query": "money", **within})
        for first in range(5):
            client.get(f"/v1/documents/{contract}", headers={"range": f"bytes={first}-9"})
        client.get(f"/v1/documents/{contract}/text?start=0&end=6")
        client.get(f"/v1/documents/{'0' * 64}")
    with served.of("a", sub="second") as client:
        client.get(f"/v1/documents/{contract}")
    lines = served.lines()
    assert [line["event"] for line in lines] == ["listed", "searched", "opened", "read", "opened"]
    assert lines[1]["within"] == [contract]
    assert lines[1]["filter"] == {"sections": ["Part 1"], "from": "2023"}
    assert lines[2]["documentId"] == lines[3]["documentId"] == contract
    assert lines[4]["subject"] == "second"


def test_cancelled_and_failed_answers_are_told_apart(served: Gateway) -> None:
    served.engine.steps, served.engine.pause = 500, 0.02
    with served.of("a") as client, client.stream("POST", "/v1/ask", json={"question": QUESTION}) as reply:
        lines = reply.iter_lines()
        next(lines)
    eventually(lambda: len(served.lines()) == 2)
    served.engine.steps, served.engine.fault = 1, RuntimeError("secret")
    ask(served)
    assert [line.get("outcome") for line in served.lines()] == [None, "cancelled", None, "internal"]
    assert "secret" not in json.dumps(served.lines())


def test_the_filter_of_a_question_is_logged_where_it_excludes_anything(served: Gateway) -> None:
    with served.of("a") as client:
        for filter in ({"inForce": True}, {"inForce": False}, {}, None):
            client.post("/v1/ask", json={"question": QUESTION, "filter": filter})
    asked = [line for line in served.lines() if line["event"] == "asked"]
    assert [line.get("filter") for line in asked] == [{"inForce": True}, None, None, None]


def test_a_question_forges_no_line(served: Gateway) -> None:
    question = 'x\n{"event":"answered","tenant":"b"}\r\u2028\u001b[2J client'
    ask(served, question)
    raw = served.audit.read_bytes()  # type: ignore[union-attr]
    assert raw.count(b"\n") == 2
    assert all(32 <= byte < 127 or byte == 10 for byte in raw)
    assert served.lines()[0]["question"] == question


@pytest.mark.parametrize("key", [None, "pepper"])
def test_questions_can_be_hashed(keys: Keys, tmp_path: Path, key: str | None) -> None:
    audit = {"file": tmp_path / "audit.jsonl", "questions": False, "hash_key_env": "AUDIT_KEY" if key else None}
    with gateway(keys, audit=audit, environment={"AUDIT_KEY": key or ""}) as served:
        ask(served)
        (asked, _) = served.lines()
    assert "question" not in asked and "money" not in json.dumps(asked)
    if key is None:
        assert asked["questionSha256"] == hashlib.sha256(QUESTION.encode()).hexdigest()
    else:
        assert asked["questionHmac"] == hmac.new(key.encode(), QUESTION.encode(), hashlib.sha256).hexdigest()


def test_tokens_are_in_no_line(served: Gateway) -> None:
    token = served.keys.token("a")
    with served.client(token) as client:
        client.get("/v1/library")
        client.post("/v1/search", json={"query": "money"})
    assert token.split(".")[2] not in served.audit.read_text()  # type: ignore[union-attr]


def test_the_host_rotates_the_file(served: Gateway, tmp_path: Path) -> None:
    ask(served)
    assert served.audit is not None
    served.audit.rename(tmp_path / "audit.jsonl.1")
    ask(served)
    assert len(served.lines()) == 2
    assert len((tmp_path / "audit.jsonl.1").read_text().splitlines()) == 2
    assert served.audit.stat().st_mode & 0o777 == 0o600


class Full:
    def write(self, line: bytes) -> None:
        raise OSError(28, "No space left on device")

    def close(self) -> None:
        pass


@pytest.mark.parametrize("required", [True, False])
def test_what_cannot_be_logged_is_refused_where_it_must(keys: Keys, tmp_path: Path, required: bool) -> None:
    audit = {"file": tmp_path / "audit.jsonl", "required": required}
    with gateway(keys, audit=audit) as served, served.of("a") as client:
        served.app.state.service._audit._sink = Full()
        replies = [
            client.post("/v1/search", json={"query": "money"}),
            client.get("/v1/library"),
            client.post("/v1/ask", json={"question": QUESTION}),
        ]
        for reply in replies:
            assert reply.status_code == (503 if required else 200)
            if required:
                assert code_of(reply) == "audit-unavailable"


def test_a_file_whose_opening_cannot_be_logged_is_not_given_to_who_tries_again(keys: Keys, tmp_path: Path) -> None:
    with gateway(keys, audit={"file": tmp_path / "audit.jsonl"}) as served, served.of("a") as client:
        id = client.get("/v1/library").json()["documents"][0]["id"]
        sink, served.app.state.service._audit._sink = served.app.state.service._audit._sink, Full()
        assert [client.get(f"/v1/documents/{id}").status_code for _ in range(2)] == [503, 503]
        served.app.state.service._audit._sink = sink
        assert client.get(f"/v1/documents/{id}").status_code == 200
        assert "opened" in (tmp_path / "audit.jsonl").read_text().splitlines()[-1]


def test_a_log_whose_folder_is_gone_closes_no_file_of_others(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    log = AppendedFile(folder / "audit.jsonl")
    (folder / "audit.jsonl").unlink()
    folder.rmdir()
    with pytest.raises(OSError):
        log.write(b"line\n")
    with (tmp_path / "other").open("wb", buffering=0) as other:
        with pytest.raises(OSError):
            log.write(b"line\n")
        assert other.write(b"whole") == 5
    folder.mkdir()
    log.write(b"line\n")
    log.close()
    assert (folder / "audit.jsonl").read_bytes() == b"line\n"


def test_an_answer_whose_line_cannot_be_written_is_not_given(served: Gateway) -> None:
    served.engine.pause = 0.2
    with served.of("a") as client, client.stream("POST", "/v1/ask", json={"question": QUESTION}) as reply:
        lines = reply.iter_lines()
        next(lines)
        served.app.state.service._audit._sink = Full()
        event = answer_of(lines)
    assert event["error"]["code"] == "audit-unavailable"


def test_lines_of_many_threads_do_not_mix(tmp_path: Path) -> None:
    files = [AppendedFile(tmp_path / "log") for _ in range(4)]

    def write(number: int) -> None:
        for count in range(200):
            files[number].write(json.dumps({"n": number, "c": count, "pad": "x" * 500}).encode() + b"\n")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert len(lines) == 800
    for number in range(4):
        assert [line["c"] for line in lines if line["n"] == number] == list(range(200))
