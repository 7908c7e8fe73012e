"""Areas under the curves of columns of scores: for two classes, for several, or for several labels per case.

    T = sum_c w_c T_c,

over contests c: in each some rows are positives, m_c of them, and others negatives, n_c, and T_c is an area of one
column, its AUC or its average precision. Two classes are one contest; of several, "ovr" has one per class against the
rest in its own column and "ovo" one per ordered pair, in the column of the first; several labels have one each. The
weights are equal ("macro") or proportional to m_c ("weighted"; m_c + n_c with "ovo"); "micro" is a single contest of
all pairs of a case and a column; with None each T_c is a point. A row whose label was not read is not in its contest.

The influence on an AUC A of a positive is (p - A) / m, p being the share of the negatives with a lower score; that of a
negative is (q - A) / n, q being the share of the positives with a higher score. For average precision see
``laws.influence._areas``. The influence of a case is the sum of these times w_c; "weighted" adds (T_c - T) / sum m for
a case that counts in m_c, as it changes the weights. Where classes are drawn to their own sizes influences are centred
in each.

The unseen case is at the wrong end of every column: with classes it is a positive in one and a negative in the others,
with several labels whichever is worse in each. For an average of AUCs of classes it is last in its own column
and first in only one other, where that costs most, as it cannot be first in all; the best case is at every right end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from skcostci._arrays import Booleans, Floats, Integers, Scores, Weights
from skcostci._frozen import altered, cached_property
from skcostci.cases._counts import in_order
from skcostci.cases._design import Part
from skcostci.laws._rounding import SPREAD_ROUNDING, shares_of_greatest
from skcostci.laws.influence._areas import AveragePrecision, stepped
from skcostci.statistics._units import ClassMeans, OfSums, Statistic

BinaryTable = Booleans | Floats  # 1 where a case has the label, NaN where it was not read


class Contest(NamedTuple):
    """Rows (None: each once) with their scores, and whether each is a positive; ``ordered``: the best first."""

    rows: Integers | None
    truth: Booleans
    scores: Scores
    ordered: bool = False


class Ranked(NamedTuple):
    """The order of a contest's rows, the best first: cases that are positives, or not, at each distinct score.

    ``truth`` has the rows in that order, and ``level`` the place of each one's score, None where all scores differ.
    """

    order: Integers | slice
    truth: Booleans
    positive: Floats
    negative: Floats
    level: Integers | None

    @classmethod
    def of(cls, contest: Contest, weights: Weights | None) -> Ranked:
        order, ordered = (slice(None), contest.scores) if contest.ordered else in_order(-contest.scores)
        truth = contest.truth[order]
        positive = truth.astype(np.float64)
        negative = 1 - positive
        if weights is not None:
            times = (weights if contest.rows is None else weights[contest.rows])[order]
            positive, negative = times * positive, times * negative
        new = ordered[1:] != ordered[:-1]
        if new.all():
            return cls(order, truth, positive, negative, None)
        first = np.flatnonzero(np.append(True, new))
        positive, negative = (np.add.reduceat(each, first) for each in (positive, negative))
        return cls(order, truth, positive, negative, np.append(0, np.cumsum(new)))

    def by_row(self, own: Floats, other: Floats) -> Floats:
        """In the order of rows the values of positives and of negatives, given by distinct score."""
        if self.level is not None:
            own, other = own[self.level], other[self.level]
        found = np.empty(len(self.truth))
        found[self.order] = np.where(self.truth, own, other)
        return found


class Found(NamedTuple):
    """T_c, m_c and n_c of each contest, the influences of cases and the numbers at distinct scores (``keeps_counts``).

    ``counted`` are the numbers that "weighted" weights are proportional to.
    """

    each: Floats
    sizes: Floats
    counted: Floats
    influences: Floats
    counts: list[tuple[Floats, Floats]]


@dataclass(frozen=True, repr=False, eq=False)
class Areas:
    """T of the cases of a part, with average precision as the area of each contest.

    ``wins`` and ``losses`` are how many rows of a case are positives and negatives, a row per contest and a column per
    class; without ``of_classes`` a case may be either. ``both``: "weighted" counts positives and negatives. With
    ``fixed`` class sizes the share of positives stays the same as cases are added.
    """

    part: Part
    contests: Iterable[Contest]  # read once, by ``judged``
    average: str | None
    wins: Floats
    losses: Floats
    of_classes: bool = True
    both: bool = False
    fixed: bool = False
    keeps_counts: ClassVar[bool] = True  # whether ``moved`` needs them

    @cached_property
    def judged(self) -> Found:
        n_cases = len(self.part.weights)
        weights = None if (self.part.weights == 1).all() else self.part.weights
        each, sizes, counted_each, counts = [], [], [], []
        influences = np.zeros((len(self.wins) if self.average is None else 1, n_cases))
        of_weights = np.zeros(n_cases if self.average == "weighted" else 1)
        for place, contest in enumerate(self.contests):  # once: they may be made one at a time
            ranked = Ranked.of(contest, weights)
            area, own, other = self.of_counts(ranked.positive, ranked.negative)
            size = float(ranked.positive.sum()), float(ranked.negative.sum())
            counted = size[0] + self.both * size[1]
            if self.average == "weighted":
                own, other = counted * own + area, counted * other + area * self.both
                of_weights += _by_case(contest, contest.truth | self.both, n_cases)
            influences[place if self.average is None else 0] += _by_case(contest, ranked.by_row(own, other), n_cases)
            each.append(area)
            sizes.append(size)
            counted_each.append(counted)
            if self.keeps_counts:
                counts.append((ranked.positive, ranked.negative))
        judged = Found(np.array(each), np.array(sizes), np.array(counted_each), influences.T, counts)
        # In place from here on: judged.influences is a view, of what may be a large array.
        if self.average == "macro":
            influences /= len(each)
        elif self.average == "weighted":
            influences -= self._averaged(judged.each, judged.counted) * of_weights
            influences /= judged.counted.sum()
        return judged

    def of_counts(self, a: Floats, b: Floats) -> tuple[float, Floats, Floats]:
        """The area and influences of a positive and a negative; a, b: their numbers per distinct score, best first."""
        area = AveragePrecision(0.0)
        return area.value(a, b), *area.influences(a, b)

    def _averaged(self, each: Floats, counted: Floats) -> Floats:
        if self.average == "weighted":
            return np.array([counted @ each / counted.sum()])
        return np.array([each.mean()]) if self.average == "macro" else each

    @property
    def value(self) -> Floats:
        return self._averaged(self.judged.each, self.judged.counted)

    @property
    def influences(self) -> Floats:
        return self.judged.influences

    @property
    def rounding(self) -> float:
        """Relative to 1 / (size of the smallest class)."""
        sizes = self.judged.sizes
        return SPREAD_ROUNDING / float(sizes[sizes > 0].min(initial=np.inf))

    def with_additional(self, made: Floats, side: int) -> Floats:
        counted, won, lost = self.judged.counted, self.wins @ made, self.losses @ made
        if self.of_classes:
            found = self.moved(won, lost, side, lost - (self.losses * self.failing(side)) @ made)
            return self._averaged(found, counted + won + self.both * lost)
        choices = self.moved(won, 0 * won, side), self.moved(0 * won, won, side)
        chosen = self._worse(choices, won, side)
        return self._averaged(np.where(chosen, *choices), counted + won * chosen)

    def failing(self, _side: int) -> Floats | float:
        """In each contest, the share of the additional cases of each class that are at the wrong end, as negatives."""
        return 1.0

    def _worse(self, choices: tuple[Floats, Floats], more: Floats, side: int) -> Booleans:
        """Whether an additional case is least favourable as a positive; "weighted" judges each contest separately."""
        each, positives, gain = self.judged.each, self.judged.sizes[:, 0], side * (choices[0] - choices[1])
        if self.average == "weighted":
            alone = [  # T if the case were additional in this contest only
                (positives @ each + (positives + x) * now - positives * each) / max(positives.sum() + x, 1.0)
                for x, now in zip((float(more[0]), 0.0), choices, strict=True)
            ]
            gain = side * (alone[0] - alone[1])
        return np.asarray(gain > 0)

    def moved(self, more_positive: Floats, more_negative: Floats, side: int, _spared: Floats | float = 0.0) -> Floats:
        """The areas with more positives and negatives at the right ends or, for side -1, the wrong ones.

        Of the additional negatives those that are ``spared`` do no harm.
        """
        found = []
        for (a, b), x, y in zip(self.judged.counts, more_positive.tolist(), more_negative.tolist(), strict=True):
            odds = float(b.sum() / a.sum()) if self.fixed else None
            found.append(stepped(AveragePrecision(0.0, odds), a, b, x, y, side))
        return np.array(found)


def _by_case(contest: Contest, values: Floats | Booleans, n_cases: int) -> NDArray[Any]:
    """The sum over each case's rows."""
    return values if contest.rows is None else np.bincount(contest.rows, values, n_cases)


class AUCs(Areas):
    """AUCs in place of average precision."""

    keeps_counts = False

    def of_counts(self, a: Floats, b: Floats) -> tuple[float, Floats, Floats]:
        """Half wins are 2 for a negative below and 1 for one level with a positive."""
        won, lost = np.cumsum(b), np.cumsum(a)
        m, n = lost[-1], won[-1]
        won *= -2  # in place: these are the largest arrays of an AUC
        won += b
        won += 2 * n
        lost *= 2
        lost -= a
        area = float(np.einsum("i,i", a, won)) / float(2 * m * n)  # threads of a product by @ would spin long after it
        for each, others, own in ((won, n, m), (lost, m, n)):
            each /= 2 * others * own
            each -= area / own
        return area, won, lost

    def moved(self, more_positive: Floats, more_negative: Floats, side: int, spared: Floats | float = 0.0) -> Floats:
        m, n = self.judged.sizes.T
        pairs = (m + more_positive) * (n + more_negative)
        kept = m * n / pairs
        return np.asarray(kept * self.judged.each + (1 - kept if side > 0 else m * spared / pairs))

    def failing(self, side: int) -> Floats | float:
        if side > 0 or self.average is None:
            return 1.0
        # First in one column only, where that costs most: w_c / n_c.
        weights = self.judged.counted if self.average == "weighted" else 1.0
        return shares_of_greatest(np.where(self.losses > 0, (weights / self.judged.sizes[:, 1])[:, None], -1.0), 0)

    def with_case(self) -> Floats:
        """The AUC of two classes with one more negative or positive (axis 0), below all others or above (axis 1)."""
        made = zip((-1, 1), np.eye(2), strict=True)
        return np.array([[self.with_additional(one, label * side) for side in (-1, 1)] for label, one in made])


class AUCsOfClasses(AUCs, OfSums):
    """AUCs, in folds each about its own value; those of two classes are stretched to vary without bias."""

    @property
    def center(self) -> Floats:
        return self.value

    def at(self, center: Floats) -> Self:
        """Two classes: influences times sqrt(n / (n - 1)) of n units; those of a single unit are value minus center."""
        part = self.part
        if part.n_classes != 2:
            return self
        units, sizes = part.counts @ (part.class_counts > 0), np.bincount(part.classes, part.weights, 2)
        stretch = np.sqrt(units / np.maximum(units - 1, 1))
        alone = np.where(units > 1, 0.0, (self.value - center) / sizes)
        found = self.influences * stretch[part.classes, None] + alone[part.classes, None]
        return altered(self, judged=self.judged._replace(influences=found))


def ranks_of_two(part: Part, truth: Booleans, scores: Scores) -> AUCsOfClasses:
    """The AUC of two classes."""
    return AUCsOfClasses(part, [Contest(None, truth, scores)], None, np.array([[0.0, 1]]), np.array([[1.0, 0]]))


def one_versus_one(part: Part, scores: Floats, average: str) -> AUCsOfClasses:
    """The AUCs of each class against each, in the column of the first."""
    n = scores.shape[1]

    def contests() -> Iterator[Contest]:
        for i, column in enumerate(np.ascontiguousarray(scores.T)):
            order, ordered = in_order(-column)
            classes = part.classes[order]
            won = classes == i
            for j in range(n):
                if j != i:
                    some = np.flatnonzero(won | (classes == j))
                    yield Contest(order[some], won[some], ordered[some], ordered=True)

    wins, losses = (np.eye(n)[list(each)] for each in zip(*permutations(range(n), 2), strict=True))
    return AUCsOfClasses(part, contests(), average, wins, losses, both=True)


def area_by_label(
    part: Part, truth: BinaryTable, scores: Floats, kind: str, average: str | None, *, of_classes: bool, fixed: bool
) -> Statistic:
    """The statistic of the cases of a part; labels that no case has are left out of "weighted"."""
    if average == "samples":
        return ClassMeans.of_all(part, case_areas(truth == 1, scores, kind)[:, None], 0.0, 1.0)
    if average == "weighted":
        some = (truth == 1).any(axis=0)
        truth, scores = truth[:, some], scores[:, some]
    of_kind = AUCsOfClasses if of_classes else AUCs
    make = of_kind if kind == "auc" else Areas
    n_cases, n = truth.shape
    if average == "micro":
        contests = [Contest(np.repeat(np.arange(n_cases), n), (truth == 1).ravel(), scores.ravel())]
        wins, losses = (np.ones((1, n)), np.full((1, n), n - 1.0)) if of_classes else (np.full((1, 1), float(n)),) * 2
        return make(part, contests, None, wins, losses, of_classes, fixed=fixed)
    columns = zip(truth.T, np.ascontiguousarray(scores.T), strict=True)
    contests = [_contest_of_label(own, column) for own, column in columns]
    wins, losses = (np.eye(n), 1 - np.eye(n)) if of_classes else (np.ones((n, 1)),) * 2
    return make(part, contests, average, wins, losses, of_classes, fixed=fixed)


def _contest_of_label(truth: BinaryTable, scores: Floats) -> Contest:
    """Of the cases in which the label was read; in the others the truth is NaN."""
    rows = np.flatnonzero(~np.isnan(truth))
    return Contest(None if len(rows) == len(truth) else rows, truth[rows] == 1, scores[rows])


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


def without_area(truth: BinaryTable, kind: str, average: str | None, names: Sequence[object]) -> list[str]:
    """Why the area of each label, or else their average, has no value; "" where it has one."""
    compares = kind == "auc"  # with negatives, which average precision can do without
    if average == "samples":
        alike = bool((truth.all(axis=1) | ~truth.any(axis=1)).any())
        return ["some case has all labels, or none"] if compares and alike else [""]
    if average == "micro" and truth.any() and not (compares and truth.all()):
        return [""]
    every, none = ((truth != 0).all(axis=0) & compares), ~(truth == 1).any(axis=0)
    each = [
        f"no case has label {name!r}" if absent else f"every case has label {name!r}" if whole else ""
        for name, whole, absent in zip(names, every.tolist(), none.tolist(), strict=True)
    ]
    if average is None:
        return each
    if average == "weighted" and not none.all():  # labels that no case has do not count
        each = [why for why, absent in zip(each, none.tolist(), strict=True) if not absent]
    return [next(filter(None, each), "")]
