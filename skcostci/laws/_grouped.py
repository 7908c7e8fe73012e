"""Laws of statistics when whole groups of cases are resampled: as many groups as there are, with all their cases.

A statistic of the groups is a ratio of two sums over the groups drawn, or adds up two such ratios. A single ratio's law
is known whole. Of a sum of two the moments are exact; of other functions of the rates they are of first order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from skcostci._validation import Booleans, Floats
from skcostci.laws._curves import Flattery, path_length
from skcostci.laws._linear import HITS, LinearLaw, by_cell, classes_of, count_law
from skcostci.laws._metric import CLASSES, PAIRED_CLASSES, MetricLaw, MetricPairLaw, metric_pair_law, models_of_pair
from skcostci.laws._ratio import Draws, GroupRatio, KnownMoments, Moments, pair_moments, ratio_moments
from skcostci.laws._worths import CountedWorths
from skcostci.metric import AnyMetric

Metrics = Sequence[AnyMetric]
LawOfCases = LinearLaw | MetricLaw | MetricPairLaw


class Term(NamedTuple):
    """A ratio of two weighted counts: what a case in each cell weighs, both of shape (n_points, n_cells)."""

    numerator: Floats
    denominator: Floats

    def influence(self, counts: Floats) -> Floats:
        """What a case in each cell adds to the ratio, to first order."""
        whole = (counts * self.denominator).sum(axis=1, keepdims=True)
        value = (counts * self.numerator).sum(axis=1, keepdims=True) / whole
        return np.asarray((self.numerator - value * self.denominator) / whole)


@dataclass(frozen=True)
class GroupedLaw(KnownMoments):
    """The law of a statistic at each of n_points points, of groups with these ``cells``: (n_points, n_groups, n_cells).

    ``of_cases`` is the law if cases were drawn one by one, which knows the estimate and the range of the parameter.
    ``added`` is what a case in each cell adds to first order, ``matters`` whether a case in it counts at all, both of
    shape (n_points, n_cells). The statistic is the sum of the ``terms`` or, if there are none, another function of the
    cells. ``flatteries`` are choices of thresholds that these cases made.
    """

    of_cases: LawOfCases
    cells: Floats
    added: Floats
    matters: Booleans
    terms: tuple[Term, ...]
    flatteries: tuple[Flattery, ...] = ()

    @property
    def estimate(self) -> Floats:
        """The statistic of the sample."""
        return self.of_cases.estimate

    @property
    def support(self) -> tuple[Floats, Floats]:
        """The range of the parameter."""
        return self.of_cases.support

    @property
    def is_exact(self) -> bool:
        """Whether mean and variance are exact: of one ratio, or of a sum of two."""
        return 0 < len(self.terms) <= 2

    @cached_property
    def influence(self) -> Floats:
        """What each group adds to the statistic, to first order, shape (n_points, n_groups); 0 on average."""
        return np.asarray(np.einsum("pgc,pc->pg", self.cells, self.added))

    @cached_property
    def worths(self) -> CountedWorths:
        """What the groups add, from which a bound is had of statistics that have finite ends."""
        measures = tuple(term.denominator for term in self.terms) or _of_classes(self.added)
        return CountedWorths(self.support, self.cells, _possible(self), measures, self._of_counts)

    def _of_counts(self, counts: Floats) -> tuple[Floats, Floats]:
        """The statistic for other counts in the cells, and what a case in each cell adds to it."""
        return sum_of_terms(self.terms, counts) if self.terms else _of_rates(self.of_cases, counts)

    @cached_property
    def n_groups(self) -> Floats:
        """How many groups hold cases that count, one number a point."""
        return np.asarray((self._sizes > 0).sum(axis=1), dtype=np.float64)

    @cached_property
    def design_effect(self) -> Floats:
        """How many times as large the variance is as if cases did not belong together, at least 1.

        Where none was seen, because all cases are alike, groups may be of one kind each: as many cases as groups.
        """
        single, more = self._variance_of_cases, self.n_groups / np.maximum(self.n_groups - 1, 1)
        seen = single > 0
        by_groups = more * (self.influence**2).sum(axis=1) / np.where(seen, single, 1.0)
        whole = self._sizes.sum(axis=1)
        of_one_kind = (self._sizes**2).sum(axis=1) / np.where(whole > 0, whole, 1.0)
        return np.asarray(np.maximum(np.where(seen, by_groups, of_one_kind), 1.0))

    @property
    def _variance_of_cases(self) -> Floats:
        """The variance if cases were drawn one by one, to first order."""
        if isinstance(self.of_cases, LinearLaw):
            return np.asarray(self.of_cases.variance)
        return np.asarray((self.cells.sum(axis=1) * self.added**2).sum(axis=1))

    @cached_property
    def _sizes(self) -> Floats:
        """How many cases that count each group has, shape (n_points, n_groups)."""
        return np.asarray(np.einsum("pgc,pc->pg", self.cells, self.matters.astype(np.float64)))

    def _sums(self, i: int) -> Floats:
        """Numerator and denominator of each term at point i, shape (2 * n_terms, n_groups)."""
        return np.array([self.cells[i] @ side[i] for term in self.terms for side in term])

    @cached_property
    def _moments(self) -> Moments:
        if not self.terms:
            return self._first_order
        points = [_moments_of(self._sums(i)) for i in range(len(self.cells))]
        undefined, mean, variance = np.transpose(points)
        return undefined, mean, variance

    @property
    def _first_order(self) -> Moments:
        """Of a function of the rates; a resample of one class has no value."""
        held = np.asarray(self.cells.any(axis=0).reshape(self.cells.shape[1], 2, -1).any(axis=2))
        undefined = float(((1 - held.mean(axis=0)) ** len(held)).sum())
        variance = (self.influence**2).sum(axis=1)
        return np.full(len(self.cells), undefined), self.estimate, np.where(np.isinf(self.estimate), np.inf, variance)


def worths_of_cases(law: MetricPairLaw, times: Floats) -> CountedWorths:
    """What single cases add to the difference, as groups of one do; ``times`` is how many are in each of the cells."""
    joint = _pair_terms(law) if law.a.is_ratio and law.a.sampling == "full" else ()
    one_each = np.broadcast_to(np.eye(times.shape[1]), (len(times), *[times.shape[1]] * 2))
    measures = tuple(term.denominator for term in joint) or _of_classes(times)

    def of_counts(counts: Floats) -> tuple[Floats, Floats]:
        return sum_of_terms(joint, counts) if joint else _of_rates(law, counts)

    return CountedWorths(law.support, one_each, _possible_in_pair(law), measures, of_counts, times)


def _pair_terms(law: MetricPairLaw) -> tuple[Term, ...]:
    """The ratios of both models, of full samples."""
    return _difference((Term(*law.a.weights),), (Term(*law.b.weights),))


def sum_of_terms(terms: Sequence[Term], counts: Floats) -> tuple[Floats, Floats]:
    """A sum of ratios for other counts in the cells, and what a case in each cell adds to it."""
    with np.errstate(invalid="ignore", divide="ignore"):
        values = [(counts * each.numerator).sum(axis=1) / (counts * each.denominator).sum(axis=1) for each in terms]
        return np.asarray(sum(values)), np.asarray(sum(term.influence(counts) for term in terms))


def _of_classes(cells: Floats) -> tuple[Floats, ...]:
    """Ones in the cells of either class."""
    found = np.zeros((2, *cells.shape))
    for each, part in zip(found, classes_of(cells), strict=True):
        each[:, part] = 1.0
    return tuple(found)


def _possible(law: GroupedLaw) -> Booleans:
    """In which cells a case can fall at all, from the law of cases drawn one by one."""
    of_cases = law.of_cases
    if isinstance(of_cases, MetricLaw):
        return of_cases.possible
    if isinstance(of_cases, MetricPairLaw):
        return _possible_in_pair(of_cases)
    can = np.ones(law.added.shape, dtype=bool)
    parts: Sequence[slice] = classes_of(can)
    if of_cases.strata[0].prior.shape[1] == law.added.shape[1]:  # cases of both classes are drawn together
        parts = [slice(None)]
    elif len(of_cases.strata) == 1:  # a rate, of the class that is in its denominator
        parts = [part for part in parts if any(t.denominator[:, part].any() for t in law.terms)]
    for part, stratum in zip(parts, of_cases.strata, strict=True):
        can[:, part] = stratum.prior > 0
    return can


def _possible_in_pair(law: MetricPairLaw) -> Booleans:
    """In which of the eight cells a case can fall."""
    a, b = (by_cell(each.possible, hits) for each, hits in zip((law.a, law.b), HITS, strict=True))
    return np.asarray(a & b)


def _of_rates(law: LawOfCases, counts: Floats) -> tuple[Floats, Floats]:
    """A function of the rates, and of the class mix if that is drawn, for other counts, and what cases add to it."""
    if isinstance(law, MetricPairLaw):
        cells = [_of_model(counts[:, None], hits)[:, 0] for hits in HITS]
        (a, by_a), (b, by_b) = (_of_rates(each, some) for each, some in zip((law.a, law.b), cells, strict=True))
        return a - b, by_cell(by_a, HITS[0]) - by_cell(by_b, HITS[1])
    assert isinstance(law, MetricLaw)
    seen = float(law.counts[0, :2].sum() / law.counts[0].sum())
    fixed = law.sampling == "stratified" or law.prevalence is not None
    mix = (seen if law.prevalence is None else law.prevalence) if fixed else None
    moved = replace(law, counts=counts, sampling="stratified" if fixed else "full", prevalence=mix)
    sizes = [counts[:, part].sum(axis=1) for part in CLASSES]
    rates = [counts[:, part.start] / size for part, size in zip(CLASSES, sizes, strict=True)]
    center = np.array(rates if fixed else [*rates, sizes[0] / (sizes[0] + sizes[1])])
    slopes = np.where(np.isfinite(slopes := moved.slopes(center)), slopes, 0.0)
    added = [
        (slope / size)[:, None] * (np.array([1.0, 0.0]) - rate[:, None])
        for slope, size, rate in zip(slopes[:2], sizes, rates, strict=True)
    ]
    if not fixed:
        for each, positive in zip(added, (1.0, 0.0), strict=True):
            each += (slopes[2] * (positive - center[2]) / (sizes[0] + sizes[1]))[:, None]
    return moved.at_rates(center), np.hstack(added)


@dataclass(frozen=True)
class GroupedRatioLaw(GroupedLaw):
    """The law of a single ratio of sums over groups, known whole."""

    def cdf(self, x: Floats) -> Floats:
        """P(X <= x) for x of shape (..., n_points)."""
        return self._at_points("cdf", x)

    def quantile(self, q: Floats) -> Floats:
        """The smallest x with P(X <= x) >= q, for q of shape (..., n_points)."""
        return self._at_points("quantile", q)

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """P(X < x), P(X = x) and P(X > x) for x of shape (..., n_points)."""
        below, up_to = self._at_points("below", x), self.cdf(x)
        return below, np.maximum(up_to - below, 0.0), 1.0 - up_to

    def sides(self, x: float) -> tuple[Floats, Floats]:
        """P(X <= x) and P(X >= x) at every point."""
        everywhere = np.full(len(self.cells), x)
        return self.cdf(everywhere), 1.0 - self._at_points("below", everywhere)

    @cached_property
    def points(self) -> list[GroupRatio]:
        """The law at each point."""
        return [GroupRatio(*self._sums(i)) for i in range(len(self.cells))]

    def _at_points(self, question: str, x: Floats) -> Floats:
        """Ask the law at each point about each of its values."""
        columns = np.reshape(x, (-1, len(self.cells))).T.tolist()
        answers = [
            [getattr(law, question)(value) for value in column]
            for law, column in zip(self.points, columns, strict=True)
        ]
        return np.reshape(np.transpose(np.array(answers, dtype=np.float64)), np.shape(x))


@dataclass(frozen=True)
class GroupedCurve:
    """How far the points of a curve differ where cases belong together, and how many are not known beforehand."""

    path_length: float
    unknown_points: int


def grouped_curve(law: GroupedLaw, axis: Floats) -> GroupedCurve:
    """Of a statistic whose neighbours are those along this axis, from what groups add to it."""
    order, known = np.argsort(axis, kind="stable"), np.equal(*law.support)
    added = law.influence[order]
    length = path_length((added**2).sum(axis=1), (added[:-1] * added[1:]).sum(axis=1), known[order])
    return GroupedCurve(length, max(int((~known).sum()), 1))


def grouped_law(
    of_cases: LawOfCases, cells: Floats, terms: tuple[Term, ...], flatteries: tuple[Flattery, ...] = ()
) -> GroupedLaw:
    """The law of a sum of ratios of weighted counts."""
    counts = cells.sum(axis=1)
    added = np.asarray(sum(term.influence(counts) for term in terms))
    matters = np.any([term.denominator > 0 for term in terms], axis=0)
    kind = GroupedRatioLaw if len(terms) == 1 else GroupedLaw
    return kind(of_cases, cells, added, matters, terms, flatteries)


def class_terms(values: Floats) -> tuple[Term, ...]:
    """The average values of the cases of either class; a class without values is left out."""
    terms = []
    for part in classes_of(values):
        numerator, denominator = np.zeros((2, *values.shape))
        numerator[:, part], denominator[:, part] = values[:, part], 1.0
        terms.append(Term(numerator, denominator))
    return tuple(term for term in terms if term.numerator.any()) or tuple(terms)


def grouped_metric_law(of_cases: MetricLaw, cells: Floats, flatteries: tuple[Flattery, ...] = ()) -> GroupedLaw:
    """The law of a metric: a ratio of counts, a sum of rates, or another function of rates, known to first order."""
    if of_cases.is_ratio and of_cases.sampling == "full":
        return grouped_law(of_cases, cells, (Term(*of_cases.weights),), flatteries)
    given = MetricLaw(of_cases.counts, of_cases.possible, of_cases.metrics, "stratified", of_cases.prevalence)
    if (weights := given.sum_weights) is not None:
        sizes = np.repeat([of_cases.counts[0, :2].sum(), of_cases.counts[0, 2:].sum()], 2)
        linear = count_law(of_cases.counts, weights, of_cases.possible, "stratified")
        return grouped_law(linear, cells, class_terms(weights * sizes), flatteries)
    added = _within_classes(of_cases) if of_cases.is_ratio else of_cases.influence
    return GroupedLaw(of_cases, cells, added, np.ones(added.shape, dtype=bool), (), flatteries)


def _within_classes(of_cases: MetricLaw) -> Floats:
    """What cases add beside the others of their class, where the class mix is not that of the sample."""
    added = of_cases.influence.copy()
    for part in CLASSES:
        counts = of_cases.counts[:, part]
        added[:, part] -= (counts * added[:, part]).sum(axis=1, keepdims=True) / counts.sum(axis=1, keepdims=True)
    return added


@dataclass(frozen=True)
class GroupedPairLaw(GroupedLaw):
    """The law of a difference between two models' metrics, whose own laws are ``a`` and ``b``."""

    a: GroupedLaw = field(kw_only=True)
    b: GroupedLaw = field(kw_only=True)

    @property
    def correlation(self) -> Floats:
        """Of what groups add to either metric, to first order."""
        a, b = self.a.influence, self.b.influence
        spread = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
        found = np.where(spread > 0, (a * b).sum(axis=1) / np.where(spread > 0, spread, 1.0), 0.0)
        return np.asarray(np.clip(found, -1.0, 1.0))


def grouped_pair_law(
    cells: Floats, possible: Booleans, metrics: tuple[Metrics, Metrics], prevalence: float | None
) -> GroupedLaw:
    """The law of the difference of a metric between two models, from their joint cells by group."""
    counts, scheme = cells.sum(axis=1), "full" if prevalence is None else "stratified"
    models = models_of_pair(counts, possible, metrics, scheme, prevalence)
    a, b = (grouped_metric_law(law, _of_model(cells, hits)) for law, hits in zip(models, HITS, strict=True))
    terms = _difference(a.terms, b.terms)
    for sampling in (scheme, "stratified"):
        linear = metric_pair_law(counts, possible, metrics, sampling, prevalence)
        if isinstance(linear, LinearLaw):
            return grouped_law(linear, cells, terms)
    added = by_cell(a.added, HITS[0]) - by_cell(b.added, HITS[1])
    matters = np.asarray(by_cell(a.matters, HITS[0]) | by_cell(b.matters, HITS[1]))
    return GroupedPairLaw(MetricPairLaw(*models, counts), cells, added, matters, terms, a=a, b=b)


def _of_model(cells: Floats, hits: Booleans) -> Floats:
    """The four cells of one model by group, from the eight of a pair."""
    return np.stack([cells[:, :, c][..., some].sum(axis=2) for c in PAIRED_CLASSES for some in (hits, ~hits)], axis=2)


def _difference(of_a: tuple[Term, ...], of_b: tuple[Term, ...]) -> tuple[Term, ...]:
    """The terms of a minus those of b on joint cells; ratios to the same denominator become one."""
    found = [Term(*(by_cell(side, HITS[0]) for side in term)) for term in of_a]
    for term in of_b:
        subtracted, denominator = (by_cell(side, HITS[1]) for side in term)
        same = [i for i, each in enumerate(found) if np.array_equal(each.denominator, denominator)]
        if same:
            found[same[0]] = Term(found[same[0]].numerator - subtracted, denominator)
        else:
            found.append(Term(-subtracted, denominator))
    return tuple(found)


def _moments_of(sums: Floats) -> tuple[float, float, float]:
    """Exact moments of one ratio, or of the sum of two, over draws of as many groups as there are."""
    if (known := _known(sums)) is not None:
        return _undefined(sums[1::2] == 0), known, 0.0
    kinds, times = np.unique(sums, axis=1, return_counts=True)
    draws = sums.shape[1]
    share = (times / draws)[None]
    if len(kinds) == 2:
        found = ratio_moments([Draws(draws, share, *kinds[:, None])])
    else:
        signs = np.array([1.0, 1.0, -1.0, 1.0])  # a sum is the difference from minus the second
        found = pair_moments([(draws, share)], (kinds * signs[:, None])[:, None])
    undefined, mean, variance = (float(values[0]) for values in found)
    return undefined, mean, variance


def _known(sums: Floats) -> float | None:
    """The value, if it is the same in all resamples: two equal models', or that every group has."""
    if len(sums) == 4 and np.array_equal(sums[:2], sums[2:] * [[-1.0], [1.0]]):
        return 0.0
    values = []
    for numerator, denominator in zip(sums[::2], sums[1::2], strict=True):
        some = denominator > 0
        ratios = numerator[some] / denominator[some]
        if not len(ratios) or np.ptp(ratios) or numerator[~some].any():
            return None
        values.append(float(ratios[0]))
    return float(sum(values))


def _undefined(nothing: Booleans) -> float:
    """The probability that some denominator has nothing in it, given in which groups each has nothing."""
    draws = nothing.shape[1]
    each = float((nothing.mean(axis=1) ** draws).sum())
    return each - float(nothing.all(axis=0).mean() ** draws) * (len(nothing) - 1)
