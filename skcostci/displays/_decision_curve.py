"""Decision curves, net benefit against threshold probability: their numbers and their picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skcostci._options import PointwiseBand, Together
from skcostci._validation import Floats, check_threshold_points
from skcostci.cases._cases import Cases
from skcostci.displays._display import Fields, ModelDisplay, Names, Styles, limits_of, merge_alias, several
from skcostci.displays._drawing import (
    BAND,
    SHARED,
    Style,
    draw_curve,
    draw_reference,
    legend_above,
    name_axes,
    positive_label,
)
from skcostci.displays._scores import check_scores, score_cases, score_folds
from skcostci.statistics._metric_functions import metric_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

BELOW = (0.15, 0.5)  # of the height above 0 that is shown below it: at least, and at most for the sake of a band


def decision_numbers(
    cases: Cases,
    column: str,
    *,
    thresholds: ArrayLike | None,
    standardized: bool,
    prevalence: float | None,
    confidence_level: float,
    band: PointwiseBand | None,
    method: str | None,
) -> Fields:
    """Net benefit at each threshold probability with its limits, and that of treating everybody."""
    chosen, name = decisions(thresholds, standardized)
    result = metric_of(cases, column, metric=name, thresholds=chosen, prevalence=prevalence)
    share = cases.sizes[0] / sum(cases.sizes) if prevalence is None else prevalence
    everybody = share - (1 - share) * chosen / (1 - chosen)
    return {
        "threshold_probability": chosen,
        "net_benefit": result.estimate,
        "treat_all": everybody / share if standardized else everybody,
        "standardized": standardized,
        "pos_label": cases.labels[1],
        **limits_of(result, confidence_level, method, band),
    }


def decisions(thresholds: ArrayLike | None, standardized: bool) -> tuple[Floats, str]:
    """Threshold probabilities, and the name of the metric."""
    asked = np.arange(1, 100) / 100 if thresholds is None else thresholds
    chosen = np.atleast_1d(check_threshold_points("thresholds", asked))
    return chosen, "standardized_net_benefit" if standardized else "net_benefit"


@dataclass(kw_only=True, eq=False, repr=False)
class DecisionCurveDisplay(ModelDisplay):
    """Net benefit against threshold probability with a confidence band, and what treating all or none would bring.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; everything given here
    is stored as it is. A second display on the same axes (``ax=display.ax_``) shows two models, and
    :class:`DecisionCurveDifferenceDisplay` their difference.

    Parameters
    ----------
    low, high, confidence_level, band, method, pos_label, name, pooled, together : optional
        As in :class:`ROCConfidenceDisplay`.
    threshold_probability : ndarray of shape (n_points,)
        The risks at which one is as well treated as not.
    net_benefit : ndarray of shape (n_points,) or list of them
        True positives a case less the false positives, at the odds of the threshold; of several curves, a list.
    treat_all : ndarray of shape (n_points,), default=None
        The net benefit of treating everybody; None draws neither that nor treating nobody.
    standardized : bool, default=False
        Whether it is divided by the share of positives, for the axis.

    Attributes
    ----------
    line_, fill_between_, ax_, figure_ : matplotlib artists
        As in :class:`ROCConfidenceDisplay`.
    chance_level_ : tuple of two matplotlib Line2D, or None
        Treating all, and treating none.

    See Also
    --------
    bootstrap_metric : The numbers, as "net_benefit".
    DecisionCurveDifferenceDisplay : Two models and their difference.
    bootstrap_metric_difference : Where one model is worth more than another.

    Notes
    -----
    Scores are risks: a threshold of the scores is a threshold probability. Estimators are therefore asked for
    ``predict_proba`` and nothing else. The band is pointwise and takes treating all for as uncertain as the model where
    the share of positives is.

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

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        thresholds: ArrayLike | None = None,
        standardized: bool = False,
        prevalence: float | None = None,
        confidence_level: float = 0.95,
        band: PointwiseBand | None = "pointwise",
        method: str | None = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        chance_level_kw: Style = None,
        despine: bool = False,
    ) -> Self:
        """Ask a fitted binary classifier for risks, and draw its decision curve.

        Parameters
        ----------
        estimator, X, y : fitted classifier of two classes with ``predict_proba``, cases and their labels
            As in :meth:`ROCConfidenceDisplay.from_estimator`.
        thresholds, standardized, prevalence, confidence_level, band, method, sample_weight, groups : optional
            As in :meth:`from_predictions`.
        pos_label, name : optional
            As in :meth:`ROCConfidenceDisplay.from_estimator`.
        ax, curve_kwargs, fill_between_kwargs, plot_chance_level, chance_level_kw, despine : optional
            As in :meth:`plot`.

        Returns
        -------
        object of this class
            Drawn.

        Raises
        ------
        ValueError
            If the estimator is not a binary classifier, or as in :func:`bootstrap_metric`.
        AttributeError
            As in :meth:`ROCConfidenceDisplay.from_estimator`.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from skcostci import DecisionCurveDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> model = LogisticRegression().fit(X[::2], y[::2])
        >>> DecisionCurveDisplay.from_estimator(model, X[1::2], y[1::2], thresholds=[0.2, 0.5]).name
        'LogisticRegression'
        """
        y_score, positive = score_cases(estimator, X, "predict_proba", pos_label)
        return cls.from_predictions(
            y,
            y_score,
            thresholds=thresholds,
            standardized=standardized,
            prevalence=prevalence,
            confidence_level=confidence_level,
            band=band,
            method=method,
            sample_weight=sample_weight,
            groups=groups,
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
        thresholds: ArrayLike | None = None,
        standardized: bool = False,
        prevalence: float | None = None,
        confidence_level: float = 0.95,
        band: PointwiseBand | None = "pointwise",
        method: str | None = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        chance_level_kw: Style = None,
        despine: bool = False,
    ) -> Self:
        """Compute the decision curve of given risks and what is uncertain about it, and draw them.

        Parameters
        ----------
        y_true, y_score : array-like of shape (n_samples,)
            Binary labels, both classes present, and risks, in [0, 1].
        thresholds : array-like of shape (n_points,), default=None
            Threshold probabilities in [0, 1), on the scale of the scores, which are risks; None is .01, .02, ..., .99.
        standardized : bool, default=False
            Divide by the share of positives, so that treating exactly the positives is worth 1.
        prevalence : float, default=None
            The share of positives to judge at, in (0, 1); None is that of the cases.
        confidence_level, band, method : optional
            As in :meth:`PrecisionRecallConfidenceDisplay.from_predictions`.
        sample_weight, groups, pos_label, name : optional
            As in :meth:`ROCConfidenceDisplay.from_predictions`.
        ax, curve_kwargs, fill_between_kwargs, plot_chance_level, chance_level_kw, despine : optional
            As in :meth:`plot`.

        Returns
        -------
        object of this class
            Drawn.

        Raises
        ------
        ValueError
            If the target is not binary, or as in :func:`bootstrap_metric`.

        Examples
        --------
        >>> from skcostci import DecisionCurveDisplay
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = DecisionCurveDisplay.from_predictions(y_true, y_score, thresholds=[0.2, 0.5], name="Risk")
        >>> display.net_benefit
        array([0.40625, 0.25   ])
        """
        numbers = decision_numbers(
            check_scores(y_true, {"y_score": y_score}, pos_label, sample_weight, groups),
            "y_score",
            thresholds=thresholds,
            standardized=standardized,
            prevalence=prevalence,
            confidence_level=confidence_level,
            band=band,
            method=method,
        )
        return cls(**numbers, name="Classifier" if name is None else name).plot(
            ax,
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
        thresholds: ArrayLike | None = None,
        standardized: bool = False,
        prevalence: float | None = None,
        confidence_level: float = 0.95,
        band: PointwiseBand | None = "pointwise",
        method: str | None = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
        name: Names = None,
        together: Together = "pooled",
        ax: Axes | None = None,
        curve_kwargs: Styles = None,
        pooled_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        chance_level_kw: Style = None,
        chance_level_kwargs: Style = None,
        despine: bool = False,
    ) -> Self:
        """Draw the decision curves of the folds of a cross-validation, and that of their risks pooled, with a band.

        Each case is scored by the models that have not seen it.

        Parameters
        ----------
        cv_results, X, y : dict of a cross-validation, its cases and their labels
            As in :meth:`ROCConfidenceDisplay.from_cv_results`.
        thresholds, standardized, prevalence, confidence_level, band, method, sample_weight, groups : optional
            As in :meth:`from_predictions`.
        pos_label, name : optional
            As in :meth:`ROCConfidenceDisplay.from_cv_results`.
        together : optional
            As in :meth:`PrecisionRecallConfidenceDisplay.from_cv_results`.
        ax, curve_kwargs, pooled_kwargs, fill_between_kwargs, plot_chance_level, chance_level_kw : optional
            As in :meth:`plot`.
        chance_level_kwargs, despine : optional
            As in :meth:`ROCConfidenceDisplay.from_cv_results`.

        Returns
        -------
        object of this class
            Drawn, with lists and with ``pooled`` as in :meth:`ROCConfidenceDisplay.from_cv_results`.

        Raises
        ------
        ValueError, TypeError
            As in :meth:`ROCConfidenceDisplay.from_cv_results`.

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
        numbers = partial(
            decision_numbers,
            thresholds=thresholds,
            standardized=standardized,
            prevalence=prevalence,
            confidence_level=confidence_level,
            band=band,
            method=method,
        )
        folds, pool = score_folds(cv_results, X, y, sample_weight, groups, "predict_proba", pos_label)
        return cls._from_folds(folds, pool, numbers, name, together, curve_kwargs).plot(
            ax,
            curve_kwargs=curve_kwargs,
            pooled_kwargs=pooled_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=merge_alias(chance_level_kw=chance_level_kw, chance_level_kwargs=chance_level_kwargs),
            despine=despine,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: Names = None,
        curve_kwargs: Styles = None,
        pooled_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        chance_level_kw: Style = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curve; nothing is computed and nothing stored but the artists.

        Parameters
        ----------
        ax, name, curve_kwargs, pooled_kwargs, fill_between_kwargs : optional
            As in :meth:`ROCConfidenceDisplay.plot`.
        plot_chance_level : bool, default=True
            Whether to draw treating all and treating none.
        chance_level_kw : dict, default=None
            For the lines of that.
        despine : optional
            As in :meth:`ROCConfidenceDisplay.plot`.

        Returns
        -------
        object of this class
            Itself.

        Raises
        ------
        ValueError, TypeError
            As in :meth:`ROCConfidenceDisplay.plot`.

        Examples
        --------
        >>> from skcostci import DecisionCurveDisplay
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = DecisionCurveDisplay.from_predictions(y_true, y_score)
        >>> display.plot(name="Risk", curve_kwargs={"color": "black"}).line_.get_color()
        'black'
        """
        return super().plot(
            ax,
            name=name,
            curve_kwargs=curve_kwargs,
            pooled_kwargs=pooled_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
        )

    def _of_folds(self, folds: Sequence[Cases], **question: Any) -> Fields:
        """The same thresholds in each fold."""
        numbers = [decision_numbers(fold, "y_score", **{**question, "band": None}) for fold in folds]
        kept = {"threshold_probability": self.threshold_probability, "treat_all": self.treat_all}
        return {"net_benefit": [each["net_benefit"] for each in numbers], "standardized": self.standardized, **kept}

    @property
    def _from_0_to_1(self) -> Sequence[str]:
        return ("bottom",) if self.ax_.get_xlim()[1] == 1 else ()

    def _curves(self, name: Names) -> list[tuple[Floats, Floats]] | None:
        benefits = self.net_benefit
        return [(self.threshold_probability, each) for each in benefits] if several(benefits) else None

    def _furnish(self) -> None:
        unit = "Standardized net benefit" if self.standardized else "Net benefit"
        name_axes(self.ax_, "Threshold probability", f"{unit}{positive_label(self.pos_label)}")
        largest = float(self.ax_.dataLim.x1)  # of all displays on these axes
        self.ax_.set_xlim(0, 1.0 if largest > 0.9 else largest)
        legend_above(self.ax_, span=self._span())

    def _draw_one(self, name: str | None, curve_kwargs: Style, *, given: Style) -> None:
        """The curve and its band."""
        self.line_ = draw_curve(self.ax_, self.threshold_probability, self.net_benefit, name, curve_kwargs)
        self.fill_between_ = self._draw_band(self.threshold_probability, given)

    def _draw_chance_level(self, given: Style) -> tuple[Line2D, Line2D] | None:
        """What takes no model."""
        if self.treat_all is None:
            return None
        x, nobody = self.threshold_probability, np.zeros_like(self.threshold_probability)
        return (
            draw_reference(self.ax_, x, self.treat_all, "Treat all", given, color="0.5", linestyle=":"),
            draw_reference(self.ax_, x, nobody, "Treat none", given, color="0.5", linestyle="-"),
        )

    def _span(self) -> tuple[float, float]:
        """From the lower limits to the highest of what is drawn; losses may be large, and are then of no interest."""
        tops = [np.nanmax(line.get_ydata()) for line in self.ax_.get_lines()]
        bands = [each for each in self.ax_.collections if each.get_gid() in (BAND, SHARED)]  # of all displays
        edges = [np.asarray(path.vertices)[:, 1] for band in bands for path in band.get_paths()]
        top = float(max(*tops, *(np.max(edge) for edge in edges), 1e-3))
        least, most = (-share * top for share in BELOW)
        return max(min(least, *(float(np.min(edge)) for edge in edges), 0.0), most), top
