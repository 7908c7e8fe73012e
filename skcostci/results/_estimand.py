"""The description of a result: its estimand, the methods that its law supports, and its numbers as a table.

Two results may be subtracted, or compared in any way, if their estimands are equal; samples, models and the resampling
of cases may differ. Thresholds belong to each model's own scores and are left out, except whether the cases chose them,
and except for metrics that depend on them, such as net benefits.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from skcostci._frozen import Comparable
from skcostci._options import Label, named_plainly, without_address
from skcostci._shown import Shown, as_frame, as_html, as_json
from skcostci._validation._arguments import LEVEL, check_option
from skcostci.intervals import METHODS

if TYPE_CHECKING:
    import pandas as pd

FunctionT = TypeVar("FunctionT", bound=Callable[..., object])
WORDS = {
    "positive": "positive class",
    "selected": "kind (with or without thresholds chosen on the same cases)",
    "crossed": "kind (with or without crossed=)",
    "proxy": "kind (with or without proxy=)",
    "competing": "kind (with or without competing events)",
}


@dataclass(frozen=True)
class Estimand(Shown):
    """What a result estimates.

    Parameters
    ----------
    statistic : str
        The name of the statistic, such as "auc", "cost", "tpr_at_fpr" or "metric".
    difference : bool, default=False
        Whether it is a difference between two models, a - b.
    metric : Metric, tuple of Metric, str or callable, default=None
        The metric of a confusion table, one per point where they differ; or the loss.
    prevalence : float, default=None
        The share of positives at which the metric is evaluated; None is the share in the sampled population.
    normalizer : str, default=None
        How costs are normalized.
    costs : tuple of tuples, default=None
        The cost matrix.
    labels : tuple, default=None
        The classes, in the order of the matrix or of the columns of scores.
    multi_class, average : str, default=None
        How the values of several classes are averaged.
    positive : object, default=None
        The positive class.
    axis : tuple of (name, values), default=()
        The coordinates of the points (operating conditions, rates or shares), or the horizon of censored times.
    selected : bool, default=False
        Whether the threshold was chosen on the same cases.
    folds : bool, default=False
        Whether it is the mean over the models of several folds.
    crossed : bool, default=False
        Whether it is the mean over the levels of a crossed factor, such as readers; the population is then one of cases
        and of readers.
    proxy : bool, default=False
        Whether a proxy's labels stand in for the labels of rows that were not checked. The estimand is the value with a
        checked label for every case, where the checked cases are a random sample.
    competing : bool, default=False
        Whether some cases have a competing event, after which the event cannot occur.

    See Also
    --------
    independent_difference : Compares two results with the same estimand.

    Examples
    --------
    >>> from skcostci import bootstrap_metric
    >>> estimand = bootstrap_metric(["no", "no", "yes"], ["no", "yes", "yes"], "f1", pos_label="yes").estimand
    >>> estimand.name, estimand.to_dict()
    ("f1 of class 'yes'", {'statistic': 'metric', 'metric': 'f1', 'positive': 'yes'})
    """

    statistic: str
    difference: bool = False
    metric: object = None
    prevalence: float | None = None
    normalizer: str | None = None
    costs: object = None
    labels: tuple[Label, ...] | None = None
    multi_class: str | None = None
    average: str | None = None
    positive: object = None
    axis: Any = ()
    selected: bool = False
    folds: bool = False
    crossed: bool = False
    proxy: bool = False
    competing: bool = False

    def __post_init__(self) -> None:
        """Convert fields to plain numbers and tuples, which are equal if their values are."""
        of_each = self.metric if isinstance(self.metric, tuple) else ()
        # One metric at all points is stated once: the result may then be compared with others of that metric.
        if of_each and all(metric == of_each[0] for metric in of_each):
            object.__setattr__(self, "metric", of_each[0])
        for name in ("costs", "labels", "positive"):
            object.__setattr__(self, name, _plain(getattr(self, name)))
        if isinstance(self.axis, Mapping):
            object.__setattr__(self, "axis", tuple((name, _plain(values)) for name, values in self.axis.items()))

    @property
    def name(self) -> str:
        """The statistic in a few words, as results, frames and captions call it.

        For a metric or a loss it is that one's name. It is followed by the average over classes, the positive class
        where it is not 1, a stated prevalence, and whether it is a difference.
        """
        of = self.metric[0] if isinstance(self.metric, tuple) else self.metric or self.statistic
        words = [of if isinstance(of, str) else named_plainly(of), self.multi_class, self.average]
        name = "_".join(filter(None, words))
        options = ", ".join(f"{option}=False" for option, value in self.axis if value is False)
        marks = {
            " difference": self.difference,
            f" ({options})": options,
            f" of class {self.positive!r}": self.positive is not None and self.positive != 1,
            f" at prevalence {self.prevalence}": self.prevalence is not None,
        }
        return name + "".join(mark for mark, holds in marks.items() if holds)

    @property
    def chance(self) -> float | None:
        """The value of a model that ranks at random: 0.5 for the whole AUC, 0 for the Gini coefficient, else None."""
        whole = not self.difference and all(name in ("horizon", "from", "to", "label") for name, _ in self.axis)
        return {"auc": 0.5, "integrated_auc": 0.5, "gini": 0.0}.get(self.statistic) if whole else None

    def to_dict(self) -> dict[str, Any]:
        """The fields by name, as plain Python objects that ``json.dumps`` accepts.

        Returns
        -------
        dict
            The fields that differ from their defaults; metrics by their names.
        """
        return {name: as_json(dict(self.axis) if name == "axis" else value) for name, value in self._stated.items()}

    def _columns(self) -> dict[str, list[str]]:
        return {"stated": list(self._stated), "value": list(map(_in_words, self._stated.values()))}

    def __repr__(self) -> str:
        listed = ", ".join(f"{name}={_in_words(value)}" for name, value in self._stated.items())
        return f"{type(self).__name__}({listed})"

    @property
    def _stated(self) -> dict[str, object]:
        every = ((each.name, getattr(self, each.name), each.default) for each in fields(self))
        return {name: value for name, value, default in every if value != default}


def check_same_estimand(**estimands: Estimand) -> None:
    """Raise if two estimands differ; the message names the first difference, and both values."""
    (name_a, a), (name_b, b) = estimands.items()
    for field in fields(Estimand):
        mine, other = getattr(a, field.name), getattr(b, field.name)
        if mine == other:
            continue
        what, at = WORDS.get(field.name, field.name), "of"
        if field.name == "axis":
            pairs = (pair for pair in zip(mine, other, strict=False) if pair[0] != pair[1])
            ((what, mine), (_, other)), at = next(pairs, (("points", mine), ("points", other))), "at"
        shown = f"{_in_words(mine, beside=other)} and {_in_words(other, beside=mine)}"
        raise ValueError(f"{name_a} and {name_b} must be {at} the same {what}, got {shown}.")


def _plain(value: object) -> object:
    """Arrays as tuples, and numpy's scalars as Python's."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    return tuple(map(_plain, value)) if isinstance(value, list | tuple) else value


def _in_words(value: object, beside: object = None) -> str:
    """A value in a message: metrics and functions by their names unless the names are equal, long tuples cut short."""
    names = [getattr(each, "name", getattr(each, "__name__", None)) for each in (value, beside)]
    if names[0] is not None and names[0] != names[1]:
        return str(names[0])
    if isinstance(value, tuple) and len(value) > 3:
        return f"({', '.join(map(_in_words, value[:2]))}, ... {len(value)} of them)"
    return without_address(value)


def points_in_words(points: Mapping[str, ArrayLike], n_points: int | None) -> list[str]:
    """The points of a result: a single point (None) by its numbers, several by their number and first axis."""
    words = [f"{name}={np.asarray(value):.4g}" for name, value in points.items() if not np.ndim(value)]
    if n_points is None:
        return words
    along = [(name, np.asarray(values)) for name, values in points.items() if np.ndim(values)]
    for name, values in along[:1]:
        if values.dtype.kind != "f":
            words.append(f"{name} {', '.join(map(repr, values.tolist()[:5]))}{', ...' * (len(values) > 5)}")
        elif (least := values.min()) == (most := values.max()):
            words.append(f"{name}={least:.4g}")
        else:
            words.append(f"{name} {least:.4g} to {most:.4g}")
    return [f"{n_points} points", *words]


class _Where:
    """A method of results for which ``refusal`` returns no reason; for the others ``hasattr`` is False."""

    def __init__(self, method: Callable[..., object], refusal: Callable[[Any], str]) -> None:
        self.__doc__, self.__name__, self.__wrapped__ = method.__doc__, method.__name__, method
        self.method, self.refusal = method, refusal

    def __get__(self, result: object, owner: type) -> object:
        if result is None:
            return self.method
        if reason := self.refusal(result):
            raise AttributeError(f"{owner.__name__}.{self.method.__name__} {reason}")
        return self.method.__get__(result, owner)


def unless(refusal: Callable[[Any], str]) -> Callable[[FunctionT], FunctionT]:
    """A decorator of methods for results to which ``refusal`` has nothing to say."""
    return partial(_Where, refusal=refusal)  # type: ignore[return-value]


def lacks_whole_law(result: Any) -> str:
    """Of methods that need more of the law than its moments."""
    law = getattr(result.law, "law", result.law)  # for a law with undefined points, the law of the others
    if law is None or hasattr(law, "cdf"):
        return ""
    return (
        "needs the bootstrap distribution, of which only mean and variance are known here, as with most groups, folds, "
        "importance weights, several classes and functions: use confidence_interval, standard_error or mean."
    )


def has_groups(result: Any) -> str:
    """Of methods that assume independent classes, as they are not with groups that contain both."""
    if result.n_groups is None:
        return ""
    return "needs independent classes, but groups may contain cases of both classes. Use .fpr and .tpr separately."


class DegenerateLawWarning(UserWarning):
    """The warning that a requested interval has zero width although the true value is uncertain.

    See Also
    --------
    BootstrapResult.confidence_interval : Issues it.

    Examples
    --------
    >>> import warnings
    >>> from skcostci import bootstrap_auc
    >>> perfect = bootstrap_auc([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4])
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     print(perfect.confidence_interval(method="wald"), caught[0].category.__name__)
    ConfidenceInterval(low=1.0, high=1.0) DegenerateLawWarning
    """


class Tabular(Comparable):
    """Results shown in notebooks as a table of their columns, with the default limits at 95 %."""

    if TYPE_CHECKING:  # what each kind of results has

        @property
        def estimand(self) -> Estimand: ...

        @property
        def is_exact(self) -> bool: ...

        @property
        def methods(self) -> tuple[str, ...]: ...

        @property
        def _caption(self) -> str: ...

        def _columns(self, level: float, method: str | None) -> Mapping[str, ArrayLike]: ...

    def _method(self, method: str | None) -> str:
        """The name of the given interval method, or of the default; empty where several results have none in common."""
        if method is None:
            return next(iter(self.methods), "")
        # A method that exists, but that this result has not, says what it needs.
        record = METHODS.get(str(method))
        return check_option("method", method, self.methods, record.missing if record else "")

    def _about(self, level: float, method: str | None) -> Mapping[str, ArrayLike]:
        known = LEVEL("confidence_level", level)
        return {"statistic": self.estimand.name, "confidence_level": known, "method": self._method(method)}

    def _printed(self) -> Mapping[str, ArrayLike]:
        """The columns with the default limits, without columns that take much longer to compute."""
        return self._columns(0.95, None)

    def _shown(self) -> Mapping[str, ArrayLike]:
        """The printed columns, without warnings about limits of zero width."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateLawWarning)
            return self._printed()

    def _repr_html_(self) -> str:
        return as_html(repr(self), self._shown(), self._caption)

    def to_frame(self, confidence_level: float = 0.95, *, method: str | None = None) -> pd.DataFrame:
        """The estimates, standard errors and intervals as a pandas DataFrame.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Confidence level of the limits, in (0, 1).
        method : str, default=None
            One of ``methods``; None is the default.

        Returns
        -------
        pandas.DataFrame
            One row per point, model or comparison: its coordinates or names, ``estimate``, ``standard_error``, ``low``
            and ``high``, for comparisons of models the adjusted ``p``, and where some are undefined a ``note`` with the
            reason; then ``statistic``, ``confidence_level`` and ``method``. Of two rates the false-positive rates come
            first, and ``region_low`` and ``region_high`` are the limits of their sides of the ``confidence_region``.
        """
        columns = self._columns(confidence_level, method)
        rest = {name: each for name, each in self._about(confidence_level, method).items() if name not in columns}
        return as_frame({**columns, **rest})

    def to_dict(self, confidence_level: float = 0.95) -> dict[str, Any]:
        """The result as plain Python objects that ``json.dumps`` accepts.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Confidence level of the limits, in (0, 1).

        Returns
        -------
        dict
            ``estimand`` (a dict of what is estimated), ``is_exact``, ``statistic``, ``confidence_level``, ``method``
            (of the limits, the default) and the other columns of :meth:`to_frame`: numbers for a single point, lists
            for several. Infinite numbers are the texts "Infinity" and "-Infinity", which ``float`` reads; an undefined
            number is None, and ``note`` gives the reason. Differences of models also have their ``adjustment``; a
            comparison has columns of its models, ``greater_is_better``, ``may_be_best`` and ``differences``, a dict.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateLawWarning)
            entries = self._entries(confidence_level)
        about = as_json(self._about(confidence_level, None))
        return {"estimand": self.estimand.to_dict(), "is_exact": self.is_exact, **about, **entries}

    def _entries(self, level: float) -> Mapping[str, object]:
        single = np.ndim(getattr(self, "estimate", ())) == 0  # tables of several estimates have no single one
        columns = self._columns(level, None).items()
        return {name: as_json(np.asarray(values)[0] if single else values) for name, values in columns}

    def _compared(self) -> Mapping[str, object]:
        """The estimand and the printed numbers: results are equal if these are, whatever the data."""
        return {"estimand": self.estimand, **self._shown()}
