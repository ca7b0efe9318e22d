"""`/v1/documents/{id}`: ranges, conditions, HEAD; `/text`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gateway_world import Gateway, Keys, MemoryStore, Stored, code_of, gateway

from pincite.gateway.files import Part, Unsatisfiable, part_of

FILE = bytes(range(256)) * 4096  # 1 MiB
TEXT = "§ 1 Müßte gezahlt werden. " * 40


@pytest.fixture(scope="module")
def document() -> Stored:
    return Stored("long.pdf", FILE, TEXT)


@pytest.fixture(scope="module")
def served(document: Stored) -> Iterator[Gateway]:
    keys = Keys()
    store = MemoryStore()
    store.tenants["a"] = {document.id: document}
    with gateway(keys, store, limits={"chunk": 65_536, "text": 1024}) as served:
        yield served
    keys.close()


@pytest.mark.parametrize(
    ("header", "part"),
    [
        (None, None),
        ("bytes=0-", Part(0, 100)),
        ("bytes=0-0", Part(0, 1)),
        ("bytes=10-19", Part(10, 20)),
        ("bytes=90-500", Part(90, 100)),
        ("bytes=-1", Part(99, 100)),
        ("bytes=-500", Part(0, 100)),
        ("bytes=5-4", None),
        ("bytes=-", None),
        ("bytes=1-2,4-5", None),
        ("items=0-1", None),
        ("bytes = 0-1", None),
        ("bytes=0x1-2", None),
        ("bytes=٠-١", None),
        ("bytes=0-99999999999999999999", None),
        ("bytes=--1", None),
        ("", None),
    ],
)
def test_ranges_are_read_as_the_rfc_says(header: str | None, part: Part | None) -> None:
    assert part_of(header, 100) == part


@pytest.mark.parametrize(
    ("header", "total"), [("bytes=100-", 100), ("bytes=200-300", 100), ("bytes=-0", 100), ("bytes=0-", 0)]
)
def test_ranges_without_a_byte_are_unsatisfiable(header: str, total: int) -> None:
    with pytest.raises(Unsatisfiable):
        part_of(header, total)


def test_the_whole_file_comes_in_chunks_with_its_headers(served: Gateway, document: Stored) -> None:
    with served.of("a") as client:
        reply = client.get(f"/v1/documents/{document.id}")
    assert reply.status_code == 200
    assert reply.content == FILE
    assert reply.headers["accept-ranges"] == "bytes"
    assert reply.headers["content-length"] == str(len(FILE))
    assert reply.headers["content-type"] == "application/pdf"
    assert reply.headers["etag"] == f'"{document.id}"'
    assert reply.headers["cache-control"] == "private, no-cache"
    assert reply.headers["content-disposition"].startswith("attachment")
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in reply.headers["content-security-policy"]


@pytest.mark.parametrize(("first", "last"), [(0, 0), (0, 65_535), (100_000, 300_000), (len(FILE) - 5, len(FILE) - 1)])
def test_a_range_comes_alone(served: Gateway, document: Stored, first: int, last: int) -> None:
    with served.of("a") as client:
        reply = client.get(f"/v1/documents/{document.id}", headers={"range": f"bytes={first}-{last}"})
    assert reply.status_code == 206
    assert reply.content == FILE[first : last + 1]
    assert reply.headers["content-range"] == f"bytes {first}-{last}/{len(FILE)}"
    assert reply.headers["content-length"] == str(last - first + 1)


def test_unsatisfiable_ranges_tell_the_size(served: Gateway, document: Stored) -> None:
    with served.of("a") as client:
        reply = client.get(f"/v1/documents/{document.id}", headers={"range": f"bytes={len(FILE)}-"})
    assert (reply.status_code, code_of(reply)) == (416, "range-unsatisfiable")
    assert reply.headers["content-range"] == f"bytes */{len(FILE)}"


def test_conditions_are_held_to(served: Gateway, document: Stored) -> None:
    etag = f'"{document.id}"'
    with served.of("a") as client:

        def status(**headers: str) -> int:
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            return client.get(f"/v1/documents/{document.id}", headers=names).status_code

        assert status(if_none_match=etag) == 304
        assert status(if_none_match=f'"x", W/{etag}') == 304
        assert status(if_none_match="*") == 304
        assert status(if_none_match='"x"') == 200
        assert status(range="bytes=0-9", if_range=etag) == 206
        assert status(range="bytes=0-9", if_range='"x"') == 200
        assert status(range="bytes=0-9", if_range=f"W/{etag}") == 200
        assert status(range="bytes=0-9", if_range="Wed, 21 Oct 2026 07:28:00 GMT") == 200


def test_head_has_the_headers_alone(served: Gateway, document: Stored) -> None:
    with served.of("a") as client:
        reply = client.head(f"/v1/documents/{document.id}", headers={"range": "bytes=0-9"})
        assert client.head(f"/v1/documents/{'0' * 64}").status_code == 404
    assert reply.status_code == 200
    assert reply.headers["content-length"] == str(len(FILE))
    assert reply.content == b""


@pytest.mark.parametrize(
    "id",
    ["0" * 64, "x", "..%2f..%2fetc%2fpasswd", "0" * 63, "A" * 64, "%00" * 64, "0" * 64 + "%0a", "'%20OR%201=1", "*"],
)
def test_ids_that_are_none_are_unknown(served: Gateway, id: str) -> None:
    with served.of("a") as client:
        for path in (f"/v1/documents/{id}", f"/v1/documents/{id}/text"):
            reply = client.get(path)
            assert reply.status_code == 404, path
            assert code_of(reply) in ("document-unknown", "not-found")


def test_a_file_that_is_gone_in_the_middle_breaks_off(served: Gateway, document: Stored) -> None:
    import httpx

    store = served.store
    original = store.file

    def gone(id: str, rights: object, start: int = 0, end: int | None = None) -> object:
        if start >= 65_536:
            del store.tenants["a"][id]
        return original(id, rights, start, end)  # type: ignore[arg-type]

    store.file = gone  # type: ignore[method-assign,assignment]
    try:
        with served.of("a") as client, pytest.raises(httpx.RemoteProtocolError):
            client.get(f"/v1/documents/{document.id}")
    finally:
        store.file = original  # type: ignore[method-assign]
        store.tenants["a"][document.id] = document


def test_text_is_given_in_bytes(served: Gateway, document: Stored) -> None:
    with served.of("a") as client:

        def text(query: str) -> tuple[int, str]:
            reply = client.get(f"/v1/documents/{document.id}/text?{query}")
            return reply.status_code, reply.json()["text"] if reply.is_success else code_of(reply)

        encoded = TEXT.encode()
        assert text("start=0&end=5") == (200, encoded[:5].decode())
        assert text("start=0&end=0") == (200, "")
        assert text(f"start={len(encoded) - 3}") == (200, encoded[-3:].decode())
        assert text("start=1&end=5") == (422, "bad-argument"), "in the middle of a character"
        assert text("start=0&end=8") == (200, encoded[:8].decode())
        assert text("start=9&end=3") == (422, "bad-argument")
        assert text(f"start=0&end={len(encoded) + 1}") == (422, "bad-argument")
        assert text("start=-1") == (422, "bad-argument")
        assert text("start=1e3") == (422, "bad-argument")
        assert text("start=99999999999999999999") == (422, "bad-argument")
        assert text("") == (413, "limit-exceeded")
