"""The geometry of cost curves: lines, lower envelope, operating range, crossings and areas.

A classifier with rates FPR and TPR costs ``FNR * x + FPR * (1 - x)`` at the operating condition x = PC(+): a point of
ROC space is a line of cost space. The cheapest of many classifiers are on the lower envelope of their lines, which is
the dual of the convex hull of their ROC points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import trapezoid
from scipy.optimize import isotonic_regression
from scipy.special import betainc

from skcostci._arrays import Booleans, Floats, Integers, Weights
from skcostci._described import described
from skcostci._frozen import Comparable, Numbers, frozen_numbers, read_only
from skcostci._options import Label, explains_calls
from skcostci._shown import Shown
from skcostci._validation._arguments import SHARE, check_lengths, check_prior
from skcostci._validation._rows import SampleOptions
from skcostci.cases._cases import Cases
from skcostci.cases._counts import ScoreCounts

SAME = 1e-12  # costs, or operating conditions, this close are equal


def upper_hull(x: Weights, y: Weights) -> Integers:
    """Positions of the upper hull's vertices, in linear time: antitonic regression pools steps until slopes fall."""
    run, rise = np.diff(x), np.diff(y)
    moves = np.flatnonzero(run + rise > 0)
    if len(moves) == 0:
        return np.zeros(1, dtype=np.int64)
    length = (run + rise)[moves].astype(np.float64)
    blocks = isotonic_regression(rise[moves] / length, weights=length, increasing=False).blocks
    vertices = np.append(moves[blocks[:-1]], moves[-1] + 1)
    while (straight := _is_straight(x[vertices], y[vertices])).any():
        vertices = vertices[~straight]
    return np.asarray(vertices, dtype=np.int64)


def breakpoints(fp: Weights, tp: Weights, negatives: float, positives: float) -> Floats:
    """The operating conditions at which neighbouring vertices of an ROC hull have equal costs."""
    run, rise = np.diff(fp).astype(np.float64) * positives, np.diff(tp).astype(np.float64) * negatives
    return np.asarray(run / (run + rise))


def _is_straight(x: Weights, y: Weights) -> Booleans:
    """Which inner vertices lie on or below the line between their neighbours."""
    run, rise = np.diff(x), np.diff(y)
    bends = rise[:-1] * run[1:] > rise[1:] * run[:-1]
    return np.concatenate([[False], ~bends, [False]])


@dataclass(frozen=True, repr=False, eq=False)
class CostCurve(Shown, Comparable):
    """The cost curve of a model: the lower envelope of its cost lines and those of the two trivial classifiers.

    Make one with :meth:`from_predictions`, :meth:`from_rates` or :meth:`mean`; called with operating conditions it
    returns the cost there. It has no intervals, and is optimistic, as thresholds are chosen on the data that evaluate
    them (Drummond & Holte 2006).

    Parameters
    ----------
    probability_cost, cost : ndarray of shape (n_segments + 1,)
        The vertices of the envelope, from PC(+) = 0 to 1.
    fpr, tpr : ndarray of shape (n_segments,)
        The rates of the classifier that segment i, between vertices i and i + 1, belongs to.
    thresholds : ndarray of shape (n_segments,) or None
        The threshold of that classifier: infinity for "no case", the lowest score or minus infinity for "every case".
        None without scores.

    See Also
    --------
    bootstrap_cost : The curve with confidence intervals.
    CostCurveDisplay : Draws the curve.

    Examples
    --------
    >>> from skcostci import CostCurve
    >>> curve = CostCurve.from_predictions([0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9])
    >>> other = CostCurve.from_rates(fpr=[0.0, 0.5], tpr=[0.4, 0.9])
    >>> round(curve(0.4), 3), round(CostCurve.mean([curve, other])(0.4), 3), round(curve.expected_cost(), 4)
    (0.15, 0.195, 0.0833)
    >>> curve.thresholds, curve.operating_range(), curve.crossings(other)
    (array([0.8, 0.4]), (0.0, 1.0), array([], dtype=float64))
    >>> curve.to_roc()
    (array([0.  , 0.  , 0.25, 1.  ]), array([0. , 0.5, 1. , 1. ]))
    """

    probability_cost: Floats
    cost: Floats
    fpr: Floats
    tpr: Floats
    thresholds: Floats | None = None

    def __post_init__(self) -> None:
        for array in (self.probability_cost, self.cost, self.fpr, self.tpr, self.thresholds):
            if array is not None:
                read_only(array)

    @classmethod
    @explains_calls
    @described(SampleOptions)
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Label | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> CostCurve:
        """The cost curve of a model's scores: the lower envelope of the cost lines of all thresholds.

        Parameters
        ----------
        y_true, y_score : array-like of shape (n_samples,)
            Binary labels, both classes present, and finite scores, higher meaning more positive.

        Returns
        -------
        CostCurve
            With ``thresholds``, which are scores of positives: others are never cheaper.
        """
        cases = Cases.check(y_true, {"y_score": y_score}, pos_label=pos_label, sample_weight=sample_weight)
        return cost_curve_of(cases.counts("y_score"))

    @classmethod
    def from_rates(cls, fpr: ArrayLike, tpr: ArrayLike) -> CostCurve:
        """The cost curve of a set of classifiers, given by their rates in any order; without thresholds.

        Parameters
        ----------
        fpr, tpr : array-like of shape (n_classifiers,)
            False- and true-positive rates in [0, 1].

        Returns
        -------
        CostCurve
        """
        x, y = np.atleast_1d(SHARE.all("fpr", fpr)), np.atleast_1d(SHARE.all("tpr", tpr))
        check_lengths({"fpr": x, "tpr": y})
        order = np.lexsort((y, x))
        x, y = np.concatenate([[0.0], x[order], [1.0]]), np.concatenate([[0.0], y[order], [1.0]])
        # A classifier below a more cautious one is raised to its true-positive rate: the hull is the same.
        return cls._from_points(x, np.maximum.accumulate(y), 1.0, 1.0)

    @classmethod
    def mean(cls, curves: Sequence[CostCurve]) -> CostCurve:
        """The average cost of several curves at each operating condition (vertical averaging in cost space).

        Parameters
        ----------
        curves : sequence of CostCurve
            At least one.

        Returns
        -------
        CostCurve
            Without thresholds; of folds it describes the training procedure, not a classifier that can be used.
        """
        if not curves:
            raise ValueError("curves must contain at least one CostCurve, got none.")
        grid = np.unique(np.concatenate([curve.probability_cost for curve in curves]))
        middles = (grid[1:] + grid[:-1]) / 2
        segments = [np.searchsorted(curve.probability_cost, middles) - 1 for curve in curves]
        costs = [np.asarray(curve(grid)) for curve in curves]
        rates = [(curve.fpr[segment], curve.tpr[segment]) for curve, segment in zip(curves, segments, strict=True)]
        return cls(grid, np.mean(costs, axis=0), *np.mean(rates, axis=0))

    @classmethod
    def _from_points(
        cls, fp: Weights, tp: Weights, negatives: float, positives: float, thresholds: Floats | None = None
    ) -> CostCurve:
        """The curve from ascending points, "nobody positive" first and "everybody positive" last."""
        hull = upper_hull(fp, tp)
        ends = np.concatenate([[0.0], breakpoints(fp[hull], tp[hull], negatives, positives), [1.0]])
        visible = np.diff(ends) > SAME
        seen = hull[visible]
        fpr, tpr = np.asarray(fp[seen] / negatives), np.asarray(tp[seen] / positives)
        x = np.concatenate([[0.0], ends[1:][visible]])
        cost = np.append(fpr, fpr[-1]) * (1 - x) + np.append(1 - tpr, 1 - tpr[-1]) * x
        return cls(x, cost, fpr, tpr, None if thresholds is None else thresholds[seen])

    def __call__(self, probability_cost: ArrayLike) -> Numbers:
        """The cost at these operating conditions, PC(+) in [0, 1]."""
        x = SHARE.all("probability_cost", probability_cost)
        return frozen_numbers(np.interp(x, self.probability_cost, self.cost), x.shape)

    def __repr__(self) -> str:
        low, high = self.operating_range()
        return f"CostCurve({len(self.fpr)} segments, operating range {low:.3g} to {high:.3g})"

    def _columns(self) -> Mapping[str, ArrayLike]:
        """A row per segment: its ends, the costs there, and its classifier."""
        x, cost = self.probability_cost, self.cost
        columns = {"start": x[:-1], "end": x[1:], "cost_at_start": cost[:-1], "cost_at_end": cost[1:]}
        columns |= {"fpr": self.fpr, "tpr": self.tpr}
        return columns if self.thresholds is None else {**columns, "threshold": self.thresholds}

    def operating_range(self) -> tuple[float, float]:
        """The operating conditions at which some threshold costs less than either trivial classifier.

        Returns
        -------
        tuple of float
            The ends, low and high, of an open interval, which is empty for a model that is nowhere cheaper.
        """
        nobody, everybody = self.tpr[0] == 0, self.fpr[-1] == 1
        low = self.probability_cost[1] if nobody and self.fpr[0] == 0 else 0.0
        high = self.probability_cost[-2] if everybody and self.tpr[-1] == 1 else 1.0
        return float(low), float(high)

    def crossings(self, other: CostCurve) -> Floats:
        """The operating conditions at which this curve crosses or touches another.

        Parameters
        ----------
        other : CostCurve
            The curve to compare with.

        Returns
        -------
        ndarray of shape (n_crossings,)
            Changes of sign and touching points. A range where the curves coincide counts once, at its start, unless it
            reaches an end of the axis, as where both curves follow a trivial classifier; so identical curves have no
            crossings.
        """
        grid = np.union1d(self.probability_cost, other.probability_cost)
        gap = np.asarray(self(grid)) - np.asarray(other(grid))
        different = np.flatnonzero(np.abs(gap) > SAME)
        met = (np.diff(different) > 1) | (np.diff(np.sign(gap[different])) != 0)
        last = different[:-1][met]
        share = gap[last] / (gap[last] - gap[last + 1])
        return np.asarray(grid[last] + share * (grid[last + 1] - grid[last]))

    def expected_cost(self, prior: object = None) -> float:
        """The area under the curve, or the cost expected when the operating condition is drawn from a prior.

        Parameters
        ----------
        prior : frozen scipy.stats distribution on [0, 1], default=None
            None is uniform. In closed form for a Beta, else to about 1e-10 for smooth priors.

        Returns
        -------
        float
            At most 1/4 under the uniform prior, the value if at each condition the better trivial classifier is used.
        """
        check_prior(prior)
        if prior is None:
            return float(trapezoid(self.cost, self.probability_cost))
        slopes = np.diff(self.cost) / np.diff(self.probability_cost)
        cost = float(self.cost[-1] - slopes @ _cdf_integrals(prior, self.probability_cost))
        if np.isnan(cost):
            raise ValueError("prior must have quantiles and probabilities that can be computed, got NaN.")
        return min(max(cost, 0.0), float(self.cost.max()))

    def to_roc(self) -> tuple[Floats, Floats]:
        """The vertices of the ROC convex hull, from (0, 0) to (1, 1).

        Returns
        -------
        tuple of ndarray of shape (n_vertices,)
            False- and true-positive rates, ascending; each segment of the envelope is one vertex of the hull.
        """
        fpr, tpr = np.concatenate([[0.0], self.fpr, [1.0]]), np.concatenate([[0.0], self.tpr, [1.0]])
        distinct = np.concatenate([[True], (np.diff(fpr) > 0) | (np.diff(tpr) > 0)])
        return fpr[distinct], tpr[distinct]


def cost_curve_of(counts: ScoreCounts) -> CostCurve:
    """The curve of sorted scores."""
    thresholds, fp, tp = counts.roc_points
    negatives, positives = counts.negative.at_least[0], counts.positive.at_least[0]
    fp, tp = np.append(fp, negatives), np.append(tp, positives)
    return CostCurve._from_points(fp, tp, negatives, positives, np.append(thresholds, -np.inf))


def _cdf_integrals(prior: Any, grid: Floats) -> Floats:
    """The integral of a prior's cdf between neighbouring points of the grid."""
    if getattr(getattr(prior, "dist", None), "name", "") == "beta" and prior.support() == (0, 1):
        with np.errstate(all="ignore"):
            mean, variance = prior.stats("mv")
            size = mean * (1 - mean) / variance - 1
        a, b = mean * size, (1 - mean) * size
        if 0 < min(a, b) <= max(a, b) < np.inf:  # else it is too narrow, or too near 0 and 1, for its moments
            return np.asarray(np.diff(grid * betainc(a, b, grid) - mean * betainc(a + 1, b, grid)))
    nodes, weights = np.polynomial.legendre.leggauss(16)
    with np.errstate(all="ignore"):  # older releases of scipy have no quantiles for the most extreme laws
        quantiles = np.clip(prior.ppf(np.linspace(0, 1, 65)), 0, 1)
        pieces = np.union1d(grid, quantiles[np.isfinite(quantiles)])
        half = np.diff(pieces)[:, None] / 2
        integrals = (half * prior.cdf(pieces[:-1, None] + half * (nodes + 1))) @ weights
    return np.asarray(np.add.reduceat(integrals, np.searchsorted(pieces, grid[:-1])))


def average_roc_curves(
    curves: Sequence[object], *, fpr: ArrayLike | None = None, tpr: ArrayLike | None = None
) -> Numbers:
    """The vertical average of ROC curves at false-positive rates, or the horizontal one at true-positive rates.

    >>> from skcostci import CostCurve, average_roc_curves
    >>> curves = [([0.04], [0.4]), ([0.3], [0.8])]  # Figure 14 of Drummond and Holte, "Cost curves", 2006
    >>> round(average_roc_curves(curves, fpr=0.3), 3), round(average_roc_curves(curves, tpr=0.8), 3)
    (0.681, 0.49)

    The average performance of the classifiers is below both averages at most operating conditions: to average costs use
    :meth:`CostCurve.mean`, here ``CostCurve.mean([CostCurve.from_rates(*curve) for curve in curves])``.

    Parameters
    ----------
    curves : sequence of (fpr, tpr) or CostCurve
        At least one curve: non-decreasing rates in [0, 1], joined by straight lines from (0, 0) to (1, 1), two points
        that are added. For a CostCurve its ROC convex hull is used.
    fpr, tpr : float or array-like, default=None
        Where to average the other rate, one of the two; upper ends of vertical lines count, left ends of level ones.

    Returns
    -------
    float or ndarray
        The mean true-positive rate at each ``fpr``, or the mean false-positive rate at each ``tpr``.

    See Also
    --------
    CostCurve.mean : The average of costs.
    """
    if (fpr is None) == (tpr is None):
        raise ValueError("pass either fpr, for the vertical average, or tpr, for the horizontal average.")
    if isinstance(curves, CostCurve) or not len(curves):
        raise ValueError("curves must contain at least one curve, (fpr, tpr) or a CostCurve.")
    each = [_checked(f"curves[{i}]", curve) for i, curve in enumerate(curves)]
    name, rates = ("fpr", fpr) if tpr is None else ("tpr", tpr)
    at = SHARE.all(name, np.nan if rates is None else rates)
    upright = name == "fpr"
    found = [np.interp(at, x, y) if upright else np.interp(-at, -y[::-1], x[::-1]) for x, y in each]
    return frozen_numbers(np.mean(found, axis=0), np.shape(at))


def _checked(name: str, curve: object) -> tuple[Floats, Floats]:
    pair = curve.to_roc() if isinstance(curve, CostCurve) else curve
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise TypeError(f"{name} must be a pair (fpr, tpr) or a CostCurve, got {type(curve).__name__}.")
    named = {f"fpr of {name}": pair[0], f"tpr of {name}": pair[1]}
    rates = {own: np.atleast_1d(SHARE.all(own, values)) for own, values in named.items()}
    check_lengths(rates)
    for own, values in rates.items():
        if (falls := np.diff(values) < 0).any():
            raise ValueError(f"{own} must not fall, got {values[falls.argmax()]:g} before a smaller value.")
    x, y = (np.concatenate([[0.0], values, [1.0]]) for values in rates.values())
    return x, y
