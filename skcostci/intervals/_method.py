"""An interval method: a record of its function, its names and its cautions; and the p-values that invert it.

A p-value inverts an interval: p < alpha exactly when the interval at 1 - alpha leaves out the null. With ``lower`` and
``upper`` the largest alphas at which the one-sided limits do not leave out the null, p is ``lower`` for the claim
"greater", ``upper`` for "less" and twice the smaller for "two-sided". A p-value is in closed form where a method has
one, else it is found by Chandrupatla's method at all points at once, to 10 digits of the normal quantile of p.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from operator import attrgetter
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast
from weakref import finalize

import numpy as np
from scipy.special import ndtr

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._frozen import NumbersT, tuple_of_numbers
from skcostci._options import Alternative
from skcostci.laws._side_by_side import BetweenLaw, PartlyDefinedLaw, ScaledLaw, SideBySide

MOST_STEPS = 200
LEAST, MOST = -8.2, 37.5  # normal quantiles beyond which probabilities are 1 and 0 in floating point
NEAR = 4.0  # most roots are no further out
CLOSE = 1e-10  # tolerance of roots: limits that are roots themselves are no smoother
ROUNDING = 1e-12  # a tail probability, computed as a sum of masses, is taken for 1 if it is this near

MakeT = TypeVar("MakeT", bound=Callable[..., object])
Tails = tuple[Floats, Floats]
Support = tuple[Floats | float, Floats | float]  # the range of the parameter
Limit = Callable[[Any, Floats, int], Floats]  # (law, alpha, side) -> the limit that leaves alpha outside on this side


class Law(Protocol):
    @property
    def mean(self) -> Floats | float: ...

    @property
    def variance(self) -> Floats | float: ...

    @property
    def support(self) -> tuple[Floats | float, Floats | float]: ...

    @property
    def is_exact(self) -> bool: ...


class ExactLaw(Law, Protocol):
    """What a law has that is known exactly at n_points points; x and q have shape (..., n_points)."""

    @property
    def mean(self) -> Floats: ...

    def cdf(self, x: Floats) -> Floats: ...

    def quantile(self, q: Floats) -> Floats: ...

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]: ...


@dataclass(frozen=True, repr=False, eq=False)
class Method:
    """An interval method.

    ``of_law(law, alpha, side)`` is the lower limit (side -1) or the upper one (side 1) that leaves a probability of
    ``alpha`` outside, a number or one per point; limits have the shape of alpha broadcast against the points. ``title``
    is its name in legends and tables, ``what`` a description to follow a colon, ``caution`` says when not to trust it.
    ``inverse(law, x)``, where there is a closed form, are the largest alphas at which the lower and the upper limit do
    not leave out x; None where a law has none. ``missing`` is the reason why a result may be without the method.
    ``support(law)`` is where its limits lie, the parameter's range. ``of_both`` are the limits of an interval where
    they differ from one-sided ones. These functions know laws of one kind each; :meth:`limit` and :meth:`tails` answer
    for laws made of others too.

    A confidence below 1/2 puts a one-sided limit beyond the estimate. If ``crosses``, limits and tails go there
    themselves, as quantiles of a law do. Limits of other methods measure distances outwards from the estimate: the
    lower limit at confidence c is then the upper one at 1 - c, which keeps limits nested, and the p-values of "less"
    and "greater" add up to 1.
    """

    name: str
    title: str
    of_law: Limit
    what: str
    caution: str
    inverse: Callable[[Any, float], Tails | None] = lambda _law, _x: None
    missing: str = ""
    support: Callable[[Any], Support] = attrgetter("support")
    of_both: Limit | None = None
    crosses: bool = False

    def __reduce__(self) -> tuple[object, ...]:
        """A record is pickled by its name, as pickle cannot store lambdas and functions defined in others."""
        return _record, (self.name,)

    def limit(self, law: object, alpha: Floats, side: int, *, both: bool = False) -> Floats:
        """The limit where there is a value, else the end of the range; of an interval if ``both`` are asked for.

        Laws side by side are asked one by one; one law between two needs limits of both, each by its own method.
        """
        if isinstance(law, ScaledLaw):
            return np.asarray(law.here(self.limit(law.law, alpha, -side if law.falls else side, both=both)))
        if isinstance(law, SideBySide):
            return law.limits(lambda one, at: self.limit(one, at, side, both=both), alpha)
        if isinstance(law, BetweenLaw):
            of_equal = _record(law.methods[self.name]).limit(law.equal, alpha, side, both=both)
            return law.limits(of_equal, self.limit(law.of_weights, alpha, side, both=both))
        if isinstance(law, PartlyDefinedLaw):
            end = law.support[side > 0]
            ends = np.broadcast_to(end, np.broadcast_shapes(np.shape(alpha), end.shape))
            return law.scattered(law.law and self.limit(law.law, law.known(alpha), side, both=both), ends)
        of_law = (both and self.of_both) or self.of_law
        return of_law(law, alpha, side)

    def tails(self, law: object, x: float) -> Tails | None:
        """The alphas whose limits are x, if there is a closed form; 1 where there is no value: nothing is excluded."""
        if isinstance(law, ScaledLaw):
            found = self.tails(law.law, law.there(x))
            return found[::-1] if found and law.falls else found
        if isinstance(law, SideBySide):
            each = [self.tails(one, x) for one in law.laws]
            if any(one is None for one in each):
                return None
            lower, upper = np.reshape(np.array(each), (-1, 2)).T
            return lower, upper
        if isinstance(law, BetweenLaw):
            return None
        if not isinstance(law, PartlyDefinedLaw):
            return self.inverse(law, x)
        found = None if law.law is None else self.tails(law.law, x)
        if found is None:
            return None
        low, high = (law.scattered(side, np.ones(law.defined.shape)) for side in found)
        return low, high

    def limits(self, law: Law, alpha: Floats) -> tuple[Floats, Floats]:
        return self.limit(law, alpha, -1, both=True), self.limit(law, alpha, 1, both=True)

    def one_sided(self, law: Law, alpha: Floats, side: int) -> Floats:
        """The limit on this side at an alpha, a single number; above 1/2 it lies beyond the estimate."""
        if self.crosses or alpha <= 0.5:
            return self.limit(law, alpha, side)
        across = self.limit(law, 1 - alpha, -side)
        # A limit changes sides only where there is an estimate; elsewhere it stays at its own end of the range.
        return np.where(law.defined, across, law.support[side > 0]) if isinstance(law, PartlyDefinedLaw) else across

    def pvalue(self, law: Law, null: float, alternative: Alternative, inside: Callable[[Floats], Floats]) -> Floats:
        """The p-values against ``null`` at all points; ``inside`` keeps limits in the parameter's range."""
        least, most = (np.asarray(end) for end in self.support(law))
        both, most_alpha = alternative == "two-sided", 1.0 if self.crosses else 0.5

        def level(side: int) -> Floats:
            return _level_reached(lambda a: inside(self.limit(law, a, side, both=both)), null, side, most_alpha)

        greater, less = self.tails(law, null) or (level(-1), level(1))
        if not self.crosses:  # both 1/2 if the null is between the limits at 1/2, else they add up to 1
            pairs = (greater, less), (less, greater)
            greater, less = (np.where(own < 0.5, own, np.maximum(1 - other, 0.5)) for own, other in pairs)
        greater = np.where(null >= most, 1.0, np.where(null < least, 0.0, greater))
        less = np.where(null <= least, 1.0, np.where(null > most, 0.0, less))
        # A difference of two cdfs may be below 0 by rounding.
        greater, less = (np.where(tail > 1 - ROUNDING, 1.0, np.maximum(tail, 0.0)) for tail in (greater, less))
        return np.minimum(2 * np.minimum(less, greater), 1.0) if both else less if alternative == "less" else greater


def _record(name: str) -> Method:
    # A circular import otherwise: METHODS consists of these records.
    from skcostci.intervals import METHODS

    return METHODS[name]


def _level_reached(limit: Callable[[Floats], Floats], value: float, side: int, most: float = 1.0) -> Floats:
    """The largest alpha up to ``most``, 1 or 1/2, at which the limit does not leave out the value; 0 if none."""

    def excess(z: Floats) -> Floats:
        return np.asarray(side * (limit(np.asarray(ndtr(-z))) - value))

    least = LEAST if most == 1.0 else 0.0
    # From far out inwards, in the stretch of z where the sign changes: beyond NEAR, from NEAR to 0, or below 0.
    beyond, further = (excess(np.array(z)) < 0 for z in (0.0, NEAR))
    start = np.where(further, MOST, np.where(beyond, NEAR, 0.0))
    z = last_inside(excess, start, np.where(further, NEAR, np.where(beyond, 0.0, least)), CLOSE)
    return np.where(z == MOST, 0.0, np.where(z == least, most, ndtr(-z)))


def last_inside(function: Callable[[Floats], Floats], start: Floats, end: Floats, tolerance: float = 1e-15) -> Floats:
    """Where functions fall below 0: ``end`` if they never do, ``start`` if they are there already.

    To ``tolerance * (1 + |x|)``, by Chandrupatla's method (Advances in Engineering Software, 1997) between two secants.
    """
    new, old = np.broadcast_arrays(np.asarray(start, dtype=np.float64), end)
    at_old, at_new = function(old), function(new)
    new, at_new = np.where(at_old >= 0, old, new), np.where(at_old >= 0, at_old, at_new)
    old = np.where(at_new < 0, new, old)
    share = _secant(at_new, at_old)
    for _ in range(MOST_STEPS):
        # A step shorter than the tolerance would not end the search.
        least = (shortest := tolerance * (1 + np.abs(new))) / np.maximum(np.abs(old - new), 2 * shortest)
        done = least == 0.5
        if done.all():
            return np.asarray(new + _secant(at_new, at_old) * (old - new))
        x = np.where(done, new, new + np.clip(share, least, 1 - least) * (old - new))
        at_x = np.where(done, at_new, function(x))
        same = (at_x >= 0) == (at_new >= 0)
        third, at_third = np.where(same, new, old), np.where(same, at_new, at_old)
        old, at_old, new, at_new = np.where(same, old, new), np.where(same, at_old, at_new), x, at_x
        share = _share(new - old, new - third, at_new, at_old, at_third)
    raise RuntimeError(f"no root was found in {MOST_STEPS} steps; please report this.")


def _secant(new: Floats, old: Floats) -> Floats:
    """The share of the way to the old point at which a straight line has its root, or one half."""
    with np.errstate(all="ignore"):
        share = new / (new - old)
    # Where the line is flat, or a limit infinite, one half is as good as any other share.
    return np.where(np.isfinite(share), np.clip(share, 0.0, 1.0), 0.5)


def _share(to_old: Floats, to_third: Floats, new: Floats, old: Floats, third: Floats) -> Floats:
    """Where to go next: the share of the way back to the old point, by inverse quadratic interpolation or one half."""
    with np.errstate(all="ignore"):
        place, height = to_old / (to_old - to_third), (new - old) / (third - old)
        root = new / (old - new) * third / (old - third) + to_third / to_old * new / (third - new) * old / (third - old)
        trusted = (height**2 < place) & ((1 - height) ** 2 < 1 - place) & np.isfinite(root)
    # The zero is probably the root: look right beside it.
    at_zero = ((new == 0) | (old == 0)) & (third != 0)
    return np.where(at_zero, np.where(new == 0, 0.0, 1.0), np.where(trusted & (new != 0) & (old != 0), root, 0.5))


def sidak(alpha: float, parts: int) -> float:
    """The error probability of each of several independent parts if any of them errs with probability alpha (Sidak)."""
    # 1 - (1 - alpha)^(1/parts), accurate for small alphas too.
    return float(-np.expm1(np.log1p(-alpha) / parts))


def last_whole(holds: Callable[[Integers], Booleans], low: Integers, high: Integers) -> Integers:
    """The largest whole numbers up to ``high`` for which ``holds``; it does from ``low`` up to some number."""
    while (low < high).any():
        middle = (low + high + 1) // 2
        true = holds(middle)
        low, high = np.where(true, middle, low), np.where(true, high, middle - 1)
    return low


def once_a_law(make: MakeT) -> MakeT:
    """Cache a function of a law and of hashable options: values are kept as long as the law exists."""
    kept: dict[tuple[object, ...], object] = {}

    @wraps(make)
    def answer(law: object, *options: object) -> object:
        # Laws that have arrays are not hashable.
        key = id(law), *options
        if key not in kept:
            kept[key] = make(law, *options)
            # Another law may get the same id once this one is gone.
            finalize(law, kept.pop, key, None)
        return kept[key]

    return cast(MakeT, answer)


@tuple_of_numbers
class ConfidenceInterval(NamedTuple, Generic[NumbersT]):
    """The two ends of a confidence interval, floats or arrays with one entry per point.

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
        """Both ends, with three digits of the narrowest width; four of their own where no width is known."""
        width = np.subtract(self.high, self.low)
        narrow = np.min(width, initial=np.inf, where=np.asarray(width > 0))
        decimals = 2 - int(np.floor(np.log10(narrow))) if np.isfinite(narrow) else None
        ends = [np.vectorize(_rounded, otypes=[float])(end, decimals) for end in self]
        # Numbers, or arrays on one line with their middle left out.
        low, high = (
            np.array2string(end, threshold=8, edgeitems=2, separator=", ") if end.ndim else repr(float(end))
            for end in ends
        )
        return f"{type(self).__name__}({low=!s}, {high=!s})"


def _rounded(end: float, decimals: int | None) -> float:
    """A limit that is not 0 is not printed as 0: whether an interval contains 0 is what readers look for."""
    found = 0.0 if decimals is None else round(float(end), decimals)
    return found or float(f"{end:.4g}")
