"""Settings of the gateway: a TOML file, checked whole before anything starts.

Secrets are never in the file: it names environment variables (`key_env`, `url_env`). Unknown keys are errors, since a
misspelt limit would be no limit. Durations are in seconds, sizes in bytes.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator

import pincite
from pincite.gateway.egress import origin_of

#: Signature algorithms a token may use. Asymmetric ones only: a JWKS is public, so a symmetric key in it is no secret.
Algorithm = Literal["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]


class SettingsError(Exception):
    """The settings cannot be used; the message says which key and why."""


def _https(url: str) -> str:
    scheme, host, _ = origin_of(url)
    if scheme != "https" and host not in ("127.0.0.1", "::1", "localhost"):
        raise ValueError(f"expected https, found {scheme} to {host}")
    return url


def _bare_origin(url: str) -> str:
    if not re.fullmatch(r"https?://[^/?#@\s*]+", url):
        raise ValueError(f"expected an origin such as https://portal.example, found {url!r}")
    return url.lower()


HttpsUrl = Annotated[str, AfterValidator(_https)]
Origin = Annotated[str, AfterValidator(_bare_origin)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]


class Section(BaseModel):
    """A table of the file: unknown keys are refused, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ServerSettings(Section):
    """Where the gateway listens and who may call it from a page."""

    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=0, le=65_535)
    #: Address under which clients reach the gateway; named in the metadata for MCP clients. https turns HSTS on.
    public_url: HttpsUrl | None = None
    #: Values of the Host header that are served, with a port where clients send one. Empty: any.
    hosts: tuple[str, ...] = ()
    #: Origins of pages that may read replies (CORS), exact. Credentials are never allowed.
    origins: tuple[Origin, ...] = ()
    #: Time that answers in progress have after SIGTERM.
    grace: Seconds = 20
    #: Connections at a time; more get 503.
    connections: int = Field(default=512, ge=1)
    #: Folder of the built page (`dist/site`), served under /site/ without a token. None: no page.
    site: Path | None = None


class ClaimSettings(Section):
    """Claims of the token that say who asks and what may be seen. A name, or a path of names into nested claims."""

    tenant: tuple[str, ...] = ("tenant",)
    #: Claim with the ids of the documents that may be seen. None: all documents of the tenant.
    documents: tuple[str, ...] | None = None
    #: Documents that a token without the claim `documents` may see. Only asked where `documents` is set.
    without_documents: Literal["none", "all"] = "none"
    #: Scopes that the token must have, all of them, in `scope` (words) or `scp` (list or words).
    scopes: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _paths(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        return {k: (v,) if k in ("tenant", "documents") and isinstance(v, str) else v for k, v in value.items()}


class AuthSettings(Section):
    """OpenID Connect: whose tokens are accepted."""

    issuer: str = Field(min_length=1)
    audience: str = Field(min_length=1)
    #: Address of the issuer's keys (JWKS). The only address that keys are fetched from.
    jwks: HttpsUrl
    algorithms: tuple[Algorithm, ...] = Field(default=("RS256", "ES256"), min_length=1)
    #: Tolerated difference between the clocks of issuer and gateway.
    leeway: float = Field(default=10, ge=0, le=120)
    #: Age at which keys are fetched again.
    refresh: Seconds = 600
    #: Shortest time between two fetches, also for tokens with unknown key ids.
    refresh_pause: Seconds = 30
    #: Age after which keys are not used any more while the issuer cannot be reached.
    stale: Seconds = 86_400
    claims: ClaimSettings = ClaimSettings()


class StoreSettings(Section):
    """The store; see `pincite.stores.open_store`."""

    url: SecretStr | None = None
    #: Environment variable with the URL, for one that holds a password.
    url_env: str | None = None

    def resolve(self, environment: Mapping[str, str]) -> str:
        """URL of the store."""
        if self.url_env is not None:
            return environment[self.url_env]
        return self.url.get_secret_value() if self.url else ""

    @model_validator(mode="after")
    def _one(self) -> StoreSettings:
        if (self.url is None) == (self.url_env is None):
            raise ValueError("expected one of url and url_env")
        return self


class EndpointSettings(Section):
    """A language model."""

    url: str
    model: str = Field(min_length=1)
    protocol: Literal["openai", "anthropic"] = "openai"
    #: Environment variable with the key.
    key_env: str | None = None
    timeout: Seconds = 120
    #: True to allow http to another machine, inside a network of your own.
    plain_http: bool = False

    @model_validator(mode="after")
    def _secure(self) -> EndpointSettings:
        if self.plain_http:
            origin_of(self.url)
        else:
            _https(self.url)
        return self


class AnswerSettings(Section):
    """Profiles and model of answers."""

    #: Name of the endpoint that is asked. None: answers are extracted from the documents without a model.
    endpoint: str | None = None
    profile: str = "general"
    #: Profiles that a request may choose, by name. Empty: all that ship.
    profiles: tuple[str, ...] = ()

    @property
    def titles(self) -> dict[str, str]:
        """Titles of the profiles that a request may choose, by name."""
        shipped = {each["name"]: each["title"] for each in pincite.profiles()}
        return {name: shipped[name] for name in self.profiles or shipped}

    @model_validator(mode="after")
    def _known(self) -> AnswerSettings:
        shipped = [each["name"] for each in pincite.profiles()]
        unknown = [name for name in (*self.profiles, self.profile) if name not in shipped]
        if unknown:
            raise ValueError(f"{unknown[0]!r} is no profile, expected {', '.join(shipped)}")
        return self


class Rate(Section):
    """Requests a minute of one subject; `burst` may come at once."""

    per_minute: float = Field(gt=0)
    burst: int = Field(ge=1)


class LimitSettings(Section):
    """Sizes, rates and times."""

    body: int = Field(default=256 * 1024, ge=1024)
    question: int = Field(default=2000, ge=1)
    hits: int = Field(default=100, ge=1, le=1000)
    history: int = Field(default=20, ge=0)
    #: Documents that a request may name.
    documents: int = Field(default=1000, ge=1)
    #: Characters of the longest text that one request may read.
    text: int = Field(default=4 * 1024 * 1024, ge=1024)
    #: Bytes of a file that are in memory at a time for a request.
    chunk: int = Field(default=1024 * 1024, ge=4096)
    asks: Rate = Rate(per_minute=20, burst=10)
    searches: Rate = Rate(per_minute=120, burst=40)
    #: Files, texts and the list of documents. A viewer asks for many ranges of one file.
    reads: Rate = Rate(per_minute=1200, burst=400)
    #: Answers in progress of one subject.
    answers_per_subject: int = Field(default=4, ge=1)
    #: Subjects whose rates are remembered.
    subjects: int = Field(default=10_000, ge=1)
    #: Until the head of a request is there, from the opening of the connection or its first byte.
    head_timeout: Seconds = 10
    body_timeout: Seconds = 10
    #: Until a client that does not read its reply reads on.
    write_timeout: Seconds = 60
    search_timeout: Seconds = 30
    read_timeout: Seconds = 30
    answer_timeout: Seconds = 180
    #: Longest silence of a stream: then the last step is said again.
    heartbeat: Seconds = 10
    #: Threads that answer, and answers that wait for one.
    answers: int = Field(default=4, ge=1)
    answers_waiting: int = Field(default=16, ge=0)
    #: Threads that search and read, and requests that wait for one.
    reads_at_once: int = Field(default=8, ge=1)
    reads_waiting: int = Field(default=128, ge=0)


class AuditSettings(Section):
    """The audit log. Without a file nothing is logged."""

    file: Path | None = None
    #: False: questions are logged as a hash. With `hash_key_env`, keyed (HMAC), so that they cannot be guessed.
    questions: bool = True
    hash_key_env: str | None = None
    #: True: a request whose line cannot be written is refused with 503.
    required: bool = True
    #: True: each line is on disk before the reply.
    sync: bool = False


class ModelSettings(Section):
    """The encoder, for search by meaning."""

    #: Folder of the embedding model. None: PINCITE_MODELS, as `pincite.Encoder`.
    directory: Path | None = None
    #: False: search by words alone.
    enabled: bool = True


class Settings(Section):
    """Everything that the gateway is told."""

    auth: AuthSettings
    server: ServerSettings = ServerSettings()
    store: StoreSettings | None = None
    #: Bytes of documents with their vectors that are kept in memory.
    cache: int = Field(default=1 << 30, ge=0)
    model: ModelSettings = ModelSettings()
    answers: AnswerSettings = AnswerSettings()
    endpoints: dict[str, EndpointSettings] = {}
    limits: LimitSettings = LimitSettings()
    audit: AuditSettings = AuditSettings()

    @model_validator(mode="after")
    def _named(self) -> Settings:
        name = self.answers.endpoint
        if name is not None and name not in self.endpoints:
            raise ValueError(f"answers.endpoint: there is no endpoint {name!r}")
        return self

    def outside(self) -> frozenset[tuple[str, str, int]]:
        """Origins that the gateway may send requests to: those of the keys and of the endpoints."""
        return frozenset(origin_of(url) for url in (self.auth.jwks, *(each.url for each in self.endpoints.values())))

    def missing_variables(self, environment: Mapping[str, str]) -> list[str]:
        """Environment variables that are named and not set."""
        named = [each.key_env for each in self.endpoints.values()]
        named += [self.store.url_env if self.store else None, self.audit.hash_key_env]
        return sorted({name for name in named if name is not None and not environment.get(name)})


def load(path: Path | str, environment: Mapping[str, str] | None = None) -> Settings:
    """Settings of a file.

    Raises `SettingsError` for a file that cannot be read, for unknown or wrong keys, and for variables that are not set.
    """
    try:
        raw = tomllib.loads(Path(path).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path}: {error}") from error
    try:
        settings = Settings.model_validate(raw)
    except ValidationError as error:
        found = "; ".join(
            f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors(include_input=False)
        )
        raise SettingsError(f"{path}: {found}") from None
    missing = settings.missing_variables(os.environ if environment is None else environment)
    if missing:
        raise SettingsError(f"{path}: environment variables not set: {', '.join(missing)}")
    return settings
