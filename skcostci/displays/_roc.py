"""The picture of a ROC curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from skcostci._options import Averaging
from skcostci._validation import Floats
from skcostci.cases._cases import Cases
from skcostci.displays._base import several
from skcostci.displays._drawing import (
    SHARED,
    Style,
    add_legend,
    band_label,
    band_style,
    draw_curve,
    positive_label,
    rectangles,
    shared_label,
    slanted_band,
    style,
)
from skcostci.displays._folds import Names, Styles, check_as_many, curve_label
from skcostci.displays._roc_numbers import curve_numbers, mean_roc_numbers, roc_numbers
from skcostci.displays._twin import TwinDisplay

if TYPE_CHECKING:
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D

WHAT = {
    "fpr": "at fixed FPR",
    "threshold": "for both rates at fixed threshold",
    "positive_rate": "at fixed budget",
}


@dataclass(kw_only=True, eq=False, repr=False)
class ROCConfidenceDisplay(TwinDisplay):
    """A ROC curve with what is uncertain about it, and its AUC with an interval.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; everything given here
    is stored as it is.

    Parameters
    ----------
    low, high : ndarray of shape (n_points,), default=None
        Limits of the true-positive rate; None draws no band.
    confidence_level : float, default=None
        Of the limits, for the legend.
    band : {"pointwise", "simultaneous"}, default="pointwise"
        Whether the limits hold at each point or at all of them at once, for the legend.
    method : str, default=None
        How the limits were found, for the legend.
    pos_label : int, float, bool or str, default=None
        The positive label, for the axes.
    name : str or list of str, default=None
        Of the model, or of each fold, for the legend.
    pooled : ROCConfidenceDisplay, default=None
        The curve of all folds together, to be drawn with them.
    together : {"pooled", "mean"}, default="pooled"
        Whether this curve of all folds is that of the scores pooled or the mean of theirs, for the legend.
    fpr, tpr : ndarray of shape (n_vertices,) or list of them
        The vertices of the ROC curve; of several curves, the folds of a cross-validation, a list.
    roc_auc : float or list of float, default=None
        The area under each curve.
    roc_auc_interval : tuple of float, default=None
        Lower and upper limit of the AUC, for the legend.
    averaging : {"fpr", "threshold", "positive_rate"}, default="fpr"
        What is held fixed where the curve is uncertain: see :meth:`from_predictions`.
    band_fpr, band_tpr : ndarray of shape (n_points,), default=None
        The points of the curve that the limits belong to.
    fpr_low, fpr_high : ndarray of shape (n_points,), default=None
        Limits of the false-positive rate, unless that is what is held fixed.
    classes : list of ROCConfidenceDisplay, default=None
        The curve of each class against the rest, to be drawn on the same axes.

    Attributes
    ----------
    line_ : matplotlib Line2D or list of them
        The curve, or the curves of the folds.
    fill_between_ : matplotlib PolyCollection or None
        The band, or the rectangles.
    points_ : matplotlib Line2D or None
        The points that the limits belong to, unless the band is at fixed false-positive rates.
    chance_level_ : matplotlib Line2D or None
        The diagonal.
    ax_ : matplotlib Axes
        Where it is drawn.
    figure_ : matplotlib Figure
        The figure of the axes.

    See Also
    --------
    bootstrap_roc_at_fpr, bootstrap_roc_at_threshold, bootstrap_roc_at_positive_rate : The numbers of the three bands.
    bootstrap_auc : The AUC and its interval.

    Notes
    -----
    The curve is the empirical one, and the points that the limits belong to lie on it, at a vertical step on its lower
    end.

    Of a cross-validation, the pooled curve takes the scores of all folds as if one model had given them. A point of it
    is the average over the folds of the rates at one common threshold. That makes sense if a score means the same from
    every fold, as calibrated probabilities do. If not, cases are compared across scales, and the pooled AUC falls below
    the mean of the folds. The legend shows both, the mean with its standard deviation. The band is for other cases
    scored by these same models. Another training set would have given other models; that is not in it, and no unbiased
    estimate of it from one cross-validation exists (Bengio and Grandvalet, 2004). Where cases are tested several
    times, the folds are drawn alone: repeats make nothing more certain. ``together="mean"`` draws
    another estimand (Hogan and Adams, 2023), the mean of the folds' curves at each false-positive rate, with the mean
    of their AUCs that cross-validation reports: each fold takes its threshold from the few negatives of its own test
    part. Its band is for the mean over these models, each fold's limits combined by MOVER.

    Of several classes there is a curve for each against the rest, each with its own band, or that of ``pos_label``.

    References
    ----------
    Y. Bengio and Y. Grandvalet, "No unbiased estimator of the variance of K-fold cross-validation", Journal of Machine
    Learning Research, 2004.

    J. Hogan and N. M. Adams, "On averaging ROC curves", Transactions on Machine Learning Research, 2023.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import ROCConfidenceDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X[:, :1], y, random_state=0)
    >>> display = ROCConfidenceDisplay.from_estimator(GaussianNB().fit(X_train, y_train), X_test, y_test)
    >>> display.line_.get_label()
    'GaussianNB (AUC = 0.96 [0.89, 0.98])'

    >>> from sklearn.model_selection import cross_validate
    >>> cv_results = cross_validate(GaussianNB(), X[:, :1], y, return_estimator=True, return_indices=True)
    >>> display = ROCConfidenceDisplay.from_cv_results(cv_results, X[:, :1], y)
    >>> display.line_[0].get_label()
    'AUC = 0.94 +/- 0.03'
    >>> display.pooled.line_.get_label()
    'Pooled out-of-fold scores (AUC = 0.93 [0.91, 0.95])'
    """

    fpr: Floats | list[Floats]
    tpr: Floats | list[Floats]
    roc_auc: Any = None
    roc_auc_interval: tuple[float, float] | None = None
    averaging: Averaging = "fpr"
    band_fpr: Floats | None = None
    band_tpr: Floats | None = None
    fpr_low: Floats | None = None
    fpr_high: Floats | None = None

    classes: Sequence[ROCConfidenceDisplay] | None = None

    _numbers = staticmethod(roc_numbers)
    _takes_classes: ClassVar = True
    _parts: ClassVar = ("fill_between_", "points_")

    @classmethod
    def _of_classes(cls, cases: Mapping[Any, Cases], name: str | None, pos_label: Any, **options: Any) -> Self:
        question, drawing = cls._divided(options)
        named = {label: f"{name}, {label}" if name else str(label) for label in cases}
        each = [
            cls(**cls._numbers(part, "y_score", **question), name=f"{named[label]} against the rest")
            for label, part in cases.items()
        ]
        if pos_label is not None:
            return each[0].plot(**drawing)
        lists: dict[str, Any] = {key: [getattr(display, key) for display in each] for key in ("fpr", "tpr", "roc_auc")}
        return cls(**lists, averaging=each[0].averaging, classes=each).plot(**drawing)

    def _draw_curves(
        self, curves: Any, name: Names, curve_kwargs: Styles, pooled_kwargs: Style, draw_one: Any, metric: Any = None
    ) -> None:
        """The classes one by one, each with its band; else as other displays do."""
        if self.classes is None:
            super()._draw_curves(curves, name, curve_kwargs, pooled_kwargs, draw_one, metric)
            return
        styles = curve_kwargs if isinstance(curve_kwargs, Sequence) else [curve_kwargs] * len(self.classes)
        names = name if isinstance(name, list) else [each.name for each in self.classes]
        for each, label, given in zip(self.classes, names, styles, strict=True):
            each._start(self.ax_)
            draw_one(each, label, given)
        self.line_ = [each.line_ for each in self.classes]
        for part in self._parts:
            setattr(self, part, [getattr(each, part) for each in self.classes])

    @classmethod
    def _mean_numbers(cls, folds: Sequence[Cases], **question: Any) -> dict[str, Any]:
        return mean_roc_numbers(folds, **question)

    def _of_folds(self, folds: Sequence[Cases], *, drop_intermediate: bool = True, **_: Any) -> dict[str, Any]:
        """The curves alone, with their areas."""
        curves = [curve_numbers(fold, "y_score", drop_intermediate) for fold in folds]
        lists = {key: [curve[key] for curve in curves] for key in ("fpr", "tpr", "roc_auc")}
        return {"averaging": self.averaging, "confidence_level": self.confidence_level, **lists}

    @property
    def _of_each_fold(self) -> Any:
        return self.roc_auc

    def _furnish(self, new: bool) -> None:
        which = positive_label(self.pos_label)
        self.ax_.set(xlabel=f"False Positive Rate{which}", ylabel=f"True Positive Rate{which}")
        self.ax_.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        below_chance = bool(np.size(self.roc_auc)) and self.roc_auc is not None and np.mean(self.roc_auc) < 0.5
        corner = "upper left" if below_chance else "lower right"
        add_legend(self.ax_, corner, lambda width, height: width + height < 1)

    def _curves(self, name: Names) -> list[tuple[Floats, Floats]] | None:
        """The curves, if there are several."""
        if not several(self.fpr):
            return None
        lists = {"self.fpr": self.fpr, "self.tpr": self.tpr, "self.roc_auc": self.roc_auc}
        check_as_many(type(self).__name__, lists, name)
        return list(zip(self.fpr, self.tpr, strict=True))

    def _draw_one(self, name: str | None, curve_kwargs: Style, *, given: Style) -> None:
        """The curve and what is uncertain about it."""
        label = curve_label(name, self._auc_text(), self._area)
        self.line_ = draw_curve(self.ax_, self.fpr, self.tpr, label, curve_kwargs)
        self.points_ = self._draw_points()
        self.fill_between_ = self._draw_limits(given)

    def _auc_text(self) -> str | None:
        """The AUC with its interval, as far as they are known."""
        if self.roc_auc is None or self.roc_auc_interval is None:
            return None if self.roc_auc is None else f"{self.roc_auc:.2f}"
        shown = (self.roc_auc, *self.roc_auc_interval)
        estimate, low, high = (f"{value:.{_decimals(shown)}f}" for value in shown)
        return f"{estimate} [{low}, {high}]"

    def _draw_points(self) -> Line2D | None:
        """Where on the curve the limits belong, if they are not above and below it."""
        if self.fpr_low is None or self.band_fpr is None or self.band_tpr is None:
            return None
        color = self.line_.get_color()
        (points,) = self.ax_.plot(self.band_fpr, self.band_tpr, "o", markersize=3, color=color, gid=SHARED)
        return points

    def _draw_limits(self, given: Style) -> PolyCollection | None:
        """A band over false-positive rates, rectangles, or a band across the lines of equal shares."""
        if self.band_fpr is None or self.low is None or self.high is None:
            return None
        if self.fpr_low is None or self.fpr_high is None:
            return self._draw_band(self.band_fpr, self._what, given)
        from matplotlib.collections import PolyCollection

        corners = rectangles if self.averaging == "threshold" else slanted_band
        vertices = list(corners(self.fpr_low, self.fpr_high, self.low, self.high))
        label = band_label(self.confidence_level, self._what, self.method)
        limits = PolyCollection(vertices, **band_style(self.ax_, self.line_, label, given))
        self.ax_.add_collection(limits, autolim=False)
        return limits

    @property
    def _what(self) -> str:
        """What the limits hold for."""
        said = self.averaging == "threshold" and self.band == "pointwise"
        return WHAT[self.averaging] if said else f"{self.band} {WHAT[self.averaging]}"

    def _draw_chance_level(self, given: Style) -> Line2D:
        """The curve of scores that know nothing."""
        label = shared_label(self.ax_, "Chance level (AUC = 0.5)")
        defaults = {"label": label, "color": "k", "linestyle": "--", "linewidth": 1, "gid": SHARED}
        (line,) = self.ax_.plot((0, 1), (0, 1), **style("Line2D", defaults, given))
        return line


def _decimals(values: Sequence[float]) -> int:
    """Two, or as many as keep values from becoming 0 or 1: certainty is not a matter of rounding."""
    edges = [min(value, 1 - value) for value in values if 0 < value < 1]
    return max(2, *(int(np.ceil(-np.log10(2 * edge))) for edge in edges)) if edges else 2
