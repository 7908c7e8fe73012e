"""Distributions of resamples known whole: what the papers, ``.cdf``, ``.quantile`` and exact moments rest on."""
