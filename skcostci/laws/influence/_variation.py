"""How much a statistic varies between units, such as groups of cases of unequal size, and what they tell of others.

k units have x, k times the influence value of the unit, which is 0 on average. If cases were independent x would have a
variance proportional to v (``spreads``): the number of cases n of the unit, or the sum of the squared influence values
that cases of their classes have. With h = v / sum of v the variance of the statistic and its degrees of freedom are

    a_i = v_i / (v_i (1 - 2 h_i) + S h_i^2),    V = sum_i a_i x_i^2 / k^2,    f = E^2 / F,    S = sum_i v_i,
    d_i = v_i - 2 h_i v_i + h_i^2 S,    E = sum_i a_i d_i,
    F = 2 (sum a h^2)(sum a v^2) + 2 (sum a h v)^2 + S^2 (sum a h^2)^2 - 4 S (sum a h v)(sum a h^2)
        - sum a^2 (2 h v - h^2 S)^2 + sum a^2 d^2,

k - 1 for units of one size. V would be unbiased, and f is Satterthwaite's number, if cases were independent: Bell and
McCaffrey, "Bias reduction in standard errors for linear regression with multi-stage samples", Survey Methodology 28,
2002. Unlike k - 1 degrees of freedom these hold where one unit has most cases. How extreme a further unit may be is
told by z, x on the scale of units of typical size, with central moments m2, m3 and m4: by the number of units that are
``informative`` about that, and by the largest value, ``far``,

    z_i = x_i / sqrt(v_i k / S), centred,    informative = min(k / (1 + m3^2 / m2^3)^1.5, k m2^2 / m4),
    far = max |z_i| sqrt(k n / N),    n = sqrt(mean n_i^2),    N = sum n_i.

**Levels** of a second factor (readers of cases, judges of questions, seeds of items) vary too. T is then a mean over J
levels of its values T_r within each, and its variance has two parts. The first is due to units, as without levels, from
g_u = mean over r of the influences g_ru. The second is due to levels: the variance S of the T_r is larger than the
sampling of units alone explains. With C_rs the covariance of T_r and T_s over units, v the mean of the C_rr and c the
mean of the C_rs of different levels,

    S = sum (T_r - T)^2 / (J - 1),    own = max(S - (v - c), 0) / J,    df = (J - 1) (J own / S)^2,

where ``own`` is Obuchowski and Rockette's (1995) component of variance, and df are the degrees of freedom of Hillis
(2007) and Satterthwaite. The limits add a least favourable unit but no least favourable level: levels are few, and one
in six that fails entirely would take limits to the ends of the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from skcostci._arrays import Floats

SKEWED = 1.5  # how fast skewness reduces the number of informative units: where one differs, the many count as one
ROUNDING_OF_LEVELS = 1e-10  # relative to S: a smaller excess is rounding, and would have next to no degrees of freedom


class Variation(NamedTuple):
    """A stratum's fields by point: k units, V, f, what z tells of others, means of x^2 (``square``) and x^3."""

    number: Floats
    variance: Floats
    freedom: Floats
    informative: Floats
    far: Floats
    square: Floats
    third: Floats

    @classmethod
    def of(cls, x: Floats, sizes: Floats, spreads: Floats, times: Floats, shares: Floats | None = None) -> Variation:
        """From x, n and v of units (those of size 0 do not count), ``times`` each; ``shares`` are h, if not of v."""
        t = times * (sizes > 0)
        k = np.maximum(t.sum(axis=-1), 1.0)
        v = np.where((t * spreads).sum(axis=-1, keepdims=True) > 0, spreads, sizes)
        whole = (t * v).sum(axis=-1, keepdims=True)
        h = v / whole if shares is None else shares
        far_off = np.maximum(h**2 * whole, 0.0)
        d = v - 2 * h * v + far_off
        a = np.divide(v, d, out=np.ones_like(d), where=(v > 0) & (d > 0))
        variance = (t * a * x**2).sum(axis=-1) / k**2
        freedom = np.maximum(_freedom(t, a, h, v, d, far_off), 1.0)
        typical = np.sqrt((t * sizes**2).sum(axis=-1) / k) / (t * sizes).sum(axis=-1)
        z = np.divide(x, np.sqrt(v * k[..., None] / whole), out=np.zeros_like(x), where=v > 0)
        informative, far = _told(z, t, k)
        moments = ((t * power).sum(axis=-1) / k for power in (x**2, x**3))
        fields = np.broadcast_arrays(k, variance, freedom, informative, far * np.sqrt(k * typical), *moments)
        return cls(*fields)

    def capped(self, most: float) -> Variation:
        return self._replace(informative=np.minimum(self.informative, most))


def _freedom(t: Floats, a: Floats, h: Floats, v: Floats, d: Floats, hhs: Floats) -> Floats:
    """f; ``hhs`` is h^2 S."""
    whole = (t * v).sum(axis=-1)
    hh, vv, hv = ((t * a * each).sum(axis=-1) for each in (h**2, v**2, h * v))
    own = (t * a**2 * (d**2 - (2 * h * v - hhs) ** 2)).sum(axis=-1)
    spread = 2 * hh * vv + 2 * hv**2 + (whole * hh) ** 2 - 4 * whole * hv * hh + own
    expected = (t * a * d).sum(axis=-1)
    return np.asarray(expected**2 / np.maximum(spread, 1e-300))


def _told(z: Floats, t: Floats, k: Floats) -> tuple[Floats, Floats]:
    """The number of units informative about variation, 0 where there is none, and the largest distance."""
    z = np.where(t > 0, z - ((t * z).sum(axis=-1) / k)[..., None], 0.0)
    far = np.abs(z).max(axis=-1)
    unit = np.where(far > 0, far, 1.0)[..., None]  # so that fourth powers neither overflow nor vanish
    m2, m3, m4 = ((t * (z / unit) ** power).sum(axis=-1) / k for power in (2, 3, 4))
    return informative_units(k, m2, m3, m4), far


def informative_units(k: Floats | float, m2: Floats | float, m3: Floats | float, m4: Floats | float) -> Floats:
    """The number of k units that are informative about variation, from central moments; 0 where there is none."""
    some = np.asarray(m2) > 0
    m2, m4 = np.where(some, m2, 1.0), np.where(some, m4, 1.0)
    skewed = k / (1 + (m3 / m2**1.5) ** 2) ** SKEWED  # cubes of squares may vanish
    return np.where(some, np.minimum(skewed, k * m2**2 / m4), 0.0)


class LevelVariance(NamedTuple):
    """``own``, its degrees of freedom, and the number of levels."""

    own: Floats | float = 0.0
    freedom: Floats | float = 1.0
    levels: int = 1

    @classmethod
    def of(cls, each: Floats, by_unit: Floats, together: Floats) -> LevelVariance:
        """From ``each`` T_r, shape (n_levels, n_points), v (``by_unit``), and the variance over units of sum T_r."""
        levels = len(each)
        spread = each.var(axis=0, ddof=1)
        common = (together - levels * by_unit) / (levels * (levels - 1))
        excess = spread - np.maximum(by_unit - common, 0.0)
        own = np.where(excess > ROUNDING_OF_LEVELS * spread, excess, 0.0) / levels
        share = np.divide(levels * own, spread, out=np.ones_like(own), where=own > 0)
        return cls(own, (levels - 1) * share**2, levels)

    @property
    def square(self) -> Floats | float:
        """The variance on the scale of the sum of squared influences of units, which is shrunk by n / (n + 1)."""
        return self.own * (self.levels + 1) / self.levels

    def scaled(self, unit: Floats | float) -> LevelVariance:
        return self._replace(own=self.own / unit**2)


NO_LEVELS = LevelVariance()  # where there are no levels


@dataclass(frozen=True, repr=False, eq=False)
class DrawnUnits:
    """The units that "extrapolated" rests on: T, its range, how x varies in each stratum, and how far an x may reach.

    ``reach`` has for each stratum the x, of any sign, of a further unit all of whose cases are at the worst end of the
    range, and at the best; NaN where it is unknown. ``paired`` says whether T is a difference of two models, ``center``
    is T minus its bias, and ``levels`` the variance of crossed levels.
    """

    estimate: Floats
    support: tuple[Floats, Floats]
    strata: Sequence[Variation]
    reach: Sequence[tuple[Floats, Floats]]
    paired: bool
    center: Floats
    levels: LevelVariance = NO_LEVELS

    @property
    def has_ends(self) -> bool:
        return bool(np.isfinite(self.support).all())
