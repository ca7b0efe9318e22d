"""A real OpenAI-compatible server with a model that knows nothing: llama.cpp, as the PyPI package `xllamacpp`
carries it with its HTTP server, and a language model of random weights, written here.

What is tested with it is the wire: what the server's own code accepts, refuses, streams and counts. What the model
says is nonsense in our vocabulary, the same for the same prompt (temperature 0, seeded weights). A grammar holds it
to JSON where a schema is asked for, so that every step of an answer can run.

    python3 server.py --model FILE.gguf [--port 0] [--cors-origins ORIGINS] [--key KEY]
        [--context TOKENS]

writes the model where FILE is not there yet, prints `listening on http://127.0.0.1:PORT/v1`, and serves until its
standard input is closed: so it ends with whoever started it. `run.mjs` does that, in the environment of
`requirements.txt`.
"""

import argparse
import collections
import importlib.metadata
import pathlib
import re
import sys

SEED = 7
N_MERGES = 700
N_CONTEXT = 32_768
N_LAYERS = 2
N_HEADS = 4
N_EMBEDDING = 64
N_FEED_FORWARD = 128
NAME = "nonsense"
PROMPTS = pathlib.Path(__file__).resolve().parents[3] / "crate/answer/src/prompts"

# Each message in a turn of its own, as instruction models have it.
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|{{ message.role }}|>\n{{ message.content }}{{ eos_token }}\n"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)
# Marks of passages are pieces of their own: so what the model says cites something, wrongly.
N_MARKS = 5
# How much likelier than a word a token is that ends something: without it most replies end at the limit alone.
LEANINGS = {"</s>": 2.5, '"': 3.0, ".": 3.0, "]": 2.0, "}": 2.0} | {f"[P{n}]": 3.0 for n in range(1, N_MARKS + 1)}


def vocabulary():
    """Pieces with their scores and kinds, as llama's tokenizer has them: the special ones, all bytes, single
    characters, and what merging the most frequent neighbours of our own prompts gives (byte pair encoding)."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(PROMPTS.glob("*.txt")))
    words = collections.Counter("▁" + word for word in re.findall(r"[A-Za-z]+|[^A-Za-z\s]", text))
    split = {word: list(word) for word in words}
    merges = []
    for _ in range(N_MERGES):
        pairs = collections.Counter()
        for word, pieces in split.items():
            for pair in zip(pieces, pieces[1:]):
                pairs[pair] += words[word]
        if not pairs:
            break
        # Equal counts in the order of the letters: the same vocabulary everywhere.
        left, right = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(left + right)
        for word, pieces in split.items():
            at = 0
            while at + 1 < len(pieces):
                if pieces[at] == left and pieces[at + 1] == right:
                    pieces[at : at + 2] = [left + right]
                at += 1
    characters = ["▁", *(chr(code) for code in range(0x21, 0x7F))]
    known = dict.fromkeys(characters + merges)
    special = [("<unk>", 0.0, 2), ("<s>", 0.0, 3), ("</s>", 0.0, 3)]
    octets = [(f"<0x{octet:02X}>", 0.0, 6) for octet in range(256)]
    marks = [(f"[P{n}]", 0.0, 4) for n in range(1, N_MARKS + 1)]
    # Earlier merges first: a higher score is merged earlier.
    return special + octets + marks + [(piece, -float(rank), 1) for rank, piece in enumerate(known)]


def write_model(path):
    """Writes the model: the architecture of Llama, two layers, weights from a seeded generator."""
    import gguf
    import numpy

    pieces = vocabulary()
    random = numpy.random.default_rng(SEED)

    def weights(rows, columns):
        return (random.standard_normal((rows, columns)) / numpy.sqrt(columns)).astype(numpy.float16)

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name(NAME)
    writer.add_context_length(N_CONTEXT)
    writer.add_embedding_length(N_EMBEDDING)
    writer.add_block_count(N_LAYERS)
    writer.add_feed_forward_length(N_FEED_FORWARD)
    writer.add_head_count(N_HEADS)
    writer.add_head_count_kv(N_HEADS)
    writer.add_rope_dimension_count(N_EMBEDDING // N_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(pieces))
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([piece for piece, _, _ in pieces])
    writer.add_token_scores([score for _, score, _ in pieces])
    writer.add_token_types([kind for _, _, kind in pieces])
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(False)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(TEMPLATE)

    # The first dimension is the same for every token, and no layer writes to it: by it the output leans.
    embedding = weights(len(pieces), N_EMBEDDING) * 4
    embedding[:, 0] = 1
    output = weights(len(pieces), N_EMBEDDING) * 3
    output[:, 0] = [LEANINGS.get(piece, 0.0 if kind == 1 else -20.0) for piece, _, kind in pieces]
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output.weight", output)
    writer.add_tensor("output_norm.weight", numpy.ones(N_EMBEDDING, dtype=numpy.float32))
    for layer in range(N_LAYERS):
        shapes = {
            "attn_q": (N_EMBEDDING, N_EMBEDDING),
            "attn_k": (N_EMBEDDING, N_EMBEDDING),
            "attn_v": (N_EMBEDDING, N_EMBEDDING),
            "attn_output": (N_EMBEDDING, N_EMBEDDING),
            "ffn_gate": (N_FEED_FORWARD, N_EMBEDDING),
            "ffn_up": (N_FEED_FORWARD, N_EMBEDDING),
            "ffn_down": (N_EMBEDDING, N_FEED_FORWARD),
        }
        for name, (rows, columns) in shapes.items():
            matrix = weights(rows, columns)
            if name in ("attn_output", "ffn_down"):
                matrix[0, :] = 0
            writer.add_tensor(f"blk.{layer}.{name}.weight", matrix)
        for name in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{layer}.{name}.weight", numpy.ones(N_EMBEDDING, dtype=numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def serve(path, port, cors_origins, key, context):
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
    # A model of random weights says the same words again and again; each time they become less likely.
    params.sampling.penalty_last_n = 256
    params.sampling.penalty_freq = 1.0
    # Prompts are read anew each time: what is taken from a cache differs in the last bits, and so may the reply.
    params.cache_prompt = False
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
    given = parser.parse_args()
    if not given.model.exists():
        given.model.parent.mkdir(parents=True, exist_ok=True)
        write_model(given.model)
    serve(given.model, given.port, given.cors_origins, given.key, given.context)


if __name__ == "__main__":
    main()
