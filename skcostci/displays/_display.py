"""Shared parts of displays: constructors and their options, limits, axes, a band.

A display is a dataclass of numbers. Its constructors check the cases once, call a function of its file for the numbers,
and ``plot`` them; ``plot`` computes nothing, so that a display can be drawn again.

Options are written once: an option is typed and described in a ``TypedDict``, and has its default where it is taken: by
the checks of cases, by the scores of an estimator, by the numbers of a display, or by ``plot``. :func:`display` gives
constructors a signature of all options and the entries of their docstrings. It raises an error, when a display is
imported, if nobody takes an option, if its type differs there, or if nobody describes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from inspect import Parameter, cleandoc, signature
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypedDict, TypeVar, dataclass_transform, is_typeddict

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._described import HEADING, described, entries
from skcostci._options import Band, Label, PointwiseBand, ScoreMethod, Together, of_counted_columns, way_to_call
from skcostci._validation._arguments import check_option
from skcostci._validation._rows import Rows, SampleOptions
from skcostci.cases._cases import Cases
from skcostci.displays import _drawing as draw
from skcostci.displays._drawing import Names, Style, Styles
from skcostci.displays._scores import ScoredRows, check_scores, score_cases
from skcostci.results._banded import BandedResult
from skcostci.results._results import BootstrapResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection


def spread_thresholds(cases: Cases, column: str, most: int) -> Floats:
    """The distinct scores, highest first; up to ``most`` of them, evenly spread along the ROC curve."""
    ranking = cases.counts(column).ranking
    if len(ranking.scores) <= most:
        return ranking.scores
    hits, alarms = ranking.reaching
    way = (alarms / alarms[-1] + hits / hits[-1]) / 2
    steps = np.arange(1, most + 1) / (most + 1)
    return np.asarray(ranking.scores[np.unique(np.searchsorted(way, steps))])


def ends_of_stretches(*heights: Floats | Integers) -> Booleans:
    """Which points begin or end a stretch where all heights are constant; a curve needs none of those inside."""
    turns = np.any(np.diff(np.array(heights)) != 0, axis=0)
    return np.asarray(np.append(True, turns) | np.append(turns, True))


def limits_of(result: BootstrapResult[Any], level: float, method: str | None, band: Band | None) -> Fields:
    if band is None:
        return no_limits(level, method=method)
    if isinstance(result, BandedResult) and check_option("band", band, Band) == "simultaneous":
        (low, high), methods = result.confidence_band(level, method=method), result.band_methods
    else:
        check_option("band", band, PointwiseBand)
        (low, high), methods = result.confidence_interval(level, method=method), result.methods
    return {"low": low, "high": high, "confidence_level": level, "band": band, "method": method or methods[0]}


def no_limits(level: float, **options: object) -> Fields:
    """The fields without a band; options of a band are then refused."""
    for name, value in options.items():
        if value is not None:
            raise ValueError(f"{name} needs a band, got {name}={value!r} and band=None.")
    return {"low": None, "high": None, "confidence_level": level, "band": None, "method": None}


@dataclass(kw_only=True, eq=False, repr=False)
class CurveDisplay:
    """A picture on one pair of axes; its numbers are passed to ``__init__`` and stored unchanged.

    Parameters
    ----------
    low, high : ndarray of shape (n_points,)
        Lower and upper limits of the curve at each point; None draws no band.
    confidence_level : float
        Confidence level of the limits, for the legend.
    band : {"pointwise", "simultaneous"}
        Whether the limits are pointwise or simultaneous for all points, for the legend.
    method : str
        The interval method, for the caption.
    pos_label : int, float, bool or str
        The positive label, for the axes.
    """

    low: Floats | None = None
    high: Floats | None = None
    confidence_level: float | None = None
    band: Band | None = "pointwise"
    method: str | Sequence[str] | None = None
    pos_label: Label | None = None

    from_predictions: ClassVar[Any]  # each display has these two
    plot: ClassVar[Any]
    _numbers: ClassVar[Callable[..., Fields]]  # the fields, from cases, columns and options
    _axes: ClassVar[tuple[str, str]]  # the fields that are drawn
    _places: ClassVar[str] = ""  # the field with the places of the limits, unless they are those of the curve
    _response: ClassVar[str] = "auto"  # the default response_method, the only one where it is no option
    _unnamed: ClassVar[str | None] = "Classifier"  # the name in from_predictions if none is given

    @classmethod
    def _of_estimator(
        cls, estimator: object, X: ArrayLike, y: ArrayLike, *, name: str | None = None, **options: object
    ) -> Self:
        """Score cases with a fitted classifier, and draw them.

        Parameters
        ----------
        estimator : fitted classifier
            A classifier for two classes.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Cases on which the estimator was not fitted.
        y : array-like of shape (n_samples,)
            Their labels.
        pos_label : int, float, bool or str
            The positive class; None is ``estimator.classes_[1]``.
        """
        how = {"response_method": cls._response, **among(options, score_cases)}
        y_score, positive = score_cases(estimator, X, **how)
        called = type(estimator).__name__ if name is None else name
        shown: Self = cls.from_predictions(y, y_score, **options, pos_label=positive, name=called)
        return shown

    @classmethod
    def _of_predictions(
        cls, y_true: ArrayLike, scores: Mapping[str, ArrayLike], *, name: str | None = None, **options: object
    ) -> Self:
        """Compute the numbers of one model, and draw them.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Binary labels, both classes present.
        y_score : array-like of shape (n_samples,)
            Finite scores, higher meaning more positive.
        """
        cases = check_scores(y_true, scores, **among(options, ScoredRows))
        numbers = cls._numbers(cases, *scores, **among(options, cls._numbers))
        shown: Self = cls(**{**numbers, "name": cls._unnamed if name is None else name}).plot(**options)
        return shown

    def __repr__(self) -> str:
        return f"<{': '.join(filter(None, (type(self).__name__, self._whose, self.caption)))}>"

    @property
    def caption(self) -> str:
        """The text for the caption of a figure: what the band is, and its method.

        Returns
        -------
        str
            The text; empty without a band.
        """
        band, source = self._band_label, draw.method_titles(self.method)
        if self.low is None or band is None:
            return ""
        return f"{band}{self._of}" + (f", {source}" if source else "")

    @property
    def _what(self) -> str:
        """The kind of limits, and where they hold, for the legend."""
        return f"confidence band ({self.band})"

    @property
    def _of(self) -> str:
        """The quantity that the limits are for, for the caption."""
        raise NotImplementedError

    @property
    def _whose(self) -> str:
        name = getattr(self, "name", None)
        return "" if name is None else str(name)

    def _start(self, ax: Axes | None) -> None:
        if ax is None:
            from matplotlib import pyplot as plt

            ax = plt.subplots()[1]
        self.ax_ = draw.check_axes(ax)
        self.figure_ = ax.figure
        # Set by what is drawn: one artist or, where there are several curves, a list of them.
        self.line_: Any
        self.fill_between_: Any
        self.chance_level_: Any

    def _draw_band(self, given: Style) -> PolyCollection | None:
        places = getattr(self, self._places or self._axes[0])
        if places is None or self.low is None or self.high is None:
            return None
        x, edges = self._outline(places, self.low, self.high)
        return draw.band(self.ax_, self.line_, x, edges, self._band_label, given)

    def _outline(self, x: Floats, low: Floats, high: Floats) -> draw.Outline:
        """Where the edges of the band go: the places, and the lower and the upper limit there."""
        return x, (low, high)

    @property
    def _band_label(self) -> str | None:
        return None if self.confidence_level is None else f"{100 * self.confidence_level:g} % {self._what}"


Fields = dict[str, Any]
Kind = TypeVar("Kind", bound=type)
RETURNS = "Returns\n-------\nobject of this class\n    The display, drawn."
NEXT = re.compile(r"^(?=(?:Returns|Raises|Examples)\n---)", re.MULTILINE)  # the section that follows the parameters
OF_ONE = {"Styles": "Style", "Names": "str | None"}  # what ``plot`` takes for folds, and constructors for one curve


class Response(TypedDict, total=False):
    """What is asked of an estimator.

    Parameters
    ----------
    response_method : {"auto", "predict_proba", "decision_function"}
        The method that gives the scores; "auto" takes the first one that the estimator has.
    """

    response_method: ScoreMethod


class Look(TypedDict, total=False):
    """How one curve is drawn.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to draw; None makes a new figure.
    curve_kwargs : dict
        Options of matplotlib's ``plot``.
    fill_between_kwargs : dict
        Options of matplotlib's ``fill_between``.
    despine : bool
        Whether to remove the top and right spines.
    """

    ax: Axes | None
    curve_kwargs: Style
    fill_between_kwargs: Style
    despine: bool


class ModelLook(Look, total=False):
    """How the curve of one model is drawn.

    Parameters
    ----------
    name : str
        The name of the model in the legend; None is that of the estimator's class, or "Classifier".
    chance_level_kw : dict
        Options of matplotlib's ``plot`` for the chance level.
    """

    name: str | None
    plot_chance_level: bool
    chance_level_kw: Style


class PlotLook(TypedDict, total=False):
    """How ``plot`` draws the curve of one model, or those of folds.

    Parameters
    ----------
    name : str or list of str
        The name in the legend; a list, with one name per fold, requires a list of ``curve_kwargs``.
    curve_kwargs : dict or list of dict
        Options of matplotlib's ``plot``; for several folds one dict for all or a list with one for each.
    pooled_kwargs : dict
        Options of the curve of all folds together.
    """

    name: Names
    curve_kwargs: Styles
    pooled_kwargs: Style
    fill_between_kwargs: Style
    chance_level_kw: Style
    despine: bool


class FoldsLook(PlotLook, total=False):
    """How the curves of folds are drawn.

    Parameters
    ----------
    together : {"pooled", "mean"}
        What is drawn in addition to the folds: the curve of the pooled scores or, of ROC curves at false-positive rates
        and of cost curves at given thresholds, the mean of the folds' curves, with a band for the mean over these
        models. The mean requires splits that test each case once, as repeats add no information.
    """

    together: Together
    ax: Axes | None
    plot_chance_level: bool


def among(options: Fields, taker: object) -> Fields:
    """Remove from ``options``, and return, those that a function or a ``TypedDict`` of options has."""
    return {name: options.pop(name) for name in taker.__annotations__ if name in options}


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def display(cls: Kind) -> Kind:
    """A dataclass of numbers, whose constructors, ``plot`` and fields are spelled out in full."""
    made: Any = dataclass(kw_only=True, eq=False, repr=False)(cls)
    own = [each for each in made.from_predictions.__func__.__globals__.values() if is_typeddict(each)]
    takers = [each.__func__ for each in vars(made).values() if isinstance(each, staticmethod)]
    takers += [getattr(made, name) for name in ("plot", "_draw") if hasattr(made, name)]
    for name in ("plot", *(each for each in vars(made) if each.startswith("from_"))):
        base = getattr(made, f"_of{name.removeprefix('from')}", None)
        function = getattr(getattr(made, name), "__func__", getattr(made, name))
        # Else it is inherited, with its options spelled out already.
        if not hasattr(function, "__signature__"):
            takes = [each for each in (base, *takers, Cases.check, Rows.given, score_cases) if each]
            spell_options(function, [base, *own], [signature(each).parameters for each in takes])
        setattr(made, name, refusing_unknown(function) if name == "plot" else classmethod(refusing_unknown(function)))
    described(*reversed(made.__mro__[1:]))(made)
    return cls


def spell_options(function: Any, sources: Sequence[object], taken: Sequence[Mapping[str, Parameter]]) -> None:
    """Give a function the signature with all of its options, and describe each of them in its docstring."""
    written = signature(function)
    parameters = list(written.parameters.values())
    if parameters[-1].kind is Parameter.VAR_KEYWORD:
        table = function.__globals__[parameters.pop().annotation.removeprefix("Unpack[").removesuffix("]")]
        for name, each in table.__annotations__.items():
            parameters.append(_as_taken(function.__qualname__, name, each.__forward_arg__, taken))
    function.__signature__ = written.replace(parameters=parameters)
    # There is none under ``python -OO``.
    if function.__doc__:
        before, *after = NEXT.split(f"{cleandoc(function.__doc__)}\n\n", maxsplit=1)
        before += "" if HEADING in before else f"{HEADING}\n\n"
        before += "" if after and after[0].startswith("Returns") else f"{RETURNS}\n\n"
        function.__doc__ = "".join([before, *after])
        tables: Sequence[type] = (Response, Look, ModelLook, PlotLook, FoldsLook)
        shared = [table for table in tables if table.__annotations__.keys() <= {each.name for each in parameters}]
        described(SampleOptions, *shared, *sources)(function)
        for name in [each.name for each in parameters[1:] if each.name not in entries(function.__doc__)]:
            raise TypeError(f"nobody describes {name} of {function.__qualname__}")


def _as_taken(called: str, name: str, kind: str, taken: Sequence[Mapping[str, Parameter]]) -> Parameter:
    """An option with the default that it has where it is taken, where it must be of the same type."""
    found = [each[name] for each in taken if name in each]
    if not found:
        raise TypeError(f"nobody takes {name} of {called}")
    for each in found:
        if kind not in (each.annotation, OF_ONE.get(each.annotation)):
            raise TypeError(f"{name} of {called} is {kind}, and is taken as {each.annotation}")
    return Parameter(name, Parameter.KEYWORD_ONLY, default=found[0].default, annotation=kind)


def refusing_unknown(function: Callable[..., object]) -> Callable[..., object]:
    """Refuse unknown options before anything is computed; a user's class may draw with options of its own."""

    @wraps(function)
    def called(owner: object, *given: object, **options: object) -> object:
        named = of_counted_columns(called, options)
        if not isinstance(owner, type) or owner.__module__.startswith("skcostci."):
            try:
                signature(called).bind(owner, *given, **named)
            except TypeError as error:
                hint = way_to_call(called, given, named)
                raise TypeError(f"{function.__qualname__}() {error}.{hint}") from None
        return function(owner, *given, **named)

    return called
