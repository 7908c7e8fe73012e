"""The law of first order of a smooth statistic: x, the influence of each unit seen, and the x of one unseen unit.

A statistic is evaluated on *rows* (cells of a confusion table; distinct pairs of truth and prediction) with their
counts. It has a value, a derivative by each count (``slopes``), and a value with one additional case of any class and
prediction (``with_case``) or with an additional group (``with_counts``). The rest is the same for all statistics:

    x of a row            n times its slope; where classes are drawn separately, minus the mean of its class
    a group               the sum of the x of its cases, times groups / n
    a difference          x under a minus x under b; the unseen unit is worst under one model and best under the other
    the mean of K folds   x of each fold, at the mean over folds, times n / (K n_fold), all folds as one sample

An unseen group has the typical size and classes of the groups that hold a given class, and all its cases have the worst
prediction of their class. For amounts, which have no classes, the x of an unseen unit reaches at least to the end of
the range, value + x. So it does for a function if all cases seen have one class: the data do not show what a case of
the other class would do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._frozen import altered, cached_property
from skcostci._options import Sampling
from skcostci.cases._judged import JudgedCases
from skcostci.laws._rounding import SPREAD_ROUNDING, shares_of_greatest, without_rounding
from skcostci.laws.influence._first_order import (
    OF_COUNTS,
    OF_RANKS,
    FirstOrderLaw,
    Units,
    number_of_one_size,
    typical,
)
from skcostci.laws.influence._variation import cases_in_groups, mean_squares
from skcostci.laws.influence._weighted import thinning
from skcostci.metric import AnyMetric
from skcostci.tables import table_metric

Ends = tuple[Floats, Floats]


class TableRows:
    """The cells of a table as rows; the first axis of ``with_case`` is the class; the metric of ``lacking`` is 0."""

    rounding, undefined = SPREAD_ROUNDING, ""

    def __init__(
        self,
        metric: AnyMetric,
        cases: JudgedCases,
        column: str,
        average: str | None,
        weights: str | None,
        zero_division: float = 0.0,
    ) -> None:
        known, k = cases.labels or (), len(cases.labels or ())
        self.rows: Integers = cases.truth * k + cases.columns[column]
        self.counts: Floats = np.bincount(self.rows, cases.weights, k * k).astype(np.float64)
        self.table, self.counted = self.counts.reshape(k, k), np.ones(k * k, dtype=bool)
        seen = np.flatnonzero(self.table.sum(axis=0) + self.table.sum(axis=1)).tolist()
        places = list(range(cases.n_stated)) or (list(range(k)) if average is None else seen)
        self.metric = table_metric(
            metric, k, average=average, weights=weights, places=places, table=self.table, zero_division=zero_division
        )
        self.value, self.range = self.metric.at(self.table), self.metric.range
        self.lacking = [known[place] for place in self.metric.lacks(self.metric.margins(self.table))]

    @cached_property
    def slopes(self) -> Floats:
        return self.metric.slopes(self.table).reshape(len(self.counts), -1)

    @staticmethod
    def slopes_at_mean(each: Sequence[TableRows]) -> list[Floats]:
        tables = tables_at_mean([model.table for model in each])
        return [model.metric.slopes(table).reshape(table.size, -1) for model, table in zip(each, tables, strict=True)]

    def with_case(self, *, resized: bool = False) -> Floats:
        return self.metric.with_case(self.table, resized=resized)

    def with_counts(self, added: Floats) -> Floats:
        return self.metric.at(self.table + added)


def tables_at_mean(tables: Sequence[Floats]) -> list[Floats]:
    """The tables of folds, each with its own class sizes and the mean over folds of the shares in each class."""
    sizes = [table.sum(axis=1, keepdims=True) for table in tables]
    shares = np.array([table / np.where(size > 0, size, 1.0) for table, size in zip(tables, sizes, strict=True)])
    share = shares.sum(axis=0) / np.maximum(np.count_nonzero(sizes, axis=0), 1)
    return [np.asarray(size * share) for size in sizes]


class Judged(Protocol):
    """A statistic of rows with counts; each case is in one row. ``counted`` are the rows that can matter."""

    rows: Integers
    counts: Floats
    counted: Booleans
    value: Floats
    rounding: float  # of x, relative to the value and the largest x
    undefined: str  # why there is no value, where there is none

    @property
    def slopes(self) -> Floats: ...

    @staticmethod
    def slopes_at_mean(each: Any) -> list[Floats]:
        """The slopes in each of several folds, where the shares in each class are the mean over folds."""

    def with_case(self, *, resized: bool = False) -> Floats: ...

    def with_counts(self, added: Floats) -> Floats: ...


class Sample(NamedTuple):
    """The cases of one fold, or all cases, and the statistic of one model, or of two, on them."""

    cases: JudgedCases
    models: tuple[Judged, ...]

    @property
    def value(self) -> Floats:
        return np.asarray(self.difference([model.value for model in self.models]))

    @property
    def size(self) -> float:
        return float(self.models[0].counts.sum())

    @property
    def rounding(self) -> Floats:
        """How large an x may be by rounding alone, at each point: relative to either model, not to their difference."""
        each = [
            model.rounding * np.maximum(np.abs(np.ravel(model.value)), self.size * np.abs(model.slopes).max(axis=0))
            for model in self.models
        ]
        return np.asarray(np.max(each, axis=0))

    def difference(self, parts: Sequence[Floats]) -> Floats:
        return parts[0] - parts[1] if len(parts) > 1 else parts[0]

    def counted(self) -> Floats:
        """The count of each distinct row, 0 where it cannot matter to either model."""
        _, counts, rows = self.added()
        matters = np.zeros(len(counts), dtype=bool)
        matters[rows] = np.any([model.counted[model.rows] for model in self.models], axis=0)
        return np.where(matters, counts, 0.0)

    def added(self) -> tuple[Floats, Floats, Integers]:
        """The x of each distinct row, its count, and the row of each case."""
        slopes = [self.size * model.slopes for model in self.models]
        if len(self.models) == 1:
            return slopes[0], self.models[0].counts, self.models[0].rows
        a, b = (model.rows for model in self.models)
        codes, rows = np.unique(a * len(self.models[1].counts) + b, return_inverse=True)
        first, second = np.divmod(codes, len(self.models[1].counts))
        counts = np.bincount(rows.ravel(), self.cases.weights).astype(np.float64)
        return slopes[0][first] - slopes[1][second], counts, rows.ravel()

    def worst(self, side: int, *, resized: bool = False) -> tuple[Floats, list[Floats]]:
        """The most extreme value with one additional case of each true class, and each model's values to pick from."""
        each = [model.with_case(resized=resized) for model in self.models]
        ways = [side * value if place == 0 else -side * value for place, value in enumerate(each)]
        best = [way.max(axis=1) for way in ways]  # for a difference: one end for a, the opposite one for b
        return side * np.asarray(sum(best)), ways


def at_mean_over_folds(samples: Sequence[Sample]) -> Sequence[Sample]:
    """The samples of folds, where cases are compared with the mean over folds: in a fold of one case nothing varies."""
    if len(samples) == 1:
        return samples
    models = []
    for of_folds in zip(*(sample.models for sample in samples), strict=True):
        slopes = of_folds[0].slopes_at_mean(of_folds)
        models.append([altered(model, slopes=each) for model, each in zip(of_folds, slopes, strict=True)])
    return [Sample(sample.cases, each) for sample, each in zip(samples, zip(*models, strict=True), strict=True)]


def first_order_law(samples: Sequence[Sample], sampling: Sampling, support: tuple[float, float]) -> FirstOrderLaw:
    """The law of a statistic, or of its mean over folds; ``support`` is its range, everywhere or at each point."""
    value = np.ravel(np.mean([sample.value for sample in samples], axis=0))
    bounded, samples = bool(np.isfinite(support).all()), at_mean_over_folds(samples)
    gaps = [np.ravel(sample.value) - value for sample in samples]
    if samples[0].cases.groups is not None:
        strata = [_together([_of_groups(sample, bounded) for sample in samples], gaps)]
    elif sampling == "stratified":
        by_class = [_of_classes(sample, bounded, of_fold=len(samples) > 1) for sample in samples]
        places = sorted(set().union(*by_class))
        strata = [_together([each.get(place) for each in by_class]) for place in places]
    else:
        strata = [_together([_of_cases(sample, bounded) for sample in samples], gaps)]
    # the x of an additional unit is k + 1 times a difference of values, and so is its rounding
    rounding = max(sample.size + 1 for sample in samples) * np.max([sample.rounding for sample in samples], axis=0)
    (least, most), unknown = support, _nothing_moves(strata, rounding) | has_unseen_kinds(samples)
    strata = [
        part._replace(
            worst=np.where(unknown, np.minimum(part.worst, least - value), part.worst),
            best=np.where(unknown, np.maximum(part.best, most - value), part.best),
        )
        for part in strata
    ]
    unseen, paired = OF_RANKS if len(samples) == 1 else OF_COUNTS, len(samples[0].models) == 2
    return FirstOrderLaw(value, support, tuple(strata), unseen, paired=paired)


def weighted_law(
    samples: Sequence[Sample],
    rescaled: Callable[[float], Sequence[Sample]],
    sampling: Sampling,
    support: tuple[float, float],
) -> FirstOrderLaw:
    """The law of the effective number of equally weighted cases; variance and degrees of freedom are of the weights.

    ``rescaled`` returns the samples with all weights times a number: the effective number of cases per unit of weight
    (see ``_weighted``), and of several points the least.
    """
    x, seen, squares, rows = _of_weights(samples, sampling)
    alike = first_order_law(rescaled(float(thinning(x.T, seen, squares, rows).min())), sampling, support)
    weights = np.concatenate([sample.cases.weights for sample in samples]).astype(np.float64)
    drawn = [weights]
    if sampling == "stratified":
        classes = np.concatenate([sample.cases.truth for sample in samples])
        drawn = [weights[classes == place] for place in np.unique(classes)]
    strata = tuple(
        units._replace(effective=float(number_of_one_size(own))) for units, own in zip(alike.strata, drawn, strict=True)
    )
    value = np.ravel(np.mean([sample.value for sample in samples], axis=0))
    return replace(alike, estimate=value, strata=strata, of_weights=squares @ x**2 / seen.sum() ** 2)


def _of_weights(samples: Sequence[Sample], sampling: Sampling) -> tuple[Floats, Floats, Floats, Floats]:
    """The results of ``_of_rows`` for all folds as one sample, each x times the weight of its fold in the mean."""
    value, parts = np.mean([sample.value for sample in samples], axis=0), []
    for sample in at_mean_over_folds(samples):
        x, *counts = _of_rows(sample)
        if len(samples) > 1 and sampling == "full":
            x = _moved_to(np.ravel(sample.value - value), x, counts[0])
        parts.append((x, *counts))
    shares = [sum(other.size for other in samples) / (len(samples) * sample.size) for sample in samples]
    x = np.concatenate([share * part[0] for share, part in zip(shares, parts, strict=True)])
    seen, squares, times = (np.concatenate([part[i] for part in parts]) for i in (1, 2, 3))
    return x, seen, squares, times


def _of_rows(sample: Sample) -> tuple[Floats, Floats, Floats, Floats]:
    (x, seen, rows), weights = sample.added(), np.asarray(sample.cases.weights)
    squares, times = (np.bincount(rows, each, len(seen)).astype(np.float64) for each in (weights**2, np.sign(weights)))
    some = seen > 0  # beside the x of other rows rounding would be no rounding
    return without_rounding(x[some].T, sample.rounding).T, seen[some], squares[some], times[some]


class DrawnTogether(NamedTuple):
    """Units drawn together in one sample: x of rows, how many units have each, the ends, and the sizes of groups.

    ``squares`` has for groups the sums of the squared x of cases in each class, (n_points, n_classes), the number of
    cases in each class, and of each class in each group.
    """

    added: Floats
    counts: Floats
    ends: Ends
    rounding: Floats
    sizes: Floats | None = None
    squares: tuple[Floats, Floats, Floats] | None = None


def _moved_to(mean: Floats, x: Floats, counts: Floats) -> Floats:
    return np.asarray(x + mean - counts @ x / counts.sum())


def _together(parts: Sequence[DrawnTogether | None], gaps: Sequence[Floats] | None = None) -> Units:
    """The units of all folds as units of one sample, x times the weight of their fold; a fold may lack a class.

    ``gaps`` is how far the value of each fold is from the mean over folds, which is what its x add up to. An unseen
    unit may be in any fold.
    """
    some = [part for part in parts if part is not None]
    if len(some) > 1 and gaps is not None:
        some = [
            part._replace(added=_moved_to(gap, part.added, part.counts), ends=(part.ends[0] + gap, part.ends[1] + gap))
            for part, gap in zip(some, gaps, strict=True)
        ]
    shares = [sum(each.counts.sum() for each in some) / (len(parts) * part.counts.sum()) for part in some]
    added = np.concatenate([share * part.added for share, part in zip(shares, some, strict=True)])
    ends = np.array([share * np.array(part.ends) for share, part in zip(shares, some, strict=True)])
    sizes = None if some[0].sizes is None else np.concatenate([np.asarray(part.sizes) for part in some])
    worst, best = ends.mean(axis=0)
    rounding = np.max([share * part.rounding for share, part in zip(shares, some, strict=True)], axis=0)
    counts = np.concatenate([part.counts for part in some])
    return Units.of(added, counts, (worst, best), rounding, sizes, _spreads(shares, some))


def _spreads(shares: Sequence[float], parts: Sequence[DrawnTogether]) -> Floats | None:
    """What the variances of groups are proportional to if cases are independent, of shape (n_points, n_groups)."""
    squares = [part.squares for part in parts if part.squares is not None]
    if not squares:
        return None
    sums, cases, _ = zip(*squares, strict=True)
    mean = mean_squares(np.sum(sums, axis=0), np.sum(cases, axis=0))
    return np.hstack([share**2 * mean @ in_groups.T for share, (*_, in_groups) in zip(shares, squares, strict=True)])


def has_unseen_kinds(samples: Sequence[Sample]) -> bool:
    """Whether the cases seen do not bound an unseen one: amounts, or all of one class where there may be two."""
    every = [sample.cases for sample in samples]
    if every[0].labels is not None:
        return False
    if any(cases.classes() is None for cases in every):
        return True
    return len(np.unique(np.concatenate([cases.truth for cases in every]))) == 1


def _nothing_moves(strata: Sequence[Units], rounding: Floats) -> Booleans:
    """The points that no unit, seen or unseen, changes, so may have any value; False where the ends are not known."""
    seen = np.concatenate([[part.least, part.most] for part in strata])
    unseen = np.concatenate([[part.worst, part.best] for part in strata])
    return np.asarray((seen == 0).all(axis=0) & (np.abs(unseen) <= rounding).all(axis=0))


def _unknown(sample: Sample) -> Ends:
    """NaN for both ends: they are not known, and not needed."""
    return (np.full(np.size(sample.value), np.nan),) * 2


def _of_cases(sample: Sample, bounded: bool) -> DrawnTogether:
    (x, _, _), counts = sample.added(), sample.counted()
    units, seen = float(counts.sum()), counts > 0
    ends = _ends(sample, units) if bounded else _unknown(sample)
    return DrawnTogether(units / sample.size * x[seen], counts[seen], ends, sample.rounding)


def _ends(sample: Sample, units: float) -> Ends:
    """The x of the worst and of the best additional case, over all classes."""
    low, high = (sample.worst(side)[0] for side in (-1, 1))
    value = np.ravel(sample.value)
    return (units + 1) * (low.min(axis=0) - value), (units + 1) * (high.max(axis=0) - value)


def _of_classes(sample: Sample, bounded: bool, *, of_fold: bool) -> dict[int, DrawnTogether]:
    """The units of each true class, which are drawn separately."""
    classes = sample.cases.classes()
    if classes is None:
        raise ValueError("sampling='stratified' needs classes: y_true must contain labels, got amounts.")
    x, _, rows = sample.added()
    value, found = np.ravel(sample.value), {}
    furthest = [sample.worst(side, resized=True)[0] for side in (-1, 1)] if bounded else []
    for place in np.unique(classes).tolist():
        own = classes == place
        counts = np.bincount(rows[own], sample.cases.weights[own], len(x)).astype(np.float64)
        seen, size = counts > 0, counts.sum()
        slopes = x[seen] / sample.size
        centred = size * slopes if of_fold else _moved_to(np.zeros_like(value), size * slopes, counts[seen])
        ends = tuple((size + 1) * (end[place] - value) for end in furthest) if bounded else _unknown(sample)
        found[place] = DrawnTogether(centred, counts[seen], (ends[0], ends[1]), sample.rounding)
    return found


def _of_groups(sample: Sample, bounded: bool) -> DrawnTogether:
    cases = sample.cases
    groups, n = np.asarray(cases.groups), cases.n_groups
    x, _, rows = sample.added()
    sums = np.array([np.bincount(groups, cases.weights * each[rows], n) for each in x.T]).T
    sizes = np.bincount(groups, cases.weights * (sample.counted()[rows] > 0), n).astype(np.float64)
    ends, some = _ends_of_groups(sample, sizes) if bounded else _unknown(sample), sizes > 0
    k, sizes = int(some.sum()), sizes[some]
    scale = k / sample.size
    rounding = scale * float(sizes.max()) * sample.rounding
    return DrawnTogether(scale * sums[some], np.ones(k), ends, rounding, sizes, _squares(sample, x[rows], some))


def _squares(sample: Sample, x: Floats, some: Booleans) -> tuple[Floats, Floats, Floats]:
    """The squares of cases in groups, of which some count."""
    cases, (classes, kinds) = sample.cases, _classes_of(sample)
    weights = cases.weights
    in_groups = cases_in_groups(np.asarray(cases.groups), classes, weights, cases.n_groups, kinds)[some]
    squares = np.array([np.bincount(classes, weights * each**2, kinds) for each in x.T])
    return squares, np.bincount(classes, weights, kinds).astype(np.float64), in_groups


def _classes_of(sample: Sample) -> tuple[Integers, int]:
    """The class of each case, one for all amounts, and the number of classes."""
    cases = sample.cases
    known = cases.classes()
    classes = np.zeros(len(cases.truth), dtype=np.int64) if known is None else known
    return classes, len(cases.labels) if cases.labels is not None else int(classes.max()) + 1


def _ends_of_groups(sample: Sample, sizes: Floats) -> Ends:
    """The x of an additional group, typical of all or of those with some class, all its cases at the end."""
    cases, n, k = sample.cases, len(sizes), np.count_nonzero(sizes)
    classes, kinds = _classes_of(sample)
    cells = np.bincount(np.asarray(cases.groups) * kinds + classes, cases.weights, n * kinds)
    class_counts = cells.reshape(n, kinds).astype(np.float64)
    typicals = [typical(class_counts, each) for each in (sizes, *class_counts.T) if each.any()]
    value, found = np.ravel(sample.value), []
    for side in (-1, 1):
        _, ways = sample.worst(side)
        reached = np.array([with_group(sample, ways, made, side) for made in typicals])
        found.append((k + 1) * ((side * (side * reached).max(axis=0)) - value))
    return found[0], found[1]


def with_group(sample: Sample, ways: list[Floats], made: Floats, side: int) -> Floats:
    """The statistic at each point with an additional group: ``made`` cases per class, at their extreme predictions."""
    points = []
    for point in range(ways[0].shape[2]):
        each = []
        for model, way, sign in zip(sample.models, ways, (side, -side), strict=False):
            added = _predicted(way[:, :, point], made, partial(_value_with, model, point, sign))
            each.append(_value_with(model, point, 1, added))
        points.append(sample.difference([np.asarray(value) for value in each]))
    return np.array(points, dtype=np.float64)


def _value_with(model: Judged, point: int, sign: int, added: Floats) -> Any:
    """The value of a model at a point with ``added`` cases in each cell, with this sign."""
    return sign * np.ravel(model.with_counts(added))[point]


def _predicted(way: Floats, made: Floats, worth: Callable[[Floats], Any]) -> Floats:
    """How many cases per class have each prediction: the most extreme one, where several are for the whole group."""
    shares = shares_of_greatest(way, 1)
    found = shares.copy()
    for own in np.flatnonzero((np.count_nonzero(shares, axis=1) > 1) & (made > 0)):
        tied = np.flatnonzero(shares[own])
        alone = [np.where(np.arange(len(made))[:, None] == own, each, shares) for each in np.eye(way.shape[1])[tied]]
        found[own, tied] = shares_of_greatest(np.array([worth(made[:, None] * each) for each in alone]), 0)
    return np.asarray(made[:, None] * found)
