"""Means of a number that each case has: pass rates, costs of its own, any score per case."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from skcostci._validation import check_finite
from skcostci.cases._values import check_rows
from skcostci.laws import GroupedLaw, MeanLaw
from skcostci.results._differences import DifferenceResult
from skcostci.results._results import ExactResult
from skcostci.statistics._mean_core import check_range, check_sizes, check_within, differing, law_of_means, within


@dataclass(frozen=True, repr=False, eq=False)
class MeanResult(ExactResult[float]):
    """The mean of a number that each case has, such as its loss, with the bootstrap law of that mean.

    Parameters
    ----------
    estimate : float
        The mean of the cases; with folds, of the folds' means.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    quantity : str
        What the mean is of: "mean" of given values, or the name of a loss.

    Attributes
    ----------
    mean, standard_error : float
        Of the bootstrap law.

    See Also
    --------
    bootstrap_mean, bootstrap_loss : Make one.
    MeanDifferenceResult : Of two models.

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

    Parameters
    ----------
    estimate : float
        The mean of the cases' differences; with folds, of the folds' means.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        The interval methods, the default first.
    quantity : str
        What the mean is of: "mean" of given values, or the name of a loss.

    Attributes
    ----------
    mean, standard_error : float
        Of the bootstrap law.

    See Also
    --------
    bootstrap_mean_difference, bootstrap_loss_difference : Make one.
    MeanResult : Of one model.

    Examples
    --------
    >>> from skcostci import bootstrap_mean_difference
    >>> bootstrap_mean_difference([1, 1, 0, 1, 1, 1], [0, 1, 0, 0, 1, 1], least=0, most=1)
    MeanDifferenceResult(estimate=0.3333, standard_error=0.1925, 95 % interval -0.3088 to 0.7772)
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
    """The bootstrap law of the mean of a number that each case has, and an interval that allows for one unseen.

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
        - "effective_size" (default with ``groups``, and only there): the default limits of as many cases that stand for
          themselves as the groups are worth.

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
    groups it is that of a ratio of sums.

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
    rows = check_rows({"values": column}, sample_weight, groups, folds)
    kept = column[rows.kept]
    check_sizes("values", kept)
    check_within("values", kept, rows, *given)
    ends, bounds = within(given, (float(kept.min()), float(kept.max()))), within(given, (-np.inf, np.inf))
    return MeanResult(*law_of_means(kept, rows, [ends], bounds), quantity="mean")


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
    """The bootstrap law of the mean difference, a - b, of a number that each case has under two models.

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

    Raises
    ------
    ValueError
        As :func:`bootstrap_mean`.

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
    rows = check_rows(columns, sample_weight, groups, folds)
    for name, column in columns.items():
        check_sizes(name, column[rows.kept])
        check_within(name, column[rows.kept], rows, *given)
    a, b = (column[rows.kept] for column in columns.values())
    apart, both = a - b, np.array([a, b])
    ends = differing(given, (float(both.min()), float(both.max())), [(float(apart.min()), float(apart.max()))])
    low, high = within(given, (-np.inf, np.inf))
    return MeanDifferenceResult(*law_of_means(apart, rows, ends, (low - high, high - low)), quantity="mean")
