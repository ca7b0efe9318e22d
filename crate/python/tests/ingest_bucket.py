"""A bucket on this machine: as much of S3 as reading files and writing Parquet need."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

MODIFIED = 1_700_000_000


@contextmanager
def bucket(objects: dict[str, bytes], failures: dict[str, int] | None = None) -> Iterator[str]:
    """Serves objects of the bucket ``archive`` by key, and gives the query of their URI.

    ``failures`` are the number of times that a key is answered with 503 before it is served.
    """
    parts: dict[tuple[str, int], bytes] = {}
    failing = failures if failures is not None else {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path, query = self.address()
            if "list-type" in query:
                self.reply(200, listing(objects, query.get("prefix", [""])[0], query.get("delimiter", [""])[0]))
            else:
                self.give(path)

        def do_HEAD(self) -> None:
            self.give(self.address()[0])

        def do_POST(self) -> None:
            """Begins or ends an upload in parts."""
            path, query = self.address()
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            if "uploads" in query:
                self.reply(
                    200, b"<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>"
                )
                return
            objects[path] = b"".join(parts.pop(part) for part in sorted(parts) if part[0] == path)
            self.reply(200, b'<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>')

        def do_PUT(self) -> None:
            body = self.body()
            if self.headers.get("Content-Encoding") == "aws-chunked":
                body = unchunked(body)
            path, query = self.address()
            if "partNumber" in query:
                parts[path, int(query["partNumber"][0])] = body
            else:
                objects[path] = body
            self.reply(200, b"", {"ETag": '"1"'})

        def do_DELETE(self) -> None:
            objects.pop(self.address()[0], None)
            self.reply(204, b"")

        def body(self) -> bytes:
            if self.headers.get("Transfer-Encoding") != "chunked":
                return self.rfile.read(int(self.headers.get("Content-Length", "0")))
            content = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                content += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return content

        def address(self) -> tuple[str, dict[str, list[str]]]:
            parts = urlsplit(self.path)
            return unquote(parts.path).removeprefix("/archive").lstrip("/"), parse_qs(
                parts.query, keep_blank_values=True
            )

        def give(self, key: str) -> None:
            if failing.get(key, 0) > 0 and self.command == "GET":
                failing[key] -= 1
                self.reply(503, b"<Error><Code>InternalError</Code></Error>")
                return
            if key not in objects:
                self.reply(404, b"<Error><Code>NoSuchKey</Code></Error>" if self.command == "GET" else b"")
                return
            content, status, more = objects[key], 200, {}
            if "Range" in self.headers:
                first, last = self.headers["Range"].removeprefix("bytes=").split("-")
                content, status = content[int(first) : int(last) + 1], 206
                more = {"Content-Range": f"bytes {first}-{last}/{len(objects[key])}"}
            self.reply(status, content, more)

        def reply(self, status: int, body: bytes, more: dict[str, str] | None = None) -> None:
            self.send_response(status)
            headers = {"Last-Modified": formatdate(MODIFIED, usegmt=True), "Content-Length": str(len(body))}
            for name, value in {**headers, **(more or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"region=eu-west-1&scheme=http&endpoint_override=127.0.0.1%3A{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def listing(objects: dict[str, bytes], prefix: str, delimiter: str) -> bytes:
    """Reply to ListObjectsV2."""
    contents, prefixes = [], set()
    for key, content in sorted(objects.items()):
        if not key.startswith(prefix):
            continue
        rest = key[len(prefix) :]
        if delimiter and delimiter in rest:
            prefixes.add(prefix + rest.split(delimiter)[0] + delimiter)
            continue
        contents.append(
            f"<Contents><Key>{escape(key)}</Key><Size>{len(content)}</Size>"
            "<LastModified>2023-11-14T22:13:20.000Z</LastModified></Contents>"
        )
    common = "".join(f"<CommonPrefixes><Prefix>{escape(found)}</Prefix></CommonPrefixes>" for found in sorted(prefixes))
    return (
        '<?xml version="1.0"?><ListBucketResult><Name>archive</Name><IsTruncated>false</IsTruncated>'
        f"<KeyCount>{len(contents)}</KeyCount>{''.join(contents)}{common}</ListBucketResult>"
    ).encode()


def unchunked(body: bytes) -> bytes:
    """Content of a body in S3's own chunks, which have checksums."""
    content = b""
    while body:
        head, _, body = body.partition(b"\r\n")
        size = int(head.split(b";")[0] or b"0", 16)
        if not size:
            break
        content, body = content + body[:size], body[size + 2 :]
    return content
