"""The picture of a precision-recall curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from skcostci._validation import Floats
from skcostci.cases._cases import Cases
from skcostci.displays._base import several
from skcostci.displays._drawing import (
    SHARED,
    Style,
    add_legend,
    draw_curve,
    positive_label,
    shared_label,
    style,
)
from skcostci.displays._folds import Names, check_as_many, curve_label
from skcostci.displays._metric_numbers import precision_recall_curve, precision_recall_numbers
from skcostci.displays._twin import TwinDisplay


@dataclass(kw_only=True, eq=False, repr=False)
class PrecisionRecallConfidenceDisplay(TwinDisplay):
    """A precision-recall curve with a confidence band of the precision at each recall.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; everything given here
    is stored as it is.

    Parameters
    ----------
    precision, recall : ndarray of shape (n_vertices,) or list of them
        The curve, from the lowest threshold on to (1, 0); of several curves, the folds of a cross-validation, lists.
    low, high : ndarray of shape (n_points,), default=None
        The band; None draws none.
    confidence_level : float, default=None
        Of the band, for the legend.
    band : {"pointwise"}, default="pointwise"
        The limits hold at each point, for the legend.
    method : str, default=None
        How the limits were found, for the legend.
    pos_label : int, float, bool or str, default=None
        The positive label, for the axes.
    name : str or list of str, default=None
        Of the model, or of each fold, for the legend.
    pooled : PrecisionRecallConfidenceDisplay, default=None
        The curve of all folds together, to be drawn with them.
    together : {"pooled", "mean"}, default="pooled"
        Whether this curve of all folds is that of the scores pooled or the mean of theirs, for the legend.
    average_precision : float or list of float, default=None
        For the legend.
    prevalence_pos_label : float or list of float, default=None
        The share of positives, the precision of guessing, for the chance level.
    band_recall : ndarray of shape (n_points,), default=None
        The recall that each of the limits belongs to.
    thresholds : ndarray of shape (n_points,), default=None
        The threshold that it belongs to.

    Attributes
    ----------
    line_ : matplotlib Line2D or list of them
        The curve, or the curves of the folds.
    fill_between_ : matplotlib PolyCollection or None
        The band.
    chance_level_ : matplotlib Line2D, list of them or None
        The prevalence, of each fold where there are folds.
    ax_ : matplotlib Axes
        Where it is drawn.
    figure_ : matplotlib Figure
        The figure of the axes.

    See Also
    --------
    bootstrap_metric : The numbers.

    Notes
    -----
    The curve is the empirical one, in steps. The band is of the precision at the threshold that has this recall on the
    data, at each threshold for itself. Of more than 101 distinct scores it takes the cases at evenly spaced ranks.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from skcostci import PrecisionRecallConfidenceDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> display = PrecisionRecallConfidenceDisplay.from_predictions(y, X[:, 1], pos_label=0, name="texture")
    >>> display.line_.get_label()
    'texture (AP = 0.60)'
    """

    precision: Floats | list[Floats] = field(kw_only=False)
    recall: Floats | list[Floats] = field(kw_only=False)
    average_precision: Any = None
    prevalence_pos_label: Any = None
    band_recall: Floats | None = None
    thresholds: Floats | None = None

    _numbers = staticmethod(precision_recall_numbers)
    _area: ClassVar = "AP"
    _shape: ClassVar = {"drawstyle": "steps-post"}

    def _of_folds(self, folds: Sequence[Cases], *, drop_intermediate: bool = False, **_: Any) -> dict[str, Any]:
        """A curve for each fold."""
        curves = [precision_recall_curve(fold, "y_score", drop_intermediate) for fold in folds]
        lists = ("precision", "recall", "average_precision", "prevalence_pos_label")
        return {key: [curve[key] for curve in curves] for key in lists}

    @property
    def _of_each_fold(self) -> Any:
        return self.average_precision

    def _curves(self, name: Names) -> list[tuple[Floats, Floats]] | None:
        if not several(self.recall):
            return None
        names = ("precision", "recall", "average_precision", "prevalence_pos_label")
        check_as_many(type(self).__name__, {f"self.{each}": getattr(self, each) for each in names}, name)
        return list(zip(self.recall, self.precision, strict=True))

    def _furnish(self, new: bool) -> None:
        positive = positive_label(self.pos_label)
        self.ax_.set(xlabel=f"Recall{positive}", ylabel=f"Precision{positive}")
        self.ax_.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        add_legend(self.ax_, "best", lambda width, height: width < 0.95 and height < 0.45)

    def _draw_one(self, name: str | None, curve_kwargs: Style, *, given: Style) -> None:
        """The curve, named with its average precision, and its band."""
        average = None if self.average_precision is None else f"{self.average_precision:.2f}"
        label = curve_label(name, average, self._area)
        self.line_ = draw_curve(self.ax_, self.recall, self.precision, label, curve_kwargs, **self._shape)
        self.fill_between_ = None if self.band_recall is None else self._draw_band(self.band_recall, "pointwise", given)

    def _draw_chance_level(self, given: Style) -> Any:
        """The precision of labels that know nothing, of each fold where there are folds."""
        if self.prevalence_pos_label is None:
            kind = type(self).__name__
            raise ValueError(
                f"You must provide prevalence_pos_label when constructing the {kind} object in order to plot the "
                f"chance level line. Alternatively, you may use {kind}.from_estimator or {kind}.from_predictions to "
                "automatically set prevalence_pos_label"
            )
        shares = np.ravel(self.prevalence_pos_label)
        spread = f" +/- {np.std(shares):.2f}" if len(shares) > 1 else ""
        label = shared_label(self.ax_, f"Chance level (AP = {np.mean(shares):.2f}{spread})")
        defaults = {"color": "k", "linestyle": "--", "linewidth": 1, "gid": SHARED}
        options = style("Line2D", {**defaults, "alpha": 0.3 if spread else 1.0}, given)
        lines = [self.ax_.plot((0, 1), (share, share), **options)[0] for share in shares]
        if "label" not in options:
            lines[0].set_label(label)  # an entry for all folds
        return lines if spread else lines[0]
