"""Laws of whole-number sums at many points side by side: one a row, on the window that holds all but 1e-18 of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, irfft2, next_fast_len
from scipy.special import log1p

from skcostci._validation import Booleans, Floats, Integers
from skcostci.laws._lattice import LOG_TAIL, windows

NEGLIGIBLE = 1e-18  # terms of a series that add no more than this are left out
LEAST_LOG = -750.0  # of zero; the exponential of it is zero


@dataclass(frozen=True)
class Lattices:
    """One law a row: the probabilities of start, start + 1, ..., with zeros where a row's window has ended."""

    start: Integers
    pmf: Floats

    @property
    def support(self) -> Integers:
        return np.asarray(self.start[:, None] + np.arange(self.pmf.shape[1]))


@dataclass(frozen=True)
class WholeSums:
    """Sums of so many draws, one a row, each of which counts up, counts down or idles; ``step`` is what one adds."""

    draws: Integers
    up: Floats
    down: Floats
    idle: Floats
    step: Floats

    def __getitem__(self, rows: Integers) -> WholeSums:
        return WholeSums(self.draws[rows], self.up[rows], self.down[rows], self.idle[rows], self.step[rows])

    @classmethod
    def where(cls, condition: Booleans, a: WholeSums, b: WholeSums) -> WholeSums:
        """Those of a where the condition holds, elsewhere those of b."""
        floats = (a.up, b.up), (a.down, b.down), (a.idle, b.idle), (a.step, b.step)
        return cls(np.where(condition, a.draws, b.draws), *(np.where(condition, *pair) for pair in floats))

    @property
    def mean(self) -> Floats:
        return np.asarray(self.draws * (self.up - self.down))

    @cached_property
    def window(self) -> tuple[Integers, Integers]:
        """Where each sum lies."""
        drift, moving, up, down = self.up - self.down, self.up + self.down, self.up > 0, self.down > 0
        reach = np.maximum(up - drift, drift + down)
        low, high = -self.draws * down, self.draws * up
        return windows(self.mean, self.draws * (moving - drift**2), reach, low, high)

    @property
    def length(self) -> Integers:
        return np.asarray(self.window[1] - self.window[0] + 1)

    def laws(self) -> Lattices:
        """The law of each sum."""
        if not self.down.any():
            return binomials(self.draws, self.up, self.idle)
        return Lattices(self.window[0], np.maximum(Inversion.of(self).term(0), 0.0))


def binomials(draws: Integers, hit: Floats, miss: Floats) -> Lattices:
    """Binomial laws, outwards from their modes by the ratio of neighbours: relative precision in both tails."""
    draws, hit, miss = draws[:, None], hit[:, None], miss[:, None]
    low, high = windows(draws * hit, draws * hit * miss, np.ones_like(hit), np.zeros_like(draws), draws)
    mode = np.clip(((draws + 1) * hit).astype(np.int64), low, high)
    up = mode + np.arange((high - mode).max(initial=0), dtype=np.float64)
    down = mode - np.arange((mode - low).max(initial=0), dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        above = np.cumprod(np.where(up < high, (draws - up) / (up + 1) * (hit / miss), 0.0), axis=1)
        below = np.cumprod(np.where(down > low, down / (draws - down + 1) * (miss / hit), 0.0), axis=1)
    pmf = np.hstack([below[:, ::-1], np.ones_like(hit), above])
    return Lattices(mode[:, 0] - below.shape[1], pmf / pmf.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class Inversion:
    """Characteristic functions of one draw, less 1, at those frequencies of each row that count."""

    sums: WholeSums
    length: int
    rows: Integers
    places: Integers
    one: NDArray[np.complex128]

    @classmethod
    def of(cls, sums: WholeSums, beside: Floats | float = 0.0) -> Inversion:
        """Frequencies that count beside a factor whose logarithm is up to ``beside``."""
        length = next_fast_len(int(sums.length.max()), real=True)
        frequencies = 2 * np.pi / length * np.arange(length // 2 + 1)
        real = np.multiply.outer(sums.up + sums.down, -2 * np.sin(frequencies / 2) ** 2)
        imaginary = np.multiply.outer(sums.up - sums.down, np.sin(frequencies))
        log_squares = sums.draws[:, None] * np.log1p(_growth(real, imaginary))
        rows, places = np.nonzero(log_squares > -2 * (LOG_TAIL + np.reshape(beside, (-1, 1))))
        one = real[rows, places] + 1j * imaginary[rows, places]
        return cls(sums, length, rows.astype(np.int64), places.astype(np.int64), one)

    @cached_property
    def _logs(self) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
        """Of the characteristic function of one draw less 1, and of itself, which cancels nothing."""
        with np.errstate(divide="ignore"):
            return _finite(np.log(self.one)), _finite(log1p(self.one))

    def term(self, k: int) -> Floats:
        """The inverse of ``sqrt(binom(draws, k)) (cf - 1)^k cf^(draws - k)``, cf that of a draw; for k = 0 the law."""
        rows, draws, (less_one, itself) = self.rows, self.sums.draws, self._logs
        chosen = np.log((draws[:, None] - np.arange(k)) / np.arange(1, k + 1)).sum(axis=1) / 2
        shift = 2 * np.pi / self.length * np.remainder(self.places * self.sums.window[0][rows], self.length)
        cf = np.zeros((len(draws), self.length // 2 + 1), dtype=np.complex128)
        with np.errstate(under="ignore"):
            cf[rows, self.places] = np.exp(chosen[rows] + k * less_one + (draws[rows] - k) * itself - 1j * shift)
        width = int(self.sums.length.max())
        inside = np.arange(width) < self.sums.length[:, None]
        return np.where(inside, irfft(np.conj(cf), self.length, axis=1)[:, :width], 0.0)


def joint_law(u: WholeSums, v: WholeSums) -> Floats:
    """The joint probabilities of two sums of the same draws on both windows, of a single row, by one inversion."""
    lengths = int(u.length[0]), int(v.length[0])
    turns = [
        2 * np.pi / length * np.arange(count)
        for length, count in zip(lengths, (lengths[0], lengths[1] // 2 + 1), strict=True)
    ]
    moves = [
        sums.up * np.expm1(1j * turn) + sums.down * np.expm1(-1j * turn)
        for sums, turn in zip((u, v), turns, strict=True)
    ]
    shifts = [turn * sums.window[0] for sums, turn in zip((u, v), turns, strict=True)]
    with np.errstate(divide="ignore", under="ignore"):
        cf = np.exp(u.draws * _finite(log1p(np.add.outer(*moves))) - 1j * np.add.outer(*shifts))
    return np.asarray(np.maximum(irfft2(np.conj(cf), lengths), 0.0))


def _growth(real: Floats, imaginary: Floats) -> Floats:
    """``|a|^2 + |1 + a|^2 - 1``: binom(n, k) |a|^2k |1 + a|^(2n - 2k) is no more than the n-th power, for any k."""
    return np.maximum(2 * real + 2 * (real**2 + imaginary**2), -1 + 1e-16)


def _log_largest(sums: WholeSums) -> Floats:
    """A bound on the logarithm of all terms at all frequencies, above 0 where more than half of the draws move."""
    moving = sums.up + sums.down
    return np.asarray(sums.draws * np.log1p(np.maximum(4 * moving * (2 * moving - 1), 0.0)) / 2)


def _finite(logs: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Logarithms, with a number for that of 0."""
    return np.where(np.isfinite(logs), logs, LEAST_LOG)


def joint_terms(u: WholeSums, v: WholeSums) -> Iterator[tuple[Floats, Floats]]:
    """Factors whose products add up to the joint probabilities of two sums of the same draws, each of which moves one.

    With a + 1 and b + 1 the characteristic functions of a draw, ``(1 + a + b)^n`` is the sum over k of
    ``binom(n, k) (-a b)^k ((1 + a) (1 + b))^(n - k)``, each term a function of u times one of v.
    """
    of_u, of_v = Inversion.of(u, _log_largest(v)), Inversion.of(v, _log_largest(u))
    for k in count():
        if k > int(u.draws.max()):
            return
        a, b = of_u.term(k), (-1) ** k * of_v.term(k)
        if k and float((np.abs(a).sum(axis=1) * np.abs(b).sum(axis=1)).max()) < NEGLIGIBLE:
            return
        yield a, b
