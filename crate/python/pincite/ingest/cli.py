"""Arguments of ``python -m pincite.ingest``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pincite.ingest.driver import run
from pincite.ingest.progress import Bar
from pincite.ingest.records import IngestError
from pincite.ingest.settings import LOCAL, MIB, Settings
from pincite.ingest.summary import EXIT_FAILED, EXIT_STOPPED

DESCRIPTION = """Ingest PDFs and Word files into stores and Parquet.

The same bytes are stored once, whatever their names. A run that ends in any way is continued by --resume. A file
that cannot be read is set aside with the reason, and stays so until --again."""

EXIT_CODES = "exit codes: 0 all files are stored; 1 some are not; 2 the run failed; 130 it was stopped"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    options = _parser().parse_args(arguments)
    bar = Bar(is_hidden=options.quiet)
    try:
        summary = run(settings_of(options), bar.show)
    except IngestError as error:
        bar.close()
        hint = f" ({error.hint})" if error.hint else ""
        print(f"pincite.ingest: {error.code}: {error}{hint}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        bar.close()
        print("pincite.ingest: stopped at once; --resume continues", file=sys.stderr)
        return EXIT_STOPPED
    bar.close()
    print(json.dumps(summary.json(), ensure_ascii=False, indent=2) if options.json else summary.text())
    return summary.exit_code


def settings_of(options: argparse.Namespace) -> Settings:
    """Settings of parsed arguments. Local paths become absolute: actors of Ray have other working directories."""
    return Settings(
        inputs=tuple(map(_absolute, options.input)),
        outs=tuple(map(_absolute_out, options.out)),
        tenant=options.tenant,
        ledger=options.ledger.absolute() if options.ledger else None,
        suffixes=tuple(suffix.lower() for suffix in options.suffixes.split(",")),
        resume=options.resume,
        again=options.again,
        models=options.models.absolute() if options.models else Settings.default_models(),
        encoder=options.encoder,
        threads=options.threads,
        batch_tokens=options.batch_tokens,
        group_tokens=options.group_tokens,
        workers=options.workers,
        gpus=options.gpus,
        split=options.split,
        batch_files=options.batch_files,
        ray=not options.no_ray,
        ray_address=options.ray_address,
        dashboard=options.dashboard,
        timeout_s=options.timeout,
        memory_bytes=options.memory_mib * MIB,
        max_bytes=options.max_mib * MIB,
        max_pages=options.max_pages,
        password=options.password,
        retries=options.retries,
        keep_files=not options.no_files,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pincite.ingest",
        description=DESCRIPTION,
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--input", action="append", required=True, metavar="DIR|URI", help="folder, file, or s3://…; repeatable")
    outs = "milvus:FILE.db, http(s)://HOST:19530?blobs=DIR, postgresql://…, pgserver:DIR, parquet:DIR; repeatable"
    add("--out", action="append", required=True, metavar="URL", help=outs)
    add("--tenant", default="default", help="tenant that the documents belong to [%(default)s]")
    add("--suffixes", default=".pdf,.docx", help="endings of the files to read [%(default)s]")
    add("--ledger", type=Path, metavar="DIR", help="folder of the ledger [beside the first local output]")
    add("--resume", action="store_true", help="continue with the ledger that is there")
    add("--again", action="store_true", help="with --resume: try files again that were set aside")
    add("--no-files", action="store_true", help="do not store the files themselves, which a gateway serves")

    add = parser.add_argument_group("embedding").add_argument
    add(
        "--models",
        type=Path,
        metavar="DIR",
        help="directory of the model [PINCITE_MODELS, else models/build, else the wheel's]",
    )
    add(
        "--encoder",
        choices=["auto", "native", "onnx", "none"],
        default="auto",
        help="[auto: ONNX Runtime on a GPU, else native]",
    )
    add("--threads", type=_positive, default=1, help="threads of each encoder [%(default)s]")
    add("--batch-tokens", type=_positive, default=16_384, help="maximum tokens of a batch [%(default)s]")
    add("--group-tokens", type=_positive, help="tokens of documents that are embedded together [a batch, on a GPU 16]")

    add = parser.add_argument_group("workers").add_argument
    add(
        "--workers",
        type=_positive,
        default=_cores(),
        help="workers, of one core each [%(default)s]",
    )
    add("--gpus", type=int, default=0, metavar="N", help="GPUs, each with an actor that embeds [%(default)s]")
    add("--split", action="store_true", help="read and embed in separate actors without a GPU too")
    add("--batch-files", type=_positive, default=32, help="files that a worker takes at once [%(default)s]")
    add("--no-ray", action="store_true", help="one worker in this process")
    add("--ray-address", metavar="ADDRESS", help="Ray cluster to join [a Ray on this machine]")
    add("--dashboard", action="store_true", help="start Ray's dashboard (needs ray[default])")

    add = parser.add_argument_group("limits of a file").add_argument
    add("--timeout", type=float, default=300.0, metavar="S", help="maximum time to read it, in seconds [%(default)s]")
    add("--memory-mib", type=_positive, default=2048, help="maximum memory to read it, in MiB [%(default)s]")
    add("--max-mib", type=_positive, default=256, help="maximum size, in MiB [%(default)s]")
    add("--max-pages", type=_positive, default=20_000, help="maximum number of pages of a PDF [%(default)s]")
    add("--password", help="password of encrypted PDFs")
    add("--retries", type=int, default=3, help="further attempts after errors of network and store [%(default)s]")

    add = parser.add_argument_group("output").add_argument
    add("--json", action="store_true", help="print the summary as JSON")
    add("--quiet", action="store_true", help="show no bar")
    return parser


def _cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def _absolute(path: str) -> str:
    return path if "://" in path else str(Path(path).absolute())


def _absolute_out(url: str) -> str:
    scheme, _, rest = url.partition(":")
    if scheme in LOCAL and rest and "://" not in rest:
        return f"{scheme}:{Path(rest.removeprefix('//')).absolute()}"
    return url
