"""Results of data sets with missing values imputed several times, pooled as one result (``intervals/_pooled``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skcostci._frozen import Numbers, NumbersT
from skcostci.intervals import METHODS
from skcostci.intervals._pooled import PooledLaw
from skcostci.results._estimand import check_same_estimand
from skcostci.results._paired_results import ComparedResult
from skcostci.results._results import BootstrapResult


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

    def _axis(self) -> dict[str, Numbers]:
        return self.axis


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
    listed = _checked(results)
    first, methods = listed[0], tuple(METHODS[result._method(method)] for result in listed)
    estimates = np.array([result.estimate for result in listed], dtype=np.float64)
    law = PooledLaw(estimates, tuple(result.law for result in listed), methods, min(map(_freedom_of, listed)))
    kind: Any = PooledDifferenceResult if first.estimand.difference else PooledResult
    rest = {"estimand": first.estimand, "n_groups": first.n_groups}
    pooled: PooledResult[NumbersT] = kind(first._shaped(law.mean), law, ("rubin",), first._axis(), **rest)
    return pooled


def _checked(results: Any) -> list[BootstrapResult[Any]]:
    if isinstance(results, BootstrapResult):
        raise ValueError("results must be a list of two or more, one for each imputation, got a single result.")
    listed = list(results)
    if len(listed) < 2:
        raise ValueError(f"results must be two or more, one for each imputation, got {len(listed)}.")
    for i, result in enumerate(listed):
        if not isinstance(result, BootstrapResult):
            pair = " Use .fpr or .tpr of each result." if hasattr(result, "fpr") and hasattr(result, "tpr") else ""
            raise TypeError(f"results[{i}] must be a result of one statistic, got {type(result).__name__}.{pair}")
        if not np.isfinite(result.estimate).all():
            raise ValueError(f"results[{i}] must be finite at every point, got an undefined or infinite value.")
    first, *others = listed
    for i, result in enumerate(others, 1):
        check_same_estimand(**{"results[0]": first.estimand, f"results[{i}]": result.estimand})
        shapes = np.shape(first.estimate), np.shape(result.estimate)
        if shapes[0] != shapes[1]:
            raise ValueError(f"results[0] and results[{i}] must be at the same points, got {shapes[0]}, {shapes[1]}.")
    return listed


def _freedom_of(result: BootstrapResult[Any]) -> float:
    """Degrees of freedom of complete data: groups, or cases of the smaller class, minus 1; infinite without either."""
    if result.n_groups is not None:
        return max(result.n_groups - 1.0, 1.0)
    effective = getattr(getattr(result.law, "worths", result.law), "effective", None)
    units = [part.n_cases for part in getattr(result.law, "strata", ())] if effective is None else effective
    return max(float(np.min(units)) - 1, 1.0) if np.size(units) else np.inf
