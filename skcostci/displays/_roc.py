"""The picture of a ROC curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skcostci._validation import Floats
from skcostci.displays._base import (
    SHARED,
    CurveDisplay,
    Style,
    add_legend,
    band_label,
    band_style,
    draw_curve,
    positive_label,
    rectangles,
    shared_label,
    slanted_band,
    style,
)
from skcostci.displays._folds import (
    Names,
    Styles,
    check_as_many,
    check_fold_styles,
    curve_label,
    draw_folds,
    fold_labels,
    merge_alias,
    only,
    pooled_name,
)
from skcostci.displays._roc_numbers import confidence_numbers, curve_numbers
from skcostci.displays._scores import Cases, check_target, score_cases, score_folds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D

WHAT = {
    "fpr": "pointwise at fixed FPR",
    "threshold": "for both rates at fixed threshold",
    "positive_rate": "pointwise at fixed budget",
}


class ROCConfidenceDisplay(CurveDisplay):
    """A ROC curve with what is uncertain about it, and its AUC with an interval.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; everything given here
    is stored as it is.

    Parameters
    ----------
    fpr, tpr : ndarray of shape (n_vertices,) or list of them
        The vertices of the ROC curve; of several curves, the folds of a cross-validation, a list.
    roc_auc : float or list of float, default=None
        The area under each curve.
    roc_auc_interval : tuple of float, default=None
        Lower and upper limit of the AUC, for the legend.
    averaging : {"fpr", "threshold", "positive_rate"}, default="fpr"
        What is held fixed where the curve is uncertain: see :meth:`from_predictions`.
    band_fpr, band_tpr : ndarray of shape (n_points,), default=None
        The points of the curve that the limits belong to.
    low, high : ndarray of shape (n_points,), default=None
        Limits of the true-positive rate; None draws no band.
    fpr_low, fpr_high : ndarray of shape (n_points,), default=None
        Limits of the false-positive rate, unless that is what is held fixed.
    confidence_level : float, default=None
        Of the limits, for the legend.
    method : str, default=None
        How the limits were found, for the legend.
    name : str or list of str, default=None
        Of the model, or of each fold, for the legend.
    pos_label : int, float, bool or str, default=None
        The positive label, for the axes.
    pooled : ROCConfidenceDisplay, default=None
        The curve of all folds together, to be drawn with them.

    Attributes
    ----------
    line_ : matplotlib Line2D or list of them
        The curve, or the curves of the folds.
    fill_between_ : matplotlib PolyCollection or None
        The band, or the rectangles.
    points_ : matplotlib Line2D or None
        The points that the limits belong to, unless the band is at fixed false-positive rates.
    chance_level_ : matplotlib Line2D or None
        The diagonal.
    ax_ : matplotlib Axes
        Where it is drawn.
    figure_ : matplotlib Figure
        The figure of the axes.

    See Also
    --------
    bootstrap_roc_at_fpr, bootstrap_roc_at_threshold, bootstrap_roc_at_positive_rate : The numbers of the three bands.
    bootstrap_auc : The AUC and its interval.

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
    'GaussianNB (AUC = 0.96 [0.91, 0.98])'
    """

    points_: Line2D | None
    fill_between_: PolyCollection | None

    def __init__(
        self,
        *,
        fpr: Floats | list[Floats],
        tpr: Floats | list[Floats],
        roc_auc: Any = None,
        roc_auc_interval: tuple[float, float] | None = None,
        averaging: str = "fpr",
        band_fpr: Floats | None = None,
        band_tpr: Floats | None = None,
        low: Floats | None = None,
        high: Floats | None = None,
        fpr_low: Floats | None = None,
        fpr_high: Floats | None = None,
        confidence_level: float | None = None,
        method: str | None = None,
        name: str | list[str] | None = None,
        pos_label: Any = None,
        pooled: ROCConfidenceDisplay | None = None,
    ) -> None:
        self.fpr = fpr
        self.tpr = tpr
        self.roc_auc = roc_auc
        self.roc_auc_interval = roc_auc_interval
        self.averaging = averaging
        self.band_fpr = band_fpr
        self.band_tpr = band_tpr
        self.low = low
        self.high = high
        self.fpr_low = fpr_low
        self.fpr_high = fpr_high
        self.confidence_level = confidence_level
        self.method = method
        self.name = name
        self.pos_label = pos_label
        self.pooled = pooled

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        averaging: str = "fpr",
        fpr: ArrayLike | None = None,
        thresholds: ArrayLike | None = None,
        positive_rate: ArrayLike | None = None,
        sampling: str = "stratified",
        confidence_level: float = 0.95,
        method: str | None = None,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = False,
        chance_level_kw: Style = None,
        despine: bool = False,
    ) -> Self:
        """Score cases with a fitted binary classifier, compute its ROC curve and band, and draw them.

        Parameters
        ----------
        estimator : fitted classifier
            With two classes.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases the estimator has not been fitted on.
        y : array-like of shape (n_samples,)
            Their labels.
        averaging, fpr, thresholds, positive_rate, sampling, confidence_level, method, sample_weight
            As in :meth:`from_predictions`.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            Where the scores come from; "auto" takes the first that the estimator has.
        pos_label : int, float, bool or str, default=None
            The positive class; None is ``estimator.classes_[1]``.
        name : str, default=None
            For the legend; None is the estimator's class name.
        ax, curve_kwargs, fill_between_kwargs, plot_chance_level, chance_level_kw, despine
            As in :meth:`plot`.

        Returns
        -------
        display : ROCConfidenceDisplay
            Drawn.

        Raises
        ------
        ValueError
            If the estimator is not a binary classifier, or as in :meth:`from_predictions`.
        AttributeError
            If it has no such response method.
        """
        y_score, positive = score_cases(estimator, X, response_method, pos_label)
        return cls.from_predictions(
            y,
            y_score,
            averaging=averaging,
            fpr=fpr,
            thresholds=thresholds,
            positive_rate=positive_rate,
            sampling=sampling,
            confidence_level=confidence_level,
            method=method,
            sample_weight=sample_weight,
            pos_label=positive,
            name=type(estimator).__name__ if name is None else name,
            ax=ax,
            curve_kwargs=curve_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        averaging: str = "fpr",
        fpr: ArrayLike | None = None,
        thresholds: ArrayLike | None = None,
        positive_rate: ArrayLike | None = None,
        sampling: str = "stratified",
        confidence_level: float = 0.95,
        method: str | None = None,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = False,
        chance_level_kw: Style = None,
        despine: bool = False,
    ) -> Self:
        """Compute the ROC curve of given scores, what is uncertain about it, and its AUC, and draw them.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Binary labels, both classes present.
        y_score : array-like of shape (n_samples,)
            Finite scores, higher meaning more positive.
        averaging : {"fpr", "threshold", "positive_rate"}, default="fpr"
            What is held fixed; each answers a question of its own.

            - "fpr": a band for the true-positive rate at each false-positive rate.
            - "threshold": a rectangle for both rates together at each of a few thresholds.
            - "positive_rate": limits for both rates when a share of the cases is labelled positive. They go together:
              more hits are fewer false alarms, so the band lies along the lines of equal shares.
        fpr : array-like of shape (n_points,), default=None
            The false-positive rates of averaging="fpr"; None as in :func:`bootstrap_roc_at_fpr`.
        thresholds : float or array-like of shape (n_points,), default=None
            The thresholds of averaging="threshold"; None are eight, evenly spread along the curve.
        positive_rate : float or array-like of shape (n_points,), default=None
            The shares of averaging="positive_rate", in [0, 1]; None are the tenths.
        sampling : {"stratified", "full"}, default="stratified"
            Of the AUC, and of averaging="positive_rate".
        confidence_level : float, default=0.95
            Of the limits, pointwise, and of the AUC's interval.
        method : str, default=None
            Interval method of the limits; None is the default of the function. The AUC has its own default.
        sample_weight : array-like of shape (n_samples,), default=None
            Frequency weights.
        pos_label : int, float, bool or str, default=None
            The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
        name : str, default=None
            For the legend; None is "Classifier".
        ax, curve_kwargs, fill_between_kwargs, plot_chance_level, chance_level_kw, despine
            As in :meth:`plot`.

        Returns
        -------
        display : ROCConfidenceDisplay
            Drawn.

        Raises
        ------
        ValueError
            If the target is not binary, if ``fpr``, ``thresholds`` or ``positive_rate`` is given with another
            averaging, or as in the functions that compute the numbers.

        Notes
        -----
        The curve is the empirical one, and the points that the limits belong to lie on it: at false-positive rate
        r / n_negative the lower end of the curve's vertical step. Where positives and negatives are tied the curve is
        slanted and the point lies above it, because a tie is a hit there.
        """
        check_target(y_true)
        cases = Cases(y_true, y_score, pos_label, sample_weight)
        places = {"fpr": fpr, "thresholds": thresholds, "positive_rate": positive_rate}
        numbers = confidence_numbers(cases, averaging, places, sampling, confidence_level, method)
        display = cls(
            **numbers,
            averaging=averaging,
            confidence_level=confidence_level,
            name="Classifier" if name is None else name,
            pos_label=cases.positive,
        )
        return display.plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: ArrayLike,
        y: ArrayLike,
        *,
        averaging: str = "fpr",
        fpr: ArrayLike | None = None,
        thresholds: ArrayLike | None = None,
        positive_rate: ArrayLike | None = None,
        sampling: str = "stratified",
        confidence_level: float = 0.95,
        method: str | None = None,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: Names = None,
        ax: Axes | None = None,
        curve_kwargs: Styles = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = False,
        chance_level_kw: Style = None,
        chance_level_kwargs: Style = None,
        despine: bool = False,
    ) -> Self:
        """Draw the ROC curves of the folds of a cross-validation, and of their scores pooled, with a band.

        Parameters
        ----------
        cv_results : dict
            From :func:`sklearn.model_selection.cross_validate` with ``return_estimator=True`` and
            ``return_indices=True``, each case tested at most once.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The cases that were given to it.
        y : array-like of shape (n_samples,)
            Their labels.
        averaging, fpr, thresholds, positive_rate, sampling, confidence_level, method, sample_weight
            As in :meth:`from_predictions`, for the pooled scores.
        response_method, pos_label
            As in :meth:`from_estimator`.
        name : str or list of str, default=None
            For the legend; a list, one name a fold, needs a list of ``curve_kwargs``.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        curve_kwargs : dict or list of dict, default=None
            For the curves of the folds: one for all of them, which the legend then has once with the mean AUC and its
            standard deviation, or one for each, and an entry for each.
        fill_between_kwargs, plot_chance_level, chance_level_kw, despine
            As in :meth:`plot`.
        chance_level_kwargs : dict, default=None
            What scikit-learn calls ``chance_level_kw`` here.

        Returns
        -------
        display : ROCConfidenceDisplay
            Drawn. ``fpr``, ``tpr``, ``roc_auc`` and ``line_`` are lists, one entry a fold; ``pooled`` is the display of
            the pooled scores, with the band.

        Raises
        ------
        ValueError
            If ``cv_results`` lacks estimators or indices, a case is tested more than once, a fold has one class only,
            ``name`` or ``curve_kwargs`` do not fit, or as in :meth:`from_predictions`.
        TypeError
            If one option is given under two names.

        Notes
        -----
        Each case is scored by the one model that has not seen it, and the pooled curve takes these scores as if one
        model had given them. A point of it is the average over the folds of the rates at one common threshold, so it
        means something if a score means the same from every fold, as calibrated probabilities do; if not, cases are
        compared across scales, and the pooled AUC falls below the mean of the folds', which the legend shows beside
        it. The band is for other cases scored by these same models: that another training set would have given other
        models is not in it, and no unbiased estimate of that from one cross-validation exists (Bengio and
        Grandvalet, 2004). Averages of the folds' curves are another estimand (Hogan and Adams, 2023) and are not
        offered: each fold would take its threshold from the few negatives of its own test part.

        References
        ----------
        Y. Bengio and Y. Grandvalet, "No unbiased estimator of the variance of K-fold cross-validation", Journal of
        Machine Learning Research, 2004.
        J. Hogan and N. M. Adams, "On averaging ROC curves", Transactions on Machine Learning Research, 2023.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.model_selection import cross_validate
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skcostci import ROCConfidenceDisplay
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> cv_results = cross_validate(GaussianNB(), X[:, :1], y, return_estimator=True, return_indices=True)
        >>> display = ROCConfidenceDisplay.from_cv_results(cv_results, X[:, :1], y)
        >>> display.line_[0].get_label()
        '5 folds (AUC = 0.94 +/- 0.03)'
        >>> display.pooled.line_.get_label()
        'Pooled out-of-fold scores (AUC = 0.93 [0.91, 0.95])'
        """
        folds, pooled = score_folds(
            cv_results, X, y, sample_weight=sample_weight, response_method=response_method, pos_label=pos_label
        )
        chance_level_kw = merge_alias({"chance_level_kw": chance_level_kw, "chance_level_kwargs": chance_level_kwargs})
        check_fold_styles(len(folds), name, curve_kwargs)
        places = {"fpr": fpr, "thresholds": thresholds, "positive_rate": positive_rate}
        shared = {
            "averaging": averaging,
            "confidence_level": confidence_level,
            "pos_label": pooled.positive,
        }
        numbers = confidence_numbers(pooled, averaging, places, sampling, confidence_level, method)
        curves = [curve_numbers(fold) for fold in folds]
        display = cls(
            fpr=[curve["fpr"] for curve in curves],
            tpr=[curve["tpr"] for curve in curves],
            roc_auc=[curve["roc_auc"] for curve in curves],
            name=name,
            pooled=cls(**numbers, **shared, name=pooled_name(name)),
            **shared,
        )
        return display.plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: Names = None,
        curve_kwargs: Styles = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = False,
        chance_level_kw: Style = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curve; nothing is computed and nothing stored but the artists.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        name : str or list of str, default=None
            For the legend; None is the display's own.
        curve_kwargs : dict or list of dict, default=None
            For matplotlib's ``plot``; of several folds one for all or one for each.
        fill_between_kwargs : dict, default=None
            For the band, or the rectangles: what matplotlib's ``fill_between`` takes.
        plot_chance_level : bool, default=False
            Whether to draw the diagonal.
        chance_level_kw : dict, default=None
            For its line.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        display : ROCConfidenceDisplay
            Itself.

        Raises
        ------
        ValueError
            If ``name`` or ``curve_kwargs`` do not fit the number of curves.
        TypeError
            If a style is given under two names, such as ``c`` and ``color``.
        """
        self._start(ax)
        name = self.name if name is None else name
        if isinstance(self.fpr, list) and np.ndim(self.fpr[0]):
            self._draw_folds(self.fpr, name, curve_kwargs, fill_between_kwargs)
        else:
            check_fold_styles(1, name, curve_kwargs)
            self._draw_one(only(name), only(curve_kwargs), fill_between_kwargs)
        self.chance_level_ = self._draw_chance_level(chance_level_kw) if plot_chance_level else None
        which = positive_label(self.pos_label)
        self.ax_.set(xlabel=f"False Positive Rate{which}", ylabel=f"True Positive Rate{which}")
        self.ax_.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        corner = "lower right" if self.roc_auc is None or np.mean(self.roc_auc) >= 0.5 else "upper left"
        add_legend(self.ax_, corner, lambda width, height: width + height < 1)
        if despine:
            self._despine(("left", "bottom"))
        return self

    def _draw_one(self, name: str | None, curve_kwargs: Style, fill_between_kwargs: Style) -> None:
        """The curve and what is uncertain about it."""
        label = curve_label(name, self._auc_text())
        self.line_ = draw_curve(self.ax_, self.fpr, self.tpr, label, curve_kwargs)
        self.points_ = self._draw_points()
        self.fill_between_ = self._draw_limits(fill_between_kwargs)

    def _draw_folds(self, fpr: list[Floats], name: Names, curve_kwargs: Styles, fill_between_kwargs: Style) -> None:
        """The curves of the folds behind that of their scores together."""
        aucs = {} if self.roc_auc is None else {"roc_auc": np.size(self.roc_auc)}
        check_as_many({"fpr": len(fpr), "tpr": len(self.tpr), **aucs})
        check_fold_styles(len(fpr), name, curve_kwargs)
        self.points_, self.fill_between_, color = None, None, "C0"
        if self.pooled is not None:
            self.pooled._start(self.ax_)
            self.pooled._draw_one(pooled_name(name), None, fill_between_kwargs)
            self.points_, self.fill_between_ = self.pooled.points_, self.pooled.fill_between_
            color = self.pooled.line_.get_color()
        labels = fold_labels(len(fpr), name, curve_kwargs, self.roc_auc)
        self.line_ = draw_folds(self.ax_, list(zip(fpr, self.tpr, strict=True)), labels, curve_kwargs, color)

    def _auc_text(self) -> str | None:
        """The AUC with its interval, as far as they are known."""
        if self.roc_auc is None or self.roc_auc_interval is None:
            return None if self.roc_auc is None else f"{self.roc_auc:.2f}"
        low, high = map(_short_of_one, self.roc_auc_interval)
        return f"{self.roc_auc:.2f} [{low}, {high}]"

    def _draw_points(self) -> Line2D | None:
        """Where on the curve the limits belong, if they are not above and below it."""
        if self.fpr_low is None or self.band_fpr is None or self.band_tpr is None:
            return None
        color = self.line_.get_color()
        (points,) = self.ax_.plot(self.band_fpr, self.band_tpr, "o", markersize=3, color=color, gid=SHARED)
        return points

    def _draw_limits(self, given: Style) -> PolyCollection | None:
        """A band over false-positive rates, rectangles, or a band across the lines of equal shares."""
        if self.band_fpr is None or self.low is None or self.high is None:
            return None
        if self.fpr_low is None or self.fpr_high is None:
            return self._draw_band(self.band_fpr, WHAT[self.averaging], given)
        from matplotlib.collections import PolyCollection

        corners = rectangles if self.averaging == "threshold" else slanted_band
        vertices = list(corners(self.fpr_low, self.fpr_high, self.low, self.high))
        label = band_label(self.confidence_level, WHAT[self.averaging], self.method)
        limits = PolyCollection(vertices, **band_style(self.ax_, self.line_, label, given))
        self.ax_.add_collection(limits, autolim=False)
        return limits

    def _draw_chance_level(self, given: Style) -> Line2D:
        """The curve of scores that know nothing."""
        label = shared_label(self.ax_, "Chance level (AUC = 0.5)")
        defaults = {"label": label, "color": "k", "linestyle": "--", "linewidth": 1, "gid": SHARED}
        (line,) = self.ax_.plot((0, 1), (0, 1), **style("Line2D", defaults, given))
        return line


def _short_of_one(value: float) -> str:
    """Two decimals, or three where two would make it 1: certainty is not a matter of rounding."""
    return f"{value:.2f}" if value == 1 or value < 0.995 else f"{min(value, 0.999):.3f}"
