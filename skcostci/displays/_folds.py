"""The curve of one model, or those of the folds of a cross-validation with the curve of all of them together.

Each case is scored by the estimator that has not seen it. The curves of the folds are drawn with that of all scores
pooled, as if from one model, or with the mean of the folds' curves; if cases are tested several times the folds are
drawn alone. Messages about names and styles that do not fit are scikit-learn's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_consistent_length

from skcostci._arrays import Floats, Scores, as_vector, take_rows
from skcostci._options import ScoreMethod, Together
from skcostci._validation._arguments import check_option
from skcostci._validation._labels import check_label_column
from skcostci.cases._cases import Cases
from skcostci.displays import _drawing as draw
from skcostci.displays._display import CurveDisplay, Fields, PlotLook, among
from skcostci.displays._drawing import Names, Style, Styles
from skcostci.displays._scores import ScoredRows, check_target, score_cases

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(kw_only=True, eq=False, repr=False)
class ModelDisplay(CurveDisplay):
    """A picture of one model, or of the folds of a cross-validation, which are lists of curves, with all together.

    Parameters
    ----------
    name : str or list of str
        Name of the model, or of each fold, for the legend.
    pooled : display of this class
        The curve of all folds together, drawn in addition to the folds' curves.
    together : {"pooled", "mean"}
        Whether the curve of all folds is that of the pooled scores or the mean of the folds' curves, for the legend.
    """

    name: Names = None
    pooled: Self | None = None
    together: Together = "pooled"

    _lists: ClassVar[tuple[str, ...]] = ()  # fields with one entry per fold, each of the same length
    _parts: ClassVar[tuple[str, ...]] = ("fill_between_",)  # the artists of one curve, except the line
    _area: ClassVar[tuple[str, str]] = "AUC", "roc_auc"  # the number of each curve: its name in legends, and its field
    _shape: ClassVar[Mapping[str, object]] = {}  # options of matplotlib's ``plot`` for each curve
    _has_mean: ClassVar[bool] = False  # whether numbers may be of several folds, whose mean curve they then describe
    _draw_chance_level: ClassVar[Callable[..., object]]
    # Names the axes, sets their limits and adds a legend; returns the spines that should only go from 0 to 1.
    _furnish: ClassVar[Callable[..., Sequence[str]]]

    @classmethod
    def _of_cv_results(
        cls,
        cv_results: Mapping[str, object],
        X: ArrayLike,
        y: ArrayLike,
        *,
        name: Names = None,
        together: Together = "pooled",
        curve_kwargs: Styles = None,
        **options: Any,
    ) -> Self:
        """Draw the curves of the folds with that of all together: of the pooled scores, or the mean of the curves.

        Parameters
        ----------
        cv_results : dict
            From :func:`sklearn.model_selection.cross_validate` with ``return_estimator=True`` and
            ``return_indices=True``. Where cases are tested several times, as in repeated and shuffled splits, only the
            folds are drawn, as their scores cannot be pooled. Where no test part has both classes, as in leave-one-out,
            only the pooled curve is drawn.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The cases that were passed to ``cross_validate``.
        y : array-like of shape (n_samples,)
            Their labels.
        pos_label : int, float, bool or str
            The positive class; None is ``classes_[1]`` of the estimators.
        """
        response = options.pop("response_method", cls._response)
        folds, pool = score_folds(cv_results, X, y, response, **among(options, ScoredRows))
        tests = sum(len(fold.truth) for fold in folds)  # more than cases if these are tested several times
        how = among(options, cls._numbers)
        check_fold_styles(len(folds), name, curve_kwargs)
        if check_option("together", together, Together) == "mean":
            if not cls._has_mean:
                raise ValueError("together='mean' is for ROC and cost curves; pass 'pooled'.")
            check_apart(folds, pool, tests)
        shared = cls._numbers(folds if together == "mean" else pool, "y_score", **how)
        pooled = cls(**shared, name=pooled_name(name, together), together=together)
        curves = {**pooled._of_folds(folds, **how), "pos_label": pooled.pos_label}
        display = cls(**curves, name=name, pooled=None if tests > len(pool.truth) else pooled)
        return display.plot(curve_kwargs=curve_kwargs, **options)

    def plot(self, ax: Axes | None = None, *, plot_chance_level: bool = False, **look: Unpack[PlotLook]) -> Self:
        """Draw the curve; nothing is computed, and only the artists are stored.

        Raises
        ------
        ValueError
            If ``name`` or ``curve_kwargs`` do not fit the number of curves.
        TypeError
            If a style is given under two names, such as ``c`` and ``color``.

        Examples
        --------
        >>> from matplotlib import pyplot as plt
        >>> from skcostci import PrecisionRecallConfidenceDisplay
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = PrecisionRecallConfidenceDisplay.from_predictions(y_true, y_score)
        >>> figure, ax = plt.subplots()
        >>> display.plot(ax, plot_chance_level=True).chance_level_.get_label()
        'Chance level (AP = 0.50)'
        """
        return self._draw(ax, plot_chance_level=plot_chance_level, **look)

    def _draw(
        self,
        ax: Axes | None,
        *furnishing: object,
        name: Names = None,
        curve_kwargs: Styles = None,
        pooled_kwargs: Style = None,
        fill_between_kwargs: Style = None,
        plot_chance_level: bool,
        chance_level_kw: Style = None,
        despine: bool = False,
    ) -> Self:
        """The curves, the chance level, the legend and the axes; ``furnishing`` are options of ``_furnish``."""
        self._start(ax)
        name = self.name if name is None else name
        self._draw_curves(name, curve_kwargs, pooled_kwargs, fill_between_kwargs)
        self.chance_level_ = self._draw_chance_level(chance_level_kw) if plot_chance_level else None
        sides = self._furnish(*furnishing)
        if despine:
            draw.despine_axes(self.ax_, sides)
        return self

    @property
    def caption(self) -> str:
        """The text for the caption of a figure: what the band is, and its method.

        Returns
        -------
        str
            The text; with folds it describes the band of all folds together. Empty without a band.
        """
        return super().caption if self.pooled is None else self.pooled.caption

    @property
    def _whose(self) -> str:
        return super()._whose if self.name is not None or self.pooled is None else self.pooled._whose

    def _curves(self, name: Names) -> list[tuple[Floats, Floats]] | None:
        """The curves of the folds, None if there is one curve; ``name`` contains their names."""
        x, y = (getattr(self, each) for each in self._axes)
        if not several(x) and not several(y):
            return None
        check_as_many(type(self).__name__, {f"self.{each}": getattr(self, each) for each in self._lists}, name)
        return list(zip(x if several(x) else [x] * len(y), y, strict=True))

    def _draw_one(self, name: str | None, curve_kwargs: Style, given: Style) -> None:
        x, y = (getattr(self, each) for each in self._axes)
        label = curve_label(name, draw.area_text(self._area_numbers, 2), self._area[0])
        self.line_ = draw.curve(self.ax_, x, y, label, curve_kwargs, **self._shape)
        self.fill_between_ = self._draw_band(given)

    @property
    def _area_numbers(self) -> tuple[float, ...]:
        """The area below one curve and its limits, as far as the display has them, for the legend."""
        area, limits = (getattr(self, f"{self._area[1]}{part}", None) for part in ("", "_interval"))
        return () if area is None else (float(area), *(limits or ()))

    def _of_folds(self, folds: Sequence[Cases], **how: object) -> Fields:
        """The fields of the folds, from those of all together: the curves are lists with one entry per fold."""
        x, y = self._axes
        numbers = [self._numbers(fold, "y_score", **{**how, "band": None, "method": None}) for fold in folds]
        return {x: getattr(self, x), y: [each[y] for each in numbers]}

    def _draw_curves(self, name: Names, curve_kwargs: Styles, pooled_kwargs: Style, given: Style) -> None:
        """Draw the folds' curves behind that of all together, or the only curve; ``given`` is the style of the band."""
        curves = self._curves(name)
        check_fold_styles(1 if curves is None else len(curves), name, curve_kwargs)
        if self.pooled is None and pooled_kwargs is not None:
            raise ValueError("pooled_kwargs needs a cross-validation that tests each case once; use curve_kwargs.")
        if curves is None:
            only: list[Any] = [each[0] if isinstance(each, list) else each for each in (name, curve_kwargs)]
            self._draw_one(only[0], only[1], given)
            return
        color = draw.next_color(self.ax_)
        styles = curve_kwargs if isinstance(curve_kwargs, Sequence) else [curve_kwargs] * len(curves)
        labels = self._fold_labels(len(curves), name, curve_kwargs)
        faint = {**draw.FAINT, **self._shape, "color": color}  # that of the pooled curve
        self.line_ = [
            draw.curve(self.ax_, x, y, label, chosen, **faint)
            for (x, y), label, chosen in zip(curves, labels, styles, strict=True)
        ]
        if self.pooled is not None:
            self.pooled._start(self.ax_)
            look = draw.style("pooled_kwargs", {"color": color}, pooled_kwargs)
            self.pooled._draw_one(pooled_name(name, self.pooled.together), look, given)
        for part in self._parts:
            setattr(self, part, getattr(self.pooled, part, None))

    def _fold_labels(self, n_folds: int, name: Names, curve_kwargs: Styles) -> list[str | None]:
        """A label for each fold if each has a style, otherwise one for all of them, as in scikit-learn.

        Next to a pooled curve the label of folds without a number of their own is how many they are.
        """
        names, (area, field) = name if isinstance(name, list) else [name], self._area
        values = getattr(self, field, None)
        if isinstance(curve_kwargs, Sequence):
            texts = [None] * n_folds if values is None else [f"{value:.2f}" for value in values]
            names = names if len(names) == n_folds else names * n_folds
            return [curve_label(*each, area) for each in zip(names, texts, strict=True)]
        together, value = names[0], None
        if values is not None and n_folds:
            value = f"{np.mean(values):.2f} +/- {np.std(values):.2f}"
        elif self.pooled is not None:
            together = f"{n_folds} folds" if together is None else f"{together}, {n_folds} folds"
        return [curve_label(together, value, area), *[None] * (n_folds - 1)][:n_folds]


def several(curves: object) -> bool:
    return isinstance(curves, list) and all(np.ndim(curve) > 0 for curve in curves)


def check_fold_styles(n_folds: int, name: Names, curve_kwargs: Styles) -> None:
    """Check for one style, or one per fold; names of folds need styles of folds. The messages are scikit-learn's."""
    names = name if isinstance(name, list) else [] if name is None else [name]
    for called in names:
        draw.check_name("name", called)
    if isinstance(curve_kwargs, Sequence) and len(curve_kwargs) != n_folds:
        wanted = f"None, a dictionary or a list of length {n_folds}"
        raise ValueError(f"`curve_kwargs` must be {wanted}. Got: {curve_kwargs}.")
    if isinstance(name, list) and len(name) not in (1, n_folds):
        raise ValueError(f"name must be a string or a list of length {n_folds}, got {len(name)} names.")
    if len(names) > 1 and not isinstance(curve_kwargs, Sequence):
        raise ValueError(
            "To avoid labeling individual curves that have the same appearance, `curve_kwargs` should be a list of "
            f"{n_folds} dictionaries. Alternatively, set `name` to `None` or a single string to label a single legend "
            "entry for all curves."
        )


def check_as_many(display: str, lists: Mapping[str, object], name: Names) -> None:
    """Check that lists have one entry per curve, and names too if there are several. The message is scikit-learn's."""
    names = {"'name' (or self.name)": name} if isinstance(name, list) and len(name) > 1 else {}
    given = {**{key: each for key, each in lists.items() if each is not None}, **names}
    lengths = {key: len(each) if hasattr(each, "__len__") else 1 for key, each in given.items()}
    if len(set(lengths.values())) > 1:
        *first, last = lengths
        raise ValueError(
            f"{', '.join(first)} and {last} from `{display}` initialization{' (or `plot`)' if names else ''}, should "
            f"all be lists of the same length. Got: {', '.join(f'{key}: {length}' for key, length in lengths.items())}"
        )


def pooled_name(name: Names, together: Together) -> str:
    kind = "mean of the folds" if together == "mean" else "pooled out-of-fold scores"
    return f"{name}, {kind}" if isinstance(name, str) else kind.capitalize()


def curve_label(name: str | None, value: str | None, area: str) -> str | None:
    if value is None:
        return name
    return f"{area} = {value}" if name is None else f"{name} ({area} = {value})"


def score_folds(
    cv_results: Mapping[str, Any], X: object, y: ArrayLike, response_method: ScoreMethod, **rows: Unpack[ScoredRows]
) -> tuple[list[Cases], Cases]:
    """The cases of each fold, scored by the estimator not fitted on them, and all tested cases with mean scores.

    If no fold contains both classes, the list of folds is empty.
    """
    sample_weight, groups, pos_label = rows.get("sample_weight"), rows.get("groups"), rows.get("pos_label")
    _check_cv_results(cv_results, X, y, sample_weight, groups)
    labels = check_label_column("y", y)
    weights = None if sample_weight is None else as_vector("sample_weight", sample_weight)
    members = None if groups is None else as_vector("groups", groups)
    tests = [np.asarray(test) for test in cv_results["indices"]["test"]]
    scored = [
        score_cases(estimator, take_rows(X, test), response_method, pos_label, "each of cv_results['estimator']")
        for estimator, test in zip(cv_results["estimator"], tests, strict=True)
    ]
    positive = scored[0][1]

    def checked(cases: NDArray[np.generic], scores: Scores) -> Cases:
        part, group = (None if each is None else each[cases] for each in (weights, members))
        own: ScoredRows = {**rows, "pos_label": positive, "sample_weight": part, "groups": group}
        return Cases.check(labels[cases], {"y_score": scores}, **own)

    whole = [len(np.unique(labels[test])) == 2 for test in tests]
    if any(whole) and not all(whole):
        raise ValueError(f"every fold must contain both classes; the test part of fold {whole.index(False)} has one.")
    folds = [checked(test, scores) for test, (scores, _) in zip(tests, scored, strict=True) if whole[0]]  # all or none
    cases, place = np.unique(np.concatenate(tests), return_inverse=True)
    mean_scores = np.bincount(place, np.concatenate([scores for scores, _ in scored])) / np.bincount(place)
    return folds, checked(cases, mean_scores)


def check_apart(folds: Sequence[Cases], pool: Cases, tests: int) -> None:
    """Check that folds are separate samples with both classes: each case is tested once, and there are no groups."""
    if not folds:
        raise ValueError("together='mean' needs folds whose test parts contain both classes, got none. Pass 'pooled'.")
    if pool.groups is not None:
        raise ValueError("groups and together='mean' cannot be combined: cases of a group may be in several folds.")
    if tests > len(pool.truth):
        got = f"{tests} tests of {len(pool.truth)} cases"
        raise ValueError(f"together='mean' needs folds that test each case once, got {got}: pass one repeat.")


def _check_cv_results(cv_results: Mapping[str, Any], X: Any, y: ArrayLike, *others: ArrayLike | None) -> None:
    """Check the results of a cross-validation as scikit-learn does, with its messages, and that they are results."""
    if not isinstance(cv_results, Mapping):
        raise TypeError(f"cv_results must be the dictionary that cross_validate returns, got {cv_results!r}.")
    if not {"estimator", "indices"} <= set(cv_results):
        raise ValueError(
            "`cv_results` does not contain one of the following required keys: {'estimator', 'indices'}. "
            "Set explicitly the parameters `return_estimator=True` and `return_indices=True` to the function "
            "`cross_validate`."
        )
    estimators, indices = cv_results["estimator"], cv_results["indices"]
    parts = [list(indices.get(part, ())) for part in ("train", "test")] if isinstance(indices, Mapping) else []
    counts = {len(part) for part in [estimators, *parts]} if hasattr(estimators, "__len__") and parts else {0}
    if len(counts) > 1 or 0 in counts:
        raise ValueError("cv_results must contain as many estimators as there are splits in its indices.")
    expected = sum(len(part[0]) for part in parts)
    given = X.shape[0] if hasattr(X, "shape") else len(X)
    if given != expected:
        raise ValueError(f"`X` does not contain the correct number of samples. Expected {expected}, got {given}.")
    check_target(y, "`y`")
    check_consistent_length(X, y, *others)
