"""Laws of statistics when whole groups of cases are resampled: as many groups as there are, with all their cases.

A statistic is a ratio of two sums over the groups drawn, or a sum of two such ratios. The law of a single ratio is
computed in full. The moments of a sum of two are exact; those of other functions of the rates are of first order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from skcostci._arrays import Booleans, Floats
from skcostci._frozen import cached_property
from skcostci.laws._rounding import rounding_of
from skcostci.laws._side_by_side import at_points, split_at
from skcostci.laws.exact._linear import HITS, LinearLaw, by_cell, classes_of, count_law, minus
from skcostci.laws.exact._metric_law import MetricLaw, MetricPairLaw, cells_of_model, metric_pair_law, models_of_pair
from skcostci.laws.exact._ratio import GroupRatio, KnownMoments, Moments, only_ratio, ratio_moments
from skcostci.laws.influence._curves import Optimism, path_length
from skcostci.laws.influence._first_order import Counted, CountedWorths
from skcostci.laws.influence._variation import DrawnUnits
from skcostci.metric import AnyMetric

Metrics = Sequence[AnyMetric]
LawOfCases = LinearLaw | MetricLaw | MetricPairLaw


class Term(NamedTuple):
    """A ratio of two weighted counts: the weights of a case in each cell, both of shape (n_points, n_cells)."""

    numerator: Floats
    denominator: Floats

    def influence(self, counts: Floats) -> Floats:
        whole = (counts * self.denominator).sum(axis=1, keepdims=True)
        value = (counts * self.numerator).sum(axis=1, keepdims=True) / whole
        return np.asarray((self.numerator - value * self.denominator) / whole)


@dataclass(frozen=True, repr=False, eq=False)
class GroupedLaw(KnownMoments):
    """The law of a statistic at each of n_points points, from groups' ``cells``, (n_points, n_groups, n_cells).

    ``of_cases`` is the law if cases were drawn one by one, which has the estimate and the range of the parameter.
    ``added`` is the influence value of a case in each cell, of shape (n_points, n_cells). The statistic is the sum of
    the ``terms`` or, if there are none, another function of the cells. ``optimisms`` describe thresholds that were
    chosen on these cases. ``squares`` are sums of squared importance weights, of the shape of ``cells``. ``paired``: it
    is a difference.
    """

    of_cases: LawOfCases
    cells: Floats
    added: Floats
    terms: tuple[Term, ...]
    optimisms: tuple[Optimism, ...] = ()
    squares: Floats | None = None
    paired: bool = False

    @cached_property
    def drawn(self) -> DrawnUnits:
        return self.worths.drawn

    @property
    def estimate(self) -> Floats:
        return self.of_cases.estimate

    @property
    def support(self) -> tuple[Floats, Floats]:
        return self.of_cases.support

    @property
    def is_exact(self) -> bool:
        """Whether mean and variance are exact, as they are for one ratio or a sum of two."""
        return 0 < len(self.terms) <= 2

    @cached_property
    def influence(self) -> Floats:
        return np.asarray(np.einsum("pgc,pc->pg", self.cells, self.added))

    @cached_property
    def worths(self) -> CountedWorths:
        """The worths of groups, from which the bound of statistics with a finite range is computed."""
        measures = tuple(term.denominator for term in self.terms) or tuple(
            _ones_in(part, self.added.shape) for part in classes_of(self.added)
        )
        of = _of_counts(self.of_cases, self.terms)
        kinds, times = self.kinds
        return CountedWorths(
            self.support, kinds, _possible(self), measures, of, times, squares=self.squares, paired=self.paired
        )

    @cached_property
    def as_share(self) -> GroupedLaw | None:
        """The law on the scale of :meth:`MetricLaw.as_share` of one model's metric that has a least value alone."""
        low, high = (bool(np.isfinite(end).all()) for end in self.support)
        if high or not low or not isinstance(self.of_cases, MetricLaw):
            return None
        return grouped_metric_law(self.of_cases.as_share, self.cells, squares=self.squares)

    @property
    def has_worst_group(self) -> bool:
        """Whether some group is the worst possible, and some the best."""
        return self.as_share is not None or bool(np.isfinite(self.support).all())

    @cached_property
    def kinds(self) -> tuple[Floats, Floats]:
        """The kinds of groups, shape (n_points, n_kinds, n_cells), and the number of groups of each kind per point."""
        return different_groups(self.cells)

    def _sums(self, i: int, cells: Floats) -> Floats:
        """Numerator and denominator of each term at point i, of these groups: shape (2 * n_terms, n_groups)."""
        return np.array([cells @ side[i] for term in self.terms for side in term])

    @cached_property
    def _moments(self) -> Moments:
        if not self.terms:
            return self._first_order
        there = enumerate(zip(*self.kinds, strict=True))
        points = [_moments_of(self._sums(i, kinds[times > 0]), times[times > 0]) for i, (kinds, times) in there]
        undefined, mean, variance = np.transpose(points)
        return undefined, mean, variance

    @property
    def _first_order(self) -> Moments:
        """Moments of a function of the rates, to first order; a resample of one class has no value."""
        present = np.asarray(self.cells.any(axis=0).reshape(self.cells.shape[1], 2, -1).any(axis=2))
        undefined = float(((1 - present.mean(axis=0)) ** len(present)).sum())
        variance = (self.influence**2).sum(axis=1)
        return np.full(len(self.cells), undefined), self.estimate, np.where(np.isinf(self.estimate), np.inf, variance)


def worths_of_cases(law: MetricLaw | MetricPairLaw, times: Floats) -> CountedWorths:
    """The worths of single cases, as groups of one; ``times`` is the number of cases per cell."""
    joint: tuple[Term, ...] = ()
    if isinstance(law, MetricPairLaw) and law.a.is_ratio and law.a.sampling == "full":
        joint = _difference((Term(*law.a.weights),), (Term(*law.b.weights),))
    one_each = np.broadcast_to(np.eye(times.shape[1]), (len(times), *[times.shape[1]] * 2))
    measures = tuple(term.denominator for term in joint) or tuple(_ones_in(part, times.shape) for part in law.drawn)
    return CountedWorths(law.support, one_each, law.possible, measures, _of_counts(law, joint), times, alone=True)


def _of_counts(of_cases: LawOfCases, terms: tuple[Term, ...]) -> Counted:
    """The function of counts in the cells that returns the statistic and the influence value of a case in each cell."""
    if terms:
        return partial(sum_of_terms, terms)
    assert not isinstance(of_cases, LinearLaw)
    return of_cases.of_counts


def sum_of_terms(terms: Sequence[Term], counts: Floats) -> tuple[Floats, Floats]:
    with np.errstate(invalid="ignore", divide="ignore"):
        values = [(counts * each.numerator).sum(axis=1) / (counts * each.denominator).sum(axis=1) for each in terms]
        return np.asarray(sum(values)), np.asarray(sum(term.influence(counts) for term in terms))


def _ones_in(part: slice, shape: tuple[int, ...]) -> Floats:
    found = np.zeros(shape)
    found[:, part] = 1.0
    return found


def _possible(law: GroupedLaw) -> Booleans:
    """In which cells a case can fall at all, from the law of cases drawn one by one."""
    of_cases = law.of_cases
    if not isinstance(of_cases, LinearLaw):
        return of_cases.possible
    can = np.ones(law.added.shape, dtype=bool)
    parts: Sequence[slice] = classes_of(can)
    if of_cases.strata[0].prior.shape[1] == law.added.shape[1]:  # cases of both classes are drawn together
        parts = [slice(None)]
    elif len(of_cases.strata) == 1:  # a rate, of the class that is in its denominator
        parts = [part for part in parts if any(t.denominator[:, part].any() for t in law.terms)]
    for part, stratum in zip(parts, of_cases.strata, strict=True):
        can[:, part] = stratum.prior > 0
    return can


@dataclass(frozen=True, repr=False, eq=False)
class GroupedRatioLaw(GroupedLaw):
    def cdf(self, x: Floats) -> Floats:
        return at_points(x, lambda i, values: [self.points[i].mass(each) for each in values.tolist()])

    def quantile(self, q: Floats) -> Floats:
        return at_points(q, lambda i, levels: [self.points[i].quantile(each) for each in levels.tolist()])

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        return split_at(self._below(x), self.cdf(x))

    def sides(self, x: float) -> tuple[Floats, Floats]:
        everywhere = np.full(len(self.cells), x)
        return self.cdf(everywhere), 1.0 - self._below(everywhere)

    @cached_property
    def points(self) -> list[GroupRatio]:
        return [GroupRatio(*self._sums(i, cells)) for i, cells in enumerate(self.cells)]

    def _below(self, x: Floats) -> Floats:
        return at_points(x, lambda i, values: [self.points[i].mass(each, strict=True) for each in values.tolist()])


@dataclass(frozen=True, repr=False, eq=False)
class GroupedCurve:
    """The path length of a curve whose cases come in groups, and how many of its points are not known beforehand."""

    path_length: float
    unknown_points: int


def grouped_curve(law: GroupedLaw, axis: Floats) -> GroupedCurve:
    order, known = np.argsort(axis, kind="stable"), np.equal(*law.support)
    added = law.influence[order]
    length = path_length((added**2).sum(axis=1), (added[:-1] * added[1:]).sum(axis=1), known[order])
    return GroupedCurve(length, max(int((~known).sum()), 1))


def grouped_law(
    of_cases: LawOfCases,
    cells: Floats,
    terms: tuple[Term, ...],
    optimisms: tuple[Optimism, ...] = (),
    *,
    squares: Floats | None = None,
    paired: bool = False,
) -> GroupedLaw:
    counts = np.einsum("pgc->pc", cells)
    added = np.asarray(sum(term.influence(counts) for term in terms))
    kind = GroupedRatioLaw if len(terms) == 1 else GroupedLaw
    return kind(of_cases, cells, added, terms, optimisms, squares, paired)


def class_terms(values: Floats) -> tuple[Term, ...]:
    """The average values of the cases of each class; a class without values is left out."""
    terms = []
    for part in classes_of(values):
        numerator, denominator = np.zeros((2, *values.shape))
        numerator[:, part], denominator[:, part] = values[:, part], 1.0
        terms.append(Term(numerator, denominator))
    return tuple(term for term in terms if term.numerator.any()) or tuple(terms)


def grouped_metric_law(
    of_cases: MetricLaw, cells: Floats, optimisms: tuple[Optimism, ...] = (), squares: Floats | None = None
) -> GroupedLaw:
    """The law of a metric: a ratio of counts, a sum of rates, or another function of rates, known to first order."""
    if of_cases.is_ratio and of_cases.sampling == "full":
        return grouped_law(of_cases, cells, (Term(*of_cases.weights),), optimisms, squares=squares)
    given = MetricLaw(of_cases.counts, of_cases.possible, of_cases.metrics, "stratified", of_cases.prevalence)
    if (weights := given.sum_weights) is not None:
        sizes = np.repeat([of_cases.counts[0, :2].sum(), of_cases.counts[0, 2:].sum()], 2)
        linear = count_law(of_cases.counts, weights, of_cases.possible, "stratified")
        return grouped_law(linear, cells, class_terms(weights * sizes), optimisms, squares=squares)
    added = of_cases.of_counts(of_cases.counts)[1]
    return GroupedLaw(of_cases, cells, added, (), optimisms, squares)


def grouped_pair_law(
    cells: Floats,
    possible: Booleans,
    metrics: tuple[Metrics, Metrics],
    prevalence: float | None,
    squares: Floats | None = None,
) -> GroupedLaw:
    counts, scheme = cells.sum(axis=1), "full" if prevalence is None else "stratified"
    models = models_of_pair(counts, possible, metrics, scheme, prevalence)
    a, b = (grouped_metric_law(law, cells_of_model(cells, hits)) for law, hits in zip(models, HITS, strict=True))
    terms = _difference(a.terms, b.terms)
    for sampling in (scheme, "stratified"):
        linear = metric_pair_law(counts, possible, metrics, sampling, prevalence)
        if isinstance(linear, LinearLaw):
            return grouped_law(linear, cells, terms, squares=squares, paired=True)
    added = minus(a.added, b.added)
    return GroupedLaw(MetricPairLaw(*models, counts), cells, added, terms, squares=squares, paired=True)


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


def different_groups(cells: Floats) -> tuple[Floats, Floats]:
    """The kinds of groups and the number of each, counts being digits of one number; each its own if too many."""
    n_points, n_groups, n_cells = cells.shape
    bases = [int(most) + 1 for most in cells.max(axis=0).max(axis=0)]
    n_codes = math.prod(bases)
    if n_codes > n_cells * n_groups or np.any((cells[0] < 0) | (cells[0] % 1 > 0)):
        return cells, np.ones((n_points, n_groups))
    codes = (cells @ (n_codes / np.cumprod(bases))).astype(np.int64)
    times = np.array([np.bincount(each, minlength=n_codes) for each in codes], dtype=np.float64)
    seen = np.flatnonzero(times.any(axis=0))
    kinds = np.column_stack(np.unravel_index(seen, bases)).astype(np.float64)
    return np.broadcast_to(kinds, (n_points, *kinds.shape)), times[:, seen]


def _moments_of(sums: Floats, times: Floats) -> tuple[float, float, float]:
    """Exact moments of one ratio, or of the sum of two, over draws of as many groups as there are."""
    draws = round(float(times.sum()))
    if (known := _known(sums)) is not None:
        return _undefined(sums[1::2] == 0, times / draws, draws), known, 0.0
    kinds, place = np.unique(sums, axis=1, return_inverse=True)
    times = np.bincount(place, times).astype(np.float64)
    signs = np.array([1.0, 1.0, -1.0, 1.0])[: len(sums), None]  # a sum is the difference from the negated second ratio
    found = ratio_moments([(draws, (times / draws)[None])], (kinds * signs)[:, None])
    undefined, mean, variance = (float(values[0]) for values in found)
    return undefined, mean, variance


def _known(sums: Floats) -> float | None:
    """The value, if it is the same in all resamples: 0 for equal models, or the ratios that every group has."""
    if len(sums) == 4 and np.abs(sums[:2] - sums[2:] * [[-1.0], [1.0]]).max() <= rounding_of(sums):
        return 0.0
    values = [only_ratio(*term) for term in zip(sums[::2], sums[1::2], strict=True)]
    known = [value for value in values if value is not None]
    return float(sum(known)) if len(known) == len(values) else None


def _undefined(nothing: Booleans, shares: Floats, draws: int) -> float:
    """The probability that some denominator is 0, given the kinds of groups in which each is 0."""
    each = float(((nothing @ shares) ** draws).sum())
    return each - float((nothing.all(axis=0) @ shares) ** draws) * (len(nothing) - 1)
