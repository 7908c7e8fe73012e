"""Data sets as counts: all of them with their probabilities, or some drawn with a seed.

At fixed thresholds nothing matters but how many cases of a class fall in each cell, so coverage is a finite sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln, xlogy
from scipy.stats import binom

NEGLIGIBLE = 1e-9  # data sets less probable are left out of sums


class Tables(NamedTuple):
    """Data sets of the same class sizes: cells of shape (n_sets, n_cells), and weights."""

    positive: np.ndarray
    negative: np.ndarray
    weights: np.ndarray

    @property
    def share(self) -> float:
        """Of positives among the cases."""
        positive, negative = self.positive[0].sum(), self.negative[0].sum()
        return float(positive / (positive + negative))


def class_tables(n: int, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All ways in which n cases can fall into two cells, or differ between two models, with their probabilities."""
    if len(shares) == 2:
        hits = np.arange(n + 1)
        return np.column_stack([hits, n - hits]), binom.pmf(hits, n, shares[0])
    only = discordances(n)
    cells = np.column_stack([n - only.sum(axis=1), only, np.zeros(len(only), dtype=np.int64)])
    return cells, discordance_pmf(n, shares[1], shares[2])


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


def all_tables(n_positive: int, n_negative: int, shares: tuple[np.ndarray, np.ndarray]) -> Tables:
    """Every data set of these class sizes."""
    (positive, p), (negative, q) = class_tables(n_positive, shares[0]), class_tables(n_negative, shares[1])
    joint = np.multiply.outer(p, q)
    i, j = np.nonzero(joint > NEGLIGIBLE)
    return Tables(positive[i], negative[j], joint[i, j])


def class_sizes(n: int, prevalence: float) -> Iterator[tuple[int, float]]:
    """The numbers of positives among n cases, with probabilities; both classes are there."""
    sizes = np.arange(1, n)
    weights = binom.pmf(sizes, n, prevalence)
    keep = weights > NEGLIGIBLE
    yield from zip(sizes[keep].tolist(), (weights[keep] / weights.sum()).tolist(), strict=True)


def tables(
    n_positive: int,
    n_negative: int,
    shares: tuple[np.ndarray, np.ndarray],
    sampling: str,
    runs: int,
    rng: np.random.Generator,
) -> Iterator[Tables]:
    """Data sets by class sizes: all of them (runs = 0), or so many draws, equal ones put together."""
    n = n_positive + n_negative
    if sampling == "stratified":
        sizes = {n_positive: float(runs or 1)}
    elif runs == 0:
        sizes = dict(class_sizes(n, n_positive / n))
    else:
        drawn = np.clip(rng.binomial(n, n_positive / n, runs), 1, n - 1)
        sizes = dict(zip(*(part.tolist() for part in np.unique(drawn, return_counts=True)), strict=True))
    for positives, weight in sizes.items():
        if runs:
            yield _drawn(positives, n - positives, shares, int(weight), rng)
        else:
            every = all_tables(positives, n - positives, shares)
            yield every._replace(weights=weight * every.weights)


def _drawn(
    n_positive: int, n_negative: int, shares: tuple[np.ndarray, np.ndarray], runs: int, rng: np.random.Generator
) -> Tables:
    cells = np.hstack([rng.multinomial(n, p, runs) for n, p in zip((n_positive, n_negative), shares, strict=True)])
    distinct, times = np.unique(cells, axis=0, return_counts=True)
    return Tables(distinct[:, : len(shares[0])], distinct[:, len(shares[0]) :], times.astype(float))
