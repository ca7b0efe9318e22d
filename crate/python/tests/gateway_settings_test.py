"""Settings: what is refused before anything starts; requests to other machines."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from pincite.gateway import egress
from pincite.gateway.settings import SettingsError, load

GOOD = """
[auth]
issuer = "https://issuer.test"
audience = "pincite"
jwks = "https://issuer.test/keys"

[store]
url_env = "STORE_URL"

[answers]
endpoint = "main"

[endpoints.main]
url = "https://models.test/v1"
model = "m"
key_env = "MODEL_KEY"
"""
ENVIRONMENT = {"STORE_URL": "postgresql://pincite:hunter2@db/pincite", "MODEL_KEY": "sk"}


def loaded(tmp_path: Path, text: str, environment: dict[str, str] | None = None) -> object:
    file = tmp_path / "gateway.toml"
    file.write_text(text, "utf-8")
    return load(file, ENVIRONMENT if environment is None else environment)


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    settings = loaded(tmp_path, GOOD + '[auth.claims]\ntenant = ["realm", "tenant"]\ndocuments = "docs"\n')
    assert settings.auth.claims.tenant == ("realm", "tenant")  # type: ignore[attr-defined]
    assert settings.auth.claims.documents == ("docs",)  # type: ignore[attr-defined]
    assert settings.outside() == {  # type: ignore[attr-defined]
        ("https", "issuer.test", 443),
        ("https", "models.test", 443),
    }
    assert "hunter2" not in repr(settings)


@pytest.mark.parametrize(
    ("replaced", "by", "said"),
    [
        ('audience = "pincite"', "", "auth.audience"),
        ('audience = "pincite"', 'audience = ""', "auth.audience"),
        ('jwks = "https://issuer.test/keys"', 'jwks = "http://issuer.test/keys"', "auth.jwks"),
        ('jwks = "https://issuer.test/keys"', 'jwks = "file:///etc/passwd"', "auth.jwks"),
        ('jwks = "https://issuer.test/keys"', 'jwks = "https://u:p@issuer.test/keys"', "auth.jwks"),
        ('audience = "pincite"', 'audience = "pincite"\nalgorithms = ["none"]', "auth.algorithms"),
        ('audience = "pincite"', 'audience = "pincite"\nalgorithms = ["HS256"]', "auth.algorithms"),
        ('audience = "pincite"', 'audience = "pincite"\nalgorithms = []', "auth.algorithms"),
        ('audience = "pincite"', 'audience = "pincite"\nleeway = 3600', "auth.leeway"),
        ('audience = "pincite"', 'audience = "pincite"\nverify = false', "auth.verify"),
        ('url = "https://models.test/v1"', 'url = "http://models.test/v1"', "endpoints.main"),
        ('endpoint = "main"', 'endpoint = "other"', "other"),
        ('url_env = "STORE_URL"', "", "store"),
        ('url_env = "STORE_URL"', 'url_env = "STORE_URL"\nurl = "milvus:x"', "store"),
        ("[store]", '[server]\norigins = ["*"]\n[store]', "server.origins"),
        ("[store]", '[server]\norigins = ["https://a.b/"]\n[store]', "server.origins"),
        ("[store]", "[limits]\nbodies = 5\n[store]", "limits.bodies"),
        ("[store]", "[limits]\nbody = 0\n[store]", "limits.body"),
        ("[store]", "[store", "TOML"),
    ],
)
def test_settings_that_do_not_fit_are_named(tmp_path: Path, replaced: str, by: str, said: str) -> None:
    assert replaced in GOOD
    with pytest.raises(SettingsError) as refused:
        loaded(tmp_path, GOOD.replace(replaced, by, 1))
    assert said in str(refused.value) or said == "TOML"


def test_variables_that_are_not_set_are_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="MODEL_KEY, STORE_URL"):
        loaded(tmp_path, GOOD, {})
    with pytest.raises(SettingsError, match="STORE_URL"):
        loaded(tmp_path, GOOD, {"STORE_URL": "", "MODEL_KEY": "x"})


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError):
        load(tmp_path / "none.toml")


def test_http_inside_a_network_of_ones_own_must_be_said(tmp_path: Path) -> None:
    plain = GOOD.replace('url = "https://models.test/v1"', 'url = "http://models.test/v1"\nplain_http = true')
    assert ("http", "models.test", 80) in loaded(tmp_path, plain).outside()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("url", "reached"),
    [
        ("https://models.test/v1", True),
        ("https://MODELS.test:443/v1/other", True),
        ("http://models.test/v1", False),
        ("https://models.test:444/v1", False),
        ("https://models.test.evil/v1", False),
        ("https://evil@models.test/v1", True),
        ("https://models.test@evil/v1", False),
        ("https://169.254.169.254/latest", False),
        ("https://127.0.0.1/v1", False),
        ("https://[::1]/v1", False),
    ],
)
def test_no_other_origin_is_reached(url: str, reached: bool) -> None:
    sent: list[httpx.Request] = []

    async def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(302, headers={"location": "https://evil/"})

    async def ask() -> None:
        transport = egress.AllowedTransport([egress.origin_of("https://models.test")], httpx.MockTransport(answer))
        async with httpx.AsyncClient(transport=transport, follow_redirects=True) as client:
            await client.get(url)

    with pytest.raises(egress.EgressRefused):
        asyncio.run(ask())  # an allowed one redirects to another, which is refused
    assert bool(sent) == reached
    assert all(request.url.host == "models.test" for request in sent)


def test_the_file_to_start_from_is_good() -> None:
    environment = {"STORE_URL": "postgresql://db/pincite", "MODEL_KEY": "x"}
    settings = load(Path(__file__).resolve().parents[1] / "gateway.toml", environment)
    assert settings.auth.claims.documents == ("documents",)
