"""How often the documented intervals cover the truth, and how wide they are: what ``benchmarks/coverage.py`` runs."""
