"""Decision curves (net benefit against threshold probability) of one model, and of two models with their difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Floats
from skcostci._options import Label, PointwiseBand, Together, WeightType
from skcostci._validation._arguments import ANY
from skcostci.cases._cases import Cases
from skcostci.displays._display import (
    Fields,
    PairDisplay,
    check_pair,
    check_scores,
    limits_of,
    model_name,
    model_names,
    score_cases,
    score_two,
)
from skcostci.displays._drawing import (
    BAND,
    SHARED,
    Style,
    despine_axes,
    draw_reference,
    legend_above,
    name_axes,
    positive_label,
    two_axes,
)
from skcostci.displays._folds import (
    ModelDisplay,
    Names,
    Styles,
    one_chance_style,
    score_folds,
)
from skcostci.statistics._any_metric import metric_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

MARGIN = 0.03  # empty strip below the curve, as a share of the axes' height
WIDE = 3.0  # times the median standard error at useful thresholds: default thresholds end where errors exceed it
VERY_WIDE = 6.0  # times the median width: wider limits may be cut off by the axes
LEAST_WORTH = 1 / 20  # least useful net benefit, as a share of the net benefit of treating exactly the positives
BELOW = (0.15, 0.5)  # range shown below 0, as a share of the height above 0: at least, and at most, for a band


def decision_numbers(
    cases: Cases,
    column: str,
    *,
    thresholds: ArrayLike | None,
    standardized: bool,
    prevalence: float | None,
    confidence_level: float,
    band: PointwiseBand | None,
    method: str | None = None,
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
    given = np.arange(1, 100) / 100 if thresholds is None else thresholds
    chosen = np.atleast_1d(ANY.points("thresholds", given))
    return chosen, "standardized_net_benefit" if standardized else "net_benefit"


def unit_of(standardized: bool) -> str:
    """The quantity that is drawn."""
    return "standardized net benefit" if standardized else "net benefit"


@dataclass(kw_only=True, eq=False, repr=False)
class DecisionCurveDisplay(ModelDisplay):
    """Net benefit against threshold probability with a confidence band, and the net benefit of treating all or none.

    Use :meth:`from_estimator`, :meth:`from_predictions` or :meth:`from_cv_results` to make one; the arguments below are
    stored unchanged. A second display on the same axes (``ax=display.ax_``) shows two models, and
    :class:`DecisionCurveDifferenceDisplay` their difference.

    Parameters
    ----------
    low, high, confidence_level, band, method, pos_label, name, pooled, together : optional
        As in :class:`ROCConfidenceDisplay`.
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
        As in :class:`ROCConfidenceDisplay`.
    chance_level_ : tuple of two matplotlib Line2D, or None
        The lines of treating all and of treating none.

    See Also
    --------
    bootstrap_metric : The numbers, as "net_benefit".
    DecisionCurveDifferenceDisplay : Two models and their difference.
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

    @classmethod
    def from_estimator(
        cls,
        estimator: object,
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
        weight_type: WeightType = "counts",
        groups: ArrayLike | None = None,
        pos_label: Label | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        chance_level_kw: Style = None,
        despine: bool = False,
    ) -> Self:
        """Predict risks with a fitted binary classifier, and draw its decision curve.

        Parameters
        ----------
        estimator, X, y : fitted classifier of two classes with ``predict_proba``, cases and their labels
            As in :meth:`ROCConfidenceDisplay.from_estimator`.
        thresholds, standardized, prevalence, confidence_level, band, method : optional
            As in :meth:`from_predictions`.
        sample_weight, weight_type, groups : optional
            As in :meth:`from_predictions`.
        pos_label, name : optional
            As in :meth:`ROCConfidenceDisplay.from_estimator`.
        ax, curve_kwargs, fill_between_kwargs, plot_chance_level, chance_level_kw, despine : optional
            As in :meth:`plot`.

        Returns
        -------
        object of this class
            The display, drawn.

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
            weight_type=weight_type,
            groups=groups,
            ax=ax,
            curve_kwargs=curve_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
            pos_label=positive,
            name=model_name(estimator, name),
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
        weight_type: WeightType = "counts",
        groups: ArrayLike | None = None,
        pos_label: Label | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        chance_level_kw: Style = None,
        despine: bool = False,
    ) -> Self:
        """Compute the decision curve of given risks and its band, and draw them.

        Parameters
        ----------
        y_true, y_score : array-like of shape (n_samples,)
            Binary labels, both classes present, and risks, in [0, 1].
        thresholds : array-like of shape (n_points,), default=None
            Threshold probabilities in [0, 1), on the scale of the scores, which are risks; None is 0.01, 0.02, ...,
            0.99.
        standardized : bool, default=False
            Divide by the share of positives, so that treating exactly the positives has the value 1.
        prevalence : float, default=None
            The share of positives at which net benefits are evaluated, in (0, 1); None is the share in the sample.
        confidence_level, band, method : optional
            As in :meth:`PrecisionRecallConfidenceDisplay.from_predictions`.
        sample_weight, weight_type, groups, pos_label, name : optional
            As in :meth:`ROCConfidenceDisplay.from_predictions`.
        ax, curve_kwargs, fill_between_kwargs, plot_chance_level, chance_level_kw, despine : optional
            As in :meth:`plot`.

        Returns
        -------
        object of this class
            The display, drawn.

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
        cases = check_scores(
            y_true,
            {"y_score": y_score},
            pos_label=pos_label,
            sample_weight=sample_weight,
            weight_type=weight_type,
            groups=groups,
        )
        numbers = decision_numbers(
            cases,
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
        cv_results: Mapping[str, object],
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
        weight_type: WeightType = "counts",
        groups: ArrayLike | None = None,
        pos_label: Label | None = None,
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

        Each case is scored by the models that were not fitted on it.

        Parameters
        ----------
        cv_results, X, y : dict of a cross-validation, its cases and their labels
            As in :meth:`ROCConfidenceDisplay.from_cv_results`.
        thresholds, standardized, prevalence, confidence_level, band, method : optional
            As in :meth:`from_predictions`.
        sample_weight, weight_type, groups : optional
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
            The display, drawn, with lists and with ``pooled`` as in :meth:`ROCConfidenceDisplay.from_cv_results`.

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
        chance = one_chance_style(chance_level_kw, chance_level_kwargs)
        folds, pool = score_folds(
            cv_results,
            X,
            y,
            "predict_proba",
            pos_label=pos_label,
            sample_weight=sample_weight,
            weight_type=weight_type,
            groups=groups,
        )
        display = cls._of_cv_folds(
            folds,
            pool,
            name=name,
            together=together,
            curve_kwargs=curve_kwargs,
            numbers=lambda cases: decision_numbers(
                cases,
                "y_score",
                thresholds=thresholds,
                standardized=standardized,
                prevalence=prevalence,
                confidence_level=confidence_level,
                band=band,
                method=method,
            ),
            mean_numbers=None,
            of_each=lambda pooled, several: pooled._of_folds(
                several, thresholds=thresholds, standardized=standardized, prevalence=prevalence
            ),
        )
        return display.plot(
            ax,
            curve_kwargs=curve_kwargs,
            pooled_kwargs=pooled_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_chance_level=plot_chance_level,
            despine=despine,
            chance_level_kw=chance,
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
        """Draw the curve; nothing is computed, and only the artists are stored.

        Parameters
        ----------
        ax, name, curve_kwargs, pooled_kwargs, fill_between_kwargs : optional
            As in :meth:`ROCConfidenceDisplay.plot`.
        plot_chance_level : bool, default=True
            Whether to draw treating all and treating none.
        chance_level_kw : dict, default=None
            Options of these lines.
        despine : optional
            As in :meth:`ROCConfidenceDisplay.plot`.

        Returns
        -------
        object of this class
            The display itself.

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
        return self._draw(
            ax,
            name=name,
            curve_kwargs=curve_kwargs,
            pooled_kwargs=pooled_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
            draw_one=lambda display, label, look: display._draw_one(label, look, fill_between_kwargs),
            furnish=self._furnish,
        )

    def _of_folds(
        self, folds: Sequence[Cases], *, thresholds: ArrayLike | None, standardized: bool, prevalence: float | None
    ) -> Fields:
        """The curves of the folds at the same thresholds."""
        numbers = [
            decision_numbers(
                fold,
                "y_score",
                thresholds=thresholds,
                standardized=standardized,
                prevalence=prevalence,
                confidence_level=0.95,
                band=None,
            )
            for fold in folds
        ]
        kept = {"threshold_probability": self.threshold_probability, "treat_all": self.treat_all}
        return {"net_benefit": [each["net_benefit"] for each in numbers], "standardized": self.standardized, **kept}

    def _furnish(self) -> Sequence[str]:
        unit = unit_of(self.standardized).capitalize()
        name_axes(self.ax_, "Threshold probability", f"{unit}{positive_label(self.pos_label)}")
        largest = float(self.ax_.dataLim.x1)  # of all displays on these axes
        self.ax_.set_xlim(0, 1.0 if largest > 0.9 else largest)
        legend_above(self.ax_, span=self._span())
        return ("bottom",) if largest > 0.9 else ()

    @property
    def _of(self) -> str:
        return f" of the {unit_of(self.standardized)}"

    def _draw_chance_level(self, given: Style) -> tuple[Line2D, Line2D] | None:
        """The curves of treating everybody and nobody."""
        if self.treat_all is None:
            return None
        x, nobody = self.threshold_probability, np.zeros_like(self.threshold_probability)
        return (
            draw_reference(self.ax_, x, self.treat_all, "Treat all", given, color="0.5", linestyle=":"),
            draw_reference(self.ax_, x, nobody, "Treat none", given, color="0.5", linestyle="-"),
        )

    def _span(self) -> tuple[float, float]:
        """From the lower limits to the highest value drawn; large losses are cut off."""
        tops = [np.nanmax(line.get_ydata()) for line in self.ax_.get_lines()]
        bands = [each for each in self.ax_.collections if each.get_gid() in (BAND, SHARED)]  # of all displays
        edges = [np.asarray(path.vertices)[:, 1] for band in bands for path in band.get_paths()]
        top = float(max(*tops, *(np.max(edge) for edge in edges), 1e-3))
        least, most = (-share * top for share in BELOW)
        return max(min(least, *(float(np.min(edge)) for edge in edges), 0.0), most), top


def decision_difference_numbers(
    cases: Cases,
    names: tuple[str, str],
    *,
    thresholds: ArrayLike | None,
    standardized: bool,
    prevalence: float | None,
    confidence_level: float,
    band: PointwiseBand | None,
    method: str | None,
) -> Fields:
    """The net benefit of one model minus that of the other with its limits, and the curve of each."""
    chosen, metric = decisions(thresholds, standardized)
    a, b = cases.columns
    ask = partial(metric_of, cases, a, b, metric=metric, prevalence=prevalence)
    result = ask(thresholds=chosen)
    if thresholds is None:
        chosen = chosen[: _that_matter(cases, chosen, prevalence, np.asarray(result.standard_error))]
        result = ask(thresholds=chosen)
    options: Fields = {"thresholds": chosen, "standardized": standardized, "prevalence": prevalence}
    options |= {"confidence_level": confidence_level, "band": band}
    return {
        "threshold_probability": chosen,
        "difference": result.estimate,
        "standardized": standardized,
        "models": tuple(
            DecisionCurveDisplay(**decision_numbers(cases, column, **options), name=name)
            for column, name in zip(cases.columns, names, strict=True)
        ),
        "pos_label": cases.labels[1],
        **limits_of(result, confidence_level, method, band),
    }


def _that_matter(cases: Cases, thresholds: Floats, prevalence: float | None, spread: Floats) -> int:
    """The number of thresholds up to the last relevant one, at least two.

    At the last relevant threshold one of the models has a useful net benefit, and up to it the standard error of the
    difference is of the usual size: beyond, the odds of the threshold give a few cases so much weight that they fill
    the picture.
    """
    ask = partial(metric_of, cases, metric="standardized_net_benefit", thresholds=thresholds, prevalence=prevalence)
    worth = np.max([np.asarray(ask(column).estimate) for column in cases.columns], axis=0)
    used = worth > LEAST_WORTH
    usual = float(np.median(spread[used])) if used.any() else 0.0
    vague = usual > 0 and spread > WIDE * usual
    known = int(np.argmax(vague)) if np.any(vague) else len(thresholds)
    return 1 + int(np.max(np.flatnonzero(used[:known]), initial=1))


@dataclass(kw_only=True, eq=False, repr=False)
class DecisionCurveDifferenceDisplay(PairDisplay):
    """Net benefit of two models against threshold probability and, below, their difference with a band.

    Use :meth:`from_estimators` or :meth:`from_predictions` to make one; the arguments below are stored unchanged.

    Parameters
    ----------
    low, high, confidence_level, band, method, pos_label : optional
        As in :class:`ROCConfidenceDisplay`.
    difference : ndarray of shape (n_points,)
        The net benefit of a minus that of b.
    name_a, name_b : optional
        As in :class:`PairedCostDifferenceDisplay`.
    threshold_probability : ndarray of shape (n_points,)
        The threshold probabilities: risks at which treatment and no treatment are equally good.
    standardized : bool, default=False
        Whether net benefits are divided by the share of positives, for the axis.
    models : tuple of two DecisionCurveDisplay, default=None
        The curves of a and of b, drawn above; None draws the difference alone.

    Attributes
    ----------
    line_, fill_between_, chance_level_, ax_, figure_ : matplotlib artists
        As in :class:`PairedCostDifferenceDisplay`.
    curve_ax_ : matplotlib Axes or None
        Where the decision curves are drawn.

    See Also
    --------
    DecisionCurveDisplay : One model, with treating all and treating none.
    bootstrap_metric_difference : The numbers, as "net_benefit".

    Notes
    -----
    Scores are risks, on the same scale for both models. The bands are pointwise: the probability that the whole curve
    is inside is lower than the level.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcostci import DecisionCurveDifferenceDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X[:, :4] / 100, y, random_state=0)
    >>> models = LogisticRegression().fit(X_train, y_train), GaussianNB().fit(X_train, y_train)
    >>> display = DecisionCurveDifferenceDisplay.from_estimators(*models, X_test, y_test)
    >>> display.line_.get_label()
    'LogisticRegression − GaussianNB'
    """

    threshold_probability: Floats
    standardized: bool = False
    models: tuple[DecisionCurveDisplay, DecisionCurveDisplay] | None = None

    @classmethod
    def from_estimators(
        cls,
        estimator_a: object,
        estimator_b: object,
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
        weight_type: WeightType = "counts",
        groups: ArrayLike | None = None,
        pos_label: Label | None = None,
        name_a: str | None = None,
        name_b: str | None = None,
        ax: Axes | Sequence[Axes] | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        despine: bool = False,
    ) -> Self:
        """Predict risks of the same cases with two fitted binary classifiers, and draw the difference in net benefit.

        Parameters
        ----------
        estimator_a, estimator_b, X, y : fitted classifiers with ``predict_proba``, cases and their labels
            As in :meth:`PairedCostDifferenceDisplay.from_estimators`.
        thresholds, standardized, prevalence, confidence_level, band, method : optional
            As in :meth:`from_predictions`.
        sample_weight, weight_type, groups, pos_label, name_a, name_b : optional
            As in :meth:`PairedCostDifferenceDisplay.from_estimators`.
        ax, curve_kwargs, fill_between_kwargs, plot_chance_level, despine : optional
            As in :meth:`plot`.

        Returns
        -------
        object of this class
            The display, drawn.

        Raises
        ------
        ValueError
            If an estimator is not a binary classifier, or as in :func:`bootstrap_metric_difference`.
        AttributeError
            As in :meth:`ROCConfidenceDisplay.from_estimator`.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skcostci import DecisionCurveDifferenceDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> models = LogisticRegression().fit(X[::2], y[::2]), GaussianNB().fit(X[::2], y[::2])
        >>> display = DecisionCurveDifferenceDisplay.from_estimators(*models, X[1::2], y[1::2])
        >>> display.name_a, display.name_b
        ('LogisticRegression', 'GaussianNB')
        """
        a, b, positive = score_two(estimator_a, estimator_b, X, "predict_proba", pos_label)
        called_a, called_b = model_names(estimator_a, estimator_b)
        return cls.from_predictions(
            y,
            a,
            b,
            thresholds=thresholds,
            standardized=standardized,
            prevalence=prevalence,
            confidence_level=confidence_level,
            band=band,
            method=method,
            sample_weight=sample_weight,
            weight_type=weight_type,
            groups=groups,
            ax=ax,
            curve_kwargs=curve_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_chance_level=plot_chance_level,
            despine=despine,
            pos_label=positive,
            name_a=called_a if name_a is None else name_a,
            name_b=called_b if name_b is None else name_b,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score_a: ArrayLike,
        y_score_b: ArrayLike,
        *,
        thresholds: ArrayLike | None = None,
        standardized: bool = False,
        prevalence: float | None = None,
        confidence_level: float = 0.95,
        band: PointwiseBand | None = "pointwise",
        method: str | None = None,
        sample_weight: ArrayLike | None = None,
        weight_type: WeightType = "counts",
        groups: ArrayLike | None = None,
        pos_label: Label | None = None,
        name_a: str = "a",
        name_b: str = "b",
        ax: Axes | Sequence[Axes] | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        despine: bool = False,
    ) -> Self:
        """Compute the difference in net benefit between two models' risks, and draw it.

        Parameters
        ----------
        y_true, y_score_a, y_score_b : array-like of shape (n_samples,)
            Binary labels, both classes present, and risks of the same cases, in [0, 1].
        thresholds : array-like of shape (n_points,), default=None
            Threshold probabilities in [0, 1), on the scale of the scores, which are risks; None is 0.01, 0.02, ... up
            to the last one at which a model has a twentieth of the net benefit of treating exactly the positives, but
            not beyond the one at which the standard error of the difference exceeds three times its median over these
            thresholds.
        standardized, prevalence : optional
            As in :meth:`DecisionCurveDisplay.from_predictions`.
        confidence_level, band : optional
            As in :meth:`PrecisionRecallConfidenceDisplay.from_predictions`.
        method : str, default=None
            Interval method; None is the default of :func:`bootstrap_metric_difference`. The curves of single models
            have their own default method.
        sample_weight, weight_type, groups, pos_label : optional
            As in :meth:`ROCConfidenceDisplay.from_predictions`.
        name_a, name_b : str, default="a" and "b"
            For the legend.
        ax, curve_kwargs, fill_between_kwargs, plot_chance_level, despine : optional
            As in :meth:`plot`.

        Returns
        -------
        object of this class
            The display, drawn.

        Raises
        ------
        ValueError
            If the target is not binary, or as in :func:`bootstrap_metric_difference`.

        Examples
        --------
        >>> from skcostci import DecisionCurveDifferenceDisplay
        >>> y_true, a = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> b = [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
        >>> display = DecisionCurveDifferenceDisplay.from_predictions(y_true, a, b, name_a="new", name_b="old")
        >>> display.line_.get_label()
        'new − old'
        """
        cases = check_pair(
            y_true,
            y_score_a,
            y_score_b,
            name_a,
            name_b,
            pos_label=pos_label,
            sample_weight=sample_weight,
            weight_type=weight_type,
            groups=groups,
        )
        numbers = decision_difference_numbers(
            cases,
            (name_a, name_b),
            thresholds=thresholds,
            standardized=standardized,
            prevalence=prevalence,
            confidence_level=confidence_level,
            band=band,
            method=method,
        )
        return cls(**numbers, name_a=name_a, name_b=name_b).plot(
            ax,
            curve_kwargs=curve_kwargs,
            fill_between_kwargs=fill_between_kwargs,
            plot_chance_level=plot_chance_level,
            despine=despine,
        )

    def plot(
        self,
        ax: Axes | Sequence[Axes] | None = None,
        *,
        name: str | None = None,
        curve_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool = True,
        despine: bool = False,
    ) -> Self:
        """Draw the curves and their difference; nothing is computed, and only the artists are stored.

        Parameters
        ----------
        ax : matplotlib Axes or two of them, default=None
            Where to draw: two axes for the decision curves and, below them, the difference, or one for the difference
            alone. None makes a new figure.
        name : str, default=None
            For the legend; None is "name_a − name_b".
        curve_kwargs, fill_between_kwargs : optional
            As in :meth:`ROCConfidenceDisplay.plot`.
        plot_chance_level : bool, default=True
            Whether to draw treating all and treating none with the curves.
        despine : optional
            As in :meth:`ROCConfidenceDisplay.plot`.

        Returns
        -------
        DecisionCurveDifferenceDisplay
            The display itself.

        Raises
        ------
        ValueError
            If there are two axes and no curves to draw.
        TypeError
            As in :meth:`ROCConfidenceDisplay.plot`.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from skcostci import DecisionCurveDifferenceDisplay
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> risks = X[:, [1, 4]] / X[:, [1, 4]].max(axis=0)
        >>> display = DecisionCurveDifferenceDisplay.from_predictions(y, *risks.T, pos_label=0, thresholds=[0.2, 0.4])
        >>> display.plot(name="gained", curve_kwargs={"marker": "o"}).line_.get_label()
        'gained'
        >>> display.curve_ax_.get_ylabel()
        'Net benefit (Positive label: 0)'
        """
        self.curve_ax_, lower = two_axes(ax, ax is None and self.models is not None)
        self._start(lower)
        if self.curve_ax_ is not None:
            self._draw_models(self.curve_ax_, plot_chance_level, despine)
        x = self.threshold_probability
        self._draw_difference(x, name, curve_kwargs, fill_between_kwargs)
        self.ax_.set(xlabel="Threshold probability", ylabel=f"Difference in {unit_of(self.standardized)}")
        if self.curve_ax_ is None:
            self.ax_.set_xlim(0, 1.0 if np.max(x) > 0.9 else float(np.max(x)))
        legend_above(self.ax_, strip=MARGIN, span=self._seen())
        if despine:
            despine_axes(self.ax_, ())
        return self

    def _seen(self) -> tuple[float, float]:
        """The range of the whole curve, 0, and the limits except where they are unusually wide, at large odds."""
        shown = [self.difference, np.zeros(1)]
        if self.low is not None and self.high is not None:
            width = self.high - self.low
            usual = width <= max(VERY_WIDE * np.median(width), 0 if np.median(width) else np.inf)
            shown += [self.low[usual], self.high[usual]]
        every = np.concatenate(shown)
        return float(every.min()), float(every.max())

    @property
    def _of(self) -> str:
        return f" of the difference in {unit_of(self.standardized)}"

    def _draw_models(self, ax: Axes, plot_chance_level: bool, despine: bool) -> None:
        """The net benefits whose difference is drawn below."""
        if self.models is None:
            raise ValueError("no decision curves can be drawn: this display was made without models.")
        for model in self.models:
            model.plot(ax, plot_chance_level=plot_chance_level, despine=despine)
        ax.set_xlabel("")
        self.ax_.set_xlim(ax.get_xlim())
