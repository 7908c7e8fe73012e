"""The law of a sum of any real values over draws: ``X = sum_j y_j N_j``, N multinomial, or of several such sums.

Three routes, the first that is affordable: the atoms one by one, as ALL_ATOMS of them can be held (tens to hundreds of
draws); the lattice that commensurate values share, up to LONGEST_LATTICE places; or a grid. The first two are exact.

Lattice and grid are one algorithm: the masses of one draw, as far as they lie on whole steps, have a discrete Fourier
transform, its n-th power is that of the sum, and what it comes back as is cut to the window that Bernstein's inequality
gives. **On a grid** a value between the steps, by f of a step from the nearest (|f| <= 1/2), is put on three of them,

    (f^2 - f) / 2,    1 - f^2,    (f^2 + f) / 2,

which keeps its mean and its square: so the mean and the variance of the sum are exact, and its third moment but for
(step / deviation of a draw)^3 / root of draws. As one weight is negative an atom comes back as a few steps with
alternating masses, about draws^(1/4) of them; values that close count as one. The cdf is that of the law within
.001 at a place that is at most .001 standard errors away, .002 with a million draws, and quantiles are as near.

Where some values are as large as others are small (costs of 559125 and 1) sums lie in clusters about the multiples of
the largest, narrower than any step. Then the grid has two dimensions, multiples and rests: without it the cdf at 0 of
a difference of such costs, drawn 40 times, is .5 for .25. Within a cluster the cdf is right to .005.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft2, next_fast_len, rfft2

from skcostci._validation import Floats, Integers
from skcostci.laws._lattice import LOG_TAIL, bernstein, binomial, target_of

VALUE_ROUNDING = 2e-15  # values this close, relative to the largest, differ by rounding only
NEGLIGIBLE_DRAW = 1e-18  # less likely draws are left out of lists; doubled: below rounding still
# Atoms are listed if surely no more than ALL_ATOMS, or if found to be fewer than SOME_ATOMS on the way; doubled: both
# the memory and the time of the largest list.
ALL_ATOMS, SOME_ATOMS = 2**18, 2**16
LONGEST_LATTICE = 2**20  # places of an exact law; doubled: twice the time
MAX_GRID = 2**19  # points, 5e-5 standard errors apart where no value is much larger than others; doubled: half of that
CLUSTERED = 8  # times shorter: then clusters have rows of their own; doubled: for less than two scales one row serves
MAX_ROWS = 2**10  # of more clusters none has a probability above .007; doubled: rows too short for what is in them
NEGLIGIBLE_CELLS = 1e-5  # draws of all rarer cells together: left out of a grid, which they would make coarse
SUM_ROUNDING = 1e-17  # masses below are what the transform leaves where there are none
MAX_EXACT_VALUES = 4096  # distinct ones with an exact law, as a means' is asked for; doubled: four times the time
MAX_STEPS = 2**16  # that a deviation of a draw, by as many as the root of draws, has on a lattice
LIKELY = 1e-3  # the sum has an atom as probable as the likeliest sample: a grid would smooth it away


class Drawn(NamedTuple):
    """So many draws from values that were seen, each so often."""

    draws: int
    counts: Floats
    values: Floats


@dataclass(frozen=True)
class Atoms:
    """Values, ascending, and P(<= each of them); a value within ``slack`` of x counts as x."""

    values: Floats
    cumulative: Floats
    slack: float
    is_exact: bool = True

    @classmethod
    def from_masses(cls, values: Floats, masses: Floats, slack: float) -> Atoms:
        """From values in any order; those that differ by rounding are one atom."""
        order = np.argsort(values, kind="stable")
        ordered, cumulative = values[order], np.minimum(np.cumsum(masses[order]), 1.0)
        last = np.concatenate([np.diff(ordered) > slack, [True]])
        return cls(ordered[last], cumulative[last], slack)

    def cdf(self, x: Floats | float, *, strict: bool = False) -> Floats:
        """P(<= x), or P(< x)."""
        x = np.asarray(x)
        if strict:
            reached = np.searchsorted(self.values, x - self.slack, "left")
        else:
            reached = np.searchsorted(self.values, x + self.slack, "right")
        return np.where(reached > 0, self.cumulative[reached - 1], 0.0)

    def weighted_up_to(self, x: float, tilt: float, center: float) -> float:
        """The mass up to x, a value a weighing ``exp(-tilt * (a - center))``."""
        reached = int(np.searchsorted(self.values, x + self.slack, "right"))
        masses = np.diff(self.cumulative[:reached], prepend=0.0)
        return float(masses @ np.exp(-tilt * (self.values[:reached] - center)))

    def quantile(self, q: Floats | float) -> Floats:
        """The smallest value whose cdf reaches q."""
        reached = np.searchsorted(self.cumulative, target_of(np.asarray(q)))
        return np.asarray(self.values[np.minimum(reached, len(self.values) - 1)])


def law_of_sum(draws: int, probabilities: Floats, values: Floats) -> Atoms:
    """The law of ``sum_j values[j] * N_j`` for a multinomial N; the commonest cell is where the counting starts."""
    rounding = VALUE_ROUNDING * float(np.abs(values).max())
    p, y = _distinct(probabilities, values, rounding)
    order = np.argsort(p, kind="stable")
    origin = draws * float(y[order[-1]])
    p, y = p[order], y[order] - y[order[-1]]
    surely_few = comb(draws + len(p) - 1, draws) <= ALL_ATOMS
    if (listed := _list_draws(draws, p[:-1], y[:-1], ALL_ATOMS if surely_few else SOME_ATOMS)) is not None:
        return Atoms.from_masses(origin + listed[0], listed[1], rounding * draws)
    part = Part(draws, p, y)
    step, multiples = common_step(y, rounding)
    if step and np.subtract(*_window([part], [y])[::-1]) / step < LONGEST_LATTICE:
        (first, last), whole = _window([part], [multiples.astype(np.float64)]), [(0 * multiples, multiples)]
        masses = _inverted([part], whole, (0, 0), (int(np.floor(first)), int(np.ceil(last))))[0]
        support = np.asarray(origin + (np.arange(len(masses)) + int(np.floor(first))) * step)
        return Atoms.from_masses(support, masses, rounding * draws + 1e-9 * step)
    often = draws * np.cumsum(p) > NEGLIGIBLE_CELLS
    return _on_grid([Part(draws, p[often] / p[often].sum(), y[often])], origin)


def smooth_law(drawn: Sequence[Drawn]) -> Atoms:
    """The law of the sum of all that is drawn, on a grid."""
    parts, origin = [], 0.0
    for draws, counts, values in drawn:
        p = counts / counts.sum()
        mean = float(p @ values)
        parts.append(Part(draws, p, values - mean))
        origin += draws * mean
    return _on_grid(parts, origin)


def is_smooth(part: Drawn) -> bool:
    """Whether a grid serves."""
    # all values but the commonest are drawn nearly by a Poisson law: about the probability of the likeliest sample
    likeliest = float(np.prod(0.4 / np.sqrt(np.sort(part.counts)[:-1])))
    return not has_atoms(part) and likeliest <= LIKELY


def has_atoms(part: Drawn) -> bool:
    """Whether the values that draws add up to are few enough for a list, or have a common step."""
    draws, _, values = part
    if comb(draws + len(values) - 1, draws) <= ALL_ATOMS:
        return True
    values = values - values[0]
    largest = float(np.abs(values).max())
    if len(values) > MAX_EXACT_VALUES or not largest:
        return False
    step, _ = common_step(values, VALUE_ROUNDING * largest)
    return bool(step) and np.sqrt(draws) * largest < MAX_STEPS * step


class Part(NamedTuple):
    """So many draws from values of these probabilities."""

    draws: int
    p: Floats
    y: Floats


def _on_grid(parts: Sequence[Part], origin: float) -> Atoms:
    """In one row or, where these are far shorter together, in one for each multiple of the largest value."""
    unit = max(float(np.abs(part.y).max()) for part in parts)
    units = [np.rint(part.y / unit) for part in parts]
    rests = [part.y - unit * multiple for part, multiple in zip(parts, units, strict=True)]
    (low, high), within = _window(parts, units), _window(parts, rests)
    rows = int(np.floor(low)), int(np.ceil(high))
    whole = _window(parts, [part.y for part in parts])
    n_rows = rows[1] - rows[0] + 1
    if n_rows > MAX_ROWS or CLUSTERED * n_rows * (within[1] - within[0]) > whole[1] - whole[0]:
        units, rests, rows, within = [0 * each for each in units], [part.y for part in parts], (0, 0), whole
    step = (within[1] - within[0]) * (rows[1] - rows[0] + 1) / MAX_GRID
    columns = int(np.floor(within[0] / step)), int(np.ceil(within[1] / step))
    places = [(multiple.astype(np.int64), rest / step) for multiple, rest in zip(units, rests, strict=True)]
    masses = _inverted(parts, places, rows, columns)
    values = np.add.outer(unit * np.arange(rows[0], rows[1] + 1), step * np.arange(columns[0], columns[1] + 1))
    order = np.argsort(values.ravel(), kind="stable")
    cumulative = np.minimum(np.maximum.accumulate(np.cumsum(masses.ravel()[order])), 1.0)
    slack = step * (1 + sum(part.draws for part in parts) ** 0.25)
    return Atoms(origin + values.ravel()[order], cumulative, slack, is_exact=False)


def _window(parts: Sequence[Part], values: Sequence[Floats]) -> tuple[float, float]:
    """Where the sum of draws from these values lies, by Bernstein's inequality and at most between its ends."""
    means = [float(part.p @ y) for part, y in zip(parts, values, strict=True)]
    terms = list(zip(parts, values, means, strict=True))
    center = sum(part.draws * mean for part, _, mean in terms)
    variance = sum(part.draws * float(part.p @ (y - mean) ** 2) for part, y, mean in terms)
    half = float(bernstein(np.asarray(variance), max(float(np.abs(y - mean).max()) for _, y, mean in terms)))
    least, most = (sum(part.draws * float(end(y)) for part, y, _ in terms) for end in (np.min, np.max))
    return max(least, center - half), min(most, center + half)


def _inverted(
    parts: Sequence[Part],
    places: Sequence[tuple[Integers, Floats | Integers]],
    rows: tuple[int, int],
    columns: tuple[int, int],
) -> Floats:
    """The masses of the sum on a window, both ends included; places are a whole row and a column, whole or between."""
    window = rows[1] - rows[0] + 1, columns[1] - columns[0] + 1
    shape = next_fast_len(window[0]), next_fast_len(window[1], real=True)
    spectrum: NDArray[np.complex128] = np.ones((shape[0], shape[1] // 2 + 1), dtype=np.complex128)
    for (draws, p, _), (row, column) in zip(parts, places, strict=True):
        nearest = np.rint(column)
        off, first = column - nearest, (row % shape[0]) * shape[1]
        masses = np.zeros(shape[0] * shape[1])
        for move, share in ((-1, (off**2 - off) / 2), (0, 1 - off**2), (1, (off**2 + off) / 2)):
            masses += np.bincount(first + (nearest.astype(np.int64) + move) % shape[1], p * share, len(masses))
        spectrum *= _power(rfft2(masses.reshape(shape)), draws)
    found = np.roll(irfft2(spectrum, shape), (-rows[0], -columns[0]), axis=(0, 1))[: window[0], : window[1]]
    return np.asarray(np.where(np.abs(found) > SUM_ROUNDING, found, 0.0))


def _power(cf: NDArray[np.complex128], draws: int) -> NDArray[np.complex128]:
    """The characteristic function of so many draws, 0 where it is negligible: most of them are, and powers are slow."""
    matters = cf.real**2 + cf.imag**2 > np.exp(-2 * LOG_TAIL / draws)
    found = np.zeros_like(cf)
    found[matters] = cf[matters] ** draws
    return found


def _distinct(probabilities: Floats, values: Floats, rounding: float) -> tuple[Floats, Floats]:
    """Cells of the same value become one."""
    order = np.argsort(values, kind="stable")
    new = np.concatenate([[True], np.diff(values[order]) > rounding])
    return np.bincount(np.cumsum(new) - 1, probabilities[order]).astype(np.float64), values[order][new]


def common_step(y: Floats, rounding: float) -> tuple[float, Integers]:
    """The largest step of which all values are whole multiples, by Euclid's algorithm, and the multiples; 0 if none."""
    sizes = np.unique(np.abs(y[y != 0]))
    step = float(sizes[-1])
    for size in sizes.tolist():
        large, small = size, step
        while small > max(1e-9 * float(sizes[-1]), 8 * rounding):
            large, small = small, abs(large - small * round(large / small))
        step = large
    multiples = np.rint(y / step)
    step = float(multiples @ y / (multiples @ multiples))
    exact = np.abs(y - multiples * step).max() <= rounding
    return (step if exact else 0.0), multiples.astype(np.int64)


def _list_draws(draws: int, probabilities: Floats, values: Floats, limit: int) -> tuple[Floats, Floats] | None:
    """What a multinomial can draw from all of its cells but one worth nothing: sums of values, and probabilities.

    None if there is more of it than ``limit``.
    """
    left, total, mass = np.array([draws]), np.zeros(1), np.ones(1)
    for hit, miss, value in zip(probabilities, 1.0 - np.cumsum(probabilities), values, strict=True):
        grown, size = [], 0
        for still in np.unique(left).tolist():
            here = left == still
            law = binomial(still, hit / (hit + miss), miss / (hit + miss))
            size += int(here.sum()) * len(law)
            if size > 8 * limit:
                return None
            masses = np.multiply.outer(mass[here], law.pmf)
            kept = masses > NEGLIGIBLE_DRAW
            sums = np.add.outer(total[here], value * law.support)
            grown.append((np.broadcast_to(still - law.support, masses.shape)[kept], sums[kept], masses[kept]))
        left, total, mass = (np.concatenate(column) for column in zip(*grown, strict=True))
        if len(left) > limit:
            return None
    return total, mass
