"""What displays of two models on the same cases share: how they are made of models or of scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from numpy.typing import ArrayLike

from skcostci._options import ScoreMethod
from skcostci._validation import Floats
from skcostci.cases._cases import Cases
from skcostci.displays._display import CurveDisplay
from skcostci.displays._drawing import Style, draw_curve
from skcostci.displays._scores import check_scores, score_cases


@dataclass(kw_only=True, eq=False, repr=False)
class PairDisplay(CurveDisplay):
    """A picture of what model a has less what model b has."""

    difference: Floats
    name_a: str = "a"
    name_b: str = "b"

    _constructors: ClassVar = ("from_estimators", "from_predictions")

    @classmethod
    def from_estimators(
        cls,
        estimator_a: Any,
        estimator_b: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        response_method: ScoreMethod = "auto",
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
        name_a: str | None = None,
        name_b: str | None = None,
        **options: Any,
    ) -> Self:
        """Score the same cases with two fitted binary classifiers, and draw how they differ.

        Parameters
        ----------
        estimator_a, estimator_b : fitted classifiers
            With the same two classes.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases neither has been fitted on.
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
            The positive class; None is ``estimator_a.classes_[1]``.
        name_a, name_b : str, default=None
            For the legend; None is the estimator's class name, with "(a)" or "(b)" if the two are of one class.
        {drawing}

        Returns
        -------
        object of this class
            Drawn.

        Raises
        ------
        ValueError
            If an estimator is not a binary classifier, or as in :meth:`from_predictions`.
        AttributeError
            If one has no such response method.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skcostci import PairedCostDifferenceDisplay
        >>> X, y = [[1], [2], [3], [7], [4], [6], [8], [9]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> models = LogisticRegression().fit(X[::2], y[::2]), GaussianNB().fit(X[::2], y[::2])
        >>> display = PairedCostDifferenceDisplay.from_estimators(*models, X[1::2], y[1::2])
        >>> display.name_a, display.name_b
        ('LogisticRegression', 'GaussianNB')
        """
        score_a, positive = score_cases(estimator_a, X, response_method, pos_label)
        score_b, _ = score_cases(estimator_b, X, response_method, positive)
        classes = type(estimator_a).__name__, type(estimator_b).__name__
        if classes[0] == classes[1]:
            classes = f"{classes[0]} (a)", f"{classes[1]} (b)"
        return cls.from_predictions(
            y,
            score_a,
            score_b,
            sample_weight=sample_weight,
            groups=groups,
            pos_label=positive,
            name_a=classes[0] if name_a is None else name_a,
            name_b=classes[1] if name_b is None else name_b,
            **options,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score_a: ArrayLike,
        y_score_b: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
        name_a: str = "a",
        name_b: str = "b",
        **options: Any,
    ) -> Self:
        """Compute the difference between two models' scores, and draw it.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Binary labels, both classes present.
        y_score_a, y_score_b : array-like of shape (n_samples,)
            Finite scores on the same cases, higher meaning more positive.
        {question}
        sample_weight : array-like of shape (n_samples,), default=None
            Frequency weights.
        groups : array-like of shape (n_samples,), default=None
            Which cases belong together; whole groups are then resampled.
        pos_label : int, float, bool or str, default=None
            The positive label; 1 if None and the labels are {0, 1} or {-1, 1}.
        name_a, name_b : str, default="a" and "b"
            For the legend.
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
        >>> from skcostci import PairedCostDifferenceDisplay
        >>> y_true, a = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> b = [0.6, 0.2, 0.8, 0.1, 0.3, 0.7, 0.4, 0.9]
        >>> display = PairedCostDifferenceDisplay.from_predictions(y_true, a, b, name_a="new", name_b="old")
        >>> display.line_.get_label()
        'new − old'
        """
        question, drawing = cls._divided(options)
        scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
        cases = check_scores(y_true, scores, pos_label, sample_weight, groups)
        display = cls(**cls._numbers(cases, *cases.columns, **question), name_a=name_a, name_b=name_b)
        display._add_models(cases, question, drawing)
        return display.plot(**drawing)

    def _add_models(self, cases: Cases, question: Mapping[str, Any], drawing: Mapping[str, Any]) -> None:
        """What is drawn of each model by itself."""

    def _draw_difference(self, x: Floats, name: str | None, curve_kwargs: Style, fill_between_kwargs: Style) -> None:
        """The difference, its band, and the line of none."""
        name = f"{self.name_a} − {self.name_b}" if name is None else name
        self.line_ = draw_curve(self.ax_, x, self.difference, name, curve_kwargs)
        self.fill_between_ = self._draw_band(x, self.band, fill_between_kwargs)
        self.chance_level_ = self.ax_.axhline(0, color="0.5", linewidth=1, linestyle=":")
