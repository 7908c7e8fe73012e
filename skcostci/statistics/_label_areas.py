"""The AUC and average precision of several labels: of classes, each against the rest, or of several labels per case.

Each label l has a column of scores, m_l cases with the label, n_l without it, and so an area T_l. As in scikit-learn,

    macro     mean of T_l,
    weighted  sum m_l T_l / sum m_l,
    micro     the area of all n L pairs of a case and a label in one column,
    samples   the mean over cases of the area over the labels of each, where a case has several,
    None      each T_l.

The unit is the case, with all its labels. The influence on the AUC T_l of a case with the label is (p - T_l) / m_l, p
being the share of the others with a lower score; that of one of the others is (q - T_l) / n_l, q being the share of the
cases with the label and a higher score. For average precision see ``laws.influence._areas``. The influence of a case is
the sum of these over labels: times 1/L for "macro", times m_l / sum m for "weighted", where a case also changes these
factors, and over all its pairs for "micro". Mean and variance are of first order; where classes are drawn to their own
sizes influences are centred in each. The unseen case is at the wrong end of every column: with classes it is a positive
in one and a negative in the others, with several labels whichever is worse in each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from skcostci._arrays import Booleans, Floats, Integers, Weights
from skcostci._frozen import cached_property
from skcostci.cases._design import Part
from skcostci.laws._rounding import SPREAD_ROUNDING
from skcostci.laws.influence._areas import AveragePrecision, stepped
from skcostci.statistics._unit_means import ClassMeans, Statistic


class AreaOfCounts(Protocol):
    """A statistic of positives a and negatives b at distinct scores, the best first."""

    def value(self, a: Floats, b: Floats) -> float: ...

    def influences(self, a: Floats, b: Floats) -> tuple[Floats, Floats]: ...

    def moved(self, a: Floats, b: Floats, x: float, y: float, side: int) -> float:
        """The value with x more positives and y more negatives, at the wrong ends (side -1) or at the right ones."""


@dataclass(frozen=True, repr=False, eq=False)
class WholeAUC:
    """The whole area under the ROC curve; there are both positives and negatives."""

    def value(self, a: Floats, b: Floats) -> float:
        return float(a @ self._placed(a, b)[0]) / float(a.sum())

    def influences(self, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        won, lost = self._placed(a, b)
        m, n = float(a.sum()), float(b.sum())
        area = float(a @ won) / m
        return (won - area) / m, (lost - area) / n

    def moved(self, a: Floats, b: Floats, x: float, y: float, side: int) -> float:
        m, n = float(a.sum()), float(b.sum())
        right = self.value(a, b) * m * n
        more = (m + x) * (n + y) - m * n
        return (right + (more if side > 0 else 0.0)) / ((m + x) * (n + y))

    def _placed(self, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        """The shares of negatives below a score and of positives above it, ties counting 1/2."""
        above, n = np.cumsum(a) - a / 2, float(b.sum())
        return (n - np.cumsum(b) + b / 2) / n, above / float(a.sum())


@dataclass(frozen=True, repr=False, eq=False)
class WholeAP:
    """Average precision; ``fixed`` class sizes keep the share of positives as cases are added."""

    fixed: bool

    def value(self, a: Floats, b: Floats) -> float:
        return AveragePrecision(0.0).value(a, b)

    def influences(self, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        return AveragePrecision(0.0).influences(a, b)

    def moved(self, a: Floats, b: Floats, x: float, y: float, side: int) -> float:
        return stepped(AveragePrecision(0.0, float(b.sum() / a.sum()) if self.fixed else None), a, b, x, y, side)


@dataclass(frozen=True, repr=False, eq=False)
class Ranked:
    positive: Floats
    negative: Floats
    places: Integers

    @classmethod
    def of(cls, truth: Booleans, scores: Floats, weights: Weights) -> Ranked:
        order = np.argsort(-scores, kind="stable")
        ordered = scores[order]
        level = np.cumsum(np.concatenate([[False], ordered[1:] != ordered[:-1]]))
        places = np.empty(len(order), dtype=np.int64)
        places[order] = level
        n = int(level[-1]) + 1
        positive, negative = (np.bincount(places[rows], weights[rows], n).astype(float) for rows in (truth, ~truth))
        return cls(positive, negative, places)

    @property
    def sizes(self) -> tuple[float, float]:
        return float(self.positive.sum()), float(self.negative.sum())

    def influences(self, area: AreaOfCounts, truth: Booleans) -> Floats:
        own, other = area.influences(self.positive, self.negative)
        return np.where(truth, own[self.places], other[self.places])


@dataclass(frozen=True, repr=False, eq=False)
class LabelAreas:
    """The areas of labels, or an average, of (n_cases, n_labels); ``of_classes``: each case has one of the labels."""

    part: Part
    truth: Booleans
    scores: Floats
    area: AreaOfCounts
    average: str | None
    of_classes: bool

    @cached_property
    def ranked(self) -> list[Ranked]:
        weights = self.part.weights
        if self.average == "micro":
            width = self.truth.shape[1]
            return [Ranked.of(self.truth.ravel(), self.scores.ravel(), weights.repeat(width))]
        columns = zip(self.truth.T, np.ascontiguousarray(self.scores.T), strict=True)
        return [Ranked.of(truth, scores, weights) for truth, scores in columns]

    @cached_property
    def each(self) -> Floats:
        return np.array([self.area.value(one.positive, one.negative) for one in self.ranked])

    @cached_property
    def sizes(self) -> Floats:
        """Positives and negatives of each column, shape (n_columns, 2)."""
        return np.array([one.sizes for one in self.ranked])

    def _averaged(self, each: Floats, positives: Floats) -> Floats:
        """The average of the areas of labels, or all areas; ``positives`` are the cases with each label."""
        if self.average == "weighted":
            return np.array([positives @ each / positives.sum()])
        return np.array([each.mean()]) if self.average == "macro" else each

    @property
    def value(self) -> Floats:
        return self._averaged(self.each, self.sizes[:, 0])

    @cached_property
    def influences(self) -> Floats:
        if self.average == "micro":
            (pooled,) = self.ranked
            moved = pooled.influences(self.area, self.truth.ravel()).reshape(self.truth.shape)
            return np.asarray(moved.sum(axis=1, keepdims=True))
        found = np.empty(self.truth.shape)
        for label, one in enumerate(self.ranked):
            found[:, label] = one.influences(self.area, self.truth[:, label])
        if self.average is None:
            return found
        if self.average == "macro":
            return np.asarray(found.mean(axis=1, keepdims=True))
        positives = self.sizes[:, 0]
        difference = self.each - self.value[0]
        return np.asarray(((found @ positives + self.truth @ difference) / positives.sum())[:, None])

    @property
    def rounding(self) -> float:
        """Relative to 1 / (size of the smallest class)."""
        some = self.sizes[self.sizes > 0]
        return SPREAD_ROUNDING / float(some.min(initial=np.inf))

    def with_additional(self, made: Floats, side: int) -> Floats:
        more, width = float(made.sum()), self.truth.shape[1]
        if self.average == "micro":
            positives = [more] if self.of_classes else [0.0, more * width]
            (pooled,) = self.ranked
            found = [self._moved(pooled, x, more * width - x, side) for x in positives]
            return np.array([side * max(side * each for each in found)])
        if self.of_classes:
            each = np.array([self._moved(one, x, more - x, side) for one, x in zip(self.ranked, made, strict=True)])
            return self._averaged(each, self.sizes[:, 0] + made)
        choices = np.array([[self._moved(one, x, more - x, side) for one in self.ranked] for x in (more, 0.0)])
        chosen = self._worse(choices, more, side)
        return self._averaged(np.where(chosen, *choices), self.sizes[:, 0] + more * chosen)

    def _worse(self, choices: Floats, more: float, side: int) -> Booleans:
        """The labels that unseen cases have at their least favourable; for "weighted", each judged separately."""
        positives, unlike = self.sizes[:, 0], side * (choices[0] - choices[1])
        if self.average == "weighted":
            alone = [
                (positives @ self.each + (positives + x) * now - positives * self.each) / max(positives.sum() + x, 1.0)
                for x, now in zip((more, 0.0), choices, strict=True)
            ]
            unlike = side * (alone[0] - alone[1])
        return np.asarray(unlike > 0)

    def _moved(self, one: Ranked, x: float, y: float, side: int) -> float:
        return self.area.moved(one.positive, one.negative, float(x), float(y), side)


def case_areas(truth: Booleans, scores: Floats, kind: str) -> Floats:
    """The area over the labels of each case; the average precision of a case without labels is 0."""
    order = np.argsort(-scores, axis=1, kind="stable")
    ordered, hits = (np.take_along_axis(each, order, axis=1) for each in (scores, truth.astype(np.float64)))
    first, last = tied_runs(ordered)
    above = np.cumsum(hits, axis=1)
    reached = np.take_along_axis(above, last, axis=1)
    m = above[:, -1]
    if kind == "average_precision":
        precision = reached / (last + 1)
        return np.asarray(np.divide((hits * precision).sum(axis=1), m, out=np.zeros(len(m)), where=m > 0))
    n, width = truth.shape[1] - m, truth.shape[1]
    below = width - 1 - last - (m[:, None] - reached)
    tied = last - first + 1 - (reached - np.take_along_axis(above - hits, first, axis=1))
    won = (hits * (below + tied / 2)).sum(axis=1)
    return np.asarray(np.divide(won, m * n, out=np.full(len(m), np.nan), where=m * n > 0))


def tied_runs(ordered: Floats) -> tuple[Integers, Integers]:
    """The first and the last place of the run of equal values that each value of a row is in."""
    width = ordered.shape[1]
    places = np.broadcast_to(np.arange(width), ordered.shape)
    new = np.concatenate([np.ones((len(ordered), 1), dtype=bool), ordered[:, 1:] != ordered[:, :-1]], axis=1)
    first = np.maximum.accumulate(np.where(new, places, 0), axis=1)
    ends = np.concatenate([new[:, 1:], np.ones((len(ordered), 1), dtype=bool)], axis=1)
    last = np.minimum.accumulate(np.where(ends, places, width - 1)[:, ::-1], axis=1)[:, ::-1]
    return first, last


def label_area(
    part: Part, truth: Booleans, scores: Floats, kind: str, average: str | None, *, of_classes: bool, fixed: bool
) -> Statistic:
    """The statistic of the cases of a part; labels that no case has are left out of "weighted"."""
    if average == "samples":
        return ClassMeans.of_all(part, case_areas(truth, scores, kind)[:, None], 0.0, 1.0)
    if average == "weighted":
        some = truth.any(axis=0)
        truth, scores = truth[:, some], scores[:, some]
    area = WholeAUC() if kind == "auc" else WholeAP(fixed)
    return LabelAreas(part, truth, scores, area, average, of_classes)


def without_area(truth: Booleans, kind: str, average: str | None, names: Sequence[object]) -> list[str]:
    """Why the area of each label, or else their average, has no value; "" where it has one."""
    compares = kind == "auc"  # with negatives, which average precision can do without
    if average == "samples":
        alike = bool((truth.all(axis=1) | ~truth.any(axis=1)).any())
        return ["some case has all labels, or none"] if compares and alike else [""]
    if average == "micro" and truth.any() and not (compares and truth.all()):
        return [""]
    every, none = np.asarray(truth.all(axis=0) & compares), np.asarray(~truth.any(axis=0))
    each = [
        f"every case has label {name!r}" if whole else f"no case has label {name!r}" if absent else ""
        for name, whole, absent in zip(names, every.tolist(), none.tolist(), strict=True)
    ]
    if average is None:
        return each
    if average == "weighted" and truth.any():  # labels that no case has do not count
        each = [why for why, absent in zip(each, none.tolist(), strict=True) if not absent]
    return [next(filter(None, each), "")]
