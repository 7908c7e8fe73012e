"""Laws of two whole-number sums in steps of two sizes, ``X = step_u U + step_v V``, at many points side by side.

For each value u of the window of U a law needs P(U = u, V <= v) at the largest v that keeps X below x; a cdf adds them
up. One law a row; questions name the rows that they are about.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from scipy.special import ndtri

from skcostci._validation import Floats, Integers
from skcostci.laws._lattice import TIE
from skcostci.laws._whole_sums import Lattices, WholeSums, binomials, joint_law, joint_terms

FEW_ATOMS = 256  # a bracket with about this many values is searched by listing them
CLOSE = 0.9  # steps of V; a bracket narrower than one holds one value at most for each u
MOST_STEPS = 400


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
        target = np.maximum(q - TIE, np.finfo(float).tiny)
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
        narrow = np.maximum(self.v.step[rows] * min(CLOSE, FEW_ATOMS / self.values.shape[1]), finest)
        z = ndtri(np.clip(target, 1e-12, 1 - 1e-12))
        spread = scale * np.sqrt(2 * np.pi) * np.exp(z**2 / 2)
        probe, wide, ends = np.clip(start, low, high), np.arange(len(rows)), (low.copy(), high.copy())
        passed, reached = np.zeros((2, len(rows), self.values.shape[1]))
        for step in range(MOST_STEPS):
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
        raise RuntimeError(f"no quantile was found in {MOST_STEPS} steps; please report this.")


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


class TrinomialSums(TwoSums):
    """U and V count two kinds of the same draws, V's step the longer one.

    Given U = u, V is binomial. From u to u + 1 a draw goes and v falls by one or not at all, so that the binomial
    probabilities along the way are a running product and the distribution function is a running sum:
    F(n - 1, v) = F(n, v) + hit p(n - 1, v) and F(n - 1, v - 1) = F(n - 1, v) - p(n - 1, v).
    """

    def __init__(self, u: WholeSums, v: WholeSums, idle: Floats) -> None:
        of_u = u.laws()
        super().__init__(u, v, of_u.support, *v.window)
        self._of_u, self._hit, self._miss = of_u.pmf, v.up / u.idle, idle / u.idle

    def mass(self, rows: Integers, v: Integers) -> Floats:
        hit, miss = self._hit[rows, None], self._miss[rows, None]
        left = np.maximum(self.u.draws[rows, None] - self.values[rows], 0)
        possible = (self._of_u[rows] > 0) & (v >= 0) & (v <= left)
        origin = np.where(possible, np.abs(v - hit * left), np.inf).argmin(axis=1)
        at_origin, up_to_origin = self._at(rows, left, v, origin)
        left, falls, v = np.maximum(left[:, :-1], 1), v[:, :-1] > v[:, 1:], v[:, :-1]
        stays = (left - v) / (left * miss)
        ratios = np.where(falls, v / (left * hit), stays)
        likely = at_origin[:, None] * _products(ratios, origin)
        rises = np.zeros((len(rows), likely.shape[1]))
        np.cumsum((hit - falls) * stays * likely[:, :-1], axis=1, out=rises[:, 1:])
        up_to = up_to_origin[:, None] + rises - np.take_along_axis(rises, origin[:, None], axis=1)
        return np.asarray(self._of_u[rows] * np.clip(up_to, 0.0, 1.0))

    def _at(self, rows: Integers, left: Integers, v: Integers, origin: Integers) -> tuple[Floats, Floats]:
        """The binomial probability and distribution function at v in column ``origin``."""
        every = np.arange(len(rows))
        laws = binomials(left[every, origin], self._hit[rows], self._miss[rows])
        place, width = v[every, origin] - laws.start, laws.pmf.shape[1]
        inside, index = (place >= 0) & (place < width), np.clip(place, 0, width - 1)
        likely, up_to = laws.pmf[every, index], np.cumsum(laws.pmf, axis=1)[every, index]
        return np.where(inside, likely, 0.0), np.where(place < 0, 0.0, up_to)


def tilts(sums: WholeSums, laws: Lattices, tilt: Floats) -> Floats:
    """What each place weighs, held where two would overflow: far on the side no tail is asked for."""
    away = laws.support - sums.mean[:, None]
    return np.asarray(np.exp(np.minimum(-(tilt * sums.step)[:, None] * away, 340.0)))


def _products(ratios: Floats, origin: Integers) -> Floats:
    """Running products of ratios of neighbours in both directions, 1 at the origin."""
    after = np.arange(ratios.shape[1]) >= origin[:, None]
    found = np.ones((len(ratios), ratios.shape[1] + 1))
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        np.cumprod(np.where(after, ratios, 1.0), axis=1, out=found[:, 1:])
        found[:, :-1] *= np.cumprod(np.where(after, 1.0, 1.0 / ratios)[:, ::-1], axis=1)[:, ::-1]
    return found
