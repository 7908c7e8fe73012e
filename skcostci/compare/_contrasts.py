"""Contrasts, what adjusts for many of them, and several results as one: independent samples, imputed data sets.

A contrast is a weighted sum of results whose weights add up to 0. A family of them is a matrix with a row per contrast
and a column per model. Where a contrast has no law of its own, its limits combine the limits of the results
(:mod:`skcostci.intervals._combined`). Imputed data sets are pooled (``intervals/_pooled``).

**The largest of correlated normal deviates**, on which adjusted p-values and simultaneous intervals rest. A standard
normal vector in d dimensions is a direction u times a radius r with a chi law. The deviates are ``a_p u r`` with unit
rows ``a_p`` whose products are the correlations, so that

    P(largest > t) = E_u Q_d(t / max_p a_p u),    Q_d(x) = P(r > x)    (Deak 1980; Genz & Bretz 2009).

The mean over u is a weighted sum over a fixed set of directions, concentrated where deviates are large: a part of them
is uniform, the others are around a deviate given that it is beyond t_k, from quasi-random numbers and their mirror
images about that deviate. Weights are 1 over the density of that mixture (importance sampling, as in Owen, Maximov &
Chertkov 2019), calibrated so that the probabilities known exactly, 1 for t = 0 and the sum of all deviates'
probabilities to be beyond each t_k, are reproduced exactly. There is no seed: results are the same at every call and on
every machine, as the factor of the correlations does not depend on these (``_factor``). Critical values are good to
about 1e-3, checked against one-dimensional integrals for up to 40 models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import gammaincc, ndtr, ndtri
from scipy.stats import qmc

from skcostci._arrays import Floats
from skcostci._frozen import Numbers, NumbersT, cached_property
from skcostci._validation._arguments import FINITE, SampledShare
from skcostci.intervals import METHODS
from skcostci.intervals._combined import CombinedLaw, ConfidencePart
from skcostci.intervals._pooled import PooledLaw
from skcostci.laws.exact._tied_share import gauss
from skcostci.results._estimand import check_same_estimand
from skcostci.results._results import BootstrapResult, ComparedResult

FAMILIES = ("pairwise", "reference")
NO_VARIANCE = 1e-12  # relative: a variance this small is rounding
LOG2_POINTS = 15  # quasi-random points before mirroring; twice as many reduce the error by a third
TAILS = 0.1, 1e-3  # Bonferroni's probabilities of the t_k; critical values in use lie between
FAR = 1e-5  # probabilities below this are Bonferroni's bound: too few directions lie so far out
DEPENDENT = 1e-9  # of a deviate's variance: a remainder after conditioning on earlier deviates that is rounding
COSINES = 8192  # cells of squared cosines in which densities are taken as constant
NODES = 1024  # cells of the largest deviate of a unit vector
CHUNK_ENTRIES = 1_000_000  # deviates in memory at a time, 8 MB


def pairwise(names: Sequence[str]) -> Floats:
    each, (first, second) = np.eye(len(names)), np.triu_indices(len(names), 1)
    return np.asarray(each[first] - each[second])


def against(n_models: int, fixed: int) -> Floats:
    """Each other model minus the one at this position."""
    each = np.eye(n_models)
    return np.asarray(np.delete(each, fixed, axis=0) - each[fixed])


def check_contrasts(contrast: ArrayLike, names: Sequence[str]) -> Floats:
    """A matrix of contrasts: finite, a column per model, each row adding up to 0 and not all 0."""
    matrix = FINITE.all("contrast", contrast)
    if matrix.ndim != 2 or matrix.shape[1] != len(names) or not len(matrix):
        raise ValueError(f"contrast must have a column for each of the {len(names)} models, got shape {matrix.shape}.")
    wrong = np.flatnonzero(~matrix.any(axis=1) | (np.abs(matrix.sum(axis=1)) > 1e-9 * np.abs(matrix).max(axis=1)))
    if wrong.size:
        raise ValueError(f"rows of contrast must add up to 0 and not be all 0, got row {wrong[0]}: {matrix[wrong[0]]}.")
    return matrix


@dataclass(frozen=True, repr=False, eq=False)
class CombinedResult(ComparedResult[NumbersT]):
    """A weighted sum of independent results, such as a difference, with an interval that combines theirs.

    Returned by :func:`independent_difference`. In addition to what every :class:`BootstrapResult` has:

    Parameters
    ----------
    methods : tuple of str
        ``("combined",)``.
    axis : dict
        The coordinates of the points, such as operating conditions, by name; empty for a single number.

    Examples
    --------
    >>> from skcostci import bootstrap_auc, independent_difference
    >>> here = bootstrap_auc([0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9])
    >>> there = bootstrap_auc([0, 0, 0, 1, 1, 1], [0.1, 0.6, 0.5, 0.4, 0.7, 0.2])
    >>> independent_difference(here, there)
    CombinedResult(auc difference, estimate=0.3194, standard_error=0.2998, 95 % interval -0.4477 to 0.8699 by
    combined, p=0.54)
    """

    law: CombinedLaw = field(repr=False)
    axis: dict[str, Numbers] = field(repr=False, default_factory=dict)


def combination(
    results: Sequence[BootstrapResult[NumbersT]], weights: Floats, covariance: Floats, method: str | None = None
) -> CombinedResult[NumbersT]:
    """The weighted sum of results with this covariance; results of weight 0 are left out."""
    used = np.flatnonzero(weights).tolist()
    each = [(results[i], float(weights[i])) for i in used]
    parts = tuple(ConfidencePart(np.asarray(r.estimate), r.law, METHODS[r._method(method)], w) for r, w in each)
    scale = weights[used].reshape(-1, 1, *(1,) * (covariance.ndim - 2))
    law = CombinedLaw(parts, covariance[np.ix_(used, used)] * scale * np.swapaxes(scale, 0, 1))
    first = results[used[0]]
    estimand = replace(first.estimand, difference=True)
    return CombinedResult(first._shaped(law.estimate), law, ("combined",), first._axis(), estimand=estimand)


def independent_difference(
    result_a: BootstrapResult[NumbersT], result_b: BootstrapResult[NumbersT], *, method: str | None = None
) -> CombinedResult[NumbersT]:
    """The difference of one statistic on two independent samples, a - b: two sites, two test sets, men and women.

    >>> from skcostci import bootstrap_auc, independent_difference
    >>> here = bootstrap_auc([0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9])
    >>> there = bootstrap_auc([0, 0, 0, 1, 1, 1], [0.1, 0.6, 0.5, 0.4, 0.7, 0.2])
    >>> independent_difference(here, there)
    CombinedResult(auc difference, estimate=0.3194, standard_error=0.2998, 95 % interval -0.4477 to 0.8699 by combined,
    p=0.54)

    Parameters
    ----------
    result_a, result_b : results of one function
        Such as two of :func:`bootstrap_auc`, or two of :func:`bootstrap_cost` at the same operating conditions. The two
        samples have no cases in common.
    method : str, default=None
        The interval method of both results whose limits are combined, one of the ``methods`` of each; None is the
        default method of each.

    Returns
    -------
    CombinedResult
        With ``estimate``, ``standard_error``, ``confidence_interval``, ``pvalue``, ``equivalence`` and ``to_frame``.
        Its interval combines the limits of both results (see Notes), by the default method of each or by ``method``. No
        case is added to the difference itself: what each result's method allows for (for most statistics one additional
        case in its own sample), and when not to trust it, applies to the difference as well.

    Raises
    ------
    TypeError
        If either is not a result, or is a pair of rates: pass its ``.fpr`` or ``.tpr``.
    ValueError
        If their ``estimand`` differs, in statistic, metric, prevalence, costs, average, positive class or points (the
        message names what), or the method is not one of both.

    See Also
    --------
    compare_groups : One model in several subgroups.

    Notes
    -----
    Variances of independent samples add. The limits of one result at all levels are the quantiles of a distribution,
    its *confidence distribution*: how far the true value may lie from the estimate. The limits of the difference are
    the quantiles of the difference of two independent variables with these two distributions, computed as one integral.
    If both results have normal limits at distances x and y from their estimates, the difference has a limit at the
    distance ``sqrt(x^2 + y^2)``. As the level approaches 1, the limits approach the largest and the least difference
    that the limits of the two results allow, so that no null value inside the range has a p-value of 0.

    Not to be trusted where the intervals of the two results are not.

    References
    ----------
    M. Xie and K. Singh, "Confidence distribution, the frequentist distribution estimator of a parameter: a review",
    International Statistical Review, 2013.
    """
    _check_alike({"result_a": result_a, "result_b": result_b})
    if isinstance(share := result_a.estimand.prevalence, SampledShare):
        way = f"so they are not independent: evaluate both at a share, such as {float(share):.3g}"
        raise ValueError(f"prevalence=({share.events}, {share.cases}) is of one sample for both results, {way}.")
    points = np.shape(result_a.estimate)  # laws of a single point differ in shape
    a, b = (np.reshape(result.law.variance, points) for result in (result_a, result_b))
    covariance = np.array([[a, np.zeros(points)], [np.zeros(points), b]], dtype=np.float64)
    groups = (result_a.n_groups or 0) + (result_b.n_groups or 0) or None
    return replace(combination([result_a, result_b], np.array([1.0, -1.0]), covariance, method), n_groups=groups)


@dataclass(frozen=True, repr=False, eq=False)
class PooledResult(BootstrapResult[NumbersT]):
    """A statistic of multiply imputed data: the mean over imputations, with limits that allow for missing values.

    Returned by :func:`pool_imputations`; for differences it returns a :class:`PooledDifferenceResult`. In addition to
    what every :class:`BootstrapResult` has:

    Parameters
    ----------
    axis : dict
        The coordinates of the points, such as operating conditions, by name; empty for a single number.

    Examples
    --------
    >>> from skcostci import bootstrap_auc, pool_imputations
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1] * 5, [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9] * 5
    >>> pooled = pool_imputations([bootstrap_auc(y_true, [*y_score[:-1], imputed]) for imputed in (0.9, 0.5, 0.2)])
    >>> pooled.n_imputations, round(pooled.missing_information, 3)
    (3, 0.082)
    """

    law: PooledLaw = field(repr=False)
    axis: dict[str, Numbers] = field(repr=False, default_factory=dict)

    @property
    def n_imputations(self) -> int:
        """How many results were pooled."""
        return len(self.law.laws)

    @property
    def missing_information(self) -> NumbersT:
        """The share of the variance that is due to the missing values, from 0 to 1."""
        return self._shaped(self.law.missing)

    @property
    def freedom(self) -> NumbersT:
        """The degrees of freedom of the variance (Barnard and Rubin)."""
        return self._shaped(self.law.freedom)


@dataclass(frozen=True, repr=False, eq=False)
class PooledDifferenceResult(PooledResult[NumbersT], ComparedResult[NumbersT]):
    """A difference of multiply imputed data: the mean over imputations, with limits that allow for missing values.

    Returned by :func:`pool_imputations` for differences. It has what every :class:`PooledResult` has, and
    ``equivalence``; the default null of ``pvalue`` is 0.

    Examples
    --------
    >>> from skcostci import bootstrap_auc_difference, pool_imputations
    >>> y_true, a = [0, 0, 0, 0, 1, 1, 1, 1] * 5, [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9] * 5
    >>> b = [6, 2, 8, 1, 3, 7, 4, 9] * 5
    >>> of_each = [bootstrap_auc_difference(y_true, [*a[:-1], imputed], b) for imputed in (0.9, 0.5, 0.2)]
    >>> round(pool_imputations(of_each).pvalue(), 3)
    0.195
    """


def pool_imputations(
    results: Sequence[BootstrapResult[NumbersT]], *, method: str | None = None
) -> PooledResult[NumbersT]:
    """Pool the results of a data set whose missing values were imputed several times (Rubin's rules).

    >>> from skcostci import bootstrap_auc, pool_imputations
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1] * 5, [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9] * 5
    >>> of_each = [bootstrap_auc(y_true, [*y_score[:-1], imputed]) for imputed in (0.9, 0.5, 0.2)]
    >>> pool_imputations(of_each)
    PooledResult(auc, estimate=0.8604, standard_error=0.06325, 95 % interval 0.6809 to 0.9601 by rubin)

    Parameters
    ----------
    results : sequence of two or more results of one function
        One for each completed data set, such as five of :func:`bootstrap_auc`. All have the same cases and differ in
        the imputed values only.
    method : str, default=None
        The interval method of the results whose limits are pooled, one of the ``methods`` of each; None is the default
        of each.

    Returns
    -------
    PooledResult
        With ``estimate``, the mean; ``standard_error``, the square root of the variance within plus (1 + 1/m) times the
        variance between the m imputations; ``confidence_interval``, ``pvalue`` and ``to_frame``; ``n_imputations``,
        ``missing_information`` and ``freedom``. The only interval method is "rubin": the mean of the limits of all
        imputations, moved outwards to allow for the variance between imputations. It stays in the range of the
        parameter, and equals the interval of the complete data if nothing was missing. For differences a
        :class:`PooledDifferenceResult`.

    See Also
    --------
    independent_difference : Two samples.

    Notes
    -----
    The limits have their coverage if imputations are proper, as with ``IterativeImputer(sample_posterior=True)``: each
    draws the parameters of the imputation model anew, uses the outcome, and adds the residual noise of a single value.
    Five to twenty imputations suffice where up to half of the information is missing. The degrees of freedom of the
    complete data come from the number of cases, of cases in the smaller class where classes are resampled separately,
    or of groups; they are infinite for rates at a fixed rate and ratios of counts.

    References
    ----------
    D. B. Rubin, "Multiple imputation for nonresponse in surveys", Wiley, 1987.

    J. Barnard and D. B. Rubin, "Small-sample degrees of freedom with multiple imputation", Biometrika 86(4), 1999.
    """
    if isinstance(results, BootstrapResult):
        raise ValueError("results must be a list of two or more, one for each imputation, got a single result.")
    listed = list(results)
    if len(listed) < 2:
        raise ValueError(f"results must be two or more, one for each imputation, got {len(listed)}.")
    _check_alike({f"results[{i}]": result for i, result in enumerate(listed)})
    if lacking := [i for i, result in enumerate(listed) if not np.isfinite(result.estimate).all()]:
        raise ValueError(f"results[{lacking[0]}] must be finite at every point, got an undefined or infinite value.")
    first, methods = listed[0], tuple(METHODS[result._method(method)] for result in listed)
    estimates = np.array([result.estimate for result in listed], dtype=np.float64)
    law = PooledLaw(estimates, tuple(result.law for result in listed), methods, min(map(_freedom_of, listed)))
    kind = PooledDifferenceResult[NumbersT] if first.estimand.difference else PooledResult[NumbersT]
    estimate, axis = first._shaped(law.mean), first._axis()
    return kind(estimate, law, ("rubin",), axis, estimand=first.estimand, n_groups=first.n_groups)


def _check_alike(results: Mapping[str, Any]) -> None:
    """Raise unless these are results of one statistic, of the same estimand and at the same points."""
    first_name, first = next(iter(results.items()))
    for name, result in results.items():
        if not isinstance(result, BootstrapResult):
            pair = " Use .fpr or .tpr of each result." if hasattr(result, "fpr") and hasattr(result, "tpr") else ""
            raise TypeError(f"{name} must be a result of one statistic, got {type(result).__name__}.{pair}")
        if result is not first:
            check_same_estimand(**{first_name: first.estimand, name: result.estimand})
        if (shape := np.shape(first.estimate)) != (own := np.shape(result.estimate)):
            raise ValueError(f"{first_name} and {name} must be at the same points, got shapes {shape} and {own}.")


def _freedom_of(result: BootstrapResult) -> float:
    """Degrees of freedom of complete data: groups, or cases of the smaller class, minus 1; infinite without either."""
    if result.n_groups is not None:
        return max(result.n_groups - 1.0, 1.0)
    effective = getattr(result.law, "effective", None)
    units = [part.n_cases for part in getattr(result.law, "strata", ())] if effective is None else effective
    return max(float(np.min(units)) - 1, 1.0) if np.size(units) else np.inf


def correlation(covariance: Floats) -> Floats:
    """The correlations; a value without variance is taken as independent of the others."""
    variance = np.diag(covariance)
    some = variance > NO_VARIANCE * variance.max()
    scale = np.where(some, 1 / np.sqrt(np.where(some, variance, 1.0)), 0.0)
    matrix: Floats = covariance * np.outer(scale, scale)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def holm(pvalues: Floats) -> Floats:
    order = np.argsort(pvalues, kind="stable")
    # Holm's steps end at the first that fails: no p-value is below that of an earlier step.
    steps = np.maximum.accumulate(pvalues[order] * np.arange(len(pvalues), 0, -1))
    adjusted = np.empty(len(pvalues))
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


@dataclass(frozen=True)
class LargestDeviate:
    """The largest of standard normal deviates with these correlations, or of their absolute values."""

    correlation: Floats
    two_sided: bool = True

    def exceeds(self, t: Floats) -> Floats:
        """P(the largest > t), for any t (t >= 0 for absolute values)."""
        one = (1 + self.two_sided) * ndtr(-t)
        bound, far = one * len(self.correlation), t > self._far
        near = self._mean_tail(np.where(far, self._far, t))
        return np.where(far, np.minimum(near, bound), np.clip(near, one, np.minimum(bound, 1)))

    def surely_exceeds(self, t: float) -> float:
        """At most P(the largest > t), one-sided: as if all were as correlated as any two (Slepian's inequality)."""
        most = np.tril(self.correlation, -1).max()  # or 0
        nodes, weights = gauss(64)
        with np.errstate(divide="ignore"):
            own = (t - np.sqrt(most) * ndtri(nodes)) / np.sqrt(max(1 - most, 0.0))
        return float(1 - weights @ ndtr(own) ** len(self.correlation))

    def critical_value(self, alpha: float) -> float:
        sides = 1 + self.two_sided
        low, high = float(-ndtri(alpha / sides)), float(-ndtri(alpha / sides / len(self.correlation)))
        if low == high:
            return low

        def excess(t: float) -> float:
            return float(np.log(self.exceeds(np.array(t))) - np.log(alpha))

        # A little beyond both bounds, where rounding may give the excess either sign.
        low, high = max(low - 1e-9, 0.0 if self.two_sided else -np.inf), high + 1e-9
        if excess(low) <= 0:
            # Only where alpha is 1, or by rounding.
            return low
        return float(brentq(excess, low, high, xtol=1e-10)) if excess(high) < 0 else high

    @cached_property
    def _far(self) -> float:
        """The t beyond which the mean over the directions is too inaccurate."""
        if self._factor.shape[1] == 1:
            return np.inf
        top = float(-ndtri(FAR / len(self.correlation) / 2))
        return float(brentq(lambda t: float(self._mean_tail(np.array(t))) - FAR, 0.0, top + 1, xtol=1e-8))

    @cached_property
    def _factor(self) -> Floats:
        """Rows ``a_p`` of length 1 whose products are the correlations: Cholesky's, the largest pivot first.

        Among pivots that are equal except for rounding the first is taken. Eigenvectors would depend on the machine's
        linear algebra and number of threads where eigenvalues are equal, as they are for similar models.
        """
        left, columns = self.correlation.copy(), []
        while (rest := np.diag(left)).max() > DEPENDENT:
            pivot = int(np.flatnonzero(rest >= rest.max() - DEPENDENT)[0])
            columns.append(left[:, pivot] / np.sqrt(rest[pivot]))
            left -= np.outer(columns[-1], columns[-1])
        factor = np.column_stack(columns)
        return np.asarray(factor / np.linalg.norm(factor, axis=1, keepdims=True))

    @cached_property
    def _nodes(self) -> tuple[Floats, Floats]:
        """The largest deviate of a unit vector over all directions: its values and their probabilities."""
        if self._factor.shape[1] == 1:
            return self._largest(np.array([[1.0], [-1.0]]) @ self._factor.T), np.full(2, 0.5)
        beyond = -ndtri(np.array(TAILS) / (1 + self.two_sided) / len(self.correlation))
        directions = _directions_around(self._factor, beyond)
        density, largest = np.ones((1 + len(beyond), len(directions))), np.empty(len(directions))
        step = max(CHUNK_ENTRIES // len(self.correlation), 1)
        for start in range(0, len(directions), step):
            rows = slice(start, start + step)
            deviates = directions[rows] @ self._factor.T
            density[1:, rows], largest[rows] = self._densities(deviates, beyond), self._largest(deviates)
        weights = len(density) / density.sum(axis=0) / len(directions)
        # The weighted means of the densities should be 1; this correction removes their sampling error.
        moments = (weights * density) @ density.T
        lacking = 1 - (weights * density).sum(axis=1)
        weights = weights * (1 + np.linalg.lstsq(moments, lacking, rcond=1e-9)[0] @ density)
        return _in_cells(largest, weights)

    def _densities(self, deviates: Floats, beyond: Floats) -> Floats:
        """The density, relative to uniform, of directions given a deviate beyond each t, averaged over deviates."""
        square = (np.arange(COSINES + 1) + 0.5) / COSINES
        d, sides = self._factor.shape[1], 1 + self.two_sided
        of_cell = gammaincc(d / 2, beyond[:, None] ** 2 / square / 2) / (sides * ndtr(-beyond[:, None]))
        cell = (np.square(deviates if self.two_sided else np.maximum(deviates, 0.0)) * COSINES).astype(np.intp)
        return np.array([density[cell].mean(axis=1) for density in of_cell])

    def _largest(self, deviates: Floats) -> Floats:
        return np.asarray((np.abs(deviates) if self.two_sided else deviates).max(axis=1))

    def _mean_tail(self, t: Floats) -> Floats:
        """The mean over the directions of the probability that the radius takes the largest deviate beyond t."""
        (reach, weights), t_row = self._nodes, np.ravel(t)
        reach = reach[:, None]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            radius = np.where(reach == 0, np.inf, np.abs(t_row) / np.abs(reach))
        beyond = gammaincc(self._factor.shape[1] / 2, radius**2 / 2)
        tail = np.where(t_row >= 0, np.where(reach > 0, beyond, 0.0), np.where(reach < 0, 1 - beyond, 1.0))
        return np.asarray((weights @ tail).reshape(np.shape(t)))


def _directions_around(factor: Floats, beyond: Floats) -> Floats:
    """Unit vectors and their mirror images: a share uniform, and one for each t given that a deviate exceeds it.

    The deviate and its distance beyond t are quasi-random too.
    """
    which, how_far, normal = _quasi_random(factor.shape[1])
    part = (which * len(factor) * (len(beyond) + 1)).astype(np.intp)
    near, kind = factor[part // (len(beyond) + 1)], part % (len(beyond) + 1) - 1  # -1 for uniform vectors
    along = np.where(kind < 0, 0.0, -ndtri(how_far * ndtr(-beyond[kind])))[:, None] * near
    across = normal - np.where(kind < 0, 0.0, np.einsum("ij,ij->i", normal, near))[:, None] * near
    vectors = np.concatenate([along + across, along - across])
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


@cache
def _quasi_random(dimensions: int) -> tuple[Floats, Floats, Floats]:
    """Two numbers in (0, 1) and a normal vector, from Sobol points at the midpoints of their cells."""
    # Not scrambled: p-values are the same in every run. The first point is 0, whose deviate is infinite.
    points = qmc.Sobol(dimensions + 2, scramble=False).random_base2(LOG2_POINTS) + 2.0 ** -(LOG2_POINTS + 1)
    return points[:, 0], points[:, 1], ndtri(points[:, 2:])


def _in_cells(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Values in [-1, 1] and their weights; values in the same narrow cell are merged at their mean."""
    cell = np.minimum(((values + 1) / 2 * NODES).astype(np.intp), NODES - 1)
    mass = np.bincount(cell, weights, NODES)
    kept = mass > 0
    means = np.asarray(np.bincount(cell, weights * values, NODES)[kept] / mass[kept], dtype=np.float64)
    return means, np.asarray(mass[kept], dtype=np.float64)
