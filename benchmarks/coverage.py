"""How often the intervals for costs cover the truth, and how wide they are.

    python benchmarks/coverage.py           # about 10 minutes
    python benchmarks/coverage.py --quick   # one design of each kind, half a minute

The designs are those of Dugas & Gadoury (2008): scores of either class are Gaussian, scale 3, around -theta and theta;
every threshold is the theoretical optimum, so that nothing but the interval is on trial. One model: coverage is the
exact sum over all pairs of counts, no simulation. Two models: seeded simulation; the second one's positives lie further
up by ``shift``, and the two scores of a case correlate by ``rho``.
"""

from __future__ import annotations

import argparse
import csv
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binom, norm

from skcostci import DegenerateLawWarning
from skcostci._intervals import METHODS
from skcostci.laws import LinearLaw, class_law
from skcostci.statistics._cost import METHODS as SINGLE_METHODS
from skcostci.statistics._cost import PAIRED_METHODS

RESULTS = Path(__file__).parent / "results" / "coverage_cost.csv"
CONDITIONS = np.linspace(0.05, 0.95, 19)
LEVELS = (0.9, 0.95)
SCALE = 3.0
SEED = 20080705


def rates(theta: float, shift: float, w: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The optimal threshold at each operating condition, and the true- and false-positive rates there."""
    thresholds = shift / 2 + SCALE**2 / (2 * theta + shift) * np.log((1 - w) / w)
    return thresholds, norm.sf((thresholds - theta - shift) / SCALE), norm.sf((thresholds + theta) / SCALE)


def limits(law: LinearLaw, method: str, level: float) -> np.ndarray:
    """The interval of every point, as results clip it."""
    q = np.array([[(1 - level) / 2], [(1 + level) / 2]])
    return np.clip(METHODS[method](law, q), *law.support)


def judge(law: LinearLaw, truth: float, weights: np.ndarray, methods: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Coverage and mean width of every method and level, over points that occur with these probabilities."""
    for method in methods:
        for level in LEVELS:
            low, high = limits(law, method, level)
            covered = (low <= truth + 1e-12) & (truth <= high + 1e-12)
            yield {
                "method": method,
                "confidence_level": level,
                "coverage": float(weights @ covered),
                "width": float(weights @ (high - low)),
            }


def single(n_positive: int, n_negative: int, theta: float) -> Iterator[dict[str, Any]]:
    """One model: every pair of counts that has a probability worth counting."""
    for w, tpr, fpr in zip(CONDITIONS, *rates(theta, 0, CONDITIONS)[1:], strict=True):
        counts = [np.arange(n + 1) for n in (n_positive, n_negative)]
        masses = [binom.pmf(k, n, p) for k, n, p in zip(counts, (n_positive, n_negative), (tpr, fpr), strict=True)]
        joint = np.multiply.outer(*masses)
        hits, alarms = np.nonzero(joint > 1e-12)
        law = single_law(hits, n_positive, alarms, n_negative, w)
        for row in judge(law, w * (1 - tpr) + (1 - w) * fpr, joint[hits, alarms], SINGLE_METHODS["stratified"]):
            yield {"probability_cost": w, **row}


def single_law(hits: np.ndarray, n_positive: int, alarms: np.ndarray, n_negative: int, w: float) -> LinearLaw:
    """The law of the cost for each pair of counts."""
    possible = np.ones((len(hits), 2), dtype=bool)
    positive, negative = (np.column_stack([k, n - k]) for k, n in ((hits, n_positive), (alarms, n_negative)))
    return class_law(
        ((positive, np.array([0.0, w]), possible), (negative, np.array([1 - w, 0.0]), possible)), agresti=4.0
    )


def paired(n: int, theta: float, shift: float, rho: float, sets: int) -> Iterator[dict[str, Any]]:
    """Two models: simulated test sets, those with the same cells judged once."""
    rng = np.random.default_rng([SEED, n, round(100 * theta), round(100 * shift), round(100 * rho)])
    scores = rng.multivariate_normal([0, 0], SCALE**2 * np.array([[1, rho], [rho, 1]]), size=(2, sets, n))
    positives, negatives = scores[0] + [theta, theta + shift], scores[1] - theta
    thresholds_a, tpr_a, fpr_a = rates(theta, 0, CONDITIONS)
    thresholds_b, tpr_b, fpr_b = rates(theta, shift, CONDITIONS)
    truth = CONDITIONS * (tpr_b - tpr_a) + (1 - CONDITIONS) * (fpr_a - fpr_b)
    for i, w in enumerate(CONDITIONS):
        cells = np.hstack([discordant(part, thresholds_a[i], thresholds_b[i]) for part in (positives, negatives)])
        distinct, times = np.unique(cells, axis=0, return_counts=True)
        for row in judge(paired_law(distinct, w), truth[i], times / sets, PAIRED_METHODS):
            yield {"probability_cost": w, **row}


def discordant(scores: np.ndarray, threshold_a: float, threshold_b: float) -> np.ndarray:
    """For each test set, how many cases of a class reach both thresholds, a's only, b's only, neither."""
    a, b = scores[..., 0] >= threshold_a, scores[..., 1] >= threshold_b
    return np.stack([(a & b).sum(1), (a & ~b).sum(1), (~a & b).sum(1), (~a & ~b).sum(1)], axis=1)


def paired_law(cells: np.ndarray, w: float) -> LinearLaw:
    """The law of the difference for each set of cells, positives' before negatives'."""
    possible = np.ones((len(cells), 4), dtype=bool)
    signs = np.array([0.0, -1.0, 1.0, 0.0])
    return class_law(((cells[:, :4], w * signs, possible), (cells[:, 4:], -(1 - w) * signs, possible)), agresti=2.0)


def designs(quick: bool) -> Iterator[tuple[dict[str, Any], Iterator[dict[str, Any]]]]:
    """Every design with its rows."""
    sizes = [(25, 25)] if quick else [(10, 10), (25, 25), (50, 50), (100, 10)]
    for n_positive, n_negative in sizes:
        for theta in [3.0] if quick else [0.75, 1.5, 3.0, 4.0, 5.0]:
            design = {"statistic": "cost", "n_positive": n_positive, "n_negative": n_negative, "theta": theta}
            yield design | {"shift": "", "rho": "", "sets": "exact"}, single(n_positive, n_negative, theta)
    sets = 200 if quick else 1000
    for theta in [3.0] if quick else [1.0, 3.0]:
        for shift in [2.0] if quick else [0.0, 2.0, 4.0]:
            for rho in [0.6] if quick else [0.3, 0.6, 0.9]:
                design = {"statistic": "cost difference", "n_positive": 25, "n_negative": 25, "theta": theta}
                yield design | {"shift": shift, "rho": rho, "sets": sets}, paired(25, theta, shift, rho, sets)


def summary(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The worst and the mean over the operating conditions, for each method and level."""
    for method, level in dict.fromkeys((row["method"], row["confidence_level"]) for row in rows):
        mine = [row for row in rows if (row["method"], row["confidence_level"]) == (method, level)]
        worst = min(mine, key=lambda row: row["coverage"])
        yield {
            "method": method,
            "confidence_level": level,
            "worst_coverage": f"{worst['coverage']:.4f}",
            "worst_at": f"{worst['probability_cost']:.2f}",
            "mean_coverage": f"{np.mean([row['coverage'] for row in mine]):.4f}",
            "mean_width": f"{np.mean([row['width'] for row in mine]):.4f}",
        }


def overview(table: list[dict[str, Any]]) -> Iterator[str]:
    """The worst case of every method over all designs of a statistic."""
    for statistic in dict.fromkeys(row["statistic"] for row in table):
        for level in LEVELS:
            yield f"\n{statistic}, nominal {level:.0%}: worst coverage over all designs, mean width"
            mine = [row for row in table if (row["statistic"], row["confidence_level"]) == (statistic, level)]
            for method in dict.fromkeys(row["method"] for row in mine):
                chosen = [row for row in mine if row["method"] == method]
                worst = min(float(row["worst_coverage"]) for row in chosen)
                yield f"  {method:<12}{worst:7.3f}{np.mean([float(row['mean_width']) for row in chosen]):9.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one design of each kind, nothing written")
    quick = parser.parse_args().quick
    warnings.simplefilter("ignore", DegenerateLawWarning)
    table: list[dict[str, Any]] = []
    for design, rows in designs(quick):
        print(", ".join(f"{key} {value}" for key, value in design.items() if value != ""), file=sys.stderr, flush=True)
        table += [design | row for row in summary(list(rows))]
    print("\n".join(overview(table)))
    if not quick:
        with RESULTS.open("w", newline="") as file:
            writer = csv.DictWriter(file, table[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(table)


if __name__ == "__main__":
    main()
