"""Operating conditions, and the duality of cost space and ROC space: a point of one is a line of the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Numbers, frozen_numbers
from skcostci._shown import Shown
from skcostci._validation._arguments import COST, FINITE, SHARE, Number


def probability_cost(prevalence: ArrayLike, cost_fn: float, cost_fp: float) -> Numbers:
    """PC(+), the operating condition (probability cost) for a prevalence and two error costs.

    >>> from skcostci import probability_cost
    >>> round(probability_cost(prevalence=0.1, cost_fn=5, cost_fp=1), 4)
    0.3571

    Drummond & Holte (2006), eq. 3; w in Dugas & Gadoury (2008), eq. 2.

    Parameters
    ----------
    prevalence : float or array-like
        The share of positives where the model will be used, in [0, 1].
    cost_fn, cost_fp : float
        The costs of a missed positive and of a false alarm, in the same unit, finite and not negative.

    Returns
    -------
    float or ndarray
        ``prevalence * cost_fn / (prevalence * cost_fn + (1 - prevalence) * cost_fp)``, in [0, 1].

    See Also
    --------
    bootstrap_cost : The cost of a model at operating conditions.
    """
    share = SHARE.all("prevalence", prevalence)
    fn, fp = COST("cost_fn", cost_fn), COST("cost_fp", cost_fp)
    exponent = int(np.frexp(max(fn, fp))[1])  # below 1 costs cannot overflow, and only their ratio matters
    with np.errstate(under="ignore"):
        miss, alarm = share * np.ldexp(fn, -exponent), (1 - share) * np.ldexp(fp, -exponent)
        total = miss + alarm
    if not total.all():
        raise ValueError(f"prevalence, cost_fn and cost_fp must not make every cost 0, got {prevalence!r}, {fn}, {fp}.")
    with np.errstate(under="ignore"):
        return frozen_numbers(miss / total, share.shape)


class CostLine(Shown, NamedTuple("_CostLine", [("slope", float), ("intercept", float)])):
    """A line of cost space, ``cost = intercept + slope * PC(+)``.

    Parameters
    ----------
    slope, intercept : float
        FNR - FPR, and FPR.

    See Also
    --------
    cost_line : Returns the line of a classifier.

    Examples
    --------
    >>> from skcostci import roc_point
    >>> from skcostci.results import CostLine
    >>> roc_point(CostLine(slope=0.25, intercept=0.25))
    (0.25, 0.5)
    """


def cost_line(fpr: float, tpr: float) -> CostLine:
    """The cost line of an ROC point: the normalized cost of one classifier at every operating condition.

    >>> from skcostci import cost_line
    >>> cost_line(fpr=0.25, tpr=0.5)
    CostLine(slope=0.25, intercept=0.25)

    Parameters
    ----------
    fpr, tpr : float
        False- and true-positive rate, in [0, 1].

    Returns
    -------
    CostLine
        ``slope`` FNR - FPR and ``intercept`` FPR: it runs from FPR at PC(+) = 0 to FNR at 1.

    See Also
    --------
    roc_point : The ROC point of a line.
    """
    false, true = SHARE("fpr", fpr), SHARE("tpr", tpr)
    return CostLine(1 - true - false, false)


def roc_point(line: tuple[float, float]) -> tuple[float, float]:
    """The ROC point of a cost line; the inverse of :func:`cost_line`.

    >>> from skcostci import cost_line, roc_point
    >>> roc_point(cost_line(fpr=0.25, tpr=0.5))
    (0.25, 0.5)

    Parameters
    ----------
    line : CostLine or tuple (slope, intercept)
        A line of cost space.

    Returns
    -------
    tuple of float
        FPR and TPR of the classifier with these costs.

    See Also
    --------
    roc_line : The line of a point of cost space.
    """
    slope, intercept = line
    return float(intercept), float(1 - slope - intercept)


def cost_point(slope: float, intercept: float) -> tuple[float, float]:
    """The point of cost space that an ROC line, ``TPR = slope * FPR + intercept``, becomes.

    >>> from skcostci import cost_point
    >>> cost_point(slope=1.0, intercept=0.5)
    (0.5, 0.25)

    Every classifier on the line has a cost line through this point: iso-performance lines are operating conditions.

    Parameters
    ----------
    slope, intercept : float
        Of the line; a slope of -1 has its point at infinity.

    Returns
    -------
    tuple of float
        ``1 / (1 + slope)`` and ``(1 - intercept) / (1 + slope)``.

    See Also
    --------
    roc_line : The way back.
    """
    rise, start = FINITE("slope", slope), FINITE("intercept", intercept)
    if rise == -1:
        raise ValueError(f"slope must be finite and not -1, got {slope!r}.")
    return 1 / (1 + rise), (1 - start) / (1 + rise)


def roc_line(probability_cost: float, cost: float) -> tuple[float, float]:
    """The ROC line, slope and intercept, that a point of cost space becomes; the inverse of :func:`cost_point`.

    >>> from skcostci import roc_line
    >>> roc_line(0.5, 0.25)
    (1.0, 0.5)

    Parameters
    ----------
    probability_cost : float
        PC(+), in (0, 1]; at 0 the ROC line is vertical, FPR = cost.
    cost : float
        The normalized cost there.

    Returns
    -------
    tuple of float
        All classifiers on ``TPR = slope * FPR + intercept`` cost this much at this operating condition.

    See Also
    --------
    roc_point : The point of a cost line.
    """
    condition, paid = Number(0, 1, "(")("probability_cost", probability_cost), FINITE("cost", cost)
    return 1 / condition - 1, 1 - paid / condition
