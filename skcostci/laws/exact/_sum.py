"""The law of a sum of any real values over the draws of one multinomial: ``X = sum_j y_j N_j``.

The first affordable of three methods is used: a list of all atoms, up to ALL_ATOMS (tens to hundreds of draws); the
lattice that commensurate values share, up to LONGEST_LATTICE places; or Fourier inversion, for which values closer than
RESOLUTION standard errors count as equal. The first two are exact. With F the true cdf, the last gives
F(x) <= cdf(x) <= F(x + RESOLUTION standard errors) and quantiles to half of that, up to 1e-7 in probability; where the
law is smooth at that scale, the true cdf to about 1e-8. Cells that move the sum by many standard errors of the others
are listed, and the others tabulated given the draws of these cells: one rare case of cost 559125 does not coarsen the
resolution of the rest.

**Means of many values**, each seen once or a few times, are smooth. Their values are split between the two nearest
points of a grid, which keeps the mean; the law of the sum is a power of a characteristic function, and a scale removes
the variance that the grid added (:class:`Grid`). The cdf is off from the exact one by less than .001, or its argument
by less than .02 standard errors. A sum is not smooth (:func:`is_smooth`) where its values can be listed or have a
common step, or where one sample (how often each value is drawn) has a probability above ``LIKELY``; there values within
one step of the grid count as equal, such as many small ones beside a few large ones, where the cdf jumps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import comb

from skcostci._arrays import Booleans, Floats, Integers
from skcostci._frozen import cached_property
from skcostci.laws.exact._fourier import CdfTables, Clusters, TabulatedCdf, frequencies, lattice_pmf, tabulated, window
from skcostci.laws.exact._lattice import LOG_TAIL, Complexes, binomial, target_of

RESOLUTION = 1e-4  # standard errors; doubled: half the frequencies, limits off by 1e-4 half widths
VALUE_ROUNDING = 2e-15  # values this close, relative to the largest, differ by rounding only
NEGLIGIBLE_DRAW = 1e-18  # less likely draws are left out of lists; doubled: below rounding still
# Atoms are listed if surely no more than ALL_ATOMS, or if found to be fewer than SOME_ATOMS on the way; doubled: both
# the memory and the time of the largest list.
ALL_ATOMS, SOME_ATOMS = 2**18, 2**16
MAX_CONFIGURATIONS = 2**12  # listed draws of one cell, an eighth of that for several; doubled: twice the time
MAX_LISTED_CELLS = 6  # whose draws are listed separately from the others; doubled: MAX_CONFIGURATIONS decides
LONGEST_LATTICE = 2**20  # places of an exact law; doubled: twice the time
SMOOTH_SLACKS = 32.0  # clusters wider than so many slacks are resolved by one table and need none of their own
BLOCK_VALUES = 2**18  # values minus configurations that are held at a time; doubled: twice the memory
MAX_FREQUENCIES = 2**18  # where fewer are enough, up to so many are used for a finer resolution
TAIL_NODES = 2048  # of an average over an exponential, to 1 % of a small tail; doubled: to half that
MAX_EXACT_VALUES = 4096  # distinct values with an exact law, which takes half a second; time grows with the square
GRID_VARIANCE = 1e-4  # relative variance that splitting values between points of the grid may add
MAX_GRID = 2**18  # points, 1e-4 standard errors apart; from about 1e5 cases on the grid is coarser instead
MAX_STEPS = 2**16  # lattice steps of the largest value times the root of draws, up to which a sum has atoms
LIKELY = 1e-3  # probability of a sample from which on it is an atom that a grid would smooth away

Listed = tuple[Integers, Floats, Floats]  # draws left to the others, sums and probabilities


def law_of_sum(draws: int, probabilities: Floats, values: Floats) -> Atoms | Mixture:
    """The law of ``sum_j values[j] * N_j`` for a multinomial N; values are counted from that of the commonest cell."""
    rounding = VALUE_ROUNDING * float(np.abs(values).max())
    p, y = _distinct(probabilities, values, rounding)
    order = np.argsort(p, kind="stable")
    origin = draws * float(y[order[-1]])
    p, y = p[order], y[order] - y[order[-1]]
    surely_few = comb(draws + len(p) - 1, draws) <= ALL_ATOMS
    if (listed := list_draws(draws, p[:-1], y[:-1], ALL_ATOMS if surely_few else SOME_ATOMS)) is not None:
        _, sums, masses = listed
        return Atoms.from_masses(origin + sums, masses, rounding * draws)
    step, weights = common_step(y, rounding)
    low, high = window(draws, p, y)
    if step and (high - low) / step < LONGEST_LATTICE:
        first, last = int(np.floor(low / step)), int(np.ceil(high / step))
        support, slack = np.asarray(origin + np.arange(first, last + 1) * step), rounding * draws + 1e-9 * step
        return Atoms.from_masses(support, lattice_pmf(draws, p, weights, first, last), slack)
    return _listed_or_tabulated(draws, p, y, origin, step)


@dataclass(frozen=True, repr=False, eq=False)
class Atoms:
    """Values, ascending, and P(<= each of them); a value within ``slack`` of x counts as x."""

    values: Floats
    cumulative: Floats
    slack: float

    @classmethod
    def from_masses(cls, values: Floats, masses: Floats, slack: float) -> Atoms:
        """From values in any order; those that differ by rounding are one atom."""
        order = np.argsort(values, kind="stable")
        ordered, cumulative = values[order], np.minimum(np.cumsum(masses[order]), 1.0)
        last = np.concatenate([np.diff(ordered) > slack, [True]])
        return cls(ordered[last], cumulative[last], slack)

    def cdf(self, x: Floats | float, *, strict: bool = False) -> Floats:
        x = np.asarray(x)
        if strict:
            reached = np.searchsorted(self.values, x - self.slack, "left")
        else:
            reached = np.searchsorted(self.values, x + self.slack, "right")
        # Index -1 would be the last value.
        return np.where(reached > 0, self.cumulative[reached - 1], 0.0)

    def weighted_up_to(self, x: float, tilt: float, center: float) -> float:
        """The mass up to x, with weight ``exp(-tilt * (a - center))`` for a value a."""
        reached = int(np.searchsorted(self.values, x + self.slack, "right"))
        masses = np.diff(self.cumulative[:reached], prepend=0.0)
        return float(masses @ np.exp(-tilt * (self.values[:reached] - center)))

    def quantile(self, q: Floats | float) -> Floats:
        reached = np.searchsorted(self.cumulative, target_of(np.asarray(q)))
        return np.asarray(self.values[np.minimum(reached, len(self.values) - 1)])


@dataclass(frozen=True, repr=False, eq=False)
class Remainder:
    """The cells that are not listed, for any number of draws left to them; their tables are made when needed."""

    p: Floats
    y: Floats
    low: float
    high: float
    slack: float

    @classmethod
    def of(cls, p: Floats, y: Floats, left: Integers, slack: float) -> Remainder:
        """The remainder, with a window that holds the sum for any number of draws in ``left``."""
        windows = [window(draws, p, y) for draws in (int(left.min()), int(left.max()))]
        low, high = min(low for low, _ in windows), max(high for _, high in windows)
        pad = (high - low) / 8 + 4 * slack
        return cls(p, y, low - pad, high + pad, slack)

    @cached_property
    def _tables(self) -> dict[int, TabulatedCdf]:
        return {}

    def table(self, draws: int) -> TabulatedCdf:
        if draws not in self._tables:
            self._tables[draws] = tabulated(draws, self.p, self.y, self.slack)
        return self._tables[draws]


@dataclass(frozen=True, repr=False, eq=False)
class Mixture:
    """Sums of the draws of some cells, with probabilities and numbers of draws left, plus the sum of the other cells.

    Or clusters that sums lie in, ``left`` being the numbers of the clusters. ``step`` is the lattice of the values
    where it is finer than any table, 0 if there is none.
    """

    origin: float
    step: float
    left: Integers
    sums: Floats
    weights: Floats
    rest: Remainder | CdfTables

    def cdf(self, x: float, *, strict: bool = False) -> float:
        return float(self.cdfs(np.array([x]), strict=strict)[0])

    def cdfs(self, x: Floats, *, strict: bool = False) -> Floats:
        parts = np.array_split(x, 1 + len(x) * len(self.sums) // BLOCK_VALUES)
        return np.concatenate([self._mass(self._snapped(some, strict), -1.0 if strict else 1.0) for some in parts])

    def quantile(self, q: float) -> float:
        """The smallest value whose cdf reaches q, by bisection."""
        below, above = float(self.sums.min()) + self.rest.low, float(self.sums.max()) + self.rest.high
        for _ in range(64):
            middle = (below + above) / 2
            reached = self._mass(np.array([middle]), 0.0)[0] >= target_of(np.asarray(q))
            below, above = (below, middle) if reached else (middle, above)
        smooth = self.step and not self._slack_around(np.array([above]))[0]
        return self.origin + (self.step * float(np.ceil(above / self.step - 0.5 - 1e-9)) if smooth else above)

    def _snapped(self, x: Floats, strict: bool) -> Floats:
        """Values x relative to the origin and, on a lattice without slack, halfway to the next value."""
        x = x - self.origin
        if not self.step:
            return x
        steps, slack = x / self.step, 1e-9 + VALUE_ROUNDING * abs(self.origin) / self.step
        halfway = self.step * (np.ceil(steps - slack) - 0.5 if strict else np.floor(steps + slack) + 0.5)
        # Halfway between two steps rounding cannot decide on which side of an atom x is.
        return np.where(np.isfinite(x) & ~self._slack_around(x), halfway, x)

    def _slack_around(self, x: Floats) -> Booleans:
        undecided = self._undecided(x[:, None] - self.sums)
        smeared = np.zeros(len(self.left), dtype=bool)
        for here, table in self._tables(undecided):
            smeared[here] = table.slack > 0
        return np.asarray((undecided & smeared).any(axis=1))

    def _undecided(self, beyond: Floats) -> Booleans:
        """Where the remaining cells decide whether the whole sum is at most a value ``beyond`` the listed sums."""
        return np.asarray((beyond > self.rest.low) & (beyond < self.rest.high))

    def _tables(self, undecided: Booleans) -> Iterator[tuple[Integers, TabulatedCdf]]:
        """The tables that are needed, each with the indices of the sums that need it."""
        needed = np.flatnonzero(undecided.any(axis=0))
        for draws in np.unique(self.left[needed]).tolist():
            yield needed[self.left[needed] == draws], self.rest.table(draws)

    def _mass(self, x: Floats, side: float) -> Floats:
        """The mass up to each x, taken at one side of it, as x may be an atom."""
        beyond = x[:, None] - self.sums
        undecided = self._undecided(beyond)
        mass = (beyond >= self.rest.high) @ self.weights
        for here, table in self._tables(undecided):
            shares = np.where(undecided[:, here], table.at(beyond[:, here] + side * table.slack), 0.0)
            mass += shares @ self.weights[here]
        return np.asarray(np.minimum(mass, 1.0))


@dataclass(frozen=True, repr=False, eq=False)
class ManyValued:
    law: Atoms | Mixture
    center: float

    def cdf(self, x: float, *, strict: bool = False) -> float:
        return float(self.law.cdf(x, strict=strict))

    def quantile(self, q: float) -> float:
        return float(self.law.quantile(q))

    def total(self, x: float, tilt: float) -> float:
        """The mass up to x, weighted by ``exp(-tilt * (a - center))``, tilt < 0; of tables by parts."""
        if isinstance(self.law, Atoms):
            return self.law.weighted_up_to(x, tilt, self.center)
        survival = (np.arange(TAIL_NODES) + 0.5) / TAIL_NODES
        before = self.law.cdfs(x - np.log(survival) / tilt)
        return float(np.exp(-tilt * (x - self.center)) * (self.law.cdf(x) - np.mean(before)))


def _distinct(probabilities: Floats, values: Floats, rounding: float) -> tuple[Floats, Floats]:
    """Probabilities and values with cells of the same value merged."""
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


def _listed_or_tabulated(draws: int, p: Floats, y: Floats, origin: float, step: float) -> Mixture:
    """The table of all cells or, if less work, a list of the most expensive cells, and tables of the others."""
    (chosen, (left, sums, weights)), work = _cells_to_list(draws, p, y)
    slack, clusters = RESOLUTION / 2 * _standard_error(draws, p, y), Clusters.of(draws, p, y, float(np.abs(y).max()))
    within = _standard_error(draws, p, clusters.rests)
    if clusters.work < work / 2 and within < SMOOTH_SLACKS * slack:
        slack = _finer(slack, clusters.work, within)
        places, chances, rest = clusters.tabulated(slack)
        return Mixture(origin, step, np.arange(len(places)), places, chances, rest)
    others = _without(chosen, p, y)
    if len(chosen):
        slack = _finer(slack, work, _standard_error(draws, *others))
    return Mixture(origin, step, left, sums, weights, Remainder.of(*others, left, slack))


def _cells_to_list(draws: int, p: Floats, y: Floats) -> tuple[tuple[Integers, Listed], float]:
    """Which cells to list and the list of their draws, and the total length of the tables that are needed."""
    best = np.zeros(0, dtype=np.int64), (np.array([draws]), np.zeros(1), np.ones(1))
    work = float(np.subtract(*window(draws, p, y)[::-1]))
    expensive = np.argsort(-np.abs(y[:-1]), kind="stable")[: min(MAX_LISTED_CELLS, len(p) - 2)]
    for size in range(1, len(expensive) + 1):
        chosen = expensive[:size]
        listed = list_draws(draws, p[chosen], y[chosen], MAX_CONFIGURATIONS if size == 1 else MAX_CONFIGURATIONS // 8)
        if listed is None:
            break
        low, high = window(draws, *_without(chosen, p, y))
        tables = len(np.unique(listed[0]))
        overlapping = min(tables, 2 + (high - low) / float(np.abs(y[chosen[0]]))) if size == 1 else tables
        if overlapping * (high - low) < work / 2:
            best, work = (chosen, listed), overlapping * (high - low)
    return best, work


def _finer(slack: float, length: float, standard_error: float) -> float:
    """The slack that MAX_FREQUENCIES afford in windows of a length, no finer than the law needs."""
    affordable = slack * frequencies(length, slack) / MAX_FREQUENCIES
    return min(slack, max(affordable, RESOLUTION / 2 * standard_error, 1e-6 * slack))


def _without(chosen: Integers, p: Floats, y: Floats) -> tuple[Floats, Floats]:
    others = np.delete(p, chosen)
    return others / others.sum(), np.delete(y, chosen)


def _standard_error(draws: int, p: Floats, y: Floats) -> float:
    return float(np.sqrt(draws * (p @ (y - p @ y) ** 2)))


def list_draws(draws: int, probabilities: Floats, values: Floats, limit: int) -> tuple[Integers, Floats, Floats] | None:
    """All draws from these cells (draws left, sum, probability); None if there are more than ``limit``."""
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
    return left, total, mass


class DrawnValues(NamedTuple):
    draws: int
    counts: Floats
    values: Floats

    @property
    def mean(self) -> float:
        return self.draws * float(self.counts @ self.values / self.counts.sum())

    @property
    def centered(self) -> tuple[int, Floats, Floats]:
        return self.draws, self.counts / self.counts.sum(), self.values - self.mean / self.draws


def is_smooth(part: DrawnValues) -> bool:
    """Whether a grid is accurate: no atom matters, not even that of the likeliest sample."""
    if has_atoms(part):
        return False
    # Values within one step of the grid together make nearly an atom, which the grid would smooth away.
    _, p, y = part.centered
    step = _splitting_step(part.draws, part.draws * float(p @ y**2))
    _, alike = np.unique(np.rint(y / step), return_inverse=True)
    # The likeliest sample's probability, the draws of all values but the commonest being nearly Poisson distributed.
    likeliest = np.prod(0.4 / np.sqrt(np.sort(np.bincount(alike, part.counts))[:-1]))
    return bool(likeliest <= LIKELY)


def _splitting_step(draws: int, variance: float) -> float:
    """The step of a grid: a value is split between two points, which adds step^2 / 6 to its variance on average."""
    return float(np.sqrt(6 * GRID_VARIANCE * variance / draws))


def has_atoms(part: DrawnValues) -> bool:
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


@dataclass(frozen=True, repr=False, eq=False)
class Grid:
    """A cdf at ascending places, linear between them."""

    places: Floats
    cumulative: Floats

    @classmethod
    def of(cls, drawn: Sequence[DrawnValues]) -> Grid:
        parts = [part.centered for part in drawn]
        variance = sum(draws * float(p @ y**2) for draws, p, y in parts)
        reach = LOG_TAIL / 3 * max(float(np.abs(y).max()) for _, p, y in parts)
        half = reach + np.sqrt(reach**2 + 2 * LOG_TAIL * variance)  # Bernstein's inequality
        step = max(_splitting_step(sum(part.draws for part in drawn), variance), 2 * half / MAX_GRID)
        size = next_fast_len(int(2 * half / step) + 2, real=True)
        spectrum, added = np.ones(size // 2 + 1, dtype=np.complex128), 0.0
        for draws, p, y in parts:
            left = np.floor(y / step)
            over = y / step - left
            masses = np.bincount(left.astype(np.int64) % size, p * (1 - over), size)
            masses += np.bincount((left.astype(np.int64) + 1) % size, p * over, size)
            spectrum *= _power(rfft(masses), draws)
            added += draws * step**2 * float(p @ (over * (1 - over)))
        pmf = np.roll(irfft(spectrum, size), size // 2)
        cumulative = np.minimum(np.maximum.accumulate(np.cumsum(np.maximum(pmf, 0.0))), 1.0)
        scale = np.sqrt(variance / (variance + added))
        edges = scale * step * (np.arange(size + 1) - size // 2 - 0.5)
        mean = sum(part.mean for part in drawn)
        return cls(mean + edges, np.concatenate([[0.0], cumulative]))

    def cdf(self, x: Floats) -> Floats:
        return np.asarray(np.interp(x, self.places, self.cumulative, left=0.0, right=1.0))

    def quantile(self, q: Floats) -> Floats:
        # The last sum of masses may be less than 1 by rounding.
        target = np.minimum(target_of(q), self.cumulative[-1])
        after = np.clip(np.searchsorted(self.cumulative, target), 1, len(self.places) - 1)
        low, high = self.cumulative[after - 1], self.cumulative[after]
        share = np.where(high > low, (target - low) / np.where(high > low, high - low, 1.0), 1.0)
        return np.asarray(self.places[after - 1] + share * (self.places[after] - self.places[after - 1]))


def _power(cf: Complexes, draws: int) -> Complexes:
    """A characteristic function to the power of draws, 0 where negligible: that is at most places, powers are slow."""
    matters = cf.real**2 + cf.imag**2 > np.exp(-2 * LOG_TAIL / draws)
    found = np.zeros_like(cf)
    found[matters] = cf[matters] ** draws
    return found
