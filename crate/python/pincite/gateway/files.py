"""Byte ranges of files (RFC 9110, 13 and 14): so that a viewer opens page 412 of 900 without the rest.

One range a request is served; several at once are answered with the whole file, as the RFC allows. The ETag is the
document's id, which is the hash of its bytes: strong, and never wrong. A body is read from the store chunk by chunk,
each under the caller's rights.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

#: Digits of the largest position that is read; more is a number that no file has.
_RANGE = re.compile(r"bytes=[ \t]*(\d{0,18})-(\d{0,18})[ \t]*", re.ASCII)


class Unsatisfiable(Exception):
    """A range that has no byte of the file: 416."""


@dataclass(frozen=True)
class Part:
    """Bytes `start` to `end` of a file."""

    start: int
    end: int


def etag_of(id: str) -> str:
    """The entity tag of a document's file."""
    return f'"{id}"'


def is_unchanged(headers: Mapping[str, str], id: str) -> bool:
    """True if `If-None-Match` names the file: 304."""
    given = headers.get("if-none-match")
    if given is None:
        return False
    tags = {tag.strip().removeprefix("W/") for tag in given.split(",")}
    return "*" in tags or etag_of(id) in tags


def wants_range(headers: Mapping[str, str], id: str) -> str | None:
    """The header `Range`, unless `If-Range` says that the client has another file: then the whole is sent.

    A date in `If-Range` matches nothing, since files have no date here.
    """
    condition = headers.get("if-range")
    if condition is not None and condition.strip() != etag_of(id):
        return None
    return headers.get("range")


def part_of(header: str | None, total: int) -> Part | None:
    """The part that a header `Range` asks for; None for the whole file: no range, several, or none that can be read.

    Raises `Unsatisfiable`.
    """
    match = _RANGE.fullmatch(header) if header is not None else None
    if match is None or match[1] == match[2] == "":
        return None
    if match[1] == "":
        suffix = min(int(match[2]), total)
        if suffix == 0:
            raise Unsatisfiable
        return Part(total - suffix, total)
    start = int(match[1])
    if match[2] and int(match[2]) < start:
        return None  # an end before its start is no range at all
    if start >= total:
        raise Unsatisfiable
    return Part(start, min(int(match[2]) + 1, total) if match[2] else total)
