"""The picture of several models: their estimates with intervals, and which of them may be the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from textwrap import fill
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats
from skcostci._options import Normalizer, Sampling
from skcostci._validation._arguments import LEVEL
from skcostci.compare._comparison import ModelComparison
from skcostci.displays import _drawing as draw
from skcostci.displays._display import Fields, Response, among, display
from skcostci.displays._scores import ScoredRows, score_cases
from skcostci.metric import MetricLike
from skcostci.statistics._compare import compare_models

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.lines import Line2D

CHARACTERS_PER_INCH = 5  # of the figure's width, that fit a line of a model's name
ROW_INCHES = 0.28  # height of a model's row in a new figure
MARGIN_INCHES = 1.6  # height of the rest of a new figure
ABOVE: Fields = {"loc": "lower right", "bbox_to_anchor": (1, 1), "ncols": 2, "fontsize": "small"}  # above the axes


def compared(
    y_true: ArrayLike,
    y_scores: Mapping[str, ArrayLike],
    *,
    statistic: MetricLike = "auc",
    probability_cost: float | None = None,
    thresholds: ArrayLike | Mapping[str, ArrayLike] | None = None,
    fpr: float | None = None,
    sampling: Sampling | None = None,
    normalizer: Normalizer | None = None,
    prevalence: float | None = None,
    **rows: Unpack[ScoredRows],
) -> ModelComparison:
    """Compare models by their scores; options of the statistic that are None are not passed on."""
    of_statistic: Fields = {"probability_cost": probability_cost, "thresholds": thresholds, "fpr": fpr}
    of_statistic |= {"sampling": sampling, "normalizer": normalizer, "prevalence": prevalence}
    given = {name: value for name, value in of_statistic.items() if value is not None}
    return compare_models(y_true, y_scores, statistic, **rows, **given)


def comparison_numbers(comparison: ModelComparison, *, confidence_level: float = 0.95) -> Fields:
    if not isinstance(comparison, ModelComparison):
        raise TypeError(f"comparison must come from compare_models or compare_groups, got {comparison!r}.")
    level = LEVEL("confidence_level", confidence_level)
    sign = {True: -1, False: 1, None: 0}[comparison.greater_is_better]
    order = np.argsort(sign * comparison.estimate, kind="stable")
    low, high = (np.asarray(limit)[order] for limit in comparison.confidence_interval(level))
    return {
        "models": tuple(comparison.models[i] for i in order),
        "estimate": comparison.estimate[order],
        "low": low,
        "high": high,
        "best": comparison.may_be_best(level) if sign else None,
        "confidence_level": level,
        "statistic": comparison.title,
        "method": comparison.method,
    }


class ComparisonLook(TypedDict, total=False):
    """How a comparison is drawn.

    Parameters
    ----------
    confidence_level : float
        Confidence level of each interval, and of the set that may be the best.
    ax : matplotlib Axes
        Where to draw; None makes a figure whose height depends on the number of models.
    color : matplotlib color
        Colour of points and intervals.
    despine : bool
        Whether to remove all spines but the bottom one.
    """

    confidence_level: float
    ax: Axes | None
    color: object
    despine: bool


class ComparisonOptions(ScoredRows, ComparisonLook, total=False):
    """What is compared.

    Parameters
    ----------
    statistic : str, Metric or callable
        What is compared, as in :func:`compare_models`.
    probability_cost : float
        The operating condition of statistic="cost"; this and the following are options of the statistic, as in
        :func:`compare_models`; None means not given.
    thresholds : array-like or mapping of str to array-like
        The threshold of all models, or of each by name.
    fpr : float
        The false-positive rate of statistic="tpr_at_fpr".
    sampling : {"stratified", "full"}
        Whether the numbers of both classes are fixed or drawn too.
    normalizer : {"mean", "max"}
        The scale of costs with sampling="full".
    prevalence : float
        The share of positives at which the statistic is evaluated.
    """

    statistic: MetricLike
    probability_cost: float | None
    thresholds: ArrayLike | Mapping[str, ArrayLike] | None
    fpr: float | None
    sampling: Sampling | None
    normalizer: Normalizer | None
    prevalence: float | None


class ComparisonModels(ComparisonOptions, Response, total=False): ...


@display
class ModelComparisonDisplay:
    """Several models in order, each with its interval; models that may be the best have filled points.

    Use :meth:`from_estimators`, :meth:`from_predictions` or :meth:`from_comparison` to make one; the arguments below
    are stored unchanged.

    Parameters
    ----------
    models : sequence of str
        The names of the models, the best first; in the order of the comparison where ``best`` is None.
    estimate, low, high : ndarray of shape (n_models,)
        Each model's value and the limits of its own interval.
    best : sequence of str or None
        The models that may be the best; None where neither more nor less is better, as of a calibration slope.
    confidence_level : float, default=0.95
        Confidence level of each interval, and of the set that may be the best.
    statistic : str, default="value"
        The name of the value, for the axis.
    method : str, default=None
        The interval method, for the caption.

    Attributes
    ----------
    line_ : list of matplotlib Line2D
        The intervals, one per model.
    points_ : list of matplotlib Line2D
        The estimates, one per model: filled for those that may be the best.
    ax_, figure_ : matplotlib Axes and Figure
        Where they are drawn.

    See Also
    --------
    compare_models : The numbers.

    Notes
    -----
    Whether two models differ cannot be judged from their intervals: they were evaluated on the same cases, and the
    intervals of models that differ clearly may overlap. Which models may be the best is determined from the differences
    (:meth:`ModelComparison.may_be_best`).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from skcostci import ModelComparisonDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> scores = {"texture": X[:, 1], "smoothness": X[:, 4], "symmetry": X[:, 8]}
    >>> ModelComparisonDisplay.from_predictions(y == 0, scores).best
    ('texture', 'smoothness')
    """

    models: Sequence[str]
    estimate: Floats
    low: Floats
    high: Floats
    best: Sequence[str] | None
    confidence_level: float = 0.95
    statistic: str = "value"
    method: str | None = None

    line_: list[Line2D] = field(init=False)
    points_: list[Line2D] = field(init=False)
    ax_: Axes = field(init=False)
    figure_: Figure | SubFigure = field(init=False)

    _compared = staticmethod(compared)
    _numbers = staticmethod(comparison_numbers)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.statistic} of {len(self.models)} models, {self.caption}>"

    @property
    def caption(self) -> str:
        """The text for the caption of a figure: what the intervals are, and their method.

        Returns
        -------
        str
            The text, with the level and the meaning of filled points.
        """
        level, source = f"{100 * self.confidence_level:g} %", draw.method_titles(self.method)
        limits = f"pointwise {level} confidence intervals of the {self.statistic}" + (f", {source}" if source else "")
        return limits if self.best is None else f"filled: may be the best ({level}); {limits}"

    @classmethod
    def from_estimators(
        cls, estimators: Mapping[str, object], X: ArrayLike, y: ArrayLike, **options: Unpack[ComparisonModels]
    ) -> Self:
        """Score the same cases with fitted binary classifiers, compare and draw them.

        Parameters
        ----------
        estimators : mapping of str to fitted classifiers
            The classifiers by name, with the same classes; the positive one is by default the first's ``classes_[1]``.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases on which no classifier was fitted.
        y : array-like of shape (n_samples,)
            Their labels.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skcostci import ModelComparisonDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> models = {"linear": LogisticRegression().fit(X, y), "Bayes": GaussianNB().fit(X, y)}
        >>> ModelComparisonDisplay.from_estimators(models, X, y).models
        ('linear', 'Bayes')
        """
        if not isinstance(estimators, Mapping):
            raise TypeError(f"estimators must be a mapping of names to fitted classifiers, got {estimators!r}.")
        rest: Fields = {**options}
        how, scores = among(rest, score_cases), {}
        for name, estimator in estimators.items():
            scores[name], how["pos_label"] = score_cases(estimator, X, **how, called=f"estimators[{name!r}]")
        return cls.from_predictions(y, scores, **rest, pos_label=how.get("pos_label"))

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, y_scores: Mapping[str, ArrayLike], **options: Unpack[ComparisonOptions]
    ) -> Self:
        """Compare models by their scores on the same cases, and draw them.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Binary labels, both classes present.
        y_scores : mapping of str to array-like of shape (n_samples,), or DataFrame
            The models' scores by name.

        Examples
        --------
        >>> from skcostci import ModelComparisonDisplay
        >>> y_true, a = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> scores = {"a": a, "b": [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]}
        >>> display = ModelComparisonDisplay.from_predictions(y_true, scores, statistic="cost", probability_cost=0.5)
        >>> display.models, display.statistic
        (('a', 'b'), 'cost')
        """
        rest: Fields = {**options}
        rows = among(rest, ScoredRows)
        return cls.from_comparison(compared(y_true, y_scores, **among(rest, compared), **rows), **rest)

    @classmethod
    def from_comparison(cls, comparison: ModelComparison, **options: Unpack[ComparisonLook]) -> Self:
        """Draw a comparison of models, or of subgroups.

        Parameters
        ----------
        comparison : ModelComparison
            From :func:`compare_models` or :func:`compare_groups`.

        Examples
        --------
        >>> from skcostci import ModelComparisonDisplay, compare_models
        >>> y_true, a = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> scores = {"a": a, "b": [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]}
        >>> comparison = compare_models(y_true, scores)
        >>> ModelComparisonDisplay.from_comparison(comparison, confidence_level=0.9).confidence_level
        0.9
        """
        rest: Fields = {**options}
        return cls(**comparison_numbers(comparison, **among(rest, comparison_numbers))).plot(**rest)

    def plot(self, ax: Axes | None = None, *, color: object = "C0", despine: bool = True) -> Self:
        """Draw the intervals; nothing is computed, and only the artists are stored."""
        if ax is None:
            from matplotlib import pyplot as plt

            height = MARGIN_INCHES + ROW_INCHES * len(self.models)
            ax = plt.subplots(figsize=(plt.rcParams["figure.figsize"][0], height), layout="constrained")[1]
        self.ax_ = draw.check_axes(ax)
        self.figure_ = self.ax_.figure
        self.line_, self.points_, filled = [], [], self.models if self.best is None else self.best
        for row, name in enumerate(self.models):
            self.line_ += self.ax_.plot([self.low[row], self.high[row]], [row, row], color=color, linewidth=1.5)
            face = color if name in filled else self.ax_.get_facecolor()
            look: Fields = {"marker": "o", "markerfacecolor": face, "markeredgecolor": color, "linestyle": "none"}
            self.points_ += self.ax_.plot([self.estimate[row]], [row], **look)
        most = CHARACTERS_PER_INCH * self.ax_.figure.bbox.width / self.figure_.dpi
        line = int(np.clip(most, draw.LEAST_LINE, draw.LINE))
        self.ax_.set_yticks(range(len(self.models)), [draw.as_text(fill(str(name), line)) for name in self.models])
        self.ax_.set_ylim(len(self.models) - 0.4, -0.6)
        self.ax_.grid(axis="x", linewidth=0.5, alpha=0.5)
        level = f"{100 * self.confidence_level:g} %"
        label = f"{draw.as_text(self.statistic)} ({level} confidence intervals)"
        self.ax_.set_xlabel(label, loc="right", fontsize="small")
        draw.break_names(self.ax_)
        if self.best is not None:
            texts = {True: f"may be the best ({level})", False: "is not the best"}
            points = {name in filled: point for name, point in zip(self.models, self.points_, strict=True)}
            entries = [(points[best], text) for best, text in texts.items() if best in points]
            self.ax_.legend(*zip(*entries, strict=True), **ABOVE, **draw.LEGEND)
        if despine:
            self.ax_.spines[["left", "top", "right"]].set_visible(False)
            self.ax_.tick_params(axis="y", length=0)
        return self
