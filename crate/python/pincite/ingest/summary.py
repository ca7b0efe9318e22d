"""Summary of a run: counts, rates, and every file that is not stored, with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincite.ingest.coordinator import Progress

MAX_ERRORS_SHOWN = 20

EXIT_OK, EXIT_BAD_FILES, EXIT_FAILED, EXIT_STOPPED = 0, 1, 2, 130


@dataclass(frozen=True, slots=True)
class Summary:
    """Summary of a run."""

    progress: Progress
    errors: list[tuple[str, str, str, str]]
    """Path, state, code and message of the files that are not stored, earlier runs' too, by path."""
    wall_s: float
    """Time of the run with listing and starting, in seconds."""
    ledger: str
    """Folder of the ledger."""

    @property
    def exit_code(self) -> int:
        """0: all is stored; 1: some files are not; 2: the run failed; 130: it was stopped."""
        if self.progress.fatal is not None:
            return EXIT_FAILED
        if self.progress.is_stopping:
            return EXIT_STOPPED
        return EXIT_BAD_FILES if self.errors else EXIT_OK

    def json(self) -> dict[str, Any]:
        """The summary as JSON."""
        progress = self.progress
        names = ("listed", "known", "duplicates", "done", "skipped", "set_aside", "failed")
        return {
            "files": {name: getattr(progress, f"n_{name}") for name in names},
            "pages": progress.n_pages,
            "passages": progress.n_passages,
            "vectors": progress.n_vectors,
            "tokens": progress.n_tokens,
            "bytes": progress.n_bytes,
            "seconds": {"wall": self.wall_s, **progress.seconds},
            "warnings": progress.warnings,
            "errors": [dict(zip(("path", "state", "code", "message"), error, strict=True)) for error in self.errors],
            "fatal": None
            if progress.fatal is None
            else dict(zip(("code", "message", "hint"), progress.fatal, strict=True)),
            "stopped": progress.is_stopping,
            "ledger": self.ledger,
        }

    def text(self) -> str:
        """The summary for people."""
        progress = self.progress
        content = f"{progress.n_pages} pages, {progress.n_passages} passages, {progress.n_vectors} vectors"
        size = f"{progress.n_bytes / 1e6:.1f} MB in {self.wall_s:.1f} s"
        lines = [f"{progress.n_done} of {progress.n_listed} files stored: {content}, {size}"]
        others = {
            "stored or set aside before": progress.n_known,
            "with the content of another file": progress.n_duplicates + progress.n_skipped,
            "set aside": progress.n_set_aside,
            "failed, to be tried again": progress.n_failed,
        }
        lines += [f"{n} {what}" for what, n in others.items() if n]
        worked = sum(progress.seconds.values())
        if worked and progress.n_done:
            stages = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in progress.seconds.items())
            rates = (
                f"{progress.n_done / worked:.2f} files and {progress.n_pages / worked:.1f} pages a second and worker"
            )
            lines.append(f"work: {stages} ({rates})")
        lines += [f"warning: {warning}" for warning in progress.warnings]
        lines += [f"{path}: {code}: {message}" for path, _, code, message in self.errors[:MAX_ERRORS_SHOWN]]
        if len(self.errors) > MAX_ERRORS_SHOWN:
            lines.append(f"and {len(self.errors) - MAX_ERRORS_SHOWN} more, in {self.ledger}")
        if progress.fatal is not None:
            code, message, hint = progress.fatal
            lines.append(f"the run has failed: {code}: {message}" + (f" ({hint})" if hint else ""))
        elif progress.is_stopping:
            lines.append("the run was stopped; --resume continues it")
        return "\n".join(lines)
