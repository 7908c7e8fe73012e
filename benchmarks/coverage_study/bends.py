"""A search for the population in which limits under a budget cover least: ROC curves that bend at the budget.

Scores without ties, the class mix given. A curve has two to five straight pieces; a case falls in a piece with the
probability of its class, and anywhere in it. Limits are not computed: a limit leaves the truth out where the
probability behind it is below alpha there, which for all data sets at once is one product of matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from coverage_study.simulation import generator
from coverage_study.store import RESULTS
from skcostci.intervals._positive_rate import kept

LEVELS = (0.9, 0.95, 0.99)
SIZES = (5, 8, 15, 25, 50, 80, 120)
STARTS, ROUNDS, PARENTS, CHILDREN = 80, 3, 5, 5
FEW, MANY = 1500, 20_000  # data sets, while searching and at the end
MOVES = (0.05, 0.2, 0.6)
ROUNDING = 1e-12


@dataclass(frozen=True)
class Form:
    """How much the larger of the two probabilities counts, not the smaller, and how much of alpha is kept for it."""

    name: str
    larger: float
    kept: Callable[[np.ndarray], np.ndarray] = np.asarray


FORMS = (Form("mean", 0.5), Form("larger", 1.0), Form("larger, kept", 1.0, kept))


@dataclass(frozen=True)
class Bent:
    """Cases of either class in each piece, from the best; so many cases are labelled positive."""

    positive: np.ndarray
    negative: np.ndarray
    sizes: tuple[int, int]
    labelled: int

    @property
    def truth(self) -> float:
        """The share of the positives above the threshold that the budget's share exceeds."""
        n, m = self.sizes
        reached = np.cumsum((n * self.positive + m * self.negative) / (n + m))
        return float(np.interp(self.labelled / (n + m), np.r_[0, reached[:-1], 1], np.r_[0, np.cumsum(self.positive)]))

    def draw(self, rng: np.random.Generator, runs: int, n_positive: int | None = None) -> np.ndarray:
        """Whether the cases are positive, from the best to the worst, one row a data set."""
        n = self.sizes[0] if n_positive is None else n_positive
        places = [
            rng.choice(len(shares), size=(runs, size), p=shares) + rng.random((runs, size))
            for shares, size in ((self.positive, n), (self.negative, sum(self.sizes) - n))
        ]
        return np.argsort(np.hstack(places), axis=1) < n

    def moved(self, rng: np.random.Generator) -> Bent:
        """A population near this one."""
        size = rng.choice(MOVES)
        shares = (_shares(each * np.exp(size * rng.normal(size=len(each)))) for each in (self.positive, self.negative))
        labelled = int(np.clip(self.labelled + rng.integers(-1, 2), 1, sum(self.sizes) - 1))
        return Bent(*shares, self.sizes, labelled)


HARD = (  # found by longer searches
    (0.324, 0.131, 0.0, 0.004, 0.541, 0.243, 0.012, 0.63, 0.0, 0.115, 100, 40, 67),
    (0.318, 0.127, 0.0, 0.004, 0.551, 0.273, 0.012, 0.605, 0.0, 0.109, 100, 40, 69),
    (0.005, 0.141, 0.0, 0.845, 0.009, 0.748, 0.002, 0.197, 0.053, 0.0, 60, 100, 84),
    (0.005, 0.168, 0.0, 0.816, 0.011, 0.745, 0.002, 0.198, 0.056, 0.0, 60, 100, 85),
    (0.004, 0.144, 0.0, 0.843, 0.009, 0.769, 0.002, 0.182, 0.047, 0.0, 60, 100, 86),
    (0.0051, 0.1413, 0.0, 0.8451, 0.0085, 0.7396, 0.002, 0.2041, 0.0543, 0.0, 60, 100, 83),
    (0.0053, 0.1418, 0.0, 0.8439, 0.0089, 0.7494, 0.0022, 0.192, 0.0565, 0.0, 60, 100, 84),
    (0.0054, 0.145, 0.0, 0.841, 0.0086, 0.747, 0.0023, 0.196, 0.0547, 0.0, 60, 100, 84),
)


def _shares(weights: np.ndarray) -> np.ndarray:
    return np.maximum(weights, 1e-6) / np.maximum(weights, 1e-6).sum()


def known(*numbers: float) -> Bent:
    """A population of five pieces."""
    positive, negative = (_shares(np.array(part)) for part in (numbers[:5], numbers[5:10]))
    n, m, labelled = map(int, numbers[10:])
    return Bent(positive, negative, (n, m), labelled)


def _start(rng: np.random.Generator) -> Bent:
    """Pieces at random, most of them with a bend within a case of the budget."""
    pieces, n, m = int(rng.integers(2, 6)), *rng.choice(SIZES, 2).tolist()
    positive, negative = (_shares(rng.dirichlet(np.full(pieces, rng.choice([0.3, 1.0])))) for _ in range(2))
    bends = np.round(np.cumsum(n * positive + m * negative)[:-1]).astype(int)
    at = rng.choice(bends) + rng.integers(-1, 2) if rng.random() < 0.8 else rng.integers(1, n + m)
    return Bent(positive, negative, (n, m), int(np.clip(at, 1, n + m - 1)))


def misses(population: Bent, form: Form, runs: int, seed: int) -> np.ndarray:
    """How often the truth lies below the lower and above the upper limit, shape (n_levels, 2)."""
    (n, m), q, truth = population.sizes, population.labelled, population.truth
    best_first = population.draw(generator(seed), runs)
    lower = _probability(best_first, q, truth, form.larger)
    upper = _probability(best_first[:, ::-1], n + m - q, 1 - truth, form.larger)
    tails = form.kept((1 - np.array(LEVELS)) / 2)
    return np.array([[np.mean(p < tail - ROUNDING) for p in (lower, upper)] for tail in tails])


def _probability(best_first: np.ndarray, q: int, rate: float, larger: float) -> np.ndarray:
    """The probability behind a lower limit at this rate, written anew: no code of the package."""
    runs, total = best_first.shape
    found = np.cumsum(best_first, axis=1)
    n, x = int(found[0, -1]), found[:, q - 1]
    m, y = total - n, (q - x)[:, None]
    above = np.column_stack([np.zeros(runs, int), found[~best_first].reshape(runs, m), np.full(runs, n)])
    j = np.arange(m + 1)
    reflected = 2 * x[:, None] - np.take_along_axis(above, np.clip(2 * y - j, 0, m) + 1, axis=1)
    bounded = np.where(j > y, np.maximum(reflected, x[:, None]), reflected)
    at_least = np.append(binom.sf(np.arange(-1, n), n, rate), 0.0)  # of 0, 1, ..., n + 1 positives
    chances = binom.pmf(j, m, np.clip((q - n * rate) / m, 0, 1))
    both = np.sort([at_least[np.clip(count, 0, n + 1)] @ chances for count in (above[:, :-1], bounded)], axis=0)
    return np.where(rate >= x / n - ROUNDING, 1.0, (1 - larger) * both[0] + larger * both[1])


def beyond(missed: np.ndarray, level: float) -> float:
    """How much more often than it says an interval misses, or one limit, whichever is more."""
    return max(missed.sum() - (1 - level), missed.max() - (1 - level) / 2)


def worst(form: Form, k: int) -> tuple[np.ndarray, Bent]:
    """The misses in the population that is covered least at a level, found by moving bad ones."""
    rng = generator("bends", k)

    def most(some: list[tuple[float, Bent]]) -> list[tuple[float, Bent]]:
        return sorted(some, key=lambda each: -each[0])[:PARENTS]

    def judged(population: Bent, seed: int) -> tuple[float, Bent]:
        return beyond(misses(population, form, FEW, seed)[k], LEVELS[k]), population

    starts = [*(known(*each) for each in HARD), *(_start(rng) for _ in range(STARTS))]
    parents = most([judged(each, 0) for each in starts])
    for seed in range(1, ROUNDS + 1):
        children = [judged(parent.moved(rng), seed) for _, parent in parents for _ in range(CHILDREN)]
        parents = most(parents + children)
    final = [(misses(population, form, MANY, 99)[k], population) for _, population in parents]
    return max(final, key=lambda each: beyond(each[0], LEVELS[k]))


def budget() -> None:
    """The least coverage found, and the larger miss of one limit there, by the form of the limits."""
    lines = [f"Least coverage that a search over bent ROC curves found; {MANY} data sets each"]
    for form in FORMS:
        for k, nominal in enumerate(LEVELS):
            missed, where = worst(form, k)
            n, m = where.sizes
            place = " / ".join(" ".join(f"{each:.3f}" for each in side) for side in (where.positive, where.negative))
            lines.append(
                f"  {form.name:<18} {nominal:.0%}: {1 - missed.sum():.4f}, one limit misses {missed.max():.4f}; "
                f"{n} + {m}, {where.labelled} labelled, {place}"
            )
            print(lines[-1], flush=True)
    (RESULTS / "coverage_budget.txt").write_text("\n".join(lines) + "\n")
