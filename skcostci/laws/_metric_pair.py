"""Two models' metrics on the same cases: the moments of their difference, and how they move together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcostci._validation import Booleans, Floats
from skcostci.laws._cells import HITS, by_cell, count_law, less
from skcostci.laws._linear import LinearLaw
from skcostci.laws._metric import MetricLaw
from skcostci.laws._ratio_moments import KnownMoments, Moments, pair_moments
from skcostci.metric import AnyMetric

PAIRED_CLASSES = slice(0, 4), slice(4, 8)  # the cells of the positives, and of the negatives


@dataclass(frozen=True)
class MetricPairLaw(KnownMoments):
    """The difference of a metric between models a and b, given that both are defined.

    ``counts`` are the positives, then the negatives, that are hit by both, by a alone, by b alone and by neither, of
    shape (n_points, 8).
    """

    a: MetricLaw
    b: MetricLaw
    counts: Floats

    @property
    def estimate(self) -> Floats:
        """The difference on the sample."""
        return self.a.estimate - self.b.estimate

    @property
    def support(self) -> tuple[Floats, Floats]:
        """The range of the difference."""
        (low_a, high_a), (low_b, high_b) = self.a.support, self.b.support
        return low_a - high_b, high_a - low_b

    @cached_property
    def _moved(self) -> Floats:
        """What a case in each of the eight cells adds to either metric, to first order, shape (2, n_points, 8)."""
        return np.stack([by_cell(law.influence, hits) for law, hits in zip((self.a, self.b), HITS, strict=True)])

    @property
    def first_order(self) -> LinearLaw:
        """The law of what the cases add to the difference, to first order: 0 on average."""
        every = np.ones(self.counts.shape, dtype=bool)
        return count_law(self.counts, self._moved[0] - self._moved[1], every, self.a.sampling)

    @cached_property
    def correlation(self) -> Floats:
        """Of what a case adds to either metric, to first order, one more case a class spread over its cells."""
        moved = self._moved
        counts, covariance = self.counts + 0.25, np.zeros((2, 2, len(self.counts)))
        for part in [slice(0, 8)] if self.a.sampling == "full" else PAIRED_CLASSES:
            weights = counts[:, part] / counts[:, part].sum(axis=1, keepdims=True)
            off = moved[..., part] - (moved[..., part] * weights).sum(axis=-1, keepdims=True)
            covariance += np.einsum("aij,bij,ij->abi", off, off, counts[:, part])
        spread = np.sqrt(covariance[0, 0] * covariance[1, 1])
        return np.where(spread > 0, covariance[0, 1] / np.where(spread > 0, spread, 1.0), 0.0)

    @property
    def _size(self) -> Floats:
        """Of the values, beside which rounding is seen."""
        return np.maximum(np.abs(self.a.estimate), np.abs(self.b.estimate))

    @cached_property
    def _moments(self) -> Moments:
        """P(undefined), mean, variance: exact for ratios; of others the models' own, and their correlation."""
        apart = (self.counts[:, [1, 2, 5, 6]] > 0).any(axis=1)
        if self.a.is_ratio:
            undefined, mean, variance = pair_moments(*self._cells())
        else:
            deviations = np.sqrt(self.a.variance), np.sqrt(self.b.variance)
            both = 2 * self.correlation * deviations[0] * deviations[1]
            undefined, mean = np.maximum(self.a.undefined, self.b.undefined), self.a.mean - self.b.mean
            variance = np.maximum(self.a.variance + self.b.variance - both, 0.0)
        return undefined, np.where(apart, mean, 0.0), np.where(apart, variance, 0.0)

    def _cells(self) -> tuple[list[tuple[int, Floats]], Floats]:
        """Draws and probabilities by what is drawn together; what a case weighs in both sums of both models."""
        pairs = zip((self.a, self.b), HITS, strict=True)
        weights = [by_cell(side, hits) for law, hits in pairs for side in law.weights]
        parts = []
        for part in [slice(0, 8)] if self.a.sampling == "full" else PAIRED_CLASSES:
            counts = np.zeros_like(self.counts)
            counts[:, part] = self.counts[:, part]
            draws = round(float(counts[0].sum()))
            if draws:
                parts.append((draws, counts / draws))
        return parts, np.array(weights)


def metric_pair_law(
    counts: Floats,
    possible: Booleans,
    metrics: tuple[Sequence[AnyMetric], Sequence[AnyMetric]],
    sampling: str,
    prevalence: float | None = None,
) -> LinearLaw | MetricPairLaw:
    """The law of a difference between two models from their joint cells, a linear one where they are weighted sums."""
    a, b = models_apart(counts, possible, metrics, sampling, prevalence)
    of_a, of_b = a.sum_weights, b.sum_weights
    if of_a is None or of_b is None:
        return MetricPairLaw(a, b, counts)
    return count_law(counts, less(of_a, of_b), possible, sampling)


def models_apart(
    counts: Floats,
    possible: Booleans,
    metrics: tuple[Sequence[AnyMetric], Sequence[AnyMetric]],
    sampling: str,
    prevalence: float | None,
) -> tuple[MetricLaw, MetricLaw]:
    """Either model's own law, from their joint cells."""
    models = [(_of_model(counts, hits, np.add), _of_model(possible, hits, np.logical_or)) for hits in HITS]
    pairs = zip(models, metrics, strict=True)
    a, b = (MetricLaw(*cells, tuple(each), sampling, prevalence) for cells, each in pairs)
    return a, b


def _of_model(cells: NDArray[Any], hits: Booleans, join: np.ufunc) -> NDArray[Any]:
    """The four cells of one model, from the eight of a pair."""
    return np.column_stack(
        [join.reduce(cells[:, c][:, some], axis=1) for c in PAIRED_CLASSES for some in (hits, ~hits)]
    )
