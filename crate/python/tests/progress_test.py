"""Progress on a bar: one of tqdm's, drawn into a text, and one that says what it was told."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tqdm import tqdm

import pincite
from pincite import BarProgress, Encoder, Library
from pincite.typing import JsonObject

QUESTION = "How long must a firm keep records of complaints?"


class Bar:
    """A bar of nobody's: where it stood at the end of each description."""

    def __init__(self) -> None:
        self.desc = ""
        self.n = 0
        self.total: int | None = None
        self.stood: list[tuple[str, int, int | None]] = []

    def set_description(self, desc: str, _refresh: bool, /) -> None:
        self.stood.append((self.desc, self.n, self.total))
        self.desc = desc

    def reset(self, total: int, /) -> None:
        self.n, self.total = 0, total

    def update(self, n: int, /) -> None:
        assert n >= 0, "the bar went back"
        self.n += n

    def ends(self) -> list[tuple[str, int, int | None]]:
        return [*self.stood[1:], (self.desc, self.n, self.total)]


def test_reading_fills_the_bar_once_a_stage(samples: Path, encoder: Encoder) -> None:
    bar = Bar()
    document = pincite.read(samples / "rulebook.pdf", encoder=encoder, progress=BarProgress(bar))
    ends = bar.ends()
    assert [stage for stage, _, _ in ends] == ["pages", "layout", "chunks", "index"]
    assert all(n == total for _, n, total in ends)
    assert ends[0][1] == document.n_pages


def test_a_bar_of_tqdm_shows_what_was_embedded(samples: Path, encoder: Encoder) -> None:
    texts = pincite.read(samples / "rulebook.pdf", encoder=encoder).passages() * 10
    drawn = io.StringIO()
    with tqdm(file=drawn, unit="passage", mininterval=0, miniters=0, ascii=True) as bar:
        vectors = encoder.embed(texts, progress=BarProgress(bar))
        assert (bar.n, bar.total) == (len(texts), len(texts))
    assert len(vectors) == len(texts)
    states = re.findall(r"embed: +\d+%\|[^|]*\| (\d+)/(\d+)", drawn.getvalue())
    assert states[0] == ("0", str(len(texts))) and states[-1] == (str(len(texts)), str(len(texts)))
    assert any(0 < int(done) < len(texts) for done, _ in states), "nothing was shown in between"


def test_a_bar_serves_one_call_after_another(encoder: Encoder) -> None:
    bar = Bar()
    progress = BarProgress(bar)
    for n_texts in (3, 300, 300, 2):
        encoder.embed([f"Records of kind {kind} are kept." for kind in range(n_texts)], progress=progress)
        assert (bar.n, bar.total) == (n_texts, n_texts)


def test_a_bar_that_is_switched_off_is_told_nothing_wrong(encoder: Encoder) -> None:
    drawn = io.StringIO()
    with tqdm(file=drawn, disable=True) as bar:
        assert len(encoder.embed(["Records are kept."], progress=BarProgress(bar))) == 1
    assert drawn.getvalue() == ""


def test_the_steps_of_an_answer_are_counted(samples: Path, encoder: Encoder) -> None:
    library = Library()
    library.add(pincite.read(samples / "rulebook.pdf", encoder=encoder))
    steps: list[str] = []

    def model(request: dict[str, object]) -> str:
        steps.append(str(request["step"]))
        return "no JSON"

    bar, events = Bar(), list[JsonObject]()
    library.ask(QUESTION, endpoint=model, progress=BarProgress(bar))
    library.ask(QUESTION, endpoint=model, progress=events.append)
    begun = [event["step"] for event in events if "failed" not in event]
    assert steps and set(steps) | {"search"} == set(begun)
    assert [step for step, _, _ in bar.ends()] == begun
    assert (bar.n, bar.total) == (len(begun), None)


def test_a_step_that_failed_counts_once() -> None:
    bar = Bar()
    progress = BarProgress(bar)
    progress({"step": "rewrite", "bytes": 900, "passages": 0})
    progress({"step": "rewrite", "failed": "no reply within 120 s"})
    progress({"step": "search", "query": QUESTION})
    assert bar.ends() == [("rewrite", 1, None), ("search", 2, None)]


def test_what_a_bar_raises_ends_the_call(encoder: Encoder) -> None:
    class Broken(Bar):
        def update(self, n: int, /) -> None:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        encoder.embed(["Records are kept."], progress=BarProgress(Broken()))


def test_the_package_does_not_import_tqdm() -> None:
    code = "import sys, pincite; pincite.BarProgress; sys.exit('tqdm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
