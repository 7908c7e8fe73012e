"""Sums over multinomial draws tabulated from their characteristic function, where that is not negligible.

    E exp(itX) = (sum_j p_j exp(i t y_j))^n for X = sum_j y_j N_j;    F by inversion on a window from Chernoff

The characteristic function of a law with atoms does not vanish at large frequencies. The law is therefore smeared by
the window of Kaiser and Bessel over less than a ``slack`` on either side, which ends its transform at BAND; so
``F(x - slack) <= table(x) <= F(x + slack)`` up to exp(-BAND) = 1e-7. A law that is smooth at that scale is not smeared,
and its table is good to 1e-8. One table is enough for a sum whose values are of similar size (:func:`tabulated`). Where
some values are large multiples of a unit, sums lie in clusters about its multiples, and the tables of these are made
together by one transform in two dimensions (:class:`Clusters`): without them the cdf at 0 of a difference of costs
559125 and 1, drawn 40 times, is .5 instead of .25. On a lattice masses are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, irfft2, next_fast_len
from scipy.special import log1p

from skcostci._arrays import Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws.exact._lattice import LOG_TAIL, Complexes, finite

BAND = 16.0  # frequency times smear at which inversion stops: exp(-16) is left out; doubled: twice the frequencies
SINGLE_ROUNDING = 1e-4  # allows for single precision in the search for frequencies that count
SMEAR = 0.8  # share of the slack; the rest is for interpolation between the points tabulated
NEGLIGIBLE_CLUSTER = 1e-17  # clusters less probable are left out
BLOCK_FREQUENCIES = 2**18  # of a matrix of frequencies by steps or cells that is held at a time


@dataclass(frozen=True, repr=False, eq=False)
class TabulatedCdf:
    """A cdf at evenly spaced points, linear between them; mass was smeared over no more than ``slack``."""

    low: float
    pitch: float
    cumulative: Floats
    slack: float

    @property
    def high(self) -> float:
        return self.low + self.pitch * (len(self.cumulative) - 1)

    def at(self, x: Floats) -> Floats:
        # Beyond the table the cdf is 0 or 1, as at its ends.
        place = np.clip((x - self.low) / self.pitch, 0, len(self.cumulative) - 1)
        left = np.minimum(place.astype(np.int64), len(self.cumulative) - 2)
        before = self.cumulative[left]
        return np.asarray(before + (place - left) * (self.cumulative[left + 1] - before))


def tabulated(draws: int, p: Floats, y: Floats, slack: float) -> TabulatedCdf:
    """The cdf of the sum, smeared over less than ``slack`` on either side, or not at all if it is smooth there."""
    if draws == 0 or len(y) == 1:
        total = draws * float(y[0])
        return TabulatedCdf(total - slack / 2, slack, np.array([0.0, 1.0]), slack)
    low, high = window(draws, p, y)
    low, length = low - 2 * slack, high - low + 4 * slack
    count = frequencies(length, slack)
    index, cf = characteristic_function(draws, p, y, low, length, count)
    smooth = bool(index[-1] <= count / 64)
    if smooth:
        size = next_fast_len(int(np.clip(256 * index[-1], 2**16, 2**20)), real=True)
    else:
        size = next_fast_len(2 * count, real=True)
        cf = smeared(cf, index, length, slack)
    spectrum = np.zeros(size // 2 + 1, dtype=np.complex128)
    spectrum[index] = cf * np.sinc(index / size)
    # Rounding of masses that are 0 must not make the cdf fall, or exceed 1.
    cumulative = np.minimum(np.maximum.accumulate(np.cumsum(irfft(spectrum, size))), 1.0)
    pitch = length / size
    return TabulatedCdf(low - pitch / 2, pitch, np.concatenate([[0.0], cumulative]), 0.0 if smooth else slack)


def smeared(cf: Complexes, index: Integers, length: float, slack: float) -> Complexes:
    """The characteristic function, at these frequencies in a window, of the law smeared over less than ``slack``."""
    return np.asarray(cf * _kernel(np.asarray(index * (2 * np.pi / length * SMEAR * slack))))


def frequencies(length: float, slack: float) -> int:
    """The number of frequencies needed to resolve a window of this length."""
    return int(length * BAND / (2 * np.pi * SMEAR * slack))


def lattice_pmf(draws: int, p: Floats, weights: Integers, low: int, high: int) -> Floats:
    """The probabilities of low, ..., high for ``sum_j weights[j] * N_j``."""
    length = next_fast_len(high - low + 1, real=True)
    spectrum = np.zeros(length // 2 + 1, dtype=np.complex128)
    index, cf = characteristic_function(draws, p, weights.astype(np.float64), low, length, len(spectrum))
    spectrum[index] = cf
    return np.asarray(np.maximum(irfft(spectrum, length)[: high - low + 1], 0.0))


def characteristic_function(
    draws: int, p: Floats, y: Floats, low: float, length: float, count: int
) -> tuple[Integers, Complexes]:
    """The function of the sum minus ``low``, conjugated, at 2 pi m / length for those m < count where it matters.

    ``rho = sqrt(1 - |cf of one draw|^2)`` is subadditive: blocks are negligible by rho at their middle.
    """
    half, reach = _half_block(p, y, length)
    steps = np.arange(-half, half + 1)
    offsets = turned(steps, y, length)
    matters = float(np.sqrt(-np.expm1(-2 * LOG_TAIL / draws)))
    middles = np.arange(half, count + half, 2 * half + 1)
    middles = middles[_rho_squared(middles, p, y, length) <= (matters + reach) ** 2 + SINGLE_ROUNDING]
    found = []
    for some in np.array_split(middles, 1 + middles.size * max(len(steps), len(p)) // BLOCK_FREQUENCIES):
        minus_one = of_one_draw(turned(some, y, length), offsets, p)
        index = np.add.outer(some, steps)
        inside = index < count
        found.append(_power(draws, index[inside], minus_one[inside], low, length))
    index, cf = (np.concatenate(column) for column in zip(*found, strict=True))
    return index, cf


def of_one_draw(turned: Complexes, steps: Complexes, p: Floats) -> Complexes:
    """The characteristic function of one draw minus 1, at frequencies plus steps, shape (n_frequencies, n_steps)."""
    # exp(ia + ib) - 1 = (exp(ia) - 1) (exp(ib) - 1) + (exp(ia) - 1) + (exp(ib) - 1), nothing cancels.
    return np.asarray((turned * p) @ steps.T + (turned @ p)[:, None] + steps @ p)


def _power(draws: int, index: Integers, minus_one: Complexes, low: float, length: float) -> tuple[Integers, Complexes]:
    """The characteristic function of the sum from that of one draw, minus 1, where it is not negligible."""
    # The size is set to about 0 where rounding would make its square negative.
    square_minus_one = np.maximum(2 * minus_one.real + np.abs(minus_one) ** 2, -1 + 1e-16)
    logarithm = draws / 2 * np.log1p(square_minus_one)
    kept = logarithm > -LOG_TAIL
    angle = draws * np.arctan2(minus_one.imag[kept], 1 + minus_one.real[kept])
    shift = 2 * np.pi / length * np.remainder(index[kept] * low, length)
    return index[kept], np.exp(logarithm[kept] + 1j * (shift - angle))


def _half_block(p: Floats, y: Floats, length: float) -> tuple[int, float]:
    """Half the width of blocks of frequencies in which rho changes by about 1/4 at most, and a bound of the change."""
    half = 0
    while half < 4096 and _rho_bound(p, y, 2 * np.pi / length * (2 * half + 1)) <= 1 / 4:
        half = 2 * half + 1
    return half, _rho_bound(p, y, 2 * np.pi / length * half)


def _rho_bound(p: Floats, y: Floats, frequency: float) -> float:
    return float(np.sqrt(p @ np.minimum((frequency * y) ** 2, 4.0)))


def _rho_squared(index: Integers, p: Floats, y: Floats, length: float) -> NDArray[np.float32]:
    """``1 - |cf of one draw|^2`` at evenly spaced frequencies in single precision, by products of few."""
    width = int(np.ceil(np.sqrt(len(index))))
    some, steps = (
        (1 + turned(few, y, length)).astype(np.complex64) for few in (index[::width], index[:width] - index[0])
    )
    cf = ((some * p.astype(np.float32)) @ steps.T).ravel()[: len(index)]
    return np.asarray(1 - cf.real**2 - cf.imag**2)


def turned(index: Integers, y: Floats, length: float) -> Complexes:
    """``exp(2 pi i index y / length) - 1`` without cancellation; whole numbers turn exactly."""
    products = np.multiply.outer(index.astype(np.float64), y)
    angles = 2 * np.pi / length * (products - length * np.rint(products / length))
    return np.asarray(-2 * np.sin(angles / 2) ** 2 + 1j * np.sin(angles))


def _kernel(angle: Floats) -> Floats:
    """The transform of the window of Kaiser and Bessel, which is 0 outside [-1, 1]."""
    # Near the end of the band sinh(x) / x is 1, not 0 / 0.
    root = np.sqrt(np.maximum(BAND**2 - angle**2, 1e-12))
    return np.asarray(np.sinh(root) / root * (BAND / np.sinh(BAND)))


def window(draws: int, p: Floats, y: Floats) -> tuple[float, float]:
    """An interval that the sum leaves with probability at most 2e-18 on either side, by Chernoff's inequality."""
    if not draws:
        return 0.0, 0.0
    return -_highest(draws, p, -y), _highest(draws, p, y)


def _highest(draws: int, p: Floats, y: Floats) -> float:
    """The x with ``P(sum >= x) <= exp(-LOG_TAIL)`` by Chernoff's inequality, at most the largest sum there is."""
    top = float(y.max())
    below = y - top
    if -draws * np.log(p[below == 0].sum()) <= LOG_TAIL:
        return draws * top

    def tilted(theta: float) -> tuple[float, float]:
        weights = p * np.exp(theta * below)
        mean = float(weights @ below / weights.sum())
        return mean, draws * (theta * mean - float(np.log(weights.sum())))

    near, far = 0.0, 1.0 / float(np.sqrt(draws * (p @ below**2)))
    while tilted(far)[1] < LOG_TAIL:
        near, far = far, 2 * far
    for _ in range(30):
        middle = (near + far) / 2
        near, far = (middle, far) if tilted(middle)[1] < LOG_TAIL else (near, middle)
    return draws * (top + tilted(far)[0])


@dataclass(frozen=True, repr=False, eq=False)
class CdfTables:
    """The cdfs of the rests, one per cluster, between ``low`` and ``high``."""

    low: float
    high: float
    tables: list[TabulatedCdf]

    def table(self, number: int) -> TabulatedCdf:
        return self.tables[number]


@dataclass(frozen=True, repr=False, eq=False)
class Clusters:
    """Draws from values that are multiples of a unit plus rests, with probabilities p."""

    draws: int
    p: Floats
    unit: float
    multiples: Integers
    rests: Floats

    @classmethod
    def of(cls, draws: int, p: Floats, y: Floats, unit: float) -> Clusters:
        multiples = np.rint(y / unit)
        return cls(draws, p, unit, multiples.astype(np.int64), y - multiples * unit)

    @property
    def work(self) -> float:
        low, high = self._rests
        return len(self._units) * (high - low)

    @cached_property
    def _units(self) -> Integers:
        low, high = window(self.draws, self.p, self.multiples.astype(np.float64))
        return np.arange(int(np.ceil(low - 1e-6)), int(np.floor(high + 1e-6)) + 1)

    @cached_property
    def _rests(self) -> tuple[float, float]:
        return window(self.draws, self.p, self.rests)

    def tabulated(self, slack: float) -> tuple[Floats, Floats, CdfTables]:
        """The places of clusters, their probabilities, and the cdf in each, smeared over less than ``slack``."""
        low, high = self._rests
        low, length = low - 2 * slack, high - low + 4 * slack
        count = frequencies(length, slack)
        shape = next_fast_len(len(self._units)), next_fast_len(2 * count, real=True)
        spectrum = np.zeros((shape[0], shape[1] // 2 + 1), dtype=np.complex128)
        spectrum[:, :count] = smeared(self._transform(shape[0], count, low, length), np.arange(count), length, slack)
        spectrum *= np.sinc(np.arange(spectrum.shape[1]) / shape[1])
        masses = irfft2(spectrum, shape)[: len(self._units)]
        cumulative = np.maximum.accumulate(np.cumsum(masses, axis=1), axis=1)
        weights, pitch = cumulative[:, -1], length / shape[1]
        some = weights > NEGLIGIBLE_CLUSTER
        # Conditional cdfs of small clusters may leave [0, 1] by rounding over their weight.
        parts = np.pad(np.clip(cumulative[some] / weights[some, None], 0.0, 1.0), ((0, 0), (1, 0)))
        tables = [TabulatedCdf(low - pitch / 2, pitch, part, slack) for part in parts]
        places = self.unit * self._units[some].astype(np.float64)
        return places, weights[some], CdfTables(low - slack, tables[0].high + slack, tables)

    def _transform(self, size: int, count: int, low: float, length: float) -> Complexes:
        """The characteristic function of units and rests minus the starts of their windows, conjugated."""
        units, width = np.unique(self.multiples), isqrt(count) + 1
        some, steps = (turned(each, self.rests, length) for each in (np.arange(0, count, width), np.arange(width)))
        alike = [self.multiples == unit for unit in units]
        parts = np.stack([of_one_draw(some[:, k], steps[:, k], self.p[k]).ravel()[:count] for k in alike])
        chances = np.array([self.p[k].sum() for k in alike])
        # exp(ia + ib) - 1 = (exp(ia) - 1) exp(ib) + exp(ib) - 1, nothing cancels.
        minus_one = turned(np.arange(size), units.astype(np.float64), size) @ (parts + chances[:, None])
        minus_one += parts.sum(axis=0)
        turns = np.add.outer(np.arange(size) * (int(self._units[0]) % size) / size, np.arange(count) * (low / length))
        return np.asarray(np.conj(np.exp(self.draws * finite(log1p(minus_one)) - 2j * np.pi * turns)))
