#!/usr/bin/env python3
"""Speed of ingest: files and pages a second, with one worker and with two, and Ray's overhead over the plain loop.

    python crate/python/benches/ingest.py [--files 100 1000] [--rounds 3] [--json figures.json]

The files are the three sample PDFs (`./build.sh test` makes them: 6 to 8 pages, 35 passages on average), in turn, each
made another file by a comment at its end. Each configuration is a process of its own, from its start to its end, and
the configurations take turns, so that what else the machine does falls on all of them. Figures are medians.

Two sizes tell Ray's fixed time (its start, the actors, its end) from its time per file: overhead = fixed + n · per
file.

"Outside" is the time of a run that no worker spends on the steps of a file: interpreter, Ray, the model's loading,
waiting. It tells Ray's overhead even where the speed of embedding varies from run to run.

Needs a quiet machine, also because Ray gives its workers a low priority (`RAY_worker_niceness`, 15). Three rounds of
1,000 files take about an hour on two cores. `--encoder none` shows the worst case: reading alone is 20 times as fast
as reading and embedding, and what Ray takes stays the same.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parents[1]
SAMPLES = [ROOT / "target/samples" / name for name in ("contract.pdf", "opinion.pdf", "rulebook.pdf")]
CONFIGURATIONS = {
    "plain loop": ["--no-ray"],
    "Ray, 1 worker": ["--workers", "1"],
    "Ray, 2 workers": ["--workers", "2"],
}
PLAIN, ONE, TWO = CONFIGURATIONS


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--files", type=int, nargs="+", default=[100, 1000], help="sizes of the runs, in files")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--encoder", default="native", choices=["native", "onnx", "none"])
    parser.add_argument("--out", default="parquet", choices=["parquet", "milvus", "pgserver"])
    parser.add_argument("--json", type=Path, help="file for the figures, which cost.py reads")
    options = parser.parse_args()

    runs: dict[tuple[str, int], list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
        for n_files in options.files:
            make_files(Path(folder) / str(n_files), n_files)
        for number in range(options.rounds):
            for n_files in options.files:
                # Every other round the other way round.
                for name in list(CONFIGURATIONS)[:: -1 if number % 2 else 1]:
                    found = measure(Path(folder), n_files, name, options)
                    runs.setdefault((name, n_files), []).append(found)
                    print(f"round {number + 1}: {name}, {n_files} files: {found['wall']:.1f} s", file=sys.stderr)
    figures = summed_up(runs, options)
    report(figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


def make_files(folder: Path, n_files: int) -> None:
    """Distinct files of the samples, in turn."""
    folder.mkdir()
    for number in range(n_files):
        sample = SAMPLES[number % len(SAMPLES)]
        (folder / f"{sample.stem}-{number:05}.pdf").write_bytes(
            sample.read_bytes() + f"\n% copy {number:05}\n".encode()
        )


def measure(folder: Path, n_files: int, name: str, options: argparse.Namespace) -> dict[str, Any]:
    """Times and counts of a run."""
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    url = f"milvus:{out}/library.db" if options.out == "milvus" else f"{options.out}:{out}/library"
    environment = {"PINCITE_MODELS": str(ROOT / "models/build"), **os.environ, "PYTHONPATH": str(PACKAGE)}
    begun = time.perf_counter()
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pincite.ingest", "--json", "--quiet", "--encoder", options.encoder),
            *("--input", str(folder / str(n_files)), "--out", url, *CONFIGURATIONS[name]),
        ],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    wall = time.perf_counter() - begun
    if done.returncode != 0:
        raise SystemExit(f"{name}: status {done.returncode}: {done.stdout[-500:]} {done.stderr[-2000:]}")
    summary = json.loads(done.stdout)
    if summary["files"]["done"] != n_files:
        raise SystemExit(f"{name}: {summary['files']} of {n_files} files")
    return {"wall": wall, "summary": summary}


def stored_bytes() -> dict[str, float]:
    """Bytes of Parquet for a passage, of the samples alone: copies would be stored together in less."""
    import pyarrow.parquet

    from pincite.ingest import Settings, run

    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
        out = Path(folder) / "library"
        settings = Settings(
            inputs=tuple(map(str, SAMPLES)), outs=(f"parquet:{out}",), models=ROOT / "models/build", ray=False
        )
        n = run(settings).progress.n_vectors
        total, vectors = 0, 0
        for file in out.rglob("*.parquet"):
            group = pyarrow.parquet.ParquetFile(file).metadata.row_group(0)
            columns = [group.column(column) for column in range(group.num_columns)]
            total += sum(column.total_compressed_size for column in columns)
            vectors += sum(
                column.total_compressed_size for column in columns if column.path_in_schema.startswith("vector")
            )
    return {"stored_bytes_a_passage": total / n, "vector_bytes_a_passage": vectors / n}


def summed_up(runs: dict[tuple[str, int], list[dict[str, Any]]], options: argparse.Namespace) -> dict[str, Any]:
    """Medians of the runs, and what they say of a file and of a worker's work."""
    walls = {key: statistics.median(run["wall"] for run in found) for key, found in runs.items()}
    largest, smallest = max(options.files), min(options.files)
    plain = runs[PLAIN, largest]
    counts = plain[0]["summary"]
    stages = {
        stage: statistics.median(run["summary"]["seconds"][stage] for run in plain)
        for stage in ("fetch", "read", "embed", "put")
    }
    overhead: dict[str, float] = {"total": walls[ONE, largest] / walls[PLAIN, largest] - 1}
    if smallest < largest:
        per_file = {
            name: (walls[name, largest] - walls[name, smallest]) / (largest - smallest) for name in CONFIGURATIONS
        }
        overhead |= {
            "per_file_s": per_file[ONE] - per_file[PLAIN],
            "per_file": per_file[ONE] / per_file[PLAIN] - 1,
            "fixed_s": walls[ONE, largest] - walls[PLAIN, largest] - (per_file[ONE] - per_file[PLAIN]) * largest,
        }
    return {
        "machine": {"cores": os.cpu_count(), "processor": processor(), "python": platform.python_version()},
        "options": {"files": options.files, "rounds": options.rounds, "encoder": options.encoder, "out": options.out},
        "walls": [
            {
                "name": name,
                "files": n_files,
                "median": walls[name, n_files],
                "least": min(run["wall"] for run in found),
                "most": max(run["wall"] for run in found),
                "outside": statistics.median(outside(name, run) for run in found),
            }
            for (name, n_files), found in runs.items()
        ],
        "files": largest,
        "pages": counts["pages"],
        "passages": counts["passages"],
        "vectors": counts["vectors"],
        "tokens": counts["tokens"],
        "file_bytes": counts["bytes"],
        **stored_bytes(),
        "stage_seconds": stages,
        "overhead": overhead,
    }


def report(figures: dict[str, Any]) -> None:
    """Prints the figures as Markdown."""
    options, machine = figures["options"], figures["machine"]
    print(
        f"{machine['cores']} cores ({machine['processor']}), Python {machine['python']}; encoder {options['encoder']}, "
    )
    print(f"output {options['out']}; medians of {options['rounds']} rounds, in parentheses least and most.\n")
    print("| configuration | files | seconds | outside | files/s | pages/s | files/s a core | pages/s a core |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    pages = figures["pages"] / figures["files"]
    for row in sorted(figures["walls"], key=lambda row: (row["files"], list(CONFIGURATIONS).index(row["name"]))):
        rate = row["files"] / row["median"]
        cores = n_workers(row["name"])
        seconds = f"{row['median']:.1f} ({row['least']:.1f} to {row['most']:.1f})"
        print(
            f"| {row['name']} | {row['files']:,} | {seconds} | {row['outside']:.1f} | {rate:.2f} | {rate * pages:.1f} "
            f"| {rate / cores:.2f} | {rate / cores * pages:.1f} |"
        )
    overhead = figures["overhead"]
    print(f"\nRay's overhead over the plain loop at {figures['files']:,} files: {overhead['total']:.1%} in all", end="")
    if "fixed_s" in overhead:
        print(
            f": {overhead['fixed_s']:.1f} s fixed,",
            f"{overhead['per_file_s'] * 1000:.1f} ms a file ({overhead['per_file']:.1%})",
            end="",
        )
    stages, n_files = figures["stage_seconds"], figures["files"]
    print(".\n\n| stage | ms a file | ms a page | share |\n|---|---:|---:|---:|")
    for stage, seconds in stages.items():
        share = seconds / max(sum(stages.values()), 1e-9)
        print(f"| {stage} | {seconds / n_files * 1000:.1f} | {seconds / figures['pages'] * 1000:.2f} | {share:.0%} |")


def n_workers(name: str) -> int:
    """Workers of a configuration; each has a core."""
    return 2 if name == TWO else 1


def outside(name: str, run: dict[str, Any]) -> float:
    """Time of a run that its workers do not spend on the steps of a file, in seconds."""
    seconds = dict(run["summary"]["seconds"])
    seconds.pop("wall")
    return float(run["wall"] - sum(seconds.values()) / n_workers(name))


def processor() -> str:
    """Name of the processor, where the system says it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    main()
