"""Cost curves: their numbers and their picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats
from skcostci._options import Band, Sampling
from skcostci._validation._arguments import check_option
from skcostci.cases._cases import Cases
from skcostci.cuts import ThresholdRule
from skcostci.displays import _drawing as draw
from skcostci.displays._display import Fields, FoldsLook, ModelLook, PlotLook, Response, display, limits_of
from skcostci.displays._drawing import Style
from skcostci.displays._folds import ModelDisplay
from skcostci.displays._scores import ScoredRows
from skcostci.geometry.cost_curve import cost_curve_of
from skcostci.statistics._cost import cost_of
from skcostci.statistics._points import mean_over_parts
from skcostci.statistics._roc_threshold import roc_at_threshold_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D

CONDITION = "Probability cost PC(+)"  # the axis of pictures of costs
LEAST_HEIGHT = 1e-3  # of axes on which no cost is above 0


def cost_numbers(
    cases: Cases | Sequence[Cases],
    column: str,
    *,
    probability_cost: int | ArrayLike = 101,
    thresholds: ThresholdRule = "envelope",
    sampling: Sampling = "stratified",
    confidence_level: float = 0.95,
    band: Band | None = "pointwise",
    method: str | None = None,
) -> Fields:
    """The curve of some cases, with what is marked on it, or the mean of the curves of several folds."""
    of = partial(cost_of, probability_cost=probability_cost, thresholds=thresholds, sampling=sampling)
    if isinstance(cases, Cases):
        first, result, rates = cases, of(cases, column), roc_at_threshold_of(cases, column)
        marked: Fields = {"cost_lines": np.column_stack([rates.fpr.estimate, 1 - np.asarray(rates.tpr.estimate)])}
        if isinstance(thresholds, str) and thresholds == "envelope":
            marked["operating_range"] = cost_curve_of(cases.counts(column)).operating_range()
    else:
        if band is not None and check_option("band", band, Band) != "pointwise":
            raise ValueError("band must be 'pointwise' with together='mean', got 'simultaneous'.")
        if cases[0].rows.has_importance:
            raise ValueError("together='mean' needs counts of cases; pass 'pooled' with weight_type='importance'.")
        first, result, marked = cases[0], mean_over_parts([of(fold, column) for fold in cases]), {}
    check_conditions(result.probability_cost)
    axis = {"probability_cost": result.probability_cost, "cost": result.estimate, "pos_label": first.labels[1]}
    return {**axis, **marked, **limits_of(result, confidence_level, method, band)}


def check_conditions(probability_cost: ArrayLike) -> None:
    if np.size(probability_cost) < 2:
        raise ValueError("probability_cost must contain at least two operating conditions to draw a curve, got 1.")


class CostOptions(TypedDict, total=False):
    """What is computed of a cost curve.

    Parameters
    ----------
    probability_cost : int or array-like of shape (n_points,)
        The operating conditions PC(+), in [0, 1], or the number of them, evenly spaced.
    thresholds : {"envelope", "probability"}, float, array-like of shape (n_points,) or callable
        The threshold at each operating condition: "envelope" is the cheapest one on these cases, and "probability"
        takes scores as risks; a callable gets the operating conditions.
    sampling : {"stratified", "full"}
        Whether the numbers of both classes are fixed or drawn too, as in :func:`bootstrap_cost`.
    confidence_level : float
        Confidence level of the band.
    band : {"pointwise", "simultaneous"}
        Whether the limits are pointwise or simultaneous for all points; None draws no band.
    method : str
        Method of the interval or of the band; None is the default of :func:`bootstrap_cost`.
    plot_chance_level : bool
        Whether to draw the better of the classifiers that label every case or no case positive.
    plot_cost_lines : bool
        Whether to draw the cost lines of single thresholds, faintly; they may extend beyond the top of the axes.
    """

    probability_cost: int | ArrayLike
    thresholds: ThresholdRule
    sampling: Sampling
    confidence_level: float
    band: Band | None
    method: str | None
    plot_cost_lines: bool


class CostPredictions(CostOptions, ScoredRows, ModelLook, total=False): ...


class CostModel(CostPredictions, Response, total=False): ...


class CostFolds(CostOptions, ScoredRows, Response, FoldsLook, total=False): ...


@display
class CostCurveDisplay(ModelDisplay):
    """A cost curve with its confidence band, the trivial classifiers and the operating range.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; the arguments below are
    stored unchanged.

    Parameters
    ----------
    probability_cost : ndarray of shape (n_points,)
        The operating conditions, PC(+).
    cost : ndarray of shape (n_points,) or list of them
        The normalized expected cost at each; for several curves, the folds of a cross-validation, a list.
    operating_range : tuple of float, default=None
        The range in which some threshold costs less than the trivial classifiers; None marks none.
        :meth:`from_predictions` computes it only for the envelope, whose threshold is the best at each operating
        condition.
    cost_lines : ndarray of shape (n_lines, 2), default=None
        The cost of single thresholds at PC(+) = 0 and at 1, which are their false-positive and false-negative rates.

    Attributes
    ----------
    line_, fill_between_, ax_, figure_ : matplotlib artists
        The curve or a list of them, its band, and where they are drawn.
    chance_level_ : matplotlib Line2D or None
        The better of the trivial classifiers, which label every case or no case positive.
    operating_range_ : matplotlib Line2D or None
        The marks at the ends of the operating range.
    cost_lines_ : matplotlib LineCollection or None
        The cost lines of single thresholds.

    See Also
    --------
    bootstrap_cost : The numbers.
    CostCurve : The geometry.

    Notes
    -----
    In a cross-validation, the pooled curve treats the scores of all folds as if they came from one model. At a
    threshold that is the same in every fold its cost is the average over the folds, with each class's rates weighted by
    its number of cases. Under "envelope" the pooled curve has one threshold for all folds, and lies above most of the
    folds' curves: these have thresholds chosen on the few cases of each fold, which is more optimistic. The band is for
    other cases scored by the same models: it does not include the variation between training sets.

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

    _axes = "probability_cost", "cost"
    _parts: ClassVar = ("fill_between_", "operating_range_")
    _numbers = staticmethod(cost_numbers)
    _has_mean = True
    _of: ClassVar = " of the normalized cost"

    @classmethod
    def from_estimator(cls, estimator: object, X: ArrayLike, y: ArrayLike, **options: Unpack[CostModel]) -> Self:
        """Score cases with a fitted binary classifier, compute its cost curve and a band, and draw them.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from skcostci import CostCurveDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> model = LogisticRegression().fit(X[::2], y[::2])
        >>> CostCurveDisplay.from_estimator(model, X[1::2], y[1::2]).name
        'LogisticRegression'
        """
        return cls._of_estimator(estimator, X, y, **options)

    @classmethod
    def from_predictions(cls, y_true: ArrayLike, y_score: ArrayLike, **options: Unpack[CostPredictions]) -> Self:
        """Compute the cost curve of given scores and a band, and draw them.

        Examples
        --------
        >>> from skcostci import CostCurveDisplay
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = CostCurveDisplay.from_predictions(y_true, y_score, probability_cost=[0.2, 0.5])
        >>> display.cost
        array([0.1  , 0.125])
        """
        return cls._of_predictions(y_true, {"y_score": y_score}, **options)

    @classmethod
    def from_cv_results(
        cls, cv_results: Mapping[str, object], X: ArrayLike, y: ArrayLike, **options: Unpack[CostFolds]
    ) -> Self:
        """Draw the cost curves of the folds of a cross-validation, and that of their scores pooled, with a band.

        Each case is scored by the models that were not fitted on it. The notes of the class explain the pooled curve
        and its band.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.model_selection import cross_validate
        >>> from skcostci import CostCurveDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> cv_results = cross_validate(LogisticRegression(), X, y, cv=2, return_estimator=True, return_indices=True)
        >>> display = CostCurveDisplay.from_cv_results(cv_results, X, y)
        >>> len(display.line_), display.pooled.name
        (2, 'Pooled out-of-fold scores')
        """
        return cls._of_cv_results(cv_results, X, y, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        plot_chance_level: bool = True,
        plot_cost_lines: bool = False,
        **look: Unpack[PlotLook],
    ) -> Self:
        """Draw the curve; nothing is computed, and only the artists are stored."""
        return self._draw(ax, plot_cost_lines, plot_chance_level=plot_chance_level, **look)

    def _draw_one(self, name: str | None, curve_kwargs: Style, given: Style) -> None:
        super()._draw_one(name, curve_kwargs, given)
        self.operating_range_ = self._mark_range()

    def _furnish(self, plot_cost_lines: bool = False) -> Sequence[str]:
        self.cost_lines_ = (self.pooled or self)._draw_lines() if plot_cost_lines else None
        self.ax_.set_xlim(0, 1)
        positive = draw.positive_label(self.pos_label)
        draw.name_axes(self.ax_, f"{CONDITION}{positive}", "Normalized expected cost")
        # ``dataLim`` spans all displays on these axes: a later one must not cut off the others.
        self.ax_.set_ylim(0, max(1.05 * self.ax_.dataLim.y1, LEAST_HEIGHT))
        draw.legend(self.ax_)
        return ("bottom",)

    def _draw_chance_level(self, given: Style) -> Line2D:
        """The trivial classifier: label nobody positive up to PC(+) = 1/2, everybody above."""
        label, look = "Nobody / everybody positive", {"color": "0.5", "linestyle": ":"}
        return draw.reference(self.ax_, (0, 0.5, 1), (0, 0.5, 0), label, given, **look)

    def _mark_range(self) -> Line2D | None:
        """Rings on the trivial classifiers' line at the ends of the operating range, if it is known."""
        if self.operating_range is None:
            return None
        ends = np.array(self.operating_range)
        look: Fields = {"marker": "o", "fillstyle": "none", "linestyle": "", "gid": draw.SHARED, "clip_on": False}
        look["label"] = draw.shared_label(self.ax_, "Ends of the operating range")
        (line,) = self.ax_.plot(ends, np.minimum(ends, 1 - ends), color=self.line_.get_color(), **look)
        return line

    def _draw_lines(self) -> LineCollection | None:
        if self.cost_lines is None:
            return None
        from matplotlib.collections import LineCollection

        ends = [[(0.0, alarms), (1.0, misses)] for alarms, misses in self.cost_lines]
        look: Fields = {"linewidths": 0.4, "alpha": 0.25, "zorder": 0.9, "gid": draw.SHARED}
        lines = LineCollection(ends, colors=self.line_.get_color(), **look)
        lines.set_label(draw.shared_label(self.ax_, "Single thresholds"))
        self.ax_.add_collection(lines, autolim=False)
        return lines
