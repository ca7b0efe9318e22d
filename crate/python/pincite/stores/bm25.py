"""BM25 as the engine computes it, for stores that score units themselves.

The formula and its parameters are those of ``crate/retrieval/src/bm25.rs`` and ``options.rs``; a test compares them with the
weights of :meth:`pincite.Document.postings`. A store keeps frequencies and lengths, since the mean length of a collection
changes with every document; mean length and idf come from :class:`pincite.Statistics`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Term frequency saturation and length normalisation, as the engine's 32-bit parameters.
K1 = float(np.float32(0.7))
B = float(np.float32(0.6))
#: Weight of an occurrence in the header (title, headings) against one in the text. Stores hold sums with it: another weight
#: is another format of theirs.
HEADER_WEIGHT = 2.0

Floats = NDArray[np.float64]


def saturation(frequencies: Floats, lengths: Floats, mean: float) -> Floats:
    """Weights of postings, 0 to 1: saturated frequencies, by the lengths of their units. ``mean`` is above 0."""
    weights: Floats = frequencies / (frequencies + K1 * (1.0 - B + B * lengths / mean))
    return weights
