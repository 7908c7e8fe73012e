"""Laws of metrics of a confusion table at many points, and of their difference between two models.

A metric is a ratio ``N / D`` of weighted counts of TP, FN, FP and TN (f1, precision), a ratio whose weights follow the
class sizes (balanced accuracy under full sampling, lift), or any function that rises with TP (kappa, MCC). Where D
cannot vary it is a weighted sum, whose law is linear and exact at every size (:func:`metric_law`). Moments of ratios
are exact by a quadrature, other moments are sums over counts at each point (:mod:`_metric_point`, which has the
distribution functions and states their approximations).

For two models on the same cases mean and variance of the difference are exact: for ratios by the quadrature, for other
metrics by polynomials of the counts. Limits combine those of the two models with their correlation to first order, from
the influence values of cases on each metric, ``influence``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Booleans, Entry, Floats
from skcostci._frozen import cached_property
from skcostci.laws._side_by_side import at_points, split_at
from skcostci.laws.exact._linear import HITS, LinearLaw, by_cell, count_law, minus, rate_law
from skcostci.laws.exact._metric_point import MetricAtPoint, Sheet, paired_metric_moments
from skcostci.laws.exact._ratio import KnownMoments, Moments, drawn_together, ratio_moments
from skcostci.laws.influence._curves import Optimism
from skcostci.metric import AnyMetric, Metric, MonotoneMetric, follow_share, of_cells, values_at

CLASSES = slice(0, 2), slice(2, 4)  # the cells of the positives, and of the negatives
# Other cells with the same truth as TP, FN, FP and TN, and with the same prediction.
MARGINS = ((0, 1), (0, 1), (2, 3), (2, 3)), ((0, 2), (1, 3), (0, 2), (1, 3))
CELL_STEP = 1e-5  # of a margin; ten times as large or as small: a digit of a slope less
CELL_ROUNDING = 1e-8  # of the largest effect of a cell
SLOPE_STEP = 1e-6  # step of a rate in finite differences; halved: rounding costs a digit
PAIRED_CLASSES = slice(0, 4), slice(4, 8)  # the cells of the positives, and of the negatives


@dataclass(frozen=True, repr=False, eq=False)
class MetricLaw(KnownMoments):
    """The exact bootstrap law of a metric at each of n_points points, given that it is defined.

    ``counts`` are TP, FN, FP and TN, ``possible`` whether a case can fall in them, both of shape (n_points, 4); there
    is one metric per point. ``prevalence`` is the class mix to evaluate at instead of the sample's, and ``optimisms``
    are those of thresholds chosen on these cases.
    """

    counts: Floats
    possible: Booleans
    metrics: tuple[AnyMetric, ...]
    sampling: str
    prevalence: float | None
    optimisms: tuple[Optimism, ...] = ()

    @cached_property
    def estimate(self) -> Floats:
        return values_at(self.metrics, self.counts, self.prevalence)

    @property
    def is_exact(self) -> bool:
        """Whether the cdf has a column for each number that may be drawn, at every point."""
        return all(point.is_exact for point in self.points)

    @cached_property
    def support(self) -> tuple[Floats, Floats]:
        if self.mixes_rates:
            return self.given_sizes.support
        if self.is_ratio and (self.sampling == "full" or self.of_one_class):
            with np.errstate(invalid="ignore", divide="ignore"):  # of each cell that a case can fall in
                found = np.where(self.possible, np.divide(*self.weights), np.nan)
        else:
            found = self._at_corners()
        least, most = np.fmin.reduce(found, axis=1), np.fmax.reduce(found, axis=1)  # NaN only where all are
        given = np.array([metric.range or (-np.inf, np.inf) for metric in self.metrics])
        if self.sampling == "full" and not self.is_ratio:
            return given[:, 0], given[:, 1]
        return np.fmax(least, given[:, 0]), np.fmin(most, given[:, 1])

    def cdf(self, x: Floats) -> Floats:
        return self._ask(x, lambda sheet, i, value: sheet.cdf(value, self.undefined[i]))

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        kinds = True, False
        found = self._ask(x, lambda sheet, i, at: [sheet.cdf(at, self.undefined[i], strict=strict) for strict in kinds])
        return split_at(found[..., 0], found[..., 1])

    def quantile(self, q: Floats) -> Floats:
        moments = np.transpose([self.undefined, self.mean, np.sqrt(self.variance)]).tolist()
        return self._ask(q, lambda sheet, i, level: sheet.quantile(level, *moments[i]))

    @cached_property
    def points(self) -> list[MetricAtPoint]:
        pairs = zip(self.metrics, self.counts, strict=True)
        return [MetricAtPoint(metric, counts, self.sampling, self.prevalence) for metric, counts in pairs]

    @property
    def drawn(self) -> Sequence[slice]:
        return [slice(0, 4)] if self.sampling == "full" else CLASSES

    @property
    def given_sizes(self) -> LinearLaw | MetricLaw:
        """The law with classes drawn to their own sizes; a linear one where the metric is then a weighted sum."""
        return metric_law(replace(self, sampling="stratified", optimisms=()))

    @property
    def mixes_rates(self) -> bool:
        """Whether the weights of rates are fixed, so that the metric does not depend on the drawn class sizes."""
        of_rates = not self.is_ratio and all(isinstance(metric, Metric) for metric in self.metrics)
        return of_rates and not self.follows_share

    @property
    def counted_classes(self) -> list[int]:
        """The classes whose cases count, 0 the positives: one of a rate."""
        if not self.is_ratio:
            return [0, 1]
        return [place for place, part in enumerate(CLASSES) if np.any([side[:, part] for side in self.weights])]

    @property
    def of_one_class(self) -> bool:
        return len(self.counted_classes) == 1

    @property
    def is_ratio(self) -> bool:
        return self.points[0].weights is not None

    @property
    def shares(self) -> tuple[Floats, Floats] | None:
        """The weights of a case of either kind in both sums, and how many there are; None if the kinds are not two."""
        each = [point.share for point in self.points if point.share is not None]
        if len(each) < len(self.points):
            return None
        kinds, counts = map(np.array, zip(*each, strict=True))
        return kinds, counts

    @cached_property
    def weights(self) -> tuple[Floats, Floats]:
        """The weights in numerator and denominator at the sample's class sizes, each of shape (n_points, 4)."""
        sides = [point.weights for point in self.points if point.weights is not None]
        numerator, denominator = np.swapaxes(sides, 0, 1)
        return numerator, denominator

    @property
    def sum_weights(self) -> Floats | None:
        """The weight of each case if the metric is a weighted sum, because the denominator cannot vary, else None."""
        if not self.is_ratio:
            return None
        numerator, denominator = self.weights
        if not all((np.ptp(denominator[:, part], axis=1) == 0).all() for part in self.drawn):
            return None
        # sums of whole class sizes: two models on the same cases then have the same weights, to the last bit
        totals = sum(self.counts[:, part].sum(axis=1) * denominator[:, part.start] for part in self.drawn)
        return np.asarray(numerator / np.asarray(totals)[:, None])

    def contrast(self, of_numerator: Floats, of_denominator: Floats) -> LinearLaw:
        numerator, denominator = self.weights
        values = of_numerator[:, None] * numerator + of_denominator[:, None] * denominator
        return count_law(self.counts, values, self.possible, self.sampling)

    @cached_property
    def parts(self) -> list[LinearLaw]:
        """The laws of TPR and FPR and, if the class sizes are drawn too, of the share of positives."""
        cells = [(self.counts[:, part], self.possible[:, part]) for part in CLASSES]
        if self.sampling == "full":
            sizes = np.column_stack([self.counts[:, part].sum(axis=1) for part in CLASSES])
            cells.append((sizes, np.ones(sizes.shape, dtype=bool)))
        return [rate_law(*pair) for pair in cells]

    def at_rates(self, rates: Floats) -> Floats:
        """The metrics at these TPR, FPR and, if it varies, share of positives: the first axis; the last is n_points."""
        tpr, fpr = rates[:2]
        positives, negatives = self.points[0].sizes
        judged = positives / (positives + negatives) if self.prevalence is None else self.prevalence
        share = rates[2] if len(rates) > 2 else np.broadcast_to(judged, tpr.shape)
        found = [_at_rates(m, tpr[..., i], fpr[..., i], share[..., i]) for i, m in enumerate(self.metrics)]
        return np.stack(found, axis=-1)

    @property
    def unit(self) -> Floats:
        """The distance of the estimate from the least value, 1 where it is that or infinite."""
        above = self.estimate - self.support[0]
        return np.where((above > 0) & np.isfinite(above), above, 1.0)

    @property
    def follows_share(self) -> bool:
        return follow_share(self.metrics)

    @cached_property
    def as_share(self) -> MetricLaw:
        """The law of z / (z + unit), z above its least value, instead of a metric z without a greatest value."""

        def share(metric: AnyMetric, least: float, unit: float, *cells: Floats) -> Floats:
            with np.errstate(divide="ignore"):
                return np.asarray(1 / (1 + unit / (of_cells(metric, *cells) - least)))

        parts = zip(self.metrics, self.support[0].tolist(), self.unit.tolist(), strict=True)
        metrics = [MonotoneMetric(partial(share, *part), range=(0.0, 1.0)) for part in parts]
        return MetricLaw(self.counts, self.possible, tuple(metrics), self.sampling, self.prevalence)

    def from_share(self, share: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.asarray(self.support[0] + self.unit * share / (1 - share))

    @cached_property
    def influence(self) -> Floats:
        return (self._of_ratio if self.is_ratio else self.of_counts)(self.counts)[1]

    def _of_ratio(self, counts: Floats) -> tuple[Floats, Floats]:
        numerator, denominator = self.weights
        whole = (counts * denominator).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            value = (counts * numerator).sum(axis=1) / whole
            return value, (numerator - value[:, None] * denominator) / whole[:, None]

    def of_counts(self, counts: Floats) -> tuple[Floats, Floats]:
        """Metrics at other counts, by these counts' share of positives if sizes are drawn, and influences by cell."""
        if self.is_ratio and (self.sampling == "full" or self.of_one_class):
            return self._of_ratio(counts)
        share, (positives, negatives) = self.prevalence, self.points[0].sizes
        if share is None and self.sampling != "full" and positives and negatives:
            share = positives / (positives + negatives)
        return values_at(self.metrics, counts, share), self._slopes_of_cells(counts, share)

    def _slopes_of_cells(self, counts: Floats, share: float | None) -> Floats:
        """The slope in the count of each cell, 0 where infinite, by forward differences of second order."""
        margins = [[counts[:, i] + counts[:, j] for i, j in pairs] for pairs in MARGINS]
        least, moved = np.min(margins, axis=0), []
        sizes = np.where(least > 0, least, counts.sum(axis=1))
        for cell, size in zip(np.eye(4), sizes, strict=True):
            steps = (counts + np.outer(k * CELL_STEP * size, cell) for k in range(3))
            at, near, far = (values_at(self.metrics, moved_to, share) for moved_to in steps)
            with np.errstate(invalid="ignore"):
                moved.append((4 * near - far - 3 * at) / (2 * CELL_STEP))
        found = np.where(np.isfinite(moved), moved, 0.0)
        return np.asarray((np.where(np.abs(found) > CELL_ROUNDING * np.abs(found).max(axis=0), found, 0.0) / sizes).T)

    def slopes(self, rates: Floats) -> Floats:
        """The slopes of the metrics in each of the rates, by finite differences inside [0, 1]."""
        found = []
        for step in SLOPE_STEP * np.eye(len(rates))[..., None]:
            # One-sided at rates of 0 and 1: the metric may not be defined beyond.
            low, high = np.clip(rates - step, 0.0, 1.0), np.clip(rates + step, 0.0, 1.0)
            with np.errstate(invalid="ignore"):
                found.append((self.at_rates(high) - self.at_rates(low)) / (high - low).sum(axis=0))
        return np.array(found)

    def _at_corners(self) -> Floats:
        """The metric where all cases of each class have the same label, as far as possible."""
        cells, found = [self.possible[:, part] for part in CLASSES], []
        for corner in product((1.0, 0.0), repeat=2):
            rates = [np.where(can.all(axis=1), rate, can[:, 0]) for can, rate in zip(cells, corner, strict=True)]
            found.append(self.at_rates(np.array(rates)))
        return np.column_stack(found)

    def _ask(self, x: Floats, question: Callable[[Sheet, int, float], float | list[float]]) -> Floats:
        def answers(i: int, column: Floats) -> ArrayLike:
            sheet = self.points[i].sheet()
            return [question(sheet, i, value) for value in column.tolist()]

        return at_points(x, answers)

    @property
    def _size(self) -> Floats:
        """The size of the values, to which rounding is relative; for differences in a range that of the range."""
        ends = np.abs([metric.range or (0.0, 0.0) for metric in self.metrics]).max(axis=1)
        return super()._size if self.is_ratio else np.fmax(super()._size, np.where(np.isfinite(ends), ends, 0.0))

    @cached_property
    def _moments(self) -> Moments:
        if self.is_ratio:
            return ratio_moments(drawn_together(self.counts, self.drawn), np.array(self.weights))
        undefined, mean, variance = np.transpose([point.moments() for point in self.points])
        return undefined, mean, variance


def metric_law(law: MetricLaw) -> LinearLaw | MetricLaw:
    """The law, a linear one where the metrics are weighted sums."""
    weights = law.sum_weights
    return law if weights is None else count_law(law.counts, weights, law.possible, law.sampling)


def _at_rates(metric: AnyMetric, tpr: Floats, fpr: Floats, share: Floats) -> Floats:
    rates = np.stack(np.broadcast_arrays(tpr, 1 - tpr, fpr, 1 - fpr), axis=-1)
    if not isinstance(metric, Metric):
        sizes = np.stack([share, share, 1 - share, 1 - share], axis=-1)
        return of_cells(metric, *np.moveaxis(rates * sizes, -1, 0))
    numerator, denominator = metric.on_rates(share)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((rates * numerator).sum(axis=-1) / (rates * denominator).sum(axis=-1))


@dataclass(frozen=True, repr=False, eq=False)
class MetricPairLaw(KnownMoments):
    """A metric of a minus b; ``counts``, (n_points, 8): positives, then negatives, hit by both, a, b and neither."""

    a: MetricLaw
    b: MetricLaw
    counts: Floats
    is_exact: ClassVar = True  # there is no distribution function, and the moments are exact

    @property
    def estimate(self) -> Floats:
        return self.a.estimate - self.b.estimate

    @property
    def support(self) -> tuple[Floats, Floats]:
        return range_of([self.a, self.b])

    @property
    def possible(self) -> Booleans:
        a, b = (by_cell(law.possible, hits) for law, hits in zip((self.a, self.b), HITS, strict=True))
        return np.asarray(a & b)

    def of_counts(self, counts: Floats) -> tuple[Floats, Floats]:
        """The difference at other counts, and the influence value of each cell, as :meth:`MetricLaw.of_counts`."""
        laws = zip((self.a, self.b), HITS, strict=True)
        (a, by_a), (b, by_b) = (law.of_counts(cells_of_model(counts, hits)) for law, hits in laws)
        return a - b, minus(by_a, by_b)

    @property
    def drawn(self) -> Sequence[slice]:
        return [slice(0, 8)] if self.a.sampling == "full" else PAIRED_CLASSES

    @cached_property
    def correlation(self) -> Floats:
        """The correlation of influence values on both metrics, with one more case per class spread over its cells."""
        models = zip((self.a, self.b), HITS, strict=True)
        moved = np.stack([by_cell(law.influence, hits) for law, hits in models])
        counts, covariance = self.counts + 0.25, np.zeros((2, 2, len(self.counts)))
        for part in self.drawn:
            weights = counts[:, part] / counts[:, part].sum(axis=1, keepdims=True)
            off = moved[..., part] - (moved[..., part] * weights).sum(axis=-1, keepdims=True)
            covariance += np.einsum("aij,bij,ij->abi", off, off, counts[:, part])
        spread = np.sqrt(covariance[0, 0] * covariance[1, 1])
        return np.where(spread > 0, covariance[0, 1] / np.where(spread > 0, spread, 1.0), 0.0)

    @property
    def _size(self) -> Floats:
        return np.maximum(np.abs(self.a.estimate), np.abs(self.b.estimate))

    @cached_property
    def _moments(self) -> Moments:
        """P(undefined), mean and variance, the latter two exactly 0 where both models agree on all cases."""
        disagree = (self.counts[:, [1, 2, 5, 6]] > 0).any(axis=1)
        if self.a.is_ratio:
            pairs = zip((self.a, self.b), HITS, strict=True)
            weights = np.array([by_cell(side, hits) for law, hits in pairs for side in law.weights])
            undefined, mean, variance = ratio_moments(drawn_together(self.counts, self.drawn), weights)
        else:
            points = zip(self.a.points, self.b.points, self.counts, strict=True)
            undefined, mean, variance = np.transpose([paired_metric_moments(*point) for point in points])
        return undefined, np.where(disagree, mean, 0.0), np.where(disagree, variance, 0.0)


def range_of(models: Sequence[MetricLaw]) -> tuple[Floats, Floats]:
    """The least and the largest metric, or difference of two, if cases are in possible cells only."""
    ends = [model.support for model in models]
    if len(ends) == 1:
        return ends[0]
    (low_a, high_a), (low_b, high_b) = ends
    return low_a - high_b, high_a - low_b


def metric_pair_law(models: Sequence[MetricLaw], counts: Floats, possible: Booleans) -> LinearLaw | MetricPairLaw:
    """The law of a difference between two models from their joint cells, a linear one where they are weighted sums."""
    a, b = models
    of_a, of_b = a.sum_weights, b.sum_weights
    if of_a is None or of_b is None:
        return MetricPairLaw(a, b, counts)
    return count_law(counts, minus(of_a, of_b), possible, a.sampling)


def pairs_at_once(laws: Sequence[Any]) -> MetricPairLaw | None:
    """Pairs at single points, of one metric on the same cases, as one law of as many points; None of other laws."""
    if not laws or not all(isinstance(law, MetricPairLaw) for law in laws):
        return None
    a, b = (_at_points(models) for models in zip(*((law.a, law.b) for law in laws), strict=True))
    return MetricPairLaw(a, b, np.concatenate([law.counts for law in laws]))


def _at_points(models: Sequence[MetricLaw]) -> MetricLaw:
    """Models at single points as one law of as many points."""
    counts, possible = (np.concatenate(each) for each in zip(*((m.counts, m.possible) for m in models), strict=True))
    return replace(models[0], counts=counts, possible=possible, metrics=tuple(m.metrics[0] for m in models))


def models_of_pair(
    counts: Floats, possible: Booleans, metrics: Sequence[Sequence[AnyMetric]], sampling: str, prevalence: float | None
) -> tuple[MetricLaw, MetricLaw]:
    models = [(cells_of_model(counts, hits), cells_of_model(possible, hits) > 0) for hits in HITS]
    pairs = zip(models, metrics, strict=True)
    a, b = (MetricLaw(*cells, tuple(each), sampling, prevalence) for cells, each in pairs)
    return a, b


def cells_of_model(cells: NDArray[Entry], hits: Booleans) -> NDArray[Entry]:
    """The four cells of one model, from the eight of a pair in the last axis."""
    return np.stack([cells[..., c][..., some].sum(axis=-1) for c in PAIRED_CLASSES for some in (hits, ~hits)], axis=-1)
