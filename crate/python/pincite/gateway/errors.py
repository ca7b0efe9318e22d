"""Errors of the gateway: every failure leaves in one shape, `{"error": {code, message, hint, requestId}}`.

Codes are API, as those of the engine (`crate/engine/src/error.rs`), which pass through unchanged. Messages say what was found
and what was expected. They never hold text of a document, an address of the store, a path or the words of an exception that
is not ours: an unknown exception becomes `internal`, and the log has the rest under the request id.
"""

from __future__ import annotations

import asyncio
import logging
import math

from fastapi import HTTPException
from starlette.responses import JSONResponse

log = logging.getLogger(__name__)

#: Status of each code of the engine that a request can cause. All others are faults of the server.
_ENGINE_STATUS = {"bad-argument": 422, "profile-invalid": 422, "limit-exceeded": 413}


class GatewayError(HTTPException):
    """A failure that the client is told. An HTTPException, so that FastAPI lets it pass everywhere."""

    def __init__(
        self, status: int, code: str, message: str, hint: str = "", headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(status_code=status, detail=message, headers=headers)
        self.code = code
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def shape(self, request_id: str) -> dict[str, object]:
        """The object `error` of a reply or of an event."""
        return {"code": self.code, "message": self.message, "hint": self.hint, "requestId": request_id}

    def response(self, request_id: str) -> JSONResponse:
        """The reply."""
        return JSONResponse({"error": self.shape(request_id)}, status_code=self.status_code, headers=self.headers)


def unauthorized(message: str, code: str = "unauthorized") -> GatewayError:
    """401: no token, or one that is not accepted."""
    error = "" if message == NO_TOKEN else ' error="invalid_token"'
    hint = "get a new token and send the request again" if code == "token-expired" else ""
    return GatewayError(401, code, message, hint, {"WWW-Authenticate": f"Bearer{error}"})


NO_TOKEN = "no bearer token was sent"


def forbidden(message: str, hint: str = "") -> GatewayError:
    """403: the token is good and allows nothing here."""
    return GatewayError(403, "forbidden", message, hint)


def document_unknown() -> GatewayError:
    """404, and the same for a document that is absent and for one that may not be seen."""
    return GatewayError(404, "document-unknown", "there is no such document among those that the token lets see")


def bad_argument(message: str) -> GatewayError:
    """422: an argument that makes no sense."""
    return GatewayError(422, "bad-argument", message)


def too_large(limit: int, what: str = "the request") -> GatewayError:
    """413: over a size limit, in bytes."""
    return GatewayError(413, "limit-exceeded", f"{what} has more than {limit} bytes", "send less")


def rate_limited(seconds: float, what: str) -> GatewayError:
    """429: too many requests of one subject."""
    wait = max(1, math.ceil(seconds))
    return GatewayError(429, "rate-limited", what, f"try again in {wait} s", {"Retry-After": str(wait)})


def overloaded() -> GatewayError:
    """503: all threads are busy and the queue is full."""
    return GatewayError(503, "overloaded", "the gateway is busy", "try again in 2 s", {"Retry-After": "2"})


def shutting_down() -> GatewayError:
    """503: the gateway is ending."""
    return GatewayError(503, "shutting-down", "the gateway is ending", "try again in 5 s", {"Retry-After": "5"})


def store_unavailable() -> GatewayError:
    """503: the store cannot be reached."""
    return GatewayError(
        503, "store-unavailable", "the store cannot be reached", "try again in 5 s", {"Retry-After": "5"}
    )


def issuer_unavailable() -> GatewayError:
    """503: there are no keys to check a token with."""
    message = "the keys of the issuer cannot be fetched"
    return GatewayError(503, "issuer-unavailable", message, "try again in 30 s", {"Retry-After": "30"})


def audit_unavailable() -> GatewayError:
    """503: the audit log cannot be written, and the settings require it."""
    return GatewayError(503, "audit-unavailable", "the audit log cannot be written", "tell the operator")


def timeout(seconds: float) -> GatewayError:
    """504: over the time limit, in seconds."""
    return GatewayError(504, "timeout", f"there was no result within {seconds:g} s", "ask less, or try again")


def cancelled() -> GatewayError:
    """499, which no client sees: it closed the connection."""
    return GatewayError(499, "cancelled", "the request was cancelled")


def internal() -> GatewayError:
    """500: a bug."""
    return GatewayError(500, "internal", "the gateway failed", "tell the operator the request id")


def of(error: BaseException) -> GatewayError:
    """Error that a client is told for an exception of engine, store or gateway."""
    if isinstance(error, GatewayError):
        return error
    code = getattr(error, "code", None)
    if code == "store-unavailable":
        return store_unavailable()
    if code == "document-unknown":
        return document_unknown()
    if code == "file-missing":
        return GatewayError(404, "file-missing", "the file of this document is not stored")
    if code in _ENGINE_STATUS:
        return GatewayError(_ENGINE_STATUS[code], code, str(error)[:300], str(getattr(error, "hint", ""))[:300])
    if isinstance(code, str) and code in ("model-mismatch", "model-missing", "index-version", "index-damaged"):
        return GatewayError(500, code, "the stored library cannot be used", "tell the operator the request id")
    if isinstance(error, asyncio.CancelledError) or code == "cancelled":
        return cancelled()
    return internal()


def log_internal(failure: GatewayError, error: BaseException, request_id: str) -> None:
    """Logs what the client is not told of a fault of the server."""
    if failure.status_code >= 500 and failure is not error:
        log.error("request %s: %s", request_id, failure.code, exc_info=error)
