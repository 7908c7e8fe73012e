"""One bound for every statistic known by its units: it allows for one unit, at its worst, that was not seen.

A lower limit asks what T may be if beside the k units of a stratum there is part of one more that is as bad as one
can be, and takes the Beta law with the mean and the variance that T has under Dirichlet weights of all units; an upper
limit asks it of the best one. All is put on a scale from 0, the worst value of T, to 1. Symbols: g_i influences of the
units seen, g_a that of the unseen one, of weight u, and T(u) the statistic with it.

How much of a unit was not seen is U at most, and the less the more the units seen say about those that were not. Their
doubt d is near 1 where units are all or nothing, at T = 0 or at the greatest value: then a variance tells no more than
the mean does. It is near 1 too where an unseen unit would bring most of the variance. With U = 1 the limits of a rate
are Clopper and Pearson's, to all digits. Where all of k units are alike, a limit that leaves alpha outside is missed
with probability exp(-q) at most, q the upper quantile of the Gamma law of shape U: .030 at .025 with U = .92.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skcostci._validation import Floats
from skcostci.intervals._unseen_case import wide_beta, widening
from skcostci.laws import (
    ClassesLaw,
    CurveLaw,
    FirstOrderLaw,
    GroupedAUCLaw,
    KernelLaw,
    Moved,
    Unseen,
    Worths,
)

OF_RANKS = 0.92  # U for AUCs: placements are hardly ever all or nothing, and 1 would widen where none is
OF_COUNTS = 1.0  # U for what is counted
# U for areas along a curve. In the rows of benchmarks/curves.py .5 covers .90 to .98 of .95 at worst, .7 does .94 to
# 1.00. With .92 that is up to .03 more, and widths grow by 1 to 20 %, most where models are compared.
OF_CURVES = 0.7


@dataclass(frozen=True)
class Bound:
    """The Beta law, from 0 to ``top``, of which limits are quantiles; its variance has ``freedom`` degrees of freedom.

    None of these depends on the level, so that intervals nest and p-values are intervals turned round.
    """

    top: Floats
    mean: Floats
    variance: Floats
    freedom: Floats

    @np.errstate(under="ignore")  # a far lower limit is next to 0
    def above_worst(self, alpha: Floats) -> Floats:
        """The limit: the variance is widened as Student's t is beside the normal, in so far as it was estimated."""
        known = (self.variance <= 0) | (np.minimum(self.mean, self.top) <= 0)
        top = np.where(known, 1.0, self.top)
        mean, variance = np.where(known, 0.5, self.mean / top), np.where(known, 0.1, self.variance / top**2)
        place = wide_beta(mean, variance * widening(self.freedom, alpha), alpha)
        return np.where(known, self.mean, top * place)


@np.errstate(under="ignore")  # far out limits are next to 0
def unseen_unit(law: Worths, alpha: Floats, side: int, most_unseen: float) -> Floats:
    """The limit of the statistic: the one that lies furthest out over the units that may not have been seen."""
    limits = [bound.above_worst(alpha) for bound in _bounds(law, side, most_unseen)]
    above = np.minimum.reduce([*limits, np.broadcast_to(_on_scale(law, side, law.estimate), limits[0].shape)])
    worst, best = _ends(law, side)
    return np.asarray(worst + (best - worst) * above)


def unseen_pair(law: KernelLaw, alpha: Floats, side: int) -> Floats:
    """Of an AUC, or of the difference of two: a class has one more case, which loses all of its pairs, or wins them.

    Class sizes that vary widen the interval; where they would narrow it, in classes of one or two, it stays.
    """
    limits = [unseen_unit(each.worths, alpha, side, OF_RANKS) for each in (law, law.given_sizes)]
    return np.asarray(np.minimum(*limits) if side < 0 else np.maximum(*limits))


def unseen_of_classes(law: ClassesLaw, alpha: Floats, side: int) -> Floats:
    """As of two classes: one of them has such a case, the one whose limit lies furthest out."""
    return unseen_unit(law, alpha, side, OF_RANKS)


def unseen_group_of_ranks(law: GroupedAUCLaw, alpha: Floats, side: int) -> Floats:
    """The same where cases come in groups: a whole group has one class at the wrong end, or both."""
    return unseen_unit(law, alpha, side, OF_RANKS)


def unseen_worth(law: FirstOrderLaw, alpha: Floats, side: int) -> Floats:
    """Of any statistic whose worths have ends: one unit more, a case or a group, may be there."""
    return unseen_unit(law, alpha, side, OF_RANKS)


def unseen_of_curve(law: CurveLaw, alpha: Floats, side: int) -> Floats:
    """One unit more at the wrong end; of several schemes of resampling the widest limit.

    Limits are about the estimate less its bias, and would leave the estimate itself out where that is all that they
    allow for, at low confidence: they reach to it.
    """
    limits = [unseen_unit(worths, alpha, side, OF_CURVES) for worths in law.worths]
    limits.append(np.broadcast_to(law.estimate, np.shape(alpha)))
    return np.asarray(np.minimum.reduce(limits) if side < 0 else np.maximum.reduce(limits))


def _ends(law: Worths, side: int) -> tuple[Floats, Floats]:
    """The worst and the best value of the statistic for a limit of this side."""
    low, high = (np.asarray(end, dtype=np.float64) for end in law.support)
    return (low, high) if side < 0 else (high, low)


def _on_scale(law: Worths, side: int, value: Floats | float) -> Floats:
    """From 0 at the worst to 1."""
    worst, best = _ends(law, side)
    return np.asarray((value - worst) / np.where(best == worst, 1.0, best - worst))


def _moved(law: Worths, side: int, u: Floats | float, one: Unseen) -> tuple[Floats, Floats, Floats, Floats]:
    """T, g_a, the sums of squares by stratum and the greatest g_i of the stratum, on the scale from the worst."""
    moved: Moved = law.at(u, one)
    worst, best = _ends(law, side)
    unit = np.where(best == worst, 1.0, best - worst)
    most = np.asarray(moved.ends[1 if side < 0 else 0] / unit)
    return _on_scale(law, side, moved.value), np.asarray(moved.unseen / unit), moved.squares / unit**2, most


def _bounds(law: Worths, side: int, most_unseen: float) -> list[Bound]:
    """One for each unit that may not have been seen."""
    feared = [(one, *_doubt(law, side, one, most_unseen)) for one in law.unseen(side)]
    doubts = np.zeros(law.units.shape)  # of each stratum the largest of its own
    for one, doubt, _ in feared:
        doubts[one.stratum] = np.maximum(doubts[one.stratum], doubt)
    return [_bound(law, side, one, doubt * unseen, doubts, doubt) for one, doubt, unseen in feared]


def _doubt(law: Worths, side: int, one: Unseen, most_unseen: float) -> tuple[Floats, Floats]:
    """How little the units seen say about those that were not, from 0 to 1, and the weight U of the unseen one.

    A unit that fails in two ways costs more than a case that fails in one: its weight is that of the share that one
    class has in it, but where units were seen to fail so.
    """
    units = law.units[one.stratum]
    _, by_one, squares, most = _moved(law, side, 0.0, one)
    seen = _share(squares[one.stratum], units * -by_one * most, 0.0)
    weight = most_unseen * (one.share + (1 - one.share) * seen)
    _, unseen, moved, top = _moved(law, side, weight, one)
    whole = units + weight
    all_or_nothing = _share(moved[one.stratum] + weight * unseen**2, -unseen * top * whole, 1.0)
    brought = weight / whole * (whole * unseen * whole / units) ** 2 / units
    new = _share(brought, brought + squares.sum(axis=0), 1.0)
    return 1 - (1 - all_or_nothing) * (1 - new), weight


def _bound(law: Worths, side: int, one: Unseen, u: Floats, doubts: Floats, doubt: Floats) -> Bound:
    """Mean, variance and end of T under Dirichlet weights of the units seen and of the unseen one, of weight u."""
    own, estimate = one.stratum, _on_scale(law, side, law.estimate)
    *_, most = _moved(law, side, 0.0, one)
    mean, unseen, squares, _ = _moved(law, side, u, one)
    squares[own] += u * unseen**2
    sizes = law.units.astype(np.float64)
    sizes[own] += u
    doubts = doubts.copy()
    doubts[own] = doubt
    parts = squares * sizes / (sizes + 1)
    variance = parts.sum(axis=0)
    freedom = np.maximum(law.effective - 1, 1) / np.maximum(1 - doubts, 1e-12)
    by_own = _share(parts[own], variance, 1.0)
    top = np.clip(estimate + law.units[own] * most, estimate, 1.0)
    df = variance**2 / np.maximum((parts**2 / freedom).sum(axis=0), 1e-300)
    top = np.where(variance > 0, top + (1 - top) * (1 - by_own), 1.0)
    return Bound(top, mean, variance, np.where(variance > 0, df, 1.0))


def _share(part: Floats, whole: Floats, otherwise: Floats | float) -> Floats:
    """Part of a whole, at most 1; ``otherwise`` where there is no whole."""
    some = whole > 0
    return np.where(some, np.minimum(part / np.where(some, whole, 1.0), 1.0), otherwise)
