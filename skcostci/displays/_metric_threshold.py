"""The picture of metrics against the threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from skcostci._validation import Floats
from skcostci.displays._base import ModelDisplay
from skcostci.displays._drawing import (
    SHARED,
    Style,
    band_label,
    despine_axes,
    draw_band,
    draw_curve,
    legend_above,
    positive_label,
    style,
)
from skcostci.displays._metric_numbers import threshold_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(kw_only=True, eq=False, repr=False)
class MetricThresholdDisplay(ModelDisplay):
    """Metrics of one model against the threshold, each with its confidence band, and the threshold that was chosen.

    Use :meth:`from_estimator` or :meth:`from_predictions` to make one; everything given here is stored as it is.

    Parameters
    ----------
    low, high : ndarray of shape (n_metrics, n_points), default=None
        The bands; None draws none.
    confidence_level : float, default=None
        Of the bands, for the legend.
    band : {"pointwise"}, default="pointwise"
        The limits hold at each point, for the legend.
    method : str or sequence of str, default=None
        How the limits were found, for the legend: one name, or one a metric where metrics differ in that.
    pos_label : int, float, bool or str, default=None
        The positive label, for the axis.
    name : str, default=None
        Of the model, for the title of the axes.
    pooled : None
        Folds are not drawn.
    together : {"pooled", "mean"}, default="pooled"
        Whether this curve of all folds is that of the scores pooled or the mean of theirs, for the legend.
    thresholds : ndarray of shape (n_points,)
        The thresholds: a score that is at least as large is labelled positive.
    values : ndarray of shape (n_metrics, n_points)
        The metrics.
    labels : sequence of str
        Their names, for the legend.
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
    ax_ : matplotlib Axes
        Where it is drawn.
    figure_ : matplotlib Figure
        The figure of the axes.

    See Also
    --------
    bootstrap_metric : The numbers.

    Notes
    -----
    Bands are pointwise. A threshold that was chosen on these cases because a metric is best there flatters the metric:
    choose it on others, and mark it here.

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
    chosen: float | None = None

    _numbers = staticmethod(threshold_numbers)
    _constructors: ClassVar = ("from_estimator", "from_predictions")

    @classmethod
    def from_cv_results(cls, *arguments: Any, **options: Any) -> Self:
        """Refuse: folds are not for this display.

        Parameters
        ----------
        *arguments, **options : object
            Whatever other displays take.

        Raises
        ------
        NotImplementedError
            Always.
        """
        raise NotImplementedError(
            "the metrics of folds are not drawn against the threshold; draw a fold's, or pool them."
        )

    def plot(  # type: ignore[override]  # there is no chance level
        self,
        ax: Axes | None = None,
        *,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        chosen_kwargs: Style = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curves; nothing is computed and nothing stored but the artists.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        curve_kwargs : dict, default=None
            For matplotlib's ``plot``, of all curves.
        fill_between_kwargs : dict, default=None
            For matplotlib's ``fill_between``, of all bands.
        chosen_kwargs : dict, default=None
            For the line that marks the chosen threshold.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        MetricThresholdDisplay
            Itself.

        Raises
        ------
        TypeError
            If a style is given under two names, such as ``c`` and ``color``.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from skcostci import MetricThresholdDisplay
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> display = MetricThresholdDisplay.from_predictions(y, X[:, 1], metrics="recall", pos_label=0, chosen=20)
        >>> display.plot(chosen_kwargs={"label": "Agreed beforehand"}).chosen_.get_label()
        'Agreed beforehand'
        """
        self._start(ax)
        self.line_, bands = [], []
        text = band_label(self.confidence_level, "pointwise", self.method)
        for i, (values, label) in enumerate(zip(self.values, self.labels, strict=True)):
            line = draw_curve(self.ax_, self.thresholds, values, label, curve_kwargs)
            self.line_.append(line)
            if self.low is not None and self.high is not None:
                edges = self.low[i], self.high[i]
                bands.append(draw_band(self.ax_, line, self.thresholds, edges, text, fill_between_kwargs))
        self.fill_between_: Any = bands
        self.chosen_ = None if self.chosen is None else self._mark(self.chosen, chosen_kwargs)
        label = self.labels[0] if len(self.labels) == 1 else "Metric"
        self.ax_.set(xlabel="Threshold of the score", ylabel=f"{label}{positive_label(self.pos_label)}")
        if self.name is not None:
            self.ax_.set_title(str(self.name), fontsize="medium")
        legend_above(self.ax_)
        if despine:
            despine_axes(self.ax_, ())
        return self

    def _mark(self, chosen: float, given: Style) -> Any:
        """A line at the chosen threshold."""
        label = f"Chosen threshold, {chosen:.3g}"
        defaults = {"color": "0.3", "linestyle": "-", "linewidth": 1, "label": label, "gid": SHARED}
        return self.ax_.axvline(chosen, **style("Line2D", defaults, given))
