"""Means of a number that each case has: pass rates, costs of its own, any score per case.

The law is that of all cases together, by class, by group or by fold (:func:`law_of_means`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import read_only
from skcostci._validation import LARGEST_COST, SMALLEST_COST, Floats, Integers, check_finite, check_number
from skcostci._validation._rows import Rows, check_rows
from skcostci.laws import Draw, GroupedLaw, MeanLaw, grouped_mean_law, mean_law
from skcostci.results._differences import DifferenceResult
from skcostci.results._estimand import Estimand
from skcostci.results._results import ExactResult

METHODS = ("unseen_case", "percentile", "wald")
GROUPED_METHODS = ("unseen_group", "effective_size", "wald", "percentile")
UNBOUNDED_GROUPED_METHODS = ("effective_size", "wald", "percentile")

Ends = tuple[float, float]


@dataclass(frozen=True, repr=False, eq=False)
class MeanResult(ExactResult[float]):
    """The mean of a number that each case has, such as its loss, with the bootstrap law of that mean.

    What :func:`bootstrap_mean` and :func:`bootstrap_loss` return; with folds the mean of their means. Beside what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    quantity : str
        What the mean is of: "mean" of given values, or the name of a loss.

    Examples
    --------
    >>> from skcostci import bootstrap_mean
    >>> bootstrap_mean([0, 1, 1, 0, 1, 1, 1, 1], least=0, most=1)
    MeanResult(estimate=0.75, standard_error=0.1531, 95 % interval 0.3491 to 0.9681)
    """

    law: MeanLaw | GroupedLaw = field(repr=False)  # type: ignore[assignment]
    quantity: str


@dataclass(frozen=True, repr=False, eq=False)
class MeanDifferenceResult(DifferenceResult[float]):
    """The mean difference, a - b, of a number that each case has under two models.

    What :func:`bootstrap_mean_difference` and :func:`bootstrap_loss_difference` return; with folds the mean of their
    means. Beside what every :class:`BootstrapResult` has:

    Parameters
    ----------
    quantity : str
        What the mean is of: "mean" of given values, or the name of a loss.

    Examples
    --------
    >>> from skcostci import bootstrap_mean_difference
    >>> bootstrap_mean_difference([1, 1, 0, 1, 1, 1], [0, 1, 0, 0, 1, 1], least=0, most=1)
    MeanDifferenceResult(estimate=0.3333, standard_error=0.1925, 95 % interval -0.3088 to 0.7772, p=0.53)
    """

    law: MeanLaw | GroupedLaw = field(repr=False)  # type: ignore[assignment]
    quantity: str


def bootstrap_mean(
    values: ArrayLike,
    *,
    least: float | None = None,
    most: float | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> MeanResult:
    """The mean of a number that each case has, with a confidence interval that allows for one unseen.

    For pass rates, costs that each case has of its own, pass@k, any score per case. No resample is drawn.

    Parameters
    ----------
    values : array-like of shape (n_samples,)
        A finite number a case.
    least, most : float, default=None
        The least and the most that a value can be, wherever it comes from: 0 and 1 of a rate. None is the least, or the
        most, of these values: then nothing is said of what lies beyond them.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.
    groups : array-like of shape (n_samples,), default=None
        Which cases belong together, as the epochs of a prompt do; whole groups are then resampled.
    folds : array-like of shape (n_samples,), default=None
        Which fold of a cross-validation each case was in: the estimate is the mean of the folds' means. Not with
        ``groups``.

    Returns
    -------
    MeanResult
        With ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``, ``confidence_interval``, ``to_frame``
        and ``quantity``. The interval methods:

        - "unseen_case" (default): allows for one case more, at ``most`` for the upper limit and at ``least`` for the
          lower one, as :func:`bootstrap_cost`'s does; of values 0 and 1 these are Clopper and Pearson's limits. Nothing
          can hold where a value that was never seen may outweigh all others (Bahadur and Savage, 1956): give ``most``
          where you know it. Where all values are one number and neither is given, the interval is the whole line.
        - "percentile": quantiles of the bootstrap law. Not to be trusted where few cases make most of the mean:
          of 20 cases it may hold for .1 of samples at a nominal .95.
        - "wald": a Gaussian with the law's mean and variance. As "percentile".
        - "unseen_group" (default with ``groups`` where ``least`` and ``most`` are given, and only there): allows for
          one group more, of typical size, all of whose values are at the end. It holds where few groups fail whole.
        - "effective_size" (with ``groups``, and the default where an end is not known): the default limits of as many
          cases that stand for themselves as the groups are worth. Not to be trusted where few groups fail whole: of 20
          groups, one in 25 of which does, it held for .75 of samples at a nominal .95.

    Raises
    ------
    ValueError
        If a value is not finite or not between ``least`` and ``most``, there are no cases, or weights, groups or folds
        are not as described.

    See Also
    --------
    bootstrap_mean_difference : Two models on the same cases.
    bootstrap_loss : Brier score, log loss and others, from labels and predictions.
    bootstrap_ratio : A ratio of two means.

    Notes
    -----
    The law is exact where values have a common step, as cents do, are of two kinds, or of few cases (ten, or more where
    they have equals). Else it is smooth, and computed on a fine grid: the cdf is within .005, usually .0001. With
    groups it is that of a ratio of sums, exact or on a grid by the same rule, groups being counted for cases.

    References
    ----------
    R. R. Bahadur and L. J. Savage, "The nonexistence of certain statistical procedures in nonparametric problems",
    Annals of Mathematical Statistics 27(4), 1956.

    N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable",
    Mathematical Methods of Statistics 14(4), 2005.

    Examples
    --------
    >>> from skcostci import bootstrap_mean
    >>> seconds = [0.8, 1.1, 0.9, 3.2, 1.0, 0.7, 1.4, 0.9]
    >>> low, high = bootstrap_mean(seconds, least=0, most=10).confidence_interval()
    >>> round(low, 3), round(high, 3)
    (0.635, 4.501)
    """
    given = check_range(least, most)
    column = check_finite("values", values)
    rows = check_rows({"values": values}, {"values": column}, sample_weight, groups, folds)
    kept = column[rows.kept]
    check_sizes("values", kept)
    check_within("values", kept, rows, *given)
    ends, bounds = within(given, (float(kept.min()), float(kept.max()))), within(given, (-np.inf, np.inf))
    estimand = Estimand("mean", folds=folds is not None)
    parts = law_of_means(kept, rows, [ends], bounds)
    return MeanResult(*parts, quantity="mean", estimand=estimand, **of_scheme(kept, rows))


def bootstrap_mean_difference(
    values_a: ArrayLike,
    values_b: ArrayLike,
    *,
    least: float | None = None,
    most: float | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
) -> MeanDifferenceResult:
    """The mean difference, a - b, of a number that each case has under two models, with its interval and p-value.

    Cases are resampled with both their values, so that what the models share cancels. No resample is drawn.

    Parameters
    ----------
    values_a, values_b : array-like of shape (n_samples,)
        A finite number a case, under either model.
    least, most : float, default=None
        The least and the most that a value of either can be, so that differences lie within ``most - least`` of 0. If
        both are None, the ends are the least and the most of the differences seen; if one is, it is that of the values.
    sample_weight : array-like of shape (n_samples,), default=None
        Frequency weights, whole numbers: how many cases each row stands for.
    groups : array-like of shape (n_samples,), default=None
        Which cases belong together; whole groups are then resampled.
    folds : array-like of shape (n_samples,), default=None
        Which fold of a cross-validation each case was in. Not with ``groups``.

    Returns
    -------
    MeanDifferenceResult
        With ``estimate``, ``mean``, ``standard_error``, ``cdf``, ``quantile``, ``confidence_interval``, ``pvalue``,
        ``equivalence``, ``probabilities``, ``to_frame`` and ``quantity``. The interval methods are those of
        :func:`bootstrap_mean`.

    See Also
    --------
    bootstrap_mean : One model.
    bootstrap_loss_difference : Of losses, from labels and predictions.

    Examples
    --------
    >>> from skcostci import bootstrap_mean_difference
    >>> passed_a, passed_b = [1, 1, 1, 1, 0, 1, 1, 1, 1, 1], [0, 1, 0, 1, 0, 1, 1, 0, 0, 1]
    >>> difference = bootstrap_mean_difference(passed_a, passed_b, least=0, most=1)
    >>> round(difference.estimate, 3), round(difference.pvalue(), 4)
    (0.4, 0.1388)
    """
    given = check_range(least, most)
    columns = {"values_a": check_finite("values_a", values_a), "values_b": check_finite("values_b", values_b)}
    rows = check_rows({"values_a": values_a, "values_b": values_b}, columns, sample_weight, groups, folds)
    for name, column in columns.items():
        check_sizes(name, column[rows.kept])
        check_within(name, column[rows.kept], rows, *given)
    a, b = (column[rows.kept] for column in columns.values())
    apart, both = a - b, np.array([a, b])
    ends = differing(given, (float(both.min()), float(both.max())), [(float(apart.min()), float(apart.max()))])
    low, high = within(given, (-np.inf, np.inf))
    parts = law_of_means(apart, rows, ends, (low - high, high - low))
    estimand = Estimand("mean", difference=True, folds=folds is not None)
    return MeanDifferenceResult(*parts, quantity="mean", estimand=estimand, **of_scheme(apart, rows))


def check_range(least: Any, most: Any) -> tuple[float | None, float | None]:
    """The analyst's bounds of a value, either of which may be None."""
    low = None if least is None else float(check_number("least", least))
    high = None if most is None else float(check_number("most", most))
    if low is not None and high is not None and not low < high:
        raise ValueError(f"least must be below most, got least={least!r} and most={most!r}.")
    return low, high


def check_within(name: str, values: Floats, rows: Rows, least: float | None, most: float | None) -> None:
    """No value is beyond the analyst's bounds."""
    for bound, end, outside in (
        ("least", least, None if least is None else values < least),
        ("most", most, None if most is None else values > most),
    ):
        if outside is not None and outside.any():
            first = int(np.argmax(outside))
            position = int(np.flatnonzero(rows.kept)[first])
            raise ValueError(
                f"{name} must lie between least and most, got {values[first]:g} at position {position}, beyond "
                f"{bound}={end:g}."
            )


def check_sizes(name: str, values: Floats) -> None:
    """The largest number is of a size whose third power can be computed with, as costs are."""
    size = float(np.abs(values).max())
    if size and not SMALLEST_COST <= size <= LARGEST_COST:
        raise ValueError(
            f"{name} must be 0 or of sizes of which the largest is from {SMALLEST_COST:g} to {LARGEST_COST:g}, got "
            f"{size:g}."
        )


def within(given: tuple[float | None, float | None], seen: Ends) -> Ends:
    """The analyst's ends where there are some, else those that were seen."""
    return seen[0] if given[0] is None else given[0], seen[1] if given[1] is None else given[1]


def differing(given: tuple[float | None, float | None], seen: Ends, apart: Sequence[Ends]) -> list[Ends]:
    """How far two values may be apart, whose ends are given or seen; without any given, what was seen, per class."""
    if given == (None, None):
        return list(apart)
    low, high = within(given, seen)
    return [(low - high, high - low)] * len(apart)


def law_of_means(
    values: Floats, rows: Rows, ends: Sequence[Ends], bounds: Ends, strata: Integers | None = None
) -> tuple[float, MeanLaw | GroupedLaw, tuple[str, ...]]:
    """Estimate, law and interval methods.

    ``ends`` has a pair for each stratum (class), or one for all cases. Where they leave one value only, which would be
    known then, the bounds of the parameter take their place as far as they are numbers.
    """
    if strata is not None:
        parts = [(strata == place, ends[place]) for place in np.unique(strata).tolist()]
    else:
        whole = min(low for low, _ in ends), max(high for _, high in ends)
        numbers = range(1 if rows.folds is None else int(rows.folds.max()) + 1)
        parts = [(rows.folds == k if rows.folds is not None else np.ones(len(values), bool), whole) for k in numbers]
    draws = [Draw(values[some], rows.weights[some], _open(pair, bounds)) for some, pair in parts]
    law = mean_law(draws, bounds, by_fold=rows.folds is not None)
    if rows.groups is not None:
        grouped = grouped_mean_law(law, values, rows.weights, rows.groups, draws[0].ends)
        return float(law.mean[0]), grouped, GROUPED_METHODS if np.isfinite(bounds).all() else UNBOUNDED_GROUPED_METHODS
    return float(law.mean[0]), law, METHODS


def of_scheme(values: Floats, rows: Rows) -> dict[str, Any]:
    """How many groups there are, and the mean of each fold."""
    if rows.folds is None:
        return {"n_groups": None if rows.groups is None else int(rows.groups.max()) + 1}
    sums, sizes = np.bincount(rows.folds, rows.weights * values), np.bincount(rows.folds, rows.weights)
    return {"fold_estimates": read_only(np.asarray(sums / sizes))}


def _open(ends: Ends, bounds: Ends) -> Ends:
    """The ends, opened to the bounds where they are one value."""
    low, high = ends
    if low < high:
        return ends
    return (bounds[0] if np.isfinite(bounds[0]) else low), (bounds[1] if np.isfinite(bounds[1]) else high)
