"""Distributions of resamples computed in full, for the papers, ``.cdf``, ``.quantile`` and exact moments."""
