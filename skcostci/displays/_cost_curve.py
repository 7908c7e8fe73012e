"""The picture of a cost curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skcostci.cost_curve import CostCurve
from skcostci.displays._base import (
    SHARED,
    CurveDisplay,
    Style,
    band_label,
    check_curve,
    condition_label,
    draw_band,
    draw_curve,
    legend_above,
    shared_label,
    style,
)
from skcostci.displays._scores import check_target, score_cases
from skcostci.statistics._cost import bootstrap_cost
from skcostci.thresholds import ThresholdRule

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D


class CostCurveDisplay(CurveDisplay):
    """A cost curve with its confidence band, the trivial classifiers and the operating range.

    Use :meth:`from_estimator` or :meth:`from_predictions` to make one; everything given here is stored as it is.

    Parameters
    ----------
    probability_cost : ndarray of shape (n_points,)
        The operating conditions, PC(+).
    cost : ndarray of shape (n_points,)
        The normalized expected cost at each.
    low, high : ndarray of shape (n_points,), default=None
        The band; None draws none.
    operating_range : tuple of float, default=None
        Where some threshold costs less than the trivial classifiers; None marks nothing. :meth:`from_predictions`
        computes it for the envelope alone, whose threshold is the best at each operating condition.
    confidence_level : float, default=None
        Of the band, for the legend.
    name : str, default=None
        Of the model, for the legend.
    pos_label : int, float, bool or str, default=None
        The positive label, for the axis.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The curve.
    fill_between_ : matplotlib PolyCollection or None
        The band.
    chance_level_ : matplotlib Line2D or None
        The better of the trivial classifiers, which label everybody or nobody positive.
    operating_range_ : matplotlib Line2D or None
        The marks at the ends of the operating range.
    ax_ : matplotlib Axes
        Where it is drawn.
    figure_ : matplotlib Figure
        The figure of the axes.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import CostCurveDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> display = CostCurveDisplay.from_estimator(GaussianNB().fit(X_train, y_train), X_test, y_test)
    >>> display.line_.get_label()
    'GaussianNB'
    """

    def __init__(
        self,
        *,
        probability_cost: ArrayLike,
        cost: ArrayLike,
        low: ArrayLike | None = None,
        high: ArrayLike | None = None,
        operating_range: tuple[float, float] | None = None,
        confidence_level: float | None = None,
        name: str | None = None,
        pos_label: Any = None,
    ) -> None:
        self.probability_cost = probability_cost
        self.cost = cost
        self.low = low
        self.high = high
        self.operating_range = operating_range
        self.confidence_level = confidence_level
        self.name = name
        self.pos_label = pos_label

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        **options: Any,
    ) -> Self:
        """Score cases with a fitted binary classifier, compute its cost curve and band, and draw them.

        Parameters
        ----------
        estimator : fitted classifier
            With two classes.
        X : array-like of shape (n_samples, n_features)
            Cases the estimator has not been fitted on.
        y : array-like of shape (n_samples,)
            Their labels.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            Where the scores come from; "auto" takes the first that the estimator has.
        pos_label : int, float, bool or str, default=None
            The positive class; None is ``estimator.classes_[1]``.
        name : str, default=None
            For the legend; None is the estimator's class name.
        **options
            Everything else that :meth:`from_predictions` takes.

        Returns
        -------
        display : CostCurveDisplay
            Drawn.

        Raises
        ------
        ValueError
            If the estimator is not a binary classifier, or as in :meth:`from_predictions`.
        AttributeError
            If it has no such response method.
        """
        y_score, pos_label = score_cases(estimator, X, response_method, pos_label)
        name = type(estimator).__name__ if name is None else name
        return cls.from_predictions(y, y_score, pos_label=pos_label, name=name, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        probability_cost: int | ArrayLike = 101,
        thresholds: ThresholdRule = "envelope",
        sampling: str = "stratified",
        confidence_level: float = 0.95,
        method: str | None = None,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **style: Any,
    ) -> Self:
        """Compute the cost curve of given scores and its band, and draw them.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Binary labels, both classes present.
        y_score : array-like of shape (n_samples,)
            Finite scores, higher meaning more positive.
        probability_cost, thresholds, sampling
            As in :func:`bootstrap_cost`.
        confidence_level : float, default=0.95
            Of the pointwise band.
        method : str, default=None
            Interval method; None is the default of :func:`bootstrap_cost`.
        pos_label : int, float, bool or str, default=None
            The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
        sample_weight : array-like of shape (n_samples,), default=None
            Frequency weights.
        name : str, default=None
            For the legend; None is "Classifier".
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **style
            ``curve_kwargs``, ``fill_between_kwargs``, ``plot_chance_level``, ``chance_level_kw``,
            ``plot_operating_range`` and ``despine``, as in :meth:`plot`.

        Returns
        -------
        display : CostCurveDisplay
            Drawn.

        Raises
        ------
        ValueError
            As in :func:`bootstrap_cost` and its ``confidence_interval``.
        """
        check_target(y_true)
        sample = {"pos_label": pos_label, "sample_weight": sample_weight}
        curve = CostCurve.from_predictions(y_true, y_score, **sample)
        result = bootstrap_cost(
            y_true, y_score, probability_cost=probability_cost, thresholds=thresholds, sampling=sampling, **sample
        )
        check_curve(result.probability_cost)
        low, high = result.confidence_interval(confidence_level, method=method)
        display = cls(
            probability_cost=result.probability_cost,
            cost=result.estimate,
            low=low,
            high=high,
            operating_range=curve.operating_range()
            if isinstance(thresholds, str) and thresholds == "envelope"
            else None,
            confidence_level=confidence_level,
            name="Classifier" if name is None else name,
            pos_label=1 if pos_label is None else pos_label,
        )
        return display.plot(ax=ax, **style)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        curve_kwargs: dict[str, Any] | None = None,
        fill_between_kwargs: dict[str, Any] | None = None,
        plot_chance_level: bool = True,
        chance_level_kw: dict[str, Any] | None = None,
        plot_operating_range: bool = True,
        despine: bool = False,
    ) -> Self:
        """Draw the curve; nothing is computed and nothing stored but the artists.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        name : str, default=None
            For the legend; None is the display's own.
        curve_kwargs : dict, default=None
            For matplotlib's ``plot``.
        fill_between_kwargs : dict, default=None
            For matplotlib's ``fill_between``.
        plot_chance_level : bool, default=True
            Whether to draw the better of the trivial classifiers.
        chance_level_kw : dict, default=None
            For their line.
        plot_operating_range : bool, default=True
            Whether to mark the ends of the operating range.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        display : CostCurveDisplay
            Itself.
        """
        self._start(ax)
        name = self.name if name is None else name
        self.line_ = draw_curve(self.ax_, self.probability_cost, self.cost, name, curve_kwargs)
        self.fill_between_ = self._draw_band(fill_between_kwargs)
        self.chance_level_ = self._draw_trivial(chance_level_kw) if plot_chance_level else None
        self.operating_range_ = self._mark_range() if plot_operating_range else None
        self.ax_.set(xlabel=condition_label(self.pos_label), ylabel="Normalized expected cost", xlim=(0, 1))
        legend_above(self.ax_)
        self.ax_.set_ylim(bottom=0)
        if despine:
            self._despine(("bottom",))
        return self

    def _draw_band(self, given: Style) -> PolyCollection | None:
        """The limits around the curve."""
        if self.low is None or self.high is None:
            return None
        label = band_label(self.confidence_level, "pointwise")
        return draw_band(self.ax_, self.line_, self.probability_cost, (self.low, self.high), label, given)

    def _draw_trivial(self, given: dict[str, Any] | None) -> Line2D:
        """Label nobody positive up to PC(+) = 1/2, everybody above."""
        label = shared_label(self.ax_, "Nobody / everybody positive")
        defaults = {"color": "0.5", "linestyle": ":", "linewidth": 1, "label": label, "gid": SHARED}
        (line,) = self.ax_.plot([0, 0.5, 1], [0, 0.5, 0], **style("Line2D", defaults, given))
        return line

    def _mark_range(self) -> Line2D | None:
        """Rings on the trivial classifiers' line at either end of the operating range, unless that is all there is."""
        if self.operating_range is None:
            return None
        ends = np.array(self.operating_range)
        look: dict[str, Any] = {
            "marker": "o",
            "fillstyle": "none",
            "linestyle": "",
            "color": self.line_.get_color(),
            "gid": SHARED,
        }
        look["label"] = shared_label(self.ax_, "Ends of the operating range")
        (line,) = self.ax_.plot(ends, np.minimum(ends, 1 - ends), **look)
        line.set_clip_on(False)
        return line
