"""What displays draw on axes, as ``draw.curve``: curves with bands, their styles, legends and names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcostci._arrays import Floats
from skcostci._options import Label, visible
from skcostci.intervals import BANDS, METHODS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D
    from matplotlib.transforms import Bbox

Style = Mapping[str, object] | None
Corner = Literal["best", "upper left", "upper right", "lower right"]
Styles = Style | Sequence[Mapping[str, object]]
Names = str | list[str] | None
Outline = tuple[Floats, tuple[Floats, Floats]]  # of a band: places, and the lower and the upper edge there

CURVE, BAND, SHARED = "curve", "band", "shared"  # group ids by which artists of earlier displays on the axes are known
POINT = "point"  # a point of a curve, after which it comes in a legend
LAST: dict[str | None, int] = {CURVE: 0, POINT: 0, BAND: 2, SHARED: 3}  # in a legend; curves of folds come between
LINESTYLES = ("-", "--", "-.", ":", (0, (9, 2)), (0, (4, 1, 1, 1, 1, 1)))
FAINT = {"alpha": 0.5, "linestyle": "--", "linewidth": 0.7, "zorder": 1.5, "gid": None}  # the curves of folds
BAND_ALPHAS = (0.2, 0.13, 0.08)  # for the fills of one band, of two, and of more, which would hide each other
PAD = 3.0  # points that names and ticks keep from the edge of the figure
LEAST_SHARE = 0.2  # of a figure that is left to axes
MOST_STEPS = 4  # in which axes are made smaller
LEAST_LINE = 12  # characters per line of names of axes
NARROW_INCHES = 3.4  # of axes with room for short lines of a legend
LINE = 32  # characters per line of names of models
TEX = {letter: f"\\{letter}" for letter in "$%&#_{}"} | {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}"}
TITLES = {**{each.name: each.title for each in METHODS.values()}, **{band.name: band.title for band in BANDS.values()}}
LEGEND: dict[str, Any] = {"borderaxespad": 0.4, "edgecolor": "none", "labelspacing": 0.3, "handlelength": 2.5}


def check_axes(ax: object) -> Axes:
    """The given axes, if they can be drawn on; the message distinguishes matplotlib's other objects."""
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

    if isinstance(ax, Axes):
        return ax
    parts = list(np.ravel(np.asarray(ax, dtype=object)))
    hint = ""
    if isinstance(ax, FigureBase):
        hint = " Axes of a figure are ax=figure.subplots()."
    elif isinstance(parts[0] if parts else None, FigureBase):
        hint = " plt.subplots() returns a figure and its axes: after figure, ax = plt.subplots() pass ax."
    elif any(isinstance(part, Axes) for part in parts):
        hint = " Pass one of them, such as ax=axes[0]."
    got = repr(ax) if isinstance(ax, str | int | float) else f"a {type(ax).__name__}"
    raise TypeError(f"ax must be a matplotlib Axes, or None for a new figure, got {got}.{hint}")


def check_name(option: str, name: object) -> None:
    if not isinstance(name, str):
        raise TypeError(f"{option} must be a string, got {name!r}.")


def style(option: str, defaults: Mapping[str, object], given: Style) -> dict[str, Any]:
    """What a user gives as this option overrides our defaults; short names such as ``c`` are understood."""
    from matplotlib import cbook, collections, lines

    if not isinstance(given, Mapping | None) or not all(isinstance(key, str) for key in given or {}):
        raise TypeError(f"{option} must be a dictionary of matplotlib's options by their names, got {given!r}.")
    artist = collections.PolyCollection if option == "fill_between_kwargs" else lines.Line2D
    return {**defaults, **cbook.normalize_kwargs(dict(given or {}), artist)}


def in_order(x: ArrayLike) -> NDArray[np.intp]:
    """The order of ascending abscissas: a curve goes from left to right, or back if its data are descending."""
    abscissas = np.asarray(x)
    descends = bool((np.diff(abscissas) <= 0).all())
    return np.arange(len(abscissas)) if descends else np.argsort(abscissas, kind="stable")


def next_color(ax: Axes) -> Any:
    (line,) = ax.plot([], [])
    line.remove()
    return line.get_color()


def curve(ax: Axes, x: ArrayLike, y: ArrayLike, label: str | None, given: Style, **shape: object) -> Line2D:
    """Draw a curve in a line style that no curve there has yet, so that they differ in grey too."""
    drawn = sum(line.get_gid() == CURVE for line in ax.get_lines())
    defaults = {"label": shown(label), "linestyle": LINESTYLES[drawn % len(LINESTYLES)], "gid": CURVE, **shape}
    order = in_order(x)
    values = np.asarray(y, dtype=float)[order]
    known = np.isfinite(values)
    has_neighbour = np.append(False, known[:-1]) | np.append(known[1:], False)
    alone = np.flatnonzero(known & ~has_neighbour).tolist()
    if alone:  # a line through one point is invisible
        defaults |= {"marker": ".", "markevery": alone}
    (line,) = ax.plot(np.asarray(x)[order], values, **style("curve_kwargs", defaults, given))
    return line


def band(
    ax: Axes, line: Line2D, x: ArrayLike, edges: Sequence[ArrayLike], label: str | None, given: Style
) -> PolyCollection:
    """Shade a band in the colour of its line, with edges in the line's style and gaps where a limit is NaN."""
    order = in_order(x)
    low, high = (np.asarray(edge)[order] for edge in edges)
    shaded = ax.fill_between(np.asarray(x)[order], low, high, **band_style(ax, line, label, given))
    lighten_bands(ax)
    return shaded


def rising_band(x: ArrayLike, low: Floats, high: Floats) -> Outline:
    """The outline, from (0, 0) to (1, 1), of limits of a non-decreasing curve: places, and the lower and upper edge.

    Between two places the curve is at least its value at the place before, and at most its value at the place after.
    """
    places = np.asarray(x, dtype=float)
    order = np.argsort(places, kind="stable")
    low, high = np.append(0.0, low[order]), np.append(high[order], 1.0)
    return np.concatenate([[0.0], np.repeat(places[order], 2), [1.0]]), (np.repeat(low, 2), np.repeat(high, 2))


def band_style(ax: Axes, line: Line2D, label: str | None, given: Style, **look: object) -> dict[str, Any]:
    """The style of a band of a line; a user's colour is made as light as ours."""
    from matplotlib.colors import to_rgba

    options = style("fill_between_kwargs", {"color": line.get_color()}, given)
    color = options.pop("color")
    defaults = {
        "facecolor": to_rgba(color, BAND_ALPHAS[0]),
        "edgecolor": color,
        "linewidth": 0.8,
        "linestyle": line.get_linestyle(),
        "label": shared_label(ax, label),
        "gid": SHARED if {"facecolor", "alpha"} & options.keys() else BAND,
    }
    return {**defaults, **look, **options}


def lighten_bands(ax: Axes) -> None:
    """Make fills lighter the more bands there are, unless they are the user's; edges distinguish bands."""
    bands = [each for each in ax.collections if each.get_gid() == BAND]
    alpha = BAND_ALPHAS[min(len(bands), len(BAND_ALPHAS)) - 1]
    for each in bands:
        each.set_facecolor([(red, green, blue, alpha) for red, green, blue, _ in np.asarray(each.get_facecolor())])


def method_titles(method: str | Sequence[str] | None) -> str:
    methods = [method] if isinstance(method, str) else method or []
    return " or ".join(TITLES.get(each, each) for each in dict.fromkeys(methods))


def as_text(label: str) -> str:
    """A name shown literally: matplotlib hides labels that begin with "_" and reads text between "$" as mathematics.

    If TeX sets the text, its other special characters are escaped too, as "%" would begin a comment. Invisible
    characters are written out: no font has them, and lone surrogates cannot be drawn at all.
    """
    from matplotlib import rcParams

    text = visible(str(label))
    if rcParams["text.usetex"]:
        text = "".join(TEX.get(letter, letter) for letter in text)
    elif rcParams["text.parse_math"]:
        text = text.replace("$", r"\$")
    return f" {text}" if str(label).startswith("_") else text


def shown(label: str | None) -> str | None:
    return None if label is None else as_text(label)


def area_text(numbers: Sequence[float], decimals: int) -> str | None:
    estimate, *limits = (f"{value:.{decimals}f}" for value in numbers) if numbers else (None,)
    return f"{estimate} [{', '.join(map(str, limits))}]" if limits else estimate


def decimals_of(values: Sequence[float]) -> int:
    """Two, or as many as are needed so that no value is rounded to 0 or 1, which would suggest certainty."""
    edges = [min(value, 1 - value) for value in values if 0 < value < 1]
    return max(2, *(int(np.ceil(-np.log10(2 * edge))) for edge in edges)) if edges else 2


def shared_label(ax: Axes, label: str | None) -> str | None:
    text = shown(label)
    return None if text in ax.get_legend_handles_labels()[1] else text


def reference(ax: Axes, x: ArrayLike, y: ArrayLike, label: str, given: Style, **look: object) -> Line2D:
    """Draw a thin reference line; of several with the same label only the first is in the legend."""
    defaults = {"color": "k", "linestyle": "--", "linewidth": 1, "label": shared_label(ax, label), "gid": SHARED}
    (line,) = ax.plot(x, y, **style("chance_level_kw", {**defaults, **look}, given))
    return line


def legend(ax: Axes, loc: Corner = "best") -> None:
    """Draw the legend, with shared entries last; long ones are broken before their brackets."""
    # Imported here, as are others that draw: matplotlib is slow to import, and many compute without a picture.
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Patch

    entries = sorted(zip(*ax.get_legend_handles_labels(), strict=True), key=lambda each: LAST.get(each[0].get_gid(), 1))
    if not entries:
        return
    size, most = ("small", 50) if settled(ax).width > NARROW_INCHES * ax.figure.dpi else ("x-small", 30)
    texts = [label if len(label) <= most or "$" in label else label.replace(" (", "\n(") for _, label in entries]
    handles = [handle for handle, _ in entries]
    # One entry is for the bands of all curves, and is grey if there are several.
    if sum(handle.get_gid() == CURVE for handle in handles) > 1:
        grey = Patch(facecolor="0.85", edgecolor="0.5")
        handles = [grey if isinstance(each, PolyCollection) else each for each in handles]
    ax.legend(handles, texts, loc=loc, fontsize=size, **LEGEND).set_in_layout(False)


def settled(ax: Axes) -> Bbox:
    """The position of the axes when drawn: a layout engine moves them, and equal aspect makes them smaller."""
    engine = ax.figure.get_layout_engine()
    if engine is not None and ax.figure is ax.figure.figure:
        engine.execute(ax.figure)
    elif engine is None:
        _make_room(ax)
    ax.apply_aspect()
    return ax.get_window_extent()


def _make_room(ax: Axes) -> None:
    """Make axes smaller where the edge of the figure would cut off names or ticks."""
    whole = ax.figure.bbox
    # Other sizes have other ticks, and equal aspect takes only a part of the room.
    for _ in range(MOST_STEPS):
        box = ax.get_tightbbox(for_layout_only=True)
        if box is None:
            return
        left, bottom = (max(0.0, PAD + edge) for edge in (whole.x0 - box.x0, whole.y0 - box.y0))
        right, top = (max(0.0, PAD + edge) for edge in (box.x1 - whole.x1, box.y1 - whole.y1))
        if max(left, bottom, right, top) <= PAD:
            return
        at = ax.get_position(original=True)
        x, y = at.x0 + left / whole.width, at.y0 + bottom / whole.height
        width = max(at.width - (left + right) / whole.width, LEAST_SHARE)
        height = max(at.height - (bottom + top) / whole.height, LEAST_SHARE)
        for each in ax.get_shared_x_axes().get_siblings(ax):  # axes above each other stay in line
            its = each.get_position(original=True)
            if each is ax or (its.x0, its.x1) == (at.x0, at.x1):
                each.set_position((x, y, width, height) if each is ax else (x, its.y0, width, its.height))
                # matplotlib leaves out of later layouts what has been moved.
                each.set_in_layout(True)


def despine_axes(ax: Axes, sides: Sequence[str]) -> None:
    """Keep only the left and the bottom spine, these sides of them between 0 and 1."""
    ax.spines[["top", "right"]].set_visible(False)
    for side in sides:
        ax.spines[side].set_bounds(0, 1)


def name_axes(ax: Axes, x: str, y: str) -> None:
    """The names of the axes, on several lines where they are longer than the axis."""
    ax.set(xlabel=x, ylabel=y)
    break_names(ax)


def break_names(ax: Axes) -> None:
    """Break names that are longer than their axis before the bracket, and where the figure would cut them off too."""
    inside = settled(ax)
    for axis, room in ((ax.xaxis, inside.width), (ax.yaxis, inside.height)):
        box = axis.label.get_window_extent()
        if max(box.width, box.height) > room:
            axis.label.set_text(axis.label.get_text().replace(" (", "\n("))
    names = [(axis, axis.label.get_text().split("\n")) for axis in (ax.xaxis, ax.yaxis)]
    for _ in range(MOST_STEPS):  # more lines leave less room for the other name
        settled(ax)
        for axis, lines in names:
            share = _share_inside(axis)
            if share < 1:
                most = max(LEAST_LINE, int(share * max(map(len, axis.label.get_text().split("\n")))))
                axis.label.set_text("\n".join(fill(line, most, break_long_words=False) for line in lines))


def _share_inside(axis: Axis) -> float:
    """The length that the name of an axis can have without being cut off by the figure, over the one that it has."""
    box, whole = axis.label.get_window_extent(), axis.axes.figure.bbox
    place = 0 if axis is axis.axes.xaxis else 1
    (first, last), (low, high) = (each.get_points()[:, place].tolist() for each in (box, whole))
    return float(1 - 2 * max(low - first, last - high) / max(last - first, 1.0))


def positive_label(pos_label: Label | None) -> str:
    return "" if pos_label is None else f" (Positive label: {as_text(str(pos_label)).strip()})"
