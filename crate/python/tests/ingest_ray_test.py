"""Ingest on Ray, one start for all tests: the same result as the plain loop, whatever dies."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
from ingest_support import (
    PACKAGE,
    POISON,
    command,
    contents,
    copies,
    eventually,
    ingest,
    kill,
    n_done,
    poisoned,
    settings,
    states,
)

from pincite.ingest.coordinator import NOT_OPTIMIZED, Progress
from pincite.ingest.distributed import GRACE_S


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A Ray whose workers can be poisoned."""
    import logging

    path = os.pathsep.join([str(POISON), str(PACKAGE)])
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", path)
        patched.setenv("RAY_BACKEND_LOG_LEVEL", "fatal")
        context = ray.init(
            num_cpus=4,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
            object_store_memory=256 << 20,
        )
        yield context.address_info["gcs_address"]
        ray.shutdown()


def same(found: Path, expected: Path) -> None:
    """Checks that two Parquet folders hold the same."""
    one, other = contents(found), contents(expected)
    for table in other:
        assert one[table].drop_columns(paths(table)).equals(other[table].drop_columns(paths(table))), table


def paths(table: str) -> list[str]:
    """Columns that say where a file was."""
    return ["path"] if table == "documents" else []


def test_ray_gives_the_result_of_the_plain_loop_and_survives_hostile_files(
    address: str, samples: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    copies(samples / "contract.pdf", folder, 4)
    (folder / "equal.pdf").write_bytes((folder / "copy-0002.pdf").read_bytes())
    for name in ("empty.pdf", "locked.pdf", "scan.pdf", "truncated.pdf", "owner-password.pdf"):
        (folder / name).write_bytes((samples / "hostile" / name).read_bytes())
    plain, one, two = tmp_path / "plain", tmp_path / "one", tmp_path / "two"
    ingest(folder, plain, encoder="native")
    # These end their processes, and the last one its actor, twice.
    for mark in ("CRASH", "HANG"):
        poisoned(samples / "contract.pdf", folder, mark)
    copies(samples / "rulebook.pdf", folder, 1, name="killer")
    options: dict[str, Any] = {"encoder": "native", "ray": True, "workers": 2, "batch_files": 6, "timeout_s": 2.0}
    n_bad = len(states(plain)) - n_done(plain)
    for out, more in ((one, {}), (two, {"split": True})):
        summary = ingest(folder, out, **options, **more)
        assert summary.progress.fatal is None and summary.progress.n_set_aside == n_bad + 3, summary.text()
        assert {
            name: found for name, found in states(out).items() if name in ("crash.pdf", "hang.pdf", "killer-0000.pdf")
        } == {
            "crash.pdf": ("set-aside", "crashed"),
            "hang.pdf": ("set-aside", "timeout"),
            "killer-0000.pdf": ("set-aside", "worker-killed"),
        }
        same(out, plain)
        assert ingest(folder, out, **options, **more, resume=True).progress.n_work == 0


def test_a_driver_that_is_killed_leaves_a_run_that_another_one_ends(
    address: str, samples: Path, tmp_path: Path
) -> None:
    folder, out, plain = tmp_path / "in", tmp_path / "out", tmp_path / "plain"
    files = copies(samples / "contract.pdf", folder, 6)
    arguments = (
        "--workers",
        2,
        "--batch-files",
        1,
        "--encoder",
        "native",
        "--input",
        folder,
        "--out",
        f"parquet:{out}",
    )
    process = command(*arguments, "--ray-address", address)
    eventually(lambda: n_done(out) >= 2 or process.poll() is not None)
    assert process.poll() is None, process.communicate()
    kill(process)
    assert n_done(out) < len(files)
    # The ledger is free once the coordinator has noticed.
    summary = ingest(folder, out, encoder="native", ray=True, workers=2, resume=True)
    assert summary.exit_code == 0 and 0 < summary.progress.n_done < len(files)
    ingest(folder, plain, encoder="native")
    same(out, plain)


def test_a_run_on_ray_that_is_stopped_ends_soon_and_is_resumable(address: str, samples: Path, tmp_path: Path) -> None:
    from pincite.ingest.distributed import run_on_ray
    from pincite.ingest.sources import listed

    folder, out = tmp_path / "in", tmp_path / "out"
    copies(samples / "contract.pdf", folder, 4)
    poisoned(samples / "contract.pdf", folder, "HANG")
    options = settings(folder, out, ray=True, batch_files=1)
    stop = threading.Event()

    def shown(progress: Progress) -> None:
        if states(out).get("hang.pdf", ("", ""))[0] == "begun":
            stop.set()

    begun = time.monotonic()
    progress, _ = run_on_ray(options, listed(options), shown, stop)
    assert progress.is_stopping and time.monotonic() - begun < GRACE_S
    assert states(out)["hang.pdf"] == ("failed", "stopped") and n_done(out) == progress.n_done == 4
    # What no worker had begun is let go, and Ray is free for another run.
    eventually(lambda: not any(thread.name == "ray-data" for thread in threading.enumerate()))


def test_errors_before_the_first_file_arrive_whole(address: str, samples: Path, tmp_path: Path) -> None:
    from pincite.ingest.records import IngestError

    folder, out = tmp_path / "in", tmp_path / "out"
    copies(samples / "hostile/scan.pdf", folder, 1)
    ingest(folder, out)
    with pytest.raises(IngestError) as caught:
        ingest(folder, out, ray=True)
    assert caught.value.code == "ledger-exists" and "--resume" in caught.value.hint
    summary = ingest(folder, tmp_path / "other", ray=True, encoder="native", models=tmp_path)
    assert summary.progress.fatal is not None and summary.progress.fatal[0] == "model-missing"
    assert summary.exit_code == 2


def test_a_store_of_one_process_has_one_writer(address: str, samples: Path, tmp_path: Path) -> None:
    from pincite.stores import Rights, open_store

    folder, url = tmp_path / "in", f"milvus:{tmp_path}/library.db"
    copies(samples / "contract.pdf", folder, 4)
    options: dict[str, Any] = {
        "outs": (url,),
        "ledger": tmp_path / "ledger",
        "ray": True,
        "workers": 2,
        "batch_files": 1,
    }
    assert ingest(folder, tmp_path, **options, encoder="native").progress.n_done == 4
    with open_store(url) as store:
        found = store.documents(Rights("default"))
        assert len(found) == 4 and all(document.n_embedded == document.n_passages for document in found)


@pytest.mark.parametrize("listens", [True, False])
def test_a_stop_while_a_store_is_optimized_ends_that_alone(
    address: str, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listens: bool
) -> None:
    from pincite.ingest import distributed
    from pincite.ingest.distributed import run_on_ray
    from pincite.ingest.sources import listed

    folder, marks = tmp_path / "in", [tmp_path / "begun", tmp_path / "interrupted"]
    copies(samples / "hostile/scan.pdf", folder, 2)
    options = settings(
        folder, tmp_path, outs=(f"milvus:{tmp_path}/library.db",), ledger=tmp_path / "ledger", ray=True, batch_files=1
    )

    def endless(outs: object) -> list[str]:
        # Where tests run in the background of a shell, processes begin with interrupts ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        marks[0].touch()
        try:
            # Ray's interrupt waits for the end of a call.
            for _ in range(6000):
                time.sleep(0.1 if listens else 600)
        except KeyboardInterrupt:
            marks[1].touch()
            raise
        return []

    stop = threading.Event()
    waiting = threading.Thread(target=lambda: (eventually(marks[0].exists, 60), stop.set()))
    waiting.start()
    with monkeypatch.context() as patched:
        patched.setattr(distributed, "_warnings", endless)
        begun = time.monotonic()
        progress, errors = run_on_ray(options, listed(options), lambda _: None, stop)
    waiting.join()
    assert time.monotonic() - begun < 60 and marks[1].exists() == listens
    assert (progress.n_done, progress.is_stopping, errors) == (2, False, [])
    assert progress.warnings == [NOT_OPTIMIZED]
    # The ledger is free, and the next run makes what this one has not.
    summary = ingest(folder, tmp_path, outs=options.outs, ledger=options.ledger, ray=True, resume=True)
    assert (summary.progress.n_known, summary.exit_code, summary.progress.warnings) == (2, 0, [])


def test_a_coordinator_that_could_not_be_made_is_not_made_to_be_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite.ingest import distributed
    from pincite.ingest.records import IngestError

    n_made = 0

    def locked(_: object) -> None:
        nonlocal n_made
        n_made += 1
        raise IngestError("ledger-locked", "another ingest into this output is running")

    monkeypatch.setattr(distributed, "Coordinator", locked)
    actor = distributed._CoordinatorActor(settings(tmp_path, tmp_path / "out"))
    with pytest.raises(IngestError, match="another ingest"):
        actor.call("plan", [])
    actor.call("close")
    assert n_made == 1
