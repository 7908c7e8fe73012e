"""The steps of two models' curves at many ranks, some of them as corners, and the cases that lie between them.

The curve of a resample ends beyond a step at the place x where fewer than r negatives drawn lie before x. At a step the
positives between two segments are found, and of those that a sloping segment climbs the share that is climbed on its
left and the rest on its right: as many as are found in the mean where the curve ends there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from skcostci._validation import Floats, Integers
from skcostci.laws._meixner import among_others
from skcostci.laws._pieces import PairedCases
from skcostci.laws._points import runs
from skcostci.laws._ranked_curve import RankedCurve
from skcostci.laws._vertical import Climbed

MIDDLE = 0.4  # how far corners in the middle of a window, where most of its law is, are apart, of what is even

Places = tuple[Integers, Integers]  # of cases, by model
Part = tuple[Integers, Integers, Integers, Floats]  # ranks, steps in both models, weights


@dataclass(frozen=True, eq=False)
class Steps(RankedCurve):
    """The steps of a curve that the r-th of n negatives drawn may pass, at each of n_points ascending ranks.

    The steps of one rank follow those of another in arrays of shape (n_flat,), ``start`` saying where. What is asked
    for once is not kept.
    """

    @cached_property
    def climbed(self) -> Climbed:
        """The shares of sloping segments."""
        return self.crossing.climbed(self.points)

    @cached_property
    def places(self) -> Integers:
        """Negatives before each step of the curve."""
        return self.segments.ends[:-1]

    @cached_property
    def low(self) -> Integers:
        """The first step of each window."""
        return np.asarray(np.searchsorted(self.places, self.spans[0]))

    @cached_property
    def high(self) -> Integers:
        """The first step beyond it."""
        return np.asarray(np.searchsorted(self.places, self.spans[1], "right"))

    @cached_property
    def start(self) -> Integers:
        return np.concatenate([[0], np.cumsum(self.high - self.low)])

    @property
    def row(self) -> Integers:
        """Which rank each step is for."""
        return np.repeat(np.arange(len(self.rank)), self.high - self.low)

    @cached_property
    def x(self) -> Floats:
        """Negatives before it."""
        return self.places[self._which].astype(np.float64)

    @cached_property
    def jump(self) -> Floats:
        """Positives at it: those between segments, the rest of that on its left and the share of that on its right."""
        which, row = self._which, self.row
        jump = np.diff(self.segments.before)[which].astype(np.float64)
        if self.sloping:
            jump += self._climbed(row, which + 1) - self._climbed(row, which)
        return jump

    def parted(self, weight: Floats, row: Integers, place: Integers, near: int) -> Floats:
        """The weight of positives that is at the step before their segment, or at that after it; of others all is."""
        if not self.sloping:
            return weight
        share = self._share(row, place // 2)
        return np.asarray(weight * np.where(place % 2, share if near else 1 - share, 1.0))

    @cached_property
    def sloping(self) -> bool:
        """Whether any segment slopes."""
        return bool(self.segments.tied.any())

    def _share(self, row: Integers, place: Integers) -> Floats:
        """How much of a segment is climbed where the curve ends there."""
        return self.climbed.share[self.climbed.at(row, place)]

    def _climbed(self, row: Integers, place: Integers) -> Floats:
        """Positives found in it then."""
        return self._share(row, place) * self.segments.tied[place]

    @property
    def reach(self) -> Floats:
        """F."""
        return self.laws.at(self.row, self.x.astype(np.int64))

    @property
    def pull(self) -> tuple[Floats, Floats, Floats]:
        """What a negative before each step adds to the first term; of each rank the most, and the sum."""
        each = self.jump * among_others(self.x / self.n, self.rank[self.row], self.n) / np.sqrt(self.n)
        passed = np.concatenate([[0.0], np.cumsum(each)])
        whole = passed[self.start[1:]] - passed[self.start[:-1]]
        total: Floats = np.bincount(self.row, each * self.x, len(self.rank)).astype(np.float64)
        return passed[self.start[1:]][self.row] - passed[:-1], whole, total

    @property
    def middle(self) -> Integers:
        """The last step of each rank that is no further than the rank, or its first."""
        before = np.searchsorted(self.places, self.rank, "right") - 1
        return np.clip(before, self.low, np.maximum(self.high - 1, self.low)) - self.low + self.start[:-1]

    @property
    def _which(self) -> Integers:
        return runs(self.low, self.high - self.low)[1]

    def live(self, place: Integers) -> tuple[Integers, Integers]:
        """The first rank in whose window a place lies, and the first whose window is beyond; -1 is before all steps."""
        every = np.arange(-1, len(self.places) + 1)
        first, beyond = np.searchsorted(self.high, every, "right"), np.searchsorted(self.low, every, "right")
        return first[place + 1], beyond[place + 1]

    def grid(self, counts: Integers) -> Grid:
        """So many corners a rank, the closer together the nearer its middle; all steps where there are no more."""
        row, last = self.row, self.start[1:] - 1
        x, order = np.append(self.x, self.n / 2), np.arange(len(row))
        nth = np.arange(counts.max(initial=1))
        parts = np.minimum(nth / np.maximum(counts - 1, 1)[:, None], 1.0)
        places = _spread(parts, x[self.start[:-1], None], self.rank[:, None], x[last, None])
        keys, rows = row * (self.n + 1.0) + self.x, np.arange(len(last))[:, None] * (self.n + 1.0)
        few = self.high - self.low <= counts
        steps = np.where(few[:, None], self.start[:-1, None] + nth, np.searchsorted(keys, rows + places))
        corner = np.minimum(steps, last[:, None]).ravel()
        cell = np.searchsorted(corner, order)
        left = x[corner[np.maximum(cell - 1, 0)]]
        at_corner = corner[cell] == order
        share = np.where(at_corner, 1.0, (self.x - left) / np.where(at_corner, 1.0, x[corner[cell]] - left))
        shape = len(last), len(nth)
        sums = (np.bincount(cell, self.jump * part, corner.size) for part in (1.0, self.x, share))
        mass, place, after = (np.asarray(each, dtype=np.float64).reshape(shape) for each in sums)
        node = np.where(mass > 0, place / np.where(mass > 0, mass, 1.0), self.n / 2)
        return Grid(cell - row * shape[1], share, x[corner].reshape(shape), node, after, mass - after)


class Grid(NamedTuple):
    """The corners: the first at or after each step, and how far the step is between it and the one before.

    Then, shape (n_points, n_corners), where they are, and of the steps from the one before to each the mean place and
    the parts of their jumps that go to either.
    """

    corner: Integers
    share: Floats
    x: Floats
    node: Floats
    after: Floats
    before: Floats

    def of(self, rows: slice, count: int) -> tuple[Floats, ...]:
        """Of some ranks and the first so many corners of each, what is said of corners."""
        return tuple(part[rows, :count] for part in self[2:])


class Entries(NamedTuple):
    """Cases in the windows of a rank, by their steps in both, and the cases before both windows.

    What is before a rank's steps has a number beyond all steps, in the order of ranks.
    """

    row: Integers
    a: Integers
    b: Integers
    weight: Floats
    before: Floats

    @classmethod
    def drawn(cls, a: Steps, b: Steps, cases: PairedCases) -> Entries:
        """The negatives: those left of a step count before it."""
        row, step_a, step_b, case, end = _entries(a, b, (cases.a // 2, cases.b // 2), (0, 0))
        return cls._sorted([(row, step_a, step_b, _weight(cases, case))], _before(a, cases, end))

    @classmethod
    def found(cls, a: Steps, b: Steps, cases: PairedCases) -> Entries:
        """The positives: those right of a step are found by curves that pass it.

        One in a segment that slopes is found by curves that end beyond it, and to a share by those that end there: so
        much of it is at the step before the segment, and the rest at that after it.
        """
        last, parts, before = ((cases.a + 1) // 2 - 1, (cases.b + 1) // 2 - 1), [], np.zeros(0)
        for near in product(range(1 + a.sloping), range(1 + b.sloping)):
            some = np.flatnonzero((cases.a % 2 >= near[0]) & (cases.b % 2 >= near[1])) if any(near) else slice(None)
            row, step_a, step_b, case, end = _entries(a, b, (last[0][some], last[1][some]), near)
            case = np.arange(len(last[0]))[some][case] if any(near) else case
            weight = a.parted(_weight(cases, case), row, cases.a[case], near[0])
            parts.append((row, step_a, step_b, b.parted(weight, row, cases.b[case], near[1])))
            before = before if any(near) else _before(a, cases, end)
        return cls._sorted(parts, before)

    @classmethod
    def _sorted(cls, parts: list[Part], before: Floats) -> Entries:
        """By rank."""
        rows, steps_a, steps_b, weights = zip(*parts, strict=True)
        row = np.concatenate(rows)
        order = np.argsort(row, kind="stable")
        step_a, step_b = (np.concatenate(each)[order] for each in (steps_a, steps_b))
        alike = all(each.strides == (0,) for each in weights)
        weight = np.broadcast_to(1.0, len(row)) if alike else np.concatenate(weights)[order]
        return cls(row[order], step_a, step_b, weight, before)

    def of(self, rows: slice) -> Entries:
        """Of some ranks."""
        some = slice(*np.searchsorted(self.row, [rows.start, rows.stop]).tolist())
        return Entries(self.row[some] - rows.start, self.a[some], self.b[some], self.weight[some], self.before[rows])

    def among(self, n_a: int, n_b: int) -> Entries:
        """Those that are before no steps, of which there are so many."""
        some = (self.a < n_a) & (self.b < n_b)
        return Entries(self.row[some], self.a[some], self.b[some], self.weight[some], self.before)

    def sums(self, a: Floats, b: Floats, start: Floats) -> Floats:
        """Of products of what is given of steps, and then of what is before them; ``start`` is that of cases before."""
        products = np.bincount(self.row, self.weight * a[self.a] * b[self.b], len(self.before))
        return np.asarray(products + self.before * start)


def _entries(a: Steps, b: Steps, last: Places, near: tuple[int, int]) -> tuple[Integers, ...]:
    """In which ranks cases matter, their steps there and their numbers; then the first rank where each no longer does.

    So they do until their last steps are before all; their steps there are the last or, where near, those before.
    """
    lives = a.live(last[0]), b.live(last[1])
    places = last[0] - near[0], last[1] - near[1]
    (first_a, beyond_a), (first_b, beyond_b) = (
        each.live(place) if off else live for each, place, off, live in zip((a, b), places, near, lives, strict=True)
    )
    begin, end = np.maximum(first_a, first_b), np.maximum(lives[0][1], lives[1][1])
    case, row = runs(begin, np.maximum(end - begin, 0))
    step_a, step_b = (
        np.where(row >= beyond[case], each.start[-1] + row, (each.start[:-1] - each.low)[row] + place[case])
        for each, place, beyond in ((a, places[0], beyond_a), (b, places[1], beyond_b))
    )
    return row.astype(np.int32), step_a.astype(np.int32), step_b.astype(np.int32), case, end


def _weight(cases: PairedCases, case: Integers) -> Floats:
    return np.broadcast_to(1.0, len(case)) if cases.weights is None else cases.weights[case].astype(np.float64)


def _before(steps: Steps, cases: PairedCases, end: Integers) -> Floats:
    """How many cases are before all steps of each rank, ``end`` being the first where a case is."""
    counts = np.bincount(end, cases.weights, minlength=len(steps.rank) + 1)
    return np.cumsum(counts, dtype=np.float64)[:-1]


def _spread(parts: Floats, first: Floats, middle: Integers, last: Floats) -> Floats:
    """Places from the first to the last that are the closer together the nearer the middle."""
    center, off = np.clip(middle, first, last), 2 * parts - 1
    off *= MIDDLE + (1 - MIDDLE) * off**4
    return np.asarray(center + off * np.where(off < 0, center - first, last - center))
