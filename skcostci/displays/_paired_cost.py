"""The difference in cost between two models: its numbers and its picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats
from skcostci._options import Band, Label, Sampling, ScoreMethod, WeightType
from skcostci.cases._cases import Cases
from skcostci.cuts import ThresholdRule, rule_of_each
from skcostci.displays._cost_curve import CostCurveDisplay, check_conditions, cost_numbers
from skcostci.displays._display import (
    Fields,
    PairDisplay,
    band_of,
    check_pair,
    model_names,
    score_two,
)
from skcostci.displays._drawing import (
    SHARED,
    Style,
    as_text,
    condition_label,
    despine_axes,
    legend_above,
    name_axes,
    two_axes,
)
from skcostci.statistics._cost import cost_of

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

STRIP = 0.035  # height, in axes, of the strip that shows where a model is significantly cheaper

PairRule = ThresholdRule | tuple[ThresholdRule, ThresholdRule]
CostCurves = tuple[CostCurveDisplay, CostCurveDisplay]


def difference_numbers(
    cases: Cases,
    names: tuple[str, str],
    *,
    probability_cost: int | ArrayLike = 101,
    thresholds: PairRule = "envelope",
    sampling: Sampling = "stratified",
    confidence_level: float,
    band: Band | None,
    method: str | None = None,
) -> Fields:
    """The difference of two models with its limits, and where one of them is cheaper, at all conditions at once.

    The cost curve of each is computed when it is first needed.
    """
    result = cost_of(cases, *cases.columns, thresholds=thresholds, probability_cost=probability_cost, sampling=sampling)
    check_conditions(result.probability_cost)
    if cases.has_importance:
        raise ValueError(
            "weight_type='importance' has no simultaneous band, which is needed to show where a model is "
            "significantly cheaper: use bootstrap_cost_difference, or draw the cost curve of each model."
        )
    everywhere = method if band == "simultaneous" else None
    cheaper = result.significant(confidence_level, method=everywhere)
    rules = rule_of_each("thresholds", thresholds)
    return {
        "probability_cost": result.probability_cost,
        "difference": result.estimate,
        "cheaper_a": cheaper.a,
        "cheaper_b": cheaper.b,
        "cost_curves": partial(_cost_curves, cases, names, rules, probability_cost, sampling, confidence_level, band),
        "pos_label": cases.labels[1],
        **band_of(result, confidence_level, method, band),
    }


def _cost_curves(
    cases: Cases,
    names: tuple[str, str],
    rules: tuple[ThresholdRule, ThresholdRule],
    probability_cost: int | ArrayLike,
    sampling: Sampling,
    confidence_level: float,
    band: Band | None,
) -> CostCurves:
    """The cost curve of each model on its own."""
    numbers = partial(
        cost_numbers,
        cases,
        probability_cost=probability_cost,
        sampling=sampling,
        confidence_level=confidence_level,
        band=band,
    )
    a, b = (
        CostCurveDisplay(**numbers(column, thresholds=rule), name=name)
        for column, rule, name in zip(cases.columns, rules, names, strict=True)
    )
    return a, b


@dataclass(kw_only=True, eq=False, repr=False)
class PairedCostDifferenceDisplay(PairDisplay):
    """The difference in cost of two models, with its band and the ranges where one is significantly cheaper.

    Use :meth:`from_estimators` or :meth:`from_predictions` to make one; the arguments below are stored unchanged.

    Parameters
    ----------
    low, high, confidence_level, band, method, pos_label : optional
        As in :class:`ROCConfidenceDisplay`.
    difference : ndarray of shape (n_points,)
        The cost of a minus that of b.
    name_a, name_b : str, default="a" and "b"
        Names of the models.
    probability_cost : ndarray of shape (n_points,)
        The operating conditions, PC(+).
    cheaper_a, cheaper_b : array-like of shape (n_stretches, 2), default=()
        First and last operating condition of each range in which a, or b, is significantly cheaper by the simultaneous
        band.
    cost_curves : tuple of two CostCurveDisplay or callable, default=None
        Cost curves of a and of b, to be drawn above the difference with ``plot_cost_curves``; a callable is called to
        make them then.

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

    Notes
    -----
    The strips mark where the simultaneous band for all operating conditions excludes 0, whatever band is drawn: for two
    equal models the probability of a strip anywhere is 1 minus the level. A pointwise band excludes 0 somewhere much
    more often, and may do so where there is no strip.

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

    @classmethod
    def from_estimators(
        cls,
        estimator_a: object,
        estimator_b: object,
        X: ArrayLike,
        y: ArrayLike,
        *,
        probability_cost: int | ArrayLike = 101,
        thresholds: PairRule = "envelope",
        sampling: Sampling = "stratified",
        confidence_level: float = 0.95,
        band: Band | None = "pointwise",
        method: str | None = None,
        response_method: ScoreMethod = "auto",
        sample_weight: ArrayLike | None = None,
        weight_type: WeightType = "counts",
        groups: ArrayLike | None = None,
        pos_label: Label | None = None,
        name_a: str | None = None,
        name_b: str | None = None,
        ax: Axes | Sequence[Axes] | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_cost_curves: bool = False,
        plot_chance_level: bool = True,
        despine: bool = False,
    ) -> Self:
        """Score the same cases with two fitted binary classifiers, and draw the difference of their costs.

        Parameters
        ----------
        estimator_a, estimator_b : fitted classifiers
            With the same two classes.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases on which neither classifier was fitted.
        y : array-like of shape (n_samples,)
            Their labels.
        probability_cost, thresholds, sampling, confidence_level, band, method : optional
            As in :meth:`from_predictions`.
        response_method : optional
            As in :meth:`ROCConfidenceDisplay.from_estimator`.
        sample_weight, weight_type, groups : optional
            As in :meth:`ROCConfidenceDisplay.from_predictions`.
        pos_label : int, float, bool or str, default=None
            The positive class; None is ``estimator_a.classes_[1]``.
        name_a, name_b : str, default=None
            The names in the legend; None is the estimator's class name, with "(a)" or "(b)" if both are of the same
            class.
        ax, curve_kwargs, fill_between_kwargs, plot_cost_curves, plot_chance_level, despine : optional
            As in :meth:`plot`.

        Returns
        -------
        object of this class
            The display, drawn.

        Raises
        ------
        ValueError
            If an estimator is not a binary classifier, or as in :func:`bootstrap_cost_difference`.
        AttributeError
            As in :meth:`ROCConfidenceDisplay.from_estimator`.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skcostci import PairedCostDifferenceDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> models = LogisticRegression().fit(X[::2], y[::2]), GaussianNB().fit(X[::2], y[::2])
        >>> display = PairedCostDifferenceDisplay.from_estimators(*models, X[1::2], y[1::2])
        >>> display.name_a, display.name_b
        ('LogisticRegression', 'GaussianNB')
        """
        a, b, positive = score_two(estimator_a, estimator_b, X, response_method, pos_label)
        called_a, called_b = model_names(estimator_a, estimator_b)
        return cls.from_predictions(
            y,
            a,
            b,
            probability_cost=probability_cost,
            thresholds=thresholds,
            sampling=sampling,
            confidence_level=confidence_level,
            band=band,
            method=method,
            sample_weight=sample_weight,
            weight_type=weight_type,
            groups=groups,
            ax=ax,
            curve_kwargs=curve_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_cost_curves=plot_cost_curves,
            plot_chance_level=plot_chance_level,
            despine=despine,
            pos_label=positive,
            name_a=called_a if name_a is None else name_a,
            name_b=called_b if name_b is None else name_b,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score_a: ArrayLike,
        y_score_b: ArrayLike,
        *,
        probability_cost: int | ArrayLike = 101,
        thresholds: PairRule = "envelope",
        sampling: Sampling = "stratified",
        confidence_level: float = 0.95,
        band: Band | None = "pointwise",
        method: str | None = None,
        sample_weight: ArrayLike | None = None,
        weight_type: WeightType = "counts",
        groups: ArrayLike | None = None,
        pos_label: Label | None = None,
        name_a: str = "a",
        name_b: str = "b",
        ax: Axes | Sequence[Axes] | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_cost_curves: bool = False,
        plot_chance_level: bool = True,
        despine: bool = False,
    ) -> Self:
        """Compute the difference in cost between two models' scores, and draw it.

        Parameters
        ----------
        y_true, y_score_a, y_score_b : array-like of shape (n_samples,)
            Binary labels, both classes present, and finite scores on the same cases, higher meaning more positive.
        probability_cost : optional
            As in :func:`bootstrap_cost`.
        thresholds : optional
            As in :func:`bootstrap_cost_difference`.
        sampling : optional
            As in :func:`bootstrap_cost`.
        confidence_level : float, default=0.95
            Confidence level of the band, and of the strips of significance.
        band : optional
            As in :meth:`CostCurveDisplay.from_predictions`.
        method : str, default=None
            Method of the interval or of the band; None is the default of :func:`bootstrap_cost_difference`. The cost
            curves have their own default, and so have the strips if the band is pointwise.
        sample_weight, weight_type, groups, pos_label : optional
            As in :meth:`ROCConfidenceDisplay.from_predictions`.
        name_a, name_b : str, default="a" and "b"
            For the legend.
        ax, curve_kwargs, fill_between_kwargs, plot_cost_curves, plot_chance_level, despine : optional
            As in :meth:`plot`.

        Returns
        -------
        object of this class
            The display, drawn.

        Raises
        ------
        ValueError
            If the target is not binary, or as in :func:`bootstrap_cost_difference`.

        Examples
        --------
        >>> from skcostci import PairedCostDifferenceDisplay
        >>> y_true, a = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> b = [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
        >>> display = PairedCostDifferenceDisplay.from_predictions(y_true, a, b, name_a="new", name_b="old")
        >>> display.line_.get_label()
        'new − old'
        """
        cases = check_pair(
            y_true,
            y_score_a,
            y_score_b,
            name_a,
            name_b,
            pos_label=pos_label,
            sample_weight=sample_weight,
            weight_type=weight_type,
            groups=groups,
        )
        numbers = difference_numbers(
            cases,
            (name_a, name_b),
            probability_cost=probability_cost,
            thresholds=thresholds,
            sampling=sampling,
            confidence_level=confidence_level,
            band=band,
            method=method,
        )
        return cls(**numbers, name_a=name_a, name_b=name_b).plot(
            ax,
            curve_kwargs=curve_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_cost_curves=plot_cost_curves,
            plot_chance_level=plot_chance_level,
            despine=despine,
        )

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
        """Draw the difference; nothing is computed except the cost curves, when they are first drawn.

        Parameters
        ----------
        ax : matplotlib Axes or two of them, default=None
            Where to draw: two axes are for the cost curves and, below them, the difference. None makes a new figure.
        name : str, default=None
            For the legend; None is "name_a − name_b".
        curve_kwargs, fill_between_kwargs : optional
            As in :meth:`ROCConfidenceDisplay.plot`.
        plot_cost_curves : bool, default=False
            Whether to draw the cost curves of the two models above their difference.
        plot_chance_level : bool, default=True
            Whether to draw the two trivial classifiers with the cost curves. Good models are easier to distinguish
            without this triangle.
        despine : optional
            As in :meth:`ROCConfidenceDisplay.plot`.

        Returns
        -------
        PairedCostDifferenceDisplay
            The display itself.

        Raises
        ------
        ValueError
            If there are no cost curves to draw, or only one Axes to draw them on.
        TypeError
            As in :meth:`ROCConfidenceDisplay.plot`.

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
        claim = "significantly cheaper"
        if self.confidence_level is not None:
            claim += f" ({100 * self.confidence_level:g} %, simultaneous)"
        self.stretches_ = [
            *self._mark(self.cheaper_a, f"{self.name_a} {claim}", facecolor=color, edgecolor=color),
            *self._mark(self.cheaper_b, f"{self.name_b} {claim}", facecolor="none", edgecolor=color),
        ]
        ylabel = "Difference in normalized cost" if self.cost_ax_ is None else "Difference in cost"
        self.ax_.set_xlim(0, 1)
        name_axes(self.ax_, condition_label(self.pos_label), ylabel)
        legend_above(self.ax_, strip=2 * STRIP)
        if despine:
            despine_axes(self.ax_, ("bottom",))
        return self

    @property
    def _of(self) -> str:
        return " of the difference in normalized cost"

    def _draw_cost_curves(self, ax: Axes, plot_chance_level: bool, despine: bool) -> None:
        """The costs whose difference is drawn below."""
        if self.cost_curves is None:
            raise ValueError("no cost curves can be drawn: this display was made without cost_curves.")
        if callable(self.cost_curves):
            self.cost_curves = self.cost_curves()
        for curve in self.cost_curves:
            curve.plot(ax, plot_operating_range=False, plot_chance_level=plot_chance_level, despine=despine)
        ax.set_xlabel("")

    def _mark(self, stretches: ArrayLike, label: str, **look: object) -> list[Artist]:
        """A strip along the bottom edge for each stretch, filled for one model and hollow for the other."""
        return [
            self.ax_.axvspan(low, high, 0, STRIP, label=None if i else as_text(label), gid=SHARED, **look)
            for i, (low, high) in enumerate(np.reshape(stretches, (-1, 2)))
        ]
