"""Laws at many points side by side, at some of which a statistic may have no value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, repr=False, eq=False)
class PartlyDefinedLaw:
    """A law at points at some of which the statistic has no value: a precision where no case is labelled positive.

    There the estimate is NaN, and an interval is the whole range. ``law`` is the law at the points that are
    ``defined``, None if no point is; ``reasons`` say why a point is not defined; ``widest`` has the least and the
    largest value that there could be at every point, of shape (n_points,) each.
    """

    law: Any
    defined: Booleans
    reasons: tuple[str, ...]
    widest: tuple[Floats, Floats]
    first: tuple[Any, Floats]

    @property
    def estimate(self) -> Floats:
        return self._property("estimate", np.nan)

    @property
    def is_exact(self) -> bool:
        """Whether the law at defined points is exact; that a value is missing is known exactly."""
        return self.law is None or bool(self.law.is_exact)

    @property
    def mean(self) -> Floats:
        return self._property("mean", np.nan)

    @property
    def variance(self) -> Floats:
        return self._property("variance", np.nan)

    @property
    def covariance(self) -> Floats:
        return self._property("covariance", np.nan)

    @property
    def correlation(self) -> Floats:
        return self._property("correlation", np.nan)

    @property
    def undefined(self) -> Floats:
        return self._property("undefined", 1.0)

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

    def _property(self, name: str, elsewhere: float) -> Floats:
        return self.scattered(self.law and getattr(self.law, name), np.full(self.defined.shape, elsewhere))


@dataclass(frozen=True, repr=False, eq=False)
class SideBySide:
    """Laws of a single point each, joined into one law of as many points."""

    laws: tuple[Any, ...]

    @property
    def estimate(self) -> Floats:
        return self._of_each("estimate")

    @property
    def is_exact(self) -> bool:
        return all(law.is_exact for law in self.laws)

    @property
    def mean(self) -> Floats:
        return self._of_each("mean")

    @property
    def variance(self) -> Floats:
        return self._of_each("variance")

    @property
    def support(self) -> tuple[Floats, Floats]:
        least, most = np.transpose([np.reshape(law.support, 2) for law in self.laws])
        return least, most

    @property
    def undefined(self) -> Floats:
        return np.array([np.asarray(getattr(law, "undefined", 0.0)).item() for law in self.laws])

    @property
    def reasons(self) -> tuple[str, ...]:
        return tuple(law.reasons[0] if isinstance(law, PartlyDefinedLaw) else "" for law in self.laws)

    def limits(self, limit: Callable[[Any, Floats], Floats], alpha: Floats) -> Floats:
        """Limits of each law at its own alpha; a single alpha serves all laws."""
        alpha = np.asarray(alpha)
        alphas = np.broadcast_to(alpha, np.broadcast_shapes(alpha.shape, (len(self.laws),)))
        return np.stack([self._limit(limit, i, alphas[..., i]) for i in range(len(self.laws))], axis=-1)

    def _limit(self, limit: Callable[[Any, Floats], Floats], i: int, alpha: Floats) -> Floats:
        law = self.laws[i]
        one_alpha = alpha[..., None] if np.ndim(law.mean) else alpha
        return np.reshape(limit(law, one_alpha), np.shape(alpha))

    def _of_each(self, name: str) -> Floats:
        return np.array([np.asarray(getattr(law, name)).item() for law in self.laws], dtype=np.float64)
