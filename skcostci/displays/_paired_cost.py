"""The difference in cost between two models: its numbers and its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats
from skcostci._options import Band, Sampling
from skcostci.cases._cases import Cases
from skcostci.cuts import ThresholdRule
from skcostci.displays import _drawing as draw
from skcostci.displays._cost_curve import CONDITION, check_conditions
from skcostci.displays._display import CurveDisplay, Fields, Look, Response, among, display, limits_of
from skcostci.displays._drawing import Style
from skcostci.displays._scores import ScoredRows, check_scores, score_cases
from skcostci.statistics._cost import cost_of

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

STRIP = 0.035  # height, in axes, of the strip that shows where a model is significantly cheaper

PairRule = ThresholdRule | tuple[ThresholdRule, ThresholdRule]


def difference_numbers(
    cases: Cases,
    a: str,
    b: str,
    *,
    probability_cost: int | ArrayLike = 101,
    thresholds: PairRule = "envelope",
    sampling: Sampling = "stratified",
    confidence_level: float = 0.95,
    band: Band | None = "pointwise",
    method: str | None = None,
) -> Fields:
    """The difference of two models with its limits, and the ranges where one is cheaper by the simultaneous band."""
    result = cost_of(cases, a, b, thresholds=thresholds, probability_cost=probability_cost, sampling=sampling)
    check_conditions(result.probability_cost)
    if cases.rows.has_importance:  # the strips need a simultaneous band, whichever is drawn
        raise ValueError("weight_type='importance' has no simultaneous band: use bootstrap_cost_difference.")
    cheaper = result.significant(confidence_level, method=method if band == "simultaneous" else None)
    return {
        "probability_cost": result.probability_cost,
        "difference": result.estimate,
        "cheaper_a": cheaper.a,
        "cheaper_b": cheaper.b,
        "pos_label": cases.labels[1],
        **limits_of(result, confidence_level, method, band),
    }


class CostDifferenceOptions(ScoredRows, Look, total=False):
    """What is computed of two models, and how it is drawn.

    Parameters
    ----------
    probability_cost : int or array-like of shape (n_points,)
        The operating conditions PC(+), in [0, 1], or the number of them, evenly spaced.
    thresholds : {"envelope", "probability"}, float, array-like, callable or tuple of two of these
        The rule for thresholds of both models, or of each, as in :func:`bootstrap_cost_difference`.
    sampling : {"stratified", "full"}
        Whether the numbers of both classes are fixed or drawn too, as in :func:`bootstrap_cost`.
    confidence_level : float
        Confidence level of the band, and of the strips of significance.
    band : {"pointwise", "simultaneous"}
        Whether the limits are pointwise or simultaneous for all points; None draws no band.
    method : str
        Method of the interval or of the band; None is the default of :func:`bootstrap_cost_difference`. If the band is
        pointwise, the strips have their own default.
    """

    probability_cost: int | ArrayLike
    thresholds: PairRule
    sampling: Sampling
    confidence_level: float
    band: Band | None
    method: str | None


class CostDifferenceModels(CostDifferenceOptions, Response, total=False): ...


@display
class PairedCostDifferenceDisplay(CurveDisplay):
    """The difference in cost of two models, with its band and the ranges where one is significantly cheaper.

    Use :meth:`from_estimators` or :meth:`from_predictions` to make one; the arguments below are stored unchanged.

    Parameters
    ----------
    difference : ndarray of shape (n_points,)
        The cost of a minus that of b.
    name_a, name_b : str, default="a" and "b"
        Names of the models.
    probability_cost : ndarray of shape (n_points,)
        The operating conditions, PC(+).
    cheaper_a, cheaper_b : array-like of shape (n_stretches, 2), default=()
        First and last operating condition of each range in which a, or b, is significantly cheaper by the simultaneous
        band.

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
    ax_, figure_ : matplotlib Axes and Figure
        Where the difference is drawn.

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

    difference: Floats
    name_a: str = "a"
    name_b: str = "b"
    probability_cost: Floats
    cheaper_a: ArrayLike = ()
    cheaper_b: ArrayLike = ()

    _axes = "probability_cost", "difference"
    _numbers = staticmethod(difference_numbers)
    _of: ClassVar = " of the difference in normalized cost"

    @classmethod
    def from_estimators(
        cls,
        estimator_a: object,
        estimator_b: object,
        X: ArrayLike,
        y: ArrayLike,
        *,
        name_a: str | None = None,
        name_b: str | None = None,
        **options: Unpack[CostDifferenceModels],
    ) -> Self:
        """Score the same cases with two fitted binary classifiers, and draw the difference of their costs.

        Parameters
        ----------
        estimator_a, estimator_b : fitted classifiers
            With the same two classes; the positive one is by default ``estimator_a.classes_[1]``.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases on which neither classifier was fitted.
        y : array-like of shape (n_samples,)
            Their labels.
        name_a, name_b : str, default=None
            The names in the legend; None is the estimator's class name, with "(a)" or "(b)" if both are of the same
            class.

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
        rest: Fields = {**options}
        how = among(rest, score_cases)
        a, positive = score_cases(estimator_a, X, **how, called="estimator_a")
        b, _ = score_cases(estimator_b, X, **{**how, "pos_label": positive}, called="estimator_b")
        called_a, called_b = type(estimator_a).__name__, type(estimator_b).__name__
        if called_a == called_b:
            called_a, called_b = f"{called_a} (a)", f"{called_b} (b)"
        rest |= {"name_a": called_a if name_a is None else name_a, "name_b": called_b if name_b is None else name_b}
        return cls.from_predictions(y, a, b, **rest, pos_label=positive)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score_a: ArrayLike,
        y_score_b: ArrayLike,
        *,
        name_a: str = "a",
        name_b: str = "b",
        **options: Unpack[CostDifferenceOptions],
    ) -> Self:
        """Compute the difference in cost between two models' scores, and draw it.

        Parameters
        ----------
        y_true, y_score_a, y_score_b : array-like of shape (n_samples,)
            Binary labels, both classes present, and finite scores on the same cases, higher meaning more positive.
        name_a, name_b : str, default="a" and "b"
            The names in the legend.

        Examples
        --------
        >>> from skcostci import PairedCostDifferenceDisplay
        >>> y_true, a = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> b = [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
        >>> display = PairedCostDifferenceDisplay.from_predictions(y_true, a, b, name_a="new", name_b="old")
        >>> display.line_.get_label()
        'new − old'
        """
        draw.check_name("name_a", name_a)
        draw.check_name("name_b", name_b)
        rest: Fields = {**options}
        scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
        cases = check_scores(y_true, scores, **among(rest, ScoredRows))
        numbers = difference_numbers(cases, *scores, **among(rest, difference_numbers))
        return cls(**numbers, name_a=name_a, name_b=name_b).plot(**rest)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        despine: bool = False,
    ) -> Self:
        """Draw the difference; nothing is computed, and only the artists are stored.

        Parameters
        ----------
        name : str, default=None
            For the legend; None is "name_a − name_b".
        """
        self._start(ax)
        name = self._whose if name is None else name
        draw.check_name("name", name)
        self.line_ = draw.curve(self.ax_, self.probability_cost, self.difference, name, curve_kwargs)
        self.fill_between_ = self._draw_band(fill_between_kwargs)
        self.chance_level_ = self.ax_.axhline(0, color="0.5", linewidth=1, linestyle=":")
        self.stretches_: list[Artist] = []
        color = self.line_.get_color()
        self._mark(self.name_a, self.cheaper_a, facecolor=color, edgecolor=color)
        self._mark(self.name_b, self.cheaper_b, facecolor="none", edgecolor=color)
        self.ax_.set_xlim(0, 1)
        positive = draw.positive_label(self.pos_label)
        draw.name_axes(self.ax_, f"{CONDITION}{positive}", "Difference in normalized cost")
        draw.legend(self.ax_)
        if despine:
            draw.despine_axes(self.ax_, ("bottom",))
        return self

    @property
    def _whose(self) -> str:
        return f"{self.name_a} − {self.name_b}"

    def _mark(self, name: str, stretches: ArrayLike, **look: object) -> None:
        """Mark where this model is significantly cheaper, with one entry in the legend."""
        level = "" if self.confidence_level is None else f" ({100 * self.confidence_level:g} %, simultaneous)"
        label: str | None = draw.as_text(f"{name} significantly cheaper{level}")
        for low, high in np.reshape(stretches, (-1, 2)):
            self.stretches_.append(self.ax_.axvspan(low, high, 0, STRIP, label=label, gid=draw.SHARED, **look))
            label = None
