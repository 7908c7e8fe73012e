"""The law of a rate, or of a difference of two rates, whose cells are themselves uncertain: a finite mixture.

Given the thresholds of a resample, component c of the mixture, a draw adds 1 with probability p_up (a hit of model a
alone), -1 with probability p_down (a hit of model b alone), else 0. The sum of n draws has the characteristic function

    sum_c w_c (1 + p_up (e^it - 1) + p_down (e^-it - 1))^n,    w_c the probability of the component,

and its law is the inverse: exact (:func:`whole_masses`).

Mean and variance are E[E[X | c]] and Var E[X | c] + E Var[X | c], equation (6) of the 2009 paper; they are not computed
from the laws, and are exact where the components are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len
from scipy.sparse import coo_array
from scipy.special import ndtr

from skcostci._arrays import Booleans, Floats
from skcostci._frozen import cached_property
from skcostci.laws._side_by_side import at_points
from skcostci.laws.exact._lattice import LOG_TAIL, Masses, window

BLOCK_COMPONENTS = 1024  # whose characteristic functions are held at once; doubled: twice the memory, no less time
ATOM_ROUNDING = 1e-16  # smaller probabilities are rounding of the Fourier transform
PAIR_ROUNDING = 1e-16  # smaller probabilities of a pair of pieces are rounding
NORMAL_GRID = np.linspace(-8.5, 8.5, 1025)  # of a Gaussian, in its standard deviations


@dataclass(frozen=True, repr=False, eq=False)
class RateLaw(ABC):
    """The moments of a rate among ``cases`` cases, or of a difference of two, at each of n_points points.

    ``known`` marks the points where the rate is known: no case reaches an infinite threshold. Smoothing spreads
    ``pseudo_cases`` evenly over hit and miss (one model) or over both / only a / only b / neither (a pair), and draws
    as many more.
    """

    cases: int
    known: Booleans
    pseudo_cases: float = 0.0
    paired: ClassVar[bool] = False  # whether it is a difference
    agresti: ClassVar[float] = 4.0  # the pseudo-cases of an Agresti interval: 2 per cell for one model, 1/2 for a pair

    @property
    @abstractmethod
    def is_exact(self) -> bool:
        """Whether moments and cdf are exact at all points."""

    @property
    @abstractmethod
    def _moments(self) -> tuple[Floats, Floats, Floats]:
        """Mean of the sum, variance of its mean given the thresholds, and mean of a draw's variance given these."""

    @property
    def draws(self) -> float:
        return self.cases + self.pseudo_cases

    @property
    def support(self) -> tuple[Floats, Floats]:
        # The range is 0 alone where the value is known whatever the population.
        most = np.where(self.known, 0.0, 1.0)
        return -most if self.paired else 0 * most, most

    @property
    def mean(self) -> Floats:
        """The mean of equation (6), smoothed as in Algorithm 4 if there are pseudo-cases."""
        return np.asarray(self._moments[0] / self.draws)

    @property
    def variance(self) -> Floats:
        """The variance of rates over the thresholds, plus the mean variance of the draws given the thresholds."""
        _, spread, given = self._moments
        return np.asarray(spread / self.draws**2 + given / self.draws)

    def smoothed(self, pseudo_cases: float) -> Self:
        return replace(self, pseudo_cases=self.pseudo_cases + pseudo_cases)


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


def whole_masses(weights: Floats, up: Floats, down: Floats, draws: int, paired: bool) -> tuple[Floats, Floats]:
    """Mix the laws of (draws that go up) - (draws that go down), by their characteristic functions."""
    mean, widest = draws * (up - down), draws * float((up + down - (up - down) ** 2).max())
    least, reach = (-draws, 2.0) if paired else (0, 1.0)
    (low, _), (_, high) = (window(float(end), widest, reach, least, draws) for end in (mean.min(), mean.max()))
    length = next_fast_len(high - low + 1, real=True)
    steps = np.arange(length // 2 + 1)
    turn = np.exp(-2j * np.pi / length * (steps * low % length))
    cf = _mixture_cf(weights, up + down, up - down, draws, 2 * np.pi / length * steps) * turn
    pmf = irfft(np.conj(cf), length)[: high - low + 1]
    # The rounding of a transform would become atoms.
    return np.arange(low, high + 1.0), np.where(pmf > ATOM_ROUNDING, pmf, 0.0)


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


def paired_masses(weights: Floats, first: Floats, second: Floats, draws: int, pseudo: float) -> Masses:
    """The law of the sum of draws, from pairs of segments and the sums of values 1, 0 and -1 and of their squares."""
    kept = np.abs(weights) > PAIR_ROUNDING
    up, down = (np.rint((second[kept] + side * first[kept]) / 2).astype(np.int64) for side in (1, -1))
    # Pairs with the same counts are merged.
    pairs = coo_array((weights[kept], (up - up.min(), down - down.min()))).tocsr().tocoo()
    weights, up, down = pairs.data, pairs.row + up.min(), pairs.col + down.min()
    return Masses(*whole_masses(weights, (up + pseudo) / draws, (down + pseudo) / draws, draws, True))


def normal_masses(mean: Floats | float, variance: Floats | float) -> tuple[Floats, Floats]:
    middles = (NORMAL_GRID[1:] + NORMAL_GRID[:-1]) / 2
    return mean + np.sqrt(np.maximum(variance, 0.0)) * middles, np.diff(ndtr(NORMAL_GRID))
