"""Spans and measures by OpenTelemetry's API alone.

Without its SDK these calls do nothing and cost a microsecond. With the SDK and an exporter (`opentelemetry-instrument`, or a
`TracerProvider` set before the app is made) every request is a span of kind server, continuing the caller's trace, and
searches, answers and requests to a model are spans in it. Names follow the semantic conventions of HTTP. Neither questions,
subjects nor words of documents are attributes; a tenant is.
"""

from __future__ import annotations

from opentelemetry import metrics, trace
from opentelemetry.context import Context
from opentelemetry.propagate import extract
from opentelemetry.trace import Span, SpanKind, StatusCode
from starlette.datastructures import Headers

__all__ = ["SpanKind", "answers", "durations", "fail", "incoming", "tracer"]

tracer = trace.get_tracer("pincite.gateway")
_meter = metrics.get_meter("pincite.gateway")

#: Seconds of requests, by route and status.
durations = _meter.create_histogram("http.server.request.duration", unit="s", description="Duration of requests.")
#: Answers, by outcome: a code, or `ok`.
answers = _meter.create_counter("pincite.answers", description="Answers given, by outcome.")


def incoming(headers: Headers) -> Context:
    """Context of the caller's trace, from the header `traceparent`."""
    return extract({name: headers[name] for name in ("traceparent", "tracestate") if name in headers})


def fail(span: Span, code: str) -> None:
    """Marks a span as failed with a code of ours; exceptions are not recorded, since they may hold text."""
    span.set_attribute("error.type", code)
    span.set_status(StatusCode.ERROR, code)
