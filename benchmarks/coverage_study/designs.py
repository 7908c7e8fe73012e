"""The populations of scores that intervals are tried on, and what is true of them.

Binormal, as in Dugas & Gadoury (2008, 2009): negatives N(-theta, 3^2), positives N(theta, scale^2). Of a pair,
model b's positives lie ``shift`` further up and the two scores of a case correlate by ``rho`` in either class.

And others: another ``family`` in place of the normal law, its median or lower end in place of the mean; a share
``undetectable`` of the positives scored like negatives, by both models; scores below ``floor`` set to it; with
``grades`` the scores are cut into so many, at even quantiles of the mixture, so that they tie; ``coarse`` does that to
model b's alone, which are then a's and nothing else.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.stats import cauchy, expon, multivariate_normal, norm
from scipy.stats import t as student

NEGATIVE_SCALE = 3.0
FAMILIES = {"normal": norm, "exponential": expon, "t3": student(3), "cauchy": cauchy}
MIDPOINTS = (np.arange(100_000) + 0.5) / 100_000
THETAS = (0.75, 1.5, 3.0, 5.0)
CONDITIONS = np.array([0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95])
TOTAL_POSITIVE_RATES = np.array([0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99])


@dataclass(frozen=True)
class Design:
    """Class sizes and score laws of one model, or of two where ``rho`` is given.

    ``fresh`` designs were never looked at when a method or its constant was chosen.
    """

    n_positive: int
    n_negative: int
    theta: float
    scale: float = 3.75
    shift: float = 0.0
    rho: float | None = None
    grades: int = 0
    coarse: int = 0
    family: str = "normal"
    undetectable: float = 0.0
    floor: float | None = None
    fresh: bool = False

    @property
    def sizes(self) -> tuple[int, int]:
        return self.n_positive, self.n_negative

    @property
    def n(self) -> int:
        return self.n_positive + self.n_negative

    @property
    def prevalence(self) -> float:
        return self.n_positive / self.n

    @property
    def label(self) -> str:
        """The population by name; the class sizes have columns of their own."""
        parts = [] if self.family == "normal" else [self.family]
        parts += [f"theta={self.theta:.4g}"] if self.theta else []
        parts += [f"scale={self.scale:.4g}"]
        parts += [] if self.rho is None or self.coarse else [f"shift={self.shift:.4g} rho={self.rho:g}"]
        options = {"grades": self.grades, "coarse": self.coarse, "undetectable": self.undetectable}
        parts += [f"{name}={value:g}" for name, value in options.items() if value]
        parts += [] if self.floor is None else [f"floor={self.floor:g}"]
        return " ".join(parts)

    @property
    def law(self) -> Any:
        return FAMILIES[self.family]

    def rates(self, thresholds: np.ndarray | float, model: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """True- and false-positive rate of model a (0) or b (1)."""
        above = self.theta + model * self.shift
        fpr = self.law.sf((np.asarray(thresholds) + self.theta) / NEGATIVE_SCALE)
        tpr = self.law.sf((np.asarray(thresholds) - above) / self.scale)
        return (1 - self.undetectable) * tpr + self.undetectable * fpr, fpr

    def tpr_at(self, fpr: np.ndarray, model: int = 0) -> np.ndarray:
        """On the population's curve, drawn straight where scores tie."""
        if self._cut(model):
            tpr, known = (np.r_[0, rate, 1] for rate in self.rates(self.cuts[::-1], model))
            return np.asarray(np.interp(fpr, known, tpr))
        inside = self.rates(NEGATIVE_SCALE * self.law.isf(fpr) - self.theta, model)[0]
        if self.floor is None:
            return inside
        tpr, last = self.rates(self.floor, model)
        return np.where(fpr <= last, inside, tpr + (1 - tpr) * (fpr - last) / (1 - last))

    def _cut(self, model: int) -> int:
        """Into how many grades a model's scores are cut."""
        return self.coarse if model and self.coarse else self.grades

    def threshold_at(self, rate: float, model: int = 0) -> float:
        """Where so large a share of the population scores higher."""

        def excess(threshold: float) -> float:
            tpr, fpr = self.rates(threshold, model)
            return float(self.prevalence * tpr + (1 - self.prevalence) * fpr - rate)

        return float(brentq(excess, -1e9, 1e9, xtol=1e-12))

    def optimal_threshold(self, w: float, model: int = 0) -> float:
        """The threshold that costs least at an operating condition; infinite where one label for all is cheaper."""
        above, below = self.theta + model * self.shift, -self.theta
        a, b = 1 / (2 * self.scale**2), 1 / (2 * NEGATIVE_SCALE**2)
        constant = b * below**2 - a * above**2 + np.log(w / (1 - w) * NEGATIVE_SCALE / self.scale)
        roots = np.roots(
            [b - a, 2 * (a * above - b * below), constant] if b != a else [2 * (above - below) * a, constant]
        )
        candidates = np.array([*roots[np.isreal(roots)].real, -np.inf, np.inf])
        tpr, fpr = self.rates(candidates, model)
        return float(candidates[np.argmin(w * (1 - tpr) + (1 - w) * fpr)])

    def shares(self, thresholds: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
        """For positives, then negatives: the cells of one threshold (reached, not) or of two (both, a, b, neither)."""
        if self.rho is None:
            return tuple(np.array([p, 1 - p]) for p in self.rates(thresholds[0]))
        means = (self.theta, self.theta + self.shift), (-self.theta, -self.theta)
        return tuple(_quadrants(thresholds, m, s, self.rho) for m, s in zip(means, (self.scale, 3.0), strict=True))

    def draw(self, rng: np.random.Generator, n_positive: int | None = None) -> tuple[np.ndarray, list[np.ndarray]]:
        """Labels and the scores of each model."""
        n_positive = self.n_positive if n_positive is None else n_positive
        y_true = np.repeat([1, 0], [n_positive, self.n - n_positive])
        noise = rng.normal(size=(1 if self.rho is None else 2, self.n))
        if self.rho is not None:
            noise[1] = self.rho * noise[0] + np.sqrt(1 - self.rho**2) * noise[1]
        if self.family != "normal":
            noise = self.law.ppf(norm.cdf(noise))
        found = y_true == 1
        if self.undetectable:
            found = found & (rng.random(self.n) >= self.undetectable)
        scores = np.where(found, self.theta + self.scale * noise, NEGATIVE_SCALE * noise - self.theta)
        models = [score + model * self.shift * found for model, score in enumerate(scores)]
        if self.coarse:
            models[1] = models[0]
        return y_true, [self._seen(score, model) for model, score in enumerate(models)]

    def _seen(self, score: np.ndarray, model: int) -> np.ndarray:
        """Cut into grades, or raised to the floor."""
        if self._cut(model):
            return np.searchsorted(self.cuts, score)
        return score if self.floor is None else np.maximum(score, self.floor)

    @cached_property
    def cuts(self) -> np.ndarray:
        """Where the scores are cut into grades, from the lowest."""
        grades = self.grades or self.coarse
        return np.array([self.threshold_at(1 - i / grades) for i in range(1, grades)])

    def auc(self, model: int = 0) -> float:
        """The true area, ties counting a half."""
        if self._cut(model):
            positive, negative = (-np.diff([1, *p, 0]) for p in self.rates(self.cuts, model))
            return float(positive @ (np.cumsum(negative) - negative / 2))
        if self.floor is None and self.family == "normal":
            away = (2 * self.theta + model * self.shift) / np.hypot(self.scale, NEGATIVE_SCALE)
            return float((1 - self.undetectable) * norm.cdf(away) + self.undetectable / 2)
        return float(self.tpr_at(MIDPOINTS, model).mean())


def _quadrants(thresholds: Sequence[float], means: tuple[float, float], scale: float, rho: float) -> np.ndarray:
    """How probable it is that a case reaches both thresholds, a's only, b's only, neither."""
    below = norm.cdf(thresholds, means, scale)
    cov = scale**2 * np.array([[1.0, rho], [rho, 1.0]])
    neither = multivariate_normal.cdf(thresholds, means, cov, abseps=1e-10, releps=1e-10)
    cells = np.maximum([1 - below.sum() + neither, below[1] - neither, below[0] - neither, neither], 0.0)
    return cells / cells.sum()


def from_auc(n_positive: int, n_negative: int, auc: float, sd: float = 1.0, grades: int = 0) -> Design:
    """The design of this AUC whose positives are spread ``sd`` times as much as the negatives."""
    theta = NEGATIVE_SCALE * np.hypot(1, sd) * norm.ppf(auc) / 2
    return Design(n_positive, n_negative, float(theta), NEGATIVE_SCALE * sd, grades=grades)


def pair_from_auc(n_positive: int, n_negative: int, auc_a: float, auc_b: float, rho: float, sd: float = 1.0) -> Design:
    """Two such models on the same cases."""
    a, b = from_auc(n_positive, n_negative, auc_a, sd), from_auc(n_positive, n_negative, auc_b, sd)
    return replace(a, shift=2 * (b.theta - a.theta), rho=rho)


def spread(n: int = 25) -> list[Design]:
    """The papers' spread experiment: four distances of the classes, two scales."""
    return [Design(n, n, theta, scale) for scale, theta in itertools.product((3.75, 3.0), THETAS)]


def size(*sizes: int) -> list[Design]:
    """Their size experiment."""
    return [Design(n, n, 3.0) for n in sizes]


def ratio(*sizes: tuple[int, int]) -> list[Design]:
    """One class 20 times the other."""
    return [Design(*pair, theta) for pair, theta in itertools.product(sizes, (1.5, 3.0))]


def difference(n_positive: int, n_negative: int, shifts: Sequence[float] = (0.0, 2.0, 4.0)) -> list[Design]:
    """Their difference experiment: two models on the same cases; equal scales in 2008, 3.75 and 3 in 2009."""
    return [
        Design(n_positive, n_negative, theta, 3.75, shift, rho)
        for theta, shift, rho in itertools.product((3.0, 1.0), shifts, (0.3, 0.6, 0.9))
    ]


def others(*sizes: tuple[int, int]) -> list[Design]:
    """Populations that are not binormal: first those that constants were tried on, then those that none was."""
    tried = [
        Design(1, 1, 0.0, 12.0, family="exponential"),
        Design(1, 1, 3.0, 3.0, family="t3"),
        Design(1, 1, 4.0, 3.0, undetectable=0.1),
        Design(1, 1, 3.0, 3.0, grades=5),
        Design(1, 1, 3.0, 3.0, grades=2),
        Design(1, 1, 6.5, 3.0),
    ]
    untried = [
        Design(1, 1, 0.0, 57.0, family="exponential"),
        Design(1, 1, 6.0, 3.0, family="cauchy"),
        Design(1, 1, 6.0, 3.0, undetectable=0.5),
        Design(1, 1, 9.0, 3.0, undetectable=0.12),
        Design(1, 1, 5.0, 3.0, grades=3),
        Design(1, 1, 3.0, 3.0, floor=0.0),
        Design(1, 1, -2.0, 3.0),
        Design(1, 1, 8.0, 6.0),
    ]
    every = [*tried, *(replace(design, fresh=True) for design in untried)]
    return [replace(design, n_positive=p, n_negative=n) for design in every for p, n in sizes]


def other_pairs(*sizes: tuple[int, int]) -> list[Design]:
    """Pairs that are not binormal, or equal; none was tried when a constant was chosen but the first two."""
    pairs = [
        Design(1, 1, 3.0, 3.0, 0.0, 0.6),
        Design(1, 1, 6.5, 3.0, -2.0, 0.3),
        Design(1, 1, 3.0, 3.0, rho=1.0, coarse=5, fresh=True),
        Design(1, 1, 5.0, 3.0, rho=1.0, coarse=2, fresh=True),
        Design(1, 1, 0.0, 30.0, 0.0, 0.5, family="exponential", fresh=True),
        Design(1, 1, 6.0, 3.0, 4.0, 0.6, family="cauchy", fresh=True),
        Design(1, 1, 5.0, 3.0, 2.0, 0.6, undetectable=0.5, fresh=True),
        Design(1, 1, 4.0, 3.0, 2.0, 0.6, grades=3, fresh=True),
        Design(1, 1, 3.0, 3.0, 2.0, 0.6, floor=0.0, fresh=True),
        Design(1, 1, -1.0, 3.0, 4.0, 0.3, fresh=True),
    ]
    return [replace(design, n_positive=p, n_negative=n) for design in pairs for p, n in sizes]


SCARCE = ((10, 200), (200, 10))
