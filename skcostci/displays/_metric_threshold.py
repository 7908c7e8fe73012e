"""Metrics against the threshold: their numbers and their picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats
from skcostci._options import PointwiseBand
from skcostci._validation._arguments import ANY, FINITE
from skcostci.cases._cases import Cases
from skcostci.displays import _drawing as draw
from skcostci.displays._display import CurveDisplay, Fields, Look, Response, display, limits_of, spread_thresholds
from skcostci.displays._drawing import Style
from skcostci.displays._scores import ScoredRows
from skcostci.metric import AnyMetric, Metric, find_metric
from skcostci.statistics._any_metric import is_function, metric_of
from skcostci.statistics._metric import HowJudged

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

Metrics = str | Metric | Sequence[str | Metric]
USUAL = ("precision", "recall", "f1")
MOST_THRESHOLDS = 101
CHOSEN = "Chosen threshold"
WHOSE = "_skcostci_whose"  # attribute of lines with the model that they are of


class Whose(NamedTuple):
    """The ``id`` of the display that drew a line, its model's name, the line's label, and its metric or CHOSEN."""

    display: int
    name: str | None
    label: str
    metric: str


def threshold_numbers(
    cases: Cases,
    column: str,
    *,
    metrics: Metrics = USUAL,
    thresholds: ArrayLike | None = None,
    chosen: float | None = None,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    band: PointwiseBand | None = "pointwise",
    method: str | None = None,
) -> Fields:
    given: Any = [metrics] if isinstance(metrics, str | AnyMetric) or callable(metrics) else metrics
    if not isinstance(given, Iterable):
        raise TypeError(f"metrics must be a name, a Metric or a sequence of them, got {given!r}.")
    each = list(given)
    if function := next(filter(is_function, each), None):
        raise TypeError(f"metrics must be names or Metric objects, got {function!r}: bootstrap_metric takes functions.")
    if thresholds is None:
        every = spread_thresholds(cases, column, MOST_THRESHOLDS)
        thresholds = every[:-1] if len(every) > 1 else every
    if not each:
        raise ValueError("metrics must name at least one metric, got none.")
    points = np.atleast_1d(ANY.points("thresholds", thresholds))
    how = HowJudged(thresholds=points, prevalence=prevalence)
    results = [metric_of(cases, column, metric=one, how=how) for one in each]
    limits = [limits_of(result, confidence_level, method, band) for result in results]
    names = tuple(limit["method"] for limit in limits)
    return {
        **limits[0],
        "thresholds": points,
        "values": np.array([result.estimate for result in results]),
        "low": None if band is None else np.array([limit["low"] for limit in limits]),
        "high": None if band is None else np.array([limit["high"] for limit in limits]),
        "labels": [find_metric(one).label for one in each],
        "chosen": None if chosen is None else FINITE("chosen", chosen),
        "method": names[0] if len(set(names)) == 1 else names,
        "pos_label": cases.labels[1],
    }


class MetricOptions(ScoredRows, Look, total=False):
    """What is computed at thresholds, and how it is drawn.

    Parameters
    ----------
    metrics : str, Metric or sequence of them
        One or several metrics, as ``metric`` of :func:`bootstrap_metric`, but not a function.
    thresholds : array-like of shape (n_points,)
        The thresholds; None is the distinct scores except the lowest or, if there are more than 101, up to 101 of them,
        evenly spread along the ROC curve: if positives are rare, metrics change where their scores are.
    chosen : float
        A threshold to mark.
    prevalence : float
        The share of positives at which metrics are evaluated, in (0, 1); None is the share in the sample.
    confidence_level : float
        Confidence level of the bands.
    band : {"pointwise"}
        The limits are pointwise; None draws no band.
    method : str
        The interval method of all metrics; None is the default of each.
    name : str
        The title; None is the name of the estimator's class, or no title.
    """

    metrics: Metrics
    thresholds: ArrayLike | None
    chosen: float | None
    prevalence: float | None
    confidence_level: float
    band: PointwiseBand | None
    method: str | None
    name: str | None


class MetricModel(MetricOptions, Response, total=False): ...


@display
class MetricThresholdDisplay(CurveDisplay):
    """Metrics of one model against the threshold, each with its confidence band, and a mark at a chosen threshold.

    Use :meth:`from_estimator` or :meth:`from_predictions` to make one; the arguments below are stored unchanged.

    Parameters
    ----------
    low, high : ndarray of shape (n_metrics, n_points), default=None
        The bands; None draws none.
    method : str or sequence of str, default=None
        The interval method, for the caption: one name, or one per metric if the methods differ.
    thresholds : ndarray of shape (n_points,)
        The thresholds: cases with at least this score are labelled positive.
    values : ndarray of shape (n_metrics, n_points)
        The values of the metrics; NaN where a metric is undefined, which leaves a gap in its curve and its band.
    labels : sequence of str
        The names of the metrics, for the legend.
    name : str, default=None
        Name of the model, for the title of the axes or, where several models are drawn on them, for the legend.
    chosen : float, default=None
        A threshold to mark.

    Attributes
    ----------
    line_ : list of matplotlib Line2D
        The curves.
    fill_between_ : list of matplotlib PolyCollection
        The bands.
    chosen_ : matplotlib Line2D or None
        The mark of the chosen threshold.
    ax_, figure_ : matplotlib Axes and Figure
        Where they are drawn.

    See Also
    --------
    bootstrap_metric : The numbers.

    Notes
    -----
    Bands are pointwise. At a threshold chosen on these cases to maximize a metric the metric is optimistic: choose the
    threshold on other cases, and mark it here. An infinite limit is drawn at the largest finite number of its metric.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from skcostci import MetricThresholdDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> display = MetricThresholdDisplay.from_predictions(y, X[:, 1], metrics=["precision", "recall"], pos_label=0)
    >>> [line.get_label() for line in display.line_]
    ['Precision', 'Recall']
    """

    thresholds: Floats
    values: Floats
    labels: Sequence[str]
    name: str | None = None
    chosen: float | None = None

    _numbers = staticmethod(threshold_numbers)
    _unnamed = None

    @classmethod
    def from_estimator(cls, estimator: object, X: ArrayLike, y: ArrayLike, **options: Unpack[MetricModel]) -> Self:
        """Score cases with a fitted binary classifier, and draw its metrics against the threshold.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from skcostci import MetricThresholdDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> model = LogisticRegression().fit(X[::2], y[::2])
        >>> MetricThresholdDisplay.from_estimator(model, X[1::2], y[1::2], metrics="f1").name
        'LogisticRegression'
        """
        return cls._of_estimator(estimator, X, y, **options)

    @classmethod
    def from_predictions(cls, y_true: ArrayLike, y_score: ArrayLike, **options: Unpack[MetricOptions]) -> Self:
        """Compute metrics of given scores at thresholds, and draw them.

        Examples
        --------
        >>> from skcostci import MetricThresholdDisplay
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = MetricThresholdDisplay.from_predictions(y_true, y_score, metrics="f1", thresholds=[0.3, 0.5])
        >>> display.values.round(2)
        array([[0.8 , 0.75]])
        """
        return cls._of_predictions(y_true, {"y_score": y_score}, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curves; nothing is computed, and only the artists are stored."""
        self._start(ax)
        if self.name is not None:
            draw.check_name("name", self.name)
        self.line_, self.fill_between_ = [], []
        for place, (values, label) in enumerate(zip(self.values, self.labels, strict=True)):
            line = draw.curve(self.ax_, self.thresholds, values, label, curve_kwargs)
            self.line_.append(line)
            self._say_whose(line, label)
            if self.low is not None and self.high is not None:
                edges = _seen(values, self.low[place], self.high[place])
                band = draw.band(self.ax_, line, self.thresholds, edges, self._band_label, fill_between_kwargs)
                self.fill_between_.append(band)
        self.chosen_ = None if self.chosen is None else self._mark(self.chosen)
        _name_models(self.ax_)
        others = {each.metric for each in _drawn(self.ax_).values()} - {CHOSEN, *self.labels}
        label = self.labels[0] if len(self.labels) == 1 and not others else "Metric"
        value = f"{draw.as_text(label)}{draw.positive_label(self.pos_label)}"
        draw.name_axes(self.ax_, "Threshold of the score", value)
        draw.legend(self.ax_)
        if despine:
            draw.despine_axes(self.ax_, ())
        return self

    @property
    def _whose(self) -> str:
        return " of ".join([", ".join(self.labels), *([] if self.name is None else [self.name])])

    @property
    def _of(self) -> str:
        return f" of {' and '.join(self.labels)}"

    def _mark(self, chosen: float) -> Line2D:
        label = f"{CHOSEN}, {chosen:.3g}"
        before = sum(each.metric == CHOSEN for each in _drawn(self.ax_).values())
        linestyle = draw.LINESTYLES[before % len(draw.LINESTYLES)]
        look: Fields = {"linestyle": linestyle, "label": label, "gid": draw.SHARED}
        line = self.ax_.axvline(chosen, color="0.3", linewidth=1, **look)
        self._say_whose(line, label, CHOSEN)
        return line

    def _say_whose(self, line: Line2D, label: str, metric: str | None = None) -> None:
        """Note whose line it is, unless its label is the user's."""
        if line.get_label() == draw.shown(label):
            vars(line)[WHOSE] = Whose(id(self), self.name, label, metric or label)


def _drawn(ax: Axes) -> dict[Line2D, Whose]:
    return {line: vars(line)[WHOSE] for line in ax.get_lines() if WHOSE in vars(line)}


def _name_models(ax: Axes) -> None:
    """The name of one model as the title; the names of several beside those of their metrics in the legend."""
    lines = _drawn(ax)
    given = {each.display: each.name for each in lines.values()}
    titles = {name: draw.as_text(name) for name in given.values() if name is not None}
    if len(given) > 1:
        if ax.get_title() in titles.values():
            ax.set_title("")
        places = enumerate(given.items(), 1)
        names = {display: f"Model {place}" if name is None else name for place, (display, name) in places}
        if len({*names.values()}) < len(names):
            names = {display: f"{name} ({place})" for place, (display, name) in enumerate(names.items(), 1)}
        for line, (display, _, label, _) in lines.items():
            line.set_label(draw.as_text(f"{names[display]}: {label}"))
    else:
        for name, title in titles.items():
            ax.set_title(title, fontsize="small" if len(name) > draw.LINE else "medium", wrap=True)


def _seen(values: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """The limits as they are drawn: NaN where the metric is undefined, others cut off at the extreme finite numbers."""
    drawn = np.concatenate([values, low, high])
    finite = drawn[np.isfinite(drawn)]
    if not len(finite):
        return low, high
    a, b = (np.where(np.isnan(values), np.nan, np.clip(edge, finite.min(), finite.max())) for edge in (low, high))
    return a, b
