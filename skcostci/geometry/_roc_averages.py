"""Averages of given ROC curves, vertical and horizontal (Drummond and Holte 2006, section 4.5 and Figure 14)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats
from skcostci._frozen import Numbers, frozen_numbers
from skcostci._validation._arguments import SHARE
from skcostci._validation._rows import check_lengths
from skcostci.geometry.cost_curve import CostCurve


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
    names = f"fpr of {name}", f"tpr of {name}"
    x, y = (np.atleast_1d(SHARE.all(own, rates)) for own, rates in zip(names, pair, strict=True))
    check_lengths(dict(zip(names, (x, y), strict=True)))
    for own, rates in zip(names, (x, y), strict=True):
        if (np.diff(rates) < 0).any():
            raise ValueError(
                f"{own} must not fall, got {rates[np.flatnonzero(np.diff(rates) < 0)[0]]:g} before a smaller value."
            )
    return np.concatenate([[0.0], x, [1.0]]), np.concatenate([[0.0], y, [1.0]])
