"""`python -m pincite.gateway --config FILE.toml`, or `--demo` to try it out. `--help` has the rest."""

from __future__ import annotations

import argparse
import asyncio
import atexit
import contextlib
import logging
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pincite
from pincite.gateway import demo
from pincite.gateway.app import create_app
from pincite.gateway.serving import Server, bound
from pincite.gateway.settings import EndpointSettings, SettingsError, load
from pincite.stores import Store, StoreError, open_store


def main(arguments: list[str] | None = None) -> int:
    """Runs the gateway until a signal; the exit status: 0, or 2 for settings that cannot be used."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("pincite").setLevel(logging.INFO)
    try:
        with contextlib.ExitStack() as stack:
            server, listening = (_demo if options.demo else _configured)(options, stack)
            asyncio.run(server.serve([listening]))
    except (SettingsError, StoreError, pincite.PinciteError, OSError) as error:
        hint = getattr(error, "hint", "")
        print(f"pincite gateway: {error}" + (f" ({hint})" if hint else ""), file=sys.stderr)
        return 2
    return 0


def _configured(options: argparse.Namespace, stack: contextlib.ExitStack) -> tuple[Server, socket.socket]:
    settings = load(options.config)
    if settings.store is None:
        raise SettingsError(f"{options.config}: store: expected url or url_env")
    listening = stack.enter_context(bound(settings.server.host, settings.server.port))
    store = stack.enter_context(contextlib.closing(open_store(settings.store.resolve(os.environ))))
    encoder = pincite.Encoder(settings.model.directory) if settings.model.enabled else None
    return Server(create_app(settings, store, encoder), settings, _announce(listening)), listening


def _demo(options: argparse.Namespace, stack: contextlib.ExitStack) -> tuple[Server, socket.socket]:
    if not options.samples.is_dir():
        raise SettingsError(f"{options.samples}: no folder of samples (--samples)")
    if options.site is not None and not (options.site / "pincite-widget.js").is_file():
        raise SettingsError(f"{options.site}: no built page (--site), make one with ./build.sh")
    listening = stack.enter_context(bound("127.0.0.1", options.port))
    port: int = listening.getsockname()[1]
    data = options.data or _temporary()
    data.mkdir(parents=True, exist_ok=True)
    endpoint = None
    if options.llm:
        key_env = "PINCITE_API_KEY" if os.environ.get("PINCITE_API_KEY") else None
        endpoint = EndpointSettings(url=options.llm, model=options.llm_model, key_env=key_env)
    settings = demo.settings_of(port, options.site, data / "audit.jsonl", endpoint, origins=tuple(options.origin))
    encoder = None
    try:
        encoder = pincite.Encoder(options.models)
    except pincite.PinciteError as error:
        print(f"pincite gateway: {error}: search by words alone", file=sys.stderr)
    store = stack.enter_context(contextlib.closing(_demo_store(options.store, data)))
    demo.ingest(store, options.samples, encoder)
    app = create_app(settings, store, encoder, public=demo.PUBLIC)
    app.include_router(demo.router_of(demo.Issuer(f"http://127.0.0.1:{port}")))
    print(f"pincite gateway: audit log {data / 'audit.jsonl'}", file=sys.stderr)
    return Server(app, settings, _announce(listening)), listening


def _announce(listening: socket.socket) -> Callable[[], None]:
    host, port = listening.getsockname()[:2]
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return lambda: print(f"pincite gateway: http://{address}/", flush=True)


def _temporary() -> Path:
    """A folder that is deleted at the end, after the embedded store, which registers its own end later, has stopped."""
    folder = Path(tempfile.mkdtemp(prefix="pincite-demo-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _demo_store(kind: str, data: Path) -> Store:
    urls = {"postgres": f"pgserver:{data / 'postgres'}", "milvus": f"milvus:{data / 'milvus.db'}"}
    return open_store(urls.get(kind, kind))


def _parser() -> argparse.ArgumentParser:
    root = Path(__file__).resolve().parents[4]
    parser = argparse.ArgumentParser(prog="python -m pincite.gateway", description="HTTP gateway of Pincite.")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--config", type=Path, metavar="FILE.toml", help="settings; settings.py describes each")
    which.add_argument("--demo", action="store_true", help="samples in an embedded store, on this machine only")
    group = parser.add_argument_group("demo")
    group.add_argument("--port", type=int, default=8080, help="0 for any [8080]")
    group.add_argument("--site", type=Path, metavar="DIR", help="the built page, dist/site")
    group.add_argument("--samples", type=Path, metavar="DIR", default=root / "target/samples", help="[target/samples]")
    models = root / "models/build"
    group.add_argument("--models", type=Path, metavar="DIR", default=models, help="the embedding model [models/build]")
    group.add_argument("--store", default="postgres", metavar="KIND", help="postgres, milvus, or a URL [postgres]")
    group.add_argument("--data", type=Path, metavar="DIR", help="where the store lies [a folder that is deleted]")
    group.add_argument("--origin", action="append", default=[], help="page of another origin that may ask; repeatable")
    group.add_argument("--llm", metavar="BASE_URL", help="language model; its key in PINCITE_API_KEY")
    group.add_argument("--llm-model", metavar="NAME", default="default", help="its name")
    return parser


def _leave(status: int) -> NoReturn:
    """Ends the process. Python would wait for a thread that waits for a language model, which can take minutes."""
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    _leave(main())
