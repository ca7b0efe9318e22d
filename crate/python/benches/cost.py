#!/usr/bin/env python3
"""Cost of ingest up to 10^8 passages, as arithmetic over the figures that ingest.py measured.

    python crate/python/benches/ingest.py --json figures.json
    python crate/python/benches/cost.py figures.json [--pages-per-document 30] [--cores 64] …

Nothing here is measured: every column is a formula, which is printed above the table, over measured figures and over
assumptions, which are arguments. The speed of a GPU is such an assumption, by the arithmetic of the model: no GPU was
there to measure.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SIZES = (10**5, 10**6, 10**7, 10**8)

LAYERS, HIDDEN, INNER = 6, 384, 1536
"""Sizes of all-MiniLM-L6-v2 (models/export.py)."""


@dataclass(frozen=True)
class Measured:
    """Figures of ingest.py, for one passage."""

    passages_per_page: float
    tokens_per_passage: float
    read_s: float
    """Time of a core to fetch and read what makes a passage, in seconds."""
    embed_s: float
    put_s: float
    ray: float
    """Ray's overhead per file, as a share; its fixed time does not count at these sizes."""
    stored_bytes: float
    """Bytes of Parquet: segment, texts, vector."""
    vector_bytes: float
    file_bytes: float

    @classmethod
    def of(cls, figures: dict[str, Any]) -> Measured:
        """The figures of a file that ingest.py wrote."""
        n, stages = figures["vectors"], figures["stage_seconds"]
        return cls(
            passages_per_page=n / figures["pages"],
            tokens_per_passage=figures["tokens"] / n,
            read_s=(stages["fetch"] + stages["read"]) / n,
            embed_s=stages["embed"] / n,
            put_s=stages["put"] / n,
            ray=max(0.0, figures["overhead"].get("per_file", figures["overhead"]["total"])),
            stored_bytes=figures["stored_bytes_a_passage"],
            vector_bytes=figures["vector_bytes_a_passage"],
            file_bytes=figures["file_bytes"] / n,
        )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("figures", type=Path, help="what ingest.py --json wrote")
    parser.add_argument("--cores", type=int, default=64, help="cores of the cluster [%(default)s]")
    parser.add_argument(
        "--core-price", type=float, default=0.04, help="price of a core and hour, assumed [%(default)s]"
    )
    parser.add_argument(
        "--gpu-flops", type=float, default=30e12, help="f32 operations a second of a GPU, by its maker [%(default)g]"
    )
    parser.add_argument(
        "--gpu-share", type=float, default=0.3, help="share of them that is reached, assumed [%(default)s]"
    )
    parser.add_argument("--gpu-price", type=float, default=0.80, help="price of a GPU and hour, assumed [%(default)s]")
    parser.add_argument("--pages-per-document", type=float, default=30, help="assumed [%(default)s]")
    options = parser.parse_args()
    measured = Measured.of(json.loads(options.figures.read_text()))
    print(explained(measured, options))
    print(table(measured, options))


def flops_per_token(n_tokens: float) -> float:
    """Operations of the encoder for a token of a text of so many: matrices, and attention to the others."""
    matrices = LAYERS * (4 * HIDDEN * HIDDEN + 2 * HIDDEN * INNER)
    attention = LAYERS * 2 * n_tokens * HIDDEN
    return 2 * (matrices + attention)


def gpu_s(measured: Measured, options: argparse.Namespace) -> float:
    """Time of a GPU to embed a passage, in seconds."""
    tokens = measured.tokens_per_passage
    return float(tokens * flops_per_token(tokens) / (options.gpu_flops * options.gpu_share))


def explained(measured: Measured, options: argparse.Namespace) -> str:
    """The figures and formulas."""
    tokens = measured.tokens_per_passage
    read, embed, put = (1000 * seconds for seconds in (measured.read_s, measured.embed_s, measured.put_s))
    core, gpu, share = options.core_price, options.gpu_price, options.gpu_share
    return f"""Measured, for one passage: {1 / measured.passages_per_page:.2f} pages, {tokens:.0f} tokens;
of a core {read:.2f} ms to read, {embed:.2f} ms to embed ({tokens / measured.embed_s:,.0f} tokens a second),
{put:.2f} ms to write; Ray takes {measured.ray:.1%}; Parquet {measured.stored_bytes:,.0f} bytes,
of which the vector is {measured.vector_bytes:,.0f}; of the file {measured.file_bytes:,.0f} bytes.

Assumed: {options.pages_per_document:g} pages a document; {core} a core and hour, {gpu} a GPU and hour;
a GPU reaches {share:.0%} of {options.gpu_flops / 1e12:g} · 10¹² operations a second, of which a token needs
2 · (6 · (4 · 384² + 2 · 384 · 1536) + 6 · 2 · {tokens:.0f} · 384) = {flops_per_token(tokens) / 1e6:.1f} · 10⁶:
{tokens / gpu_s(measured, options):,.0f} tokens a second (not measured).

- core hours = passages · (read + embed + write) · (1 + Ray) / 3,600; with GPUs without "embed"
- days = core hours / {options.cores} cores / 24
- GPU hours = passages · tokens · operations / (operations a second) / 3,600
- cost = core hours · {core}; with GPUs core hours · {core} + GPU hours · {gpu}
- documents = passages · pages a passage / {options.pages_per_document:g}
"""


def table(measured: Measured, options: argparse.Namespace) -> str:
    """The table."""
    head = ["passages", "documents", "pages", "core hours", f"days on {options.cores} cores", "cost"]
    head += ["core hours with GPUs", "GPU hours", "cost with GPUs", "Parquet", "of which vectors", "files"]
    lines = [f"| {' | '.join(head)} |", "|---:" * len(head) + "|"]
    for n in SIZES:
        pages = n / measured.passages_per_page
        without = n * (measured.read_s + measured.put_s) * (1 + measured.ray) / 3600
        core_hours = without + n * measured.embed_s * (1 + measured.ray) / 3600
        gpu_hours = n * gpu_s(measured, options) / 3600
        cells = [
            power(n),
            f"{pages / options.pages_per_document:,.0f}",
            f"{pages:,.0f}",
            rounded(core_hours),
            rounded(core_hours / options.cores / 24),
            rounded(core_hours * options.core_price),
            rounded(without),
            rounded(gpu_hours),
            rounded(without * options.core_price + gpu_hours * options.gpu_price),
            size(n * measured.stored_bytes),
            size(n * measured.vector_bytes),
            size(n * measured.file_bytes),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def power(n: int) -> str:
    """A power of ten."""
    return "10" + str(len(str(n)) - 1).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def rounded(value: float) -> str:
    """A number to two digits, or whole from ten on."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def size(n_bytes: float) -> str:
    """A size in the largest unit of which it has one."""
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if n_bytes >= scale:
            return f"{n_bytes / scale:.3g} {unit}"
    return f"{n_bytes / 1e3:.3g} kB"


if __name__ == "__main__":
    main()
