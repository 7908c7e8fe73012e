"""The law of ``X = s U + t V``, two whole-number sums in steps of sizes s and t, at many points side by side.

For each u in the window of U a law needs ``G(u, v) = P(U = u, V <= v)`` at the largest v with ``s u + t v <= x``; the
cdf is ``F(x) = sum_u G(u, v(u, x))``, O(sqrt(n)) terms. One law a row; questions name the rows that they are about.
G is a product of two laws (independent classes: costs, and differences of costs, of stratified samples), a series of
such products (both sums count the same draws: full sampling), or a table. A quantile is bracketed by a Gaussian's slope
or by halves until the values in the bracket can be listed: it is one of them, exactly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from scipy.special import ndtri

from skcostci._validation import Floats, Integers
from skcostci.laws._lattice import Lattices, WholeSums, joint_law, joint_terms, target_of

ATOMS_IN_BRACKET = 256  # of a quantile, when they are listed; doubled: one halving less, twice the list
BRACKET_STEPS = 0.9  # of V; a bracket narrower than one holds one value at most for each u, so that all are listed
MAX_HALVINGS = 400  # of a bracket; 64 or so are enough in floating point
MAX_LOG_TILT = 340.0  # of one weight: the product of two does not overflow


class TwoSums(ABC):
    """The laws, V's step not negligible beside U's."""

    def __init__(self, u: WholeSums, v: WholeSums, values: Integers, v_low: Integers, v_high: Integers) -> None:
        self.u, self.v, self.values = u, v, values
        self.v_low, self.v_high = v_low, v_high
        self.bottom = u.step * values[:, 0] + v.step * (v_low - 1)
        self.top = u.step * values[:, -1] + v.step * v_high

    @abstractmethod
    def mass(self, rows: Integers, v: Integers) -> Floats:
        """P(U = u, V <= v) for each u of these rows, v from v_low - 1 to v_high, of shape (rows, values of U)."""

    def total(self, rows: Integers, x: Floats, *, strict: bool = False) -> Floats:
        """The mass up to x, or below x."""
        return np.asarray(self.mass(rows, self._last_v(rows, x, strict)).sum(axis=1))

    def cdf(self, rows: Integers, x: Floats, *, strict: bool = False) -> Floats:
        """P(<= x), or P(< x)."""
        return np.clip(self.total(rows, x, strict=strict), 0.0, 1.0)

    def quantile(self, rows: Integers, q: Floats, start: Floats, scale: Floats) -> Floats:
        """The smallest value whose cdf reaches q; ``start`` is where to look first, ``scale`` the deviation."""
        target = target_of(q)
        low, high, passed, reached = self._bracket(rows, target, start, scale)
        before, up_to = self._last_v(rows, low), self._last_v(rows, high)
        x = self.u.step[rows, None] * self.values[rows] + self.v.step[rows, None] * up_to
        x = np.where(up_to > before, x, np.inf)
        order = np.argsort(x, axis=1)
        added = np.cumsum(np.take_along_axis(reached - passed, order, axis=1), axis=1)
        enough = passed.sum(axis=1)[:, None] + added >= target[:, None]
        last = np.maximum(np.isfinite(x).sum(axis=1) - 1, 0)
        place = np.where(enough.any(axis=1), np.minimum(enough.argmax(axis=1), last), last)
        every = np.arange(len(rows))
        return np.asarray(x[every, order[every, place]])

    def _last_v(self, rows: Integers, x: Floats, strict: bool = False) -> Integers:
        """For each u, the largest v with step_u * u + step_v * v <= x (or < x), rounding of the products forgiven."""
        step_u, step_v, u = self.u.step[rows], self.v.step[rows], self.values[rows]
        x = np.minimum(np.maximum(x, self.bottom[rows]), self.top[rows] + step_v)
        largest = np.maximum(np.abs(u[:, 0]), np.abs(u[:, -1]))
        rounding = 4 * np.finfo(float).eps * (np.abs(x) + step_u * largest)
        slack = (1e-9 * np.minimum(step_u, step_v) + rounding) / step_v
        side = -slack if strict else slack
        steps = (x / step_v + side)[:, None] - (step_u / step_v)[:, None] * u
        last = np.ceil(steps) - 1 if strict else np.floor(steps)
        return np.asarray(np.clip(last, self.v_low[rows, None] - 1, self.v_high[rows, None]).astype(np.int64))

    def _bracket(self, rows: Integers, target: Floats, start: Floats, scale: Floats) -> tuple[Floats, ...]:
        """Two places, few values apart, with cdf(low) < target <= cdf(high), and the masses up to them.

        They are sought by a Gaussian's slope, or by halves.
        """
        low, high = self.bottom[rows], self.top[rows]
        finest = 64 * np.finfo(float).eps * np.maximum(np.abs(low), np.abs(high))
        narrow = np.maximum(self.v.step[rows] * min(BRACKET_STEPS, ATOMS_IN_BRACKET / self.values.shape[1]), finest)
        z = ndtri(np.clip(target, 1e-12, 1 - 1e-12))
        spread = scale * np.sqrt(2 * np.pi) * np.exp(z**2 / 2)
        probe, wide, ends = np.clip(start, low, high), np.arange(len(rows)), (low.copy(), high.copy())
        passed, reached = np.zeros((2, len(rows), self.values.shape[1]))
        for step in range(MAX_HALVINGS):
            at = probe[wide]
            mass = self.mass(rows[wide], self._last_v(rows[wide], at))
            missing = target[wide] - mass.sum(axis=1)
            low[wide], high[wide] = np.where(missing > 0, at, low[wide]), np.where(missing > 0, high[wide], at)
            passed[wide[missing > 0]], reached[wide[missing <= 0]] = mass[missing > 0], mass[missing <= 0]
            margin = 0.4 * narrow[wide] * 4.0 ** min(step, 100)
            guess = at + missing * spread[wide] + np.where(missing > 0, margin, -margin)
            one_sided = (low[wide] == ends[0][wide]) | (high[wide] == ends[1][wide])
            trusted = (guess > low[wide]) & (guess < high[wide]) & (one_sided | (step < 2))
            probe[wide] = np.where(trusted, guess, (low[wide] + high[wide]) / 2)
            wide = wide[high[wide] - low[wide] > narrow[wide]]
            if not len(wide):
                last = np.flatnonzero(high == ends[1])
                reached[last] = self.mass(rows[last], self._last_v(rows[last], high[last]))
                return low, high, passed, reached
        raise RuntimeError(f"no quantile was found in {MAX_HALVINGS} steps; please report this.")


class ProductSums(TwoSums):
    """Joint probabilities that are sums of products: a single one where U and V are independent.

    With ``tilt``, one a row, a value x weighs ``exp(-tilt (x - mean))``.
    """

    def __init__(self, u: WholeSums, v: WholeSums, terms: list[tuple[Lattices, Lattices]], tilt: Floats) -> None:
        by_u, by_v = (tilts(sums, laws, tilt) for sums, laws in zip((u, v), terms[0], strict=True))
        self._of_u = [law.pmf * by_u for law, _ in terms]
        self._up_to_v = [np.cumsum(np.pad(law.pmf * by_v, ((0, 0), (1, 0))), axis=1) for _, law in terms]
        first, width = terms[0][1].start, terms[0][1].pmf.shape[1]
        super().__init__(u, v, terms[0][0].support, first, first + width - 1)

    @classmethod
    def independent(cls, u: WholeSums, v: WholeSums, tilt: Floats) -> ProductSums:
        """U and V are drawn apart."""
        return cls(u, v, [(u.laws(), v.laws())], tilt)

    @classmethod
    def joint(cls, u: WholeSums, v: WholeSums, tilt: Floats) -> ProductSums:
        """U and V count the same draws, each of which moves at most one of them."""
        starts = u.window[0], v.window[0]
        terms = [(Lattices(starts[0], a), Lattices(starts[1], b)) for a, b in joint_terms(u, v)]
        return cls(u, v, terms, tilt)

    def mass(self, rows: Integers, v: Integers) -> Floats:
        width = self._up_to_v[0].shape[1]
        places = v + (rows * width - self.v_low[rows] + 1)[:, None]
        parts = (of_u[rows] * np.take(up_to_v, places) for of_u, up_to_v in zip(self._of_u, self._up_to_v, strict=True))
        return np.asarray(sum(parts))


class TabledSums(TwoSums):
    """One row whose joint probabilities are held: of draws that hardly ever idle, so that U and V go together."""

    def __init__(self, u: WholeSums, v: WholeSums, tilt: Floats) -> None:
        laws = [Lattices(sums.window[0], np.ones((1, int(sums.length[0])))) for sums in (u, v)]
        by_u, by_v = (tilts(sums, law, tilt) for sums, law in zip((u, v), laws, strict=True))
        weighted = joint_law(u, v) * by_u[0][:, None] * by_v
        self._up_to_v = np.cumsum(np.pad(weighted, ((0, 0), (1, 0))), axis=1)
        super().__init__(u, v, laws[0].support, *v.window)

    def mass(self, rows: Integers, v: Integers) -> Floats:
        return np.asarray(self._up_to_v[np.arange(len(self._up_to_v)), v - self.v_low[0] + 1])


def tilts(sums: WholeSums, laws: Lattices, tilt: Floats) -> Floats:
    """What each place weighs, held where two would overflow: far on the side no tail is asked for."""
    away = laws.support - sums.mean[:, None]
    return np.asarray(np.exp(np.minimum(-(tilt * sums.step)[:, None] * away, MAX_LOG_TILT)))
