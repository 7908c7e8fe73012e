"""What displays share: limits, axes, a band; the curves of one model or of its folds; the difference of two models.

A display is a dataclass of numbers. Its constructors, written out in its own file, check the cases once, ask a function
of that file for the numbers, and ``plot`` them; ``plot`` computes nothing, so that a display can be drawn again. The
options of a constructor stand in its signature alone, where users and type checkers see them: its body hands them on
whole (:func:`options`), those that the function of the numbers has to that, all others to ``plot``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from skcostci._options import BANDS, TOGETHER, Band, ScoreMethod, Together
from skcostci._validation import Floats, check_option
from skcostci.cases._cases import Cases
from skcostci.displays._drawing import (
    FAINT,
    Style,
    band_label,
    despine_axes,
    draw_band,
    draw_curve,
    in_order,
    method_titles,
    next_color,
    shown,
    style,
)
from skcostci.displays._scores import (
    check_apart,
    check_scores,
    score_cases,
    score_classes,
    score_folds,
    score_two,
    tested_again,
)
from skcostci.results._bands import BandedResult
from skcostci.results._results import BootstrapResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.lines import Line2D

Fields = dict[str, Any]
Styles = Style | Sequence[Mapping[str, Any]]
Names = str | list[str] | None


def limits_of(result: BootstrapResult[Any], level: float, method: str | None, band: Band | None) -> Fields:
    """The limits at each point by itself or none, and what a caption says of them."""
    if band is None:
        return no_limits(level, method=method)
    check_option("band", band, BANDS[:1])
    low, high = result.confidence_interval(level, method=method)
    return {"low": low, "high": high, "confidence_level": level, "band": band, "method": method or result.methods[0]}


def no_limits(level: float, **asked: object) -> Fields:
    """What there is without a band, for which nothing can then be asked."""
    for name, value in asked.items():
        if value is not None:
            raise ValueError(f"{name} goes with a band, got {name}={value!r} and band=None.")
    return {"low": None, "high": None, "confidence_level": level, "band": None, "method": None}


def band_of(result: BandedResult, level: float, method: str | None, band: Band | None) -> Fields:
    """The limits at each point by itself, at all of them at once, or none."""
    if band is None or check_option("band", band, BANDS) == "pointwise":
        return limits_of(result, level, method, band)
    low, high = result.confidence_band(level, method=method)
    names = {"band": band, "method": method or result.band_methods[0]}
    return {"low": low, "high": high, "confidence_level": level, **names}


def options(called: Fields, *without: str) -> Fields:
    """What a constructor or ``plot`` was called with, its ``locals()``, but for these."""
    return {name: value for name, value in called.items() if name not in ("cls", "self", *without)}


class Drawn:
    """What ``plot`` leaves behind."""

    line_: Any  # one curve, or a list of them
    fill_between_: PolyCollection | None
    chance_level_: Any
    ax_: Axes
    figure_: Figure | SubFigure


@dataclass(kw_only=True, eq=False, repr=False)
class CurveDisplay(Drawn):
    """A picture on one pair of axes; what it shows is given to ``__init__`` and stored as it is."""

    low: Floats | None = None
    high: Floats | None = None
    confidence_level: float | None = None
    band: Band | None = "pointwise"
    method: str | Sequence[str] | None = None
    pos_label: Any = None

    from_predictions: ClassVar[Any]
    plot: ClassVar[Any]
    _numbers: ClassVar[Any]  # the function that computes what is stored: of cases and a column, or of two models
    _unnamed: ClassVar[str | None] = "Classifier"

    @classmethod
    def _of_estimator(
        cls,
        *,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        pos_label: Any,
        name: str | None,
        response_method: ScoreMethod = "predict_proba",
        several_classes: bool = False,
        **others: Any,
    ) -> Self:
        """What ``from_predictions`` makes of an estimator's scores."""
        if several_classes and len(getattr(estimator, "classes_", ())) > 2:
            y_score, positive = score_classes(estimator, X, y, response_method), pos_label
        else:
            y_score, positive = score_cases(estimator, X, response_method, pos_label)
        name = type(estimator).__name__ if name is None else name
        drawn: Self = cls.from_predictions(y, y_score, pos_label=positive, name=name, **others)
        return drawn

    @classmethod
    def _of_predictions(
        cls,
        *,
        y_true: ArrayLike,
        y_score: ArrayLike,
        pos_label: Any,
        sample_weight: ArrayLike | None,
        groups: ArrayLike | None,
        name: str | None,
        **others: Any,
    ) -> Self:
        """The numbers of checked cases, drawn."""
        asked, drawn = cls._parted(others)
        cases = check_scores(y_true, {"y_score": y_score}, pos_label, sample_weight, groups)
        numbers = {**cls._numbers(cases, "y_score", **asked), "name": cls._unnamed if name is None else name}
        display: Self = cls(**numbers).plot(**drawn)
        return display

    @classmethod
    def _parted(cls, others: Fields) -> tuple[Fields, Fields]:
        """Options of the numbers, and of the picture."""
        asked = {name: others[name] for name in signature(cls._numbers).parameters if name in others}
        return asked, options(others, *asked)

    def __repr__(self) -> str:
        """The kind of picture, whose it is, and what its band is."""
        parts = [part for part in (self._whose, self.caption) if part]
        return f"<{': '.join([type(self).__name__, *parts])}>"

    @property
    def caption(self) -> str:
        """What the band is and the method it comes from, in words for the caption of a figure.

        Returns
        -------
        str
            Empty where there is no band.
        """
        if self.low is None or self.confidence_level is None:
            return ""
        source = method_titles(self.method)
        return f"{band_label(self.confidence_level, self._what)}{self._of}" + (f", {source}" if source else "")

    @property
    def _what(self) -> str:
        """What the limits are, and where they hold, for the legend."""
        return f"confidence band ({self.band})"

    @property
    def _of(self) -> str:
        """Which quantity the limits are of, for the caption, where that is not plain from the axes."""
        return ""

    @property
    def _whose(self) -> str:
        """The model or the models."""
        return ""

    def _start(self, ax: Axes | None) -> None:
        """Draw on these axes, or on new ones."""
        if ax is None:
            from matplotlib import pyplot as plt

            ax = plt.subplots()[1]
        self.ax_ = ax
        self.figure_ = ax.figure

    def _draw_band(self, x: ArrayLike, given: Style) -> PolyCollection | None:
        """Shade what is between the limits, if there are any."""
        if self.low is None or self.high is None:
            return None
        return draw_band(self.ax_, self.line_, x, (self.low, self.high), self._band_label, given)

    @property
    def _band_label(self) -> str | None:
        """What the legend says of the band."""
        return None if self.confidence_level is None else band_label(self.confidence_level, self._what)


@dataclass(kw_only=True, eq=False, repr=False)
class PairDisplay(CurveDisplay):
    """A picture of what model a has less what model b has."""

    difference: Floats
    name_a: str = "a"
    name_b: str = "b"

    @classmethod
    def _of_estimators(
        cls,
        *,
        estimator_a: Any,
        estimator_b: Any,
        X: Any,
        y: ArrayLike,
        pos_label: Any,
        name_a: str | None,
        name_b: str | None,
        response_method: ScoreMethod = "predict_proba",
        **others: Any,
    ) -> Self:
        """What ``from_predictions`` makes of the scores of two estimators."""
        (a, b), positive, names = score_two((estimator_a, estimator_b), X, response_method, pos_label, (name_a, name_b))
        drawn: Self = cls.from_predictions(y, a, b, pos_label=positive, name_a=names[0], name_b=names[1], **others)
        return drawn

    @classmethod
    def _of_pair(
        cls,
        *,
        y_true: ArrayLike,
        y_score_a: ArrayLike,
        y_score_b: ArrayLike,
        pos_label: Any,
        sample_weight: ArrayLike | None,
        groups: ArrayLike | None,
        name_a: str,
        name_b: str,
        **others: Any,
    ) -> Self:
        """The numbers of checked cases, drawn."""
        asked, drawn = cls._parted(others)
        scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
        cases = check_scores(y_true, scores, pos_label, sample_weight, groups)
        numbers = cls._numbers(cases, (name_a, name_b), **asked)
        display: Self = cls(**numbers, name_a=name_a, name_b=name_b).plot(**drawn)
        return display

    @property
    def _whose(self) -> str:
        return f"{self.name_a} − {self.name_b}"

    def _draw_difference(self, x: Floats, name: str | None, curve_kwargs: Style, fill_between_kwargs: Style) -> None:
        """The difference, its band, and the line of none."""
        self.line_ = draw_curve(self.ax_, x, self.difference, self._whose if name is None else name, curve_kwargs)
        self.fill_between_ = self._draw_band(x, fill_between_kwargs)
        self.chance_level_ = self.ax_.axhline(0, color="0.5", linewidth=1, linestyle=":")


@dataclass(kw_only=True, eq=False, repr=False)
class ModelDisplay(CurveDisplay):
    """A picture of one model, or of the folds of a cross-validation, which are lists of curves, with all together."""

    name: Names = None
    pooled: Self | None = None
    together: Together = "pooled"

    _parts: ClassVar[tuple[str, ...]] = ("fill_between_",)  # the artists of one curve, but for the line
    _area: ClassVar[tuple[str, str]] = "AUC", "roc_auc"  # what legends call the number of each fold, and its field
    _shape: ClassVar[Mapping[str, Any]] = {}  # of curves
    _mean_numbers: ClassVar[Any] = None  # the function that computes the mean of the folds' curves, if there is one

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: Names = None,
        curve_kwargs: Styles = None,
        pooled_kwargs: Style = None,
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
        pooled_kwargs : dict, default=None
            For the curve of the folds' scores pooled.
        fill_between_kwargs : dict, default=None
            For matplotlib's ``fill_between``.
        plot_chance_level : bool, default=False
            Whether to draw what scores that know nothing have: the diagonal, or the prevalence.
        chance_level_kw : dict, default=None
            For the line of that.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        object of this class
            Itself.

        Raises
        ------
        ValueError
            If ``name`` or ``curve_kwargs`` do not fit the number of curves.
        TypeError
            If a style is given under two names, such as ``c`` and ``color``.

        Examples
        --------
        >>> from matplotlib import pyplot as plt
        >>> from skcostci import ROCConfidenceDisplay
        >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
        >>> display = ROCConfidenceDisplay.from_predictions(y_true, y_score)
        >>> figure, ax = plt.subplots()
        >>> display.plot(ax, plot_chance_level=True).chance_level_.get_label()
        'Chance level (AUC = 0.5)'
        """
        return self._draw(**options(locals()))

    def _draw(
        self,
        *,
        ax: Axes | None,
        name: Names,
        curve_kwargs: Styles,
        pooled_kwargs: Style,
        fill_between_kwargs: Style,
        plot_chance_level: bool,
        chance_level_kw: Style,
        despine: bool,
        **others: Any,
    ) -> Self:
        """Draw; ``others`` are options that a display has by itself."""
        self._start(ax)
        name = self.name if name is None else name
        draw_one: Any = partial(type(self)._draw_one, given=fill_between_kwargs, **others)
        self._draw_curves(self._curves(name), name, curve_kwargs, pooled_kwargs, draw_one)
        self.chance_level_ = self._draw_chance_level(chance_level_kw) if plot_chance_level else None
        sides = self._furnish(**others)
        if despine:
            despine_axes(self.ax_, sides)
        return self

    @classmethod
    def _of_cv_results(
        cls,
        *,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None,
        groups: ArrayLike | None,
        pos_label: Any,
        name: Names,
        together: Together,
        curve_kwargs: Styles,
        chance_level_kw: Style,
        chance_level_kwargs: Style,
        response_method: ScoreMethod = "predict_proba",
        **others: Any,
    ) -> Self:
        """The curves of the folds, each by what is asked of all, drawn with that of all together."""
        asked, drawn = cls._parted(others)
        chance = merge_alias(chance_level_kw=chance_level_kw, chance_level_kwargs=chance_level_kwargs)
        folds, pool = score_folds(cv_results, X, y, sample_weight, groups, response_method, pos_label)
        check_fold_styles(len(folds), name, curve_kwargs)
        if check_option("together", together, TOGETHER) == "mean":
            if cls._mean_numbers is None:
                raise ValueError(
                    "together='mean' goes with ROC and cost curves; the mean of ratios over folds has no such band."
                )
            check_apart(folds, pool)
            shared = cls._mean_numbers(folds, **asked)
        else:
            shared = cls._numbers(pool, "y_score", **asked)
        pooled = cls(**shared, name=pooled_name(name, together), together=together)
        beside = None if tested_again(folds, pool) else pooled
        of_each = {**pooled._of_folds(folds, **asked), "pos_label": pooled.pos_label}
        display: Self = cls(**of_each, name=name, pooled=beside).plot(
            curve_kwargs=curve_kwargs, chance_level_kw=chance, **drawn
        )
        return display

    def _of_folds(self, folds: Sequence[Cases], **question: Any) -> Fields:
        """The curves of the folds, of which this is the pooled one."""
        raise NotImplementedError

    @property
    def caption(self) -> str:
        """What the band is and the method it comes from, in words for the caption of a figure.

        Returns
        -------
        str
            Of folds that of all of them together; empty where there is no band.
        """
        return super().caption if self.pooled is None else self.pooled.caption

    @property
    def _whose(self) -> str:
        shown = self.pooled.name if self.name is None and self.pooled is not None else self.name
        return "" if shown is None else str(shown)

    def _curves(self, name: Names) -> list[tuple[Floats, Floats]] | None:
        """The curves of the folds, None if there is one curve; ``name`` is what they are called."""
        raise NotImplementedError

    def _draw_one(self, name: str | None, curve_kwargs: Style, *, given: Style, **others: Any) -> None:
        """One curve and what goes with it."""
        raise NotImplementedError

    def _draw_chance_level(self, given: Style) -> Any:
        """What takes no model, if that is known."""
        raise NotImplementedError

    def _furnish(self, **others: Any) -> Sequence[str]:
        """Name the axes, set their limits and add a legend; returns the spines that need go from 0 to 1 alone."""
        raise NotImplementedError

    def _draw_curves(
        self,
        curves: Sequence[tuple[ArrayLike, ArrayLike]] | None,
        name: Names,
        curve_kwargs: Styles,
        pooled_kwargs: Style,
        draw_one: Any,
    ) -> None:
        """The curves of the folds behind that of their scores together; if there are none, the one curve there is."""
        check_fold_styles(1 if curves is None else len(curves), name, curve_kwargs)
        if self.pooled is None and pooled_kwargs is not None:
            raise ValueError(
                "pooled_kwargs goes with the folds of a cross-validation that tests each case once; use curve_kwargs."
            )
        if curves is None:
            draw_one(self, _only(name), _only(curve_kwargs))
            return
        color = next_color(self.ax_)
        labels = self._fold_labels(len(curves), name, curve_kwargs)
        self.line_ = _draw_folds(self.ax_, curves, labels, curve_kwargs, {**self._shape, "color": color})
        if self.pooled is not None:
            self.pooled._start(self.ax_)
            look = style("Line2D", {"color": color}, pooled_kwargs)
            draw_one(self.pooled, pooled_name(name, self.pooled.together), look)
        for part in self._parts:
            setattr(self, part, getattr(self.pooled, part, None))

    def _fold_labels(self, n_folds: int, name: Names, curve_kwargs: Styles) -> list[str | None]:
        """A label for each fold if each has a style, otherwise one for all of them: scikit-learn's.

        Beside a pooled curve folds that have no number of their own are told by how many they are.
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


def several(curves: Any) -> bool:
    """Whether these are curves rather than one."""
    return isinstance(curves, list) and all(np.ndim(curve) > 0 for curve in curves)


def merge_alias(**given: Style) -> Style:
    """The one of two names for the same option that was used."""
    used = [name for name, value in given.items() if value is not None]
    if len(used) > 1:
        raise TypeError(f"Got both {' and '.join(used)}, which are aliases of one another")
    return given[used[0]] if used else None


def check_fold_styles(n_folds: int, name: Names, curve_kwargs: Styles) -> None:
    """One style, or one for each fold; names of folds need styles of folds. The messages are scikit-learn's."""
    each = isinstance(curve_kwargs, Sequence)
    if isinstance(curve_kwargs, Sequence) and len(curve_kwargs) != n_folds:
        raise ValueError(
            f"`curve_kwargs` must be None, a dictionary or a list of length {n_folds}. Got: {curve_kwargs}."
        )
    if isinstance(name, list) and len(name) not in (1, n_folds):
        raise ValueError(f"name must be a string or a list of length {n_folds}, got {len(name)} names.")
    if isinstance(name, list) and len(name) > 1 and not each:
        raise ValueError(
            "To avoid labeling individual curves that have the same appearance, `curve_kwargs` should be a list of "
            f"{n_folds} dictionaries. Alternatively, set `name` to `None` or a single string to label a single legend "
            "entry for all curves."
        )


def check_as_many(display: str, lists: Mapping[str, Any], name: Names) -> None:
    """As many of each as there are curves, and of names if there are several. The message is scikit-learn's."""
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
    """What the curve of all folds together is called."""
    if together == "mean":
        return f"{name}, mean of the folds" if isinstance(name, str) else "Mean of the folds"
    return f"{name}, pooled out-of-fold scores" if isinstance(name, str) else "Pooled out-of-fold scores"


def curve_label(name: str | None, value: str | None, area: str) -> str | None:
    """A curve's name and its area, as far as they are known."""
    if value is None:
        return name
    return f"{area} = {value}" if name is None else f"{name} ({area} = {value})"


def _only(value: Any) -> Any:
    """What a list of one holds."""
    return value[0] if isinstance(value, list) else value


def _draw_folds(
    ax: Axes,
    curves: Sequence[tuple[ArrayLike, ArrayLike]],
    labels: Sequence[str | None],
    curve_kwargs: Styles,
    shape: Mapping[str, Any],
) -> list[Line2D]:
    """Draw the curves of the folds faintly, in the colour of the pooled curve."""
    styles = curve_kwargs if isinstance(curve_kwargs, Sequence) else [curve_kwargs] * len(curves)
    lines = []
    for (x, y), label, given in zip(curves, labels, styles, strict=True):
        order = in_order(x)
        defaults = {**FAINT, **shape, "label": shown(label)}
        lines.extend(ax.plot(np.asarray(x)[order], np.asarray(y)[order], **style("Line2D", defaults, given)))
    return lines
