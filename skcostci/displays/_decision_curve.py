"""Decision curves: net benefit against threshold probability, its numbers and its picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats
from skcostci._options import PointwiseBand
from skcostci._validation._arguments import ANY
from skcostci.cases._cases import Cases
from skcostci.displays import _drawing as draw
from skcostci.displays._display import Fields, FoldsLook, ModelLook, PlotLook, display, limits_of
from skcostci.displays._drawing import Style
from skcostci.displays._folds import ModelDisplay
from skcostci.displays._scores import ScoredRows
from skcostci.statistics._any_metric import metric_of
from skcostci.statistics._metric import HowJudged

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

BELOW = (0.15, 0.5)  # range shown below 0, as a share of the height above 0: at least, and at most, for a band


def decision_numbers(
    cases: Cases,
    column: str,
    *,
    thresholds: ArrayLike | None = None,
    standardized: bool = False,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    band: PointwiseBand | None = "pointwise",
    method: str | None = None,
) -> Fields:
    given = np.arange(1, 100) / 100 if thresholds is None else thresholds
    chosen = np.atleast_1d(ANY.points("thresholds", given))
    metric = "standardized_net_benefit" if standardized else "net_benefit"
    result = metric_of(cases, column, metric=metric, how=HowJudged(thresholds=chosen, prevalence=prevalence))
    share = cases.sizes[0] / sum(cases.sizes) if prevalence is None else prevalence  # sizes: positives first
    everybody = share - (1 - share) * chosen / (1 - chosen)
    return {
        "threshold_probability": chosen,
        "net_benefit": result.estimate,
        "treat_all": everybody / share if standardized else everybody,
        "standardized": standardized,
        "pos_label": cases.labels[1],
        **limits_of(result, confidence_level, method, band),
    }


class DecisionOptions(TypedDict, total=False):
    """What is computed of a decision curve.

    Parameters
    ----------
    thresholds : array-like of shape (n_points,)
        Threshold probabilities in [0, 1), on the scale of the scores, which are risks; None is 0.01, 0.02, ..., 0.99.
    standardized : bool
        Divide by the share of positives, so that treating exactly the positives has the value 1.
    prevalence : float
        The share of positives at which net benefits are evaluated, in (0, 1); None is the share in the sample.
    confidence_level : float
        Confidence level of the band.
    band : {"pointwise"}
        The limits are pointwise; None draws no band.
    plot_chance_level : bool
        Whether to draw treating all and treating none.
    method : str
        Interval method of the net benefit; None is the default of :func:`bootstrap_metric`.
    """

    thresholds: ArrayLike | None
    standardized: bool
    prevalence: float | None
    confidence_level: float
    band: PointwiseBand | None
    method: str | None


class DecisionModel(DecisionOptions, ScoredRows, ModelLook, total=False): ...


class DecisionFolds(DecisionOptions, ScoredRows, FoldsLook, total=False): ...


@display
class DecisionCurveDisplay(ModelDisplay):
    """Net benefit against threshold probability with a confidence band, and the net benefit of treating all or none.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; the arguments below are
    stored unchanged. A second display on the same axes (``ax=display.ax_``) shows two models.

    Parameters
    ----------
    threshold_probability : ndarray of shape (n_points,)
        The threshold probabilities: risks at which treatment and no treatment are equally good.
    net_benefit : ndarray of shape (n_points,) or list of them
        True positives per case minus false positives per case times the odds of the threshold; for several curves, a
        list.
    treat_all : ndarray of shape (n_points,), default=None
        The net benefit of treating all; None draws neither treating all nor treating none.
    standardized : bool, default=False
        Whether net benefits are divided by the share of positives, for the axis.

    Attributes
    ----------
    line_, fill_between_, ax_, figure_ : matplotlib artists
        The curve or a list of them, its band, and where they are drawn.
    chance_level_ : tuple of two matplotlib Line2D, or None
        The lines of treating all and of treating none.

    See Also
    --------
    bootstrap_metric : The numbers, as "net_benefit".
    bootstrap_metric_difference : Where one model has a higher net benefit than another.

    Notes
    -----
    Scores are risks: a threshold of the scores is a threshold probability. Estimators are therefore evaluated by
    ``predict_proba`` only. The band is pointwise. The net benefit of treating all is drawn without a band; it is as
    uncertain as the share of positives.

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
    ['GaussianNB', '95 % confidence band (pointwise)', 'Treat all', 'Treat none']
    """

    threshold_probability: Floats
    net_benefit: Floats | list[Floats]
    treat_all: Floats | None = None
    standardized: bool = False

    _axes = "threshold_probability", "net_benefit"

    _numbers = staticmethod(decision_numbers)
    _response = "predict_proba"

    @classmethod
    def from_estimator(cls, estimator: object, X: ArrayLike, y: ArrayLike, **options: Unpack[DecisionModel]) -> Self:
        """Predict risks with a fitted binary classifier, and draw its decision curve.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from skcostci import DecisionCurveDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> model = LogisticRegression().fit(X[::2], y[::2])
        >>> DecisionCurveDisplay.from_estimator(model, X[1::2], y[1::2], thresholds=[0.2, 0.5]).name
        'LogisticRegression'
        """
        return cls._of_estimator(estimator, X, y, **options)

    @classmethod
    def from_predictions(cls, y_true: ArrayLike, y_score: ArrayLike, **options: Unpack[DecisionModel]) -> Self:
        """Compute the decision curve of given risks and its band, and draw them.

        Examples
        --------
        >>> from skcostci import DecisionCurveDisplay
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = DecisionCurveDisplay.from_predictions(y_true, y_score, thresholds=[0.2, 0.5], name="Risk")
        >>> display.net_benefit
        array([0.40625, 0.25   ])
        """
        return cls._of_predictions(y_true, {"y_score": y_score}, **options)

    @classmethod
    def from_cv_results(
        cls, cv_results: Mapping[str, object], X: ArrayLike, y: ArrayLike, **options: Unpack[DecisionFolds]
    ) -> Self:
        """Draw the decision curves of the folds of a cross-validation, and that of their risks pooled, with a band.

        Each case is scored by the models that were not fitted on it.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.model_selection import cross_validate
        >>> from skcostci import DecisionCurveDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> cv_results = cross_validate(LogisticRegression(), X, y, cv=2, return_estimator=True, return_indices=True)
        >>> len(DecisionCurveDisplay.from_cv_results(cv_results, X, y, thresholds=[0.2, 0.5]).line_)
        2
        """
        return cls._of_cv_results(cv_results, X, y, **options)

    def plot(self, ax: Axes | None = None, *, plot_chance_level: bool = True, **look: Unpack[PlotLook]) -> Self:
        """Draw the curve; nothing is computed, and only the artists are stored."""
        return super().plot(ax, plot_chance_level=plot_chance_level, **look)

    def _of_folds(self, folds: Sequence[Cases], **how: object) -> Fields:
        return {**super()._of_folds(folds, **how), "treat_all": self.treat_all, "standardized": self.standardized}

    @property
    def _quantity(self) -> str:
        return "standardized net benefit" if self.standardized else "net benefit"

    def _furnish(self) -> Sequence[str]:
        value = f"{self._quantity.capitalize()}{draw.positive_label(self.pos_label)}"
        draw.name_axes(self.ax_, "Threshold probability", value)
        # The largest threshold of all displays here, none of which may be cut off; the axis ends at 1 if it is near.
        largest = float(self.ax_.dataLim.x1)
        self.ax_.set_xlim(0, 1.0 if largest > 0.9 else largest)
        self.ax_.set_ylim(self._span())
        draw.legend(self.ax_)
        return ("bottom",) if largest > 0.9 else ()

    @property
    def _of(self) -> str:
        return f" of the {self._quantity}"

    def _draw_chance_level(self, given: Style) -> tuple[Line2D, Line2D] | None:
        if self.treat_all is None:
            return None
        x, nobody = self.threshold_probability, np.zeros_like(self.threshold_probability)
        treat_all = draw.reference(self.ax_, x, self.treat_all, "Treat all", given, color="0.5", linestyle=":")
        return treat_all, draw.reference(self.ax_, x, nobody, "Treat none", given, color="0.5", linestyle="-")

    def _span(self) -> tuple[float, float]:
        """The vertical axis: down to the lowest limit of a band, within BELOW, and up to the highest value drawn."""
        tops = [np.nanmax(line.get_ydata()) for line in self.ax_.get_lines()]
        bands = [each for each in self.ax_.collections if each.get_gid() in (draw.BAND, draw.SHARED)]  # of all displays
        edges = [np.asarray(path.vertices)[:, 1] for band in bands for path in band.get_paths()]
        top = float(max(*tops, *(np.max(edge) for edge in edges), 1e-3))
        least, most = (-share * top for share in BELOW)
        return max(min(least, *(float(np.min(edge)) for edge in edges), 0.0), most), top
