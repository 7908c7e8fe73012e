"""Rates at a rate where ties let a curve jump: grades, floored and zero-inflated scores, heaps; one model and two.

    python benchmarks/jumps.py    # writes results/jumps.md

The true curve of a population of tied scores has straight lines between its vertices, as scikit-learn draws it; it is
that of a sample of a million cases. Nothing was chosen on these populations.
"""

import warnings
from pathlib import Path

import numpy as np
from _clock import machine

import skcostci as sk

RESULT = Path(__file__).parent / "results" / "jumps.md"
RUNS, LARGE, LEVELS = 300, 1_000_000, (0.9, 0.95, 0.99)


def binormal(y, rng, shift, correlation=0.5):
    """Two models' scores that share part of their errors."""
    shared = rng.normal(size=len(y))
    return [
        shift * y + np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * rng.normal(size=len(y)) for _ in "ab"
    ]


def graded(cuts, shift):
    """Scores as a few grades."""
    return lambda y, rng: [np.searchsorted(cuts, each) for each in binormal(y, rng, shift)]


def floored(floor, shift):
    """What is below a floor is reported as it."""
    return lambda y, rng: [np.maximum(each, floor) for each in binormal(y, rng, shift)]


def inflated(share, shift):
    """Some cases have the score 0, under either model by itself."""

    def draw(y, rng):
        return [np.where(rng.random(len(y)) < share * (1.5 - y), 0.0, np.exp(each)) for each in binormal(y, rng, shift)]

    return draw


def heaped(share, shift):
    """Some positives share one high score."""
    return lambda y, rng: [
        np.where((y == 1) & (rng.random(len(y)) < share), 2.5, each) for each in binormal(y, rng, shift)
    ]


POPULATIONS = {  # negatives, positives, what is held and at which rate
    "three grades": (graded([-0.2, 0.9], 1.2), 90, 60, "tpr", 0.8),
    "four grades, the rate near a vertex": (graded([-0.8, 0.1, 1.0], 1.3), 120, 120, "tpr", 0.82),
    "six grades, few": (graded([-1, -0.4, 0.2, 0.8, 1.4], 1.0), 40, 30, "tpr", 0.6),
    "floored": (floored(0.3, 1.4), 150, 80, "tpr", 0.9),
    "zero-inflated": (inflated(0.35, 1.0), 80, 80, "tpr", 0.8),
    "heap of positives": (heaped(0.4, 0.8), 100, 100, "fpr", 0.1),
    "three grades, at an FPR": (graded([0.0, 1.1], 1.2), 100, 70, "fpr", 0.3),
    "to a fifth of the spread": (lambda y, rng: [np.round(5 * s) for s in binormal(y, rng, 1.2)], 80, 80, "tpr", 0.8),
    "no ties": (lambda y, rng: binormal(y, rng, 1.2), 80, 80, "tpr", 0.8),
}


def sample(draw, negatives, positives, rng):
    y = np.repeat([0, 1], [negatives, positives])
    return y, *draw(y, rng)


def asked(held, rate, y, a, b):
    """One model's rate, and the difference of two, at a rate that is held."""
    if held == "tpr":
        return sk.bootstrap_roc_at_tpr(y, a, tpr=rate), sk.bootstrap_roc_difference_at_tpr(y, a, b, tpr=rate)
    return sk.bootstrap_roc_at_fpr(y, a, fpr=rate), sk.bootstrap_roc_difference_at_fpr(y, a, b, fpr=rate)


def judged(draw, negatives, positives, held, rate):
    """Coverage at each level, of one model and of two, and the median widths at .95."""
    share = LARGE // (negatives + positives)
    truth = [
        float(each.estimate)
        for each in asked(held, rate, *sample(draw, share * negatives, share * positives, np.random.default_rng(0)))
    ]
    found, widths = np.zeros((2, len(LEVELS))), []
    for seed in range(RUNS):
        results = asked(held, rate, *sample(draw, negatives, positives, np.random.default_rng(seed + 1)))
        limits = [[result.confidence_interval(level) for level in LEVELS] for result in results]
        found += [[low <= value <= high for low, high in each] for value, each in zip(truth, limits, strict=True)]
        widths.append([each[1].high - each[1].low for each in limits])
    return found / RUNS, np.median(widths, axis=0)


def main():
    lines = [
        "# Rates where a curve jumps\n",
        f"The share of {RUNS} samples whose default interval contains the true value (s.e. .013 at .95), and the "
        "median width at .95.\n",
        "| population | held | one model: .90 | .95 | .99 | width | two models: .90 | .95 | .99 | width |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, (draw, negatives, positives, held, rate) in POPULATIONS.items():
            found, widths = judged(draw, negatives, positives, held, rate)
            cells = [
                [*(f"{value:.3f}" for value in each), f"{width:.3f}"] for each, width in zip(found, widths, strict=True)
            ]
            of_one, of_two = (" | ".join(each) for each in cells)
            lines.append(f"| {name} ({negatives}:{positives}) | {held} {rate} | {of_one} | {of_two} |")
    RESULT.write_text("\n".join([*lines, "", machine("numpy", "scipy", "skcostci"), ""]))


if __name__ == "__main__":
    main()
