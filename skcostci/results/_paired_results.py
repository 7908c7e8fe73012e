"""Results that compare two models: p-values, obtained by inverting intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Generic, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats
from skcostci._frozen import NumbersT, tuple_of_numbers
from skcostci._shown import Shown
from skcostci._validation._arguments import FINITE
from skcostci.intervals._method import ExactLaw, Law
from skcostci.results._estimand import of_whole_law
from skcostci.results._results import BootstrapResult, ExactResult

THRESHOLDS = ("threshold_a", "threshold_b")  # names of columns


class JointLaw(Law, Protocol):
    """The joint law of the values of two models, computed through its moments."""

    @property
    def mean(self) -> float: ...

    @property
    def covariance(self) -> Floats | float: ...

    @property
    def correlation(self) -> Floats | float: ...


class _Equivalence(NamedTuple, Generic[NumbersT]):
    above_low: NumbersT
    below_high: NumbersT
    both: NumbersT


@tuple_of_numbers
class Equivalence(Shown, _Equivalence[NumbersT]):
    """The p-values of an equivalence test: that a difference lies above one margin, below another, and between them.

    Returned by :meth:`AUCDifferenceResult.equivalence`.

    Parameters
    ----------
    above_low, below_high : float or ndarray of shape (n_points,)
        One-sided p-values against the margins.
    both : float or ndarray of shape (n_points,)
        The larger of the two.

    Examples
    --------
    >>> import numpy as np
    >>> from skcostci import bootstrap_cost_difference
    >>> y_true, y_score = np.repeat([0, 1], 50), np.tile(np.arange(50) / 50, 2)
    >>> difference = bootstrap_cost_difference(y_true, y_score, y_score, probability_cost=0.5, thresholds=0.5)
    >>> round(difference.equivalence(-0.1, 0.1).both, 4)
    0.0003
    """


@dataclass(frozen=True, repr=False, eq=False)
class ComparedResult(BootstrapResult[NumbersT]):
    """A difference between two models, a - b, with the tests that belong to its intervals."""

    _null: ClassVar = 0.0

    def _shown_interval(self) -> str:
        interval = super()._shown_interval()
        return interval if np.ndim(self.estimate) else f"{interval}, p={np.asarray(self._shown()['p']).item():.2g}"

    def _printed(self) -> Mapping[str, ArrayLike]:
        return {**super()._printed(), "p": np.atleast_1d(self.pvalue())}

    def equivalence(self, low: float, high: float, *, method: str | None = None) -> Equivalence[NumbersT]:
        """Test whether the difference is above one margin, below another, and between them.

        Two one-sided tests (TOST): the difference is between the margins at level alpha when both reject, that is when
        the interval at level 1 - 2 alpha lies between them.

        Parameters
        ----------
        low, high : float
            The margins, in the range of the parameter, ``low < high``.
        method : str, default=None
            One of ``methods``; None is the default.

        Returns
        -------
        Equivalence
            ``above_low``, ``below_high`` and ``both``, floats or arrays of shape (n_points,).
        """
        check_margins(low, high)
        above = self.pvalue("greater", null=low, method=method)
        below = self.pvalue("less", null=high, method=method)
        return Equivalence(above, below, self._shaped(np.maximum(above, below)))


def check_margins(low: float, high: float) -> None:
    if not FINITE("low", low) < FINITE("high", high):
        raise ValueError(f"low must be less than high, got low={low!r} and high={high!r}.")


@dataclass(frozen=True, repr=False, eq=False)
class MomentDifferenceResult(ComparedResult[float]):
    """A single difference between two models, a - b, with only the moments of its bootstrap distribution known."""

    law: JointLaw = field(repr=False)

    @property
    def covariance(self) -> float:
        """The bootstrap covariance of the two models' values."""
        return self._shaped(self.law.covariance)

    @property
    def correlation(self) -> float:
        """The bootstrap correlation of the two models' values, in [-1, 1]; 0 where either has no variance."""
        return self._shaped(self.law.correlation)

    @property
    def statistic(self) -> float:
        """The estimate divided by its standard error; 0 if the estimate is 0, else infinite if the error is 0."""
        mean, error = np.asarray(self.law.mean), np.sqrt(self.law.variance)
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._shaped(np.where(mean == 0, 0.0, mean / error))


@dataclass(frozen=True, repr=False, eq=False)
class DifferenceResult(ComparedResult[NumbersT], ExactResult[NumbersT]):
    """A difference between two models, a - b, whose whole bootstrap distribution is known exactly."""

    law: ExactLaw = field(repr=False)

    @of_whole_law
    def probabilities(self) -> tuple[NumbersT, NumbersT, NumbersT]:
        """The exact bootstrap probabilities P(D < 0), P(D = 0) and P(D > 0) of the difference; P(D = 0) is often large.

        Returns
        -------
        below : float or ndarray of shape (n_points,)
            The probability that the difference in a resample is below 0; the three sum to 1.
        zero : float or ndarray of shape (n_points,)
            The probability that it is 0.
        above : float or ndarray of shape (n_points,)
            The probability that it is above 0.
        """
        below, zero, above = self.law.tails(np.zeros(len(self.law.mean)))
        return self._shaped(below), self._shaped(zero), self._shaped(above)
