"""What metrics are answered with: one class for a metric, one for a difference, whatever was resampled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcostci._frozen import Numbers
from skcostci.laws import (
    FirstOrderLaw,
    FoldedLaw,
    GroupedLaw,
    LinearLaw,
    MetricLaw,
    MetricPairLaw,
)
from skcostci.results._differences import THRESHOLDS, DifferenceResult
from skcostci.results._results import ExactResult

NOT_HELD = ", rare large errors are not held"  # where nobody has said how large an error can be


@dataclass(frozen=True, repr=False, eq=False)
class MetricResult(ExactResult):
    """A metric of one model's predictions, at each threshold or class where there are several, with its bootstrap law.

    What :func:`bootstrap_metric` returns; with folds the mean of theirs. Beside what every :class:`BootstrapResult`
    has:

    Parameters
    ----------
    metric : str
        Its name.
    thresholds : float or ndarray of shape (n_points,), or None
        The thresholds; None where labels were given.
    labels : ndarray of shape (n_points,), default=None
        The class of each point, where there is one a class.

    Attributes
    ----------
    mean, standard_error : float or ndarray of shape (n_points,)
        Of the bootstrap law, given that the metric is defined: exact for two classes, where of a ratio the mean is not
        the estimate; of first order for several classes and functions, and with groups for most metrics of rates.

    Notes
    -----
    ``cdf`` and ``quantile`` are of laws known whole: of others results are without them, and say so.

    Examples
    --------
    >>> from skcostci import bootstrap_metric
    >>> y_true, y_pred = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 0, 1, 1, 1]
    >>> bootstrap_metric(y_true, y_pred, "f1")
    MetricResult(estimate=0.75, standard_error=0.2035, 95 % interval 0.2558 to 0.9729)
    >>> bootstrap_metric(y_true, y_pred, "accuracy", folds=[0, 1, 0, 1, 0, 1, 0, 1]).fold_estimates
    array([0.75, 0.75])
    """

    law: LinearLaw | MetricLaw | GroupedLaw | FoldedLaw | FirstOrderLaw  # type: ignore[assignment]
    metric: str
    thresholds: Numbers | None
    labels: NDArray[Any] | None = field(default=None, kw_only=True)

    @property
    def undefined(self) -> Numbers:
        """The probability that a resample has no value, because a class is missing or the denominator is 0.

        Means over folds, metrics of several classes and functions always have one: what is missing counts 0.
        """
        return self._shaped(getattr(self.law, "undefined", np.zeros(np.size(self.estimate))))

    def _axis(self) -> dict[str, Any]:
        if self.labels is not None:
            return {"label": self.labels}
        return {} if self.thresholds is None else {"threshold": self.thresholds}

    def _shown_interval(self) -> str:
        return super()._shown_interval() + NOT_HELD * (self.methods[0] == "extrapolated")


@dataclass(frozen=True, repr=False, eq=False)
class MetricDifferenceResult(DifferenceResult):
    """A metric of model a minus that of model b, with its bootstrap law.

    What :func:`bootstrap_metric_difference` returns; with folds the mean of theirs. Beside what every
    :class:`BootstrapResult` has:

    Parameters
    ----------
    metric : str
        Its name.
    thresholds : tuple of float or ndarray of shape (n_points,), or None
        Those of a, and those of b; None where labels were given.
    labels : ndarray of shape (n_points,), default=None
        The class of each point, where there is one a class.

    Attributes
    ----------
    mean, standard_error : float or ndarray of shape (n_points,)
        Of the bootstrap law, given that both metrics are defined.

    Notes
    -----
    ``cdf``, ``quantile`` and ``probabilities`` are of laws known whole, those of weighted sums of cases such as the
    accuracy: of others results are without them, and say so.

    Examples
    --------
    >>> from skcostci import bootstrap_metric_difference
    >>> y_true, y_pred = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 0, 1, 1, 1]
    >>> bootstrap_metric_difference(y_true, y_pred, [0, 1, 0, 1, 0, 1, 0, 1], "f1")
    MetricDifferenceResult(estimate=0.25, standard_error=0.1876, 95 % interval -0.2986 to 0.7019, p=0.56)
    >>> difference = bootstrap_metric_difference(y_true, y_pred, [0, 1, 0, 1, 0, 1, 0, 1], "accuracy")
    >>> round(difference.cdf(0), 3)
    0.1
    """

    law: LinearLaw | MetricPairLaw | GroupedLaw | FoldedLaw | FirstOrderLaw  # type: ignore[assignment]
    metric: str
    thresholds: tuple[Numbers, Numbers] | None
    labels: NDArray[Any] | None = field(default=None, kw_only=True)

    @property
    def undefined(self) -> Numbers:
        """The probability that a resample leaves either metric without a value."""
        return self._shaped(getattr(self.law, "undefined", np.zeros(np.size(self.estimate))))

    def _axis(self) -> dict[str, Any]:
        if self.labels is not None:
            return {"label": self.labels}
        return {} if self.thresholds is None else dict(zip(THRESHOLDS, self.thresholds, strict=True))

    def _shown_interval(self) -> str:
        return super()._shown_interval() + NOT_HELD * (self.methods[0] == "extrapolated")
