"""The picture of a cost curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skcostci._validation import Floats
from skcostci.cuts import ThresholdRule
from skcostci.displays._base import (
    SHARED,
    CurveDisplay,
    Style,
    condition_label,
    draw_cost_ratios,
    draw_curve,
    legend_above,
    shared_label,
    style,
)
from skcostci.displays._cost_numbers import cost_numbers, cost_result
from skcostci.displays._folds import (
    Names,
    Styles,
    check_fold_styles,
    draw_folds,
    fold_labels,
    merge_alias,
    only,
    pooled_name,
)
from skcostci.displays._scores import Cases, check_target, score_cases, score_folds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.lines import Line2D


class CostCurveDisplay(CurveDisplay):
    """A cost curve with its confidence band, the trivial classifiers and the operating range.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; everything given here
    is stored as it is.

    Parameters
    ----------
    probability_cost : ndarray of shape (n_points,)
        The operating conditions, PC(+).
    cost : ndarray of shape (n_points,) or list of them
        The normalized expected cost at each; of several curves, the folds of a cross-validation, a list.
    low, high : ndarray of shape (n_points,), default=None
        The band; None draws none.
    operating_range : tuple of float, default=None
        Where some threshold costs less than the trivial classifiers; None marks nothing. :meth:`from_predictions`
        computes it for the envelope alone, whose threshold is the best at each operating condition.
    cost_lines : ndarray of shape (n_lines, 2), default=None
        The cost of each of a number of thresholds at PC(+) = 0 and at 1, its false-positive and false-negative rate.
    confidence_level : float, default=None
        Of the band, for the legend.
    method : str, default=None
        How the limits were found, for the legend.
    name : str or list of str, default=None
        Of the model, or of each fold, for the legend.
    pos_label : int, float, bool or str, default=None
        The positive label, for the axis.
    pooled : CostCurveDisplay, default=None
        The curve of all folds together, to be drawn with them.

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

    fill_between_: PolyCollection | None
    operating_range_: Line2D | None
    cost_lines_: LineCollection | None

    def __init__(
        self,
        *,
        probability_cost: Floats,
        cost: Floats | list[Floats],
        low: Floats | None = None,
        high: Floats | None = None,
        operating_range: tuple[float, float] | None = None,
        cost_lines: Floats | None = None,
        confidence_level: float | None = None,
        method: str | None = None,
        name: Names = None,
        pos_label: Any = None,
        pooled: CostCurveDisplay | None = None,
    ) -> None:
        self.probability_cost = probability_cost
        self.cost = cost
        self.low = low
        self.high = high
        self.operating_range = operating_range
        self.cost_lines = cost_lines
        self.confidence_level = confidence_level
        self.method = method
        self.name = name
        self.pos_label = pos_label
        self.pooled = pooled

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        probability_cost: int | ArrayLike = 101,
        thresholds: ThresholdRule = "envelope",
        sampling: str = "stratified",
        confidence_level: float = 0.95,
        method: str | None = None,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        chance_level_kw: Style = None,
        plot_operating_range: bool = True,
        plot_cost_lines: bool = False,
        prevalence: float | None = None,
        despine: bool = False,
    ) -> Self:
        """Score cases with a fitted binary classifier, compute its cost curve and band, and draw them.

        Parameters
        ----------
        estimator : fitted classifier
            With two classes.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases the estimator has not been fitted on.
        y : array-like of shape (n_samples,)
            Their labels.
        probability_cost, thresholds, sampling, confidence_level, method, sample_weight
            As in :meth:`from_predictions`.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            Where the scores come from; "auto" takes the first that the estimator has.
        pos_label : int, float, bool or str, default=None
            The positive class; None is ``estimator.classes_[1]``.
        name : str, default=None
            For the legend; None is the estimator's class name.
        ax, curve_kwargs, fill_between_kwargs, plot_chance_level, chance_level_kw, plot_operating_range, \
                plot_cost_lines, prevalence, despine
            As in :meth:`plot`.

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
        y_score, positive = score_cases(estimator, X, response_method, pos_label)
        return cls.from_predictions(
            y,
            y_score,
            probability_cost=probability_cost,
            thresholds=thresholds,
            sampling=sampling,
            confidence_level=confidence_level,
            method=method,
            sample_weight=sample_weight,
            pos_label=positive,
            name=type(estimator).__name__ if name is None else name,
            ax=ax,
            curve_kwargs=curve_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            plot_operating_range=plot_operating_range,
            plot_cost_lines=plot_cost_lines,
            prevalence=prevalence,
            despine=despine,
        )

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
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        chance_level_kw: Style = None,
        plot_operating_range: bool = True,
        plot_cost_lines: bool = False,
        prevalence: float | None = None,
        despine: bool = False,
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
        sample_weight : array-like of shape (n_samples,), default=None
            Frequency weights.
        pos_label : int, float, bool or str, default=None
            The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
        name : str, default=None
            For the legend; None is "Classifier".
        ax, curve_kwargs, fill_between_kwargs, plot_chance_level, chance_level_kw, plot_operating_range, \
                plot_cost_lines, prevalence, despine
            As in :meth:`plot`.

        Returns
        -------
        display : CostCurveDisplay
            Drawn.

        Raises
        ------
        ValueError
            If the target is not binary, or as in :func:`bootstrap_cost` and its ``confidence_interval``.
        """
        check_target(y_true)
        cases = Cases(y_true, y_score, pos_label, sample_weight)
        numbers = cost_numbers(cases, probability_cost, thresholds, sampling, confidence_level, method)
        return cls(**numbers, name="Classifier" if name is None else name).plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            plot_operating_range=plot_operating_range,
            plot_cost_lines=plot_cost_lines,
            prevalence=prevalence,
            despine=despine,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: ArrayLike,
        y: ArrayLike,
        *,
        probability_cost: int | ArrayLike = 101,
        thresholds: ThresholdRule = "envelope",
        sampling: str = "stratified",
        confidence_level: float = 0.95,
        method: str | None = None,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: Names = None,
        ax: Axes | None = None,
        curve_kwargs: Styles = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        chance_level_kw: Style = None,
        chance_level_kwargs: Style = None,
        plot_operating_range: bool = True,
        plot_cost_lines: bool = False,
        prevalence: float | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw the cost curves of the folds of a cross-validation, and of their scores pooled, with a band.

        Parameters
        ----------
        cv_results : dict
            From :func:`sklearn.model_selection.cross_validate` with ``return_estimator=True`` and
            ``return_indices=True``, each case tested at most once.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The cases that were given to it.
        y : array-like of shape (n_samples,)
            Their labels.
        probability_cost, thresholds, sampling, confidence_level, method, sample_weight
            As in :meth:`from_predictions`; the rule for thresholds is applied to each fold, and to the pooled scores.
        response_method, pos_label
            As in :meth:`from_estimator`.
        name : str or list of str, default=None
            For the legend; a list, one name a fold, needs a list of ``curve_kwargs``.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        curve_kwargs : dict or list of dict, default=None
            For the curves of the folds: one for all of them, or one for each.
        fill_between_kwargs, plot_chance_level, chance_level_kw, plot_operating_range, plot_cost_lines, prevalence, \
                despine
            As in :meth:`plot`, for the pooled scores.
        chance_level_kwargs : dict, default=None
            What scikit-learn calls ``chance_level_kw`` here.

        Returns
        -------
        display : CostCurveDisplay
            Drawn. ``cost`` and ``line_`` are lists, one entry a fold; ``pooled`` is the display of the pooled scores,
            with the band.

        Raises
        ------
        ValueError
            If ``cv_results`` lacks estimators or indices, a case is tested more than once, a fold has one class only,
            ``name`` or ``curve_kwargs`` do not fit, or as in :meth:`from_predictions`.
        TypeError
            If one option is given under two names.

        Notes
        -----
        Each case is scored by the one model that has not seen it, and the pooled curve takes these scores as if one
        model had given them. At a threshold that is the same in every fold its cost is the average over the folds,
        each class' rates weighted by its cases. Under "envelope" the pooled curve has one threshold for all folds, and
        lies above most of theirs: each of them has chosen thresholds for its own few cases, which is the more
        optimistic. The band is for other cases scored by these same models: that another training set would have
        given other models is not in it.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.model_selection import cross_validate
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skcostci import CostCurveDisplay
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> cv_results = cross_validate(GaussianNB(), X, y, return_estimator=True, return_indices=True)
        >>> display = CostCurveDisplay.from_cv_results(cv_results, X, y, thresholds="probability")
        >>> [text.get_text() for text in display.ax_.get_legend().get_texts()][:2]
        ['Pooled out-of-fold scores', '5 folds']
        """
        folds, pooled = score_folds(
            cv_results, X, y, sample_weight=sample_weight, response_method=response_method, pos_label=pos_label
        )
        chance_level_kw = merge_alias({"chance_level_kw": chance_level_kw, "chance_level_kwargs": chance_level_kwargs})
        check_fold_styles(len(folds), name, curve_kwargs)
        numbers = cost_numbers(pooled, probability_cost, thresholds, sampling, confidence_level, method)
        display = cls(
            probability_cost=numbers["probability_cost"],
            cost=[np.asarray(cost_result(fold, probability_cost, thresholds, sampling).estimate) for fold in folds],
            name=name,
            pos_label=pooled.positive,
            pooled=cls(**numbers, name=pooled_name(name)),
        )
        return display.plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            plot_operating_range=plot_operating_range,
            plot_cost_lines=plot_cost_lines,
            prevalence=prevalence,
            despine=despine,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: Names = None,
        curve_kwargs: Styles = None,
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
        display : CostCurveDisplay
            Itself.

        Raises
        ------
        ValueError
            If ``name`` or ``curve_kwargs`` do not fit the number of curves, or ``prevalence`` is not in (0, 1).
        TypeError
            If a style is given under two names, such as ``c`` and ``color``.
        """
        self._start(ax)
        name = self.name if name is None else name
        parts = (fill_between_kwargs, plot_operating_range, plot_cost_lines)
        if isinstance(self.cost, list) and np.ndim(self.cost[0]):
            self._draw_folds(self.cost, name, curve_kwargs, *parts)
        else:
            check_fold_styles(1, name, curve_kwargs)
            self._draw_one(only(name), only(curve_kwargs), *parts)
        self.chance_level_ = self._draw_trivial(chance_level_kw) if plot_chance_level else None
        self.cost_ratio_axis_ = None if prevalence is None else draw_cost_ratios(self.ax_, prevalence)
        self.ax_.set(xlabel=condition_label(self.pos_label), ylabel="Normalized expected cost", xlim=(0, 1))
        legend_above(self.ax_)
        self.ax_.set_ylim(bottom=0)
        if despine:
            self._despine(("bottom",))
        return self

    def _draw_one(
        self, name: str | None, curve_kwargs: Style, fill_between_kwargs: Style, mark_range: bool, draw_lines: bool
    ) -> None:
        """The curve, its band, the ends of its operating range and the lines it is made of."""
        self.line_ = draw_curve(self.ax_, self.probability_cost, self.cost, name, curve_kwargs)
        self.fill_between_ = self._draw_band(self.probability_cost, "pointwise", fill_between_kwargs)
        self.operating_range_ = self._mark_range() if mark_range else None
        self.cost_lines_ = self._draw_lines() if draw_lines else None

    def _draw_folds(
        self, costs: list[Floats], name: Names, curve_kwargs: Styles, given: Style, mark_range: bool, draw_lines: bool
    ) -> None:
        """The curves of the folds behind that of their scores together."""
        check_fold_styles(len(costs), name, curve_kwargs)
        self.fill_between_, self.operating_range_, self.cost_lines_, color = None, None, None, "C0"
        if self.pooled is not None:
            self.pooled._start(self.ax_)
            self.pooled._draw_one(pooled_name(name), None, given, mark_range, draw_lines)
            self.fill_between_, self.operating_range_ = self.pooled.fill_between_, self.pooled.operating_range_
            self.cost_lines_, color = self.pooled.cost_lines_, self.pooled.line_.get_color()
        curves = [(self.probability_cost, cost) for cost in costs]
        labels = fold_labels(len(costs), name, curve_kwargs, None)
        self.line_ = draw_folds(self.ax_, curves, labels, curve_kwargs, color)

    def _draw_trivial(self, given: Style) -> Line2D:
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
