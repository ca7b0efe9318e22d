"""Adapters: a library as the retriever of another framework. Each is imported by itself, when that is installed."""
