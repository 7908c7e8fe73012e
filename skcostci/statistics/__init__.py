"""One file a question: which cells, which values."""
