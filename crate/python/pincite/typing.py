"""Types for annotations of what the package takes and gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from pincite._native import Endpoint

__all__ = ["AskProgress", "JsonObject", "Model", "Progress", "Table"]

JsonObject: TypeAlias = dict[str, Any]
"""Plain data with the keys of the page's API: see ``DocumentInfo``, ``SearchReply``, ``Answer`` in wasm/src/types.d.ts."""

Progress: TypeAlias = Callable[[str, int, int], object]
"""Is told stage, done and total; what it raises ends the call."""

AskProgress: TypeAlias = Callable[[JsonObject], object]
"""Is told ``step`` and what that says of itself; what it raises ends the call."""

Model: TypeAlias = Endpoint | Callable[[JsonObject], str]
"""Model that replies to requests: an endpoint, or a callable from a request to the reply's text."""


class Table(Protocol):
    """A table by the Arrow PyCapsule interface: ``pyarrow.record_batch(table)``, ``polars.from_arrow(table)``."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Capsules of the schema and of the columns."""

    @property
    def num_rows(self) -> int:
        """Number of rows."""
