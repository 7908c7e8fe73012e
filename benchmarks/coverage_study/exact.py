"""All counts of discordant cases of two models, with their probabilities."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, xlogy


def discordances(n: int) -> np.ndarray:
    """How many cases only model a and only model b can label positive: what a difference depends on."""
    a, b = np.divmod(np.arange((n + 1) ** 2), n + 1)
    return np.column_stack([a, b])[a + b <= n]


def discordance_pmf(n: int, only_a: float, only_b: float) -> np.ndarray:
    """Their probabilities."""
    a, b = discordances(n).T
    same = n - a - b
    ways = gammaln(n + 1) - gammaln(a + 1) - gammaln(b + 1) - gammaln(same + 1)
    rest = max(1 - only_a - only_b, 0.0)
    return np.asarray(np.exp(ways + xlogy(a, only_a) + xlogy(b, only_b) + xlogy(same, rest)))
