"""Which tokens are accepted, and how keys are fetched."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from gateway_world import Gateway, Keys, code_of, eventually, gateway


@pytest.fixture(scope="module")
def keys() -> Iterator[Keys]:
    keys = Keys()
    keys.add_ec("ec-1")
    yield keys
    keys.close()


@pytest.fixture(scope="module")
def served(keys: Keys) -> Iterator[Gateway]:
    with gateway(keys) as served:
        yield served


def status(served: Gateway, token: str | None) -> tuple[int, str]:
    with served.client(token) as client:
        reply = client.get("/v1/library")
    return reply.status_code, "" if reply.is_success else code_of(reply)


def segments(header: object, claims: object, signature: bytes = b"") -> str:
    parts = [json.dumps(header).encode(), json.dumps(claims).encode(), signature]
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


def good_claims(keys: Keys) -> dict[str, Any]:
    claims: dict[str, Any] = jwt.decode(keys.token(), options={"verify_signature": False})
    return claims


def test_good_tokens_of_both_key_types_are_accepted(served: Gateway) -> None:
    assert status(served, served.keys.token()) == (200, "")
    assert status(served, served.keys.token(kid="ec-1", algorithm="ES256")) == (200, "")
    assert status(served, served.keys.token(aud=["other", "pincite"])) == (200, "")


def test_without_a_token_nothing_is_told(served: Gateway) -> None:
    with served.client() as client:
        for path in (
            "/v1/library",
            "/v1/search",
            "/mcp",
            "/v1/documents/x",
            "/anything",
            "/v1/../healthz/x",
            "//healthz",
        ):
            reply = client.get(path)
            assert reply.status_code == 401, path
            assert code_of(reply) == "unauthorized"
            assert reply.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Basic YTpi", "Bearer a.b", "Bearer a.b.c.d", "Bearer {}", "bearer x", "Bearer " + "a." * 9000]
    + ["Bearer a.b.c, Bearer d.e.f", "Bearer \u00fc.b.c"],
)
def test_malformed_headers_are_refused(served: Gateway, header: str) -> None:
    with served.client() as client:
        reply = client.get("/v1/library", headers={b"authorization": header.encode("latin-1")})
    assert reply.status_code == 401
    assert code_of(reply) == "unauthorized"


def test_two_headers_are_refused(served: Gateway) -> None:
    good = f"Bearer {served.keys.token()}"
    with served.client() as client:
        reply = client.get("/v1/library", headers=[("authorization", good), ("authorization", good)])
    assert reply.status_code == 401


def test_a_token_counts_in_the_header_only(served: Gateway) -> None:
    token = served.keys.token()
    with served.client() as client:
        assert client.get(f"/v1/library?access_token={token}").status_code == 401
        assert client.get("/v1/library", headers={"cookie": f"token={token}"}).status_code == 401


def test_expired_tokens_have_a_code_of_their_own(served: Gateway) -> None:
    assert status(served, served.keys.token(exp=int(time.time()) - 1)) == (401, "token-expired")


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://other.test"},
        {"iss": "https://issuer.test/realm/"},
        {"iss": None},
        {"aud": "other"},
        {"aud": None},
        {"aud": ["other"]},
        {"exp": None},
        {"exp": "soon"},
        {"exp": 1e400},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"sub": "x" * 300},
        {"sub": "line\nbreak"},
        {"nbf": 4_000_000_000},
        {"iat": 4_000_000_000},
    ],
)
def test_claims_that_do_not_fit_are_refused(served: Gateway, claims: dict[str, Any]) -> None:
    key = served.keys.private["rsa-1"]
    merged = {name: value for name, value in {**good_claims(served.keys), **claims}.items() if value is not None}
    try:
        token = jwt.encode(merged, key, algorithm="RS256", headers={"kid": "rsa-1"})
    except TypeError:  # PyJWT does not write it; others would
        signed = segments({"alg": "RS256", "kid": "rsa-1"}, merged).rsplit(".", 1)[0]
        signature = jwt.algorithms.RSAAlgorithm(jwt.algorithms.RSAAlgorithm.SHA256).sign(signed.encode(), key)
        token = f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"
    assert status(served, token) == (401, "unauthorized")


def test_unsigned_tokens_are_refused(served: Gateway) -> None:
    claims = good_claims(served.keys)
    for algorithm in ("none", "None", "NONE", "", None, 7, ["RS256"]):
        assert status(served, segments({"alg": algorithm, "kid": "rsa-1"}, claims))[0] == 401
        assert status(served, segments({"alg": algorithm, "kid": "rsa-1"}, claims, b"x"))[0] == 401
    assert status(served, segments({"kid": "rsa-1"}, claims, b"x"))[0] == 401


def test_the_public_key_is_no_secret_of_a_symmetric_algorithm(served: Gateway) -> None:
    public = served.keys.private["rsa-1"].public_key()
    forms = [
        public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo),
        public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo),
        json.dumps(served.keys.jwks()["keys"][0]).encode(),
    ]
    for secret in forms:
        signed = segments({"alg": "HS256", "kid": "rsa-1"}, good_claims(served.keys)).rsplit(".", 1)[0]
        signature = hmac.new(secret, signed.encode(), hashlib.sha256).digest()
        token = f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"
        assert status(served, token) == (401, "unauthorized")


def test_symmetric_keys_in_the_jwks_are_never_used(keys: Keys) -> None:
    secret = b"k" * 32
    encoded = base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
    keys.extra = [{"kty": "oct", "kid": "secret", "k": encoded, "alg": alg} for alg in ("HS256", "RS256")]
    try:
        with gateway(keys) as served:
            for algorithm in ("HS256", "RS256"):
                signed = segments({"alg": algorithm, "kid": "secret"}, good_claims(keys)).rsplit(".", 1)[0]
                signature = hmac.new(secret, signed.encode(), hashlib.sha256).digest()
                token = f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"
                assert status(served, token) == (401, "unauthorized")
    finally:
        keys.extra = []


def test_algorithms_outside_of_the_list_are_refused_with_a_good_signature(served: Gateway) -> None:
    for algorithm in ("RS384", "RS512", "PS256"):
        assert status(served, served.keys.token(algorithm=algorithm)) == (401, "unauthorized")


def test_a_key_serves_its_own_algorithm_alone(served: Gateway) -> None:
    good = served.keys.token()
    header, claims, signature = good.split(".")
    forged = base64.urlsafe_b64encode(json.dumps({"alg": "ES256", "kid": "rsa-1"}).encode()).rstrip(b"=").decode()
    assert status(served, f"{forged}.{claims}.{signature}") == (401, "unauthorized")
    assert header


def test_tampered_tokens_are_refused(served: Gateway) -> None:
    header, claims, signature = served.keys.token("a").split(".")
    other = json.loads(base64.urlsafe_b64decode(claims + "=="))
    other["tenant"] = "b"
    forged = base64.urlsafe_b64encode(json.dumps(other).encode()).rstrip(b"=").decode()
    assert status(served, f"{header}.{forged}.{signature}")[0] == 401
    for at in range(0, len(signature) - 2, 29):
        changed = signature[:at] + ("A" if signature[at] != "A" else "B") + signature[at + 1 :]
        assert status(served, f"{header}.{claims}.{changed}")[0] == 401
    assert status(served, f"{header}.{claims}.")[0] == 401


def test_keys_and_addresses_that_a_token_brings_are_not_read(served: Gateway) -> None:
    own = rsa.generate_private_key(65537, 2048)
    jwk = jwt.algorithms.RSAAlgorithm.to_jwk(own.public_key(), as_dict=True)
    before = served.keys.requests
    for extra in (
        {"jwk": jwk},
        {"jku": f"http://127.0.0.1:{served.keys.port}/own"},
        {"x5u": f"http://127.0.0.1:{served.keys.port}/own"},
        {"x5c": ["MII"]},
        {"crit": ["exp"], "exp": 1},
        {"crit": ["b64"], "b64": False},
    ):
        token = jwt.encode(good_claims(served.keys), own, algorithm="RS256", headers={"kid": "rsa-1", **extra})
        assert status(served, token) == (401, "unauthorized")
    assert served.keys.requests == before


@pytest.mark.parametrize("kid", ["../../etc/passwd", "' OR 1=1", "x" * 257, "a\u0000b", "\u202e", " ", ""])
def test_hostile_key_ids_find_no_key(served: Gateway, kid: str) -> None:
    key = served.keys.private["rsa-1"]
    token = jwt.encode(good_claims(served.keys), key, algorithm="RS256", headers={"kid": kid})
    assert status(served, token) == (401, "unauthorized")


def test_a_token_without_key_id_needs_an_issuer_of_one_key() -> None:
    keys = Keys()
    try:
        with gateway(keys) as served:
            assert status(served, keys.token(kid=None)) == (200, "")
        keys.add_ec("second")
        with gateway(keys) as served:
            assert status(served, keys.token(kid=None)) == (401, "unauthorized")
    finally:
        keys.close()


def test_new_keys_are_fetched_and_old_ones_forgotten() -> None:
    keys = Keys()
    try:
        with gateway(keys) as served:
            old = keys.token()
            assert status(served, old) == (200, "")
            keys.private = {"rsa-2": rsa.generate_private_key(65537, 2048)}
            time.sleep(0.06)
            assert status(served, keys.token(kid="rsa-2")) == (200, "")
            assert status(served, old) == (401, "unauthorized")
    finally:
        keys.close()


def test_forged_key_ids_cost_one_fetch_in_a_while() -> None:
    keys = Keys()
    try:
        with gateway(keys, auth={"refresh_pause": 30}) as served:
            assert status(served, keys.token()) == (200, "")
            key = keys.private["rsa-1"]
            for number in range(50):
                token = jwt.encode(good_claims(keys), key, algorithm="RS256", headers={"kid": f"forged-{number}"})
                assert status(served, token)[0] == 401
            assert keys.requests == 1
    finally:
        keys.close()


def test_known_keys_outlive_an_issuer_that_fails() -> None:
    keys = Keys()
    try:
        with gateway(keys, auth={"refresh": 0.01}) as served:
            assert status(served, keys.token()) == (200, "")
            keys.status = 500
            time.sleep(0.06)
            assert status(served, keys.token()) == (200, "")
            eventually(lambda: keys.requests >= 2)
            assert status(served, keys.token()) == (200, "")
    finally:
        keys.close()


@pytest.mark.parametrize("code", [500, 302])
def test_without_keys_there_is_no_entry(code: int) -> None:
    keys = Keys()
    keys.status = code
    try:
        with gateway(keys) as served:
            assert status(served, keys.token()) == (503, "issuer-unavailable")
            assert keys.requests == 1, "redirects are not followed"
    finally:
        keys.close()


def test_weak_and_private_keys_of_the_issuer_are_not_used() -> None:
    keys = Keys()
    keys.private["weak"] = rsa.generate_private_key(65537, 1024)
    leaked = jwt.algorithms.RSAAlgorithm.to_jwk(rsa.generate_private_key(65537, 2048), as_dict=True)
    keys.extra = [{**leaked, "kid": "leaked"}, {"kid": "odd"}, {"kty": "RSA", "kid": "broken", "n": "x", "e": "!"}]
    try:
        with gateway(keys) as served:
            assert status(served, keys.token(kid="weak")) == (401, "unauthorized")
            for kid, key in (
                ("leaked", jwt.PyJWK(leaked, "RS256").key),
                ("odd", keys.private["rsa-1"]),
                ("broken", keys.private["rsa-1"]),
            ):
                token = jwt.encode(good_claims(keys), key, algorithm="RS256", headers={"kid": kid})
                assert status(served, token) == (401, "unauthorized"), kid
    finally:
        keys.close()
