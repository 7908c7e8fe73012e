"""Differences of average precision, partial AUC and weighted kappas of models that resemble each other.

    python benchmarks/resembling.py    # writes results/resembling.md: coverage, width, power, all differences at once

The true value is that of a sample of 400,000 cases at the same class mix. Nothing was chosen on these populations.
"""

import warnings
from pathlib import Path

import numpy as np
from _clock import machine
from scipy.stats import t as student

import skcostci as sk

RESULT = Path(__file__).parent / "results" / "resembling.md"
RUNS, LARGE, LEVELS = 400, 400_000, (0.9, 0.95, 0.99)
MAX_FPR = 0.2


def binormal(correlation, shift, drop=0.0, grades=None, tails=None):
    """Two models' scores of m positives and n negatives, which share part of their errors."""

    def draw(m, n, rng):
        y = np.repeat([1, 0], [m, n])
        shared, own = rng.normal(size=m + n), rng.normal(size=(2, m + n))
        if tails is not None:
            shared, own = (each / np.sqrt(rng.chisquare(tails, m + n) / tails) for each in (shared, own))
        errors = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
        scores = errors + np.outer([shift, shift - drop], y)
        return y, *(scores if grades is None else np.floor(scores * grades))

    return draw


def topped(expected, shift=2.5):
    """One model, and nearly the same but for negatives that it puts above all others, so many in a sample of 400."""

    def draw(m, n, rng):
        y = np.repeat([1, 0], [m, n])
        scores = rng.normal(size=m + n) + shift * y
        other = scores + 0.1 * rng.normal(size=m + n)
        return y, scores, np.where((y == 0) & (rng.random(m + n) < expected / 400), 20 + other, other)

    return draw


def graded(resemblance, right=0.6, n_grades=4):
    """Two raters' grades of cases, the second of whom takes over the first one's grade in this share."""

    def draw(n, rng):
        truth = np.minimum(rng.geometric(0.45, n) - 1, n_grades - 1)
        a, b = (np.clip(truth + (rng.random(n) > right) * rng.choice([-1, 1, 2], n), 0, n_grades - 1) for _ in "ab")
        return truth, a, np.where(rng.random(n) < resemblance, a, b)

    return draw


SCORES = {
    "correlation .9, 60:140": (binormal(0.9, 1.4), 60, 140),
    "correlation .98, 60:140": (binormal(0.98, 1.4), 60, 140),
    "correlation .6, one better, 40:90": (binormal(0.6, 1.6, 0.5), 40, 90),
    "correlation .9, heavy tails, 50:120": (binormal(0.9, 2.0, 0.2, tails=4), 50, 120),
    "correlation .9, grades, 60:150": (binormal(0.9, 1.2, 0.1, grades=2), 60, 150),
    "correlation .9, few positives, 25:400": (binormal(0.9, 1.8, 0.3), 25, 400),
}
ALIKE = {  # but for negatives that one model alone puts on top
    "b alone puts 0.6 negatives on top, 80:400": (topped(0.6), 80, 400),
    "b alone puts 1 negative on top, 80:400": (topped(1.0), 80, 400),
    "b alone puts 3 negatives on top, 80:400": (topped(3.0), 80, 400),
}
GRADES = {
    "half alike, 60": (graded(0.5), 60),
    "nine in ten alike, 100": (graded(0.9), 100),
    "alike but for noise, 200": (graded(0.97), 200),
    "strict raters, 80": (graded(0.8, right=0.85), 80),
    "six grades, 120": (graded(0.8, n_grades=6), 120),
    "two in three alike, 40": (graded(0.66), 40),
}
QUESTIONS = {
    "average precision": lambda y, a, b: sk.bootstrap_average_precision_difference(y, a, b),
    "partial AUC": lambda y, a, b: sk.bootstrap_auc_difference(y, a, b, max_fpr=MAX_FPR),
}
KAPPAS = {
    f"{kind} kappa": (lambda y, a, b, kind=kind: sk.bootstrap_metric_difference(y, a, b, "kappa", weights=kind))
    for kind in ("linear", "quadratic")
}


def judged(ask, draw, sizes):
    """Coverage at each level of the default, its width beside t and beside "unseen_case", and how often p < .05."""
    large = [LARGE * size // sum(sizes) for size in sizes]
    truth = ask(*draw(*large, np.random.default_rng(0))).estimate
    held, widths, rejected = np.zeros(len(LEVELS)), [], 0
    for seed in range(RUNS):
        result = ask(*draw(*sizes, np.random.default_rng(seed + 1)))
        for place, level in enumerate(LEVELS):
            low, high = result.confidence_interval(level)
            held[place] += low <= truth <= high
        ends = [result.confidence_interval(method=method) for method in (None, "unseen_case")]
        wald = 2 * student.ppf(0.975, min(sizes) - 1) * result.standard_error
        widths.append([*(end.high - end.low for end in ends), wald])
        rejected += result.pvalue() < 0.05
    own, unseen, wald = np.median(widths, axis=0)
    return [*held / RUNS, own / wald, own / unseen, rejected / RUNS]


def family_wise(m, n, correlation=0.9, shift=1.4, n_models=4):
    """How often some difference of equally good models has p < .05, and the best set lacks a given one of them."""
    wrong = lacking = 0
    y = np.repeat([1, 0], [m, n])
    for seed in range(RUNS // 2):
        rng = np.random.default_rng(10_000 + seed)
        errors = np.sqrt(correlation) * rng.normal(size=m + n) + np.sqrt(1 - correlation) * rng.normal(
            size=(n_models, m + n)
        )
        scores = {str(model): each + shift * y for model, each in enumerate(errors)}
        compared = sk.compare_models(y, scores, "average_precision")
        wrong += compared.differences.pvalue().min() < 0.05
        lacking += n_models - len(compared.may_be_best())
    return wrong / (RUNS // 2), lacking / n_models / (RUNS // 2)


def main():
    head = "| statistic | population | .90 | .95 | .99 | width / t | width / unseen case | p < .05 |"
    lines = [head, "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kinds, populations in ((QUESTIONS, {**SCORES, **ALIKE}), (KAPPAS, GRADES)):
            for kind, ask in kinds.items():
                for name, (draw, *sizes) in populations.items():
                    numbers = " | ".join(f"{value:.3f}" for value in judged(ask, draw, sizes))
                    lines.append(f"| {kind} | {name} | {numbers} |")
        wrong, lacking = family_wise(60, 140)
    words = (
        f"# Differences of models that resemble each other\n\nThe share of {RUNS} samples whose default interval "
        "contains the true difference (s.e. .011 at .95), its median width over that of Student's t with the standard "
        'error and over that of "unseen_case", and how often p is below .05.\n'
    )
    family = (
        f"\nFour models that are equally good, 60:140, {RUNS // 2} samples of `compare_models` by average precision: "
        f"some difference has p < .05 in {wrong:.3f}, `may_be_best` leaves out a given one in {lacking:.3f}.\n"
    )
    RESULT.write_text("\n".join([words, *lines, family, machine("numpy", "scipy", "skcostci"), ""]))


if __name__ == "__main__":
    main()
