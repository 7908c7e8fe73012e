"""Differences between models, with p-values and limits that allow for asking about all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr, ndtri

from skcostci._frozen import Frozen, read_only
from skcostci._options import ALTERNATIVES, Adjustment, Alternative
from skcostci._validation import Floats, check_confidence_level, check_option
from skcostci.compare._joint import column, correlation
from skcostci.compare._max_t import LargestDeviate
from skcostci.intervals._method import ConfidenceInterval
from skcostci.results._differences import ComparedResult, Equivalence
from skcostci.results._tables import as_frame

if TYPE_CHECKING:
    import pandas as pd

TITLES = {"max_t": "adjusted by max-t", "holm": "Holm's p-values, Bonferroni's limits", "none": "not adjusted"}

HIGHEST = float(np.nextafter(1.0, 0.0))  # level or risk that is one


@dataclass(frozen=True, repr=False, eq=False)
class ModelDifferences(Frozen):
    """Differences between models, with p-values and limits that allow for asking about all of them.

    Parameters
    ----------
    names : tuple of str
        What each difference is: ``"a - b"``.
    contrasts : ndarray of shape (n_differences, n_models)
        The weights of the models in each.
    parts : tuple of results
        Each difference by itself.
    covariance : ndarray of shape (n_differences, n_differences)
        Of the differences in the joint bootstrap law.
    adjustment : {"max_t", "holm", "none"}
        How p-values and limits allow for the number of questions.

    Attributes
    ----------
    estimate, standard_error : ndarray of shape (n_differences,)
        On the data as given, and of the exact bootstrap law.

    See Also
    --------
    compare_models : Where they come from.
    ModelComparison : The models by themselves.

    Examples
    --------
    >>> from skcostci import compare_models
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> a, b = [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9], [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
    >>> differences = compare_models(y_true, {"a": a, "b": b}).differences
    >>> differences.names, differences.pvalue().round(2)
    (('a - b',), array([0.62]))
    """

    names: tuple[str, ...]
    contrasts: Floats
    parts: tuple[ComparedResult, ...] = field(repr=False)
    covariance: Floats = field(repr=False)
    adjustment: Adjustment

    @property
    def methods(self) -> tuple[str, ...]:
        """The default interval method of each by itself."""
        return tuple(part.methods[0] for part in self.parts)

    @property
    def estimate(self) -> Floats:
        """Each difference on the data as given."""
        return column(part.estimate for part in self.parts)

    @property
    def standard_error(self) -> Floats:
        """The standard deviations of their bootstrap laws."""
        return column(part.standard_error for part in self.parts)

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str | None = None, simultaneous: bool | None = None
    ) -> ConfidenceInterval:
        """An interval for each difference.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1): of all intervals together if simultaneous, of each if not.
        method : str, default=None
            The interval method of the single differences; None is their default.
        simultaneous : bool, default=None
            Whether all intervals hold together. None does as the p-values: under "max_t" the intervals leave out 0
            exactly where the adjusted p-value is small; "holm" has no intervals of its own and gets Bonferroni's,
            which are wider than its p-values would allow; under "none" each interval stands alone. True asks for
            max-t limits (Bonferroni's under "holm"), False for each interval by itself.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, arrays with one entry a difference.

        Examples
        --------
        >>> from skcostci import compare_models
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> a, b, c = [1, 2, 3, 7, 4, 6, 8, 9], [6, 2, 8, 1, 3, 7, 4, 9], [1, 2, 3, 4, 5, 6, 7, 8]
        >>> together = compare_models(y_true, {"a": a, "b": b, "c": c}).differences
        >>> low, high = together.confidence_interval(0.9)
        >>> bool((low <= together.confidence_interval(0.9, simultaneous=False).low).all())
        True
        """
        level = self._level(check_confidence_level(confidence_level), simultaneous)
        limits = [part.confidence_interval(level, method=method) for part in self.parts]
        return ConfidenceInterval(column(low for low, _ in limits), column(high for _, high in limits))

    def pvalue(self, alternative: Alternative = "two-sided", *, method: str | None = None, null: float = 0.0) -> Floats:
        """The adjusted p-value of each difference.

        Parameters
        ----------
        alternative : {"two-sided", "less", "greater"}, default="two-sided"
            The claim to be supported: a difference is not ``null``, below it, or above it.
        method : str, default=None
            The interval method of the single differences, turned round; None is their default.
        null : float, default=0.0
            What the differences are compared with.

        Returns
        -------
        ndarray of shape (n_differences,)
            In [0, 1]: the least share of wrong claims among all families of claims at which this one is made.

        Examples
        --------
        >>> from skcostci import compare_models
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> a, b, c = [1, 2, 3, 7, 4, 6, 8, 9], [6, 2, 8, 1, 3, 7, 4, 9], [1, 2, 3, 4, 5, 6, 7, 8]
        >>> holm = compare_models(y_true, {"a": a, "b": b, "c": c}, adjustment="holm").differences
        >>> bool((holm.pvalue() <= 1).all())
        True
        """
        check_option("alternative", alternative, ALTERNATIVES)
        single = column(part.pvalue(alternative, method=method, null=null) for part in self.parts)
        if self.adjustment == "max_t":
            two_sided = alternative == "two-sided"
            return read_only(self._law(two_sided).exceeds(-ndtri(single / 2) if two_sided else -ndtri(single)))
        return read_only(holm(single)) if self.adjustment == "holm" else single

    def equivalence(self, low: float, high: float, *, method: str | None = None) -> Equivalence:
        """Adjusted p-values that each difference is above one margin, below another, and between them.

        Parameters
        ----------
        low, high : float
            The margins, in the range of the parameter, ``low < high``.
        method : str, default=None
            The interval method of the single differences; None is their default.

        Returns
        -------
        Equivalence
            ``above_low``, ``below_high`` and ``both``, the larger of the two; arrays with one entry a difference.

        Raises
        ------
        ValueError
            If the margins are out of order or outside the range of the parameter.

        Examples
        --------
        >>> from skcostci import compare_models
        >>> y_true, y_score = [0, 1] * 40, list(range(80))
        >>> copies = compare_models(y_true, {"a": y_score, "b": y_score})
        >>> copies.differences.equivalence(-0.1, 0.1).both.round(3)
        array([0.015])
        """
        if not low < high:
            raise ValueError(f"low must be less than high, got low={low!r} and high={high!r}.")
        above, below = self.pvalue("greater", method=method, null=low), self.pvalue("less", method=method, null=high)
        return Equivalence(above, below, read_only(np.maximum(above, below)))

    def to_frame(self, confidence_level: float = 0.95, *, method: str | None = None) -> pd.DataFrame:
        """The differences as a pandas DataFrame.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Of the limits, as in :meth:`confidence_interval`.
        method : str, default=None
            The interval method of the single differences.

        Returns
        -------
        pandas.DataFrame
            One row a difference: ``model``, ``reference``, ``difference``, ``standard_error``, ``low``, ``high`` and
            the adjusted ``p``.

        Raises
        ------
        ImportError
            If pandas is not installed.

        Examples
        --------
        >>> from skcostci import compare_models
        >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> a, b = [1, 2, 3, 7, 4, 6, 8, 9], [6, 2, 8, 1, 3, 7, 4, 9]
        >>> frame = compare_models(y_true, {"a": a, "b": b}).differences.to_frame()
        >>> list(frame.columns)
        ['model', 'reference', 'difference', 'standard_error', 'low', 'high', 'p']
        """
        return as_frame(self._columns(confidence_level, method))

    def _columns(self, level: float, method: str | None) -> dict[str, Any]:
        low, high = self.confidence_interval(level, method=method)
        model, _, reference = zip(*(name.partition(" - ") for name in self.names), strict=True)
        return {
            "model": model,
            "reference": reference,
            "difference": self.estimate,
            "standard_error": self.standard_error,
            "low": low,
            "high": high,
            "p": self.pvalue(method=method),
        }

    def _level(self, level: float, simultaneous: bool | None) -> float:
        """The level of the single intervals."""
        if simultaneous is False or (simultaneous is None and self.adjustment == "none"):
            return level
        risk = min(1 - level, HIGHEST)
        single = risk / len(self.parts)
        if self.adjustment != "holm":
            single = 2 * float(ndtr(-self._law(True).critical_value(risk)))
        return min(max(1 - single, np.finfo(float).tiny), HIGHEST)

    def _law(self, two_sided: bool) -> LargestDeviate:
        return LargestDeviate(correlation(self.covariance), two_sided)


def holm(pvalues: Floats) -> Floats:
    """Holm's step-down p-values."""
    order = np.argsort(pvalues, kind="stable")
    steps = np.maximum.accumulate(pvalues[order] * np.arange(len(pvalues), 0, -1))
    adjusted = np.empty(len(pvalues))
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted
