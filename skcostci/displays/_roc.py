"""ROC curves: their numbers and their picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from skcostci._arrays import Floats
from skcostci._options import Averaging, Band
from skcostci._validation._arguments import ANY, FINITE, SHARE, check_option
from skcostci.cases._cases import Cases
from skcostci.displays import _drawing as draw
from skcostci.displays._display import (
    Fields,
    FoldsLook,
    ModelLook,
    PlotLook,
    Response,
    among,
    display,
    limits_of,
    no_limits,
    spread_thresholds,
)
from skcostci.displays._drawing import Names, Style, Styles
from skcostci.displays._folds import ModelDisplay, check_fold_styles, curve_label
from skcostci.displays._scores import ScoredRows, one_vs_rest, score_classes
from skcostci.statistics._auc import auc_of, auc_of_folds
from skcostci.statistics._roc_rates import roc_at_fpr_of, roc_at_positive_rate_of, roc_at_tpr_of
from skcostci.statistics._roc_threshold import roc_at_threshold_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.container import ErrorbarContainer
    from matplotlib.lines import Line2D

HELD = "tpr", "fpr", "threshold"  # options that fix an operating point
FEW = 8  # most rectangles that can be distinguished
LINE_WIDTH = 1.5  # of lines from limit to limit
TENTHS = np.arange(1, 10) / 10
HUNDREDTHS = np.arange(1, 100) / 100
AREA = "_skcostci_area"  # attribute with a curve's name, AUC and limits, so that a legend has the same decimals
RANGES = {"fpr": SHARE, "threshold": ANY, "positive_rate": SHARE}  # of the places of each averaging
OF = {
    "fpr": " of the true-positive rate at false-positive rates",
    "threshold": " of both rates together at thresholds",
    "positive_rate": " of both rates at shares labelled positive",
}
Scale = Literal["linear", "det"]
DEVIATE_INCHES = 2.2  # of axes, below which every other tick in normal deviates is left out
DET_RANGE = 1e-3, 0.999  # range of rates in a detection error trade-off plot
OFF_PICTURE = 1e-6  # replaces a rate of 0, and 1 minus this a rate of 1: their normal deviates are infinite
DEVIATE_TICKS = np.array([0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999])
MARKERS = "osD^v"  # of operating points, in turn for several models
PLACES = {"fpr": "pointwise", "threshold": "each threshold", "positive_rate": "each share positive"}


def roc_numbers(
    cases: Cases | Sequence[Cases],
    column: str,
    *,
    averaging: Averaging = "fpr",
    at: ArrayLike | None = None,
    confidence_level: float = 0.95,
    band: Band | None = "pointwise",
    method: str | None = None,
    drop_intermediate: bool = True,
    operating_point: Mapping[str, float] | None = None,
) -> Fields:
    """The curve of some cases, or the mean of the curves of several folds."""
    if not isinstance(cases, Cases):
        unused = {"method": method, "operating_point": operating_point}
        given = [name for name, value in unused.items() if value is not None]
        if averaging != "fpr" or band not in (None, "pointwise") or given:
            rest = f"; it cannot be combined with {' and '.join(given)}" if given else ""
            raise ValueError(f"together='mean' needs averaging='fpr' and band='pointwise'{rest}.")
        return mean_roc_numbers(cases, at, confidence_level, band)
    check_option("averaging", averaging, RANGES)
    at = None if at is None else RANGES[averaging].points("at", at)
    if cases.groups is not None and averaging != "threshold" and band not in (None, "pointwise"):
        raise ValueError(
            f"with groups a simultaneous band needs averaging='threshold', got {averaging=}, or band=None."
        )
    auc = auc_of(cases, column)
    numbers = {
        **roc_vertices(cases, column, drop_intermediate),
        "averaging": averaging,
        "band": band,
        "roc_auc": float(auc),
        "roc_auc_interval": tuple(auc.confidence_interval(confidence_level)),
        "confidence_level": confidence_level,
        "operating_point": point_numbers(cases, column, operating_point, confidence_level),
        "pos_label": cases.labels[1],
    }
    if band is None:
        return numbers | no_limits(confidence_level, at=at, method=method)
    if check_option("band", band, Band) == "simultaneous" and averaging == "positive_rate":
        raise ValueError("band='simultaneous' needs averaging='fpr' or 'threshold', got 'positive_rate'.")
    return numbers | band_numbers(cases, column, averaging, at, confidence_level, band, method)


def mean_roc_numbers(folds: Sequence[Cases], at: ArrayLike | None, level: float, band: Band | None) -> Fields:
    """The mean of the folds' true-positive rates at each false-positive rate, the folds' limits combined (MOVER)."""
    along = [_rates_along(fold, "y_score", len(folds)) for fold in folds]
    rates = np.unique(np.concatenate(along)) if at is None else np.atleast_1d(SHARE.points("at", at))
    results = [roc_at_fpr_of(fold, "y_score", fpr=rates) for fold in folds]
    estimates = np.array([result.estimate for result in results])
    limits = np.array([result.confidence_interval(level) for result in results])
    tpr, distances = estimates.mean(axis=0), limits - estimates[:, None]
    below, above = np.linalg.norm(distances, axis=0) / len(folds)
    auc = auc_of_folds(folds, "y_score")
    return {
        "fpr": np.r_[0.0, np.sort(rates), 1.0],
        "tpr": np.r_[0.0, tpr[np.argsort(rates)], 1.0],
        "band_fpr": rates,
        "band_tpr": tpr,
        "low": None if band is None else np.maximum(tpr - below, 0.0),
        "high": None if band is None else np.minimum(tpr + above, 1.0),
        "band": band,
        "roc_auc": auc.estimate,
        "roc_auc_interval": tuple(auc.confidence_interval(level)),
        "confidence_level": level,
        "method": "combined",
        "pos_label": folds[0].labels[1],
    }


def point_numbers(cases: Cases, column: str, point: Mapping[str, float] | None, level: float) -> Fields | None:
    """The rate that is held at an operating point, and the rates that are not, each with its limits."""
    if point is None:
        return None
    if not isinstance(point, Mapping) or len(point) != 1:
        raise ValueError(f"operating_point must be a mapping of one name to one number, got {point!r}.")
    ((held, given),) = point.items()
    name = f"operating_point[{check_option('the name in operating_point', held, HELD)!r}]"
    value = (FINITE if held == "threshold" else SHARE)(name, given)
    if held == "threshold":
        both = roc_at_threshold_of(cases, column, thresholds=value)
        results = {"tpr": both.tpr, "fpr": both.fpr}
    elif held == "tpr":
        results = {"fpr": roc_at_tpr_of(cases, column, tpr=value)}
    else:
        results = {"tpr": roc_at_fpr_of(cases, column, fpr=value)}
    found = {rate: (result.estimate, *result.confidence_interval(level)) for rate, result in results.items()}
    return {held: value, **{rate: tuple(map(float, numbers)) for rate, numbers in found.items()}}


def band_numbers(
    cases: Cases, column: str, averaging: Averaging, at: ArrayLike | None, level: float, band: Band, method: str | None
) -> Fields:
    """Points of the curve with limits of the true-positive rate and, unless it is fixed, of the false-positive rate."""
    numbers: Sequence[ArrayLike]
    methods: Sequence[str]
    if averaging == "fpr":
        rates = roc_at_fpr_of(cases, column, fpr=_rates_along(cases, column) if at is None else at)
        limits = limits_of(rates, level, method, band)
        numbers, methods = (rates.fpr, rates.estimate, limits["low"], limits["high"]), (limits["method"],)
    elif averaging == "threshold":
        chosen = spread_thresholds(cases, column, FEW) if at is None else at
        both = roc_at_threshold_of(cases, column, thresholds=chosen)
        everywhere = band == "simultaneous"
        region = (both.confidence_band if everywhere else both.confidence_region)(level, method=method)
        numbers = (both.fpr.estimate, both.tpr.estimate, *region.tpr, *region.fpr)
        methods = both.fpr.band_methods if everywhere else both.fpr.methods
    else:
        shares = roc_at_positive_rate_of(cases, column, positive_rate=TENTHS if at is None else at)
        ends = [each.confidence_interval(level, method=method) for each in (shares, shares.fpr)]
        numbers, methods = (shares.fpr.estimate, shares.estimate, *ends[0], *ends[1]), shares.methods
    names = ("band_fpr", "band_tpr", "low", "high", "fpr_low", "fpr_high")
    points = {name: np.atleast_1d(each) for name, each in zip(names, numbers, strict=False)}  # also if there is one
    return {**points, "method": method or methods[0]}


def _rates_along(cases: Cases, column: str, n_curves: int = 1) -> Floats:
    """Places of a band: the first false positive, each hundredth, and where the curve has risen by a hundredth.

    With several curves each contributes its share of the latter.
    """
    hits, alarms = cases.counts(column).ranking.reaching
    fpr, tpr = alarms / alarms[-1], hits / hits[-1]
    risen = np.interp(HUNDREDTHS[::n_curves], np.append(0.0, tpr), np.append(0.0, fpr))
    rates = np.unique(np.concatenate([fpr[fpr > 0][:1], HUNDREDTHS, risen, [1.0]]))
    return np.asarray(rates[rates > 0])


def roc_vertices(cases: Cases, column: str, drop_intermediate: bool = True) -> Fields:
    """The empirical curve from (0, 0), as from scikit-learn's ``roc_curve``."""
    hits, alarms = cases.counts(column).ranking.reaching
    kept = np.full(len(hits), True)
    if drop_intermediate and len(hits) > 2:
        kept[1:-1] = (np.diff(alarms, 2) != 0) | (np.diff(hits, 2) != 0)
    return {"fpr": np.append(0.0, alarms[kept] / alarms[-1]), "tpr": np.append(0.0, hits[kept] / hits[-1])}


class ROCOptions(TypedDict, total=False):
    """What is computed of a ROC curve, and on which scale it is drawn.

    Parameters
    ----------
    averaging : {"fpr", "threshold", "positive_rate"}
        What is fixed at each point of the band; these are different estimands: "fpr" gives a band for the true-positive
        rate at false-positive rates, "threshold" a joint rectangle for both rates at each of a few thresholds, and
        "positive_rate" limits for both rates where a share of the cases is labelled positive. The two rates then
        determine each other, so these limits are the ends of a line segment.
    at : float or array-like of shape (n_points,)
        The false-positive rates, thresholds or shares of ``averaging``. None is the rate of the first false positive,
        each hundredth, and the rates at which the curve has risen by another hundredth; up to eight thresholds, evenly
        spread along the curve; or the shares 0.1, 0.2, ..., 0.9.
    confidence_level : float
        Confidence level of the band, and of the AUC's interval.
    band : {"pointwise", "simultaneous"}
        Whether the limits are pointwise or simultaneous for all points, the latter not for averaging="positive_rate";
        None draws no band.
    method : str
        The interval or band method; None is the default of the function that computes the limits. The AUC has its own
        default.
    operating_point : dict of one str to float
        A point to mark, with limits as a cross and in the legend: ``{"tpr": 0.9}`` for the specificity at a sensitivity
        (:func:`bootstrap_roc_at_tpr`), ``{"fpr": 0.1}`` for the sensitivity at a specificity
        (:func:`bootstrap_roc_at_fpr`), ``{"threshold": 0.5}`` for both at a threshold that was fixed beforehand
        (:func:`bootstrap_roc_at_threshold`), each with the limits of its default method.
    drop_intermediate : bool
        Whether to leave out vertices between equal steps of the same direction; the picture is the same without them.
    plot_chance_level : bool
        Whether to draw the diagonal of uninformative scores.
    scale : {"linear", "det"}
        "det" draws the detection error trade-off: the false-negative rate against the false-positive rate, both on the
        scale of normal deviates, from 0.1 % to 99.9 %.
    """

    averaging: Averaging
    at: ArrayLike | None
    confidence_level: float
    band: Band | None
    method: str | None
    operating_point: Mapping[str, float] | None
    drop_intermediate: bool
    scale: Scale


class ROCPredictions(ROCOptions, ScoredRows, ModelLook, total=False): ...


class ROCModel(ROCPredictions, Response, total=False): ...


class ROCFolds(ROCOptions, ScoredRows, Response, FoldsLook, total=False): ...


@display
class ROCConfidenceDisplay(ModelDisplay):
    """A ROC curve with a confidence band or regions, and its AUC with an interval.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; the arguments below are
    stored unchanged.

    Parameters
    ----------
    fpr, tpr : ndarray of shape (n_vertices,) or list of them
        The vertices of the ROC curve; for several curves, the folds of a cross-validation, a list.
    roc_auc : float or list of float, default=None
        The area under each curve.
    roc_auc_interval : tuple of float, default=None
        Lower and upper limit of the AUC, for the legend.
    averaging : {"fpr", "threshold", "positive_rate"}, default="fpr"
        What is fixed at each point of the band: see :meth:`from_predictions`.
    band_fpr, band_tpr : ndarray of shape (n_points,), default=None
        The points of the curve to which the limits belong.
    fpr_low, fpr_high : ndarray of shape (n_points,), default=None
        Limits of the false-positive rate, unless it is fixed.
    operating_point : dict, default=None
        The marked point of the curve: "tpr" and "fpr", one a number and the other an estimate with its limits, or
        "threshold" and both rates with their limits.
    classes : list of ROCConfidenceDisplay, default=None
        The curve of each class against the rest, to be drawn on the same axes.

    Attributes
    ----------
    line_ : matplotlib Line2D or list of them
        The curve, or the curves of the folds.
    fill_between_ : matplotlib PolyCollection or None
        The band, or the rectangles.
    points_ : matplotlib Line2D or None
        The points to which the limits belong, unless the band is at fixed false-positive rates.
    operating_point_ : matplotlib ErrorbarContainer or None
        The marked point, with its limits.
    chance_level_ : matplotlib Line2D or None
        The diagonal.
    ax_ : matplotlib Axes
        The axes with the picture.
    figure_ : matplotlib Figure
        The figure of the axes.

    See Also
    --------
    bootstrap_roc_at_fpr, bootstrap_roc_at_threshold, bootstrap_roc_at_positive_rate : The numbers of the three bands.
    bootstrap_roc_at_tpr : The numbers at an operating point of a given sensitivity.
    bootstrap_auc : The AUC and its interval.

    Notes
    -----
    The curve is the empirical one. The points to which the limits belong lie on it, at the lower end of vertical steps.

    In a cross-validation, the pooled curve treats the scores of all folds as if they came from one model. Each of its
    points is the average over the folds of the rates at one common threshold, weighted by the folds' numbers of
    positives and of negatives. That is meaningful if scores of different folds are on one scale, as calibrated
    probabilities are. If not, cases are compared across scales, and the pooled AUC is below the mean of the folds. The
    legend shows both, the mean with its standard deviation. The band is for other cases scored by the same models. It
    does not include the variation between training sets, of which no unbiased estimate from one cross-validation exists
    (Bengio and Grandvalet, 2004). Where cases are tested several times, only the folds are drawn: repeats do not reduce
    the uncertainty. ``together="mean"`` draws another estimand (Hogan and Adams, 2023), the mean of the folds' curves
    at each false-positive rate, with the mean of their AUCs that cross-validation reports: each fold takes its
    threshold from the few negatives of its own test part. Its band is for the mean over these models; the limits of the
    folds are combined by MOVER.

    For several classes there is a curve of each class against the rest, with its own band, or only that of
    ``pos_label``.

    References
    ----------
    Y. Bengio and Y. Grandvalet, "No unbiased estimator of the variance of K-fold cross-validation", Journal of Machine
    Learning Research, 2004.

    J. Hogan and N. M. Adams, "On averaging ROC curves", Transactions on Machine Learning Research, 2023.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import ROCConfidenceDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X[:, :1], y, random_state=0)
    >>> display = ROCConfidenceDisplay.from_estimator(GaussianNB().fit(X_train, y_train), X_test, y_test)
    >>> display.line_.get_label()
    'GaussianNB (AUC = 0.96 [0.90, 0.98])'

    >>> from sklearn.model_selection import cross_validate
    >>> cv_results = cross_validate(GaussianNB(), X[:, :1], y, return_estimator=True, return_indices=True)
    >>> display = ROCConfidenceDisplay.from_cv_results(cv_results, X[:, :1], y)
    >>> display.line_[0].get_label()
    'AUC = 0.94 +/- 0.03'
    >>> display.pooled.line_.get_label()
    'Pooled out-of-fold scores (AUC = 0.93 [0.91, 0.95])'
    """

    fpr: Floats | list[Floats]
    tpr: Floats | list[Floats]
    roc_auc: Any = None
    roc_auc_interval: tuple[float, float] | None = None
    averaging: Averaging = "fpr"
    band_fpr: Floats | None = None
    band_tpr: Floats | None = None
    fpr_low: Floats | None = None
    fpr_high: Floats | None = None
    operating_point: Mapping[str, float] | None = None

    classes: Sequence[ROCConfidenceDisplay] | None = None

    _axes = "fpr", "tpr"
    _places = "band_fpr"
    _lists: ClassVar = ("fpr", "tpr", "roc_auc")
    _parts: ClassVar = ("fill_between_", "points_", "operating_point_")

    _numbers = staticmethod(roc_numbers)
    _has_mean = True
    _outline = staticmethod(draw.rising_band)

    @classmethod
    def from_estimator(cls, estimator: object, X: ArrayLike, y: ArrayLike, **options: Unpack[ROCModel]) -> Self:
        """Score cases with a fitted classifier, compute its ROC curve and a band, and draw them.

        Parameters
        ----------
        estimator : fitted classifier
            A classifier for two classes, or for more, each of which is then drawn against the rest.

        Raises
        ------
        ValueError
            If the estimator is not a classifier.
        AttributeError
            If it has no such response method.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from skcostci import ROCConfidenceDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> model = LogisticRegression().fit(X[::2], y[::2])
        >>> ROCConfidenceDisplay.from_estimator(model, X[1::2], y[1::2]).name
        'LogisticRegression'
        """
        if len(getattr(estimator, "classes_", ())) <= 2:
            return cls._of_estimator(estimator, X, y, **options)
        rest: Fields = {**options}
        y_score = score_classes(estimator, X, y, **among(rest, Response))
        rest["name"] = type(estimator).__name__ if rest.get("name") is None else rest["name"]
        return cls.from_predictions(y, y_score, **rest)

    @classmethod
    def from_predictions(cls, y_true: ArrayLike, y_score: ArrayLike, **options: Unpack[ROCPredictions]) -> Self:
        """Compute the ROC curve of given scores and a band, and draw them.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels of two classes or, with a column of scores for each, of more; every class present.
        y_score : array-like of shape (n_samples,)
            Finite scores, higher meaning more positive; for several classes a column for each, and ``pos_label`` then
            draws one of them alone.

        Examples
        --------
        >>> from skcostci import ROCConfidenceDisplay
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = ROCConfidenceDisplay.from_predictions(y_true, y_score, name="Risk", confidence_level=0.9)
        >>> display.name, display.confidence_level
        ('Risk', 0.9)
        """
        if np.shape(y_score)[1:] > (2,):  # a column for each of three classes or more
            return cls._of_classes(y_true, y_score, **options)
        return cls._of_predictions(y_true, {"y_score": y_score}, **options)

    @classmethod
    def from_cv_results(
        cls, cv_results: Mapping[str, object], X: ArrayLike, y: ArrayLike, **options: Unpack[ROCFolds]
    ) -> Self:
        """Draw the ROC curves of the folds of a cross-validation, and that of their scores pooled, with a band.

        Each case is scored by the models that were not fitted on it. The notes of the class explain the pooled curve
        and its band.

        Returns
        -------
        object of this class
            The display, drawn. The fields that describe the curve are lists with one entry per fold, and so is
            ``line_``; ``pooled`` is the display of the pooled scores, with the band, or None if only the folds are
            drawn.

        Raises
        ------
        ValueError
            If ``cv_results`` lacks estimators or indices, some folds have one class only and others both, or ``name``
            or ``curve_kwargs`` do not fit.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.model_selection import cross_validate
        >>> from skcostci import ROCConfidenceDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> cv_results = cross_validate(LogisticRegression(), X, y, cv=2, return_estimator=True, return_indices=True)
        >>> display = ROCConfidenceDisplay.from_cv_results(cv_results, X, y)
        >>> len(display.line_), display.pooled.name
        (2, 'Pooled out-of-fold scores')
        """
        return cls._of_cv_results(cv_results, X, y, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        scale: Scale = "linear",
        plot_chance_level: bool = False,
        **look: Unpack[PlotLook],
    ) -> Self:
        """Draw the curve; nothing is computed, and only the artists are stored.

        Examples
        --------
        >>> from matplotlib import pyplot as plt
        >>> from skcostci import ROCConfidenceDisplay
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = ROCConfidenceDisplay.from_predictions(y_true, y_score)
        >>> figure, ax = plt.subplots()
        >>> display.plot(ax, scale="det").ax_.get_ylabel()
        'False Negative Rate (Positive label: 1)'
        """
        check_option("scale", scale, Scale)
        return self._draw(ax, scale, plot_chance_level=plot_chance_level, **look)

    @classmethod
    def _of_classes(cls, y_true: ArrayLike, y_score: ArrayLike, *, name: str | None = None, **options: Any) -> Self:
        rows = among(options, ScoredRows)
        classes = one_vs_rest(y_true, y_score, **rows)
        model, how = f"{name}, " if name else "", among(options, roc_numbers)
        numbers = {f"{model}{label} against the rest": roc_numbers(x, "y_score", **how) for label, x in classes.items()}
        each = [cls(**found, name=called) for called, found in numbers.items()]
        if rows.get("pos_label") is not None:
            return each[0].plot(**options)
        lists: Fields = {key: [getattr(curve, key) for curve in each] for key in cls._lists}
        return cls(**lists, averaging=each[0].averaging, classes=each).plot(**options)

    def _draw_curves(self, name: Names, curve_kwargs: Styles, pooled_kwargs: Style, given: Style) -> None:
        """The classes one by one, each with its band; without classes as other displays."""
        if self.classes is None:
            super()._draw_curves(name, curve_kwargs, pooled_kwargs, given)
            return
        self._curves(name)  # refuses lists of other lengths
        check_fold_styles(len(self.classes), None, curve_kwargs)
        styles = curve_kwargs if isinstance(curve_kwargs, Sequence) else [curve_kwargs] * len(self.classes)
        names = name if isinstance(name, list) else [str(each.name) for each in self.classes]
        for each, label, chosen in zip(self.classes, names, styles, strict=True):
            each._start(self.ax_)
            each._draw_one(label, chosen, given)
        self.line_ = [each.line_ for each in self.classes]
        for part in self._parts:
            setattr(self, part, [getattr(each, part) for each in self.classes])

    def _of_folds(self, folds: Sequence[Cases], **how: object) -> Fields:
        shape = among(how, roc_vertices)
        curves = [roc_vertices(fold, "y_score", **shape) for fold in folds]
        lists = {key: [curve[key] for curve in curves] for key in ("fpr", "tpr")}
        areas = [float(auc_of(fold, "y_score")) for fold in folds]
        return {"averaging": self.averaging, "confidence_level": self.confidence_level, **lists, "roc_auc": areas}

    def _furnish(self, scale: Scale = "linear") -> Sequence[str]:
        which = draw.positive_label(self.pos_label)
        corner: draw.Corner = "upper right"
        if scale == "det":
            self._scale_by_deviates()
        else:
            self.ax_.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
            below_chance = bool(np.size(self.roc_auc)) and self.roc_auc is not None and np.mean(self.roc_auc) < 0.5
            corner = "upper left" if below_chance else "lower right"
        upwards = "False Negative" if scale == "det" else "True Positive"
        draw.name_axes(self.ax_, f"False Positive Rate{which}", f"{upwards} Rate{which}")
        _show_areas(self.ax_)
        draw.legend(self.ax_, corner)
        return "left", "bottom"

    def _scale_by_deviates(self) -> None:
        """Both axes in normal deviates; the axis of the true-positive rate is reversed and shows the miss rate."""
        least, most = DET_RANGE
        with np.errstate(divide="ignore"):
            self.ax_.set_xscale("function", functions=(_deviate, ndtr))
            self.ax_.set_yscale("function", functions=(lambda tpr: -_deviate(tpr), lambda z: ndtr(-z)))
        self.ax_.set(xlim=(least, most), ylim=(least, most))
        self.ax_.set_box_aspect(1)
        small = draw.settled(self.ax_).height < DEVIATE_INCHES * self.figure_.dpi
        shown_ticks = DEVIATE_TICKS[::2] if small else DEVIATE_TICKS
        for axis, ticks in ((self.ax_.xaxis, shown_ticks), (self.ax_.yaxis, 1 - shown_ticks)):
            axis.set_ticks(ticks, labels=[f"{tick:.3g}" for tick in shown_ticks])
            axis.set_ticks([], minor=True)
        self.ax_.tick_params(axis="x", labelrotation=45)

    def _draw_one(self, name: str | None, curve_kwargs: Style, given: Style) -> None:
        super()._draw_one(name, curve_kwargs, given)
        # A label that the user has set is left alone.
        if self._area_numbers and "label" not in (curve_kwargs or {}):
            vars(self.line_)[AREA] = name, self._area_numbers
        self.points_ = self._draw_points()
        self.operating_point_ = self._draw_operating_point()

    def _draw_points(self) -> Line2D | None:
        """The points of the curve to which limits belong, unless these are directly above and below it."""
        if self.fpr_low is None or self.band_fpr is None or self.band_tpr is None:
            return None
        color = self.line_.get_color()
        (points,) = self.ax_.plot(self.band_fpr, self.band_tpr, "o", markersize=3, color=color, gid=draw.SHARED)
        return points

    def _draw_operating_point(self) -> ErrorbarContainer | None:
        """A cross of limits about a marker; each model has its own marker."""
        if self.operating_point is None:
            return None
        drawn = sum(line.get_gid() == draw.POINT for line in self.ax_.get_lines())
        marker, color = MARKERS[drawn % len(MARKERS)], self.line_.get_color()
        numbers = [np.atleast_1d(self.operating_point[rate]) for rate in ("fpr", "tpr")]
        x, y = (rate[0] for rate in numbers)
        errors = [None if len(rate) == 1 else np.abs(rate[1:] - rate[0])[:, None] for rate in numbers]
        look = {"color": color, "markeredgecolor": "w", "markersize": 7, "elinewidth": 1.6, "capsize": 4, "zorder": 3}
        cross = self.ax_.errorbar(x, y, errors[1], errors[0], fmt=marker, **look)
        cross.lines[0].set(label=_point_text(self.operating_point), gid=draw.POINT)
        return cross

    def _draw_band(self, given: Style) -> PolyCollection | None:
        """A band or, where both rates have limits, one rectangle per point, or a line if they determine each other."""
        x, y = (self.fpr_low, self.fpr_high), (self.low, self.high)
        if any(limit is None for limit in (*x, *y)):
            return super()._draw_band(given)
        from matplotlib.collections import PolyCollection

        corners = np.array([[x[i] for i in (0, 1, 1, 0)], [y[i] for i in (0, 0, 1, 1)]], float).T
        look: Fields = {}
        if self.averaging == "positive_rate":  # of an open line, as dashes of a closed one would fill each other's gaps
            corners, look = corners[:, 1::2], {"linewidth": LINE_WIDTH, "closed": False}
        limits = PolyCollection(list(corners), **draw.band_style(self.ax_, self.line_, self._band_label, given, **look))
        self.ax_.add_collection(limits, autolim=False)
        draw.lighten_bands(self.ax_)
        return limits

    @property
    def _what(self) -> str:
        """The kind of limits and where they hold; rectangles cover both rates of a threshold together."""
        kind = {"threshold": "regions", "positive_rate": "limits"}.get(self.averaging, "band")
        return f"confidence {kind} ({self.band if self.band == 'simultaneous' else PLACES[self.averaging]})"

    @property
    def caption(self) -> str:
        """The text for the caption of a figure: what the band is, and its method.

        Returns
        -------
        str
            The text; for several classes it describes the band of each, for folds that of all together. Empty without a
            band.
        """
        return super().caption if self.classes is None else self.classes[0].caption

    @property
    def _of(self) -> str:
        return OF[self.averaging]

    def _draw_chance_level(self, given: Style) -> Line2D:
        return draw.reference(self.ax_, (0, 1), (0, 1), "Chance level (AUC = 0.5)", given)


def _deviate(rate: Floats) -> Floats:
    """The normal deviate of a rate; for 0 and 1 one outside the picture."""
    return np.asarray(ndtri(np.clip(rate, OFF_PICTURE, 1 - OFF_PICTURE)))


def _point_text(point: Mapping[str, float | tuple[float, ...]]) -> str:
    """Both rates at a point in the terms of diagnosis, the rate that is held first."""
    hits, (rate, *limits) = np.ravel(point["tpr"]).tolist(), np.ravel(point["fpr"]).tolist()
    rates = {"sensitivity": hits, "specificity": [1 - rate, *(1 - limit for limit in limits[::-1])]}
    known = [f"{name} {numbers[0]:g}" for name, numbers in rates.items() if len(numbers) == 1]
    unknown = {name: numbers for name, numbers in rates.items() if len(numbers) > 1}
    found = [f"{name} {draw.area_text(numbers, draw.decimals_of(numbers))}" for name, numbers in unknown.items()]
    held = known[0] if known else f"threshold {point['threshold']:.4g}"
    return f"{held.capitalize()}:\n" + ",\n".join(found)


def _show_areas(ax: Axes) -> None:
    """Give all areas in a legend the same decimals: as many as the area that needs most."""
    areas = {line: vars(line)[AREA] for line in ax.get_lines() if AREA in vars(line)}
    decimals = max((draw.decimals_of(numbers) for _, numbers in areas.values()), default=2)
    for line, (name, numbers) in areas.items():
        line.set_label(draw.shown(curve_label(name, draw.area_text(numbers, decimals), "AUC")))
