"""Shared parts of displays: scores of estimators, limits, axes, a band; the difference of two models.

A display is a dataclass of numbers. Its constructors, in its own file, check the cases once, call a function of that
file for the numbers, and ``plot`` them; ``plot`` computes nothing, so that a display can be drawn again. The options of
a constructor are handed on by name, to the cases, to that function and to ``plot``, so that a type checker notices an
unknown one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from skcostci._arrays import Floats, NamedColumns, Scores, as_array
from skcostci._options import BANDS, Band, Label, ScoreMethod, WeightType
from skcostci._validation._arguments import check_option
from skcostci._validation._labels import check_label_column, check_names
from skcostci.cases._cases import Cases
from skcostci.displays._drawing import Style, band_label, check_axes, check_name, draw_band, draw_curve, method_titles
from skcostci.results._banded import BandedResult
from skcostci.results._results import BootstrapResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure, SubFigure

Fields = dict[str, Any]
AUTO = ("predict_proba", "decision_function")
SAMPLE = ("pos_label", "sample_weight", "groups")


def check_target(y: ArrayLike, name: str = "y") -> None:
    """Check for at most two classes, with scikit-learn's message."""
    with np.errstate(invalid="ignore"):  # scikit-learn checks for whole numbers before it checks for NaN
        kind = type_of_target(as_array(name.strip("`"), y), input_name=name.strip("`"))
    if kind == "unknown":  # scikit-learn's type of infinite labels together with whole ones
        check_label_column(name, y)
    if kind != "binary":
        raise ValueError(f"The target {name} is not binary. Got {kind} type of target.")


def check_estimator(called: str, estimator: object) -> None:
    """Check that it is a fitted instance, with scikit-learn's message if it is not."""
    if isinstance(estimator, type):
        raise TypeError(
            f"{called} must be a fitted classifier, got the class {estimator.__name__}: pass a fitted instance, "
            f"{estimator.__name__}().fit(X, y)."
        )
    if not hasattr(estimator, "fit"):
        raise TypeError(f"{called} must be a fitted classifier, got {estimator!r}.")
    check_is_fitted(estimator)


def score_cases(
    estimator: Any, X: object, response_method: ScoreMethod, pos_label: Label | None, called: str = "estimator"
) -> tuple[Scores, Any]:
    """A fitted binary classifier's scores of the positive class, and the label of that class."""
    check_estimator(called, estimator)
    if not is_classifier(estimator):
        raise ValueError(f"Expected 'estimator' to be a binary classifier. Got {type(estimator).__name__} instead.")
    classes = np.asarray(estimator.classes_).tolist()
    if len(classes) != 2:
        raise ValueError(f"Expected 'estimator' to be a binary classifier. Got {len(classes)} classes instead.")
    positive = classes[1] if pos_label is None else pos_label
    if positive not in classes:
        raise ValueError(f"pos_label={positive!r} is not a valid label: It should be one of {classes}.")
    name, response = _response(estimator, X, response_method)
    if name == "decision_function" and response.ndim == 2 and response.shape[1] == 1:
        response = response[:, 0]
    if name == "predict_proba":
        return response[:, classes.index(positive)], positive
    return (response if positive == classes[1] else -response), positive


def score_classes(estimator: Any, X: object, y: ArrayLike, response_method: ScoreMethod) -> Scores:
    """A fitted classifier's scores per class, in columns named by the classes."""
    check_estimator("estimator", estimator)
    classes = np.asarray(estimator.classes_)
    unknown = [label for label in check_names("y", y)[0] if label not in classes.tolist()]
    if unknown:
        raise ValueError(
            f"y must contain only classes that the estimator was fitted to, {classes.tolist()}, got {unknown[0]!r}."
        )
    return NamedColumns.of(_response(estimator, X, response_method)[1], classes.tolist())


def _response(estimator: object, X: object, response_method: ScoreMethod) -> tuple[str, Scores]:
    """The first of the named methods that the estimator has, if it returns scores, and these scores."""
    possible = f"response_method must be 'auto', {' or '.join(map(repr, AUTO))}"
    if not isinstance(response_method, str):
        raise TypeError(f"{possible}, got {response_method!r}.")
    names = AUTO if response_method == "auto" else (response_method,)
    for name in names:
        if hasattr(estimator, name):
            if name not in AUTO:
                raise ValueError(f"{possible}, got {name!r}.")
            return name, np.asarray(getattr(estimator, name)(X))
    hint = "" if set(names) <= set(AUTO) else f" {possible}."
    raise AttributeError(f"{type(estimator).__name__} has none of the following attributes: {', '.join(names)}.{hint}")


def score_any(
    estimator: object, X: object, y: ArrayLike, response_method: ScoreMethod, pos_label: Label | None
) -> tuple[Scores, Any]:
    """A fitted classifier's scores, per class if there are several, and the positive class."""
    if len(getattr(estimator, "classes_", ())) > 2:
        return score_classes(estimator, X, y, response_method), pos_label
    return score_cases(estimator, X, response_method, pos_label)


def score_two(
    estimator_a: object, estimator_b: object, X: object, response_method: ScoreMethod, pos_label: Label | None
) -> tuple[Scores, Scores, Any]:
    """The scores of two fitted binary classifiers, and the positive class of the first one."""
    a, positive = score_cases(estimator_a, X, response_method, pos_label, "estimator_a")
    b, _ = score_cases(estimator_b, X, response_method, positive, "estimator_b")
    return a, b, positive


def model_name(estimator: object, name: str | None) -> str:
    """The name of a model: its class, unless the user gives one."""
    return type(estimator).__name__ if name is None else name


def model_names(estimator_a: object, estimator_b: object) -> tuple[str, str]:
    """The names of two models; two models of the same class get different names."""
    a, b = type(estimator_a).__name__, type(estimator_b).__name__
    return (a, b) if a != b else (f"{a} (a)", f"{b} (b)")


def check_scores(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    pos_label: Label | None,
    sample_weight: ArrayLike | None,
    weight_type: WeightType,
    groups: ArrayLike | None,
) -> Cases:
    """Checked cases, after a check of the target with scikit-learn's messages."""
    check_target(y_true)
    return Cases.check(
        y_true, scores, pos_label=pos_label, sample_weight=sample_weight, weight_type=weight_type, groups=groups
    )


def check_pair(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    name_a: str,
    name_b: str,
    *,
    pos_label: Label | None,
    sample_weight: ArrayLike | None,
    weight_type: WeightType,
    groups: ArrayLike | None,
) -> Cases:
    """Checked cases of two models, and their names."""
    check_name("name_a", name_a)
    check_name("name_b", name_b)
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    return check_scores(
        y_true, scores, pos_label=pos_label, sample_weight=sample_weight, weight_type=weight_type, groups=groups
    )


def one_vs_rest(
    y_true: ArrayLike,
    y_score: ArrayLike,
    pos_label: Label | None,
    *,
    sample_weight: ArrayLike | None,
    weight_type: WeightType,
    groups: ArrayLike | None,
) -> dict[Label, Cases]:
    """Checked cases of a class against the rest, by label; of each class if none is given."""
    checked = Cases.check_class_scores(y_true, {"y_score": y_score})  # weights would drop rows that groups still have
    if pos_label is not None and pos_label not in checked.labels:
        raise ValueError(f"pos_label={pos_label!r} is not a valid label: It should be one of {list(checked.labels)}.")
    found = {}
    for place, label in enumerate(checked.labels):
        if pos_label is None or label == pos_label:
            one = {"y_score": checked.columns["y_score"][:, place]}
            cases = check_scores(
                checked.truth == place,
                one,
                pos_label=True,
                sample_weight=sample_weight,
                weight_type=weight_type,
                groups=groups,
            )
            found[label] = replace(cases, labels=["rest", label])
    return found


def spread_thresholds(cases: Cases, column: str, most: int) -> Floats:
    """The observed scores or, if they are too many, some of both classes, evenly spread along the ROC curve."""
    ranking = cases.counts(column).ranking
    if len(ranking.scores) <= most:
        return ranking.scores
    hits, alarms = ranking.reaching
    way = (alarms / alarms[-1] + hits / hits[-1]) / 2
    steps = np.arange(1, most + 1) / (most + 1)
    return np.asarray(ranking.scores[np.unique(np.searchsorted(way, steps))])


def limits_of(result: BootstrapResult[Any], level: float, method: str | None, band: Band | None) -> Fields:
    """The pointwise limits or none, and their description for the caption."""
    if band is None:
        return no_limits(level, method=method)
    check_option("band", band, BANDS[:1])
    low, high = result.confidence_interval(level, method=method)
    return {"low": low, "high": high, "confidence_level": level, "band": band, "method": method or result.methods[0]}


def no_limits(level: float, **options: object) -> Fields:
    """The fields without a band; options of a band are then refused."""
    for name, value in options.items():
        if value is not None:
            raise ValueError(f"{name} needs a band, got {name}={value!r} and band=None.")
    return {"low": None, "high": None, "confidence_level": level, "band": None, "method": None}


def band_of(result: BandedResult, level: float, method: str | None, band: Band | None) -> Fields:
    """Pointwise limits, limits at all points at once, or none."""
    if band is None or check_option("band", band, BANDS) == "pointwise":
        return limits_of(result, level, method, band)
    low, high = result.confidence_band(level, method=method)
    names = {"band": band, "method": method or result.band_methods[0]}
    return {"low": low, "high": high, "confidence_level": level, **names}


class Plotted:
    """The artists that ``plot`` stores."""

    line_: Any  # one curve, or a list of them
    fill_between_: PolyCollection | None
    chance_level_: Any
    ax_: Axes
    figure_: Figure | SubFigure


@dataclass(kw_only=True, eq=False, repr=False)
class CurveDisplay(Plotted):
    """A picture on one pair of axes; its numbers are passed to ``__init__`` and stored unchanged."""

    low: Floats | None = None
    high: Floats | None = None
    confidence_level: float | None = None
    band: Band | None = "pointwise"
    method: str | Sequence[str] | None = None
    pos_label: Label | None = None

    def __repr__(self) -> str:
        """The kind of picture, the model, and the kind of band."""
        parts = [part for part in (self._whose, self.caption) if part]
        return f"<{': '.join([type(self).__name__, *parts])}>"

    @property
    def caption(self) -> str:
        """The text for the caption of a figure: what the band is, and its method.

        Returns
        -------
        str
            The text; empty without a band.
        """
        if self.low is None or self.confidence_level is None:
            return ""
        source = method_titles(self.method)
        return f"{band_label(self.confidence_level, self._what)}{self._of}" + (f", {source}" if source else "")

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
        """The name of the model or the models."""
        return ""

    def _start(self, ax: Axes | None) -> None:
        """Use these axes, or new ones."""
        if ax is None:
            from matplotlib import pyplot as plt

            ax = plt.subplots()[1]
        self.ax_ = check_axes(ax)
        self.figure_ = ax.figure

    def _draw_band(self, x: ArrayLike, given: Style) -> PolyCollection | None:
        """Shade between the limits, if there are any."""
        if self.low is None or self.high is None:
            return None
        return draw_band(self.ax_, self.line_, x, (self.low, self.high), self._band_label, given)

    @property
    def _band_label(self) -> str | None:
        """The band's entry in the legend."""
        return None if self.confidence_level is None else band_label(self.confidence_level, self._what)


@dataclass(kw_only=True, eq=False, repr=False)
class PairDisplay(CurveDisplay):
    """A picture of the difference of two models, a minus b."""

    difference: Floats
    name_a: str = "a"
    name_b: str = "b"

    @property
    def _whose(self) -> str:
        return f"{self.name_a} − {self.name_b}"

    def _draw_difference(self, x: Floats, name: str | None, curve_kwargs: Style, fill_between_kwargs: Style) -> None:
        """The difference, its band, and the line at 0."""
        name = self._whose if name is None else name
        check_name("name", name)
        self.line_ = draw_curve(self.ax_, x, self.difference, name, curve_kwargs)
        self.fill_between_ = self._draw_band(x, fill_between_kwargs)
        self.chance_level_ = self.ax_.axhline(0, color="0.5", linewidth=1, linestyle=":")
