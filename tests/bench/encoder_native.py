#!/usr/bin/env python3
"""Speed of the encoder natively: tokens a second of the engine and of onnxruntime, fp32 and int8, one thread each, in turn.

    python3 tests/bench/encoder_native.py COMPARE [--embed PROGRAM] [--rounds N]

COMPARE is what encoder_models.py made. PROGRAM is the example `embed` of `crate/encoder`, as `cargo test --workspace --no-run`
builds it. Prints a line for each set of texts, of medians; encoder.txt keeps them.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BATCH_TOKENS = 512


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("compare", type=Path)
    parser.add_argument("--embed", type=Path, default=ROOT / "target/debug/examples/embed")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    venv = options.compare / "venv"
    if Path(sys.prefix).resolve() != venv.resolve():
        sys.exit(subprocess.run([str(venv / "bin/python"), __file__, *sys.argv[1:]]).returncode)
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    sessions = {
        which: onnxruntime.InferenceSession(str(options.compare / f"{which}.onnx"), settings)
        for which in ["fp32", "int8"]
    }
    print(f"onnxruntime {onnxruntime.__version__}, one thread each; medians of {options.rounds}")
    for case in json.loads((options.compare / "cases.json").read_text()):
        rates = {which: [] for which in ["engine", *sessions]}
        for _ in range(options.rounds):
            rates["engine"].append(engine(options.embed, case["texts"]))
            for which, session in sessions.items():
                rates[which].append(other(session, case["ids"]))
        rate = {which: statistics.median(found) for which, found in rates.items()}
        print(
            f"{case['name']}: tokens a second {rate['engine']:.0f}, fp32 {rate['fp32']:.0f}, int8 {rate['int8']:.0f}; "
            f"{rate['engine'] / rate['fp32']:.2f} of fp32, {rate['engine'] / rate['int8']:.2f} of int8"
        )


def engine(program: Path, texts: list) -> float:
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as lines:
        lines.write("\n".join(" ".join(text.split()) for text in texts))
        lines.flush()
        command = [str(program), str(ROOT / "models/build"), lines.name]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    return float(re.search(r"([\d.]+) tokens/s", said).group(1))


def other(session, ids: list) -> float:
    """Texts of one length together, as the engine does."""
    import numpy

    groups = {}
    for text in ids:
        groups.setdefault(len(text), []).append(text)
    batches = []
    for length, group in groups.items():
        size = max(1, BATCH_TOKENS // length)
        batches += [numpy.array(group[at : at + size], dtype=numpy.int64) for at in range(0, len(group), size)]
    begun = time.perf_counter()
    for batch in batches:
        session.run(None, {"input_ids": batch})
    return sum(map(len, ids)) / (time.perf_counter() - begun)


if __name__ == "__main__":
    main()
