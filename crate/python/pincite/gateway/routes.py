"""The routes under `/v1`, and those without a token: health, description, metadata for clients that look for the issuer."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.security import HTTPBearer
from starlette.responses import JSONResponse, Response

from pincite.gateway import errors, files
from pincite.gateway.responses import Chunks, EventStream
from pincite.gateway.service import Caller, Service
from pincite.gateway.shapes import ERROR, AskBody, SearchBody
from pincite.stores import check_document_id

#: Path of the metadata for clients that look for the issuer.
METADATA = "/.well-known/oauth-protected-resource"

_bearer = HTTPBearer(
    auto_error=False, bearerFormat="JWT", description="A token of the configured OpenID Connect issuer."
)


def _caller(request: Request, _: Annotated[object, Depends(_bearer)] = None) -> Caller:
    """The caller, whom the door has let in."""
    return Caller(request.state.principal, request.state.request_id, "http")


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


Called = Annotated[Caller, Depends(_caller)]
Served = Annotated[Service, Depends(_service)]


def _errors(*codes: int) -> dict[int | str, dict[str, Any]]:
    words = {
        401: "No token (`unauthorized`), or one that has expired (`token-expired`).",
        403: "`forbidden`: the token allows nothing here.",
        404: "`document-unknown`, also for a document that the token does not let see.",
        413: "`limit-exceeded`: over a size limit.",
        416: "`range-unsatisfiable`.",
        422: "`bad-argument`.",
        429: "`rate-limited`, with Retry-After.",
        503: "`store-unavailable`, `issuer-unavailable`, `overloaded`, `shutting-down` or `audit-unavailable`.",
        504: "`timeout`.",
    }
    content = {"application/json": {"schema": ERROR}}
    return {code: {"description": words[code], "content": content} for code in (401, 403, *codes, 429, 503, 504)}


def _json(description: str, properties: dict[str, Any]) -> dict[int | str, dict[str, Any]]:
    schema = {"type": "object", "properties": properties}
    return {200: {"description": description, "content": {"application/json": {"schema": schema}}}}


router = APIRouter(prefix="/v1", default_response_class=JSONResponse)


@router.get(
    "/library",
    summary="Documents that the token lets see",
    responses=_errors(404, 422)
    | _json(
        "A page of the documents as `DocumentInfo` of types.d.ts, in the order in which they were first stored.",
        {
            "documents": {"type": "array", "items": {"type": "object"}},
            "nDocuments": {"type": "integer", "description": "Number of documents of all pages."},
            "next": {"type": ["string", "null"], "description": "`after` of the next page; null for the last."},
            "model": {"type": ["object", "null"], "properties": {"fingerprint": {"type": "string"}}},
            "version": {"type": "string"},
            "profiles": {"type": "array", "items": {"type": "object"}},
            "hasModel": {"type": "boolean"},
        },
    ),
)
async def library(
    request: Request,
    service: Served,
    caller: Called,
    limit: Annotated[int, Query(ge=1, le=1000, description="Maximum number of documents.")] = 1000,
    after: Annotated[str | None, Query(description="Id of a document: those behind it. The first, if absent.")] = None,
) -> Response:
    """Documents, fingerprint of the embedding model, profiles for questions, and whether a language model is asked."""
    return JSONResponse({**await service.library(caller, after, limit), "version": request.app.version})


@router.post(
    "/search",
    summary="Search",
    responses=_errors(404, 413, 422)
    | _json("A `SearchReply` of types.d.ts.", {"hits": {"type": "array", "items": {"type": "object"}}}),
)
async def search(body: SearchBody, service: Served, caller: Called) -> Response:
    """Finds passages, best first."""
    return JSONResponse(await service.search(caller, body))


@router.post(
    "/ask",
    summary="Ask",
    status_code=200,
    response_class=EventStream,
    responses=_errors(404, 413, 422)
    | {
        200: {
            "description": "One JSON object a line: `{event: progress, step, done?, total?}` any number of times, then "
            "`{event: answer, answer, texts}` with an `Answer` of types.d.ts and the cited passages by document, or "
            "`{event: error, error}`. Closing the connection cancels the answer.",
            "content": {"application/x-ndjson": {"schema": {"type": "object"}}},
        }
    },
)
async def ask(body: AskBody, service: Served, caller: Called) -> Response:
    """Answers a question with citations."""
    return EventStream(await service.ask(caller, body), caller.request_id)


@router.head("/documents/{id}", include_in_schema=False)
@router.get(
    "/documents/{id}",
    summary="File of a document",
    response_class=Response,
    responses=_errors(404, 416)
    | {
        200: {"description": "The file.", "content": {"application/pdf": {}}},
        206: {"description": "The range that `Range` asks for."},
        304: {"description": "`If-None-Match` names the file."},
    },
)
async def document(id: str, request: Request, service: Served, caller: Called) -> Response:
    """The file as it was ingested, whole or a range of it. Its ETag is its id."""
    check_document_id(id)
    chunk = service.settings.limits.chunk
    head = request.method == "HEAD"
    wanted = None if head else files.wants_range(request.headers, id)
    unchanged = files.is_unchanged(request.headers, id)
    # The first call asks for the first chunk of what is wanted and tells the size of the whole.
    first = await service.file(caller, id, 0, 0 if head or unchanged or wanted else chunk)
    headers = {
        "accept-ranges": "bytes",
        "cache-control": "private, no-cache",
        "content-disposition": f'attachment; filename="{id[:16]}"',
        "content-type": first.media_type,
        "etag": files.etag_of(id),
        "vary": "Authorization",
    }
    if unchanged:
        return Response(status_code=304, headers=headers)
    try:
        part = files.part_of(wanted, first.total)
    except files.Unsatisfiable:
        raise errors.GatewayError(
            416,
            "range-unsatisfiable",
            f"the file has {first.total} bytes, none of them in the range",
            headers={"Content-Range": f"bytes */{first.total}", "Accept-Ranges": "bytes"},
        ) from None
    status = 200 if part is None else 206
    start, end = (0, first.total) if part is None else (part.start, part.end)
    if part is not None:
        headers["content-range"] = f"bytes {start}-{end - 1}/{first.total}"

    async def chunks() -> AsyncGenerator[bytes, None]:
        at = start
        if part is None and first.data:
            yield first.data
            at += len(first.data)
        while at < end:
            more = await service.more_of_file(caller, id, at, min(at + chunk, end))
            if not more.data:
                raise errors.store_unavailable()  # the document was removed meanwhile: the connection breaks off
            yield more.data
            at += len(more.data)

    return Chunks(chunks(), status, end - start, headers, head)


@router.get(
    "/documents/{id}/text",
    summary="Text of a document",
    responses=_errors(404, 413, 422) | _json("The text of the range.", {"text": {"type": "string"}}),
)
async def text(
    id: str,
    service: Served,
    caller: Called,
    start: Annotated[int, Query(ge=0, le=2**40, description="First byte of the range, in UTF-8.")] = 0,
    end: Annotated[int | None, Query(ge=0, le=2**40, description="One past the last byte; the end, if absent.")] = None,
) -> Response:
    """Canonical text of a document in a range, by which a page verifies quotations where there is no PDF."""
    check_document_id(id)
    return JSONResponse({"text": await service.text(caller, id, start, end)})


open_router = APIRouter()


@open_router.get("/healthz", summary="Health", responses={503: {"description": "The gateway is ending."}})
async def healthz(request: Request) -> Response:
    """`ok`, or `draining` with 503 while the gateway ends."""
    if request.app.state.draining:
        return JSONResponse({"status": "draining"}, 503)
    return JSONResponse({"status": "ok", "version": request.app.version})


@open_router.get(METADATA, summary="Issuer of tokens (RFC 9728)")
@open_router.get(f"{METADATA}/mcp", include_in_schema=False)
async def resource_metadata(request: Request) -> Response:
    """Where clients get tokens. 404 where the settings have no public URL."""
    settings = request.app.state.settings
    if settings.server.public_url is None:
        raise errors.GatewayError(404, "not-found", "there is nothing at this address")
    return JSONResponse(
        {
            "resource": f"{settings.server.public_url.rstrip('/')}/mcp",
            "authorization_servers": [settings.auth.issuer],
            "bearer_methods_supported": ["header"],
            "scopes_supported": list(settings.auth.claims.scopes),
        }
    )
