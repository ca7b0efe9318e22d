"""`/v1/ask`: the stream of events, cancelling, deadlines, the end of the process."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator

import pytest
from gateway_world import Gateway, Keys, answer_of, code_of, eventually, gateway

from pincite.stores import StoreError

QUESTION = {"question": "When must client money be paid?"}


@pytest.fixture(scope="module")
def keys() -> Iterator[Keys]:
    keys = Keys()
    yield keys
    keys.close()


@pytest.fixture
def served(keys: Keys) -> Iterator[Gateway]:
    with gateway(keys, limits={"heartbeat": 0.1}) as served:
        yield served


def test_progress_comes_before_the_answer_and_passages_with_it(served: Gateway) -> None:
    with served.of("a") as client, client.stream("POST", "/v1/ask", json=QUESTION) as reply:
        assert reply.status_code == 200
        assert reply.headers["content-type"] == "application/x-ndjson"
        assert reply.headers["cache-control"] == "no-store"
        events = [json.loads(line) for line in reply.iter_lines()]
    assert [event["event"] for event in events] == ["progress", "progress", "progress", "answer"]
    assert events[1] == {"event": "progress", "step": "search", "done": 1, "total": 2}
    answer, texts = events[-1]["answer"], events[-1]["texts"]
    (citation,) = answer["citations"]
    (passage,) = texts[citation["documentId"]]["passages"]
    start, end = passage["range"]
    from_, to = citation["spans"][0]["range"]
    assert start <= from_ and to <= end
    assert passage["text"].encode()[from_ - start : to - start].decode() == citation["quote"]
    assert len(texts[citation["documentId"]]["digest"]) == 64


def test_events_come_while_the_engine_works(served: Gateway) -> None:
    served.engine.pause = 0.3
    with served.of("a") as client, client.stream("POST", "/v1/ask", json=QUESTION) as reply:
        lines = reply.iter_lines()
        started = time.monotonic()
        next(lines)
        assert time.monotonic() - started < 0.2
        assert answer_of(lines)["event"] == "answer"


def test_a_silent_step_is_said_again(served: Gateway) -> None:
    served.engine.steps, served.engine.pause = 1, 0.35
    with served.of("a") as client, client.stream("POST", "/v1/ask", json=QUESTION) as reply:
        events = [json.loads(line) for line in reply.iter_lines()]
    repeated = [event for event in events if event == events[0]]
    assert len(repeated) >= 3


def test_history_and_profile_reach_the_engine(served: Gateway) -> None:
    body = {**QUESTION, "profile": "small", "history": [{"question": "q", "answer": "a"}]}
    with served.of("a") as client:
        answer = json.loads(client.post("/v1/ask", json=body).text.splitlines()[-1])["answer"]
    assert (answer["profile"], answer["turns"]) == ("small", 1)


@pytest.mark.parametrize("after", [0.0, 0.05, 0.3])
def test_a_closed_connection_ends_the_answer(served: Gateway, after: float) -> None:
    served.engine.steps, served.engine.pause = 500, 0.02
    with served.of("a") as client, client.stream("POST", "/v1/ask", json=QUESTION) as reply:
        lines = reply.iter_lines()
        next(lines)
        time.sleep(after)
    closed = time.monotonic()
    eventually(lambda: served.engine.running == 0)
    assert time.monotonic() - closed < 0.5
    assert served.engine.ended == 1


def test_a_connection_closed_before_the_first_event_ends_the_answer(served: Gateway) -> None:
    import socket

    served.engine.steps, served.engine.pause = 2, 0.4
    host, port = served.url.removeprefix("http://").split(":")
    body = json.dumps(QUESTION).encode()
    head = (
        f"POST /v1/ask HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {served.keys.token('a')}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(head.encode() + body)
        served.engine.begun.wait(5)
    eventually(lambda: served.engine.ended == 1)


def test_an_answer_over_its_time_ends_with_an_event(keys: Keys) -> None:
    with gateway(keys, limits={"answer_timeout": 0.3}) as served:
        served.engine.steps, served.engine.pause = 500, 0.02
        with served.of("a") as client, client.stream("POST", "/v1/ask", json=QUESTION) as reply:
            event = answer_of(reply.iter_lines())
        assert event["event"] == "error"
        assert event["error"]["code"] == "timeout"
        assert event["error"]["requestId"] == reply.headers["x-request-id"]
        eventually(lambda: served.engine.running == 0)


def test_a_search_over_its_time_is_504(keys: Keys) -> None:
    with gateway(keys, limits={"search_timeout": 0.1}) as served:
        served.engine.pause = 0.4
        with served.of("a") as client:
            reply = client.post("/v1/search", json={"query": "client money"})
        assert (reply.status_code, code_of(reply)) == (504, "timeout")


def test_an_answer_that_fails_at_once_has_the_status_of_its_error(served: Gateway) -> None:
    served.engine.steps = 0
    served.engine.fault = StoreError("store-unavailable", "connection to postgresql://u:hunter2@db refused")
    with served.of("a") as client:
        reply = client.post("/v1/ask", json=QUESTION)
    assert (reply.status_code, code_of(reply)) == (503, "store-unavailable")
    assert "hunter2" not in reply.text and "postgresql" not in reply.text


def test_an_answer_that_fails_later_says_so_in_the_stream(served: Gateway) -> None:
    served.engine.fault = RuntimeError("the words of /etc/passwd")
    with served.of("a") as client, client.stream("POST", "/v1/ask", json=QUESTION) as reply:
        assert reply.status_code == 200
        event = answer_of(reply.iter_lines())
    assert (event["event"], event["error"]["code"]) == ("error", "internal")
    assert "passwd" not in json.dumps(event)


def test_the_end_of_the_process_is_said_in_the_stream(keys: Keys) -> None:
    with gateway(keys, server={"grace": 0.2}) as served:
        served.engine.steps, served.engine.pause = 500, 0.02
        with served.of("a") as client, client.stream("POST", "/v1/ask", json=QUESTION) as reply:
            lines = reply.iter_lines()
            next(lines)
            served.server.drain()
            with served.of("a") as other:
                assert code_of(other.post("/v1/search", json={"query": "money"})) == "shutting-down"
                assert other.get("/healthz").status_code == 503
            assert answer_of(lines)["error"]["code"] == "shutting-down"


def test_an_answer_within_the_grace_is_finished(keys: Keys) -> None:
    with gateway(keys, server={"grace": 5}) as served:
        served.engine.steps, served.engine.pause = 10, 0.03
        with served.of("a") as client, client.stream("POST", "/v1/ask", json=QUESTION) as reply:
            lines = reply.iter_lines()
            next(lines)
            served.server.drain()
            served.server.should_exit = True
            assert answer_of(lines)["event"] == "answer"


def test_answers_and_waiting_ones_are_bounded(keys: Keys) -> None:
    limits = {"answers": 1, "answers_waiting": 1, "answers_per_subject": 10}
    with gateway(keys, limits=limits) as served:
        served.engine.steps, served.engine.pause = 500, 0.02
        with served.of("a") as client, client.stream("POST", "/v1/ask", json=QUESTION) as first:
            lines = first.iter_lines()
            next(lines)
            waiting = threading.Thread(target=lambda: served.of("b").post("/v1/ask", json=QUESTION, timeout=10))
            waiting.start()
            eventually(lambda: served.app.state.service._answerers.taken == 2)
            reply = client.post("/v1/ask", json=QUESTION)
            assert (reply.status_code, code_of(reply)) == (503, "overloaded")
            assert reply.headers["retry-after"] == "2"
            served.engine.steps = 1
        waiting.join(10)
        assert not waiting.is_alive()
        eventually(lambda: served.app.state.service._answerers.taken == 0)
