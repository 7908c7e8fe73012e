"""What displays share: an estimator's scores, names, axes, and how a curve with its band is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from skcostci._validation import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D

AUTO = ("predict_proba", "decision_function")


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


def new_axes(caller: str, ax: Axes | None) -> Axes:
    """The axes to draw on; matplotlib is imported only here."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(f"{caller} needs matplotlib: python -m pip install matplotlib") from error
    return plt.subplots()[1] if ax is None else ax


def line_style(defaults: dict[str, Any], given: dict[str, Any] | None) -> dict[str, Any]:
    """Line options, the user's over ours, short names such as ``c`` and ``lw`` understood."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    return {**defaults, **normalize_kwargs(given or {}, Line2D)}


def draw_band(
    ax: Axes, line: Line2D, x: Floats, low: Floats | None, high: Floats | None, given: dict[str, Any] | None
) -> PolyCollection | None:
    """Shade a confidence band in the colour of its line."""
    if low is None or high is None:
        return None
    return ax.fill_between(x, low, high, **{"color": line.get_color(), "alpha": 0.2, "linewidth": 0, **(given or {})})


def band_label(name: str | None, confidence_level: float | None, scheme: str = "pointwise, exact bootstrap") -> str:
    """What the legend says of a curve: whose it is, and which band is around it."""
    if confidence_level is None:
        return name or ""
    band = f"{100 * confidence_level:g} % {scheme}"
    return f"{name} ({band})" if name else band


def add_legend(ax: Axes) -> None:
    """Put the legend inside at the top, with room made for it above the data."""
    legend = ax.legend(loc="upper center", fontsize="small", framealpha=0.9, edgecolor="none")
    low, high = ax.dataLim.intervaly
    ax.set_ylim(top=high + (high - low) * (0.03 + 0.07 * len(legend.get_texts())))


def remove_spines(ax: Axes) -> None:
    """Leave the left and the bottom spine only."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
