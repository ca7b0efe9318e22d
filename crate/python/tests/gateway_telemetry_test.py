"""Spans by OpenTelemetry's SDK, where one is there."""

from __future__ import annotations

from gateway_world import Keys, eventually, gateway
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def test_a_request_is_a_span_of_the_callers_trace_without_words() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    keys = Keys()
    try:
        with gateway(keys) as served, served.of("a") as client:
            headers = {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}
            client.post("/v1/search", json={"query": "client money"}, headers=headers)
            client.post("/v1/ask", json={"question": "client money"}, headers=headers)
            failed = client.get("/v1/documents/" + "0" * 64, headers=headers)
            forged = [(b"traceparent", b"forged\xff")]
            client.post("/v1/search", json={"query": "client money"}, headers=forged)
            eventually(lambda: len(exporter.get_finished_spans()) >= 7)
        spans = exporter.get_finished_spans()
        ours = {span.name: span for span in spans if span.context and f"{span.context.trace_id:032x}" == TRACE}
        assert set(ours) >= {"POST /v1/search", "search", "POST /v1/ask", "answer", "GET /v1/documents/{id}"}
        parents = {context(span): parent(span) for span in spans}
        for inner, outer in (("search", "POST /v1/search"), ("answer", "POST /v1/ask")):
            above = context(ours[inner])
            while above is not None and above != context(ours[outer]):
                above = parents.get(above)  # the framework has spans of its own between
            assert above is not None, inner
        attributes = dict(ours["GET /v1/documents/{id}"].attributes or {})
        assert attributes["http.response.status_code"] == 404
        assert attributes["pincite.request_id"] == failed.headers["x-request-id"]
        told = " ".join(span.to_json() for span in spans)
        assert "client money" not in told and "reader-a" not in told
    finally:
        keys.close()


def parent(span: ReadableSpan) -> int | None:
    return span.parent.span_id if span.parent else None


def context(span: ReadableSpan) -> int | None:
    return span.context.span_id if span.context else None
