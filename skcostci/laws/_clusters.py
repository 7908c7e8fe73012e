"""The law of a sum of draws whose values lie close to whole multiples of one that is large: sums lie in clusters.

A value is a multiple of that unit and a rest. How many units are drawn is on a lattice, the sum of the rests in a short
window; their joint law is had from a characteristic function in two dimensions, of far fewer frequencies than the whole
would need for the same resolution.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isqrt

import numpy as np
from scipy.fft import irfft2, next_fast_len
from scipy.special import log1p

from skcostci._validation import Floats, Integers
from skcostci.laws._fourier import Complexes, TabulatedCdf, frequencies, of_one_draw, smeared, turned, window
from skcostci.laws._whole_sums import finite

SEEN = 1e-17  # clusters less probable are left out


@dataclass(frozen=True)
class Tables:
    """The cdfs of the rests, one a cluster, which end between ``low`` and ``high``."""

    low: float
    high: float
    tables: list[TabulatedCdf]

    def table(self, number: int) -> TabulatedCdf:
        """That of a cluster."""
        return self.tables[number]


@dataclass(frozen=True)
class Clusters:
    """So many draws from values of these probabilities: multiples of a unit, and rests."""

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
        """How long the windows of all clusters are together."""
        low, high = self._rests
        return len(self._units) * (high - low)

    @cached_property
    def _units(self) -> Integers:
        """How many may be drawn."""
        low, high = window(self.draws, self.p, self.multiples.astype(np.float64))
        return np.arange(int(np.ceil(low - 1e-6)), int(np.floor(high + 1e-6)) + 1)

    @cached_property
    def _rests(self) -> tuple[float, float]:
        """Where their sum lies."""
        return window(self.draws, self.p, self.rests)

    def tabulated(self, slack: float) -> tuple[Floats, Floats, Tables]:
        """Where clusters are, their probabilities, and what is in each, smeared over less than ``slack``."""
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
        some = weights > SEEN
        parts = np.pad(np.clip(cumulative[some] / weights[some, None], 0.0, 1.0), ((0, 0), (1, 0)))
        tables = [TabulatedCdf(low - pitch / 2, pitch, part, slack) for part in parts]
        places = self.unit * self._units[some].astype(np.float64)
        return places, weights[some], Tables(low - slack, tables[0].high + slack, tables)

    def _transform(self, size: int, count: int, low: float, length: float) -> Complexes:
        """The characteristic function of units and rests, conjugated, less where their windows begin."""
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
