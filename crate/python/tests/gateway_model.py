"""A language model on loopback that replies, fails or waits, and notes what it is asked."""

from __future__ import annotations

import http.server
import json
import threading
import time
from typing import Any


class Model:
    """Speaks chat completions and messages. `text` is what it says, `status` how, after `pause` seconds."""

    def __init__(self) -> None:
        self.requests: list[tuple[dict[str, str], dict[str, Any]]] = []
        self.text = "Said by the model."
        self.status = 200
        self.pause = 0.0
        self.location = ""
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                model.requests.append(({name.lower(): value for name, value in self.headers.items()}, body))
                time.sleep(model.pause)
                said = {
                    "choices": [{"message": {"content": model.text}, "finish_reason": "stop"}],
                    "content": [{"type": "text", "text": model.text}],
                    "stop_reason": "end_turn",
                }
                reply = json.dumps(
                    said if model.status == 200 else {"error": {"message": "sk-secret is wrong"}}
                ).encode()
                self.send_response(model.status)
                if model.location:
                    self.send_header("location", model.location)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
