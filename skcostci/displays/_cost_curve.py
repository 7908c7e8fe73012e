"""The picture of a cost curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from skcostci._validation import Floats
from skcostci.cases._cases import Cases
from skcostci.displays._base import ModelDisplay, several
from skcostci.displays._cost_numbers import cost_numbers, mean_cost_numbers
from skcostci.displays._drawing import (
    SHARED,
    Style,
    condition_label,
    despine_axes,
    draw_cost_ratios,
    draw_curve,
    legend_above,
    shared_label,
    style,
)
from skcostci.displays._folds import Names, Styles
from skcostci.displays._signatures import keywords
from skcostci.statistics._cost import cost_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D


@dataclass(kw_only=True, eq=False, repr=False)
class CostCurveDisplay(ModelDisplay):
    """A cost curve with its confidence band, the trivial classifiers and the operating range.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; everything given here
    is stored as it is.

    Parameters
    ----------
    low, high : ndarray of shape (n_points,), default=None
        The band; None draws none.
    confidence_level : float, default=None
        Of the band, for the legend.
    band : {"pointwise", "simultaneous"}, default="pointwise"
        Whether the limits hold at each point or at all of them at once, for the legend.
    method : str, default=None
        How the limits were found, for the legend.
    pos_label : int, float, bool or str, default=None
        The positive label, for the axis.
    name : str or list of str, default=None
        Of the model, or of each fold, for the legend.
    pooled : CostCurveDisplay, default=None
        The curve of all folds together, to be drawn with them.
    together : {"pooled", "mean"}, default="pooled"
        Whether this curve of all folds is that of the scores pooled or the mean of theirs, for the legend.
    probability_cost : ndarray of shape (n_points,)
        The operating conditions, PC(+).
    cost : ndarray of shape (n_points,) or list of them
        The normalized expected cost at each; of several curves, the folds of a cross-validation, a list.
    operating_range : tuple of float, default=None
        Where some threshold costs less than the trivial classifiers; None marks nothing. :meth:`from_predictions`
        computes it for the envelope alone, whose threshold is the best at each operating condition.
    cost_lines : ndarray of shape (n_lines, 2), default=None
        The cost of each of a number of thresholds at PC(+) = 0 and at 1, its false-positive and false-negative rate.

    Attributes
    ----------
    line_ : matplotlib Line2D or list of them
        The curve, or the curves of the folds.
    fill_between_ : matplotlib PolyCollection or None
        The band.
    chance_level_ : matplotlib Line2D or None
        The better of the trivial classifiers, which label everybody or nobody positive.
    operating_range_ : matplotlib Line2D or None
        The marks at the ends of the operating range.
    cost_lines_ : matplotlib LineCollection or None
        The lines of single thresholds.
    cost_ratio_axis_ : matplotlib SecondaryAxis or None
        The second axis, of cost ratios.
    ax_ : matplotlib Axes
        Where it is drawn.
    figure_ : matplotlib Figure
        The figure of the axes.

    See Also
    --------
    bootstrap_cost : The numbers.
    CostCurve : The geometry.

    Notes
    -----
    Of a cross-validation, the pooled curve takes the scores of all folds as if one model had given them. At a threshold
    that is the same in every fold its cost is the average over the folds, each class' rates weighted by its cases.
    Under "envelope" the pooled curve has one threshold for all folds, and lies above most of theirs: each of them has
    chosen thresholds for its own few cases, which is the more optimistic. The band is for other cases scored by these
    same models: that another training set would have given other models is not in it.

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

    >>> from sklearn.model_selection import cross_validate
    >>> cv_results = cross_validate(GaussianNB(), X, y, return_estimator=True, return_indices=True)
    >>> display = CostCurveDisplay.from_cv_results(cv_results, X, y, thresholds="probability")
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()][:2]
    ['Pooled out-of-fold scores', '5 folds']
    """

    probability_cost: Floats
    cost: Floats | list[Floats]
    operating_range: tuple[float, float] | None = None
    cost_lines: Floats | None = None

    _numbers = staticmethod(cost_numbers)
    _parts: ClassVar = ("fill_between_", "operating_range_", "cost_lines_")

    @classmethod
    def _mean_numbers(cls, folds: Sequence[Cases], **question: Any) -> dict[str, Any]:
        return mean_cost_numbers(folds, **question)

    def _of_folds(self, folds: Sequence[Cases], **question: Any) -> dict[str, Any]:
        """The rule for thresholds is applied to each fold."""
        options = {name: value for name, value in question.items() if name in keywords(cost_of)}
        costs = [cost_of(fold, "y_score", **options).estimate for fold in folds]
        return {"probability_cost": self.probability_cost, "cost": costs}

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: Names = None,
        curve_kwargs: Styles = None,
        pooled_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        chance_level_kw: Style = None,
        plot_operating_range: bool = True,
        plot_cost_lines: bool = False,
        prevalence: float | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curve; nothing is computed and nothing stored but the artists.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        name : str or list of str, default=None
            For the legend; None is the display's own.
        curve_kwargs : dict or list of dict, default=None
            For matplotlib's ``plot``; of several folds one for all or one for each.
        pooled_kwargs : dict, default=None
            For the curve of the folds' scores pooled.
        fill_between_kwargs : dict, default=None
            For matplotlib's ``fill_between``.
        plot_chance_level : bool, default=True
            Whether to draw the better of the trivial classifiers.
        chance_level_kw : dict, default=None
            For their line.
        plot_operating_range : bool, default=True
            Whether to mark the ends of the operating range.
        plot_cost_lines : bool, default=False
            Whether to draw the lines of single thresholds, faintly; they may leave the axes at the top.
        prevalence : float, default=None
            Of the positives, in (0, 1); if given, a second axis at the top has the cost ratios, of a miss to a false
            alarm, that the operating conditions stand for at this prevalence.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        CostCurveDisplay
            Itself.

        Raises
        ------
        ValueError
            If ``name`` or ``curve_kwargs`` do not fit the number of curves, or ``prevalence`` is not in (0, 1).
        TypeError
            If a style is given under two names, such as ``c`` and ``color``.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from skcostci import CostCurveDisplay
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> display = CostCurveDisplay.from_predictions(y, X[:, 1], pos_label=0)
        >>> display = display.plot(prevalence=0.1, plot_chance_level=False, curve_kwargs={"linewidth": 2})
        >>> display.cost_ratio_axis_.get_xlabel()
        'Cost ratio, miss : alarm, at prevalence 0.1'
        """
        self._start(ax)
        draw_one: Any = partial(
            type(self)._draw_one,
            given=fill_between_kwargs,
            mark_range=plot_operating_range,
            draw_lines=plot_cost_lines,
        )
        self._draw_curves(
            self._curves(name), self.name if name is None else name, curve_kwargs, pooled_kwargs, draw_one
        )
        self.chance_level_ = self._draw_chance_level(chance_level_kw) if plot_chance_level else None
        self.cost_ratio_axis_ = None if prevalence is None else draw_cost_ratios(self.ax_, prevalence)
        self.ax_.set(xlabel=condition_label(self.pos_label), ylabel="Normalized expected cost", xlim=(0, 1))
        legend_above(self.ax_)
        self.ax_.set_ylim(bottom=0)
        if despine:
            despine_axes(self.ax_, ("bottom",))
        return self

    def _curves(self, name: Names) -> list[tuple[Floats, Floats]] | None:
        return [(self.probability_cost, cost) for cost in self.cost] if several(self.cost) else None

    def _draw_one(
        self, name: str | None, curve_kwargs: Style, *, given: Style, mark_range: bool = True, draw_lines: bool = False
    ) -> None:
        """The curve, its band, the ends of its operating range and the lines it is made of."""
        self.line_ = draw_curve(self.ax_, self.probability_cost, self.cost, name, curve_kwargs)
        self.fill_between_ = self._draw_band(self.probability_cost, self.band, given)
        self.operating_range_ = self._mark_range() if mark_range else None
        self.cost_lines_ = self._draw_lines() if draw_lines else None

    def _draw_chance_level(self, given: Style) -> Line2D:
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
        look: dict[str, Any] = {"marker": "o", "fillstyle": "none", "linestyle": "", "gid": SHARED, "clip_on": False}
        look["label"] = shared_label(self.ax_, "Ends of the operating range")
        (line,) = self.ax_.plot(ends, np.minimum(ends, 1 - ends), color=self.line_.get_color(), **look)
        return line

    def _draw_lines(self) -> LineCollection | None:
        """A line for each threshold, from its false-positive to its false-negative rate."""
        if self.cost_lines is None:
            return None
        from matplotlib.collections import LineCollection

        ends = [[(0.0, alarms), (1.0, misses)] for alarms, misses in self.cost_lines]
        look: dict[str, Any] = {"linewidths": 0.4, "alpha": 0.25, "zorder": 0.9, "gid": SHARED}
        lines = LineCollection(ends, colors=self.line_.get_color(), **look)
        lines.set_label(shared_label(self.ax_, "Single thresholds"))
        self.ax_.add_collection(lines, autolim=False)
        return lines
