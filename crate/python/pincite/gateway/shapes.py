"""Bodies of requests, checked before anything else is done with them.

Unknown fields are refused: a `tenant` or `rights` in a body is an error and not silently nothing. Texts are valid UTF-8
without NUL, which neither PostgreSQL nor a log takes. Sizes that depend on the settings are checked by `check`.
Replies have the shapes of `crate/wasm/src/types.d.ts` and pass through as the engine makes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pincite.gateway import errors
from pincite.gateway.settings import LimitSettings


def _clean(text: str) -> str:
    if "\0" in text:
        raise ValueError("expected a text without NUL")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("expected a text without lone surrogates") from None
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("expected a text")
    return _clean(text)


Text = Annotated[str, AfterValidator(_clean)]
Words = Annotated[str, AfterValidator(_not_blank)]
DocumentId = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the file, in hex.")]
DocumentIds = Annotated[
    list[DocumentId] | None,
    Field(min_length=1, description="Documents to look in; all that the token lets see, if absent. Only ever narrows."),
]


#: Name of a section or an edition: at most 200 characters.
Label = Annotated[str, Field(max_length=200), AfterValidator(_clean)]
#: The dates that the engine takes.
Date = Annotated[
    str,
    Field(
        max_length=10,
        pattern=r"^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$",
        description="A year, a month or a day: `2023`, `2023-07`, `2023-07-01`.",
    ),
]


class Body(BaseModel):
    """A body of a request."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Filter(Body):
    """Passages to look in: the `Filter` of types.d.ts without `documents`. A key that is absent excludes nothing."""

    sections: list[Label] = Field(
        default=[],
        max_length=100,
        description='Sections with all below them, each as it is cited or headed: "Part 3", "Rule 4.2.1", "第二章".',
    )
    kinds: list[Literal["child", "article", "note"]] = Field(default=[], max_length=3, description="Kinds of passage.")
    edition: Label | None = Field(
        default=None, description="Documents that give this edition, or have it in their name or title."
    )
    from_: Date | None = Field(default=None, alias="from", description="Earliest date of a document.")
    to: Date | None = Field(default=None, description="Latest date of a document.")
    in_force: bool = Field(
        default=False,
        alias="inForce",
        description="True to exclude sections that are repealed, superseded or reserved.",
    )


#: A filter of a request; None where it excludes nothing.
OptionalFilter = Annotated[Filter | None, Field(description="Passages to look in; all of the documents, if absent.")]


def filter_of(filter: Filter | None) -> dict[str, Any] | None:
    """The filter as the engine takes it; None where it excludes nothing."""
    return None if filter is None else filter.model_dump(by_alias=True, exclude_defaults=True) or None


class Turn(Body):
    """An earlier question and its answer."""

    question: Text
    answer: Text


class SearchBody(Body):
    """A search."""

    query: Words
    k: int = Field(default=10, ge=1, description="Maximum number of hits.")
    documents: DocumentIds = None
    filter: OptionalFilter = None
    explain: bool = Field(default=False, description="True to explain the score of each hit.")

    def check(self, limits: LimitSettings) -> None:
        """Raises 422 for what is over the limits of the settings."""
        _length(self.query, limits.question, "query")
        if self.k > limits.hits:
            raise errors.bad_argument(f"k is {self.k}, expected at most {limits.hits}")
        _documents(self.documents, limits)


class AskBody(Body):
    """A question."""

    question: Words
    history: list[Turn] = Field(default=[], description="Earlier questions and answers, oldest first.")
    profile: str | None = Field(default=None, max_length=64, description="Name of a profile of `/v1/library`.")
    documents: DocumentIds = None
    filter: OptionalFilter = None

    def check(self, limits: LimitSettings, profiles: Sequence[str]) -> None:
        """Raises 422 for what is over the limits of the settings, and for a profile that they do not name.

        A profile is a name and never the TOML of one, which could name endpoints.
        """
        _length(self.question, limits.question, "question")
        if len(self.history) > limits.history:
            raise errors.bad_argument(f"history has {len(self.history)} turns, expected at most {limits.history}")
        if self.profile is not None and self.profile not in profiles:
            raise errors.bad_argument(f"expected a profile among {', '.join(profiles)}")
        _documents(self.documents, limits)


def _length(text: str, limit: int, name: str) -> None:
    if len(text) > limit:
        raise errors.bad_argument(f"{name} has {len(text)} characters, expected at most {limit}")


def _documents(documents: list[str] | None, limits: LimitSettings) -> None:
    if documents is not None and len(documents) > limits.documents:
        raise errors.bad_argument(f"{len(documents)} documents are named, expected at most {limits.documents}")


#: Schema of an error, for the description.
ERROR: dict[str, Any] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "hint", "requestId"],
            "properties": {
                "code": {"type": "string", "description": "For programs; codes are API.", "examples": ["forbidden"]},
                "message": {"type": "string", "description": "What was found and what was expected."},
                "hint": {"type": "string", "description": "Advice for a person; may be empty."},
                "requestId": {"type": "string", "description": "As in the header X-Request-Id."},
            },
        }
    },
}
