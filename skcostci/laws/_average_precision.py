"""Average precision: value, influences, and the moments that it has in a resample.

With A_g and B_g the cases of either class at or above the g-th distinct score of a positive, a_g positives having that
score, m and n the class sizes,

    AP = (1/m) sum_g a_g A_g / (A_g + B_g)          or, at a class mix,  B_g -> r B_g,  r = (1 - pi) m / (pi n).

Negatives count by the positives that are not above them alone, so those between two positives' scores are one group.

A resample's precision is a ratio, ``M / (M + r N) = int_0^inf M e^(-u (M + r N)) du``: under the integral counts are
multinomial sums, whose generating functions are powers. With p = A_g/m, d = a_g/m, F = B_g/n and s = e^-u,

    E AP* = (1/m) sum_g int [m (m-1) d p s^2 (1-p+ps)^(m-2) + m d s (1-p+ps)^(m-1)] (1 - F + F s^r)^n du

and E AP*^2 is the double integral of products of two such. The trapezoid rule in x, ``u = exp(x - e^-x)``, is exact to
rounding. Its cost grows with the square of the number of scores, so that beyond ``MAX_EXACT_SCORES`` scores of
positives the variance is of first order (1 to 4 % too large with 20 or more positives) and the bias of second:

    E AP* - AP = (1/m) sum_g a_g r^2 B_g [B_g (1 - A_g/m) + A_g (1 - B_g/n)] / (A_g + r B_g)^3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skcostci._validation import Floats

MAX_EXACT_SCORES = 24  # distinct scores of positives: a tenth of a second; twice as many take four times as long
LOGIT_STEP = 0.1  # of the quadrature; its error is below 1e-12
LEFT_OUT = 60.0  # exp(-60) is what is left out


@dataclass(frozen=True)
class AveragePrecision:
    """The statistic; ``odds`` are those of a negative at the mix it is judged at, None that of the counts."""

    least: float
    odds: float | None = None

    @property
    def support(self) -> tuple[float, float]:
        return self.least, 1.0

    @property
    def of_rates(self) -> bool:
        return self.odds is not None

    def _cumulated(self, a: Floats, b: Floats) -> tuple[Floats, Floats, float]:
        """A_g, r B_g and r."""
        above, below = np.cumsum(a), np.cumsum(b)
        r = 1.0 if self.odds is None else self.odds * above[-1] / below[-1]
        return above, r * below, float(r)

    def value(self, a: Floats, b: Floats) -> float:
        some = a > 0
        above, below, _ = self._cumulated(a, b)
        return float(a[some] @ (above[some] / (above[some] + below[some])) / above[-1])

    def influences(self, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        """A positive adds its precision and lifts that of all not above it; a negative lowers the latter."""
        above, below, r = self._cumulated(a, b)
        whole = np.where(a > 0, above + below, 1.0)
        share = a / whole
        precision = np.where(a > 0, above / whole, 0.0)
        m = above[-1]
        average = float(a @ precision) / m
        lifted, lowered = (_from_below(share / whole * part) for part in (below, above))
        own = np.where(a > 0, precision, average) + lifted
        other = -r * lowered
        if self.odds is None:
            return (own - average) / m, other / m
        n = float(b.sum())
        return (own - float(a @ own) / m) / m, (other - float(b @ other) / n) / m

    def bias(self, a: Floats, b: Floats) -> float:
        """Of a resample of each class, to second order."""
        above, below, r = self._cumulated(a, b)
        m, n = above[-1], r * float(b.sum())
        some = (a > 0) & (below > 0)
        a, above, below = a[some], above[some], below[some]
        moved = below * (1 - above / m) * below + r * below * above * (1 - below / n)
        return float(a @ (moved / (above + below) ** 3) / m)


def _from_below(parts: Floats) -> Floats:
    """Sums over this score and all below it."""
    return np.asarray(np.cumsum(parts[::-1])[::-1])


def _nodes() -> tuple[Floats, Floats]:
    """Places and weights of an integral from 0 to infinity."""
    x = np.arange(-4.0, np.log(LEFT_OUT) + 0.5, LOGIT_STEP)
    u = np.exp(x - np.exp(-x))
    return u, np.asarray(LOGIT_STEP * u * (1 + np.exp(-x)))


@np.errstate(under="ignore")  # at far nodes all powers are next to 0
def average_precision_moments(a: Floats, b: Floats, r: float) -> tuple[float, float] | None:
    """Exact mean and variance, each class resampled to its own size; None where that would take long."""
    if np.count_nonzero(a) > MAX_EXACT_SCORES:
        return None
    mean = exact_mean(a, b, r)
    return mean, max(exact_square(a, b, r) - mean**2, 0.0)


def exact_mean(a: Floats, b: Floats, r: float) -> float:
    """E AP*, each class resampled to its own size."""
    some, m, n = a > 0, float(a.sum()), float(b.sum())
    d, p, f = a[some] / m, (np.cumsum(a) / m)[some], (np.cumsum(b) / n)[some]
    u, weights = _nodes()
    s = np.exp(-u)[:, None]
    kept = 1 - p + p * s
    found = m * d * s * (_power(kept, m - 1) + (m - 1) * p * s * _power(kept, m - 2))
    return float(weights @ (found * (1 - f + f * s**r) ** n).sum(axis=1)) / m


def exact_square(a: Floats, b: Floats, r: float) -> float:
    """E AP*^2."""
    some, m, n = a > 0, float(a.sum()), float(b.sum())
    d, p, f = a[some] / m, (np.cumsum(a) / m)[some], (np.cumsum(b) / n)[some]
    u, weights = _nodes()
    s = np.exp(-u)[:, None]
    powers = [_falling(m, k) * (p * s) ** k * _power(1 - p + p * s, m - k) for k in range(5)]
    third = powers[3] + 3 * powers[2] + powers[1]
    fourth = powers[4] + 6 * powers[3] + 7 * powers[2] + powers[1]
    share = d / p
    one = (share**2 * (fourth - third) + share * third) * (1 - f + f * s**r) ** n
    total = float((weights * u) @ one.sum(axis=1))
    for g in range(len(d)):
        for h in range(g + 1, len(d)):
            total += 2 * _product(d, p, f, (g, h), (m, n, r), u, weights)
    return total / m**2


def _product(
    d: Floats,
    p: Floats,
    f: Floats,
    pair: tuple[int, int],
    sizes: tuple[float, float, float],
    u: Floats,
    weights: Floats,
) -> float:
    """The mean of the product of what two scores contribute; s belongs to the higher one, t to the lower."""
    (g, h), (m, n, r) = pair, sizes
    s, t = np.exp(-u)[:, None], np.exp(-u)[None]
    q = p[h] - p[g]
    kept, both, between = 1 - p[h] + q * t + p[g] * s * t, p[g] * s * t, q * t
    moments = sum(
        times * _falling(m, x + y) * both**x * between**y * _power(kept, m - x - y)
        for x, y, times in ((3, 1, 1), (2, 1, 4), (1, 1, 2), (2, 2, 1), (1, 2, 1))
    )
    negatives = (1 - f[h] + (f[h] - f[g]) * t**r + f[g] * (s * t) ** r) ** n
    return float(d[g] / p[g] * d[h] / q * (weights @ (moments * negatives) @ weights))


def _falling(m: float, k: int) -> float:
    """M (m - 1) ... k factors."""
    return float(np.prod(m - np.arange(k)))


def _power(base: Floats, exponent: float) -> Floats:
    """A power; what it is if negative does not matter, as the falling factorial before it is 0 then."""
    return base**exponent if exponent >= 0 else np.zeros_like(base)
