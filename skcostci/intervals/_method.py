"""What an interval method is: one record of its function, its names and when not to trust it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np

from skcostci._frozen import NumbersT, tuple_of_numbers
from skcostci._validation import Floats, Integers
from skcostci.laws import PartlyDefinedLaw, SideBySide

LawT = TypeVar("LawT", contravariant=True)  # a method of all laws is one of each kind


class Law(Protocol):
    """What every law says of itself, floats where it has a single point."""

    @property
    def mean(self) -> Floats | float: ...

    @property
    def variance(self) -> Floats | float: ...

    @property
    def support(self) -> tuple[Floats | float, Floats | float]: ...

    @property
    def is_exact(self) -> bool: ...


class SmoothableLaw(Law, Protocol):
    """A law that pseudo-cases can be added to; ``agresti`` of them in an Agresti interval."""

    @property
    def agresti(self) -> float: ...

    def smoothed(self, pseudo_cases: float) -> Law: ...


Tails = tuple[Floats, Floats]
Sides = int | Integers  # -1 of a lower limit, 1 of an upper one
BOTH = np.array([[-1], [1]])


class KnownLaw(Protocol):
    """A law known whole at each of n_points points."""

    @property
    def mean(self) -> Floats: ...

    def quantile(self, q: Floats) -> Floats: ...


class KnownSmoothableLaw(Protocol):
    """A law that is known whole when pseudo-cases were added."""

    def smoothed(self, pseudo_cases: float) -> KnownLaw: ...


@runtime_checkable
class TailedLaw(Protocol):
    """A law whose P(X <= x) and P(X >= x) can be had however small."""

    def sides(self, x: float) -> Tails: ...


def no_closed_form(law: object, x: float) -> None:
    """The tails of a method that a root-finder has to turn round."""


def support_of(law: Law) -> tuple[Any, Any]:
    """The range of the parameter."""
    return law.support


@dataclass(frozen=True)
class Method(Generic[LawT]):
    """An interval method.

    ``limit(law, alpha, side)`` is the lower limit (side -1) or the upper one (side 1) that leaves a probability of
    ``alpha`` outside, a number or one a point; limits have the shape of alpha broadcast against the points.
    ``title`` is what legends and tables call it, ``what`` says in a sentence what it is, ``caution`` when not to trust
    it. ``tails(law, x)``, where there is a closed form, are the largest alphas at which the lower and the upper limit
    do not leave out x; None where a law has none. ``missing`` says why a result may be without the method.
    ``support(law)`` is where its limits lie, the parameter's range. ``both`` has the limits of an interval, of a column
    of sides, where that is less work than two or where they are others than those that are asked for alone.

    A confidence below 1/2 puts a one-sided limit beyond the estimate. ``crosses`` says that ``limit`` and ``tails`` go
    there themselves, as quantiles of a law do. Those of other methods measure distances outwards from the estimate: the
    lower limit at confidence c is then the upper one at 1 - c, which keeps limits nested, and the p-values of "less"
    and "greater" add up to 1.
    """

    name: str
    title: str
    limit: Callable[[LawT, Floats, int], Floats]
    what: str
    caution: str
    tails: Callable[[LawT, float], Tails | None] = no_closed_form
    missing: str = ""
    support: Callable[[LawT], tuple[Any, Any]] = support_of  # type: ignore[assignment]
    both: Callable[[LawT, Floats, Integers], Floats] | None = None
    crosses: bool = False

    def one_sided(self, law: LawT, alpha: Floats, side: int) -> Floats:
        """The limit on this side at any alpha, beyond the estimate where that is above 1/2."""
        if self.crosses or alpha <= 0.5:
            return self.limit(law, alpha, side)
        across = self.limit(law, 1 - alpha, -side)
        # A limit that changes sides does so where there is an estimate; elsewhere it stays at its own end.
        return np.where(law.defined, across, law.support[side > 0]) if isinstance(law, PartlyDefinedLaw) else across

    def one_sided_tails(self, lower: Floats, upper: Floats) -> Tails:
        """The largest alphas at which the one-sided limits do not leave out a value, from those of ``limit``.

        Between the two limits at 1/2 both are 1/2; past one of them they are complements.
        """
        if self.crosses:
            return lower, upper
        return (
            np.where(lower < 0.5, lower, np.maximum(1 - upper, 0.5)),
            np.where(upper < 0.5, upper, np.maximum(1 - lower, 0.5)),
        )

    def __post_init__(self) -> None:
        object.__setattr__(self, "limit", _where_defined(self.limit))
        object.__setattr__(self, "tails", _tails_where_defined(self.tails))
        object.__setattr__(self, "both", self.both and _where_defined(self.both))

    def __reduce__(self) -> tuple[Any, ...]:
        """A record travels by its name: its functions are wrapped, and pickle would look for the bare ones."""
        return _record, (self.name,)

    def limits(self, law: LawT, alpha: Floats) -> tuple[Floats, Floats]:
        """The lower and the upper limit that leave a probability of alpha outside each."""
        low, high = self.both(law, alpha, BOTH) if self.both else (self.limit(law, alpha, side) for side in (-1, 1))
        return low, high


def _record(name: str) -> Method[Any]:
    """The record of this name."""
    from skcostci.intervals._methods import METHODS  # which are made of these

    return METHODS[name]


def _where_defined(limit: Callable[[Any, Floats, Any], Floats]) -> Callable[[Any, Floats, Any], Floats]:
    """Limits at the points that have a value; at the others anything may be true. Of laws side by side each its own."""

    @wraps(limit)
    def limits(law: Any, alpha: Floats, side: Any) -> Floats:
        if isinstance(law, SideBySide):
            return law.limits(lambda one, at: limit(one, at, side), alpha)
        if not isinstance(law, PartlyDefinedLaw):
            return limit(law, alpha, side)
        ends = np.where(np.asarray(side) < 0, *law.support)
        shape = np.broadcast_shapes(np.shape(alpha), ends.shape)
        return law.scattered(law.law and limit(law.law, law.known(alpha), side), np.broadcast_to(ends, shape))

    return limits


def _tails_where_defined(tails: Callable[[Any, float], Tails | None]) -> Callable[[Any, float], Tails | None]:
    """The same of their inverse: no value can be excluded where there is no estimate."""

    @wraps(tails)
    def all_tails(law: Any, x: float) -> Tails | None:
        if isinstance(law, SideBySide):
            each = [tails(one, x) for one in law.laws]
            if None in each:
                return None
            lower, upper = np.array(each).T
            return lower, upper
        if not isinstance(law, PartlyDefinedLaw):
            return tails(law, x)
        found = None if law.law is None else tails(law.law, x)
        if found is None:
            return None
        low, high = (law.scattered(side, np.ones(law.defined.shape)) for side in found)
        return low, high

    return all_tails


@tuple_of_numbers
class ConfidenceInterval(NamedTuple, Generic[NumbersT]):
    """The two ends of a confidence interval, floats or arrays with one entry a point.

    Parameters
    ----------
    low, high : float or ndarray of shape (n_points,)
        The ends, inside the parameter's range.

    See Also
    --------
    BootstrapResult.confidence_interval : Gives one.
    ConfidenceRegion : Of two rates together.

    Examples
    --------
    >>> from skcostci import bootstrap_roc_at_threshold
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.4, 0.6, 0.8, 0.9]
    >>> rates = bootstrap_roc_at_threshold(y_true, y_score, thresholds=0.5)
    >>> low, high = rates.tpr.confidence_interval(0.9)
    >>> round(low, 3), round(high, 3)
    (0.249, 0.987)
    """

    low: NumbersT
    high: NumbersT

    def __repr__(self) -> str:
        """As many digits as the narrowest width deserves: three of it."""
        width = np.subtract(self.high, self.low)
        narrow = np.min(width, initial=np.inf, where=np.asarray(width > 0))
        decimals = 2 - int(np.floor(np.log10(narrow))) if np.isfinite(narrow) else 4
        low, high = (np.round(end, decimals) for end in self)
        return f"{type(self).__name__}(low={_plain(low)}, high={_plain(high)})"


def _plain(end: Any) -> str:
    """A number, or an array on one line with its middle left out."""
    return np.array2string(end, threshold=8, edgeitems=2, separator=", ") if np.ndim(end) else repr(float(end))
