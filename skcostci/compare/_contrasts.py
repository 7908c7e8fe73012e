"""Contrasts: weighted sums of results whose weights add up to 0, and their limits where there is no law of their own.

A family is a function of the models' names that returns a matrix with a row a contrast and a column a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Numbers, NumbersT
from skcostci._validation import Floats, check_not_nan, check_option
from skcostci.intervals import METHODS
from skcostci.intervals._combined import CombinedLaw, Part
from skcostci.results._differences import ComparedResult
from skcostci.results._estimand import check_same_estimand
from skcostci.results._results import BootstrapResult

FAMILIES = ("pairwise", "reference")


def pairwise(names: Sequence[str]) -> Floats:
    """Each model less each that follows it."""
    first, second = np.triu_indices(len(names), 1)
    return _differences(first.tolist(), second.tolist(), len(names))


def against(names: Sequence[str], reference: str) -> Floats:
    """Each other model less the reference."""
    check_option("reference", reference, names)
    fixed = list(names).index(reference)
    others = [i for i in range(len(names)) if i != fixed]
    return _differences(others, [fixed] * len(others), len(names))


def check_contrasts(contrast: ArrayLike, names: Sequence[str]) -> Floats:
    """A matrix of contrasts: finite, a column a model, each row adding up to 0 and not all 0."""
    matrix = check_not_nan("contrast", contrast)
    if matrix.ndim != 2 or matrix.shape[1] != len(names) or not len(matrix):
        raise ValueError(
            f"contrast must be a matrix with a column for each of the {len(names)} models, got shape {matrix.shape}."
        )
    if not np.isfinite(matrix).all():
        raise ValueError("contrast must be finite.")
    wrong = np.flatnonzero(~matrix.any(axis=1) | (np.abs(normalized(matrix).sum(axis=1)) > 1e-9))
    if wrong.size:
        raise ValueError(f"each row of contrast must add up to 0 and not be 0, got row {wrong[0]}: {matrix[wrong[0]]}.")
    return matrix


def normalized(contrasts: Floats) -> Floats:
    """Rows whose largest weight is 1 or -1, in which every multiple of a contrast is the same question."""
    largest = np.abs(contrasts).max(axis=1, keepdims=True)
    return np.asarray(contrasts / np.where(largest > 0, largest, 1.0))


def contrast_names(matrix: Floats, names: Sequence[str]) -> tuple[str, ...]:
    """What each contrast is called: ``a - b``, with weights where they are not 1."""
    return tuple(_name(row, names) for row in matrix.tolist())


def _name(row: Sequence[float], names: Sequence[str]) -> str:
    """The models with positive weights, then those with negative ones."""
    terms = [(weight, name) for weight, name in zip(row, names, strict=True) if weight]
    ordered = sorted(terms, key=lambda term: term[0] < 0)
    return " ".join(_term(*term) for term in ordered).removeprefix("+ ")


def _term(weight: float, name: str) -> str:
    factor = "" if abs(weight) == 1 else f"{abs(weight):g} "
    return f"{'-' if weight < 0 else '+'} {factor}{name}"


def _differences(plus: Sequence[int], minus: Sequence[int], n: int) -> Floats:
    matrix = np.zeros((len(plus), n))
    rows = np.arange(len(plus))
    matrix[rows, plus], matrix[rows, minus] = 1.0, -1.0
    return matrix


@dataclass(frozen=True, repr=False, eq=False)
class CombinedResult(ComparedResult[NumbersT]):
    """A weighted sum of results, such as a difference, with limits made of each one's own.

    What :func:`independent_difference` returns. Beside what every :class:`BootstrapResult` has:

    Parameters
    ----------
    methods : tuple of str
        ``("combined",)``.
    axis : dict
        What the points are, such as operating conditions, by name; empty for a single number.

    Examples
    --------
    >>> from skcostci import bootstrap_auc, independent_difference
    >>> here = bootstrap_auc([0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9])
    >>> there = bootstrap_auc([0, 0, 0, 1, 1, 1], [0.1, 0.6, 0.5, 0.4, 0.7, 0.2])
    >>> independent_difference(here, there)
    CombinedResult(estimate=0.3194, standard_error=0.2998, 95 % interval -0.4477 to 0.8699, p=0.54)
    """

    law: CombinedLaw = field(repr=False)
    axis: dict[str, Numbers] = field(repr=False, default_factory=dict)

    def _axis(self) -> dict[str, Numbers]:
        return self.axis


def combination(
    results: Sequence[BootstrapResult[NumbersT]], weights: Floats, covariance: Floats, method: str | None = None
) -> CombinedResult[NumbersT]:
    """The weighted sum of results whose covariance is known, those of weight 0 left out."""
    used = np.flatnonzero(weights).tolist()
    parts = tuple(_part(results[i], float(weights[i]), method) for i in used)
    scale = weights[used].reshape(-1, 1, *(1,) * (covariance.ndim - 2))
    law = CombinedLaw(parts, covariance[np.ix_(used, used)] * scale * np.swapaxes(scale, 0, 1))
    first = results[used[0]]
    estimand = replace(first.estimand, difference=True)
    return CombinedResult(first._shaped(law.estimate), law, ("combined",), first._axis(), estimand=estimand)


def _part(result: BootstrapResult[NumbersT], weight: float, method: str | None) -> Part:
    """What a result brings into a sum, with its limits of this method."""
    return Part(np.asarray(result.estimate), result.law, METHODS[result._method(method)], weight)


def independent_difference(
    result_a: BootstrapResult[NumbersT], result_b: BootstrapResult[NumbersT], *, method: str | None = None
) -> CombinedResult[NumbersT]:
    """The difference of one statistic on two independent samples, a - b: two sites, two test sets, men and women.

    Parameters
    ----------
    result_a, result_b : results of one function
        Such as two of :func:`bootstrap_auc`, or two of :func:`bootstrap_cost` at the same operating conditions. The
        cases of one are none of the other's.
    method : str, default=None
        The interval method of both whose limits are combined, one of the ``methods`` of each; None is the default.

    Returns
    -------
    CombinedResult
        With ``estimate``, ``standard_error``, ``confidence_interval``, ``pvalue``, ``equivalence`` and ``to_frame``.

    Raises
    ------
    TypeError
        If either is no result, or a pair of rates: take ``.fpr`` or ``.tpr`` of it.
    ValueError
        If their ``estimand`` differs, as that of different statistics, metrics, prevalences, costs, averages, positive
        classes or points does (the message names what), or a method is not one of theirs.

    See Also
    --------
    compare_groups : One model in several subgroups.

    Notes
    -----
    Variances of independent samples add. The limits of either result at all levels are a confidence distribution of how
    far the truth may lie from the estimate, and the difference has the distribution of the sum, one integral. Of normal
    limits the distances x and y add to the root of x^2 + y^2. As the level goes to 1 the limits reach those of both
    results together, so that no null inside the range has a p-value of 0. Of two rates of 9 and 11 cases, all pairs of
    them enumerated, .951, .976, .996 and .9996 are covered at worst at nominal .90, .95, .99 and .999, and one limit
    misses .048, .022, .004 and .0004 at most. So they hold as far as the limits of the two do.

    References
    ----------
    M. Xie and K. Singh, "Confidence distribution, the frequentist distribution estimator of a parameter: a review",
    International Statistical Review, 2013.

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
    check_same_estimand(result_a=result_a.estimand, result_b=result_b.estimand)
    if np.shape(result_a.estimate) != np.shape(result_b.estimate):
        shapes = np.shape(result_a.estimate), np.shape(result_b.estimate)
        raise ValueError("result_a and result_b must have the same points, got shapes {} and {}.".format(*shapes))
    none = np.zeros(np.shape(result_a.law.variance))
    covariance = np.array([[result_a.law.variance, none], [none, result_b.law.variance]], dtype=np.float64)
    groups = (result_a.n_groups or 0) + (result_b.n_groups or 0) or None
    return replace(combination([result_a, result_b], np.array([1.0, -1.0]), covariance, method), n_groups=groups)
