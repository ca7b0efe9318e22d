"""Encoders: texts to unit vectors, by the engine or by ONNX Runtime on a GPU.

Both run the same file, ``models/build/model.onnx``, and share the engine's tokenizer and fingerprint. The fingerprint
promises that vectors of two backends agree to a cosine of 0.9999 (``crate/embed/src/manifest.rs``), so ONNX Runtime
has to show it:

- before the first document, on the :data:`CANARIES`: texts of one token and of more than the model reads, figures,
  accents, Chinese, nothing at all;
- in every call, on one of its own texts, since devices have been known to go wrong later. Cost: one text of thousands.

An encoder that fails either is replaced by the engine's for the rest of the run, and the summary says so.

The graph has no attention mask (``models/README.md``), so a batch of ONNX Runtime holds texts of one length. The
engine sorts by itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pincite.ingest.records import IngestError, Stopped, reason
from pincite.ingest.settings import Settings

if TYPE_CHECKING:
    import pincite

LEAST_COSINE = 0.9999
"""Least cosine of a vector to the engine's own. Vectors of equal fingerprint agree to it."""

CANARIES = (
    "",
    "notice",
    "The firm must keep a record of each complaint for six years.",
    "Rule 4.2(b)(iii): 12.5 % of USD 1,250,000.00, due 31 December 2026; see Annex C § 7.",
    "Où l’émetteur manque à ses obligations, le régulateur peut suspendre l’agrément à titre conservatoire.",
    "金融機構應當自收到投訴之日起十五日內作出答覆。",
    "Where goods are lost on the way, the seller bears the loss until they are handed to the first carrier named. " * 3,
    "A relevant person must not, without the prior written consent of the regulator, acquire control of a firm. " * 20,
)

GPU_PROVIDERS = ("CUDAExecutionProvider", "ROCMExecutionProvider", "MIGraphXExecutionProvider")

Vectors = NDArray[np.float32]


class TextEncoder(Protocol):
    """Maps texts to unit vectors."""

    backend: str
    fingerprint: str
    dimensions: int

    def lengths(self, texts: Sequence[str]) -> NDArray[np.uint32]:
        """Number of tokens of each text, marks included, after truncation."""

    def embed(self, texts: Sequence[str], lengths: NDArray[np.uint32], stopped: Callable[[], bool]) -> Vectors:
        """One unit vector a text, float32 ``[n, dimensions]``. Raises :class:`Stopped` between batches."""


class NativeEncoder:
    """The engine's encoder: the reference, and the one without a GPU."""

    backend = "native"

    def __init__(self, encoder: pincite.Encoder, settings: Settings) -> None:
        self.encoder = encoder
        self.fingerprint = encoder.fingerprint
        self.dimensions = encoder.dimensions
        self._batch_tokens = settings.batch_tokens
        self._threads = settings.threads

    def lengths(self, texts: Sequence[str]) -> NDArray[np.uint32]:
        return self.encoder.tokens(texts)[1]

    def embed(self, texts: Sequence[str], lengths: NDArray[np.uint32], stopped: Callable[[], bool]) -> Vectors:
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for batch in batches(lengths, self._batch_tokens):
            if stopped():
                raise Stopped
            vectors[batch] = self.encoder.embed([texts[text] for text in batch], threads=self._threads)
        return vectors


class OnnxEncoder:
    """ONNX Runtime over the model's file, on the first GPU that this process sees, else on the processor."""

    def __init__(self, native: NativeEncoder, settings: Settings) -> None:
        import onnxruntime

        manifest, model = load_model(settings.models_folder())
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = settings.threads
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(model, options, providers=providers(onnxruntime))
        provider = self._session.get_providers()[0]
        self.has_gpu = provider in GPU_PROVIDERS
        self.backend = f"onnxruntime {provider.removesuffix('ExecutionProvider').lower()}"
        self.fingerprint = native.fingerprint
        self._native = native
        self._pooling: str = manifest["pooling"]
        self.dimensions: int = manifest["dimensions"]
        self._batch_tokens = settings.batch_tokens
        self._n_calls = 0

    def lengths(self, texts: Sequence[str]) -> NDArray[np.uint32]:
        return self._native.lengths(texts)

    def embed(self, texts: Sequence[str], lengths: NDArray[np.uint32], stopped: Callable[[], bool]) -> Vectors:
        vectors = self.embed_unchecked(texts, stopped)
        if len(texts):
            # Another place in each call, and the same one in each repetition of a run.
            probe = (self._n_calls * 7919) % len(texts)
            self._n_calls += 1
            check(vectors[probe : probe + 1], self._native.encoder.embed([texts[probe]], threads=1))
            squares = np.einsum("ij,ij->i", vectors, vectors)
            if not np.all(np.abs(squares - 1) < 1e-3):
                raise DifferentVectors("a vector has another length than 1")
        return vectors

    def embed_unchecked(self, texts: Sequence[str], stopped: Callable[[], bool] = lambda: False) -> Vectors:
        """The vectors as ONNX Runtime makes them."""
        ids, lengths = self._native.encoder.tokens(texts)
        starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for batch in batches(lengths, self._batch_tokens, of_one_length=True):
            if stopped():
                raise Stopped
            rows = np.stack([ids[starts[text] : starts[text + 1]] for text in batch]).astype(np.int64)
            (states,) = self._session.run(["last_hidden_state"], {"input_ids": rows})
            pooled = states[:, 0] if self._pooling == "cls" else states.mean(axis=1, dtype=np.float64)
            vectors[batch] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return vectors


class DifferentVectors(Exception):
    """An encoder's vectors are not the engine's, or it has failed."""


def check(found: Vectors, expected: Vectors) -> float:
    """The least cosine of two lists of unit vectors.

    Raises:
        DifferentVectors: if it is under :data:`LEAST_COSINE`, or not a number.
    """
    cosines = np.einsum("ij,ij->i", found.astype(np.float64), expected.astype(np.float64))
    least = float(cosines.min(initial=1.0))
    if not least >= LEAST_COSINE:
        raise DifferentVectors(f"a text has another vector than by the engine, cosine {least:.6f}")
    return least


def open_encoder(settings: Settings, warn: Callable[[str], None]) -> TextEncoder | None:
    """The encoder of the settings; ``None`` for none. ``warn`` receives why a GPU is not used.

    Raises:
        IngestError: ``model-missing`` or ``model-mismatch``; ``encoder-unusable`` if ONNX Runtime was asked for by
            name and does not make the engine's vectors.
    """
    if settings.encoder == "none":
        return None
    import pincite

    folder = settings.models_folder()
    if not (folder / "manifest.json").is_file():
        raise IngestError(
            "model-missing", f"{folder}: no model here", "make one with models/export.py, or give --encoder none"
        )
    native = NativeEncoder(pincite.Encoder(folder), settings)
    if settings.encoder == "auto" and settings.gpus and not has_gpu():
        warn("the GPU does not embed, the engine does: this ONNX Runtime has no provider of one (onnxruntime-gpu)")
    if settings.encoder == "native" or (settings.encoder == "auto" and not has_gpu()):
        return native
    try:
        onnx = OnnxEncoder(native, settings)
        if settings.encoder == "auto" and not onnx.has_gpu:
            raise DifferentVectors("ONNX Runtime cannot open it")
        check(onnx.embed_unchecked(CANARIES), native.encoder.embed(list(CANARIES), threads=settings.threads))
    except Exception as error:  # a driver may raise anything
        if settings.encoder == "onnx":
            raise IngestError("encoder-unusable", f"ONNX Runtime cannot embed: {reason(error)}") from error
        warn(f"the GPU does not embed, the engine does: {reason(error)}")
        return native
    return onnx


class Embedder:
    """Encoder with the engine's behind it, which takes over if the other one fails."""

    def __init__(self, encoder: TextEncoder, warn: Callable[[str], None]) -> None:
        self.encoder = encoder
        self._warn = warn

    def embed(self, texts: Sequence[str], lengths: NDArray[np.uint32], stopped: Callable[[], bool]) -> Vectors:
        """Vectors of texts. Raises :class:`Stopped` between batches."""
        if isinstance(self.encoder, OnnxEncoder):
            try:
                return self.encoder.embed(texts, lengths, stopped)
            except Stopped:
                raise
            except Exception as error:  # noqa: BLE001 (as above)
                self._warn(f"{self.encoder.backend} has failed, the engine embeds from here on: {reason(error)}")
                self.encoder = self.encoder._native
        return self.encoder.embed(texts, lengths, stopped)


def batches(lengths: NDArray[np.uint32], batch_tokens: int, *, of_one_length: bool = False) -> list[NDArray[np.int64]]:
    """Indexes of texts by batch, shortest texts first. A batch has at most ``batch_tokens`` tokens, or is one text."""
    order = np.argsort(lengths, kind="stable")
    found: list[NDArray[np.int64]] = []
    start, n_tokens = 0, 0
    for at, text in enumerate(order):
        length = int(lengths[text])
        is_full = n_tokens + length > batch_tokens or (of_one_length and length != int(lengths[order[start]]))
        if at > start and is_full:
            found.append(order[start:at])
            start, n_tokens = at, 0
        n_tokens += length
    if len(order):
        found.append(order[start:])
    return found


def has_gpu() -> bool:
    """True if ONNX Runtime is here and was built for a GPU."""
    try:
        import onnxruntime
    except ImportError:
        return False
    return any(provider in GPU_PROVIDERS for provider in onnxruntime.get_available_providers())


def providers(onnxruntime: Any) -> list[tuple[str, dict[str, str]]]:
    """Providers that there are, GPUs first.

    TF32 is off: it rounds to ten bits what the fingerprint promises to four digits.
    """
    there = onnxruntime.get_available_providers()
    options = {"CUDAExecutionProvider": {"use_tf32": "0"}}
    return [(name, options.get(name, {})) for name in (*GPU_PROVIDERS, "CPUExecutionProvider") if name in there]


def load_model(folder: Path) -> tuple[dict[str, Any], bytes]:
    """Manifest and graph of a model.

    Raises:
        IngestError: ``model-mismatch`` for another file than the manifest declares.
    """
    manifest = json.loads((folder / "manifest.json").read_text())
    entry = manifest["files"]["model"]
    model = (folder / entry["name"]).read_bytes()
    if hashlib.sha256(model).hexdigest() != entry["sha256"]:
        raise IngestError("model-mismatch", f"{folder / entry['name']}: another file than the manifest declares")
    return manifest, model
