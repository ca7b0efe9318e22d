#!/usr/bin/env python3
"""Time and memory of reading hostile files: writes tests/limits/figures.md.

Each bomb, each file of the fuzz corpus and each odd file beside the repository is read in a process of its own, from its
bytes to those of a segment. A file may take SECONDS for each MiB begun, and BASE + FACTOR times its size of memory. Two
honest documents of 500 and 5,000 pages, which inflate nothing and are mostly words, may take LONG times their size.
`--check` fails if one takes more; without it the table is written. `--only NAME` measures the bombs of that name.
"""
import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS, BASE, FACTOR = 5.0, 64.0, 4.0
LONG = 16.0
LONG_PAGES = (500, 5000)
MIB = 1 << 20


def measure(program, path):
    """Seconds, MiB and outcome of reading a file."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        run = subprocess.run([program, path], capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return 120.0, 0.0, "takes over 120 s"
    if run.returncode != 0:
        return 0.0, 0.0, f"ended with {run.returncode}: {run.stderr.strip()[-200:]}"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Time of the processor: other work on the machine does not count.
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    _, peak, outcome = run.stdout.rstrip("\n").split("\t")
    return seconds, float(peak), outcome


def rows(program, paths):
    for path in paths:
        size = path.stat().st_size / MIB
        seconds, peak, outcome = measure(program, path)
        fits = seconds <= SECONDS * max(1.0, size) and 0 < peak <= BASE + FACTOR * size
        yield path, size, seconds, peak, outcome, fits


def long_documents(program, samples, folder):
    """Table rows of the long documents, and the names of those that take too much."""
    wanted = [option for pages in LONG_PAGES for option in ("--long", str(pages))]
    subprocess.run([samples, folder, *wanted], check=True, capture_output=True)
    lines, failed = [], []
    for pages in LONG_PAGES:
        path = folder / f"long-{pages}.pdf"
        size = path.stat().st_size / MIB
        seconds, peak, outcome = measure(program, path)
        failed += [] if 0 < peak <= LONG * size else [path.name]
        lines.append(f"| {path.name} | {size:.1f} | {seconds:.2f} | {peak:.0f} | {peak / size:.1f} | {outcome} |")
        print(lines[-1], flush=True)
    return lines, failed


def summary(name, measured):
    """One line about many files: their number, the worst of each kind, and those over a limit."""
    slowest = max(measured, key=lambda row: row[2] / max(1.0, row[1]))
    largest = max(measured, key=lambda row: row[3] - FACTOR * row[1])
    over = [row for row in measured if not row[5]]
    return (
        f"| {name} | {len(measured)} | {slowest[2]:.2f} s ({slowest[1]:.2f} MiB) | "
        f"{largest[3]:.0f} MiB ({largest[1]:.2f} MiB) | {len(over)} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--samples", default=ROOT / "target/debug/samples", help="the program that writes long documents")
    parser.add_argument("--limits", default=ROOT / "target/debug/limits", help="the program that reads a file")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([args.limits, "--write", folder], check=True)
        bombs = dict(line.split("\t") for line in (folder / "bombs.tsv").read_text().splitlines())
        lines, failed = [], []
        wanted = [folder / name for name in bombs if args.only in name]
        for path, size, seconds, peak, outcome, fits in rows(args.limits, wanted):
            failed += [] if fits else [path.name]
            lines.append(
                f"| {path.name} | {bombs[path.name]} | {size * 1024:.0f} | {seconds:.2f} | {peak:.0f} | "
                f"{outcome} | {'yes' if fits else '**no**'} |"
            )
            print(lines[-1], flush=True)
        if args.only:
            return 0
        long_lines, long_failed = long_documents(args.limits, args.samples, folder / "long")
        failed += long_failed
        sets = [("hostile files", sorted(folder.glob("hostile-*")))]
        fuzz = sorted(path for path in (ROOT / "tests/fuzz/corpus").glob("*/*") if path.parent.name in ("pdf", "docx"))
        sets.append(("fuzz corpus, files", fuzz))
        beside = [parent / "shared/pdf/corpus/robust" for parent in ROOT.parents]
        odd = next((sorted(found.glob("*.pdf")) for found in beside if found.is_dir()), [])
        sets.append(("odd files beside the repository", odd))
        totals = []
        for name, paths in sets:
            if paths:
                measured = list(rows(args.limits, paths))
                failed += [row[0].name for row in measured if not row[5]]
                totals.append(summary(name, measured))
                print(totals[-1], flush=True)
    if args.check:
        print("over the limit:", ", ".join(failed) or "none")
        return 1 if failed else 0
    text = f"""# What hostile files take

Written by `tests/limits/figures.py`, natively with the profile of tests (our crates at opt-level 1, about half the speed
of the product), in seconds of the processor, one process a file, from bytes to the bytes of a segment. A file may take {SECONDS:.0f} s for each MiB begun,
and {BASE:.0f} MiB + {FACTOR:.0f} times its size of memory (the highest resident size of the process, its own code included).
The limits themselves are counted, not timed: `crate/pages/src/limits.rs`, `crate/docx/src/limits.rs`.

| Bomb | Asks for | KiB | s | MiB | Outcome | Within |
|---|---|---|---|---|---|---|
{chr(10).join(lines)}

| Set | Files | Slowest | Largest in memory | Over a limit |
|---|---|---|---|---|
{chr(10).join(totals)}

## Long documents

Of our own, their content not deflated, so that the file is little more than its words: two million of them in 5,000
pages. One may take {LONG:.0f} times its size; twice is wanted, and cannot be had while a document is held whole: of 5,000
pages (25 MiB) the text takes 10 MiB, the places of its words 51, tree and chunks 20, postings 18, the stored bytes 43 and
the file itself 25, which are needed together when the segment is written. Above that is what the process does not
give back after reading: lopdf's objects (83 MiB) and the words on their way to the text (48 bytes each, 92 MiB).

| Document | MiB | s | MiB in memory | Times its size | Outcome |
|---|---|---|---|---|---|
{chr(10).join(long_lines)}
"""
    (ROOT / "tests/limits/figures.md").write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
