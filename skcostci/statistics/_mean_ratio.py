"""Ratios of two means over the same cases: observed to expected, skill scores, cost per success."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._validation import Floats, Integers, check_finite, check_number
from skcostci._validation._rows import Rows, check_rows
from skcostci.laws import RatioLaw, ratio_law
from skcostci.results._estimand import Estimand
from skcostci.results._results import ExactResult
from skcostci.statistics._mean import Ends, check_sizes

METHODS = ("unseen_case", "percentile", "wald")


@dataclass(frozen=True, repr=False, eq=False)
class RatioResult(ExactResult[float]):
    """The ratio of the means of two numbers that each case has, with the bootstrap law of that ratio.

    What :func:`bootstrap_ratio` returns. It has what every :class:`BootstrapResult` has.

    Examples
    --------
    >>> from skcostci import bootstrap_ratio
    >>> observed, expected = [1, 0, 1, 0, 0, 1, 0, 1], [0.8, 0.3, 0.6, 0.2, 0.4, 0.7, 0.1, 0.5]
    >>> bootstrap_ratio(observed, expected, numerator_range=(0, 1))
    RatioResult(estimate=1.111, standard_error=0.2592, 95 % interval 0.3459 to 2.17)
    """

    law: RatioLaw = field(repr=False)


def bootstrap_ratio(
    numerator: ArrayLike,
    denominator: ArrayLike,
    *,
    numerator_range: tuple[float, float] | None = None,
    denominator_range: tuple[float, float] | None = None,
    sample_weight: ArrayLike | None = None,
) -> RatioResult:
    """The ratio of two means over the same cases, with a confidence interval that allows for one unseen.

    Observed to expected events (labels over probabilities), a skill score (1 less the ratio of a model's loss to that
    of a reference), cost per success. No resample is drawn.

    Parameters
    ----------
    numerator : array-like of shape (n_samples,)
        A finite number a case.
    denominator : array-like of shape (n_samples,)
        A finite number a case, none negative, one of them positive.
    numerator_range, denominator_range : (float, float), default=None
        The least and the most that either can be, wherever it comes from: (0, 1) of labels. None is the least and the
        most of these cases.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.

    Returns
    -------
    RatioResult
        With ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``, ``confidence_interval`` and
        ``to_frame``. The interval methods:

        - "unseen_case" (default): the ratios x for which the mean of ``numerator - x * denominator`` may be 0 by
          :func:`bootstrap_mean`'s "unseen_case", one case more having the most expensive numerator with the least
          denominator, or the other way round.
        - "percentile": quantiles of the bootstrap law. Not to be trusted with few cases.
        - "wald": a Gaussian with the law's mean and variance. As "percentile", and where the denominator is near 0.

    Raises
    ------
    ValueError
        If a number is not finite or not in its range, denominators are negative or all 0, or weights are not as
        described.

    See Also
    --------
    bootstrap_mean : A single mean.
    bootstrap_calibration : Observed to expected events among other questions to probabilities.

    Notes
    -----
    ``P(ratio <= x)`` is the probability that the mean of ``numerator - x * denominator`` is not above 0, given that the
    denominator is above 0, which is as accurate as :func:`bootstrap_mean`'s. Mean and standard error are exact up to
    4,096 distinct pairs and of first order beyond; quantiles are found to 1e-5 standard errors or better.

    Examples
    --------
    >>> from skcostci import bootstrap_ratio
    >>> model, reference = [0.04, 0.09, 0.25, 0.01, 0.16, 0.04], [0.25, 0.25, 0.25, 0.25, 0.25, 0.25]
    >>> ratio = bootstrap_ratio(model, reference, numerator_range=(0, 1))
    >>> low, high = ratio.confidence_interval()
    >>> round(1 - ratio.estimate, 3), round(1 - high, 3), round(1 - low, 3)
    (0.607, -1.053, 0.871)
    """
    columns = {
        "numerator": check_finite("numerator", numerator),
        "denominator": check_finite("denominator", denominator),
    }
    rows = check_rows({"numerator": numerator, "denominator": denominator}, columns, sample_weight)
    above, below = (column[rows.kept] for column in columns.values())
    for name, values in (("numerator", above), ("denominator", below)):
        check_sizes(name, values)
    ends = _ends("numerator", above, rows, numerator_range), _ends("denominator", below, rows, denominator_range)
    if below.min() < 0 or not below.any():
        first = int(np.flatnonzero(rows.kept)[np.argmin(below)])
        raise ValueError(f"denominator must not be negative, nor all 0, got {below.min():g} at position {first}.")
    if ends[1][0] < 0:
        raise ValueError(f"denominator_range must not hold negative numbers, got {denominator_range!r}.")
    bounds = _bounds(numerator_range, denominator_range)
    return ratio_of(above, below, rows.weights, ends, bounds, Estimand("ratio"))


def ratio_of(
    numerator: Floats,
    denominator: Floats,
    weights: Integers,
    ranges: tuple[Ends, Ends],
    bounds: Ends,
    estimand: Estimand,
) -> RatioResult:
    """Of checked numbers."""
    law = ratio_law(numerator, denominator, weights, ranges, bounds)
    return RatioResult(float(law.estimate[0]), law, METHODS, estimand=estimand)


def _ends(name: str, values: Floats, rows: Rows, given: Any) -> Ends:
    """The least and the most that a number can be."""
    if given is None:
        return float(values.min()), float(values.max())
    try:
        low, high = given
    except (TypeError, ValueError):
        raise TypeError(f"{name}_range must be None or a pair of numbers, got {given!r}.") from None
    least, most = float(check_number(f"{name}_range", low)), float(check_number(f"{name}_range", high))
    outside = (values < least) | (values > most)
    if least > most or outside.any():
        first = int(np.argmax(outside))
        where = (
            f"{values[first]:g} at position {int(np.flatnonzero(rows.kept)[first])}" if outside.any() else "none in it"
        )
        raise ValueError(f"{name} must lie in {name}_range={given!r}, got {where}.")
    return least, most


def _bounds(numerator: Ends | None, denominator: Ends | None) -> Ends:
    """The least and the most that the ratio can be, as far as the ranges tell; a denominator is at least 0."""
    (least, most), (low, high) = numerator or (-np.inf, np.inf), denominator or (0.0, np.inf)

    def over(value: float, divisor: float) -> float:
        """The quotient, of 0 and of infinities too."""
        return value / divisor if divisor > 0 and np.isfinite(divisor) else 0.0 if np.isinf(divisor) else np.inf * value

    down = over(least, high if least >= 0 else low)
    up = over(most, low) if most > 0 else over(most, high)
    return float(down), float(up)
