"""Interval methods: limits from a law, listed by name. Each statistic lists which of them its results have."""

from skcostci.intervals import (
    _bands,
    _combined,
    _error_count,
    _extrapolated,
    _pooled,
    _quantiles,
    _rank_beta,
    _recalibrated,
    _unseen,
    _unseen_case,
)
from skcostci.intervals._method import Method

OF_KINDS = (
    *(_bands, _unseen_case, _quantiles, _unseen, _rank_beta, _extrapolated),
    *(_error_count, _combined, _recalibrated, _pooled),
)
METHODS: dict[str, Method] = {method.name: method for kind in OF_KINDS for method in kind.METHODS}
BANDS = {band.name: band for band in _bands.BANDS}
