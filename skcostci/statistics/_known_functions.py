"""scikit-learn's functions of amounts as functions of weighted means: all slopes at once, for any number of rows.

With a few numbers phi_i of each row, counts c_i and C their sum,

    M = sum c_i phi_i / C,    T = h(M),    dT/dc_i = h'(M) (phi_i - M) / C,   one more case: h((C M + phi_i)/(C + 1)).

Errors are a mean (h(m) = m) or its root. Coefficients of determination are 1 minus a ratio of variances, with phi =
(d^2, d, y^2, y) for the truth y and its error d: h(m) = 1 - (m_1 - k m_2^2) / (m_3 - m_4^2), k being 1 for explained
variance and 0 for R2. The function itself is called once; if the formula does not give its value, as with options that
are not known here, or if the truth is constant, it is evaluated row by row like any other function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from skcostci._arrays import Floats
from skcostci._frozen import cached_property
from skcostci.tables import WeightedMetric

SAME_VALUE = 1e-9  # relative: rounding of sums in another order


def _errors(error: Callable[..., Floats], y: Floats, f: Floats, **options: float) -> Floats:
    return error(y, f, **options)[:, None]


def _pinball(y: Floats, f: Floats, alpha: float = 0.5) -> Floats:
    return np.maximum(alpha * (y - f), (alpha - 1) * (y - f))


def _percentage(y: Floats, f: Floats) -> Floats:
    return np.asarray(np.abs(y - f) / np.maximum(np.abs(y), np.finfo(np.float64).eps))


def _squared_log(y: Floats, f: Floats) -> Floats:
    return np.asarray((np.log1p(y) - np.log1p(f)) ** 2)


def _deviance(y: Floats, f: Floats, power: float = 0) -> Floats:
    """The deviance of Tweedie's distributions: Gauss, Poisson and gamma, and those of other powers."""
    if power == 0:
        return (y - f) ** 2
    if power == 1:
        return np.asarray(2 * (xlogy(y, y / f) - y + f))
    if power == 2:
        return np.asarray(2 * (np.log(f / y) + y / f - 1))
    own = np.power(np.maximum(y, 0), 2 - power) / ((1 - power) * (2 - power))
    return np.asarray(2 * (own - y * np.power(f, 1 - power) / (1 - power) + np.power(f, 2 - power) / (2 - power)))


def _squares(y: Floats, f: Floats, force_finite: bool = True) -> Floats:  # noqa: ARG001  # of no effect if y varies
    d, about_mean = y - f, y - y.mean()
    return np.column_stack([d**2, d, about_mean**2, about_mean])


@dataclass(frozen=True, repr=False, eq=False)
class _Mean:
    def at(self, m: Floats) -> Floats:
        return m[..., 0]

    def gradient(self, _m: Floats) -> Floats:
        return np.ones(1)


@dataclass(frozen=True, repr=False, eq=False)
class _RootMean:
    def at(self, m: Floats) -> Floats:
        return np.asarray(np.sqrt(m[..., 0]))

    def gradient(self, m: Floats) -> Floats:
        return np.array([0.5 / np.sqrt(m[0])])


@dataclass(frozen=True, repr=False, eq=False)
class _Determination:
    k: float

    def at(self, m: Floats) -> Floats:
        return np.asarray(1 - (m[..., 0] - self.k * m[..., 1] ** 2) / (m[..., 2] - m[..., 3] ** 2))

    def gradient(self, m: Floats) -> Floats:
        whole = m[2] - m[3] ** 2
        ratio = (m[0] - self.k * m[1] ** 2) / whole
        return np.asarray(np.array([-1.0, 2 * self.k * m[1], ratio, -2 * ratio * m[3]]) / whole)


_SQUARED, _LOG = partial(_errors, _deviance), partial(_errors, _squared_log)
KNOWN: dict[str, tuple[Callable[..., Floats], _Mean | _RootMean | _Determination]] = {
    "mean_squared_error": (_SQUARED, _Mean()),
    "root_mean_squared_error": (_SQUARED, _RootMean()),
    "mean_absolute_error": (partial(_errors, lambda y, f: np.abs(y - f)), _Mean()),
    "mean_absolute_percentage_error": (partial(_errors, _percentage), _Mean()),
    "mean_squared_log_error": (_LOG, _Mean()),
    "root_mean_squared_log_error": (_LOG, _RootMean()),
    "mean_pinball_loss": (partial(_errors, _pinball), _Mean()),
    "mean_tweedie_deviance": (partial(_errors, _deviance), _Mean()),
    "mean_poisson_deviance": (partial(_errors, _deviance, power=1), _Mean()),
    "mean_gamma_deviance": (partial(_errors, _deviance, power=2), _Mean()),
    "r2_score": (_squares, _Determination(0.0)),
    "explained_variance_score": (_squares, _Determination(1.0)),
}


@dataclass(frozen=True, repr=False, eq=False)
class FunctionOfMeans:
    """A function h of the means of phi, of shape (n_rows, n_numbers), over rows that stand for ``counts`` cases."""

    phi: Floats
    counts: Floats
    function: _Mean | _RootMean | _Determination

    @cached_property
    def means(self) -> Floats:
        return np.asarray(self.counts @ self.phi / self.counts.sum())

    @property
    def value(self) -> float:
        return float(self.function.at(self.means))

    @property
    def slopes(self) -> Floats:
        """The derivative by the count of each row, shape (n_rows, 1)."""
        return np.asarray((self.phi - self.means) @ self.function.gradient(self.means)[:, None] / self.counts.sum())

    def with_case(self, more: float) -> Floats:
        """The value with an additional case of this weight at each row, shape (n_rows, 1)."""
        size = self.counts.sum()
        return self.function.at((size * self.means + more * self.phi) / (size + more))[:, None]


def means_of(
    metric: WeightedMetric, truth: NDArray[np.generic], guess: NDArray[np.generic], counts: Floats
) -> FunctionOfMeans | None:
    """The function as a formula of means, if one is known; the caller has to compare the values."""
    if not metric.function.__module__.startswith("sklearn.") or metric.function.__name__ not in KNOWN:
        return None
    if truth.ndim > 1 or guess.ndim > 1 or {truth.dtype.kind, guess.dtype.kind} - set("biuf"):
        return None
    numbers, function = KNOWN[metric.function.__name__]
    try:
        with np.errstate(all="ignore"):  # a formula without a value fails the comparison
            phi = numbers(truth.astype(np.float64), guess.astype(np.float64), **dict(metric.options))
    except TypeError:  # an option that is not known here
        return None
    return FunctionOfMeans(phi, counts, function)
