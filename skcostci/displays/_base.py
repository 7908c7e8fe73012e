"""What displays share: an estimator's scores, names, axes, and how a curve with its band is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D

AUTO = ("predict_proba", "decision_function")
CURVE, SHARED = "curve", "shared"  # group ids by which the artists of earlier displays on the same axes are known


def score_cases(estimator: Any, X: ArrayLike, response_method: str, pos_label: Any) -> tuple[NDArray[Any], Any]:
    """A fitted binary classifier's scores of the positive class, and which class that is."""
    check_is_fitted(estimator)
    if not is_classifier(estimator):
        raise ValueError(f"Expected 'estimator' to be a binary classifier. Got {type(estimator).__name__} instead.")
    classes = estimator.classes_.tolist()
    if len(classes) != 2:
        raise ValueError(f"Expected 'estimator' to be a binary classifier. Got {len(classes)} classes instead.")
    positive = classes[1] if pos_label is None else pos_label
    if positive not in classes:
        raise ValueError(f"pos_label={positive!r} is not a valid label. It must be one of {classes}.")
    name = _response_method(estimator, AUTO if response_method == "auto" else (response_method,))
    response = np.asarray(getattr(estimator, name)(X))
    if name == "predict_proba":
        return response[:, classes.index(positive)], positive
    return (response if positive == classes[1] else -response), positive


def _response_method(estimator: Any, names: Sequence[str]) -> str:
    """The first of these methods that the estimator has."""
    for name in names:
        if name not in AUTO:
            raise ValueError(f"response_method must be 'auto', {' or '.join(map(repr, AUTO))}, got {name!r}.")
        if hasattr(estimator, name):
            return name
    raise AttributeError(f"{type(estimator).__name__} has none of the following attributes: {', '.join(names)}.")


def new_axes(ax: Axes | None) -> Axes:
    """The axes to draw on."""
    if ax is None:
        from matplotlib import pyplot as plt

        return plt.subplots()[1]
    return ax


def draw_curve(ax: Axes, x: ArrayLike, y: ArrayLike, label: str | None, given: dict[str, Any] | None) -> Line2D:
    """Draw a curve in a line style that the curves already there leave free, so that they differ in grey too."""
    drawn = sum(line.get_gid() == CURVE for line in ax.get_lines())
    defaults = {"label": label, "linestyle": ("-", "--", "-.", ":")[drawn % 4], "gid": CURVE}
    (line,) = ax.plot(x, y, **line_style(defaults, given))
    return line


def line_style(defaults: dict[str, Any], given: dict[str, Any] | None) -> dict[str, Any]:
    """Line options, the user's over ours, short names such as ``c`` and ``lw`` understood."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    return {**defaults, **normalize_kwargs(given or {}, Line2D)}


def draw_band(
    ax: Axes,
    line: Line2D,
    edges: tuple[ArrayLike | None, ArrayLike | None],
    confidence_level: float | None,
    given: dict[str, Any] | None,
) -> PolyCollection | None:
    """Shade a pointwise band in the colour of its line."""
    low, high = edges
    if low is None or high is None:
        return None
    label = None if confidence_level is None else f"{100 * confidence_level:g} % pointwise, exact bootstrap"
    style = {"color": line.get_color(), "alpha": 0.2, "linewidth": 0, "label": shared_label(ax, label)}
    return ax.fill_between(np.asarray(line.get_xdata()), low, high, **{**style, "gid": SHARED, **(given or {})})


def shared_label(ax: Axes, label: str | None) -> str | None:
    """A label that the legend of several curves shows once."""
    return None if label in ax.get_legend_handles_labels()[1] else label


def add_legend(ax: Axes, strip: float = 0.0) -> None:
    """Put the legend inside at the top, what all curves share last; make room for it, and for a strip at the bottom."""
    handles, labels = ax.get_legend_handles_labels()
    order = sorted(range(len(handles)), key=lambda i: handles[i].get_gid() == SHARED)
    style: dict[str, Any] = {"loc": "upper center", "fontsize": "small", "frameon": False}
    legend = ax.legend([handles[i] for i in order], [labels[i] for i in order], **style)
    legend.set_in_layout(False)
    share = min(legend.get_window_extent().height / ax.get_window_extent().height + 0.04, 0.6)
    low, high = ax.dataLim.intervaly
    span = (high - low) / (1 - share - strip)
    ax.set_ylim(low - strip * span, low + (1 - strip) * span)


def remove_spines(ax: Axes) -> None:
    """Leave the left and the bottom spine only."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def condition_label(pos_label: Any) -> str:
    """The name of the axis of operating conditions."""
    return "Probability cost PC(+)" + ("" if pos_label is None else f" (Positive label: {pos_label})")


def check_curve(conditions: ArrayLike) -> None:
    """A curve needs two points."""
    if np.size(conditions) < 2:
        raise ValueError("probability_cost must hold at least two operating conditions to draw a curve, got 1.")
