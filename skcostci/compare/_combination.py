"""Contrasts that have no function of their own: independent samples, and more than two models at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from skcostci._frozen import Numbers, NumbersT
from skcostci._validation import Floats
from skcostci.intervals._combined import CombinedLaw, Part
from skcostci.intervals._methods import METHODS
from skcostci.results._differences import ComparedResult
from skcostci.results._results import BootstrapResult


@dataclass(frozen=True, repr=False, eq=False)
class CombinedResult(ComparedResult[NumbersT]):
    """A weighted sum of results, such as a difference, with limits made of each one's own (MOVER).

    Parameters
    ----------
    estimate : float or ndarray of shape (n_points,)
        On the data as given.
    law : object
        The bootstrap law: what a new sample could have given.
    methods : tuple of str
        ``("combined",)``.
    axis : dict
        What the points are, such as operating conditions, by name; empty for a single number.

    See Also
    --------
    independent_difference : Makes one of independent samples.
    bootstrap_auc : A result to begin with.

    Examples
    --------
    >>> from skcostci import bootstrap_auc, independent_difference
    >>> here = bootstrap_auc([0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9])
    >>> there = bootstrap_auc([0, 0, 0, 1, 1, 1], [0.1, 0.6, 0.5, 0.4, 0.7, 0.2])
    >>> independent_difference(here, there)
    CombinedResult(estimate=0.3194, standard_error=0.2998, 95 % interval -0.3595 to 0.8303)
    """

    law: CombinedLaw = field(repr=False)
    axis: dict[str, Numbers] = field(repr=False, default_factory=dict)

    def _axis(self) -> dict[str, Numbers]:
        return self.axis


def combination(
    results: Sequence[BootstrapResult[NumbersT]], weights: Floats, covariance: Floats
) -> CombinedResult[NumbersT]:
    """The weighted sum of results whose covariance is known, those of weight 0 left out."""
    used = np.flatnonzero(weights)
    parts = tuple(_part(results[i], float(weights[i])) for i in used.tolist())
    scale = weights[used].reshape(-1, 1, *(1,) * (covariance.ndim - 2))
    law = CombinedLaw(parts, covariance[np.ix_(used, used)] * scale * np.swapaxes(scale, 0, 1))
    first = results[int(used[0])]
    return CombinedResult(first._shaped(law.estimate), law, ("combined",), first._axis())


def _part(result: BootstrapResult[NumbersT], weight: float) -> Part:
    """What a result brings into a sum, with the limits of its default method."""
    return Part(np.asarray(result.estimate), result.law, METHODS[result.methods[0]], weight)


def independent_difference(
    result_a: BootstrapResult[NumbersT], result_b: BootstrapResult[NumbersT]
) -> CombinedResult[NumbersT]:
    """The difference of one statistic on two independent samples, a - b: two sites, two test sets, men and women.

    Parameters
    ----------
    result_a, result_b : results of one function
        Such as two of :func:`bootstrap_auc`, or two of :func:`bootstrap_cost` at the same operating conditions. The
        cases of one are none of the other's.

    Returns
    -------
    CombinedResult
        With ``estimate``, ``standard_error``, ``confidence_interval``, ``pvalue``, ``equivalence`` and ``to_frame``.

    Raises
    ------
    TypeError
        If either is no result, or a pair of rates: take ``.fpr`` or ``.tpr`` of it.
    ValueError
        If they are of different statistics, or at different points.

    See Also
    --------
    compare_groups : One model in several subgroups.

    Notes
    -----
    Variances of independent samples add. The limits are those of both results by themselves, combined by MOVER (Zou &
    Donner 2008): with distances x and y of the limits from the estimates, the difference may lie off by the root of
    x^2 + y^2. So they hold as far as the limits of the two do, and are never a point where these are not.

    References
    ----------
    G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures: a general approach", Statistics
    in Medicine, 2008.

    Examples
    --------
    >>> from skcostci import bootstrap_auc, independent_difference
    >>> here = bootstrap_auc([0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9])
    >>> there = bootstrap_auc([0, 0, 0, 1, 1, 1], [0.1, 0.6, 0.5, 0.4, 0.7, 0.2])
    >>> difference = independent_difference(here, there)
    >>> round(difference.estimate, 3)
    0.319
    >>> difference.pvalue() > 0.05
    True
    """
    for name, result in (("result_a", result_a), ("result_b", result_b)):
        if not isinstance(result, BootstrapResult):
            raise TypeError(f"{name} must be a result of one statistic, got {type(result).__name__}.")
    if type(result_a) is not type(result_b):
        kinds = type(result_a).__name__, type(result_b).__name__
        raise ValueError("result_a and result_b must be of the same statistic, got {} and {}.".format(*kinds))
    _check_same_points(result_a, result_b)
    none = np.zeros(np.shape(result_a.law.variance))
    covariance = np.array([[result_a.law.variance, none], [none, result_b.law.variance]], dtype=np.float64)
    return combination([result_a, result_b], np.array([1.0, -1.0]), covariance)


def _check_same_points(result_a: BootstrapResult, result_b: BootstrapResult) -> None:
    """Both are at the same operating conditions, rates or shares; thresholds belong to each model's own scores."""
    if np.shape(result_a.estimate) != np.shape(result_b.estimate):
        shapes = np.shape(result_a.estimate), np.shape(result_b.estimate)
        raise ValueError("result_a and result_b must have the same points, got shapes {} and {}.".format(*shapes))
    a, b = result_a._axis(), result_b._axis()
    for name in a:
        if not name.startswith("threshold") and not np.array_equal(a[name], b[name]):
            raise ValueError(f"result_a and result_b must be at the same {name}.")
