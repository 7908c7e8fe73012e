"""The picture of calibration: the probability of an event against the predicted risk, with a simultaneous band."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Literal, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._options import Label, WeightType
from skcostci._validation._arguments import LEVEL, check_option
from skcostci.displays import _drawing as draw
from skcostci.displays._display import CurveDisplay, Fields, Look, among, display, ends_of_stretches
from skcostci.displays._drawing import Style
from skcostci.displays._folds import score_folds
from skcostci.displays._scores import ScoredRows
from skcostci.statistics._calibration import bootstrap_calibration, without_ends

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection

CalibrationBand = Literal["simultaneous", "logistic"]
ASSUMED = {  # for the caption: too long for a legend
    "simultaneous": " at all risks at once, if it does not fall as the risk rises",
    "logistic": " at all risks at once, if it is a logistic curve of intercept and slope",
}
METHODS: dict[CalibrationBand, str] = {"simultaneous": "clopper_pearson", "logistic": "logistic"}
HISTOGRAM = "distribution of risks"
STRIP = 0.13  # share of the height, below 0, for the histogram
HISTOGRAM_BINS = 40
FINEST = 1000  # steps of the band's height to which it is rounded outwards for drawing


def calibration_numbers(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    confidence_level: float = 0.95,
    band: CalibrationBand | None = "simultaneous",
    sample_weight: ArrayLike | None = None,
    weight_type: WeightType = "counts",
    pos_label: Label | None = None,
) -> Fields:
    if band is not None:
        check_option("band", band, tuple(METHODS), " Or None.")
    found = bootstrap_calibration(
        y_true, y_proba, pos_label=pos_label, sample_weight=sample_weight, weight_type=weight_type
    )
    if band is not None and found.effective_cases is not None and found.belonging is not None:
        raise ValueError(f"band={band!r} needs counts of cases; pass band=None with weight_type='importance'.")
    level = LEVEL("confidence_level", confidence_level)
    method = None if band is None else METHODS[band]
    low, high = (None, None) if method is None else found.confidence_band(level, method=method)
    return {
        "proba": found.proba,
        "estimate": found.estimate,
        "low": low,
        "high": high,
        "cases": found.cases,
        "confidence_level": level,
        "band": band,
        "method": method,
        "pos_label": pos_label,
    }


class CalibrationOptions(Look, total=False):
    """What is computed of risks, and how it is drawn.

    Parameters
    ----------
    confidence_level : float
        Confidence level of the band.
    band : {"simultaneous", "logistic"}
        "simultaneous" assumes only that the probability of an event does not decrease as the risk rises; "logistic"
        that it is a logistic curve of the logit of the risk, with an intercept and a slope. None draws no band.
    name : str
        The name of the model in the legend; None is that of the estimator's class, "Classifier" or "Out of fold".
    ref_line : bool
        Whether to draw the diagonal.
    """

    confidence_level: float
    band: CalibrationBand | None
    sample_weight: ArrayLike | None
    weight_type: WeightType
    pos_label: Label | None
    name: str | None
    ref_line: bool


@display
class CalibrationConfidenceDisplay(CurveDisplay):
    """The probability of an event at each predicted risk, with a simultaneous confidence band for all risks.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; the arguments below are
    stored unchanged.

    Parameters
    ----------
    band : {"simultaneous", "logistic"} or None, default="simultaneous"
        The limits hold for all risks jointly: "simultaneous" if the probability of an event does not decrease with the
        risk, "logistic" if it is a logistic curve.
    proba : ndarray of shape (n_points,)
        The distinct predicted risks, ascending.
    estimate : ndarray of shape (n_points,)
        The isotonic estimate of the probability of an event at each of them.
    cases : ndarray of shape (n_points,), default=None
        How many cases have each risk, for the histogram; None draws none.
    name : str, default=None
        Name of the model, for the legend.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The isotonic estimate.
    fill_between_, ax_, figure_ : matplotlib artists
        The band, and where both are drawn.
    chance_level_ : matplotlib Line2D or None
        The diagonal, the line of perfect calibration.
    histogram_ : matplotlib PolyCollection or None
        The histogram of the risks, in a labelled strip below 0.

    See Also
    --------
    bootstrap_calibration : The numbers, a p-value, and bins.

    Notes
    -----
    The simultaneous band assumes that the probability of an event does not decrease as the predicted risk rises, which
    the caption states. Where it excludes the diagonal, predictions are miscalibrated; it shows the shape of the curve
    and is not a powerful test. Between two observed risks the lower limit is that of the smaller risk and the upper
    limit that of the larger one. The logistic band has two parameters, and is 2.6 to 4 times as narrow; it leaves out
    risks of exactly 0 and 1, as the caption then says. Where no risk is above 1/2, the axes end earlier.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import CalibrationConfidenceDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> display = CalibrationConfidenceDisplay.from_estimator(GaussianNB().fit(X_train, y_train), X_test, y_test)
    >>> display.line_.get_label()
    'GaussianNB (isotonic)'
    """

    proba: Floats
    estimate: Floats
    cases: Integers | None = None
    name: str | None = None
    band: CalibrationBand | None = "simultaneous"  # type: ignore[assignment]  # others are not offered

    histogram_: PolyCollection | None = field(init=False, default=None)

    _axes = "proba", "estimate"
    _numbers = staticmethod(calibration_numbers)
    _response = "predict_proba"

    @classmethod
    def from_estimator(
        cls, estimator: object, X: ArrayLike, y: ArrayLike, **options: Unpack[CalibrationOptions]
    ) -> Self:
        """Draw the calibration curve of a fitted binary classifier.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from skcostci import CalibrationConfidenceDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> model = LogisticRegression().fit(X[::2], y[::2])
        >>> CalibrationConfidenceDisplay.from_estimator(model, X[1::2], y[1::2]).name
        'LogisticRegression'
        """
        return cls._of_estimator(estimator, X, y, **options)

    @classmethod
    def from_predictions(cls, y_true: ArrayLike, y_proba: ArrayLike, **options: Unpack[CalibrationOptions]) -> Self:
        """Draw the calibration curve of predicted probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Binary labels; they may all be of one class.
        y_proba : array-like of shape (n_samples,)
            Probabilities of the positive class, in [0, 1].

        Examples
        --------
        >>> from skcostci import CalibrationConfidenceDisplay
        >>> y_true, y_proba = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = CalibrationConfidenceDisplay.from_predictions(y_true, y_proba, name="Risk")
        >>> display.name, display.confidence_level
        ('Risk', 0.95)
        """
        rest: Fields = {**options}
        name = rest.pop("name", None)
        numbers = calibration_numbers(y_true, y_proba, **among(rest, calibration_numbers))
        return cls(**numbers, name="Classifier" if name is None else name).plot(**rest)

    @classmethod
    def from_cv_results(
        cls, cv_results: Mapping[str, object], X: ArrayLike, y: ArrayLike, **options: Unpack[CalibrationOptions]
    ) -> Self:
        """Draw the calibration curve of the out-of-fold probabilities of a cross-validation, all folds together.

        Each case has the risk predicted by the model of its fold, which was not fitted on it; with several such models,
        as in repeated splits, their mean.

        Parameters
        ----------
        cv_results : dict
            From :func:`sklearn.model_selection.cross_validate` with ``return_estimator=True`` and
            ``return_indices=True``.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The cases that were passed to ``cross_validate``.
        y : array-like of shape (n_samples,)
            Their labels.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.model_selection import cross_validate
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skcostci import CalibrationConfidenceDisplay
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> results = cross_validate(GaussianNB(), X, y, return_estimator=True, return_indices=True)
        >>> CalibrationConfidenceDisplay.from_cv_results(results, X, y).name
        'Out of fold'
        """
        rest: Fields = {**options}
        _, pool = score_folds(cv_results, X, y, "predict_proba", **among(rest, ScoredRows))
        rest["name"] = "Out of fold" if rest.get("name") is None else rest["name"]
        return cls.from_predictions(
            np.where(pool.positive, pool.labels[1], pool.labels[0]),
            pool.columns["y_score"],
            sample_weight=pool.weights,
            weight_type="importance" if pool.rows.has_importance else "counts",
            pos_label=pool.labels[1],
            **rest,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        ref_line: bool = True,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curve; nothing is computed, and only the artists are stored."""
        self._start(ax)
        top = self._widen()
        name = self.name if name is None else name
        draw.check_name("name", "" if name is None else name)
        label = "Isotonic estimate" if name is None else f"{name} (isotonic)"
        ends = ends_of_stretches(self.estimate)
        self.line_ = draw.curve(self.ax_, self.proba[ends], self.estimate[ends], label, curve_kwargs)
        self.fill_between_ = self._draw_band(fill_between_kwargs)
        look: Fields = {"linestyle": ":", "scalex": False, "scaley": False}
        diagonal = (0, 1), (0, 1), "Perfectly calibrated", None
        self.chance_level_ = draw.reference(self.ax_, *diagonal, **look) if ref_line else None
        self.histogram_ = self._draw_histogram(top)
        if despine:
            draw.despine_axes(self.ax_, ())
        self._furnish(top)
        return self

    @property
    def _of(self) -> str:
        left_out = 0 if self.cases is None or self.band != "logistic" else int(self.cases[~self._has_logit].sum())
        without = f", {without_ends(left_out)}" if left_out else ""
        return f" of the chance of an event{ASSUMED.get(str(self.band), '')}{without}"

    @property
    def _what(self) -> str:
        return "logistic recalibration band" if self.band == "logistic" else super()._what

    @property
    def _has_logit(self) -> Booleans:
        """The risks with finite logits, to which the logistic band refers."""
        return (self.proba > 0) & (self.proba < 1)

    def _widen(self) -> float:
        """Set axis limits for this display and those already there; returns the upper end of heights."""
        ax, largest = self.ax_, float(self.proba[-1])
        right, top = 1.0, 1.0
        if 0 < largest <= 0.5:
            right, top = largest, min(1.0, 2 * max(largest, float(self.estimate[-1])))
        if ax.has_data():
            right, top = max(right, ax.get_xlim()[1]), max(top, ax.get_ylim()[1])
        positive = draw.positive_label(self.pos_label)
        draw.name_axes(ax, f"Predicted risk{positive}", f"Share with the event{positive}")
        ax.set_xlim(min(0.0, ax.get_xlim()[0] if ax.has_data() else 0.0), right)
        return top

    def _furnish(self, top: float) -> None:
        """Set the range of heights, with ticks for shares but none next to the histogram, and add a legend."""
        from matplotlib.ticker import MaxNLocator

        ticks = np.asarray(MaxNLocator(5).tick_values(0.0, top))
        self.ax_.set_yticks(ticks[ticks <= top])
        self.ax_.set_ylim(0.0 if self.cases is None else -STRIP * top, top)
        draw.legend(self.ax_, "upper left")

    def _outline(self, x: Floats, low: Floats, high: Floats) -> draw.Outline:
        """The limits are step functions, rounded outwards to visible steps, or those of a smooth curve."""
        if self.band == "logistic":
            kept = self._has_logit
        else:
            x, (low, high) = draw.rising_band(x, np.floor(low * FINEST) / FINEST, np.ceil(high * FINEST) / FINEST)
            kept = ends_of_stretches(low, high)
        return x[kept], (low[kept], high[kept])

    def _draw_histogram(self, top: float) -> PolyCollection | None:
        if self.cases is None:
            return None
        right = self.ax_.get_xlim()[1]
        counts, edges = np.histogram(self.proba, HISTOGRAM_BINS, (0.0, right), weights=self.cases)
        heights = 0.85 * STRIP * top * counts / max(float(counts.max()), 1.0)
        base = -STRIP * top
        x, y = np.repeat(edges, 2)[1:-1], base + np.repeat(heights, 2)
        # Each of several displays has a strip, which is named once.
        if all(text.get_text() != HISTOGRAM for text in self.ax_.texts):
            self.ax_.text(0.99 * right, -0.01 * top, HISTOGRAM, fontsize="x-small", color="0.35", ha="right", va="top")
        look = draw.band_style(self.ax_, self.line_, None, None)
        return self.ax_.fill_between(x, base, y, **look)
