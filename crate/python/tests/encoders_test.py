"""Encoders of ingest: batches by tokens, and ONNX Runtime held to the engine's vectors."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pincite import Encoder, read
from pincite.ingest import encoders
from pincite.ingest.encoders import (
    CANARIES,
    LEAST_COSINE,
    DifferentVectors,
    Embedder,
    NativeEncoder,
    OnnxEncoder,
    batches,
    check,
    open_encoder,
)
from pincite.ingest.records import IngestError, Stopped
from pincite.ingest.settings import Settings


def settings(**options: Any) -> Settings:
    """Settings of an encoder."""
    return Settings(inputs=(), outs=(), **options)


def going_on() -> bool:
    return False


@pytest.mark.parametrize("of_one_length", [False, True])
def test_batches_hold_every_text_once_and_no_more_tokens_than_fit(of_one_length: bool) -> None:
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    for _ in range(200):
        lengths = np.array([chance.randint(2, 256) for _ in range(chance.randint(0, 60))], np.uint32)
        limit = chance.randint(1, 1500)
        found = batches(lengths, limit, of_one_length=of_one_length)
        assert sorted(text for batch in found for text in batch) == list(range(len(lengths))), seed
        for batch in found:
            assert len(batch) == 1 or lengths[batch].sum() <= limit, seed
            assert not of_one_length or len(set(lengths[batch])) == 1, seed
        if not of_one_length:
            # As few as a first fit in order needs: two neighbours never fit together.
            for one, other in pairwise(found):
                assert lengths[one].sum() + lengths[other[0]] > limit, seed


def test_the_engine_gives_the_same_bits_whatever_the_batches(samples: Path, encoder: Encoder) -> None:
    texts = read(samples / "contract.pdf", encoder=encoder).passages()[:12]
    expected = encoder.embed(texts)
    for batch_tokens in (1, 200, 100_000):
        native = NativeEncoder(encoder, settings(batch_tokens=batch_tokens))
        found = native.embed(texts, native.lengths(texts), going_on)
        assert found.tobytes() == expected.tobytes()
    with pytest.raises(Stopped):
        native.embed(texts, native.lengths(texts), lambda: True)


def test_other_vectors_are_refused() -> None:
    one = np.eye(1, 384, dtype=np.float32)
    other = one.copy()
    angle = np.arccos(LEAST_COSINE)
    for turn, is_refused in ((angle * 0.99, False), (angle * 1.01, True)):
        other[0, :2] = np.cos(turn), np.sin(turn)
        if is_refused:
            with pytest.raises(DifferentVectors, match=r"cosine 0\.9998"):
                check(other, one)
        else:
            check(other, one)
    other[0, 0] = np.nan
    with pytest.raises(DifferentVectors, match="nan"):
        check(other, one)


def test_onnxruntime_makes_the_vectors_of_the_engine(samples: Path, encoder: Encoder) -> None:
    found = open_encoder(settings(encoder="onnx", batch_tokens=2048), pytest.fail)
    assert isinstance(found, OnnxEncoder) and found.fingerprint == encoder.fingerprint
    texts = [*read(samples / "rulebook.pdf", encoder=encoder).passages(), *CANARIES]
    vectors = found.embed(texts, found.lengths(texts), going_on)
    assert check(vectors, encoder.embed(texts)) > 0.99999
    with pytest.raises(Stopped):
        found.embed(texts, found.lengths(texts), lambda: True)
    assert found.embed([], found.lengths([]), going_on).shape == (0, 384)


def test_onnxruntime_that_goes_wrong_is_replaced_by_the_engine(
    samples: Path, encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = OnnxEncoder.embed_unchecked

    def wrong(self: OnnxEncoder, texts: Sequence[str], stopped: Callable[[], bool] = going_on) -> NDArray[np.float32]:
        return np.roll(right(self, texts, stopped), 1, axis=1)

    warnings: list[str] = []
    encoder_found = open_encoder(settings(encoder="onnx"), warnings.append)
    assert encoder_found is not None
    embedder = Embedder(encoder_found, warnings.append)
    texts = read(samples / "contract.pdf", encoder=encoder).passages()[:8]
    monkeypatch.setattr(OnnxEncoder, "embed_unchecked", wrong)
    found = embedder.embed(texts, embedder.encoder.lengths(texts), going_on)
    assert found.tobytes() == encoder.embed(texts).tobytes()
    assert len(warnings) == 1 and "another vector" in warnings[0] and isinstance(embedder.encoder, NativeEncoder)
    # From the beginning: an error where it was asked for by name, a warning where it was only there.
    with pytest.raises(IngestError) as caught:
        open_encoder(settings(encoder="onnx"), warnings.append)
    assert caught.value.code == "encoder-unusable"
    monkeypatch.setattr(encoders, "has_gpu", lambda: True)
    assert isinstance(open_encoder(settings(), warnings.append), NativeEncoder)
    assert len(warnings) == 2


def test_a_missing_model_is_said_before_the_first_file(tmp_path: Path) -> None:
    with pytest.raises(IngestError) as caught:
        open_encoder(settings(models=tmp_path), pytest.fail)
    assert caught.value.code == "model-missing"
    assert open_encoder(settings(models=tmp_path, encoder="none"), pytest.fail) is None
