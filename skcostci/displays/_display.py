"""Shared parts of displays: constructors, limits, axes, a band.

A display is a dataclass of numbers. Its constructors check the cases once, call a function of its file for the numbers,
and ``plot`` them; ``plot`` computes nothing, so that a display can be drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats
from skcostci._options import BANDS, Band, Label
from skcostci._validation._arguments import check_option
from skcostci.cases._cases import Cases
from skcostci.displays._constructors import Fields, among
from skcostci.displays._drawing import Style, band_label, check_axes, draw_band, method_titles
from skcostci.displays._scores import ScoredRows, check_scores, score_cases
from skcostci.results._banded import BandedResult
from skcostci.results._results import BootstrapResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure, SubFigure


def spread_thresholds(cases: Cases, column: str, most: int) -> Floats:
    """The observed scores or, if they are too many, some of both classes, evenly spread along the ROC curve."""
    ranking = cases.counts(column).ranking
    if len(ranking.scores) <= most:
        return ranking.scores
    hits, alarms = ranking.reaching
    way = (alarms / alarms[-1] + hits / hits[-1]) / 2
    steps = np.arange(1, most + 1) / (most + 1)
    return np.asarray(ranking.scores[np.unique(np.searchsorted(way, steps))])


def limits_of(result: BootstrapResult[Any], level: float, method: str | None, band: Band | None) -> Fields:
    if band is None:
        return no_limits(level, method=method)
    check_option("band", band, BANDS[:1])
    low, high = result.confidence_interval(level, method=method)
    return {"low": low, "high": high, "confidence_level": level, "band": band, "method": method or result.methods[0]}


def no_limits(level: float, **options: object) -> Fields:
    """The fields without a band; options of a band are then refused."""
    for name, value in options.items():
        if value is not None:
            raise ValueError(f"{name} needs a band, got {name}={value!r} and band=None.")
    return {"low": None, "high": None, "confidence_level": level, "band": None, "method": None}


def band_of(result: BandedResult, level: float, method: str | None, band: Band | None) -> Fields:
    if band is None or check_option("band", band, BANDS) == "pointwise":
        return limits_of(result, level, method, band)
    low, high = result.confidence_band(level, method=method)
    names = {"band": band, "method": method or result.band_methods[0]}
    return {"low": low, "high": high, "confidence_level": level, **names}


class Plotted:
    line_: Any  # one curve, or a list of them
    fill_between_: PolyCollection | None
    chance_level_: Any
    ax_: Axes
    figure_: Figure | SubFigure


@dataclass(kw_only=True, eq=False, repr=False)
class CurveDisplay(Plotted):
    """A picture on one pair of axes; its numbers are passed to ``__init__`` and stored unchanged.

    Parameters
    ----------
    low, high : ndarray of shape (n_points,)
        Lower and upper limits of the curve at each point; None draws no band.
    confidence_level : float
        Confidence level of the limits, for the legend.
    band : {"pointwise", "simultaneous"}
        Whether the limits are pointwise or simultaneous for all points, for the legend.
    method : str
        The interval method, for the caption.
    pos_label : int, float, bool or str
        The positive label, for the axes.
    """

    low: Floats | None = None
    high: Floats | None = None
    confidence_level: float | None = None
    band: Band | None = "pointwise"
    method: str | Sequence[str] | None = None
    pos_label: Label | None = None

    from_predictions: ClassVar[Any]  # each display has these two
    plot: ClassVar[Any]
    _numbers: ClassVar[Callable[..., Fields]]  # the fields, from cases, columns and options
    _response: ClassVar[str] = "auto"  # how estimators are asked where users have no choice
    _unnamed: ClassVar[str | None] = "Classifier"

    @classmethod
    def _of_estimator(
        cls, estimator: object, X: ArrayLike, y: ArrayLike, *, name: str | None = None, **options: Any
    ) -> Self:
        """Score cases with a fitted classifier, and draw them.

        Parameters
        ----------
        estimator : fitted classifier
            A classifier for two classes.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases on which the estimator was not fitted.
        y : array-like of shape (n_samples,)
            Their labels.
        pos_label : int, float, bool or str
            The positive class; None is ``estimator.classes_[1]``.
        """
        how = {"response_method": cls._response, **among(options, score_cases)}
        y_score, positive = score_cases(estimator, X, **how)
        called = type(estimator).__name__ if name is None else name
        shown: Self = cls.from_predictions(y, y_score, **options, pos_label=positive, name=called)
        return shown

    @classmethod
    def _of_predictions(
        cls, y_true: ArrayLike, scores: Mapping[str, ArrayLike], *, name: str | None = None, **options: Any
    ) -> Self:
        """Compute the numbers of one model, and draw them.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Binary labels, both classes present.
        y_score : array-like of shape (n_samples,)
            Finite scores, higher meaning more positive.
        """
        cases = check_scores(y_true, scores, **among(options, ScoredRows))
        numbers = cls._numbers(cases, *scores, **among(options, cls._numbers))
        shown: Self = cls(**{**numbers, "name": cls._unnamed if name is None else name}).plot(**options)
        return shown

    def __repr__(self) -> str:
        parts = [part for part in (self._whose, self.caption) if part]
        return f"<{': '.join([type(self).__name__, *parts])}>"

    @property
    def caption(self) -> str:
        """The text for the caption of a figure: what the band is, and its method.

        Returns
        -------
        str
            The text; empty without a band.
        """
        if self.low is None or self.confidence_level is None:
            return ""
        source = method_titles(self.method)
        return f"{band_label(self.confidence_level, self._what)}{self._of}" + (f", {source}" if source else "")

    @property
    def _what(self) -> str:
        """The kind of limits, and where they hold, for the legend."""
        return f"confidence band ({self.band})"

    @property
    def _of(self) -> str:
        """The quantity that the limits are for, for the caption."""
        raise NotImplementedError

    @property
    def _whose(self) -> str:
        return ""

    def _start(self, ax: Axes | None) -> None:
        if ax is None:
            from matplotlib import pyplot as plt

            ax = plt.subplots()[1]
        self.ax_ = check_axes(ax)
        self.figure_ = ax.figure

    def _draw_band(self, x: ArrayLike, given: Style) -> PolyCollection | None:
        if self.low is None or self.high is None:
            return None
        return draw_band(self.ax_, self.line_, x, (self.low, self.high), self._band_label, given)

    @property
    def _band_label(self) -> str | None:
        return None if self.confidence_level is None else band_label(self.confidence_level, self._what)
