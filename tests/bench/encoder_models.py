#!/usr/bin/env python3
"""Makes what encoder.mjs compares with: the encoder in fp32, the same quantised by onnxruntime, and texts.

    python3 tests/bench/encoder_models.py OUT PASSAGES      PASSAGES: a .jsonl.gz with one `text` a line

int8 is onnxruntime's dynamic quantisation, per channel, of the very same weights. The texts are 32 passages cut to 128
tokens and 188 passages as they are, drawn evenly. Needs PyPI for onnxruntime (once; OUT/venv).
"""

import gzip
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    out, passages = Path(sys.argv[1]), Path(sys.argv[2])
    python = out / "venv/bin/python"
    if not python.is_file():
        out.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", str(out / "venv")], check=True)
        packages = ["onnxruntime==1.32.0", "onnx", "tokenizers", "sympy"]
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages], check=True)
    if Path(sys.prefix).resolve() != (out / "venv").resolve():
        sys.exit(subprocess.run([str(python), __file__, *sys.argv[1:]]).returncode)
    export = [sys.executable, str(ROOT / "models/export.py"), "--weights", "f32", "--out", str(out / "f32")]
    subprocess.run(export, check=True, stdout=subprocess.DEVNULL)
    (out / "f32/model.onnx").replace(out / "fp32.onnx")

    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(out / "fp32.onnx", out / "int8.onnx", weight_type=QuantType.QInt8, per_channel=True)
    (out / "cases.json").write_text(json.dumps(cases(passages)))


def cases(passages: Path) -> list:
    from tokenizers import BertWordPieceTokenizer

    tokenizer = BertWordPieceTokenizer(str(ROOT / "models/build/vocab.txt"), lowercase=True)
    tokenizer.enable_truncation(256)
    with gzip.open(passages, "rt") as lines:
        texts = [text for line in lines if len(text := json.loads(line)["text"].strip()) > 10]
    even = texts[:: len(texts) // 188][:188]
    cut = []
    for text in texts:
        words = text.split()
        for n in range(len(words), 20, -1):
            length = len(tokenizer.encode(" ".join(words[:n])).ids)
            if length == 128:
                cut.append(" ".join(words[:n]))
            if length <= 128:
                break
        if len(cut) == 32:
            break
    return [
        {"name": name, "texts": chosen, "ids": [tokenizer.encode(text).ids for text in chosen]}
        for name, chosen in [("32 texts of 128 tokens", cut), ("188 passages as they are", even)]
    ]


if __name__ == "__main__":
    main()
