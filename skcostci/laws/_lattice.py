"""Laws of whole-number sums, kept on the window that holds all but about 1e-18 of their mass."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len
from scipy.special import log1p

from skcostci._validation import Floats, Integers

LOG_TAIL = 41.0  # exp(-41) = 1.6e-18 bounds the mass left out at each side of a window
TIE = 1e-12  # a quantile is reached where the cdf comes this close to it
FEW_ATOMS = 4096  # a bracket with about this many atoms is searched by listing them


class Cumulated:
    """Probabilities of values in ascending order, added up from either end."""

    pmf: Floats

    @cached_property
    def cumulative(self) -> Floats:
        """P(X < the first), P(X <= the first), ..."""
        return np.concatenate([[0.0], np.cumsum(self.pmf)])

    @cached_property
    def remaining(self) -> Floats:
        """P(X >= the first), P(X > the first), ...: precise where it is small."""
        return np.asarray(np.minimum(np.concatenate([np.cumsum(self.pmf[::-1])[::-1], [0.0]]), 1.0))


@dataclass(frozen=True)
class Lattice(Cumulated):
    """The probabilities of start, start + 1, ..."""

    start: int
    pmf: Floats

    def __len__(self) -> int:
        return len(self.pmf)

    @property
    def support(self) -> Integers:
        return np.arange(self.start, self.start + len(self))

    @property
    def mean(self) -> float:
        return float(self.pmf @ self.support)

    def weighted(self, rate: float) -> Lattice:
        """Each mass times its tilt factor."""
        return Lattice(self.start, self.pmf * _tilt_factors(rate, self.support, self.mean))


def point(value: int = 0) -> Lattice:
    """All the mass on one number."""
    return Lattice(value, np.ones(1))


def binomial(draws: int, hit: float, miss: float) -> Lattice:
    """The binomial law, outwards from the mode by the ratio of neighbours: relative precision in both tails."""
    if min(hit, miss) <= 0:
        return point(draws if hit > 0 else 0)
    low, high = window(draws * hit, draws * hit * miss, 1.0, 0, draws)
    mode = min(max(int((draws + 1) * hit), low), high)
    up = np.arange(mode, high, dtype=np.float64)
    down = np.arange(mode, low, -1, dtype=np.float64)
    above = np.cumprod((draws - up) / (up + 1) * (hit / miss))
    below = np.cumprod(down / (draws - down + 1) * (miss / hit))
    pmf = np.concatenate([below[::-1], [1.0], above])
    return Lattice(low, pmf / pmf.sum())


def multinomial_sum(draws: int, probabilities: Floats, weights: Integers) -> Lattice:
    """The law of ``sum_j weights[j] * N_j`` for a multinomial N, by inverting its characteristic function."""
    low, high = _sum_window(draws, probabilities, weights)
    length = next_fast_len(high - low + 1, real=True)
    frequencies = 2 * np.pi / length * np.arange(length // 2 + 1)
    cf = _characteristic_function(draws, probabilities, np.multiply.outer(weights, frequencies))
    with np.errstate(under="ignore"):
        cf = np.conj(cf) * np.exp(1j * frequencies * low)
    return Lattice(low, np.maximum(irfft(cf, length)[: high - low + 1], 0.0))


class TwoSums(ABC):
    """The law of ``X = step_u * U + step_v * V`` for whole-number U and V; V's step is not negligible beside U's.

    One made with a tilt carries the factor ``exp(-tilt * (X - center))`` in its masses, center being the mean.
    """

    def __init__(self, u: Integers, v_low: int, v_high: int, step_u: float, step_v: float, center: float) -> None:
        self.u, self.center = u, center
        self.v_low, self.v_high = v_low, v_high
        self.step_u, self.step_v = step_u, step_v
        self.bottom = step_u * float(u[0]) + step_v * (v_low - 1)
        self.top = step_u * float(u[-1]) + step_v * v_high

    @abstractmethod
    def mass(self, index: Integers, v: Integers) -> Floats:
        """P(U = u[index], V <= v) for v from v_low - 1 to v_high."""

    def total(self, x: float, *, strict: bool = False) -> float:
        """The mass up to x, or below x."""
        return float(self.mass(np.arange(len(self.u)), self._last_v(x, strict)).sum())

    def cdf(self, x: float, *, strict: bool = False) -> float:
        """P(<= x), or P(< x)."""
        return min(max(self.total(x, strict=strict), 0.0), 1.0)

    def quantile(self, q: float, start: float) -> float:
        """The smallest atom whose cdf reaches q; ``start`` is where to look first."""
        target = max(q - TIE, np.finfo(float).tiny)
        below, above, passed = self._bracket(target, start)
        atoms, masses = self._atoms(below, above)
        reached = int(np.searchsorted(passed + np.cumsum(masses), target))
        return float(atoms[min(reached, len(atoms) - 1)])

    def _last_v(self, x: float, strict: bool = False) -> Integers:
        """For each u, the largest v with step_u * u + step_v * v <= x (or < x), rounding of the products forgiven."""
        x = min(max(x, self.bottom), self.top + self.step_v)
        steps = (x - self.step_u * self.u) / self.step_v
        rounding = 4 * np.finfo(float).eps * (abs(x) + self.step_u * np.abs(self.u).max())
        slack = (1e-9 * min(self.step_u, self.step_v) + rounding) / self.step_v
        last = np.ceil(steps - slack) - 1 if strict else np.floor(steps + slack)
        return np.asarray(np.clip(last, self.v_low - 1, self.v_high).astype(np.int64))

    def _bracket(self, target: float, start: float) -> tuple[float, float, float]:
        """Two points, few atoms apart, with cdf(below) < target <= cdf(above), and cdf(below)."""
        narrow = max(FEW_ATOMS // len(self.u), 1) * self.step_v
        start = min(max(start, self.bottom), self.top)
        below, above = max(start - narrow / 2, self.bottom), min(start + narrow / 2, self.top)
        while (passed := self.cdf(below)) >= target and below > self.bottom:
            below, above = max(below - 2 * (start - below), self.bottom), below
        while above < self.top and (reached := self.cdf(above)) < target:
            below, above, passed = above, min(above + 2 * (above - start), self.top), reached
        while above - below > narrow:
            middle = (below + above) / 2
            if (reached := self.cdf(middle)) < target:
                below, passed = middle, reached
            else:
                above = middle
        return below, above, passed

    def _atoms(self, below: float, above: float) -> tuple[Floats, Floats]:
        """The atoms in (below, above], ascending, with their masses."""
        first, last = self._last_v(below) + 1, self._last_v(above)
        sizes = np.maximum(last - first + 1, 0)
        index = np.repeat(np.arange(len(self.u)), sizes)
        v = np.arange(len(index)) - np.repeat(np.cumsum(sizes) - sizes - first, sizes)
        x = self.step_u * self.u[index] + self.step_v * v
        order = np.argsort(x)
        return x[order], (self.mass(index, v) - self.mass(index, v - 1))[order]


class IndependentSums(TwoSums):
    """U and V independent: the strata of a stratified resample."""

    def __init__(self, u: Lattice, v: Lattice, step_u: float, step_v: float, tilt: float = 0.0) -> None:
        center = step_u * u.mean + step_v * v.mean
        super().__init__(u.support, v.start, v.start + len(v) - 1, step_u, step_v, center)
        self._u, self._v = (u.weighted(tilt * step_u), v.weighted(tilt * step_v)) if tilt else (u, v)

    def mass(self, index: Integers, v: Integers) -> Floats:
        return self._u.pmf[index] * self._v.cumulative[v - self.v_low + 1]

    def quantile(self, q: float, start: float) -> float:
        if len(self.u) > 1:
            return super().quantile(q, start)
        reached = int(np.searchsorted(self._v.cumulative[1:], max(q - TIE, np.finfo(float).tiny)))
        return self.step_u * float(self.u[0]) + self.step_v * (self.v_low + min(reached, len(self._v) - 1))


class JointSums(TwoSums):
    """U and V summed over the cells of one multinomial, each cell moving at most one of them, by one.

    Its two-dimensional characteristic function is kept at the few frequencies where it exceeds 1e-18, so that a cdf
    costs about fifty operations for each u of the window, and the masses at all (u, v) are never held.
    """

    def __init__(
        self,
        draws: int,
        probabilities: Floats,
        u: Integers,
        v: Integers,
        step_u: float,
        step_v: float,
        tilt: float = 0.0,
    ) -> None:
        u_low, u_high = _sum_window(draws, probabilities, u)
        v_low, v_high = _sum_window(draws, probabilities, v)
        u_mean, v_mean = draws * float(probabilities @ u), draws * float(probabilities @ v)
        center = step_u * u_mean + step_v * v_mean
        super().__init__(np.arange(u_low, u_high + 1), v_low, v_high, step_u, step_v, center)
        idle = float(probabilities[(u == 0) & (v == 0)].sum())
        s = _frequencies_that_count(u_high - u_low + 1, draws * idle * float(probabilities[u != 0].sum()))
        t = _frequencies_that_count(v_high - v_low + 1, draws * idle * float(probabilities[v != 0].sum()))
        t = t[t >= 0]
        angles = u[:, None, None] * s[:, None] + v[:, None, None] * t
        cf = _characteristic_function(draws, probabilities, angles)
        # t and -t hold conjugate halves; the frequency 0 and, on an even window, the highest one stand alone.
        once = (t == 0) | (t > np.pi - 1e-9)
        cf *= np.where(once, 1.0, 2.0) / (len(self.u) * (v_high - v_low + 1))
        places = np.arange(v_low, v_high + 1)
        by_u = _tilt_factors(tilt * step_u, self.u, u_mean)[:, None] * (np.exp(-1j * np.multiply.outer(self.u, s)) @ cf)
        by_v = _tilt_factors(tilt * step_v, places, v_mean)[:, None] * np.exp(-1j * np.multiply.outer(places, t))
        by_v = np.cumsum(by_v, axis=0)
        self._by_u = np.hstack([by_u.real, -by_u.imag])
        self._by_v = np.vstack([np.zeros(2 * len(t)), np.hstack([by_v.real, by_v.imag])])

    def mass(self, index: Integers, v: Integers) -> Floats:
        products = np.einsum("ij,ij->i", self._by_u[index], self._by_v[v - self.v_low + 1])
        return np.asarray(products, dtype=np.float64)


def _tilt_factors(rate: float, places: Integers, mean: float) -> Floats:
    """``exp(-rate * (place - mean))``, held where two would overflow: far on the side no tail is asked for."""
    return np.asarray(np.exp(np.minimum(-rate * (places - mean), 340.0)), dtype=np.float64)


def _characteristic_function(draws: int, probabilities: Floats, angles: Floats) -> NDArray[np.complex128]:
    """``(sum_j p_j exp(i angle_j)) ** draws``, from its distance to 1, whose rounding the power would magnify."""
    real = np.tensordot(probabilities, -2 * np.sin(angles / 2) ** 2, axes=1)
    log_one = log1p(real + 1j * np.tensordot(probabilities, np.sin(angles), axes=1))
    with np.errstate(under="ignore"):
        return np.asarray(np.exp(draws * log_one.real) * np.exp(1j * draws * log_one.imag))


def window(mean: float, variance: float, reach: float, low: int, high: int) -> tuple[int, int]:
    """Where a sum of terms within ``reach`` of their means lies, by Bernstein's inequality, in [low, high]."""
    slack = LOG_TAIL * reach / 3
    half = slack + float(np.sqrt(slack**2 + 2 * LOG_TAIL * variance))
    return max(low, int(np.floor(mean - half))), min(high, int(np.ceil(mean + half)))


def _sum_window(draws: int, probabilities: Floats, weights: Integers) -> tuple[int, int]:
    """The window of ``sum_j weights[j] * N_j`` for a multinomial N."""
    mean = float(probabilities @ weights)
    variance = float(probabilities @ (weights - mean) ** 2)
    least, most = int(weights.min()), int(weights.max())
    return window(draws * mean, draws * variance, max(most - mean, mean - least), draws * least, draws * most)


def _frequencies_that_count(length: int, decay: float) -> Floats:
    """A window's frequencies where exp(-decay (1 - cos)), a bound on the characteristic function, is not negligible."""
    frequencies = 2 * np.pi / length * (np.arange(length) - (length - 1) // 2)
    return np.asarray(frequencies[decay * (1 - np.cos(frequencies)) <= LOG_TAIL])
