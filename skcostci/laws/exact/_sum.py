"""The law of a sum of any real values over draws: ``X = sum_s sum_j y_sj N_sj``, N_s multinomial and independent.

All values of the sum are listed where there are at most MAX_LISTED (tens to hundreds of draws). Else probabilities are
computed on a lattice, as the inverse of a product of powers of characteristic functions: exact where the values have a
common step and the sum at most LONGEST_LATTICE places.

Values without a common step are put on a lattice of at most MAX_PLACES places. They are rounded to it where a sample
(how often each value is drawn) has a probability above ``LIKELY``, so that such an atom stays one, near its place;
``slack`` allows for that, F(x) <= cdf(x) <= F(x + 2 slack), some thousandths of a standard error. Where no sample is
likely, values are split between the two nearest places. This keeps their means; a scale keeps the sum's variance. The
cdf is then off by less than .001, or its argument by less than .02 standard errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import gammaln

from skcostci._arrays import Floats
from skcostci._frozen import cached_property
from skcostci.laws.exact._lattice import LOG_TAIL, Masses, binomial, windows

VALUE_ROUNDING = 2e-15  # values this close, relative to the largest, differ by rounding only
NEGLIGIBLE_DRAW = 1e-18  # less likely draws are left out of lists; doubled: below rounding still
MAX_LISTED = 2**18  # values of a sum that are listed; doubled: twice the memory and the time of the largest list
MAX_EXACT_VALUES = 4096  # distinct values for which a list or a common step is sought; doubled: neither is found
LONGEST_LATTICE = 2**20  # places of an exact law; doubled: twice the time
MIN_PLACES, MAX_PLACES = 2**13, 2**18  # of other laws; doubled: half the error of a sum, twice the time
SPLIT_VARIANCE = 1e-4  # relative variance that splitting values between two places may add before the scale
LIKELY = 1e-3  # probability of a sample from which on it is an atom, which splitting would smooth away


class DrawnValues(NamedTuple):
    """A stratum: the number of draws, and its values ``y`` with their counts or probabilities ``p``."""

    draws: int
    p: Floats
    y: Floats

    @property
    def from_commonest(self) -> tuple[DrawnValues, float]:
        """Distinct values minus the commonest, which comes last, as 0; and the sum of draws that all have that one."""
        p, y = self.p / self.p.sum(), self.y
        if len(y) <= MAX_EXACT_VALUES:  # sorting more takes longer than their law
            order = np.argsort(y, kind="stable")
            new = np.concatenate([[True], np.diff(y[order]) > VALUE_ROUNDING * np.abs(y).max()])
            p, y = np.bincount(np.cumsum(new) - 1, p[order]).astype(np.float64), y[order][new]
        commonest = int(np.argmax(p))
        order, common = np.append(np.delete(np.arange(len(p)), commonest), commonest), float(y[commonest])
        return DrawnValues(self.draws, p[order], y[order] - common), self.draws * common

    @property
    def log_n_listed(self) -> float:
        """The log of a bound on the number of values that the draws add up to."""
        draws, p = self.draws, self.p[:-1]
        first, last = windows(draws * p, draws * p * (1 - p), np.ones_like(p), np.zeros_like(p, int), np.asarray(draws))
        ways = gammaln(draws + len(p) + 1) - gammaln(draws + 1) - gammaln(len(p) + 1)
        return min(float(ways), float(np.log(last - first + 1).sum()))

    def listed(self) -> tuple[Floats, Floats]:
        """The sums of all draws and their probabilities; the last value is 0."""
        left, total, mass = np.array([self.draws]), np.zeros(1), np.ones(1)
        for hit, miss, value in zip(self.p[:-1], np.cumsum(self.p[::-1])[-2::-1], self.y[:-1], strict=True):
            grown = []
            for still in np.unique(left).tolist():
                here, (count, pmf) = left == still, binomial(still, hit / (hit + miss), miss / (hit + miss))
                masses = np.multiply.outer(mass[here], pmf)
                kept = masses > NEGLIGIBLE_DRAW
                sums = np.add.outer(total[here], value * count)
                grown.append((np.broadcast_to(still - count, masses.shape)[kept], sums[kept], masses[kept]))
            left, total, mass = (np.concatenate(column) for column in zip(*grown, strict=True))
        return total, mass


def law_of_sum(strata: Sequence[DrawnValues]) -> Masses:
    """The law of the sum over the strata: listed, on a lattice that its values have, or on another one."""
    parts, origins = zip(*(part.from_commonest for part in strata), strict=True)
    rounding = VALUE_ROUNDING * max(float(np.abs(part.y).max()) for part in strata)
    whole = SumOfDraws(parts, sum(origins), rounding * sum(part.draws for part in parts))
    few = all(len(part.y) <= MAX_EXACT_VALUES for part in parts)
    if few and sum(part.log_n_listed for part in parts) <= np.log(MAX_LISTED):
        return whole.listed()
    low, high = whole.window
    values = np.concatenate([part.y for part in parts])
    if few and (step := common_step(values, rounding, (high - low) / LONGEST_LATTICE)):
        return whole.rounded(step, is_exact=True)
    moving = whole.total(part.p[part.y != 0].sum() for part in parts)  # mean number of draws off the commonest value
    step = min(np.sqrt(6 * SPLIT_VARIANCE * whole.variance / moving), (high - low) / MIN_PLACES)  # adds step^2 / 6 each
    step = float(max(step, (high - low) / MAX_PLACES))
    return whole.rounded(whole.finest_step) if whole.likeliest(step) > LIKELY else whole.split(step)


@dataclass(frozen=True, repr=False, eq=False)
class SumOfDraws:
    """``origin`` plus the sum of strata whose commonest value is 0; values within ``slack`` of each other are equal."""

    parts: Sequence[DrawnValues]
    origin: float
    slack: float

    def total(self, of_draw: Iterable[Floats | float]) -> float:
        return float(sum(part.draws * each for part, each in zip(self.parts, of_draw, strict=True)))

    @cached_property
    def means(self) -> list[float]:
        return [float(part.p @ part.y) for part in self.parts]

    @property
    def mean(self) -> float:
        return self.total(self.means)

    @cached_property
    def variance(self) -> float:
        return self.total(part.p @ (part.y - mean) ** 2 for part, mean in zip(self.parts, self.means, strict=True))

    @cached_property
    def window(self) -> tuple[float, float]:
        """An interval left with a probability of at most exp(-LOG_TAIL) on either side, by Bernstein's inequality."""
        ends = []
        for side in (-1, 1):
            most = [float((side * part.y).max()) for part in self.parts]
            linear = LOG_TAIL / 3 * max(end - side * mean for end, mean in zip(most, self.means, strict=True))
            reach = linear + float(np.sqrt(linear**2 + 2 * LOG_TAIL * self.variance))
            ends.append(side * min(side * self.mean + reach, self.total(most)))
        return ends[0], ends[1]

    def likeliest(self, step: float) -> float:
        """The probability of the likeliest sample, values within a step being equal, counts of rarer ones Poisson."""
        log = 0.0
        for part in self.parts:
            _, alike = np.unique(np.rint(part.y / step), return_inverse=True)
            counts = np.sort(np.bincount(alike, part.draws * part.p))[:-1]
            log += float(np.log(0.4 / np.sqrt(counts)).sum())  # 1 / sqrt(2 pi mean), a Poisson law at its mode
        return float(np.exp(log))

    def listed(self) -> Masses:
        values, masses = np.array([self.origin]), np.ones(1)
        for part in self.parts:
            sums, chances = part.listed()
            values, masses = np.add.outer(values, sums).ravel(), np.multiply.outer(masses, chances).ravel()
        order = np.argsort(values, kind="stable")
        values = values[order]
        last = np.concatenate([np.diff(values) > self.slack, [True]])
        return Masses(values[last], np.diff(np.cumsum(masses[order])[last], prepend=0.0), self.slack)

    @property
    def finest_step(self) -> float:
        """A step of which the value that moves the sum most is a multiple, so that its rounding does not add up."""
        finest = (self.window[1] - self.window[0]) / MAX_PLACES
        moves = [(part.draws * part.p[:-1], np.abs(part.y[:-1])) for part in self.parts]
        draws, sizes = (np.concatenate(each) for each in zip(*moves, strict=True))
        size = float(sizes[np.argmax(draws * sizes)])
        return max(size / max(size // finest, 1.0), finest)

    def rounded(self, step: float, *, is_exact: bool = False) -> Masses:
        places = [np.rint(part.y / step) for part in self.parts]
        law = self.on_lattice(step, places)
        if is_exact:
            return replace(law, slack=self.slack + 1e-9 * step)
        off = [part._replace(y=part.y - step * place) for part, place in zip(self.parts, places, strict=True)]
        error = replace(self, parts=off)
        shift, spread = error.mean, 4 * float(np.sqrt(error.variance))
        # With few draws off the commonest value the atom of none keeps its place; with many the mean error is removed.
        shift = shift if abs(shift) > spread else 0.0
        return replace(law, values=law.values + shift, slack=2 * spread, is_exact=False)

    def split(self, step: float) -> Masses:
        """The law of values split between two places, on a scale that removes the variance that this adds."""
        places = [np.floor(part.y / step) for part in self.parts]
        over = [part.y / step - place for part, place in zip(self.parts, places, strict=True)]
        added = step**2 * self.total(part.p @ (up * (1 - up)) for part, up in zip(self.parts, over, strict=True))
        law, center = self.on_lattice(step, places, over), self.origin + self.mean
        scale = np.sqrt(self.variance / (self.variance + added))
        return replace(law, values=center + scale * (law.values - center), is_exact=False)

    def on_lattice(self, step: float, places: Sequence[Floats], over: Sequence[Floats] | None = None) -> Masses:
        """The law of values at these multiples of a step, the share ``over`` of their probability at the next."""
        first, last = int(np.floor(self.window[0] / step)), int(np.ceil(self.window[1] / step))
        size = next_fast_len(last - first + 1, real=True)
        spectrum = np.ones(size // 2 + 1, dtype=np.complex128)
        for i, part in enumerate(self.parts):
            place, up = np.mod(places[i], size).astype(np.int64), 0.0 if over is None else over[i]
            once = np.bincount(place, part.p * (1 - up), size)
            if over is not None:
                once += np.bincount((place + 1) % size, part.p * up, size)
            cf = rfft(once)
            # Negligible at most frequencies, which are left out: powers are slow.
            matters = cf.real**2 + cf.imag**2 > np.exp(-2 * LOG_TAIL / part.draws)
            spectrum[matters] *= cf[matters] ** part.draws
            spectrum[~matters] = 0.0
        pmf = np.roll(irfft(spectrum, size), -first)[: last - first + 1]
        # Probabilities near 0 may be negative after the transform.
        return Masses(self.origin + step * np.arange(first, last + 1.0), np.maximum(pmf, 0.0), 0.0)


def common_step(y: Floats, rounding: float, least: float) -> float:
    """The largest step of which all values are multiples, by Euclid's algorithm; 0 if it would be below ``least``."""
    sizes = np.unique(np.abs(y[y != 0]))
    step = float(sizes[-1])
    for size in sizes.tolist():
        large, small = size, step
        while small > max(1e-9 * float(sizes[-1]), 8 * rounding):
            large, small = small, abs(large - small * round(large / small))
        step = large
        if step < least:
            return 0.0
    multiples = np.rint(y / step)
    step = float(multiples @ y / (multiples @ multiples))
    return step if np.abs(y - multiples * step).max() <= rounding else 0.0
