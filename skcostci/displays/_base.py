"""What displays share: axes, styles, legends, and how a curve with its band is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D

Style = Mapping[str, Any] | None

CURVE, SHARED = "curve", "shared"  # group ids by which the artists of earlier displays on the same axes are known
LINESTYLES = ("-", "--", "-.", ":")
BAND_ALPHA = 0.2
NARROW = 0.9  # share of the axes' width that a legend may take before its entries are broken


class CurveDisplay:
    """A picture on one pair of axes; what it shows is given to ``__init__`` and stored as it is."""

    ax_: Axes
    figure_: Figure | SubFigure

    def _start(self, ax: Axes | None) -> None:
        """Draw on these axes, or on new ones."""
        if ax is None:
            from matplotlib import pyplot as plt

            ax = plt.subplots()[1]
        self.ax_ = ax
        self.figure_ = ax.figure

    def _despine(self, sides: Sequence[str]) -> None:
        """Leave the left and the bottom spine only, these sides of them no longer than from 0 to 1."""
        for side in ("top", "right"):
            self.ax_.spines[side].set_visible(False)
        for side in sides:
            self.ax_.spines[side].set_bounds(0, 1)


def style(artist: str, defaults: dict[str, Any], given: Style) -> dict[str, Any]:
    """The user's options over ours, short names such as ``c`` and ``lw`` understood; ``artist`` is a matplotlib class.

    The message is scikit-learn's.
    """
    from matplotlib import cbook, collections, lines

    kind = getattr(lines if artist == "Line2D" else collections, artist)
    spelled: dict[str, str] = {}
    chosen = dict(defaults)
    for key, value in (given or {}).items():
        (name,) = cbook.normalize_kwargs({key: value}, kind)
        if name in spelled:
            alias, full = sorted((key, spelled[name]), key=lambda spelling: spelling == name)
            raise TypeError(f"Got both {alias} and {full}, which are aliases of one another")
        spelled[name] = key
        chosen[name] = value
    return chosen


def in_order(x: ArrayLike) -> NDArray[np.intp]:
    """The positions of ascending abscissas: a curve is drawn from left to right."""
    return np.argsort(np.asarray(x), kind="stable")


def draw_curve(ax: Axes, x: ArrayLike, y: ArrayLike, label: str | None, given: Style) -> Line2D:
    """Draw a curve in a line style that the curves already there leave free, so that they differ in grey too."""
    drawn = sum(line.get_gid() == CURVE for line in ax.get_lines())
    defaults = {"label": label, "linestyle": LINESTYLES[drawn % len(LINESTYLES)], "gid": CURVE}
    order = in_order(x)
    (line,) = ax.plot(np.asarray(x)[order], np.asarray(y)[order], **style("Line2D", defaults, given))
    return line


def draw_band(
    ax: Axes, line: Line2D, x: ArrayLike, edges: tuple[ArrayLike, ArrayLike], label: str | None, given: Style
) -> PolyCollection:
    """Shade a pointwise band in the colour of its line, its edges in the line's style."""
    order = in_order(x)
    low, high = (np.asarray(edge)[order] for edge in edges)
    return ax.fill_between(np.asarray(x)[order], low, high, **band_style(ax, line, label, given))


def band_style(ax: Axes, line: Line2D, label: str | None, given: Style) -> dict[str, Any]:
    """How what is uncertain about a line looks; a colour of the user's is made as light as ours."""
    from matplotlib.colors import to_rgba

    options = style("PolyCollection", {"color": line.get_color()}, given)
    color = options.pop("color")
    defaults = {
        "facecolor": to_rgba(color, BAND_ALPHA),
        "edgecolor": to_rgba(color, 0.7),
        "linewidth": 0.5,
        "linestyle": line.get_linestyle(),
        "label": shared_label(ax, label),
        "gid": SHARED,
    }
    return {**defaults, **options}


def band_label(confidence_level: float | None, what: str) -> str | None:
    """What the legend says of a band: its level, what it is for, and where it comes from."""
    return None if confidence_level is None else f"{100 * confidence_level:g} % {what}, exact bootstrap"


def shared_label(ax: Axes, label: str | None) -> str | None:
    """A label that the legend of several curves shows once."""
    return None if label in ax.get_legend_handles_labels()[1] else label


def add_legend(ax: Axes, loc: str) -> Legend | None:
    """Draw the legend, if there is anything to say: what all curves share last, long entries broken on small axes."""
    handles, labels = ax.get_legend_handles_labels()
    if not labels:
        return None
    order = sorted(range(len(handles)), key=lambda i: handles[i].get_gid() == SHARED)
    look: dict[str, Any] = {"loc": loc, "fontsize": "small", "borderaxespad": 0.4, "edgecolor": "none"}
    legend = ax.legend([handles[i] for i in order], [labels[i] for i in order], **look)
    legend.set_in_layout(False)
    if legend.get_window_extent().width > NARROW * ax.get_window_extent().width:
        for text in legend.get_texts():
            text.set_text(text.get_text().replace(" (AUC", "\n(AUC").replace(", exact", ",\nexact"))
    return legend


def legend_above(ax: Axes, strip: float = 0.0) -> None:
    """Put the legend inside at the top; make room for it, and for a strip at the bottom."""
    legend = add_legend(ax, "upper center")
    height = 0.0 if legend is None else legend.get_window_extent().height
    share = min(height / ax.get_window_extent().height + 0.04, 0.6)
    low, high = ax.dataLim.intervaly
    span = (high - low) / (1 - share - strip)
    ax.set_ylim(low - strip * span, low + (1 - strip) * span)


def positive_label(pos_label: Any) -> str:
    """The end of an axis' name that says which class is positive."""
    return "" if pos_label is None else f" (Positive label: {pos_label})"


def condition_label(pos_label: Any) -> str:
    """The name of the axis of operating conditions."""
    return f"Probability cost PC(+){positive_label(pos_label)}"


def check_curve(conditions: ArrayLike) -> None:
    """A curve needs two points."""
    if np.size(conditions) < 2:
        raise ValueError("probability_cost must hold at least two operating conditions to draw a curve, got 1.")
