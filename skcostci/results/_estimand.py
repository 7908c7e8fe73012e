"""What a result estimates: the quantity of the population that its interval is about.

Two results may be subtracted, or compared in any way, where these are the same; the samples, the models and how
cases were resampled may differ. Thresholds belong to each model's own scores and are left out, but for whether the
cases chose them, and for metrics that change with them, such as net benefits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from skcostci._options import without_address
from skcostci.results._tables import as_json

WORDS = {"positive": "positive class", "selected": "kind, at thresholds that the cases chose"}


@dataclass(frozen=True)
class Estimand:
    """What a result estimates.

    Parameters
    ----------
    statistic : str
        Such as "auc", "cost", "tpr_at_fpr" or "metric".
    difference : bool, default=False
        Whether it is a difference between two models, a - b.
    metric : Metric, tuple of Metric, str or callable, default=None
        Of a confusion table, one a point where they differ; or the loss.
    prevalence : float, default=None
        The share of positives to judge at; None is that of the population sampled.
    normalizer : str, default=None
        What costs are divided by.
    costs : tuple of tuples, default=None
        The cost matrix.
    labels : tuple, default=None
        The classes, in the order of the matrix or of the columns of scores.
    multi_class, average : str, default=None
        How several classes are put together.
    positive : object, default=None
        The positive class.
    axis : tuple of (name, values), default=()
        The operating conditions, rates or shares of the points.
    selected : bool, default=False
        Whether it is about a threshold that the cases chose.
    folds : bool, default=False
        Whether it is the mean over the models of several folds.

    See Also
    --------
    independent_difference : Compares results of one estimand.

    Examples
    --------
    >>> from skcostci import bootstrap_auc
    >>> bootstrap_auc([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4]).estimand
    Estimand(statistic='auc', positive=1)
    """

    statistic: str
    difference: bool = False
    metric: Any = None
    prevalence: float | None = None
    normalizer: str | None = None
    costs: Any = None
    labels: tuple[Any, ...] | None = None
    multi_class: str | None = None
    average: str | None = None
    positive: Any = None
    axis: Any = ()
    selected: bool = False
    folds: bool = False

    def __post_init__(self) -> None:
        """Plain numbers and tuples, which are equal when they look so."""
        of_each = self.metric if isinstance(self.metric, tuple) else ()
        if of_each and all(metric == of_each[0] for metric in of_each):
            object.__setattr__(self, "metric", of_each[0])
        for name in ("costs", "labels", "positive"):
            object.__setattr__(self, name, _plain(getattr(self, name)))
        if isinstance(self.axis, Mapping):
            object.__setattr__(self, "axis", tuple((name, _plain(values)) for name, values in self.axis.items()))

    @property
    def chance(self) -> float | None:
        """The value for a model that ranks by chance: .5 of a whole AUC, else None."""
        return 0.5 if self.statistic == "auc" and not self.difference and not self.axis else None

    def to_dict(self) -> dict[str, Any]:
        """What is stated, by name, as plain Python objects that ``json.dumps`` takes.

        Returns
        -------
        dict
            What differs from the defaults; metrics by their names.

        Examples
        --------
        >>> from skcostci import bootstrap_auc
        >>> bootstrap_auc([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8]).estimand.to_dict()
        {'statistic': 'auc', 'positive': 1}
        """
        stated = {field.name: (getattr(self, field.name), field.default) for field in fields(self)}
        told = {name: value for name, (value, default) in stated.items() if value != default}
        return {name: as_json(dict(value) if name == "axis" else value) for name, value in told.items()}

    def __repr__(self) -> str:
        told = ((field.name, getattr(self, field.name), field.default) for field in fields(self))
        listed = ", ".join(f"{name}={_shown(value)}" for name, value, default in told if value != default)
        return f"{type(self).__name__}({listed})"


def check_same_estimand(**estimands: Estimand) -> None:
    """What is to be subtracted is of one estimand; the message names what differs first, and both values."""
    (name_a, a), (name_b, b) = estimands.items()
    for field in fields(Estimand):
        mine, other = getattr(a, field.name), getattr(b, field.name)
        if mine == other:
            continue
        what, at = WORDS.get(field.name, field.name), "of"
        if field.name == "axis":
            (what, mine), (_, other) = _first_difference(mine, other)
            at = "at"
        shown = f"{_shown(mine, beside=other)} and {_shown(other, beside=mine)}"
        raise ValueError(f"{name_a} and {name_b} must be {at} the same {what}, got {shown}.")


def _first_difference(a: Any, b: Any) -> Any:
    """The part of the axis that differs, of either."""
    return next((pair for pair in zip(a, b, strict=False) if pair[0] != pair[1]), (("points", a), ("points", b)))


def _plain(value: Any) -> Any:
    """Arrays as tuples and scalars of numpy as those of Python."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    return tuple(map(_plain, value)) if isinstance(value, list | tuple) else value


def _shown(value: Any, beside: Any = None) -> str:
    """A value in a message: metrics and functions by their names unless these are the same, long tuples cut short."""
    names = [getattr(each, "name", getattr(each, "__name__", None)) for each in (value, beside)]
    if names[0] is not None and names[0] != names[1]:
        return str(names[0])
    if isinstance(value, tuple) and len(value) > 3:
        return f"({', '.join(map(_shown, value[:2]))}, ... {len(value)} of them)"
    return without_address(value)
