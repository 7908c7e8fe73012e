"""Laws made of others: at many points side by side, some without a value; on another scale; between two.

**On another scale** (``ScaledLaw``): times a factor, plus a shift. The Gini coefficient is 2 AUC - 1, a lift is a
true-positive rate over the share of cases labelled positive, the specificity 1 minus a false-positive rate. Limits and
tails of the original statistic are transformed, and exchanged if the factor is below 0, whatever its interval method
(``intervals/_method``).

**Between two** (``BetweenLaw``): of cases whose weights are nearly equal. Both laws describe the same sample, but allow
for an unseen case in different ways, so that limits would jump where weights become equal. With the share s = min(1,
max (w / mean w - 1)**2 / 0.05) of the law of the weights,

    limit - estimate = (1 - s) (limit - estimate of equal weights) + s (limit - estimate of the weights),

and so are variances. Limits are nested, as both are; p-values invert them (``intervals/_method``). The largest
deviation counts, not the mean one: one weight that is far from the others may belong to the only case that matters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import methodcaller
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from skcostci._arrays import Booleans, Floats, Integers


def at_points(x: Floats, answers: Callable[[int, Floats], ArrayLike]) -> Floats:
    """The answers of each point for its values, x of shape (..., n_points); an answer may be several numbers."""
    columns = np.reshape(x, (-1, np.shape(x)[-1])).T
    found = np.array([answers(i, column) for i, column in enumerate(columns)], dtype=np.float64)
    return np.swapaxes(found, 0, 1).reshape(np.shape(x) + found.shape[2:])


def split_at(below: Floats, up_to: Floats) -> tuple[Floats, Floats, Floats]:
    """P(X < x), P(X = x) and P(X > x) from P(X < x) and P(X <= x)."""
    return below, np.maximum(up_to - below, 0.0), 1.0 - up_to


def runs(first: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """Runs of consecutive numbers, each from its ``first`` on, one after another: the run of each, and the numbers."""
    which, numbers = np.repeat([np.arange(len(sizes)), first - np.cumsum(sizes) + sizes], sizes, axis=1)
    numbers += np.arange(len(numbers))
    return which, numbers


def in_blocks(points: Integers, lengths: Integers, cells: int, order: Integers | None = None) -> Iterator[Integers]:
    """The points, sorted by length or ``order``, in blocks of about ``cells`` cells or of one point."""
    if len(points):
        ordered = points[np.argsort((lengths if order is None else order)[points], kind="stable")]
        before = np.cumsum(lengths[ordered]) - lengths[ordered]
        yield from np.split(ordered, np.flatnonzero(np.diff(before // cells)) + 1)


QUANTILE_TIES = 2e-12  # twice the tolerance of quantiles: where a function falls, a cdf of 1 - q is to be exceeded


class MadeOfOthers:
    """A law whose numbers, one per point, are those of other laws with the same name, found when they are asked for.

    A law that does not say how often it is ``undefined`` has a value in every resample.
    """

    estimate = property(methodcaller("number", "estimate"))
    mean = property(methodcaller("number", "mean"))
    variance = property(methodcaller("number", "variance"))
    covariance = property(methodcaller("number", "covariance"))
    correlation = property(methodcaller("number", "correlation"))
    undefined = property(methodcaller("number", "undefined"))


def number_of(law: object, name: str) -> Floats:
    return np.asarray(getattr(law, name, 0.0) if name == "undefined" else getattr(law, name))


@dataclass(frozen=True, repr=False, eq=False)
class PartlyDefinedLaw(MadeOfOthers):
    """A law at points at some of which the statistic has no value: a precision where no case is labelled positive.

    There the estimate is NaN, and an interval is the whole range. ``law`` is the law at the points that are
    ``defined``, None if no point is; ``reasons`` say why a point is not defined; ``widest`` has the least and the
    largest value that there could be at every point, of shape (n_points,) each.
    """

    law: Any
    defined: Booleans
    reasons: tuple[str, ...]
    widest: tuple[Floats, Floats]

    def number(self, name: str) -> Floats:
        elsewhere = np.full(self.defined.shape, 1.0 if name == "undefined" else np.nan)
        return self.scattered(self.law and number_of(self.law, name), elsewhere)

    @property
    def is_exact(self) -> bool:
        """Whether the law at defined points is exact; that a value is missing is known exactly."""
        return self.law is None or bool(self.law.is_exact)

    @property
    def support(self) -> tuple[Floats, Floats]:
        """The range of the parameter: the law's at defined points, ``widest`` at the others."""
        ends = self.law.support if self.law else (None, None)
        least, most = (self.scattered(*pair) for pair in zip(ends, self.widest, strict=True))
        return least, most

    def cdf(self, x: Floats) -> Floats:
        return self.scattered(self.law and self.law.cdf(self.known(x)), np.full(np.shape(x), np.nan))

    def quantile(self, q: Floats) -> Floats:
        return self.scattered(self.law and self.law.quantile(self.known(q)), np.full(np.shape(q), np.nan))

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        parts = self.law.tails(self.known(x)) if self.law else (None,) * 3
        below, level, above = (self.scattered(part, np.full(np.shape(x), np.nan)) for part in parts)
        return below, level, above

    def known(self, values: Floats) -> Floats:
        """Values at the points that are defined; a single value serves all of them."""
        return np.asarray(values)[..., self.defined] if np.shape(values)[-1:] == self.defined.shape else values

    def scattered(self, values: Floats | None, elsewhere: Floats) -> Floats:
        """The law's ``values`` at defined points, if there are any, and ``elsewhere`` at the others."""
        found = np.array(elsewhere, dtype=np.float64)
        if values is not None:
            found[..., self.defined] = values
        return found


@dataclass(frozen=True, repr=False, eq=False)
class SideBySide(MadeOfOthers):
    """Laws of a single point each, joined into one law of as many points."""

    laws: tuple[Any, ...]

    def number(self, name: str) -> Floats:
        return np.array([number_of(law, name).item() for law in self.laws], dtype=np.float64)

    @property
    def is_exact(self) -> bool:
        return all(law.is_exact for law in self.laws)

    @property
    def support(self) -> tuple[Floats, Floats]:
        least, most = np.transpose([np.reshape(law.support, 2) for law in self.laws])
        return least, most

    @property
    def reasons(self) -> tuple[str, ...]:
        return tuple(law.reasons[0] if isinstance(law, PartlyDefinedLaw) else "" for law in self.laws)

    def limits(self, limit: Callable[[object, Floats], Floats], alpha: Floats) -> Floats:
        """Limits of each law at its own alpha; a single alpha serves all laws."""
        alphas = np.broadcast_to(alpha, np.broadcast_shapes(np.shape(alpha), (len(self.laws),)))
        found = []
        for law, own in zip(self.laws, np.moveaxis(alphas, -1, 0), strict=True):
            found.append(np.reshape(limit(law, own[..., None] if np.ndim(law.mean) else own), own.shape))
        return np.stack(found, axis=-1)


@dataclass(frozen=True, repr=False, eq=False)
class OnOtherScale(MadeOfOthers, ABC):
    """The law of a function that rises, or falls, with a statistic: ``here`` is its value, ``there`` its inverse."""

    law: Any

    @abstractmethod
    def here(self, x: Floats) -> Floats: ...

    @abstractmethod
    def there(self, x: Floats) -> Floats: ...

    @property
    def falls(self) -> bool:
        return True

    @property
    def support(self) -> tuple[Floats, Floats]:
        low, high = (self.here(np.asarray(end)) for end in self.law.support)
        return (high, low) if self.falls else (low, high)

    @property
    def is_exact(self) -> bool:
        return bool(self.law.is_exact)

    def cdf(self, x: Floats) -> Floats:
        if not self.falls:
            return np.asarray(self.law.cdf(self.there(x)))
        below, level, _ = self.tails(x)
        # A sum of masses that is 1 but for rounding is set to 1, so that quantiles of 1 exist.
        return np.where(below + level > 1 - QUANTILE_TIES, 1.0, below + level)

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        below, level, above = self.law.tails(self.there(x))
        return (above, level, below) if self.falls else (below, level, above)

    def quantile(self, q: Floats) -> Floats:
        return np.asarray(self.here(self.law.quantile(np.minimum(1 - q + QUANTILE_TIES, 1.0) if self.falls else q)))


@dataclass(frozen=True, repr=False, eq=False)
class ScaledLaw(OnOtherScale):
    factor: float
    shift: float = 0.0

    @property
    def falls(self) -> bool:
        return self.factor < 0

    def here(self, x: Any) -> Any:  # numbers become numbers, and arrays arrays
        return self.factor * x + self.shift

    def there(self, x: Any) -> Any:
        return (x - self.shift) / self.factor

    def number(self, name: str) -> Floats:
        found = number_of(self.law, name)
        if name in ("correlation", "undefined"):
            return found
        return np.asarray(self.factor**2 * found if name in ("variance", "covariance") else self.here(found))


@dataclass(frozen=True, repr=False, eq=False)
class BetweenLaw(MadeOfOthers):
    """``shift`` is the estimate of ``of_weights`` minus that of ``equal``; ``methods`` maps names to ``equal``'s."""

    equal: Any
    of_weights: Any
    share: float
    shift: Floats
    methods: Mapping[str, str]
    is_exact: ClassVar = False

    def between(self, equal: Floats, of_weights: Floats) -> Floats:
        return np.asarray((1 - self.share) * equal + self.share * of_weights)

    def number(self, name: str) -> Floats:
        equal, of_weights = (number_of(law, name) for law in (self.equal, self.of_weights))
        if name == "estimate":
            return of_weights
        return self.between(equal + self.shift if name == "mean" else equal, of_weights)

    def limits(self, equal: Floats, of_weights: Floats) -> Floats:
        return np.asarray(np.clip(self.between(equal + self.shift, of_weights), *self.support))

    def changed(self, change: Callable[[Any], Any]) -> BetweenLaw:
        equal, of_weights = change(self.equal), change(self.of_weights)
        return replace(self, equal=equal, of_weights=of_weights, shift=of_weights.estimate - equal.estimate)

    @property
    def support(self) -> tuple[Floats, Floats]:
        """The range of the parameter, between the ranges of both laws, which may differ; it contains the estimate."""
        low, high = map(self.between, self.equal.support, self.of_weights.support)
        return np.minimum(low, self.estimate), np.maximum(high, self.estimate)


def between_laws(equal: Any, of_weights: Any, share: float, shift: Floats, methods: Mapping[str, str]) -> Any:
    """The law between two, at the points that have a value; laws side by side already are between two each."""
    partly = isinstance(of_weights, PartlyDefinedLaw)
    if isinstance(of_weights, SideBySide) or (partly and of_weights.law is None):
        return of_weights
    if not partly:
        return BetweenLaw(equal, of_weights, share, shift, methods)
    known = of_weights.known(np.ravel(shift))
    return replace(of_weights, law=between_laws(equal.law, of_weights.law, share, known, methods))
