"""The picture of a difference in cost between two models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skcostci._validation import Floats
from skcostci.cases._cases import Cases
from skcostci.cuts import rule_of_each
from skcostci.displays._cost_curve import CostCurveDisplay
from skcostci.displays._cost_numbers import PairRule, cost_numbers, difference_numbers
from skcostci.displays._drawing import SHARED, Style, condition_label, despine_axes, legend_above, two_axes
from skcostci.displays._pair import PairDisplay

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STRIP = 0.035  # height, in axes, of the strip that shows where a model is significantly cheaper

CostCurves = tuple[CostCurveDisplay, CostCurveDisplay]


@dataclass(kw_only=True, eq=False, repr=False)
class PairedCostDifferenceDisplay(PairDisplay):
    """The difference in cost of two models, its band, and where one of them is significantly cheaper.

    Use :meth:`from_estimators` or :meth:`from_predictions` to make one; everything given here is stored as it is.

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
    difference : ndarray of shape (n_points,)
        The cost of a less that of b.
    name_a, name_b : str, default="a" and "b"
        Of the models.
    probability_cost : ndarray of shape (n_points,)
        The operating conditions, PC(+).
    cheaper_a, cheaper_b : array-like of shape (n_stretches, 2), default=()
        First and last operating condition of each stretch where a, or b, is significantly cheaper.
    cost_curves : tuple of two CostCurveDisplay or callable, default=None
        Of a and of b, to be drawn above the difference if asked for; a callable makes them then.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The difference.
    fill_between_ : matplotlib PolyCollection or None
        The band.
    chance_level_ : matplotlib Line2D
        The line of no difference.
    stretches_ : list of matplotlib artists
        The strips along the bottom edge: full where a is significantly cheaper, hollow where b is.
    ax_ : matplotlib Axes
        Where the difference is drawn.
    cost_ax_ : matplotlib Axes or None
        Where the cost curves are drawn.
    figure_ : matplotlib Figure
        The figure of the axes.

    See Also
    --------
    bootstrap_cost_difference : The numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from skcostci import PairedCostDifferenceDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> display = PairedCostDifferenceDisplay.from_predictions(
    ...     y, X[:, 1], X[:, 4], pos_label=0, name_a="texture", name_b="smoothness"
    ... )
    >>> display.line_.get_label()
    'texture − smoothness'
    """

    probability_cost: Floats
    cheaper_a: ArrayLike = ()
    cheaper_b: ArrayLike = ()
    cost_curves: CostCurves | Callable[[], CostCurves] | None = None

    _numbers = staticmethod(difference_numbers)

    def _add_models(self, cases: Cases, question: Mapping[str, Any], drawing: Mapping[str, Any]) -> None:
        """Their cost curves, if they are to be drawn at once, or how to make them."""
        curves = partial(_cost_curves, cases, (self.name_a, self.name_b), **{**question, "method": None})
        drawn = drawing.get("plot_cost_curves") or np.size(drawing.get("ax", ())) == 2
        self.cost_curves = curves() if drawn else curves

    def plot(
        self,
        ax: Axes | Sequence[Axes] | None = None,
        *,
        name: str | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_cost_curves: bool = False,
        plot_chance_level: bool = True,
        despine: bool = False,
    ) -> Self:
        """Draw the difference; nothing is computed and nothing stored but the artists.

        Parameters
        ----------
        ax : matplotlib Axes or two of them, default=None
            Where to draw; two are for the cost curves and, below them, the difference. None makes a new figure.
        name : str, default=None
            For the legend; None is "name_a − name_b".
        curve_kwargs : dict, default=None
            For matplotlib's ``plot``.
        fill_between_kwargs : dict, default=None
            For matplotlib's ``fill_between``.
        plot_cost_curves : bool, default=False
            Whether to draw the cost curves of the two models above their difference.
        plot_chance_level : bool, default=True
            Whether to draw the two trivial classifiers with the cost curves. Good models are easier to tell apart
            without that triangle.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        PairedCostDifferenceDisplay
            Itself.

        Raises
        ------
        ValueError
            If there are no cost curves to draw, or one pair of axes only to draw them on.
        TypeError
            If a style is given under two names, such as ``c`` and ``color``.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from skcostci import PairedCostDifferenceDisplay
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> display = PairedCostDifferenceDisplay.from_predictions(y, X[:, 1], X[:, 4], pos_label=0)
        >>> display = display.plot(plot_cost_curves=True, plot_chance_level=False)
        >>> [line.get_label() for line in display.cost_ax_.get_lines()]
        ['a', 'b']
        """
        self.cost_ax_, lower = two_axes(ax, plot_cost_curves)
        self._start(lower)
        if self.cost_ax_ is not None:
            self._draw_cost_curves(self.cost_ax_, plot_chance_level, despine)
        self._draw_difference(self.probability_cost, name, curve_kwargs, fill_between_kwargs)
        color = self.line_.get_color()
        self.stretches_ = [
            *self._mark(self.cheaper_a, f"{self.name_a} significantly cheaper", facecolor=color, edgecolor=color),
            *self._mark(self.cheaper_b, f"{self.name_b} significantly cheaper", facecolor="none", edgecolor=color),
        ]
        ylabel = "Difference in normalized cost" if self.cost_ax_ is None else "Difference in cost"
        self.ax_.set(xlabel=condition_label(self.pos_label), ylabel=ylabel, xlim=(0, 1))
        legend_above(self.ax_, strip=2 * STRIP)
        if despine:
            despine_axes(self.ax_, ("bottom",))
        return self

    def _draw_cost_curves(self, ax: Axes, plot_chance_level: bool, despine: bool) -> None:
        """The costs whose difference is drawn below."""
        if self.cost_curves is None:
            raise ValueError("there are no cost curves to draw: this display was made without cost_curves.")
        for curve in self.cost_curves() if callable(self.cost_curves) else self.cost_curves:
            curve.plot(ax, plot_operating_range=False, plot_chance_level=plot_chance_level, despine=despine)
        ax.set_xlabel("")

    def _mark(self, stretches: ArrayLike, label: str, **look: Any) -> list[Any]:
        """A strip along the bottom edge for each stretch, full for one model and hollow for the other."""
        return [
            self.ax_.axvspan(low, high, 0, STRIP, label=None if i else label, gid=SHARED, **look)
            for i, (low, high) in enumerate(np.reshape(stretches, (-1, 2)))
        ]


def _cost_curves(
    cases: Cases, names: tuple[str, str], *, thresholds: PairRule = "envelope", **question: Any
) -> CostCurves:
    """The cost curve of each model by itself."""
    rules = rule_of_each("thresholds", thresholds)
    a, b = (
        CostCurveDisplay(**cost_numbers(cases, column, thresholds=rule, **question), name=name)
        for column, rule, name in zip(cases.columns, rules, names, strict=True)
    )
    return a, b
