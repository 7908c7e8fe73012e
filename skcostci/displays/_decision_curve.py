"""The picture of a decision curve."""

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
from skcostci.displays._metric_numbers import decision_numbers

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

BELOW = 0.15  # of the height above 0 that is shown below it


@dataclass(kw_only=True, eq=False, repr=False)
class DecisionCurveDisplay(ModelDisplay):
    """Net benefit against threshold probability with a confidence band, and what treating all or none would bring.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; everything given here
    is stored as it is. A second display on the same axes (``ax=display.ax_``) shows two models, and
    :class:`DecisionCurveDifferenceDisplay` their difference.

    Parameters
    ----------
    low, high : ndarray of shape (n_points,), default=None
        The band; None draws none.
    confidence_level : float, default=None
        Of the band, for the legend.
    band : {"pointwise"}, default="pointwise"
        The limits hold at each point, for the legend.
    method : str, default=None
        How the limits were found, for the legend.
    pos_label : int, float, bool or str, default=None
        The positive label, for the axis.
    name : str or list of str, default=None
        Of the model, or of each fold, for the legend.
    pooled : DecisionCurveDisplay, default=None
        The curve of all folds together, to be drawn with them.
    together : {"pooled", "mean"}, default="pooled"
        Whether this curve of all folds is that of the scores pooled or the mean of theirs, for the legend.
    threshold_probability : ndarray of shape (n_points,)
        The risks at which one is as well treated as not.
    net_benefit : ndarray of shape (n_points,) or list of them
        True positives a case less the false positives, at the odds of the threshold; of several curves, a list.
    treat_all : ndarray of shape (n_points,), default=None
        The net benefit of treating everybody; None draws neither that nor treating nobody.
    standardized : bool, default=False
        Whether it is divided by the share of positives, for the axis.

    Attributes
    ----------
    line_ : matplotlib Line2D or list of them
        The curve, or the curves of the folds.
    fill_between_ : matplotlib PolyCollection or None
        The band.
    chance_level_ : tuple of two matplotlib Line2D, or None
        Treating all, and treating none.
    ax_ : matplotlib Axes
        Where it is drawn.
    figure_ : matplotlib Figure
        The figure of the axes.

    See Also
    --------
    bootstrap_metric : The numbers, as "net_benefit".
    DecisionCurveDifferenceDisplay : Two models and their difference.
    bootstrap_metric_difference : Where one model is worth more than another.

    Notes
    -----
    Scores are risks: a threshold of the scores is a threshold probability. The band is pointwise and takes treating all
    for as uncertain as the model where the share of positives is.

    References
    ----------
    A. J. Vickers and E. B. Elkin, "Decision curve analysis: a novel method for evaluating prediction models", Medical
    Decision Making, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import DecisionCurveDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> display = DecisionCurveDisplay.from_estimator(GaussianNB().fit(X_train, y_train), X_test, y_test)
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['GaussianNB', '95 % pointwise, unseen case', 'Treat all', 'Treat none']
    """

    threshold_probability: Floats
    net_benefit: Floats | list[Floats]
    treat_all: Floats | None = None
    standardized: bool = False

    _numbers = staticmethod(decision_numbers)

    def _of_folds(self, folds: Sequence[Cases], **question: Any) -> dict[str, Any]:
        """The same thresholds in each fold."""
        numbers = [decision_numbers(fold, "y_score", **{**question, "method": None}) for fold in folds]
        kept = {"threshold_probability": self.threshold_probability, "treat_all": self.treat_all}
        return {"net_benefit": [each["net_benefit"] for each in numbers], "standardized": self.standardized, **kept}

    @property
    def _from_0_to_1(self) -> Sequence[str]:
        return ("bottom",) if self.ax_.get_xlim()[1] == 1 else ()

    def _curves(self, name: Names) -> list[tuple[Floats, Floats]] | None:
        benefits = self.net_benefit
        return [(self.threshold_probability, each) for each in benefits] if several(benefits) else None

    def _furnish(self, new: bool) -> None:
        unit = "Standardized net benefit" if self.standardized else "Net benefit"
        self.ax_.set(xlabel="Threshold probability", ylabel=f"{unit}{positive_label(self.pos_label)}")
        largest = float(np.max(self.threshold_probability))
        self.ax_.set_xlim(0, max(1.0 if largest > 0.9 else largest, 0 if new else self.ax_.get_xlim()[1]))
        self._show_what_is_worth_it()
        add_legend(self.ax_, "upper right", lambda width, height: width < 0.95 and height < 0.45)

    def _draw_one(self, name: str | None, curve_kwargs: Style, *, given: Style) -> None:
        """The curve and its band."""
        self.line_ = draw_curve(self.ax_, self.threshold_probability, self.net_benefit, name, curve_kwargs)
        self.fill_between_ = self._draw_band(self.threshold_probability, "pointwise", given)

    def _draw_chance_level(self, given: Style) -> tuple[Line2D, Line2D] | None:
        """What takes no model."""
        if self.treat_all is None:
            return None
        everybody, nobody = np.asarray(self.treat_all), np.zeros_like(self.threshold_probability)
        lines = []
        for values, what, look in ((everybody, "Treat all", ":"), (nobody, "Treat none", "-")):
            label = shared_label(self.ax_, what)
            defaults = {"color": "0.5", "linestyle": look, "linewidth": 1, "label": label, "gid": SHARED}
            lines.extend(self.ax_.plot(self.threshold_probability, values, **style("Line2D", defaults, given)))
        first, second = lines
        return first, second

    def _show_what_is_worth_it(self) -> None:
        """Losses may be large, and are of no interest: a little room below 0 is shown."""
        tops = [np.nanmax(line.get_ydata()) for line in self.ax_.get_lines()]
        if self.high is not None:
            tops.append(np.max(self.high))
        top = 1.05 * float(max(*tops, 1e-3))
        self.ax_.set_ylim(-BELOW * top, top)
