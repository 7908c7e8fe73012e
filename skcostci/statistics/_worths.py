"""From cases and a smooth statistic of them to its law of first order: what each unit adds, and what one more could do.

A statistic is asked of *rows* (cells of a confusion table; distinct pairs of truth and prediction) with their counts.
It answers its value, its derivative by each count (``slopes``), and its value with one case more of any class under any
prediction (``with_case``), or with a whole group more (``with_counts``). Everything else is the same for all:

    x of a row            n times its slope; within a class, where classes are drawn apart, less the mean of its class
    a group               the x of its cases added up, times groups / n
    a difference          x under a less x under b; the unseen unit is worst under one model and best under the other
    the mean of K folds   x of each fold times n / (K n_fold), all folds together as one sample

An unseen group is a typical one in size and classes, of those that hold a given class, all of its cases at the worst
prediction of their class. Of amounts, which have no classes, an unseen unit may have a worth at an end of the range;
so it may where a function saw only one class, as of rare events: nothing tells what a case of the other would do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skcostci._arrays import as_array
from skcostci._frozen import cached_property
from skcostci._options import Sampling
from skcostci._validation import Booleans, Floats, Integers
from skcostci.cases._judged import JudgedCases, distinct_rows
from skcostci.laws import SPREAD_ROUNDING, FirstOrderLaw, Units, rounding_of, typical
from skcostci.tables import WeightedMetric, table_metric

MOST_ROWS = 20_000  # each is an evaluation of a user's function over all of them: minutes
MOST_PREDICTIONS = 100  # under which a case of any class is imagined: those of the most extreme worths
SMALLEST_STEP = 1e-6  # of all weight, on a row: a derivative that is good to about six digits
Ends = tuple[Floats, Floats]


class TableRows:
    """The cells of a confusion table as rows; an average is over the labels given, or over those that occur in it.

    The class of each row is a place among the first axis of ``with_case``. Classes that are ``lacking`` count 0.
    """

    rounding = SPREAD_ROUNDING  # of x, beside the value and the largest x

    def __init__(self, metric: Any, cases: JudgedCases, column: str, average: str | None, weights: str | None) -> None:
        known, k = cases.labels or (), len(cases.labels or ())
        self.rows: Integers = cases.truth * k + cases.columns[column]
        self.counts: Floats = np.bincount(self.rows, cases.weights, k * k).astype(np.float64)
        self.table = self.counts.reshape(k, k)
        seen = np.flatnonzero(self.table.sum(axis=0) + self.table.sum(axis=1)).tolist()
        places = list(range(cases.n_stated)) or (list(range(k)) if average is None else seen)
        self.metric = table_metric(metric, k, average=average, weights=weights, places=places, table=self.table)
        self.value, self.range = self.metric.at(self.table), self.metric.range
        self.lacking = [known[place] for place in self.metric.lacks(self.metric.margins(self.table))]

    @cached_property
    def slopes(self) -> Floats:
        return self.metric.slopes(self.table).reshape(len(self.counts), -1)

    def with_case(self, *, resized: bool = False) -> Floats:
        return self.metric.with_case(self.table, resized=resized)

    def with_counts(self, added: Floats) -> Floats:
        """With so many cases more in each cell."""
        return self.metric.at(self.table + added)


class FunctionRows:
    """The distinct pairs of truth and prediction as rows, of which a function is asked with weights."""

    rounding = SPREAD_ROUNDING / SMALLEST_STEP  # what a derivative by a small step leaves of 0

    def __init__(self, metric: WeightedMetric, cases: JudgedCases, column: str) -> None:
        self.metric, self.range, self.lacking = metric, metric.range, list[Any]()
        first, self.rows = distinct_rows(cases.truth, cases.columns[column])
        if len(first) > MOST_ROWS:
            raise ValueError(
                f"y_true and {column} must hold at most {MOST_ROWS:,} distinct pairs where metric is a function, which "
                f"is asked once for each, got {len(first):,}. Round the predictions, or ask by name."
            )
        self.truth, self.guess = cases.truth[first], cases.columns[column][first]
        self.counts = np.bincount(self.rows, cases.weights).astype(np.float64)
        classes = cases.classes()
        self.classes = None if classes is None else classes[first]
        self.value = self._asked(self.counts)
        doubled = self._asked(2 * self.counts)
        if not np.allclose(doubled, self.value, rtol=1e-6, atol=1e-9):
            raise ValueError(
                f"metric must not change when all weights are doubled, as a mean or a share does not; {metric.name} "
                f"goes from {self.value.ravel()[0]:g} to {doubled.ravel()[0]:g}."
            )

    def _asked(self, weights: Floats, *more: NDArray[Any]) -> Floats:
        """The function's values, a finite number each; ``more`` are the truth and the prediction of a further row."""
        truth, guess = self.truth, self.guess
        if more:
            truth, guess = np.concatenate([truth, more[0]]), np.concatenate([guess, more[1]])
        try:
            given = self.metric(truth, guess, weights)
        except TypeError as error:
            raise TypeError(
                f"metric must be a function metric(y_true, y_pred, sample_weight=w), as scikit-learn's are that take "
                f"weights; {self.metric.name} says: {error}"
            ) from None
        values = np.asarray(as_array("metric(y_true, y_pred)", given))
        if values.ndim > 1 or values.dtype.kind not in "biuf" or not np.isfinite(values).all():
            raise ValueError(
                f"metric must return a finite number, or one a class, got {given!r} from {self.metric.name}. Pass "
                "average='macro' or the like with functools.partial where it takes an average."
            )
        return values.astype(np.float64)

    @cached_property
    def slopes(self) -> Floats:
        """By a small step each: all weights are shrunk by as much as the row gains."""
        whole = self.counts.sum()
        if self.classes is None and _are_equal(self.truth, self.guess):  # errors of rounding alone tell nothing
            return np.zeros((len(self.counts), self.value.size))
        step = max(SMALLEST_STEP, 1 / whole) if whole > 0.1 / SMALLEST_STEP else SMALLEST_STEP
        found = []
        for row in range(len(self.counts)):
            weights = (1 - step) * self.counts
            weights[row] += step * whole
            found.append((self._asked(weights) - self.value) / (step * whole))
        return np.reshape(found, (len(self.counts), -1))

    @cached_property
    def imagined(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """A truth of each class, or all truths there are, and predictions that a case of any class may get.

        The predictions, where they are many, are those of the least and the greatest worths, and of scores the ends.
        """
        first, numbers = distinct_rows(self.guess)
        if len(first) > MOST_PREDICTIONS:
            order = np.argsort(self.slopes[:, 0], kind="stable")
            some = [*order[: MOST_PREDICTIONS // 2], *order[-MOST_PREDICTIONS // 2 :]]
            if self.guess.ndim == 1 and self.guess.dtype.kind in "iuf":
                some += [int(self.guess.argmin()), int(self.guess.argmax())]
            first = np.array(sorted({int(first[numbers[row]]) for row in some}))
        assert self.classes is not None
        return self.truth[np.unique(self.classes, return_index=True)[1]], self.guess[first]

    def with_case(self, *, resized: bool = False) -> Floats:
        """Shape (n_classes, n_predictions, n_points); of amounts (1, n_rows, n_points), at the rows that were seen."""
        if self.classes is None:
            steps = np.eye(len(self.counts))
            return np.array([[np.ravel(self._asked(self.counts + step)) for step in steps]])
        truths, guesses = self.imagined
        found = []
        for place in range(len(truths)):
            own = self.classes == place
            size = self.counts[own].sum()
            kept = size / (size + 1) if resized else 1.0
            weights = np.append(np.where(own, kept, 1.0) * self.counts, kept)
            found.append(
                [
                    np.ravel(self._asked(weights, truths[place : place + 1], guesses[j : j + 1]))
                    for j in range(len(guesses))
                ]
            )
        return np.array(found)

    def with_counts(self, added: Floats) -> Floats:
        """With so many cases more of each class under each prediction."""
        if self.classes is None:
            return np.ravel(self._asked(self.counts + added[0]))
        truths, guesses = self.imagined
        i, j = np.nonzero(added)
        return np.ravel(self._asked(np.append(self.counts, added[i, j]), truths[i], guesses[j]))


def _are_equal(truth: NDArray[Any], guess: NDArray[Any]) -> bool:
    """Whether amounts were predicted without an error but for rounding."""
    if guess.shape != truth.shape or {truth.dtype.kind, guess.dtype.kind} - set("biuf"):
        return False
    return bool(np.abs(truth - guess).max() <= rounding_of(truth, guess))


Judged = TableRows | FunctionRows


class Sample(NamedTuple):
    """Cases of one fold, or all, and what one statistic, or two, are on them."""

    cases: JudgedCases
    models: tuple[Judged, ...]

    @property
    def value(self) -> Floats:
        """The statistic, or a's less b's."""
        return np.asarray(self.difference([model.value for model in self.models]))

    @property
    def size(self) -> float:
        return float(self.models[0].counts.sum())

    @property
    def rounding(self) -> Floats:
        """How large an x may be by rounding alone, at each point: beside either model's, not their difference."""
        each = [
            model.rounding * np.maximum(np.abs(np.ravel(model.value)), self.size * np.abs(model.slopes).max(axis=0))
            for model in self.models
        ]
        return np.asarray(np.max(each, axis=0))

    def difference(self, parts: Sequence[Floats]) -> Floats:
        return parts[0] - parts[1] if len(parts) > 1 else parts[0]

    def added(self) -> tuple[Floats, Floats, Integers]:
        """What each distinct row adds, x, how often it is there, and which row each case is."""
        slopes = [self.size * model.slopes for model in self.models]
        if len(self.models) == 1:
            return slopes[0], self.models[0].counts, self.models[0].rows
        a, b = (model.rows for model in self.models)
        codes, rows = np.unique(a * len(self.models[1].counts) + b, return_inverse=True)
        first, second = np.divmod(codes, len(self.models[1].counts))
        counts = np.bincount(rows.ravel(), self.cases.weights).astype(np.float64)
        return slopes[0][first] - slopes[1][second], counts, rows.ravel()

    def worst(self, side: int, *, resized: bool = False) -> tuple[Floats, list[Floats]]:
        """By class of the truth the furthest value with one case more, and each model's values it was chosen from."""
        each = [model.with_case(resized=resized) for model in self.models]
        ways = [side * value if place == 0 else -side * value for place, value in enumerate(each)]
        best = [way.max(axis=1) for way in ways]  # of a difference a's furthest and b's furthest the other way
        return side * np.asarray(sum(best)), ways


def first_order_law(samples: Sequence[Sample], sampling: Sampling, support: tuple[float, float]) -> FirstOrderLaw:
    """The law of a statistic of all cases, or of the mean of its values in several folds."""
    value = np.ravel(np.mean([sample.value for sample in samples], axis=0))
    bounded = bool(np.isfinite(support).all())
    if samples[0].cases.groups is not None:
        strata = [_of_groups(samples[0], bounded)]
    elif sampling == "stratified":
        strata = _of_classes(samples[0], bounded)
    else:
        strata = [_of_folds(samples, bounded)]
    # of a step of full size, by a unit more, k + 1 times the rounding of a value is seen
    rounding = max(sample.size + 1 for sample in samples) * np.max([sample.rounding for sample in samples], axis=0)
    (least, most), unknown = support, _nothing_moves(strata, rounding) | _has_unseen_kinds(samples)
    strata = [
        part._replace(
            worst=np.where(unknown, np.minimum(part.worst, least - value), part.worst),
            best=np.where(unknown, np.maximum(part.best, most - value), part.best),
        )
        for part in strata
    ]
    return FirstOrderLaw(value, support, tuple(strata))


def _has_unseen_kinds(samples: Sequence[Sample]) -> bool:
    """Whether no case that was seen tells how far off one may be: amounts, or the second class where all are of one.

    Labels are other: all that are known, as truth or prediction, are imagined as truths.
    """
    every = [sample.cases for sample in samples]
    if every[0].labels is not None:
        return False
    if any(cases.classes() is None for cases in every):
        return True
    return len(np.unique(np.concatenate([cases.truth for cases in every]))) == 1


def _nothing_moves(strata: Sequence[Units], rounding: Floats) -> Booleans:
    """The points that no unit changes, seen or unseen, as the recall of a class without cases: no interval is a point.

    So they may have any value; where nobody knows the ends this tells nothing.
    """
    seen = np.concatenate([[part.least, part.most] for part in strata])
    unseen = np.concatenate([[part.worst, part.best] for part in strata])
    return np.asarray((seen == 0).all(axis=0) & (np.abs(unseen) <= rounding).all(axis=0))


def _unknown(sample: Sample) -> Ends:
    """No ends: the record form asks for none."""
    return (np.full(np.size(sample.value), np.nan),) * 2


def _of_folds(samples: Sequence[Sample], bounded: bool) -> Units:
    """All cases as one sample, each weighed as its fold is."""
    whole, added, counts, ends, rounding = sum(sample.size for sample in samples), [], [], [], []
    for sample in samples:
        share = whole / (len(samples) * sample.size)
        x, seen, _ = sample.added()
        added.append(share * x[seen > 0])
        rounding.append(share * sample.rounding)
        counts.append(seen[seen > 0])
        ends.append([share * end for end in (_ends(sample, sample.size) if bounded else _unknown(sample))])
    worst, best = np.array(ends).min(axis=0)[0], np.array(ends).max(axis=0)[1]
    return Units.of(np.concatenate(added), np.concatenate(counts), (worst, best), np.max(rounding, axis=0))


def _ends(sample: Sample, units: float) -> Ends:
    """What the worst and the best case more add, over all classes, as x."""
    low, high = (sample.worst(side)[0] for side in (-1, 1))
    value = np.ravel(sample.value)
    return (units + 1) * (low.min(axis=0) - value), (units + 1) * (high.max(axis=0) - value)


def _of_classes(sample: Sample, bounded: bool) -> list[Units]:
    """A stratum for each class of the truth."""
    classes = sample.cases.classes()
    if classes is None:
        raise ValueError("sampling='stratified' is of classes: y_true must hold labels, got amounts.")
    x, _, rows = sample.added()
    value, found = np.ravel(sample.value), []
    furthest = [sample.worst(side, resized=True)[0] for side in (-1, 1)] if bounded else []
    for place in np.unique(classes).tolist():
        own = classes == place
        counts = np.bincount(rows[own], sample.cases.weights[own], len(x)).astype(np.float64)
        seen, size = counts > 0, counts.sum()
        slopes = x[seen] / sample.size
        centred = size * (slopes - counts[seen] @ slopes / size)
        ends = tuple((size + 1) * (end[place] - value) for end in furthest) if bounded else _unknown(sample)
        found.append(Units.of(centred, counts[seen], (ends[0], ends[1]), sample.rounding))
    return found


def _of_groups(sample: Sample, bounded: bool) -> Units:
    """Whole groups, whose cases' x add up."""
    cases = sample.cases
    groups, n = np.asarray(cases.groups), cases.n_groups
    x, _, rows = sample.added()
    sums = np.array([np.bincount(groups, cases.weights * each[rows], n) for each in x.T]).T
    sizes = np.bincount(groups, cases.weights, n).astype(np.float64)
    ends = _ends_of_groups(sample, sizes) if bounded else _unknown(sample)
    scale = n / sample.size
    return Units.of(scale * sums, np.ones(n), ends, scale * float(sizes.max()) * sample.rounding, sizes)


def _ends_of_groups(sample: Sample, sizes: Floats) -> Ends:
    """What a group more does that is typical of all, or of those with some class, all its cases being at the end."""
    cases, n = sample.cases, len(sizes)
    classes = cases.classes()
    if classes is None:
        held = sizes[:, None]
    else:
        k = len(cases.labels) if cases.labels is not None else int(classes.max()) + 1
        cells = np.bincount(np.asarray(cases.groups) * k + classes, cases.weights, n * k)
        held = cells.reshape(n, k).astype(np.float64)
    typicals = [typical(held, each) for each in (sizes, *held.T) if each.any()]
    value, found = np.ravel(sample.value), []
    for side in (-1, 1):
        _, ways = sample.worst(side)
        places = [way.argmax(axis=1) for way in ways]  # of each class, at each point, the furthest prediction
        reached = np.array([_with_group(sample, ways, places, made) for made in typicals])
        found.append((n + 1) * ((side * (side * reached).max(axis=0)) - value))
    return found[0], found[1]


def _with_group(sample: Sample, ways: list[Floats], places: list[Integers], made: Floats) -> Floats:
    """The statistic at each point with a group more, of so many cases of each class at the furthest predictions."""
    points = []
    for point in range(ways[0].shape[2]):
        each = []
        for model, way, place in zip(sample.models, ways, places, strict=True):
            added = np.zeros(way.shape[:2])
            added[np.arange(len(added)), place[:, point]] = made
            each.append(np.ravel(model.with_counts(added))[point])
        points.append(sample.difference([np.asarray(value) for value in each]))
    return np.array(points, dtype=np.float64)
