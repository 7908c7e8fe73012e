"""The curves of the folds of a cross-validation: their names, their styles, and how they are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from skcostci._options import Together
from skcostci.displays._drawing import Style, in_order, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

Styles = Style | Sequence[Mapping[str, Any]]
Names = str | list[str] | None
FAINT = {"alpha": 0.5, "linestyle": "--", "linewidth": 0.7, "zorder": 1.5}


def merge_alias(given: Mapping[str, Style]) -> Style:
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


def only(value: Any) -> Any:
    """What a list of one holds."""
    return value[0] if isinstance(value, list) else value


def fold_labels(
    n_folds: int, name: Names, curve_kwargs: Styles, metric: Sequence[float] | None, pooled: bool, area: str
) -> list[str | None]:
    """A label for each fold if each has a style, otherwise one for all of them: scikit-learn's.

    ``area`` is what the metric is called. Beside a pooled curve those that have none are told by their number.
    """
    names = name if isinstance(name, list) else [name]
    if isinstance(curve_kwargs, Sequence):
        values = [None] * n_folds if metric is None else [f"{value:.2f}" for value in metric]
        names = names if len(names) == n_folds else names * n_folds
        return [curve_label(*each, area) for each in zip(names, values, strict=True)]
    together, value = names[0], None
    if metric is not None and n_folds:
        value = f"{np.mean(metric):.2f} +/- {np.std(metric):.2f}"
    elif pooled:
        together = f"{n_folds} folds" if together is None else f"{together}, {n_folds} folds"
    return [curve_label(together, value, area), *[None] * (n_folds - 1)][:n_folds]


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


def draw_folds(
    ax: Axes,
    curves: Sequence[tuple[ArrayLike, ArrayLike]],
    labels: Sequence[str | None],
    curve_kwargs: Styles,
    color: Any,
    shape: Mapping[str, Any],
) -> list[Line2D]:
    """Draw the curves of the folds faintly, in the colour of the pooled curve."""
    styles = curve_kwargs if isinstance(curve_kwargs, Sequence) else [curve_kwargs] * len(curves)
    lines = []
    for (x, y), label, given in zip(curves, labels, styles, strict=True):
        order = in_order(x)
        defaults = {**FAINT, **shape, "color": color, "label": label}
        lines.extend(ax.plot(np.asarray(x)[order], np.asarray(y)[order], **style("Line2D", defaults, given)))
    return lines
