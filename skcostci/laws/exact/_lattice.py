"""Whole-number sums of draws, and two of them together: the one place where exact masses are computed.

``U = N_up - N_down`` counts n independent draws, each up, down or idle with probabilities p+, p- and p0. Its masses are
kept on a window that leaves out at most exp(-LOG_TAIL) on either side, by Bernstein's inequality

    P(U - EU >= d) <= exp(-d^2 / (2 (Var U + r d / 3))),    no draw further than r from its mean,

so that a law has O(sqrt(n)) masses. If no draw is down U is binomial and its masses are products of the ratios of
neighbours, with relative precision in both tails. Else they are the inverse of the characteristic function, precise to
rounding of the largest mass. Two sums U and V of the same draws, each of which moves at most one of them, have the
characteristic function ``(1 + a + b)^n``, where 1 + a and 1 + b are the characteristic functions of what one draw adds
to U and to V. As ``1 + a + b = (1 + a)(1 + b) - ab``, its inverse is a series of products (:func:`joint_terms`).

The law of ``X = s U + t V``, in steps of sizes s and t, needs ``G(u, v) = P(U = u, V <= v)`` for each u in the window
of U at the largest v with ``s u + t v <= x``; the cdf is ``F(x) = sum_u G(u, v(u, x))``, O(sqrt(n)) terms. There is one
law per row; calls name their rows. G is a product of two laws (independent classes: costs, and differences of costs, of
stratified samples), or a series of such products (both sums count the same draws: full sampling). A quantile is
bracketed by a Gaussian's slope or by halving until the values in the bracket can be listed: it is one of them. Nothing
is approximated beyond these tails and rounding, except by :meth:`Masses.merged` and :func:`normal_masses`.

**Mixtures.** If the probabilities are themselves uncertain, p_up and p_down in component c of weight w_c, the sum of n
draws has the characteristic function

    sum_c w_c (1 + p_up (e^it - 1) + p_down (e^-it - 1))^n,

and its law is the inverse, exact too (:func:`whole_masses`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len
from scipy.sparse import coo_array
from scipy.special import ndtr, ndtri

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws._side_by_side import at_points

LOG_TAIL = 41.0  # exp(-41) = 1.6e-18 is left out at each side of a window; doubled: no digit more, windows 1.4 as long
QUANTILE_ROUNDING = 1e-12  # a quantile is reached where the cdf is this close; doubled: ties by rounding are the same
LISTED_ATOMS = 4096  # a bracket of a quantile is halved until so few are in it, to be listed; doubled: one step less
SERIES_ROUNDING = 1e-16  # terms of a series that add no more than this are left out; doubled: below rounding still
LEAST_FLOAT = 1e-320  # replaces zero where a logarithm is taken
ATOMS_IN_BRACKET = 256  # a bracket of two sums is narrowed to about so many; doubled: one halving less, twice the list
BRACKET_STEPS = 0.9  # of V; a bracket narrower than one step has at most one value for each u, so that all are listed
CASE_ROUNDING = 1e-9  # values closer than this, in cases, are equal: sums of shares in another order differ by 1e-13
MAX_KEPT_VALUES = 2**16  # if there are more, means of so many intervals are kept; doubled: a cdf's steps half as long
MAX_HALVINGS = 400  # of a bracket; 64 or so are enough in floating point
BLOCK_COMPONENTS = 1024  # whose characteristic functions are held at once; doubled: twice the memory, no less time
MASS_ROUNDING = 1e-16  # smaller probabilities, of atoms and of pairs of pieces, are rounding of transforms
NORMAL_GRID = np.linspace(-8.5, 8.5, 1025)  # of a Gaussian, in its standard deviations


def target_of(q: Floats) -> Floats:
    """The cdf that the quantile of q has to reach, up to rounding of sums of masses."""
    return np.maximum(q - QUANTILE_ROUNDING, np.finfo(float).tiny)


def window(mean: float, variance: float, reach: float, low: int, high: int) -> tuple[int, int]:
    """The window in [low, high] of a sum of terms within ``reach`` of their means, by Bernstein's inequality."""
    first, last = windows(*(np.asarray(number) for number in (mean, variance, reach, low, high)))
    return int(first), int(last)


def windows(mean: Floats, variance: Floats, reach: Floats, low: Integers, high: Integers) -> tuple[Integers, Integers]:
    slack = LOG_TAIL * reach / 3
    half = slack + np.sqrt(slack**2 + 2 * LOG_TAIL * variance)
    first, last = np.floor(mean - half).astype(np.int64), np.ceil(mean + half).astype(np.int64)
    # Bernstein's window may be wider than the range of the sum.
    return np.maximum(low, first), np.minimum(high, last)


@dataclass(frozen=True, repr=False, eq=False)
class Masses:
    """Values in ascending order with their probabilities; a value within ``slack`` of x counts as x."""

    values: Floats
    pmf: Floats
    slack: float = CASE_ROUNDING
    is_exact: bool = True

    @classmethod
    def merged(cls, parts: Sequence[tuple[Floats, Floats]]) -> Masses:
        """From values in any order, merging those within a 65536th of their range; 0 stays a separate atom."""
        values, pmf = (np.concatenate(column) for column in zip(*parts, strict=True))
        kept = pmf > 0
        values, pmf = values[kept], pmf[kept]
        width = max(float(np.ptp(values)), CASE_ROUNDING) / (MAX_KEPT_VALUES - 1)
        place = 3 * np.rint(values / width).astype(np.int64)
        # 0 keeps a place of its own: p-values need the probability that a difference is exactly 0.
        place += (place == 0) * np.sign(np.where(np.abs(values) <= CASE_ROUNDING, 0.0, values)).astype(np.int64)
        place -= place.min()
        mass = np.bincount(place, pmf)
        (bins,) = np.nonzero(mass)
        means = np.bincount(place, pmf * values)[bins] / mass[bins]
        return cls(np.asarray(means, dtype=np.float64), np.asarray(mass[bins], dtype=np.float64))

    @cached_property
    def cumulative(self) -> Floats:
        return np.asarray(np.minimum(np.concatenate([[0.0], np.cumsum(self.pmf)]), 1.0))

    @cached_property
    def remaining(self) -> Floats:
        """P(X >= the first), P(X > the first), ...: precise where it is small."""
        # The sum starts at the small end, so that far tails keep their digits.
        return np.asarray(np.minimum(np.concatenate([np.cumsum(self.pmf[::-1])[::-1], [0.0]]), 1.0))

    def cdf(self, x: Floats, *, strict: bool = False) -> Floats:
        if strict:
            return self.cumulative[np.searchsorted(self.values, x - self.slack)]
        return self.cumulative[np.searchsorted(self.values, x + self.slack, "right")]

    def beyond(self, x: Floats) -> Floats:
        return self.remaining[np.searchsorted(self.values, x + self.slack, "right")]

    def quantile(self, q: Floats) -> Floats:
        reached = np.searchsorted(self.cumulative[1:], target_of(q))
        return self.values[np.minimum(reached, len(self.values) - 1)]


class ListedValues(ABC):
    """A law known by its values at each point, listed in units of 1 / ``draws``."""

    @property
    @abstractmethod
    def estimate(self) -> Floats: ...

    @abstractmethod
    def _masses(self, point: int) -> Masses: ...

    @cached_property
    def laws(self) -> tuple[Masses, ...]:
        return tuple(self._masses(point) for point in range(len(self.estimate)))

    @property
    def draws(self) -> float:
        return 1.0

    def cdf(self, x: Floats) -> Floats:
        return at_points(x, lambda i, values: self.laws[i].cdf(values * self.draws))

    def tails(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        below = at_points(x, lambda i, values: self.laws[i].cdf(values * self.draws, strict=True))
        above = at_points(x, lambda i, values: self.laws[i].beyond(values * self.draws))
        return below, np.maximum(1.0 - below - above, 0.0), above

    def quantile(self, q: Floats) -> Floats:
        return at_points(q, lambda i, levels: self.laws[i].quantile(levels) / self.draws)


RowMasses = tuple[Integers, Floats]  # a law per row: the first value, and the masses from there on, then zeros


def binomial(draws: int, hit: float, miss: float) -> tuple[Integers, Floats]:
    """Values and masses; both probabilities are given, as 1 minus the other would lose the digits of a small one."""
    if min(hit, miss) <= 0:
        return np.array([draws if hit > 0 else 0]), np.ones(1)
    (start,), (pmf,) = binomials(np.array([draws]), np.array([hit]), np.array([miss]))
    return start + np.arange(len(pmf)), pmf


def binomials(draws: Integers, hit: Floats, miss: Floats) -> RowMasses:
    """Binomial laws, outwards from their modes by the ratio of neighbours: relative precision in both tails."""
    draws, hit, miss = draws[:, None], hit[:, None], miss[:, None]
    low, high = windows(draws * hit, draws * hit * miss, np.ones_like(hit), np.zeros_like(draws), draws)
    mode = np.clip(((draws + 1) * hit).astype(np.int64), low, high)
    up = mode + np.arange((high - mode).max(initial=0), dtype=np.float64)
    down = mode - np.arange((mode - low).max(initial=0), dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        # Ratios of neighbours from the mode outwards; beyond the window they may be 0 / 0, and are left out.
        above = np.cumprod(np.where(up < high, (draws - up) / (up + 1) * (hit / miss), 0.0), axis=1)
        below = np.cumprod(np.where(down > low, down / (draws - down + 1) * (miss / hit), 0.0), axis=1)
    pmf = np.hstack([below[:, ::-1], np.ones_like(hit), above])
    return mode[:, 0] - below.shape[1], pmf / pmf.sum(axis=1, keepdims=True)


@dataclass(frozen=True, repr=False, eq=False)
class WholeSums:
    """Sums of draws, one sum per row; each draw counts up, down or not at all, in units of ``step``."""

    draws: Integers
    up: Floats
    down: Floats
    idle: Floats
    step: Floats

    def __getitem__(self, rows: Integers) -> WholeSums:
        return WholeSums(self.draws[rows], self.up[rows], self.down[rows], self.idle[rows], self.step[rows])

    @classmethod
    def where(cls, condition: Booleans, a: WholeSums, b: WholeSums) -> WholeSums:
        floats = (a.up, b.up), (a.down, b.down), (a.idle, b.idle), (a.step, b.step)
        return cls(np.where(condition, a.draws, b.draws), *(np.where(condition, *pair) for pair in floats))

    @cached_property
    def window(self) -> tuple[Integers, Integers]:
        drift, moving, up, down = self.up - self.down, self.up + self.down, self.up > 0, self.down > 0
        # Bernstein's inequality needs the largest distance of a draw from its mean.
        reach = np.maximum(up - drift, drift + down)
        low, high = -self.draws * down, self.draws * up
        return windows(self.draws * drift, self.draws * (moving - drift**2), reach, low, high)

    @property
    def length(self) -> Integers:
        return np.asarray(self.window[1] - self.window[0] + 1)

    def laws(self) -> RowMasses:
        if not self.down.any():
            return binomials(self.draws, self.up, self.idle)
        # Probabilities near 0 may be negative after the transform.
        return self.window[0], np.maximum(next(inverses(self)), 0.0)


def _of_one_draw(sums: WholeSums, length: int, beside: Floats | float) -> tuple[Floats, ...]:
    """log|cf|, arg cf, log|cf - 1|, arg(cf - 1) of a draw by row, at t where terms times exp(``beside``) matter."""
    # t / 2 at t = 2 pi j / length; cf - 1 = -2 moving sin^2(t / 2) + 2i drift sin(t / 2) cos(t / 2)
    half_turns = np.pi / length * np.arange(length // 2 + 1)
    sine, cosine = np.sin(half_turns), np.cos(half_turns)
    moving, drift = (sums.up + sums.down)[:, None], (sums.up - sums.down)[:, None]
    real, imaginary = -2 * moving * sine**2, 2 * drift * (sine * cosine)
    # |a|^2 + |1 + a|^2 - 1: for any k binom(n, k) |a|^2k |1 + a|^(2n - 2k) is at most the n-th power of 1 + that.
    growth = np.maximum(2 * real + 2 * (real**2 + imaginary**2), -1 + 1e-16)
    log_squares = sums.draws[:, None] * np.log1p(growth)
    needed = (log_squares > -2 * (LOG_TAIL + np.reshape(beside, (-1, 1)))).any(axis=0)
    end = int(np.flatnonzero(needed)[-1]) + 1
    real, imaginary = real[:, :end], imaginary[:, :end]
    idle, both = (moving[:, 0] * sums.idle)[:, None], (4 * sums.up * sums.down)[:, None]
    deficit = 4 * sine[:end] ** 2 * (idle + both * cosine[:end] ** 2)  # 1 - |cf|^2, without cancellation
    # log|z| from log1p where |z| is near 1, where hypot would lose digits; from hypot elsewhere.
    small = np.log(np.maximum(np.hypot(1 + real, imaginary), LEAST_FLOAT))
    log_size = np.where(deficit > 0.5, small, np.log1p(-np.minimum(deficit, 0.5)) / 2)
    log_minus_one = np.log(np.maximum(np.hypot(real, imaginary), LEAST_FLOAT))
    return log_size, np.arctan2(imaginary, 1 + real), log_minus_one, np.arctan2(imaginary, real)


def inverses(sums: WholeSums, beside: Floats | float = 0.0) -> Iterator[Floats]:
    """The inverses of ``sqrt(binom(draws, k)) (cf - 1)^k cf^(draws - k)``, k = 0 (the law), 1, ..., cf of one draw."""
    length = next_fast_len(int(sums.length.max()), real=True)
    log_cf, angle, log_minus_one, angle_minus_one = _of_one_draw(sums, length, beside)
    draws, width = sums.draws[:, None], int(sums.length.max())
    inside = np.arange(width) < sums.length[:, None]
    turns = sums.window[0][:, None] * np.arange(angle.shape[1]) % length
    # Conjugates, as irfft sums e^(+itx); shifted by e^(it low), so that the first value is the window's first.
    phase = np.exp(1j * (2 * np.pi / length * turns - draws * angle))
    phase_step = np.exp(1j * (angle - angle_minus_one))
    log_size = draws * log_cf
    for k in range(int(draws.max()) + 1):
        with np.errstate(under="ignore"):
            found = irfft(np.exp(log_size) * phase, length, axis=1)
        # The transform is periodic: values outside the window are copies.
        yield np.where(inside, found[:, :width], 0.0)
        with np.errstate(divide="ignore"):
            log_chosen = np.log(np.maximum(draws - k, 0) / (k + 1)) / 2
        log_size += log_chosen + log_minus_one - log_cf
        phase *= phase_step


def joint_terms(u: WholeSums, v: WholeSums) -> Iterator[tuple[RowMasses, RowMasses]]:
    """Factors of the joint law, ``(1+a+b)^n = sum_k binom(n, k) (-ab)^k ((1+a) (1+b))^(n-k)``, 1+a, 1+b of a draw."""
    # Draws are often idle, as ``_n_sizes`` of a ``LinearLaw`` sees to: else terms alternate and grow.
    factors = zip(inverses(u, _log_largest(v)), inverses(v, _log_largest(u)), strict=True)
    for k, (a, b) in enumerate(factors):
        if k and float((np.abs(a).sum(axis=1) * np.abs(b).sum(axis=1)).max()) < SERIES_ROUNDING:
            return
        yield (u.window[0], a), (v.window[0], -b if k % 2 else b)


def _log_largest(sums: WholeSums) -> Floats:
    """A bound on the logarithm of all terms at all frequencies, above 0 where more than half of the draws move."""
    moving = sums.up + sums.down
    return np.asarray(sums.draws * np.log1p(np.maximum(4 * moving * (2 * moving - 1), 0.0)) / 2)


class TwoSums:
    """The laws of ``X = origin + s U + t V`` by row, with their means and deviations.

    t is not negligible beside s (``_ordered`` of ``_linear``): quantiles are sought in steps of V.

    If ``joint`` U and V count the same draws, each of which moves at most one of them; else they are drawn separately.
    """

    def __init__(
        self, u: WholeSums, v: WholeSums, origin: Floats, mean: Floats, deviation: Floats, *, joint: bool
    ) -> None:
        terms = list(joint_terms(u, v)) if joint else [(u.laws(), v.laws())]
        (u_low, of_u), (self.v_low, of_v) = terms[0]
        self.u, self.v, self.values = u, v, u_low[:, None] + np.arange(of_u.shape[1])
        self.origin, self.center, self.deviation = origin, mean - origin, deviation
        self._of_u = [pmf for (_, pmf), _ in terms]
        self._up_to_v = [np.cumsum(np.pad(pmf, ((0, 0), (1, 0))), axis=1) for _, (_, pmf) in terms]
        self.v_high = self.v_low + of_v.shape[1] - 1
        self.bottom = u.step * self.values[:, 0] + v.step * (self.v_low - 1)
        self.top = u.step * self.values[:, -1] + v.step * self.v_high

    def mass(self, rows: Integers, v: Integers) -> Floats:
        """P(U = u, V <= v) for each u of these rows, v from v_low - 1 to v_high, of shape (rows, values of U)."""
        width = self._up_to_v[0].shape[1]
        places = v + (rows * width - self.v_low[rows] + 1)[:, None]
        parts = (of_u[rows] * np.take(up_to_v, places) for of_u, up_to_v in zip(self._of_u, self._up_to_v, strict=True))
        return np.asarray(sum(parts))

    def cdf(self, x: Floats, rows: Integers, *, strict: bool = False) -> Floats:
        last = self._last_v(rows, x - self.origin[rows], strict)
        return np.asarray(np.clip(self.mass(rows, last).sum(axis=1), 0.0, 1.0))

    def quantile(self, q: Floats, rows: Integers) -> Floats:
        """The smallest value whose cdf reaches q."""
        target = target_of(q)
        low, high, at_low, at_high = self._bracket(rows, target)
        before, up_to = self._last_v(rows, low), self._last_v(rows, high)
        x = self.u.step[rows, None] * self.values[rows] + self.v.step[rows, None] * up_to
        # A value without an atom in this bracket is no candidate.
        x = np.where(up_to > before, x, np.inf)
        order = np.argsort(x, axis=1)
        added = np.cumsum(np.take_along_axis(at_high - at_low, order, axis=1), axis=1)
        enough = at_low.sum(axis=1)[:, None] + added >= target[:, None]
        last = np.maximum(np.isfinite(x).sum(axis=1) - 1, 0)
        place = np.where(enough.any(axis=1), np.minimum(enough.argmax(axis=1), last), last)
        every = np.arange(len(rows))
        return np.asarray(self.origin[rows] + x[every, order[every, place]])

    def _last_v(self, rows: Integers, x: Floats, strict: bool = False) -> Integers:
        """For each u, the largest v with step_u * u + step_v * v <= x (or < x), up to rounding of the products."""
        step_u, step_v, u = self.u.step[rows], self.v.step[rows], self.values[rows]
        x = np.minimum(np.maximum(x, self.bottom[rows]), self.top[rows] + step_v)
        # x - step u has the rounding of the larger of both, which can exceed any fixed share of a step.
        largest = np.maximum(np.abs(u[:, 0]), np.abs(u[:, -1]))
        rounding = 4 * np.finfo(float).eps * (np.abs(x) + step_u * largest)
        slack = (1e-9 * np.minimum(step_u, step_v) + rounding) / step_v
        side = -slack if strict else slack
        steps = (x / step_v + side)[:, None] - (step_u / step_v)[:, None] * u
        last = np.ceil(steps) - 1 if strict else np.floor(steps)
        return np.asarray(np.clip(last, self.v_low[rows, None] - 1, self.v_high[rows, None]).astype(np.int64))

    def _bracket(self, rows: Integers, target: Floats) -> tuple[Floats, ...]:
        """Two places, few values apart, with cdf(low) < target <= cdf(high), and the masses up to them."""
        low, high = self.bottom[rows], self.top[rows]
        finest = 64 * np.finfo(float).eps * np.maximum(np.abs(low), np.abs(high))
        narrow = np.maximum(self.v.step[rows] * min(BRACKET_STEPS, ATOMS_IN_BRACKET / self.values.shape[1]), finest)
        # A normal quantile, finite as the search would else start at an end, and its slope: half of the bisection.
        z, scale = ndtri(np.clip(target, 1e-12, 1 - 1e-12)), self.deviation[rows]
        spread = scale * np.sqrt(2 * np.pi) * np.exp(z**2 / 2)
        still, outer = np.arange(len(rows)), (low.copy(), high.copy())
        probe = np.clip(self.center[rows] + scale * z, low, high)
        at_low, at_high = np.zeros((2, len(rows), self.values.shape[1]))
        for step in range(MAX_HALVINGS):
            at = probe[still]
            mass = self.mass(rows[still], self._last_v(rows[still], at))
            missing = target[still] - mass.sum(axis=1)
            below = missing > 0
            low[still[below]], high[still[~below]] = at[below], at[~below]
            at_low[still[below]], at_high[still[~below]] = mass[below], mass[~below]
            # a little beyond the slope's guess, so that both ends close in; further each time that was not enough
            margin = 0.4 * narrow[still] * 4.0 ** min(step, 100)
            # Newton's guess is used in the first two steps, and while one end has not moved; then the middle.
            guess = at + missing * spread[still] + np.where(below, margin, -margin)
            one_sided = (low[still] == outer[0][still]) | (high[still] == outer[1][still])
            trusted = (guess > low[still]) & (guess < high[still]) & (one_sided | (step < 2))
            probe[still] = np.where(trusted, guess, (low[still] + high[still]) / 2)
            still = still[high[still] - low[still] > narrow[still]]
            if not len(still):
                last = np.flatnonzero(high == outer[1])
                at_high[last] = self.mass(rows[last], self._last_v(rows[last], high[last]))
                return low, high, at_low, at_high
        raise RuntimeError(f"no quantile was found in {MAX_HALVINGS} steps; please report this.")


def whole_masses(weights: Floats, up: Floats, down: Floats, draws: int, falls: bool) -> tuple[Floats, Floats]:
    """Mix the laws of draws up minus draws down; if any ``falls``, a draw is up to 2 from its mean."""
    mean, widest = draws * (up - down), draws * float((up + down - (up - down) ** 2).max())
    least, reach = (-draws, 2.0) if falls else (0, 1.0)
    (low, _), (_, high) = (window(float(end), widest, reach, least, draws) for end in (mean.min(), mean.max()))
    length = next_fast_len(high - low + 1, real=True)
    steps = np.arange(length // 2 + 1)
    turn = np.exp(-2j * np.pi / length * (steps * low % length))
    cf = _mixture_cf(weights, up + down, up - down, draws, 2 * np.pi / length * steps) * turn
    pmf = irfft(np.conj(cf), length)[: high - low + 1]
    # The rounding of a transform would become atoms.
    return np.arange(low, high + 1.0), np.where(pmf > MASS_ROUNDING, pmf, 0.0)


def _mixture_cf(
    weights: Floats, moving: Floats, drift: Floats, draws: int, frequencies: Floats
) -> NDArray[np.complex128]:
    """``sum_c weights_c (1 + p_up (e^it - 1) + p_down (e^-it - 1))^draws``, where it is not negligible."""
    total = np.zeros(len(frequencies), dtype=np.complex128)
    turned, sine = 2 * np.sin(frequencies / 2) ** 2, np.sin(frequencies)
    order = np.argsort(moving, kind="stable")
    for start in range(0, len(order), BLOCK_COMPONENTS):
        block = order[start : start + BLOCK_COMPONENTS]
        s, d = moving[block, None], drift[block, None]
        # |one draw's function|^2 <= 1 - 2 s (1 - s) (1 - cos t)
        kept = int(np.searchsorted(draws * float((s * (1 - s)).min()) * turned, LOG_TAIL, "right"))
        real, imag = s * turned[:kept], d * sine[:kept]
        # With up and down equally likely the value is 0 at a right angle.
        with np.errstate(divide="ignore"):
            size = np.exp(draws / 2 * np.log1p(real * (real - 2) + imag * imag))
        angle = draws * np.arctan2(imag, 1 - real)
        total[:kept] += weights[block] @ (size * np.cos(angle)) + 1j * (weights[block] @ (size * np.sin(angle)))
    return total


def paired_masses(weights: Floats, sums: Floats, squares: Floats, draws: int, pseudo: float) -> Masses:
    """The law of a sum of draws of 1, 0 or -1 from components, by the sums of their cases' values and of squares."""
    kept = np.abs(weights) > MASS_ROUNDING
    up, down = (np.rint((squares[kept] + side * sums[kept]) / 2).astype(np.int64) for side in (1, -1))
    # Pairs with the same counts are merged.
    pairs = coo_array((weights[kept], (up - up.min(), down - down.min()))).tocsr().tocoo()
    weights, up, down = pairs.data, pairs.row + up.min(), pairs.col + down.min()
    return Masses(*whole_masses(weights, (up + pseudo) / draws, (down + pseudo) / draws, draws, True))


def normal_masses(mean: Floats | float, variance: Floats | float) -> tuple[Floats, Floats]:
    middles = (NORMAL_GRID[1:] + NORMAL_GRID[:-1]) / 2
    return mean + np.sqrt(np.maximum(variance, 0.0)) * middles, np.diff(ndtr(NORMAL_GRID))
