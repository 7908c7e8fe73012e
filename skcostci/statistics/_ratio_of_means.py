"""Ratios of two means over the same cases, of one model or of a minus b: O/E, skill scores, word error rates.

Limits of a ratio x of two means come from the mean of ``numerator - x * denominator``. In a difference the influence of
a case is (n_a - R_a d_a) / sum d_a - (n_b - R_b d_b) / sum d_b with R = sum n / sum d, so that what the models share
cancels. The least favourable additional case is extreme for both models at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats
from skcostci._described import described
from skcostci._options import WeightType, explains_calls
from skcostci._validation._arguments import LARGEST_COST, SIZE, SMALLEST_COST, check_finite
from skcostci._validation._rows import GivenRows, Rows, SampleOptions
from skcostci.cases._design import Design
from skcostci.laws._rounding import SPREAD_ROUNDING, rounding_of, without_rounding
from skcostci.laws.exact._means_and_ratios import Ends, Extremes, ratio_law
from skcostci.laws.influence._first_order import OF_COUNTS, FirstOrderLaw
from skcostci.laws.influence._weighted import weighted_rows
from skcostci.results._estimand import Estimand
from skcostci.results._results import DifferenceResult, ExactResult
from skcostci.statistics._mean import SHARE, are_shares, by_group, check_sizes, ends_of, scheme_of
from skcostci.statistics._units import ClassMeans, Difference, Ratio, law_of_terms, methods_of_units, of_scheme
from skcostci.statistics._weight_types import continuous_in_weights, weighed

# Numerators and denominators of one model or of two, the extreme pairs of the two, the ends of the ratio, if known.
CheckedRatios = tuple[Rows, list[tuple[Floats, Floats]], Extremes, Ends, bool]
RatioRange = Ends | tuple[Ends | None, Ends | None]  # of the ratio, or of numerators and of denominators


@dataclass(frozen=True, repr=False, eq=False)
class RatioResult(ExactResult[float]):
    """The ratio of the means of two numbers that each case has, with the bootstrap distribution of that ratio.

    Returned by :func:`bootstrap_ratio`. It has what every :class:`BootstrapResult` has.
    """


@dataclass(frozen=True, repr=False, eq=False)
class RatioDifferenceResult(DifferenceResult[float]):
    """The ratio of two means under model a minus that under model b, with its bootstrap distribution.

    Returned by :func:`bootstrap_ratio_difference`. It has what every :class:`BootstrapResult` has.
    """


@explains_calls
@described(SampleOptions)
def bootstrap_ratio(
    numerator: ArrayLike,
    denominator: ArrayLike,
    *,
    range: RatioRange | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> RatioResult:
    """The ratio of two means over the same cases, with an interval that allows for one additional, extreme case.

    >>> from skcostci import bootstrap_ratio
    >>> observed, expected = [1, 0, 1, 0, 0, 1, 0, 1], [0.8, 0.3, 0.6, 0.2, 0.4, 0.7, 0.1, 0.5]
    >>> bootstrap_ratio(observed, expected)
    RatioResult(ratio, estimate=1.111, standard_error=0.2592, 95 % interval 0.4852 to 1.737 by extrapolated)

    For observed to expected events (labels over probabilities), skill scores (1 minus the ratio of a model's loss to
    that of a reference), cost per success. No resample is drawn.

    Parameters
    ----------
    numerator : array-like of shape (n_samples,)
        A finite number per case.
    denominator : array-like of shape (n_samples,)
        A finite number per case, none negative, one of them positive.
    range : (float, float) or pair of (float, float) or None, default=None
        Two numbers are the least and the most that the numerator of a case over its denominator can be, and so the
        ratio: (0, 1) for the F1 of a corpus, where twice the matches are at most the number found plus the number to be
        found. Two pairs, ``((0, 1), (0.1, 2))``, are the least and the most that numerators, and that denominators, can
        be; either may be None. What is not given is not known, except that values that are all 0 or 1 have (0, 1),
        whatever their type (denominators of 1 throughout only where the numerator's range is known).

    Returns
    -------
    RatioResult
        With folds the distribution is known by its moments, to first order. The interval methods:

        - "unseen_case" (default where ``range`` bounds the ratio or both of its parts, with ``folds`` only
          where they bound the ratio; not with ``groups``): allows for one additional case, for the upper limit one with
          the greatest numerator and the least denominator possible, for the lower limit the opposite. Wide where a
          denominator may be close to 0.
        - "extrapolated" (default elsewhere): allows for one additional case, or group, as extreme as those in the
          sample suggest; where ranges are not known never narrower than Student's t. Not to be trusted with few, very
          skewed values (give ranges), nor where groups may be of a kind of which the sample contains none.
        - "unseen_group" (only with ``groups`` and known ranges): allows for such groups.
        - "percentile" (not with groups): bootstrap quantiles; "wald": a Gaussian with its moments. Not to be trusted
          with few cases, nor where the denominator is near 0.

    See Also
    --------
    bootstrap_mean : A single mean.

    Notes
    -----
    At the true ratio x the mean of ``numerator - x * denominator`` is 0, so the limits are the x at which the limits of
    this mean are 0. :doc:`/theory/means_and_metrics` has the rest.
    """
    columns = {"numerator": numerator, "denominator": denominator}
    sample: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    rows, ((above, below),), extremes, bounds, has_ends = check_ratios(columns, range, sample)
    ratio = ratio_of(above, below, rows, extremes, bounds, Estimand("ratio"), has_ends=has_ends)
    result: RatioResult = weighed(ratio, sample)
    return result


@explains_calls
@described(SampleOptions)
def bootstrap_ratio_difference(
    numerator_a: ArrayLike,
    denominator_a: ArrayLike,
    numerator_b: ArrayLike,
    denominator_b: ArrayLike,
    *,
    range: RatioRange | None = None,
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> RatioDifferenceResult:
    """The difference, a - b, of two ratios of means on the same cases, with its interval and p-value.

    >>> from skcostci import bootstrap_ratio_difference
    >>> words = [12, 8, 20, 15, 9, 11]
    >>> bootstrap_ratio_difference([1, 0, 4, 2, 1, 0], words, [2, 1, 4, 3, 1, 2], words)
    RatioDifferenceResult(ratio difference, estimate=-0.06667, standard_error=0.02667, 95 % interval -0.144 to 0.01526
    by extrapolated, p=0.093)

    For word error rates of two recognizers, the F1 of a corpus, or observed over expected events of two models.

    Parameters
    ----------
    numerator_a, denominator_a : array-like of shape (n_samples,)
        Two finite numbers per case under model a; no denominator is negative, and one is positive.
    numerator_b, denominator_b : array-like of shape (n_samples,)
        The same under model b; the denominators are often the same column.
    range : (float, float) or pair of (float, float) or None, default=None
        The least and the most that a numerator over its own denominator can be, and so either ratio; or two pairs,
        ``((0, 1), (0.1, 2))``, for the numerators and the denominators of either model. What is not given is (0, 1)
        where all values are 0 or 1, and else the least and the most in the sample.

    Returns
    -------
    RatioDifferenceResult
        Standard errors are of first order. The interval methods:

        - "unseen_case" (default where the ranges bound both ratios, without ``groups``): allows for one additional case
          with the extreme values of both models.
        - "extrapolated" (default elsewhere): allows for one additional case, or group, as extreme as those in the
          sample suggest. Not to be trusted where rare, far larger values are possible: give ``range`` if known.
        - "unseen_group" (only with ``groups`` and such ranges): allows for groups of a kind that the sample lacks.
        - "wald": a Gaussian. Not to be trusted with few cases or groups.

    See Also
    --------
    bootstrap_ratio : One model.
    """
    columns = {
        "numerator_a": numerator_a,
        "denominator_a": denominator_a,
        "numerator_b": numerator_b,
        "denominator_b": denominator_b,
    }
    sample: GivenRows = {"sample_weight": sample_weight, "weight_type": weight_type, "groups": groups, "folds": folds}
    rows, models, extremes, (low, high), _ = check_ratios(columns, range, sample)
    design = Design(rows)
    each = [
        Difference(*(Ratio(part, above[part.rows], below[part.rows], extremes) for above, below in models))
        for part in design.parts
    ]
    for name, model in (("a", 0), ("b", 1)):
        if any(not models[model][1][part.rows].any() for part in design.parts):
            raise ValueError(f"denominator_{name} must not be all 0 in a fold.")
    law: Any = law_of_terms(design, each, (low - high, high - low), OF_COUNTS, paired=True)
    methods = methods_of_units(grouped=rows.groups is not None, bounded=bool(np.isfinite((low, high)).all()))
    estimand, scheme = Estimand("ratio", True, folds=rows.folds is not None), of_scheme(rows, each)
    found = RatioDifferenceResult(float(law.estimate[0]), law, methods, estimand=estimand, **scheme)
    result: RatioDifferenceResult = weighed(found, sample)
    return result


def check_ratios(given: Mapping[str, ArrayLike], range: Any, sample: GivenRows) -> CheckedRatios:
    """The numerator and the denominator of each model in turn, by parameter name."""
    columns = {name: check_finite(name, column) for name, column in given.items()}
    rows = Rows.given(given, columns, **sample)
    kept = {name: rows.of(column) for name, column in columns.items()}
    for name, values in kept.items():
        check_sizes(name, values)
    above, below = ({name: kept[name] for name in names} for names in ([*kept][::2], [*kept][1::2]))
    is_pair = isinstance(range, tuple | list) and len(range) == 2
    of_parts = is_pair and all(each is None or np.ndim(each) for each in range)
    of_ratio, (of_above, of_below) = (None, range) if of_parts else (range, (None, None))
    if of_above is None and all(map(are_shares, above.values())):
        of_above = SHARE
    if of_below is None and of_above is not None and all(map(are_shares, below.values())):
        of_below = SHARE  # of 1 throughout only beside numerators that are bounded: it counts cases
    above_ends, below_ends = _ends("numerator", above, rows, of_above), _ends("denominator", below, rows, of_below)
    for name, values in below.items():
        if values.min() < 0 or not values.any():
            first = rows.place(int(np.argmin(values)))
            raise ValueError(f"{name} must be non-negative and not all 0, got {values.min():g} at position {first}.")
    if below_ends[0] < 0:
        raise ValueError(f"range must not contain negative numbers for denominators, got {range!r}.")
    models = list(zip(above.values(), below.values(), strict=True))
    extremes = tuple((n, d) for n in above_ends for d in below_ends)
    bounds = _bounds(of_above, of_below)
    known = of_above is not None and (of_below is not None or below_ends[0] == below_ends[1])
    if of_ratio is None:
        return rows, models, extremes, bounds, known
    low, high = _check_ratio_range(of_ratio, above, models, rows)
    within = max(bounds[0], low), min(bounds[1], high)
    return rows, models, _extreme_pairs(above_ends, below_ends, (low, high)), within, known


def _check_ratio_range(given: Any, names: Iterable[str], models: Sequence[tuple[Floats, Floats]], rows: Rows) -> Ends:
    """The ends of a ratio; raise unless every numerator over its denominator is between them, up to rounding."""
    low, high = _pair(given, "be None or a pair of numbers")
    if not low < high:
        raise ValueError(f"range must be a pair (smallest, largest) of ratios with smallest < largest, got {given!r}.")
    for (above, below), name in zip(models, names, strict=True):
        room = rounding_of(above, high * below, low * below)
        outside = (above > high * below + room) | (above < low * below - room)
        if outside.any():
            first = int(np.argmax(outside))
            raise ValueError(
                f"{name} must lie within range={given!r} times its denominator, got {above[first]:g} over "
                f"{below[first]:g} at position {rows.place(first)}."
            )
    return low, high


def _extreme_pairs(above: Ends, below: Ends, ratio: Ends) -> Extremes:
    """The corners of the region of numerators and denominators whose ratio is within given ends."""
    corners = [(n, d) for n in above for d in below]
    along = [(end * d, d) for end in ratio for d in below]
    across = [(n, n / end) for end in ratio for n in above if end]
    rounding = rounding_of(np.array(above), np.array(ratio) * below[1])
    found = [
        (n, d)
        for n, d in [*corners, *along, *across]
        if above[0] - rounding <= n <= above[1] + rounding
        and below[0] * (1 - 1e-12) <= d <= below[1] * (1 + 1e-12)
        and ratio[0] * d - rounding <= n <= ratio[1] * d + rounding
    ]
    return tuple(dict.fromkeys(found))


@continuous_in_weights
def ratio_of(
    numerator: Floats,
    denominator: Floats,
    rows: Rows,
    extremes: Extremes,
    bounds: Ends,
    estimand: Estimand,
    names: tuple[str, str] = ("numerator", "denominator"),
    *,
    has_ends: bool = False,
) -> RatioResult:
    with np.errstate(over="ignore"):
        ratio = float((rows.weights @ numerator) / (rows.weights @ denominator))
    if ratio and not SMALLEST_COST <= abs(ratio) <= LARGEST_COST:
        raise ValueError(
            f"{' and '.join(names)} must have a ratio that is 0, or whose absolute value is from "
            f"{SMALLEST_COST:g} to {LARGEST_COST:g}, got {ratio:g}."
        )
    scheme, known = scheme_of(numerator, rows, denominator), has_ends or bool(np.isfinite(bounds).all())
    if not (rows.groups is None and rows.folds is None):
        found, methods = _ratio_by_units(numerator, denominator, rows, extremes, bounds, known=known)
        of_folds = replace(estimand, folds=rows.folds is not None)
        return RatioResult(float(found.estimate[0]), found, methods, estimand=of_folds, **scheme)
    law = ratio_law(numerator, denominator, rows.weights, extremes, bounds)
    methods = "unseen_case" if known else "extrapolated", "percentile", "wald"
    if rows.is_weighted:
        rounding = SPREAD_ROUNDING * max(float(np.abs(each).max()) for each in (numerator, ratio * denominator))
        off = without_rounding(numerator - ratio * denominator, rounding)
        of_weights: Any = weighted_rows(law, off / float(rows.weights @ denominator), rows.weights)
        return RatioResult(ratio, of_weights, (methods[0], methods[-1]), estimand=estimand)
    return RatioResult(float(law.estimate[0]), law, methods, estimand=estimand)


def _ratio_by_units(
    numerator: Floats, denominator: Floats, rows: Rows, extremes: Extremes, bounds: Ends, *, known: bool
) -> tuple[Any, tuple[str, ...]]:
    """The law of a ratio, or of the mean of the folds' ratios, where cases or groups are drawn, and the methods."""
    rows, (numerator, denominator) = by_group(rows, numerator, denominator)
    design = Design(rows)
    each = [Ratio(part, numerator[part.rows], denominator[part.rows], extremes) for part in design.parts]
    for place, one in enumerate(each, 1):
        if one.sums[1] == 0:
            raise ValueError(
                f"denominator must not be all 0 in a fold; it is in fold number {place}, in order of appearance."
            )
    law = law_of_terms(design, each, bounds, OF_COUNTS)
    bounded = bool(np.isfinite(bounds).all())
    if rows.folds is None and known:

        def mean_at(x: float) -> FirstOrderLaw:
            ends = ends_of(np.array([n - x * d for n, d in extremes]))
            mean = ClassMeans.of_all(design.parts[0], (numerator - x * denominator)[:, None], *ends)
            return law_of_terms(design, [mean], ends, OF_COUNTS)

        law, bounded = replace(law, mean_at=mean_at), True
    return law, methods_of_units(grouped=rows.groups is not None, bounded=bounded)


def _ends(kind: str, columns: Mapping[str, Floats], rows: Rows, given: object) -> Ends:
    """The least and the greatest possible value of a number."""
    if given is None:
        return ends_of(np.array([*columns.values()]))
    least, most = _pair(given, f"have None or a pair of numbers for {kind}s")
    for name, values in columns.items():
        outside = (values < least) | (values > most)
        if least > most or outside.any():
            first = int(np.argmax(outside))
            where = f"{values[first]:g} at position {rows.place(first)}" if outside.any() else "no values"
            raise ValueError(f"{name} must lie in the range of {kind}s, {given!r}, got {where}.")
    return least, most


def _pair(given: Any, wanted: str) -> Ends:
    try:
        low, high = given
    except (TypeError, ValueError):
        raise TypeError(f"range must {wanted}, got {given!r}.") from None
    return SIZE("range", low), SIZE("range", high)


def _bounds(numerator: Ends | None, denominator: Ends | None) -> Ends:
    """The least and the greatest ratio that the ranges allow; a denominator is at least 0."""
    (least, most), (low, high) = numerator or (-np.inf, np.inf), denominator or (0.0, np.inf)

    def over(value: float, divisor: float) -> float:
        """The quotient, also for 0 and infinite numbers."""
        return value / divisor if divisor > 0 and np.isfinite(divisor) else 0.0 if np.isinf(divisor) else np.inf * value

    down = over(least, high if least >= 0 else low)
    up = over(most, low) if most > 0 else over(most, high)
    return float(down), float(up)
