"""What displays of one model share: how they are made of a model, of scores or of the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from skcostci._options import TOGETHER, ScoreMethod, Together
from skcostci._validation import Floats, check_option
from skcostci.cases._cases import Cases
from skcostci.displays._display import CurveDisplay, draw_cases
from skcostci.displays._drawing import Style, despine_axes, next_color, style
from skcostci.displays._folds import (
    Names,
    Styles,
    check_fold_styles,
    draw_folds,
    fold_labels,
    merge_alias,
    only,
    pooled_name,
)
from skcostci.displays._scores import (
    check_apart,
    check_scores,
    one_vs_rest,
    score_cases,
    score_classes,
    score_folds,
    tested_again,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(kw_only=True, eq=False, repr=False)
class ModelDisplay(CurveDisplay):
    """A picture of one model, or of the folds of a cross-validation, which are lists of curves, with all together."""

    name: Names = None
    pooled: Self | None = None
    together: Together = "pooled"

    _parts: ClassVar[tuple[str, ...]] = ("fill_between_",)  # the artists of one curve, but for the line
    _area: ClassVar[str] = "AUC"  # what legends call the number of each fold
    _shape: ClassVar[Mapping[str, Any]] = {}  # of curves
    _takes_classes: ClassVar[bool] = False  # whether several classes are drawn, each against the rest
    _constructors: ClassVar[tuple[str, ...]] = ("from_estimator", "from_predictions", "from_cv_results")

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        response_method: ScoreMethod = "auto",
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        **options: Any,
    ) -> Self:
        """Score cases with a fitted binary classifier, compute its curve and what is uncertain about it, and draw them.

        Parameters
        ----------
        estimator : fitted classifier
            With two classes; for ROC curves also with more, which are drawn each against the rest.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases the estimator has not been fitted on.
        y : array-like of shape (n_samples,)
            Their labels.
        {question}
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            Where the scores come from; "auto" takes the first that the estimator has.
        sample_weight : array-like of shape (n_samples,), default=None
            Frequency weights.
        groups : array-like of shape (n_samples,), default=None
            Which cases belong together; whole groups are then resampled.
        pos_label : int, float, bool or str, default=None
            The positive class; None is ``estimator.classes_[1]``, of several classes each in turn.
        name : str, default=None
            For the legend; None is the estimator's class name.
        {drawing}

        Returns
        -------
        object of this class
            Drawn.

        Raises
        ------
        ValueError
            If the estimator is not a binary classifier, or as in :meth:`from_predictions`.
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
        each_class = cls._takes_classes and len(getattr(estimator, "classes_", ())) > 2
        score = score_classes if each_class else score_cases
        y_score, positive = score(estimator, X, response_method, pos_label)
        name = type(estimator).__name__ if name is None else name
        sample = {"sample_weight": sample_weight, "groups": groups, "pos_label": positive}
        return cls.from_predictions(y, y_score, **sample, name=name, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        **options: Any,
    ) -> Self:
        """Compute the curve of given scores and what is uncertain about it, and draw them.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Binary labels, both classes present.
        y_score : array-like of shape (n_samples,)
            Finite scores, higher meaning more positive; for ROC curves of several classes a column for each.
        {question}
        sample_weight : array-like of shape (n_samples,), default=None
            Frequency weights.
        groups : array-like of shape (n_samples,), default=None
            Which cases belong together; whole groups are then resampled.
        pos_label : int, float, bool or str, default=None
            The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
        name : str, default=None
            For the legend; None is "Classifier".
        {drawing}

        Returns
        -------
        object of this class
            Drawn.

        Raises
        ------
        ValueError
            If the target is not binary, or as in the functions that compute the numbers.

        Examples
        --------
        >>> from skcostci import ROCConfidenceDisplay
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = ROCConfidenceDisplay.from_predictions(y_true, y_score, name="Risk", confidence_level=0.9)
        >>> display.name, display.confidence_level
        ('Risk', 0.9)
        """
        if cls._takes_classes and np.shape(y_score)[1:] > (2,):
            classes = one_vs_rest(y_true, y_score, pos_label, sample_weight, groups)
            return cls._of_classes(classes, name, pos_label, **options)
        cases = check_scores(y_true, {"y_score": y_score}, pos_label, sample_weight, groups)
        return draw_cases(cls, cases, ["y_score"], {"name": "Classifier" if name is None else name}, **options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: ArrayLike,
        y: ArrayLike,
        *,
        response_method: ScoreMethod = "auto",
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
        name: Names = None,
        together: Together = "pooled",
        curve_kwargs: Styles = None,
        chance_level_kw: Style = None,
        chance_level_kwargs: Style = None,
        **options: Any,
    ) -> Self:
        """Draw the curves of the folds of a cross-validation, and that of their scores pooled, with a band.

        Each case is scored by the models that have not seen it. What the pooled curve and its band mean is said in the
        notes of the class.

        Parameters
        ----------
        cv_results : dict
            From :func:`sklearn.model_selection.cross_validate` with ``return_estimator=True`` and
            ``return_indices=True``. Where cases are tested several times, as in repeated and shuffled splits, the
            folds are drawn alone: no one model's cases could be pooled. Where no test part holds both classes, as in
            leave-one-out, there is the pooled curve alone.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The cases that were given to it.
        y : array-like of shape (n_samples,)
            Their labels.
        {question}
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            As in :meth:`from_estimator`.
        sample_weight : array-like of shape (n_samples,), default=None
            Frequency weights.
        groups : array-like of shape (n_samples,), default=None
            As in :meth:`from_estimator`.
        pos_label : int, float, bool or str, default=None
            As in :meth:`from_estimator`.
        name : str or list of str, default=None
            For the legend; a list, one name a fold, needs a list of ``curve_kwargs``.
        together : {"pooled", "mean"}, default="pooled"
            What is drawn beside the folds: the curve of all scores pooled or, of ROC curves at fixed false-positive
            rates and of costs at thresholds given beforehand, the mean of the folds' curves, with a band for the mean
            over these models. The latter needs splits that test each case once: repeats say nothing new.
        curve_kwargs : dict or list of dict, default=None
            For the curves of the folds: one for all of them, which the legend then has once, or one for each, and an
            entry for each.
        chance_level_kw, chance_level_kwargs : dict, default=None
            For the chance level, under either of scikit-learn's two names.
        {drawing}

        Returns
        -------
        object of this class
            Drawn. What describes the curve is a list, one entry a fold, and so is ``line_``; ``pooled`` is the display
            of the pooled scores, with the band, or None if the folds are drawn alone.

        Raises
        ------
        ValueError
            If ``cv_results`` lacks estimators or indices, some folds have one class only and others both, ``name`` or
            ``curve_kwargs`` do not fit, or as in :meth:`from_predictions`.
        TypeError
            If one option is given under two names.

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
        question, drawing = cls._divided(options)
        folds, pool = score_folds(cv_results, X, y, sample_weight, groups, response_method, pos_label)
        chance_level_kw = merge_alias({"chance_level_kw": chance_level_kw, "chance_level_kwargs": chance_level_kwargs})
        check_fold_styles(len(folds), name, curve_kwargs)
        if check_option("together", together, TOGETHER) == "mean":
            check_apart(folds, pool, groups)
            numbers = cls._mean_numbers(folds, **question)
        else:
            numbers = cls._numbers(pool, "y_score", **question)
        pooled = cls(**numbers, name=pooled_name(name, together), together=together)
        beside = None if tested_again(folds, pool) else pooled
        display = cls(**pooled._of_folds(folds, **question), name=name, pos_label=pooled.pos_label, pooled=beside)
        return display.plot(curve_kwargs=curve_kwargs, chance_level_kw=chance_level_kw, **drawing)

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
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        name : str or list of str, default=None
            For the legend; None is the display's own.
        curve_kwargs : dict or list of dict, default=None
            For matplotlib's ``plot``; of several folds one for all or one for each.
        pooled_kwargs : dict, default=None
            For the curve of the folds' scores pooled.
        fill_between_kwargs : dict, default=None
            For matplotlib's ``fill_between``.
        plot_chance_level : bool, default=True
            Whether to draw what takes no model: the prevalence, or treating all and treating none.
        chance_level_kw : dict, default=None
            For the lines of that.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        display
            Itself.

        Raises
        ------
        ValueError
            If ``name`` or ``curve_kwargs`` do not fit the number of curves.
        TypeError
            If a style is given under two names, such as ``c`` and ``color``.

        Examples
        --------
        >>> from skcostci import DecisionCurveDisplay
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = DecisionCurveDisplay.from_predictions(y_true, y_score)
        >>> display.plot(name="Risk", curve_kwargs={"color": "black"}).line_.get_color()
        'black'
        """
        self._start(ax)
        name = self.name if name is None else name
        draw_one: Any = partial(type(self)._draw_one, given=fill_between_kwargs)
        self._draw_curves(self._curves(name), name, curve_kwargs, pooled_kwargs, draw_one, self._of_each_fold)
        self.chance_level_ = self._draw_chance_level(chance_level_kw) if plot_chance_level else None
        self._furnish(new=ax is None)
        if despine:
            despine_axes(self.ax_, self._from_0_to_1)
        return self

    @property
    def _of_each_fold(self) -> Sequence[float] | None:
        """A number for the legend, of each fold."""
        return None

    @property
    def _from_0_to_1(self) -> Sequence[str]:
        """The spines that need be no longer."""
        return "left", "bottom"

    def _curves(self, name: Names) -> list[tuple[Floats, Floats]] | None:
        """The curves of the folds, None if there is one curve; ``name`` is what they are called."""
        raise NotImplementedError

    def _draw_one(self, name: str | None, curve_kwargs: Style, *, given: Style) -> None:
        """One curve and what goes with it."""
        raise NotImplementedError

    def _draw_chance_level(self, given: Style) -> Any:
        """What takes no model, if that is known."""
        raise NotImplementedError

    def _furnish(self, new: bool) -> None:
        """Name the axes, which may be new, set their limits and add a legend."""
        raise NotImplementedError

    @classmethod
    def _of_classes(cls, cases: Mapping[Any, Cases], name: str | None, pos_label: Any, **options: Any) -> Self:
        """The curve of a class against the rest, or those of all classes."""
        raise NotImplementedError

    @classmethod
    def _mean_numbers(cls, folds: Sequence[Cases], **question: Any) -> dict[str, Any]:
        """Those of the mean of the folds' curves."""
        raise ValueError(
            "together='mean' goes with ROC and cost curves; the mean of ratios over folds has no such band."
        )

    def _of_folds(self, folds: Sequence[Cases], **question: Any) -> dict[str, Any]:
        """The curves of the folds, of which this is the pooled one."""
        raise NotImplementedError

    def _draw_curves(
        self,
        curves: Sequence[tuple[ArrayLike, ArrayLike]] | None,
        name: Names,
        curve_kwargs: Styles,
        pooled_kwargs: Style,
        draw_one: Callable[[Self, str | None, Style], None],
        metric: Sequence[float] | None = None,
    ) -> None:
        """The curves of the folds behind that of their scores together; if there are none, the one curve there is."""
        check_fold_styles(1 if curves is None else len(curves), name, curve_kwargs)
        if self.pooled is None and pooled_kwargs is not None:
            raise ValueError(
                "pooled_kwargs goes with the folds of a cross-validation that tests each case once; use curve_kwargs."
            )
        if curves is None:
            draw_one(self, only(name), only(curve_kwargs))
            return
        color = next_color(self.ax_)
        labels = fold_labels(len(curves), name, curve_kwargs, metric, self.pooled is not None, self._area)
        self.line_ = draw_folds(self.ax_, curves, labels, curve_kwargs, color, self._shape)
        if self.pooled is not None:
            self.pooled._start(self.ax_)
            draw_one(
                self.pooled, pooled_name(name, self.pooled.together), style("Line2D", {"color": color}, pooled_kwargs)
            )
        for part in self._parts:
            setattr(self, part, getattr(self.pooled, part, None))


def several(curves: Any) -> bool:
    """Whether these are curves rather than one."""
    return isinstance(curves, list) and all(np.ndim(curve) > 0 for curve in curves)
