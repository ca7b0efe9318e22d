"""The use cases: list, search, ask, read a file or a text. HTTP and MCP are two faces of them.

Each does the same in the same order: count the request, narrow the rights, call engine or store in a bounded thread, write the
audit line, return. Only this module and `passages.py` hold the store.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, ParamSpec, TypeVar

from pincite.gateway import audit as audit_log
from pincite.gateway import errors, telemetry
from pincite.gateway.asking import Answering
from pincite.gateway.audit import Audit
from pincite.gateway.auth import Principal
from pincite.gateway.engine import Engine
from pincite.gateway.errors import GatewayError
from pincite.gateway.limits import Limits
from pincite.gateway.passages import Texts
from pincite.gateway.settings import Settings
from pincite.gateway.shapes import AskBody, SearchBody, filter_of
from pincite.gateway.telemetry import tracer
from pincite.gateway.workers import Workers
from pincite.stores import FileRange, Rights, Store

P = ParamSpec("P")
T = TypeVar("T")

#: Seconds in which a subject's further requests for a file are not logged again: a viewer asks for many ranges.
_SAME_OPENING = 600
_OPENINGS = 10_000
#: Seconds until an answer that has not begun says that it waits.
_FIRST_SILENCE = 1.0


@dataclass(frozen=True)
class Caller:
    """Who calls, in which request, by which face."""

    principal: Principal
    request_id: str
    via: Literal["http", "mcp"]


@dataclass(frozen=True)
class Event:
    """An event of an answer: its name, its line of JSON, and for `answer` the answer itself."""

    name: Literal["progress", "answer", "error"]
    line: bytes
    answer: Mapping[str, Any] | None = None
    error: GatewayError | None = None


class Service:
    """The use cases over a store."""

    def __init__(self, settings: Settings, store: Store, engine: Engine, audit: Audit) -> None:
        limits = settings.limits
        self.settings = settings
        self._store = store
        self._profiles = settings.answers.titles
        self._engine = engine
        self._audit = audit
        self._texts = Texts(store, engine)
        self._limits = Limits(limits)
        self._readers = Workers("read", limits.reads_at_once, limits.reads_waiting)
        self._answerers = Workers("answer", limits.answers, limits.answers_waiting)
        self._answering: set[Answering] = set()
        self._openings: OrderedDict[tuple[str, str, str], float] = OrderedDict()

    async def library(self, caller: Caller, after: str | None, limit: int) -> dict[str, Any]:
        """A page of the documents, with their number, and the model and profiles."""
        self._limits.count("reads", caller.principal.key)
        rights = caller.principal.rights

        def read() -> tuple[list[dict[str, Any]], int, str | None]:
            # One more than is asked for: it says whether there is another page.
            documents = self._engine.documents(rights, after=after, limit=limit + 1)
            return documents, self._store.count(rights), self._store.model()

        found, n_documents, fingerprint = await self._read(read)
        documents = found[:limit]
        self._log("listed", caller)
        profiles = [{"name": name, "title": title} for name, title in self._profiles.items()]
        return {
            "documents": documents,
            # Documents may be removed between the two reads.
            "nDocuments": max(n_documents, len(found)),
            "next": documents[-1]["id"] if len(found) > limit else None,
            "model": {"fingerprint": fingerprint} if fingerprint else None,
            "profiles": profiles,
            "hasModel": self._engine.has_model,
        }

    async def search(self, caller: Caller, body: SearchBody) -> dict[str, Any]:
        """Hits: a `SearchReply`."""
        self._limits.count("searches", caller.principal.key)
        body.check(self.settings.limits)
        rights, documents = await self._within(caller.principal.rights, body.documents)
        filter = filter_of(body.filter)

        def search() -> dict[str, Any]:
            return self._engine.search(
                rights, body.query, k=body.k, documents=documents, filter=filter, explain=body.explain
            )

        with tracer.start_as_current_span("search") as span:
            seconds = self.settings.limits.search_timeout
            reply = await self._readers.run(seconds, search)
            span.set_attribute("pincite.hits", len(reply["hits"]))
        found = audit_log.cited(reply["hits"])
        self._log("searched", caller, question=body.query, within=documents, filter=filter, found=found)
        return reply

    async def ask(self, caller: Caller, body: AskBody) -> AsyncGenerator[Event, None]:
        """Events of an answer: any number of `progress`, then `answer` or `error`.

        What is wrong with the request is raised before the first event. The generator must be closed: that cancels.
        """
        key = caller.principal.key
        self._limits.count("asks", key)
        body.check(self.settings.limits, list(self._profiles))
        rights, documents = await self._within(caller.principal.rights, body.documents)
        leave = self._limits.begin_answer(key)
        answering = Answering()
        try:
            filter, profile = filter_of(body.filter), body.profile
            self._log("asked", caller, question=body.question, within=documents, filter=filter, profile=profile)
            future = self._answerers.submit(leave, self._answer, rights, documents, body, answering)
        except BaseException:
            leave()
            raise

        def end(done: asyncio.Future[Any]) -> None:
            if not done.cancelled():
                done.exception()  # looked at, so that asyncio does not complain where nobody waits any more
            answering.end()

        future.add_done_callback(end)
        seconds = self.settings.limits.answer_timeout
        timer = asyncio.get_running_loop().call_later(seconds, answering.cancel, errors.timeout(seconds))
        self._answering.add(answering)
        return self._events(caller, answering, future, timer)

    async def _events(
        self,
        caller: Caller,
        answering: Answering,
        future: asyncio.Future[tuple[Mapping[str, Any], bytes]],
        timer: asyncio.TimerHandle,
    ) -> AsyncGenerator[Event, None]:
        limits = self.settings.limits
        started = time.monotonic()
        outcome = "cancelled"
        # Until a thread is free there is nothing to say: soon that is said, so that the client knows that it is heard.
        last, silence = b'{"event":"progress","step":"waiting"}\n', min(_FIRST_SILENCE, limits.heartbeat)
        try:
            while (event := await answering.next(silence)) is not None:
                last, silence = _line(event) if event else last, limits.heartbeat
                yield Event("progress", last)
            try:
                if answering.reason is not None:
                    raise answering.reason
                answer, line = await future
                cited = audit_log.cited(answer["citations"])
                self._log("answered", caller, outcome="ok", cited=cited, ms=_since(started))
                outcome = "ok"
            except Exception as error:  # noqa: BLE001 - whatever the engine raises becomes an event
                failure = answering.reason or errors.of(error)
                outcome = failure.code
                errors.log_internal(failure, error, caller.request_id)
                yield Event("error", _error_line(failure, caller.request_id), error=failure)
            else:
                yield Event("answer", line, answer)
        finally:
            timer.cancel()
            self._answering.discard(answering)
            answering.cancel(errors.cancelled())
            telemetry.answers.add(1, {"outcome": outcome})
            if outcome != "ok":
                self._log("answered", caller, required=False, outcome=outcome, ms=_since(started))

    def _answer(
        self, rights: Rights, documents: list[str] | None, body: AskBody, answering: Answering
    ) -> tuple[Mapping[str, Any], bytes]:
        """The answer, with the line of its event. In a thread."""
        answering.check()
        with tracer.start_as_current_span("answer") as span:
            answer = self._engine.ask(
                rights,
                body.question,
                profile=body.profile or self.settings.answers.profile,
                history=[turn.model_dump() for turn in body.history],
                documents=documents,
                filter=filter_of(body.filter),
                progress=answering.progress,
            )
            answering.check()
            span.set_attribute("pincite.citations", len(answer["citations"]))
            texts = self._texts.cited(answer, rights)
        return answer, _line({"event": "answer", "answer": answer, "texts": texts})

    async def file(self, caller: Caller, id: str, start: int, end: int | None) -> FileRange:
        """Bytes of a file. The first request of a subject for a file is counted and logged."""
        self._limits.count("reads", caller.principal.key)
        found = await self._read(self._store.file, id, caller.principal.rights, start, end)
        key, now = (*caller.principal.key, id), time.monotonic()
        if now - self._openings.get(key, -_SAME_OPENING) >= _SAME_OPENING:
            self._log("opened", caller, documentId=id)
            # Only now: where the line must be and cannot be written, the next request tries again.
            self._openings[key] = now
            self._openings.move_to_end(key)
            if len(self._openings) > _OPENINGS:
                self._openings.popitem(last=False)
        return found

    async def more_of_file(self, caller: Caller, id: str, start: int, end: int) -> FileRange:
        """Further bytes of a request that `file` began."""
        return await self._read(self._store.file, id, caller.principal.rights, start, end)

    async def text(self, caller: Caller, id: str, start: int, end: int | None) -> str:
        """Text of a range of a document, in bytes."""
        self._limits.count("reads", caller.principal.key)
        limit = self.settings.limits.text
        text = await self._read(self._texts.part, id, caller.principal.rights, start, end, limit)
        self._log("read", caller, documentId=id, ranges=[[start, end]])
        return text

    async def verify(self, caller: Caller, id: str, quotation: str) -> dict[str, Any]:
        """A quotation compared with a document: `{status, quote, location}`, and the text around it."""
        self._limits.count("reads", caller.principal.key)
        found = await self._read(self._texts.verified, id, caller.principal.rights, quotation)
        self._log("verified", caller, documentId=id, outcome=found["status"])
        return found

    def drain(self) -> None:
        """Cancels the answers in progress: the gateway ends."""
        for answering in list(self._answering):
            answering.cancel(errors.shutting_down())

    def close(self) -> None:
        """Ends the threads and the log. The store is the caller's."""
        self.drain()
        self._readers.close()
        self._answerers.close()
        self._audit.close()

    async def _within(self, rights: Rights, documents: list[str] | None) -> tuple[Rights, list[str] | None]:
        """The documents of a request that the rights let see. Raises 404 if that is none of them.

        The rights stay those of the token, since the idf of a term is that of all documents which the token lets see.
        """
        if documents is None:
            return rights, None
        known = await self._read(self._store.documents, rights.within(documents))
        if not known:
            raise errors.document_unknown()
        return rights, [stored.id for stored in known]

    async def _read(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._readers.run(self.settings.limits.read_timeout, call, *args, **kwargs)

    def _log(self, event: str, caller: Caller, required: bool = True, **fields: Any) -> None:
        self._audit.line(event, caller.principal, caller.request_id, caller.via, required=required, **fields)


def _line(event: Mapping[str, Any]) -> bytes:
    return json.dumps(event, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _error_line(error: GatewayError, request_id: str) -> bytes:
    return _line({"event": "error", "error": error.shape(request_id)})


def _since(started: float) -> int:
    return round(1000 * (time.monotonic() - started))
