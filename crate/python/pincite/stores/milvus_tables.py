"""Collections of the Milvus store: their fields, their indexes, and terms as dimensions of sparse vectors.

``<name>_documents`` has a row per document. That row is the commit of a put, since Milvus writes one row whole or not at all:
it names the versions of the units and vectors that count. Its sparse vector holds, by term, the number of units of the
document with it, so a sparse search for one term returns that term's share of every document: their sum is the document
frequency, and no counter has to be kept in step.

``<name>_units`` has a row per unit, whose sparse vector holds BM25 weights, and ``<name>_vectors`` one per vector. Both are
partitioned by tenant on a server. Each row has what filters ask of its document, since Milvus joins nothing. Milvus Lite is asked with the same filters, without partitions: it keeps a file for each.
"""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from pymilvus import CollectionSchema, DataType, MilvusClient

from .contents import other_format

#: Version of the collections. A store of a higher one is refused.
FORMAT = 2
#: Maximum rows that Milvus returns at once.
MAX_ROWS = 16_384
#: Dimension that every document has, so that no sparse vector is empty. No term is mapped to it.
ALWAYS = (1 << 32) - 2
#: Editions of a document that are longer than a field of :data:`MAX_EDITIONS` bytes: every condition may hold of them.
ANY_EDITION, MAX_EDITIONS = "*", 2_000
#: Number of groups of documents by the first byte of their ids, for collections of more than :data:`MAX_ROWS`.
N_SHARDS = 256

_N_PARTITIONS = 64
_SETTINGS = "settings"
_STRINGS = {
    "key": 220,
    "tenant": 64,
    "id": 64,
    "document": 64,
    "digest": 64,
    "info": 60_000,
    "kind": 8,
    "legal_status": 16,
    "date": 32,
    "editions": MAX_EDITIONS,
}
#: Fields that filters of a search read.
_FILTERED = ("kind", "legal_status", "date", "editions")
_DOCUMENTS = (
    *("key", "tenant", "id", "digest", "info", "shard", "place", "segment_version", "units_version", "vectors_version"),
    *("file_version", "date", "editions", "n_units", "text_length", "header_length", "mean_length", "counts"),
)
_UNITS = ("key", "tenant", "document", "version", "unit", *_FILTERED, "section", "page", "weights")
_VECTORS = ("key", "tenant", "document", "version", "unit", *_FILTERED, "vector")


class Tables:
    """The collections of a store, made as they are needed.

    What holds of the whole store, its format and its model, is a row of the documents' collection without a tenant, which
    no filter of a tenant finds: Milvus Lite keeps no descriptions of collections.
    """

    def __init__(self, client: MilvusClient, name: str, *, is_lite: bool, consistency: str) -> None:
        self.documents, self.units, self.vectors = f"{name}_documents", f"{name}_units", f"{name}_vectors"
        self._client = client
        self._is_lite = is_lite
        self._consistency = consistency
        sparse = {"index_type": "SPARSE_INVERTED_INDEX", "metric_type": "IP"}
        self._ensure(self.units, _UNITS, {"weights": sparse})
        self._ensure(self.documents, _DOCUMENTS, {"counts": sparse})
        settings = self._settings()
        if settings is None:
            self._write_settings({"format": FORMAT})
        elif settings["format"] != FORMAT:
            raise other_format(settings["format"], FORMAT)
        elif "fingerprint" in settings:
            self._client.load_collection(self.vectors)

    def model(self) -> tuple[str, int] | None:
        """Fingerprint and dimensions of the store's model."""
        settings = self._settings() or {}
        return (settings["fingerprint"], settings["dimensions"]) if "fingerprint" in settings else None

    def ensure_model(self, fingerprint: str, dimensions: int) -> tuple[str, int]:
        """Makes the collection of vectors for the first model. Returns the model that the store has."""
        known = self.model()
        if known is not None:
            return known
        # Lite compares all vectors, so that it misses none; a server walks a graph.
        dense: dict[str, Any] = {"index_type": "FLAT", "metric_type": "IP"}
        if not self._is_lite:
            dense |= {"index_type": "HNSW", "params": {"M": 16, "efConstruction": 200}}
        self._ensure(self.vectors, _VECTORS, {"vector": dense}, dimensions)
        self._write_settings({"format": FORMAT, "fingerprint": fingerprint, "dimensions": dimensions})
        return fingerprint, dimensions

    def _settings(self) -> dict[str, Any] | None:
        rows = self._client.query(self.documents, filter=f'key == "{_SETTINGS}"', output_fields=["info"])
        settings: dict[str, Any] | None = json.loads(rows[0]["info"]) if rows else None
        return settings

    def _write_settings(self, settings: dict[str, Any]) -> None:
        row: dict[str, Any] = {field: "" if field in _STRINGS else 0 for field in _DOCUMENTS}
        row |= {"key": _SETTINGS, "info": json.dumps(settings), "counts": {ALWAYS: 1.0}}
        self._client.upsert(self.documents, [row])

    def _ensure(
        self,
        name: str,
        fields: tuple[str, ...],
        indexes: dict[str, dict[str, Any]],
        dimensions: int = 0,
    ) -> None:
        """Makes a collection and its indexes, as far as they are missing, and loads it."""
        if not self._client.has_collection(name):
            schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
            is_partitioned = not self._is_lite and name != self.documents
            for field in fields:
                _add_field(schema, field, dimensions, is_partitioned)
            options: dict[str, Any] = {"num_partitions": _N_PARTITIONS} if is_partitioned else {}
            self._client.create_collection(name, schema=schema, consistency_level=self._consistency, **options)
        params = MilvusClient.prepare_index_params()
        scalars = {field: {"index_type": "INVERTED"} for field in ("tenant", "id", "document") if field in fields}
        known = self._client.list_indexes(name)
        for field, index in (indexes | scalars).items():
            if field not in known:
                params.add_index(field_name=field, index_name=field, **index)
        if len(params):
            # A new collection is empty: there is nothing to wait for.
            self._client.create_index(name, params, sync=False)
        self._client.load_collection(name)


def _add_field(schema: CollectionSchema, name: str, dimensions: int, is_partitioned: bool) -> None:
    if name in _STRINGS:
        partition = {"is_partition_key": True} if name == "tenant" and is_partitioned else {}
        schema.add_field(name, DataType.VARCHAR, max_length=_STRINGS[name], is_primary=name == "key", **partition)
    elif name in ("counts", "weights"):
        schema.add_field(name, DataType.SPARSE_FLOAT_VECTOR)
    elif name == "vector":
        schema.add_field(name, DataType.FLOAT_VECTOR, dim=dimensions)
    elif name == "mean_length":
        schema.add_field(name, DataType.DOUBLE)
    else:
        schema.add_field(name, DataType.INT64)


@lru_cache(maxsize=1 << 17)
def dimension(term: str) -> int:
    """Dimension of a term, 0 to 2³² − 3: a hash, since Milvus counts nothing.

    Among a million terms some hundred pairs share one. Such a pair adds candidates and raises a document frequency by that
    of a rare term; the engine, which ranks, knows them apart.
    """
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little") % ALWAYS


def sparse(values: dict[str, float]) -> dict[int, float]:
    """A sparse vector by term."""
    vector: dict[int, float] = {}
    for term, value in values.items():
        vector[dimension(term)] = vector.get(dimension(term), 0.0) + value
    return vector
