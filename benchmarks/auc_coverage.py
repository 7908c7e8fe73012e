"""How often the intervals for the AUC, and for the difference of two, cover the truth, and how wide they are.

    python benchmarks/auc_coverage.py           # about 10 minutes
    python benchmarks/auc_coverage.py --quick   # fewer data sets, half a minute
    python benchmarks/auc_coverage.py --tuning  # the designs that the pseudo-cases were tuned on, several amounts

Negatives are standard normal; positives are normal with standard deviation ``sd``, so far up that the AUC is what it
should be. Designs with ``levels`` have the scores of both classes cut into so many grades, at even quantiles of their
mixture in equal parts. Of two models the scores of a case correlate by ``rho`` in either class. Nominal 95 %.

The designs reported are not those that PSEUDO_CASES and the methods were chosen on: those run under --tuning.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from skcostci import DegenerateLawWarning, _intervals_auc, bootstrap_auc, bootstrap_auc_difference

RESULTS = Path(__file__).parent / "results"
SINGLE_METHODS = ("pseudo_case", "logit_t", "delong_logit", "delong", "wald", "newcombe")
PAIRED_METHODS = ("mover", "pseudo_case", "wald", "delong")
PSEUDO_CASES = (0.1, 0.15, 0.2, 0.25)
SEED = 20050705


class Design(NamedTuple):
    """One model: class sizes, the true AUC, the positives' deviation and in how many grades scores come (0: all)."""

    n_positive: int
    n_negative: int
    auc: float
    sd: float = 1.0
    levels: int = 0


class PairedDesign(NamedTuple):
    """Two models on the same cases."""

    n_positive: int
    n_negative: int
    auc_a: float
    auc_b: float
    rho: float
    sd: float = 1.0


def crossed(sizes: list[tuple[int, int]], *rest: list[Any]) -> list[Design]:
    return [Design(*size, *others) for size, *others in itertools.product(sizes, *rest)]


STRESS = [
    *crossed([(15, 15), (50, 50), (200, 200)], [0.6, 0.8, 0.95, 0.99]),
    *crossed([(10, 200), (200, 10)], [0.8, 0.95, 0.99], [1.0, 2.5, 0.4]),
    *crossed([(50, 50)], [0.8, 0.95, 0.99], [2.5, 0.4]),
    *crossed([(10, 200), (200, 10)], [0.6]),
]
TIES = crossed([(15, 15), (50, 50), (10, 200), (200, 10)], [0.8, 0.95], [1.0], [5])
TUNING = [
    *crossed(
        [(12, 12), (12, 150), (150, 12), (30, 30), (30, 150), (100, 100)], [0.7, 0.9, 0.97, 0.99], [1.0, 2.0, 0.5]
    ),
    *crossed([(8, 80), (80, 8)], [0.8, 0.95], [1.0, 2.5, 0.4]),
    *crossed([(12, 12), (12, 150), (150, 12), (40, 40)], [0.75, 0.93], [1.0, 2.0], [4, 10]),
    *crossed([(20, 1000)], [0.9, 0.99], [1.0, 2.5]),
]
PAIRED = [
    PairedDesign(*size, *aucs, rho)
    for size, aucs, rho in itertools.product(
        [(15, 15), (50, 50), (10, 200), (200, 10)], [(0.99, 0.95), (0.8, 0.8), (0.95, 0.9)], [0.3, 0.9]
    )
] + [PairedDesign(10, 200, 0.95, 0.85, 0.6, 2.5), PairedDesign(200, 10, 0.95, 0.85, 0.6, 0.4)]
PAIRED_TUNING = [
    PairedDesign(*size, *aucs, rho)
    for size, aucs, rho in itertools.product(
        [(12, 12), (10, 100), (40, 40)], [(0.99, 0.95), (0.8, 0.8), (0.97, 0.97), (0.9, 0.75)], [0.3, 0.95]
    )
] + [PairedDesign(20, 200, 0.98, 0.9, 0.8, 2.5), PairedDesign(8, 60, 0.95, 0.8, 0.5, 2.5)]


def shift(auc: float, sd: float) -> float:
    return float(np.hypot(1, sd) * norm.ppf(auc))


def grades(design: Design) -> tuple[np.ndarray, float]:
    """Where the scores are cut, and the AUC of what is left."""
    above = shift(design.auc, design.sd)

    def share(x: float) -> float:
        return float(norm.cdf(x) + norm.cdf((x - above) / design.sd)) / 2

    quantiles = np.arange(1, design.levels) / design.levels
    cuts = np.array([brentq(lambda x, p=p: share(x) - p, -50, 50) for p in quantiles])
    positive, negative = (np.diff([0, *norm.cdf(z), 1]) for z in ((cuts - above) / design.sd, cuts))
    return cuts, float(positive @ (np.cumsum(negative) - negative / 2))


def labels(n_positive: int, n_negative: int) -> np.ndarray:
    return np.repeat([1, 0], [n_positive, n_negative])


def single_sets(design: Design, sets: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    above = shift(design.auc, design.sd)
    cuts = grades(design)[0] if design.levels else None
    for _ in range(sets):
        score = rng.normal(size=design.n_positive + design.n_negative)
        score[: design.n_positive] = above + design.sd * score[: design.n_positive]
        yield score if cuts is None else np.searchsorted(cuts, score)


def paired_sets(design: PairedDesign, sets: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    above = np.array([shift(auc, design.sd) for auc in (design.auc_a, design.auc_b)])
    for _ in range(sets):
        scores = rng.normal(size=(design.n_positive + design.n_negative, 2))
        scores[:, 1] = design.rho * scores[:, 0] + np.sqrt(1 - design.rho**2) * scores[:, 1]
        scores[: design.n_positive] = above + design.sd * scores[: design.n_positive]
        yield scores.T


def judge(
    design: Design | PairedDesign, truth: float, results: list[Any], methods: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    """Coverage, mean and least width of every method."""
    for method in methods:
        low, high = np.array([result.confidence_interval(method=method) for result in results]).T
        yield {
            **design._asdict(),
            "method": method,
            "coverage": float(np.mean((low <= truth) & (truth <= high))),
            "mean_width": float(np.mean(high - low)),
            "least_width": float(np.min(high - low)),
            "data_sets": len(results),
        }


def single(design: Design, sets: int, seed: int) -> list[Any]:
    y, rng = labels(*design[:2]), np.random.default_rng(seed)
    return [bootstrap_auc(y, score) for score in single_sets(design, sets, rng)]


def paired(design: PairedDesign, sets: int, seed: int) -> list[Any]:
    y, rng = labels(*design[:2]), np.random.default_rng(seed)
    return [bootstrap_auc_difference(y, *scores) for scores in paired_sets(design, sets, rng)]


def truth_of(design: Design) -> float:
    return grades(design)[1] if design.levels else design.auc


def summary(rows: list[dict[str, Any]], reference: str) -> None:
    """The worst and mean coverage of each method, and its widths over the reference's."""
    methods = list(dict.fromkeys(row["method"] for row in rows))
    table = {name: [row for row in rows if row["method"] == name] for name in methods}
    base = np.array([row["mean_width"] for row in table[reference]])
    print(f"{'method':>14}  worst  mean  <.93  mean width / {reference}'s: of means, mean of ratios; least width")
    for name, part in table.items():
        coverage = np.array([row["coverage"] for row in part])
        width = np.array([row["mean_width"] for row in part])
        print(
            f"{name:>14}  {coverage.min():.3f}  {coverage.mean():.3f}  {np.sum(coverage < 0.93):2d}/{len(part)}  "
            f"{width.mean() / base.mean():.3f}, {np.mean(width / base):.3f}; {min(r['least_width'] for r in part):.4f}"
        )


def report(sets: int) -> None:
    """Both tables of the report."""
    singles = [
        row
        for seed, design in enumerate([*STRESS, *TIES], SEED)
        for row in judge(design, truth_of(design), single(design, sets, seed), SINGLE_METHODS)
    ]
    pairs = [
        row
        for seed, design in enumerate(PAIRED, SEED + 1000)
        for row in judge(design, design.auc_a - design.auc_b, paired(design, sets, seed), PAIRED_METHODS)
    ]
    for name, rows, reference in (("auc", singles, "logit_t"), ("auc_difference", pairs, "wald")):
        print(name)
        summary(rows, reference)
        if sets >= 1000:
            write(rows, RESULTS / f"coverage_{name}.csv")


def tuning(sets: int) -> None:
    """Coverage and width for several amounts of pseudo-cases, on the tuning designs."""
    singles = [(design, single(design, sets, seed)) for seed, design in enumerate(TUNING, SEED + 2000)]
    pairs = [(design, paired(design, sets, seed)) for seed, design in enumerate(PAIRED_TUNING, SEED + 3000)]
    for amount in PSEUDO_CASES:
        _intervals_auc.PSEUDO_CASES = amount
        print(f"{amount} pseudo-cases a class")
        methods = ("pseudo_case", "logit_t")
        summary(
            [row for design, results in singles for row in judge(design, truth_of(design), results, methods)], "logit_t"
        )
        methods = ("mover", "pseudo_case", "wald")
        rows = [row for design, results in pairs for row in judge(design, design[2] - design[3], results, methods)]
        summary(rows, "wald")


def write(rows: list[dict[str, Any]], path: Path) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows({k: round(v, 5) if isinstance(v, float) else v for k, v in row.items()} for row in rows)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer data sets, nothing written")
    parser.add_argument("--tuning", action="store_true", help="the tuning designs instead")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore", DegenerateLawWarning)
    run = tuning if options.tuning else report
    run(100 if options.quick else 2000)


if __name__ == "__main__":
    main(sys.argv[1:])
