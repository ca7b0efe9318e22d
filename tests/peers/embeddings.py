#!/usr/bin/env python3
"""An OpenAI-compatible `/v1/embeddings` on loopback: all-MiniLM-L6-v2, for peers that would ask OpenAI by default.

    python3 tests/peers/embeddings.py --model models/build --cache FILE [--port 8474]

The model is the one that Pincite searches with, byte for byte, run by onnxruntime; texts are cut at its 256 word pieces,
as sentence-transformers cuts them. It has no attention mask, so texts of a batch have one length. Vectors are kept in
FILE by the hash of their text: a peer that runs again, or another with the same passages, waits for nothing.
`GET /health` answers when the model is loaded. About 2,000 word pieces a second on one shared core.
"""

import argparse
import base64
import json
import sqlite3
import threading
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy
import onnxruntime
from tokenizers import BertWordPieceTokenizer

MAX_PIECES = 256
BATCH_PIECES = 4096


class Encoder:
    """Texts to unit vectors, one thread at a time."""

    def __init__(self, folder, cache):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
        self.tokenizer = BertWordPieceTokenizer(str(folder / "vocab.txt"), lowercase=True)
        self.tokenizer.enable_truncation(MAX_PIECES)
        self.lock = threading.Lock()
        self.kept = sqlite3.connect(cache, check_same_thread=False)
        self.kept.execute("create table if not exists vectors (key blob primary key, vector blob)")

    def vectors(self, texts):
        """Vectors of the texts in their order."""
        keys = [sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        with self.lock:
            known = {key: row[0] for key in set(keys) for row in self.kept.execute("select vector from vectors where key = ?", (key,))}
            missing = {key: text for key, text in zip(keys, texts) if key not in known}
            made = self.encode(list(missing.values()))
            new = {key: vector.astype("<f4").tobytes() for key, vector in zip(missing, made)}
            self.kept.executemany("insert or replace into vectors values (?, ?)", new.items())
            self.kept.commit()
        known.update(new)
        return [numpy.frombuffer(known[key], "<f4") for key in keys]

    def encode(self, texts):
        ids = [encoded.ids for encoded in self.tokenizer.encode_batch(texts)]
        vectors, by_length = [None] * len(ids), {}
        for at, pieces in enumerate(ids):
            by_length.setdefault(len(pieces), []).append(at)
        for length, places in by_length.items():
            size = max(1, BATCH_PIECES // length)
            for start in range(0, len(places), size):
                batch = places[start : start + size]
                rows = self.session.run(None, {"input_ids": numpy.array([ids[at] for at in batch], dtype=numpy.int64)})[0].mean(axis=1)
                rows /= numpy.linalg.norm(rows, axis=1, keepdims=True)
                for at, row in zip(batch, rows):
                    vectors[at] = row
        return vectors


def handler(encoder):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            self.answer({"status": "ok"})

        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
            packed = asked.get("encoding_format") == "base64"
            write = (lambda v: base64.b64encode(v.tobytes()).decode()) if packed else (lambda v: v.tolist())
            data = [{"object": "embedding", "index": at, "embedding": write(v)} for at, v in enumerate(encoder.vectors(texts))]
            self.answer({"object": "list", "model": asked.get("model"), "data": data, "usage": {"prompt_tokens": 0, "total_tokens": 0}})

        def answer(self, value):
            body = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--port", type=int, default=8474)
    args = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", args.port), handler(Encoder(args.model, args.cache)))
    print(f"http://127.0.0.1:{args.port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
