"""A real OpenAI-compatible server with a model that knows nothing: llama.cpp, as the PyPI package `xllamacpp`
carries it with its HTTP server, and the language model of random weights that `../nonsense.mjs` writes.

What is tested with it is the wire: what the server's own code accepts, refuses, streams and counts. What the model
says is nonsense in our vocabulary, the same for the same prompt (temperature 0, seeded weights). A grammar holds it
to JSON where a schema is asked for, so that every step of an answer can run.

    python3 server.py --model FILE.gguf [--port 0] [--cors-origins ORIGINS] [--key KEY]
        [--context TOKENS] [--as-page]

prints `listening on http://127.0.0.1:PORT/v1`, and serves until its
standard input is closed: so it ends with whoever started it. `run.mjs` does that, in the environment of
`requirements.txt`.
"""

import argparse
import importlib.metadata
import pathlib
import sys

N_CONTEXT = 32_768
NAME = "nonsense"


def serve(path, port, cors_origins, key, context, as_page):
    """Serves the model until standard input ends."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {NAME}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = context
    params.n_parallel = 1
    # One thread: for so small a model they would wait for each other most of the time.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    if as_page:
        # As the page runs a model itself.
        params.n_batch = 64
        params.n_ubatch = 64
    else:
        # A model of random weights says the same words again and again; each time they become less likely.
        params.sampling.penalty_last_n = 256
        params.sampling.penalty_freq = 1.0
    # Prompts are read anew each time: what is taken from a cache differs in the last bits, and so may the reply. The page
    # does take from one, and is asked the same in the same order.
    params.cache_prompt = as_page
    params.cache_ram_mib = 0
    params.endpoint_metrics = True
    params.ui = False
    if cors_origins is not None:
        params.cors_origins = cors_origins
        params.cors_origins_explicit = True
    if key:
        params.api_keys = [key]
    server = xllamacpp.Server(params)
    print(f"xllamacpp {importlib.metadata.version('xllamacpp')}, {path.stat().st_size} bytes of model", flush=True)
    print(f"listening on {server.listening_address}/v1", flush=True)
    sys.stdin.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--cors-origins")
    parser.add_argument("--key")
    parser.add_argument("--context", type=int, default=N_CONTEXT)
    parser.add_argument("--as-page", action="store_true")
    given = parser.parse_args()
    serve(given.model, given.port, given.cors_origins, given.key, given.context, given.as_page)


if __name__ == "__main__":
    main()
