"""Coverage of "rank_beta" where scores tie or rates lie between multiples of 1 / n_negative: designs held out.

None of these designs was used for choosing anything. Populations of few levels are given by the shares of negatives and
of positives at each level, the best first; their truth is the straight line between the vertices, at the rates RATES,
of which few are multiples of 1 / n_negative. The last designs put a rate on a corner where the slope drops.

``python -m coverage_study.fpr_ties`` in ``benchmarks`` writes ``results/coverage_fpr_ties.txt`` (two minutes).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from scipy.stats import expon, norm, t

from coverage_study.judging import LEVELS, Cell, Row, Tally
from coverage_study.simulation import OTHERS, generator
from skcostci import bootstrap_roc_at_fpr

RESULTS = Path(__file__).parents[1] / "results" / "coverage_fpr_ties.txt"
RATES = np.array([0.03, 0.1, 0.25, 0.5, 0.85])
SIZES = ((20, 80), (60, 37))
RUNS = 200
LEVELLED = {
    "five ratings": ([5, 10, 20, 30, 35], [35, 25, 20, 12, 8]),
    "zero-inflated": ([3, 7, 10, 10, 70], [30, 20, 15, 15, 20]),
    "three levels, most at the top": ([10, 20, 70], [60, 20, 20]),
    "five levels, U-shaped": ([30, 10, 10, 10, 40], [45, 10, 10, 10, 25]),
    "ten grades": ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
    "two levels": ([25, 75], [70, 30]),
    "worse than chance": ([40, 30, 30], [20, 30, 50]),
}
CONTINUOUS = {
    "binormal, 0.8 apart": (norm(0.8), norm(0)),
    "exponential, 4 times as large": (expon(scale=4), expon()),
    "Student's t, 3 degrees, 1.5 apart": (t(3, 1.5), t(3)),
}
CORNERS = {
    "corner at 0.1, slope 6 to 0.44": ([10, 90], [60, 40]),
    "corner at 0.03, slope 17 to 0.52": ([3, 97], [50, 50]),
}
Draw = Callable[[np.random.Generator, int], np.ndarray]


def coverage(positive: Draw, negative: Draw, truth: np.ndarray, sizes: tuple[int, int], name: str) -> list[np.ndarray]:
    """At each level, the share of data sets whose interval holds the truth, by rate."""
    rng, covered = generator(name, *sizes), np.zeros((len(LEVELS), len(RATES)))
    y_true = np.repeat([1, 0], sizes)
    for _ in range(RUNS):
        scores = np.concatenate([positive(rng, sizes[0]), negative(rng, sizes[1])])
        result = bootstrap_roc_at_fpr(y_true, scores, fpr=RATES)
        for i, level in enumerate(LEVELS):
            low, high = result.confidence_interval(level)
            covered[i] += (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    return list(covered / RUNS)


def cells() -> Iterator[Cell]:
    for sizes, (name, law) in itertools.product(SIZES, designs().items()):
        measure = partial(rows, law, sizes, name)
        yield Cell("roc_at_fpr", "tpr", "stratified", name, *sizes, True, RUNS, measure)


def rows(law: tuple[Draw, Draw, np.ndarray], sizes: tuple[int, int], name: str, runs: int) -> Iterator[Row]:
    """All methods at all levels."""
    rng, y_true, tally = generator(name, *sizes), np.repeat([1, 0], sizes), Tally([f"fpr {rate:g}" for rate in RATES])
    for i in range(runs):
        scores = np.concatenate([draw(rng, size) for draw, size in zip(law[:2], sizes, strict=True)])
        tally.add(bootstrap_roc_at_fpr(y_true, scores, fpr=RATES), law[2], every=i % OTHERS == 0)
    return tally.rows()


def levelled(shares: list[int]) -> Draw:
    """Scores of few levels, the best first."""
    p = np.array(shares) / sum(shares)
    return lambda rng, n: -rng.choice(len(p), n, p=p).astype(float)


def designs() -> dict[str, tuple[Draw, Draw, np.ndarray]]:
    """How positives and negatives are drawn, and the truth, by name."""
    found: dict[str, tuple[Draw, Draw, np.ndarray]] = {}
    for name, (negative, positive) in (LEVELLED | CORNERS).items():
        corners = (np.cumsum([0, *shares]) / sum(shares) for shares in (negative, positive))
        found[name] = levelled(positive), levelled(negative), np.interp(RATES, *corners)
    for name, laws in CONTINUOUS.items():
        draws = (lambda rng, n, law=law: law.rvs(n, random_state=rng) for law in laws)
        found[name] = *draws, laws[0].sf(laws[1].isf(RATES))
    return found


def main() -> None:
    lines = [f"Coverage of rank_beta at rates {', '.join(map(str, RATES))}; {RUNS} data sets, s.e. 0.015 at 0.95"]
    for sizes in SIZES:
        for name, (positive, negative, truth) in designs().items():
            for level, shares in zip(LEVELS, coverage(positive, negative, truth, sizes, name), strict=True):
                cells = "  ".join(f"{share:.3f}" for share in shares)
                lines.append(f"{sizes[0]:3d} + {sizes[1]:3d}  {name:36s} {level:.2f}  {cells}")
                print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
