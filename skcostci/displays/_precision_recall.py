"""Precision-recall curves: their numbers and their picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats, Integers
from skcostci._options import PointwiseBand
from skcostci.cases._cases import Cases
from skcostci.displays import _drawing as draw
from skcostci.displays._display import (
    Fields,
    FoldsLook,
    ModelLook,
    Response,
    among,
    display,
    ends_of_stretches,
    limits_of,
)
from skcostci.displays._drawing import Style
from skcostci.displays._folds import ModelDisplay
from skcostci.displays._scores import ScoredRows
from skcostci.statistics._any_metric import metric_of
from skcostci.statistics._curve_areas import average_precision_of
from skcostci.statistics._metric import HowJudged

MOST_STEPS = 400  # steps of a band; if there are more, those within half a percent of the recall are merged
LEAST_STEPS = 100  # steps if there are so many groups that each step takes time
MOST_COUNTS = 10**7  # steps times groups


def precision_recall_numbers(
    cases: Cases,
    column: str,
    *,
    confidence_level: float = 0.95,
    band: PointwiseBand | None = "pointwise",
    method: str | None = None,
    drop_intermediate: bool = False,
) -> Fields:
    ranking = cases.counts(column).ranking
    n_steps = int(np.clip(MOST_COUNTS // max(cases.n_groups, 1), LEAST_STEPS, MOST_STEPS))
    hits, alarms = ranking.reaching
    last, lowest, highest = _steps(hits, alarms, n_steps)
    needed, place = np.unique(np.concatenate([lowest, highest]), return_inverse=True)
    precision = metric_of(cases, column, metric="precision", how=HowJudged(thresholds=ranking.scores[needed]))
    limits = limits_of(precision, confidence_level, method, band)
    if band is not None:
        low, high = np.split(place, 2)
        limits |= {"low": np.asarray(limits["low"])[low], "high": np.asarray(limits["high"])[high]}
    return {
        **precision_recall_curve(cases, column, drop_intermediate),
        "average_precision_interval": tuple(average_precision_of(cases, column).confidence_interval(confidence_level)),
        "band_recall": hits[last] / hits[-1],
        "thresholds": ranking.scores[last],
        "pos_label": cases.labels[1],
        **limits,
    }


def _steps(hits: Integers, alarms: Integers, n_steps: int) -> tuple[Integers, Integers, Integers]:
    """The steps of a band: positions, in the order of scores, of their ends and of their lowest and highest precision.

    The curve changes at scores that end a stretch of equal recall, or begin one. Each of these is a step or, if they
    are too many to be seen, those in each small interval of recall are one, with limits that hold for all of them.
    """
    moves = np.flatnonzero(ends_of_stretches(hits))
    part = np.arange(len(moves))
    if len(moves) > n_steps:
        part = -(-hits[moves] * (n_steps // 2) // hits[-1])  # intervals of recall, each with its upper end
    starts = np.append(0, np.flatnonzero(np.diff(part)) + 1)
    last = np.append(starts[1:], len(moves)) - 1
    steps = np.split(hits[moves] / (hits[moves] + alarms[moves]), starts[1:])
    lowest, highest = (starts + [int(find(step)) for step in steps] for find in (np.argmin, np.argmax))
    return moves[last], moves[lowest], moves[highest]


def precision_recall_curve(cases: Cases, column: str, drop_intermediate: bool = False) -> Fields:
    """The curve as by scikit-learn's function of this name, its average and the chance level of precision."""
    counts = cases.counts(column)
    hits, alarms = counts.ranking.reaching
    kept = ends_of_stretches(hits) if drop_intermediate else np.full(len(hits), True)
    hits, alarms = hits[kept][::-1], alarms[kept][::-1]
    return {
        "precision": np.append(hits / (hits + alarms), 1.0),
        "recall": np.append(hits / hits[0], 0.0),
        "average_precision": counts.average_precision,
        "prevalence_pos_label": cases.sizes[0] / sum(cases.sizes),  # positives come first
    }


class PrecisionRecallOptions(TypedDict, total=False):
    """What is computed of a precision-recall curve.

    Parameters
    ----------
    confidence_level : float
        Confidence level of the band, and of the average precision's interval.
    band : {"pointwise"}
        The limits are pointwise; None draws no band.
    method : str
        Interval method of the precision; None is the default of :func:`bootstrap_metric`.
    plot_chance_level : bool
        Whether to draw the prevalence, the precision of uninformative labels.
    drop_intermediate : bool
        Whether to leave out points between two others with the same recall.
    """

    confidence_level: float
    band: PointwiseBand | None
    method: str | None
    drop_intermediate: bool


class PrecisionRecallPredictions(PrecisionRecallOptions, ScoredRows, ModelLook, total=False): ...


class PrecisionRecallModel(PrecisionRecallPredictions, Response, total=False): ...


class PrecisionRecallFolds(PrecisionRecallOptions, ScoredRows, Response, FoldsLook, total=False): ...


@display
class PrecisionRecallConfidenceDisplay(ModelDisplay):
    """A precision-recall curve with a confidence band of the precision at each recall.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; the arguments below are
    stored unchanged.

    Parameters
    ----------
    precision, recall : ndarray of shape (n_vertices,) or list of them
        The curve, from the lowest threshold to (1, 0); for several curves, the folds of a cross-validation, lists.
    average_precision : float or list of float, default=None
        The average precision of each curve, for the legend.
    average_precision_interval : tuple of float, default=None
        Lower and upper limit of the average precision, for the legend.
    prevalence_pos_label : float or list of float, default=None
        The share of positives, which is the precision of a random classifier, for the chance level.
    band_recall : ndarray of shape (n_points,), default=None
        The recall values at the ends of the steps of the band: each limit applies from the previous one up to this one.
    thresholds : ndarray of shape (n_points,), default=None
        The threshold at the end of each step, where the recall is ``band_recall``.

    Attributes
    ----------
    line_, fill_between_, ax_, figure_ : matplotlib artists
        The curve or a list of them, its band, and where they are drawn.
    chance_level_ : matplotlib Line2D, list of them or None
        The line of the prevalence, one per fold where there are folds.

    See Also
    --------
    bootstrap_average_precision : The area.
    bootstrap_metric : The numbers.

    Notes
    -----
    The curve is the empirical step curve. The band has steps too: between two successive values of recall it is the
    pointwise interval of the precision at the first threshold that reaches the second one. If there are more than 400
    thresholds at which a value of recall begins or ends, those within each two-hundredth of the recall share a step,
    from the lower limit where the precision is lowest to the upper limit where it is highest. At a recall of 0 possibly
    no case is labelled positive, and the precision may have any value. With more than 25,000 groups steps are fewer.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from skcostci import PrecisionRecallConfidenceDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> display = PrecisionRecallConfidenceDisplay.from_predictions(y, X[:, 1], pos_label=0, name="texture")
    >>> display.line_.get_label()
    'texture (AP = 0.60 [0.53, 0.65])'
    """

    precision: Floats | list[Floats] = field(kw_only=False)
    recall: Floats | list[Floats] = field(kw_only=False)
    average_precision: Any = None
    average_precision_interval: tuple[float, float] | None = None
    prevalence_pos_label: float | list[float] | None = None
    band_recall: Floats | None = None
    thresholds: Floats | None = None

    _axes = "recall", "precision"
    _places = "band_recall"
    _lists: ClassVar = ("precision", "recall", "average_precision", "prevalence_pos_label")
    _area: ClassVar = "AP", "average_precision"
    _shape: ClassVar = {"drawstyle": "steps-post"}

    _numbers = staticmethod(precision_recall_numbers)
    _of: ClassVar = " of the precision"

    @classmethod
    def from_estimator(
        cls, estimator: object, X: ArrayLike, y: ArrayLike, **options: Unpack[PrecisionRecallModel]
    ) -> Self:
        """Score cases with a fitted binary classifier, compute its precision-recall curve and a band, and draw them.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from skcostci import PrecisionRecallConfidenceDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> model = LogisticRegression().fit(X[::2], y[::2])
        >>> PrecisionRecallConfidenceDisplay.from_estimator(model, X[1::2], y[1::2]).name
        'LogisticRegression'
        """
        return cls._of_estimator(estimator, X, y, **options)

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, y_score: ArrayLike, **options: Unpack[PrecisionRecallPredictions]
    ) -> Self:
        """Compute the precision-recall curve of given scores and a band, and draw them.

        Examples
        --------
        >>> from skcostci import PrecisionRecallConfidenceDisplay
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = PrecisionRecallConfidenceDisplay.from_predictions(y_true, y_score, name="Risk")
        >>> display.line_.get_label()
        'Risk (AP = 0.89 [0.34, 0.99])'
        """
        return cls._of_predictions(y_true, {"y_score": y_score}, **options)

    @classmethod
    def from_cv_results(
        cls, cv_results: Mapping[str, object], X: ArrayLike, y: ArrayLike, **options: Unpack[PrecisionRecallFolds]
    ) -> Self:
        """Draw the precision-recall curves of the folds of a cross-validation, and that of their scores pooled.

        Each case is scored by the models that were not fitted on it.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.model_selection import cross_validate
        >>> from skcostci import PrecisionRecallConfidenceDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> cv_results = cross_validate(LogisticRegression(), X, y, cv=2, return_estimator=True, return_indices=True)
        >>> display = PrecisionRecallConfidenceDisplay.from_cv_results(cv_results, X, y)
        >>> len(display.line_), display.pooled.name
        (2, 'Pooled out-of-fold scores')
        """
        return cls._of_cv_results(cv_results, X, y, **options)

    def _of_folds(self, folds: Sequence[Cases], **how: object) -> Fields:
        shape = among(how, precision_recall_curve)
        curves = [precision_recall_curve(fold, "y_score", **shape) for fold in folds]
        return {key: [curve[key] for curve in curves] for key in self._lists}

    def _furnish(self) -> Sequence[str]:
        positive = draw.positive_label(self.pos_label)
        self.ax_.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        draw.name_axes(self.ax_, f"Recall{positive}", f"Precision{positive}")
        draw.legend(self.ax_)
        return "left", "bottom"

    def _outline(self, x: Floats, low: Floats, high: Floats) -> draw.Outline:
        """Step functions like the curve, each step from the recall before; limits of 0 and 1 at a recall of 0."""
        order = np.argsort(x, kind="stable")
        recall, below, above = np.append(0.0, x[order]), np.append(0.0, low[order]), np.append(1.0, high[order])
        return np.repeat(recall, 2)[:-1], (np.repeat(below, 2)[1:], np.repeat(above, 2)[1:])

    def _draw_chance_level(self, given: Style) -> Any:
        if self.prevalence_pos_label is None:
            kind = type(self).__name__
            raise ValueError(
                f"You must provide prevalence_pos_label when constructing the {kind} object in order to plot the "
                f"chance level line. Alternatively, you may use {kind}.from_estimator or {kind}.from_predictions to "
                "automatically set prevalence_pos_label"
            )
        shares = np.ravel(self.prevalence_pos_label)
        spread = f" +/- {np.std(shares):.2f}" if len(shares) > 1 else ""
        label, alpha = f"Chance level (AP = {np.mean(shares):.2f}{spread})", 0.3 if spread else 1.0
        lines = [draw.reference(self.ax_, (0, 1), (share, share), label, given, alpha=alpha) for share in shares]
        return lines if spread else lines[0]
