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
    """A statistic of imputed data: the mean over the imputations, with limits that allow for what was missing.

    What :func:`pool_imputations` returns; of differences a :class:`PooledDifferenceResult`. Beside what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    axis : dict
        What the points are, such as operating conditions, by name; empty for a single number.

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
        """Barnard and Rubin's degrees of freedom of the variance."""
        return self._shaped(self.law.freedom)

    def _axis(self) -> dict[str, Numbers]:
        return self.axis


@dataclass(frozen=True, repr=False, eq=False)
class PooledDifferenceResult(PooledResult[NumbersT], ComparedResult[NumbersT]):
    """A difference of imputed data: the mean over the imputations, with limits that allow for what was missing.

    What :func:`pool_imputations` returns of differences. It has what every :class:`PooledResult` has, and
    ``equivalence``; None is 0 in ``pvalue(null=None)``.

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
    """One result of several, of data whose missing values were imputed several times (Rubin's rules).

    Parameters
    ----------
    results : sequence of two or more results of one function
        One for each completed data set, such as five of :func:`bootstrap_auc`. The same cases in each: what differs is
        what was imputed.
    method : str, default=None
        The interval method of these whose limits are pooled, one of the ``methods`` of each; None is the default.

    Returns
    -------
    PooledResult
        With ``estimate``, the mean; ``standard_error``, the root of the variance within plus (1 + 1/m) times the
        variance between imputations; ``confidence_interval``, ``pvalue`` and ``to_frame``; ``n_imputations``,
        ``missing_information`` and ``freedom``. The one interval method is "rubin": the mean of the limits of all
        imputations, further out by as much as they differ. It stays in the range of the parameter, and is that of the
        data where nothing was missing. Of differences a :class:`PooledDifferenceResult`.

    Raises
    ------
    TypeError
        If one is no result, or a pair of rates: take ``.fpr`` or ``.tpr`` of each.
    ValueError
        If there are fewer than two, their ``estimand`` or points differ, one has no value or an infinite one, or a
        method is not one of theirs.

    See Also
    --------
    independent_difference : Two samples.

    Notes
    -----
    Limits cover where imputations are proper, as those of ``IterativeImputer(sample_posterior=True)`` are: each draws
    the model's parameters anew, uses the outcome, and adds the noise of a single value. Five to twenty will do where
    up to half of the information is missing. Degrees of freedom of complete data are those of their cases, of the
    smaller class where classes are drawn apart, or of groups, and infinite for rates at a rate and ratios of counts.

    Simulated with scores a third of which was missing, five imputations, 200 samples of each of three populations of 60
    to 200 cases, limits of the AUC covered 0.96 to 0.99 of 95 %, and Rubin's by DeLong's variance 0.92 to 0.955, which
    are what ``method="delong"`` gives. Widths are the same, but for AUCs near 1, as with complete data.

    References
    ----------
    D. B. Rubin, "Multiple imputation for nonresponse in surveys", Wiley, 1987.

    J. Barnard and D. B. Rubin, "Small-sample degrees of freedom with multiple imputation", Biometrika 86(4), 1999.

    Examples
    --------
    >>> from skcostci import bootstrap_auc, pool_imputations
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1] * 5, [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9] * 5
    >>> of_each = [bootstrap_auc(y_true, [*y_score[:-1], imputed]) for imputed in (0.9, 0.5, 0.2)]
    >>> pool_imputations(of_each)
    PooledResult(auc, estimate=0.8604, standard_error=0.06325, 95 % interval 0.6809 to 0.9601 by rubin)
    """
    listed = _checked(results)
    first, (default, *_) = listed[0], [result._method(method) for result in listed]
    estimates = np.array([result.estimate for result in listed], dtype=np.float64)
    law = PooledLaw(estimates, tuple(result.law for result in listed), METHODS[default], _freedom_of(first))
    kind: Any = PooledDifferenceResult if first.estimand.difference else PooledResult
    rest = {"estimand": first.estimand, "n_groups": first.n_groups}
    pooled: PooledResult[NumbersT] = kind(first._shaped(law.mean), law, ("rubin",), first._axis(), **rest)
    return pooled


def _checked(results: Any) -> list[BootstrapResult[Any]]:
    """Check that there are two or more results with the same estimand, all with finite values."""
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
            raise ValueError(
                f"results[{i}] must be finite at every point to be averaged, but has no value or an infinite one at "
                "some point."
            )
    first, *others = listed
    for i, result in enumerate(others, 1):
        check_same_estimand(**{"results[0]": first.estimand, f"results[{i}]": result.estimand})
        shapes = np.shape(first.estimate), np.shape(result.estimate)
        if shapes[0] != shapes[1]:
            raise ValueError(
                f"results[0] and results[{i}] must be at the same points, got {shapes[0]} and {shapes[1]}."
            )
    return listed


def _freedom_of(result: BootstrapResult[Any]) -> float:
    """Degrees of freedom of complete data: groups, or cases of the smaller class, minus 1; infinite without either."""
    if result.n_groups is not None:
        return max(result.n_groups - 1.0, 1.0)
    effective = getattr(getattr(result.law, "worths", result.law), "effective", None)
    units = [part.n_cases for part in getattr(result.law, "strata", ())] if effective is None else effective
    return max(float(np.min(units)) - 1, 1.0) if np.size(units) else np.inf
