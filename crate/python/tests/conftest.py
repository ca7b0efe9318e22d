"""Fixtures that the tests share: the sample documents, the command and the model, all made by ``./build.sh test``."""

import os
from pathlib import Path

import pytest

from pincite import Encoder

ROOT = Path(__file__).resolve().parents[3]
MODELS = ROOT / "models/build"
os.environ.setdefault("PINCITE_MODELS", str(MODELS))


@pytest.fixture(scope="session")
def samples() -> Path:
    """Folder of the sample PDFs."""
    return ROOT / "target/samples"


@pytest.fixture(scope="session")
def pincite_command() -> Path:
    """The command line."""
    return Path(os.environ.get("PINCITE", ROOT / "target/debug/pincite"))


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    """The model that ships."""
    return Encoder(MODELS)
