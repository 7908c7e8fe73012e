"""The picture of a precision-recall curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from skcostci._validation import Floats
from skcostci.cases._cases import Cases
from skcostci.displays._base import ModelDisplay, several
from skcostci.displays._drawing import (
    SHARED,
    Style,
    add_legend,
    draw_curve,
    positive_label,
    shared_label,
    style,
)
from skcostci.displays._folds import Names
from skcostci.displays._metric_numbers import precision_recall_numbers

if TYPE_CHECKING:
    pass


@dataclass(kw_only=True, eq=False, repr=False)
class PrecisionRecallConfidenceDisplay(ModelDisplay):
    """A precision-recall curve with a confidence band of the precision at each recall.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; everything given here
    is stored as it is.

    Parameters
    ----------
    recall, precision : ndarray of shape (n_points,) or list of them
        The curve, recall ascending; of several curves, the folds of a cross-validation, lists.
    thresholds : ndarray of shape (n_points,), default=None
        The threshold at each point.
    low, high : ndarray of shape (n_points,), default=None
        The band; None draws none.
    average_precision : float, default=None
        For the legend.
    prevalence : float, default=None
        The share of positives, the precision of guessing; None draws no chance level.
    confidence_level : float, default=None
        Of the band, for the legend.
    band : {"pointwise"}, default="pointwise"
        The limits hold at each point, for the legend.
    method : str, default=None
        How the limits were found, for the legend.
    name : str or list of str, default=None
        Of the model, or of each fold, for the legend.
    pos_label : int, float, bool or str, default=None
        The positive label, for the axes.
    pooled : PrecisionRecallConfidenceDisplay, default=None
        The curve of all folds together, to be drawn with them.
    together : {"pooled", "mean"}, default="pooled"
        Whether this curve of all folds is that of the scores pooled or the mean of theirs, for the legend.

    Attributes
    ----------
    line_ : matplotlib Line2D or list of them
        The curve, or the curves of the folds.
    fill_between_ : matplotlib PolyCollection or None
        The band.
    chance_level_ : matplotlib Line2D or None
        The prevalence.
    ax_ : matplotlib Axes
        Where it is drawn.
    figure_ : matplotlib Figure
        The figure of the axes.

    See Also
    --------
    bootstrap_metric : The numbers.

    Notes
    -----
    The band is of the precision at the threshold that has this recall on the data, at each threshold for itself. Of
    more than 101 distinct scores the curve takes the cases at evenly spaced ranks.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from skcostci import PrecisionRecallConfidenceDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> display = PrecisionRecallConfidenceDisplay.from_predictions(y, X[:, 1], pos_label=0, name="texture")
    >>> display.line_.get_label()
    'texture (AP = 0.60)'
    """

    recall: Floats | list[Floats]
    precision: Floats | list[Floats]
    thresholds: Floats | None = None
    average_precision: float | None = None
    prevalence: float | None = None

    _numbers = staticmethod(precision_recall_numbers)

    def _of_folds(self, folds: Sequence[Cases], **_: Any) -> dict[str, Any]:
        """A curve for each fold."""
        each = [precision_recall_numbers(fold, "y_score") for fold in folds]
        curves = {key: [numbers[key] for numbers in each] for key in ("recall", "precision")}
        return {**curves, "prevalence": self.prevalence}

    def _curves(self, name: Names) -> list[tuple[Floats, Floats]] | None:
        return list(zip(self.recall, self.precision, strict=True)) if several(self.recall) else None

    def _furnish(self, new: bool) -> None:
        positive = positive_label(self.pos_label)
        self.ax_.set(xlabel=f"Recall{positive}", ylabel=f"Precision{positive}", xlim=(-0.01, 1.01), ylim=(-0.01, 1.01))
        add_legend(self.ax_, "best", lambda width, height: width < 0.95 and height < 0.45)

    def _draw_one(self, name: str | None, curve_kwargs: Style, *, given: Style) -> None:
        """The curve, named with its average precision, and its band."""
        if self.average_precision is not None:
            average = f"AP = {self.average_precision:.2f}"
            name = average if name is None else f"{name} ({average})"
        self.line_ = draw_curve(self.ax_, self.recall, self.precision, name, curve_kwargs)
        self.fill_between_ = self._draw_band(self.recall, "pointwise", given)

    def _draw_chance_level(self, given: Style) -> Any:
        """The precision of labels that know nothing."""
        if self.prevalence is None:
            return None
        label = shared_label(self.ax_, f"Prevalence = {self.prevalence:.2g}")
        defaults = {"color": "0.5", "linestyle": ":", "linewidth": 1, "label": label, "gid": SHARED}
        height = np.full(2, self.prevalence, dtype=np.float64)
        (line,) = self.ax_.plot([0, 1], height, **style("Line2D", defaults, given))
        return line
